"""Transcript 5, played as written: cards come in, a squad lands, an ambusher brings its fighting position."""

from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import DeckChanged, Declared, Landed, PhaseBegan, Placed, Rolled, StateChanged, StepBegan
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, PlaceThings, Plan
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Off, Point, Spot
from tests.miniatures.ambush_and_drop import AmbushAndDrop
from tests.miniatures.draw_deck import DELAYED, DISCARD, DRAW, SHUFFLE, SKIP
from tests.miniatures.drop_ground import (
    ACTIVATION,
    AMBUSH,
    DECLARE,
    HELD_BACK,
    LANDING,
    MAY_BE_TESTED,
    PUT_OFF,
    WITH_ASSETS,
)
from tests.miniatures.playing import asked, give, marks, plain_at_boundary, preview, refused, seen, stands, takes_back

SQUADS: list[dict[str, Any]] = [
    {"id": "squad 1", "side": "red", "models": {"R1": (18, 6), "R2": (24, 6)}, "recon": True},
    {"id": "squad 2", "side": "blue", "models": {"B1": (18, 42), "B9": None}, "recon": True, "works": {"B9": "P9"}},
    {"id": "squad 4", "side": "blue", "models": {"B4": None}},
    {"id": "squad 5", "side": "blue", "models": {"B5": None, "B6": None, "B7": None}, "drops": True},
]

#: Turn 1: blue, red, the drop, then the rest. Turn 2: the drop, then blue.
SHUFFLE_1 = [1, 4, 3, 1, 1, 1]
SHUFFLE_2 = [6, 1, 1, 1, 1, 1, 1, 1]
DRIFTS = [3, 360, 5, 90, 3, 10]
HIT = [3, 4]
QUIET = {"B1": "hold", "B9": "hold"}


def spot(x: int, y: int, facing: int = 0) -> Spot:
    return Spot(At(Point(x, y)), facing)


def zone(x: int, y: int) -> dict[str, Spot]:
    return {"landing zone": spot(x, y, 270)}


def opening(dice: list[int] | None = None) -> Battle:
    faces = [*SHUFFLE_1, *SHUFFLE_2, *DRIFTS, *HIT] if dice is None else dice
    return Battle(AmbushAndDrop(), Setup(scenario={"squads": SQUADS, "turns": 2}), dice=ScriptedDice(faces))


def play(fight: Battle, *answers: Any) -> None:
    for answer in answers:
        give(fight, answer)


def turn_two() -> Battle:
    """Turn 1 goes by quietly: both squads hold, the landing is put off."""
    fight = opening()
    give(fight, ())
    play(fight, False, False, QUIET, False, False, {"R1": "hold", "R2": "hold"}, False, False, False)
    assert (fight.table.turn, fight.table.phase) == (2, "start")
    return fight


def drop_card() -> Battle:
    fight = turn_two()
    give(fight, ["squad 4"])
    return fight


def landed() -> Battle:
    fight = drop_card()
    play(fight, False, False, True, zone(24000, 30000))
    return fight


def declared() -> Battle:
    """Squad 5 is down and holds fire; blue's card brings squad 2, and B9 comes in to fire at R1."""
    fight = landed()
    give(fight, {"B7": spot(27000, 31200)})
    play(fight, {"B5": "hold", "B6": "hold", "B7": "hold"}, False, False, "squad 2", {"B1": "hold", "B9": "R1"})
    return fight


# The deck -------------------------------------------------------------------------------------------------------------


def test_blue_says_which_squads_come_in_and_their_cards_go_in_before_the_shuffle() -> None:
    fight = turn_two()
    question = asked(fight)
    assert isinstance(question, ChooseSeveral)
    assert (question.side, [o.id for o in question.options], question.default) == ("blue", ["squad 4"], ())
    assert question.rules == (DELAYED,)
    assert refused(fight, ["squad 5"]) == DELAYED
    events = give(fight, ["squad 4"])
    assert events[:2] == [
        StateChanged("squad 4", "held back", 1, None, rule=HELD_BACK),
        DeckChanged(DRAW, "added", ("blue", "blue"), rule=DELAYED),
    ]
    discards = ("blue", "red", "drop: squad 5")
    assert events[2:4] == [
        DeckChanged(DISCARD, "removed", discards, rule=SHUFFLE),
        DeckChanged(DRAW, "added", discards, rule=SHUFFLE),
    ]
    shuffled = events[4]
    assert isinstance(shuffled, DeckChanged)
    assert (shuffled.change, shuffled.cards[:2]) == ("shuffled", ("drop: squad 5", "blue"))
    assert events[5:] == [
        PhaseBegan(2, "activation", rule=RuleId("strikeops.initiative.sequence-of-play")),
        DeckChanged(DRAW, "drawn", ("drop: squad 5",), rule=SHUFFLE),
        StepBegan("card", BLUE, rule=ACTIVATION),
    ]
    stands(fight, "blue", "red")


