"""The turn: initiative, activations one after another, walking, and the end of turns and battles."""

from functools import partial

from sandtable.engine.battle import Battle
from sandtable.forces.ledger import rule
from sandtable.tabletop.activations import Alternating, NextTurn
from sandtable.tabletop.endings import end, foremost, see_who_stands
from sandtable.tabletop.states import END_OF_TURN, expire_all
from sandtable.tabletop.walking import OnFoot

from .counters import COUNTERS

INITIATIVE = rule("ambush.turn.initiative")
ALTERNATING = rule("ambush.turn.alternating")
ACTIONS = rule("ambush.turn.actions")
WALKING = rule("ambush.turn.walk")
END = rule("ambush.turn.end")
LAST_STANDING = rule("ambush.turn.last-standing")
LIMIT = rule("ambush.turn.limit")


def turn_ends(battle: Battle) -> None:
    """What lasts until now ends; after the last turn the battle does."""
    expire_all(battle, END_OF_TURN, END)
    if battle.table.turn < LIMIT.number("turns"):
        battle.push(NextTurn())
        return
    for one in [*battle.table.models()]:
        COUNTERS.reveal(battle, one.id, why=LIMIT)
    left = {side: len(battle.table.models(side)) for side in battle.table.sides}
    end(battle, foremost(left), LIMIT, "the last turn is over", left)


WALK = OnFoot("walk", WALKING, WALKING.inches("inches"))
ACTED = partial(see_who_stands, rule=LAST_STANDING)
ORDER = Alternating(ALTERNATING, ACTIONS, ACTIONS.number("actions"), ACTED, turn_ends, INITIATIVE)
