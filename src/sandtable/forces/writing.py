"""From typed values back to a file: what `load` reads, `dump` writes, and nothing is lost on the way.

Keys that must stand come first, each in the struct's order; what has its default is left out, lengths are written in
the table's unit, and what fits on one line stands on one line.
"""

import re
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from sandtable.engine.shapes import UNIT
from sandtable.forces.reading import Thousandths, fields_of, members, parts

#: How wide a line may become before its parts go on lines of their own.
WIDTH = 110

Plain = bool | int | Decimal | str | None | list["Plain"] | dict[str, "Plain"]

# What may stand unquoted: it cannot be taken for a number, a mark of YAML or one of its words.
_BARE = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.+/!'’×−–-]|, (?=[A-Za-z])| (?=[A-Za-z0-9(]))*")
_BARE_IN_FLOW = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.+/!'-]| (?=[A-Za-z0-9]))*")
_TAKEN = {"null", "true", "false"}


def dump(value: object, kind: Any = None) -> str:
    r"""Write a value as the file it could have been read from.

    >>> from sandtable.forces.reading import Length, load_text
    >>> class Gap(msgspec.Struct):
    ...     width: Length
    ...     title: str = ""
    ...     marks: list[Length] = []
    >>> text = dump(Gap(1500, "no: comment #1", [0, 250]))
    >>> print(text)
    width: 1.5
    title: "no: comment #1"
    marks: [0, 0.25]
    >>> load_text(text, Gap).value == Gap(1500, "no: comment #1", [0, 250])
    True
    """
    return "\n".join(_block(plain(value, kind if kind is not None else type(value)), 0))


def plain(value: object, kind: Any) -> Plain:
    """A value as a file would hold it: lengths in the table's unit, structs as mappings without their defaults."""
    kind = _chosen(value, kind)
    bare, marks = parts(kind)
    if Thousandths in marks:
        return _length(value) if isinstance(value, int) else [_length(one) for one in _sequence(value)]
    if isinstance(value, Enum):
        return plain(value.value, type(value.value))
    if isinstance(value, msgspec.Struct):
        return _struct(value)
    if isinstance(value, dict):
        of = get_args(bare)[1] if get_args(bare) else Any
        return {str(key): plain(one, of) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, of) for one, of in zip(value, _kinds(value, bare), strict=True)]
    if value is None or isinstance(value, bool | int | Decimal | str):
        return value
    raise TypeError(f"{type(value).__name__} has no form in a file")


def _chosen(value: object, kind: Any) -> Any:
    """The alternative of a type that a value is of."""
    for one in members(kind):
        bare, _ = parts(one)
        origin = get_origin(bare) or bare
        if origin is Any or (origin is Literal and value in get_args(bare)):
            return one
        if isinstance(origin, type) and isinstance(value, origin) and (origin is bool) == isinstance(value, bool):
            return one
    return kind


def _struct(value: msgspec.Struct) -> Plain:
    fields = fields_of(type(value))
    defaults = {field.name: field for field in msgspec.structs.fields(type(value))}
    if value.__struct_config__.array_like:
        filled = [(getattr(value, field.name), field) for field in fields.values()]
        while filled and not filled[-1][1].required and filled[-1][0] == _default(defaults[filled[-1][1].name]):
            filled.pop()
        return [plain(one, field.kind) for one, field in filled]
    written: dict[str, Plain] = {}
    for field in sorted(fields.values(), key=lambda field: not field.required):
        one = getattr(value, field.name)
        if field.required or one != _default(defaults[field.name]):
            written[field.key] = plain(one, field.kind)
    return written


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def _kinds(value: list[object] | tuple[object, ...], kind: Any) -> list[Any]:
    """The types of the entries of a list."""
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind, include_extras=True)
        return [hints[name] for name in kind._fields]
    arguments = get_args(kind)
    if not arguments:
        return [type(one) for one in value]
    if len(arguments) == 1 or arguments[1] is Ellipsis:
        return [arguments[0]] * len(value)
    return list(arguments)


def _sequence(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple), value
    return value


def _length(value: object) -> Plain:
    assert isinstance(value, int), value
    whole, rest = divmod(abs(value), UNIT)
    sign = "-" if value < 0 else ""
    return int(f"{sign}{whole}") if not rest else Decimal(f"{sign}{whole}.{rest:03}".rstrip("0"))


def _block(value: Plain, indent: int) -> list[str]:
    """The lines of a value, one thing a line."""
    pad = " " * indent
    lines: list[str] = []
    if isinstance(value, dict) and value:
        for key, one in value.items():
            _under(lines, f"{pad}{_scalar(key, flow=True)}:", one, indent + 2)
    elif isinstance(value, list) and value:
        for one in value:
            flow = _flow(one)
            if not isinstance(one, dict | list) or len(flow) + indent + 2 <= WIDTH:
                lines.append(f"{pad}- {flow}")
            else:
                inner = _block(one, indent + 2)
                lines += [f"{pad}- {inner[0][indent + 2 :]}", *inner[1:]]
    else:
        lines.append(pad + _flow(value))
    return lines


def _under(lines: list[str], head: str, value: Plain, indent: int) -> None:
    """Add a key and what stands under it."""
    flow = _flow(value) if isinstance(value, dict | list) else _scalar(value, flow=False)
    nested = isinstance(value, list | dict) and any(isinstance(one, dict) for one in _entries(value))
    if isinstance(value, dict | list) and value and (nested or len(head) + 1 + len(flow) > WIDTH):
        lines.append(head)
        lines += _block(value, indent)
    else:
        lines.append(f"{head} {flow}")


def _entries(value: list[Plain] | dict[str, Plain]) -> list[Plain]:
    return list(value.values()) if isinstance(value, dict) else value


def _flow(value: Plain) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key, flow=True)}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(one) for one in value) + "]"
    return _scalar(value, flow=True)


def _scalar(value: Plain, flow: bool) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return f"{value:f}" if isinstance(value, Decimal) else str(value)
    assert isinstance(value, str)
    bare = _BARE_IN_FLOW if flow else _BARE
    return value if bare.fullmatch(value) and value not in _TAKEN else _quoted(value)


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter == "\n":
        return "\\n"
    if letter.isprintable() and letter != "\ufeff":
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
