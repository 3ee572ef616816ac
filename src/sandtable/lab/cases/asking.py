"""Values of the rules that a case asks for, with every wrong word in what it asks told."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

from sandtable.engine.table import Table
from sandtable.forces.data import Data, Path
from sandtable.forces.files import FileError, nearest
from sandtable.lab.cases.known_words import KnownWords
from sandtable.tabletop.case_words import CaseWords

#: How a reader of a value takes a part of what is asked.
_READS = ("at", "text_at", "texts", "number", "numbers", "length", "inches", "flag", "has", "items", "table", "read")


def asked_value(words: CaseWords, known: KnownWords, table: Table, ask: Data) -> tuple[str, object]:
    """The name of a value and what the rules give for it; whatever is said beside it must be read."""
    names = ask.names() if isinstance(ask.node.value, dict) else ()
    if len(names) != 1 or names[0] not in words.values:
        found = f"`{names[0]}` is no value" if names else "it is not said which value"
        raise ask.fail(found, nearest(names[0] if names else "", words.values))
    name = names[0]
    read: list[Path] = []
    asked = Data(ask.at(name).node, ask.file, type(ask.fail("", "")), read.append)
    try:
        value = words.values[name](table, asked)
    except FileError:
        raise
    except Exception as problem:  # whatever breaks for a wrong word is a wrong word; anything else goes on as it is
        wrong = _unknown(name, asked, words.values[name], known, table, sure=isinstance(problem, KeyError))
        if wrong is None:
            raise
        raise wrong from None
    if isinstance(asked.node.value, dict):
        keys = {path[0] for path in read if path}
        for key in asked.names():
            if key not in keys and asked.at(key).node.value not in ({}, [], None):
                raise asked.fail(f"`{name}` does not look at `{key}`", nearest(key, keys_of(words.values[name])), key)
    return name, value


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
        remedy = nearest(word, [*table.things, *listed, *texts_of(reader)])
        return asked.fail(f"`{name}` knows no `{word}`", remedy, *path)
    return None


def keys_of(reader: Callable[..., Any]) -> tuple[str, ...]:
    """The keys that the reader of a value looks for in what is asked, in order."""
    return _looked_at(reader)[0]


def texts_of(reader: Callable[..., Any]) -> tuple[str, ...]:
    """Every word that stands in the reader of a value."""
    return _looked_at(reader)[1]


@cache
def _looked_at(reader: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(reader)).strip().rstrip(","))
    except (OSError, TypeError, SyntaxError):
        return (), ()
    keys: dict[str, None] = {}
    texts: dict[str, None] = {}
    module = inspect.getmodule(reader)
    for node in _nodes(tree):
        if isinstance(node, ast.Call):
            words = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if isinstance(node.func, ast.Attribute) and node.func.attr in _READS:
                keys.update(dict.fromkeys(words[:1]))
            elif isinstance(node.func, ast.Name):  # another reader that is given the whole of what is asked
                helper = getattr(module, node.func.id, None)
                given = any(isinstance(one, ast.Name) and one.id == "asked" for one in node.args)
                if inspect.isfunction(helper) and given and helper is not reader:
                    below = _looked_at(helper)
                    keys.update(dict.fromkeys((*words[:1], *below[0])))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts[node.value] = None
    return tuple(keys), tuple(texts)


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """The nodes of a tree in the order they are written."""
    found = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
