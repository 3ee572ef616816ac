"""The random bot finds a lawful answer to every kind of question wherever there is one, and says so where not."""

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.bots import NoAnswer, make_bot, reason_of
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.answers.judging import check
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
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
    Together,
)
from sandtable.engine.ruleset import Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Disc, In, Leg, Off, Point, Region, Spot, Via, Walk, rectangle
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.measure import contact, covers, gap, outline_of, overlap
from sandtable.field.walking.paths import Pose, resolve
from sandtable.lab.battles import play_battle
from tests.engine.duel import Duel

FOOT = Base("hexagon", UNIT)


def model(name: ThingId, side: Side, x: int = 0, y: int = 0, base: Base = FOOT, *, off: bool = False) -> Thing:
    place = Off("reserve") if off else At(Point(x, y))
    return Thing(name, side=side, base=base, place=place)


def view_of(*things: Thing, size: int = 24) -> View:
    table = Table(Ground(size * UNIT, size * UNIT), (RED, BLUE), {thing.id: thing for thing in things})
    return View(RED, table)


Judge = Callable[[View, Any], bool]


class Only(Ruleset):
    """Rules that let only some answers pass; a question with the topic `free` takes any."""

    def __init__(self, lawful: Judge = lambda view, answer: True) -> None:
        self.lawful = lawful

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic == "free" or self.lawful(view, answer):
            return None
        return Refusal(RuleId("only.this"), "Not so.")


def answers(question: AnyQuestion, view: View | None = None, lawful: Judge | None = None, seeds: int = 25) -> list[Any]:
    """What bots of several seeds answer, each a lawful answer."""
    ruleset = Only(lawful) if lawful else Only()
    view = view or view_of()
    given = []
    for seed in range(seeds):
        draft = RandomBot(ruleset, seed).answer(view, question)
        assert not isinstance(check(ruleset, view, question, draft), Refusal)
        given.append(draft)
    return given


# Choosing ----------------------------------------------------------------------------------------------------------


def test_one_seed_plays_one_battle_and_another_seed_another() -> None:
    def journal(seed: int) -> bytes:
        rules = Duel()
        players = {side: make_bot("random", rules, seed, side) for side in (RED, BLUE)}
        return play_battle(rules, Setup(), players, seed=7).journal.encode()

    assert journal(1) == journal(1)
    assert journal(1) != journal(2)


def test_the_sides_of_one_battle_draw_differently() -> None:
    question = ChooseSeveral(RED, "Which?", options=tuple(Option(str(n)) for n in range(30)))
    red, blue = (make_bot("random", Only(), 5, side).answer(view_of(), question) for side in (RED, BLUE))
    assert red != blue


def test_an_option_that_is_only_shown_is_not_chosen() -> None:
    options = (Option("a", refused="Out of ammunition."), Option("b"), Option("c"))
    assert set(answers(ChooseOne(RED, "Which?", options=options))) == {"b", "c"}
    several = answers(ChooseSeveral(RED, "Which?", options=options))
    assert all("a" not in chosen for chosen in several)
    assert {("b", "c"), ("c", "b")} & set(several)


def test_the_idle_option_is_taken_seldom_but_taken() -> None:
    question = ChooseOne(RED, "Which?", options=(Option("act"), Option("pass")), default="pass")
    given = answers(question, seeds=300)
    idle = sum(answer in ("pass", None) for answer in given)
    assert 20 < idle < 110


def test_it_declines_where_nothing_else_is_lawful() -> None:
    question = ChooseOne(RED, "Which?", options=(Option("a"),), decline="None of them")
    assert set(answers(question, lawful=lambda view, answer: answer is None)) == {None}


def test_a_confirmation_that_only_one_way_passes() -> None:
    assert set(answers(Confirm(RED, "Fire?", default=None), lawful=lambda view, answer: not answer)) == {False}


def test_the_one_lawful_choice_of_many_is_found() -> None:
    options = tuple(Option(str(n)) for n in range(10))
    question = ChooseSeveral(RED, "Which?", options=options, at_least=2, at_most=6)
    wanted = {"1", "4", "9"}
    assert all(
        set(chosen) == wanted
        for chosen in answers(question, lawful=lambda view, chosen: set(chosen) == wanted, seeds=3)
    )


