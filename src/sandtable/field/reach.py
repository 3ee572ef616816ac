"""Where a thing can get to, as shapes: every point of them is the end of a walk that the judge accepts.

A point is in reach if the planner finds an accepted walk that ends within `TOLERANCE` of it. Points of a square
lattice are asked first; between a point in reach and one that is not, the border is found by bisection, and each part
of the border within a cell is bent until its middle lies within `FLAT` of the truth. So every point inside the shapes
is within `ROUNDING`, a tenth of a unit, of where some lawful walk ends (`Planner.near` finds it), and what lies
outside is out of reach but for a hair's breadth and for what the planner does not find. What is smaller than the mesh
of the lattice can be missed; on boards full of clutter the tests find no such point in thousands.

Holes are cut open along rows of the lattice: the shapes adjoin, do not overlap and have none. Ask whether a point is
in reach with `in_reach`, borders included.
"""

from collections.abc import Callable, Iterator
from math import isqrt

from sandtable.engine.shapes import UNIT, Point, Polygon
from sandtable.field.directions import rounded
from sandtable.field.measure import on_or_inside
from sandtable.field.outlines import segments_meet
from sandtable.field.planner import Planner

#: How near to every point of the shapes a lawful walk ends (`Planner.near`).
ROUNDING = UNIT // 10

#: Between its corners the border is drawn about this near to the found one.
FLAT = 20

#: A border is found to this.
_FINE = 10

_Node = tuple[int, int]
#: From the lattice point in reach to its neighbour that is not.
_Edge = tuple[_Node, _Node]


def in_reach(area: tuple[Polygon, ...], point: Point) -> bool:
    """Whether a point lies in one of some shapes or on its border."""
    return any(on_or_inside(shape, point) for shape in area)


def reach(planner: Planner, pitch: int = 0) -> tuple[Polygon, ...]:
    """The area that a planner's thing can reach in one go, whichever way it faces in the end.

    `pitch` is the mesh of the lattice: by default a fourteenth of the farthest way, but at least half a unit and at
    most half the base. What is smaller than a mesh may be overlooked.

    >>> from sandtable.engine.shapes import Base
    >>> from sandtable.engine.table import Ground
    >>> from sandtable.field.paths import Pose
    >>> from sandtable.field.planner import Gait
    >>> from sandtable.field.surroundings import Lie
    >>> lie = Lie(Ground(9000, 9000), Base("circle", 1000))
    >>> gait = Gait(farthest=2000, facing=False)
    >>> area = reach(Planner(Pose(Point(4000, 4000)), lambda walk: 0, gait, lie))
    >>> in_reach(area, Point(5400, 5400)), in_reach(area, Point(5500, 5500))
    (True, False)
    """
    return _Lattice(planner, pitch or _pitch(planner)).shapes()


