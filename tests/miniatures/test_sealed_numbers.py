"""Transcript 6, played as written: sealed numbers shown turns later, and a commander shown when he is lost."""

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import BattleEnded, Counted, ModelLost, Revealed, Rolled, Sealed, TakenBack
from sandtable.engine.ids import BLUE, NO_SIDE, RED
from sandtable.engine.questions import UNTIL_REVEALED, ChooseOne
from sandtable.engine.records.journal import table_digest
from tests.miniatures.playing import give, last, marks, plain_at_boundary, refused, seen, stands, takes_back, told
from tests.miniatures.sealed_numbers import COMMANDER, HEADHUNTER, TURNS, SealedNumbers, setup

HIT, MISS = [3, 4], [3, 3]


def battle(scenario: str, faces: list[int]) -> Battle:
    return Battle(SealedNumbers(), setup(scenario), dice=ScriptedDice(faces))


def sealed(red: str, blue: str, faces: list[int], scenario: str = "time") -> Battle:
    fight = battle(scenario, faces)
    give(fight, red, RED)
    give(fight, blue, BLUE)
    return fight


def hold(fight: Battle, turns: int) -> None:
    """Six models hold fire, turn after turn."""
    for _ in range(6 * turns):
        give(fight, None)


# Numbers --------------------------------------------------------------------------------------------------------------


def test_both_are_asked_at_once_and_each_may_answer_first() -> None:
    fight = battle("time", [2])
    assert [question.side for question in fight.questions] == ["red", "blue"]
    for question in fight.questions:
        assert isinstance(question, ChooseOne)
        assert ([o.id for o in question.options], question.sealed) == (["1", "2", "3"], UNTIL_REVEALED)
        assert question.rules == (TURNS,)
    assert refused(fight, "4", RED) == TURNS
    give(fight, "1", BLUE)
    assert fight.question_for(BLUE) is None
    assert fight.question_for(RED) is not None


def test_red_seals_takes_back_and_seals_again_and_blue_learns_only_that() -> None:
    fight = battle("time", [2])
    give(fight, "2", RED)
    assert fight.logs[RED].events[-1].value == "2"  # type: ignore[union-attr]
    assert fight.logs[BLUE].events[-1].value is None  # type: ignore[union-attr]
    assert fight.view(BLUE).table.secrets == {"red: turns": "chosen"}
    assert fight.view(NO_SIDE).table.secrets == {"red: turns": "chosen"}
    takes_back(fight, RED)
    assert fight.view(BLUE).table.secrets == {}
    give(fight, "3", RED)
    kinds = [type(event) for event in fight.logs[BLUE].events[-3:]]
    assert kinds == [Sealed, TakenBack, Sealed]
    stands(fight, "blue")
    give(fight, "1", BLUE)
    stands(fight, "red", "blue")
    assert fight.view(RED).table.secrets == {"red: turns": "3", "blue: turns": "chosen"}
    assert fight.table.secrets == {"red: turns": "3", "blue: turns": "1"}


def test_the_base_turns_are_rolled_openly() -> None:
    fight = sealed("3", "1", [2])
    roll = last(fight, Rolled)
    assert (roll.what, roll.dice, roll.total) == ("base turns", "d3", 2)
    assert (last(fight, Counted).before, last(fight, Counted).after) == (0, 2)
    assert "|" in marks(fight)
    plain_at_boundary(fight)


def test_in_the_end_phase_of_the_last_base_turn_both_are_shown_and_added() -> None:
    fight = sealed("3", "1", [2])
    hold(fight, 1)
    assert not [event for event in told(fight) if isinstance(event, Revealed)]
    hold(fight, 1)
    shown = [event for event in told(fight) if isinstance(event, Revealed)]
    assert shown == [
        Revealed("red: turns", "3", value="3", rule=TURNS),
        Revealed("blue: turns", "1", value="1", rule=TURNS),
    ]
    counted = last(fight, Counted)
    assert (counted.what, counted.before, counted.after, counted.rule) == ("last turn", 2, 6, TURNS)
    for side in (RED, BLUE, NO_SIDE):
        assert fight.view(side).table.secrets == {"red: turns": "3", "blue: turns": "1"}
    stands(fight, "red", "blue")
    hold(fight, 3)
    assert (fight.table.turn, fight.table.ending) == (6, None)
    hold(fight, 1)
    assert (fight.table.turn, fight.ended) == (6, True)


@pytest.mark.parametrize("other", ["1", "2"])
def test_battles_that_differ_in_reds_number_look_alike_to_blue_until_it_is_shown(other: str) -> None:
    one, twin = sealed("3", "1", [2]), sealed(other, "1", [2])
    for _ in range(12):
        assert seen(one, BLUE) == seen(twin, BLUE)
        assert seen(one, NO_SIDE) == seen(twin, NO_SIDE)
        assert seen(one, RED) != seen(twin, RED)
        assert table_digest(one.view(BLUE).table) == table_digest(twin.view(BLUE).table)
        assert one.digest() != twin.digest(), "whoever holds this digest could try all three numbers"
        for fight in (one, twin):
            give(fight, None)
    assert seen(one, BLUE) != seen(twin, BLUE), "now it is shown"


# The commander -------------------------------------------------------------------------------------------------------


def hunted(commander: str) -> Battle:
    """Three quiet turns, then R1 and R2 destroy B3."""
    return sealed("R1", commander, [*HIT, *HIT], "headhunter")


def until_lost(fight: Battle) -> None:
    hold(fight, 3)
    for answer in ("B3", None, "B3"):
        give(fight, answer)


def test_the_commander_is_shown_when_he_is_lost_and_the_end_phase_decides() -> None:
    fight = hunted("B3")
    questions = [question.rules for question in battle("headhunter", []).questions]
    assert questions == [(COMMANDER,), (COMMANDER,)]
    until_lost(fight)
    events = told(fight)
    at = next(n for n, event in enumerate(events) if isinstance(event, ModelLost))
    assert (fight.table.turn, events[at + 1]) == (4, Revealed("blue: commander", "B3", value="B3", rule=COMMANDER))
    assert not fight.ended, "the end phase decides"
    stands(fight, "red", "blue")
    for _ in range(2):
        give(fight, None)
    ended = last(fight, BattleEnded)
    assert (ended.winner, ended.rule) == ("red", HEADHUNTER)
    assert fight.view(BLUE).table.secrets["red: commander"] == "R1", "at the end both are shown"


@pytest.mark.parametrize("other", ["B1", "B2"])
def test_battles_that_differ_in_blues_commander_look_alike_to_red_until_he_is_lost(other: str) -> None:
    one, twin = hunted("B3"), hunted(other)
    for _ in range(18):
        assert seen(one, RED) == seen(twin, RED)
        assert seen(one, BLUE) != seen(twin, BLUE)
        for fight in (one, twin):
            give(fight, None)
    for fight in (one, twin):
        give(fight, "B3")
    assert seen(one, RED) == seen(twin, RED), "hit, but not lost"
    for fight in (one, twin):
        give(fight, None)
        give(fight, "B3")
    assert one.view(RED).table.secrets["blue: commander"] == "B3"
    assert twin.view(RED).table.secrets["blue: commander"] == "chosen", "somebody else was lost"
