"""Transports: who fits where, who rides with whom, getting in and out, and wrecks."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved, Placed
from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, In, Shape
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.dropzone.basics import THREES, in_coherency, near_piece, roll_number
from sandtable.rulesets.dropzone.damage import FALLS, DamageRolls, Destroyed, Hits, lose
from sandtable.rulesets.dropzone.moments import TRANSPORT_ROLLS
from sandtable.rulesets.dropzone.movement.paths import AERIAL, half_move
from sandtable.rulesets.dropzone.movement.placing import (
    Survivors,
    arranged,
    ask_places,
    footprint,
    mark_disembarked,
    mark_loaded,
)
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKING, EMBARKED, EMBARKING
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    AUXILIARY,
    END_OF_ROUND,
    NAMED,
    OUT_OF_COHERENCY,
    battlegroup,
    card,
    fired,
    flies,
    inside,
    moved,
    squad_of,
    squads,
    value_of,
)
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

CAPACITY = rule("dropzone.transports.capacity-and-requirement")
ONE_BATTLEGROUP = rule("dropzone.transports.single-battlegroup")
WRECK = rule("dropzone.transports.destroyed-transport")
RAPID_INSERTION = rule("dropzone.special-rules.rapid-insertion")

#: The questions who gets in of those who do not all fit, and where the others do; and the answer that they do not.
FITTING, THE_REST, BEHIND = "fitting", "the-rest", "behind"
HARMLESS = tuple(one for one in THREES if one not in WRECK.numbers("hits_on"))
same_number("on what nothing happens", HARMLESS, (WRECK.number("no_effect_on"),))


class Spill(Step, frozen=True):
    """Who survives in a Transport that is destroyed inside another gets out into the outer one."""

    transport: str
    because: int = 0


class Wreck(Step, frozen=True):
    """A Transport with passengers is destroyed."""

    transport: str
    because: int = 0


def carrier(table: Table, unit: Thing) -> Thing | None:
    """The Transport that a unit is in; none where it is in none."""
    if not isinstance(unit.place, In):
        return None
    holder = table[unit.place.holder]
    return holder if holder.kind == "model" else None


def outermost(table: Table, unit: Thing) -> Thing:
    """What a unit is in, and what that is in; a unit that is in no Transport itself."""
    ride = carrier(table, unit)
    return unit if ride is None else outermost(table, ride)


def empty(table: Table, squad: Thing) -> bool:
    """Whether nobody rides in the Transports of a squad."""
    return not any(inside(table, one.id) for one in table.members(squad.id))


def carried_group(table: Table, transport: Thing) -> str:
    """The Battlegroup whose squads a Transport carries, or those inside it do; empty where it carries none."""
    for one in inside(table, transport.id):
        squad = squad_of(table, one)
        group = battlegroup(squad) or carried_group(table, one)
        if group:
            return group
    return ""


def carriers_of(table: Table, group: str) -> list[Thing]:
    """The Auxiliary squads that carry units of a Battlegroup, also inside others."""
    return [
        one
        for one in squads(table)
        if one.has(AUXILIARY) and any(carried_group(table, unit) == group for unit in table.members(one.id))
    ]


def is_transport(unit: Thing) -> bool:
    """Whether a unit carries others."""
    return bool(card(unit).capacity)


def symbol(unit: Thing, transport: Thing) -> str:
    """The symbol by which a unit fits a Transport; empty where none matches."""
    needs, has = card(unit).requirement or {}, card(transport).capacity or {}
    return next((one for one in needs if one in has), "")


def room(table: Table, transport: Thing) -> dict[str, int]:
    """The spaces that are left in a Transport, by symbol."""
    left = dict(card(transport).capacity or {})
    for one in inside(table, transport.id):
        word = symbol(one, transport)
        left[word] -= (card(one).requirement or {})[word]
    return left


def fits(table: Table, units: Sequence[Thing], transport: Thing) -> int:
    """How many of some units a Transport has room for."""
    left, count = room(table, transport), 0
    for unit in units:
        word = symbol(unit, transport)
        space = (card(unit).requirement or {}).get(word, 0)
        if not word or left[word] < space:
            break
        left[word] -= space
        count += 1
    return count


def group_of(table: Table, squad: Thing) -> str:
    """The Battlegroup that decides where a squad may ride: its own, or that of those inside it."""
    own = battlegroup(squad)
    if own:
        return own
    return next((found for one in table.members(squad.id) if (found := carried_group(table, one))), "") or str(
        squad.value(NAMED) or ""
    )


def of_its_battlegroup(table: Table, squad: Thing, transport: Thing) -> bool:
    """Whether a Transport is one of a squad's Battlegroup, as the rules mean it."""
    ride = squad_of(table, transport)
    group = group_of(table, squad)
    if ride.side != squad.side:
        return False
    if battlegroup(ride):
        return battlegroup(ride) == group
    carries, named = carried_group(table, transport), str(ride.value(NAMED) or "")
    return carries in ("", group) and named in ("", group)


