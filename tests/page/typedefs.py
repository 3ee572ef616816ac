"""The server's messages as JSDoc typedefs: what `page/js/types.js` holds.

python -m tests.page.typedefs     writes the file anew
"""

import inspect
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as mi

from sandtable.engine.events import AnyEvent
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.shapes import Place, Point, Shape
from sandtable.forces.roster import Offer
from sandtable.server.api import bodies
from sandtable.server.seats.messages import FromPage, ToPage

TYPES = Path(__file__).resolve().parents[2] / "src" / "sandtable" / "page" / "js" / "types.js"

#: Unions that have a name of their own in the page.
UNIONS: dict[str, Any] = {
    "Shape": Shape,
    "Place": Place,
    "AnyEvent": AnyEvent,
    "AnyQuestion": AnyQuestion,
    "FromPage": FromPage,
    "ToPage": ToPage,
}

HEAD = """\
// The server's messages, as it sends and takes them. Written by tests/page/typedefs.py, which also checks it.

/** @typedef {[number, number]} Point */
/** @typedef {number | string | string[]} Value */
"""

_PLAIN: dict[type[Any], str] = {
    mi.IntType: "number",
    mi.FloatType: "number",
    mi.StrType: "string",
    mi.DecimalType: "string",
    mi.BoolType: "boolean",
    mi.NoneType: "null",
    mi.AnyType: "any",
    mi.CustomType: "any",
}


def http_bodies() -> list[type[msgspec.Struct]]:
    """Every struct that goes over HTTP, in the order of the file; an offer of rosters is the forces' own."""
    found = [value for value in vars(bodies).values() if inspect.isclass(value) and issubclass(value, msgspec.Struct)]
    return [*(struct for struct in found if struct.__module__ == bodies.__name__), Offer]


class _Writer:
    """Collects every struct that is reached."""

    def __init__(self) -> None:
        self.structs: dict[str, mi.StructType] = {}
        self.said: set[str] = set()
        self.names = {frozenset(one.__name__ for one in union.__args__): name for name, union in UNIONS.items()}

    def words(self, kind: mi.Type) -> str:
        """A type as TypeScript writes it."""
        if isinstance(kind, mi.Metadata):
            return self.words(kind.type)
        if type(kind) in _PLAIN:
            return _PLAIN[type(kind)]
        if isinstance(kind, mi.LiteralType):
            return " | ".join(f'"{value}"' for value in kind.values)
        if isinstance(kind, mi.NamedTupleType):
            return "Point" if kind.cls is Point else "any[]"
        if isinstance(kind, mi.StructType):
            return self.struct(kind)
        if isinstance(kind, mi.DictType):
            return f"Record<string, {self.words(kind.value_type)}>"
        if isinstance(kind, mi.TupleType):
            return f"[{', '.join(self.words(one) for one in kind.item_types)}]"
        if isinstance(kind, mi.VarTupleType | mi.ListType):
            inner = self.words(kind.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if isinstance(kind, mi.UnionType):
            return self.union(kind)
        raise TypeError(f"{kind!r} has no words yet")

    def union(self, kind: mi.UnionType) -> str:
        """A union: by its name, where it has one."""
        structs = [one for one in kind.types if isinstance(one, mi.StructType)]
        others = [one for one in kind.types if not isinstance(one, mi.StructType)]
        for one in structs:
            self.struct(one)
        name = self.names.get(frozenset(one.cls.__name__ for one in structs))
        words = [name] if name else [self.struct(one) for one in structs]
        return " | ".join(dict.fromkeys([*words, *(self.words(one) for one in others)]))

    def struct(self, kind: mi.StructType) -> str:
        """A struct by its name; it is written once."""
        name = kind.cls.__name__
        if name not in self.structs:
            self.structs[name] = kind
            for field in kind.fields:
                self.words(field.type)
        return name

    def typedef(self, kind: mi.StructType) -> str:
        """One typedef. What has a default may be left out of what is said, and is left out of events."""
        if kind.array_like:
            inside = ", ".join(f"{field.encode_name}: {self.words(field.type)}" for field in kind.fields)
            return f"/** @typedef {{[{inside}]}} {kind.cls.__name__} */"
        lean = kind.cls.__struct_config__.omit_defaults or kind.cls.__struct_config__.forbid_unknown_fields
        fields = [f"{kind.tag_field}: {_quoted(kind.tag)}"] if kind.tag_field else []
        for field in kind.fields:
            mark = "?" if lean and not field.required else ""
            fields.append(f"{field.encode_name}{mark}: {self.words(field.type)}")
        return f"/** @typedef {{{{{', '.join(fields)}}}}} {kind.cls.__name__} */"


def _quoted(tag: Any) -> str:
    return f'"{tag}"' if isinstance(tag, str) else str(tag)


def typedefs() -> str:
    """The whole file."""
    writer = _Writer()
    for kind in mi.multi_type_info([*UNIONS.values(), *http_bodies()]):
        writer.words(kind)
    lines = [writer.typedef(kind) for kind in writer.structs.values()]
    for name, union in UNIONS.items():
        lines.append(f"/** @typedef {{{' | '.join(one.__name__ for one in union.__args__)}}} {name} */")
    return HEAD + "\n".join(lines) + "\n\nexport {};\n"


if __name__ == "__main__":
    TYPES.write_text(typedefs(), encoding="utf-8")
