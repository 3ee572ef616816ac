"""Marching: forming a column, and what a unit in column may do."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import CONTACT, center_gap
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.cover.protection import LEAVING
from sandtable.rulesets.stargrunt.movement.actions import going_preview, moving, read_walks
from sandtable.rulesets.stargrunt.movement.moves import ends, refused_move, travel_move
from sandtable.rulesets.stargrunt.movement.terrain_costs import too_far
from sandtable.rulesets.stargrunt.movement.walking import (
    TRAVEL,
    TRAVELLING,
    base_mobility,
    note_left_behind,
    refused_walks,
    walk,
)
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import BASE, points, spot, standing
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit
from sandtable.tabletop.states import give

#: The directions a column may face, as facings.
HEADINGS = {
    "east": 0,
    "south-east": 45,
    "south": 90,
    "south-west": 135,
    "west": 180,
    "north-west": 225,
    "north": 270,
    "north-east": 315,
}
#: What a unit in column may do.
IN_COLUMN = ("travel", "travel-road", "reorganise", "leave", "remove-suppression", "remove-panic")
#: How far the centres of two figures are apart that touch in a column, how many march abreast when it forms up, and how
#: many others one can touch in it.
STEP, ABREAST, NEIGHBOURS = BASE.size + 2, TRAVEL.number("abreast"), TRAVEL.number("most_neighbours")


def in_column(spots: Sequence[Point]) -> bool:
    """Whether figures stand in a column: all linked by base contact, nobody with more than three neighbours.

    >>> in_column([Point(0, 0), Point(0, 1002), Point(0, 2004)]), in_column([Point(0, 0), Point(0, 1200)])
    (True, False)
    """
    near = (BASE.size + CONTACT) ** 2
    linked, left = list(spots[:1]), list(spots[1:])
    for at in linked:
        touching = [p for p in left if center_gap(at, p) <= near]
        left = [p for p in left if p not in touching]
        linked += touching
    crowds = any(sum(center_gap(at, p) <= near for p in spots) - 1 > NEIGHBOURS for at in spots)
    return not left and not crowds


def column(table: Table, unit: str, heading: int) -> dict[str, Walk]:
    """The walks that form a column two figures wide around the middle of a unit, its head in a direction."""
    figures = standing(table, unit)
    slots = []
    for n in range(len(figures)):
        row, place = divmod(n, ABREAST)
        first = along(Point(0, 0), (heading + 180) % 360, STEP * row)
        slots.append(along(first, (heading + 90) % 360, STEP * place))
    here = [spot(one) for one in figures]
    dx = (sum(p.x for p in here) - sum(p.x for p in slots)) // len(figures)
    dy = (sum(p.y for p in here) - sum(p.y for p in slots)) // len(figures)
    free = [Point(p.x + dx, p.y + dy) for p in slots]
    walks: dict[str, Walk] = {}
    for one in figures:
        goal = min(free, key=lambda p: (center_gap(p, spot(one)), p))
        free.remove(goal)
        walks[one.id] = Walk((Via(goal),))
    return walks


def no_room_towards(table: Table, unit: Thing, name: str) -> Refusal | None:
    """Why a unit may not form up with its head in a direction."""
    walks = column(table, unit.id, HEADINGS[name])
    return refused_walks(table, unit.side, walks, base_mobility(unit), together=False)


def _no_room(table: Table, unit: Thing) -> Refusal | None:
    if unit.has(StateName.IN_POSITION):
        return Refusal(LEAVING.id, f"{unit.label} must give up its position first.")
    first = ""
    for heading in HEADINGS:  # one direction with room will do: the others are not looked at
        refusal = no_room_towards(table, unit, heading)
        if refusal is None:
            return None
        first = first or refusal.sentence
    return Refusal(TRAVEL.id, f"There is no room for a column: {first}")


def _form_up(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Forming the column takes a reorganise action (stargrunt.movement.travel)."""
    chosen = yield ChooseOne(
        unit.side,
        "Which way does the column face?",
        topic="heading",
        about=(unit.id,),
        options=tuple(Option(name, f"To the {name}", (), (TRAVEL.id,)) for name in HEADINGS),
        rules=(TRAVEL.id,),
    )
    walk(battle, column(battle.table, unit.id, HEADINGS[chosen]), base_mobility(unit), TRAVEL)
    note_left_behind(battle, unit.id)
    give(battle, unit.id, TRAVELLING, TRAVEL)
    return Outcome(again=False)


def _column_holds(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """A unit in column may do nothing else (stargrunt.movement.travel)."""
    if unit.has(TRAVELLING) and action.id not in IN_COLUMN:
        return Refusal(TRAVEL.id, f"{unit.label} is in column and must reorganise first.")
    return None


def _judge_travel(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    unit = view.table[question.about[0]]
    refusal = refused_move(view.table, unit, answer, max(question.allowance.values(), default=0), question.about[1:])
    if refusal is None and answer and in_column(points(view.table, unit.id)):
        if not in_column(ends(view.table, unit, answer)):
            return Refusal(TRAVEL.id, "The column must hold together: base to base, at most two wide.")
    return too_far(question, refusal)


CHAPTER = Chapter(
    refusals={"heading": by_unit(no_room_towards)},
    actions=(
        Action(
            id="form-column",
            entry="reorganise",
            label="Form a column",
            rule=TRAVEL,
            carry_out=_form_up,
            shown=lambda table, unit: on_foot(table, unit) and not unit.has(TRAVELLING),
            refused=_no_room,
        ),
        Action(
            id="travel",
            entry="move",
            label="March",
            rule=TRAVEL,
            carry_out=moving(travel_move),
            shown=lambda table, unit: on_foot(table, unit) and unit.has(TRAVELLING),
        ),
    ),
    judges={"travel": _judge_travel},
    previews={"travel": going_preview},
    states={TRAVELLING: "it is in column"},
    answers={"heading": f"which way a column faces: {', '.join(HEADINGS)}", "travel": "the paths of a march"},
    readers={"travel": read_walks},
    at=(RESTRAINS(_column_holds),),
)
