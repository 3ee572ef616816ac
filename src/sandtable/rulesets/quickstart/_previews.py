"""What a draft would bring, from the same functions that decide it when it is carried out."""

from typing import Any

from sandtable.engine.questions import AnyQuestion, MoveModels, PathNote, Plan, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.quickstart._declaration import declared
from sandtable.rulesets.quickstart.activation import rates_of
from sandtable.rulesets.quickstart.movement import WalkerRates, going
from sandtable.rulesets.quickstart.turn import action_cost


def preview_of(view: View, question: AnyQuestion, answer: Any) -> Preview:
    """The preview of a lawful draft."""
    if isinstance(question, Plan):
        return _plan(view, question, answer)
    if isinstance(question, MoveModels) and answer:
        model = view.table[question.models[0]]
        walk = answer.get(model.id)
        if walk is not None and question.topic == "walk":
            return _walk(view.table, model, walk, rates_of(model, question), question.about[1:])
    return Preview()


def _plan(view: View, question: Plan, answer: dict[str, Any]) -> Preview:
    """Before the declaration nothing is measured: only what it costs (quickstart.turn.no-premeasuring)."""
    said = declared(answer)
    cost = sum(action_cost(action) for action in said.actions if action != "stay")
    left = question.budget["AP"] - cost
    return Preview(notes=(f"{cost} AP, {left} left",))


def _walk(table: Table, model: Thing, walk: Walk, rates: WalkerRates, contacts: tuple[str, ...]) -> Preview:
    gone = going(table, model, walk, rates, contacts)
    points = tuple(dict.fromkeys([gone.track.start.point, *(s.end for s in gone.track.stretches)]))
    costs = tuple(step.cost for step in gone.trace.steps)
    path = PathNote(model.id, points, costs, gone.trace.total, rates.allowance)
    notes = []
    if gone.leaves:
        notes.append(f"{model.label} leaves the board and is out of the battle.")
    if gone.contact:
        notes.append(f"It comes into contact with {table[gone.contact].label}, and the move ends there.")
    return Preview(explanations=costs, notes=tuple(notes), paths=(path,))
