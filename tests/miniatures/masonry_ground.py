"""The ground of a fight for one building: its edges and centre are places without coordinates."""

from collections.abc import Sequence

from sandtable.engine.ids import NO_SIDE, PieceId, RuleId, Side
from sandtable.engine.questions import MoveModels, PlaceThings, Refusal, Together
from sandtable.engine.shapes import UNIT, At, Band, Base, Disc, In, Point, Region, Shape, Spot, Walk, rectangle
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import covers, gap, overlap
from sandtable.field.outlines import outline_of
from sandtable.field.walking.paths import Pose, resolve

CHOOSING = RuleId("dropzone.garrisons.choosing-a-place")
EXITING = RuleId("dropzone.garrisons.exiting")
SURVIVORS = RuleId("dropzone.scenery.occupied-garrison-destroyed")
COHERENCY = RuleId("dropzone.units.coherency")
MOVE = RuleId("dropzone.movement.move-up-to-mv")
IMPASSABLE = RuleId("dropzone.movement.impassable")
NO_OVERLAP = RuleId("dropzone.movement.no-overlap-at-the-end")
TABLE_EDGE = RuleId("dropzone.movement.table-edge")

BLOCK = "block"
STANDING, RUBBLE = "small-building", "tough ground"
NORTH_WEST, SIZE = Point(15 * UNIT, 15 * UNIT), 5 * UNIT
OUTLINE = rectangle(NORTH_WEST.x, NORTH_WEST.y, SIZE, SIZE)
EDGES = ("north", "east", "south", "west")
CENTRE = "centre"
NEAR = 2 * UNIT
INFANTRY, TANK = Base("circle", 1200), Base("circle", 1800)
TOGETHER = Together(within=NEAR, rule=COHERENCY, label="each within 2 inches of the next")


def building() -> Piece:
    """The building as it stands at first."""
    return Piece(PieceId(BLOCK), STANDING, OUTLINE, height=5, label="block")


def stands(table: Table) -> bool:
    """Whether the building has not come down yet."""
    return table.ground.piece(BLOCK).kind == STANDING


def slot(model: Thing) -> str:
    """The edge a model holds, or the centre; nothing if it is not inside."""
    return model.place.slot if isinstance(model.place, In) and model.place.holder == BLOCK else ""


