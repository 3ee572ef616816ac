"""The turn: whose card comes up."""

from collections.abc import Callable

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.ids import Side
from sandtable.forces.ledger import Rule
from sandtable.tabletop.turns import DrawDeck


def side_to_act(battle: Battle, deck: DrawDeck, ready: Callable[[Side], bool], surplus: Rule) -> Side | None:
    """Draw until a card comes up for a side that has somebody left to activate; none when nobody is left.

    A card of a side with nobody left is passed over.
    """
    while any(ready(side) for side in battle.table.sides):
        side = deck.draw_side(battle)
        if side is None:
            return None
        if ready(side):
            return side
        battle.happens(Forfeited(side, "surplus card", rule=surplus.id))
    return None
