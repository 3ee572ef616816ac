"""Laying out the terrain: pieces by turns, or rolled for; large hills and roads as far as the other side agrees."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Counted, Forfeited, PhaseBegan, Placed
from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Off, Point, Shape, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import covers, gap, overlap
from sandtable.field.random_terrain import across, moved
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.cav.movement import HILL, RUBBLE, STRUCTURE, WATER
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.setup import EDGES, ORDER, TERRAIN
from sandtable.rulesets.strikeops.terrain import KIND_RULES, KINDS, OBSTRUCTION, ONE_LEVEL, ROAD_KIND
from sandtable.tabletop import features
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.features import Features

BY_TURNS = rule("strikeops.setup.terrain-alternating")
ROLLED = rule("strikeops.setup.random-terrain")
TABLE = rule("strikeops.setup.random-terrain-table")
COMBINED = rule("strikeops.setup.combining-terrain")
WATERS = rule("strikeops.setup.water")
HILLS = rule("strikeops.setup.hill-size")
ROADS = rule("strikeops.setup.roads")
CHOICE = rule("strikeops.setup.players-choice")
STRUCTURES = RuleId("strikeops.setup.structures")

#: The option of a battle that says how terrain is laid, and its two values.
LAYING, RANDOM, ALTERNATING = "terrain", "random", "by-turns"
ITEMS, PASS, AGREE, ROAD = "terrain items", "pass", "agree-to-terrain", "add-road"
#: What a player may choose at will, beside the types of the table (strikeops.setup.players-choice).
UNIQUE = ("swamp", OBSTRUCTION)
LEVELS = range(HILLS.number("levels", 0), HILLS.number("levels", 1) + 1)
same_number("how steep a hill is", HILLS.inches("contours_apart_inches"), UNIT // ONE_LEVEL.number("levels_per_inch"))
same_number("where rolled terrain may not lie", ROLLED.text_at("forbidden"), "both_deployment_zones")


class CountItems(Step, frozen=True):
    """Each side rolls how many items it places."""

    first: str


class PlaceItem(Step, frozen=True):
    """A side rolls for an item, and places it."""

    side: Side


class PlaceChosen(Step, frozen=True):
    """A side places a piece of its choice, or passes; when both have passed there is no more."""

    side: Side
    passed: bool = False


class AddRoad(Step, frozen=True):
    """A side may propose a road."""

    side: Side


def laying_steps(table: Table, first: Side) -> tuple[Step, ...]:
    """How the terrain of a battle is laid: the side that lost the roll for edges begins."""
    how, other = table.options.get(LAYING), next(side for side in table.sides if side != first)
    begins: dict[object, Step] = {RANDOM: CountItems(first), ALTERNATING: PlaceChosen(first)}
    return (begins[how], AddRoad(first), AddRoad(other)) if how in begins else ()


# What may be laid, and where ----------------------------------------------------------------------------------------


def terrain_type(roll: int) -> str:
    """What a roll on the Random Terrain Selection Table is."""
    return TABLE.text_at("roll_2d6", str(roll))


def kinds_for(result: str) -> list[str]:
    """The kinds of terrain that a result lets its owner place; structures are still to come.

    strikeops.setup.players-choice       any type of the table, a swamp or an obstruction
    strikeops.setup.combining-terrain    rough and rubble are two types, and the placer says which
    """
    if result == "players_choice":
        rows = dict.fromkeys(terrain_type(int(roll)) for roll in TABLE.names("roll_2d6"))
        return [kind for row in rows if row != result for kind in kinds_for(row)] + list(UNIQUE)
    return {"rough_or_rubble": ["rough", RUBBLE], STRUCTURE: []}.get(result, [result.replace("_", "-")])


def room(ground: Ground, kind: str) -> Shape:
    """Where a kind may lie: outside both zones, but for roads (strikeops.setup.roads)."""
    return rectangle(0, 0, ground.width, ground.height) if kind == ROAD_KIND else EDGES.middle(ground)


def refused_rolled(ground: Ground, kind: str, shapes: Sequence[Shape], at: Point, level: int) -> Refusal | None:
    """Why a rolled item may not lie there: wholly on the board and outside both zones.

    strikeops.setup.combining-terrain    on one of its own type it makes that larger
    """
    there = [moved(shape, at.x, at.y) for shape in shapes]
    if all(covers(room(ground, kind), shape) for shape in there):
        return None
    where = "on the board" if kind == ROAD_KIND else "on the board and outside both Deployment Zones"
    return Refusal((ROADS if kind == ROAD_KIND else ROLLED).id, f"It lies wholly {where}.")


def refused_chosen(ground: Ground, kind: str, shapes: Sequence[Shape], at: Point, level: int) -> Refusal | None:
    """Why a chosen piece may not lie there: objects of one type do not overlap (strikeops.setup.terrain-free)."""
    refusal = refused_rolled(ground, kind, shapes, at, level)
    if refusal is None and kind != ROAD_KIND:
        there = [moved(shape, at.x, at.y) for shape in shapes]
        others = [piece for piece in ground.pieces if piece.kind == kind]
        if any(boxes_meet(box_of(a), box_of(b.outline)) and overlap(a, b.outline) for a in there for b in others):
            return Refusal(TERRAIN.id, f"It may not overlap other {features.spoken(kind)}.")
    return refusal


def joins(ground: Ground, piece: Piece) -> bool:
    """Whether a piece makes one of its own type larger (strikeops.setup.combining-terrain)."""
    return any(one.kind == piece.kind and gap(one.outline, piece.outline) <= 0 for one in ground.pieces)


_ROLLED = Features(
    placing=ROLLED,
    outline=TERRAIN,
    size=TERRAIN,
    choices={WATER: WATERS, HILL: HILLS},
    otherwise=CHOICE,
    heights={kind: form.height for kind, form in KINDS.items()},
    levels={HILL: LEVELS, WATER: range(WATERS.number("depths", 0), WATERS.number("depths", 1) + 1)},
    default_levels={WATER: WATERS.number("default_depth")},
    room=room,
    refused=refused_rolled,
    least=TERRAIN.inches("preferred_minimum_width_inches"),
    most=0,
    drawn=(TERRAIN.inches("drawn_across_inches", 0), TERRAIN.inches("drawn_across_inches", 1)),
    apart=HILLS.inches("contours_apart_inches"),
    road=ROAD_KIND,
    road_width=ROADS.inches("width_inches"),
)
#: The features of rolled terrain, and those that are laid by turns.
FEATURES: Mapping[object, Features] = {
    RANDOM: _ROLLED,
    ALTERNATING: replace(_ROLLED, placing=BY_TURNS, refused=refused_chosen),
}


def _of(table: Table) -> Features:
    return FEATURES.get(table.options.get(LAYING), _ROLLED)


# Laying it ----------------------------------------------------------------------------------------------------------


def count_items(battle: Battle, first: Side) -> Procedure[None]:
    """How many items each side places, and in which order (strikeops.setup.random-terrain)."""
    yield from ()
    battle.happens(PhaseBegan(0, "terrain", rule=ORDER.id))
    sides = battle.table.sides
    order, left = (first, *(side for side in sides if side != first)), {}
    for side in order:
        left[side] = DICE.plain_roll(battle, ITEMS, side, ROLLED.text_at("items_per_side"), ROLLED)
        battle.happens(Counted(side, ITEMS, 0, left[side], rule=ROLLED.id))
    rounds = range(max(left.values()))
    battle.push(*(PlaceItem(side) for n in rounds for side in order if n < left[side]))


def place_item(battle: Battle, side: Side) -> Procedure[None]:
    """Roll what an item is, and place it; a structure is still to come, and is left out."""
    left = battle.table.things[side].count(ITEMS)
    battle.happens(Counted(side, ITEMS, left, left - 1, rule=ROLLED.id))
    result = terrain_type(DICE.plain_roll(battle, "terrain type", side, ROLLED.text_at("type_per_item"), TABLE))
    if not kinds_for(result):
        battle.happens(Forfeited(side, f"placing {result}", rule=STRUCTURES))
        return
    why = CHOICE if result == "players_choice" else TABLE
    kind = yield from _of(battle.table).ask_kind(side, kinds_for(result), why, KIND_RULES)
    yield from _place(battle, side, kind, why)


def place_chosen(battle: Battle, step: PlaceChosen) -> Procedure[None]:
    """A piece of one's choice, or none (strikeops.setup.terrain-alternating)."""
    other = next(side for side in battle.table.sides if side != step.side)
    options = tuple(Option(kind, features.spoken(kind).capitalize()) for kind in kinds_for("players_choice"))
    kind = yield ChooseOne(
        step.side,
        "What do you place?",
        topic=features.KIND,
        rules=(BY_TURNS.id,),
        options=(*options, Option(PASS, "Nothing more")),
        default=PASS,
    )
    if kind != PASS:
        yield from _place(battle, step.side, kind, BY_TURNS)
    if kind != PASS or not step.passed:
        battle.push(PlaceChosen(other, kind == PASS))


