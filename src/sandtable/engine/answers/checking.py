"""Whether an answer has the form its question asks for: the part of `check` that needs no rules.

Every refusal here is about the question itself (an option that is not offered, too many chosen), so it names the
question's own first rule.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.engine.ids import NO_RULE
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.shapes import BOUND, At, Leg, Slide, Walk

#: No answer needs more of anything than this; what comes from outside is cut short here.
MOST_LEGS = 64
#: The fact of a question that lets legs go to the side.
SLIDES = "slides"
MOST_PARTS = 256
MOST_STOREYS = 1000
MOST_ENTRIES = 1024  # of one list or dict
MOST_LEVELS = 12  # of one inside the other
MOST_LETTERS = 2000
MOST_NUMBER = 1 << 53  # what every reader of JSON can hold


def plain(question: AnyQuestion, draft: object) -> Any:
    """A draft as plain data, as the journal keeps it; refuses what is no whole number, word, list or table of them.

    >>> plain(ChooseSeveral("red", "Which?"), ("a", "b"))
    ['a', 'b']
    >>> plain(Confirm("red", "Fire?"), float("nan")).sentence
    'That is not an answer to this question: a number is whole.'
    """
    try:
        return plain_data(draft)
    except NotPlain as error:
        return _refuse(question, f"That is not an answer to this question: {error}.")


class NotPlain(ValueError):
    """Something is no plain data, or too much of it."""


def plain_data(value: object) -> Any:
    """Words, whole numbers, lists and tables of them, out of anything that is made of them."""
    return _plain(value, MOST_LEVELS)


def _plain(value: Any, levels: int) -> Any:
    kind = type(value)
    if kind is str:
        return value if len(value) <= MOST_LETTERS and value.isascii() else _plain_words(value)
    if kind is bool or value is None:
        return value
    if kind is dict or kind is tuple or kind is list:
        return _plain_entries(value, levels)
    if isinstance(value, msgspec.Struct):
        return _plain(msgspec.to_builtins(value), levels)
    if isinstance(value, str):
        return _plain_words(value)
    if isinstance(value, int):
        if abs(value) > MOST_NUMBER:
            raise NotPlain("a number is far too large")
        return int(value)
    if isinstance(value, float):
        raise NotPlain("a number is whole")
    if not isinstance(value, list | tuple | dict):
        raise NotPlain(f"nothing is made of {type(value).__name__}")
    return _plain_entries(value, levels)


def _plain_entries(value: Any, levels: int) -> Any:
    if len(value) > MOST_ENTRIES:
        raise NotPlain(f"it has {len(value)} entries; {MOST_ENTRIES} are enough")
    if levels == 0:
        raise NotPlain("it is nested too deeply")
    if isinstance(value, dict):
        return {_plain_name(name): _plain(entry, levels - 1) for name, entry in value.items()}
    return [_plain(entry, levels - 1) for entry in value]


def _plain_words(value: str) -> str:
    if len(value) > MOST_LETTERS:
        raise NotPlain(f"a word has {len(value)} letters; {MOST_LETTERS} are enough")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise NotPlain("a word holds half a letter")
    return str(value)


def _plain_name(name: object) -> str:
    if type(name) is str and len(name) <= MOST_LETTERS and name.isascii():
        return name
    if not isinstance(name, str):
        raise NotPlain(f"a name is a word, not {type(name).__name__}")
    return _plain_words(name)


def decoded(question: AnyQuestion, raw: object) -> Any:
    """An answer in its proper types, from plain data as it came from outside; refuses what does not fit.

    >>> decoded(ChooseOne("red", "Which?"), "a")
    'a'
    """
    kind, wanted = type(question), type(question).answer_type
    if raw is None or (type(raw) is wanted and (wanted is str or wanted is bool)):
        return raw
    if kind is Plan and type(raw) is dict:
        return raw  # each part is decoded by its own question
    try:
        answer = msgspec.convert(raw, wanted)
    except msgspec.ValidationError as error:
        return _refuse(question, f"That is not an answer to this question: {error}.")
    if isinstance(question, MoveModels):
        # Who is not named stays: rules find every model they asked about, in the order they named them.
        return {**{model: answer.pop(model, Walk()) for model in question.models}, **answer}
    return answer


def refused_form(question: AnyQuestion, answer: Any) -> Refusal | None:
    """Why an answer does not fit its question, or none."""
    if answer is None:
        if question.default is None and not question.decline:
            return _refuse(question, "An answer is needed here; it cannot be declined.")
        return None
    form: Callable[[Any, Any], Refusal | None] = _FORMS[type(question)]
    return form(question, answer)


def chosen_options(question: AnyQuestion, answer: Any) -> list[Option]:
    """The options that a well-formed answer chooses; an allotment chooses its items and where they go."""
    match question:
        case ChooseOne(options=options):
            return [option for option in options if option.id == answer]
        case ChooseSeveral(options=options):
            return [option for option in options if option.id in answer]
        case Allocate(items=items, bins=bins):
            into = answer.values()
            return [one for one in items if one.id in answer] + [one for one in bins if one.id in into]
        case React(options=ways):
            return [as_option(way) for way in ways if way.id == answer.option]
        case _:
            return []


def as_option(way: ReactOption) -> Option:
    """A way to break in, as rules that refuse options see it."""
    return Option(way.id, way.label, (way.actor,) if way.actor else (), way.rules, way.refused)


def _refuse(question: AnyQuestion, sentence: str) -> Refusal:
    return Refusal(question.rules[0] if question.rules else NO_RULE, sentence)


def _choose_one(question: ChooseOne, answer: str) -> Refusal | None:
    for option in question.options:
        if option.id == answer:
            return None
    offered = [option.id for option in question.options]
    return _refuse(question, f"{answer!r} is not offered here; choose one of {_words(offered)}.")


def _choose_several(question: ChooseSeveral, answer: tuple[str, ...]) -> Refusal | None:
    offered = [option.id for option in question.options]
    for choice in answer:
        if choice not in offered:
            return _refuse(question, f"{choice!r} is not offered here; choose from {_words(offered)}.")
    if len(dict.fromkeys(answer)) != len(answer):
        return _refuse(question, "Each may be chosen only once.")
    if len(answer) < question.at_least:
        return _refuse(question, f"At least {question.at_least} must be chosen; these are {len(answer)}.")
    if question.at_most is not None and len(answer) > question.at_most:
        return _refuse(question, f"At most {question.at_most} may be chosen; these are {len(answer)}.")
    for group in question.not_together:
        clash = [choice for choice in answer if choice in group]
        if len(clash) > 1:
            return _refuse(question, f"{_words(clash)} may not be chosen together.")
    return None


def _allocate(question: Allocate, answer: dict[str, str]) -> Refusal | None:
    items = [item.id for item in question.items]
    bins = [bin_.id for bin_ in question.bins]
    for item, bin_ in answer.items():
        if item not in items:
            return _refuse(question, f"{item!r} is not there to be allotted; there are {_words(items)}.")
        if bin_ not in question.allowed.get(item, tuple(bins)):
            why = f"{item} may not go to {bin_!r}; allowed: {_words(question.allowed.get(item, bins))}."
            rules = [rule for one in question.items if one.id == item for rule in one.rules]
            return Refusal(rules[0], why) if rules else _refuse(question, why)
        if bin_ not in bins:
            return _refuse(question, f"{bin_!r} is no place to allot to; there are {_words(bins)}.")
    if question.all_items and len(answer) < len(items):
        missing = [item for item in items if item not in answer]
        return _refuse(question, f"Everything must be allotted; {_words(missing)} is missing.")
    held = Counter(answer.values())
    for bin_, least in question.bin_least.items():
        if held[bin_] < least:
            return _refuse(question, f"{bin_} needs at least {least}; it has {held[bin_]}.")
    for bin_, most in question.bin_most.items():
        if held[bin_] > most:
            return _refuse(question, f"{bin_} takes at most {most}; it has {held[bin_]}.")
    return None


def _place(question: PlaceThings, answer: dict[str, Any]) -> Refusal | None:
    if sorted(answer) != sorted(question.things):
        return _refuse(question, f"Each of {_words(question.things)} must be placed, and nothing else.")
    for thing, spot in answer.items():
        where = spot.where
        if isinstance(where, At) and not (abs(where.point.x) <= BOUND and abs(where.point.y) <= BOUND):
            return _refuse(question, f"{thing} would lie far off the table.")
        if isinstance(where, At) and abs(where.level) > MOST_STOREYS:
            return _refuse(question, f"There is no such level as {where.level}.")
        if not 0 <= spot.facing < 360:
            return _refuse(question, f"A facing is 0 to 359 degrees; {thing} has {spot.facing}.")
    return None


def _move(question: MoveModels, answer: dict[str, Any]) -> Refusal | None:
    for model in answer:
        if model not in question.models:
            return _refuse(question, f"{model!r} is not asked to move here; {_words(question.models)} may.")
    for walk in answer.values():
        if len(walk.legs) > MOST_LEGS:
            return _refuse(question, f"A path has at most {MOST_LEGS} legs; this one has {len(walk.legs)}.")
        for leg in walk.legs:
            if isinstance(leg, Slide):
                if not question.facts.get(SLIDES):
                    return _refuse(question, "A path goes the way it faces here, and not to the side.")
                if abs(leg.go) > BOUND or abs(leg.side) > BOUND or leg.turn:
                    return _refuse(question, "A leg to the side keeps its facing and stays near the table.")
            elif isinstance(leg, Leg):
                if abs(leg.go) > BOUND or abs(leg.turn) > 360:
                    return _refuse(question, "A leg turns at most 360 degrees and stays near the table.")
            elif not (abs(leg.point.x) <= BOUND and abs(leg.point.y) <= BOUND):
                return _refuse(question, "The path leads far off the table.")
            elif abs(leg.level) > MOST_STOREYS:
                return _refuse(question, f"There is no such level as {leg.level}.")
        known = [mark.id for mark in question.marks]
        for mark, distance in walk.marks.items():
            if mark not in known:
                return _refuse(question, f"There is no mark {mark!r} here; marks are {_words(known)}.")
            if not 0 <= distance <= BOUND:
                return _refuse(question, f"The mark {mark!r} is a distance along the path.")
        for asked in question.marks:
            if asked.required and asked.id not in walk.marks:
                return _refuse(question, f"Mark where: {asked.label or asked.id}.")
    return None


def _confirm(question: Confirm, answer: bool) -> Refusal | None:
    return None


def _react(question: React, answer: Reaction) -> Refusal | None:
    for option in question.options:
        if option.id != answer.option:
            continue
        if not option.amount_least <= answer.amount <= option.amount_most:
            return _refuse(question, f"Put in {option.amount_least} to {option.amount_most}; this is {answer.amount}.")
        if question.stretch is None:
            return None if answer.along is None else _refuse(question, "There is no path to break into here.")
        start, end = question.stretch
        if answer.along is None or not start <= answer.along <= end:
            return _refuse(question, f"Say where, from {start / 1000:g} to {end / 1000:g} along the path.")
        return None
    return _refuse(question, f"{answer.option!r} is not offered; there is {_words([o.id for o in question.options])}.")


def _plan(question: Plan, answer: dict[str, Any]) -> Refusal | None:
    if len(answer) > MOST_PARTS:
        return _refuse(question, f"A plan has at most {MOST_PARTS} parts.")
    return None


_FORMS: dict[type[Any], Any] = {
    ChooseOne: _choose_one,
    ChooseSeveral: _choose_several,
    Allocate: _allocate,
    PlaceThings: _place,
    MoveModels: _move,
    Confirm: _confirm,
    React: _react,
    Plan: _plan,
}


def _words(names: Any) -> str:
    return ", ".join(str(name) for name in names) or "nothing"
