"""Cards in hand in words: one's own with what they say, of others how many they have."""

from collections.abc import Mapping

from sandtable.engine.shapes import Off
from sandtable.engine.table import CARD, DISCARDED, IN_HAND, LAID_OPEN, Table, Thing


def hand_lines(table: Table, texts: Mapping[str, str]) -> list[str]:
    """The hands of all sides as the owner of a table knows them; `texts` is what is printed on each card.

    >>> from sandtable.engine.table import Deck, Ground
    >>> cards = [Thing(n, kind=CARD, side="red", label="A card", place=Off(IN_HAND), unit="red deck") for n in "ab"]
    >>> decks = {"red deck": Deck({"x": 3, "": -1})}
    >>> hand_lines(Table(Ground(0, 0), ("red",), {one.id: one for one in cards}, decks), {})
    ['red: 2 cards in hand, 2 left to draw']
    """
    lines = []
    for side in table.sides:
        cards = [one for one in table.of_kind(CARD) if one.side == side]
        for deck in dict.fromkeys(one.unit for one in cards):
            own = [one for one in cards if one.unit == deck]
            hand, out = _at(own, IN_HAND), _at(own, DISCARDED)
            left = sum(table.decks[deck].contents.values()) if deck in table.decks else 0
            told = f"{side}: {len(hand)} card{'' if len(hand) == 1 else 's'} in hand, {left} left to draw"
            lines.append(told + (f"; discarded: {', '.join(one.label for one in out)}" if out else ""))
            lines += [f"  {one.label}, laid open" for one in _at(own, LAID_OPEN)]
            lines += [f"  {one.label}. {texts.get(one.card, '')}".rstrip() for one in hand if one.card]
    return lines


def _at(cards: list[Thing], where: str) -> list[Thing]:
    return [one for one in cards if one.place == Off(where)]
