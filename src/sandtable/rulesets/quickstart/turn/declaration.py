"""What a model declares at the start of its activation: asked part by part, judged as a whole, then final."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.questions import Plan, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import on_or_inside
from sandtable.forces.ledger import Rule, citing, same_number
from sandtable.rulesets.cav.concepts import enemies, outline
from sandtable.rulesets.quickstart.attributes import AS_PRINTED
from sandtable.rulesets.quickstart.close_combat import ASSAULT, BREAK
from sandtable.rulesets.quickstart.combat import COMBAT_ACTION, DECLARE_FIRST
from sandtable.rulesets.quickstart.combat import DECLARE as DECLARE_TARGETS
from sandtable.rulesets.quickstart.concepts import DECLARE_CONTACT, in_contact, touching
from sandtable.rulesets.quickstart.datacard import Weapon, is_cav, weapons
from sandtable.rulesets.quickstart.movement.moves import GO_PRONE, STAND_UP, locked_with
from sandtable.rulesets.quickstart.repair import LIMITS as REPAIR_LIMITS
from sandtable.rulesets.quickstart.repair import may_repair
from sandtable.rulesets.quickstart.setup.retreat import RETREAT, retreat_plan
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    DIRECT,
    MOVE_AND_SHOOT,
    RUN_N_GUN,
    RUNNING,
    SALVO,
    SALVO_FIRE,
    TARGET_LOCK,
    is_missile,
    no_weapon_for,
    out_of_ammo,
)
from sandtable.rulesets.quickstart.shooting.reactions import DEFENSIVE_ENDS_COMBAT, OVER_WATCH, STAYING
from sandtable.rulesets.quickstart.sight import TORSO_TWIST
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName
from sandtable.rulesets.quickstart.states import KNOCKDOWN, is_down
from sandtable.rulesets.quickstart.turn.phases import (
    ACTION_POINTS,
    ACTIONS,
    DECLARE,
    FINAL,
    NO_PREMEASURING,
    NON_REPEATABLE,
    SPENDING,
    action_cost,
    is_repeatable,
)

# What an action costs is said where it is described, and again in the action list.
for _said, _listed in (
    (COMBAT_ACTION, ActionName.SHOOT),
    (COMBAT_ACTION, ActionName.CLOSE_COMBAT),
    (ASSAULT, ActionName.CLOSE_COMBAT),
    (SALVO, ActionName.SHOOT),
    (TARGET_LOCK, ActionName.TARGET_LOCK),
    (BREAK, ActionName.BREAK),
    (RUN_N_GUN, ActionName.RUN_N_GUN),
):
    same_number(f"what {_listed} costs", _said.number("ap"), action_cost(_listed))
same_number(
    "what a move and an assault cost",
    MOVE_AND_SHOOT.number("ap"),
    action_cost(ActionName.MOVE) + action_cost(ActionName.SHOOT),
)
same_number("what a torso twist costs", TORSO_TWIST.number("ap"), ACTIONS.number("actions", "torso_twist", "ap"))

NOTHING, STAY = ActionName.NOTHING, ActionName.STAY
LABELS: dict[str, str] = {
    ActionName.MOVE: "Move",
    ActionName.GO_PRONE: "Go prone",
    ActionName.STAND_UP: "Stand up",
    ActionName.SHOOT: "Ranged assault",
    ActionName.CLOSE_COMBAT: "Close-combat assault",
    ActionName.TARGET_LOCK: "Target-lock",
    ActionName.REPAIR: "Repair",
    ActionName.BREAK: "Break from close combat",
    ActionName.RUN_N_GUN: "Run 'n gun",
    ActionName.OVER_WATCH: "Over-watch",
    STAY: "Stay in over-watch",
    NOTHING: "Nothing more",
}


class Declaration(msgspec.Struct, frozen=True):
    """Everything declared for one activation. It binds."""

    actions: tuple[str, ...] = ()
    lock: str = ""
    assault: str = ""
    target: str = ""
    weapons: tuple[str, ...] = ()
    salvo: bool = False
    strike_point: Point | None = None
    smart: str = AS_PRINTED
    contact: tuple[str, ...] = ()

    @property
    def sub_type(self) -> str:
        """The sub-type of its ranged assault, if any."""
        return RUNNING if ActionName.RUN_N_GUN in self.actions else SALVO_FIRE if self.salvo else ""

    @property
    def moves_and_shoots(self) -> bool:
        """One Move Action and one ranged assault: the assault may come at any point of the move."""
        return sorted(self.actions) == [ActionName.MOVE, ActionName.SHOOT]


def plan_question(model: Thing) -> Plan:
    """The question for a model's declaration. Nothing may be measured yet (quickstart.turn.no-premeasuring)."""
    return Plan(
        model.side,
        f"What does {model.label} do?",
        topic="declare",
        about=(model.id,),
        rules=(
            *((RETREAT.id,) if model.has(StateName.RETREATING) else ()),
            DECLARE.id,
            DECLARE_TARGETS.id,
            NO_PREMEASURING.id,
            DECLARE_FIRST.id,
        ),
        shows=("odds",),
        actors=(model.id,),
        budget={"AP": model.count(CountName.AP)},
        default=_default(model),
    )


