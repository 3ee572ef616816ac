"""Confidence: tests, the levels they cost, what each level forbids, reaction tests and panic."""

from collections.abc import Mapping, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.stargrunt.cover.building_sides import COMMANDER, clear_sides
from sandtable.rulesets.stargrunt.cover.protection import GOING_IN, LEAVING, in_cover, sees
from sandtable.rulesets.stargrunt.dice.rolls import blundered, number_to_exceed, trial
from sandtable.rulesets.stargrunt.forces.cards import squad, vehicle
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    CONFIDENCE,
    INDEPENDENT,
    LEVELS,
    ROUTED,
    at_worst,
    confidence,
    enemies,
    family,
    gap_between,
    hidden,
    hull_of,
    in_power_armour,
    is_hull,
    is_independent,
    leadership,
    leadership_part,
    points,
    quality,
    quality_die,
    spot,
    standing,
    units,
    untreated,
)
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.states import END_OF_TURN, give, take

TEST = rule("stargrunt.confidence.confidence-test")
CONFIDENT_AND_STEADY = rule("stargrunt.confidence.confident-and-steady")
SHAKEN_RULE = rule("stargrunt.confidence.shaken")
BROKEN_RULE = rule("stargrunt.confidence.broken")
ROUTED_RULE = rule("stargrunt.confidence.routed")
FORCED = rule("stargrunt.confidence.forced-activation")
THREATS = rule("stargrunt.confidence.threat-table")
COMBINING = rule("stargrunt.confidence.combining-threats")
COUNTING = rule("stargrunt.confidence.counting-casualties")
ABANDONING = rule("stargrunt.confidence.abandoning-wounded")
MOTIVATION = rule("stargrunt.confidence.mission-motivation")
FATIGUE = rule("stargrunt.confidence.fatigue")
REACTION = rule("stargrunt.confidence.reaction-test")
REACTION_THREATS = rule("stargrunt.confidence.reaction-threat-table")
PANIC_TRIGGER = rule("stargrunt.confidence.panic-trigger")
PANIC = rule("stargrunt.confidence.panic-effect")
SURRENDER = rule("stargrunt.confidence.surrender")
MOST_MARKERS = rule("stargrunt.actions.multiple-suppression")
REMOVING = rule("stargrunt.actions.removing-suppression")
TESTS_INTERRUPT = rule("stargrunt.turn.tests-interrupt")

same_number("a Shaken unit's test", SHAKEN_RULE.number("threat"), REACTION_THREATS.number("shaken_leaves_cover"))
same_number(
    "moving out of position", LEAVING.number("or_reaction_threat"), REACTION_THREATS.number("move_from_position")
)

same_number(
    "going In Position in the open", GOING_IN.number("threat", "in_open"), REACTION_THREATS.number("in_position_open")
)
same_number(
    "going In Position in cover", GOING_IN.number("threat", "in_cover"), REACTION_THREATS.number("in_position_cover")
)
same_number("what a failed reaction test costs", REACTION.number("confidence_drop"), 0)

#: The close combat weapon that is a flame weapon.
FLAME = "flamer"
#: A cause that only adds to a test: being under artillery or aerospace attack.
ARTILLERY = "artillery_or_aerospace"
WORDS: Mapping[str, str] = {
    "first_suppression": "first suppressed by fire",
    "casualties_from_fire": "casualties from fire",
    "more_casualties_than_survivors": "more casualties than survivors",
    "leader_casualty": "leader lost",
}


# Suppression -------------------------------------------------------------------------------------------------------


def suppress(battle: Battle, unit: str, why: Rule, because: int) -> None:
    """One more suppression marker, three at most."""
    markers = battle.table[unit].count(CountName.SUPPRESSION)
    if markers < MOST_MARKERS.number("max"):
        told = citing(MOST_MARKERS)
        battle.happens(
            Counted(unit, CountName.SUPPRESSION, markers, markers + 1, rule=why.id, because=because, detail=told)
        )


