"""Placing units near something they come out of: a wreck, a collapsed house, a Garrison, a Transport."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, Disc, Point, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_to_point
from sandtable.field.outlines import base_radius
from sandtable.rulesets.dropzone.basics import in_order, near, points_near
from sandtable.rulesets.dropzone.damage import lose
from sandtable.rulesets.dropzone.movement.paths import AERIAL, LOADED, half_move, refused_end
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKED, DISEMBARKING, DROPPED, HOT_LANDING
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    COHERENCY,
    END_OF_ROUND,
    card,
    coherency_distance,
    flies,
    inside,
    units_on_table,
    value_of,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.places import refused_region
from sandtable.tabletop.states import give

PLACE = "place"


class Survivors(Step, frozen=True):
    """Who is left inside something that is gone comes out: within its outline, or within a distance of it."""

    holder: str
    rule: RuleId
    outline: Shape
    within: int = 0
    coherent: bool = False  # in coherency where possible


def footprint(transport: Thing) -> Disc:
    """From what a distance is measured to those who come out of a Transport."""
    assert isinstance(transport.place, At)
    assert transport.base is not None
    return Disc(transport.place.point, base_radius(transport.base))


@lru_cache(maxsize=256)
def lattice(outline: Shape, within: int) -> tuple[Point, ...]:
    """Points within a distance of an outline, half an inch apart, nearest to its middle first."""
    west, north, east, south = box_of(outline)
    middle, step = Point((west + east) // 2, (north + south) // 2), UNIT // 2
    found = [
        Point(x, y)
        for x in range(west - within, east + within + 1, step)
        for y in range(north - within, south + within + 1, step)
        if gap_to_point(outline, Point(x, y)) <= within
    ]
    return tuple(sorted(found, key=lambda one: ((one.x - middle.x) ** 2 + (one.y - middle.y) ** 2, one)))


def spots(
    table: Table, unit: Thing, outline: Shape, within: int, taken: Sequence[tuple[Thing, Point]]
) -> Iterator[Point]:
    """Places near an outline where a unit can stand, nearest to its middle first."""
    return (point for point in lattice(outline, within) if not refused_out(table, unit, point, taken))


def refused_out(table: Table, unit: Thing, at: Point, taken: Sequence[tuple[Thing, Point]]) -> Refusal | None:
    """Why a unit may not be put down at a place."""
    return refused_end(table, unit, at, [*taken, (unit, at)], False)


def arranged(table: Table, units: Sequence[Thing], outline: Shape, within: int, coherent: bool) -> dict[str, Spot]:
    """Places for as many of some units as can be found: in coherency where possible, or not at all."""
    mates = [one.place.point for one in units_on_table(table, units[0].unit) if isinstance(one.place, At)]
    taken: list[tuple[Thing, Point]] = []
    for unit in units:
        there = [*mates, *(at for _, at in taken)]
        found: Point | None = None
        for at in spots(table, unit, outline, within, taken):
            if not there or any(points_near(at, one, coherency_distance(unit)) for one in there):
                found = at
                break
            found = found or (None if coherent else at)
        if found is not None:
            taken.append((unit, found))
    return {unit.id: Spot(At(at)) for unit, at in taken}


def ask_places(
    battle: Battle, units: Sequence[Thing], outline: Shape, within: int, source: RuleId, prompt: str, coherent: bool
) -> Procedure[dict[str, Spot]]:
    """Ask the owner of some units where they come out; those for whom there is no place are left out."""
    default = arranged(battle.table, units, outline, within, coherent)
    if not default:
        return {}
    answer: dict[str, Spot] = yield PlaceThings(
        units[0].side,
        prompt,
        topic=PLACE,
        about=tuple(one.id for one in units),
        things=tuple(default),
        where={"": Region(inside=grown(outline, within), whole=False, rule=source, label=f"within {within // UNIT}″")},
        rules=(source, *((COHERENCY.id,) if coherent else ())),
        default=default,
    )
    return answer


def grown(outline: Shape, by: int) -> tuple[Shape, ...]:
    """Everything within a distance of an outline: the outline, and what is so near to its border."""
    if not by:
        return (outline,)
    if isinstance(outline, Disc):
        return (Disc(outline.center, outline.radius + by),)
    if isinstance(outline, Band):
        return (Band(outline.points, outline.width + 2 * by),)
    return (outline, Band((*outline.points, outline.points[0]), 2 * by))


def put_down(table: Table, spots: Mapping[str, Spot]) -> Table:
    """The table with some units put down."""
    after = table.copy()
    for name, spot in spots.items():
        after.things[name] = replace(table[name], place=spot.where)
    return after


def joins(table: Table, spots: Mapping[str, Spot], squad: str) -> bool:
    """Whether units that are put down join those of their squad that stand there, or one another where none does.

    Those who stand there may be out of coherency themselves, by the enemy's doing: that cannot keep others aboard.
    """
    after = put_down(table, spots)
    new = [after[name] for name in spots]
    chain = [one for one in units_on_table(after, squad) if one.id not in spots] or [new.pop()]
    for one in chain:
        for other in [other for other in new if near(after, one, other, coherency_distance(other))]:
            new.remove(other)
            chain.append(other)
    return not new


def judge_places(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why units may not be put down so."""
    table = view.table
    refusal = refused_region(table, question, answer)
    if refusal is not None:
        return refusal
    taken = [(table[name], spot.where.point) for name, spot in answer.items() if isinstance(spot.where, At)]
    for unit, at in taken:
        refusal = refused_end(table, unit, at, taken, False)
        if refusal is not None:
            return refusal
    if COHERENCY.id in question.rules and not joins(table, answer, taken[0][0].unit):
        return Refusal(question.rules[0], f"{table[taken[0][0].unit].label} must be placed in coherency.")
    return None


