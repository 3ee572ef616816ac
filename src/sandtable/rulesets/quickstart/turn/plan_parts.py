"""The parts of a declaration: which questions a plan comes to, given what of it is said so far."""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any

from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    Option,
    PlaceThings,
    Plan,
    PlanPart,
    Refusal,
    closed,
)
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Region, rectangle
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import enemies, outline
from sandtable.rulesets.cav.datacard import column
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, SMART, SMART_STRONGER, SMART_WIDER, STRONGER, WIDER
from sandtable.rulesets.quickstart.close_combat import ASSAULT, MODEL_TYPES, may_assault
from sandtable.rulesets.quickstart.combat import COMBAT_ACTION
from sandtable.rulesets.quickstart.combat import DECLARE as DECLARE_TARGETS
from sandtable.rulesets.quickstart.concepts import ACTING_IN_CONTACT, CONTACT_RULE, DECLARE_CONTACT, touching
from sandtable.rulesets.quickstart.datacard import Weapon, weapons
from sandtable.rulesets.quickstart.indirect import STRIKE_POINT
from sandtable.rulesets.quickstart.movement.moves import GO_PRONE, STAND_UP, locked_with
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    CHOICES,
    DIRECT,
    DIRECT_FIRE,
    GUIDED_MISSILES,
    INDIRECT,
    INDIRECT_FIRE,
    INTO_CLOSE_COMBAT,
    ONE_TYPE,
    RANGED_ASSAULT,
    SALVO,
    SUB_TYPES,
    TARGET_LOCK,
    arms,
    entry,
    fits,
    is_empty,
    is_indirect,
    is_missile,
    may_fire_at,
    no_weapon_for,
    out_of_ammo,
    spared_by_strikes,
)
from sandtable.rulesets.quickstart.shooting.reactions import OVER_WATCH, STAYING
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName
from sandtable.rulesets.quickstart.states import RULE_OF
from sandtable.rulesets.quickstart.turn.declaration import (
    LABELS,
    NOTHING,
    STAY,
    Readiness,
    missile_target,
    readiness,
    refused_action,
    refused_plan,
)
from sandtable.rulesets.quickstart.turn.phases import (
    ACTIONS,
    FINAL,
    NON_REPEATABLE,
    REPEATABLE,
    action_cost,
    is_repeatable,
)
from sandtable.tabletop.chapters import Chapter


class _Asking:
    """A plan on a table, with the parts it has come to so far."""

    def __init__(self, table: Table, plan: Plan) -> None:
        self.table, self.plan, self.model, self.ground = table, plan, table[plan.actors[0]], table.ground
        self.ready = readiness(table, self.model, plan.budget["AP"])
        self._before: dict[Hashable, PlanPart] = {}

    def part(
        self,
        name: str,
        optional: bool,
        make: Callable[..., AnyQuestion],
        given: tuple[Hashable, ...] = (),
    ) -> PlanPart:
        """A part of the plan, with the question that follows from the table and what is given: found out once."""
        key = (make, given, optional)
        found = self._before.get(key)
        if found is None:
            found = self._before[key] = PlanPart(name, make(self, *given), optional)
        return found


def _asking(table: Table, plan: Plan) -> _Asking:
    """What a plan has been found to ask, as long as nothing on the table changes: it is asked for part by part."""
    key = ("asking", plan.actors[0])
    kept: _Asking | None = table.things_cache.get(key)
    if kept is None or (kept.plan is not plan and kept.plan != plan) or kept.ground is not table.ground:
        kept = table.things_cache[key] = _Asking(table, plan)
    kept.table = table  # a copy of the one it was asked on may be another by now
    return kept