def removing_suppression(table: Table, unit: Thing) -> Check:
    """What removing a marker takes: Quality above the LV (stargrunt.actions.removing-suppression).

    stargrunt.vehicles.suppressed    a vehicle's are removed by its commander, a building's by who is in it
    """
    more = (COMMANDER,) if hull_of(table, unit.id) is not None else ()
    target = (leadership_part(unit),)
    return trial("removing suppression", unit.id, quality_die(unit), target, REMOVING, more=more)


def remove_suppression(battle: Battle, unit: Thing) -> None:
    """Try to remove one suppression marker."""
    roll = throw(battle, removing_suppression(battle.table, unit))
    if roll.succeeds:
        before = unit.count(CountName.SUPPRESSION)
        after = before - REMOVING.number("removes")
        if before:
            battle.happens(Counted(unit.id, CountName.SUPPRESSION, before, after, rule=REMOVING.id, because=roll.n))
        clear_sides(battle, unit.id, roll.n)


# Confidence --------------------------------------------------------------------------------------------------------


def motivation(unit: Thing) -> str:
    """The mission motivation of a unit; Medium if the scenario says nothing."""
    return str(unit.value(StateName.MOTIVATION) or MOTIVATION.text_at("default"))


def ceiling(unit: Thing) -> str:
    """The Confidence Level a unit starts at and cannot be rallied above, by its fatigue."""
    return FATIGUE.text_at(str(unit.value(StateName.FATIGUE) or "fresh"))


def threat(table: Table, unit: Thing, causes: tuple[str, ...]) -> tuple[ExplainedPart, ...] | None:
    """The Threat Level of a Confidence Test by its causes, part by part; none where no test is required.

    stargrunt.confidence.threat-table          by cause and mission motivation
    stargrunt.confidence.combining-threats     the highest base number, plus every "+" number
    """
    column = motivation(unit)
    base = [(THREATS.number("base", one, column), one) for one in causes if THREATS.has("base", one, column)]
    if not base:
        return None
    worst = max(value for value, _ in base)
    cause = next(one for value, one in base if value == worst)
    parts = [ExplainedPart(WORDS[cause], worst, THREATS.id)]
    if ARTILLERY in causes:
        more = THREATS.number("plus", ARTILLERY, column)
        parts.append(ExplainedPart("artillery or aerospace", more, THREATS.id))
    wounded = len(untreated(table, unit.id))
    each = THREATS.number("plus", "per_untreated_casualty", column)
    if wounded and each:
        parts.append(ExplainedPart(f"{wounded} untreated", wounded * each, COUNTING.id))
    return (*parts, *abandoned(unit))


def abandoned(unit: Thing) -> tuple[ExplainedPart, ...]:
    """What having abandoned wounded adds to every Confidence Test of the turn."""
    if not unit.has(StateName.ABANDONED_WOUNDED):
        return ()
    left = THREATS.number("plus", "abandoning_wounded", motivation(unit))
    return (ExplainedPart("wounded abandoned", left, ABANDONING.id),)


def note_abandoned(battle: Battle, unit: str, before: Sequence[Point], seen: Sequence[str]) -> None:
    """A unit that goes back from an enemy it sees and leaves casualties nearer to it abandons them."""
    table = battle.table
    after = points(table, unit)
    if table[unit].has(StateName.ABANDONED_WOUNDED) or not after:
        return
    left = [
        one for one in table.members(unit) if one.harm and isinstance(one.place, At) and one.has(StateName.LEFT_BEHIND)
    ]
    for foe in seen:
        there = points(table, foe)
        if not there or gap_between(after, there) <= gap_between(before, there):
            continue
        if any(gap_between([spot(one)], there) < gap_between(after, there) for one in left):
            give(battle, unit, StateName.ABANDONED_WOUNDED, ABANDONING, until=END_OF_TURN)
            return