def _pitch(planner: Planner) -> int:
    return max(UNIT // 2, min(planner.gait.farthest // 14, planner.lie.base.size // 2))


class _Lattice:
    """The lattice around a planner's start, with everything that was asked."""

    def __init__(self, planner: Planner, pitch: int) -> None:
        self.planner, self.pitch = planner, pitch
        self.extent = planner.gait.farthest // pitch + 2
        self.asked: dict[Point, bool] = {}
        self.crossed: dict[_Edge, Point] = {}

    def reached(self, point: Point) -> bool:
        known = self.asked.get(point)
        if known is None:
            known = self.planner.to(point) is not None
            self.asked[point] = known
        return known

    def point(self, node: _Node) -> Point:
        x, y = self.planner.start.point
        return Point(x + node[0] * self.pitch, y + node[1] * self.pitch)

    def shapes(self) -> tuple[Polygon, ...]:
        found: list[Polygon] = []
        bands = [(-self.extent, self.extent)]
        while bands:
            first, last = bands.pop()
            loops = list(_Band(self, first, last).loops())
            cut = next((row for row, points in loops if _area(points) < 0), None)
            if cut is None:
                found += [shape for _, points in loops for shape in _simple(points)]
            else:
                bands += [(cut, last), (first, cut)]
        return tuple(found)

    def crossing(self, edge: _Edge) -> Point:
        """Where the border crosses the edge between two lattice points: the last point found in reach."""
        if edge not in self.crossed:
            (x, y), (to_x, to_y) = self.point(edge[0]), self.point(edge[1])
            low, high = 2, self.pitch - 2
            while high - low > _FINE:
                middle = (low + high) // 2
                at = Point(x + (to_x - x) * middle // self.pitch, y + (to_y - y) * middle // self.pitch)
                if self.reached(at):
                    low = middle
                else:
                    high = middle
            self.crossed[edge] = Point(x + (to_x - x) * low // self.pitch, y + (to_y - y) * low // self.pitch)
        return self.crossed[edge]

    def bent(self, a: Point, b: Point, cell: tuple[Point, Point], depth: int = 2) -> Iterator[Point]:
        """The points between two points of the border, in order, where it is not nearly straight; all in one cell."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        size = isqrt(dx * dx + dy * dy)
        if size < 4 * FLAT or not depth:
            return
        middle = Point((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)

        def off(distance: int) -> Point:
            # Outwards is to the left: shapes are walked clockwise, their inside to the right.
            x = min(max(middle[0] + rounded(dy * distance, size), cell[0][0] + 1), cell[1][0] - 1)
            y = min(max(middle[1] - rounded(dx * distance, size), cell[0][1] + 1), cell[1][1] - 1)
            return Point(x, y)

        if not self.reached(middle):
            if self.reached(off(-FLAT)):
                yield off(-FLAT)
                return
            found = off(self._last(off, -(size // 2), -FLAT))
        elif self.reached(off(FLAT)):
            found = off(self._last(off, FLAT, size // 2))
        else:
            return
        if found in (a, b):
            return
        yield from self.bent(a, found, cell, depth - 1)
        yield found
        yield from self.bent(found, b, cell, depth - 1)

    def _last(self, off: Callable[[int], Point], low: int, high: int) -> int:
        """How far out the last point in reach lies, from one that is to one that is not."""
        while high - low > _FINE:
            half = (low + high) // 2
            if self.reached(off(half)):
                low = half
            else:
                high = half
        return low


class _Band:
    """Some rows of the lattice, looked at as if nothing beyond them were in reach."""

    def __init__(self, lattice: _Lattice, first: int, last: int) -> None:
        self.lattice, self.first, self.last = lattice, first, last

    def reached(self, node: _Node) -> bool:
        lattice = self.lattice
        if not (self.first <= node[1] <= self.last and abs(node[0]) < lattice.extent and abs(node[1]) < lattice.extent):
            return False
        return lattice.reached(lattice.point(node))

    def crossing(self, edge: _Edge) -> Point:
        if self.first <= edge[1][1] <= self.last:
            return self.lattice.crossing(edge)
        return self.lattice.point(edge[0])

    def loops(self) -> Iterator[tuple[int, list[Point]]]:
        """The borders, each as a closed line with a row it passes; inside to the right, so holes run backwards."""
        onwards: dict[_Edge, tuple[_Edge, _Node]] = {}
        extent = self.lattice.extent
        for j in range(max(self.first, -extent) - 1, min(self.last, extent) + 1):
            for i in range(-extent, extent):
                for start, end in self._segments((i, j)):
                    onwards[start] = (end, (i, j))
        while onwards:
            start = next(iter(onwards))
            points: list[Point] = []
            rows: list[int] = []
            edge = start
            while edge in onwards:
                following, cell = onwards.pop(edge)
                a, b = self.crossing(edge), self.crossing(following)
                points.append(a)
                if self.first <= cell[1] < self.last:
                    points += self._bent(a, b, cell)
                rows.append(edge[1][1])
                edge = following
            rows.sort()
            yield rows[len(rows) // 2], points

    def _bent(self, a: Point, b: Point, cell: _Node) -> list[Point]:
        """The bends of the border within a cell; none where they would tangle, or where two borders share it."""
        i, j = cell
        corners = [self.reached(node) for node in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
        if corners[0] == corners[2] and corners[1] == corners[3]:
            return []
        found = list(self.lattice.bent(a, b, (self.lattice.point(cell), self.lattice.point((i + 1, j + 1)))))
        line = [a, *found, b]
        for m in range(len(line) - 1):
            for n in range(m + 2, len(line) - 1):
                if segments_meet(line[m], line[m + 1], line[n], line[n + 1]):
                    return []
        return found if len(set(line)) == len(line) else []

    def _segments(self, cell: _Node) -> list[tuple[_Edge, _Edge]]:
        """The parts of the border in a cell, from the edge where a walk around it leaves reach to where it enters."""
        i, j = cell
        corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        inside = [self.reached(node) for node in corners]
        if all(inside) or not any(inside):
            return []
        leaves: list[_Edge] = []
        enters: list[_Edge] = []
        for k in range(4):
            a, b = corners[k], corners[(k + 1) % 4]
            if inside[k] and not inside[(k + 1) % 4]:
                leaves.append((a, b))
            elif inside[(k + 1) % 4] and not inside[k]:
                enters.append((b, a))
        if len(leaves) == 1:
            return [(leaves[0], enters[0])]
        x, y = self.lattice.point(cell)
        half = self.lattice.pitch // 2
        if inside[0]:  # around the cell it leaves, enters, leaves, enters
            after, before = enters, enters[::-1]
        else:  # it enters first
            after, before = enters[::-1], enters
        joined = self.first <= j < self.last and self.lattice.reached(Point(x + half, y + half))
        return list(zip(leaves, after if joined else before, strict=True))


def _area(points: list[Point]) -> int:
    """Twice the area, positive where a line runs clockwise as seen on the table."""
    return sum(points[k - 1][0] * points[k][1] - points[k - 1][1] * points[k][0] for k in range(len(points)))


def _simple(points: list[Point]) -> list[Polygon]:
    """A closed line as an outline without repeated points or needless ones, if any area is left."""
    out: list[Point] = []
    for point in points:
        if not out or point != out[-1]:
            out.append(point)
    while len(out) > 1 and out[0] == out[-1]:
        out.pop()
    kept = [
        p
        for k, p in enumerate(out)
        if (p[0] - out[k - 1][0]) * (out[(k + 1) % len(out)][1] - p[1])
        != (p[1] - out[k - 1][1]) * (out[(k + 1) % len(out)][0] - p[0])
    ]
    return [Polygon(tuple(kept))] if len(kept) >= 3 else []
