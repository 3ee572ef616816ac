"""No word of a file or a journal gives a terminal orders."""

import sys
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.cli.plain_output import plain_output
from sandtable.engine.ids import BLUE, Side
from sandtable.engine.records.journal import Header, Journal
from sandtable.engine.ruleset import Setup


def test_escapes_are_printed_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    with plain_output():
        print("a\x1b[2Jb\x9b\u202e", "tab\tand\rreturn")
        print("\x07", file=sys.stderr)
    told = capsys.readouterr()
    assert told.out == "a\\x1b[2Jb\\x9b\\u202e tab\tand\rreturn\n"
    assert told.err == "\\x07\n"


def test_a_journal_with_escapes_in_its_words_is_shown_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.journal"
    Journal(Header(1, "none\x1b[31m", "\x1b]0;owned\x07", Setup((Side("red\x1b[2J"), BLUE)), seed="\x1b[2J")).save(path)
    for arguments in (["replay", str(path)], ["replay", str(path), "--verify"]):
        main(arguments)
        told = capsys.readouterr()
        assert "\x1b" not in told.out + told.err
        assert "\x07" not in told.out + told.err
