"""An activation of two actions: what a unit may do with each, and the rest of it put back on the agenda."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, StateChanged, StepBegan
from sandtable.engine.questions import ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.chapter import (
    LIST,
    TWO_ACTIONS,
    Action,
    Activate,
    Chapter,
    Compulsion,
    Outcome,
    Restraint,
)
from sandtable.rulesets.stargrunt.communications import DETAILS
from sandtable.rulesets.stargrunt.confidence.levels import CONFIDENT_AND_STEADY
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED, END_OF_TURN, MARKER, by_default
from sandtable.rulesets.stargrunt.units.record import SHAKEN, at_worst, fit

WHOLE_UNIT = rule("stargrunt.actions.action-is-the-units")
FAILED = rule("stargrunt.actions.failed-test-loses-the-action")

DONE = "done"


class Choices(NamedTuple):
    """What all chapters say about activations: the actions there are, what restrains units, and what drives them."""

    actions: Mapping[str, Action]
    restraints: Sequence[Restraint]
    compulsions: Sequence[Compulsion]
    activates: Sequence[Callable[[Battle, Thing], None]] = ()
    chapters: Sequence[Chapter] = ()

    def first(self, table: Table, step: Activate) -> list[Step] | None:
        """What comes before an action, or takes the place of the activation; none where nothing does."""
        pressing = [one for chapter in self.chapters if chapter.ahead for one in chapter.ahead(table)]
        if pressing:
            return [*pressing, step]
        for chapter in self.chapters if not step.ready else ():
            other = chapter.instead(table, step) if chapter.instead else None
            if other is not None:
                return [other]
        begins = [one.activation_begins for one in self.chapters if one.activation_begins and not step.ready]
        before = [one for begin in begins for one in begin(table, step)]
        return [*before, replace(step, ready=True)] if before else None

    def refused(self, table: Table, unit: Thing, step: Activate, action: Action) -> Refusal | None:
        """Why a unit may not take an action now."""
        return self.used_up(unit, step, action) or self.forbidden(table, unit, action)

    def used_up(self, unit: Thing, step: Activate, action: Action) -> Refusal | None:
        """Why an activation has no room for an action, whatever stands on the table."""
        if action.cost > step.actions:
            return Refusal(LIST.id, f"{action.label} takes {action.cost} actions; {step.actions} is left.")
        alike = not action.repeats and any(self.actions[one].entry == action.entry for one in step.tried)
        if action.repeats and action.entry in step.failed:
            return Refusal(FAILED.id, f"{unit.label} has failed its test: {action.label} may not be tried again.")
        if action.id in step.tried or alike:
            return Refusal(LIST.id, f"{action.label} may not be tried again in this activation.")
        if step.begun and action.alone is not None and action.alone(unit):
            return Refusal(action.rule.id, f"{action.label} must be all that {unit.label} does in an activation.")
        return None

    def forbidden(self, table: Table, unit: Thing, action: Action) -> Refusal | None:
        """Why a unit may not take an action as it stands, whatever it has done in its activation."""
        for restraint in self.restraints:
            refusal = restraint(table, unit, action)
            if refusal is not None:
                return refusal
        return action.refused(table, unit)

    def breaking_in(self, table: Table, unit: Thing, step: Activate, action: Action) -> list[Step]:
        """The steps that come between a unit's choice of an action and the action."""
        return [one for c in self.chapters if c.breaks_in for one in c.breaks_in(table, unit, step, action)]

    def options(self, table: Table, unit: Thing, step: Activate) -> list[Option]:
        """What a unit may do with an action. What its activation has no room for is said at once; what else forbids
        one is worked out when somebody looks (`forbids`)."""
        found = []
        for action in self.actions.values():
            if not action.shown(table, unit):
                continue
            refusal = self.used_up(unit, step, action)
            forbids = (refusal.rule, action.rule.id) if refusal else (action.rule.id, LIST.id)
            sentence = refusal.sentence if refusal else ""
            found.append(Option(action.id, action.label, (unit.id,), forbids, sentence))
        return [*found, Option(DONE, "Nothing more", (unit.id,), (TWO_ACTIONS.id,))]

    def forbids(self, view: View, question: ChooseOne, option: Option) -> Refusal | None:
        """Why a unit may not take an action that it is offered, by what its side knows."""
        action = self.actions.get(option.id)
        return None if action is None else self.forbidden(view.table, view.table[question.about[0]], action)

    def unoffered(self, view: View, question: ChooseOne, answer: str) -> Refusal | None:
        """The rule by which an action is not offered to a unit at all, where one says so."""
        action = self.actions.get(answer)
        return None if action is None else action.barred(view.table, view.table[question.about[0]])


