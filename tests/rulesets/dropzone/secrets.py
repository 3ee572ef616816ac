"""What a side of Dropzone may keep secret: the cards in its hand, and what nobody knows, the order of the decks.

A kind is a function as in `tests.rulesets.stargrunt.secrets`: given a state, the side whose secret it is and random
numbers, it gives another state that differs in nothing else, or none where there is no such secret.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.events import AnyEvent, DeckChanged, Revealed
from sandtable.engine.ids import Side
from sandtable.engine.state import State
from sandtable.engine.table import CARD, Deck, Table, Thing
from sandtable.rulesets.dropzone.command.cards import HANDS

HERE = Path(__file__).resolve().parent
#: Battles with Command Cards, with the size they are played in: a small one, made for this, more often than a large.
SCENARIOS: tuple[tuple[str, int], ...] = ((str(HERE / "cards.yaml"), 0),) * 5 + (("attrition", 0),)


class Twin(NamedTuple):
    """A state in which a hand or a deck is another: whose, and who knows it."""

    state: State
    side: Side
    known_to: tuple[Side, ...]

    def decides(self, first: AnyEvent | None, second: AnyEvent | None) -> bool:
        """Whether the secret lawfully decides events: a card of that side is shown, or drawn by who may see it."""
        for event in (first, second):
            if isinstance(event, Revealed) and event.made is not None and event.made.kind == CARD:
                return event.made.side == self.side
            if isinstance(event, DeckChanged) and event.deck == HANDS.deck(self.side) and event.change == "drawn":
                return bool(event.cards)
        return False


Kind = Callable[[State, Side, random.Random], Twin | None]


def _face(table: Table, card: Thing, name: str) -> None:
    table.things[card.id] = replace(card, card=name, label=HANDS.texts[name].name)


def _laid(table: Table, side: Side, contents: dict[str, int], order: tuple[str, ...]) -> None:
    held = {name: n for name, n in contents.items() if n}
    table.decks = {**table.decks, HANDS.deck(side): Deck(held, order)}


def hand_or_deck(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A card of the hand is one that lies in the deck instead, and that one lies there."""
    hand, deck = HANDS.hand(state.table, side), state.table.decks.get(HANDS.deck(side), Deck())
    if not hand or not deck.order:
        return None
    card, at = any_.choice(hand), any_.randrange(len(deck.order))
    other = deck.order[at]
    if other == card.card:
        return None
    twin = state.copy()
    contents = {**deck.contents}
    contents[other] -= 1
    contents[card.card] = contents.get(card.card, 0) + 1
    order = (*deck.order[:at], card.card, *deck.order[at + 1 :])
    _laid(twin.table, side, contents, order)
    _laid(twin.views[side], side, contents, ())
    for table in (twin.table, twin.views[side]):
        _face(table, card, other)
    return Twin(twin, side, (side,))


def whole_hand(state: State, side: Side, any_: random.Random) -> Twin | None:
    """Every card of the hand is another: what could be played now cannot, and the other way round."""
    found: Twin | None = None
    for _ in HANDS.hand(state.table, side):
        found = hand_or_deck(state if found is None else found.state, side, any_) or found
    return found


def order_of_the_deck(state: State, side: Side, any_: random.Random) -> Twin | None:
    """The deck is shuffled anew: not even its side knows how it lies."""
    deck = state.table.decks.get(HANDS.deck(side), Deck())
    order = list(deck.order)
    any_.shuffle(order)
    if tuple(order) == deck.order:
        return None
    twin = state.copy()
    _laid(twin.table, side, deck.contents, tuple(order))
    return Twin(twin, side, ())


#: Every kind of secret, by what it is called in the totals.
KINDS: dict[str, Kind] = {
    "a card in hand or in the deck": hand_or_deck,
    "a whole hand": whole_hand,
    "how a deck lies": order_of_the_deck,
}
