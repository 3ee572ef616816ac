"""What the engine promises of every battle under every ruleset, tried on one random battle at a time.

`keep_promises` plays a battle from its set-up to its end, with wrong answers, undos, clones and saves in between, and
asserts all of it; `refold_in_fresh_process` plays journals again in another process, whose hashes differ. What is held
where:

- while it is played: the invariants at every boundary; a draft that is tried or refused changes nothing; an undone
  answer gives the state before it byte for byte; questions survive a wire; saved and cloned battles go on alike
- by `look_back` at its end: every event names its rule, parts add up, what is told as having been before was so; the
  events make up the table, and the log of each side makes up what that side knows
- by `rebuilt`, once over the whole journal, in this process or (`elsewhere`) in a fresh one: each boundary's snapshot
  plus its lines gives every line up to the next boundary, its digest included; and in the end the same state, with
  all that sides know, byte for byte
"""

import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Union

import msgspec

from sandtable.bots.protocol import Bot
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.changes import apply
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import AnyEvent, Counted, HarmApplied, Moved, Rolled, Spent, StateChanged, TakenBack
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, MoveModels, Refusal, fingerprint
from sandtable.engine.records.journal import Header, Journal, Line
from sandtable.engine.records.replay import _follow, resumed
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.shapes import At, In
from sandtable.engine.state import State, Step
from sandtable.engine.table import UNSEEN, Ground, Table, Thing, Things
from sandtable.lab.battles import collect_seldom
from tests.engine.answers import Randomly

ROOT = Path(__file__).resolve().parent.parent

Invariant = Callable[[Table], None]

#: At every so manieth boundary of a battle that is played again everything is made anew, the ground too.
WHOLE = 8
NO_GROUND = Ground(0, 0)

_read_state = msgspec.json.Decoder(State).decode
_read_things = msgspec.json.Decoder(list[Thing]).decode
_read_ground = msgspec.json.Decoder(Ground).decode
_encoded = msgspec.json.Encoder().encode


class Played(NamedTuple):
    """A battle that kept its promises: enough of it to play it again elsewhere."""

    ruleset: str  # "package.module:Class", called without arguments
    journal: bytes
    digest: str
    whole: str  # a name of the state with all that each side knows
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
        named = {card: count for card, count in deck.contents.items() if card != UNSEEN}
        assert all(count > 0 for count in named.values()), f"deck {name}: {deck.contents}"
        assert -sum(named.values()) <= deck.contents.get(UNSEEN, 0) <= 0, f"deck {name}: {deck.contents}"


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


class _Recorded(Battle):
    """A battle that holds the invariants at every boundary it passes."""

    invariants: tuple[Invariant, ...] = ()

    def _mark_boundary(self) -> None:
        super()._mark_boundary()
        if not self._history.replaying:
            for invariant in self.invariants:
                invariant(self.table)


class _Rebuilt(Battle):
    """A battle that is made anew at every boundary, of nothing but the snapshot that a file would keep of it there.

    The state comes back from plain data, the rules are a fresh object, and the dice know a seed and a counter. So
    what anybody or anything remembered beside the state is gone.
    """

    rules: Callable[[], Ruleset]
    read: dict[int, Thing]

    def _mark_boundary(self) -> None:
        if not self._history.replaying:
            self.ruleset = self.rules()
            self.state.draws = self.dice.draws
            if self.state.steps % WHOLE == 0:
                self.read = {}
            self.hold(_through_a_file(self.state, self.ruleset, self.read))
            assert self.journal.header.seed is not None
            self.dice = SeededDice(self.journal.header.seed, self.state.draws)
            self._views = {}
        super()._mark_boundary()


def _through_a_file(state: State, ruleset: Ruleset, read: dict[int, Thing]) -> State:
    """A state written as plain data and read again; `read` are the things that were read at boundaries before, by id.

    Things and grounds are values that nothing changes: one that was read before will do, and what tables share they
    share again. Where nothing was read yet, all of it is written, the grounds too.
    """
    tables = (state.table, *state.views.values())
    grounds = {id(table.ground): table.ground for table in tables}
    if not read:
        grounds = {name: _read_ground(_encoded(ground)) for name, ground in grounds.items()}
    indexes = {id(table.things): table.things for table in tables}
    fresh = {id(thing): thing for things in indexes.values() for thing in things.values() if id(thing) not in read}
    made_of = dict(zip(fresh, _read_things(_encoded([*fresh.values()])), strict=True))
    read.update((id(thing), thing) for thing in made_of.values())
    made_of = {**read, **made_of}
    again = {name: Things({key: made_of[id(thing)] for key, thing in one.items()}) for name, one in indexes.items()}
    bare = state.copy()
    bare.agenda = []
    for table in (bare.table, *bare.views.values()):
        table.ground, table.things = NO_GROUND, Things()
    made = _read_state(_encoded(bare))
    made.agenda = _steps_of(ruleset.all_steps()).decode(_encoded(state.agenda))
    for table, before in zip((made.table, *made.views.values()), tables, strict=True):
        table.ground, table.things = grounds[id(before.ground)], again[id(before.things)]
    return made