def inside(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The models inside the building, of one side or of all, in the order they came."""
    return [m for m in table.of_kind("model") if slot(m) and not m.gone and (not side or m.side == side)]


def other(table: Table, side: Side) -> Side:
    return next(other for other in table.sides if other != side)


def footprint(model: Thing, at: Point | None = None) -> Shape:
    """The outline of a model's base where it stands, or where it would."""
    assert model.base is not None
    if at is None:
        assert isinstance(model.place, At), f"{model.id} is not in the open"
        at = model.place.point
    return outline_of(model.base, at, 0)


def reach_of(model: Thing) -> Shape | None:
    """Where a model is measured from: its centre, or the whole edge it holds; the centre of the building is nowhere."""
    if isinstance(model.place, At):
        return Disc(model.place.point, 0)
    if slot(model) not in EDGES:
        return None
    corners = OUTLINE.points
    n = EDGES.index(slot(model))
    return Band((corners[n], corners[(n + 1) % 4]), 0)


def sees(table: Table, one: Thing, other: Thing) -> bool:
    """Whether two models see each other: past the building, or from an edge to what lies before it."""
    if slot(one) and slot(other):
        return False  # inside, only Close Quarters weapons are used
    if slot(one) or slot(other):
        holder, outside = (one, other) if slot(one) else (other, one)
        return slot(holder) != CENTRE and _before(slot(holder), _at(outside))
    if not stands(table):
        return True
    return not overlap(Band((_at(one), _at(other)), 2), OUTLINE)


def _before(edge: str, at: Point) -> bool:
    """Whether a point lies outside beyond an edge."""
    west, north, east, south = NORTH_WEST.x, NORTH_WEST.y, NORTH_WEST.x + SIZE, NORTH_WEST.y + SIZE
    return {"north": at.y < north, "east": at.x > east, "south": at.y > south, "west": at.x < west}[edge]


def _at(model: Thing) -> Point:
    assert isinstance(model.place, At)
    return model.place.point


def in_reach(one: Thing, other: Thing, distance: int) -> bool:
    """Whether two models are within a distance, from where each is measured."""
    ours, theirs = reach_of(one), reach_of(other)
    return ours is not None and theirs is not None and gap(ours, theirs) <= distance


def near_the_building(model: Thing, distance: int) -> bool:
    """Whether a model in the open is within a distance of the building's edges."""
    return isinstance(model.place, At) and gap(Disc(model.place.point, 0), OUTLINE) <= distance


def in_coherency(points: Sequence[Point]) -> bool:
    """Whether one unbroken chain of at most two inches a link joins all the points."""
    linked, left = list(points[:1]), list(points[1:])
    for at in linked:
        near = [p for p in left if gap(Disc(at, 0), Disc(p, 0)) <= NEAR]
        left = [p for p in left if p not in near]
        linked += near
    return not left


# Regions and judges --------------------------------------------------------------------------------------------------


def places_inside() -> Region:
    """The five places a unit may take in the building."""
    return Region(
        slots=tuple(In(BLOCK, name) for name in (*EDGES, CENTRE)), rule=CHOOSING, label="an edge or the centre"
    )


def around() -> Region:
    """Within two inches of the building, outside it."""
    loop = (*OUTLINE.points, OUTLINE.points[0])
    return Region(
        inside=(Band(loop, 2 * NEAR),), outside=(OUTLINE,), whole=False, rule=EXITING, label="within 2 inches"
    )


def old_outline() -> Region:
    """Where survivors are placed: on what the building has become."""
    return Region(inside=(OUTLINE,), rule=SURVIVORS, label="inside the old outline")


def default_spots(table: Table, models: Sequence[Thing], region: Region) -> dict[str, Spot]:
    """Lawful spots for models, as near to each other as can be; fewer than asked where there is no room."""
    step = 1250
    low, high = (600, SIZE - 600) if region.inside == (OUTLINE,) else (-NEAR, SIZE + NEAR)
    lines = range(low, high + 1, step)
    grid = [Point(NORTH_WEST.x + x, NORTH_WEST.y + y) for y in lines for x in lines]
    found: dict[str, Spot] = {}
    for model in models:
        taken = {**found}
        for at in sorted(grid, key=lambda p: (not in_coherency([p, *_points(found)]), p.y, p.x)):
            spots = {**taken, model.id: Spot(At(at))}
            if place_refused(table, region, [m for m in models if m.id in spots], spots) is None:
                found = spots
                break
    return found


def _points(spots: dict[str, Spot]) -> list[Point]:
    return [spot.where.point for spot in spots.values() if isinstance(spot.where, At)]


def place_refused(table: Table, region: Region, models: Sequence[Thing], spots: dict[str, Spot]) -> Refusal | None:
    """Why models may not be put down so: outside the region, on one another, or out of coherency."""
    others = [footprint(m) for m in table.models() if m.id not in spots]
    for model in models:
        where = spots[model.id].where
        if not isinstance(where, At) or where.level:
            return Refusal(region.rule, f"{model.label} is put down on the ground.")
        base, point = footprint(model, where.point), Disc(where.point, 0)
        if region.inside == (OUTLINE,):
            if not covers(OUTLINE, base):
                return Refusal(region.rule, f"{model.label} must lie inside the old outline.")
        elif gap(point, OUTLINE) > NEAR or overlap(base, OUTLINE):
            return Refusal(region.rule, f"{model.label} must stand outside, within 2 inches of the building.")
        if any(overlap(base, other) for other in others):
            return Refusal(NO_OVERLAP, f"{model.label} would overlap another unit.")
        others.append(base)
    if not in_coherency(_points({m.id: spots[m.id] for m in models})):
        return Refusal(COHERENCY, "The squad would be out of coherency.")
    return None


def enter_refused(table: Table, question: PlaceThings, spots: dict[str, Spot]) -> Refusal | None:
    """Why a squad may not take those places in the building: an enemy holds the edge."""
    for thing, put in spots.items():
        if not isinstance(put.where, In) or put.where not in question.where[""].slots:
            return Refusal(CHOOSING, f"{thing} takes an edge or the centre.")
        held = [m for m in inside(table) if slot(m) == put.where.slot and m.side != question.side]
        if held and put.where.slot != CENTRE:
            return Refusal(CHOOSING, f"{held[0].label} holds the {put.where.slot} edge.")
    return None


def walk_refused(table: Table, question: MoveModels, walks: dict[str, Walk]) -> Refusal | None:
    """Why units may not move so: too far, through the building, off the table, or onto somebody."""
    ends: dict[str, Shape] = {m.id: footprint(m) for m in table.models()}
    for name, walk in walks.items():
        model = table[name]
        track = resolve(Pose(_at(model)), walk)
        if track.length > question.allowance[name]:
            return Refusal(MOVE, f"{model.label} would move too far.")
        end = track.end.point
        assert model.base is not None
        radius = model.base.size // 2
        width, height = table.ground.width, table.ground.height
        if not (radius <= end.x <= width - radius and radius <= end.y <= height - radius):
            return Refusal(TABLE_EDGE, f"{model.label} would leave the table.")
        swept = track.swept(model.base, 0, track.length) if track.length else ()
        if stands(table) and any(overlap(shape, OUTLINE) for shape in swept):
            return Refusal(IMPASSABLE, f"{model.label} would go through the building.")
        if track.end.level:
            return Refusal(MOVE, f"{model.label} stays on the ground.")
        ends[name] = footprint(model, end)
    bases = list(ends.values())
    for n, one in enumerate(bases):
        if any(overlap(one, other) for other in bases[n + 1 :]):
            return Refusal(NO_OVERLAP, "Two units would overlap.")
    return None


def units_apart(table: Table) -> None:
    """An invariant: no two bases overlap, and nobody stands in the building without being in it."""
    bases: list[tuple[str, Shape]] = [(m.id, footprint(m)) for m in table.models()]
    for n, (name, one) in enumerate(bases):
        assert not (stands(table) and overlap(one, OUTLINE)), f"{name} stands in the wall"
        for other, two in bases[n + 1 :]:
            assert not overlap(one, two), f"{name} and {other} overlap"
