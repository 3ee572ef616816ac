"""Coming onto the table: from a point of the edge inside the deployment zone."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Band, Leg, Point, Region, Shape, Spot, Walk
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.outlines import base_radius
from sandtable.field.walking.paths import Pose, resolve
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.movement.paths import as_far, full_move, refused_end, way_of
from sandtable.rulesets.dropzone.units import AIRBORNE, flies
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.places import refused_region
from sandtable.tabletop.states import give

DEPLOYMENT = rule("dropzone.scenario.deployment-states")
LANDING = rule("dropzone.aircraft.landing-and-taking-off")

ARRIVE = "arrive"
#: A state of a side: the edge it comes from.
EDGE = "edge"
#: Which way leads in from each edge, in degrees.
INWARDS = {"north": 90, "south": 270, "west": 0, "east": 180}


def edge_of(table: Table, side: str) -> str:
    """The edge that a side comes from."""
    named = table[side].value(EDGE) if side in table.things else None
    return str(named) if named else ("north", "south")[table.sides.index(side) % 2]


def edge_line(table: Table, edge: str) -> tuple[Point, Point]:
    """The two ends of an edge."""
    width, height = table.ground.width, table.ground.height
    corners = {"north": (0, 0, width, 0), "south": (0, height, width, height), "west": (0, 0, 0, height)}
    ax, ay, bx, by = corners.get(edge, (width, 0, width, height))
    return Point(ax, ay), Point(bx, by)


def strip(table: Table, side: str) -> Shape:
    """The points of the edge that a side may come from."""
    return Band(edge_line(table, edge_of(table, side)), 2)


def inwards(table: Table, unit: Thing) -> Walk:
    """Straight in from the edge, as far as the unit gets."""
    assert isinstance(unit.place, At)
    assert unit.base is not None
    degrees = INWARDS[edge_of(table, unit.side)]
    turn = (degrees - unit.facing + 180) % 360 - 180
    far = _straight_in(table, unit)
    return Walk((Leg(turn, far),)) if far else Walk()


def _straight_in(table: Table, unit: Thing) -> int:
    assert isinstance(unit.place, At)
    degrees = INWARDS[edge_of(table, unit.side)]
    way = way_of(table, unit, full_move(unit))
    track = resolve(Pose(unit.place.point, degrees), Walk((Leg(0, full_move(unit)),)))
    far = as_far(table, unit, track, way)
    radius = base_radius(unit.base) if unit.base is not None else 0
    while far >= radius:
        at = track.pose_at(far).point
        if refused_end(table, unit, at, [(unit, at)], unit.has(AIRBORNE)) is None:
            return far
        far -= 250
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
        where={"": Region(inside=(strip(table, side),), whole=False, rule=DEPLOYMENT.id, label="the edge")},
        rules=(DEPLOYMENT.id,),
        default=_along_the_edge(table, units),
    )
    for one in units:
        spot = put[one.id]
        facing = INWARDS[edge_of(table, side)]
        battle.happens(Placed(one.id, spot.where, facing, rule=DEPLOYMENT.id))
        if flies(one):
            give(battle, one.id, AIRBORNE, LANDING)


def _along_the_edge(table: Table, units: list[Thing]) -> dict[str, Spot] | None:
    """The first places along the edge from which all get in."""
    a, b = edge_line(table, edge_of(table, units[0].side))
    length = max(abs(b.x - a.x), abs(b.y - a.y))
    found: dict[str, Spot] = {}
    at = 1000
    for unit in units:
        assert unit.base is not None
        radius = base_radius(unit.base)
        at = max(at, radius)
        while at + radius <= length:
            point = Point(a.x + (b.x - a.x) * at // length, a.y + (b.y - a.y) * at // length)
            if cannot_arrive(table, unit, point) is None:
                found[unit.id] = Spot(At(point))
                at += 2 * radius + 100
                break
            at += 500
        else:
            return None
    return found


def cannot_arrive(table: Table, unit: Thing, at: Point) -> Refusal | None:
    """Why a unit cannot come in at a point of the edge: nothing lets it get onto the table there."""
    marks = {**unit.states}
    if flies(unit):
        marks[AIRBORNE] = Mark()
    there = replace(unit, place=At(at), facing=INWARDS[edge_of(table, unit.side)], states=marks)
    if not _straight_in(table, there):
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
                return Refusal(DEPLOYMENT.id, f"{unit.label} would stand on another.")
        taken.append((at.x, at.y, radius))
    return None


CHAPTER = Chapter(
    judges={ARRIVE: judge_arrival},
    states={EDGE: "the edge that a side comes from"},
    answers={ARRIVE: "where on its edge each unit comes in: `arrive: {A1: [x, 0]}`"},
)
