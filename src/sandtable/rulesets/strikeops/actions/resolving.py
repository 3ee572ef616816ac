"""One squad's activation: it declares, its actions are resolved in the order it likes, and harm takes effect."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Forfeited, Harm, HarmNoted, Spent, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, Confirm, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Point, Walk
from sandtable.engine.state import Settle, Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.movement import spent
from sandtable.rulesets.cav.states import Rolling
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
from sandtable.rulesets.strikeops.actions.listing import LABELS, LOST_POINTS, TARGET_LOCK, attacks, is_move
from sandtable.rulesets.strikeops.attributes import COUNTER_MEASURES
from sandtable.rulesets.strikeops.changes import spelled
from sandtable.rulesets.strikeops.command import (
    REPAIR_ROLL,
    SEIZE,
    SEIZED,
    before_imposed,
    inspire,
    offer_rally,
    spend,
)
from sandtable.rulesets.strikeops.concepts import BASE_CONTACT, TOUCHING, in_contact
from sandtable.rulesets.strikeops.damage import (
    AT_THE_END,
    HARM,
    ORDER,
    OUTRIGHT,
    STATES_BEGIN,
    STOMP,
    STOMPED,
    in_play,
    settling,
)
from sandtable.rulesets.strikeops.datacard import COLUMN_IN_USE, has, rating
from sandtable.rulesets.strikeops.deployment import arrive
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.equipment import LINE, SMOKE_MADE, TRAIL, carry_out, clear_smoke, lay_line
from sandtable.rulesets.strikeops.indirect import CHAIN, CHAINED, barrage_steps, forget_strike_point
from sandtable.rulesets.strikeops.initiative import ORDER_GIVEN, ActivateSquad, DrawCard, fights
from sandtable.rulesets.strikeops.movement import (
    DOUBLE_TIME,
    FIRES_HERE,
    NOT_MOVING,
    WALK,
    Dive,
    advance,
    fires_before,
    go_prone,
    going,
    has_moved,
    question_rates,
    rates_for,
    refused_move,
    refused_run,
    refused_stride,
    stand_up,
    straight_run,
    walk_question,
)
from sandtable.rulesets.strikeops.recovery import REGROUP_WITH, regroup, repair
from sandtable.rulesets.strikeops.shooting.aiming import OPTIONS, Aimed, Attack, types_in
from sandtable.rulesets.strikeops.shooting.firing import attack_steps, fire_steps, offer_bin
from sandtable.rulesets.strikeops.shooting.reactions import (
    OVERWATCH_ATTACK,
    OVERWATCH_LASTS,
    Watched,
    go_into_overwatch,
    lost_reply,
    offer_defensive_fire,
    watchers,
)
from sandtable.rulesets.strikeops.sight import HULL_DOWN, POP_UP, beside_low_hill
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName, Until
from sandtable.rulesets.strikeops.states import PASSING, UNSTEADY, forget_last_turn, is_down, receive
from sandtable.rulesets.strikeops.victory import homeward, note_mission_kills, refused_withdrawal, withdraw
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import parts
from sandtable.tabletop.states import give, take

LOST = rule("strikeops.actions.lost-when-a-model-is-removed")
FORFEIT = rule("strikeops.actions.impossible-action-is-forfeit")
ACTIVATION = rule("strikeops.initiative.activation-phase")
COUNTER_FUMBLE = rule("strikeops.attributes.counter-measures-fumble")
OVERHEAT = rule("strikeops.attributes-weapon.overdrive-overheat")

RESOLVE = "resolve"
#: The Move Actions of a Run 'N Gun.
_RUNS = len(OPTIONS.texts("run_n_gun", "made_of")) - 1
#: A state of a model whose Counter-Measures have failed for good.
DISABLED = "counter-measures disabled"


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


class Walking(Step, frozen=True):
    """A move, or what is left of it; perhaps with an attack at its mark that is still to be made."""

    model: str
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


class HarmTakesEffect(Step, frozen=True):
    """All actions of a squad are done."""

    squad: str


class OldStatesEnd(Step, frozen=True):
    """What the squad's models brought into this activation ends, and what was noted in it begins."""

    squad: str


