"""Finding a lawful walk to a place: short, cheap, and verified by the very judge that will check it.

The search space, and what "the quickest way" of a rule means within it: walks of at most `Gait.most_legs` legs with
whole-degree turns (or straight to points, for things without a facing), of these shapes:

- straight there; straight on and then, after one turn, there; two headings a degree apart;
- the same backwards; backwards straight and then, after one turn, forwards there;
- straight on and then, after one larger turn, there, around what is in the way;
- in a triangle to either side of the bearing, up to 80 degrees beside it, likewise;
- from corner to corner of what is in the way or slows (obstacles grown by the base), the shortest four such ways.

A planner proposes; `price_walk`, the ruleset's own judge, decides. Every plan that comes back was priced by it, so a
planner never proposes what a check refuses. What it knows of the ground (`Lie`) only guides it: a wrong guide costs
time, or a way not found, never a wrong plan.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Leg, Point, Shape, Via, Walk
from sandtable.field.directions import along
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import first_touch, on_or_inside, swept
from sandtable.field.walking.courses import Course, bearing_floor, legs_of, nearest_degree, signed, solved, spared
from sandtable.field.walking.paths import Pose, Track, length_between, resolve
from sandtable.field.walking.surroundings import Lie, Surroundings

#: What a ruleset hands to a planner: the cost of a walk from where the thing stands, or why it is refused.
PriceWalk = Callable[[Walk], int | Refusal]

#: Plans end at most this far from the point asked for, a hair short of it rather than beyond.
TOLERANCE = 10

#: How far from a base or wall a straight walk is broken off.
KEPT_CLEAR = 20


#: How many degrees beside the bearing a detour begins, and to the other side of it ends.
_DETOURS = ((10, 10), (20, 20), (10, 35), (35, 10), (35, 35), (20, 60), (60, 20), (55, 55), (8, 80), (80, 8))

_PATIENT = tuple((before, after) for before in range(0, 90, 3) for after in range(0, 90, 3) if before + after < 120)


class Gait(msgspec.Struct, frozen=True):
    """How a thing moves, as far as a planner must know. It may promise too much, never too little.

    `farthest` is the longest path of one action. Turns beyond `free_turns` each shorten it by `turn_length`, and an
    inch backwards counts `backward_length`; turns larger than `most_turn` are made in parts.
    """

    farthest: int
    facing: bool = True
    most_turn: int = 180
    free_turns: int = 99
    turn_length: int = 0
    backwards: bool = False
    backward_length: int = UNIT
    most_legs: int = 8


class Plan(NamedTuple):
    """A walk that the judge accepts, what it costs, and where it ends."""

    walk: Walk
    cost: int
    end: Pose


class Planner:
    """Finds walks from one pose under one judge. Make one for each thing that moves, and ask it often.

    >>> from sandtable.engine.shapes import Base
    >>> from sandtable.engine.table import Ground
    >>> def price_walk(walk: Walk) -> int | Refusal:
    ...     length = sum(abs(leg.go) for leg in walk.legs)
    ...     return length if length <= 6000 else Refusal("move", "That is too far.")
    >>> lie = Lie(Ground(24000, 24000), Base("hexagon", 1500))
    >>> planner = Planner(Pose(Point(12000, 12000), 0), price_walk, Gait(farthest=6000), lie)
    >>> planner.to(Point(12000, 15000), facing=0).walk.legs
    (Leg(turn=90, go=2998), Leg(turn=-90, go=0))
    >>> planner.to(Point(12000, 18500)) is None, len(planner.candidates(12))
    (True, 12)
    """

    def __init__(self, start: Pose, price_walk: PriceWalk, gait: Gait, lie: Lie) -> None:
        self.start, self.price_walk, self.gait, self.lie = start, price_walk, gait, lie
        self.around = Surroundings(lie, start.point, gait.farthest, gait.most_legs)

    # ---- asking the judge ------------------------------------------------------------------------------------------

    def priced(self, walk: Walk, track: Track | None = None) -> Plan | None:
        """The plan of a walk, if the judge accepts it."""
        cost = self.price_walk(walk)
        if isinstance(cost, Refusal):
            return None
        return Plan(walk, cost, (track or resolve(self.start, walk)).end)

    def to(
        self,
        point: Point,
        facing: int | None = None,
        tolerance: int = TOLERANCE,
        thorough: bool = False,
        patient: bool = False,
    ) -> Plan | None:
        """A plan that ends at a point, turned to a facing if one is given; none if none is found.

        The first shape of walk that is accepted is taken, or with `thorough` the cheapest of all; of equals the
        first.
        """
        best: Plan | None = None
        for walk in self.proposals(point, tolerance, patient):
            if facing is not None and self.gait.facing:
                end = resolve(self.start, walk).end
                walk = Walk((*walk.legs, *legs_of(end.facing, ((facing % 360, 0),), self.gait.most_turn)))
            plan = self.priced(walk)
            if plan is not None and (best is None or plan.cost < best.cost):
                best = plan
                if not thorough:
                    break
        return best

    def near(self, point: Point, within: int, patient: bool = True) -> Plan | None:
        """A plan that ends near a point, as near as is found quickly; none if none is found within a distance.

        The point itself first, then points around it, half and nearly the whole distance off; then with patience.
        """
        plan = self.to(point)
        if plan is not None:
            return plan
        (x, y), (from_x, from_y) = point, self.start.point
        homewards = nearest_degree(from_x - x, from_y - y)
        for off in (within // 2, within - TOLERANCE):
            for side in (0, 45, -45, 90, -90, 135, -135, 180):
                plan = self.to(along(point, homewards + side, off))
                if plan is not None:
                    return plan
        return self.to(point, patient=True) if patient else None

    def into(self, region: Shape, holds: Callable[[Pose], bool] = lambda pose: True, tries: int = 40) -> Plan | None:
        """A plan that ends in a region, in a pose for which something holds; none if none is found.

        Looked at are points of a grid over the region, a twelfth of it apart, nearest first; at most so many of them,
        evenly taken.
        """
        west, north, east, south = box_of(region)
        step = max((east - west) // 12, (south - north) // 12, 1)
        points = [Point(x, y) for x in range(west, east + 1, step) for y in range(north, south + 1, step)]
        near = [point for point in points if length_between(self.start.point, point) <= self.gait.farthest]
        near.sort(key=lambda point: (length_between(self.start.point, point), point))
        within = [point for point in near if on_or_inside(region, point)]
        for point in within[:: -(-len(within) // tries) or 1]:
            plan = self.to(point)
            if plan is not None and on_or_inside(region, plan.end.point) and holds(plan.end):
                return plan
        return None

    def proposals(self, point: Point, tolerance: int = TOLERANCE, patient: bool = False) -> Iterator[Walk]:
        """The walks worth asking about that end at a point, most promising first."""
        if length_between(self.start.point, point) <= tolerance:
            yield Walk()
            return
        if length_between(self.start.point, point) > self.gait.farthest + tolerance:
            return
        if not self.gait.facing:
            yield from self._by_points(point, tolerance)
            return
        seen: set[Course] = set()
        for course in self._courses(point, patient):
            if course in seen or sum(abs(go) for _, go in course) > self.gait.farthest + tolerance:
                continue
            seen.add(course)
            legs = legs_of(self.start.facing, spared(course, tolerance - 3), self.gait.most_turn)
            if len(legs) > self.gait.most_legs or not self._affordable(legs):
                continue
            track = resolve(self.start, Walk(legs))
            if length_between(track.end.point, point) <= tolerance and self.around.lets_pass(track):
                if self._affordable(legs, self.around.burden(track)):
                    yield track.walk

    def _affordable(self, legs: tuple[Leg, ...], burden: int = 0) -> bool:
        gait = self.gait
        turns = sum(1 for leg in legs if leg.turn)
        size = sum(leg.go if leg.go > 0 else -leg.go * gait.backward_length // UNIT for leg in legs)
        return size + burden + max(0, turns - gait.free_turns) * gait.turn_length <= gait.farthest

    # ---- somewhere to go -------------------------------------------------------------------------------------------

    def candidates(
        self,
        count: int = 24,
        spots: Sequence[Point] = (),
        face: Callable[[Point], int | None] = lambda point: None,
    ) -> tuple[Plan, ...]:
        """Up to `count` plans to places far apart from each other, staying put first where that is lawful.

        Tried are sixteen headings, as far as each goes and half as far, straight back, and the `spots` given. `face`
        says which way to look at the end, if the turn is lawful too. Each plan was accepted by the judge.
        """
        found: list[Plan] = []
        for walk in self._fan():
            plan = self.priced(walk)
            if plan is not None:
                found.append(self._looking(plan, face))
        for spot in spots:
            plan = self.to(spot)
            if plan is not None:
                found.append(self._looking(plan, face))
        return _spread(found, count)

    def _looking(self, plan: Plan, face: Callable[[Point], int | None]) -> Plan:
        facing = face(plan.end.point)
        if facing is None or not self.gait.facing or facing % 360 == plan.end.facing:
            return plan
        turned = Walk((*plan.walk.legs, *legs_of(plan.end.facing, ((facing % 360, 0),), self.gait.most_turn)))
        return self.priced(turned) or plan

    def _fan(self) -> Iterator[Walk]:
        """Staying, and straight walks in all directions, each with one of half its length."""
        yield Walk()
        facing, gait = self.start.facing, self.gait
        for side in (0, 22, -22, 45, -45, 67, -67, 90, -90, 112, -112, 135, -135, 157, -157, 180):
            heading = (facing + side) % 360
            turns = len(legs_of(facing, ((heading, 1),), gait.most_turn)) if side and gait.facing else 0
            budget = gait.farthest - max(0, turns - gait.free_turns) * gait.turn_length
            far = self._straight_on(heading, heading, budget)
            for go in (far, far // 2):
                if go >= UNIT // 4 and gait.facing:
                    yield Walk(legs_of(facing, ((heading, go),), gait.most_turn))
                elif go >= UNIT // 4:
                    yield Walk((Via(along(self.start.point, heading, go), self.start.level),))
        if gait.backwards and gait.facing:
            back = self._straight_on(facing, (facing + 180) % 360, gait.farthest * UNIT // gait.backward_length)
            if back >= UNIT // 4:
                yield Walk((Leg(0, -back),))

    def _straight_on(self, facing: int, heading: int, budget: int) -> int:
        """About how far one can go straight: to the edge, the next obstacle or the end of the budget, unit by unit."""
        base, start = self.lie.base, self.start.point
        gone = spent = 0
        while spent < budget:
            step = min(UNIT, budget - spent)
            here, there = along(start, heading, gone), along(start, heading, gone + step)
            looked_at = (here, along(start, heading, gone + step // 2), there)
            slower = max(self.around.weight_at(point) for point in looked_at)
            spent += slower * UNIT
            if spent > budget and slower > 1:
                break
            around = box_of(swept(base, here, there, facing))
            if not self.around.on_board(around):
                break
            near = [shape for box, shape in self.around.obstacles if boxes_meet(box, around, KEPT_CLEAR)]
            if near:
                free = min(first_touch(base, here, facing, heading, step, shape) for shape in near)
                if free < step:
                    return max(0, gone + free - KEPT_CLEAR)
            gone += step
        return gone

    # ---- shapes of walks -------------------------------------------------------------------------------------------

    def _courses(self, point: Point, patient: bool) -> Iterator[Course]:
        """Headings and lengths that lead to a point, most promising first."""
        facing = self.start.facing
        delta = Point(point[0] - self.start.point[0], point[1] - self.start.point[1])
        size = length_between(Point(0, 0), delta)
        low = bearing_floor(*delta)
        high = (low + 1) % 360
        for heading in (low, high):
            yield ((heading, size),)
        yield from self._late(delta, low, high, facing, (0,), 1, 1)
        # Turned as far as one turn goes, and the rest on the way.
        for quarter in (facing + self.gait.most_turn, facing - self.gait.most_turn):
            yield from self._late(delta, low, high, quarter % 360, (0,), 1, 1)
        yield from self._two(delta, low, high)
        yield from self._two(delta, high, low)
        if self.gait.backwards:
            rear = (facing + 180) % 360
            for heading in (low, high):
                yield (((heading + 180) % 360, -size),)
            yield from self._late(delta, low, high, rear, (0,), -1, -1)
            yield from self._late(delta, low, high, rear, (0, 20, 45, 70), -1, 1)
        if not self.around.plain:
            late = tuple(range(1, 90, 2)) if patient else (8, 16, 25, 35, 50, 65, 80)
            yield from self._late(delta, low, high, facing, late, 1, 1)
            yield from self._by_corners(point)
            for before, after in _PATIENT if patient else _DETOURS:
                yield from self._two(delta, (low - before) % 360, (high + after) % 360)
                yield from self._two(delta, (high + before) % 360, (low - after) % 360)

    def _late(
        self, delta: Point, low: int, high: int, first: int, beyond: tuple[int, ...], way: int, then: int
    ) -> Iterator[Course]:
        """Some way in a first direction, then in one on the far side of the bearing, each forwards or backwards."""
        right = signed(low - first) >= 0
        for more in beyond:
            second = (high + more) % 360 if right else (low - more) % 360
            ways = solved(delta, first, second)
            if ways is None:
                continue
            yield (
                (first if way > 0 else (first + 180) % 360, way * ways[0]),
                (second if then > 0 else (second + 180) % 360, then * ways[1]),
            )

    def _two(self, delta: Point, one: int, other: int) -> Iterator[Course]:
        ways = solved(delta, one, other)
        if ways is not None:
            yield ((one, ways[0]), (other, ways[1]))

    def _by_corners(self, point: Point) -> Iterator[Course]:
        """From corner to corner, each leg at the nearest whole degree, the last two made to meet the point."""
        for chain in self.around.chains(point):
            at = self.start.point
            course: list[tuple[int, int]] = []
            for corner in chain[:-1]:
                heading = nearest_degree(corner[0] - at[0], corner[1] - at[1])
                course.append((heading, length_between(at, corner)))
                at = along(at, *course[-1])
            corner = chain[-1]
            one = nearest_degree(corner[0] - at[0], corner[1] - at[1])
            last = nearest_degree(point[0] - corner[0], point[1] - corner[1])
            delta = Point(point[0] - at[0], point[1] - at[1])
            for off in (0, 1, -1):
                ways = solved(delta, one, last + off)
                if ways is not None:
                    yield (*course, (one, ways[0]), ((last + off) % 360, ways[1]))
                    break

    def _by_points(self, point: Point, tolerance: int) -> Iterator[Walk]:
        """Walks of a thing without a facing: straight there, or from corner to corner."""
        chains: list[tuple[Point, ...]] = [()]
        if not self.around.plain:
            chains += self.around.chains(point)
        for chain in chains:
            walk = Walk(tuple(Via(at, self.start.level) for at in (*chain, point)))
            track = resolve(self.start, walk)
            if self.gait.farthest < track.length <= self.gait.farthest + tolerance:
                track = resolve(self.start, track.cut(self.gait.farthest)[0])
            if track.length <= self.gait.farthest and self.around.lets_pass(track):
                yield track.walk


def _spread(plans: Sequence[Plan], count: int) -> tuple[Plan, ...]:
    """The first plan, and then always the one farthest from those taken; of equals the first."""
    if not plans:
        return ()
    taken = [plans[0]]
    rest = list(plans[1:])
    nearest = [_apart(plan, taken[0]) for plan in rest]
    while rest and len(taken) < count:
        best = max(range(len(rest)), key=lambda i: (nearest[i], -i))
        plan = rest.pop(best)
        if nearest.pop(best) == 0:
            break
        taken.append(plan)
        nearest = [min(before, _apart(other, plan)) for before, other in zip(nearest, rest, strict=True)]
    return tuple(taken)


def _apart(one: Plan, other: Plan) -> int:
    (x, y), (u, v) = one.end.point, other.end.point
    return (x - u) ** 2 + (y - v) ** 2
