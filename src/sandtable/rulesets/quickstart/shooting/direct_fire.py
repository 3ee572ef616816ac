"""Shooting: range bands, one combat roll a weapon, ammo, target-locks and the sub-types of a ranged assault."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Forfeited, Harm, HarmNoted, Spent
from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import Confirm, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.damage import as_good_as_lost
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, fumbled, target
from sandtable.rulesets.cav.shooting import Bands, tell_of_hit
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.quickstart.attributes import (
    AMMO,
    AMMO_BIN,
    AS_PRINTED,
    BLASTER,
    IMPROVED_RANGE,
    LIMITED_AMMO,
    SHOCK,
    STRIKE,
)
from sandtable.rulesets.quickstart.attributes import INDIRECT_FIRE as INDIRECT_ONLY
from sandtable.rulesets.quickstart.combat import (
    AGAINST,
    COMBAT_ROLL,
    DIRECT_PRIMARY,
    IMPOSSIBLE,
    LOCKED_ON,
    LOST,
    NATURAL_TWELVE,
    NATURAL_TWO,
    OWN,
    PRIMARY_AND_SECONDARY,
    RANGED_PRIMARY,
    RANGED_ROLL,
    rolls_of,
    summed_up,
)
from sandtable.rulesets.quickstart.concepts import distance, in_contact
from sandtable.rulesets.quickstart.damage import (
    INDEX,
    PENETRATION,
    RANGED_TABLE,
    STEP_8,
    Row,
    damage_factor,
    note_row,
    penetrates,
    ranged_index,
    ranged_row,
)
from sandtable.rulesets.quickstart.datacard import Weapon, catalogue, stats, systems_of, weapons
from sandtable.rulesets.quickstart.dice import check_roll, plain_roll
from sandtable.rulesets.quickstart.sight import (
    FIRING_ARCS,
    MISSILES,
    TORSO_TWIST,
    TWISTED,
    VALUE,
    line_of_sight,
    standing_in,
    twist_to_make,
)
from sandtable.rulesets.quickstart.sight import twist_needed as twist_needed
from sandtable.rulesets.quickstart.state_names import CountName, StateName, Until
from sandtable.rulesets.quickstart.states import UNSTEADY
from sandtable.rulesets.quickstart.weapons import RULE_OF as ENTRY_OF
from sandtable.tabletop.checks import Thrown
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.states import give, take

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
same_number("the sub-types", SUB_TYPES.texts("sub_types"), (DEFENSIVE, RUNNING, SALVO_FIRE, OVER_WATCH))

_BANDS = {
    name: (band.number("up_to_multiple_of_rng"), band.number("target_point"))
    for name, band in TARGET_POINTS.table("bands").items()
}
_RANGES = Bands({name: multiple for name, (multiple, _) in _BANDS.items()})
_IMPROVED = IMPROVED_RANGE.counted("target_points")
_POINT_BLANK_AT, _POINT_BLANK = POINT_BLANK.inches("distance_in"), summed_up("point_blank", POINT_BLANK.number("sm"))
_SALVO = summed_up("salvo", SALVO.number("sm_per_extra_weapon"))
_RUN_N_GUN = summed_up("run_n_gun", RUN_N_GUN.number("primary_roll_sm_per_weapon"))
_BLASTER_FROM = min(BLASTER.numbers("blaster_1", "natural_critical_on"))
_OUT_OF_AMMO = {name: AMMO_CHECK.numbers("out_of_ammo_on", name) for name in AMMO_CHECK.names("out_of_ammo_on")}
same_number("running out of ammo", _OUT_OF_AMMO["ammo"], AMMO.numbers("out_of_ammo_on"))
same_number("running out of limited ammo", _OUT_OF_AMMO["limited_ammo"], LIMITED_AMMO.numbers("out_of_ammo_on"))
same_number("a natural 11 with Blaster", max(BLASTER.numbers("blaster_1", "natural_critical_on")), NATURAL_CRITICAL)


for _kind, _value in VALUE.items():
    summed_up(f"{_kind}_cover", _value)
for _weapon in catalogue()["dictator-b"].stats.weapons:
    same_number(
        f"the bands of the {_weapon.name}",
        {"over": _weapon.minimum_range, **{name: at * _weapon.range for name, (at, _) in _BANDS.items()}},
        TARGET_POINTS.counted("dictator_b_limits", _weapon.id.replace("-", "_")),
    )


class Shot(msgspec.Struct, frozen=True):
    """One weapon (or one salvo) aimed at one model, in one kind of assault."""

    shooter: str
    target: str
    weapons: tuple[str, ...]  # ids; several only in a salvo
    assault: str = DIRECT
    sub_type: str = ""
    weapons_fired: int = 1  # in the whole assault


class Firing(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a combat roll of a ranged assault."""

    shot: Shot
    away: int


