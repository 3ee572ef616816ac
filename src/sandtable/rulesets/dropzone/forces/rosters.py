"""Army building: what may be bought, what is counted in a roster, and what the rules say of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule, same_number
from sandtable.forces.loading import symbol_of
from sandtable.forces.report import Finding, Severity
from sandtable.forces.roster import (
    Bill,
    Charge,
    Choice,
    ChoiceValue,
    Offer,
    Roster,
    Unit,
    UnitKind,
    all_bought,
    all_units,
)
from sandtable.forces.tallies import Tally, findings_of
from sandtable.rulesets.dropzone.command.commanders import COMMANDER, MOUNTING, TABLE, cost
from sandtable.rulesets.dropzone.forces.armies import (
    RIDES_IN,
    SAMPLE,
    Squad,
    loads,
    named_transports,
    sample_names,
    sample_roster,
    spoken,
    squads,
)
from sandtable.rulesets.dropzone.forces.armies import SIZES as SAMPLE_SIZES
from sandtable.rulesets.dropzone.rounds import AUXILIARIES
from sandtable.rulesets.dropzone.special_rules.infiltrating import INFILTRATE
from sandtable.rulesets.dropzone.transports import CAPACITY, ONE_BATTLEGROUP
from sandtable.rulesets.dropzone.units import AUXILIARY, CARDS, LEVELS, STATISTICS, MoveRange, value_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.rosters import Rosters

SIZES = rule("dropzone.forces.game-sizes")
KINDS = rule("dropzone.forces.battlegroup-kinds")
TOTAL = rule("dropzone.forces.agreed-total")
ARMED_ALIKE = rule("dropzone.units.armed-alike")
RARE = rule("dropzone.special-rules.rare")
COMMAND_CENTRE = rule("dropzone.special-rules.command-centre")
HALF_FULL = rule("dropzone.transports.half-full-at-start")

BEHEMOTH = "behemoth"
COMMAND = "command"


def group_kinds() -> tuple[str, ...]:
    """The kinds of Battlegroups."""
    return tuple(KINDS.names())


def game_size(limit: int | None) -> str:
    """The size of game that an agreed total makes; empty where it makes none.

    >>> [game_size(limit) for limit in (499, 750, 1999, 2000, 3001)]
    ['', 'skirmish', 'clash', 'battle', '']
    """
    if limit is None:
        return ""
    for size in SIZES.names("sizes"):
        least, most = SIZES.numbers("sizes", size, "points")
        if least <= limit <= most:
            return size
    return ""


class Army:
    """A roster as the rules see it: its squads, its Transports and who rides where."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.squads = squads(roster)
        self.size = game_size(roster.limit)

    @cached_property
    def rides(self) -> Mapping[str, str]:
        """Which unit starts in which Transport."""
        return loads(self.squads)[1]

    @property
    def groups(self) -> Iterator[tuple[int, Unit]]:
        """The Battlegroups, with their numbers in the file."""
        return ((n, one) for n, one in enumerate(self.roster.units) if one.kind != AUXILIARY)

    def of_group(self, number: int) -> list[Squad]:
        """The squads of a Battlegroup."""
        return [one for one in self.squads if one.path[1] == number]

    def owner(self, unit: str) -> Squad:
        """The squad of a unit."""
        return next(one for one in self.squads if unit in one.members)


def points_of(squad: Squad) -> int:
    """What the units of a squad cost, without Commanders."""
    return sum(CARDS.held[one.model].stats.points * one.count for one in squad.unit.models)


def sum_of(own: Sequence[Squad]) -> str:
    """The arithmetic of what some squads cost."""
    parts = [f"{one.count} × {CARDS.held[one.model].stats.points}" for squad in own for one in squad.unit.models]
    return " + ".join(parts)


# The bill ----------------------------------------------------------------------------------------------------------


def charges(roster: Roster) -> Bill:
    """What an army costs: its units, and its Commanders."""
    lines = [
        Charge(CARDS.held[one.model].name, CARDS.held[one.model].stats.points, one.count, TOTAL.id)
        for _, one in all_bought(roster)
    ]
    values = {one.number("command_value") for one in TABLE.items("commanders")}
    lines += [
        Charge(f"Commander, Command Value {value}", cost(value), 1, TABLE.id)
        for squad in squads(roster)
        for value in squad.commanders
        if value in values
    ]
    return Bill(tuple(lines))


