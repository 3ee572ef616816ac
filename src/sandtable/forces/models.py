"""Models as files write them, placed or still to be deployed, and the things of the engine they make.

```yaml
- {model: walker, as: A, at: [6, 24], facing: 90, states: [prone], harm: 2}
- {model: walker, as: B, in: bunker, slot: ground-floor}
- {model: walker, as: C, off: reserve, states: {suppressed: {until: end of turn}, morale: 2}}
- {model: walker, count: size}
```

Scenarios and conformance cases share this form. Without `at`, `in` or `off` a model is still to be deployed.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from sandtable.engine.ids import Side, ThingId
from sandtable.engine.shapes import At, In, Off, Place, Shape
from sandtable.engine.table import Ground, Mark, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import overlap
from sandtable.field.outlines import outline_of
from sandtable.forces.catalogue import Card, Catalogue
from sandtable.forces.files import nearest
from sandtable.forces.reading import Fail, Where, YesNo

#: The place of a model that is still to be deployed.
UNDEPLOYED = Off("to be deployed")

#: How many models a side may have, all entries of its force together.
MAX_MODELS = 500

S = TypeVar("S", bound=msgspec.Struct)

#: A number whose meaning a ruleset knows: how many, how deep, how often. Nothing on a table is counted further.
Amount = Annotated[int, msgspec.Meta(ge=-1000, le=1000), YesNo]

#: Choices that a ruleset knows the meaning of.
Options = dict[str, Amount | str | tuple[str, ...]]

#: The same of a whole battle, which may be played for many points.
BattleOptions = dict[str, Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000), YesNo] | str | tuple[str, ...]]

Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_MODELS)]
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
#: A number that is kept on a model or a piece: a count, or a length in thousandths.
Large = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]


class StateForm(msgspec.Struct, frozen=True):
    """A state with a value or an end."""

    value: Annotated[Large, YesNo] | str | tuple[str, ...] = 1
    until: str = ""

    def mark(self) -> Mark:
        """The state as the engine keeps it."""
        return Mark(self.value, self.until)


#: States by their names, or with what they are.
States = tuple[str, ...] | dict[str, Annotated[Large, YesNo] | str | tuple[str, ...] | StateForm]


def marks_of(states: States) -> dict[str, Mark]:
    """States as the engine keeps them."""
    if isinstance(states, tuple):
        return {state: Mark() for state in states}
    return {state: form.mark() if isinstance(form, StateForm) else Mark(form) for state, form in states.items()}


#: The keys of an entry of a force, with what they say.
MODEL_KEYS = {
    "model": "its card, by id",
    "as": "its name",
    "at": "[x, y] from the north-west corner, x to the east and y to the south",
    "level": "on which storey it stands",
    "in": "what it is in: a vehicle, a building",
    "slot": "where in it",
    "off": "off the table, and why: `reserve`",
    "facing": "where it looks, in degrees: 0 east, 90 south, 180 west, 270 north",
    "unit": "the unit it belongs to",
    "harm": "points on its track",
    "states": "a list of states, or {state: value}, {state: [values]}, or {state: {value: …, until: …}}",
    "counts": "{what: how many}",
    "options": "{option: value}, as the ruleset takes them",
    "count": "how many of them; `size`: as many as the scenario's size",
}


class ModelForm(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a force: a model with its place and condition, or several alike."""

    model: str
    name: str = msgspec.field(default="", name="as")
    at: Where | None = None
    level: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    inside: str = msgspec.field(default="", name="in")
    slot: str = ""
    off: str | None = None
    facing: Annotated[int, msgspec.Meta(ge=0, le=359)] = 0
    unit: str = ""
    harm: NotNegative = 0
    states: States = ()
    counts: dict[str, Large] = {}
    options: Options = {}
    count: Count | Literal["size"] = 1

    @property
    def place(self) -> Place:
        """Where it is."""
        if self.at is not None:
            return At(self.at, self.level)
        if self.inside:
            return In(self.inside, self.slot)
        return UNDEPLOYED if self.off is None else Off(self.off)

    @property
    def marks(self) -> dict[str, Mark]:
        """Its states as the engine keeps them."""
        return marks_of(self.states)


class Words(msgspec.Struct, frozen=True):
    """What a ruleset lets a file say of a model. None: anything."""

    states: frozenset[str] | None = None
    counts: frozenset[str] | None = None


ANYTHING = Words()


class Fielded(msgspec.Struct, Generic[S], frozen=True):
    """A model of a side: the thing on the table, its card, and the entry it comes from."""

    thing: Thing
    card: Card[S]
    form: ModelForm
    entry: int  # the number of that entry in the file


def expanded(forms: Sequence[ModelForm], size: int) -> list[tuple[int, ModelForm]]:
    """One entry for each model, with the number of the entry it comes from; `size` fills in for a size.

    >>> [form.model for _, form in expanded([ModelForm(model="a"), ModelForm(model="b", count="size")], 2)]
    ['a', 'b', 'b']
    """
    return [(n, form) for n, form in enumerate(forms) for _ in range(size if form.count == "size" else form.count)]


