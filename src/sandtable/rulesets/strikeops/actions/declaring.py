"""What a squad declares: asked model by model and part by part, judged as a whole, then final."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Spent
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, Option, Plan, PlanPart, Refusal, closed
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Point
from sandtable.engine.table import Table, Thing, following_from_things
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.cav.concepts import enemies
from sandtable.rulesets.cav.indirect import POINT
from sandtable.rulesets.strikeops.actions.attack_parts import (
    ANSWERS,
    INDIRECT,
    MORE_POINTS,
    aims_of,
    attack_parts,
    judged_option,
    point_of,
    point_question,
    refused_salvo,
    smart_choices,
)
from sandtable.rulesets.strikeops.actions.listing import (
    ACTIONS,
    ANY_ORDER,
    COST,
    LABELS,
    LOCKED_ON,
    NON_REPEATABLE,
    NOTHING,
    REPEATABLE,
    TABLE,
    TARGET_LOCK,
    TWO_POINTS,
    attacks,
    cost_of,
    goes_far,
    is_move,
    may_be_stomped,
    refused_action,
    short_of_points,
)
from sandtable.rulesets.strikeops.attributes import OVERDRIVE, SMART
from sandtable.rulesets.strikeops.changes import locked_point
from sandtable.rulesets.strikeops.command import COST as C3_COST
from sandtable.rulesets.strikeops.command import (
    INSPIRE,
    INSPIRED,
    MOTIVATE,
    MOTIVATED,
    REPAIR_ROLL,
    SEIZE,
    SEIZED,
    SPENDING,
    WITH_THE_ACTION,
    inspire_question,
    point_roll,
    points,
    refused_spending,
    spend,
)
from sandtable.rulesets.strikeops.concepts import BASE_CONTACT, TOUCHING
from sandtable.rulesets.strikeops.damage import OUT_OF_ACTION, in_play
from sandtable.rulesets.strikeops.datacard import has, is_cav, is_infantry, weapons
from sandtable.rulesets.strikeops.equipment import LASTS, LINE, RELOAD, SMOKE_MADE, SPECIAL, USES, uses_of
from sandtable.rulesets.strikeops.indirect import CHAIN, judge_point
from sandtable.rulesets.strikeops.indirect import WEAPONS as INDIRECT_WEAPONS
from sandtable.rulesets.strikeops.initiative import ACTIVATION_PHASE, DECK, ONE_A_TURN
from sandtable.rulesets.strikeops.movement import NOT_MOVING, STOMP
from sandtable.rulesets.strikeops.recovery import CONDITIONS, REGROUP, REGROUP_WITH, partners
from sandtable.rulesets.strikeops.shooting.aiming import (
    DECLARING,
    DIRECT_FIRE,
    MULTIPLE,
    NOT_COMBINED,
    ONE_KIND,
    SALVO,
    Aimed,
    is_indirect,
)
from sandtable.rulesets.strikeops.sight import HULL_DOWN, POP_UP
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.rulesets.strikeops.states import OF_ONE_TURN, STUNNED, receive
from sandtable.rulesets.strikeops.victory import WITHDRAWAL, must_withdraw, refused_staying, runs_home
from sandtable.tabletop.chapters import Chapter

DECLARE = rule("strikeops.actions.declare-the-whole-squad-first")
SEQUENCE = rule("strikeops.actions.activation-sequence")
NO_MEASURING = rule("strikeops.actions.no-pre-measuring")
NO_MEASURING_CONCEPT = rule("strikeops.concepts.no-measuring-before-declaring")
FINAL = rule("strikeops.actions.declarations-are-final")
SQUAD = rule("strikeops.concepts.squad")

DECLARATION = "declare"
#: The fact of a declaration: how many of its actors are the squad's own.
OWN = "own models"
#: Another: how many C3 points its side may spend in it. They are not lost where it spends none.
C3_LEFT = "C3 points"
#: How many actions a model may declare at most, as every action costs one point.
MOST = TWO_POINTS.number("action_points_per_turn")


class Declaration(msgspec.Struct, frozen=True):
    """Everything declared for one model. It binds."""

    model: ThingId
    actions: tuple[str, ...] = ()
    lock: str = ""
    target: str = ""
    weapons: tuple[str, ...] = ()
    overdrive: bool = False
    salvo: bool = False
    point: Point | None = None
    smart: tuple[str, ...] = ()
    stomp: str = ""
    inspired: tuple[str, ...] = ()
    motivated: bool = False
    lock_point: Point | None = None
    also: tuple[Aimed, ...] = ()  # what its other weapons are aimed at
    pop_up: bool = False
    chained: bool = False
    hull_down: bool | None = None  # nothing is said of it
    special: str = ""  # what the Special Action is used for
    friend: str = ""  # whom it is used on

    def fires_on_the_way(self, done: int) -> bool:
        """Whether a Move Action and an attack come next: it is made at any point of the move.

        strikeops.shooting.move-and-shoot    two Move Actions in a row are one move, with the attack before or after
        """
        rest = self.actions[done:]
        return sorted(rest[:2]) == [ActionName.MOVE, ActionName.SHOOT] and ActionName.MOVE not in rest[2:3]


def squad_models(table: Table, squad: str) -> list[Thing]:
    """The models that activate with a squad and are in play: those attached to it, and its own that have not acted.

    strikeops.command.seize-the-initiative    one that acted with another squad sits out when its own activates
    """
    return [one for one in table.of_kind("model") if acts_with(one) == squad and in_play(one)]


def acts_with(model: Thing) -> str:
    """The squad that a model activates with: one that it is attached to, or its own; none where it has acted."""
    if model.has(StateName.ATTACHED):
        return str(model.value(StateName.ATTACHED))
    return "" if model.has(StateName.ACTIVATED) else model.unit


def able(table: Table, squad: str) -> list[Thing]:
    """The models of a squad that may declare actions now: those with action points, and not stunned.

    strikeops.command.motivate    one without may be given a point, unless its breeder is destroyed
    """
    return [one for one in squad_models(table, squad) if _may_act(table, one)]


def _may_act(table: Table, model: Thing) -> bool:
    if model.has(StateName.STUNNED):
        return False
    barred = model.count(CountName.BREEDER_DESTROYED)
    return bool(model.count(CountName.AP)) or (not barred and points(table, model.side) >= C3_COST)


def others(table: Table, squad: Thing) -> list[Thing]:
    """The models that may be attached to a squad (strikeops.command.seize-the-initiative)."""
    if points(table, squad.side) < C3_COST:
        return []
    return [
        one
        for one in table.models(squad.side)
        if one.unit != squad.id and acts_with(one) == one.unit and in_play(one) and not _has_acted(table, one.unit)
    ]


def _has_acted(table: Table, squad: str) -> bool:
    return table[squad].has(StateName.ACTIVATED)


def plan_question(table: Table, squad: Thing) -> Plan:
    """The question for a squad's declaration. Nothing may be measured yet (strikeops.actions.no-pre-measuring)."""
    models, left = able(table, squad.id), points(table, squad.side)
    rules = (DECLARE, SEQUENCE, NO_MEASURING, NO_MEASURING_CONCEPT, DECLARING, ANY_ORDER, SQUAD)
    more = [one.id for one in others(table, squad)]
    owing = any(must_withdraw(table, one) for one in models)
    return Plan(
        squad.side,
        f"What will {squad.label} do?",
        topic=DECLARATION,
        about=(squad.id,),
        rules=tuple(one.id for one in ((WITHDRAWAL,) if owing else ()) + rules),
        facts={OWN: len(models), C3_LEFT: left},
        shows=("odds",),
        actors=(*(one.id for one in models), *more),
        budget={f"AP of {one.label}": one.count(CountName.AP) for one in models},
        default=None if owing else {f"{one.id} 1": NOTHING for one in models if one.count(CountName.AP)},
    )


