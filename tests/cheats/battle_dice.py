"""The honest way to leave something to chance: the battle's dice."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class BattleDice(Cheat):
    """Asks the battle's dice."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        yield from ()
        return battle.dice.number(2)
