"""The survey: one model, many poses it might take, everything about each of them in one call.

For each pose and each other model: the gap, the arcs both ways, and which objects the sight line crosses, as a mask;
for each pose and each other model alone: what is near, what holds the centre, how high the ground is. A ruleset
combines these into cover, a bot into a plan. A single verdict is a survey of one pose: `sandtable.field.sight`.

Objects are numbered, and bit n of a mask is object n: first the pieces of the ground in their order, then the
contours of all hills (`Terrain.features` lists both), then the other models in the order given.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from sandtable.engine.shapes import UNIT, At, Base, Point, Shape
from sandtable.engine.table import Contour, Ground, Piece, Table, Thing
from sandtable.field import _kernel
from sandtable.field.ground import following_from_ground
from sandtable.field.measure import FLAT_VECTORS
from sandtable.field.outlines import base_core, core_of

#: Arcs are bits of one machine word.
MOST_ARCS = 60
#: So many footings of one base are kept with a ground.
MOST_FOOTINGS = 4096

_CROWD = "crowd"
_NOTHING = array("q")
_ZERO = array("q", [0])


class Standing(msgspec.Struct, frozen=True, gc=False):
    """A model as others see it: what it stands on, where, and which way it faces. Without a base it is a point."""

    id: str
    base: Base | None
    at: Point
    facing: int = 0


def standing(thing: Thing) -> Standing:
    """How a thing stands on the table.

    >>> standing(Thing("A", base=Base("hexagon", 1500), place=At(Point(0, 0)), facing=90)).facing
    90
    """
    if not isinstance(thing.place, At):
        raise ValueError(f"{thing.id} does not stand on the table; ask `thing.on_table` first")
    return Standing(thing.id, thing.base, thing.place.point, thing.facing)


def crowd(table: Table) -> dict[str, Standing]:
    """How all models on the table stand, by id, in the order they came; kept until one of them stirs.

    >>> model = Thing("A", base=Base("hexagon", 1500), place=At(Point(0, 0)))
    >>> list(crowd(Table(Ground(9000, 9000), ("red",), {"A": model})))
    ['A']
    """
    found: dict[str, Standing] | None = table.posture.get(_CROWD)
    if found is None:
        found = table.posture[_CROWD] = {thing.id: standing(thing) for thing in table.standing()}
    return found


class Feature(msgspec.Struct, frozen=True, gc=False):
    """Something of the terrain that a line may cross: a piece, or one contour of a hill."""

    piece: Piece
    contour: Contour | None = None
    index: int = -1  # of the contour among those of its piece

    @property
    def outline(self) -> Shape:
        """The outline that is crossed."""
        return self.piece.outline if self.contour is None else self.contour.outline


class Footing(NamedTuple):
    """A base on its ground: the ground's level under its centre, the features that hold the centre, those near."""

    core: _kernel.Core
    level: int
    inside: int
    near: int


class Terrain:
    """The terrain of a ground made ready for the kernel, once. Footings are kept with it."""

    def __init__(self, ground: Ground) -> None:
        pieces = [Feature(piece) for piece in ground.pieces]
        contours = [Feature(p, contour, i) for p in ground.pieces for i, contour in enumerate(p.contours)]
        self.features: tuple[Feature, ...] = (*pieces, *contours)
        self.piece_count = len(pieces)
        self._cores = [core_of(feature.outline) for feature in self.features]
        levels = array("q", [feature.contour.level for feature in contours if feature.contour is not None])
        self.scene = _kernel.Scene(self._cores, len(pieces), levels, self._relations())
        self._bytes = (len(self.features) + 7) // 8
        self._footings: dict[tuple[Base | None, int], dict[tuple[Point, int], Footing]] = {}

    def _relations(self) -> "array[int]":
        """Of each piece and each contour: piece within contour 1, contour within piece 2, overlapping 3, apart 0."""
        pieces, contours = self._cores[: self.piece_count], self._cores[self.piece_count :]
        found = array("q")
        for piece in pieces:
            for contour in contours:
                if not _kernel.overlap(piece, contour):
                    found.append(0)
                elif _kernel.covers(contour, piece):
                    found.append(1)
                else:
                    found.append(2 if _kernel.covers(piece, contour) else 3)
        return found

    def footings(self, base: Base | None, near: int) -> "dict[tuple[Point, int], Footing]":
        """The footings of one base that are known, by point and facing; asked for once for many poses."""
        row = self._footings.setdefault((base, near), {})
        if len(row) >= MOST_FOOTINGS:
            row.clear()
        return row

    def footing(self, base: Base | None, at: Point, facing: int, near: int) -> Footing:
        """How a base stands on this ground; one that was looked at is in `footings`."""
        core = base_core(base, at, facing)
        inside, close = bytearray(self._bytes), bytearray(self._bytes)
        level = _kernel.footing(self.scene, core, at[0], at[1], near, inside, close, 0)
        return Footing(core, level, int.from_bytes(inside, "little"), int.from_bytes(close, "little"))


@following_from_ground
def terrain_of(ground: Ground) -> Terrain:
    """The terrain of a ground."""
    return Terrain(ground)


