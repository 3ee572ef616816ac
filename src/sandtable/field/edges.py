"""The four edges of a board: which way leads in, what lies along them, how far they are."""

from enum import StrEnum
from fractions import Fraction

from sandtable.engine.shapes import Point, Polygon, rectangle
from sandtable.engine.table import Ground


class Edge(StrEnum):
    """An edge of the board."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"

    @property
    def upright(self) -> bool:
        """Whether it runs up and down as the board is drawn: the western and the eastern one."""
        return self in (Edge.WEST, Edge.EAST)

    @property
    def opposite(self) -> "Edge":
        """The edge on the other side of the board.

        >>> Edge.NORTH.opposite
        <Edge.SOUTH: 'south'>
        """
        return _ROUND[(_ROUND.index(self) + 2) % 4]

    @property
    def inwards(self) -> int:
        """Which way leads onto the board from it, in degrees."""
        return _INWARDS[self]


_ROUND = tuple(Edge)
_INWARDS = {Edge.NORTH: 90, Edge.EAST: 180, Edge.SOUTH: 270, Edge.WEST: 0}


def strip(ground: Ground, edge: Edge, depth: int, begins: int = 0, margin: int = 0) -> Polygon:
    """The strip of the board along an edge, so deep; it may begin farther in, and stop short of the ends of the edge.

    >>> strip(Ground(48000, 36000), Edge.EAST, 6000).points[0]
    Point(x=42000, y=0)
    >>> strip(Ground(48000, 36000), Edge.NORTH, 6000, begins=500, margin=2000).points[0]
    Point(x=2000, y=500)
    """
    long = max(1, (ground.height if edge.upright else ground.width) - 2 * margin)
    if edge.upright:
        return rectangle(ground.width - depth if edge is Edge.EAST else begins, margin, depth - begins, long)
    return rectangle(margin, ground.height - depth if edge is Edge.SOUTH else begins, long, depth - begins)


def across(ground: Ground, edge: Edge) -> int:
    """How far it is from an edge to the one opposite."""
    return ground.width if edge.upright else ground.height


def place_along(ground: Ground, edge: Edge, share: Fraction, far: int) -> Point:
    """The point so far inside an edge, at a share of its length.

    >>> place_along(Ground(48000, 36000), Edge.SOUTH, Fraction(1, 4), 6000)
    Point(x=12000, y=30000)
    """
    return inside_of(ground, edge, Point(int(ground.width * share), int(ground.height * share)), far)


def inside_of(ground: Ground, edge: Edge, point: Point, far: int = 0) -> Point:
    """The point so far inside an edge that lies straight before another; with nothing, on the edge itself.

    >>> inside_of(Ground(48000, 36000), Edge.SOUTH, Point(9000, 5000), 500)
    Point(x=9000, y=35500)
    """
    if edge.upright:
        return Point(far if edge is Edge.WEST else ground.width - far, point.y)
    return Point(point.x, far if edge is Edge.NORTH else ground.height - far)


def gap_to_edge(ground: Ground, edge: Edge, box: tuple[int, int, int, int]) -> int:
    """How far a box (its western, northern, eastern and southern side) is from an edge; negative beyond it."""
    west, north, east, south = box
    if edge.upright:
        return west if edge is Edge.WEST else ground.width - east
    return north if edge is Edge.NORTH else ground.height - south


def ends_of(ground: Ground, edge: Edge) -> tuple[Point, Point]:
    """The two corners of the board between which an edge runs, the northern or western one first."""
    corners = strip(ground, edge, 0).points
    return corners[0], corners[2]
