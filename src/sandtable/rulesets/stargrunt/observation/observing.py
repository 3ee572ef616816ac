"""How a counter is made out: dice that all see against one that only its owner may know, and what comes of it.

Whoever is in the air, drone or craft, sees what lies in the open and may make out one other counter:

stargrunt.aerospace.spotting     all of the table is in sight
stargrunt.observation.observe    Quality and a second die against the counter's, range from straight above
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, Preview
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.cover.protection import HARD, OPEN, RULES, SOFT, WORDS
from sandtable.rulesets.stargrunt.dice.foretold import between
from sandtable.rulesets.stargrunt.dice.rolls import (
    MULTIPLE,
    against_one,
    dice_against,
    die_part,
    several,
    shifted,
    success_chances,
)
from sandtable.rulesets.stargrunt.observation.counters import (
    DUMMY,
    HARDER,
    covered,
    enemy_counters,
    face_up,
    flip,
    is_sniper,
    place_figures,
    position_part,
    remove_dummy,
)
from sandtable.rulesets.stargrunt.units.record import QUALITY, gap_between, quality_die, spot
from sandtable.tabletop.checks import throw_each
from sandtable.tabletop.face_down import lies_under
from sandtable.tabletop.states import give

OBSERVE = rule("stargrunt.observation.observe")
MINOR = rule("stargrunt.observation.minor-success")
MAJOR = rule("stargrunt.observation.major-success")
STAY = rule("stargrunt.observation.dummies-stay-on-minor")
MINES = rule("stargrunt.observation.mines")

#: The switch of the option that dummies survive a minor success.
DUMMIES_STAY = "dummies-stay-on-minor"
#: What everybody knows of a counter that the option has left lying.
NOT_A_UNIT = "not a unit"
#: How many inches shift the die of the counter once.
RANGE_STEP = OBSERVE.number("range_step_in")
_COVER = {SOFT: "soft_cover", HARD: "hard_cover"}
_OUTCOMES = ("nothing", "minor success", "major success")


def whole_steps(square: Fraction, inches: int) -> int:
    """How many full stretches of so many inches a squared distance holds.

    >>> whole_steps(Fraction(12000**2) - 1, 12), whole_steps(Fraction(12000**2), 12)
    (0, 1)
    """
    found = 0
    while square >= ((found + 1) * inches * UNIT) ** 2:
        found += 1
    return found


def open_parts(table: Table, counter: Thing, source: Point | None, range_: Fraction) -> tuple[ExplainedPart, ...]:
    """The steps of a counter's die that everybody can count: its cover, and the range."""
    parts = []
    kind = covered(table, counter, source)
    if kind > OPEN:
        parts.append(ExplainedPart(WORDS[kind], OBSERVE.number(_COVER[kind]), RULES[kind].id))
    far = whole_steps(range_, RANGE_STEP)
    if far:
        label = f"{far} times {RANGE_STEP} inches"
        parts.append(ExplainedPart(label, far * OBSERVE.number("shift_per_range_step"), OBSERVE.id))
    return tuple(parts)


def harder(counter: Thing) -> ExplainedPart:
    """What being In Position does to the die of a counter."""
    return position_part(counter, HARDER.number("shift"), HARDER)


def counters_die(parts: tuple[ExplainedPart, ...]) -> int:
    """The die that the owner of a counter rolls; it stops at D12 (stargrunt.observation.observe)."""
    return shifted(OBSERVE.number("target_base_die"), sum(part.value for part in parts))


def success(ours: tuple[int, int], die: int) -> Fraction:
    """The chance that at least one of two dice is higher than a third.

    >>> success((8, 6), 8), success((8, 6), 10)
    (Fraction(203, 384), Fraction(203, 480))
    """
    return 1 - success_chances(dice_against(ours, die))["fail"]


def odds(parts: tuple[ExplainedPart, ...], counter: Thing, ours: tuple[int, int]) -> Preview:
    """What may be known beforehand: the die of the counter, or the two it may be, and the chance or its range."""
    dug_in = ExplainedPart("In Position", HARDER.number("shift"), HARDER.id)
    cases = [(*parts, harder(counter))] if face_up(counter) else [parts, (*parts, dug_in)]
    dice = [counters_die(one) for one in cases]
    told = tuple(explain(f"its die D{die}, in steps", *one) for die, one in zip(dice, cases, strict=True))
    best, worst = success(ours, dice[0]), success(ours, dice[-1])
    return Preview(explanations=told, odds=(between("identified", worst, best),))


# Looking -----------------------------------------------------------------------------------------------------------


