"""Aircraft come down: emergency landings, crashes, and what becomes of those aboard."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost, Moved
from sandtable.engine.ids import ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.ground import pieces_under
from sandtable.field.measure import outline_of, overlap
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.aerospace.flying import SOLID
from sandtable.rulesets.stargrunt.aerospace.sorties import lose
from sandtable.rulesets.stargrunt.artillery.bursts import Bombardment, Impact
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.fire.wounds import wound
from sandtable.rulesets.stargrunt.obstacles.mines import unnerve_all
from sandtable.rulesets.stargrunt.units.record import AIRBORNE, GROUNDED, HOVERING, on_ground, quality_die, spot
from sandtable.rulesets.stargrunt.vehicles.getting_out import GetOut
from sandtable.rulesets.stargrunt.vehicles.hits import wreck
from sandtable.rulesets.stargrunt.vehicles.hulls import footprint, occupants
from sandtable.rulesets.stargrunt.vehicles.transport import hull_name
from sandtable.tabletop.states import take

AT_AIRCRAFT = rule("stargrunt.aerospace.fire-at-aircraft")
EMERGENCY = rule("stargrunt.aerospace.emergency-landing")


class ComesDown(Step, frozen=True):
    """A disabled craft makes an emergency landing."""

    unit: str


class Shaken(Step, frozen=True):
    """Those aboard a craft that crash-landed, one after the other."""

    unit: str
    left: tuple[ThingId, ...]
    hurt: tuple[str, ...] = ()


class Unsettled(Step, frozen=True):
    """Those hurt in an emergency landing are counted, when all have got out."""

    hurt: tuple[str, ...]


def crash(battle: Battle, unit: str, because: int, at: Point | None = None) -> None:
    """A craft crashes with a burst, and all aboard die (stargrunt.aerospace.fire-at-aircraft)."""
    hull = battle.table[hull_name(unit)]
    point = spot(hull) if at is None else at
    radius, die = AT_AIRCRAFT.inches("crash", "radius_in"), AT_AIRCRAFT.number("crash", "impact")
    for one in occupants(battle.table, hull.id):
        battle.happens(ModelLost(one.id, "killed", rule=AT_AIRCRAFT.id, because=because))
    battle.happens(ModelLost(hull.id, "destroyed", rule=AT_AIRCRAFT.id, because=because))
    battle.push(Bombardment(unit, point, point, radius, Impact(die, die, 1, 1), "crash", 1))


def lands_at(battle: Battle, hull: Thing) -> tuple[Point, int]:
    """Where a disabled craft comes down: below if it hovers, else twice a D12 of inches ahead."""
    if hull.has(HOVERING):
        return spot(hull), 0
    die = EMERGENCY.text_at("distance").rpartition(" ")[-1]
    score, n = plain_roll(battle, "coming down", hull.id, die, EMERGENCY)
    return along(spot(hull), hull.facing, EMERGENCY.formula("distance") * score * UNIT), n


def hits_solid(table: Table, hull: Thing, at: Point) -> bool:
    """Whether a craft would come down on something solid, or on a vehicle."""
    assert hull.base is not None
    shape = outline_of(hull.base, at, hull.facing)
    if any(piece.kind in SOLID for piece in pieces_under(table.ground, shape)):
        return True
    return any(overlap(shape, footprint(one)) for one in on_ground(table) if one.id != hull.id)


def comes_down(battle: Battle, step: ComesDown) -> Procedure[None]:
    """An emergency landing: on a 1 the craft is destroyed, on 2 or 3 it crash-lands, else everyone is safe.

    stargrunt.aerospace.emergency-landing    something solid destroys it in any case
    """
    yield from ()
    hull = battle.table[hull_name(step.unit)]
    at, n = lands_at(battle, hull)
    assert hull.base is not None
    if over_edge(outline_of(hull.base, at, hull.facing), battle.table.ground):
        lose(battle, step.unit, "left the table", EMERGENCY, n)
        return
    if hits_solid(battle.table, hull, at):
        crash(battle, step.unit, n, at)
        return
    score, n = plain_roll(
        battle, "emergency landing", step.unit, f"d{quality_die(battle.table[step.unit])}", EMERGENCY, because=n
    )
    if score in EMERGENCY.numbers("destroyed"):
        crash(battle, step.unit, n, at)
        return
    n = battle.happens(Moved(hull.id, hull.place, At(at), hull.facing, manner="fallen", rule=EMERGENCY.id, because=n))
    for state in (AIRBORNE, HOVERING, GROUNDED):
        take(battle, hull.id, state, EMERGENCY, n)
    aboard = tuple(one.id for one in occupants(battle.table, hull.id)) if score in EMERGENCY.numbers("crash") else ()
    wreck(battle, battle.table[hull.id], "disabled", n)
    battle.push(Shaken(step.unit, aboard))


def shaken(battle: Battle, step: Shaken) -> Procedure[None]:
    """Each of those aboard a craft that crash-landed rolls for itself; then they get out."""
    yield from ()
    if not step.left:
        hull = battle.table[hull_name(step.unit)]
        units = dict.fromkeys(one.unit for one in occupants(battle.table, hull.id))
        after = [Unsettled(step.hurt)] if step.hurt else []
        battle.push(*(GetOut(unit, hull.id, EMERGENCY.id) for unit in units), *after)
        return
    (figure, *rest), hurt = step.left, step.hurt
    score, n = plain_roll(battle, "aboard", figure, f"d{EMERGENCY.number('occupant', 'die')}", EMERGENCY)
    if score in EMERGENCY.numbers("occupant", "dead") or score in EMERGENCY.numbers("occupant", "wounded"):
        if wound(battle, figure, score in EMERGENCY.numbers("occupant", "dead"), False, n, EMERGENCY):
            hurt = (*hurt, figure)
    battle.push(Shaken(step.unit, tuple(rest), hurt))


def unsettled(battle: Battle, step: Unsettled) -> Procedure[None]:
    """A craft that was shot down has cost casualties by fire: new leaders, and the Confidence Tests they call for."""
    yield from unnerve_all(battle, step.hurt)