def _sums(army: Data) -> Iterator[tuple[int, int]]:
    """What the ledger says that the parts of a sample army cost, and what they do cost."""

    def units(part: Data) -> int:
        return sum(CARDS.held[one.text_at("unit")].stats.points * one.number("count") for one in part.items())

    groups = army.items("battlegroups")
    yield from ((group.number("points"), units(group.at("squads"))) for group in groups)
    yield army.number("auxiliary_points"), units(army.at("auxiliary"))
    chief, value = army.number("commander", "points"), army.number("commander", "command_value")
    yield chief, cost(value)
    parts = sum(group.number("points") for group in groups) + army.number("auxiliary_points") + chief
    yield army.number("total_points"), parts


def _see_sums() -> None:
    for size in SAMPLE_SIZES:
        for name in sample_names():
            for said, found in _sums(SAMPLE.at(size, "armies", name)):
                same_number(f"what parts of {name} cost", said, found)


_see_sums()


# What is counted ---------------------------------------------------------------------------------------------------


def tallies(roster: Roster) -> list[Tally]:
    """Everything that is counted in an army, with its arithmetic."""
    army = Army(roster)
    return [*_total(army), *_kinds(army), *_groups(army), *_squads(army), *_rare(army)]


def _total(army: Army) -> Iterator[Tally]:
    if army.roster.limit is not None:
        bill = charges(army.roster)
        yield Tally(what="Points of the army", found=bill.total, most=army.roster.limit, rule=TOTAL.id, at=("limit",))


def _kinds(army: Army) -> Iterator[Tally]:
    if not army.size:
        return
    for kind in group_kinds():
        least, most = SIZES.numbers("sizes", army.size, kind)
        found = sum(one.kind == kind for _, one in army.groups)
        words = f"{spoken(kind)} Battlegroups in a {spoken(army.size)}"
        yield Tally(what=words, found=found, least=least, most=most, rule=SIZES.id, at=("units",))


def _groups(army: Army) -> Iterator[Tally]:
    for number, group in army.groups:
        if group.kind not in group_kinds():
            continue
        own, at = army.of_group(number), ("units", number)
        found = [one.card.category for one in own if one.card is not None]
        for category in dict.fromkeys((*KINDS.names(group.kind), *found)):
            least, most = KINDS.numbers(group.kind, category) if KINDS.has(group.kind, category) else (0, 0)
            words = f"{spoken(category)} squads in {group.name}"
            yield Tally(what=words, found=found.count(category), least=least, most=most, rule=KINDS.id, at=at)
        if army.size and army.roster.limit is not None and BEHEMOTH not in found:
            percent = SIZES.number("sizes", army.size, "battlegroup_limit_percent")
            words = f"Points of {group.name} (at most {percent} % of {army.roster.limit})"
            points, most = sum(points_of(one) for one in own), army.roster.limit * percent // 100
            yield Tally(what=words, found=points, most=most, rule=SIZES.id, at=at, sum=sum_of(own))


def _squads(army: Army) -> Iterator[Tally]:
    for one in army.squads:
        if one.card is not None:
            size = one.card.squad_size
            words = f"Units of {one.unit.name} ({one.card.name})"
            yield Tally(what=words, found=one.count, least=size.min, most=size.max, rule=TOTAL.id, at=one.path)


def _rare(army: Army) -> Iterator[Tally]:
    if not army.size:
        return
    found = [one.card for one in army.squads if one.card is not None]
    for card in {one.id: one for one in found if value_of(one.special, "rare") is not None}.values():
        words, count = f"Squads of {card.name} in a {spoken(army.size)}", sum(one.id == card.id for one in found)
        yield Tally(what=words, found=count, most=RARE.number(army.size), rule=RARE.id, at=("units",))


# What is said ------------------------------------------------------------------------------------------------------


def counted(roster: Roster) -> Iterable[Finding]:
    """What is counted in an army is as many as it may be."""
    return findings_of(tallies(roster))


def _error(source: str, sentence: str, at: tuple[str | int, ...]) -> Finding:
    return Finding(Severity.ERROR, source, sentence, at)


def agreed_total(roster: Roster) -> Iterable[Finding]:
    """A total is agreed on, and makes a size of game (dropzone.forces.game-sizes)."""
    least = min(SIZES.numbers("sizes", size, "points")[0] for size in SIZES.names("sizes"))
    most = max(SIZES.numbers("sizes", size, "points")[1] for size in SIZES.names("sizes"))
    if roster.limit is None:
        words = f"No points have been agreed on; {least} to {most} make a game."
        yield Finding(Severity.MISSING, SIZES.id, words, ("units",))
    elif not game_size(roster.limit):
        yield _error(SIZES.id, f"{roster.limit} points make no game; {least} to {most} do.", ("limit",))


