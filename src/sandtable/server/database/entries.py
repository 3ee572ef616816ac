"""A battle as it is stored: entries, each of the lines of the journal from one thing said to the next; and back.

Entry 0 is the opening. A snapshot lets a battle be picked up without playing it from its first line.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.records import journal as j
from sandtable.engine.records.replay import resumed
from sandtable.engine.ruleset import Ruleset
from sandtable.server.database.kept import BattleKept, SnapshotKept

if TYPE_CHECKING:
    from sandtable.server.database.storage import Storage

T = TypeVar("T")

_line = msgspec.json.Decoder(j.Line)
_header = msgspec.json.Decoder(j.Header)


class InThread(Protocol):
    """Runs work of the rules in a thread, so that the loop goes on."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


def entries_of(lines: Sequence[j.Line]) -> list[str]:
    """The lines of a journal as entries: the opening, then one for each thing that was said. Snapshots stay.

    >>> entries_of([j.Undone("red"), j.Conceded("red")])
    ['', '{"line":"undo","side":"red"}', '{"line":"concede","side":"red"}']
    """
    groups: list[list[j.Line]] = [[]]
    for line in lines:
        if not isinstance(line, j.Happened | j.Digested | j.Snapshot):
            groups.append([])
        groups[-1].append(line)
    return [lines_of(group) for group in groups]


def read_journal(header: str, entries: list[tuple[int, str]], snapshot: SnapshotKept | None, name: str) -> j.Journal:
    """The journal of a stored battle, its snapshot in its place; a fork has one in its lines as well."""
    lines: list[j.Line] = [_line.decode(row) for _, text in entries for row in text.split("\n") if row]
    if snapshot is not None:
        lines = [line for line in lines if not isinstance(line, j.Snapshot)]
        lines.insert(snapshot.place, j.Snapshot(snapshot.events, msgspec.json.decode(snapshot.state)))
    return j.Journal(_header.decode(header), lines, name)


def first_line(text: str) -> j.Line:
    """What was said in an entry."""
    line: j.Line = _line.decode(text.split("\n", 1)[0])
    return line


def lines_of(lines: list[j.Line]) -> str:
    """Lines of a journal as an entry keeps them."""
    return b"\n".join(msgspec.json.encode(line) for line in lines).decode()


def snapshot_of(battle: Battle, n: int) -> SnapshotKept:
    """A snapshot of a battle, to be stored."""
    saved = battle.saved().lines
    place = next(at for at in range(len(saved) - 1, -1, -1) if isinstance(saved[at], j.Snapshot))
    snapshot = saved[place]
    assert isinstance(snapshot, j.Snapshot)
    return SnapshotKept(n, place, snapshot.events, msgspec.json.encode(snapshot.state).decode())


class Loaded(NamedTuple):
    """A battle from storage as it stood: how many entries it has, and what its bots keep in mind."""

    kept: BattleKept
    battle: Battle
    n: int
    minds: dict[str, Any]


async def load(storage: "Storage", battle: str, ruleset: Ruleset, in_thread: InThread) -> Loaded | None:
    """A battle from storage, or none where there is no such battle. `JournalDiverged` where the rules are others."""
    kept = await storage.battle(battle)
    if kept is None:
        return None
    # The snapshot is read first: it is never ahead of the entries.
    snapshot = await storage.snapshot(battle)
    entries = await storage.lines(battle)
    journal = await in_thread(lambda: read_journal(kept.header, entries, snapshot, battle))
    minds = await storage.minds(battle) if any(seat.kind == "bot" for seat in kept.seats) else {}
    return Loaded(kept, await in_thread(lambda: resumed(journal, ruleset)), len(entries), minds)


def follow(battle: Battle, text: str) -> j.Entry:
    """Say to a battle what an entry says, and see that the same comes of it; gives what was said."""
    expected: list[j.Line] = [_line.decode(row) for row in text.split("\n")]
    before = len(battle.journal.lines)
    said = expected[0]
    match said:
        case j.Answered():
            refusal = battle.answer(said.answer, said.side)
        case j.Undone():
            refusal = battle.undo(said.side)
        case j.UndoAsked():
            refusal = battle.ask_undo(said.side, asks=said.asks)
        case j.UndoAnswered():
            refusal = battle.answer_undo(said.side, agrees=said.agrees)
        case j.Ordered():
            refusal = battle.order(said.order, withdraw=said.withdrawn)
        case j.Conceded():
            refusal = battle.concede(said.side, why=said.why)
        case j.DrawOffered():
            refusal = battle.offer_draw(said.side, offers=said.offers)
        case _:
            raise j.JournalDiverged(before, "something said", type(said).__name__)
    if refusal is not None or battle.journal.lines[before:] != expected:
        raise j.JournalDiverged(before, text[:200], "another battle" if refusal is None else refusal.sentence)
    return said
