"""Events, questions and differences in words a player can read."""

import re
import textwrap
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from sandtable.engine.events import Event, Harm, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import AnyQuestion, Plan, Reaction
from sandtable.engine.shapes import UNIT, At, Disc, In, Leg, Off, Point, Slide, Via, Walk
from sandtable.engine.table import Mark, Thing

_BASE = frozenset(Event.__struct_fields__) - {"detail"}


class Row(msgspec.Struct, frozen=True):
    """One line of a comparison: what it is about, what was expected, what came, and whether they agree."""

    what: str
    expected: str
    came: str
    same: bool = False


class Difference(msgspec.Struct, frozen=True):
    """What a case expected and did not get."""

    line: int
    headline: str
    rows: tuple[Row, ...] = ()
    happened: tuple[str, ...] = ()  # what happened in the step, told line by line
    trace: str = ""  # where the program broke


@cache
def kebab(name: str) -> str:
    """A class's name as files write it.

    >>> kebab("StateChanged")
    'state-changed'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def length_words(thousandths: int) -> str:
    """A length in the table's unit.

    >>> length_words(24500), length_words(-3000)
    ('24.5', '-3')
    """
    return f"{(Decimal(thousandths) / UNIT).normalize():f}"


def value_words(value: Any) -> str:
    """A value of an event or a thing as a case would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Point):
        return f"[{length_words(value.x)}, {length_words(value.y)}]"
    if isinstance(value, At):
        return value_words(value.point) + (f" level {value.level}" if value.level else "")
    if isinstance(value, In):
        return f"in {value.holder}" + (f", {value.slot}" if value.slot else "")
    if isinstance(value, Off):
        return f"off ({value.why})" if value.why else "off"
    if isinstance(value, Disc):
        return f"[{', '.join(map(length_words, (value.center.x, value.center.y, value.radius)))}]"
    if isinstance(value, ExplainedPart):
        return value.words()
    if isinstance(value, Harm):
        return f"{value.what} {value.amount}" if value.amount else value.what
    if isinstance(value, Reaction) and value.along is None and not value.amount:
        return value.option
    if isinstance(value, Mark):
        return value_words(value.value) + (f" until {value.until}" if value.until else "")
    if isinstance(value, Walk):
        marks = "".join(f", {name} at {length_words(along)}" for name, along in value.marks.items())
        return "; ".join(_leg_words(leg) for leg in value.legs) + marks
    if isinstance(value, Thing):
        return f"{value.id} ({value.card or value.kind})"
    return _plain_words(value)


def _plain_words(value: Any) -> str:
    """Tables, lists and objects of any kind as a case would write them; never as Python does."""
    if isinstance(value, Enum):
        return value_words(value.value)
    if isinstance(value, msgspec.Struct):
        return _plain_words({name: getattr(value, name) for name in value.__struct_fields__})
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _plain_words(value._asdict())
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{value_words(key)}: {value_words(one)}" for key, one in value.items()) + "}"
    if isinstance(value, tuple | list | set | frozenset):
        return "[" + ", ".join(value_words(one) for one in value) + "]"
    return str(value) if isinstance(value, str | int | Decimal | Fraction) else kebab(type(value).__name__)


def _leg_words(leg: Leg | Via) -> str:
    if isinstance(leg, Via):
        return f"to {value_words(leg.point)}" + (f" level {leg.level}" if leg.level else "")
    turn = f"turn {leg.turn}" if leg.turn else ""
    if isinstance(leg, Slide):
        turn = f"side {length_words(leg.side)}"
    return " ".join(filter(None, [turn, f"go {length_words(leg.go)}" if leg.go or not turn else ""]))


def event_words(event: Any) -> str:
    """An event in one line: its name, who it is about, the fields that say something, and its rule.

    >>> from sandtable.engine.events import Moved
    >>> event_words(Moved("A", At(Point(0, 0)), At(Point(2500, 0)), rule="r.move"))
    'moved A: start [0, 0], to [2.5, 0], facing 0, manner own  (r.move)'
    """
    rule = f"  ({event.rule})" if event.rule else ""
    if isinstance(event, Rolled):
        return _roll_words(event) + rule
    first, *others = [name for name in event.__struct_fields__ if name not in _BASE]
    values = {name: getattr(event, name) for name in others}
    if "detail" in values:  # which other rules had a hand in it is for those who look at rules
        values["detail"] = {key: one for key, one in event.detail.items() if key != "rules"}
    said = [f"{name} {field_words(name, value)}" for name, value in values.items() if _says(value)]
    head = f"{kebab(type(event).__name__)} {value_words(getattr(event, first))}"
    return head + (": " + ", ".join(said) if said else "") + rule


def _says(value: Any) -> bool:
    return value is not None and value not in ("", (), {})


def field_words(name: str, value: Any) -> str:
    """A field's value in words; what is a length by its name is shown in the table's unit."""
    if name in LENGTHS and isinstance(value, int):
        return length_words(value)
    return value_words(value)


#: The fields of events that hold a length.
LENGTHS = frozenset({"along"})


def _roll_words(roll: Rolled) -> str:
    who = f" by {roll.by}" if roll.by else ""
    parts = "".join(f" · {value_words(part)}" for part in roll.parts)
    text = f"rolled {roll.what}{who}: {roll.dice} {list(roll.faces)} = {roll.natural}{parts}"
    if roll.parts:
        text += f" → {roll.total}"
    if roll.needs is not None:
        why = " · ".join(value_words(part) for part in roll.needs_parts)
        text += f", needs {roll.needs}" + (f" ({why})" if why else "") + f", margin {roll.margin}"
    return text + (f": {roll.outcome}" if roll.outcome else "")


def question_words(question: AnyQuestion) -> str:
    """A question in one line: whom, what, its kind and its topic.

    >>> from sandtable.engine.questions import Confirm
    >>> question_words(Confirm("blue", "Brace?", topic="brace"))
    'blue is asked “Brace?” (confirm, topic `brace`)'
    """
    kind = question.__struct_config__.tag
    who = f" for {', '.join(question.actors)}" if isinstance(question, Plan) and question.actors else ""
    return f"{question.side} is asked “{question.prompt}” ({kind}{who}, topic `{question.topic}`)"


def difference_lines(difference: Difference, width: int = 100) -> list[str]:
    """A difference, expected and found side by side."""
    lines = textwrap.wrap(f"line {difference.line}: {difference.headline}", width, break_on_hyphens=False)
    if difference.rows:
        wide = max(len(row.what) for row in difference.rows)
        left = min(max(len("expected"), *(len(row.expected) for row in difference.rows)), width // 2)
        lines += ["", f"    {''.ljust(wide)}  {'expected'.ljust(left)}  came"]
        # What differs comes first; dice stand in the order they fall.
        for row in sorted(difference.rows, key=lambda one: one.same and not one.what.startswith("die ")):
            sign = "  " if row.same else "≠ "
            lines.append(f"  {sign}{row.what.ljust(wide)}  {row.expected.ljust(left)}  {row.came}")
    if difference.happened:
        lines += ["", "  What happened in this step:"]
        for text in difference.happened:
            lines += textwrap.wrap(
                text, width, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False
            )
    if difference.trace:
        lines += ["", *("  " + line for line in difference.trace.rstrip().splitlines())]
    return lines
