"""What a shot would be before it is fired: whose dice against which, and what it may come to."""

from fractions import Fraction
from itertools import product

from sandtable.engine.explain import explain
from sandtable.engine.questions import Preview
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.cover.lines import distance, sight_notes
from sandtable.rulesets.stargrunt.dice.foretold import chances
from sandtable.rulesets.stargrunt.dice.rolls import open_shifted, success_chances
from sandtable.rulesets.stargrunt.fire.shots import Shot, shot
from sandtable.rulesets.stargrunt.fire.volleys import effect, volley_chances
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.obstacles.decoys import guided_arm
from sandtable.rulesets.stargrunt.units.record import hull_of
from sandtable.rulesets.stargrunt.vehicles.hits import PROOF, Blow, light_result, result_of, struck_face
from sandtable.rulesets.stargrunt.vehicles.hulls import Armour, armour_class, armour_of
from sandtable.tabletop.previews import nearest_first

#: What is said of the odds of a guided missile: its target answers after it is fired.
UNSPOOFED = "if the missile is neither spoofed nor drawn away"


def break_chances(aimed: Shot, hull: Thing, face: str) -> dict[str, Fraction]:
    """How likely a shot is to disable and to destroy a vehicle through a face."""
    armour = armour_of(vehicle(hull), face)
    guard, die = open_shifted(armour.die, sum(part.value for part in aimed.armour), aimed.impact)
    armour = armour._replace(die=guard)
    hits = success_chances(aimed.roll)
    blows = {word: Blow(die, aimed.multiplier, aimed.size, word == "major") for word in ("minor", "major")}
    return penetration_chances({blows[word]: hits[word] for word in blows}, armour)


def penetration_chances(blows: dict[Blow, Fraction], armour: Armour) -> dict[str, Fraction]:
    """How likely blows, each with its chance, are to disable and to destroy what has an armour; its dice as rolled."""
    found = {"disabled": Fraction(0), "destroyed": Fraction(0)}
    for blow, chance in blows.items():
        for score, held in product(range(1, blow.die + 1), range(1, armour.die + 1)):
            result = result_of(score * blow.times, held * armour.multiplier)
            if result:
                found[result] += chance * Fraction(1, blow.die * armour.die)
    return found


def light_chances(aimed: Shot, hull: Thing, face: str) -> dict[str, Fraction]:
    """What small arms may do to a vehicle: suppress it, and find a way in where the armour is thin enough."""
    roll = effect(aimed.roll)
    found = {"no effect": roll.fail, "suppressed": roll.minor}
    armour = armour_of(vehicle(hull), face)
    guard, die = open_shifted(armour.die, sum(part.value for part in aimed.armour), aimed.impact)
    proof = armour_class(vehicle(hull), face) >= PROOF
    for score, held in product(range(1, die + 1), range(1, guard + 1)):
        result = "" if proof else light_result(score, held * armour.multiplier)
        word = f"suppressed, and {result}" if result else "suppressed"
        found[word] = found.get(word, Fraction(0)) + roll.major * Fraction(1, die * guard)
    return found


def shot_chances(
    table: Table, firer: Thing, target: Thing, aimed: Shot, *, assault: bool = False
) -> dict[str, Fraction]:
    """What a shot may come to, and how likely each of it is; final defensive fire suppresses nobody by itself."""
    if aimed.range_die is None:
        return {}
    hull = hull_of(table, target.id)
    if hull is None:
        return volley_chances(table, target.id, aimed, suppresses=not assault)
    face = struck_face(table, firer.id, hull)
    if aimed.light:
        return light_chances(aimed, hull, face)
    hits = success_chances(aimed.roll)
    return {"a minor hit": hits["minor"], "a major hit": hits["major"], **break_chances(aimed, hull, face)}


def shot_preview(
    table: Table,
    firer: Thing,
    target: Thing,
    small: bool,
    using: tuple[str, ...],
    idle: tuple[str, ...] = (),
    *,
    assault: bool = False,
) -> Preview:
    """A fire action as it would be: the dice, what they are against and why, and what may come of it."""
    aimed = shot(table, firer, target, small, using, idle)
    dice = ", ".join(f"D{die}" for die in aimed.dice)
    against = f"against D{aimed.range_die}" if aimed.range_die else "impossible"
    hull = hull_of(table, target.id)
    times = f" × {aimed.multiplier}" if hull is not None and aimed.multiplier > 1 else ""
    dice_words = " · ".join(part.words() for part in aimed.roll.dice_parts)
    notes = [f"{dice} {against}, impact D{aimed.impact}{times}", dice_words]
    if hull is not None:
        notes.append(f"it would strike the {struck_face(table, firer.id, hull)}")
    covered = (explain("armour die, in steps", *aimed.armour),) if aimed.armour else ()
    odds = chances(shot_chances(table, firer, target, aimed, assault=assault))
    guided = not small and guided_arm(table, firer, using) is not None
    note = UNSPOOFED if guided and odds else ""
    return Preview(
        explanations=(aimed.range, *covered),
        notes=tuple(notes),
        distances=nearest_first({target.id: distance(table, firer.id, target.id)}),
        sight=sight_notes(table, firer.id, target.id),
        odds=odds,
        odds_note=note,
    )
