"""Answers given in secret: how they are told as chosen, and how they are shown when all have answered."""

from typing import Any

import msgspec

from sandtable.engine.events import Revealed, Sealed
from sandtable.engine.ids import NO_RULE, RuleId, Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.table import Value


def sealed(question: AnyQuestion, value: Any) -> Sealed:
    """A sealed answer as it is told: that something was chosen to all, what it is to its side alone."""
    veil: dict[str, tuple[Side, ...]] = {"value": (question.side,)}
    return Sealed(question.side, question.topic, _secret(value), veils=veil, rule=_first_rule(question))


def shown(question: AnyQuestion, value: Any) -> Revealed:
    """A sealed answer as it is shown to all."""
    return Revealed(f"{question.side}: {question.topic}", value=_secret(value), rule=_first_rule(question))


def _first_rule(question: AnyQuestion) -> RuleId:
    return question.rules[0] if question.rules else NO_RULE


def _secret(value: Any) -> Value:
    """A sealed answer as a value the table can hold: yes is 1, no 0, nothing the empty word."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str | int):
        return value
    return tuple(value) if isinstance(value, tuple) else msgspec.json.encode(value).decode()
