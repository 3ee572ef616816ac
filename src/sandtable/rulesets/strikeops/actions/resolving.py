"""A squad activates: it declares, and its actions are resolved one by one in the order it likes."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, Harm, HarmNoted, StepBegan
from sandtable.engine.questions import ChooseOne, Option, Settled
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.strikeops.actions.declaring import (
    SEQUENCE,
    Declaration,
    able,
    declared,
    others,
    plan_question,
    squad_models,
    tell,
)
from sandtable.rulesets.strikeops.actions.ending import COOLING, OVERHEAT, HarmTakesEffect
from sandtable.rulesets.strikeops.actions.listing import LABELS, attacks, is_move
from sandtable.rulesets.strikeops.actions.locking import lock_on
from sandtable.rulesets.strikeops.actions.moving import (
    answers,
    attack_of,
    lose,
    stands,
    start_walk,
    steps_of,
    where_it_stands,
)
from sandtable.rulesets.strikeops.command import REPAIR_ROLL, SEIZE, SEIZED, offer_rally, spend
from sandtable.rulesets.strikeops.concepts import BASE_CONTACT, TOUCHING, in_contact
from sandtable.rulesets.strikeops.damage import HARM, STOMP, STOMPED, in_play
from sandtable.rulesets.strikeops.deployment import arrive
from sandtable.rulesets.strikeops.equipment import LINE, SMOKE_MADE, TRAIL, carry_out, clear_smoke, lay_line
from sandtable.rulesets.strikeops.initiative import ActivateSquad
from sandtable.rulesets.strikeops.movement import go_prone, has_moved, stand_up
from sandtable.rulesets.strikeops.recovery import REGROUP_WITH, regroup, repair
from sandtable.rulesets.strikeops.shooting.aiming import RUN_MOVES, Attack, types_in
from sandtable.rulesets.strikeops.shooting.firing import offer_bin
from sandtable.rulesets.strikeops.shooting.reactions import (
    OVERWATCH_ATTACK,
    OVERWATCH_LASTS,
    Watched,
    go_into_overwatch,
    lost_reply,
    offer_defensive_fire,
)
from sandtable.rulesets.strikeops.sight import HULL_DOWN, beside_low_hill
from sandtable.rulesets.strikeops.state_names import ActionName, StateName, Until
from sandtable.rulesets.strikeops.states import PASSING, forget_last_turn, is_down
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

LOST = rule("strikeops.actions.lost-when-a-model-is-removed")
FORFEIT = rule("strikeops.actions.impossible-action-is-forfeit")
ACTIVATION = rule("strikeops.initiative.activation-phase")
RESOLVE = "resolve"


class Resolve(Step, frozen=True):
    """The next declared action of a squad: which model goes on?"""

    squad: str
    plans: tuple[Declaration, ...]
    done: tuple[int, ...]  # how many actions of each are resolved
    replies: tuple[Attack, ...] = ()  # defensive fire that was declared


class Act(Step, frozen=True):
    """A declared action of a model, or several that are resolved as one."""

    plan: Declaration
    done: int
    taken: int
    replies: tuple[Attack, ...] = ()


def activate(battle: Battle, step: ActivateSquad) -> Procedure[None]:
    """A squad's activation begins (strikeops.actions.activation-sequence).

    strikeops.actions.effects-last-one-turn    what its models' earlier actions left until now ends
    strikeops.attributes.ammo-bin              a jam may be cleared in an activation
    """
    squad = battle.table[step.squad]
    yield from arrive(battle, squad)
    models = squad_models(battle.table, squad.id)
    told = (squad.id, *(one.id for one in models))
    battle.happens(StepBegan("activation", squad.side, told, rule=ACTIVATION.id, detail=citing(SEQUENCE)))
    give(battle, squad.id, StateName.ACTIVATED, ACTIVATION, until=Until.END_OF_TURN)
    for model in models:
        yield from _begin(battle, model)
    yield from offer_rally(battle, squad)
    plans: tuple[Declaration, ...] = ()
    replies: tuple[Attack, ...] = ()
    while able(battle.table, squad.id) or others(battle.table, squad):
        question = plan_question(battle.table, squad)
        answer = yield question
        if REGROUP_WITH in answer:
            other = battle.table[answer[REGROUP_WITH]]
            for model in squad_models(battle.table, other.id):
                yield from _begin(battle, model)
            yield from regroup(battle, squad, other)
            models = squad_models(battle.table, squad.id)
            continue
        for name in answer.get(SEIZED) or ():
            n = spend(battle, squad.side, SEIZE, name)
            give(battle, name, StateName.ATTACHED, SEIZE, squad.id, until=Until.END_OF_ACTIVATION, because=n)
            yield from _begin(battle, battle.table[name])
        models = squad_models(battle.table, squad.id)
        plans = declared(question, answer)
        tell(battle, plans)
        for plan in plans:
            if plan.actions and plan.actions != (ActionName.OVERWATCH,):
                take(battle, plan.model, StateName.OVERWATCH, OVERWATCH_LASTS)
        replies = yield from offer_defensive_fire(battle, [attack_of(plan) for plan in plans])
        break
    acting = {plan.model for plan in plans if plan.actions}
    idle = [Watched(one.id) for one in models if one.id not in acting]
    battle.push(Resolve(squad.id, plans, (0,) * len(plans), replies), *idle, HarmTakesEffect(squad.id))


def _begin(battle: Battle, model: Thing) -> Procedure[None]:
    forget_last_turn(battle, model.id)
    clear_smoke(battle, model.id)
    take(battle, model.id, TRAIL, SMOKE_MADE)
    PASSING.begin(battle, model.id)
    if model.has(StateName.OVERHEATED):
        give(battle, model.id, COOLING, OVERHEAT, until=Until.END_OF_ACTIVATION)
    for family in types_in(model, StateName.JAMMED):
        yield from offer_bin(battle, model.id, family)


def resolve(battle: Battle, step: Resolve) -> Procedure[None]:
    """Resolve the next action of one of the models, each model's own in its order.

    strikeops.actions.activation-sequence             which model goes on is asked whenever more than one could
    strikeops.actions.lost-when-a-model-is-removed    one that is out of play loses what it had declared
    """
    rest = [n for n, (plan, done) in enumerate(zip(step.plans, step.done, strict=True)) if done < len(plan.actions)]
    left = [n for n in rest if in_play(battle.table[step.plans[n].model])]
    if lost := [n for n in rest if n not in left]:
        for n in lost:
            for action in step.plans[n].actions[step.done[n] :]:
                battle.happens(Forfeited(step.plans[n].model, action, rule=LOST.id))
        gone = tuple(len(plan.actions) if n in lost else step.done[n] for n, plan in enumerate(step.plans))
        step = replace(step, done=gone)
    if not left:
        for reply in step.replies:
            lost_reply(battle, reply)
        for plan in step.plans:
            go_hull_down(battle, plan)
        _lay_lines(battle, step)
        return
    _lay_lines(battle, step)
    chosen = left[0]
    if len(left) == 1:
        yield Settled(RESOLVE, step.plans[chosen].model)
    else:
        options = []
        for n in left:
            model, action = step.plans[n].model, step.plans[n].actions[step.done[n]]
            label = f"{battle.table[model].label}: {LABELS[action].lower()}"
            options.append(Option(model, label, (model,)))
        squad = battle.table[step.squad]
        answer = yield ChooseOne(
            squad.side,
            "Whose action comes next?",
            topic=RESOLVE,
            about=(squad.id,),
            rules=(SEQUENCE.id,),
            options=tuple(options),
            default=options[0].id,
        )
        chosen = next(n for n in left if step.plans[n].model == answer)
    taken = _together(step.plans[chosen], step.done[chosen])
    done = tuple(one + taken if n == chosen else one for n, one in enumerate(step.done))
    plan = step.plans[chosen]
    fires = any(attacks(action) for action in plan.actions[step.done[chosen] : done[chosen]])
    answering = tuple(one for one in step.replies if fires and one.target == plan.model)
    left_over = tuple(one for one in step.replies if one not in answering)
    if plan.hull_down and not any(is_move(action) for action in plan.actions[step.done[chosen] :]):
        go_hull_down(battle, plan)
    act_now = Act(plan, step.done[chosen], taken, answering)
    battle.push(Watched(plan.model), act_now, replace(step, done=done, replies=left_over))


def _lay_lines(battle: Battle, step: Resolve) -> None:
    """Whoever declared a line of smoke before its moves lays it when they are done."""
    for plan, done in zip(step.plans, step.done, strict=True):
        used = plan.special == LINE and ActionName.SPECIAL in plan.actions[:done]
        moves = any(is_move(action) for action in plan.actions[done:])
        if used and not moves and battle.table[plan.model].has(TRAIL) and in_play(battle.table[plan.model]):
            lay_line(battle, plan.model)


def _together(plan: Declaration, done: int) -> int:
    """How many declared actions are resolved as one: Move Actions in a row, or a move with an attack on the way."""
    if plan.fires_on_the_way(done):
        return 2
    rest = plan.actions[done:]
    moves = next((n for n, action in enumerate(rest) if action != ActionName.MOVE), len(rest))
    return max(1, moves)


def act(battle: Battle, step: Act) -> Procedure[None]:
    """Carry out a declared action; one that was knocked down meanwhile can only stand up.

    strikeops.actions.lost-when-a-model-is-removed    a model that is beaten loses what it had declared
    """
    plan, model = step.plan, step.plan.model
    action, thing = plan.actions[step.done], battle.table[model]
    if not in_play(thing):
        battle.happens(Forfeited(model, action, rule=LOST.id))
        lose(battle, step.replies)
        return
    if is_down(thing) and action != ActionName.STAND_UP:
        yield from _stand_up_instead(battle, step)
        return
    match action:
        case ActionName.RUN_N_GUN:
            yield from start_walk(battle, plan, RUN_MOVES, step.replies, running=True)
        case ActionName.MOVE | ActionName.SHOOT if plan.fires_on_the_way(step.done):
            yield from start_walk(battle, plan, 1, step.replies, fires=True, first=action == ActionName.SHOOT)
        case ActionName.MOVE:
            yield from start_walk(battle, plan, step.taken, ())
        case ActionName.GO_PRONE:
            go_prone(battle, model)
        case ActionName.STAND_UP:
            yield from stand_up(battle, model)
            if step.done + step.taken == len(plan.actions):
                battle.push(Watched(model))
        case ActionName.STOMP:
            stomp(battle, model, plan.stomp)
        case ActionName.TARGET_LOCK:
            yield from lock_on(battle, model, plan.lock, plan.lock_point)
        case ActionName.REPAIR:
            repair(battle, model, REPAIR_ROLL in plan.inspired)
        case ActionName.SPECIAL:
            rest = plan.actions[step.done + 1 :]
            carry_out(battle, model, plan.special, plan.friend, any(is_move(one) for one in rest))
        case ActionName.OVERWATCH:
            go_into_overwatch(battle, model)
        case ActionName.SHOOT:
            battle.push(*steps_of(battle, attack_of(plan), step.replies))


def _stand_up_instead(battle: Battle, step: Act) -> Procedure[None]:
    """A CAV that was knocked down may stand up with a Move Action it has left, and goes on with the rest.

    strikeops.shooting.overwatch-attack         nothing else is open to it
    strikeops.shooting.defensive-fire-timing    who shoots back at it does so also when its own attack is lost
    """
    plan, action = step.plan, step.plan.actions[step.done]
    runs = action == ActionName.RUN_N_GUN
    fires = runs or plan.fires_on_the_way(step.done)
    if not is_move(action) and not fires:
        battle.happens(Forfeited(plan.model, action, rule=OVERWATCH_ATTACK.id))
        battle.push(*answers(step.replies))
        return
    if not (yield from stands(battle, plan.model)):
        battle.happens(Forfeited(plan.model, action, rule=OVERWATCH_ATTACK.id))
        battle.push(*answers(step.replies))
    elif runs:
        yield from start_walk(battle, plan, RUN_MOVES - 1, step.replies, running=True)
    elif fires:
        battle.push(Watched(plan.model), where_it_stands(battle, attack_of(plan), step.replies))
    elif step.taken > 1:
        battle.push(Watched(plan.model), replace(step, done=step.done + 1, taken=step.taken - 1))
    else:
        battle.push(Watched(plan.model))


def go_hull_down(battle: Battle, plan: Declaration) -> None:
    """A vehicle goes hull-down beside a low hill, or gives that up (strikeops.attributes.turret-hull-down)."""
    thing = battle.table[plan.model]
    if plan.hull_down is False:
        take(battle, plan.model, StateName.HULL_DOWN, HULL_DOWN)
    elif plan.hull_down and not thing.has(StateName.HULL_DOWN) and in_play(thing):
        if beside_low_hill(battle.table, thing):
            give(battle, plan.model, StateName.HULL_DOWN, HULL_DOWN, until=Until.MOVES)
        else:
            battle.happens(Forfeited(plan.model, StateName.HULL_DOWN, rule=HULL_DOWN.id))


def stomp(battle: Battle, model: str, enemy: str) -> None:
    """Stomp an enemy in contact: it is destroyed when the activation ends, and no roll is made.

    strikeops.movement.stomp    contact must exist now; attacks still to come on it are lost
    """
    thing, foe = battle.table[model], battle.table[enemy]
    if not in_contact(thing, foe):
        battle.happens(Forfeited(model, ActionName.STOMP, rule=FORFEIT.id, detail=citing(STOMP)))
        return
    has_moved(battle, model)
    battle.note(HarmNoted(enemy, Harm(STOMPED), HARM, rule=STOMP.id, detail=citing(BASE_CONTACT, TOUCHING)))


CHAPTER = Chapter(
    steps={ActivateSquad: activate, Resolve: resolve, Act: act},
    answers={RESOLVE: "which model of the squad goes on"},
    states={StateName.HULL_DOWN: "a vehicle behind a low hill that its turret fires over"},
)
