"""Data cards: what a model can do in the column its damage has brought it to."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache

import msgspec

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.catalogue import Card
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.datacard import Legs, systems
from sandtable.rulesets.cav.datacard import column as column_of
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.tabletop.chapters import Chapter

CARD = rule("strikeops.datacard.one-card-per-model")
TRACK = rule("strikeops.datacard.damage-track")
VALUES = rule("strikeops.datacard.values-by-column")
TYPE = rule("strikeops.datacard.model-type-and-size")
THREAT = rule("strikeops.datacard.threat-value")
MOVE_VALUE = rule("strikeops.datacard.move-class-and-value")
ARMOR_VALUE = rule("strikeops.datacard.armor-value")
EXPERIENCE = rule("strikeops.datacard.experience-value")
DAMAGE_CONTROL = rule("strikeops.datacard.damage-control-value")
WEAPON_ENTRY = rule("strikeops.datacard.weapon-entry")
RANGED_VALUE = rule("strikeops.datacard.ranged-attack-values")
ATTRIBUTES = rule("strikeops.datacard.model-special-attributes")
SMALL_BOARD = rule("strikeops.setup.small-board")
FORMAT = rule("strikeops.roster.card-format")
COLUMN_IN_USE = rule("strikeops.damage.column-in-use")
DRIVES = rule("strikeops.damage.drive-criticals")
RELENTLESS = rule("strikeops.attributes.relentless-movement")
STATES_SLOW = {
    StateName.BURNING: rule("strikeops.states.burning").number("mv"),
    StateName.HACKED: rule("strikeops.states.hacked").number("mv"),
}

_LEGS = Legs(Fraction(str(DRIVES.scalar("crippled", "mv_factor"))), DRIVES.number("damaged", "mv"))

#: The hard and the soft number of a RAV; none is NA, which cannot harm such a target.
Rav = tuple[int | None, int | None]


class Columns(msgspec.Struct, frozen=True):
    """The damage track: one value a column, from unharmed to the last."""

    move_value: tuple[int, ...]
    armor_value: tuple[int, ...]
    exp: tuple[int, ...]
    damage_control: tuple[int | None, ...]


class Weapon(msgspec.Struct, frozen=True, dict=True, rename={"weapon_class": "class"}):
    """A weapon line of a card: so many of one family and class."""

    family: str
    weapon_class: str
    fire: str
    count: int
    mounts: tuple[str, ...]
    range: int | None = None
    minimum_range: int | None = None
    rav: tuple[Rav, ...] | None = None
    attributes: dict[str, int | bool | str] = {}

    @cached_property
    def id(self) -> str:
        """Its class and family as an id."""
        if self.weapon_class == self.family:
            return self.family.replace("_", "-")
        return f"{self.weapon_class}-{self.family}".replace("_", "-")

    @property
    def name(self) -> str:
        """Its class and family as players say them."""
        return self.id.replace("-", " ")

    def has(self, attribute: str) -> bool:
        """Whether it has a special attribute."""
        return attribute in self.attributes

    def rating(self, attribute: str) -> int:
        """The rating of a special attribute; one without a number counts 1, none 0."""
        value = self.attributes.get(attribute, 0)
        return value if isinstance(value, int) else 1


class System(msgspec.Struct, frozen=True):
    """One weapon of a line, with the mount of its own; infantry carry theirs."""

    weapon: Weapon
    mount: str


class Stats(msgspec.Struct, frozen=True, dict=True):
    """The numbers of a data card."""

    name: str
    faction: str
    model_type: str
    task: str
    move_class: str
    damage_tracks: int
    threat_value: int
    columns: Columns
    weapons: tuple[Weapon, ...]
    attributes: dict[str, int | bool | str | tuple[str, ...]]
    chassis_size: str = ""
    kind: str = ""
    variety: str = ""
    pylons: int = 0
    engineering_options: tuple[str, ...] = ()
    construction: dict[str, str] = {}  # how its points come about; nothing of it decides in play


CARDS = CardsInPlay("strikeops", Stats)


def card(model: Thing) -> Card[Stats]:
    """The card of a model."""
    return CARDS.held[model.card]


def stats(model: Thing) -> Stats:
    """The numbers on a model's card."""
    return CARDS.held[model.card].stats


def column(model: Thing) -> int:
    """The column whose values count: what was repaired in this activation changes them with the next.

    strikeops.datacard.damage-track     one column a point
    strikeops.damage.column-in-use      the column at the start of an activation counts throughout
    """
    return min(column_of(model) + model.count(CountName.REPAIRED), model.track - 1)


