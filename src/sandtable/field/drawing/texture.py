"""Where trees, stones and strokes go: always the same places for the same piece, in integers.

Nothing here decides anything; these are roomy, quick answers for drawing. Verdicts are the kernel's.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from sandtable.engine.shapes import Band, Disc, Point, Shape
from sandtable.field.directions import along
from sandtable.field.ground import box_of

#: A place to keep clear: a point and how far around it.
Clear = tuple[Point, int]

_MASK = 0xFFFFFFFF


class Grains:
    """A stream of small numbers that a name alone decides, so that a wood has the same trees every time.

    >>> Grains("Long Wood").below(100) == Grains("Long Wood").below(100)
    True
    """

    def __init__(self, name: str) -> None:
        seed = 0x811C9DC5
        for byte in name.encode("utf-8", "surrogatepass"):
            seed = ((seed ^ byte) * 0x01000193) & _MASK
        self._state = seed

    def below(self, limit: int) -> int:
        """The next number, from 0 to below the limit."""
        self._state = (self._state + 0x6D2B79F5) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 15)) * (mixed | 1)) & _MASK
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & _MASK)) & _MASK
        return ((mixed ^ (mixed >> 14)) & _MASK) * limit >> 32

    def between(self, low: int, high: int) -> int:
        """The next number, from low to high."""
        return low + self.below(high - low + 1)


def apart(a: Point, b: Point) -> int:
    """How far two points are apart, rounded down.

    >>> apart(Point(0, 0), Point(300, 400))
    500
    """
    return isqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)


def between(a: Point, b: Point, part: int, whole: int) -> Point:
    """The point so many parts of the whole way from one point to another.

    >>> between(Point(0, 0), Point(1000, 500), 1, 4)
    Point(x=250, y=125)
    """
    return Point(a.x + (b.x - a.x) * part // whole, a.y + (b.y - a.y) * part // whole)


def line_points(shape: Shape) -> tuple[Point, ...]:
    """The points a shape is drawn through: corners, a middle line, or seventy-two points of a circle."""
    if isinstance(shape, Disc):
        return tuple(along(shape.center, degrees, shape.radius) for degrees in range(0, 360, 5))
    return shape.points


def _off_segment(p: Point, a: Point, b: Point) -> int:
    """The square of the distance from a point to a segment, near enough for drawing."""
    abx, aby, apx, apy = b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y
    dot, length = apx * abx + apy * aby, abx * abx + aby * aby
    if dot <= 0 or length == 0:
        return apx * apx + apy * apy
    if dot >= length:
        return (p.x - b.x) ** 2 + (p.y - b.y) ** 2
    return (abx * apy - aby * apx) ** 2 // length


def depth(shape: Shape, point: Point) -> int:
    """How deep inside a shape a point lies; negative outside it.

    >>> depth(Disc(Point(0, 0), 500), Point(0, 300))
    200
    """
    if isinstance(shape, Disc):
        return shape.radius - apart(shape.center, point)
    points = shape.points
    if isinstance(shape, Band):
        near = min(_off_segment(point, a, b) for a, b in zip(points, points[1:] or points, strict=False))
        return shape.width // 2 - isqrt(near)
    inside = False
    nearest = -1
    before = points[-1]
    for after in points:
        if (after.y > point.y) != (before.y > point.y):
            rise = before.y - after.y
            crossing = (point.x - after.x) * rise < (before.x - after.x) * (point.y - after.y)
            if crossing == (rise > 0):
                inside = not inside
        off = _off_segment(point, before, after)
        nearest = off if nearest < 0 else min(nearest, off)
        before = after
    return isqrt(nearest) if inside else -isqrt(nearest)


@lru_cache(maxsize=512)
def scattered(shape: Shape, spacing: int, margin: int, name: str, most: int = 220) -> tuple[Point, ...]:
    """Points strewn inside a shape, none nearer than the spacing, northernmost first; a large shape gets wider ones.

    The name decides where they lie. They are kept, for the ground of a battle is drawn again and again.
    """
    left, top, right, bottom = box_of(shape)
    wide, high, grains = right - left, bottom - top, Grains(name)
    if wide <= 0 or high <= 0:
        return ()
    spacing = max(spacing, isqrt(wide * high * 4 // (5 * most)), 1)
    tries = min(6 * most, 8 * (wide * high // (spacing * spacing) + 2))
    taken: dict[tuple[int, int], list[Point]] = {}
    found: list[Point] = []
    for _ in range(tries):
        point = Point(left + grains.below(wide), top + grains.below(high))
        column, row = point.x // spacing, point.y // spacing
        near = (taken.get((c, r), ()) for c in (column - 1, column, column + 1) for r in (row - 1, row, row + 1))
        if any(apart(point, other) < spacing for cell in near for other in cell):
            continue
        if depth(shape, point) >= margin:
            found.append(point)
            taken.setdefault((column, row), []).append(point)
    return tuple(sorted(found, key=lambda point: (point.y, point.x)))


def step_aside(point: Point, clear: Iterable[Clear]) -> Point:
    """Where a tree stands that makes room: moved straight away from what it must keep clear of.

    >>> step_aside(Point(100, 0), [(Point(0, 0), 500)])
    Point(x=500, y=0)
    """
    for center, far in clear:
        away = apart(point, center)
        if away < far:
            dx, dy = (point.x - center.x, point.y - center.y) if away else (1, 0)
            point = Point(center.x + dx * far // (away or 1), center.y + dy * far // (away or 1))
    return point


def roomiest(shape: Shape, clear: Sequence[Clear] = ()) -> Point:
    """The point inside a shape with most room around it: where a word fits best.

    >>> from sandtable.engine.shapes import rectangle
    >>> roomiest(rectangle(0, 0, 8000, 8000))
    Point(x=4000, y=4000)
    """
    if isinstance(shape, Disc) and not clear:
        return shape.center
    left, top, right, bottom = box_of(shape)
    best, most = Point((left + right) // 2, (top + bottom) // 2), -(1 << 40)
    for point, room, off in _rooms(shape):
        for center, far in clear:
            room = min(room, apart(point, center) - far)
        # Among places as roomy as each other the one nearest the middle reads best.
        if room * 100 - off > most:
            best, most = point, room * 100 - off
    return best


@lru_cache(maxsize=512)
def _rooms(shape: Shape) -> tuple[tuple[Point, int, int], ...]:
    """Points all over a shape's box, how deep inside it each lies, and how far off the middle."""
    left, top, right, bottom = box_of(shape)
    cells = [(column, row) for row in range(1, 12) for column in range(1, 12)]
    points = [Point(left + (right - left) * c // 12, top + (bottom - top) * r // 12) for c, r in cells]
    return tuple((p, depth(shape, p), abs(c - 6) + abs(r - 6)) for p, (c, r) in zip(points, cells, strict=True))


def clockwise(points: Sequence[Point]) -> list[Point]:
    """The points of an outline in clockwise order as seen on the table.

    >>> clockwise([Point(0, 0), Point(0, 9), Point(9, 9)])[1]
    Point(x=9, y=9)
    """
    twice = sum(a.x * b.y - b.x * a.y for a, b in zip(points, [*points[1:], points[0]], strict=True))
    return list(points) if twice > 0 else [points[0], *reversed(points[1:])]


def along_line(points: Sequence[Point], step: int, most: int = 2000) -> list[tuple[Point, int, int]]:
    """Points at even steps along a line, each with the direction to its left in thousandths; long lines get long steps.

    >>> along_line([Point(0, 0), Point(1000, 0)], 600)
    [(Point(x=0, y=0), 0, -1000), (Point(x=600, y=0), 0, -1000)]
    >>> len(along_line([Point(0, 0), Point(1 << 60, 0)], 600, most=8))
    8
    """
    found: list[tuple[Point, int, int]] = []
    step = max(step, -(-sum(apart(a, b) for a, b in pairwise(points)) // most))
    walked = 0
    for a, b in pairwise(points):
        far = apart(a, b)
        if far == 0:
            continue
        out_x, out_y = (b.y - a.y) * 1000 // far, -(b.x - a.x) * 1000 // far
        while walked < far:
            found.append((between(a, b, walked, far), out_x, out_y))
            walked += step
        walked -= far
    return found


def along_outline(points: Sequence[Point], step: int) -> list[tuple[Point, int, int]]:
    """Points at even steps round a clockwise outline, each with its outward direction in thousandths."""
    return along_line([*points, points[0]], step)


def hull(points: Iterable[Point]) -> list[Point]:
    """The convex outline around some points.

    >>> hull([Point(0, 0), Point(4, 0), Point(2, 1), Point(4, 4), Point(0, 4)])
    [Point(x=0, y=0), Point(x=4, y=0), Point(x=4, y=4), Point(x=0, y=4)]
    """
    ordered = sorted(set(points))

    def half(line: Iterable[Point]) -> list[Point]:
        out: list[Point] = []
        for p in line:
            while len(out) > 1:
                a, b = out[-2:]
                if (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0:
                    break
                out.pop()
            out.append(p)
        return out[:-1]

    return [*half(ordered), *half(reversed(ordered))]
