"""Matches: a long one can be left off and gone on with, and comes to the same."""

from pathlib import Path

from sandtable.lab.matches import Pair, kept_in, match, play_on_in, scored

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
