"""Force Groups: what may be bought, what a roster costs and counts, and what the rules say of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from sandtable.engine.table import Table, Thing
from sandtable.field.directions import rounded
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.forces.report import UNLAWFUL, Finding, Severity
from sandtable.forces.roster import Bill, Bought, Charge, Offer, Roster, Unit, UnitKind, all_units
from sandtable.forces.tallies import Tally, findings_of
from sandtable.rulesets.strikeops.attributes import still_to_come
from sandtable.rulesets.strikeops.datacard import CARDS
from sandtable.rulesets.strikeops.forces.samples import FORCES, READY, as_listed, sample_roster, samples
from sandtable.rulesets.strikeops.forces.specializations import (
    BATTLEFIELD_UPGRADES,
    STRIKE_POOL,
    assets,
    extras_judged,
    price,
    spoken_upgrade,
    strike_points,
    to_come,
    upgrades,
    upgrades_judged,
)
from sandtable.rulesets.strikeops.forces.squads import (
    A_MODEL,
    ASSIGNMENT,
    PRIMARY,
    SECONDARY,
    TRANSPORTS,
    TYPES,
    Member,
    Squad,
    SquadType,
    listed,
    of_class,
    spare_transport,
    spoken,
    squad_types,
    squads,
)
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.rosters import Rosters

BUILDING = rule("strikeops.forces.building-order")
COST = rule("strikeops.forces.threat-value-cost")
GUIDE = rule("strikeops.forces.starting-threat-value-guide")
SINGLE_USE = rule("strikeops.forces.battlefield-assets")
POOL = rule("strikeops.forces.threat-value-pool")
MAXIMUM = rule("strikeops.forces.pool-is-a-maximum")
FACTION = rule("strikeops.forces.faction-choice")
DOCTRINE = rule("strikeops.forces.force-doctrine")
MAJOR = rule("strikeops.forces.major-factions")
MAJOR_MODELS = rule("strikeops.forces.major-faction-models")
INDEPENDENT_MODELS = rule("strikeops.forces.independent-faction-models")
OPEN_MODELS = rule("strikeops.forces.open-faction-models")
ORGANIZATION = rule("strikeops.forces.faction-organization-level")
AT_START = rule("strikeops.forces.squad-size-at-start")
ANY_NUMBER = rule("strikeops.forces.number-of-primary-and-infantry-squads")
SECONDARIES = rule("strikeops.forces.number-of-secondary-squads")
AGREEMENT = rule("strikeops.forces.infantry-squad-agreement")
SPECIALIST = rule("strikeops.forces.specialist-attribute")
BONUS = rule("strikeops.forces.specialization-bonus")
RESERVE = rule("strikeops.forces.specialization-reserve")
UNIQUE = rule("strikeops.attributes.unique")
FACTIONS = rule("strikeops.roster.factions")
FIELDED = rule("strikeops.roster.who-may-be-fielded")
TASK = rule("strikeops.datacard.model-task")
NAME_AND_FACTION = rule("strikeops.datacard.name-and-faction")
#: The choices of a whole Force Group, beside strike points in their packages.
FACTION_OPTION, DOCTRINE_OPTION, INFANTRY_LIMIT = "faction", "doctrine", "infantry-squads"
MODELS_PER_SQUAD = "models_per_squad"
OPEN, INDEPENDENT = "open", "independent"

Place = tuple[str | int, ...]


def _error(source: Rule, sentence: str, at: Place) -> Finding:
    return Finding(Severity.ERROR, source.id, sentence, at)


# Factions ---------------------------------------------------------------------------------------------------------


@cache
def factions() -> dict[str, str]:
    """The factions by the word that a roster names them with, and their names."""
    minor = [FACTIONS.text_at("factions", one, "name") for one in FACTIONS.names("factions")]
    return {_word(name): name for name in (*MAJOR.texts("major_factions"), *minor)}


def _word(name: str) -> str:
    """The word of a faction, however its name is written."""
    return name.lower().replace(" ", "-").replace("_", "-")


def designation(faction: str) -> str:
    """What a faction is: major, independent or open."""
    key = faction.replace("-", "_")
    return FACTIONS.text_at("factions", key, "designation") if FACTIONS.has("factions", key) else "major"


def allies(faction: str) -> tuple[str, ...]:
    """The names of the factions that are allied with one, by the word of a roster."""
    found: list[str] = []
    for one in FACTIONS.names("factions"):
        if FACTIONS.has("factions", one, "allied_with"):
            friends = FACTIONS.texts("factions", one, "allied_with")
            if one.replace("_", "-") == faction:
                found += friends
            elif factions()[faction] in friends:
                found.append(FACTIONS.text_at("factions", one, "name"))
    return tuple(found)


def level(faction: str, squad_type: SquadType) -> int | None:
    """The size that a faction fixes for its squads of a type; none where the type's own range holds."""
    key = faction.replace("-", "_")
    if not ORGANIZATION.has("known_levels", key) or squad_type.id in ORGANIZATION.texts("exempt_squad_types"):
        return None
    fixed, (least, most) = ORGANIZATION.number("known_levels", key), squad_type.size
    primary_or_secondary = squad_type.squad_class in (PRIMARY, SECONDARY)
    return fixed if least <= fixed <= most and primary_or_secondary else None


