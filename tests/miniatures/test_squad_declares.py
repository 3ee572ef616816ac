"""Transcript 1, played as written: declare everything, shoot back, lose the surplus, settle at the end.

The transcript's first roll shows three dice (6, 6, 1), so R1's first shot is inspired too: two C3 points are pledged.
"""

from itertools import pairwise
from typing import Any

from sandtable.engine.answers.judging import open_parts
from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    Declared,
    Forfeited,
    Grouped,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    Moved,
    Passed,
    Rolled,
    Spent,
    StateChanged,
)
from sandtable.engine.ids import BLUE, NO_SIDE, RED, ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, MoveModels, Plan, React, Reaction, Refusal
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Leg, Point, Walk
from tests.miniatures.playing import (
    asked,
    cause,
    count,
    give,
    last,
    marks,
    plain_at_boundary,
    preview,
    refused,
    seen,
    stands,
    takes_back,
    told,
)
from tests.miniatures.squad_declares import SquadDeclares
from tests.miniatures.squad_plan import DECLARE, INSPIRE, LOCK, NO_REPEAT, POOL, SEIZE
from tests.miniatures.squad_shooting import COMBAT_ROLL, DAMAGE, MACS
from tests.miniatures.squad_steps import (
    AT_END,
    DEFENSIVE,
    END,
    IMPOSSIBLE,
    MOVE,
    SEQUENCE,
    SETTLING,
    STATIONARY,
    SURPLUS,
    TRACK,
    TWO_AP,
    WINDOW,
)

SQUAD_3 = [
    {"id": "R1", "side": "red", "squad": "squad 3", "x": 6, "y": 12},
    {"id": "R2", "side": "red", "squad": "squad 3", "x": 10, "y": 9},
    {"id": "R3", "side": "red", "squad": "squad 3", "x": 10, "y": 15},
]
B1 = {"id": "B1", "side": "blue", "squad": "squad 1", "x": 14, "y": 12, "facing": 180, "harm": 1}

#: R1: 6, 6, 1 and a miss; B1's defensive fire: 9 and 10; R2: 9.
DICE = [6, 6, 1, 2, 2, 4, 5, 5, 5, 4, 5]

PLAN: dict[str, Any] = {
    "R1 action 1": "move",
    "R1 action 2": "combat",
    "R1 target": "B1",
    "R1 weapons": MACS,
    "R1 inspire": "MAC 1",
    "R2 action 1": "combat",
    "R2 action 2": "nothing",
    "R2 target": "B1",
    "R2 weapons": MACS,
    "R3 action 1": "lock",
    "R3 action 2": "combat",
    "R3 lock": "B1",
    "R3 target": "B1",
    "R3 weapons": MACS,
    "R3 inspire": "MAC 1",
}


def battle(faces: list[int] | None = None, more: list[dict[str, Any]] | None = None, **options: int) -> Battle:
    setup = Setup(scenario={"models": [*SQUAD_3, B1, *(more or [])], "turns": 1}, options=dict(options))
    return Battle(SquadDeclares(), setup, dice=ScriptedDice(DICE if faces is None else faces))


def walk(*legs: Leg, at: int | None = None) -> dict[str, Walk]:
    return {"R1": Walk(legs, {} if at is None else {"fires here": at})}


def committed(faces: list[int] | None = None) -> Battle:
    fight = battle(faces)
    give(fight, PLAN)
    return fight


def walked(faces: list[int] | None = None) -> Battle:
    fight = committed(faces)
    give(fight, "R1")
    give(fight, walk(Leg(go=6000), at=3000))
    return fight


# The plan -------------------------------------------------------------------------------------------------------------


def test_the_squad_is_asked_for_one_plan_whose_parts_are_questions_of_the_other_kinds() -> None:
    fight = battle()
    plan = asked(fight)
    assert isinstance(plan, Plan)
    assert (plan.side, plan.actors, plan.rules) == ("red", ("R1", "R2", "R3"), (DECLARE,))
    assert plan.budget == {"R1": 2, "R2": 2, "R3": 2, "C3": 2}
    open_at_first = [part.id for part in fight.ruleset.parts(fight.view(RED), plan, {})]
    assert open_at_first == ["R1 action 1", "R2 action 1", "R3 action 1"]
    draft = {"R1 action 1": "combat", "R1 weapons": ("MAC 2",)}
    parts = {part.id: part for part in fight.ruleset.parts(fight.view(RED), plan, draft)}
    assert list(parts)[:5] == ["R1 action 1", "R1 action 2", "R1 target", "R1 weapons", "R1 inspire"]
    assert isinstance(parts["R1 weapons"].question, ChooseSeveral)
    inspire = parts["R1 inspire"].question
    assert isinstance(inspire, ChooseOne)
    assert [option.id for option in inspire.options] == ["MAC 2"]
    assert parts["R1 inspire"].optional


