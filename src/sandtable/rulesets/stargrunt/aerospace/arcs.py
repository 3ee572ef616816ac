"""What the weapons of a craft in the air bear on, and how they are worse for it."""

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap, in_arc, on_or_inside
from sandtable.field.templates import corridor
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.dice.rolls import die_part, shifted
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, Arm
from sandtable.rulesets.stargrunt.units.record import AIRBORNE, hull_of, spot
from sandtable.rulesets.stargrunt.vehicles.hulls import hovers

FROM_THE_AIR = rule("stargrunt.aerospace.firing-from-the-air")
#: As long as any table: how far ahead a fixed weapon of a craft sweeps.
_FAR = 500 * UNIT


def flown(table: Table, unit: Thing) -> Thing | None:
    """The craft that a unit flies, while it is in the air."""
    hull = hull_of(table, unit.id)
    return hull if hull is not None and hull.has(AIRBORNE) else None


def least_range(hull: Thing, arm: Arm) -> int:
    """How near a weapon of a craft in the air can fire; missiles have no such limit."""
    if arm.kind == GUIDED:
        return 0
    if arm.mount == "fixed":
        return FROM_THE_AIR.inches("fixed", "minimum_in", "vtol" if hovers(hull) else "other")
    return FROM_THE_AIR.inches("turret", "minimum_in")


def bears_from_air(hull: Thing, arm: Arm, at: Point) -> bool:
    """Whether a weapon of a craft in the air bears on a point (stargrunt.aerospace.firing-from-the-air)."""
    if arm.kind != GUIDED and arm.mount == "fixed":
        return on_or_inside(corridor(spot(hull), hull.facing, _FAR, FROM_THE_AIR.inches("fixed", "corridor_in")), at)
    half = FROM_THE_AIR.number("guided" if arm.kind == GUIDED else "turret", "arc") // 2
    return in_arc(spot(hull), hull.facing, at, -half, half)


def refused_from_air(hull: Thing, arm: Arm, at: Point, label: str) -> Refusal | None:
    """Why a craft in the air may not fire a weapon at a point."""
    if not bears_from_air(hull, arm, at):
        return Refusal(FROM_THE_AIR.id, f"The {arm.label} of {hull.label} does not bear on {label}.")
    least = least_range(hull, arm)
    if center_gap(spot(hull), at) < least * least:
        return Refusal(FROM_THE_AIR.id, f"{hull.label} fires its {arm.label} no nearer than {inches(least)}.")
    return None


def from_the_air(table: Table, firer: Thing, target: Thing, arm: Arm) -> Arm:
    """A weapon as it is fired: a missile of a craft in the air is guided worse outside the front quarter."""
    hull = flown(table, firer)
    if hull is None or arm.kind != GUIDED:
        return arm
    half = FROM_THE_AIR.number("guided", "full_arc") // 2
    if in_arc(spot(hull), hull.facing, centre_point(table, target.id), -half, half):
        return arm
    die = shifted(arm.die, FROM_THE_AIR.number("guided", "outside_shift"))
    return replace(arm, die=die, part=die_part("guidance off the nose", die, FROM_THE_AIR))
