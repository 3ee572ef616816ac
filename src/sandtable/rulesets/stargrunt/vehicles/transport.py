"""Getting into vehicles, and getting out of them as an action of one's own."""

from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, In
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.stargrunt.actions.elements import DETAILS as ELEMENTS
from sandtable.rulesets.stargrunt.actions.elements import merge
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.forces.cards import squad, vehicle
from sandtable.rulesets.stargrunt.movement.moves import leaves_position
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    ELEMENT,
    carrier_of,
    elements,
    fit,
    is_element,
    suppressed,
    with_unit,
)
from sandtable.rulesets.stargrunt.vehicles.getting_out import (
    BAILING_OUT,
    DRIVEN_BY_SQUAD,
    GetOut,
    aboard,
    landing,
    take_over,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import (
    CREW,
    DETAILS,
    IMMOBILISED,
    PASSENGERS,
    footprint,
    hulls,
    outline,
    room_in,
    spaces,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit, none_open

EMBARKING = rule("stargrunt.movement.transport")
SUPPRESSED = rule("stargrunt.actions.suppression-of-vehicles")

#: How near figures must be to get in.
REACH = EMBARKING.inches("distance_in")


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


def hull_name(unit: str) -> ThingId:
    """What the hull of a vehicle with its own crew is called."""
    return ThingId(f"{unit}-hull")


def carriers(table: Table, unit: Thing) -> list[Option]:
    """The vehicles of its side that a unit may think of getting into."""
    found = []
    for hull in hulls(table):
        data = vehicle(hull)
        wanted = is_own(unit, hull) if squad(unit).vehicle is not None else data.passengers > 0
        if hull.side != unit.side or not isinstance(hull.place, At) or hull.has(AIRBORNE) or not wanted:
            continue
        found.append(Option(hull.id, hull.label, (hull.id,), (EMBARKING.id, DETAILS.id)))
    return found


def carrier_refused(table: Table, unit: Thing, hull: str) -> Refusal | None:
    """Why a unit may not get into a vehicle."""
    return may_board(table, unit, table[hull])


def _no_carrier(table: Table, unit: Thing) -> Refusal | None:
    return none_open(carriers(table, unit), partial(carrier_refused, table, unit))


def embark(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A squad gets into a carrier, or a crew back into its vehicle.

    stargrunt.movement.squad-driven-carriers    whoever is in a carrier without a crew of its own drives it
    stargrunt.cover.leaving-position            who is In Position gets out of it first
    """
    chosen = yield ChooseOne(
        unit.side,
        f"Which vehicle does {unit.label} get into?",
        topic="carrier",
        about=(unit.id,),
        options=tuple(carriers(battle.table, unit)),
        rules=(EMBARKING.id, DETAILS.id),
        shows=("distance", "odds"),
    )
    hull = battle.table[chosen]
    if not leaves_position(battle, unit):
        return Outcome(failed=True)
    n = battle.happens(Declared(unit.id, "embark", (hull.id,), rule=EMBARKING.id, detail=citing(DETAILS)))
    board(battle, unit.id, hull, n)
    return Outcome()


def board(battle: Battle, unit: ThingId, hull: Thing, because: int) -> None:
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
    stay: tuple[ThingId, ...] = ()
    if may_part(battle.table, unit, hull):
        able = fit(battle.table, unit.id)
        stay = yield ChooseSeveral(
            unit.side,
            f"Who stays aboard {hull.label}?",
            deed=f"Leave {{}} aboard {hull.label}",
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


def _may_get_out(table: Table, unit: Thing) -> bool:
    """Passengers get out when they like; a crew stays unless its vehicle cannot move any more."""
    hull = carrier_of(table, unit.id)
    return hull is not None and (not is_own(unit, hull) or hull.has(IMMOBILISED))


def _crews_stay(table: Table, unit: Thing) -> Refusal | None:
    hull = carrier_of(table, unit.id)
    if hull is None or _may_get_out(table, unit):
        return None
    return Refusal(BAILING_OUT.id, f"{unit.label} gets out of its own will only when {hull.label} is immobilised.")


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
            barred=_crews_stay,
        ),
    ),
    refusals={"carrier": by_unit(carrier_refused)},
    answers={
        "carrier": "the vehicle a unit gets into",
        "stay": "the figures that stay aboard the carrier their squad gets out of",
    },
)
same_number("what loading a squad costs", CHAPTER.actions[0].cost, EMBARKING.number("cost"))
