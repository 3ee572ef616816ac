"""How battles end: who is left, and telling it."""

from collections.abc import Callable, Mapping

from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.table import Table
from sandtable.forces.ledger import Rule


def last_side_standing(table: Table, stands: Callable[[Side], bool]) -> Side | None:
    """The side that is left alone; empty where none is left, none while there are several."""
    standing = [side for side in table.sides if stands(side)]
    return None if len(standing) > 1 else standing[0] if standing else NO_SIDE


def see_who_stands(battle: Battle, rule: Rule) -> bool:
    """End the battle where at most one side has a model on the table; whether it has ended."""
    winner = last_side_standing(battle.table, lambda side: bool(battle.table.models(side)))
    if winner is None:
        return False
    end(battle, winner, rule, f"{winner} is the last side in play" if winner else "no side has a model in play")
    return True


def foremost(points: Mapping[Side, int]) -> Side:
    """The side with the most points; empty where several have as many.

    >>> foremost({"red": 2, "blue": 3}), foremost({"red": 3, "blue": 3})
    ('blue', '')
    """
    best = [side for side, count in points.items() if count == max(points.values())]
    return best[0] if len(best) == 1 else NO_SIDE


def end(battle: Battle, winner: Side, rule: Rule, reason: str, points: Mapping[Side, int] | None = None) -> None:
    """Tell that the battle is over; nobody wins where the winner is empty."""
    battle.happens(BattleEnded(winner, dict(points or {}), reason, rule=rule.id))
