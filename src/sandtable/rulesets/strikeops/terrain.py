"""Terrain: its kinds, what each costs every move class, and how high things are."""

from functools import lru_cache

from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Ground, Piece, Thing
from sandtable.field.ground import depth_of, pieces_at
from sandtable.field.walking.cost import LEADING_EDGE
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.cav.movement import HILL, RUBBLE, STRUCTURE, WATER, WRECK, GroundRules, Turning
from sandtable.rulesets.strikeops.datacard import has, is_cav, stats
from sandtable.rulesets.strikeops.states import is_down
from sandtable.tabletop.chapters import Chapter

BORDERS = rule("strikeops.terrain.clear-boundaries")
TYPES = rule("strikeops.terrain.types")
ROAD = rule("strikeops.terrain.road")
ROAD_BONUS = rule("strikeops.terrain.road-bonus")
DEPTH = rule("strikeops.terrain.water-depth")
LEVELS = rule("strikeops.terrain.elevation-levels")
ONE_LEVEL = rule("strikeops.terrain.one-level-per-inch")
CLIMBING = rule("strikeops.terrain.climbing-cost")
HEIGHTS = rule("strikeops.terrain.model-heights")
NO_LEVEL = rule("strikeops.terrain.trees-have-no-level")
OTHER_LEVELS = rule("strikeops.terrain.other-levels")
HILLS = rule("strikeops.terrain.hills")
OBSTRUCTIONS = rule("strikeops.terrain.obstructions")
ADD_UP = rule("strikeops.terrain.levels-add-up")
CLASSES = rule("strikeops.terrain.move-classes")
PAYING = rule("strikeops.terrain.paying-for-terrain")
COSTS = rule("strikeops.terrain.cost-table")
FORBIDDEN = rule("strikeops.terrain.forbidden-terrain")
COMBINED = rule("strikeops.terrain.combined-terrain")
WRECKS = rule("strikeops.damage.wrecks")
FREE_TURN = rule("strikeops.movement.facing-change")
EXTRA_TURN = rule("strikeops.movement.extra-facing-changes")
MOVE = rule("strikeops.movement.move-action")
BACKWARDS = rule("strikeops.movement.moving-backwards")
MINIMUM = rule("strikeops.movement.minimum-move")
STACKING = rule("strikeops.movement.no-stacking")
SUPPRESSED = rule("strikeops.states.suppressed-movement")

SUPERIOR_MOBILITY = rule("strikeops.attributes.superior-mobility")
AMPHIBIOUS_MOVEMENT = rule("strikeops.attributes.amphibious-movement")

NEVER = "NA"
#: The attributes that change what terrain costs.
SUPERIOR, AMPHIBIOUS = "superior_mobility", "amphibious"
ROAD_KIND, OBSTRUCTION, SMOKE = "road", "obstruction", "smoke"
#: The classes that wade, and the depth that stands for all that is deeper.
WADING = ("walker", "quad")
DEEPEST = len(DEPTH.names()) - 1
#: The rule of each kind of terrain; a wreck is rubble to whoever walks over it. Structures are still to come.
KIND_RULES: dict[str, Rule] = {
    "open": TYPES,
    ROAD_KIND: ROAD,
    "rough": TYPES,
    RUBBLE: TYPES,
    "light-woods": TYPES,
    "heavy-woods": TYPES,
    "swamp": TYPES,
    WATER: DEPTH,
    OBSTRUCTION: OBSTRUCTIONS,
    WRECK: WRECKS,
    HILL: HILLS,
    SMOKE: rule("strikeops.sight.smoke"),
    STRUCTURE: FORBIDDEN,
}
#: How high rubble and wrecks rise (strikeops.terrain.other-levels).
RUBBLE_LEVEL = int(TYPES.text_at(RUBBLE, "elevation").removeprefix("E"))
KINDS: dict[str, TerrainKind] = {
    **{kind: TerrainKind() for kind in KIND_RULES if kind not in ("open", STRUCTURE)},
    RUBBLE: TerrainKind(height=RUBBLE_LEVEL),
    WRECK: TerrainKind(height=RUBBLE_LEVEL),
    OBSTRUCTION: TerrainKind(height=OBSTRUCTIONS.number("least_levels")),
    HILL: TerrainKind(contoured=True),
}


@lru_cache(maxsize=512)
def _cost(move_class: str, kind: str, depth: int = 0) -> int | None:
    """MV an inch for a move class, with what attributes change of it, or none where it may not go (NA).

    strikeops.attributes.superior-mobility      rough and light woods as open ground
    strikeops.attributes.amphibious-movement    water of any depth, unless the table is cheaper
    """
    move_class, *gifts = move_class.split()
    if kind == OBSTRUCTION:
        return None
    if SUPERIOR in gifts and kind.replace("-", "_") in SUPERIOR_MOBILITY.texts("ignores"):
        return SUPERIOR_MOBILITY.number("mv_per_inch")
    if AMPHIBIOUS in gifts and kind == WATER and depth:
        swims, wades = AMPHIBIOUS_MOVEMENT.number("water_mv_per_inch"), _cost(move_class, kind, depth)
        return swims if wades is None else min(swims, wades)
    if kind in (HILL, SMOKE) or (kind == WATER and depth == 0):
        kind = "open"
    if kind == ROAD_KIND:
        return COSTS.number(move_class, "road", "cost")
    row = f"water_d{min(depth, DEEPEST)}" if kind == WATER else (RUBBLE if kind == WRECK else kind).replace("-", "_")
    cost = COSTS.scalar(move_class, row)
    return None if cost == NEVER else int(str(cost))


