"""Where things can get to, as shapes: every point of them is the end of a lawful walk.

From where a thing stands, and from every corner of what is in its way or slows it, rays go out; how far along a ray it
comes, its ruleset says by the very code that judges walks (`Walker.as_far`). Where a thing has no room to turn, rays go
out from where it first has, too. Rays are laid closer wherever the lengths of neighbours differ from what lies between
them. What lies between the ends of neighbouring rays is in reach, and the shapes are the outline of all of it, without
the places where nothing may come to stand: points of a square lattice are asked first, between one in reach and one
that is not the border is found by bisection, and each part of the border within a cell is bent until its middle lies
within `FLAT` of the truth.

So every point inside the shapes is within `ROUNDING` of where some lawful walk ends, and what lies outside is out of
reach but for a hair's breadth, and for ways of more corners than were looked at. What is smaller than the mesh of the
lattice can be missed; where much of the length or breadth of the area was, the mesh is made finer.

Holes are cut open along rows of the lattice: the shapes adjoin, do not overlap and have none. Ask whether a point is
in reach with `in_reach`, borders included.
"""

from collections.abc import Callable, Iterator, Sequence
from math import atan2, degrees, isqrt
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, Leg, Point, Polygon, Via, Walk
from sandtable.field.directions import SCALE, VECTORS, along, rounded
from sandtable.field.ground import Box
from sandtable.field.measure import on_or_inside
from sandtable.field.outlines import segments_meet
from sandtable.field.walking.courses import bearing_floor, legs_of, nearest_degree, signed, solved, spared
from sandtable.field.walking.paths import Pose, length_between
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.surroundings import Lie, Surroundings

#: How near to every point of the shapes a lawful walk ends.
ROUNDING = UNIT // 10

#: Between its corners the border is drawn about this near to the found one.
FLAT = 20

#: A border is found to this.
_FINE = 10

#: How many degrees lie between the first rays, and how often that is halved at most: from a start, from a corner.
_APART, _HALVED = (10, 20), (6, 2)

#: Neighbouring rays of which one goes so much farther have something between them that ends the shorter.
_JUMP = 2 * UNIT // 5

#: From so many corners rays go out, those first that are come by at the least cost; not for a way as short as this.
_MOST_CORNERS, _SHORT = 12, UNIT // 2

#: About so many meshes of the lattice lie across the area; none is finer than this, not even where the area is thin.
_MESHES, _FINEST = 36, UNIT // 8

#: So far apart are the places on its way where it is asked whether a thing has room to turn, for so long at most.
_PACE, _ROOM = UNIT // 10, 2 * UNIT

_Node = tuple[int, int]
#: From the lattice point in reach to its neighbour that is not.
_Edge = tuple[_Node, _Node]
_Vector = tuple[int, int]
#: A direction, and how far a thing comes in it.
_Ray = tuple[_Vector, int]


class Walker(NamedTuple):
    """A thing that walks: where it stands, how it moves, how the land lies for it, and how far along a walk it comes.

    `as_far` is asked for walks that may lead anywhere, and gives the length of the longest lawful beginning of one;
    whether the thing may stand where that ends is another question (`reach`). The lie of the land is only a guide to
    corners worth going round, but for this: where it knows nothing in the way or slow, ways cost their length.
    """

    start: Pose
    as_far: Callable[[Walk], int]
    gait: Gait
    lie: Lie


def in_reach(area: tuple[Polygon, ...], point: Point) -> bool:
    """Whether a point lies in one of some shapes or on its border."""
    return any(on_or_inside(shape, point) for shape in area)


def reach(walkers: Sequence[Walker], may_end: Callable[[Point], bool] = lambda point: True) -> tuple[Polygon, ...]:
    """The area that some of several things can reach in one go, whichever way they face in the end.

    >>> from sandtable.engine.shapes import Base
    >>> from sandtable.engine.table import Ground
    >>> lie = Lie(Ground(9000, 9000), Base("circle", 1000))
    >>> area = reach([Walker(Pose(Point(4000, 4000)), lambda walk: 2000, Gait(farthest=2000, facing=False), lie)])
    >>> in_reach(area, Point(5400, 5400)), in_reach(area, Point(5500, 5500))
    (True, False)
    """
    return Reach(walkers, may_end).shapes()


