"""A number stands in one place: how a catalogue or scenario file refers to a number of the ledger.

Wherever a value may stand in such a file, `{rule: ID, at: PATH}` stands for what that rule's data holds at that path.
The path is one key or a list of keys and numbers.
"""

from sandtable.forces.data import Data, Step
from sandtable.forces.files import FileError, Node
from sandtable.forces.ledger import Ledger


def resolved(node: Node, book: Ledger, file: str, error: type[FileError], own: Data | None = None) -> Node:
    """The node with every reference replaced by what it refers to.

    A reference without `rule` refers to the card's own numbers (`own`), where there are any.
    """
    if isinstance(node.value, list):
        return Node([resolved(one, book, file, error, own) for one in node.value], node.line)
    if not isinstance(node.value, dict):
        return node
    keys = set(node.value)
    if keys == {"rule", "at"} or (keys == {"at"} and own is not None):
        return Node(_target(node, book, file, error, own).value, node.line)
    return Node({key: resolved(one, book, file, error, own) for key, one in node.value.items()}, node.line)


def path_of(node: Node, file: str, error: type[FileError]) -> tuple[Step, ...]:
    """The path that stands under `at`: one key, or a list of them."""
    steps = node.value if isinstance(node.value, list) else [node]
    path: list[Step] = []
    for step in steps:
        if isinstance(step.value, bool) or not isinstance(step.value, str | int):
            raise error(file, step.line, "the path under `at` is not clear", "a key, or a list of keys, would do")
        path.append(step.value)
    return tuple(path)


def _target(node: Node, book: Ledger, file: str, error: type[FileError], own: Data | None) -> Node:
    name, at = node.child("rule"), node.child("at")
    assert at is not None
    source = own
    if name is not None:
        found = book.rules.get(name.value) if isinstance(name.value, str) else None
        if found is None:
            raise error(file, node.line, f"there is no rule `{name.value}`", book.nearest(str(name.value)))
        source = found
    assert source is not None
    path = path_of(at, file, error)
    try:
        part = source.at(*path)
    except FileError as problem:
        raise error(file, node.line, problem.found, problem.remedy) from None
    for below, _ in part.leaves():
        part.scalar(*below)
    return part.node
