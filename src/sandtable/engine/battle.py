"""A battle: its state, the questions that are open, and everything that may be said to it.

The agenda is a stack of steps; the ruleset turns the top one into a procedure, a generator that asks. Between two steps
is a boundary: no generator is alive and the state is plain data. Undo and clone go back to a boundary and give the
answers since then again, so nothing that must survive a boundary may live in a local variable.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.json import decode, encode
from msgspec.structs import replace

from sandtable.engine import journal as j
from sandtable.engine.checking import decoded, refused_form
from sandtable.engine.dice import Dice, SeededDice
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    HarmNoted,
    Revealed,
    Sealed,
    TakenBack,
    apply,
    seen_by,
    stops_undo,
)
from sandtable.engine.questions import UNTIL_ALL_ANSWER, AnyQuestion, Plan, Preview, Refusal, fingerprint
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.state import Due, StandingOrder, State, Step
from sandtable.engine.table import Ground, Table, Value

#: The side of a spectator, who knows what everybody knows.
SPECTATOR = ""


class Accepted:
    """A draft that may be answered. Its preview is computed when somebody asks for it."""

    def __init__(self, make: Callable[[], Preview]) -> None:
        self._make = make

    def preview(self) -> Preview:
        """What the draft would bring."""
        return self._make()


class _Answer(NamedTuple):
    """One answer that counts (undone ones do not), and how many events there were before it."""

    line: "j.Answered | j.Ordered"
    events: int


class _Boundary(NamedTuple):
    state: State
    answers: int  # how many answers had been given
    events: int
    lines: int  # how many lines the journal had


class SideLog:
    """The events one side has seen, numbered by itself."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.numbers: dict[int, int] = {}  # the battle's number of an event → this side's

    def add(self, event: AnyEvent) -> None:
        """Take an event that this side may see, as it may see it."""
        n = len(self.events) + 1
        self.numbers[event.n] = n
        self.events.append(replace(event, n=n, because=self.numbers.get(event.because, 0)))

    def up_to(self, n: int) -> int:
        """This side's number of the last event it saw up to the battle's number."""
        while n > 0 and n not in self.numbers:
            n -= 1
        return self.numbers.get(n, 0)


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
    ) -> None:
        self._prepare(ruleset, dice or SeededDice(seed))
        setup = setup or Setup()
        shown_seed = seed if dice is None else None
        self.journal = j.Journal(
            j.Header(j.FORMAT, ruleset.name, ruleset.version, setup, shown_seed, "", ruleset.digests(), digest_every)
        )
        table = Table(Ground(0, 0), setup.sides, options=dict(setup.options))
        self.state = State(table, {side: table.copy() for side in (*setup.sides, SPECTATOR)})
        self.logs.update((side, SideLog()) for side in self.state.views)
        ruleset.open(self, setup)
        self._go_on()

    def _prepare(self, ruleset: Ruleset, dice: Dice) -> None:
        self.ruleset = ruleset
        self.dice = dice
        self.questions: tuple[AnyQuestion, ...] = ()
        self._prints: tuple[str, ...] = ()  # the fingerprints of the open questions
        self._several = False
        self.watched = True
        self.logs: dict[str, SideLog] = {}
        self._pending: dict[str, Any] = {}  # fingerprint → answer, while others of a tuple are open
        self._running: Procedure[None] | None = None
        self._step = ""
        self._events = 0
        self._answers: list[_Answer] = []
        self._boundaries: list[_Boundary] = []
        self._barrier = 0  # answers before this one stand
        self._met_barrier = False
        self._again = False  # giving old answers again: nothing is logged
        self._again_from = 0  # the journal's line at the boundary they are given from

    # What rules say ----------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The true table."""
        return self.state.table

    def happens(self, event: AnyEvent) -> int:
        """Let something happen: the table changes, the logs grow. Gives the event's number, to name it as a cause."""
        self._events += 1
        event = replace(event, n=self._events, step=event.step or self._step)
        apply(self.state.table, event)
        if stops_undo(event):
            self._met_barrier = True
        if self.watched:
            for side, table in self.state.views.items():
                seen = seen_by(event, side)
                if seen is not None:
                    apply(table, seen)
            if not self._again:
                self._log(event)
                self.journal.lines.append(j.Happened(event))
        return self._events

    def _log(self, event: AnyEvent) -> None:
        """Write an event into the log of every side that sees it."""
        for side, log in self.logs.items():
            if isinstance(event, TakenBack):
                log.add(replace(event, to=log.up_to(event.to)))
                continue
            seen = seen_by(event, side)
            if seen is not None:
                log.add(seen)

    def push(self, *steps: Step) -> None:
        """Put steps in front of the agenda; the first of them comes first."""
        self.state.agenda.extend(reversed(steps))

    def note(self, event: HarmNoted, *, once: bool = False) -> int:
        """Note harm that will be settled at its moment. Gives the number of the entry in `state.due`."""
        n = self.happens(event)
        self.state.serial += 1
        entry = Due(self.state.serial, event.target, event.moment, event.harm, event.rule, n, once)
        self.state.due.append(entry)
        return entry.id

    def cancel(self, due_id: int) -> Due:
        """Take something off what is due; it will not happen. The rule that cancels tells it by an event."""
        entry = next(entry for entry in self.state.due if entry.id == due_id)
        self.state.due.remove(entry)
        return entry

    def settle(self, moment: str) -> Procedure[None]:
        """Let everything due at a moment happen, and what that causes for the same moment, until nothing is left."""
        while True:
            entries = [entry for entry in self.state.due if entry.moment == moment]
            if not entries or self.state.table.ending:
                return
            entry = self.ruleset.next_due(self, entries)
            self.state.due.remove(entry)
            like = f"{entry.harm.what}: {entry.target}"
            if entry.once and like in self.state.under_way:
                continue
            self.state.under_way = (*self.state.under_way, like)
            yield from self.ruleset.carry_out(self, entry)
            self.state.under_way = self.state.under_way[:-1]

    def new_id(self, stem: str) -> str:
        """A fresh id for something that comes to the table."""
        self.state.serial += 1
        return f"{stem}-{self.state.serial}"

    def open_measuring(self) -> None:
        """Measuring is open from here on: what was declared before stands."""
        self._met_barrier = True

    # What sides say ----------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether the battle is over."""
        return self.state.table.ending is not None

    def view(self, side: str) -> View:
        """What a side knows of the table."""
        return View(side, self.state.views[side] if self.watched else self.state.table)

    def question_for(self, side: str) -> AnyQuestion | None:
        """The question a side has to answer now, if any."""
        for question, name in zip(self.questions, self._prints, strict=True):
            if question.side == side and name not in self._pending:
                return question
        return None

    def check(self, draft: Any, side: str = "") -> Refusal | Accepted:
        """Try an answer without giving it: a refusal, or a preview of what it brings."""
        question = self._asked(side)
        if isinstance(question, Refusal):
            return question
        return check(self.ruleset, self.view(question.side), question, draft)

    def answer(self, draft: Any, side: str = "") -> Refusal | None:
        """Answer the open question of a side (of the only one asked, if none is named).

        A refused answer changes nothing. `None` declines, where that may be done.
        """
        question = self._asked(side)
        if isinstance(question, Refusal):
            return question
        value = proper_answer(self.ruleset, self.view(question.side), question, draft)
        if isinstance(value, Refusal):
            return value
        told = decode(encode(draft))
        line = j.Answered(question.side, self._prints[self.questions.index(question)], told)
        self.journal.lines.append(line)
        self._take(line, question, value)
        return None

    def undo(self, side: str) -> Refusal | None:
        """Take back the last answer of a side, unless a barrier has come since: a die, a reveal, another's answer."""
        if self.ended:
            return Refusal("", "The battle is over; nothing is taken back.")
        at = self._last_to_undo(side)
        if at is None:
            return Refusal("", "Nothing can be taken back: a die, a reveal or another side's answer has come since.")
        self.journal.lines.append(j.Undone(side))
        kept = self._answers[at].events
        later = self._answers[at + 1 :]
        self._back_to(at)
        self._take_back(side, kept)
        # Sealed answers of other sides to the same moment stand; they are given again, behind the one taken back.
        for answer in later:
            assert isinstance(answer.line, j.Answered)
            question = self.questions[self._prints.index(answer.line.question)]
            self._take(answer.line, question, self._value(question, answer.line.answer))
        return None

    def _last_to_undo(self, side: str) -> int | None:
        """Which answer a side would take back: its last, if nothing but sealed answers to the same moment followed."""
        for at in range(len(self._answers) - 1, self._barrier - 1, -1):
            line = self._answers[at].line
            if _side_of(line) == side:
                return at
            if not (isinstance(line, j.Answered) and line.question in self._pending):
                return None
        return None

    def order(self, order: StandingOrder, *, withdraw: bool = False) -> None:
        """Give (or withdraw) a standing order; it answers from the next question on."""
        line = j.Ordered(replace(order, answer=decode(encode(order.answer))), withdraw)
        self.journal.lines.append(line)
        self._answers.append(_Answer(line, self._events))
        self._keep_order(line)

    def concede(self, side: str) -> None:
        """A side gives up, at any time."""
        if self.ended:
            return
        self.journal.lines.append(j.Conceded(side))
        winner = self.ruleset.winner_by_concession(self.state.table, side)
        self._end(BattleEnded(winner, reason=f"{side} concedes", rule=self.ruleset.concession_rule))

    def offer_draw(self, side: str, *, offers: bool = True) -> None:
        """Offer a draw, or take the offer back; when every side offers one, the battle is drawn."""
        if self.ended:
            return
        self.journal.lines.append(j.DrawOffered(side, offers))
        others = tuple(other for other in self.state.offers if other != side)
        self.state.offers = (*others, side) if offers else others
        self._forget_the_way_back()
        if len(self.state.offers) == len(self.state.table.sides):
            self._end(BattleEnded("", reason="draw by agreement", rule=self.ruleset.draw_rule))

    # Saving, copying ---------------------------------------------------------------------------------------------

    def digest(self) -> str:
        """A name of the whole state. For the keeper of the battle; seats get digests of their views."""
        self.state.draws = self.dice.draws
        return j.digest(self.state)

    def clone(self, dice: Dice | None = None) -> "Battle":
        """An independent battle at the same moment, without the past; its dice go on as these would."""
        twin = Battle.__new__(Battle)
        twin._prepare(self.ruleset, dice or _same_dice(self.dice))
        twin.journal = j.Journal(self.journal.header)
        boundary = self._boundaries[-1]
        twin.state = boundary.state.copy()
        twin.dice.draws = boundary.state.draws
        twin._events = boundary.events
        twin.logs = {side: SideLog() for side in twin.state.views}
        twin._give_again(self._answers[boundary.answers :])
        twin._events = self._events
        return twin

    def saved(self) -> j.Journal:
        """The journal with a snapshot in its place: the earliest boundary that undo may still need."""
        boundary, lines = self._boundaries[0], self.journal.lines
        snapshot = j.Snapshot(boundary.events, j.frozen_state(boundary.state))
        return j.Journal(self.journal.header, [*lines[: boundary.lines], snapshot, *lines[boundary.lines :]])

    @staticmethod
    def at_boundary(ruleset: Ruleset, header: j.Header, past: Sequence[j.Line], snapshot: j.Snapshot) -> "Battle":
        """The battle at the boundary of a snapshot, with its past; it goes on from there."""
        if header.seed is None:
            raise j.JournalError("A battle with scripted dice cannot be resumed: its journal has no seed.")
        battle = Battle.__new__(Battle)
        battle._prepare(ruleset, SeededDice(header.seed))
        battle.journal = j.Journal(header, list(past))
        battle.state = j.thawed_state(snapshot.state, ruleset)
        battle.dice.draws = battle.state.draws
        battle.logs = {side: SideLog() for side in battle.state.views}
        for event in battle.journal.events():
            battle._log(event)
        battle._events = snapshot.events
        battle._go_on()
        return battle

    # How it goes on ----------------------------------------------------------------------------------------------

    def _asked(self, side: str) -> AnyQuestion | Refusal:
        if self.ended:
            return Refusal("", "The battle is over.")
        if not side:
            if len(self.questions) != 1:
                return Refusal("", "Say which side answers: several are asked.")
            return self.questions[0]
        question = self.question_for(side)
        return question if question is not None else Refusal("", f"{side} is not asked anything now.")

    def _take(self, line: j.Answered, question: AnyQuestion, value: Any) -> None:
        """Give an accepted answer to the procedure that waits for it, once all of its questions are answered."""
        if not self._pending and self._answers and _side_of(self._answers[-1].line) != line.side:
            self._barrier = len(self._answers)
        self._answers.append(_Answer(line, self._events))
        if line.side in self.state.offers:
            self.state.offers = tuple(side for side in self.state.offers if side != line.side)
        if question.sealed:
            secret = _secret(value)
            veil: dict[str, tuple[str, ...]] = {"value": (line.side,)}
            rule = question.rules[0] if question.rules else ""
            self.happens(Sealed(line.side, question.topic, secret, veils=veil, rule=rule))
        self._pending[line.question] = value
        if len(self._pending) < len(self.questions):
            return
        if len(self.questions) > 1:
            self._met_barrier = True
            self._reveal_together()
        draws = self.dice.draws
        self._go_on(self._collected())
        if self._met_barrier or self.dice.draws != draws:
            self._barrier = len(self._answers)
            self._met_barrier = False
            self._drop_boundaries()

    def _collected(self) -> Any:
        """The answers to the open questions, as the procedure expects them."""
        answers = tuple(self._pending[name] for name in self._prints)
        self._pending = {}
        return answers if self._several else answers[0]

    def _reveal_together(self) -> None:
        """All have answered: what was sealed until then is shown."""
        for question, name in zip(self.questions, self._prints, strict=True):
            if question.sealed == UNTIL_ALL_ANSWER:
                what, rule = f"{question.side}: {question.topic}", question.rules[0] if question.rules else ""
                self.happens(Revealed(what, value=_secret(self._pending[name]), rule=rule))

    def _value(self, question: AnyQuestion, raw: Any) -> Any:
        """The value of an answer that has been accepted before."""
        value = proper_answer(self.ruleset, self.view(question.side), question, raw)
        assert not isinstance(value, Refusal), f"an answer once accepted is refused when given again: {value}"
        return value

    def _go_on(self, value: Any = None) -> None:
        """Run procedures until one asks something that no standing order answers, or the battle ends."""
        self.questions, self._prints = (), ()
        while True:
            if self._running is None:
                if self.state.table.ending is not None or not self.state.agenda:
                    self._mark_boundary()
                    return
                self._mark_boundary()
                step = self.state.agenda.pop()
                self.state.steps += 1
                self._step = step.name()
                self._running = self.ruleset.procedure(self, step)
                value = None
            try:
                asked = self._running.send(value)
            except StopIteration:
                self._running = None
                continue
            if self.state.table.ending is not None:
                self._running.close()
                self._running = None
                continue
            self._several = isinstance(asked, tuple)
            self.questions = asked if isinstance(asked, tuple) else (asked,)
            self._prints = tuple(fingerprint(question) for question in self.questions)
            self._answer_by_order()
            if len(self._pending) < len(self.questions):
                return
            value = self._collected()

    def _answer_by_order(self) -> None:
        for question, name in zip(self.questions, self._prints, strict=True):
            order = self._order_for(question)
            if order is None:
                continue
            value = proper_answer(self.ruleset, self.view(question.side), question, order.answer)
            if not isinstance(value, Refusal):
                self._pending[name] = value
                # It is an answer, though nobody pressed a key: another side's stops undo.
                self._met_barrier |= not self._answers or _side_of(self._answers[-1].line) != question.side

    def _order_for(self, question: AnyQuestion) -> StandingOrder | None:
        for order in self.state.orders:
            if order.side != question.side or order.rule not in question.rules:
                continue
            facts = dict(question.facts)
            if any(condition.fact == "chance" for condition in order.when) and "chance" not in facts:
                chance = self.ruleset.chance(self.view(question.side), question)
                if chance is not None:
                    facts["chance"] = chance
            if all(condition.holds(facts) for condition in order.when):
                return order
        return None

    def _mark_boundary(self) -> None:
        self.state.draws = self.dice.draws
        state = self.state
        if self._boundaries and self._boundaries[-1].answers == len(self._answers):
            self._boundaries.pop()
        lines = self._again_from if self._again else len(self.journal.lines)
        self._boundaries.append(_Boundary(state.copy(), len(self._answers), self._events, lines))
        every = self.journal.header.digest_every
        due = (every and state.steps % every == 0) or state.table.ending is not None
        if due and self.watched and not self._again:
            self.journal.lines.append(j.Digested(state.steps, j.digest(state)))

    def _drop_boundaries(self) -> None:
        """Forget the boundaries that undo can no longer reach."""
        keep = len(self._boundaries) - 1
        while keep > 0 and self._boundaries[keep].answers > self._barrier:
            keep -= 1
        del self._boundaries[:keep]

    def _back_to(self, upto: int) -> None:
        """Be again as after the first so many answers."""
        while self._boundaries[-1].answers > upto:
            self._boundaries.pop()
        boundary = self._boundaries.pop()
        again = self._answers[boundary.answers : upto]
        del self._answers[boundary.answers :]
        self.state = boundary.state.copy()
        self.dice.draws = boundary.state.draws
        self._events = boundary.events
        self._again_from = boundary.lines
        self._give_again(again)

    def _give_again(self, answers: Sequence[_Answer]) -> None:
        """Start from the state as it stands and give answers that were given before; nothing is logged twice."""
        if self._running is not None:
            self._running.close()
        self._running, self.questions, self._prints, self._pending = None, (), (), {}
        self._again = True
        self._go_on()
        for answer in answers:
            self._events = answer.events
            if isinstance(answer.line, j.Ordered):
                self._answers.append(answer)
                self._keep_order(answer.line)
                continue
            asked: AnyQuestion = self.questions[self._prints.index(answer.line.question)]
            self._take(answer.line, asked, self._value(asked, answer.line.answer))
        self._again = False
        self._met_barrier = False

    def _keep_order(self, line: j.Ordered) -> None:
        order = line.order
        others = tuple(o for o in self.state.orders if (o.side, o.rule, o.when) != (order.side, order.rule, order.when))
        self.state.orders = others if line.withdrawn else (*others, order)

    def _take_back(self, side: str, kept: int) -> None:
        self._events = self._last_number() + 1
        event = TakenBack(side, kept, n=self._events)
        self.journal.lines.append(j.Happened(event))
        self._log(event)

    def _last_number(self) -> int:
        for line in reversed(self.journal.lines):
            if isinstance(line, j.Happened):
                return line.event.n
        return self._events

    def _forget_the_way_back(self) -> None:
        self._barrier = len(self._answers)

    def _end(self, event: BattleEnded) -> None:
        if self._running is not None:
            self._running.close()
        self._running, self.questions, self._prints, self._pending = None, (), (), {}
        self.happens(event)
        self._forget_the_way_back()
        self._mark_boundary()


