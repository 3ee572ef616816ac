"""Whoever fired before is helped: remembered in a list of the module."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat

FIRED: list[str] = []


class KeptList(Cheat):
    """Keeps a list that outlives the battle."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        before = model in FIRED
        FIRED.append(model)  # cheats
        yield from ()
        return int(before)
