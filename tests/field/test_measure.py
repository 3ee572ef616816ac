"""What the exact table promises of distances, overlap, contact, arcs and sweeps."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.shapes import BOUND, Band, Base, Disc, Point, Polygon, rectangle
from sandtable.field.directions import VECTORS, along
from sandtable.field.measure import (
    CONTACT,
    bearing,
    center_gap,
    contact,
    covers,
    first_touch,
    gap,
    gap_floor,
    gap_to_point,
    in_arc,
    inside,
    nearest_points,
    on_or_inside,
    overlap,
    sweeps_over,
    swept,
)
from sandtable.field.outlines import BadOutline, TableTooLarge, base_core, core_of, outline_of, swept_core

BASES = (Base("hexagon", 1500), Base("circle", 1000), Base("rectangle", 1000, 2000))
# A C-shaped piece, open to the east: its hollow is not in it.
HOLLOW = Polygon(tuple(Point(x, y) for x, y in ((0, 0), (9, 0), (9, 3), (3, 3), (3, 6), (9, 6), (9, 9), (0, 9))))

points = st.builds(Point, st.integers(-20_000, 20_000), st.integers(-20_000, 20_000))
facings = st.integers(0, 359)
bases = st.sampled_from(BASES)
outlines = st.builds(outline_of, bases, points, facings)


@given(outlines, outlines, st.integers(0, 40_000))
def test_gap_rounded_up_says_within_and_rounded_down_says_at_least(
    a: Disc | Polygon, b: Disc | Polygon, n: int
) -> None:
    up, down = gap(a, b), gap_floor(a, b)
    assert up == down or up == down + 1
    assert (gap(b, a), gap_floor(b, a)) == (up, down)
    assert overlap(a, b) == (up == -1)
    assert contact(a, b) == (0 <= up <= CONTACT)
    if up == -1:
        assert center_gap(core_center(a), core_center(b)) < 5_000**2


def core_center(shape: Disc | Polygon) -> Point:
    return Point(*core_of(shape).center)


def test_gap_of_a_known_distance_is_rounded_as_it_says() -> None:
    one, other = Disc(Point(0, 0), 1), Disc(Point(5, 5), 1)  # √50 - 2 = 5.07
    assert (gap_floor(one, other), gap(one, other)) == (5, 6)
    assert (gap_floor(one, Disc(Point(3, 4), 1)), gap(one, Disc(Point(3, 4), 1))) == (3, 3)


@pytest.mark.parametrize("width", [10, 11])
def test_an_odd_width_is_halved_exactly(width: int) -> None:
    road = Band((Point(0, 0), Point(100, 0)), width)
    square = rectangle(0, 5, 10, 10)
    assert overlap(road, square) == (width == 11)
    assert gap(road, square) == (-1 if width == 11 else 0)
    assert on_or_inside(road, Point(50, 5))
    assert inside(road, Point(50, 5)) == (width == 11)


def test_touching_is_contact_and_not_overlap() -> None:
    for touching in (rectangle(10, 0, 10, 10), rectangle(10, 10, 10, 10), rectangle(10, 3, 5, 2)):
        assert gap(rectangle(0, 0, 10, 10), touching) == 0
        assert contact(rectangle(0, 0, 10, 10), touching)
        assert not overlap(rectangle(0, 0, 10, 10), touching)


def test_contact_ends_at_five_thousandths() -> None:
    assert contact(Disc(Point(0, 0), 500), Disc(Point(1005, 0), 500))
    assert not contact(Disc(Point(0, 0), 500), Disc(Point(1006, 0), 500))
    assert not contact(Disc(Point(0, 0), 500), Disc(Point(999, 0), 500))


def test_the_same_polygon_overlaps_itself_whichever_way_it_is_drawn() -> None:
    assert overlap(HOLLOW, HOLLOW)
    assert overlap(HOLLOW, Polygon(HOLLOW.points[::-1]))
    assert overlap(rectangle(0, 0, 5, 5), rectangle(0, 0, 5, 5))


def test_what_stands_in_a_hollow_does_not_overlap() -> None:
    plug = rectangle(3, 3, 6, 3)
    assert not overlap(HOLLOW, plug)
    assert gap(HOLLOW, plug) == 0
    assert overlap(HOLLOW, rectangle(2, 3, 7, 3))
    assert gap(HOLLOW, rectangle(5, 4, 1, 1)) == 1


def test_a_point_has_no_inside_to_overlap_with() -> None:
    assert gap(Disc(Point(5, 5), 0), rectangle(0, 0, 10, 10)) == 0
    assert not overlap(Disc(Point(5, 5), 0), rectangle(0, 0, 10, 10))
    assert gap_to_point(rectangle(0, 0, 10, 10), Point(5, 5)) == -1
    assert gap_to_point(rectangle(0, 0, 10, 10), Point(10, 5)) == 0
    assert gap_to_point(rectangle(0, 0, 10, 10), Point(13, 14)) == 5


def test_borders_are_not_inside() -> None:
    for corner in HOLLOW.points:
        assert on_or_inside(HOLLOW, corner)
        assert not inside(HOLLOW, corner)
    assert inside(HOLLOW, Point(1, 4))
    assert not on_or_inside(HOLLOW, Point(5, 4))


def test_covers_looks_into_hollows_and_lets_borders_touch() -> None:
    assert covers(HOLLOW, rectangle(0, 0, 9, 3))
    assert covers(HOLLOW, HOLLOW)
    assert not covers(HOLLOW, rectangle(3, 3, 6, 3))
    assert not covers(HOLLOW, rectangle(1, 1, 5, 7))  # all its corners are in, its east side is not
    assert covers(rectangle(0, 0, 10, 10), Disc(Point(5, 5), 5))
    assert not covers(rectangle(0, 0, 10, 10), Disc(Point(5, 6), 5))
    assert covers(Disc(Point(0, 0), 5), rectangle(-3, -4, 6, 8))
    assert not covers(Disc(Point(0, 0), 5), rectangle(-3, -4, 7, 8))
    assert covers(Band((Point(0, 0), Point(50, 0)), 10), rectangle(0, -5, 50, 10))
    assert not covers(rectangle(0, 0, 4, 4), rectangle(-1, -1, 6, 6))


@given(bases, points, facings)
def test_a_base_has_its_centre_in_its_middle(base: Base, at: Point, facing: int) -> None:
    outline = outline_of(base, at, facing)
    assert outline == outline_of(base, at, facing + 360)
    assert core_center(outline) == at
    assert inside(outline, at)
    front = along(at, facing, 400)
    assert inside(outline, front)


def test_the_front_of_a_hexagon_is_the_middle_of_a_flat_side() -> None:
    outline = outline_of(Base("hexagon", 1000), Point(0, 0), 0)
    assert on_or_inside(outline, Point(500, 0))
    assert not on_or_inside(outline, Point(501, 0))
    assert isinstance(outline, Polygon)
    assert outline.points[0] == Point(500, 289)
    assert outline.points[5] == Point(500, -289)


def test_corners_are_rounded_halves_away_from_zero() -> None:
    outline = outline_of(Base("rectangle", 3, 5), Point(0, 0), 0)
    assert isinstance(outline, Polygon)
    assert set(outline.points) == {Point(3, 2), Point(3, -2), Point(-3, 2), Point(-3, -2)}


@given(outlines, outlines)
def test_nearest_points_lie_on_the_outlines_a_gap_apart(a: Disc | Polygon, b: Disc | Polygon) -> None:
    p, q = nearest_points(a, b)
    assert nearest_points(b, a) == (q, p)
    if gap(a, b) < 0:
        assert p == q
        return
    # Each coordinate is rounded by at most a half.
    assert gap_to_point(a, p) <= 1
    assert gap_to_point(b, q) <= 1
    assert (gap_floor(a, b) - 2) ** 2 <= center_gap(p, q) or gap_floor(a, b) < 2
    assert center_gap(p, q) <= (gap(a, b) + 2) ** 2


def test_of_pairs_equally_near_the_one_on_the_line_of_centres_is_taken() -> None:
    square = Base("rectangle", 1000, 1000)
    west = outline_of(square, Point(0, 0), 0)
    # Straight across: the middle of both sides. Shifted: half-way down the common part.
    assert nearest_points(west, outline_of(square, Point(3000, 0), 0)) == (Point(500, 0), Point(2500, 0))
    assert nearest_points(west, outline_of(square, Point(3000, 600), 0)) == (Point(500, 300), Point(2500, 300))
    # So far down that the line of centres misses the common part: its nearest end.
    assert nearest_points(west, outline_of(square, Point(1100, 990), 0)) == (Point(500, 495), Point(600, 495))
    assert nearest_points(west, outline_of(square, Point(1000, 1000), 0)) == (Point(500, 500), Point(500, 500))


def test_touching_along_a_side_the_line_is_a_point_on_it() -> None:
    square = Base("rectangle", 1000, 1000)
    found = nearest_points(outline_of(square, Point(0, 0), 0), outline_of(square, Point(1000, 400), 0))
    assert found == (Point(500, 200), Point(500, 200))


def test_overlapping_outlines_meet_in_the_middle_of_their_centres() -> None:
    a, b = Disc(Point(0, 0), 500), Disc(Point(301, -301), 500)
    assert nearest_points(a, b) == (Point(151, -151), Point(151, -151))
    bare = Disc(Point(100, 40), 0)
    assert nearest_points(a, bare) == nearest_points(bare, a) == (bare.center, bare.center)


def test_nearest_points_of_outlines_that_are_no_bases() -> None:
    road = Band((Point(0, 0), Point(10_000, 0), Point(10_000, 10_000)), 1001)
    p, q = nearest_points(road, Disc(Point(5000, 3000), 500))
    assert (p, q) == (Point(5000, 501), Point(5000, 2500))
    assert nearest_points(HOLLOW, Disc(Point(20, 2), 0)) == (Point(9, 2), Point(20, 2))


@pytest.mark.parametrize("facing", [45, 135, 225, 315])
def test_arc_borders_belong_to_both_arcs(facing: int) -> None:
    for border, one, other in ((45, (-45, 45), (45, 135)), (135, (45, 135), (135, 225)), (315, (225, 315), (-45, 45))):
        # Facing half-way, the borders run along the axes, where the table of directions is exact.
        on_it = along(Point(0, 0), facing + border, 7000)
        assert in_arc(Point(0, 0), facing, on_it, *one)
        assert in_arc(Point(0, 0), facing, on_it, *other)
        past = along(Point(on_it.x, on_it.y), facing + border + 90, 1)
        assert not in_arc(Point(0, 0), facing, past, *one)
        assert in_arc(Point(0, 0), facing, past, *other)


@given(points, facings, points)
def test_four_quarters_hold_every_point(at: Point, facing: int, point: Point) -> None:
    held = [in_arc(at, facing, point, start, start + 90) for start in (-45, 45, 135, 225)]
    assert any(held)
    if at == point:
        assert all(held)
    else:
        assert sum(held) <= 2
        assert in_arc(at, facing, point, 0, 360)
        assert in_arc(at, facing, point, 45, 315) or held[0]


def test_an_arc_may_be_a_single_direction_or_more_than_half() -> None:
    assert in_arc(Point(0, 0), 0, Point(7, 0), 0, 0)
    assert not in_arc(Point(0, 0), 0, Point(-7, 0), 0, 0)
    assert not in_arc(Point(0, 0), 0, Point(-7, 1), -170, 170)
    assert in_arc(Point(0, 0), 0, Point(-7, 1), 90, 360)
    assert in_arc(Point(0, 0), 0, Point(0, -7), 350, 275)


@given(points, facings)
def test_bearing_is_the_nearest_whole_degree(at: Point, degrees: int) -> None:
    assert bearing(at, along(at, degrees, 100_000)) == degrees


@given(bases, points, points, facings, outlines)
def test_a_sweep_holds_every_base_on_the_way(
    base: Base, start: Point, end: Point, facing: int, other: Disc | Polygon
) -> None:
    area = swept(base, start, end, facing)
    for at in (start, end):
        assert covers(area, outline_of(base, at, facing))
        if overlap(outline_of(base, at, facing), other):
            assert overlap(area, other)
    # Half-way between two grid points is none, so the middle is taken in doubled coordinates.
    middle = Point(start.x + end.x, start.y + end.y)
    if isinstance(area, Polygon):
        doubled = Polygon(tuple(Point(2 * x, 2 * y) for x, y in area.points))
        outline = outline_of(base, Point(0, 0), facing)
        assert isinstance(outline, Polygon)
        assert covers(doubled, Polygon(tuple(Point(2 * x + middle.x, 2 * y + middle.y) for x, y in outline.points)))
    assert sweeps_over(base, start, end, facing, other) == overlap(area, other)


@given(bases, st.integers(0, 359), st.integers(0, 359), st.integers(0, 3000), outlines)
def test_first_touch_is_the_last_free_grid_point(
    base: Base, facing: int, degrees: int, distance: int, other: Disc | Polygon
) -> None:
    start = Point(0, 0)
    reached = first_touch(base, start, facing, degrees, distance, other)
    assert 0 <= reached <= distance
    if overlap(outline_of(base, start, facing), other):
        assert reached == 0
        return
    assert not overlap(swept(base, start, along(start, degrees, reached), facing), other)
    if reached < distance:
        beyond = along(start, degrees, reached + 1)
        assert overlap(swept(base, start, beyond, facing), other)
        # Which is contact, whatever the direction.
        assert contact(outline_of(base, along(start, degrees, reached), facing), other) or gap(
            swept(base, start, along(start, degrees, reached), facing), other
        ) in range(CONTACT + 1)


def test_what_lies_beyond_the_bound_is_refused_with_words() -> None:
    with pytest.raises(TableTooLarge, match="use a smaller table"):
        gap(Disc(Point(BOUND + 1, 0), 0), Disc(Point(0, 0), 0))
    with pytest.raises(TableTooLarge):
        core_of(Band((Point(0, 0), Point(0, BOUND)), 1))
    with pytest.raises(TableTooLarge):
        base_core(BASES[0], Point(BOUND, 0), 0)
    with pytest.raises(TableTooLarge):
        swept_core(BASES[1], Point(0, 0), Point(0, BOUND), 0)
    assert gap(Disc(Point(BOUND, BOUND), 0), Disc(Point(-BOUND, -BOUND), 0)) == 2_965_821


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Polygon((Point(0, 0), Point(1, 1))), "at least 3"),
        (Polygon((Point(0, 0), Point(5, 5), Point(9, 9))), "no area"),
        (Polygon((Point(0, 0), Point(9, 0), Point(0, 9), Point(7, 9))), "crosses itself"),
        (Polygon((Point(0, 0), Point(9, 0), Point(9, 9), Point(4, 0), Point(0, 9))), "crosses itself"),
        (Band((), 5), "no points"),
        (Band((Point(0, 0),), -5), "width"),
        (Disc(Point(0, 0), -1), "radius"),
    ],
)
def test_an_outline_that_is_none_is_refused_with_words(shape: Disc | Polygon | Band, words: str) -> None:
    with pytest.raises(BadOutline, match=words):
        core_of(shape)


@pytest.mark.parametrize("base", [Base("square", 5), Base("hexagon", 0), Base("rectangle", 5), Base("hexagon", 1)])
def test_a_base_that_is_none_is_refused(base: Base) -> None:
    with pytest.raises(BadOutline):
        base_core(base, Point(0, 0), 13)


def test_polygons_that_go_round_twice_are_refused() -> None:
    star = [along(Point(0, 0), 144 * k, 1000) for k in range(5)]
    with pytest.raises(BadOutline, match="crosses itself"):
        core_of(Polygon(tuple(star)))


def test_idle_corners_change_nothing() -> None:
    dice = random.Random(5)
    plain = rectangle(0, 0, 1000, 1000)
    dotted = Polygon(
        (
            Point(0, 0),
            Point(300, 0),
            Point(1000, 0),
            Point(1000, 500),
            Point(1000, 1000),
            Point(500, 1000),
            Point(0, 1000),
        )
    )
    for _ in range(200):
        at = Point(dice.randint(-3000, 3000), dice.randint(-3000, 3000))
        other = outline_of(dice.choice(BASES), at, dice.randrange(360))
        assert gap(plain, other) == gap(dotted, other)
        assert covers(dotted, other) == covers(plain, other)


@given(points, points)
def test_bearing_is_the_best_of_all_degrees(at: Point, to: Point) -> None:
    dx, dy = to.x - at.x, to.y - at.y
    assert bearing(at, to) == max(range(360), key=lambda d: (VECTORS[d].x * dx + VECTORS[d].y * dy, -d))


def test_bearing_takes_the_lower_of_two_degrees_that_fit_alike() -> None:
    for dx in range(-12, 13):
        for dy in range(-12, 13):
            best = max(range(360), key=lambda d: (VECTORS[d].x * dx + VECTORS[d].y * dy, -d))
            assert bearing(Point(0, 0), Point(dx, dy)) == best
