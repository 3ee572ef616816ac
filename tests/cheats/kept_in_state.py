"""The honest way to remember something: an event, so that it lies on the table."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import StateChanged
from sandtable.engine.ids import RuleId
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat

FIRST, LATER = 0, 1
NAMES = {"fired": "has fired before"}


class KeptInState(Cheat):
    """Marks whoever fired."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        before = battle.table[model].value(NAMES["fired"])
        counted: list[int] = []
        counted.append(FIRST if before is None else LATER)
        battle.happens(StateChanged(model, NAMES["fired"], before, 1, rule=RuleId("duel.help")))
        yield from ()
        return counted[0]
