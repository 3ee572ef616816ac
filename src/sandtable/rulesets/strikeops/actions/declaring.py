"""What a squad declares: asked model by model and part by part, judged as a whole, then final."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Spent
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, Option, Plan, PlanPart, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.cav.concepts import enemies
from sandtable.rulesets.strikeops.actions.listing import (
    ACTIONS,
    ANY_ORDER,
    COST,
    LABELS,
    NON_REPEATABLE,
    NOTHING,
    REPEATABLE,
    TABLE,
    TARGET_LOCK,
    TWO_POINTS,
    is_move,
    refused_action,
)
from sandtable.rulesets.strikeops.attributes import OVERDRIVE
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import is_infantry, weapons
from sandtable.rulesets.strikeops.movement import NOT_MOVING
from sandtable.rulesets.strikeops.shooting.aiming import COMBAT_ACTION, DECLARING, may_fire_at
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.rulesets.strikeops.states import receive
from sandtable.rulesets.strikeops.victory import must_withdraw, refused_staying
from sandtable.tabletop.chapters import Chapter

DECLARE = rule("strikeops.actions.declare-the-whole-squad-first")
SEQUENCE = rule("strikeops.actions.activation-sequence")
NO_MEASURING = rule("strikeops.actions.no-pre-measuring")
NO_MEASURING_CONCEPT = rule("strikeops.concepts.no-measuring-before-declaring")
FINAL = rule("strikeops.actions.declarations-are-final")
SQUAD = rule("strikeops.concepts.squad")

DECLARATION = "declare"
#: How many actions a model may declare at most, as every action costs one point.
MOST = TWO_POINTS.number("action_points_per_turn")


class Declaration(msgspec.Struct, frozen=True):
    """Everything declared for one model. It binds."""

    model: str
    actions: tuple[str, ...] = ()
    lock: str = ""
    target: str = ""
    weapons: tuple[str, ...] = ()
    overdrive: bool = False

    @property
    def moves_and_shoots(self) -> bool:
        """One Move Action and an attack: it comes at any point of the move (strikeops.shooting.move-and-shoot)."""
        return sorted(self.actions) == [ActionName.MOVE, ActionName.SHOOT]


def squad_models(table: Table, squad: str) -> list[Thing]:
    """The models of a squad that are in play."""
    return [one for one in table.of_kind("model") if one.unit == squad and in_play(one)]


def able(table: Table, squad: str) -> list[Thing]:
    """The models of a squad that may declare actions now: those with action points, and not stunned."""
    return [one for one in squad_models(table, squad) if one.count(CountName.AP) and not one.has(StateName.STUNNED)]


def plan_question(table: Table, squad: Thing) -> Plan:
    """The question for a squad's declaration. Nothing may be measured yet (strikeops.actions.no-pre-measuring)."""
    models = able(table, squad.id)
    rules = (DECLARE, SEQUENCE, NO_MEASURING, NO_MEASURING_CONCEPT, DECLARING, ANY_ORDER, SQUAD)
    return Plan(
        squad.side,
        f"What does {squad.label} do?",
        topic=DECLARATION,
        about=(squad.id,),
        rules=tuple(one.id for one in rules),
        shows=("odds",),
        actors=tuple(one.id for one in models),
        budget={f"AP of {one.label}": one.count(CountName.AP) for one in models},
        default=None
        if any(must_withdraw(table, one) for one in models)
        else {f"{one.id} 1": NOTHING for one in models},
    )


def declared(plan: Plan, answer: dict[str, Any]) -> tuple[Declaration, ...]:
    """The declarations that an accepted plan comes to, in the order of the squad."""
    found = []
    for model in plan.actors:
        actions = _said(model, answer)
        shoots = ActionName.SHOOT in actions
        found.append(
            Declaration(
                model,
                actions,
                answer.get(f"{model} lock", "") if ActionName.TARGET_LOCK in actions else "",
                answer.get(f"{model} target", "") if shoots else "",
                tuple(answer.get(f"{model} weapons", ())) if shoots else (),
                bool(answer.get(f"{model} overdrive", False)) if shoots else False,
            )
        )
    return tuple(found)


def _said(model: str, answer: dict[str, Any]) -> tuple[str, ...]:
    said = (answer.get(f"{model} {n}", NOTHING) for n in range(1, MOST + 1))
    return tuple(one for one in said if one != NOTHING)


