"""Aiming: arcs, range bands, what changes the number of a direct-fire Combat Roll, and why a weapon cannot fire."""

from collections.abc import Sequence

import msgspec

from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL
from sandtable.rulesets.cav.shooting import Bands
from sandtable.rulesets.cav.sight import Arc, bears, twist_into
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.attributes import (
    AMMO,
    ASSAULT,
    BLASTER,
    CHAMELEON,
    IMPROVED_RANGE,
    LARGE_PROFILE,
    LIMITED_AMMO,
    OVERHEAT,
    OVERLOAD,
    WEAPON_TYPE,
    WIZZO,
)
from sandtable.rulesets.strikeops.attributes import MINIMUM_RANGE as MINIMUM_ATTRIBUTE
from sandtable.rulesets.strikeops.changes import COMBAT, changes, spelled
from sandtable.rulesets.strikeops.damage import TARGETING, WEAPON_CRITICALS
from sandtable.rulesets.strikeops.datacard import System, Weapon, is_cav, is_infantry, is_quad, rating, rav, weapons
from sandtable.rulesets.strikeops.rows import special
from sandtable.rulesets.strikeops.sight import POP_UP, UNDER_WATER, distance, line_of_sight
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.rulesets.strikeops.states import (
    DOUBLE_TIME,
    KNOCKDOWN,
    STATIONARY_ATTACKER,
    STATIONARY_DEFENDER,
    UNSTEADY,
    WHICH_ROLLS,
)
from sandtable.tabletop.modifiers import Modifier, parts

COMBAT_ACTION = rule("strikeops.shooting.combat-action")
DECLARING = rule("strikeops.shooting.declaring-an-attack")
DIRECT_FIRE = rule("strikeops.shooting.direct-fire")
ARCS = rule("strikeops.shooting.firing-arcs")
CAV_ARCS = rule("strikeops.shooting.arcs-of-cavs")
TORSO_TWIST = rule("strikeops.shooting.torso-twist")
QUAD_ARCS = rule("strikeops.shooting.arcs-of-quads-and-vehicles")
TURRETS = rule("strikeops.shooting.turret-mounts")
BANDS = rule("strikeops.shooting.range-bands")
MEASURING = rule("strikeops.shooting.measuring-range")
CENTRES = rule("strikeops.concepts.measuring")
OUT_OF_RANGE = rule("strikeops.shooting.out-of-range")
TARGET_POINTS = rule("strikeops.shooting.band-target-points")
MIXED = rule("strikeops.shooting.mixed-weapon-types")
MIXED_OUT = rule("strikeops.shooting.mixed-weapons-out-of-range")
BACK_ARC = rule("strikeops.shooting.back-arc")
POINT_BLANK = rule("strikeops.shooting.point-blank")
MINIMUM_RANGE = rule("strikeops.shooting.minimum-range")
LIST = rule("strikeops.shooting.direct-fire-modifiers")
OPTIONS = rule("strikeops.shooting.attack-options")
NOT_COMBINED = rule("strikeops.shooting.options-not-combined")
RUN_N_GUN = rule("strikeops.shooting.run-n-gun")
#: The Move Actions of a Run 'N Gun.
RUN_MOVES = len(OPTIONS.texts("run_n_gun", "made_of")) - 1
DEFENSIVE_WEAPONS = rule("strikeops.shooting.defensive-fire-weapons")
SALVO = rule("strikeops.shooting.salvo-fire")
SAME_TYPE = rule("strikeops.shooting.salvo-fire-same-type")
MIXED_SIZES = rule("strikeops.shooting.salvo-fire-mixed-sizes")
SALVO_INDIRECT = rule("strikeops.shooting.salvo-fire-indirect")
ONE_KIND = rule("strikeops.shooting.one-kind-of-fire")
AT_A_POINT = rule("strikeops.indirect.weapons")
INDIRECT_FIRE = rule("strikeops.attributes-weapon.indirect-fire")
FAMILIES = rule("strikeops.weapons.families")
MULTIPLE = rule("strikeops.shooting.multiple-targets")
MULTIPLE_RANGE = rule("strikeops.shooting.multiple-targets-range")
TURRET_ROTATION = rule("strikeops.shooting.turret-rotation")
ON_WEAPON = rule("strikeops.attributes.model-attribute-on-weapon")
STAT_LINE = rule("strikeops.weapons.stat-line")
MISSILES = rule("strikeops.weapons.guided-missile-lock")
FORBIDDEN_TARGETS = rule("strikeops.weapons.no-air-or-infantry-targets")
FREE = rule("strikeops.actions.free-actions")
LOCK_BENEFITS = rule("strikeops.actions.target-lock-benefits")
OTHER_LOCK = rule("strikeops.actions.target-lock-on-another-target")
AREA = rule("strikeops.weapons.rotary-autocannon-area")

