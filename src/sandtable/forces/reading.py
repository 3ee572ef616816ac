"""From the nodes of a file to typed values, with errors that help.

A file's form is a msgspec struct. Unknown keys, missing keys and values of the wrong kind are told with file, line,
what was found, what would do and the nearest right word. Lengths stand in a file as the table's unit with up to three
decimals and arrive as whole thousandths, exactly.
"""

import types
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from sandtable.engine.plain_words import is_plain, printed
from sandtable.engine.shapes import BOUND, UNIT, Point
from sandtable.forces.files import FileError, Node, described, nearest, read_file, read_text, shown


class Thousandths:
    """Marks a whole number, or a point, that a file gives in the table's unit."""


class YesNo:
    """Marks a whole number that a file may also give as `true` or `false`: 1 or 0."""


#: A length or coordinate: `1.5` in a file, 1500 in the program.
Length = Annotated[int, Thousandths]

#: A point of the table: `[6, 24.5]` in a file.
Where = Annotated[Point, Thousandths]

T = TypeVar("T")

#: How many letters a name in a file may have, and what is told about it.
MOST_NAME = 200
MOST_SPOKEN = 5000
_SPOKEN = ("about", "notes")


class Loaded(msgspec.Struct, Generic[T], frozen=True):
    """A value read from a file, which still knows on which line each part of it stands."""

    value: T
    node: Node
    file: str
    error: type[FileError] = FileError

    def line_of(self, *path: str | int) -> int:
        """The line of a part, by the keys and numbers that lead to it."""
        return self.node.line_of(*path)

    @property
    def fail(self) -> "Fail":
        """Makes errors about parts of the file, to be raised.

        >>> loaded = load_text("{size: 3, units: [2]}", dict[str, int | list[int]], "force.yaml")
        >>> str(loaded.fail("too many", "take one", "units", 0))
        'force.yaml:1: too many; take one'
        """
        return Fail(self.file, self.node, self.error)


class Fail(msgspec.Struct, frozen=True):
    """How a reader says that a part of a file is wrong: calling it gives the error, to be raised.

    >>> fail = Fail("duel.yaml", read_text("a: [1,\\n 2]", "duel.yaml")).under("a")
    >>> str(fail("2 is too much", "take 1", 1))
    'duel.yaml:2: 2 is too much; take 1'
    """

    file: str
    node: Node = Node(None, 0)
    error: type[FileError] = FileError
    above: tuple[str | int, ...] = ()

    def __call__(self, found: str, remedy: str, *path: str | int) -> FileError:
        """The error about the part at a path."""
        return self.error(self.file, self.node.line_of(*self.above, *path), found, remedy)

    def under(self, *path: str | int) -> "Fail":
        """The same for a part of the part: paths go on from there."""
        return Fail(self.file, self.node, self.error, self.above + path)


def load(path: Path | Traversable, kind: type[T], error: type[FileError] = FileError) -> Loaded[T]:
    """Read a file of a given form."""
    node = read_file(path, error)
    return Loaded(convert(node, kind, shown(path), error), node, shown(path), error)


def load_text(text: str | bytes, kind: type[T], name: str = "text", error: type[FileError] = FileError) -> Loaded[T]:
    """Read text of a given form; errors call it by its name.

    >>> load_text("[1.5, 0.25]", tuple[Length, Length], "gap").value
    (1500, 250)
    >>> load_text("[1.5, 0.2505]", tuple[Length, Length], "gap")
    Traceback (most recent call last):
    ...
    sandtable.forces.files.FileError: gap:1: 0.2505 has more than three decimals; a length such as 1.5 would do
    """
    node = read_text(text, name, error)
    return Loaded(convert(node, kind, name, error), node, name, error)


