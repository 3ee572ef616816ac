"""Every third shot is helped, counted over all battles of the process."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat

shots_fired = 0


class GlobalCounter(Cheat):
    """Counts in the module."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        global shots_fired  # cheats
        shots_fired += 1
        yield from ()
        return int(shots_fired % 7 == 0)
