"""Data cards: what a model can do in the column its damage has brought it to."""

from collections.abc import Mapping
from functools import cached_property, lru_cache

import msgspec

from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.catalogue import Card
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.datacard import Legs, Pair, column, systems
from sandtable.rulesets.quickstart.state_names import CountName

CARD = rule("quickstart.datacard.card-fields")
DAMAGE_TRACK = rule("quickstart.datacard.damage-track")
TRACK_RUNS_OUT = rule("quickstart.datacard.destroyed-when-track-runs-out")
MOVEMENT_VALUE = rule("quickstart.datacard.movement-value")
ARMOR_VALUE = rule("quickstart.datacard.armor-value")
CLOSE_COMBAT_VALUE = rule("quickstart.datacard.close-combat-value")
HARD_AND_SOFT = rule("quickstart.datacard.hard-and-soft-targets")
DAMAGE_CONTROL = rule("quickstart.datacard.damage-control-value")
RANGED_ASSAULT_VALUE = rule("quickstart.datacard.ranged-assault-value")
WEAPON_ENTRY = rule("quickstart.datacard.weapon-entry")
SPECIAL_ABILITIES = rule("quickstart.datacard.special-abilities")
THREAT_VALUE = rule("quickstart.datacard.threat-value")
CRITICAL_MOVEMENT = rule("quickstart.damage.critical-movement-order")
CRITICAL_TABLE = rule("quickstart.damage.critical-damage-table")

_LEGS = Legs(CRITICAL_TABLE.fraction("results", 4, "move_multiplier"), CRITICAL_TABLE.number("results", 5, "move"))


class Elevation(msgspec.Struct, frozen=True):
    """How high a model stands, and how high it lies."""

    standing: int
    prone: int


class Track(msgspec.Struct, frozen=True):
    """The damage track: one value a column."""

    column: tuple[int, ...]
    move: tuple[int, ...]
    armor: tuple[int, ...]
    close_combat: tuple[Pair, ...]
    damage_control: tuple[int | None, ...]


class Weapon(msgspec.Struct, frozen=True, dict=True, rename={"weapon_class": "class"}):
    """A weapon line of a card."""

    name: str
    type: str
    weapon_class: str
    count: int
    mounts: tuple[str, ...]
    range: int
    rav: tuple[Pair, ...]
    minimum_range: int = 0
    attributes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its name as an id: medium MAC is medium-mac."""
        return self.name.lower().replace(" ", "-")

    def has(self, attribute: str) -> bool:
        """Whether it has a special ability, of whatever rating."""
        return self._ratings.get(attribute, 0) > 0

    def rating(self, attribute: str) -> int:
        """The rating of a special ability, 0 where it has none."""
        return self._ratings.get(attribute, 0)

    @cached_property
    def _ratings(self) -> dict[str, int]:
        return ratings(self.attributes)


class Stats(msgspec.Struct, frozen=True, dict=True):
    """The numbers of a data card."""

    name: str
    model_type: str
    movement_class: str
    threat_value: int
    elevation: Elevation
    action_points: int
    damage_track: Track
    weapons: tuple[Weapon, ...]
    attributes: tuple[str, ...]
    quad: bool = False
    task: str = "attack"
    move_in_the_annotated_card: tuple[int, ...] = ()

    @cached_property
    def ratings(self) -> dict[str, int]:
        """The rating of each special ability."""
        return ratings(self.attributes)


def stem(attribute: str) -> str:
    """The name of a special ability without its rating.

    >>> stem("minimum_range_14"), stem("wizzo")
    ('minimum_range', 'wizzo')
    """
    head, _, tail = attribute.rpartition("_")
    return head if tail.isdigit() else attribute


def ratings(attributes: tuple[str, ...]) -> dict[str, int]:
    """The rating level behind the name of each special ability; one without a number counts 1.

    >>> ratings(("reinforced_2", "wizzo"))
    {'reinforced_2': 1, 'reinforced': 2, 'wizzo': 1}
    """
    found: dict[str, int] = {}
    for one in attributes:
        found.setdefault(one, 1)
        if stem(one) != one:
            found.setdefault(stem(one), int(one.rpartition("_")[2]))
    return found


CARDS = CardsInPlay("quickstart", Stats)
#: The catalogue of this edition, with the cards of more files behind it; and bringing those into play.
catalogue = CARDS.catalogue
#: Every card that is in play, by id.
HELD = CARDS.held


def card(model: Thing) -> Card[Stats]:
    """The card of a model."""
    return HELD[model.card]


def stats(model: Thing) -> Stats:
    """The numbers on a model's card."""
    return HELD[model.card].stats


def movement(model: Thing) -> int:
    """MV now: the column's value, halved for each crippled leg, less one for each damaged one, at least 0.

    quickstart.datacard.movement-value            the value of the column
    quickstart.damage.critical-movement-order     halving first, rounding .5 up each time
    """
    value = stats(model).damage_track.move[column(model)]
    return _LEGS.slowed(value, model.count(CountName.LEGS_CRIPPLED), model.count(CountName.LEGS_DAMAGED))


def armor(model: Thing) -> int:
    """The armor value now."""
    return stats(model).damage_track.armor[column(model)]


def damage_control(model: Thing) -> int | None:
    """The damage control value now; none is a dash, and no Repair Action."""
    return stats(model).damage_track.damage_control[column(model)]


def is_hard(model: Thing) -> bool:
    """Whether a model is a hard target (quickstart.datacard.hard-and-soft-targets)."""
    return has(model, "hard")


def against(pair: Pair, target: Thing) -> int:
    """The number of a hard/soft pair that counts against a target."""
    return pair[0] if is_hard(target) else pair[1]


def close_combat_value(model: Thing, target: Thing) -> int:
    """The close-combat value now, against a target; crippled weapon systems make it 0/0."""
    if model.count(CountName.WEAPONS_CRIPPLED):
        return against(_crippled("all_ccv"), target)
    return against(stats(model).damage_track.close_combat[column(model)], target)


def ranged_assault_value(model: Thing, weapon: Weapon, target: Thing) -> int:
    """The ranged assault value of a weapon now, against a target; crippled weapon systems make it 0/0."""
    if model.count(CountName.WEAPONS_CRIPPLED):
        return against(_crippled("all_rav"), target)
    return against(weapon.rav[column(model)], target)


def _crippled(which: str) -> Pair:
    first, second = CRITICAL_TABLE.numbers("results", 11, which)
    return first, second


def has(model: Thing, attribute: str) -> bool:
    """Whether a model has a special ability (quickstart.datacard.special-abilities)."""
    return rating(model, attribute) > 0


def rating(model: Thing, attribute: str) -> int:
    """The rating of a model's special ability, 0 where it has none."""
    return stats(model).ratings.get(attribute, 0)


def weapons(model: Thing) -> Mapping[str, Weapon]:
    """The weapon systems of a model by id; of two alike the second is called `-2` (quickstart.datacard.weapon-entry).

    Each is a system of its own that fires and runs out of ammo separately.
    """
    return systems_of(model.card)


@lru_cache(maxsize=256)
def systems_of(card_id: str) -> Mapping[str, Weapon]:
    """The weapon systems of a card by id."""
    return systems(HELD[card_id].stats.weapons)


def is_infantry(model: Thing) -> bool:
    """Whether a model is infantry."""
    return stats(model).model_type == "infantry"


def is_cav(model: Thing) -> bool:
    """Whether a model is a CAV, the only kind that makes pilot checks."""
    return stats(model).model_type == "cav"
