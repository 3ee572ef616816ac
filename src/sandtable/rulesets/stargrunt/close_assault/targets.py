"""Whom an assault is made at: units in sight, and counters that are known to be units."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.questions import Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing
from sandtable.rulesets.stargrunt.close_assault.fights import SEQUENCE, TARGET, refused_target, targets
from sandtable.rulesets.stargrunt.observation.counters import LOCATED, enemy_counters, place_figures, stand_in
from sandtable.rulesets.stargrunt.units.record import BROKEN, COUNTER, FACE_UP, at_worst, enemies


def all_targets(table: Table, unit: Thing) -> list[Option]:
    """Everything that a unit may assault."""
    return [*targets(table, unit), *located_targets(table, unit)]


def named_targets(table: Table, unit: Thing) -> list[Thing]:
    """Every located enemy; why a unit may not assault one is said by `assault_refused`."""
    known = [one for one in enemy_counters(table, unit.side) if one.value(FACE_UP) == "unit"]
    return [*enemies(table, unit.side), *known]


def assault_refused(table: Table, unit: Thing, name: str) -> Refusal | None:
    """Why a unit may not assault another, or what lies under a counter."""
    if table[name].card == COUNTER:
        shown, foe = stand_in(table, table[name])
        return refused_target(shown, unit, foe)
    return refused_target(table, unit, table[name])


def located_targets(table: Table, unit: Thing) -> list[Option]:
    """The counters known to be units that may be assaulted (stargrunt.observation.located-enemy)."""
    if at_worst(unit, BROKEN):
        return []
    known = [one for one in enemy_counters(table, unit.side) if one.value(FACE_UP) == "unit"]
    able = [one for one in known if assault_refused(table, unit, one.id) is None]
    return [Option(one.id, one.label, (one.id,), (TARGET.id, LOCATED.id)) for one in able]


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
