"""Placing units near something they come out of: a wreck, a collapsed house, a Garrison, a Transport."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost, Placed
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Point, Polygon, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_to_point
from sandtable.field.outlines import base_radius
from sandtable.rulesets.dropzone.movement.paths import refused_end
from sandtable.rulesets.dropzone.units import COHERENCY, coherency_distance, inside
from sandtable.tabletop.chapters import Chapter

PLACE = "place"


class Survivors(Step, frozen=True):
    """Who is left inside something that is gone comes out: within its outline, or within a distance of it."""

    holder: str
    rule: str
    within: int = 0
    at: Point | None = None  # a point instead of the holder, for what falls from the air


def outline_out_of(table: Table, holder: str, at: Point | None) -> Shape:
    """From what a distance is measured to those who come out."""
    if at is not None:
        return Disc(at, 0)
    thing = table[holder]
    if thing.kind == "holder":
        return table.ground.piece(holder).outline
    assert isinstance(thing.place, At)
    assert thing.base is not None
    return Disc(thing.place.point, base_radius(thing.base))


def spots(table: Table, unit: Thing, outline: Shape, within: int, taken: Sequence[tuple[Thing, Point]]) -> list[Point]:
    """Places near an outline where a unit can stand, nearest to its middle first: a lattice of them."""
    west, north, east, south = box_of(outline)
    reach, step = within, 500
    found = []
    for x in range(west - reach, east + reach + 1, step):
        for y in range(north - reach, south + reach + 1, step):
            point = Point(x, y)
            if gap_to_point(outline, point) <= within and not refused_out(table, unit, point, taken):
                found.append(point)
    middle = Point((west + east) // 2, (north + south) // 2)
    return sorted(found, key=lambda one: ((one.x - middle.x) ** 2 + (one.y - middle.y) ** 2, one))


def refused_out(table: Table, unit: Thing, at: Point, taken: Sequence[tuple[Thing, Point]]) -> Refusal | None:
    """Why a unit may not be put down at a place."""
    return refused_end(table, unit, at, [*taken, (unit, at)], False)


def arranged(table: Table, units: Sequence[Thing], outline: Shape, within: int) -> dict[str, Spot]:
    """Places for as many of some units as can be found, in coherency where possible."""
    taken: list[tuple[Thing, Point]] = []
    for unit in units:
        free = spots(table, unit, outline, within, taken)
        if not free:
            continue
        near = [at for at in free if not taken or any(_near(at, there, coherency_distance(unit)) for _, there in taken)]
        taken.append((unit, (near or free)[0]))
    return {unit.id: Spot(At(at)) for unit, at in taken}


def _near(one: Point, other: Point, far: int) -> bool:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= far * far


def ask_places(
    battle: Battle, units: Sequence[Thing], outline: Shape, within: int, source: str, prompt: str, coherent: bool
) -> Procedure[dict[str, Spot]]:
    """Ask the owner of some units where they come out; those for whom there is no place are left out."""
    default = arranged(battle.table, units, outline, within)
    if not default:
        return {}
    area = _grown(outline, within)
    answer: dict[str, Spot] = yield PlaceThings(
        units[0].side,
        prompt,
        topic=PLACE,
        about=tuple(one.id for one in units),
        things=tuple(default),
        where={"": Region(inside=(area,), whole=False, rule=source, label=f"within {within // UNIT}″")},
        rules=(source, *((COHERENCY.id,) if coherent else ())),
        default=default,
    )
    return answer


def _grown(outline: Shape, by: int) -> Shape:
    """Everything within a distance of an outline, a little more at its corners: the judge is exact."""
    if not by:
        return outline
    if isinstance(outline, Disc):
        return Disc(outline.center, outline.radius + by)
    west, north, east, south = box_of(outline)
    return Polygon(
        (
            Point(west - by, north - by),
            Point(east + by, north - by),
            Point(east + by, south + by),
            Point(west - by, south + by),
        )
    )


def judge_places(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why units may not be put down so."""
    table = view.table
    taken = [(table[name], spot.where.point) for name, spot in answer.items() if isinstance(spot.where, At)]
    for unit, at in taken:
        refusal = refused_end(table, unit, at, taken, False)
        if refusal is not None:
            return refusal
    return None


def survivors(battle: Battle, step: Survivors) -> Procedure[None]:
    """Place who is left inside; who cannot be placed is destroyed."""
    table = battle.table
    units = inside(table, step.holder)
    outline = outline_out_of(table, step.holder, step.at)
    for squad in dict.fromkeys(one.unit for one in units):
        own = [one for one in units if one.unit == squad]
        put = yield from ask_places(
            battle, own, outline, step.within, step.rule, f"{table[squad].label}: where do the survivors stand?", False
        )
        for one in own:
            if one.id in put:
                spot = put[one.id]
                battle.happens(Placed(one.id, spot.where, spot.facing, rule=step.rule))
            else:
                battle.happens(ModelLost(one.id, "could not be placed", rule=step.rule))


CHAPTER = Chapter(
    steps={Survivors: survivors},
    judges={PLACE: judge_places},
    answers={PLACE: "where units are put down: `place: {A1: [x, y]}`"},
)
