"""One model's activation: it declares, and its declared actions are carried out one after another.

Each action is a step of the agenda, and so is each weapon that fires: between two of them the state is plain data.
Only over-watch breaks into the middle of a move, and stays inside its step.
"""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.ids import ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.rulesets.quickstart.close_combat import fight
from sandtable.rulesets.quickstart.combat import STEPS
from sandtable.rulesets.quickstart.indirect import forget_strike_point
from sandtable.rulesets.quickstart.movement.moves import locked_with
from sandtable.rulesets.quickstart.movement.walking import (
    INTERRUPT,
    break_away,
    go_prone,
    move,
    stand_up,
    stand_up_instead,
)
from sandtable.rulesets.quickstart.repair import may_repair, repair
from sandtable.rulesets.quickstart.setup.board import EndPhase
from sandtable.rulesets.quickstart.setup.retreat import begin_retreat, note_mission_kill
from sandtable.rulesets.quickstart.shooting.assaults import StepEight, assault, begin_combat_step
from sandtable.rulesets.quickstart.shooting.combined import Running, move_and_shoot
from sandtable.rulesets.quickstart.shooting.direct_fire import lock_on
from sandtable.rulesets.quickstart.shooting.reactions import STAYING, go_into_over_watch
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName
from sandtable.rulesets.quickstart.states import KNOCKDOWN, is_down
from sandtable.rulesets.quickstart.turn.declaration import STAY, Declaration, declared, plan_question, tell
from sandtable.rulesets.quickstart.turn.phases import (
    LOST_TARGET,
    DrawCard,
    EndActivation,
    StartPhase,
    begin_activation,
    choose_model,
    end_activation,
    forfeit,
    not_to_activate,
    side_to_act,
    sides_in_play,
    spend,
    start_phase,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import take

#: The option of a puzzle or a case that says in which turn no cards are drawn, for it is given who acts.
ORDER_GIVEN = "order given"


class Activate(Step, frozen=True):
    """A model begins its activation and declares."""

    model: ThingId


class Act(Step, frozen=True):
    """The next declared action of a model."""

    model: ThingId
    plan: Declaration
    at: int = 0


def activate(battle: Battle, model: ThingId) -> Procedure[None]:
    """Begin an activation: declare all actions, then carry them out (quickstart.turn.declare-actions)."""
    if battle.table[model].gone or len(sides_in_play(battle.table)) < 2:  # where it is given who acts
        return
    begin_activation(battle, model)
    thing = battle.table[model]
    if not thing.count(CountName.AP) or thing.has(StateName.DISABLED):
        battle.push(EndActivation(model))
        return
    yield from begin_retreat(battle, model)
    answer = yield plan_question(battle.table[model])
    plan = declared(answer)
    tell(battle, model, plan)
    if plan.actions and plan.actions != (STAY,):
        take(battle, model, StateName.OVER_WATCH, STAYING)
    if plan.actions == (STAY,) or not plan.actions:
        battle.push(EndActivation(model))
    else:
        battle.push(Act(model, plan), EndActivation(model))


def act(battle: Battle, step: Act) -> Procedure[None]:
    """Carry out the next declared action; whatever cannot be done any more is forfeit."""
    model, plan = step.model, step.plan
    rest = plan.actions[step.at :]
    thing = battle.table[model]
    if not rest or thing.gone:
        return
    if thing.has(StateName.DISABLED):
        forfeit(battle, model, rest)
        return
    if is_down(thing) and rest[0] != ActionName.STAND_UP and not _stands_up_instead(step):
        battle.happens(Forfeited(model, rest[0], rule=KNOCKDOWN.id))
        battle.push(replace(step, at=step.at + 1))
        return
    if plan.moves_and_shoots and step.at == 0:
        if spend(battle, model, ActionName.MOVE) and spend(battle, model, ActionName.SHOOT):
            yield from move_and_shoot(battle, model, plan)
        return
    battle.push(replace(step, at=step.at + 1))
    if not spend(battle, model, rest[0]):
        return
    yield from _carry_out(battle, step, rest[0])


def _stands_up_instead(step: Act) -> bool:
    """A model that went down may use a declared Move Action it has not begun to stand up."""
    return step.plan.actions[step.at] == ActionName.MOVE and not step.plan.moves_and_shoots


def _carry_out(battle: Battle, step: Act, action: str) -> Procedure[None]:
    model, plan = step.model, step.plan
    match action:
        case ActionName.MOVE:
            if is_down(battle.table[model]):
                yield from stand_up_instead(battle, model, INTERRUPT)
            else:
                yield from move(battle, model, plan)
        case ActionName.GO_PRONE:
            yield from go_prone(battle, model)
        case ActionName.STAND_UP:
            yield from stand_up(battle, model)
        case ActionName.TARGET_LOCK:
            _lock(battle, model, plan)
        case ActionName.REPAIR:
            if may_repair(battle.table[model]) is None:
                repair(battle, model)
                note_mission_kill(battle, model)
            else:
                forfeit(battle, model, (action,))
        case ActionName.BREAK:
            if locked_with(battle.table[model]):
                yield from break_away(battle, model, plan)
            else:
                forfeit(battle, model, (action,))
        case ActionName.OVER_WATCH:
            go_into_over_watch(battle, model)
        case ActionName.SHOOT:
            steps = yield from assault(battle, model, plan)
            battle.push(*steps)
        case ActionName.CLOSE_COMBAT:
            begin_combat_step(battle, model, "combat", STEPS)
            target = battle.table[plan.target]
            fight(battle, model, target.id) if not target.gone else _lost(battle, model, action)
            battle.push(StepEight(model))
        case ActionName.RUN_N_GUN:
            battle.push(Running(model, plan, 1))


def _lock(battle: Battle, model: str, plan: Declaration) -> None:
    if battle.table[plan.lock].gone:
        _lost(battle, model, StateName.TARGET_LOCK)
    else:
        lock_on(battle, model, plan.lock)


def _lost(battle: Battle, model: str, action: str) -> None:
    battle.happens(Forfeited(model, action, rule=LOST_TARGET.id))


def finish(battle: Battle, model: str) -> Procedure[None]:
    """An activation ends; the next card is turned over."""
    yield from ()
    forget_strike_point(battle, model)
    end_activation(battle, model)
    if battle.table.options.get(ORDER_GIVEN) != battle.table.turn:
        battle.push(DrawCard())


def draw_card(battle: Battle) -> Procedure[None]:
    """Draw the next card; when a side is out or all have acted, the End Phase follows (quickstart.setup.victory)."""
    if len(sides_in_play(battle.table)) > 1:
        side = yield from side_to_act(battle)
        if side is not None:
            model = yield from choose_model(battle, side)
            battle.push(Activate(model))
            return
    battle.push(EndPhase())


CHAPTER = Chapter(
    steps={
        StartPhase: lambda battle, step: start_phase(battle),
        DrawCard: lambda battle, step: draw_card(battle),
        Activate: lambda battle, step: activate(battle, step.model),
        Act: act,
        EndActivation: lambda battle, step: finish(battle, step.model),
    },
    answers={
        "activate": "which model acts",
        "action": "an action of a plan",
        "retreat-edge": "by which of two equally near edges a mission kill leaves",
    },
    unoffered={"activate": not_to_activate},
    states={
        StateName.ACTIVATED: "it has had its activation of this turn",
    },
    counts={
        CountName.AP: "action points left",
        CountName.TORSO_TWIST: "torso twists left this turn",
    },
)
