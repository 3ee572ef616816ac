"""What a shot would be before it is fired: whose dice against which, and what it may come to."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import AnyQuestion, Chance, Preview, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.aerospace.air_defence import (
    EVADE,
    acquiring,
    ecm_of,
    held_or_lost,
    shaken_off,
    shaking_off,
    trackers,
    tracking,
)
from sandtable.rulesets.stargrunt.cover.lines import distance, sight_notes
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.dice.foretold import contest_chances, contest_preview, die_words, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import dice_against, success_chances
from sandtable.rulesets.stargrunt.fire.actions import most_dangerous, priority_rules
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, arm_of
from sandtable.rulesets.stargrunt.fire.out_of_turn import first_shot
from sandtable.rulesets.stargrunt.fire.shots import SMALL_ARMS, Shot, shot
from sandtable.rulesets.stargrunt.fire.volleys import volley_odds
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.observation.recon import counter_preview
from sandtable.rulesets.stargrunt.obstacles.buildings import aimed_at
from sandtable.rulesets.stargrunt.obstacles.buildings import armour as walls_of
from sandtable.rulesets.stargrunt.obstacles.decoys import guided_arm
from sandtable.rulesets.stargrunt.units.record import COUNTER, hull_of, quality_die
from sandtable.rulesets.stargrunt.vehicles.hits import (
    PROOF,
    Blow,
    impact_and_armour,
    light_result,
    result_of,
    struck_face,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import Armour, armour_class, armour_of, face_hit
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import measured, nearest_first

#: What is said of the odds of a guided missile: its target answers after it is fired.
UNSPOOFED = "if the missile is neither spoofed nor drawn away"


def break_chances(aimed: Shot, hull: Thing, face: str) -> dict[str, Fraction]:
    """How likely a shot is to disable and to destroy a vehicle through a face."""
    weapon = aimed.impact, aimed.multiplier, aimed.size
    return penetration_chances(success_chances(aimed.roll), weapon, armour_of(vehicle(hull), face), aimed.armour)


def penetration_chances(
    hits: Mapping[str, Fraction], weapon: tuple[int, int, int], armour: Armour, shifts: Sequence[ExplainedPart] = ()
) -> dict[str, Fraction]:
    """How likely a weapon is to disable and to destroy what has an armour, by how likely its hits are."""
    found = {"disabled": Fraction(0), "destroyed": Fraction(0)}
    for word in ("minor", "major"):
        both = impact_and_armour("", "", armour, Blow(*weapon, word == "major"), shifts)
        for result, share in contest_chances(*both, result_of).items():
            if result:
                found[result] += hits[word] * share
    return found


def light_chances(aimed: Shot, hull: Thing, face: str) -> dict[str, Fraction]:
    """What small arms may do to a vehicle: suppress it, and find a way in where the armour is thin enough."""
    hits = success_chances(aimed.roll)
    found = {"no effect": hits["fail"], "suppressed": hits["minor"]}
    proof = armour_class(vehicle(hull), face) >= PROOF
    both = impact_and_armour("", "", armour_of(vehicle(hull), face), Blow(aimed.impact, 1, 0), aimed.armour)
    for result, share in contest_chances(*both, light_result).items():
        word = f"suppressed, and {result}" if result and not proof else "suppressed"
        found[word] = found.get(word, Fraction(0)) + hits["major"] * share
    return found


def shot_odds(table: Table, firer: Thing, target: Thing, aimed: Shot, *, assault: bool = False) -> tuple[Chance, ...]:
    """What a shot may come to, and how likely each of it is; final defensive fire suppresses nobody by itself."""
    if aimed.range_die is None:
        return ()
    hull = hull_of(table, target.id)
    if hull is None:
        return volley_odds(table, target.id, aimed, suppresses=not assault)
    face = struck_face(table, firer.id, hull)
    if aimed.light:
        return outcomes(light_chances(aimed, hull, face))
    missed, broken = success_chances(aimed.roll)["fail"], break_chances(aimed, hull, face)
    idle = 1 - missed - sum(broken.values(), Fraction(0))
    return outcomes({"a miss": missed, "a hit without effect": idle, **broken})


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
    odds = shot_odds(table, firer, target, aimed, assault=assault)
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


def fire_preview(view: View, question: AnyQuestion, answer: Any) -> Preview:
    """The shot by the target that is drafted, or by the weapons that would join."""
    firer = view.table[question.about[0]]
    idle: tuple[str, ...] = ()
    if question.topic == "left-out":
        target, small, using, idle = view.table[question.about[1]], True, question.about[2:], tuple(answer)
    elif question.topic in ("weapons", "final-weapons"):
        target, small, using = view.table[question.about[1]], True, tuple(answer)
    elif question.topic == "target":
        target, small, using = view.table[answer], True, ()
    else:
        target, small, using = view.table[answer], False, (question.about[1],)
    if target.card == COUNTER:
        return counter_preview(view.table, firer, target, small, using, idle)
    shown = shot_preview(view.table, firer, target, small, using, idle, assault=question.topic == "final-weapons")
    worst = most_dangerous(view.table, firer) if question.topic == "target" and priority_rules(view.table) else ""
    if worst and worst != target.id:
        return replace(shown, notes=(*shown.notes, f"{view.table[worst].label} threatens {firer.label} more"))
    return shown


def heavy_preview(view: View, question: AnyQuestion, answer: Any) -> Preview:
    """The shot of a weapon that fires alone."""
    firer, weapon = question.about
    return shot_preview(view.table, view.table[firer], view.table[answer], False, (weapon,))


def out_of_turn_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The fire of a unit that answers, with what it is to fire."""
    firer, target = (view.table[name] for name in question.about)
    small = answer == SMALL_ARMS
    return shot_preview(view.table, firer, target, small, () if small else (answer,))


