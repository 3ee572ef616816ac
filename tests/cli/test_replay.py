"""`sandtable replay`: journals are watched by their events alone, looked into, and verified by the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandtable.bots import make_bot
from sandtable.cli import main
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import folded, replayed
from sandtable.field.drawing import text_map
from sandtable.lab.battles import play_battle
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of
from tests.engine.duel import Duel

VERSION = rulebook("quickstart").ruleset().version


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command in this process: exit code, output, complaints."""

    def command(*args: str) -> tuple[int, str, str]:
        code = main(("replay", *args))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return command


@pytest.fixture(scope="module")
def played() -> Journal:
    """A battle of a ruleset that is there."""
    package = rulebook("quickstart").ruleset()
    ruleset, setup = package, package.setup("duel")
    players = {side: make_bot("random", ruleset, 7, side) for side in setup.sides}
    return play_battle(ruleset, setup, players, seed=7).saved()


@pytest.fixture
def file(tmp_path: Path, played: Journal) -> Path:
    path = tmp_path / "duel.journal"
    played.save(path)
    return path


def rewritten(file: Path, old: bytes, new: bytes, *, last: bool = False) -> int:
    """Change one place of a journal; gives the number of its line."""
    data = file.read_bytes()
    at = data.rindex(old) if last else data.index(old)
    file.write_bytes(data[:at] + new + data[at + len(old) :])
    return data[:at].count(b"\n") + 1


# Watching ----------------------------------------------------------------------------------------------------------


def test_a_journal_is_watched(run: Any, file: Path, played: Journal) -> None:
    code, out, _ = run(str(file))
    assert code == 0
    assert out.splitlines()[0] == f"quickstart, version {played.header.version}, seed 7: red against blue."
    assert "══ Turn 1 ═" in out
    assert f"{len(played.events())} events." in out.splitlines()[-1]


def test_a_journal_of_a_ruleset_that_is_gone_can_be_watched_but_not_verified(run: Any, file: Path) -> None:
    data = file.read_bytes().replace(b'"ruleset":"quickstart"', b'"ruleset":"long-gone"')
    file.write_bytes(data)
    code, out, _ = run(str(file), "--no-maps")
    assert code == 0
    assert "══ Turn 1 ═" in out
    assert "combat — 2d6 [" in out
    code, out, _ = run(str(file), "--verify")
    assert code == 1
    assert "watched, not verified: there is no ruleset long-gone here" in out


def test_answers_taken_back_are_told_and_the_table_goes_back(run: Any, tmp_path: Path) -> None:
    rules = Duel()
    battle = Battle(rules, seed=5)
    players = {side: make_bot("random", rules, 5, side) for side in (RED, BLUE)}
    undone = 0
    while not battle.ended:
        question = next(q for q in battle.questions if battle.question_for(q.side) is not None)
        assert battle.answer(players[question.side].answer(battle.view(question.side), question), question.side) is None
        undone += undone < 3 and battle.undo(question.side) is None
    assert undone == 3
    path = tmp_path / "undone.journal"
    battle.saved().save(path)
    code, out, _ = run(str(path))
    assert code == 0
    assert out.count("takes its last answer back") == 3
    assert "wins: last one standing." in out


def test_an_unfinished_battle_says_how_it_goes_on(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "begun.journal"
    Battle(Duel(), seed=5).saved().save(path)
    _, out, _ = run(str(path))
    assert out.splitlines()[-1] == f"sandtable battle duel --resume {path} --save {path}"


# Looking -----------------------------------------------------------------------------------------------------------


def test_the_table_after_an_event_is_shown(run: Any, file: Path, played: Journal) -> None:
    events, setup = played.events(), played.header.setup
    tables = list(folded(events, setup.sides, setup.options))
    said = vocabulary_of(played.header.ruleset).said
    for at in (1, len(events) // 2, len(events)):
        code, out, _ = run(str(file), "--at", str(at))
        assert code == 0
        assert f"Event {at} of {len(events)}: " in out
        assert text_map(tables[at - 1], say=said) in out


@pytest.mark.parametrize("at", ["0", "-1", "1000000"])
def test_an_event_that_is_not_there(run: Any, file: Path, at: str) -> None:
    code, _, err = run(str(file), "--at", at)
    assert code == 2
    assert "--at takes 1 to " in err


# Verifying -----------------------------------------------------------------------------------------------------------


def test_a_journal_as_it_was_played_is_the_same(run: Any, file: Path) -> None:
    ruleset = rulebook("quickstart").ruleset()
    assert run(str(file), "--verify") == (0, f"same: {replayed(Journal.load(file), ruleset).digest()}\n", "")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"faces":[', b'"faces":[7,', "expected"),
        (b'"line":"digest"', b'"line":"digest","x":0', "expected"),
        (b'"answer":"', b'"answer":"x', "accepted"),
        (b'"seed":7', b'"seed":8', "expected"),
        (f'"version":"{VERSION}"'.encode(), b'"version":"0"', "version 0"),
    ],
)
def test_an_edited_journal_is_told_where_it_diverges(run: Any, file: Path, old: bytes, new: bytes, says: str) -> None:
    rewritten(file, old, new)
    code, out, _ = run(str(file), "--verify")
    assert says in out
    assert code == 1
    assert ("watched, not verified" if says == "version 0" else "diverged at journal line") in out


def test_the_line_of_an_edit_is_the_line_that_is_told(run: Any, file: Path) -> None:
    line = rewritten(file, b'"natural":', b'"natural":1', last=True)
    _, out, _ = run(str(file), "--verify")
    assert f"diverged at journal line {line}:" in out


def test_an_edited_snapshot_is_noticed(run: Any, file: Path) -> None:
    at = file.read_bytes().index(b'"line":"snapshot"')
    data = file.read_bytes()
    file.write_bytes(data[:at] + data[at:].replace(b'"harm":', b'"harm":1', 1))
    code, out, err = run(str(file), "--verify")
    assert (code, err) == (1, "")
    assert "diverged" in out


# Bad files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["--verify", "--at=1", "--no-maps"])
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"hello\n", ":1: not a line of a journal"),
        (b"\xff\xfe\x00", ":1: "),
        (b"{}\n", ":1: "),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_journal(run: Any, tmp_path: Path, how: str, data: bytes | None, says: str) -> None:
    path = tmp_path / "x.journal"
    if data is not None:
        path.write_bytes(data)
    code, out, err = run(str(path), how)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert says in line


def test_a_truncated_journal_says_which_line_to_remove(run: Any, file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) * 2 // 3])
    code, _, err = run(str(file))
    assert code == 2
    assert "the last line is cut off" in err


def test_an_event_that_cannot_happen_is_told(run: Any, file: Path) -> None:
    lines = file.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"event":"Moved"' in line)
    line = json.loads(lines[at])
    line["event"]["model"] = "nobody"
    lines[at] = json.dumps(line)
    file.write_text("\n".join(lines) + "\n")
    code, _, err = run(str(file), "--no-maps")
    assert code == 2
    assert f"event {line['event']['n']} (Moved) cannot happen here" in err
