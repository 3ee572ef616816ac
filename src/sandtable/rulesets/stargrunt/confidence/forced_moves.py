"""Moves nobody chooses: the Routed go for their baseline, the Broken for cover; who cannot go gives up."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.close_assault.prisoners import surrender
from sandtable.rulesets.stargrunt.confidence.levels import BROKEN_RULE, ROUTED_RULE, SURRENDER, note_abandoned, sights
from sandtable.rulesets.stargrunt.cover.protection import LEAVING, sees
from sandtable.rulesets.stargrunt.movement.in_step import way_home, way_to_cover
from sandtable.rulesets.stargrunt.movement.walking import (
    EDGES,
    base_mobility,
    from_baseline,
    leave,
    note_left_behind,
    walk,
)
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    ROUTED,
    at_worst,
    enemies,
    gap_between,
    located,
    points,
    range_between,
)
from sandtable.tabletop.states import take


def forced_move(battle: Battle, unit: Thing) -> Procedure[None]:
    """A Routed unit goes for its baseline, a Broken one for the nearest cover that is no nearer to an enemy.

    stargrunt.confidence.routed    cut off, it surrenders to an enemy within 12 inches, or scatters
    stargrunt.confidence.broken    without such cover it goes for its baseline
    stargrunt.movement.table-edges a Routed unit that reaches its baseline is lost
    """
    table = battle.table
    before = points(table, unit.id)
    seen = [foe.id for foe in enemies(table, unit.side) if sees(table, unit.id, foe.id)]
    take(battle, unit.id, StateName.IN_POSITION, LEAVING)
    routed = at_worst(unit, ROUTED)
    why = ROUTED_RULE if routed else BROKEN_RULE
    far = base_mobility(unit)
    walks = {} if routed else way_to_cover(table, unit, far)
    if not walks:
        if routed and _at_baseline(table, unit):
            leave(battle, unit.id, "left the table", EDGES)
            return
        walks = way_home(table, unit, far)
    if walks:
        walk(battle, walks, far, why, manner="forced")
        note_left_behind(battle, unit.id)
        note_abandoned(battle, unit.id, before, seen)
        sights(battle)
        if routed and _at_baseline(table, unit):
            leave(battle, unit.id, "left the table", EDGES)
    elif routed:
        yield from give_up(battle, unit)


def _at_baseline(table: Table, unit: Thing) -> bool:
    """Whether a unit has reached its baseline: somebody of it touches it (stargrunt.movement.table-edges)."""
    return any(from_baseline(table, unit.side, at) <= BASE.size // 2 for at in points(table, unit.id))


def give_up(battle: Battle, unit: Thing) -> Procedure[None]:
    """A Routed unit that cannot withdraw surrenders to the nearest enemy within 12 inches, and else scatters."""
    table = battle.table
    reach = ROUTED_RULE.inches("surrender_distance_in") ** 2
    here = points(table, unit.id)
    foes = [foe for foe in enemies(table, unit.side) if range_between(table, unit.id, foe.id) <= reach]
    if foes:
        nearest = min(foes, key=lambda foe: (range_between(table, unit.id, foe.id), foe.id))
        yield from surrender(battle, unit, nearest.id, SURRENDER)
        return
    close = any(gap_between(here, there) <= reach for there in located(table, unit.side))
    how, why = ("surrendered", SURRENDER) if close else ("scattered", ROUTED_RULE)
    leave(battle, unit.id, how, why)