def guided(words: str) -> int:
    """The pool for so many squads of such models, `3 medium cavs-and-vehicles`; nothing where the guide has none.

    strikeops.forces.starting-threat-value-guide

    >>> guided("3 medium cavs-and-vehicles"), guided("2 extra heavy vehicles"), guided("2 light cavs")
    (4875, 4000, 0)
    """
    number, _, rest = words.partition(" ")
    known = number.isdecimal() and len(number) <= 2
    return int(number) * _guide().get(rest.replace("-", "_").replace(" ", "_"), 0) if known else 0


@cache
def _guide() -> Mapping[str, int]:
    """What the guide gives for a squad of such models, which are so many to a squad."""
    found = {}
    for table in (name for name in GUIDE.names() if name != MODELS_PER_SQUAD):
        for size in GUIDE.names(table):
            found[f"{size}_{table}"] = GUIDE.number(table, size, "one_squad")
            together = GUIDE.number(table, size, "one_model") * GUIDE.number(MODELS_PER_SQUAD)
            same_number(f"a squad of {size} {table}", together, found[f"{size}_{table}"])
    return found


def faction_of(roster: Roster) -> str:
    """The faction that a roster names; empty where it names none."""
    value = roster.options.get(FACTION_OPTION, "")
    return _word(value) if isinstance(value, str) else ""


# The bill ---------------------------------------------------------------------------------------------------------


def charges(roster: Roster) -> Bill:
    """What a Force Group costs: models, upgrades, assets and strike points; the bonus pays specializations first."""
    found = squads(roster)
    special = specializations(roster, found)
    paid = min(special.total, bonus(roster.limit))
    back = (Charge("Bonus for specializations", -paid, 1, BONUS.id),) if paid else ()
    return Bill((*models_bill(found).charges, *special.charges, *back))


def models_bill(found: Sequence[Squad]) -> Bill:
    """What the models of some squads cost."""
    members = [member for squad in found for member in squad.entries]
    return Bill(tuple(Charge(one.card.name, one.card.threat_value, one.count, COST.id) for one in members))


def specializations(roster: Roster, found: Sequence[Squad]) -> Bill:
    """What upgrades, assets and strike points cost (strikeops.upgrades.bought-from-the-pool)."""
    lines, known = [], upgrades()
    for squad in found:
        for member in squad.entries:
            for name in member.bought.upgrades:
                if name in known:
                    listed_cost, tracks = price(squad, member, known[name])
                    words = f"{spoken_upgrade(name)} for {member.card.name} ({listed_cost} × {tracks})"
                    lines.append(Charge(words, listed_cost * tracks, member.count, known[name].rule.id))
    for bought in roster.extras:
        if bought.model in assets():
            asset = assets()[bought.model]
            lines.append(Charge(spoken_upgrade(asset.id), asset.threat, bought.count, SINGLE_USE.id))
    lines += [
        Charge(f"Strike points ({name})", points, 1, STRIKE_POOL.id) for name, points in strike_points(roster).items()
    ]
    return Bill(tuple(lines))


def bonus(pool: int | None) -> int:
    """The extra points for specializations (strikeops.forces.specialization-bonus): a share of the pool, rounded."""
    return rounded((pool or 0) * BONUS.number("bonus_percent"), 100)


def reserve(pool: int | None) -> int:
    """What specializations may take of the pool (strikeops.forces.specialization-reserve)."""
    return rounded((pool or 0) * RESERVE.number("percent_of_the_pool"), 100)


