"""Plays the steps of a case through the same questions and answers as any battle, and compares what comes of them."""

import traceback
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from sandtable.engine.answers.judging import Accepted, offered
from sandtable.engine.battle import Battle
from sandtable.engine.dice import OutOfFaces
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan, Refusal, Settled, fingerprint
from sandtable.engine.records import journal as j
from sandtable.engine.state import State
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, nearest
from sandtable.lab.cases import matching, spelling, standing
from sandtable.lab.cases.answers import declines, idles
from sandtable.lab.cases.asking import asked_value
from sandtable.lab.cases.drafts import Draft, Drafter, Keys, may_decline
from sandtable.lab.cases.form import Case, Step
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.no_more import NO_MORE, leads_on, may_end
from sandtable.lab.cases.passing import passed_over, stood_before
from sandtable.lab.cases.same import Watcher
from sandtable.lab.cases.scripted import CaseDice
from sandtable.lab.cases.telling import (
    Difference,
    Row,
    event_words,
    question_words,
    value_words,
)
from sandtable.lab.cases.unasked import Unasked, offered_rows, refusal_words
from sandtable.tabletop.actions import ACTION
from sandtable.tabletop.case_words import CaseWords

#: A step that answers more questions than this goes round in circles.
MOST_ANSWERS = 500


class Played(msgspec.Struct, frozen=True):
    """One step of a case that was played: the boundary before it, what was answered in it, whether dice fell."""

    line: int
    before: State
    answers: tuple[tuple[str, Any], ...]
    rolled: bool


class Differs(Exception):
    """The step has met a difference; `stuck` where the steps after it cannot be played either."""

    def __init__(self, headline: str, *rows: Row, stuck: bool = False, told: bool = True) -> None:
        super().__init__(headline)
        self.headline = headline
        self.rows = rows
        self.stuck = stuck
        self.told = told  # whether what happened in the step helps


