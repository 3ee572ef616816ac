"""Armament: every weapon a unit can fire alone, whoever carries it: a figure, a gun crew or a vehicle."""

import msgspec

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt.dice.rolls import die_part
from sandtable.rulesets.stargrunt.forces.cards import Mounted, kit, squad, vehicle
from sandtable.rulesets.stargrunt.units.record import TARGET_KINDS, hull_of, standing
from sandtable.rulesets.stargrunt.vehicles.hulls import ARCS, LEVELS, OFF_LINE, system_die
from sandtable.rulesets.stargrunt.weapons import (
    COUNTED,
    GUIDED_MISSILES,
    HEAVY,
    HEAVY_WEAPONS,
    MISSILES,
    SUPPORT,
    SUPPORT_WEAPONS,
    named,
)

SUPPORT_DICE = rule("stargrunt.fire.support-weapon-dice")
HEAVY_DICE = rule("stargrunt.fire.heavy-weapon-dice")
BY_TARGET_SIZE = rule("stargrunt.fire.heavy-range-by-target-size")
MISSILE_DICE = rule("stargrunt.fire.guided-missile-dice")
AT_INFANTRY = rule("stargrunt.fire.heavy-weapons-at-infantry")
CREW_SERVED = rule("stargrunt.units.crew-served-weapons")

#: The switch of the option that measures heavy weapons by the size of their target.
TARGET_SIZE = "heavy-range-by-target-size"
#: The range band of a heavy weapon for each size class, in inches (stargrunt.fire.heavy-weapon-dice).
_BAND = HEAVY_DICE.formula("range_band")
#: What kinds of weapon there are.
SUPPORTING, GUN, GUIDED = "support weapon", "heavy weapon", "guided missile"
#: The state of a crew-served weapon: ready to fire, carried, wrecked, or left behind.
GUN_STATE = "crew-served weapon"
READY, PACKED, WRECKED, LEFT = "set up", "packed", "wrecked", "left behind"


class Arm(msgspec.Struct, frozen=True):
    """A weapon that is fired alone: the die beside Quality, its impact, and what it needs to fire."""

    id: str
    weapon: str
    kind: str
    die: int
    impact: int
    multiplier: int
    size: int
    rule: Rule
    part: ExplainedPart
    bearer: str  # the figure or hull whose rounds are counted
    mount: str = ""
    saw: bool = False

    @property
    def label(self) -> str:
        """The weapon as players say it."""
        return named(self.weapon)


def _support(name: str, weapon: str, bearer: str, mount: str = "") -> Arm:
    found = SUPPORT[weapon]
    part = die_part(named(weapon), found.firepower, SUPPORT_DICE)
    # Infantry support weapons count as size 1 where their size matters (stargrunt.vehicles.occupant-casualties).
    size = TARGET_KINDS.number("infantry_size")
    return Arm(
        name, weapon, SUPPORTING, found.firepower, found.impact, 1, size, SUPPORT_DICE, part, bearer, mount, found.saw
    )


def _missile(name: str, weapon: str, guidance: str, bearer: str, mount: str = "") -> Arm:
    found, die = MISSILES[weapon], system_die(guidance)
    part = die_part(f"{guidance} guidance", die, LEVELS)
    return Arm(name, weapon, GUIDED, die, found.impact, found.multiplier, found.size, MISSILE_DICE, part, bearer, mount)


def _gun(name: str, mounted: Mounted, bearer: str) -> Arm:
    found, die = HEAVY[mounted.weapon], system_die(mounted.fire_control)
    part = die_part(f"{mounted.fire_control} fire control", die, LEVELS)
    times = found.per_size * mounted.size
    return Arm(
        name, mounted.weapon, GUN, die, found.impact, times, mounted.size, HEAVY_DICE, part, bearer, mounted.mount
    )