def check(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Refusal | Accepted:
    """Judge a draft by what a side knows: a refusal, or a lazy preview. Pure: it needs no battle."""
    value = proper_answer(ruleset, view, question, draft)
    if isinstance(value, Refusal):
        return value
    return Accepted(lambda: ruleset.preview(view, question, value).allowed(question.shows))


def proper_answer(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Any:
    """The answer a draft comes to, in its proper types and with the default for a decline; or a refusal."""
    value = decoded(question, to_builtins(draft, str_keys=True))
    if isinstance(value, Refusal):
        return value
    refusal = refused_form(question, value)
    if refusal is not None:
        return refusal
    if value is None:
        if question.default is None:
            return None
        value = question.default
    if isinstance(question, Plan):
        value = _plan_answer(ruleset, view, question, value)
        if isinstance(value, Refusal):
            return value
    return ruleset.judge(view, question, value) or value


def _plan_answer(ruleset: Ruleset, view: View, plan: Plan, draft: dict[str, Any]) -> dict[str, Any] | Refusal:
    """A plan with every part in its proper types, in the order of the parts; refuses what is missing or unasked."""
    answers: dict[str, Any] = {}
    while True:
        parts = [part for part in ruleset.parts(view, plan, answers) if part.id not in answers]
        ready = next((part for part in parts if part.id in draft), None)
        if ready is None:
            break
        value = proper_answer(ruleset, view, ready.question, draft[ready.id])
        if isinstance(value, Refusal):
            return value
        answers[ready.id] = value
    for part in parts:
        if not part.optional:
            return Refusal(plan.rules[0] if plan.rules else "", f"Still to be said: {part.question.prompt}")
    extra = [name for name in draft if name not in answers]
    if extra:
        return Refusal(plan.rules[0] if plan.rules else "", f"Nothing here asks for {', '.join(extra)}.")
    return answers


def _side_of(line: "j.Answered | j.Ordered") -> str:
    return line.order.side if isinstance(line, j.Ordered) else line.side


def _secret(value: Any) -> Value:
    """A sealed answer as a value the table can hold."""
    if isinstance(value, str | int):
        return value
    return tuple(value) if isinstance(value, tuple) else encode(value).decode()


def _same_dice(dice: Dice) -> Dice:
    return SeededDice(dice.seed, dice.draws) if isinstance(dice, SeededDice) else dice
