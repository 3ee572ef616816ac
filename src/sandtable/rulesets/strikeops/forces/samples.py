"""The sample forces of the ledger as rosters."""

from functools import cache

from sandtable.forces.data import Data
from sandtable.forces.ledger import ledger, rule, same_number
from sandtable.forces.roster import Bought, Roster, Unit
from sandtable.rulesets.strikeops.datacard import CARDS

READY = rule("strikeops.roster.ready-models")
_LISTED = ("model_type", "size", "task", "damage_tracks", "threat_value")
_ENTRY = "strikeops.roster.force-"
#: The sample forces of the ledger by their names.
FORCES = {one.removeprefix(_ENTRY): rule(one) for one in ledger("strikeops").rules if one.startswith(_ENTRY)}


def as_listed(name: str) -> tuple[object, ...]:
    """What the list of ready models says of one: its type, size, task, Damage Tracks and TV."""
    return tuple(READY.scalar("models", name.replace("-", "_"), key) for key in _LISTED)


for _name in READY.names("models"):
    _card = CARDS.printed[_name.replace("_", "-")].stats
    _size = _card.chassis_size or _card.variety
    _said = (_card.model_type, _size, _card.task, _card.damage_tracks, _card.threat_value)
    same_number(f"what is listed of {_card.name}", as_listed(_name), _said)


@cache
def samples() -> tuple[str, ...]:
    """The names of the sample forces all of whose models have cards; towed guns have none yet."""
    return tuple(name for name, source in FORCES.items() if all(_has_card(one) for one in _models(source)))


def sample_roster(name: str) -> Roster:
    """A sample force as a roster: its faction, its pool, its squads, assets and strike points."""
    source = FORCES[name]
    points = {one: source.number("strike_packages", one) for one in source.names("strike_packages")}
    units: list[Unit] = []
    for squad in source.items("squads"):
        kind = _word(squad.text_at("type"))
        number = sum(unit.kind == kind for unit in units) + 1
        entries = [*squad.items("models"), *(squad.items("transports") if squad.has("transports") else ())]
        title = f"{kind.replace('-', ' ').capitalize()} {number}"
        units.append(Unit(name=title, kind=kind, models=tuple(_bought(one) for one in entries)))
    return Roster(
        ruleset="strikeops",
        name=source.title,
        limit=source.number("threat_value_pool"),
        options={"faction": _word(source.text_at("faction").lower().replace(" ", "_")), **points},
        units=tuple(units),
        extras=tuple(
            Bought(model=_word(one.text_at("asset")), count=one.number("number")) for one in source.items("assets")
        ),
    )


def _bought(entry: Data) -> Bought:
    taken = entry.items("upgrades") if entry.has("upgrades") else ()
    names = [_word(one.text_at("upgrade")) for one in taken for _ in range(one.number("number"))]
    return Bought(model=_word(entry.text_at("model")), upgrades=tuple(names))


def _models(source: Data) -> list[Data]:
    return [
        one
        for squad in source.items("squads")
        for key in ("models", "transports")
        if squad.has(key)
        for one in squad.items(key)
    ]


def _has_card(entry: Data) -> bool:
    return _word(entry.text_at("model")) in CARDS.printed


def _word(name: str) -> str:
    return name.replace("_", "-")
