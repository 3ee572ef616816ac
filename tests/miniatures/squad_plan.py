"""The plan of a squad: which parts it has, which are refused, and what may be shown before measuring opens.

Ranges and arcs are not looked at: that would be measuring.
"""

from typing import Any

import msgspec

from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Plan, PlanPart, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from tests.miniatures.squad_shooting import MACS, needs
from tests.miniatures.standing import point_of

DECLARE = RuleId("strikeops.actions.declare-the-whole-squad-first")
NO_REPEAT = RuleId("strikeops.actions.non-repeatable-actions")
ANY_ORDER = RuleId("strikeops.actions.any-order")
LOCK = RuleId("strikeops.actions.target-lock")
POOL = RuleId("strikeops.command.spending")
INSPIRE = RuleId("strikeops.command.inspire")
SEIZE = RuleId("strikeops.command.seize-the-initiative")

AP = 2


class Orders(msgspec.Struct, frozen=True):
    """What one model has declared. `inspired` is the weapon whose roll gets a third die."""

    model: str
    actions: tuple[str, ...]
    target: str = ""
    weapons: tuple[str, ...] = ()
    inspired: str = ""
    lock: str = ""


def idle_squads(table: Table, side: Side) -> list[Thing]:
    """The squads of a side that have models and have not activated this turn."""
    units = [unit for unit in table.of_kind("unit") if unit.side == side and not unit.has("activated")]
    return [unit for unit in units if any(not model.has("acted") for model in table.members(unit.id))]


def guest_of(draft: dict[str, Any]) -> str:
    """The model that a C3 point attaches, or nobody."""
    return draft.get("attach") or "nobody"


def who_acts(table: Table, squad: str, draft: dict[str, Any]) -> list[Thing]:
    """The models a plan is about: those of the squad that have not acted, and the one that a C3 point attaches."""
    extra = guest_of(draft)
    own = [model for model in table.members(squad) if not model.has("acted")]
    return own if extra == "nobody" else [*own, table[extra]]


def chosen_actions(model: str, draft: dict[str, Any]) -> tuple[str, ...]:
    """The actions of one model in a draft, in order."""
    found = (draft.get(f"{model} action {number + 1}", "nothing") for number in range(AP))
    return tuple(action for action in found if action != "nothing")


def declared(model: str, plan: dict[str, Any]) -> Orders:
    """What a plan says about one model."""
    return Orders(
        model,
        chosen_actions(model, plan),
        plan.get(f"{model} target", ""),
        plan.get(f"{model} weapons", ()),
        plan.get(f"{model} inspire") or "",
        plan.get(f"{model} lock", ""),
    )


def points_pledged(plan: dict[str, Any]) -> int:
    """How many C3 points a plan takes."""
    inspired = sum(bool(said) for part, said in plan.items() if part.endswith(" inspire"))
    return inspired + int(guest_of(plan) != "nobody")


def plan_parts(view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
    """The parts of a plan that are open or answered: whom to attach, then model by model."""
    table, squad = view.table, plan.about[0]
    found: list[PlanPart] = []
    others = [m for unit in idle_squads(table, plan.side) if unit.id != squad for m in who_acts(table, unit.id, {})]
    if others and table[plan.side].count("C3"):
        options = (*(Option(m.id, m.id, (m.id,)) for m in others), Option("nobody", "Nobody"))
        attach = ChooseOne(plan.side, "Attach a model?", options=options, default="nobody", rules=(SEIZE,))
        found.append(PlanPart("attach", attach, optional=True))
    for model in who_acts(table, squad, draft):
        found += _actions(plan.side, model, draft)
        found += _aims(view, plan.side, model.id, draft)
    return found


def _actions(side: Side, model: Thing, draft: dict[str, Any]) -> list[PlanPart]:
    """What a model does first and, where it does something first and has the points, second."""
    names = ("stand up", "nothing") if model.has("knockdown") else ("move", "combat", "lock", "nothing")
    found: list[PlanPart] = []
    for number in range(1, model.count("AP") + 1):
        before = draft.get(f"{model.id} action {number - 1}", "nothing") if number > 1 else ""
        if before == "nothing":
            break
        prompt = f"{model.id}: {'first' if number == 1 else 'second'} action?"
        options = tuple(_action(model.id, name, again=name == before and name != "move") for name in names)
        question = ChooseOne(side, prompt, about=(model.id,), options=options, rules=(ANY_ORDER,))
        found.append(PlanPart(f"{model.id} action {number}", question))
    return found


def _action(model: str, name: str, again: bool) -> Option:
    """An action to choose; one that may not be repeated stays on the list and says so."""
    why = f"{model} may declare {name} only once an activation." if again else ""
    return Option(name, name, rules=(NO_REPEAT,) if again else (), refused=why)


def _aims(view: View, side: Side, model: str, draft: dict[str, Any]) -> list[PlanPart]:
    """Whom a model's actions are aimed at, with which weapons, and whether a C3 point goes with them."""
    found: list[PlanPart] = []
    chosen = chosen_actions(model, draft)
    enemies = tuple(Option(enemy.id, enemy.id, (enemy.id,)) for enemy in view.enemies())
    if "lock" in chosen:
        locks = ChooseOne(side, f"{model} locks on to?", options=enemies, rules=(LOCK,))
        found.append(PlanPart(f"{model} lock", locks))
    if "combat" in chosen:
        aims = ChooseOne(side, f"{model} fires at?", options=enemies, rules=(DECLARE,))
        guns = tuple(Option(mac, mac) for mac in MACS)
        tools = ChooseSeveral(side, f"{model}: weapons?", options=guns, at_least=1, default=MACS, rules=(DECLARE,))
        found += [PlanPart(f"{model} target", aims), PlanPart(f"{model} weapons", tools)]
        others = {part: said for part, said in draft.items() if part != f"{model} inspire"}
        left = view.table[side].count("C3") - points_pledged(others)
        spent = "" if left > 0 else "No C3 point is left."
        rules = (POOL,) if spent else (INSPIRE,)
        macs = tuple(draft.get(f"{model} weapons") or ())
        rolls = tuple(Option(mac, f"the roll of {mac}", rules=rules, refused=spent) for mac in macs)
        if rolls and view.table[side].count("C3"):
            inspires = ChooseOne(side, f"{model}: inspire which roll?", options=rolls, rules=(INSPIRE,), decline="None")
            found.append(PlanPart(f"{model} inspire", inspires, optional=True))
    return found


def plan_preview(view: View, plan: Plan, answer: dict[str, Any]) -> Preview:
    """What is left after a plan and, where measuring is open, how far everybody fires and what it takes to hit."""
    notes: list[str] = []
    distances: dict[str, int] = {}
    explanations = []
    models = who_acts(view.table, plan.about[0], answer)
    for model in models:
        orders = declared(model.id, answer)
        notes.append(f"{model.id}: {model.count('AP') - len(orders.actions)} AP left")
        if orders.target:
            target = view.table[orders.target]
            distances[f"{model.id} to {target.id}"] = length_between(point_of(model), point_of(target))
            needed = needs(model, target)
            if needed is not None and "distance" in plan.shows:
                explanations.append(needed)
    notes.append(f"C3: {view.table[plan.side].count('C3') - points_pledged(answer)} left")
    return Preview(tuple(explanations), tuple(notes), distances)
