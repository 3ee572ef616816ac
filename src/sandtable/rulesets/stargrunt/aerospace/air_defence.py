"""Fire at aircraft: acquiring, evading, and hits."""

from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Moved
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.aerospace.coming_down import AT_AIRCRAFT, ComesDown, crash
from sandtable.rulesets.stargrunt.aerospace.flying import refused_air
from sandtable.rulesets.stargrunt.aerospace.sorties import ALOFT, lose
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.confidence.levels import confidence_test
from sandtable.rulesets.stargrunt.cover.protection import WOODS, centre_point, within_wood
from sandtable.rulesets.stargrunt.dice.rolls import one_die, opposed_roll, several, shifted, shifted_die
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, GUN, Arm, arm_of, arms
from sandtable.rulesets.stargrunt.fire.heavy import arm_refused, refused_arc
from sandtable.rulesets.stargrunt.fire.one_weapon import Shoot, roll_to_hit
from sandtable.rulesets.stargrunt.fire.resolution import note_fired, note_fired_upon
from sandtable.rulesets.stargrunt.fire.shots import refused_by_nerve
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.observation.counters import enemy_counters
from sandtable.rulesets.stargrunt.obstacles.decoys import drawn_away
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED
from sandtable.rulesets.stargrunt.units.record import HOVERING, airborne, enemies, hull_of, on_table, quality_die, spot
from sandtable.rulesets.stargrunt.vehicles.hits import Blow, result_of, strike
from sandtable.rulesets.stargrunt.vehicles.hulls import LEVELS, armour_of, ecm_die, face_hit
from sandtable.tabletop.checks import Check
from sandtable.tabletop.states import END_OF_TURN, give, take

#: Whose weapons are made to fire at aircraft, as the scenario says.
ANTI_AIR = "anti-air"
EVADE, STAY = "evade", "stay"
#: The actions of fire that are not made at aircraft.
AT_THE_GROUND = ("fire", "fire-support", "fire-heavy")


class AtAircraft(Step, frozen=True):
    """A weapon is fired at a craft in the air."""

    firer: str
    weapon: str
    target: str


# Pure questions ----------------------------------------------------------------------------------------------------


def aircraft(table: Table, side: Side) -> list[Thing]:
    """The enemy units that are in the air."""
    return [unit for unit in on_table(table) if unit.side != side and airborne(table, unit.id)]


class Tracking(NamedTuple):
    """The system die with which a weapon follows a craft."""

    die: int
    parts: tuple[ExplainedPart, ...]


def tracking(unit: Thing, arm: Arm) -> Tracking:
    """The die of a weapon against a craft: its fire control or guidance, one type lower if not made for it."""
    parts = (arm.part,)
    if unit.has(ANTI_AIR):
        return Tracking(arm.die, parts)
    shift = AT_AIRCRAFT.number("not_anti_air_shift")
    return Tracking(shifted(arm.die, shift), (*parts, ExplainedPart("not made for it", shift, AT_AIRCRAFT.id)))


def can_track(unit: Thing, arm: Arm) -> bool:
    """Whether a weapon can fire at aircraft at all: it has fire control or guidance."""
    return arm.kind == GUIDED or (arm.kind == GUN and arm.die > LEVELS.number("none"))


def trackers(table: Table, unit: Thing) -> list[Arm]:
    """The weapons of a unit that can fire at aircraft."""
    return [arm for arm in arms(table, unit) if can_track(unit, arm)]


def refused_at(table: Table, unit: Thing, arm: Arm) -> Refusal | None:
    """Why a weapon may not fire at aircraft now."""
    if within_wood(table, unit.id):
        return Refusal(WOODS.id, f"{unit.label} is within a wood: no direct fire out of it.")
    return arm_refused(table, unit, arm)


def craft(table: Table, unit: Thing) -> list[Option]:
    """The enemy craft in the air."""
    return [Option(one.id, one.label, (one.id,), (AT_AIRCRAFT.id,)) for one in aircraft(table, unit.side)]


