"""The rulesets a server plays, as far as a server needs to know them: by what each of them publishes.

A ruleset may publish, beside what `sandtable.lab.rulebooks.Published` asks for: what `sandtable.lab.vocabularies` makes
words of, `looks()` (its states → how a badge shows them), `cards()` (its catalogue), `KINDS` (the terrain its boards
may have), and what `forces.roster` names.
"""

import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import msgspec

from sandtable import bots
from sandtable.bots import bot_names
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.catalogue import Card, Catalogue
from sandtable.forces.files import FileError, ScenarioError
from sandtable.forces.ledger import Ledger, systems
from sandtable.forces.scenario import load_scenario, package_scenarios
from sandtable.forces.terrain import TerrainKind
from sandtable.lab.rulebooks import Published, RulesetError, rulebook
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.server.bodies import CardShown, RulesetShown, ScenarioShown, StateLook, TerrainShown
from sandtable.telling.vocabulary import UNITS, Vocabulary


class Library:
    """All rulesets that are installed. Tests make one of their own with these methods."""

    def names(self) -> tuple[str, ...]:
        """The names of all rulesets."""
        return systems()

    def ruleset(self, name: str) -> Ruleset:
        """The rules of a name, a fresh object; `FileError` where there are none."""
        return self.published(name).ruleset()

    def setup(self, name: str, scenario: str = "", size: int = 0, text: str = "") -> Setup:
        """The set-up of a scenario by name, or by the text of its file; `FileError` says what is wrong with it."""
        published = self.published(name)
        if not text:
            return published.setup(scenario, size)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scenario.yaml"
            path.write_text(text, encoding="utf-8", errors="replace")
            try:
                return published.setup(str(path), size)
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
        return rulebook(name).ledger()

    def cards(self, name: str) -> list[CardShown]:
        """The cards of its catalogue."""
        published = self.published(name)
        found: Iterable[Card[Any]] = published.cards() if hasattr(published, "cards") else self.catalogue(name) or ()
        return [_card(card) for card in found]

    def catalogue(self, name: str) -> Catalogue[Any] | None:
        """The catalogue that its rules play with, if it has one."""
        held = getattr(self.ruleset(name), "cards", None)
        return held if isinstance(held, Catalogue) else None

    def published(self, name: str) -> Published:
        """What the package of a ruleset publishes."""
        return rulebook(name).publish()

    def extra(self, name: str, what: str) -> Any:
        """Something that a ruleset may publish, or none."""
        return getattr(self.published(name), what, None)


def known_bots() -> tuple[str, ...]:
    """The names of all bots that may take a seat; one that has levels is there once a level.

    >>> "random" in known_bots()
    True
    """
    names: list[str] = []
    for name in bot_names():
        levels = getattr(import_module(f"{bots.__name__}.{name}_bot"), "LEVELS", ())
        names += [f"{name}-{level}" for level in levels] or [name]
    return tuple(names)


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
    published = shelf.published(name)
    rules = published.ruleset()
    book = shelf.ledger(name)
    looks: Mapping[str, Any] = published.looks() if hasattr(published, "looks") else {}
    words: dict[str, str] = dict(getattr(published, "WORDS", {}))
    return RulesetShown(
        name=name,
        title=rules.title or name,
        version=rules.version,
        unit=rules.unit,
        unit_mark=UNITS.get(rules.unit, ""),
        size=published.SIZE,
        scenarios=_scenarios(name, book),
        words=words,
        notes=tuple(getattr(published, "NOTES", ())),
        looks={state: msgspec.convert(look, StateLook) for state, look in looks.items()},
        chapters=tuple(dict.fromkeys(rule.chapter for rule in book.rules.values())) if book else (),
        rules=len(book.rules) if book else 0,
        faces=getattr(published, "FACES", True),
        free_measuring=rules.free_measuring,
        kinds=_kinds(getattr(published, "KINDS", {}), words),
        begin_with=_begin_with(published),
        rosters=hasattr(published, "roster_offer") or any(card.points for card in shelf.catalogue(name) or ()),
    )


def _begin_with(published: Published) -> str:
    """The scenario that a ruleset plays where none is named, as far as its set-up tells."""
    form = published.setup("", 0).scenario.get("form")
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


def _card(card: Card[Any]) -> CardShown:
    base: dict[str, Any] = msgspec.to_builtins(card.base)
    stats = msgspec.to_builtins(card.stats)
    return CardShown(card.id, card.name, card.kind, card.points, card.glyph, base, card.height, stats, card.rule)


__all__ = ["FileError", "Library", "RulesetError", "installed", "known_bots", "library"]