MISSILE = "guided_missile"
_ARCS: dict[str, Arc] = {
    name: (ARCS.number(name, "from_degrees"), ARCS.number(name, "to_degrees"))
    for name in ("front", "right", "left", "back")
}
#: The mounts that fire into an arc of their own name.
_MOUNTED = {"F": "front", "B": "back", "L": "left", "R": "right"}
_TO_FRONT, _TO_BACK = CAV_ARCS.texts("mounts_to_front"), CAV_ARCS.texts("mounts_to_back")
_ALL_ROUND = "T"
same_number("Assault of a weapon", "assault" in ON_WEAPON.texts("to_that_weapon_only"), True)
same_number("the bands", BANDS.counted("band_end_in_multiples_of_rng"), STAT_LINE.counted("bands"))
_RANGES = Bands(BANDS.counted("band_end_in_multiples_of_rng"))
_NEEDS = TARGET_POINTS.counted("combat_roll")
_NAMES = tuple(_NEEDS)
same_number("the bands", _NAMES, tuple(_RANGES.multiples))
same_number("a weapon out of range", MIXED_OUT.number("combat_roll"), _NEEDS[_NAMES[-1]])
_POINT_BLANK = POINT_BLANK.inches("inches")
_LISTED = {one.text_at("situation"): one.number("sm") for one in LIST.items("modifiers")}
for _situation, _value in (
    ("critical hit on attacker, weapon systems crippled", WEAPON_CRITICALS.number("crippled")),
    ("critical hit on attacker, weapon systems damaged", WEAPON_CRITICALS.number("damaged")),
    ("defender in double-time", DOUBLE_TIME.number("attacker_sm")),
    ("back arc of a non-infantry defender", BACK_ARC.number("sm")),
    ("attacker stationary", STATIONARY_ATTACKER.number("own_rolls_sm")),
    ("defender stationary", STATIONARY_DEFENDER.number("attacker_sm")),
    ("point-blank, 3 inches or less, non-infantry attacker", POINT_BLANK.number("sm")),
    ("SA Adv Targeting Computer with target-lock", LOCK_BENEFITS.number("adv_targeting_computer", "sm_per_rating")),
    ("SA Large Sensor Profile (defender)", LARGE_PROFILE.number("target_modifier_per_level")),
    ("SA Wizzo (attacker)", WIZZO.number("target_modifier")),
    ("defender knocked down", KNOCKDOWN.number("attacker_sm")),
    ("multiple targets", OTHER_LOCK.number("sm")),
    ("multiple targets", MULTIPLE.number("sm_per_additional_target")),
    ("salvo fire", SALVO.number("sm_per_additional_weapon")),
    ("run 'n gun", RUN_N_GUN.number("sm_per_weapon")),
    ("defensive fire", DEFENSIVE_WEAPONS.number("sm")),
):
    same_number(f"the modifier for {_situation}", _LISTED[_situation], _value)
_HIDDEN = CHAMELEON.items("modifiers")
same_number("where CHAMELEON hides better", _HIDDEN[0].inches("max"), _HIDDEN[1].inches("above"))


#: The rules of the attributes that are no help in defensive fire.
_NO_HELP = tuple(special().attributes[name].entries[0].id for name in DEFENSIVE_WEAPONS.texts("excluded_modifiers"))


#: The rule of each type of weapon whose rules are still to come.
_LATER = {family: row.entries[0].id for family, row in special().weapons.items() if row.how == "later"}


class Aimed(msgspec.Struct, frozen=True):
    """What some weapons of an attack are aimed at: a model, or a strike-point."""

    target: str
    weapons: tuple[str, ...]
    point: Point | None = None


