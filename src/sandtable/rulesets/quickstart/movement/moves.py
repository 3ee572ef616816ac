"""Movement: Move Actions paid inch by inch, facing changes, terrain, hills, contact, and leaving the board."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Base, Leg, Shape, Via, Walk
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import depth_of, on_way, pieces_under
from sandtable.field.identity import Same
from sandtable.field.measure import CONTACT, gap, outline_of, overlap
from sandtable.field.walking.cost import WHOLE_BASE
from sandtable.field.walking.encounters import comes_closer, keeps_clear, meetings, over_edge, surely_passed
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.cav.concepts import base_of, center, outline, pose, surely_apart
from sandtable.rulesets.cav.movement import (
    Going,
    GroundRules,
    Rates,
    Turning,
    called,
    cut_short,
    held_up,
    on_its_level,
    over_ground,
)
from sandtable.rulesets.quickstart.concepts import ACTING_IN_CONTACT, CLEAR, DECLARE_CONTACT, SCALE
from sandtable.rulesets.quickstart.datacard import is_cav, is_infantry, movement
from sandtable.rulesets.quickstart.state_names import StateName

MOVE = rule("quickstart.movement.move-action")
FACING = rule("quickstart.movement.facing")
FREE_TURN = rule("quickstart.movement.free-facing-change")
EXTRA_TURN = rule("quickstart.movement.extra-facing-change")
MEASURING = rule("quickstart.movement.measuring-movement")
PARTIAL = rule("quickstart.movement.partial-move")
STACKING = rule("quickstart.movement.stacking")
WITHOUT_BASE = rule("quickstart.movement.model-without-base")
ON_CONTACT = rule("quickstart.movement.terrain-on-contact")
PER_INCH = rule("quickstart.movement.pay-per-inch")
WALKER = rule("quickstart.movement.walker")
COSTS = rule("quickstart.movement.terrain-cost-table")
OPEN = rule("quickstart.movement.open-terrain")
ROAD = rule("quickstart.movement.road")
ROUGH = rule("quickstart.movement.rough")
RUBBLE = rule("quickstart.movement.rubble")
LIGHT_WOODS = rule("quickstart.movement.light-woods")
HEAVY_WOODS = rule("quickstart.movement.heavy-woods")
SWAMP = rule("quickstart.movement.swamp")
WATER = rule("quickstart.movement.water")
STRUCTURES = rule("quickstart.movement.structures")
COMBINED = rule("quickstart.movement.combined-terrain")
ROAD_IN_COMBINED = rule("quickstart.movement.road-in-combined-terrain")
MINIMUM = rule("quickstart.movement.minimum-move")
BACKWARDS = rule("quickstart.movement.backwards")
ELEVATION = rule("quickstart.movement.elevation-levels")
HILLS = rule("quickstart.movement.hills")
OBSTRUCTIONS = rule("quickstart.movement.obstructions")
WRECK = rule("quickstart.movement.wreck")
GO_PRONE = rule("quickstart.movement.go-prone")
STAND_UP = rule("quickstart.movement.stand-up")
LEAVING = rule("quickstart.setup.leaving-the-board")
LOCKED = rule("quickstart.close-combat.locked")
BREAK = rule("quickstart.close-combat.break")
SUPPRESSED = rule("quickstart.states.suppressed")
IMMOBILE = rule("quickstart.damage.critical-movement-order")

NEVER = "NA"
#: What also says that a model which has fought leaves the contact by a Break alone.
_LEAVING_CONTACT = (ACTING_IN_CONTACT.id, BREAK.id)
#: The rules of terrain that the cost table bars as well.
_BARRED = (WATER.id, STRUCTURES.id)

#: Terrain kinds with the rule that describes each; a wreck is rubble to whoever walks over it.
KIND_RULES: dict[str, Rule] = {
    "open": OPEN,
    "road-paved": ROAD,
    "rough-broken": ROUGH,
    "rubble": RUBBLE,
    "light-woods": LIGHT_WOODS,
    "heavy-woods": HEAVY_WOODS,
    "swamp-marsh": SWAMP,
    "water": WATER,
    "structure": STRUCTURES,
    "obstruction": OBSTRUCTIONS,
    "wreck": WRECK,
    "hill": HILLS,
}
HILL, ROAD_KIND = "hill", "road-paved"


def _row(kind: str, depth: int = 0) -> str:
    """The row of the cost table that a kind of terrain is found in."""
    if kind == "water":
        deepest = len(WATER.items("depths")) - 1
        return f"water_depth_{depth}" if depth < deepest else f"water_depth_{deepest}_or_more"
    return "rubble" if kind == "wreck" else kind.replace("-", "_")


@lru_cache(maxsize=64)
def _cost(kind: str, depth: int = 0) -> int | None:
    """MV an inch for a Walker, or none where it may not go (NA)."""
    if kind == "obstruction":
        return None
    cost = COSTS.scalar("walker", _row(kind, depth))
    return None if cost == NEVER else int(str(cost))


for _kind, _rule in KIND_RULES.items():
    if _kind not in ("water", "hill"):
        _mv = _rule.scalar("walker_mv")
        same_number(f"what {_kind} costs a Walker", None if _mv == NEVER else _mv, _cost(_kind))
for _n, _depth in enumerate(WATER.items("depths")):
    _mv = _depth.scalar("walker_mv")
    same_number(f"water of depth {_n}", None if _mv == NEVER else _mv, _cost("water", _n))
    same_number("the depths of water", _n, _depth.number("depth"))
same_number("what an open inch costs", MOVE.number("mv_per_inch_open"), _cost("open"))
same_number("the feet of a level", ELEVATION.number("feet_per_level"), SCALE.number("feet_per_elevation_level"))
same_number("the widest turn", FREE_TURN.number("max_degrees"), EXTRA_TURN.number("max_degrees"))


def terrain_cost(piece: Piece) -> int | None:
    """What an inch in a piece costs by itself; none where a Walker may not go.

    An enterable structure is open inside (quickstart.movement.structures); a hill costs only where it is climbed.
    """
    if piece.kind == HILL or (piece.kind == "structure" and piece.traits.get("enterable")):
        return _cost("open")
    return _cost(piece.kind, depth_of(piece) if piece.kind == "water" else 0)


def forbids(piece: Piece, on_road: bool) -> bool:
    """Whether a base may not touch a piece; a bridge carries it over deep water (quickstart.movement.road)."""
    return WALKING.forbids("", piece, on_road)


#: What moving over ground is like.
#: quickstart.movement.terrain-on-contact    terrain counts as soon as any part of the base is in it
#: quickstart.movement.combined-terrain      the highest cost, +1 for each additional effect
#: quickstart.movement.road                  a whole action along a road pays the road alone
#: quickstart.movement.backwards             +1 in open, road and rough, +2 in anything else
#: quickstart.movement.minimum-move          one inch forward, whatever it costs
#: quickstart.movement.elevation-levels      two contours less than 1" apart along the path are a cliff
WALKING = GroundRules(
    part=WHOLE_BASE,
    turning=Turning(
        FREE_TURN,
        EXTRA_TURN,
        FREE_TURN.number("free_per_move_action"),
        FREE_TURN.number("max_degrees"),
        EXTRA_TURN.number("mv_cost"),
    ),
    cost=lambda move_class, piece: terrain_cost(piece),
    open_cost=lambda move_class: _cost("open") or 0,
    road_cost=lambda move_class: _cost(ROAD_KIND) or 0,
    kinds=KIND_RULES,
    road_kind=ROAD_KIND,
    no_effect=lambda move_class: (HILL, ROAD_KIND, "structure"),
    barring=lambda piece: KIND_RULES.get(piece.kind, KIND_RULES["structure"]),
    bridged=lambda piece: piece.kind == "water",
    open=OPEN,
    road=ROAD,
    road_in_combined=ROAD_IN_COMBINED,
    road_bonus=lambda move_class: 0,
    combined=COMBINED,
    each_more=COMBINED.number("each_additional_mv"),
    hills=HILLS,
    climb=lambda move_class: HILLS.number("climb_surcharge_mv"),
    descend=HILLS.number("descend_surcharge_mv"),
    steepest=UNIT * HILLS.number("elevation_per_contour") // ELEVATION.number("max_levels_per_inch"),
    slope=ELEVATION,
    backwards=BACKWARDS,
    backward={row.replace("_", "-"): mv for row, mv in BACKWARDS.counted("surcharge_mv_per_inch").items()},
    backward_else=BACKWARDS.number("surcharge_mv_per_inch", "any_other_permitted"),
    minimum=MINIMUM,
    per_inch=PER_INCH,
    move=MOVE,
    immobile=IMMOBILE,
    stacking=STACKING,
    suppressed=SUPPRESSED,
)


def going(table: Table, model: Thing, walk: Walk, rates: Rates, contacts: Sequence[str] = (), since: int = 0) -> Going:
    """How far a model can go along a walk; `since` is how far along it it has come already.

    quickstart.movement.stacking                    bases never overlap, not even in passing
    quickstart.concepts.declare-base-contact        undeclared contact is not lawful: it stops before it
    quickstart.concepts.base-contact-ends-move      declared contact ends the action
    quickstart.states.suppressed                    never closer to any enemy
    quickstart.setup.leaving-the-board              over an edge it is gone
    """
    among = Same(table.ground, model, table.standing())
    return _going(among, walk.legs, tuple(walk.marks.items()), rates, tuple(contacts), since)


@lru_cache(maxsize=256)
def _going(
    among: Same,
    legs: tuple[Leg | Via, ...],
    marks: tuple[tuple[str, int], ...],
    rates: Rates,
    contacts: tuple[str, ...],
    since: int,
) -> Going:
    """How far; kept, for a walk is tried, judged when it is declared, and gone."""
    table, model = _table_of(among)
    track = resolve(pose(model), Walk(legs, dict(marks)))
    nearer = _nearer_to_enemies(table, model, track, since)
    gone = over_ground(table.ground, base_of(model), track, rates)
    return held_up(gone, model, rates, nearer, _bases_in_the_way(table, model, track, contacts))


def _table_of(among: Same) -> tuple[Table, Thing]:
    """The table, and the model that goes, which are kept apart from others by what they are made of."""
    ground, model, models = among.objects
    assert isinstance(ground, Ground)
    assert isinstance(model, Thing)
    assert isinstance(models, tuple)
    return Table(ground, (), {one.id: one for one in models}), model


def _bases_in_the_way(
    table: Table, model: Thing, track: Track, contacts: Sequence[str]
) -> list[tuple[str, int, Refusal | None]]:
    """The bases that stop a path, where each does, and why; none as the reason is declared contact."""
    base = base_of(model)
    passed = surely_passed(track, base, CLEAR)
    found: list[tuple[str, int, Refusal | None]] = []
    for other in on_its_level(table, model):
        if passed(center(other), base_of(other)):
            continue
        shape = outline(other)
        apart = gap(outline(model), shape)
        already = apart <= CONTACT
        if already or other.id in contacts:
            for meeting in meetings(track, base, [shape]):
                if already:
                    if meeting.last is not None:
                        sentence = f"{other.label}'s base is in the way."
                        found.append((other.id, meeting.last, Refusal(STACKING.id, sentence)))
                elif meeting.last is not None:
                    found.append((other.id, meeting.last, None))
                else:
                    found.append((other.id, _nearest(track, base, shape), None))
        else:
            last = keeps_clear(track, base, shape, CLEAR if apart >= CLEAR else CONTACT + 1)
            if last is not None:
                sentence = f"That would touch {other.label}, and contact with it was not declared."
                over = any(meeting.last is not None for meeting in meetings(track, base, [shape]))
                more = (STACKING.id,) if over else ()
                found.append((other.id, max(0, last), Refusal(DECLARE_CONTACT.id, sentence, more)))
    return found


def _nearest(track: Track, base: Base, other: Shape) -> int:
    """How far along a track that comes into contact with a base, and never overlaps it, is first as near as it gets."""
    return next(one.contact for near in range(CONTACT + 1) for one in meetings(track, base, [other], near))


def _nearer_to_enemies(table: Table, model: Thing, track: Track, since: int) -> int | None:
    """The last distance along before a suppressed model would come closer to an enemy; none where it never does."""
    if not model.has(StateName.SUPPRESSED):
        return None
    base = base_of(model)
    found: list[int] = []
    for foe in table.models():
        if foe.side == model.side:
            continue
        shape = outline(foe)
        for stretch in track.stretches:
            low = max(stretch.along, since)
            if low >= stretch.until:
                continue
            first = comes_closer(stretch, base, shape, low)
            if first is not None:
                found.append(first - 1)
                break
    return min(found, default=None)


def refused_walk(table: Table, model: Thing, walk: Walk, rates: Rates, contacts: Sequence[str] = ()) -> Refusal | None:
    """Why a walk may not be walked as drawn, or none. One that runs into declared contact or off the board may."""
    if any(isinstance(leg, Via) for leg in walk.legs):
        return Refusal(MOVE.id, f"{model.label} goes straight forward or backward; there is no sideways movement.")
    if model.card and not is_cav(model) and any(getattr(leg, "go", 0) < 0 for leg in walk.legs):
        return Refusal(BACKWARDS.id, f"{model.label} is no CAV; only a CAV moves backwards.")
    if locked_with(model) and any(getattr(leg, "go", 0) for leg in walk.legs):
        words = f"{model.label} is locked in close combat; only a Break gets it out of contact."
        return Refusal(LOCKED.id, words, _LEAVING_CONTACT)
    going_ = going(table, model, walk, rates, contacts)
    refusal = cut_short(going_, model, rates)
    if refusal is not None:
        dear = refusal.rule == PER_INCH.id and any(one.id in refusal.also for one in KIND_RULES.values())
        more = (COSTS.id, ON_CONTACT.id) if dear else (COSTS.id,) if refusal.rule in _BARRED else ()
        return replace(refusal, also=(*refusal.also, *more))
    if going_.trace.stop is not None and not (going_.contact or going_.leaves):
        return going_.trace.stop.why
    for turn in going_.track.turns:
        if turn.along <= going_.reach:
            refusal = refused_turn(table, model, Pose(turn.point, turn.facing), contacts)
            if refusal is not None:
                return refusal
    return None


def refused_turn(table: Table, model: Thing, turned: Pose, contacts: Sequence[str] = ()) -> Refusal | None:
    """Why a base may not be turned so: a pivot must fit where it ends.

    quickstart.movement.stacking                no base under it
    quickstart.setup.leaving-the-board          no corner over the edge
    quickstart.concepts.declare-base-contact    no contact that was not declared
    quickstart.close-combat.locked              no turning out of a close combat
    """
    shape = outline_of(base_of(model), turned.point, turned.facing)
    if over_edge(shape, table.ground):
        return Refusal(LEAVING.id, "That turn would put a corner over the edge of the board.")
    base, locked = base_of(model), locked_with(model)
    for other in on_its_level(table, model):
        if other.id not in locked and surely_apart(base, turned.point, base_of(other), center(other)):
            continue
        around, label = outline(other), other.label
        if overlap(shape, around):
            return Refusal(STACKING.id, f"There is no room to turn: {label}'s base is in the way.")
        touched, touches = gap(outline(model), around) <= CONTACT, gap(shape, around) <= CONTACT
        if touches and not (touched or other.id in contacts):
            return Refusal(DECLARE_CONTACT.id, f"That turn would touch {label}, and contact was not declared.")
        if other.id in locked and not touches:
            words = f"{model.label} is locked with {label} and may not turn out of contact."
            return Refusal(LOCKED.id, words, _LEAVING_CONTACT)
    return None


def refused_stand_up(table: Table, model: Thing, turn: int) -> Refusal | None:
    """Why a model may not stand up facing so much to the side: its base must fit there too."""
    turned = Pose(pose(model).point, (model.facing + turn) % 360)
    for piece in pieces_under(table.ground, outline_of(base_of(model), *turned[:2])):
        on_road = any(one.kind == ROAD_KIND and on_way(one, turned.point) for one in table.ground.pieces)
        if forbids(piece, on_road):
            return Refusal(STACKING.id, f"{model.label} has no room to turn here: {called(piece)} is in the way.")
    return refused_turn(table, model, turned)


def locked_with(model: Thing) -> tuple[str, ...]:
    """The models a model is locked in close combat with."""
    return model.words(StateName.LOCKED)


def walker_rates(model: Thing, *, lowered: int = 0, spent: int = 0, turns_made: int = 0) -> Rates:
    """The rates of one Move Action of a model as it is now."""
    return rates_for(model, max(0, movement(model) + lowered), spent, turns_made)


def rates_for(model: Thing, mv: int, spent: int = 0, turns_made: int = 0) -> Rates:
    """The rates of a model's Move Action with so much MV.

    quickstart.damage.critical-movement-order    MV 0 of its own is Immobile; an MV that an action lowers to 0 is not
    quickstart.concepts.model-facing             infantry has no facing
    """
    return Rates(WALKING, mv, model.label, spent, turns_made, movement(model) == 0, is_infantry(model))
