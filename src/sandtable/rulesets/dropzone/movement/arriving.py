"""Coming onto the table: from a point of the edge inside the deployment zone."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.ids import Side
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, Leg, Point, Region, Shape, Spot, Walk
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.edges import Edge, ends_of
from sandtable.field.measure import gap_to_point
from sandtable.field.outlines import base_radius
from sandtable.field.walking.paths import Pose, resolve
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.aircraft.lines import straight_ahead
from sandtable.rulesets.dropzone.movement.paths import NO_OVERLAP, as_far, full_move, refused_end, way_of
from sandtable.rulesets.dropzone.units import AIRBORNE, FAST, flies, is_fast
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.places import refused_region
from sandtable.tabletop.states import give

DEPLOYMENT = rule("dropzone.scenario.deployment-states")
BUNKERS = rule("dropzone.scenario.hold-the-bunkers")
LANDING = rule("dropzone.aircraft.landing-and-taking-off")

ARRIVE = "arrive"
#: A state of a side: the edge it comes from, or the corner.
EDGE = "edge"
#: Which way leads in from each edge, in degrees.
INWARDS: Mapping[str, int] = {edge: edge.inwards for edge in Edge}


def zone_of(table: Table, side: Side) -> str:
    """The deployment zone of a side: an edge, or a corner such as north-west."""
    named = table[side].value(EDGE) if side in table.things else None
    return str(named) if named else ("north", "south")[table.sides.index(side) % 2]


def corner_of(table: Table, zone: str) -> Point | None:
    """The corner that a zone lies around; none where it is an edge."""
    across, _, along = zone.partition("-")
    if not along:
        return None
    return Point(0 if along == "west" else table.ground.width, 0 if across == "north" else table.ground.height)


def edge_lines(table: Table, side: Side) -> dict[str, tuple[Point, Point]]:
    """The parts of the table edges that lie in a side's deployment zone, by edge."""
    ends = {str(edge): ends_of(table.ground, edge) for edge in (Edge.NORTH, Edge.SOUTH, Edge.WEST, Edge.EAST)}
    zone = zone_of(table, side)
    corner = corner_of(table, zone)
    if corner is None:
        return {zone: ends[zone]}
    far, found = BUNKERS.inches("corner_distance_in"), {}
    for edge in zone.split("-"):
        other = next(one for one in ends[edge] if one != corner)
        step = Point((other.x > corner.x) - (other.x < corner.x), (other.y > corner.y) - (other.y < corner.y))
        end = Point(corner.x + step.x * far, corner.y + step.y * far)
        found[edge] = (min(corner, end), max(corner, end))
    return found


def own_edge(table: Table, side: Side) -> tuple[Point, Point]:
    """The edge that a side comes from, or the first of two."""
    return next(iter(edge_lines(table, side).values()))


def strips(table: Table, side: Side) -> tuple[Shape, ...]:
    """The points of the edges that a side may come from."""
    return tuple(Band(line, 2) for line in edge_lines(table, side).values())


def inward(table: Table, side: Side, at: Point) -> int:
    """Which way leads in from a point of a side's edges."""
    lines = edge_lines(table, side)
    edge = min(lines, key=lambda one: gap_to_point(Band(lines[one], 2), at))
    return INWARDS[edge]


def own_edge_within(table: Table, unit: Thing, far: int) -> bool:
    """Whether some of a unit's footprint is within a distance of its side's own edge."""
    if not isinstance(unit.place, At) or unit.base is None:
        return False
    (x, y), reach = unit.place.point, far + base_radius(unit.base)
    for a, b in edge_lines(table, unit.side).values():
        across = max(min(a.x, b.x) - x, 0, x - max(a.x, b.x))
        along = max(min(a.y, b.y) - y, 0, y - max(a.y, b.y))
        if across * across + along * along <= reach * reach:
            return True
    return False


def inwards(table: Table, unit: Thing) -> Walk:
    """Straight in from the edge, as far as the unit gets."""
    assert isinstance(unit.place, At)
    return _straight(unit, inward(table, unit.side, unit.place.point), _straight_in(table, unit))