@settings(max_examples=60)
@given(st.data())
def test_choosing_several_finds_an_answer_whenever_the_form_has_one(data: st.DataObject) -> None:
    names = [str(n) for n in range(data.draw(st.integers(1, 6)))]
    least = data.draw(st.integers(0, len(names)))
    groups = data.draw(st.lists(st.lists(st.sampled_from(names), min_size=2, max_size=3).map(tuple), max_size=3))
    options = tuple(Option(name, refused="No." if data.draw(st.booleans()) else "") for name in names)
    most = data.draw(st.none() | st.integers(least, len(names)))
    question = ChooseSeveral(RED, "?", options=options, at_least=least, at_most=most, not_together=tuple(groups))
    possible = any(
        not isinstance(check(Only(), view_of(), question, chosen), Refusal)
        for count in range(len(names) + 1)
        for chosen in combinations(names, count)
    )
    finds_iff(question, possible)


def finds_iff(question: AnyQuestion, possible: bool) -> None:
    bot = RandomBot(Only(), 3)
    if possible:
        assert not isinstance(check(Only(), view_of(), question, bot.answer(view_of(), question)), Refusal)
    else:
        with pytest.raises(NoAnswer):
            bot.answer(view_of(), question)


@settings(max_examples=80)
@given(st.data())
def test_allotting_finds_an_answer_whenever_there_is_one(data: st.DataObject) -> None:
    items = [f"i{n}" for n in range(data.draw(st.integers(1, 5)))]
    bins = [f"b{n}" for n in range(data.draw(st.integers(1, 4)))]
    limit = st.integers(0, 3)
    question = Allocate(
        RED,
        "?",
        items=tuple(Option(item) for item in items),
        bins=tuple(Option(bin_) for bin_ in bins),
        allowed=data.draw(st.dictionaries(st.sampled_from(items), st.lists(st.sampled_from(bins)).map(tuple))),
        bin_least=data.draw(st.dictionaries(st.sampled_from(bins), limit)),
        bin_most=data.draw(st.dictionaries(st.sampled_from(bins), limit)),
        all_items=data.draw(st.booleans()),
    )
    drafts = (
        {item: bin_ for item, bin_ in zip(items, row, strict=True) if bin_}
        for row in product(["", *bins], repeat=len(items))
    )
    finds_iff(question, any(not isinstance(check(Only(), view_of(), question, d), Refusal) for d in drafts))


def test_a_tight_allotment_of_many_is_found_without_a_search() -> None:
    names = [str(n) for n in range(40)]
    question = Allocate(
        RED,
        "Pair off",
        items=tuple(Option(f"a{n}") for n in names),
        bins=tuple(Option(f"b{n}") for n in names),
        allowed={f"a{n}": (f"b{n}", f"b{(int(n) + 1) % 40}", "b0") for n in names},
        bin_least={f"b{n}": 1 for n in names},
        bin_most={f"b{n}": 1 for n in names},
    )
    for seed in range(5):
        bot = RandomBot(Only(), seed)
        bot.answer(view_of(), question)
        assert bot.reason() == "drawn at random, draft 1"


def test_a_react_breaks_in_and_passes_and_keeps_to_amounts_and_stretch() -> None:
    options = (ReactOption("fire", amount_least=1, amount_most=3),)
    given = answers(React(RED, "Fire?", options=options, stretch=(1000, 2000)), seeds=80)
    assert None in given
    shots = [answer for answer in given if isinstance(answer, Reaction)]
    assert {shot.amount for shot in shots} == {1, 2, 3}
    assert len({shot.along for shot in shots}) > 10
    assert answers(React(RED, "Fire?", blind=True), seeds=3) == [None] * 3


# Placing -----------------------------------------------------------------------------------------------------------


def lies_in(region: Region, things: dict[str, Thing]) -> Judge:
    """A judge of places as rulesets have it: whole bases inside, none outside, none overlapping another."""

    def lawful(view: View, answer: Any) -> bool:
        stand = [outline_of(FOOT, m.place.point, m.facing) for m in view.table.models() if isinstance(m.place, At)]
        for name, spot in answer.items():
            shape = outline_of(things[name].base or FOOT, spot.where.point, spot.facing)
            if not any(covers(outer, shape) for outer in region.inside):
                return False
            if any(overlap(shape, other) for other in (*region.outside, *stand)):
                return False
            stand.append(shape)
        return True

    return lawful


def test_ten_bases_fit_into_a_crowded_strip() -> None:
    things = {f"r{n}": model(ThingId(f"r{n}"), RED, off=True) for n in range(10)}
    enemies = [model(ThingId(f"b{n}"), BLUE, 2000 * n + 2000, 1500) for n in range(8)]
    region = Region((rectangle(0, 0, 24 * UNIT, 3 * UNIT),))
    question = PlaceThings(RED, "Deploy", things=tuple(things), where={"": region})
    answers(question, view_of(*things.values(), *enemies), lies_in(region, things), seeds=8)


