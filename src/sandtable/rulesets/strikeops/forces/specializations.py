"""Specializations: Battlefield Upgrades for single models, Battlefield Assets and strike points, with their prices.

What there is to buy is read from the ledger: an entry that lists an upgrade cost is an upgrade, one that lists a threat
an asset. None of them is played yet: a roster that has some is priced and judged, and refused where it is played.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sandtable.forces.ledger import Rule, ledger, rule, same_number
from sandtable.forces.report import Finding, Severity
from sandtable.forces.roster import Roster
from sandtable.rulesets.strikeops.datacard import CARDS
from sandtable.rulesets.strikeops.forces.squads import A_MODEL, Member, Squad, spoken

COST = rule("strikeops.upgrades.cost-by-damage-tracks")
COVERS_ALL = rule("strikeops.upgrades.covers-all-systems")
BOUGHT = rule("strikeops.upgrades.bought-from-the-pool")
ONE_OF_EACH = rule("strikeops.upgrades.one-of-each-type")
ONE_ARMOR = rule("strikeops.upgrades.one-armor-upgrade")
ONE_MOVEMENT = rule("strikeops.upgrades.one-movement-upgrade")
NOT_FOR_ASSETS = rule("strikeops.upgrades.not-for-assets-or-strikes")
NCO = rule("strikeops.upgrades.non-commissioned-officer")
NCO_COST = rule("strikeops.upgrades.non-commissioned-officer-cost")
OFFICER = rule("strikeops.upgrades.officer")
OFFICER_COST = rule("strikeops.upgrades.officer-cost")
ODST = rule("strikeops.upgrades.odst")
LOADMASTER = rule("strikeops.upgrades.loadmaster")
LAUNCHERS = rule("strikeops.upgrades-ammo.launcher-row-is-bought-separately")
PYLONS = rule("strikeops.upgrades-ammo.pylon-stores")
BATTLEFIELD_UPGRADES = rule("strikeops.forces.battlefield-upgrades")
ASSETS = rule("strikeops.assets.purchase")
STRIKE_POINTS = rule("strikeops.strikes.allocate-points")
STRIKE_POOL = rule("strikeops.forces.strike-pool")
NEED_FIST = rule("strikeops.forces.strikes-need-fist")
#: Assets of which a Force Group has at most one for each squad.
ONE_FOR_EACH_SQUAD = {
    "recon-drone": rule("strikeops.assets.recon-drone-limit"),
    "resupply-drop": rule("strikeops.assets.resupply-drop-limit"),
    "sigint": rule("strikeops.assets.sigint-limit"),
}
same_number("the C3 points of an NCO", NCO.number("c3_bonus"), NCO.number("attributes", "c3"))
for _rank in OFFICER.names("ranks"):  # at least twice the bonus
    _tracks = OFFICER.number("ranks", _rank, "min_damage_tracks")
    same_number(f"who may be a {_rank}", _tracks, 2 * OFFICER.number("ranks", _rank, "c3_bonus"))
NCO_NAME, OFFICER_NAME = "non-commissioned-officer", "officer"


class Upgrade(NamedTuple):
    """An upgrade: its listed cost for each Damage Track, by launcher where it is ammunition, and who may have it."""

    id: str
    rule: Rule
    cost: int = 0
    launchers: tuple[tuple[str, int], ...] = ()
    available_to: tuple[str, ...] = ("any",)
    least_tracks: int = 0


class Asset(NamedTuple):
    """An asset and its flat price."""

    id: str
    rule: Rule
    threat: int


@cache
def upgrades() -> dict[str, Upgrade]:
    """Every upgrade of the ledger, by the word that a roster names it with."""
    found: dict[str, Upgrade] = {}
    for one in ledger("strikeops").rules.values():
        if one.chapter not in ("upgrades", "upgrades-ammo"):
            continue
        name = one.id.rpartition(".")[2].removesuffix("-shells")
        who = one.texts("available_to") if one.has("available_to") else ("any",)
        if one.has("upgrade_cost_per_dt"):
            found[name] = Upgrade(name, one, one.number("upgrade_cost_per_dt"), (), who)
        elif one.has("launchers"):
            rows = one.names("launchers")
            prices = tuple((row, one.number("launchers", row, "upgrade_cost_per_dt")) for row in rows)
            found[name] = Upgrade(name, one, launchers=prices)
        for rank in one.names("ranks") if one.has("ranks") else ():
            cost, tracks = (one.number("ranks", rank, key) for key in ("upgrade_cost_per_dt", "min_damage_tracks"))
            found[f"{name}-{rank}"] = Upgrade(f"{name}-{rank}", one, cost, (), who, tracks)
    return found


@cache
def assets() -> dict[str, Asset]:
    """Every asset of the ledger with a flat price, by the word that a roster names it with."""
    rules = [one for one in ledger("strikeops").rules.values() if one.chapter == "assets" and one.has("threat")]
    named = [(one.id.rpartition(".")[2].replace("-level-", "-"), one) for one in rules]
    return {name: Asset(name, one, one.number("threat")) for name, one in named}


CARDS.printed.beside = (*upgrades(), *assets())


# Prices -----------------------------------------------------------------------------------------------------------


def launcher_rows(upgrade: Upgrade, member: Member) -> list[int]:
    """The listed costs of the launcher rows that a model has a weapon for."""
    found = []
    for row, cost in upgrade.launchers:
        for weapon in member.card.weapons:
            size = weapon.weapon_class.split("_")[0]
            if row in (weapon.family, f"{size}_{weapon.family}"):
                found.append(cost)
                break
    return found


def price(squad: Squad, member: Member, upgrade: Upgrade) -> tuple[int, int]:
    """What an upgrade costs for one model: the listed cost, and the Damage Tracks it is multiplied by.

    strikeops.upgrades.cost-by-damage-tracks            the model's own
    strikeops.upgrades.covers-all-systems               once, however many of its weapons it concerns
    strikeops.upgrades.officer-cost                     the highest of the squad
    strikeops.upgrades.non-commissioned-officer-cost    the highest, or the next with an Officer in the squad
    """
    tracks = squad.tracks
    if upgrade.rule is OFFICER:
        return upgrade.cost, tracks[0]
    if upgrade.rule is NCO:
        officers = any(one.startswith(f"{OFFICER_NAME}-") for entry in squad.entries for one in entry.bought.upgrades)
        return upgrade.cost, tracks[min(1, len(tracks) - 1) if officers else 0]
    return upgrade.cost + sum(launcher_rows(upgrade, member)), member.card.damage_tracks


def strike_points(roster: Roster) -> dict[str, int]:
    """The points in each strike package."""
    packages = STRIKE_POINTS.texts("packages")
    return {name: value for name in packages if isinstance(value := roster.options.get(name, 0), int) and value}


# What is said of them ---------------------------------------------------------------------------------------------


def _error(source: Rule, sentence: str, at: tuple[str | int, ...]) -> Finding:
    return Finding(Severity.ERROR, source.id, sentence, at)


def fits(upgrade: Upgrade, member: Member) -> bool:
    """Whether a model is of a kind that an upgrade is for."""
    card = member.card
    kinds = {"any", "weapon_system" if card.weapons else "", card.model_type}
    if card.kind == "quad":
        kinds.add("quad_cav")
    if card.model_type == "infantry":
        kinds.add("powered_infantry" if card.variety == "powered" else "non_powered_infantry")
    return bool(kinds & set(upgrade.available_to))


def upgrades_judged(found: Sequence[Squad]) -> Iterator[Finding]:
    """What the rules say of the upgrades of a Force Group, model by model, squad by squad, and in all."""
    for squad in found:
        for member in squad.entries:
            yield from _of_model(member)
        yield from _of_squad(squad)
    officers = _bearers(found, f"{OFFICER_NAME}-")
    if len(officers) > OFFICER.number("max_per_force_group"):
        yield _error(OFFICER, f"{len(officers)} Officers; a Force Group has at most one.", officers[1].path)


def _bearers(found: Sequence[Squad], start: str) -> list[Member]:
    """The models that have an upgrade, one entry for each of them."""
    return [
        member
        for squad in found
        for member in squad.entries
        for name in member.bought.upgrades
        if name.startswith(start)
        for _ in range(member.count)
    ]


def _of_model(member: Member) -> Iterator[Finding]:
    known, repeatable = upgrades(), [one.replace("_", "-") for one in ONE_OF_EACH.texts("repeatable")]
    at, name = (*member.path, "upgrades"), member.card.name
    bought = Counter(member.bought.upgrades)
    for one, number in bought.items():
        upgrade = known.get(one)
        if upgrade is None:
            yield _error(BATTLEFIELD_UPGRADES, f"{spoken_upgrade(one)} is no upgrade of a model.", at)
            continue
        if number > 1 and one not in repeatable:
            yield _error(ONE_OF_EACH, f"{name} has {spoken_upgrade(one)} {number} times; once is the most.", at)
        if not fits(upgrade, member):
            words = f"{spoken_upgrade(one)} is not for {name}, which is {A_MODEL[member.card.model_type]}."
            yield _error(upgrade.rule, words, at)
        if upgrade.launchers and not launcher_rows(upgrade, member):
            yield _error(LAUNCHERS, f"{name} has no launcher that fires {spoken_upgrade(one)}.", at)
        if member.card.damage_tracks < upgrade.least_tracks:
            words = f"{name} has {member.card.damage_tracks} Damage Tracks of at least {upgrade.least_tracks}."
            yield _error(upgrade.rule, words, at)
    if "loadmaster" in bought and not member.card.attributes.get("transport"):
        yield _error(LOADMASTER, f"{name} has no Transport for a Loadmaster.", at)
    for source, key in ((ONE_ARMOR, "armor_based"), (ONE_MOVEMENT, "movement_based")):
        both = [one for one in source.texts(key) if one.replace("_", "-") in bought]
        if len(both) > 1:
            yield _error(source, f"{name} has {' and '.join(spoken(one) for one in both)}; one is the most.", at)
    yield from _stores(member, bought)


def _stores(member: Member, bought: Counter[str]) -> Iterator[Finding]:
    """Pylon stores (strikeops.upgrades-ammo.pylon-stores): two places a pylon, on each at most one of a kind."""
    at, pylons = (*member.path, "upgrades"), member.card.pylons
    stores = {one: bought[one.replace("_", "-")] for one in PYLONS.texts("stores")}
    total, room = sum(stores.values()), pylons * PYLONS.number("slots_per_pylon")
    if total > room:
        words = f"{member.card.name} carries {total} stores; {pylons} pylons have {room} places."
        yield _error(PYLONS, words, at)
    for one, number in stores.items():
        if number > pylons * PYLONS.number("max_of_one_kind_per_pylon"):
            yield _error(PYLONS, f"{number} {spoken(one)} on {pylons} pylons; one of a kind on each.", at)


def _of_squad(squad: Squad) -> Iterator[Finding]:
    sergeants = _bearers([squad], NCO_NAME)
    if len(sergeants) > NCO.number("max_per_squad"):
        words = f"{squad.name} has {len(sergeants)} Non-Commissioned Officers; one is the most."
        yield _error(NCO, words, sergeants[1].path)
    dropping = [one for one in squad.entries if "odst" in one.bought.upgrades]
    if dropping and len(dropping) < len(squad.entries):
        yield _error(ODST, f"All models of {squad.name} are an Orbital Drop Strike Team, or none.", squad.path)


def extras_judged(roster: Roster, found: Sequence[Squad]) -> Iterator[Finding]:
    """What the rules say of assets and strike points."""
    counts: Counter[str] = Counter()
    for n, bought in enumerate(roster.extras):
        if bought.model not in assets():
            yield _error(ASSETS, f"{spoken_upgrade(bought.model)} is no Battlefield Asset.", ("extras", n))
        if bought.upgrades:
            yield _error(NOT_FOR_ASSETS, "Upgrades are for models, not for assets.", ("extras", n, "upgrades"))
        counts[bought.model] += bought.count
    for name, source in ONE_FOR_EACH_SQUAD.items():
        if counts[name] > len(found):
            words = f"{counts[name]} × {spoken_upgrade(name)} for {len(found)} squads; one for each is the most."
            yield _error(source, words, ("extras",))
    observers = any("fist" in one.card.attributes or "forward-observer" in one.bought.upgrades for one in _all(found))
    points = strike_points(roster)
    if points and not observers:
        yield Finding(Severity.WARNING, NEED_FIST.id, "Nobody has FIST to call the strikes.", ("options",))


def _all(found: Sequence[Squad]) -> list[Member]:
    return [member for squad in found for member in squad.entries]


def spoken_upgrade(name: str) -> str:
    """The name of an upgrade or asset, as a sentence begins with it.

    >>> spoken_upgrade("reactive-armor")
    'Reactive armor'
    """
    return name.replace("-", " ").capitalize()


def _later(source: Rule, sentence: str, at: tuple[str | int, ...]) -> Finding:
    return Finding(Severity.LATER, source.id, sentence, at)


def to_come(roster: Roster, found: Sequence[Squad]) -> Iterator[Finding]:
    """Every specialization of a roster is still to come."""
    words = "is still to come: no battle can be played with it yet."
    for member in _all(found):
        for one in dict.fromkeys(member.bought.upgrades):
            if one in upgrades():
                yield _later(upgrades()[one].rule, f"{spoken_upgrade(one)} {words}", (*member.path, "upgrades"))
    for n, bought in enumerate(roster.extras):
        if bought.model in assets():
            yield _later(assets()[bought.model].rule, f"{spoken_upgrade(bought.model)} {words}", ("extras", n))
    for name in strike_points(roster):
        yield _later(STRIKE_POOL, f"A strike package ({name}) {words}", ("options", name))
