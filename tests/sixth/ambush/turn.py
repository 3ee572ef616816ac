"""The turn: initiative, activations one after another, walking, and the end of turns and battles."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved, PhaseBegan
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.tabletop.actions import Action
from sandtable.tabletop.activations import Alternating, NextActivation
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end, last_side_standing
from sandtable.tabletop.states import END_OF_TURN, expire_all
from sandtable.tabletop.turns import roll_off
from sandtable.tabletop.walking import OnFoot, track_of

from .counters import DUMMY, SPOTTED, card_of, is_hidden, reveal, spotted
from .shooting import walked_into_sight

INITIATIVE = rule("ambush.turn.initiative")
ALTERNATING = rule("ambush.turn.alternating")
ACTIONS = rule("ambush.turn.actions")
WALKING = rule("ambush.turn.walk")
END = rule("ambush.turn.end")
LAST_STANDING = rule("ambush.turn.last-standing")
LIMIT = rule("ambush.turn.limit")

WALK = OnFoot("walk", WALKING, WALKING.inches("inches"))


class TurnBegins(Step, frozen=True):
    """A turn begins."""


def turn_begins(battle: Battle, step: TurnBegins) -> Procedure[None]:
    """Roll for who goes first."""
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn + 1, "activations", rule=ALTERNATING.id))
    battle.push(NextActivation(roll_off(battle, "initiative", INITIATIVE.text_at("dice"), INITIATIVE)))


def turn_ends(battle: Battle) -> None:
    """What lasts until now ends; after the last turn the battle does."""
    expire_all(battle, END_OF_TURN, END)
    if battle.table.turn < LIMIT.number("turns"):
        battle.push(TurnBegins())
        return
    for one in [one for one in battle.table.models() if is_hidden(one)]:
        reveal(battle, one, why=LIMIT)
    left = {side: len(battle.table.models(side)) for side in battle.table.sides}
    best = [side for side, count in left.items() if count == max(left.values())]
    end(battle, best[0] if len(best) == 1 else "", LIMIT, "the last turn is over", left)


def see_who_stands(battle: Battle) -> None:
    """End the battle where at most one side has anything on the board."""
    winner = last_side_standing(battle.table, lambda side: bool(battle.table.models(side)))
    if winner is not None:
        end(battle, winner, LAST_STANDING, "the last side standing")


def walk(battle: Battle, one: Thing, step: object) -> Procedure[None]:
    """Walk; then counters that are too near are turned over, and watchers may fire."""
    walks: dict[str, Walk] = yield WALK.question(one, f"{one.label}: where to?", default={})
    track = track_of(one, walks.get(one.id, Walk()))
    if not track.length:
        return
    n = battle.happens(Moved(one.id, one.place, At(track.end.point), walk=track.walk, rule=WALKING.id))
    for counter in spotted(battle.table):
        reveal(battle, counter, n, SPOTTED)
    if battle.table[one.id].on_table:
        yield from walked_into_sight(battle, battle.table[one.id])


def fighters(table: Table, side: str) -> int:
    """How many fighters a side has, dummies left out, as far as one knows."""
    return sum(card_of(one) != DUMMY for one in table.models(side))


ORDER = Alternating(ALTERNATING, ACTIONS, ACTIONS.number("actions"), see_who_stands, turn_ends)
CHAPTER = Chapter(
    steps={TurnBegins: turn_begins},
    actions=(Action(id=WALK.topic, label="Walk", rule=WALKING, carry_out=walk),),
    judges={WALK.topic: WALK.refused},
    previews={WALK.topic: WALK.preview},
    answers={WALK.topic: "the path"},
    values={"fighters": lambda table, asked: fighters(table, asked.text_at())},
)
