"""Distances, overlap, contact and arcs between outlines, all exact.

A gap is measured between outlines, in thousandths, and rounded up: `gap(a, b) <= n` is exactly "within n". Where
"at least n away" is asked, `gap_floor(a, b) >= n` says exactly that. Outlines that share no inner point do not
overlap: touching is a gap of 0, and a gap of at most `CONTACT` is contact.
"""

from fractions import Fraction
from itertools import pairwise
from math import isqrt

from sandtable.engine.directions import VECTORS, along
from sandtable.engine.shapes import Band, Base, Disc, Point, Polygon, Shape
from sandtable.field import oracle
from sandtable.field.outlines import Core, base_offsets, base_radius, core_of, outline_of, segments_meet, turn

#: Bases at most this far apart are in contact, unless a ledger gives another distance.
CONTACT = 5

__all__ = [
    "CONTACT",
    "bearing",
    "center_gap",
    "contact",
    "covers",
    "first_touch",
    "gap",
    "gap_floor",
    "gap_to_point",
    "in_arc",
    "inside",
    "nearest_points",
    "on_or_inside",
    "outline_of",
    "overlap",
    "swept",
]


def gap(a: Shape, b: Shape) -> int:
    """How far two outlines are apart, rounded up; -1 where their interiors overlap.

    >>> gap(Disc(Point(0, 0), 500), Disc(Point(2000, 0), 500)), gap(Disc(Point(0, 0), 0), Disc(Point(1, 1), 0))
    (1000, 2)
    """
    first, second = core_of(a), core_of(b)
    if _overlap(first, second):
        return -1
    numerator, denominator = _squared_distance(first, second)
    doubled = _root_up(-(-4 * numerator // denominator))
    return max(0, (doubled - first.twice_radius - second.twice_radius + 1) // 2)


def gap_floor(a: Shape, b: Shape) -> int:
    """How far two outlines are apart, rounded down; -1 where their interiors overlap.

    >>> gap_floor(Disc(Point(0, 0), 0), Disc(Point(1, 1), 0))
    1
    """
    first, second = core_of(a), core_of(b)
    if _overlap(first, second):
        return -1
    numerator, denominator = _squared_distance(first, second)
    return max(0, (isqrt(4 * numerator // denominator) - first.twice_radius - second.twice_radius) // 2)


def overlap(a: Shape, b: Shape) -> bool:
    """Whether two outlines share an inner point. Touching is not overlap.

    >>> overlap(Disc(Point(0, 0), 500), Disc(Point(1000, 0), 500))
    False
    """
    return _overlap(core_of(a), core_of(b))


def contact(a: Shape, b: Shape) -> bool:
    """Whether two outlines are in contact: at most `CONTACT` apart, and not overlapping.

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


def gap_to_point(shape: Shape, point: Point) -> int:
    """How far a point is from an outline, rounded up; 0 on its border, -1 strictly inside.

    >>> gap_to_point(Disc(Point(0, 0), 500), Point(0, 600)), gap_to_point(Disc(Point(0, 0), 500), Point(0, 1))
    (100, -1)
    """
    return -1 if inside(shape, point) else gap(shape, Disc(point, 0))


def inside(shape: Shape, point: Point) -> bool:
    """Whether a point lies strictly inside an outline; its border is not inside.

    >>> inside(Polygon((Point(0, 0), Point(9, 0), Point(0, 9))), Point(4, 5))
    False
    """
    core = core_of(shape)
    if core.filled:
        return _side(core, point) > 0
    numerator, denominator = _squared_distance(core, core_of(Disc(point, 0)))
    return 4 * numerator < core.twice_radius * core.twice_radius * denominator


def on_or_inside(shape: Shape, point: Point) -> bool:
    """Whether a point lies inside an outline or on its border.

    >>> on_or_inside(Polygon((Point(0, 0), Point(9, 0), Point(0, 9))), Point(4, 5))
    True
    """
    core = core_of(shape)
    if core.filled:
        return _side(core, point) >= 0
    numerator, denominator = _squared_distance(core, core_of(Disc(point, 0)))
    return 4 * numerator <= core.twice_radius * core.twice_radius * denominator


def covers(outer: Shape, inner: Shape) -> bool:
    """Whether an outline lies wholly within another; touching its border from inside is fine.

    A band covers what lies wholly along one of its straight legs.

    >>> covers(Disc(Point(0, 0), 1000), Disc(Point(500, 0), 500))
    True
    """
    cover, core = core_of(outer), core_of(inner)
    if not cover.filled:
        return _round_covers(cover, core)
    if core.twice_radius == 0:
        return all(_side(cover, p) >= 0 for p in core.points) and all(
            _runs_within(cover, p, q) for p, q in _edges(core)
        )
    if _side(cover, core.points[0]) <= 0:
        return False
    border = Core((*cover.points, cover.points[0]), False, 0, cover.center)
    numerator, denominator = _squared_distance(border, core)
    return 4 * numerator >= core.twice_radius * core.twice_radius * denominator


def swept(base: Base, start: Point, end: Point, facing: int) -> Polygon | Band:
    """Everything a base passes over in a straight move without turning.

    >>> swept(Base("circle", 1000), Point(0, 0), Point(5000, 0), 0).width
    1000
    """
    offsets = base_offsets(base, facing % 360)
    if not offsets:
        return Band((start, end), 2 * base_radius(base))
    corners = [Point(at[0] + dx, at[1] + dy) for at in (start, end) for dx, dy in offsets]
    return Polygon(_hull(corners))


def first_touch(base: Base, start: Point, facing: int, degrees: int, distance: int, shape: Shape) -> int:
    """How far a base can go straight in a direction before it would overlap a shape, in whole thousandths.

    The last free grid point before overlap, or `distance` if the way is free; 0 where it overlaps from the start.

    >>> first_touch(Base("circle", 1000), Point(0, 0), 0, 0, 9000, Disc(Point(5000, 0), 500))
    4000
    """

    def free(gone: int) -> bool:
        return not overlap(swept(base, start, along(start, degrees, gone), facing), shape)

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

    >>> nearest_points(Disc(Point(0, 0), 500), Disc(Point(2000, 0), 500))
    (Point(x=500, y=0), Point(x=1500, y=0))
    """
    return oracle.nearest_points(a, b)


def in_arc(at: Point, facing: int, point: Point, start: int, end: int) -> bool:
    """Whether a point lies in an arc of something that faces somewhere, its borders included.

    The arc runs clockwise from `start` to `end` degrees, both relative to the facing; 360 degrees or more are all
    round. A point in the very same place lies in every arc.

    >>> in_arc(Point(0, 0), 90, Point(1000, 1000), -45, 45), in_arc(Point(0, 0), 90, Point(1001, 1000), -45, 45)
    (True, False)
    """
    if end - start >= 360:
        return True
    dx, dy = point[0] - at[0], point[1] - at[1]
    if dx == 0 and dy == 0:
        return True
    span = (end - start) % 360
    ux, uy = VECTORS[(facing + start) % 360]
    vx, vy = VECTORS[(facing + end) % 360]
    after_start = ux * dy - uy * dx
    before_end = dx * vy - dy * vx
    if span == 0:
        return after_start == 0 and ux * dx + uy * dy > 0
    if span <= 180:
        return after_start >= 0 and before_end >= 0
    return after_start >= 0 or before_end >= 0


def bearing(at: Point, point: Point) -> int:
    """The direction from one point to another in whole degrees, for showing only; nothing is decided by it.

    >>> bearing(Point(0, 0), Point(0, 5)), bearing(Point(0, 0), Point(-5, -5))
    (90, 225)
    """
    dx, dy = point[0] - at[0], point[1] - at[1]
    return max(range(360), key=lambda d: (VECTORS[d][0] * dx + VECTORS[d][1] * dy, -d))


# ---- cores ---------------------------------------------------------------------------------------------------------


def _root_up(square: int) -> int:
    return isqrt(square - 1) + 1 if square else 0


def _edges(core: Core) -> list[tuple[Point, Point]]:
    points = core.points
    if core.filled:
        return [(points[i - 1], points[i]) for i in range(len(points))]
    if len(points) == 1:
        return [(points[0], points[0])]
    return [(points[i], points[i + 1]) for i in range(len(points) - 1)]


def _side(core: Core, point: Point) -> int:
    """1 strictly inside a filled core, 0 on its border, -1 outside."""
    x, y = point
    odd = False
    for p, q in _edges(core):
        side = turn(p, q, point)
        if side == 0 and min(p[0], q[0]) <= x <= max(p[0], q[0]) and min(p[1], q[1]) <= y <= max(p[1], q[1]):
            return 0
        if (p[1] > y) != (q[1] > y) and (side > 0) == (q[1] > p[1]):
            odd = not odd
    return 1 if odd else -1


def _point_to_segment(p: Point, a: Point, b: Point) -> tuple[int, int]:
    """The squared distance as a fraction."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    wx, wy = p[0] - a[0], p[1] - a[1]
    length = ex * ex + ey * ey
    dot = wx * ex + wy * ey
    if dot <= 0:
        return wx * wx + wy * wy, 1
    if dot >= length:
        return center_gap(p, b), 1
    cross = ex * wy - ey * wx
    return cross * cross, length


def _squared_distance(a: Core, b: Core) -> tuple[int, int]:
    """The squared distance of two cores as a fraction, (0, 1) where they share a point."""
    if (a.filled and _side(a, b.points[0]) >= 0) or (b.filled and _side(b, a.points[0]) >= 0):
        return 0, 1
    best, best_over = -1, 1
    for p, q in _edges(a):
        for r, s in _edges(b):
            if segments_meet(p, q, r, s):
                return 0, 1
            for found, over in (
                _point_to_segment(p, r, s),
                _point_to_segment(q, r, s),
                _point_to_segment(r, p, q),
                _point_to_segment(s, p, q),
            ):
                if best < 0 or found * best_over < best * over:
                    best, best_over = found, over
    return best, best_over


def _overlap(a: Core, b: Core) -> bool:
    if not (a.solid and b.solid):
        return False
    radii = a.twice_radius + b.twice_radius
    if radii:
        numerator, denominator = _squared_distance(a, b)
        return 4 * numerator < radii * radii * denominator
    return any(not _separated(p, q) and not _separated(q, p) for p in a.parts for q in b.parts)


def _separated(a: tuple[Point, ...], b: tuple[Point, ...]) -> bool:
    """Whether an edge of one convex clockwise polygon has all of another on its outer side, or on itself."""
    return any(all(turn(a[i - 1], a[i], p) <= 0 for p in b) for i in range(len(a)))


def _round_covers(cover: Core, core: Core) -> bool:
    room = cover.twice_radius - core.twice_radius
    if room < 0:
        return False
    return any(
        all(4 * found <= room * room * over for found, over in (_point_to_segment(p, a, b) for p in core.points))
        for a, b in _edges(cover)
    )


def _runs_within(cover: Core, p: Point, q: Point) -> bool:
    """Whether a segment whose ends lie on or inside a filled core never leaves it."""
    if cover.convex or p == q:
        return True
    dx, dy = q[0] - p[0], q[1] - p[1]
    stops = [(0, 1), (1, 1)]
    for a, b in _edges(cover):
        ex, ey = b[0] - a[0], b[1] - a[1]
        slope = dx * ey - dy * ex
        if slope:
            at = (a[0] - p[0]) * ey - (a[1] - p[1]) * ex
            stops.append((at, slope) if slope > 0 else (-at, -slope))
        else:
            length = dx * dx + dy * dy
            stops.extend(((end[0] - p[0]) * dx + (end[1] - p[1]) * dy, length) for end in (a, b))
    places = sorted({Fraction(n, d) for n, d in stops if 0 <= n <= d})
    for low, high in pairwise(places):
        middle = (low + high) / 2
        scale = middle.denominator
        grown = Core(tuple(Point(scale * x, scale * y) for x, y in cover.points), True, 0, cover.center, cover.parts)
        at_x, at_y = scale * p[0] + middle.numerator * dx, scale * p[1] + middle.numerator * dy
        if _side(grown, Point(at_x, at_y)) < 0:
            return False
    return True


def _hull(points: list[Point]) -> tuple[Point, ...]:
    """The convex hull, clockwise as seen on the table, without points on its edges."""
    ordered = sorted(set(points))
    chains: list[list[Point]] = []
    for sequence in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for point in sequence:
            while len(chain) >= 2 and turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return tuple(chains[0] + chains[1])