def reaction_preview(view: View, question: AnyQuestion, answer: Reaction | None) -> Preview:
    """The fire of the unit that would break in, before support weapons join."""
    if answer is None:
        return Preview()
    (mover,) = question.about
    firer, target = view.table[answer.option], view.table[mover]
    return shot_preview(view.table, firer, target, *first_shot(view.table, firer, target))


# At buildings and aircraft --------------------------------------------------------------------------------------------


def building_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The dice of a shot at a building."""
    table, unit = view.table, view.table[question.about[0]]
    arm, piece = arm_of(table, unit, question.about[1]), table.ground.piece(answer)
    against = aimed_at(table, unit, piece, arm).die
    dice = f"D{quality_die(unit)}, D{arm.die} against D{against}"
    walls = walls_of(piece)
    guard = f"D{walls.die}" + (f" × {walls.multiplier}" if walls.multiplier > 1 else "")
    notes = (dice, f"impact D{arm.impact} × {arm.multiplier} against {guard}")
    if against is None:
        return Preview(notes=notes)
    hits = success_chances(dice_against((quality_die(unit), arm.die), against))
    broken = penetration_chances(hits, (arm.impact, arm.multiplier, arm.size), walls)
    told = {"nothing": 1 - sum(broken.values(), Fraction(0)), "pierced": broken["disabled"], **broken}
    del told["disabled"]
    return Preview(notes=notes, odds=outcomes(told), odds_note=UNSPOOFED if arm.kind == GUIDED else "")


#: What is said of the odds of a shot at a craft: its pilot answers after it is held.
UNEVADED = "if the pilot flies on, and a missile is neither spoofed nor drawn away"


def aircraft_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How likely a shot at a craft is to hold it, to hit it and to bring it down, if the pilot flies on."""
    table, (name, weapon) = view.table, question.about
    firer, hull = table[name], hull_of(table, answer)
    assert hull is not None, "what flies is a craft"
    arm = arm_of(table, firer, weapon)
    track, ecm = tracking(firer, arm), ecm_of(hull)
    held = contest_chances(*acquiring(firer, track, hull), held_or_lost)
    share = held.get("it is held", Fraction(0))
    hits = success_chances(dice_against((quality_die(firer), track.die), ecm.sides))
    armour = armour_of(vehicle(hull), face_hit(hull, centre_point(table, firer.id)))
    held_hits = {word: share * hits[word] for word in hits}
    broken = penetration_chances(held_hits, (arm.impact, arm.multiplier, arm.size), armour)
    hit = share * (hits["minor"] + hits["major"])
    told = {"it is lost": 1 - share, "a miss": share - hit, "a hit": hit - sum(broken.values(), Fraction(0)), **broken}
    mine, theirs = (die_words(one) for one in acquiring(firer, track, hull))
    second = f"then D{quality_die(firer)}, D{track.die} against D{ecm.sides}"
    return Preview(notes=(f"{mine} against {theirs}", second), odds=outcomes(told), odds_note=UNEVADED)


def evade_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How likely a craft shakes a weapon off, or is hit if it flies on.

    Which weapon follows it is not said, so it is told only where all track alike.
    """
    pilot, firer = (view.table[name] for name in question.about)
    tracks = [tracking(firer, arm) for arm in trackers(view.table, firer)]
    if not tracks:
        return Preview()
    if any(track.die != tracks[0].die for track in tracks):
        return (
            Preview()
            if answer != EVADE
            else Preview(notes=(f"evasion D{quality_die(pilot)} against the die that holds it",))
        )
    if answer == EVADE:
        return contest_preview(*shaking_off(pilot, firer.id, tracks[0]), shaken_off)
    hull = hull_of(view.table, pilot.id)
    assert hull is not None, "what flies is a craft"
    misses = success_chances(dice_against((quality_die(firer), tracks[0].die), ecm_of(hull).sides))["fail"]
    return Preview(odds=outcomes({"a miss": misses, "a hit": 1 - misses}))


CHAPTER = Chapter(
    previews={
        **dict.fromkeys(("target", "support-target", "weapons", "final-weapons", "left-out"), fire_preview),
        "heavy-target": heavy_preview,
        "fire-with": out_of_turn_preview,
        "reaction-fire": reaction_preview,
        "building": measured(building_preview, distance),
        "aircraft": measured(aircraft_preview, distance),
        "evade": evade_preview,
    },
)
