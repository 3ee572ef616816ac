"""Indirect fire: a Strike-Point Roll for all weapons, drift, and a Combat Roll against everybody who is caught."""

from collections.abc import Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Forfeited, Landed
from sandtable.engine.explain import ExplainedPart, explain, inches
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Disc, Point, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.indirect import (
    FUMBLED_POINT,
    POINT,
    Drift,
    Munition,
    caught_by,
    moved_by_the_opponent,
    point_on_board,
)
from sandtable.rulesets.strikeops.attributes import AREA, BLASTER, LARGE_PROFILE, SMART, WIZZO
from sandtable.rulesets.strikeops.changes import AREA as IN_THE_AREA
from sandtable.rulesets.strikeops.changes import STRIKE_POINT, AtPoint, changes, locked_point, spelled
from sandtable.rulesets.strikeops.command import acting_squad, inspire, is_inspired, point_roll
from sandtable.rulesets.strikeops.damage import SURPLUS, WEAPON_CRITICALS, in_play, row_of_hit
from sandtable.rulesets.strikeops.datacard import Weapon, has, rav, reach, weapons
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.shooting.aiming import (
    AT_DOUBLE_TIME,
    AT_KNOCKED_DOWN,
    AT_STATIONARY,
    BROKEN_WEAPONS,
    MIXED_OUT,
    MULTIPLE,
    MULTIPLE_RANGE,
    OUT_OF_RANGE,
    RUN_N_GUN,
    SALVO_INDIRECT,
    STAT_LINE,
    STEADY,
    AtSomebody,
    Attack,
    arc_of,
    arcs_by,
    band_of,
    bears_on,
    critical_from,
    may_fire,
    refused_arc,
    running_penalty,
    smallest,
    worst_band,
)
from sandtable.rulesets.strikeops.shooting.aiming import MINIMUM_RANGE as DIRECT_MINIMUM
from sandtable.rulesets.strikeops.shooting.firing import (
    AS_FAR_AS_POSSIBLE,
    FORFEIT,
    MARGIN,
    ONE_ROLL,
    AttackEnds,
    beaten,
    check_jam,
    strike,
    why_not,
)
from sandtable.rulesets.strikeops.shooting.point_defense import getting_through
from sandtable.rulesets.strikeops.shooting.rolling import MISS
from sandtable.rulesets.strikeops.sight import cover_from_above, sees_point
from sandtable.rulesets.strikeops.state_names import ActionName, StateName, Until
from sandtable.rulesets.strikeops.states import (
    DOUBLE_TIME,
    KNOCKDOWN,
    STATIONARY_ATTACKER,
    STATIONARY_DEFENDER,
    UNSTEADY,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.states import give

WEAPONS = rule("strikeops.indirect.weapons")
NO_SIGHT = rule("strikeops.indirect.no-line-of-sight")
IN_SIGHT = rule("strikeops.indirect.strike-point-in-sight")
ROLL = rule("strikeops.indirect.strike-point-roll")
ONE_A_POINT = rule("strikeops.indirect.one-roll-per-strike-point")
ON_TARGET = rule("strikeops.indirect.on-target")
MISSED = rule("strikeops.indirect.missed-strike")
SEPARATE = rule("strikeops.indirect.separate-modifiers")
AGAIN = rule("strikeops.indirect.consecutive-attempts")
AUTOMATIC = rule("strikeops.indirect.automatic-hit")
COVER = rule("strikeops.indirect.cover")
BLOCKING = rule("strikeops.indirect.blocking-cover")
POINT_LIST = rule("strikeops.indirect.strike-point-modifiers")
ROLL_LIST = rule("strikeops.indirect.combat-roll-modifiers")
DRIFTS = rule("strikeops.indirect.drift")
OUT_OF_REACH = rule("strikeops.indirect.drift-out-of-range")
BEYOND = rule("strikeops.weapons.drift-beyond-maximum-range")
FUMBLE = rule("strikeops.indirect.critical-fumble")
TO_POINT = rule("strikeops.shooting.range-to-terrain")
TARGET_POINTS = rule("strikeops.shooting.band-target-points")
MINIMUM_RANGE = rule("strikeops.attributes-weapon.minimum-range")
OTHER_LOCK = rule("strikeops.actions.target-lock-on-another-target")
FCS = rule("strikeops.attributes.fcs")
CHAIN = rule("strikeops.attributes.chain-fire-pod")
GRENADE_DRIFT = rule("strikeops.weapons.grenade-launcher-drift")
CHAIN_MISS = rule("strikeops.attributes.chain-fire-miss")
_MOST_LINKED = len(FCS.names("strike_point_modifier"))

HIT, MISSED_CHAIN = "hit", "missed"
#: A state of a squad: the point of its chain, what the first shot came to, and whose it was.
CHAINED = "chain"
_NEEDS = TARGET_POINTS.counted("strike_point_roll")
same_number("the numbers of a Strike-Point Roll", _NEEDS, ROLL.counted("target_number"))
same_number("a weapon out of range", MIXED_OUT.number("strike_point_roll"), list(_NEEDS.values())[-1])
_COMBAT_NEEDS = ON_TARGET.number("combat_roll_target_number")
same_number("the number after a miss", MISSED.number("combat_roll_target_number"), _COMBAT_NEEDS)
_POINT_LISTED = {one.text_at("situation"): one.number("sm") for one in POINT_LIST.items("modifiers")}
_ROLL_LISTED = {one.text_at("situation"): one.number("sm") for one in ROLL_LIST.items("modifiers")}
for _situation, _value in (
    ("critical hit on attacker, weapon systems crippled", WEAPON_CRITICALS.number("crippled")),
    ("critical hit on attacker, weapon systems damaged", WEAPON_CRITICALS.number("damaged")),
    ("multiple targets", OTHER_LOCK.number("sm")),
    ("consecutive attempt at the same strike-point", AGAIN.number("sm_per_further_attempt")),
    ("attacker stationary", STATIONARY_ATTACKER.number("own_rolls_sm")),
    ("line of sight to the declared strike-point", IN_SIGHT.number("sm")),
    ("SA Wizzo", WIZZO.number("target_modifier")),
    ("run 'n gun", RUN_N_GUN.number("sm_per_weapon")),
):
    same_number(f"the Strike-Point Roll and {_situation}", _POINT_LISTED[_situation], _value)
for _situation, _value in (
    ("light cover", COVER.number("light")),
    ("heavy cover", COVER.number("heavy")),
    ("defender in double-time", DOUBLE_TIME.number("attacker_sm")),
    ("defender stationary", STATIONARY_DEFENDER.number("attacker_sm")),
    ("SA Large Sensor Profile (defender)", LARGE_PROFILE.number("target_modifier_per_level")),
    ("salvo fire", SALVO_INDIRECT.number("combat_roll_per_additional_weapon")),
    ("defender knocked down", KNOCKDOWN.number("attacker_sm")),
):
    same_number(f"an indirect Combat Roll and {_situation}", _ROLL_LISTED[_situation], _value)


class Bombard(Step, frozen=True):
    """The weapons of an attack are fired at its strike-point."""

    attack: Attack


class Land(Step, frozen=True):
    """A weapon, or a salvo, comes down at the final point of a strike."""

    attack: Attack
    weapons: tuple[str, ...]
    point: Point
    on_target: bool
    because: int


class RollCaught(Step, frozen=True):
    """A Combat Roll of one weapon, or of a salvo, against a model that was caught."""

    attack: Attack
    weapons: tuple[str, ...]
    victim: str


class Aiming(AtPoint, frozen=True, kw_only=True):
    """What decides which modifiers count on a Strike-Point Roll."""

    attack: Attack
    sees: bool
    running: int = 0
    linked: int = 1  # models with FCS in its squad, itself among them


class Catching(AtSomebody, frozen=True, kw_only=True):
    """What decides which modifiers count on the Combat Roll of indirect fire."""

    salvo: int  # weapons fired as one


#: What changes the number of a Strike-Point Roll (strikeops.indirect.strike-point-modifiers).
POINT_MODIFIERS: tuple[Modifier[Aiming], ...] = (
    *BROKEN_WEAPONS,
    *UNSTEADY,
    Modifier(
        OTHER_LOCK,
        "locked on another",
        OTHER_LOCK.number("sm"),
        when=lambda s: s.attack.locked_elsewhere(s.model),
    ),
    Modifier(
        MULTIPLE, "multiple targets", lambda s: MULTIPLE.number("sm_per_additional_target") * s.attack.more_targets
    ),
    Modifier(FCS, "fire control", lambda s: FCS.number("strike_point_modifier", str(min(s.linked, _MOST_LINKED)))),
    Modifier(
        AGAIN, "same strike-point again", lambda s: attempts(s.model, s.attack) * AGAIN.number("sm_per_further_attempt")
    ),
    STEADY,
    Modifier(IN_SIGHT, "line of sight", IN_SIGHT.number("sm"), when=lambda s: s.sees),
    Modifier(RUN_N_GUN, "run 'n gun", lambda s: s.running),
    *changes(STRIKE_POINT),
)

#: What changes the number of the Combat Roll of indirect fire, cover apart: nothing of the attacker's.
ROLL_MODIFIERS: tuple[Modifier[Catching], ...] = (
    AT_DOUBLE_TIME,
    AT_STATIONARY,
    *changes(IN_THE_AREA),
    Modifier(
        SALVO_INDIRECT,
        "salvo",
        lambda s: SALVO_INDIRECT.number("combat_roll_per_additional_weapon") * (s.salvo - 1),
    ),
    AT_KNOCKED_DOWN,
)


def linked(table: Table, model: Thing) -> int:
    """How many models with FCS a squad has around one of them, itself among them; they need not fire.

    strikeops.attributes.fcs    within 36", on the board and not out of action
    """
    if not has(model, "fcs"):
        return 1
    squad = acting_squad(model)
    mates = [one for one in table.models(model.side) if acting_squad(one) == squad and in_play(one) and has(one, "fcs")]
    return sum(length_between(center(one), center(model)) <= reach(model, FCS.inches("range")) for one in mates)


# What everybody can read -------------------------------------------------------------------------------------------


def munition(weapon: Weapon, smart: str) -> Munition:
    """How near, how far and how wide a weapon strikes as it is fired."""
    least = (weapon.minimum_range or 0) * UNIT
    farthest = (weapon.range or 0) * UNIT * len(_NEEDS)
    return Munition(least, farthest, area(weapon, smart) * UNIT)


def area(weapon: Weapon, smart: str) -> int:
    """The area of effect of a weapon as it is fired, in inches (strikeops.attributes-weapon.smart)."""
    return max(0, weapon.rating("aoe") + smart_change(weapon, smart, "aoe"))


def smart_change(weapon: Weapon, smart: str, what: str) -> int:
    """What a SMART option changes of a weapon; nothing where it is not SMART or as printed."""
    if not weapon.has("smart") or smart not in SMART_OPTIONS:
        return 0
    return SMART.number("options", SMART_OPTIONS.index(smart), what)


#: How a SMART weapon may be fired, in the order of the rule's options, and as printed.
SMART_OPTIONS = ("wider", "stronger")
AS_PRINTED = "as-printed"


def smart_of(attack: Attack, name: str) -> str:
    """The SMART option that a weapon of an attack is fired with (strikeops.attributes-weapon.smart)."""
    return next((one.rpartition(" ")[2] for one in attack.smart if one.rpartition(" ")[0] == name), AS_PRINTED)


def _strikes(shooter: Thing, at: Point, one: Munition) -> bool:
    """Whether a strike has any effect at a point: not beyond its farthest band, nor within its minimum range.

    strikeops.indirect.drift-out-of-range             no Combat Rolls are made there
    strikeops.weapons.drift-beyond-maximum-range      whatever the weapon
    """
    return one.nearest < length_between(center(shooter), at) <= one.farthest or (
        not one.nearest and at == center(shooter)
    )


#: A missed strike drifts 1d10 inches in any direction, a little more at long range.
DRIFTING = Drift(
    dice=DRIFTS.text_at("die"),
    addition=DRIFTS.counted("extra_inches"),
    rule=DRIFTS,
    addition_rule=DRIFTS,
    limits=OUT_OF_REACH,
    beyond=BEYOND,
    strikes=_strikes,
)


#: Grenades drift half as far.
GRENADES = replace(DRIFTING, divide=2, rule=GRENADE_DRIFT)


def usable(table: Table, attack: Attack, name: str) -> Refusal | None:
    """Why a declared weapon cannot be fired at the strike-point: range, minimum range or arc.

    strikeops.indirect.no-line-of-sight    arcs and ranges apply all the same
    """
    assert attack.point is not None
    shooter = table[attack.shooter]
    system = weapons(shooter)[name]
    refusal = may_fire(shooter, system.weapon)
    if refusal is not None:
        return refusal
    away = length_between(center(shooter), attack.point)
    if away <= (system.weapon.minimum_range or 0) * UNIT and system.weapon.minimum_range:
        words = f"The strike-point is {inches(away)} away, within the minimum range."
        return Refusal(MINIMUM_RANGE.id, words, (DIRECT_MINIMUM.id, OUT_OF_REACH.id))
    if band_of(system.weapon, away) is None:
        return Refusal(OUT_OF_RANGE.id, f"The strike-point is {inches(away)} away, beyond extreme range.")
    if not bears_on(shooter, system, attack.point):
        words = "The strike-point is in no arc that the weapon may use."
        return Refusal(NO_SIGHT.id, words, (arcs_by(shooter).id,))
    return refused_arc(table, attack, name)


def _held(shooter: Thing) -> list[tuple[str, ...]]:
    """The points that a model has fired at: of each its place, misses in a row or a hit, and the turn."""
    value = shooter.value(StateName.STRIKE_POINT)
    return [value[n : n + 4] for n in range(0, len(value), 4)] if isinstance(value, tuple) else []


def last_strike(shooter: Thing, attack: Attack) -> str:
    """What the last strike at the same point came to: a hit, or how many misses in a row; empty if there was none."""
    return next((one[2] for one in _held(shooter) if one[:2] == spelled(attack.point)), "")


def attempts(shooter: Thing, attack: Attack) -> int:
    """How often in a row a model has missed the same strike-point without moving."""
    last = last_strike(shooter, attack)
    return int(last) if last not in ("", HIT) else 0


def hits_again(shooter: Thing, attack: Attack) -> bool:
    """Whether a strike is on target of itself: the last one at this point was (strikeops.indirect.automatic-hit)."""
    return last_strike(shooter, attack) == HIT


def point_check(table: Table, attack: Attack, fired: tuple[str, ...]) -> Check:
    """The Strike-Point Roll before it falls: one for all weapons, by the worst of their bands."""
    assert attack.point is not None
    shooter = table[attack.shooter]
    band, why = _band_at(table, attack)
    found = [ExplainedPart(f"{band} range", _NEEDS[band], why)]
    each = [replace(attack, point=one.point, weapons=one.weapons) for one in attack.aims]
    farthest = max([band, *(_band_at(table, one)[0] for one in each)], key=list(_NEEDS).index)
    if farthest != band:
        more = _NEEDS[farthest] - _NEEDS[band]
        found.append(ExplainedPart(f"with a target at {farthest} range", more, MULTIPLE_RANGE.id))
    needs = explain("target point", *found)
    sees = sees_point(table, shooter, attack.point)
    running = running_penalty(shooter, weapons(shooter)[fired[0]].weapon, attack)
    at = attack.point
    aiming = Aiming(shooter, point=at, attack=attack, sees=sees, running=running, linked=linked(table, shooter))
    modifiers = parts(POINT_MODIFIERS, STRIKE_POINT, aiming)
    return DICE.check(
        *(STRIKE_POINT, shooter.id, needs, modifiers, ROLL), succeeded="on target", failed="drifts", alike=_any
    )


def _band_at(table: Table, attack: Attack) -> tuple[str, RuleId]:
    """The worst band of the weapons fired at a strike-point, and its rule; the first where none is.

    strikeops.shooting.mixed-weapons-out-of-range    one that is out of range makes it the last; no other matters that
                                                     does not fire
    """
    assert attack.point is not None
    shooter = table[attack.shooter]
    judged = {name: no.rule if (no := usable(table, attack, name)) else "" for name in attack.weapons}
    counting = [weapons(shooter)[name].weapon for name, no in judged.items() if no in ("", OUT_OF_RANGE.id)]
    if not counting:
        return next(iter(_NEEDS)), TARGET_POINTS.id
    why = MIXED_OUT if OUT_OF_RANGE.id in judged.values() else TARGET_POINTS
    return worst_band(counting, length_between(center(shooter), attack.point)), why.id


def _any(margin: int) -> bool:
    return True


def caught_check(table: Table, step: RollCaught) -> Check | Refusal:
    """The Combat Roll against a model that was caught, before it falls; or why none is made.

    strikeops.indirect.cover             cover it stands in or beside counts
    strikeops.indirect.blocking-cover    blocking cover beside either of the two stops the roll
    """
    shooter, victim = table[step.attack.shooter], table[step.victim]
    weapon = weapons(shooter)[step.weapons[0]].weapon
    least = (weapon.minimum_range or 0) * UNIT
    if least and length_between(center(shooter), center(victim)) <= least:
        return Refusal(MINIMUM_RANGE.id, f"{victim.label} is within the minimum range.")
    if rav(shooter, weapon, victim) is None:
        return Refusal(STAT_LINE.id, f"The {weapon.name} cannot attack {victim.label}: its RAV is NA.")
    blocked, cover = cover_from_above(table, shooter, victim)
    if blocked:
        return Refusal(BLOCKING.id, f"Blocking cover shelters {victim.label}.")
    needs = target(_COMBAT_NEEDS, "area of effect", ON_TARGET)
    salvo = len(step.weapons)
    found = parts(ROLL_MODIFIERS, "combat", Catching(shooter, victim, foe=victim, salvo=salvo))
    stronger = smart_change(weapon, smart_of(step.attack, step.weapons[0]), "rav")
    modifiers = (*found, *(msgspec.structs.replace(part, rule=COVER.id) for part in cover))
    return DICE.check(
        *("combat", shooter.id, needs, modifiers, ON_TARGET),
        critical_from=critical_from(weapon),
        widened=BLASTER,
        succeeded="hit",
        failed="miss",
        alike=lambda margin: row_of_hit(margin, shooter, weapon, victim, stronger),
    )


# What happens --------------------------------------------------------------------------------------------------------


def bombard(battle: Battle, step: Bombard) -> Procedure[None]:
    """Fire at a strike-point: one roll for all weapons, drift, and then a Combat Roll against each model caught.

    strikeops.indirect.one-roll-per-strike-point    all weapons land at the same final point
    strikeops.indirect.critical-fumble              on a natural 2 the opponent moves the point first
    """
    attack, shooter = step.attack, battle.table[step.attack.shooter]
    assert attack.point is not None
    fired: list[str] = []
    reasons: dict[RuleId, None] = {}
    for name in attack.weapons:
        refusal = usable(battle.table, attack, name)
        if refusal is None:
            fired.append(name)
        else:
            reasons.update(dict.fromkeys(refusal.rules))
            battle.happens(Forfeited(shooter.id, name, rule=AS_FAR_AS_POSSIBLE.id, detail=why_not(refusal)))
    if not fired:
        if not attack.aims and not attack.running:
            battle.happens(Forfeited(shooter.id, ActionName.SHOOT, rule=FORFEIT.id, detail={"rules": tuple(reasons)}))
        return
    point: Point | None = attack.point
    n, on_target = 0, True
    first = chained_result(battle.table, attack)
    if first == MISSED_CHAIN:
        on_target = False
        point = _drift(battle, attack, fired, attack.point, 0)
    elif first != HIT and not hits_again(shooter, attack):
        rolled = strike_roll(battle.table, attack, tuple(fired))
        fell = DICE.throw(battle, rolled, modified=True, detail=citing(POINT_LIST, TO_POINT))
        n, on_target = fell.n, fell.succeeds
        if fumbled(fell):
            for family in dict.fromkeys(weapons(shooter)[name].weapon.family for name in fired):
                one = next(name for name in fired if weapons(shooter)[name].weapon.family == family)
                yield from check_jam(battle, shooter.id, weapons(shooter)[one].weapon, n)
            point = yield from moved_by_the_opponent(battle, shooter, fired, attack.point, FUMBLE, {})
        if attack.chained and not first and locked_point(shooter, attack.point):
            value = (*spelled(attack.point), HIT if on_target else MISSED_CHAIN, shooter.id)
            give(battle, acting_squad(shooter), CHAINED, CHAIN, value, until=Until.END_OF_ACTIVATION, because=n)
        if not on_target:
            assert point is not None
            point = _drift(battle, attack, fired, point, n)
    if not first or (on_target and hits_again(shooter, attack)):
        _remember(battle, attack, on_target)  # a roll of its own
    if point is not None:
        volleys = [_smallest_first(shooter, fired)] if attack.salvo else [(name,) for name in fired]
        battle.push(*[Land(attack, volley, point, on_target, n) for volley in volleys])


def _smallest_first(shooter: Thing, volley: Sequence[str]) -> tuple[str, ...]:
    """The weapons of a salvo, first the one whose RAV, area and attributes count.

    strikeops.shooting.salvo-fire-mixed-sizes
    """
    first = smallest(shooter, volley)
    return (first, *(name for name in volley if name != first))


def strike_roll(table: Table, attack: Attack, fired: tuple[str, ...]) -> Check:
    """The Strike-Point Roll with the die of Inspire, if this one of its Combat Action is inspired."""
    points = [one.weapons for one in attack.aims] or [attack.weapons]
    inspired = point_roll(points.index(attack.weapons) + 1) in attack.inspired
    return inspire(point_check(table, attack, fired), inspired)


def _drift(battle: Battle, attack: Attack, fired: Sequence[str], point: Point, because: int) -> Point | None:
    shooter = battle.table[attack.shooter]
    armed = [weapons(shooter)[name].weapon for name in fired]
    band = worst_band(armed, length_between(center(shooter), point))
    munitions = [munition(weapons(shooter)[name].weapon, smart_of(attack, name)) for name in fired]
    drift = GRENADES if all(one.family == "grenade_launcher" for one in armed) else DRIFTING
    return drift.roll(battle, shooter, point, band, munitions, because)


def chained_result(table: Table, attack: Attack) -> str:
    """What the first shot of a chain came to for one that chains in; empty where it has not fallen, or is too far off.

    strikeops.attributes.chain-fire-pod     the others hit without a roll of their own
    strikeops.attributes.chain-fire-miss    or drift, each from the declared point
    """
    shooter = table[attack.shooter]
    value = table[acting_squad(shooter)].value(CHAINED)
    if not attack.chained or not isinstance(value, tuple) or value[:2] != spelled(attack.point):
        return ""
    away = length_between(center(shooter), center(table[value[3]]))
    return value[2] if away <= reach(shooter, CHAIN.inches("range")) else ""


def _remember(battle: Battle, attack: Attack, on_target: bool) -> None:
    """Keep the point for the next activation: a hit is then automatic, a further attempt easier."""
    shooter = battle.table[attack.shooter]
    times = HIT if on_target else str(attempts(shooter, attack) + 1)
    others = [one for one in _held(shooter) if one[:2] != spelled(attack.point)]
    value = (*chain(*others), *spelled(attack.point), times, str(battle.table.turn))
    why = AUTOMATIC if on_target else AGAIN
    give(battle, attack.shooter, StateName.STRIKE_POINT, why, value, until=Until.NEXT_ACTIVATION_WITHOUT)


def forget_strike_point(battle: Battle, model: str) -> None:
    """Who activates without firing at a point has lost it (strikeops.indirect.consecutive-attempts)."""
    held = _held(battle.table[model])
    kept = [one for one in held if one[3] == str(battle.table.turn)]
    if len(kept) < len(held):
        value = tuple(chain(*kept)) or None
        give(battle, model, StateName.STRIKE_POINT, AGAIN, value, until=Until.NEXT_ACTIVATION_WITHOUT)


def land(battle: Battle, step: Land) -> Procedure[None]:
    """A weapon comes down: Point Defense may stop it, then everybody whom it catches is rolled for, the nearest first.

    strikeops.indirect.drift-out-of-range    beyond its range and within its minimum range nothing comes of it
    """
    attack, point, table = step.attack, step.point, battle.table
    shooter = table[attack.shooter]
    if not _strikes(
        shooter, point, munition(weapons(shooter)[step.weapons[0]].weapon, smart_of(attack, step.weapons[0]))
    ):
        battle.happens(
            Forfeited(shooter.id, step.weapons[0], rule=OUT_OF_REACH.id, because=step.because, detail=citing(BEYOND))
        )
        return
    through = yield from getting_through(battle, shooter, step.weapons, point)
    if not through:
        return
    volley = _smallest_first(shooter, through)
    one = munition(weapons(shooter)[volley[0]].weapon, smart_of(attack, volley[0]))
    touched = [name for name in caught_by(table, point, one.radius) if not table[name].has(StateName.UNDER_WATER)]
    victims = sorted(touched, key=lambda name: length_between(center(table[name]), point))
    why = ON_TARGET if step.on_target else MISSED
    battle.happens(
        Landed(
            *(volley[0], attack.point or point, point, Disc(point, one.radius), tuple(victims)),
            rule=why.id,
            because=step.because,
            detail={"rules": (AREA.id, ONE_A_POINT.id)},
        )
    )
    battle.push(*[RollCaught(attack, volley, victim) for victim in victims])


def roll_caught(battle: Battle, step: RollCaught) -> Procedure[None]:
    """The Combat Roll against one model that was caught (strikeops.indirect.on-target)."""
    attack, table = step.attack, battle.table
    shooter, victim = table[attack.shooter], table[step.victim]
    weapon = weapons(shooter)[step.weapons[0]].weapon
    what = f"{step.weapons[0]} at {victim.label}"
    refusal = may_fire(shooter, weapon)  # it may have jammed in between
    if victim.gone or beaten(battle, victim.id) or refusal is not None:
        battle.happens(Forfeited(shooter.id, what, rule=(AS_FAR_AS_POSSIBLE if refusal else SURPLUS).id))
        return
    check = caught_check(table, step)
    if isinstance(check, Refusal):
        battle.happens(Forfeited(shooter.id, what, rule=AS_FAR_AS_POSSIBLE.id, detail=why_not(check)))
        return
    stronger = smart_change(weapon, smart_of(attack, step.weapons[0]), "rav")
    check = inspire(check, is_inspired(attack.inspired, step.weapons, victim.id, caught=True))
    told: Detail = {"rules": (SEPARATE.id, ONE_ROLL.id, MARGIN.id, ROLL_LIST.id)}
    fell = DICE.throw(battle, check, modified=bool(check.modifiers), fumble=MISS, detail=told)
    if fumbled(fell):
        yield from check_jam(battle, shooter.id, weapon, fell.n)
    if fell.succeeds:
        yield from strike(battle, shooter, victim, weapon, fell, 1, stronger)


def barrage_steps(attack: Attack) -> tuple[Step, ...]:
    """The steps of an indirect-fire attack, point by point."""
    each = [replace(attack, point=one.point, weapons=one.weapons) for one in attack.aims] or [attack]
    return (*(Bombard(one) for one in each), AttackEnds(attack))


# Judges --------------------------------------------------------------------------------------------------------------


def judge_point(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """A strike-point lies on the board; one that a fumble moved in the front arc and in range of all weapons."""
    point = point_on_board(view.table, question, answer)
    if isinstance(point, Refusal):
        return point
    if question.topic != FUMBLED_POINT:
        return None
    shooter = view.table[question.about[0]]
    away = length_between(center(shooter), point)
    for name in question.about[1:]:
        one = munition(weapons(shooter)[name].weapon, AS_PRINTED)
        if not one.nearest < away <= one.farthest:
            return Refusal(FUMBLE.id, f"{inches(away)} is not within the range of the {name}.")
    if arc_of(shooter, point) != FUMBLE.text_at("within").removesuffix("_arc"):
        return Refusal(FUMBLE.id, f"The point must stay in {shooter.label}'s front arc.")
    return None


CHAPTER = Chapter(
    steps={Bombard: bombard, Land: land, RollCaught: roll_caught},
    judges={POINT: judge_point, FUMBLED_POINT: judge_point},
    answers={
        POINT: "where indirect fire is aimed, [x, y]",
        FUMBLED_POINT: "where the opponent moves a fumbled strike-point, [x, y]",
    },
    states={
        CHAINED: "of a squad: the point of its chain, hit or missed, and who fired first",
        StateName.STRIKE_POINT: "where it fired last, in thousandths, its misses in a row or `hit`, and the turn",
    },
)