def see_modest(node: Node, name: str, error: type[FileError] = FileError) -> Node:
    """Refuse words that would swell a battle or mislead whoever reads them: very long ones, and control characters.

    What is told once (`about`, `notes`) may be longer and have several lines.

    >>> see_modest(read_text('as: "\\\\e[2J"', "it"), "it")
    Traceback (most recent call last):
    ...
    sandtable.forces.files.FileError: it:1: `as` has a control character in it; write it without
    """
    waiting: list[tuple[str, Node]] = [("", node)]
    while waiting:
        key, one = waiting.pop()
        if isinstance(one.value, dict | list):
            for step, below in one.children():
                word = str(step) if isinstance(one.value, dict) else key
                if len(word) > MOST_NAME or not is_plain(word):
                    raise error(name, below.line, f"the key `{printed(word[:MOST_NAME])}…`", "use a plain, short word")
                waiting.append((word, below))
        elif isinstance(one.value, str):
            spoken = key in _SPOKEN
            if len(one.value) > (MOST_SPOKEN if spoken else MOST_NAME):
                most = MOST_SPOKEN if spoken else MOST_NAME
                raise error(name, one.line, f"`{key}` has {len(one.value)} letters", f"at most {most} would do")
            if not is_plain(one.value.replace("\n", " ") if spoken else one.value):
                raise error(name, one.line, f"`{key}` has a control character in it", "write it without")
    return node


def convert(node: Node, kind: type[T], name: str, error: type[FileError] = FileError, where: str = "the file") -> T:
    """Read a node as a value of a given form; `where` is what errors call it."""
    return cast(T, _Reader(name, error).read(node, kind, where))


def thousandths(value: object) -> int | None:
    """A number in table units as whole thousandths; none where it is no number or finer than that.

    >>> thousandths(Decimal("0.25")), thousandths(3), thousandths(Decimal("0.0005")), thousandths("3")
    (250, 3000, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    exact = Fraction(value) * UNIT
    return exact.numerator if exact.denominator == 1 else None


class Field(msgspec.Struct, frozen=True):
    """One key of a struct as a file writes it."""

    name: str
    key: str
    kind: Any
    required: bool


@cache
def fields_of(struct: type[msgspec.Struct]) -> dict[str, Field]:
    """The fields of a struct by their keys in a file, in order."""
    return {
        field.encode_name: Field(field.name, field.encode_name, field.type, field.required)
        for field in msgspec.structs.fields(struct)
    }


def parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its annotations, and the annotations.

    >>> parts(Length) == (int, (Thousandths,)), parts(str)
    (True, (<class 'str'>, ()))
    """
    if get_origin(kind) is Annotated:
        plain, *marks = get_args(kind)
        return plain, tuple(marks)
    if hasattr(kind, "__supertype__"):
        return parts(kind.__supertype__)
    return kind, ()


def members(kind: Any) -> tuple[Any, ...]:
    """The alternatives of a type; itself where it has none."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def is_struct(kind: Any) -> bool:
    """Whether a type is a struct, or one with its parameters filled in."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def wanted(kind: Any) -> str:
    """What would do, in a few words.

    >>> wanted(int | None), wanted(int | Decimal), wanted(Literal["red", "blue"]), wanted(list[Length])
    ('a whole number or nothing', 'a number', '`red` or `blue`', 'a list')
    """
    alternatives = members(kind)
    if len(alternatives) > 1:
        some = [one for one in alternatives if one is not int or Decimal not in alternatives]
        return " or ".join(dict.fromkeys(wanted(one) for one in some))
    plain, marks = parts(kind)
    origin = get_origin(plain) or plain
    if origin is Literal:
        return " or ".join(f"`{word}`" for word in get_args(plain))
    if isinstance(origin, type) and issubclass(origin, Enum):
        return " or ".join(f"`{one.value}`" for one in origin)
    if Thousandths in marks:
        return "a length such as 1.5" if plain is int else "a point such as [6, 24.5]"
    if is_struct(origin) and origin.__struct_config__.array_like:
        return "a list such as [" + ", ".join(fields_of(origin)) + "]"
    return _WANTED.get(origin, "a list" if _is_named_tuple(origin) else "a mapping")


_WANTED: dict[Any, str] = {
    int: "a whole number",
    Decimal: "a number",
    str: "text",
    bool: "`true` or `false`",
    list: "a list",
    tuple: "a list",
    dict: "a mapping",
    types.NoneType: "nothing",
}


