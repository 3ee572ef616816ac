"""The tactical bot: rates the answers its ruleset's tactics think of, and takes the best.

It sees nothing but its side's view and knows no ruleset. It has no levels: it is what the opponent's levels
(`bots.levels`) are measured against.
"""

from operator import itemgetter
from typing import Any

import msgspec

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Choice, Skill, worth

#: What it holds in its head.
SKILL = Skill(poses=9)

#: How many choices a reason names.
_NAMED = 4


class TacticalBot:
    """Rates and decides; what its tactics have nothing to say about it answers at random."""

    def __init__(self, ruleset: Ruleset, seed: int | str = 0) -> None:
        self.ruleset = ruleset
        self.tactics = ruleset.tactics() if isinstance(ruleset, Book) else None
        self._otherwise = RandomBot(ruleset, seed)
        self._intention: object = None
        self._weighed: list[tuple[int, Choice]] = []
        self._taken: Choice | None = None

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The best of the answers it thinks of that the judge accepts."""
        choices = () if self.tactics is None else self.tactics.rate(view, question, SKILL, self._intention)
        weighed = [(worth(choice), choice) for choice in choices]
        weighed.sort(key=itemgetter(0), reverse=True)
        self._weighed = weighed
        for _, choice in self._weighed:
            draft = choice.draft
            if not isinstance(check(self.ruleset, view, question, draft), Refusal):
                self._taken, self._intention = choice, choice.intention
                return draft
        self._taken, self._intention = None, None
        return self._otherwise.answer(view, question)

    def keeps(self) -> Any:
        """What it wants to be told with the next question, as plain data."""
        return None if self._intention is None else msgspec.to_builtins(self._intention)

    def take_up(self, seed: int | str, kept: Any) -> None:
        """Go on as a fresh bot of that seed would with this in mind; what it has found out about the table stays."""
        self._otherwise = RandomBot(self.ruleset, seed)
        self._intention = self.tactics.recall(kept) if self.tactics is not None and kept is not None else None

    def reason(self) -> str:
        """Why it answered so: what it took and what that is worth, part by part, and what it thought of besides."""
        if self._taken is None:
            return f"nothing it thought of would do; {self._otherwise.reason()}"
        others = [choice for _, choice in self._weighed if choice is not self._taken][: _NAMED - 1]
        rest = "; ".join(f"{choice.label} {_points(worth(choice))}" for choice in others)
        return f"{_in_full(self._taken)}" + (f". Rather than {rest}" if rest else "")


def _in_full(choice: Choice) -> str:
    parts = ", ".join(f"{why} {_points(value)}" for why, value in choice.parts if value)
    return f"{choice.label}: {_points(worth(choice))}" + (f" ({parts})" if parts else "")


def _points(value: int) -> str:
    """A value in points of harm.

    >>> _points(1250), _points(-40)
    ('+1.25', '−0.04')
    """
    return f"{'+' if value >= 0 else '−'}{abs(value) / 1000:.2f}"


def bot(ruleset: Ruleset, seed: int | str) -> TacticalBot:
    """The tactical bot, as it is found by name."""
    return TacticalBot(ruleset, seed)
