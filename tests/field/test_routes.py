"""Routes over several actions: lawful step by step, and as short as an obvious count says."""

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from math import ceil, inf

import pytest

from sandtable.engine.ids import PieceId, RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Disc, Point, Via, Walk, rectangle
from sandtable.engine.table import Ground, Piece
from sandtable.field.measure import covers, outline_of
from sandtable.field.walking.paths import Pose, resolve
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.routes import EAST, NORTH, SOUTH, WEST, Flood, Goal, InRegion, OverEdge, Route, quickest
from sandtable.field.walking.surroundings import Lie
from tests.field.visibility import Yard, free, shortest, yard
from tests.field.walking import HEX, ROUND, judge, weigh, wooded

OPEN = Ground(24000, 24000)
RADIUS = ROUND.size // 2


def gait(allowance: int) -> Gait:
    return Gait(farthest=allowance * UNIT, most_turn=90, free_turns=1, turn_length=UNIT)


def run(start: Pose, ground: Ground, allowance: int, goal: Goal, *, careful: int = 0) -> Route | None:
    def price_from(pose: Pose) -> Callable[[Walk], int | Refusal]:
        return judge(ground, HEX, pose, allowance, may_leave=True)

    lie = Lie(ground, HEX, weigh, may_leave=True)
    return quickest(start, price_from, gait(allowance), lie, goal, careful=careful)


def check(route: Route | None, start: Pose, ground: Ground, allowance: int, goal: Goal) -> int:
    """Walk a route, each walk under its own judge, and count its actions."""
    assert route is not None
    pose = start
    for walk in route.walks:
        assert not goal.reached(pose)
        cost = judge(ground, HEX, pose, allowance, may_leave=True)(walk)
        assert not isinstance(cost, Refusal)
        assert cost <= allowance
        pose = resolve(pose, walk).end
    assert pose == route.end
    assert goal.reached(pose)
    return route.actions


@pytest.mark.parametrize(
    ("edge", "facing", "actions"),
    [
        # The front of the base is 0.75 ahead of its centre: 11.25 to go, 12 to pay for.
        (EAST, 0, 3),
        (NORTH, 0, 3),
        (SOUTH, 0, 3),
        # Behind, it turns twice: 13 in all.
        (WEST, 0, 4),
        (WEST, 180, 3),
    ],
)
def test_open_ground_takes_as_many_actions_as_it_counts(edge: str, facing: int, actions: int) -> None:
    start = Pose(Point(12000, 12000), facing)
    goal = OverEdge(OPEN, HEX, edge)
    assert check(run(start, OPEN, 4, goal), start, OPEN, 4, goal) == actions


def test_it_goes_round_what_is_in_the_way() -> None:
    wall = Piece(PieceId("w"), "building", rectangle(2000, 6000, 20000, 1000))
    ground = Ground(24000, 24000, (wall,))
    start = Pose(Point(12000, 9000), 270)
    goal = OverEdge(ground, HEX, NORTH)
    assert 3 <= check(run(start, ground, 8, goal), start, ground, 8, goal) <= 4
    closed = Ground(24000, 24000, (Piece(PieceId("w"), "building", rectangle(0, 6000, 24000, 1000)),))
    assert run(start, closed, 8, goal) is None


def corridors() -> Ground:
    """A winding corridor three and a half inches wide, from the north-west corner to a gate in the east."""
    walls = [
        *(rectangle(4000 * n, 4000 if n % 2 else 0, 500, 20000) for n in range(1, 6)),
        rectangle(0, 0, 24000, 100),
        rectangle(0, 23900, 24000, 100),
        rectangle(0, 0, 100, 24000),
        rectangle(23900, 0, 100, 20000),
    ]
    return Ground(24000, 24000, tuple(Piece(PieceId(f"w{n}"), "building", wall) for n, wall in enumerate(walls)))


@pytest.mark.parametrize("allowance", [1, 2, 5])
def test_a_careful_search_finds_the_one_way_out(allowance: int) -> None:
    start, ground = Pose(Point(2200, 10000), 100), corridors()
    goal = OverEdge(ground, HEX, EAST)
    route = run(start, ground, allowance, goal, careful=400)
    assert check(route, start, ground, allowance, goal) <= 400
    shut = Ground(
        24000, 24000, (*ground.pieces, Piece(PieceId("gate"), "building", rectangle(23900, 20000, 100, 4000)))
    )
    assert run(start, shut, allowance, goal, careful=400) is None


