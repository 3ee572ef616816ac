"""The form of every kind of answer is checked before any rule is: what is not offered or not sane is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.answers.checking import MOST_ENTRIES, MOST_LEGS, MOST_PARTS, decoded, plain, refused_form
from sandtable.engine.answers.judging import proper_answer
from sandtable.engine.ids import BLUE, RED, RuleId
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
    PlanPart,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import BOUND, At, In, Leg, Point, Spot, Via, Walk
from sandtable.engine.table import Ground, Table
from tests.engine.answers import NONSENSE

VIEW = View(RED, Table(Ground(48000, 48000), (RED, BLUE)))
RULE = (RuleId("r.asked"),)


def options(*ids: str) -> tuple[Option, ...]:
    return tuple(Option(id_) for id_ in ids)


class Planned(Ruleset):
    """A plan of two parts, the second of which opens with the first; a third may be left out."""

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        found = [PlanPart("move", Confirm(RED, "Move?", default=None, rules=(RuleId("r.move"),)))]
        if draft.get("move"):
            found.append(PlanPart("how", ChooseOne(RED, "How?", options=options("fast", "slow"))))
        return [*found, PlanPart("shout", ChooseOne(RED, "Shout?", options=options("hurrah")), optional=True)]


ONE = ChooseOne(RED, "Which?", rules=RULE, options=options("a", "b"))
SEVERAL = ChooseSeveral(
    RED, "Which?", rules=RULE, options=options("a", "b", "c"), at_least=1, at_most=2, not_together=(("b", "c"),)
)
ALLOCATE = Allocate(
    RED,
    "Where to?",
    rules=RULE,
    items=options("x", "y", "z"),
    bins=options("p", "q", "r"),
    allowed={"x": ("p", "q")},
    bin_least={"p": 1},
    bin_most={"q": 1},
)
OWN = Option("x", rules=(RuleId("game.chapter.own"),))
OWN_RULE = Allocate(RED, "Where to?", rules=RULE, items=(OWN,), bins=options("p", "q"), allowed={"x": ("p",)})
PLACE = PlaceThings(RED, "Where?", rules=RULE, things=("A", "B"))
MOVE = MoveModels(RED, "How?", rules=RULE, models=("A",), marks=(MarkAsked("fire", "fires here", required=True),))
STEP = MoveModels(RED, "How?", rules=RULE, models=("A", "B"))
CONFIRM = Confirm(RED, "Sure?", rules=RULE, default=None)
REACT = React(
    RED, "Break in?", rules=RULE, stretch=(1700, 5000), options=(ReactOption("fire", amount_least=1, amount_most=3),)
)
PLAN = Plan(RED, "What?", rules=RULE, actors=("A",))
EVERY_KIND: tuple[AnyQuestion, ...] = (ONE, SEVERAL, ALLOCATE, PLACE, MOVE, CONFIRM, REACT, PLAN)

HERE = Spot(At(Point(1000, 1000)), 90)

LAWFUL: list[tuple[AnyQuestion, Any, Any]] = [
    (ONE, "a", "a"),
    (SEVERAL, ["a", "b"], ("a", "b")),
    (SEVERAL, ("c",), ("c",)),
    (ALLOCATE, {"x": "p", "y": "q", "z": "r"}, {"x": "p", "y": "q", "z": "r"}),
    (PLACE, {"A": HERE, "B": Spot(In("house", "floor"))}, {"A": HERE, "B": Spot(In("house", "floor"))}),
    (
        MOVE,
        {"A": {"legs": [{"by": "leg", "turn": -30, "go": 2500}], "marks": {"fire": 900}}},
        {"A": Walk((Leg(-30, 2500),), {"fire": 900})},
    ),
    (STEP, {}, {"A": Walk(), "B": Walk()}),
    (STEP, {"B": Walk((Leg(0, 1),))}, {"A": Walk(), "B": Walk((Leg(0, 1),))}),
    (CONFIRM, False, False),
    (REACT, {"option": "fire", "along": 1700, "amount": 3}, Reaction("fire", 1700, 3)),
    (REACT, None, None),
    (PLAN, {"how": "fast", "move": True}, {"move": True, "how": "fast"}),
    (PLAN, {"move": False, "shout": "hurrah"}, {"move": False, "shout": "hurrah"}),
]


@pytest.mark.parametrize(("question", "draft", "value"), LAWFUL)
def test_a_lawful_draft_comes_to_its_proper_types(question: AnyQuestion, draft: Any, value: Any) -> None:
    assert proper_answer(Planned(), VIEW, question, draft) == value


REFUSED: list[tuple[AnyQuestion, Any, str]] = [
    (ONE, "c", "'c' is not offered here; choose one of a, b."),
    (ONE, ["a"], "not an answer"),
    (ONE, None, "cannot be declined"),
    (SEVERAL, [], "At least 1 must be chosen"),
    (SEVERAL, ["a", "b", "c"], "At most 2 may be chosen; these are 3."),
    (SEVERAL, ["b", "c"], "b, c may not be chosen together."),
    (SEVERAL, ["a", "a"], "only once"),
    (SEVERAL, ["d"], "'d' is not offered here"),
    (ALLOCATE, {"x": "p", "y": "q"}, "z is missing"),
    (ALLOCATE, {"x": "r", "y": "p", "z": "p"}, "x may not go to 'r'; allowed: p, q."),
    (ALLOCATE, {"x": "p", "y": "q", "z": "q"}, "q takes at most 1; it has 2."),
    (ALLOCATE, {"x": "q", "y": "r", "z": "r"}, "p needs at least 1; it has 0."),
    (ALLOCATE, {"w": "p"}, "'w' is not there to be allotted"),
    (ALLOCATE, {"y": "nowhere"}, "'nowhere'"),
    (PLACE, {"A": HERE}, "Each of A, B must be placed"),
    (PLACE, {"A": HERE, "B": HERE, "C": HERE}, "Each of A, B must be placed"),
    (PLACE, {"A": HERE, "B": Spot(At(Point(BOUND + 1, 0)))}, "far off the table"),
    (PLACE, {"A": HERE, "B": Spot(At(Point(0, 0), 10**6))}, "no such level"),
    (PLACE, {"A": HERE, "B": Spot(At(Point(0, 0)), 360)}, "0 to 359 degrees"),
    (MOVE, {"B": Walk()}, "'B' is not asked to move here"),
    (MOVE, {"A": Walk()}, "Mark where: fires here."),
    (MOVE, {"A": Walk((), {"fire": 0, "jump": 0})}, "There is no mark 'jump' here"),
    (MOVE, {"A": Walk((), {"fire": -1})}, "along the path"),
    (MOVE, {"A": Walk((), {"fire": 10**12})}, "along the path"),
    (MOVE, {"A": Walk((Leg(),) * (MOST_LEGS + 1), {"fire": 0})}, f"at most {MOST_LEGS} legs"),
    (MOVE, {"A": Walk((Leg(361, 0),), {"fire": 0})}, "at most 360 degrees"),
    (MOVE, {"A": Walk((Leg(0, BOUND + 1),), {"fire": 0})}, "stays near the table"),
    (MOVE, {"A": Walk((Via(Point(0, -BOUND - 1)),), {"fire": 0})}, "far off the table"),
    (MOVE, {"A": Walk((Via(Point(0, 0), 10**6),), {"fire": 0})}, "no such level"),
    (CONFIRM, None, "cannot be declined"),
    (CONFIRM, "yes", "not an answer"),
    (CONFIRM, 1, "not an answer"),
    (REACT, {"option": "flee"}, "'flee' is not offered; there is fire."),
    (REACT, {"option": "fire", "along": 1699, "amount": 1}, "from 1.7 to 5 along the path"),
    (REACT, {"option": "fire", "along": 5001, "amount": 1}, "from 1.7 to 5 along the path"),
    (REACT, {"option": "fire", "amount": 1}, "from 1.7 to 5 along the path"),
    (REACT, {"option": "fire", "along": 2000, "amount": 4}, "Put in 1 to 3; this is 4."),
    (REACT, {"option": "fire", "along": 2000}, "Put in 1 to 3; this is 0."),
    (PLAN, {}, "Still to be said: Move?"),
    (PLAN, {"move": True}, "Still to be said: How?"),
    (
        PLAN,
        {"move": False, "how": "fast"},
        "'how' is not asked for, given the rest; what is asked: 'Move?' (move)",
    ),
    (PLAN, {"move": True, "how": "slowly"}, "'slowly' is not offered"),
    (PLAN, {str(n): True for n in range(MOST_PARTS + 1)}, f"at most {MOST_PARTS} parts"),
]


@pytest.mark.parametrize(("question", "draft", "sentence"), REFUSED)
def test_an_answer_of_the_wrong_form_is_refused_with_its_reason(
    question: AnyQuestion, draft: Any, sentence: str
) -> None:
    refusal = proper_answer(Planned(), VIEW, question, draft)
    assert isinstance(refusal, Refusal), refusal
    assert sentence in refusal.sentence
    assert refusal.sentence[-1] in ".?"


@pytest.mark.parametrize("question", EVERY_KIND)
@pytest.mark.parametrize("draft", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_refused_and_nothing_worse(question: AnyQuestion, draft: Any) -> None:
    answer = proper_answer(Planned(), VIEW, question, draft)
    if question is CONFIRM and draft is True:
        return
    assert isinstance(answer, Refusal), answer
    assert answer.rule == "r.asked" or isinstance(question, Plan)
    assert len(answer.sentence) < 3000


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner),
    max_leaves=20,
)


@given(st.sampled_from(EVERY_KIND), anything)
def test_whatever_comes_from_outside_is_an_answer_or_a_refusal(question: AnyQuestion, draft: Any) -> None:
    answer = proper_answer(Planned(), VIEW, question, draft)
    if not isinstance(answer, Refusal):
        assert refused_form(question, answer) is None
        assert decoded(question, plain(question, answer)) == answer


@given(anything)
def test_plain_data_stays_as_it_is(draft: Any) -> None:
    told = plain(ONE, draft)
    assert isinstance(told, Refusal) or plain(ONE, told) == told


def test_a_number_of_entries_is_enough() -> None:
    assert plain(ONE, ["x"] * MOST_ENTRIES) == ["x"] * MOST_ENTRIES
    assert isinstance(plain(ONE, ["x"] * (MOST_ENTRIES + 1)), Refusal)


def test_an_item_that_may_not_go_to_a_bin_is_refused_by_its_own_rule() -> None:
    refusal = refused_form(OWN_RULE, {"x": "q"})
    assert refusal is not None
    assert refusal.rule == "game.chapter.own"