class ActivationEnds(Step, frozen=True):
    """A squad has activated."""

    squad: str


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
    if len(left) > 1:
        options = []
        for n in left:
            model, action = step.plans[n].model, step.plans[n].actions[step.done[n]]
            label = f"{battle.table[model].label}: {LABELS[action].lower()}"
            options.append(Option(model, label, (model,)))
        squad = battle.table[step.squad]
        answer = yield ChooseOne(
            squad.side,
            "Which model goes on?",
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
        _lose(battle, step.replies)
        return
    if is_down(thing) and action != ActionName.STAND_UP:
        yield from _stand_up_instead(battle, step)
        return
    match action:
        case ActionName.RUN_N_GUN:
            yield from _walk(battle, plan, _RUNS, step.replies, running=True)
        case ActionName.MOVE | ActionName.SHOOT if plan.fires_on_the_way(step.done):
            yield from _walk(battle, plan, 1, step.replies, fires=True, first=action == ActionName.SHOOT)
        case ActionName.MOVE:
            yield from _walk(battle, plan, step.taken, ())
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
            battle.push(*_attack_steps(battle, attack_of(plan), step.replies))


def _lose(battle: Battle, replies: Sequence[Attack]) -> None:
    for reply in replies:
        lost_reply(battle, reply)


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
        battle.push(*_answers(step.replies))
        return
    if not (yield from _stands(battle, plan.model)):
        battle.happens(Forfeited(plan.model, action, rule=OVERWATCH_ATTACK.id))
        battle.push(*_answers(step.replies))
    elif runs:
        yield from _walk(battle, plan, _RUNS - 1, step.replies, running=True)
    elif fires:
        battle.push(Watched(plan.model), _where_it_stands(battle, attack_of(plan), step.replies))
    elif step.taken > 1:
        battle.push(Watched(plan.model), replace(step, done=step.done + 1, taken=step.taken - 1))
    else:
        battle.push(Watched(plan.model))


def _where_it_stands(battle: Battle, attack: Attack, replies: tuple[Attack, ...]) -> Walking:
    """An attack that went with a move, made where its model has stood up."""
    thing = battle.table[attack.shooter]
    return Walking(thing.id, Walk(), center(thing), thing.facing, 1, attack.running, attack, replies)


def _stands(battle: Battle, model: str) -> Procedure[bool]:
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


def _answers(replies: Sequence[Attack]) -> list[Step]:
    """The steps of defensive fire (strikeops.shooting.defensive-fire-timing)."""
    return [step for reply in replies for step in fire_steps(reply)]


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


def _attack_steps(battle: Battle, attack: Attack, replies: Sequence[Attack]) -> tuple[Step, ...]:
    """The steps of an attack, and of the defensive fire that answers it (strikeops.shooting.defensive-fire-timing)."""
    steps = attack_steps(battle, attack)
    own = steps if attack.point is None else barrage_steps(attack)
    if attack.pop_up:
        own = (PopUp(attack.shooter), Watched(attack.shooter), *own)
    return (*own, *_answers(replies))


def pop_up(battle: Battle, step: PopUp) -> Procedure[None]:
    """A model rises over what is beside it, until its attack is over (strikeops.attributes.pop-up-snapshot).

    strikeops.attributes.pop-up-overwatch    whoever watches may attack it before it fires
    """
    yield from ()
    if in_play(battle.table[step.model]):
        give(battle, step.model, StateName.RAISED, POP_UP, until=Until.ITS_ATTACK)


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


def _walk(
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
        before, attack, replies = _attack_steps(battle, attack, replies), None, ()
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
        _lose(battle, step.replies)
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
        _lose(battle, step.replies)
        return
    stuck = there or (step.begun and end == step.along)
    met = seen and (end > step.along or battle.table[model].facing != thing.facing)
    if mark is not None and (stuck or (end >= mark and not met)):
        rest = replace(step, attack=None, replies=(), along=end, begun=True)
        assert step.attack is not None
        battle.push(*_attack_steps(battle, step.attack, step.replies), rest)
    elif not stuck:
        follows = replace(step, along=end, begun=True)
        battle.push(*((Watched(model),) if seen else ()), *((follows,) if end < gone.reach or mark is not None else ()))
    elif end < gone.reach and not gone.leaves and end < goal:
        battle.happens(Forfeited(model, "rest of the move", rule=OVERWATCH_ATTACK.id))


def _brought_down(battle: Battle, step: Walking, one_left: bool) -> Procedure[None]:
    """A CAV was knocked down on its way: the rest is lost, but with a Move Action left it may stand up.

    strikeops.movement.two-move-actions-are-one-move    the first is what its own MV pays for
    """
    battle.happens(Forfeited(step.model, "rest of the move", rule=OVERWATCH_ATTACK.id))
    if not (step.actions > 1 and one_left and (yield from _stands(battle, step.model))):
        battle.push(*_answers(step.replies))
    elif step.attack is not None:
        battle.push(Watched(step.model), _where_it_stands(battle, step.attack, step.replies))
    else:
        battle.push(Watched(step.model))


def stomp(battle: Battle, model: str, enemy: str) -> None:
    """Stomp an enemy in contact: it is destroyed when the activation ends, and no roll is made.

    strikeops.movement.stomp    contact must exist now; attacks still to come on it are lost
    """
    thing, foe = battle.table[model], battle.table[enemy]
    if not in_contact(thing, foe):
        battle.happens(Forfeited(model, ActionName.STOMP, rule=FORFEIT.id))
        return
    has_moved(battle, model)
    battle.note(HarmNoted(enemy, Harm(STOMPED), HARM, rule=STOMP.id, detail=citing(BASE_CONTACT, TOUCHING)))


def lock_on(battle: Battle, model: str, enemy: str, point: Point | None = None) -> Procedure[None]:
    """The Target-Lock Action: no roll, no range, no sight needed, but Counter-Measures may stop it.

    strikeops.attributes.counter-measures           a roll of its own, and nobody is asked
    strikeops.attributes.counter-measures-fumble    a natural 2 disables them for the game
    """
    if point is not None:
        give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, spelled(point), until=Until.NEXT_ACTIVATION)
        return
    if battle.table[enemy].gone:
        battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=LOST.id))
        return
    foe = battle.table[enemy]
    level = rating(foe, "counter_measures")
    if level and not foe.has(DISABLED):
        inspired = yield from before_imposed(battle, enemy, lambda: counter_check(foe))
        fell = DICE.throw(battle, inspire(counter_check(battle.table[enemy]), inspired), modified=True)
        if fumbled(fell):
            give(battle, enemy, DISABLED, COUNTER_FUMBLE, until=Until.GAME, because=fell.n)
        if fell.succeeds:
            battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=COUNTER_MEASURES.id, because=fell.n))
            return
    give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, enemy, until=Until.NEXT_ACTIVATION)


