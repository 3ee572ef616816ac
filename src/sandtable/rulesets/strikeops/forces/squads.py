"""Squads: which models each type takes and how many, and the transports that go with infantry."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.forces.roster import Bought, Roster, Unit
from sandtable.rulesets.strikeops.datacard import CARDS, Stats

TYPES = rule("strikeops.forces.squad-types")
ASSIGNMENT = rule("strikeops.forces.squad-assignment")
BULKY = rule("strikeops.forces.bulky-infantry-counts-double")
TRANSPORTS = rule("strikeops.forces.squad-transports")
JUMP_PACK = rule("strikeops.upgrades.jump-pack")
SLOTS = rule("strikeops.attributes.transport")
RULES = {
    "attack": rule("strikeops.forces.attack-squad"),
    "specialist": rule("strikeops.forces.specialist-squad"),
    "fire_support": rule("strikeops.forces.fire-support-squad"),
    "flight": rule("strikeops.forces.flight-squad"),
    "provisional": rule("strikeops.forces.provisional-squad"),
    "recon": rule("strikeops.forces.recon-squad"),
    "transport": rule("strikeops.forces.transport-squad"),
    "infantry": rule("strikeops.forces.infantry-squad"),
    "mechanized_infantry": rule("strikeops.forces.mechanized-infantry-squad"),
    "mortar": rule("strikeops.forces.mortar-squad"),
}
#: What a model is, in a sentence.
A_MODEL = {"cav": "a CAV", "vehicle": "a vehicle", "aircraft": "an aircraft", "infantry": "infantry"}
PRIMARY, SECONDARY, INFANTRY = "primary", "secondary", "infantry"
TRANSPORT = "transport"


def spoken(name: str) -> str:
    """A word of the ledger as players say it.

    >>> spoken("fire_support"), spoken("cav")
    ('fire support', 'CAV')
    """
    return "CAV" if name == "cav" else name.replace("_", " ")


def listed(names: Sequence[str]) -> str:
    """Several words, the last joined by "or".

    >>> listed(["attack", "fire_support", "recon"])
    'attack, fire support or recon'
    """
    words = [spoken(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class SquadType(NamedTuple):
    """A row of the table of squad types."""

    id: str
    rule: Rule
    squad_class: str
    size: tuple[int, int]
    types: tuple[str, ...]
    tasks: tuple[str, ...]  # none: any
    substitutes: int = 0
    substitute_tasks: tuple[str, ...] = ()
    one_task: bool = False
    one_type: bool = False
    one_variety: bool = False
    bulky_counts: int = 1
    transports: bool = False
    most: int | None = None  # of them in a Force Group

    @property
    def kind(self) -> str:
        """How a roster names it."""
        return self.id.replace("_", "-")

    @property
    def name(self) -> str:
        """How players name it."""
        return f"{spoken(self.id)} squad"


@cache
def squad_types() -> dict[str, SquadType]:
    """The squad types by the word that a roster names them with."""
    found = {}
    for name in TYPES.names():
        row = TYPES.at(name)
        least, most = row.numbers("size")
        task = row.text_at("task")
        tasks = row.texts("tasks") if row.has("tasks") else () if task == "any" else (task,)
        kind = SquadType(
            name,
            RULES[name],
            row.text_at("class"),
            (least, most),
            row.texts("types"),
            tasks,
            substitutes=row.number("substitute", "count") if row.has("substitute") else 0,
            substitute_tasks=row.texts("substitute", "tasks") if row.has("substitute") else (),
            one_task=task == "same_for_both",
            one_type=row.has("same_model_type"),
            one_variety=row.has("same_variety"),
            bulky_counts=row.number("bulky_counts") if row.has("bulky_counts") else 1,
            transports=row.has("transports"),
            most=row.number("max_per_force_group") if row.has("max_per_force_group") else None,
        )
        own = RULES[name]
        for at in (("size",), ("bulky_counts",), ("max_per_force_group",), ("substitute", "count")):
            if row.has(*at) and own.has(*at):
                said = (row.numbers(*at), own.numbers(*at)) if at == ("size",) else (row.number(*at), own.number(*at))
                same_number(f"the {at[-1]} of {kind.name}s", *said)
        if own.has("powered"):  # all of whom are Bulky
            same_number(f"the size of {kind.name}s of light infantry", own.numbers("light_or_heavy"), kind.size)
            bulky = tuple(one * kind.bulky_counts for one in own.numbers("powered"))
            same_number(f"the size of {kind.name}s of powered infantry", bulky, kind.size)
        found[kind.kind] = kind
    return found


SPECIALIST = "specialist"


def substitutes(kind: SquadType, cards: Sequence[Stats], most: int | None = None) -> int | None:
    """How many substitutes some models need to be a squad of a type; none where they do not fit it.

    strikeops.forces.squad-size-at-start    the lower limit of its size binds at the start of the game only
    """
    if len(cards) > (most or kind.size[1]) or any(card.model_type not in kind.types for card in cards):
        return None
    if kind.one_task and len({card.task for card in cards}) > 1:
        return None
    if (kind.one_type and len({card.model_type for card in cards}) > 1) or (
        kind.one_variety and len({card.variety for card in cards}) > 1
    ):
        return None
    others = [card.task for card in cards if kind.tasks and card.task not in kind.tasks]
    fits = len(others) <= kind.substitutes and all(task in kind.substitute_tasks for task in others)
    return len(others) if fits else None


def fitting(cards: Sequence[Stats]) -> SquadType:
    """The type that some models fit with the fewest substitutes, the first of the table; else a specialist squad."""
    types = squad_types()
    found = [(need, kind) for kind in types.values() if (need := substitutes(kind, cards, len(cards))) is not None]
    plain = [one for one in found if one[1].id not in (SPECIALIST, "provisional")] or found
    return min(plain, key=lambda one: one[0])[1] if plain else types[SPECIALIST]


class Member(msgspec.Struct, frozen=True):
    """An entry of a squad: so many of one card, and where it stands in the file."""

    path: tuple[str | int, ...]
    bought: Bought

    @property
    def card(self) -> Stats:
        """The card of each of them."""
        return CARDS.held[self.bought.model].stats

    @property
    def count(self) -> int:
        """How many they are."""
        return self.bought.count

    @property
    def bulky(self) -> bool:
        """Whether each takes two places: by its card, or by a Jump Pack."""
        packed = "jump-pack" in self.bought.upgrades and JUMP_PACK.flag("attributes", "bulky")
        return "bulky" in self.card.attributes or packed


class Squad(NamedTuple):
    """A unit of a roster as the rules see it."""

    path: tuple[str | int, ...]
    unit: Unit
    type: SquadType | None
    entries: tuple[Member, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.unit.name

    @property
    def transports(self) -> tuple[Member, ...]:
        """The transports that infantry of this squad ride in; they do not count towards its size."""
        if self.type is None or not self.type.transports:
            return ()
        return tuple(one for one in self.entries if one.card.task == TRANSPORT and one.card.model_type != INFANTRY)

    @property
    def members(self) -> tuple[Member, ...]:
        """Everybody but its transports."""
        return tuple(one for one in self.entries if one not in self.transports)

    @property
    def places(self) -> list[tuple[int, int]]:
        """How many there are of each entry, and how many places each of them takes."""
        double = self.type.bulky_counts if self.type is not None else 1
        return [(one.count, double if one.bulky else 1) for one in self.members]

    @property
    def tracks(self) -> list[int]:
        """The Damage Tracks of its models, highest first."""
        return sorted((one.card.damage_tracks for one in self.entries for _ in range(one.count)), reverse=True)


def squads(roster: Roster) -> list[Squad]:
    """The squads of a roster; a unit within a unit is none."""
    types = squad_types()
    return [
        Squad(
            ("units", n),
            unit,
            types.get(unit.kind),
            tuple(Member(("units", n, "models", m), one) for m, one in enumerate(unit.models)),
        )
        for n, unit in enumerate(roster.units)
    ]


def spare_transport(squad: Squad) -> Member | None:
    """A transport that could be left out with every infantry model still seated; none where all are needed.

    strikeops.forces.squad-transports    one slot each, a Bulky model two in the same transport
    """
    riders = [(one.count, one.bulky) for one in squad.members]
    bulky = sum(count for count, double in riders if double)
    single = sum(count for count, double in riders if not double)
    ratings = [(one, _slots(one)) for one in squad.transports for _ in range(one.count)]
    for n, (one, _) in enumerate(ratings):
        rest = [slots for m, (_, slots) in enumerate(ratings) if m != n]
        pairs, room = sum(slots // 2 for slots in rest), sum(rest)
        if bulky <= pairs and single <= room - 2 * bulky:
            return one
    return None


def _slots(carrier: Member) -> int:
    rating = carrier.card.attributes.get(TRANSPORT, 0)
    return (rating if isinstance(rating, int) else 1) * SLOTS.number("slots_per_level")


def of_class(found: Sequence[Squad], squad_class: str) -> Iterator[Squad]:
    """The squads of a class."""
    return (one for one in found if one.type is not None and one.type.squad_class == squad_class)
