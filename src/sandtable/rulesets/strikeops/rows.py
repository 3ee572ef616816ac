"""The rows of `special.yaml`: every special attribute, weapon, upgrade and kind of ammunition, and how it works.

`later.yaml` lists what else is still to come.
"""

from functools import cache, partial
from importlib.resources import files
from typing import Literal

import msgspec

from sandtable.forces.files import CatalogueError, nearest, read_file
from sandtable.forces.ledger import Rule, ledger
from sandtable.forces.reading import convert

How = Literal["plays", "built in", "answers", "later"]
#: A number in the data of a rule; LEVEL stands for the rating.
Path = tuple[str | int, ...]
LEVEL = "LEVEL"


class Change(msgspec.Struct, frozen=True, kw_only=True, rename={"nearest": "from", "farthest": "to"}):
    """A number that changes a check."""

    check: str
    by: Path
    of: Literal["model", "target"] = "model"
    say: str = ""
    each: bool = False
    when: tuple[str, ...] = ()
    nearest: Path = ()
    farthest: Path = ()
    above: Path = ()


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a special attribute, weapon, upgrade or kind of ammunition is: its rules, and how they work."""

    rules: tuple[str, ...]
    waits: tuple[str, ...] = ()  # rules of it that speak of what nobody can do yet
    how: How = "plays"
    delivery: int = 2
    changes: tuple[Change, ...] = ()

    @property
    def entries(self) -> tuple[Rule, ...]:
        """Its rules, the first of which holds its numbers; what nobody can do yet does not count as cited."""
        book = ledger("strikeops")
        take = partial(book.rule, module=__name__) if self.how == "plays" else book.find
        return tuple(take(f"strikeops.{one}") for one in self.rules)


class Special(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    attributes: dict[str, Row]
    weapons: dict[str, Row]
    upgrades: dict[str, Row]
    ammunition: dict[str, Row]
    general: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, Row]]:
        """All rows, with their names."""
        kinds = (self.attributes, self.weapons, self.upgrades, self.ammunition)
        return [(name, row) for kind in kinds for name, row in kind.items()]


@cache
def special() -> Special:
    """The rows, read once; a rule that the ledger does not have is an error of the file."""
    path, name = files(__package__) / "special.yaml", "special.yaml"
    node = read_file(path, CatalogueError)
    found = convert(node, Special, name, CatalogueError)
    known = ledger("strikeops").rules
    for rule_id in (*found.general, *(one for _, row in found.rows for one in (*row.rules, *row.waits))):
        if f"strikeops.{rule_id}" not in known:
            words = nearest(f"strikeops.{rule_id}", known)
            raise CatalogueError(name, node.line, f"there is no rule `strikeops.{rule_id}`", words)
    return found


class _Delivery(msgspec.Struct, frozen=True):
    brings: str
    chapters: tuple[str, ...] = ()  # all of them
    rules: tuple[str, ...] = ()


class _Later(msgspec.Struct, frozen=True):
    deliveries: dict[str, _Delivery]


@cache
def later() -> dict[str, str]:
    """The rules that are still to come, each with the delivery that brings it."""
    name, book = "later.yaml", ledger("strikeops")
    file = convert(read_file(files(__package__).joinpath(name), CatalogueError), _Later, name, CatalogueError)
    found: dict[str, str] = {}
    for number, one in file.deliveries.items():
        words = f"delivery {number}: {one.brings}"
        found |= {rule: words for rule, entry in book.rules.items() if entry.chapter in one.chapters}
        found |= {book.find(f"strikeops.{rule}").id: words for rule in one.rules}
        to_come = [row for _, row in special().rows if row.how != "plays"]
        waiting = [row for row in to_come if str(row.delivery) == number]
        found |= {entry.id: words for row in waiting for entry in row.entries}
        played = [row for _, row in special().rows if str(row.delivery) == number]
        found |= {book.find(f"strikeops.{one}").id: words for row in played for one in row.waits}
    return found
