"""Transcript 7, played as written: a charge halted by fire, a hero who shrugs it off, a Strike Back and a push."""

from fractions import Fraction
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.enumerator import distribution
from sandtable.engine.events import (
    Counted,
    Declared,
    Halted,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    Moved,
    Rolled,
    Spent,
    StateChanged,
)
from sandtable.engine.ids import BLUE, RED, RuleId, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Confirm, MoveModels, PlaceThings, React, Reaction
from sandtable.engine.ruleset import Setup, View
from sandtable.engine.shapes import At, Leg, Point, Spot, Via, Walk
from sandtable.engine.state import Condition, StandingOrder, State
from tests.miniatures.charge_and_hero import ChargeAndHero
from tests.miniatures.charge_ground import (
    AP_RULE,
    CHARGE,
    CHARGE_DISTANCE,
    CHARGE_TURNING,
    FREE_ATTACK,
    HEROIC_TEST,
    NOW,
    NULLIFY,
    PUSH,
    READY,
    READY_ENDS,
    SAVE_DROPS,
    STRIKE_BACK,
    WINNER,
    Shoot,
)
from tests.miniatures.creatures import CREATURES, DEFENCE, TO_HIT
from tests.miniatures.playing import (
    asked,
    cause,
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

MODELS: list[dict[str, Any]] = [
    {"id": "A", "side": "red", "card": "hero", "x": 10000, "y": 20000},
    {"id": "B", "side": "blue", "card": "trooper", "x": 24750, "y": 28228, "facing": 240},
    {"id": "C", "side": "blue", "card": "rifleman", "x": 40000, "y": 22000, "facing": 180, "ready": True},
]

#: To hit 5, defence 3, Heroic Test 2, strike 1, defence 1.
DICE = [5, 3, 2, 1, 1]
START, HALT, END = Point(10000, 20000), Point(21000, 21732), Point(23500, 26062)


def path(*legs: tuple[int, int]) -> dict[str, Walk]:
    return {"A": Walk(tuple(Leg(turn, go) for turn, go in legs))}


CHARGE_PATH = path((0, 10000), (60, 7000))


def battle(dice: list[int] | None = None) -> Battle:
    setup = Setup(scenario={"models": MODELS, "first": "red", "turns": 1})
    return Battle(ChargeAndHero(), setup, dice=ScriptedDice(DICE if dice is None else dice))


def played(*answers: Any, dice: list[int] | None = None) -> Battle:
    fight = battle(dice)
    for answer in answers:
        give(fight, answer)
    return fight


def test_red_chooses_an_action_and_what_it_may_not_do_says_why() -> None:
    fight = battle()
    question = asked(fight)
    assert isinstance(question, ChooseOne)
    assert (question.side, question.rules) == ("red", (AP_RULE,))
    assert [option.id for option in question.options] == ["walk", "charge", "save", "fire at B", "fire at C", "end"]
    assert {option.id: option.refused for option in question.options if option.refused} == {}
    assert give(fight, "charge") == [
        Declared("A", "charge", rule=CHARGE),
        Spent("A", "AP", 2, 0, rule=CHARGE),
        StateChanged("A", "moved", None, 1, "end of activation", rule=RuleId("combataction.actions.repeat-actions")),
    ]


def test_a_charge_goes_twice_the_movement_and_turns_ninety_degrees_in_all() -> None:
    fight = played("charge")
    question = asked(fight)
    assert isinstance(question, MoveModels)
    assert (question.side, question.models, question.allowance) == ("red", ("A",), {"A": 18000})
    assert question.manner == "charge"
    assert refused(fight, path((0, 10000), (110, 7000))) == CHARGE_TURNING
    assert refused(fight, path((0, 9000), (60, 4000), (-31, 4000))) == CHARGE_TURNING
    assert refused(fight, path((0, 18001))) == CHARGE_DISTANCE
    shown = preview(fight, path((100, 5000), (-60, 5000), (30, 5000)))
    assert (shown.notes, shown.paths[0].total, shown.paths[0].allowance) == (("turns 90°",), 15000, 18000)
    shown = preview(fight, CHARGE_PATH)
    assert (shown.paths[0].total, shown.distances["B"]) == (17000, 2501), "measuring is free"


def test_a_charge_that_leads_into_an_enemy_ends_where_the_bases_touch() -> None:
    fight = played("charge", path((0, 10000), (60, 8000)), None, dice=[1, 6])
    assert fight.table["A"].place == At(END)


def test_blue_may_break_in_anywhere_until_the_bases_touch() -> None:
    fight = played("charge", CHARGE_PATH)
    question = asked(fight)
    assert isinstance(question, React)
    assert (question.side, question.moment, question.rules) == ("blue", "ready to fire", (READY,))
    assert question.stretch == (0, 16995)
    assert [(o.id, o.actor, o.cost) for o in question.options] == [("C", "C", {"saved point": 1})]
    assert refused(fight, Reaction("C", 17000)) == READY
    assert refused(fight, Reaction("C")) == READY
    assert fight.view(RED).table["C"].has("ready to fire"), "red sees the marker"
    before = seen(fight, RED)
    fight.check(Reaction("C", 12000))
    assert seen(fight, RED) == before, "but not the intent"
    takes_back(fight, RED)
    give(fight, CHARGE_PATH)
    give(fight, Reaction("C", 12000))
    stands(fight, "red", "blue")


def test_the_shot_halts_the_charge_and_notes_its_harm() -> None:
    fight = played("charge", CHARGE_PATH)
    events = give(fight, Reaction("C", 12000))
    assert events[:4] == [
        Declared("C", "C", ("A",), rule=READY, detail={"along": 12000}),
        StateChanged("C", "ready to fire", 1, None, rule=READY_ENDS),
        Moved(ThingId("A"), At(START), At(HALT), 60, Walk((Leg(0, 10000), Leg(60, 2000))), rule=CHARGE),
        Halted(ThingId("A"), 12000, At(HALT), "C", rule=READY),
    ]
    hit, defence = events[4:6]
    assert isinstance(hit, Rolled)
    assert isinstance(defence, Rolled)
    assert (hit.by, hit.faces, hit.total, hit.needs, hit.outcome, hit.rule) == ("C", (5,), 5, 5, "hit", TO_HIT)
    assert (defence.by, defence.faces, defence.total, defence.needs) == ("A", (3,), 5, 3)
    assert (defence.outcome, defence.rule) == ("damaged", DEFENCE)
    assert events[6:] == [HarmNoted("A", Harm("out of action", 2), NOW, rule=CREATURES)]
    assert cause(fight, last(fight, HarmNoted)) == last(fight, Rolled)
    assert [entry.target for entry in fight.state.due] == ["A"], "caused, but it has not happened"
    assert not fight.table["A"].gone


def test_the_hero_tests_and_the_shot_never_hit() -> None:
    fight = played("charge", CHARGE_PATH, Reaction("C", 12000))
    question = asked(fight)
    assert isinstance(question, Confirm)
    assert (question.side, question.rules, question.default) == ("red", (NULLIFY,), False)
    assert question.facts["save"] == 2
    events = give(fight, True)
    roll = events[0]
    assert isinstance(roll, Rolled)
    assert (roll.what, roll.faces, roll.outcome, roll.rule) == ("heroic test", (2,), "passed", HEROIC_TEST)
    assert events[1:5] == [
        HarmCancelled("A", Harm("out of action", 2), "A", rule=NULLIFY),
        Counted("A", "save", 2, 1, rule=SAVE_DROPS),
        Moved(ThingId("A"), At(HALT), At(END), 60, Walk((Leg(0, 5000),)), rule=CHARGE),
        Declared("A", "attack", ("B",), rule=FREE_ATTACK),
    ]
    assert fight.state.due == []
    assert not [event for event in told(fight) if isinstance(event, HarmApplied)]
    stands(fight, "red", "blue")


def test_who_fails_may_test_again_and_who_declines_is_out() -> None:
    fight = played("charge", CHARGE_PATH, Reaction("C", 12000), True, dice=[5, 3, 3, 6])
    again = asked(fight)
    assert isinstance(again, Confirm)
    assert again.facts["save"] == 1
    events = give(fight, False)
    assert events[0] == HarmApplied("A", Harm("out of action", 2), 0, 2, rule=CREATURES)
    assert isinstance(events[1], ModelLost)
    assert fight.ended


def test_a_standing_order_tests_only_when_it_is_likely_enough() -> None:
    fight = battle(dice=[5, 3])
    fight.order(StandingOrder(RED, NULLIFY, True, (Condition("chance", "at least", 50),)))
    fight.order(StandingOrder(RED, NULLIFY, False, (Condition("chance", "below", 50),)))
    for answer in ("charge", CHARGE_PATH, Reaction("C", 12000)):
        give(fight, answer)
    assert fight.table["A"].gone == "out of action", "33 % is too little, so nobody was asked"


def test_a_natural_one_strikes_back_and_does_no_harm() -> None:
    fight = played("charge", CHARGE_PATH, Reaction("C", 12000))
    events = give(fight, True)
    strike, defence = events[5:]
    assert isinstance(strike, Rolled)
    assert isinstance(defence, Rolled)
    assert (strike.by, strike.faces, strike.outcome, strike.rule) == ("A", (1,), "strike back", STRIKE_BACK)
    assert (defence.by, defence.faces, defence.total, defence.needs) == ("A", (1,), 1, 3)
    assert defence.outcome == "held"
    assert cause(fight, last(fight, Rolled)) == last(fight, Rolled, 2)


def test_the_winner_pushes_in_its_front_arc() -> None:
    fight = played("charge", CHARGE_PATH, Reaction("C", 12000), True)
    won = asked(fight)
    assert isinstance(won, ChooseOne)
    assert (won.side, [o.id for o in won.options]) == ("blue", ["push back", "break away", "neither"])
    assert won.rules == (WINNER,)
    give(fight, "push back")
    where = asked(fight)
    assert isinstance(where, PlaceThings)
    assert (where.side, where.things, where.about) == ("blue", ("A",), ("A", "B"))
    assert refused(fight, {"A": Spot(At(Point(23500, 31063)))}) == PUSH, "too far, and into B"
    assert refused(fight, {"A": Spot(At(Point(26500, 26062)))}) == PUSH, "not in the front arc"
    takes_back(fight, BLUE)
    give(fight, "push back")
    events = give(fight, {"A": Spot(At(HALT))})
    assert events[0] == Moved(ThingId("A"), At(END), At(HALT), 60, Walk((Via(HALT),)), "pushed", rule=PUSH)
    assert cause(fight, last(fight, Moved)).rule == STRIKE_BACK


def test_a_boundary_follows_every_action_and_none_lies_inside_the_charge() -> None:
    fight = played("charge", CHARGE_PATH, Reaction("C", 12000), True)
    row = marks(fight)
    halted = row.index("Halted")
    charged = len(row) - 1 - row[::-1].index("Moved")
    assert "|" not in row[halted:charged], "an interrupt comes back into the middle of the action"
    assert "|" in row[charged:], "the free attack is a step of its own"
    plain_at_boundary(fight)


def test_the_odds_of_the_shot_depend_on_an_answer_and_say_so() -> None:
    fight = battle()
    state = fight.state.copy()
    state.agenda.append(Shoot("C", "A"))

    def lost(later: State) -> bool:
        return bool(later.table["A"].gone)

    def heroic(view: View, question: AnyQuestion) -> object:
        return True

    meek = distribution(fight.ruleset, state, read=lost)
    assert meek.exact
    assert meek.chance(bool) == Fraction(2, 9)
    assert any("Heroic Test" in line and "default" in line for line in meek.assumed)
    bold = distribution(fight.ruleset, state, read=lost, answers=heroic)
    assert bold.chance(bool) == Fraction(2, 9) * Fraction(5, 9)
