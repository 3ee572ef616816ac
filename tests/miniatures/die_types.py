"""Five die types from D4 to D12, shifts between them, and rolls that have to exceed a number."""

from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Rolled
from sandtable.engine.explain import ExplainedPart

LADDER = (4, 6, 8, 10, 12)

EXCEED = "stargrunt.dice.exceed-to-succeed"


def shifted(die: int, steps: int) -> int:
    """A die type shifted up or down; what goes beyond D4 or D12 is lost (stargrunt.dice.closed-shift).

    >>> shifted(6, 1), shifted(10, 3), shifted(4, -1)
    (8, 12, 4)
    """
    return LADDER[max(0, min(len(LADDER) - 1, LADDER.index(die) + steps))]


def nearest(count: int) -> int:
    """The smallest die type that is not less than a count (stargrunt.dice.nearest-die-rounded-up).

    >>> nearest(1), nearest(7), nearest(30)
    (4, 8, 12)
    """
    return next((die for die in LADDER if die >= count), LADDER[-1])


class Tested(NamedTuple):
    """How a roll came out: whether it succeeded, its score, and the number of its event."""

    passed: bool
    score: int
    n: int


def exceed(
    battle: Battle,
    what: str,
    by: str,
    die: int,
    target: tuple[ExplainedPart, ...],
    rule: str,
    *,
    because: int = 0,
    dice_parts: tuple[ExplainedPart, ...] = (),
) -> Tested:
    """Roll one die, which has to exceed the sum of the target's parts."""
    parts = (*target, ExplainedPart("to exceed it", 1, EXCEED))
    needs = sum(part.value for part in parts)
    fell = battle.dice.total(f"d{die}")
    passed = fell.natural >= needs
    n = battle.happens(
        Rolled(
            what,
            by,
            fell.dice,
            fell.faces,
            fell.natural,
            total=fell.natural,
            needs=needs,
            needs_parts=parts,
            margin=fell.natural - needs,
            outcome="passed" if passed else "failed",
            dice_parts=dice_parts,
            rule=rule,
            because=because,
        )
    )
    return Tested(passed, fell.natural, n)
