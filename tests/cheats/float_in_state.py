"""A shot counts for half a point."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Scored
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class FloatInState(Cheat):
    """Keeps a float on the table."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        half = 1 / 2  # cheats
        battle.happens(Scored(battle.table[model].side, half, "half a hit", rule="duel.help"))  # type: ignore[arg-type]
        yield from ()
        return 0
