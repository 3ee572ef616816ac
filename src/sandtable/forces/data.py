"""Typed access to structured data whose form belongs to a ruleset: a rule's numbers and tables, a case's steps.

Every accessor takes the path to what is read, says the type it gives, and fails with file, line and the nearest right
word. Which values have been read is noted, so that numbers nobody reads can be found.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from types import MappingProxyType
from typing import Concatenate, ParamSpec, TypeVar, cast

from sandtable.engine.shapes import Point
from sandtable.forces.files import FileError, Node, described, nearest
from sandtable.forces.reading import convert, thousandths

T = TypeVar("T")

Step = str | int
Path = tuple[Step, ...]
Note = Callable[[Path], None]


P = ParamSpec("P")
R = TypeVar("R")


def _kept(method: "Callable[Concatenate[Data, P], R]") -> "Callable[Concatenate[Data, P], R]":
    """Look a path up once and keep what was found: rules read their numbers again and again."""

    @wraps(method)
    def read(self: "Data", /, *path: P.args, **named: P.kwargs) -> R:
        key = (method, path)
        found = self._cache.get(key, _MISSING)
        if found is _MISSING:
            found = self._cache[key] = method(self, *path, **named)
        return cast(R, found)

    return read


_MISSING = object()

#: The number of a formula: a factor before its name, or what is added to one or taken from it.
_OF_FORMULA = re.compile(r"(?<!\S)\d+(?= \* [a-z])|(?<=[a-z)] [-+] )\d+(?!\S)")


def nudged(value: object, by: int) -> int | Decimal | str | None:
    """A number, or a formula with one, changed by so much; None for anything else.

    >>> nudged(3, 1), nudged("impact > 2 * armour", 1), nudged("leadership + 2", -1), nudged("1d6", 1), nudged(True, 1)
    (4, 'impact > 3 * armour', 'leadership + 1', None, None)
    """
    if isinstance(value, str):
        return _OF_FORMULA.sub(lambda found: str(int(found[0]) + by), value) if _OF_FORMULA.search(value) else None
    return value + by if isinstance(value, int | Decimal) and not isinstance(value, bool) else None


def _unnoted(path: Path) -> None:
    """Nobody wants to know what is read."""


class Data:
    """A part of a file, read by paths of keys and numbers.

    >>> from sandtable.forces.files import read_text
    >>> data = Data(read_text("{gap_in: 1.5, table: {3: {damage: 2, states: [stunned]}}}", "it"), "it")
    >>> data.inches("gap_in"), data.number("table", 3, "damage"), data.texts("table", 3, "states")
    (1500, 2, ('stunned',))
    """

    __slots__ = ("_cache", "_error", "_node", "_note", "_numbers", "file", "path")

    def __init__(
        self,
        node: Node,
        file: str,
        error: type[FileError] = FileError,
        note: Note = _unnoted,
        path: Path = (),
    ) -> None:
        self.file = file
        self.path = path
        self._node = node
        self._error = error
        self._note = note
        self._cache: dict[object, object] = {}
        self._numbers: dict[Path, int] = {}  # apart, for it is read in the midst of battle

    @classmethod
    def from_node(cls, node: Node, file: str, error: type[FileError]) -> "Data":
        """How a field of this type is read from a file."""
        return cls(node, file, error)

    @property
    def node(self) -> Node:
        """The node itself, for what must be shown or compared as a whole. Nothing is noted as read."""
        return self._node

    def renamed(self, keys: dict[str, Node]) -> "Data":
        """The same part of the file with other names for its keys."""
        return Data(Node(keys, self._node.line), self.file, self._error, self._note, self.path)

    def listed(self, nodes: list[Node]) -> "Data":
        """The same part of the file as a list of some nodes."""
        return Data(Node(nodes, self._node.line), self.file, self._error, self._note, self.path)

    @property
    def line(self) -> int:
        """The line it stands on."""
        return self._node.line

    def fail(self, found: str, remedy: str, *path: Step) -> FileError:
        """An error about a part of this data, to be raised."""
        return self._error(self.file, self._node.line_of(*path), found, remedy)

    @_kept
    def has(self, *path: Step) -> bool:
        """Whether anything stands at a path; a dash (null) counts as nothing."""
        node: Node | None = self._node
        for step in path:
            node = node.child(step) if node is not None else None
        return node is not None and node.value is not None

    @_kept
    def at(self, *path: Step) -> "Data":
        """The part at a path."""
        node, whole = self._walk(path)
        return Data(node, self.file, self._error, self._note, self.path + whole)

    @_kept
    def names(self, *path: Step) -> tuple[str, ...]:
        """The keys of a mapping, in order."""
        node, _ = self._walk(path)
        if not isinstance(node.value, dict):
            raise self._wrong(node, path, "a mapping")
        return tuple(node.value)

    @_kept
    def table(self, *path: Step) -> "Mapping[str, Data]":
        """A mapping with its parts, by key, in order."""
        return MappingProxyType({key: self.at(*path, key) for key in self.names(*path)})

    @_kept
    def items(self, *path: Step) -> "tuple[Data, ...]":
        """A list with its parts."""
        node, _ = self._walk(path)
        if not isinstance(node.value, list):
            raise self._wrong(node, path, "a list")
        return tuple(self.at(*path, n) for n in range(len(node.value)))

    def number(self, *path: Step) -> int:
        """A whole number."""
        value = self._numbers.get(path)
        if value is None:
            node = self._leaf(path)
            if isinstance(node.value, bool) or not isinstance(node.value, int):
                raise self._wrong(node, path, "a whole number")
            value = self._numbers[path] = node.value
        return value

    @_kept
    def numbers(self, *path: Step) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(one.number() for one in self.items(*path))

    def counted(self, *path: Step) -> dict[str, int]:
        """A mapping to whole numbers, in order."""
        return {key: one.number() for key, one in self.table(*path).items()}

    @_kept
    def length(self, *path: Step) -> int:
        """A number in table units, as whole thousandths."""
        node = self._leaf(path)
        value = thousandths(node.value)
        if value is None:
            raise self._wrong(node, path, "a length with at most three decimals")
        return value

    def point(self, *path: Step) -> Point:
        """A point of the table, `[x, y]`.

        >>> from sandtable.forces.files import read_text
        >>> Data(read_text("{at: [6, 24.5]}", "it"), "it").point("at")
        Point(x=6000, y=24500)
        """
        return Point(self.length(*path, 0), self.length(*path, 1))

    @_kept
    def inches(self, *path: Step) -> int:
        """A number of inches, as whole thousandths."""
        return self.length(*path)

    @_kept
    def fraction(self, *path: Step) -> Fraction:
        """Any number, exactly."""
        node = self._leaf(path)
        if isinstance(node.value, bool) or not isinstance(node.value, int | Decimal):
            raise self._wrong(node, path, "a number")
        return Fraction(node.value)

    @_kept
    def flag(self, *path: Step) -> bool:
        """`true` or `false`."""
        node = self._leaf(path)
        if not isinstance(node.value, bool):
            raise self._wrong(node, path, "`true` or `false`")
        return node.value

    @_kept
    def text_at(self, *path: Step) -> str:
        """A word or a sentence."""
        node = self._leaf(path)
        if not isinstance(node.value, str):
            raise self._wrong(node, path, "text")
        return node.value

    @_kept
    def formula(self, *path: Step) -> int:
        """The one number of a formula, such as `2 * leadership`, `impact > 2 * armour` or `front - 1`."""
        node = self._leaf(path)
        found = _OF_FORMULA.findall(node.value) if isinstance(node.value, str) else []
        if len(found) != 1:
            raise self._wrong(node, path, "a formula with one number, such as `2 * leadership`,")
        return int(found[0])

    @_kept
    def texts(self, *path: Step) -> tuple[str, ...]:
        """A list of words."""
        return tuple(one.text_at() for one in self.items(*path))

    def scalar(self, *path: Step) -> bool | int | Decimal | str | None:
        """A single value of whatever kind it is."""
        value = self._leaf(path).value
        assert not isinstance(value, dict | list)
        return value

    def read(self, kind: type[T], *path: Step) -> T:
        """The part at a path as a struct of the ruleset's own, or any other type that files can hold."""
        node, whole = self._walk(path)
        for below, _ in node.leaves():
            self._note(self.path + whole + below)
        where = " / ".join(map(str, self.path + whole)) or "this"
        return convert(node, kind, self.file, self._error, where)

    def leaves(self) -> Iterator[tuple[Path, Node]]:
        """Every single value below, with its path from here. Nothing is noted as read."""
        return self._node.leaves()

    def _walk(self, path: Path) -> tuple[Node, Path]:
        node, whole = self._node, []
        for done, step in enumerate(path):
            below = node.child(step)
            if below is None:
                raise self._absent(node, path[:done], step)
            whole.append(step if isinstance(node.value, list) else str(step))
            node = below
        return node, tuple(whole)

    def _leaf(self, path: Path) -> Node:
        node, whole = self._walk(path)
        if isinstance(node.value, dict | list):
            raise self._wrong(node, path, "a single value")
        self._note(self.path + whole)
        return node

    def _absent(self, node: Node, path: Path, step: Step) -> FileError:
        where = " / ".join(map(str, self.path + path))
        found = f"there is no `{step}`" + (f" under {where}" if where else "")
        remedy = nearest(str(step), node.value) if isinstance(node.value, dict) else f"here is {described(node)}"
        return self._error(self.file, node.line, found, remedy)

    def _wrong(self, node: Node, path: Path, wanted: str) -> FileError:
        where = " / ".join(map(str, self.path + path)) or "this"
        return self._error(self.file, node.line, f"{where} is {described(node)}", f"{wanted} would do")
