"""What a commander's words are worth to tactics: whether they get through, and what a rally would bring."""

from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.communications import communication_die, in_contact, to_exceed
from sandtable.rulesets.stargrunt.tactics.fire import LEVEL, chance
from sandtable.rulesets.stargrunt.units.record import BROKEN, at_worst, fit, leadership, quality_die
from sandtable.tabletop.opponent import Reasons

#: How much more a level is worth to a unit that does not fight at all without it.
OUT_OF_THE_FIGHT = 3


def message(table: Table, sender: Thing, receiver: Thing) -> int:
    """How likely a message is to get through, in thousandths."""
    if in_contact(table, sender.id, receiver.id):
        return 1000
    die, _ = communication_die(table, sender, receiver)
    return chance(die, to_exceed(sender, receiver).value)


def rally_worth(table: Table, commander: Thing, unit: Thing) -> Reasons:
    """What it is worth to try to rally a unit: one that cannot fight counts most."""
    works = chance(quality_die(unit), leadership(unit) + leadership(commander))
    level = LEVEL * len(fit(table, unit.id)) * (OUT_OF_THE_FIGHT if at_worst(unit, BROKEN) else 1)
    return (("confidence", level * works // 1000 * message(table, commander, unit) // 1000),)