def test_forces_are_open_and_the_order_of_the_deck_is_nobodys() -> None:
    fight = drop_card()
    for side in (RED, BLUE, NO_SIDE):
        table = fight.view(side).table
        assert table["B9"].place == Off("held back")
        assert table["P9"].place == Off("held back")
        assert table["B5"].place == Off("in orbit")
        assert table.decks[DRAW].contents == {"blue": 5, "red": 3}
        assert table.decks[DRAW].order == ()
        assert [e.cards for e in fight.logs[side].events if isinstance(e, DeckChanged) and e.change == "shuffled"] == [
            (),
            (),
        ]
    assert fight.table.decks[DRAW].order[0] == "blue"


def test_two_battles_that_differ_in_the_deck_look_alike_until_a_card_is_drawn() -> None:
    one, other = opening(), opening([*[1, 4, 1, 1, 1, 2], *SHUFFLE_2])
    for answer in ((), False, False):
        give(one, answer)
        give(other, answer)
        assert one.table.decks[DRAW].order != other.table.decks[DRAW].order
        for side in (RED, BLUE, NO_SIDE):
            assert seen(one, side) == seen(other, side)
    for fight in (one, other):
        play(fight, QUIET, False, False, {"R1": "hold", "R2": "hold"})
    assert seen(one, RED) != seen(other, RED), "the third card differs, and it lies open now"


def test_the_cards_side_is_asked_first_whether_it_is_skipped() -> None:
    fight = drop_card()
    first = asked(fight)
    assert isinstance(first, Confirm)
    assert (first.side, first.prompt, first.rules) == ("blue", "Skip this card?", (SKIP,))
    give(fight, False)
    second = asked(fight)
    assert (second.side, second.prompt) == ("red", "Skip this card?")
    stands(fight, "red")
    takes_back(fight, BLUE)
    give(fight, False)
    give(fight, False)
    stands(fight, "blue")


def test_a_skipped_card_goes_under_the_deck_and_a_new_one_is_flipped() -> None:
    fight = drop_card()
    order = fight.table.decks[DRAW].order
    give(fight, False)
    events = give(fight, True)
    assert events[:3] == [
        StateChanged("squad 1", "skipped", None, 1, "end of turn", rule=SKIP),
        DeckChanged(DRAW, "added", ("drop: squad 5",), rule=SKIP),
        DeckChanged(DRAW, "drawn", ("blue",), rule=SHUFFLE),
    ]
    assert fight.table.decks[DRAW].order == (*order[1:], "drop: squad 5")
    assert asked(fight).side == "blue"
    stands(fight, "red")


# From orbit -----------------------------------------------------------------------------------------------------------


def test_the_landing_zone_is_tested_against_the_enemy_and_nothing_else_is_measured() -> None:
    fight = drop_card()
    play(fight, False, False)
    land = asked(fight)
    assert isinstance(land, Confirm)
    assert (land.side, land.rules, land.default) == ("blue", (PUT_OFF,), False)
    give(fight, True)
    question = asked(fight)
    assert isinstance(question, PlaceThings)
    region = question.where[""]
    assert (question.side, question.things, question.shows) == ("blue", ("landing zone",), ())
    assert region.rule in MAY_BE_TESTED
    assert refused(fight, zone(24000, 17000)) == LANDING
    assert refused(fight, zone(24000, 17999)) == LANDING
    assert preview(fight, zone(24000, 18000)).distances == {}
    before = seen(fight, RED)
    fight.check(zone(24000, 30000))
    assert seen(fight, RED) == before, "red sees no draft"
    takes_back(fight, BLUE)
    assert asked(fight) == land


def test_each_model_drifts_by_itself_and_the_third_falls_on_the_first() -> None:
    fight = drop_card()
    play(fight, False, False, True)
    events = give(fight, zone(24000, 30000))
    drifts = [event for event in events if isinstance(event, Rolled)]
    assert [(e.by, e.faces) for e in drifts] == [("B5", (3, 0)), ("B6", (5, 90)), ("B7", (3, 10))]
    landings = [event for event in events if isinstance(event, Landed)]
    assert [(e.what, e.at, e.caught) for e in landings] == [
        ("B5", Point(27000, 30000), ()),
        ("B6", Point(24000, 35000), ()),
        ("B7", Point(26954, 30521), ("B5",)),
    ]
    assert [event for event in events if isinstance(event, Placed)] == [
        Placed("B5", At(Point(27000, 30000)), 270, rule=LANDING),
        Placed("B6", At(Point(24000, 35000)), 270, rule=LANDING),
    ]
    stands(fight, "blue", "red")
    assert (
        marks(fight)[-10:]
        == [
            *["Rolled", "Landed", "Placed", "|"],
            *["Rolled", "Landed", "Placed", "|"],
            *["Rolled", "Landed"],
        ][-10:]
    )


