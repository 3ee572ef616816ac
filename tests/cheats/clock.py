"""A shot hits in every other second."""

import time  # cheats

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class Clock(Cheat):
    """Asks the clock."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        yield from ()
        return int(time.time()) % 2
