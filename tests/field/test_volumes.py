"""Lines past upright volumes: the kernel's quick way agrees with the slow and obvious one, and heights have a bound."""

import random

import pytest

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape, rectangle
from sandtable.field._kernel_spans import End, passes
from sandtable.field.outlines import BadOutline, TableTooLarge, core_of
from sandtable.field.volumes import Place, Volume, blocks, in_view


def spanned(outline: Shape, low: int, high: int, a: Place, b: Place) -> bool:
    """Whether a line is blocked, by the spans of it that lie inside the outline, and the part between the heights."""
    if low >= high or max(a.z, b.z) <= low or min(a.z, b.z) >= high:
        return False
    core, climb = core_of(outline), abs(b.z - a.z)
    first: End = (0, 0, 1)
    last: End = (1, 0, 1)
    if climb:
        enters, leaves = (low - a.z, high - a.z) if b.z > a.z else (a.z - high, a.z - low)
        first, last = (enters, 0, climb), (leaves, 0, climb)
    return passes(core.points, core.is_filled, core.twice_radius, a.x, a.y, b.x, b.y, first, last)


def some_outline(source: random.Random, size: int) -> Shape:
    def point() -> Point:
        return Point(source.randint(-size, size), source.randint(-size, size))

    match source.randrange(4):
        case 0:
            return Disc(point(), source.randint(0, size))
        case 1:
            return rectangle(*point(), source.randint(1, size), source.randint(1, size))
        case 2:
            return Polygon(tuple(point() for _ in range(source.choice((3, 4, 5)))))
        case _:
            return Band((point(), point(), point()), source.randint(0, size))


@pytest.mark.parametrize("size", [5, 20, 3000])  # small ones meet in corners and along sides all the time
def test_a_line_is_blocked_where_its_spans_say_so(size: int) -> None:
    source = random.Random(f"volumes/{size}")

    def place() -> Place:
        return Place(*(source.randint(-size, size) for _ in range(3)))

    looked = blocked = 0
    while looked < 6000:
        outline = some_outline(source, size)
        low = source.randint(-size, size)
        high = low + source.randint(0, size)
        try:
            volume = Volume(outline, low, high)
        except BadOutline:
            continue
        a, b = place(), place()
        b = b._replace(z=source.choice((b.z, a.z, low, high)))
        if (a.x, a.y) == (b.x, b.y):
            continue
        found = spanned(outline, low, high, a, b)
        assert (blocks(volume, a, b), blocks(volume, b, a)) == (found, found), (outline, low, high, a, b)
        looked += 1
        blocked += found
    assert blocked > 500


def test_straight_up_is_blocked_inside_and_not_along_the_wall() -> None:
    for outline in (rectangle(0, 0, 10, 10), Disc(Point(5, 5), 5), Band((Point(0, 5), Point(9, 5), Point(9, 9)), 10)):
        volume = Volume(outline, 3, 6)
        assert blocks(volume, Place(5, 5, 0), Place(5, 5, 9))
        assert not blocks(volume, Place(5, 0, 0), Place(5, 0, 9))
        assert not blocks(volume, Place(5, 5, 6), Place(5, 5, 9))


def test_no_more_places_are_looked_at_than_are_enough() -> None:
    wall = Volume(rectangle(4, 0, 1, 10), 0, 10)
    points = [Place(9, y, 5) for y in (5, 15, 30, 45)]
    assert in_view(Place(0, 5, 5), points, [wall]) == points[2:]
    assert in_view(Place(0, 5, 5), iter(points), [wall], enough=1) == points[2:3]


def test_what_is_higher_than_the_table_computes_is_refused() -> None:
    with pytest.raises(TableTooLarge):
        Volume(Disc(Point(0, 0), 5), 0, 1 << 33)
    for z in (1 << 33, -(1 << 33), 1 << 70):
        with pytest.raises(TableTooLarge):
            in_view(Place(0, 0, 0), [Place(9, 0, z)], [])
