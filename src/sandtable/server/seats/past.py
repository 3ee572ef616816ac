"""Battles looked back on: logs and tables of any moment, journals, forks.

A seat looks back through its own log and no other. The whole truth (the journal, its seed, every side's secrets) is
had only once nothing can be spoilt by it: when the battle is over, or where one person plays all of it.
"""

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.records import journal as j
from sandtable.engine.records.logs import Logs, SideLog
from sandtable.engine.records.replay import resumed
from sandtable.engine.ruleset import Ruleset
from sandtable.server.api.bodies import LogShown, MomentShown
from sandtable.server.database.entries import first_line, read_journal
from sandtable.server.database.kept import BattleKept, LinkKept, new_seed
from sandtable.server.seats.moments import Moments, counts
from sandtable.server.seats.telling import Telling
from sandtable.server.seats.views import table_shown
from sandtable.server.unlawful import Unlawful

if TYPE_CHECKING:
    from sandtable.server.hall import Hall
from sandtable.telling.vocabulary import Vocabulary

#: The view of whoever may see everything.
EVERYTHING = "everything"


async def journal_of(hall: "Hall", kept: BattleKept) -> j.Journal:
    """The stored journal of a battle."""
    entries = await hall.storage.lines(kept.id)
    return await hall.aside(lambda: read_journal(kept.header, entries, None, kept.id))


def may_see_all(kept: BattleKept) -> bool:
    """Whether the journal of a battle is open."""
    return kept.ended or kept.open_journal


def view_for(link: LinkKept, kept: BattleKept, wanted: Side) -> Side:
    """Whose eyes a link may look back through: its own sides', a spectator's, or everybody's once it is over."""
    if wanted in ("", *link.sides):
        return wanted
    if wanted == EVERYTHING or wanted in [seat.side for seat in kept.seats]:
        if may_see_all(kept):
            return wanted
        raise Unlawful("seat", "That can be seen when the battle is over.", 403)
    raise Unlawful("seat", "There is no such side in this battle.", 404)


def log_of(journal: j.Journal, view: Side) -> SideLog:
    """The events of a journal as one side saw them."""
    logs = Logs([view])
    for event in journal.events():
        if view == EVERYTHING:
            logs[view].add(event)
        else:
            logs.tell(event)
    return logs[view]


def log_shown(journal: j.Journal, view: Side, vocabulary: Vocabulary, first: int, count: int) -> LogShown:
    """A stretch of a log in words."""
    log, setup = log_of(journal, view), journal.header.setup
    telling = Telling(setup.sides, setup.options, vocabulary)
    lines = telling.catch_up(log, Moments(journal.lines))
    return LogShown(len(log.events), first, tuple(lines[first : first + count]))


def moment_shown(journal: j.Journal, view: Side, vocabulary: Vocabulary, n: int) -> MomentShown:
    """The table after the first so many events of a log."""
    log, setup = log_of(journal, view), journal.header.setup
    if n > len(log.events):
        raise Unlawful("moment", f"This log has {len(log.events)} events.", 404)
    telling = Telling(setup.sides, setup.options, vocabulary)
    lines = telling.catch_up(log, Moments(journal.lines), n)
    table = telling.table
    return MomentShown(n, len(log.events), table.ground, table_shown(table), lines[-1] if lines else None)


def said_by_entry(entries: list[tuple[int, str]]) -> dict[int, int]:
    """How much had been said with each stored entry, by its number."""
    said, found = 0, {}
    for n, text in entries:
        said += bool(text) and counts(first_line(text))
        found[n] = said
    return found


def forked(journal: j.Journal, ruleset: Ruleset, at: int) -> tuple[Battle, list[j.Line]]:
    """The battle of a journal as it stood after so much had been said (`moments` counts), with fresh dice; its lines.

    It goes on from the last boundary before that moment, for inside an action dice may have fallen already. The lines
    hold the state there as a snapshot: with another seed the past cannot be played again, only gone on from.
    """
    said = Moments(journal.lines).said
    if at > said:
        raise Unlawful("moment", f"Only {said} things were said in this battle.", 404)
    try:
        before = resumed(_cut(journal, at), ruleset)
    except j.JournalDiverged:
        raise Unlawful(
            "moment", "The battle cannot be played again to that moment; fork from a later one.", 409
        ) from None
    if before.ended:
        raise Unlawful("over", "The battle was over there; fork from an earlier moment.", 409)
    boundary = before.last_boundary()
    past = before.journal.lines[: boundary.lines]
    snapshot = j.Snapshot(boundary.events, j.frozen_state(boundary.state))
    header = replace(journal.header, seed=new_seed())
    state = j.thawed_state(msgspec.json.decode(msgspec.json.encode(snapshot.state)), ruleset)
    battle = Battle.at_boundary(ruleset, header, past, state, boundary.events)
    return battle, [*past, snapshot, *battle.journal.lines[len(past) :]]


def _cut(journal: j.Journal, at: int) -> j.Journal:
    """A journal up to and with the first so many things that were said, and what came of them."""
    count = 0
    lines: list[j.Line] = []
    for line in journal.lines:
        if counts(line):
            count += 1
            if count > at:
                break
        lines.append(line)
    return j.Journal(journal.header, lines, journal.name)
