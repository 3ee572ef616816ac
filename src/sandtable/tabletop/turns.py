"""Whose turn it is: sides one after another, and sides that roll for it."""

from collections.abc import Callable, Sequence

from sandtable.engine.battle import Battle
from sandtable.forces.ledger import Rule
from sandtable.tabletop.checks import Check, throw


def next_side(sides: Sequence[str], side: str, able: Callable[[str], bool]) -> str | None:
    """The side whose turn it is: this one, or the next round the table that is able to; none where nobody is.

    >>> next_side(("red", "blue", "green"), "blue", lambda side: side == "red")
    'red'
    >>> next_side(("red", "blue"), "red", lambda side: False) is None
    True
    """
    at = sides.index(side)
    return next((one for one in (*sides[at:], *sides[:at]) if able(one)), None)


def roll_off(battle: Battle, what: str, dice: str, rule: Rule) -> str:
    """Every side rolls, ties again; gives the side with the highest roll."""
    while True:
        check = [Check(what=what, by=side, dice=dice, rule=rule) for side in battle.table.sides]
        scores = {one.by: throw(battle, one).score for one in check}
        best = [side for side, score in scores.items() if score == max(scores.values())]
        if len(best) == 1:
            return best[0]