#: What changes the combat roll of a shot, cover apart, in the order in which it is told.
MODIFIERS: tuple[Modifier[Firing], ...] = (
    *OWN,
    *LOCKED_ON,
    *AGAINST,
    Modifier(POINT_BLANK, "point blank", _POINT_BLANK, rolls_of("point_blank"), lambda s: s.away <= _POINT_BLANK_AT),
    Modifier(
        SALVO,
        "salvo",
        lambda s: _SALVO * (len(s.shot.weapons) - 1),
        rolls_of("salvo"),
        lambda s: s.shot.sub_type == SALVO_FIRE,
    ),
    Modifier(
        RUN_N_GUN,
        "run 'n gun",
        lambda s: _RUN_N_GUN * s.shot.weapons_fired,
        rolls_of("run_n_gun"),
        lambda s: s.shot.sub_type == RUNNING,
    ),
)


class Aim(msgspec.Struct, frozen=True):
    """Everything that decides a shot before the dice: what it needs and what changes the roll."""

    needs: Explanation
    modifiers: tuple[ExplainedPart, ...]
    band: str
    distance: int
    twist: int
    critical_from: int
    critical_die: bool
    rules: tuple[str, ...]  # that distance, arc and sight were judged by


def range_band(weapon: Weapon, away: int) -> str | None:
    """The band a distance lies in, or none beyond extreme range (quickstart.shooting.range-bands)."""
    return _RANGES.band(weapon, away)


def band_ends(weapon: Weapon) -> dict[str, int]:
    """The end of each band of a weapon, the nearest first (quickstart.shooting.range-bands)."""
    return _RANGES.ends(weapon)


def farthest(weapon: Weapon) -> int:
    """The end of extreme range."""
    return _RANGES.farthest(weapon)


def turning_points(weapon: Weapon, assault: str = DIRECT) -> set[int]:
    """The distances up to which a weapon fires alike: its least range, point blank, and the end of each band."""
    ends = {multiple * weapon.range * UNIT for multiple, _ in _BANDS.values()}
    return ends | {weapon.minimum_range * UNIT} | ({_POINT_BLANK_AT} if assault == DIRECT else set())


def target_point(weapon: Weapon, band: str) -> Explanation:
    """The target point of a primary combat roll.

    quickstart.shooting.range-band-target-points     6, 7, 8, 9
    quickstart.attributes.improved-range             one lower at long and extreme range
    """
    point = _BANDS[band][1]
    found = [ExplainedPart(f"{band} range", point, TARGET_POINTS.id)]
    if weapon.has("improved_range") and _IMPROVED[band] != point:
        found.append(ExplainedPart("improved range", _IMPROVED[band] - point, IMPROVED_RANGE.id))
    return explain("target point", *found)


def is_missile(weapon: Weapon) -> bool:
    """Whether a weapon is a guided missile."""
    return weapon.type == "GM"


def is_indirect(weapon: Weapon) -> bool:
    """Whether a weapon has SA Indirect-Fire."""
    return weapon.has("indirect_fire")


def out_of_ammo(model: Thing) -> tuple[str, ...]:
    """The weapon systems that cannot fire any more."""
    return model.words(StateName.OUT_OF_AMMO)


