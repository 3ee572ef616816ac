"""What lies under a point, a base and a line; chords agree with a scan in exact fractions."""

import random
from fractions import Fraction
from itertools import pairwise
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape, rectangle
from sandtable.engine.table import Contour, Ground, Piece
from sandtable.field.chords import chords, meets
from sandtable.field.ground import (
    bridges,
    chart,
    crossings,
    depth_of,
    features,
    level_at,
    on_bridge,
    on_way,
    pieces_at,
    pieces_under,
)
from sandtable.field.measure import gap, inside, outline_of, overlap
from sandtable.field.outlines import TableTooLarge
from tests.field.walking import HEX, wooded

L_SHAPED = Polygon((Point(0, 0), Point(60, 0), Point(60, 20), Point(20, 20), Point(20, 60), Point(0, 60)))


def holds(shape: Shape, x: Fraction, y: Fraction) -> bool:
    """Whether an exact point lies strictly inside: the obvious way, on a grid made finer until it is a grid point."""
    scale = lcm(x.denominator, y.denominator)
    if isinstance(shape, Disc):
        return (x - shape.center.x) ** 2 + (y - shape.center.y) ** 2 < shape.radius**2
    if isinstance(shape, Polygon):
        bigger = Polygon(tuple(Point(p.x * scale, p.y * scale) for p in shape.points))
        return inside(bigger, Point(int(x * scale), int(y * scale)))
    half = Fraction(shape.width, 2)
    for p, q in pairwise(shape.points):
        ux, uy = q.x - p.x, q.y - p.y
        size = ux * ux + uy * uy
        t = max(Fraction(0), min(Fraction(1), ((x - p.x) * ux + (y - p.y) * uy) / size)) if size else Fraction(0)
        if (x - p.x - t * ux) ** 2 + (y - p.y - t * uy) ** 2 < half * half:
            return True
    return False


coordinate = st.integers(-20, 80)
point = st.builds(Point, coordinate, coordinate)
shapes = st.one_of(
    st.builds(Disc, point, st.integers(1, 30)),
    st.just(L_SHAPED),
    st.builds(lambda a, b, c, w: Band((a, b, c), w), point, point, point, st.integers(1, 25)),
    st.builds(rectangle, st.integers(0, 30), st.integers(0, 30), st.integers(1, 30), st.integers(1, 30)),
)


@settings(max_examples=150)
@given(shapes, point, point)
def test_chords_agree_with_a_scan(shape: Shape, a: Point, b: Point) -> None:
    length = 60
    found = chords(shape, a, b, length)
    for quarter in range(4 * length + 1):
        t = Fraction(quarter, 4 * length)
        held = a != b and holds(shape, a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
        at = Fraction(quarter, 4)
        if held:
            assert any(low <= at <= high for low, high in found)
        elif any(low + 1 <= at <= high - 1 for low, high in found):
            # Two chords less than a thousandth apart, or a line through a corner, count as one.
            beside = [t + Fraction(side, 4 * length) for side in (-4, 4)]
            assert any(holds(shape, a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)) for s in beside)


@given(shapes, point, point)
def test_there_is_a_chord_exactly_if_the_line_meets_the_shape(shape: Shape, a: Point, b: Point) -> None:
    there = meets(shape, a, b, 60)
    assert there == bool(chords(shape, a, b, 60))
    # With the border asked for nothing is left to the quick look: what lies inside is among what it finds.
    inner = [t for t in (Fraction(n, 240) for n in range(1, 240)) if a != b and holds(shape, *_at(a, b, t))]
    assert there or not inner
    assert not there or chords(shape, a, b, 60, border=True)


def _at(a: Point, b: Point, t: Fraction) -> tuple[Fraction, Fraction]:
    return a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)


@given(shapes, point, point)
def test_chords_with_border_hold_those_without(shape: Shape, a: Point, b: Point) -> None:
    bordered = chords(shape, a, b, 60, border=True)
    for low, high in chords(shape, a, b, 60):
        assert any(start <= low and high <= end for start, end in bordered)


