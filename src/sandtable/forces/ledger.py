"""The ledger of a ruleset: every rule with its words, numbers, examples and ruling, read from package data.

A rules module names its rules by `rule(id)`, which fails at import for an id that does not stand in the ledger, and
reads every number through the handle it gets. So the ledger knows which rules are cited by which module and which
numbers are read, and a test may change any number before the modules are imported (`override`).
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path as FilePath
from typing import Literal

import msgspec

from sandtable.engine.events import Detail
from sandtable.engine.ids import RuleId
from sandtable.forces.data import Data, Path, nudged
from sandtable.forces.files import LedgerError, Node, nearest, read_file, shown
from sandtable.forces.reading import convert

Kind = Literal["core", "optional", "setup", "campaign", "data"]

#: What a test changes: rule id and path of a number to the number it shall be.
Changes = Mapping[tuple[str, Path], int | Decimal | str]

_changes: dict[tuple[str, Path], int | Decimal | str] = {}
_opened: dict[str, "Ledger"] = {}


class Example(msgspec.Struct, frozen=True):
    """A worked example of a rule."""

    given: str
    when: str
    then: str


class _Entry(msgspec.Struct, frozen=True):
    """A rule as a chapter's file writes it."""

    id: str
    title: str
    kind: Kind
    text: str
    data: Data | None = None
    examples: tuple[Example, ...] = ()
    ruling: str = ""


class _Chapter(msgspec.Struct, frozen=True):
    system: str
    chapter: str
    rules: list[_Entry]


class Rule(Data):
    """One rule: its words, and typed access to its numbers and tables.

    `rule.number("modifiers", "friendly_model_in_contact")`, `rule.inches("distance_in")`, `rule.table("table")` and
    the other accessors of `Data` read its data; what a rule's data does not hold fails with the nearest right word.
    """

    __slots__ = ("chapter", "examples", "id", "kind", "ruling", "text", "title")

    def __init__(self, entry: _Entry, chapter: str, file: str, node: Node, reads: dict[tuple[str, Path], None]) -> None:
        def note(path: Path) -> None:
            reads[entry.id, path] = None

        super().__init__(node, file, LedgerError, note)
        self.id = RuleId(entry.id)
        self.title = entry.title
        self.kind: Kind = entry.kind
        self.chapter = chapter
        self.text = " ".join(entry.text.split())
        self.ruling = " ".join(entry.ruling.split())
        self.examples = entry.examples

    def __repr__(self) -> str:
        return f"<Rule {self.id}>"

    def __str__(self) -> str:
        return self.id


