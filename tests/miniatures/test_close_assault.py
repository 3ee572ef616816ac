"""Transcript 12, move by move: a close assault to the second round."""

from itertools import groupby
from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    Counted,
    Declared,
    Forfeited,
    Halted,
    Harm,
    HarmApplied,
    ModelLost,
    Moved,
    Rolled,
    Scored,
    StateChanged,
)
from sandtable.engine.journal import Digested
from sandtable.engine.questions import Allocate, ChooseOne, ChooseSeveral, MoveModels, Refusal
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Point, Via, Walk
from tests.miniatures.close_assault import CloseAssault
from tests.miniatures.figures import bases_apart, fit, spot
from tests.promises import keep_promises

SKIRMISH = Setup(scenario={"skirmish": 1})
RULE = "stargrunt.close-assault."
PATHS = {f"A{n}": Walk((Via(Point(13800 + 1200 * n, 11000)),)) for n in range(1, 7)}

FIRST = [1, 6]  # who goes first: blue chooses
NERVE = [5, 4]  # the attackers' test, the defenders' test
MOVE = [3]
FIRE = [*(5, 7, 3), *(1, 3, 5), *(2, 4, 4), *(3, 2, 2)]  # one wound in three hits
AGAIN = [6, 2]  # the attackers' second test, the second move
ROUND_1 = [*(3, 5), *(4, 7), *(5, 5), *(6, 6, 6), *(5, 4)]  # each blue figure and whom it faces; the two tests
ROUND_2 = [*(3, 4, 3, 3, 3), *(5, 5), 2]
DOWNED = [1, 4, 6]

ANSWERS: list[tuple[str, Any]] = [
    ("blue", "red"),
    ("red", "A"),
    ("red", "assault"),
    ("red", "D"),
    ("blue", "stand"),
    ("red", PATHS),
    ("blue", ("D1", "D2", "D3", "D4")),
    ("red", {"A2": "D1", "A3": "D2", "A4": "D3", "A5": "D4"}),
    ("blue", {"A6": "D4"}),
    ("red", {"A2": "D3", "A3": "D4"}),
    ("blue", {"A4": "D3", "A5": "D3", "A6": "D3"}),
    ("blue", {"D4": Walk((Via(Point(19800, 4000)),))}),
]


def _battle(upto: int = len(ANSWERS), faces: list[int] | None = None) -> Battle:
    """The transcript, played up to a number of answers."""
    script = FIRST + NERVE + MOVE + FIRE + AGAIN + ROUND_1 + ROUND_2 + DOWNED if faces is None else faces
    battle = Battle(CloseAssault(), SKIRMISH, dice=ScriptedDice(script))
    for side, draft in ANSWERS[:upto]:
        _say(battle, draft, side)
    return battle


def _say(battle: Battle, draft: Any, side: str) -> list[AnyEvent]:
    """Answer, and give what both sides then see, without the fields that number it."""
    seen = len(battle.logs["red"].events)
    refusal = battle.answer(draft, side)
    assert refusal is None, refusal
    for view in ("red", "blue", ""):
        assert msgspec.json.encode(battle.view(view).table) == msgspec.json.encode(battle.table)
    return [msgspec.structs.replace(e, n=0, step="", because=0) for e in battle.logs["red"].events[seen:]]


def _asked(battle: Battle, side: str, kind: type, topic: str) -> Any:
    (question,) = battle.questions
    assert (question.side, type(question), question.topic) == (side, kind, topic)
    return question


def _rolls(events: list[AnyEvent]) -> list[tuple[str, str, str, tuple[int, ...], int | None, str]]:
    return [(r.what, r.by, r.dice, r.faces, r.needs, r.outcome) for r in events if isinstance(r, Rolled)]


def test_both_sides_test_their_nerve_before_anybody_moves() -> None:
    battle = _battle(2)
    assert _asked(battle, "red", ChooseOne, "action").about == ("A",)
    _say(battle, "assault", "red")
    whom = _asked(battle, "red", ChooseOne, "assault")
    assert [option.id for option in whom.options] == ["D"]
    events = _say(battle, "D", "red")
    assert events[0] == Declared("A", "close assault", ("D",), rule=RULE + "target")
    assert _rolls(events) == [
        ("reaction", "A", "d8", (5,), 4, "passed"),
        ("confidence", "D", "d6", (4,), 4, "passed"),
    ]
    assert [e.rule for e in events[1:]] == [RULE + "attacker-test", RULE + "defender-test"]
    odds = events[2]
    assert isinstance(odds, Rolled)
    assert [(p.label, p.value) for p in odds.needs_parts] == [("LV", 2), ("odds 1:1", 1), ("to exceed it", 1)]
    stand = _asked(battle, "blue", ChooseOne, "stand")
    assert [option.id for option in stand.options] == ["stand", "withdraw"]
    assert stand.rules == (RULE + "voluntary-withdrawal",)


