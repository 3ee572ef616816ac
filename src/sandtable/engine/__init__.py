"""Battles, questions, events, views and dice: everything that knows no ruleset.

What the world may use is listed here, and each name is imported when it is first asked for: whoever needs points and
shapes alone does not load a battle. Events are in `sandtable.engine.events`, shapes and places in
`sandtable.engine.shapes`, the audit of rulesets in `sandtable.lab.audit`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.engine.answers.judging import Accepted, check
    from sandtable.engine.answers.windows import Reacted, reaction_window
    from sandtable.engine.battle import SPECTATOR, Battle
    from sandtable.engine.dice import Dice, ScriptedDice, SeededDice
    from sandtable.engine.enumerator import Distribution, distribution
    from sandtable.engine.events import AnyEvent
    from sandtable.engine.explain import ExplainedPart, Explanation, explain
    from sandtable.engine.questions import (
        Allocate,
        AnyQuestion,
        ChooseOne,
        ChooseSeveral,
        Confirm,
        MoveModels,
        Option,
        PlaceThings,
        Plan,
        PlanPart,
        Preview,
        React,
        Reaction,
        ReactOption,
        Refusal,
        fingerprint,
    )
    from sandtable.engine.records.journal import Journal, JournalDiverged, JournalError
    from sandtable.engine.records.replay import folded, replayed, resumed
    from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
    from sandtable.engine.state import Condition, Due, Settle, StandingOrder, State, Step
    from sandtable.engine.table import Ground, Piece, Table, Thing

_WHERE = {
    "battle": ("SPECTATOR", "Battle"),
    "dice": ("Dice", "ScriptedDice", "SeededDice"),
    "enumerator": ("Distribution", "distribution"),
    "events": ("AnyEvent",),
    "explain": ("ExplainedPart", "Explanation", "explain"),
    "records.journal": ("Journal", "JournalDiverged", "JournalError"),
    "answers.judging": ("Accepted", "check"),
    "questions": (
        *("AnyQuestion", "ChooseOne", "ChooseSeveral", "Allocate", "PlaceThings", "MoveModels", "Confirm", "React"),
        *("Plan", "PlanPart", "Option", "ReactOption", "Reaction", "Preview", "Refusal", "fingerprint"),
    ),
    "records.replay": ("folded", "replayed", "resumed"),
    "ruleset": ("Procedure", "Ruleset", "Setup", "View"),
    "state": ("Condition", "Due", "Settle", "StandingOrder", "State", "Step"),
    "table": ("Ground", "Piece", "Table", "Thing"),
    "answers.windows": ("Reacted", "reaction_window"),
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Accepted",
    "Allocate",
    "AnyEvent",
    "AnyQuestion",
    "Battle",
    "ChooseOne",
    "ChooseSeveral",
    "Condition",
    "Confirm",
    "Dice",
    "Distribution",
    "Due",
    "ExplainedPart",
    "Explanation",
    "Ground",
    "Journal",
    "JournalDiverged",
    "JournalError",
    "MoveModels",
    "Option",
    "Piece",
    "PlaceThings",
    "Plan",
    "PlanPart",
    "Preview",
    "Procedure",
    "React",
    "Reacted",
    "Reaction",
    "ReactOption",
    "Refusal",
    "Ruleset",
    "SPECTATOR",
    "ScriptedDice",
    "SeededDice",
    "Settle",
    "Setup",
    "StandingOrder",
    "State",
    "Step",
    "Table",
    "Thing",
    "View",
    "check",
    "distribution",
    "explain",
    "fingerprint",
    "folded",
    "reaction_window",
    "replayed",
    "resumed",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]
