"""How battles end: who is left, and telling it."""

from collections.abc import Callable, Mapping

from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded
from sandtable.engine.table import Table
from sandtable.forces.ledger import Rule


def last_side_standing(table: Table, stands: Callable[[str], bool]) -> str | None:
    """The side that is left alone; empty where none is left, none while there are several."""
    standing = [side for side in table.sides if stands(side)]
    return None if len(standing) > 1 else standing[0] if standing else ""


def end(battle: Battle, winner: str, rule: Rule, reason: str, points: Mapping[str, int] | None = None) -> None:
    """Tell that the battle is over; nobody wins where the winner is empty."""
    battle.happens(BattleEnded(winner, dict(points or {}), reason, rule=rule.id))
