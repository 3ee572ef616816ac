"""The words of this ruleset's conformance cases."""

from collections.abc import Collection, Mapping
from typing import Any

from sandtable.engine.ids import NO_THING
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.rulesets.quickstart.cases.combat_values import COMBAT_VALUES
from sandtable.rulesets.quickstart.cases.values import VALUES
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.setup.terrain import BY_RULE
from sandtable.rulesets.quickstart.state_names import ActionName
from sandtable.rulesets.quickstart.turn.phases import DRAW_DECK
from sandtable.tabletop.case_words import BookWords
from sandtable.tabletop.chapters import Chapter


class QuickstartWords(BookWords):
    """What a case may say: actions are declared as a plan, and weapons are named."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A: shoot}` and `{A: [stand-up, shoot]}` are the first and second action of the declaration.

        A third is refused by the rules, as it should be.
        """
        said = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
        return {str(n): action for n, action in enumerate(said, 1)}

    @property
    def facings(self) -> Collection[str]:
        """Who stands up says which way it faces then."""
        return (ActionName.STAND_UP,)

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """Its deck, the weapons of its cards, and the points by which players shape terrain."""
        carried = [weapons(Thing(NO_THING, card=card.id)) for card in self.book.cards or ()]
        return {
            "decks": {DRAW_DECK.name: "whose model is activated next; `deck` is it too"},
            "weapons": {name: weapon.name for systems in carried for name, weapon in systems.items()},
            "points": dict.fromkeys(BY_RULE.every_point(), "a point that a feature is shaped by"),
        }


CHAPTER = Chapter(values={**VALUES, **COMBAT_VALUES})
