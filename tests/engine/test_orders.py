"""Standing orders: they answer for their side when their conditions hold, alike after undo, resume and replay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.answers.orders import with_order
from sandtable.engine.battle import Battle
from sandtable.engine.events import Passed, Revealed, Scored, Sealed
from sandtable.engine.ids import NO_SIDE, RED, RuleId, Side
from sandtable.engine.questions import Refusal
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import replayed, resumed
from sandtable.engine.state import Condition, StandingOrder
from tests.engine.parley import Parley, actor, opened, others, say
from tests.promises import state_bytes


def order(battle: Battle, rule: str, answer: object, *when: Condition, side: Side = NO_SIDE) -> StandingOrder:
    given_order = StandingOrder(side or actor(battle), RuleId(rule), answer, when)
    assert battle.order(given_order) is None
    return given_order


def topics(battle: Battle) -> list[str]:
    return [question.topic for question in battle.questions]


def scores(battle: Battle) -> list[str]:
    return [event.reason for event in battle.journal.events() if isinstance(event, Scored)]


def test_an_order_answers_questions_under_its_rule() -> None:
    battle = opened()
    order(battle, "parley.sure", True)
    say(battle, "wait")
    assert topics(battle) == ["act"], "it was not asked whether it is sure"
    assert scores(battle) == ["patience"]


def test_it_answers_from_the_next_question_on() -> None:
    battle = opened()
    say(battle, "wait")
    order(battle, "parley.sure", True)
    assert topics(battle) == ["sure"]
    say(battle, False, "wait")
    assert scores(battle) == ["patience"]


def test_it_is_its_own_sides_alone() -> None:
    battle = opened()
    order(battle, "parley.sure", True, side=others(battle)[0])
    say(battle, "wait")
    assert topics(battle) == ["sure"]


def test_a_withdrawn_order_answers_no_more() -> None:
    battle = opened()
    given_order = order(battle, "parley.sure", True)
    say(battle, "wait")
    battle.order(given_order, withdraw=True)
    assert battle.state.orders == ()
    say(battle, "wait")
    assert topics(battle) == ["sure"]


def test_a_new_order_replaces_its_like() -> None:
    yes, no = StandingOrder(RED, RuleId("r.a"), True), StandingOrder(RED, RuleId("r.a"), False)
    other = StandingOrder(RED, RuleId("r.a"), True, (Condition("chance", "below", 60),))
    assert with_order(with_order((yes,), other), no) == (other, no)
    assert with_order((yes, other), no, withdrawn=True) == (other,)


@pytest.mark.parametrize(
    ("when", "answered"),
    [
        (Condition("waits", "below", 1), True),
        (Condition("waits", "at least", 1), False),
        (Condition("waits", "is", 0), True),
        (Condition("weather", "is", 0), False),
        (Condition("chance", "below", 51), True),  # of the ruleset: 50, for it has waited once
        (Condition("chance", "below", 50), False),
    ],
)
def test_it_answers_only_while_its_conditions_hold(when: Condition, answered: bool) -> None:
    battle = opened()
    order(battle, "parley.sure", True, when)
    say(battle, "wait")
    assert (topics(battle) == ["act"]) == answered


def test_all_conditions_must_hold_and_the_first_fitting_order_answers() -> None:
    battle = opened()
    order(battle, "parley.sure", False, Condition("waits", "is", 0), Condition("waits", "is", 1))
    order(battle, "parley.sure", True, Condition("waits", "is", 0))
    order(battle, "parley.sure", False)
    say(battle, "wait")
    assert scores(battle) == ["patience"]


@given(st.integers(-5, 5), st.integers(-5, 5))
def test_conditions_compare_as_they_say(fact: int, value: int) -> None:
    facts = {"x": fact}
    assert Condition("x", "below", value).holds(facts) == (fact < value)
    assert Condition("x", "at least", value).holds(facts) == (fact >= value)
    assert Condition("x", "is", value).holds(facts) == (fact == value)


def test_a_refused_standing_answer_is_not_given() -> None:
    battle = opened()
    order(battle, "parley.act", "fly to the moon")
    order(battle, "parley.sure", "maybe")
    say(battle, "wait")
    assert topics(battle) == ["sure"]


def test_an_order_that_is_no_answer_to_anything_is_refused() -> None:
    battle = opened()
    lines = len(battle.journal.lines)
    for nonsense in (object(), 1.5, {1: 2}, "x" * 10**6):
        assert isinstance(battle.order(StandingOrder(RED, RuleId("parley.sure"), nonsense)), Refusal)
    assert isinstance(battle.order(StandingOrder(Side("purple"), RuleId("parley.sure"), True)), Refusal)
    assert len(battle.journal.lines) == lines


def test_another_sides_order_stops_undo_as_its_answer_would() -> None:
    battle = opened()
    side = actor(battle)
    for other in others(battle):
        order(battle, "parley.shout", None, side=other)
    say(battle, "window")
    assert [e.side for e in battle.journal.events() if isinstance(e, Passed)] == others(battle)
    assert isinstance(battle.undo(side), Refusal)


def test_sealed_answers_by_order_are_sealed_and_revealed_like_any_other() -> None:
    battle = opened()
    for side in battle.table.sides:
        order(battle, "parley.vote", "blue", side=side)
    say(battle, "vote")
    votes = [e for e in battle.journal.events() if isinstance(e, Sealed | Revealed) and "vote" in str(e)]
    assert [type(e) for e in votes] == [Sealed] * 3 + [Revealed] * 3
    assert battle.table.secrets["green: vote"] == "blue"
    assert battle.table.scores == {"blue": 3}


def test_orders_answer_the_same_after_undo_resume_and_replay() -> None:
    battle = opened()
    side = actor(battle)
    order(battle, "parley.sure", True, Condition("waits", "is", 0))
    before = state_bytes(battle)
    say(battle, "wait")
    after = battle.digest()
    assert battle.undo(side) is None
    assert state_bytes(battle) == before
    say(battle, "wait")
    assert battle.digest() == after
    for again in (
        resumed(Journal.decode(battle.saved().encode()), Parley()),
        replayed(Journal.decode(battle.journal.encode()), Parley()),
        battle.clone(),
    ):
        assert again.digest() == after
        assert again.questions == battle.questions
        say(again, "wait")
        assert topics(again) == ["sure"], "it has waited before: the condition does not hold"
