"""The parts of a declaration that say how a model attacks: whom or where, with which weapons, and in which form."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, Option, PlaceThings, PlanPart, Refusal, closed
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Region, Spot, rectangle
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import enemies
from sandtable.rulesets.cav.indirect import POINT
from sandtable.rulesets.strikeops.actions.listing import LABELS, NOTHING
from sandtable.rulesets.strikeops.attributes import SMART
from sandtable.rulesets.strikeops.datacard import Weapon, column, has, weapons
from sandtable.rulesets.strikeops.indirect import AS_PRINTED, CHAIN, SMART_OPTIONS, smart_change
from sandtable.rulesets.strikeops.indirect import WEAPONS as INDIRECT_WEAPONS
from sandtable.rulesets.strikeops.shooting.aiming import (
    COMBAT_ACTION,
    DECLARING,
    FAMILIES,
    INDIRECT_FIRE,
    MULTIPLE,
    NOT_COMBINED,
    ONE_KIND,
    SALVO,
    SAME_TYPE,
    Aimed,
    is_indirect,
    may_fire,
    may_fire_at,
    smallest,
)
from sandtable.rulesets.strikeops.shooting.firing import ONE_ROLL, overdrive_question
from sandtable.rulesets.strikeops.sight import POP_UP

DIRECT, INDIRECT = "direct-fire", "indirect-fire"
#: No card has more weapons than may be told apart so.
MOST_TARGETS = 8
#: The questions for points beside the first strike-point of an attack.
MORE_POINTS = ("lock-point", *(f"{POINT}-{n}" for n in range(2, MOST_TARGETS + 1)))


def aims_of(model: str, answer: dict[str, Any]) -> tuple[Aimed, ...]:
    """Everything that a declaration aims the weapons of a model at, in order."""
    found: list[Aimed] = []
    for n in count(1):
        more = _more(n)
        target, point = answer.get(f"{model} target{more}") or "", point_of(answer.get(f"{model} {POINT}{more}"))
        if target in ("", NOTHING) and point is None:
            return tuple(found)
        found.append(Aimed(target, tuple(answer.get(f"{model} weapons{more}") or ()), point))
    raise AssertionError


def _more(n: int) -> str:
    return "" if n == 1 else f"-{n}"


def point_of(answer: dict[str, Spot] | Point | None) -> Point | None:
    """The point that an answer names, or that was read from it already."""
    if isinstance(answer, Point):
        return answer
    where = next(iter(answer.values())).where if answer else None
    return where.point if isinstance(where, At) else None


def attack_parts(
    table: Table, side: Side, model: Thing, draft: dict[str, Any], lock: str, runs: bool
) -> list[PlanPart]:
    """Direct or indirect fire, whom or where, with which weapons, and how (strikeops.shooting.declaring-an-attack).

    strikeops.shooting.multiple-targets    weapons that are left may be aimed at more targets, one after another
    """
    systems = weapons(model)
    found: list[PlanPart] = []
    lobs = any(is_indirect(one.weapon) for one in systems.values())
    straight = any(not is_indirect(one.weapon) for one in systems.values())
    default = DIRECT if straight else INDIRECT
    if lobs and straight:
        found.append(PlanPart(f"{model.id} fire", _kind(side, model), optional=True))
    fire = draft.get(f"{model.id} fire", default) if lobs and straight else default
    used: list[str] = []
    for n in range(1, min(len(systems), MOST_TARGETS) + 1):
        aimed, named = _aim_parts(table, side, model, draft, lock, fire == INDIRECT, n, used)
        found += aimed
        if not named:
            break
        used += named
    fired = [systems[one].weapon for one in used]
    if len(fired) > 1:
        found.append(PlanPart(f"{model.id} salvo", _salvo(side, model, draft, runs), optional=True))
    if any(weapon.has("overdrive") for weapon in fired):
        found.append(PlanPart(f"{model.id} overdrive", overdrive_question(model), optional=True))
    clever = [one for one in used if systems[one].weapon.has("smart")]
    for n, name in enumerate([smallest(model, clever)] if clever and draft.get(f"{model.id} salvo") else clever):
        part = f"{model.id} smart {name}" if n else f"{model.id} smart"
        found.append(PlanPart(part, _smart(side, model, name, systems[name].weapon), optional=True))
    if fire == DIRECT and fired and has(model, "pop_up"):
        found.append(PlanPart(f"{model.id} pop-up", _pop_up(side, model), optional=True))
    if fire == INDIRECT and fired and has(model, "chain_fire_pod"):
        found.append(PlanPart(f"{model.id} chain", _chain(side, model), optional=True))
    return found


def _aim_parts(
    table: Table,
    side: Side,
    model: Thing,
    draft: dict[str, Any],
    lock: str,
    lobs: bool,
    n: int,
    used: Sequence[str],
) -> tuple[list[PlanPart], list[str]]:
    """The parts of one target or strike-point, and the weapons that are named for it."""
    more, systems = _more(n), weapons(model)
    able = [name for name, one in systems.items() if name not in used and is_indirect(one.weapon) == lobs]
    named = [name for name in draft.get(f"{model.id} weapons{more}") or () if name in able]
    if n > 1 and not able:
        return [], []
    if lobs:
        where = PlanPart(f"{model.id} {POINT}{more}", _strike_point(table, side, model, more), optional=n > 1)
        if n > 1 and not draft.get(where.id):
            return [where], []
        return [where, PlanPart(f"{model.id} weapons{more}", _lobbed(side, model, used, more))], named
    taken = [draft.get(f"{model.id} target{_more(one)}") for one in range(1, n)]
    foes = [foe for foe in enemies(table, model) if foe.id not in taken]
    if not foes:
        return [], []
    whom = PlanPart(f"{model.id} target{more}", _target(side, model, foes, lock, more), optional=n > 1)
    target = draft.get(whom.id)
    if target not in table.things:
        return [whom], []
    question = _weapons(side, model, table[str(target)], lock, used, more)
    return [whom, PlanPart(f"{model.id} weapons{more}", question)], named


def _kind(side: Side, model: Thing) -> ChooseOne:
    options = (Option(DIRECT, "Direct fire"), Option(INDIRECT, "Indirect fire"))
    prompt = f"{model.label}: direct or indirect fire?"
    return ChooseOne(side, prompt, topic="fire", rules=(ONE_KIND.id,), options=options, default=DIRECT)


def _strike_point(table: Table, side: Side, model: Thing, more: str) -> PlaceThings:
    words = "another strike-point" if more else "the strike-point"
    rules = (INDIRECT_WEAPONS.id, INDIRECT_FIRE.id)
    return point_question(table, side, f"{model.label}: where is {words}?", model, f"{POINT}{more}", rules)


def point_question(
    table: Table, side: Side, prompt: str, model: Thing, topic: str, rules: tuple[RuleId, ...]
) -> PlaceThings:
    """The question for a point on the board."""
    board = rectangle(0, 0, table.ground.width, table.ground.height)
    return PlaceThings(
        side,
        prompt,
        topic=topic,
        about=(model.id,),
        rules=rules,
        things=(POINT,),
        where={"": Region((board,), whole=False, rule=rules[0])},
        faces=False,
    )


def _lobbed(side: Side, model: Thing, used: Sequence[str], more: str) -> ChooseSeveral:
    options = []
    for name, system in weapons(model).items():
        refusal = may_fire(model, system.weapon)
        if not is_indirect(system.weapon):
            words = f"The {system.weapon.name} fires directly, and not with indirect fire in one activation."
            refusal = Refusal(ONE_KIND.id, words, (INDIRECT_FIRE.id, FAMILIES.id))
        options.append(_system(name, system.weapon, refusal, used))
    return _which(side, model, options, more)


def _system(name: str, weapon: Weapon, refusal: Refusal | None, used: Sequence[str]) -> Option:
    if name in used:
        refusal = Refusal(MULTIPLE.id, f"The {weapon.name} is aimed at another target already.")
    return closed(Option(name, weapon.name, (), (DECLARING.id,)), refusal)


def _which(side: Side, model: Thing, options: Sequence[Option], more: str) -> ChooseSeveral:
    prompt = f"{model.label}: which weapons, in which order?"
    asked = {"topic": f"weapons{more}", "rules": (ONE_ROLL.id, DECLARING.id), "deed": "With {}"}
    return ChooseSeveral(side, prompt, options=tuple(options), at_least=1, **asked)  # type: ignore[arg-type]


def _target(side: Side, model: Thing, foes: Sequence[Thing], lock: str, more: str) -> ChooseOne:
    options = [judged_option(foe, _refused_target(model, foe, lock), DECLARING.id) for foe in foes]
    rules = (*((MULTIPLE.id,) if more else ()), COMBAT_ACTION.id, DECLARING.id)
    if more:
        nobody = Option(NOTHING, LABELS[NOTHING])
        prompt = f"{model.label}: at whom else?"
        asked = (*options, nobody)
        return ChooseOne(side, prompt, topic=f"target{more}", rules=rules, options=asked, default=NOTHING)
    return ChooseOne(side, f"{model.label}: at whom?", topic="target", rules=rules, options=tuple(options))


def _refused_target(model: Thing, foe: Thing, lock: str) -> Refusal | None:
    """Why a model attacks somebody with none of its weapons: what is said of each, those that fire directly first."""
    carried = [system.weapon for system in weapons(model).values()]
    why = [may_fire_at(model, one, foe, lock) for one in sorted(carried, key=is_indirect)]
    found = [one for one in why if one is not None]
    if len(found) < len(why) or not found:
        return None
    sentences = " ".join(dict.fromkeys(one.sentence for one in found))
    first, *more = dict.fromkeys(rule for one in found for rule in one.rules)
    return Refusal(first, sentences, tuple(more))


def judged_option(model: Thing, refusal: Refusal | None, why: RuleId) -> Option:
    """A model that may be chosen, or why it may not."""
    return closed(Option(model.id, model.label, (model.id,), (why,)), refusal)


def _weapons(side: Side, model: Thing, foe: Thing, lock: str, used: Sequence[str], more: str) -> ChooseSeveral:
    options = [
        _system(name, one.weapon, may_fire_at(model, one.weapon, foe, lock), used)
        for name, one in weapons(model).items()
    ]
    return _which(side, model, options, more)


def _salvo(side: Side, model: Thing, draft: dict[str, Any], runs: bool) -> Confirm:
    aims = aims_of(model.id, draft)
    return Confirm(
        side,
        f"{model.label}: fire them together as a salvo?",
        topic="salvo",
        about=(model.id, *(name for aim in aims for name in aim.weapons)),
        rules=(SALVO.id, SAME_TYPE.id),
        facts={"run 'n gun": int(runs), "targets": len(aims)},
    )


def refused_salvo(view: View, question: Confirm, answer: bool) -> Refusal | None:
    """A salvo is of weapons of one type at one target, and the others stay silent.

    strikeops.shooting.salvo-fire-same-type, strikeops.shooting.options-not-combined
    """
    model, *fired = question.about
    families = {weapons(view.table[model])[name].weapon.family for name in fired}
    if not answer:
        return None
    if question.facts.get("run 'n gun"):
        return Refusal(NOT_COMBINED.id, "Salvo Fire and Run 'N Gun may not be combined.")
    if question.facts.get("targets", 1) > 1:
        return Refusal(NOT_COMBINED.id, "Salvo Fire has a single target.", (SALVO.id,))
    if len(families) > 1:
        return Refusal(SAME_TYPE.id, "A salvo is of weapons of one type; the others may not fire.")
    return None


def _rav(model: Thing, weapon: Weapon) -> int:
    """The lower RAV of a weapon now."""
    now = weapon.rav[column(model)] if weapon.rav else ()
    return min((one for one in now if one is not None), default=0)


def smart_choices(model: str, answer: dict[str, Any], aims: Sequence[Aimed]) -> tuple[str, ...]:
    """The SMART option of each weapon; one of which nothing is said is fired like the first.

    strikeops.attributes-weapon.smart    for each weapon; those of a salvo make one roll, and are fired alike
    """
    first = answer.get(f"{model} smart", AS_PRINTED)
    each = {name: answer.get(f"{model} smart {name}", first) for aim in aims for name in aim.weapons}
    return tuple(f"{name} {option}" for name, option in each.items() if option != AS_PRINTED)


def _smart(side: Side, model: Thing, name: str, weapon: Weapon) -> ChooseOne:
    options = [Option(AS_PRINTED, "As printed")]
    for option, label in zip(SMART_OPTIONS, ("Wider area, weaker hit", "Stronger hit, smaller area"), strict=True):
        least = SMART.number("minimum")
        narrow = weapon.rating("aoe") + smart_change(weapon, option, "aoe") < least
        weak = _rav(model, weapon) + smart_change(weapon, option, "rav") < least
        refused = "There is nothing left to take from it." if narrow or weak else ""
        options.append(Option(option, label, (), (SMART.id,), refused))
    prompt = f"{model.label}: SMART, which option of the {name.replace('-', ' ')}?"
    return ChooseOne(
        side,
        prompt,
        topic="smart",
        about=(model.id, name),
        rules=(SMART.id,),
        options=tuple(options),
        default=AS_PRINTED,
    )


def _pop_up(side: Side, model: Thing) -> Confirm:
    return Confirm(
        side,
        f"{model.label}: rise over a low object beside it to fire?",
        topic="pop-up",
        about=(model.id,),
        rules=(POP_UP.id,),
    )


def _chain(side: Side, model: Thing) -> Confirm:
    prompt = f"{model.label}: chain in to this strike-point?"
    return Confirm(side, prompt, topic="chain", about=(model.id,), rules=(CHAIN.id,))


#: What the answers to these parts are like.
ANSWERS = {
    "target": "whom an attack is aimed at",
    **{f"target-{n}": f"whom other weapons are aimed at, as target {n}" for n in range(2, MOST_TARGETS + 1)},
    "weapons": "the weapons that fire, in order; of two alike the second is called -2",
    **{f"weapons-{n}": f"the weapons that are aimed at target or strike-point {n}" for n in range(2, MOST_TARGETS + 1)},
    **{f"{POINT}-{n}": f"strike-point {n}, of other weapons, [x, y]" for n in range(2, MOST_TARGETS + 1)},
    "fire": "direct-fire (if nothing is said) or indirect-fire",
    "salvo": "true: weapons of one type are fired together",
    "smart": "as-printed, wider or stronger",
    "overdrive": "true: weapons that have Overdrive are fired with it",
    "pop-up": "true: it rises over a low object beside it to fire",
    "chain": "true: it chains in to the strike-point of its squad",
}
