"""The ledger as pages for the terminal: one rule in full, or a list of those that fit."""

import shutil
import textwrap
from collections.abc import Sequence

from sandtable.cli.problems import UsageError
from sandtable.forces.files import Node, nearest
from sandtable.forces.ledger import Ledger, Rule, ledger, systems

#: How many rules a list shows in full lines before it only counts the rest.
MOST_LISTED = 60


def show_rules(first: str, query: Sequence[str]) -> int:
    """Print the rule of that id, or the list of rules that fit the words."""
    books, words = _asked(first, query)
    if len(words) == 1:
        for book in books:
            if words[0] in book.rules:
                print(page(book.rules[words[0]]))
                return 0
    if not words:
        for book in books:
            print(contents(book))
        return 0
    found = [one for book in books for one in book.search(" ".join(words))]
    if not found:
        found_not = f"no rule of {first} fits" if first in systems() else "no ruleset and no rule is called"
        known = [*systems(), *(rule_id for book in books for rule_id in book.rules)]
        raise UsageError(f"{found_not} `{' '.join(words)}`; {nearest(words[0], known)}")
    if len(found) == 1:
        print(page(found[0]))
        return 0
    print(listing(found))
    return 0


def _asked(first: str, query: Sequence[str]) -> tuple[list[Ledger], list[str]]:
    """The ledgers to look in and the words to look for; the first word may be a ruleset, an id or just a word."""
    known = systems()
    if first in known:
        return [ledger(first)], list(query)
    words = [first, *query] if first else list(query)
    system = first.partition(".")[0]
    if system in known:
        return [ledger(system)], words
    return [ledger(name) for name in known], words


def page(rule: Rule, width: int = 0) -> str:
    """A rule in full: title, words, numbers, examples and ruling.

    >>> first = next(iter(ledger(systems()[0]).rules.values()))
    >>> page(first, 80).splitlines()[1] == first.title
    True
    """
    width = width or min(shutil.get_terminal_size().columns, 100)
    parts = [f"{rule.id}  ({rule.kind})\n{rule.title}", wrapped(rule.text, width)]
    if rule.node.value:
        parts.append("data\n" + "\n".join(data_lines(rule.node, "  ")))
    for example in rule.examples:
        sentence = f"Given {example.given}, when {example.when}, then {example.then}"
        parts.append("example\n" + wrapped(sentence, width))
    if rule.ruling:
        parts.append("ruling\n" + wrapped(rule.ruling, width))
    parts.append(f"{rule.file}")
    return "\n\n".join(parts)


def data_lines(node: Node, indent: str = "") -> list[str]:
    """The data of a rule, one value a line; lists and mappings of single values stand on one line.

    >>> from sandtable.forces.files import read_text
    >>> data_lines(read_text("{ap: 2, rows: {a: [1, 2], b: [3]}}", "it"))
    ['ap: 2', 'rows:', '  a: [1, 2]', '  b: [3]']
    """
    if not isinstance(node.value, dict | list):
        return [indent + _scalar(node)]
    lines: list[str] = []
    for step, below in node.children():
        head = f"{indent}{step}:" if isinstance(node.value, dict) else f"{indent}-"
        if _flat(below):
            lines.append(f"{head} {_inline(below)}")
        else:
            lines += [head, *data_lines(below, indent + "  ")]
    return lines


def _flat(node: Node) -> bool:
    if not isinstance(node.value, dict | list):
        return True
    if isinstance(node.value, dict) and len(node.value) > 6:
        return False
    return all(not isinstance(below.value, dict | list) for _, below in node.children())


def _inline(node: Node) -> str:
    if isinstance(node.value, list):
        return "[" + ", ".join(_scalar(below) for _, below in node.children()) + "]"
    if isinstance(node.value, dict):
        return ", ".join(f"{step} {_scalar(below)}" for step, below in node.children())
    return _scalar(node)


def _scalar(node: Node) -> str:
    value = node.value
    return "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def listing(rules: Sequence[Rule]) -> str:
    """Some rules, one a line: id and title.

    >>> print(listing([]))
    <BLANKLINE>
    """
    wide = max((len(rule.id) for rule in rules[:MOST_LISTED]), default=0)
    lines = [f"{rule.id.ljust(wide)}  {rule.title}" for rule in rules[:MOST_LISTED]]
    if len(rules) > MOST_LISTED:
        lines.append(f"and {len(rules) - MOST_LISTED} more; add a word to narrow the search")
    return "\n".join(lines)


def contents(book: Ledger) -> str:
    """The table of contents of a ledger: its chapters with their rules."""
    chapters: dict[str, list[Rule]] = {}
    for rule in book.rules.values():
        chapters.setdefault(rule.chapter, []).append(rule)
    lines = [f"{book.system}: {len(book.rules)} rules in {len(chapters)} chapters"]
    for chapter, rules in chapters.items():
        lines += ["", chapter, *(f"  {rule.id.rpartition('.')[2]}: {rule.title}" for rule in rules)]
    return "\n".join(lines)


def wrapped(text: str, width: int, indent: str = "  ") -> str:
    """Text in lines of a width, indented.

    >>> print(wrapped("one two", 7))
      one
      two
    """
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