def _mounted(name: str, mounted: Mounted, bearer: str) -> Arm:
    if mounted.weapon in HEAVY:
        return _gun(name, mounted, bearer)
    if mounted.weapon in MISSILES:
        return _missile(name, mounted.weapon, mounted.guidance, bearer, mounted.mount)
    return _support(name, mounted.weapon, bearer, mounted.mount)


def slug(weapon: str, before: int = 0) -> str:
    """What players call a weapon of a vehicle; the second of a kind has its number.

    >>> slug("gauss_autocannon"), slug("guided_missile_light", 1)
    ('gauss-autocannon', 'guided-missile-light-2')
    """
    return weapon.replace("_", "-") + (f"-{before + 1}" if before else "")


def fitted(mounts: tuple[Mounted, ...], bearer: str) -> list[Arm]:
    """The weapons of a design, each under a name of its own."""
    found = []
    for n, one in enumerate(mounts):
        before = sum(other.weapon == one.weapon for other in mounts[:n])
        found.append(_mounted(slug(one.weapon, before), one, bearer))
    return found


def arms(table: Table, unit: Thing) -> list[Arm]:
    """The weapons a unit can fire as heavy weapons: a vehicle's, a gun crew's, and missiles that figures carry."""
    hull = hull_of(table, unit.id)
    if hull is not None:
        return fitted(vehicle(hull).weapons, hull.id)
    data, found = squad(unit), []
    if data.heavy_weapon is not None and unit.value(GUN_STATE) == READY:
        found += fitted((data.heavy_weapon,), unit.id)
    for one in standing(table, unit.id):
        if kit(one).support_weapon in MISSILES:
            found.append(_missile(one.id, kit(one).support_weapon, data.guidance or "none", one.id))
    return found


def gun_of(unit: Thing) -> Arm | None:
    """The weapon that a gun crew came with, whatever has become of it; none for everybody else."""
    mounted = squad(unit).heavy_weapon
    return None if mounted is None else fitted((mounted,), unit.id)[0]


def arm_of(table: Table, unit: Thing, name: str) -> Arm:
    """A weapon of a unit by its name: a figure that carries it, or the weapon of a vehicle or gun crew."""
    thing = table.things.get(name)
    if thing is not None and kit(thing).support_weapon in SUPPORT:
        return _support(name, kit(thing).support_weapon, name)
    return next(one for one in arms(table, unit) if one.id == name)


def rounds(arm: Arm) -> str:
    """Under what a weapon's rounds are counted on its bearer; nothing where they are not.

    A figure carries one kind only; the launchers of a vehicle are counted each for itself.
    """
    counted = COUNTED.get(arm.weapon, "")
    return f"{counted} of {arm.id}" if counted and arm.mount else counted


def band_width(table: Table, arm: Arm, target_size: int) -> int:
    """The range band of a heavy weapon in inches (stargrunt.fire.heavy-weapon-dice, or by the option).

    >>> from sandtable.engine.table import Ground
    >>> gun = _gun("gun", Mounted("mass_driver", "turret", 3, "superior"), "V")
    >>> by_target = Table(Ground(0, 0), (), options={TARGET_SIZE: 1})
    >>> band_width(Table(Ground(0, 0), ()), gun, 1), band_width(by_target, gun, 1)
    (36, 12)
    """
    return _BAND * (target_size if table.options.get(TARGET_SIZE) else arm.size)


def works(hull: Thing | None) -> bool:
    """Whether the weapons of a unit can be fired at all: a vehicle's not while its systems are off-line."""
    return hull is None or not hull.has(OFF_LINE)


#: What may be said of a weapon that needs no more than being there.
BROUGHT = {GUN: HEAVY_WEAPONS, GUIDED: GUIDED_MISSILES, SUPPORTING: SUPPORT_WEAPONS}
assert {"turret", "restricted_turret", "fixed", "fixed_missile", "open", "ground"} == set(ARCS.names()), (
    "mounts have arcs"
)
