"""Things that lie face down: everybody sees that they are there, and their owner alone what they are.

How such a thing becomes known (a counter turned over, figures put in its place) is for a ruleset to say.
"""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.shapes import Place
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.tabletop.states import give

#: The state that tells what something is in truth, known to its owner.
IS = "is"


def lay_face_down(battle: Battle, made: Thing, where: Place, what: str, rule: Rule, because: int = 0) -> int:
    """Put something on the table as it looks to all, and tell its owner what it is; gives the number of the event."""
    n = battle.happens(Placed(made.id, where, made=made, rule=rule.id, because=because))
    give(battle, made.id, IS, rule, what, because=n, known_to=(made.side,))
    return n


def lies_under(thing: Thing) -> str:
    """What something is in truth, for those who know; empty for the others."""
    return str(thing.value(IS) or "")