def test_a_page_asks_what_is_open_of_a_draft_as_it_comes_from_outside() -> None:
    fight = battle()
    plan, view = asked(fight), fight.view(RED)
    assert isinstance(plan, Plan)
    parts = open_parts(
        fight.ruleset, view, plan, {"R1 action 1": "combat", "R1 weapons": None, "R2 action 1": "nothing"}
    )
    assert not isinstance(parts, Refusal)
    assert [part.id for part in parts] == ["R1 action 2", "R1 target", "R1 inspire", "R3 action 1"]
    rolls = parts[2].question
    assert isinstance(rolls, ChooseOne)
    assert [option.id for option in rolls.options] == ["MAC 1", "MAC 2"], "declining the weapons takes both"
    left = open_parts(fight.ruleset, view, plan, PLAN)
    assert not isinstance(left, Refusal)
    assert [(part.id, part.optional) for part in left] == [("R2 inspire", True)]
    refusal = open_parts(fight.ruleset, view, plan, {"R1 action 1": "dance"})
    assert isinstance(refusal, Refusal)
    assert isinstance(open_parts(fight.ruleset, view, plan, [1, 2]), Refusal)


def test_combat_twice_is_refused_and_so_is_a_third_c3_point() -> None:
    fight = battle()
    assert refused(fight, {**PLAN, "R2 action 2": "combat"}) == NO_REPEAT
    assert refused(fight, {**PLAN, "R2 inspire": "MAC 2"}) == POOL
    missing = {name: value for name, value in PLAN.items() if name != "R3 target"}
    assert refused(fight, missing) == DECLARE
    assert refused(fight, {**PLAN, "R9 action 1": "move"}) == DECLARE


def test_a_plan_shows_points_left_and_nothing_that_is_measured() -> None:
    shown = preview(battle(), PLAN)
    assert shown.notes == ("R1: 0 AP left", "R2: 1 AP left", "R3: 0 AP left", "C3: 0 left")
    assert (shown.distances, shown.reach, shown.sight, shown.odds, shown.explanations) == ({}, (), (), (), ())
    agreed = preview(battle(premeasuring=1), PLAN)
    assert agreed.distances["R2 to B1"] == 5000
    assert [explanation.total for explanation in agreed.explanations] == [7, 6, 6]


def test_a_target_out_of_range_is_no_reason_to_refuse_a_plan_for_that_would_be_a_ruler() -> None:
    far = {"id": "B2", "side": "blue", "squad": "squad 2", "x": 35, "y": 1}
    fight = battle([], [far])
    draft = {**PLAN, "R2 target": "B2"}
    near, away = preview(fight, PLAN), preview(fight, draft)
    assert near == away
    give(fight, draft)
    events = give(fight, "R2")
    assert events[-1] == Forfeited("R2", "combat", rule=IMPOSSIBLE)


def test_drafts_are_nobody_elses_business() -> None:
    fight = battle()
    before = seen(fight, BLUE)
    fight.check(PLAN)
    fight.check({**PLAN, "R2 action 2": "combat"})
    assert seen(fight, BLUE) == before


def test_the_commit_tells_all_takes_the_points_and_opens_measuring() -> None:
    fight = battle()
    events = give(fight, PLAN)
    assert events == [
        Declared("R1", "move, combat", ("B1",), MACS, rule=DECLARE),
        Declared("R2", "combat", ("B1",), MACS, rule=DECLARE),
        Declared("R3", "lock, combat", ("B1",), MACS, rule=DECLARE),
        Spent("R1", "AP", 2, 0, rule=TWO_AP),
        Spent("R2", "AP", 1, 1, rule=TWO_AP),
        Spent("R3", "AP", 2, 0, rule=TWO_AP),
        Spent("red", "C3", 1, 1, rule=INSPIRE),
        Spent("red", "C3", 1, 0, rule=INSPIRE),
    ]
    assert [type(event) for event in fight.logs[BLUE].events[-8:]] == [type(event) for event in events]
    stands(fight, "red", "blue")
    plain_at_boundary(fight)


# Resolving ------------------------------------------------------------------------------------------------------------


