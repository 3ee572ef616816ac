"""Moves of an activation, from trigger to trigger, and the attacks that are made on the way."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Confirm, MoveModels, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Point, Walk
from sandtable.engine.state import Step
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.movement import spent
from sandtable.rulesets.strikeops.actions.declaring import Declaration
from sandtable.rulesets.strikeops.actions.listing import attacks
from sandtable.rulesets.strikeops.changes import spelled
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import has
from sandtable.rulesets.strikeops.indirect import barrage_steps
from sandtable.rulesets.strikeops.movement import (
    FIRES_HERE,
    WALK,
    Dive,
    advance,
    fires_before,
    going,
    limits,
    question_rates,
    rates_for,
    refused_move,
    stand_up,
    straight_run,
    walk_question,
)
from sandtable.rulesets.strikeops.shooting.aiming import Aimed, Attack
from sandtable.rulesets.strikeops.shooting.firing import attack_steps, fire_steps
from sandtable.rulesets.strikeops.shooting.reactions import OVERWATCH_ATTACK, Watched, lost_reply, watchers
from sandtable.rulesets.strikeops.sight import POP_UP, beside_low_object
from sandtable.rulesets.strikeops.state_names import ActionName, StateName, Until
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.terrain import PAYING
from sandtable.rulesets.strikeops.victory import homeward, refused_withdrawal, withdraw
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give


class Walking(Step, frozen=True):
    """A move, or what is left of it; perhaps with an attack at its mark that is still to be made."""

    model: ThingId
    walk: Walk
    start: Point
    facing: int
    actions: int
    running: bool = False
    attack: Attack | None = None
    replies: tuple[Attack, ...] = ()
    along: int = 0
    begun: bool = False


class PopUp(Step, frozen=True):
    """A model rises to fire."""

    model: str


def attack_of(plan: Declaration) -> Attack:
    """The attack that a model has declared."""
    runs = ActionName.RUN_N_GUN in plan.actions
    more = (plan.overdrive, plan.salvo, plan.point, plan.smart)
    aims = (Aimed(plan.target, plan.weapons, plan.point), *plan.also) if plan.also else ()
    order = [action for action in plan.actions if action == ActionName.TARGET_LOCK or attacks(action)]
    locks = spelled(plan.lock_point) or plan.lock
    return Attack(
        plan.model,
        plan.target,
        plan.weapons,
        *more,
        running=runs,
        inspired=plan.inspired,
        aims=aims,
        pop_up=plan.pop_up,
        chained=plan.chained,
        locks=locks if len(order) > 1 and attacks(order[0]) else "",
    )


def steps_of(battle: Battle, attack: Attack, replies: Sequence[Attack]) -> tuple[Step, ...]:
    """The steps of an attack, and of the defensive fire that answers it (strikeops.shooting.defensive-fire-timing)."""
    steps = attack_steps(battle, attack)
    own = steps if attack.point is None else barrage_steps(attack)
    if attack.pop_up:
        own = (PopUp(attack.shooter), Watched(attack.shooter), *own)
    return (*own, *answers(replies))


def answers(replies: Sequence[Attack]) -> list[Step]:
    """The steps of defensive fire (strikeops.shooting.defensive-fire-timing)."""
    return [step for reply in replies for step in fire_steps(reply)]


def lose(battle: Battle, replies: Sequence[Attack]) -> None:
    for reply in replies:
        lost_reply(battle, reply)


def pop_up(battle: Battle, step: PopUp) -> Procedure[None]:
    """A model rises over what is beside it, until its attack is over (strikeops.attributes.pop-up-snapshot).

    strikeops.attributes.pop-up-overwatch    whoever watches may attack it before it fires
    """
    yield from ()
    model = battle.table[step.model]
    if in_play(model) and beside_low_object(battle.table, model):
        give(battle, step.model, StateName.RAISED, POP_UP, until=Until.ITS_ATTACK)


def start_walk(
    battle: Battle,
    plan: Declaration,
    actions: int,
    replies: tuple[Attack, ...],
    *,
    fires: bool = False,
    first: bool = False,
    running: bool = False,
) -> Procedure[None]:
    """Move Actions in a row are one move, perhaps with an attack at a marked point of it.

    strikeops.movement.two-move-actions-are-one-move, strikeops.shooting.run-n-gun
    strikeops.shooting.move-and-shoot    declared before the move it may be made before the model even turns
    """
    model = plan.model
    thing = battle.table[model]
    attack = attack_of(plan) if fires or running else None
    aimed = plan.target and not plan.also
    about = () if attack is None else (plan.target, *plan.weapons) if aimed else (FIRES_HERE,)
    question = homeward(battle.table, thing, walk_question(thing, actions, about, running, first))
    if running and question.default is None:
        question = replace(
            question, default={model: straight_run(battle.table, thing, question_rates(thing, question))}
        )
    answer = yield question
    walk: Walk = answer.get(model, Walk()) if answer else Walk()
    before: Sequence[Step] = ()
    if attack is not None and fires_before(question, walk):
        before, attack, replies = steps_of(battle, attack, replies), None, ()
    if walk.legs or attack is not None:
        walking_on = Walking(model, walk, center(thing), thing.facing, actions, running, attack, replies)
        battle.push(*before, walking_on, *((Dive(model),) if has(thing, "amphibious") else ()))
    else:
        battle.push(*before)


def walking(battle: Battle, step: Walking) -> Procedure[None]:
    """Go on with a move: to where it fires, to where somebody who watches may break in, or to its end.

    strikeops.shooting.overwatch-attack    asked at each inch and turn, and before it fires where it has come to; damage
                                           on the way shortens the rest
    """
    table, model = battle.table, step.model
    thing = table[model]
    if not in_play(thing):
        battle.happens(Forfeited(model, "rest of the move", rule=OVERWATCH_ATTACK.id))
        lose(battle, step.replies)
        return
    started = replace(thing, place=At(step.start), facing=step.facing)
    rates = rates_for(thing, step.actions, step.running)
    gone = going(table, started, step.walk, rates)
    if is_down(thing):
        yield from _brought_down(battle, step, spent(gone, step.along) <= rates.mv // step.actions)
        return
    mark = (
        None if step.attack is None else min(step.walk.marks.get(FIRES_HERE, gone.reach), max(gone.reach, step.along))
    )
    goal = gone.reach if mark is None else mark
    seen = bool(watchers(table, thing))
    if seen:
        turns = [turn.along for turn in gone.track.turns if turn.along > step.along]
        goal = min([goal, (step.along // UNIT + 1) * UNIT, *turns])
    there = step.along >= goal and step.begun
    end = step.along if there or not step.walk.legs else advance(battle, model, gone, step.along, max(goal, step.along))
    if gone.leaves and end == gone.reach and step.walk.legs:
        withdraw(battle, model)
        lose(battle, step.replies)
        return
    stuck = there or (step.begun and end == step.along)
    met = seen and (end > step.along or battle.table[model].facing != thing.facing)
    if mark is not None and (stuck or (end >= mark and not met)):
        rest = replace(step, attack=None, replies=(), along=end, begun=True)
        assert step.attack is not None
        battle.push(*steps_of(battle, step.attack, step.replies), rest)
    elif not stuck:
        follows = replace(step, along=end, begun=True)
        met_here = (Watched(model, along=end, moves=True),) if seen else ()
        battle.push(*met_here, *((follows,) if end < gone.reach or mark is not None else ()))
    elif end < gone.reach and not gone.leaves and end < goal:
        battle.happens(Forfeited(model, "rest of the move", rule=OVERWATCH_ATTACK.id))


def _brought_down(battle: Battle, step: Walking, one_left: bool) -> Procedure[None]:
    """A CAV was knocked down on its way: the rest is lost, but with a Move Action left it may stand up.

    strikeops.movement.two-move-actions-are-one-move    the first is what its own MV pays for
    """
    battle.happens(Forfeited(step.model, "rest of the move", rule=OVERWATCH_ATTACK.id))
    if not (step.actions > 1 and one_left and (yield from stands(battle, step.model))):
        battle.push(*answers(step.replies))
    elif step.attack is not None:
        battle.push(Watched(step.model), where_it_stands(battle, step.attack, step.replies))
    else:
        battle.push(Watched(step.model))


def where_it_stands(battle: Battle, attack: Attack, replies: tuple[Attack, ...]) -> Walking:
    """An attack that went with a move, made where its model has stood up."""
    thing = battle.table[attack.shooter]
    return Walking(thing.id, Walk(), center(thing), thing.facing, 1, attack.running, attack, replies)


def stands(battle: Battle, model: ThingId) -> Procedure[bool]:
    """Whether a CAV that is down uses a declared Move Action to stand up; then it stands."""
    thing = battle.table[model]
    stands: bool = yield Confirm(
        thing.side,
        f"{thing.label} is down. Does it use its declared move to stand up?",
        topic="stand-up-instead",
        about=(model,),
        rules=(OVERWATCH_ATTACK.id,),
        yes="It stands up",
        no="It stays down, and the move is lost",
        default=True,
    )
    if stands:
        yield from stand_up(battle, model)
    return stands


def _judge_walk(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a walk is refused: by the rules of movement, or as the way of a mission kill."""
    model = view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    rates, running = question_rates(model, question), bool(question.facts["running"])
    refusal = refused_move(view.table, model, walk, rates, running)
    if refusal is not None and refusal.rule == PAYING.id:
        refusal = replace(refusal, also=(*refusal.also, *limits(model, rates.actions, running)))
    return refusal or refused_withdrawal(view.table, model, walk, rates, running)


CHAPTER = Chapter(
    judges={WALK: _judge_walk},
    steps={PopUp: pop_up, Walking: walking},
    answers={"stand-up-instead": "false: a model knocked down does not use its declared move to stand up"},
    states={StateName.RAISED: "it has risen over what is beside it to fire"},
)
