"""Templates are where their words say, and catch what lies under them."""

from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.shapes import Disc, Point, Polygon
from sandtable.field.directions import along
from sandtable.field.measure import gap, in_arc, inside, on_or_inside, outline_of
from sandtable.field.templates import caught, circle, cone, corridor, sector, strip
from sandtable.field.walking.paths import length_between
from tests.field.walking import HEX

degrees = st.integers(0, 359)
size = st.integers(200, 12000)
points = st.builds(Point, st.integers(-9000, 9000), st.integers(-9000, 9000))


@given(points, degrees, size, size)
def test_corridor_has_its_length_and_width(start: Point, facing: int, length: int, width: int) -> None:
    a, b, c, d = corridor(start, facing, length, width).points
    assert abs(length_between(a, b) - length) <= 2
    assert abs(length_between(c, d) - length) <= 2
    assert abs(length_between(b, c) - width) <= 3
    assert inside(corridor(start, facing, length, width), along(start, facing, length // 2))
    assert not inside(corridor(start, facing, length, width), along(start, facing + 180, 3))


@given(points, degrees, size, size)
def test_cone_opens_from_its_apex(apex: Point, facing: int, length: int, width: int) -> None:
    shape = cone(apex, facing, length, width)
    assert shape.points[0] == apex
    assert abs(length_between(shape.points[1], shape.points[2]) - width) <= 3
    assert on_or_inside(shape, along(apex, facing, length // 2)) or width < 8
    assert not inside(shape, along(apex, facing + 180, 2))


@given(points, degrees, st.integers(1, 89), st.builds(Point, st.integers(-9000, 9000), st.integers(-9000, 9000)))
def test_sector_is_an_arc_within_a_radius(apex: Point, facing: int, half: int, point: Point) -> None:
    shape = sector(apex, facing, 6000, half)
    away = length_between(apex, point)
    in_it = in_arc(apex, facing, point, -half, half)
    if on_or_inside(shape, point):
        assert away <= 6001
        assert in_it or gap(shape, Disc(along(apex, facing, 3000), 0)) >= 0
    elif in_it and away < 5995:
        # The rim's chords and rounded corners cut off a hair.
        assert gap(shape, Disc(point, 0)) <= 2


@given(points, st.integers(0, 5000), st.lists(points, max_size=6))
def test_caught_is_within_the_radius(center: Point, radius: int, at: list[Point]) -> None:
    bases = [outline_of(HEX, point, 17) for point in at]
    found = caught(circle(center, radius), bases)
    assert found == tuple(i for i, base in enumerate(bases) if gap(base, Disc(center, 0)) <= radius)


def test_strip_catches_along_its_whole_way() -> None:
    run = strip((Point(0, 0), Point(9000, 0), Point(9000, 9000)), 2000)
    bases = [Disc(Point(9000, 10500), 500), Disc(Point(9000, 10501), 500), Disc(Point(4000, 1400), 500)]
    assert caught(run, bases) == (0, 2)
    assert caught(run, bases, touching=False) == (2,)
    assert isinstance(corridor(Point(0, 0), 0, 10, 10), Polygon)
