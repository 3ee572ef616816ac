"""Journals of older formats are kept for ever: they are watched, and who verifies one is told why that cannot be."""

from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.engine.events import BattleEnded
from sandtable.engine.journal import FORMAT, OLDEST, Journal, JournalError
from sandtable.engine.replay import folded, replayed, resumed
from sandtable.lab.replay_page.document import replay_page
from sandtable.lab.rulebooks import rulebook, rulebooks

FILES = sorted((Path(__file__).parent / "old_journals").glob("*.jsonl"))


def test_one_of_every_older_format_is_kept_of_each_ruleset() -> None:
    kept = {(journal.header.ruleset, journal.header.format) for journal in map(Journal.load, FILES)}
    older = range(OLDEST, FORMAT)
    assert {(book.name, number) for book in rulebooks() for number in older} <= kept


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_it_is_watched_from_beginning_to_end(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal.load(file)
    setup, events = journal.header.setup, journal.events()
    *_, table = folded(events, setup.sides, setup.options)
    assert isinstance(events[-1], BattleEnded)
    assert table.ending is not None
    assert table.models(), "somebody stands on the table at the end"
    assert main(("replay", str(file))) == 0
    told = capsys.readouterr()
    assert (f"{len(events)} events." in told.out, told.err) == (True, "")
    assert main(("replay", str(file), "--at", "20")) == 0
    assert "Event 20 of" in capsys.readouterr().out
    assert replay_page(journal).startswith("<!doctype html>")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_verifying_it_says_in_a_sentence_why_it_cannot_be(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("replay", str(file), "--verify")) != 0
    told = capsys.readouterr()
    found = Journal.load(file).header.format
    said = (
        f"{file}:1: format {found} names questions in another way than format {FORMAT}, so it cannot be verified or "
        "gone on with here, only watched. Use the version that wrote it."
    )
    assert told.out == ""
    assert told.err.strip().endswith(said)
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_it_is_not_gone_on_with(file: Path) -> None:
    journal = Journal.load(file)
    ruleset = rulebook(journal.header.ruleset).ruleset()
    for play in (replayed, resumed):
        with pytest.raises(JournalError, match="only watched"):
            play(journal, ruleset)
