"""`sandtable roster`, and battles that are played with rosters."""

import json
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.forces.writing import dump
from sandtable.rulesets import ruleset


def _ready(folder: Path, number: int = 0) -> Path:
    offer = ruleset("dropzone").roster_offer()
    assert offer is not None
    path = folder / f"army-{number}.yaml"
    path.write_text(dump(offer.ready[number]))
    return path


def test_a_roster_is_told_with_its_arithmetic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roster", str(_ready(tmp_path))]) == 0
    said = capsys.readouterr().out
    assert "115 of at most 375 = 1 × 75 + 2 × 20  (dropzone.forces.game-sizes)" in said
    assert "It may be played." in said
    assert main(["roster", "--json", str(_ready(tmp_path))]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["points"], told["limit"], told["lawful"], told["findings"]) == (725, 750, True, [])
    assert sum(one["total"] for one in told["charges"]) == 725


def test_a_fault_is_told_with_its_line_and_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _ready(tmp_path)
    path.write_text(path.read_text().replace("limit: 750", "limit: 700"))
    assert main(["roster", str(path)]) == 1
    said = capsys.readouterr().out
    assert "army-0.yaml:3: error: Points of the army: 725 of at most 700. (dropzone.forces.agreed-total)" in said
    assert "It may not be played." in said


def test_a_battle_is_played_with_rosters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rosters = [f"--roster=red={_ready(tmp_path, 1)}", f"--roster=blue={_ready(tmp_path)}"]
    bots = ["--red", "random", "--blue", "random", "--seed", "1", "--json"]
    journal = tmp_path / "battle.jsonl"
    assert main(["battle", "dropzone", "--scenario", "checkpoint", *rosters, *bots, "--save", str(journal)]) == 0
    assert '"card":"reavers"' in journal.read_text()
    assert json.loads(capsys.readouterr().out)["turns"] == 4


def test_wrong_rosters_are_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _ready(tmp_path)
    for words in ("red", "red=", f"green={path}"):
        assert main(["battle", "dropzone", "--scenario", "checkpoint", "--roster", words]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    path.write_text("name: Nobody\n")
    assert main(["roster", str(path)]) == 2
