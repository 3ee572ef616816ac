"""The parts of a straight line that lie inside a shape, as whole distances along the line.

What a centre crosses on its way (contours, roads, the ground of rulesets that pay by length) is answered here. The
line is the exact segment between its two grid points; a distance `d` along it stands for the exact point `d / length`
of the way. Each end of a chord is rounded outwards once, an entry down and an exit up, so whether a chord begins or
ends before a whole distance is never a matter of rounding. Chords less than a thousandth apart become one.
"""

from collections.abc import Iterable
from functools import cmp_to_key
from itertools import pairwise
from math import isqrt

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.field import _kernel
from sandtable.field.outlines import core_of

#: From where to where, in whole distances along.
Interval = tuple[int, int]
#: A part of the line, over and under: whole numbers, for they are quicker than fractions and as exact.
Part = tuple[int, int]


def chords(shape: Shape, a: Point, b: Point, length: int, border: bool = False) -> tuple[Interval, ...]:
    """Where the line from `a` to `b`, `length` long, runs inside a shape; with `border` its border belongs to it.

    >>> from sandtable.engine.shapes import rectangle
    >>> chords(rectangle(2000, 0, 3000, 2000), Point(0, 1000), Point(9000, 1000), 9000)
    ((2000, 5000),)
    >>> chords(rectangle(2000, 0, 3000, 2000), Point(0, 0), Point(9000, 0), 9000)
    ()
    >>> chords(rectangle(2000, 0, 3000, 2000), Point(0, 0), Point(9000, 0), 9000, border=True)
    ((2000, 5000),)
    """
    if a == b:
        return ()
    if isinstance(shape, Polygon):
        if not border and not meets(shape, a, b, length):
            return ()
        found = _through_polygon(shape.points, a, b, length, border)
    elif isinstance(shape, Disc):
        found = _through_disc(shape.center, 2 * shape.radius, a, b, length, border)
    else:
        found = _through_band(shape, a, b, length, border)
    return merged(_clipped(found, length))


