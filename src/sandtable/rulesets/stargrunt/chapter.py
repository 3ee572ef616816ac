"""Activations and actions: the steps and the kind of action that every chapter may speak of."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.units.record import carrier_of, hull_of, standing, waiting
from sandtable.tabletop import actions as general

TWO_ACTIONS = rule("stargrunt.actions.two-actions")
LIST = rule("stargrunt.actions.list")
FAILED = rule("stargrunt.actions.failed-test-loses-the-action")
ABOARD = rule("stargrunt.movement.transport-details")


class Activate(Step, frozen=True):
    """A unit has actions left; what it has tried once and may not try again in this activation."""

    unit: str
    actions: int = TWO_ACTIONS.number("actions_per_activation")
    transferred: bool = False
    tried: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()  # the entries of the list for which it has failed a test
    begun: bool = False  # something has been done with it
    moved: bool = False  # the action before this was a move
    chosen: str = ""  # what it does next, chosen before somebody broke in
    ready: bool = False  # what comes before its first action has been done


class AfterMove(Step, frozen=True):
    """A unit has moved: what chapters do then is carried out before anything else."""

    unit: str
    begun: dict[str, tuple[int, int]] = {}  # where its figures stood before


class Outcome(NamedTuple):
    """What came of an action."""

    failed: bool = False  # a test failed, and the action is lost
    then: tuple[Step, ...] = ()  # what follows before the rest of the activation
    again: bool | None = None  # whether it may be tried again; none: as the list says, and not after a failure
    spent: int | None = None  # how many actions it took; none: what it costs
    told: bool = False  # that the action is lost stands in the log already


def on_table(table: Table, unit: Thing) -> bool:
    """Whether a unit has entered."""
    return not waiting(unit)


def on_foot(table: Table, unit: Thing) -> bool:
    """Whether a unit has entered and is not aboard a vehicle; most actions are shown to all that are."""
    return not waiting(unit) and carrier_of(table, unit.id) is None


def out_there(table: Table, unit: Thing) -> bool:
    """Whether a unit stands on the table where it can see and be seen, on foot or with its vehicle."""
    return bool(standing(table, unit.id))


def passengers_do_not(table: Table, unit: Thing) -> Refusal | None:
    """Why passengers may not do what is done outside: they neither fire nor observe from inside a vehicle."""
    carrier = carrier_of(table, unit.id)
    if carrier is None or hull_of(table, unit.id) is not None:
        return None
    return Refusal(ABOARD.id, f"{unit.label} is aboard {carrier.label}: it would have to get out first.")


def of_ones_own(
    units: Callable[[Table, Thing], Sequence[Thing]], refused: Callable[[Table, Thing, str], Refusal | None]
) -> Callable[[View, ChooseOne, str], Refusal | None]:
    """Judge what is not offered to the unit a question is about first, if it is one of some units at all."""

    def judge(view: View, question: ChooseOne, answer: str) -> Refusal | None:
        unit = view.table[question.about[0]]
        known = [one.id for one in units(view.table, unit)]
        return refused(view.table, unit, answer) if answer in known else None

    return judge


class Action(general.Action, frozen=True, kw_only=True):
    """One thing a unit may do with an action: what it costs, and whether it may be tried twice, says the list."""

    entry: str  # the entry of stargrunt.actions.list
    carry_out: Callable[[Battle, Thing, Activate], Procedure[Outcome]]
    shown: Callable[[Table, Thing], bool] = on_foot
    barred: Callable[[Table, Thing], Refusal | None] = passengers_do_not

    def __post_init__(self) -> None:
        cost = LIST.number(self.entry, "cost") if LIST.has(self.entry, "cost") else 1
        msgspec.structs.force_setattr(self, "kind", self.entry)
        msgspec.structs.force_setattr(self, "cost", cost)
        msgspec.structs.force_setattr(self, "repeats", LIST.has(self.entry, "twice") and LIST.flag(self.entry, "twice"))