def _default(model: Thing) -> dict[str, Any]:
    if model.has(StateName.RETREATING) and not (
        model.has(StateName.OVER_WATCH) and model.has(StateName.FIRED_FROM_OVER_WATCH)
    ):
        return {str(n): action for n, action in enumerate(retreat_plan(model), 1)}
    return {"1": STAY if model.has(StateName.OVER_WATCH) else NOTHING}


def declared(answer: dict[str, Any]) -> Declaration:
    """The declaration that an accepted plan comes to."""
    actions = tuple(answer[part] for part in ("1", "2") if answer.get(part, NOTHING) != NOTHING)
    spot: dict[str, Spot] = answer.get("strike-point") or {}
    where = spot["strike-point"].where if spot else None
    return Declaration(
        actions,
        answer.get("lock", ""),
        answer.get("assault", DIRECT) if ActionName.SHOOT in actions or ActionName.RUN_N_GUN in actions else "",
        answer.get("target", ""),
        tuple(answer.get("weapons", ())),
        bool(answer.get("salvo", False)),
        where.point if isinstance(where, At) else None,
        answer.get("smart", AS_PRINTED),
        tuple(answer.get("contact", ())),
    )


def tell(battle: Battle, model: str, plan: Declaration) -> int:
    """Announce the whole declaration to everybody; measuring opens with it."""
    n = 0
    for action in plan.actions:
        aimed = action in (ActionName.SHOOT, ActionName.CLOSE_COMBAT, ActionName.RUN_N_GUN)
        targets = (plan.target,) if aimed and plan.target else (plan.lock,) if action == ActionName.TARGET_LOCK else ()
        tools = plan.weapons if action in (ActionName.SHOOT, ActionName.RUN_N_GUN) else ()
        n = battle.happens(Declared(model, action, targets, tools, rule=DECLARE.id, detail=citing(FINAL)))
    battle.open_measuring()
    return n


class Readiness(NamedTuple):
    """Everything that decides which actions a model may declare, by what is known without measuring."""

    label: str
    points: int
    watches: bool
    has_fired: bool
    down: bool
    retreating: bool
    defended: bool
    locked: bool
    card: str
    is_cav: bool
    empty: tuple[str, ...]  # its weapon systems that are out of ammo
    mending: Refusal | None
    foes: bool
    touches: bool

    @property
    def bound_to_watch(self) -> bool:
        """Whether it has fired from over-watch this turn: then it stays there (over-watch-later-turns)."""
        return self.watches and self.has_fired


def readiness(table: Table, model: Thing, points: int) -> Readiness:
    """How ready a model is."""
    foes = enemies(table, model)
    return Readiness(
        model.label,
        points,
        model.has(StateName.OVER_WATCH),
        model.has(StateName.FIRED_FROM_OVER_WATCH),
        is_down(model),
        model.has(StateName.RETREATING),
        model.has(StateName.DEFENDED),
        bool(locked_with(model)),
        model.card,
        is_cav(model),
        out_of_ammo(model),
        may_repair(model),
        bool(foes),
        any(other.side != model.side for other in touching(table, model)),
    )


#: Which rule says of an action itself that it is used once in an activation; of the others the Combat Action's.
_ONCE: dict[str, Rule] = {ActionName.TARGET_LOCK: TARGET_LOCK, ActionName.REPAIR: REPAIR_LIMITS}
#: Which rule says of an action that it takes two action points.
_BOTH_POINTS: dict[str, Rule] = {ActionName.OVER_WATCH: OVER_WATCH, ActionName.RUN_N_GUN: RUN_N_GUN}


@lru_cache(maxsize=1 << 14)
def may_declare(ready: Readiness, actions: tuple[str, ...]) -> bool:
    """Whether some actions may be declared one after the other."""
    return all(refused_action(ready, actions[:n], action) is None for n, action in enumerate(actions))


