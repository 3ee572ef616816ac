"""Whom an assault is made at: units in sight, and counters that are known to be units."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.questions import Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.close_assault.fights import SEQUENCE, TARGET, may_reach, targets
from sandtable.rulesets.stargrunt.cover.protection import sees
from sandtable.rulesets.stargrunt.dice.rolls import citing
from sandtable.rulesets.stargrunt.observation.counters import LOCATED, enemy_counters, place_figures, stand_in
from sandtable.rulesets.stargrunt.units.record import BROKEN, COUNTER, FACE_UP, at_worst


def all_targets(table: Table, unit: Thing) -> list[Option]:
    """Everything that a unit may assault."""
    return [*targets(table, unit), *located_targets(table, unit)]


def located_targets(table: Table, unit: Thing) -> list[Option]:
    """The counters known to be units that may be assaulted (stargrunt.observation.located-enemy)."""
    found = []
    for one in () if at_worst(unit, BROKEN) else enemy_counters(table, unit.side):
        if one.value(FACE_UP) != "unit":
            continue
        shown, foe = stand_in(table, one)
        seen = sees(shown, unit.id, foe.id) or moves.same_shelter(shown, unit.id, foe.id)
        if seen and may_reach(shown, unit, foe):
            found.append(Option(one.id, one.label, (one.id,), (TARGET.id, LOCATED.id)))
    return found


def named(battle: Battle, unit: Thing, chosen: str) -> Procedure[tuple[str, int]]:
    """Declare an assault; gives the unit it is made at, none where it has become impossible, and the event.

    stargrunt.observation.located-enemy    the figures of a counter are placed first; there they may be out of reach
    """
    n = battle.happens(Declared(unit.id, "close assault", (chosen,), rule=TARGET.id, detail=citing(SEQUENCE)))
    counter = battle.table[chosen]
    if counter.card != COUNTER:
        return chosen, n
    name = yield from place_figures(battle, counter, LOCATED, n)
    there = [option.id for option in targets(battle.table, battle.table[unit.id])]
    return name if name in there else "", n
