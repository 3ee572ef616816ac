"""The reachable area holds what lawful walks reach, and nothing that cannot be reached.

`python -m tests.field.test_reach 10000` runs the two promises at full size.
"""

import random
import sys

import pytest

from sandtable.engine.ids import PieceId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Point, Polygon, Walk, rectangle
from sandtable.engine.table import Ground, Piece
from sandtable.field.directions import along
from sandtable.field.ground import box_of
from sandtable.field.measure import on_or_inside, overlap
from sandtable.field.outlines import core_of
from sandtable.field.walking.paths import Pose, length_between, resolve
from sandtable.field.walking.planner import Gait, Planner
from sandtable.field.walking.reach import ROUNDING, Reach, in_reach, reach
from sandtable.field.walking.surroundings import Lie
from tests.field.walking import HEX, Scene, judge, lawful_ends, scene, walker, weigh

MIDDLE = Pose(Point(12000, 12000), 0)


def inner_points(area: tuple[Polygon, ...], count: int, seed: int) -> list[Point]:
    """Points evenly strewn over an area."""
    rng = random.Random(seed)
    boxes = [box_of(shape) for shape in area]
    west, north = min(box[0] for box in boxes), min(box[1] for box in boxes)
    east, south = max(box[2] for box in boxes), max(box[3] for box in boxes)
    found: list[Point] = []
    while len(found) < count:
        point = Point(rng.randint(west, east), rng.randint(north, south))
        if in_reach(area, point):
            found.append(point)
    return found


def promises(boards: int, each: int, first: int = 0, allowance: int = 8) -> tuple[int, int, int, int]:
    """How many ends of random lawful walks lie outside, of how many; how many inner points no walk reaches, of how
    many.
    """
    outside = ends = unreached = points = 0
    for seed in range(first, first + boards):
        here = scene(seed, allowance)
        area = reach([walker(here.planner)])
        for end in lawful_ends(here, each, seed + 1, allowance):
            ends += 1
            outside += not in_reach(area, end)
        for point in inner_points(area, each, seed + 2):
            points += 1
            plan = here.planner.near(point, ROUNDING)
            if plan is None or length_between(plan.end.point, point) > ROUNDING:
                unreached += 1
                print(f"board {seed}: nothing reaches {point}")
    return outside, ends, unreached, points


def test_the_area_keeps_its_two_promises() -> None:
    outside, ends, unreached, points = promises(boards=2, each=100, first=1)
    assert ends == 200
    assert outside <= ends // 100
    assert points == 200
    assert unreached == 0


def test_short_moves_keep_them_too() -> None:
    outside, ends, unreached, _ = promises(boards=2, each=60, first=50, allowance=3)
    assert outside <= ends // 50
    assert unreached == 0


def open_planner(ground: Ground, allowance: int) -> Planner:
    gait = Gait(farthest=allowance * UNIT, most_turn=90, free_turns=1, turn_length=UNIT)
    return Planner(MIDDLE, judge(ground, HEX, MIDDLE, allowance), gait, Lie(ground, HEX, weigh))


def test_open_ground_gives_half_a_disc_and_a_smaller_half_behind() -> None:
    """Five inches ahead and to the sides; behind, a second turn costs one of them."""
    area = reach([walker(open_planner(Ground(24000, 24000), 5))])
    for point, inside in [
        ((17000, 12000), True),
        ((17060, 12000), False),
        ((12000, 16990), True),
        ((11900, 16990), False),
        ((8010, 12000), True),
        ((7900, 12000), False),
        ((15500, 15500), True),
    ]:
        assert in_reach(area, Point(*point)) is inside, point


def test_shapes_are_sound_outlines_that_do_not_overlap() -> None:
    """A building in the middle of the way leaves a hole, which is cut open."""
    house = Piece(PieceId("b"), "building", rectangle(14500, 11500, 1000, 1000))
    area = reach([walker(open_planner(Ground(24000, 24000, (house,)), 9))])
    assert len(area) >= 2
    for i, shape in enumerate(area):
        core_of(shape)
        assert not any(overlap(shape, other) for other in area[:i])
    assert not in_reach(area, Point(15000, 12000))
    assert in_reach(area, Point(17000, 12000))


def test_nothing_to_spend_reaches_nothing() -> None:
    area = reach([walker(open_planner(Ground(24000, 24000), 0))])
    assert sum(len(shape.points) for shape in area) <= 8
    assert not in_reach(area, Point(12100, 12000))


@pytest.mark.parametrize("edge", [1000, 3000])
def test_the_area_ends_where_the_base_would_leave_the_board(edge: int) -> None:
    planner = Planner(
        Pose(Point(4000, 4000), 180),
        judge(Ground(24000, 24000), HEX, Pose(Point(4000, 4000), 180), 8),
        Gait(farthest=8000, most_turn=90, free_turns=1, turn_length=UNIT),
        Lie(Ground(24000, 24000), HEX),
    )
    area = reach([walker(planner)])
    assert in_reach(area, Point(edge, 4000))
    assert not in_reach(area, Point(700, 4000))
    assert any(on_or_inside(shape, Point(4000, 4000)) for shape in area)


def wedged(facing: int) -> tuple[Pose, Planner]:
    """A hexagon with a house a hundredth before it and another beside it: only a few headings let it out."""
    start = Pose(Point(12000, 12000), facing)
    houses = (rectangle(8000, 9000, 8000, 2240), rectangle(13120, 11600, 3000, 3000))
    ground = Ground(24000, 24000, tuple(Piece(PieceId(f"b{n}"), "building", shape) for n, shape in enumerate(houses)))
    gait = Gait(5 * UNIT, most_turn=90, free_turns=1, turn_length=UNIT, backwards=True, backward_length=2 * UNIT)
    return start, Planner(start, judge(ground, HEX, start, 5), gait, Lie(ground, HEX, weigh))


@pytest.mark.parametrize("facing", [30, 90, 330])
def test_who_has_no_room_to_turn_gets_as_far_as_one_who_first_steps_out(facing: int) -> None:
    start, planner = wedged(facing)
    found = Reach([walker(planner)], lambda point: True)
    area = found.shapes()
    ends = lawful_ends(Scene(start, planner.price_walk, planner), 60, facing, 5)
    outside = [end for end in ends if not in_reach(area, end) and length_between(end, start.point) > ROUNDING]
    assert len(outside) <= 3, "ends of random walks"
    for point in inner_points(area, 20, facing):
        around = (point, *(along(point, degrees, ROUNDING // 2) for degrees in range(0, 360, 45)))
        walks = (Walk(), *(walk for spot in around for _, walk in found.walks(spot)))
        near = [walk for walk in walks if length_between(resolve(start, walk).end.point, point) <= ROUNDING]
        assert any(not isinstance(planner.price_walk(walk), Refusal) for walk in near), point


def test_an_area_thinner_than_the_mesh_is_found_where_it_is_all_there_is() -> None:
    """Walls on both sides: it goes straight, or a degree beside it."""
    walls = (rectangle(10000, 9000, 9000, 2030), rectangle(10000, 12970, 9000, 2030))
    ground = Ground(24000, 24000, tuple(Piece(PieceId(f"b{n}"), "building", shape) for n, shape in enumerate(walls)))
    planner = Planner(MIDDLE, judge(ground, HEX, MIDDLE, 5), Gait(5 * UNIT, most_turn=90), Lie(ground, HEX, weigh))
    assert in_reach(reach([walker(planner)]), Point(16000, 12000))


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    print("outside, ends, unreached, points:", promises(boards=max(1, wanted // 100), each=100, first=1000))
