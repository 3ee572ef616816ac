"""The turn: initiative, activations one after another, walking, and the end of turns and battles."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved, PhaseBegan, StepBegan
from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Disc, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import overlap
from sandtable.field.outlines import outline_of
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import rule
from sandtable.tabletop.actions import ACTION, Action, Budget
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end, last_side_standing
from sandtable.tabletop.opening import by_default
from sandtable.tabletop.states import END_OF_TURN, expire_all, give
from sandtable.tabletop.turns import next_side, roll_off

from .counters import DUMMY, SPOTTED, card_of, is_hidden, reveal, spotted
from .shooting import walked_into_sight

INITIATIVE = rule("ambush.turn.initiative")
ALTERNATING = rule("ambush.turn.alternating")
ACTIONS = rule("ambush.turn.actions")
WALKING = rule("ambush.turn.walk")
END = rule("ambush.turn.end")
LAST_STANDING = rule("ambush.turn.last-standing")
LIMIT = rule("ambush.turn.limit")

ACTIVATED, WALK, DONE = "activated", "walk", "done"


class TurnBegins(Step, frozen=True):
    """A turn begins."""


class NextActivation(Step, frozen=True):
    """A side activates somebody, if it can."""

    side: str


class Activate(Step, frozen=True):
    """What is left of somebody's activation."""

    model: str
    left: int = ACTIONS.number("actions")
    tried: tuple[str, ...] = ()


def turn_begins(battle: Battle, step: TurnBegins) -> Procedure[None]:
    """Roll for who goes first."""
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn + 1, "activations", rule=ALTERNATING.id))
    battle.push(NextActivation(roll_off(battle, "initiative", INITIATIVE.text_at("dice"), INITIATIVE)))


def fresh(table: Table, side: str) -> list[Thing]:
    """What a side can still activate this turn."""
    return [one for one in table.models(side) if not one.has(ACTIVATED)]


def next_activation(battle: Battle, step: NextActivation) -> Procedure[None]:
    """Let a side, or the next that can, choose whom it activates; after the last the turn ends."""
    table = battle.table
    side = next_side(table.sides, step.side, lambda one: bool(fresh(table, one)))
    if side is None:
        turn_ends(battle)
        return
    able = fresh(table, side)
    chosen = able[0].id
    if len(able) > 1:
        options = tuple(Option(one.id, one.label, (one.id,), (ALTERNATING.id,)) for one in able)
        prompt = "Activate whom?"
        chosen = yield ChooseOne(side, prompt, topic="activate", options=options, rules=(ALTERNATING.id,))
    other = table.sides[(table.sides.index(side) + 1) % len(table.sides)]
    battle.push(Activate(chosen), NextActivation(other))


def activate(battle: Battle, step: Activate) -> Procedure[None]:
    """One action after another, as long as there are some left and it stands."""
    one, menu = battle.table[step.model], book_of(battle).menu
    if not one.on_table or not step.left:
        return
    battle.happens(StepBegan("activation", one.side, (one.id,), rule=ACTIONS.id))
    if not one.has(ACTIVATED):
        give(battle, one.id, ACTIVATED, ALTERNATING, until=END_OF_TURN)
    budget = Budget(step.left, step.tried, begun=bool(step.tried))
    nothing = Option(DONE, "Nothing more", (one.id,), (ACTIONS.id,))
    chosen = yield ChooseOne(
        one.side,
        f"{one.label}: which action? {step.left} left",
        topic=ACTION,
        about=(one.id,),
        options=(*menu.options(battle.table, one, budget), nothing),
        rules=(ACTIONS.id,),
        default=by_default(battle.table, DONE),
    )
    if chosen == DONE:
        return
    action = menu.actions[chosen]
    yield from action.carry_out(battle, battle.table[one.id], step)
    battle.push(Activate(one.id, step.left - action.cost, (*step.tried, chosen)))
    see_who_stands(battle)


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


# Walking -----------------------------------------------------------------------------------------------------------


def walk(battle: Battle, one: Thing, step: object) -> Procedure[None]:
    """Walk; then counters that are too near are turned over, and watchers may fire."""
    walks: dict[str, Walk] = yield MoveModels(
        one.side,
        f"{one.label}: where to?",
        topic=WALK,
        about=(one.id,),
        models=(one.id,),
        allowance={one.id: WALKING.inches("inches")},
        faces=False,
        rules=(WALKING.id,),
        shows=("distance", "reach"),
        default={},
    )
    track = _track(one, walks.get(one.id, Walk()))
    if not track.length:
        return
    n = battle.happens(Moved(one.id, one.place, At(track.end.point), walk=track.walk, rule=WALKING.id))
    for counter in spotted(battle.table):
        reveal(battle, counter, n, SPOTTED)
    if battle.table[one.id].on_table:
        yield from walked_into_sight(battle, battle.table[one.id])


def _track(one: Thing, walk: Walk) -> Track:
    assert isinstance(one.place, At)
    return resolve(Pose(one.place.point), walk)


def refused_walk(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a walk is too long, leaves the board or goes over somebody."""
    table, one = view.table, view.table[question.about[0]]
    track = _track(one, answer.get(one.id, Walk()))
    if track.length > WALKING.inches("inches"):
        return Refusal(WALKING.id, f"That is {inches(track.length)}; {WALKING.number('inches')}″ would do.")
    assert one.base is not None
    edge = one.base.size // 2
    for at in [track.pose_at(stretch.until).point for stretch in track.stretches]:
        if not (edge <= at.x <= table.ground.width - edge and edge <= at.y <= table.ground.height - edge):
            return Refusal(WALKING.id, "That leaves the board.")
    over = track.swept(one.base, 0, track.length)
    for other in table.models():
        if other.id != one.id and other.base is not None and isinstance(other.place, At):
            outline = outline_of(other.base, other.place.point, 0)
            if any(overlap(part, outline) for part in over):
                return Refusal(WALKING.id, f"{other.label} is in the way.")
    return None


def preview_walk(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """How far it goes, and how far it could."""
    one = view.table[question.about[0]]
    track = _track(one, answer.get(one.id, Walk()))
    reach = Disc(track.start.point, WALKING.inches("inches"))
    return Preview(notes=(f"{inches(track.length)} of {WALKING.number('inches')}″",), reach=(reach,))


def fighters(table: Table, side: str) -> int:
    """How many fighters a side has, dummies left out, as far as one knows."""
    return sum(card_of(one) != DUMMY for one in table.models(side))


CHAPTER = Chapter(
    steps={TurnBegins: turn_begins, NextActivation: next_activation, Activate: activate},
    actions=(Action(id=WALK, label="Walk", rule=WALKING, carry_out=walk),),
    judges={WALK: refused_walk},
    previews={WALK: preview_walk},
    states={ACTIVATED: "it has had its activation of this turn"},
    answers={ACTION: "an action, or done", WALK: "the path", "activate": "who is activated"},
    values={"fighters": lambda table, asked: fighters(table, asked.text_at())},
)