class Reach:
    """The area that some of several things can reach in one go: what lies in it, and by which walk."""

    def __init__(self, walkers: Sequence[Walker], may_end: Callable[[Point], bool]) -> None:
        self.stars, self.may_end = _stars(walkers), may_end

    def holds(self, point: Point) -> bool:
        """Whether a point is in reach."""
        return any(star.holds(point) for star in self.stars) and self.may_end(point)

    def walks(self, point: Point) -> Iterator[tuple[Walker, Walk]]:
        """Walks to a point in reach: straight, or straight from a corner, as near to it as whole degrees lead."""
        for star in self.stars:
            if star.holds(point):
                yield from ((star.ways.walker, walk) for walk in star.ways.walks(point))

    def shapes(self) -> tuple[Polygon, ...]:
        """The area as shapes that adjoin and do not overlap."""
        if not self.stars:
            return ()
        boxes = [star.box for star in self.stars]
        west, north = min(box[0] for box in boxes), min(box[1] for box in boxes)
        east, south = max(box[2] for box in boxes), max(box[3] for box in boxes)
        pitch = max(UNIT // 2, max(east - west, south - north) // _MESHES)
        wide, high = _extent([end for star in self.stars for end in star.ends if self.may_end(end)])
        while True:
            found = _Lattice(self.holds, (west, north, east, south), pitch).shapes()
            breadth, height = _extent([point for shape in found for point in shape.points])
            if pitch <= _FINEST or (breadth >= wide * 2 // 3 and height >= high * 2 // 3):
                return found
            pitch //= 2


def _extent(points: Sequence[Point]) -> tuple[int, int]:
    """How wide and how high the box around some points is."""
    xs, ys = [point[0] for point in points] or [0], [point[1] for point in points] or [0]
    return max(xs) - min(xs), max(ys) - min(ys)


# Rays --------------------------------------------------------------------------------------------------------------


class _Star:
    """All that is in reach straight from one point: rays around it, in order, each with how far it goes."""

    def __init__(self, ways: "_Ways", rays: list[_Ray]) -> None:
        self.ways, self.center = ways, ways.center
        self.rays, self.vectors = rays, [vector for vector, _ in rays]
        x, y = self.center
        self.ends = [Point(x + rounded(u * far, SCALE), y + rounded(v * far, SCALE)) for (u, v), far in rays]
        xs, ys = [end[0] for end in self.ends], [end[1] for end in self.ends]
        self.box: Box = (min(xs), min(ys), max(xs), max(ys))
        #: The last ray that begins before each whole degree, a little early rather than late.
        self.first = [0] * 361
        n = 0
        for degree in range(361):
            while n + 1 < len(rays) and bearing_floor(*self.vectors[n + 1]) < degree - 1:
                n += 1
            self.first[degree] = n

    def holds(self, point: Point) -> bool:
        """Whether a point is in reach from here."""
        x, y = point
        west, north, east, south = self.box
        if not (west <= x <= east and north <= y <= south):
            return False
        x, y = x - self.center[0], y - self.center[1]
        if not (x or y):
            return True
        vectors, count = self.vectors, len(self.vectors)
        n = self.first[int(degrees(atan2(y, x)) % 360)]  # a guess that is early enough; what follows is exact
        while n + 1 < count and vectors[n + 1][0] * y - vectors[n + 1][1] * x > 0:
            n += 1
        # On a ray, what lies before it counts and what lies behind it.
        while not self._before(n, point):
            n += 1
            if n >= count or vectors[n][0] * y - vectors[n][1] * x:
                return False
        return True

    def _before(self, n: int, point: Point) -> bool:
        """Whether a point between two rays lies on this side of the line that joins their ends."""
        last = (n + 1) % len(self.ends)
        (ax, ay), (bx, by) = self.ends[n], self.ends[last]
        if (ax, ay) == (bx, by) or self.vectors[n] == self.vectors[last]:
            return False
        x, y = point
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0


class _Round:
    """All that is in reach straight from one point where nothing is in the way."""

    def __init__(self, ways: "_Ways") -> None:
        radius = ways.most
        self.ways, self.center, self.square = ways, ways.center, radius * radius
        x, y = ways.center
        self.box: Box = (x - radius, y - radius, x + radius, y + radius)
        self.ends = [Point(x - radius, y), Point(x + radius, y), Point(x, y - radius), Point(x, y + radius)]

    def holds(self, point: Point) -> bool:
        """Whether a point is in reach from here."""
        dx, dy = point[0] - self.center[0], point[1] - self.center[1]
        return dx * dx + dy * dy <= self.square


class _Corner(NamedTuple):
    """A corner that a walker can come by: at what cost about, how long the way is, and by which corners before.

    To the first of them it may go backwards.
    """

    cost: int
    length: int
    at: Point
    chain: tuple[Point, ...]
    walker: Walker
    backing: bool = False


def _stars(walkers: Sequence[Walker]) -> list[_Star | _Round]:
    """What is in reach straight from where things stand, and from corners; from each by who comes by it cheapest."""
    stars: list[_Star | _Round] = []
    corners: dict[Point, _Corner] = {}
    for walker in walkers:
        gait = walker.gait
        if gait.farthest <= 0:
            continue
        around = Surroundings(walker.lie, walker.start.point, gait.farthest, min(gait.most_legs, 4))
        if around.plain and not gait.facing:
            stars.append(_Round(_Ways(walker, ())))
            continue
        star = _star(walker, ())
        stars.append(star)
        found = [_Corner(*corner, walker) for corner in around.corners()]
        if gait.facing and not around.stands(walker.start.point):
            for out in _ways_out(walker, around, star):
                if _brings_more(stars, out.at, gait.farthest - out.cost):
                    stars.append(_star(walker, out.chain, tuple(stars), out.backing))
                beyond = Surroundings(walker.lie, out.at, gait.farthest - out.cost, around.most_corners - 1)
                found += [
                    _Corner(out.cost + cost, out.length + length, at, (*out.chain, *chain), walker, out.backing)
                    for cost, length, at, chain in beyond.corners()
                ]
        for corner in found:
            if corner.at not in corners or corner.cost < corners[corner.at].cost:
                corners[corner.at] = corner
    cheapest = sorted(corners.values(), key=lambda one: (one.cost, one.at))
    taken = 0
    for corner in cheapest:
        left = corner.walker.gait.farthest - corner.cost
        if left < _SHORT or not any(star.holds(corner.at) for star in stars):
            continue  # no corner is worth it that is not in reach itself
        if not _brings_more(stars, corner.at, left):
            continue
        stars.append(_star(corner.walker, corner.chain, tuple(stars), corner.backing))
        taken += 1
        if taken == _MOST_CORNERS:
            break
    return stars


def _ways_out(walker: Walker, around: Surroundings, star: _Star) -> Iterator[_Corner]:
    """Where a walker that has no room to turn first has: a little along the longest of each bundle of rays."""
    bundle: list[_Ray] = []
    lengths = [far for _, far in star.rays]
    first = lengths.index(min(lengths))
    for ray in (*star.rays[first:], *star.rays[: first + 1]):
        if ray[1] > _PACE:
            bundle.append(ray)
            continue
        if bundle:
            middle = bundle[len(bundle) // 2]
            yield from _way_out(walker, around, nearest_degree(*middle[0]), middle[1])
        bundle = []


def _way_out(walker: Walker, around: Surroundings, heading: int, far: int) -> Iterator[_Corner]:
    """The first place in a direction where a walker has room to turn, come by forwards, backwards, or both."""
    start, gait = walker.start, walker.gait
    for go in range(_PACE, min(far, _ROOM) + 1, _PACE):
        at = along(start.point, heading, go)
        if not around.stands(at):
            continue
        for backing in (False, True)[: 1 + gait.backwards]:
            course = ((heading + 180) % 360, -go) if backing else (heading, go)
            if walker.as_far(Walk(legs_of(start.facing, (course,), gait.most_turn))) >= go:
                yield _Corner(go * gait.backward_length // UNIT if backing else go, go, at, (at,), walker, backing)
        return


def _brings_more(stars: Sequence[_Star | _Round], at: Point, left: int) -> bool:
    """Whether something around a corner is not in reach yet."""
    around = [along(at, degrees, far) for degrees in range(0, 360, 30) for far in (left * 9 // 10, left // 2)]
    return any(not any(star.holds(point) for star in stars) for point in around)


def _star(
    walker: Walker, chain: tuple[Point, ...], known: tuple["_Star | _Round", ...] = (), backing: bool = False
) -> _Star:
    """The rays from a walker, or from the last of a chain of corners that it goes by; none to what is known."""
    ways, apart, depth = _Ways(walker, chain, known, backing), _APART[bool(chain)], _HALVED[bool(chain)]
    rays: list[_Ray] = []
    first: list[_Ray] = [(VECTORS[degree], ways.far(VECTORS[degree])) for degree in range(0, 360, apart)]
    for n, ray in enumerate(first):
        following = first[(n + 1) % len(first)]
        rays += [ray, *ways.between(n * apart, (n + 1) * apart, ray, following, depth)]
    return _Star(ways, rays)


class _Ways:
    """The straight ways from where a walker is after a chain of corners."""

    def __init__(
        self,
        walker: Walker,
        chain: tuple[Point, ...],
        known: tuple[_Star | _Round, ...] = (),
        backing: bool = False,
    ) -> None:
        self.walker, self.chain, self.known = walker, chain, known
        at, facing, course = walker.start.point, walker.start.facing, []
        for corner in chain:
            heading = nearest_degree(corner[0] - at[0], corner[1] - at[1])
            size = length_between(at, corner)
            if not walker.gait.facing:
                at = corner
                course.append((heading, size))
                continue
            at = along(at, heading, size)
            facing = (heading + 180) % 360 if backing and not course else heading
            course.append((facing, size if facing == heading else -size))
        self.center, self.facing, self.course = at, facing, tuple(course)
        self.gone = sum(abs(size) for _, size in course)
        self.most = walker.gait.farthest - self.gone

    def far(self, vector: _Vector) -> int:
        """How far a walker comes in a direction."""
        gait = self.walker.gait
        to = self._at(vector, self.most)
        if self.most <= 0 or (self.known and all(self._known(vector, self.most * n // 6) for n in range(6, 0, -1))):
            return 0
        if not gait.facing:
            return self._gone(Walk(tuple(Via(at, self.walker.start.level) for at in (*self.chain, to))))
        heading = nearest_degree(*vector)
        best = self._gone(self._turning((*self.course, (heading, self.most))))
        if gait.backwards and abs(signed(heading - self.facing)) > gait.most_turn:
            best = max(best, self._gone(self._turning((*self.course, ((heading + 180) % 360, -self.most)))))
        return best

    def walks(self, point: Point) -> Iterator[Walk]:
        """The walks from here straight to a point, or nearly."""
        dx, dy = point[0] - self.center[0], point[1] - self.center[1]
        size = length_between(self.center, point)
        if not self.walker.gait.facing:
            yield Walk(tuple(Via(at, self.walker.start.level) for at in (*self.chain, point)))
            return
        low = bearing_floor(dx, dy)
        high = (low + 1) % 360
        for heading in (low, high):
            for go in (size, size - ROUNDING // 2):
                yield self._turning((*self.course, (heading, go)))
                if self.walker.gait.backwards:
                    yield self._turning((*self.course, ((heading + 180) % 360, -go)))
        for one, other in ((low, high), (high, low)):
            ways = solved(Point(dx, dy), one, other)
            if ways is not None:
                first, then = spared(((one, ways[0]), (other, ways[1])), ROUNDING // 2)
                yield self._turning((*self.course, first, then))

    def _at(self, vector: _Vector, far: int) -> Point:
        x, y = self.center
        return Point(x + rounded(vector[0] * far, SCALE), y + rounded(vector[1] * far, SCALE))

    def _known(self, vector: _Vector, far: int) -> bool:
        point = self._at(vector, far)
        return any(star.holds(point) for star in self.known)

    def _brings_nothing(self, *rays: _Ray) -> bool:
        """Whether all that neighbouring rays lead to is in reach from elsewhere, but for a hair's breadth."""
        return bool(self.known) and all(self._known(vector, max(0, far - ROUNDING)) for vector, far in rays)

    def _turning(self, course: tuple[tuple[int, int], ...]) -> Walk:
        legs: tuple[Leg, ...] = legs_of(self.walker.start.facing, course, self.walker.gait.most_turn)
        return Walk(legs)

    def _gone(self, walk: Walk) -> int:
        return max(0, self.walker.as_far(walk) - self.gone)

    def between(self, low: int, high: int, one: _Ray, other: _Ray, depth: int) -> list[_Ray]:
        """The rays between two, laid closer where what lies halfway is not what they lead to expect.

        `low` and `high` are their whole degrees for who can only go in such; who goes by points goes in any direction.
        """
        half = (low + high) // 2
        if not self.walker.gait.facing:
            vector = _halfway(one[0], other[0])
        elif high - low < 2:
            return _step(one, other)
        else:
            vector = VECTORS[half % 360]
        if self._brings_nothing(one, (vector, max(one[1], other[1])), other):
            return [(one[0], 0), (other[0], 0)]
        middle = vector, self.far(vector)
        if abs(2 * middle[1] - one[1] - other[1]) <= 2 * FLAT:
            return [middle]
        if self._brings_nothing(one, middle, other):
            return [(one[0], 0), (other[0], 0)]
        if depth == 0:
            return [*_step(one, middle), middle, *_step(middle, other)]
        before = self.between(low, half, one, middle, depth - 1)
        return [*before, middle, *self.between(half, high, middle, other, depth - 1)]


def _step(one: _Ray, other: _Ray) -> list[_Ray]:
    """What is put between two rays as close as any, where one goes much farther: nothing beyond the shorter is sure."""
    if one[1] - other[1] > _JUMP:
        return [(one[0], other[1])]
    return [(other[0], one[1])] if other[1] - one[1] > _JUMP else []


def _halfway(one: _Vector, other: _Vector) -> _Vector:
    x, y = one[0] + other[0], one[1] + other[1]
    size = isqrt(x * x + y * y)
    return rounded(x * SCALE, size), rounded(y * SCALE, size)


# The outline -------------------------------------------------------------------------------------------------------


class _Lattice:
    """The lattice over an area, with everything that was asked."""

    def __init__(self, holds: Callable[[Point], bool], box: Box, pitch: int) -> None:
        self.holds, self.pitch = holds, pitch
        self.west, self.north = box[0] - pitch, box[1] - pitch
        self.columns, self.rows = (box[2] - box[0]) // pitch + 3, (box[3] - box[1]) // pitch + 3
        self.asked: dict[Point, bool] = {}
        self.crossed: dict[_Edge, Point] = {}

    def reached(self, point: Point) -> bool:
        known = self.asked.get(point)
        if known is None:
            known = self.asked[point] = self.holds(point)
        return known

    def point(self, node: _Node) -> Point:
        return Point(self.west + node[0] * self.pitch, self.north + node[1] * self.pitch)

    def shapes(self) -> tuple[Polygon, ...]:
        found: list[Polygon] = []
        bands = [(0, self.rows)]
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
        if not (self.first <= node[1] <= self.last and 0 < node[0] < lattice.columns and 0 < node[1] < lattice.rows):
            return False
        return lattice.reached(lattice.point(node))

    def crossing(self, edge: _Edge) -> Point:
        if self.first <= edge[1][1] <= self.last:
            return self.lattice.crossing(edge)
        return self.lattice.point(edge[0])

    def loops(self) -> Iterator[tuple[int, list[Point]]]:
        """The borders, each as a closed line with a row it passes; inside to the right, so holes run backwards."""
        onwards: dict[_Edge, tuple[_Edge, _Node]] = {}
        for j in range(max(self.first, 0) - 1, min(self.last, self.lattice.rows) + 1):
            for i in range(self.lattice.columns):
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