def levels_lost(score: int, target: int) -> int:
    """How many Confidence Levels a roll against a number costs (stargrunt.confidence.confidence-test).

    >>> [levels_lost(score, 4) for score in (5, 4, 3, 2, 1)]
    [0, 1, 1, 2, 2]
    """
    if score > target:
        return 0
    return 2 if TEST.formula("drop_two") * score <= target else 1


for _shown in TEST.items("illustrations"):
    _target = _shown.number("leadership") + _shown.number("threat")
    for _low, _high, _lost in ((*_shown.numbers(name), n) for n, name in enumerate(("pass", "drop_one", "drop_two"))):
        same_number("a Confidence Test", *(levels_lost(_score, _target) for _score in range(_low, _high + 1)), _lost)
    same_number("the die of the example", _shown.numbers("pass")[1], _shown.number("die"))


def keeping_confidence(unit: Thing, parts: tuple[ExplainedPart, ...], lv: int | None = None) -> Check:
    """What a Confidence Test at a Threat Level takes.

    stargrunt.confidence.abandoning-wounded    it adds to every test of the turn

    The owner of a unit that is hidden under a counter takes the test in secret.
    """
    known = (unit.side,) if hidden(unit) else ()
    parts = tuple(dict.fromkeys((*parts, *abandoned(unit))))
    own = ExplainedPart("LV", leadership(unit) if lv is None else lv, leadership_part(unit).rule)
    more = (TESTS_INTERRUPT, COMBINING, MOTIVATION)
    return trial("confidence", unit.id, quality_die(unit), (own, *parts), TEST, more=more, known_to=known)


def confidence_test(
    battle: Battle, unit: str, parts: tuple[ExplainedPart, ...], because: int, lv: int | None = None
) -> bool:
    """Test Confidence at a Threat Level; a failure drops it one level, half the target or less two."""
    trial = keeping_confidence(battle.table[unit], parts, lv)
    roll = throw(battle, trial, because)
    lost = levels_lost(roll.score, number_to_exceed(trial))
    if lost:
        drop(battle, unit, lost, TEST, roll.n)
    return roll.succeeds


def drop(battle: Battle, unit: str, levels: int, why: Rule, because: int) -> None:
    """Lower a unit's Confidence, not below Routed; an independent figure is pinned down or panics instead.

    stargrunt.units.independent-figures    a suppression marker for one level, a panic marker for two
    """
    thing = battle.table[unit]
    if is_independent(thing):
        if levels == 1:
            suppress(battle, unit, INDEPENDENT, because)
        elif not thing.has(StateName.PANICKED):
            give(battle, unit, StateName.PANICKED, INDEPENDENT, because=because)
        return
    before = confidence(thing)
    after = CONFIDENCE[min(len(CONFIDENCE) - 1, CONFIDENCE.index(before) + levels)]
    if after != before:
        set_confidence(battle, unit, after, why, because)


def set_confidence(battle: Battle, unit: str, after: str, why: Rule, because: int) -> None:
    """Give a unit and its detached elements another Confidence Level."""
    for one in family(battle.table, unit):
        known = (one.side,) if hidden(one) else ()
        give(battle, one.id, StateName.CONFIDENCE, why, after, because=because, known_to=known, detail=citing(LEVELS))


# Reaction and panic ------------------------------------------------------------------------------------------------


def reaction(unit: Thing, what: str, *parts: ExplainedPart) -> Check:
    """What a reaction test takes: Quality above LV and Threat Level; a failure never lowers Confidence."""
    target = (leadership_part(unit), *parts)
    return trial(what, unit.id, quality_die(unit), target, REACTION, more=(REACTION_THREATS,))


def leaving_position(unit: Thing) -> Check:
    """The reaction test of a unit that moves without having given up its position first."""
    part = ExplainedPart("out of position", REACTION_THREATS.number("move_from_position"), LEAVING.id)
    return reaction(unit, "moving out of position", part)


def leaving_cover(unit: Thing) -> Check:
    """The reaction test of a Shaken unit that leaves cover or goes nearer to an enemy (stargrunt.confidence.shaken)."""
    return reaction(unit, "leaving cover", ExplainedPart("Shaken", SHAKEN_RULE.number("threat"), SHAKEN_RULE.id))


