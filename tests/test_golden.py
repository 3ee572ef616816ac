"""Golden battles come out the same: line by line, in a fresh process, and from every boundary on.

If a change of the rules is meant, `python -m tests.golden` makes them anew, the ruleset's version goes up and the
commit says why.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.records.journal import Digested, Journal, Line, Snapshot, Undone, frozen_state
from sandtable.engine.records.replay import _say, folded, replayed, resumed
from sandtable.engine.ruleset import Ruleset
from sandtable.lab.rulebooks import rulebook
from tests.golden import GOLDENS, HERE, Golden, file_of, shows

FILES = sorted(HERE.glob("*/*.jsonl"))
RULESETS = sorted({file.parent.name for file in FILES})
_VERIFY = """
import sys
from sandtable.cli import main
sys.exit(max(main(("replay", file, "--verify")) for file in sys.argv[1:]))
"""


def rules(journal: Journal) -> Ruleset:
    return rulebook(journal.header.ruleset).ruleset()


def test_there_are_enough_and_they_show_what_they_are_for() -> None:
    assert [file_of(golden) for golden in GOLDENS if not file_of(golden).exists()] == []
    assert sorted(file_of(golden) for golden in GOLDENS) == FILES
    assert len(FILES) >= 6
    seen: dict[str, None] = {}
    for golden in GOLDENS:
        found = shows(Journal.load(file_of(golden)))
        assert set(golden.shows) <= set(found), golden.name
        seen |= dict.fromkeys(found)
    wanted = (
        "undo",
        "order",
        "concession",
        "over-watch fire",
        "indirect fire",
        "close combat",
        "defensive fire",
        "lost",
    )
    assert set(wanted) <= set(seen)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_golden_battle_is_small_enough_to_read(file: Path) -> None:
    assert file.stat().st_size < 100_000


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_line_comes_out_the_same_in_a_fresh_process(ruleset: str, tmp_path: Path) -> None:
    """Under another hash seed, so that no order of a set decides.

    A golden battle names no ledger and no cards, so that a rule may be reworded: those of today are put in.
    """
    files = []
    for file in (one for one in FILES if one.parent.name == ruleset):
        journal = Journal.load(file)
        journal.header = replace(journal.header, digests=rulebook(ruleset).ruleset().digests())
        journal.save(tmp_path / file.name)
        files.append(str(tmp_path / file.name))
    found = subprocess.run(
        [sys.executable, "-c", _VERIFY, *files],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, f"{found.stdout}{found.stderr}\nIf this is meant: python -m tests.golden"
    assert found.stdout.count("same: ") == len(files) > 1


def test_a_changed_line_is_noticed(tmp_path: Path) -> None:
    """The check can fail: one face of one die."""
    data = FILES[0].read_bytes()
    at = data.index(b'"faces":[') + len(b'"faces":[')
    other = b"1" if data[at : at + 1] != b"1" else b"2"
    file = tmp_path / "edited.jsonl"
    file.write_bytes(data[:at] + other + data[at + 1 :])
    found = subprocess.run([sys.executable, "-c", _VERIFY, str(file)], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "diverged at journal line" in found.stdout


class Boundary(NamedTuple):
    """A boundary as it was passed: how many lines and events were there, and the state as plain data."""

    lines: int
    events: int
    state: dict[str, Any]


class Recorded(Battle):
    """A battle that keeps every boundary it passes."""

    passed: list[Boundary]

    def _mark_boundary(self) -> None:
        if not hasattr(self, "passed"):
            self.passed = []
        if not self._history.replaying:
            self.state.draws = self.dice.draws
            self.passed.append(Boundary(len(self.journal.lines), self._events, frozen_state(self.state)))
        super()._mark_boundary()


def recorded(journal: Journal) -> Recorded:
    header = journal.header
    assert header.seed is not None
    battle = Recorded(rules(journal), header.setup, seed=header.seed, digest_every=header.digest_every)
    for number, line in enumerate(journal.lines, 2):
        if line in battle.journal.lines[number - 2 : number - 1]:
            continue
        _say(battle, line, number)
    assert battle.journal.lines == journal.lines
    return battle


def is_said(line: Line) -> bool:
    return line in Journal.said(Journal(None, [line]))  # type: ignore[arg-type]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: f"{golden.ruleset}-{golden.name}")
def test_each_boundary_and_its_lines_give_the_next_boundarys_digest(golden: Golden) -> None:
    journal = Journal.load(file_of(golden))
    battle = recorded(journal)
    lines, checked = journal.lines, 0
    for here, after in zip(battle.passed, battle.passed[1:], strict=False):
        said = [n for n in range(here.lines, len(lines)) if is_said(lines[n])]
        if any(isinstance(lines[n], Undone) for n in said if n <= after.lines) or (
            said and isinstance(lines[said[0]], Undone)
        ):
            continue  # what is taken back lies before the boundary: the snapshot of a save goes further back
        end = next((n for n in said if n > after.lines), len(lines))
        snapshot = Snapshot(here.events, here.state)
        again = resumed(
            Journal(journal.header, [*lines[: here.lines], snapshot, *lines[here.lines : end]]), rules(journal)
        )
        digests = [line for line in again.journal.lines[here.lines + 1 :] if isinstance(line, Digested)]
        assert digests, "the next boundary was reached"
        assert digests[0] == lines[after.lines]
        checked += 1
    assert checked > len(battle.passed) // 2 > 5


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: f"{golden.ruleset}-{golden.name}")
def test_a_save_at_any_time_goes_on_alike(golden: Golden) -> None:
    journal = Journal.load(file_of(golden))
    header = journal.header
    assert header.seed is not None
    battle = Battle(rules(journal), header.setup, seed=header.seed, digest_every=header.digest_every)
    for line in journal.said()[:30]:
        kept = resumed(Journal.decode(battle.saved().encode()), rules(journal))
        assert kept.digest() == battle.digest()
        for one in (battle, kept):
            _say(one, line, 0)
        assert kept.digest() == battle.digest()
        assert kept.questions == battle.questions


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: f"{golden.ruleset}-{golden.name}")
def test_the_events_alone_give_the_same_table(golden: Golden) -> None:
    """Watching needs no rules: the table folded from the events is the table of the battle."""
    journal = Journal.load(file_of(golden))
    setup = journal.header.setup
    *_, table = folded(journal.events(), setup.sides, setup.options)
    battle = replayed(journal, rules(journal))
    assert table.things == battle.table.things
    assert table.ending == battle.table.ending
