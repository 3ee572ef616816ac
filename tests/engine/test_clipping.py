"""A path that is drawn too far is cut to what the judge lets be walked, and no farther."""

from typing import Any

import msgspec
import pytest

from sandtable.bots import make_bot
from sandtable.engine.answers.clipping import clipped, length
from sandtable.engine.answers.judging import check
from sandtable.engine.battle import Battle
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.shapes import At, Leg, Walk
from sandtable.rulesets import ruleset


def first_move(name: str, scenario: str) -> tuple[Any, Any, MoveModels]:
    """The first question of a battle that asks for a path."""
    rules = ruleset(name)
    battle = Battle(rules, rules.setup(scenario), seed=5)
    bots = {side: make_bot("random", rules, 5, side) for side in battle.table.sides}
    for _ in range(200):
        for question in battle.questions:
            view = battle.view(question.side)
            if isinstance(question, MoveModels):
                return rules, view, question
            assert battle.answer(bots[question.side].answer(view, question), question.side) is None
            break
    raise AssertionError("nobody ever moved")


def lawful(rules: Any, view: Any, question: MoveModels, walks: dict[str, Walk]) -> bool:
    return not isinstance(check(rules, view, question, msgspec.to_builtins(walks)), Refusal)


@pytest.mark.parametrize("turn", [0, 35, 20])
def test_the_longest_beginning_that_may_be_walked_and_not_a_hair_more(turn: int) -> None:
    rules, view, question = first_move("quickstart", "duel")
    model = question.models[0]
    draft = {model: {"legs": [{"by": "leg", "turn": turn, "go": 40000}]}}
    assert isinstance(check(rules, view, question, draft), Refusal)
    cut = clipped(rules, view, question, draft)
    assert cut is not None
    assert lawful(rules, view, question, cut)
    place = view.table[model].place
    assert isinstance(place, At)
    (leg,) = cut[model].legs
    assert isinstance(leg, Leg)
    longer = {model: Walk((Leg(leg.turn, leg.go + 20),), dict.fromkeys(cut[model].marks, leg.go))}
    assert not lawful(rules, view, question, longer)
    assert 0 < length(cut[model], place.point) < 40000


def test_what_may_be_walked_no_step_is_not_cut() -> None:
    rules, view, question = first_move("quickstart", "duel")
    assert clipped(rules, view, question, {"nobody": {"legs": [{"by": "leg", "go": 1000}]}}) is None
    assert clipped(rules, view, question, "nonsense") is None
    assert clipped(rules, view, question, {question.models[0]: {"legs": [{"by": "leg", "go": 1 << 40}]}}) is None
