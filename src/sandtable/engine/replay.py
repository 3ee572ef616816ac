"""Battles from their journals: go on where one stopped, or play it all again and see that it is the same."""

from collections.abc import Iterator

import msgspec

from sandtable.engine import journal as j
from sandtable.engine.battle import Battle
from sandtable.engine.events import AnyEvent, TakenBack, apply
from sandtable.engine.questions import fingerprint
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.table import Ground, Table


def resumed(journal: j.Journal, ruleset: Ruleset) -> Battle:
    """The battle of a journal as it stood: from its last snapshot where it has one, else from the beginning."""
    _same_rules(journal.header, ruleset)
    at = next((n for n in range(len(journal.lines) - 1, -1, -1) if isinstance(journal.lines[n], j.Snapshot)), None)
    if at is None:
        return replayed(journal, ruleset)
    snapshot = journal.lines[at]
    assert isinstance(snapshot, j.Snapshot)
    past = [line for line in journal.lines[:at] if not isinstance(line, j.Snapshot)]
    battle = Battle.at_boundary(ruleset, journal.header, past, snapshot)
    _follow(battle, journal, len(past))
    return battle


def replayed(journal: j.Journal, ruleset: Ruleset) -> Battle:
    """Play a journal again from its header; `JournalDiverged` at the first line that comes out otherwise."""
    header = journal.header
    _same_rules(header, ruleset)
    if header.seed is None:
        raise j.JournalDiverged(1, "a seed", "none: a battle with scripted dice is not played again")
    battle = Battle(ruleset, header.setup, seed=header.seed, digest_every=header.digest_every)
    _follow(battle, journal, 0)
    return battle


def _same_rules(header: j.Header, ruleset: Ruleset) -> None:
    if (header.ruleset, header.version) != (ruleset.name, ruleset.version):
        expected = f"{header.ruleset} version {header.version}"
        raise j.JournalDiverged(1, expected, f"{ruleset.name} version {ruleset.version}")
    digests = ruleset.digests()
    for name, expected in header.digests.items():
        if digests.get(name) != expected:
            raise j.JournalDiverged(1, f"{name} {expected}", f"{name} {digests.get(name, 'none')}")


def _follow(battle: Battle, journal: j.Journal, start: int) -> None:
    """Say to a battle what the journal's lines say, and compare everything that comes of it, from a line on."""
    expected = [(n, line) for n, line in enumerate(journal.lines, 2) if not isinstance(line, j.Snapshot)]
    for at in range(start, len(expected)):
        number, line = expected[at]
        if at >= len(battle.journal.lines):
            if isinstance(line, j.Happened | j.Digested):
                raise j.JournalDiverged(number, _words(line), "nothing more happened")
            _say(battle, line, number)
        found = battle.journal.lines[at]
        if found != line:
            raise j.JournalDiverged(number, _words(line), _words(found))
    if len(battle.journal.lines) > len(expected):
        raise j.JournalDiverged(len(journal.lines) + 2, "the end", _words(battle.journal.lines[len(expected)]))


def _say(battle: Battle, line: j.Line, number: int) -> None:
    """Say one line of a journal to a battle."""
    if isinstance(line, j.Answered):
        question = battle.question_for(line.side)
        found = "none" if question is None else fingerprint(question)
        if found != line.question:
            raise j.JournalDiverged(number, f"question {line.question}", f"question {found}")
        refusal = battle.answer(line.answer, line.side)
        if refusal is not None:
            raise j.JournalDiverged(number, "an answer that is accepted", f"refused: {refusal.sentence}")
    elif isinstance(line, j.Undone):
        refusal = battle.undo(line.side)
        if refusal is not None:
            raise j.JournalDiverged(number, "an undo", f"refused: {refusal.sentence}")
    elif isinstance(line, j.Ordered):
        battle.order(line.order, withdraw=line.withdrawn)
    elif isinstance(line, j.Conceded):
        battle.concede(line.side)
    elif isinstance(line, j.DrawOffered):
        battle.offer_draw(line.side, offers=line.offers)


def _words(line: j.Line) -> str:
    text = msgspec.json.encode(line).decode()
    return text if len(text) <= 300 else text[:297] + "..."


def folded(
    events: list[AnyEvent], sides: tuple[str, ...], options: dict[str, int | str] | None = None
) -> Iterator[Table]:
    """The table after each event, by the events alone: no ruleset and no old code is needed to watch a battle.

    A `TakenBack` shows the table as it was before what was taken back.
    """
    empty = Table(Ground(0, 0), sides, options=dict(options or {}))
    kept: list[tuple[int, Table]] = [(0, empty)]
    for event in events:
        if isinstance(event, TakenBack):
            while kept[-1][0] > event.to:
                kept.pop()
            yield kept[-1][1]
            continue
        table = kept[-1][1].copy()
        apply(table, event)
        kept.append((event.n, table))
        yield table
