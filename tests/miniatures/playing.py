"""How the tests of the transcripts look at a battle: what was told, what a side holds, where the boundaries are."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.events import AnyEvent
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, Preview, Refusal
from sandtable.engine.records.journal import Answered, Digested, Happened, Snapshot, frozen_state, thawed_state


def told(battle: Battle, since: int = 0) -> list[AnyEvent]:
    """The events after a number of them, without number, step and cause, to be compared with those expected."""
    return [replace(event, n=0, step="", because=0) for event in battle.journal.events()[since:]]


def count(battle: Battle) -> int:
    """How many events there are so far."""
    return len(battle.journal.events())


def cause(battle: Battle, event: AnyEvent) -> AnyEvent:
    """The event that caused another."""
    return next(other for other in battle.journal.events() if other.n == event.because)


def last(battle: Battle, kind: type[Any], nth: int = 1) -> Any:
    """The last event of a kind, or the nth last."""
    return [event for event in battle.journal.events() if isinstance(event, kind)][-nth]


def seen(battle: Battle, side: Side) -> bytes:
    """Everything a seat holds: its view, its events, its question."""
    return msgspec.json.encode((battle.view(side).table, battle.logs[side].events, battle.question_for(side)))


def asked(battle: Battle) -> AnyQuestion:
    """The one question that is open."""
    (question,) = battle.questions
    return question


def give(battle: Battle, answer: Any, side: Side = NO_SIDE) -> list[AnyEvent]:
    """Answer, and give what was told because of it."""
    before = count(battle)
    refusal = battle.answer(answer, side)
    assert refusal is None, refusal
    return told(battle, before)


def refused(battle: Battle, draft: Any, side: Side = NO_SIDE) -> str:
    """The rule that refuses a draft; trying and answering agree, and neither changes anything."""
    before = battle.digest(), count(battle), {name: seen(battle, name) for name in battle.logs}
    verdict = battle.check(draft, side)
    assert isinstance(verdict, Refusal), f"{draft} is lawful"
    assert battle.answer(draft, side) == verdict
    assert (battle.digest(), count(battle), {name: seen(battle, name) for name in battle.logs}) == before
    return verdict.rule


def preview(battle: Battle, draft: Any, side: Side = NO_SIDE) -> Preview:
    """What a lawful draft shows; looking at it changes nothing for anybody."""
    before = battle.digest(), {name: seen(battle, name) for name in battle.logs}
    verdict = battle.check(draft, side)
    assert isinstance(verdict, Accepted), verdict
    shown = verdict.preview()
    assert (battle.digest(), {name: seen(battle, name) for name in battle.logs}) == before
    return shown


def takes_back(battle: Battle, side: Side) -> None:
    """A side takes its last answer back, and stands exactly where it stood."""
    assert battle.undo(side) is None


def stands(battle: Battle, *sides: str) -> None:
    """Nothing can be taken back by these sides: a barrier lies behind."""
    for side in sides:
        assert isinstance(battle.undo(Side(side)), Refusal), f"{side} could take something back"


def plain_at_boundary(battle: Battle) -> None:
    """At the last boundary the state is plain data: it survives a file, its steps become the ruleset's own again."""
    saved = [line for line in battle.saved().lines if isinstance(line, Snapshot)][-1]
    plain = msgspec.json.decode(msgspec.json.encode(saved.state))
    again = thawed_state(plain, battle.ruleset)
    assert msgspec.json.encode(frozen_state(again)) == msgspec.json.encode(saved.state)


def marks(battle: Battle) -> list[str]:
    """The journal as a row of words: each event by its kind, each answer, and `|` at each boundary."""
    words = []
    for line in battle.journal.lines:
        if isinstance(line, Happened):
            words.append(type(line.event).__name__)
        elif isinstance(line, Answered):
            words.append(f"<{line.side}>")
        elif isinstance(line, Digested):
            words.append("|")
    return words
