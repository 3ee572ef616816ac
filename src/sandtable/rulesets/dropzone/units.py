"""Units, squads and Battlegroups: what a card says, what belongs together, and who is near enough to whom."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

import msgspec

from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.shapes import In
from sandtable.engine.table import Table, Thing, following_from_formation
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.ledger import rule
from sandtable.forces.reading import Length
from sandtable.tabletop.chapters import Chapter

LEVELS = rule("dropzone.units.unit-squad-battlegroup")
TYPES = rule("dropzone.units.types")
COHERENCY = rule("dropzone.units.coherency")
OUT_OF_COHERENCY = rule("dropzone.units.out-of-coherency")
STATISTICS = rule("dropzone.units.unit-statistics")
WEAPON_STATISTICS = rule("dropzone.units.weapon-statistics")
DESTROYED = rule("dropzone.units.destroyed")
FAST = rule("dropzone.aircraft.fast")
ACTION_LIST = rule("dropzone.actions.list")
NOTATION = rule("dropzone.special-rules.notation")
WIDE = rule("dropzone.special-rules.wide")

Reach = Length | Literal["inf", "CQ"]
FAMILIES = {family: TYPES.texts("families", family) for family in TYPES.names("families")}

#: States of a squad: the Battlegroup it belongs to, that it stands outside them, and that it has acted this round.
BATTLEGROUP, AUXILIARY, ACTED = "battlegroup", "auxiliary", "acted"
#: A state of a Battlegroup: it has been activated this round.
ACTIVATED = "activated"
#: A state of a Battlegroup: its kind. Options of a unit: the kind of its Battlegroup, and what players call the squad.
GROUP_KIND, KIND_OPTION, CALLED = "kind of battlegroup", "kind", "called"
#: States of a unit: it is in the air; how far it has moved this round; which weapons it has fired.
AIRBORNE, MOVED, FIRED = "airborne", "moved", "fired"
#: A state of a unit: it flies high this round. A state of a squad: it has made a Shooting action this round.
HIGH, SHOT = "high", "has shot"
#: A state of an Auxiliary squad: the Battlegroup it has been named with this round.
NAMED = "named with"
#: What is counted on a Behemoth: how much Armour, and how many inches of MV, it has lost.
ARMOUR_LOST, MOVE_LOST = "armour lost", "move lost"
#: Where squads wait that are not on the table.
READINESS, RESERVE = "in readiness", "in reserve"
#: States of a Behemoth: the weapons it has lost, and that it is held for a drop.
LOST_WEAPONS, HELD = "lost weapons", "held for a drop"
#: Until when states last that a round ends.
END_OF_ROUND = "end of round"


class Countermeasures(msgspec.Struct, frozen=True):
    """Active, Passive with its number, Evasion with its penalty."""

    active: bool
    passive: int | None
    evasion: int


class SquadSize(msgspec.Struct, frozen=True):
    """How many units a squad has."""

    min: int
    max: int


class MoveRange(msgspec.Struct, frozen=True):
    """The least and greatest MV of a Fast unit."""

    min: Length
    max: Length


@cache
def _spelled(name: str) -> str:
    return name.lower().replace(" ", "-")


class Weapon(msgspec.Struct, frozen=True):
    """A weapon as a card has it."""

    name: str
    move_and_fire_in: Length | None
    arc: tuple[Literal["front", "side_left", "side_right", "rear"], ...]
    range_full_in: Reach
    range_countered_in: Reach
    shots: int
    accuracy: int | None
    energy: int
    special: tuple[str, ...]

    @property
    def id(self) -> str:
        """Its name as cases and parts of plans spell it."""
        return _spelled(self.name)

    @property
    def close_quarters(self) -> bool:
        """Whether it reaches the same Garrison only."""
        return self.range_full_in == "CQ"

    @property
    def automatic(self) -> bool:
        """Whether it hits with every Shot."""
        return not self.accuracy


class Zone(msgspec.Struct, frozen=True):
    """A zone of a Behemoth: its Damage Points in equal blocks, and what the end of each does."""

    points_per_block: int
    blocks: int
    crippled: dict[str, int]

    @property
    def points(self) -> int:
        """Its Damage Points."""
        return self.points_per_block * self.blocks


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """What a card says of a unit."""

    id: str
    force: str
    name: str
    role: str
    points: int
    category: str
    move_in: Length | MoveRange
    countermeasures: Countermeasures
    armour: int
    damage_points: int | None
    type: str
    fortitude: int | None
    special: tuple[str, ...]
    squad_size: SquadSize
    requirement: dict[str, int] | None
    capacity: dict[str, int] | None
    radius_in: Length
    height_in: Length
    weapons: tuple[Weapon, ...]
    spread_in: Length = 0
    zones: dict[str, Zone] = {}

    @property
    def track(self) -> int:
        """The Damage Points it begins with, those of its zones together."""
        return (self.damage_points or 0) + sum(zone.points for zone in self.zones.values())


CARDS = CardsInPlay("dropzone", Unit)


def card(unit: Thing) -> Unit:
    """The card of a unit."""
    return CARDS.held[unit.card].stats


def value_of(special: Sequence[str], word: str) -> int | None:
    """The number that a special rule comes with (0 where it has none), or none where it is not on the list.

    >>> value_of(("aa-2", "indirect"), "aa"), value_of(("indirect",), "indirect"), value_of((), "aa")
    (2, 0, None)
    """
    for one in special:
        if one == word:
            return 0
        stem, _, rest = one.rpartition("-")
        if stem == word and rest.isdigit():
            return int(rest)
    return None


def kind(unit: Thing) -> str:
    """Its type; a landed Aircraft counts as a Vehicle, but flies like an Aircraft."""
    return card(unit).type


def is_kind(unit: Thing, *kinds: str) -> bool:
    """Whether a unit is of one of some types or families, as it stands: a landed Aircraft is a Vehicle."""
    own = kind(unit)
    if own in FAMILIES["aircraft"] and not unit.has(AIRBORNE):
        return "vehicle" in kinds
    return any(own == one or own in FAMILIES.get(one, ()) for one in kinds)


def is_behemoth(unit: Thing) -> bool:
    """Whether something is a Behemoth."""
    return unit.kind == "model" and kind(unit) == "behemoth"


def acting_on(target: Thing, special: Sequence[str]) -> tuple[str, ...]:
    """The special rules of a weapon that act on what it hits: on a Behemoth only those that name it."""
    if not is_behemoth(target):
        return tuple(special)
    return tuple(one for one in special if one.startswith("devastator-") and {"behemoth", "all"} & {*one.split("-")})


def flies(unit: Thing) -> bool:
    """Whether its type is that of Aircraft, in the air or landed."""
    return kind(unit) in FAMILIES["aircraft"]


def is_fast(unit: Thing) -> bool:
    """Whether a unit is Fast: it has a least MV."""
    return isinstance(card(unit).move_in, MoveRange)


def squad_of(table: Table, unit: Thing) -> Thing:
    """The squad of a unit."""
    return table[unit.unit]


def squad_called(table: Table, name: str) -> Thing | None:
    """The squad of a name, or of a unit of that name; none where there is neither."""
    thing = table.things.get(name)
    squad = table.things.get(thing.unit) if thing is not None and thing.kind == "model" else thing
    return squad if squad is not None and squad.kind == "unit" else None


def squads(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The squads of a side, or all, that still have units."""
    return [one for one in table.of_kind("unit") if (not side or one.side == side) and table.members(one.id)]


