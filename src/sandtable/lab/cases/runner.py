"""Plays cases: each step through the same questions and answers as any battle, and compares what comes of it."""

import traceback
from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine import journal as j
from sandtable.engine.battle import Battle
from sandtable.engine.dice import OutOfFaces
from sandtable.engine.questions import AnyQuestion, Plan, Refusal, fingerprint
from sandtable.engine.state import State
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, nearest
from sandtable.forces.ledger import Ledger
from sandtable.lab.cases import matching, spelling, standing
from sandtable.lab.cases.drafts import Draft, Drafter, Keys, may_decline
from sandtable.lab.cases.form import Case, Step, check_rules
from sandtable.lab.cases.scripted import CaseDice
from sandtable.lab.cases.telling import Difference, Row, event_words, question_words, value_words
from sandtable.tabletop.case_words import CaseWords

#: A step that answers more questions than this goes round in circles.
MOST_ANSWERS = 500


class Outcome(msgspec.Struct, frozen=True):
    """What came of a case: nothing that differs, or differences; or the file is wrong."""

    name: str
    line: int
    title: str
    ruleset: str
    proves: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    wrong: str = ""

    @property
    def passed(self) -> bool:
        """Whether all came as expected."""
        return not self.differences and not self.wrong


def play(case: Case, words: CaseWords, book: Ledger) -> Outcome:
    """Play a case and say what differs. A wrong file and a broken program are outcomes too."""
    differences: list[Difference] = []
    wrong = ""
    try:
        check_rules(case, book)
        differences = _Playing(case, words).all_steps()
    except FileError as problem:
        wrong = str(problem)
    return Outcome(case.name, case.line, case.title, case.ruleset, case.proves, tuple(differences), wrong)


class Played(msgspec.Struct, frozen=True):
    """One step of a case that was played: the boundary before it, what was answered in it, whether dice fell."""

    line: int
    before: State
    answers: tuple[tuple[str, Any], ...]
    rolled: bool


def play_watched(case: Case, words: CaseWords) -> list[Played]:
    """Play a case and tell of each step; one that differs ends it with an error that says how to see why."""
    playing = _Playing(case, words)
    differences = playing.all_steps()
    if differences:
        found = f"the case does not pass: {differences[0].headline}"
        raise CaseError(case.name, differences[0].line, found, "`sandtable case` says more")
    return playing.played


class _Differs(Exception):
    """The step cannot go on: it has met a difference."""

    def __init__(self, headline: str, *rows: Row) -> None:
        super().__init__(headline)
        self.headline = headline
        self.rows = rows


