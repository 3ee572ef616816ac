"""The ruleset as it is published."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt import book
from sandtable.rulesets.stargrunt.cases import StargruntWords
from sandtable.rulesets.stargrunt.forces.cards import Squad, bring_cards
from sandtable.rulesets.stargrunt.scenario.objectives import VICTORY
from sandtable.rulesets.stargrunt.scenario.setup import open_battle, setup_of
from sandtable.rulesets.stargrunt.scenario.zones import zones
from sandtable.rulesets.stargrunt.tactics.opponent import StargruntTactics
from sandtable.tabletop.book import Book


class Stargrunt(Book):
    """The rules of every chapter."""

    name = "stargrunt"
    title = "Stargrunt II"
    version = "9"
    unit = "inch"
    size_counts = "squads a side"
    faces = False  # its figures face nowhere
    concession_rule = VICTORY.id
    draw_rule = VICTORY.id
    cards: Catalogue[Squad]

    def __init__(self, *catalogues: Path) -> None:
        super().__init__(*catalogues)
        self.cards = bring_cards(*catalogues)
        self.steps = tuple(book.PROCEDURES)

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

    def unoffered(self, view: View, question: ChooseOne, answer: str) -> Refusal | None:
        """The rule that forbids what is not on offer, by its question's topic."""
        judge = book.UNOFFERED.get(question.topic)
        return judge(view, question, answer) if judge else None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring, by its topic."""
        preview = book.PREVIEWS.get(question.topic)
        return preview(view, question, answer) if preview else Preview()

    def zones(self, view: View) -> Sequence[Zone]:
        """Where objectives are held from and where sides come in."""
        return zones(view.table)

    def setup(self, scenario: str = "", size: int = 0) -> Setup:
        """The set-up of a scenario; nothing named is the duel."""
        return setup_of(scenario, size)

    def case_words(self) -> StargruntWords:
        """What its conformance cases may say."""
        return StargruntWords(self, self.cards)

    def in_play(self, thing: Thing) -> Sequence[str]:
        """The rules that a thing brings into play by being there."""
        return book.in_play(thing)

    @cached_property
    def terrain(self) -> Mapping[str, TerrainKind]:
        """The kinds of terrain its boards may have."""
        return book.KINDS

    @cached_property
    def switches(self) -> Mapping[str, str]:
        """The optional rules that a scenario may switch on, with what they do."""
        return book.SWITCHES

    @property
    def labels(self) -> Mapping[str, str]:
        """What stands on the buttons of its actions."""
        return {action.id: action.label for action in book.ACTIONS.values()}

    def tactics(self) -> StargruntTactics:
        """What it tells an opponent."""
        return StargruntTactics(self)


RULESET = Stargrunt()
