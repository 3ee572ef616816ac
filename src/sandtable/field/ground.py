"""What lies under a point, a base or a path: levels, pieces, roads, joined features, bridges.

A piece holds a point when the point is strictly inside its outline, and a base is in a piece when their interiors
share a point: exactly touching a border from outside is not yet being in it. A road is the exception: a centre exactly
on its border is on the road. What is computed from a ground is kept with it, for grounds never change.
"""

from array import array
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import msgspec

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.engine.table import Contour, Ground, Piece
from sandtable.field import _kernel_points
from sandtable.field.chords import Interval, chords, merged
from sandtable.field.measure import gap, inside, on_or_inside, overlap
from sandtable.field.outlines import TableTooLarge

T = TypeVar("T")
#: West, north, east, south.
Box = tuple[int, int, int, int]

#: So many points are kept with a ground, with the pieces that hold each of them.
MOST_POINTS = 4096

_HELD = "_held"


class Crossing(NamedTuple):
    """A centre crosses a contour: where along its path, of which piece, between which level and the one below.

    Upwards, `along` is the last whole distance at which it is not yet inside; downwards the first at which it is
    outside again. So a contour reached exactly at the end of an inch is climbed in the next one.
    """

    along: int
    up: bool
    level: int
    piece: str
    cliff: bool


class Chart(msgspec.Struct, frozen=True, gc=False):
    """A ground made ready: each piece with its box, and all contours with theirs, highest first."""

    pieces: tuple[tuple[Box, Piece], ...]
    contours: tuple[tuple[Box, Contour, str], ...]
    boxes: Any  # those of the pieces, as the kernel reads them


def box_of(shape: Shape) -> Box:
    """The upright rectangle around a shape.

    >>> box_of(Disc(Point(1000, 1000), 500))
    (500, 500, 1500, 1500)
    """
    if isinstance(shape, Disc):
        (x, y), r = shape.center, shape.radius
        return x - r, y - r, x + r, y + r
    return _box_of_points(shape)


@lru_cache(maxsize=4096)
def _box_of_points(shape: Polygon | Band) -> Box:
    xs, ys = [p[0] for p in shape.points], [p[1] for p in shape.points]
    r = (shape.width + 1) // 2 if isinstance(shape, Band) else 0
    return min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r


def boxes_meet(one: Box, other: Box, within: int = 0) -> bool:
    """Whether two boxes come within a distance of each other in x and in y: a cheap test before an exact one.

    >>> boxes_meet((0, 0, 10, 10), (12, 0, 20, 10)), boxes_meet((0, 0, 10, 10), (12, 0, 20, 10), within=2)
    (False, True)
    """
    return (
        one[0] <= other[2] + within
        and other[0] <= one[2] + within
        and one[1] <= other[3] + within
        and other[1] <= one[3] + within
    )


