"""What a sight line crosses, near whom, on which ground; and that it is the same line from either end."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from sandtable.engine.ids import RED, PieceId, ThingId
from sandtable.engine.shapes import At, Band, Base, Disc, Point, Polygon, Shape, rectangle
from sandtable.engine.table import Contour, Ground, Piece, Table, Thing
from sandtable.field import oracle
from sandtable.field.measure import center_gap, gap_to_point
from sandtable.field.sight import Crossing, SightLine, line_among, line_between, sight_line
from sandtable.field.survey import Standing, crowd, standing
from tests.field.test_survey import random_ground, random_standing

HEX = Base("hexagon", 1500)
WEST, EAST = Standing("A", HEX, Point(2000, 5000), 0), Standing("B", HEX, Point(22_000, 5000), 180)


def ground(*pieces: Piece) -> Ground:
    return Ground(24_000, 24_000, pieces)


def names(line: SightLine) -> list[str]:
    return [crossing.piece or crossing.thing for crossing in line.crossings]


def wood(outline: Shape, name: str = "wood") -> Piece:
    return Piece(PieceId(name), "woods", outline, 3)


def test_a_free_line_joins_the_nearest_points() -> None:
    line = sight_line(ground(), WEST, EAST)
    assert (line.start, line.end) == (Point(2750, 5000), Point(21_250, 5000))
    assert (line.gap, line.crossings) == (18_500, ())


def test_a_line_along_a_border_or_through_a_corner_crosses_nothing() -> None:
    beside = wood(rectangle(9000, 5000, 3000, 3000))
    corner = wood(Polygon((Point(9000, 5000), Point(10_000, 4000), Point(8000, 4000))))
    grazed = wood(Disc(Point(9000, 6000), 1000))
    road = wood(Band((Point(9000, 5500), Point(12_000, 5500)), 1000))
    line = sight_line(ground(beside, corner, grazed, road), WEST, EAST)
    assert names(line) == []
    for piece in (beside, corner, grazed, road):
        assert line.where(Crossing(piece.outline)) == ()
    over = wood(rectangle(9000, 4999, 3000, 3000))
    assert names(sight_line(ground(over), WEST, EAST)) == ["wood"]


def test_a_line_through_two_corners_crosses_what_lies_between_them() -> None:
    diamond = wood(Polygon((Point(9000, 5000), Point(10_000, 4000), Point(11_000, 5000), Point(10_000, 6000))))
    line = sight_line(ground(diamond), WEST, EAST)
    assert line.where(line.crossings[0]) == ((Point(9000, 5000), Point(11_000, 5000)),)


def test_a_line_may_cross_a_piece_in_several_parts() -> None:
    comb = wood(
        Polygon(
            tuple(
                Point(x, y)
                for x, y in (
                    (6000, 4000), (6000, 8000), (12_000, 8000), (12_000, 4000), (10_000, 4000), (10_000, 7000),
                    (8000, 7000), (8000, 4000),
                )
            )
        )
    )  # fmt: skip
    line = sight_line(ground(comb), WEST, EAST)
    assert line.where(line.crossings[0]) == (
        (Point(6000, 5000), Point(8000, 5000)),
        (Point(10_000, 5000), Point(12_000, 5000)),
    )


def test_where_a_line_meets_circles_and_bands_is_rounded_once() -> None:
    disc, road = (
        wood(Disc(Point(10_000, 6000), 2000)),
        wood(Band((Point(15_000, 0), Point(15_000, 9000)), 501), "road"),
    )
    line = sight_line(ground(disc, road), WEST, EAST)
    # √3 · 1000 = 1732.05; half of 501 is 250.5, and halves go away from zero.
    assert line.where(line.crossings[0]) == ((Point(8268, 5000), Point(11_732, 5000)),)
    assert line.where(line.crossings[1]) == ((Point(14_750, 5000), Point(15_251, 5000)),)


def test_a_model_never_stands_in_its_own_way() -> None:
    between = Standing("C", HEX, Point(12_000, 5000))
    line = sight_line(ground(), WEST, EAST, [WEST, between, EAST])
    assert [(c.thing, c.piece, c.contour) for c in line.crossings] == [("C", "", -1)]
    assert line.where(line.crossings[0]) == ((Point(11_250, 5000), Point(12_750, 5000)),)


def test_near_is_the_gap_between_base_and_object() -> None:
    # The bases end at 2750 and 21250.
    pieces = (
        wood(rectangle(3750, 4000, 100, 2000), "just"),
        wood(rectangle(3751, 4000, 100, 2000), "not quite"),
    )
    line = sight_line(ground(*pieces), WEST, EAST, near=1000)
    assert [(c.near_start, c.near_end) for c in line.crossings] == [(True, False), (False, False)]
    back = sight_line(ground(*pieces), EAST, WEST, near=1000)
    assert [(c.near_start, c.near_end) for c in back.crossings] == [(False, True), (False, False)]


def test_an_object_holds_an_end_if_the_centre_is_strictly_inside() -> None:
    inside, border = rectangle(1999, 3000, 2000, 4000), rectangle(2000, 3000, 2000, 4000)
    line = sight_line(ground(wood(inside, PieceId("inside")), wood(border, "border")), WEST, EAST)
    assert [(c.piece, c.holds_start, c.holds_end) for c in line.crossings] == [
        ("inside", True, False),
        ("border", False, False),
    ]


def hill(*contours: Contour) -> Piece:
    return Piece(PieceId("hill"), "hill", contours[0].outline, contours[-1].level, contours)


def test_each_contour_is_an_object_with_its_level_for_its_ground() -> None:
    up = hill(Contour(1, rectangle(8000, 3000, 6000, 4000)), Contour(2, rectangle(9000, 4000, 3000, 2000)))
    line = sight_line(ground(up), WEST, EAST)
    assert [(c.piece, c.contour, c.ground) for c in line.crossings] == [("hill", -1, 2), ("hill", 0, 1), ("hill", 1, 2)]


def test_ground_under_a_piece_is_the_highest_under_its_crossed_part_only() -> None:
    up = hill(Contour(1, rectangle(8000, 3000, 6000, 4000)), Contour(2, rectangle(8000, 6000, 6000, 1000)))
    trees = wood(Polygon((Point(9000, 3500), Point(9000, 6900), Point(11_000, 6900), Point(11_000, 3500))))
    by_level = {c.piece: c.ground for c in sight_line(ground(up, trees), WEST, EAST).crossings if c.contour < 0}
    assert by_level["wood"] == 1  # the trees reach up to level 2, the line does not
    beside = wood(rectangle(14_000, 4000, 2000, 2000))
    assert [c.ground for c in sight_line(ground(up, beside), WEST, EAST).crossings if c.piece == "wood"] == [0]


def test_the_ground_of_a_base_is_that_under_its_centre() -> None:
    up = hill(Contour(1, rectangle(8000, 3000, 6000, 4000)))
    on, beside = Standing("C", HEX, Point(8001, 5000)), Standing("D", HEX, Point(8000, 5000))
    assert [c.ground for c in sight_line(ground(up), WEST, EAST, [on, beside]).crossings if c.thing] == [1, 0]
    line = sight_line(ground(up), Standing("C", HEX, Point(9000, 5000)), EAST)
    assert (line.start_ground, line.end_ground) == (1, 0)


def test_a_line_to_a_point_ends_there() -> None:
    line = sight_line(ground(), WEST, Standing("", None, Point(9000, 5000)))
    assert (line.start, line.end) == (Point(2750, 5000), Point(9000, 5000))
    assert sight_line(ground(), WEST, Standing("", None, Point(2100, 5100))).gap == 0
    assert line_between(ground(wood(rectangle(3, 0, 3, 9))), Point(0, 5), Point(9, 5)).crossings[0].piece == "wood"


def test_overlapping_bases_have_no_line_to_cross_anything() -> None:
    line = sight_line(ground(wood(rectangle(0, 0, 9000, 9000))), WEST, Standing("B", HEX, Point(2500, 5000)))
    assert line.gap == -1
    assert line.start == line.end
    assert line.crossings == ()


@pytest.mark.parametrize("seed", range(12))
def test_a_line_is_the_same_from_either_end(seed: int) -> None:
    dice = random.Random(seed)
    table = random_ground(dice)
    models = [random_standing(dice, f"M{i}") for i in range(6)]
    for a, b in pairwise(models):
        there, back = sight_line(table, a, b, models, near=1200), sight_line(table, b, a, models, near=1200)
        assert there == turned(back)
        for one, other in zip(there.crossings, back.crossings, strict=True):
            parts = tuple((q, p) for p, q in reversed(back.where(other)))
            assert there.where(one) == parts
            assert parts


def turned(line: SightLine) -> SightLine:
    crossings = tuple(
        Crossing(c.outline, c.piece, c.contour, c.thing, c.ground, c.near_end, c.near_start, c.holds_end, c.holds_start)
        for c in line.crossings
    )
    return SightLine(line.end, line.start, line.end_ground, line.start_ground, line.gap, crossings)


@pytest.mark.parametrize("seed", range(6))
def test_the_parts_of_a_line_inside_an_outline_are_where_the_oracle_finds_it_inside(seed: int) -> None:
    dice = random.Random(300 + seed)
    table = random_ground(dice)
    a, b = random_standing(dice, "A"), random_standing(dice, "B")
    line = sight_line(table, a, b)
    for crossing in line.crossings:
        parts = line.where(crossing)
        for start, end in parts:
            # Each end lies on the border or at an end of the line, up to rounding; the middle is inside.
            for point in (start, end):
                at_border = (
                    oracle.core_side(crossing.outline, point) <= 0 and gap_to_point(crossing.outline, point) <= 1
                )
                just_inside = crosses_nearby(crossing.outline, point)
                assert point in (line.start, line.end) or at_border or just_inside
            if center_gap(start, end) > 100:
                middle = Point((start.x + end.x) // 2, (start.y + end.y) // 2)
                assert gap_to_point(crossing.outline, middle) <= 1


def crosses_nearby(outline: Shape, point: Point) -> bool:
    """Whether the border of an outline passes within a thousandth of a point inside it."""
    return any(
        oracle.core_side(outline, Point(point.x + dx, point.y + dy)) <= 0 for dx in (-1, 0, 1) for dy in (-1, 0, 1)
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_line_among_the_models_of_a_table_is_the_line_between_the_two(seed: int) -> None:
    chance = random.Random(seed)
    terrain = random_ground(chance)
    stand = [random_standing(chance, f"M{n}") for n in range(8)]
    things = {
        one.id: Thing(ThingId(one.id), side=RED, base=one.base, place=At(one.at), facing=one.facing)
        for one in stand
        if one.base is not None
    }
    table = Table(terrain, (RED,), things)
    for _ in range(2):  # the second time from what was kept
        for a, b in pairwise(list(things)):
            expected = sight_line(terrain, standing(things[a]), standing(things[b]), crowd(table).values(), 900)
            assert line_among(table, a, b, 900) == expected


def test_models_that_have_stirred_are_looked_at_anew() -> None:
    things = {one.id: Thing(ThingId(one.id), base=HEX, place=At(one.at), facing=one.facing) for one in (WEST, EAST)}
    between = Thing(ThingId("C"), base=HEX, place=At(Point(12_000, 5000)))
    table = Table(ground(), (RED,), {**things, "C": between})
    assert names(line_among(table, "A", "B")) == ["C"]
    table.things["C"] = replace(between, place=At(Point(12_000, 9000)))
    assert names(line_among(table, "A", "B")) == []
