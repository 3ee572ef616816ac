"""Vehicles: what a hit does to one, to its suspension and systems, and to everybody aboard."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Harm, HarmApplied, ModelLost
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import PieceId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.stargrunt.confidence.levels import confidence_test
from sandtable.rulesets.stargrunt.cover.protection import WRECK, WRECKS, centre_point
from sandtable.rulesets.stargrunt.dice.rolls import (
    LADDER,
    MULTIPLIED,
    OPEN,
    one_die,
    open_shifted,
    opposed_roll,
    row_of,
    table_roll,
)
from sandtable.rulesets.stargrunt.fire.hits import AfterFire, LightHit, PointHit
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.units.record import airborne, fit, hull_of
from sandtable.rulesets.stargrunt.vehicles.aboard import SMALL_ARMS_CASUALTIES, Casualties, casualties, to_exceed
from sandtable.rulesets.stargrunt.vehicles.getting_out import BAILING_OUT, GetOut
from sandtable.rulesets.stargrunt.vehicles.hulls import (
    ARMOUR_CLASS,
    FACING_HIT,
    HEAVY_HIT,
    IMMOBILISED,
    OFF_LINE,
    SYSTEMS_HIT,
    TOP,
    Armour,
    armour_class,
    armour_of,
    face_hit,
    occupants,
    outline,
    units_aboard,
)
from sandtable.rulesets.stargrunt.weapons import ASTERISK
from sandtable.tabletop.checks import Check
from sandtable.tabletop.states import give

AS_UNITS = rule("stargrunt.vehicles.as-units")
SMALL_ARMS_AT = rule("stargrunt.vehicles.small-arms-fire-at")
SMALL_ARMS_LIMIT = rule("stargrunt.vehicles.small-arms-limit")
PENETRATION = rule("stargrunt.vehicles.penetration")
DISABLED = WRECKS
NON_PENETRATING = rule("stargrunt.vehicles.non-penetrating")
SUSPENSION = rule("stargrunt.vehicles.suspension-hit")
NO_SUSPENSION = rule("stargrunt.vehicles.grav-and-walkers")

#: What a hit that gets through makes of a vehicle, as harm on its track.
RESULTS = {"disabled": 1, "destroyed": 2}
#: From this Armour Class on small arms can only suppress (stargrunt.vehicles.small-arms-limit).
PROOF = SMALL_ARMS_LIMIT.number("armour_class")

same_number("a major hit doubles the impact", PENETRATION.number("major_multiplier"), ASTERISK.number("point_major"))
_PLACES = [face for word in ("suspension", "hull", "systems") for face in NON_PENETRATING.numbers(word)]
same_number("every face says where a hit struck", _PLACES, list(range(1, NON_PENETRATING.number("die") + 1)))
same_number("who is unhurt", SMALL_ARMS_CASUALTIES.number("ok_from"), SMALL_ARMS_CASUALTIES.numbers("wounded")[-1] + 1)
same_number("a minor hit does not", ASTERISK.number("point_minor"), ASTERISK.number("dispersed"), 1)


class Blow(NamedTuple):
    """What strikes a vehicle or a building: an Impact Die, how often it counts, and the size class behind it."""

    die: int
    multiplier: int
    size: int
    major: bool = False

    @property
    def times(self) -> int:
        """By how much the score of the die is multiplied in all."""
        return self.multiplier * (PENETRATION.number("major_multiplier") if self.major else 1)


class Stopped(Step, frozen=True):
    """A hit did not penetrate: where did it strike?"""

    firer: str
    hull: str
    impact: int
    multiplier: int
    size: int
    major: bool


class SuspensionHit(Stopped, frozen=True):
    """It struck the suspension."""


class Immobilised(Step, frozen=True):
    """A vehicle cannot move any more: does its crew stay in it?"""

    hull: str


# Pure questions ----------------------------------------------------------------------------------------------------


def struck_face(table: Table, firer: str, hull: Thing) -> str:
    """The face that a unit's fire strikes; fire from the air strikes the top."""
    if airborne(table, firer):
        return TOP
    return face_hit(hull, centre_point(table, firer))


def result_of(impact: int, armour: int) -> str:
    """What an impact makes of a vehicle: disabled, destroyed, or nothing (stargrunt.vehicles.disabled-or-destroyed).

    >>> result_of(8, 8), result_of(9, 8), result_of(16, 8), result_of(17, 8)
    ('', 'disabled', 'disabled', 'destroyed')
    """
    return "destroyed" if impact > DISABLED.formula("destroyed") * armour else "disabled" if impact > armour else ""


for _shown in DISABLED.items("illustrations"):
    _blow = Blow(_shown.number("impact_die"), 1, 1, _shown.flag("major"))
    _armour = _shown.number("armour_roll") * _shown.number("armour_class")
    same_number("a die of the ladder", _blow.die in LADDER, True)
    same_number("the armour of the example", _armour, _shown.number("armour"))
    same_number("the impact of the example", _shown.number("roll") * _blow.times, _shown.number("impact"))
    same_number("the result of the example", result_of(_shown.number("impact"), _armour), _shown.text_at("result"))