def joining(plan: Plan) -> tuple[str, ...]:
    """The models of other squads that may be attached: the actors of a declaration after the squad's own."""
    return plan.actors[plan.facts[OWN] :]


def declared(plan: Plan, answer: dict[str, Any]) -> tuple[Declaration, ...]:
    """The declarations that an accepted plan comes to, in the order of the squad."""
    found = []
    for model in plan.actors:
        if model in joining(plan) and model not in (answer.get(SEIZED) or ()):
            continue
        actions = _said(model, answer)
        shoots = any(attacks(action) for action in actions)
        aims = aims_of(model, answer) if shoots else ()
        first = aims[0] if aims else Aimed("", ())
        locks = ActionName.TARGET_LOCK in actions
        found.append(
            Declaration(
                ThingId(model),
                actions,
                answer.get(f"{model} lock", "") if locks else "",
                first.target,
                first.weapons,
                bool(answer.get(f"{model} overdrive", False)) if shoots else False,
                bool(answer.get(f"{model} salvo", False)) if shoots else False,
                first.point,
                smart_choices(model, answer, aims) if shoots else (),
                answer.get(f"{model} stomp", "") if ActionName.STOMP in actions else "",
                tuple(answer.get(f"{model} {INSPIRED}") or ()) if actions else (),
                bool(answer.get(f"{model} {MOTIVATED}")),
                point_of(answer.get(f"{model} lock-point")) if locks else None,
                aims[1:],
                bool(answer.get(f"{model} pop-up")) and shoots,
                bool(answer.get(f"{model} chain")) and shoots,
                answer.get(f"{model} hull-down"),
                answer.get(f"{model} special", "") if ActionName.SPECIAL in actions else "",
                answer.get(f"{model} special-on", "") if ActionName.SPECIAL in actions else "",
            )
        )
    return tuple(found)


