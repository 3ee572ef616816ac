"""Dice: the odds of a throw are its faces counted, seeds fall fairly and alike everywhere, scripts fall as written."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine import dice as d
from sandtable.engine.dice import BranchingDice, Dice, OutOfFaces, Result, ScriptedDice, SeededDice, Throw, notation

SMALL = st.sampled_from(["d4", "d6", "2d6", "d10", "3d4", "2d6+d4", "d3", "d12+d8", "4d3"])


def counted(throw: Throw) -> Counter[tuple[int, object]]:
    """Every result of a throw, by every combination of its faces."""
    found: Counter[tuple[int, object]] = Counter()
    for faces in product(*(range(1, sides + 1) for sides in throw.sides)):
        result = throw.result(faces)
        found[(result.natural, result.kind)] += 1
    return found


def same_number(throw: Throw) -> None:
    """The ways of a throw are its faces counted, and the faces each way shows do show it."""
    ways = throw.ways()
    assert {(result.natural, result.kind): count for result, count in ways} == counted(throw)
    assert len({(result.natural, result.kind) for result, _ in ways}) == len(ways), "each result stands once"
    assert sum(count for _, count in ways) == prod(throw.sides)
    for result, _ in ways:
        assert throw.result(result.faces) == result


@given(SMALL)
def test_sums_fall_as_often_as_their_faces_say(dice: str) -> None:
    same_number(d._total(dice))


@given(st.integers(1, 4), SMALL)
def test_the_highest_few_fall_as_often_as_their_faces_say(keep: int, dice: str) -> None:
    same_number(d._highest(keep, dice))


@given(st.integers(0, 4), st.sampled_from([3, 6, 10]), st.integers(-1, 12))
def test_successes_fall_as_often_as_their_faces_say(count: int, die: int, needs: int) -> None:
    same_number(d._sorted_dice(count, tuple(int(face >= needs) for face in range(1, die + 1))))


@given(st.integers(0, 4), st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_sorted_dice_fall_as_often_as_their_faces_say(count: int, classes: list[int]) -> None:
    same_number(d._sorted_dice(count, tuple(classes)))


@pytest.mark.parametrize("dice", ["d4", "2d3"])
def test_scatter_falls_as_often_as_its_faces_say(dice: str) -> None:
    def caught(length: int, degrees: int) -> tuple[str, ...]:
        return ("A",) if length >= 3 and degrees < 90 else ("B",) if degrees == 359 else ()

    classed = d._Scatter("scatter", notation(dice), caught)
    by_class: Counter[object] = Counter()
    for (_, kind), count in counted(classed).items():
        by_class[kind] += count
    ways = classed.ways()
    assert {result.kind: count for result, count in ways} == by_class
    for result, _ in ways:
        assert classed.result(result.faces) == result
        assert len(result.faces) == len(classed.sides)


def test_unclassified_scatter_tells_every_length_and_degree_apart() -> None:
    plain = d._Scatter("scatter", notation("2d3"), None)
    found = Counter(plain.result(faces)[1:] for faces in product(range(1, 4), range(1, 4), range(1, 361)))
    by_length: Counter[tuple[int, int]] = Counter()
    for (faces, natural, kind), count in found.items():
        assert kind is None
        by_length[(natural, faces[-1])] += count
    ways = plain.ways()
    assert {(result.natural, result.faces[-1]): count for result, count in ways} == by_length
    assert all(plain.result(result.faces) == result for result, _ in ways)


def test_scatter_shows_the_length_and_a_direction_in_degrees() -> None:
    result = ScriptedDice([3, 4, 360]).scatter("2d6")
    assert (result.natural, result.faces[-1]) == (7, 0)
    assert ScriptedDice([5, 0]).scatter("d10").faces == (5, 0)


def test_opposed_dice_are_two_throws() -> None:
    ours, theirs = ScriptedDice([8, 1]).opposed("d8", "d6")
    assert (ours, theirs) == (Result("d8", (8,), 8), Result("d6", (1,), 1))


@given(st.text(max_size=12))
def test_a_notation_is_dice_or_an_error_that_says_so(text: str) -> None:
    try:
        sides = notation(text)
    except ValueError as error:
        assert repr(text) in str(error)  # noqa: PT017 (some texts are dice)
    else:
        assert sides
        assert all(side > 0 for side in sides)


@pytest.mark.parametrize("text", ["", "d", "6", "0d6", "d0", "101d6", "d9999999", "-1d6", "2d6-1", "٣d6", "2d6+"])
def test_what_is_no_dice_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="are no dice; write them as 2d6, d10"):
        notation(text)


# Seeded -------------------------------------------------------------------------------------------------------------


def stream(seed: int | str, length: int = 50) -> list[tuple[int, ...]]:
    dice = SeededDice(seed)
    return [dice.total(f"2d6+d{3 + n}").faces for n in range(length)]


@given(st.integers() | st.text(max_size=20), st.integers(0, 49))
def test_the_state_of_the_dice_is_a_seed_and_a_counter(seed: int | str, at: int) -> None:
    later = SeededDice(seed, at)
    assert later.total(f"2d6+d{3 + at}").faces == stream(seed)[at]
    assert later.draws == at + 1


def test_other_seeds_fall_otherwise() -> None:
    assert len({str(stream(seed)) for seed in range(50)}) == 50


def test_a_fresh_process_with_other_hashes_throws_the_same() -> None:
    code = "from tests.engine.test_dice import stream; print(stream(7), stream('seven'))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{stream(7)} {stream('seven')}\n"}


def test_these_are_the_dice_of_every_battle_ever_saved() -> None:
    """Golden: another stream would break every journal there is, so it needs a new format of the journal."""
    dice = SeededDice(7)
    assert [dice.total("2d6").faces for _ in range(6)] == GOLDEN


GOLDEN: list[tuple[int, ...]] = [(5, 6), (4, 3), (3, 3), (1, 4), (5, 3), (3, 3)]


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 12, 100])
def test_every_face_falls_about_as_often(sides: int) -> None:
    """Chi-square with a fixed seed: far out only if the dice are wrong."""
    dice, throws = SeededDice("fair"), 200 * sides
    found = Counter(dice.total(f"d{sides}").natural for _ in range(throws))
    assert sorted(found) == list(range(1, sides + 1))
    chi_square = sum((found[face] - 200) ** 2 / 200 for face in range(1, sides + 1))
    freedom = sides - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 6


@pytest.mark.parametrize("sides", [3, 6, 10, 360, 1_000_000])
def test_numbers_that_would_favour_low_faces_are_passed_over(sides: int) -> None:
    least_unfair = (1 << 32) - (1 << 32) % sides
    assert d._face(iter([least_unfair, (1 << 32) - 1, 1]), sides) == 2
    assert d._face(iter([least_unfair - 1]), sides) == sides


def test_pairs_of_faces_and_of_throws_are_independent() -> None:
    dice = SeededDice("pairs")
    throws = [(faces[0], faces[1]) for faces in (dice.total("2d6").faces for _ in range(7200))]
    for pairs in (Counter(throws), Counter((a[0], b[0]) for a, b in pairwise(throws))):
        seen = [pairs[(a, b)] for a, b in product(range(1, 7), repeat=2)]
        assert sum((count - 200) ** 2 for count in seen) / 200 < 35 + 4 * 70**0.5


def test_a_shuffle_is_a_permutation_and_every_order_comes() -> None:
    dice = SeededDice("cards")
    orders = Counter(dice.shuffled("abc") for _ in range(1200))
    assert len(orders) == 6
    assert all(140 < count < 260 for count in orders.values())
    assert dice.shuffled(()) == ()


@given(st.integers(1, 1000), st.integers())
def test_a_number_is_below_its_limit(limit: int, seed: int) -> None:
    assert 0 <= SeededDice(seed).number(limit) < limit


# Scripted -----------------------------------------------------------------------------------------------------------


def test_a_script_that_runs_out_says_what_was_needed() -> None:
    with pytest.raises(OutOfFaces, match="2d6 needs 2 faces; 1 are left"):
        ScriptedDice([3]).total("2d6")


@pytest.mark.parametrize("face", [0, 7, -1, 360])
def test_a_face_that_its_die_does_not_have_is_told(face: int) -> None:
    with pytest.raises(OutOfFaces, match=f"cannot show {face}; a d6 has the faces 1 to 6"):
        ScriptedDice([1, face]).total("2d6")


def test_a_script_falls_as_written_and_again_when_drawn_again() -> None:
    dice = ScriptedDice([1, 2, 3])
    first = [dice.total("d6").natural, dice.total("2d6").natural]
    assert first == [1, 5]
    twin = dice.copy()
    dice.draws = 0
    assert [dice.total("d6").natural, dice.total("2d6").natural] == first
    assert twin.draws == 2


# Branching ----------------------------------------------------------------------------------------------------------


def test_branching_dice_follow_a_path_and_name_the_branches_they_pass() -> None:
    dice = BranchingDice([2])
    assert dice.total("d6").natural == 3
    assert dice.successes(2, needs=7).natural == 0, "there is but one result"
    dice.total("2d6")
    assert dice.open == [([2, 0], 11)]
    assert dice.chance == Fraction(1, 6) * Fraction(1, 36)


def test_dice_are_a_strategy() -> None:
    with pytest.raises(NotImplementedError):
        Dice().total("d6")