def working_weapons(model: Thing) -> Mapping[str, Weapon]:
    """The weapon systems that have ammunition left."""
    if StateName.OUT_OF_AMMO not in model.states:
        return weapons(model)
    empty = out_of_ammo(model)
    return {name: weapon for name, weapon in weapons(model).items() if name not in empty} if empty else weapons(model)


class Arms(NamedTuple):
    """The weapon systems that have ammunition left, sorted."""

    weapons: tuple[Weapon, ...]
    unguided: tuple[Weapon, ...]  # all but missiles, which need a lock
    has_gun: bool  # one that fires straight and needs no lock
    has_missile: bool
    has_rocket: bool  # one that fires indirectly


def arms(model: Thing) -> Arms:
    """The weapons a model can fire now, by what they are; sorted once for each card and what is empty."""
    return arms_of(model.card, out_of_ammo(model))


@lru_cache(maxsize=1024)
def arms_of(card: str, empty: tuple[str, ...]) -> Arms:
    """The weapons of a card but for those that are empty, by what they are."""
    ready = tuple(weapon for name, weapon in systems_of(card).items() if name not in empty)
    return Arms(
        ready,
        tuple(weapon for weapon in ready if not is_missile(weapon)),
        any(not is_missile(weapon) and not is_indirect(weapon) for weapon in ready),
        any(is_missile(weapon) for weapon in ready),
        any(is_indirect(weapon) for weapon in ready),
    )


@lru_cache(maxsize=1024)
def no_weapon_for(
    label: str, card: str, empty: tuple[str, ...], assault: str = "", locks: bool = True
) -> Refusal | None:
    """Why none of a card's weapons can fire in an assault of a kind (or of any kind), or none where one can.

    quickstart.shooting.ammo-check          those it has for that are out of ammo
    quickstart.shooting.guided-missiles     it has only missiles for that, and no lock is declared before them
    quickstart.shooting.direct-fire, quickstart.shooting.indirect-fire    it has none for that
    """
    fit = [
        (name, weapon)
        for name, weapon in systems_of(card).items()
        if not assault or is_missile(weapon) or fits(weapon, assault) is None
    ]
    ready = [weapon for name, weapon in fit if name not in empty]
    if any(locks or not is_missile(weapon) for weapon in ready):
        return None
    how = {DIRECT: " in direct fire", INDIRECT: " in indirect fire"}.get(assault, "")
    locked = f"the {ready[0].name} needs a target-lock" if ready else ""
    if any(name in empty and not (ready and is_missile(weapon)) for name, weapon in fit):
        others = f"; {locked}" if ready else ""
        return Refusal(AMMO_CHECK.id, f"What {label} could fire{how} is out of ammo{others}.")
    if ready:
        return Refusal(GUIDED_MISSILES.id, f"{locked.capitalize()} before {label} can fire{how}.")
    none = {DIRECT: DIRECT_FIRE, INDIRECT: INDIRECT_FIRE}.get(assault, RANGED_ASSAULT)
    return Refusal(none.id, f"{label} has no weapon that fires{how}.")


def is_empty(weapon: Weapon) -> Refusal:
    """Why a weapon that is out of ammo does not fire: the check and the special ability by which it ran out."""
    ability = {"ammo": AMMO, "limited_ammo": LIMITED_AMMO}
    more = tuple(one.id for name, one in ability.items() if weapon.has(name))
    return Refusal(AMMO_CHECK.id, f"The {weapon.name} is out of ammo.", more)


def fits(weapon: Weapon, assault: str) -> Refusal | None:
    """Why a weapon that is no missile takes no part in an assault of a kind, or none."""
    if assault == DIRECT and is_indirect(weapon):
        words = f"The {weapon.name} fires only in an indirect-fire assault."
        return Refusal(
            INDIRECT_FIRE.id, words, (INDIRECT_ONLY.id, DIRECT_FIRE.id, ONE_TYPE.id, CHOICES.id, *entry(weapon))
        )
    if assault == INDIRECT and not is_indirect(weapon):
        words = f"The {weapon.name} fires only in a direct-fire assault."
        return Refusal(INDIRECT_FIRE.id, words, (ONE_TYPE.id, CHOICES.id, *entry(weapon)))
    return None


