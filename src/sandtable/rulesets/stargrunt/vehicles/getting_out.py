"""Getting out of vehicles: where everybody is put, who drives on, and who is left in charge."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Grouped, Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import NO_THING, RuleId, ThingId
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Point, Polygon, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of, pieces_at
from sandtable.field.measure import center_gap, gap, gap_floor
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.stargrunt.actions.elements import detach
from sandtable.rulesets.stargrunt.confidence.levels import sights
from sandtable.rulesets.stargrunt.cover.protection import WRECK
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.movement.terrain_costs import COSTS, grade, mover
from sandtable.rulesets.stargrunt.movement.walking import EDGES, FIGURES, crowded, others
from sandtable.rulesets.stargrunt.units.leaders import leader
from sandtable.rulesets.stargrunt.units.record import BASE, BASES, UNIT_AND_ELEMENT, block, on_ground
from sandtable.rulesets.stargrunt.vehicles.hulls import DETAILS, footprint, outline, units_aboard
from sandtable.tabletop.chapters import Chapter

DRIVEN_BY_SQUAD = rule("stargrunt.movement.squad-driven-carriers")
BAILING_OUT = rule("stargrunt.vehicles.bailing-out")

#: How near figures are put when they get out.
PUT_WITHIN = DETAILS.inches("disembark_in")
same_number("a carrier is measured to its edge", DETAILS.text_at("measured"), "vehicle_edge")


class GetOut(Step, frozen=True):
    """Everybody of a unit who is aboard a vehicle, or its wreck, gets out of it, but for those who stay to drive."""

    unit: str
    hull: str
    rule: RuleId
    stay: tuple[ThingId, ...] = ()


def take_over(battle: Battle, hull: Thing, unit: ThingId, because: int) -> None:
    """A unit drives a vehicle from now on; nobody does where none is named."""
    own = vehicle(hull).own_crew
    why = BAILING_OUT if own else DRIVEN_BY_SQUAD
    battle.happens(Grouped((hull.id,), unit, rule=why.id, because=because, detail=citing(UNIT_AND_ELEMENT)))


def shape_of(table: Table, hull: str) -> Polygon:
    """The ground a vehicle stands on, or its wreck lies on."""
    thing = table[hull]
    if isinstance(thing.place, At):
        return outline(thing)
    shape = table.ground.piece(f"{hull}-{WRECK}").outline
    assert isinstance(shape, Polygon)
    return shape


def aboard(table: Table, unit: str) -> list[Thing]:
    """The figures of a unit that are in a vehicle, hurt or not."""
    return [one for one in table.members(unit) if isinstance(one.place, In)]


def refused_spots(table: Table, figures: Sequence[Thing], spots: Sequence[Point], shape: Shape) -> Refusal | None:
    """Why figures that get out of a vehicle may not be put on some points.

    stargrunt.movement.transport-details    within 6 inches of it, at least 1 inch from enemies
    """
    apart = FIGURES.inches("min_distance_to_enemy_in")
    foes = [footprint(one) for one in on_ground(table) if one.side != figures[0].side]
    for one, at in zip(figures, spots, strict=True):
        base = Disc(at, BASE.size // 2)
        if over_edge(base, table.ground):
            return Refusal(EDGES.id, f"{one.label} would not be wholly on the table.")
        if gap(base, shape) > PUT_WITHIN:
            return Refusal(DETAILS.id, f"{one.label} would be more than {inches(PUT_WITHIN)} from the vehicle.")
        if any(gap_floor(base, foe) < apart for foe in foes):
            return Refusal(DETAILS.id, f"{one.label} would come within {inches(apart)} of an enemy.")
        if any(grade(piece.kind, mover(one)) == "impassable" for piece in pieces_at(table.ground, at)):
            return Refusal(COSTS.id, f"{one.label} cannot go there.")
    if crowded(spots, [*others(table, ()), *([shape] if isinstance(shape, Polygon) else [])]):
        return Refusal(BASES.id, "Two bases would overlap.")
    return None


def places_beside(shape: Polygon, wide: int) -> list[Point]:
    """Points around a vehicle on a grid of an inch, the nearest to its middle first."""
    west, north, east, south = box_of(shape)
    middle = Point((west + east) // 2, (north + south) // 2)
    around = [
        Point(x, y)
        for x in range(middle.x - wide, middle.x + wide + 1, UNIT)
        for y in range(middle.y - wide, middle.y + wide + 1, UNIT)
    ]
    return sorted(around, key=lambda at: (center_gap(at, middle), at))


def landing(table: Table, figures: Sequence[Thing], shape: Polygon) -> Point | None:
    """The nearest place beside a vehicle where figures may get out together; none where there is no room."""
    west, north, east, south = box_of(shape)
    wide = max(east - west, south - north) // 2 + PUT_WITHIN
    for at in places_beside(shape, wide):
        if refused_spots(table, figures, block(len(figures), at), shape) is None:
            return at
    return None


def get_out(battle: Battle, step: GetOut) -> Procedure[None]:
    """The figures of a unit leave a vehicle, where their side puts them; without room, wherever there is any.

    stargrunt.vehicles.bailing-out            a crew is a small infantry unit from now on
    stargrunt.vehicles.occupant-casualties    survivors are placed within 6 inches of the wreck
    """
    table = battle.table
    figures = [one for one in aboard(table, step.unit) if one.id not in step.stay]
    if not figures:
        return
    shape = shape_of(table, step.hull)
    at = landing(table, figures, shape)
    if at is None:
        spots = _scattered(table, figures, shape)
    else:
        spots = yield from _where(table[step.unit], figures, shape, at, step.rule)
    _placed(battle, step, figures, spots)


def _where(unit: Thing, figures: Sequence[Thing], shape: Polygon, at: Point, why: RuleId) -> Procedure[list[Point]]:
    """Ask where the middle of a unit comes to stand that gets out."""
    west, north, east, south = box_of(shape)
    reach = max(east - west, south - north) // 2 + PUT_WITHIN + UNIT
    middle = Point((west + east) // 2, (north + south) // 2)
    answer: dict[str, Spot] = yield PlaceThings(
        unit.side,
        f"Where does {unit.label} get out?",
        topic="get-out",
        about=(unit.id, *(one.id for one in figures)),
        things=(unit.id,),
        where={"": Region((Disc(middle, reach),), whole=False, rule=why, label="beside the vehicle")},
        faces=False,
        outlines={unit.id: tuple(Disc(p, BASE.size // 2) for p in block(len(figures), Point(0, 0)))},
        rules=(why, DETAILS.id),
        shows=("odds",),
        default={unit.id: Spot(At(at))},
    )
    where = answer[unit.id].where
    assert isinstance(where, At)
    return block(len(figures), where.point)


def _scattered(table: Table, figures: Sequence[Thing], shape: Polygon) -> list[Point]:
    """A free point for each figure, as near to a vehicle as can be, where there is no room for them together."""
    spots: list[Point] = []
    taken = [*others(table, ()), shape]
    for at in places_beside(shape, max(table.ground.width, table.ground.height)):
        base = Disc(at, BASE.size // 2)
        if len(spots) < len(figures) and not over_edge(base, table.ground) and not crowded([at], [*taken, *spots]):
            spots.append(at)
    return spots


def _placed(battle: Battle, step: GetOut, figures: Sequence[Thing], spots: Sequence[Point]) -> None:
    n = battle.happens(Declared(step.unit, "get out", (step.hull,), rule=step.rule))
    for one, at in zip(figures, spots, strict=True):
        battle.happens(Placed(one.id, At(at), rule=step.rule, because=n))
    hull = battle.table[step.hull]
    if step.stay:
        _part(battle, step, hull, [one.id for one in figures], n)
    elif hull.unit == step.unit and not hull.gone:
        # Whoever else is aboard a carrier without a crew of its own takes the wheel.
        heir = NO_THING if vehicle(hull).own_crew else next(iter(units_aboard(battle.table, hull.id)), NO_THING)
        take_over(battle, hull, heir, n)
    sights(battle, n)


def _part(battle: Battle, step: GetOut, hull: Thing, out: Sequence[ThingId], because: int) -> None:
    """Some of a squad stay aboard its carrier: whichever part is without the leader is a detached element.

    stargrunt.movement.squad-driven-carriers    those aboard drive it
    """
    unit = battle.table[step.unit]
    led_by = leader(battle.table, unit.id)
    if led_by is not None and led_by.id in step.stay:
        detach(battle, unit, out)
    else:
        take_over(battle, hull, detach(battle, unit, step.stay), because)


def judge_get_out(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why figures may not get out so."""
    where = answer[question.things[0]].where
    if not isinstance(where, At) or where.level:
        return Refusal(question.rules[0], "Choose a point on the table.")
    figures = [view.table[name] for name in question.about[1:]]
    place = figures[0].place
    assert isinstance(place, In)
    spots = block(len(figures), where.point)
    return refused_spots(view.table, figures, spots, shape_of(view.table, place.holder))


CHAPTER = Chapter(
    steps={GetOut: get_out},
    judges={"get-out": judge_get_out},
    answers={"get-out": "where the middle of a unit comes to stand that gets out of a vehicle"},
)
