"""Fire: the firer's dice against one Range Die, potential hits, impact against armour, and what follows."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from sandtable.engine.dice import notation
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.aerospace.arcs import from_the_air
from sandtable.rulesets.stargrunt.confidence.levels import BROKEN_RULE, ROUTED_RULE
from sandtable.rulesets.stargrunt.cover.protection import (
    DIRECTIONAL,
    IN_POSITION,
    MAJORITY,
    MEASURING,
    SIGHT,
    WHAT_GIVES,
    WOODS,
    armour_shift,
    cover_from,
    range_shift,
    sees,
    within_wood,
)
from sandtable.rulesets.stargrunt.dice.rolls import (
    DIE_TYPES,
    EXCEED,
    LADDER,
    MULTIPLE,
    NEAREST,
    SHIFTING,
    against_one,
    die_part,
    major,
    nearest,
    several,
    shifted,
)
from sandtable.rulesets.stargrunt.fire.armament import AT_INFANTRY, GUIDED, GUN, Arm, arm_of, band_width
from sandtable.rulesets.stargrunt.forces.cards import kit, vehicle
from sandtable.rulesets.stargrunt.movement.walking import TRAVELLING, UNDER_FIRE
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.independents import alone_part, squad_with
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    INDEPENDENT,
    QUALITY,
    ROUTED,
    TARGET_KINDS,
    at_worst,
    hull_of,
    quality,
    quality_die,
    range_between,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import ARCS, HEAVY_HIT, LEVELS, ecm_die
from sandtable.rulesets.stargrunt.weapons import AMMUNITION, COUNTED, SMALL, SUPPORT, named
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import Modifier
from sandtable.tabletop.modifiers import parts as modifiers

SMALL_ARMS_DICE = rule("stargrunt.fire.small-arms-dice")
SUPPORT_DICE = rule("stargrunt.fire.support-weapon-dice")
MISSILE_DICE = rule("stargrunt.fire.guided-missile-dice")
BANDS = rule("stargrunt.fire.range-bands")
RANGE_DIE = rule("stargrunt.fire.range-die")
RANGE_LIMIT = rule("stargrunt.fire.range-die-limit")
FIREPOWER = rule("stargrunt.fire.small-arms-firepower")
CLOSE_ONLY = rule("stargrunt.fire.close-only-weapons")
MIXED = rule("stargrunt.fire.mixed-small-arms")
ADDING = rule("stargrunt.fire.adding-support")
DECLARING = rule("stargrunt.fire.declaring")
NO_FACING = rule("stargrunt.fire.no-infantry-facing")
EFFECT = rule("stargrunt.fire.step-one")
POTENTIAL = rule("stargrunt.fire.step-two")
IMPACT = rule("stargrunt.fire.step-three")
WHO_IS_HIT = rule("stargrunt.fire.step-four")
REPEATED = rule("stargrunt.fire.repeated-wounds")
AFTERWARDS = rule("stargrunt.fire.after-the-fire")
FIRE_LIMIT = rule("stargrunt.actions.fire-limit")
PER_ACTIVATION = rule("stargrunt.actions.fire-limit-per-activation")
FINAL_FIRE_EFFECT = rule("stargrunt.close-assault.final-defensive-fire-effect")

#: What the squad's small arms together are called: they count as one weapon.
SMALL_ARMS = "small-arms"
FIRED, FIRED_UPON = "fired", "fired upon by"
#: What an assault has cost a unit so far.
ASSAULT_CASUALTIES = "assault casualties"
_HIGHEST = max(int(band) for band in RANGE_DIE.names("bands"))

same_number("the largest firepower die", FIREPOWER.number("thresholds", "more"), NEAREST.number("more"))
for _limit in FIREPOWER.names("thresholds"):
    same_number("the firepower die", FIREPOWER.number("thresholds", _limit), NEAREST.number(_limit))
for _shown in FIREPOWER.items("illustrations"):
    _halves = 2 * _shown.number("figures") * _shown.number("firepower_each")
    same_number("the firepower of the examples", nearest(_halves), _shown.number("die"))
for _kind in BANDS.names():
    same_number(f"the range band of {_kind} troops", BANDS.number(_kind), QUALITY.number(_kind))


#: What every aimed fire follows, and the rules of the dice themselves.
AIMED = (BANDS, DECLARING, NO_FACING)
THROWN = (MULTIPLE, SHIFTING, DIE_TYPES)
#: What the multiple opposed roll comes to, for small arms and for weapons that break vehicles.
AT_FIGURES = {"fail": "no effect", "minor": "suppressed", "major": "suppressed, and hit"}
AT_A_VEHICLE = {"fail": "missed", "minor": "a minor hit", "major": "a major hit"}


class Shot(msgspec.Struct, frozen=True):
    """A fire action as the rules see it: whose dice, which Range Die, which impact."""

    roll: Check  # the firer's dice against the Range Die; against none where the shot is impossible
    range: Explanation  # how many steps the Range Die is up the table, band and shifts
    impact: int
    armour: tuple[ExplainedPart, ...]  # what shifts the Armour Die
    multiplier: int = 1  # of the impact, against vehicles and buildings
    size: int = 1  # the size class of the weapon
    light: bool = True  # whether it counts as small arms against vehicles

    @property
    def dice(self) -> tuple[int, ...]:
        """The firer's dice, each by its number of sides."""
        return notation(self.roll.dice)

    @property
    def range_die(self) -> int | None:
        """The die they are thrown against; none where the shot is impossible."""
        return None if self.roll.against is None else self.roll.against.sides


