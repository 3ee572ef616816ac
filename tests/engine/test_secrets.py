"""What a side cannot know it cannot find out; and a ruleset that tells is caught, in whichever way it tells."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, DeckChanged
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.questions import AnyQuestion, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Setup, View
from tests.engine.duel import Duel
from tests.engine.parley import THREE, Parley
from tests.engine.secrets import Compared, Leak, byte_equal

ONE_ORDER = ("red", "blue", "green", "red", "blue", "green")
OTHER_ORDER = ("red", "blue", "red", "green", "green", "blue")


class Stacked(Parley):
    """A parley with a deck that was stacked and charges that were dealt out beforehand."""

    def __init__(self, order: tuple[str, ...] = ONE_ORDER, charges: int = 1) -> None:
        self.order, self.charges = order, charges

    def open(self, battle: Battle, setup: Setup) -> None:
        super().open(battle, setup)
        if self.charges != 1:
            battle.happens(Counted("blue", "charges", 1, self.charges, rule=RuleId("parley.open"), known_to=(BLUE,)))
        else:  # as many events, so that only the number is secret
            battle.happens(Counted("blue", "charges", 1, 1, rule=RuleId("parley.open"), known_to=(BLUE,)))
        battle.happens(self.stacked())

    def stacked(self) -> DeckChanged:
        return DeckChanged("deck", "shuffled", self.order, veils={"cards": (NO_SIDE,)}, rule=RuleId("parley.deck"))


def compare(
    kind: type[Stacked], side: Side, seed: int, orders: tuple[Any, Any] = (ONE_ORDER, ONE_ORDER), charges: int = 1
) -> Compared:
    return byte_equal(
        lambda: Battle(kind(orders[0]), THREE, seed=9),
        lambda: Battle(kind(orders[1], charges), THREE, seed=9),
        side,
        seed,
    )


# What is kept -------------------------------------------------------------------------------------------------------


def duel_with_blue_bid(bid: str) -> Battle:
    battle = Battle(Duel(), seed=4)
    assert battle.answer(bid, BLUE) is None
    return battle


def test_a_sealed_bid_is_not_to_be_found_out_before_it_is_revealed() -> None:
    found = byte_equal(lambda: duel_with_blue_bid("1"), lambda: duel_with_blue_bid("3"), RED, [("red", "2")])
    assert found.moments == 1
    assert "Revealed" in found.stopped


def test_a_spectator_knows_no_more_than_a_side() -> None:
    found = byte_equal(lambda: duel_with_blue_bid("1"), lambda: duel_with_blue_bid("3"), NO_SIDE, [("red", "2")])
    assert "Revealed" in found.stopped


@pytest.mark.parametrize("side", ["red", "blue", "green", ""])
def test_the_order_of_a_hidden_deck_is_not_to_be_found_out_before_it_is_drawn(side: Side) -> None:
    moments = 0
    for seed in range(8):
        found = compare(Stacked, side, seed, (ONE_ORDER, OTHER_ORDER))
        assert "drawn" in found.stopped
        moments += found.moments
    assert moments > 60


@pytest.mark.parametrize("side", ["red", "green", ""])
def test_charges_that_are_held_in_secret_are_not_to_be_found_out(side: Side) -> None:
    found = [compare(Stacked, side, seed, charges=0) for seed in range(12)]
    assert sum(one.moments for one in found) > 200


@pytest.mark.parametrize("side", ["red", "green"])
def test_a_secret_number_is_not_to_be_found_out_before_it_is_revealed(side: Side) -> None:
    def chosen(number: str) -> Battle:
        battle = Battle(Stacked(), THREE, seed=9)
        for who, lucky in ((RED, "1"), (BLUE, number)):
            assert battle.answer(lucky, who) is None
        return battle

    for seed in range(8):
        found = byte_equal(lambda: chosen("2"), lambda: chosen("3"), side, seed)
        assert "over" in found.stopped or "Revealed" in found.stopped


def test_the_same_battle_is_the_same_to_the_end() -> None:
    found = compare(Stacked, RED, 3)
    assert found.stopped == "the battles are over"
    assert found.moments == found.answers + 1


# What is told -------------------------------------------------------------------------------------------------------


class OpenDeck(Stacked):
    def stacked(self) -> DeckChanged:
        return replace(super().stacked(), veils={})


class TellingQuestion(Stacked):
    """The prompt names the card below the next one."""

    def act(self, battle: Battle, side: Side, left: int) -> Procedure[None]:
        asked = super().act(battle, side, left)
        question = asked.send(None)
        assert not isinstance(question, tuple)
        order = battle.table.decks["deck"].order
        answer = yield replace(question, prompt=f"What do you do? {order[1:2]}")
        try:
            while True:
                answer = yield asked.send(answer)
        except StopIteration:
            return


class TellingFact(Stacked):
    """A state that everybody sees follows from the order."""

    def draw(self, battle: Battle) -> Procedure[None]:
        order = battle.table.decks["deck"].order
        before = battle.table.things["omen"].count("omen") if "omen" in battle.table.things else 0
        omen = sum(len(card) * n for n, card in enumerate(order[1:4]))
        battle.happens(Counted("omen", "omen", before, omen, rule=RuleId("parley.deck")))
        yield from super().draw(battle)


class TellingRefusal(Stacked):
    """The judge remembers the battle, and says more than the view knows."""

    battle: Battle

    def open(self, battle: Battle, setup: Setup) -> None:
        super().open(battle, setup)
        self.battle = battle

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic == "act" and answer == "pick":
            return Refusal(RuleId("parley.act"), f"Not before {self.battle.table.decks['deck'].order[-1]}.")
        return super().judge(view, question, answer)


class TellingPreview(TellingRefusal):
    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        return Parley.judge(self, view, question, answer)

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        return Preview(notes=(self.battle.table.decks["deck"].order[-1],))


class TellingByAsking(Stacked):
    """Only whoever holds a charge is asked whether it shouts."""

    def window(self, battle: Battle, side: Side) -> Procedure[None]:
        def options(asked: str, declared: Any) -> Any:
            from sandtable.engine.questions import ReactOption

            return [ReactOption("shout", actor=asked)] if battle.table[asked].count("charges") and not declared else []

        yield from reaction_window(
            battle, moment="shout", prompt="Shout?", options=options, rules=(RuleId("parley.shout"),)
        )


@pytest.mark.parametrize(
    ("kind", "orders", "charges"),
    [
        (OpenDeck, (ONE_ORDER, OTHER_ORDER), 1),
        (TellingQuestion, (ONE_ORDER, OTHER_ORDER), 1),
        (TellingFact, (ONE_ORDER, OTHER_ORDER), 1),
        (TellingRefusal, (ONE_ORDER, OTHER_ORDER), 1),
        (TellingPreview, (ONE_ORDER, OTHER_ORDER), 1),
        (TellingByAsking, (ONE_ORDER, ONE_ORDER), 0),
    ],
)
def test_a_ruleset_that_tells_is_caught(kind: type[Stacked], orders: tuple[Any, Any], charges: int) -> None:
    caught = 0
    for seed in range(12):
        try:
            compare(kind, RED, seed, orders, charges)
        except Leak:
            caught += 1
    assert caught, f"{kind.__name__} was never caught"
