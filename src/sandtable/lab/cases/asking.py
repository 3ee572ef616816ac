"""Values of the rules that a case asks for, with every wrong word in what it asks told."""

import ast
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice, product
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from sandtable.engine.table import Table
from sandtable.forces.data import Data, Note, Path
from sandtable.forces.files import FileError, Node, nearest
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.matching import loose
from sandtable.tabletop.case_words import CaseWords

#: How what is asked is written where it has no keys.
_ALONE = {
    "text_at": "WORD",
    "texts": "[WORD, …]",
    "number": "NUMBER",
    "numbers": "[NUMBER, …]",
    "length": "LENGTH",
    "fraction": "NUMBER",
    "flag": "true",
}

#: How a reader of a value takes a part of what is asked.
_READS = (
    "at",
    "text_at",
    "texts",
    "number",
    "numbers",
    "length",
    "inches",
    "flag",
    "has",
    "items",
    "table",
    "read",
    "fraction",
    "point",
)


def asked_value(words: CaseWords, known: KnownWords, table: Table, ask: Data) -> tuple[str, object]:
    """The name of a value and what the rules give for it; whatever is said beside it must be read."""
    if isinstance(ask.node.value, str):  # a value of which nothing is said: `ask: quiet-turns`
        ask = ask.renamed({ask.node.value: Node(None, ask.line)})
    names = ask.names() if isinstance(ask.node.value, dict) else ()
    for name in names:
        if name not in words.values:
            raise ask.fail(f"`{name}` is no value", nearest(name, words.values), name)
    if len(names) != 1:
        found = "several values are asked for at once" if names else "it is not said which value"
        raise ask.fail(found, "make a step for each" if names else nearest("", words.values))
    name, reader = names[0], words.values[names[0]]
    read: list[Path] = []
    asked = Data(ask.at(name).node, ask.file, type(ask.fail("", "")), read.append)
    try:
        value = _worked_out(reader, table, asked, known, read.append)
    except FileError as problem:
        if problem.file == ask.file:
            raise _unasked(name, asked, reader) or problem from None
        raise asked.fail(problem.found, problem.remedy) from None  # a rule does not know what the case asks it for
    except Exception as problem:  # whatever breaks for a wrong word is a wrong word; anything else goes on as it is
        wrong = _unknown(name, asked, reader, known, table, sure=isinstance(problem, KeyError))
        if wrong is None and "unpack" in str(problem):  # a list of three where two are meant
            wrong = asked.fail(f"`{name}` is asked for in another way", _how(reader))
        if wrong is None:
            raise
        raise wrong from None
    if isinstance(asked.node.value, dict):
        keys = {path[0] for path in read if path}
        for key in asked.names():
            if key not in keys and asked.at(key).node.value not in ({}, [], None):
                raise asked.fail(f"`{name}` does not look at `{key}`", nearest(key, taken(reader).keys), key)
    return name, value


#: The words that what is asked may spell as players do: `Medium MAC` is `medium-mac`.
_SPELT = ("weapons", "models", "terrain", "actions", "states", "counts")
#: Of many words together so many spellings are tried.
MOST_SPELLINGS = 256


def _worked_out(reader: Callable[..., Any], table: Table, asked: Data, known: KnownWords, note: Note) -> object:
    """What a reader makes of what is asked; of what it does not know as it is written, what is spelt otherwise.

    The rules have words of several spellings: `power_armour`, `light-wood`, `hard cover`."""
    try:
        return reader(table, asked)
    except Exception:
        texts = [(path, node) for path, node in asked.leaves() if isinstance(node.value, str)]
        spellings = product(*(_spellings(str(node.value), reader, known, table) for _, node in texts))
        for spelt in islice(spellings, MOST_SPELLINGS):
            others = {path: word for (path, _), word in zip(texts, spelt, strict=True)}
            with suppress(Exception):
                return reader(table, Data(_respelt(asked.node, others), asked.file, FileError, note))
        raise


def _spellings(word: str, reader: Callable[..., Any], known: KnownWords, table: Table) -> tuple[str, ...]:
    """How a word may be spelt: as the ruleset lists it, or in any of three ways; the name of a thing as it is."""
    if word in table.things or any(word == piece.id for piece in table.ground.pieces):
        return (word,)
    listed = [*table.things, *(one for some in _SPELT for one in known.listed.get(some, ())), *taken(reader).texts]
    alike = [str(one) for one in listed if loose(str(one)) == loose(word)]
    return tuple(dict.fromkeys((word, *alike, *(between.join(loose(word).split()) for between in "_- "))))


def _respelt(node: Node, words: Mapping[Path, str], path: Path = ()) -> Node:
    """A part of a file with other words at some paths."""
    if isinstance(node.value, dict):
        below = {key: _respelt(one, words, (*path, key)) for key, one in node.value.items()}
        return Node(below, node.line)
    if isinstance(node.value, list):
        return Node([_respelt(one, words, (*path, n)) for n, one in enumerate(node.value)], node.line)
    return Node(words.get(path, node.value), node.line)


