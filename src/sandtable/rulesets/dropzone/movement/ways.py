"""Going a way, and what a squad may do at its end: get into a Transport, or into a Garrison."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.dropzone.garrisons import cannot_enter, gates
from sandtable.rulesets.dropzone.movement.arriving import clear_way, inwards
from sandtable.rulesets.dropzone.movement.paths import EDGE, MOVE, full_move, refused_end
from sandtable.rulesets.dropzone.shooting.aiming import EMBARKING, TURNING
from sandtable.rulesets.dropzone.transports import cannot_embark, embark, is_transport, transports_for
from sandtable.rulesets.dropzone.units import ACTION_LIST, AIRBORNE, END_OF_ROUND, MOVED, moved, units_on_table
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import give
from sandtable.tabletop.walking import track_of

#: What may be done at the end of a way.
AFTERWARDS, STAY = "afterwards", "stay"


class Ending(NamedTuple):
    """Something a squad may do at the end of its way, as part of the same action."""

    id: str
    label: str
    rule: Rule
    does: Callable[[Battle, Thing], Procedure[Any]]


def standing_ways(
    table: Table, units: Sequence[Thing], allowance: Callable[[Thing], int] = full_move
) -> dict[str, Walk] | None:
    """Standing still, where that is a lawful way to end; else the way in from the edge, or out from over another.

    None where some have no such way.
    """
    ends = [(one, one.place.point) for one in units if isinstance(one.place, At)]
    refused = [refused_end(table, one, at, ends, one.has(AIRBORNE)) for one, at in ends]
    if not any(refused):
        return {}
    ways: dict[str, Walk] = {}
    taken: list[tuple[Thing, Point]] = []
    for (unit, _), refusal in zip(ends, refused, strict=True):
        at_edge = refusal is not None and refusal.rule == EDGE.id
        way = inwards(table, unit) if at_edge else None
        if way is None or not way.legs:
            way = clear_way(table, unit, taken, allowance(unit))
        if way is None:
            return None
        ways[unit.id] = way
        taken.append((unit, track_of(unit, way).end.point))
    return ways


def ask_ways(
    battle: Battle, squad: Thing, topic: str, prompt: str, allowance: Callable[[Thing], int], *rules: Rule, **more: Any
) -> Procedure[dict[str, Walk]]:
    """Ask for the ways of the units of a squad that stand on the table; each has one in the answer."""
    units = units_on_table(battle.table, squad.id)
    names = tuple(one.id for one in units)
    walks: dict[str, Walk] = yield MoveModels(
        squad.side,
        prompt,
        topic=topic,
        about=names,
        models=names,
        allowance={one.id: allowance(one) for one in units},
        rules=tuple(one.id for one in rules),
        **more,
    )
    return {name: walks.get(name, Walk()) for name in names}


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
    options = [Option(one.id, one.label, (squad.id,), (one.rule.id,)) for one in endings]
    question = ChooseOne(
        squad.side,
        f"{squad.label}: and then?",
        topic=AFTERWARDS,
        about=(squad.id,),
        options=(*options, Option(STAY, "Stay outside", (squad.id,), (ACTION_LIST.id,))),
        rules=(ACTION_LIST.id,),
        default=STAY,
    )
    chosen = yield from unless_alone(question)
    for one in endings:
        if one.id == chosen:
            yield from one.does(battle, squad)
            return True
    return False


def rides(table: Table, squad: Thing) -> list[Ending]:
    """The Transports that a squad may get into."""

    offered = transports_for(table, squad)

    def getting_in(transport: str) -> Callable[[Battle, Thing], Procedure[Any]]:
        return lambda battle, who: embark(battle, who, transport, [one.id for one in offered])

    return [Ending(one.id, f"Embark in {one.label}", EMBARKING, getting_in(one.id)) for one in offered]


def gate_endings(table: Table, squad: Thing) -> list[Ending]:
    """The Garrisons that a squad may go into."""
    return [Ending(one.id, f"Go into {one.label}", one.rule, one.does) for one in gates(table, squad)]


def unoffered(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a squad may not get into a Transport or a Garrison at the end of its way."""
    table = view.table
    squad, thing = table[question.about[0]], table.things.get(answer)
    if thing is None or thing.kind not in ("model", "holder"):
        return None
    if thing.kind == "holder":
        return cannot_enter(table, squad, table.ground.piece(thing.id))
    return cannot_embark(table, squad, thing) if is_transport(thing) else None


CHAPTER = Chapter(
    unoffered={AFTERWARDS: unoffered},
    answers={AFTERWARDS: "what a squad does at the end of its way: a Transport, a Garrison, or stay"},
)
