"""Forces: squads as the catalogue has them, and the figures they are made of."""

from functools import cache, lru_cache
from pathlib import Path

import msgspec

from sandtable.engine.table import Thing
from sandtable.forces.catalogue import Card, Catalogue, package_catalogue
from sandtable.forces.ledger import ledger, rule

SCHEMA = rule("stargrunt.forces.squad-schema")
#: The rules that describe a squad each; they fire when their squad is in play.
SQUADS = tuple(
    rule(f"stargrunt.forces.{name}")
    for name in (
        *("harrow-command", "harrow-rifle-squad", "harrow-missile-squad", "harrow-suit-squad", "harrow-sniper"),
        *("dust-command", "dust-militia-squad", "dust-armed-townsfolk", "dust-breakers", "dust-tripod-gun"),
    )
)


class Figures(msgspec.Struct, frozen=True):
    """Some figures alike."""

    role: str
    count: int
    small_arm: str
    support_weapon: str = ""


class HeavyWeapon(msgspec.Struct, frozen=True):
    """The weapon of a crew-served unit."""

    weapon: str
    size: int
    mount: str
    fire_control: str


class Squad(msgspec.Struct, frozen=True):
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
    heavy_weapon: HeavyWeapon | None = None
    independent: bool = False
    may_start_hidden: bool = False


class Kit(msgspec.Struct, frozen=True):
    """What one figure is and carries."""

    role: str
    small_arm: str
    support_weapon: str


@cache
def _printed() -> Catalogue[Squad]:
    return package_catalogue(ledger("stargrunt"), Squad)


@cache
def catalogue(*more: Path) -> Catalogue[Squad]:
    """The squads of the ledger, with those of more files behind them."""
    return _printed().plus(*more)


#: Every card that is in play in this process: those of the ledger, and made-up ones that cases bring.
_CARDS: dict[str, Card[Squad]] = dict(_printed().cards)


def bring_cards(*files: Path) -> Catalogue[Squad]:
    """Bring the made-up squads of some files into play, each file once; gives the catalogue with them."""
    found = catalogue(*dict.fromkeys(file.resolve() for file in files))
    _CARDS.update(found.cards)  # audit: cards are brought before a battle, and none is ever changed
    return found


def card(thing: Thing) -> Card[Squad]:
    """The card of a unit or of one of its figures."""
    return _CARDS[thing.card]


def squad(thing: Thing) -> Squad:
    """The data of a unit, or of the unit a figure came with."""
    return _CARDS[thing.card].stats


@lru_cache(maxsize=256)
def _kits(card_id: str) -> tuple[Kit, ...]:
    entries = _CARDS[card_id].stats.figures
    return tuple(Kit(one.role, one.small_arm, one.support_weapon) for one in entries for _ in range(one.count))


def kits(thing: Thing) -> tuple[Kit, ...]:
    """What the figures of a squad carry, in the order of its data."""
    return _kits(thing.card)


def kit(figure: Thing) -> Kit:
    """What a figure is and carries."""
    return _kits(figure.card)[figure.count("number") - 1]