def test_six_figures_name_their_paths_before_the_distance_is_rolled() -> None:
    battle = _battle(5)
    move = _asked(battle, "red", MoveModels, "charge")
    assert move.models == ("A1", "A2", "A3", "A4", "A5", "A6")
    assert (move.together.within, move.together.rule) == (2000, "stargrunt.cover.unit-integrity")
    for draft, rule in (
        ({**PATHS, "A1": Walk((Via(Point(15000, 15000)),))}, "stargrunt.cover.unit-integrity"),
        ({**PATHS, "A1": Walk((Via(Point(16200, 11000)),))}, "stargrunt.movement.moving-figures"),
        (
            {**PATHS, "A2": Walk((Via(Point(16200, 9000)), Via(Point(16200, 11000))))},
            "stargrunt.movement.moving-figures",
        ),
        ({f"A{n}": Walk((Via(Point(13800 + 1200 * n, 13000)),)) for n in range(1, 7)}, RULE + "combat-move"),
        ({**PATHS, "A1": Walk((Via(Point(15000, 1000)), Via(Point(15000, 11000))))}, RULE + "combat-move"),
    ):
        refused = battle.check(draft, "red")
        assert isinstance(refused, Refusal)
        assert refused.rule == rule
    accepted = battle.check(PATHS, "red")
    assert not isinstance(accepted, Refusal)
    assert accepted.preview().distances == dict.fromkeys(PATHS, 7000)
    events = _say(battle, PATHS, "red")
    assert _rolls(events) == [("combat move", "A", "d6", (3,), None, "")]
    moved = [e for e in events if isinstance(e, Moved | Halted)]
    assert [(type(e), e.model) for e in moved] == [(kind, f"A{n}") for n in range(1, 7) for kind in (Moved, Halted)]
    halted = [e for e in moved if isinstance(e, Halted)]
    assert [(e.along, e.at) for e in halted] == [(6000, At(Point(13800 + 1200 * n, 12000))) for n in range(1, 7)]


def test_final_defensive_fire_wounds_one_and_the_rest_go_on_along_their_paths() -> None:
    battle = _battle(6)
    final = _asked(battle, "blue", ChooseSeveral, "final fire")
    assert [option.id for option in final.options] == ["D1", "D2", "D3", "D4"]
    events = _say(battle, ("D1", "D2", "D3", "D4"), "blue")
    assert _rolls(events) == [
        ("fire", "D", "d6+d8", (5, 7), None, ""),
        ("range", "A", "d4", (3,), None, "major success"),
        ("who is hit", "A", "d6", (1,), None, "A1"),
        ("armour", "A1", "d4", (3,), None, ""),
        ("impact", "D", "d10", (5,), 4, "wounded"),
        ("who is hit", "A", "d6", (2,), None, "A2"),
        ("armour", "A2", "d4", (4,), None, ""),
        ("impact", "D", "d10", (4,), 5, "no effect"),
        ("who is hit", "A", "d6", (3,), None, "A3"),
        ("armour", "A3", "d4", (2,), None, ""),
        ("impact", "D", "d10", (2,), 3, "no effect"),
        ("reaction", "A", "d8", (6,), 4, "passed"),
        ("combat move", "A", "d6", (2,), None, ""),
    ]
    assert [e for e in events if isinstance(e, HarmApplied | Counted)] == [
        HarmApplied("A1", Harm("wounded", 1), 0, 1, rule="stargrunt.fire.step-three"),
        Counted("A", "assault casualties", 0, 1, rule=RULE + "round-end-test"),
    ]
    assert battle.table["A"].count("suppression") == 0
    # The five that are fit walk the inch that was left of their paths; nobody was asked again.
    assert [(e.model, e.to) for e in events if isinstance(e, Moved)] == [
        (f"A{n}", At(Point(13800 + 1200 * n, 11000))) for n in range(2, 7)
    ]
    assert spot(battle.table["A1"]) == Point(15000, 12000)


