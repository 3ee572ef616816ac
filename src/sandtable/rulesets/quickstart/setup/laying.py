"""Laying out the terrain: each side rolls how many features it places, and places them in turn."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Counted, Forfeited, Placed
from sandtable.engine.questions import ChooseOne, Option, PlaceThings
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Off, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Piece
from sandtable.field.random_terrain import piece_moved
from sandtable.rulesets.quickstart.dice import PLAIN, STANDARD, plain_roll
from sandtable.rulesets.quickstart.movement.moves import KIND_RULES
from sandtable.rulesets.quickstart.setup.board import ChooseEdges
from sandtable.rulesets.quickstart.setup.shaping import ask_for_shape, judge_shape, players_shape
from sandtable.rulesets.quickstart.setup.terrain import (
    CHOICE_RULES,
    COUNT,
    FEATURES,
    KINDS,
    LEVELS,
    ORDER,
    OUTLINES,
    SIZE,
    SPECIAL,
    TYPE,
    feature,
    find_place,
    judge_feature,
    kinds_for,
    room_for,
    shapes_of,
    terrain_type,
)
from sandtable.rulesets.quickstart.sight import settled
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.turns import roll_off


class CountTerrain(Step, frozen=True):
    """Each side rolls how many features it places."""


class PlaceFeature(Step, frozen=True):
    """One side rolls for, and places, one feature."""

    side: str


def count_terrain(battle: Battle) -> Procedure[None]:
    """How many features each side places, and who begins.

    quickstart.setup.terrain-count-roll         1d6+1 each
    quickstart.setup.terrain-placement-order    a roll-off, then in turn; who has more places the rest at the end
    """
    yield from ()
    dice, _, plus = COUNT.text_at("roll").partition("+")
    left = {}
    for side in battle.table.sides:
        left[side] = plain_roll(battle, "terrain features", side, dice, COUNT) + int(plus)
        battle.happens(Counted(side, "features to place", 0, left[side], rule=COUNT.id))
    first = roll_off(battle, "who begins", STANDARD, ORDER, PLAIN)
    sides = battle.table.sides
    order = sides[sides.index(first) :] + sides[: sides.index(first)]
    steps: list[Step] = []
    while any(left.values()):
        for side in order:
            if left[side]:
                left[side] -= 1
                steps.append(PlaceFeature(side))
    battle.push(*steps, ChooseEdges())


def place_feature(battle: Battle, side: str) -> Procedure[None]:
    """Roll the type of a feature, settle what its owner may choose, and place it; one without a place is dropped."""
    roll = plain_roll(battle, "terrain type", side, TYPE.text_at("roll"), TYPE)
    result = terrain_type(roll)
    thing = battle.table.things[side]
    left = thing.count("features to place")
    battle.happens(Counted(side, "features to place", left, left - 1, rule=ORDER.id))
    kind = yield from _which_kind(side, result)
    level = yield from _level(side, kind)
    source = SeededDice(f"{kind} {battle.dice.number(OUTLINES)}")
    if players_shape(battle.table):
        drawn = yield from ask_for_shape(battle.table, side, kind, level, source, result)
        if drawn is not None:
            _lay(battle, replace(drawn, id=battle.new_id(kind)), kind)
            return
    piece = feature(source, battle.new_id(kind), kind, level)
    shapes = shapes_of(piece)
    default = find_place(battle.table, source, kind, shapes, level)
    if default is None:
        battle.happens(Forfeited(side, f"placing {kind}", rule=ORDER.id))
        return
    ground = battle.table.ground
    answer: dict[str, Spot] = yield PlaceThings(
        side,
        f"Place the {kind.replace('-', ' ')}",
        topic="place-terrain",
        about=(kind,),
        facts={"level": level},
        rules=(ORDER.id, SIZE.id, CHOICE_RULES[result].id),
        shows=("distance",),
        things=("feature",),
        where={"": Region((room_for(ground, kind),), whole=True, rule=ORDER.id, label="outside the deployment zones")},
        faces=False,
        outlines={"feature": tuple(shapes)},
        default={"feature": Spot(At(default))},
    )
    where = answer["feature"].where
    assert isinstance(where, At)
    _lay(battle, piece_moved(piece, where.point.x, where.point.y), kind)


def _lay(battle: Battle, piece: Piece, kind: str) -> None:
    for n, part in enumerate(_pieces(battle, piece, kind)):
        why = FEATURES if n == 0 else SIZE
        battle.happens(Placed(part.id, Off(), piece=part, rule=why.id, detail=settled(kind)))


def _which_kind(side: str, result: str) -> Procedure[str]:
    """The kind of terrain a result of the table places, where its owner may choose."""
    kinds = kinds_for(result)
    if len(kinds) == 1:
        return kinds[0]
    chosen: str = yield ChooseOne(
        side,
        "What do you place?",
        topic="terrain-kind",
        rules=(CHOICE_RULES[result].id,),
        options=tuple(Option(kind, kind.replace("-", " ").capitalize(), (), (KIND_RULES[kind].id,)) for kind in kinds),
    )
    return chosen


def _level(side: str, kind: str) -> Procedure[int]:
    if kind not in LEVELS:
        return KINDS[kind].height
    word = "How deep?" if kind == "water" else "How many levels high?"
    why = CHOICE_RULES.get(kind, SPECIAL)
    chosen: str = yield ChooseOne(
        side,
        word,
        topic="terrain-level",
        about=(kind,),
        rules=(why.id,),
        options=tuple(Option(str(level), str(level)) for level in LEVELS[kind]),
    )
    return int(chosen)


def _pieces(battle: Battle, piece: Piece, kind: str) -> list[Piece]:
    """The pieces of a feature: a group of buildings is a piece each."""
    if not piece.parts:
        return [piece]
    return [
        Piece(battle.new_id(kind), kind, part.outline, height=piece.height, traits=piece.traits)
        for part in piece.parts
        if part.outline is not None
    ]


CHAPTER = Chapter(
    steps={
        CountTerrain: lambda battle, step: count_terrain(battle),
        PlaceFeature: lambda battle, step: place_feature(battle, step.side),
    },
    judges={"place-terrain": judge_feature, "shape-terrain": judge_shape},
    terrain=KINDS,
    answers={
        "terrain-kind": "what a Special or Rough-or-Rubble result places",
        "terrain-level": "how high, or how deep, a feature is",
        "place-terrain": "where a feature is placed",
        "terrain-shape": "how a player shapes a feature: as-drawn, circle, or with how many corners, points or houses",
        "shape-terrain": "where the points of a feature lie, {corner 1: [x, y], …}",
    },
)