def halved(model: Thing, value: int) -> int:
    """MV or a range in inches: on a small board half of it, rounded up (strikeops.setup.small-board)."""
    return -(-value // 2) if model.has(StateName.SMALL_BOARD) else value


def reach(model: Thing, length: int) -> int:
    """The range of an attribute of a model, in thousandths (strikeops.setup.small-board)."""
    return halved(model, length // UNIT) * UNIT


def movement(model: Thing) -> int:
    """MV now: the column's, less critical damage to the drive, less what states take, at least 0.

    strikeops.damage.drive-criticals            halved for each crippled, .5 up, then 1 less for each damaged
    strikeops.attributes.relentless-movement    one of all that damage took is given back
    """
    whole = stats(model).columns.move_value
    value = _LEGS.slowed(
        halved(model, whole[column(model)]),
        model.count(CountName.DRIVE_CRIPPLED),
        model.count(CountName.DRIVE_DAMAGED),
    )
    if has(model, "relentless"):
        value = max(value, min(halved(model, whole[0]), value + RELENTLESS.number("mv_loss_reduction")))
    return max(0, value + sum(slower for state, slower in STATES_SLOW.items() if model.has(state)))


def armor(model: Thing) -> int:
    """The armor value now."""
    return stats(model).columns.armor_value[column(model)]


def experience(model: Thing) -> int:
    """The experience of its crew now; low is good."""
    return stats(model).columns.exp[column(model)]


def damage_control(model: Thing) -> int | None:
    """The repair value now; none is a dash."""
    return stats(model).columns.damage_control[column(model)]


def gait(model: Thing) -> str:
    """The move class of a model, with the attributes that change what terrain costs it."""
    return " ".join([stats(model).move_class, *(one for one in ("superior_mobility", "amphibious") if has(model, one))])


def is_cav(model: Thing) -> bool:
    """Whether a model is a CAV."""
    return stats(model).model_type == "cav"


def is_quad(model: Thing) -> bool:
    """Whether a model is a CAV on four legs, which cannot twist its torso."""
    return stats(model).kind == "quad"


def is_infantry(model: Thing) -> bool:
    """Whether a model is infantry."""
    return stats(model).model_type == "infantry"


def is_hard(model: Thing) -> bool:
    """Whether a model is a hard target (strikeops.attributes.hard)."""
    return has(model, "hard")


def has(model: Thing, attribute: str) -> bool:
    """Whether a model has a special attribute."""
    return rating(model, attribute) > 0


def rating(model: Thing, attribute: str) -> int:
    """The rating of a model's special attribute; one without a number counts 1, none 0."""
    value = stats(model).attributes.get(attribute, 0)
    return value if isinstance(value, int) else 1


def rav(model: Thing, weapon: Weapon, target: Thing) -> int | None:
    """The RAV of a weapon now against a target, hard or soft; none is NA."""
    if weapon.rav is None:
        return None
    return weapon.rav[column(model)][0 if is_hard(target) else 1]


def weapons(model: Thing) -> Mapping[str, System]:
    """The weapons of a model by id; of two alike the second is called `-2`."""
    return _systems(model.card, model.has(StateName.SMALL_BOARD))


def _ranges(weapon: Weapon) -> dict[str, int | None]:
    return {"range": weapon.range, "minimum_range": weapon.minimum_range}


@lru_cache(maxsize=256)
def _systems(card_id: str, small: bool) -> Mapping[str, System]:
    """The weapons of a card; on a small board they reach, and spare, half as far (strikeops.setup.small-board)."""
    found: dict[str, System] = {}
    for name, weapon in systems(CARDS.held[card_id].stats.weapons).items():
        if small:
            ranges = {key: value and -(-value // 2) for key, value in _ranges(weapon).items()}
            weapon = msgspec.structs.replace(weapon, **ranges)
        number = int(tail) - 1 if (tail := name[len(weapon.id) + 1 :]) else 0
        found[name] = System(weapon, weapon.mounts[number] if weapon.mounts else "")
    return found


def in_play(thing: Thing) -> list[str]:
    """The rules that a model brings into play by being there."""
    if thing.kind != "model" or not thing.card:
        return []
    printed = card(thing).rule
    return [
        *([printed] if printed else []),
        CARD.id,
        TYPE.id,
        VALUES.id,
        FORMAT.id,
        WEAPON_ENTRY.id,
        ATTRIBUTES.id,
        EXPERIENCE.id,
        THREAT.id,
    ]


CHAPTER = Chapter(in_play=in_play)
