"""Random Force Groups, and a second reading of the rules of building them, from the words and the files.

python -m tests.rulesets.strikeops.force_groups 20000     judges so many
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import combinations
from typing import Any

import yaml

from sandtable.forces.report import UNLAWFUL
from sandtable.forces.roster import Bought, Roster, Unit, roster_without_file
from sandtable.rulesets import ruleset
from sandtable.rulesets.strikeops.forces.rosters import charges, lawful
from sandtable.rulesets.strikeops.forces.samples import sample_roster, samples

BOOK = ruleset("strikeops")


def _ledger(chapter: str) -> dict[str, Any]:
    text = (files("sandtable.rulesets.strikeops") / "rules" / f"{chapter}.yaml").read_text()
    return {one["id"].split(".")[2]: one.get("data") or {} for one in yaml.safe_load(text)["rules"]}


ROSTER, UPGRADES, AMMO, ASSETS = (_ledger(name) for name in ("roster", "upgrades", "upgrades-ammo", "assets"))
CARDS: dict[str, Any] = {name.removeprefix("model-"): one for name, one in ROSTER.items() if name.startswith("model-")}
CARDS["dictator-b"] = ROSTER["example-dictator-b"]["card"]
PRICES = {name: one["upgrade_cost_per_dt"] for name, one in UPGRADES.items() if "upgrade_cost_per_dt" in one}
RANKS = {f"officer-{rank}": one for rank, one in UPGRADES["officer"]["ranks"].items()}
STORES = [one.replace("_", "-") for one in AMMO["pylon-stores"]["stores"]]
PRICES |= {name: one["upgrade_cost_per_dt"] for name, one in AMMO.items() if name in STORES}
PRICES |= {name: one["upgrade_cost_per_dt"] for name, one in RANKS.items()}
SHELLS = {name.removesuffix("-shells"): one["launchers"] for name, one in AMMO.items() if "launchers" in one}
FLAT = {name.replace("-level-", "-"): one["threat"] for name, one in ASSETS.items() if "threat" in one}
SEVERAL = ["claymore-anti-personnel-mines", "external-ammo-bin", "external-anti-nano-pod", "satchel-charge", *STORES]
ARMOR = {"ablative-emulsion", "makeshift-armor", "reactive-armor"}
MOVING = {"airborne-training", "jump-pack", "mounted", "storm-training", "turbo-charged"}
#: The words of the squads' entries, read again: class, size, types, tasks, and the tasks of one that may stand in.
GROUND, FIGHTING = ("cav", "vehicle"), ("attack", "fire_support", "recon")
SQUADS: dict[str, tuple[str, int, int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "attack": ("primary", 4, 6, GROUND, ("attack",), ("fire_support", "recon")),
    "specialist": ("primary", 1, 4, ("cav", "vehicle", "aircraft", "infantry"), (), ()),
    "fire-support": ("secondary", 4, 6, GROUND, ("fire_support",), ("attack", "recon")),
    "flight": ("secondary", 2, 2, ("aircraft",), FIGHTING, ()),
    "provisional": ("secondary", 4, 6, GROUND, FIGHTING, ()),
    "recon": ("secondary", 4, 6, GROUND, ("recon",), ("attack", "fire_support")),
    "transport": ("secondary", 4, 6, ("cav", "vehicle", "aircraft"), ("transport",), ()),
    "infantry": ("infantry", 6, 10, ("infantry",), ("attack",), ()),
    "mechanized-infantry": ("infantry", 4, 8, ("infantry",), ("attack",), ()),
    "mortar": ("infantry", 4, 6, ("infantry",), ("fire_support",), ()),
}
OPEN = ("cobalt-charter", "harrow-freeholds")
RACH, TERRAN, LEAGUE = "greater-empire-of-the-rach", "united-terran-federation", "lowmarch-league"
#: Who may field models that are not open: their own, and those of allies.
FIELDS = {
    RACH: {"Greater Empire of the Rach"},
    TERRAN: {"United Terran Federation", "Lowmarch League"},
    LEAGUE: {"United Terran Federation", "Lowmarch League"},
    "empire-of-malvernis": {"Empire of Malvernis"},
}
MODEL = dict[str, Any]


# A second reading -------------------------------------------------------------------------------------------------


def broken(roster: Roster) -> set[str]:
    """The rules that a roster of squads breaks, without the name of the ruleset."""
    return set(_broken(roster))


def _models(unit: Unit) -> list[tuple[MODEL, tuple[str, ...]]]:
    return [(CARDS[one.model], one.upgrades) for one in unit.models for _ in range(one.count)]


def _broken(roster: Roster) -> Iterator[str]:
    pool, faction = roster.limit or 0, roster.options.get("faction")
    if not faction:
        yield "forces.faction-choice"
    if roster.limit is None:
        yield "forces.threat-value-pool"
    force = [(unit, _models(unit)) for unit in roster.units]
    everybody = [one for _, models in force for one in models]
    models = sum(card["threat_value"] for card, _ in everybody)
    special = special_cost(roster)
    tenth = (pool + 5) // 10
    if roster.limit is not None:
        if models + max(0, special - tenth) > pool:
            yield "forces.pool-is-a-maximum"
        if special > 2 * tenth:
            yield "forces.specialization-reserve"
    names = Counter(unit.kind for unit in roster.units)
    classes = Counter(SQUADS[unit.kind][0] for unit in roster.units)
    if classes["secondary"] > 1 and classes["secondary"] >= 2 * classes["primary"]:
        yield "forces.number-of-secondary-squads"
    for kind in ("specialist", "provisional"):
        if names[kind] > 1:
            yield f"forces.{kind}-squad"
    if sum("unique" in card["attributes"] for card, _ in everybody) > 1:
        yield "attributes.unique"
    if faction in FIELDS and any(card["faction"] not in {"open", *FIELDS[str(faction)]} for card, _ in everybody):
        yield f"forces.{'independent' if faction == LEAGUE else 'major'}-faction-models"
    for unit, members in force:
        yield from _squad(unit, members, rach=faction == RACH)
    if sum(name.startswith("officer-") for _, names_ in everybody for name in names_) > 1:
        yield "upgrades.officer"
    for card, bought in everybody:
        yield from _upgrades(card, bought)
    kinds = Counter(one.model for one in roster.extras for _ in range(one.count))
    for name in ("recon-drone", "resupply-drop", "sigint"):
        if kinds[name] > len(roster.units):
            yield f"assets.{name}-limit"


def _squad(unit: Unit, members: list[tuple[MODEL, tuple[str, ...]]], *, rach: bool) -> Iterator[str]:
    _, least, most, types, tasks, others = SQUADS[unit.kind]
    own = f"forces.{unit.kind}-squad"
    carriers: list[MODEL] = []
    if unit.kind in ("mechanized-infantry", "mortar"):
        carriers = [card for card, _ in members if card["task"] == "transport"]
        members = [one for one in members if one[0]["task"] != "transport"]
    doubles = unit.kind in ("infantry", "mechanized-infantry", "mortar")
    bulky = ["bulky" in card["attributes"] or "jump-pack" in bought for card, bought in members]
    size = len(members) + (sum(bulky) if doubles else 0)
    fixed = rach and unit.kind in ("attack", "fire-support", "recon", "transport")
    if (size != 4) if fixed else not least <= size <= most:
        yield "forces.faction-organization-level" if fixed else own
    right = [card for card, _ in members if card["model_type"] in types]
    if len(right) < len(members):
        yield own
    if tasks and any(card["task"] not in (*tasks, *others) for card in right):
        yield own
    if sum(card["task"] in others for card, _ in members) > 1:
        yield own
    if unit.kind == "flight" and len({card["task"] for card, _ in members}) > 1:
        yield own
    if unit.kind == "transport" and len({card["model_type"] for card, _ in members}) > 1:
        yield own
    if doubles and len({card.get("variety", "") for card, _ in members}) > 1:
        yield own
    if unit.kind != "specialist" and any("specialist" in card["attributes"] for card, _ in members):
        yield "forces.specialist-attribute"
    if len({card["model_type"] for card in carriers}) > 1:
        yield "forces.squad-transports"
    for fewer in combinations(carriers, len(carriers) - 1) if carriers else ():
        if _seated([2 if one else 1 for one in bulky], [card["attributes"].get("transport", 0) for card in fewer]):
            yield "forces.squad-transports"
    bought = [names for _, names in _models(unit)]
    if sum(names.count("non-commissioned-officer") for names in bought) > 1:
        yield "upgrades.non-commissioned-officer"
    if any("odst" in names for names in bought) and not all("odst" in names for names in bought):
        yield "upgrades.odst"


def _seated(riders: Iterable[int], slots: Iterable[int]) -> bool:
    """Whether everybody has a seat, the wide first, each wholly in one transport."""
    left = sorted(slots, reverse=True)
    for wide in sorted(riders, reverse=True):
        seat = next((n for n, room in enumerate(left) if room >= wide), None)
        if seat is None:
            return False
        left[seat] -= wide
    return True


def _upgrades(card: MODEL, bought: tuple[str, ...]) -> Iterator[str]:
    counts = Counter(bought)
    kind, tracks, pylons = card["model_type"], card["damage_tracks"], card.get("pylons", 0)
    for name, number in counts.items():
        if number > 1 and name not in SEVERAL:
            yield "upgrades.one-of-each-type"
        if name in SHELLS:
            if not _rows(card, name):
                yield "upgrades-ammo.launcher-row-is-bought-separately"
            continue
        book, slug = ("upgrades-ammo", name) if name in AMMO else ("upgrades", name)
        slug = "officer" if name in RANKS else slug
        allowed = (AMMO if name in AMMO else UPGRADES)[slug]["available_to"]
        fits = kind in allowed or "any" in allowed or ("weapon_system" in allowed and bool(card["weapons"]))
        fits |= "quad_cav" in allowed and card.get("kind") == "quad"
        fits |= "powered_infantry" in allowed and card.get("variety") == "powered"
        fits |= "non_powered_infantry" in allowed and card.get("variety") in ("light", "heavy")
        if not fits:
            yield f"{book}.{slug}"
        if name in RANKS and tracks < 2 * RANKS[name]["c3_bonus"]:
            yield "upgrades.officer"
        if name == "loadmaster" and "transport" not in card["attributes"]:
            yield "upgrades.loadmaster"
    if len(ARMOR & set(counts)) > 1:
        yield "upgrades.one-armor-upgrade"
    if len(MOVING & set(counts)) > 1:
        yield "upgrades.one-movement-upgrade"
    stores = [counts[one] for one in STORES]
    if sum(stores) > 2 * pylons or max(stores) > pylons:
        yield "upgrades-ammo.pylon-stores"


def _rows(card: MODEL, name: str) -> list[int]:
    words = [(one["class"].partition("_")[0] + "_" + one["family"], one["family"]) for one in card["weapons"]]
    return [row["upgrade_cost_per_dt"] for key, row in SHELLS[name].items() if any(key in pair for pair in words)]


def special_cost(roster: Roster) -> int:
    """What the specializations of a roster cost, model by model."""
    total: int = sum(FLAT[one.model] * one.count for one in roster.extras)
    total += sum(int(str(roster.options.get(one, 0))) for one in ("artillery", "air", "space"))
    for unit in roster.units:
        members = _models(unit)
        tracks = sorted((card["damage_tracks"] for card, _ in members), reverse=True)
        commanded = any(name in RANKS for _, names in members for name in names)
        for card, names in members:
            for name in names:
                if name in SHELLS:
                    total += sum(_rows(card, name)) * card["damage_tracks"]
                elif name in RANKS:
                    total += PRICES[name] * tracks[0]
                elif name == "non-commissioned-officer":
                    total += PRICES[name] * (tracks[1] if commanded and len(tracks) > 1 else tracks[0])
                else:
                    total += PRICES[name] * card["damage_tracks"]
    return total


# Random rosters ---------------------------------------------------------------------------------------------------


def random_roster(seed: int) -> Roster:
    """A Force Group built with some sense, or a sample force, and then spoilt a little."""
    dice = random.Random(seed)
    if dice.random() < 0.2:
        roster = sample_roster(dice.choice(samples()))
        units, faction, pool = list(roster.units), str(roster.options["faction"]), roster.limit
        extras, points = list(roster.extras), {k: v for k, v in roster.options.items() if k != "faction"}
    else:
        kinds = ["attack"] * 3 + [dice.choice(list(SQUADS)) for _ in range(3)]
        units = [_unit(dice, n, dice.choice(kinds)) for n in range(dice.randint(1, 4))]
        faction = dice.choice([*OPEN, *OPEN, *FIELDS])
        extras, points = [], {}
        if dice.random() < 0.2:
            extras = [Bought(model=dice.choice(list(FLAT)), count=dice.randint(1, 3))]
        if dice.random() < 0.2:
            points = {dice.choice(("artillery", "air", "space")): dice.choice((25, 50, 100, 150))}
        cost = sum(card["threat_value"] for unit in units for card, _ in _models(unit))
        pool = dice.choice((cost, cost + 7, cost + 100, cost * 2, 2500, 5000, None if dice.random() < 0.1 else 4000))
    for _ in range(dice.choice((0, 0, 1, 1, 2))):
        n = dice.randrange(len(units))
        units[n] = _spoilt(dice, units[n])
    options = {"faction": faction, **points} if dice.random() < 0.98 else {**points}
    return Roster(
        ruleset="strikeops", name=str(seed), limit=pool, options=options, units=tuple(units), extras=tuple(extras)
    )


def _unit(dice: random.Random, n: int, kind: str) -> Unit:
    _, least, most, types, tasks, _ = SQUADS[kind]
    fitting = [
        name
        for name, card in CARDS.items()
        if card["model_type"] in types and (not tasks or card["task"] in tasks)
        if kind == "specialist" or "specialist" not in card["attributes"]
    ]
    variety = dice.choice(("light", "heavy", "powered"))
    if types == ("infantry",):
        fitting = [one for one in fitting if CARDS[one]["variety"] == variety] or fitting[:1]
    size = dice.randint(least, most)
    if types == ("infantry",) and variety == "powered":
        size = (size + 1) // 2
    if kind in ("flight", "transport") and dice.random() < 0.8:
        first = dice.choice(fitting)
        fitting = [one for one in fitting if all(CARDS[one][k] == CARDS[first][k] for k in ("task", "model_type"))]
    names = [dice.choice(fitting) for _ in range(size)]
    if kind in ("mechanized-infantry", "mortar"):
        carriers = ["ferryman", "dray"] if dice.random() < 0.7 else ["petrel", "oxbow"]
        names += [dice.choice(carriers) for _ in range(dice.randint(0, 3))]
    models = [Bought(model=one, upgrades=_random_upgrades(dice, one)) for one in names]
    return Unit(name=f"Squad {n}", kind=kind, models=tuple(models))


def _random_upgrades(dice: random.Random, model: str) -> tuple[str, ...]:
    if dice.random() < 0.85:
        return ()
    card = CARDS[model]
    known = [*PRICES, *SHELLS]
    if dice.random() < 0.8:
        known = [one for one in known if not set(_upgrades(card, (one,)))]
    return tuple(dice.choice(known) for _ in range(dice.choice((1, 1, 2))))


def _spoilt(dice: random.Random, unit: Unit) -> Unit:
    """A squad of which one thing is changed."""
    models, kind = list(unit.models), unit.kind
    n = dice.randrange(len(models))
    change = dice.randrange(6)
    if change == 0:
        models[n] = Bought(model=dice.choice(list(CARDS)))
    elif change == 1 and len(models) > 1:
        del models[n]
    elif change == 2:
        models.append(Bought(model=models[n].model, count=dice.randint(1, 3)))
    elif change == 3:
        kind = dice.choice(list(SQUADS))
    else:
        upgrades = (*models[n].upgrades, dice.choice([*PRICES, *SHELLS]))
        models[n] = Bought(model=models[n].model, upgrades=upgrades)
    return Unit(name=unit.name, kind=kind, models=tuple(models))


def judge(seeds: Iterable[int]) -> tuple[int, set[str]]:
    """Compare both readings of so many rosters: how many are lawful, and which rules the others break."""
    legal, fired = 0, set()
    for seed in seeds:
        roster = random_roster(seed)
        assert BOOK.cards is not None
        roster_without_file(roster, BOOK.cards)
        said = [one for one in lawful(roster) if one.severity in UNLAWFUL]
        first, second = {one.rule.removeprefix("strikeops.") for one in said}, broken(roster)
        assert first == second, (seed, first ^ second, roster)
        models = sum(card["threat_value"] for unit in roster.units for card, _ in _models(unit))
        tenth = ((roster.limit or 0) + 5) // 10
        assert charges(roster).total == models + max(0, special_cost(roster) - tenth), seed
        legal += not first
        fired |= first
    return legal, fired


if __name__ == "__main__":
    number = int(sys.argv[1])
    found, rules = judge(range(number))
    print(f"{found} of {number} lawful; broken: {', '.join(sorted(rules))}")
