"""Hulls: what a vehicle is on the table, who is aboard, which face a shot strikes, and which way its weapons bear."""

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import ThingId
from sandtable.engine.shapes import In, Point, Polygon, Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import in_arc, outline_of
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.dice.rolls import die_part
from sandtable.rulesets.stargrunt.forces.cards import VEHICLE_SCHEMA, VEHICLES, Vehicle, catalogue, vehicle
from sandtable.rulesets.stargrunt.units.record import ARMOUR, BASES, TARGET_KINDS, in_power_armour, spot, standing

SIZES = rule("stargrunt.vehicles.size-classes")
ARMOUR_CLASS = rule("stargrunt.vehicles.armour-class")
FACING_HIT = rule("stargrunt.vehicles.facing-hit")
ARCS = rule("stargrunt.vehicles.fire-arcs")
LEVELS = rule("stargrunt.vehicles.system-levels")
HEAVY_HIT = rule("stargrunt.vehicles.heavy-hit-roll")
SYSTEMS_HIT = rule("stargrunt.vehicles.systems-hit")
DETAILS = rule("stargrunt.movement.transport-details")

FRONT, SIDE, REAR, TOP = "front", "side", "rear", "top"
#: What a vehicle's hull may be in: it cannot move any more, or nothing aboard works.
IMMOBILISED, OFF_LINE = "immobilised", "systems off-line"
#: Where in a vehicle somebody sits.
CREW, PASSENGERS = "crew", "passengers"

same_number(
    "the size classes", *(tuple(map(int, names)) for names in (SIZES.names(), BASES.names("vehicle_footprint_in")))
)
same_number(
    "the smallest and the largest",
    tuple(int(n) for n in (SIZES.names()[0], SIZES.names()[-1])),
    TARGET_KINDS.numbers("point_sizes"),
)
same_number("the sizes of the schema", tuple(map(int, SIZES.names())), VEHICLE_SCHEMA.numbers("schema", "size"))


def flies(hull: Thing) -> bool:
    """Whether a vehicle is made to fly: it never drives, in the air or on the ground."""
    return vehicle(hull).mobility.startswith("air")


def hovers(hull: Thing) -> bool:
    """Whether a craft can land and stand in the air."""
    return vehicle(hull).mobility == "air_vtol"


# Aboard ------------------------------------------------------------------------------------------------------------


def hulls(table: Table) -> list[Thing]:
    """The vehicles that are in play, on the table or waiting to enter."""
    return [
        one for one in table.of_kind("model") if one.base is not None and one.base.form == "rectangle" and not one.gone
    ]


def occupants(table: Table, hull: str) -> list[Thing]:
    """Everybody aboard a vehicle who is not dead, crew and passengers, in the order they came into play."""
    return [
        one for one in table.of_kind("model") if isinstance(one.place, In) and one.place.holder == hull and not one.gone
    ]


def units_aboard(table: Table, hull: str) -> list[ThingId]:
    """The units that have somebody aboard a vehicle, each once."""
    return list(dict.fromkeys(one.unit for one in occupants(table, hull)))


def spaces(figures: Sequence[Thing]) -> int:
    """How many spaces figures take in a carrier (stargrunt.movement.transport-details)."""
    one, suit = (DETAILS.number("spaces", word) for word in ("trooper", "power_armour"))
    return sum(suit if in_power_armour(figure) else one for figure in figures)


def room_in(table: Table, hull: Thing) -> int:
    """How many spaces a carrier has left for passengers."""
    aboard = [one for one in occupants(table, hull.id) if isinstance(one.place, In) and one.place.slot == PASSENGERS]
    return vehicle(hull).passengers - spaces(aboard)


# Faces and arcs ----------------------------------------------------------------------------------------------------


def outline(hull: Thing) -> Polygon:
    """The ground a vehicle stands on."""
    shape = footprint(hull)
    assert isinstance(shape, Polygon)
    return shape


