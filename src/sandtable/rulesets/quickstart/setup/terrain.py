"""Terrain by the rules: who places how many features, of which kind, how large and where (chapter setup)."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Point, Shape, Spot, rectangle
from sandtable.engine.table import Ground, Part, Piece, Table
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import covers, overlap
from sandtable.field.random_terrain import Source, blob, buildings, hill, moved, way_through, winding
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.cav.setup import edge_pair
from sandtable.rulesets.quickstart.datacard import catalogue
from sandtable.rulesets.quickstart.movement.moves import ELEVATION, KIND_RULES, ROAD_KIND, STRUCTURES, terrain_cost
from sandtable.rulesets.quickstart.setup.board import zone

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

#: How many outlines there are of each kind; a die of so many sides says which one a feature has.
OUTLINES = 10_000


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


def feature(source: Source, name: str, kind: str, level: int) -> Piece:
    """A feature around the origin; its outline is drawn by dice of its own (quickstart.setup.terrain-feature-size)."""
    least, most = SIZE.inches("minimum_across_in"), SIZE.inches("maximum_across_in")
    traits: dict[str, int | str] = {"look": LOOKS[kind]} if kind in LOOKS else {}
    if kind == "hill":
        contours = hill(source, least, most, level, APART)
        return Piece(name, kind, contours[0].outline, height=contours[-1].level, contours=contours)
    if kind == "structure":
        fewest, many = SIZE.numbers("buildings_per_structure_result")
        count = fewest + source.number(many - fewest + 1)
        houses = buildings(source, count, least, most, SIZE.inches("building_side_minimum_in"), UNIT)
        return Piece(name, kind, houses[0], height=level, parts=_as_parts(houses))
    if kind == ROAD_KIND:
        ends = Point(-most, 0), Point(most, 0)
        return Piece(name, kind, winding(source, *ends, SIZE.inches("road_width_in"), 2, 2 * UNIT), traits=traits)
    outline = blob(source, least, most)
    if kind == "water":
        return Piece(name, kind, outline, traits={"depth": level})
    return Piece(name, kind, outline, height=level, traits=traits)


def _as_parts(houses: Sequence[Shape]) -> tuple[Part, ...]:
    return tuple(Part(str(n), house) for n, house in enumerate(houses, 1))


def shapes_of(piece: Piece) -> list[Shape]:
    """The outlines of a feature: a group of buildings has several."""
    return [part.outline for part in piece.parts if part.outline is not None] or [piece.outline]


# Where it may lie ------------------------------------------------------------------------------------------------


def _middle(ground: Ground) -> Shape:
    """The board without its two deployment zones."""
    first, second = (box_of(zone(ground, edge)) for edge in edge_pair(ground))
    if edge_pair(ground)[0] == "north":
        return rectangle(0, first[3], ground.width, second[1] - first[3])
    return rectangle(first[2], 0, second[0] - first[2], ground.height)


def room_for(ground: Ground, kind: str) -> Shape:
    """Where a kind may lie: a road also runs through the zones (quickstart.setup.terrain-feature-size)."""
    return rectangle(0, 0, ground.width, ground.height) if kind == ROAD_KIND else _middle(ground)


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
    placed = Piece("", kind, there[0], traits={"depth": level})
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


def find_place(table: Table, source: Source, kind: str, shapes: Sequence[Shape], level: int) -> Point | None:
    """Some lawful place for a feature: a few throws of the dice, then a search over the board; or none."""
    ground = table.ground
    west, north, east, south = box_of(_middle(ground))
    for _ in range(12):
        at = Point(west + source.number(east - west), north + source.number(south - north))
        if refused_feature(ground, kind, shapes, at, level) is None:
            return at
    for y in range(north, south, 2 * UNIT):
        for x in range(west, east, 2 * UNIT):
            if refused_feature(ground, kind, shapes, Point(x, y), level) is None:
                return Point(x, y)
    return None


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


def judge_feature(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    spot = answer[question.things[0]]
    if not isinstance(spot.where, At):
        return Refusal(question.rules[0], "Choose a point on the board.")
    shapes, level = question.outlines["feature"], question.facts["level"]
    return refused_feature(view.table.ground, question.about[0], shapes, spot.where.point, level)