class Ledger:
    """All rules of a ruleset, chapter by chapter in the order of their names.

    `cited` says which modules took a handle of which rule, `reads` which numbers have been read.
    """

    def __init__(self, system: str, folder: FilePath | Traversable, changes: Changes | None = None) -> None:
        self.system = system
        self.folder = folder
        self.rules: dict[str, Rule] = {}
        self.cited: dict[str, tuple[str, ...]] = {}
        self.reads: dict[tuple[str, Path], None] = {}
        self._digest = ""
        self._changes = {key: value for key, value in (changes or {}).items() if key[0].split(".")[0] == system}
        chapters = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)
        if not chapters:
            raise LedgerError(shown(folder), 0, "no chapter of a ledger is here", "give a folder with *.yaml files")
        for chapter in chapters:
            self._add(chapter)
        for rule_id, path in self._changes:
            self.find(rule_id).at(*path)

    def _add(self, file: FilePath | Traversable) -> None:
        name = shown(file)
        node = read_file(file, LedgerError)
        chapter = convert(node, _Chapter, name, LedgerError)
        if chapter.system != self.system:
            found = f"the system is `{chapter.system}`"
            raise LedgerError(name, node.line_of("system"), found, f"`{self.system}` would do")
        for n, entry in enumerate(chapter.rules):
            line = node.line_of("rules", n)
            if not re.fullmatch(rf"{re.escape(f'{self.system}.{chapter.chapter}.')}[a-z0-9]+(-[a-z0-9]+)*", entry.id):
                form = f"`{self.system}.{chapter.chapter}.` and a slug in kebab-case would do"
                raise LedgerError(name, line, f"the id is `{entry.id}`", form)
            if entry.id in self.rules:
                found = f"the id `{entry.id}` stands in {self.rules[entry.id].file} too"
                raise LedgerError(name, line, found, "give each rule an id of its own")
            if not (entry.title.strip() and entry.text.strip()):
                raise LedgerError(name, line, f"`{entry.id}` has no words", "write its title and text")
            data = self._changed(entry.id, entry.data.node if entry.data is not None else Node({}, line), ())
            if not isinstance(data.value, dict):
                raise LedgerError(name, data.line, f"the data of `{entry.id}` is no mapping", "name each of its values")
            self.rules[entry.id] = Rule(entry, chapter.chapter, name, data, self.reads)

    def _changed(self, rule_id: str, node: Node, path: Path) -> Node:
        """A copy of a rule's data with the overrides put in."""
        if not any(key[0] == rule_id and key[1][: len(path)] == path for key in self._changes):
            return node
        if (rule_id, path) in self._changes:
            return Node(self._changes[rule_id, path], node.line)
        below = {step: self._changed(rule_id, one, (*path, step)) for step, one in node.children()}
        if isinstance(node.value, list):
            return Node(list(below.values()), node.line)
        return Node({str(step): one for step, one in below.items()}, node.line) if below else node

    def find(self, rule_id: str) -> Rule:
        """The rule of that id; an unknown one fails with the nearest right id. Does not count as citing it."""
        found = self.rules.get(rule_id)
        if found is None:
            raise LedgerError(shown(self.folder), 0, f"there is no rule `{rule_id}`", self.nearest(rule_id))
        return found

    def nearest(self, rule_id: str) -> str:
        """The sentence that helps who wrote an unknown id."""
        return nearest(rule_id, self.rules)

    def rule(self, rule_id: str, module: str = "") -> Rule:
        """The handle of a rule, noted as cited by a module (the caller's, where none is named)."""
        found = self.find(rule_id)
        module = module or _caller(2)
        self.cited[rule_id] = tuple(dict.fromkeys((*self.cited.get(rule_id, ()), module)))
        return found

    def numbers(self) -> Iterator[tuple[str, Path, int | Decimal | str]]:
        """Every number of the ledger's data, formulas with one too: rule id, path, value. What mutation changes."""
        for found in self.rules.values():
            for path, node in found.leaves():
                if isinstance(node.value, int | Decimal | str) and nudged(node.value, 1) is not None:
                    yield found.id, path, node.value

    def digest(self) -> str:
        """A fingerprint of all that can decide: ids, kinds and data. Rewording a rule leaves it as it is."""
        if not self._digest:
            content = [[one.id, one.kind, canonical(one.node)] for _, one in sorted(self.rules.items())]
            self._digest = fingerprint(content)
        return self._digest

    def search(self, query: str) -> list[Rule]:
        """The rules that fit a query, best first: by id, then by title, then by text. Every word must occur.

        >>> book = ledger(systems()[0])
        >>> book.search(next(iter(book.rules)))[0] is next(iter(book.rules.values()))
        True
        """
        words = query.lower().split()
        ranked = [(-score, n, one) for n, one in enumerate(self.rules.values()) if (score := _score(one, words))]
        return [one for _, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def ledger(system: str) -> Ledger:
    """The ledger of a ruleset, read once."""
    if system not in _opened:
        folder = ruleset_folder(system) / "rules"
        if not re.fullmatch(r"[a-z][a-z0-9_]*", system) or not folder.is_dir():
            raise LedgerError(system, 0, "no ruleset of this name has a ledger", nearest(system, systems()))
        _opened[system] = Ledger(system, folder, _changes)
    return _opened[system]


def _folders() -> list[FilePath]:
    """Where rulesets lie: where the search path of their package leads, so that one elsewhere can be found too."""
    spec = find_spec("sandtable.rulesets")
    assert spec is not None
    return [FilePath(one) for one in spec.submodule_search_locations or ()]


def ruleset_folder(system: str) -> FilePath:
    """The folder of a ruleset; where none has one, it would be among the others."""
    folders = _folders()
    return next((one / system for one in folders if (one / system).is_dir()), folders[0] / system)


def systems() -> tuple[str, ...]:
    """The names of all rulesets that have a ledger, without importing any of them."""
    there = [one for folder in _folders() for one in folder.iterdir()]
    return tuple(sorted(one.name for one in there if one.is_dir() and (one / "rules").is_dir()))


def rule(rule_id: str) -> Rule:
    """The handle of a rule, for the head of a rules module; an id that stands in no ledger fails at import.

    >>> first = next(iter(ledger(systems()[0]).rules))
    >>> rule(first).id == first
    True
    >>> rule(first + "-x")
    Traceback (most recent call last):
    ...
    sandtable.forces.files.LedgerError: ...: there is no rule ...; did you mean ...?
    """
    return ledger(rule_id.partition(".")[0]).rule(rule_id, _caller(2))


def override(changes: Changes) -> None:
    """Change numbers of ledgers that nobody has opened yet; for mutation tests in a fresh process."""
    for rule_id, _ in changes:
        if rule_id.partition(".")[0] in _opened:
            raise RuntimeError(f"the ledger of {rule_id} is open already; override before any rules module is imported")
    _changes.update(changes)


def canonical(node: Node) -> object:
    """A node as plain values that msgspec encodes the same way every time; the order of keys does not matter."""
    if isinstance(node.value, dict):
        return {key: canonical(one) for key, one in sorted(node.value.items())}
    if isinstance(node.value, list):
        return [canonical(one) for one in node.value]
    # Decimals are marked, so that 1.5 and the text `1.5` differ; 1.50 is 1.5.
    return {"": f"{node.value.normalize():f}"} if isinstance(node.value, Decimal) else node.value


def fingerprint(content: object) -> str:
    """A short fingerprint of plain values."""
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=16).hexdigest()


def _caller(depth: int) -> str:
    name = sys._getframe(depth).f_globals.get("__name__")
    return name if isinstance(name, str) else "?"


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9]+", text.lower()))


def _score(found: Rule, words: list[str]) -> int:
    """How well a rule fits the words; 0 where one of them does not occur."""
    if not words:
        return 1
    total = 0
    for word in words:
        if word == found.id:
            total += 1000
        elif word in _words(found.id):
            total += 60
        elif word in found.id:
            total += 40
        elif word in _words(found.title):
            total += 30
        elif word in found.title.lower():
            total += 20
        elif word in found.text.lower() or word in found.ruling.lower():
            total += 5
        else:
            return 0
    return total


def citing(*rules: Rule) -> Detail:
    """The other rules that an event carries out, beside the one that it names first: a detail of the event."""
    return {"rules": tuple(one.id for one in rules)}


def same_number(what: str, *numbers: object) -> None:
    """See that numbers which a ledger states in several places are one number.

    >>> same_number("the largest die", 12, 12)
    """
    if any(number != numbers[0] for number in numbers[1:]):
        raise ValueError(f"the ledger disagrees with itself about {what}: {', '.join(map(str, numbers))}")