def parts(view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
    """The parts of a squad's declaration that are open, given what of it is said."""
    found: list[PlanPart] = []
    for name in plan.actors:
        found += _parts_of(view.table, plan.side, view.table[name], draft)
    return found


def _parts_of(table: Table, side: str, model: Thing, draft: dict[str, Any]) -> list[PlanPart]:
    found: list[PlanPart] = []
    before: tuple[str, ...] = ()
    for n in range(1, MOST + 1):
        part = f"{model.id} {n}"
        found.append(PlanPart(part, _action(table, side, model, n, before), optional=n > 1))
        said = draft.get(part, NOTHING)
        if said == NOTHING or said not in ACTIONS:
            break
        before = (*before, said)
        if sum(ACTIONS[one].cost for one in before) >= model.count(CountName.AP):
            break
    foes = enemies(table, model)
    if ActionName.TARGET_LOCK in before:
        found.append(PlanPart(f"{model.id} lock", _lock(side, model, foes)))
    if ActionName.SHOOT in before:
        found.append(PlanPart(f"{model.id} target", _target(side, model, foes)))
        target = draft.get(f"{model.id} target")
        if target in table.things:
            found.append(PlanPart(f"{model.id} weapons", _weapons(side, model, table[target])))
            fired = [
                weapons(model)[one].weapon for one in draft.get(f"{model.id} weapons", ()) if one in weapons(model)
            ]
            if any(weapon.has("overdrive") for weapon in fired):
                found.append(PlanPart(f"{model.id} overdrive", _overdrive(side, model), optional=True))
    return found


def _action(table: Table, side: str, model: Thing, n: int, before: tuple[str, ...]) -> ChooseOne:
    options = []
    for name, listed in ACTIONS.items():
        refusal = refused_action(table, model, before, name)
        often = REPEATABLE if listed.repeats else NON_REPEATABLE
        rules = (refusal.rule,) if refusal else (TABLE.id, often.id, COST.id)
        options.append(Option(name, listed.label, (model.id,), rules, refusal.sentence if refusal else ""))
    options.append(Option(NOTHING, LABELS[NOTHING], (model.id,)))
    prompt = f"{model.label}: first action?" if n == 1 else f"{model.label}: then?"
    behind = (TABLE.id, TWO_POINTS.id)
    return ChooseOne(side, prompt, topic="action", rules=behind, options=tuple(options), default=NOTHING)


def _judged(model: Thing, refusal: Refusal | None, why: str) -> Option:
    rules = (refusal.rule,) if refusal else (why,)
    return Option(model.id, model.label, (model.id,), rules, refusal.sentence if refusal else "")


def _lock(side: str, model: Thing, foes: Sequence[Thing]) -> ChooseOne:
    """An enemy that is no infantry, anywhere on the board (strikeops.actions.target-lock)."""
    options = []
    for foe in foes:
        refusal = (
            Refusal(TARGET_LOCK.id, f"{foe.label} is infantry and cannot be locked.") if is_infantry(foe) else None
        )
        options.append(_judged(foe, refusal, TARGET_LOCK.id))
    prompt = f"{model.label}: lock on to whom?"
    return ChooseOne(side, prompt, topic="lock", rules=(TARGET_LOCK.id,), options=tuple(options))


def _target(side: str, model: Thing, foes: Sequence[Thing]) -> ChooseOne:
    options = []
    for foe in foes:
        judged = [may_fire_at(model, system.weapon, foe) for system in weapons(model).values()]
        refusal = None if None in judged else judged[0]
        options.append(_judged(foe, refusal, DECLARING.id))
    rules = (DECLARING.id, COMBAT_ACTION.id)
    return ChooseOne(side, f"{model.label}: at whom?", topic="target", rules=rules, options=tuple(options))


def _weapons(side: str, model: Thing, foe: Thing) -> ChooseSeveral:
    options = []
    for name, system in weapons(model).items():
        refusal = may_fire_at(model, system.weapon, foe)
        rules = (refusal.rule,) if refusal else (DECLARING.id,)
        options.append(Option(name, system.weapon.name, (), rules, refusal.sentence if refusal else ""))
    return ChooseSeveral(
        side,
        f"{model.label}: which weapons, in which order?",
        topic="weapons",
        rules=(DECLARING.id,),
        options=tuple(options),
        at_least=1,
    )


def _overdrive(side: str, model: Thing) -> Confirm:
    return Confirm(
        side,
        f"{model.label}: fire with Overdrive?",
        topic="overdrive",
        about=(model.id,),
        rules=(OVERDRIVE.id,),
        yes="Its points are doubled; the weapons may overheat",
        no="As usual",
    )


def tell(battle: Battle, plans: Sequence[Declaration]) -> None:
    """Tell what was declared, and take the action points: they are gone now, whatever comes of it.

    strikeops.movement.not-moving-is-stationary    whoever declares no Move Action is Stationary from here on
    """
    for plan in plans:
        left = battle.table[plan.model].count(CountName.AP)
        for action in plan.actions:
            locks, shoots = action == ActionName.TARGET_LOCK, action == ActionName.SHOOT
            at = (plan.lock,) if locks else (plan.target,) if shoots else ()
            tools, detail = plan.weapons if shoots else (), citing(FINAL)
            n = battle.happens(Declared(plan.model, action, at, tools, rule=DECLARE.id, detail=detail))
            left -= ACTIONS[action].cost
            battle.happens(Spent(plan.model, CountName.AP, ACTIONS[action].cost, left, rule=COST.id, because=n))
    for plan in plans:
        if not any(is_move(action) for action in plan.actions) and not battle.table[plan.model].has(
            StateName.STATIONARY
        ):
            receive(battle, plan.model, StateName.STATIONARY, why=NOT_MOVING)


def _judge(view: View, plan: Plan, answer: dict[str, Any]) -> Refusal | None:
    """A mission kill that can move declares a Move Action (strikeops.victory.mission-kill-withdrawal)."""
    for one in declared(plan, answer):
        model = view.table[one.model]
        if must_withdraw(view.table, model) and not any(is_move(action) for action in one.actions):
            return refused_staying(model)
    return None


def refused_part(view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
    """Why a declaration may not say more: a third action, or Overdrive without a weapon that has it."""
    for part, said in extra.items():
        name, _, what = part.rpartition(" ")
        model = view.table.things.get(name)
        if model is None:
            continue
        if what == "overdrive":
            return Refusal(OVERDRIVE.id, "None of the weapons that fire has Overdrive.")
        if what.isdigit() and said in ACTIONS:
            before = tuple(
                one for one in (draft.get(f"{name} {n}", NOTHING) for n in range(1, int(what))) if one in ACTIONS
            )
            return refused_action(view.table, model, before, said)
    return None


CHAPTER = Chapter(
    plans={DECLARATION: parts},
    judges={DECLARATION: _judge},
    answers={
        "action": "an action of a declaration",
        "lock": "whom a target-lock is on",
        "target": "whom an attack is aimed at",
        "weapons": "the weapons that fire, in order; of two alike the second is called -2",
        "overdrive": "true: weapons that have Overdrive are fired with it",
    },
    counts={CountName.AP: "action points left"},
)
