"""The one table of directions: it is the sines rounded, whole degrees go round, and rounding has no favourite."""

from fractions import Fraction
from math import cos, radians, sin

from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.shapes import BOUND, Point
from sandtable.field.directions import SCALE, VECTORS, along, rounded

degrees = st.integers(-720, 720)
lengths = st.integers(-BOUND, BOUND)


def test_the_vectors_are_the_rounded_sines() -> None:
    for degree, (x, y) in enumerate(VECTORS):
        assert abs(x - SCALE * cos(radians(degree))) <= 0.51
        assert abs(y - SCALE * sin(radians(degree))) <= 0.51


def test_the_vectors_have_every_symmetry_of_the_circle_exactly() -> None:
    for degree in range(360):
        x, y = VECTORS[degree]
        assert VECTORS[(degree + 90) % 360] == (-y, x)
        assert VECTORS[(degree + 180) % 360] == (-x, -y)
        assert VECTORS[-degree % 360] == (x, -y)


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6) | st.integers(-(10**6), -1))
def test_rounding_goes_to_the_nearest_and_halves_away_from_zero(numerator: int, denominator: int) -> None:
    exact, found = Fraction(numerator, denominator), rounded(numerator, denominator)
    assert abs(found - exact) <= Fraction(1, 2)
    if abs(found - exact) == Fraction(1, 2):
        assert abs(found) > abs(exact)
    assert rounded(-numerator, denominator) == -found


@given(degrees, lengths)
def test_there_and_back_again_is_where_one_started(heading: int, length: int) -> None:
    start = Point(7, -11)
    there = along(start, heading, length)
    assert along(there, heading + 180, length) == start
    assert along(start, heading, -length) == along(start, heading + 180, length)
    assert along(start, heading + 360, length) == there


@given(degrees, lengths)
def test_a_step_is_as_long_as_it_says_to_a_thousandth(heading: int, length: int) -> None:
    x, y = along(Point(0, 0), heading, length)
    assert (abs(length) - 1) ** 2 <= x * x + y * y <= (abs(length) + 1) ** 2 or length == 0
