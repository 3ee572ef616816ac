"""A table laid by the dice: the standard set of scenery around the Garrisons of a scenario, and the Objectives."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, In, Off, Point, Polygon, Shape, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Mark, Piece, Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_floor, overlap
from sandtable.field.random_terrain import Source, moved, place
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, citing, ledger, rule
from sandtable.forces.scenario import find_scenario
from sandtable.rulesets.dropzone.basics import MORE_PIECES, has_property, properties, scenery_data
from sandtable.rulesets.dropzone.behemoths.wrecks import WRECK
from sandtable.rulesets.dropzone.objectives import HIDDEN, MOBILE, OBJECTIVE, objectives
from sandtable.rulesets.dropzone.scenario.missions import BLOCKS, GAME, TABLE, mission, sites
from sandtable.rulesets.dropzone.scenery import RUBBLE, kinds, lay
from sandtable.tabletop.chapters import Chapter

STANDARD = rule("dropzone.scenario.standard-scenery")
PLACING = rule("dropzone.objectives.placing")

#: How many tables there are; a die of so many sides says which one is laid.
TABLES = 10_000
SPACING, FROM_EDGE = STANDARD.inches("spacing_in"), STANDARD.inches("edge_gap_in")
ROAD = "road"


class LayScenery(Step, frozen=True):
    """The standard set of scenery is laid at random."""


class LayObjectives(Step, frozen=True):
    """The Objectives of the scenario are placed."""


def set_of(source: Rule | None) -> dict[str, int]:
    """How many pieces of each kind are laid beside those that a scenario names, the largest first, without roads."""
    left = {kind.replace("_", "-"): STANDARD.number("pieces", kind) for kind in STANDARD.names("pieces")}
    for site in sites(source) if source is not None else ():
        left[site.kind] = max(0, left.get(site.kind, 0) - 1)
    del left[ROAD]
    return dict(sorted(left.items(), key=lambda one: (-_area(one[0]), one[0])))


def size_of(kind: str) -> tuple[int, int]:
    """How long and how broad a piece of a kind is; what is given a width only is square."""
    word = kind.replace("-", "_")
    data = MORE_PIECES.at("sizes", word) if MORE_PIECES.has("sizes", word) else MORE_PIECES.at("pieces", word)
    broad = data.inches("width_in")
    return (data.inches("length_in") if data.has("length_in") else broad), broad


def _area(kind: str) -> int:
    length, broad = size_of(kind)
    return length * broad


def standard_scenery(source: Source, width: int, depth: int, named: Rule | None) -> list[Piece]:
    """The pieces of the standard set on a table; a layout that cannot be finished is begun anew.

    dropzone.scenario.standard-scenery    square to the table, 2″ apart, 6″ from deployment edges, none on the road
    """
    while True:
        laid = _attempt(source, width, depth, named)
        if laid is not None:
            return laid


def _attempt(source: Source, width: int, depth: int, named: Rule | None) -> list[Piece] | None:
    fixed = [_piece(one.id, one.kind, one.outline) for one in sites(named)] if named is not None else []
    region = rectangle(0, FROM_EDGE, width, depth - 2 * FROM_EDGE)
    roads: list[Piece] = []
    for n in range(1, STANDARD.number("pieces", ROAD) + 1):
        band = rectangle(0, 0, width, size_of(ROAD)[1])
        by = place(source, [band], region, lambda shapes: not _meets(shapes[0], fixed), tries=200)
        if by is None:
            return None
        roads.append(Piece(PieceId(f"{ROAD}-{n}"), ROAD, moved(band, *by), label="The Road"))
    laid: list[Piece] = []
    for kind, count in set_of(named).items():
        for n in range(1, count + 1):
            length, broad = size_of(kind)
            shape = rectangle(0, 0, *((length, broad) if source.number(2) else (broad, length)))

            def allowed(shapes: Sequence[Shape]) -> bool:
                apart = all(gap_floor(shapes[0], piece.outline) >= SPACING for piece in (*fixed, *laid))
                return apart and not _meets(shapes[0], roads)

            by = place(source, [shape], region, allowed, tries=200)
            if by is None:
                return None
            there = moved(shape, *by)
            assert isinstance(there, Polygon)
            laid.append(_piece(PieceId(f"{kind}-{n}"), kind, there))
    return [*roads, *fixed, *laid]


def _meets(shape: Shape, pieces: Sequence[Piece]) -> bool:
    return any(overlap(shape, one.outline) for one in pieces)


def _piece(name: PieceId, kind: str, outline: Polygon) -> Piece:
    word = kind.replace("-", "_")
    height = MORE_PIECES.inches("sizes", word, "height_in") if MORE_PIECES.has("sizes", word, "height_in") else 0
    label = name.replace("-", " ").capitalize()
    built = "building" in kind or "bunker" in kind
    return Piece(name, kind, outline, height, traits={"entrances": doors(outline)} if built else {}, label=label)


def doors(outline: Polygon) -> str:
    """The entrances of a building: at the middle of every side, as a piece's traits keep them."""
    west, north, east, south = box_of(outline)
    middle = Point((west + east) // 2, (north + south) // 2)
    points = (Point(middle.x, north), Point(east, middle.y), Point(middle.x, south), Point(west, middle.y))
    return " ".join(f"{x},{y}" for x, y in points)


def lay_scenery(battle: Battle, step: LayScenery) -> Procedure[None]:
    """Lay the standard set of scenery as one die says."""
    yield from ()
    ground, named = battle.table.ground, mission(battle.table)
    source = SeededDice(f"table {battle.dice.number(TABLES)}")
    for piece in standard_scenery(source, ground.width, ground.height, named):
        cause = named if named is not None and piece.id in [one.id for one in sites(named)] else STANDARD
        battle.happens(Placed(piece.id, Off(), piece=piece, rule=cause.id, detail=citing(STANDARD, TABLE)))
        lay(battle, piece)


# Objectives --------------------------------------------------------------------------------------------------------


def lay_objectives(battle: Battle, step: LayObjectives) -> Procedure[None]:
    """Place the Objectives of a scenario in its Garrisons."""
    yield from ()
    named = mission(battle.table)
    if named is None:
        return
    for n, piece in enumerate(objective_garrisons(battle.table, named), 1):
        marks = {}
        if named.has("objectives"):
            marks = {word: Mark() for word in named.texts("objectives", "kind") if word in (HIDDEN, MOBILE)}
        label = f"Objective {n}"
        made = Thing(
            ThingId(f"objective-{n}"), kind="marker", label=label, card=OBJECTIVE, place=In(piece), states=marks
        )
        battle.happens(Placed(made.id, In(piece), made=made, rule=PLACING.id, detail=citing(named)))


def objective_garrisons(table: Table, named: Rule) -> list[str]:
    """The Garrisons of a scenario that hold an Objective."""
    if named.id == BLOCKS.id:
        return blocks(table.ground, str(table.options.get(GAME, "skirmish")))
    if not named.has("objectives") and not named.has("scoring", "objective_each"):
        return []
    there = [one.id for one in table.ground.pieces]
    return [one.id for one in sites(named) if one.id in there]


def blocks(ground: Ground, game: str) -> list[str]:
    """The Garrisons that are swept: buildings and bunkers first, then forests, as many as the size of game allows."""
    houses = [one for one in ground.pieces if has_property(one, "garrison")]
    ranked = sorted(houses, key=lambda one: "forest" in one.kind)
    least, most = BLOCKS.numbers("garrison_count", game)
    built = sum("forest" not in one.kind for one in houses)
    count = built if built >= least else min(len(ranked), most)
    return [one.id for one in ranked[: min(count, most)]]


def _asked(table: Table, asked: Data) -> object:
    """How many pieces of a kind lie on the table, where one of them lies, or where it is entered, in inches."""
    if asked.has("count"):
        return [piece.kind for piece in table.ground.pieces].count(asked.text_at("count"))
    if asked.has("entrances"):
        return str(table.ground.piece(asked.text_at("entrances")).traits.get("entrances", ""))
    west, north, east, south = box_of(table.ground.piece(asked.text_at("corners")).outline)
    return tuple(f"{part / 1000:g}" for part in (west, north, east, south))


def _scenery(table: Table, asked: Data) -> object:
    """What the ledger says of a kind of scenery: Armour and Damage Points, its size in inches, its properties."""
    kind = asked.text_at()
    data, height = scenery_data(kind), kinds()[kind].height
    stats = f"Armour {data.number('armour')}, DP {data.number('damage_points')}" if data.has("armour") else "no Armour"
    size = "" if kind in (RUBBLE, WRECK) else " by ".join(inches(one, "") for one in size_of(kind)) + ", "
    return (stats, f"{size}{inches(height, '')} high", *properties(Piece(PieceId(""), kind, rectangle(0, 0, 1, 1))))


def _ready(table: Table, asked: Data) -> object:
    """How large the table of a battle ready to play is, in inches, and how many rounds it has."""
    found = find_scenario(asked.text_at(), ledger("dropzone")).value
    return f"{found.board.width // UNIT} by {found.board.height // UNIT}, {found.turn_limit} rounds"


CHAPTER = Chapter(
    steps={LayScenery: lay_scenery, LayObjectives: lay_objectives},
    values={
        "terrain": _asked,
        "objectives": lambda table, asked: len(objectives(table)),
        "ready-battle": _ready,
        "scenery": _scenery,
    },
)
