"""Stargrunt II: an unofficial implementation of its reference sheet, the rules in our own words.

A chapter of the ledger is a package or a module of its name. Every chapter brings its actions, steps, judges, previews
and words as data (`chapter`), and `book` lists the chapters. `previews`, `tactics` and `cases` stand on the chapters.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Step
from sandtable.forces.ledger import ledger
from sandtable.rulesets.stargrunt import book
from sandtable.rulesets.stargrunt.book import KINDS as KINDS
from sandtable.rulesets.stargrunt.book import in_play as in_play
from sandtable.rulesets.stargrunt.cases import StargruntWords
from sandtable.rulesets.stargrunt.forces.cards import bring_cards
from sandtable.rulesets.stargrunt.scenario.objectives import VICTORY
from sandtable.rulesets.stargrunt.scenario.setup import open_battle, setup_of
from sandtable.rulesets.stargrunt.scenario.zones import zones
from sandtable.rulesets.stargrunt.words.looks import NOTES as NOTES
from sandtable.rulesets.stargrunt.words.looks import WORDS as WORDS
from sandtable.rulesets.stargrunt.words.looks import looks as looks
from sandtable.rulesets.stargrunt.words.phrases import PHRASES as PHRASES

#: What a size counts.
SIZE = "squads a side"

#: Its figures face nowhere.
FACES = False


class Stargrunt(Ruleset):
    """The rules of every chapter."""

    name = "stargrunt"
    title = "Stargrunt II"
    version = "8"
    unit = "inch"
    steps = tuple(book.PROCEDURES)
    concession_rule = VICTORY.id
    draw_rule = VICTORY.id

    def __init__(self, *catalogues: Path) -> None:
        self.cards = bring_cards(*catalogues)

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay the table as the scenario says."""
        open_battle(battle, setup, self.cards)

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedure of each step."""
        return book.carried_out(battle, step)

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why an answer is against the rules, by the judge of its topic."""
        judge = book.JUDGES.get(question.topic)
        return judge(view, question, answer) if judge else None

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        """Why an option may not be chosen, by its question's topic."""
        judge = book.REFUSALS.get(question.topic)
        return judge(view, question, option) if judge else None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring, by its topic."""
        preview = book.PREVIEWS.get(question.topic)
        return preview(view, question, answer) if preview else Preview()

    def zones(self, view: View) -> Sequence[Zone]:
        """Where objectives are held from and where sides come in."""
        return zones(view.table)

    def digests(self) -> dict[str, str]:
        """Which ledger and which cards these rules read."""
        return {"ledger": ledger("stargrunt").digest(), "catalogue": self.cards.digest()}


def ruleset() -> Ruleset:
    """The rules, ready to play."""
    return Stargrunt()


def setup(scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario, by name or by the path of a file; nothing named is the duel."""
    return setup_of(scenario, size)


def case_words(catalogues: Sequence[Path] = ()) -> StargruntWords:
    """The words of conformance cases."""
    rules = Stargrunt(*catalogues)
    return StargruntWords(rules, rules.cards)
