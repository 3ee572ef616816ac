"""Objectives: searching, scanning, claiming, carrying and dropping them."""

from collections.abc import Iterable, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Left, Placed
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, In, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.basics import DIE, in_coherency, near_piece
from sandtable.rulesets.dropzone.damage import CLOSE, LOST, Destroyed
from sandtable.rulesets.dropzone.garrisons import BLOODTHIRSTY
from sandtable.rulesets.dropzone.moments import SEARCHES
from sandtable.rulesets.dropzone.rounds import ACTION_LIST, ACTIVATION_ENDS, AFTER_ACTION
from sandtable.rulesets.dropzone.transports import carrier
from sandtable.rulesets.dropzone.units import AIRBORNE, OUT_OF_COHERENCY, card, flies, is_kind, moved, squads, value_of
from sandtable.tabletop.actions import Action
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.states import give, take

SEARCHING = rule("dropzone.objectives.searching")
PRESSURE = rule("dropzone.objectives.search-under-pressure")
SCANNING = rule("dropzone.objectives.scanning")
SCAN_TOKENS = rule("dropzone.objectives.spending-scan-tokens")
OPEN_RULE = rule("dropzone.objectives.open-objectives")
MOBILE_RULE = rule("dropzone.objectives.mobile-objectives")
DROPPING = rule("dropzone.objectives.dropping")
LOST_INSIDE = rule("dropzone.objectives.destroyed-garrison")

#: States of an Objective: nobody has found it; it may be carried; whose it is; which squad carries it.
HIDDEN, MOBILE, CLAIMED, CARRIED = "hidden", "mobile", "claimed", "carried"
OBJECTIVE = "objective"
SCAN_TOKEN = "scan tokens"
WHICH, TOKENS_TOPIC = "objective", "scan-tokens"


class Claims(Step, frozen=True):
    """Open Objectives are claimed by who stands near them alone."""


def objectives(table: Table) -> list[Thing]:
    """The Objectives that are still in the game."""
    return [
        one
        for one in table.of_kind("marker")
        if one.card == OBJECTIVE and not one.gone and isinstance(one.place, At | In)
    ]


def spot_of(table: Table, objective: Thing) -> At | In:
    """Where an Objective is: with the squad that carries it, or by itself."""
    assert isinstance(objective.place, At | In)
    return objective.place


def qualifies(table: Table, unit: Thing, objective: Thing, far: int) -> bool:
    """Whether a unit is near an Objective: within a distance outside, or in the same Garrison."""
    place = spot_of(table, objective)
    if isinstance(place, In):
        return isinstance(unit.place, In) and unit.place.holder == place.holder
    return isinstance(unit.place, At) and _within(unit.place.point, place.point, far)


def _within(one: Point, other: Point, far: int) -> bool:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= far * far


def able(unit: Thing) -> bool:
    """Whether a unit is of a kind that searches and claims: Infantry and Vehicles, never Aircraft or Behemoths."""
    return not flies(unit) and is_kind(unit, *SEARCHING.texts("types"))


def near_squads(table: Table, objective: Thing, far: int, side: str = "") -> list[Thing]:
    """The squads that could claim an Objective, of a side or of all."""
    found = []
    for squad in squads(table, side):
        units = [one for one in table.members(squad.id) if able(one)]
        if any(qualifies(table, one, objective, far) for one in units) and in_coherency(table, squad.id):
            found.append(squad)
    return found


def enemies_near(table: Table, objective: Thing, far: int, side: str) -> bool:
    """Whether an enemy unit stands near an Objective."""
    return any(
        qualifies(table, one, objective, far)
        for one in table.of_kind("model")
        if one.side != side and not one.gone and not one.has(AIRBORNE)
    )


# Searching ---------------------------------------------------------------------------------------------------------


def to_search(table: Table, squad: Thing) -> list[Thing]:
    """The Hidden Objectives that a squad may search for."""
    far = SEARCHING.inches("distance_in")
    return [one for one in objectives(table) if one.has(HIDDEN) and squad in near_squads(table, one, far, squad.side)]


