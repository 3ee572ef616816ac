"""What a ruleset publishes, and how commands and reports find it by name.

A ruleset is a package `sandtable.rulesets.NAME` with a ledger beside it. Its `__init__.py` publishes the functions of
`Published`; nothing in the lab or the command knows more of a ruleset than that.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Protocol, cast

from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.table import Thing
from sandtable.forces.files import FileError, nearest
from sandtable.forces.ledger import Changes, Ledger, ledger, override, systems
from sandtable.lab.cases.words import CaseWords


class RulesetError(FileError):
    """There is no such ruleset."""


class Published(Protocol):
    """What the package of a ruleset gives to the world. A module fits as it is."""

    @property
    def SIZE(self) -> str:  # noqa: N802
        """What `--size` counts, such as "models a side"."""

    def ruleset(self) -> Ruleset:
        """The rules, ready to play. A fresh object each time, so that a report may listen in on one of them."""

    def setup(self, scenario: str = "", size: int = 0) -> Setup:
        """The set-up of a scenario, by name or by the path of a file; empty and 0 mean the ruleset's own choice."""

    def case_words(self, catalogues: Sequence[Path] = ()) -> CaseWords:
        """The words of its conformance cases; `catalogues` are files with made-up models."""

    def in_play(self, thing: Thing) -> Sequence[str]:
        """The rules a thing brings into play by being there: its card, its weapons, its special abilities."""


class Rulebook:
    """A ruleset by name: its ledger, and its package once somebody needs it.

    `publish` imports the package; nothing is imported before. Tests bring a ledger and a package of their own.
    """

    def __init__(
        self,
        name: str,
        folder: Traversable,
        publish: Callable[[], Published],
        open_ledger: Callable[[], Ledger],
        change: Callable[[Changes], None] = override,
    ) -> None:
        self.name = name
        self.folder = folder
        self.publish = publish
        self.ledger = open_ledger
        self.change = change

    def fresh_ledger(self) -> Ledger:
        """The ledger read anew, so that the one the rules use is not opened yet and can still be changed."""
        return Ledger(self.name, self.folder / "rules")

    def file(self, name: str) -> Traversable:
        """A file beside the rules, such as the list of rules no battle fires."""
        return self.folder / name


def rulebook(name: str) -> Rulebook:
    """The ruleset of a name; an unknown one fails with the nearest right name.

    >>> rulebook("nonesuch")
    Traceback (most recent call last):
    ...
    sandtable.lab.rulebooks.RulesetError: nonesuch: there is no ruleset of this name; ...
    """
    if name not in systems():
        raise RulesetError(name, 0, "there is no ruleset of this name", nearest(name, systems()))
    folder = files("sandtable") / "rulesets" / name
    package = f"sandtable.rulesets.{name}"
    return Rulebook(name, folder, lambda: cast(Published, importlib.import_module(package)), lambda: ledger(name))


def rulebooks() -> Iterator[Rulebook]:
    """All rulesets there are."""
    return (rulebook(name) for name in systems())
