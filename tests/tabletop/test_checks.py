"""Checks: what is thrown is what the odds count."""

from fractions import Fraction

import pytest

from sandtable.engine.dice import Dice
from sandtable.engine.enumerator import chances_of
from sandtable.rulesets.stargrunt.dice.rolls import dice_against
from sandtable.tabletop.checks import Tally


@pytest.mark.parametrize("dice", [(4,), (8, 6), (4, 6, 4)])
@pytest.mark.parametrize("against", [4, 6])
def test_tallies_of_several_dice_are_those_of_every_fall(dice: tuple[int, ...], against: int) -> None:
    """One after the other as they are thrown, with dice that branch."""

    def play(branching: Dice) -> tuple[int, int]:
        mine = [branching.total(f"d{die}").natural for die in dice]
        theirs = branching.total(f"d{against}").natural
        return sum(one > theirs for one in mine), sum(mine)

    found = dice_against(dice, against).tallies()
    assert found == {Tally(*what): share for what, share in chances_of(play).items()}  # type: ignore[misc]
    assert sum(found.values(), Fraction(0)) == 1