def entry(weapon: Weapon) -> tuple[RuleId, ...]:
    """The printed entry of a weapon, which says in which assaults it is used and whether it needs a lock."""
    return (ENTRY_OF[weapon.id].id,) if weapon.id in ENTRY_OF else ()


def may_fire_at(model: Thing, weapon: Weapon, victim: Thing, assault: str, lock: str = "") -> Refusal | None:
    """What is known without measuring: whether a weapon may take part in an assault on a target at all.

    quickstart.shooting.direct-fire, quickstart.shooting.indirect-fire    which weapons take part in which
    quickstart.shooting.guided-missiles                                   only at the locked enemy
    quickstart.attributes.strike                                          not at infantry or aircraft
    """
    if is_missile(weapon):
        if victim.id not in (lock, model.value(StateName.TARGET_LOCK)):
            sentence = f"The {weapon.name} needs a target-lock on {victim.label}."
            kind = DIRECT_FIRE if assault == DIRECT else INDIRECT_FIRE
            return Refusal(GUIDED_MISSILES.id, sentence, (kind.id, *entry(weapon)))
    else:
        refusal = fits(weapon, assault)
        if refusal is not None:
            return refusal
    if weapon.has("strike") and no_target_of_strikes(victim):
        return Refusal(STRIKE.id, f"The {weapon.name} cannot be used against {stats(victim).model_type}.")
    return None


def no_target_of_strikes(model: Thing) -> bool:
    """Whether SA Strike cannot be used against a model (quickstart.attributes.strike)."""
    return stats(model).model_type in STRIKE.texts("forbidden_targets")


def spared_by_strikes(table: Table, side: Side) -> bool:
    """Whether some enemy of a side cannot be struck by SA Strike; kept until one comes or goes or moves."""
    key = ("spared by strikes", side)
    found: bool | None = table.posture.get(key)
    if found is None:
        found = table.posture[key] = any(no_target_of_strikes(foe) for foe in table.enemies_of(side))
    return found


def aim(table: Table, shot: Shot) -> Aim | Refusal:
    """What a shot needs, part by part; or why it cannot be made, which is a miss without dice.

    quickstart.combat.impossible-assault-misses    judged weapon by weapon
    """
    weapon = weapons(table[shot.shooter])[shot.weapons[0]]
    # Two weapons alike fire alike, as long as nothing comes between them.
    kind = (shot.shooter, shot.target, weapon.name, shot.assault, shot.sub_type, len(shot.weapons), shot.weapons_fired)
    key = ("aim", *kind)
    found: Aim | Refusal | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = _aim(table, shot, weapon)
    return found


def _aim(table: Table, shot: Shot, weapon: Weapon) -> Aim | Refusal:
    shooter, victim = table[shot.shooter], table[shot.target]
    known = may_fire_at(shooter, weapon, victim, shot.assault)
    if known is not None:
        return known
    if in_contact(shooter, victim):
        return Refusal(RANGED_ASSAULT.id, f"{shooter.label} touches {victim.label}.")
    away = _away(table, shooter, victim)
    band = band_or_refusal(weapon, away, shot)
    if isinstance(band, Refusal):
        return band
    twist = twist_to_make(shooter, center(victim))
    if twist is None:
        return Refusal(FIRING_ARCS.id, f"{victim.label} is out of {shooter.label}'s firing arc.")
    cover: tuple[ExplainedPart, ...]
    rules: tuple[str, ...] = (MISSILES.id,)
    if is_missile(weapon):
        cover = standing_in(table, victim)
    else:
        line = line_of_sight(table, shooter, victim)
        if line.blocked:
            return Refusal(line.blocked_by, f"{shooter.label} does not see {victim.label}: {line.why}.")
        cover, rules = line.cover, line.rules
    modifiers = modifiers_of(shooter, victim, shot, away, cover)
    return Aim(
        target_point(weapon, band),
        modifiers,
        band,
        away,
        twist,
        *critical_of(weapon, shot.sub_type),
        (BANDS.id, FIRING_ARCS.id, *rules),
    )


