"""Vehicles on the march: twice as far along a road, and nothing else in that activation."""

from sandtable.engine.battle import Battle
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.chords import covers_all
from sandtable.field.ground import on_way, within
from sandtable.field.walking.paths import Track
from sandtable.rulesets.stargrunt.chapter import Action
from sandtable.rulesets.stargrunt.moments import ACTIVATES
from sandtable.rulesets.stargrunt.movement.actions import read_walks
from sandtable.rulesets.stargrunt.movement.walking import TRAVEL, TRAVELLING
from sandtable.rulesets.stargrunt.units.record import hull_of, spot
from sandtable.rulesets.stargrunt.vehicles.driving import (
    BASE_MOVE,
    go,
    judge_drive,
    moving,
    named,
    preview,
    stuck,
    track_of,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

#: How far a vehicle travels with one action (stargrunt.movement.travel).
FAR = TRAVEL.number("multiplier") * BASE_MOVE
ROAD = "road"


def on_road(ground: Ground, track: Track) -> bool:
    """Whether the middle of a vehicle stays on a road all the way."""
    roads = [piece for piece in ground.pieces if piece.kind == ROAD]
    if not any(on_way(piece, track.start.point) for piece in roads):
        return False
    shapes = [piece.outline for piece in roads]
    return all(
        covers_all(within(shapes, one.start, one.end, one.length), 0, one.length)
        for one in track.stretches
        if one.length
    )


def _travels(battle: Battle, unit: Thing) -> Procedure[bool]:
    """A vehicle travels on a road without forming up (stargrunt.movement.travel)."""
    way = yield from named(battle, unit, "road", f"{unit.label} travels on the road", FAR, TRAVEL)
    if way is None:
        return True
    hull, walk = way
    if not unit.has(TRAVELLING) and walk.legs:
        give(battle, unit.id, TRAVELLING, TRAVEL)
    go(battle, unit, hull, walk, FAR, TRAVEL)
    return False


def _judge(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    refusal = judge_drive(view, question, answer)
    hull = view.table[question.models[0]]
    if refusal is None and not on_road(view.table.ground, track_of(hull, answer.get(hull.id, Walk()))):
        return Refusal(TRAVEL.id, f"{hull.label} would leave the road.")
    return refusal


def _may_travel(table: Table, unit: Thing) -> bool:
    hull = hull_of(table, unit.id)
    if hull is None or not isinstance(hull.place, At):
        return False
    return any(piece.kind == ROAD and on_way(piece, spot(hull)) for piece in table.ground.pieces)


def _in_fighting_order(battle: Battle, unit: Thing) -> None:
    """A vehicle needs no reorganising: when its next activation begins it is in fighting order again."""
    if unit.has(TRAVELLING) and hull_of(battle.table, unit.id) is not None:
        take(battle, unit.id, TRAVELLING, TRAVEL)


CHAPTER = Chapter(
    actions=(
        Action(
            id="travel-road",
            entry="move",
            label="Travel on the road",
            rule=TRAVEL,
            carry_out=moving(_travels),
            shown=_may_travel,
            refused=stuck,
            alone=lambda unit: not unit.has(TRAVELLING),
        ),
    ),
    judges={"road": _judge},
    previews={"road": preview},
    answers={"road": "the way of a vehicle that travels on a road"},
    readers={"road": read_walks},
    at=(ACTIVATES(_in_fighting_order),),
)