def activate(choices: Choices, battle: Battle, step: Activate) -> Procedure[None]:
    """One action of a unit, and the rest of its activation put back on the agenda.

    stargrunt.actions.two-actions                       two, in any order, not necessarily both
    stargrunt.actions.failed-test-loses-the-action      only the action is lost
    stargrunt.turn.activation-marker                    then it is finished for the turn
    stargrunt.communications.transfer-details           a transferred activation leaves its own as it is
    """
    table, unit = battle.table, battle.table[step.unit]
    if not fit(table, unit.id):
        return
    first = choices.first(table, step)
    if first is not None:
        battle.push(*first)
        return
    why = DETAILS if step.transferred else TWO_ACTIONS
    battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=why.id, detail=citing(WHOLE_UNIT)))
    if not step.transferred and not unit.has(ACTIVATED):
        battle.happens(StateChanged(unit.id, ACTIVATED, None, 1, END_OF_TURN, rule=MARKER.id))
    for begins in () if step.begun else choices.activates:
        begins(battle, unit)
    unit = battle.table[unit.id]
    for drive in choices.compulsions:
        driven = drive(table, unit)
        if driven is not None:
            yield from driven(battle, step)
            return
    chosen = step.chosen or (yield from _choose(choices, battle, unit, step))
    if chosen == DONE:
        return
    action = choices.actions[chosen]
    if step.chosen:
        refusal = choices.refused(table, unit, step, action)
        if refusal is not None:
            battle.happens(Forfeited(unit.id, chosen, rule=refusal.rule))
            battle.push(*rest(step, step.actions - action.cost, chosen, again=False))
            return
    else:
        first_come = choices.breaking_in(table, unit, step, action)
        if first_come:
            battle.push(*first_come, msgspec.structs.replace(step, chosen=chosen, begun=True, ready=True))
            return
    yield from _do(choices, battle, battle.table[unit.id], step, action)


def _choose(choices: Choices, battle: Battle, unit: Thing, step: Activate) -> Procedure[str]:
    chosen: str = yield ChooseOne(
        unit.side,
        f"{unit.label}: which action? {step.actions} left",
        topic="action",
        about=(unit.id,),
        options=tuple(choices.options(battle.table, unit, step)),
        rules=(TWO_ACTIONS.id, LIST.id) if at_worst(unit, SHAKEN) else (TWO_ACTIONS.id, CONFIDENT_AND_STEADY.id),
        shows=("odds",),
        default=by_default(battle.table, DONE),
    )
    return chosen


def action_preview(actions: Mapping[str, Action], view: View, question: ChooseOne, answer: str) -> Preview:
    """The roll that an action makes at once; one that asks more before it rolls is previewed there."""
    action = actions.get(answer)
    if action is None or action.foretold is None:
        return Preview()
    return action.foretold(view.table, view.table[question.about[0]])


def _do(choices: Choices, battle: Battle, unit: Thing, step: Activate, action: Action) -> Procedure[None]:
    """Carry an action out, and put what follows and the rest of the activation on the agenda."""
    for chapter in choices.chapters:
        if chapter.before_action:
            chapter.before_action(battle, battle.table[unit.id], action)
    outcome: Outcome = yield from action.carry_out(battle, battle.table[unit.id], step)
    left = step.actions - (action.cost if outcome.spent is None else outcome.spent)
    again = outcome.again if outcome.again is not None else action.repeats and not outcome.failed
    after = rest(step, left, action.id, again=again, moved=action.entry == "move")
    if outcome.failed:
        after = [replace(one, failed=(*one.failed, action.entry)) for one in after]
    battle.push(*outcome.then, *after)
    if outcome.failed:
        battle.happens(Forfeited(unit.id, action.id, rule=FAILED.id))


def rest(step: Activate, left: int, action: str, *, again: bool, moved: bool = False) -> list[Activate]:
    """What is left of an activation after an action."""
    if left <= 0:
        return []
    tried = step.tried if again else (*step.tried, action)
    return [Activate(step.unit, left, step.transferred, tried, step.failed, begun=True, moved=moved, ready=True)]
