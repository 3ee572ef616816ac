"""The state of a battle: the table, the agenda of steps, what is due. Plain data at every boundary."""

from functools import cache

import msgspec

from sandtable.engine.events import Harm
from sandtable.engine.ids import NO_RULE, RuleId, Side, ThingId
from sandtable.engine.table import Table


class Step(msgspec.Struct, frozen=True, gc=False, tag=True, tag_field="step"):
    """One entry of the agenda. A ruleset's steps are subclasses; their fields are ids and plain data."""

    @classmethod
    def name(cls) -> str:
        """The step's name, as events tell it."""
        return _name_of(cls)


@cache
def _name_of(step: type[Step]) -> str:
    return str(step.__struct_config__.tag)


class Settle(Step, frozen=True):
    """Let what is due at a moment happen, one thing a step, and what that causes for the same moment, to the last.

    With a target only what is due to it: for rules that let a side say whose turn it is to suffer. The engine itself
    carries it out, for every ruleset.
    """

    moment: str
    target: str = ""


#: The steps that every agenda may hold, whatever the ruleset.
ENGINE_STEPS: tuple[type[Step], ...] = (Settle,)


class Due(msgspec.Struct, frozen=True, gc=False):
    """Something caused that has not happened yet: noted harm, a test, a collapse."""

    id: int
    target: ThingId
    moment: str
    harm: Harm
    rule: RuleId = NO_RULE
    because: int = 0
    once: bool = False  # noted only while its like is neither due nor under way: a crash does not crash again


class Condition(msgspec.Struct, frozen=True, gc=False):
    """One condition of a standing order, on a fact that its question gives."""

    fact: str
    compare: str  # "below", "at least" or "is"
    value: int

    def holds(self, facts: dict[str, int]) -> bool:
        """Whether it holds; a fact that is not given holds nothing.

        >>> Condition("chance", "below", 60).holds({"chance": 83})
        False
        """
        if self.fact not in facts:
            return False
        fact = facts[self.fact]
        if self.compare == "below":
            return fact < self.value
        return fact >= self.value if self.compare == "at least" else fact == self.value


class StandingOrder(msgspec.Struct, frozen=True, gc=False):
    """How a side wants questions under a rule answered, as long as the conditions hold."""

    side: Side
    rule: RuleId
    answer: object = None
    when: tuple[Condition, ...] = ()


class State(msgspec.Struct):
    """Everything a battle is at a boundary, and nothing else."""

    table: Table
    views: dict[Side, Table] = {}  # side → what it knows; "" is a spectator
    agenda: list[Step] = []  # the next step is the last
    due: list[Due] = []
    under_way: tuple[str, ...] = ()  # what is being settled, outermost first
    draws: int = 0
    serial: int = 0  # the last number given to something new
    steps: int = 0  # how many steps have begun
    orders: tuple[StandingOrder, ...] = ()
    offers: tuple[Side, ...] = ()  # the sides that offer a draw

    def copy(self) -> "State":
        """An independent state; written out, for it is made thousands of times a second.

        A view that shares its things with the truth shares them in the copy too.
        """
        table, things = self.table.copy(), self.table.things
        return State(
            table,
            {side: view.copy(table.things if view.things is things else None) for side, view in self.views.items()},
            self.agenda.copy(),
            self.due.copy(),
            self.under_way,
            self.draws,
            self.serial,
            self.steps,
            self.orders,
            self.offers,
        )
