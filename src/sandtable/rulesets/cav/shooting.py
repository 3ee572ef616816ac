"""Shooting: range bands, and what a hit comes to once it is held against armor."""

from typing import NamedTuple, Protocol

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Detail
from sandtable.engine.explain import Explanation
from sandtable.engine.shapes import UNIT
from sandtable.forces.ledger import Rule


class Ranged(Protocol):
    """A weapon that has a range."""

    @property
    def range(self) -> int:
        """The end of its shortest band, in inches."""


class Bands(NamedTuple):
    """The range bands of an edition, the nearest first: how often a weapon's range each of them reaches."""

    multiples: dict[str, int]

    def band(self, weapon: Ranged, away: int) -> str | None:
        """The band a distance lies in, the nearer one at its end; none beyond the last."""
        for name, multiple in self.multiples.items():
            if away <= multiple * weapon.range * UNIT:
                return name
        return None

    def ends(self, weapon: Ranged) -> dict[str, int]:
        """The end of each band of a weapon, the nearest first."""
        return {f"{name} range": multiple * weapon.range * UNIT for name, multiple in self.multiples.items()}

    def farthest(self, weapon: Ranged) -> int:
        """The end of the last band."""
        return max(self.multiples.values()) * weapon.range * UNIT


def tell_of_hit(
    battle: Battle, shooter: str, victim: str, weapon: str, what: str, why: Rule, number: Explanation, because: int
) -> int:
    """Tell what a hit came to against armor, part by part."""

    def told() -> Declared:
        detail: Detail = {
            number.what: number.total,
            "parts": tuple(f"{part.label} {part.value}" for part in number.parts),
            "rules": tuple(part.rule for part in number.parts),
        }
        return Declared(shooter, what, (victim,), (weapon,), rule=why.id, because=because, detail=detail)

    return battle.tells(told)
