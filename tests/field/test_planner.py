"""The planner finds what random walks find, and proposes nothing that its judge refuses."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.ids import PieceId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Disc, Leg, Point, Via, Walk, rectangle
from sandtable.engine.table import Ground, Piece
from sandtable.field.measure import bearing, in_arc, inside, on_or_inside
from sandtable.field.walking.courses import bearing_floor, legs_of, nearest_degree, solved, spared
from sandtable.field.walking.paths import Pose, length_between, resolve
from sandtable.field.walking.planner import TOLERANCE, Gait, Planner
from sandtable.field.walking.surroundings import Lie
from tests.field.walking import HEX, ROUND, judge, lawful_ends, scene, weigh

seeds = st.integers(0, 10**6)
vector = st.tuples(st.integers(-9000, 9000), st.integers(-9000, 9000)).filter(lambda v: v != (0, 0))
OPEN = Ground(24000, 24000)
MIDDLE = Pose(Point(12000, 12000), 0)


@given(vector)
def test_bearings_are_exact(delta: tuple[int, int]) -> None:
    low = bearing_floor(*delta)
    assert in_arc(Point(0, 0), 0, Point(*delta), low, low + 1)
    assert nearest_degree(*delta) in (low, (low + 1) % 360)
    assert nearest_degree(*delta) == bearing(Point(0, 0), Point(*delta)) or nearest_degree(*delta) == (low + 1) % 360


@given(vector, st.integers(0, 359), st.integers(0, 359))
def test_two_headings_meet_a_point_or_none_is_given(delta: tuple[int, int], one: int, other: int) -> None:
    ways = solved(Point(*delta), one, other)
    if ways is not None and max(ways) < 10**6:
        end = resolve(Pose(Point(0, 0), one), Walk(legs_of(one, ((one, ways[0]), (other, ways[1]))))).end
        assert length_between(end.point, Point(*delta)) <= 6


@given(st.integers(0, 359), st.integers(0, 359), st.sampled_from([30, 60, 90, 180]))
def test_large_turns_are_made_in_parts(facing: int, heading: int, most: int) -> None:
    legs = legs_of(facing, ((heading, 1000),), most)
    assert all(abs(leg.turn) <= most for leg in legs)
    assert resolve(Pose(Point(0, 0), facing), Walk(legs)).end.facing == heading
    assert sum(abs(leg.turn) for leg in legs) <= 180


def test_a_course_does_not_begin_a_unit_for_a_hair() -> None:
    assert spared(((0, 7004),), 7) == ((0, 7000),)
    assert spared(((0, 5000), (90, 2007)), 7) == ((0, 5000), (90, 2000))
    assert spared(((0, 500), (90, -2007)), 7) == ((0, 500), (90, -2000))
    assert spared(((0, 7400),), 7) == ((0, 7398),)


@settings(max_examples=25)
@given(seeds)
def test_plans_are_accepted_and_end_where_they_should(seed: int) -> None:
    here = scene(seed, 6)
    rng = random.Random(seed)
    for _ in range(12):
        point = Point(12000 + rng.randrange(-7000, 7000), 12000 + rng.randrange(-7000, 7000))
        facing = rng.choice([None, rng.randrange(360)])
        plan = here.planner.to(point, facing)
        if plan is None:
            continue
        assert here.price_walk(plan.walk) == plan.cost
        end = resolve(here.start, plan.walk).end
        assert plan.end == end
        assert length_between(end.point, point) <= TOLERANCE
        assert facing is None or end.facing == facing
        thorough = here.planner.to(point, facing, thorough=True)
        assert thorough is not None
        assert thorough.cost <= plan.cost
        assert here.price_walk(thorough.walk) == thorough.cost


@settings(max_examples=20)
@given(seeds, st.sampled_from([3, 6, 8]))
def test_what_a_random_walk_reaches_is_nearly_always_found(seed: int, allowance: int) -> None:
    here = scene(seed, allowance)
    ends = lawful_ends(here, 15, seed, allowance)
    missed = [end for end in ends if here.planner.to(end) is None]
    assert len(missed) <= 1
    assert all(here.planner.near(end, UNIT // 10) is not None for end in missed)


def test_it_goes_round_a_wall() -> None:
    wall = Piece(PieceId("w"), "building", rectangle(13500, 9000, 800, 6000))
    ground = Ground(24000, 24000, (wall,))
    gait = Gait(farthest=14000, most_turn=90, free_turns=1, turn_length=UNIT)
    planner = Planner(MIDDLE, judge(ground, HEX, MIDDLE, 14), gait, Lie(ground, HEX, weigh))
    plan = planner.to(Point(16000, 12000))
    assert plan is not None
    assert plan.cost == 13
    assert len(plan.walk.legs) >= 2


def test_things_without_a_facing_go_from_point_to_point() -> None:
    wall = Piece(PieceId("w"), "building", rectangle(13500, 9000, 800, 6000))
    ground = Ground(24000, 24000, (wall,))

    def price_walk(walk: Walk) -> int | Refusal:
        assert all(isinstance(leg, Via) for leg in walk.legs)
        return judge(ground, ROUND, MIDDLE, 12)(walk)

    planner = Planner(MIDDLE, price_walk, Gait(farthest=12000, facing=False), Lie(ground, ROUND, weigh))
    straight = planner.to(Point(12000, 18000))
    assert straight is not None
    assert straight.walk.legs == (Via(Point(12000, 18000)),)
    around = planner.to(Point(16000, 12000))
    assert around is not None
    assert around.end.point == (16000, 12000)
    assert len(around.walk.legs) >= 2
    farthest = planner.to(Point(12000, 12000 - 12005))
    assert farthest is None, "that is off the board"
    assert len(planner.candidates()) > 15


@settings(max_examples=15)
@given(seeds)
def test_candidates_are_accepted_and_differ(seed: int) -> None:
    here = scene(seed, 8)
    plans = here.planner.candidates(24, spots=[Point(14000, 14000)], face=lambda point: 90)
    assert plans[0].walk == Walk() or plans[0].walk.legs == legs_of(here.start.facing, ((90, 0),), 90)
    assert len({plan.end.point for plan in plans}) == len(plans) <= 24
    for plan in plans:
        assert here.price_walk(plan.walk) == plan.cost
        assert plan.end == resolve(here.start, plan.walk).end


def test_candidates_lie_far_apart_in_the_open() -> None:
    gait = Gait(farthest=8000, most_turn=90, free_turns=1, turn_length=UNIT)
    planner = Planner(MIDDLE, judge(OPEN, HEX, MIDDLE, 8), gait, Lie(OPEN, HEX))
    ends = [plan.end.point for plan in planner.candidates(24)]
    assert len(ends) == 24
    assert min(length_between(a, b) for a in ends for b in ends if a != b) > 1200


@pytest.mark.parametrize("radius", [500, 2500])
def test_a_region_is_entered_where_something_holds(radius: int) -> None:
    region = Disc(Point(15000, 14000), radius)
    gait = Gait(farthest=8000, most_turn=90, free_turns=1, turn_length=UNIT)
    planner = Planner(MIDDLE, judge(OPEN, HEX, MIDDLE, 8), gait, Lie(OPEN, HEX))
    plan = planner.into(region, lambda pose: pose.point.x >= 15000)
    assert plan is not None
    assert on_or_inside(region, plan.end.point)
    assert plan.end.point.x >= 15000
    assert planner.into(region, lambda pose: False) is None
    assert planner.into(Disc(Point(23000, 23000), 500)) is None
    assert not inside(region, MIDDLE.point)


def test_staying_is_a_walk_too() -> None:
    planner = Planner(MIDDLE, judge(OPEN, HEX, MIDDLE, 0), Gait(farthest=0), Lie(OPEN, HEX))
    assert planner.to(MIDDLE.point) == (Walk(), 0, MIDDLE)
    assert planner.to(Point(12500, 12000)) is None
    assert Leg() == Leg(0, 0)
