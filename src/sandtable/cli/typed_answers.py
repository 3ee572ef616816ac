"""Answers as they are typed: numbers of options, coordinates, legs of a path; each question says what it takes.

Nothing here knows a ruleset. A typed line becomes a draft; whether it is lawful is for the judge to say.
"""

import re
from collections.abc import Callable
from typing import Any

from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    React,
    ReactOption,
)
from sandtable.engine.shapes import UNIT


class Unreadable(ValueError):
    """What was typed is not an answer to this question; the text says what would be."""


def offered(question: AnyQuestion) -> list[str]:
    """The lines that show what may be answered."""
    match question:
        case ChooseOne(options=options) | ChooseSeveral(options=options):
            return [_option(n, option) for n, option in enumerate(options, 1)]
        case React(options=options):
            return [_reaction(n, option) for n, option in enumerate(options, 1)]
        case Allocate(items=items, bins=bins):
            return [f"  {item.id} to one of {', '.join(one.id for one in bins)}" for item in items]
        case PlaceThings(where=where):
            return [f"  in the {region.label}" for region in where.values() if region.label]
        case MoveModels(allowance=allowance):
            return [f"  {model} may spend {amount}" for model, amount in allowance.items()]
    return []


def help_for(question: AnyQuestion) -> str:
    """How an answer to this question is typed."""
    match question:
        case ChooseOne():
            return "type a number"
        case ChooseSeveral(at_least=least):
            return f"type numbers with spaces between them{', in order' if least else ', or nothing for none'}"
        case Confirm():
            return "type y or n"
        case React(stretch=None):
            return "type a number to break in (and an amount behind it), or p to pass"
        case React():
            return "type a number and how far along the path, such as `1 2.5`, or p to pass"
        case Allocate():
            return "type pairs such as `gun=B squad=C`"
        case PlaceThings(things=things, faces=faces):
            form = "x y facing" if faces else "x y"
            return f"type {form}, such as `24 3 90`" if len(things) == 1 else f"type `NAME: {form}; NAME: …`"
        case MoveModels(marks=marks):
            marked = f"; `@3` marks {marks[0].label or marks[0].id} 3 along" if marks else ""
            return f"type legs such as `right 30, 4, left 90, back 1` or `to 10 24`{marked}; `stay` to stay"
    return "type an answer"


def read(question: AnyQuestion, text: str) -> Any:
    """The draft that a typed line is; `Unreadable` where it is none."""
    line = text.strip()
    if line.lower() in ("p", "pass", "decline", "stay") and (question.decline or question.default is not None):
        return None
    reader: Callable[[Any, str], Any] = _READERS[type(question)]
    return reader(question, line)


def _option(n: int, option: Option) -> str:
    label = option.label or option.id
    return f"  {n:>2}. {label}" if not option.refused else f"   –  {label} ({option.refused})"


def _reaction(n: int, option: ReactOption) -> str:
    cost = ", ".join(f"{amount} {what}" for what, amount in option.cost.items() if amount)
    return f"  {n:>2}. {option.label or option.id}" + (f" ({cost})" if cost else "")


def _pick(options: Any, word: str) -> str:
    """The option of a number, an id or the beginning of a label."""
    if word.isdigit() and 1 <= int(word) <= len(options):
        return str(options[int(word) - 1].id)
    ids = [option.id for option in options if option.id.lower() == word.lower()]
    begin = [option.id for option in options if (option.label or option.id).lower().startswith(word.lower())]
    found = ids or begin
    if len(found) != 1 or not word:
        raise Unreadable(f"`{word}` is none of them; type a number from 1 to {len(options)}")
    return str(found[0])


def _one(question: ChooseOne, line: str) -> str:
    return _pick(question.options, line)


def _several(question: ChooseSeveral, line: str) -> list[str]:
    return [_pick(question.options, word) for word in re.split(r"[,\s]+", line) if word]


def _confirm(question: Confirm, line: str) -> bool:
    if line.lower() in ("y", "yes"):
        return True
    if line.lower() in ("n", "no"):
        return False
    raise Unreadable("type y or n")