def _away(table: Table, shooter: Thing, victim: Thing) -> int:
    """How far it is from one model of the table to another; measured once for all weapons of an assault."""
    key = ("away", shooter.id, victim.id)
    found: int | None = table.posture.get(key)
    if found is None:
        found = table.posture[key] = distance(shooter, victim)
    return found


def critical_of(weapon: Weapon, sub_type: str) -> tuple[int, bool]:
    """From which natural on a shot is a critical success, and whether that adds a die.

    quickstart.attributes.blaster                 from a natural 11
    quickstart.shooting.defensive-fire-limits     no extra die
    """
    critical_from = _BLASTER_FROM if weapon.has("blaster") else NATURAL_CRITICAL
    return critical_from, sub_type != DEFENSIVE or DEFENSIVE_LIMITS.flag("critical_die")


def band_or_refusal(weapon: Weapon, away: int, shot: Shot) -> str | Refusal:
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


def modifiers_of(
    shooter: Thing, victim: Thing, shot: Shot, away: int, cover: tuple[ExplainedPart, ...]
) -> tuple[ExplainedPart, ...]:
    """What changes the roll of a shot; nothing helps defensive fire (quickstart.shooting.defensive-fire-limits)."""
    roll = DIRECT_PRIMARY if shot.assault == DIRECT else RANGED_PRIMARY
    found = (*parts(MODIFIERS, roll, Firing(shooter, victim, shot=shot, away=away)), *cover)
    if shot.sub_type == DEFENSIVE and not DEFENSIVE_LIMITS.flag("plus_modifiers"):
        return tuple([part for part in found if part.value < 0])
    return found


def fire(battle: Battle, shot: Shot, because: int = 0) -> Procedure[None]:
    """Fire one weapon, or one salvo: the combat roll, the ammo check, penetration, shock; harm is noted for Step 8.

    quickstart.combat.lost-assaults      a model already as good as destroyed is not shot at again
    quickstart.combat.ranged-roll        equal or higher hits
    quickstart.combat.natural-two        a fumble misses, and the ammunition is checked
    """
    shooter, victim = battle.table[shot.shooter], battle.table[shot.target]
    weapon = weapons(shooter)[shot.weapons[0]]
    name = " and ".join(shot.weapons)
    if as_good_as_lost(battle, shot.target):
        battle.happens(Forfeited(shot.shooter, f"{name} at {victim.label}", rule=LOST.id, because=because))
        return
    aimed = aim(battle.table, shot)
    if isinstance(aimed, Refusal):
        battle.happens(missed(shot.shooter, f"{name} at {victim.label}", aimed, because))
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
        critical=NATURAL_TWELVE,
        widened=BLASTER,
        fumble=NATURAL_TWO,
        detail=_measured(aimed),
        succeeded="hit",
        failed="miss",
        alike=lambda margin: row_of_hit(margin, shooter, weapon, victim),
    )
    if fumbled(check):
        yield from ammo_check(battle, shot.shooter, shot.weapons, check.n)
    if check.succeeds:
        strike(battle, shot.shooter, shot.target, weapon, check)


def missed(shooter: str, what: str, refusal: Refusal, because: int = 0) -> Forfeited:
    """A weapon that cannot fire as declared misses without dice (quickstart.combat.impossible-assault-misses)."""
    detail: Detail = {"why": refusal.sentence, "rule": refusal.rule}
    return Forfeited(shooter, what, rule=IMPOSSIBLE.id, because=because, detail=detail)


def _measured(aimed: Aim) -> Detail:
    """What was measured for a shot, for whoever reads the roll."""
    rules = (*aimed.rules, PRIMARY_AND_SECONDARY.id, COMBAT_ROLL.id)
    return {"distance": aimed.distance, "band": aimed.band, "roll": "primary", "rules": rules}


