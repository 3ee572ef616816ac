"""Random terrain: outlines of a stated size, places for them, and whether there is still a way through.

Everything is drawn from a `Source`, which a battle's dice are: the same dice give the same table. How wide a thing is
means its widest extent, the largest distance between any two of its points. Which pieces there are and where they may
lie is for a ruleset; nothing here knows a kind of terrain.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import isqrt
from typing import Protocol

from sandtable.engine.shapes import UNIT, Band, Base, Disc, Point, Polygon, Shape
from sandtable.engine.table import Contour, Ground, Piece
from sandtable.field.directions import SCALE, VECTORS, along, rounded
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import covers, gap_floor, overlap
from sandtable.field.outlines import base_offsets, base_radius


class Source(Protocol):
    """Where random numbers come from."""

    def number(self, limit: int) -> int:
        """A number from 0 up to, but not including, the limit, each equally likely."""


def between(source: Source, least: int, most: int) -> int:
    """A number from `least` to `most`, both included.

    >>> class Lowest:
    ...     def number(self, limit: int) -> int:
    ...         return 0
    >>> between(Lowest(), 6, 12)
    6
    """
    return least + source.number(most - least + 1)


# ---- sizes ---------------------------------------------------------------------------------------------------------


def across(*shapes: Shape) -> int:
    """How wide a shape, or several together, are at the widest, rounded up.

    >>> across(Disc(Point(0, 0), 3000)), across(Polygon((Point(0, 0), Point(300, 0), Point(300, 400))))
    (6000, 500)
    """
    ends = [(point, radius) for shape in shapes for point, radius in _ends(shape)]
    widest = max(2 * radius for _, radius in ends)
    for (a, r), (b, s) in combinations(ends, 2):
        square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
        widest = max(widest, (isqrt(square - 1) + 1 if square else 0) + r + s)
    return widest


def _ends(shape: Shape) -> list[tuple[Point, int]]:
    if isinstance(shape, Disc):
        return [(shape.center, shape.radius)]
    radius = (shape.width + 1) // 2 if isinstance(shape, Band) else 0
    return [(point, radius) for point in shape.points]


def moved(shape: Shape, dx: int, dy: int) -> Shape:
    """A shape somewhere else.

    >>> moved(Disc(Point(0, 0), 500), 1000, 2000)
    Disc(center=Point(x=1000, y=2000), radius=500)
    """
    if isinstance(shape, Disc):
        return Disc(Point(shape.center[0] + dx, shape.center[1] + dy), shape.radius)
    points = tuple(Point(x + dx, y + dy) for x, y in shape.points)
    return Polygon(points) if isinstance(shape, Polygon) else Band(points, shape.width)


# ---- outlines ------------------------------------------------------------------------------------------------------

_CORNERS = 12


def blob(source: Source, least: int, most: int) -> Polygon:
    """An irregular outline around the origin, at least `least` and at most `most` across.

    Twelve corners, one in each twelfth of the circle, between 55 and 100 hundredths of the full way out. The two
    sizes need some thousandths between them, for corners are rounded.
    """
    if most - least < 6:
        raise ValueError(f"an outline {least} to {most} across; there must be 6 between the two")
    width = between(source, least + 3, most - 3)
    corners = []
    for k in range(_CORNERS):
        degrees = k * 360 // _CORNERS + source.number(20)
        corners.append(along(Point(0, 0), degrees, between(source, 55, 100) * 1000))
    return _scaled(corners, width, across(Polygon(tuple(corners))))


def _scaled(corners: Sequence[Point], by: int, over: int) -> Polygon:
    return Polygon(tuple(Point(rounded(x * by, over), rounded(y * by, over)) for x, y in corners))


def hill(source: Source, least: int, most: int, levels: int, apart: int) -> tuple[Contour, ...]:
    """The contours of a hill around the origin, lowest first, neighbours at least `apart` from each other.

    The lowest is the outline of the hill. There are as many levels as asked, or fewer where the next one would not
    be `apart` wide.
    """
    return contours_in(blob(source, least, most), levels, apart, Point(0, 0))


def contours_in(outline: Shape, levels: int, apart: int, middle: Point | None = None) -> tuple[Contour, ...]:
    """The contours of a hill with an outline, drawn smaller and smaller towards a point: by default its middle.

    >>> [contour.outline.radius for contour in contours_in(Disc(Point(0, 0), 3000), 3, 1000)]
    [3000, 2000, 1000]
    """
    contours = [Contour(1, outline)]
    for level in range(2, levels + 1):
        inner = _within(contours[-1].outline, apart, middle)
        if inner is None:
            break
        contours.append(Contour(level, inner))
    return tuple(contours)


def _within(outer: Shape, apart: int, middle: Point | None) -> Disc | Polygon | None:
    """The outline drawn smaller, just as far as its border stays at least `apart` from the outer one's."""
    if isinstance(outer, Disc):
        return Disc(outer.center, outer.radius - apart) if 2 * (outer.radius - apart) >= apart else None
    assert isinstance(outer, Polygon)
    border, count = Band((*outer.points, outer.points[0]), 0), len(outer.points)
    if middle is None:
        middle = Point(sum(x for x, _ in outer.points) // count, sum(y for _, y in outer.points) // count)
    u, v = middle
    for hundredths in range(90, 0, -5):
        inner = Polygon(
            tuple(
                Point(u + rounded((x - u) * hundredths, 100), v + rounded((y - v) * hundredths, 100))
                for x, y in outer.points
            )
        )
        if across(inner) < apart:
            return None
        if gap_floor(Band((*inner.points, inner.points[0]), 0), border) >= apart and covers(outer, inner):
            return inner
    return None


def buildings(source: Source, count: int, least: int, most: int, side: int, street: int) -> tuple[Polygon, ...]:
    """One to four rectangular buildings around the origin, together at least `least` and at most `most` across.

    Each is at least `side` long and wide, and any two are at least `street` apart. They stand at the outer corners of
    a block, which is turned by a whole number of degrees. Raises where the sizes cannot be had together.
    """
    if not 1 <= count <= 4:
        raise ValueError(f"{count} buildings in a group; there may be 1 to 4")
    columns, rows = (1, 1) if count == 1 else (2, 1) if count == 2 else (2, 2)
    narrow, short = (n * (side + 4) + (n - 1) * (street + 4) for n in (columns, rows))
    diagonal = between(source, max(least + 3, isqrt(narrow**2 + short**2) + 2), most - 3)
    width = between(source, narrow, isqrt(diagonal**2 - short**2))
    height = isqrt(diagonal**2 - width**2)
    degrees = source.number(360)
    corners = [(east, south) for south in range(rows) for east in range(columns)]
    if count == 3:
        corners.pop(source.number(4))
    found = []
    for east, south in corners:
        room_x = (width - (columns - 1) * (street + 4)) // columns
        room_y = (height - (rows - 1) * (street + 4)) // rows
        wide = room_x if count == 1 else between(source, side + 4, room_x)
        deep = room_y if count == 1 or rows == 1 else between(source, side + 4, room_y)
        x = width // 2 - wide if east else -(width // 2)
        y = height // 2 - deep if south else -(height // 2)
        box = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
        found.append(Polygon(tuple(_turned(px, py, degrees) for px, py in box)))
    return tuple(found)


def _turned(x: int, y: int, degrees: int) -> Point:
    ux, uy = VECTORS[degrees % 360]
    return Point(rounded(x * ux - y * uy, SCALE), rounded(x * uy + y * ux, SCALE))


def winding(source: Source, start: Point, end: Point, width: int, bends: int, sway: int) -> Band:
    """A road or river from one point to another, with so many bends, each at most `sway` off the straight line."""
    points = [start]
    for k in range(1, bends + 1):
        x = start[0] + rounded((end[0] - start[0]) * k, bends + 1)
        y = start[1] + rounded((end[1] - start[1]) * k, bends + 1)
        points.append(along(Point(x, y), source.number(360), source.number(sway + 1)))
    return Band((*points, end), width)


# ---- places --------------------------------------------------------------------------------------------------------


def place(
    source: Source, shapes: Sequence[Shape], region: Shape, allowed: Callable[[Sequence[Shape]], bool], tries: int = 40
) -> tuple[int, int] | None:
    """How far to move some shapes, together, so that they lie in a region and are allowed there; none if not found.

    Each try draws a place where they fit the upright rectangle around the region.
    """
    boxes = [box_of(shape) for shape in shapes]
    west, north = min(box[0] for box in boxes), min(box[1] for box in boxes)
    east, south = max(box[2] for box in boxes), max(box[3] for box in boxes)
    room = box_of(region)
    spare_x, spare_y = (room[2] - room[0]) - (east - west), (room[3] - room[1]) - (south - north)
    if spare_x < 0 or spare_y < 0:
        return None
    for _ in range(tries):
        dx = room[0] - west + source.number(spare_x + 1)
        dy = room[1] - north + source.number(spare_y + 1)
        there = [moved(shape, dx, dy) for shape in shapes]
        if all(covers(region, shape) for shape in there) and allowed(there):
            return dx, dy
    return None


def piece_moved(piece: Piece, dx: int, dy: int) -> Piece:
    """A piece somewhere else, with its contours and parts."""
    contours = tuple(Contour(c.level, moved(c.outline, dx, dy), c.cliff) for c in piece.contours)
    parts = tuple(
        type(part)(part.id, None if part.outline is None else moved(part.outline, dx, dy), part.level, part.state)
        for part in piece.parts
    )
    return Piece(
        piece.id,
        piece.kind,
        moved(piece.outline, dx, dy),
        piece.height,
        contours,
        parts,
        piece.traits,
        piece.label,
    )


# ---- a way through -------------------------------------------------------------------------------------------------


def reach_of(base: Base) -> int:
    """How far the farthest point of a base is from its centre, whichever way it faces, rounded up.

    >>> reach_of(Base("hexagon", 1500)), reach_of(Base("circle", 1000))
    (868, 500)
    """
    offsets = base_offsets(base, 0)
    if not offsets:
        return base_radius(base)
    square = max(x * x + y * y for x, y in offsets)
    # One more for the corners of other facings, which are rounded on their own.
    return isqrt(square - 1) + 2


def way_through(
    ground: Ground,
    base: Base,
    start: Shape,
    end: Shape,
    passable: Callable[[Piece], bool],
    pitch: int = UNIT // 2,
    blocked: Iterable[Shape] = (),
) -> bool:
    """Whether a base can get from one zone to another over passable ground.

    Careful: a yes is always true, and a no may overlook a gap less than about two `pitch` wider than the base. The
    base counts as a disc of its farthest reach, grown by half a pitch, that goes from point to point of a square
    grid; so whatever lies between two free points is free as well. Roads over what cannot be passed are not seen.

    >>> from sandtable.engine.shapes import rectangle
    >>> north, south = rectangle(0, 0, 9000, 3000), rectangle(0, 6000, 9000, 3000)
    >>> wall = Piece("w", "wall", rectangle(0, 4000, 9000, 500))
    >>> ground, base = Ground(9000, 9000, (wall,)), Base("circle", 1000)
    >>> way_through(ground, base, north, south, lambda piece: False), way_through(ground, base, north, south, bool)
    (False, True)
    """
    radius = reach_of(base) + (pitch + 1) // 2
    obstacles = [piece.outline for piece in ground.pieces if not passable(piece)] + list(blocked)
    columns, rows = ground.width // pitch + 1, ground.height // pitch + 1
    free = [[True] * rows for _ in range(columns)]
    margin = reach_of(base)
    for shape in obstacles:
        west, north, east, south = box_of(shape)
        for i in range(max(0, (west - radius) // pitch), min(columns, (east + radius) // pitch + 2)):
            for j in range(max(0, (north - radius) // pitch), min(rows, (south + radius) // pitch + 2)):
                if free[i][j] and overlap(shape, Disc(Point(i * pitch, j * pitch), radius)):
                    free[i][j] = False
    for i in range(columns):
        for j in range(rows):
            x, y = i * pitch, j * pitch
            if not (margin <= x <= ground.width - margin and margin <= y <= ground.height - margin):
                free[i][j] = False

    def inside(zone: Shape, i: int, j: int) -> bool:
        around = Disc(Point(i * pitch, j * pitch), reach_of(base))
        return boxes_meet(box_of(zone), box_of(around)) and covers(zone, around)

    todo = [(i, j) for i in range(columns) for j in range(rows) if free[i][j] and inside(start, i, j)]
    for i, j in todo:
        free[i][j] = False
    while todo:
        i, j = todo.pop()
        if inside(end, i, j):
            return True
        for k, m in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= k < columns and 0 <= m < rows and free[k][m]:
                free[k][m] = False
                todo.append((k, m))
    return False
