# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Many points or boxes at once, in Cython's pure-Python mode: compiled or interpreted, the same answers.

With every coordinate within 2^20 the squared distances here stay within 2^43: 64 bits are plenty.
"""

# ruff: noqa: F821, PERF401  (`num` is declared in the .pxd; the interpreter never looks at it)
from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from sandtable.field import _cython_shim as cython


def compiled():
    """Whether this is the compiled kernel."""
    return cython.compiled


def boxes_near(boxes, west: num, north: num, east: num, south: num, within: num):
    """Which boxes (four numbers each, one after the other) come within a distance of a box in x and in y."""
    flat: num[::1] = boxes
    found: list[int] = []
    i: cython.int
    count: cython.int = len(boxes) // 4
    west -= within
    north -= within
    east += within
    south += within
    for i in range(count):
        if flat[4 * i] <= east and west <= flat[4 * i + 2] and flat[4 * i + 1] <= south and north <= flat[4 * i + 3]:
            found.append(i)
    return found


def any_nearer(points, x: num, y: num, than: num):
    """Whether any of some points is nearer to another than a distance."""
    px: num
    py: num
    for px, py in points:
        if (px - x) * (px - x) + (py - y) * (py - y) < than * than:
            return True
    return False


def nearest_free(here, places, goal_x: num, goal_y: num):
    """For each of some points the number of the place that is left nearest to it, the farthest from a goal first.

    Of points equally far the first chooses first; of places equally near it takes the westernmost, of those the
    northernmost. There are as many places as points, at least.
    """
    points: num[::1] = array("q", [part for point in here for part in point])
    spots: num[::1] = array("q", [part for place in places for part in place])
    count: cython.int = len(here)
    room: cython.int = len(places)
    far: num[::1] = array("q", bytes(8 * count))
    taken: num[::1] = array("q", bytes(8 * room))
    found = [0] * count
    i: cython.int
    k: cython.int
    n: cython.int
    best: cython.int
    dx: num
    dy: num
    gap: num
    least: num = 0
    for i in range(count):
        dx = points[2 * i] - goal_x
        dy = points[2 * i + 1] - goal_y
        far[i] = dx * dx + dy * dy
    for _ in range(count):
        n = -1
        for i in range(count):
            if far[i] >= 0 and (n < 0 or far[i] > far[n]):
                n = i
        far[n] = -1
        best = -1
        for k in range(room):
            if taken[k]:
                continue
            dx = points[2 * n] - spots[2 * k]
            dy = points[2 * n + 1] - spots[2 * k + 1]
            gap = dx * dx + dy * dy
            if best < 0 or gap < least or (gap == least and _before(spots, k, best)):
                best = k
                least = gap
        taken[best] = 1
        found[n] = best
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _before(spots: num[::1], one: cython.int, other: cython.int) -> cython.bint:
    """Whether a place lies west of another, or north of it and as far west."""
    if spots[2 * one] != spots[2 * other]:
        return spots[2 * one] < spots[2 * other]
    return spots[2 * one + 1] < spots[2 * other + 1]