def levels(roster: Roster) -> Iterable[Finding]:
    """Everything is a unit of a squad, every squad is in a Battlegroup of a kind or Auxiliary, and of one card."""
    for n, group in enumerate(roster.units):
        if group.kind not in (*group_kinds(), AUXILIARY):
            kinds = ", ".join(spoken(one) for one in group_kinds())
            yield _error(KINDS.id, f"{group.name} is no Battlegroup of a kind: {kinds}.", ("units", n))
    for one in squads(roster):
        if one.unit.units and one.unit is not one.group:
            yield _error(LEVELS.id, f"{one.unit.name} is a squad and holds units, not squads.", one.path)
        if len({bought.model for bought in one.unit.models}) > 1:
            yield _error(ARMED_ALIKE.id, f"The units of {one.unit.name} are not all the same.", one.path)
        if one.auxiliary and one.card is not None and one.card.category != AUXILIARY:
            words = f"{one.unit.name} is no Auxiliary squad but {spoken(one.card.category)}."
            yield _error(AUXILIARIES.id, words, one.path)
    for n in range(len(roster.extras)):
        yield _error(LEVELS.id, "Whatever is bought is a unit of a squad.", ("extras", n))
    upgraded = [(*path, "upgrades") for path, unit in all_units(roster.units) if unit.upgrades]
    upgraded += [(*path, "upgrades") for path, bought in all_bought(roster) if bought.upgrades]
    for at in upgraded:
        yield _error(STATISTICS.id, "A unit has what its card says, and nothing beside it.", at)


def may_carry_commander(squad: Squad) -> bool:
    """Whether a Commander may be mounted in a squad: of the Command category, or with a Command Centre."""
    card, centre = squad.card, COMMAND_CENTRE.id.rpartition(".")[2]
    return card is not None and (card.category == COMMAND or value_of(card.special, centre) is not None)


def commanders(roster: Roster) -> Iterable[Finding]:
    """Where Commanders ride, how many, and which there are (dropzone.command.mounting-a-commander)."""
    values = [one.number("command_value") for one in TABLE.items("commanders")]
    for squad in squads(roster):
        if COMMANDER not in squad.unit.options:
            continue
        for value in squad.commanders or (0,):
            if value not in values:
                words = f"{squad.unit.name}: Commanders have Command Values from {min(values)} to {max(values)}."
                yield _error(TABLE.id, words, squad.path)
        if not may_carry_commander(squad):
            words = f"{squad.unit.name} is neither of the Command category nor has it a Command Centre."
            yield _error(MOUNTING.id, words, squad.path)
        elif len(squad.commanders) > squad.count:
            words = f"{squad.unit.name}: {len(squad.commanders)} Commanders, and at most one in each unit."
            yield _error(MOUNTING.id, words, squad.path)


def transports(roster: Roster) -> Iterable[Finding]:
    """Who rides where fits (dropzone.transports.capacity-and-requirement)."""
    army = Army(roster)
    by_name = {one.unit.name: one for one in army.squads}
    for squad in army.squads:
        if not squad.rides_in or squad.card is None:
            continue
        unfit = next((why for name in dict.fromkeys(squad.rides_in) if (why := _unfit(by_name, squad, name))), None)
        if unfit is not None:
            yield unfit
            continue
        riding = [one for one in squad.members if one in army.rides]
        if len(riding) < squad.count:
            words = f"{squad.unit.name}: there is room for {len(riding)} of its {squad.count} units."
            yield _error(CAPACITY.id, words, squad.path)
        elif len({army.rides[one] for one in riding}) > 1 and fits_in_one(army, squad):
            words = f"{squad.unit.name} is spread over several Transports, and would fit in one."
            yield _error(CAPACITY.id, words, squad.path)


def _unfit(by_name: Mapping[str, Squad], squad: Squad, name: str) -> Finding | None:
    """Why a squad may not ride in a Transport at all, however empty that is."""
    ride = by_name.get(name)
    if ride is None or ride.card is None or not ride.card.capacity or squad.card is None:
        return _error(CAPACITY.id, f"{squad.unit.name}: {name} is no Transport of the army.", squad.path)
    if not symbol_of(squad.card.requirement or {}, ride.card.capacity):
        needs = " or ".join(squad.card.requirement or {}) or "nothing"
        words = f"{squad.unit.name} fits {needs} spaces, and {name} has {' and '.join(ride.card.capacity)} spaces."
        return _error(CAPACITY.id, words, squad.path)
    if _rides_in_itself(by_name, squad):
        return _error(CAPACITY.id, f"{squad.unit.name} would ride in itself.", squad.path)
    if value_of(squad.card.special, "infiltrate") is not None and value_of(ride.card.special, "infiltrate") is None:
        words = f"{squad.unit.name} infiltrates, and may not start in {name}."
        return _error(INFILTRATE.id, words, squad.path)
    return None