def _said(model: str, answer: dict[str, Any]) -> tuple[str, ...]:
    said = (answer.get(f"{model} {n}", NOTHING) for n in range(1, MOST + MOTIVATE.number("action_points") + 2))
    return tuple(one for one in said if one != NOTHING)


def parts(view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
    """The parts of a squad's declaration that are open, given what of it is said."""
    found: list[PlanPart] = []
    table, attached, more = view.table, draft.get(SEIZED) or (), joining(plan)
    if any(draft.get(f"{name} 1") == ActionName.REGROUP for name in plan.actors):
        squad = [name for name in plan.actors if name not in more]
        asked = [_action(table, plan.side, name, False, False, (), False) for name in squad]
        first = [PlanPart(f"{name} 1", one, optional=True) for name, one in zip(squad, asked, strict=True)]
        return [*first, PlanPart(REGROUP_WITH, _regroup(table, plan))]
    if more:
        found.append(PlanPart(SEIZED, _seize(table, plan.side, more), optional=True))
    said: dict[str, list[tuple[str, Any]]] = {}
    for part, answer in draft.items():
        named = point_of(answer) if isinstance(answer, dict) else answer
        said.setdefault(part.rpartition(" ")[0], []).append((part, named))
    for name in plan.actors:
        if name not in more or name in attached:
            found += _parts_of(table, plan.side, name, name in more, tuple(said.get(name, ())))
    return found


def _regroup(table: Table, plan: Plan) -> ChooseOne:
    """The squad that a squad regroups with; all the rest is declared once they are one."""
    options = tuple(Option(one.id, one.label, (one.id,)) for one in partners(table, table[plan.about[0]]))
    return ChooseOne(
        plan.side, "Regroup with which squad?", topic=REGROUP_WITH, rules=(REGROUP.id, CONDITIONS.id), options=options
    )


def with_point(model: Thing) -> Thing:
    """A model with the action point of a C3 point (strikeops.command.motivate)."""
    left = model.count(CountName.AP) + MOTIVATE.number("action_points")
    return msgspec.structs.replace(model, counts={**model.counts, CountName.AP: left})


def _left_behind(model: Thing) -> dict[str, Any]:
    """The states of a model without what ends as it activates."""
    return {name: mark for name, mark in model.states.items() if name not in OF_ONE_TURN}


def _rolls(table: Table, model: Thing, draft: dict[str, Any]) -> list[tuple[str, str]]:
    """The rolls against a number that a declaration leads to, each with what it is called.

    strikeops.command.declare-with-the-action    the weapon, for an area also the model, or the Strike-Point Roll
    """
    actions = _said(model.id, draft)
    found = [(REPAIR_ROLL, "Repair")] if ActionName.REPAIR in actions else []
    if not any(attacks(action) for action in actions):
        return found
    systems = weapons(model)
    aims = aims_of(model.id, draft)
    fired = [one for aim in aims for one in aim.weapons if one in systems]
    if draft.get(f"{model.id} salvo"):
        fired = fired[:1]
    if any(is_indirect(systems[one].weapon) for one in fired):
        found += [(point_roll(n), f"Strike-Point Roll{f' {n}' if n > 1 else ''}") for n in range(1, len(aims) + 1)]
    for name in fired:
        weapon = systems[name].weapon
        if not is_indirect(weapon):
            found.append((name, weapon.name))
        if weapon.has("aoe"):
            found += [(f"{name} at {one.id}", f"{weapon.name} at {one.label}") for one in table.models()]
    return found


def _seize(table: Table, side: Side, more: Sequence[str]) -> ChooseSeveral:
    options = tuple(Option(one, f"{table[one].label} of {table[table[one].unit].label}", (one,)) for one in more)
    return ChooseSeveral(
        side,
        "Seize the Initiative: attach whom?",
        deed="Attach {}",
        topic=SEIZED,
        rules=(SEIZE.id, WITH_THE_ACTION.id),
        options=options,
        default=(),
    )


def _motivate(side: Side, model: Thing) -> Confirm:
    return Confirm(
        side,
        f"{model.label}: motivate?",
        topic=MOTIVATED,
        about=(model.id,),
        rules=(MOTIVATE.id,),
        yes="A C3 point is spent on one action point more",
        no="As many as it has",
    )


def _acting(table: Table, name: str, attached: bool, motivated: bool) -> Thing:
    """A model as it will act: attached to another squad, or with the action point of a C3 point."""
    model = table[name]
    if attached:
        model = msgspec.structs.replace(model, states=_left_behind(model))
    return with_point(model) if motivated else model


@following_from_things
def _parts_of(
    table: Table, side: Side, name: str, attached: bool, said: tuple[tuple[str, Any], ...]
) -> tuple[PlanPart, ...]:
    """The parts that are open of one model, given what is said of it; every part of a plan asks for them again."""
    draft, model = dict(said), _acting(table, name, attached, False)
    if attached and not _may_act(table, model):
        return ()
    found: list[PlanPart] = []
    pays = points(table, side) >= C3_COST
    if pays and not model.count(CountName.BREEDER_DESTROYED):
        found.append(PlanPart(f"{name} {MOTIVATED}", _motivate(side, model), optional=True))
    motivated = bool(draft.get(f"{name} {MOTIVATED}"))
    model = _acting(table, name, attached, motivated)
    before: tuple[str, ...] = ()
    for n in range(1, model.count(CountName.AP) + has(model, "locked_on") + 1):
        part = f"{name} {n}"
        owes = must_withdraw(table, model) and not _goes(table, model, before)
        asked = _action(table, side, name, attached, motivated, before, owes)
        found.append(PlanPart(part, asked, optional=n > 1 and not owes))
        chosen = draft.get(part, NOTHING)
        if chosen == NOTHING or chosen not in ACTIONS:
            break
        before = (*before, chosen)
        if sum(cost_of(model, one) for one in before) >= model.count(CountName.AP):
            break
    foes = enemies(table, model)
    if ActionName.TARGET_LOCK in before:
        found.append(PlanPart(f"{model.id} lock", _lock(side, model, foes)))
        if draft.get(f"{model.id} lock") == POINT:
            prompt = f"{model.label}: lock on to which point?"
            asked_point = point_question(table, side, prompt, model, "lock-point", (TARGET_LOCK.id,))
            found.append(PlanPart(f"{model.id} lock-point", asked_point))
    if ActionName.SPECIAL in before:
        found.append(PlanPart(f"{model.id} special", _special(side, model, any(map(goes_far, before)))))
        if draft.get(f"{model.id} special") == RELOAD:
            found.append(PlanPart(f"{model.id} special-on", _reloaded(table, side, model)))
    if ActionName.STOMP in before:
        found.append(PlanPart(f"{model.id} stomp", _stomp(side, model, foes)))
    if any(attacks(action) for action in before):
        first = before[: next(n for n, action in enumerate(before) if attacks(action))]
        lock = draft.get(f"{model.id} lock", "") if ActionName.TARGET_LOCK in first else ""
        found += attack_parts(table, side, model, draft, lock, ActionName.RUN_N_GUN in before)
    if has(model, "turret") and not is_cav(model):
        found.append(PlanPart(f"{model.id} hull-down", _hull_down(side, model), optional=True))
    rolls = _rolls(table, model, draft) if pays else []
    if rolls:
        found.append(PlanPart(f"{name} {INSPIRED}", inspire_question(table, side, model, rolls), optional=True))
    return tuple(found)


def _special(side: Side, model: Thing, moves: bool) -> ChooseOne:
    listed = [Option(one, USES[one].label, (), (USES[one].rule.id,)) for one in uses_of(model)]
    options = tuple(closed(one, _no_line(model) if one.id == LINE and not moves else None) for one in listed)
    rules = (SPECIAL.id, LASTS.id)
    return ChooseOne(side, f"{model.label}: which special action?", topic="special", rules=rules, options=options)


def _no_line(model: Thing) -> Refusal:
    return Refusal(SMOKE_MADE.id, f"A line of smoke comes of a move; {model.label} declares none.")


def _reloaded(table: Table, side: Side, model: Thing) -> ChooseOne:
    friends = [one for one in table.models(side) if one.id != model.id]
    options = tuple(judged_option(one, None, USES[RELOAD].rule.id) for one in friends)
    rules = (USES[RELOAD].rule.id,)
    return ChooseOne(side, f"{model.label}: reload whom?", topic="special-on", rules=rules, options=options)


def _hull_down(side: Side, model: Thing) -> Confirm:
    return Confirm(
        side,
        f"{model.label}: hull-down behind a low hill beside it?",
        topic="hull-down",
        about=(model.id,),
        rules=(HULL_DOWN.id,),
        default=model.has(StateName.HULL_DOWN),
    )


def _goes(table: Table, model: Thing, actions: Sequence[str]) -> bool:
    """Whether a Move Action is among some actions, as a mission kill owes one: one that goes home, or stands up."""
    if ActionName.RUN_N_GUN in actions:
        return runs_home(table, model)
    return any(action in (ActionName.MOVE, ActionName.STAND_UP) for action in actions)


@following_from_things
def _action(
    table: Table, side: Side, actor: str, attached: bool, motivated: bool, before: tuple[str, ...], owes: bool
) -> ChooseOne:
    """Which action comes next; a mission kill keeps a point for the Move Action that it owes."""
    model = _acting(table, actor, attached, motivated)
    options = []
    for name, listed in ACTIONS.items():
        refusal = refused_action(table, model, before, name)
        left = model.count(CountName.AP) - sum(ACTIONS[one].cost for one in (*before, name))
        if refusal is None and owes and not _goes(table, model, (name,)) and left < ACTIONS[ActionName.MOVE].cost:
            refusal = refused_staying(model)
        often = REPEATABLE if listed.repeats else NON_REPEATABLE
        options.append(closed(Option(name, listed.label, (model.id,), (TABLE.id, often.id, COST.id)), refusal))
    stays = refused_staying(model) if owes else None
    options.append(closed(Option(NOTHING, LABELS[NOTHING], (model.id,)), stays))
    prompt = f"{model.label}: then?" if before else f"{model.label}: first action?"
    behind = (TABLE.id, TWO_POINTS.id)
    return ChooseOne(
        side, prompt, topic="action", rules=behind, options=tuple(options), default=None if owes else NOTHING
    )


def _lock(side: Side, model: Thing, foes: Sequence[Thing]) -> ChooseOne:
    """An enemy that is no infantry, anywhere on the board (strikeops.actions.target-lock)."""
    options = []
    for foe in foes:
        refusal = (
            Refusal(TARGET_LOCK.id, f"{foe.label} is infantry and cannot be locked.") if is_infantry(foe) else None
        )
        options.append(judged_option(foe, refusal, TARGET_LOCK.id))
    options.append(Option(POINT, "A strike-point", (), (TARGET_LOCK.id,)))
    prompt = f"{model.label}: lock on to whom?"
    return ChooseOne(side, prompt, topic="lock", rules=(TARGET_LOCK.id,), options=tuple(options))


def _stomp(side: Side, model: Thing, foes: Sequence[Thing]) -> ChooseOne:
    options = tuple(judged_option(foe, may_be_stomped(foe), STOMP.id) for foe in foes)
    by = (STOMP.id, TOUCHING.id, BASE_CONTACT.id)
    return ChooseOne(side, f"{model.label}: stomp whom?", topic="stomp", rules=by, options=options)


def tell(battle: Battle, plans: Sequence[Declaration]) -> None:
    """Tell what was declared, and take the action points: they are gone now, whatever comes of it.

    strikeops.movement.not-moving-is-stationary    whoever declares no Move Action is Stationary from here on
    """
    for plan in plans:
        _tell_of_points(battle, plan)
        left = battle.table[plan.model].count(CountName.AP)
        for action in plan.actions:
            locks, shoots = action == ActionName.TARGET_LOCK, attacks(action)
            stomped = (plan.stomp,) if action == ActionName.STOMP else ()
            aimed = tuple(one for one in (plan.target, *(more.target for more in plan.also)) if one)
            at = stomped or ((plan.lock,) if locks and plan.lock != POINT else aimed if shoots else ())
            fired = (*plan.weapons, *(name for more in plan.also for name in more.weapons))
            tools, detail = fired if shoots else (), citing(FINAL)
            n = battle.happens(Declared(plan.model, action, at, tools, rule=DECLARE.id, detail=detail))
            cost = cost_of(battle.table[plan.model], action)
            left -= cost
            why = COST if cost else LOCKED_ON
            battle.happens(Spent(plan.model, CountName.AP, cost, left, rule=why.id, because=n))
    for plan in plans:
        model = battle.table[plan.model]
        moves = any(map(is_move, plan.actions)) or model.count(CountName.MOVED)  # who has just entered has moved
        if not moves and not model.has(StateName.STATIONARY):
            receive(battle, plan.model, StateName.STATIONARY, why=NOT_MOVING)


def _tell_of_points(battle: Battle, plan: Declaration) -> None:
    """C3 points are spent as they are declared, whatever comes of it (strikeops.command.declare-with-the-action)."""
    side, model = battle.table[plan.model].side, plan.model
    if plan.motivated:
        n = spend(battle, side, MOTIVATE, model)
        before = battle.table[model].count(CountName.AP)
        after = before + MOTIVATE.number("action_points")
        battle.happens(Counted(model, CountName.AP, before, after, rule=MOTIVATE.id, because=n))
    for one in plan.inspired:
        spend(battle, side, INSPIRE, f"{model}: {one}")


def _judge(view: View, plan: Plan, answer: dict[str, Any]) -> Refusal | None:
    """A mission kill that can move declares a Move Action; no more C3 points are spent than are left.

    strikeops.victory.mission-kill-withdrawal, strikeops.command.spending
    """
    if REGROUP_WITH in answer:
        others_do = [answer.get(f"{name} 1", NOTHING) for name in plan.actors]
        if any(one not in (NOTHING, ActionName.REGROUP) for one in others_do):
            return Refusal(REGROUP.id, "The whole squad regroups; what else it does is declared after that.")
        return None
    said = declared(plan, answer)
    wanted = len(answer.get(SEIZED) or ()) + sum(len(one.inspired) + one.motivated for one in said)
    refusal = refused_spending(view.table, plan.side, wanted)
    if refusal is not None:
        return refusal
    for one in said:
        model = view.table[one.model]
        if must_withdraw(view.table, model) and not _goes(view.table, model, one.actions):
            return refused_staying(model)
        if one.special == LINE and not any(goes_far(action) for action in one.actions):
            return _no_line(model)
        if _twice(one):
            return Refusal(SPENDING.id, f"No two points are spent on the same roll of {model.label}.")
        if one.pop_up and one.salvo:
            return Refusal(POP_UP.id, f"{model.label} pops up, and may not use Salvo Fire.")
    return refused_chain(view.table, said)


def _twice(said: Declaration) -> bool:
    """Whether a roll is inspired by two names: a weapon alone stands for its roll against its target.

    strikeops.command.spending
    """
    aims = (Aimed(said.target, said.weapons), *said.also)
    rolls = {f"{name} at {one.target}": name for one in aims for name in one.weapons}
    return len({rolls.get(name, name) for name in said.inspired}) < len(said.inspired)


def refused_chain(table: Table, said: Sequence[Declaration]) -> Refusal | None:
    """Why models do not chain in: two and more with pods at one point, which one of them has locked or will lock.

    strikeops.attributes.chain-fire-pod
    """
    for one in said:
        if not one.chained:
            continue
        chain = [other for other in said if other.chained and other.point == one.point]
        if len(chain) < 2:
            return Refusal(CHAIN.id, f"{table[one.model].label} chains in alone; it takes two at one strike-point.")
        locks = [other.lock_point == one.point or locked_point(table[other.model], one.point) for other in chain]
        if not any(locks):
            return Refusal(CHAIN.id, "Who fires first of a chain needs a target-lock on its strike-point.")
    return None


#: Why a declaration may not say something for which nobody in it has the means.
_UNASKED: dict[str, tuple[Rule, str]] = {
    "overdrive": (OVERDRIVE, "None of the weapons that fire has Overdrive."),
    "salvo": (SALVO, "A salvo is of two or more weapons of one type."),
    "smart": (SMART, "None of the weapons that fire is SMART."),
    "pop-up": (POP_UP, "Only a model with Pop-Up rises to fire, and only directly."),
    "chain": (CHAIN, "Only models with a Chain-Fire Pod chain in, and only with indirect fire."),
    "hull-down": (HULL_DOWN, "Only a vehicle with a turret goes hull-down."),
    "target": (MULTIPLE, "There is no other target, or no weapon is left for it."),
    "weapons": (MULTIPLE, "A weapon fires at one target only, and no other is named."),
    POINT: (ONE_KIND, "A strike-point is attacked with indirect-fire weapons, and not together with direct fire."),
}


def _refused_fire(said: object) -> Refusal:
    """Why a model does not fire in a way for which it has no weapon."""
    if said == INDIRECT:
        return Refusal(INDIRECT_WEAPONS.id, "It has no indirect-fire weapon.")
    return Refusal(DIRECT_FIRE.id, "It has no direct-fire weapon, or it is the only kind that it has.")


def refused_part(view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
    """Why a declaration may not say more: a third action, or something for which nobody has the means."""
    spent = (SEIZED, MOTIVATED, INSPIRED)
    for part, said in sorted(extra.items(), key=lambda one: one[0].rpartition(" ")[2] not in spent):
        name, _, what = part.rpartition(" ")
        model = view.table.things.get(name)
        if what == "salvo" and said and ActionName.OVERWATCH in draft.values():
            return Refusal(NOT_COMBINED.id, "Salvo Fire and Overwatch may not be combined.")
        if what in spent and points(view.table, plan.side) < C3_COST:
            return refused_spending(view.table, plan.side, 1)
        if not name and said and what.rstrip("-0123456789") in _UNASKED:
            why, sentence = _UNASKED[what.rstrip("-0123456789")]
            return Refusal(why.id, sentence)
        if what == "fire" and not name:
            return _refused_fire(said)
        if not name and what in view.table.things:
            return _refused_actor(view.table, plan, view.table[what])
        if model is None:
            continue
        if name not in plan.actors:
            return _refused_actor(view.table, plan, model)
        if name in joining(plan):
            words = f"{model.label} is of another squad; a C3 point would attach it to this one."
            return Refusal(SEIZE.id, words, (DECK.id, ACTIVATION_PHASE.id))
        if what in _UNASKED:
            why, sentence = _UNASKED[what]
            return Refusal(why.id, sentence)
        if what.isdigit() and said in ACTIONS:
            before = tuple(
                one for one in (draft.get(f"{name} {n}", NOTHING) for n in range(1, int(what))) if one in ACTIONS
            )
            points_too = with_point(model) if draft.get(f"{name} {MOTIVATED}") else model
            return refused_action(view.table, points_too, before, said)
    return None


def _refused_actor(table: Table, plan: Plan, model: Thing) -> Refusal | None:
    """Why a model of the side takes no part in a declaration."""
    if model.kind != "model" or model.side != plan.side or model.id in plan.actors:
        return None
    idle = _idle(model)
    if idle is not None:
        return idle
    if model.has(StateName.ACTIVATED) or model.unit != plan.about[0]:
        acted = model.has(StateName.ACTIVATED) or table[model.unit].has(StateName.ACTIVATED)
        words = f"{model.label} is of another squad, or has acted with another this turn."
        return Refusal(SEIZE.id, words, (ONE_A_TURN.id,) if acted else (DECK.id, ACTIVATION_PHASE.id))
    return _spent(model)


def _spent(model: Thing) -> Refusal | None:
    """Why a model without action points takes no action."""
    if model.count(CountName.AP):
        return None
    return Refusal(TWO_POINTS.id, f"{model.label} has no action points.", short_of_points(model))


def refused_whatever(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why the model that a question is about takes no action, whatever it would be."""
    models = [view.table[one] for one in question.about]
    return next((why for one in models if (why := _idle(one) or _spent(one)) is not None), None)


def refused_anew(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a model whose squad acts declares nothing else any more (strikeops.actions.declarations-are-final)."""
    models = [one for one in (view.table[name] for name in question.about) if one.unit in view.table.things]
    acting = [one for one in models if view.table[one.unit].has(StateName.ACTIVATED)]
    return Refusal(FINAL.id, f"What {acting[0].label} has declared is final.") if acting else None


def _idle(model: Thing) -> Refusal | None:
    """Why a model is not asked what it does (strikeops.states.stunned)."""
    if model.has(StateName.STUNNED):
        return Refusal(STUNNED.id, f"{model.label} is stunned and takes no action.")
    return None if in_play(model) else Refusal(OUT_OF_ACTION.id, f"{model.label} is out of action.")


def without_weapons(question: ChooseSeveral) -> Refusal:
    """An attack is made with a weapon (strikeops.shooting.declaring-an-attack)."""
    return Refusal(DECLARING.id, "An attack is made with one or more weapons.")


CHAPTER = Chapter(
    too_few={"weapons": without_weapons},
    plans={DECLARATION: parts},
    unasked={DECLARATION: refused_part},
    unoffered={"action": refused_whatever, DECLARATION: refused_anew},
    judges={DECLARATION: _judge, "salvo": refused_salvo, **dict.fromkeys(MORE_POINTS, judge_point)},
    answers={
        "action": "an action of a declaration",
        REGROUP_WITH: "the squad that a squad regroups with",
        "lock": "whom a target-lock is on",
        "lock-point": "the point that is locked, [x, y], where lock is strike-point",
        "stomp": "whom a CAV stomps",
        "special": "what the Special Action is used for: smoke-cloud, smoke-line, re-supply, extinguish",
        "special-on": "whom a model reloads",
        "hull-down": "true: a vehicle with a turret goes hull-down",
        **ANSWERS,
    },
    counts={CountName.AP: "action points left"},
)
