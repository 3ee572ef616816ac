"""Data cards: the column that damage has brought a model to, its weapon systems, the ratings of special abilities."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from sandtable.engine.table import Thing
from sandtable.field.directions import rounded

#: The number of a pair that counts against hard targets, and the one against soft ones.
Pair = tuple[int, int]


class WeaponLine(Protocol):
    """A weapon line of a card: so many of a kind."""

    @property
    def id(self) -> str:
        """What the first of them is called."""

    @property
    def count(self) -> int:
        """How many there are."""


W = TypeVar("W", bound=WeaponLine)


def column(model: Thing) -> int:
    """The damage track column a model is in: one a point, and the last for whatever is more."""
    return model.harm if model.harm < model.track else model.track - 1


def systems(lines: Iterable[W]) -> dict[str, W]:
    """The weapon systems of a card by id: each fires by itself; of two alike the second is called `-2`."""
    found: dict[str, W] = {}
    for weapon in lines:
        for n in range(1, weapon.count + 1):
            found[weapon.id if n == 1 else f"{weapon.id}-{n}"] = weapon
    return found


class Legs(NamedTuple):
    """What critical damage to legs or drives does to MV: a factor for each crippled, a loss for each damaged."""

    crippled: Fraction
    damaged: int

    def slowed(self, move: int, crippled: int, damaged: int) -> int:
        """MV after critical damage: halving first, rounding .5 up each time, then the losses, at least 0.

        >>> Legs(Fraction(1, 2), -1).slowed(5, crippled=1, damaged=1)
        2
        """
        for _ in range(crippled):
            move = rounded(move * self.crippled.numerator, self.crippled.denominator)
        return max(0, move + self.damaged * damaged)
