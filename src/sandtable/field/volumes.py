"""Lines through space past upright volumes, exactly: over a wall, down from a roof, past a body in the way.

A volume is an outline and the heights between which it rises. A line between two points of space is blocked by it if it
has a point strictly inside: running along a wall, over its top edge or through a corner is not. Heights may be finer
than the grid of the table (a tenth of a body, half of it): all heights of one question are in one unit, whatever it is,
and only how they lie to one another counts.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from sandtable.engine.shapes import Point, Shape
from sandtable.field import _kernel
from sandtable.field.directions import rounded
from sandtable.field.outlines import TableTooLarge, core_of


class Place(NamedTuple):
    """A point of space: of the grid, and how high above the board."""

    x: int
    y: int
    z: int


class Volume:
    """What stands upright on an outline, from a height to a height."""

    __slots__ = ("high", "low", "outline", "upright")

    def __init__(self, outline: Shape, low: int, high: int) -> None:
        self.outline, self.low, self.high = outline, low, high
        try:
            self.upright = _kernel.Upright(core_of(outline), low, high)
        except OverflowError as problem:  # in an edited journal only: whatever is laid is checked before
            raise TableTooLarge(str(problem)) from None


def blocks(volume: Volume, a: Place, b: Place) -> bool:
    """Whether the line between two places has a point strictly inside a volume.

    >>> from sandtable.engine.shapes import rectangle
    >>> wall = Volume(rectangle(4000, 0, 1000, 9000), 0, 1000)
    >>> [blocks(wall, Place(0, 500, high), Place(9000, 500, high)) for high in (999, 1000)]
    [True, False]
    >>> [blocks(wall, Place(0, 500, 1800), Place(9000, 500, high)) for high in (359, 360)]  # just over its far edge
    [True, False]
    """
    return not in_view(a, [b], [volume])


def in_view(a: Place, points: Iterable[Place], volumes: Iterable[Volume], enough: int = 0) -> list[Place]:
    """Those of some places to which no volume blocks the line from a place; where some are enough, no more than those.

    >>> from sandtable.engine.shapes import rectangle
    >>> wall = Volume(rectangle(4000, 0, 1000, 1000), 0, 1000)
    >>> in_view(Place(0, 500, 500), [Place(9000, 500, 500), Place(9000, 3000, 500)], [wall])
    [Place(x=9000, y=3000, z=500)]
    """
    try:
        return _kernel.in_view([volume.upright for volume in volumes], *a, points, enough)
    except OverflowError as problem:  # in an edited journal only: whatever is laid is checked before
        raise TableTooLarge(str(problem)) from None


def within(a: Place, b: Place, distance: int, fine: int) -> bool:
    """Whether two places are at most a distance apart in a straight line through space; so many heights are one unit.

    >>> within(Place(0, 0, 0), Place(3000, 0, 8000), 5000, 2), within(Place(0, 0, 0), Place(3000, 0, 8001), 5000, 2)
    (True, False)
    """
    return _square(a, b, fine) <= fine * fine * distance * distance


def apart(a: Place, b: Place, fine: int) -> int:
    """How far two places are apart in a straight line through space, rounded up: for reading, `within` decides.

    >>> apart(Place(0, 0, 0), Place(3000, 0, 8000), 2)
    5000
    """
    square = _square(a, b, fine)
    root = isqrt(square)
    return -(-(root + (root * root < square)) // fine)


def across(center: Point, radius: int, seen_from: Point, columns: Sequence[Fraction]) -> tuple[Point, ...]:
    """Points across the width of an upright cylinder as it is seen from somewhere, each rounded once.

    A column is a part of the radius to the right (or, negative, to the left) of the middle.

    >>> across(Point(0, 0), 1000, Point(-9000, 0), (Fraction(-1), Fraction(0), Fraction(1, 2)))
    (Point(x=0, y=-1000), Point(x=0, y=0), Point(x=0, y=500))
    """
    dx, dy = center.x - seen_from.x, center.y - seen_from.y
    far = isqrt(dx * dx + dy * dy)
    if far == 0:
        return tuple(Point(center.x, center.y + rounded(radius * one.numerator, one.denominator)) for one in columns)
    return tuple(
        Point(
            center.x + rounded(-dy * radius * one.numerator, far * one.denominator),
            center.y + rounded(dx * radius * one.numerator, far * one.denominator),
        )
        for one in columns
    )


def _square(a: Place, b: Place, fine: int) -> int:
    dx, dy, dz = fine * (a.x - b.x), fine * (a.y - b.y), a.z - b.z
    return dx * dx + dy * dy + dz * dz
