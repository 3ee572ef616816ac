"""Movement: normal and combat moves of figures over terrain, entering, leaving, and withdrawing.

Nothing breaks into a move of this game: reaction fire comes between two of them, and what is trodden on goes off when
all figures of the unit have gone. So a walk is carried out whole, and not from trigger to trigger as in other games.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Halted, ModelLost, Moved
from sandtable.engine.explain import inches
from sandtable.engine.ids import Side
from sandtable.engine.questions import Refusal, Together
from sandtable.engine.shapes import UNIT, At, Disc, Leg, Point, Polygon, Via, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.edges import Edge, gap_to_edge
from sandtable.field.measure import any_nearer, center_gap, gap_floor, overlap
from sandtable.field.walking.cost import Trace
from sandtable.field.walking.encounters import keeps_clear, meetings, over_edge, surely_passed
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.field.walking.spans import price_by_length
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.stargrunt.cover.building_sides import refused_leaving
from sandtable.rulesets.stargrunt.cover.integrity import INTEGRITY, in_integrity
from sandtable.rulesets.stargrunt.dice.rolls import CLOCK, LADDER, clock_degrees, plain_roll, shifted
from sandtable.rulesets.stargrunt.forces.cards import squad
from sandtable.rulesets.stargrunt.movement.terrain_costs import CLASSES, COSTS, MOBILITY, Rates, rates, stopped
from sandtable.rulesets.stargrunt.obstacles.treading import tread
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    BASES,
    LOSS_OF_LEADER,
    gap_between,
    is_hull,
    located,
    on_ground,
    spot,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import outline
from sandtable.tabletop.states import give

COMBAT = rule("stargrunt.movement.combat")
FIGURES = rule("stargrunt.movement.moving-figures")
EDGES = rule("stargrunt.movement.table-edges")
ENCUMBERED = rule("stargrunt.movement.encumbered")
TRAVEL = rule("stargrunt.movement.travel")
UNDER_FIRE = rule("stargrunt.movement.travel-under-fire")

#: States of a unit: it carries somebody or a packed weapon, it marches in column, it moves otherwise than its data say.
BURDENED, TRAVELLING, MOBILITY_STATE = "encumbered", "travelling", "mobility"

same_number(
    "one marker for a column under fire", UNDER_FIRE.number("auto_suppression"), LOSS_OF_LEADER.number("suppression")
)

TOGETHER = Together(
    within=INTEGRITY.inches("chain_in"),
    rule=INTEGRITY.id,
    label=f"in integrity: a chain of {INTEGRITY.number('chain_in')}-inch links, or a circle",
)


def mobility_of(unit: Thing) -> str:
    """How a unit moves, by the word of the table of mobilities."""
    return str(unit.value(MOBILITY_STATE) or squad(unit).mobility)


def base_mobility(unit: Thing) -> int:
    """How far a unit goes in a normal move, in thousandths (stargrunt.movement.encumbered: a die type less)."""
    inches_ = MOBILITY.number(mobility_of(unit), "base_in")
    return UNIT * (shifted(inches_, ENCUMBERED.number("shift")) if unit.has(BURDENED) else inches_)


def mobility_die(unit: Thing) -> int:
    """The die of a unit's combat move."""
    die = MOBILITY.number(mobility_of(unit), "die")
    return shifted(die, ENCUMBERED.number("shift")) if unit.has(BURDENED) else die


def combat_distance(score: int) -> int:
    """How far a score of the mobility die carries a unit, in thousandths (stargrunt.movement.combat)."""
    return COMBAT.formula("distance") * score * UNIT


class Way(NamedTuple):
    """A figure's way, and what it costs as far as the allowance goes."""

    figure: Thing
    track: Track
    trace: Trace


def ways(table: Table, walks: Mapping[str, Walk], allowance: int | None) -> list[Way]:
    """The ways of figures, priced."""
    found = []
    for name, walk in walks.items():
        figure = table[name]
        price = rates(table.ground, figure, allowance)
        if walk.marks:
            track = resolve(Pose(spot(figure)), walk)
            found.append(Way(figure, track, price_by_length(track, table.ground, price)))
        else:
            found.append(Way(figure, *_priced(table.ground, spot(figure), walk.legs, price)))
    return found


@lru_cache(maxsize=16384)
def _priced(ground: Ground, at: Point, legs: tuple[Leg | Via, ...], price: Rates) -> tuple[Track, Trace]:
    """A track and what it costs: whoever thinks of a way, judges it and goes it asks for the same."""
    track = resolve(Pose(at), Walk(legs))
    return track, price_by_length(track, ground, price)


