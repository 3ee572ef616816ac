"""Terrain by the rules: who places how many features, of which kind, how large and where (chapter setup)."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.ids import PieceId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Point, Shape, rectangle
from sandtable.engine.table import Ground, Piece
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import covers, overlap
from sandtable.field.random_terrain import moved, way_through
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.cav.setup import edge_pair
from sandtable.rulesets.quickstart.datacard import catalogue
from sandtable.rulesets.quickstart.movement.moves import ELEVATION, KIND_RULES, ROAD_KIND, STRUCTURES, terrain_cost
from sandtable.rulesets.quickstart.setup.board import EDGES, zone
from sandtable.tabletop.features import Features

FEATURES = rule("quickstart.setup.terrain-features")
COUNT = rule("quickstart.setup.terrain-count-roll")
TYPE = rule("quickstart.setup.terrain-type-roll")
ORDER = rule("quickstart.setup.terrain-placement-order")
SIZE = rule("quickstart.setup.terrain-feature-size")
SPECIAL = rule("quickstart.setup.terrain-special")
CHOICE_RULES = {
    "special": SPECIAL,
    "water": rule("quickstart.setup.terrain-water"),
    "heavy_woods": rule("quickstart.setup.terrain-heavy-woods"),
    "light_woods": rule("quickstart.setup.terrain-light-woods"),
    "hill": rule("quickstart.setup.terrain-hill"),
    "rough_or_rubble": rule("quickstart.setup.terrain-rough-or-rubble"),
    "structure": rule("quickstart.setup.terrain-structure"),
}

#: What the ruleset says of each kind of terrain, for scenario files.
KINDS: dict[str, TerrainKind] = {
    "hill": TerrainKind(contoured=True),
    **{
        kind: TerrainKind(height=KIND_RULES[kind].number("elevation"))
        for kind in ("light-woods", "heavy-woods", "rough-broken", "rubble", "swamp-marsh", "road-paved")
    },
    "water": TerrainKind(),
    "structure": TerrainKind(),
    "obstruction": TerrainKind(),
    "wreck": TerrainKind(),
}
#: How the drawing knows kinds whose name it does not.
LOOKS = {"rough-broken": "rough", "swamp-marsh": "marsh", "road-paved": "road"}


def _stated(source: Rule, what: str) -> range:
    least, most = source.numbers(what)
    return range(least, most + 1)


#: Whole levels that the placing side may state, by kind.
LEVELS: dict[str, range] = {
    "hill": _stated(CHOICE_RULES["hill"], "levels"),
    "structure": _stated(CHOICE_RULES["structure"], "levels"),
    "obstruction": _stated(SPECIAL, "obstruction_levels"),
    "water": _stated(CHOICE_RULES["water"], "depths"),
}
APART = CHOICE_RULES["hill"].inches("contours_apart_in")
same_number("how far contours lie apart", APART, UNIT // ELEVATION.number("max_levels_per_inch"))
same_number("how wide a feature is", FEATURES.number("minimum_diameter_in"), SIZE.number("minimum_across_in"))


def terrain_type(roll: int) -> str:
    """What a roll on the Terrain Selection Table lets a side place."""
    return TYPE.text_at("results", roll)


def kinds_for(result: str) -> list[str]:
    """The kinds of terrain that a result lets its owner place.

    quickstart.setup.terrain-special            everything on the table, and swamp, road and obstruction besides
    quickstart.setup.terrain-rough-or-rubble    either of the two
    """
    if result == "special":
        return [kind for kind in KINDS if kind != "wreck"]
    return ["rough-broken", "rubble"] if result == "rough_or_rubble" else [result.replace("_", "-")]


# Where it may lie ------------------------------------------------------------------------------------------------


def room_for(ground: Ground, kind: str) -> Shape:
    """Where a kind may lie: a road also runs through the zones (quickstart.setup.terrain-feature-size)."""
    return rectangle(0, 0, ground.width, ground.height) if kind == ROAD_KIND else EDGES.middle(ground)


def refused_feature(ground: Ground, kind: str, shapes: Sequence[Shape], at: Point, level: int = 0) -> Refusal | None:
    """Why a feature may not lie there.

    quickstart.setup.terrain-placement-order    on the board, outside the zones, sharing only what may be shared, and
                                                never closing the last way from zone to zone
    """
    there = [moved(shape, at.x, at.y) for shape in shapes]
    room = room_for(ground, kind)
    if not all(covers(room, shape) for shape in there):
        return Refusal(ORDER.id, "A feature lies wholly on the board and outside both deployment zones.")
    may_share = ORDER.texts("may_share_an_area", kind.replace("-", "_"))
    boxes = [box_of(shape) for shape in there]
    for piece in ground.pieces:
        if piece.kind == kind or piece.kind.replace("-", "_") in may_share:
            continue
        around = box_of(piece.outline)
        for shape, box in zip(there, boxes, strict=True):
            if boxes_meet(box, around) and overlap(shape, piece.outline):
                return Refusal(
                    ORDER.id, f"{kind.replace('-', ' ')} may not share an area with {piece.kind.replace('-', ' ')}."
                )
    placed = Piece(PieceId(""), kind, there[0], traits={"depth": level})
    if terrain_cost(placed) is None and not _still_open(ground, there):
        return Refusal(ORDER.id, "That would close the last way from one deployment zone to the other.")
    return None


def _still_open(ground: Ground, blocked: Sequence[Shape]) -> bool:
    """Whether a base can still get from one zone to the other: looked at roughly first, and finely where that fails."""
    base = next(iter(catalogue())).base
    first, second = (zone(ground, edge) for edge in edge_pair(ground))
    return any(
        way_through(ground, base, first, second, lambda piece: terrain_cost(piece) is not None, pitch, blocked)
        for pitch in (2 * UNIT, UNIT // 2)
    )


def dressed(piece: Piece) -> Piece:
    """A piece of a scenario file as the rules have it.

    quickstart.movement.structures    a structure too low for a CAV is not enterable, whatever the file says

    It also gets the look that the drawing knows it by.
    """
    if piece.traits.get("enterable") and piece.height < STRUCTURES.number("enterable_from_levels"):
        return replace(piece, traits={name: one for name, one in piece.traits.items() if name != "enterable"})
    look = LOOKS.get(piece.kind)
    if look is None or "look" in piece.traits:
        return piece
    return replace(piece, traits={**piece.traits, "look": look})


#: The features of this edition: six to twelve inches across, one to four buildings, roads two inches wide.
BY_RULE = Features(
    placing=ORDER,
    outline=FEATURES,
    size=SIZE,
    choices=CHOICE_RULES,
    otherwise=SPECIAL,
    heights={kind: form.height for kind, form in KINDS.items()},
    levels=LEVELS,
    room=room_for,
    refused=refused_feature,
    least=SIZE.inches("minimum_across_in"),
    most=SIZE.inches("maximum_across_in"),
    drawn=(SIZE.inches("minimum_across_in"), SIZE.inches("maximum_across_in")),
    apart=APART,
    looks=LOOKS,
    road=ROAD_KIND,
    road_width=SIZE.inches("road_width_in"),
    houses=_stated(SIZE, "buildings_per_structure_result"),
    house_side=SIZE.inches("building_side_minimum_in"),
)