def test_red_chooses_who_resolves_and_marks_where_it_fires() -> None:
    fight = committed()
    which = asked(fight)
    assert isinstance(which, ChooseOne)
    assert (which.side, [option.id for option in which.options], which.rules) == (
        "red",
        ["R1", "R2", "R3"],
        (SEQUENCE,),
    )
    give(fight, "R1")
    move = asked(fight)
    assert isinstance(move, MoveModels)
    assert (move.models, move.allowance, [mark.id for mark in move.marks]) == (("R1",), {"R1": 6000}, ["fires here"])
    assert refused(fight, walk(Leg(go=6001))) == MOVE
    assert refused(fight, walk(Leg(go=3000), at=3001)) == "strikeops.shooting.move-and-shoot"
    assert refused(fight, walk(Leg(turn=180, go=5501))) == "strikeops.movement.no-stacking"
    assert preview(fight, walk(Leg(go=6000))).distances == {"B1": 2000}
    events = give(fight, walk(Leg(go=6000), at=3000))
    assert events == [
        Moved(
            ThingId("R1"),
            At(Point(6000, 12000)),
            At(Point(9000, 12000)),
            0,
            Walk((Leg(go=3000),), {"fires here": 3000}),
            rule=MOVE,
        ),
        StateChanged("squad 3", "shooting", None, 1, END, rule=WINDOW),
    ]


def test_a_move_may_be_taken_back_until_blue_answers() -> None:
    fight = walked()
    takes_back(fight, RED)
    assert isinstance(asked(fight), MoveModels)
    give(fight, walk(Leg(go=6000), at=3000))
    give(fight, None, BLUE)
    stands(fight, "red", "blue")


def test_the_target_is_asked_once_at_the_last_moment_before_the_first_roll() -> None:
    fight = walked()
    window = asked(fight)
    assert isinstance(window, React)
    assert (window.side, window.moment, window.rules) == ("blue", "defensive fire", (WINDOW,))
    assert [(o.id, o.actor, o.cost) for o in window.options] == [
        (f"B1 answers {attacker}", "B1", {"AP": 2}) for attacker in ("R1", "R2", "R3")
    ]
    assert refused(fight, Reaction("B1 answers R9")) == WINDOW
    assert give(fight, Reaction("B1 answers R1"))[0] == Declared("B1", "B1 answers R1", ("squad 3",), rule=DEFENSIVE)
    weapons = asked(fight)
    assert isinstance(weapons, ChooseSeveral)
    assert (weapons.side, weapons.at_least, [o.id for o in weapons.options]) == ("blue", 1, list(MACS))
    takes_back(fight, BLUE)
    assert asked(fight) == window


def test_shots_and_answers_fall_as_written_and_the_surplus_is_lost() -> None:
    fight = walked()
    give(fight, Reaction("B1 answers R1"))
    events = give(fight, MACS)
    assert events[:2] == [
        Spent("B1", "AP", 2, 0, rule=DEFENSIVE),
        StateChanged("B1", "defensive fire", None, ("R1", *MACS), END, rule=DEFENSIVE),
    ]
    rolls = [(e.by, e.faces, e.needs, e.margin, e.outcome) for e in events if isinstance(e, Rolled)]
    assert rolls == [
        ("R1", (6, 6, 1), 6, 7, "hit"),
        ("R1", (2, 2), 6, -2, "miss"),
        ("B1", (4, 5), 8, 1, "deflected"),
        ("B1", (5, 5), 8, 2, "hit"),
    ]
    assert {event.rule for event in events if isinstance(event, Rolled)} == {COMBAT_ROLL}
    parts = [(part.label, part.value) for part in last(fight, Rolled).needs_parts]
    assert parts == [("short range", 6), ("defensive fire", 2)]
    assert [event for event in events if isinstance(event, HarmNoted)] == [
        HarmNoted("B1", Harm("damage", 2, {"pilot check": 0}), END, rule=DAMAGE),
        HarmNoted("R1", Harm("damage", 1), END, rule=DAMAGE),
    ]
    assert cause(fight, last(fight, HarmNoted)) == last(fight, Rolled)
    assert events[-1] == Moved(
        ThingId("R1"), At(Point(9000, 12000)), At(Point(12000, 12000)), 0, Walk((Leg(go=3000),)), rule=MOVE
    )
    stands(fight, "red", "blue")

    left = asked(fight)
    assert isinstance(left, ChooseOne)
    assert [option.id for option in left.options] == ["R2", "R3"]
    before = count(fight)
    give(fight, "R2")
    later = told(fight, before)
    assert later[0] == StateChanged("R2", "stationary", None, 1, "next activation", rule=STATIONARY)
    roll = later[1]
    assert isinstance(roll, Rolled)
    assert (roll.natural, roll.needs, roll.margin) == (9, 5, 4)
    assert later[2:] == [
        HarmNoted("B1", Harm("damage", 1), END, rule=DAMAGE),
        Forfeited("R2", "MAC 2", rule=SURPLUS),
        StateChanged("R3", "stationary", None, 1, "next activation", rule=STATIONARY),
        StateChanged("R3", "lock", None, "B1", "next activation", rule=LOCK),
        Forfeited("R3", "combat", rule=SURPLUS),
    ]
    assert fight.table["red"].count("C3") == 0, "the point pledged for R3 stays spent"
    assert fight.table["B1"].harm == 1, "noted is not applied"