class Survey:
    """What a survey found. Poses and others are named by their place in the sequences given.

    `footings` and `other_footings` tell of each pose and each other model the level of the ground under its centre,
    the features that hold its centre and the features near it. `near` and `other_near` have the other models too.
    """

    def __init__(
        self, terrain: Terrain, footings: list[Footing], others: list[Footing], targets: int, near: int
    ) -> None:
        self.features = terrain.features
        self.footings = footings
        self.other_footings = others
        self._other_cores = [footing.core for footing in others]
        self.targets = targets
        self.pieces = terrain.piece_count
        self._near = near
        rows = len(footings) * targets
        self._stride = (len(terrain.features) + len(others) + 7) // 8
        self.gaps = _ZERO * rows
        self.squares = _ZERO * rows
        self.lines = _ZERO * (4 * rows)
        self._mine = _ZERO * rows
        self._theirs = _ZERO * rows
        self._crossed = bytearray(self._stride * rows)
        on_hills = len(terrain.features) > terrain.piece_count
        self._heights = _ZERO * (rows * terrain.piece_count) if on_hills else _NOTHING

    def look(
        self, terrain: Terrain, facings: Sequence[int], other_facings: Sequence[int], arcs: Sequence[tuple[int, int]]
    ) -> None:
        """Have the kernel fill in everything about every line."""
        _kernel.look(
            terrain.scene,
            [footing.core for footing in self.footings],
            array("q", facings),
            self._other_cores,
            array("q", other_facings),
            self.targets,
            _flat(tuple(arcs)),
            len(arcs),
            FLAT_VECTORS,
            self._stride,
            self.gaps,
            self.squares,
            self.lines,
            self._mine,
            self._theirs,
            self._crossed,
            self._heights,
        )

    def gap(self, pose: int, other: int) -> int:
        """The gap between the bases, rounded up; -1 where they would overlap."""
        return self.gaps[pose * self.targets + other]

    def square(self, pose: int, other: int) -> int:
        """The squared distance from centre to centre."""
        return self.squares[pose * self.targets + other]

    def in_my_arcs(self, pose: int, other: int) -> int:
        """In which of the arcs asked about the other's centre lies, as a mask."""
        return self._mine[pose * self.targets + other]

    def in_their_arcs(self, pose: int, other: int) -> int:
        """In which of the other's arcs the centre of the pose lies, as a mask."""
        return self._theirs[pose * self.targets + other]

    def line(self, pose: int, other: int) -> tuple[Point, Point]:
        """The sight line, from the pose to the other."""
        px, py, qx, qy = self.lines[4 * (pose * self.targets + other) : 4 * (pose * self.targets + other) + 4]
        return Point(px, py), Point(qx, qy)

    def crossed(self, pose: int, other: int) -> int:
        """The objects whose interior the sight line crosses, as a mask; the two bases themselves never are."""
        start = self._stride * (pose * self.targets + other)
        return int.from_bytes(self._crossed[start : start + self._stride], "little")

    def height(self, pose: int, other: int, piece: int) -> int:
        """The highest ground under the part of a piece that the sight line crosses; 0 where it crosses none of it."""
        if not self._heights:
            return 0
        return self._heights[(pose * self.targets + other) * self.pieces + piece]

    def near(self, pose: int) -> int:
        """The objects near a pose, as a mask."""
        found = _kernel.neighbours(self.footings[pose].core, self._other_cores, -1, self._near)
        return self.footings[pose].near | found << len(self.features)

    def other_near(self, other: int) -> int:
        """The objects near another model, as a mask; the surveyed model is no object."""
        found = _kernel.neighbours(self.other_footings[other].core, self._other_cores, other, self._near)
        return self.other_footings[other].near | found << len(self.features)


def survey(
    ground: Ground,
    base: Base | None,
    poses: Sequence[tuple[Point, int]],
    others: Sequence[Standing],
    arcs: Sequence[tuple[int, int]] = (),
    near: int = UNIT,
    targets: int | None = None,
) -> Survey:
    """Everything about one model in many poses (point and facing) against all other models and the terrain.

    Arcs run clockwise between two bearings relative to the facing, at most `MOST_ARCS` of them. `targets` says how
    many of the others, from the first, lines are drawn to (all, if nothing is said); the rest only stand in the way.

    >>> from sandtable.engine.shapes import rectangle
    >>> ground = Ground(48000, 48000, (Piece("wood", "woods", rectangle(9000, 9000, 4000, 4000)),))
    >>> found = survey(ground, Base("hexagon", 1500), [(Point(5000, 11000), 0), (Point(5000, 2000), 0)],
    ...     [Standing("B", Base("hexagon", 1500), Point(20000, 11000), 180)], arcs=[(-45, 45)])
    >>> found.gap(0, 0), found.crossed(0, 0), found.crossed(1, 0), found.in_my_arcs(0, 0), found.in_their_arcs(0, 0)
    (13500, 1, 0, 1, 1)
    """
    if len(arcs) > MOST_ARCS:
        raise ValueError(f"{len(arcs)} arcs; a survey answers for at most {MOST_ARCS}")
    terrain = terrain_of(ground)
    mine = footings(terrain, near, [Standing("", base, at, facing) for at, facing in poses])
    theirs = footings(terrain, near, others)
    found = Survey(terrain, mine, theirs, len(others) if targets is None else targets, near)
    found.look(terrain, [facing for _, facing in poses], [other.facing for other in others], arcs)
    return found


def footings(terrain: Terrain, near: int, others: Iterable[Standing]) -> list[Footing]:
    """How some models stand on their ground, those that are known looked up; models mostly share one base."""
    found: list[Footing] = []
    known: dict[tuple[Point, int], Footing] = {}
    last: Base | str | None = ""
    for other in others:
        base, stance = other.base, (other.at, other.facing)
        if base is not last:
            known, last = terrain.footings(base, near), base
        footing = known.get(stance)
        if footing is None:
            footing = known[stance] = terrain.footing(base, other.at, other.facing % 360, near)
        found.append(footing)
    return found


@lru_cache(maxsize=64)
def _flat(arcs: tuple[tuple[int, int], ...]) -> "array[int]":
    return array("q", [part for arc in arcs for part in arc])