# What is counted --------------------------------------------------------------------------------------------------


def tallies(roster: Roster) -> list[Tally]:
    """Everything that is counted in a Force Group, with its arithmetic."""
    return counted(roster, squads(roster))


def counted(roster: Roster, found: Sequence[Squad]) -> list[Tally]:
    """Everything that is counted in a Force Group of some squads."""
    return [*_points(roster, found), *_squads(roster, found), *_classes(roster, found), *_unique(found)]


def _points(roster: Roster, found: Sequence[Squad]) -> Iterator[Tally]:
    if roster.limit is None:
        return
    models, special = models_bill(found).total, specializations(roster, found).total
    extra, most = bonus(roster.limit), reserve(roster.limit)
    from_pool = max(0, special - extra)
    words = f"Threat Value points of the pool ({models} for models, {from_pool} for specializations)"
    added = f"{models} + {from_pool}"
    yield Tally(what=words, found=models + from_pool, most=roster.limit, rule=MAXIMUM.id, at=("limit",), sum=added)
    if special:
        words = f"Specializations (bonus {extra}, and up to {most} of the pool)"
        yield Tally(what=words, found=special, most=extra + most, rule=RESERVE.id, at=("units",))


def _squads(roster: Roster, found: Sequence[Squad]) -> Iterator[Tally]:
    faction = faction_of(roster)
    for squad in found:
        if squad.type is None:
            continue
        (least, most), source = squad.type.size, squad.type.rule
        fixed = level(faction, squad.type)
        if fixed is not None:
            least, most, source = fixed, fixed, ORGANIZATION
        places = squad.places
        words = f"Models of {squad.name} ({squad.type.name})"
        added = " + ".join(f"{count} × {each}" for count, each in places) if any(each > 1 for _, each in places) else ""
        total = sum(count * each for count, each in places)
        yield Tally(what=words, found=total, least=least, most=most, rule=source.id, at=squad.path, sum=added)
        others = [one for one in squad.members if one.card.task in squad.type.substitute_tasks]
        if others:
            words = f"Models of {squad.name} that have not the task {spoken(squad.type.tasks[0])}"
            count = sum(one.count for one in others)
            yield Tally(what=words, found=count, most=squad.type.substitutes, rule=squad.type.rule.id, at=squad.path)


def _classes(roster: Roster, found: Sequence[Squad]) -> Iterator[Tally]:
    primary = len(list(of_class(found, PRIMARY)))
    secondary = len(list(of_class(found, SECONDARY)))
    most = SECONDARIES.number("without_primary")
    words = "Secondary squads without a primary squad"
    if primary:
        each, less = SECONDARIES.number("per_primary"), SECONDARIES.number("less")
        most = each * primary - less
        words = f"Secondary squads (primary squads: {primary}; {each} × {primary} − {less} = {most})"
    if secondary:
        yield Tally(what=words, found=secondary, most=most, rule=SECONDARIES.id, at=("units",))
    for kind in squad_types().values():
        count = sum(one.type is kind for one in found)
        if kind.most is not None and count:
            words = f"{spoken(kind.id).capitalize()} squads"
            yield Tally(what=words, found=count, most=kind.most, rule=kind.rule.id, at=("units",))
    limit = roster.options.get(INFANTRY_LIMIT)
    if isinstance(limit, int):
        count = len(list(of_class(found, "infantry")))
        words = "Infantry squads, as agreed"
        yield Tally(what=words, found=count, most=limit, rule=AGREEMENT.id, at=("options", INFANTRY_LIMIT))


def _unique(found: Sequence[Squad]) -> Iterator[Tally]:
    counts: Counter[str] = Counter()
    for squad in found:
        for member in squad.entries:
            if "unique" in member.card.attributes:
                counts[member.card.name] += member.count
    for name, count in counts.items():
        most = UNIQUE.number("max_per_force_group")
        yield Tally(what=f"{name}, which is Unique", found=count, most=most, rule=UNIQUE.id, at=("units",))


# What is said -----------------------------------------------------------------------------------------------------


def lawful(roster: Roster) -> Iterable[Finding]:
    """What the rules of building a Force Group say of a roster."""
    found = squads(roster)
    yield from findings_of(counted(roster, found))
    yield from the_pool(roster)
    yield from the_faction(roster, found)
    yield from types_and_tasks(roster, found)
    yield from transports(found)
    yield from upgrades_judged(found)
    yield from extras_judged(roster, found)