def test_a_narrow_ring_around_an_enemy_is_hit() -> None:
    things = {"r": model(ThingId("r"), RED, off=True, base=Base("circle", UNIT))}
    ring = Region((Disc(Point(9000, 9000), 1600),), (Disc(Point(9000, 9000), 1500),), whole=False)
    question = PlaceThings(RED, "Beside it", things=("r",), where={"": ring})

    def lawful(view: View, answer: Any) -> bool:
        x, y = answer["r"].where.point
        return bool(1500**2 < (x - 9000) ** 2 + (y - 9000) ** 2 <= 1600**2)

    answers(question, view_of(*things.values()), lawful)


def test_a_single_lawful_grid_point_is_found_by_search() -> None:
    region = Region((rectangle(0, 0, 4800, 4800),), whole=False)
    question = PlaceThings(RED, "Where?", things=("mark",), where={"": region}, faces=False)
    lawful: Judge = lambda view, answer: answer["mark"].where.point == Point(1200, 3600)  # noqa: E731
    assert answers(question, lawful=lawful, seeds=2) == [{"mark": Spot(At(Point(1200, 3600)))}] * 2


def test_things_that_must_touch_are_placed_touching() -> None:
    things = {name: model(name, RED, off=True) for name in (ThingId("r1"), ThingId("r2"), ThingId("r3"))}
    question = PlaceThings(RED, "Column", things=tuple(things), together=Together(touching=True))

    def lawful(view: View, answer: Any) -> bool:
        shapes = [outline_of(FOOT, spot.where.point, spot.facing) for spot in answer.values()]
        return all(any(contact(one, other) for other in shapes if other is not one) for one in shapes)

    answers(question, view_of(*things.values()), lawful, seeds=10)


def test_one_thing_may_be_placed_within_another() -> None:
    things = {
        "r": model(ThingId("r"), RED, off=True),
        "works": model(ThingId("works"), RED, off=True, base=Base("circle", 2500)),
    }
    question = PlaceThings(RED, "Dig in", things=("r", "works"))

    def lawful(view: View, answer: Any) -> bool:
        inner, outer = (outline_of(things[name].base or FOOT, answer[name].where.point, 0) for name in things)
        return covers(outer, inner)

    answers(question, view_of(*things.values()), lawful, seeds=5)


def test_slots_are_taken() -> None:
    slots = (In("house", "ground floor"), In("house", "attic"))
    question = PlaceThings(RED, "Which floor?", things=("r",), where={"r": Region(slots=slots)})
    assert {answer["r"].where for answer in answers(question, view_of(model(ThingId("r"), RED, off=True)))} == set(
        slots
    )


# Moving ------------------------------------------------------------------------------------------------------------


def ends(view: View, answer: Any) -> dict[str, Any]:
    found = {}
    for name, walk in answer.items():
        thing = view.table[name]
        assert isinstance(thing.place, At)
        found[name] = resolve(Pose(thing.place.point, thing.facing), walk)
    return found


def test_moves_use_their_allowance_and_mostly_close_in() -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000), model(ThingId("b"), BLUE, 20000, 12000))
    question = MoveModels(RED, "Walk", models=("r",), allowance={"r": 6}, decline="Stay")
    lawful: Judge = lambda view, answer: answer is None or ends(view, answer)["r"].length <= 6000  # noqa: E731
    walked = [ends(view, answer)["r"] for answer in answers(question, view, lawful, seeds=100) if answer]
    assert len(walked) > 80
    assert sum(track.length >= 2000 for track in walked) > 60
    assert sum(track.end.point.x > 5000 for track in walked) > 50


@pytest.mark.parametrize("left", [0, -1])
def test_who_has_spent_all_or_more_than_it_has_left_stays_where_it_is(left: int) -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000), model(ThingId("b"), BLUE, 20000, 12000))
    question = MoveModels(RED, "Walk", models=("r",), allowance={"r": left}, decline="Stay")
    lawful: Judge = lambda view, answer: answer is None or ends(view, answer)["r"].length == 0  # noqa: E731
    assert len(answers(question, view, lawful, seeds=40)) == 40


@pytest.mark.parametrize("kind", [Leg, Via])
def test_it_learns_which_legs_a_ruleset_takes(kind: type) -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000))
    question = MoveModels(RED, "Walk", models=("r",), allowance={"r": 6}, topic="walk")
    bot = RandomBot(Only(lambda view, answer: all(isinstance(leg, kind) for leg in answer["r"].legs)), 1)
    tries = []
    for _ in range(6):
        bot.answer(view, question)
        tries.append(bot.reason())
    assert tries[1:] == ["drawn at random, draft 1"] * 5