# Hits --------------------------------------------------------------------------------------------------------------


def impact_and_armour(
    by: str, struck: str, armour: Armour, blow: Blow, shifts: Sequence[ExplainedPart]
) -> tuple[Check, Check]:
    """The die of a blow and that of an armour, both with their multipliers.

    stargrunt.vehicles.penetration    a major hit doubles the impact; cover shifts the armour openly
    """
    guard, die = open_shifted(armour.die, sum(part.value for part in shifts), blow.die)
    doubled = (ExplainedPart("a major hit counts double", blow.times, PENETRATION.id),) if blow.major else ()
    impact = one_die("impact", by, die, doubled, blow.times)
    return impact, one_die("armour", struck, guard, (armour.part, *shifts), armour.multiplier)


def strike(
    battle: Battle, by: str, struck: str, armour: Armour, blow: Blow, shifts: Sequence[ExplainedPart], because: int
) -> tuple[int, int, int]:
    """Roll impact against armour; the two scores, and the event of the second."""
    more = (ARMOUR_CLASS, MULTIPLIED, ASTERISK, DISABLED, *([OPEN] if shifts else []))
    rolled = opposed_roll(
        battle,
        *impact_and_armour(by, struck, armour, blow, shifts),
        PENETRATION,
        because=because,
        more=more,
        outcome=lambda mine, theirs: result_of(mine, theirs) or "no penetration",
    )
    return rolled.score, rolled.theirs, rolled.n


def point_hit(battle: Battle, step: PointHit) -> Procedure[None]:
    """A weapon that can break vehicles has hit one: penetration, and what comes of it either way."""
    yield from ()
    table = battle.table
    hull = hull_of(table, step.target)
    assert hull is not None
    face = struck_face(table, step.firer, hull)
    blow = Blow(step.impact, step.multiplier, step.size, step.major)
    n = battle.happens(
        Declared(step.firer, f"hits the {face}", (hull.id,), rule=FACING_HIT.id, detail=citing(HEAVY_HIT, AS_UNITS))
    )
    battle.push(*struck(battle, step.firer, step.target, hull, face, blow, step.armour, n))


def struck(
    battle: Battle,
    firer: str,
    target: str,
    hull: Thing,
    face: str,
    blow: Blow,
    shifts: Sequence[ExplainedPart],
    because: int,
    *,
    indirect: bool = False,
    suppresses: bool = False,
) -> list[Step]:
    """Let a blow fall on a face of a vehicle; what follows from it, the nerve of all it concerns last."""
    armour = armour_of(vehicle(hull), face, indirect=indirect)
    impact, held, n = strike(battle, firer, hull.id, armour, blow, shifts, because)
    result = result_of(impact, held)
    if not result:
        return [Stopped(firer, hull.id, *blow), AfterFire(firer, target, suppresses)]
    return put_out(battle, firer, target, hull, result, blow.size, n, suppresses=suppresses)


def put_out(
    battle: Battle, firer: str, target: str, hull: Thing, result: str, size: int, because: int, *, suppresses: bool
) -> list[Step]:
    """A vehicle is disabled or destroyed: it becomes a wreck, and those aboard roll for their lives.

    stargrunt.vehicles.occupant-casualties    against the weapon's size class, double if it was destroyed
    """
    aboard = tuple(one.id for one in occupants(battle.table, hull.id))
    wreck(battle, hull, result, because)
    exceed = to_exceed(size, result)
    return [Casualties(firer, target, hull.id, aboard, exceed, leave=True, suppresses=suppresses)]


def wreck(battle: Battle, hull: Thing, result: str, because: int) -> None:
    """What is left of a vehicle: it blocks movement and gives hard cover (stargrunt.vehicles.disabled-or-destroyed)."""
    label = f"{hull.label}, {result}"
    left = Piece(wreck_of(hull.id), WRECK, outline(hull), label=label, traits={"look": "obstruction"})
    harm = Harm(result, RESULTS[result])
    n = battle.happens(HarmApplied(hull.id, harm, hull.harm, RESULTS[result], rule=DISABLED.id, because=because))
    battle.happens(ModelLost(hull.id, result, leaves=left, rule=DISABLED.id, because=n))


def wreck_of(hull: str) -> PieceId:
    """The name of the wreck a vehicle leaves."""
    return PieceId(f"{hull}-{WRECK}")


def light_result(impact: int, held: int) -> str:
    """What small arms that look for a way in do to a vehicle (stargrunt.vehicles.small-arms-fire-at).

    >>> light_result(4, 4), light_result(5, 4), light_result(8, 4)
    ('', 'pierced', 'disabled')
    """
    if impact <= held:
        return ""
    return "disabled" if impact >= SMALL_ARMS_AT.formula("disabled") * held else "pierced"


