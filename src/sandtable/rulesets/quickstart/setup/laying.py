"""Laying out the terrain: each side rolls how many features it places, and places them in turn."""

from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Counted, Forfeited, Placed
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.rulesets.quickstart.dice import PLAIN, STANDARD, plain_roll
from sandtable.rulesets.quickstart.movement.moves import KIND_RULES
from sandtable.rulesets.quickstart.setup.board import ChooseEdges
from sandtable.rulesets.quickstart.setup.terrain import (
    BY_RULE,
    CHOICE_RULES,
    COUNT,
    FEATURES,
    KINDS,
    ORDER,
    SIZE,
    TYPE,
    kinds_for,
    terrain_type,
)
from sandtable.rulesets.quickstart.sight import settled
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.features import ANSWERS, KIND, OUTLINES, PLACE, POINTS, pieces_of
from sandtable.tabletop.turns import roll_off


class CountTerrain(Step, frozen=True):
    """Each side rolls how many features it places."""


class PlaceFeature(Step, frozen=True):
    """One side rolls for, and places, one feature."""

    side: Side


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


def place_feature(battle: Battle, side: Side) -> Procedure[None]:
    """Roll the type of a feature, settle what its owner may choose, and place it; one without a place is dropped."""
    roll = plain_roll(battle, "terrain type", side, TYPE.text_at("roll"), TYPE)
    result = terrain_type(roll)
    thing = battle.table.things[side]
    left = thing.count("features to place")
    battle.happens(Counted(side, "features to place", left, left - 1, rule=ORDER.id))
    why = CHOICE_RULES[result]
    kind = yield from BY_RULE.ask_kind(side, kinds_for(result), why, KIND_RULES)
    level = yield from BY_RULE.ask_level(side, kind)
    source = SeededDice(f"{kind} {battle.dice.number(OUTLINES)}")
    piece = yield from BY_RULE.ask_feature(battle, side, kind, level, source, why)
    if piece is None:
        battle.happens(Forfeited(side, f"placing {kind}", rule=ORDER.id))
        return
    for n, part in enumerate(pieces_of(battle, piece)):
        battle.happens(Placed(part.id, Off(), piece=part, rule=(SIZE if n else FEATURES).id, detail=settled(kind)))


CHAPTER = Chapter(
    steps={
        CountTerrain: lambda battle, step: count_terrain(battle),
        PlaceFeature: lambda battle, step: place_feature(battle, step.side),
    },
    judges={PLACE: BY_RULE.judge_place, POINTS: BY_RULE.judge_shape},
    terrain=KINDS,
    answers={KIND: "what a Special or Rough-or-Rubble result places", **ANSWERS},
)