def _rides_in_itself(by_name: Mapping[str, Squad], squad: Squad) -> bool:
    seen: list[str] = []
    todo = list(squad.rides_in)
    while todo:
        name = todo.pop()
        if name == squad.unit.name:
            return True
        if name not in seen and name in by_name:
            seen.append(name)
            todo += by_name[name].rides_in
    return False


def fits_in_one(army: Army, squad: Squad) -> bool:
    """Whether one of the Transports that a squad names would hold all of it, were it empty."""
    for ride in named_transports(army.squads, squad):
        if ride.card is None or squad.card is None:
            continue
        symbol = symbol_of(squad.card.requirement or {}, ride.card.capacity or {})
        if symbol and (ride.card.capacity or {})[symbol] >= squad.count * (squad.card.requirement or {})[symbol]:
            return True
    return False


def battlegroups_in(army: Army, transport: str) -> list[str]:
    """The Battlegroups whose units start in a Transport, or in one that it carries."""
    found: dict[str, None] = {}
    for unit, ride in army.rides.items():
        if ride != transport:
            continue
        owner = army.owner(unit)
        found |= dict.fromkeys(battlegroups_in(army, unit) if owner.auxiliary else [owner.group.name])
    return list(found)


def single_battlegroup(roster: Roster) -> Iterable[Finding]:
    """Transports that act together carry one Battlegroup (dropzone.transports.single-battlegroup)."""
    army = Army(roster)
    if any(_rides_in_itself({one.unit.name: one for one in army.squads}, one) for one in army.squads):
        return
    for squad in army.squads:
        found = dict.fromkeys(group for unit in squad.members for group in battlegroups_in(army, unit))
        if not squad.auxiliary:
            found |= {squad.group.name: None} if found else {}
        if len(found) > 1:
            words = f"{squad.unit.name} would carry units of {' and '.join(found)}, and carries one Battlegroup."
            yield _error(ONE_BATTLEGROUP.id, words, squad.path)


def half_full(roster: Roster) -> Iterable[Finding]:
    """Auxiliary Transports start at least half full (dropzone.transports.half-full-at-start)."""
    army = Army(roster)
    hold, _ = loads(army.squads)
    for squad in army.squads:
        if not squad.auxiliary or squad.card is None or not squad.card.capacity:
            continue
        for number, unit in enumerate(squad.members, 1):
            filled = hold.filled(unit)
            if not any(2 * used >= spaces for used, spaces in filled.values()):
                which = squad.unit.name if squad.count == 1 else f"{squad.unit.name}, unit {number}"
                sums = " or ".join(f"{used} of {spaces} {word}" for word, (used, spaces) in filled.items())
                words = f"{which}: {sums} spaces are filled, and at least half must be."
                yield Finding(Severity.MISSING, HALF_FULL.id, words, squad.path)


# What is offered ---------------------------------------------------------------------------------------------------


def offer() -> Offer:
    """The cards of the catalogue, and the kinds of Battlegroups with what each may hold."""
    kinds = [UnitKind(kind, f"{spoken(kind)} Battlegroup", KINDS.id, "units", _holds(kind)) for kind in group_kinds()]
    beside = UnitKind(AUXILIARY, "Auxiliary squads", AUXILIARIES.id, "units", "Any number of Auxiliary squads.")
    return Offer(
        models=tuple(CARDS.printed.cards),
        unit_kinds=(*kinds, beside),
        limit=SAMPLE.number("skirmish", "agreed_points"),
        ready=tuple(sample_roster(name, size) for size in SAMPLE_SIZES for name in sample_names()),
    )


def _holds(kind: str) -> str:
    parts = []
    for category in KINDS.names(kind):
        least, most = KINDS.numbers(kind, category)
        parts.append(f"{least} to {most} {spoken(category)}" if least != most else f"{most} {spoken(category)}")
    return ", ".join(parts) + "."


def choices(roster: Roster) -> list[Choice]:
    """The options of each squad: its Commander, and the Transports it may start in."""
    army = Army(roster)
    by_name = {one.unit.name: one for one in army.squads}
    found = []
    for squad in army.squads:
        if may_carry_commander(squad):
            rows = TABLE.items("commanders")
            values = [
                ChoiceValue(
                    str(row.number("command_value")),
                    f"Command Value {row.number('command_value')}, {row.number('points') or 'no'} points",
                )
                for row in rows
            ]
            found.append(Choice(squad.path, COMMANDER, "Commander", tuple(values)))
        rides = [one for one in army.squads if one.card is not None and one.card.capacity and one is not squad]
        if squad.card is not None and squad.card.requirement and rides:
            offered = []
            for ride in rides:
                unfit = _unfit(by_name, squad, ride.unit.name)
                why, cause = ("", "") if unfit is None else (unfit.sentence, unfit.rule)
                offered.append(ChoiceValue(ride.unit.name, f"{ride.unit.name}, {_left(army, ride)}", why, cause))
            found.append(Choice(squad.path, RIDES_IN, "Starts in", tuple(offered), several=True))
    return found


