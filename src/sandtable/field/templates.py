"""Circle, corridor and cone templates as shapes, and who is caught under them.

A base is caught when any part of it lies under the template: touching the border from outside is enough where the
rules say "within", so `caught` has it both ways.
"""

from collections.abc import Iterable

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.field.directions import along, rounded
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import gap, overlap


def circle(center: Point, radius: int) -> Disc:
    """A round template: every point within a radius.

    >>> circle(Point(0, 0), 3000)
    Disc(center=Point(x=0, y=0), radius=3000)
    """
    return Disc(center, radius)


def corridor(start: Point, degrees: int, length: int, width: int) -> Polygon:
    """A straight template with square ends, from the middle of one of them.

    >>> corridor(Point(0, 0), 0, 5000, 2000).points
    (Point(x=0, y=-1000), Point(x=5000, y=-1000), Point(x=5000, y=1000), Point(x=0, y=1000))
    """
    end = along(start, degrees, length)
    return Polygon(
        (
            _beside(start, degrees - 90, width),
            _beside(end, degrees - 90, width),
            _beside(end, degrees + 90, width),
            _beside(start, degrees + 90, width),
        )
    )


def strip(points: tuple[Point, ...], width: int) -> Band:
    """A template along a line of points, with round ends and bends: a strafing run, the wake of a charge.

    >>> strip((Point(0, 0), Point(9000, 0)), 2000).width
    2000
    """
    return Band(points, width)


def cone(apex: Point, degrees: int, length: int, width: int) -> Polygon:
    """A triangular template: from its apex, so long along its middle, so wide at its end.

    >>> cone(Point(0, 0), 90, 8000, 2000).points
    (Point(x=0, y=0), Point(x=1000, y=8000), Point(x=-1000, y=8000))
    """
    end = along(apex, degrees, length)
    return Polygon((apex, _beside(end, degrees - 90, width), _beside(end, degrees + 90, width)))


def sector(apex: Point, degrees: int, radius: int, half_angle: int) -> Polygon:
    """A fan-shaped template: everything within a radius and so many whole degrees to either side.

    Its rim is the line through its points at every whole degree, each rounded once. Up to 89 degrees to either side.

    >>> len(sector(Point(0, 0), 0, 6000, 20).points)
    42
    """
    if not 1 <= half_angle <= 89:
        raise ValueError(f"a sector of {half_angle} degrees to either side; it takes 1 to 89")
    return Polygon((apex, *(along(apex, degrees + side, radius) for side in range(-half_angle, half_angle + 1))))


def _beside(point: Point, degrees: int, width: int) -> Point:
    """Half a width to one side, rounded once: twice the way doubled, so that odd widths have no second rounding."""
    doubled = along(Point(0, 0), degrees, width)
    return Point(point.x + rounded(doubled.x, 2), point.y + rounded(doubled.y, 2))


def caught(shape: Shape, bases: Iterable[Shape], touching: bool = True) -> tuple[int, ...]:
    """Which of some bases lie under a template, in their order: any part of them within it.

    With `touching`, a base that only just reaches the border is caught ("within 3 inches"); without, it is not.

    >>> bases = [Disc(Point(4000, 0), 1000), Disc(Point(0, 0), 500), Disc(Point(4001, 0), 1000)]
    >>> caught(circle(Point(0, 0), 3000), bases), caught(circle(Point(0, 0), 3000), bases, touching=False)
    ((0, 1), (1,))
    """
    around = box_of(shape)
    found = []
    for index, base in enumerate(bases):
        if boxes_meet(around, box_of(base)) and (gap(shape, base) <= 0 if touching else overlap(shape, base)):
            found.append(index)
    return tuple(found)
