"""Setting up: the board, starting edges and deployment zones, and squads placed in the order of the deck."""

from collections.abc import Sequence

from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Point, Region, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import Edge
from sandtable.field.ground import box_of, pieces_under
from sandtable.field.measure import covers, outline_of, overlap
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.cav.movement import called
from sandtable.rulesets.cav.setup import StartingEdges
from sandtable.rulesets.strikeops.datacard import gait
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import StateName, Until
from sandtable.rulesets.strikeops.terrain import BORDERS, GROUND
from sandtable.tabletop.chapters import Chapter

ORDER = rule("strikeops.setup.order")
FORCES = rule("strikeops.setup.declare-forces")
BOARD = rule("strikeops.setup.board-size")
ZONES = rule("strikeops.setup.deployment-zones")
CHOOSING = rule("strikeops.setup.choosing-edges")
TERRAIN = rule("strikeops.setup.terrain-free")
STANDARD = rule("strikeops.initiative.deployment-standard")
BASES = rule("strikeops.concepts.model-base")
MODEL = rule("strikeops.concepts.model")
FACING = rule("strikeops.concepts.model-facing")
FORCE_GROUP = rule("strikeops.concepts.force-group")

#: The higher roller chooses; zones are six inches deep.
EDGES = StartingEdges(
    rule=CHOOSING,
    zone_rule=ZONES,
    dice=DICE.standard,
    citing=DICE.plain,
    depth=ZONES.inches("depth_inches"),
    state=StateName.EDGE,
    until=Until.GAME,
)


def refused_spot(table: Table, model: Thing, spot: Spot, others: dict[str, Spot], area: Region) -> Refusal | None:
    """Why a model may not be placed there: its whole base in the zone, on terrain it may enter, on nobody.

    strikeops.initiative.deployment-standard    anywhere completely within the zone
    """
    if not isinstance(spot.where, At) or spot.where.level:
        return Refusal(STANDARD.id, "Place it on the board.")
    shape = outline_of(base_of(model), spot.where.point, spot.facing)
    if not covers(area.inside[0], shape) or any(overlap(one, shape) for one in area.outside):
        where = "in your Deployment Zone" if area.rule == ZONES.id else f"within {area.label}"
        return Refusal(area.rule, f"The whole base of {model.label} must lie {where}.")
    for piece in pieces_under(table.ground, shape):
        if GROUND.forbids(gait(model), piece, on_road=False):
            return Refusal(STANDARD.id, f"{model.label} may not stand in {called(piece)}.")
    standing = [(one.label, outline(one)) for one in table.models()]
    standing += [
        (table[name].label, outline_of(base_of(table[name]), other.where.point, other.facing))
        for name, other in others.items()
        if name != model.id and isinstance(other.where, At)
    ]
    for label, there in standing:
        if overlap(shape, there):
            return Refusal(STANDARD.id, f"That overlaps the base of {label}.")
    return None


#: How far from each other places are tried that are proposed.
_APART = 2 * UNIT


def proposed(table: Table, models: Sequence[Thing], area: Region) -> dict[str, Spot] | None:
    """Places for the models of a squad, side by side in the middle of where they may stand; none without room."""
    west, north, east, south = box_of(area.inside[0])
    middle = Point((west + east) // 2, (north + south) // 2)
    points = [Point(x, y) for x in range(west + UNIT, east, _APART) for y in range(north + UNIT, south, _APART)]
    points.sort(key=lambda one: (length_between(one, middle), one))
    found: dict[str, Spot] = {}
    for model in models:
        facing = EDGES.home(table, model.side).inwards
        spots = (Spot(At(point), facing) for point in points)
        spot = next((one for one in spots if refused_spot(table, model, one, found, area) is None), None)
        if spot is None:
            return None
        found[model.id] = spot
    return found


#: What lies on the board has a border that all can see (strikeops.terrain.clear-boundaries).
LAID_BY = (TERRAIN, BORDERS)


def is_small(width: int, height: int) -> bool:
    """Whether a board is smaller than the default, so that values may be halved (strikeops.setup.small-board)."""
    least, most = sorted(BOARD.inches("default_inches", side) for side in ("width", "length"))
    return min(width, height) < least or max(width, height) < most


def refused_edge(view: View, question: AnyQuestion, answer: str) -> Refusal | None:
    """Why an edge is no starting edge: the two short ends are, opposite each other (strikeops.setup.board-size)."""
    if answer not in tuple(Edge):
        return None
    return Refusal(BOARD.id, f"The {answer} edge is no short end of this board.", (ZONES.id, CHOOSING.id))


CHAPTER = Chapter(
    unoffered={"edge": refused_edge},
    states={
        StateName.EDGE: "of a side: its starting edge",
        StateName.SMALL_BOARD: "of a model: its MV and ranges are halved",
    },
    values={"may-be-halved": lambda table, asked: "yes" if is_small(asked.length(0), asked.length(1)) else "no"},
)
