"""The opponent, at one of eight levels: it sees nothing but its side's view and knows no ruleset.

What it does at once is the quick policy's choice. From its sixth level on it thinks ahead where its ruleset can imagine
how the battle goes on, and then follows what it found best, question by question, until something else is asked.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.bots.levels import LEVELS
from sandtable.bots.policy import Policy
from sandtable.bots.thinking import Judged, Step, Thinker
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import AnyQuestion, Refusal, fingerprint
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Choice, worth

#: How many other ways a reason names.
_NAMED = 2


class LevelBot:
    """Answers for one side of one battle, at a level."""

    def __init__(self, ruleset: Ruleset, seed: int | str = 0, level: int = max(LEVELS)) -> None:
        self.ruleset, self.level = ruleset, LEVELS[level]
        self.tactics = ruleset.tactics() if isinstance(ruleset, Book) else None
        self._thinker: Thinker | None = None
        if isinstance(ruleset, Book) and self.level.effort is not None:
            self._thinker = Thinker(ruleset, self.level.skill, self.level.effort)
        self._begin(seed)

    def _begin(self, seed: int | str) -> None:
        self.seed = seed
        self._asked = 0
        self._policy = Policy(self.ruleset, self.tactics, self.level.skill, seed)
        self._meant: object = None
        self._following: tuple[Step, ...] = ()
        self._said = ""

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """What it had in mind, if this was foreseen; else the best of what it thinks of."""
        self._asked += 1
        if self._following and self._following[0].asked == fingerprint(question):
            step, *rest = self._following
            if self._follows(view, question, step, rest):
                self._said = f"{step.label}, as it meant to"
                return step.draft
        self._following = ()
        found = self._thought(view, question)
        if found and found[0].playouts:
            step, *rest = found[0].line.steps
            if self._follows(view, question, step, rest):
                self._said = _compared(found)
                return step.draft
        return self._at_once(view, question)

    def _follows(self, view: View, question: AnyQuestion, step: Step, rest: Sequence[Step]) -> bool:
        """Whether it may do what it has in mind; then the rest of it is kept in mind."""
        if isinstance(check(self.ruleset, view, question, step.draft), Refusal):
            return False
        self._meant, self._following = step.intention, tuple(rest)
        return True

    def _thought(self, view: View, question: AnyQuestion) -> list[Judged]:
        """What comes of thinking ahead; nothing where it does not."""
        if self._thinker is None:
            return []
        return self._thinker.think(view, question, f"{self.seed}/{self._asked}", self._meant)

    def _at_once(self, view: View, question: AnyQuestion) -> Any:
        """The quick policy's choice, and why."""
        self._policy.intentions[question.side] = self._meant
        draft, choice = self._policy.choose(view, question)
        self._meant = self._policy.intentions[question.side]
        self._said = "the only thing that could be done" if choice is None else _in_words(choice)
        return draft

    def reason(self) -> str:
        """Why it answered so."""
        return self._said

    def keeps(self) -> Any:
        """What it wants to be told with the next question, as plain data."""
        meant = None if self._meant is None else msgspec.to_builtins(self._meant)
        following = [_put_away(step) for step in self._following]
        return {"meant": meant, "following": following} if meant is not None or following else None

    def take_up(self, seed: int | str, kept: Any) -> None:
        """Go on as a fresh bot of that seed would with this in mind; what it found out about the table stays."""
        self._begin(seed)
        if kept is None or self.tactics is None:
            return
        self._meant = None if kept["meant"] is None else self.tactics.recall(kept["meant"])
        self._following = tuple(
            Step(asked, draft, None if meant is None else self.tactics.recall(meant), label)
            for asked, draft, meant, label in kept["following"]
        )


def _put_away(step: Step) -> Any:
    meant = None if step.intention is None else msgspec.to_builtins(step.intention)
    return [step.asked, msgspec.to_builtins(step.draft), meant, step.label]


def _compared(found: Sequence[Judged]) -> str:
    """What was found best, how it came out, and what else was looked at."""
    best = found[0]
    others = "; ".join(f"{_way(one)} {_chance(one)}" for one in found[1 : 1 + _NAMED])
    played = sum(one.playouts for one in found)
    said = f"{_way(best)}: {_chance(best)} after {played} playouts of {len(found)} ways"
    return said + (f". Rather than {others}" if others else "")


def _way(one: Judged) -> str:
    return ": ".join(step.label for step in one.line.steps)


def _chance(one: Judged) -> str:
    """How good a way came out, as what a battle that stands so is worth: 50 % is even."""
    return f"{(one.mean + 1000) // 20} %"


def _in_words(choice: Choice) -> str:
    parts = ", ".join(f"{why} {_points(value)}" for why, value in choice.parts if value and why)
    return f"{choice.label}: {_points(worth(choice))}" + (f" ({parts})" if parts else "")


def _points(value: int) -> str:
    """A value in points of harm.

    >>> _points(1250), _points(-40)
    ('+1.25', '−0.04')
    """
    return f"{'+' if value >= 0 else '−'}{abs(value) / 1000:.2f}"


def bot(ruleset: Ruleset, seed: int | str, level: int = max(LEVELS)) -> LevelBot:
    """The opponent, as it is found by the name of its level."""
    return LevelBot(ruleset, seed, level)
