"""Designing vehicles: what fits into a size class (stargrunt.vehicles.design)."""

from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.forces.files import ScenarioError
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.forces.cards import Mounted, Vehicle, catalogue
from sandtable.rulesets.stargrunt.vehicles.hulls import DETAILS, SIZES
from sandtable.rulesets.stargrunt.weapons import HEAVY, MISSILES, named

DESIGN = rule("stargrunt.vehicles.design")

#: The switch that holds every vehicle of a battle to the design rules.
SWITCH = "design"
_MISSILES = {"guided_missile_light": "gms_light", "guided_missile_heavy": "gms_heavy"}
_TURRETS = ("turret", "restricted_turret")

same_number("a passenger takes a space", DESIGN.number("passenger"), DETAILS.number("spaces", "trooper"))
same_number("a suit takes two", DESIGN.number("power_armour_passenger"), DETAILS.number("spaces", "power_armour"))


def capacity(data: Vehicle) -> int:
    """What a vehicle of a size class can hold."""
    return DESIGN.number("capacity_per_class") * data.size


def used(data: Vehicle) -> Explanation:
    """What the weapons, passengers and equipment of a vehicle take up, part by part.

    >>> used(catalogue()["anvil"].stats.vehicle).words()
    'mass driver +9 · rapid fire autocannon +2'
    """
    parts, turrets, free = [], 0, True
    for one in data.weapons:
        cost = _cost(one, first=one.mount in _TURRETS and not turrets)
        turrets += one.mount in _TURRETS and one.weapon in HEAVY
        if free and one.mount == "open" and one.weapon == "machine_gun":
            cost, free = 0, False
        if cost:
            parts.append(ExplainedPart(named(one.weapon), cost, DESIGN.id))
    if data.passengers:
        spaces = data.passengers * DESIGN.number("passenger")
        parts.append(ExplainedPart(f"{data.passengers} passengers", spaces, DESIGN.id))
    if data.command_equipment:
        parts.append(ExplainedPart("command equipment", DESIGN.number("command_equipment"), DESIGN.id))
    return explain("capacity", *parts)


def _cost(one: Mounted, *, first: bool) -> int:
    if one.weapon in HEAVY:
        return one.size * DESIGN.number("turret" if first else "fixed")
    return DESIGN.number(_MISSILES.get(one.weapon, "support_weapon"))


def wrong_with(data: Vehicle) -> str:
    """Why a vehicle is no lawful design; empty where it is one."""
    taken = used(data)
    if taken.total > capacity(data):
        return f"{data.id} takes {taken.total} of {capacity(data)}: {taken.words()}"
    if data.armour_class > data.size:
        return f"{data.id} has Armour Class {data.armour_class} at size class {data.size}"
    if str(data.size) not in SIZES.names():
        return f"{data.id} has size class {data.size}"
    for one in data.weapons:
        if one.weapon in HEAVY and one.size not in HEAVY[one.weapon].sizes:
            return f"{data.id} has a {named(one.weapon)} of size {one.size}"
        if one.weapon in MISSILES and one.size != MISSILES[one.weapon].size:
            return f"{data.id} has a {named(one.weapon)} of size {one.size}"
    return ""


def hold_to_design(data: Vehicle) -> None:
    """Refuse a set-up with a vehicle that could not be built."""
    wrong = wrong_with(data)
    if wrong:
        raise ScenarioError("set-up", 0, wrong, "take something out, or switch the design rules off")


for _made in catalogue():
    if _made.stats.vehicle is not None:
        same_number(f"the capacity {_made.id} uses", used(_made.stats.vehicle).total, _made.stats.vehicle.capacity_used)
        same_number(f"what is wrong with {_made.id}", wrong_with(_made.stats.vehicle), "")