def look(
    battle: Battle,
    by: str,
    counter: Thing,
    dice: tuple[ExplainedPart, ExplainedPart],
    parts: tuple[ExplainedPart, ...],
    range_: Fraction,
    spoofs: electronic_warfare.Attempts,
    because: int,
) -> Procedure[None]:
    """Two open dice against one that only the owner of the counter may know, and what comes of it."""
    all_parts = (*parts, harder(counter))
    values = tuple(part.value for part in dice)
    ours = several("observe", by, values, dice, OBSERVE)
    theirs = several("hide", counter.id, (counters_die(all_parts),), all_parts, OBSERVE, (HARDER, MULTIPLE))
    roll = throw_each(battle, against_one(ours, theirs, lambda higher: _OUTCOMES[higher]), because)
    higher = roll.tally.higher
    if electronic_warfare.prevail(battle, spoofs, roll.scores, roll.n):
        battle.happens(Forfeited(by, "observe", rule=electronic_warfare.SPOOF.id, because=roll.n))
    elif higher:
        yield from identify(battle, counter, higher > 1, range_, roll.n)


def identify(battle: Battle, counter: Thing, major: bool, range_: Fraction, because: int) -> Procedure[None]:
    """What a successful observation brings.

    stargrunt.observation.minor-success             a unit is flipped, a dummy removed
    stargrunt.observation.dummies-stay-on-minor     with this option all but units stay
    stargrunt.observation.major-success             a unit's figures are placed, a sniper's too
    stargrunt.observation.mines                     only within 6 inches
    """
    under = lies_under(counter)
    unit = battle.table.things.get(under)
    if under == DUMMY:
        if major or not battle.table.options.get(DUMMIES_STAY):
            remove_dummy(battle, counter, MAJOR if major else MINOR, because)
        else:
            _no_unit(battle, counter, because)
    elif unit is None:
        if major and range_ <= MINES.inches("distance_in") ** 2:
            flip(battle, counter, MINES, because)
        elif battle.table.options.get(DUMMIES_STAY):
            _no_unit(battle, counter, because)
    elif major:
        yield from place_figures(battle, counter, MAJOR, because)
    elif is_sniper(unit):
        if battle.table.options.get(DUMMIES_STAY):
            _no_unit(battle, counter, because)
    elif not face_up(counter):
        flip(battle, counter, MINOR, because)


def _no_unit(battle: Battle, counter: Thing, because: int) -> None:
    """Everybody learns that a counter is no unit, and nothing else."""
    if not counter.has(NOT_A_UNIT):
        give(battle, counter.id, NOT_A_UNIT, STAY, because=because)


# From above -----------------------------------------------------------------------------------------------------------


SPOTTING = rule("stargrunt.aerospace.spotting")


def from_the_air(battle: Battle, side: Side, why: Rule, because: int) -> Procedure[None]:
    """Units under counters in the open are revealed without a roll."""
    for one in [*enemy_counters(battle.table, side)]:
        unit = battle.table.things.get(lies_under(one))
        if unit is not None and not is_sniper(unit) and one.on_table and covered(battle.table, one) == OPEN:
            yield from place_figures(battle, one, why, because)


class FromAbove(NamedTuple):
    """Who looks down: the thing in the air, in words, its die beside Quality, and the question that asks at what."""

    eye: Thing
    words: str
    second: ExplainedPart
    topic: str
    prompt: str
    rules: tuple[Rule, ...]


def spot_from_above(
    battle: Battle, unit: Thing, looks: FromAbove, options: Callable[[Table, Thing], Sequence[Option]], because: int
) -> Procedure[None]:
    """What lies in the open is plain; one other counter may be looked at, and the other side may spoof that."""
    yield from from_the_air(battle, unit.side, SPOTTING, because)
    offered = options(battle.table, unit)
    if not offered:
        return
    chosen = yield ChooseOne(
        unit.side,
        looks.prompt,
        topic=looks.topic,
        about=(unit.id,),
        options=tuple(offered),
        rules=tuple(one.id for one in looks.rules),
        shows=("distance", "odds"),
    )
    counter, eye = battle.table[chosen], looks.eye
    prompt = f"{looks.words} looks at {counter.label}: spoof it?"
    spoofs = yield from electronic_warfare.spoofing(battle, unit.side, prompt, (eye.id, counter.id), because)
    range_ = gap_between([spot(eye)], [spot(counter)])
    dice = (die_part("Quality", quality_die(unit), QUALITY), looks.second)
    parts = open_parts(battle.table, counter, None, range_)
    yield from look(battle, unit.id, counter, dice, parts, range_, spoofs, because)


def odds_from_above(table: Table, unit: Thing, eye: Thing, counter: Thing, second: int) -> Preview:
    """The die of a counter and the chance to make it out from the air."""
    parts = open_parts(table, counter, None, gap_between([spot(eye)], [spot(counter)]))
    return odds(parts, counter, (quality_die(unit), second))
