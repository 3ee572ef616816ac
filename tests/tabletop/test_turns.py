"""Whose turn it is by a deck: a card for what a side brought, none for what it has lost, in an order nobody sees."""

from collections.abc import Iterator
from functools import partial

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import DeckChanged
from sandtable.engine.ids import BLUE, RED, Side
from sandtable.engine.table import Table
from sandtable.forces.ledger import ledger
from sandtable.rulesets import ruleset
from sandtable.tabletop.turns import CARDS_OUT, DrawDeck

RULE, REMOVAL = list(ledger("quickstart").rules.values())[:2]
BROUGHT = {"red": 3, "blue": 2}


@pytest.fixture
def lost() -> dict[str, int]:
    return {"red": 0, "blue": 0}


@pytest.fixture
def deck(lost: dict[str, int]) -> DrawDeck:
    def counted(of: dict[str, int], table: Table, side: Side) -> int:
        return of[side]

    return DrawDeck(RULE, REMOVAL, partial(counted, BROUGHT), partial(counted, lost), name="a deck")


@pytest.fixture
def battle(deck: DrawDeck) -> Battle:
    book = ruleset("quickstart")
    begun = Battle(book, book.setup(), seed=3)
    deck.assemble(begun)
    return begun


def drawn(battle: Battle, deck: DrawDeck) -> Iterator[str]:
    while (card := deck.draw(battle)) is not None:
        yield card


def test_each_card_comes_up_once_in_an_order_that_the_dice_make(battle: Battle, deck: DrawDeck) -> None:
    orders = []
    for _ in range(6):
        deck.shuffle(battle)
        orders.append(tuple(drawn(battle, deck)))
        deck.restore(battle)
    assert {tuple(sorted(order)) for order in orders} == {("blue", "blue", "red", "red", "red")}
    assert len(set(orders)) > 1


def test_the_order_is_shown_to_nobody(battle: Battle, deck: DrawDeck) -> None:
    deck.shuffle(battle)
    for side in (RED, BLUE):
        assert battle.view(side).table.decks["a deck"].order == ()
    assert len(battle.table.decks["a deck"].order) == 5


def test_the_cards_of_what_is_lost_go_for_good_and_once(battle: Battle, deck: DrawDeck, lost: dict[str, int]) -> None:
    deck.shuffle(battle)
    list(drawn(battle, deck))
    lost["red"] = 2
    for _ in range(2):
        deck.restore(battle)
        assert battle.table.decks["a deck"].contents == {"red": 1, "blue": 2}
        assert battle.table.things["red"].count(CARDS_OUT) == 2
    removed = [one for one in battle.journal.events() if isinstance(one, DeckChanged) and one.change == "removed"]
    assert [(one.cards, one.rule) for one in removed] == [(("red", "red"), REMOVAL.id)]


def test_a_case_lays_it(battle: Battle, deck: DrawDeck) -> None:
    deck.lay(battle, ["blue", "red"], ["red"])
    assert list(drawn(battle, deck)) == ["blue", "red", "red", "blue"]