class Playing:
    """One case being played."""

    def __init__(self, case: Case, words: CaseWords, known: KnownWords, *, watchers: Sequence[Side] = ()) -> None:
        self.case = case
        self.words = words
        self.known = known
        self.dice = CaseDice(words.dice_names)
        self.dice.script(case.dice, case.cards)
        self.battle: Battle | None = None
        self.started = 0  # the journal's line at which the step began
        self.played: list[Played] = []
        self.seen = 0  # how many events the side whose eyes the step uses had seen by then
        self.put: list[AnyQuestion] = []  # the questions that the step has brought up
        self.declined: list[AnyQuestion] = []  # those that it has declined
        self.settled: list[Settled] = []  # what had one answer only in the step, before the last answer
        self.shown: set[str] = set()  # what previews have said
        self.refusal: Refusal | None = None  # what the step was refused with
        self.actor = ""  # the unit that has chosen an action last
        self.lead: dict[str, Data] = {}  # what a step has chosen that is refused: the next ones say by which rules
        self.watchers = {side: Watcher(side) for side in watchers}

    def all_steps(self) -> list[Difference]:
        """Play step after step; one that differs does not keep the others from being played, where they can be."""
        try:
            start = spelling.as_listed(self.known.listed, self.case.start)
            setup = self.words.start(start)
            self.fight = Battle(self.words.ruleset, setup, dice=self.dice, digest_every=0)
            spelling.check_start(self.known, self.fight.table, start)
        except OutOfFaces as problem:
            return [Difference(self.case.line, f"the dice of the set-up do not do: {problem}")]
        except FileError:
            raise
        except Exception as problem:
            return [self._broke(self.case.line, problem, "setting up the table")]
        self.battle = self.fight
        if not start.has("turn") and not start.has("next"):  # the set-up goes on with questions
            self.dice.keep_cards()
        for side in self.watchers:
            if side not in self.fight.table.sides:
                found = f"there is no side `{side}`"
                raise CaseError(str(self.case.path), self.case.line, found, nearest(side, self.fight.table.sides))
        differences: list[Difference] = self._dice_differ(self.case.line, "the set-up", self._events())
        if differences:
            return differences
        self._watch(self.case.line)
        self.drafter = Drafter(self.words, self.fight, self.known)
        for n, step in enumerate(self.case.play):
            following = self.case.play[n + 1] if n + 1 < len(self.case.play) else None
            before, draws = self.fight.boundary(), self.dice.draws
            came, stuck = self._step(step, following)
            differences += came
            self._watch(step.line)
            if stuck:
                left = len(self.case.play) - n - 1
                if left:
                    more = f"{left} step{'s' if left > 1 else ''} after this {'were' if left > 1 else 'was'} not played"
                    last = differences[-1]
                    differences[-1] = msgspec.structs.replace(last, happened=(*last.happened, more))
                break
            lines = self.fight.journal.lines[self.started :]
            answers = tuple((line.question, line.answer) for line in lines if isinstance(line, j.Answered))
            self.played.append(Played(step.line, before, answers, self.dice.draws > draws))
        if self.dice.later and not differences:
            found = f"the battle does not use up the cards {value_words(tuple(self.dice.later))} of the set-up"
            differences.append(Difference(self.case.line, found))
        return differences

    def _watch(self, line: int) -> None:
        for watcher in self.watchers.values():
            watcher.look(self.fight, line, self.refusal)

    def _step(self, step: Step, following: Step | None) -> tuple[list[Difference], bool]:
        """Play a step: what differs, and whether the case is stuck."""
        self.started = len(self.fight.journal.lines)
        self.put, self.declined, self.settled, self.refusal = [], [], [], None
        if step.form.seen_by:
            self.seen = len(self.fight.logs[self._side(step, "seen_by")].events)
        self.dice.script(step.dice, step.form.cards)
        try:
            getattr(self, f"_{step.verb or 'look'}")(step, following)
        except Differs as differs:
            told = self._happened() if differs.told else ()
            found = [Difference(step.line, differs.headline, differs.rows, told)]
            return ([*found, *self._judged(step)] if not differs.stuck else found), differs.stuck
        except OutOfFaces as problem:
            found = self._dice_differ(step.line, "the step", self._events())
            return found or [Difference(step.line, f"the dice do not do: {problem}")], True
        except FileError:
            raise
        except Exception as problem:
            return [self._broke(step.line, problem, f"playing `{step.verb}`")], True
        return self._judged(step), False

    def _dice_differ(self, line: int, what: str, events: Sequence[Any]) -> list[Difference]:
        """What differs between the dice and cards that a case gives and those that fell."""
        rows = tuple(self.dice.rows(events))
        if self.dice.wrong:
            return [Difference(line, f"the dice of {what} do not do: {self.dice.wrong}", rows)]
        if self.dice.left:
            return [Difference(line, f"{what} does not use up the {self.dice.left}", rows)]
        if not all(row.same for row in rows):
            return [Difference(line, f"a die of {what} falls for something else than its name says", rows)]
        return []

    def _broke(self, line: int, problem: Exception, when: str) -> Difference:
        trace = "".join(traceback.format_exception(problem)[-4:])
        return Difference(line, f"the program broke while {when}: {type(problem).__name__}: {problem}", trace=trace)

    def _events(self) -> list[Any]:
        return [line.event for line in self.fight.journal.lines[self.started :] if isinstance(line, j.Happened)]

    def _happened(self) -> tuple[str, ...]:
        told = [event_words(event) for event in self._events()]
        told += [f"declined: {question_words(question)}" for question in self.declined]
        told += [question_words(question) for question in self._open()]
        return tuple(told) or ("nothing",)

    def _open(self) -> list[AnyQuestion]:
        """The open questions, those that wait for the others to answer left out."""
        asked = [self.fight.question_for(side) for side in self.fight.table.sides]
        return [question for question in asked if question is not None]

    # What steps do -----------------------------------------------------------------------------------------------

    def _look(self, step: Step, following: Step | None) -> None:
        """The step only says how things stand."""

    def _do(self, step: Step, following: Step | None) -> None:
        assert step.form.do is not None
        spelling.check_keys(self.known.listed, self.fight.table, step.form.do)
        keys = Keys(step.form.do)
        if self.lead:  # what would have followed from what was refused may be declined
            keys.use([key for key, said in keys.now.items() if declines(said) or said.node.value == {}])
            if not keys.left:
                return
        self.lead, self.drafter.refusing = {}, False
        self._use_settled(keys)
        for _ in range(MOST_ANSWERS):
            question = self._next_question(keys, step.form.by)
            if question is None or not self.drafter.names(keys.now, question):
                keys.use([key for key, said in keys.now.items() if idles(said) and passed_over(self.fight, key)])
            if question is None or (not keys.left and self._stops(question, keys, step, following)):
                break
            draft = self._draft(keys, question)
            if draft.value is None and not keys.left and self._is_over(question, step):
                break
            if self._only_leads_up(question, draft, keys, following):
                self.lead = dict(keys.left)
                return
            self._answer(question, draft, keys)
            if self.dice.wrong:
                raise OutOfFaces(self.dice.wrong)
        else:
            raise Differs(f"the step has answered {MOST_ANSWERS} questions and more come", stuck=True)
        if keys.left and not (self.fight.ended and all(idles(said) for _, said in keys.left)):
            raise Differs(f"nothing asks for {_ticked(keys)}", self._open_row(keys.left[0][0]))
        differences = self._dice_differ(step.line, "the step", self._events())
        if differences:
            raise Differs(differences[0].headline, *differences[0].rows)

    def _use_settled(self, keys: Keys) -> None:
        """Use up the keys that say again what has just had one answer only, if nobody is asked for it anew."""
        asked = [one.topic for one in self._open()]
        for one in self.fight.settled:
            if one.topic not in asked:
                self.drafter.settle(keys, one.topic, one.answer)

    def _only_leads_up(self, question: AnyQuestion, draft: Draft, keys: Keys, following: Step | None) -> bool:
        """Whether a step does no more than choose what is refused, and the next says by which rule it is."""
        if following is None or following.form.refuse is None or len(keys.left) != len(draft.uses) or not draft.uses:
            return False
        if not isinstance(question, ChooseOne | Plan):  # a way, a place: it is told by which rule it is refused
            return False
        led = not self.drafter.names(Keys(following.form.refuse).now, question)
        return led and isinstance(self.fight.check(draft.value, question.side), Refusal)

    def _open_row(self, wanted: str) -> Row:
        asked = "; ".join(map(question_words, self._open()))
        return Row("question", wanted, asked or "nobody is asked anything")

    def _next_question(self, keys: Keys, by: Side) -> AnyQuestion | None:
        if by:
            if by not in self.fight.table.sides:
                raise Differs(f"there is no side `{by}`", stuck=True)
            question = self.fight.question_for(by)
            if question is None and keys.left:
                raise Differs(f"{by} is not asked anything", self._open_row(f"one for {by}"), stuck=True)
            return question
        asked = self._open()
        return next((one for one in asked if self.drafter.names(keys.now, one)), asked[0] if asked else None)

    def _draft(self, keys: Keys, question: AnyQuestion) -> Draft:
        draft = self.drafter.draft(keys.now, question)
        if draft is not None:
            return draft
        if self._others_act(keys, question) or (not may_decline(question) and self._leads_on(question, keys)):
            return Draft(NO_MORE, ())
        if not may_decline(question) or isinstance(question, Plan):
            left = _ticked(keys)
            others = [key for key in keys.now if isinstance(question, Plan) and key in self.fight.table.things]
            remedy = f"add `{question.topic}`"
            if isinstance(question, Plan):
                remedy = f"name {' or '.join(question.actors) or 'a model'}"
                remedy += f", or let {others[0]} act by `turn`" if others else ""
            raise Differs(
                (f"{others[0]} does not act now; " if others else f"nothing asks for {left}; " if left else "")
                + f"{question_words(question)}, and the step does not say what it answers: {remedy}",
                Row("question", left or "none", question.prompt),
                stuck=True,
            )
        return Draft(None, ())

    def _others_act(self, keys: Keys, question: AnyQuestion) -> bool:
        """Whether what is said comes first of somebody else, so that who is asked for an action does nothing more."""
        key, said = next(iter(keys.now.items()), ("", None))
        thing = self.fight.table.things.get(key)
        if question.topic != ACTION or thing is None or said is None or declines(said):
            return False
        if key in question.about or thing.unit in question.about:  # it says what that one does, in a wrong way
            return False
        return may_end(question)

    def _leads_on(self, question: AnyQuestion, keys: Keys) -> bool:
        """Whether what is left of a step comes once who is asked now does nothing more."""
        dice_left = bool(self.dice.given)
        if not keys.left and not dice_left:
            return False
        return leads_on(self.fight, self.words, self.known, keys, question, dice_left=dice_left)

    def _answer(self, question: AnyQuestion, draft: Draft, keys: Keys) -> None:
        before = self._open()
        self.settled += self.fight.settled
        refusal = self.fight.answer(draft.value, question.side)
        if refusal is not None:
            self.refusal = refusal
            raise Differs(
                f"refused: {refusal_words(refusal, draft)}",
                Row(question.topic or "answer", _told(draft.value), f"refused by {refusal.rule or 'the form of it'}"),
                *offered_rows(question, draft),
                stuck=True,
            )
        if draft.value is None:
            self.declined.append(question)
        self.put += [one for one in self._open() if not any(one is other for other in before)]
        keys.use(draft.uses, draft.rest)
        self.actor = question.about[0] if question.topic == ACTION and question.about else self.actor
        for one in self.fight.settled:
            self.drafter.settle(keys, one.topic, one.answer)

    def _stops(self, question: AnyQuestion, keys: Keys, step: Step, following: Step | None) -> bool:
        """Whether a step that has used its keys up leaves a question open: it cannot be declined, or is asked for."""
        if isinstance(question, Plan) or not may_decline(question):
            return isinstance(question, Plan) or not self._leads_on(question, keys)
        if self.dice.given:  # dice that are written have to fall yet
            return False
        if _asks_for(step.form.asked, question):
            return True
        if following is None:
            return False
        if following.verb == "ask":
            # What is asked for is worked out as things stand: nothing is declined once all that is told has happened.
            return step.form.asked is None and not self._missing(step, self._events())
        if not following.verb and _asks_for(following.form.asked, question):
            return True
        named = following.form.do or following.form.refuse or following.form.preview
        if named is None:
            return False
        said = Keys(named).now
        first = next(iter(said), "")
        if first in self.fight.table.things:  # a deed comes first: what is said beside it is of that deed
            said = {first: said[first]}
        return self.drafter.names(said, question)

    def _is_over(self, question: AnyQuestion, step: Step) -> bool:
        """Whether all that a step tells has come, and declining a question lets dice fall that it does not tell."""
        if not self.dice.rolled or self.dice.left or self._missing(step, self._events()):
            return False
        trial = self.fight.clone()
        try:
            trial.answer(None, question.side)
        except OutOfFaces:
            return True
        finally:
            trial.close()
        return False

    def _refuse(self, step: Step, following: Step | None) -> None:
        asked, keys = self._tried(step, step.form.refuse)
        before = self._fingerprint()
        question, draft, refusal = self._refused(step, asked, keys)
        wanted = " or ".join(step.rules)
        if refusal is None:
            raise Differs("the answer should be refused", Row("refused by", wanted, "accepted"), stuck=True)
        self.refusal = refusal
        named = " and ".join(refusal.rules) if refusal.rule else "the form of the answer"
        rows = [Row("refused by", wanted, named, _by_one_of(refusal, step.rules))]
        if step.form.says:
            rows.append(Row("says", step.form.says, refusal.sentence, step.form.says in refusal.sentence))
        if not all(row.same for row in rows):
            raise Differs(
                f"refused for another reason: {refusal_words(refusal, draft)}", *rows, *offered_rows(question, draft)
            )
        if self._fingerprint() != before:
            raise Differs("the refused answer changed the battle", Row("state", "as it was", "changed"))

    def _refused(
        self, step: Step, question: AnyQuestion | None, keys: Keys
    ) -> tuple[AnyQuestion | None, Draft, Refusal | None]:
        """By what the answers of a step are refused: the first, one that it leads to, or one that nobody asks for."""
        draft = None if question is None else self.drafter.draft(keys.now, question)
        if question is None or draft is None:
            unasked = self._unasked()
            idle = unasked.idle(keys)
            if question is None and idle is None:
                raise Differs("nobody is asked anything, so nothing can be tried")
            found = (unasked.not_its_turn(question, keys), idle, unasked.waits(keys), unasked.final(keys))
            reasons = [one for one in found if one is not None]
            fitting = next((one for one in reasons if _by_one_of(one, step.rules)), None)
            if fitting is None and question is not None and step.form.refuse and self._leads_on(question, keys):
                later = self._refused_later(question, Draft(NO_MORE, ()), Keys(step.form.refuse), step.rules)
                if _by_one_of(later[2], step.rules):
                    return later
            fitting = fitting or (reasons[0] if reasons else None)
            return question, Draft(None, ()), fitting or self._never_asked(keys)
        keys.use(draft.uses)
        checked = self.fight.check(draft.value, question.side)
        if not _by_one_of(checked, step.rules) and isinstance(question, Plan) and draft.value is not None:
            draft = self._said_otherwise(question, draft, keys, step)
            checked = self.fight.check(draft.value, question.side)
        if not isinstance(checked, Refusal) and keys.left:
            return self._refused_later(question, draft, keys, step.rules)
        refusal = self.fight.answer(draft.value, question.side)
        if refusal is not None and not isinstance(checked, Refusal):
            row = Row("refused by", refusal.rule, "refused when answered, yet not when checked")
            raise Differs("the answer should be refused", row)
        if refusal is not None and not _by_one_of(refusal, step.rules):
            nearer = self._unasked().not_on_offer(
                keys
            )  # an action may be open to nobody, and to one of them by another rule
            refusal = nearer if _by_one_of(nearer, step.rules) else refusal
        return question, draft, refusal

    def _unasked(self) -> Unasked:
        return Unasked(self.fight, self._open(), self.drafter, self.actor)

    def _never_asked(self, keys: Keys, why: str = "nobody is asked for") -> Refusal:
        """The rule by which an answer is none, where the question that it answers is not asked at all."""
        if not keys.left:
            row = Row("refused by", "what the case names", f"accepted; {why}")
            raise Differs("the answer should be refused", row, stuck=True)
        refused = self._unasked().not_on_offer(keys)
        if refused is not None:
            return refused
        key = keys.left[0][0]
        settled = (*self.fight.settled, *self.settled)
        alone = next((one for one in settled if one.topic == key and one.rules), None)
        if alone is not None:
            told = f"{alone.answer} is the only answer there is to {key}."
            return Refusal(alone.rules[0], told, alone.rules[1:])
        refusal = self._unasked().idle(keys) or self._unasked().waits(keys)
        if refusal is None:
            raise Differs(f"{why} {_ticked(keys)}", self._open_row(key))
        return refusal

    def _refused_later(
        self, question: AnyQuestion, draft: Draft, keys: Keys, rules: Sequence[str]
    ) -> tuple[AnyQuestion, Draft, Refusal | None]:
        """Give the answers that lead to the one that is refused on a copy of the battle, which stays where it is.

        What is never asked is told as it stood in the end, or on the way there where a case names that rule: the copy
        may have run into the next turn, in which other things forbid it.
        """
        here, drafter, put = self.fight, self.drafter, list(self.put)
        before: list[Refusal] = []  # by what rules it was not on offer on the way

        def never_asked(why: str = "nobody is asked for") -> Refusal:
            last = self._never_asked(keys, why)
            return next((one for one in (last, *before) if _by_one_of(one, rules)), last)

        self.fight = here.clone()
        self.drafter = Drafter(self.words, self.fight, self.known)
        self.drafter.refusing = True
        try:
            while True:
                checked = self.fight.check(draft.value, question.side)
                if isinstance(checked, Refusal):
                    return question, draft, checked
                if not keys.left:
                    return question, draft, None
                barred = self._unasked().not_on_offer(keys)
                before += [] if barred is None else [barred]
                self._answer(question, draft, keys)
                if not keys.left:
                    return question, draft, None
                following = self._next_question(keys, NO_SIDE)
                if following is None:
                    raise Differs(f"nobody is asked for {_ticked(keys)}", self._open_row(keys.left[0][0]))
                if not self.drafter.names(keys.now, following) and not may_decline(following):
                    return following, Draft(None, ()), never_asked()
                question, draft = following, self._draft(keys, following)
        except OutOfFaces:
            keys.use(draft.uses)
            return question, draft, never_asked("dice fall before") if keys.left else None
        finally:
            self.fight.close()
            self.fight, self.drafter, self.put = here, drafter, put

    def _said_otherwise(self, plan: Plan, draft: Draft, keys: Keys, step: Step) -> Draft:
        """A plan that says the same and is refused by the rule a case names, if there is one.

        A key may speak of many parts, each refused by a rule of its own; or of parts that the plan never comes to."""
        words = step.form.refuse
        said = Keys(words).now if words is not None else {}
        for one in self.drafter.one_by_one(said, plan):
            checked = self.fight.check(one, plan.side)
            if _by_one_of(checked, step.rules):
                refused = self.fight.check(draft.value, plan.side)
                return Draft(one, ()) if isinstance(refused, Refusal) else draft
        return self._saying_too_much(plan, draft, keys, step.rules)

    def _saying_too_much(self, plan: Plan, draft: Draft, keys: Keys, rules: Sequence[str]) -> Draft:
        """A plan with the keys that it does not ask for or never comes to, if it is just those that are refused."""
        more = {key: _plain(value) for key, value in keys.left}
        whole = {**draft.value, **more}
        checked = self.fight.check(whole, plan.side) if more else None
        return Draft(whole, ()) if _by_one_of(checked, rules) else draft

    def _preview(self, step: Step, following: Step | None) -> None:
        question, draft = self._drafted(step, step.form.preview)
        before = self._fingerprint()
        checked = self.fight.check(draft.value, question.side)
        if isinstance(checked, Refusal):
            row = Row("preview", "accepted", f"refused by {checked.rule or 'the form of it'}")
            raise Differs(f"refused: {refusal_words(checked, draft)}", row, *offered_rows(question, draft))
        assert step.form.shows is not None
        preview = checked.preview()
        self.shown.update(standing.preview_texts(preview))
        rows = standing.compared_preview(step.form.shows, preview)
        if self._fingerprint() != before:
            raise Differs("looking at a preview changed the battle")
        if not all(row.same for row in rows):
            raise Differs("the preview shows something else", *rows)

    def _drafted(self, step: Step, words: Data | None) -> tuple[AnyQuestion, Draft]:
        """The question that a step tries something on, and the draft; a key that no question asks for is told."""
        question, keys = self._tried(step, words)
        if question is None:
            raise Differs("nobody is asked anything, so nothing can be tried")
        draft = self.drafter.draft(keys.now, question)
        if draft is None:
            raise Differs(f"nobody is asked for {_ticked(keys)}", self._open_row(keys.left[0][0]))
        return question, draft

    def _tried(self, step: Step, words: Data | None) -> tuple[AnyQuestion | None, Keys]:
        """The question that a step tries something on, if there is one; those that come before it are declined."""
        assert words is not None
        spelling.check_keys(self.known.listed, self.fight.table, words)
        if self.lead and isinstance(words.node.value, dict):
            words = words.renamed({**{key: said.node for key, said in self.lead.items()}, **words.node.value})
        keys = Keys(words)
        self.drafter.refusing = step.form.refuse is not None
        question = self._next_question(keys, step.form.by)
        while (
            question is not None
            and not _by_one_of(
                self._unasked().final(keys), step.rules
            )  # what was declared is not declined to declare anew
            and not self.drafter.names(keys.now, question)
            and _leads_to(question, keys.now, self.fight.table)
        ):
            self._answer(question, Draft(None, ()), keys)
            question = self._next_question(keys, step.form.by)
        return question, keys

    def _fingerprint(self) -> tuple[str, ...]:
        """What a refusal and a preview must leave as it is: the state, what sides know, the journal, the questions."""
        battle = self.fight
        views = [j.table_digest(table) for table in battle.state.views.values()]
        asked = [fingerprint(question) for question in battle.questions]
        return (battle.digest(), *views, str(len(battle.journal.lines)), *asked)

    def _ask(self, step: Step, following: Step | None) -> None:
        assert step.form.ask is not None
        assert step.form.is_ is not None
        name, value = asked_value(self.words, self.known, self.fight.table, step.form.ask)
        row = matching.row(name, step.form.is_, value)
        if not row.same:
            raise Differs(f"`{name}` gives another value", row, told=False)

    def _undo(self, step: Step, following: Step | None) -> None:
        refusal = self.fight.undo(step.form.undo)
        if step.form.says:
            came = "taken back" if refusal is None else refusal.sentence
            if step.form.says not in came:
                raise Differs("undoing should be refused", Row("undo", step.form.says, came), stuck=refusal is None)
        elif refusal is not None:
            raise Differs(f"refused: {refusal.sentence}", Row("undo", "taken back", "refused"), stuck=True)

    def _concede(self, step: Step, following: Step | None) -> None:
        self.fight.concede(self._side(step, "concede"))

    def _draw(self, step: Step, following: Step | None) -> None:
        self.fight.offer_draw(self._side(step, "draw"))

    def _side(self, step: Step, key: str) -> Side:
        side: Side = getattr(step.form, key)
        if side not in self.fight.table.sides:
            raise step.data.fail(f"there is no side `{side}`", nearest(side, self.fight.table.sides), key)
        return side

    # What must be true -------------------------------------------------------------------------------------------

    def _judged(self, step: Step) -> list[Difference]:
        side = step.form.seen_by
        events = self.fight.logs[side].events[self.seen :] if side else self._events()
        differences = self._missing(step, events)
        for item in step.form.expect_not:
            wanted = matching.wanted_event(item, self._called)
            for event in events:
                if matching.fits(wanted, event):
                    row = Row("event", f"no {matching.plain_words(item)}", event_words(event))
                    differences.append(Difference(item.line, "something happened that must not", (row,)))
        if step.form.then is not None:
            rows = self._standing(step.form.then, self.fight.view(side).table if side else self.fight.table)
            if not all(row.same for row in rows) and not (not side and self._stood(step.form.then)):
                line = step.data.node.line_of("then")
                differences.append(Difference(line, "things stand otherwise", tuple(rows), self._happened()))
        if step.form.asked is not None:
            rows = self._asked(step.form.asked)
            if not all(row.same for row in rows):
                line = step.data.node.line_of("asked")
                differences.append(Difference(line, "another question is open", tuple(rows), self._happened()))
        if step.form.not_asked is not None:
            rows = self._not_asked(step.form.not_asked)
            if rows:
                line = step.data.node.line_of("not_asked")
                differences.append(Difference(line, "somebody is asked who must not be", tuple(rows)))
        return differences

    def _stood(self, then: Data) -> bool:
        """Whether each thing stands so, or stood so before a new turn or an activation that nobody was asked in."""
        tables = [self.fight.table, *stood_before(self.fight, self.started)]
        each = [then.renamed({name: then.at(name).node}) for name in then.names()]
        return all(any(all(row.same for row in self._standing(one, table)) for table in tables) for one in each)

    def _missing(self, step: Step, events: Sequence[Any]) -> list[Difference]:
        wanted = [matching.wanted_event(item, self._called) for item in step.form.expect]
        missing = matching.first_missing(wanted, events)
        if missing is None:
            return []
        which, start = missing
        one = wanted[which]
        near = matching.nearest_event(one, events[start:]) or matching.nearest_event(one, events)
        if near is None:
            rows: tuple[Row, ...] = (Row("event", matching.plain_words(one.item), "no such event"),)
        else:
            rows = tuple(matching.compared(one, near))
        late = near is not None and all(row.same for row in rows)
        headline = f"event {which + 1} of `expect` " + ("comes too early" if late else "does not happen as expected")
        return [Difference(one.item.line, headline, rows, self._happened())]

    def _standing(self, then: Data, table: Table) -> list[Row]:
        rows: list[Row] = []
        for name, expected in then.table().items():
            if name == "battle":
                rows += standing.compared_battle(expected, table)
            elif not (thing := matching.thing_of(name, table)):
                raise then.fail(f"there is no `{name}`", nearest(name, ("battle", *table.things)), name)
            else:
                rows += standing.compared_thing(expected, self.words.as_told(table, table[thing]), table, self._called)
        return rows

    def _asked(self, expected: Data) -> list[Row]:
        if expected.node.value == "nobody":
            asked = self._open()
            return [Row("question", "nobody is asked", "; ".join(map(question_words, asked)), not asked)]
        if not isinstance(expected.node.value, dict):  # a side or a topic in a word
            asked = self._open()
            came = "; ".join(map(question_words, asked)) or "nobody is asked anything"
            same = any(_asks_for(expected, one) for one in asked)
            return [Row("question", matching.plain_words(expected), came, same)]
        side = expected.text_at("side") if expected.has("side") else ""
        asked = [one for one in self._open() if not side or one.side == side]
        if not asked:
            open_now = "; ".join(map(question_words, self._open())) or "nobody is asked anything"
            return [Row("question", matching.plain_words(expected), open_now)]
        topic = expected.text_at("topic") if expected.has("topic") else ""
        question = next((one for one in asked if matching.same_word(topic, one.topic)), asked[0])
        shown = offered(self.fight.ruleset, self.fight.view(question.side), question)
        return standing.compared_question(expected, shown, self._called)

    def _called(self, name: str) -> Sequence[str]:
        """What else events and questions may call what a case names: a model, a check, a card that somebody holds."""
        table = self.fight.table
        if name in table.things:
            return self.words.called(table, table[name])
        checks = [what for what, names in self.words.dice_names.items() if matching.loose(name) in names]
        cards = [one.id for one in table.things.values() if one.card and one.card == name]
        return (*checks, *cards, *matching.decks_of(name, table))

    def _not_asked(self, expected: Data) -> list[Row]:
        """The questions that came up in the step, or are open now, though a case says that they are not asked."""
        came = [*self.put, *(one for one in self._open() if not any(one is other for other in self.put))]
        rows: list[Row] = []
        for one in expected.items() if isinstance(expected.node.value, list) else (expected,):
            rows += [
                Row("not asked", matching.plain_words(one), question_words(question))
                for question in came
                if _is_about(one, question)
            ]
        return rows


