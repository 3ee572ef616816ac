"""Distances, overlap, contact and arcs between outlines, all exact.

A gap is measured between outlines, in thousandths, and rounded up: `gap(a, b) <= n` is exactly "within n". Where
"at least n away" is asked, `gap_floor(a, b) >= n` says exactly that. Outlines that share no inner point do not
overlap: touching is a gap of 0, and a gap of at most `CONTACT` is contact.
"""

from array import array
from collections.abc import Sequence
from math import atan2, degrees

from sandtable.engine.shapes import Band, Base, Point, Polygon, Region, Shape
from sandtable.field import _kernel, _kernel_points, oracle
from sandtable.field.directions import VECTORS, along
from sandtable.field.outlines import base_core, core_of, outline_of, swept_core, template

#: The direction vectors as the kernel reads them.
FLAT_VECTORS = array("q", [part for vector in VECTORS for part in vector])

#: Bases at most this far apart are in contact, unless a ledger gives another distance.
CONTACT = 5

__all__ = [
    "CONTACT",
    "any_nearer",
    "bearing",
    "center_gap",
    "contact",
    "covers",
    "first_touch",
    "gap",
    "gap_floor",
    "gap_to_point",
    "in_arc",
    "in_region",
    "inside",
    "nearest_free",
    "nearest_points",
    "on_or_inside",
    "outline_of",
    "overlap",
    "sweeps_over",
    "swept",
]


def gap(a: Shape, b: Shape) -> int:
    """How far two outlines are apart, rounded up; -1 where their interiors overlap.

    >>> from sandtable.engine.shapes import Disc
    >>> gap(Disc(Point(0, 0), 500), Disc(Point(2000, 0), 500)), gap(Disc(Point(0, 0), 0), Disc(Point(1, 1), 0))
    (1000, 2)
    """
    return _kernel.gap(core_of(a), core_of(b))


def gap_floor(a: Shape, b: Shape) -> int:
    """How far two outlines are apart, rounded down; -1 where their interiors overlap.

    >>> from sandtable.engine.shapes import Disc
    >>> gap_floor(Disc(Point(0, 0), 0), Disc(Point(1, 1), 0))
    1
    """
    return _kernel.gap_floor(core_of(a), core_of(b))


def overlap(a: Shape, b: Shape) -> bool:
    """Whether two outlines share an inner point. Touching is not overlap.

    >>> from sandtable.engine.shapes import Disc
    >>> overlap(Disc(Point(0, 0), 500), Disc(Point(1000, 0), 500))
    False
    """
    return _kernel.overlap(core_of(a), core_of(b))


def contact(a: Shape, b: Shape) -> bool:
    """Whether two outlines are in contact: at most `CONTACT` apart, and not overlapping.

    >>> from sandtable.engine.shapes import Disc
    >>> contact(Disc(Point(0, 0), 500), Disc(Point(1005, 0), 500))
    True
    """
    return 0 <= gap(a, b) <= CONTACT


def center_gap(a: Point, b: Point) -> int:
    """The squared distance of two points.

    >>> center_gap(Point(0, 0), Point(3, 4))
    25
    """
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])


def any_nearer(points: Sequence[Point], at: Point, than: int) -> bool:
    """Whether any of some points is nearer to another than a distance.

    >>> any_nearer([Point(9, 0), Point(3, 4)], Point(0, 0), 5), any_nearer([Point(3, 4)], Point(0, 0), 6)
    (False, True)
    """
    return _kernel_points.any_nearer(points, at[0], at[1], than)


def nearest_free(here: Sequence[Point], places: Sequence[Point], goal: Point) -> list[int]:
    """For each of some points the number of the place that is left nearest to it, the farthest from a goal first.

    >>> nearest_free([Point(0, 0), Point(5, 0)], [Point(4, 0), Point(9, 0)], Point(6, 0))
    [0, 1]
    """
    return _kernel_points.nearest_free(here, places, goal[0], goal[1])


def gap_to_point(shape: Shape, point: Point) -> int:
    """How far a point is from an outline, rounded up; 0 on its border, -1 strictly inside.

    >>> from sandtable.engine.shapes import Disc
    >>> gap_to_point(Disc(Point(0, 0), 500), Point(0, 600)), gap_to_point(Disc(Point(0, 0), 500), Point(0, 1))
    (100, -1)
    """
    core = core_of(shape)
    x, y = point
    return -1 if _kernel.holds(core, x, y) else _kernel.gap(core, base_core(None, point, 0))


def inside(shape: Shape, point: Point) -> bool:
    """Whether a point lies strictly inside an outline; its border is not inside.

    >>> inside(Polygon((Point(0, 0), Point(9, 0), Point(0, 9))), Point(4, 5))
    False
    """
    return _kernel.holds(core_of(shape), point[0], point[1])


def on_or_inside(shape: Shape, point: Point) -> bool:
    """Whether a point lies inside an outline or on its border.

    >>> on_or_inside(Polygon((Point(0, 0), Point(9, 0), Point(0, 9))), Point(4, 5))
    True
    """
    return _kernel.touches(core_of(shape), point[0], point[1])