def plan_parts(view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
    """The parts that are open or answered, given what is answered so far."""
    asking = _asking(view.table, plan)
    if None in draft.values():
        draft = {part: answer for part, answer in draft.items() if answer is not None}
    points = plan.budget["AP"]
    found = [asking.part("1", False, _action, ("1", ()))]
    if "1" not in draft:
        return found
    first = draft["1"]
    if first not in (NOTHING, STAY) and points - action_cost(first) > 0:
        retreats = asking.model.has(StateName.RETREATING)
        found.append(asking.part("2", not retreats, _action, ("2", (first,))))
    actions = tuple([draft[part] for part in ("1", "2") if draft.get(part, NOTHING) != NOTHING])
    if ActionName.MOVE in actions or ActionName.RUN_N_GUN in actions or ActionName.BREAK in actions:
        found.append(asking.part("contact", True, _contact))
    if ActionName.TARGET_LOCK in actions:
        found.append(asking.part("lock", False, _lock))
    if ActionName.CLOSE_COMBAT in actions:
        moves = ActionName.MOVE in actions[: actions.index(ActionName.CLOSE_COMBAT)]
        found.append(asking.part("target", False, _close_combat_target, (moves,)))
    if ActionName.SHOOT in actions or ActionName.RUN_N_GUN in actions:
        found += _ranged_parts(asking, actions, draft)
    return found


def unspent(view: View, plan: Plan, answer: dict[str, Any]) -> list[str]:
    """The points that a declaration leaves, where there is something to spend them on.

    quickstart.turn.spending-action-points    they are lost; who stays in over-watch keeps them
    """
    said = [answer[part] for part in ("1", "2") if answer.get(part, NOTHING) != NOTHING]
    left = plan.budget["AP"] - sum(action_cost(action) for action in said if action != STAY)
    if STAY in said or left <= 0:
        return []
    name = "2" if said else "1"
    then = next((one.question for one in plan_parts(view, plan, answer) if one.id == name), None)
    worth = isinstance(then, ChooseOne) and any(not one.refused and one.id != NOTHING for one in then.options)
    return [f"{left} AP"] if worth else []


def refused_assault(view: View, plan: Plan, draft: dict[str, Any], rest: dict[str, Any]) -> Refusal | None:
    """Why a weapon that is named for a kind of assault cannot be fired in it; none where none of them forbids it.

    quickstart.shooting.ammo-check          it is empty
    quickstart.shooting.guided-missiles     it is a missile, and no lock is declared before it
    quickstart.shooting.indirect-fire       it fires in no other kind of assault, or not in this one
    """
    if "assault" not in rest:
        return None
    model, said = view.table[plan.actors[0]], rest.get("weapons")
    for name in said if isinstance(said, list) else ():
        weapon = weapons(model).get(name) if isinstance(name, str) else None
        if weapon is None:
            continue
        refusal = _refused_firing(ready_for(view.table, plan), name, weapon, draft)
        if refusal is None and not is_missile(weapon) and rest["assault"] in (DIRECT, INDIRECT):
            refusal = fits(weapon, rest["assault"])
        if refusal is not None:
            return refusal
    return None


def _refused_firing(ready: Readiness, name: str, weapon: Weapon, draft: dict[str, Any]) -> Refusal | None:
    """Why a weapon does not fire in whatever kind of assault: it is empty, or a missile without a lock before it."""
    if name in ready.empty:
        return is_empty(weapon)
    if is_missile(weapon) and "lock" not in draft:
        words = f"The {weapon.name} needs a target-lock before it is fired."
        return Refusal(GUIDED_MISSILES.id, words, entry(weapon))
    return None


#: What takes a whole Move Action in which nobody walks.
_WHOLE_MOVES = ((ActionName.GO_PRONE, GO_PRONE, "Going prone"), (ActionName.STAND_UP, STAND_UP, "Standing up"))


def unasked_part(view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
    """The rule against saying more than a declaration asks for, where one forbids just that.

    quickstart.shooting.ammo-check               a weapon that is empty, whatever else is still to be said
    quickstart.shooting.guided-missiles          a missile where no lock is declared before it, likewise
    quickstart.turn.spending-action-points       a second or third action for which no point is left
    quickstart.shooting.salvo-fire-strike        a salvo of fewer than two weapons
    quickstart.attributes.smart-wider-area       a SMART option without a SMART weapon, and its like
    quickstart.shooting.over-watch               a target or weapons for over-watch
    quickstart.movement.go-prone, quickstart.movement.stand-up    a way to walk, where that takes the whole action
    """
    model = view.table[plan.actors[0]]
    ready, first = ready_for(view.table, plan), draft.get("1", NOTHING)
    if first == ActionName.OVER_WATCH and ("target" in extra or "weapons" in extra):
        return Refusal(OVER_WATCH.id, "Who goes into over-watch names no target and no weapons yet.")
    actions = (first, draft.get("2", NOTHING))
    for action, taken, doing in _WHOLE_MOVES if "walk" in extra and ActionName.MOVE not in actions else ():
        if action in actions:
            return Refusal(taken.id, f"{doing} takes a whole Move Action and gives no distance.")
    said = extra.get("weapons")
    for name in said if isinstance(said, list) else ():
        weapon = weapons(model).get(name) if isinstance(name, str) else None
        refusal = None if weapon is None else _refused_firing(ready, name, weapon, draft)
        if refusal is not None:
            return refusal
    second, third, smart = (one if isinstance(one := extra.get(part), str) else "" for part in ("2", "3", "smart"))
    if first not in (NOTHING, STAY) and second in LABELS:
        return refused_action(ready, (first,), second)
    if third in LABELS and draft.get("2", NOTHING) != NOTHING:
        return refused_action(ready, (first, draft["2"]), third)
    if extra.get("salvo") and draft.get("weapons"):
        return Refusal(SALVO.id, "A salvo is of two or more weapons of one kind.")
    if smart in SMART and draft.get("weapons"):
        return Refusal(SMART[smart].id, "None of the weapons that fire is SMART.")
    if "strike-point" in extra and draft.get("weapons"):
        return Refusal(STRIKE_POINT.id, "Only weapons with SA Indirect-Fire are aimed at a strike-point.")
    return None


def ready_for(table: Table, plan: Plan) -> Readiness:
    """How ready a model is for its declaration; found once, as its parts are."""
    return _asking(table, plan).ready


def _action(asking: _Asking, part: str, before: tuple[str, ...]) -> ChooseOne:
    return _action_of(asking.plan.side, asking.ready, part, before)


@lru_cache(maxsize=4096)
def _action_of(side: Side, ready: Readiness, part: str, before: tuple[str, ...]) -> ChooseOne:
    prompt = "First action?" if part == "1" else "Then?"
    default = NOTHING if part == "2" and not ready.retreating else None
    options = _actions(ready, before)
    return ChooseOne(side, prompt, topic="action", rules=(ACTIONS.id,), options=options, default=default)


def _actions(ready: Readiness, before: tuple[str, ...]) -> tuple[Option, ...]:
    """The actions of the list, those that may not be declared with the reason."""
    options = []
    for name, label in LABELS.items():
        if name == STAY and not ready.watches:
            continue
        refusal = refused_action(ready, before, name)
        often = () if name in (NOTHING, STAY) else (REPEATABLE.id if is_repeatable(name) else NON_REPEATABLE.id,)
        options.append(closed(Option(name, label, (), (ACTIONS.id, *often)), refusal))
    return tuple(options)


@lru_cache(maxsize=4096)
def _about(thing: str, label: str, rule_id: RuleId) -> Option:
    """The option that stands for a model."""
    return Option(thing, label, (thing,), (rule_id,) if rule_id else ())


def _contact(asking: _Asking) -> ChooseSeveral:
    others = [other for other in asking.table.models() if other.id != asking.model.id]
    options = tuple(_about(other.id, other.label, DECLARE_CONTACT.id) for other in others)
    return ChooseSeveral(
        asking.plan.side,
        "Into contact with?",
        deed="Into contact with {}",
        topic="contact",
        rules=(DECLARE_CONTACT.id, ACTING_IN_CONTACT.id, CONTACT_RULE.id),
        options=options,
        default=(),
    )


def _lock(asking: _Asking) -> ChooseOne:
    options = tuple(_about(foe.id, foe.label, "") for foe in enemies(asking.table, asking.model))
    return ChooseOne(asking.plan.side, "Lock on to whom?", topic="lock", rules=(TARGET_LOCK.id,), options=options)


def _close_combat_target(asking: _Asking, moves: bool) -> ChooseOne:
    table, plan, model = asking.table, asking.plan, asking.model
    options = []
    for foe in enemies(table, model):
        refusal = may_assault(table, model, foe, moves)
        options.append(closed(Option(foe.id, foe.label, (foe.id,), ()), refusal))
    return ChooseOne(
        plan.side, "Assault whom?", topic="target", rules=(ASSAULT.id, MODEL_TYPES.id), options=tuple(options)
    )


def _ranged_parts(asking: _Asking, actions: Sequence[str], draft: dict[str, Any]) -> list[PlanPart]:
    """Target, kind of assault, weapons and what hangs on them (quickstart.combat.declare-targets)."""
    table, model = asking.table, asking.model
    lock = draft.get("lock", "") if ActionName.TARGET_LOCK in actions[: _combat_at(actions)] else ""
    default = _assault(asking, bool(lock)).default
    found = [asking.part("assault", default is not None, _assault, (bool(lock),))]
    assault = draft.get("assault", default)
    if assault is None:
        return found
    lobs = assault == INDIRECT and arms(model).has_rocket
    moves = ActionName.MOVE in actions or ActionName.RUN_N_GUN in actions or ActionName.BREAK in actions
    found.append(asking.part("target", lobs, _ranged_target, (moves, assault, lock)))
    victim = table.things.get(draft.get("target", ""))
    if victim is None and not lobs:
        return found
    found.append(asking.part("weapons", False, _weapons, (_id(victim), assault, lock)))
    if not draft.get("weapons"):
        return found
    chosen = [weapons(model)[name] for name in draft["weapons"]]
    if len(chosen) > 1:
        found.append(asking.part("salvo", True, _salvo, (tuple(draft["weapons"]), ActionName.RUN_N_GUN in actions)))
    if any(is_indirect(weapon) for weapon in chosen):
        found.append(asking.part("strike-point", False, _strike_point, (missile_target(chosen, _id(victim)),)))
        smart = [weapon for weapon in chosen if weapon.has("smart")]
        if smart:
            found.append(PlanPart("smart", _smart(asking.plan, model, smart[0]), optional=True))
    return found


def _id(victim: Thing | None) -> str | None:
    return None if victim is None else victim.id


def _salvo(asking: _Asking, fired: tuple[str, ...], runs: bool) -> Confirm:
    return Confirm(
        asking.plan.side,
        "Fire them together as a salvo?",
        topic="salvo",
        about=(asking.model.id, *fired),
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
    return next(n for n, action in enumerate(actions) if action in (ActionName.SHOOT, ActionName.RUN_N_GUN))


def _assault(asking: _Asking, locks: bool) -> ChooseOne:
    """How to fire at all; a missile only where a lock is declared before it."""
    model = asking.model
    return _assault_of(asking.plan.side, model.label, model.card, out_of_ammo(model), locks)


@lru_cache(maxsize=1024)
def _assault_of(side: Side, label: str, card: str, empty: tuple[str, ...], locks: bool) -> ChooseOne:
    options = []
    for name, said, why in ((DIRECT, "Direct fire", DIRECT_FIRE), (INDIRECT, "Indirect fire", INDIRECT_FIRE)):
        refusal = no_weapon_for(label, card, empty, name, locks)
        options.append(closed(Option(name, said, (), (why.id, ONE_TYPE.id)), refusal))
    behind = (ONE_TYPE.id, DIRECT_FIRE.id, INDIRECT_FIRE.id)
    default = next((option.id for option in options if not option.refused), None)
    prompt = "Direct or indirect fire?"
    return ChooseOne(side, prompt, topic="assault", rules=behind, options=tuple(options), default=default)


def _ranged_target(asking: _Asking, moves: bool, assault: str, lock: str) -> ChooseOne:
    model = asking.model
    options = []
    ready = arms(model).weapons
    touched = () if moves else touching(asking.table, model)
    # A weapon that fires alike at everybody spares a look at each of them.
    spared = spared_by_strikes(asking.table, model.side)
    anybody = any(not is_missile(w) and not (spared and w.has("strike")) and fits(w, assault) is None for w in ready)
    if anybody and not touched and not any(StateName.LOCKED in foe.states for foe in enemies(asking.table, model)):
        return _at_whom(asking.plan.side, _options_for(asking.table, model.side))
    for foe in enemies(asking.table, model):
        refusal = None
        if foe in touched:
            sentence = f"{model.label} touches {foe.label}; a ranged assault is not made in contact."
            refusal = Refusal(RANGED_ASSAULT.id, sentence)
        elif not anybody:
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
        options.append(closed(Option(foe.id, foe.label, (foe.id,), (RANGED_ASSAULT.id, *fights)), refusal))
    return _at_whom(asking.plan.side, options)


def _options_for(table: Table, side: Side) -> tuple[Option, ...]:
    """Every enemy of a side as a target that nothing speaks against."""
    key = ("targets", side)
    found: tuple[Option, ...] | None = table.posture.get(key)
    if found is None:
        options = [_about(foe.id, foe.label, RANGED_ASSAULT.id) for foe in table.enemies_of(side)]
        found = table.posture[key] = tuple(options)
    return found


def _at_whom(side: Side, options: Sequence[Option]) -> ChooseOne:
    rules = (DECLARE_TARGETS.id, RANGED_ASSAULT.id)
    return ChooseOne(side, "At whom?", topic="target", rules=rules, options=tuple(options))


def _weapons(asking: _Asking, target: str | None, assault: str, lock: str) -> ChooseSeveral:
    model, victim = asking.model, None if target is None else asking.table[target]
    options = []
    empty = out_of_ammo(model)
    for name, weapon in weapons(model).items():
        refusal = _refused_weapon(model, weapon, victim, assault, lock)
        if name in empty:
            refusal = is_empty(weapon)
        options.append(closed(Option(name, weapon.name, (), (CHOICES.id,)), refusal))
    return ChooseSeveral(
        asking.plan.side,
        "Which weapons, in which order?",
        deed="With {}",
        topic="weapons",
        rules=(CHOICES.id, COMBAT_ACTION.id, DECLARE_TARGETS.id),
        options=tuple(options),
        at_least=1,
    )


def _refused_weapon(model: Thing, weapon: Weapon, victim: Thing | None, assault: str, lock: str) -> Refusal | None:
    if victim is None:
        if is_missile(weapon):
            sentence = f"Name the locked enemy the {weapon.name} is fired at."
            return Refusal(GUIDED_MISSILES.id, sentence, (DECLARE_TARGETS.id,))
        return fits(weapon, INDIRECT)
    return may_fire_at(model, weapon, victim, assault, lock=lock)


def _strike_point(asking: _Asking, target: str) -> PlaceThings:
    """Anywhere on the board, or on the base of the enemy that a missile is fired at too."""
    table = asking.table
    where = Region((rectangle(0, 0, table.ground.width, table.ground.height),), whole=False, rule=STRIKE_POINT.id)
    if target:
        where = Region((outline(table[target]),), whole=False, rule=DECLARE_TARGETS.id)
    return PlaceThings(
        asking.plan.side,
        "Where is the strike-point?",
        topic="strike-point",
        rules=(STRIKE_POINT.id, DECLARE_TARGETS.id),
        things=("strike-point",),
        where={"": where},
        faces=False,
    )


def _smart(plan: Plan, model: Thing, weapon: Weapon) -> ChooseOne:
    strength = max(weapon.rav[column(model)]) if not model.count(CountName.WEAPONS_CRIPPLED) else 0
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


def _not_offered(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a model does nothing, whatever it would be; or may not stay in over-watch that is not in it.

    quickstart.states.disabled, quickstart.states.stunned, quickstart.shooting.over-watch-later-turns
    """
    for model in (view.table[one] for one in question.about):
        for state in (StateName.DISABLED, StateName.STUNNED):
            if model.has(state):
                return Refusal(RULE_OF[state].id, f"{model.label} is {state} and takes no action.")
    return Refusal(STAYING.id, "Only a model in over-watch stays in it.") if answer == STAY else None


def _final(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a model that acts declares nothing else any more."""
    actors = [one for one in (view.table[name] for name in question.about) if one.has(StateName.ACTIVATED)]
    return Refusal(FINAL.id, f"What {actors[0].label} has declared is final.") if actors else None


CHAPTER = Chapter(
    plans={"declare": plan_parts},
    unasked={"declare": unasked_part},
    losses={"declare": unspent},
    unoffered={"action": _not_offered, "declare": _final},
    judges={
        "declare": refused_plan,
        "salvo": lambda view, question, answer: refused_salvo(view.table, question) if answer else None,
    },
    answers={
        "target": "whom a ranged or close-combat assault is aimed at",
        "assault": "direct-fire (if nothing is said) or indirect-fire",
        "weapons": "the weapon systems that fire, in order; of two alike the second is called -2",
        "salvo": "true: weapons of one kind fire together",
        "smart": "as-printed, wider or stronger",
        "lock": "whom a target-lock is on",
        "contact": "models that a move may come into contact with",
    },
)
