"""Many points at once: the compiled kernel, its interpreted twin and the plain way agree."""

from array import array
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import sandtable.field
from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import Point, rectangle
from sandtable.engine.table import Ground, Piece
from sandtable.field import _kernel_points
from sandtable.field.ground import Box, boxes_meet, pieces_near
from sandtable.field.measure import center_gap, nearest_free

SMALL = st.integers(-6, 6)  # so that ties are common
LARGE = st.integers(-(1 << 20), 1 << 20)
POINTS = st.builds(Point, SMALL, SMALL) | st.builds(Point, LARGE, LARGE)


def _interpreted() -> Any:
    spec = spec_from_file_location("interpreted", Path(sandtable.field.__file__).with_name("_kernel_points.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.compiled()
    return module


KERNELS = (_kernel_points, _interpreted())


def _plainly_assigned(here: Sequence[Point], places: Sequence[Point], goal: Point) -> list[Point]:
    left, found = list(places), dict[int, Point]()
    for n in sorted(range(len(here)), key=lambda n: (-center_gap(here[n], goal), n)):
        found[n] = min(left, key=lambda at: (center_gap(here[n], at), at))
        left.remove(found[n])
    return [found[n] for n in range(len(here))]


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=9), POINTS)
def test_everybody_gets_the_place_that_is_left_nearest(pairs: list[tuple[Point, Point]], goal: Point) -> None:
    here, places = [one for one, _ in pairs], [other for _, other in pairs]
    for kernel in KERNELS:
        numbers = kernel.nearest_free(here, places, *goal)
        assert sorted(numbers) == list(range(len(here)))
        assert [places[n] for n in numbers] == _plainly_assigned(here, places, goal)
        assert nearest_free(here, places, goal) == numbers


@given(st.lists(POINTS, max_size=9), POINTS, st.integers(0, 12))
def test_any_nearer_is_strict(points: list[Point], at: Point, than: int) -> None:
    for kernel in KERNELS:
        assert kernel.any_nearer(points, *at, than) is any(center_gap(one, at) < than * than for one in points)


def _box(one: Point, other: Point) -> Box:
    return min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y)


@given(st.lists(st.builds(_box, POINTS, POINTS), max_size=9), st.builds(_box, POINTS, POINTS), st.integers(0, 5))
def test_boxes_near_a_box(boxes: list[Box], box: Box, within: int) -> None:
    wanted = [n for n, one in enumerate(boxes) if boxes_meet(one, box, within)]
    for kernel in KERNELS:
        assert kernel.boxes_near(array("q", [edge for one in boxes for edge in one]), *box, within) == wanted


def test_pieces_near_stand_in_the_order_of_the_ground() -> None:
    pieces = tuple(
        Piece(name, "wood", rectangle(x, 0, 1000, 1000))
        for name, x in ((PieceId("c"), 4000), (PieceId("a"), 0), (PieceId("b"), 2000))
    )
    ground = Ground(9000, 9000, pieces)
    assert [piece.id for piece in pieces_near(ground, (0, 0, 1500, 0), 500)] == ["a", "b"]
    assert [piece.id for piece in pieces_near(ground, (0, 0, 9000, 0))] == ["c", "a", "b"]
    assert pieces_near(Ground(9000, 9000), (0, 0, 9, 9)) == ()
