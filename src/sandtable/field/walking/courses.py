"""Headings, courses and the corners to go round: what a planner builds its proposals of.

A course names whole-degree headings and whole lengths; nothing is decided here, only proposed.
"""

from collections.abc import Iterable, Iterator
from math import atan2, degrees, isqrt

from sandtable.engine.shapes import UNIT, Band, Disc, Leg, Point, Polygon, Shape
from sandtable.field.directions import SCALE, VECTORS, along, rounded

#: Headings in whole degrees, each with how far to go that way, backwards if negative.
Course = tuple[tuple[int, int], ...]


def bearing_floor(dx: int, dy: int) -> int:
    """The last whole degree not beyond a direction, exactly; 0 where there is no direction.

    >>> bearing_floor(1000, 1000), bearing_floor(1000, 999), bearing_floor(0, -5)
    (45, 44, 270)
    """
    if not dx and not dy:
        return 0
    guess = int(degrees(atan2(dy, dx)))  # only a guess: the products below decide
    while VECTORS[guess % 360][0] * dy < VECTORS[guess % 360][1] * dx:
        guess -= 1
    while VECTORS[(guess + 1) % 360][0] * dy >= VECTORS[(guess + 1) % 360][1] * dx:
        guess += 1
    return guess % 360


def nearest_degree(dx: int, dy: int) -> int:
    """The whole degree nearest to a direction; of two equally near the larger.

    >>> nearest_degree(1000, 17), nearest_degree(1000, 1)
    (1, 0)
    """
    low = bearing_floor(dx, dy)
    (ux, uy), (vx, vy) = VECTORS[low], VECTORS[(low + 1) % 360]
    return low if ux * dx + uy * dy > vx * dx + vy * dy else (low + 1) % 360


def signed(turn: int) -> int:
    """A turn the short way round."""
    return (turn + 180) % 360 - 180


def legs_of(facing: int, course: Course, most_turn: int = 180) -> tuple[Leg, ...]:
    """The legs of a course, large turns made in parts.

    >>> legs_of(0, ((120, 3000), (120, -500)), most_turn=90)
    (Leg(turn=90, go=0), Leg(turn=30, go=3000), Leg(turn=0, go=-500))
    """
    found: list[Leg] = []
    for heading, go in course:
        turn = signed(heading - facing)
        while abs(turn) > most_turn:
            part = most_turn if turn > 0 else -most_turn
            found.append(Leg(part, 0))
            turn -= part
        if turn or go:
            found.append(Leg(turn, go))
        facing = heading
    return tuple(found)


def solved(delta: Point, one: int, other: int) -> tuple[int, int] | None:
    """How far to go in two directions to come by a way in all; none where one of them would be backwards."""
    (ux, uy), (vx, vy) = VECTORS[one % 360], VECTORS[other % 360]
    cross = ux * vy - uy * vx
    if cross == 0:
        return None
    a = rounded((delta[0] * vy - delta[1] * vx) * SCALE, cross)
    b = rounded((ux * delta[1] - uy * delta[0]) * SCALE, cross)
    return (max(a, 0), max(b, 0)) if a >= -2 and b >= -2 else None


def spared(course: Course, spare: int) -> Course:
    """A course a hair short, and without the few thousandths by which it just begins another unit.

    That unit would be paid whole; and what touches when it ends a thousandth on may not be touched at all.
    """
    heading, go = course[-1]
    course = (*course[:-1], (heading, go - 2 if go > 2 else go + 2 if go < -2 else go))
    total = 0
    for _, go in course:
        total = total + abs(go) if (go < 0) == (course[-1][1] < 0) else 0
    over = total % UNIT
    heading, go = course[-1]
    if 0 < over <= min(spare, abs(go)):
        return (*course[:-1], (heading, go - over if go > 0 else go + over))
    return course


def corners_around(shape: Shape, clear: int) -> Iterable[Point]:
    """Points by which to go round a shape, so far from it: two beside each outer corner, or some all around it.

    >>> from sandtable.engine.shapes import rectangle
    >>> list(corners_around(rectangle(0, 0, 5000, 4000), 1000))[0]
    Point(x=-707, y=4707)
    """
    if isinstance(shape, Disc):
        return [along(shape.center, 30 * k, (shape.radius + clear) * 1036 // 1000) for k in range(12)]
    if isinstance(shape, Band):
        out = shape.width // 2 + clear
        return [along(p, 45 * k, out * 1083 // 1000) for p in shape.points for k in range(8)]
    return list(_beside_corners(shape, clear))


def _beside_corners(shape: Polygon, clear: int) -> Iterator[Point]:
    points = shape.points
    area = sum(points[i - 1][0] * points[i][1] - points[i - 1][1] * points[i][0] for i in range(len(points)))
    side = 1 if area > 0 else -1
    for i in range(len(points)):
        a, b, c = points[i - 2], points[i - 1], points[i]
        if side * ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) <= 0:
            continue
        (ax, ay), (bx, by) = _outwards(a, b, side), _outwards(b, c, side)
        x, y = ax + bx, ay + by
        size = max(1, isqrt(x * x + y * y))
        yield Point(b[0] + rounded(clear * x, size), b[1] + rounded(clear * y, size))
        # Farther out where the ways along both sides keep clear of them, but not much farther at a sharp corner.
        out = min(2000 * clear // size, 3 * clear // 2)
        yield Point(b[0] + rounded(out * x, size), b[1] + rounded(out * y, size))


def _outwards(a: Point, b: Point, side: int) -> tuple[int, int]:
    """The direction away from an edge, a thousand long."""
    x, y = side * (b[1] - a[1]), -side * (b[0] - a[0])
    size = max(1, isqrt(x * x + y * y))
    return 1000 * x // size, 1000 * y // size