class FireAction(Step, frozen=True):
    """A unit fires at another."""

    firer: str
    target: str
    small: bool
    supports: tuple[str, ...] = ()
    assault: bool = False  # final defensive fire: it hurts, and does nothing else by itself
    idle: tuple[str, ...] = ()  # figures that are left out of it


#: The switch of a battle in which weapons fire once in each activation, not once a turn.
ONCE_PER_ACTIVATION = "fire-once-per-activation"


# What may fire -----------------------------------------------------------------------------------------------------


def fired(unit: Thing) -> tuple[str, ...]:
    """The weapons of a unit that have fired this turn."""
    return unit.words(FIRED)


def has_had_its_shot(unit: Thing, weapon: str) -> bool:
    """Whether a weapon of a unit has fired as often as it may this turn (stargrunt.actions.fire-limit)."""
    return fired(unit).count(weapon) >= FIRE_LIMIT.number("per_weapon_per_turn")


def supports(table: Table, unit: Thing) -> list[Thing]:
    """The OK figures of a unit whose support weapon is of a kind that fires by itself or with the squad."""
    return [one for one in standing(table, unit.id) if kit(one).support_weapon in SUPPORT]


def support_refused(unit: Thing, figure: Thing) -> Refusal | None:
    """Why a figure's support weapon may not fire now, whatever the target."""
    weapon = kit(figure).support_weapon
    if has_had_its_shot(unit, figure.id):
        return Refusal(FIRE_LIMIT.id, f"{figure.label}'s {named(weapon)} has fired this turn.")
    if weapon in COUNTED and not figure.count(COUNTED[weapon]):
        return Refusal(AMMUNITION.id, f"{figure.label} has no {COUNTED[weapon]} left.")
    return None


def shooters(table: Table, unit: Thing, using_support: Sequence[str], close: bool) -> list[Thing]:
    """The figures whose small arms count: OK, no support weapon in hand, and near enough for what they carry."""
    return [
        one
        for one in standing(table, unit.id)
        if one.id not in using_support and (close or not SMALL[kit(one).small_arm].close_only)
    ]


def small_arms(figures: Sequence[Thing]) -> tuple[int, int]:
    """The firepower of figures in halves, and the Impact Die of the arm that contributes most (the better on a tie).

    stargrunt.fire.small-arms-firepower    added up over the figures
    stargrunt.fire.mixed-small-arms        one impact for all
    """
    halves: dict[str, int] = {}
    for one in figures:
        arm = SMALL[kit(one).small_arm]
        halves[arm.id] = halves.get(arm.id, 0) + arm.halves
    if not halves:
        return 0, LADDER[0]
    best = max(halves, key=lambda name: (halves[name], SMALL[name].impact))
    return sum(halves.values()), SMALL[best].impact


# The shot ----------------------------------------------------------------------------------------------------------


def band(square: Fraction, width: int) -> int:
    """In which range band of so many inches a squared distance lies; the first is 1.

    >>> band(Fraction(8000**2), 8), band(Fraction(8000**2) + 1, 8)
    (1, 2)
    """
    found = 1
    while square > (found * width * UNIT) ** 2:
        found += 1
    return found


def target_size(table: Table, target: Thing) -> int:
    """The size class of a target: that of a vehicle, and 1 for infantry (stargrunt.units.target-kinds)."""
    hull = hull_of(table, target.id)
    return TARGET_KINDS.number("infantry_size") if hull is None else vehicle(hull).size


#: What shifts the Range Die by how a target stands.
HOW_IT_STANDS = (
    Modifier[Thing](
        rule=UNDER_FIRE,
        label="in column",
        value=UNDER_FIRE.number("range_die_shift"),
        when=lambda target: target.has(TRAVELLING),
    ),
    Modifier[Thing](
        rule=IN_POSITION,
        label="In Position",
        value=IN_POSITION.number("range_die"),
        when=lambda target: target.has(StateName.IN_POSITION),
    ),
)


