"""Transcript 10, move by move: a transfer of action under jamming."""

from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    AnyEvent,
    Declared,
    Forfeited,
    Grouped,
    Left,
    Passed,
    Rolled,
    Spent,
    StateChanged,
    StepBegan,
    TakenBack,
)
from sandtable.engine.journal import Digested
from sandtable.engine.questions import ChooseOne, MoveModels, React, Reaction, Refusal
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import Point, Via, Walk
from sandtable.engine.state import StandingOrder
from tests.miniatures.alternating import NextActivation
from tests.miniatures.figures import bases_apart, spot
from tests.miniatures.transfer_under_jamming import (
    DETACH,
    DETAILS,
    DIRECT,
    JAM,
    JAM_EW,
    LIMIT,
    ROLL,
    TIMING,
    TRANSFER,
    TWO_ACTIONS,
    Activate,
    TransferUnderJamming,
)
from tests.promises import keep_promises

MARKERS = {"markers": {"red": 2, "blue": 3}}


def _battle(*faces: int) -> Battle:
    """The moment of the transcript: red's command P is activated, blue having let red begin."""
    battle = Battle(TransferUnderJamming(), Setup(scenario=MARKERS), dice=ScriptedDice(faces))
    _say(battle, "red", "blue")
    _say(battle, "P", "red")
    return battle


def _say(battle: Battle, draft: Any, side: str) -> None:
    refusal = battle.answer(draft, side)
    assert refusal is None, refusal


def _since(battle: Battle, n: int) -> list[AnyEvent]:
    """What red has seen after an event, without the fields that number it."""
    return [msgspec.structs.replace(e, n=0, step="", because=0) for e in battle.logs["red"].events[n:]]


def _all_know_all(battle: Battle) -> None:
    """Markers are open, and so is everything else here."""
    for side in ("red", "blue", ""):
        assert msgspec.json.encode(battle.view(side).table) == msgspec.json.encode(battle.table)


def _asked(battle: Battle, side: str, kind: type, topic: str) -> Any:
    (question,) = battle.questions
    assert (question.side, type(question), question.topic) == (side, kind, topic)
    return question


def _jammed() -> Battle:
    """Played as far as the dice: 6 against LV 2, jammed by 7, countered by 4."""
    battle = _battle(6, 7, 4)
    for draft, side in (
        ("transfer", "red"),
        ("S", "red"),
        (Reaction("jam", amount=2), "blue"),
        (Reaction("counter", amount=1), "red"),
        (None, "blue"),
    ):
        _say(battle, draft, side)
    return battle


def test_each_side_is_asked_in_turn_with_the_markers_it_has_left() -> None:
    battle = _battle(6, 7, 4)
    action = _asked(battle, "red", ChooseOne, "action")
    assert action.rules == (TWO_ACTIONS,)
    assert [option.id for option in action.options] == ["move", "transfer", "detach", "done"]
    _say(battle, "transfer", "red")
    to_whom = _asked(battle, "red", ChooseOne, "receiver")
    assert [(option.id, option.rules[-1]) for option in to_whom.options] == [("S", ROLL), ("T", DIRECT), ("X", DIRECT)]
    _say(battle, "S", "red")
    for side, option, most, rule, answer in (
        ("blue", "jam", 3, JAM, Reaction("jam", amount=2)),
        ("red", "counter", 2, JAM_EW, Reaction("counter", amount=1)),
        ("blue", "counter", 1, JAM_EW, None),
    ):
        react = _asked(battle, side, React, "communication")
        assert react.about == ("P", "S")
        (offered,) = react.options
        assert (offered.id, offered.amount_least, offered.amount_most) == (option, 1, most)
        assert offered.rules == (rule, TIMING)
        assert offered.cost == {"EW markers": 1}
        assert isinstance(battle.check(Reaction(option, amount=most + 1), side), Refusal)
        _say(battle, answer, side)
        _all_know_all(battle)
    # Red has a marker left, but nothing to counter: the window is closed and the dice have fallen.
    assert _asked(battle, "red", ChooseOne, "action").prompt == "P: second action?"


