"""Where a straight line runs inside outlines, exactly: open spans whose ends may be roots.

A place on the line from p to q is `t` from 0 to 1, kept as an `End` (a, b, c): `t = (a ± √|b|) / c` with c positive
and the sign that of b. Ends on different outlines are compared by squaring, in Python's integers, which know no
bounds; this is called for the few lines where it matters, not for every verdict.
"""

from functools import cmp_to_key
from math import isqrt

#: (a, b, c): (a + √b) / c, or (a - √-b) / c where b is negative.
End = tuple[int, int, int]
Span = tuple[End, End]
Points = tuple[tuple[int, int], ...]

START: End = (0, 0, 1)
FINISH: End = (1, 0, 1)


def sign_with_roots(whole: int, first: int, second: int = 0) -> int:
    """The sign of `whole ± √|first| ± √|second|`, each root with the sign of what is under it.

    >>> sign_with_roots(-3, 2, 2), sign_with_roots(3, -4, -1), sign_with_roots(0, 5, -4)
    (-1, 0, 1)
    """
    roots = (first + second > 0) - (first + second < 0)
    if whole == 0 or roots == 0 or (whole > 0) == (roots > 0):
        return roots if whole == 0 else (1 if whole > 0 else -1)
    # Opposite signs: compare the squares. (√x ± √y)² = x + y ± 2 √(x y).
    rest = whole * whole - abs(first) - abs(second)
    product = 4 * abs(first * second)
    if (first >= 0) != (second >= 0):
        product = -product
    larger = sign_with_roots(rest, -product) if product else (rest > 0) - (rest < 0)
    return larger if whole > 0 else -larger


def compare(one: End, other: End) -> int:
    """-1, 0 or 1 as one end lies before, at or after the other."""
    if one == other:
        return 0
    a, b, c = one
    d, e, f = other
    return sign_with_roots(a * f - d * c, b * f * f, -e * c * c)


_in_order = cmp_to_key(compare)


def spans(points: Points, filled: bool, twice: int, px: int, py: int, qx: int, qy: int) -> list[Span]:
    """The open spans of the line from p to q that lie strictly inside an outline, in order, within 0 and 1.

    >>> spans(((2, -1), (6, -1), (6, 1), (2, 1)), True, 0, 0, 0, 8, 0)
    [((16, 0, 64), (48, 0, 64))]
    """
    if filled:
        found = _through_polygon(points, px, py, qx - px, qy - py)
    elif twice == 0:
        found = []
    else:
        legs = list(zip(points, points[1:], strict=False)) or [(points[0], points[0])]
        found = [span for a, b in legs for span in _through_leg(a, b, twice, px, py, qx - px, qy - py)]
        found = _joined(found)
    clipped = []
    for low, high in found:
        low = START if compare(low, START) < 0 else low
        high = FINISH if compare(high, FINISH) > 0 else high
        if compare(low, high) < 0:
            clipped.append((low, high))
    return clipped


def share(
    a: Points, a_filled: bool, a_twice: int, b: Points, b_filled: bool, b_twice: int, px: int, py: int, qx: int, qy: int
) -> bool:
    """Whether the open segment from p to q has a point strictly inside both of two outlines."""
    first = spans(a, a_filled, a_twice, px, py, qx, qy)
    second = spans(b, b_filled, b_twice, px, py, qx, qy) if first else []
    return any(compare(one[0], other[1]) < 0 and compare(other[0], one[1]) < 0 for one in first for other in second)


def passes(points: Points, filled: bool, twice: int, px: int, py: int, qx: int, qy: int, first: End, last: End) -> bool:
    """Whether the line from p to q has a point strictly inside an outline between two of its places."""
    found = spans(points, filled, twice, px, py, qx, qy)
    return any(compare(start, last) < 0 and compare(first, end) < 0 for start, end in found)


