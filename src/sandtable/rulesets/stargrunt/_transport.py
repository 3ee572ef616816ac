"""Getting into vehicles and out of them: embarking, disembarking, bailing out, and leaving a wreck."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Grouped, Placed
from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Point, Polygon, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.encounters import over_edge
from sandtable.field.ground import box_of, pieces_at
from sandtable.field.measure import center_gap, gap, gap_floor
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt._chapter import Action, Activate, Chapter, Outcome, on_foot
from sandtable.rulesets.stargrunt._elements import DETAILS as ELEMENTS
from sandtable.rulesets.stargrunt._elements import detach, merge
from sandtable.rulesets.stargrunt._hulls import (
    CREW,
    DETAILS,
    PASSENGERS,
    footprint,
    hulls,
    outline,
    room_in,
    spaces,
    units_aboard,
)
from sandtable.rulesets.stargrunt.confidence import sights
from sandtable.rulesets.stargrunt.cover import WRECK
from sandtable.rulesets.stargrunt.dice import agree, also
from sandtable.rulesets.stargrunt.forces import squad, vehicle
from sandtable.rulesets.stargrunt.movement import EDGES, FIGURES, crowded, grade, mover, others
from sandtable.rulesets.stargrunt.units import (
    AIRBORNE,
    BASE,
    ELEMENT,
    UNIT_AND_ELEMENT,
    block,
    carrier_of,
    elements,
    fit,
    is_element,
    leader,
    on_ground,
    suppressed,
    with_unit,
)

EMBARKING = rule("stargrunt.movement.transport")
DRIVEN_BY_SQUAD = rule("stargrunt.movement.squad-driven-carriers")
BAILING_OUT = rule("stargrunt.vehicles.bailing-out")
SUPPRESSED = rule("stargrunt.actions.suppression-of-vehicles")
LIST = rule("stargrunt.actions.list")

#: How near figures must be to get in, and how near they are put when they get out.
REACH = EMBARKING.inches("distance_in")
PUT_WITHIN = DETAILS.inches("disembark_in")
agree("what loading a squad costs", EMBARKING.number("cost"), 1)
agree("a carrier is measured to its edge", DETAILS.text_at("measured"), "vehicle_edge")


class GetOut(Step, frozen=True):
    """Everybody of a unit who is aboard a vehicle, or its wreck, gets out of it, but for those who stay to drive."""

    unit: str
    hull: str
    rule: str
    stay: tuple[str, ...] = ()


# Getting in --------------------------------------------------------------------------------------------------------


def may_board(table: Table, unit: Thing, hull: Thing) -> Refusal | None:
    """Why a unit on foot may not get into a vehicle of its side.

    stargrunt.movement.transport            all its figures within 6 inches
    stargrunt.movement.transport-details    measured to the nearest edge, and room for all of them
    stargrunt.vehicles.bailing-out          its own crew may man it again
    """
    own = is_own(unit, hull)
    if not own and hull.unit == "" and vehicle(hull).own_crew:
        return Refusal(BAILING_OUT.id, f"Only its own crew may man {hull.label}.")
    figures = with_unit(table, unit.id)
    far = [one for one in figures if gap(footprint(one), outline(hull)) > REACH]
    if far:
        return Refusal(EMBARKING.id, f"{far[0].label} is more than {inches(REACH)} from {hull.label}.")
    if not own and spaces(figures) > room_in(table, hull):
        sentence = f"{hull.label} has {room_in(table, hull)} spaces left; {unit.label} needs {spaces(figures)}."
        return Refusal(DETAILS.id, sentence)
    return None


def is_own(unit: Thing, hull: Thing) -> bool:
    """Whether a vehicle is the one that a crew came with."""
    return hull.id == hull_name(unit.id)


def hull_name(unit: str) -> str:
    """What the hull of a vehicle with its own crew is called."""
    return f"{unit}-hull"


def carriers(table: Table, unit: Thing) -> list[Option]:
    """The vehicles of its side that a unit may think of getting into, and why not into each."""
    found = []
    for hull in hulls(table):
        data = vehicle(hull)
        wanted = is_own(unit, hull) if squad(unit).vehicle is not None else data.passengers > 0
        if hull.side != unit.side or not isinstance(hull.place, At) or hull.has(AIRBORNE) or not wanted:
            continue
        refusal = may_board(table, unit, hull)
        rules = (refusal.rule,) if refusal else (EMBARKING.id, DETAILS.id)
        found.append(Option(hull.id, hull.label, (hull.id,), rules, refusal.sentence if refusal else ""))
    return found


def _no_carrier(table: Table, unit: Thing) -> Refusal | None:
    seen = carriers(table, unit)
    if all(option.refused for option in seen):
        return Refusal(seen[0].rules[0], seen[0].refused)
    return None


def embark(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A squad gets into a carrier, or a crew back into its vehicle.

    stargrunt.movement.squad-driven-carriers    whoever is in a carrier without a crew of its own drives it
    """
    chosen = yield ChooseOne(
        unit.side,
        f"Which vehicle does {unit.label} get into?",
        topic="carrier",
        about=(unit.id,),
        options=tuple(carriers(battle.table, unit)),
        rules=(EMBARKING.id, DETAILS.id),
        shows=("distance",),
    )
    hull = battle.table[chosen]
    n = battle.happens(Declared(unit.id, "embark", (hull.id,), rule=EMBARKING.id, detail=also(DETAILS)))
    board(battle, unit.id, hull, n)
    return Outcome()


