"""Shooting: range bands, one combat roll a weapon, ammo, target-locks and the sub-types of a ranged assault."""

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited, Harm, HarmNoted, Spent, StateChanged
from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.questions import Confirm, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import in_arc
from sandtable.forces.ledger import rule
from sandtable.rulesets.quickstart.attributes import (
    AMMO,
    AMMO_BIN,
    BLASTER,
    IMPROVED_RANGE,
    LIMITED_AMMO,
    SHOCK,
    STRIKE,
)
from sandtable.rulesets.quickstart.combat import (
    DIRECT_PRIMARY,
    IMPOSSIBLE,
    LOST,
    RANGED_PRIMARY,
    RANGED_ROLL,
    lock_modifier,
    own_modifiers,
    summed_up,
    target_modifiers,
)
from sandtable.rulesets.quickstart.concepts import agree, center, distance, in_contact
from sandtable.rulesets.quickstart.damage import (
    PENETRATION,
    RANGED_TABLE,
    STEP_8,
    as_good_as_destroyed,
    damage_factor,
    note_row,
    penetrates,
    ranged_row,
)
from sandtable.rulesets.quickstart.datacard import Weapon, is_infantry, stats, weapons
from sandtable.rulesets.quickstart.dice import NATURAL_CRITICAL, Check, check_roll, plain_roll, target
from sandtable.rulesets.quickstart.sight import FIRING_ARCS, TORSO_TWIST, in_open, line_of_sight, standing_in
from sandtable.rulesets.quickstart.states import own_rolls

RANGED_ASSAULT = rule("quickstart.shooting.ranged-assault")
INTO_CLOSE_COMBAT = rule("quickstart.shooting.into-close-combat")
DIRECT_FIRE = rule("quickstart.shooting.direct-fire")
INDIRECT_FIRE = rule("quickstart.shooting.indirect-fire")
ONE_TYPE = rule("quickstart.shooting.one-type-per-action")
CHOICES = rule("quickstart.shooting.dictator-b-choices")
BANDS = rule("quickstart.shooting.range-bands")
TARGET_POINTS = rule("quickstart.shooting.range-band-target-points")
OUT_OF_RANGE = rule("quickstart.shooting.out-of-range")
POINT_BLANK = rule("quickstart.shooting.point-blank")
MINIMUM_RANGE = rule("quickstart.shooting.minimum-range")
TARGET_LOCK = rule("quickstart.shooting.target-lock")
LOCK_DURATION = rule("quickstart.shooting.target-lock-duration")
GUIDED_MISSILES = rule("quickstart.shooting.guided-missiles")
MOVE_AND_SHOOT = rule("quickstart.shooting.move-and-shoot")
SUB_TYPES = rule("quickstart.shooting.sub-types-not-combined")
DEFENSIVE_LIMITS = rule("quickstart.shooting.defensive-fire-limits")
RUN_N_GUN = rule("quickstart.shooting.run-n-gun")
SALVO = rule("quickstart.shooting.salvo-fire-strike")
IMMOBILE_TARGETS = rule("quickstart.shooting.immobile-targets")
AMMO_CHECK = rule("quickstart.shooting.ammo-check")
AMMO_BIN_USE = rule("quickstart.shooting.ammo-bin")

DIRECT, INDIRECT = "direct-fire", "indirect-fire"
DEFENSIVE, OVER_WATCH, RUNNING, SALVO_FIRE = (
    SUB_TYPES.texts("sub_types")[0],
    "over_watch",
    "run_n_gun",
    "salvo_fire_strike",
)
agree("the sub-types", SUB_TYPES.texts("sub_types"), (DEFENSIVE, RUNNING, SALVO_FIRE, OVER_WATCH))

_BANDS = {
    name: (band.number("up_to_multiple_of_rng"), band.number("target_point"))
    for name, band in TARGET_POINTS.table("bands").items()
}
_IMPROVED = IMPROVED_RANGE.counted("target_points")
_POINT_BLANK_AT, _POINT_BLANK = POINT_BLANK.inches("distance_in"), summed_up("point_blank", POINT_BLANK.number("sm"))
_SALVO = summed_up("salvo", SALVO.number("sm_per_extra_weapon"))
_RUN_N_GUN = summed_up("run_n_gun", RUN_N_GUN.number("primary_roll_sm_per_weapon"))
_BLASTER_FROM = min(BLASTER.numbers("blaster_1", "natural_critical_on"))
_OUT_OF_AMMO = {name: AMMO_CHECK.numbers("out_of_ammo_on", name) for name in AMMO_CHECK.names("out_of_ammo_on")}
agree("running out of ammo", _OUT_OF_AMMO["ammo"], AMMO.numbers("out_of_ammo_on"))
agree("running out of limited ammo", _OUT_OF_AMMO["limited_ammo"], LIMITED_AMMO.numbers("out_of_ammo_on"))
agree("a natural 11 with Blaster", max(BLASTER.numbers("blaster_1", "natural_critical_on")), NATURAL_CRITICAL)