def range_steps(table: Table, firer: Thing, target: Thing, arm: Arm | None = None) -> Explanation:
    """Where the Range Die stands: the range band and every shift, added up before the limits apply.

    The band is that of the firer's quality, but for heavy weapons, which have their own.
    """
    heavy = arm is not None and arm.kind == GUN
    width = band_width(table, arm, target_size(table, target)) if arm and heavy else BANDS.number(quality(firer))
    number = band(range_between(table, firer.id, target.id), width)
    parts = [ExplainedPart(f"range band {number}", number, RANGE_DIE.id)]
    parts += range_shift(cover_from(table, target.id, firer.id))
    parts += alone_part(table, target)
    return explain("range die", *parts, *modifiers(HOW_IT_STANDS, "range die", target))


def die_of(steps: int) -> int | None:
    """The Range Die of a number of steps; none where the shot is impossible (stargrunt.fire.range-die-limit).

    >>> die_of(0), die_of(3), die_of(5), die_of(6)
    (4, 8, 12, None)
    """
    if steps < 1:
        return RANGE_DIE.number("below_1")
    return RANGE_DIE.number("bands", steps) if steps <= _HIGHEST else None


for _shown in RANGE_LIMIT.items("illustrations"):
    _far = BANDS.number(_shown.text_at("quality"))
    for _shifts, _name in enumerate(("open_in", "soft_in", "hard_in")):
        _at = band(Fraction((_shown.number(_name) * UNIT) ** 2), _far) + _shifts
        same_number("how far a unit reaches", (die_of(_at) is None, die_of(_at + 1) is None), (False, True))


def shot(
    table: Table, firer: Thing, target: Thing, small: bool, using: Sequence[str], idle: Sequence[str] = ()
) -> Shot:
    """The dice of a fire action: small arms with the support weapons that join, or one weapon alone.

    stargrunt.fire.small-arms-dice        Quality, firepower, and one die for each support weapon
    stargrunt.fire.support-weapon-dice    Quality and the weapon's die, and its own impact
    stargrunt.fire.adding-support         joined fire has the impact of the small arms
    stargrunt.actions.action-is-the-units figures that are left out count for nothing
    """
    if not small:
        arm = from_the_air(table, firer, target, arm_of(table, firer, using[0]))
        return _alone(table, firer, target, arm)
    steps = range_steps(table, firer, target)
    die = quality_die(firer)
    dice, parts = [die], [die_part("Quality", die, QUALITY)]
    close = steps.parts[0].value == 1
    counting = shooters(table, firer, (*using, *idle), close)
    halves, impact = small_arms(counting)
    power = nearest(halves)
    dice.append(power)
    parts.append(die_part(f"firepower of {len(counting)}", power, FIREPOWER))
    for name in using:
        weapon = SUPPORT[kit(table[name]).support_weapon]
        dice.append(weapon.firepower)
        parts.append(die_part(named(weapon.id), weapon.firepower, ADDING))
    shifts = armour_shift(cover_from(table, target.id, firer.id))
    ours = several("fire", firer.id, tuple(dice), tuple(parts), SMALL_ARMS_DICE)
    ours = replace(ours, citing=(*AIMED, MIXED, NEAREST))
    words = AT_FIGURES
    return Shot(_against(ours, target.id, die_of(steps.total), steps, shifts, words), steps, impact, shifts)


def _against(
    ours: Check,
    target: str,
    die: int | None,
    steps: Explanation,
    covered: Sequence[ExplainedPart],
    words: Mapping[str, str],
) -> Check:
    """The firer's dice with the die that the target throws against them, and what comes of it in words."""
    if die is None:
        return ours
    why = HEAVY_HIT if words is AT_A_VEHICLE else EFFECT
    theirs = several(steps.what.partition(" ")[0], target, (die,), steps.parts, why)
    cover_rules = (MAJORITY, WHAT_GIVES, DIRECTIONAL) if covered else (MAJORITY,)
    theirs = replace(theirs, citing=(RANGE_DIE, *THROWN, EXCEED, MEASURING, *cover_rules, TARGET_KINDS))
    return against_one(ours, theirs, lambda higher: words[major(higher)])


def _alone(table: Table, firer: Thing, target: Thing, arm: Arm) -> Shot:
    """The dice of a weapon that fires alone: Quality and its own, against the Range Die or, for a missile, ECM.

    stargrunt.fire.heavy-weapons-at-infantry    a heavy weapon's impact on infantry is one die for all
    """
    die = quality_die(firer)
    against, guard = against_die(table, firer, target, arm)
    dispersed = hull_of(table, target.id) is None
    heavy = dispersed and arm.kind == GUN
    more = ([ARCS] if arm.mount else []) + ([AT_INFANTRY] if heavy else [])
    ours = several("fire", firer.id, (die, arm.die), (die_part("Quality", die, QUALITY), arm.part), arm.rule)
    ours = replace(ours, citing=(*AIMED, *more))
    shifts = armour_shift(cover_from(table, target.id, firer.id))
    words = AT_FIGURES if dispersed or arm.saw else AT_A_VEHICLE
    return Shot(
        _against(ours, target.id, guard, against, shifts, words),
        against,
        AT_INFANTRY.number("impact") if heavy else arm.impact,
        shifts,
        arm.multiplier,
        arm.size,
        arm.saw,
    )


