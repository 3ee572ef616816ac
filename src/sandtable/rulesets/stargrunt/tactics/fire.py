"""What fire is worth to tactics: casualties, suppression and nerve, by the rules' own dice.

Values are thousandths of a figure out of action.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.confidence.levels import MOST_MARKERS, levels_lost, threat
from sandtable.rulesets.stargrunt.cover.protection import IN_POSITION, armour_shift, range_shift
from sandtable.rulesets.stargrunt.dice.rolls import nearest, open_shifted
from sandtable.rulesets.stargrunt.fire.armament import AT_INFANTRY, GUIDED, GUN, Arm, arms, band_width
from sandtable.rulesets.stargrunt.fire.heavy import arm_refused, target_refused
from sandtable.rulesets.stargrunt.fire.shots import (
    BANDS,
    Shot,
    band,
    die_of,
    refused_small,
    refused_target,
    shooters,
    shot,
    small_arms,
    support_refused,
    supports,
    target_size,
)
from sandtable.rulesets.stargrunt.fire.volleys import volley
from sandtable.rulesets.stargrunt.forces.cards import kit
from sandtable.rulesets.stargrunt.previews.shots import break_chances
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import (
    armour_die,
    enemies,
    fit,
    hull_of,
    is_independent,
    leadership,
    quality,
    quality_die,
    standing,
    whereabouts,
    with_unit,
)
from sandtable.rulesets.stargrunt.vehicles.hits import struck_face
from sandtable.rulesets.stargrunt.weapons import SNIPER, SUPPORT
from sandtable.tabletop.opponent import Reasons, kept, total

#: One figure out of action.
POINT = 1000
#: What a suppression marker, and a lost Confidence Level, is worth for each figure it holds back.
MARKER, LEVEL = 90, 200
#: What a wounded figure that is hit again counts for, and a vehicle that is disabled or destroyed.
FALLEN = Fraction(1, 5)
VEHICLE = {"disabled": 3 * POINT, "destroyed": 4 * POINT}
#: What suppressing a vehicle is worth, and the chance at which small arms find their way in is not counted.
BUTTONED_UP = 400


@lru_cache(maxsize=1024)
def hurts(impact: int, armour: int, shift: int) -> Fraction:
    """How likely a potential hit is to hurt a figure (stargrunt.fire.step-three).

    >>> hurts(10, 6, 0), hurts(10, 6, 2)
    (Fraction(13, 20), Fraction(9, 20))
    """
    guard, blow = open_shifted(armour, shift, impact)
    higher = sum(max(0, blow - score) for score in range(1, guard + 1))
    return Fraction(higher, guard * blow)


def chance(die: int, target: int) -> int:
    """How likely a die is to exceed a number, in thousandths.

    >>> chance(8, 2)
    750
    """
    return max(0, die - target) * 1000 // die


def nerve(table: Table, unit: Thing, causes: tuple[str, ...]) -> Fraction:
    """How many Confidence Levels a test by some causes costs a unit on average."""
    parts = None if is_independent(unit) else threat(table, unit, causes)
    if parts is None:
        return Fraction(0)
    die, target = quality_die(unit), leadership(unit) + sum(part.value for part in parts)
    return Fraction(sum(levels_lost(score, target) for score in range(1, die + 1)), die)


def marker_worth(table: Table, unit: Thing) -> int:
    """What one more suppression marker on a unit is worth: the first most, a fourth nothing."""
    markers = unit.count(CountName.SUPPRESSION)
    if markers >= MOST_MARKERS.number("max"):
        return 0
    return MARKER * len(fit(table, unit.id)) // (markers + 1) + MARKER


def at_figures(
    table: Table, target: Thing, dice: tuple[int, ...], against: int, impact: int, shifts: Sequence[ExplainedPart]
) -> Reasons:
    """What fire at a squad is worth: casualties, a marker, and the nerve it costs."""
    aimed_at = kept(table, ("as a target", target.id), lambda: as_target(table, target))
    return _at_squad(aimed_at, dice, against, impact, sum([part.value for part in shifts]))


class AsTarget(NamedTuple):
    """A squad as far as fire at it is concerned: squads alike in that are worth the same fire."""

    able: int
    armour: tuple[tuple[tuple[int, int | Fraction], int], ...]  # armour die, how much a figure counts → how many
    marker: int  # what a marker more is worth
    suppressed: tuple[int, int]  # levels lost on average where it is suppressed, over and under
    struck: tuple[int, int]  # and where somebody falls


def as_target(table: Table, target: Thing) -> AsTarget:
    """What there is of a squad to be hit."""
    kinds = Counter((armour_die(one), FALLEN if one.harm else 1) for one in with_unit(table, target.id))
    first = () if target.has(StateName.FIRST_SUPPRESSION_DONE) else ("first_suppression",)
    return AsTarget(
        len(fit(table, target.id)),
        tuple(kinds.items()),
        marker_worth(table, target),
        nerve(table, target, first).as_integer_ratio(),
        nerve(table, target, (*first, "casualties_from_fire")).as_integer_ratio(),
    )


@lru_cache(maxsize=65536)
def _at_squad(target: AsTarget, dice: tuple[int, ...], against: int, impact: int, shift: int) -> Reasons:
    exposed = sum(n for _, n in target.armour)
    if not exposed or not target.able:
        return ()
    fallen = volley(dice, against)
    weak = sum((n * part * hurts(impact, armour, shift) for (armour, part), n in target.armour), Fraction(0))
    down = min(Fraction(target.able), fallen.hits * weak / exposed)
    struck = min(fallen.strikes, down)
    levels = struck * Fraction(*target.struck) + (fallen.suppresses - struck) * Fraction(*target.suppressed)
    return (
        ("casualties", int(POINT * down)),
        ("suppression", int(fallen.suppresses * target.marker)),
        ("nerve", int(levels * LEVEL * target.able)),
    )


def at_vehicle(table: Table, firer: Thing, hull: Thing, aimed: Shot) -> Reasons:
    """What fire at a vehicle is worth: small arms rattle it, other weapons may break it."""
    assert aimed.range_die is not None
    if aimed.light:
        return (("suppression", int(volley(aimed.dice, aimed.range_die).suppresses * BUTTONED_UP)),)
    broken = break_chances(aimed, hull, struck_face(table, firer.id, hull))
    return tuple((word, int(broken[word] * value)) for word, value in VEHICLE.items())


def shot_worth(table: Table, firer: Thing, target: Thing, small: bool, using: Sequence[str]) -> Reasons:
    """What a fire action is worth that may be declared now."""
    aimed = shot(table, firer, target, small, using)
    if aimed.range_die is None:
        return ()
    hull = hull_of(table, target.id)
    if hull is not None:
        return at_vehicle(table, firer, hull, aimed)
    return at_figures(table, target, aimed.dice, aimed.range_die, aimed.impact, aimed.armour)


class Fire(NamedTuple):
    """A fire action that may be declared: at whom, with what, and what it is worth."""

    target: str
    small: bool
    using: tuple[str, ...]
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return total(self.parts)


def joining(table: Table, unit: Thing) -> tuple[str, ...]:
    """The figures whose support weapons can join the small arms now; one of the unit keeps to its rifle."""
    able = [one.id for one in supports(table, unit) if support_refused(unit, one) is None]
    return tuple(able if shooters(table, unit, able, close=False) else able[1:])


def small_fires(table: Table, unit: Thing) -> list[Fire]:
    """The fire actions of a squad's small arms, with every support weapon that can join."""
    using = joining(table, unit)
    return [
        Fire(foe.id, True, using, shot_worth(table, unit, foe, True, using))
        for foe in enemies(table, unit.side)
        if refused_small(table, unit, foe) is None
    ]


