"""How answers are written in cases, for every kind of question."""

from typing import Any

import pytest

from sandtable.engine.ids import RED
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MarkAsked,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.shapes import At, In, Leg, Off, Point, Spot, Via, Walk
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, read_text
from sandtable.lab.cases.answers import plain_answer
from sandtable.lab.cases.drafts import as_offered

ONE = PlaceThings(RED, "Where?", things=("A",))
TWO = PlaceThings(RED, "Where?", things=("A", "B"))
MOVE = MoveModels(RED, "Where?", models=("A",))
MOVES = MoveModels(RED, "Where?", models=("A", "B"))
REACT = React(RED, "Fire?")


def value(text: str) -> Data:
    return Data(read_text(text, "it", CaseError), "it", CaseError)


@pytest.mark.parametrize(
    ("question", "text", "draft"),
    [
        (ChooseOne(RED, "Which?"), "B", "B"),
        (ChooseOne(RED, "How many?"), "3", "3"),
        (ChooseSeveral(RED, "Which?"), "[a, b]", ["a", "b"]),
        (ChooseSeveral(RED, "Which?"), "a", ["a"]),
        (Allocate(RED, "Who to whom?"), "{a: B, b: C}", {"a": "B", "b": "C"}),
        (Confirm(RED, "Fire?"), "true", True),
        (Confirm(RED, "Fire?"), "no", False),
        (ONE, "[6, 24.5, 90]", {"A": Spot(At(Point(6000, 24500)), 90)}),
        (ONE, "{at: [6, 24], level: 1, facing: 90}", {"A": Spot(At(Point(6000, 24000), 1), 90)}),
        (ONE, "{in: bunker, slot: roof}", {"A": Spot(In("bunker", "roof"))}),
        (ONE, "{off: reserve}", {"A": Spot(Off("reserve"))}),
        (TWO, "{A: [1, 2], B: [3, 4, 5]}", {"A": Spot(At(Point(1000, 2000))), "B": Spot(At(Point(3000, 4000)), 5)}),
        (MOVE, "3", {"A": Walk((Leg(go=3000),))}),
        (MOVE, "{back: 1.5}", {"A": Walk((Leg(go=-1500),))}),
        (MOVE, "{A: [{turn: -30, go: 2}]}", {"A": Walk((Leg(-30, 2000),))}),
        (MOVE, "[{to: [1, 2], level: 1}]", {"A": Walk((Via(Point(1000, 2000), 1),))}),
        (
            MOVE,
            "{legs: [3, {turn: 60}], marks: {fires here: 2.5}}",
            {"A": Walk((Leg(go=3000), Leg(60)), {"fires here": 2500})},
        ),
        (MOVES, "{A: 1, B: [2, 3]}", {"A": Walk((Leg(go=1000),)), "B": Walk((Leg(go=2000), Leg(go=3000)))}),
        (Plan(RED, "What?"), "{A gun: B, A drill: C}", {"A gun": "B", "A drill": "C"}),
        (MOVES, "1", {"A": Walk((Leg(go=1000),)), "B": Walk((Leg(go=1000),))}),
        (MOVES, "{all: 1, B: 2}", {"A": Walk((Leg(go=1000),)), "B": Walk((Leg(go=2000),))}),
        (ChooseSeveral(RED, "Which?", options=(Option("a"),)), "none", []),
        (ChooseSeveral(RED, "Which?", options=(Option("none"),)), "none", ["none"]),
        (REACT, "fire", Reaction("fire")),
        (REACT, "{option: fire, along: 2.5, amount: 1}", Reaction("fire", 2500, 1)),
        (REACT, "pass", None),
        (MOVE, "", None),
    ],
)
def test_forms_of_answers(question: AnyQuestion, text: str, draft: Any) -> None:
    assert plain_answer(question, value(text)) == draft


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        (ChooseOne(RED, "Which?"), "[a]", "one word would do"),
        (Confirm(RED, "Fire?"), "maybe", "`true` or `false` would do"),
        (ONE, "[6]", "[x, y] or [x, y, facing] would do"),
        (ONE, "{att: [6, 24]}", "did you mean `at`?"),
        (ONE, "[6, 24.00005]", "a length with at most three decimals would do"),
        (MOVE, "{go: 1, back: 2}", "make two legs of it"),
        (MOVE, "far", "a length with at most three decimals would do"),
        (REACT, "{along: 2}", "there is no `option`"),
    ],
)
def test_wrong_forms_say_what_would_do(question: AnyQuestion, text: str, says: str) -> None:
    with pytest.raises(CaseError, match="it:1: ") as caught:
        plain_answer(question, value(text))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("question", "text", "draft"),
    [
        (ChooseOne(RED, "Which?", options=(Option("long-gun"),)), "Long Gun", "long-gun"),
        (ChooseOne(RED, "Which?", options=(Option("A8", "A8's plasma gun"),)), "plasma gun", "A8"),
        (
            Allocate(RED, "Where?", items=(Option("A"),), bins=(Option("edge 1"), Option("hall", "the Hall"))),
            "{a: Edge-1}",
            {"A": "edge 1"},
        ),
        (
            Allocate(RED, "Where?", items=(Option("A"),), bins=(Option("hall", "the Hall"),)),
            "{A: The hall}",
            {"A": "hall"},
        ),
        (
            MoveModels(RED, "Where?", models=("A",), marks=(MarkAsked("fires here"),)),
            "{legs: [3], marks: {Fires-here: 1}}",
            {"A": Walk((Leg(go=3000),), {"fires here": 1000})},
        ),
    ],
)
def test_capitals_hyphens_and_spaces_do_not_matter(question: AnyQuestion, text: str, draft: Any) -> None:
    assert as_offered(question, plain_answer(question, value(text)), lambda word: ()) == draft
