"""States that an opponent imagines: the table as a side knows it, with what comes next, and decks shuffled anew."""

from collections import Counter
from collections.abc import Iterable, Sequence

from sandtable.engine.dice import Dice
from sandtable.engine.state import State, Step
from sandtable.engine.table import Deck, Table

#: Things that come to an imagined table are numbered from here on, so that no number is given twice.
_FRESH = 1_000_000


def imagined_state(table: Table, steps: Iterable[Step]) -> State:
    """A whole state on a table that goes on with some steps, the last of them first."""
    return State(table, agenda=list(steps), serial=_FRESH)


def lay_deck(table: Table, name: str, cards: Sequence[str]) -> None:
    """Lay the cards of a deck in an order, the first on top."""
    table.decks = {**table.decks, name: Deck(dict(sorted(Counter(cards).items())), tuple(cards))}


def shuffle_deck(table: Table, name: str, dice: Dice, top: Sequence[str] = ()) -> None:
    """Lay a deck as it could lie: everybody knows which cards are in it, nobody their order; some go on top of it."""
    left = Counter(table.decks[name].contents)
    lay_deck(table, name, (*top, *dice.shuffled(sorted(left.elements()))))
