"""What a ruleset brings: steps to carry out, judges for drafts, and the words of its rules."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import msgspec

from sandtable.engine.ids import BLUE, NO_RULE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    Plan,
    PlanPart,
    Preview,
    React,
    Refusal,
    Settled,
)
from sandtable.engine.shapes import In, Zone
from sandtable.engine.state import ENGINE_STEPS, Due, Step
from sandtable.engine.table import Ground, Table, Thing

if TYPE_CHECKING:
    from sandtable.engine.battle import Battle

T = TypeVar("T")

#: A procedure of the rules: it asks what it needs to know and goes on.
Procedure = Generator[AnyQuestion | tuple[AnyQuestion, ...] | Settled, Any, T]

#: How large a battle may be at the most, whatever its ruleset counts by: no journal and no request asks for more.
MOST_SIZE = 500


class Setup(msgspec.Struct, frozen=True, gc=False):
    """What a battle starts from: plain data, kept in the journal's header."""

    sides: tuple[Side, ...] = (RED, BLUE)
    scenario: dict[str, Any] = {}
    options: dict[str, int | str] = {}
    size: Annotated[int, msgspec.Meta(ge=0, le=MOST_SIZE)] = 0


class Lawful(NamedTuple):
    """A draft that was found lawful: by which rules, as an answer to what, and what it came to."""

    ruleset: "Ruleset"
    question: AnyQuestion
    draft: Any
    raw: Any
    value: Any


class View(msgspec.Struct, frozen=True):
    """What one side may know: its table. Judges and bots get this, never the battle."""

    side: Side
    table: Table
    #: The last draft that was found lawful by it: the battle does not judge it again as long as nothing has happened.
    lawful: list[Lawful] = []

    def own(self) -> list[Thing]:
        """The side's own models on the table."""
        return self.table.models(self.side)

    def enemies(self) -> list[Thing]:
        """The models of all other sides that it knows of, on the table."""
        return self.table.enemies_of(self.side)


class Ruleset:
    """The interface between the engine and a set of rules. The engine calls; the ruleset answers."""

    name: str = ""
    title: str = ""
    version: str = "1"
    unit: str = "inch"
    #: How much of a piece's height is drawn and told as one: 1 where heights count levels, UNIT where they are lengths.
    level: int = 1
    #: Whether anybody may measure anything at any time; if not, only where a question `shows` distances.
    free_measuring: bool = True
    #: The classes of its own steps; those of the engine (`Settle`) every agenda may hold besides.
    steps: tuple[type[Step], ...] = ()
    #: Whether what is due comes to the same in whatever order it was noted (`next_due` sees to it where it must): odds
    #: then take states for one that differ in that order alone.
    due_in_any_order: bool = False
    #: The rules that a concession and an agreed draw are told under.
    concession_rule: RuleId = NO_RULE
    draw_rule: RuleId = NO_RULE

    def open(self, battle: "Battle", setup: Setup) -> None:
        """Lay the table as the set-up says, and put the first steps on the agenda."""
        raise NotImplementedError

    def procedure(self, battle: "Battle", step: Step) -> Procedure[None]:
        """The procedure of a step; it starts from the state and the step's own fields alone."""
        raise NotImplementedError

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why a well-formed answer is against the rules, by what the side knows and may measure; or none."""
        return None

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        """Why an option on offer may not be chosen now, by what the side knows; or none.

        Only worked out when somebody looks at the option or chooses it, and not for one that says so itself.
        """
        return None

    def unoffered(
        self, view: View, question: ChooseOne | ChooseSeveral | MoveModels | React, answer: str
    ) -> Refusal | None:
        """The rule that forbids what a question does not offer: any word, or somebody who is not asked to move."""
        return None

    def too_few(self, view: View, question: ChooseSeveral, answer: tuple[str, ...]) -> Refusal | None:
        """The rule that forbids choosing so few, where one does."""
        return None

    def loses(self, view: View, question: AnyQuestion, answer: Any) -> Sequence[str]:
        """What an answer gives away for good, in words such as "2 actions": a page asks before it is given."""
        return ()

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a lawful draft would bring. Only computed when somebody looks."""
        return Preview()

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
        """The parts of a plan that are open or answered, given what is answered so far."""
        return ()

    def unasked(self, view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
        """The rule that forbids parts a plan does not ask for, where one does; `extra` is what they say, unchecked."""
        return None

    def refused_part(
        self, view: View, plan: Plan, draft: dict[str, Any], rest: dict[str, Any], refusal: Refusal
    ) -> Refusal:
        """Why a part of a plan is refused, where the rest of what was said, unchecked, has a nearer reason."""
        return refusal

    def all_steps(self) -> tuple[type[Step], ...]:
        """Every class of step that an agenda may hold: a saved agenda is read by them."""
        return (*self.steps, *ENGINE_STEPS)

    def carry_out(self, battle: "Battle", due: Due) -> Procedure[None]:
        """Let something that was due happen. Called where things are settled only."""
        raise NotImplementedError

    def next_due(self, battle: "Battle", entries: Sequence[Due]) -> Due:
        """Which of several due things comes first: the first caused, unless the ruleset says otherwise."""
        return entries[0]

    def asking_order(self, battle: "Battle", opened_by: Side = NO_SIDE) -> tuple[Side, ...]:
        """In which order sides are asked: the acting side first; a window that a side opened starts after it."""
        sides = battle.state.table.sides
        first = battle.state.table.acting[0] if battle.state.table.acting else sides[0]
        if opened_by in sides:
            first = sides[(sides.index(opened_by) + 1) % len(sides)]
        at = sides.index(first) if first in sides else 0
        return sides[at:] + sides[:at]

    def chance(self, view: View, question: AnyQuestion) -> int | None:
        """The chance, in percent, that standing orders of this question may ask about; none where it has none."""
        return None

    def winner_by_concession(self, table: Table, side: Side) -> Side:
        """Who wins when a side concedes: the one that is left, or nobody yet where several are."""
        left = [other for other in table.sides if other != side]
        return left[0] if len(left) == 1 else NO_SIDE

    def zones(self, view: View) -> Sequence[Zone]:
        """The parts of the table that mean something now, by what a side knows: drawn for players, deciding nothing."""
        return ()

    def slot_words(self, ground: Ground, place: In) -> str:
        """What players call a place in a holder; its slot as it stands where a ruleset has no words for it."""
        return place.slot

    def digests(self) -> dict[str, str]:
        """Digests of the data the rules come from (ledger, catalogue), for the journal's header."""
        return {}
