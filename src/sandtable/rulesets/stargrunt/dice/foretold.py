"""What a roll would be before it falls, as previews show it: which die, what it has to exceed, and the exact chance."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod

from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.questions import Chance, Preview
from sandtable.rulesets.stargrunt.dice.rolls import OPPOSED, blundered, contest, number_to_exceed, one_die
from sandtable.rulesets.stargrunt.movement.walking import combat_distance
from sandtable.tabletop.checks import Check


def chance(label: str, share: Fraction) -> Chance:
    """A chance as a preview shows it.

    >>> chance("it works", Fraction(6, 8))
    Chance(label='it works', numerator=3, denominator=4)
    """
    return Chance(label, share.numerator, share.denominator)


def chances(shares: Mapping[str, Fraction]) -> tuple[Chance, ...]:
    """Several things that may come, each with its chance: one of them, several, or none."""
    return tuple(chance(label, share) for label, share in shares.items())


def outcomes(shares: Mapping[str, Fraction]) -> tuple[Chance, ...]:
    """All outcomes there are, of which just one comes.

    >>> [one.one_of for one in outcomes({"it works": Fraction(1, 3), "it does not": Fraction(2, 3)})]
    [True, True]
    """
    assert not shares or sum(shares.values()) == 1, f"not all that may come: {shares}"
    return tuple(replace(one, one_of=True) for one in chances(shares))


def between(label: str, low: Fraction, high: Fraction) -> Chance:
    """A chance that depends on what its reader may not know: it lies between two, told in thousandths.

    >>> between("seen", Fraction(1, 3), Fraction(1, 2)).range
    (333, 500)
    """
    if low == high:
        return chance(label, low)
    ends = low.numerator * 1000 // low.denominator, -(-high.numerator * 1000 // high.denominator)
    return Chance(label, 0, 1, range=ends)


def trial_preview(success: str, *trials: Check) -> Preview:
    """One trial, or several of which each follows on the success of the one before; and the chance that all succeed."""
    notes = [f"{one.what}: D{one.sides} has to exceed {number_to_exceed(one)}" for one in trials]
    explained = [number for one in trials for number in _explained(one)]
    odds = (chance(success, prod((one.passes() for one in trials), start=Fraction(1))),) if trials else ()
    return Preview(explanations=tuple(explained), notes=tuple(notes), odds=odds)


def risky_preview(success: str, blunder: str, trial: Check) -> Preview:
    """A trial at which a failed 1 has something worse in store."""
    shown = trial_preview(success, trial)
    worst = trial.chances(lambda fall: blundered(trial, fall.score)).get(True, Fraction(0))
    return replace(shown, odds=(chance(blunder, worst), *shown.odds))


def _explained(trial: Check) -> list[Explanation]:
    """The number to exceed; and the steps of the die, where it is not just the die it started as."""
    steps = [part for part in trial.dice_parts if part.worth()]
    shifted = [explain(f"{trial.what}: its die D{trial.sides}, in steps", *steps)] if steps else []
    return [explain(f"{trial.what}: to exceed", *_to_exceed(trial)), *shifted]


def _to_exceed(trial: Check) -> tuple[ExplainedPart, ...]:
    """What a trial has to exceed, without the one more that it takes."""
    return () if trial.needs is None else trial.needs.parts[:-1]


def contest_chances(mine: Check, theirs: Check, outcome: Callable[[int, int], str]) -> dict[str, Fraction]:
    """How likely each outcome of an opposed roll is: every fall of both dice counted.

    >>> from sandtable.rulesets.stargrunt.dice.rolls import one_die
    >>> shares = contest_chances(one_die("a", "A", 8), one_die("b", "B", 4), lambda a, b: "higher" if a > b else "not")
    >>> shares["higher"]
    Fraction(11, 16)
    """
    found: dict[str, Fraction] = {}
    for (score, other), share in _scores(mine.sides, _times(mine), theirs.sides, _times(theirs)).items():
        word = outcome(score, other)
        found[word] = found.get(word, Fraction(0)) + share
    return found


def _times(roller: Check) -> int:
    return 1 if roller.times is None else roller.times.value


@lru_cache(maxsize=256)
def _scores(mine: int, times: int, theirs: int, their_times: int) -> dict[tuple[int, int], Fraction]:
    """What both dice of an opposed roll may score."""
    both = contest(one_die("mine", "", mine, times=times), one_die("theirs", "", theirs, times=their_times), OPPOSED)
    found = both.chances(lambda fall: (fall.score, fall.against))
    return {pair: share for pair, share in found.items() if isinstance(pair, tuple)}


def contest_preview(mine: Check, theirs: Check, outcome: Callable[[int, int], str]) -> Preview:
    """An opposed roll: both dice with what they are made of, and every outcome with its chance."""
    odds = outcomes(contest_chances(mine, theirs, outcome))
    return Preview(notes=(f"{die_words(mine)} against {die_words(theirs)}",), odds=odds)


def die_words(roller: Check) -> str:
    """The die of one side of an opposed roll in words.

    >>> from sandtable.rulesets.stargrunt.dice.rolls import one_die
    >>> die_words(one_die("armour", "B", 12, times=3))
    'armour D12 × 3'
    """
    times = "" if roller.times is None else f" {roller.times.label}"
    why = " · ".join(part.words() for part in roller.dice_parts)
    return f"{roller.what} D{roller.sides}{times}" + (f" ({why})" if why else "")


def face_chances(die: int, outcome: Callable[[int], str]) -> dict[str, Fraction]:
    """How likely each outcome of one die is.

    >>> face_chances(6, lambda score: "mended" if score > 4 else "not mended")["mended"]
    Fraction(1, 3)
    """
    found: dict[str, Fraction] = {}
    for score in range(1, die + 1):
        word = outcome(score)
        found[word] = found.get(word, Fraction(0)) + Fraction(1, die)
    return found


def combat_note(die: int) -> str:
    """How far a combat move takes a unit, in words."""
    return f"combat move: {inches(combat_distance(1))} for each point of a D{die}"


def combat_preview(die: int, dearest: int, trials: Sequence[Check] = ()) -> Preview:
    """A combat move: how likely the mobility die takes all to the end of their ways, tests before it included."""
    share = face_chances(die, lambda score: "there" if combat_distance(score) >= dearest else "short")
    share_there = share.get("there", Fraction(0)) * prod(one.passes() for one in trials)
    return Preview(notes=(combat_note(die),), odds=(chance("it gets all the way", share_there),))
