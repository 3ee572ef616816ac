"""How things, questions and previews stand beside what a case says of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from sandtable.engine.questions import AnyQuestion, Chance, PathNote, Preview
from sandtable.engine.shapes import UNIT, Off
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import nearest
from sandtable.forces.reading import thousandths
from sandtable.lab.cases.matching import (
    NONE,
    Called,
    agrees,
    by_name_only,
    decks_of,
    is_body,
    loose,
    plain_words,
    row,
    same_word,
)
from sandtable.lab.cases.telling import Row, value_words

#: What `then` may say of a thing, of the battle, `asked` of a question, and `shows` of a preview.
THING_KEYS = {
    "at": "[x, y], or off, or {off: why}, or {in: holder, slot: …}, or {at: [x, y], level: 1}",
    "facing": "in degrees: 0 is east, 90 south",
    "harm": "points on its track",
    "states": "a list of states that it must have, {state: value}, or none",
    "lacks": "a list of states that it must not have",
    "counts": "{what: how many}",
    "gone": "how it was lost, or why it was taken off; false: still in play, true: gone in any way",
    "unit": "the unit it belongs to",
    "side": "whose it is",
    "label": "what it is called",
    "card": "its model",
    "track": "how many points its track has",
}
BATTLE_KEYS = {
    "turn": "the number of the turn",
    "phase": "the phase it is in",
    "acting": "a side that acts",
    "winner": "who has won; an empty text: a draw",
    "reason": "why it ended",
    "ended": "true or false",
    "scores": "{side: points}",
    "decks": "{deck: {contents: {card: how many}, order: none}}",
    "secrets": "what has been chosen in secret",
    "options": "{option: value}",
}
QUESTION_KEYS = {
    "side": "who is asked",
    "topic": "what about",
    "kind": "",
    "prompt": "words that stand in the question",
    "options": "all options on offer, in any order",
    "offers": "options that must be on offer, and not refused",
    "lacks": "options that must not be on offer, or are refused",
    "about": "the things it is about",
    "rules": "the rules behind it",
    "shows": "what a preview may show: distance, reach, sight, odds",
    "decline": "what declining is called",
    "default": "what declining takes",
    "sealed": "how long the answer stays secret",
    "facts": "what standing orders may ask about",
}
PREVIEW_KEYS = {
    "explanations": "[{what: to hit, total: 8, parts: {cover: -1}}]; each must be among those shown",
    "notes": "words that stand in a note",
    "distances": "{B: 12.5}; {B: none}: not shown",
    "odds": "{label: 5/12}, {label: [422, 529]} in thousandths where only a range may be known, {label: none}",
    "paths": "[{model: A, total: 3}]",
    "sight": "[{blocked: true}]",
}


def compared_thing(expected: Data, thing: Thing, table: Table, called: Called = by_name_only) -> list[Row]:
    """How a thing stands beside how it should; it has the states of its squad as well, where it may be called so."""
    rows: list[Row] = []
    above = [table[one].states for one in reversed(called(thing.id))]
    held = {state: mark for states in (*above, thing.states) for state, mark in states.items()}
    for key, value in expected.table().items():
        name = f"{thing.id} {key}"
        if key == "at":
            rows.append(_named(name, value, thing.place))
        elif key == "states":
            rows += _states(thing, value, table, held)
        elif key == "lacks":
            found = [state for state in held if loose(state) in map(loose, value.texts())]
            rows.append(Row(name, plain_words(value), f"has {', '.join(found)}" if found else "lacks them", not found))
        elif key == "gone":
            gone = _gone(thing)
            same = bool(gone) is value.node.value if isinstance(value.node.value, bool) else agrees(value, gone)
            rows.append(Row(name, plain_words(value), gone or "false", same))
        elif key in THING_KEYS:
            rows.append(_named(name, value, getattr(thing, key)))
        else:
            raise expected.fail(f"things have no `{key}`", nearest(key, THING_KEYS), key)
    return rows


def _gone(thing: Thing) -> str:
    """How a model was lost, or why a counter or marker was taken off the table."""
    if not thing.gone and thing.kind == "marker" and isinstance(thing.place, Off):
        return thing.place.why
    return thing.gone


def _states(thing: Thing, value: Data, table: Table, held: Mapping[str, Mark]) -> list[Row]:
    name = f"{thing.id} states"
    have = value_words({state: mark.value for state, mark in thing.states.items()}) if thing.states else NONE
    if isinstance(value.node.value, dict):
        known = {loose(state): mark for state, mark in held.items()}
        rows = [
            Row(f"{name}: {state}", plain_words(said), have, _state_agrees(said, known.get(loose(state)), table))
            for state, said in value.table().items()
        ]
        return rows if not all(row.same for row in rows) else [Row(name, plain_words(value), have, True)]
    if value.node.value == NONE or value.node.value == []:
        return [Row(name, NONE, have, not thing.states)]
    wanted = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
    there = set(map(loose, held))
    return [Row(name, plain_words(value), have, all(loose(state) in there for state in wanted))]


def _state_agrees(said: Data, mark: Mark | None, table: Table) -> bool:
    """Whether a state is as a case says; a model stands for its unit, and `true` says no more than that it is there."""
    if mark is None:
        return said.node.value in (NONE, False)
    if said.node.value is True and mark.value == 1:
        return True
    named = table.things.get(str(said.node.value))
    return agrees(said, mark) or (named is not None and bool(named.unit) and mark.value == named.unit)


def compared_battle(expected: Data, table: Table) -> list[Row]:
    """How the battle stands beside how it should."""
    rows: list[Row] = []
    for key, value in expected.table().items():
        if key not in BATTLE_KEYS:
            raise expected.fail(f"the battle has no `{key}`", nearest(key, BATTLE_KEYS), key)
        actual: Any
        if key == "ended":
            actual = table.ending is not None
        elif key in ("winner", "reason"):
            actual = getattr(table.ending, key) if table.ending is not None else None
        elif key == "scores" and table.ending is not None:
            actual = {**table.scores, **table.ending.points}
        elif key == "acting":
            wanted = value.node.value
            actual = wanted if wanted in table.acting else table.acting
        elif key == "decks":
            named = {name: table.decks[one] for name in value.names() for one in decks_of(name, table)}
            actual = named or table.decks
        else:
            actual = getattr(table, key)
        rows.append(_named(f"battle {key}", value, actual))
    return rows


def _named(name: str, expected: Data, actual: Any) -> Row:
    return Row(name, plain_words(expected), value_words(actual), agrees(expected, actual))


def compared_question(expected: Data, question: AnyQuestion, called: Called = by_name_only) -> list[Row]:
    """An open question beside the one a case expects."""
    rows: list[Row] = []
    options = getattr(question, "options", ())
    offered = tuple(option.id for option in options)
    closed = {option.id for option in options if getattr(option, "refused", "")}
    things = [option.id for option in options if option.id in getattr(option, "about", ())]
    for key, value in expected.table().items():
        if key == "kind":
            rows.append(row(key, value, str(question.__struct_config__.tag)))
        elif key == "prompt":
            rows.append(Row(key, plain_words(value), question.prompt, value.text_at() in question.prompt))
        elif key in ("options", "offers", "lacks"):
            names = [plain_words(one) for one in (value.items() if isinstance(value.node.value, list) else (value,))]
            meant = [_meant(name, offered, things, called) for name in names]
            whole = all(meant) and set().union(*meant) in ({*offered}, {*offered} - closed)
            may = [one - closed for one in meant]
            same = {"options": whole, "offers": all(may), "lacks": not any(may)}[key]
            shown = tuple(f"{one} (refused)" if one in closed else one for one in offered)
            rows.append(Row(key, plain_words(value), value_words(shown), same))
        elif key in question.__struct_fields__:
            rows.append(row(key, value, getattr(question, key), called))
        else:
            known = ("kind", "options", "offers", "lacks", *question.__struct_fields__)
            raise expected.fail(f"a question of this kind has no `{key}`", nearest(key, known), key)
    return rows


def _meant(name: str, offered: Collection[str], things: Collection[str], called: Called) -> set[str]:
    """The options that a word names: by their id, by the unit whose body it is, or by what else somebody is called.

    `B at A` begins and ends with names; by how they begin, where nothing is called so as a whole.
    """
    head, space, last = name.rpartition(" ")
    for word in (name, *called(name), *(head + space + one for one in called(last) if head)):
        found = {one for one in offered if same_word(word, one) or (one in things and is_body(word, one))}
        if found:
            return found
    return {one for one in offered if loose(one).startswith(f"{loose(name)} ")}


def compared_preview(expected: Data, preview: Preview) -> list[Row]:
    """A preview beside the one a case expects."""
    readers: dict[str, Callable[[Data, Preview], list[Row]]] = {
        "explanations": lambda value, seen: [_one_of("explanation", one, seen.explanations) for one in value.items()],
        "paths": lambda value, seen: [_path(one, seen.paths) for one in value.items()],
        "sight": lambda value, seen: [_one_of("sight", one, seen.sight) for one in value.items()],
        "notes": lambda value, seen: [_note(one, seen) for one in value.items()],
        "distances": lambda value, seen: [_distance(key, one, seen) for key, one in value.table().items()],
        "odds": lambda value, seen: [_odds(key, one, seen) for key, one in value.table().items()],
    }
    rows: list[Row] = []
    for key, value in expected.table().items():
        if key not in readers:
            raise expected.fail(f"a preview has no `{key}`", nearest(key, readers), key)
        if value.node.value == NONE:
            shown = getattr(preview, key)
            came = "; ".join(one if isinstance(one, str) else getattr(one, "label", "some") for one in shown)
            rows.append(Row(key, NONE, came if shown else NONE, not shown))
            continue
        rows += readers[key](value, preview)
    return rows


def preview_texts(preview: Preview) -> Iterator[str]:
    """Every word that a preview says of numbers and chances."""
    for explanation in preview.explanations:
        yield explanation.what
        yield from (part.label for part in explanation.parts)
    yield from (chance.label for chance in preview.odds)


def _one_of(what: str, expected: Data, things: Sequence[Any]) -> Row:
    same = any(agrees(expected, thing) for thing in things)
    came = "; ".join(_struct_words(thing) for thing in things) or "nothing"
    return Row(what, plain_words(expected), came, same)


def _path(expected: Data, paths: Sequence[PathNote]) -> Row:
    """One of the paths; where a move is paid for in inches, its total may be said so."""
    row = _one_of("path", expected, paths)
    if row.same or not expected.has("total"):
        return row
    rest = [key for key in expected.names() if key != "total"]
    same = any(
        expected.length("total") == one.total and all(agrees(expected.at(key), getattr(one, key)) for key in rest)
        for one in paths
    )
    return replace(row, same=same)


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
    chances = {loose(chance.label): chance for chance in preview.odds}
    found: Chance | None = chances.get(loose(label))
    if found is None:
        shown = ", ".join(chance.label for chance in preview.odds)
        came = f"nothing; there are odds of: {shown}" if shown else "nothing"
        return Row(f"odds {label}", plain_words(expected), came, expected.node.value == NONE)
    if found.range is not None or isinstance(expected.node.value, list):
        came = "one chance" if found.range is None else f"{found.range[0]} to {found.range[1]} in a thousand"
        same = isinstance(expected.node.value, list) and expected.numbers() == found.range
        return Row(f"odds {label}", plain_words(expected), came, same)
    exact = Fraction(found.numerator, found.denominator)
    if expected.node.value == NONE:
        return Row(f"odds {label}", NONE, str(exact))
    try:
        wanted = Fraction(str(expected.scalar()))
    except (ValueError, ZeroDivisionError):
        raise expected.fail("this is no chance", "a fraction such as 5/12 would do") from None
    return Row(f"odds {label}", plain_words(expected), str(exact), wanted == exact)