def counter_check(foe: Thing) -> Check:
    """The roll of Counter-Measures against a lock, before it falls."""
    needs = target(COUNTER_MEASURES.number("target_point"), "counter-measures", COUNTER_MEASURES)
    lowered = COUNTER_MEASURES.number("target_modifier_per_level") * rating(foe, "counter_measures")
    levels = ExplainedPart("level", lowered, COUNTER_MEASURES.id)
    return DICE.check(
        *("counter-measures", foe.id, needs),
        (levels, *parts(UNSTEADY, "counter-measures", Rolling(foe))),
        COUNTER_MEASURES,
        succeeded="no lock",
        failed="locked",
        alike=lambda margin: True,
    )


def harm_takes_effect(battle: Battle, step: HarmTakesEffect) -> Procedure[None]:
    """All actions are done: noted harm takes effect, in a fixed order (strikeops.damage.end-of-activation-order)."""
    yield from ()
    if battle.state.due:
        side = battle.table[step.squad].side
        battle.happens(StepBegan("damage", side, (step.squad,), rule=AT_THE_END.id, detail=citing(ORDER)))
    battle.push(*settling(battle), OldStatesEnd(step.squad), Settle(STATES_BEGIN), ActivationEnds(step.squad))


def old_states_end(battle: Battle, step: OldStatesEnd) -> Procedure[None]:
    """States that the squad's models brought into this activation end."""
    yield from ()
    for model in squad_models(battle.table, step.squad):
        PASSING.end(battle, model.id)
        if model.has(COOLING):
            take(battle, model.id, StateName.OVERHEATED, OVERHEAT)
            take(battle, model.id, COOLING, OVERHEAT)


