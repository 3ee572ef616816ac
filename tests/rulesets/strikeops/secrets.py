"""What a side of Strike Operations may keep secret: its number of turns; and what nobody knows, how the deck lies.

A kind is a function as in `tests.rulesets.stargrunt.secrets`: given a state, the side whose secret it is and random
numbers, it gives another state that differs in nothing else, or none where there is no such secret.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from sandtable.engine.events import AnyEvent, Counted, DeckChanged, Revealed
from sandtable.engine.ids import Side
from sandtable.engine.state import State
from sandtable.engine.table import Deck
from sandtable.rulesets.strikeops.initiative import DRAW_DECK
from sandtable.rulesets.strikeops.missions import SECRET_TURNS, TIME_TURNS

#: Battles, with the size they are played in: those with sealed numbers more often.
SCENARIOS: tuple[tuple[str, int], ...] = (("until-the-whistle", 0), ("until-the-whistle", 0), ("meeting", 0))


class Twin(NamedTuple):
    """A state in which a number or the deck is another: who knows it, and what shows it."""

    state: State
    known_to: tuple[Side, ...]
    kinds: tuple[type[AnyEvent], ...]

    def decides(self, first: AnyEvent | None, second: AnyEvent | None) -> bool:
        """Whether the secret lawfully decides events: a card is turned over, or the numbers are shown."""
        return any(isinstance(event, self.kinds) for event in (first, second))


Kind = Callable[[State, Side, random.Random], Twin | None]


def order_of_the_deck(state: State, side: Side, any_: random.Random) -> Twin | None:
    """The deck is shuffled anew: nobody knows how it lies."""
    deck = state.table.decks.get(DRAW_DECK.name, Deck())
    order = list(deck.order)
    any_.shuffle(order)
    if tuple(order) == deck.order:
        return None
    twin = state.copy()
    twin.table.decks = {**twin.table.decks, DRAW_DECK.name: Deck(deck.contents, tuple(order))}
    return Twin(twin, (), (DeckChanged,))


def sealed_number(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A side has sealed another number of turns."""
    key = f"{side}: {SECRET_TURNS}"
    said = state.table.secrets.get(key)
    if said is None or any(state.views[other].secrets.get(key) == said for other in state.table.sides if other != side):
        return None  # not said yet, or shown
    others = [str(one) for one in TIME_TURNS.numbers("secret_choice") if str(one) != said]
    twin, number = state.copy(), any_.choice(others)
    for table in (twin.table, twin.views[side]):
        table.secrets = {**table.secrets, key: number}
    return Twin(twin, (side,), (Revealed, Counted))


#: Every kind of secret, by what it is called in the totals.
KINDS: dict[str, Kind] = {"how the deck lies": order_of_the_deck, "a sealed number of turns": sealed_number}
