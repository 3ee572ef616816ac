"""Outlines as the exact table computes with them: a core of grid points and a radius around it.

A disc is a point with a radius, a band a line of points with half its width, a polygon itself with none. Every
verdict about two outlines is then one about the exact distance between two cores. Radii are kept doubled, as half an
odd width is no integer.

Every outline lies wholly within `BOUND` of the origin in x and in y, radius included; that is checked here, once,
when a shape is first used, and it is why no later product can overflow.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from sandtable.engine.shapes import BOUND, Base, Disc, Point, Polygon, Shape
from sandtable.field._kernel import Core, farthest, placed, ring, swept
from sandtable.field.directions import SCALE, VECTORS, rounded


class TableTooLarge(ValueError):
    """Something lies farther from the origin than the exact table computes."""


class BadOutline(ValueError):
    """An outline that is none: too few points, no area, or one that crosses itself."""


def turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """Twice the signed area of a triangle: positive where a, b, c turn right, as seen on the table.

    >>> turn(Point(0, 0), Point(10, 0), Point(10, 10))
    100
    """
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@lru_cache(maxsize=8192)
def core_of(shape: Shape) -> Core:
    """A shape as the kernel sees it, checked once and kept.

    >>> core_of(Disc(Point(0, 0), 500)).twice_radius
    1000
    >>> core_of(Disc(Point(BOUND, 0), 500))
    Traceback (most recent call last):
    sandtable.field.outlines.TableTooLarge: (1048576, 0) with 500 around it lies beyond 1048576, the farthest ...
    """
    return new_core(shape)


def new_core(shape: Shape) -> Core:
    """The same for a shape that is looked at once, such as the sweep of one try of a move."""
    if isinstance(shape, Disc):
        if shape.radius < 0:
            raise BadOutline(f"a disc has a radius of {shape.radius}; it needs one of at least 0")
        _within_bound((shape.center,), 2 * shape.radius)
        return Core((shape.center,), False, 2 * shape.radius, False, shape.center)
    if isinstance(shape, Polygon):
        _within_bound(shape.points, 0)
        return _filled(shape.points)
    if shape.width < 0:
        raise BadOutline(f"a band has a width of {shape.width}; it needs one of at least 0")
    if not shape.points:
        raise BadOutline("a band has no points; it needs at least one")
    _within_bound(shape.points, shape.width)
    return Core(shape.points, False, shape.width, False, _mean(shape.points))


def _within_bound(points: tuple[Point, ...], twice_radius: int) -> None:
    try:
        within = 2 * farthest(points) + twice_radius <= 2 * BOUND
    except OverflowError:  # a number that no machine word holds lies beyond any bound
        within = False
    if within:
        return
    for x, y in points:
        if 2 * max(abs(x), abs(y)) + twice_radius > 2 * BOUND:
            around = f" with {(twice_radius + 1) // 2} around it" if twice_radius else ""
            raise TableTooLarge(
                f"({x}, {y}){around} lies beyond {BOUND}, the farthest the exact table computes; use a smaller table"
            )


def _mean(points: tuple[Point, ...]) -> Point:
    return Point(rounded(sum(p[0] for p in points), len(points)), rounded(sum(p[1] for p in points), len(points)))


def _filled(points: tuple[Point, ...]) -> Core:
    if len(points) < 3:
        raise BadOutline(f"a polygon has {len(points)} points; it needs at least 3")
    kind, clockwise = ring(points)
    if kind == 0:
        raise BadOutline("a polygon has no area")
    if kind == 2:
        _check_simple(clockwise)
    return Core(clockwise, True, 0, kind == 1, _mean(points))


def _check_simple(points: Sequence[tuple[int, int]]) -> None:
    count = len(points)
    for i in range(count):
        a, b = points[i - 1], points[i]
        if a == b:
            raise BadOutline(f"a polygon has the point ({a[0]}, {a[1]}) twice in a row")
        for j in range(i + 1, count):
            c, d = points[j - 1], points[j]
            if b == c and j == i + 1:
                fold = turn(a, b, d) == 0 and (b[0] - a[0]) * (d[0] - b[0]) + (b[1] - a[1]) * (d[1] - b[1]) < 0
            elif d == a and i == 0 and j == count - 1:
                fold = turn(c, d, b) == 0 and (d[0] - c[0]) * (b[0] - d[0]) + (d[1] - c[1]) * (b[1] - d[1]) < 0
            else:
                fold = segments_meet(a, b, c, d)
            if fold:
                raise BadOutline(
                    f"a polygon touches or crosses itself: ({a[0]}, {a[1]})-({b[0]}, {b[1]}) and "
                    f"({c[0]}, {c[1]})-({d[0]}, {d[1]})"
                )


def segments_meet(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    """Whether two closed segments share a point.

    >>> segments_meet(Point(0, 0), Point(10, 0), Point(10, 0), Point(20, 5))
    True
    """
    s1, s2, s3, s4 = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if ((s1 > 0) != (s2 > 0) or s1 == 0 or s2 == 0) and ((s3 > 0) != (s4 > 0) or s3 == 0 or s4 == 0):
        if s1 or s2 or s3 or s4:
            return not (s1 * s2 > 0 or s3 * s4 > 0)
        return (
            max(a[0], b[0]) >= min(c[0], d[0])
            and max(c[0], d[0]) >= min(a[0], b[0])
            and max(a[1], b[1]) >= min(c[1], d[1])
            and max(c[1], d[1]) >= min(a[1], b[1])
        )
    return False


@lru_cache(maxsize=4096)
def base_offsets(base: Base, facing: int) -> tuple[Point, ...]:
    """The corners of a base seen from its centre, each rounded once to the grid; none for a circle.

    A hexagon's corners lie at 30, 90, 150 ... degrees from its facing, so that the middle of a flat side is its
    front. Opposite corners are exact opposites: the centre stays the centre.

    >>> base_offsets(Base("hexagon", 1000), 0)[:2]
    (Point(x=500, y=289), Point(x=0, y=577))
    """
    if base.size < 2 or (base.form == "rectangle" and base.depth < 2):
        raise BadOutline(f"a {base.form} base is less than 2 thousandths across; give it a size (and a depth)")
    if base.form == "circle":
        return ()
    if base.form == "hexagon":
        corners = (VECTORS[(facing + 30 + 60 * k) % 360] for k in range(6))
        return tuple(Point(_over_root_3(base.size, x), _over_root_3(base.size, y)) for x, y in corners)
    if base.form != "rectangle":
        raise BadOutline(f"a base of the form {base.form!r}; there are hexagon, circle and rectangle")
    fx, fy = VECTORS[facing % 360]
    rx, ry = VECTORS[(facing + 90) % 360]
    return tuple(
        Point(
            rounded(ahead * base.depth * fx + right * base.size * rx, 2 * SCALE),
            rounded(ahead * base.depth * fy + right * base.size * ry, 2 * SCALE),
        )
        for ahead, right in ((1, -1), (1, 1), (-1, 1), (-1, -1))
    )


def _over_root_3(size: int, component: int) -> int:
    """`size * component / (SCALE * √3)`, rounded to the nearest integer."""
    twice = isqrt(4 * size * size * component * component // (3 * SCALE * SCALE))
    return (twice + 1) // 2 if component >= 0 else -((twice + 1) // 2)


def base_radius(base: Base) -> int:
    """The radius of a circular base; that of an odd diameter is rounded up, once and for all.

    >>> base_radius(Base("circle", 1001))
    501
    """
    return (base.size + 1) // 2


@lru_cache(maxsize=16384)
def outline_of(base: Base, at: Point, facing: int) -> Disc | Polygon:
    """What a base covers where it stands.

    >>> outline_of(Base("rectangle", 1000, 2000), Point(0, 0), 0).points[0]
    Point(x=1000, y=-500)
    """
    offsets = base_offsets(base, facing % 360)
    if not offsets:
        return Disc(at, base_radius(base))
    x, y = at
    return Polygon(tuple(Point(x + dx, y + dy) for dx, dy in offsets))


def template(base: Base, facing: int) -> Core:
    """The core of a base that stands on the origin."""
    return _template(base, facing % 360)


@lru_cache(maxsize=4096)
def _template(base: Base, facing: int) -> Core:
    return new_core(outline_of(base, Point(0, 0), facing))


def swept_core(base: Base, start: Point, end: Point, facing: int) -> Core:
    """The core of all that a base passes over in a straight move without turning.

    >>> swept_core(Base("circle", 1000), Point(0, 0), Point(3000, 0), 0).box
    (-1000, -1000, 7000, 1000)
    """
    core = template(base, facing)
    middle = (rounded(start[0] + end[0], 2), rounded(start[1] + end[1], 2))
    if core.is_filled:
        moved = Core(swept(core, *start, *end), True, 0, True, middle)
    else:
        moved = Core((start, end), False, core.twice_radius, False, middle)
    if moved.farthest > 2 * BOUND:
        raise TableTooLarge(
            f"a move from {tuple(start)} to {tuple(end)} reaches beyond {BOUND}, the farthest the exact table computes"
        )
    return moved


_POINT = Core(((0, 0),), False, 0, False, (0, 0))


def base_core(base: Base | None, at: Point, facing: int) -> Core:
    """The core of a base where it stands; without a base it is a bare point.

    >>> base_core(Base("circle", 1000), Point(7000, 0), 90).box
    (13000, -1000, 15000, 1000)
    """
    x, y = at
    core = placed(_POINT if base is None else template(base, facing), x, y)
    if core.farthest > 2 * BOUND:
        raise TableTooLarge(
            f"a base at ({x}, {y}) reaches beyond {BOUND}, the farthest the exact table computes; use a smaller table"
        )
    return core