def _through_polygon(points: Points, px: int, py: int, dx: int, dy: int) -> list[Span]:
    """Count the sides crossed just to the left and just to the right of the line: inside is where both are odd."""
    if not (dx or dy):
        return []
    crossed: list[tuple[End, bool, bool]] = []
    for i in range(len(points)):
        (ax, ay), (bx, by) = points[i - 1], points[i]
        first = dx * (ay - py) - dy * (ax - px)
        second = dx * (by - py) - dy * (bx - px)
        right = (first > 0) != (second > 0)
        left = (first >= 0) != (second >= 0)
        if right or left:
            slope = dx * (by - ay) - dy * (bx - ax)
            at = (ax - px) * (by - ay) - (ay - py) * (bx - ax)
            crossed.append(((at, 0, slope) if slope > 0 else (-at, 0, -slope), right, left))
    crossed.sort(key=lambda entry: _in_order(entry[0]))
    found: list[Span] = []
    odd_right = odd_left = False
    since: End | None = None
    for index, (end, right, left) in enumerate(crossed):
        odd_right, odd_left = odd_right != right, odd_left != left
        if index + 1 < len(crossed) and compare(end, crossed[index + 1][0]) == 0:
            continue
        if odd_right and odd_left:
            since = end if since is None else since
        elif since is not None:
            found.append((since, end))
            since = None
    return found


def _through_leg(a: tuple[int, int], b: tuple[int, int], twice: int, px: int, py: int, dx: int, dy: int) -> list[Span]:
    """Through all points nearer than half of `twice` to a segment: where the distance is just that, first and last."""
    (ax, ay), (bx, by) = a, b
    ex, ey = bx - ax, by - ay
    length = ex * ex + ey * ey
    # How far along the leg the foot of a place on the line lies: foot + t · speed, of `length`.
    foot, speed = (px - ax) * ex + (py - ay) * ey, dx * ex + dy * ey
    ends = [end for end in _through_circle(ax, ay, twice, px, py, dx, dy) if _sign_at(foot, speed, end) <= 0]
    last = _through_circle(bx, by, twice, px, py, dx, dy)
    ends += [end for end in last if _sign_at(foot - length, speed, end) >= 0]
    start, slope = ex * (py - ay) - ey * (px - ax), ex * dy - ey * dx
    if slope == 0 and length and 4 * start * start >= twice * twice * length:
        return []  # along the border, or past it
    if slope:
        # Doubled, as the radius is: 2 (start + t · slope) = ± twice · √length.
        under = twice * twice * length
        start, slope = (start, slope) if slope > 0 else (-start, -slope)
        beside = ((-2 * start, under, 2 * slope), (-2 * start, -under, 2 * slope))
        ends += [e for e in beside if _sign_at(foot, speed, e) >= 0 and _sign_at(foot - length, speed, e) <= 0]
    ends.sort(key=_in_order)
    return [(ends[0], ends[-1])] if ends and compare(ends[0], ends[-1]) < 0 else []


def _through_circle(cx: int, cy: int, twice: int, px: int, py: int, dx: int, dy: int) -> list[End]:
    square = dx * dx + dy * dy
    along = (cx - px) * dx + (cy - py) * dy
    across = dx * (cy - py) - dy * (cx - px)
    under = twice * twice * square - 4 * across * across
    if under < 0 or square == 0:
        return []
    return [(2 * along, -under, 2 * square), (2 * along, under, 2 * square)]


def _sign_at(start: int, speed: int, end: End) -> int:
    """The sign of `start + speed · t` at an end."""
    a, b, c = end
    return sign_with_roots(start * c + speed * a, speed * abs(speed) * b)


def _joined(found: list[Span]) -> list[Span]:
    """Spans in order, those that overlap made one."""
    found.sort(key=lambda span: _in_order(span[0]))
    out: list[Span] = []
    for low, high in found:
        if out and compare(low, out[-1][1]) < 0:
            if compare(high, out[-1][1]) > 0:
                out[-1] = (out[-1][0], high)
        else:
            out.append((low, high))
    return out


def place(end: End, px: int, py: int, qx: int, qy: int) -> tuple[int, int]:
    """The grid point nearest to a place on the line, for drawing; each coordinate is rounded once.

    >>> place((1, 0, 3), 0, 0, 10, -5)
    (3, -2)
    """
    return _on_axis(end, px, qx - px), _on_axis(end, py, qy - py)


def _on_axis(end: End, start: int, step: int) -> int:
    a, b, c = end
    whole, under, over = start * c + step * a, step * abs(step) * b, c
    if sign_with_roots(whole, under) < 0:
        return -_half_up(-whole, -under, over)
    return _half_up(whole, under, over)


def _half_up(whole: int, under: int, over: int) -> int:
    """`(whole ± √|under|) / over`, which is not negative, to the nearest integer, halves up."""
    whole, under = 2 * whole + over, 4 * under
    root = isqrt(under) if under >= 0 else -(isqrt(-under - 1) + 1)
    return (whole + root) // (2 * over)
