"""Reaction windows: who is asked in which order, when they close, and that being asked tells nothing."""

from collections.abc import Callable, Sequence

import pytest

from sandtable.engine.answers.orders import order_for
from sandtable.engine.answers.windows import WAYS, Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded, Declared, Passed, StepBegan
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.questions import AnyQuestion, Option, React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.state import Condition, StandingOrder, Step

SIDES = (RED, BLUE, Side("green"))


class Open(Step, frozen=True):
    pass


class Window(Ruleset):
    """One window, opened as its maker says; `seen` keeps what it gave."""

    name = "window"
    steps = (Open,)

    def __init__(
        self,
        holds: dict[str, int],
        *,
        acting: Side = NO_SIDE,
        opened_by: Side = NO_SIDE,
        sides: tuple[Side, ...] = (),
        once: bool = False,
        blind: bool | Callable[[str], bool] = False,
        tell: Callable[[Reacted], None] | None = None,
    ) -> None:
        self.holds, self.acting, self.opened_by = holds, acting, opened_by
        self.sides, self.once, self.blind, self.tell = sides, once, blind, tell
        self.seen: list[Reacted] | None = None

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Open())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        if self.acting:
            battle.happens(StepBegan("act", self.acting, rule=RuleId("w.act")))

        def options(side: Side, declared: Sequence[Reacted]) -> list[ReactOption]:
            left = self.holds.get(side, 0) - sum(reacted.side == side for reacted in declared)
            return [ReactOption("shout", actor=side, amount_most=left)] if left > 0 else []

        self.seen = yield from reaction_window(
            battle,
            moment="noise",
            prompt="Shout?",
            options=options,
            rules=(RuleId("w.shout"),),
            opened_by=self.opened_by,
            sides=self.sides,
            once=self.once,
            blind=self.blind,
            tell=self.tell,
            topic="voices",
            facts={"noise": 3},
        )
        battle.happens(BattleEnded(NO_SIDE, rule=RuleId("w.end")))


def asked(ruleset: Window, answers: dict[Side, list[Reaction | None]], sides: tuple[Side, ...] = SIDES) -> list[Side]:
    """Who was asked, in order; each side gives its answers one after the other, and passes when it has none left."""
    battle = Battle(ruleset, Setup(sides=sides))
    order = []
    while battle.questions:
        (question,) = battle.questions
        assert isinstance(question, React)
        order.append(question.side)
        given = answers.get(question.side)
        assert battle.answer(given.pop(0) if given else None, question.side) is None
    return order


SHOUT = Reaction("shout")
EACH = {"red": 2, "blue": 2, "green": 2}


def test_the_acting_side_is_asked_first_then_round_the_table() -> None:
    assert asked(Window(EACH, acting=BLUE), {}) == ["blue", "green", "red"]
    assert asked(Window(EACH), {}) == ["red", "blue", "green"]


def test_a_window_that_a_side_opened_starts_after_it() -> None:
    assert asked(Window(EACH, acting=RED, opened_by=BLUE), {}) == ["green", "red", "blue"]
    assert asked(Window(EACH, opened_by=Side("green")), {}) == ["red", "blue", "green"]


def test_only_the_sides_named_are_asked() -> None:
    assert asked(Window(EACH, sides=(Side("green"), BLUE)), {}) == ["blue", "green"]


def test_it_closes_when_all_have_passed_in_a_row() -> None:
    window = Window(EACH)
    order = asked(window, {BLUE: [SHOUT], RED: [None, SHOUT]})
    assert order == ["red", "blue", "green", "red", "blue", "green", "red"]
    assert window.seen == [("blue", SHOUT), ("red", SHOUT)]


def test_whoever_has_nothing_left_to_break_in_with_is_not_asked() -> None:
    window = Window({"red": 1, "green": 1})
    assert asked(window, {RED: [SHOUT]}) == ["red", "green"]
    assert window.seen == [("red", SHOUT)]
    assert asked(Window({}), {}) == []


def test_a_blind_window_asks_everybody_with_a_pass_alone_if_need_be() -> None:
    battle = Battle(Window({"blue": 1}, blind=True), Setup(sides=SIDES))
    (question,) = battle.questions
    assert isinstance(question, React)
    assert (question.side, question.options, question.blind) == ("red", (), True)
    assert isinstance(battle.answer(SHOUT, RED), Refusal)
    assert asked(Window({"blue": 1}, blind=True), {BLUE: [SHOUT]}) == ["red", "blue", "green", "red", "blue"]


def test_a_window_that_is_blind_to_some_asks_them_and_nobody_else() -> None:
    window = Window({"blue": 1}, blind=lambda side: side == "red")
    assert asked(window, {}) == ["red"], "blue could break in, but by what all know it is not reckoned with"


def test_a_break_in_may_be_told_in_other_words() -> None:
    told: list[Reacted] = []
    battle = Battle(Window({"red": 1}, tell=told.append), Setup(sides=SIDES))
    assert battle.answer(SHOUT, RED) is None
    assert told == [("red", SHOUT)]
    assert not [event for event in battle.journal.events() if isinstance(event, Declared)]


def test_once_asks_every_side_once_whatever_was_declared() -> None:
    assert asked(Window(EACH, once=True), {RED: [SHOUT], Side("green"): [SHOUT]}) == ["red", "blue", "green"]


def test_every_pass_and_every_break_in_is_told_before_the_next_side_is_asked() -> None:
    battle = Battle(Window(EACH), Setup(sides=SIDES))
    assert battle.answer(Reaction("shout", amount=2), RED) is None
    declared = battle.journal.events()[-1]
    assert isinstance(declared, Declared)
    assert (declared.actor, declared.action, declared.rule) == ("red", "shout", "w.shout")
    assert declared.detail == {"amount": 2}
    assert battle.answer(None, BLUE) is None
    passed = battle.journal.events()[-1]
    assert isinstance(passed, Passed)
    assert (passed.side, passed.window, passed.rule) == ("blue", "noise", "w.shout")


def test_the_question_carries_the_facts_that_orders_ask_about() -> None:
    battle = Battle(Window(EACH), Setup(sides=SIDES))
    assert (battle.questions[0].facts, battle.questions[0].topic) == ({"noise": 3}, "voices")


class Hoarse(Window):
    """Nobody can shout; everybody is asked."""

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        return Refusal(RuleId("w.hoarse"), "No voice is left.")


@pytest.mark.parametrize(("window", "ways"), [(Window, 1), (Hoarse, 0)])
def test_who_is_asked_blindly_may_order_to_pass_where_no_way_is_open(window: type[Window], ways: int) -> None:
    battle = Battle(window({"red": 1}, blind=lambda side: side == "red"), Setup(sides=SIDES))
    assert battle.questions[0].facts == {"noise": 3, WAYS: ways}
    order = StandingOrder(RED, RuleId("w.shout"), None, (Condition(WAYS, "is", 0),))
    found = order_for(battle.ruleset, battle.view(RED), (order,), battle.questions[0])
    assert found == (None if ways else order)
