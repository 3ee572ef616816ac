"""How things, questions and previews stand beside what a case says of them."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sandtable.engine.questions import AnyQuestion, Chance, Preview
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import nearest
from sandtable.forces.reading import thousandths
from sandtable.lab.cases.matching import NONE, agrees, plain_words, row
from sandtable.lab.cases.telling import Row, value_words

_THING = ("at", "facing", "harm", "states", "lacks", "counts", "gone", "unit", "side", "label", "card", "track")
_BATTLE = ("turn", "phase", "acting", "winner", "reason", "ended", "scores", "decks", "secrets", "options")


def compared_thing(expected: Data, thing: Thing) -> list[Row]:
    """How a thing stands beside how it should."""
    rows: list[Row] = []
    for key, value in expected.table().items():
        name = f"{thing.id} {key}"
        if key == "at":
            rows.append(_named(name, value, thing.place))
        elif key == "states":
            rows += _states(thing, value)
        elif key == "lacks":
            found = [state for state in value.texts() if state in thing.states]
            rows.append(Row(name, plain_words(value), f"has {', '.join(found)}" if found else "lacks them", not found))
        elif key == "gone" and isinstance(value.node.value, bool):
            rows.append(Row(name, plain_words(value), thing.gone or "false", bool(thing.gone) is value.node.value))
        elif key in _THING:
            rows.append(_named(name, value, getattr(thing, key)))
        else:
            raise expected.fail(f"things have no `{key}`", nearest(key, _THING), key)
    return rows


def _states(thing: Thing, value: Data) -> list[Row]:
    name = f"{thing.id} states"
    have = value_words({state: mark.value for state, mark in thing.states.items()}) if thing.states else NONE
    if isinstance(value.node.value, dict):
        return [Row(name, plain_words(value), have, agrees(value, thing.states))]
    if value.node.value == NONE or value.node.value == []:
        return [Row(name, NONE, have, not thing.states)]
    wanted = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
    return [Row(name, plain_words(value), have, all(state in thing.states for state in wanted))]


def compared_battle(expected: Data, table: Table) -> list[Row]:
    """How the battle stands beside how it should."""
    rows: list[Row] = []
    for key, value in expected.table().items():
        if key not in _BATTLE:
            raise expected.fail(f"the battle has no `{key}`", nearest(key, _BATTLE), key)
        actual: Any
        if key == "ended":
            actual = table.ending is not None
        elif key in ("winner", "reason"):
            actual = getattr(table.ending, key) if table.ending is not None else None
        elif key == "acting":
            wanted = value.node.value
            actual = wanted if wanted in table.acting else table.acting
        else:
            actual = getattr(table, key)
        rows.append(_named(f"battle {key}", value, actual))
    return rows


def _named(name: str, expected: Data, actual: Any) -> Row:
    return Row(name, plain_words(expected), value_words(actual), agrees(expected, actual))


def compared_question(expected: Data, question: AnyQuestion) -> list[Row]:
    """An open question beside the one a case expects."""
    rows: list[Row] = []
    offered = tuple(option.id for option in getattr(question, "options", ()))
    for key, value in expected.table().items():
        if key == "kind":
            rows.append(row(key, value, str(question.__struct_config__.tag)))
        elif key == "prompt":
            rows.append(Row(key, plain_words(value), question.prompt, value.text_at() in question.prompt))
        elif key in ("options", "offers", "lacks"):
            names = set(value.texts())
            same = {
                "options": names == set(offered),
                "offers": names <= set(offered),
                "lacks": not names & set(offered),
            }[key]
            rows.append(Row(key, plain_words(value), value_words(offered), same))
        elif key in question.__struct_fields__:
            rows.append(row(key, value, getattr(question, key)))
        else:
            known = ("kind", "options", "offers", "lacks", *question.__struct_fields__)
            raise expected.fail(f"a question of this kind has no `{key}`", nearest(key, known), key)
    return rows


def compared_preview(expected: Data, preview: Preview) -> list[Row]:
    """A preview beside the one a case expects."""
    readers: dict[str, Callable[[Data, Preview], list[Row]]] = {
        "explanations": lambda value, seen: [_one_of("explanation", one, seen.explanations) for one in value.items()],
        "paths": lambda value, seen: [_one_of("path", one, seen.paths) for one in value.items()],
        "sight": lambda value, seen: [_one_of("sight", one, seen.sight) for one in value.items()],
        "notes": lambda value, seen: [_note(one, seen) for one in value.items()],
        "distances": lambda value, seen: [_distance(key, one, seen) for key, one in value.table().items()],
        "odds": lambda value, seen: [_odds(key, one, seen) for key, one in value.table().items()],
    }
    rows: list[Row] = []
    for key, value in expected.table().items():
        if key not in readers:
            raise expected.fail(f"a preview has no `{key}`", nearest(key, readers), key)
        rows += readers[key](value, preview)
    return rows


def _one_of(what: str, expected: Data, things: Sequence[Any]) -> Row:
    same = any(agrees(expected, thing) for thing in things)
    came = "; ".join(_struct_words(thing) for thing in things) or "nothing"
    return Row(what, plain_words(expected), came, same)


def _struct_words(thing: Any) -> str:
    return ", ".join(f"{name} {value_words(getattr(thing, name))}" for name in thing.__struct_fields__)


def _note(expected: Data, preview: Preview) -> Row:
    words = expected.text_at()
    return Row("note", words, "; ".join(preview.notes) or "nothing", any(words in note for note in preview.notes))


def _distance(who: str, expected: Data, preview: Preview) -> Row:
    found = preview.distances.get(who)
    came = "nothing" if found is None else str(Decimal(found) / UNIT)
    same = expected.node.value == NONE if found is None else thousandths(expected.node.value) == found
    return Row(f"distance {who}", plain_words(expected), came, same)


def _odds(label: str, expected: Data, preview: Preview) -> Row:
    chances = {chance.label.casefold(): chance for chance in preview.odds}
    found: Chance | None = chances.get(label.casefold())
    if found is None:
        return Row(f"odds {label}", plain_words(expected), "nothing", expected.node.value == NONE)
    if found.range is not None or isinstance(expected.node.value, list):
        came = "one chance" if found.range is None else f"{found.range[0]} to {found.range[1]} in a thousand"
        same = isinstance(expected.node.value, list) and expected.numbers() == found.range
        return Row(f"odds {label}", plain_words(expected), came, same)
    exact = Fraction(found.numerator, found.denominator)
    try:
        wanted = Fraction(str(expected.scalar()))
    except (ValueError, ZeroDivisionError):
        raise expected.fail("this is no chance", "a fraction such as 5/12 would do") from None
    return Row(f"odds {label}", plain_words(expected), str(exact), wanted == exact)
