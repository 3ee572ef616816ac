"""Typed values from files: every mistake is told with its line, what was found and what would do."""

from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NewType

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.shapes import BOUND, Point
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError
from sandtable.forces.reading import Length, Where, load_text
from sandtable.forces.writing import dump

Name = NewType("Name", str)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Pair(msgspec.Struct, frozen=True, array_like=True):
    left: Length
    right: int = 0


class Leaf(msgspec.Struct, frozen=True):
    """Every kind of value a file may hold."""

    whole: int
    gap: Length = 0
    at: Where | None = None
    name: Name = Name("")
    exact: Decimal = Decimal(0)
    on: bool = False
    colour: Colour = Colour.RED
    word: Literal["near", "far"] = "near"
    pair: Pair = Pair(0)
    way: tuple[Where, ...] = ()
    either: int | str | list[str] | None = None
    few: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1
    by_name: dict[str, Length] = {}
    kept_word: str = msgspec.field(default="", name="in")


class Tree(msgspec.Struct, frozen=True):
    leaves: list[Leaf]
    branches: "tuple[Tree, ...]" = ()


def test_everything_arrives_as_its_type() -> None:
    text = """
whole: 3
gap: 1.5
at: [6, 24.125]
name: 7
exact: 0.10
on: true
colour: blue
word: far
pair: [2.5]
way: [[0, 0], [1, 0.001]]
either: [a, b]
few: 6
by_name: {10+: 0.25}
in: house
"""
    leaf = load_text(text, Leaf).value
    assert leaf == Leaf(
        whole=3,
        gap=1500,
        at=Point(6000, 24125),
        name=Name("7"),
        exact=Decimal("0.10"),
        on=True,
        colour=Colour.BLUE,
        word="far",
        pair=Pair(2500),
        way=(Point(0, 0), Point(1000, 1)),
        either=["a", "b"],
        few=6,
        by_name={"10+": 250},
        kept_word="house",
    )
    assert isinstance(leaf.at, Point)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: nothing stands here; a mapping with `whole` would do"),
        ("[1]", "1: a list stands here; a mapping with `whole` would do"),
        ("gap: 1", "1: the key `whole` is missing; add `whole`: a whole number"),
        ("whole: 1\ngapp: 2", "2: unknown key `gapp`; did you mean `gap`?"),
        ("whole: 1.0", "1: `whole` is the number 1.0; a whole number would do"),
        ("whole: true", "1: `whole` is `true`; a whole number would do"),
        ("whole: 1\ngap: wide", "2: `gap` is the text `wide`; a length such as 1.5 would do"),
        ("whole: 1\ngap: 0.0001", "2: 0.0001 has more than three decimals; a length such as 1.5 would do"),
        ("whole: 1\ngap: 2000", "2: `gap` is 2000, too large for a table; at most 1048.576 would do"),
        ("whole: 1\nat: 5", "2: `at` is the number 5; a point such as [6, 24.5] or nothing would do"),
        ("whole: 1\nat: [1, 2, 3]", "2: `at` has 3 entries; a list of 2 would do"),
        ("whole: 1\nat: [1, two]", "2: number 2 of `at` is the text `two`; a length such as 1.5 would do"),
        ("whole: 1\ncolour: rad", "2: `colour` is the text `rad`; did you mean `red`?"),
        ("whole: 1\nword: [far]", "2: `word` is a list; `near` or `far` would do"),
        ("whole: 1\nfew: 7", "2: `few` is 7; at most 6 would do"),
        ("whole: 1\nfew: 0", "2: `few` is 0; at least 1 would do"),
        ("whole: 1\npair: []", "2: `pair` has 0 entries; a list such as [left, right] would do"),
        ("whole: 1\nway:\n- [1, 2]\n- 3", "4: number 2 of `way` is the number 3; a point such as [6, 24.5] would do"),
        ("whole: 1\neither: {a: 1}", "2: `either` is a mapping with the key `a`; a whole number or text or a list or"),
        ("whole: 1\nby_name:\n  x: 1\n  y: z", "4: `y` is the text `z`; a length such as 1.5 would do"),
        ("whole: 1\nby_name: [1]", "2: `by_name` is a list; a mapping would do"),
        ("whole: 1\non: yes", "2: `on` is the text `yes`; `true` or `false` would do"),
    ],
)
def test_mistakes_are_told_with_line_and_remedy(text: str, message: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_text(text, Leaf, "case.yaml", CaseError)
    assert str(caught.value).startswith(f"case.yaml:{message}")


def test_loaded_values_know_their_lines() -> None:
    loaded = load_text("leaves:\n- {whole: 1}\n- whole: 2\n  gap: 3\n", Tree, "tree.yaml")
    assert [loaded.line_of("leaves", 1, "gap"), loaded.line_of("leaves", 0), loaded.line_of("leaves", 9)] == [4, 2, 1]
    assert str(loaded.fail.under("leaves", 1)("bad", "mend it", "gap")) == "tree.yaml:4: bad; mend it"


def test_free_data_keeps_its_lines() -> None:
    class Case(msgspec.Struct, frozen=True):
        play: list[Data]

    step = load_text("play:\n- do: {A: shoot,\n    weapons: [mac]}\n", Case, "case.yaml", CaseError).value.play[0]
    assert step.names("do") == ("A", "weapons")
    with pytest.raises(CaseError, match=r"case\.yaml:3: do / weapons is a list; text would do"):
        step.at("do").at("weapons").read(str)


text = st.text(st.characters(codec="utf-8"), max_size=12)
length = st.integers(-BOUND, BOUND)
point = st.builds(Point, length, length)
leaf = st.builds(
    Leaf,
    whole=st.integers(-(10**14), 10**14),
    gap=length,
    at=st.none() | point,
    name=text.map(Name),
    exact=st.decimals(-1000, 1000, places=4),
    on=st.booleans(),
    colour=st.sampled_from(Colour),
    word=st.sampled_from(["near", "far"]),
    pair=st.builds(Pair, length, st.integers(-9, 9)),
    way=st.lists(point, max_size=30).map(tuple),
    either=st.none() | st.integers(0, 9) | text | st.lists(text, max_size=3),
    few=st.integers(1, 6),
    by_name=st.dictionaries(text, length, max_size=4),
    kept_word=text,
)
tree: st.SearchStrategy[Tree] = st.recursive(
    st.builds(Tree, leaves=st.lists(leaf, max_size=2), branches=st.just(())),
    lambda inner: st.builds(Tree, leaves=st.lists(leaf, max_size=2), branches=st.lists(inner, max_size=2).map(tuple)),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(tree)
def test_what_is_dumped_loads_as_the_same_value(value: Tree) -> None:
    assert load_text(dump(value), Tree).value == value


@pytest.mark.parametrize(
    "word", ["null", "~", "", " a", "a ", "1", "1.5", "true", "yes", "- a", "a: b", "a #b", "[", "it's", "é"]
)
def test_awkward_words_stay_words(word: str) -> None:
    for value in (Leaf(1, kept_word=word), Leaf(1, either=[word]), Leaf(1, by_name={word: 1})):
        assert load_text(dump(value), Leaf).value == value


def test_dumped_files_are_pleasant() -> None:
    value = Tree([Leaf(1, gap=250, way=(Point(0, 0), Point(1500, -1)))], (Tree([Leaf(2)]),))
    assert dump(value) == (
        "leaves:\n  - {whole: 1, gap: 0.25, way: [[0, 0], [1.5, -0.001]]}\nbranches:\n  - {leaves: [{whole: 2}]}"
    )


junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.decimals(0, 2, places=2) | st.sampled_from(["far", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["whole", "at", "way", "pair", "in", "leaves", "branches", "x"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(junk)
def test_junk_is_a_value_or_a_file_error(value: Any) -> None:
    told = outcome(dump(value))
    if isinstance(told, FileError):
        assert told.line >= 1
        assert str(told).startswith(f"junk.yaml:{told.line}: ")


def outcome(text: str) -> Tree | FileError:
    try:
        return load_text(text, Tree, "junk.yaml").value
    except FileError as error:
        return error