class Shot(msgspec.Struct, frozen=True):
    """One weapon (or one salvo) aimed at one model, in one kind of assault."""

    shooter: str
    target: str
    weapons: tuple[str, ...]  # ids; several only in a salvo
    assault: str = DIRECT
    sub_type: str = ""
    weapons_fired: int = 1  # in the whole assault


class Aim(msgspec.Struct, frozen=True):
    """Everything that decides a shot before the dice: what it needs and what changes the roll."""

    needs: Explanation
    modifiers: tuple[ExplainedPart, ...]
    band: str
    distance: int
    twist: int
    critical_from: int
    critical_die: bool


def range_band(weapon: Weapon, away: int) -> str | None:
    """The band a distance lies in, or none beyond extreme range (quickstart.shooting.range-bands)."""
    for name, (multiple, _) in _BANDS.items():
        if away <= multiple * weapon.range * UNIT:
            return name
    return None


def target_point(weapon: Weapon, band: str) -> Explanation:
    """The target point of a primary combat roll.

    quickstart.shooting.range-band-target-points     6, 7, 8, 9
    quickstart.attributes.improved-range             one lower at long and extreme range
    """
    point = _BANDS[band][1]
    parts = [ExplainedPart(f"{band} range", point, TARGET_POINTS.id)]
    if weapon.has("improved_range") and _IMPROVED[band] != point:
        parts.append(ExplainedPart("improved range", _IMPROVED[band] - point, IMPROVED_RANGE.id))
    return explain("target point", *parts)


def twist_needed(model: Thing, at: Point) -> int | None:
    """By how many degrees the torso must twist to bring a point into the front arc; none where no twist does.

    quickstart.sight.firing-arcs     the front quarter; a border counts for the shooter
    quickstart.sight.torso-twist     up to 90 degrees either way
    """
    start, end = FIRING_ARCS.number("arcs", "front", "from_degrees"), FIRING_ARCS.number("arcs", "front", "to_degrees")
    for degrees in range(TORSO_TWIST.number("max_degrees") + 1):
        for twist in (degrees, -degrees):
            if in_arc(center(model), model.facing + twist, at, start, end):
                return twist
    return None


def is_missile(weapon: Weapon) -> bool:
    """Whether a weapon is a guided missile."""
    return weapon.type == "GM"


def is_indirect(weapon: Weapon) -> bool:
    """Whether a weapon has SA Indirect-Fire."""
    return weapon.has("indirect_fire")


def out_of_ammo(model: Thing) -> tuple[str, ...]:
    """The weapon systems that cannot fire any more."""
    value = model.value("out of ammo")
    return value if isinstance(value, tuple) else ()


def working_weapons(model: Thing) -> dict[str, Weapon]:
    """The weapon systems that have ammunition left."""
    empty = out_of_ammo(model)
    return {name: weapon for name, weapon in weapons(model).items() if name not in empty}


def may_fire_at(model: Thing, weapon: Weapon, victim: Thing, assault: str, lock: str = "") -> Refusal | None:
    """What is known without measuring: whether a weapon may take part in an assault on a target at all.

    quickstart.shooting.direct-fire, quickstart.shooting.indirect-fire    which weapons take part in which
    quickstart.shooting.guided-missiles                                   only at the locked enemy
    quickstart.attributes.strike                                          not at infantry or aircraft
    """
    if is_missile(weapon):
        if victim.id not in (lock, model.value("target-lock")):
            sentence = f"The {weapon.name} needs a target-lock on {victim.label}."
            return Refusal(GUIDED_MISSILES.id, sentence)
    elif assault == DIRECT and is_indirect(weapon):
        return Refusal(INDIRECT_FIRE.id, f"The {weapon.name} fires only in an indirect-fire assault.")
    elif assault == INDIRECT and not is_indirect(weapon):
        return Refusal(ONE_TYPE.id, f"The {weapon.name} fires only in a direct-fire assault.")
    kind = "aircraft" if stats(victim).model_type == "aircraft" else "infantry" if is_infantry(victim) else ""
    if kind and weapon.has("strike") and kind in STRIKE.texts("forbidden_targets"):
        return Refusal(STRIKE.id, f"The {weapon.name} cannot be used against {kind}.")
    return None