def against_die(table: Table, firer: Thing, target: Thing, arm: Arm) -> tuple[Explanation, int | None]:
    """The die a target rolls against a weapon that fires alone, and why it is that die.

    stargrunt.fire.guided-missile-dice    a missile meets the ECM die, one type up in any cover
    """
    if arm.kind != GUIDED:
        steps = range_steps(table, firer, target, arm)
        return steps, die_of(steps.total)
    hull = hull_of(table, target.id)
    ecm = LEVELS.number("none") if hull is None else ecm_die(hull)
    parts = [ExplainedPart(f"ECM D{ecm}", LADDER.index(ecm) + 1, LEVELS.id)]
    if cover_from(table, target.id, firer.id):
        parts.append(ExplainedPart("in cover", MISSILE_DICE.number("cover_shift"), MISSILE_DICE.id))
    return explain("ecm die", *parts), shifted(ecm, sum(part.value for part in parts[1:]))


def refused_target(table: Table, firer: Thing, target: Thing, arm: Arm | None = None) -> Refusal | None:
    """Why a unit may not fire at another: nerve, woods, sight, or the range of its arms or of one weapon.

    stargrunt.fire.declaring           in line of fire and range
    stargrunt.fire.range-die-limit     not where the Range Die would go beyond D12
    """
    refusal = refused_line(table, firer, target)
    if refusal is not None or (arm is not None and arm.kind == GUIDED):
        return refusal
    steps = range_steps(table, firer, target, arm)
    if die_of(steps.total) is None:
        return Refusal(RANGE_LIMIT.id, f"{target.label} is out of range: {steps.words()} is more than {_HIGHEST}.")
    return None


def refused_by_nerve(table: Table, firer: Thing, targets: Sequence[str], why: str) -> Refusal | None:
    """Why a unit has not the nerve to fire at some units: Routed, or Broken and none of them has fired on it."""
    if at_worst(firer, ROUTED):
        return Refusal(ROUTED_RULE.id, f"{firer.label} is Routed and may not fire.")
    if at_worst(firer, BROKEN) and not any(one in fired_upon_by(table, firer) for one in targets):
        return Refusal(BROKEN_RULE.id, f"{firer.label} is Broken; {why}.")
    return None


def refused_line(table: Table, firer: Thing, target: Thing) -> Refusal | None:
    """Why a unit may not fire at another with anything: nerve, woods or sight."""
    refusal = refused_by_nerve(table, firer, (target.id,), f"{target.label} has not fired on it")
    if refusal is not None:
        return refusal
    beside = squad_with(table, target)
    if beside:
        return Refusal(INDEPENDENT.id, f"{target.label} is with {table[beside].label}: fire at that.")
    for one in (firer, target):
        if within_wood(table, one.id):
            return Refusal(WOODS.id, f"{one.label} is within a wood: no direct fire out of it or into it.")
    if not sees(table, firer.id, target.id):
        return Refusal(SIGHT.id, f"{firer.label} has no line of fire to {target.label}.")
    return None


def refused_small(table: Table, firer: Thing, target: Thing) -> Refusal | None:
    """Why a unit's small arms may not be fired at a target."""
    if has_had_its_shot(firer, SMALL_ARMS):
        return Refusal(FIRE_LIMIT.id, f"The small arms of {firer.label} have fired this turn.")
    refusal = refused_target(table, firer, target)
    if refusal is None:
        close = range_steps(table, firer, target).parts[0].value == 1
        if not shooters(table, firer, (), close):
            sentence = f"{target.label} is beyond one range band, and {firer.label} has close-range weapons only."
            return Refusal(CLOSE_ONLY.id, sentence)
    return refusal


def fired_upon_by(table: Table, unit: Thing) -> tuple[str, ...]:
    """The enemy units that fired on a unit in this game turn or the last (stargrunt.confidence.broken)."""
    entries = unit.words(FIRED_UPON)
    return tuple(entry.partition("@")[0] for entry in entries if recent(table, entry))


def recent(table: Table, entry: str) -> bool:
    """Whether a note `unit@turn` of who fired on a unit still counts (stargrunt.confidence.broken)."""
    return int(entry.partition("@")[2] or table.turn) >= table.turn - BROKEN_RULE.number("turns_before")
