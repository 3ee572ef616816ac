"""What a unit may do, what it costs, and why not: actions as data, and the menu that is made of them.

A chapter brings its actions (`Chapter.actions`) and may restrain those of others (`RESTRAINS`). What an activation has
no room for is said with the menu; what else forbids an action is worked out when somebody looks at it or takes it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.tabletop.chapters import Moment

#: The topic of the question which action a unit takes.
ACTION = "action"


def always(table: Table, unit: Thing) -> bool:
    """Whether an action means anything to a unit: it does to all."""
    return True


def nothing_forbids(table: Table, unit: Thing) -> Refusal | None:
    """No refusal."""
    return None


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a unit may do."""

    id: str  # what players say
    label: str
    rule: Rule
    carry_out: Callable[[Battle, Thing, Any], Procedure[Any]]
    kind: str = ""  # actions of one kind count as one where something may not be done twice
    cost: int = 1
    repeats: bool = False  # whether it may be done again in one activation
    once: Rule | None = None  # the rule that says of this action alone that it is done once
    whole: Rule | None = None  # the rule that says of this action alone how many actions it takes
    shown: Callable[[Table, Thing], bool] = always  # whether it means anything to a unit
    refused: Callable[[Table, Thing], Refusal | None] = nothing_forbids  # why a unit may not do it now
    barred: Callable[[Table, Thing], Refusal | None] = nothing_forbids  # the rule by which it is not shown, if any
    alone: Callable[[Thing], bool] | None = None  # whether it must be the first thing a unit does in an activation
    foretold: Callable[[Table, Thing], Preview] | None = None  # the roll it makes before anything else is asked


#: Why a unit may not take an action, whatever the action is about: suppression, disorder, panic.
RESTRAINS: Moment[[Table, Thing, Any], Refusal | None] = Moment("a unit would take an action")


class Budget(NamedTuple):
    """What is left of an activation: how many actions, what may not be done again, and whether it has begun."""

    left: int
    tried: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()  # the kinds of action at which it has failed a test
    begun: bool = False


class Menu(NamedTuple):
    """The actions of a ruleset, what restrains units, and the rules that say how much an activation holds."""

    actions: Mapping[str, Any]
    restraints: tuple[Callable[[Table, Thing, Any], Refusal | None], ...]
    limits: Rule | None = None  # the list of actions with their costs
    failure: Rule | None = None  # the rule by which a failed test ends what might else be tried again
    once: Rule | None = None  # the rule by which nothing is done twice; none named: the list of actions

    def refused(self, table: Table, unit: Thing, budget: Budget, action: Action) -> Refusal | None:
        """Why a unit may not take an action now: one that has lost what it takes may not either."""
        if not action.shown(table, unit):
            return Refusal(action.rule.id, f"{action.label} means nothing to {unit.label} any more.")
        return self.used_up(unit, budget, action) or self.forbidden(table, unit, action)

    def used_up(self, unit: Thing, budget: Budget, action: Action) -> Refusal | None:
        """Why an activation has no room for an action, whatever stands on the table."""
        limits = (self.limits or action.rule).id
        costly = action.cost > budget.left
        also = () if action.whole is None or not costly else (limits, action.whole.id)
        if (action.repeats or costly) and self.failure is not None and _kind(action) in budget.failed:
            told = f"{unit.label} has failed its test: {action.label} may not be tried again."
            return Refusal(self.failure.id, told, also)
        if costly:
            told = f"{action.label} takes {action.cost} actions; {budget.left} is left."
            return Refusal(limits, told, also[1:])
        alike = not action.repeats and any(_kind(self.actions[one]) == _kind(action) for one in budget.tried)
        if action.id in budget.tried or alike:
            failed = self.failure if _kind(action) in budget.failed else None
            named = tuple(one.id for one in (action.once, failed) if one is not None)
            return Refusal((self.once or self.limits or action.rule).id, _again(action), named)
        if budget.begun and action.alone is not None and action.alone(unit):
            return Refusal(action.rule.id, f"{action.label} must be all that {unit.label} does in an activation.")
        return None

    def forbidden(self, table: Table, unit: Thing, action: Action) -> Refusal | None:
        """Why a unit may not take an action as it stands, whatever it has done in its activation."""
        restrained = self._restrained(table, unit, action)
        refused = action.refused(table, unit)
        return all_of(restrained, refused)

    def _restrained(self, table: Table, unit: Thing, action: Action) -> Refusal | None:
        return all_of(*(restraint(table, unit, action) for restraint in self.restraints))

    def options(self, table: Table, unit: Thing, budget: Budget) -> list[Option]:
        """What a unit may do; what its activation has no room for says so at once."""
        found = []
        for action in self.actions.values():
            if not action.shown(table, unit):
                continue
            refusal = self.used_up(unit, budget, action)
            if refusal is not None:
                refusal = all_of(refusal, self._restrained(table, unit, action))
            more = () if self.limits is None else (self.limits.id,)
            rules = (refusal.rule, action.rule.id) if refusal else (action.rule.id, *more)
            why, also = (refusal.sentence, refusal.also) if refusal else ("", ())
            found.append(Option(action.id, action.label, (unit.id,), rules, why, also=also))
        return found

    def forbids(self, view: View, question: ChooseOne, option: Option) -> Refusal | None:
        """Why a unit may not take an action that it is offered, by what its side knows."""
        action = self.actions.get(option.id)
        return None if action is None else self.forbidden(view.table, view.table[question.about[0]], action)

    def unoffered(self, view: View, question: ChooseOne, answer: str) -> Refusal | None:
        """The rule by which an action is not offered to a unit at all; of an empty one, by which none is.

        What restrains the unit comes first, then what bars the action, then the rule that the action is made by.
        """
        unit = view.table[question.about[0]]
        action = self.actions.get(answer)
        if action is None:
            return None if answer else self._idle(view.table, unit)
        bars = self._restrained(view.table, unit, action) or action.barred(view.table, unit)
        return bars or Refusal(action.rule.id, f"{action.label} is not open to {unit.label}.")

    def _idle(self, table: Table, unit: Thing) -> Refusal | None:
        """What keeps a unit from every action there is, if anything does."""
        held = [self._restrained(table, unit, action) for action in self.actions.values()]
        return held[0] if held and all(held) else None

    def foretold(self, view: View, question: ChooseOne, answer: str) -> Preview:
        """The roll that an action makes at once; one that asks more before it rolls is previewed there."""
        action = self.actions.get(answer)
        if action is None or action.foretold is None:
            return Preview()
        told: Preview = action.foretold(view.table, view.table[question.about[0]])
        return told


def all_of(*found: Refusal | None) -> Refusal | None:
    """The first of several refusals, with the rules of the others: each forbids the same.

    >>> all_of(None, Refusal("r.one", "No."), Refusal("r.two", "Not so.", ("r.one",)))
    Refusal(rule='r.one', sentence='No.', also=('r.two',))
    """
    refusals = [one for one in found if one is not None]
    rules = dict.fromkeys(rule for one in refusals for rule in one.rules)
    return msgspec.structs.replace(refusals[0], also=tuple(rules)[1:]) if refusals else None


def _again(action: Action) -> str:
    return f"{action.label} may not be tried again in this activation."


def _kind(action: Action) -> str:
    return action.kind or action.id
