"""What was expected against what came: events and the values in them.

Everything expected is partial: only what a case names is compared.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.events import AnyEvent, Event, Harm, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import At, Disc, In, Off, Point
from sandtable.engine.table import Mark, Table
from sandtable.forces.data import Data
from sandtable.forces.files import described, nearest
from sandtable.forces.reading import thousandths
from sandtable.lab.cases.telling import LENGTHS, Row, field_words, kebab, value_words

#: Events by the name that files use; `check` is what players call a roll.
EVENTS: dict[str, type[Any]] = {kebab(kind.__name__): kind for kind in AnyEvent.__args__} | {"check": Rolled}
_CAMEL = {kind.__name__: kind for kind in AnyEvent.__args__}

#: What a case writes where a part, a state or a value must not be there.
NONE = "none"

#: Words that players use alike for how a check ends, whichever of them the rules say.
_ALIKE = (
    ("passed", "pass", "passes", "succeeds", "succeeded", "success"),
    ("failed", "fail", "fails", "failure"),
    ("missed", "miss", "misses", "a miss"),
    ("minor", "minor success"),
    ("major", "major success"),
)
#: The fields of events that say who it is about.
_WHO = ("who", "model", "models", "target", "targets", "thing", "by", "about")
_ENDS = {word: words for words in _ALIKE for word in words}


#: What else events and questions may call what a case names: a unit's squad, where it does what the unit is said to.
Called = Callable[[str], Sequence[str]]


def by_name_only(name: str) -> Sequence[str]:
    """Nothing has another name."""
    return ()


class Wanted(NamedTuple):
    """An event that is expected: its kind, and what its fields must hold."""

    item: Data
    kind: type[Any]
    fields: dict[str, Data]
    called: Called = by_name_only


def wanted_event(item: Data, called: Called = by_name_only) -> Wanted:
    """Read an expected event; wrong words fail with the nearest right ones."""
    if not isinstance(item.node.value, dict):
        remedy = "an event is a mapping with its name first, such as {check: combat} or {moved: A}"
        raise item.fail(f"{described(item.node)} stands here", remedy)
    named = [key for key in item.names() if key in EVENTS or key in _CAMEL]
    if not named:
        first = next(iter(item.names()), "")
        raise item.fail("it is not said which event this is", nearest(first, EVENTS))
    kind = EVENTS.get(named[0]) or _CAMEL[named[0]]
    known = kind.__struct_fields__
    for other in named[1:]:  # some fields have the name of an event: what is `left` of what was spent
        if other not in known:
            raise item.fail(f"two events in one: `{named[0]}` and `{other}`", "make two entries of it", other)
    fields: dict[str, Data] = {}
    for key, value in item.table().items():
        if key == named[0]:
            if value.node.value is not None:
                fields[known[0]] = value
        elif key not in known:
            raise item.fail(f"the event `{named[0]}` has no `{key}`", nearest(key, known), key)
        else:
            fields[key] = value
    return Wanted(item, kind, fields, called)


def compared(wanted: Wanted, event: Any) -> list[Row]:
    """The fields of an expected event beside those of one that happened."""
    return [_field_row(name, value, event, wanted.called) for name, value in wanted.fields.items()]


def _field_row(name: str, value: Data, event: Any, called: Called) -> Row:
    came = " and ".join(rules_of(event)) if name == "rule" else field_words(name, getattr(event, name))
    return Row(name, plain_words(value), came, _holds(name, value, event, called))


def _holds(name: str, value: Data, event: Any, called: Called) -> bool:
    """Whether a field of an event is as a case says."""
    if name == "rule":
        return _by_rule(value, event)
    return agrees_or_called(value, getattr(event, name), name, called) or _ends_so(name, value, event)


def _by_rule(wanted: Data, event: Event) -> bool:
    """Whether an event names a rule, or any of several."""
    any_of = wanted.items() if isinstance(wanted.node.value, list) else (wanted,)
    return any(plain_words(one) in rules_of(event) for one in any_of)


def _ends_so(name: str, value: Data, event: Any) -> bool:
    """Whether a check ended as a case says who says only whether it was passed: by how much decides.

    Of a handful of dice `no hit` is a miss as well, and `1 hit` a hit."""
    if name != "outcome" or not isinstance(event, Rolled):
        return False
    words = ends_alike(str(value.node.value))
    if event.margin is None:
        none = event.outcome.startswith("no ")
        return words in _ALIKE[1:3] if none else words == (event.outcome.removeprefix("1 ").casefold(),)
    return words == (_ALIKE[0] if event.margin >= 0 else _ALIKE[1])


def rules_of(event: Event) -> tuple[str, ...]:
    """Every rule that an event names: its own, and those its detail cites."""
    cited = event.detail.get("rules", ())
    more = (event.detail.get("rule"), *(cited if isinstance(cited, tuple | list) else (cited,)))
    return (event.rule, *(str(one) for one in more if one))


def fits(wanted: Wanted, event: Any) -> bool:
    """Whether an event is the expected one."""
    return type(event) is wanted.kind and all(
        _holds(name, value, event, wanted.called) for name, value in wanted.fields.items()
    )


def first_missing(wanted: Sequence[Wanted], events: Sequence[Any]) -> tuple[int, int] | None:
    """Which expected event does not come, and after how many events; none where all come in their order."""
    at = 0
    for n, one in enumerate(wanted):
        start = at
        while at < len(events) and not fits(one, events[at]):
            at += 1
        if at == len(events):
            return n, start
        at += 1
    return None


def nearest_event(wanted: Wanted, events: Sequence[Any]) -> Any | None:
    """The event that comes closest to an expected one: of its kind, with the fewest fields that differ."""
    alike = [event for event in events if type(event) is wanted.kind]
    return min(alike, key=lambda event: sum(not one.same for one in compared(wanted, event)), default=None)


def row(name: str, expected: Data, actual: Any, called: Called = by_name_only) -> Row:
    """One line of a comparison."""
    same = agrees_or_called(expected, actual, name, called)
    return Row(name, plain_words(expected), field_words(name, actual), same)


def agrees_or_called(expected: Data, actual: Any, name: str, called: Called) -> bool:
    """Whether a value is as a case writes it, or names what is also called so."""
    return agrees(expected, actual, name) or _is_called(plain(expected), actual, called)


def _is_called(said: Any, actual: Any, called: Called) -> bool:
    """Whether names are those of what a case names, or what else that is called."""
    if isinstance(actual, tuple | list) and actual:
        names = said if isinstance(said, list) else [said]
        return len(names) == len(actual) and all(map(_is_called, names, actual, [called] * len(names)))
    return isinstance(said, str) and isinstance(actual, str) and (actual == said or actual in called(said))


# Values ----------------------------------------------------------------------------------------------------------


def agrees(expected: Data, actual: Any, name: str = "") -> bool:
    """Whether a value is as a case writes it.

    >>> from sandtable.forces.files import read_text
    >>> def written(text): return Data(read_text(text, "it"), "it")
    >>> agrees(written("[6, 24.5]"), At(Point(6000, 24500))), agrees(written("{wizzo: 1}"), ()), agrees(written("7"), 8)
    (True, False, False)
    """
    value = expected.node.value
    if isinstance(actual, tuple) and actual and isinstance(actual[0], ExplainedPart):
        return _parts_agree(expected, actual)
    if isinstance(actual, At | In | Off):
        return _place_agrees(expected, actual)
    if isinstance(actual, Point):
        return _point_agrees(expected, actual)
    if isinstance(actual, Disc) and not isinstance(value, dict):  # [x, y, radius], or how far it reaches
        numbers = [one.node.value for one in expected.items()] if isinstance(value, list) else [value]
        whole = (actual.center.x, actual.center.y, actual.radius)
        return tuple(map(thousandths, numbers)) == whole[-len(numbers) :]
    if isinstance(actual, Harm) and not isinstance(value, dict):
        return agrees(expected, actual.amount if isinstance(value, int) else actual.what)
    if isinstance(actual, Mark) and not isinstance(value, dict):
        return agrees(expected, actual.value)
    if isinstance(value, dict):
        return _mapping_agrees(expected, actual)
    if isinstance(actual, tuple | list):
        return _list_agrees(expected, actual, name)
    if name == "dice" and isinstance(value, list | int):  # [d8, d12] and [8, 12] are d8+d12
        sides = [one.node.value for one in expected.items()] if isinstance(value, list) else [value]
        return "+".join(f"d{one}" if isinstance(one, int) else str(one) for one in sides) == str(actual)
    if name == "dice" and isinstance(actual, str) and value == actual.rpartition(" of ")[2]:
        return True  # 4d6 of which the best two count are 4d6
    return _scalar_agrees(value, actual, name)


def _scalar_agrees(value: Any, actual: Any, name: str) -> bool:
    if value is None or value == NONE:
        return actual is None or actual in (value, "")
    if isinstance(value, bool) or isinstance(actual, bool):
        return _truth(value) is _truth(actual)
    if isinstance(actual, int):
        if isinstance(value, Decimal) or (name in LENGTHS and isinstance(value, int)):
            return thousandths(value) == actual
        return bool(value == actual)
    if name in _WHO and is_body(str(value), str(actual)):
        return True
    if name == "outcome" and isinstance(actual, str):
        said = {*ends_alike(str(value))}
        return not isinstance(value, list) and bool(said & {*ends_alike(actual), loose(actual).partition(" (")[0]})
    return actual is not None and not isinstance(value, list) and same_word(str(value), str(actual))


def is_body(name: str, thing: str) -> bool:
    """Whether a thing is the body of a unit: V-hull, which cases tell of as V too. V-2 is somebody else.

    >>> is_body("V", "V-hull"), is_body("V", "V-2")
    (True, False)
    """
    return thing.startswith(f"{name}-") and thing[len(name) + 1 :].isalpha()


def thing_of(name: str, table: Table) -> str:
    """The thing that a case calls so: by its id, as the body of a unit of which nothing else is there (`H` for the
    hull of a carrier without a crew), or as the only thing of that name whose side stands before it."""
    if name in table.things:
        return name
    sides = [loose(f"{side} {name}") for side in table.sides]
    found = [one for one in table.things if is_body(name, one) or loose(one) in sides]
    return found[0] if len(found) == 1 else ""


def decks_of(name: str, table: Table) -> tuple[str, ...]:
    """The deck that a case calls so: where there is one only it is the `deck`."""
    return tuple(table.decks) if loose(name) == "deck" and len(table.decks) == 1 else ()


def _truth(value: Any) -> Any:
    """A word for true or false as what it means; anything else as it is."""
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


def same_word(one: str, other: str) -> bool:
    """Whether two words are the same but for capitals and for what joins their parts.

    >>> same_word("Defensive-fire", "defensive fire"), same_word("hit", "hits")
    (True, False)
    """
    return one == other or loose(one) == loose(other)


def loose(word: str) -> str:
    """A word as names are compared: `light_mac`, `light-mac` and `Light MAC` are one; commas do not matter either."""
    return re.sub(r"[_\s,-]+", " ", word).casefold().strip()


def ends_alike(outcome: str) -> tuple[str, ...]:
    """The words that say of a check that it ended so; what is counted may stand in one number or the other.

    >>> ends_alike("Fails"), ends_alike("hit"), ends_alike("2 damages")
    (('failed', 'fail', 'fails', 'failure'), ('hit',), ('2 damages', '2 damage'))
    >>> ends_alike("no hits")
    ('no hits', 'no hit')
    """
    said = loose(outcome)
    return _ENDS.get(said, tuple(dict.fromkeys((said, re.sub(r"((?:\d+|no) \w+?)s\b", r"\1", said)))))


def is_none(outcome: str) -> bool:
    """Whether a word says that a check came to nothing: `fails`, `miss`."""
    return ends_alike(outcome) in _ALIKE[1:3]


def _list_agrees(expected: Data, actual: Sequence[Any], name: str) -> bool:
    if not isinstance(expected.node.value, list):
        if expected.node.value is None or expected.node.value == NONE:
            return not actual
        return len(actual) == 1 and agrees(expected, actual[0], name)
    items = expected.items()
    return len(items) == len(actual) and all(agrees(one, each, name) for one, each in zip(items, actual, strict=True))


def _mapping_agrees(expected: Data, actual: Any) -> bool:
    if isinstance(actual, msgspec.Struct):
        for key in expected.names():
            if key not in actual.__struct_fields__:
                raise expected.fail(f"there is no `{key}` here", nearest(key, actual.__struct_fields__), key)
        return all(agrees(one, getattr(actual, key), key) for key, one in expected.table().items())
    if isinstance(actual, tuple) and not actual:  # parts of a roll that has none
        return all(one.node.value == NONE for one in expected.table().values())
    if not isinstance(actual, Mapping):
        return False
    known = {loose(str(key)): value for key, value in actual.items()}
    return all(
        agrees(one, known[loose(key)], key) if loose(key) in known else one.node.value in (NONE, None, 0)
        for key, one in expected.table().items()
    )


def _parts_agree(expected: Data, parts: Sequence[ExplainedPart]) -> bool:
    """`{label: value}` for some of the parts; several parts of one label count together.

    What stands in parentheses behind a label says of what it comes, and need not be said. Where a roll is made at
    another row of a table than its own, that row may be named with its number: `{medium range: 7}` of `short range 6 ·
    fired with others at medium range +1`.
    """
    if not isinstance(expected.node.value, dict):
        return False
    values: dict[str, int] = {}
    for part in parts:
        for label in {loose(part.label), loose(part.label.partition(" (")[0])}:
            values[label] = values.get(label, 0) + part.value
    for label, one in expected.table().items():
        found = values.get(loose(label), _at_row(loose(label), parts))
        if one.node.value == NONE:
            if found is not None:
                return False
        elif found is None or found != one.node.value:
            return False
    return True


def _at_row(label: str, parts: Sequence[ExplainedPart]) -> int | None:
    """What a roll comes to at a row that is not its own: the first part, and all that bring it there."""
    kind = label.rpartition(" ")[2]
    moved = [part for part in parts[1:] if re.search(rf" at (.+ )?{re.escape(kind)}$", loose(part.label))]
    if not moved or not loose(moved[-1].label).endswith(f" at {label}"):
        return None
    return parts[0].value + sum(part.value for part in moved)


def _place_agrees(expected: Data, place: At | In | Off) -> bool:
    value = expected.node.value
    if isinstance(value, str):
        return isinstance(place, Off) and value in ("off", place.why)
    if isinstance(value, list):
        return isinstance(place, At) and _point_agrees(expected, place.point)
    if not isinstance(value, dict):
        return False
    if isinstance(place, Off):
        return expected.has("off") and agrees(expected.at("off"), place.why)
    if isinstance(place, In):
        return (
            (agrees(expected.at("in"), place.holder) or is_body(expected.text_at("in"), place.holder))
            and (not expected.has("slot") or agrees(expected.at("slot"), place.slot))
            if expected.has("in")
            else False
        )
    if expected.has("at"):
        level = expected.number("level") if expected.has("level") else place.level
        return _point_agrees(expected.at("at"), place.point) and level == place.level
    return False


def _point_agrees(expected: Data, point: Point) -> bool:
    if not isinstance(expected.node.value, list):
        return False
    numbers = [thousandths(one.node.value) for one in expected.items()]
    return numbers == [point.x, point.y]


def plain_words(expected: Data) -> str:
    """What a case expects, as it is written there."""
    return value_words(plain(expected))


def plain(data: Data) -> Any:
    """A part of a file as plain values."""
    if isinstance(data.node.value, dict):
        return {key: plain(one) for key, one in data.table().items()}
    if isinstance(data.node.value, list):
        return [plain(one) for one in data.items()]
    return data.node.value