def light_hit(battle: Battle, step: LightHit) -> Procedure[None]:
    """Small arms on a vehicle: suppressed in any case, and pierced where the armour is thin enough.

    stargrunt.vehicles.small-arms-limit      against Armour Class 2 or more no roll is made
    stargrunt.vehicles.small-arms-fire-at    higher: casualties; twice or more: disabled as well
    """
    yield from ()
    table = battle.table
    hull = hull_of(table, step.target)
    assert hull is not None
    face = struck_face(table, step.firer, hull)
    after = AfterFire(step.firer, step.target, True)
    if armour_class(vehicle(hull), face) >= PROOF:
        battle.happens(Declared(step.firer, "cannot pierce the armour", (hull.id,), rule=SMALL_ARMS_LIMIT.id))
        battle.push(after)
        return
    n = battle.happens(Declared(step.firer, f"hits the {face}", (hull.id,), rule=FACING_HIT.id))
    blow = Blow(step.impact, 1, 0)
    impact, held, n = strike(battle, step.firer, hull.id, armour_of(vehicle(hull), face), blow, step.armour, n)
    result = light_result(impact, held)
    if not result:
        battle.push(after)
        return
    aboard = tuple(one.id for one in occupants(table, hull.id))
    through = result == "disabled"
    n = battle.happens(Declared(step.firer, "pierces it", (hull.id,), rule=SMALL_ARMS_AT.id, because=n))
    if through:
        wreck(battle, hull, "disabled", n)
    battle.push(Casualties(step.firer, step.target, hull.id, aboard, 0, through, suppresses=True))


# Hits that do not penetrate ----------------------------------------------------------------------------------------


def where_it_struck(score: int) -> str:
    """What a hit that was stopped has struck (stargrunt.vehicles.non-penetrating)."""
    return row_of(NON_PENETRATING, score, "suspension", "hull", "systems")


def stopped(battle: Battle, step: Stopped) -> Procedure[None]:
    """Where a hit that was stopped has struck: the suspension, the hull or the systems."""
    yield from ()
    hull = battle.table[step.hull]
    die = f"d{NON_PENETRATING.number('die')}"
    _, n, where = table_roll(battle, "where it struck", hull.id, die, NON_PENETRATING, where_it_struck)
    if where == "suspension" and vehicle(hull).suspension not in SUSPENSION.names():
        battle.happens(Declared(hull.id, "has no suspension to hit", rule=NO_SUSPENSION.id, because=n))
    elif where == "suspension" and not hull.has(IMMOBILISED):
        battle.push(SuspensionHit(step.firer, step.hull, step.impact, step.multiplier, step.size, step.major))
    elif where == "systems" and not hull.has(OFF_LINE):
        give(battle, hull.id, OFF_LINE, SYSTEMS_HIT, because=n)


def suspension_hit(battle: Battle, step: SuspensionHit) -> Procedure[None]:
    """The impact against the suspension (stargrunt.vehicles.suspension-hit); a major hit counts double here too."""
    yield from ()
    blow = Blow(step.impact, step.multiplier, step.size, step.major)
    rolled = opposed_roll(
        battle,
        one_die("impact", step.firer, blow.die, times=blow.times),
        one_die("suspension", step.hull, SUSPENSION.number(vehicle(battle.table[step.hull]).suspension)),
        SUSPENSION,
        outcome=lambda mine, theirs: IMMOBILISED if mine > theirs else "it holds",
    )
    if rolled.succeeds:
        immobilise(battle, step.hull, rolled.n)


def immobilise(battle: Battle, hull: str, because: int) -> None:
    """A vehicle cannot move any more, and its crew has to show whether it stays."""
    give(battle, hull, IMMOBILISED, SUSPENSION, because=because)
    battle.push(Immobilised(hull))


def stay_or_go(battle: Battle, step: Immobilised) -> Procedure[None]:
    """A Confidence Test at Threat Level 3; failed, the crew and all aboard get out (stargrunt.vehicles.bailing-out)."""
    yield from ()
    hull = battle.table[step.hull]
    threat = ExplainedPart("immobilised", SUSPENSION.number("confidence_threat"), SUSPENSION.id)
    if hull.unit and fit(battle.table, hull.unit) and not confidence_test(battle, hull.unit, (threat,), 0):
        battle.push(*(GetOut(unit, hull.id, BAILING_OUT.id) for unit in units_aboard(battle.table, hull.id)))


STEPS: dict[type[Step], Callable[[Battle, Any], Procedure[None]]] = {
    PointHit: point_hit,
    LightHit: light_hit,
    Casualties: casualties,
    Stopped: stopped,
    SuspensionHit: suspension_hit,
    Immobilised: stay_or_go,
}
