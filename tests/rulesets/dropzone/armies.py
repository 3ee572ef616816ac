"""Random armies, and a second reading of the rules of army building, from the words and the file.

python -m tests.rulesets.dropzone.armies 20000     judges so many
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import yaml
from msgspec.structs import replace

from sandtable.forces.report import UNLAWFUL
from sandtable.forces.roster import Bought, Roster, Unit, roster_without_file
from sandtable.rulesets import ruleset
from sandtable.rulesets.dropzone.forces.armies import sample_names, sample_roster
from sandtable.tabletop.rosters import judged

BOOK = ruleset("dropzone")


def _ledger(chapter: str) -> dict[str, Any]:
    text = (files("sandtable.rulesets.dropzone") / "rules" / f"{chapter}.yaml").read_text()
    return {one["id"]: one.get("data") or {} for one in yaml.safe_load(text)["rules"]}


FORCES, COMMAND, SPECIAL = _ledger("forces"), _ledger("command"), _ledger("special-rules")
CARDS = {
    data["id"]: data
    for data in (*FORCES.values(), *_ledger("behemoths").values())
    if "squad_size" in data and "category" in data
}
SIZES, KINDS = FORCES["dropzone.forces.game-sizes"]["sizes"], FORCES["dropzone.forces.battlegroup-kinds"]
CHIEFS = {row["command_value"]: row["points"] for row in COMMAND["dropzone.command.commander-table"]["commanders"]}


# A second reading of the rules, from the words and the file -----------------------------------------------------------


def broken(roster: Roster) -> set[str]:
    """The rules that a roster of Battlegroups with squads of one card breaks."""
    return set(_broken(roster))


def _broken(roster: Roster) -> Iterator[str]:
    limit = roster.limit or 0
    size = next((name for name, one in SIZES.items() if one["points"][0] <= limit <= one["points"][1]), None)
    if size is None:
        yield "dropzone.forces.game-sizes"
    if roster.extras or any(unit.units for group in roster.units for unit in group.units):
        yield "dropzone.units.unit-squad-battlegroup"
    held = [unit for group in roster.units for unit in group.units]
    if any(unit.upgrades or any(one.upgrades for one in unit.models) for unit in held):
        yield "dropzone.units.unit-statistics"
    # A squad of several cards is wrong for that; all else is read off its first.
    squads = {
        unit.name: (group, unit, unit.models[0].model, sum(one.count for one in unit.models))
        for group in roster.units
        for unit in group.units
    }
    if any(len({one.model for one in unit.models}) > 1 for _, unit, _, _ in squads.values()):
        yield "dropzone.units.armed-alike"
    chiefs = {name: _chiefs(one[1]) for name, one in squads.items()}
    costs = sum(_points(unit) for _, unit, _, _ in squads.values())
    costs += sum(CARDS[one.model]["points"] * one.count for one in roster.extras)
    costs += sum(_points(inner) for _, unit, _, _ in squads.values() for inner in unit.units)
    costs += sum(CHIEFS.get(value, 0) for values in chiefs.values() for value in values)
    if roster.limit is not None and costs > roster.limit:
        yield "dropzone.forces.agreed-total"
    for group in roster.units:
        own = [one for one in squads.values() if one[0] is group]
        categories = Counter(CARDS[one[2]]["category"] for one in own)
        if group.kind == "auxiliary":
            if set(categories) - {"auxiliary"}:
                yield "dropzone.forces.auxiliary-squads"
            continue
        if group.kind not in KINDS:
            yield "dropzone.forces.battlegroup-kinds"
            continue
        bounds = {**{category: [0, 0] for category in categories}, **KINDS[group.kind]}
        if any(not least <= categories[category] <= most for category, (least, most) in bounds.items()):
            yield "dropzone.forces.battlegroup-kinds"
        points = sum(_points(one[1]) for one in own)
        if size and 100 * points > limit * SIZES[size]["battlegroup_limit_percent"] and "behemoth" not in categories:
            yield "dropzone.forces.game-sizes"
    if size:
        kinds = Counter(group.kind for group in roster.units)
        if any(not SIZES[size][kind][0] <= kinds[kind] <= SIZES[size][kind][1] for kind in KINDS):
            yield "dropzone.forces.game-sizes"
        rare = Counter(one[2] for one in squads.values() if "rare" in CARDS[one[2]]["special"])
        if any(count > SPECIAL["dropzone.special-rules.rare"][size] for count in rare.values()):
            yield "dropzone.special-rules.rare"
    for name, (_, _, model, count) in squads.items():
        card = CARDS[model]
        if not card["squad_size"]["min"] <= count <= card["squad_size"]["max"]:
            yield "dropzone.forces.agreed-total"
        if chiefs[name]:
            if any(value not in CHIEFS for value in chiefs[name]):
                yield "dropzone.command.commander-table"
            able = card["category"] == "command" or "command-centre" in card["special"]
            if not able or len(chiefs[name]) > count:
                yield "dropzone.command.mounting-a-commander"
    yield from _loads(squads)


def _points(unit: Unit) -> int:
    return sum(CARDS[one.model]["points"] * one.count for one in unit.models)


def _chiefs(unit: Unit) -> list[int]:
    said = unit.options.get("commander")
    return [] if said is None else [int(one) for one in (said if isinstance(said, tuple) else (said,))]


def _loads(squads: dict[str, tuple[Unit, Unit, str, int]]) -> Iterator[str]:
    """Whole spaces, the first Transport with room, one Battlegroup, half full: unit by unit."""
    spaces = {
        (name, n): dict(CARDS[model]["capacity"])
        for name, (_, _, model, count) in squads.items()
        if CARDS[model]["capacity"]
        for n in range(count)
    }
    inside: dict[tuple[str, int], list[tuple[str, int]]] = {one: [] for one in spaces}
    for name, (_, unit, model, count) in squads.items():
        said = unit.options.get("in")
        names = () if said is None else said if isinstance(said, tuple) else (str(said),)
        needs = CARDS[model]["requirement"] or {}
        real = [ride for ride in names if ride in squads and CARDS[squads[ride][2]]["capacity"]]
        known = [ride for ride in names if ride in squads]
        where: list[tuple[str, int]] = []
        for n in range(count):
            for ride in [one for one in ([known[n]] if len(known) == count else known) if one in real]:
                for m in range(squads[ride][3]):
                    left = spaces[ride, m]
                    word = next((one for one in needs if one in left), None)
                    if word and left[word] >= needs[word] and len(where) == n:
                        left[word] -= needs[word]
                        inside[ride, m].append((name, n))
                        where.append((ride, m))
            if len(where) == n:
                where.append(("", 0))
        if (names and ("", 0) in where) or (
            names
            and any(ride not in real or not set(needs) & set(CARDS[squads[ride][2]]["capacity"]) for ride in names)
        ):
            yield "dropzone.transports.capacity-and-requirement"
        elif len(set(where)) > 1 and names:
            whole = {word: number * count for word, number in needs.items()}
            room = [CARDS[squads[ride][2]]["capacity"] for ride in names]
            for has in room:
                word = next((one for one in needs if one in has), None)
                if word and has[word] >= whole[word]:
                    yield "dropzone.transports.capacity-and-requirement"
    for name, (group, _, model, count) in squads.items():
        held = {one for n in range(count) for one in _groups((name, n), inside, squads)}
        if group.kind != "auxiliary" and held:
            held.add(group.name)
        if len(held) > 1:
            yield "dropzone.transports.single-battlegroup"
        if group.kind == "auxiliary" and CARDS[model]["capacity"]:
            for n in range(count):
                full = CARDS[model]["capacity"]
                if not any(2 * (full[word] - spaces[name, n][word]) >= full[word] for word in full):
                    yield "dropzone.transports.half-full-at-start"


def _groups(
    ride: tuple[str, int],
    inside: dict[tuple[str, int], list[tuple[str, int]]],
    squads: dict[str, tuple[Unit, Unit, str, int]],
) -> set[str]:
    found: set[str] = set()
    for name, n in inside.get(ride, []):
        group = squads[name][0]
        found |= _groups((name, n), inside, squads) if group.kind == "auxiliary" else {group.name}
    return found


# Random rosters ----------------------------------------------------------------------------------------------------


def random_roster(number: int) -> Roster:
    """A sample army with some changes, or one made up from the tables, right and wrong things in it."""
    chance = random.Random(number)
    roster = sample_roster(chance.choice(sample_names()), chance.choice(("skirmish", "clash")))
    if chance.random() < 0.4:
        roster = _made_up(chance)
    groups = [
        (
            group.name,
            group.kind,
            [(one.name, one.models[0].model, one.models[0].count, dict(one.options)) for one in group.units],
        )
        for group in roster.units
    ]
    limit, odd = roster.limit, ("", "")
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        name, _, squads = groups[chance.randrange(len(groups))]
        at = chance.randrange(len(squads))
        squad, model, count, options = squads[at]
        change = chance.randrange(9)
        if change == 0:
            squads[at] = (squad, model, max(1, count + chance.choice((-1, 1))), options)
        elif change == 1:
            squads[at] = (squad, chance.choice(sorted(CARDS)), count, options)
        elif change == 2:
            groups.append(
                (
                    f"More {len(groups)}",
                    chance.choice((*KINDS, "auxiliary", "guard")),
                    [(f"Extra {len(groups)}", chance.choice(sorted(CARDS)), chance.choice((1, 2, 3)), {})],
                )
            )
        elif change == 3:
            squads.append(
                (f"New {len(squads)} of {name}", chance.choice(sorted(CARDS)), chance.choice((1, 2, 3, 4)), {})
            )
        elif change == 4 and len(squads) > 1:
            del squads[at]
        elif change == 5:
            options["commander"] = chance.choice((1, 2, 6, 7, ("1", "2")))
        elif change == 6:
            names = [one[0] for _, _, some in groups for one in some if one[0] != squad]
            options["in"] = chance.choice((chance.choice(names), tuple(chance.sample(names, min(2, len(names))))))
        elif change == 7:
            limit = chance.choice((None, 499, 500, 700, 750, 999, 1000, 1400, 1500, 1999, 2000, 3000, 3001))
        else:
            odd = (chance.choice(("mixed", "nested", "upgraded", "equipped", "extra")), squad)
    units = tuple(
        Unit(name=name, kind=kind, units=tuple(_odd(_squad(*one), *odd, chance) for one in squads))
        for name, kind, squads in groups
    )
    extras = (Bought(model=chance.choice(sorted(CARDS))),) if odd[0] == "extra" else ()
    return Roster(ruleset="dropzone", name=f"Army {number}", limit=limit, units=units, extras=extras)


def _squad(name: str, model: str, count: int, options: dict[str, Any]) -> Unit:
    return Unit(name=name, options=options, models=(Bought(model=model, count=count),))


def _odd(squad: Unit, how: str, name: str, chance: random.Random) -> Unit:
    """A squad with something in it that no squad has, where it is the one that was named."""
    bought = squad.models[0]
    if squad.name != name:
        return squad
    if how == "mixed":
        return replace(squad, models=(bought, Bought(model=chance.choice(sorted(CARDS)), count=1)))
    if how == "nested":
        return replace(squad, units=(_squad(f"{name} inside", bought.model, 1, {}),))
    if how == "upgraded":
        return replace(squad, upgrades=("picket",))
    return replace(squad, models=(replace(bought, upgrades=("picket",)),)) if how == "equipped" else squad


def _made_up(chance: random.Random) -> Roster:
    """An army from the tables: as many Battlegroups and squads of each kind as there may be, on foot."""
    size = chance.choice(sorted(SIZES))
    least, most = SIZES[size]["points"]
    groups = []
    for kind, bounds in KINDS.items():
        for n in range(chance.randint(*SIZES[size][kind])):
            squads = []
            for category, (fewest, many) in bounds.items():
                cards = [one for one in CARDS.values() if one["category"] == category]
                for m in range(chance.randint(fewest, many)) if cards else ():
                    card = chance.choice(cards)
                    count = chance.randint(card["squad_size"]["min"], card["squad_size"]["max"])
                    squads.append(
                        Unit(name=f"{kind} {n} {category} {m}", models=(Bought(model=card["id"], count=count),))
                    )
            if squads:
                groups.append(Unit(name=f"{kind} {n}", kind=kind, units=tuple(squads)))
    return Roster(ruleset="dropzone", name="Made up", limit=chance.randint(least, most), units=tuple(groups))


def judge(numbers: range) -> tuple[int, set[str]]:
    """Judge random armies: how many may be played, and which rules others break; both readings must agree."""
    assert BOOK.cards is not None
    lawful, fired = 0, set[str]()
    for number in numbers:
        roster = random_roster(number)
        found = judged(BOOK, roster_without_file(roster, BOOK.cards))
        rules = {one.rule for one in found.findings if one.severity in UNLAWFUL}
        assert rules == broken(roster), (number, rules ^ broken(roster), str(found))
        lawful += found.lawful
        fired |= rules
    return lawful, fired


if __name__ == "__main__":
    print(*judge(range(int(sys.argv[1]))))
