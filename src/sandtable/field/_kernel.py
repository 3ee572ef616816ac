# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The kernel of the exact table, in Cython's pure-Python mode: compiled or interpreted, the same answers.

Every outline is a core (a point, a line of points, a filled polygon) and a radius around it, kept doubled. With
every coordinate within 2^20, differences stay within 2^21, cross products within 2^43, their squares within 2^86;
whatever may pass 2^63 is `wide`, 128 bits when compiled. The largest, in `_across` and `_passes_disc`, stay within
2^112: heights are within 2^32.

Divisions only ever meet numbers that are not negative, so that C and Python agree about them. A `num` has 64 bits.
"""

# ruff: noqa: F821, FURB136, I001  (`num` and `wide` are declared in the .pxd; the interpreter never looks at them)
from __future__ import annotations

from array import array
from math import isqrt

try:
    import cython
except ImportError:
    from sandtable.field import _cython_shim as cython

from sandtable.field._kernel_spans import passes, share

#: How high above or below the board something may be.
HIGHEST = 1 << 32


def compiled():
    """Whether this is the compiled kernel."""
    return cython.compiled


@cython.final
@cython.cclass
class Core:
    """A shape as the kernel sees it: its points (a filled one's first again at the end), and its radius doubled."""

    flat: object
    xy: num[::1]
    edges: cython.int
    corners: cython.int
    filled: cython.bint
    convex: cython.bint
    simple: cython.bint
    twice: num
    cx: num
    cy: num
    west: num
    north: num
    east: num
    south: num

    def __init__(self, points, filled, twice, convex, center):
        flat = array("q")
        for x, y in points:
            flat.append(x)
            flat.append(y)
        self.corners = len(points)
        self.edges = self.corners
        if filled or self.corners == 1:
            flat.append(flat[0])
            flat.append(flat[1])
        else:
            self.edges = self.corners - 1
        self.flat = flat
        self.xy = flat
        self.filled = filled
        self.convex = convex
        # What the bases of models are: a point, a disc or a convex polygon.
        self.simple = convex if filled else self.corners == 1
        self.twice = twice
        self.cx, self.cy = center
        # The box around it, doubled like the radius.
        self.west = 2 * min(flat[0::2]) - twice
        self.east = 2 * max(flat[0::2]) + twice
        self.north = 2 * min(flat[1::2]) - twice
        self.south = 2 * max(flat[1::2]) + twice

    @property
    def points(self):
        return tuple((self.xy[2 * i], self.xy[2 * i + 1]) for i in range(self.corners))

    @property
    def center(self):
        return self.cx, self.cy

    @property
    def is_filled(self):
        return self.filled

    @property
    def twice_radius(self):
        return self.twice

    @property
    def is_simple(self):
        return self.simple

    @property
    def farthest(self):
        """How far it reaches from the origin in x or y, doubled."""
        return max(-self.west, -self.north, self.east, self.south)

    @property
    def box(self):
        return self.west, self.north, self.east, self.south


@cython.final
@cython.cclass
class Line:
    """The line between two bases, and how far they are apart, rounded up."""

    px: num
    py: num
    qx: num
    qy: num
    gap: num

    def __init__(self):
        self.px = self.py = self.qx = self.qy = self.gap = 0


# ---- numbers ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def _root(square: wide) -> num:
    """The integer root, rounded down, by Newton's steps from a power of two above it."""
    if not cython.compiled:
        return isqrt(square)
    if square <= 0:
        return 0
    bits: cython.int = 0
    rest: wide = square
    while rest > 0:
        rest = rest >> 1
        bits += 1
    guess: wide = 1
    guess = guess << ((bits + 1) // 2)
    while True:
        better: wide = (guess + square // guess) // 2
        if better >= guess:
            return guess
        guess = better


@cython.cfunc
@cython.exceptval(check=False)
def _root_up(square: wide) -> num:
    root: num = _root(square)
    wider: wide = root
    return root if wider * wider == square else root + 1


@cython.cfunc
@cython.exceptval(check=False)
def _rounded(numerator: wide, denominator: wide) -> num:
    """To the nearest integer, halves away from zero; the denominator is positive."""
    if numerator >= 0:
        return (2 * numerator + denominator) // (2 * denominator)
    return -((denominator - 2 * numerator) // (2 * denominator))


@cython.cfunc
@cython.exceptval(check=False)
def _shifted(start: num, twice: num, part: num, square: num) -> num:
    """`start + twice / 2 · part / √square` to the nearest integer, halves away from zero."""
    if part < 0:
        return -_shifted(-start, twice, -part, square)
    over: wide = twice
    over = over * over * part * part
    doubled: num = 2 * start + _root(over // square)
    if doubled >= 0:
        return (doubled + 1) // 2
    # Below zero a half goes down: look at the number from the other side, where the root is rounded up.
    up: wide = (over + square - 1) // square
    doubled = -2 * start - _root_up(up)
    return -((doubled + 1) // 2)


# ---- points, segments, polygons --------------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _turn(ax: num, ay: num, bx: num, by: num, cx: num, cy: num) -> num:
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@cython.cfunc
@cython.exceptval(check=False)
def _side(core: Core, x2: num, y2: num) -> cython.int:
    """1 strictly inside a filled core, 0 on its border, -1 outside; the point comes doubled."""
    odd: cython.bint = False
    i: cython.int
    ax: num
    bx: num
    by: num
    turn: num
    ay: num = 2 * core.xy[1]
    for i in range(core.edges):
        by = 2 * core.xy[2 * i + 3]
        if not ((ay > y2 and by > y2) or (ay < y2 and by < y2)):
            ax = 2 * core.xy[2 * i]
            bx = 2 * core.xy[2 * i + 2]
            turn = _turn(ax, ay, bx, by, x2, y2)
            if turn == 0 and not ((ax > x2 and bx > x2) or (ax < x2 and bx < x2)):
                return 0
            if (ay > y2) != (by > y2) and (turn > 0) == (by > ay):
                odd = not odd
        ay = by
    return 1 if odd else -1


@cython.cfunc
@cython.exceptval(check=False)
def _meet(ax: num, ay: num, bx: num, by: num, cx: num, cy: num, dx: num, dy: num) -> cython.bint:
    """Whether two closed segments share a point."""
    if max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx) or max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
        return False
    first: num = _turn(ax, ay, bx, by, cx, cy)
    second: num = _turn(ax, ay, bx, by, dx, dy)
    if (first > 0 and second > 0) or (first < 0 and second < 0):
        return False
    first = _turn(cx, cy, dx, dy, ax, ay)
    second = _turn(cx, cy, dx, dy, bx, by)
    return not ((first > 0 and second > 0) or (first < 0 and second < 0))


@cython.cfunc
@cython.exceptval(check=False)
def _nearer(best: num, up: cython.bint, px: num, py: num, ax: num, ay: num, bx: num, by: num) -> num:
    """The lesser of `best` and four times the squared distance of a point from a segment, rounded up or down."""
    ex: num = bx - ax
    ey: num = by - ay
    wx: num = px - ax
    wy: num = py - ay
    length: num = ex * ex + ey * ey
    along: num = wx * ex + wy * ey
    value: num
    if along <= 0:
        value = 4 * (wx * wx + wy * wy)
    elif along >= length:
        wx = px - bx
        wy = py - by
        value = 4 * (wx * wx + wy * wy)
    else:
        across: wide = ex * wy - ey * wx
        limit: wide = best
        across = 4 * across * across
        if across >= limit * length:
            return best
        value = across // length
        if up and across % length != 0:
            value += 1
    return value if value < best else best


@cython.cfunc
@cython.exceptval(check=False)
def _square_to_segment(core: Core, px: num, py: num, qx: num, qy: num, up: cython.bint) -> num:
    """Four times the squared distance of the border of a core from a segment, rounded up or down."""
    best: num = 1 << 50  # more than four times any squared distance
    i: cython.int
    for i in range(core.edges):
        ax: num = core.xy[2 * i]
        ay: num = core.xy[2 * i + 1]
        bx: num = core.xy[2 * i + 2]
        by: num = core.xy[2 * i + 3]
        if _meet(ax, ay, bx, by, px, py, qx, qy):
            return 0
        best = _nearer(best, up, ax, ay, px, py, qx, qy)
        best = _nearer(best, up, bx, by, px, py, qx, qy)
        best = _nearer(best, up, px, py, ax, ay, bx, by)
        best = _nearer(best, up, qx, qy, ax, ay, bx, by)
    return best


@cython.cfunc
@cython.exceptval(check=False)
def _square(a: Core, b: Core, up: cython.bint, enough: num) -> num:
    """Four times the squared distance of two cores, rounded up or down; or anything from `enough` down, once found."""
    if a.filled and _side(a, 2 * b.xy[0], 2 * b.xy[1]) >= 0:
        return 0
    if b.filled and _side(b, 2 * a.xy[0], 2 * a.xy[1]) >= 0:
        return 0
    best: num = 1 << 50  # more than four times any squared distance
    found: num
    i: cython.int
    for i in range(b.edges):
        found = _square_to_segment(a, b.xy[2 * i], b.xy[2 * i + 1], b.xy[2 * i + 2], b.xy[2 * i + 3], up)
        if found < best:
            best = found
            if best <= enough:
                return best
    return best


@cython.cfunc
@cython.exceptval(check=False)
def _enters(core: Core, px: num, py: num, qx: num, qy: num, which: cython.int) -> cython.bint:
    """Whether the open segment from p to q meets the interior of a filled core (which = 1), or what is outside (-1).

    If a side properly crosses it, it does. Else the border meets it only in corners and along sides, so that it is
    cut at grid points into pieces that lie wholly inside, wholly outside or on the border: their middles tell.
    """
    i: cython.int
    corner_on_it: cython.bint = False
    dx: num = qx - px
    dy: num = qy - py
    length: num = dx * dx + dy * dy
    along: num
    after: num
    ax: num = core.xy[0]
    ay: num = core.xy[1]
    first: num = dx * (ay - py) - dy * (ax - px)
    for i in range(core.edges):
        bx: num = core.xy[2 * i + 2]
        by: num = core.xy[2 * i + 3]
        second: num = dx * (by - py) - dy * (bx - px)
        if (first > 0 and second < 0) or (first < 0 and second > 0):
            along = _turn(ax, ay, bx, by, px, py)
            after = _turn(ax, ay, bx, by, qx, qy)
            if (along > 0 and after < 0) or (along < 0 and after > 0):
                return True
        elif first == 0:
            along = dx * (ax - px) + dy * (ay - py)
            if 0 < along < length:
                corner_on_it = True
        ax = bx
        ay = by
        first = second
    if not corner_on_it:
        return _side(core, px + qx, py + qy) == which
    fromx: num = px
    fromy: num = py
    reached: num = 0
    while reached < length:
        # The next corner on the segment after the one reached, or its end.
        after = length
        tox: num = qx
        toy: num = qy
        for i in range(core.corners):
            ax = core.xy[2 * i]
            ay = core.xy[2 * i + 1]
            if dx * (ay - py) - dy * (ax - px) == 0:
                along = dx * (ax - px) + dy * (ay - py)
                if reached < along < after:
                    after = along
                    tox = ax
                    toy = ay
        if _side(core, fromx + tox, fromy + toy) == which:
            return True
        reached = after
        fromx = tox
        fromy = toy
    return False


@cython.cfunc
@cython.exceptval(check=False)
def _crosses(core: Core, px: num, py: num, qx: num, qy: num) -> cython.bint:
    """Whether the open segment from p to q meets the interior of a core with its radius."""
    if 2 * max(px, qx) <= core.west or 2 * min(px, qx) >= core.east:
        return False
    if 2 * max(py, qy) <= core.north or 2 * min(py, qy) >= core.south:
        return False
    if px == qx and py == qy:
        return False
    if core.filled:
        return _enters(core, px, py, qx, qy, 1)
    if core.twice == 0:
        return False
    return _square_to_segment(core, px, py, qx, qy, False) < core.twice * core.twice


@cython.cfunc
@cython.exceptval(check=False)
def _holds(core: Core, x: num, y: num) -> cython.bint:
    """Whether a point lies strictly inside a core with its radius."""
    if 2 * x <= core.west or 2 * x >= core.east or 2 * y <= core.north or 2 * y >= core.south:
        return False
    if core.filled:
        return _side(core, 2 * x, 2 * y) > 0
    return _square_to_segment(core, x, y, x, y, False) < core.twice * core.twice


# ---- two outlines ----------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def _overlap_filled(a: Core, b: Core) -> cython.bint:
    """Whether two polygons share an inner point.

    They do if a side of one runs through the inside of the other. If none does, their insides are apart or the same;
    and they are the same only if each has all its corners on the border of the other.
    """
    i: cython.int
    for i in range(a.edges):
        if _enters(b, a.xy[2 * i], a.xy[2 * i + 1], a.xy[2 * i + 2], a.xy[2 * i + 3], 1):
            return True
    for i in range(b.edges):
        if _enters(a, b.xy[2 * i], b.xy[2 * i + 1], b.xy[2 * i + 2], b.xy[2 * i + 3], 1):
            return True
    for i in range(a.corners):
        if _side(b, 2 * a.xy[2 * i], 2 * a.xy[2 * i + 1]) != 0:
            return False
    for i in range(b.corners):
        if _side(a, 2 * b.xy[2 * i], 2 * b.xy[2 * i + 1]) != 0:
            return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _apart(a: Core, b: Core) -> cython.bint:
    """Whether a side of one convex polygon has all of another on its outer side, or on itself."""
    i: cython.int
    j: cython.int
    for i in range(a.edges):
        for j in range(b.corners):
            if _turn(a.xy[2 * i], a.xy[2 * i + 1], a.xy[2 * i + 2], a.xy[2 * i + 3], b.xy[2 * j], b.xy[2 * j + 1]) > 0:
                break
        else:
            return True
    return False


@cython.cfunc
@cython.exceptval(check=False)
def _overlap(a: Core, b: Core) -> cython.bint:
    """Whether two outlines share an inner point."""
    if a.east <= b.west or b.east <= a.west or a.south <= b.north or b.south <= a.north:
        return False
    if not ((a.filled or a.twice > 0) and (b.filled or b.twice > 0)):
        return False
    radii: num = a.twice + b.twice
    if radii > 0:
        return _square(a, b, False, radii * radii - 1) < radii * radii
    if a.convex and b.convex:
        return not (_apart(a, b) or _apart(b, a))
    return _overlap_filled(a, b)


@cython.cfunc
@cython.exceptval(check=False)
def _within(a: Core, b: Core, distance: num) -> cython.bint:
    """Whether two outlines are at most a distance apart; if they overlap they are."""
    reach: num = 2 * distance
    if a.east + reach < b.west or b.east + reach < a.west or a.south + reach < b.north or b.south + reach < a.north:
        return False
    reach += a.twice + b.twice
    return _square(a, b, True, reach * reach) <= reach * reach


@cython.cfunc
@cython.exceptval(check=False)
def _gap(a: Core, b: Core, up: cython.bint) -> num:
    if up and a.simple and b.simple:
        line: Line = Line()
        _join(a, b, line)
        return line.gap
    if _overlap(a, b):
        return -1
    doubled: num = _square(a, b, up, 0)
    if up:
        doubled = _root_up(doubled) - a.twice - b.twice + 1
    else:
        doubled = _root(doubled) - a.twice - b.twice
    return doubled // 2 if doubled > 0 else 0


# ---- the line between two bases --------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def _facing_side(a: Core, b: Core) -> cython.int:
    """The side of a convex polygon that is nearest to another base.

    -1 where some side has all of the other before it, but what is nearest is a corner; -2 if none has it before it.
    Of the sides that meet in a corner the other base touches, the one it touches along more than a point.
    """
    i: cython.int
    j: cython.int
    answer: cython.int = -2
    for i in range(a.edges):
        ax: num = a.xy[2 * i]
        ay: num = a.xy[2 * i + 1]
        ex: num = a.xy[2 * i + 2] - ax
        ey: num = a.xy[2 * i + 3] - ay
        length: num = ex * ex + ey * ey
        nearest: num = -(1 << 50)
        low: num = 0
        high: num = 0
        for j in range(b.corners):
            wx: num = b.xy[2 * j] - ax
            wy: num = b.xy[2 * j + 1] - ay
            turn: num = ex * wy - ey * wx
            if turn > 0:
                nearest = turn
                break
            along: num = ex * wx + ey * wy
            if turn > nearest:
                nearest = turn
                low = along
                high = along
            elif turn == nearest:
                low = min(low, along)
                high = max(high, along)
        if nearest <= 0:
            answer = max(answer, -1)
            low = max(low, 0)
            high = min(high, length)
            if low < high or (low == high and nearest < 0):
                return i
            if low == high:
                answer = i
    return answer


@cython.cfunc
@cython.exceptval(check=False)
def _across(a: Core, i: cython.int, b: Core, line: Line) -> cython.bint:
    """Join side i of polygon a with what is nearest to it of b; False where the two overlap.

    Where a side of b lies parallel, every pair straight across is equally near: the middle of the best one lies on
    the line between the centres, or as near to it as the two sides allow.
    """
    sx: num = a.xy[2 * i]
    sy: num = a.xy[2 * i + 1]
    ex: num = a.xy[2 * i + 2] - sx
    ey: num = a.xy[2 * i + 3] - sy
    length: num = ex * ex + ey * ey
    nearest: num = -(1 << 50)
    low: num = 0
    high: num = 0
    corner: cython.int = 0
    j: cython.int
    for j in range(b.corners):
        wx: num = b.xy[2 * j] - sx
        wy: num = b.xy[2 * j + 1] - sy
        turn: num = ex * wy - ey * wx
        along: num = ex * wx + ey * wy
        if turn > nearest:
            nearest = turn
            low = along
            high = along
            corner = j
        elif turn == nearest:
            low = min(low, along)
            high = max(high, along)
    squared: wide = nearest
    squared = 4 * squared * squared
    radius: wide = b.twice
    if squared < radius * radius * length:
        return False
    line.gap = (_root_up((squared + length - 1) // length) - b.twice + 1) // 2
    low = max(low, 0)
    high = min(high, length)
    # The point of the side lies share / over of its squared length along it.
    share: wide = low
    over: wide = 1
    if low < high:
        dx: num = b.cx - a.cx
        dy: num = b.cy - a.cy
        slope: wide = dx * ey - dy * ex
        if slope != 0:
            off: wide = dx * (sy - a.cy) - dy * (sx - a.cx)
            tilt: wide = dx * ex + dy * ey
            share = -(2 * off * length + nearest * tilt)
            over = 2 * slope
            if over < 0:
                share = -share
                over = -over
            if share < low * over:
                share = low
                over = 1
            elif share > high * over:
                share = high
                over = 1
        elif ey < 0 or (ey == 0 and ex < 0):
            share = high
    whole: wide = over * length
    line.px = _rounded(sx * whole + ex * share, whole)
    line.py = _rounded(sy * whole + ey * share, whole)
    if b.filled:
        line.qx = _rounded(sx * whole + ex * share - ey * over * nearest, whole)
        line.qy = _rounded(sy * whole + ey * share + ex * over * nearest, whole)
    else:
        line.qx = _shifted(b.xy[2 * corner], b.twice, -ey, length)
        line.qy = _shifted(b.xy[2 * corner + 1], b.twice, ex, length)
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _corner_to_corner(a: Core, b: Core, line: Line) -> cython.bint:
    """Join the two nearest corners (or centres of discs); False where the two overlap."""
    best: num = 1 << 50  # more than four times any squared distance
    i: cython.int
    j: cython.int
    p: cython.int = 0
    q: cython.int = 0
    for i in range(a.corners):
        for j in range(b.corners):
            dx: num = b.xy[2 * j] - a.xy[2 * i]
            dy: num = b.xy[2 * j + 1] - a.xy[2 * i + 1]
            square: num = dx * dx + dy * dy
            if square < best:
                best = square
                p = i
                q = j
    radii: num = a.twice + b.twice
    if 4 * best < radii * radii:
        return False
    line.gap = (_root_up(4 * best) - radii + 1) // 2
    line.px = a.xy[2 * p]
    line.py = a.xy[2 * p + 1]
    line.qx = b.xy[2 * q]
    line.qy = b.xy[2 * q + 1]
    dx = line.qx - line.px
    dy = line.qy - line.py
    if best > 0 and a.twice > 0:
        line.px = _shifted(line.px, a.twice, dx, best)
        line.py = _shifted(line.py, a.twice, dy, best)
    if best > 0 and b.twice > 0:
        line.qx = _shifted(line.qx, b.twice, -dx, best)
        line.qy = _shifted(line.qy, b.twice, -dy, best)
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _join(a: Core, b: Core, line: Line) -> cython.bint:
    """The nearest points of two bases and their gap, into `line`. Bases are points, discs and convex polygons."""
    ours: cython.int = _facing_side(a, b) if a.filled else -2
    theirs: cython.int = _facing_side(b, a) if b.filled and ours < 0 else -2
    apart: cython.bint = False
    if ours >= 0:
        apart = _across(a, ours, b, line)
    elif theirs >= 0:
        apart = _across(b, theirs, a, line)
        line.px, line.qx = line.qx, line.px
        line.py, line.qy = line.qy, line.py
    elif ours == -1 or theirs == -1 or not (a.filled or b.filled):
        apart = _corner_to_corner(a, b, line)
    if apart:
        return True
    if (a.filled or a.twice > 0) and (b.filled or b.twice > 0):
        line.gap = -1
        line.px = _rounded(a.cx + b.cx, 2)
        line.py = _rounded(a.cy + b.cy, 2)
    else:
        # A bare point on or in the other: the point itself.
        line.gap = 0
        line.px = a.cx if not a.filled and a.twice == 0 else b.cx
        line.py = a.cy if not a.filled and a.twice == 0 else b.cy
    line.qx = line.px
    line.qy = line.py
    return False


# ---- lines through space ---------------------------------------------------------------------------------------------


@cython.final
@cython.cclass
class Upright:
    """What stands upright on a core, from a height to a height."""

    core: Core
    low: num
    high: num

    def __init__(self, core: Core, low, high):
        if low < -HIGHEST or high > HIGHEST:
            raise OverflowError(f"something from {low} to {high} high is beyond what the exact table computes")
        self.core = core
        self.low = low
        self.high = high


@cython.cfunc
@cython.exceptval(check=False)
def _passes_disc(core: Core, px: num, py: num, dx: num, dy: num, first: num, last: num, whole: num) -> cython.bint:
    """Whether p + t · d is strictly inside a disc for some t between first / whole and last / whole.

    The distance to the centre falls up to its least and rises from there: where it is least within the stretch decides.
    """
    fx: num = px - core.xy[0]
    fy: num = py - core.xy[1]
    square: wide = dx * dx + dy * dy
    along: wide = -(fx * dx + fy * dy)
    twice: wide = core.twice
    at: wide = first
    if square > 0 and along * whole > first * square:
        if along * whole < last * square:
            across: wide = dx * fy - dy * fx
            return 4 * across * across < twice * twice * square
        at = last
    over: wide = whole
    x: wide = fx * over + dx * at
    y: wide = fy * over + dy * at
    return 4 * (x * x + y * y) < twice * twice * over * over


@cython.cfunc
@cython.exceptval(check=False)
def _passes_polygon(core: Core, px: num, py: num, dx: num, dy: num, first: num, last: num, whole: num) -> cython.bint:
    """Whether p + t · d is strictly inside a convex polygon for some t between first / whole and last / whole.

    Each side leaves of the stretch what lies to its right.
    """
    i: cython.int
    start: wide = first
    start_over: wide = whole
    end: wide = last
    end_over: wide = whole
    inside: wide
    change: wide
    for i in range(core.edges):
        ax: num = core.xy[2 * i]
        ay: num = core.xy[2 * i + 1]
        ex: num = core.xy[2 * i + 2] - ax
        ey: num = core.xy[2 * i + 3] - ay
        inside = ex * (py - ay) - ey * (px - ax)
        change = ex * dy - ey * dx
        if change == 0:
            if inside <= 0:
                return False
        elif change > 0:
            if -inside * start_over > start * change:
                start = -inside
                start_over = change
        elif inside * end_over < -change * end:
            end = inside
            end_over = -change
    return start * end_over < end * start_over


@cython.cfunc
@cython.exceptval(-1)
def _blocks(wall: Upright, ax: num, ay: num, az: num, bx: num, by: num, bz: num) -> cython.int:
    """Whether the line from a to b has a point strictly inside what stands upright."""
    core: Core = wall.core
    if max(az, bz) <= wall.low or min(az, bz) >= wall.high or wall.low >= wall.high:
        return 0
    if 2 * max(ax, bx) <= core.west or 2 * min(ax, bx) >= core.east:
        return 0
    if 2 * max(ay, by) <= core.north or 2 * min(ay, by) >= core.south:
        return 0
    # The stretch of the line that is between the two heights, as parts of the whole of it.
    first: num = 0
    last: num = 1
    whole: num = 1
    if bz > az:
        whole = bz - az
        first = max(wall.low - az, 0)
        last = min(wall.high - az, whole)
    elif bz < az:
        whole = az - bz
        first = max(az - wall.high, 0)
        last = min(az - wall.low, whole)
    if core.simple:
        if core.filled:
            return _passes_polygon(core, ax, ay, bx - ax, by - ay, first, last, whole)
        return _passes_disc(core, ax, ay, bx - ax, by - ay, first, last, whole)
    if ax == bx and ay == by:
        return _holds(core, ax, ay)
    ends = ((first, 0, whole), (last, 0, whole))
    return bool(passes(core.points, core.filled, core.twice, ax, ay, bx, by, *ends))


def in_view(walls: list, ax: num, ay: num, az: num, points, enough):
    """Those of some places to which nothing blocks the line from a; no more of them are looked for than are enough."""
    most: num = HIGHEST
    found: list = []
    wall: Upright
    blocker: Upright = None
    x: num
    y: num
    z: num
    hidden: cython.bint
    for point in points:
        x, y, z = point
        if max(z, az) > most or min(z, az) < -most:
            raise OverflowError(f"a line from {az} to {z} high is beyond what the exact table computes")
        # What has hidden the last one is the likeliest to hide the next.
        hidden = blocker is not None and _blocks(blocker, ax, ay, az, x, y, z)
        if not hidden:
            for wall in walls:
                if _blocks(wall, ax, ay, az, x, y, z):
                    hidden = True
                    blocker = wall
                    break
        if not hidden:
            found.append(point)
            if len(found) == enough:
                break
    return found


# ---- what the field calls --------------------------------------------------------------------------------------------


def placed(template: Core, x: num, y: num):
    """A core moved by a vector: a base, made once around the origin, where it stands."""
    core: Core = Core.__new__(Core)
    core.flat = template.flat[:]
    core.xy = core.flat
    core.edges = template.edges
    core.corners = template.corners
    core.filled = template.filled
    core.convex = template.convex
    core.simple = template.simple
    core.twice = template.twice
    core.cx = template.cx + x
    core.cy = template.cy + y
    core.west = template.west + 2 * x
    core.east = template.east + 2 * x
    core.north = template.north + 2 * y
    core.south = template.south + 2 * y
    i: cython.int
    for i in range(core.xy.shape[0] // 2 if cython.compiled else len(core.xy) // 2):
        core.xy[2 * i] += x
        core.xy[2 * i + 1] += y
    return core


def farthest(points):
    """The largest coordinate of some points, its sign left out."""
    best: num = 0
    x: num
    y: num
    for x, y in points:
        best = max(best, x, -x, y, -y)
    return best


def ring(points):
    """A closed outline clockwise: 1 and its true corners if it is convex, 2 and all points if not, 0 without area."""
    count: cython.int = len(points)
    flat: num[::1] = array("q", [part for point in points for part in point])
    area: num = 0
    changes: cython.int = 0
    i: cython.int
    j: cython.int
    k: cython.int
    for i in range(1, count - 1):
        area += _turn(flat[0], flat[1], flat[2 * i], flat[2 * i + 1], flat[2 * i + 2], flat[2 * i + 3])
    if area == 0:
        return 0, points
    was_east: cython.bint = False
    corners = []
    for i in range(count + 1):
        j = i + 1 if i + 1 < count else i + 1 - count
        k = j + 1 if j + 1 < count else 0
        bx: num = flat[2 * j]
        by: num = flat[2 * j + 1]
        dx: num = bx - (flat[2 * i] if i < count else flat[0])
        dy: num = by - (flat[2 * i + 1] if i < count else flat[1])
        ex: num = flat[2 * k] - bx
        ey: num = flat[2 * k + 1] - by
        turn: num = dx * ey - dy * ex
        east: cython.bint = dx > 0 or (dx == 0 and dy > 0)
        # Convex: it never turns the other way, never back, and changes between east and west twice only.
        if i > 0 and east != was_east:
            changes += 1
        if (dx == 0 and dy == 0) or changes > 2 or (turn < 0) == (area > 0) and turn != 0:
            return 2, points if area > 0 else points[::-1]
        if turn == 0 and dx * ex + dy * ey < 0:
            return 2, points if area > 0 else points[::-1]
        if turn != 0 and i < count:
            corners.append((bx, by))
        was_east = east
    return 1, corners if area > 0 else corners[::-1]


def swept(template: Core, px: num, py: num, qx: num, qy: num):
    """All that a convex polygon around the origin passes over from p to q, clockwise, as points.

    Sides that look ahead end at q, sides that look back stay at p; a corner between one of each is there twice. A
    side along the way is as long as the way more.
    """
    dx: num = qx - px
    dy: num = qy - py
    count: cython.int = template.corners
    found = []
    i: cython.int
    before: cython.int = count - 1
    for i in range(count):
        x: num = template.xy[2 * i]
        y: num = template.xy[2 * i + 1]
        ex: num = x - template.xy[2 * before]
        ey: num = y - template.xy[2 * before + 1]
        fx: num = template.xy[2 * i + 2] - x
        fy: num = template.xy[2 * i + 3] - y
        before_ahead: num = ey * dx - ex * dy
        after_ahead: num = fy * dx - fx * dy
        if before_ahead == 0:
            before_ahead = ex * dx + ey * dy
        if after_ahead == 0:
            after_ahead = -(fx * dx + fy * dy)
        if before_ahead > 0:
            found.append((x + qx, y + qy))
        if before_ahead <= 0 or after_ahead <= 0:
            found.append((x + px, y + py))
        if before_ahead <= 0 and after_ahead > 0:
            found.append((x + qx, y + qy))
        before = i
    return found


def gap(a: Core, b: Core):
    """The gap of two outlines rounded up, -1 where they overlap."""
    return _gap(a, b, True)


def gap_floor(a: Core, b: Core):
    """The gap of two outlines rounded down, -1 where they overlap."""
    return _gap(a, b, False)


def overlap(a: Core, b: Core):
    """Whether two outlines share an inner point."""
    return _overlap(a, b)


def within(a: Core, b: Core, distance: num):
    """Whether two outlines are at most a distance apart, or overlap."""
    return _within(a, b, distance)


def holds(core: Core, x: num, y: num):
    """Whether a point lies strictly inside."""
    return _holds(core, x, y)


def touches(core: Core, x: num, y: num):
    """Whether a point lies inside or on the border."""
    if 2 * x < core.west or 2 * x > core.east or 2 * y < core.north or 2 * y > core.south:
        return False
    if core.filled:
        return _side(core, 2 * x, 2 * y) >= 0
    return _square_to_segment(core, x, y, x, y, True) <= core.twice * core.twice


def crosses(core: Core, px: num, py: num, qx: num, qy: num):
    """Whether the open segment meets the interior."""
    return _crosses(core, px, py, qx, qy)


def covers(a: Core, b: Core):
    """Whether all of b lies within a, its border included. Of a band only single legs are looked at."""
    i: cython.int
    j: cython.int
    room: num
    if a.filled and b.twice > 0:
        # Nothing of the border of a may come nearer to the core of b than its radius.
        if _side(a, 2 * b.xy[0], 2 * b.xy[1]) <= 0:
            return False
        for i in range(b.edges):
            if (
                _square_to_segment(a, b.xy[2 * i], b.xy[2 * i + 1], b.xy[2 * i + 2], b.xy[2 * i + 3], False)
                < b.twice * b.twice
            ):
                return False
        return True
    if a.filled:
        for i in range(b.corners):
            if _side(a, 2 * b.xy[2 * i], 2 * b.xy[2 * i + 1]) < 0:
                return False
        for i in range(b.edges):
            if not a.convex and _enters(a, b.xy[2 * i], b.xy[2 * i + 1], b.xy[2 * i + 2], b.xy[2 * i + 3], -1):
                return False
        return True
    room = a.twice - b.twice
    if room < 0:
        return False
    for i in range(a.edges):
        for j in range(b.corners):
            if (
                _nearer(
                    1 << 50,
                    True,
                    b.xy[2 * j],
                    b.xy[2 * j + 1],
                    a.xy[2 * i],
                    a.xy[2 * i + 1],
                    a.xy[2 * i + 2],
                    a.xy[2 * i + 3],
                )
                > room * room
            ):
                break
        else:
            return True
    return False


def join(a: Core, b: Core):
    """The nearest points of two bases: px, py, qx, qy, and their gap rounded up."""
    line: Line = Line()
    _join(a, b, line)
    return line.px, line.py, line.qx, line.qy, line.gap


@cython.cfunc
@cython.exceptval(check=False)
def _in_arc(dx: num, dy: num, facing: num, start: num, end: num, vectors: num[::1]) -> cython.bint:
    """Whether a direction lies clockwise between two others, which are relative to a facing; borders belong to it."""
    if end - start >= 360 or (dx == 0 and dy == 0):
        return True
    # C's remainder has the sign of what is divided, Python's never: make sure of it first.
    first: num = ((facing + start) % 360 + 360) % 360
    last: num = ((facing + end) % 360 + 360) % 360
    span: num = ((end - start) % 360 + 360) % 360
    ux: num = vectors[2 * first]
    uy: num = vectors[2 * first + 1]
    after_start: cython.bint = ux * dy - uy * dx >= 0
    before_end: cython.bint = dx * vectors[2 * last + 1] - dy * vectors[2 * last] >= 0
    if span == 0:
        return after_start and before_end and ux * dx + uy * dy > 0
    if span <= 180:
        return after_start and before_end
    return after_start or before_end


def in_arc(dx: num, dy: num, facing, start, end, vectors):
    """Whether a direction lies in an arc of something that faces somewhere."""
    return _in_arc(dx, dy, facing, start, end, vectors)


@cython.cfunc
@cython.exceptval(check=False)
def _arcs(dx: num, dy: num, facing: num, arcs: num[::1], count: cython.int, vectors: num[::1]) -> num:
    """The arcs a direction lies in, as bits."""
    found: num = 0
    bit: num = 1
    i: cython.int
    for i in range(count):
        if _in_arc(dx, dy, facing, arcs[2 * i], arcs[2 * i + 1], vectors):
            found |= bit
        bit = bit << 1
    return found


@cython.final
@cython.cclass
class Scene:
    """The terrain of a ground as the kernel sees it: the pieces, then the contours of all hills.

    `relations` says of each piece and each contour whether the piece lies within the contour (1), the contour within
    the piece (2), they overlap otherwise (3) or not at all (0).
    """

    cores: list
    levels: num[::1]
    from_top: num[::1]
    relations: num[::1]
    room: num[::1]
    pieces: cython.int
    contours: cython.int

    def __init__(self, cores, pieces, levels, relations):
        self.cores = cores
        self.levels = levels
        self.from_top = array("q", sorted(range(len(levels)), key=lambda contour: -levels[contour]))
        self.relations = relations
        self.room = array("q", bytes(16 * max([len(core.points) for core in cores], default=0) + 16))
        self.pieces = pieces
        self.contours = len(cores) - pieces


@cython.cfunc
def _mark_crossed(
    line: Line, scene: Scene, others: list, skip: cython.int, out: cython.uchar[::1], at: cython.Py_ssize_t
) -> cython.int:
    """Set the bit of every object whose interior the line crosses: terrain first, then the other bases but one."""
    j: cython.int
    core: Core
    found: cython.int = 0
    known: cython.int = scene.pieces + scene.contours
    for j in range(known):
        core = scene.cores[j]
        if _crosses(core, line.px, line.py, line.qx, line.qy):
            out[at + (j >> 3)] |= 1 << (j & 7)
            found += 1
    for j in range(len(others)):
        core = others[j]
        if j != skip and _crosses(core, line.px, line.py, line.qx, line.qy):
            out[at + ((known + j) >> 3)] |= 1 << ((known + j) & 7)
    return found


@cython.final
@cython.cclass
class Reach:
    """Where a line runs inside a convex core: bounds of both ends, in units of 2^-30 of the line.

    It enters between `low` and `inner_low`, and leaves between `inner_high` and `high`.
    """

    low: num
    inner_low: num
    inner_high: num
    high: num

    def __init__(self):
        self.low = self.inner_low = self.inner_high = self.high = 0


@cython.cfunc
@cython.exceptval(check=False)
def _part(numerator: wide, denominator: wide) -> num:
    """A part of the line in units of 2^-30, rounded down, held between its ends."""
    if numerator <= 0:
        return 0
    if numerator >= denominator:
        return 1 << 30
    return (numerator << 30) // denominator


@cython.cfunc
@cython.exceptval(check=False)
def _reach(core: Core, line: Line, reach: Reach) -> cython.bint:
    """Bound where a line that crosses a disc or a convex polygon runs inside it; False for any other core."""
    dx: num = line.qx - line.px
    dy: num = line.qy - line.py
    if not core.simple:
        return False
    if not core.filled:
        square: wide = dx * dx + dy * dy
        along: wide = 2 * ((core.cx - line.px) * dx + (core.cy - line.py) * dy)
        across: wide = 2 * (dx * (core.cy - line.py) - dy * (core.cx - line.px))
        twice: wide = core.twice
        root: wide = _root(twice * twice * square - across * across)
        reach.low = _part(along - root - 1, 2 * square)
        reach.inner_low = _part(along - root, 2 * square) + 1
        reach.inner_high = _part(along + root, 2 * square)
        reach.high = _part(along + root + 1, 2 * square) + 1
        return True
    reach.low = 0
    reach.inner_low = 0
    reach.inner_high = 1 << 30
    reach.high = 1 << 30
    i: cython.int
    place: num
    for i in range(core.edges):
        ax: num = core.xy[2 * i]
        ay: num = core.xy[2 * i + 1]
        bx: num = core.xy[2 * i + 2]
        by: num = core.xy[2 * i + 3]
        start: num = _turn(ax, ay, bx, by, line.px, line.py)
        end: num = _turn(ax, ay, bx, by, line.qx, line.qy)
        if end > start and start < 0:
            place = _part(-start, end - start)
            reach.low = max(reach.low, place)
            reach.inner_low = max(reach.inner_low, place + 1)
        elif end < start and end < 0:
            place = _part(start, start - end)
            reach.inner_high = min(reach.inner_high, place)
            reach.high = min(reach.high, place + 1)
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _list_sides(core: Core, line: Line, room: num[::1]) -> cython.int:
    """Where a line meets the sides of a polygon, in order, in units of 2^-30, into every second place of `room`.

    Beside each place: 1 if the side is crossed just to the right of the line, 2 if just to the left of it.
    """
    dx: num = line.qx - line.px
    dy: num = line.qy - line.py
    count: cython.int = 0
    i: cython.int
    k: cython.int
    ax: num = core.xy[0]
    ay: num = core.xy[1]
    first: num = dx * (ay - line.py) - dy * (ax - line.px)
    for i in range(core.edges):
        bx: num = core.xy[2 * i + 2]
        by: num = core.xy[2 * i + 3]
        second: num = dx * (by - line.py) - dy * (bx - line.px)
        crossed: num = 0
        if (first > 0) != (second > 0):
            crossed = 1
        if (first >= 0) != (second >= 0):
            crossed += 2
        if crossed:
            slope: num = second - first
            at: num = (ax - line.px) * (by - ay) - (ay - line.py) * (bx - ax)
            place: num = _part(at, slope) if slope > 0 else _part(-at, -slope)
            k = count
            while k > 0 and room[2 * k - 2] > place:
                room[2 * k] = room[2 * k - 2]
                room[2 * k + 1] = room[2 * k - 1]
                k -= 1
            room[2 * k] = place
            room[2 * k + 1] = crossed
            count += 1
        ax = bx
        ay = by
        first = second
    return count


@cython.cfunc
@cython.exceptval(check=False)
def _polygon_reaches(core: Core, line: Line, other: Reach, room: num[::1]) -> cython.int:
    """Whether a line is inside a polygon somewhere where it is inside another core: 1 yes, 0 no, -1 too close to say.

    It is inside where it has crossed an odd number of sides both to its right and to its left.
    """
    count: cython.int = _list_sides(core, line, room)
    i: cython.int = 0
    odd: num = 0
    since: num = 0
    place: num
    doubt: cython.bint = False
    while i < count:
        place = room[2 * i]
        if odd == 3:
            # Certainly inside from just after the last place to this one.
            if max(since + 1, other.inner_low) < min(place, other.inner_high):
                return 1
            if since < other.high and place + 1 > other.low:
                doubt = True
        while i < count and room[2 * i] == place:
            odd ^= room[2 * i + 1]
            i += 1
        if place < other.high and place + 1 > other.low:
            doubt = True
        since = place
    return -1 if doubt else 0


@cython.cfunc
def _share(piece: Core, contour: Core, line: Line, scene: Scene) -> cython.bint:
    """Whether a line that crosses two cores has a point strictly inside both.

    Bounds settle nearly all; where they do not, the ends are compared exactly.
    """
    one: Reach = Reach()
    other: Reach = Reach()
    answer: cython.int = -1
    simple: cython.bint = _reach(piece, line, one)
    if _reach(contour, line, other):
        if simple:
            if one.high <= other.low or other.high <= one.low:
                answer = 0
            elif max(one.inner_low, other.inner_low) < min(one.inner_high, other.inner_high):
                answer = 1
        elif piece.filled:
            answer = _polygon_reaches(piece, line, other, scene.room)
    elif simple and contour.filled:
        answer = _polygon_reaches(contour, line, one, scene.room)
    if answer >= 0:
        return answer == 1
    return share(
        piece.points,
        piece.filled,
        piece.twice,
        contour.points,
        contour.filled,
        contour.twice,
        line.px,
        line.py,
        line.qx,
        line.qy,
    )


@cython.cfunc
def _mark_heights(
    line: Line,
    scene: Scene,
    crossed: cython.uchar[::1],
    at: cython.Py_ssize_t,
    out: num[::1],
    out_at: cython.Py_ssize_t,
) -> cython.int:
    """For every piece crossed, the highest contour that the crossed part of it lies on, if only with a point."""
    i: cython.int
    k: num
    j: num
    bit: num
    relation: num
    for i in range(scene.pieces):
        if not crossed[at + (i >> 3)] & (1 << (i & 7)):
            continue
        for k in range(scene.contours):
            j = scene.from_top[k]
            relation = scene.relations[i * scene.contours + j]
            bit = scene.pieces + j
            if relation == 0 or (relation > 1 and not crossed[at + (bit >> 3)] & (1 << (bit & 7))):
                continue
            if relation == 3 and not _share(scene.cores[i], scene.cores[bit], line, scene):
                continue
            out[out_at + i] = scene.levels[j]
            break
    return 0


def shares(a: Core, b: Core, px: num, py: num, qx: num, qy: num):
    """Whether the open segment, which crosses both of two cores, has a point strictly inside both."""
    line: Line = Line()
    line.px = px
    line.py = py
    line.qx = qx
    line.qy = qy
    return _share(a, b, line, Scene([a, b], 2, array("q"), array("q")))


def footing(
    scene: Scene,
    core: Core,
    x: num,
    y: num,
    near: num,
    inside: cython.uchar[::1],
    close: cython.uchar[::1],
    at: cython.Py_ssize_t,
):
    """Mark the terrain that holds a centre and the terrain within `near` of a base; return the level of the ground."""
    level: num = 0
    on_hill: cython.bint = False
    j: cython.int
    other: Core
    for j in range(scene.pieces + scene.contours):
        other = scene.cores[j]
        if _within(core, other, near):
            close[at + (j >> 3)] |= 1 << (j & 7)
            if _holds(other, x, y):
                inside[at + (j >> 3)] |= 1 << (j & 7)
                if j >= scene.pieces and (not on_hill or scene.levels[j - scene.pieces] > level):
                    level = scene.levels[j - scene.pieces]
                    on_hill = True
    return level


def look(
    scene: Scene,
    mine: list,
    facings: num[::1],
    others: list,
    other_facings: num[::1],
    targets: cython.int,
    arcs: num[::1],
    arc_count: cython.int,
    vectors: num[::1],
    stride: cython.Py_ssize_t,
    gaps: num[::1],
    squares: num[::1],
    lines: num[::1],
    in_mine: num[::1],
    in_theirs: num[::1],
    crossed: cython.uchar[::1],
    heights: num[::1],
):
    """Everything about the lines from each of my poses to each target: the first `targets` of the other bases.

    Masks have `stride` bytes each, one bit an object: pieces, contours, other bases. What is written where is what
    `sandtable.field.survey.Survey` reads.
    """
    i: cython.int
    j: cython.int
    row: cython.Py_ssize_t = 0
    line: Line = Line()
    me: Core
    you: Core
    found: cython.int
    for i in range(len(mine)):
        me = mine[i]
        for j in range(targets):
            you = others[j]
            _join(me, you, line)
            gaps[row] = line.gap
            lines[4 * row] = line.px
            lines[4 * row + 1] = line.py
            lines[4 * row + 2] = line.qx
            lines[4 * row + 3] = line.qy
            dx: num = you.cx - me.cx
            dy: num = you.cy - me.cy
            squares[row] = dx * dx + dy * dy
            if arc_count:
                in_mine[row] = _arcs(dx, dy, facings[i], arcs, arc_count, vectors)
                in_theirs[row] = _arcs(-dx, -dy, other_facings[j], arcs, arc_count, vectors)
            found = _mark_crossed(line, scene, others, j, crossed, stride * row)
            if found and scene.contours:
                _mark_heights(line, scene, crossed, stride * row, heights, row * scene.pieces)
            row += 1


def neighbours(core: Core, others: list, skip: cython.int, near: num):
    """The other bases within `near` of a base, as bits, all but one."""
    found = 0
    j: cython.int
    other: Core
    for j in range(len(others)):
        other = others[j]
        if j != skip and _within(core, other, near):
            found |= 1 << int(j)
    return found