def settling() -> Battle:
    fight = walked()
    for answer in (Reaction("B1 answers R1"), MACS, "R2"):
        give(fight, answer)
    return fight


def test_red_says_whose_harm_comes_first_and_all_of_it_comes_at_once() -> None:
    fight = settling()
    whom = asked(fight)
    assert isinstance(whom, ChooseOne)
    assert (whom.side, [option.id for option in whom.options], whom.rules) == ("red", ["B1", "R1"], (SETTLING,))
    events = give(fight, "B1")
    assert events[0] == HarmApplied("B1", Harm("damage", 3), 1, 4, rule=AT_END)
    lost = events[1]
    assert isinstance(lost, ModelLost)
    assert (lost.model, lost.how, lost.rule) == ("B1", "out of action", TRACK)
    assert lost.leaves is not None
    assert lost.leaves.id == "hulk of B1"
    assert events[2:4] == [
        HarmCancelled("B1", Harm("pilot check", 0), "out of action", rule=SETTLING),
        HarmApplied("R1", Harm("damage", 1), 0, 1, rule=AT_END),
    ]
    assert cause(fight, last(fight, ModelLost)) == last(fight, HarmApplied, 2)
    assert fight.ended
    assert fight.table.ending is not None
    assert fight.table.ending.winner == "red"


def test_settling_may_be_taken_back_where_it_rolls_no_die() -> None:
    far = {"id": "B2", "side": "blue", "squad": "squad 2", "x": 35, "y": 1}
    fight = battle(more=[far])
    for answer in (PLAN, "R1", walk(Leg(go=6000), at=3000), Reaction("B1 answers R1"), MACS, "R2"):
        give(fight, answer)
    before = fight.digest()
    give(fight, "R1")
    assert fight.table["B1"].gone
    takes_back(fight, RED)
    assert (fight.digest(), fight.table["B1"].gone) == (before, "")
    give(fight, "B1")
    assert [piece.id for piece in fight.table.ground.pieces] == ["hulk of B1"]


def test_a_boundary_follows_every_weapon() -> None:
    fight = settling()
    row = marks(fight)
    rolls = [at for at, word in enumerate(row) if word == "Rolled"]
    for one, other in pairwise(rolls):
        assert "|" in row[one:other], f"no boundary between two rolls: {row[one:other]}"
    plain_at_boundary(fight)


def test_blue_sees_every_die_and_no_side_knows_more_than_the_other() -> None:
    fight = settling()
    assert fight.logs[RED].events == fight.logs[BLUE].events
    assert fight.logs[NO_SIDE].events == fight.logs[RED].events


# What the transcript does not show -----------------------------------------------------------------------------------


def test_whoever_passes_is_not_asked_again_in_the_same_activation() -> None:
    fight = walked([1, 1, 6, *[2] * 11])
    events = give(fight, None)
    first = next(event for event in events if isinstance(event, Rolled))
    assert (first.total, first.needs, first.outcome) == (8, 6, "miss"), (
        "a natural 2 misses, whatever the third die says"
    )
    give(fight, "R2")
    assert not [question for question in fight.questions if isinstance(question, React)]
    assert [event for event in told(fight) if isinstance(event, Passed)] == [
        Passed(BLUE, "defensive fire", rule=WINDOW)
    ]


def test_a_model_attached_by_a_c3_point_acts_with_the_squad_and_then_goes_home() -> None:
    other = {"id": "R4", "side": "red", "squad": "squad 4", "x": 2, "y": 2}
    fight = battle([], [other])
    give(fight, "squad 3")
    quiet = {f"R{n} action 1": "nothing" for n in (1, 2, 3, 4)}
    assert isinstance(fight.check({**quiet}), Refusal), "without the point R4 is not asked"
    events = give(fight, {"attach": "R4", **quiet})
    assert Spent("red", "C3", 1, 1, rule=SEIZE) in events
    assert Grouped((ThingId("R4"),), ThingId("squad 3"), END, rule=SEIZE) in events
    for model in ("R1", "R2", "R3"):
        give(fight, model)
    assert fight.table["R4"].unit == "squad 4"
    assert fight.table["R4"].has("acted")
