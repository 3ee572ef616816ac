"""A shot is helped by dice that are not the battle's."""

import random  # cheats

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class OwnDice(Cheat):
    """Brings dice of its own."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        yield from ()
        return random.randrange(2)
