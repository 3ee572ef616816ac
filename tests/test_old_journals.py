"""Journals of every version that ever landed are watched, for ever; those that cannot be verified say why."""

import gzip
import re
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.engine.records.journal import FORMAT, Journal, JournalError
from sandtable.engine.records.replay import folded, replayed, resumed
from sandtable.lab.rulebooks import rulebook
from tests.golden import GOLDENS, file_of
from tests.old_journals import HERE

FILES = sorted(HERE.glob("*.jsonl.gz"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_an_old_journal_is_watched(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.journal"
    path.write_bytes(gzip.decompress(file.read_bytes()))
    journal = Journal.load(path)
    events = journal.events()
    assert events
    *_, last = folded(events, journal.header.setup.sides, journal.header.setup.options)
    assert last.things
    assert main(["replay", str(path), "--all", "--rules"]) == 0
    assert main(["replay", str(path), "--at", str(len(events))]) == 0
    assert main(["replay", str(path), "--html", str(tmp_path / "page.html")]) == 0
    assert capsys.readouterr().err == ""
    code = main(["replay", str(path), "--verify"])
    told = capsys.readouterr().out
    if code:
        assert "watched, not verified: " in told or "diverged" in told
        assert told.count("\n") <= 2


def test_every_version_is_there() -> None:
    """Whoever lets a version rise keeps journals of the one before; `python -m tests.golden` does."""
    known: dict[str, set[int]] = {}
    for file in FILES:
        found = re.fullmatch(r"([a-z]+)-(\d+)-format-\d+-.*", file.name)
        assert found is not None
        known.setdefault(found[1], set()).add(int(found[2]))
    for golden in GOLDENS:
        version = int(Journal.load(file_of(golden)).header.version)
        kept = known.get(golden.ruleset, set())
        assert set(range(min(kept, default=1), version)) <= kept, golden.ruleset


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_one_of_another_format_is_not_gone_on_with_and_says_why(file: Path) -> None:
    journal = Journal.decode(gzip.decompress(file.read_bytes()))
    if journal.header.format == FORMAT:
        return
    ruleset = rulebook(journal.header.ruleset).ruleset()
    for play in (replayed, resumed):
        with pytest.raises(JournalError, match="only watched"):
            play(journal, ruleset)
