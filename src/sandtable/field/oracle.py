"""The slow oracle: every verdict again, with fractions, in the most obvious way.

Tests compare the kernel with it, so it shares no code with the kernel and takes no short cut: where the kernel looks
at signs and bounds, the oracle walks along lines and borders with fractions. No rule is decided here; only the
nearest points of outlines that are no bases (bands, hollow polygons), which are drawn and nothing else, come from it.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.field.directions import VECTORS

#: Whole numbers stay whole, for speed; every division makes a fraction.
Number = int | Fraction
Exact = tuple[Number, Number]


def borders(shape: Shape) -> list[tuple[Exact, Exact]]:
    """The sides of a polygon, the legs of a band, the centre of a disc as a side without length."""
    if isinstance(shape, Disc):
        points = [shape.center, shape.center]
    elif isinstance(shape, Polygon):
        points = [*shape.points, shape.points[0]]
    else:
        points = [*shape.points] if len(shape.points) > 1 else [shape.points[0]] * 2
    return list(pairwise(points))


def radius(shape: Shape) -> Number:
    """How far the outline lies from its core."""
    if isinstance(shape, Disc):
        return shape.radius
    return Fraction(shape.width, 2) if isinstance(shape, Band) else 0


def center(shape: Shape) -> Point:
    """The centre of a disc, or the mean of all points, rounded once."""
    if isinstance(shape, Disc):
        return shape.center
    count = len(shape.points)
    return Point(
        nearest_integer(Fraction(sum(p.x for p in shape.points), count)),
        nearest_integer(Fraction(sum(p.y for p in shape.points), count)),
    )


def nearest_integer(value: Number) -> int:
    """Round to the nearest integer, halves away from zero."""
    if value < 0:
        return -nearest_integer(-value)
    below = value + Fraction(1, 2)
    return below.numerator // below.denominator


def foot(point: Exact, start: Exact, end: Exact) -> Exact:
    """The point of a side that is nearest to a point."""
    ex, ey = end[0] - start[0], end[1] - start[1]
    length = ex * ex + ey * ey
    if length == 0:
        return start
    along = (point[0] - start[0]) * ex + (point[1] - start[1]) * ey
    if along <= 0 or along >= length:
        return start if along <= 0 else end
    share = Fraction(along, length)
    return start[0] + share * ex, start[1] + share * ey


def squared(p: Exact, q: Exact) -> Number:
    """The squared distance of two points."""
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def crossing(a: tuple[Exact, Exact], b: tuple[Exact, Exact]) -> Exact | None:
    """The one point two sides that are not parallel share, if they do."""
    (px, py), (qx, qy) = a
    (rx, ry), (sx, sy) = b
    slope = (qx - px) * (sy - ry) - (qy - py) * (sx - rx)
    if slope == 0:
        return None
    t = Fraction((rx - px) * (sy - ry) - (ry - py) * (sx - rx), slope)
    u = Fraction((rx - px) * (qy - py) - (ry - py) * (qx - px), slope)
    if 0 <= t <= 1 and 0 <= u <= 1:
        return px + t * (qx - px), py + t * (qy - py)
    return None


def side(polygon: Polygon, point: Exact) -> int:
    """1 strictly inside, 0 on the border, -1 outside: count the sides a ray to the east crosses."""
    odd = False
    for start, end in borders(polygon):
        if squared(foot(point, start, end), point) == 0:
            return 0
        low, high = sorted((start, end), key=lambda p: p[1])
        if low[1] <= point[1] < high[1]:
            x = low[0] + Fraction((high[0] - low[0]) * (point[1] - low[1]), high[1] - low[1])
            odd = odd != (x > point[0])
    return 1 if odd else -1


def core_side(shape: Shape, point: Exact) -> int:
    """1 strictly inside an outline, 0 on its border, -1 outside."""
    if isinstance(shape, Polygon):
        return side(shape, point)
    distance = min(squared(point, foot(point, *leg)) for leg in borders(shape))
    square = radius(shape) ** 2
    return (distance < square) - (distance > square)


def pairs(a: Shape, b: Shape) -> Iterator[tuple[Exact, Exact]]:
    """Pairs of points of two cores among which are the nearest ones."""
    for first in borders(a):
        for second in borders(b):
            for point in first:
                yield point, foot(point, *second)
            for point in second:
                yield foot(point, *first), point
            met = crossing(first, second)
            if met is not None:
                yield met, met


@lru_cache(maxsize=8)
def squared_distance(a: Shape, b: Shape) -> Number:
    """The squared distance of two cores."""
    for outer, inner in ((a, b), (b, a)):
        if isinstance(outer, Polygon) and any(side(outer, p) >= 0 for leg in borders(inner) for p in leg):
            return 0
    return min(squared(p, q) for p, q in pairs(a, b))


def has_inside(shape: Shape) -> bool:
    """Whether an outline has any inner point."""
    return isinstance(shape, Polygon) or radius(shape) > 0


@lru_cache(maxsize=8)
def overlap(a: Shape, b: Shape) -> bool:
    """Whether two outlines share an inner point."""
    if not has_inside(a) or not has_inside(b):
        return False
    reach = radius(a) + radius(b)
    if reach > 0 or not isinstance(a, Polygon) or not isinstance(b, Polygon):
        return squared_distance(a, b) < reach**2
    # A piece of one border strictly inside the other, or, if the borders are the same, any inner point.
    for one, other in ((a, b), (b, a)):
        for leg in borders(one):
            if any(side(other, middle) > 0 for middle in middles(leg, other)):
                return True
    return side(b, inner_point(a)) > 0


def middles(leg: tuple[Exact, Exact], polygon: Polygon) -> list[Exact]:
    """The middle of every piece that the sides of a polygon cut a segment into."""
    (px, py), (qx, qy) = leg
    length = squared((px, py), (qx, qy))
    if length == 0:
        return []
    shares = {Fraction(0), Fraction(1)}
    for other in borders(polygon):
        met = crossing(leg, other)
        touching = [met] if met is not None else [p for p in other if squared(foot(p, *leg), p) == 0]
        shares.update(Fraction((x - px) * (qx - px) + (y - py) * (qy - py), length) for x, y in touching)
    found: list[Exact] = []
    for low, high in pairwise(sorted(shares)):
        share = (low + high) / 2
        found.append((px + share * (qx - px), py + share * (qy - py)))
    return found


def inner_point(polygon: Polygon) -> Exact:
    """Some point strictly inside: half-way between a corner of a horizontal cut and the next."""
    heights = sorted({p.y for p in polygon.points})
    y = Fraction(heights[0] + heights[1], 2)
    cuts = sorted(
        start[0] + Fraction((end[0] - start[0]) * (y - start[1]), end[1] - start[1])
        for start, end in borders(polygon)
        if (start[1] > y) != (end[1] > y)
    )
    return (cuts[0] + cuts[1]) / 2, y


def gaps(a: Shape, b: Shape) -> tuple[int, int]:
    """The gap of two outlines rounded down and rounded up; -1 where they overlap."""
    if overlap(a, b):
        return -1, -1
    distance = squared_distance(a, b)
    reach = radius(a) + radius(b)
    below = 0
    step = 1 << 23
    while step:
        if (below + step + reach) ** 2 <= distance:
            below += step
        step >>= 1
    return below, below if (below + reach) ** 2 >= distance else below + 1


def nearest_points(a: Shape, b: Shape) -> tuple[Point, Point]:
    """The nearest points of two outlines, each rounded once; ties go by the line between the centres."""
    distance = squared_distance(a, b)
    reach = (radius(a) + radius(b)) ** 2
    first, second = center(a), center(b)
    if overlap(a, b) or ((not has_inside(a) or not has_inside(b)) and distance <= reach):
        for shape in (a, b):
            if not has_inside(shape) and len({p for leg in borders(shape) for p in leg}) == 1:
                return center(shape), center(shape)
        x, y = Fraction(first.x + second.x, 2), Fraction(first.y + second.y, 2)
        middle = Point(nearest_integer(x), nearest_integer(y))
        return middle, middle
    equal = [pair for pair in [*pairs(a, b), *parallel_pairs(a, b)] if squared(*pair) == distance]

    def off_the_line(pair: tuple[Exact, Exact]) -> tuple[Number, Number, Number]:
        x, y = Fraction(pair[0][0] + pair[1][0], 2), Fraction(pair[0][1] + pair[1][1], 2)
        off = (second.x - first.x) * (y - first.y) - (second.y - first.y) * (x - first.x)
        return abs(off), y, x

    p, q = min(equal, key=off_the_line)
    return moved(p, q, radius(a)), moved(q, p, radius(b))


def parallel_pairs(a: Shape, b: Shape) -> Iterator[tuple[Exact, Exact]]:
    """Where two sides are parallel: the pair straight across whose middle is closest to the line of centres."""
    first, second = center(a), center(b)
    dx, dy = second.x - first.x, second.y - first.y
    for (px, py), (qx, qy) in borders(a):
        for (rx, ry), (sx, sy) in borders(b):
            ex, ey = qx - px, qy - py
            if ex * (sy - ry) != ey * (sx - rx) or not (ex or ey):
                continue
            # Straight across from the side of a lie the points of the line of b: p + t·e + across.
            length = ex * ex + ey * ey
            ends = sorted(Fraction((x - px) * ex + (y - py) * ey, length) for x, y in ((rx, ry), (sx, sy)))
            low, high = max(ends[0], Fraction(0)), min(ends[1], Fraction(1))
            slope = dx * ey - dy * ex
            if low > high or slope == 0:
                continue
            share = Fraction(ex * (ry - py) - ey * (rx - px), length)
            cx, cy = -ey * share, ex * share
            off = dx * (py + cy / 2 - first.y) - dy * (px + cx / 2 - first.x)
            t = min(max(-Fraction(off, slope), low), high)
            yield (px + t * ex, py + t * ey), (px + t * ex + cx, py + t * ey + cy)


def moved(p: Exact, towards: Exact, distance: Number) -> Point:
    """The grid point nearest to the one a distance away from p in a direction."""
    dx, dy = towards[0] - p[0], towards[1] - p[1]
    length = dx * dx + dy * dy
    if length == 0:
        return Point(nearest_integer(p[0]), nearest_integer(p[1]))
    return Point(
        _nearest_integer_to_sum(p[0], dx, Fraction(dx * dx * distance * distance, length)),
        _nearest_integer_to_sum(p[1], dy, Fraction(dy * dy * distance * distance, length)),
    )


def _nearest_integer_to_sum(start: Number, sign: Number, square: Fraction) -> int:
    """Round `start ± √square` to the nearest integer, halves away from zero, by trying the integers around it."""

    def at_least(bound: Fraction) -> bool:
        rest = bound - start  # is ±√square >= rest?
        if sign >= 0:
            return rest <= 0 or square >= rest * rest
        return rest <= 0 and square <= rest * rest

    def more_than(bound: Fraction) -> bool:
        rest = bound - start
        if sign >= 0:
            return rest < 0 or square > rest * rest
        return rest < 0 and square < rest * rest

    root = isqrt(square.numerator // square.denominator)
    guess = nearest_integer(start) + (root if sign >= 0 else -root)
    half = Fraction(1, 2)
    for value in range(guess - 3, guess + 4):
        up = more_than(value - half) or (at_least(value - half) and value > 0)
        down = not at_least(value + half) or (not more_than(value + half) and value < 0)
        if up and down:
            return value
    raise AssertionError(f"no integer is nearest to {start} and the root of {square}")


def crosses(shape: Shape, start: Point, end: Point) -> bool:
    """Whether the segment between two points, its ends left out, has a point strictly inside an outline."""
    if start == end or not has_inside(shape):
        return False
    line = (start, end)
    if isinstance(shape, Polygon):
        return any(side(shape, middle) > 0 for middle in middles(line, shape))
    return squared_distance(shape, Band((start, end), 0)) < radius(shape) ** 2


def share(a: Shape, b: Shape, start: Point, end: Point) -> bool:
    """Whether the segment between two points, its ends left out, has a point strictly inside both of two outlines.

    The borders of both cut it into pieces, and the middle of each tells. Where it meets a circle is no fraction, so
    the place is taken to 500 binary digits; two different places differ within the first 400.
    """
    if start == end:
        return False
    same = Fraction(1, 1 << 400)
    cuts = [Fraction(0), Fraction(1), *cut_places(a, start, end), *cut_places(b, start, end)]
    for low, high in pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        if high - low < same:
            continue
        share = (low + high) / 2
        point = (start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
        if core_side(a, point) > 0 and core_side(b, point) > 0:
            return True
    return False


def blocked(shape: Shape, low: int, high: int, a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """Whether the line between two points of space has a point strictly inside what rises from a height to a height.

    The border and both heights cut it into pieces, and the middle of each tells; places as in `share`.
    """
    start, end, climb = Point(a[0], a[1]), Point(b[0], b[1]), b[2] - a[2]
    cuts = [Fraction(0), Fraction(1), *(cut_places(shape, start, end) if start != end else ())]
    if climb:
        cuts += [Fraction(low - a[2], climb), Fraction(high - a[2], climb)]
    for first, last in pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        if last - first < Fraction(1, 1 << 400):
            continue
        share = (first + last) / 2
        point = (start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
        if low < a[2] + share * climb < high and core_side(shape, point) > 0:
            return True
    return False


def cut_places(shape: Shape, start: Point, end: Point) -> Iterator[Fraction]:
    """Where the line through two points may enter or leave an outline, as shares of the way."""
    px, py = start
    dx, dy = end.x - px, end.y - py
    length = dx * dx + dy * dy
    for (ax, ay), (bx, by) in borders(shape):
        ex, ey = bx - ax, by - ay
        slope = dx * ey - dy * ex
        if isinstance(shape, Polygon):
            yield Fraction((ax - px) * dx + (ay - py) * dy, length)
            if slope:
                yield Fraction((ax - px) * ey - (ay - py) * ex, slope)
            continue
        for cx, cy in ((ax, ay), (bx, by)):
            along = (cx - px) * dx + (cy - py) * dy
            under = along * along - length * ((cx - px) ** 2 + (cy - py) ** 2 - radius(shape) ** 2)
            if under >= 0:
                yield from (Fraction(along + sign * long_root(under), length) for sign in (-1, 1))
        if slope:
            wide = long_root(radius(shape) ** 2 * (ex * ex + ey * ey))
            yield from (Fraction((ax - px) * ey - (ay - py) * ex + sign * wide, slope) for sign in (-1, 1))


def long_root(square: Number) -> Fraction:
    """A root, rounded down after 600 binary digits."""
    return Fraction(isqrt((square.numerator << 1200) // square.denominator), 1 << 600)


def covers(outer: Shape, inner: Shape) -> bool:
    """Whether one outline lies wholly within another; of a band, within one of its legs."""
    corners = [p for leg in borders(inner) for p in leg]
    if not isinstance(outer, Polygon):
        room = radius(outer) - radius(inner)
        return room >= 0 and any(
            all(squared(p, foot(p, *leg)) <= room * room for p in corners) for leg in borders(outer)
        )
    if any(side(outer, p) < 0 for p in corners):
        return False
    if any(side(outer, middle) < 0 for leg in borders(inner) for middle in middles(leg, outer)):
        return False
    border = Band((*outer.points, outer.points[0]), 0)
    ring = inner if not isinstance(inner, Polygon) else Band((*inner.points, inner.points[0]), 0)
    return squared_distance(border, ring) >= radius(inner) ** 2


def in_arc(at: Point, facing: int, point: Point, start: int, end: int) -> bool:
    """Whether a point lies in an arc: look at the wedges of one degree that it consists of, one by one."""
    x, y = point.x - at.x, point.y - at.y
    if (x, y) == (0, 0) or end - start >= 360:
        return True
    first = facing + start
    for degree in range(first, first + (end - start) % 360 + 1):
        ux, uy = VECTORS[degree % 360]
        if ux * y == uy * x and ux * x + uy * y > 0:
            return True
        vx, vy = VECTORS[(degree + 1) % 360]
        if degree < first + (end - start) % 360 and ux * y > uy * x and x * vy > y * vx:
            return True
    return False
