"""What the engine promises of every battle under every ruleset, tried on one random battle at a time.

`keep_promises` plays a battle from its set-up to its end, with wrong answers, undos, clones and saves in between, and
asserts all of it; `refold_in_fresh_process` plays journals again in another process, whose hashes differ.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sandtable.bots.protocol import Bot
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    AnyEvent,
    Counted,
    HarmApplied,
    Moved,
    Rolled,
    Spent,
    StateChanged,
    TakenBack,
)
from sandtable.engine.journal import Digested, Header, Journal, Line, Snapshot, frozen_state, thawed_state
from sandtable.engine.questions import AnyQuestion, Refusal, fingerprint
from sandtable.engine.replay import _say, folded, replayed, resumed
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.shapes import At, In
from sandtable.engine.table import Ground, Table
from tests.engine.answers import Randomly

ROOT = Path(__file__).resolve().parent.parent

Invariant = Callable[[Table], None]


class Played(NamedTuple):
    """A battle that kept its promises: enough of it to play it again elsewhere."""

    ruleset: str  # "package.module:Class", called without arguments
    journal: bytes
    digest: str
    answers: int
    events: int
    undone: int
    refused: int


# Invariants that hold for every ruleset -----------------------------------------------------------------------------


def no_negative_counts(table: Table) -> None:
    """Nobody has less than nothing of anything."""
    for thing in table.things.values():
        for what, count in thing.counts.items():
            assert count >= 0, f"{thing.id} has {count} {what}"
    for name, deck in table.decks.items():
        assert all(count > 0 for count in deck.contents.values()), f"deck {name}: {deck.contents}"


def harm_within_track(table: Table) -> None:
    """Harm lies between none and all the harm a thing can take."""
    for thing in table.things.values():
        assert thing.harm >= 0, f"{thing.id} has {thing.harm} harm"
        assert not thing.track or thing.harm <= thing.track, f"{thing.id} has {thing.harm} harm of {thing.track}"


def somewhere_or_gone(table: Table) -> None:
    """A model is on the table, in something, held off it for a reason, or gone: never nowhere."""
    for thing in table.of_kind("model"):
        if thing.gone:
            assert not isinstance(thing.place, At | In), f"{thing.id} is gone ({thing.gone}) and yet at {thing.place}"
        else:
            assert isinstance(thing.place, At | In) or thing.place.why, f"{thing.id} is nowhere"


ALWAYS: tuple[Invariant, ...] = (no_negative_counts, harm_within_track, somewhere_or_gone)


# The battle -------------------------------------------------------------------------------------------------------


class _Mark(NamedTuple):
    """A boundary as it was passed: where in the journal, and the state as plain data."""

    at: int
    steps: int
    snapshot: Snapshot


class _Recorded(Battle):
    """A battle that keeps every boundary it passes, and holds the invariants there."""

    invariants: tuple[Invariant, ...] = ()
    marks: list[_Mark]

    def _mark_boundary(self) -> None:
        at = len(self.journal.lines)
        super()._mark_boundary()
        if self._again:
            return
        for invariant in self.invariants:
            invariant(self.table)
        self.marks.append(_Mark(at, self.state.steps, Snapshot(self._events, frozen_state(self.state))))


class _Reached(BaseException):
    """A battle came to the boundary it was to come to. No error, so nothing on the way may catch it as one."""


class _UpTo(Battle):
    """A battle from one boundary to a later one, and no further."""

    boundaries = 0  # how many to pass, counting the one it starts from

    def _mark_boundary(self) -> None:
        super()._mark_boundary()
        if not self._again and sum(isinstance(line, Digested) for line in self.journal.lines) == self.boundaries:
            raise _Reached(self)


def keep_promises(
    ruleset_factory: Callable[[], Ruleset],
    setup: Setup | None = None,
    seed: int = 0,
    bot_factory: Callable[[Ruleset, int], Bot] = RandomBot,
    invariants: Sequence[Invariant] = (),
    *,
    most_answers: int = 5_000,
    undo_one_in: int = 4,
    wrong_one_in: int = 4,
    save_one_in: int = 25,
    look_one_in: int = 1,
) -> Played:
    """Play one random battle and hold every promise to it; gives the battle for `refold_in_fresh_process`.

    Of the drafts that are tried every `look_one_in`th preview is looked at: exact odds take longer than all the rest.
    """
    kept = _Keeper(ruleset_factory, setup or Setup(), seed, bot_factory, tuple(invariants))
    while not kept.battle.ended:
        assert kept.battle.questions, "the battle has not ended, and nobody is asked anything"
        assert kept.answers < most_answers, f"the battle has not ended after {most_answers} answers"
        question = kept.chosen_question()
        if kept.any.chance(wrong_one_in):
            kept.try_out(question, look_one_in)
        if kept.any.chance(save_one_in):
            kept.save_and_clone()
        kept.give(question, undo=kept.any.chance(undo_one_in))
    kept.look_back()
    battle = kept.battle
    name = f"{ruleset_factory.__module__}:{ruleset_factory.__qualname__}"
    return Played(
        name, battle.journal.encode(), battle.digest(), kept.answers, len(kept.events()), kept.undone, kept.refused
    )


class _Keeper:
    """One battle, the bots that play it, and the promises it is held to."""

    def __init__(
        self,
        ruleset_factory: Callable[[], Ruleset],
        setup: Setup,
        seed: int,
        bot_factory: Callable[[Ruleset, int], Bot],
        invariants: tuple[Invariant, ...],
    ) -> None:
        self.factory = ruleset_factory
        self.any = Randomly(seed * 31 + 1)
        self.bots = {side: bot_factory(ruleset_factory(), seed * 101 + n) for n, side in enumerate(setup.sides)}
        self.answers = self.undone = self.refused = 0
        self.open: list[_Mark] = []  # the boundaries that what is said now follows from, the last one last
        self.battle = _Recorded.__new__(_Recorded)
        self.battle.invariants = (*ALWAYS, *invariants)
        self.battle.marks = []
        self.battle.__init__(ruleset_factory(), setup, seed=seed)  # type: ignore[misc]
        self.pass_boundaries()

    def events(self) -> list[AnyEvent]:
        return self.battle.journal.events()

    def chosen_question(self) -> AnyQuestion:
        """One of the open questions; it survives being sent over a wire."""
        sides = [q.side for q in self.battle.questions if self.battle.question_for(q.side) is not None]
        question = self.battle.question_for(self.any.random.choice(sides))
        assert question is not None
        again = msgspec.json.decode(msgspec.json.encode(question), type=AnyQuestion)
        assert fingerprint(again) == fingerprint(question), f"{question} changes on its way over a wire"
        return question

    def try_out(self, question: AnyQuestion, look_one_in: int = 1) -> None:
        """A draft that is only tried changes nothing, nor does looking at its preview; nor does a refused answer."""
        battle, side = self.battle, question.side
        lawful = self.any(battle.ruleset, battle.view(side), question)
        before = _now(battle)
        for draft in (lawful, self.any.spoilt(lawful), self.any.nonsense(question)):
            checked = battle.check(draft, side)
            if isinstance(checked, Refusal):
                assert battle.answer(draft, side) == checked, "check and answer refuse differently"
                self.refused += 1
            elif self.any.chance(look_one_in):
                checked.preview()
            assert _now(battle) == before, f"trying {str(draft)[:80]} changed something"
        assert isinstance(battle.answer(lawful, "a stranger"), Refusal)
        assert _now(battle) == before, "an answer of somebody who was not asked changed something"

    def give(self, question: AnyQuestion, *, undo: bool) -> None:
        """Give an answer; perhaps take it back, which gives the state before it byte for byte, and give another."""
        battle, side = self.battle, question.side
        before, asked = state_bytes(battle), battle.questions
        self.say(question)
        if not undo or battle.ended:
            return
        at = len(battle.journal.lines)
        if battle.undo(side) is not None:
            assert len(battle.journal.lines) == at, "a refused undo left a line"
            return
        self.undone += 1
        assert state_bytes(battle) == before, f"undoing the answer to {question.prompt!r} gave another state"
        assert battle.questions == asked
        self.forget_after(at)
        self.say(question)

    def say(self, question: AnyQuestion) -> None:
        battle, side = self.battle, question.side
        draft = self.bots[side].answer(battle.view(side), question)
        refusal = battle.answer(draft, side)
        assert refusal is None, f"{question.prompt!r}: {draft} passed the check and was refused: {refusal}"
        self.answers += 1
        self.pass_boundaries()

    def pass_boundaries(self) -> None:
        """Each boundary's snapshot plus its lines gives the next boundary's digest."""
        marks, self.battle.marks = self.battle.marks, []
        for mark in marks:
            if self.open:
                self.play_from(self.open[-1], mark.at + 1)
            self.open.append(mark)

    def play_from(self, mark: _Mark, upto: int) -> None:
        """What follows from a boundary's snapshot and what was said since is what the journal says."""
        expected = self.battle.journal.lines[mark.at : upto]
        state = thawed_state(mark.snapshot.state, self.battle.ruleset)
        boundaries = sum(isinstance(line, Digested) for line in expected)
        up_to: type[_UpTo] = type("_UpTo", (_UpTo,), {"boundaries": boundaries})
        try:
            again = up_to.at_boundary(self.factory(), self.battle.journal.header, (), state, mark.snapshot.events)
            while len(again.journal.lines) < len(expected):
                at = len(again.journal.lines)
                _say(again, expected[at], mark.at + at + 2)
                assert len(again.journal.lines) > at, "nothing came of what was said"
        except _Reached as reached:
            again = reached.args[0]
        found = again.journal.lines
        assert sum(isinstance(line, Digested) for line in found) >= boundaries
        for n, line in enumerate(found[: len(expected)]):
            number = mark.at + n + 2
            assert line == expected[n], f"journal line {number}: expected {expected[n]}, from the snapshot {line}"

    def forget_after(self, undone_at: int) -> None:
        """An undo went back: the boundaries passed since are none any more."""
        steps = self.battle.last_boundary().state.steps
        while self.open[-1].steps > steps:
            self.play_from(self.open.pop(), undone_at)

    def save_and_clone(self) -> None:
        """A saved battle and a cloned one stand where this one stands."""
        battle = self.battle
        saved = battle.saved()
        twin = resumed(_sent(saved.header, saved.lines), self.factory())
        assert _everything(twin) == _everything(battle), "resumed, the battle is another"
        copy = battle.clone()
        before = _everything(battle)
        assert state_bytes(copy) == state_bytes(battle), "the clone has another state"
        assert copy.questions == battle.questions
        question = next(q for q in copy.questions if copy.question_for(q.side) is not None)
        mine = Randomly(self.answers)(copy.ruleset, copy.view(question.side), question)
        assert copy.answer(mine, question.side) is None
        assert _everything(battle) == before, "what was said to a clone changed the battle"
        assert twin.answer(mine, question.side) is None
        assert twin.digest() == copy.digest(), "clone and resumed battle go on differently"

    def look_back(self) -> None:
        """The whole journal plays again, events are explained, and what each side saw makes up what it knows."""
        battle = self.battle
        again = replayed(_sent(battle.journal.header, battle.journal.lines), self.factory())
        assert again.digest() == battle.digest()
        options = battle.journal.header.setup.options
        explained(self.events(), battle.table.sides, options)
        assert _folded_last(self.events(), battle.table.sides, options) == msgspec.json.encode(battle.table)
        for side, log in battle.logs.items():
            assert [event.n for event in log.events] == list(range(1, len(log.events) + 1))
            assert all(event.because < event.n for event in log.events)
            told = _folded_last(log.events, battle.table.sides, options)
            assert told == msgspec.json.encode(battle.view(side).table), f"what {side!r} was told is not what it knows"