def the_pool(roster: Roster) -> Iterable[Finding]:
    """A pool is agreed on, and somebody is bought from it (strikeops.forces.threat-value-pool)."""
    if roster.limit is None:
        yield Finding(Severity.MISSING, POOL.id, "No Threat Value Pool has been agreed on.", ("units",))
    elif roster.limit > POOL.number("recommended_beginner_maximum"):
        most = POOL.number("recommended_beginner_maximum")
        yield Finding(Severity.NOTE, POOL.id, f"For first games at most {most} TV a side are recommended.", ("limit",))
    if not roster.units:
        yield Finding(Severity.MISSING, BUILDING.id, "A Force Group has models, each in a squad.", ("units",))


def the_faction(roster: Roster, found: Sequence[Squad]) -> Iterable[Finding]:
    """A faction is chosen, and every model is one that it may field."""
    known, faction = factions(), faction_of(roster)
    if roster.options.get(DOCTRINE_OPTION):
        words = "An open faction has no doctrine." if designation(faction) == OPEN else "It has no such doctrine."
        yield _error(DOCTRINE, words, ("options", DOCTRINE_OPTION))
    if not faction:
        yield Finding(Severity.MISSING, FACTION.id, "No faction has been chosen.", ("units",))
        return
    if faction not in known:
        yield _error(FACTION, f"There is no faction {faction}.", ("options", FACTION_OPTION))
        return
    own, kind = known[faction], designation(faction)
    if kind == OPEN:
        return
    source = INDEPENDENT_MODELS if kind == INDEPENDENT else MAJOR_MODELS
    for squad in found:
        for member in squad.entries:
            if member.card.faction not in (OPEN, own, *allies(faction)):
                words = f"{member.card.name} belongs to the {member.card.faction}; the {own} may not field it."
                yield _error(source, words, member.path)


def types_and_tasks(roster: Roster, found: Sequence[Squad]) -> Iterable[Finding]:
    """Type and task decide which squads a model may join (strikeops.forces.squad-assignment)."""
    for path, unit in all_units(roster.units):
        if len(path) > 2:
            yield _error(ASSIGNMENT, f"{unit.name} is part of a squad; squads hold models.", path)
    for squad in found:
        if squad.type is None:
            kinds = listed([kind.id for kind in squad_types().values()])
            yield _error(ASSIGNMENT, f"{squad.name} is no squad of a type: {kinds}.", squad.path)
            continue
        if squad.unit.upgrades:
            words = "An upgrade is bought for a single model, not for a squad."
            yield _error(BATTLEFIELD_UPGRADES, words, (*squad.path, "upgrades"))
        for member in squad.members:
            yield from _placed(squad, squad.type, member)
        yield from _alike(squad, squad.type)


def _placed(squad: Squad, kind: SquadType, member: Member) -> Iterator[Finding]:
    card = member.card
    if "specialist" in card.attributes and kind.id != "specialist":
        yield _error(SPECIALIST, f"{card.name} is a Specialist and joins specialist squads only.", member.path)
    if card.model_type not in kind.types:
        words = f"{card.name} is {A_MODEL[card.model_type]}; {squad.name} takes {listed(kind.types)} models."
        yield _error(kind.rule, words, member.path)
    elif kind.tasks and card.task not in (*kind.tasks, *kind.substitute_tasks):
        words = f"{card.name} has the task {spoken(card.task)}; {squad.name} takes {listed(kind.tasks)}."
        yield _error(kind.rule, words, member.path)


def _alike(squad: Squad, kind: SquadType) -> Iterator[Finding]:
    wanted = (
        (kind.one_task, "task", {one.card.task for one in squad.members}),
        (kind.one_type, "model type", {one.card.model_type for one in squad.members}),
        (kind.one_variety, "variety", {one.card.variety for one in squad.members}),
    )
    for holds, what, values in wanted:
        if holds and len(values) > 1:
            yield _error(kind.rule, f"The models of {squad.name} are not all of one {what}.", squad.path)


def transports(found: Sequence[Squad]) -> Iterable[Finding]:
    """Infantry ride in transports of one type, as many as they need (strikeops.forces.squad-transports)."""
    for squad in found:
        if len({one.card.model_type for one in squad.transports}) > 1:
            yield _error(TRANSPORTS, f"The transports of {squad.name} are not all of one type.", squad.path)
        spare = spare_transport(squad)
        if spare is not None:
            riders = sum(one.count for one in squad.members)
            words = f"{spare.card.name} is one transport too many: the {riders} models of {squad.name} ride without it."
            yield _error(TRANSPORTS, words, spare.path)