def _by_one_of(checked: Refusal | Accepted | None, rules: Sequence[str]) -> bool:
    """Whether something is refused, by one of some rules at least."""
    return isinstance(checked, Refusal) and any(one in rules for one in checked.rules)


def _is_about(said: Data, question: AnyQuestion) -> bool:
    """Whether a side, a topic or a mapping of them is about a question."""
    if not isinstance(said.node.value, dict):
        return str(said.node.value) in (question.side, question.topic)
    for key in said.names():
        if key not in ("side", "topic", "kind"):
            raise said.fail(f"`not_asked` has no `{key}`", nearest(key, ("side", "topic", "kind")), key)
    return _asks_for(said, question)


def _asks_for(asked: Data | None, question: AnyQuestion) -> bool:
    """Whether an `asked` is about a question, by side, topic and kind."""
    if asked is None:
        return False
    if not isinstance(asked.node.value, dict):
        return str(asked.node.value) in (question.side, question.topic)
    said = {"side": question.side, "topic": question.topic, "kind": str(question.__struct_config__.tag)}
    return all(not asked.has(key) or asked.text_at(key) == value for key, value in said.items())


def _plain(value: Data) -> object:
    """What a key says, as a plan holds it."""
    listed = isinstance(value.node.value, list)
    return [one.node.value for one in value.items()] if listed else value.node.value


def _leads_to(question: AnyQuestion, named: Collection[str], table: Table) -> bool:
    """Whether what a model does may be asked once a question has been declined that comes before: one about it, and
    put to its own side."""
    own = [one for one in question.about if one not in table.things or table[one].side in (question.side, NO_SIDE)]
    about = any(one in named for one in (*own, ACTION))
    return about and may_decline(question) and not isinstance(question, Plan)


def _told(draft: Any) -> str:
    return "declined" if draft is None else value_words(draft)


def _ticked(keys: Keys) -> str:
    return ", ".join(f"`{key}`" for key, _ in keys.left)
