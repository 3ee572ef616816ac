"""What a chapter of the rules brings, so that the others need not know of it; and the moments at which it is heard.

A chapter ends with `CHAPTER = Chapter(...)`, and the ruleset's `book.py` lists them all. What happens at a moment of
the game that several chapters have a say in (a turn begins, somebody has moved) goes by a `Moment`, which the ruleset
names.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseSeveral, Option, Plan, PlanPart, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, View
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.terrain import TerrainKind
from sandtable.tabletop.hands import CardText

P = ParamSpec("P")
R = TypeVar("R")


class Heard(NamedTuple):
    """What a chapter does at a moment."""

    moment: "Moment[Any, Any]"
    does: Callable[..., Any]


class Moment(Generic[P, R]):
    """A moment of the game at which chapters may do or say something. Called with what a chapter does, it notes that.

    >>> turn_begins: Moment[[Table], Sequence[Step]] = Moment("a turn begins")
    >>> chapter = Chapter(at=(turn_begins(lambda table: ()),))
    >>> [one.moment.name for one in chapter.at]
    ['a turn begins']
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, does: Callable[P, R]) -> Heard:
        return Heard(self, does)

    def __repr__(self) -> str:
        return f"Moment({self.name!r})"


#: Carries out a step.
Procedures = Mapping[type[Step], Callable[[Battle, Any], Procedure[None]]]
#: Why an answer to a question is against the rules, by what its side knows.
Judge = Callable[[View, Any, Any], Refusal | None]
#: Why an option of a question may not be chosen now.
OptionJudge = Callable[[View, Any, Option], Refusal | None]
#: What an answer would bring.
Previewer = Callable[[View, Any, Any], Preview]
#: The same, where it takes the whole ruleset: its odds walk steps that any chapter may carry out.
Forecaster = Callable[[Ruleset, View, Any, Any], Preview]
#: What an answer gives away for good, in words.
Loss = Callable[[View, Any, Any], Sequence[str]]
#: The parts of a plan, given what of it is said.
PlanReader = Callable[[View, Plan, dict[str, Any]], Sequence[PlanPart]]
#: Why a plan may not say more than it asks: what is said of it, and the rest, unchecked.
ExtraJudge = Callable[[View, Plan, dict[str, Any], dict[str, Any]], Refusal | None]
#: Lets something happen that was due.
HarmProcedure = Callable[[Battle, Due], Procedure[None]]
#: Reads the answer to a question that a case writes in a form of its own.
AnswerReader = Callable[[Any, Data], Any]
#: Works out a value of the rules that a case asks for.
ValueReader = Callable[[Table, Data], object]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """What a chapter brings; all of it is optional."""

    #: The procedure of each of its steps.
    steps: Procedures = {}
    #: Judges, refusals of options, previews and parts of plans, by the topic of the question.
    judges: Mapping[str, Judge] = {}
    refusals: Mapping[str, OptionJudge] = {}
    #: Why something may not be chosen that a question does not offer; it may be any word.
    unoffered: Mapping[str, Callable[[View, Any, str], Refusal | None]] = {}
    #: Why so few of several may not be chosen, and why a plan may not say more than it asks.
    too_few: Mapping[str, Callable[[ChooseSeveral], Refusal | None]] = {}
    unasked: Mapping[str, ExtraJudge] = {}
    previews: Mapping[str, Previewer] = {}
    forecasts: Mapping[str, Forecaster] = {}
    #: Range bands, arcs, rings of reach and threats around a move, where a page wants them.
    around: Mapping[str, Previewer] = {}
    #: What an answer, or declining, gives away for good: a page asks before it is given.
    losses: Mapping[str, Loss] = {}
    plans: Mapping[str, PlanReader] = {}
    #: What carries out harm that is due, by what it does.
    harms: Mapping[str, HarmProcedure] = {}
    #: Actions of units, in the order in which they are listed; a ruleset may have a kind of its own.
    actions: tuple[Any, ...] = ()
    #: What it does at the moments of the game: `at=(TURN_BEGINS(rested),)`.
    at: tuple[Heard, ...] = ()
    #: The rules that a thing brings into play by being there.
    in_play: Callable[[Thing], Sequence[str]] | None = None
    #: The cards that sides may hold in their hands, by id.
    hand_cards: Mapping[str, CardText] = {}
    #: The parts of the table that mean something now, drawn for players.
    zones: Callable[[Table], Sequence[Zone]] | None = None
    #: Kinds of terrain, and optional rules of a battle with what they do.
    terrain: Mapping[str, TerrainKind] = {}
    switches: Mapping[str, str] = {}
    #: Words of cases and scenarios: states, counts and options of a unit; topics of answers, and values to ask for.
    states: Mapping[str, str] = {}
    counts: Mapping[str, str] = {}
    options: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}
    readers: Mapping[str, AnswerReader] = {}
    values: Mapping[str, ValueReader] = {}
