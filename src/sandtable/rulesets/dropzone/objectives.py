"""Objectives: searching, scanning, claiming, carrying and dropping them."""

from collections.abc import Iterable, Mapping, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Left, Placed
from sandtable.engine.explain import ExplainedPart, explain, inches
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.dropzone.basics import DIE, in_coherency, near, near_piece, points_near
from sandtable.rulesets.dropzone.damage import CLOSE, LOST, Destroyed
from sandtable.rulesets.dropzone.garrisons import BLOODTHIRSTY, NEAR, garrisons, in_a_garrison
from sandtable.rulesets.dropzone.moments import MOVING_DECLARED, SEARCHES
from sandtable.rulesets.dropzone.rounds import ACTIVATION_ENDS, AFTER_ACTION, ROUND_ENDS, acts_in
from sandtable.rulesets.dropzone.transports import carrier
from sandtable.rulesets.dropzone.units import (
    ACTION_LIST,
    AIRBORNE,
    END_OF_ROUND,
    OUT_OF_COHERENCY,
    card,
    flies,
    is_kind,
    squad_called,
    squads,
    value_of,
)
from sandtable.tabletop.actions import Action
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.places import refused_region
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
#: A state of an Objective: the squad that has dropped it in this activation.
DROPPED_BY = "dropped by"
OBJECTIVE = "objective"
SCAN_TOKEN = "scan tokens"
SEARCH, SCAN = "searching", "scanning"
WHICH, TOKENS_TOPIC, DROP, HAND_ON = "objective", "scan-tokens", "drop", "hand-on"
same_number("what Scanning costs", SCANNING.number("cost_actions"), ACTION_LIST.number("actions", "scanning", "cost"))


class Claims(Step, frozen=True):
    """Open Objectives are claimed by who stands near them alone: by the squad that has acted, if it does."""

    squad: str = ""


class ActivationOver(Step, frozen=True):
    """Squads of an activation that is over drop what they may not keep; then claims are seen to."""

    battlegroup: str


def objectives(table: Table) -> list[Thing]:
    """The Objectives that are still in the game."""
    return [
        one
        for one in table.of_kind("marker")
        if one.card == OBJECTIVE and not one.gone and isinstance(one.place, At | In)
    ]


def qualifies(unit: Thing, objective: Thing, far: int) -> bool:
    """Whether a unit is near an Objective: within a distance outside, or in the same Garrison."""
    place = objective.place
    if isinstance(place, In):
        return isinstance(unit.place, In) and unit.place.holder == place.holder
    return isinstance(unit.place, At) and isinstance(place, At) and points_near(unit.place.point, place.point, far)


def able(unit: Thing) -> bool:
    """Whether a unit is of a kind that searches and claims: Infantry and Vehicles, never Aircraft or Behemoths."""
    return not flies(unit) and is_kind(unit, *SEARCHING.texts("types"))


def near_squads(table: Table, objective: Thing, far: int, side: Side = NO_SIDE) -> list[Thing]:
    """The squads that are near enough to claim an Objective, of a side or of all."""
    found = []
    for squad in squads(table, side):
        near = any(qualifies(one, objective, far) and able(one) for one in table.members(squad.id))
        if near and in_coherency(table, squad.id):
            found.append(squad)
    return found


