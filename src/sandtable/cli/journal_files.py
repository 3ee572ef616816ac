"""Files that battles are saved to: what may be overwritten, and what may not."""

import os
from pathlib import Path

import msgspec

from sandtable.cli.problems import UsageError
from sandtable.engine.records.journal import MOST_LINE, Header
from sandtable.engine.records.whole_files import is_regular


def journal_target(name: str) -> Path:
    """The path a journal may be written to: a new file in a folder that is there, or a journal's.

    Asked before a battle is played, so that hours of play are not lost to a wrong name.
    """
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"{name}: that is a folder; name a file in it, such as {path / 'battle.journal'}")
    folder = path.parent
    if not folder.is_dir():
        raise UsageError(f"{name}: there is no folder {folder}; make it, or name another file")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{name}: nothing can be written to {folder}; name another file")
    if path.exists() and not is_regular(path):
        raise UsageError(f"{name}: that is no regular file and is not written to; name another one")
    if path.exists() and path.stat().st_size and not _begins_as_journal(path):
        raise UsageError(f"{name}: that file is no journal and is not overwritten; name another one")
    return path


def _begins_as_journal(path: Path) -> bool:
    """Whether a file begins with the header of a journal; one that was cut off later is a journal still."""
    try:
        with path.open("rb") as file:
            first = file.readline(MOST_LINE)
        msgspec.json.decode(first, type=Header)
    except (OSError, msgspec.DecodeError):
        return False
    return True
