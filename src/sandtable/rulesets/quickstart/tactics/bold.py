"""The bolder plans: rockets over whatever is in the way, run 'n gun, and into close combat."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.shapes import UNIT, At, Leg, Spot, Walk
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.measure import CONTACT
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL
from sandtable.rulesets.cav.indirect import caught_by
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, SMART
from sandtable.rulesets.quickstart.datacard import movement, weapons
from sandtable.rulesets.quickstart.indirect import (
    SECONDARY_ROLL,
    Barrage,
    Caught,
    radius,
    secondary_parts,
    strike_point_parts,
    usable,
)
from sandtable.rulesets.quickstart.movement.moves import FREE_TURN
from sandtable.rulesets.quickstart.shooting.combined import lowered_mv
from sandtable.rulesets.quickstart.shooting.direct_fire import INDIRECT, is_indirect
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.tactics.choices import Intention, arms_words, fire_draft, fire_words, firing
from sandtable.rulesets.quickstart.tactics.guns import NO_ATTACK, Attack
from sandtable.rulesets.quickstart.tactics.odds import (
    POINT,
    close_combat_worth,
    outcome,
    rows_by_margin,
    ten_plus_chance,
    value_of,
)
from sandtable.rulesets.quickstart.tactics.places import NEXT, Pose, Situation
from sandtable.rulesets.quickstart.tactics.sight import Sighting
from sandtable.tabletop.opponent import Idea
from sandtable.tabletop.scouting.strolls import Stroll, bearing_to, stroll

#: What a rocket must be worth where it lands, to think about where that is.
_WORTH_LOBBING = POINT // 5
_QUARTER = FREE_TURN.number("max_degrees")


def bold_plans(situation: Situation, staying: int, mended: int) -> Iterator[Idea]:
    """What else a standing model might declare, where it could be worth more than to stay."""
    if situation.model.has(StateName.DEFENDED):
        return
    yield from _into_contact(situation)
    if situation.here.plain.worth < _WORTH_LOBBING:
        yield from _lobbed(situation, mended)
    if situation.skill.plans and not situation.model.has(StateName.SUPPRESSED):
        yield from _on_the_run(situation, staying)


# Close combat ------------------------------------------------------------------------------------------------------


def _into_contact(situation: Situation) -> Iterator[Idea]:
    """Assaults on whom it touches or can walk into: what they may do now and, being locked, next turn."""
    model = situation.model
    reach = movement(model) * UNIT
    for foe, seen in zip(situation.foes, situation.seen, strict=True):
        if seen.gap > reach:
            continue
        gain, loss = close_combat_worth(model, foe)
        after = (gain - loss) * NEXT // 100
        parts = (("close combat", gain), ("what it costs", -loss), ("locked next turn", after))
        if seen.gap <= CONTACT:
            yield Idea({"1": "close-combat", "target": foe.id}, f"fight {foe.label}", parts)
        elif gain > loss and not model.has(StateName.SUPPRESSED):
            walk = _way_into(situation, foe, seen.gap)
            if walk is not None:
                draft = {"1": "move", "2": "close-combat", "target": foe.id, "contact": (foe.id,)}
                yield Idea(draft, f"close in and fight {foe.label}", parts, Intention(model.id, (walk,)))


def _way_into(situation: Situation, foe: Thing, gap: int) -> Walk | None:
    """Straight into contact with a foe, if nothing is in the way."""
    model, mv = situation.model, movement(situation.model)
    bearing = bearing_to(situation.at, center(foe))
    others = [center(other) for other in situation.table.models() if other.id not in (model.id, foe.id)]
    one = stroll(situation.memory.room, others, model, bearing, mv, gap + UNIT)
    if one is None or one.length < gap:
        return None
    return one.walk  # contact ends it, wherever that is


# Indirect fire -----------------------------------------------------------------------------------------------------


def _lobbed(situation: Situation, mended: int) -> Iterator[Idea]:
    """Rockets at a foe that cannot be seen, with the missile where there is time for a lock."""
    model, table = situation.model, situation.table
    rockets = tuple(name for name, weapon in situation.gunner.weapons.items() if is_indirect(weapon))
    if not rockets:
        return
    here = situation.held.parts
    for foe, seen in zip(situation.foes, situation.seen, strict=True):
        if not seen.blocked or situation.gunner.lobbed(rockets[0], situation.memory.gunner(foe)) < _WORTH_LOBBING:
            continue
        if usable(table, Barrage(model.id, rockets, center(foe)), rockets[0]) is not None:
            continue
        worth, smart = lob_worth(table, model, foe, rockets)
        draft: dict[str, Any] = {"assault": INDIRECT, "target": foe.id, "weapons": rockets}
        draft["strike-point"] = {"strike-point": Spot(At(center(foe)))}
        if smart != AS_PRINTED:
            draft["smart"] = smart
        said = f"lob {arms_words(model, rockets)} at {foe.label}"
        if mended:
            parts = (("repair", mended), ("indirect fire", worth), *here)
            yield Idea({"1": "repair", "2": "shoot", **draft}, f"mend and {said}", parts)
        aiming = replace(model, states={**model.states, StateName.TARGET_LOCK: Mark(foe.id)})
        worth, smart = lob_worth(table, aiming, foe, rockets)
        missiles = situation.gunner.attacks(situation.memory.gunner(foe), seen.gap, 0, seen.they_stand_in, True)[1]
        draft |= {"lock": foe.id, "weapons": (*rockets, *missiles.weapons)}
        parts = (("indirect fire", worth), ("missile", missiles.worth), *here)
        yield Idea({"1": "target-lock", "2": "shoot", **draft}, f"lock on and {said}", parts)
        return


def lob_worth(table: Table, model: Thing, foe: Thing, fired: Sequence[str]) -> tuple[int, str]:
    """What rockets at a foe are worth, and how a SMART one is best fired: friends that are caught count against it.

    Only what comes of a strike-point that is hit is counted; drift harms nobody in particular.
    """
    at = center(foe)
    seen_as = replace(table, things={**table.things, model.id: model})
    weapon = weapons(model)[fired[0]]
    hits = ten_plus_chance(
        sum(part.value for part in strike_point_parts(seen_as, Barrage(model.id, tuple(fired), at), fired))
    )
    best, how = 0, AS_PRINTED
    for smart in (AS_PRINTED, *SMART) if weapon.has("smart") else (AS_PRINTED,):
        worth = 0
        for victim in caught_by(table, at, radius(weapon, smart)):
            hit = _caught_worth(seen_as, model, table[victim], fired, smart)
            worth += -hit if table[victim].side == model.side else hit
        if worth > best:
            best, how = worth, smart
    return best * hits // 36, how


def _caught_worth(table: Table, model: Thing, victim: Thing, fired: Sequence[str], smart: str) -> int:
    rolls = []
    for name in fired:
        added = sum(part.value for part in secondary_parts(table, Caught(model.id, victim.id, (name,), "", smart)))
        rows = rows_by_margin(model, weapons(model)[name], victim, smart)
        rolls.append(outcome(rows, SECONDARY_ROLL.number("target_point") - added, NATURAL_CRITICAL, True))
    return value_of(tuple(rolls), victim.track - victim.harm)


# Run 'n gun --------------------------------------------------------------------------------------------------------


def _on_the_run(situation: Situation, staying: int) -> Iterator[Idea]:
    """Two short moves and fire in between: out of a hiding place and back, or fire and away into one."""
    mv = movement(situation.model) + lowered_mv(movement(situation.model))
    if mv < 2:
        return
    if not situation.here.plain.worth:
        step = (mv - 1) * UNIT
        pairs = zip(situation.gunners, situation.seen, strict=True)
        hoped = max(situation.gunner.on_the_run(foe, max(UNIT, seen.gap - step), 0).worth for foe, seen in pairs)
        if hoped + situation.held.worth > staying:
            yield from _out_and_back(situation, mv)
    elif situation.in_danger():
        yield from _fire_and_away(situation, mv, staying)


def _best_on_the_run(situation: Situation, seen: Sequence[Sighting]) -> tuple[Attack, str]:
    best, at = NO_ATTACK, ""
    for foe, gunner, one in zip(situation.foes, situation.gunners, seen, strict=True):
        if not one.blocked and one.in_arc and one.gap > CONTACT:
            attack = situation.gunner.on_the_run(gunner, one.gap, one.their_cover)
            if attack.worth > best.worth:
                best, at = attack, foe.id
    return best, at


def _legs(situation: Situation, inches: int) -> list[Stroll]:
    others = [center(other) for other in situation.table.models() if other.id != situation.model.id]
    facing = situation.model.facing
    ways = (facing + aside for aside in range(-_QUARTER, _QUARTER + 1, _QUARTER // 3))
    found = [stroll(situation.memory.room, others, situation.model, way, inches, inches * UNIT) for way in ways]
    return [one for one in found if one is not None]


def _out_and_back(situation: Situation, mv: int) -> Iterator[Idea]:
    """Step out, fire, turn round and step back: it costs an inch to turn so far."""
    out = _legs(situation, mv - 1)
    here = situation.held.parts
    for one, seen in situation.views_from(out):
        attack, at = _best_on_the_run(situation, seen)
        if attack.worth:
            back = Walk((Leg(_QUARTER), Leg(_QUARTER, one.length)))
            fires = fire_words(situation.table, situation.model, attack, at)
            said = f"step out to ({one.at.x // UNIT}, {one.at.y // UNIT}), {fires}"
            walks = Intention(situation.model.id, (firing(one.walk, first=False), back))
            draft = {"1": "run-n-gun", **fire_draft(attack, at)}
            yield Idea(draft, f"{said} and step back", (("fire on the run", attack.worth), *here), walks)


def _fire_and_away(situation: Situation, mv: int, staying: int) -> Iterator[Idea]:
    """Fire from here, then go twice in one direction, to where fewer see it."""
    attack, at = _best_on_the_run(situation, situation.seen)
    if not attack.worth or situation.hopes(attack.worth, fires=False) <= staying:
        return
    for one, seen in situation.views_from(_legs(situation, 2 * mv)):
        pose: Pose = situation.rate(seen)
        half = Leg(one.walk.legs[0].turn if isinstance(one.walk.legs[0], Leg) else 0, min(one.length, mv * UNIT))
        rest = Walk((Leg(0, one.length - half.go),) if one.length > half.go else ())
        walks = Intention(situation.model.id, (firing(Walk((half,)), first=True), rest))
        fires = fire_words(situation.table, situation.model, attack, at)
        said = f"{fires} and run to ({one.at.x // UNIT}, {one.at.y // UNIT})"
        parts = (("fire on the run", attack.worth), *situation.place(pose, one).parts)
        yield Idea({"1": "run-n-gun", **fire_draft(attack, at)}, said, parts, walks)