def units_on_table(table: Table, squad: str) -> list[Thing]:
    """The units of a squad that stand on the table themselves."""
    return [one for one in table.members(squad) if one.on_table]


def inside(table: Table, holder: str) -> list[Thing]:
    """The units that are in a Garrison or a Transport themselves, not in something that is in it."""
    return [table[name] for name in _held(table).get(holder, ())]


@following_from_formation
def _held(table: Table) -> dict[str, list[str]]:
    """Who is in each Garrison and Transport."""
    found: dict[str, list[str]] = {}
    for one in table.of_kind("model"):
        if not one.gone and isinstance(one.place, In):
            found.setdefault(one.place.holder, []).append(one.id)
    return found


def battlegroup(squad: Thing) -> str:
    """The Battlegroup of a squad; empty for Auxiliary squads."""
    return str(squad.value(BATTLEGROUP) or "")


def coherency_distance(unit: Thing) -> int:
    """How near the next unit of the squad must be; a Wide one's is doubled."""
    stats = card(unit)
    if not COHERENCY.has("coherency_in", stats.type):
        return 0
    distance = COHERENCY.inches("coherency_in", stats.type)
    return 2 * distance if value_of(stats.special, "wide") is not None else distance


def moved(unit: Thing) -> int | None:
    """How far a unit has moved this round; none where it has not."""
    far = unit.value(MOVED)
    return far if isinstance(far, int) else None


def fired(unit: Thing) -> tuple[str, ...]:
    """The weapons a unit has fired this round."""
    return unit.words(FIRED)


def lost_weapons(unit: Thing) -> tuple[str, ...]:
    """The weapons that a Behemoth has lost."""
    return unit.words(LOST_WEAPONS)


def worth(units: Iterable[Thing]) -> int:
    """What some units cost together."""
    return sum(card(one).points for one in units)


def in_play(thing: Thing) -> list[str]:
    """The rules that a unit brings by being there: its card, and that it is a unit of a squad."""
    if thing.kind != "model" or thing.card not in CARDS.held:
        return []
    shown = CARDS.held[thing.card]
    found: list[str] = [LEVELS.id, STATISTICS.id, WEAPON_STATISTICS.id, NOTATION.id, TYPES.id]
    if value_of(shown.stats.special, "wide") is not None:
        found.append(WIDE.id)
    return [*found, shown.rule] if shown.rule else found


CHAPTER = Chapter(
    in_play=in_play,
    states={
        BATTLEGROUP: "the Battlegroup of a squad",
        AUXILIARY: "it belongs to no Battlegroup",
        ACTED: "the squad has acted this round, or somebody of the Battlegroup has",
        NAMED: "the Battlegroup that an Auxiliary squad was named with this round",
        ACTIVATED: "the Battlegroup has been activated this round",
        GROUP_KIND: "the kind of a Battlegroup",
        AIRBORNE: "it is in the air",
        MOVED: "how far it has moved this round, in thousandths",
        FIRED: "the weapons it has fired this round",
        HIGH: "it flies high this round",
        SHOT: "the squad has made a Shooting action this round",
    },
    options={
        "battlegroup": "the Battlegroup of its squad, by name; without it the squad is one of its own",
        "auxiliary": "1 where its squad belongs to no Battlegroup",
        KIND_OPTION: "the kind of its Battlegroup: hq, frontline, armour, vanguard or war_engine",
        CALLED: "what players call its squad",
    },
)