def tests_for_panic(unit: Thing, cause: str) -> bool:
    """Whether a cause makes a unit test for panic, if it never did (stargrunt.confidence.panic-trigger)."""
    if unit.has(StateName.PANIC_DONE) or unit.has(StateName.PANICKED):
        return False
    kind = quality(unit)
    if kind not in PANIC_TRIGGER.names():
        return False
    listed = PANIC_TRIGGER.at(kind)
    causes = listed.texts() if isinstance(listed.node.value, list) else (listed.text_at(),)
    return cause in causes


def panic_test(battle: Battle, unit: str, cause: str, because: int = 0) -> None:
    """Test for panic where a cause calls for it; who has passed never tests again."""
    if not tests_for_panic(battle.table[unit], cause):
        return
    part = ExplainedPart(cause.replace("_", " "), PANIC_TRIGGER.number("threat"), PANIC_TRIGGER.id)
    roll = throw(battle, reaction(battle.table[unit], "panic", part), because)
    state = StateName.PANIC_DONE if roll.succeeds else StateName.PANICKED
    give(battle, unit, state, PANIC_TRIGGER, because=roll.n)


def is_armoured(one: Thing) -> bool:
    """Whether somebody is in Power Armour, or something is a vehicle of Armour Class 1 or more."""
    return vehicle(one).armour_class > 0 if is_hull(one) else in_power_armour(one)


def sights(battle: Battle, because: int = 0) -> None:
    """Units that test for panic when they first see an enemy, or armour, do so now if they see one."""
    for unit in units(battle.table):
        for foe in enemies(battle.table, unit.side):
            armoured = any(is_armoured(one) for one in standing(battle.table, foe.id))
            cause = "first_sight_of_afv_or_power_armour" if armoured else "first_sight_of_enemy"
            fresh = tests_for_panic(battle.table[unit.id], cause) or tests_for_panic(unit, "first_sight_of_enemy")
            if fresh and sees(battle.table, unit.id, foe.id):
                panic_test(battle, unit.id, cause, because)
                panic_test(battle, unit.id, "first_sight_of_enemy", because)


def removing_panic(unit: Thing) -> Check:
    """What getting over a panic takes."""
    return reaction(unit, "removing panic", ExplainedPart("panic", PANIC.number("threat"), PANIC.id))


def remove_panic(battle: Battle, unit: str) -> None:
    """Try to get over a panic: two actions, a reaction test; a failed 1 costs a Confidence Level."""
    trial = removing_panic(battle.table[unit])
    roll = throw(battle, trial)
    if roll.succeeds:
        take(battle, unit, StateName.PANICKED, PANIC, roll.n)
        give(battle, unit, StateName.PANIC_DONE, PANIC_TRIGGER, because=roll.n)
    elif blundered(trial, roll.score):
        drop(battle, unit, 1, PANIC, roll.n)


def terrifies(unit: Thing) -> bool:
    """Whether a unit causes terror by its data."""
    return squad(unit).terror


def assaults_with_terror(unit: Thing) -> bool:
    """Whether a unit that assaults causes terror: by its data, or by flame weapons (stargrunt.close-assault.terror)."""
    return terrifies(unit) or FLAME in squad(unit).close_combat


def has_to_go(table: Table, unit: Thing) -> bool:
    """Whether its Confidence leaves a unit no choice: it is Routed, or Broken in the open."""
    return at_worst(unit, ROUTED) or (confidence(unit) == BROKEN and not in_cover(table, unit))


def is_driven(table: Table, unit: Thing) -> bool:
    """Whether a unit has no choice but to go back; one that is panicked does not even do that."""
    return has_to_go(table, unit) and not unit.has(StateName.PANICKED)


def is_shaken(unit: Thing) -> bool:
    """Whether a unit is Shaken or worse."""
    return at_worst(unit, CONFIDENCE[2])