def footprint(thing: Thing) -> Shape:
    """The ground that a figure or a vehicle stands on."""
    assert thing.base is not None
    return outline_of(thing.base, spot(thing), thing.facing)


def corners(hull: Thing) -> tuple[Point, ...]:
    """The four corners of a vehicle: front left, front right, rear right, rear left."""
    return outline(hull).points


def _cross(a: tuple[int, int], b: tuple[int, int]) -> int:
    return a[0] * b[1] - a[1] * b[0]


def face_hit(hull: Thing, source: Point) -> str:
    """The face of a vehicle that fire from a point strikes: front, side or rear (stargrunt.vehicles.facing-hit).

    Lines through opposite corners part the faces; who stands on such a line strikes the front rather than a side.

    >>> from sandtable.engine.shapes import At, Base
    >>> tank = Thing("V", base=Base("rectangle", 2000, 4000), place=At(Point(0, 0)))
    >>> [face_hit(tank, Point(*at)) for at in ((9000, 0), (2000, 1000), (2000, 1001), (-2000, 999))]
    ['front', 'front', 'side', 'rear']
    """
    at = spot(hull)
    left, right = [(corner.x - at.x, corner.y - at.y) for corner in corners(hull)[:2]]
    seen = (source.x - at.x, source.y - at.y)
    across, along = _cross(left, seen), _cross(seen, right)
    if across >= 0 and along >= 0:
        return FRONT
    return REAR if across < 0 and along < 0 else SIDE


def bears(hull: Thing, mount: str, at: Point) -> bool:
    """Whether a weapon on a mount can be brought to bear on a point (stargrunt.vehicles.fire-arcs)."""
    wide = ARCS.number(mount)
    return in_arc(spot(hull), hull.facing, at, -(wide // 2), wide - wide // 2)


# What it is made of ------------------------------------------------------------------------------------------------


class Armour(NamedTuple):
    """What stops a hit on a vehicle: a die and how often it counts."""

    die: int
    multiplier: int
    part: ExplainedPart


def armour_class(data: Vehicle, face: str) -> int:
    """The Armour Class of a face: the front is the design's, the others are one lower, but not less than 1.

    >>> [armour_class(catalogue()["anvil"].stats.vehicle, face) for face in (FRONT, SIDE, REAR, TOP)]
    [4, 3, 3, 3]
    """
    if face == FRONT or not data.armour_class:
        return data.armour_class
    return max(ARMOUR_CLASS.number("minimum"), data.armour_class - ARMOUR_CLASS.formula("other_faces"))


def armour_of(data: Vehicle, face: str, *, indirect: bool = False) -> Armour:
    """The armour roll of a face: a D12 times its class; a D6 for softskins, and for open tops under indirect fire."""
    kind = 0 if indirect and data.open_topped else armour_class(data, face)
    if not kind:
        die = ARMOUR_CLASS.number("softskin_die")
        return Armour(die, 1, die_part("softskin", die, ARMOUR_CLASS))
    die = ARMOUR.number("vehicle", "die")
    return Armour(die, kind, die_part(f"{face} armour", die, ARMOUR))


def system_die(level: str) -> int:
    """The die of a fire control, guidance or ECM system (stargrunt.vehicles.system-levels).

    >>> system_die("superior"), system_die("none")
    (10, 4)
    """
    return LEVELS.number(level)


def ecm_die(hull: Thing) -> int:
    """The ECM die of a vehicle; with its systems off-line it has none."""
    return system_die("none" if hull.has(OFF_LINE) else vehicle(hull).ecm)


def off_line(table: Table, unit: Thing) -> bool:
    """Whether nothing works aboard the vehicle that a unit crews: no fire, no radio, no sensors, no ECM, no EW."""
    return any(one.has(OFF_LINE) for one in standing(table, unit.id))


for _made in VEHICLES:
    _data = catalogue()[_made.text_at("id")].stats.vehicle
    assert _data is not None
    if _data.armour_class > _data.size:
        raise ValueError(f"{_made.id}: Armour Class {_data.armour_class} exceeds size class {_data.size}")