def state_bytes(battle: Battle) -> bytes:
    """The whole state, views and orders of dicts and all."""
    battle.digest()  # brings the number of draws into the state
    return msgspec.json.encode(battle.state)


def _now(battle: Battle) -> tuple[Any, ...]:
    """Where a battle stands; what was written before can only be added to."""
    written = [len(battle.journal.lines), *(len(log.events) for log in battle.logs.values())]
    return state_bytes(battle), battle.questions, written, battle.dice.draws, battle._waiting, battle._past.barrier


def _everything(battle: Battle) -> tuple[Any, ...]:
    lines = [msgspec.json.encode(line) for line in battle.journal.lines]
    logs = {side: msgspec.json.encode(log.events) for side, log in battle.logs.items()}
    open_ = [battle.question_for(side) for side in battle.table.sides]
    return state_bytes(battle), battle.questions, open_, lines, logs, battle.dice.draws


def _sent(header: Header, lines: Sequence[Line]) -> Journal:
    """A journal after a journey through a file."""
    return Journal.decode(Journal(header, list(lines)).encode())


def _folded_last(events: list[AnyEvent], sides: tuple[str, ...], options: dict[str, int | str]) -> bytes:
    table = None
    for table in folded(events, sides, options):  # noqa: B007 (only the last one counts)
        pass
    assert table is not None
    return msgspec.json.encode(table)