def crowded(spots: Sequence[Point], others: Sequence[Point | Polygon]) -> bool:
    """Whether bases at some points would overlap each other, or bases at other points, or vehicles.

    >>> crowded([Point(0, 0)], [Point(1000, 0)]), crowded([Point(0, 0), Point(999, 0)], [])
    (False, True)
    """
    taken = [other for other in others if isinstance(other, Point)]
    vehicles = [other for other in others if not isinstance(other, Point)]
    for at in spots:
        if any_nearer(taken, at, BASE.size):
            return True
        if any(overlap(Disc(at, BASE.size // 2), shape) for shape in vehicles):
            return True
        taken.append(at)
    return False


def others(table: Table, moving: Sequence[str]) -> list[Point | Polygon]:
    """Where the figures stand that do not move, and the ground that vehicles stand on."""
    return [outline(one) if is_hull(one) else spot(one) for one in on_ground(table) if one.id not in moving]


def refused_walks(
    table: Table,
    side: Side,
    walks: Mapping[str, Walk],
    allowance: int | None,
    *,
    together: bool = True,
    carried: Sequence[str] = (),
) -> Refusal | None:
    """Why figures may not walk so (stargrunt.movement.moving-figures); whom they carry is not in their way."""
    for walk in walks.values():
        if any(isinstance(leg, Via) and leg.level for leg in walk.legs):
            return Refusal(FIGURES.id, "Figures stay on the ground.")
    all_ways = ways(table, walks, allowance)
    foes = [one for one in on_ground(table) if one.side != side]
    for way in all_ways:
        stop = stopped(way.trace)
        if stop is not None:
            return stop
        if over_edge(Disc(way.track.end.point, BASE.size // 2), table.ground):
            return Refusal(EDGES.id, f"{way.figure.label} would leave the table.")
        refusal = refused_leaving(table, way.figure, way.track)
        if refusal is not None:
            return refusal
        refusal = refused_by_enemies(way.figure, way.track, foes)
        if refusal is not None:
            return refusal
    ends = [way.track.end.point for way in all_ways]
    if crowded(ends, others(table, [*walks, *carried])):
        return Refusal(FIGURES.id, "Two bases would overlap.")
    began = in_integrity([spot(way.figure) for way in all_ways])
    if together and began and not in_integrity(ends):
        return Refusal(FIGURES.id, "The unit would end out of integrity.")
    return None


def refused_by_enemies(figure: Thing, track: Track, foes: Sequence[Thing]) -> Refusal | None:
    """Why a figure may not go a way past some enemies: through none of them, and not within an inch."""
    apart = FIGURES.inches("min_distance_to_enemy_in")
    passed = surely_passed(track, BASE, apart)
    for foe in foes if track.length else ():
        if passed(spot(foe), foe.base or BASE):
            continue
        if is_hull(foe):
            if runs_into(track, outline(foe)):
                return Refusal(FIGURES.id, f"{figure.label} cannot go through {foe.label}.")
        elif _too_near(figure, track, Disc(spot(foe), BASE.size // 2), apart):
            return Refusal(FIGURES.id, f"{figure.label} would come within {inches(apart)} of {foe.label}.")
    return None


def runs_into(track: Track, shape: Polygon) -> bool:
    """Whether a figure on its way would run into a vehicle."""
    met = meetings(track, BASE, [shape])
    return bool(met) and met[0].last is not None and met[0].last < track.length


def _too_near(figure: Thing, track: Track, foe: Disc, apart: int) -> bool:
    """Whether a way comes too near to an enemy; one who is too near already, after an assault, may go away from it."""
    last = keeps_clear(track, BASE, foe, apart)
    if last is None:
        return False
    here, there = (Disc(at, BASE.size // 2) for at in (spot(figure), track.end.point))
    if last >= 0 or gap_floor(there, foe) < gap_floor(here, foe):
        return True
    return any(met.last is not None and met.last < track.length for met in meetings(track, BASE, [foe]))


def walk(
    battle: Battle,
    walks: Mapping[str, Walk],
    allowance: int | None,
    why: Rule,
    *,
    manner: str = "own",
    carried: Sequence[str] = (),
    because: int = 0,
) -> None:
    """Let figures walk, each as far as its allowance goes; where bases would meet, all stop a little earlier."""
    all_ways = ways(battle.table, walks, allowance)
    reach = [way.trace.length if way.trace.stop is None else way.trace.stop.along for way in all_ways]
    still = others(battle.table, [*walks, *carried])
    while any(reach) and crowded([w.track.pose_at(r).point for w, r in zip(all_ways, reach, strict=True)], still):
        reach = [max(0, one - UNIT // 10) for one in reach]
    for way, gone in zip(all_ways, reach, strict=True):
        if not way.track.length:
            continue
        to = At(way.track.pose_at(gone).point)
        n = because
        if gone:
            done = way.track.walk if gone == way.track.length else way.track.cut(gone)[0]
            told = citing(COSTS, CLASSES, FIGURES, BASES)
            tread(battle, way.figure, done, because)
            n = battle.happens(
                Moved(
                    *(way.figure.id, way.figure.place, to),
                    walk=done,
                    manner=manner,
                    rule=why.id,
                    because=because,
                    detail=told,
                )
            )
        if gone < way.track.length:
            battle.happens(Halted(way.figure.id, gone, to, rule=why.id, because=n))


def note_left_behind(battle: Battle, unit: str) -> None:
    """Casualties that a unit has moved off from are left where they lie; one it is near again is with it again."""
    here = [spot(figure) for figure in standing(battle.table, unit)]
    link = INTEGRITY.inches("chain_in")
    for one in battle.table.members(unit):
        if not one.harm or not isinstance(one.place, At) or not here:
            continue
        near = any(center_gap(spot(one), at) <= link * link for at in here)
        if near == one.has(StateName.LEFT_BEHIND):
            give(battle, one.id, StateName.LEFT_BEHIND, INTEGRITY, None if near else 1)


# Which way is back -------------------------------------------------------------------------------------------------


def baseline(table: Table, side: Side) -> Edge:
    """The edge a side came from: its own choice, else opposite the other's; with none the first side's is the south."""
    for one in (side, *(other for other in table.sides if other != side)):
        thing = table.things.get(one)
        chosen = thing.value(StateName.BASELINE) if thing is not None else None
        if chosen:
            return Edge(str(chosen)) if one == side else Edge(str(chosen)).opposite
    return (Edge.SOUTH, Edge.NORTH)[table.sides.index(side) % 2]


def away_from_home(table: Table, side: Side) -> int:
    """The facing that leads straight away from a side's baseline, and in over it."""
    return baseline(table, side).inwards


def towards_home(table: Table, side: Side) -> int:
    """The facing that leads straight to a side's baseline."""
    return (away_from_home(table, side) + 180) % 360


def clock_direction(battle: Battle, side: Side, because: int = 0) -> tuple[int, int]:
    """Roll a random direction for a side (stargrunt.dice.clock-direction); gives the facing and the event."""
    score, n = plain_roll(battle, "direction", side, f"d{LADDER[-1]}", CLOCK, because=because)
    return clock_degrees(score, away_from_home(battle.table, side)), n


def from_baseline(table: Table, side: Side, at: Point) -> int:
    """How far a point is from a side's baseline."""
    return gap_to_edge(table.ground, baseline(table, side), (*at, *at))


def nearer_to_somebody(table: Table, side: Side, before: Sequence[Point], after: Sequence[Point]) -> bool:
    """Whether going from some places to others brings the centre of a unit nearer to a located enemy."""
    return any(gap_between(after, there) < gap_between(before, there) for there in located(table, side))


def way_out(table: Table, side: Side) -> Edge:
    """The edge over which a side's units may leave: its own baseline, or that of the side the scenario names."""
    thing = table.things.get(side)
    over = thing.value(StateName.LEAVES_OVER) if thing is not None else None
    return baseline(table, Side(str(over or side)))


def leave(battle: Battle, unit: str, how: str, why: Rule, because: int = 0) -> None:
    """The OK figures of a unit go from the table for good."""
    for one in [*standing(battle.table, unit)]:
        battle.happens(ModelLost(one.id, how, rule=why.id, because=because))


# Closing up -----------------------------------------------------------------------------------------------------------


def close_up(table: Table, unit: Thing) -> dict[str, Walk]:
    """Walks that bring stray figures back to the largest part of a unit that hangs together, or nearer to it."""
    figures = standing(table, unit.id)
    spots = [spot(one) for one in figures]
    link = INTEGRITY.inches("chain_in")
    core = max((_linked(at, spots, link) for at in spots), key=len)
    taken = [*others(table, [one.id for one in figures]), *core]
    walks: dict[str, Walk] = {}
    for one in figures:
        at = spot(one)
        if at in core:
            continue
        goal = min(core, key=lambda p: (center_gap(p, at), p))
        found = _free_beside(table, unit, one, goal, taken)
        if found is not None:
            walks[one.id] = Walk((Via(found),))
            taken.append(found)
            core = [*core, found]
        else:
            taken.append(at)
    return walks if refused_walks(table, unit.side, walks, base_mobility(unit), together=False) is None else {}


def _linked(start: Point, spots: Sequence[Point], link: int) -> list[Point]:
    found, left = [start], [p for p in spots if p != start]
    for at in found:
        near = [p for p in left if center_gap(at, p) <= link * link]
        left = [p for p in left if p not in near]
        found += near
    return found


def _free_beside(table: Table, unit: Thing, one: Thing, goal: Point, taken: Sequence[Point | Polygon]) -> Point | None:
    """The point nearest to a figure that is within a link of a goal, free, and within its move; on a half-inch grid."""
    link, step = INTEGRITY.inches("chain_in"), UNIT // 2
    at = spot(one)
    around = [
        Point(goal.x + x, goal.y + y)
        for x in range(-link, link + 1, step)
        for y in range(-link, link + 1, step)
        if x * x + y * y <= link * link
    ]
    for point in sorted(around, key=lambda p: (center_gap(p, at), p)):
        walks = {str(one.id): Walk((Via(point),))}
        if crowded([point], taken) or refused_walks(table, unit.side, walks, base_mobility(unit), together=False):
            continue
        return point
    return None
