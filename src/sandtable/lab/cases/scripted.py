"""Dice and shuffles that fall as a case says, and remember every throw."""

from collections.abc import Sequence

from sandtable.engine.dice import OutOfFaces, Result, ScriptedDice, Throw
from sandtable.lab.cases.telling import value_words


class CaseDice(ScriptedDice):
    """Dice that fall as a case says. A shuffle leaves the cards as they lie, unless the case gives their order.

    >>> dice = CaseDice()
    >>> dice.script([], ["blue", "red"])
    >>> dice.shuffled(["red", "blue"]), dice.shuffled(["red", "blue"])
    (('blue', 'red'), ('red', 'blue'))
    """

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[str] = []
        self.throws: list[str] = []
        self._shuffling = False

    def script(self, faces: Sequence[int], cards: Sequence[str]) -> None:
        """Say how the dice fall and the cards lie from here on; what was thrown before is forgotten."""
        self.faces, self.cards, self.throws = list(faces), list(cards), []

    @property
    def left(self) -> str:
        """What has not been used up, in words; empty where nothing is left."""
        faces = f"faces {value_words(tuple(self.faces))}" if self.faces else ""
        cards = f"cards {value_words(tuple(self.cards))}" if self.cards else ""
        return " and ".join(filter(None, [faces, cards]))

    def fall(self, throw: Throw) -> Result:
        try:
            result = super().fall(throw)
        except OutOfFaces:
            self.throws.append(f"{throw.name}: ?")
            raise
        if not self._shuffling:
            self.throws.append(f"{throw.name}: {value_words(result.faces)}")
        return result

    def shuffled(self, cards: Sequence[str]) -> tuple[str, ...]:
        again = self.draws < len(self.fallen)  # after an undo: the draws of this shuffle are known already
        wanted = list(cards) if again or not self.cards else self._next_cards(cards)
        kept = self.faces
        # The order is brought about by the very draws that a shuffle makes, so that it is taken back and cloned alike.
        self.faces, self._shuffling = [] if again else _picks(cards, wanted), True
        order = super().shuffled(cards)
        self.faces, self._shuffling = kept, False
        self.throws.append(f"shuffle: {value_words(order)}")
        return order

    def _next_cards(self, cards: Sequence[str]) -> list[str]:
        wanted, self.cards = self.cards[: len(cards)], self.cards[len(cards) :]
        if sorted(wanted) != sorted(cards):
            raise OutOfFaces(
                f"{value_words(tuple(cards))} are shuffled; they cannot lie as {value_words(tuple(wanted))}"
            )
        return wanted


def _picks(cards: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The faces of the draws that bring cards into an order.

    >>> _picks(["a", "b", "c"], ["c", "a", "b"])
    [3, 1]
    """
    left, picks = list(cards), []
    for card in wanted[:-1]:
        picks.append(left.index(card) + 1)
        left.remove(card)
    return picks