#: A state of a model whose overheated weapons cool in its next activation.
COOLING = "cooling"


def activation_ends(battle: Battle, step: ActivationEnds) -> Procedure[None]:
    """A squad has activated: unspent points are lost, and who did not move after all is Stationary.

    strikeops.actions.unspent-points-are-lost
    strikeops.movement.not-moving-is-stationary    also one that was kept from moving
    """
    yield from ()
    for model in squad_models(battle.table, step.squad):
        left = model.count(CountName.AP)
        if left and not battle.table[model.id].has(StateName.OVERWATCH):
            battle.happens(Spent(model.id, CountName.AP, left, 0, rule=LOST_POINTS.id))
        _forget(battle, model, CountName.REPAIRED, COLUMN_IN_USE)
        if not model.count(CountName.MOVED) and not model.has(StateName.STATIONARY):
            receive(battle, model.id, StateName.STATIONARY, why=NOT_MOVING)
        forget_strike_point(battle, model.id)
        _forget(battle, model, CountName.MOVED, NOT_MOVING)
        _forget(battle, model, CountName.INCHES, DOUBLE_TIME)
    for model in battle.table.models():
        take(battle, model.id, StateName.UNHARMED_BEFORE, OUTRIGHT)
    take(battle, step.squad, CHAINED, CHAIN)
    _let_go(battle, step.squad)
    note_mission_kills(battle)
    if battle.table.options.get(ORDER_GIVEN) != battle.table.turn:
        battle.push(DrawCard())


def _let_go(battle: Battle, squad: str) -> None:
    """Models that were attached have activated for the turn, and perhaps their squads with them.

    strikeops.command.seize-the-initiative    a squad with no model left to activate counts as activated
    """
    for model in [one for one in battle.table.of_kind("model") if one.value(StateName.ATTACHED) == squad]:
        take(battle, model.id, StateName.ATTACHED, SEIZE)
        give(battle, model.id, StateName.ACTIVATED, SEIZE, until=Until.END_OF_TURN)
        if not fights(battle.table, battle.table[model.unit], fresh=True):
            give(battle, model.unit, StateName.ACTIVATED, SEIZE, until=Until.END_OF_TURN)


def _forget(battle: Battle, model: Thing, what: str, why: Rule) -> None:
    before = model.count(what)
    if before:
        battle.happens(Counted(model.id, what, before, 0, rule=why.id))


def _judge_walk(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a walk is refused: by the rules of movement, or as the way of a mission kill."""
    model = view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    rates, runs = question_rates(model, question), question.facts["running"]
    refusal = (refused_stride(walk) if runs else None) or refused_move(view.table, model, walk, rates)
    refusal = refusal or refused_withdrawal(view.table, model, walk, rates)
    if refusal is None and runs:
        return refused_run(view.table, model, walk, rates)
    return refusal


CHAPTER = Chapter(
    judges={WALK: _judge_walk},
    steps={
        ActivateSquad: activate,
        Resolve: resolve,
        Act: act,
        PopUp: pop_up,
        Walking: walking,
        HarmTakesEffect: harm_takes_effect,
        OldStatesEnd: old_states_end,
        ActivationEnds: activation_ends,
    },
    answers={
        RESOLVE: "which model of the squad goes on",
        "stand-up-instead": "false: a model knocked down does not use its declared move to stand up",
    },
    states={
        StateName.TARGET_LOCK: "the id of the enemy it is locked on to, or a point in thousandths, {value: [x, y]}",
        StateName.HULL_DOWN: "a vehicle behind a low hill that its turret fires over",
        StateName.RAISED: "it has risen over what is beside it to fire",
        DISABLED: "its Counter-Measures have failed for good",
        COOLING: "its overheated weapons cool in the activation that it is in",
    },
)