def test_required_marks_are_set_on_the_path() -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000))
    question = MoveModels(RED, "?", models=("r",), allowance={"r": 6}, marks=(MarkAsked("fires here", required=True),))
    lawful: Judge = lambda view, a: a["r"].marks["fires here"] <= ends(view, a)["r"].length  # noqa: E731
    assert len({answer["r"].marks["fires here"] for answer in answers(question, view, lawful)}) > 10


def test_a_model_that_cannot_move_stays() -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000))
    question = MoveModels(RED, "Walk", models=("r",), allowance={"r": 6})
    assert set(map(str, answers(question, view, lambda view, a: ends(view, a)["r"].length == 0, seeds=3))) == {
        str({"r": Walk()})
    }


def test_bound_paths_are_kept() -> None:
    view = view_of(model(ThingId("r"), RED, 4000, 12000))
    bound = {"r": Walk((Leg(30, 1234),))}
    question = MoveModels(RED, "Go on", models=("r",), allowance={"r": 6}, bound_to=bound)
    assert answers(question, view, lambda view, answer: answer == bound, seeds=3) == [bound] * 3


def test_a_squad_charges_into_contact_in_step() -> None:
    round_base = Base("circle", UNIT)
    squad = [model(ThingId(f"r{n}"), RED, 4000 + 1200 * n, 12000, round_base) for n in range(4)]
    enemy = model(ThingId("b"), BLUE, 7000, 6000, round_base)
    question = MoveModels(
        RED, "Charge", models=tuple(m.id for m in squad), allowance=dict.fromkeys((m.id for m in squad), 12000)
    )

    def lawful(view: View, answer: Any) -> bool:
        shapes = [outline_of(round_base, track.end.point, 0) for track in ends(view, answer).values()]
        there = outline_of(round_base, Point(7000, 6000), 0)
        apart = all(gap(a, b) >= 0 for a, b in combinations([*shapes, there], 2))
        return apart and any(gap(shape, there) <= 60 for shape in shapes)

    answers(question, view_of(*squad, enemy), lawful, seeds=10)


# Planning ----------------------------------------------------------------------------------------------------------


class Planned(Only):
    """A plan of three parts: the second opens after the first, the third after the second."""

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        found = [PlanPart("who", ChooseOne(RED, "Who?", options=(Option("a"), Option("b"), Option("c")), topic="free"))]
        if "who" in draft:
            # Whoever is no `b` can do nothing: a dead end that only shows one part later.
            can = (Option("run"), Option("shoot")) if draft["who"] == "b" else ()
            found.append(PlanPart("what", ChooseOne(RED, "What?", options=can, topic="free")))
        if "what" in draft:
            found.append(PlanPart("loud", Confirm(RED, "Loud?", topic="free"), optional=True))
        return found


def test_a_plan_gets_out_of_dead_ends() -> None:
    for seed in range(20):
        draft = RandomBot(Planned(), seed).answer(view_of(), Plan(RED, "Plan"))
        assert draft["who"] == "b"


def test_the_one_lawful_plan_is_found_and_optional_parts_vary() -> None:
    rules = Planned(lambda view, answer: answer["what"] == "shoot" and answer.get("loud") is True)
    assert {RandomBot(rules, seed).answer(view_of(), Plan(RED, "Plan"))["what"] for seed in range(10)} == {"shoot"}
    drafts = [RandomBot(Planned(), seed).answer(view_of(), Plan(RED, "Plan")) for seed in range(30)]
    assert {"loud" in draft for draft in drafts} == {True, False}


# No answer -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        ChooseOne(RED, "Which one?", topic="t"),
        ChooseSeveral(RED, "Which?", options=(Option("a"),), at_least=2),
        Confirm(RED, "Really?", default=None),
        PlaceThings(RED, "Where?", things=("r",), faces=False),
        MoveModels(RED, "Walk?", models=("r",), allowance={"r": 2}),
        Plan(RED, "Plan?"),
    ],
)
def test_where_nothing_is_lawful_it_says_what_was_asked(question: AnyQuestion) -> None:
    with pytest.raises(NoAnswer, match=r"red is asked “.*\?”.*finds no lawful answer") as caught:
        RandomBot(Only(lambda view, answer: False), 1).answer(view_of(model(ThingId("r"), RED, 2000, 2000)), question)
    assert caught.value.question == question


def test_a_bot_may_say_why() -> None:
    bot = make_bot("random", Only(), 1)
    bot.answer(view_of(), Confirm(RED, "Fire?"))
    assert reason_of(bot) == "drawn at random, draft 1"
