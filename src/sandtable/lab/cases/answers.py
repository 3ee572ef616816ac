"""From the words of a case to drafts: how the answer to each kind of question is written."""

from collections.abc import Callable
from typing import Any

from sandtable.engine.questions import (
    ALONG,
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.shapes import At, In, Off, Spot, Walk
from sandtable.forces.data import Data
from sandtable.forces.files import described
from sandtable.tabletop.case_words import is_by_name, is_path, only_keys, walk

#: The word that declines.
PASS = "pass"
#: The words with which who acts does nothing more; a ruleset lists one of them.
IDLE = ("nothing", "done")
#: The word that chooses none of several.
NOBODY = "none"
#: The key of a way that is for all who have none of their own.
ALL = "all"
#: The key under which somebody says what it does, where it says more than that.
DO = "do"


def declines(value: Data) -> bool:
    """Whether a value says no to the question: `pass`, or nothing at all."""
    return value.node.value is None or value.node.value == PASS


def idles(value: Data) -> bool:
    """Whether a value says of somebody that it does nothing."""
    return declines(value) or value.node.value in IDLE


def plain_answer(question: AnyQuestion, value: Data) -> Any:
    """The draft that a value stands for, by the kind of the question.

    >>> from sandtable.engine.questions import MoveModels
    >>> from sandtable.forces.files import read_text
    >>> value = Data(read_text("[3, {turn: 60, go: 1.5}]", "it"), "it")
    >>> plain_answer(MoveModels("red", "Where?", models=("A",)), value)["A"].legs
    (Leg(turn=0, go=3000), Leg(turn=60, go=1500))
    """
    if declines(value):
        return None
    read: Callable[[Any, Data], Any] = _READERS[type(question)]
    return read(question, value)


def _word(value: Data) -> str:
    found = value.node.value
    if isinstance(found, bool):
        return str(found).lower()
    if found is None or isinstance(found, dict | list):
        raise value.fail(f"{described(value.node)} stands here", "one word would do")
    return str(found)


def _choose_one(question: ChooseOne, value: Data) -> str:
    said = value.node.value
    return ("yes" if said else "no") if isinstance(said, bool) else _word(value)


def _choose_several(question: ChooseSeveral, value: Data) -> list[str]:
    if isinstance(value.node.value, list):
        return [_word(one) for one in value.items()]
    offered = [option.id for option in question.options]
    return [] if value.node.value == NOBODY and NOBODY not in offered else [_word(value)]


def _allocate(question: Allocate, value: Data) -> dict[str, str]:
    if isinstance(value.node.value, str):
        return {item.id: _word(value) for item in question.items}
    said = {item: _word(bin_) for item, bin_ in value.table().items()}
    items = [item.id for item in question.items]
    if ALL in said and ALL not in items:  # each that has no bin of its own
        rest = said.pop(ALL)
        return {**dict.fromkeys(items, rest), **said}
    return said


def _confirm(question: Confirm, value: Data) -> bool:
    found = value.node.value
    if found in ("yes", "no"):
        return found == "yes"
    if not isinstance(found, bool):
        raise value.fail(f"{described(value.node)} stands here", "`true` or `false` would do")
    return found


def _react(question: React, value: Data) -> Reaction:
    if not isinstance(value.node.value, dict):
        return Reaction(_word(value))
    only_keys(value, "option", "along", "amount")
    here = question.facts.get(ALONG) if question.stretch is None else None
    along = value.length("along") if value.has("along") else None
    return Reaction(
        value.text_at("option"),
        None if along == here else along,
        value.number("amount") if value.has("amount") else 0,
    )


def _place(question: PlaceThings, value: Data) -> dict[str, Spot]:
    if len(question.things) == 1 and not is_by_name(value, question.things):
        return {question.things[0]: spot(value)}
    listed = isinstance(value.node.value, list)
    if listed and len(value.items()) == len(question.things):
        return {thing: spot(one) for thing, one in zip(question.things, value.items(), strict=True)}
    if listed:
        raise value.fail("a list stands here", f"say of each where it is put: {{{question.things[0]}: [x, y], …}}")
    return {thing: spot(one) for thing, one in value.table().items()}


def spot(value: Data) -> Spot:
    """Where something is put.

    >>> from sandtable.forces.files import read_text
    >>> spot(Data(read_text("[6, 24.5, 90]", "it"), "it"))
    Spot(where=At(point=Point(x=6000, y=24500), level=0), facing=90)
    """
    if isinstance(value.node.value, list):
        numbers = value.items()
        if len(numbers) not in (2, 3):
            raise value.fail(f"a place of {len(numbers)} numbers", "[x, y] or [x, y, facing] would do")
        return Spot(At(value.point()), numbers[2].number() if len(numbers) == 3 else 0)
    only_keys(value, "at", "level", "facing", "in", "slot", "off")
    facing = value.number("facing") if value.has("facing") else 0
    if value.has("in"):
        return Spot(In(value.text_at("in"), value.text_at("slot") if value.has("slot") else ""), facing)
    if value.has("off"):
        return Spot(Off(value.text_at("off")), facing)
    return Spot(At(value.point("at"), value.number("level") if value.has("level") else 0), facing)


def _move(question: MoveModels, value: Data) -> dict[str, Walk]:
    if len(question.models) == 1 and not is_by_name(value, question.models):
        return {question.models[0]: walk(value)}
    if is_path(value):
        return dict.fromkeys(question.models, walk(value))
    said = {model: walk(one) for model, one in value.table().items()}
    shared = said.pop(ALL, None)
    return said if shared is None else {**dict.fromkeys(question.models, shared), **said}


def _plan(question: Plan, value: Data) -> dict[str, str]:
    return {part: _word(one) for part, one in value.table().items()}


_READERS: dict[type[Any], Any] = {
    ChooseOne: _choose_one,
    ChooseSeveral: _choose_several,
    Allocate: _allocate,
    PlaceThings: _place,
    MoveModels: _move,
    Confirm: _confirm,
    React: _react,
    Plan: _plan,
}
