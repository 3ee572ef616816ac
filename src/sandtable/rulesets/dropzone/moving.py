"""A Moving action: from where the squad is, each unit on its way, and what may be done at its end."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Off, Walk
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.aircraft import fly
from sandtable.rulesets.dropzone.arriving import arrive
from sandtable.rulesets.dropzone.garrisons import gates, in_a_garrison, move_inside
from sandtable.rulesets.dropzone.movement import MOVE, TURNING, WALK, full_move, track_of
from sandtable.rulesets.dropzone.transports import (
    EMBARKING,
    cannot_disembark,
    disembark,
    embark,
    ride_of,
    transports_for,
)
from sandtable.rulesets.dropzone.units import END_OF_ROUND, MOVED, flies, moved, units_on_table
from sandtable.tabletop.actions import Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

MOVING = "moving"
#: What may be done at the end of a way.
AFTERWARDS, STAY = "afterwards", "stay"
ACTION_LIST = rule("dropzone.actions.list")


class Ending(NamedTuple):
    """Something a squad may do at the end of its way, as part of the same action."""

    id: str
    label: str
    rule: Rule
    does: Callable[[Battle, Thing], Procedure[Any]]


def cannot_move(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not take a Moving action."""
    if ride_of(table, squad) is not None:
        return cannot_disembark(table, squad)
    return None


def move(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """Move a squad: out of a Transport, inside a Garrison, on from the edge, in the air, or on the ground."""
    table = battle.table
    if in_a_garrison(table, squad):
        yield from move_inside(battle, squad)
        return
    if ride_of(table, squad) is not None:
        out = yield from disembark(battle, squad)
        if not out:
            return
        if (yield from end_of_way(battle, battle.table[squad.id], entering_only=True)):
            return
    elif any(isinstance(one.place, Off) for one in table.members(squad.id)):
        yield from arrive(battle, squad)
    squad = battle.table[squad.id]
    if any(flies(one) for one in battle.table.members(squad.id)):
        yield from fly(battle, squad)
        return
    yield from walk(battle, squad)
    if battle.table.members(squad.id):
        yield from end_of_way(battle, battle.table[squad.id])


def walk(battle: Battle, squad: Thing) -> Procedure[None]:
    """Ask for the ways of a squad on the ground, and carry them out."""
    units = units_on_table(battle.table, squad.id)
    walks: dict[str, Walk] = yield MoveModels(
        squad.side,
        f"{squad.label}: where to?",
        topic=WALK,
        about=tuple(one.id for one in units),
        models=tuple(one.id for one in units),
        allowance={one.id: full_move(one) for one in units},
        rules=(MOVE.id,),
        shows=("distance", "reach"),
        default=_standing_ways(battle.table, units),
    )
    for unit in units:
        go(battle, unit, walks.get(unit.id, Walk()))


def _standing_ways(table: Table, units: Sequence[Thing]) -> dict[str, Walk] | None:
    """Standing still, where that is a lawful way to end: not for those who have come onto the edge only."""
    from sandtable.rulesets.dropzone.movement import refused_end

    ends = [(one, one.place.point) for one in units if isinstance(one.place, At)]
    if all(refused_end(table, one, at, ends, one.has("airborne")) is None for one, at in ends):
        return {}
    from sandtable.rulesets.dropzone.arriving import inwards

    return {one.id: inwards(table, one) for one in units}


def go(battle: Battle, unit: Thing, way: Walk, manner: str = "own") -> None:
    """Carry a way out: the unit stands at its end, and has moved so far this round."""
    track = track_of(unit, way)
    if not track.length and track.end.facing == unit.facing:
        return
    n = battle.happens(
        Moved(unit.id, unit.place, At(track.end.point), track.end.facing, walk=track.walk, manner=manner, rule=MOVE.id)
    )
    far = (moved(unit) or 0) + track.length
    give(battle, unit.id, MOVED, MOVE if track.length else TURNING, far, until=END_OF_ROUND, because=n)


def end_of_way(battle: Battle, squad: Thing, entering_only: bool = False) -> Procedure[bool]:
    """Ask what a squad does at the end of its way: it may embark or go into a Garrison; gives whether it did."""
    endings = [*([] if entering_only else rides(battle.table, squad)), *gate_endings(battle.table, squad)]
    if not endings:
        return False
    options = [Option(one.id, one.label, (squad.id,), (one.rule.id,)) for one in endings]
    chosen = yield ChooseOne(
        squad.side,
        f"{squad.label}: and then?",
        topic=AFTERWARDS,
        about=(squad.id,),
        options=(*options, Option(STAY, "Stay outside", (squad.id,), (ACTION_LIST.id,))),
        rules=(ACTION_LIST.id,),
        default=STAY,
    )
    for one in endings:
        if one.id == chosen:
            yield from one.does(battle, squad)
            return True
    return False


def rides(table: Table, squad: Thing) -> list[Ending]:
    """The Transports that a squad may get into."""

    def getting_in(transport: str) -> Callable[[Battle, Thing], Procedure[Any]]:
        def does(battle: Battle, who: Thing) -> Procedure[Any]:
            yield from ()
            embark(battle, who, transport)

        return does

    return [
        Ending(one.id, f"Embark in {one.label}", EMBARKING, getting_in(one.id)) for one in transports_for(table, squad)
    ]


def gate_endings(table: Table, squad: Thing) -> list[Ending]:
    """The Garrisons that a squad may go into."""
    return [Ending(one.id, f"Go into {one.label}", one.rule, one.does) for one in gates(table, squad)]


CHAPTER = Chapter(
    actions=(Action(id=MOVING, label="Moving", rule=MOVE, carry_out=move, refused=cannot_move),),
    answers={AFTERWARDS: "what a squad does at the end of its way: a Transport, a Garrison, or stay"},
)
