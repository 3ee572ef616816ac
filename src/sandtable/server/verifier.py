"""A process that plays a journal somebody sent again, line by line.

`python -m sandtable.server.verifier MODULE:FUNCTION`, the function giving the library of rulesets. The journal comes in
on standard input, what it comes to goes out as JSON. Whatever it does to the process, the server
goes on.
"""

import sys

import msgspec

from sandtable.engine.journal import Journal, JournalDiverged, JournalError, Line, Snapshot
from sandtable.engine.replay import replayed
from sandtable.forces.files import FileError
from sandtable.server.entries import snapshot_of
from sandtable.server.kept import SnapshotKept
from sandtable.server.library import Library, library
from sandtable.server.views import asked


class Verified(msgspec.Struct, frozen=True):
    """What a journal comes to, or what is wrong with it."""

    wrong: str = ""
    ended: bool = False
    winner: str = ""
    waiting: tuple[str, ...] = ()
    snapshot: SnapshotKept | None = None


def verified(data: bytes, shelf: Library) -> Verified:
    """Play a journal again from its header; its snapshots are not believed."""
    try:
        journal = Journal.decode(data)
        name = journal.header.ruleset
        if name not in shelf.names():
            return Verified("journal:1: it is of a ruleset that is not here.")
        lines: list[Line] = [line for line in journal.lines if not isinstance(line, Snapshot)]
        battle = replayed(Journal(journal.header, lines), shelf.ruleset(name))
    except (JournalError, JournalDiverged, FileError) as problem:
        return Verified(str(problem)[:1000])
    ending = battle.table.ending
    winner = ending.winner if ending is not None else ""
    said = len(journal.said())
    return Verified("", battle.ended, winner, asked(battle), snapshot_of(battle, said + 1))


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(verified(sys.stdin.buffer.read(), library(sys.argv[1]))))