# Explanations -------------------------------------------------------------------------------------------------------


def explained(events: Sequence[AnyEvent], sides: tuple[str, ...], options: dict[str, int | str]) -> None:
    """Every event names a rule, the parts of every number add up, and every `before` is what was before."""
    tables = folded(list(events), sides, options)
    before = Table(Ground(0, 0), sides, options=dict(options))
    for event, after in zip(events, tables, strict=True):
        if not isinstance(event, TakenBack):
            assert event.rule, f"no rule is named by {event}"
            assert event.because < event.n, f"caused by what came later: {event}"
            adds_up(event)
            follows(event, before)
        before = after


def adds_up(event: AnyEvent) -> None:
    """The parts of a roll are what its numbers are made of."""
    if not isinstance(event, Rolled):
        return
    assert event.natural + sum(part.value for part in event.parts) == event.total, f"parts and total differ: {event}"
    if event.needs is not None and event.margin is not None:
        assert event.margin == event.total - event.needs, f"margin is not total less needs: {event}"
    if event.needs_parts:
        assert sum(part.value for part in event.needs_parts) == event.needs, f"parts and needs differ: {event}"
    for part in (*event.parts, *event.needs_parts, *event.dice_parts):
        assert part.rule, f"{part} names no rule in {event}"


def follows(event: AnyEvent, table: Table) -> None:
    """What an event says was before it, was."""
    match event:
        case Counted(thing, what, before, _):
            known = table.things.get(thing)
            assert before == (known.count(what) if known else 0), f"it was another number before: {event}"
        case Spent(who, what, amount, left):
            known = table.things.get(who)
            if known is not None and what in known.counts:
                assert left == known.counts[what] - amount, f"{known.counts[what]} less {amount} is not {left}: {event}"
            assert left >= 0, f"more was spent than there was: {event}"
        case HarmApplied(target, _, before, _):
            assert before == table[target].harm, f"it had {table[target].harm} harm before: {event}"
        case StateChanged(who, state, before, _):
            known = table.things.get(who)
            assert before == (known.value(state) if known else None), f"it was in another state before: {event}"
        case Moved(model, start):
            assert start == table[model].place, f"it stood at {table[model].place}: {event}"
        case _:
            pass


# Another process ------------------------------------------------------------------------------------------------------


def refold_in_fresh_process(played: Sequence[Played], hash_seed: int = 4321) -> None:
    """Play journals again in one fresh process, in which sets and hashes have another order; all digests agree."""
    lines = [json.dumps([one.ruleset, one.journal.decode(), one.digest]) for one in played]
    env = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.promises"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
        check=False,
    )
    assert done.returncode == 0, f"played again in a fresh process:\n{done.stderr[-3000:]}"
    assert done.stdout.split() == [one.digest for one in played]


def _refold() -> None:
    """What the fresh process does: read journals, play each again, print its digest."""
    import importlib

    for row in sys.stdin:
        ruleset, journal, digest = json.loads(row)
        module, _, name = ruleset.partition(":")
        factory = getattr(importlib.import_module(module), name)
        battle = replayed(Journal.decode(journal.encode()), factory())
        assert battle.digest() == digest, f"{ruleset}: expected {digest}, found {battle.digest()}"
        print(battle.digest())


if __name__ == "__main__":
    _refold()