class Attack(msgspec.Struct, frozen=True):
    """An attack of one model at one target or strike-point, with some weapons, in the order declared."""

    shooter: str
    target: str
    weapons: tuple[str, ...]
    overdrive: bool = False
    salvo: bool = False
    point: Point | None = None  # of indirect fire: where it is aimed, in place of a target
    smart: tuple[str, ...] = ()  # weapons that are fired with a SMART option, each as `weapon option`
    running: bool = False
    defensive: bool = False
    at_once: bool = False  # its harm takes effect at once
    caught: str = ""  # the declared target in whose area its target stands
    aims: tuple[Aimed, ...] = ()  # all that is attacked in the same Combat Action, where it is more than one
    pop_up: bool = False
    chained: bool = False
    inspired: tuple[str, ...] = ()  # the rolls that are (strikeops.command.inspire)
    locks: str | tuple[str, ...] = ""  # what it locks after the attack, a model or a point

    @property
    def more_targets(self) -> int:
        """How many targets there are beyond the first (strikeops.shooting.multiple-targets)."""
        return max(0, len(self.aims) - 1)

    def locked_elsewhere(self, shooter: Thing) -> bool:
        """Whether its shooter locks something in the same activation that it does not attack, before or after.

        strikeops.actions.target-lock-on-another-target    a reaction is made in another's activation
        """
        lock = self.locks or shooter.value(StateName.TARGET_LOCK)
        if self.defensive or self.at_once or lock is None:
            return False
        aims = [one.target for one in self.aims] or [self.caught or self.target]
        return lock not in [*aims, *(spelled(one) for one in (self.point, *(a.point for a in self.aims)) if one)]

    @property
    def fired(self) -> tuple[str, ...]:
        """All weapons of the Combat Action."""
        return tuple(name for aim in self.aims for name in aim.weapons) if self.aims else self.weapons


