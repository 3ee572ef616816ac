"""Ways for tactics: where a model might go, guessed quickly; what is chosen is walked by the rules."""

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine.directions import along
from sandtable.engine.shapes import UNIT, Leg, Point, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.courses import nearest_degree, signed
from sandtable.field.ground import chart
from sandtable.field.measure import gap_to_point
from sandtable.field.paths import length_between
from sandtable.rulesets.quickstart.concepts import center
from sandtable.rulesets.quickstart.movement import FREE_TURN, going, terrain_cost, walker_rates

_COSTS = "_tactics_costs"
_WAYS = "_tactics_ways"
_MOST_TURN = FREE_TURN.number("max_degrees")
#: Half of a base, near enough for a guess.
_HALF = 750


class Stroll(NamedTuple):
    """A walk that probably can be gone, and where it ends."""

    walk: Walk
    at: Point
    facing: int
    length: int


def cost_near(ground: Ground, x: int, y: int) -> int:
    """About what an inch costs whose end is there; 0 where no Walker may stand. Looked at by square inches."""
    kept: dict[tuple[int, int], int] | None = ground.__dict__.get(_COSTS)
    if kept is None:
        kept = ground.__dict__[_COSTS] = {}
    cell = (x // UNIT, y // UNIT)
    found = kept.get(cell)
    if found is None:
        found = kept[cell] = _cost_of_cell(ground, cell)
    return found


def _cost_of_cell(ground: Ground, cell: tuple[int, int]) -> int:
    x, y = cell[0] * UNIT + UNIT // 2, cell[1] * UNIT + UNIT // 2
    if not (_HALF <= x <= ground.width - _HALF and _HALF <= y <= ground.height - _HALF):
        return 0
    dearest = 1
    for (west, north, east, south), piece in chart(ground).pieces:
        if west - _HALF < x < east + _HALF and north - _HALF < y < south + _HALF:
            cost = terrain_cost(piece)
            if cost == dearest or gap_to_point(piece.outline, Point(x, y)) >= _HALF:
                continue
            if cost is None:
                return 0
            dearest = max(dearest, cost)
    return dearest


def stroll(table: Table, model: Thing, degrees: int, mv: int, most: int) -> Stroll | None:
    """About how far a model gets in a direction with so much MV, at most so far; none where it gets nowhere."""
    start = center(model)
    turn = signed(degrees - model.facing)
    if abs(turn) > _MOST_TURN:
        return None
    spent, gone = 0, 0
    while gone < most:
        step = min(UNIT, most - gone)
        at = along(start, degrees, gone + step)
        cost = cost_near(table.ground, at.x, at.y)
        if not cost or spent + cost > mv:
            break
        spent += cost
        gone += step
    if gone < UNIT // 4:
        return None
    at = along(start, degrees, gone)
    for other in table.models():
        if other.id != model.id:
            x, y = center(other)
            if (x - at.x) ** 2 + (y - at.y) ** 2 < (2 * UNIT) ** 2:
                return None
    return Stroll(Walk((Leg(turn, gone),)), at, degrees % 360, gone)


def walked(table: Table, model: Thing, walk: Walk, lowered: int = 0) -> Walk | None:
    """A walk cut to what the rules allow, or none where that is nothing."""
    gone = going(table, model, walk, walker_rates(model, lowered=lowered))
    if gone.leaves:
        return None
    if gone.why is None and gone.reach >= gone.track.length:
        return walk
    if gone.reach <= 0:
        return None
    return gone.track.cut(gone.reach)[0]


def headings(model: Thing, towards: int, count: int) -> Iterator[int]:
    """Directions to look in: the one given first, then to both sides of it all around."""
    step = 360 // max(1, count)
    yield towards
    for n in range(1, count // 2 + 1):
        yield towards + n * step
        yield towards - n * step


def way_to(ground: Ground, goal: Point) -> dict[tuple[int, int], int]:
    """From every square inch the length of the way to a goal over ground that may be walked; kept with the ground."""
    ways: dict[tuple[int, int], dict[tuple[int, int], int]] | None = ground.__dict__.get(_WAYS)
    if ways is None:
        ways = ground.__dict__[_WAYS] = {}
    cell = (goal.x // (2 * UNIT), goal.y // (2 * UNIT))
    found = ways.get(cell)
    if found is None:
        found = ways[cell] = _flooded(ground, cell)
    return found


def _flooded(ground: Ground, goal: tuple[int, int]) -> dict[tuple[int, int], int]:
    best = {goal: 0}
    todo = [(0, goal)]
    side = 2 * UNIT
    while todo:
        length, (x, y) = heappop(todo)
        if length > best[x, y]:
            continue
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                there = (x + dx, y + dy)
                cost = cost_near(ground, there[0] * side + UNIT, there[1] * side + UNIT)
                if not cost:
                    continue
                after = length + cost * (2000 if dx == 0 or dy == 0 else 2828)
                if after < best.get(there, 1 << 60):
                    best[there] = after
                    heappush(todo, (after, there))
    return best


def way_left(ground: Ground, at: Point, goal: Point) -> int:
    """About how much MV it takes from a point to a goal, in thousandths."""
    found = way_to(ground, goal).get((at.x // (2 * UNIT), at.y // (2 * UNIT)))
    straight = length_between(at, goal)
    if straight < 4 * UNIT:
        return straight
    return found if found is not None else 3 * straight


def bearing_to(a: Point, b: Point) -> int:
    """The direction from one point to another, to the nearest degree."""
    return nearest_degree(b[0] - a[0], b[1] - a[1])
