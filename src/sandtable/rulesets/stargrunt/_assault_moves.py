"""How figures move in a close assault: straight into contact, straight back, or into the place that was left.

Nobody draws these paths: the ledger says where everybody goes, and the program takes the straight way there.
"""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.directions import along
from sandtable.engine.events import ModelLost, Moved, StateChanged
from sandtable.engine.shapes import UNIT, At, Disc, Point, Polygon, Shape, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.encounters import meetings, over_edge
from sandtable.field.ground import chart
from sandtable.field.measure import CONTACT, center_gap, inside, nearest_points
from sandtable.field.paths import Pose, resolve
from sandtable.field.spans import price_by_length
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt._crew_served import leave_weapon
from sandtable.rulesets.stargrunt._hulls import footprint
from sandtable.rulesets.stargrunt.cover import GIVES, LEAVING, OPEN, WOOD, centre_point, cover_at
from sandtable.rulesets.stargrunt.movement import (
    EDGES,
    base_mobility,
    crowded,
    from_baseline,
    note_left_behind,
    others,
    rates,
    towards_home,
)
from sandtable.rulesets.stargrunt.units import BASE, ROUTED, at_worst, on_ground, spot, standing

MOVE_IN = rule("stargrunt.close-assault.combat-move")
WITHDRAWAL = rule("stargrunt.close-assault.withdrawal-path")
VOLUNTARY = rule("stargrunt.close-assault.voluntary-withdrawal")
DEFENDER_TEST = rule("stargrunt.close-assault.defender-test")
ROUND_END = rule("stargrunt.close-assault.round-end-test")

#: How far from a defender's centre one stands who is in contact: bases touch, and never overlap.
TOUCHING = BASE.size + 2
#: What a withdrawal is measured by, besides the base move.
LEAST = DEFENDER_TEST.inches("withdraw_least_in")
#: Directions to fall back in, straight home first.
_WAYS = (0, 15, -15, 30, -30, 45, -45, 60, -60)


def same_shelter(table: Table, one: str, other: str) -> bool:
    """Whether two units are in the same wood or building: each with a figure in it."""
    for _, piece in chart(table.ground).pieces:
        if piece.kind in WOOD or piece.kind == "building":
            if all(any(inside(piece.outline, spot(f)) for f in standing(table, unit)) for unit in (one, other)):
                return True
    return False


def in_contact(table: Table, attacker: str, defender: str) -> bool:
    """Whether any figure of a unit is in base contact with one of another."""
    reach = (BASE.size + CONTACT) ** 2
    mine, theirs = standing(table, attacker), standing(table, defender)
    return any(
        center_gap(spot(a), spot(b)) <= reach for a in mine for b in theirs if not (a.has("down") or b.has("down"))
    )


def _step(battle: Battle, one: Thing, to: Point, why: Rule, manner: str, because: int) -> None:
    if to != spot(one):
        walk = Walk((Via(to),))
        battle.happens(Moved(one.id, one.place, At(to), walk=walk, manner=manner, rule=why.id, because=because))


def _reach(table: Table, one: Thing, goal: Point, allowance: int, foes: Sequence[Shape]) -> int:
    """How far along the straight way to a point a figure comes: within its allowance, and not through an enemy."""
    track = resolve(Pose(spot(one)), Walk((Via(goal),)))
    trace = price_by_length(track, table.ground, rates(table.ground, one, allowance))
    far = trace.length if trace.stop is None else trace.stop.along
    for met in meetings(track, BASE, foes):
        if met.last is not None:
            far = min(far, met.last)
    return max(0, far)