def mark_disembarked(battle: Battle, unit: Thing, transport: Thing) -> None:
    """Note that a unit has left a Transport this round, and whether it has come from the air."""
    give(battle, unit.id, DISEMBARKED, DISEMBARKING, until=END_OF_ROUND)
    if flies(transport) or transport.has(DROPPED):
        give(battle, unit.id, DROPPED, HOT_LANDING, until=END_OF_ROUND)
    mark_loaded(battle, unit, transport.id)


def mark_loaded(battle: Battle, unit: Thing, transport: str) -> None:
    """Note how far an Aircraft may move in this round, for somebody has got in or out of it.

    dropzone.transports.aerial-transports     half its MV
    dropzone.special-rules.rapid-insertion    so much further if he drops out of it in the air
    """
    ride = battle.table[transport]
    if flies(ride):
        more = UNIT * (value_of(card(unit).special, "rapid-insertion") or 0) if ride.has(AIRBORNE) else 0
        far, limit = half_move(ride) + more, ride.value(LOADED)
        if not isinstance(limit, int) or far < limit:
            give(battle, ride.id, LOADED, AERIAL, far, until=END_OF_ROUND)


def survivors(battle: Battle, step: Survivors) -> Procedure[None]:
    """Place who is left inside; who cannot be placed is destroyed. Those out of a Transport have disembarked."""
    table, holder = battle.table, battle.table[step.holder]
    units = sorted(inside(table, step.holder), key=lambda one: in_order(table).index(one.side))
    for squad in dict.fromkeys(one.unit for one in units):
        table, own = battle.table, [one for one in units if one.unit == squad]
        together = step.coherent and len(arranged(table, own, step.outline, step.within, True)) == len(own)
        put = yield from ask_places(
            battle,
            own,
            step.outline,
            step.within,
            step.rule,
            f"{table[squad].label}: where do the survivors stand?",
            together,
        )
        for one in own:
            if one.id in put:
                spot = put[one.id]
                battle.happens(Placed(one.id, spot.where, spot.facing, rule=step.rule))
                if holder.kind == "model":
                    mark_disembarked(battle, one, holder)
            else:
                lose(battle, one, "could not be placed", step.rule)


CHAPTER = Chapter(
    steps={Survivors: survivors},
    judges={PLACE: judge_places},
    answers={PLACE: "where units are put down: `place: {A1: [x, y]}`"},
)