def covers(outer: Shape, inner: Shape) -> bool:
    """Whether an outline lies wholly within another; touching its border from inside is fine.

    A band covers what lies wholly along one of its straight legs.

    >>> from sandtable.engine.shapes import Disc
    >>> covers(Disc(Point(0, 0), 1000), Disc(Point(500, 0), 500))
    True
    """
    return _kernel.covers(core_of(outer), core_of(inner))


def swept(base: Base, start: Point, end: Point, facing: int) -> Polygon | Band:
    """Everything a base passes over in a straight move without turning.

    >>> swept(Base("circle", 1000), Point(0, 0), Point(5000, 0), 0).width
    1000
    """
    core = template(base, facing)
    if not core.is_filled:
        return Band((start, end), core.twice_radius)
    return Polygon(tuple([Point(x, y) for x, y in _kernel.swept(core, *start, *end)]))


def sweeps_over(base: Base, start: Point, end: Point, facing: int, shape: Shape) -> bool:
    """Whether a straight move without turning would pass over a shape: `overlap(swept(...), shape)`, but quicker.

    >>> from sandtable.engine.shapes import Disc
    >>> sweeps_over(Base("rectangle", 1000, 1000), Point(0, 0), Point(9000, 0), 0, Disc(Point(5000, 900), 400))
    False
    """
    return _kernel.overlap(swept_core(base, start, end, facing), core_of(shape))


def first_touch(base: Base, start: Point, facing: int, degrees: int, distance: int, shape: Shape) -> int:
    """How far a base can go straight in a direction before it would overlap a shape, in whole thousandths.

    The last free grid point before overlap, or `distance` if the way is free; 0 where it overlaps from the start.

    >>> from sandtable.engine.shapes import Disc
    >>> first_touch(Base("circle", 1000), Point(0, 0), 0, 0, 9000, Disc(Point(5000, 0), 500))
    4000
    """
    obstacle = core_of(shape)

    def free(gone: int) -> bool:
        return not _kernel.overlap(swept_core(base, start, along(start, degrees, gone), facing), obstacle)

    if free(distance):
        return distance
    reached, blocked = 0, distance
    while blocked - reached > 1:
        middle = (reached + blocked) // 2
        if free(middle):
            reached = middle
        else:
            blocked = middle
    return reached


def nearest_points(a: Shape, b: Shape) -> tuple[Point, Point]:
    """The two nearest points of two outlines, each rounded once to the grid.

    Of several pairs equally near, the one whose middle is closest to the line between the centres; of those, the
    northernmost, and of those the westernmost. Where the outlines overlap there is no such pair: both are the middle
    between the centres. A bare point (a disc of radius 0) inside the other is both.

    >>> from sandtable.engine.shapes import Disc
    >>> nearest_points(Disc(Point(0, 0), 500), Disc(Point(2000, 0), 500))
    (Point(x=500, y=0), Point(x=1500, y=0))
    """
    first, second = core_of(a), core_of(b)
    if not (first.is_simple and second.is_simple):
        return oracle.nearest_points(a, b)
    px, py, qx, qy, _ = _kernel.join(first, second)
    return Point(px, py), Point(qx, qy)


def in_arc(at: Point, facing: int, point: Point, start: int, end: int) -> bool:
    """Whether a point lies in an arc of something that faces somewhere, its borders included.

    The arc runs clockwise from `start` to `end` degrees, both relative to the facing; 360 degrees or more are all
    round. A point in the very same place lies in every arc.

    >>> in_arc(Point(0, 0), 90, Point(1000, 1000), -45, 45), in_arc(Point(0, 0), 90, Point(1001, 1000), -45, 45)
    (True, False)
    """
    return _kernel.in_arc(point[0] - at[0], point[1] - at[1], facing, start, end, FLAT_VECTORS)


def bearing(at: Point, point: Point) -> int:
    """The direction from one point to another in whole degrees, for showing only; nothing is decided by it.

    >>> bearing(Point(0, 0), Point(0, 5)), bearing(Point(0, 0), Point(-5, -5))
    (90, 225)
    """
    dx, dy = point[0] - at[0], point[1] - at[1]
    if not (dx or dy):
        return 0
    # The float only says where to look: which of the degrees there fits best is found in whole numbers.
    guess = round(degrees(atan2(dy, dx)))
    near = ((guess + d) % 360 for d in (-1, 0, 1))
    return max(near, key=lambda d: (VECTORS[d][0] * dx + VECTORS[d][1] * dy, -d))


def in_region(region: Region, base: Base, point: Point, facing: int) -> bool:
    """Whether a base at a point lies in a region and outside what it forbids: all of the base, or its centre.

    >>> from sandtable.engine.shapes import Disc
    >>> beside = Region((Disc(Point(0, 0), 2000),), (Disc(Point(0, 0), 500),), whole=False)
    >>> [in_region(beside, Base("circle", 1000), Point(x, 0), 0) for x in (500, 501, 2000, 2001)]
    [False, True, True, False]
    """
    if not region.whole:
        return any(on_or_inside(shape, point) for shape in region.inside) and not any(
            on_or_inside(shape, point) for shape in region.outside
        )
    shape = outline_of(base, point, facing)
    return any(covers(outer, shape) for outer in region.inside) and not any(
        overlap(shape, other) for other in region.outside
    )
