"""Dice: five die types, shifts between them, and rolls that have to exceed a number or another die."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.forces.ledger import Rule, rule

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


def citing(*rules: Rule) -> Detail:
    """The other rules that an event carries out, beside the one that it names first.

    >>> also(OPEN)
    {'rules': ('stargrunt.dice.open-shift',)}
    """
    return {"rules": tuple(one.id for one in rules)}


def same_number(what: str, *numbers: object) -> None:
    """See that numbers which the ledger states in several places are one number.

    >>> agree("the largest die", LADDER[-1], 12)
    """
    if any(number != numbers[0] for number in numbers[1:]):
        raise ValueError(f"the ledger disagrees with itself about {what}: {', '.join(map(str, numbers))}")


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


def die_part(label: str, die: int, why: Rule, known_to: tuple[str, ...] = ()) -> ExplainedPart:
    """The part of a throw that brings a die.

    >>> die_part("Quality", 8, OPPOSED).label
    'Quality D8'
    """
    return ExplainedPart(f"{label} D{die}", die, why.id, known_to)


class Tested(NamedTuple):
    """How a roll came out: whether it succeeded, its score, and the number of its event."""

    passed: bool
    score: int
    n: int


class Trial(NamedTuple):
    """One die that has to exceed the sum of some parts, before it falls; in secret, where some alone may know.

    The procedure that rolls it and the preview that explains it read the same trial.
    """

    what: str
    by: str
    die: int
    target: tuple[ExplainedPart, ...]
    why: Rule
    dice_parts: tuple[ExplainedPart, ...] = ()
    more: tuple[Rule, ...] = ()
    known_to: tuple[str, ...] = ()

    @property
    def to_exceed(self) -> int:
        """The number that the die has to exceed."""
        return sum(part.value for part in self.target)

    def passes(self) -> Fraction:
        """How likely it is to succeed.

        >>> lv = ExplainedPart("LV", 2, AGAINST_A_NUMBER.id)
        >>> Trial("a test", "A", 8, (lv,), EXCEED).passes(), Trial("a test", "A", 4, (lv, lv), EXCEED).passes()
        (Fraction(3, 4), Fraction(0, 1))
        """
        return exceeding(self.die, self.to_exceed)

    def blundered(self, score: int) -> bool:
        """Whether a score fails with a 1, for which some rules have something worse in store."""
        return score == 1 and score <= self.to_exceed


def exceeding(die: int, number: int) -> Fraction:
    """How likely a die is to exceed a number (stargrunt.dice.roll-against-a-number).

    >>> exceeding(8, 2), exceeding(4, 4)
    (Fraction(3, 4), Fraction(0, 1))
    """
    return Fraction(min(die, max(0, die - number)), die)


def exceed(battle: Battle, trial: Trial, because: int = 0) -> Tested:
    """Roll one die, which has to exceed the sum of the target's parts; in secret, where some alone may know.

    stargrunt.dice.roll-against-a-number    nothing is added to the die
    stargrunt.dice.exceed-to-succeed        an equal score fails
    """
    parts = (*trial.target, ExplainedPart("to exceed it", 1, EXCEED.id))
    needs = sum(part.value for part in parts)
    fell = battle.dice.total(f"d{trial.die}")
    passed = fell.natural >= needs
    n = battle.happens(
        Rolled(
            trial.what,
            trial.by,
            fell.dice,
            fell.faces,
            fell.natural,
            total=fell.natural,
            needs=needs,
            needs_parts=parts,
            margin=fell.natural - needs,
            outcome="passed" if passed else "failed",
            dice_parts=trial.dice_parts,
            rule=trial.why.id,
            because=because,
            detail=citing(AGAINST_A_NUMBER, EXCEED, *trial.more),
            known_to=trial.known_to,
        )
    )
    return Tested(passed, fell.natural, n)


class Roller(NamedTuple):
    """One side of an opposed roll: what it is called, who rolls which die and why, and how often its score counts."""

    what: str
    who: str
    die: int
    parts: tuple[ExplainedPart, ...] = ()
    times: int = 1


class Contest(NamedTuple):
    """How an opposed roll came out: whether the acting side won, both scores, and the number of its event."""

    won: bool
    mine: int
    theirs: int
    n: int


def who_is_higher(mine: int, theirs: int) -> str:
    """The outcome of an opposed roll in words, where a rule has none of its own."""
    return "succeeds" if mine > theirs else "fails"


def multiplied(natural: int, times: int) -> tuple[ExplainedPart, ...]:
    """What multiplying adds to a score (stargrunt.dice.multiplied-dice): one die, and its score so many times.

    >>> sum(part.value for part in multiplied(7, 3))
    14
    """
    return (ExplainedPart(f"× {times}", natural * (times - 1), MULTIPLIED.id),) if times != 1 else ()


def opposed_roll(
    battle: Battle,
    acting: Roller,
    opposing: Roller,
    why: Rule,
    *,
    because: int = 0,
    more: tuple[Rule, ...] = (),
    outcome: Callable[[int, int], str] = who_is_higher,
) -> Contest:
    """The opposing player's die falls, then the acting player's, which must be higher (stargrunt.dice.opposed-roll).

    stargrunt.dice.multiplied-dice    a D12 times 3 is one die, its score multiplied
    """
    theirs, n = _rolled(battle, opposing, why, because, more)
    fell = battle.dice.total(f"d{acting.die}")
    grown = multiplied(fell.natural, acting.times)
    mine = fell.natural * acting.times
    # One part that is not a side's to know hides this score too: it is what the other die has shown.
    known = next((part.known_to for part in opposing.parts if part.known_to), ())
    needs = (ExplainedPart(opposing.what, theirs, why.id, known), ExplainedPart("to exceed it", 1, EXCEED.id))
    n = battle.happens(
        Rolled(
            *(acting.what, acting.who, fell.dice, fell.faces, fell.natural, grown, mine),
            needs=theirs + 1,
            needs_parts=needs,
            margin=mine - theirs - 1,
            outcome=outcome(mine, theirs),
            dice_parts=acting.parts,
            rule=why.id,
            because=n,
            detail=citing(OPPOSED, EXCEED, *more),
        )
    )
    return Contest(mine > theirs, mine, theirs, n)


def _rolled(battle: Battle, roller: Roller, why: Rule, because: int, more: tuple[Rule, ...]) -> tuple[int, int]:
    fell = battle.dice.total(f"d{roller.die}")
    score = fell.natural * roller.times
    n = battle.happens(
        Rolled(
            *(roller.what, roller.who, fell.dice, fell.faces, fell.natural),
            parts=multiplied(fell.natural, roller.times),
            total=score,
            dice_parts=roller.parts,
            rule=why.id,
            because=because,
            detail=citing(*more),
        )
    )
    return score, n


class Throw(NamedTuple):
    """Whose dice, for what, which, and why they are those."""

    what: str
    by: str
    dice: tuple[int, ...]
    parts: tuple[ExplainedPart, ...]
    why: Rule
    more: tuple[Rule, ...] = ()


class Opposed(NamedTuple):
    """How dice came out against one: what they show, how many are higher, and the number of the last event."""

    scores: tuple[int, ...]
    higher: int
    n: int


def multiple_opposed(
    battle: Battle, ours: Throw, theirs: Throw, outcomes: Callable[[int], str], because: int = 0
) -> Opposed:
    """Roll some dice against one; how many are higher decides (stargrunt.dice.multiple-opposed-roll).

    Where a part of either throw is not a side's to know, that side sees its outcome only.
    """
    fell = [battle.dice.total(f"d{die}") for die in ours.dice]
    against = battle.dice.total(f"d{theirs.dice[0]}")
    scores = tuple(one.natural for one in fell)
    higher = sum(score > against.natural for score in scores)
    n = because
    for throw, dice, faces in (
        (ours, "+".join(one.dice for one in fell), scores),
        (theirs, against.dice, against.faces),
    ):
        total = sum(faces)
        n = battle.happens(
            Rolled(
                *(throw.what, throw.by, dice, faces, total),
                total=total,
                dice_parts=throw.parts,
                outcome=outcomes(higher) if throw is theirs else "",
                rule=throw.why.id,
                because=n,
                detail=citing(EXCEED, *throw.more),
            )
        )
    return Opposed(scores, higher, n)


def plain_roll(
    battle: Battle, what: str, by: str, dice: str, why: Rule, outcome: str = "", because: int = 0
) -> tuple[int, int]:
    """Roll some dice that nothing is compared with; gives the score and the number of the event."""
    fell = battle.dice.total(dice)
    n = told(battle, what, by, dice, fell.faces, why, outcome, because)
    return fell.natural, n


def told(
    battle: Battle,
    what: str,
    by: str,
    dice: str,
    faces: tuple[int, ...],
    why: Rule,
    outcome: str = "",
    because: int = 0,
) -> int:
    """Tell a roll that has fallen."""
    total = sum(faces)
    return battle.happens(
        Rolled(what, by, dice, faces, total, total=total, outcome=outcome, rule=why.id, because=because)
    )