def enemies_near(table: Table, objective: Thing, far: int, side: Side) -> bool:
    """Whether an enemy unit stands near an Objective."""
    return any(
        qualifies(one, objective, far)
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
        return Refusal(OUT_OF_COHERENCY.id, f"{squad.label} is out of coherency.", (SEARCHING.id,))
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
        citing=(NEAR,) if in_a_garrison(table, squad) else (),
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
                close = points_near(searcher.place.point, one.place.point, far)
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
    prompt = f"{squad.label}: search for which Objective?"
    chosen = yield from choose_thing(squad.side, prompt, offered, SEARCHING, topic=WHICH, about=(squad.id,))
    helpers = tokens_near(table, squad)
    spent: tuple[str, ...] = ()
    if helpers:
        spent = yield ChooseSeveral(
            squad.side,
            f"{squad.label}: spend which Scan Tokens?",
            deed="Spend {}",
            topic=TOKENS_TOPIC,
            about=(squad.id, chosen),
            options=tuple(Option(one.id, one.label, (one.id,), (SCAN_TOKENS.id,)) for one in helpers),
            rules=(SCAN_TOKENS.id,),
            shows=("odds",),
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
        rivals = near_squads(battle.table, objective, OPEN_RULE.inches("distance_in"))
        if all(one.side == squad.side for one in rivals):
            claim(battle, battle.table[objective.id], squad, SEARCHING, thrown.n)


def preview_tokens(view: View, question: ChooseSeveral, answer: Sequence[str]) -> Preview:
    """How likely a squad is to find an Objective with the help of so many Scan Tokens."""
    squad, objective = (view.table[name] for name in question.about)
    return search_check(view.table, squad, objective, len(answer)).preview()


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
    carried = sum(one.value(CARRIED) == squad.id for one in objectives(battle.table))
    if objective.has(MOBILE) and not objective.has(CARRIED) and carried < MOBILE_RULE.number("max_carried"):
        give(battle, objective.id, CARRIED, MOBILE_RULE, squad.id, because=because)
        _carry_along(battle, battle.table[objective.id])


def carries(table: Table, squad: str) -> Thing | None:
    """The Objective that a squad carries."""
    return next((one for one in objectives(table) if one.value(CARRIED) == squad), None)


def claims_after(battle: Battle, squad: Thing) -> Sequence[Step]:
    """After every action it is seen who stands near Objectives."""
    return (Claims(squad.id),) if objectives(battle.table) else ()


def claims_of_round(battle: Battle) -> Sequence[Step]:
    """After everything has burnt as well: who was in the way of a claim may be gone."""
    return (Claims(),) if objectives(battle.table) else ()


def lose_tokens(battle: Battle, squad: Thing) -> Procedure[None]:
    """Whoever makes a Moving action loses his Scan Token, however far he goes."""
    yield from ()
    for one in battle.table.members(squad.id):
        if one.count(SCAN_TOKEN):
            battle.happens(Counted(one.id, SCAN_TOKEN, one.count(SCAN_TOKEN), 0, rule=SCANNING.id))


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
        there = near_squads(table, objective, far)
        able_to = [one for one in there if objective.value(DROPPED_BY) != one.id]
        if able_to and len({one.side for one in there}) == 1:
            first = next((one for one in able_to if one.id == step.squad), able_to[0])
            claim(battle, battle.table[objective.id], first, OPEN_RULE)


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


# Dropping and handing on --------------------------------------------------------------------------------------------


def drop(battle: Battle, objective: Thing, source: Rule, taker: str = "") -> None:
    """An Objective lies where it is, nobody's, unless somebody takes it or an opponent is near enough to it."""
    dropper = battle.table[str(objective.value(CARRIED))]
    take(battle, objective.id, CARRIED, source)
    take(battle, objective.id, CLAIMED, source)
    give(battle, objective.id, DROPPED_BY, DROPPING, dropper.id, until=END_OF_ROUND)
    lies = battle.table[objective.id]
    opposing = [
        one for one in near_squads(battle.table, lies, DROPPING.inches("claim_within_in")) if one.side != dropper.side
    ]
    if taker:
        claim(battle, lies, battle.table[taker], source)
    elif len({one.side for one in opposing}) == 1:
        claim(battle, lies, opposing[0], DROPPING)


def drop_all(battle: Battle, squad: Thing, source: Rule) -> Procedure[None]:
    """A squad drops what it carries."""
    yield from ()
    carried = carries(battle.table, squad.id)
    if carried is not None:
        drop(battle, carried, source)


def carries_one(table: Table, squad: Thing) -> bool:
    """Whether a squad carries an Objective."""
    return carries(table, squad.id) is not None


def drop_by_choice(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """A squad puts its Objective down: near one of its units, or in the Garrison it is in."""
    table = battle.table
    objective = carries(table, squad.id)
    assert objective is not None
    units = [one for one in table.members(squad.id) if isinstance(one.place, At)]
    if units:
        put: dict[str, Spot] = yield PlaceThings(
            squad.side,
            f"{squad.label}: where does it drop {objective.label}?",
            topic=DROP,
            about=(squad.id,),
            things=(objective.id,),
            where={"": dropped_within(table, units)},
            faces=False,
            rules=(DROPPING.id,),
            default={objective.id: Spot(units[0].place)},
        )
        battle.happens(Placed(objective.id, put[objective.id].where, rule=DROPPING.id))
    drop(battle, battle.table[objective.id], DROPPING)


def dropped_within(table: Table, units: Sequence[Thing]) -> Region:
    """Where a squad on the table may drop an Objective: not through the wall of a Garrison."""
    far = DROPPING.inches("place_within_in")
    around = tuple(Disc(one.place.point, far) for one in units if isinstance(one.place, At))
    walls = tuple(one.outline for one in garrisons(table))
    return Region(around, walls, whole=False, rule=DROPPING.id, label=f"within {far // UNIT}″, outside Garrisons")


def judge_drop(view: View, question: PlaceThings, answer: Mapping[str, Spot]) -> Refusal | None:
    """Why an Objective may not be dropped there."""
    return refused_region(view.table, question, answer)


def partners(table: Table, squad: Thing) -> list[Thing]:
    """The friendly squads to which a squad could hand its Objective, or that could hand theirs to it."""
    if not any(able(one) for one in table.members(squad.id)):
        return []
    far, own = MOBILE_RULE.inches("pass_distance_in"), carries_one(table, squad)
    return [
        other
        for other in squads(table, squad.side)
        if other.id != squad.id
        and carries_one(table, other) != own
        and any(
            able(two) and together(table, one, two, far)
            for one in table.members(squad.id)
            for two in table.members(other.id)
        )
    ]


def together(table: Table, one: Thing, other: Thing, far: int) -> bool:
    """Whether two units are within a distance of each other on the table, or in one Garrison."""
    if isinstance(one.place, In) and isinstance(other.place, In):
        return one.place.holder == other.place.holder and table[one.place.holder].kind == "holder"
    return one.on_table and other.on_table and near(table, one, other, far)


def has_partner(table: Table, squad: Thing) -> bool:
    """Whether an Objective could be handed on from a squad or to it."""
    return bool(partners(table, squad))


def hand_on(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """A squad hands its Objective to a friendly one, or takes one over."""
    offered = partners(battle.table, squad)
    prompt = f"{squad.label}: hand the Objective on, with whom?"
    chosen = yield from choose_thing(squad.side, prompt, offered, MOBILE_RULE, topic=HAND_ON, about=(squad.id,))
    giver, taker = (squad.id, chosen) if carries_one(battle.table, squad) else (chosen, squad.id)
    objective = carries(battle.table, giver)
    assert objective is not None
    give(battle, objective.id, CARRIED, MOBILE_RULE, taker)


def not_to_hand_on(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a squad is no partner to hand an Objective on to, or to take it from."""
    squad, other = view.table[question.about[0]], squad_called(view.table, answer)
    if other is None:
        return None
    return Refusal(MOBILE_RULE.id, f"No Objective can be handed on between {squad.label} and {other.label} now.")


def not_to_spend(view: View, question: ChooseSeveral, answer: str) -> Refusal | None:
    """The rule by which a unit's Scan Token does not help a search."""
    squad, unit = view.table[question.about[0]], view.table.things.get(answer)
    if unit is None or unit.kind != "model":
        return None
    far = inches(SCAN_TOKENS.inches("distance_in"))
    return Refusal(SCAN_TOKENS.id, f"{unit.label} holds no Scan Token within {far} of {squad.label}.")


def lost(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """The last unit of a squad drops its Objective; one in a Garrison that falls, or in the air, is gone."""
    table = battle.table
    if thing.kind == "holder":
        for one in objectives(table):
            if isinstance(one.place, In) and one.place.holder == thing.id and not one.has(CARRIED):
                battle.happens(Left(one.id, "lost in the ruins", rule=LOST_INSIDE.id))
        return ()
    carried = carries(table, thing.unit)
    if carried is None or any(one.id != thing.id for one in table.members(thing.unit)):
        return ()
    place, outer = thing.place, carrier(table, thing)
    while outer is not None:
        if outer.has(AIRBORNE):
            battle.happens(Left(carried.id, "destroyed in the air", rule=DROPPING.id))
            return ()
        place, outer = outer.place, carrier(table, outer)
    if isinstance(place, At | In) and carried.place != place:
        battle.happens(Placed(carried.id, place, rule=DROPPING.id))
    taker = table[step.by].unit if CLOSE in step.manner and step.by in table.things else ""
    drop(battle, battle.table[carried.id], DROPPING, taker)
    return ()


def at_the_end(battle: Battle, group: str) -> Sequence[Step]:
    """When an activation is over, and who had to has tested his Fortitude."""
    return (ActivationOver(group),) if objectives(battle.table) else ()


def activation_over(battle: Battle, step: ActivationOver) -> Procedure[None]:
    """A squad that ends its activation out of coherency drops its Objective; what was dropped may be claimed again."""
    for squad in [one for one in squads(battle.table) if acts_in(one) == step.battlegroup]:
        carried = carries(battle.table, squad.id)
        if carried is not None and not in_coherency(battle.table, squad.id):
            drop(battle, carried, OUT_OF_COHERENCY)
    yield from see_claims(battle, Claims())
    for one in objectives(battle.table):
        take(battle, one.id, DROPPED_BY, DROPPING)


def held(table: Table, side: Side) -> Iterable[Thing]:
    """The Objectives that a side has claimed."""
    return [one for one in objectives(table) if one.value(CLAIMED) == side]


CHAPTER = Chapter(
    steps={Claims: see_claims, ActivationOver: activation_over},
    actions=(
        Action(
            id=SEARCH,
            label="Searching",
            rule=SEARCHING,
            carry_out=search,
            cost=ACTION_LIST.number("actions", "searching", "cost"),
            refused=cannot_search,
            foretold=foretold_search,
        ),
        Action(
            id=SCAN,
            label="Scanning",
            rule=SCANNING,
            carry_out=scan,
            cost=ACTION_LIST.number("actions", "scanning", "cost"),
            refused=cannot_scan,
        ),
        Action(
            id="dropping",
            label="Drop the Objective",
            rule=DROPPING,
            carry_out=drop_by_choice,
            cost=0,
            shown=carries_one,
        ),
        Action(
            id="handing-on",
            label="Hand the Objective on",
            rule=MOBILE_RULE,
            carry_out=hand_on,
            cost=0,
            shown=has_partner,
        ),
    ),
    at=(
        MOVING_DECLARED(lose_tokens),
        AFTER_ACTION(claims_after),
        LOST(lost),
        ACTIVATION_ENDS(at_the_end),
        ROUND_ENDS(claims_of_round),
    ),
    states={
        HIDDEN: "nobody has found the Objective yet",
        MOBILE: "the Objective can be carried",
        CLAIMED: "whose the Objective is",
        CARRIED: "the squad that carries the Objective",
        DROPPED_BY: "the squad that has dropped the Objective in this activation",
    },
    counts={SCAN_TOKEN: "Scan Tokens"},
    judges={DROP: judge_drop},
    previews={TOKENS_TOPIC: preview_tokens},
    unoffered={HAND_ON: not_to_hand_on, TOKENS_TOPIC: not_to_spend},
    answers={
        WHICH: "the Objective that is searched for",
        TOKENS_TOPIC: "the units whose Scan Tokens are spent",
        DROP: "where an Objective is dropped: `drop: {O: [x, y]}`",
        HAND_ON: "the squad that an Objective is handed to, or taken from",
    },
)