def test_pairs_and_the_downed_are_state_between_the_steps_of_a_round() -> None:
    battle = _battle(7)
    pairs = _asked(battle, "red", Allocate, "pair off")
    assert [item.id for item in pairs.items] == ["A2", "A3", "A4", "A5", "A6"]
    assert [bin_.id for bin_ in pairs.bins] == ["D1", "D2", "D3", "D4"]
    assert pairs.bin_least == pairs.bin_most == dict.fromkeys(("D1", "D2", "D3", "D4"), 1)
    refused = battle.check({"A2": "D1", "A3": "D1", "A4": "D3", "A5": "D4"}, "red")
    assert isinstance(refused, Refusal)
    assert refused.rule == RULE + "pairing-off"
    _say(battle, ANSWERS[7][1], "red")
    surplus = _asked(battle, "blue", Allocate, "surplus")
    assert [item.id for item in surplus.items] == ["A6"]
    digests = sum(isinstance(line, Digested) for line in battle.journal.lines)
    events = _say(battle, {"A6": "D4"}, "blue")
    faces = [e for e in events if isinstance(e, StateChanged) and e.state == "faces" and e.after is not None]
    assert [(e.who, e.after, e.until) for e in faces] == [
        *[(f"A{n + 1}", f"D{n}", "end of round") for n in range(1, 5)],
        ("A6", "D4", "end of round"),
    ]
    assert _rolls(events) == [
        ("close combat", "D1", "d8", (3,), None, ""),
        ("close combat", "A2", "d8", (5,), None, "wins"),
        ("close combat", "D2", "d8", (4,), None, ""),
        ("close combat", "A3", "d8", (7,), None, "wins"),
        ("close combat", "D3", "d8", (5,), None, ""),
        ("close combat", "A4", "d8", (5,), None, "both fight on"),
        ("close combat", "D4", "d8", (6,), None, ""),
        ("close combat", "A5", "d8", (6,), None, "both fight on"),
        ("close combat", "A6", "d8", (6,), None, "both fight on"),
        ("confidence", "D", "d6", (5,), 5, "passed"),
        ("confidence", "A", "d8", (4,), 4, "passed"),
    ]
    first = next(e for e in events if isinstance(e, Rolled))
    assert [(p.label, p.value) for p in first.dice_parts] == [("D6", 0), ("defending from cover", 1)]
    assert [e.who for e in events if isinstance(e, StateChanged) and e.state == "down"] == ["D1", "D2"]
    # Three boundaries were passed: after pairing off, after the fight, after the tests.
    assert sum(isinstance(line, Digested) for line in battle.journal.lines) == digests + 3
    assert [one.id for one in fit(battle.table, "D")] == ["D3", "D4"]
    assert battle.table["D"].count("assault casualties") == 2
    assert not any(thing.has("faces") for thing in battle.table.things.values())


def test_the_second_round_breaks_the_defenders() -> None:
    battle = _battle(9)
    pairs = _asked(battle, "red", Allocate, "pair off")
    assert (len(pairs.items), len(pairs.bins)) == (5, 2)
    _say(battle, ANSWERS[9][1], "red")
    surplus = _asked(battle, "blue", Allocate, "surplus")
    assert [item.id for item in surplus.items] == ["A4", "A5", "A6"]
    events = _say(battle, ANSWERS[10][1], "blue")
    assert _rolls(events)[-1] == ("confidence", "D", "d6", (2,), 6, "failed")
    assert {dice for what, by, dice, *_ in _rolls(events) if by == "D3"} == {"d6"}  # the cover helps in round 1 only
    assert events[-1] == StateChanged("D", "confidence", "ST", "BR", rule="stargrunt.confidence.confidence-test")
    back = _asked(battle, "blue", MoveModels, "fall back")
    assert (back.models, back.allowance) == (("D4",), {"D4": 6000})
    for walk in (Walk((Via(Point(19800, 16000)),)), Walk((Via(Point(19800, 8000)),)), Walk()):
        refused = battle.check({"D4": walk}, "blue")
        assert isinstance(refused, Refusal)
        assert refused.rule == RULE + "withdrawal-path"
    events = _say(battle, ANSWERS[11][1], "blue")
    assert _rolls(events) == [
        ("downed", "D1", "d6", (1,), None, "dead"),
        ("downed", "D2", "d6", (4,), None, "captured"),
        ("downed", "D3", "d6", (6,), None, "captured"),
    ]
    assert [e for e in events if isinstance(e, ModelLost)] == [
        ModelLost("D1", "dead", rule=RULE + "downed-figures"),
        ModelLost("D2", "captured", rule=RULE + "captured"),
        ModelLost("D3", "captured", rule=RULE + "captured"),
    ]
    assert [e for e in events if isinstance(e, Scored | BattleEnded)] == [
        Scored("red", 1, "enemy units broken, routed or gone", rule="stargrunt.scenario.victory"),
        BattleEnded(
            "red", {"red": 1, "blue": 0}, "no unit is left that would fight on", rule="stargrunt.scenario.victory"
        ),
    ]


