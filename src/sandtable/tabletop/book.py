"""The chapters of a ruleset joined into one object, which is all that a ruleset publishes: `RULESET` in its package.

Bots, lab, server and command ask it and nothing else. The engine's questions (what a step does, whether an answer is
lawful, what it would bring) are answered by the chapter that knows; the rest is what a reader of the rules wants to
know: its scenarios, cards, words, cases and what it tells an opponent.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import (
    EXTRAS,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    Plan,
    PlanPart,
    Preview,
    React,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.catalogue import Card, Catalogue
from sandtable.forces.ledger import Ledger, Rule, ledger
from sandtable.forces.models import Words as ModelWords
from sandtable.forces.report import Checker
from sandtable.forces.roster import Bill, Choice, Offer, Roster, charges
from sandtable.forces.tallies import Tally
from sandtable.forces.terrain import TerrainKind
from sandtable.tabletop.actions import ACTION, RESTRAINS, Menu
from sandtable.tabletop.case_words import BookWords, CaseWords
from sandtable.tabletop.chapters import (
    AnswerReader,
    Chapter,
    ExtraJudge,
    Forecaster,
    Judge,
    Loss,
    Moment,
    OptionJudge,
    P,
    PlanReader,
    Previewer,
    R,
    ValueReader,
)
from sandtable.tabletop.hands import CardText
from sandtable.tabletop.opening import Opener
from sandtable.tabletop.opponent import Tactics
from sandtable.tabletop.previews import together
from sandtable.tabletop.rosters import Rosters
from sandtable.tabletop.words import Look, Words, labelled, read_words

T = TypeVar("T")


class Book(Ruleset):
    """A ruleset made of chapters. A ruleset is a subclass, and publishes one object of it."""

    #: What `--size` counts, such as "models a side".
    size_counts: str = ""
    #: Whether its models face somewhere.
    faces: bool = True
    #: Whether every rule of its ledger is played.
    complete: bool = True
    #: The chapters, in the order in which their actions are listed.
    chapters: tuple[Chapter, ...] = ()
    #: The rule that lists its actions with their costs, where one does.
    action_list: Rule | None = None
    #: The rule by which an action at which a test was failed may not be tried again, where one does.
    failure_rule: Rule | None = None
    #: The rule by which an action may not be done twice in one activation, where it is not the list.
    once_rule: Rule | None = None
    #: Its printed cards, and all that are in play; none where a ruleset has no catalogue.
    cards_in_play: CardsInPlay[Any] | None = None
    #: The cards it plays with, made-up ones among them.
    cards: Catalogue[Any] | None = None
    #: How its battles are opened.
    opener: type[Opener] = Opener
    #: How forces are bought; none where its cards have no points, or their points are all there is to it.
    rosters: Rosters | None = None
    #: What its cases may say beyond what its chapters bring.
    words_of_cases: type[BookWords] = BookWords
    #: What it tells an opponent; none where it has nothing to say.
    opponent: type[Tactics] | None = None

    def __init__(self, *catalogues: Path) -> None:
        self.catalogues = catalogues
        if self.cards_in_play is not None:
            self.cards = self.cards_in_play.bring(*catalogues)
        self.steps = tuple(self.procedures)

    def fresh(self) -> Self:
        """Another object of the same rules, for a report that listens in on it."""
        return type(self)(*self.catalogues)

    def with_cards(self, catalogues: Sequence[Path]) -> Self:
        """The same rules with made-up cards beside the printed ones."""
        return type(self)(*catalogues)

    # What the engine asks ----------------------------------------------------------------------------------------

    @cached_property
    def procedures(self) -> dict[type[Step], Callable[[Battle, Any], Procedure[None]]]:
        """The procedure of every step."""
        return self.joined(lambda chapter: chapter.steps)

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedure of a step, by the chapter that brings it."""
        return self.procedures[type(step)](battle, step)

    @cached_property
    def _judges(self) -> dict[str, Judge]:
        return self.joined(lambda chapter: chapter.judges)

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why an answer is against the rules, by the judge of its topic."""
        judge = self._judges.get(question.topic)
        return judge(view, question, answer) if judge else None

    @cached_property
    def _refusals(self) -> dict[str, OptionJudge]:
        return {ACTION: self.menu.forbids, **self.joined(lambda chapter: chapter.refusals)}

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        """Why an option may not be chosen now, by the judge of its topic."""
        judge = self._refusals.get(question.topic)
        return judge(view, question, option) if judge else None

    @cached_property
    def _unoffered(self) -> dict[str, Callable[[View, Any, str], Refusal | None]]:
        return {ACTION: self.menu.unoffered, **self.joined(lambda chapter: chapter.unoffered)}

    def unoffered(
        self, view: View, question: ChooseOne | ChooseSeveral | MoveModels | React, answer: str
    ) -> Refusal | None:
        """The rule that forbids what is not on offer, by its question's topic."""
        judge = self._unoffered.get(question.topic)
        return judge(view, question, answer) if judge else None

    @cached_property
    def _too_few(self) -> dict[str, Callable[[ChooseSeveral], Refusal | None]]:
        return self.joined(lambda chapter: chapter.too_few)

    def too_few(self, view: View, question: ChooseSeveral, answer: tuple[str, ...]) -> Refusal | None:
        """The rule that forbids choosing so few, by its question's topic."""
        judge = self._too_few.get(question.topic)
        return judge(question) if judge else None

    @cached_property
    def _unasked(self) -> dict[str, ExtraJudge]:
        return self.joined(lambda chapter: chapter.unasked)

    def unasked(self, view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
        """The rule against saying more than a plan asks, by its topic."""
        judge = self._unasked.get(plan.topic)
        return judge(view, plan, draft, extra) if judge else None

    def zones(self, view: View) -> Sequence[Zone]:
        """The parts of the table that mean something now, as chapters say."""
        return [zone for chapter in self.chapters if chapter.zones for zone in chapter.zones(view.table)]

    @cached_property
    def _previews(self) -> dict[str, Previewer]:
        return {ACTION: self.menu.foretold, **self.joined(lambda chapter: chapter.previews)}

    @cached_property
    def _forecasts(self) -> dict[str, Forecaster]:
        return self.joined(lambda chapter: chapter.forecasts)

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring: by its topic, with what it gives away, and what a page wants drawn around it."""
        found = self.foretold(view, question, answer)
        lost = self.loses(view, question, answer)
        if lost:
            found = replace(found, loses=(*found.loses, *lost))
        around = self._around.get(question.topic)
        if around is not None and any(extra in question.shows for extra in EXTRAS):
            found = together(found, around(view, question, answer))
        return found

    def foretold(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring, by its topic."""
        forecast = self._forecasts.get(question.topic)
        if forecast is not None:
            return forecast(self, view, question, answer)
        preview = self._previews.get(question.topic)
        return preview(view, question, answer) if preview else Preview()

    @cached_property
    def _around(self) -> dict[str, Previewer]:
        return self.joined(lambda chapter: chapter.around)

    def loses(self, view: View, question: AnyQuestion, answer: Any) -> Sequence[str]:
        """What an answer gives away for good, by its topic."""
        loss = self._losses.get(question.topic)
        return loss(view, question, answer) if loss else ()

    @cached_property
    def _losses(self) -> dict[str, Loss]:
        return self.joined(lambda chapter: chapter.losses)

    @cached_property
    def _plans(self) -> dict[str, PlanReader]:
        return self.joined(lambda chapter: chapter.plans)

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
        """The parts of a plan, by its topic."""
        return self._plans[plan.topic](view, plan, draft)

    @cached_property
    def _harms(self) -> dict[str, Callable[[Battle, Due], Procedure[None]]]:
        return self.joined(lambda chapter: chapter.harms)

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """Let something that was due happen, by what it does."""
        return self._harms[due.harm.what](battle, due)

    def digests(self) -> dict[str, str]:
        """Which ledger and which cards these rules read."""
        read = {"ledger": self.ledger.digest()}
        return read if self.cards is None else {**read, "catalogue": self.cards.digest()}

    # What chapters ask -------------------------------------------------------------------------------------------

    @cached_property
    def _heard(self) -> dict[Moment[Any, Any], tuple[Callable[..., Any], ...]]:
        heard: dict[Moment[Any, Any], tuple[Callable[..., Any], ...]] = {}
        for chapter in self.chapters:
            for moment, does in chapter.at:
                heard[moment] = (*heard.get(moment, ()), does)
        return heard

    def at(self, moment: Moment[P, R]) -> tuple[Callable[P, R], ...]:
        """What chapters do at a moment, in their order."""
        return self._heard.get(moment, ())

    @cached_property
    def actions(self) -> dict[str, Any]:
        """Every action there is, in the order in which they are listed."""
        return {action.id: action for chapter in self.chapters for action in chapter.actions}

    @cached_property
    def menu(self) -> Menu:
        """What units may do, and what restrains them."""
        return Menu(self.actions, self.at(RESTRAINS), self.action_list, self.failure_rule, self.once_rule)

    def joined(self, of: Callable[[Chapter], Mapping[Any, T]]) -> dict[Any, T]:
        """What all chapters bring of one kind. Two that bring the same are a mistake."""
        found: dict[Any, T] = {}
        for chapter in self.chapters:
            for key, one in of(chapter).items():
                if key in found and found[key] != one:
                    raise ValueError(f"{self.name}: two chapters bring {key!r}")
                found[key] = one
        return found

    # What a reader asks ------------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """Its rules in words."""
        return ledger(self.name)

    @cached_property
    def opening(self) -> Opener:
        """How its battles are opened, with its own cards and words."""
        return self.opener(self)

    def setup(self, scenario: str = "", size: int = 0, forces: Side = NO_SIDE) -> Setup:
        """The set-up of a scenario, by name or by the path of a file; empty and 0 mean the ruleset's own choice.

        With `forces`, a side, all sides field the force of that one, with its support and its spirit.
        """
        return self.opening.setup(scenario, size, forces=forces)

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay the table as the set-up says."""
        self.opening.open(battle, setup)

    def case_words(self) -> CaseWords:
        """What its conformance cases may say."""
        return self.words_of_cases(self)

    def in_play(self, thing: Thing) -> Sequence[str]:
        """The rules a thing brings into play by being there: its card, its weapons, its special abilities."""
        return [rule for chapter in self.chapters if chapter.in_play for rule in chapter.in_play(thing)]

    @cached_property
    def terrain(self) -> Mapping[str, TerrainKind]:
        """The kinds of terrain its boards may have."""
        return self.joined(lambda chapter: chapter.terrain)

    @cached_property
    def hand_cards(self) -> Mapping[str, CardText]:
        """The cards that sides may hold in their hands, by id."""
        return self.joined(lambda chapter: chapter.hand_cards)

    @cached_property
    def switches(self) -> Mapping[str, str]:
        """The optional rules that a scenario may switch on, with what they do."""
        return self.joined(lambda chapter: chapter.switches)

    # Words of cases and scenarios ----------------------------------------------------------------------------------

    @cached_property
    def states(self) -> Mapping[str, str]:
        """The states that a unit may have, with what they mean."""
        return self.joined(lambda chapter: chapter.states)

    @cached_property
    def counts(self) -> Mapping[str, str]:
        """What is counted on a unit."""
        return self.joined(lambda chapter: chapter.counts)

    @cached_property
    def unit_options(self) -> Mapping[str, str]:
        """What else a case or scenario may say of a unit."""
        return self.joined(lambda chapter: chapter.options)

    @cached_property
    def answers(self) -> Mapping[str, str]:
        """The topics that a case answers, with what is said."""
        return self.joined(lambda chapter: chapter.answers)

    @cached_property
    def readers(self) -> Mapping[str, AnswerReader]:
        """What reads answers that have a form of their own."""
        return self.joined(lambda chapter: chapter.readers)

    @cached_property
    def values(self) -> Mapping[str, ValueReader]:
        """The values of the rules that a case may ask for."""
        return self.joined(lambda chapter: chapter.values)

    @cached_property
    def model_words(self) -> ModelWords:
        """The states and counts that a case or a scenario may give a model."""
        return ModelWords(frozenset(self.states), frozenset(self.counts))

    # What is said of its battles: `words.yaml` beside its book, and names made of other data ------------------------

    @cached_property
    def said(self) -> Words:
        """What its `words.yaml` says; nothing where it has none."""
        for kind in type(self).__mro__:
            if kind is Book:
                break
            path = files(sys.modules[kind.__module__].__package__ or "") / "words.yaml"
            if path.is_file():
                return read_words(path)
        return Words()

    @property
    def labels(self) -> Mapping[str, str]:
        """What stands on the buttons of its actions."""
        return {action.id: action.label for chapter in self.chapters for action in chapter.actions}

    @property
    def tools(self) -> Mapping[str, str]:
        """What is named on its cards, weapons mostly: ids and names."""
        return {}

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Its ids as players say them."""
        looks = {state: look.words for state, look in self.looks.items()}
        held = {name: card.name for name, card in self.hand_cards.items()}
        agreed = {f"option {name}": told for name, told in self.switches.items()}
        return {**looks, **labelled(self.labels), **self.tools, **held, **agreed, **self.said.names}

    @property
    def phrases(self) -> Mapping[str, str]:
        """What a log says of its actions and states in whole phrases."""
        return self.said.phrases

    @property
    def notes(self) -> Sequence[str]:
        """States that rules keep for themselves: the lines around them tell as much."""
        return self.said.notes

    @property
    def looks(self) -> Mapping[str, Look]:
        """The states that a page shows, and how."""
        return self.said.looks

    @property
    def later(self) -> Mapping[str, str]:
        """The rules that are still to come, each with the delivery it waits for; none where all are there."""
        return {}

    def reminders(self, card: Card[Any]) -> Mapping[str, str]:
        """What the back of a card says of its special attributes, a line each; nothing where there is none."""
        return {}

    # Rosters, opponents ------------------------------------------------------------------------------------------

    def roster_offer(self) -> Offer | None:
        """What a side may buy; none where there is nothing to buy."""
        if self.rosters is not None:
            return self.rosters.offer()
        if not any(card.points for card in self._all_cards()):
            return None
        return Offer(models=tuple(card.id for card in self._all_cards()))

    def roster_checkers(self) -> Sequence[Checker[Roster]]:
        """What a roster is judged by."""
        return () if self.rosters is None else self.rosters.checkers

    def roster_charges(self, roster: Roster) -> Bill:
        """What a roster costs, line by line."""
        if self.rosters is not None and self.rosters.charges is not None:
            return self.rosters.charges(roster)
        assert self.cards is not None, f"{self.name} has nothing to buy"
        return charges(roster, self.cards)

    def roster_tallies(self, roster: Roster) -> Sequence[Tally]:
        """What is counted in a roster, with how many of each there may be."""
        return () if self.rosters is None else self.rosters.tallies(roster)

    def roster_choices(self, roster: Roster) -> Sequence[Choice]:
        """The options of its units, with the values that each may have now."""
        return () if self.rosters is None else self.rosters.choices(roster)

    def tactics(self) -> Tactics | None:
        """What it tells an opponent; none where it has nothing to say."""
        return None if self.opponent is None else self.opponent()

    def _all_cards(self) -> Sequence[Card[Any]]:
        return () if self.cards is None else tuple(self.cards)


def book_of(battle: Battle) -> Book:
    """The book that a battle is played by."""
    assert isinstance(battle.ruleset, Book)
    return battle.ruleset


def steps_at(battle: Battle, moment: Moment[P, Sequence[Step]], *args: P.args, **named: P.kwargs) -> list[Step]:
    """The steps that chapters want carried out at a moment, in their order."""
    return [step for wants in book_of(battle).at(moment) for step in wants(*args, **named)]