def board(battle: Battle, unit: str, hull: Thing, because: int) -> None:
    """Put a unit into a vehicle; it drives it where it is its own, or has no crew."""
    own = is_own(battle.table[unit], hull)
    slot = CREW if own else PASSENGERS
    why = BAILING_OUT if own else EMBARKING
    for one in with_unit(battle.table, unit):
        battle.happens(Placed(one.id, In(hull.id, slot), rule=why.id, because=because))
    if own or (not hull.unit and not vehicle(hull).own_crew):
        take_over(battle, hull, unit, because)
    driver = battle.table.things.get(hull.unit)
    if driver is not None and driver.value(ELEMENT) == unit:
        merge(battle, driver, unit)


def take_over(battle: Battle, hull: Thing, unit: str, because: int) -> None:
    """A unit drives a vehicle from now on; nobody does where none is named."""
    own = vehicle(hull).own_crew
    why = BAILING_OUT if own else DRIVEN_BY_SQUAD
    battle.happens(Grouped((hull.id,), unit, rule=why.id, because=because, detail=also(UNIT_AND_ELEMENT)))


# Getting out -------------------------------------------------------------------------------------------------------


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
            return Refusal(DETAILS.id, f"{one.label} cannot stand there.")
    if crowded(spots, [*others(table, ()), *([shape] if isinstance(shape, Polygon) else [])]):
        return Refusal(DETAILS.id, "Two bases would overlap.")
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


def _where(unit: Thing, figures: Sequence[Thing], shape: Polygon, at: Point, why: str) -> Procedure[list[Point]]:
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
        heir = "" if vehicle(hull).own_crew else next(iter(units_aboard(battle.table, hull.id)), "")
        take_over(battle, hull, heir, n)
    sights(battle, n)


def _part(battle: Battle, step: GetOut, hull: Thing, out: Sequence[str], because: int) -> None:
    """Some of a squad stay aboard its carrier: whichever part is without the leader is a detached element.

    stargrunt.movement.squad-driven-carriers    those aboard drive it
    """
    unit = battle.table[step.unit]
    led_by = leader(battle.table, unit.id)
    if led_by is not None and led_by.id in step.stay:
        detach(battle, unit, out)
    else:
        take_over(battle, hull, detach(battle, unit, step.stay), because)


def refused_disembark(table: Table, unit: Thing) -> Refusal | None:
    """Why those aboard a vehicle may not get out of it now.

    stargrunt.actions.suppression-of-vehicles    nobody leaves a suppressed vehicle
    stargrunt.movement.transport-details         if they do not all fit they stay aboard
    """
    hull = carrier_of(table, unit.id)
    assert hull is not None
    if not isinstance(hull.place, At):
        return Refusal(DETAILS.id, f"{hull.label} has not entered yet.")
    if hull.unit and suppressed(table[hull.unit]):
        return Refusal(SUPPRESSED.id, f"{hull.label} is suppressed: nobody leaves it.")
    if hull.has(AIRBORNE):
        return Refusal(DETAILS.id, f"{hull.label} is in the air.")
    if landing(table, aboard(table, unit.id), outline(hull)) is None:
        return Refusal(DETAILS.id, f"There is no room to get out of {hull.label}.")
    return None


def disembark(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A squad gets out of its carrier; it may use its second action (stargrunt.movement.transport-details).

    stargrunt.movement.squad-driven-carriers    some may stay to drive a carrier without a crew of its own
    """
    hull = carrier_of(battle.table, unit.id)
    assert hull is not None
    stay: tuple[str, ...] = ()
    if may_part(battle.table, unit, hull):
        able = fit(battle.table, unit.id)
        stay = yield ChooseSeveral(
            unit.side,
            f"Who stays aboard {hull.label}?",
            topic="stay",
            about=(unit.id,),
            options=tuple(Option(one.id, one.label, (one.id,), (DRIVEN_BY_SQUAD.id,)) for one in able),
            at_most=len(able) - 1,
            rules=(DRIVEN_BY_SQUAD.id,),
            default=(),
        )
    why = BAILING_OUT if is_own(unit, hull) else DETAILS
    return Outcome(then=(GetOut(unit.id, hull.id, why.id, tuple(stay)),))


def may_part(table: Table, unit: Thing, hull: Thing) -> bool:
    """Whether a squad that gets out of the carrier it drives may leave some of its figures aboard."""
    parts = len(elements(table, unit.id)) < ELEMENTS.number("max_per_unit") and not is_element(unit)
    return hull.unit == unit.id and not vehicle(hull).own_crew and parts and len(fit(table, unit.id)) > 1


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


def _may_get_out(table: Table, unit: Thing) -> bool:
    """Passengers get out when they like; a crew stays unless its vehicle cannot move any more."""
    hull = carrier_of(table, unit.id)
    return hull is not None and (not is_own(unit, hull) or hull.has("immobilised"))


CHAPTER = Chapter(
    actions=(
        Action(
            id="embark",
            entry="embark_or_disembark",
            label="Get into a vehicle",
            rule=EMBARKING,
            carry_out=embark,
            shown=lambda table, unit: on_foot(table, unit) and bool(carriers(table, unit)),
            refused=_no_carrier,
        ),
        Action(
            id="disembark",
            entry="embark_or_disembark",
            label="Get out",
            rule=DETAILS,
            carry_out=disembark,
            shown=_may_get_out,
            refused=refused_disembark,
        ),
    ),
    steps={GetOut: get_out},
    judges={"get-out": judge_get_out},
    answers={
        "carrier": "the vehicle a unit gets into",
        "stay": "the figures that stay aboard the carrier their squad gets out of",
        "get-out": "where the middle of a unit comes to stand that gets out of a vehicle",
    },
)
