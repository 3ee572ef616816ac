"""Battles from their journals: go on where one stopped, or play it all again and see that it is the same."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.changes import apply
from sandtable.engine.events import AnyEvent, TakenBack
from sandtable.engine.ids import Side
from sandtable.engine.questions import fingerprint
from sandtable.engine.records import journal as j
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.state import State
from sandtable.engine.table import Ground, Table


def resumed(journal: j.Journal, ruleset: Ruleset) -> Battle:
    """The battle of a journal as it stood: from its last snapshot where it has one, else from the beginning."""
    _same_format(journal)
    _same_rules(journal.header, ruleset)
    at = next((n for n in range(len(journal.lines) - 1, -1, -1) if isinstance(journal.lines[n], j.Snapshot)), None)
    if at is None:
        return replayed(journal, ruleset)
    snapshot = journal.lines[at]
    assert isinstance(snapshot, j.Snapshot)
    past = [line for line in journal.lines[:at] if not isinstance(line, j.Snapshot)]
    state = _state_of(journal, at, snapshot, ruleset)
    with _playing(at + 2):
        battle = Battle.at_boundary(ruleset, journal.header, past, state, snapshot.events)
    _follow(battle, journal, len(past))
    return battle


def replayed(journal: j.Journal, ruleset: Ruleset) -> Battle:
    """Play a journal again from its header; `JournalDiverged` at the first line that comes out otherwise."""
    header = journal.header
    _same_format(journal)
    _same_rules(header, ruleset)
    if header.seed is None:
        raise j.JournalDiverged(1, "a seed", "none: a battle with scripted dice is not played again")
    with _playing(1):
        battle = Battle(ruleset, header.setup, seed=header.seed, digest_every=header.digest_every)
    _follow(battle, journal, 0)
    return battle


def watched_again(battle: Battle) -> Battle:
    """A battle that nobody watched, played again from what was said to it: with its journal, its logs and its views.

    All of them are byte for byte what they would be had it been watched from the start.
    """
    header = battle.journal.header
    if header.seed is None:
        raise j.JournalError("A battle with scripted dice cannot be played again: its journal has no seed.")
    again = Battle(battle.ruleset, header.setup, seed=header.seed, digest_every=header.digest_every)
    for number, line in enumerate(battle.journal.said(), 2):
        if isinstance(line, j.Answered):
            question = again.question_for(line.side)
            line = j.Answered(line.side, "" if question is None else fingerprint(question), line.answer)
        _say(again, line, number)
    if again.digest() != battle.digest():
        raise j.JournalDiverged(len(again.journal.lines) + 1, f"the state {battle.digest()}", again.digest())
    return again


def verified(data: bytes, ruleset: Ruleset, name: str = "journal") -> Battle:
    """Play a journal again from its header and hold it against what this program would have written, byte for byte.

    That is the battle's lines, with the one snapshot that saving puts among them or without. Whatever differs (a line,
    a key, a snapshot and the views in it, the header, the end of a line) is a `JournalDiverged` that names where.
    """
    journal = j.Journal.decode(data, name)
    battle = replayed(journal, ruleset)
    has_snapshot = any(isinstance(line, j.Snapshot) for line in journal.lines)
    written = (battle.saved() if has_snapshot else battle.journal).encode()
    if data != written:
        raise _differs(data, written)
    return battle


def _differs(data: bytes, written: bytes) -> j.JournalDiverged:
    """Where a journal is not what this program would have written."""
    if written.startswith(data):
        return j.JournalDiverged(data.count(b"\n") + 1, "the end, where the journal is cut off", "more")
    rows, ours = data.split(b"\n"), written.split(b"\n")
    at = _first_difference(rows, ours)
    row, mine = (lines[at].decode("utf-8", "replace") if at < len(lines) else "the end" for lines in (rows, ours))
    if row.rstrip("\r") == mine:
        return j.JournalDiverged(at + 1, "a line that ends with a carriage return", "one that does not")
    same = _first_difference(row, mine)
    return j.JournalDiverged(at + 1, _around(row, same) or "an empty line", _around(mine, same) or "the end")


def _state_of(journal: j.Journal, at: int, snapshot: j.Snapshot, ruleset: Ruleset) -> State:
    """The state of a snapshot, if it is one that the lines around it agree with."""
    where = f"{journal.name}:{at + 2}"
    try:
        state = j.thawed_state(snapshot.state, ruleset)
    except msgspec.ValidationError as error:
        raise j.JournalError(
            f"{where}: the snapshot is not a state of {ruleset.name} ({error}). Remove the line to play from the start."
        ) from None
    before = [line.event.n for line in journal.lines[:at] if isinstance(line, j.Happened)]
    if snapshot.events < 0 or (before and before[-1] != snapshot.events):
        raise j.JournalDiverged(at + 2, f"{before[-1] if before else 0} events before it", f"{snapshot.events}")
    following = journal.lines[at + 1] if at + 1 < len(journal.lines) else None
    if isinstance(following, j.Digested) and j.digest(state) != following.digest:
        raise j.JournalDiverged(at + 2, f"a snapshot with the digest {following.digest}", j.digest(state))
    return state


@contextmanager
def _playing(number: int) -> Iterator[None]:
    """Whatever the rules break on while a line is played again: the battle of the journal did not, so it is another."""
    try:
        yield
    except (j.JournalDiverged, j.JournalError):
        raise
    except Exception as error:
        raise j.JournalDiverged(number, "rules that go on from here", f"{type(error).__name__}: {error}") from error


def _same_format(journal: j.Journal) -> None:
    """A journal of an older format is watched, not played again: it names the questions in another way."""
    found = journal.header.format
    if found != j.FORMAT:
        raise j.JournalError(
            f"{journal.name}:1: format {found} names questions in another way than format {j.FORMAT}, so it cannot be "
            "verified or gone on with here, only watched. Use the version that wrote it."
        )


def _same_rules(header: j.Header, ruleset: Ruleset) -> None:
    if (header.ruleset, header.version) != (ruleset.name, ruleset.version):
        expected = f"{header.ruleset} version {header.version}"
        raise j.JournalDiverged(1, expected, f"{ruleset.name} version {ruleset.version}")
    digests = ruleset.digests() if header.digests else {}
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
            with _playing(number):
                _say(battle, line, number)
            if at >= len(battle.journal.lines):
                raise j.JournalDiverged(number, _words(line), "nothing came of it: the battle was over")
        found = battle.journal.lines[at]
        if found != line:
            raise j.JournalDiverged(number, *_differing(line, found))
    if len(battle.journal.lines) > len(expected):
        missing = _words(battle.journal.lines[len(expected)])
        raise j.JournalDiverged(len(journal.lines) + 2, "the end, where the journal is cut off", missing)


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
    elif isinstance(line, j.UndoAsked):
        battle.ask_undo(line.side, asks=line.asks)
    elif isinstance(line, j.UndoAnswered):
        battle.answer_undo(line.side, agrees=line.agrees)
    elif isinstance(line, j.Ordered):
        battle.order(line.order, withdraw=line.withdrawn)
    elif isinstance(line, j.Conceded):
        battle.concede(line.side, why=line.why)
    elif isinstance(line, j.DrawOffered):
        battle.offer_draw(line.side, offers=line.offers)


def _words(line: j.Line) -> str:
    return _around(msgspec.json.encode(line).decode(), 0)


def _differing(expected: j.Line, found: j.Line) -> tuple[str, str]:
    """Two lines as far as it takes to see where they differ."""
    one, other = msgspec.json.encode(expected).decode(), msgspec.json.encode(found).decode()
    same = _first_difference(one, other)
    return _around(one, same), _around(other, same)


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Where two texts, or two lists of lines, first differ."""
    ends = min(len(one), len(other))
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), ends)


def _around(text: str, at: int) -> str:
    """A text of at most 300 letters, cut so that the letter at a place is in it."""
    if len(text) <= 300:
        return text
    start = 0 if at < 200 else at - 100
    return ("..." if start else "") + text[start : start + 290] + ("..." if start + 290 < len(text) else "")


def folded(
    events: list[AnyEvent], sides: tuple[Side, ...], options: dict[str, int | str] | None = None
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
