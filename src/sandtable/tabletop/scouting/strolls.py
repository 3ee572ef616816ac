"""Strolls: where a model might go, guessed quickly over square inches; what is chosen is walked by the rules.

A ruleset says what an inch costs (`Strides`), how far one turns for nothing and how wide bases are about; the ways
around what bars them are looked for over a coarse mesh.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import isqrt
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, At, Leg, Point, Walk
from sandtable.engine.table import Ground, Piece, Thing
from sandtable.field.directions import SCALE, VECTORS, along
from sandtable.field.ground import chart
from sandtable.field.measure import gap_to_point
from sandtable.field.walking.courses import nearest_degree, signed
from sandtable.field.walking.paths import length_between

#: How wide the squares are that ways are looked for over, and how one steps from square to square.
_MESH = 4 * UNIT
_STEPS = tuple(
    (dx, dy, _MESH if dx == 0 or dy == 0 else _MESH * 1414 // 1000)
    for dx in (-1, 0, 1)
    for dy in (-1, 0, 1)
    if dx or dy
)
_NEVER = 1 << 60
#: How short a walk is not thought of.
_LEAST = UNIT // 2


class Strides(NamedTuple):
    """How models of a game walk, near enough for a guess."""

    cost: Callable[[Piece], int | None]  # what an inch through a piece of terrain costs; none where nobody may go
    passing: frozenset[str]  # kinds of terrain that come and go, and change too little to look at everything anew
    half: int  # half of a base
    under: int  # and with half a square inch: what lies under it somewhere there
    room: int  # how near the centre of another model a walk is not thought of
    most_turn: int  # how far one turns for nothing, in degrees


class Stroll(NamedTuple):
    """A walk that probably can be gone, and where it ends."""

    walk: Walk
    at: Point
    facing: int
    length: int


class _Ways:
    """The ways to a goal over squares that may be walked, found as far from the goal as somebody has asked."""

    def __init__(self, costs: dict[tuple[int, int], int], goal: tuple[int, int]) -> None:
        self._costs = costs
        self._best = {goal: 0}
        self._todo = [(0, goal)]

    def left(self, square: tuple[int, int]) -> int | None:
        """What the way from a square costs, or none where there is no way."""
        costs, best, todo = self._costs, self._best, self._todo
        while todo and best.get(square, _NEVER) > todo[0][0]:
            length, (x, y) = heappop(todo)
            if length > best[x, y]:
                continue
            for dx, dy, size in _STEPS:
                there = (x + dx, y + dy)
                cost = costs.get(there)
                if cost:
                    after = length + cost * size
                    if after < best.get(there, _NEVER):
                        best[there] = after
                        heappush(todo, (after, there))
        return best.get(square)


class Chartroom:
    """What a bot has found out about the ground of its battle: costs by square inches, and ways to places."""

    def __init__(self, strides: Strides) -> None:
        self.strides = strides
        self._terrain: tuple[Piece, ...] = ()
        self._costs: dict[tuple[int, int], int] = {}
        self._ways: dict[tuple[int, int], _Ways] = {}
        self._mesh: dict[tuple[int, int], int] = {}
        self._ground: Ground | None = None

    def open(self, ground: Ground) -> None:
        """Look at a ground from now on."""
        if ground is self._ground:
            return
        terrain = tuple(piece for piece in ground.pieces if piece.kind not in self.strides.passing)
        if terrain != self._terrain:
            self._terrain, self._costs, self._ways, self._mesh = terrain, {}, {}, {}
        self._ground = ground

    def cost(self, x: int, y: int) -> int:
        """About what an inch costs whose end is there; 0 where nobody may stand. Looked at by square inches."""
        cell = (x // UNIT, y // UNIT)
        found = self._costs.get(cell)
        if found is None:
            assert self._ground is not None
            found = self._costs[cell] = _cost_of_cell(self._ground, cell, self.strides)
        return found

    def way_left(self, at: Point, goal: Point) -> int:
        """About how much MV it takes from a point to a goal, in thousandths."""
        straight = self._straight(at, goal)
        if straight is not None:
            return straight
        cell = (goal.x // _MESH, goal.y // _MESH)
        ways = self._ways.get(cell)
        if ways is None:
            ways = self._ways[cell] = _Ways(self._mesh or self._meshed(), cell)
        left = ways.left((at.x // _MESH, at.y // _MESH))
        return 3 * length_between(at, goal) if left is None else left

    def _straight(self, at: Point, goal: Point) -> int | None:
        """What the straight way costs, or none where something bars it."""
        length = length_between(at, goal)
        steps = max(1, length // (2 * UNIT))
        dx, dy = goal.x - at.x, goal.y - at.y
        dear = 0
        for n in range(1, steps):
            cost = self.cost(at.x + dx * n // steps, at.y + dy * n // steps)
            if not cost:
                return None
            dear += cost - 1
        return length + dear * length // steps

    def _meshed(self) -> dict[tuple[int, int], int]:
        """What the squares of the mesh cost, looked at in the middle of each."""
        assert self._ground is not None
        wide, deep = self._ground.width // _MESH + 1, self._ground.height // _MESH + 1
        half = _MESH // 2
        self._mesh = {(x, y): self.cost(x * _MESH + half, y * _MESH + half) for x in range(wide) for y in range(deep)}
        return self._mesh


def _cost_of_cell(ground: Ground, cell: tuple[int, int], strides: Strides) -> int:
    half, under = strides.half, strides.under
    x, y = cell[0] * UNIT + UNIT // 2, cell[1] * UNIT + UNIT // 2
    if not (half <= x <= ground.width - half and half <= y <= ground.height - half):
        return 0
    dearest = 1
    for (west, north, east, south), piece in chart(ground).pieces:
        if west - under < x < east + under and north - under < y < south + under:
            cost = strides.cost(piece)
            if cost is not None and cost <= dearest:
                continue
            if gap_to_point(piece.outline, Point(x, y)) < (half if cost is None else under):
                if cost is None:
                    return 0
                dearest = cost
    return dearest


def stroll(room: Chartroom, others: Sequence[Point], model: Thing, degrees: int, mv: int, most: int) -> Stroll | None:
    """About how far a model gets in a direction with so much MV, at most so far; none where it gets nowhere.

    `others` are the centres of the models that may stand in the way.
    """
    turn = signed(degrees - model.facing)
    if abs(turn) > room.strides.most_turn or not isinstance(model.place, At):
        return None
    start = model.place.point
    dx, dy = VECTORS[degrees % 360]
    most = _clear(others, room.strides.room, start, dx, dy, most)
    if most < _LEAST:
        return None
    x, y = start
    spent, gone = 0, 0
    while gone < most:
        step = min(UNIT, most - gone)
        cost = room.cost(x + dx * (gone + step) // SCALE, y + dy * (gone + step) // SCALE)
        if not cost or spent + cost > mv:
            break
        spent += cost
        gone += step
    if gone < _LEAST:
        return None
    return Stroll(Walk((Leg(turn, gone),)), along(start, degrees, gone), degrees % 360, gone)


def _clear(others: Sequence[Point], room: int, start: Point, dx: int, dy: int, most: int) -> int:
    """How far one gets in a direction before a base is in the way, roughly."""
    for x, y in others:
        x, y = x - start.x, y - start.y
        ahead = (x * dx + y * dy) // SCALE
        if 0 < ahead < most + room:
            aside = (x * dy - y * dx) // SCALE
            if -room < aside < room:
                most = min(most, ahead - isqrt(room * room - aside * aside))
    return most


def length_of(walk: Walk) -> int:
    """How long a walk is.

    >>> length_of(Walk((Leg(90, 2000), Leg(0, -500))))
    2500
    """
    return sum(leg.length for leg in walk.legs if isinstance(leg, Leg))


def headings(towards: int, count: int) -> Iterator[int]:
    """Directions to look in: the one given first, then to both sides of it all around."""
    step = 360 // max(1, count)
    yield towards
    for n in range(1, count // 2 + 1):
        yield towards + n * step
        yield towards - n * step


def bearing_to(a: Point, b: Point) -> int:
    """The direction from one point to another, to the nearest degree."""
    return nearest_degree(b[0] - a[0], b[1] - a[1])
