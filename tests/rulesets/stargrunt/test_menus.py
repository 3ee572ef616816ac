"""Menus are lazy: neither asking nor cloning nor going back works out why some action or target may not be chosen."""

from collections.abc import Iterator
from typing import Any

import pytest

from sandtable.bots import make_bot
from sandtable.engine.answers.checking import chosen_options
from sandtable.engine.answers.judging import offered
from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Refusal
from sandtable.engine.ruleset import View
from sandtable.rulesets.stargrunt.book import Stargrunt


class Counting(Stargrunt):
    """Counts what it is asked to work out."""

    def __init__(self) -> None:
        super().__init__()
        self.options_judged = self.judged = 0

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        self.options_judged += 1
        return super().refused(view, question, option)

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        self.judged += 1
        return super().judge(view, question, answer)

    def counted(self) -> tuple[int, int]:
        found, self.options_judged, self.judged = (self.options_judged, self.judged), 0, 0
        return found


def played(scenario: str, seed: int, answers: int) -> Iterator[tuple[Counting, Battle, AnyQuestion, Any]]:
    """The questions of a battle between random bots, each with the draft that answers it next."""
    ruleset = Counting()
    setup = ruleset.setup(scenario)
    bots = {side: make_bot("random", ruleset, seed, side) for side in setup.sides}
    battle = Battle(ruleset, setup, seed=seed, digest_every=0)
    for _ in range(answers):
        if battle.ended:
            return
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        draft = bots[question.side].answer(battle.view(question.side), question)
        ruleset.counted()
        yield ruleset, battle, question, draft
        assert battle.answer(draft, question.side) is None


@pytest.mark.parametrize("scenario", ["platoons", "armour", "patrol-clash"])
def test_a_clone_works_nothing_out_and_an_answer_only_what_is_chosen(scenario: str) -> None:
    menus = closed = 0
    for ruleset, battle, question, draft in played(scenario, 3, 120):
        twin = battle.clone()
        assert ruleset.counted() == (0, 0), "a clone judges nothing again"
        assert twin.questions == battle.questions
        assert twin.answer(draft, question.side) is None
        chosen = 0 if draft is None else len(chosen_options(question, draft))
        looks, _ = ruleset.counted()
        assert looks <= chosen, f"{looks} options were looked at to answer {question.prompt!r} with {draft!r}"
        if isinstance(question, ChooseOne) and len(question.options) > 5:
            menus += 1
            closed += sum(bool(one.refused) for one in offered(ruleset, battle.view(question.side), question).options)
    assert menus > 10
    assert closed > 10, "there was something to be worked out"


def test_taking_back_judges_nothing_again() -> None:
    undone = 0
    for ruleset, battle, question, draft in played("platoons", 5, 120):
        twin = battle.clone()
        twin.answer(draft, question.side)
        ruleset.counted()
        if twin.undo(question.side) is None:
            undone += 1
            assert ruleset.counted() == (0, 0)
            assert twin.questions == battle.questions
    assert undone > 20