def field_models(
    forms: Sequence[ModelForm],
    side: Side,
    catalogue: Catalogue[S],
    fail: Fail,
    *,
    size: int = 1,
    words: Words = ANYTHING,
    taken: Iterable[str] = (),
) -> list[Fielded[S]]:
    """The models of a side, each with an id of its own that no other side has taken.

    A model called by `as` has that name as its id, and its label is that name as it is spoken; the others are numbered
    after their side and labelled with the call signs of their card.
    """
    whole = expanded(forms, size)
    if len(whole) > MAX_MODELS:
        raise fail(f"{side} has {len(whole)} models", f"at most {MAX_MODELS} would do")
    names = set(taken)
    signs: dict[str, int] = {}
    fielded: list[Fielded[S]] = []
    for n, form in whole:
        card = _card(form, catalogue, fail.under(n))
        _check(form, words, fail.under(n))
        if form.name and form.name in names:
            raise fail(f"there are two models called `{form.name}`", "give each a name of its own", n, "as")
        sign = signs[card.id] = signs.get(card.id, -1) + 1
        model_id = form.name or _free(f"{side}-", len(fielded) + 1, names)
        label = _spoken(form.name) or (
            card.call_signs[sign] if sign < len(card.call_signs) else f"{card.name} {sign + 1}"
        )
        names.add(model_id)
        fielded.append(Fielded(_thing(form, ThingId(model_id), label, side, card), card, form, n))
    return fielded


def check_places(things: Iterable[tuple[Thing, int, Fail]], ground: Ground) -> None:
    """Raise an error for a model that hangs over the board's edge, or for two that overlap on one level.

    Each comes with how high it is beside its level: who is in the air overlaps nobody on the ground.
    """
    standing: list[tuple[Thing, tuple[int, int], Shape]] = []
    for thing, high, fail in things:
        if not isinstance(thing.place, At) or thing.base is None:
            continue
        if not (0 <= thing.place.point.x <= ground.width and 0 <= thing.place.point.y <= ground.height):
            raise fail(f"`{thing.id}` stands off the board", "move it onto the board", "at")
        outline = outline_of(thing.base, thing.place.point, thing.facing)
        west, north, east, south = box_of(outline)
        if west < 0 or north < 0 or east > ground.width or south > ground.height:
            raise fail(f"the base of `{thing.id}` hangs over the edge of the board", "move it onto the board", "at")
        for other, level, occupied in standing:
            if level == (thing.place.level, high) and overlap(outline, occupied):
                raise fail(f"the bases of `{other.id}` and `{thing.id}` overlap", "move one of them", "at")
        standing.append((thing, (thing.place.level, high), outline))


def _card(form: ModelForm, catalogue: Catalogue[S], fail: Fail) -> Card[S]:
    if form.model not in catalogue:
        raise fail(f"there is no model `{form.model}`", catalogue.nearest(form.model), "model")
    return catalogue[form.model]


def _check(form: ModelForm, words: Words, fail: Fail) -> None:
    ways = [
        way for way, given in (("at", form.at), ("in", form.inside or None), ("off", form.off)) if given is not None
    ]
    if len(ways) > 1:
        raise fail(f"`{form.model}` is in two places, {' and '.join(ways)}", "keep one of them", ways[1])
    if form.level and form.at is None:
        raise fail("`level` without `at`", "say where it stands", "level")
    if form.slot and not form.inside:
        raise fail("`slot` without `in`", "say what it is in", "slot")
    if form.count != 1 and (form.name or form.at is not None):
        raise fail(f"{form.count} models share one name or place", "give each an entry of its own", "count")
    for state in form.states:
        if words.states is not None and state not in words.states:
            raise fail(f"there is no state `{state}`", nearest(state, sorted(words.states)), "states")
    for what in form.counts:
        if words.counts is not None and what not in words.counts:
            raise fail(f"nothing called `{what}` is counted", nearest(what, sorted(words.counts)), "counts", what)


def _spoken(name: str) -> str:
    """A name as players say it: one made of small words is read out.

    >>> _spoken("red-six"), _spoken("R1"), _spoken("Iron Duke")
    ('Red Six', 'R1', 'Iron Duke')
    """
    return " ".join(word.capitalize() for word in name.split("-")) if "-" in name and name == name.lower() else name


def _free(stem: str, n: int, taken: set[str]) -> str:
    while f"{stem}{n}" in taken:
        n += 1
    return f"{stem}{n}"


def _thing(form: ModelForm, model_id: ThingId, label: str, side: Side, card: Card[S]) -> Thing:
    return Thing(
        id=model_id,
        side=side,
        label=label,
        card=card.id,
        glyph=card.glyph,
        base=card.base,
        height=card.height,
        place=form.place,
        facing=form.facing,
        unit=ThingId(form.unit),
        harm=form.harm,
        states=form.marks,
        counts=dict(form.counts),
    )