def terrain_cost(move_class: str, piece: Piece) -> int | None:
    """What an inch in a piece costs a move class by itself; none where it may not go."""
    return _cost(move_class, piece.kind, depth_of(piece) if piece.kind == WATER else 0)


for _class in CLASSES.texts("classes"):
    _bonus = ROAD_BONUS.number("bonus_mv") if _class in ROAD_BONUS.texts("classes") else 0
    same_number(f"the road bonus of {_class}", COSTS.number(_class, "road", "bonus_mv"), _bonus)
    same_number(f"what a road costs {_class}", COSTS.number(_class, "road", "cost"), ROAD.number("mv_per_inch"))
    if _class != "air":
        same_number(f"climbing of {_class}", int(COSTS.text_at(_class, "elevation_e1")), CLIMBING.number("up"))
    same_number(f"open ground of {_class}", COSTS.number(_class, "open"), MOVE.number("mv_per_inch_open"))

_IGNORED = tuple(one.replace("_", "-") for one in SUPERIOR_MOBILITY.texts("ignores"))

#: What moving over ground is like.
#: strikeops.terrain.paying-for-terrain    the leading edge of the base pays, inch by inch
#: strikeops.terrain.combined-terrain      the highest cost, +1 for each further type
#: strikeops.terrain.road                  a whole Move Action along a road pays the road alone, with 1 MV more
#: strikeops.movement.minimum-move         one inch forward a Move Action, whatever it costs
GROUND = GroundRules(
    part=LEADING_EDGE,
    turning=Turning(
        FREE_TURN,
        EXTRA_TURN,
        FREE_TURN.number("free_per_move_action"),
        FREE_TURN.number("max_degrees"),
        EXTRA_TURN.number("mv"),
    ),
    cost=terrain_cost,
    open_cost=lambda move_class: COSTS.number(move_class.split()[0], "open"),
    road_cost=lambda move_class: COSTS.number(move_class.split()[0], "road", "cost"),
    kinds=KIND_RULES,
    road_kind=ROAD_KIND,
    no_effect=lambda move_class: (HILL, ROAD_KIND, SMOKE, *(_IGNORED if SUPERIOR in move_class.split() else ())),
    barring=lambda piece: OBSTRUCTIONS if piece.kind == OBSTRUCTION else FORBIDDEN,
    bridged=lambda piece: piece.kind != OBSTRUCTION,
    open=TYPES,
    road=ROAD,
    road_in_combined=ROAD,
    road_bonus=lambda move_class: COSTS.number(move_class.split()[0], "road", "bonus_mv"),
    bonus=ROAD_BONUS,
    combined=COMBINED,
    each_more=COMBINED.number("mv_per_further_type"),
    hills=CLIMBING,
    climb=lambda move_class: 0 if SUPERIOR in move_class.split() else CLIMBING.number("up"),
    descend=CLIMBING.number("down"),
    steepest=UNIT // ONE_LEVEL.number("levels_per_inch"),
    slope=ONE_LEVEL,
    also={FORBIDDEN.id: (COSTS.id,), ONE_LEVEL.id: (OBSTRUCTIONS.id,)},
    backwards=BACKWARDS,
    backward={kind: BACKWARDS.number("extra_mv_per_inch", kind) for kind in ("open", "road")},
    backward_else=BACKWARDS.number("extra_mv_per_inch", "other"),
    minimum=MINIMUM,
    per_inch=PAYING,
    move=MOVE,
    immobile=MOVE,
    stacking=STACKING,
    suppressed=SUPPRESSED,
)
same_number("how wide a turn is", FREE_TURN.number("max_degrees"), EXTRA_TURN.number("max_degrees"))
same_number("what is paid for at once", PAYING.inches("unit_inches"), MINIMUM.inches("inches"), UNIT)
same_number("the inches that a Move Action always buys", MINIMUM.number("per_move_action"), 1)
same_number("what slows nobody costs", SUPERIOR_MOBILITY.number("mv_per_inch"), MOVE.number("mv_per_inch_open"))


def height(model: Thing) -> int:
    """How many levels high a model is as it stands or lies (strikeops.terrain.model-heights)."""
    if is_cav(model):
        return HEIGHTS.number("prone_cav" if is_down(model) else "standing_cav")
    return HEIGHTS.number(stats(model).model_type)


def swims(ground: Ground, model: Thing, at: Point) -> bool:
    """Whether an amphibious model is in water at least as deep as it is high: it floats, or dives.

    strikeops.attributes.amphibious-underwater-weapons
    """
    deep = max((depth_of(piece) for piece in pieces_at(ground, at) if piece.kind == WATER), default=0)
    return has(model, AMPHIBIOUS) and deep >= height(model)


def sunk(ground: Ground, model: Thing, at: Point) -> int:
    """How many levels lower a model stands that wades: hover and grav models float (strikeops.terrain.water-depth)."""
    if stats(model).move_class not in WADING or swims(ground, model, at):
        return 0
    return max((min(depth_of(piece), DEEPEST) for piece in pieces_at(ground, at) if piece.kind == WATER), default=0)


#: The rules that a kind of terrain brings into play by lying there, beside that of the kind.
LIES_BY: dict[str, tuple[Rule, ...]] = {
    HILL: (HILLS, LEVELS, ADD_UP),
    RUBBLE: (TYPES, OTHER_LEVELS),
    "light-woods": (TYPES, NO_LEVEL),
    "heavy-woods": (TYPES, NO_LEVEL),
    ROAD_KIND: (ROAD, ROAD_BONUS),
}


CHAPTER = Chapter(terrain=KINDS)
