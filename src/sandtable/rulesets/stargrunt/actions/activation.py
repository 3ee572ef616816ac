"""An activation of two actions: what a unit may do with each, and the rest of it put back on the agenda."""

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, StepBegan
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.chapter import FAILED, LIST, TWO_ACTIONS, Action, Activate, AfterMove, Outcome
from sandtable.rulesets.stargrunt.communications import DETAILS
from sandtable.rulesets.stargrunt.confidence.levels import CONFIDENT_AND_STEADY
from sandtable.rulesets.stargrunt.moments import (
    ACTION_OVER,
    ACTIVATES,
    ACTIVATION_BEGINS,
    AFTER_MOVE,
    AHEAD,
    BEFORE_ACTION,
    BREAKS_IN,
    COMPELS,
    INSTEAD,
)
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED, MARKER
from sandtable.rulesets.stargrunt.units.record import SHAKEN, at_worst, fit
from sandtable.tabletop.actions import Budget
from sandtable.tabletop.activations import unused
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.opening import by_default
from sandtable.tabletop.states import END_OF_TURN, give

WHOLE_UNIT = rule("stargrunt.actions.action-is-the-units")

DONE = "done"


def comes_first(battle: Battle, step: Activate) -> list[Step] | None:
    """What comes before an action, or takes the place of the activation; none where nothing does."""
    table = battle.table
    pressing = steps_at(battle, AHEAD, table)
    if pressing:
        return [*pressing, step]
    for instead in book_of(battle).at(INSTEAD) if not step.ready else ():
        other = instead(table, step)
        if other is not None:
            return [other]
    before = [] if step.ready else steps_at(battle, ACTIVATION_BEGINS, table, step)
    return [*before, replace(step, ready=True)] if before else None


def budget(step: Activate) -> Budget:
    """What is left of an activation."""
    return Budget(step.actions, step.tried, step.failed, step.begun)


def _begins(battle: Battle, unit: Thing, step: Activate) -> None:
    """What comes before the choice of an action: chapters look at the one before, and the unit gets its marker."""
    book = book_of(battle)
    for looks in book.at(ACTION_OVER) if step.begun else ():
        looks(battle)
    why = DETAILS if step.transferred else TWO_ACTIONS
    battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=why.id, detail=citing(WHOLE_UNIT)))
    if not step.transferred and not unit.has(ACTIVATED):
        give(battle, unit.id, ACTIVATED, MARKER, until=END_OF_TURN)
    for begins in () if step.begun else book.at(ACTIVATES):
        begins(battle, unit)


def activate(battle: Battle, step: Activate) -> Procedure[None]:
    """One action of a unit, and the rest of its activation put back on the agenda.

    stargrunt.actions.two-actions                       two, in any order, not necessarily both
    stargrunt.actions.failed-test-loses-the-action      only the action is lost
    stargrunt.turn.activation-marker                    then it is finished for the turn
    stargrunt.communications.transfer-details           a transferred activation leaves its own as it is
    """
    table, unit = battle.table, battle.table[step.unit]
    if not fit(table, unit.id):
        return
    book = book_of(battle)
    first = comes_first(battle, step)
    if first is not None:
        battle.push(*first)
        return
    _begins(battle, unit, step)
    unit = battle.table[unit.id]
    for compels in book.at(COMPELS):
        compelled = compels(table, unit)
        if compelled is not None:
            yield from compelled(battle, step)
            return
    chosen = step.chosen or (yield from _choose(battle, unit, step))
    if chosen == DONE:
        return
    action = book.actions[chosen]
    if step.chosen:
        refusal = book.menu.refused(table, unit, budget(step), action)
        if refusal is not None:
            battle.happens(Forfeited(unit.id, chosen, rule=refusal.rule))
            battle.push(*rest(step, step.actions - action.cost, chosen, again=False))
            return
    else:
        first_come = steps_at(battle, BREAKS_IN, table, unit, step, action)
        if first_come:
            battle.push(*first_come, msgspec.structs.replace(step, chosen=chosen, begun=True, ready=True))
            return
    yield from _do(battle, battle.table[unit.id], step, action)


def _choose(battle: Battle, unit: Thing, step: Activate) -> Procedure[str]:
    offered = book_of(battle).menu.options(battle.table, unit, budget(step))
    chosen: str = yield ChooseOne(
        unit.side,
        f"{unit.label}: which action? {step.actions} left",
        topic="action",
        about=(unit.id,),
        options=(*offered, Option(DONE, "Nothing more", (unit.id,), (TWO_ACTIONS.id,))),
        rules=(TWO_ACTIONS.id, LIST.id) if at_worst(unit, SHAKEN) else (TWO_ACTIONS.id, CONFIDENT_AND_STEADY.id),
        shows=("odds",),
        facts={"actions": step.actions},
        default=by_default(battle.table, DONE),
    )
    return chosen


def _do(battle: Battle, unit: Thing, step: Activate, action: Action) -> Procedure[None]:
    """Carry an action out, and put what follows and the rest of the activation on the agenda."""
    for happens in book_of(battle).at(BEFORE_ACTION):
        happens(battle, battle.table[unit.id], action)
    outcome: Outcome = yield from action.carry_out(battle, battle.table[unit.id], step)
    left = step.actions - (action.cost if outcome.spent is None else outcome.spent)
    again = outcome.again if outcome.again is not None else action.repeats and not outcome.failed
    after = rest(step, left, action.id, again=again, moved=action.entry == "move")
    if outcome.failed and not again:
        after = [replace(one, failed=(*one.failed, action.entry)) for one in after]
    battle.push(*outcome.then, *after)
    if outcome.failed and not outcome.told:
        battle.happens(Forfeited(unit.id, action.id, rule=FAILED.id))


def rest(step: Activate, left: int, action: str, *, again: bool, moved: bool = False) -> list[Activate]:
    """What is left of an activation after an action."""
    if left <= 0:
        return []
    tried = step.tried if again else (*step.tried, action)
    return [Activate(step.unit, left, step.transferred, tried, step.failed, begun=True, moved=moved, ready=True)]


def after_move(battle: Battle, step: AfterMove) -> Procedure[None]:
    """What chapters do after a unit has moved."""
    yield from ()
    battle.push(*steps_at(battle, AFTER_MOVE, battle.table, step))


CHAPTER = Chapter(steps={Activate: activate, AfterMove: after_move}, losses={"action": unused})