def _react(question: React, line: str) -> dict[str, Any]:
    words = line.split()
    if not words:
        raise Unreadable("type a number, or p to pass")
    draft: dict[str, Any] = {"option": _pick(question.options, words[0])}
    rest = words[1:]
    if question.stretch is not None:
        draft["along"] = length(rest.pop(0)) if rest else question.stretch[1]
    if rest:
        draft["amount"] = whole(rest[0])
    return draft


def _allocate(question: Allocate, line: str) -> dict[str, str]:
    draft: dict[str, str] = {}
    for pair in line.split():
        item, equals, bin_ = pair.partition("=")
        if not equals:
            raise Unreadable("type pairs such as `gun=B`")
        draft[_pick(question.items, item)] = _pick(question.bins, bin_)
    return draft


def _place(question: PlaceThings, line: str) -> dict[str, Any]:
    single = len(question.things) == 1 and ":" not in line
    entries = [(question.things[0], line)] if single else [_named(part) for part in line.split(";") if part.strip()]
    return {thing: _spot(words) for thing, words in entries}


def _named(part: str) -> tuple[str, str]:
    name, colon, rest = part.partition(":")
    if not colon:
        raise Unreadable("name each thing: `A: 24 3 90; B: 27 3 90`")
    return name.strip(), rest


def _spot(words: str) -> dict[str, Any]:
    numbers = words.replace(",", " ").split()
    if len(numbers) not in (2, 3):
        raise Unreadable("type two coordinates, and a facing behind them if you like: `24 3 90`")
    spot: dict[str, Any] = {"where": {"place": "at", "point": [length(numbers[0]), length(numbers[1])]}}
    if len(numbers) == 3:
        spot["facing"] = whole(numbers[2]) % 360
    return spot


def _move(question: MoveModels, line: str) -> dict[str, Any]:
    single = len(question.models) == 1 and ":" not in line
    entries = [(question.models[0], line)] if single else [_named(part) for part in line.split(";") if part.strip()]
    return {model: _walk(question, words) for model, words in entries}


def _walk(question: MoveModels, words: str) -> dict[str, Any]:
    legs: list[dict[str, Any]] = []
    marks: dict[str, int] = {}
    for part in (one.strip().lower() for one in words.split(",")):
        if part.startswith("@"):
            if not question.marks:
                raise Unreadable("there is nothing to mark on this path")
            marks[question.marks[0].id] = length(part[1:].strip())
        elif part:
            legs.append(_leg(part))
    return {"legs": legs, "marks": marks}


def _leg(part: str) -> dict[str, Any]:
    words = part.split()
    word = words[0]
    turns = {"right": 1, "r": 1, "left": -1, "l": -1}
    goes = {"back": -1, "b": -1, "forward": 1, "f": 1, "go": 1}
    if word in turns and len(words) == 2:
        return {"by": "leg", "turn": turns[word] * whole(words[1])}
    if word in goes and len(words) == 2:
        return {"by": "leg", "go": goes[word] * length(words[1])}
    if word == "to" and len(words) == 3:
        return {"by": "via", "point": [length(words[1]), length(words[2])]}
    if len(words) == 1:
        return {"by": "leg", "go": length(word)}
    raise Unreadable(f"`{part}` is no leg; `right 30`, `left 90`, `4`, `back 1` and `to 10 24` are")


def length(word: str) -> int:
    """A length with at most three decimals, as thousandths.

    >>> length("2.5"), length("12")
    (2500, 12000)
    """
    match = re.fullmatch(r"(-?\d{1,4})(?:[.](\d{1,3}))?", word)
    if match is None:
        raise Unreadable(f"`{word}` is no length; 4 and 2.5 are")
    number = abs(int(match[1])) * UNIT + int((match[2] or "0").ljust(3, "0"))
    return -number if word.startswith("-") else number


def whole(word: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"-?\d{1,6}", word):
        raise Unreadable(f"`{word}` is no whole number")
    return int(word)


_READERS: dict[type[Any], Callable[[Any, str], Any]] = {
    ChooseOne: _one,
    ChooseSeveral: _several,
    Confirm: _confirm,
    React: _react,
    Allocate: _allocate,
    PlaceThings: _place,
    MoveModels: _move,
}

__all__ = ["Unreadable", "help_for", "length", "offered", "read", "whole"]
