"""The quickest way over several actions: to an edge of the board, into a region.

Quickest means fewest actions, and within this search space: each action goes straight at the goal, straight on along
the way downhill from here (by a flood of the board from the goal, on a square lattice, slow ground counting more) or
beside it, as far as is lawful, or by a walk of `Planner` to a point of that way; of the poses reached after each action
the most promising few (`beam`) are gone on from. Every walk of a route was accepted by the judge of its own start. A
flood sees ways as wide as the narrowest half of the base and a little more. Unless that is as quick as anything could
be, the shortest ways from corner to corner of all that is on the board are gone too, as far as is lawful with each
action: over even ground, for a round base that need not turn, one of them is the quickest there is. Where nothing is
found so far, a careful search keeps to where the base has room however it faces, and goes from turn to turn.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple, Protocol

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Base, Disc, Leg, Point, Shape, Via, Walk
from sandtable.engine.table import Ground
from sandtable.field.directions import along
from sandtable.field.ground import box_of
from sandtable.field.measure import covers, on_or_inside, outline_of, overlap
from sandtable.field.random_terrain import reach_of
from sandtable.field.walking.courses import Course, corners_around, legs_of, nearest_degree, signed
from sandtable.field.walking.paths import Pose, length_between, resolve
from sandtable.field.walking.planner import TOLERANCE, Gait, Plan, Planner, PriceWalk
from sandtable.field.walking.surroundings import Lie, Surroundings

NORTH, EAST, SOUTH, WEST = "north", "east", "south", "west"


class Goal(Protocol):
    """Where a route leads."""

    def reached(self, pose: Pose) -> bool:
        """Whether a pose is the end of the route."""

    def aim(self, point: Point) -> Point:
        """The point to walk to from nearby, when the goal is as good as reached."""

    def left(self, point: Point) -> int:
        """How long a way from a point is at the least."""


class OverEdge:
    """Off the board by one edge: any part of the base beyond it is enough."""

    def __init__(self, ground: Ground, base: Base, edge: str) -> None:
        self.ground, self.base, self.edge = ground, base, edge
        self.inner = min(base.size, base.depth or base.size) // 2

    def reached(self, pose: Pose) -> bool:
        """Whether the base is over the edge."""
        west, north, east, south = box_of(outline_of(self.base, pose.point, pose.facing))
        beyond = {NORTH: north < 0, WEST: west < 0, EAST: east > self.ground.width, SOUTH: south > self.ground.height}
        return beyond[self.edge]

    def aim(self, point: Point) -> Point:
        """Straight at the edge, to where the narrowest half of the base is just over it."""
        over = self.inner - 20
        x, y = point
        if self.edge in (NORTH, SOUTH):
            return Point(x, over if self.edge == NORTH else self.ground.height - over)
        return Point(over if self.edge == WEST else self.ground.width - over, y)

    def left(self, point: Point) -> int:
        """Straight to the edge, whichever corner of the base is first."""
        x, y = point
        away = {NORTH: y, WEST: x, EAST: self.ground.width - x, SOUTH: self.ground.height - y}
        return max(0, away[self.edge] - reach_of(self.base))


class InRegion:
    """Within a shape: with the centre of the base, or with all of it."""

    def __init__(self, region: Shape, base: Base, whole: bool = False) -> None:
        self.region, self.base, self.whole = region, base, whole
        west, north, east, south = box_of(region)
        self.box = (west, north, east, south)
        self.inset = min(base.size // 2 if whole else 20, (east - west) // 2, (south - north) // 2)

    def reached(self, pose: Pose) -> bool:
        """Whether the base, or its centre, is within."""
        if self.whole:
            return covers(self.region, outline_of(self.base, pose.point, pose.facing))
        return on_or_inside(self.region, pose.point)

    def aim(self, point: Point) -> Point:
        """The middle for the whole base, else the nearest point of the rectangle around the region, a little within."""
        west, north, east, south = self.box
        if self.whole:
            return Point((west + east) // 2, (north + south) // 2)
        x = min(max(point[0], west + self.inset), east - self.inset)
        return Point(x, min(max(point[1], north + self.inset), south - self.inset))

    def left(self, point: Point) -> int:
        """Straight to the upright rectangle around the region."""
        west, north, east, south = self.box
        return length_between(point, Point(min(max(point[0], west), east), min(max(point[1], north), south)))


class Route(NamedTuple):
    """The walks of a route, one for each action, and the pose it ends in."""

    walks: tuple[Walk, ...]
    end: Pose

    @property
    def actions(self) -> int:
        """How many actions it takes."""
        return len(self.walks)


class Flood:
    """How far it is to a goal from everywhere on the board, slow ground counting more; as a guide."""

    def __init__(self, lie: Lie, goal: Goal, pitch: int = UNIT, *, careful: bool = False) -> None:
        self.goal, self.pitch, self.careful = goal, pitch, careful
        ground = lie.ground
        self.columns, self.rows = ground.width // pitch + 1, ground.height // pitch + 1
        around = Surroundings(lie, Point(ground.width // 2, ground.height // 2), ground.width + ground.height, 0)
        self.blocked = self._blocked(around)
        self.around = around
        self.cost: dict[tuple[int, int], int] = {}
        self.slower: dict[tuple[int, int], int] = {}
        self._spread()

    def _blocked(self, around: Surroundings) -> bytearray:
        found = bytearray(self.columns * self.rows)
        r, pitch = around.radius + _SPARE if self.careful else around.inner, self.pitch
        for (west, north, east, south), shape in around.obstacles:
            for i in range(max(0, (west - r) // pitch), min(self.columns, (east + r) // pitch + 2)):
                for j in range(max(0, (north - r) // pitch), min(self.rows, (south + r) // pitch + 2)):
                    if overlap(shape, Disc(Point(i * pitch, j * pitch), r)):
                        found[i * self.rows + j] = 1
        return found

    def _spread(self) -> None:
        queue: list[tuple[int, int, int]] = []
        for i in range(self.columns):
            for j in range(self.rows):
                here = Point(i * self.pitch, j * self.pitch)
                away = length_between(here, self.goal.aim(here))
                if away <= 2 * max(self.pitch, UNIT) and not self.blocked[i * self.rows + j]:
                    if self.careful and not self.around.free(here, self.goal.aim(here)):
                        continue
                    queue.append((away, i, j))
        queue.sort()
        straight, slant = self.pitch, self.pitch * 1414 // 1000
        while queue:
            cost, i, j = heappop(queue)
            if (i, j) in self.cost:
                continue
            self.cost[i, j] = cost
            slower = self.slower[i, j] = self.around.weight_at(Point(i * self.pitch, j * self.pitch))
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                k, m = i + di, j + dj
                if 0 <= k < self.columns and 0 <= m < self.rows and (k, m) not in self.cost:
                    if not self.blocked[k * self.rows + m]:
                        heappush(queue, (cost + slower * (slant if di and dj else straight), k, m))

    def to_go(self, point: Point) -> int | None:
        """About how far it is from a point; none where no way leads from there."""
        ways = [
            self.cost[k, m] + length_between(point, Point(k * self.pitch, m * self.pitch)) for k, m in self._near(point)
        ]
        return min(ways, default=None)

    def _near(self, point: Point) -> list[tuple[int, int]]:
        """The lattice points around a point from which a way leads; a careful flood also looks a little farther off."""
        i, j = point[0] // self.pitch, point[1] // self.pitch
        for ring in (1, 2, 3) if self.careful else (1,):
            around = range(1 - ring, 1 + ring)
            found = [(i + k, j + m) for k in around for m in around if (i + k, j + m) in self.cost]
            if found:
                return found
        return []

    def straight(self, here: Point, there: Point) -> bool:
        """Whether straight on is as good as the way downhill, as far as the lattice shows."""
        first, last = self.to_go(here), self.to_go(there)
        size = length_between(here, there)
        if first is None or last is None:
            return False
        spent, half = 0, self.pitch // 2
        for gone in range(half, size, half):
            x = here[0] + (there[0] - here[0]) * gone // size
            y = here[1] + (there[1] - here[1]) * gone // size
            slower = self.slower.get(((x + half) // self.pitch, (y + half) // self.pitch))
            if slower is None:
                return False
            spent += slower * half
        return spent <= first - last + self.pitch

    def downhill(self, point: Point) -> Iterator[Point]:
        """The lattice points of a shortest way from a point to the goal, and what to aim at in the end."""
        near = [(self.cost[k, m], k, m) for k, m in self._near(point)]
        if not near:
            return
        cost, i, j = min(near)
        while True:
            yield Point(i * self.pitch, j * self.pitch)
            steps = [
                (self.cost[i + di, j + dj], i + di, j + dj)
                for di in (-1, 0, 1)
                for dj in (-1, 0, 1)
                if (i + di, j + dj) in self.cost
            ]
            best = min(steps)
            if best[0] >= cost:
                break
            cost, i, j = best
        yield self.goal.aim(Point(i * self.pitch, j * self.pitch))


#: By how much more than its farthest reach a base is kept away from what it cannot enter, in a careful search.
_SPARE = UNIT * 3 // 40


#: The same for one that need not turn, and so keeps to its way exactly.
_HAIR = 5


class _State(NamedTuple):
    score: int
    pose: Pose
    walks: tuple[Walk, ...]


#: What a ruleset may hand to the search besides the judge: as much of a walk from a pose as is lawful.
AsFarAsLawful = Callable[[Pose, Walk], Walk]

#: How many degrees beside the way to go a route also sets out.
_BESIDE = (0, 20, -20, 45, -45, 70, -70, 95, -95)


def quickest(
    start: Pose,
    price_from: Callable[[Pose], PriceWalk],
    gait: Gait,
    lie: Lie,
    goal: Goal,
    most_actions: int = 40,
    beam: int = 4,
    *,
    cut: AsFarAsLawful = lambda pose, walk: walk,
    flood: Flood | None = None,
    careful: int = 0,
) -> Route | None:
    """The route of fewest actions from a pose to a goal, or none if no way is found.

    `price_from` gives the judge of the walks of one action from a pose, and `cut` as much of a walk as is lawful. A
    `flood` of the same goal may be handed in, for it is the same from everywhere.

    First the way is taken that is promising at each action; if it is as short as the goal is far, it is the quickest.
    Else a broader search looks for one with fewer actions, or with a `beam` of 1 for any if none was found. If all of
    that finds none, a careful one may, of at most `careful` actions.

    >>> ground, base = Ground(24000, 24000), Base("circle", 1000)
    >>> lie, gait = Lie(ground, base, may_leave=True), Gait(farthest=5000, facing=False)
    >>> start = Pose(Point(12000, 12000))
    >>> quickest(start, lambda pose: lambda walk: 0, gait, lie, OverEdge(ground, base, EAST)).actions
    3
    """
    if goal.reached(start):
        return Route((), start)
    search = _Search(price_from, gait, lie, goal, cut, flood or Flood(lie, goal))
    found = search.best(start, most_actions, beam)
    fewer = most_actions if found is None else found.actions - 1
    if found is None or (beam > 1 and fewer >= search.at_least(start.point)):
        found = _Corners(search, start).best(fewer) or found
    if found is None and careful:
        room = Flood(lie, goal, UNIT // 2, careful=True)
        found = _CarefulSearch(price_from, gait, lie, goal, cut, room).run(start, careful, beam)
    return found


class _Search:
    """A search for routes to one goal."""

    #: Poses as near to each other as this count as one.
    mesh = UNIT // 2

    def __init__(
        self,
        price_from: Callable[[Pose], PriceWalk],
        gait: Gait,
        lie: Lie,
        goal: Goal,
        cut: AsFarAsLawful,
        flood: Flood,
    ) -> None:
        self.price_from, self.gait, self.lie, self.goal = price_from, gait, lie, goal
        self.cut, self.flood = cut, flood

    def at_least(self, point: Point) -> int:
        """How many actions it takes from a point at the least: straight there over the easiest ground."""
        return max(1, -(-self.goal.left(point) // self.gait.farthest))

    def best(self, start: Pose, most_actions: int, beam: int) -> Route | None:
        """The way that is promising at each action, or a quicker one that a broader search finds."""
        if self.flood.to_go(start.point) is None:
            return None
        first = self.run(start, most_actions, 1)
        fewer = (first.actions if first is not None else most_actions + 1) - 1
        if fewer < self.at_least(start.point) or (first is not None and beam == 1):
            return first
        return self.run(start, fewer, beam) or first

    def run(self, start: Pose, most_actions: int, beam: int) -> Route | None:
        """The first route found, action by action, of at most so many; `beam` poses are gone on from."""
        states = [_State(0, start, ())]
        seen: set[tuple[int, int, int]] = set()
        for done in range(1, most_actions + 1):
            following: list[_State] = []
            for state in states:
                planner = Planner(state.pose, self.price_from(state.pose), self.gait, self.lie)
                for plan in self.options(planner, beam > 1):
                    walks = (*state.walks, plan.walk)
                    if self.goal.reached(plan.end):
                        return Route(walks, plan.end)
                    score = _score(self.flood, plan.end, self.gait)
                    if score is not None and done + self.at_least(plan.end.point) <= most_actions:
                        following.append(_State(score, plan.end, walks))
            following.sort(key=lambda state: (state.score, state.pose))
            states = []
            for state in following:
                (x, y), facing, _ = state.pose
                place = (x // self.mesh, y // self.mesh, facing // 45)
                if place not in seen and len(states) < beam:
                    seen.add(place)
                    states.append(state)
            if not states:
                return None
        return None

    def options(self, planner: Planner, broad: bool) -> Iterator[Plan]:
        """The walks of one action worth trying: to the goal, straight on along the way downhill, and beside it."""
        start, gait = planner.start, planner.gait
        aim = self.goal.aim(start.point)
        if length_between(start.point, aim) <= gait.farthest + TOLERANCE:
            direct = planner.to(aim)
            if direct is not None:
                yield direct
        way = list(self.flood.downhill(start.point))
        ahead = [point for point in way if length_between(start.point, point) > UNIT] or [aim]
        near = [point for point in ahead if length_between(start.point, point) <= gait.farthest] or ahead[:1]
        seen = next((point for point in reversed(ahead) if self.flood.straight(start.point, point)), near[-1])
        whither = [_heading(start.point, point) for point in (seen, aim, near[-1], near[len(near) // 2])]
        beside = [whither[0] + off for off in _BESIDE] if broad else []
        farthest = min(gait.farthest, length_between(start.point, aim))
        for heading in dict.fromkeys(one % 360 for one in (*whither, *beside)):
            yield from self._straight(planner, heading, farthest)
        for point in near[-3:] if broad else near[-1:]:
            plan = planner.to(point)
            if plan is not None:
                yield plan

    def _straight(self, planner: Planner, heading: int, farthest: int) -> Iterator[Plan]:
        """As far as is lawful in a direction, forwards, and backwards where that is behind."""
        start, gait = planner.start, planner.gait
        walks = []
        if gait.facing:
            walks.append(Walk(legs_of(start.facing, ((heading, farthest),), gait.most_turn)))
            if gait.backwards and abs(signed(heading - start.facing)) > gait.most_turn:
                walks.append(Walk(legs_of(start.facing, (((heading + 180) % 360, -farthest),), gait.most_turn)))
        else:
            walks.append(Walk((Via(along(start.point, heading, farthest), start.level),)))
        for walk in walks:
            cut = self.cut(start, walk)
            plan = planner.priced(cut) if cut.legs else None
            if plan is not None and plan.end.point != start.point:
                yield plan


class _Corners:
    """The shortest ways from corner to corner of all that is in the way or slows, on the whole board."""

    #: How many ways are gone, the shortest first.
    most = 4

    def __init__(self, search: _Search, start: Pose) -> None:
        self.search, self.start = search, start
        ground = search.lie.ground
        self.around = Surroundings(search.lie, start.point, ground.width + ground.height, 0)

    def best(self, most_actions: int) -> Route | None:
        """The route of fewest actions among the shortest ways, of at most so many; none where there is none."""
        best: Route | None = None
        for length, way in islice(self._ways(), self.most):
            if -(-length // self.search.gait.farthest) > most_actions:
                break
            route = self._gone(way, most_actions)
            if route is not None:
                best, most_actions = route, route.actions - 1
        return best

    def _ways(self) -> Iterator[tuple[int, tuple[Point, ...]]]:
        """Ways to the goal, the shortest first: how long each is at the least, slow ground counted, and its points."""
        around, goal, start = self.around, self.search.goal, self.start.point
        corners = self._points()
        # What may come next, by the least it can cost in all: whether that is sure, what was spent, whence and whither.
        waiting: list[tuple[int, bool, int, Point, tuple[Point, ...], bool]] = [(0, True, 0, start, (), False)]
        came: set[Point] = set()
        while waiting:
            least, sure, spent, here, chain, ends = heappop(waiting)
            if here in came and not ends:
                continue
            if not sure:
                before = chain[-1] if chain else start
                if around.free(before, here):
                    more = around.slowed(before, here)
                    heappush(waiting, (least + more, True, spent + more, here, chain, ends))
                continue
            if ends:
                yield spent, (*chain, here)
                continue
            came.add(here)
            if here != start:
                chain = (*chain, here)
            aim = goal.aim(here)
            away = spent + length_between(here, aim)
            heappush(waiting, (away, False, away, aim, chain, True))
            for corner in corners:
                if corner not in came:
                    gone = spent + length_between(here, corner)
                    heappush(waiting, (gone + goal.left(corner), False, gone, corner, chain, False))

    def _points(self) -> list[Point]:
        around, ground = self.around, self.search.lie.ground
        clear = around.radius + (_SPARE if self.search.gait.facing else _HAIR)
        shapes = [shape for _, shape in around.obstacles] + [shape for _, shape, _ in around.slow]
        return sorted(
            {
                corner
                for shape in shapes
                for corner in corners_around(shape, clear)
                if around.radius <= corner.x <= ground.width - around.radius
                and around.radius <= corner.y <= ground.height - around.radius
                and around.stands(corner)
            }
        )

    def _gone(self, way: tuple[Point, ...], most_actions: int) -> Route | None:
        """A way gone as far as is lawful with each action; none where it cannot be gone, or not in so many."""
        search, pose, left = self.search, self.start, list(way)
        walks: list[Walk] = []
        while len(walks) < most_actions and left:
            course = _course(pose.point, left)
            walk = self._walk(pose, course, left)
            track = resolve(pose, walk)
            walk = search.cut(pose, track.cut(min(track.length, search.gait.farthest))[0])
            cost = search.price_from(pose)(walk)
            track = resolve(pose, walk)
            if isinstance(cost, Refusal) or not track.length:
                return None
            walks.append(walk)
            if search.goal.reached(track.end):
                return Route(tuple(walks), track.end)
            gone, pose = track.length, track.end
            for _, size in course[:-1]:
                gone -= size
                if gone < -TOLERANCE:
                    break
                left.pop(0)
        return None

    def _walk(self, pose: Pose, course: Course, points: Sequence[Point]) -> Walk:
        gait = self.search.gait
        if not gait.facing:
            return Walk(tuple(Via(point, pose.level) for point in points))
        return Walk(legs_of(pose.facing, course, gait.most_turn))


def _course(at: Point, points: Sequence[Point]) -> Course:
    """Headings and lengths from point to point."""
    course = []
    for point in points:
        course.append((_heading(at, point), length_between(at, point)))
        at = along(at, *course[-1])
    return tuple(course)


class _CarefulSearch(_Search):
    """A search along a flood that leaves room on all sides: to each point of the way downhill, or only turning."""

    mesh = UNIT // 5

    def options(self, planner: Planner, broad: bool) -> Iterator[Plan]:
        """Those walks that end where the base has room, or at the goal: nobody is to be caught in a corner."""
        cramped = not self.flood.around.stands(planner.start.point)
        for plan in (*self._tried(planner), *(self._eased(planner) if cramped else ())):
            if cramped or self.flood.around.stands(plan.end.point) or self.goal.reached(plan.end):
                yield plan

    def _eased(self, planner: Planner) -> Iterator[Plan]:
        """Out of a corner: a little forward or back as it faces, or turned a little."""
        gait = planner.gait
        for go in (UNIT, UNIT // 2, UNIT // 4):
            for way in (go, -go) if gait.backwards else (go,):
                cut = self.cut(planner.start, Walk((Leg(0, way),)))
                plan = planner.priced(cut) if cut.legs else None
                if plan is not None and plan.end.point != planner.start.point:
                    yield plan
        for turn in range(15, gait.most_turn, 15) if gait.facing else ():
            for plan in map(planner.priced, (Walk((Leg(turn),)), Walk((Leg(-turn),)))):
                if plan is not None:
                    yield plan

    def _tried(self, planner: Planner) -> Iterator[Plan]:
        """Straight at the goal from nearby, straight to a point of the way downhill, farthest first, or a turn."""
        start, gait = planner.start, planner.gait
        aim = self.goal.aim(start.point)
        if length_between(start.point, aim) <= gait.farthest + TOLERANCE:
            yield from self._straight(planner, _heading(start.point, aim), length_between(start.point, aim) + TOLERANCE)
        way = [point for point in self.flood.downhill(start.point) if length_between(start.point, point) > TOLERANCE]
        near = [point for point in way if length_between(start.point, point) <= gait.farthest] or way[:1]
        for point in reversed(near):
            size = min(gait.farthest, length_between(start.point, point))
            yield from self._straight(planner, _heading(start.point, point), size)
        for turn in (gait.most_turn, -gait.most_turn) if gait.facing else ():
            plan = planner.priced(Walk((Leg(turn),)))
            if plan is not None:
                yield plan


def _heading(here: Point, there: Point) -> int:
    return nearest_degree(there[0] - here[0], there[1] - here[1])


def _score(flood: Flood, pose: Pose, gait: Gait) -> int | None:
    """How far there is still to go, counting a turn that must be made first."""
    to_go = flood.to_go(pose.point)
    if to_go is None or not gait.facing:
        return to_go
    ahead = next((p for p in flood.downhill(pose.point) if length_between(p, pose.point) > 2 * UNIT), None)
    if ahead is None:
        ahead = flood.goal.aim(pose.point)
    off = abs(signed(nearest_degree(ahead[0] - pose.point[0], ahead[1] - pose.point[1]) - pose.facing))
    turns = -(-off // gait.most_turn)
    return to_go + max(0, turns - gait.free_turns) * gait.turn_length + off
