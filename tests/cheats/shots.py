"""The duel, with a word to say about every shot: 1 where the shot is helped, 0 where it is not."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted
from sandtable.engine.ids import RuleId
from sandtable.engine.ruleset import Procedure
from tests.engine.duel import Duel


class Cheat(Duel):
    """Counts how often shots were helped; whoever inherits says when they are."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        raise NotImplementedError

    def shoot(self, battle: Battle, model: str, target: str, shots: int) -> Procedure[None]:
        help_ = yield from self.helped(battle, model)
        before = battle.table[model].count("help")
        battle.happens(Counted(model, "help", before, before + help_, rule=RuleId("duel.help")))
        yield from super().shoot(battle, model, target, shots)