@pytest.mark.parametrize("seed", range(6))
def test_routes_on_strewn_boards_are_lawful(seed: int) -> None:
    start = Pose(Point(12000, 12000), 90 * seed)
    ground = wooded(seed, keep_free=start.point)
    for edge in (NORTH, WEST):
        goal = OverEdge(ground, HEX, edge)
        route = run(start, ground, 6, goal)
        assert route is None or check(route, start, ground, 6, goal) >= 2


def test_a_region_is_reached_with_the_whole_base() -> None:
    start = Pose(Point(4000, 4000), 0)
    region = Disc(Point(18000, 18000), 2000)
    goal = InRegion(region, HEX, whole=True)
    route = run(start, OPEN, 8, goal)
    assert check(route, start, OPEN, 8, goal) == 3
    assert route is not None
    assert covers(region, outline_of(HEX, route.end.point, route.end.facing))
    assert run(Pose(Point(18000, 18000)), OPEN, 8, goal) == Route((), Pose(Point(18000, 18000)))


def test_a_flood_counts_slow_ground() -> None:
    swamp = Piece(PieceId("s"), "swamp", rectangle(10000, 0, 4000, 24000))
    goal = OverEdge(OPEN, HEX, EAST)
    plain = Flood(Lie(OPEN, HEX, weigh), goal).to_go(Point(6000, 12000))
    slow = Flood(Lie(Ground(24000, 24000, (swamp,)), HEX, weigh), goal).to_go(Point(6000, 12000))
    assert plain is not None
    assert slow is not None
    assert 17000 <= plain <= 18500
    assert slow >= plain + 3 * 4000


def in_yard(place: Yard, far: int) -> Route | None:
    """The quickest way of a round base out of a yard, with actions of so many thousandths; it need not turn."""
    pieces = [rectangle(west, north, east - west, south - north) for west, north, east, south in place.blocks]
    ground = Ground(
        place.width, place.height, tuple(Piece(PieceId(f"w{n}"), "wall", one) for n, one in enumerate(pieces))
    )

    def lawful(pose: Pose, walk: Walk) -> bool:
        points = [pose.point, *(leg.point for leg in walk.legs if isinstance(leg, Via))]
        kept = all(RADIUS <= point.y <= place.height - RADIUS for point in points)
        return kept and all(free(a, b, place.blocks, RADIUS) for a, b in pairwise(points))

    def price_from(pose: Pose) -> Callable[[Walk], int | Refusal]:
        def price(walk: Walk) -> int | Refusal:
            length = resolve(pose, walk).length
            return length if length <= far and lawful(pose, walk) else Refusal(RuleId("test"), "No.")

        return price

    def as_far_as_lawful(pose: Pose, walk: Walk) -> Walk:
        track = resolve(pose, walk)
        gone = bisect_left(range(min(far, track.length)), True, key=lambda at: not lawful(pose, track.cut(at + 1)[0]))
        return track.cut(gone)[0] if gone else Walk()

    lie, goal = Lie(ground, ROUND, lambda piece: None, may_leave=True), OverEdge(ground, ROUND, EAST)
    gait = Gait(farthest=far, facing=False)
    return quickest(Pose(Point(*place.start)), price_from, gait, lie, goal, cut=as_far_as_lawful, careful=100)


@pytest.mark.parametrize("seed", [0, 4, 16, 21, 24, 31, 40, 41, 47, 51, 54, 58])
def test_no_way_takes_fewer_actions(seed: int) -> None:
    """Never fewer actions than the shortest way there is, never more than one that keeps a tenth of an inch clear."""
    place, far = yard(seed), 4000
    route, over = in_yard(place, far), place.width - RADIUS + 1
    least, clear = shortest(place, RADIUS, over), shortest(place, RADIUS + UNIT // 10, over)
    assert route is not None
    assert clear < inf, "the yard shows something"
    assert ceil(least / far) <= route.actions <= ceil(clear / far)