def _nearest_free(table: Table, one: Thing, goal: Point, far: int, taken: Sequence[Point | Polygon]) -> Point:
    """The farthest free point within a distance along the way to a goal."""
    track = resolve(Pose(spot(one)), Walk((Via(goal),)))
    while far > 0:
        at = track.pose_at(min(far, track.length)).point
        if not crowded([at], taken) and not over_edge(Disc(at, BASE.size // 2), table.ground):
            return at
        far -= UNIT // 10
    return spot(one)


def close_in(battle: Battle, attacker: Thing, defender: str, allowance: int, because: int) -> None:
    """All attackers within reach move into contact, the others as near as they can, the nearest first."""
    table = battle.table
    figures = standing(table, attacker.id)
    theirs = [spot(one) for one in standing(table, defender)]
    foes = [footprint(one) for one in on_ground(table) if one.side != attacker.side]
    for one in sorted(figures, key=lambda f: (min(center_gap(spot(f), p) for p in theirs), f.id)):
        taken = others(table, [one.id])
        at = _contact_point(table, one, theirs, allowance, foes, taken)
        if at is None:
            goal = min(theirs, key=lambda p: (center_gap(p, spot(one)), p))
            at = _nearest_free(table, one, goal, _reach(table, one, goal, allowance, foes), taken)
        _step(battle, one, at, MOVE_IN, "own", because)


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
        track = resolve(Pose(here), Walk((Via(at),)))
        if _reach(table, one, at, allowance, foes) >= track.length:
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
    figures = [one for one in standing(table, unit) if not one.has("down")]
    ends = [Point(spot(one).x + dx, spot(one).y + dy) for one in figures]
    if any(over_edge(Disc(at, BASE.size // 2), table.ground) for at in ends):
        return False
    if crowded(ends, others(table, [one.id for one in figures])):
        return False
    if allowance is not None:
        foes = [footprint(one) for one in on_ground(table) if one.side != table[unit].side]
        for one, at in zip(figures, ends, strict=True):
            if _reach(table, one, at, allowance, foes) < resolve(Pose(spot(one)), Walk((Via(at),))).length:
                return False
    for one, at in zip(figures, ends, strict=True):
        _step(battle, one, at, why, manner, because)
    note_left_behind(battle, unit)
    return True


def withdraw(battle: Battle, unit: str, enemy: str, *, farther: bool) -> bool:
    """A unit goes away from the enemy towards its baseline, into cover if it can; whether it could.

    stargrunt.close-assault.defender-test      6 inches or its base move, the greater
    stargrunt.close-assault.round-end-test     after a fight, the lesser
    stargrunt.close-assault.withdrawal-path    terrain does not matter up to 6 inches
    """
    leave_weapon(battle, unit)
    table, thing = battle.table, battle.table[unit]
    n = battle.happens(StateChanged(unit, "in position", 1, None, rule=LEAVING.id)) if thing.has("in position") else 0
    figures = [one for one in standing(table, unit) if not one.has("down")]
    if not figures:
        return True
    far = max(LEAST, base_mobility(thing)) if farther else min(LEAST, base_mobility(thing))
    room = min(from_baseline(table, thing.side, spot(one)) for one in figures) - BASE.size // 2
    if at_worst(thing, ROUTED) and room <= 0:
        for one in figures:
            battle.happens(ModelLost(one.id, "left the table", rule=EDGES.id, because=n))
        return True
    home = towards_home(table, thing.side)
    source = centre_point(table, enemy)
    here = [spot(one) for one in figures]
    for distance in [far, *range(far - UNIT, 0, -UNIT), UNIT // 2]:
        tries = [_vector(home + turn, distance) for turn in _WAYS]
        tries = [vector for vector in tries if _free(table, figures, vector)]
        if tries:
            best = next((v for v in tries if cover_at(table.ground, _moved(here, v), source) > OPEN), tries[0])
            for one, at in zip(figures, _moved(here, best), strict=True):
                _step(battle, one, at, WITHDRAWAL, "forced", n)
            note_left_behind(battle, unit)
            return True
    return False


def _vector(degrees: int, distance: int) -> tuple[int, int]:
    at = along(Point(0, 0), degrees % 360, distance)
    return at.x, at.y


def _moved(here: Sequence[Point], vector: tuple[int, int]) -> list[Point]:
    return [Point(p.x + vector[0], p.y + vector[1]) for p in here]


def _free(table: Table, figures: Sequence[Thing], vector: tuple[int, int]) -> bool:
    ends = _moved([spot(one) for one in figures], vector)
    if any(over_edge(Disc(at, BASE.size // 2), table.ground) for at in ends):
        return False
    return not crowded(ends, others(table, [one.id for one in figures]))


def go_back(battle: Battle, unit: str, begun: dict[str, Point], why: Rule) -> None:
    """The attackers go back to where they started, each as far as there is room."""
    figures = standing(battle.table, unit)
    for one in figures:
        goal = begun.get(one.id, spot(one))
        taken = others(battle.table, [one.id])
        length = resolve(Pose(spot(one)), Walk((Via(goal),))).length
        _step(battle, one, _nearest_free(battle.table, one, goal, length, taken), why, "forced", 0)
    note_left_behind(battle, unit)


def to_cover(battle: Battle, unit: str, why: Rule) -> None:
    """The attackers go to the nearest cover, in step; they stay where there is none or no room."""
    table = battle.table
    here = [spot(one) for one in standing(table, unit)]
    at = Point(sum(p.x for p in here) // len(here), sum(p.y for p in here) // len(here))
    found = []
    for _, piece in chart(table.ground).pieces:
        if GIVES.get(piece.kind, OPEN) > OPEN:
            near = nearest_points(Disc(at, 0), piece.outline)[1]
            found.append((center_gap(near, at), near.x - at.x, near.y - at.y))
    if not found:
        return
    _, dx, dy = min(found)
    for share in range(20, 0, -1):
        if _shift(battle, unit, dx * share // 20, dy * share // 20, why, "forced", 0, None):
            return
