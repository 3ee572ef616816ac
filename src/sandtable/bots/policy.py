"""The quick policy: the best of what a ruleset's tactics think of, at once and without looking ahead.

It plays for every side in what an opponent imagines, so it is lean: it keeps no reasons, and asks the judge about the
best answer only. Where tactics have nothing to say, or nothing that would do, a general candidate is taken.
"""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from sandtable.bots.candidates import candidates
from sandtable.bots.drafts import Drafts
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan, React, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.opponent import Choice, Idea, Skill, Tactics, worth


class Weighed(NamedTuple):
    """A lawful answer that was thought of, and what it seems worth."""

    worth: int
    choice: Choice
    draft: Any


class Policy:
    """Answers for any side by the tactics of a ruleset; what each side intends is kept from question to question."""

    def __init__(self, ruleset: Ruleset, tactics: Tactics | None, skill: Skill, seed: int | str = 0) -> None:
        self.ruleset, self.tactics, self.skill = ruleset, tactics, skill
        self.intentions: dict[str, object] = {}
        self._otherwise = Drafts(ruleset, seed)

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The best lawful answer it thinks of."""
        return self.choose(view, question)[0]

    def choose(self, view: View, question: AnyQuestion) -> tuple[Any, Choice | None]:
        """The best lawful answer it thinks of, and the thought; none where a search had to find what is lawful."""
        for _, choice, draft in self.weighed(view, question):
            self.intentions[question.side] = choice.intention
            return self._few_at_a_time(view, question, draft), choice
        return self._otherwise.lawful(view, question), None

    def weighed(self, view: View, question: AnyQuestion) -> Iterator[Weighed]:
        """The lawful answers it thinks of, best first: those of the tactics, then the general ones."""
        if isinstance(question, React) and not self.skill.reacts:
            yield Weighed(0, Idea(None, "does not think of it", (), self.intentions.get(question.side)), None)
        yield from self.taught(view, question)
        meant = self.intentions.get(question.side)
        for one in candidates(self.ruleset, self.tactics, view, question):
            if not isinstance(check(self.ruleset, view, question, one.draft), Refusal):
                yield Weighed(0, Idea(one.draft, one.label, (), meant), one.draft)

    def taught(self, view: View, question: AnyQuestion) -> Iterator[Weighed]:
        """The lawful answers that the tactics think of, best first."""
        for value, choice in self.rated(view, question):
            draft = choice.draft
            if not isinstance(check(self.ruleset, view, question, draft), Refusal):
                yield Weighed(value, choice, draft)

    def _few_at_a_time(self, view: View, question: AnyQuestion, draft: Any) -> Any:
        """An answer that names several things, with no more of them than it can handle, if that may be."""
        most, fewer = self.skill.together, draft
        if isinstance(draft, tuple):
            fewer = draft[:most]
        elif isinstance(question, Plan) and isinstance(draft, dict):
            fewer = {part: said[:most] if isinstance(said, tuple) else said for part, said in draft.items()}
        if fewer == draft or isinstance(check(self.ruleset, view, question, fewer), Refusal):
            return draft
        return fewer

    def rated(self, view: View, question: AnyQuestion) -> list[tuple[int, Any]]:
        """What the tactics think of, best first, each with what it is worth; whether it is lawful is not asked."""
        if self.tactics is None:
            return []
        choices = self.tactics.rate(view, question, self.skill, self.intentions.get(question.side))
        if not self.skill.orders and isinstance(question, ChooseOne) and len(question.about) != 1:
            return [(0, choice) for choice in choices]
        found = [(worth(choice), choice) for choice in choices]
        found.sort(key=itemgetter(0), reverse=True)
        return found
