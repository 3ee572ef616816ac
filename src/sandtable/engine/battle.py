"""A battle: its state, the questions that are open, and everything that may be said to it.

The agenda is a stack of steps; the ruleset turns the top one into a procedure, a generator that asks. Between two steps
is a boundary: no generator is alive and the state is plain data. Undo and clone go back to a boundary and give the
answers since then again (`history`), so nothing that must survive a boundary may live in a local variable.

A battle that nobody watches (`watched=False`, between programs) plays the very same rules and keeps what was said to it
alone: no events, logs, digests or boundaries, and no view of its own for a side that knows what all know. Whatever was
spared can be had afterwards, for `replay.watched_again` says it all to a battle that is watched.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine.answers.checking import NotPlain, plain_data
from sandtable.engine.answers.judging import Accepted, check, judged_before, proper_answer
from sandtable.engine.answers.orders import order_for, with_order
from sandtable.engine.answers.sealing import sealed, shown
from sandtable.engine.changes import apply_to_all, told_apart
from sandtable.engine.dice import Dice, SeededDice
from sandtable.engine.events import AnyEvent, BattleEnded, HarmNoted, stops_undo
from sandtable.engine.ids import NO_RULE, NO_SIDE, Side, ThingId
from sandtable.engine.questions import UNTIL_ALL_ANSWER, AnyQuestion, Refusal, Settled, fingerprint
from sandtable.engine.records import journal as j
from sandtable.engine.records.history import Boundary, History, Said
from sandtable.engine.records.logs import Logs, SideLog
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.state import Due, Settle, StandingOrder, State, Step
from sandtable.engine.table import Ground, Table

#: The side of a spectator, who knows what everybody knows.
SPECTATOR = NO_SIDE
#: Why a side loses though its force does not, and the words for it.
CONCEDED = {"": "concedes", "time": "has run out of time", "away": "has been away too long"}

__all__ = ["SPECTATOR", "Accepted", "Battle", "SideLog", "check", "proper_answer"]


class Battle:
    """A battle under one ruleset."""

    def __init__(
        self,
        ruleset: Ruleset,
        setup: Setup | None = None,
        *,
        seed: int | str = 0,
        dice: Dice | None = None,
        digest_every: int = 1,
        undoable: bool = True,
        watched: bool = True,
    ) -> None:
        setup = setup or Setup()
        dice_thrown = dice or SeededDice(seed)
        self._prepare(ruleset, dice_thrown, undoable=undoable, watched=watched, kept_apart=setup.sides)
        # As its journal will tell it: rules see the same lists and words when the battle is played again.
        setup = msgspec.json.decode(msgspec.json.encode(setup), type=Setup)
        shown_seed = seed if dice is None else None
        self.journal = j.Journal(
            j.Header(j.FORMAT, ruleset.name, ruleset.version, setup, shown_seed, "", ruleset.digests(), digest_every)
        )
        table = Table(Ground(0, 0), setup.sides, options=dict(setup.options))
        looking = (*setup.sides, SPECTATOR) if watched else ()
        self.hold(State(table, {side: table.copy(table.things) for side in looking}))
        self.logs = Logs(looking)
        ruleset.open(self, setup)
        self._go_on()
        self._history.met_barrier = False  # nobody had said anything that it could bar

    def _prepare(
        self,
        ruleset: Ruleset,
        dice: Dice,
        *,
        undoable: bool = True,
        watched: bool = True,
        kept_apart: tuple[Side, ...] = (),
    ) -> None:
        self.ruleset = ruleset
        self.dice = dice
        self.watched = watched
        self._kept_apart = kept_apart  # the sides that learn only what they may; none where all know the truth
        self.logs = Logs()
        self.questions: tuple[AnyQuestion, ...] = ()
        self.settled: list[Settled] = []  # what had one answer only since somebody was asked
        self._several = False  # whether they were asked as a tuple, and the answers go back as one
        self._pending: dict[int, Any] = {}  # which of the questions → its answer, while others are open
        self._waiting = 0  # how many of those answers somebody gave: the rest came by standing order
        self._running: Procedure[None] | None = None
        self._step = ""
        self._events = 0
        self._history = History(undoable=undoable and watched)
        self._views: dict[Side, tuple[View, int]] = {}  # side → its view, and how much had happened by then

    @staticmethod
    def unwatched(ruleset: Ruleset, state: State, dice: Dice) -> "Battle":
        """A battle on a copy of a state that nobody watches, and in which all know the truth. For the odds."""
        battle = Battle.__new__(Battle)
        battle._prepare(ruleset, dice, watched=False)
        battle.journal = j.Journal(j.Header(j.FORMAT, ruleset.name, ruleset.version, Setup(), digest_every=0))
        battle.hold(state.copy())
        battle.state.views = {}
        return battle

    @staticmethod
    def on(ruleset: Ruleset, state: State, dice: Dice) -> "Battle":
        """A battle that goes on from a copy of a state between two steps, unwatched, up to its next question.

        For whoever plays forward: `questions`, `check` and `answer` work as ever, nothing is written and nothing can
        be taken back. Every side sees the state as it is.
        """
        battle = Battle.unwatched(ruleset, state, dice)
        battle._history.undoable = False
        battle._go_on()
        return battle

    # What rules say ----------------------------------------------------------------------------------------------

    def hold(self, state: State) -> None:
        """Make a state that of the battle."""
        self.state = state
        self.table = state.table  # the true one; rules ask for it all the time

    def happens(self, event: AnyEvent) -> int:
        """Let something happen: the table changes, the logs grow. Gives the event's number, to name it as a cause."""
        self._events += 1
        if not self.watched:
            self._change_unwatched(event)
            return self._events
        event = replace(event, n=self._events, step=event.step or self._step)
        history = self._history
        if not history.met_barrier and stops_undo(event):
            history.met_barrier = True
        state = self.state
        apply_to_all(state.table, state.views, event)
        if not history.replaying:
            self.logs.tell(event)
            self.journal.lines.append(j.Happened(event))
        return self._events

    def tells(self, make: Callable[[], AnyEvent]) -> int:
        """Let something happen that only tells and changes no table, such as a roll: made where somebody watches."""
        if self.watched:
            return self.happens(make())
        self._events += 1
        return self._events

    def _change_unwatched(self, event: AnyEvent) -> None:
        """Change the tables alone. Sides share what all know until an event tells some of them more than others."""
        state = self.state
        if (event.known_to or event.veils) and self._kept_apart:
            state.views = told_apart(state.table, state.views, self._kept_apart, event)
        apply_to_all(state.table, state.views, event)

    def push(self, *steps: Step) -> None:
        """Put steps in front of the agenda; the first of them comes first."""
        self.state.agenda.extend(reversed(steps))

    def note(self, event: HarmNoted, *, once: bool = False) -> int:
        """Note harm that will be settled at its moment. Gives the number of the entry in `state.due`.

        With `once` nothing is noted, and 0 given, while its like is under way or due already: a crash does not crash
        again.
        """
        if once and (_like(event) in self.state.under_way or any(_like(e) == _like(event) for e in self.state.due)):
            return 0
        n = self.happens(event)
        self.state.serial += 1
        entry = Due(self.state.serial, ThingId(event.target), event.moment, event.harm, event.rule, n, once)
        self.state.due.append(entry)
        return entry.id

    def cancel(self, due_id: int) -> Due:
        """Take something off what is due; it will not happen. The rule that cancels tells it by an event."""
        for entry in self.state.due:
            if entry.id == due_id:
                self.state.due.remove(entry)
                return entry
        raise KeyError(f"nothing with the number {due_id} is due")

    def settle(self, moment: str, target: str = "") -> Procedure[None]:
        """Let everything due at a moment happen inside a procedure: where control has to come back into its middle.

        Everywhere else `Settle` is pushed: a boundary then follows each thing that happens.
        """
        while self._due(moment, target):
            yield from self._settle_one(moment, target)

    def _due(self, moment: str, target: str) -> list[Due]:
        """What is left to settle: nothing once the battle has ended."""
        if self.state.table.ending:
            return []
        return [entry for entry in self.state.due if entry.moment == moment and target in ("", entry.target)]

    def _settle_one(self, moment: str, target: str) -> Procedure[None]:
        """Let the first of what is due at a moment happen."""
        entry = self.ruleset.next_due(self, self._due(moment, target))
        self.state.due.remove(entry)
        self.state.under_way = (*self.state.under_way, _like(entry))
        yield from self.ruleset.carry_out(self, entry)
        self.state.under_way = self.state.under_way[:-1]

    def _settle_step(self, step: Settle) -> Procedure[None]:
        """Settle one thing, and come back for the rest after whatever it has put in front."""
        if not self._due(step.moment, step.target):
            return
        self.push(step)
        yield from self._settle_one(step.moment, step.target)
        if self.state.agenda[-1] is step and not self._due(step.moment, step.target):
            self.state.agenda.pop()  # nothing is left, and no step is spent on finding that out

    def taken_with(self, entry: Due) -> list[Due]:
        """Take what else is due to the same target at the same moment: for rules that add harm up and apply it whole.

        Only `Ruleset.carry_out` may ask, about the entry it was given.
        """
        found = [other for other in self.state.due if (other.target, other.moment) == (entry.target, entry.moment)]
        self.state.due = [other for other in self.state.due if other not in found]
        return found

    def new_id(self, stem: str) -> str:
        """A fresh id for something that comes to the table."""
        self.state.serial += 1
        return f"{stem}-{self.state.serial}"

    def open_measuring(self) -> None:
        """Measuring is open from here on: what was declared before stands."""
        self._history.met_barrier = True

    # What sides say ----------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether the battle is over."""
        return self.state.table.ending is not None

    def view(self, side: Side) -> View:
        """What a side knows of the table."""
        views = self.state.views
        if side in views:
            table = views[side]
        else:  # nobody watches: it knows what all know
            table = views[SPECTATOR] if views else self.state.table
        view, happened = self._views.get(side, (None, 0))
        if view is None or view.table is not table or happened != self._events:
            view = View(side, table)
            self._views[side] = view, self._events
        return view

    def question_for(self, side: Side) -> AnyQuestion | None:
        """The question a side has to answer now, if any."""
        for at, question in enumerate(self.questions):
            if question.side == side and at not in self._pending:
                return question
        return None

    def check(self, draft: Any, side: Side = NO_SIDE) -> Refusal | Accepted:
        """Try an answer without giving it: a refusal, or a preview of what it brings."""
        at = self._asked(side)
        if isinstance(at, Refusal):
            return at
        question = self.questions[at]
        return check(self.ruleset, self.view(question.side), question, draft)

    def answer(self, draft: Any, side: Side = NO_SIDE) -> Refusal | None:
        """Answer the open question of a side (of the only one asked, if none is named).

        A refused answer changes nothing. `None` declines, where that may be done.
        """
        at = self._asked(side)
        if isinstance(at, Refusal):
            return at
        question = self.questions[at]
        found = judged_before(self.ruleset, self.view(question.side), question, draft)
        if isinstance(found, Refusal):
            return found
        raw, value = found
        line = j.Answered(question.side, fingerprint(question) if self.watched else "", raw)
        self.journal.lines.append(line)
        self._take(line, at, value)
        return None

    def may_undo(self, side: Side) -> Refusal | None:
        """Why a side may not take its last answer back now, or none: what `undo` would say. Changes nothing."""
        at = self._history.to_undo(self, side)
        return at if isinstance(at, Refusal) else None

    def undo(self, side: Side) -> Refusal | None:
        """Take back the last answer of a side, unless a barrier has come since: a die, a reveal, another's answer."""
        return self._history.undo(self, side)

    @property
    def asks_undo(self) -> Side:
        """The side that asks the others to let it take its last answer back; empty: none."""
        return self._history.asking

    def may_ask_undo(self, side: Side) -> Refusal | None:
        """Why a side may not ask to take its last answer back, or none. Changes nothing."""
        at = self._history.to_ask(self, side)
        return at if isinstance(at, Refusal) else None

    def ask_undo(self, side: Side, *, asks: bool = True) -> Refusal | None:
        """Ask the others to let a side take its last answer back though a barrier has come since; or ask no more.

        Whatever anybody answers meanwhile ends the asking.
        """
        return self._no_side(side) or self._history.ask(self, side, asks=asks)

    def answer_undo(self, side: Side, *, agrees: bool) -> Refusal | None:
        """Agree to what another side asks to take back, or refuse; when all others agree, it is taken back."""
        return self._no_side(side) or self._history.answer_asked(self, side, agrees=agrees)

    def order(self, order: StandingOrder, *, withdraw: bool = False) -> Refusal | None:
        """Give (or withdraw) a standing order; it answers from the next question on."""
        refusal = self._no_side(order.side)
        if refusal is not None:
            return refusal
        try:
            line = j.Ordered(replace(order, answer=plain_data(order.answer)), withdraw)
        except NotPlain as error:
            return Refusal(NO_RULE, f"That is no answer to anything: {error}.")
        self.journal.lines.append(line)
        self._keep(line)
        return None

    def concede(self, side: Side, *, why: str = "") -> Refusal | None:
        """A side gives up, at any time; or it is out of time or has been away, as whoever keeps the battle says."""
        refusal = self._no_side(side)
        if refusal is None and why not in CONCEDED:
            reasons = ", ".join(filter(None, CONCEDED))
            refusal = Refusal(NO_RULE, f"{side} may concede, or lose for one of these reasons: {reasons}.")
        if refusal is not None:
            return refusal
        self.journal.lines.append(j.Conceded(side, why))
        winner = self.ruleset.winner_by_concession(self.state.table, side)
        self._end(BattleEnded(winner, reason=f"{side} {CONCEDED[why]}", rule=self.ruleset.concession_rule))
        return None

    def offer_draw(self, side: Side, *, offers: bool = True) -> Refusal | None:
        """Offer a draw, or take the offer back; when every side offers one, the battle is drawn."""
        refusal = self._no_side(side)
        if refusal is not None:
            return refusal
        line = j.DrawOffered(side, offers)
        self.journal.lines.append(line)
        self._keep(line)
        return None

    def _no_side(self, side: Side) -> Refusal | None:
        """Why somebody has nothing to say here, or none."""
        if self.ended:
            return Refusal(NO_RULE, "The battle is over.")
        if side not in self.state.table.sides:
            return Refusal(NO_RULE, f"{side or 'A spectator'} has no side in this battle.")
        return None

    # Saving, copying ---------------------------------------------------------------------------------------------

    def digest(self) -> str:
        """A name of the whole state. For the keeper of the battle; seats get digests of their views."""
        self.state.draws = self.dice.draws
        return j.digest(self.state)

    def clone(self, dice: Dice | None = None) -> "Battle":
        """An independent battle at the same moment, its past cut off at the last boundary; its dice go on alike."""
        twin = Battle.__new__(Battle)
        twin._prepare(self.ruleset, dice or self.dice.copy())
        self._history.copy_to(twin, self)
        twin.logs = Logs(twin.state.views)
        return twin

    def close(self) -> None:
        """Let go of the step that is under way, which holds the battle itself: nobody plays it on here."""
        self._stop()

    def last_boundary(self) -> Boundary:
        """The last boundary, where nothing is under way: its state, and how much had been said and written by then.

        For who keeps battles: the journal's lines up to there, the state as a snapshot, and the battle goes on from it.
        """
        boundary = self._history.last()
        return boundary._replace(state=boundary.state.copy())

    def boundary(self) -> State:
        """The state at the last boundary: what exact odds start from."""
        return self.last_boundary().state

    def saved(self) -> j.Journal:
        """The journal with a snapshot in its place: the earliest boundary that undo may still need."""
        return self._history.saved(self.journal)

    @classmethod
    def at_boundary(
        cls, ruleset: Ruleset, header: j.Header, past: Sequence[j.Line], state: State, events: int
    ) -> "Battle":
        """The battle at a boundary, with its past: its state there, how many events there were; it goes on."""
        if header.seed is None:
            raise j.JournalError("A battle with scripted dice cannot be resumed: its journal has no seed.")
        battle = cls.__new__(cls)
        battle._prepare(ruleset, SeededDice(header.seed))
        battle.journal = j.Journal(header, list(past))
        battle.hold(state)
        battle.dice.draws = state.draws
        battle.logs = Logs(state.views)
        for event in battle.journal.events():
            battle.logs.tell(event)
        battle._events = events
        battle._go_on()
        battle._history.met_barrier = False
        return battle

    # How it goes on ----------------------------------------------------------------------------------------------

    def _asked(self, side: Side) -> int | Refusal:
        """Which of the open questions a side answers next."""
        if self.ended:
            return Refusal(NO_RULE, "The battle is over.")
        if not side and len(self.questions) > 1:
            return Refusal(NO_RULE, "Say which side answers: several are asked.")
        for at, question in enumerate(self.questions):
            if at not in self._pending and side in ("", question.side):
                return at
        return Refusal(NO_RULE, f"{side or 'Nobody'} is not asked anything now.")

    def _take(self, line: j.Answered, at: int, value: Any) -> None:
        """Take an accepted answer, and go on once all that were asked together are answered."""
        if self._waiting == 0 and self._history.last_side() not in ("", line.side):
            self._history.bar()
        self._history.keep(line, self._events, at, value)
        self._history.asking = NO_SIDE
        if self.state.offers:
            self.state.offers = tuple(side for side in self.state.offers if side != line.side)
        self._receive(at, value)
        self._waiting += 1
        if len(self._pending) < len(self.questions):
            return
        draws = self.dice.draws
        self._go_on(self._collected())
        if self._history.met_barrier or self.dice.draws != draws:
            self._history.bar()
        self._history.met_barrier = False

    def _receive(self, at: int, value: Any) -> None:
        """Keep the answer to one of the open questions; a sealed one is told as chosen, its value to its side alone."""
        question = self.questions[at]
        if question.sealed:
            self.happens(sealed(question, value))
        self._pending[at] = value

    def _collected(self) -> Any:
        """All have answered: show what was sealed until then, and give the answers as the procedure expects them."""
        if not self._several and not self.questions[0].sealed:
            value = self._pending.pop(0)
            self._waiting = 0
            return value
        answers = tuple(self._pending[at] for at in range(len(self.questions)))
        if len(answers) > 1:
            self._history.met_barrier = True
        for question, value in zip(self.questions, answers, strict=True):
            if question.sealed == UNTIL_ALL_ANSWER:
                self.happens(shown(question, value))
        self._pending, self._waiting = {}, 0
        return answers if self._several else answers[0]

    def _open(self, asked: AnyQuestion | tuple[AnyQuestion, ...]) -> None:
        """Put the questions that a procedure asks."""
        self._several = isinstance(asked, tuple)
        self.questions = asked if isinstance(asked, tuple) else (asked,)

    def _ask(self, procedure: Procedure[None], value: Any) -> AnyQuestion | tuple[AnyQuestion, ...]:
        """Go on with a procedure until it asks something that has more than one answer."""
        asked = procedure.send(value)
        while isinstance(asked, Settled):
            self.settled.append(asked)
            asked = procedure.send(asked.answer)
        return asked

    def _go_on(self, value: Any = None) -> None:
        """Run procedures until one asks something that no standing order answers, or the battle ends."""
        self.questions = ()
        self.settled = []
        while True:
            if self._running is None:
                self._mark_boundary()
                if self.state.table.ending is not None or not self.state.agenda:
                    return
                self._running, value = self._next_step(), None
            try:
                asked = self._ask(self._running, value)
            except StopIteration:
                self._running = None
                continue
            if self.state.table.ending is not None:
                self._running.close()
                self._running = None
                continue
            self._open(asked)
            self._answer_by_order()
            if len(self._pending) < len(self.questions):
                return
            value = self._collected()

    def _next_step(self) -> Procedure[None]:
        """Take the top step off the agenda and begin it."""
        step = self.state.agenda.pop()
        self.state.steps += 1
        self._step = step.name()
        return self._settle_step(step) if isinstance(step, Settle) else self.ruleset.procedure(self, step)

    def _answer_by_order(self) -> None:
        if not self.state.orders:
            return
        for at, question in enumerate(self.questions):
            view = self.view(question.side)
            order = order_for(self.ruleset, view, self.state.orders, question)
            if order is None:
                continue
            value = proper_answer(self.ruleset, view, question, order.answer)
            if not isinstance(value, Refusal):
                # It is an answer, though nobody pressed a key: another side's stops undo.
                self._history.met_barrier |= self._history.last_side() != question.side
                self._receive(at, value)

    def _mark_boundary(self) -> None:
        state = self.state
        state.draws = self.dice.draws
        if not self.watched:
            return
        self._history.mark(self)
        every = self.journal.header.digest_every
        due = (every and state.steps % every == 0) or state.table.ending is not None
        if due and not self._history.replaying:
            self.journal.lines.append(j.Digested(state.steps, j.digest(state)))

    def _start(self) -> None:
        """Start from the state as it stands."""
        self._stop()
        self._go_on()

    def _say_again(self, said: Said) -> None:
        """Take something that was said before; it was lawful, and is not judged again."""
        if not isinstance(said.line, j.Answered):
            self._keep(said.line)
            return
        self._take(said.line, said.at, said.value)

    def _keep(self, line: j.Ordered | j.DrawOffered) -> None:
        """Keep a standing order or a draw offer; when all offer a draw, the battle is drawn."""
        self._history.keep(line, self._events)
        if isinstance(line, j.Ordered):
            self.state.orders = with_order(self.state.orders, line.order, withdrawn=line.withdrawn)
            return
        others = tuple(side for side in self.state.offers if side != line.side)
        self.state.offers = (*others, line.side) if line.offers else others
        if len(self.state.offers) == len(self.state.table.sides):
            self._end(BattleEnded(NO_SIDE, reason="draw by agreement", rule=self.ruleset.draw_rule))

    def _stop(self) -> None:
        if self._running is not None:
            self._running.close()
        self._running, self.questions, self._pending, self._waiting = None, (), {}, 0

    def _end(self, event: BattleEnded) -> None:
        self._stop()
        self.happens(event)
        self._history.bar()
        self._mark_boundary()


def _like(due: Due | HarmNoted) -> str:
    """By what one thing that is due is like another: what it does, to whom."""
    return f"{due.harm.what}: {due.target}"
