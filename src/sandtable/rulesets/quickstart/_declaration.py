"""What a model declares at the start of its activation: asked part by part, judged as a whole, then final."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, Option, PlaceThings, Plan, PlanPart, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Region, Spot, rectangle
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import on_or_inside
from sandtable.rulesets.quickstart._retreat import RETREAT, retreat_plan
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, SMART_STRONGER, SMART_WIDER, STRONGER, WIDER
from sandtable.rulesets.quickstart.close_combat import ASSAULT, BREAK, LOCKED, MODEL_TYPES, may_assault
from sandtable.rulesets.quickstart.combat import COMBAT_ACTION, DECLARE_FIRST
from sandtable.rulesets.quickstart.combat import DECLARE as DECLARE_TARGETS
from sandtable.rulesets.quickstart.concepts import (
    ACTING_IN_CONTACT,
    CONTACT_RULE,
    DECLARE_CONTACT,
    agree,
    also,
    enemies,
    in_contact,
    outline,
)
from sandtable.rulesets.quickstart.datacard import Weapon, column, weapons
from sandtable.rulesets.quickstart.indirect import STRIKE_POINT
from sandtable.rulesets.quickstart.movement import STAND_UP, locked_with
from sandtable.rulesets.quickstart.repair import may_repair
from sandtable.rulesets.quickstart.shooting import (
    CHOICES,
    DIRECT,
    DIRECT_FIRE,
    INDIRECT,
    INDIRECT_FIRE,
    INTO_CLOSE_COMBAT,
    MOVE_AND_SHOOT,
    ONE_TYPE,
    RANGED_ASSAULT,
    RUN_N_GUN,
    RUNNING,
    SALVO,
    SALVO_FIRE,
    SUB_TYPES,
    TARGET_LOCK,
    is_indirect,
    is_missile,
    may_fire_at,
    working_weapons,
)
from sandtable.rulesets.quickstart.shooting_reactions import DEFENSIVE_ENDS_COMBAT, OVER_WATCH, STAYING
from sandtable.rulesets.quickstart.sight import TORSO_TWIST
from sandtable.rulesets.quickstart.states import KNOCKDOWN, is_down
from sandtable.rulesets.quickstart.turn import (
    ACTIONS,
    DECLARE,
    FINAL,
    NO_PREMEASURING,
    NON_REPEATABLE,
    REPEATABLE,
    SPENDING,
    action_cost,
    is_repeatable,
)

# What an action costs is said where it is described, and again in the action list.
for _said, _listed in (
    (COMBAT_ACTION, "shoot"),
    (COMBAT_ACTION, "close-combat"),
    (ASSAULT, "close-combat"),
    (SALVO, "shoot"),
    (TARGET_LOCK, "target-lock"),
    (BREAK, "break"),
    (RUN_N_GUN, "run-n-gun"),
):
    agree(f"what {_listed} costs", _said.number("ap"), action_cost(_listed))
agree("what a move and an assault cost", MOVE_AND_SHOOT.number("ap"), action_cost("move") + action_cost("shoot"))
agree("what a torso twist costs", TORSO_TWIST.number("ap"), ACTIONS.number("actions", "torso_twist", "ap"))

NOTHING, STAY = "nothing", "stay"
LABELS: dict[str, str] = {
    "move": "Move",
    "go-prone": "Go prone",
    "stand-up": "Stand up",
    "shoot": "Ranged assault",
    "close-combat": "Close-combat assault",
    "target-lock": "Target-lock",
    "repair": "Repair",
    "break": "Break from close combat",
    "run-n-gun": "Run 'n gun",
    "over-watch": "Over-watch",
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
        return RUNNING if "run-n-gun" in self.actions else SALVO_FIRE if self.salvo else ""

    @property
    def moves_and_shoots(self) -> bool:
        """One Move Action and one ranged assault: the assault may come at any point of the move."""
        return sorted(self.actions) == ["move", "shoot"]


def plan_question(model: Thing) -> Plan:
    """The question for a model's declaration. Nothing may be measured yet (quickstart.turn.no-premeasuring)."""
    return Plan(
        model.side,
        f"What does {model.label} do?",
        topic="declare",
        about=(model.id,),
        rules=(
            *((RETREAT.id,) if model.has("retreating") else ()),
            DECLARE.id,
            DECLARE_TARGETS.id,
            NO_PREMEASURING.id,
            DECLARE_FIRST.id,
        ),
        shows=("odds",),
        actors=(model.id,),
        budget={"AP": model.count("AP")},
        default=_default(model),
    )


