"""Answers as they are typed: numbers of options, coordinates, legs of a path.

Nothing here knows a ruleset. A typed line becomes a draft; whether it is lawful is for the judge to say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    React,
)
from sandtable.engine.shapes import UNIT

#: Words that decline, where something can be declined and no option is called so.
PASSING = ("p", "pass", "decline", "stay")

#: Labels of things → ids, so that a thing may be called as the table calls it.
Names = Mapping[str, str]


class Unreadable(ValueError):
    """What was typed is not an answer to this question; the text says what would be."""


def read(question: AnyQuestion, text: str, names: Names | None = None) -> Any:
    """The draft that a typed line is; `Unreadable` where it is none.

    >>> read(MoveModels("red", "Walk", models=("A",)), "right 30 4")
    {'A': {'legs': [{'by': 'leg', 'turn': 30, 'go': 4000}], 'marks': {}}}
    """
    line = text.strip()
    can_decline = question.decline or question.default is not None
    if line.lower() in PASSING and can_decline and not _is_option(question, line.lower()):
        return None
    if line.lower() == "stay" and isinstance(question, MoveModels):
        return {}
    reader: Callable[[Any, str, Names], Any] = _READERS[type(question)]
    return reader(question, line, names or {})


def _is_option(question: AnyQuestion, word: str) -> bool:
    """Whether an open option is called exactly so."""
    return word != "p" and any(
        word in (option.id.lower(), option.label.lower()) and not getattr(option, "refused", "")
        for option in getattr(question, "options", ())
    )


def _pick(options: Sequence[Any], word: str) -> str:
    """The option of a number, an id or the beginning of a label."""
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(options):
        return str(options[int(word) - 1].id)
    ids = [option.id for option in options if option.id.lower() == word.lower()]
    begin = [option.id for option in options if (option.label or option.id).lower().startswith(word.lower())]
    found = ids or begin
    if len(found) != 1 or not word:
        several = f"{len(found)} of them are called so" if len(found) > 1 and word else f"`{word}` is none of them"
        raise Unreadable(f"{several}; type a number from 1 to {len(options)}")
    return str(found[0])


def _one(question: ChooseOne, line: str, names: Names) -> str:
    return _pick(question.options, line)


def _several(question: ChooseSeveral, line: str, names: Names) -> list[str]:
    return [_pick(question.options, word) for word in re.split(r"[,\s]+", line) if word]


def _confirm(question: Confirm, line: str, names: Names) -> bool:
    if line.lower() in ("y", "yes"):
        return True
    if line.lower() in ("n", "no"):
        return False
    raise Unreadable("type y or n")


def _react(question: React, line: str, names: Names) -> dict[str, Any]:
    words = line.split()
    if not words:
        raise Unreadable("type a number, or p to pass")
    draft: dict[str, Any] = {"option": _pick(question.options, words[0])}
    rest = words[1:]
    if question.stretch is not None:
        draft["along"] = length(rest.pop(0)) if rest else question.stretch[1]
    if rest:
        draft["amount"] = whole(rest.pop(0))
    if rest:
        raise Unreadable(f"`{' '.join(rest)}` is too much; type a number, and how far along or how much")
    return draft


def _allocate(question: Allocate, line: str, names: Names) -> dict[str, str]:
    draft: dict[str, str] = {}
    for pair in re.split(r"[,\s]+", line):
        if not pair:
            continue
        item, equals, bin_ = pair.partition("=")
        if not equals:
            raise Unreadable("type pairs such as `1=2`: an item, and where it goes")
        draft[_pick(question.items, item)] = _pick(question.bins, bin_)
    return draft


# Places ----------------------------------------------------------------------------------------------------------


def _place(question: PlaceThings, line: str, names: Names) -> dict[str, Any]:
    return {thing: _spot(words, names) for thing, words in _entries(question.things, line, names)}


def _entries(asked: tuple[str, ...], line: str, names: Names) -> list[tuple[str, str]]:
    """What is said about which thing: of one alone without its name, else `NAME: …; NAME: …`."""
    if len(asked) == 1 and ":" not in line:
        return [(asked[0], line)]
    found = []
    for part in (one for one in line.split(";") if one.strip()):
        name, colon, rest = part.partition(":")
        if not colon:
            called = {thing: said for said, thing in names.items()}
            first, last = (called.get(thing, thing) for thing in (asked[0], asked[-1]))
            raise Unreadable(f"say of whom: `{first}: …; {last}: …`")
        word = name.strip()
        found.append((word if word in asked else names.get(word.lower(), word), rest))
    return found


def _spot(words: str, names: Names) -> dict[str, Any]:
    said = words.replace(",", " ").split()
    if said[:1] == ["off"]:
        return {"where": {"place": "off", "why": " ".join(said[1:])}}
    if said[:1] == ["in"] and len(said) > 1:
        return {"where": _holder(said[1:], names)}
    level = _level(said)
    if len(said) not in (2, 3):
        raise Unreadable("type two coordinates, and a facing behind them if you like: `24 3 90`")
    where = {"place": "at", "point": [length(said[0]), length(said[1])], **level}
    spot: dict[str, Any] = {"where": where}
    if len(said) == 3:
        spot["facing"] = whole(said[2]) % 360
    return spot


def _holder(said: list[str], names: Names) -> dict[str, Any]:
    """A holder by id or label (a label may have several words), and a slot behind it."""
    for cut in range(len(said), 0, -1):
        label = " ".join(said[:cut]).lower()
        if label in names:
            return {"place": "in", "holder": names[label], "slot": " ".join(said[cut:])}
    return {"place": "in", "holder": said[0], "slot": " ".join(said[1:])}


def _level(said: list[str]) -> dict[str, int]:
    """Take `level N` off the end of some words."""
    if len(said) > 2 and said[-2] == "level":
        number = whole(said[-1])
        del said[-2:]
        return {"level": number}
    return {}


# Moves -----------------------------------------------------------------------------------------------------------


def _move(question: MoveModels, line: str, names: Names) -> dict[str, Any]:
    return {model: _walk(question, words) for model, words in _entries(question.models, line, names)}


def _walk(question: MoveModels, words: str) -> dict[str, Any]:
    legs: list[dict[str, Any]] = []
    marks: dict[str, int] = {}
    for part in (one.strip().lower() for one in words.split(",")):
        if part.startswith("@"):
            far, _, which = part[1:].strip().partition(" ")
            marks[_mark(question, which.strip())] = length(far)
        elif part and part != "stay":
            legs.append(_leg(part))
    return {"legs": legs, "marks": marks}


def _mark(question: MoveModels, which: str) -> str:
    if not question.marks:
        raise Unreadable("there is nothing to mark on this path")
    if not which:
        return question.marks[0].id
    for mark in question.marks:
        if which in (mark.id.lower(), mark.label.lower()):
            return mark.id
    raise Unreadable(f"there is no mark `{which}`; there is {', '.join(mark.id for mark in question.marks)}")


_TURNS = {"right": 1, "r": 1, "left": -1, "l": -1}
_GOES = {"back": -1, "b": -1, "forward": 1, "f": 1, "go": 1}


def _leg(part: str) -> dict[str, Any]:
    """`right 30`, `4`, `back 1`, `right 30 4`, `left 90 back 1`, `to 10 24`, `to 10 24 level 1`."""
    words = part.split()
    if words[0] == "to":
        level = _level(words)
        if len(words) == 3:
            return {"by": "via", "point": [length(words[1]), length(words[2])], **level}
    leg: dict[str, Any] = {"by": "leg"}
    rest = list(words)
    if len(rest) >= 2 and rest[0] in _TURNS:
        leg["turn"] = _TURNS[rest[0]] * whole(rest[1])
        del rest[:2]
    if len(rest) == 2 and rest[0] in _GOES:
        leg["go"] = _GOES[rest[0]] * length(rest[1])
        del rest[:2]
    elif len(rest) == 1:
        leg["go"] = length(rest.pop())
    if rest or len(leg) == 1:
        raise Unreadable(f"`{part}` is no leg; `right 30`, `left 90 4`, `4`, `back 1` and `to 10 24` are")
    return leg


def length(word: str) -> int:
    """A length with at most three decimals, as thousandths.

    >>> length("2.5"), length("12"), length("-0.25")
    (2500, 12000, -250)
    """
    match = re.fullmatch(r"-?([0-9]{0,4})(?:[.]([0-9]{1,3}))?", word)
    if match is None or not (match[1] or match[2]):
        raise Unreadable(f"`{word}` is no length; 4 and 2.5 are")
    number = int(match[1] or "0") * UNIT + int((match[2] or "0").ljust(3, "0"))
    return -number if word.startswith("-") else number


def whole(word: str) -> int:
    """A whole number.

    >>> whole("-90")
    -90
    """
    if not re.fullmatch(r"-?[0-9]{1,6}", word):
        raise Unreadable(f"`{word}` is no whole number")
    return int(word)


_READERS: dict[type[Any], Callable[[Any, str, Names], Any]] = {
    ChooseOne: _one,
    ChooseSeveral: _several,
    Confirm: _confirm,
    React: _react,
    Allocate: _allocate,
    PlaceThings: _place,
    MoveModels: _move,
}

__all__ = ["Names", "Unreadable", "length", "read", "whole"]
