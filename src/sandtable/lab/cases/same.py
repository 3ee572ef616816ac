"""What one side sees of a case, step by step, so that variants can be compared which must look the same to it."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import Refusal
from sandtable.lab.cases.telling import Difference, Row, event_words, question_words, value_words

_encode = msgspec.json.Encoder(order="deterministic").encode


class Seen(msgspec.Struct, frozen=True):
    """What a side knows after a step: each thing it sees, what it was told, what it is asked and how it was refused."""

    line: int
    table: dict[str, bytes]
    told: tuple[tuple[bytes, str], ...]
    asked: tuple[bytes, str]
    refused: tuple[bytes, str]


class Watcher:
    """Looks on for one side."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.seen: list[Seen] = []
        self._told = 0

    def look(self, battle: Battle, line: int, refusal: Refusal | None) -> None:
        """Note what the side sees now."""
        events = battle.logs[self.side].events
        new, self._told = events[self._told :], len(events)
        question = battle.question_for(self.side)
        table = battle.view(self.side).table
        things: dict[str, Any] = {f"`{name}`": thing for name, thing in table.things.items()}
        others = {name: getattr(table, name) for name in table.__struct_fields__ if name != "things"}
        self.seen.append(
            Seen(
                line,
                {name: _encode(one) for name, one in {**things, **others}.items()},
                tuple((_encode(event), event_words(event)) for event in new),
                (_encode(question), "nothing is asked" if question is None else question_words(question)),
                (_encode(refusal), "nothing" if refusal is None else refusal.sentence),
            )
        )


def differences(side: Side, first: Sequence[Seen], other: Sequence[Seen], title: str) -> list[Difference]:
    """How what a side sees of a variant differs from what it sees of the first; at the first step where it does."""
    for n, (mine, theirs) in enumerate(zip(first, other, strict=False)):
        rows = _rows(mine, theirs)
        if rows:
            when = "when the table is set" if n == 0 else f"in step {n}"
            headline = f"{side} can tell this variant from “{title}” {when}"
            return [Difference(theirs.line, headline, tuple(rows))]
    return []


def _rows(mine: Seen, theirs: Seen) -> list[Row]:
    """`expected` is what the first variant shows."""
    rows: list[Row] = []
    for n, (one, two) in enumerate(zip_longest(mine.told, theirs.told), 1):
        if one is None or two is None or one[0] != two[0]:
            rows.append(Row(f"event {n}", one[1] if one else "nothing", two[1] if two else "nothing"))
            if len(rows) == 3:
                break
    if mine.asked[0] != theirs.asked[0]:
        rows.append(Row("question", mine.asked[1], theirs.asked[1]))
    if mine.refused[0] != theirs.refused[0]:
        rows.append(Row("refusal", mine.refused[1], theirs.refused[1]))
    for name in dict.fromkeys((*mine.table, *theirs.table)):
        one_, two_ = mine.table.get(name), theirs.table.get(name)
        if one_ != two_:
            rows += _fields(name, one_, two_)
    return rows


def _fields(name: str, one: bytes | None, two: bytes | None) -> list[Row]:
    """What differs in a thing, field by field."""
    if one is None or two is None:
        return [Row(name, "not there" if one is None else "there", "not there" if two is None else "there")]
    left, right = msgspec.json.decode(one), msgspec.json.decode(two)
    if not isinstance(left, dict) or not isinstance(right, dict):
        return [Row(name, value_words(left), value_words(right))]
    names = dict.fromkeys((*left, *right))
    return [
        Row(f"{name} {key}", value_words(left.get(key)), value_words(right.get(key)))
        for key in names
        if left.get(key) != right.get(key)
    ]