@given(st.integers(0, 10**6))
def test_level_is_the_highest_contour_around_a_point(seed: int) -> None:
    ground, rng = wooded(seed), random.Random(seed)
    for _ in range(20):
        at = Point(rng.randrange(24000), rng.randrange(24000))
        levels = [c.level for piece in ground.pieces for c in piece.contours if inside(c.outline, at)]
        assert level_at(ground, at) == max(levels, default=0)
        assert pieces_at(ground, at) == tuple(piece for piece in ground.pieces if inside(piece.outline, at))
        base = outline_of(HEX, at, rng.randrange(360))
        assert pieces_under(ground, base) == tuple(p for p in ground.pieces if overlap(base, p.outline))


@settings(max_examples=50)
@given(st.integers(0, 10**6))
def test_crossings_add_up_to_the_difference_of_levels(seed: int) -> None:
    ground, rng = wooded(seed), random.Random(seed)
    hills = tuple(piece for piece in ground.pieces if piece.kind == "hill")[:1]
    ground = Ground(24000, 24000, hills)
    a, b = (Point(rng.randrange(24000), rng.randrange(24000)) for _ in range(2))
    found = crossings(ground, a, b, 10000)
    assert sum(1 if c.up else -1 for c in found) == level_at(ground, b) - level_at(ground, a)
    assert [c.along for c in found] == sorted(c.along for c in found)


def test_chart_is_made_once() -> None:
    ground = wooded(1)
    assert chart(ground) is chart(ground)
    assert chart(ground) is not chart(wooded(1))


def wood(name: PieceId, x: int, kind: str = "wood") -> Piece:
    return Piece(name, kind, Disc(Point(x, 0), 1000))


def test_pieces_of_one_kind_that_touch_are_one_feature() -> None:
    apart = [wood(PieceId("a"), 0), wood(PieceId("b"), 2001)]
    touching = [wood(PieceId("a"), 0), wood(PieceId("b"), 2000)]
    assert len(features(apart)) == 2
    assert features(touching) == (tuple(touching),)
    assert len(features([wood(PieceId("a"), 0), wood(PieceId("b"), 1000, "swamp")])) == 2
    assert len(features([wood(PieceId("a"), 0), wood(PieceId("b"), 1000, "swamp")], alike=lambda piece: True)) == 1


@given(st.permutations(range(8)))
def test_features_do_not_depend_on_the_order_of_the_pieces(order: list[int]) -> None:
    pieces = [wood(PieceId(str(n)), 1900 * n + (1000 if n > 3 else 0)) for n in order]
    found = {frozenset(piece.id for piece in feature) for feature in features(pieces)}
    assert found == {frozenset("0123"), frozenset("4567")}
    assert gap(wood(PieceId("3"), 5700).outline, wood(PieceId("4"), 8600).outline) > 0


def test_a_road_over_water_is_a_bridge_to_a_centre_on_it() -> None:
    road = Piece(PieceId("r"), "road", Band((Point(0, 5000), Point(9000, 5000)), 2000))
    water = Piece(PieceId("w"), "water", rectangle(3000, 0, 2000, 9000), traits={"depth": 2})
    ground = Ground(9000, 9000, (water, road))

    def is_road(piece: Piece) -> bool:
        return piece.kind == "road"

    def deep(piece: Piece) -> bool:
        return depth_of(piece) >= 2

    assert bridges(ground, is_road, deep) == ((road, water),)
    assert on_bridge(ground, Point(4000, 6000), is_road, deep) == road
    assert on_bridge(ground, Point(4000, 6001), is_road, deep) is None
    assert on_bridge(ground, Point(2000, 5000), is_road, deep) is None
    assert on_way(road, Point(2000, 6000))
    assert not on_way(road, Point(2000, 6001))


def test_a_path_along_a_contour_crosses_nothing() -> None:
    hill = Piece(PieceId("h"), "hill", rectangle(0, 0, 5000, 5000), contours=(Contour(1, rectangle(0, 0, 5000, 5000)),))
    ground = Ground(9000, 9000, (hill,))
    assert crossings(ground, Point(0, 0), Point(5000, 0), 5000) == ()
    assert [c.up for c in crossings(ground, Point(0, 2000), Point(6000, 2000), 6000)] == [True, False]


def test_a_piece_that_no_machine_word_holds_lies_beyond_every_table() -> None:
    far = Ground(9000, 9000, (Piece(PieceId("h"), "hill", Disc(Point(1 << 70, 0), 3000)),))
    with pytest.raises(TableTooLarge):
        pieces_at(far, Point(0, 0))
