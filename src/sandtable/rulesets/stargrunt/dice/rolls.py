"""Dice: five die types, shifts between them, and rolls that have to exceed a number or another die."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import Side
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.tabletop.checks import Check, Reading, Thrown, throw

DIE_TYPES = rule("stargrunt.dice.die-types")
EXCEED = rule("stargrunt.dice.exceed-to-succeed")
AGAINST_A_NUMBER = rule("stargrunt.dice.roll-against-a-number")
OPPOSED = rule("stargrunt.dice.opposed-roll")
MULTIPLE = rule("stargrunt.dice.multiple-opposed-roll")
SHIFTING = rule("stargrunt.dice.shifting")
CLOSED = rule("stargrunt.dice.closed-shift")
OPEN = rule("stargrunt.dice.open-shift")
MULTIPLIED = rule("stargrunt.dice.multiplied-dice")
NEAREST = rule("stargrunt.dice.nearest-die-rounded-up")
CLOCK = rule("stargrunt.dice.clock-direction")

LADDER = DIE_TYPES.numbers("ladder")


def shifted(die: int, steps: int) -> int:
    """A die type shifted up or down; steps beyond D4 or D12 are lost (stargrunt.dice.closed-shift).

    >>> shifted(6, 1), shifted(10, 3), shifted(4, -1)
    (8, 12, 4)
    """
    return LADDER[max(0, min(len(LADDER) - 1, LADDER.index(die) + steps))]


def open_shifted(die: int, steps: int, opposing: int) -> tuple[int, int]:
    """A die type shifted, and the opposing die, which the steps beyond the ladder shift the opposite way.

    >>> open_shifted(8, 3, 10), open_shifted(4, 2, 10)
    ((12, 8), (8, 10))
    """
    wanted = LADDER.index(die) + steps
    excess = wanted - max(0, min(len(LADDER) - 1, wanted))
    return shifted(die, steps), shifted(opposing, -excess)


_LARGEST = NEAREST.number("more")
_UP_TO = {int(limit): NEAREST.number(limit) for limit in NEAREST.names() if limit != "more"}


def nearest(halves: int) -> int:
    """The smallest die type that is not less than a count, which is given in halves: some arms count half.

    >>> nearest(2), nearest(9), nearest(14), nearest(60)
    (4, 6, 8, 12)
    """
    return next((die for limit, die in _UP_TO.items() if halves <= 2 * limit), _LARGEST)


for _shown in OPEN.items("illustrations"):
    same_number(
        "an open shift",
        open_shifted(_shown.number("armour_die"), _shown.number("shifts"), _shown.number("impact_die")),
        (_shown.number("armour_rolled"), _shown.number("impact_rolled")),
    )


def major(exceeding: int) -> str:
    """What so many of the firer's dice that exceed the target's come to (stargrunt.dice.multiple-opposed-roll).

    >>> major(0), major(1), major(3)
    ('fail', 'minor', 'major')
    """
    if exceeding >= MULTIPLE.number("major"):
        return "major"
    return "minor" if exceeding >= MULTIPLE.number("minor") else "fail"


same_number("no success", MULTIPLE.number("fail"), 0)
for _shown in AGAINST_A_NUMBER.items("illustrations"):
    _beyond = _shown.number("target") + 1
    same_number("what succeeds against a number", _beyond, _shown.number("succeeds_from"))
    same_number("what fails against it", tuple(range(1, _beyond)), _shown.numbers("fails"))
    same_number("a die of the ladder", _shown.number("die") in LADDER, True)


def clock_degrees(score: int, away: int) -> int:
    """A direction on a clock face, as a facing; 12 is straight away from the acting player's own baseline.

    >>> clock_degrees(12, 270), clock_degrees(3, 270), clock_degrees(6, 90)
    (270, 0, 270)
    """
    return (away + score * CLOCK.number("degrees_per_step")) % 360


same_number("a clock face of D12", LADDER[-1] * CLOCK.number("degrees_per_step"), 360)


def die_part(label: str, die: int, why: Rule, known_to: tuple[Side, ...] = ()) -> ExplainedPart:
    """The part of a throw that brings a die.

    >>> die_part("Quality", 8, OPPOSED).label
    'Quality D8'
    """
    return ExplainedPart(f"{label} D{die}", die, why.id, known_to)


def shifted_die(label: str, die: int, why: Rule, *shifts: ExplainedPart) -> tuple[int, tuple[ExplainedPart, ...]]:
    """A die shifted by the sum of some parts, and why it is that die; what shifts nothing is not said.

    >>> extra, nothing = ExplainedPart("extra markers", 1, SHIFTING.id), ExplainedPart("chits", 0, SHIFTING.id)
    >>> shifted_die("system", 6, DIE_TYPES, extra, nothing)[0], len(shifted_die("system", 6, DIE_TYPES, nothing)[1])
    (8, 1)
    """
    counting = [part for part in shifts if part.value]
    return shifted(die, sum(part.value for part in counting)), (die_part(label, die, why), *counting)


#: A test of one die that has to exceed a number.
_TEST = Reading(succeeded="passed", failed="failed")


def trial(
    what: str,
    by: str,
    die: int,
    target: tuple[ExplainedPart, ...],
    why: Rule,
    dice_parts: tuple[ExplainedPart, ...] = (),
    more: tuple[Rule, ...] = (),
    known_to: tuple[Side, ...] = (),
) -> Check:
    """One die that has to exceed the sum of some parts; in secret, where some alone may know.

    stargrunt.dice.roll-against-a-number    nothing is added to the die
    stargrunt.dice.exceed-to-succeed        an equal score fails

    >>> lv = ExplainedPart("LV", 2, AGAINST_A_NUMBER.id)
    >>> trial("a test", "A", 8, (lv,), EXCEED).passes(), trial("a test", "A", 4, (lv, lv), EXCEED).passes()
    (Fraction(3, 4), Fraction(0, 1))
    """
    return Check(
        what=what,
        by=by,
        dice=f"d{die}",
        rule=why,
        needs=explain("to exceed", *target, ExplainedPart("to exceed it", 1, EXCEED.id)),
        dice_parts=dice_parts,
        reading=_TEST,
        citing=(AGAINST_A_NUMBER, EXCEED, *more),
        known_to=known_to,
    )


def number_to_exceed(check: Check) -> int:
    """The number that the die of a trial has to exceed."""
    return check.target - 1


def blundered(check: Check, score: int) -> bool:
    """Whether a score fails with a 1, for which some rules have something worse in store."""
    return score == 1 and score < check.target


def exceeding(die: int, number: int) -> Fraction:
    """How likely a die is to exceed a number (stargrunt.dice.roll-against-a-number).

    >>> exceeding(8, 2), exceeding(4, 4)
    (Fraction(3, 4), Fraction(0, 1))
    """
    return Fraction(min(die, max(0, die - number)), die)


def one_die(what: str, by: str, die: int, parts: tuple[ExplainedPart, ...] = (), times: int = 1) -> Check:
    """One side of an opposed roll: what it is called, who rolls which die and why, and how often its score counts.

    stargrunt.dice.multiplied-dice    a D12 times 3 is one die, its score multiplied
    """
    grown = ExplainedPart(f"× {times}", times, MULTIPLIED.id) if times != 1 else None
    return Check(what=what, by=by, dice=f"d{die}", rule=OPPOSED, dice_parts=parts, times=grown)


def contest(acting: Check, opposing: Check, why: Rule, more: tuple[Rule, ...] = ()) -> Check:
    """The acting player's die against the opposing player's, which it has to exceed (stargrunt.dice.opposed-roll)."""
    against = replace(opposing, rule=why, citing=more)
    return replace(acting, rule=why, against=against, citing=(OPPOSED, EXCEED, *more))


def who_is_higher(mine: int, theirs: int) -> str:
    """The outcome of an opposed roll in words, where a rule has none of its own."""
    return "succeeds" if mine > theirs else "fails"


def opposed_roll(
    battle: Battle,
    acting: Check,
    opposing: Check,
    why: Rule,
    *,
    because: int = 0,
    more: tuple[Rule, ...] = (),
    outcome: Callable[[int, int], str] = who_is_higher,
) -> Thrown:
    """The opposing player's die falls, then the acting player's, which must be higher."""
    return throw(battle, contest(acting, opposing, why, more), because, exceeds=EXCEED, outcome=outcome)


def several(
    what: str, by: str, dice: tuple[int, ...], parts: tuple[ExplainedPart, ...], why: Rule, more: tuple[Rule, ...] = ()
) -> Check:
    """The dice of one player in a multiple opposed roll.

    >>> several("fire", "A", (8, 6), (), MULTIPLE).dice
    'd8+d6'
    """
    shown = "+".join([f"d{die}" for die in dice])
    return Check(what=what, by=by, dice=shown, rule=why, dice_parts=parts, citing=(EXCEED, *more))


def against_one(ours: Check, theirs: Check, outcome: Callable[[int], str]) -> Check:
    """Several dice against one; how many are higher decides (stargrunt.dice.multiple-opposed-roll).

    Where a part of either throw is not a side's to know, that side sees its outcome only.
    """
    return replace(ours, against=theirs, reading=Reading(each=outcome))


def dice_against(dice: tuple[int, ...], die: int) -> Check:
    """Several dice against one, as whoever thinks ahead sees them: nobody has thrown them yet."""
    return against_one(several("dice", "", dice, (), MULTIPLE), several("die", "", (die,), (), MULTIPLE), major)


def success_chances(roll: Check) -> dict[str, Fraction]:
    """How likely several dice are to fail against one, to be a minor and to be a major success.

    >>> success_chances(dice_against((8, 8), 4))["major"]
    Fraction(63, 128)
    """
    found = {"fail": Fraction(0), "minor": Fraction(0), "major": Fraction(0)}
    for tally, share in roll.tallies().items():
        found[major(tally.higher)] += share
    return found


class Read(NamedTuple):
    """A roll that was told: its score, the event, and what it comes to in words."""

    score: int
    n: int
    word: str


def table_roll(
    battle: Battle,
    what: str,
    by: str,
    dice: str,
    why: Rule,
    read: Callable[[int], str] = lambda score: "",
    because: int = 0,
    *,
    parts: tuple[ExplainedPart, ...] = (),
    added: tuple[ExplainedPart, ...] = (),
    more: tuple[Rule, ...] = (),
    known_to: tuple[Side, ...] = (),
) -> Read:
    """Roll dice that nothing is compared with, and tell what they come to: as `read` says of the score."""
    check = Check(what=what, by=by, dice=dice, rule=why, modifiers=added, dice_parts=parts, known_to=known_to)
    detail = citing(*more) if more else {}
    thrown = throw(battle, check, because, outcome=lambda score, _: read(score), detail=lambda fell: detail)
    return Read(thrown.score, thrown.n, read(thrown.score))


def plain_roll(battle: Battle, what: str, by: str, dice: str, why: Rule, because: int = 0) -> tuple[int, int]:
    """Roll some dice that nothing is compared with; gives the score and the number of the event."""
    rolled = table_roll(battle, what, by, dice, why, because=because)
    return rolled.score, rolled.n


def row_of(why: Rule, score: int, *rows: str, under: tuple[str, ...] = ()) -> str:
    """The first of some rows of a rule's table that has a score; empty where none has."""
    return next((row for row in rows if score in why.numbers(*under, row)), "")
