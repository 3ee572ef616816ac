"""Where a drifting attack lands, and how many of its equally likely landings catch whom.

A drift is a whole distance in a whole-degree direction, rounded once to the grid. For exact odds the landings are
counted by class (who is caught) instead of being walked one by one: `classes` asks only about landings near something
that could be caught, and counts the others together.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from math import isqrt
from typing import TypeVar

from sandtable.engine.shapes import Band, Disc, Point, Shape
from sandtable.field.directions import along
from sandtable.field.measure import gap, on_or_inside
from sandtable.field.outlines import core_of

Class = TypeVar("Class", bound=Hashable)


def drifted(aim: Point, distance: int, degrees: int) -> Point:
    """Where an attack lands that drifts a distance in a direction.

    >>> drifted(Point(10000, 10000), 4000, 90)
    Point(x=10000, y=14000)
    """
    return along(aim, degrees, distance)


@lru_cache(maxsize=256)
def ring(distance: int) -> tuple[Point, ...]:
    """The landings of one distance, one for each degree, seen from the aim."""
    return tuple(along(Point(0, 0), degrees, distance) for degrees in range(360))


def bounding_disc(shape: Shape) -> Disc:
    """A disc around a shape: quick to test, and never too small.

    >>> bounding_disc(Band((Point(0, 0), Point(600, 800)), 200))
    Disc(center=Point(x=300, y=400), radius=600)
    """
    if isinstance(shape, Disc):
        return shape
    x, y = core_of(shape).center
    farthest = max((px - x) ** 2 + (py - y) ** 2 for px, py in shape.points)
    around = (shape.width + 1) // 2 if isinstance(shape, Band) else 0
    return Disc(Point(x, y), isqrt(farthest - 1) + 1 + around if farthest else around)


def classes(
    aim: Point,
    distances: Iterable[int],
    directions: Sequence[int],
    classify: Callable[[Point], Class],
    bounds: Sequence[Disc] | None = None,
    elsewhere: Class | None = None,
) -> dict[Class, int]:
    """How many landings fall into each class, in the order the classes are met.

    `classify` names the class of a landing. `bounds` are discs outside which every landing has the class `elsewhere`;
    it is then asked only about landings in one of them. Each distance and direction given counts once, so a distance
    that is twice as likely is given twice.

    >>> classes(Point(0, 0), [1000, 2000], range(360), lambda point: point.x >= 0)
    {True: 362, False: 358}
    """
    counts: dict[Class, int] = {}
    rings: dict[int, dict[Class, int]] = {}
    for distance in distances:
        if distance not in rings:
            rings[distance] = _one_ring(aim, distance, directions, classify, bounds, elsewhere)
        for name, count in rings[distance].items():
            counts[name] = counts.get(name, 0) + count
    return counts


def _one_ring(
    aim: Point,
    distance: int,
    directions: Sequence[int],
    classify: Callable[[Point], Class],
    bounds: Sequence[Disc] | None,
    elsewhere: Class | None,
) -> dict[Class, int]:
    ax, ay = aim
    offsets = ring(distance)
    counts: dict[Class, int] = {}
    if bounds is None:
        for degrees in directions:
            dx, dy = offsets[degrees % 360]
            name = classify(Point(ax + dx, ay + dy))
            counts[name] = counts.get(name, 0) + 1
        return counts
    near = [(disc.center[0] - ax, disc.center[1] - ay, disc.radius) for disc in bounds if _meets(aim, distance, disc)]
    outside = 0
    for degrees in directions:
        dx, dy = offsets[degrees % 360]
        for cx, cy, r in near:
            # An upright box first: most landings fail it at the first comparison.
            if -r <= dx - cx <= r and -r <= dy - cy <= r and (dx - cx) ** 2 + (dy - cy) ** 2 <= r * r:
                name = classify(Point(ax + dx, ay + dy))
                counts[name] = counts.get(name, 0) + 1
                break
        else:
            outside += 1
    if outside:
        # The class of landings near nothing; the caller names it.
        counts[elsewhere] = counts.get(elsewhere, 0) + outside  # type: ignore[index, arg-type]
    return counts


def _meets(aim: Point, distance: int, disc: Disc) -> bool:
    """Whether a ring around the aim, grown by its rounding, comes into a disc."""
    away = isqrt((disc.center[0] - aim[0]) ** 2 + (disc.center[1] - aim[1]) ** 2)
    return away - disc.radius - 2 <= distance <= away + disc.radius + 2


def who_is_caught(
    aim: Point,
    distances: Iterable[int],
    bases: Sequence[Shape],
    radius: int,
    board: tuple[int, int] | None = None,
    directions: Sequence[int] = range(360),
) -> dict[tuple[int, ...] | None, int]:
    """How many landings catch which bases: those any part of which is within a radius of the landing.

    With radius 0 a base is caught that covers the landing. A landing off the board, if one is given, is of the class
    `None`.

    >>> who_is_caught(Point(0, 0), [1000], [Disc(Point(1000, 0), 500)], 0)
    {(0,): 57, (): 303}
    """
    discs = [bounding_disc(base) for base in bases]
    reaches = [Disc(disc.center, disc.radius + radius) for disc in discs]

    def classify(point: Point) -> tuple[int, ...] | None:
        x, y = point
        if board is not None and not (0 <= x <= board[0] and 0 <= y <= board[1]):
            return None
        found = []
        for index, (base, disc) in enumerate(zip(bases, reaches, strict=True)):
            dx, dy = x - disc.center[0], y - disc.center[1]
            if dx * dx + dy * dy <= disc.radius * disc.radius:
                if on_or_inside(base, point) if radius == 0 else gap(base, Disc(point, radius)) <= 0:
                    found.append(index)
        return tuple(found)

    bounds = reaches
    if board is not None:
        reach = max(distances := list(distances), default=0) + 1
        if not (reach <= aim[0] <= board[0] - reach and reach <= aim[1] <= board[1] - reach):
            return classes(aim, distances, directions, classify)
    return classes(aim, distances, directions, classify, bounds, ())