def _place(battle: Battle, side: Side, kind: str, why: Rule) -> Procedure[None]:
    ground, by_rule = battle.table.ground, _of(battle.table)
    level = yield from by_rule.ask_level(side, kind)
    source = SeededDice(f"{kind} {battle.dice.number(features.OUTLINES)}")
    piece = yield from by_rule.ask_feature(battle, side, kind, level, source, why)
    if piece is not None and too_large(piece):
        words = f"a hill of {piece.height} levels, {across(piece.outline) // UNIT}″ across"
        agreed = yield from _agreed(battle, side, words, HILLS)
        if not agreed:
            level = min(level, HILLS.number("at_will", "levels"))
            piece = yield from by_rule.ask_feature(battle, side, kind, level, source, HILLS, by_dice=True)
    if piece is None:
        battle.happens(Forfeited(side, f"placing {kind}", rule=by_rule.placing.id))
        return
    told = COMBINED if joins(ground, piece) else by_rule.placing
    battle.happens(Placed(piece.id, Off(), piece=piece, rule=told.id))


def too_large(piece: Piece) -> bool:
    """Whether a hill is larger than one may place at will (strikeops.setup.hill-size)."""
    high, wide = HILLS.number("at_will", "levels"), HILLS.inches("at_will", "across_inches")
    return piece.kind == HILL and (piece.height > high or across(piece.outline) > wide)


