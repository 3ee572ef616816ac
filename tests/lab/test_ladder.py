"""Ladders: stopped and gone on with they come to the same, on one core or several; and the scale is the true one."""

from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.cli import main
from sandtable.engine.ids import BLUE, RED
from sandtable.lab.ladder import Rung, climb, elo, meetings, pairs_of, play_rung, rungs_in, scores, solved, standings
from sandtable.lab.matches import Pair

PAIRS = pairs_of("quickstart", meetings(["random", "charging"]), 6, seed=40, scenario="duel")


def _without_times(rungs: dict[Pair, Rung]) -> bytes:
    return msgspec.json.encode([(rung.pair, rung.results) for rung in rungs.values()])


def test_a_ladder_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    climb(PAIRS[:1], file, jobs=1)
    file.write_bytes(file.read_bytes() + b'{"pair": ["quickst')  # it was killed in the middle of a line
    told: list[tuple[int, int]] = []
    rungs = climb(PAIRS, file, jobs=2, told=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert list(rungs) == PAIRS
    assert rungs_in(file) == rungs
    assert _without_times(rungs) == _without_times(climb(PAIRS, jobs=1))
    assert climb(PAIRS, file) == rungs, "nothing is played that is there"


def test_battles_of_another_version_of_the_rules_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(msgspec.json.encode(Rung(PAIRS[0], "0", [(1.0, 3), (1.0, 3)])) + b"\n")
    assert rungs_in(file) == {}


def test_every_decision_is_timed_for_the_bot_that_made_it() -> None:
    rung = play_rung(PAIRS[0])
    assert list(rung.times) == ["charging", "random"]
    assert all(sum(times.values()) > 10 for times in rung.times.values())
    stand = standings(scores({PAIRS[0]: rung}), {PAIRS[0]: rung}, ["random", "charging"])
    assert [one.name for one in stand] == ["random", "charging"]
    assert all(0 < one.median <= one.slowest for one in stand)
    assert [one.battles for one in stand] == [2, 2]


def test_who_meets_whom() -> None:
    names = [str(n) for n in range(1, 9)]
    assert len(meetings(names)) == 7
    assert len(meetings(names, everybody=True)) == 28
    pairs = pairs_of("quickstart", meetings(names), 5, seed=3)
    assert len(pairs) == 21
    assert {pair.seed for pair in pairs} == {3, 4, 5}


def test_equal_forces_are_those_of_each_side_by_turns() -> None:
    pairs = pairs_of("stargrunt", meetings(["1", "2"]), 6, forces=(RED, BLUE))
    assert [pair.forces for pair in pairs] == ["red", "blue", "red"]
    assert not any(pair.forces for pair in PAIRS), "each its own, unless it is asked for"


def test_the_scale_finds_known_strengths() -> None:
    """Bots of known strength, a thousand battles a meeting: nineteen of twenty are found within their interval."""
    names = ["a", "b", "c", "d"]
    true = {"a": 0.0, "b": 150.0, "c": 250.0, "d": 500.0}
    random, inside = Random(7), 0
    for _ in range(50):
        met = []
        for one, other in pairwise(names):
            chance = 1 / (1 + 10 ** ((true[one] - true[other]) / 400))
            won = sum(random.random() < chance for _ in range(1000))
            met.append((other, one, won / 1000, 1000))
        scale = elo(met, names)
        inside += sum(abs(scale[name][0] - true[name]) <= scale[name][1] for name in names[1:])
    assert 150 * 0.88 <= inside < 150


def test_who_never_lost_stands_a_finite_way_above() -> None:
    scale = elo([("b", "a", 1.0, 10), ("c", "b", 0.5, 10)], ["a", "b", "c"])
    assert 300 < scale["b"][0] < 1000
    assert abs(scale["c"][0] - scale["b"][0]) < 1e-6
    assert scale["a"] == (0.0, 0.0)
    assert solved([[0.0, 1.0], [1.0, 0.0]], [2.0, 3.0]) == [3.0, 2.0]


def test_the_command_prints_a_table_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "ladder.jsonl")
    asked = (
        "lab",
        "ladder",
        "quickstart",
        "random",
        "charging",
        "--battles",
        "4",
        "--scenario",
        "duel",
        "--keep",
        file,
    )
    assert main(asked) == 0
    told = capsys.readouterr()
    assert "charging against random" in told.out
    assert "Elo" in told.out
    assert "2 of 2 pairs of battles" in told.err
    assert main((*asked, "--json")) == 0
    again = capsys.readouterr()
    assert again.err == "2 of 2 pairs of battles are there already\n"
    found = msgspec.json.decode(again.out)
    assert [one[:2] for one in found["meetings"]] == [["charging", "random"]]
    assert [one[0] for one in found["standings"]] == ["random", "charging"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("quickstart", "random"), "two bots at least"),
        (("quickstart", "random", "random"), "none of them twice"),
        (("quickstart", "random", "tactcal"), "did you mean `tactical`?"),
        (("quickstrat", "random", "tactical"), "did you mean `quickstart`?"),
        (("quickstart", "random", "tactical", "--battles", "1"), "ask for two at least"),
        (("quickstart", "random", "tactical", "--jobs", "-1"), "one a core"),
        (("quickstart", "random", "tactical", "--keep", "/nonesuch/file"), "cannot be written"),
        (("quickstart", "random", "tactical", "--scenario", "duell"), "duell"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("lab", "ladder", *words)) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert len(told.err.splitlines()) == 1
