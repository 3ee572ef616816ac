"""Damage: what may happen to a text on its way, and what somebody may do to it on purpose."""

import random
import re
from collections.abc import Callable, Sequence

#: Values that were trouble somewhere, once.
ODD = (
    *("1099511627776", "-1", "0", "99999999999999999999", "1e309", "0x10", "1_000", "9" * 400, "-0", "1.0000", ".5"),
    *(
        "null",
        "true",
        "''",
        '"\\e[2J"',
        '"\\0"',
        "~",
        "[]",
        "{}",
        "[[[[[[]]]]]]",
        "*a",
        "&a b",
        "!!python/object:os.system x",
    ),
    *("99d99", "1d0", "size", "random", "\u202eabc", "\x85", "x" * 5000, "- - - - -", "{a: {b: {c: {d: {e: f}}}}}"),
)
NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?!\w)")
WORD = re.compile(r"[A-Za-z][\w-]{2,}")


def _number(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """A number becomes another, or something odd."""
    return _instead(text, chance, NUMBER, chance.choice((*ODD, str(chance.randrange(-(10**6), 10**6)))))


def _word(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """A word becomes another of the text, or something odd."""
    words = WORD.findall(text) or ["x"]
    return _instead(text, chance, WORD, chance.choice((*ODD, *words)))


def _instead(text: str, chance: random.Random, what: re.Pattern[str], new: str) -> str:
    places = list(what.finditer(text))
    if not places:
        return text + new
    at = chance.choice(places)
    return text[: at.start()] + new + text[at.end() :]


def _letter(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """A letter is lost, doubled or another."""
    at = chance.randrange(len(text) + 1)
    new = chance.choice(
        ["", text[at : at + 1] * 2, chr(chance.choice([0, 10, 27, 34, 58, 92, 123, 133, 0x202E, 0xFEFF, 0x1F600]))]
    )
    return text[:at] + new + text[at + 1 :]


def _line(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """A line is lost, doubled, moved, indented, or comes from another text."""
    lines = text.splitlines(keepends=True) or [""]
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = "  " + lines[at]
        case _:
            lines.insert(
                at, chance.choice((chance.choice(others) if others else text).splitlines(keepends=True) or [""])
            )
    return "".join(lines)


def _cut(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """The text ends early, or goes on as another."""
    at = chance.randrange(len(text) + 1)
    other = chance.choice(others) if others and chance.random() < 0.5 else ""
    return text[:at] + other[chance.randrange(len(other) + 1) :]


def _swollen(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """A stretch stands there many times."""
    at = chance.randrange(len(text) + 1)
    stretch = text[at : at + chance.randrange(1, 60)]
    return text[:at] + stretch * chance.choice([2, 50, 1000]) + text[at:]


WAYS: tuple[Callable[[str, random.Random, Sequence[str]], str], ...] = (
    *(_number, _number, _number, _word, _word, _letter, _line, _cut, _swollen),
)


def damaged(text: str, chance: random.Random, others: Sequence[str] = ()) -> str:
    """A text with one to four kinds of damage; never longer than a server would read."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        text = chance.choice(WAYS)(text, chance, others)[:400_000]
    return text
