"""How figures move in a close assault: into contact, straight back, or into the place that was left.

The ledger says where everybody goes; where nobody draws a way, or nobody may, it is the straight one there.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost, Moved, StateChanged
from sandtable.engine.ids import Side
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, At, Disc, Point, Polygon, Shape, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.ground import chart
from sandtable.field.measure import CONTACT, center_gap, inside
from sandtable.field.walking.encounters import meetings, over_edge
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.field.walking.spans import price_by_length
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt.confidence.levels import note_abandoned
from sandtable.rulesets.stargrunt.cover.building_sides import leaves_under_fire, refused_leaving
from sandtable.rulesets.stargrunt.cover.protection import LEAVING, OPEN, WOOD, centre_point, cover_at, sees
from sandtable.rulesets.stargrunt.movement.in_step import InStep, comes_nearer, way_to_cover
from sandtable.rulesets.stargrunt.movement.terrain_costs import rates
from sandtable.rulesets.stargrunt.movement.walking import (
    EDGES,
    FIGURES,
    base_mobility,
    crowded,
    from_baseline,
    note_left_behind,
    others,
    refused_by_enemies,
    towards_home,
)
from sandtable.rulesets.stargrunt.obstacles.treading import tread
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.crew_served import leave_weapon
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    ROUTED,
    at_worst,
    gap_between,
    mean,
    on_ground,
    spot,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import footprint

MOVE_IN = rule("stargrunt.close-assault.combat-move")
WITHDRAWAL = rule("stargrunt.close-assault.withdrawal-path")
VOLUNTARY = rule("stargrunt.close-assault.voluntary-withdrawal")
DEFENDER_TEST = rule("stargrunt.close-assault.defender-test")
ROUND_END = rule("stargrunt.close-assault.round-end-test")

#: How far from a defender's centre one stands who is in contact: bases touch, and never overlap.
TOUCHING = BASE.size + 2
#: The square of how far the centres of two figures in contact are apart at most.
CONTACT_REACH = (BASE.size + CONTACT) ** 2
#: What a withdrawal is measured by, besides the base move.
LEAST = DEFENDER_TEST.inches("withdraw_least_in")
#: Directions to fall back in by how far they are off the straight way home, and how far off units go for cover.
_WAYS = (0, *(side * turn for turn in range(15, 180, 15) for side in (1, -1)), 180)
_BESIDE = 60


def same_shelter(table: Table, one: str, other: str) -> bool:
    """Whether two units are in the same wood or building: each with a figure in it."""
    for _, piece in chart(table.ground).pieces:
        if piece.kind in WOOD or piece.kind == "building":
            if all(any(inside(piece.outline, spot(f)) for f in standing(table, unit)) for unit in (one, other)):
                return True
    return False


def in_contact(table: Table, attacker: str, defender: str) -> bool:
    """Whether any figure of a unit is in base contact with one of another."""
    mine, theirs = standing(table, attacker), standing(table, defender)
    return any(
        center_gap(spot(a), spot(b)) <= CONTACT_REACH
        for a in mine
        for b in theirs
        if not (a.has(StateName.DOWN) or b.has(StateName.DOWN))
    )


def _step(
    battle: Battle, one: Thing, to: Point, why: Rule, manner: str, because: int, walk: Walk | None = None
) -> None:
    if to != spot(one):
        gone = walk or Walk((Via(to),))
        tread(battle, one, gone, because)
        battle.happens(Moved(one.id, one.place, At(to), walk=gone, manner=manner, rule=why.id, because=because))


def straight(one: Thing, goal: Point) -> Track:
    """The straight way of a figure to a point."""
    return resolve(Pose(spot(one)), Walk((Via(goal),)))


def _reach(table: Table, one: Thing, track: Track, allowance: int, foes: Sequence[Shape]) -> int:
    """How far along a way a figure comes: within its allowance, through no enemy, and not out into fire."""
    if leaves_under_fire(table, track) is not None:
        return 0
    trace = price_by_length(track, table.ground, rates(table.ground, one, allowance))
    far = trace.length if trace.stop is None else trace.stop.along
    return max(0, min(far, _until_met(track, foes)))


def _until_met(track: Track, foes: Sequence[Shape]) -> int:
    """How far along a way a figure comes before it would run into an enemy."""
    return min([track.length, *(met.last for met in meetings(track, BASE, foes) if met.last is not None)])


def _farthest_free(table: Table, track: Track, far: int, taken: Sequence[Point | Polygon]) -> int:
    """How far along a way the farthest free place within a distance is."""
    far = min(far, track.length)
    while far > 0:
        at = track.pose_at(far).point
        if not crowded([at], taken) and not over_edge(Disc(at, BASE.size // 2), table.ground):
            return far
        far -= UNIT // 10
    return 0


def _nearest_free(table: Table, one: Thing, goal: Point, far: int, taken: Sequence[Point | Polygon]) -> Point:
    """The farthest free point within a distance along the straight way to a goal."""
    track = straight(one, goal)
    return track.pose_at(_farthest_free(table, track, far, taken)).point


def hostile(table: Table, side: Side) -> list[Shape]:
    """The ground that enemies stand on: nobody charges through them."""
    return [footprint(one) for one in on_ground(table) if one.side != side]


def refused_charge(
    table: Table, attacker: Thing, defender: str, walks: Mapping[str, Walk], allowance: int
) -> Refusal | None:
    """Why attackers may not charge so: a way that is drawn leads into contact with a defender."""
    foes, theirs = hostile(table, attacker.side), [spot(one) for one in standing(table, defender)]
    ends = []
    for name, walk in walks.items():
        if not walk.legs:
            continue
        one = table[name]
        if any(isinstance(leg, Via) and leg.level for leg in walk.legs):
            return Refusal(FIGURES.id, "Figures stay on the ground.")
        track = resolve(Pose(spot(one)), walk)
        trace = price_by_length(track, table.ground, rates(table.ground, one, allowance))
        met = _until_met(track, foes)
        if trace.stop is not None and trace.stop.along < met:
            return trace.stop.why
        refusal = refused_leaving(table, one, track)
        if refusal is not None:
            return refusal
        ends.append(track.pose_at(max(0, met)).point)
        if not any(center_gap(ends[-1], at) <= CONTACT_REACH for at in theirs):
            return Refusal(MOVE_IN.id, f"{one.label} charges: its way leads up to one of the defenders.")
        if over_edge(Disc(ends[-1], BASE.size // 2), table.ground):
            return Refusal(EDGES.id, f"{one.label} would leave the table.")
    if crowded(ends, others(table, [one.id for one in standing(table, attacker.id)])):
        return Refusal(FIGURES.id, "Two bases would overlap.")
    return None


class Rush(NamedTuple):
    """Where one of the attackers comes to stand, and the way there; none where it goes straight."""

    figure: Thing
    to: Point
    walk: Walk | None = None


def charging(
    table: Table, attacker: Thing, defender: str, allowance: int, walks: Mapping[str, Walk]
) -> tuple[list[Rush], Table]:
    """How a charge goes with such an allowance, and the table after it.

    All attackers within reach move into contact, the others as near as they can: first those whose ways are drawn,
    along these, then the nearest first.
    """
    table, found = table.copy(), list[Rush]()
    figures = standing(table, attacker.id)
    theirs = [spot(one) for one in standing(table, defender)]
    foes = hostile(table, attacker.side)
    drawn = [one for one in figures if walks.get(one.id, Walk()).legs]
    for one in drawn:
        track = resolve(Pose(spot(one)), walks[one.id])
        far = _farthest_free(table, track, _reach(table, one, track, allowance, foes), others(table, [one.id]))
        gone = track.walk if far == track.length else track.cut(far)[0]
        found.append(Rush(one, track.pose_at(far).point, gone))
        table.things[one.id] = replace(one, place=At(found[-1].to))
    rest = [one for one in figures if one not in drawn]
    for one in sorted(rest, key=lambda f: (min(center_gap(spot(f), p) for p in theirs), f.id)):
        taken = others(table, [one.id])
        at = _contact_point(table, one, theirs, allowance, foes, taken)
        if at is None:
            goal = min(theirs, key=lambda p: (center_gap(p, spot(one)), p))
            at = _nearest_free(table, one, goal, _reach(table, one, straight(one, goal), allowance, foes), taken)
        found.append(Rush(one, at))
        table.things[one.id] = replace(one, place=At(at))
    return found, table


def close_in(
    battle: Battle, attacker: Thing, defender: str, allowance: int, because: int, walks: Mapping[str, Walk]
) -> None:
    """The attackers charge, as far as the die has taken them."""
    for rush in charging(battle.table, attacker, defender, allowance, walks)[0]:
        _step(battle, battle.table[rush.figure.id], rush.to, MOVE_IN, "own", because, rush.walk)


def _contact_point(
    table: Table,
    one: Thing,
    theirs: Sequence[Point],
    allowance: int,
    foes: Sequence[Shape],
    taken: Sequence[Point | Polygon],
) -> Point | None:
    """The nearest free place in contact with a defender that a figure can reach."""
    slots = [along(there, degrees, TOUCHING) for there in theirs for degrees in range(0, 360, 30)]
    here = spot(one)
    for at in sorted(slots, key=lambda p: (center_gap(p, here), p)):
        if center_gap(at, here) > allowance * allowance:
            return None
        if crowded([at], taken) or over_edge(Disc(at, BASE.size // 2), table.ground):
            continue
        track = straight(one, at)
        if _reach(table, one, track, allowance, foes) >= track.length:
            return at
    return None


def advance(
    battle: Battle,
    attacker: Thing,
    place: Sequence[Point],
    allowance: int | None,
    because: int,
    why: Rule = VOLUNTARY,
) -> None:
    """A unit goes for the middle of a place, in step, as far as its roll takes it and there is room."""
    here = [spot(one) for one in standing(battle.table, attacker.id)]
    dx = sum(p.x for p in place) // len(place) - sum(p.x for p in here) // len(here)
    dy = sum(p.y for p in place) // len(place) - sum(p.y for p in here) // len(here)
    for share in range(20, 0, -1):
        if _shift(battle, attacker.id, dx * share // 20, dy * share // 20, why, "own", because, allowance):
            return


def _shift(
    battle: Battle, unit: str, dx: int, dy: int, why: Rule, manner: str, because: int, allowance: int | None
) -> bool:
    """Move all standing figures of a unit by a vector, if all may stand there; terrain counts where it is paid for."""
    table = battle.table
    figures = [one for one in standing(table, unit) if not one.has(StateName.DOWN)]
    ends = [Point(spot(one).x + dx, spot(one).y + dy) for one in figures]
    if any(over_edge(Disc(at, BASE.size // 2), table.ground) for at in ends):
        return False
    if crowded(ends, others(table, [one.id for one in figures])):
        return False
    if allowance is not None:
        foes = hostile(table, table[unit].side)
        for one, at in zip(figures, ends, strict=True):
            track = straight(one, at)
            if _reach(table, one, track, allowance, foes) < track.length:
                return False
    for one, at in zip(figures, ends, strict=True):
        _step(battle, one, at, why, manner, because)
    note_left_behind(battle, unit)
    return True


def withdraw(battle: Battle, unit: str, enemies: Sequence[str], *, farther: bool) -> bool:
    """A unit goes away from those it fought towards its baseline, into cover if it can; whether it could.

    stargrunt.close-assault.defender-test      6 inches or its base move, the greater
    stargrunt.close-assault.round-end-test     after a fight, the lesser
    stargrunt.close-assault.withdrawal-path    through nobody's base, and away from every enemy in the assault
    """
    leave_weapon(battle, unit)
    table, thing = battle.table, battle.table[unit]
    n = (
        battle.happens(StateChanged(unit, StateName.IN_POSITION, 1, None, rule=LEAVING.id))
        if thing.has(StateName.IN_POSITION)
        else 0
    )
    figures = [one for one in standing(table, unit) if not one.has(StateName.DOWN)]
    if not figures:
        return True
    far = max(LEAST, base_mobility(thing)) if farther else min(LEAST, base_mobility(thing))
    room = min(from_baseline(table, thing.side, spot(one)) for one in figures) - BASE.size // 2
    if at_worst(thing, ROUTED) and room <= 0:
        for one in figures:
            battle.happens(ModelLost(one.id, "left the table", rule=EDGES.id, because=n))
        return True
    to = _place_to_withdraw_to(table, InStep(table, thing, None, figures), enemies, far)
    if to is None:
        return False
    before, seen = [spot(one) for one in figures], [one for one in enemies if sees(table, unit, one)]
    for one, at in zip(figures, to, strict=True):
        _step(battle, one, at, WITHDRAWAL, "forced", n)
    gone_back(battle, unit, before, seen)
    return True


def gone_back(battle: Battle, unit: str, before: Sequence[Point], seen: Sequence[str]) -> None:
    """A unit has gone back from enemies it saw: casualties nearer to them than itself are abandoned."""
    note_left_behind(battle, unit)
    note_abandoned(battle, unit, before, seen)


def _place_to_withdraw_to(table: Table, body: InStep, enemies: Sequence[str], far: int) -> list[Point] | None:
    """Where the figures of a unit stand that has withdrawn: as far as it can, straight home or as near to it as can be.

    Somewhat beside the straight way where that ends in cover.
    """
    home = towards_home(table, body.unit.side)
    against = [[spot(one) for one in standing(table, enemy)] for enemy in enemies]
    for distance in [far, *range(far - UNIT, 0, -UNIT), UNIT // 2]:
        ends = {turn: along(body.at, (home + turn) % 360, distance) for turn in _WAYS}
        free = [turn for turn in _WAYS if _may_withdraw(table, body, ends[turn], [one for one in against if one])]
        if free:
            beside = [turn for turn in free if abs(turn) <= _BESIDE]
            source = centre_point(table, enemies[0])
            covered = (turn for turn in beside if cover_at(table.ground, body.moved(ends[turn]), source) > OPEN)
            return body.moved(ends[next(covered, free[0])])
    return None


def _may_withdraw(table: Table, body: InStep, to: Point, against: Sequence[Sequence[Point]]) -> bool:
    """Whether a unit may withdraw in step, with its middle coming to a point: away from each of some enemies.

    stargrunt.close-assault.withdrawal-path    what ground costs does not matter up to 6 inches
    """
    ends = body.moved(to)
    if any(over_edge(Disc(at, BASE.size // 2), table.ground) for at in ends):
        return False
    if crowded(ends, others(table, [one.id for one in body.figures])):
        return False
    x, y = mean(body.here)
    course = [(x, y), (x + to.x - body.at.x, y + to.y - body.at.y)]
    for there in against:
        if comes_nearer(course, mean(there)) or gap_between(ends, there) <= gap_between(body.here, there):
            return False
    foes = [one for one in on_ground(table) if one.side != body.unit.side]
    tracks = [straight(one, at) for one, at in zip(body.figures, ends, strict=True)]
    if any(refused_by_enemies(one, track, foes) for one, track in zip(body.figures, tracks, strict=True)):
        return False
    return all(_passable(table, one, track) for one, track in zip(body.figures, tracks, strict=True))


def _passable(table: Table, one: Thing, track: Track) -> bool:
    """Whether the ground lets a figure withdraw so: nothing impassable, and what lies beyond 6 inches is paid for."""
    if price_by_length(track, table.ground, rates(table.ground, one, None)).stop is not None:
        return False
    if track.length <= LEAST:
        return True
    beyond = replace(one, place=At(track.pose_at(LEAST).point))
    rest = straight(beyond, track.end.point)
    return price_by_length(rest, table.ground, rates(table.ground, beyond, track.length - LEAST)).stop is None


def go_back(battle: Battle, unit: str, begun: dict[str, Point], why: Rule, enemy: str) -> None:
    """The attackers go back to where they started, each as far as there is room."""
    figures = standing(battle.table, unit)
    before, seen = [spot(one) for one in figures], [enemy] if sees(battle.table, unit, enemy) else []
    for one in figures:
        goal = begun.get(one.id, spot(one))
        taken = others(battle.table, [one.id])
        track = straight(one, goal)
        far = _farthest_free(battle.table, track, _until_met(track, hostile(battle.table, one.side)), taken)
        _step(battle, one, track.pose_at(far).point, why, "forced", 0)
    gone_back(battle, unit, before, seen)


def to_cover(battle: Battle, unit: str, why: Rule, enemy: str) -> bool:
    """The attackers go to the nearest cover that is no nearer to an enemy, in step; whether there is any."""
    before = [spot(one) for one in standing(battle.table, unit)]
    seen = [enemy] if sees(battle.table, unit, enemy) else []
    walks = way_to_cover(battle.table, battle.table[unit], None)
    for name, walk in walks.items():
        one = battle.table[name]
        _step(battle, one, resolve(Pose(spot(one)), walk).end.point, why, "forced", 0, walk)
    gone_back(battle, unit, before, seen)
    return bool(walks)