def strike(battle: Battle, shooter: str, victim: str, weapon: Weapon, check: Thrown, smart: str = AS_PRINTED) -> None:
    """A hit: shock, then penetration and the damage table, noted for Step 8.

    quickstart.damage.penetration     margin + RAV against armor
    quickstart.damage.damage-index    the row of the table is the excess over armor, lowered by SA Reinforced
    quickstart.attributes.shock       even by a hit that armor deflects
    """
    firer, struck = battle.table[shooter], battle.table[victim]
    if weapon.has("shock"):
        shock(battle, struck, weapon, check.n)
    excess = penetrates(check.margin, firer, weapon, struck, smart)
    if excess.total < 0:
        tell_of_hit(battle, shooter, victim, weapon.id, "deflected", PENETRATION, excess, check.n)
        return
    index = ranged_index(excess, struck)
    n = tell_of_hit(battle, shooter, victim, weapon.id, "penetrated", INDEX, index, check.n)
    factor = damage_factor(battle.table, weapon, struck)
    note_row(battle, victim, ranged_row(index.total), RANGED_TABLE, n, factor=factor)


def row_of_hit(margin: int, shooter: Thing, weapon: Weapon, victim: Thing, smart: str = AS_PRINTED) -> Row | None:
    """What a hit comes to: a row of the damage table, or nothing where armor deflects it."""
    excess = penetrates(margin, shooter, weapon, victim, smart)
    return None if excess.total < 0 else ranged_row(ranged_index(excess, victim).total)


def shock(battle: Battle, struck: Thing, weapon: Weapon, because: int) -> None:
    """SA Shock: a target-point roll of its rating at once, or suppressed at Step 8 (quickstart.attributes.shock)."""
    needs = target(weapon.rating("shock"), f"shock {weapon.rating('shock')}", SHOCK)
    added = parts(UNSTEADY, "shock", Rolling(struck))
    check = check_roll(battle, "shock", struck.id, needs, added, SHOCK, because=because, alike=lambda margin: True)
    if not check.succeeds:
        harm = Harm("state", 0, {"state": SHOCK.text_at("failure")})
        battle.note(HarmNoted(struck.id, harm, STEP_8, rule=SHOCK.id, because=check.n))


def twist_torso(battle: Battle, model: str, degrees: int) -> None:
    """Use the torso twist of this turn, if the shot needs it and it is not twisted (quickstart.sight.torso-twist)."""
    thing = battle.table[model]
    if degrees and not thing.has(TWISTED):
        left = thing.count(CountName.TORSO_TWIST) - 1
        n = battle.happens(Spent(model, CountName.TORSO_TWIST, 1, left, rule=TORSO_TWIST.id))
        give(battle, model, TWISTED, TORSO_TWIST, degrees, until=Until.END_OF_ASSAULT, because=n)


def end_of_assault(battle: Battle) -> None:
    """Torsos turn back to the front: a twist lasts for one assault (quickstart.sight.torso-twist)."""
    for model in battle.table.standing():
        if TWISTED in model.states:
            take(battle, model.id, TWISTED, TORSO_TWIST)


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

    def emptied(roll: int) -> tuple[str, ...]:
        kinds = ((name, "limited_ammo" if systems[name].has("limited_ammo") else "ammo") for name in checked)
        return tuple(name for name, kind in kinds if roll in _OUT_OF_AMMO[kind])

    dice = AMMO_CHECK.text_at("roll")
    empty = emptied(plain_roll(battle, "ammo check", model, dice, AMMO_CHECK, because=because, into=emptied))
    if not empty:
        return
    bins = thing.count(CountName.AMMO_BIN)
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
            battle.happens(Spent(model, CountName.AMMO_BIN, 1, bins - 1, rule=AMMO_BIN_USE.id, because=because))
            return
    all_empty = (*out_of_ammo(thing), *empty)
    give(battle, model, StateName.OUT_OF_AMMO, AMMO_CHECK, all_empty, until=Until.GAME, because=because)


def lock_on(battle: Battle, model: str, enemy: str) -> None:
    """The Target-Lock Action: no roll, no range, no sight needed; an older lock is replaced.

    quickstart.shooting.target-lock             one lock at a time
    quickstart.shooting.target-lock-duration    until the next activation begins
    """
    give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, enemy, until=Until.NEXT_ACTIVATION)
