"""What the models of a case cannot be at its beginning is told with its line."""

from pathlib import Path

import pytest

from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import read_cases
from tests.lab.writing import told

CASE = """ruleset: quickstart
title: A passes
proves: [quickstart.turn.draw-deck]
board: {width: 48, height: 48}
red: [{model: dictator-b, as: A, at: [6, 24]}]
blue: [{model: dictator-b, as: B, at: [30, 24]}]
turn: A
play: [{do: {A: pass}}]
"""


@pytest.mark.parametrize(
    ("states", "says"),
    [
        ("{locked: [Z]}", "`Z` is nothing that `locked` can be"),
        ("{out of ammo: [medium-mca]}", "did you mean `medium-mac`?"),
        ("[locked]", "`locked` alone does not say which; write {locked: [B]}"),
        ("{suppressed: {until: end of trn}}", "did you mean `end of turn`?"),
        ("[supressed]", "did you mean `suppressed`?"),
    ],
)
def test_a_state_that_cannot_be_is_told(tmp_path: Path, states: str, says: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(CASE.replace("[6, 24]", f"[6, 24], states: {states}"), encoding="utf-8")
    (outcome,) = play_all(read_cases(file))
    assert says in outcome.wrong
    assert "case.yaml:5:" in outcome.wrong


def test_a_number_of_the_battle_is_a_number(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(CASE + "options: {quiet-turns: many}\n", encoding="utf-8")
    (outcome,) = play_all(read_cases(file))
    assert "a whole number from 0 would do" in outcome.wrong


def test_the_edition_knows_no_limit_of_turns(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(CASE + "options: {turn-limit: 3}\n", encoding="utf-8")
    (outcome,) = play_all(read_cases(file))
    assert "there is no option `turn-limit`" in outcome.wrong


def test_cards_of_the_head_that_are_never_shuffled_are_told(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    laid = CASE.replace(", at: [6, 24]", "").replace(", at: [30, 24]", "").replace("turn: A", "cards: [red, blue]")
    dice = "dice: [6, 5, 1, 2]\n"
    file.write_text(laid.replace("play: [{do: {A: pass}}]", dice + "play: [{asked: edge}]"), encoding="utf-8")
    (outcome,) = play_all(read_cases(file))
    assert "does not use up the cards [red, blue] of the set-up" in told(outcome)
