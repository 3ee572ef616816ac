"""The words of this ruleset's conformance cases, as its chapters bring them."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.ruleset import Setup
from sandtable.engine.table import Table
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.rulesets.stargrunt.actions.activation import DONE
from sandtable.rulesets.stargrunt.forces.cards import Squad
from sandtable.rulesets.stargrunt.scenario.setup import CASE_KEYS, SIDES, case_setup
from sandtable.rulesets.stargrunt.weapons import SMALL, SUPPORT
from sandtable.tabletop.book import Book


class StargruntWords:
    """What a case may say."""

    def __init__(self, ruleset: Book, cards: Catalogue[Squad]) -> None:
        self.ruleset = ruleset
        self.cards = cards

    def start(self, case: Data) -> Setup:
        """The board and the units as the case lays them out; those named by `turn` act, in that order."""
        return case_setup(self.ruleset, case, self.cards)

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """Nothing is declared as a plan here: `{A: fire}` is the choice of A's next action, as `{action: fire}` is."""
        raise value.fail(f"`{actor}` is no key here", "say `action:` and what it does")

    @property
    def answers(self) -> Mapping[str, Any]:
        """Answers in a form of their own: a move of all figures at once, `{all: {turn: 270, go: 6}}`."""
        return self.ruleset.readers

    @property
    def values(self) -> Mapping[str, Any]:
        """The pure functions that `ask:` may call."""
        actions = self.ruleset.actions
        listed = {
            "cost": lambda table, asked: actions[asked.text_at()].cost,
            "twice": lambda table, asked: actions[asked.text_at()].repeats,
        }
        return {**self.ruleset.values, **listed}

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean."""
        book = self.ruleset
        return {
            "head": {**dict.fromkeys(SIDES, "the units of a side"), **CASE_KEYS},
            "model keys": {
                "figures": "{2: {at: [6, 10]}, 3: wounded, 4: {at: [7, 10], stabilised: true, states: [left behind]}}: "
                "its single figures; those of A are called A1, A2, …; any may be wounded, stabilised or dead"
            },
            "answers": book.answers,
            "actions": {**{action.id: action.label for action in book.actions.values()}, DONE: "Nothing more"},
            "states": book.states,
            "counts": book.counts,
            "options": book.unit_options,
            "switches": book.switches,
            "terrain": dict.fromkeys(book.terrain, "a kind of terrain"),
            "models": {card.id: card.name for card in self.cards},
            "values": _MEANT,
            "weapons": {name: name.replace("_", " ") for name in (*SMALL, *SUPPORT)},
        }


#: What those values are whose function does not say so itself.
_MEANT = {
    "standard-table": "the width and depth of a table, in thousandths of an inch",
    "multiplied": "what a score comes to that counts several times",
    "wall": "what crossing an obstacle of a kind costs, in thousandths of an inch",
    "mobility": "how far a mobility class moves, in thousandths of an inch, and its die",
    "weapon": "the line of a weapon in the ledger",
    "burst-radius": "how far a burst reaches, in thousandths of an inch",
    "walls": "the armour and the die of a building's walls",
    "against-mines": "the die of a vehicle's suspension against mines",
    "air-defence": "the die of air defences of a level",
    "bears-from-air": "whether a weapon of a craft bears on a target: `[A, weapon, B]`",
    "cards": "the units that a side fields",
    "capacity": "how many spaces a vehicle has",
    "cost": "how many actions an action takes",
    "twice": "whether an action may be tried twice in one activation",
}
