"""The random bot: any lawful answer to any question of any ruleset."""

from typing import Any

from sandtable.bots.drafts import Drafts, Taste
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, View


class RandomBot:
    """Gives any lawful answer, from a seed.

    >>> from sandtable.engine.questions import Confirm
    >>> from sandtable.engine.table import Ground, Table
    >>> view = View("red", Table(Ground(0, 0), ("red", "blue")))
    >>> RandomBot(Ruleset(), 1).answer(view, Confirm("red", "Fire?")) in (True, False, None)
    True
    """

    def __init__(self, ruleset: Ruleset, seed: int | str = 0, taste: Taste | None = None) -> None:
        self._drafts = Drafts(ruleset, seed, taste)
        self.random = self._drafts.random

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """A draft that the judge accepts; `NoAnswer` where neither chance nor search finds one."""
        return self._drafts.lawful(view, question)

    def reason(self) -> str:
        """Why it answered so: it never knows."""
        return f"drawn at random, draft {self._drafts.tried}"


def bot(ruleset: Ruleset, seed: int | str) -> RandomBot:
    """The random bot, as it is found by name."""
    return RandomBot(ruleset, seed)
