"""The charging bot: it walks to the nearest enemy and always fires. A sparring partner, and a yardstick."""

from typing import Any

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.book import Book


class ChargingBot:
    """Charges as its ruleset teaches; what it was not taught it answers at random."""

    def __init__(self, ruleset: Ruleset, seed: int | str = 0) -> None:
        self.ruleset = ruleset
        self.tactics = ruleset.tactics() if isinstance(ruleset, Book) else None
        self._otherwise = RandomBot(ruleset, seed)
        self._said = ""

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The first draft of its drill that the judge accepts."""
        for draft in self.tactics.charge(view, question) if self.tactics is not None else ():
            if not isinstance(check(self.ruleset, view, question, draft), Refusal):
                self._said = "charges"
                return draft
        self._said = "was taught nothing about it"
        return self._otherwise.answer(view, question)

    def reason(self) -> str:
        """Why it answered so."""
        return self._said


def bot(ruleset: Ruleset, seed: int | str) -> ChargingBot:
    """The charging bot, as it is found by name."""
    return ChargingBot(ruleset, seed)