def refused_action(ready: Readiness, before: Sequence[str], action: str) -> Refusal | None:
    """Why an action may not be declared after those before it, by what is known without measuring; or none."""
    label = ready.label
    if ready.retreating and action in (NOTHING, STAY) and not (action == STAY and ready.bound_to_watch):
        return Refusal(RETREAT.id, f"{label} is a mission kill and must use all its points to leave the board.")
    if action in (NOTHING, STAY):
        return (
            Refusal(STAYING.id, f"{label} leaves over-watch with its first action.")
            if action == STAY and before
            else None
        )
    left = ready.points - sum(action_cost(one) for one in before)
    again = not is_repeatable(action) and any(_same_action(action, one) for one in before)
    once = (NON_REPEATABLE.id, _ONCE.get(action, COMBAT_ACTION).id)
    if action_cost(action) > left:
        words = f"That costs {action_cost(action)} AP; {label} has {left} left."
        dear = [_BOTH_POINTS[one].id for one in (*before, action) if one in _BOTH_POINTS]
        return Refusal(SPENDING.id, words, tuple(dict.fromkeys([ACTION_POINTS.id, *dear, *(once if again else ())])))
    if again:
        return Refusal(once[0], f"{label} may use that action only once in an activation.", once[1:])
    if ready.bound_to_watch:
        return Refusal(STAYING.id, f"{label} has fired from over-watch this turn and may not leave it.")
    down = (
        ready.down
        if not before
        else before[-1] == ActionName.GO_PRONE or (ready.down and ActionName.STAND_UP not in before)
    )
    if down and action != ActionName.STAND_UP:
        if ActionName.GO_PRONE in before:
            return Refusal(GO_PRONE.id, f"{label} is prone then; all it may do is stand up.", (KNOCKDOWN.id,))
        return Refusal(KNOCKDOWN.id, f"{label} is down; all it may do is stand up.", (GO_PRONE.id,))
    if action == ActionName.STAND_UP and not down:
        return Refusal(STAND_UP.id, f"{label} is standing.")
    if action == ActionName.GO_PRONE and not ready.is_cav:
        return Refusal(GO_PRONE.id, f"{label} is no CAV; only a CAV goes prone.")
    if ready.retreating and (
        action not in (ActionName.MOVE, ActionName.STAND_UP, ActionName.BREAK) or _must_break(ready, before, action)
    ):
        return Refusal(RETREAT.id, f"{label} is a mission kill and must leave the board.")
    return _refused_by_kind(ready, before, action)


def _must_break(ready: Readiness, before: Sequence[str], action: str) -> bool:
    """Whether a mission kill that is locked would walk before it has tried to break away."""
    return action == ActionName.MOVE and ready.locked and ActionName.BREAK not in before


def _refused_by_kind(ready: Readiness, before: Sequence[str], action: str) -> Refusal | None:
    label = ready.label
    if action in (ActionName.SHOOT, ActionName.RUN_N_GUN, ActionName.OVER_WATCH, ActionName.CLOSE_COMBAT):
        if ready.defended:
            return Refusal(DEFENSIVE_ENDS_COMBAT.id, f"{label} has used defensive fire this turn.")
        if action in (ActionName.SHOOT, ActionName.RUN_N_GUN):
            # A missile fires only where a lock is declared before it.
            unarmed = no_weapon_for(label, ready.card, ready.empty, locks=ActionName.TARGET_LOCK in before)
            if unarmed is not None:
                return unarmed
        if action == ActionName.OVER_WATCH:
            unarmed = no_weapon_for(label, ready.card, ready.empty, DIRECT)
            if unarmed is None and no_weapon_for(label, ready.card, ready.empty, DIRECT, locks=False) is not None:
                sentence = f"All {label} has left is a guided missile, which is not fired from over-watch."
                unarmed = Refusal(OVER_WATCH.id, sentence)
            if unarmed is not None:
                return unarmed
        if not ready.foes:
            return Refusal(DECLARE_TARGETS.id, "There is no enemy on the table.")
    if action == ActionName.CLOSE_COMBAT and ActionName.MOVE not in before and not ready.touches:
        return Refusal(ASSAULT.id, f"{label} touches no enemy; declare a move into contact first.")
    if action == ActionName.TARGET_LOCK and not ready.foes:
        return Refusal(TARGET_LOCK.id, "There is no enemy to lock on to.")
    if action == ActionName.BREAK and not ready.locked and ActionName.CLOSE_COMBAT not in before:
        return Refusal(BREAK.id, f"{label} is not locked in close combat.")
    if action == ActionName.REPAIR:
        return ready.mending
    return None


def _same_action(one: str, other: str) -> bool:
    """Whether two declared actions are the same entry of the action list; every assault is the Combat Action."""
    combat = (ActionName.SHOOT, ActionName.CLOSE_COMBAT, ActionName.RUN_N_GUN, ActionName.OVER_WATCH)
    return one == other or (one in combat and other in combat)


def refused_plan(view: View, plan: Plan, answer: dict[str, Any]) -> Refusal | None:
    """What only the plan as a whole shows: contact for a close combat, a missile's target under the strike-point."""
    table, model = view.table, view.table[plan.actors[0]]
    said = declared(answer)
    if ActionName.CLOSE_COMBAT in said.actions:
        foe = table[said.target]
        if not in_contact(model, foe) and said.target not in said.contact:
            sentence = f"Declare contact with {foe.label}: the move into it belongs to the declaration."
            return Refusal(DECLARE_CONTACT.id, sentence, (ASSAULT.id,))
    target = missile_target([weapons(model)[name] for name in said.weapons], said.target)
    if said.strike_point is not None and target:
        if not on_or_inside(outline(table[target]), said.strike_point):
            sentence = f"With a missile the strike-point must lie on the base of {table[target].label}."
            return Refusal(DECLARE_TARGETS.id, sentence)
    return None


def missile_target(fired: Sequence[Weapon], target: str | None) -> str:
    """The enemy on whose base the strike-point must lie: the one a missile is fired at too; none without a missile.

    quickstart.combat.declare-targets    rockets alone are aimed at a point, whoever is named as their target
    """
    return target if target and any(is_missile(one) for one in fired) else ""
