"""The fire of vehicles, gun crews and missile launchers: with which weapon, at whom, and how likely it is to tell."""

from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.aerospace.arcs import refused_from_air
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_table, passengers_do_not
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.fire.armament import (
    BROUGHT,
    BY_TARGET_SIZE,
    CREW_SERVED,
    GUIDED,
    GUN_STATE,
    HEAVY_DICE,
    MISSILE_DICE,
    TARGET_SIZE,
    Arm,
    arm_of,
    arms,
    gun_of,
    rounds,
    works,
)
from sandtable.rulesets.stargrunt.fire.shots import DECLARING, FIRE_LIMIT, FireAction, has_had_its_shot, refused_target
from sandtable.rulesets.stargrunt.units.record import AIRBORNE, enemies, hull_of, suppressed
from sandtable.rulesets.stargrunt.vehicles.hits import AS_UNITS
from sandtable.rulesets.stargrunt.vehicles.hulls import ARCS, SYSTEMS_HIT, bears
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit, none_open

OPEN_WEAPONS = rule("stargrunt.actions.suppression-of-vehicles")


def arm_refused(table: Table, unit: Thing, arm: Arm) -> Refusal | None:
    """Why a weapon may not fire now, whatever the target.

    stargrunt.actions.fire-limit                 each weapon once a turn
    stargrunt.vehicles.as-units                  so too those of a vehicle
    stargrunt.actions.suppression-of-vehicles    nobody works an open weapon of a suppressed vehicle
    stargrunt.vehicles.systems-hit               nothing fires while the systems are off-line
    """
    hull = hull_of(table, unit.id)
    if not works(hull):
        return Refusal(SYSTEMS_HIT.id, f"The systems of {unit.label} are off-line.")
    if has_had_its_shot(unit, arm.id):
        also = (AS_UNITS.id,) if hull is not None else ()
        return Refusal(FIRE_LIMIT.id, f"The {arm.label} of {unit.label} has fired this turn.", also)
    if hull is not None and arm.mount == "open" and suppressed(unit):
        return Refusal(OPEN_WEAPONS.id, f"{unit.label} is suppressed: nobody works the open {arm.label}.")
    if rounds(arm) and not table[arm.bearer].count(rounds(arm)):
        return Refusal(BROUGHT[GUIDED].id, f"The {arm.label} of {unit.label} has no rounds left.")
    return None


def refused_arc(hull: Thing | None, arm: Arm, at: Point, label: str) -> Refusal | None:
    """Why a weapon of a vehicle does not bear on a point; craft in the air have arcs of their own."""
    if hull is None:
        return None
    if hull.has(AIRBORNE):
        return refused_from_air(hull, arm, at, label)
    if not bears(hull, arm.mount, at):
        return Refusal(ARCS.id, f"The {arm.label} of {hull.label} does not bear on {label}.")
    return None


def target_refused(table: Table, unit: Thing, foe: Thing, arm: Arm) -> Refusal | None:
    """Why a weapon may not be fired at a target.

    stargrunt.vehicles.fire-arcs          it must bear
    stargrunt.fire.guided-missile-dice    missiles are for point targets
    """
    if arm.kind == GUIDED and hull_of(table, foe.id) is None:
        return Refusal(MISSILE_DICE.id, f"{foe.label} is no point target for a {arm.label}.")
    hull = hull_of(table, unit.id)
    refusal = refused_arc(hull, arm, centre_point(table, foe.id), foe.label)
    return refusal or refused_target(table, unit, foe, arm)


def weapons(table: Table, unit: Thing) -> list[Option]:
    """The weapons of a unit."""
    return [Option(arm.id, arm.label, (unit.id,), (arm.rule.id, BROUGHT[arm.kind].id)) for arm in arms(table, unit)]


def weapon_refused(table: Table, unit: Thing, weapon: str) -> Refusal | None:
    """Why a weapon of a unit may not fire: by itself, or at anybody."""
    arm = arm_of(table, unit, weapon)
    refusal = arm_refused(table, unit, arm)
    if refusal is not None:
        return refusal
    seen = targets(table, unit, arm)
    if not seen:
        return Refusal(DECLARING.id, "No enemy is on the table.")
    return none_open(seen, lambda foe: target_refused(table, unit, table[foe], arm))


def targets(table: Table, unit: Thing, arm: Arm) -> list[Option]:
    """The enemy units."""
    return [Option(foe.id, foe.label, (foe.id,), (DECLARING.id, arm.rule.id)) for foe in enemies(table, unit.side)]


def _target_judged(view: View, question: ChooseOne, option: Option) -> Refusal | None:
    table, (name, weapon) = view.table, question.about
    return target_refused(table, table[name], table[option.id], arm_of(table, table[name], weapon))


def _refused(table: Table, unit: Thing) -> Refusal | None:
    return none_open(weapons(table, unit), partial(weapon_refused, table, unit))


def _not_set_up(table: Table, unit: Thing) -> Refusal | None:
    gun = gun_of(unit)
    if gun is None:
        return passengers_do_not(table, unit)
    return Refusal(CREW_SERVED.id, f"The {gun.label} of {unit.label} is {unit.value(GUN_STATE)}.")


def _fires(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One weapon at one target (stargrunt.vehicles.as-units)."""
    chosen = yield ChooseOne(
        unit.side,
        f"Which weapon of {unit.label} fires?",
        topic="heavy-weapon",
        about=(unit.id,),
        options=tuple(weapons(battle.table, unit)),
        rules=(HEAVY_DICE.id, AS_UNITS.id),
    )
    by_target = [BY_TARGET_SIZE.id] if battle.table.options.get(TARGET_SIZE) else []
    arm = arm_of(battle.table, unit, chosen)
    target = yield ChooseOne(
        unit.side,
        f"The {arm.label} of {unit.label} fires at whom?",
        topic="heavy-target",
        about=(unit.id, chosen),
        options=tuple(targets(battle.table, unit, arm)),
        rules=(DECLARING.id, arm.rule.id, *by_target),
        shows=("distance", "sight", "odds"),
    )
    return Outcome(then=(FireAction(unit.id, target, False, (chosen,)),))


CHAPTER = Chapter(
    actions=(
        Action(
            id="fire-heavy",
            entry="fire_support_or_heavy_weapon",
            label="Fire a heavy weapon or missile",
            rule=HEAVY_DICE,
            carry_out=_fires,
            shown=lambda table, unit: on_table(table, unit) and bool(arms(table, unit)),
            refused=_refused,
            barred=_not_set_up,
        ),
    ),
    refusals={"heavy-weapon": by_unit(weapon_refused), "heavy-target": _target_judged},
    answers={
        "heavy-weapon": "the weapon of a vehicle or gun crew, by its name, or the figure with the missiles",
        "heavy-target": "at whom it fires",
    },
    switches={
        TARGET_SIZE: "heavy weapons have the range bands of their target's size, not their own "
        "(stargrunt.fire.heavy-range-by-target-size)",
    },
)
