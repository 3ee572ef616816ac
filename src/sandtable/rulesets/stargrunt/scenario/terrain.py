"""A table laid by the dice: the standard set of terrain, and the choice of baselines (chapter scenario)."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Placed
from sandtable.engine.ids import PieceId, Side
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Off, Polygon, Shape, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Contour, Ground, Piece, Table
from sandtable.field.measure import gap_floor, overlap
from sandtable.field.random_terrain import Source, moved, place
from sandtable.forces.data import Data
from sandtable.forces.ledger import citing, rule
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.cover.protection import BLOCKERS
from sandtable.rulesets.stargrunt.moments import OPENS
from sandtable.rulesets.stargrunt.scenario.objectives import TABLE, dressed
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

STANDARD = rule("stargrunt.scenario.standard-terrain")

#: What the pieces of the standard set are called elsewhere.
CALLED = {"rough_rocks": "rocks"}
#: How many tables there are; a die of so many sides says which one is laid.
TABLES = 10_000
SPACING, FROM_BASELINE = STANDARD.inches("spacing_in"), STANDARD.inches("baseline_gap_in")


class LayTerrain(Step, frozen=True):
    """The standard set of terrain is laid at random."""


class ChooseBaseline(Step, frozen=True):
    """The player who has not laid out the table chooses a baseline."""

    side: Side


def kinds() -> dict[str, tuple[int, int, int]]:
    """The kinds of the standard set by our words: how many, how long and how wide; the largest pieces first."""
    rows = [name for name in STANDARD.names("pieces") if STANDARD.has("pieces", name, "size_in")]
    found = {}
    for name in rows:
        length, width = (STANDARD.inches("pieces", name, "size_in", n) for n in (0, 1))
        found[CALLED.get(name, name).replace("_", "-")] = (STANDARD.number("pieces", name, "count"), length, width)
    return dict(sorted(found.items(), key=lambda row: (-row[1][1] * row[1][2], row[0])))


def standard_terrain(source: Source, width: int, depth: int) -> list[Piece]:
    """The pieces of the standard set on a table, and one road through the middle from short edge to short edge.

    stargrunt.scenario.standard-terrain    square to the table, an inch apart, none near a baseline or on the road
    """
    broad = STANDARD.inches("pieces", "road", "width_in")
    roads = [
        Piece(PieceId(f"road-{n}"), "road", rectangle(0, (depth - broad) // 2, width, broad), label="The Road")
        for n in range(1, STANDARD.number("pieces", "road", "count") + 1)
    ]
    region = rectangle(0, FROM_BASELINE, width, depth - 2 * FROM_BASELINE)
    laid: list[Piece] = []
    for kind, (count, length, across) in kinds().items():
        for n in range(1, count + 1):
            sides = (length, across) if source.number(2) else (across, length)
            shape = rectangle(0, 0, *sides)
            found = _room(source, shape, region, laid, roads)
            if found is not None:
                laid.append(_piece(PieceId(f"{kind}-{n}"), kind, found))
    return [*roads, *laid]


def _room(
    source: Source, shape: Polygon, region: Polygon, laid: Sequence[Piece], roads: Sequence[Piece]
) -> Polygon | None:
    """A place for a piece, by chance; where chance finds none, the first there is on a grid of inches."""

    def allowed(shapes: Sequence[Shape]) -> bool:
        apart = all(gap_floor(shapes[0], piece.outline) >= SPACING for piece in laid)
        return apart and not any(overlap(shapes[0], road.outline) for road in roads)

    by = place(source, [shape], region, allowed, tries=300)
    if by is None:
        grid = [(x, y) for y in range(0, region.points[2].y, UNIT) for x in range(0, region.points[2].x, UNIT)]
        room = [at for at in grid if _inside(moved(shape, *at), region) and allowed([moved(shape, *at)])]
        by = room[0] if room else None
    there = None if by is None else moved(shape, *by)
    assert there is None or isinstance(there, Polygon)
    return there


def _inside(shape: Shape, region: Polygon) -> bool:
    assert isinstance(shape, Polygon)
    (low, _, high, _), (first, _, last, _) = region.points, shape.points
    return low.x <= first.x and low.y <= first.y and last.x <= high.x and last.y <= high.y


def _piece(name: PieceId, kind: str, shape: Polygon) -> Piece:
    label = name.replace("-", " ").capitalize()
    if kind == "hill":
        return Piece(name, kind, shape, 1, (Contour(1, shape),), label=label)
    traits: dict[str, int | str] = {}
    if STANDARD.has("pieces", kind, "armour_class"):
        traits["armour_class"] = STANDARD.text_at("pieces", kind, "armour_class")
    return Piece(name, kind, shape, 1 if kind in BLOCKERS else 0, traits=traits, label=label)


def lay_terrain(battle: Battle, step: LayTerrain) -> Procedure[None]:
    """Lay the standard set of terrain as one die says."""
    yield from ()
    ground = battle.table.ground
    source = SeededDice(f"table {battle.dice.number(TABLES)}")
    for piece in standard_terrain(source, ground.width, ground.height):
        battle.happens(Placed(piece.id, Off(), piece=dressed(piece), rule=STANDARD.id, detail=citing(TABLE)))


def choose_baseline(battle: Battle, step: ChooseBaseline) -> Procedure[None]:
    """One player has laid out the terrain, the other chooses the baseline (…scenario.table-and-baselines)."""
    other = next(side for side in battle.table.sides if side != step.side)
    chosen = yield ChooseOne(
        step.side,
        "Which edge is your baseline?",
        topic="baseline",
        options=(Option("north", "The northern edge"), Option("south", "The southern edge")),
        rules=(TABLE.id,),
        default="north",
    )
    theirs = "south" if chosen == "north" else "north"
    for side, edge in ((step.side, chosen), (other, theirs)):
        give(battle, side, StateName.BASELINE, TABLE, edge)


def opens(table: Table, form: Scenario) -> Sequence[Step]:
    """A table whose terrain is random is laid first, and the second side chooses its baseline."""
    if form.board.terrain != "random":
        return ()
    return (LayTerrain(), ChooseBaseline(table.sides[1]))


def _asked(table: Table, asked: Data) -> object:
    """How many pieces of a kind lie on the table, or where one of them lies, in inches."""
    ground: Ground = table.ground
    if asked.has("count"):
        return sum(piece.kind == asked.text_at("count") for piece in ground.pieces)
    outline = ground.piece(asked.text_at("corners")).outline
    assert isinstance(outline, Polygon)
    return tuple(f"{part / UNIT:g}" for at in (outline.points[0], outline.points[2]) for part in at)


CHAPTER = Chapter(
    steps={LayTerrain: lay_terrain, ChooseBaseline: choose_baseline},
    answers={"baseline": "the edge a side chooses as its baseline, north or south"},
    values={
        "terrain": _asked,
        "standard-table": lambda table, asked: (TABLE.inches("width_in"), TABLE.inches("depth_in")),
    },
    at=(OPENS(opens),),
)
