"""A ruleset with its ledger and its files, by name: what reports read, and what a mutation changes."""

from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable

from sandtable.forces.ledger import Changes, Ledger, ledger, override, ruleset_folder, systems
from sandtable.rulesets import RulesetError, ruleset
from sandtable.tabletop.book import Book

__all__ = ["Rulebook", "RulesetError", "rulebook", "rulebooks"]


class Rulebook:
    """A ruleset by name: its ledger, and its rules once somebody needs them.

    `ruleset` imports its package; nothing is imported before. Tests bring a ledger and rules of their own.
    """

    def __init__(
        self,
        name: str,
        folder: Traversable,
        find: Callable[[], Book],
        open_ledger: Callable[[], Ledger],
        change: Callable[[Changes], None] = override,
    ) -> None:
        self.name = name
        self.folder = folder
        self.ruleset = find
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
    sandtable.rulesets.RulesetError: nonesuch: there is no ruleset of this name; ...
    """
    if name not in systems():
        ruleset(name)  # which says so
    return Rulebook(name, ruleset_folder(name), lambda: ruleset(name), lambda: ledger(name))


def rulebooks() -> Iterator[Rulebook]:
    """All rulesets there are."""
    return (rulebook(name) for name in systems())
