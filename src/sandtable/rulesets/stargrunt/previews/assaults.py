"""What an assault would take before anybody commits to it: nerve on both sides, the charge, and every fight."""

from collections.abc import Sequence
from fractions import Fraction

from sandtable.engine.questions import AnyQuestion, Confirm, MoveModels, Preview, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.close_assault.charge import firing_suppressed
from sandtable.rulesets.stargrunt.close_assault.fights import (
    FURTHER,
    attackers_trials,
    behind_cover,
    bout_of,
    standing_threat,
)
from sandtable.rulesets.stargrunt.close_assault.rounds import following_through
from sandtable.rulesets.stargrunt.confidence.levels import keeping_confidence
from sandtable.rulesets.stargrunt.dice.foretold import (
    chance,
    chances,
    combat_note,
    face_chances,
    outcomes,
    trial_preview,
)
from sandtable.rulesets.stargrunt.fire.out_of_turn import first_shot
from sandtable.rulesets.stargrunt.fire.shots import shot
from sandtable.rulesets.stargrunt.movement.actions import move_preview
from sandtable.rulesets.stargrunt.movement.walking import combat_distance, mobility_die
from sandtable.rulesets.stargrunt.previews.shots import shot_odds, shot_preview
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import BROKEN, COUNTER, at_worst, standing, suppressed
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together

#: What is said of a counter that is assaulted.
UNKNOWN = "its figures are placed first, and may be out of reach"


# Nerve -------------------------------------------------------------------------------------------------------------


def _they_stand(table: Table, attackers: Sequence[str], defender: Thing) -> Preview:
    """The test of those who are charged; whoever is Broken takes none, and goes."""
    if defender.card == COUNTER:
        return Preview(notes=(UNKNOWN,))
    if at_worst(defender, BROKEN):
        return Preview(notes=(f"{defender.label} is in no state to stand, and withdraws",))
    return trial_preview("they may stand", keeping_confidence(defender, standing_threat(table, attackers, defender.id)))


def assault_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The nerve of the attackers, and that of whom they assault."""
    unit, defender = view.table[question.about[0]], view.table[answer]
    dares = trial_preview("it dares", *attackers_trials(unit))
    return together(dares, _they_stand(view.table, (unit.id,), defender))


def joining_preview(view: View, question: AnyQuestion, answer: Sequence[str]) -> Preview:
    """The nerve of everybody who would join, and of the defenders if all of them dare."""
    first, defender = question.about
    units = [view.table[name] for name in (first, *answer)]
    dare = [trial_preview(f"{unit.label} dares", *attackers_trials(unit)) for unit in units]
    return together(*dare, _they_stand(view.table, (first, *answer), view.table[defender]))


def follow_through_preview(view: View, question: Confirm, answer: bool) -> Preview:
    """The test of attackers who go on: the question's words say which of the two it is."""
    if not answer:
        return Preview()
    unit = view.table[question.about[0]]
    return together(
        trial_preview("it goes on, if they were destroyed", following_through(unit, destroyed=True)),
        trial_preview("it goes on, if they withdrew", following_through(unit, destroyed=False)),
    )


def onwards_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The next that are charged have to stand; a combat move is drawn first."""
    if answer == "move":
        return Preview()
    return _they_stand(view.table, question.about, view.table[answer])


# The charge --------------------------------------------------------------------------------------------------------


def charge_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The ways that are drawn, and how likely the mobility die takes one of the attackers into contact."""
    attacker, defender = question.about
    unit = view.table[attacker]

    def comes(score: int) -> str:
        _, after = moves.charging(view.table, unit, defender, combat_distance(score), answer)
        return "contact" if moves.in_contact(after, attacker, defender) else "short"

    die = mobility_die(unit)
    share = face_chances(die, comes).get("contact", Fraction(0))
    contact = Preview(notes=(combat_note(die),), odds=(chance("they come to blows", share),))
    return together(move_preview(view, question, answer), contact)


def follow_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The combat move into the place that was left: how far they come."""
    unit = view.table[question.about[0]]
    return Preview(notes=(combat_note(mobility_die(unit)),)) if answer == "follow" else Preview()


def final_fire_preview(view: View, question: AnyQuestion, answer: Reaction | None) -> Preview:
    """Final defensive fire before support weapons join; suppressed defenders have to pull themselves together first."""
    if answer is None:
        return Preview()
    table, defender, attackers = view.table, view.table[question.about[0]], question.about[1:]
    target = table[attackers[0] if len(attackers) == 1 else answer.option]
    with_what = first_shot(table, defender, target)
    shown = shot_preview(table, defender, target, *with_what, assault=True)
    if not suppressed(defender):
        return shown
    trial = firing_suppressed(defender)
    nerve = trial_preview("it fires", trial)
    aimed = shot(table, defender, target, *with_what)
    shots = shot_odds(table, defender, target, aimed, assault=True)
    after = {f"it fires: {one.label}": trial.passes() * Fraction(one.numerator, one.denominator) for one in shots}
    odds = outcomes({"it does not fire": 1 - trial.passes(), **(after or {"it fires": trial.passes()})})
    return Preview((*nerve.explanations, *shown.explanations), (*nerve.notes, *shown.notes), odds=odds)


# Fights ------------------------------------------------------------------------------------------------------------


def pair_off_preview(view: View, question: AnyQuestion, answer: dict[str, str]) -> Preview:
    """Every fight of the round as it is drafted; whom the surplus figures face the other side says later."""
    table, defender = view.table, question.about[-1]
    round_ = 2 if FURTHER.id in question.rules else 1
    covered = defender if behind_cover(table, table[defender], round_) else ""
    faced: dict[str, list[Thing]] = {}
    for name, other in answer.items():
        faced.setdefault(other, []).append(table[name])
    shown = []
    for name, against in faced.items():
        bout, made_of = bout_of(table, table[name], against, covered)
        everybody = [table[name], *against]
        first, *rest = (
            f"{one.label} D{fighter.die} ({', '.join(part.words() for part in parts)})"
            for one, fighter, parts in zip(everybody, (bout.faced, *bout.against), made_of, strict=True)
        )
        odds = chances({f"{one.label} falls": share for one, share in zip(everybody, bout.falls(), strict=True)})
        shown.append(Preview(notes=(f"{first} against {'; '.join(rest)}",), odds=odds))
    note = ALONE if question.topic == "surplus" else UNPAIRED if _surplus(table, question) else ""
    told = together(*shown)
    return Preview(notes=told.notes, odds=told.odds, odds_note=note)


#: What is said of the odds of a round while only part of it is known.
ALONE = "of these fights alone, without the figures that were put against them first"
UNPAIRED = "before the other side adds the figures that are left over"


def _surplus(table: Table, question: AnyQuestion) -> bool:
    sides: dict[str, int] = {}
    for unit in question.about:
        for one in standing(table, unit):
            if not one.has(StateName.DOWN):
                sides[one.side] = sides.get(one.side, 0) + 1
    return len(set(sides.values())) > 1


CHAPTER = Chapter(
    previews={
        "assault": assault_preview,
        "with": joining_preview,
        "charge": charge_preview,
        "follow": follow_preview,
        "final-fire": final_fire_preview,
        "pair-off": pair_off_preview,
        "surplus": pair_off_preview,
        "follow-through": follow_through_preview,
        "onwards": onwards_preview,
    },
)
