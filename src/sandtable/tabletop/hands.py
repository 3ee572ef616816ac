"""Cards in hand: a deck for each side, drawn into a hand that only its side knows, played openly and discarded.

A card that was drawn is a thing of the kind `CARD`, off the table: in hand, laid open, discarded. Others know that it
is there, and what is on its back; what it is (`Thing.card`) its owner alone, until it is shown.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import NOBODY, DeckChanged, Left, Placed, Revealed
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.shapes import Off
from sandtable.engine.table import CARD, DISCARDED, IN_HAND, LAID_OPEN, Mark, Table, Thing
from sandtable.forces.ledger import Rule

#: States of a card that lies open: what it is played on, and how many were laid before it.
PLAYED_ON, LAID_AFTER = "played on", "laid after"


class CardText(NamedTuple):
    """What is printed on a card: its name, what it does in words, and the rule that says so."""

    name: str
    text: str
    rule: str


class Hands(NamedTuple):
    """The decks and hands of a battle, one of each for every side."""

    name: str  # of a deck, behind its side
    back: str  # what those see of a card who may not know it
    texts: Mapping[str, CardText]  # every card there is
    rule: Rule

    # Looking -----------------------------------------------------------------------------------------------------

    def deck(self, side: Side) -> str:
        """The name of a side's deck."""
        return f"{side} {self.name}"

    def cards(self, table: Table, side: Side, where: str) -> list[Thing]:
        """The cards of a side that are somewhere: in hand, laid open, discarded; in the order they were drawn."""
        deck = self.deck(side)
        return [one for one in table.of_kind(CARD) if one.unit == deck and one.place == Off(where)]

    def hand(self, table: Table, side: Side) -> list[Thing]:
        """A side's hand. Who may not know it sees how many cards it has."""
        return self.cards(table, side, IN_HAND)

    def left(self, table: Table, side: Side) -> int:
        """How many cards are left in a side's deck."""
        return sum(table.decks[self.deck(side)].contents.values()) if self.deck(side) in table.decks else 0

    # Dealing -----------------------------------------------------------------------------------------------------

    def assemble(self, battle: Battle, side: Side, cards: Sequence[str]) -> None:
        """Put a side's deck together; everybody knows what is in it."""
        battle.happens(DeckChanged(self.deck(side), "added", tuple(cards), rule=self.rule.id))

    def shuffle(self, battle: Battle, side: Side) -> None:
        """Shuffle a deck; nobody sees the order."""
        held = sorted(battle.table.decks[self.deck(side)].contents.items())
        self.lay(battle, side, battle.dice.shuffled([card for card, n in held for _ in range(n)]))

    def lay(self, battle: Battle, side: Side, first: Sequence[str]) -> None:
        """Lay a deck as it shall be: some cards come first, the others as they were put together."""
        deck = self.deck(side)
        left = [card for card, n in battle.table.decks[deck].contents.items() for _ in range(n)]
        for card in first:
            left.remove(card)
        order = (*first, *left)
        battle.happens(DeckChanged(deck, "shuffled", order, veils={"cards": NOBODY}, rule=self.rule.id))

    def draw(self, battle: Battle, side: Side, rule: Rule) -> bool:
        """Draw the top card into a side's hand; gives whether there was one."""
        deck = self.deck(side)
        order = battle.table.decks[deck].order
        if not order:
            return False
        name = ThingId(f"{side}-card-{1 + sum(one.unit == deck for one in battle.table.of_kind(CARD))}")
        back = Thing(name, kind=CARD, side=side, label=self.back, place=Off(IN_HAND), unit=ThingId(deck))
        face = replace(back, label=self.texts[order[0]].name, card=order[0])
        drawn = DeckChanged(deck, "drawn", order[:1], veils={"cards": (side,)}, rule=rule.id)
        n = battle.happens(drawn)
        battle.happens(Placed(name, back.place, made=back, rule=rule.id, because=n))
        battle.happens(Revealed(name, to=(side,), made=face, known_to=(side,), rule=rule.id, because=n))
        return True

    # Playing -----------------------------------------------------------------------------------------------------

    def lying(self, table: Table) -> list[Thing]:
        """The cards of all sides that lie open, in the order in which they were laid."""
        found = [one for side in table.sides for one in self.cards(table, side, LAID_OPEN)]
        return sorted(found, key=lambda one: one.value(LAID_AFTER) or 0)

    def lay_open(self, battle: Battle, card: Thing, rule: Rule, target: str = "") -> int:
        """Lay a card of a hand on the table for all to see, played on something; gives the number of the event."""
        marks = {LAID_AFTER: Mark(len(self.lying(battle.table))), PLAYED_ON: Mark(target)}
        return self._show(battle, replace(card, place=Off(LAID_OPEN), states=marks), rule)

    def put_away(self, battle: Battle, card: Thing, rule: Rule, because: int = 0) -> None:
        """Discard a card: it lies face up, and nobody draws it again."""
        if card.place == Off(IN_HAND):
            because = self._show(battle, card, rule)
        battle.happens(Left(card.id, DISCARDED, rule=rule.id, because=because))

    def _show(self, battle: Battle, card: Thing, rule: Rule) -> int:
        n = battle.happens(Revealed(card.id, made=card, rule=rule.id))
        battle.happens(DeckChanged(card.unit, "shown", (card.card,), rule=rule.id, because=n))
        return n