def support_fires(table: Table, unit: Thing) -> list[Fire]:
    """The fire actions of support weapons alone."""
    able = [one.id for one in supports(table, unit) if support_refused(unit, one) is None]
    able = [one for one in able if kit(table[one]).support_weapon not in SNIPER]
    found = []
    for foe in enemies(table, unit.side) if able else ():
        if refused_target(table, unit, foe) is None:
            found += [Fire(foe.id, False, (one,), shot_worth(table, unit, foe, False, (one,))) for one in able]
    return found


def heavy_fires(table: Table, unit: Thing) -> list[Fire]:
    """The fire actions of a vehicle's weapons, a crew's gun, or missiles."""
    return [
        Fire(foe.id, False, (arm.id,), shot_worth(table, unit, foe, False, (arm.id,)))
        for arm in arms(table, unit)
        if arm_refused(table, unit, arm) is None
        for foe in enemies(table, unit.side)
        if target_refused(table, unit, foe, arm) is None
    ]


def nearest_few(table: Table, unit: Thing, targets: Sequence[Thing], most: int) -> list[Thing]:
    """So many targets, the nearest to a unit, each once."""
    found = list({one.id: one for one in targets}.values())
    if len(found) <= most:
        return found
    here = whereabouts(table, unit.id)
    found.sort(key=lambda one: min((center_gap(a, b) for a in here for b in _spots(table, one)), default=0))
    return found[:most]


