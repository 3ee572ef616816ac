"""What a chapter of the rules brings to the game, so that the others need not know of it.

A chapter that has something to contribute ends with `CHAPTER = Chapter(...)`; `book` lists them all and is the only
module that knows every one. `Activate` stands here because any chapter may give a unit an activation.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, rule
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt.forces.cards import Squad
from sandtable.rulesets.stargrunt.units.record import carrier_of, standing, waiting

TWO_ACTIONS = rule("stargrunt.actions.two-actions")
LIST = rule("stargrunt.actions.list")


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


def on_table(table: Table, unit: Thing) -> bool:
    """Whether a unit has entered."""
    return not waiting(unit)


def on_foot(table: Table, unit: Thing) -> bool:
    """Whether a unit has entered and is not aboard a vehicle; most actions are shown to all that are."""
    return not waiting(unit) and carrier_of(table, unit.id) is None


def out_there(table: Table, unit: Thing) -> bool:
    """Whether a unit stands on the table where it can see and be seen, on foot or with its vehicle."""
    return bool(standing(table, unit.id))


def by_unit(refused: Callable[[Table, Thing, str], Refusal | None]) -> "OptionJudge":
    """Judge the options of a question by the unit it is about first."""
    return lambda view, question, option: refused(view.table, view.table[question.about[0]], option.id)


def none_open(options: Sequence[Option], refused: Callable[[str], Refusal | None]) -> Refusal | None:
    """Why none of some options may be chosen: the reason of the first; none as soon as one may."""
    first: Refusal | None = None
    for option in options:
        refusal = refused(option.id)
        if refusal is None:
            return None
        first = first or refusal
    return first


def of_ones_own(
    units: Callable[[Table, Thing], Sequence[Thing]], refused: Callable[[Table, Thing, str], Refusal | None]
) -> Callable[[View, ChooseOne, str], Refusal | None]:
    """Judge what is not offered to the unit a question is about first, if it is one of some units at all."""

    def judge(view: View, question: ChooseOne, answer: str) -> Refusal | None:
        unit = view.table[question.about[0]]
        known = [one.id for one in units(view.table, unit)]
        return refused(view.table, unit, answer) if answer in known else None

    return judge


def nothing_forbids(table: Table, unit: Thing) -> Refusal | None:
    """No refusal."""
    return None


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a unit may do with an action."""

    id: str  # what players say
    entry: str  # the entry of stargrunt.actions.list: what it costs, and whether it may be tried twice
    label: str
    rule: Rule
    carry_out: Callable[[Battle, Thing, Activate], Procedure[Outcome]]
    shown: Callable[[Table, Thing], bool] = on_foot  # whether it means anything to a unit
    refused: Callable[[Table, Thing], Refusal | None] = nothing_forbids  # why a unit may not do it now
    barred: Callable[[Table, Thing], Refusal | None] = nothing_forbids  # the rule by which it is not offered, if any
    alone: Callable[[Thing], bool] | None = None  # whether it must be the first thing a unit does in an activation
    foretold: Callable[[Table, Thing], Preview] | None = None  # the roll it makes before anything else is asked

    @property
    def cost(self) -> int:
        """How many actions it takes: one, unless the list says more."""
        return LIST.number(self.entry, "cost") if LIST.has(self.entry, "cost") else 1

    @property
    def repeats(self) -> bool:
        """Whether it may be attempted twice in one activation."""
        return LIST.has(self.entry, "twice") and LIST.flag(self.entry, "twice")


#: Why a unit may not take an action, whatever the action is about: suppression, disorder, panic.
Restraint = Callable[[Table, Thing, Action], Refusal | None]
#: What a unit that has no choice does with an activation; none where it has its choice.
Compulsion = Callable[[Table, Thing], Callable[[Battle, Activate], Procedure[None]] | None]
Judge = Callable[[View, Any, Any], Refusal | None]
#: Why an option of a question may not be chosen, by the view of the side that is asked; asked when somebody looks.
OptionJudge = Callable[[View, Any, Option], Refusal | None]
Previewer = Callable[[View, Any, Any], Preview]
Reader = Callable[[Any, Data], Any]
Ask = Callable[[Table, Data], object]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """What a chapter brings; all of it is optional."""

    #: Actions of units, in the order in which they are listed.
    actions: tuple[Action, ...] = ()
    restraints: tuple[Restraint, ...] = ()
    compulsions: tuple[Compulsion, ...] = ()
    #: The procedure of each of its steps.
    steps: Mapping[type[Step], Callable[[Battle, Any], Procedure[None]]] = {}
    #: Judges and previews by the topic of the question.
    judges: Mapping[str, Judge] = {}
    previews: Mapping[str, Previewer] = {}
    #: Why options may not be chosen, by the topic of the question that offers them.
    refusals: Mapping[str, OptionJudge] = {}
    #: Why something may not be chosen that a question does not offer, by its topic; it may be any word.
    unoffered: Mapping[str, Callable[[View, ChooseOne, str], Refusal | None]] = {}
    #: What happens the moment a unit's activation begins.
    activates: Callable[[Battle, Thing], None] | None = None
    #: Steps that are carried out when a turn begins, before it ends, between activations, and after a unit has moved.
    turn_begins: Callable[[Table], Sequence[Step]] | None = None
    turn_ends: Callable[[Table], Sequence[Step]] | None = None
    between: Callable[[Table], Sequence[Step]] | None = None
    #: Steps that come before any other step, whatever is under way: what has just been set off.
    at_once: Callable[[Table], Sequence[Step]] | None = None
    after_move: Callable[[Table, AfterMove], Sequence[Step]] | None = None
    #: Steps before the first turn; before anybody chooses anything; and before the first action of an activation.
    opens: Callable[[Table, Scenario], Sequence[Step]] | None = None
    ahead: Callable[[Table], Sequence[Step]] | None = None
    activation_begins: Callable[[Table, Activate], Sequence[Step]] | None = None
    #: What happens when a unit has chosen an action, before it is carried out.
    before_action: Callable[[Battle, Thing, Action], None] | None = None
    #: Steps that break in between a unit's choice of an action and the action.
    breaks_in: Callable[[Table, Thing, Activate, Action], Sequence[Step]] | None = None
    #: Markers of scenarios and cases that are laid in another way than openly, by their kind.
    markers: Mapping[str, Callable[[Battle, Thing], None]] = {}
    #: A step that takes the place of an activation; none where it goes as usual.
    instead: Callable[[Table, Activate], Step | None] | None = None
    #: What a side may activate besides its units, and the steps that a choice of it starts (none: not its own).
    offers: Callable[[Table, str], Sequence[Option]] | None = None
    starts: Callable[[Table, str], Sequence[Step] | None] | None = None
    #: Put a fielded card on the table in another way than as a squad of figures; whether it did.
    brings: Callable[[Battle, Fielded[Squad], str, Scenario], bool] | None = None
    #: Put whatever else a scenario or case asks for on the table, after all units.
    lays: Callable[[Battle, Scenario], None] | None = None
    #: The rules that a thing brings into play by being there.
    in_play: Callable[[Thing], Sequence[str]] | None = None
    #: Words of cases and scenarios: states, counts and options of a unit, topics of answers, values to ask for.
    states: Mapping[str, str] = {}
    counts: Mapping[str, str] = {}
    options: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}
    readers: Mapping[str, Reader] = {}
    values: Mapping[str, Ask] = {}
    #: Kinds of terrain, and optional rules of a battle with what they do.
    kinds: Mapping[str, TerrainKind] = {}
    switches: Mapping[str, str] = {}
