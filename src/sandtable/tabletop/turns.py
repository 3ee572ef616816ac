"""Whose turn it is: sides one after another, sides that roll for it, and a deck that says so card by card."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import NOBODY, Counted, DeckChanged
from sandtable.engine.ids import Side
from sandtable.engine.table import Table
from sandtable.forces.ledger import Rule
from sandtable.tabletop.checks import Check, throw


def next_side(sides: Sequence[Side], side: Side, able: Callable[[Side], bool]) -> Side | None:
    """The side whose turn it is: this one, or the next round the table that is able to; none where nobody is.

    >>> next_side(("red", "blue", "green"), "blue", lambda side: side == "red")
    'red'
    >>> next_side(("red", "blue"), "red", lambda side: False) is None
    True
    """
    at = sides.index(side)
    return next((one for one in (*sides[at:], *sides[:at]) if able(one)), None)


def roll_off(battle: Battle, what: str, dice: str, rule: Rule, citing: tuple[Rule, ...] = ()) -> Side:
    """Every side rolls, ties again; gives the side with the highest roll."""
    while True:
        checks = {side: Check(what=what, by=side, dice=dice, rule=rule, citing=citing) for side in battle.table.sides}
        scores = {side: throw(battle, check).score for side, check in checks.items()}
        best = [side for side, score in scores.items() if score == max(scores.values())]
        if len(best) == 1:
            return best[0]


#: Counted on a side: the cards that are out of the deck for good.
CARDS_OUT = "cards out"


def _none(table: Table) -> Sequence[str]:
    return ()


class DrawDeck(NamedTuple):
    """A deck of the sides' cards, shuffled anew every turn: whose card comes up, acts.

    `brought` says how many cards a side had at the beginning of the battle, `lost` how many of them are out by now;
    `assigned` are cards that activate something of their own, as long as they are in the deck.
    """

    rule: Rule
    removal: Rule
    brought: Callable[[Table, Side], int]
    lost: Callable[[Table, Side], int]
    name: str = "draw deck"
    assigned: Callable[[Table], Sequence[str]] = _none
    leaving: Rule | None = None  # by which an assigned card leaves

    def cards(self, table: Table, *, assigned: bool = True) -> tuple[str, ...]:
        """The cards that all sides have now, in the order of sides, and those assigned to something."""
        own = [side for side in table.sides for _ in range(self.brought(table, side) - self.lost(table, side))]
        return (*own, *(self.assigned(table) if assigned else ()))

    def assemble(self, battle: Battle, *, assigned: bool = True) -> None:
        """Put the deck together, perhaps without cards that are assigned to something."""
        cards = self.cards(battle.table, assigned=assigned)
        battle.happens(DeckChanged(self.name, "added", cards, rule=self.rule.id))

    def shuffle(self, battle: Battle) -> None:
        """Shuffle what is in it; nobody sees the order, everybody knows how many of each side there are."""
        held = sorted(battle.table.decks[self.name].contents.items())
        self._lay(battle, battle.dice.shuffled([card for card, n in held for _ in range(n)]))

    def lay(self, battle: Battle, first: Sequence[str], drawn: Sequence[str]) -> None:
        """Lay the deck as a case wants it: some cards have been drawn already, of the others these come up first."""
        left = list(self.cards(battle.table))
        for card in drawn:
            left.remove(card)
            battle.happens(DeckChanged(self.name, "drawn", (card,), rule=self.rule.id))
        top = [card for card in first if card in left]
        for card in top:
            left.remove(card)
        self._lay(battle, (*top, *left))

    def _lay(self, battle: Battle, cards: Sequence[str]) -> None:
        battle.happens(DeckChanged(self.name, "shuffled", tuple(cards), veils={"cards": NOBODY}, rule=self.rule.id))

    def draw(self, battle: Battle) -> str | None:
        """Turn over the top card, or none where the deck is empty."""
        order = battle.table.decks[self.name].order
        if not order:
            return None
        battle.happens(DeckChanged(self.name, "drawn", order[:1], rule=self.rule.id))
        return order[0]

    def draw_side(self, battle: Battle) -> Side | None:
        """Turn over the top card of a deck that holds nothing but sides: whose it is."""
        card = self.draw(battle)
        return None if card is None else Side(card)

    def put_under(self, battle: Battle, card: str, rule: Rule) -> None:
        """Put a card that was drawn under the deck."""
        battle.happens(DeckChanged(self.name, "added", (card,), rule=rule.id))

    def left(self, table: Table) -> int:
        """How many cards are face down."""
        return sum(table.decks[self.name].contents.values())

    def restore(self, battle: Battle, *, assigned: bool = True) -> None:
        """Put drawn cards back, and take those out for good whose models are lost."""
        table = battle.table
        if assigned:
            self._restore_assigned(battle)
        for side in table.sides:
            kept, lost = table.things.get(side), self.lost(table, side)
            out = 0 if kept is None else kept.count(CARDS_OUT)
            missing = self.brought(table, side) - out - table.decks[self.name].contents.get(side, 0)
            if missing > 0:
                battle.happens(DeckChanged(self.name, "added", (side,) * missing, rule=self.rule.id))
            if lost > out:
                n = battle.happens(DeckChanged(self.name, "removed", (side,) * (lost - out), rule=self.removal.id))
                battle.happens(Counted(side, CARDS_OUT, out, lost, rule=self.removal.id, because=n))

    def _restore_assigned(self, battle: Battle) -> None:
        table, held = battle.table, battle.table.decks[self.name].contents
        wanted = self.assigned(table)
        missing = tuple(card for card in wanted if card not in held)
        gone = tuple(card for card in held if card not in wanted and card not in table.sides)
        if missing:
            battle.happens(DeckChanged(self.name, "added", missing, rule=self.rule.id))
        if gone and self.leaving is not None:
            battle.happens(DeckChanged(self.name, "removed", gone, rule=self.leaving.id))
