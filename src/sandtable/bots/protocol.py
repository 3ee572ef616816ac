"""What a bot is: whatever answers the questions of one side, seeing nothing but that side's view."""

from typing import Any, Protocol

from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import View


class Bot(Protocol):
    """A player that is a program.

    It is made with the ruleset, whose public and pure part it may use: `parts`, `judge` and `preview`, best through
    `sandtable.engine.answers.judging.check`. It never sees the battle. It may also have a `reason()`, a sentence on
    why it answered as it did last. To be put away and taken up again anywhere it has `keeps()`, which gives what it
    wants to be told with the next question as plain data, and `take_up(seed, kept)`, after which it answers as a fresh
    bot of that seed would with that in mind.
    """

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The draft it gives to a question of its side."""


class NoAnswer(Exception):
    """A bot found no lawful answer: the rules ask for what nobody can give, or the bot is too simple."""

    def __init__(self, question: AnyQuestion, tried: int, last: Refusal | None = None) -> None:
        self.question, self.tried, self.last = question, tried, last
        asked = f"{question.side} is asked “{question.prompt}” ({question.topic or 'no topic'})"
        met = f"; the last met {last.rule or 'no rule'}: {last.sentence}" if last is not None else ""
        super().__init__(f"{asked} and finds no lawful answer: {tried} drafts are refused{met}")


def reason_of(bot: Bot) -> str:
    """Why a bot answered as it did last; empty where it does not say.

    >>> class Silent:
    ...     def answer(self, view, question):
    ...         return None
    >>> reason_of(Silent())
    ''
    """
    reason = getattr(bot, "reason", None)
    return str(reason()) if callable(reason) else ""