class _Playing:
    """One case being played."""

    def __init__(self, case: Case, words: CaseWords) -> None:
        self.case = case
        self.words = words
        self.known = words.vocabulary()
        self.dice = CaseDice()
        self.dice.script(case.dice, case.cards)
        self.started = 0  # the journal's line at which the step began
        self.played: list[Played] = []
        self.seen = 0  # how many events the side whose eyes the step uses had seen by then

    def all_steps(self) -> list[Difference]:
        """Play step after step, up to the first that differs."""
        try:
            setup = self.words.start(self.case.start)
            spelling.check_start(self.known, self.case.start)
            self.battle = Battle(self.words.ruleset, setup, dice=self.dice, digest_every=0)
        except OutOfFaces as problem:
            rows = self._dice_rows(self.case.dice, self.case.cards)
            return [Difference(self.case.line, f"the dice of the set-up do not do: {problem}", rows)]
        except FileError:
            raise
        except Exception as problem:
            return [self._broke(self.case.line, problem, "setting up the table")]
        if self.dice.left:
            rows = self._dice_rows(self.case.dice, self.case.cards)
            return [Difference(self.case.line, f"the set-up does not use up the {self.dice.left}", rows)]
        self.drafter = Drafter(self.words, self.battle)
        for n, step in enumerate(self.case.play):
            following = self.case.play[n + 1] if n + 1 < len(self.case.play) else None
            before, draws = self.battle.boundary(), self.dice.draws
            differences = self._step(step, following)
            if differences:
                return differences
            lines = self.battle.journal.lines[self.started :]
            answers = tuple((line.question, line.answer) for line in lines if isinstance(line, j.Answered))
            self.played.append(Played(step.line, before, answers, self.dice.draws > draws))
        return []

    def _step(self, step: Step, following: Step | None) -> list[Difference]:
        self.started = len(self.battle.journal.lines)
        if step.form.seen_by:
            self.seen = len(self.battle.logs[self._side(step, "seen_by")].events)
        self.dice.script(step.form.dice, step.form.cards)
        try:
            getattr(self, f"_{step.verb or 'look'}")(step, following)
        except _Differs as differs:
            return [Difference(step.line, differs.headline, differs.rows, self._happened())]
        except OutOfFaces as problem:
            headline = f"the dice do not do: {problem}"
            rows = self._dice_rows(step.form.dice, step.form.cards)
            return [Difference(step.line, headline, rows, self._happened())]
        except FileError:
            raise
        except Exception as problem:
            return [self._broke(step.line, problem, f"playing `{step.verb}`")]
        return self._judged(step)

    def _broke(self, line: int, problem: Exception, when: str) -> Difference:
        trace = "".join(traceback.format_exception(problem)[-4:])
        return Difference(line, f"the program broke while {when}: {type(problem).__name__}: {problem}", trace=trace)

    def _dice_rows(self, faces: Sequence[int], cards: Sequence[str]) -> tuple[Row, ...]:
        fell = "; ".join(self.dice.throws) or "no dice fell"
        given = value_words(tuple(faces)) + (f", cards {value_words(tuple(cards))}" if cards else "")
        return (Row("dice", given, fell),)

    def _events(self) -> list[Any]:
        return [line.event for line in self.battle.journal.lines[self.started :] if isinstance(line, j.Happened)]

    def _happened(self) -> tuple[str, ...]:
        told = [event_words(event) for event in self._events()]
        told += [question_words(question) for question in self._open()]
        return tuple(told) or ("nothing",)

    def _open(self) -> list[AnyQuestion]:
        """The open questions, those that wait for the others to answer left out."""
        asked = [self.battle.question_for(side) for side in self.battle.table.sides]
        return [question for question in asked if question is not None]

    # What steps do -----------------------------------------------------------------------------------------------

    def _look(self, step: Step, following: Step | None) -> None:
        """The step only says how things stand."""

    def _do(self, step: Step, following: Step | None) -> None:
        assert step.form.do is not None
        spelling.check_keys(self.known, self.battle.table, step.form.do)
        keys = Keys(step.form.do)
        for _ in range(MOST_ANSWERS):
            question = self._next_question(keys, step.form.by)
            if question is None or (not keys.left and self._stops(question, step, following)):
                break
            self._answer(question, self._draft(keys, question), keys)
        else:
            raise _Differs(f"the step has answered {MOST_ANSWERS} questions and more come")
        if keys.left:
            unused = ", ".join(f"`{key}`" for key, _ in keys.left)
            asked = self._open()
            raise _Differs(
                f"nothing asks for {unused}",
                Row("question", keys.left[0][0], "; ".join(map(question_words, asked)) or "nobody is asked anything"),
            )
        if self.dice.left:
            rows = self._dice_rows(step.form.dice, step.form.cards)
            raise _Differs(f"the step does not use up the {self.dice.left}", *rows)

    def _next_question(self, keys: Keys, by: str) -> AnyQuestion | None:
        if by:
            if by not in self.battle.table.sides:
                raise _Differs(f"there is no side `{by}`")
            question = self.battle.question_for(by)
            if question is None and keys.left:
                came = "; ".join(map(question_words, self._open())) or "nobody is asked anything"
                raise _Differs(f"{by} is not asked anything", Row("question", f"one for {by}", came))
            return question
        asked = self._open()
        return next((one for one in asked if self.drafter.names(keys.now, one)), asked[0] if asked else None)

    def _draft(self, keys: Keys, question: AnyQuestion) -> Draft:
        draft = self.drafter.draft(keys.now, question)
        if draft is not None:
            return draft
        if not may_decline(question) or isinstance(question, Plan):
            left = ", ".join(f"`{key}`" for key, _ in keys.left)
            raise _Differs(
                (f"nothing asks for {left}; " if left else "")
                + f"{question_words(question)}, and the step does not say what it answers: "
                + ("name a model that acts" if isinstance(question, Plan) else f"add `{question.topic}`"),
                Row("question", left or "none", question.prompt),
            )
        return Draft(None, ())

    def _answer(self, question: AnyQuestion, draft: Draft, keys: Keys) -> None:
        refusal = self.battle.answer(draft.value, question.side)
        if refusal is not None:
            raise _Differs(
                f"refused: {refusal.sentence}",
                Row(question.topic or "answer", _told(draft.value), f"refused by {refusal.rule or 'the form of it'}"),
            )
        keys.use(draft.uses)

    def _stops(self, question: AnyQuestion, step: Step, following: Step | None) -> bool:
        """Whether a step that has used its keys up leaves a question open: it cannot be declined, or is asked for."""
        if isinstance(question, Plan) or not may_decline(question) or _asks_for(step.form.asked, question):
            return True
        if following is None:
            return False
        if not following.verb and _asks_for(following.form.asked, question):
            return True
        named = following.form.do or following.form.refuse or following.form.preview
        return named is not None and self.drafter.names(Keys(named).now, question)

    def _refuse(self, step: Step, following: Step | None) -> None:
        question, draft = self._drafted(step, step.form.refuse)
        before = self._fingerprint()
        checked = self.battle.check(draft.value, question.side)
        refusal = self.battle.answer(draft.value, question.side)
        rule = step.form.rule
        if refusal is None or not isinstance(checked, Refusal):
            came = "accepted" if refusal is None else "refused when answered, yet not when checked"
            raise _Differs("the answer should be refused", Row("refused by", rule, came))
        rows = [Row("refused by", rule, refusal.rule or "the form of the answer", refusal.rule == rule)]
        if step.form.says:
            rows.append(Row("says", step.form.says, refusal.sentence, step.form.says in refusal.sentence))
        if not all(row.same for row in rows):
            raise _Differs(f"refused for another reason: {refusal.sentence}", *rows)
        if self._fingerprint() != before:
            raise _Differs("the refused answer changed the battle", Row("state", "as it was", "changed"))

    def _preview(self, step: Step, following: Step | None) -> None:
        question, draft = self._drafted(step, step.form.preview)
        before = self._fingerprint()
        checked = self.battle.check(draft.value, question.side)
        if isinstance(checked, Refusal):
            raise _Differs(f"refused: {checked.sentence}", Row("preview", "accepted", f"refused by {checked.rule}"))
        assert step.form.shows is not None
        rows = standing.compared_preview(step.form.shows, checked.preview())
        if self._fingerprint() != before:
            raise _Differs("looking at a preview changed the battle")
        if not all(row.same for row in rows):
            raise _Differs("the preview shows something else", *rows)

    def _drafted(self, step: Step, words: Data | None) -> tuple[AnyQuestion, Draft]:
        assert words is not None
        spelling.check_keys(self.known, self.battle.table, words)
        keys = Keys(words)
        question = self._next_question(keys, step.form.by)
        if question is None:
            raise _Differs("nobody is asked anything, so nothing can be tried")
        return question, self._draft(keys, question)

    def _fingerprint(self) -> tuple[str, ...]:
        """What a refusal and a preview must leave as it is: the state, what sides know, the journal, the questions."""
        battle = self.battle
        views = [j.table_digest(table) for table in battle.state.views.values()]
        asked = [fingerprint(question) for question in battle.questions]
        return (battle.digest(), *views, str(len(battle.journal.lines)), *asked)

    def _ask(self, step: Step, following: Step | None) -> None:
        ask, expected = step.form.ask, step.form.is_
        assert ask is not None
        assert expected is not None
        names = ask.names()
        if len(names) != 1 or names[0] not in self.words.values:
            found = f"`{names[0]}` is no value" if names else "it is not said which value"
            raise ask.fail(found, nearest(names[0] if names else "", self.words.values))
        value = self.words.values[names[0]](self.battle.table, ask.at(names[0]))
        row = matching.row(names[0], expected, value)
        if not row.same:
            raise _Differs(f"`{names[0]}` gives another value", row)

    def _undo(self, step: Step, following: Step | None) -> None:
        refusal = self.battle.undo(step.form.undo)
        if step.form.says:
            came = "taken back" if refusal is None else refusal.sentence
            if step.form.says not in came:
                raise _Differs("undoing should be refused", Row("undo", step.form.says, came))
        elif refusal is not None:
            raise _Differs(f"refused: {refusal.sentence}", Row("undo", "taken back", "refused"))

    def _concede(self, step: Step, following: Step | None) -> None:
        self.battle.concede(self._side(step, "concede"))

    def _draw(self, step: Step, following: Step | None) -> None:
        self.battle.offer_draw(self._side(step, "draw"))

    def _side(self, step: Step, key: str) -> str:
        side: str = getattr(step.form, key)
        if side not in self.battle.table.sides:
            raise step.data.fail(f"there is no side `{side}`", nearest(side, self.battle.table.sides), key)
        return side

    # What must be true -------------------------------------------------------------------------------------------

    def _judged(self, step: Step) -> list[Difference]:
        side = step.form.seen_by
        events = self.battle.logs[side].events[self.seen :] if side else self._events()
        spelling.check_states(self.known, self.battle.table, self.battle.journal.lines, step)
        differences = self._missing(step, events)
        for item in step.form.expect_not:
            wanted = matching.wanted_event(item)
            for event in events:
                if matching.fits(wanted, event):
                    row = Row("event", f"no {matching.plain_words(item)}", event_words(event))
                    differences.append(Difference(item.line, "something happened that must not", (row,)))
        if step.form.then is not None:
            rows = self._standing(step.form.then, self.battle.view(side).table if side else self.battle.table)
            if not all(row.same for row in rows):
                line = step.data.node.line_of("then")
                differences.append(Difference(line, "things stand otherwise", tuple(rows), self._happened()))
        if step.form.asked is not None:
            rows = self._asked(step.form.asked)
            if not all(row.same for row in rows):
                line = step.data.node.line_of("asked")
                differences.append(Difference(line, "another question is open", tuple(rows), self._happened()))
        return differences

    def _missing(self, step: Step, events: Sequence[Any]) -> list[Difference]:
        wanted = [matching.wanted_event(item) for item in step.form.expect]
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
            elif name not in table.things:
                raise then.fail(f"there is no `{name}`", nearest(name, ("battle", *table.things)), name)
            else:
                rows += standing.compared_thing(expected, table[name])
        return rows

    def _asked(self, expected: Data) -> list[Row]:
        if expected.node.value == "nobody":
            asked = self._open()
            return [Row("question", "nobody is asked", "; ".join(map(question_words, asked)), not asked)]
        side = expected.text_at("side") if expected.has("side") else ""
        asked = [one for one in self._open() if not side or one.side == side]
        if not asked:
            open_now = "; ".join(map(question_words, self._open())) or "nobody is asked anything"
            return [Row("question", matching.plain_words(expected), open_now)]
        return standing.compared_question(expected, asked[0])


def _asks_for(asked: Data | None, question: AnyQuestion) -> bool:
    """Whether an `asked` is about a question, by side, topic and kind."""
    if asked is None or not isinstance(asked.node.value, dict):
        return False
    said = {"side": question.side, "topic": question.topic, "kind": str(question.__struct_config__.tag)}
    return all(not asked.has(key) or asked.text_at(key) == value for key, value in said.items())


def _told(draft: Any) -> str:
    return "declined" if draft is None else value_words(draft)


__all__ = ["CaseError", "Outcome", "play"]