@cache
def _steps_of(kinds: tuple[type[Step], ...]) -> msgspec.json.Decoder[list[Step]]:
    """What reads an agenda of the steps of a ruleset."""
    return msgspec.json.Decoder(list[Union[kinds]])  # type: ignore[valid-type]  # noqa: UP007 (made while running)


def rebuilt(journal: Journal, rules: Callable[[], Ruleset]) -> Battle:
    """Play a journal again, each boundary's snapshot plus its lines giving the next one; `JournalDiverged` if not."""
    battle = _Rebuilt.__new__(_Rebuilt)
    battle.rules = rules
    header = journal.header
    assert header.seed is not None
    battle.__init__(rules(), header.setup, seed=header.seed, digest_every=header.digest_every)  # type: ignore[misc]
    assert battle.journal.header == header, f"expected {header}, found {battle.journal.header}"
    _follow(battle, journal, 0)
    return battle


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
    digest_every: int = 1,
    elsewhere: bool = False,
) -> Played:
    """Play one random battle and hold every promise to it; gives the battle for `refold_in_fresh_process`.

    Of the drafts that are tried every `look_one_in`th preview is looked at: exact odds take longer than all the rest.
    A state has its digest in the journal at every `digest_every`th boundary; what happened is there at each of them.
    Who says `elsewhere` lets a fresh process play the battle again, and so it is not played again in this one.
    """
    kept = _Keeper(ruleset_factory, setup or Setup(), seed, bot_factory, tuple(invariants), digest_every)
    while not kept.battle.ended:
        assert kept.battle.questions, "the battle has not ended, and nobody is asked anything"
        assert kept.answers < most_answers, f"the battle has not ended after {most_answers} answers"
        question = kept.chosen_question()
        if kept.any.chance(wrong_one_in):
            kept.try_out(question, look_one_in)
        if kept.any.chance(save_one_in):
            kept.save_and_clone()
        kept.give(question, undo=kept.any.chance(undo_one_in))
    kept.look_back(elsewhere)
    battle = kept.battle
    name = f"{ruleset_factory.__module__}:{ruleset_factory.__qualname__}"
    return Played(
        name,
        battle.journal.encode(),
        battle.digest(),
        whole(battle),
        kept.answers,
        len(kept.events()),
        kept.undone,
        kept.refused,
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
        digest_every: int,
    ) -> None:
        self.factory = ruleset_factory
        self.any = Randomly(seed * 31 + 1)
        self.bots = {side: bot_factory(ruleset_factory(), seed * 101 + n) for n, side in enumerate(setup.sides)}
        self.answers = self.undone = self.refused = 0
        self.battle = _Recorded.__new__(_Recorded)
        self.battle.invariants = (*ALWAYS, *invariants)
        self.battle.__init__(ruleset_factory(), setup, seed=seed, digest_every=digest_every)  # type: ignore[misc]

    def events(self) -> list[AnyEvent]:
        return self.battle.journal.events()

    def chosen_question(self) -> AnyQuestion:
        """One of the open questions; it survives being sent over a wire."""
        sides = [q.side for q in self.battle.questions if self.battle.question_for(q.side) is not None]
        question = self.battle.question_for(self.any.random.choice(sides))
        assert question is not None
        again = msgspec.json.decode(msgspec.json.encode(question), type=AnyQuestion)
        assert fingerprint(again) == fingerprint(question), f"{question} changes on its way over a wire"
        if isinstance(question, MoveModels):
            assert all(length >= 0 for length in question.allowance.values()), f"{question} allows less than nothing"
        return question

    def try_out(self, question: AnyQuestion, look_one_in: int = 1) -> None:
        """A draft that is only tried changes nothing, nor does looking at its preview; nor does a refused answer.

        What is taken where nobody answers is lawful.
        """
        battle, side = self.battle, question.side
        if question.default is not None:
            taken = battle.check(None, side)
            assert not isinstance(taken, Refusal), f"{question.prompt!r}: its default is refused: {taken}"
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
        assert isinstance(battle.answer(lawful, Side("a stranger")), Refusal)
        assert _now(battle) == before, "an answer of somebody who was not asked changed something"

    def give(self, question: AnyQuestion, *, undo: bool) -> None:
        """Give an answer; perhaps take it back, which gives the state before it byte for byte, and give another."""
        battle, side = self.battle, question.side
        before, asked = state_bytes(battle) if undo else b"", battle.questions
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
        self.say(question)

    def say(self, question: AnyQuestion) -> None:
        battle, side = self.battle, question.side
        draft = self.bots[side].answer(battle.view(side), question)
        refusal = battle.answer(draft, side)
        assert refusal is None, f"{question.prompt!r}: {draft} passed the check and was refused: {refusal}"
        self.answers += 1

    def save_and_clone(self) -> None:
        """A saved battle and a cloned one stand where this one stands."""
        battle = self.battle
        saved, before, at = battle.saved(), state_bytes(battle), battle.last_boundary().lines
        twin = resumed(_sent(saved.header, saved.lines), self.factory())
        assert _everything(twin) == _everything(battle), "resumed, the battle is another"
        copy = battle.clone()
        shared = _encoded(battle.journal.lines[at:])
        assert state_bytes(copy) == before, "the clone has another state"
        assert copy.questions == battle.questions
        stood = _now(battle)
        question = next(q for q in copy.questions if copy.question_for(q.side) is not None)
        mine = Randomly(self.answers)(copy.ruleset, copy.view(question.side), question)
        assert copy.answer(mine, question.side) is None
        assert _now(battle) == stood, "what was said to a clone changed the battle"
        assert _encoded(battle.journal.lines[at:]) == shared, "what was said to a clone changed the journal"
        assert twin.answer(mine, question.side) is None
        assert twin.digest() == copy.digest(), "clone and resumed battle go on differently"

    def look_back(self, elsewhere: bool) -> None:
        """The whole journal plays again, events are explained, and what each side saw makes up what it knows."""
        battle = self.battle
        if not elsewhere:
            again = rebuilt(_sent(battle.journal.header, battle.journal.lines), self.factory)
            assert again.digest() == battle.digest()
            assert state_bytes(again) == state_bytes(battle), "played again, sides know something else"
        options = battle.journal.header.setup.options
        last = explained(self.events(), battle.table.sides, options)
        assert msgspec.json.encode(last) == msgspec.json.encode(battle.table), "what happened is not what there is"
        for side, log in battle.logs.items():
            assert [event.n for event in log.events] == list(range(1, len(log.events) + 1))
            assert all(event.because < event.n for event in log.events)
            told = msgspec.json.encode(last_table(log.events, battle.table.sides, options))
            assert told == msgspec.json.encode(battle.view(side).table), f"what {side!r} was told is not what it knows"


