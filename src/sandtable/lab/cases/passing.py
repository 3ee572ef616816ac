"""What passes with nobody being asked: a turn, or an activation in which a rule leaves nobody anything to do."""

from collections.abc import Iterator
from typing import TypeGuard

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, StepBegan
from sandtable.engine.questions import ChooseOne, Refusal
from sandtable.engine.records import journal as j
from sandtable.engine.records.replay import folded
from sandtable.engine.ruleset import View
from sandtable.engine.table import Table
from sandtable.tabletop.actions import ACTION

#: The name of the step with which somebody's activation begins.
ACTIVATION = "activation"


def passed_over(battle: Battle, name: str) -> Refusal | None:
    """The rule by which somebody could do nothing when its activation came last, and so was not asked."""
    if name not in battle.table.things:
        return None
    events = battle.journal.events()
    began = [n for n, event in enumerate(events) if _begins(event) and name in event.units]
    if not began and battle.table[name].unit:
        return passed_over(battle, battle.table[name].unit)
    return _idle(battle, _table_at(battle, began[-1]), name) if began else None


def stood_before(battle: Battle, line: int) -> Iterator[Table]:
    """The tables that a step may mean by its end, though the battle went on from there with nobody being asked.

    Since a line of the journal: before a new turn began, and before an activation in which nobody could do anything.
    """
    events = battle.journal.events()
    past = sum(isinstance(one, j.Happened) for one in battle.journal.lines[:line])
    for n, event in enumerate(events[past:], past):
        if n and (_begins(event) or isinstance(event, PhaseBegan)):
            table = _table_at(battle, n - 1)
            if isinstance(event, PhaseBegan):
                passes = event.turn > table.turn > 0
            else:
                models = [one for one in event.units if one in table.things and table[one].kind == "model"]
                passes = bool(models) and all(_idle(battle, table, one) for one in models)
            if passes:
                yield table


def _begins(event: object) -> TypeGuard[StepBegan]:
    return isinstance(event, StepBegan) and event.name == ACTIVATION


def _table_at(battle: Battle, n: int) -> Table:
    """The table after an event, all told."""
    *_, table = folded(battle.journal.events()[: n + 1], battle.table.sides, battle.journal.header.setup.options)
    return table


def _idle(battle: Battle, table: Table, name: str) -> Refusal | None:
    """The rule that forbids somebody every action, as things stand."""
    side = table[name].side
    question = ChooseOne(side, "", topic=ACTION, about=(name,))
    return battle.ruleset.unoffered(View(side, table), question, ANYTHING)


#: What stands for any action at all.
ANYTHING = ""
