"""One squad's activation: it declares, its actions are resolved in the order it likes, and harm takes effect."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Forfeited, Spent, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Point, Walk
from sandtable.engine.state import Settle, Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.actions.declaring import (
    SEQUENCE,
    Declaration,
    able,
    declared,
    plan_question,
    squad_models,
    tell,
)
from sandtable.rulesets.strikeops.actions.listing import LABELS, LOST_POINTS, TARGET_LOCK
from sandtable.rulesets.strikeops.attributes import COUNTER_MEASURES
from sandtable.rulesets.strikeops.damage import AT_THE_END, ORDER, STATES_BEGIN, in_play, leave_play, settling
from sandtable.rulesets.strikeops.datacard import COLUMN_IN_USE, rating
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.indirect import barrage_steps, forget_strike_point
from sandtable.rulesets.strikeops.initiative import ORDER_GIVEN, ActivateSquad, DrawCard
from sandtable.rulesets.strikeops.movement import (
    DOUBLE_TIME,
    FIRES_HERE,
    NOT_MOVING,
    WALK,
    WITHDRAWN,
    advance,
    go_prone,
    going,
    rates_for,
    refused_move,
    stand_up,
    walk_question,
)
from sandtable.rulesets.strikeops.recovery import repair
from sandtable.rulesets.strikeops.shooting.aiming import Attack, types_in
from sandtable.rulesets.strikeops.shooting.firing import attack_steps, offer_bin
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName, Until
from sandtable.rulesets.strikeops.states import PASSING, UNSTEADY, forget_last_turn, receive
from sandtable.rulesets.strikeops.victory import homeward, note_mission_kills, refused_withdrawal
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.modifiers import parts
from sandtable.tabletop.states import give, take

LOST = rule("strikeops.actions.lost-when-a-model-is-removed")
FORFEIT = rule("strikeops.actions.impossible-action-is-forfeit")
ACTIVATION = rule("strikeops.initiative.activation-phase")
COUNTER_FUMBLE = rule("strikeops.attributes.counter-measures-fumble")
OVERHEAT = rule("strikeops.attributes-weapon.overdrive-overheat")

RESOLVE = "resolve"
#: A state of a model whose Counter-Measures have failed for good.
DISABLED = "counter-measures disabled"


class Resolve(Step, frozen=True):
    """The next declared action of a squad: which model goes on?"""

    squad: str
    plans: tuple[Declaration, ...]
    done: tuple[int, ...]  # how many actions of each are resolved


class Proceed(Step, frozen=True):
    """The rest of a move, after the attack that was made on the way."""

    model: str
    walk: Walk
    start: Point
    facing: int
    along: int


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
    models = squad_models(battle.table, squad.id)
    told = (squad.id, *(one.id for one in models))
    battle.happens(StepBegan("activation", squad.side, told, rule=ACTIVATION.id, detail=citing(SEQUENCE)))
    give(battle, squad.id, StateName.ACTIVATED, ACTIVATION, until=Until.END_OF_TURN)
    for model in models:
        forget_last_turn(battle, model.id)
        PASSING.begin(battle, model.id)
        for family in types_in(model, StateName.JAMMED):
            yield from offer_bin(battle, model.id, family)
    plans: tuple[Declaration, ...] = ()
    if able(battle.table, squad.id):
        question = plan_question(battle.table, squad)
        answer = yield question
        plans = declared(question, answer)
        tell(battle, plans)
    battle.push(Resolve(squad.id, plans, (0,) * len(plans)), HarmTakesEffect(squad.id))


def resolve(battle: Battle, step: Resolve) -> Procedure[None]:
    """Resolve the next action of one of the models, each model's own in its order.

    strikeops.actions.activation-sequence    which model goes on is asked whenever more than one could
    """
    left = [
        n
        for n, (plan, done) in enumerate(zip(step.plans, step.done, strict=True))
        if done < len(plan.actions) and in_play(battle.table[plan.model])
    ]
    if not left:
        return
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
    battle.push(replace(step, done=done))
    yield from _carry_out(battle, step.plans[chosen], step.done[chosen], taken)


def _together(plan: Declaration, done: int) -> int:
    """How many declared actions are resolved as one: Move Actions in a row, or a move with an attack on the way."""
    if plan.moves_and_shoots:
        return len(plan.actions)
    rest = plan.actions[done:]
    moves = next((n for n, action in enumerate(rest) if action != ActionName.MOVE), len(rest))
    return max(1, moves)


def _carry_out(battle: Battle, plan: Declaration, done: int, taken: int) -> Procedure[None]:
    model, action = plan.model, plan.actions[done]
    if plan.moves_and_shoots:
        yield from _move_and_shoot(battle, plan)
        return
    match action:
        case ActionName.MOVE:
            yield from _walk(battle, model, taken)
        case ActionName.GO_PRONE:
            go_prone(battle, model)
        case ActionName.STAND_UP:
            yield from stand_up(battle, model)
        case ActionName.TARGET_LOCK:
            lock_on(battle, model, plan.lock)
        case ActionName.REPAIR:
            repair(battle, model)
        case ActionName.SHOOT:
            battle.push(*_attack_steps(battle, _attack(plan)))


def _attack(plan: Declaration) -> Attack:
    return Attack(plan.model, plan.target, plan.weapons, plan.overdrive, plan.salvo, plan.point, plan.smart)


def _attack_steps(battle: Battle, attack: Attack) -> tuple[Step, ...]:
    steps = attack_steps(battle, attack)
    return steps if attack.point is None else barrage_steps(attack)


def _walk(battle: Battle, model: str, actions: int) -> Procedure[None]:
    """Move Actions in a row are one move (strikeops.movement.two-move-actions-are-one-move)."""
    thing = battle.table[model]
    answer = yield homeward(battle.table, thing, walk_question(thing, actions))
    walk: Walk | None = answer.get(model) if answer else None
    if walk is None or not walk.legs:
        return
    gone = going(battle.table, thing, walk, rates_for(thing, actions))
    end = advance(battle, model, gone, 0, gone.reach)
    if gone.leaves and end == gone.reach:
        leave_play(battle, model, "left the board", WITHDRAWN)


def _move_and_shoot(battle: Battle, plan: Declaration) -> Procedure[None]:
    """One move, and the attack at a marked point of it (strikeops.shooting.move-and-shoot)."""
    model = plan.model
    thing = battle.table[model]
    fires = (plan.target, *plan.weapons) if plan.target else (FIRES_HERE,)
    answer = yield homeward(battle.table, thing, walk_question(thing, 1, fires))
    walk: Walk = answer[model]
    gone = going(battle.table, thing, walk, rates_for(thing, 1))
    at = advance(battle, model, gone, 0, min(walk.marks[FIRES_HERE], gone.reach)) if walk.legs else 0
    rest = Proceed(model, walk, center(thing), thing.facing, at)
    battle.push(*_attack_steps(battle, _attack(plan)), rest)


def proceed(battle: Battle, step: Proceed) -> Procedure[None]:
    """The rest of a move."""
    yield from ()
    thing = battle.table[step.model]
    started = replace(thing, place=At(step.start), facing=step.facing)
    gone = going(battle.table, started, step.walk, rates_for(thing, 1))
    if gone.track.length > step.along or any(turn.along == step.along for turn in gone.track.turns):
        end = advance(battle, step.model, gone, step.along, gone.reach)
        if gone.leaves and end == gone.reach:
            leave_play(battle, step.model, "left the board", WITHDRAWN)


def lock_on(battle: Battle, model: str, enemy: str) -> None:
    """The Target-Lock Action: no roll, no range, no sight needed, but Counter-Measures may stop it.

    strikeops.attributes.counter-measures           a roll of its own, and nobody is asked
    strikeops.attributes.counter-measures-fumble    a natural 2 disables them for the game
    """
    if battle.table[enemy].gone:
        battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=LOST.id))
        return
    foe = battle.table[enemy]
    level = rating(foe, "counter_measures")
    if level and not foe.has(DISABLED):
        needs = target(COUNTER_MEASURES.number("target_point"), "counter-measures", COUNTER_MEASURES)
        lowered = COUNTER_MEASURES.number("target_modifier_per_level") * level
        levels = ExplainedPart("level", lowered, COUNTER_MEASURES.id)
        modifiers = (levels, *parts(UNSTEADY, "counter-measures", Rolling(foe)))
        check = DICE.check(
            *("counter-measures", enemy, needs, modifiers, COUNTER_MEASURES),
            succeeded="no lock",
            failed="locked",
            alike=lambda margin: True,
        )
        fell = DICE.throw(battle, check, modified=True)
        if fumbled(fell):
            give(battle, enemy, DISABLED, COUNTER_FUMBLE, until=Until.GAME, because=fell.n)
        if fell.succeeds:
            battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=COUNTER_MEASURES.id, because=fell.n))
            return
    give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, enemy, until=Until.NEXT_ACTIVATION)


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
        if model.has(StateName.OVERHEATED) and model.value(COOLING) is not None:
            take(battle, model.id, StateName.OVERHEATED, OVERHEAT)
            take(battle, model.id, COOLING, OVERHEAT)
        elif model.has(StateName.OVERHEATED):
            give(battle, model.id, COOLING, OVERHEAT, until=Until.END_OF_NEXT_ACTIVATION)


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
        if left:
            battle.happens(Spent(model.id, CountName.AP, left, 0, rule=LOST_POINTS.id))
        _forget(battle, model, CountName.REPAIRED, COLUMN_IN_USE)
        if not model.count(CountName.MOVED) and not model.has(StateName.STATIONARY):
            receive(battle, model.id, StateName.STATIONARY, why=NOT_MOVING)
        forget_strike_point(battle, model.id)
        _forget(battle, model, CountName.MOVED, NOT_MOVING)
        _forget(battle, model, CountName.INCHES, DOUBLE_TIME)
    note_mission_kills(battle)
    if battle.table.options.get(ORDER_GIVEN) != battle.table.turn:
        battle.push(DrawCard())


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
    rates = rates_for(model, question.facts["actions"])
    return refused_move(view.table, model, walk, rates) or refused_withdrawal(view.table, model, walk, rates)


CHAPTER = Chapter(
    judges={WALK: _judge_walk},
    steps={
        ActivateSquad: activate,
        Resolve: resolve,
        Proceed: proceed,
        HarmTakesEffect: harm_takes_effect,
        OldStatesEnd: old_states_end,
        ActivationEnds: activation_ends,
    },
    answers={RESOLVE: "which model of the squad goes on"},
    states={
        StateName.TARGET_LOCK: "the id of the enemy it is locked on to",
        DISABLED: "its Counter-Measures have failed for good",
        COOLING: "its overheated weapons cool in the activation that it is in",
    },
)