def following_from_ground(make: Callable[[Ground], T]) -> Callable[[Ground], T]:
    """A function of a ground alone whose result is kept with the ground, which never changes."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(ground: Ground) -> T:
        known = ground.__dict__
        if name not in known:
            known[name] = make(ground)
        found: T = known[name]
        return found

    return kept


@following_from_ground
def chart(ground: Ground) -> Chart:
    """The chart of a ground."""
    contours = [(box_of(contour.outline), contour, piece.id) for piece in ground.pieces for contour in piece.contours]
    contours.sort(key=lambda entry: -entry[1].level)
    pieces = tuple((box_of(piece.outline), piece) for piece in ground.pieces)
    try:
        edges = array("q", [edge for box, _ in pieces for edge in box])
    except OverflowError:  # in an edited journal only: whatever is laid is checked before
        raise TableTooLarge("a piece lies beyond every table") from None
    return Chart(pieces, tuple(contours), edges)


def level_at(ground: Ground, point: Point) -> int:
    """The level of the ground under a point: the highest contour that holds it strictly inside, else 0.

    >>> from sandtable.engine.shapes import rectangle
    >>> hill = Piece("h", "hill", Disc(Point(0, 0), 3000), contours=(Contour(1, Disc(Point(0, 0), 3000)),))
    >>> level_at(Ground(9000, 9000, (hill,)), Point(2999, 0)), level_at(Ground(9000, 9000, (hill,)), Point(3000, 0))
    (1, 0)
    """
    x, y = point
    for (west, north, east, south), contour, _ in chart(ground).contours:
        if west < x < east and north < y < south and inside(contour.outline, point):
            return contour.level
    return 0


def pieces_at(ground: Ground, point: Point) -> tuple[Piece, ...]:
    """The pieces a point is in, in the order of the ground; kept, for models stay where they are for a while."""
    known: dict[Point, tuple[Piece, ...]] = ground.__dict__.setdefault(_HELD, {})
    found = known.get(point)
    if found is None:
        if len(known) >= MOST_POINTS:
            known.clear()
        x, y = point
        found = known[point] = tuple(
            [
                piece
                for (west, north, east, south), piece in chart(ground).pieces
                if west < x < east and north < y < south and inside(piece.outline, point)
            ]
        )
    return found


def pieces_near(ground: Ground, box: Box, within: int = 0) -> tuple[Piece, ...]:
    """The pieces whose boxes come within a distance of a box: those worth an exact look."""
    known = chart(ground)
    return tuple([known.pieces[n][1] for n in _kernel_points.boxes_near(known.boxes, *box, within)])


def pieces_under(ground: Ground, shape: Shape) -> tuple[Piece, ...]:
    """The pieces whose interior a shape (a base, what a base passes over) shares, in the order of the ground."""
    return tuple(piece for piece in pieces_near(ground, box_of(shape)) if overlap(shape, piece.outline))


def on_way(piece: Piece, point: Point) -> bool:
    """Whether a centre is on a road, border included.

    >>> on_way(Piece("r", "road", Band((Point(0, 0), Point(9000, 0)), 2000)), Point(4000, 1000))
    True
    """
    return on_or_inside(piece.outline, point)


def depth_of(piece: Piece) -> int:
    """How deep a piece of water is, by its trait; 0 where none is given.

    >>> depth_of(Piece("w", "water", Disc(Point(0, 0), 3000), traits={"depth": 2}))
    2
    """
    depth = piece.traits.get("depth", 0)
    return depth if isinstance(depth, int) else int(depth)


def features(
    pieces: Iterable[Piece], alike: Callable[[Piece], object] = lambda piece: piece.kind
) -> tuple[tuple[Piece, ...], ...]:
    """Pieces grouped into features: those alike (of one kind) that touch or overlap, also by way of others, are one.

    Features stand in the order of their first piece, and pieces in each in the order given.

    >>> def wood(name, x): return Piece(name, "wood", Disc(Point(x, 0), 1000))
    >>> [[p.id for p in f] for f in features([wood("a", 0), wood("b", 4000), wood("c", 2000), wood("d", 9000)])]
    [['a', 'b', 'c'], ['d']]
    """
    order = list(pieces)
    boxes = [box_of(piece.outline) for piece in order]
    groups_of: dict[object, list[list[int]]] = {}  # only pieces of one sort are ever joined
    for i, piece in enumerate(order):
        groups = groups_of.setdefault(alike(piece), [])
        west, north, east, south = boxes[i]
        # A cheap look before the exact one, written out, for every wreck makes a new ground.
        near = [
            j
            for group in groups
            for j in group
            if west <= boxes[j][2] and boxes[j][0] <= east and north <= boxes[j][3] and boxes[j][1] <= south
        ]
        touched = [j for j in near if gap(piece.outline, order[j].outline) <= 0]
        if touched:
            joined = [group for group in groups if any(j in group for j in touched)]
            whole = sorted([i, *(j for group in joined for j in group)])
            groups[:] = [group for group in groups if group not in joined]
            groups.append(whole)
        else:
            groups.append([i])
    return tuple(tuple(order[i] for i in group) for group in sorted(chain(*groups_of.values())))


def bridges(
    ground: Ground, way: Callable[[Piece], bool], over: Callable[[Piece], bool]
) -> tuple[tuple[Piece, Piece], ...]:
    """Where a way carries over something: each way with each piece it overlaps, in the order of the ground."""
    ways = [piece for piece in ground.pieces if way(piece)]
    below = [piece for piece in ground.pieces if over(piece)]
    return tuple((a, b) for a in ways for b in below if a is not b and a.id != b.id and overlap(a.outline, b.outline))


def on_bridge(
    ground: Ground, point: Point, way: Callable[[Piece], bool], over: Callable[[Piece], bool]
) -> Piece | None:
    """The way that carries a centre over something here: on the way, and in what lies below it; or none."""
    if not any(over(piece) for piece in pieces_at(ground, point)):
        return None
    x, y = point
    for (west, north, east, south), piece in chart(ground).pieces:
        if west <= x <= east and north <= y <= south and way(piece) and on_way(piece, point):
            return piece
    return None


def crossings(ground: Ground, a: Point, b: Point, length: int) -> tuple[Crossing, ...]:
    """The contours that a centre going straight from `a` to `b` crosses, in the order it meets them.

    A climb comes before a descent at the same distance; along a border nothing is crossed.
    """
    path: Box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    found: list[Crossing] = []
    for around, contour, piece_id in chart(ground).contours:
        if not boxes_meet(around, path):
            continue
        for start, end in chords(contour.outline, a, b, length):
            if start > 0 or not inside(contour.outline, a):
                found.append(Crossing(start, True, contour.level, piece_id, contour.cliff))
            if end < length or not inside(contour.outline, b):
                found.append(Crossing(end, False, contour.level, piece_id, contour.cliff))
    found.sort(key=lambda c: (c.along, not c.up, c.level if c.up else -c.level, c.piece))
    return tuple(found)


def within(shapes: Iterable[Shape], a: Point, b: Point, length: int, border: bool = True) -> tuple[Interval, ...]:
    """Where a centre going straight from `a` to `b` is in any of some shapes, as distances along."""
    return merged(interval for shape in shapes for interval in chords(shape, a, b, length, border))