def test_the_dice_fall_when_all_is_committed_and_the_last_unbeaten_roll_decides() -> None:
    battle = _battle(6, 7, 4)
    before = len(battle.logs["red"].events)
    for draft, side in (
        ("transfer", "red"),
        ("S", "red"),
        (Reaction("jam", amount=2), "blue"),
        (Reaction("counter", amount=1), "red"),
        (None, "blue"),
    ):
        _say(battle, draft, side)
    seen = _since(battle, before)
    assert seen[:5] == [
        Declared("P", "transfer", ("S",), rule=TRANSFER),
        StateChanged("P", "transfers", None, ("S",), "end of turn", rule=LIMIT),
        Declared("blue", "jam", ("P", "S"), rule=JAM, detail={"amount": 2}),
        Declared("red", "counter", ("P", "S"), rule=JAM_EW, detail={"amount": 1}),
        Passed("blue", "communication", rule=JAM),
    ]
    rolls = [e for e in seen if isinstance(e, Rolled)]
    assert [(r.what, r.by, r.dice, r.faces, r.needs, r.outcome, r.rule) for r in rolls] == [
        ("communication", "P", "d8", (6,), 3, "passed", ROLL),
        ("jamming", "blue", "d8", (7,), 7, "passed", JAM),
        ("countering", "red", "d8", (4,), 8, "failed", JAM_EW),
    ]
    assert [(part.label, part.value) for part in rolls[1].dice_parts] == [("D6", 0), ("extra markers", 1)]
    assert seen[8:] == [
        Spent("blue", "EW markers", 2, 1, rule=TIMING),
        Spent("red", "EW markers", 1, 1, rule=TIMING),
        Forfeited("P", "first action", rule=JAM_EW),
        StepBegan("activation", "red", ("P",), rule=TWO_ACTIONS),
    ]
    _all_know_all(battle)


def test_every_event_of_the_transfer_goes_back_to_its_declaration() -> None:
    events = _jammed().logs["blue"].events
    declared = next(e for e in events if isinstance(e, Declared))
    chain = {e.n: e.because for e in events}
    for event in events[declared.n : -1]:
        n = event.n
        while n > declared.n:
            n = chain[n]
        assert n == declared.n, f"{event} has another cause"


def test_within_six_inches_nobody_is_asked_and_nothing_is_rolled() -> None:
    battle = _jammed()
    _say(battle, "transfer", "red")
    refused = battle.answer("S", "red")
    assert refused == Refusal(LIMIT, "S has been tried this turn.")
    preview = battle.check("T", "red")
    assert not isinstance(preview, Refusal)
    assert preview.preview().notes == ("within 6 inches: no roll, and no jamming",)
    before = len(battle.logs["red"].events)
    _say(battle, "T", "red")
    assert _since(battle, before) == [
        Declared("P", "transfer", ("T",), rule=TRANSFER),
        StateChanged("P", "transfers", ("S",), ("S", "T"), "end of turn", rule=LIMIT),
        StepBegan("activation", "red", ("T",), rule=DETAILS),
    ]
    assert _asked(battle, "red", ChooseOne, "action").about == ("T",)
    assert battle.state.agenda == [NextActivation("blue")]


def test_a_transferred_activation_is_a_step_in_front_of_the_rest_of_the_commanders() -> None:
    battle = _battle()
    _say(battle, "transfer", "red")
    digests = sum(isinstance(line, Digested) for line in battle.journal.lines)
    _say(battle, "T", "red")
    assert battle.state.agenda == [NextActivation("blue"), Activate("P", 1)]
    assert sum(isinstance(line, Digested) for line in battle.journal.lines) == digests + 1
    # T transfers in turn to an element of its own, once it has formed one.
    _say(battle, "detach", "red")
    _say(battle, ("T3", "T4"), "red")
    element = battle.table["T3"].unit
    assert battle.logs["blue"].events[-2] == Grouped(
        ("T3", "T4"),
        element,
        "within integrity of its unit",
        n=len(battle.logs["blue"].events) - 1,
        step="Activate",
        rule=DETACH,
    )
    _say(battle, "transfer", "red")
    _say(battle, element, "red")
    assert _asked(battle, "red", ChooseOne, "action").about == (element,)
    assert battle.state.agenda == [NextActivation("blue"), Activate("P", 1)]
    _say(battle, "done", "red")
    assert _asked(battle, "red", ChooseOne, "action").about == ("P",)
    _say(battle, "done", "red")
    _say(battle, "finish", "blue")
    # The transfer left T's own activation as it was; P's is over.
    offered = [option.id for option in _asked(battle, "red", ChooseOne, "activate").options]
    assert offered == ["S", "T", "X", "pass", "finish"]


