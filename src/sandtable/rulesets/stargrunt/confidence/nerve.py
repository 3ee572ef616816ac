"""What an attack does to the nerve of a unit: suppression, a new leader, one Confidence Test for all causes."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.stargrunt.confidence.levels import confidence_test, suppress, threat
from sandtable.rulesets.stargrunt.fire.shots import AFTERWARDS
from sandtable.rulesets.stargrunt.forces.cards import squad
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.leaders import leader, replace_leader
from sandtable.rulesets.stargrunt.units.record import LOSS_OF_LEADER, NOBODY_FIT, airborne, fit, leadership
from sandtable.tabletop.states import give

LOST_COMMAND = rule("stargrunt.communications.lost-command-unit")
#: Bursts suppress whoever is under them, hurt or not.
BOMBARDED = rule("stargrunt.artillery.burst-suppression")


#: The card of support off the table.
SUPPORT = "support"


def from_above(table: Table, by: str) -> bool:
    """Whether an attack is artillery or comes from the air: those under it feel it the more."""
    return table[by].card == SUPPORT or airborne(table, by)


def destroy(battle: Battle, unit: Thing) -> None:
    """Tell that nobody of a unit is left standing; nobody takes the place of a commander above squad level.

    stargrunt.units.unit-without-fit-figures         it counts as destroyed
    stargrunt.communications.lost-command-unit       its level is bypassed from now on
    """
    told = citing(LOST_COMMAND) if squad(unit).command_level != "squad" else {}
    give(battle, unit.id, StateName.DESTROYED, NOBODY_FIT, detail=told)


def unnerve(
    battle: Battle,
    target: str,
    hurt: tuple[str, ...],
    suppresses: Rule | None,
    adds: tuple[str, ...] = (),
    *,
    attacked: bool = True,
) -> Procedure[bool]:
    """Settle what an attack means to a unit, in the order of the ledger; whether anybody of it still stands.

    A mishap that nobody brought about (`attacked` is false) counts only where it costs the leader.

    stargrunt.fire.after-the-fire               the order
    stargrunt.units.loss-of-leader              a further marker; the test is taken with the old leader's LV
    stargrunt.confidence.counting-casualties    what the rows of the table count
    """
    table, unit = battle.table, battle.table[target]
    if not fit(table, unit.id):
        if hurt and not unit.has(StateName.DESTROYED):
            destroy(battle, unit)
        return False
    causes: list[str] = []
    if suppresses is not None:
        suppress(battle, unit.id, suppresses, 0)
        if not unit.has(StateName.FIRST_SUPPRESSION_DONE):
            give(battle, unit.id, StateName.FIRST_SUPPRESSION_DONE, AFTERWARDS)
            causes.append("first_suppression")
    lv = leadership(unit)
    led_by = leader(table, unit.id)
    if led_by is not None and led_by.id in hurt:
        causes.append("leader_casualty")
        suppress(battle, unit.id, LOSS_OF_LEADER, 0)
        yield from replace_leader(battle, unit.id, 0)
    if hurt and attacked:
        causes.append("casualties_from_fire")
        if len(hurt) > len(fit(table, unit.id)):
            causes.append("more_casualties_than_survivors")
    parts = threat(table, table[unit.id], (*causes, *adds))
    if parts is not None:
        confidence_test(battle, unit.id, parts, 0, lv)
    return True
