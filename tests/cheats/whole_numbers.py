"""The honest way to measure: whole numbers, squared."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At
from tests.cheats.shots import Cheat


class WholeNumbers(Cheat):
    """Measures in thousandths; what it tells the eye decides nothing."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        here, there = (battle.table[name].place for name in "RB")
        assert isinstance(here, At)
        assert isinstance(there, At)
        squared = (here.point.x - there.point.x) ** 2 + (here.point.y - there.point.y) ** 2
        shown = f"{squared / 1000000:.2f} square inches"
        yield from ()
        return int(squared < 9600**2 and shown != "")