def _is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _suits(node: Node, kind: Any) -> bool:
    """Whether a node looks like a type, so that an alternative can be chosen by what stands in the file."""
    plain, marks = parts(kind)
    origin = get_origin(plain) or plain
    value = node.value
    if hasattr(origin, "from_node"):
        return True
    if value is None or isinstance(value, bool):
        return bool(origin is type(value)) or (value is not None and YesNo in marks)
    if isinstance(value, int | Decimal):
        return origin in (int, Decimal) and (origin is Decimal or Thousandths in marks or isinstance(value, int))
    if isinstance(value, str):
        return origin in (str, Literal) or (isinstance(origin, type) and issubclass(origin, Enum))
    array_like = is_struct(origin) and origin.__struct_config__.array_like
    if isinstance(value, list):
        return origin in (list, tuple) or array_like or _is_named_tuple(origin)
    return origin is dict or (is_struct(origin) and not array_like)


class _Reader:
    """Reads nodes of one file. `where` is how an error calls the value: its key, or its number in a list."""

    def __init__(self, name: str, error: type[FileError]) -> None:
        self.name = name
        self.error = error

    def fail(self, node: Node, found: str, remedy: str) -> FileError:
        return self.error(self.name, node.line, found, remedy)

    def wrong(self, node: Node, kind: Any, where: str) -> FileError:
        return self.fail(node, f"{where} is {described(node)}", f"{wanted(kind)} would do")

    def read(self, node: Node, kind: Any, where: str) -> object:
        alternatives = members(kind)
        if len(alternatives) > 1:
            for one in alternatives:
                if _suits(node, one):
                    return self.read(node, one, where)
            raise self.wrong(node, kind, where)
        plain, marks = parts(kind)
        origin = get_origin(plain) or plain
        if hasattr(origin, "from_node"):
            return origin.from_node(node, self.name, self.error)
        if Thousandths in marks:
            return self.point(node, where) if plain is Point else self.length(node, where)
        if YesNo in marks and isinstance(node.value, bool):
            return int(node.value)
        value = self.container(node, plain, origin, where)
        for mark in marks:
            if isinstance(mark, msgspec.Meta):
                self.within(node, value, mark, where)
        return value

    def container(self, node: Node, kind: Any, origin: Any, where: str) -> object:
        if origin is Literal:
            return self.choice(node, {str(word): word for word in get_args(kind)}, kind, where)
        if is_struct(origin):
            return self.array(node, origin, where) if origin.__struct_config__.array_like else self.struct(node, origin)
        if _is_named_tuple(origin):
            hints = get_type_hints(origin, include_extras=True)
            return origin(*self.items(node, [hints[name] for name in origin._fields], kind, where))
        if origin is dict:
            return self.mapping(node, kind, where)
        if origin in (list, tuple):
            return self.sequence(node, kind, origin, where)
        if isinstance(origin, type) and issubclass(origin, Enum):
            return self.choice(node, {str(one.value): one for one in origin}, kind, where)
        return self.scalar(node, origin, where)

    def scalar(self, node: Node, kind: Any, where: str) -> object:
        value = node.value
        if kind is Decimal and isinstance(value, int) and not isinstance(value, bool):
            return Decimal(value)
        if kind is str and isinstance(value, int | Decimal) and not isinstance(value, bool):
            return str(value)  # a name such as 7 or 2.1 is a name
        if type(value) is not kind:
            raise self.wrong(node, kind, where)
        return value

    def choice(self, node: Node, words: dict[str, object], kind: Any, where: str) -> object:
        if isinstance(node.value, dict | list):
            raise self.wrong(node, kind, where)
        word = "null" if node.value is None else str(node.value)
        if word not in words:
            raise self.fail(node, f"{where} is {described(node)}", nearest(word, words))
        return words[word]

    def length(self, node: Node, where: str) -> int:
        if isinstance(node.value, bool) or not isinstance(node.value, int | Decimal):
            raise self.wrong(node, Length, where)
        value = thousandths(node.value)
        if value is None:
            raise self.fail(node, f"{node.value} has more than three decimals", f"{wanted(Length)} would do")
        if not -BOUND <= value <= BOUND:
            limit = Decimal(BOUND) / UNIT
            raise self.fail(node, f"{where} is {node.value}, too large for a table", f"at most {limit} would do")
        return value

    def point(self, node: Node, where: str) -> Point:
        x, y = self.items(node, [Length, Length], Where, where)
        return Point(cast(int, x), cast(int, y))

    def within(self, node: Node, value: object, limits: msgspec.Meta, where: str) -> None:
        if isinstance(value, int | Decimal):
            if limits.ge is not None and value < limits.ge:
                raise self.fail(node, f"{where} is {value}", f"at least {limits.ge} would do")
            if limits.le is not None and value > limits.le:
                raise self.fail(node, f"{where} is {value}", f"at most {limits.le} would do")
        elif isinstance(value, str | list | tuple | dict):
            if limits.min_length is not None and len(value) < limits.min_length:
                raise self.fail(node, f"{where} is {described(node)}", f"at least {limits.min_length} would do")

    def sequence(self, node: Node, kind: Any, origin: Any, where: str) -> object:
        arguments = get_args(kind)
        if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
            return tuple(self.items(node, list(arguments), kind, where))
        if not isinstance(node.value, list):
            raise self.wrong(node, kind, where)
        every = (self.read(one, arguments[0], f"number {n} of {where}") for n, one in enumerate(node.value, 1))
        return tuple(every) if origin is tuple else list(every)

    def items(self, node: Node, kinds: list[Any], kind: Any, where: str) -> list[object]:
        if not isinstance(node.value, list):
            raise self.wrong(node, kind, where)
        if len(node.value) != len(kinds):
            found = f"{where} has {len(node.value)} entries"
            raise self.fail(node, found, f"a list of {len(kinds)} would do")
        return [
            self.read(one, k, f"number {n} of {where}")
            for n, (one, k) in enumerate(zip(node.value, kinds, strict=True), 1)
        ]

    def mapping(self, node: Node, kind: Any, where: str) -> dict[str, object]:
        if not isinstance(node.value, dict):
            raise self.wrong(node, kind, where)
        of = get_args(kind)[1]
        return {key: self.read(one, of, f"`{key}`") for key, one in node.value.items()}

    def array(self, node: Node, kind: type[msgspec.Struct], where: str) -> object:
        fields = list(fields_of(kind).values())
        least = sum(field.required for field in fields)
        if not isinstance(node.value, list):
            raise self.wrong(node, kind, where)
        if not least <= len(node.value) <= len(fields):
            raise self.fail(node, f"{where} has {len(node.value)} entries", f"{wanted(kind)} would do")
        pairs = zip(node.value, fields, strict=False)
        return kind(*[self.read(one, field.kind, f"the {field.key} of {where}") for one, field in pairs])

    def struct(self, node: Node, kind: type[msgspec.Struct]) -> object:
        fields = fields_of(kind)
        if not isinstance(node.value, dict):
            raise self.fail(node, f"{described(node)} stands here", f"a mapping with {_keys(fields)} would do")
        values: dict[str, object] = {}
        for key, one in node.value.items():
            if key not in fields:
                free = [other for other in fields if other not in node.value]
                raise self.fail(one, f"unknown key `{key}`", nearest(key, free))
            values[fields[key].name] = self.read(one, fields[key].kind, f"`{key}`")
        for field in fields.values():
            if field.required and field.name not in values:
                raise self.fail(node, f"the key `{field.key}` is missing", f"add `{field.key}`: {wanted(field.kind)}")
        build: Callable[..., object] = kind
        return build(**values)


def _keys(fields: dict[str, Field]) -> str:
    needed = [f"`{field.key}`" for field in fields.values() if field.required] or [f"`{key}`" for key in fields]
    return ", ".join(needed[:6])