def not_yet(roster: Roster) -> Iterable[Finding]:
    """Whatever is in the ledger and not played yet: it may be listed, and nobody can field it.

    strikeops.roster.who-may-be-fielded    the ready models; towed guns and own designs are still to come
    """
    found = squads(roster)
    for squad in found:
        for member in squad.entries:
            missing = still_to_come(member.card)
            if member.bought.model not in CARDS.printed:
                missing = "designs of the players' own"
            if missing:
                words = f"{member.card.name} cannot be fielded yet; still to come: {missing}."
                yield Finding(Severity.LATER, FIELDED.id, words, member.path)
    yield from to_come(roster, found)


# What is shown when forces are declared ---------------------------------------------------------------------------


def shown(roster: Roster) -> Iterator[tuple[str, Sequence[Rule]]]:
    """What the other side is shown of a Force Group, piece by piece, each with the rules that it was built by.

    strikeops.forces.building-order         the pool, the faction, the squads
    strikeops.roster.who-may-be-fielded     by models that are ready
    strikeops.forces.squad-size-at-start    as many to a squad as its type takes
    strikeops.datacard.model-task           whose task is that of the squad
    """
    found, faction = squads(roster), faction_of(roster)
    if faction in factions():
        may_field = {OPEN: (OPEN_MODELS,), INDEPENDENT: (INDEPENDENT_MODELS,)}
        models = may_field.get(designation(faction), (MAJOR, MAJOR_MODELS))
        yield f"{roster.name}, of the {factions()[faction]}", (FACTION, FACTIONS, NAME_AND_FACTION, *models)
    limit = "" if roster.limit is None else f" of {roster.limit}"
    yield f"{charges(roster).total}{limit} TV", (BUILDING, COST, POOL)
    for squad in found:
        models_of = ", ".join(f"{one.count} × {one.card.name}" for one in squad.entries)
        kind = squad.type.name if squad.type else "squad"
        typed = (squad.type.rule, AT_START, *((TASK,) if squad.type.tasks else ())) if squad.type else ()
        yield f"{squad.name}, {kind}: {models_of}", (FIELDED, READY, *typed)
    primary, secondary = (len(list(of_class(found, one))) for one in (PRIMARY, SECONDARY))
    yield (
        f"squads in all, {primary} primary and {secondary} secondary",
        (ANY_NUMBER, *((SECONDARIES,) if secondary else ())),
    )


# What may be bought -----------------------------------------------------------------------------------------------


def offer() -> Offer:
    """What a Force Group may buy; what is still to come is listed too, and closed with its reason."""
    kinds = tuple(
        UnitKind(kind.kind, kind.name.capitalize(), kind.rule.id, about=about(kind)) for kind in squad_types().values()
    )
    return Offer(
        models=tuple(card.id for card in CARDS.printed),
        unit_kinds=kinds,
        ready=(*starters(), *(one for name in samples() if not _broken(one := sample_roster(name)))),
        options={FACTION_OPTION: tuple(factions())},
        limit=POOL.number("recommended_beginner_maximum"),
    )


def starters() -> tuple[Roster, ...]:
    """A small Force Group of each open faction to begin with: an attack squad of CAVs that are played already."""
    attack = next(kind for kind in squad_types().values() if kind.id == "attack")
    fit = [card for card in CARDS.printed if card.kind == "cav" and card.stats.task == "attack"]
    found = sorted((card for card in fit if not still_to_come(card.stats)), key=lambda card: (card.points, card.id))
    least = attack.size[0]
    bought = (Bought(model=found[-1].id), Bought(model=found[0].id, count=least - 1))
    squad = Unit(name="Lance", kind=attack.kind, models=bought)
    cost = found[-1].points + found[0].points * (least - 1)
    return tuple(
        Roster(ruleset="strikeops", name=f"{name} lance", limit=cost, options={FACTION_OPTION: faction}, units=(squad,))
        for faction, name in factions().items()
        if designation(faction) == OPEN
    )


def _broken(roster: Roster) -> bool:
    return any(finding.severity in UNLAWFUL for checker in JUDGES for finding in checker(roster))


