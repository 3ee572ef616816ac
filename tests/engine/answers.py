"""Answers for any ruleset, drawn at random from what a side may see: lawful ones, spoilt ones, and nonsense."""

import random
from itertools import islice
from typing import Any

from sandtable.bots.drafts import Drafts
from sandtable.engine.questions import AnyQuestion, Reaction
from sandtable.engine.ruleset import Ruleset, View


class Randomly:
    """Gives any lawful answer, from a seed: the random bot, for tests that go from battle to battle.

    >>> from sandtable.engine.questions import Confirm
    >>> from sandtable.engine.table import Ground, Table
    >>> view = View("red", Table(Ground(0, 0), ("red", "blue")))
    >>> Randomly(1)(Ruleset(), view, Confirm("red", "Fire?")) in (True, False, None)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def __call__(self, ruleset: Ruleset, view: View, question: AnyQuestion) -> Any:
        """A draft that the judge accepts."""
        return Drafts(ruleset, self.random.getrandbits(32)).lawful(view, question)

    def draft(self, ruleset: Ruleset, view: View, question: AnyQuestion, attempt: int = 0) -> Any:
        """A draft that may well be refused; later attempts are more modest."""
        bold = Drafts(ruleset, self.random.getrandbits(32))
        return next(islice(bold.drafts(view, question), attempt, None), None)

    def spoilt(self, draft: Any) -> Any:
        """A lawful draft with something wrong about it."""
        match draft:
            case str():
                return draft + "!"
            case dict() if draft and self.random.random() < 0.5:
                return {name: value for name, value in draft.items() if name != self.random.choice(list(draft))}
            case dict():
                return {**draft, "stranger": next(iter(draft.values()), "")}
            case tuple() | list():
                return [*draft, *(draft or ["stranger"])]
            case Reaction():
                return Reaction(draft.option, (draft.along or 0) + 10**9, draft.amount + 99)
            case _:
                return [draft]

    def nonsense(self, question: AnyQuestion) -> Any:
        """Something that is rarely an answer: wrong in kind, in size, or not offered."""
        return self.random.choice(NONSENSE)

    def chance(self, one_in: int) -> bool:
        """Whether something that happens once in a while happens now; never, if it is once in 0."""
        return one_in > 0 and self.random.randrange(one_in) == 0


def _deep(levels: int) -> Any:
    nested: Any = []
    for _ in range(levels):
        nested = [nested]
    return nested


#: What may come from outside: no form of it may do more than be refused.
NONSENSE: tuple[Any, ...] = (
    "no such thing",
    "",
    "\ud800",
    7,
    -1,
    10**40,
    True,
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
    ["a", "a"],
    {"a": "b"},
    {"a": {"where": {"place": "at", "point": [10**40, 0]}}},
    {"a": {"legs": [{"by": "leg", "go": 10**12}]}},
    {1: 2},
    _deep(3),
    _deep(5000),
    {"option": "no such thing"},
    ["x"] * 2000,
    "x" * 100_000,
    object(),
    b"bytes",
    {"set", "of"},
)
