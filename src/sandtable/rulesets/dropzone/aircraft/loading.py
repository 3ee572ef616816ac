"""Aerial Transports on the ground: passengers are set down, units taken up."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.questions import ChooseSeveral, Option, Refusal, Settled
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import gap_to_point
from sandtable.rulesets.dropzone.basics import has_property
from sandtable.rulesets.dropzone.garrisons import enter, gates, no_room
from sandtable.rulesets.dropzone.movement.paths import AERIAL
from sandtable.rulesets.dropzone.movement.placing import arranged, ask_places, footprint, mark_disembarked
from sandtable.rulesets.dropzone.movement.ways import end_of_way
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKING
from sandtable.rulesets.dropzone.transports import cannot_embark, embark, ride_of
from sandtable.rulesets.dropzone.units import AIRBORNE, flies, inside, is_kind, squads, units_on_table
from sandtable.tabletop.chapters import Chapter

WHICH = "which"


def riding(table: Table, squad: Thing) -> list[Thing]:
    """The squads that ride in the Transports of a squad."""
    names = dict.fromkeys(one.unit for transport in table.members(squad.id) for one in inside(table, transport.id))
    return [table[name] for name in names]


def waiting(table: Table, squad: Thing) -> list[Thing]:
    """The squads that a landed squad of Transports could take up."""
    return [
        one
        for one in squads(table, squad.side)
        if one.id != squad.id
        and units_on_table(table, one.id)
        and any(cannot_embark(table, one, transport) is None for transport in units_on_table(table, squad.id))
    ]


def _which(
    battle: Battle, squad: Thing, offered: Sequence[Thing], prompt: str, deed: str
) -> Procedure[tuple[str, ...]]:
    if len(offered) == 1:
        yield Settled(WHICH, (offered[0].id,))
        return (offered[0].id,)
    chosen: tuple[str, ...] = yield ChooseSeveral(
        squad.side,
        prompt,
        deed=deed,
        topic=WHICH,
        about=(squad.id,),
        options=tuple(Option(one.id, one.label, (one.id,), (AERIAL.id,)) for one in offered),
        at_least=1,
        rules=(AERIAL.id,),
    )
    return chosen


def roof_under(table: Table, transport: Thing) -> Piece | None:
    """The scenery on whose top a Transport has landed; none where it stands on the ground."""
    for one in table.ground.pieces:
        if has_property(one, "impassable") and isinstance(transport.place, At):
            if gap_to_point(one.outline, transport.place.point) < 0:
                return one
    return None


def cannot_set_down(table: Table, squad: Thing, rider: Thing) -> Refusal | None:
    """Why a squad may not be set down where its Transports have landed: from a roof Infantry only, into the house."""
    for transport in units_on_table(table, squad.id):
        units = [one for one in inside(table, transport.id) if one.unit == rider.id]
        roof = roof_under(table, transport)
        if not units:
            continue
        if roof is None:
            if len(arranged(table, units, footprint(transport), DISEMBARKING.inches("distance_in"), True)) < len(units):
                return Refusal(DISEMBARKING.id, f"There is no room for {rider.label} beside {transport.label}.")
            continue
        refusal = refused_roof(table, rider, transport, roof)
        if refusal is not None:
            return refusal
    return None


def refused_roof(table: Table, rider: Thing, transport: Thing, roof: Piece) -> Refusal | None:
    """Why a squad may not get down from a roof: it is no Infantry, or there is no Garrison below with room for it."""
    infantry = all(is_kind(one, "infantry") for one in table.members(rider.id))
    if not infantry or not has_property(roof, "garrison"):
        return Refusal(AERIAL.id, f"{transport.label} has landed on {roof.label}: {rider.label} cannot get down.")
    return no_room(table, rider, roof.id)


def on_a_roof(table: Table, squad: Thing) -> tuple[Thing, Piece] | None:
    """The Transport that a squad rides in, and the roof on which it has landed."""
    ride = ride_of(table, squad)
    roof = roof_under(table, ride) if ride is not None and flies(ride) and not ride.has(AIRBORNE) else None
    return None if ride is None or roof is None else (ride, roof)


def go_down(battle: Battle, squad: Thing) -> Procedure[bool]:
    """Let a squad that gets out of its Transport on a roof go into the house; gives whether it has."""
    found = on_a_roof(battle.table, squad)
    if found is None:
        return False
    units = battle.table.members(squad.id)
    yield from enter(battle, squad, found[1].id)
    for one in units:
        mark_disembarked(battle, one, found[0])
    return True


def set_down(battle: Battle, squad: Thing, aboard: Sequence[Thing]) -> Procedure[None]:
    """Set passengers down for free: they have not moved, but count as having disembarked."""
    chosen = yield from _which(battle, squad, aboard, f"{squad.label}: set down whom?", "Set {} down")
    for name in chosen:
        for transport in units_on_table(battle.table, squad.id):
            units = [one for one in inside(battle.table, transport.id) if one.unit == name]
            if not units:
                continue
            roof = roof_under(battle.table, transport)
            if roof is not None:
                yield from enter(battle, battle.table[name], roof.id)
                for one in units:
                    mark_disembarked(battle, one, transport)
                continue
            put = yield from ask_places(
                battle,
                units,
                footprint(transport),
                DISEMBARKING.inches("distance_in"),
                AERIAL.id,
                f"{battle.table[name].label}: where is it set down?",
                True,
            )
            if len(put) == len(units):
                for one in units:
                    battle.happens(Placed(one.id, put[one.id].where, put[one.id].facing, rule=AERIAL.id))
                    mark_disembarked(battle, one, transport)
        if gates(battle.table, battle.table[name]) and units_on_table(battle.table, name):
            yield from end_of_way(battle, battle.table[name], entering_only=True)


def take_up(battle: Battle, squad: Thing, outside: Sequence[Thing]) -> Procedure[None]:
    """Take units up for free."""
    chosen = yield from _which(battle, squad, outside, f"{squad.label}: take up whom?", "Take {} up")
    for name in chosen:
        who, table = battle.table[name], battle.table
        able = [one.id for one in units_on_table(table, squad.id) if cannot_embark(table, who, one) is None]
        if able:
            yield from embark(battle, who, able[0], able)


CHAPTER = Chapter(answers={WHICH: "the squads that are set down or taken up"})
