"""The words of this ruleset's conformance cases."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.ruleset import Setup
from sandtable.engine.table import Table, Thing
from sandtable.forces.case_table import TABLE_KEYS
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.rulesets.quickstart.cases.combat_values import COMBAT_VALUES
from sandtable.rulesets.quickstart.cases.values import VALUES
from sandtable.rulesets.quickstart.datacard import Stats, weapons
from sandtable.rulesets.quickstart.setup.scenarios import OPTIONS, SIDES, case_setup
from sandtable.rulesets.quickstart.setup.shaping import every_point
from sandtable.rulesets.quickstart.setup.terrain import KINDS
from sandtable.rulesets.quickstart.turn.declaration import LABELS, NOTHING
from sandtable.tabletop.book import Book


class QuickstartWords:
    """What a case may say."""

    def __init__(self, ruleset: Book, cards: Catalogue[Stats]) -> None:
        self.ruleset = ruleset
        self.cards = cards

    def start(self, case: Data) -> Setup:
        """The board and the models as the case lays them out; the models named by `turn` act, in that order."""
        return case_setup(case, self.cards, self.ruleset.model_words)

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A: shoot}` and `{A: [stand-up, shoot]}` are the first and second action of the declaration."""
        said = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
        if len(said) > 2:
            raise value.fail(f"{len(said)} actions", "an activation has at most two")
        return {str(n): action for n, action in enumerate(said, 1)}

    @property
    def answers(self) -> Mapping[str, Any]:
        """No topic has a form of its own."""
        return {}

    @property
    def values(self) -> Mapping[str, Any]:
        """The pure functions that `ask:` may call."""
        return {**VALUES, **COMBAT_VALUES}

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean."""
        fired = {name: weapon.name for card in self.cards for name, weapon in _systems(card.id).items()}
        return {
            "head": {**dict.fromkeys(SIDES, "the models of a side"), **TABLE_KEYS},
            "options": OPTIONS,
            "answers": self.ruleset.joined(lambda chapter: chapter.answers),
            "actions": {name: label for name, label in LABELS.items() if name != NOTHING},
            "states": self.ruleset.joined(lambda chapter: chapter.states),
            "counts": self.ruleset.joined(lambda chapter: chapter.counts),
            "terrain": dict.fromkeys(KINDS, "a kind of terrain"),
            "models": {card.id: card.name for card in self.cards},
            "weapons": fired,
            "points": dict.fromkeys(every_point(), "a point that a feature is shaped by"),
        }


def _systems(card_id: str) -> dict[str, Any]:
    return dict(weapons(Thing("", card=card_id)))