def aim(table: Table, shot: Shot) -> Aim | Refusal:
    """What a shot needs, part by part; or why it cannot be made, which is a miss without dice.

    quickstart.combat.impossible-assault-misses    judged weapon by weapon
    """
    shooter, victim = table[shot.shooter], table[shot.target]
    weapon = weapons(shooter)[shot.weapons[0]]
    known = may_fire_at(shooter, weapon, victim, shot.assault)
    if known is not None:
        return known
    if in_contact(shooter, victim):
        return Refusal(RANGED_ASSAULT.id, f"{shooter.label} touches {victim.label}.")
    away = distance(shooter, victim)
    band = _band_or_refusal(weapon, away, shot)
    if isinstance(band, Refusal):
        return band
    twist = twist_needed(shooter, center(victim))
    if twist is None or (twist and not shooter.count("torso twist")):
        return Refusal(FIRING_ARCS.id, f"{victim.label} is out of {shooter.label}'s firing arc.")
    cover: tuple[ExplainedPart, ...]
    if is_missile(weapon) or is_indirect(weapon):
        cover = standing_in(table, victim)
    else:
        line = line_of_sight(table, shooter, victim)
        if line.blocked:
            return Refusal(line.blocked_by, f"{shooter.label} does not see {victim.label}: {line.why}.")
        cover = line.cover
    modifiers = _modifiers(shooter, victim, shot, away, cover)
    return Aim(
        target_point(weapon, band),
        modifiers,
        band,
        away,
        twist,
        _BLASTER_FROM if weapon.has("blaster") else NATURAL_CRITICAL,
        shot.sub_type != DEFENSIVE or DEFENSIVE_LIMITS.flag("critical_die"),
    )


def _band_or_refusal(weapon: Weapon, away: int, shot: Shot) -> str | Refusal:
    if away <= weapon.minimum_range * UNIT:
        nearest = f"The {weapon.name} cannot be used within {weapon.minimum_range}″; the target is {inches(away)} away."
        return Refusal(MINIMUM_RANGE.id, nearest)
    band = range_band(weapon, away)
    if band is None:
        return Refusal(OUT_OF_RANGE.id, f"{inches(away)} is beyond the extreme range of the {weapon.name}.")
    names = list(_BANDS)
    if shot.sub_type == DEFENSIVE and names.index(band) > names.index(DEFENSIVE_LIMITS.text_at("max_band")):
        return Refusal(
            DEFENSIVE_LIMITS.id, f"Defensive fire reaches no farther than long range; {inches(away)} is more."
        )
    return band


def _modifiers(
    shooter: Thing, victim: Thing, shot: Shot, away: int, cover: tuple[ExplainedPart, ...]
) -> tuple[ExplainedPart, ...]:
    roll = DIRECT_PRIMARY if shot.assault == DIRECT else RANGED_PRIMARY
    parts = own_modifiers(shooter, roll)
    parts += lock_modifier(shooter, victim)
    parts += target_modifiers(victim, roll)
    if shot.assault == DIRECT and away <= _POINT_BLANK_AT:
        parts.append(ExplainedPart("point blank", _POINT_BLANK, POINT_BLANK.id))
    if shot.sub_type == SALVO_FIRE:
        parts.append(ExplainedPart("salvo", _SALVO * (len(shot.weapons) - 1), SALVO.id))
    if shot.sub_type == RUNNING:
        parts.append(ExplainedPart("run 'n gun", _RUN_N_GUN * shot.weapons_fired, RUN_N_GUN.id))
    parts += cover
    if shot.sub_type == DEFENSIVE and not DEFENSIVE_LIMITS.flag("plus_modifiers"):
        parts = [part for part in parts if part.value < 0]
    return tuple(parts)


def fire(battle: Battle, shot: Shot, because: int = 0) -> Procedure[None]:
    """Fire one weapon, or one salvo: the combat roll, the ammo check, penetration, shock; harm is noted for Step 8.

    quickstart.combat.lost-assaults      a model already as good as destroyed is not shot at again
    quickstart.combat.ranged-roll        equal or higher hits
    quickstart.combat.natural-two        a fumble misses, and the ammunition is checked
    """
    shooter, victim = battle.table[shot.shooter], battle.table[shot.target]
    weapon = weapons(shooter)[shot.weapons[0]]
    name = " and ".join(shot.weapons)
    if as_good_as_destroyed(battle, shot.target):
        battle.happens(Forfeited(shot.shooter, f"{name} at {victim.label}", rule=LOST.id, because=because))
        return
    aimed = aim(battle.table, shot)
    if isinstance(aimed, Refusal):
        detail: dict[str, int | str | tuple[str, ...]] = {"why": aimed.sentence, "by": aimed.rule}
        battle.happens(
            Forfeited(shot.shooter, f"{name} at {victim.label}", rule=IMPOSSIBLE.id, because=because, detail=detail)
        )
        return
    twist_torso(battle, shot.shooter, aimed.twist)
    check = check_roll(
        battle,
        "combat",
        shot.shooter,
        aimed.needs,
        aimed.modifiers,
        RANGED_ROLL,
        because=because,
        critical_from=aimed.critical_from,
        critical_die=aimed.critical_die,
        succeeded="hit",
        failed="miss",
    )
    if check.fumbled:
        yield from ammo_check(battle, shot.shooter, shot.weapons, check.n)
    if check.succeeds:
        strike(battle, shot.shooter, shot.target, weapon, check)


