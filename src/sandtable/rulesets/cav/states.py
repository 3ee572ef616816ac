"""States that pass: received, and lost at the end of the activation that is spent in them."""

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.tabletop.states import give, take

#: What a passing state is worth: received, running out with this activation, and received anew while it ran out.
FRESH, COUNTING, RENEWED = 1, 2, 3


class Rolling(msgspec.Struct, frozen=True):
    """Who makes a roll, and against whom: what decides whether a modifier counts."""

    model: Thing
    target: Thing | None = None


class Passing(msgspec.Struct, frozen=True, eq=False):
    """The states of an edition that last through one activation: of each the rule by which it is lost, and when."""

    rules: dict[str, Rule]
    until: dict[str, str]

    def begin(self, battle: Battle, model: str) -> None:
        """An activation begins: passing states the model has now will end with it."""
        for state, why in self.rules.items():
            if battle.table[model].value(state) == FRESH:
                give(battle, model, state, why, COUNTING, until=self.until[state])

    def end(self, battle: Battle, model: str) -> None:
        """An activation ends: passing states it began with are lost."""
        for state, why in self.rules.items():
            if battle.table[model].value(state) == COUNTING:
                take(battle, model, state, why)
            elif battle.table[model].value(state) == RENEWED:
                give(battle, model, state, why, FRESH, until=self.until[state])