def meets(shape: Shape, a: Point, b: Point, length: int) -> bool:
    """Whether there is any chord, which is quicker to tell than where.

    >>> from sandtable.engine.shapes import rectangle
    >>> meets(rectangle(2000, 0, 3000, 2000), Point(0, 1000), Point(9000, 1000), 9000)
    True
    """
    if isinstance(shape, Polygon):
        return _kernel.crosses(core_of(shape), *a, *b)
    return bool(chords(shape, a, b, length))


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The union of some intervals, in order; those that touch become one.

    >>> merged([(5, 7), (0, 2), (2, 3)])
    ((0, 3), (5, 7))
    """
    out: list[Interval] = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return tuple(out)


def covers_all(intervals: Iterable[Interval], start: int, end: int) -> bool:
    """Whether merged intervals hold the whole of another one.

    >>> covers_all(((0, 3), (5, 9)), 5, 8), covers_all(((0, 3), (5, 9)), 2, 6)
    (True, False)
    """
    return any(low <= start and end <= high for low, high in intervals)


def _clipped(intervals: Iterable[Interval], length: int) -> list[Interval]:
    return [(max(low, 0), min(high, length)) for low, high in intervals if high >= 0 and low <= length]


def _through_polygon(points: tuple[Point, ...], a: Point, b: Point, length: int, border: bool) -> list[Interval]:
    ux, uy = b[0] - a[0], b[1] - a[1]
    squared = ux * ux + uy * uy
    cuts: list[Part] = [(0, 1), (1, 1)]
    met = False
    px, py = points[-1]
    side_p = ux * (py - a[1]) - uy * (px - a[0])
    for qx, qy in points:
        side_q = ux * (qy - a[1]) - uy * (qx - a[0])
        if not (side_p > 0 and side_q > 0) and not (side_p < 0 and side_q < 0):
            met = True
            if side_p == side_q:
                cuts.append(((px - a[0]) * ux + (py - a[1]) * uy, squared))
                cuts.append(((qx - a[0]) * ux + (qy - a[1]) * uy, squared))
            else:
                ex, ey = qx - px, qy - py
                over, under = (px - a[0]) * ey - (py - a[1]) * ex, ux * ey - uy * ex
                cuts.append((over, under) if under > 0 else (-over, -under))
        px, py, side_p = qx, qy, side_q
    if not met:
        return []
    ordered = sorted((one for one in cuts if 0 <= one[0] <= one[1]), key=_in_order)
    found: list[Interval] = []
    was_inside = False
    for (low, under_low), (high, under_high) in pairwise(ordered):
        if low * under_high == high * under_low:
            continue
        middle = low * under_high + high * under_low, 2 * under_low * under_high
        if not _holds(points, a, (ux, uy), middle, border):
            was_inside = False
            continue
        start, end = low * length // under_low, -(-high * length // under_high)
        # Through a corner from inside to inside: the line never left.
        if was_inside:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
        was_inside = True
    return found


def _compare(one: Part, other: Part) -> int:
    return one[0] * other[1] - other[0] * one[1]


_in_order = cmp_to_key(_compare)


def _holds(points: tuple[Point, ...], a: Point, u: tuple[int, int], t: Part, border: bool) -> bool:
    """Whether a polygon holds the exact point `a + t u`, by counting the edges to the east of it."""
    along, scale = t
    x, y = a[0] * scale + u[0] * along, a[1] * scale + u[1] * along
    odd = False
    px, py = points[-1][0] * scale, points[-1][1] * scale
    for corner_x, corner_y in points:
        qx, qy = corner_x * scale, corner_y * scale
        cross = (qx - px) * (y - py) - (qy - py) * (x - px)
        if cross == 0 and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
            return border
        if (py > y) != (qy > y) and (cross > 0) == (qy > py):
            odd = not odd
        px, py = qx, qy
    return odd


def _through_disc(center: Point, twice_radius: int, a: Point, b: Point, length: int, border: bool) -> list[Interval]:
    ux, uy = b[0] - a[0], b[1] - a[1]
    wx, wy = a[0] - center[0], a[1] - center[1]
    # All doubled, as half an odd width is no integer.
    square = 4 * (ux * ux + uy * uy)
    slope = 4 * (wx * ux + wy * uy)
    root = slope * slope - square * (4 * (wx * wx + wy * wy) - twice_radius * twice_radius)
    if root < 0 or (root == 0 and not border):
        return []
    reach = _root_up(length * length * root)
    return [((-length * slope - reach) // square, -((length * slope - reach) // square))]


def _through_band(band: Band, a: Point, b: Point, length: int, border: bool) -> list[Interval]:
    found: list[Interval] = []
    for p in band.points:
        found += _through_disc(p, band.width, a, b, length, border)
    for p, q in pairwise(band.points):
        if p != q:
            found += _through_side(p, q, band.width, a, b, length, border)
    return found


def _through_side(p: Point, q: Point, width: int, a: Point, b: Point, length: int, border: bool) -> list[Interval]:
    """Through the rectangle of a band beside one of its segments, the two ends left to the discs there."""
    vx, vy = q[0] - p[0], q[1] - p[1]
    ux, uy = b[0] - a[0], b[1] - a[1]
    wx, wy = a[0] - p[0], a[1] - p[1]
    size = vx * vx + vy * vy
    low, high = 0, length
    # Between the two ends: 0 <= (w + t u) · v <= v · v.
    start, step = wx * vx + wy * vy, ux * vx + uy * vy
    if step == 0:
        if not 0 <= start <= size:
            return []
    else:
        one, other = -start * length, (size - start) * length
        if step < 0:
            one, other, step = -other, -one, -step
        low, high = max(low, one // step), min(high, -(-other // step))
    # Less than half the width to either side: 2 |(w + t u) × v| < width |v|.
    start, step = 2 * (wx * vy - wy * vx), 2 * (ux * vy - uy * vx)
    squared = width * width * size
    if step == 0:
        if start * start > squared or (start * start == squared and not border):
            return []
    else:
        if step < 0:
            start, step = -start, -step
        reach = _root_up(squared * length * length)
        low = max(low, (-start * length - reach) // step)
        high = min(high, -((start * length - reach) // step))
    return [(low, high)] if low < high else []


def _root_up(value: int) -> int:
    root = isqrt(value)
    return root if root * root == value else root + 1
