"""The rulesets a server plays, as far as a server needs to know them."""

import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import msgspec

from sandtable.bots import bot_names
from sandtable.bots.by_name import LEVEL_NAMES
from sandtable.bots.levels import LEVELS, SUGGESTED
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.cards import told
from sandtable.forces.catalogue import Card, Catalogue
from sandtable.forces.files import FileError, ScenarioError
from sandtable.forces.ledger import Ledger, systems
from sandtable.forces.scenario import load_scenario, package_scenarios
from sandtable.forces.terrain import TerrainKind
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.rulesets import RulesetError, ruleset
from sandtable.server.api.bodies import (
    BotShown,
    CardShown,
    HeldShown,
    RulesetShown,
    ScenarioShown,
    StateLook,
    TerrainShown,
)
from sandtable.tabletop.book import Book
from sandtable.telling.vocabulary import UNITS, Vocabulary


class Library:
    """All rulesets that are installed. Tests make one of their own with these methods."""

    def names(self) -> tuple[str, ...]:
        """The names of all rulesets."""
        return systems()

    def ruleset(self, name: str) -> Ruleset:
        """The rules of a name; `FileError` where there are none."""
        return ruleset(name)

    def setup(self, name: str, scenario: str = "", size: int = 0, text: str = "") -> Setup:
        """The set-up of a scenario by name, or by the text of its file; `FileError` says what is wrong with it."""
        rules = ruleset(name)
        if not text:
            return rules.setup(scenario, size)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scenario.yaml"
            path.write_text(text, encoding="utf-8", errors="replace")
            try:
                return rules.setup(str(path), size)
            except FileError as problem:
                raise ScenarioError("scenario", problem.line, problem.found, problem.remedy) from None

    def shown(self, name: str) -> RulesetShown:
        """What a page needs to offer and to draw a ruleset."""
        return _shown(self, name)

    def vocabulary(self, name: str) -> Vocabulary:
        """The words for its battles; plain ones where the ruleset is not there any more."""
        return vocabulary_of(name)

    def ledger(self, name: str) -> Ledger | None:
        """Its rules in words, if it has a ledger."""
        return ruleset(name).ledger

    def book(self, name: str) -> Book | None:
        """What a ruleset made of chapters says of itself; none where a ruleset is no more than the engine asks for."""
        rules = self.ruleset(name)
        return rules if isinstance(rules, Book) else None

    def catalogue(self, name: str) -> Catalogue[Any] | None:
        """The catalogue that its rules play with, if it has one."""
        book = self.book(name)
        return None if book is None else book.cards

    def cards(self, name: str) -> list[CardShown]:
        """The cards of its catalogue."""
        book = self.book(name)
        return [] if book is None else [_card(card, book.reminders(card)) for card in book.cards or ()]


def known_bots() -> tuple[str, ...]:
    """The names of all bots that may take a seat, the opponent's levels last.

    >>> known_bots()[-1], "random" in known_bots()
    ('8', True)
    """
    return bot_names()


def bot_shown(name: str) -> BotShown:
    """A bot as a page offers it.

    >>> bot_shown("1").title, bot_shown("random").title
    ('Recruit', '')
    """
    if name not in LEVEL_NAMES:
        return BotShown(name)
    level = LEVELS[int(name)]
    return BotShown(name, level.name, level.about, suggested=name == SUGGESTED)


def installed() -> Library:
    """The rulesets of this installation."""
    return Library()


def library(where: str) -> Library:
    """The library that a `module:function` makes.

    >>> library("sandtable.server.library:installed").names() == systems()
    True
    """
    module, _, name = where.partition(":")
    return cast(Library, getattr(import_module(module), name)())


@cache
def _shown(shelf: Library, name: str) -> RulesetShown:
    rules = ruleset(name)
    book = shelf.ledger(name)
    return RulesetShown(
        name=name,
        title=rules.title or name,
        version=rules.version,
        unit=rules.unit,
        unit_mark=UNITS.get(rules.unit, ""),
        level=rules.level,
        size=rules.size_counts,
        scenarios=_scenarios(name, book),
        words=dict(rules.words),
        notes=tuple(rules.notes),
        looks={
            state: StateLook(look.shape, look.helps, look.words, look.hinders) for state, look in rules.looks.items()
        },
        held={card: HeldShown(*text) for card, text in rules.hand_cards.items()},
        chapters=tuple(dict.fromkeys(rule.chapter for rule in book.rules.values())) if book else (),
        rules=len(book.rules) if book else 0,
        faces=rules.faces,
        free_measuring=rules.free_measuring,
        kinds=_kinds(rules.terrain, rules.words),
        begin_with=_begin_with(rules),
        rosters=rules.roster_offer() is not None,
    )


def _begin_with(rules: Book) -> str:
    """The scenario that a ruleset plays where none is named, as far as its set-up tells."""
    form = rules.setup("", 0).scenario.get("form")
    return str(form.get("name", "")) if isinstance(form, dict) else ""


def _kinds(kinds: Mapping[str, TerrainKind], words: Mapping[str, str]) -> tuple[TerrainShown, ...]:
    return tuple(
        TerrainShown(kind, words.get(kind, kind.replace("-", " ")), form.height, form.contoured)
        for kind, form in kinds.items()
    )


def _scenarios(name: str, book: Ledger | None) -> tuple[ScenarioShown, ...]:
    if book is None:
        return ()
    shown = []
    for scenario, path in package_scenarios(name).items():
        form = load_scenario(path, book).value
        size = form.size
        sizes = (size.counts, size.default, size.least, size.most) if size is not None else ("", 0, 0, 0)
        shown.append(ScenarioShown(scenario, form.title or scenario, form.about, tuple(form.sides), *sizes))
    return tuple(shown)


def _card(card: Card[Any], reminders: Mapping[str, str]) -> CardShown:
    base: dict[str, Any] = msgspec.to_builtins(card.base)
    says = told(card.stats) | ({"reminders": dict(reminders)} if reminders else {})
    return CardShown(card.id, card.name, card.kind, card.points, card.glyph, base, card.height, says, card.rule)


__all__ = ["FileError", "Library", "RulesetError", "installed", "known_bots", "library"]