def test_blue_sets_the_third_model_adjacent_to_the_first() -> None:
    fight = landed()
    question = asked(fight)
    assert isinstance(question, PlaceThings)
    assert (question.side, question.things, question.about) == ("blue", ("B7",), ("B7", "B5"))
    assert refused(fight, {"B7": spot(27000, 30900)}) == LANDING
    assert refused(fight, {"B7": spot(27000, 32001)}) == LANDING
    assert give(fight, {"B7": spot(27000, 32000)})[0] == Placed("B7", At(Point(27000, 32000)), rule=LANDING)
    assert isinstance(asked(fight), Plan), "the squad that landed acts at once"
    plain_at_boundary(fight)


def test_a_model_that_drifts_off_the_board_stands_at_its_edge() -> None:
    fight = opening([*SHUFFLE_1, *SHUFFLE_2, 10, 0, 5, 90, 9, 180])
    give(fight, ())
    play(fight, False, False, QUIET, False, False, {"R1": "hold", "R2": "hold"}, False, False, False)
    play(fight, ["squad 4"], False, False, True, zone(30000, 30000))
    assert fight.table["B5"].place == At(Point(35500, 30000))


def test_a_landing_on_a_friend_of_another_squad_goes_to_the_nearest_free_place() -> None:
    fight = opening([*SHUFFLE_1, *SHUFFLE_2, 1, 0, 5, 90, 9, 180])
    give(fight, ())
    play(fight, False, False, QUIET, False, False, {"R1": "hold", "R2": "hold"}, False, False, False)
    play(fight, ["squad 4"], False, False, True, zone(17000, 42000))
    assert fight.table["B5"].place == At(Point(19000, 42000)), "B1 stands at 18, 42"


# The ambush -----------------------------------------------------------------------------------------------------------


def test_an_ambusher_and_its_position_are_one_placement_of_two_things() -> None:
    fight = declared()
    question = asked(fight)
    assert isinstance(question, PlaceThings)
    assert (question.side, question.things, question.decline) == ("blue", ("B9", "P9"), "Stay off the board")
    assert question.together is not None
    assert question.together.rule == WITH_ASSETS
    works = spot(18000, 26000)
    assert refused(fight, {"B9": works}) == AMBUSH, "both or neither"
    assert refused(fight, {"B9": spot(18000, 23000), "P9": spot(18000, 23000)}) == AMBUSH
    assert refused(fight, {"B9": spot(18000, 26501), "P9": works}) == WITH_ASSETS
    before = seen(fight, RED)
    events = give(fight, {"B9": spot(18000, 26500), "P9": works})
    assert events[:2] == [
        Placed("B9", At(Point(18000, 26500)), rule=AMBUSH),
        Placed("P9", At(Point(18000, 26000)), rule=AMBUSH),
    ]
    roll = events[2]
    assert isinstance(roll, Rolled)
    assert (roll.by, roll.needs, roll.outcome) == ("B9", 8, "miss")
    assert seen(fight, RED) != before
    stands(fight, "blue")


def test_the_declaration_of_an_ambusher_is_open_and_final() -> None:
    fight = declared()
    assert Declared("B9", "fire", ("R1",), rule=DECLARE) in [
        type(e)(e.actor, e.action, e.targets, rule=e.rule) for e in fight.logs[RED].events if isinstance(e, Declared)
    ]
    stands(fight, "blue", "red")


def test_declining_keeps_the_ambusher_off_the_board_and_its_fire_is_forfeit() -> None:
    fight = declared()
    events = give(fight, None)
    assert events[0].rule == "strikeops.actions.impossible-action-is-forfeit"
    assert fight.table["B9"].place == Off("held back")


def test_a_boundary_follows_the_card_each_landing_and_each_activation() -> None:
    row = marks(declared())
    assert "|" in row
    for name in ("Landed", "Placed"):
        at = len(row) - 1 - row[::-1].index(name)
        assert "|" in row[at:], name


def test_blue_chooses_among_the_squads_that_may_act() -> None:
    fight = landed()
    give(fight, {"B7": spot(27000, 31200)})
    play(fight, {"B5": "hold", "B6": "hold", "B7": "hold"}, False, False)
    question = asked(fight)
    assert isinstance(question, ChooseOne)
    assert [option.id for option in question.options] == ["squad 2", "squad 4"]