def cannot_embark(table: Table, squad: Thing, transport: Thing, out_of: Shape | None = None) -> Refusal | None:
    """Why a squad may not get into a Transport from where it stands, or out of a Garrison of some outline."""
    units = table.members(squad.id)
    if not of_its_battlegroup(table, squad, transport):
        return Refusal(ONE_BATTLEGROUP.id, f"{transport.label} is no Transport of its Battlegroup.")
    if not in_coherency(table, squad.id):
        return Refusal(OUT_OF_COHERENCY.id, f"{squad.label} is out of coherency.", (EMBARKING.id,))
    if any(fired(one) for one in units):
        return Refusal(EMBARKING.id, f"{squad.label} has shot this round.")
    if transport.has(AIRBORNE):
        return Refusal(AERIAL.id, f"{transport.label} has not landed.")
    if flies(transport) and far_flown(transport):
        return Refusal(AERIAL.id, f"{transport.label} has flown further than half its MV this round.")
    if not fits(table, units, transport):
        return Refusal(CAPACITY.id, f"{transport.label} has no room for {squad.label}.")
    outline, far = footprint(transport), EMBARKING.inches("distance_in")
    near = any(near_piece(one, outline, far) for one in units) if out_of is None else gap(out_of, outline) <= far
    if not near:
        return Refusal(EMBARKING.id, f"{squad.label} is too far from {transport.label}.")
    return None


def far_flown(transport: Thing) -> bool:
    """Whether an Aircraft has moved further than half its MV this round."""
    return (moved(transport) or 0) > half_move(transport)


def transports_for(table: Table, squad: Thing, out_of: Shape | None = None) -> list[Thing]:
    """The Transports that a squad could get into from where it stands, or out of a Garrison of some outline."""
    return [
        one
        for one in table.models(squad.side)
        if is_transport(one) and one.unit != squad.id and cannot_embark(table, squad, one, out_of) is None
    ]


def embark(battle: Battle, squad: Thing, transport: str, also: Sequence[str] = ()) -> Procedure[None]:
    """Take a squad off the table into a Transport; who does not fit gets into others in reach, or is lost.

    dropzone.transports.capacity-and-requirement    a squad is spread over several only when it fits into none
    dropzone.transports.embarking                   who is left behind is destroyed
    """
    left, ride = battle.table.members(squad.id), transport
    alone = any(fits(battle.table, left, battle.table[one]) == len(left) for one in (transport, *also))
    others = [] if alone else [one for one in also if one != transport]
    while left:
        left = yield from get_in(battle, squad, left, ride)
        others = [one for one in others if one != ride and fits(battle.table, left, battle.table[one])]
        if not left or not others:
            break
        rides = [battle.table[one] for one in others]
        ride = yield ChooseOne(
            squad.side,
            f"{squad.label} does not fit whole: into what do the others get?",
            topic=THE_REST,
            about=tuple(one.id for one in left),
            options=(
                *(Option(one.id, one.label, (one.id,), (CAPACITY.id,)) for one in rides),
                Option(BEHIND, "Leave them behind", (), (EMBARKING.id,)),
            ),
            rules=(CAPACITY.id, EMBARKING.id),
            default=rides[0].id,
        )
        if ride == BEHIND:
            break
    for one in left:
        lose(battle, one, "left behind", EMBARKING.id)


def get_in(battle: Battle, squad: Thing, units: Sequence[Thing], transport: str) -> Procedure[list[Thing]]:
    """Put as many units of a squad into a Transport as it has room for, as their owner says; gives the others."""
    count = fits(battle.table, units, battle.table[transport])
    chosen = tuple(one.id for one in units[:count])
    if count < len(units):
        chosen = yield ChooseSeveral(
            squad.side,
            f"{squad.label} does not fit whole: who gets into {battle.table[transport].label}?",
            deed="{} gets in",
            topic=FITTING,
            about=(squad.id, transport),
            options=tuple(Option(one.id, one.label, (one.id,), (CAPACITY.id,)) for one in units),
            at_least=count,
            at_most=count,
            rules=(CAPACITY.id, EMBARKING.id),
            default=chosen,
        )
    for one in [one for one in units if one.id in chosen]:
        by, to = citing(CAPACITY, ONE_BATTLEGROUP), In(transport)
        battle.happens(Moved(one.id, one.place, to, one.facing, manner="carried", rule=EMBARKING.id, detail=by))
        give(battle, one.id, EMBARKED, EMBARKING, until=END_OF_ROUND)
        mark_loaded(battle, one, transport)
    return [one for one in units if one.id not in chosen]


def ride_of(table: Table, squad: Thing) -> Thing | None:
    """The Transport that a squad, or the first of its units, is in."""
    return next((found for one in table.members(squad.id) if (found := carrier(table, one)) is not None), None)


