"""What a case of this ruleset may say, and what it is told."""

from pathlib import Path

import pytest

from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import read_cases
from sandtable.lab.rulebooks import rulebook
from tests.lab.writing import told

CASE = """
ruleset: dropzone
title: A may shoot at B
proves: [dropzone.shooting.arcs]
board: {width: 48, height: 48}
red: [{model: bulwark, as: A, at: [10, 20], facing: 0}]
blue: [{model: bulwark, as: B, at: [20, 20]}]
turn: A
play: [{refuse: {A: shooting, target: B}, rule: dropzone.shooting.arcs}]
"""


def test_a_shot_that_is_lawful_and_wanted_refused_is_told_as_accepted(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(CASE, encoding="utf-8")
    (outcome,) = play_all(read_cases(file), find=lambda name: rulebook(name))
    assert "the answer should be refused" in told(outcome)


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("in: hous", "there is no `hous` to be in; did you mean `house`?"),
        ("in: house, slot: edge 5", "`house` has no `edge 5`"),
        ("in: house, slot: centr", "did you mean `centre`?"),
        ("in: B", "`B` is in itself"),
    ],
)
def test_where_nobody_can_be_is_told(tmp_path: Path, place: str, says: str) -> None:
    file = tmp_path / "case.yaml"
    house = "{width: 48, height: 48, terrain: [{kind: small-building, id: house, rectangle: [30, 30, 5, 5]}]}"
    text = CASE.replace("{width: 48, height: 48}", house).replace("at: [20, 20]", place)
    file.write_text(text, encoding="utf-8")
    (outcome,) = play_all(read_cases(file), find=lambda name: rulebook(name))
    assert says in outcome.wrong


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ("at: [20, 20]", "off: readyness", "nobody is off the table for `readyness`; did you mean `in readiness`?"),
        ("turn: A", "turn: A\nsides: {blue: {initiative: 1}}", ""),
        ("blue: [{model: bulwark, as: B, at: [20, 20]}]", "sides: {blue: {initiative: 1}}", "add the models of a side"),
        ("play: [{refuse: {A: shooting, target: B}, rule", "play: [{ask: {half-move: picket}, is: 5}]\n#", "may be `A"),
    ],
)
def test_a_wrong_word_is_told_with_what_would_do(tmp_path: Path, was: str, now: str, says: str) -> None:
    file = tmp_path / "case.yaml"
    assert was in CASE
    file.write_text(CASE.replace(was, now), encoding="utf-8")
    (outcome,) = play_all(read_cases(file), find=lambda name: rulebook(name))
    assert says in outcome.wrong
    assert bool(says) == bool(outcome.wrong)
