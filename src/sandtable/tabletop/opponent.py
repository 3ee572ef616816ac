"""What a ruleset tells an opponent: the one interface between the two.

The opponent brings judgement (how much it looks at, how sure its hand is) and the ruleset's tactics bring the game:
which answers are worth thinking of, and what each is worth by the ruleset's own arithmetic.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View


class Skill(msgspec.Struct, frozen=True):
    """What a bot can hold in its head. Tactics offer no more than it asks for."""

    poses: int = 24  # how many places for one model it compares
    fears: bool = True  # it weighs what the enemy may do to it
    plans: bool = True  # it thinks of combined actions, and of acting out of turn
    noise: int = 0  # by how much it misjudges a value at worst, in thousandths of a point of harm


class Choice(Protocol):
    """One answer that tactics think of: the draft, what it is worth, and why, in words and numbers.

    Values count in thousandths of a point of harm, so that they can be compared across questions; `intention` is handed
    back with the next question, for what is declared now and carried out later.
    """

    @property
    def draft(self) -> Any:
        """The answer itself. It is asked for only when all better ones were refused, so it may be worked out late."""

    @property
    def label(self) -> str:
        """The answer in a few words."""

    @property
    def parts(self) -> Sequence[tuple[str, int]]:
        """What it is worth, reason by reason."""

    @property
    def intention(self) -> object:
        """What its maker will want to remember when the next question comes."""


class Idea(msgspec.Struct, frozen=True):
    """A choice whose draft is at hand: enough for most tactics."""

    draft: Any
    label: str
    parts: tuple[tuple[str, int], ...] = ()
    intention: object = None


class Tactics(Protocol):
    """What a ruleset teaches."""

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of; none where it has nothing to say about a question."""

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts, best first, of one who walks to the nearest enemy and always fires: a sparring partner."""

    def recall(self, kept: Any) -> object:
        """An intention that was put away as plain data."""


def worth(choice: Choice) -> int:
    """What a choice is worth in all."""
    return sum([value for _, value in choice.parts])