def cannot_disembark(table: Table, squad: Thing, needs_room: bool = True) -> Refusal | None:
    """Why an embarked squad may not get out; it needs no room beside the Transport if it drops into a Garrison."""
    for unit in table.members(squad.id):
        ride = carrier(table, unit)
        if ride is None:
            continue
        if not ride.on_table:
            return Refusal(DISEMBARKING.id, f"{ride.label} is not on the table.")
        more = rapid(table, squad)
        if ride.has(AIRBORNE) and more is not None:
            if (moved(ride) or 0) > half_move(ride) + more:
                told = f"{ride.label} has flown more than {inches(more)} further than half its MV this round."
                return Refusal(RAPID_INSERTION.id, told)
        elif ride.has(AIRBORNE):
            return Refusal(AERIAL.id, f"{ride.label} has not landed.")
        elif flies(ride) and far_flown(ride):
            return Refusal(AERIAL.id, f"{ride.label} has flown further than half its MV this round.")
        mates = [one for one in table.members(squad.id) if one.place == unit.place]
        if mates[0].id != unit.id or not needs_room:
            continue
        if len(arranged(table, mates, footprint(ride), DISEMBARKING.inches("distance_in"), True)) < len(mates):
            return Refusal(DISEMBARKING.id, f"{squad.label} cannot be placed within 2″ of {ride.label}.")
    return None


def rapid(table: Table, squad: Thing) -> int | None:
    """How much further than half its MV an Aircraft may have flown for a squad with Rapid Insertion to drop out."""
    values = [value_of(card(one).special, "rapid-insertion") for one in table.members(squad.id)]
    known = [one for one in values if one is not None]
    return UNIT * min(known) if known and len(known) == len(values) else None


def disembark(battle: Battle, squad: Thing) -> Procedure[bool]:
    """Let a squad get out of its Transports; gives whether it could."""
    table = battle.table
    rides = dict.fromkeys(one.place.holder for one in table.members(squad.id) if isinstance(one.place, In))
    for ride in rides:
        units = [one for one in table.members(squad.id) if isinstance(one.place, In) and one.place.holder == ride]
        transport = battle.table[ride]
        put = yield from ask_places(
            battle,
            units,
            footprint(transport),
            DISEMBARKING.inches("distance_in"),
            DISEMBARKING.id,
            f"{squad.label}: where does it get out of {transport.label}?",
            True,
        )
        if len(put) < len(units):
            return False
        for one in units:
            battle.happens(Placed(one.id, put[one.id].where, put[one.id].facing, rule=DISEMBARKING.id))
            mark_disembarked(battle, one, transport)
    return True


# Wrecks ------------------------------------------------------------------------------------------------------------


def falls(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """Passengers of a destroyed Transport are hit and get out; those of one in the air crash with it."""
    if thing.kind != "model" or not inside(battle.table, thing.id) or thing.has(AIRBORNE):
        return ()
    return (Wreck(thing.id, step.because),)


def wreck(battle: Battle, step: Wreck) -> Procedure[None]:
    """Roll once for a Transport: on 1 or 2 each passenger takes so many hits; who survives gets out."""
    transport = battle.table[step.transport]
    rolled = yield from roll_for_transport(battle, transport, "wreck", WRECK, step.because)
    hits = tuple(
        Hits(one.id, rolled, WRECK.number("energy"), "wreck", transport.id, because=step.because)
        for one in inside(battle.table, transport.id)
        if rolled in WRECK.numbers("hits_on")
    )
    away: Step = Spill(transport.id, step.because)
    if isinstance(transport.place, At):
        away = Survivors(transport.id, WRECK.id, footprint(transport), DISEMBARKING.inches("distance_in"))
    battle.push(*([DamageRolls(hits)] if hits else []), away)


def spill(battle: Battle, step: Spill) -> Procedure[None]:
    """Put who is left in a Transport into the one it is in: what becomes of that one becomes of them."""
    yield from ()
    outer = battle.table[step.transport].place
    for one in inside(battle.table, step.transport):
        there = Moved(one.id, one.place, outer, one.facing, manner="carried", rule=WRECK.id, because=step.because)
        battle.happens(there)


def roll_for_transport(battle: Battle, unit: Thing, what: str, source: Rule, because: int) -> Procedure[int]:
    """The die of a wreck or a crash; for a Transport something may count as rolled."""
    for treated in book_of(battle).at(TRANSPORT_ROLLS) if is_transport(unit) else ():
        counts_as = yield from treated(battle, unit)
        if counts_as:
            return counts_as
    return roll_number(battle, what, source.text_at("roll"), unit.id, source, because)


CHAPTER = Chapter(
    steps={Wreck: wreck, Spill: spill},
    answers={
        FITTING: "who gets into a Transport that does not hold a squad whole",
        THE_REST: "the Transport into which those get who did not fit, or behind",
    },
    at=(FALLS(falls),),
)
