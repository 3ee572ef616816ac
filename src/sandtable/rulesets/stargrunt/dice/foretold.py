"""What a roll would be before it falls, as previews show it: which die, what it has to exceed, and the exact chance."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from msgspec.structs import replace

from sandtable.engine.explain import Explanation, explain, inches
from sandtable.engine.questions import Chance, Preview
from sandtable.rulesets.stargrunt.dice.rolls import Roller, Trial
from sandtable.rulesets.stargrunt.movement.walking import combat_distance


def chance(label: str, share: Fraction) -> Chance:
    """A chance as a preview shows it.

    >>> chance("it works", Fraction(6, 8))
    Chance(label='it works', numerator=3, denominator=4, range=None)
    """
    return Chance(label, share.numerator, share.denominator)


def chances(shares: Mapping[str, Fraction]) -> tuple[Chance, ...]:
    """Several outcomes with their chances."""
    return tuple(chance(label, share) for label, share in shares.items())


def between(label: str, low: Fraction, high: Fraction) -> Chance:
    """A chance that depends on what its reader may not know: it lies between two, told in thousandths.

    >>> between("seen", Fraction(1, 3), Fraction(1, 2)).range
    (333, 500)
    """
    if low == high:
        return chance(label, low)
    ends = low.numerator * 1000 // low.denominator, -(-high.numerator * 1000 // high.denominator)
    return Chance(label, 0, 1, range=ends)


def trial_preview(success: str, *trials: Trial) -> Preview:
    """One trial, or several of which each follows on the success of the one before; and the chance that all succeed."""
    notes = [f"{one.what}: D{one.die} has to exceed {one.to_exceed}" for one in trials]
    explained = [number for one in trials for number in _explained(one)]
    odds = (chance(success, prod((one.passes() for one in trials), start=Fraction(1))),) if trials else ()
    return Preview(explanations=tuple(explained), notes=tuple(notes), odds=odds)


def risky_preview(success: str, blunder: str, trial: Trial) -> Preview:
    """A trial at which a failed 1 has something worse in store."""
    shown = trial_preview(success, trial)
    worst = face_chances(trial.die, lambda score: blunder if trial.blundered(score) else "")
    return replace(shown, odds=(chance(blunder, worst.get(blunder, Fraction(0))), *shown.odds))


def _explained(trial: Trial) -> list[Explanation]:
    """The number to exceed; and the steps of the die, where it is not just the die it started as."""
    steps = [part for part in trial.dice_parts if part.worth()]
    shifted = [explain(f"{trial.what}: its die D{trial.die}, in steps", *steps)] if steps else []
    return [explain(f"{trial.what}: to exceed", *trial.target), *shifted]


def contest_chances(mine: Roller, theirs: Roller, outcome: Callable[[int, int], str]) -> dict[str, Fraction]:
    """How likely each outcome of an opposed roll is: every fall of both dice counted.

    >>> shares = contest_chances(Roller("a", "A", 8), Roller("b", "B", 4), lambda a, b: "higher" if a > b else "not")
    >>> shares["higher"]
    Fraction(11, 16)
    """
    found: dict[str, Fraction] = {}
    share = Fraction(1, mine.die * theirs.die)
    for ours, other in product(range(1, mine.die + 1), range(1, theirs.die + 1)):
        word = outcome(ours * mine.times, other * theirs.times)
        found[word] = found.get(word, Fraction(0)) + share
    return found


def contest_preview(mine: Roller, theirs: Roller, outcome: Callable[[int, int], str]) -> Preview:
    """An opposed roll: both dice with what they are made of, and every outcome with its chance."""
    odds = chances(contest_chances(mine, theirs, outcome))
    return Preview(notes=(f"{die_words(mine)} against {die_words(theirs)}",), odds=odds)


def die_words(roller: Roller) -> str:
    """The die of one side of an opposed roll in words.

    >>> die_words(Roller("armour", "B", 12, times=3))
    'armour D12 × 3'
    """
    times = f" × {roller.times}" if roller.times != 1 else ""
    why = " · ".join(part.words() for part in roller.parts)
    return f"{roller.what} D{roller.die}{times}" + (f" ({why})" if why else "")


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


def combat_preview(die: int, dearest: int, trials: Sequence[Trial] = ()) -> Preview:
    """A combat move: how likely the mobility die takes all to the end of their ways, tests before it included."""
    share = face_chances(die, lambda score: "there" if combat_distance(score) >= dearest else "short")
    share_there = share.get("there", Fraction(0)) * prod(one.passes() for one in trials)
    return Preview(notes=(combat_note(die),), odds=(chance("it gets all the way", share_there),))


def together(*previews: Preview) -> Preview:
    """Several previews as one, in their order."""
    return Preview(
        explanations=tuple(one for preview in previews for one in preview.explanations),
        notes=tuple(one for preview in previews for one in preview.notes),
        paths=tuple(one for preview in previews for one in preview.paths),
        odds=tuple(one for preview in previews for one in preview.odds),
        odds_note=next((preview.odds_note for preview in previews if preview.odds_note), ""),
    )