def strike(battle: Battle, shooter: str, victim: str, weapon: Weapon, check: Check, rav_change: int = 0) -> None:
    """A hit: shock, then penetration and the damage table, noted for Step 8.

    quickstart.damage.penetration     margin + RAV against armor
    quickstart.attributes.shock       even by a hit that armor deflects
    """
    firer, struck = battle.table[shooter], battle.table[victim]
    if weapon.has("shock"):
        shock(battle, struck, weapon, check.n)
    excess = penetrates(check.margin, firer, weapon, struck, rav_change)
    if excess.total < 0:
        battle.happens(
            Declared(
                shooter,
                "deflected",
                (victim,),
                (weapon.id,),
                rule=PENETRATION.id,
                because=check.n,
                detail={"excess": excess.total, "parts": tuple(f"{p.label} {p.value}" for p in excess.parts)},
            )
        )
        return
    row = ranged_row(excess.total, struck)
    factor = damage_factor(battle.table, weapon, struck, in_open(battle.table, struck))
    note_row(battle, victim, row, RANGED_TABLE, check.n, factor=factor)


def shock(battle: Battle, struck: Thing, weapon: Weapon, because: int) -> None:
    """SA Shock: a target-point roll of its rating at once, or suppressed at Step 8 (quickstart.attributes.shock)."""
    needs = target(weapon.rating("shock"), f"shock {weapon.rating('shock')}", SHOCK)
    check = check_roll(battle, "shock", struck.id, needs, own_rolls(struck), SHOCK, because=because)
    if not check.succeeds:
        harm = Harm("state", 0, {"state": SHOCK.text_at("failure")})
        battle.note(HarmNoted(struck.id, harm, STEP_8, rule=SHOCK.id, because=check.n))


def twist_torso(battle: Battle, model: str, degrees: int) -> None:
    """Use the torso twist of this turn, if the shot needs it (quickstart.sight.torso-twist)."""
    if degrees:
        left = battle.table[model].count("torso twist") - 1
        battle.happens(Spent(model, "torso twist", 1, left, rule=TORSO_TWIST.id, detail={"degrees": degrees}))


def ammo_check(battle: Battle, model: str, fired: tuple[str, ...], because: int) -> Procedure[None]:
    """A fumble with an Ammo weapon: 1d6, and it may be empty for good; an ammo bin cancels that once a level.

    quickstart.shooting.ammo-check    1 for Ammo, 1 or 2 for Limited Ammo; all weapons that shared the roll
    quickstart.shooting.ammo-bin      the owner chooses, right after the result
    """
    thing = battle.table[model]
    systems = weapons(thing)
    checked = [name for name in fired if any(systems[name].has(kind) for kind in _OUT_OF_AMMO)]
    if not checked:
        return
    roll = plain_roll(battle, "ammo check", model, AMMO_CHECK.text_at("roll"), AMMO_CHECK, because=because)
    empty = [
        name
        for name in checked
        if roll in _OUT_OF_AMMO["limited_ammo" if systems[name].has("limited_ammo") else "ammo"]
    ]
    if not empty:
        return
    bins = thing.count("ammo bin")
    if bins:
        use = yield Confirm(
            thing.side,
            f"{thing.label}'s {' and '.join(empty)} is out of ammo. Use the ammo bin?",
            topic="ammo-bin",
            about=(model,),
            rules=(AMMO_BIN_USE.id, AMMO_BIN.id),
            yes="The result is ignored; the bin is used up",
            no="The weapon cannot fire any more",
        )
        if use:
            battle.happens(Spent(model, "ammo bin", 1, bins - 1, rule=AMMO_BIN_USE.id, because=because))
            return
    before = out_of_ammo(thing)
    battle.happens(
        StateChanged(
            model, "out of ammo", before or None, (*before, *empty), "game", rule=AMMO_CHECK.id, because=because
        )
    )


def lock_on(battle: Battle, model: str, enemy: str) -> None:
    """The Target-Lock Action: no roll, no range, no sight needed; an older lock is replaced.

    quickstart.shooting.target-lock             one lock at a time
    quickstart.shooting.target-lock-duration    until the next activation begins
    """
    before = battle.table[model].value("target-lock")
    battle.happens(StateChanged(model, "target-lock", before, enemy, "its next activation begins", rule=TARGET_LOCK.id))