def _default(model: Thing) -> dict[str, Any]:
    if model.has("retreating") and not (model.has("over-watch") and model.has("has fired from over-watch")):
        return {str(n): action for n, action in enumerate(retreat_plan(model), 1)}
    return {"1": STAY if model.has("over-watch") else NOTHING}


def declared(answer: dict[str, Any]) -> Declaration:
    """The declaration that an accepted plan comes to."""
    actions = tuple(answer[part] for part in ("1", "2") if answer.get(part, NOTHING) != NOTHING)
    spot: dict[str, Spot] = answer.get("strike-point") or {}
    where = spot["strike-point"].where if spot else None
    return Declaration(
        actions,
        answer.get("lock", ""),
        answer.get("assault", DIRECT) if "shoot" in actions or "run-n-gun" in actions else "",
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
        aimed = action in ("shoot", "close-combat", "run-n-gun")
        targets = (plan.target,) if aimed and plan.target else (plan.lock,) if action == "target-lock" else ()
        tools = plan.weapons if action in ("shoot", "run-n-gun") else ()
        n = battle.happens(Declared(model, action, targets, tools, rule=DECLARE.id, detail=also(FINAL)))
    battle.open_measuring()
    return n


# The parts of a plan ---------------------------------------------------------------------------------------------


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
    has_weapon: bool
    has_missile: bool
    has_gun: bool  # a weapon that fires straight and needs no lock
    mending: Refusal | None
    foes: bool
    touches: bool

    @property
    def bound_to_watch(self) -> bool:
        """Whether it has fired from over-watch this turn: then it stays there (over-watch-later-turns)."""
        return self.watches and self.has_fired


def readiness(table: Table, model: Thing, points: int) -> Readiness:
    """How ready a model is."""
    ready = working_weapons(model).values()
    missiles = [is_missile(weapon) for weapon in ready]
    guns = [not is_missile(weapon) and not is_indirect(weapon) for weapon in ready]
    foes = enemies(table, model)
    return Readiness(
        model.label,
        points,
        model.has("over-watch"),
        model.has("has fired from over-watch"),
        is_down(model),
        model.has("retreating"),
        model.has("has defended"),
        bool(locked_with(model)),
        not all(missiles),
        any(missiles),
        any(guns),
        may_repair(model),
        bool(foes),
        any(in_contact(model, foe) for foe in foes),
    )


def plan_parts(view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
    """The parts that are open or answered, given what is answered so far."""
    table, model = view.table, view.table[plan.actors[0]]
    draft = {part: answer for part, answer in draft.items() if answer is not None}
    points = plan.budget["AP"]
    ready = readiness(table, model, points)
    found = [PlanPart("1", _action(plan, ready, "1", ()))]
    if "1" not in draft:
        return found
    first = draft["1"]
    if first not in (NOTHING, STAY) and points - action_cost(first) > 0:
        found.append(PlanPart("2", _action(plan, ready, "2", (first,)), optional=not ready.retreating))
    actions = tuple(draft[part] for part in ("1", "2") if draft.get(part, NOTHING) != NOTHING)
    if any(action in actions for action in ("move", "run-n-gun", "break")):
        found.append(PlanPart("contact", _contact(table, plan, model), optional=True))
    if "target-lock" in actions:
        found.append(PlanPart("lock", _enemy(table, plan, model, "lock", "Lock on to whom?", TARGET_LOCK.id)))
    if "close-combat" in actions:
        moves = "move" in actions[: actions.index("close-combat")]
        found.append(PlanPart("target", _close_combat_target(table, plan, model, moves)))
    if "shoot" in actions or "run-n-gun" in actions:
        found += _ranged_parts(table, plan, model, actions, draft)
    return found


def _action(plan: Plan, ready: Readiness, part: str, before: tuple[str, ...]) -> ChooseOne:
    prompt = "First action?" if part == "1" else "Then?"
    default = NOTHING if part == "2" and not ready.retreating else None
    options = _actions(ready, before)
    return ChooseOne(plan.side, prompt, topic="action", rules=(ACTIONS.id,), options=options, default=default)


@lru_cache(maxsize=4096)
def _actions(ready: Readiness, before: tuple[str, ...]) -> tuple[Option, ...]:
    """The actions of the list, those that may not be declared with the reason."""
    options = []
    for name, label in LABELS.items():
        if name == STAY and not ready.watches:
            continue
        refusal = refused_action(ready, before, name)
        often = () if name in (NOTHING, STAY) else (REPEATABLE.id if is_repeatable(name) else NON_REPEATABLE.id,)
        rules = (refusal.rule,) if refusal else (ACTIONS.id, *often)
        options.append(Option(name, label, (), rules, refusal.sentence if refusal else ""))
    return tuple(options)


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
    if action_cost(action) > left:
        return Refusal(SPENDING.id, f"That costs {action_cost(action)} AP; {label} has {left} left.")
    if not is_repeatable(action) and any(_same_action(action, one) for one in before):
        return Refusal(NON_REPEATABLE.id, f"{label} may use that action only once in an activation.")
    if ready.bound_to_watch:
        return Refusal(STAYING.id, f"{label} has fired from over-watch this turn and may not leave it.")
    down = ready.down if not before else before[-1] == "go-prone" or (ready.down and "stand-up" not in before)
    if down and action != "stand-up":
        return Refusal(KNOCKDOWN.id, f"{label} is down; all it may do is stand up.")
    if action == "stand-up" and not down:
        return Refusal(STAND_UP.id, f"{label} is standing.")
    if ready.retreating and (action not in ("move", "stand-up", "break") or _must_break(ready, before, action)):
        return Refusal(RETREAT.id, f"{label} is a mission kill and must leave the board.")
    return _refused_by_kind(ready, before, action)


def _must_break(ready: Readiness, before: Sequence[str], action: str) -> bool:
    """Whether a mission kill that is locked would walk before it has tried to break away."""
    return action == "move" and ready.locked and "break" not in before


def _refused_by_kind(ready: Readiness, before: Sequence[str], action: str) -> Refusal | None:
    label = ready.label
    if action in ("shoot", "run-n-gun", "over-watch", "close-combat"):
        if ready.defended:
            return Refusal(DEFENSIVE_ENDS_COMBAT.id, f"{label} has used defensive fire this turn.")
        # A missile fires only where a lock is declared before it.
        can_fire = ready.has_weapon or (ready.has_missile and "target-lock" in before)
        if action != "close-combat" and not can_fire:
            return Refusal(RANGED_ASSAULT.id, f"{label} has no weapon that can fire.")
        if not ready.foes:
            return Refusal(DECLARE_TARGETS.id, "There is no enemy on the table.")
    if action == "close-combat" and "move" not in before and not ready.touches:
        return Refusal(ASSAULT.id, f"{label} touches no enemy; declare a move into contact first.")
    if action == "target-lock" and not ready.foes:
        return Refusal(TARGET_LOCK.id, "There is no enemy to lock on to.")
    if action == "over-watch" and not ready.has_gun:
        return Refusal(OVER_WATCH.id, f"{label} has no direct-fire weapon that can fire.")
    if action == "run-n-gun" and ready.locked:
        return Refusal(LOCKED.id, f"{label} is locked in close combat.")
    if action == "break" and not ready.locked:
        return Refusal(BREAK.id, f"{label} is not locked in close combat.")
    if action == "repair":
        return ready.mending
    return None


def _ready_weapons(model: Thing, *, locks: bool) -> dict[str, Weapon]:
    """The weapons that can fire at all; a missile only where a lock is declared before it."""
    return {name: weapon for name, weapon in working_weapons(model).items() if locks or not is_missile(weapon)}


@lru_cache(maxsize=4096)
def _about(thing: str, label: str, rule_id: str) -> Option:
    """The option that stands for a model."""
    return Option(thing, label, (thing,), (rule_id,) if rule_id else ())


def _same_action(one: str, other: str) -> bool:
    """Whether two declared actions are the same entry of the action list; every assault is the Combat Action."""
    combat = ("shoot", "close-combat", "run-n-gun", "over-watch")
    return one == other or (one in combat and other in combat)


def _contact(table: Table, plan: Plan, model: Thing) -> ChooseSeveral:
    others = [other for other in table.models() if other.id != model.id]
    options = tuple(_about(other.id, other.label, DECLARE_CONTACT.id) for other in others)
    return ChooseSeveral(
        plan.side,
        "Into contact with?",
        topic="contact",
        rules=(DECLARE_CONTACT.id, ACTING_IN_CONTACT.id, CONTACT_RULE.id),
        options=options,
        default=(),
    )


def _enemy(table: Table, plan: Plan, model: Thing, topic: str, prompt: str, why: str) -> ChooseOne:
    options = tuple(_about(foe.id, foe.label, "") for foe in enemies(table, model))
    return ChooseOne(plan.side, prompt, topic=topic, rules=(why,), options=options)


def _close_combat_target(table: Table, plan: Plan, model: Thing, moves: bool) -> ChooseOne:
    options = []
    for foe in enemies(table, model):
        refusal = may_assault(table, model, foe, moves)
        rules = (refusal.rule,) if refusal else ()
        options.append(Option(foe.id, foe.label, (foe.id,), rules, refusal.sentence if refusal else ""))
    return ChooseOne(
        plan.side, "Assault whom?", topic="target", rules=(ASSAULT.id, MODEL_TYPES.id), options=tuple(options)
    )


def _ranged_parts(
    table: Table, plan: Plan, model: Thing, actions: Sequence[str], draft: dict[str, Any]
) -> list[PlanPart]:
    """Target, kind of assault, weapons and what hangs on them (quickstart.combat.declare-targets)."""
    lock = draft.get("lock", "") if "target-lock" in actions[: _combat_at(actions)] else ""
    question = _assault(plan, model, lock)
    found = [PlanPart("assault", question, optional=question.default is not None)]
    assault = draft.get("assault", question.default)
    if assault is None:
        return found
    lobs = assault == INDIRECT and any(is_indirect(weapon) for weapon in working_weapons(model).values())
    found.append(PlanPart("target", _ranged_target(table, plan, model, actions, assault, lock), optional=lobs))
    victim = table.things.get(draft.get("target", ""))
    if victim is None and not lobs:
        return found
    found.append(PlanPart("weapons", _weapons(plan, model, victim, assault, lock)))
    chosen = [weapons(model)[name] for name in draft.get("weapons", ())]
    if not chosen:
        return found
    if len(chosen) > 1:
        found.append(PlanPart("salvo", _salvo(plan, model, draft["weapons"], "run-n-gun" in actions), optional=True))
    if any(is_indirect(weapon) for weapon in chosen):
        found.append(PlanPart("strike-point", _strike_point(table, plan, victim)))
        smart = [weapon for weapon in chosen if weapon.has("smart")]
        if smart:
            found.append(PlanPart("smart", _smart(plan, model, smart[0]), optional=True))
    return found


def _salvo(plan: Plan, model: Thing, fired: Sequence[str], runs: bool) -> Confirm:
    return Confirm(
        plan.side,
        "Fire them together as a salvo?",
        topic="salvo",
        about=(model.id, *fired),
        rules=(SALVO.id, SUB_TYPES.id),
        facts={"run 'n gun": int(runs)},
    )


def refused_salvo(table: Table, question: Confirm) -> Refusal | None:
    """Why weapons may not be fired as a salvo.

    quickstart.shooting.salvo-fire-strike         two or more of one kind, and no others
    quickstart.shooting.sub-types-not-combined    not in a run 'n gun
    """
    model, *fired = question.about
    systems = weapons(table[model])
    if question.facts.get("run 'n gun"):
        return Refusal(SUB_TYPES.id, "A salvo and a run 'n gun may not be combined.")
    if any(systems[name] != systems[fired[0]] for name in fired):
        return Refusal(SALVO.id, "A salvo is of weapons of one kind; the others may not fire.")
    return None


def _combat_at(actions: Sequence[str]) -> int:
    return next(n for n, action in enumerate(actions) if action in ("shoot", "run-n-gun"))


def _assault(plan: Plan, model: Thing, lock: str) -> ChooseOne:
    fit = _ready_weapons(model, locks=bool(lock)).values()
    options = []
    for name, label, why, able in (
        (DIRECT, "Direct fire", DIRECT_FIRE, any(not is_indirect(weapon) for weapon in fit)),
        (INDIRECT, "Indirect fire", INDIRECT_FIRE, any(is_indirect(w) or is_missile(w) for w in fit)),
    ):
        refused = "" if able else f"{model.label} has no weapon for that."
        options.append(Option(name, label, (), (why.id, ONE_TYPE.id), refused))
    rules = (ONE_TYPE.id, DIRECT_FIRE.id, INDIRECT_FIRE.id)
    default = None if options[0].refused else DIRECT
    prompt = "Direct or indirect fire?"
    return ChooseOne(plan.side, prompt, topic="assault", rules=rules, options=tuple(options), default=default)


def _ranged_target(
    table: Table, plan: Plan, model: Thing, actions: Sequence[str], assault: str, lock: str
) -> ChooseOne:
    moves = "run-n-gun" in actions or any(action in ("move", "break") for action in actions)
    options = []
    ready = working_weapons(model).values()
    for foe in enemies(table, model):
        refusal = None
        if in_contact(model, foe) and not moves:
            sentence = f"{model.label} touches {foe.label}; a ranged assault is not made in contact."
            refusal = Refusal(RANGED_ASSAULT.id, sentence)
        else:
            for weapon in ready:
                judged = may_fire_at(model, weapon, foe, assault, lock)
                if judged is None:
                    refusal = None
                    break
                refusal = refusal or judged
        fights = (INTO_CLOSE_COMBAT.id,) if locked_with(foe) else ()
        if refusal is None and not fights:
            options.append(_about(foe.id, foe.label, RANGED_ASSAULT.id))
            continue
        rules = (refusal.rule,) if refusal else (RANGED_ASSAULT.id, *fights)
        options.append(Option(foe.id, foe.label, (foe.id,), rules, refusal.sentence if refusal else ""))
    return ChooseOne(
        plan.side, "At whom?", topic="target", rules=(DECLARE_TARGETS.id, RANGED_ASSAULT.id), options=tuple(options)
    )


def _weapons(plan: Plan, model: Thing, victim: Thing | None, assault: str, lock: str) -> ChooseSeveral:
    options = []
    empty = [name for name in weapons(model) if name not in working_weapons(model)]
    for name, weapon in weapons(model).items():
        refusal = _refused_weapon(model, weapon, victim, assault, lock)
        if name in empty:
            refusal = Refusal("quickstart.shooting.ammo-check", f"The {weapon.name} is out of ammo.")
        rules = (refusal.rule,) if refusal else (CHOICES.id,)
        options.append(Option(name, weapon.name, (), rules, refusal.sentence if refusal else ""))
    return ChooseSeveral(
        plan.side,
        "Which weapons, in which order?",
        topic="weapons",
        rules=(CHOICES.id, COMBAT_ACTION.id),
        options=tuple(options),
        at_least=1,
    )


def _refused_weapon(model: Thing, weapon: Weapon, victim: Thing | None, assault: str, lock: str) -> Refusal | None:
    if victim is None:
        if is_missile(weapon):
            return Refusal(
                "quickstart.shooting.guided-missiles", f"Name the locked enemy the {weapon.name} is fired at."
            )
        if not is_indirect(weapon):
            return Refusal(ONE_TYPE.id, f"The {weapon.name} fires only in a direct-fire assault.")
        return None
    return may_fire_at(model, weapon, victim, assault, lock=lock)


def _strike_point(table: Table, plan: Plan, victim: Thing | None) -> PlaceThings:
    """Anywhere on the board, or on the base of the enemy that is named, as it is where a missile is fired too."""
    where = Region((rectangle(0, 0, table.ground.width, table.ground.height),), whole=False, rule=STRIKE_POINT.id)
    if victim is not None:
        where = Region((outline(victim),), whole=False, rule=DECLARE_TARGETS.id)
    return PlaceThings(
        plan.side,
        "Where is the strike-point?",
        topic="strike-point",
        rules=(STRIKE_POINT.id,),
        things=("strike-point",),
        where={"": where},
        faces=False,
    )


def _smart(plan: Plan, model: Thing, weapon: Weapon) -> ChooseOne:
    strength = max(weapon.rav[column(model)]) if not model.count("weapons crippled") else 0
    least_aoe = SMART_STRONGER.number("minimum_aoe")
    options = (
        Option(AS_PRINTED, "As printed"),
        Option(
            WIDER,
            "Wider area, weaker hit",
            (),
            (SMART_WIDER.id,),
            "" if strength > SMART_WIDER.number("minimum_rav") else "Its RAV is 0; there is nothing to take from it.",
        ),
        Option(
            STRONGER,
            "Stronger hit, smaller area",
            (),
            (SMART_STRONGER.id,),
            "" if weapon.rating("aoe") > least_aoe else "It has no area to take from.",
        ),
    )
    return ChooseOne(
        plan.side,
        "SMART: which option?",
        topic="smart",
        rules=(SMART_WIDER.id, SMART_STRONGER.id),
        options=options,
        default=AS_PRINTED,
    )


def refused_plan(view: View, plan: Plan, answer: dict[str, Any]) -> Refusal | None:
    """What only the plan as a whole shows: contact for a close combat, a missile's target under the strike-point."""
    table, model = view.table, view.table[plan.actors[0]]
    said = declared(answer)
    if "close-combat" in said.actions:
        foe = table[said.target]
        if not in_contact(model, foe) and said.target not in said.contact:
            sentence = f"Declare contact with {foe.label}: the move into it belongs to the declaration."
            return Refusal(DECLARE_CONTACT.id, sentence)
    if said.strike_point is not None and said.target:
        if not on_or_inside(outline(table[said.target]), said.strike_point):
            sentence = f"With a missile the strike-point must lie on the base of {table[said.target].label}."
            return Refusal(DECLARE_TARGETS.id, sentence)
    return None