def test_an_element_that_comes_back_within_integrity_rejoins() -> None:
    battle = _battle()
    for draft in ("transfer", "T", "detach", ("T4",), "transfer"):
        _say(battle, draft, "red")
    element = battle.table["T4"].unit
    _say(battle, element, "red")
    start = spot(battle.table["T4"])
    _say(battle, "move", "red")
    assert isinstance(battle.questions[0], MoveModels)
    _say(battle, {"T4": Walk((Via(Point(start.x + 4000, start.y)),))}, "red")
    assert battle.table["T4"].unit == element
    _say(battle, "move", "red")
    _say(battle, {"T4": Walk((Via(start),))}, "red")
    assert battle.table["T4"].unit == "T"
    assert any(isinstance(e, Left) and e.thing == element for e in battle.logs["blue"].events)


def test_undo_stops_at_each_answer_of_the_other_side() -> None:
    battle = _battle(6, 7, 4)
    _say(battle, "transfer", "red")
    _say(battle, "S", "red")
    assert battle.undo("red") is None
    assert isinstance(battle.logs["blue"].events[-1], TakenBack)
    assert "transfers" not in battle.table["P"].states
    _all_know_all(battle)
    _say(battle, "S", "red")
    _say(battle, Reaction("jam", amount=3), "blue")
    assert isinstance(battle.undo("red"), Refusal)
    assert battle.undo("blue") is None
    _say(battle, Reaction("jam", amount=2), "blue")
    _say(battle, Reaction("counter", amount=1), "red")
    assert isinstance(battle.undo("blue"), Refusal)
    _say(battle, None, "blue")
    for side in ("red", "blue"):
        assert isinstance(battle.undo(side), Refusal)
    _say(battle, "transfer", "red")
    _say(battle, "T", "red")
    # Since the dice only red has spoken: its second transfer may be taken back, but nothing before the dice.
    assert battle.undo("red") is None
    assert battle.undo("red") is None
    assert isinstance(battle.undo("red"), Refusal)
    assert _asked(battle, "red", ChooseOne, "action").prompt == "P: second action?"


def test_a_standing_order_answers_the_window() -> None:
    battle = _battle(6)
    battle.order(StandingOrder("blue", JAM, answer=None))
    _say(battle, "transfer", "red")
    _say(battle, "S", "red")
    assert _asked(battle, "red", ChooseOne, "action").about == ("S",)
    assert isinstance(battle.undo("red"), Refusal), "blue's answer, though by order, is a barrier"


def test_the_preview_of_a_transfer_explains_the_roll() -> None:
    battle = _battle()
    _say(battle, "transfer", "red")
    accepted = battle.check("S", "red")
    assert not isinstance(accepted, Refusal)
    preview = accepted.preview()
    (target,) = preview.explanations
    assert (target.total, target.words()) == (2, "LV of S +2")
    (odds,) = preview.odds
    assert (odds.numerator, odds.denominator) == (6, 8)


@pytest.mark.parametrize(
    ("faces", "counter", "gets_through"),
    [
        ((2, 8, 1), True, False),  # the message itself fails
        ((6, 6, 1), True, True),  # equal is not above
        ((6, 7, 8), True, True),  # the counter beats the jamming
        ((6, 7), False, False),
    ],
)
def test_who_decides(faces: tuple[int, ...], counter: bool, gets_through: bool) -> None:
    battle = _battle(*faces)
    _say(battle, "transfer", "red")
    _say(battle, "S", "red")
    _say(battle, Reaction("jam", amount=3), "blue")  # three markers: D10
    _say(battle, Reaction("counter", amount=1) if counter else None, "red")
    assert battle.table.acting == ("red", "S" if gets_through else "P")


@pytest.mark.parametrize("seed", range(6))
def test_random_battles_keep_their_promises(seed: int) -> None:
    keep_promises(TransferUnderJamming, Setup(scenario=MARKERS if seed % 2 else {}), seed, invariants=(bases_apart,))