def test_every_stage_is_a_step() -> None:
    battle = _battle()
    names = [event.step for event in battle.journal.events() if event.step]
    begun = [name for name, _ in groupby(names)]
    assert begun[begun.index("Activate") :] == [
        *("Activate", "Stand", "Charge", "FinalFire", "Charge"),
        *("PairOff", "Fight", "RoundEnd", "PairOff", "Fight", "RoundEnd", "Aftermath", "NextActivation"),
    ]


def test_undo_stops_at_every_die() -> None:
    script = FIRST + NERVE + MOVE + FIRE + AGAIN + ROUND_1 + ROUND_2 + DOWNED
    battle = Battle(CloseAssault(), SKIRMISH, dice=ScriptedDice(script))
    after_dice = {3, 5, 6, 8, 10, 11}  # the answers that made dice fall
    for n, (side, draft) in enumerate(ANSWERS):
        before = msgspec.json.encode(battle.state)
        _say(battle, draft, side)
        if n in after_dice:
            assert isinstance(battle.undo(side), Refusal), f"answer {n} made dice fall"
            continue
        assert battle.undo(side) is None, f"answer {n} may be taken back"
        assert msgspec.json.encode(battle.state) == before
        _say(battle, draft, side)


def test_a_clone_in_the_middle_of_the_assault_goes_on_alike() -> None:
    battle = _battle(8)
    twin = battle.clone()
    for side, draft in ANSWERS[8:]:
        assert battle.answer(draft, side) is None
        assert twin.answer(draft, side) is None
    assert twin.digest() == battle.digest()


def test_a_failed_test_loses_the_first_action_only() -> None:
    battle = _battle(4, [*FIRST, 3])
    assert isinstance(battle.logs["blue"].events[-2], Forfeited)
    action = _asked(battle, "red", ChooseOne, "action")
    assert action.prompt == "A: second action?"
    refused = battle.check("assault", "red")
    assert isinstance(refused, Refusal)
    assert refused.rule == RULE + "attacker-test"


def test_defenders_who_fail_go_and_lose_confidence_and_the_attackers_may_follow() -> None:
    battle = _battle(4, [*FIRST, 5, 3, 1])
    assert battle.table["D"].value("confidence") == "SH"
    _asked(battle, "blue", MoveModels, "fall back")
    _say(battle, None, "blue")
    assert [spot(one).y for one in fit(battle.table, "D")] == [4000] * 4
    _asked(battle, "red", MoveModels, "advance")
    forward = {f"A{n}": Walk((Via(Point(13800 + 1200 * n, 10000)),)) for n in range(1, 7)}
    events = _say(battle, forward, "red")
    assert _rolls(events) == [("combat move", "A", "d6", (1,), None, "")]
    assert [spot(one).y for one in fit(battle.table, "A")] == [16000] * 6


def test_attackers_who_lose_their_nerve_under_fire_go_back_suppressed() -> None:
    battle = _battle(7, [*FIRST, *NERVE, *MOVE, *FIRE, 3])
    assert battle.table["A"].count("suppression") == 1
    assert [spot(one).y for one in fit(battle.table, "A")] == [18000] * 5
    assert battle.table["A"].count("assault casualties") == 0


@pytest.mark.parametrize("seed", range(8))
def test_random_battles_keep_their_promises(seed: int) -> None:
    keep_promises(CloseAssault, SKIRMISH if seed % 2 else Setup(), seed, invariants=(bases_apart,))