def _unasked(name: str, asked: Data, reader: Callable[..., Any]) -> FileError | None:
    """What is wrong with the keys that a value was asked with, where it could not be read: one it has not, or none."""
    keys = taken(reader).keys
    said = asked.names() if isinstance(asked.node.value, dict) else ()
    strange = next((key for key in said if keys and key not in keys), None)
    if strange is not None:
        return asked.fail(f"`{name}` does not look at `{strange}`", nearest(strange, keys), strange)
    left = [key for key in keys if key not in said]
    if not keys or not left or (asked.node.value is not None and not said):
        return None
    return asked.fail(f"`{name}` needs to know more", f"say {' or '.join(f'`{key}`' for key in left)} too")


def _how(reader: Callable[..., Any]) -> str:
    """How a value is asked for, in a sentence."""
    form = taken(reader)
    return form.meaning or f"say {form.alone or ', '.join(form.keys)}"


def _unknown(
    name: str, asked: Data, reader: Callable[..., Any], known: KnownWords, table: Table, *, sure: bool
) -> FileError | None:
    """What is wrong with the words of a value that could not be worked out: the first that nothing is called.

    With `sure` a word must be wrong: then one is told that is called so elsewhere, but not here."""
    leaves = [(path, str(node.value)) for path, node in asked.leaves() if isinstance(node.value, str)]
    away = [(path, word) for path, word in leaves if word not in table.things]
    wrong = [(path, word) for path, word in away if not known.is_name(word, table)]
    for path, word in (wrong or (away if sure else ()))[:1]:
        listed = [one for section in ("weapons", "models", "terrain") for one in known.listed.get(section, ())]
        here = [one for one in (*table.things, *taken(reader).texts) if one != word]
        remedy = nearest(word, here if word in listed else [*here, *listed])
        return asked.fail(f"`{name}` knows no `{word}`", remedy, *path)
    return None


class Taken(NamedTuple):
    """What the reader of a value takes: its keys in order, how it is written without any, the words that stand in it,
    what it is, and which words it chooses from."""

    keys: tuple[str, ...] = ()
    alone: str = ""
    texts: tuple[str, ...] = ()
    meaning: str = ""
    choices: tuple[str, ...] = ()


@cache
def taken(reader: Callable[..., Any]) -> Taken:
    """What the reader of a value takes, as its source tells."""
    node, module = _node_of(reader), inspect.getmodule(reader)
    if node is None:
        return Taken(meaning=_first_line(reader))
    name = node.args.args[-1].arg if node.args.args else "asked"
    keys: dict[str, None] = {}
    texts: dict[str, None] = {}
    alone = ""
    for part in _nodes(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            texts[part.value] = None
        if not isinstance(part, ast.Call):
            continue
        words = [one.value for one in part.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if isinstance(part.func, ast.Attribute) and part.func.attr in _READS and _is(part.func.value, name):
            keys.update(dict.fromkeys(words[:1]))
            alone = alone or (_ALONE.get(part.func.attr, "") if not part.args else "")
        elif isinstance(part.func, ast.Name) and any(_is(one, name) for one in part.args):
            helper = getattr(module, part.func.id, None)  # another reader that is given the whole of what is asked
            if inspect.isfunction(helper) and helper is not reader:
                below = taken(helper)
                keys.update(dict.fromkeys((*words[:1], *below.keys)))
                alone = alone or below.alone
    tables = [part for part in _nodes(node) if isinstance(part, ast.Dict)] if {"value", "row"} & set(keys) else []
    choices = [key.value for one in tables for key in one.keys if isinstance(key, ast.Constant)]
    meaning = _first_line(reader) or _of_called(node, module)
    return Taken(tuple(keys), alone, tuple(texts), meaning, tuple(dict.fromkeys(map(str, choices))))


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _first_line(reader: object) -> str:
    named = getattr(reader, "__name__", "<lambda>") != "<lambda>"
    return (inspect.getdoc(reader) or "").partition("\n")[0] if named else ""


def _of_called(node: ast.FunctionDef | ast.Lambda, module: object) -> str:
    """What the rules' function is that a reader hands on to: the outermost it calls that says so."""
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    for part in (inner for one in body for inner in ast.walk(one)):
        found = (
            getattr(module, part.func.id, None)
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
            else None
        )
        if inspect.isfunction(found) and not found.__name__.startswith("_") and inspect.getdoc(found):
            return _first_line(found)
    return ""


def _node_of(reader: Callable[..., Any]) -> ast.FunctionDef | ast.Lambda | None:
    """The function or lambda that a reader is, in the source of its module."""
    code = getattr(reader, "__code__", None)
    if code is None:
        return None
    found = [
        node
        for node in ast.walk(_tree(code.co_filename))
        if isinstance(node, ast.FunctionDef | ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    return found[0] if found else None


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(FilePath(file).read_text(encoding="utf-8"))


def _nodes(tree: ast.AST) -> list[ast.expr]:
    """The expressions of a tree in the order they are written."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))