def state_bytes(battle: Battle) -> bytes:
    """The whole state, views and orders of dicts and all."""
    battle.state.draws = battle.dice.draws
    return msgspec.json.encode(battle.state)


def whole(battle: Battle) -> str:
    """A name of the whole state and of what each side knows, in the very order it stands there."""
    return hashlib.blake2b(state_bytes(battle), digest_size=16).hexdigest()


def _now(battle: Battle) -> tuple[Any, ...]:
    """Where a battle stands; what was written before can only be added to."""
    written = [len(battle.journal.lines), *(len(log.events) for log in battle.logs.values())]
    return state_bytes(battle), battle.questions, written, battle.dice.draws, battle._waiting, battle._history.barrier


def _everything(battle: Battle) -> tuple[Any, ...]:
    logs = {side: _encoded(log.events) for side, log in battle.logs.items()}
    open_ = [battle.question_for(side) for side in battle.table.sides]
    return state_bytes(battle), battle.questions, open_, _encoded(battle.journal.lines), logs, battle.dice.draws


def _sent(header: Header, lines: Sequence[Line]) -> Journal:
    """A journal after a journey through a file."""
    return Journal.decode(Journal(header, list(lines)).encode())


# Explanations -------------------------------------------------------------------------------------------------------


def last_table(
    events: Sequence[AnyEvent],
    sides: tuple[Side, ...],
    options: dict[str, int | str],
    look: Callable[[AnyEvent, Table], None] | None = None,
) -> Table:
    """The table that events make: the last that `folded` gives; `look` sees each event and the table before it.

    One table is changed all along, and copied only where something taken back goes back to.
    """
    returns = {event.to for event in events if isinstance(event, TakenBack)}
    table = Table(Ground(0, 0), sides, options=dict(options))
    kept = {0: table.copy()}
    for event in events:
        if isinstance(event, TakenBack):
            table = kept[event.to].copy()
        else:
            if look is not None:
                look(event, table)
            apply(table, event)
        if event.n in returns:
            kept[event.n] = table.copy()
    return table


def explained(events: Sequence[AnyEvent], sides: tuple[Side, ...], options: dict[str, int | str]) -> Table:
    """Every event names a rule, the parts of every number add up, and every `before` is what was before.

    Gives the table that the events make.
    """

    def look(event: AnyEvent, before: Table) -> None:
        assert event.rule, f"no rule is named by {event}"
        assert event.because < event.n, f"caused by what came later: {event}"
        adds_up(event)
        follows(event, before)

    return last_table(events, sides, options, look)


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
    lines = [json.dumps([one.ruleset, one.journal.decode(), one.digest, one.whole]) for one in played]
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
    collect_seldom()
    for row in sys.stdin:
        ruleset, journal, digest, known = json.loads(row)
        module, _, name = ruleset.partition(":")
        factory = getattr(importlib.import_module(module), name)
        battle = rebuilt(Journal.decode(journal.encode()), factory)
        assert battle.digest() == digest, f"{ruleset}: expected {digest}, found {battle.digest()}"
        assert whole(battle) == known, f"{ruleset}: sides know something else than they did"
        print(battle.digest())


if __name__ == "__main__":
    _refold()
