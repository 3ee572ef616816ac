"""Variants share a table; what must look the same to a side does, byte for byte."""

from pathlib import Path

import pytest

from sandtable.forces.files import CaseError
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import read_cases
from sandtable.lab.cases.runner import Outcome
from tests.lab.skirmish import skirmish
from tests.lab.writing import HEAD, told


def variants(path: Path, text: str, head: str = HEAD) -> list[Outcome]:
    """What comes of a case with variants, one outcome for each."""
    file = path / "case.yaml"
    file.write_text(head + text, encoding="utf-8")
    book = skirmish()
    return play_all(read_cases(file), find=lambda name: book)


HIDES = """
variants:
  - {title: it aims, play: [{do: {A: aim}, then: {A: {states: [aiming]}}}]}
  - {title: it hides, play: [{do: {A: hide}, then: {A: {lacks: [aiming]}}}]}
"""


def test_each_variant_is_a_case_of_its_own(tmp_path: Path) -> None:
    outcomes = variants(tmp_path, HIDES)
    assert [outcome.passed for outcome in outcomes] == [True, True]
    assert [outcome.title for outcome in outcomes] == ["A meets B: it aims", "A meets B: it hides"]
    assert [outcome.name.rpartition(":")[2] for outcome in outcomes] == ["10", "11"]


def test_a_variant_proves_what_the_common_part_proves_and_its_own(tmp_path: Path) -> None:
    outcomes = variants(tmp_path, HIDES.replace("it aims,", "it aims, proves: skirmish.shooting.aim,"))
    assert [list(outcome.proves) for outcome in outcomes] == [
        ["skirmish.shooting.to-hit", "skirmish.shooting.aim"],
        ["skirmish.shooting.to-hit"],
    ]


def test_common_steps_come_first(tmp_path: Path) -> None:
    text = "play: [{do: {A: aim}}]" + HIDES.replace("do: {A: aim}", "do: {B: aim}").replace(
        "do: {A: hide}", "do: {B: hide}"
    )
    outcomes = variants(tmp_path, text)
    assert outcomes[0].passed
    assert "A lacks" in told(outcomes[1])


def test_a_variant_changes_models_and_keys(tmp_path: Path) -> None:
    text = """
variants:
  - {title: near, play: [{ask: {band: {from: A, to: B}}, is: short}]}
  - {title: far, change: {B: {at: [19, 10]}}, play: [{ask: {band: {from: A, to: B}}, is: long}]}
  - {title: B acts, turn: B, play: [{asked: {side: blue}}]}
"""
    assert [outcome.passed for outcome in variants(tmp_path, text)] == [True, True, True]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("same_for: red\nvariants:\n  - {title: a, play: [{undo: red}]}\n", "holds too few"),
        ("variants: []\n", "holds too few"),
        ("same_for: red\nplay: [{undo: red}]\n", "`same_for` without `variants`"),
        (HIDES.replace("it aims,", "it aims, change: {C: {harm: 1}},"), "there is no model `C` to change"),
        (HIDES.replace("it aims,", "it aims, ruleset: chess,"), "`ruleset` in a variant"),
        (
            "same_for: blue"
            + HIDES.replace("{A: {lacks: [aiming]}}}]", "{A: {lacks: [aiming]}}}, {asked: {side: blue}}]"),
            "this variant has 2 steps, the first has 1",
        ),
    ],
)
def test_a_wrong_variant_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(CaseError, match=says):
        variants(tmp_path, text)


def test_a_side_that_sees_no_difference(tmp_path: Path) -> None:
    text = (
        "same_for: blue\nvariants:\n  - {title: a, play: [{do: {A: hide}}]}\n  - {title: b, play: [{do: {A: hide}}]}\n"
    )
    assert [outcome.passed for outcome in variants(tmp_path, text)] == [True, True]


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        pytest.param("{do: {A: aim}}", "{do: {A: hide}}", "event 1", id="events"),
        pytest.param("{do: {A: aim}}", "{do: {A: pass}}", "`A` states", id="view"),
        pytest.param(
            "{refuse: {A: [aim, aim]}, rule: skirmish.turn.no-repeats}",
            "{refuse: {A: [aim, walk, shoot], target: B}, rule: skirmish.turn.actions}",
            "refusal",
            id="refusal",
        ),
    ],
)
def test_a_side_that_sees_a_difference_is_told_which(tmp_path: Path, one: str, other: str, says: str) -> None:
    text = f"same_for: red\nvariants:\n  - {{title: a, play: [{one}]}}\n  - {{title: b, play: [{other}]}}\n"
    first, second = variants(tmp_path, text)
    assert first.passed
    assert "red can tell this variant from “A meets B: a” in step 1" in told(second)
    assert says in told(second)


def test_a_table_that_looks_different_is_told_before_any_step(tmp_path: Path) -> None:
    text = "same_for: [red, blue]\nvariants:\n  - {title: a, play: [{do: {A: aim}}]}\n"
    text += "  - {title: b, change: {B: {harm: 1}}, play: [{do: {A: aim}}]}\n"
    assert "blue can tell this variant from “A meets B: a” when the table is set" in told(variants(tmp_path, text)[1])


def test_an_unknown_side_is_told(tmp_path: Path) -> None:
    text = HIDES.replace("\nvariants", "same_for: bleu\nvariants", 1)
    assert "there is no side `bleu`; did you mean `blue`?" in variants(tmp_path, text)[1].wrong