def _agreed(battle: Battle, side: Side, words: str, why: Rule) -> Procedure[bool]:
    other = next(one for one in battle.table.sides if one != side)
    chosen = yield ChooseOne(
        other,
        f"Do you agree to {words}?",
        topic=AGREE,
        rules=(why.id,),
        options=(Option("yes", "Yes"), Option("no", "No")),
        default="no",
    )
    return bool(chosen == "yes")


def add_road(battle: Battle, side: Side) -> Procedure[None]:
    """A road where it makes sense, if the other side agrees (strikeops.setup.roads)."""
    chosen = yield ChooseOne(
        side,
        "Do you propose a road?",
        topic=ROAD,
        rules=(ROADS.id,),
        options=(Option("yes", "Yes"), Option("no", "No")),
        default="no",
    )
    if chosen == "no":
        return
    source = SeededDice(f"{ROAD_KIND} {battle.dice.number(features.OUTLINES)}")
    piece = yield from _of(battle.table).ask_feature(battle, side, ROAD_KIND, 0, source, ROADS)
    if piece is None:
        return
    agreed = yield from _agreed(battle, side, "the road", ROADS)
    if agreed:
        battle.happens(Placed(piece.id, Off(), piece=piece, rule=ROADS.id))
        battle.push(AddRoad(side))


def _judge_place(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    return _of(view.table).judge_place(view, question, answer)


def _judge_shape(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    return _of(view.table).judge_shape(view, question, answer)


CHAPTER = Chapter(
    steps={
        CountItems: lambda battle, step: count_items(battle, step.first),
        PlaceItem: lambda battle, step: place_item(battle, step.side),
        PlaceChosen: place_chosen,
        AddRoad: lambda battle, step: add_road(battle, step.side),
    },
    judges={features.PLACE: _judge_place, features.POINTS: _judge_shape},
    answers={
        features.KIND: f"what a side places, or `{PASS}` where it may",
        AGREE: "whether the other side agrees to a large hill, or to a road",
        ROAD: "whether a side proposes a road",
        **features.ANSWERS,
    },
    values={
        "terrain-type": lambda table, asked: terrain_type(asked.number()),
        "kinds-for": lambda table, asked: tuple(kinds_for(asked.text_at())),
    },
)
