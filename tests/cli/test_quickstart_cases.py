"""`sandtable case` on a real ruleset: what passes, what differs and what is wrong, as a user sees it."""

import json
from pathlib import Path

import pytest

from sandtable.forces.ledger import ledger
from tests.cli.conftest import Complaint
from tests.cli.test_command import sandtable

LEDGER = ledger("quickstart")

CASE = """\
ruleset: quickstart
title: A prone CAV at long range is easier to hit
proves: [quickstart.shooting.range-band-target-points, quickstart.states.knockdown]
board: {width: 48, height: 48, terrain: [{kind: light-woods, circle: [20, 40, 3]}]}
red:  [{model: dictator-b, as: A, at: [6, 24], facing: 0}]
blue: [{model: dictator-b, as: B, at: [34, 24], facing: 180, states: [knockdown]}]
turn: A
play:
  - refuse: {A: [shoot, shoot], target: B, weapons: [medium-mac]}
    rule: quickstart.turn.non-repeatable-actions
  - do: {A: shoot, target: B, weapons: [medium-mac]}
    dice: [2, 3]
    expect:
      - {check: combat, needs: 8, parts: {knockdown: 2, wizzo: 1}, total: 8, margin: 0}
"""


def written(folder: Path, old: str = "", new: str = "") -> Path:
    assert old in CASE
    file = folder / "case.yaml"
    file.write_text(CASE.replace(old, new) if old else CASE, encoding="utf-8")
    return folder


def test_the_case_of_the_design_passes(tmp_path: Path) -> None:
    answer = sandtable("case", "case.yaml", where=written(tmp_path))
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "1 case passed\n", "")


def test_the_page_on_cases_shows_the_case_that_passes() -> None:
    page = Path(__file__).parents[2] / "docs" / "write-a-case.md"
    assert f"```yaml\n{CASE}```" in page.read_text(encoding="utf-8")


def test_mutation_without_cases_is_told(tmp_path: Path) -> None:
    answer = sandtable("case", "--mutate", "quickstart", where=tmp_path)
    assert answer.returncode == 2
    assert "there are no cases of quickstart in cases/quickstart; give their folder by --cases" in answer.stderr


def test_what_differs_is_shown_side_by_side_with_the_rule(tmp_path: Path) -> None:
    where = written(tmp_path, "total: 8", "total: 9")
    bare = sandtable("case", ".", where=where)
    assert "quickstart.states.knockdown: Knockdown" not in bare.stdout
    answer = sandtable("case", "--rules", ".", where=where)
    assert answer.returncode == bare.returncode == 1
    assert answer.stderr == ""
    lines = answer.stdout.splitlines()
    assert lines[0] == "FAILED case.yaml:14: A prone CAV at long range is easier to hit"
    (total,) = [line.split() for line in lines if line.split()[:2] == ["≠", "total"]]
    assert total == ["≠", "total", "9", "8"]
    assert "  quickstart.states.knockdown: Knockdown" in lines
    assert "  Run it again: sandtable case case.yaml" in lines
    assert lines[-1] == "0 cases passed, 1 failed"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        pytest.param("dictator-b, as: B", "diktator-b, as: B", "case.yaml:6: there is no model", id="model"),
        pytest.param("red:", "rde:", "case.yaml:5: `rde` is no side and no other key; did you mean `red`?", id="side"),
        pytest.param("states: [knockdown]", "counts: {legs: 1}", "6: nothing called `legs` is counted", id="count"),
        pytest.param("width: 48", "width: 100000", "case.yaml:4: `width` is 100000, too large for a table", id="large"),
        pytest.param("width: 48", "width: -1", "case.yaml:4: ", id="negative board"),
        pytest.param("light-woods", "lite-woods", "case.yaml:4: there is no terrain `lite-woods`", id="terrain"),
        pytest.param("[knockdown]", "[knokdown]", "case.yaml:6: there is no state `knokdown`; did", id="state"),
        pytest.param("do: {A: shoot", "do: {A: shot", "case.yaml:11: `shot` is no action; did you mean", id="action"),
        pytest.param("do: {A: shoot, target", "do: {A: shoot, tarket", "did you mean `target`?", id="answer"),
        pytest.param("turn: A", "turn: X", "case.yaml:7: `X` in `turn` is none of the models", id="turn"),
        pytest.param("facing: 180", "facing: 400", "case.yaml:6: `facing` is 400; at most 359 would do", id="facing"),
        pytest.param("at: [34, 24]", "at: [6.5, 24]", "case.yaml:6: the bases of `A` and `B` overlap", id="overlap"),
        pytest.param("at: [34, 24]", "at: [340, 24]", "`B` stands off the board; move it", id="off the board"),
        pytest.param("circle:", "circl:", "case.yaml:4: unknown key `circl`; did you mean `circle`?", id="shape"),
        pytest.param("non-repeatable", "nonrepeatable", "case.yaml:10: there is no rule", id="rule of a refusal"),
        pytest.param("check: combat", "chek: combat", "case.yaml:14: it is not said which event", id="event"),
    ],
)
def test_a_wrong_word_is_told_with_its_line_and_the_right_one(
    tmp_path: Path, old: str, new: str, says: str, complaint: Complaint
) -> None:
    assert says in complaint("case", "case.yaml", where=written(tmp_path, old, new))


def test_words_lists_the_vocabulary() -> None:
    answer = sandtable("case", "--words", "quickstart")
    assert answer.returncode == 0
    for words in (
        "\nanswers: keys of do, refuse and preview\n",
        "\nactions\n",
        "\nevents: expect and expect_not\n",
        "  knockdown",
        "  dictator-b",
        "  state-changed",
    ):
        assert words in answer.stdout


def test_mutation_fails_for_numbers_no_case_notices(tmp_path: Path) -> None:
    proves = "[quickstart.shooting.range-band-target-points, quickstart.states.knockdown]"
    folder = written(tmp_path, proves, "[quickstart.attributes.wizzo, quickstart.turn.non-repeatable-actions]")
    answer = sandtable("case", "--mutate", "quickstart", "--cases", ".", where=folder)
    assert answer.returncode == 1
    first, *rest = answer.stdout.splitlines()
    assert first.startswith(f"quickstart: {len(list(LEDGER.numbers()))} numbers, 1 noticed by a case, ")
    assert "  alive  quickstart.states.knockdown: attacker_sm is 2  (no case proves its rule)" in rest
    assert not any("quickstart.attributes.wizzo" in line for line in rest)


def test_coverage_prints_one_object(tmp_path: Path) -> None:
    answer = sandtable(
        "rules", "--coverage", "quickstart", "--json", "--battles", "1", "--cases", ".", where=written(tmp_path)
    )
    assert answer.returncode == 0, answer.stderr
    (report,) = json.loads(answer.stdout).values()
    assert report["rules"] == len(LEDGER.rules)
    assert report["proved"] == 2
    assert len(report["battles"]) == 1
    for fact in ("cited", "proved", "fired"):
        excused = len(report["unfired"]) if fact == "fired" else 0
        assert report[fact] + len(report["missing"][fact]) + excused >= len(LEDGER.rules)
        assert report[fact] + len(report["missing"][fact]) <= len(LEDGER.rules)
