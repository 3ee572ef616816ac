"""Matches: a long one can be left off and gone on with, and comes to the same."""

from pathlib import Path

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, NO_SIDE, RED, Side
from sandtable.lab.matches import Pair, kept_in, match, play_on_in, scored
from sandtable.lab.rulebooks import rulebook

PAIRS = [Pair("quickstart", "charging", "random", 1, seed) for seed in (40, 41)]


def test_a_match_that_was_left_off_goes_on_where_it_was_and_scores_the_same(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    told: list[Pair] = []
    play_on_in(file, PAIRS[:1], told.append)
    file.write_bytes(file.read_bytes() + b'{"pair": ["quickst')  # it was stopped in the middle of a line
    play_on_in(file, PAIRS, told.append)
    assert told == PAIRS
    kept = kept_in(file)
    assert list(kept) == PAIRS
    whole = match("quickstart", "charging", "random", size=1, battles=4, seed=40, jobs=1)
    assert scored(list(kept.values())) == whole


def test_a_file_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    assert kept_in(tmp_path / "none.jsonl") == {}


@pytest.mark.parametrize(
    ("name", "scenario", "kind"), [("stargrunt", "duel", "unit"), ("dropzone", "attrition", "model")]
)
def test_equal_forces_are_one_sides_on_both(name: str, scenario: str, kind: str) -> None:
    rules = rulebook(name).ruleset()

    def cards(side: Side, given: Side) -> list[str]:
        table = Battle(rules, rules.setup(scenario, 2, given), seed=1).table
        return [one.card for one in table.of_kind(kind) if one.side == side]

    assert cards(RED, NO_SIDE) != cards(BLUE, NO_SIDE)
    for given in (RED, BLUE):
        assert cards(RED, given) == cards(BLUE, given) == cards(given, NO_SIDE)


def test_an_older_file_has_each_its_own(tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    file.write_text(
        '{"pair":["quickstart","tactical","random",1,7,""],"results":[[1.0,5],[0.5,9]]}\n', encoding="utf-8"
    )
    assert list(kept_in(file)) == [Pair("quickstart", "tactical", "random", 1, 7)]
