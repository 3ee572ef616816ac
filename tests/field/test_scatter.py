"""Counting landings by class gives what walking each of them gives."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.shapes import Base, Disc, Point, Polygon, Shape
from sandtable.field import scatter
from sandtable.field.measure import gap, inside, on_or_inside, outline_of
from sandtable.field.scatter import bounding_disc, classes, drifted, ring, who_is_caught
from sandtable.field.walking.paths import length_between
from tests.field.walking import HEX


def strewn(seed: int, count: int = 6) -> tuple[Point, list[Shape]]:
    rng = random.Random(seed)
    bases: list[Shape] = []
    for _ in range(count):
        base = rng.choice([HEX, Base("circle", 1000), Base("rectangle", 1000, 2500)])
        bases.append(
            outline_of(base, Point(rng.randrange(4000, 20000), rng.randrange(4000, 20000)), rng.randrange(360))
        )
    return Point(rng.randrange(24000), rng.randrange(24000)), bases


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from([0, 1000, 3000]), st.booleans())
def test_counting_agrees_with_walking_every_landing(seed: int, radius: int, has_board: bool) -> None:
    aim, bases = strewn(seed)
    distances = [1000, 4000, 4000, 9000]
    board = (24000, 24000) if has_board else None
    slow: dict[tuple[int, ...] | None, int] = {}
    for distance in distances:
        for degrees in range(360):
            point = drifted(aim, distance, degrees)
            off = has_board and not (0 <= point.x <= 24000 and 0 <= point.y <= 24000)
            hit = tuple(
                i
                for i, base in enumerate(bases)
                if (on_or_inside(base, point) if radius == 0 else gap(base, Disc(point, 0)) <= radius)
            )
            name = None if off else hit
            slow[name] = slow.get(name, 0) + 1
    assert who_is_caught(aim, distances, bases, radius, board) == slow
    assert sum(slow.values()) == 4 * 360


def test_classes_stand_in_the_order_they_are_met() -> None:
    found = classes(Point(0, 0), [1000], range(360), lambda point: point.y > 0)
    assert list(found) == [False, True]


@given(st.integers(0, 12000), st.integers(0, 359))
def test_a_drift_goes_its_distance(distance: int, degrees: int) -> None:
    assert abs(length_between(Point(0, 0), drifted(Point(0, 0), distance, degrees)) - distance) <= 1
    assert ring(distance)[degrees] == drifted(Point(0, 0), distance, degrees)


@given(st.integers(0, 10**6))
def test_bounding_disc_holds_its_shape(seed: int) -> None:
    _, bases = strewn(seed, 3)
    for base in bases:
        disc = bounding_disc(base)
        if isinstance(base, Polygon):
            assert all(length_between(disc.center, point) <= disc.radius for point in base.points)
            assert inside(disc, base.points[0]) or length_between(disc.center, base.points[0]) <= disc.radius


def test_only_landings_near_a_base_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten distances in all directions among six bases: nearly all of the 21,600 gaps need no measuring."""
    _, bases = strewn(5)
    measured: list[Shape] = []

    def counted(one: Shape, other: Shape) -> int:
        measured.append(one)
        return gap(one, other)

    monkeypatch.setattr(scatter, "gap", counted)
    found = who_is_caught(Point(12000, 12000), range(1000, 11000, 1000), bases, 1000, (24000, 24000))
    caught = sum(len(who or ()) * count for who, count in found.items())
    assert 0 < caught <= len(measured) < 2 * caught
