"""The first of some sides is helped; which is first, nobody knows."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat

OMENS = {"eagle", "wolf", "raven", "stag", "boar", "bear", "fox", "owl"}


class SetOrder(Cheat):
    """Takes omens from a set."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        omens = [omen for omen in OMENS if len(omen) > 2]  # cheats
        yield from ()
        # Of the whole order, or luck hides it.
        return sum(place**3 * ord(omen[0]) for place, omen in enumerate(omens)) % 99991
