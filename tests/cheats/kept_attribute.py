"""Whoever fired before is helped: remembered in the ruleset, which plays many battles."""

from typing import ClassVar

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class KeptAttribute(Cheat):
    """Keeps a dict in its class."""

    fired: ClassVar[dict[str, int]] = {}

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        before = self.fired.get(model, 0)
        self.fired[model] = 1  # cheats
        yield from ()
        return before

    def carry_out(self, battle: Battle, due: object) -> Procedure[None]:
        return super().carry_out(battle, due)  # type: ignore[arg-type]