def clear_way(table: Table, unit: Thing, taken: list[tuple[Thing, Point]], allowance: int) -> Walk | None:
    """The shortest of some straight ways to where a unit may stop, beside those of its squad that have moved."""
    assert isinstance(unit.place, At)
    way = way_of(table, unit, allowance)
    tracks = [(one, resolve(Pose(unit.place.point, one), Walk((Leg(0, allowance),)))) for one in range(0, 360, 15)]
    stops = [(degrees, track, as_far(table, unit, track, way)) for degrees, track in tracks]
    for far in range(0, allowance + 1, UNIT // 4):
        for degrees, track, stop in stops:
            at = track.pose_at(far).point
            if far <= stop and refused_end(table, unit, at, [*taken, (unit, at)], unit.has(AIRBORNE)) is None:
                return _straight(unit, degrees, far)
    return None


def _straight(unit: Thing, degrees: int, far: int) -> Walk:
    return Walk((Leg((degrees - unit.facing + 180) % 360 - 180, far),)) if far else Walk()


def _straight_in(table: Table, unit: Thing) -> int:
    assert isinstance(unit.place, At)
    degrees = inward(table, unit.side, unit.place.point)
    way = way_of(table, unit, full_move(unit))
    track = resolve(Pose(unit.place.point, degrees), Walk((Leg(0, full_move(unit)),)))
    far = as_far(table, unit, track, way)
    radius = base_radius(unit.base) if unit.base is not None else 0
    while far >= radius:
        at = track.pose_at(far).point
        if refused_end(table, unit, at, [(unit, at)], unit.has(AIRBORNE)) is None:
            return far
        far -= UNIT // 4
    return 0


def arrive(battle: Battle, squad: Thing) -> Procedure[None]:
    """Place the units of a squad on its edge; their Moving action begins there."""
    table = battle.table
    units = table.members(squad.id)
    side = squad.side
    put: dict[str, Spot] = yield PlaceThings(
        side,
        f"{squad.label} arrives: from where on the edge?",
        topic=ARRIVE,
        about=(squad.id,),
        things=tuple(one.id for one in units),
        where={"": Region(inside=strips(table, side), whole=False, rule=DEPLOYMENT.id, label="the edge")},
        faces=any(is_fast(one) for one in units),
        rules=(DEPLOYMENT.id, *((LANDING.id,) if any(is_fast(one) for one in units) else ())),
        default=along_the_edge(table, units),
    )
    for one in units:
        spot = put[one.id]
        assert isinstance(spot.where, At)
        facing = spot.facing if is_fast(one) else inward(table, side, spot.where.point)
        battle.happens(Placed(one.id, spot.where, facing, rule=LANDING.id if is_fast(one) else DEPLOYMENT.id))
        if flies(one):
            give(battle, one.id, AIRBORNE, LANDING)


def along_the_edge(table: Table, units: list[Thing]) -> dict[str, Spot] | None:
    """The first places along the edge from which all get in; none where there is no room for all."""
    known = (along_the_edge, units[0].unit)
    if known not in table.posture:
        table.posture[known] = _first_places(table, units)
    found: dict[str, Spot] | None = table.posture[known]
    return found


def _first_places(table: Table, units: list[Thing]) -> dict[str, Spot] | None:
    free = list(_points(table, units[0].side))
    taken: list[tuple[Point, int]] = []
    found: dict[str, Spot] = {}
    for unit in units:
        assert unit.base is not None
        radius = base_radius(unit.base)
        for at in free:
            clear = all((at.x - x) ** 2 + (at.y - y) ** 2 >= (radius + other) ** 2 for (x, y), other in taken)
            if clear and cannot_arrive(table, unit, at) is None:
                found[unit.id] = Spot(At(at), inward(table, unit.side, at) if is_fast(unit) else 0)
                taken.append((at, radius))
                break
        else:
            return None
    return found


def _points(table: Table, side: Side) -> Iterator[Point]:
    """Points along a side's edges, half an inch apart."""
    for a, b in edge_lines(table, side).values():
        length = max(abs(b.x - a.x), abs(b.y - a.y))
        for far in range(0, length + 1, 500):
            yield Point(a.x + (b.x - a.x) * far // length, a.y + (b.y - a.y) * far // length)


def refused_arrival(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad cannot come onto the table at all."""
    if along_the_edge(table, table.members(squad.id)) is None:
        return Refusal(DEPLOYMENT.id, f"{squad.label} finds no room to come in from its edge.")
    return None


def cannot_arrive(table: Table, unit: Thing, at: Point) -> Refusal | None:
    """Why a unit cannot come in at a point of the edge: nothing lets it get onto the table there."""
    marks = {**unit.states}
    if flies(unit):
        marks[AIRBORNE] = Mark()
    there = replace(unit, place=At(at), facing=inward(table, unit.side, at), states=marks)
    gets_in = straight_ahead(table, [there]) is not None if is_fast(unit) else _straight_in(table, there) > 0
    if not gets_in:
        return Refusal(DEPLOYMENT.id, f"{unit.label} cannot get onto the table here.")
    return None


def judge_arrival(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why units may not come in there: not on their edge, no room, or one on the other."""
    table = view.table
    refusal = refused_region(table, question, answer)
    if refusal is not None:
        return refusal
    taken: list[tuple[int, int, int]] = []
    for name, spot in answer.items():
        unit = table[name]
        assert isinstance(spot.where, At)
        assert unit.base is not None
        at, radius = spot.where.point, base_radius(unit.base)
        refusal = cannot_arrive(table, unit, at)
        if refusal is not None:
            return refusal
        for x, y, other in taken:
            if (at.x - x) ** 2 + (at.y - y) ** 2 < (radius + other) ** 2:
                return Refusal(NO_OVERLAP.id, f"{unit.label} would stand on another.")
        taken.append((at.x, at.y, radius))
    return refused_lines(table, answer)


def refused_lines(table: Table, put: Mapping[str, Spot]) -> Refusal | None:
    """Why Fast Aircraft may not come in so: from there no straight line leads them where they may be."""
    flying = [replace(table[name], place=spot.where, facing=spot.facing) for name, spot in put.items()]
    if flying and is_fast(flying[0]) and straight_ahead(table, flying) is None:
        return Refusal(FAST.id, f"{flying[0].label} has no straight line from there that it may fly.")
    return None


CHAPTER = Chapter(
    judges={ARRIVE: judge_arrival},
    states={EDGE: "the edge that a side comes from, or the corner"},
    answers={ARRIVE: "where on its edge each unit comes in: `arrive: {A1: [x, 0]}`"},
)
