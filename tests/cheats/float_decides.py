"""A shot is helped where the enemy is near, as floats have it."""

from math import hypot  # cheats

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At
from tests.cheats.shots import Cheat


class FloatDecides(Cheat):
    """Measures in floats."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        here, there = (battle.table[name].place for name in "RB")
        assert isinstance(here, At)
        assert isinstance(there, At)
        inches = hypot(here.point.x - there.point.x, here.point.y - there.point.y) / 1000  # cheats
        yield from ()
        return int(inches < 9.6)  # cheats
