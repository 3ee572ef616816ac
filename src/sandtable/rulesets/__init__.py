"""The rulesets, a package each: what it plays is named by its ledger, what it publishes is `RULESET`.

A package here that has a ledger (`rules/*.yaml`) is a ruleset. Nothing is registered: one that is there is found.
"""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from sandtable.forces.files import FileError, nearest
from sandtable.forces.ledger import systems

if TYPE_CHECKING:
    from sandtable.tabletop.book import Book


class RulesetError(FileError):
    """There is no such ruleset."""


def ruleset(name: str) -> "Book":
    """The ruleset of a name; an unknown one fails with the nearest right name.

    >>> ruleset("nonesuch")
    Traceback (most recent call last):
    ...
    sandtable.rulesets.RulesetError: nonesuch: there is no ruleset of this name; ...
    """
    if name not in systems():
        raise RulesetError(name, 0, "there is no ruleset of this name", nearest(name, systems()))
    return cast("Book", import_module(f"{__name__}.{name}").RULESET)
