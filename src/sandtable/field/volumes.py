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
from sandtable.field import _kernel_spans
from sandtable.field._kernel_spans import End, compare
from sandtable.field.directions import rounded
from sandtable.field.ground import box_of
from sandtable.field.measure import inside
from sandtable.field.outlines import core_of


class Place(NamedTuple):
    """A point of space: of the grid, and how high above the board."""

    x: int
    y: int
    z: int


class Volume(NamedTuple):
    """What stands upright on an outline, from a height to a height."""

    outline: Shape
    low: int
    high: int


def blocks(volume: Volume, a: Place, b: Place) -> bool:
    """Whether the line between two places has a point strictly inside a volume.

    >>> from sandtable.engine.shapes import rectangle
    >>> wall = Volume(rectangle(4000, 0, 1000, 9000), 0, 1000)
    >>> [blocks(wall, Place(0, 500, high), Place(9000, 500, high)) for high in (999, 1000)]
    [True, False]
    >>> [blocks(wall, Place(0, 500, 1800), Place(9000, 500, high)) for high in (359, 360)]  # just over its far edge
    [True, False]
    """
    low, high = (a.z, b.z) if a.z <= b.z else (b.z, a.z)
    if high <= volume.low or low >= volume.high:
        return False
    west, north, east, south = box_of(volume.outline)
    if max(a.x, b.x) <= west or min(a.x, b.x) >= east or max(a.y, b.y) <= north or min(a.y, b.y) >= south:
        return False
    if a.x == b.x and a.y == b.y:
        return inside(volume.outline, Point(a.x, a.y))
    core = core_of(volume.outline)
    spans = _kernel_spans.spans(core.points, core.is_filled, core.twice_radius, a.x, a.y, b.x, b.y)
    if not spans:
        return False
    climb = b.z - a.z
    if climb == 0:
        return True
    enters, leaves = _at_height(volume.low - a.z, climb), _at_height(volume.high - a.z, climb)
    if climb < 0:
        enters, leaves = leaves, enters
    return any(compare(start, leaves) < 0 and compare(enters, end) < 0 for start, end in spans)


def clear(a: Place, b: Place, volumes: Iterable[Volume]) -> bool:
    """Whether nothing blocks the line between two places."""
    return not any(blocks(volume, a, b) for volume in volumes)


def between(a: Place, points: Sequence[Place], volumes: Iterable[Volume]) -> list[Volume]:
    """The volumes that could block a line from a place to one of some others: those worth an exact look.

    >>> from sandtable.engine.shapes import rectangle
    >>> near, aside = (Volume(rectangle(4000, y, 1000, 1000), 0, 1000) for y in (0, 3000))
    >>> between(Place(0, 500, 500), [Place(9000, 500, 500)], [near, aside]) == [near]
    True
    """
    west, east = min(a.x, *(one.x for one in points)), max(a.x, *(one.x for one in points))
    north, south = min(a.y, *(one.y for one in points)), max(a.y, *(one.y for one in points))
    low, high = min(a.z, *(one.z for one in points)), max(a.z, *(one.z for one in points))
    found = []
    for volume in volumes:
        if high > volume.low and low < volume.high:
            box = box_of(volume.outline)
            if east > box[0] and west < box[2] and south > box[1] and north < box[3]:
                found.append(volume)
    return found


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


def _at_height(rise: int, climb: int) -> End:
    """Where on a line a height is passed."""
    return (rise, 0, climb) if climb > 0 else (-rise, 0, -climb)


def _square(a: Place, b: Place, fine: int) -> int:
    dx, dy, dz = fine * (a.x - b.x), fine * (a.y - b.y), a.z - b.z
    return dx * dx + dy * dy + dz * dz
