"""The turn: initiative, activations one after another, walking, and the end of turns and battles."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule
from sandtable.tabletop.actions import Action
from sandtable.tabletop.activations import Alternating, NextTurn
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end, foremost, see_who_stands
from sandtable.tabletop.states import END_OF_TURN, expire_all
from sandtable.tabletop.walking import OnFoot

from .counters import reveal
from .shooting import walked_into_sight

INITIATIVE = rule("ambush.turn.initiative")
ALTERNATING = rule("ambush.turn.alternating")
ACTIONS = rule("ambush.turn.actions")
WALKING = rule("ambush.turn.walk")
END = rule("ambush.turn.end")
LAST_STANDING = rule("ambush.turn.last-standing")
LIMIT = rule("ambush.turn.limit")

WALK = OnFoot("walk", WALKING, WALKING.inches("inches"))


def turn_ends(battle: Battle) -> None:
    """What lasts until now ends; after the last turn the battle does."""
    expire_all(battle, END_OF_TURN, END)
    if battle.table.turn < LIMIT.number("turns"):
        battle.push(NextTurn())
        return
    for one in [*battle.table.models()]:
        reveal(battle, one.id, why=LIMIT)
    left = {side: len(battle.table.models(side)) for side in battle.table.sides}
    end(battle, foremost(left), LIMIT, "the last turn is over", left)


def walk(battle: Battle, one: Thing, step: object) -> Procedure[None]:
    """Walk; then watchers may fire."""
    n = yield from WALK.walk(battle, one)
    if n:
        yield from walked_into_sight(battle, battle.table[one.id])


def acted(battle: Battle) -> None:
    """After every action it is seen who still stands."""
    see_who_stands(battle, LAST_STANDING)


ORDER = Alternating(ALTERNATING, ACTIONS, ACTIONS.number("actions"), acted, turn_ends, INITIATIVE)
CHAPTER = Chapter(
    actions=(Action(id=WALK.topic, label="Walk", rule=WALKING, carry_out=walk),),
    judges={WALK.topic: WALK.refused},
    previews={WALK.topic: WALK.preview},
    answers={WALK.topic: "the path"},
)
