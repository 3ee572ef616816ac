"""General candidates: what a sensible player would look at, by the kind of question alone, the same every time."""

from itertools import islice
from typing import Any

import pytest

from sandtable.bots.candidates import candidates
from sandtable.bots.spread import APART
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import UNIT, At, Base, Point, Region, Spot, Via, Walk, rectangle
from sandtable.engine.table import Ground, Table, Thing


def thing(name: ThingId, side: Side, x: int, y: int) -> Thing:
    """A model at a place, in units."""
    return Thing(name, side=side, label=name, base=Base("circle", UNIT), place=At(Point(x * UNIT, y * UNIT)))


def view_of(*things: Thing) -> View:
    """What red sees of them."""
    return View(RED, Table(Ground(48 * UNIT, 48 * UNIT), (RED, BLUE), {one.id: one for one in things}))


def drafts(question: AnyQuestion, *things: Thing, rules: Ruleset | None = None, most: int = 20) -> list[Any]:
    """The first drafts for a question."""
    found = candidates(rules or Ruleset(), None, view_of(*things), question)
    return [one.draft for one in islice(found, most)]


def test_of_several_things_the_nearest_comes_first_and_what_declining_takes_last() -> None:
    options = tuple(Option(name, name, (name,)) for name in ("wait", "far", "near"))
    question = ChooseOne(RED, "At whom?", about=("r",), options=options, default="wait")
    things = (thing(ThingId("r"), RED, 5, 5), thing(ThingId("far"), BLUE, 40, 5), thing(ThingId("near"), BLUE, 9, 5))
    assert drafts(question, *things) == ["near", "far", "wait", None]


def test_all_that_may_go_together_go_together() -> None:
    options = tuple(Option(name) for name in "abc")
    question = ChooseSeveral(RED, "Which?", options=options, not_together=(("a", "b"),))
    assert drafts(question)[0] == ("a", "c")


def test_bins_get_what_they_need_before_anybody_gets_more() -> None:
    question = Allocate(
        RED,
        "What is what?",
        items=tuple(Option(name) for name in "xyz"),
        bins=(Option("dummy"), Option("squad"), Option("team")),
        bin_least={"squad": 1, "team": 1},
        bin_most={"squad": 1, "team": 1},
    )
    assert sorted(drafts(question)[0].values()) == ["dummy", "squad", "team"]


def test_a_reaction_breaks_in_as_soon_as_it_may_and_passing_comes_last() -> None:
    found = drafts(React(RED, "Fire?", options=(ReactOption("r", "R fires"),), stretch=(300, 900)))
    assert found == [Reaction("r", 300, 0), None]


def test_a_yes_or_no_question_is_answered_as_declining_would_first() -> None:
    assert drafts(Confirm(RED, "Jump?", default=False))[:2] == [False, True]


def test_who_moves_goes_towards_the_enemy_and_may_stay() -> None:
    question = MoveModels(RED, "Go", models=("r",), allowance={"r": 6 * UNIT}, faces=False)
    first, *rest = drafts(question, thing(ThingId("r"), RED, 5, 5), thing(ThingId("b"), BLUE, 40, 5))
    (leg,) = first["r"].legs
    assert isinstance(leg, Via)
    assert leg.point == Point(11 * UNIT, 5 * UNIT)
    assert {"r": Walk()} in rest


class Spaced(Ruleset):
    """Things lie in the upper half only."""

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why not."""
        low = any(spot.where.point.y > 12 * UNIT for spot in answer.values())
        return Refusal(RuleId("r.half"), "Only in the upper half.") if low else None


@pytest.mark.parametrize("count", [2, 9])
def test_counters_that_would_lie_in_a_row_in_one_corner_are_parted_as_far_as_the_judge_lets_them(count: int) -> None:
    names = tuple(f"c{n}" for n in range(count))
    row = {name: Spot(At(Point((n + 1) * UNIT, UNIT))) for n, name in enumerate(names)}
    strip = Region((rectangle(0, 0, 48 * UNIT, 20 * UNIT),), whole=False)
    question = PlaceThings(RED, "Lay them", things=names, where={"": strip}, faces=False, default=row)
    first = drafts(question, rules=Spaced(), most=1)[0]
    points = [spot.where.point for spot in first.values()]
    gaps = [(a.x - b.x) ** 2 + (a.y - b.y) ** 2 for n, a in enumerate(points) for b in points[:n]]
    assert min(gaps) >= (5 * UNIT) ** 2
    assert max(point.y for point in points) <= 12 * UNIT
    assert min(gaps) <= APART**2 or count == 2