def cannot_search(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not search."""
    units = table.members(squad.id)
    if not all(able(one) for one in units):
        return Refusal(SEARCHING.id, f"{squad.label} is neither Infantry nor a Vehicle.")
    if not in_coherency(table, squad.id):
        return Refusal(OUT_OF_COHERENCY.id, f"{squad.label} is out of coherency.")
    if not to_search(table, squad):
        return Refusal(SEARCHING.id, f"{squad.label} is near no Hidden Objective.")
    return None


def search_check(
    table: Table, squad: Thing, objective: Thing, tokens: int, more: tuple[ExplainedPart, ...] = ()
) -> Check:
    """The search roll of a squad for an Objective."""
    parts = [ExplainedPart("round", table.turn, SEARCHING.id), *more]
    if tokens:
        parts.append(ExplainedPart("Scan Tokens", tokens * SCAN_TOKENS.number("bonus_per_token"), SCAN_TOKENS.id))
    if enemies_near(table, objective, SEARCHING.inches("distance_in"), squad.side):
        parts.append(ExplainedPart("enemies near", PRESSURE.number("modifier"), PRESSURE.id))
    if any(value_of(card(one).special, "bloodthirsty") is not None for one in table.members(squad.id)):
        parts.append(ExplainedPart("Bloodthirsty", BLOODTHIRSTY.number("search"), BLOODTHIRSTY.id))
    return Check(
        what="search",
        by=squad.id,
        dice=DIE,
        rule=SEARCHING,
        needs=explain("to find it", ExplainedPart("found", SEARCHING.number("success"), SEARCHING.id)),
        modifiers=tuple(parts),
        reading=Reading(succeeded="found", failed="nothing"),
    )


def tokens_near(table: Table, squad: Thing) -> list[Thing]:
    """The friendly units whose Scan Tokens could help a squad's search."""
    far = SCAN_TOKENS.inches("distance_in")
    found = []
    for one in table.models(squad.side):
        if not one.count(SCAN_TOKEN):
            continue
        for searcher in table.members(squad.id):
            if isinstance(searcher.place, At) and isinstance(one.place, At):
                close = _within(searcher.place.point, one.place.point, far)
            else:
                close = isinstance(searcher.place, In) and near_piece(
                    one, table.ground.piece(searcher.place.holder).outline, far
                )
            if close:
                found.append(one)
                break
    return found


def search(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """Search for a Hidden Objective, with the help of Scan Tokens."""
    table = battle.table
    offered = to_search(table, squad)
    chosen = offered[0].id
    if len(offered) > 1:
        chosen = yield ChooseOne(
            squad.side,
            f"{squad.label}: search for which Objective?",
            topic=WHICH,
            about=(squad.id,),
            options=tuple(Option(one.id, one.label, (one.id,), (SEARCHING.id,)) for one in offered),
            rules=(SEARCHING.id,),
        )
    helpers = tokens_near(table, squad)
    spent: tuple[str, ...] = ()
    if helpers:
        spent = yield ChooseSeveral(
            squad.side,
            f"{squad.label}: spend which Scan Tokens?",
            topic=TOKENS_TOPIC,
            about=(squad.id,),
            options=tuple(Option(one.id, one.label, (one.id,), (SCAN_TOKENS.id,)) for one in helpers),
            rules=(SCAN_TOKENS.id,),
            default=(),
        )
    for name in spent:
        battle.happens(Counted(name, SCAN_TOKEN, battle.table[name].count(SCAN_TOKEN), 0, rule=SCAN_TOKENS.id))
    objective = battle.table[chosen]
    more: tuple[ExplainedPart, ...] = ()
    for adds in book_of(battle).at(SEARCHES):
        more = (*more, *(yield from adds(battle, squad, objective, len(spent))))
    thrown = throw(battle, search_check(battle.table, squad, objective, len(spent), more))
    if thrown.succeeds:
        take(battle, objective.id, HIDDEN, SEARCHING, thrown.n)
        if not enemies_near(battle.table, objective, OPEN_RULE.inches("distance_in"), squad.side):
            claim(battle, battle.table[objective.id], squad, SEARCHING, thrown.n)


def foretold_search(table: Table, squad: Thing) -> Preview:
    """What a search needs."""
    offered = to_search(table, squad)
    return search_check(table, squad, offered[0], 0).preview() if offered else Preview()


def cannot_scan(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not scan."""
    units = table.members(squad.id)
    if any(flies(one) for one in units) or not any(card(one).capacity for one in units):
        return Refusal(SCANNING.id, f"{squad.label} is no Transport on the ground.")
    if all(one.count(SCAN_TOKEN) >= SCANNING.number("max_tokens") for one in units):
        return Refusal(SCANNING.id, f"{squad.label} holds a Scan Token already.")
    return None


def scan(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """A Transport gains a Scan Token."""
    yield from ()
    for one in battle.table.members(squad.id):
        if one.count(SCAN_TOKEN) < SCANNING.number("max_tokens"):
            battle.happens(Counted(one.id, SCAN_TOKEN, one.count(SCAN_TOKEN), 1, rule=SCANNING.id))


# Claiming ----------------------------------------------------------------------------------------------------------


def claim(battle: Battle, objective: Thing, squad: Thing, source: Rule, because: int = 0) -> None:
    """An Objective is a side's from now on; a Mobile one is carried by the squad, if it carries none."""
    if objective.value(CLAIMED) != squad.side:
        give(battle, objective.id, CLAIMED, source, squad.side, because=because)
    if objective.has(MOBILE) and not objective.has(CARRIED) and not carries(battle.table, squad.id):
        give(battle, objective.id, CARRIED, MOBILE_RULE, squad.id, because=because)


def carries(table: Table, squad: str) -> Thing | None:
    """The Objective that a squad carries."""
    return next((one for one in objectives(table) if one.value(CARRIED) == squad), None)


def claims_after(battle: Battle, squad: Thing) -> Sequence[Step]:
    """After every action it is seen who stands near Objectives; Scan Tokens of those who have moved are lost."""
    for one in battle.table.members(squad.id):
        if one.count(SCAN_TOKEN) and moved(one) is not None:
            battle.happens(Counted(one.id, SCAN_TOKEN, one.count(SCAN_TOKEN), 0, rule=SCANNING.id))
    return (Claims(),) if objectives(battle.table) else ()


def see_claims(battle: Battle, step: Claims) -> Procedure[None]:
    """Carried Objectives go with their squads; Open ones are claimed by who stands near without an enemy."""
    yield from ()
    table = battle.table
    far = OPEN_RULE.inches("distance_in")
    for objective in objectives(table):
        if objective.has(CARRIED):
            _carry_along(battle, objective)
            continue
        if objective.has(HIDDEN):
            continue
        near = {side: near_squads(table, objective, far, side) for side in table.sides}
        there = [side for side, found in near.items() if found]
        if len(there) == 1 and not enemies_near(table, objective, far, there[0]):
            claim(battle, battle.table[objective.id], near[there[0]][0], OPEN_RULE)


def _carry_along(battle: Battle, objective: Thing) -> None:
    """An Objective that is carried is where the first unit of its squad is."""
    units = battle.table.members(str(objective.value(CARRIED)))
    if not units:
        return
    place = units[0].place
    if isinstance(place, In) and battle.table[place.holder].kind == "model":
        place = In(place.holder)
    if isinstance(place, At | In) and place != objective.place:
        battle.happens(Placed(objective.id, place, rule=MOBILE_RULE.id))


def drop(battle: Battle, objective: Thing, squad: Thing, source: Rule, taker: str = "") -> None:
    """An Objective lies where its squad stood; it is nobody's, or whose squad alone is near enough at once."""
    take(battle, objective.id, CARRIED, source)
    take(battle, objective.id, CLAIMED, source)
    if taker:
        claim(battle, battle.table[objective.id], battle.table[taker], source)


def drop_all(battle: Battle, squad: Thing, source: Rule) -> Procedure[None]:
    """A squad drops what it carries."""
    yield from ()
    carried = carries(battle.table, squad.id)
    if carried is not None:
        drop(battle, carried, squad, source)


def lost(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """The last unit of a squad drops its Objective; one in a Garrison that falls, or in the air, is gone."""
    table = battle.table
    if thing.kind == "holder":
        for one in objectives(table):
            if one.place == In(thing.id) or (isinstance(one.place, In) and one.place.holder == thing.id):
                if not one.has(CARRIED):
                    battle.happens(Left(one.id, "lost in the ruins", rule=LOST_INSIDE.id))
        return ()
    carried = carries(table, thing.unit)
    if carried is None or any(one.id != thing.id for one in table.members(thing.unit)):
        return ()
    ride = carrier(table, thing)
    if ride is not None and ride.has(AIRBORNE):
        battle.happens(Left(carried.id, "destroyed in the air", rule=DROPPING.id))
        return ()
    if isinstance(thing.place, At | In) and carried.place != thing.place:
        battle.happens(Placed(carried.id, thing.place, rule=DROPPING.id))
    taker = table[step.by].unit if CLOSE in step.manner and step.by in table.things else ""
    drop(battle, battle.table[carried.id], table[thing.unit], DROPPING, taker)
    return ()


def drop_out_of_coherency(battle: Battle, group: str) -> Sequence[Step]:
    """A squad that ends its activation out of coherency drops its Objective."""
    for squad in squads(battle.table):
        carried = carries(battle.table, squad.id)
        if carried is not None and not in_coherency(battle.table, squad.id):
            drop(battle, carried, squad, OUT_OF_COHERENCY)
    return ()


def held(table: Table, side: str) -> Iterable[Thing]:
    """The Objectives that a side has claimed."""
    return [one for one in objectives(table) if one.value(CLAIMED) == side]


CHAPTER = Chapter(
    steps={Claims: see_claims},
    actions=(
        Action(
            id="searching",
            label="Searching",
            rule=SEARCHING,
            carry_out=search,
            cost=ACTION_LIST.number("actions", "searching", "cost"),
            refused=cannot_search,
            foretold=foretold_search,
        ),
        Action(
            id="scanning",
            label="Scanning",
            rule=SCANNING,
            carry_out=scan,
            cost=ACTION_LIST.number("actions", "scanning", "cost"),
            refused=cannot_scan,
        ),
    ),
    at=(AFTER_ACTION(claims_after), LOST(lost), ACTIVATION_ENDS(drop_out_of_coherency)),
    states={
        HIDDEN: "nobody has found the Objective yet",
        MOBILE: "the Objective can be carried",
        CLAIMED: "whose the Objective is",
        CARRIED: "the squad that carries the Objective",
    },
    counts={SCAN_TOKEN: "Scan Tokens"},
    answers={WHICH: "the Objective that is searched for", TOKENS_TOPIC: "the units whose Scan Tokens are spent"},
)