def _left(army: Army, ride: Squad) -> str:
    hold, _ = loads(army.squads)
    filled = [hold.filled(unit) for unit in ride.members]
    assert ride.card is not None
    parts = [
        f"{sum(one[word][0] for one in filled)} of {sum(one[word][1] for one in filled)} {word}"
        for word in ride.card.capacity or {}
    ]
    return " and ".join(parts) + " spaces filled"


# What cases ask ----------------------------------------------------------------------------------------------------


def _asked_roster(asked: Data) -> Roster:
    """A roster that a case writes, or a sample army that it names by force and size."""
    if isinstance(asked.node.value, str):
        force, _, size = asked.text_at().partition(" ")
        return sample_roster(force, size)
    return msgspec.structs.replace(asked.read(Roster), ruleset="dropzone")


def _faults(table: Table, asked: Data) -> object:
    """What the rules say of an army (see `breaks`): each rule with its sentence."""
    return tuple(f"{one.rule.removeprefix('dropzone.')}: {one.sentence}" for one in _findings(asked))


def _findings(asked: Data) -> list[Finding]:
    roster = _asked_roster(asked)
    return [finding for checker in JUDGES for finding in checker(roster)]


def _breaks(table: Table, asked: Data) -> object:
    """The rules that an army breaks: a sample one, `ashen_tide skirmish`, or a roster `{name, limit, units}`."""
    return tuple(dict.fromkeys(one.rule for one in _findings(asked)))


def _card(table: Table, asked: Data) -> object:
    """What a card says, line by line, lengths in inches."""
    unit = CARDS.held[asked.text_at()].stats
    size, against = unit.squad_size, unit.countermeasures
    move = unit.move_in
    speed = f"{_inches(move.min)} to {_inches(move.max)}" if isinstance(move, MoveRange) else _inches(move)
    lines = [
        f"{unit.name}, {unit.role} of {unit.force}",
        f"{unit.points} points, {unit.category}, {unit.type}, {size.min} to {size.max} units",
        f"MV {speed}, Armour {unit.armour}, DP {unit.damage_points}, Fortitude {unit.fortitude}",
        f"active {against.active}, passive {against.passive}, evasion {against.evasion}",
        f"needs {_spaces(unit.requirement)}, carries {_spaces(unit.capacity)}",
        f"radius {_inches(unit.radius_in)}, height {_inches(unit.height_in)}",
        f"special: {' '.join(unit.special) or 'nothing'}",
    ]
    if unit.zones:
        lines.append(f"Spread {_inches(unit.spread_in)}")
    for name, zone in unit.zones.items():
        effect = " ".join(f"{word} {number}" for word, number in zone.crippled.items())
        lines.append(f"{name}: {zone.blocks} blocks of {zone.points_per_block}, {effect}")
    for one in unit.weapons:
        reach = f"R(F) {_inches(one.range_full_in)}, R(C) {_inches(one.range_countered_in)}"
        rolls = f"Shots {one.shots}, Accuracy {one.accuracy}, Energy {one.energy}"
        lines.append(f"{one.name}: M&F {_inches(one.move_and_fire_in)}, {' '.join(one.arc)}, {reach}, {rolls}")
        lines += [f"{one.name} is {' '.join(one.special)}"] if one.special else []
    return tuple(lines)


def _inches(length: int | str | None) -> str:
    return f"{length / UNIT:g}" if isinstance(length, int) else str(length)


def _spaces(spaces: Mapping[str, int] | None) -> str:
    return " ".join(f"{number} {word}" for word, number in (spaces or {}).items()) or "nothing"


JUDGES = (counted, agreed_total, levels, commanders, transports, single_battlegroup, half_full)
ROSTERS = Rosters(offer, JUDGES, charges, tallies, choices)
CHAPTER = Chapter(
    values={
        "faults": _faults,
        "breaks": _breaks,
        "army-points": lambda table, asked: charges(_asked_roster(asked)).total,
        "card": _card,
        "riders": lambda table, asked: tuple(
            f"{unit} in {ride}" for unit, ride in loads(squads(_asked_roster(asked)))[1].items()
        ),
    },
)
