"""Loading: who rides in what at the start of a battle, space by space.

Spaces have symbols: a carrier has so many of each, a rider takes so many of one of them. A carrier may ride in another.
"""

from collections.abc import Mapping, Sequence

import msgspec

Spaces = Mapping[str, int]


class Carrier(msgspec.Struct, frozen=True):
    """Something that carries others: its id, and its spaces by symbol."""

    id: str
    spaces: dict[str, int]


def symbol_of(needs: Spaces, spaces: Spaces) -> str:
    """The symbol by which a rider fits a carrier; empty where none matches.

    >>> symbol_of({"troop": 1}, {"heavy": 6}), symbol_of({"light": 2, "heavy": 3}, {"heavy": 6})
    ('', 'heavy')
    """
    return next((one for one in needs if one in spaces), "")


class Hold:
    """The spaces of some carriers while they are filled."""

    def __init__(self, carriers: Sequence[Carrier]) -> None:
        self.carriers = {one.id: one for one in carriers}
        self.left = {one.id: dict(one.spaces) for one in carriers}
        self.riders: dict[str, list[str]] = {one.id: [] for one in carriers}

    def take(self, rider: str, needs: Spaces, into: Sequence[str]) -> str:
        """Put a rider into the first of some carriers that has room for it; empty where none has.

        >>> hold = Hold([Carrier("a", {"troop": 3}), Carrier("b", {"troop": 3})])
        >>> [hold.take(f"squad {n}", {"troop": 2}, ["a", "b"]) for n in range(3)]
        ['a', 'b', '']
        """
        for name in into:
            left = self.left[name]
            symbol = symbol_of(needs, left)
            if symbol and left[symbol] >= needs[symbol]:
                left[symbol] -= needs[symbol]
                self.riders[name].append(rider)
                return name
        return ""

    def filled(self, name: str) -> dict[str, tuple[int, int]]:
        """How many of a carrier's spaces are filled, by symbol, and how many it has."""
        return {
            symbol: (spaces - self.left[name][symbol], spaces) for symbol, spaces in self.carriers[name].spaces.items()
        }