def refused_craft(table: Table, unit: Thing, arm: Arm, name: str) -> Refusal | None:
    """Why a weapon may not be fired at a craft: nerve, or it does not bear."""
    refusal = refused_by_nerve(table, unit, (name,), f"{table[name].label} has not fired on it")
    return refusal or refused_arc(hull_of(table, unit.id), arm, centre_point(table, name), table[name].label)


def not_at_craft(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a craft in the air is no target of fire that is not made at aircraft."""
    unit = view.table[question.about[0]]
    if answer not in [one.id for one in aircraft(view.table, unit.side)]:
        return None
    return _only_tracked(view.table[answer])


def only_craft(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """Why a unit cannot fire as at the ground where all its enemies are in the air."""
    flying = aircraft(table, unit.side) if action.id in AT_THE_GROUND else []
    if not flying or enemies(table, unit.side) or enemy_counters(table, unit.side):
        return None
    return _only_tracked(flying[0])


def _only_tracked(there: Thing) -> Refusal:
    told = f"{there.label} is in the air: only weapons with fire control or guidance fire at it, as at an aircraft."
    return Refusal(AT_AIRCRAFT.id, told)


SHOOT = Shoot("air-weapon", "aircraft", "At which aircraft?", AT_AIRCRAFT, trackers, refused_at, craft, refused_craft)


def evasion(table: Table, hull: Thing) -> Spot | None:
    """A lawful way out for a craft that evades, straight ahead if there is room: at least 24 inches off."""
    far = AT_AIRCRAFT.inches("evade_move_in")
    for turn in range(0, 360, 15):
        put = Spot(At(along(spot(hull), hull.facing + turn, far + UNIT), ALOFT), hull.facing)
        if refused_evasion(table, hull, put) is None:
            return put
    return None


def refused_evasion(table: Table, hull: Thing, put: Spot) -> Refusal | None:
    """Why a craft may not evade so."""
    refusal = refused_air(table, hull, put)
    far = AT_AIRCRAFT.inches("evade_move_in")
    if refusal is None and isinstance(put.where, At) and center_gap(spot(hull), put.where.point) < far * far:
        return Refusal(AT_AIRCRAFT.id, f"{hull.label} has to move at least {far // UNIT} inches.")
    return refusal


# Firing ------------------------------------------------------------------------------------------------------------


def fires(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One weapon at one craft."""
    weapon, target = yield from SHOOT.ask(battle, unit)
    return Outcome(then=(AtAircraft(unit.id, weapon, target),))


def at_aircraft(battle: Battle, step: AtAircraft) -> Procedure[None]:
    """Acquire it, see whether it shakes the weapon off, and fire.

    stargrunt.aerospace.fire-at-aircraft    the system die against ECM, then the pilot's Quality against the system die
    """
    table, firer = battle.table, battle.table[step.firer]
    hull = hull_of(table, step.target)
    assert hull is not None
    arm = arm_of(table, firer, step.weapon)
    n = battle.happens(Declared(firer.id, "fire", (step.target,), (arm.id,), rule=AT_AIRCRAFT.id))
    note_fired(battle, firer, False, (arm.id,), n)
    note_fired_upon(battle, firer, battle.table[step.target], n)
    track = tracking(firer, arm)
    held = opposed_roll(battle, *acquiring(firer, track, hull), AT_AIRCRAFT, because=n, outcome=held_or_lost)
    if not held.succeeds or (yield from _evades(battle, step, hull, track, held.n)):
        return
    missile = arm if arm.kind == GUIDED else None
    if (yield from drawn_away(battle, firer, table[step.target], missile, held.n)):
        return
    hull = battle.table[hull.id]
    theirs = ecm_of(hull)
    tracking_arm = replace(arm, die=track.die, part=track.parts[-1])
    hit, n = yield from roll_to_hit(battle, firer, tracking_arm, theirs, hull.label, held.n)
    if hit != "fail":
        _hit(battle, step, hull, Blow(arm.impact, arm.multiplier, arm.size, hit == "major"), n)


def acquiring(firer: Thing, track: Tracking, hull: Thing) -> tuple[Check, Check]:
    """The system die of a weapon against the ECM of a craft."""
    return one_die("acquire", firer.id, track.die, track.parts), one_die("ecm", hull.id, ecm_die(hull))


def held_or_lost(mine: int, theirs: int) -> str:
    return "it is held" if mine > theirs else "it is lost"


def ecm_of(hull: Thing) -> Check:
    """What a craft throws against fire: its ECM die, easier to beat where it hovers."""
    shift = AT_AIRCRAFT.number("hovering_shift") if hull.has(HOVERING) else 0
    die, parts = shifted_die("ECM", ecm_die(hull), LEVELS, ExplainedPart("hovering", shift, AT_AIRCRAFT.id))
    return several("ecm", hull.id, (die,), parts, AT_AIRCRAFT)


def shaking_off(pilot: Thing, firer: str, track: Tracking) -> tuple[Check, Check]:
    """The Quality of a pilot who evades against the system die."""
    return one_die("evasion", pilot.id, quality_die(pilot)), one_die("tracking", firer, track.die, track.parts)


def shaken_off(mine: int, theirs: int) -> str:
    return "it shakes it off" if mine > theirs else "it is still held"


def _evades(battle: Battle, step: AtAircraft, hull: Thing, track: Tracking, because: int) -> Procedure[bool]:
    """The pilot may evade: 24 inches at once, and the Quality die against the system die; whether it works."""
    way = evasion(battle.table, hull)
    if way is None:
        return False
    chosen = yield ChooseOne(
        hull.side,
        f"{hull.label} is held: evade?",
        topic="evade",
        about=(step.target, step.firer),
        options=(
            Option(EVADE, "Evade", (hull.id,), (AT_AIRCRAFT.id,)),
            Option(STAY, "Fly on", (hull.id,), (AT_AIRCRAFT.id,)),
        ),
        rules=(AT_AIRCRAFT.id,),
        shows=("odds",),
        default=STAY,
    )
    if chosen == STAY:
        return False
    answer: dict[str, Spot] = yield PlaceThings(
        hull.side,
        f"Where does {hull.label} evade to?",
        topic="evasion",
        about=(step.target,),
        things=(hull.id,),
        rules=(AT_AIRCRAFT.id,),
        default={hull.id: way},
    )
    put, pilot = answer[hull.id], battle.table[step.target]
    assert isinstance(put.where, At)
    to = At(put.where.point, ALOFT)
    n = battle.happens(Moved(hull.id, hull.place, to, put.facing, rule=AT_AIRCRAFT.id, because=because))
    take(battle, hull.id, HOVERING, AT_AIRCRAFT, n)
    if not pilot.has(ACTIVATED):
        give(battle, pilot.id, ACTIVATED, AT_AIRCRAFT, until=END_OF_TURN, because=n)
    shaking = shaking_off(pilot, step.firer, track)
    rolled = opposed_roll(battle, *shaking, AT_AIRCRAFT, because=n, outcome=shaken_off)
    return rolled.succeeds


def _hit(battle: Battle, step: AtAircraft, hull: Thing, blow: Blow, because: int) -> None:
    """A hit: short of disabling the pilot's nerve is tried; disabled it has to come down, destroyed it crashes."""
    armour = armour_of(vehicle(hull), face_hit(hull, centre_point(battle.table, step.firer)))
    impact, held, n = strike(battle, step.firer, hull.id, armour, blow, (), because)
    result = result_of(impact, held)
    if result == "destroyed":
        crash(battle, step.target, n)
    elif result == "disabled":
        battle.push(ComesDown(step.target))
    else:
        threat = ExplainedPart("hit in the air", AT_AIRCRAFT.number("confidence_threat"), AT_AIRCRAFT.id)
        if not confidence_test(battle, step.target, (threat,), n):
            lose(battle, step.target, "left the table", AT_AIRCRAFT, n)


def judge_evasion(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Whether a craft may evade so."""
    hull = view.table[question.things[0]]
    return refused_evasion(view.table, hull, answer[hull.id])


ACTION = Action(
    id="fire-at-aircraft",
    entry="fire_support_or_heavy_weapon",
    label="Fire at an aircraft",
    rule=AT_AIRCRAFT,
    carry_out=fires,
    shown=lambda table, unit: (
        out_there(table, unit) and bool(aircraft(table, unit.side)) and bool(trackers(table, unit))
    ),
    refused=SHOOT.impossible,
)
