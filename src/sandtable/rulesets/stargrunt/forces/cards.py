"""Forces: squads and vehicles as the catalogue has them, and the figures they are made of."""

from functools import lru_cache

import msgspec

from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.catalogue import Card
from sandtable.forces.files import FileError, Node
from sandtable.forces.ledger import rule
from sandtable.forces.reading import convert

SCHEMA = rule("stargrunt.forces.squad-schema")
#: The rules that describe a squad each; they fire when their squad is in play.
SQUADS = tuple(
    rule(f"stargrunt.forces.{name}")
    for name in (
        *("harrow-command", "harrow-rifle-squad", "harrow-missile-squad", "harrow-suit-squad", "harrow-sniper"),
        *("dust-command", "dust-militia-squad", "dust-armed-townsfolk", "dust-breakers", "dust-tripod-gun"),
    )
)
VEHICLE_SCHEMA = rule("stargrunt.forces.vehicle-schema")
#: The rules that describe a vehicle each; they fire when their vehicle is in play.
VEHICLES = tuple(
    rule(f"stargrunt.forces.vehicle-{name}") for name in ("warden", "anvil", "jackdaw", "hauler", "pickup", "skua")
)


class Figures(msgspec.Struct, frozen=True):
    """Some figures alike."""

    role: str
    count: int
    small_arm: str
    support_weapon: str = ""


class Mounted(msgspec.Struct, frozen=True):
    """A weapon of a vehicle or a gun crew: heavy with fire control, guided, or an infantry support weapon."""

    weapon: str
    mount: str
    size: int = 0
    fire_control: str = "none"
    guidance: str = ""


class Crew(msgspec.Struct, frozen=True):
    """The crew of a vehicle: how many, and what they wear inside."""

    count: int
    armour: str


class Vehicle(msgspec.Struct, frozen=True):
    """The data of a vehicle (stargrunt.forces.vehicle-schema)."""

    id: str
    force: str
    size: int
    armour_class: int
    mobility: str
    suspension: str
    crew: Crew
    own_crew: bool
    quality: str | None
    leadership: int | None
    ecm: str
    weapons: tuple[Mounted, ...]
    passengers: int
    decoys: bool
    capacity_used: int
    landing_class: str = ""
    command_level: str = VEHICLE_SCHEMA.text_at("defaults", "command_level")
    sensors: str = VEHICLE_SCHEMA.text_at("defaults", "sensors")
    terror: bool = VEHICLE_SCHEMA.flag("defaults", "terror")
    amphibious: bool = VEHICLE_SCHEMA.flag("defaults", "amphibious")
    open_topped: bool = False
    engineer: bool = False
    command_equipment: bool = False


class _SquadData(msgspec.Struct, frozen=True):
    """The data of a squad (stargrunt.forces.squad-schema)."""

    id: str
    force: str
    quality: str
    leadership: int
    command_level: str
    armour: str
    mobility: str
    sensors: str
    figures: tuple[Figures, ...]
    transport: str | None = None
    terror: bool = False
    close_combat: tuple[str, ...] = ()
    ew: str = ""
    guidance: str = ""
    missiles: int = 0
    rockets_each: int = 1
    heavy_weapon: Mounted | None = None
    independent: bool = False
    may_start_hidden: bool = False
    medical: bool = False


class Squad(_SquadData, frozen=True):
    """The data of a unit: a squad, or the crew of a vehicle as the squad it is when it has left it."""

    vehicle: Vehicle | None = None

    @classmethod
    def from_node(cls, node: Node, name: str, error: type[FileError]) -> "Squad":
        """Read a card of the catalogue: what has a size class is a vehicle."""
        if node.child("armour_class") is None:
            return cls(**msgspec.structs.asdict(convert(node, _SquadData, name, error)))
        return crewed(convert(node, Vehicle, name, error))


#: What the crew of a vehicle wear and carry once they have left it (stargrunt.vehicles.bailing-out).
ON_FOOT = ("battledress", "foot", "light_autopistol")


def crewed(vehicle: Vehicle) -> Squad:
    """A vehicle with its crew as a small infantry unit: the commander leads."""
    armour, mobility, arm = ON_FOOT
    roles = (("leader", min(1, vehicle.crew.count)), ("crew", max(0, vehicle.crew.count - 1)))
    return Squad(
        id=vehicle.id,
        force=vehicle.force,
        quality=vehicle.quality or "",
        leadership=vehicle.leadership or 0,
        command_level=vehicle.command_level,
        armour=armour,
        mobility=mobility,
        sensors=vehicle.sensors,
        figures=tuple(Figures(role, count, arm) for role, count in roles if count),
        terror=vehicle.terror,
        vehicle=vehicle,
    )


class Kit(msgspec.Struct, frozen=True):
    """What one figure is and carries."""

    role: str
    small_arm: str
    support_weapon: str


CARDS = CardsInPlay("stargrunt", Squad)
#: The squads of the ledger, with those of more files behind them; and bringing those into play.
catalogue = CARDS.catalogue
#: Every card that is in play, by id.
HELD = CARDS.held


def card(thing: Thing) -> Card[Squad]:
    """The card of a unit or of one of its figures."""
    return HELD[thing.card]


def squad(thing: Thing) -> Squad:
    """The data of a unit, or of the unit a figure came with."""
    return HELD[thing.card].stats


@lru_cache(maxsize=256)
def _kits(card_id: str) -> tuple[Kit, ...]:
    entries = HELD[card_id].stats.figures
    return tuple(Kit(one.role, one.small_arm, one.support_weapon) for one in entries for _ in range(one.count))


def kits(thing: Thing) -> tuple[Kit, ...]:
    """What the figures of a squad carry, in the order of its data."""
    return _kits(thing.card)


#: A figure that has left a wrecked suit, and what it has then (stargrunt.actions.power-armour-casualties).
OUT_OF_SUIT = "out of its suit"
UNSUITED_ARMOUR, UNSUITED_MOBILITY, UNSUITED_ARM = "battledress", "foot", "light_autopistol"


#: What stands for the kit of a vehicle's hull, which is no figure.
_HULL = Kit("vehicle", "", "")


def kit(figure: Thing) -> Kit:
    """What a figure is and carries; the hull of a vehicle carries nothing of its own."""
    number = figure.count("number")
    if figure.has(OUT_OF_SUIT):
        return Kit(_kits(figure.card)[number - 1].role, UNSUITED_ARM, "")
    return _kits(figure.card)[number - 1] if number else _HULL


def role_words(figure: Thing) -> str:
    """What a figure is in its squad, as players say it."""
    return kit(figure).role.replace("ew_", "EW ").replace("_", " ")


def vehicle(thing: Thing) -> Vehicle:
    """The data of a vehicle: of its hull, or of the unit that is its crew."""
    found = HELD[thing.card].stats.vehicle
    assert found is not None, f"{thing.id} is no vehicle"
    return found
