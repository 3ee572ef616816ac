"""The words of this ruleset's conformance cases."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.table import Table, Thing
from sandtable.forces.case_table import TABLE_KEYS
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.rulesets.quickstart.cases.combat_values import COMBAT_VALUES
from sandtable.rulesets.quickstart.cases.values import VALUES
from sandtable.rulesets.quickstart.datacard import Stats, weapons
from sandtable.rulesets.quickstart.setup.scenarios import COUNTS, OPTIONS, SIDES, STATES, case_setup
from sandtable.rulesets.quickstart.setup.shaping import every_point
from sandtable.rulesets.quickstart.setup.terrain import KINDS
from sandtable.rulesets.quickstart.turn.declaration import LABELS, NOTHING

ANSWERS = {
    "target": "whom a ranged or close-combat assault is aimed at",
    "assault": "direct-fire (if nothing is said) or indirect-fire",
    "weapons": "the weapon systems that fire, in order; of two alike the second is called -2",
    "salvo": "true: weapons of one kind fire together",
    "strike-point": "where indirect fire is aimed, [x, y]",
    "smart": "as-printed, wider or stronger",
    "lock": "whom a target-lock is on",
    "contact": "models that a move may come into contact with",
    "walk": "the path of a Move Action; the mark `fires here` where a combined assault is made",
    "break-away": "the path out of a close combat",
    "stand-up": "how a model that stands up turns",
    "stand-up-instead": "false: a model knocked down does not use its declared move to stand up",
    "defensive-fire": "the defender's id to shoot back, or pass",
    "defensive-weapons": "the weapons of defensive fire, in order",
    "over-watch": "the id of the model that fires from over-watch, or pass",
    "over-watch-weapons": "its weapons, in order",
    "ammo-bin": "true: use the ammo bin",
    "fumbled-strike-point": "where the opponent moves a fumbled strike-point, [x, y]",
    "activate": "which model acts",
    "edge": "the starting edge",
    "retreat-edge": "by which of two equally near edges a mission kill leaves",
    "deploy": "where a model is placed",
    "deploy-which": "which model is placed",
    "terrain-kind": "what a Special or Rough-or-Rubble result places",
    "terrain-level": "how high, or how deep, a feature is",
    "place-terrain": "where a feature is placed",
    "terrain-shape": "how a player shapes a feature: as-drawn, circle, or with how many corners, points or houses",
    "shape-terrain": "where the points of a feature lie, {corner 1: [x, y], …}",
    "action": "an action of a plan",
}


class QuickstartWords:
    """What a case may say."""

    def __init__(self, ruleset: Ruleset, cards: Catalogue[Stats]) -> None:
        self.ruleset = ruleset
        self.cards = cards

    def start(self, case: Data) -> Setup:
        """The board and the models as the case lays them out; the models named by `turn` act, in that order."""
        return case_setup(case, self.cards)

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
            "answers": ANSWERS,
            "actions": {name: label for name, label in LABELS.items() if name != NOTHING},
            "states": STATES,
            "counts": COUNTS,
            "terrain": dict.fromkeys(KINDS, "a kind of terrain"),
            "models": {card.id: card.name for card in self.cards},
            "weapons": fired,
            "points": dict.fromkeys(every_point(), "a point that a feature is shaped by"),
        }


def _systems(card_id: str) -> dict[str, Any]:
    return dict(weapons(Thing("", card=card_id)))