def about(kind: SquadType) -> str:
    """What a type of squad may hold, in a sentence."""
    least, most = kind.size
    size = str(most) if least == most else f"{least} to {most}"
    tasks = f" with the task {listed(kind.tasks)}" if kind.tasks else ""
    other = f"; {kind.substitutes} of them may be {listed(kind.substitute_tasks)}" if kind.substitutes else ""
    return f"{kind.squad_class.capitalize()}: {size} {listed(kind.types)} models{tasks}{other}."


# What cases ask ---------------------------------------------------------------------------------------------------


def _asked(asked: Data) -> Roster:
    """A roster that a case writes, or a sample force that it names."""
    if isinstance(asked.node.value, str):
        return sample_roster(asked.text_at())
    return msgspec.structs.replace(asked.read(Roster), ruleset="strikeops")


def _said(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(f"{one.rule.removeprefix('strikeops.')}: {one.sentence}" for one in findings)


def _faults(table: Table, asked: Data) -> object:
    """What the rules of building say of a roster (see `breaks`): each rule with its sentence."""
    return _said(lawful(_asked(asked)))


def _breaks(table: Table, asked: Data) -> object:
    """The rules that a roster breaks: `{name, limit, options: {faction}, units: [{name, kind, models: [{model}]}]}`."""
    return tuple(dict.fromkeys(one.rule for one in lawful(_asked(asked)) if one.severity in UNLAWFUL))


def _unplayed(table: Table, asked: Data) -> object:
    """What of a Force Group is still to come."""
    return _said(not_yet(_asked(asked)))


def _sums(table: Table, asked: Data) -> object:
    """What is counted in a Force Group: how many, and how many there may be."""
    return tuple(f"{one.what}: {one.found}, {one.bounds}" for one in tallies(_asked(asked)))


def misprints(name: str) -> Iterator[str]:
    """What the list of a sample force says of itself that is not what comes of it, by the paths of its numbers."""
    roster, source = sample_roster(name), FORCES[name]
    found = squads(roster)
    models, special, spent = models_bill(found).total, specializations(roster, found).total, charges(roster).total
    paid = min(special, bonus(roster.limit))
    sums = (models, special, paid, special - paid, spent, (roster.limit or 0) - spent)
    counted: list[tuple[Place, int]] = [(("totals", what), sums[n]) for n, what in enumerate(_TOTALS)]
    counted.append((("model_count",), sum(one.count for squad in found for one in squad.entries)))
    for n, squad in enumerate(found):
        counted.append((("squads", n, "threat"), models_bill([squad]).total))
        rows = [("models", m) for m in range(len(source.items("squads", n, "models")))]
        for at, member in zip(rows, squad.entries, strict=False):  # transports, which come after, have none
            place = ("squads", n, *at, "upgrades")
            for k, one in enumerate(source.items(*place) if source.has(*place) else ()):
                listed_cost, tracks = price(squad, member, upgrades()[_word(one.text_at("upgrade"))])
                counted.append(((*place, k, "cost"), listed_cost * tracks * one.number("number")))
    for n, one in enumerate(source.items("assets")):
        counted.append((("assets", n, "cost"), assets()[_word(one.text_at("asset"))].threat * one.number("number")))
    for path, number in counted:
        if source.number(*path) != number:
            yield f"{' / '.join(map(str, path))}: {source.number(*path)}, and not {number}"


_TOTALS = ("models", "specializations", "from_bonus", "from_pool", "spent_from_pool", "left_over")
JUDGES = (lawful, not_yet)
ROSTERS = Rosters(offer, JUDGES, charges, tallies)


def in_play(thing: Thing) -> list[str]:
    """The rules that a squad brings into play by being there: those of its type."""
    kind = squad_types().get(str(thing.value(StateName.SQUAD_TYPE))) if thing.kind == "unit" else None
    return [] if kind is None else [kind.rule.id, TYPES.id, ASSIGNMENT.id]


CHAPTER = Chapter(
    in_play=in_play,
    values={
        "faults": _faults,
        "breaks": _breaks,
        "still-to-come": _unplayed,
        "tallies": _sums,
        "shown-of-a-force": lambda table, asked: tuple(words for words, _ in shown(_asked(asked))),
        "misprints": lambda table, asked: tuple(misprints(asked.text_at())),
        "ready-model": lambda table, asked: as_listed(asked.text_at()),
        "force-points": lambda table, asked: charges(_asked(asked)).total,
    },
)
