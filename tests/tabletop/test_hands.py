"""Cards in hand: only their owner knows them, everybody how many there are, and what is shown is known to all."""

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, NO_SIDE, RED
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.engine.table import DISCARDED, IN_HAND, LAID_OPEN, UNSEEN, Table
from sandtable.forces.ledger import ledger, systems
from sandtable.tabletop.hands import CardText, Hands

RULE = next(iter(ledger(systems()[0]).rules.values()))
HANDS = Hands("deck", "A card", {name: CardText(name.capitalize(), "", RULE.id) for name in ("ace", "king")}, RULE)
OTHERS = (BLUE, NO_SIDE)


class Nothing(Step, frozen=True):
    """Nothing happens."""


class Cards(Ruleset):
    """Red has two aces and a king, with the king on top."""

    name, version, steps = "cards", "1", (Nothing,)

    def open(self, battle: Battle, setup: Setup) -> None:
        HANDS.assemble(battle, RED, ("ace", "king", "ace"))
        HANDS.lay(battle, RED, ("king",))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        yield from ()


@pytest.fixture
def battle() -> Battle:
    return Battle(Cards(), seed=1)


def contents(table: Table) -> dict[str, int]:
    return table.decks["red deck"].contents


def test_a_hand_is_known_to_its_owner_and_counted_by_all(battle: Battle) -> None:
    assert HANDS.draw(battle, RED, RULE)
    assert [card.card for card in HANDS.hand(battle.view(RED).table, RED)] == ["king"]
    assert contents(battle.view(RED).table) == {"ace": 2}
    for side in OTHERS:
        table = battle.view(side).table
        assert [(card.card, card.label) for card in HANDS.hand(table, RED)] == [("", "A card")]
        assert contents(table) == {"ace": 2, "king": 1, UNSEEN: -1}
        assert table.decks["red deck"].order == ()
    assert {HANDS.left(battle.view(side).table, RED) for side in (RED, *OTHERS)} == {2}


@pytest.mark.parametrize("openly", [True, False], ids=["laid open", "discarded at once"])
def test_a_card_that_is_shown_is_known_to_all(battle: Battle, openly: bool) -> None:
    for _ in range(2):
        HANDS.draw(battle, RED, RULE)
    card = HANDS.hand(battle.table, RED)[1]
    if openly:
        HANDS.lay_open(battle, card, RULE, "B")
        assert battle.view(BLUE).table[card.id].place == Off(LAID_OPEN)
        assert battle.view(BLUE).table[card.id].value("played on") == "B"
    HANDS.put_away(battle, battle.table[card.id], RULE)
    for side in (RED, *OTHERS):
        table = battle.view(side).table
        assert (table[card.id].card, table[card.id].place) == ("ace", Off(DISCARDED))
        assert len(HANDS.hand(table, RED)) == 1
        assert HANDS.left(table, RED) == 1
    assert contents(battle.view(RED).table) == {"ace": 1}
    assert contents(battle.view(BLUE).table) == {"ace": 1, "king": 1, UNSEEN: -1}


def test_an_empty_deck_gives_nothing(battle: Battle) -> None:
    assert [HANDS.draw(battle, RED, RULE) for _ in range(4)] == [True, True, True, False]
    assert len(HANDS.cards(battle.table, RED, IN_HAND)) == 3


def test_a_draw_stops_undo(battle: Battle) -> None:
    from sandtable.engine.events import stops_undo

    HANDS.draw(battle, RED, RULE)
    for side in (RED, *OTHERS):
        assert any(stops_undo(event) for event in battle.logs[side].events)
