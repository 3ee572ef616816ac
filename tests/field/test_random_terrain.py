"""Random terrain keeps its sizes, comes from its source alone, and leaves a way through where it says so."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import UNIT, Band, Base, Disc, Point, Polygon, Shape, rectangle
from sandtable.engine.table import Ground, Part, Piece
from sandtable.field.measure import covers, gap_floor, overlap
from sandtable.field.outlines import core_of
from sandtable.field.random_terrain import (
    across,
    blob,
    buildings,
    hill,
    moved,
    piece_moved,
    place,
    reach_of,
    way_through,
    winding,
)
from sandtable.field.walking.paths import length_between
from tests.field.walking import HEX, ROUND

seeds = st.integers(0, 10**9)


class Numbers:
    """A source for the tests, which counts how often it is asked."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.asked = 0

    def number(self, limit: int) -> int:
        assert limit > 0
        self.asked += 1
        return self.rng.randrange(limit)


@given(seeds)
def test_blobs_are_simple_and_keep_their_size(seed: int) -> None:
    shape = blob(Numbers(seed), 6000, 12000)
    core_of(shape)
    assert 6000 <= across(shape) <= 12000
    assert across(shape) == max(length_between(a, b) for a in shape.points for b in shape.points)
    assert blob(Numbers(seed), 6000, 12000) == shape


@given(seeds)
def test_a_blob_of_nearly_one_size_has_it(seed: int) -> None:
    assert 9000 <= across(blob(Numbers(seed), 9000, 9006)) <= 9006


@given(seeds, st.integers(1, 4))
def test_contours_are_nested_and_apart(seed: int, levels: int) -> None:
    contours = hill(Numbers(seed), 6000, 12000, levels, 1000)
    assert [c.level for c in contours] == list(range(1, len(contours) + 1))
    assert 1 <= len(contours) <= levels
    for outer, inner in pairwise(contours):
        assert covers(outer.outline, inner.outline)
        assert isinstance(outer.outline, Polygon)
        assert isinstance(inner.outline, Polygon)
        borders = [Band((*shape.points, shape.points[0]), 0) for shape in (outer.outline, inner.outline)]
        assert gap_floor(*borders) >= 1000


@given(seeds, st.integers(1, 4))
def test_buildings_keep_their_sizes_and_streets(seed: int, count: int) -> None:
    group = buildings(Numbers(seed), count, 6000, 12000, 2000, 500)
    assert len(group) == count
    assert 6000 <= across(*group) <= 12000
    for one in group:
        a, b, c, _ = one.points
        assert length_between(a, b) >= 2000
        assert length_between(b, c) >= 2000
    for i, one in enumerate(group):
        assert all(gap_floor(one, other) >= 500 for other in group[:i])


@given(seeds)
def test_winding_bands_keep_near_their_line(seed: int) -> None:
    band = winding(Numbers(seed), Point(0, 12000), Point(24000, 12000), 2000, 3, 2500)
    assert band.points[0] == (0, 12000)
    assert band.points[-1] == (24000, 12000)
    assert all(abs(point.y - 12000) <= 2500 for point in band.points)


@given(seeds)
def test_places_are_in_the_region_and_allowed(seed: int) -> None:
    source = Numbers(seed)
    region = rectangle(0, 6000, 24000, 12000)
    other = Disc(Point(12000, 12000), 4000)
    shape = blob(source, 6000, 9000)

    def apart(shapes: object) -> bool:
        assert isinstance(shapes, list)
        return not any(overlap(there, other) for there in shapes)

    found = place(source, [shape], region, apart)
    if found is not None:
        there = moved(shape, *found)
        assert covers(region, there)
        assert not overlap(there, other)


def test_what_does_not_fit_has_no_place() -> None:
    source = Numbers(1)
    assert place(source, [Disc(Point(0, 0), 4000)], rectangle(0, 0, 7999, 9000), lambda shapes: True) is None
    assert source.asked == 0
    assert place(source, [Disc(Point(0, 0), 400)], rectangle(0, 0, 9000, 9000), lambda shapes: False, tries=7) is None
    assert source.asked == 14


def test_a_moved_piece_takes_all_of_itself_along() -> None:
    part = Part("north", rectangle(0, 0, 500, 500), 1, "whole")
    piece = Piece(
        PieceId("h"), "hill", Disc(Point(0, 0), 500), 2, hill(Numbers(3), 600, 900, 1, 100), (part, Part("door"))
    )
    there = piece_moved(piece, 1000, 2000)
    assert there.outline == Disc(Point(1000, 2000), 500)
    assert there.parts == (Part("north", rectangle(1000, 2000, 500, 500), 1, "whole"), Part("door"))
    assert piece_moved(there, -1000, -2000) == piece


NORTH, SOUTH = rectangle(0, 0, 24000, 6000), rectangle(0, 18000, 24000, 6000)


def walls(west: int, east: int) -> Ground:
    """Two walls across the board that leave a gap between two x."""
    return Ground(
        24000,
        24000,
        (
            Piece(PieceId("a"), "wall", rectangle(0, 11000, west, 2000)),
            Piece(PieceId("b"), "wall", rectangle(east, 11000, 24000 - east, 2000)),
        ),
    )


def no_walls(piece: Piece) -> bool:
    return piece.kind != "wall"


@pytest.mark.parametrize("base", [HEX, ROUND])
def test_a_gap_lets_a_base_through_only_if_it_fits(base: Base) -> None:
    fits = 2 * reach_of(base)
    assert not way_through(walls(12000, 12000 + fits - 10), base, NORTH, SOUTH, no_walls)
    assert way_through(walls(12000, 12000 + fits + 2 * (UNIT // 2) + 10), base, NORTH, SOUTH, no_walls)
    assert way_through(walls(12000, 12100), base, NORTH, SOUTH, lambda piece: True)
    closing = Disc(Point(12500, 12000), 1500)
    assert not way_through(walls(11000, 14000), base, NORTH, SOUTH, no_walls, blocked=[closing])


@settings(max_examples=20)
@given(seeds)
def test_a_way_through_is_never_promised_where_shapely_sees_none(seed: int) -> None:
    """Grown by the narrowest half of the base, the obstacles must leave the zones joined."""
    shapely = pytest.importorskip("shapely")
    source = Numbers(seed)
    shapes: list[Shape] = []
    for _ in range(source.number(9) + 3):
        shape = blob(source, 6000, 12000)
        shapes.append(moved(shape, source.number(24000), 6000 + source.number(12000)))
    ground = Ground(24000, 24000, tuple(Piece(PieceId(str(i)), "wall", shape) for i, shape in enumerate(shapes)))
    if not way_through(ground, ROUND, NORTH, SOUTH, no_walls):
        return
    grown = shapely.union_all([shapely.Polygon(s.points).buffer(499) for s in shapes if isinstance(s, Polygon)])
    free = shapely.box(500, 500, 23500, 23500).difference(grown)
    parts = list(getattr(free, "geoms", [free]))
    assert any(part.bounds[1] < 6000 and part.bounds[3] > 18000 for part in parts)