def close_by(table: Table, unit: Thing, target: Thing, share: int) -> bool:
    """Whether a target is within the first range band of a unit's rifles, or a share of it: a half, a third."""
    here, there = whereabouts(table, unit.id), _spots(table, target)
    near = (BANDS.number(quality(unit)) * UNIT // share) ** 2
    return any(center_gap(a, b) <= near for a in here for b in there)


def _spots(table: Table, target: Thing) -> Sequence[Point]:
    return [target.place.point] if isinstance(target.place, At) else whereabouts(table, target.id)


def best_fire(fires: list[Fire]) -> Fire | None:
    """The fire that hurts most."""
    return max(fires, key=lambda one: (one.worth, one.target, one.using), default=None)


# What fire from another place would be -----------------------------------------------------------------------------


class Guns(NamedTuple):
    """What a unit fires with, whether or not it has fired this turn: its dice, impact, and range band in inches."""

    dice: tuple[int, ...]
    impact: int
    width: int


def guns_of(table: Table, unit: Thing) -> Guns | None:
    """The guns of a unit against infantry; none where it has nothing to fire."""
    if hull_of(table, unit.id) is not None:
        able = [arm for arm in arms(table, unit) if arm.kind != GUIDED]
        return max((_mounted(table, unit, arm) for arm in able), default=None)
    using = tuple(one.id for one in supports(table, unit))
    halves, impact = small_arms(shooters(table, unit, using, close=True))
    if not standing(table, unit.id):
        return None
    dice = [quality_die(unit), nearest(halves)] if halves or not using else [quality_die(unit)]
    dice += [SUPPORT[kit(table[one]).support_weapon].firepower for one in using]
    return Guns(tuple(dice), impact, BANDS.number(quality(unit)))


def _mounted(table: Table, unit: Thing, arm: Arm) -> Guns:
    heavy = arm.kind == GUN
    width = band_width(table, arm, target_size(table, unit)) if heavy else BANDS.number(quality(unit))
    return Guns((quality_die(unit), arm.die), AT_INFANTRY.number("impact") if heavy else arm.impact, width)


def range_die(width: int, gap: int, cover: int, dug_in: bool) -> int | None:
    """The Range Die over a distance, for guns with such range bands and at a kind of cover; none out of range.

    >>> range_die(8, 8000, 0, False), range_die(8, 8001, 0, False)
    (4, 6)
    """
    return _range_die(width, -(-gap // UNIT), cover, dug_in)


@lru_cache(maxsize=4096)
def _range_die(width: int, inches: int, cover: int, dug_in: bool) -> int | None:
    # Bands are whole inches wide, so that a distance rounded up to whole inches lies in the same one.
    steps = band(Fraction((inches * UNIT) ** 2), width) + sum(part.value for part in range_shift(cover))
    return die_of(steps + (IN_POSITION.number("range_die") if dug_in else 0))


def volley_worth(table: Table, guns: Guns, target: Thing, against: int, cover: int) -> int:
    """What a volley of some guns at a unit would be worth against a Range Die, at a kind of cover."""
    if hull_of(table, target.id) is not None:
        return int(volley(guns.dice, against).suppresses * BUTTONED_UP)
    parts = at_figures(table, target, guns.dice, against, guns.impact, armour_shift(cover))
    return total(parts)


def middle(spots: Sequence[Point]) -> Point:
    """The middle of some places as a point of the grid.

    >>> middle([Point(0, 0), Point(3, 0)])
    Point(x=1, y=0)
    """
    return Point(sum([at[0] for at in spots]) // len(spots), sum([at[1] for at in spots]) // len(spots))
