"""The honest way with a set: ask what it holds, or sort it first."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat

OMENS = {"eagle", "wolf", "raven", "stag", "boar", "bear", "fox", "owl"}


class SortedSet(Cheat):
    """Takes omens in the order of the alphabet."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        omens = sorted(omen for omen in OMENS if len(omen) > 2)
        yield from ()
        return omens.index("wolf") if model in {"R", "B"} and any(omen in omens for omen in OMENS) else 0
