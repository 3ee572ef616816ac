"""The one way the project reads a YAML file that may come from outside.

A file is read into nodes that know their line. What could hurt or mislead is refused with file, line and what would
do: a file too large, too deep or not in UTF-8, anchors and aliases, tags, a key that stands twice. Plain scalars are
read as a player means them: `null`, `true` and `false`, whole numbers, decimals (exactly, never through a float), and
everything else is text: `on`, `NA`, `1d6`, `10+`.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
import yaml

#: Limits of a file. The largest ledger chapter has 71 kB, 5 levels and about 3,000 nodes.
MAX_BYTES = 2_000_000
MAX_DEPTH = 40
MAX_NODES = 250_000

_PACKAGE = Path(__file__).parents[1]

Scalar = bool | int | Decimal | str | None

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,15}(\.[0-9]{1,15})?|(\.[0-9]{1,15}))")
_WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}


class FileError(Exception):
    """A file is wrong: where, what was found, what would do.

    >>> str(FileError("duel.yaml", 7, "unknown key `with`", "did you mean `width`?"))
    'duel.yaml:7: unknown key `with`; did you mean `width`?'
    """

    def __init__(self, file: str, line: int, found: str, remedy: str) -> None:
        self.file = file
        self.line = line
        self.found = found
        self.remedy = remedy
        super().__init__(f"{file}:{line}: {found}; {remedy}" if line else f"{file}: {found}; {remedy}")


class LedgerError(FileError):
    """A rule ledger is wrong, or a rule is asked for what its entry does not hold."""


class CatalogueError(FileError):
    """A catalogue file is wrong."""


class RosterError(FileError):
    """A roster file is wrong."""


class ScenarioError(FileError):
    """A scenario file is wrong."""


class CaseError(FileError):
    """A conformance case is wrong."""


class Node(msgspec.Struct, frozen=True, eq=False):
    """A value of a file and its line; a value under a key has the line of the key."""

    value: "Scalar | list[Node] | dict[str, Node]"
    line: int = 0

    def child(self, step: str | int) -> "Node | None":
        """The node one step down, by key or by number; none where there is none."""
        if isinstance(self.value, dict):
            return self.value.get(str(step))
        if isinstance(self.value, list) and isinstance(step, int) and 0 <= step < len(self.value):
            return self.value[step]
        return None

    def children(self) -> "Iterator[tuple[str | int, Node]]":
        """The nodes one step down, each with its key or number."""
        if isinstance(self.value, dict):
            yield from self.value.items()
        elif isinstance(self.value, list):
            yield from enumerate(self.value)

    def leaves(self, path: "tuple[str | int, ...]" = ()) -> "Iterator[tuple[tuple[str | int, ...], Node]]":
        """Every scalar below, with its path."""
        if isinstance(self.value, dict | list):
            for step, node in self.children():
                yield from node.leaves((*path, step))
        else:
            yield path, self

    def line_of(self, *path: str | int) -> int:
        """The line of what stands at a path; where the path ends early, the last line on the way.

        >>> read_text("a: 1\\nb:\\n- x\\n- y", "it").line_of("b", 1)
        4
        """
        node = self
        for step in path:
            below = node.child(step)
            if below is None:
                break
            node = below
        return node.line


def described(node: Node) -> str:
    """What was found, in a few words.

    >>> described(Node("over-watch")), described(Node([])), described(Node(None)), described(Node(Decimal("1.50")))
    ('the text `over-watch`', 'an empty list', 'nothing', 'the number 1.50')
    """
    value = node.value
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int | Decimal):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text `{value if len(value) <= 40 else value[:39] + '…'}`"
    if not value:
        return "an empty list" if isinstance(value, list) else "an empty mapping"
    return "a list" if isinstance(value, list) else "a mapping with the key `" + next(iter(value)) + "`"


def nearest(word: str, words: Iterable[str]) -> str:
    """The sentence that helps: the nearest right word, or all of them when they are few.

    >>> nearest("facin", ["at", "facing"]), nearest("xyz", ["at", "facing"]), nearest("a", [])
    ('did you mean `facing`?', 'it may be `at` or `facing`', 'leave it out')
    >>> nearest("ap", ["AP", "MV"]), nearest("range-band", ["band", "arc"])
    ('did you mean `AP`?', 'did you mean `band`?')
    """
    known = list(dict.fromkeys(words))
    folded = {one.casefold(): one for one in reversed(known)}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.6) or _sharing(word, folded)
    if close:
        return f"did you mean {' or '.join(f'`{folded[one]}`' for one in close)}?"
    if not known:
        return "leave it out"
    shown = [f"`{one}`" for one in known[:12]]
    if len(known) > len(shown):
        return f"it may be {', '.join(shown)} or one of {len(known) - len(shown)} others"
    return "it may be " + " or ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _sharing(word: str, known: Iterable[str]) -> list[str]:
    """The words that have a part in common with a word, where they are few: `band` with `range-band`."""
    parts = {part[:4] for part in re.split(r"[\W_]+", word.casefold()) if len(part) > 2}
    found = [one for one in known if parts & {part[:4] for part in re.split(r"[\W_]+", one)}]
    return sorted(found) if len(found) <= 3 else []


def shown(path: Path | Traversable) -> str:
    """A path as messages name it: files of the package itself are named from the package on."""
    if isinstance(path, Path) and path.is_relative_to(_PACKAGE):
        return path.relative_to(_PACKAGE).as_posix()
    return str(path)


def read_file(path: Path | Traversable, error: type[FileError] = FileError) -> Node:
    """Read a YAML file into nodes that know their lines."""
    name = shown(path)
    try:
        if not path.is_file():
            raise error(name, 0, "no such file" if not path.is_dir() else "this is a folder", "give the path of a file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:
        raise error(name, 0, f"the file cannot be read ({problem})", "give a file that can be") from None
    return read_text(content, name, error)


def read_text(content: str | bytes, name: str, error: type[FileError] = FileError) -> Node:
    """Read YAML text into nodes that know their lines; errors call it by its name.

    >>> read_text("{speed: 1.5, on: [NA]}", "it").child("speed").value
    Decimal('1.5')
    >>> read_text("a: 1\\na: 2", "it")
    Traceback (most recent call last):
    ...
    sandtable.forces.files.FileError: it:2: the key `a` stands twice, first in line 1; keep one of them
    """
    return _Builder(name, error).read(content)


class _Builder:
    """Builds the nodes of one file from the parser's events, without recursion."""

    def __init__(self, name: str, error: type[FileError]) -> None:
        self.name = name
        self.error = error
        self.nodes = 0

    def fail(self, line: int, found: str, remedy: str) -> FileError:
        return self.error(self.name, line, found, remedy)

    def text(self, content: str | bytes) -> str:
        data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
        if len(data) > MAX_BYTES:
            raise self.fail(1, f"the file has more than {MAX_BYTES:,} bytes", "divide it into smaller files")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            line = data.count(b"\n", 0, problem.start) + 1
            raise self.fail(line, "the file is not UTF-8 text", "save it as UTF-8") from None

    def read(self, content: str | bytes) -> Node:
        text = self.text(content)
        try:
            return self.build(yaml.parse(text, Loader=_Loader))
        except yaml.YAMLError as problem:
            raise self.not_yaml(text, problem) from None

    def not_yaml(self, text: str, problem: yaml.YAMLError) -> FileError:
        mark = getattr(problem, "problem_mark", None) or getattr(problem, "context_mark", None)
        if mark is not None:
            what = getattr(problem, "problem", None) or getattr(problem, "context", None) or "it cannot be read"
            # A message of the parser may quote the character it stumbled over: keep it to one line.
            return self.fail(mark.line + 1, f"this is not YAML ({' '.join(str(what).split())})", "mend the line")
        position = getattr(problem, "position", 0)
        line = text.encode()[: position if isinstance(position, int) else 0].count(b"\n") + 1
        return self.fail(line, "this is not YAML (a character that YAML does not allow)", "remove the character")

    def build(self, events: Iterable[yaml.Event]) -> Node:
        root: Node | None = None
        stack: list[_Open] = []
        for event in events:
            if isinstance(event, yaml.AliasEvent):
                raise self.fail(_line(event), f"the alias `*{event.anchor}`", "write out what it stands for")
            if isinstance(event, yaml.CollectionEndEvent):
                done = stack.pop()
                if not stack:
                    root = done.node
            elif isinstance(event, yaml.NodeEvent):
                line = _line(event)
                node = self.node(event, line)
                if stack:
                    node = self.put(stack[-1], node)
                elif isinstance(event, yaml.ScalarEvent):
                    root = node
                if isinstance(event, yaml.CollectionStartEvent):
                    if len(stack) == MAX_DEPTH:
                        raise self.fail(line, f"more than {MAX_DEPTH} levels of nesting", "nest less")
                    stack.append(_Open(node))
            elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise self.fail(_line(event), "a second document", "keep one document a file")
        return root if root is not None else Node(None, 1)

    def node(self, event: yaml.NodeEvent, line: int) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fail(line, f"more than {MAX_NODES:,} values", "divide the file into smaller ones")
        if event.anchor is not None:
            raise self.fail(line, f"the anchor `&{event.anchor}`", "write the value out wherever it is needed")
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise self.fail(line, f"the tag `{tag}`", "write the plain value")
        if isinstance(event, yaml.ScalarEvent):
            return Node(_scalar(event.value) if event.implicit[0] else event.value, line)
        return Node({} if isinstance(event, yaml.MappingStartEvent) else [], line)

    def put(self, into: "_Open", node: Node) -> Node:
        """Put a node into the open collection; what comes back has the line of its key."""
        value = into.node.value
        if isinstance(value, list):
            value.append(node)
            return node
        assert isinstance(value, dict)
        if not into.line_of_key:
            if isinstance(node.value, dict | list):
                raise self.fail(node.line, "a list or mapping as a key", "use a word or a number as the key")
            into.key, into.line_of_key = _text(node.value), node.line
            if into.key in value:
                first = value[into.key].line
                raise self.fail(
                    node.line, f"the key `{into.key}` stands twice, first in line {first}", "keep one of them"
                )
            return node
        node = Node(node.value, into.line_of_key)
        value[into.key] = node
        into.line_of_key = 0
        return node


class _Open:
    """A list or mapping still being filled, and the key that waits for its value."""

    __slots__ = ("key", "line_of_key", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.key = ""
        self.line_of_key = 0


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1


def _scalar(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text
    return int(text) if number.lastindex is None else Decimal(text)


def _text(value: object) -> str:
    """A key as text: numbers as they are said, so that 3 and `3` are one key."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