class AtSomebody(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a roll against somebody."""

    foe: Thing


class Firing(AtSomebody, frozen=True, kw_only=True):
    """What decides which modifiers count on a direct-fire Combat Roll."""

    away: int
    salvo: int = 1  # weapons fired as one
    running: int = 0  # what Run 'N Gun adds
    defensive: bool = False
    more_targets: int = 0
    elsewhere: bool = False  # it is locked on something that it does not attack


class Aim(msgspec.Struct, frozen=True):
    """Everything that decides a shot before the dice."""

    needs: Explanation
    modifiers: tuple[ExplainedPart, ...]
    band: str
    distance: int
    critical_from: int
    rules: tuple[str, ...]  # that distance, arc and sight were judged by


def arc_of(model: Thing, point: Point, twist: int = 0) -> str:
    """The arc of a model that holds a point; on a line front comes before side, and side before back."""
    here, facing = center(model), model.facing + twist
    return next(name for name, arc in _ARCS.items() if bears(here, facing, point, (arc,)))


def bears_on(model: Thing, system: System, point: Point) -> bool:
    """Whether a weapon may fire at a point.

    strikeops.shooting.arcs-of-cavs                 F, L and R into the front arc, twisted as far as need be; B back
    strikeops.shooting.arcs-of-quads-and-vehicles   each mount into its own arc
    strikeops.shooting.turret-mounts                T all round
    """
    if system.mount == _ALL_ROUND:
        return True
    if is_cav(model) and not is_quad(model):
        if system.mount in _TO_BACK:
            return arc_of(model, point) == "back"
        front = (_ARCS["front"],)
        most = TORSO_TWIST.number("max_degrees")
        here = center(model)
        return bears(here, model.facing, point, front) or twist_into(here, model.facing, point, front, most) is not None
    return arc_of(model, point) == _MOUNTED[system.mount]


def front_arcs(model: Thing) -> tuple[Arc, ...]:
    """What the forward weapons of a model bear on: of two legs with its torso twisted either way."""
    start, end = _ARCS["front"]
    twist = TORSO_TWIST.number("max_degrees") if is_cav(model) and not is_quad(model) else 0
    return () if is_infantry(model) else ((start - twist, end + twist),)


def arcs_by(model: Thing) -> Rule:
    """The rule that says into which arcs a model fires by its mounts."""
    return CAV_ARCS if is_cav(model) and not is_quad(model) else QUAD_ARCS


def one_arc(model: Thing, points: Sequence[Point]) -> bool:
    """Whether points lie in one arc of a model: of its four, or for two legs in the front arc at one torso twist.

    strikeops.shooting.multiple-targets    turret weapons too (strikeops.shooting.turret-rotation)
    """
    arcs = {arc_of(model, point) for point in points}
    if not is_cav(model) or is_quad(model) or arcs == {"back"}:
        return len(arcs) == 1
    here, facing, most, front = center(model), model.facing, TORSO_TWIST.number("max_degrees"), (_ARCS["front"],)
    if any(not bears(here, facing, at, front) and twist_into(here, facing, at, front, most) is None for at in points):
        return False
    ways = [(point.x - here.x, point.y - here.y) for point in points]
    return all(a * c + b * d >= 0 for n, (a, b) in enumerate(ways) for c, d in ways[:n])  # no wider than a right angle


def refused_arc(table: Table, attack: Attack, name: str) -> Refusal | None:
    """Why a target or strike-point after the first is not attacked: it is in another arc than those before it."""
    shooter, before = table[attack.shooter], list[Point]()
    for one in attack.aims:
        point = one.point or (center(table[one.target]) if not table[one.target].gone else None)
        if point is None:
            continue
        fits = one_arc(shooter, [*before, point])
        if name in one.weapons and not fits:
            why = TURRET_ROTATION if weapons(shooter)[name].mount == _ALL_ROUND else MULTIPLE
            return Refusal(why.id, "All targets of an attack are in one arc.")
        before += [point] if fits else []
    return None


#: What changes the number of every roll to hit: criticals on the attacker's weapons, and that it stands still.
BROKEN_WEAPONS: tuple[Modifier[Rolling], ...] = (
    Modifier(
        WEAPON_CRITICALS,
        "weapons crippled",
        lambda s: s.model.count(CountName.WEAPONS_CRIPPLED) * WEAPON_CRITICALS.number("crippled"),
    ),
    Modifier(
        WEAPON_CRITICALS,
        "weapons damaged",
        lambda s: s.model.count(CountName.WEAPONS_DAMAGED) * WEAPON_CRITICALS.number("damaged"),
    ),
)
STEADY: Modifier[Rolling] = Modifier(
    STATIONARY_ATTACKER,
    "stationary",
    STATIONARY_ATTACKER.number("own_rolls_sm"),
    when=lambda s: s.model.has(StateName.STATIONARY),
)
#: What the state of whoever is fired at changes, directly and indirectly alike.
AT_DOUBLE_TIME: Modifier[AtSomebody] = Modifier(
    DOUBLE_TIME,
    "target in double-time",
    DOUBLE_TIME.number("attacker_sm"),
    when=lambda s: s.foe.has(StateName.DOUBLE_TIME),
)
AT_STATIONARY: Modifier[AtSomebody] = Modifier(
    STATIONARY_DEFENDER,
    "target stationary",
    STATIONARY_DEFENDER.number("attacker_sm"),
    when=lambda s: s.foe.has(StateName.STATIONARY),
)
AT_KNOCKED_DOWN: Modifier[AtSomebody] = Modifier(
    KNOCKDOWN,
    "target knocked down",
    KNOCKDOWN.number("attacker_sm"),
    when=lambda s: s.foe.has(StateName.KNOCKDOWN),
)

#: What changes the number of a direct-fire Combat Roll, cover apart, in the order in which it is told: plus hurts.
MODIFIERS: tuple[Modifier[Firing], ...] = (
    *BROKEN_WEAPONS,
    *UNSTEADY,
    AT_DOUBLE_TIME,
    Modifier(MULTIPLE, "multiple targets", lambda s: MULTIPLE.number("sm_per_additional_target") * s.more_targets),
    Modifier(OTHER_LOCK, "locked on another", OTHER_LOCK.number("sm"), when=lambda s: s.elsewhere),
    Modifier(
        BACK_ARC,
        "back arc",
        BACK_ARC.number("sm"),
        when=lambda s: not is_infantry(s.foe) and arc_of(s.foe, center(s.model)) == "back",
    ),
    STEADY,
    AT_STATIONARY,
    AT_KNOCKED_DOWN,
    Modifier(
        POINT_BLANK,
        "point-blank",
        POINT_BLANK.number("sm"),
        when=lambda s: s.away <= _POINT_BLANK and not is_infantry(s.model),
    ),
    *changes(COMBAT),
    Modifier(DEFENSIVE_WEAPONS, "defensive fire", DEFENSIVE_WEAPONS.number("sm"), when=lambda s: s.defensive),
    Modifier(RUN_N_GUN, "run 'n gun", lambda s: s.running),
    Modifier(SALVO, "salvo", lambda s: SALVO.number("sm_per_additional_weapon") * (s.salvo - 1)),
)


def running_penalty(shooter: Thing, weapon: Weapon, attack: Attack) -> int:
    """What Run 'N Gun adds to the number: one for each weapon used, less for Assault of the model or the weapon.

    strikeops.attributes.assault                       never below 0
    strikeops.attributes.model-attribute-on-weapon     what a weapon has helps it alone; the higher level counts
    """
    if not attack.running:
        return 0
    levels = max(rating(shooter, "assault"), weapon.rating("assault")) * ASSAULT.number("per_level")
    return max(ASSAULT.number("minimum"), RUN_N_GUN.number("sm_per_weapon") * len(attack.fired) - levels)


def band_of(weapon: Weapon, away: int) -> str | None:
    """The band a distance lies in for a weapon, one shorter with Improved Range; none beyond the last.

    strikeops.attributes-weapon.improved-range    where it is for aircraft only, it is not for others
    """
    if weapon.range is None:
        return None
    band = _RANGES.band(weapon, away)  # type: ignore[arg-type]
    if band is not None and weapon.attributes.get("improved_range") is True:
        return IMPROVED_RANGE.text_at("map", band)
    return band


def band_ends(weapon: Weapon) -> dict[str, int]:
    """The end of each band of a weapon, the nearest first, as Improved Range has them."""
    if weapon.range is None:
        return {}
    ends = [multiple * weapon.range * UNIT for multiple in _RANGES.multiples.values()]
    return {f"{band_of(weapon, end)} range": end for end in ends}


def turning_points(weapon: Weapon) -> set[int]:
    """The distances up to which a weapon fires alike: its least range, point blank, and the end of each band."""
    return {*band_ends(weapon).values(), (weapon.minimum_range or 0) * UNIT, _POINT_BLANK}


#: The states that silence types of weapon, with their rules.
_SILENCING = ((StateName.JAMMED, AMMO), (StateName.OVERLOADED, OVERLOAD), (StateName.OVERHEATED, OVERHEAT))


def silenced(model: Thing, weapon: Weapon) -> Refusal | None:
    """Why a type of weapon cannot fire, as everybody can see: it is jammed, overheated or overloaded."""
    for state, why in _SILENCING:
        if state in model.states and weapon.family in types_in(model, state):
            why = LIMITED_AMMO if why is AMMO and weapon.has("limited_ammo") else why
            return Refusal(why.id, f"The {weapon.name} of {model.label} is {state}.")
    return None


def types_in(model: Thing, state: StateName) -> tuple[str, ...]:
    """The types of weapon of a model that are in a state."""
    return model.words(state)


def is_indirect(weapon: Weapon) -> bool:
    """Whether a weapon is fired at a strike-point (strikeops.attributes-weapon.indirect-fire)."""
    return weapon.fire == "indirect"


def may_fire(model: Thing, weapon: Weapon) -> Refusal | None:
    """Whether a weapon may be fired at all, as everybody can see."""
    if weapon.family in _LATER:
        return Refusal(_LATER[weapon.family], f"What the {weapon.name} does is still to come.")
    if model.count(CountName.TARGETING_DESTROYED):
        return Refusal(TARGETING.id, f"The targeting systems of {model.label} are destroyed.")
    if model.has(StateName.UNDER_WATER):
        return Refusal(UNDER_WATER.id, f"{model.label} is under water.")
    return silenced(model, weapon)


def may_fire_at(model: Thing, weapon: Weapon, foe: Thing, lock: str = "") -> Refusal | None:
    """What is known without measuring: whether a direct-fire weapon may be fired at a target at all.

    strikeops.weapons.guided-missile-lock            a missile only at the enemy that is locked
    strikeops.weapons.no-air-or-infantry-targets     some weapons never at infantry
    """
    if is_indirect(weapon):
        words = f"The {weapon.name} fires indirectly, and not with direct fire in one activation."
        return Refusal(ONE_KIND.id, words, (AT_A_POINT.id, INDIRECT_FIRE.id, FAMILIES.id))
    refusal = may_fire(model, weapon)
    if refusal is not None:
        return refusal
    if rav(model, weapon, foe) is None:
        return Refusal(STAT_LINE.id, f"The {weapon.name} cannot attack {foe.label}: its RAV is NA.")
    if is_infantry(foe) and "infantry" in _forbidden(weapon):
        return Refusal(FORBIDDEN_TARGETS.id, f"The {weapon.name} may not target infantry.")
    if weapon.family == MISSILE and foe.id not in (lock, model.value(StateName.TARGET_LOCK)):
        return Refusal(MISSILES.id, f"The {weapon.name} needs a target-lock on {foe.label}.")
    return None


def _forbidden(weapon: Weapon) -> tuple[str, ...]:
    return FORBIDDEN_TARGETS.texts(weapon.family) if FORBIDDEN_TARGETS.has(weapon.family) else ()


def fires(table: Table, attack: Attack, name: str) -> Refusal | None:
    """Why a declared weapon does not fire when the attack is made, its range apart."""
    shooter, foe = table[attack.shooter], table[attack.target]
    system = weapons(shooter)[name]
    refusal = may_fire_at(shooter, system.weapon, foe)
    if refusal is not None:
        return refusal
    if attack.pop_up and not shooter.has(StateName.RAISED):
        return Refusal(POP_UP.id, f"{shooter.label} stands beside nothing low that it could rise over.")
    away = distance(shooter, foe)
    least = (system.weapon.minimum_range or 0) * UNIT
    if least and away <= least:
        words = f"The {system.weapon.name} cannot be fired within {inches(least)}; the target is {inches(away)} away."
        return Refusal(MINIMUM_RANGE.id, words, (MINIMUM_ATTRIBUTE.id,))
    if attack.caught:
        return None  # the weapon bears on the target in whose area it stands
    if not bears_on(shooter, system, center(foe)):
        return Refusal(arcs_by(shooter).id, f"{foe.label} is out of the arc of {shooter.label}'s {system.weapon.name}.")
    return refused_arc(table, attack, name)


def aim(table: Table, attack: Attack, name: str) -> Aim | Refusal:
    """What a shot of an attack needs, part by part; or why it cannot be made, which forfeits it."""
    key = ("aim", attack, name)
    found: Aim | Refusal | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = _aim(table, attack, name)
    return found


def _aim(table: Table, attack: Attack, name: str) -> Aim | Refusal:
    shooter, foe = table[attack.shooter], table[attack.target]
    weapon = weapons(shooter)[name].weapon
    refusal = fires(table, attack, name)
    if refusal is not None:
        return refusal
    away = distance(shooter, foe)
    band = band_of(weapon, away)
    if band is None:
        return Refusal(OUT_OF_RANGE.id, f"{inches(away)} is beyond the extreme range of the {weapon.name}.")
    line = line_of_sight(table, shooter, foe, weapons(shooter)[name].mount == _ALL_ROUND)
    if line.blocked:
        return Refusal(line.blocked_by, f"{shooter.label} does not see {foe.label}: {line.why}.", (DIRECT_FIRE.id,))
    fired = len(salvo(table, attack)) if attack.salvo else 1
    running = running_penalty(shooter, weapon, attack)
    firing = Firing(
        shooter,
        foe,
        foe=foe,
        away=away,
        salvo=fired,
        running=running,
        defensive=attack.defensive,
        more_targets=attack.more_targets,
        elsewhere=attack.locked_elsewhere(shooter),
    )
    barred = _NO_HELP if attack.defensive else ()
    found = [part for part in parts(MODIFIERS, COMBAT, firing) if part.rule not in barred]
    modifiers = (*found, *line.cover)
    rules = (BANDS.id, MEASURING.id, CENTRES.id, ARCS.id, DIRECT_FIRE.id, *((AREA.id,) if attack.caught else ()))
    return Aim(_needs(table, attack, weapon, band, away), modifiers, band, away, critical_from(weapon), rules)


def also_by(shooter: Thing, foe: Thing, attack: Attack, name: str, found: Sequence[ExplainedPart]) -> tuple[Rule, ...]:
    """The rules that a shot with some modifiers was judged by, beside those of its parts."""
    system, labels, sources = weapons(shooter)[name], [part.label for part in found], [part.rule for part in found]
    turret = system.mount == _ALL_ROUND
    biped = is_cav(shooter) and not is_quad(shooter)
    twisted = biped and not turret and arc_of(shooter, center(foe)) not in ("front", "back")
    judged = (
        (LIST, bool(found)),
        (OPTIONS, bool(attack.salvo or attack.running or attack.aims)),
        (MIXED_SIZES, attack.salvo),
        (LOCK_BENEFITS, "targeting computer" in labels or system.weapon.family == "guided_missile"),
        (ON_WEAPON, system.weapon.has("assault")),
        (TURRETS, turret),
        (TORSO_TWIST, twisted),
        (FREE, turret or twisted),
        (WHICH_ROLLS, any(row.rule.id in sources for row in UNSTEADY)),
    )
    return tuple(source for source, holds in judged if holds)


def _needs(table: Table, attack: Attack, weapon: Weapon, band: str, away: int) -> Explanation:
    """The number of the band; where several types fire, of the worst of their bands.

    strikeops.shooting.mixed-weapon-types             every weapon uses the farthest band among them
    strikeops.shooting.mixed-weapons-out-of-range     one out of range makes it the last
    """
    shooter = table[attack.shooter]
    fired = [weapons(shooter)[name].weapon for name in attack.weapons if fires(table, attack, name) is None]
    found = [ExplainedPart(f"{band} range", _NEEDS[band], TARGET_POINTS.id)]
    if len({one.family for one in fired}) > 1 and not attack.caught:
        worst = worst_band(fired, away)
        if worst != band:
            why = MIXED_OUT if None in [band_of(one, away) for one in fired] else MIXED
            found.append(ExplainedPart(f"fired with others at {worst} range", _NEEDS[worst] - _NEEDS[band], why.id))
            band = worst
    others = [one for one in attack.aims if one.target not in (attack.target, attack.caught)]
    found_there = [at for one in others if (at := _band_at(table, attack, one)) is not None]
    farthest = max([band, *found_there], key=_NAMES.index)
    if farthest != band:
        more = _NEEDS[farthest] - _NEEDS[band]
        found.append(ExplainedPart(f"with a target at {farthest} range", more, MULTIPLE_RANGE.id))
    return explain("target point", *found)


def _band_at(table: Table, attack: Attack, aimed: Aimed) -> str | None:
    """The band of another target of the same attack; none where it is gone, or no weapon can be fired at it."""
    if table[aimed.target].gone:
        return None
    there = msgspec.structs.replace(attack, target=aimed.target, weapons=aimed.weapons)
    shooter = table[attack.shooter]
    fired = [weapons(shooter)[name].weapon for name in aimed.weapons if fires(table, there, name) is None]
    return worst_band(fired, distance(shooter, table[aimed.target])) if fired else None


def worst_band(fired: Sequence[Weapon], away: int) -> str:
    """The farthest band of some weapons; one that is out of range makes it the last."""
    bands = [band_of(one, away) for one in fired]
    return _NAMES[-1] if None in bands else max((one for one in bands if one is not None), key=_NAMES.index)


def salvo(table: Table, attack: Attack) -> tuple[str, ...]:
    """The weapons of a salvo that bear and reach; the others drop out (strikeops.shooting.salvo-fire-same-type)."""
    shooter = table[attack.shooter]
    away = distance(shooter, table[attack.target])
    return tuple(
        name
        for name in attack.weapons
        if fires(table, attack, name) is None and band_of(weapons(shooter)[name].weapon, away) is not None
    )


def smallest(shooter: Thing, fired: Sequence[str]) -> str:
    """The smallest weapon of a salvo, whose RAV and attributes count: the one of the weakest RAV.

    strikeops.shooting.salvo-fire-mixed-sizes
    """
    return min(fired, key=lambda name: tuple(one or 0 for one in (weapons(shooter)[name].weapon.rav or ((0, 0),))[0]))


def critical_from(weapon: Weapon) -> int:
    """From which natural on a Combat Roll is a critical success (strikeops.attributes-weapon.blaster)."""
    if not weapon.has("blaster"):
        return NATURAL_CRITICAL
    return BLASTER.number("levels", str(weapon.rating("blaster")), "critical_success_from")


def is_armed(model: Thing, foes: Sequence[Thing]) -> bool:
    """Whether a weapon of a model may be fired at one of some enemies, or at a point, with a lock if need be."""
    carried = [system.weapon for system in weapons(model).values()]
    return any(
        may_fire(model, weapon) is None
        if is_indirect(weapon)
        else any(may_fire_at(model, weapon, foe, foe.id) is None for foe in foes)
        for weapon in carried
    )


same_number("without Blaster", BLASTER.number("without"), NATURAL_CRITICAL)
#: What counts as one type of weapon is its family (strikeops.attributes-weapon.weapon-type).
TYPE_RULE = WEAPON_TYPE
