"""Spots to begin from: side by side at the front of a zone, or in and behind what gives cover there."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, Point, Polygon
from sandtable.field.edges import Edge
from sandtable.field.ground import Box

#: How far from the edges of the zone a base is placed, and from the next one.
INSET = UNIT
APART = 2 * UNIT
#: How near to the zone something must be to stand behind it.
_NEAR = 2 * UNIT
#: How far behind the front the ranks stand, and how many are thought of in each.
_RANKS = (1, 3, 5)
_IN_A_RANK = 24


class Front(NamedTuple):
    """A strip along an edge of the board, seen from there."""

    west: int
    north: int
    east: int
    south: int
    edge: Edge

    @property
    def facing(self) -> int:
        """The direction to the other side, in degrees."""
        return self.edge.inwards

    @property
    def middle(self) -> Point:
        """Its middle."""
        return Point((self.west + self.east) // 2, (self.north + self.south) // 2)

    def aside(self, at: Point, far: int) -> Point:
        """A point so far along the edge from another."""
        return Point(at.x, at.y + far) if self.edge.upright else Point(at.x + far, at.y)

    def ahead(self, depth: int) -> Point:
        """The point behind the middle of its front by so much."""
        x, y = self.middle
        match self.edge:
            case Edge.NORTH:
                return Point(x, self.south - depth)
            case Edge.SOUTH:
                return Point(x, self.north + depth)
            case Edge.WEST:
                return Point(self.east - depth, y)
        return Point(self.west + depth, y)

    def within(self, at: Point) -> bool:
        """Whether a base has room there."""
        return self.west + INSET <= at.x <= self.east - INSET and self.north + INSET <= at.y <= self.south - INSET

    def nearest(self, x: int, y: int) -> Point:
        """The point with room for a base that is nearest to another."""
        return Point(
            min(max(x, self.west + INSET), self.east - INSET),
            min(max(y, self.north + INSET), self.south - INSET),
        )


def front_of(strip: Polygon, edge: Edge) -> Front:
    """The strip of a rectangle, from its north-west corner."""
    first, _, last, _ = strip.points
    return Front(first.x, first.y, last.x, last.y, edge)


def free(at: Point, taken: Sequence[Point]) -> bool:
    """Whether a spot is apart from all that are taken."""
    return all(max(abs(at.x - other.x), abs(at.y - other.y)) >= APART for other in taken)


def in_line(front: Front, taken: Sequence[Point]) -> Iterator[Point]:
    """Free spots at the front, side by side from the middle; then behind them.

    >>> strip = Front(0, 0, 24000, 6000, Edge.NORTH)
    >>> spots = in_line(strip, [Point(12000, 5000)])
    >>> next(spots), next(spots)
    (Point(x=14000, y=5000), Point(x=10000, y=5000))
    """
    for depth in _RANKS:
        for n in range(_IN_A_RANK):
            at = front.aside(front.ahead(depth * UNIT), (n + 1) // 2 * (1 if n % 2 else -1) * APART)
            if free(at, taken) and front.within(at):
                yield at


def sheltered(front: Front, covers: Sequence[tuple[Box, bool]], taken: Sequence[Point]) -> Iterator[Point]:
    """Free spots in and behind what gives cover, one each: of every piece its box, and whether one may stand in it."""
    west, north, east, south = (
        front.west - _NEAR,
        front.north - _NEAR,
        front.east + _NEAR,
        front.south + _NEAR,
    )
    for box, may_enter in covers:
        if not (box[0] < east and box[2] > west and box[1] < south and box[3] > north):
            continue
        aside = 0 if may_enter else INSET
        x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
        spots = [front.nearest(x, one) for one in (y, box[1] - aside, box[3] + aside)]
        yield from [at for at in spots if free(at, taken)][:1]
