"""Transcript 14, move by move: close quarters, then falling masonry."""

from fractions import Fraction
from math import comb
from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.enumerator import distribution
from sandtable.engine.events import (
    AnyEvent,
    Declared,
    Harm,
    HarmApplied,
    HarmNoted,
    ModelLost,
    Moved,
    Placed,
    Rolled,
    Scored,
    StateChanged,
    TerrainChanged,
)
from sandtable.engine.ids import BLUE, NO_SIDE, RED, PieceId, RuleId, Side, ThingId
from sandtable.engine.questions import Allocate, ChooseOne, Confirm, PlaceThings, Refusal
from sandtable.engine.records.journal import Digested, Happened
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, In, Off, Point, Spot
from sandtable.engine.state import Settle
from tests.miniatures.falling_masonry import FallingMasonry
from tests.miniatures.masonry_fire import FireWeapon
from tests.miniatures.masonry_ground import BLOCK, OUTLINE, units_apart
from tests.miniatures.masonry_harm import AFTER_SHOOTING, END_OF_ACTIVATION
from tests.promises import keep_promises

BATTERED = Setup(scenario={"battered": 7})
CHOOSING = RuleId("dropzone.garrisons.choosing-a-place")
STORMING = RuleId("dropzone.garrisons.storming-penalty")
OCCUPIED = RuleId("dropzone.scenery.occupied-garrison-destroyed")

INITIATIVE = [5, 2]
CLOSE_QUARTERS = [*(4, 5, 6, 4, 1, 3), *(4, 6, 1, 2)]  # four of six succeed; rolled again, two
GUNS = [*(2, 3, 1), *(5, 6), *(6, 2, 1), *(5, 4)]  # two weapons: to hit, to damage; three points in all
COLLAPSE = [2, *(2, 2)]
MASONRY = [*(1, 1, 1, 1), *(2, 2, 1, 1), *(6, 6, 6, 1), *(1, 1, 1, 2), *(2, 3, 4, 5), *(1, 1, 2, 2), *(1, 2)]
FORTITUDE = [2]

INSIDE = {"I1": Spot(In(BLOCK, "south")), "I2": Spot(In(BLOCK, "south")), "I3": Spot(In(BLOCK, "centre"))}
RED_SURVIVORS = {"I1": Spot(At(Point(16000, 18000))), "I2": Spot(At(Point(17500, 18000)))}
BLUE_SURVIVORS = {"J1": Spot(At(Point(16000, 16000))), "J3": Spot(At(Point(17500, 16000)))}

ANSWERS: list[tuple[str, Any]] = [
    ("red", "I"),
    ("red", "enter"),
    ("red", INSIDE),
    ("red", "close quarters"),
    ("red", {"I1": "J", "I2": "J", "I3": "J"}),
    ("blue", "J1"),
    ("red", "K"),
    ("red", "shoot"),
    ("red", {"K1": BLOCK, "K2": BLOCK}),
    ("red", RED_SURVIVORS),
    ("blue", BLUE_SURVIVORS),
    ("red", "done"),
    ("blue", False),
]


def _battle(upto: int = len(ANSWERS)) -> Battle:
    """The transcript, played up to a number of answers."""
    script = INITIATIVE + CLOSE_QUARTERS + GUNS + COLLAPSE + MASONRY + FORTITUDE
    battle = Battle(FallingMasonry(), BATTERED, dice=ScriptedDice(script))
    for side, draft in ANSWERS[:upto]:
        _say(battle, draft, Side(side))
    return battle


def _say(battle: Battle, draft: Any, side: Side) -> list[AnyEvent]:
    """Answer, and give what both sides then see, without the fields that number it."""
    seen = len(battle.logs[RED].events)
    refusal = battle.answer(draft, side)
    assert refusal is None, refusal
    for view in (RED, BLUE, NO_SIDE):
        assert msgspec.json.encode(battle.view(view).table) == msgspec.json.encode(battle.table)
    return [msgspec.structs.replace(e, n=0, step="", because=0) for e in battle.logs[RED].events[seen:]]


def _asked(battle: Battle, side: Side, kind: type, topic: str) -> Any:
    (question,) = battle.questions
    assert (question.side, type(question), question.topic) == (side, kind, topic)
    return question


def _rolls(events: list[AnyEvent]) -> list[tuple[str, str, str, tuple[int, ...], int | None, int]]:
    return [(r.what, r.by, r.dice, r.faces, r.needs, r.total) for r in events if isinstance(r, Rolled)]


def test_places_in_a_building_are_slots_and_an_enemy_may_hold_one() -> None:
    battle = _battle(1)
    action = _asked(battle, RED, ChooseOne, "action")
    assert [option.id for option in action.options] == ["move", "enter", "shoot", "done"]
    _say(battle, "enter", RED)
    place = _asked(battle, RED, PlaceThings, "places")
    assert place.things == ("I1", "I2", "I3")
    assert [slot.slot for slot in place.where[""].slots] == ["north", "east", "south", "west", "centre"]
    refused = battle.check({**INSIDE, "I2": Spot(In(BLOCK, "north"))}, RED)
    assert refused == Refusal(CHOOSING, "J1 holds the north edge.")
    for nowhere in (In(BLOCK, "roof"), In("tank"), At(Point(0, 0)), Off("gone")):
        refused = battle.check({**INSIDE, "I2": Spot(nowhere)}, RED)
        assert isinstance(refused, Refusal)
        assert refused.rule == CHOOSING
    centre = {thing: Spot(In(BLOCK, "centre")) for thing in INSIDE}
    assert not isinstance(battle.check(centre, RED), Refusal), "an enemy in the centre holds nothing"
    events = _say(battle, INSIDE, RED)
    assert [(e.model, e.to, e.rule) for e in events if isinstance(e, Moved)] == [
        (thing, put.where, CHOOSING) for thing, put in INSIDE.items()
    ]
    assert events[-1] == StateChanged("I", "stormed", after=1, until="end of round", rule=STORMING)


def test_who_storms_in_rolls_its_successes_again() -> None:
    battle = _battle(3)
    action = _asked(battle, RED, ChooseOne, "action")
    assert [option.id for option in action.options] == ["close quarters", "done"]
    _say(battle, "close quarters", RED)
    shots = _asked(battle, RED, Allocate, "close quarters")
    assert [item.id for item in shots.items] == ["I1", "I2", "I3"]
    assert [bin_.id for bin_ in shots.bins] == ["J"]
    events = _say(battle, {"I1": "J", "I2": "J", "I3": "J"}, RED)
    tools = ("I1", "I2", "I3")
    assert events[0] == Declared(
        "I", "close quarters", ("J",), tools, rule=RuleId("dropzone.garrisons.close-quarters-only")
    )
    assert _rolls(events) == [
        ("close quarters damage", "I", "6d6", (4, 5, 6, 4, 1, 3), 4, 4),
        ("close quarters damage", "I", "4d6", (4, 6, 1, 2), 4, 2),
    ]
    first, again = [e for e in battle.logs[RED].events if isinstance(e, Rolled)][-2:]
    assert (again.replaces, again.because, again.rule) == (first.n, first.n, STORMING)
    assert [(p.label, p.value) for p in first.needs_parts] == [("Armour", 7), ("Energy 3", -3)]
    noted = HarmNoted("J", Harm("close quarters", 2), AFTER_SHOOTING, rule=STORMING)
    assert events[-1] == noted
    # Nothing has happened yet to J; on a tie its owner says whom it happens to.
    assert [battle.table[name].harm for name in ("J1", "J2", "J3")] == [0, 0, 0]
    tie = _asked(battle, BLUE, ChooseOne, "takes it")
    assert [option.id for option in tie.options] == ["J1", "J2", "J3"]
    rule = RuleId("dropzone.damage.close-quarters-allocation")
    assert tie.rules == (rule,)
    assert _say(battle, "J1", BLUE) == [
        HarmApplied("J1", Harm("damage points", 1), 0, 1, rule=rule),
        HarmApplied("J1", Harm("damage points", 1), 1, 2, rule=rule),
        HarmNoted("J", Harm("fortitude test"), END_OF_ACTIVATION, rule=RuleId("dropzone.fortitude.when-to-test")),
    ]
    (due,) = battle.state.due
    assert (due.target, due.harm.what, due.moment) == ("J", "fortitude test", END_OF_ACTIVATION)


def test_every_weapon_has_its_target_before_a_die_falls_and_the_building_falls_after_the_last() -> None:
    battle = _battle(6)
    squads = _asked(battle, RED, ChooseOne, "squad")
    assert [option.id for option in squads.options] == ["K", "end"]
    _say(battle, "K", RED)
    _say(battle, "shoot", RED)
    shots = _asked(battle, RED, Allocate, "shots")
    assert shots.allowed == {"K1": (BLOCK,), "K2": (BLOCK,)}, "J is on the far edge and in the centre, N out of sight"
    events = _say(battle, {"K1": BLOCK, "K2": BLOCK}, RED)
    rule = RuleId("dropzone.shooting.declare-before-rolling")
    assert events[:2] == [Declared("K1", "shoot", (BLOCK,), rule=rule), Declared("K2", "shoot", (BLOCK,), rule=rule)]
    rolls = _rolls(events)
    assert rolls[:6] == [
        ("to hit", "K1", "3d6", (2, 3, 1), 2, 2),
        ("to damage", "K1", "2d6", (5, 6), 5, 2),
        ("to hit", "K2", "3d6", (6, 2, 1), 2, 2),
        ("to damage", "K2", "2d6", (5, 4), 5, 1),
        ("collapse", BLOCK, "d3", (2,), None, 2),
        ("collapse on those inside", BLOCK, "2d3", (2, 2), None, 4),
    ]
    noted = [e for e in events if isinstance(e, HarmNoted | HarmApplied | TerrainChanged)][:6]
    assert [(type(e).__name__, getattr(e, "after", None)) for e in noted] == [
        *[("HarmNoted", None)] * 2,
        ("HarmApplied", 9),
        ("HarmApplied", 10),
        ("HarmNoted", None),
        ("TerrainChanged", "tough ground"),
    ]
    assert noted[-1] == TerrainChanged(
        PieceId(BLOCK), before="small-building", after="tough ground", rule=RuleId("dropzone.scenery.destruction")
    )
    assert battle.table.ground.piece(BLOCK).kind == "tough ground"


def test_everybody_inside_takes_four_hits_and_who_is_near_two() -> None:
    battle = _battle(8)
    events = _say(battle, ANSWERS[8][1], RED)
    assert _rolls(events)[6:] == [
        ("falling masonry", "I1", "4d6", (1, 1, 1, 1), 2, 0),
        ("falling masonry", "I2", "4d6", (2, 2, 1, 1), 2, 4),
        ("falling masonry", "I3", "4d6", (6, 6, 6, 1), 2, 6),
        ("falling masonry", "J1", "4d6", (1, 1, 1, 2), 2, 2),
        ("falling masonry", "J2", "4d6", (2, 3, 4, 5), 2, 8),
        ("falling masonry", "J3", "4d6", (1, 1, 2, 2), 2, 4),
        ("falling masonry", "K2", "2d6", (1, 2), 2, 1),
    ]
    assert [e for e in events if isinstance(e, ModelLost | Scored)] == [
        ModelLost(ThingId("I3"), "destroyed", rule=RuleId("dropzone.units.destroyed")),
        Scored(BLUE, 5, "I3 destroyed", rule=RuleId("dropzone.scenario.victory-and-kill-points")),
        ModelLost(ThingId("J2"), "destroyed", rule=RuleId("dropzone.units.destroyed")),
        Scored(RED, 5, "J2 destroyed", rule=RuleId("dropzone.scenario.victory-and-kill-points")),
    ]
    assert {name: battle.table[name].harm for name in ("I1", "I2", "J1", "J3", "K1", "K2")} == {
        "I1": 0,
        "I2": 4,
        "J1": 4,
        "J3": 4,
        "K1": 0,
        "K2": 1,
    }


def test_survivors_are_placed_inside_the_old_outline_in_the_order_of_the_initiative() -> None:
    battle = _battle(9)
    place = _asked(battle, RED, PlaceThings, "put down")
    assert place.things == ("I1", "I2")
    assert place.rules == (OCCUPIED, "dropzone.basics.simultaneous-effects-order")
    assert place.where[""].inside == (OUTLINE,)
    for spot, rule in (
        (At(Point(15000, 18000)), OCCUPIED),
        (At(Point(18000, 18000), 1), OCCUPIED),
        (In(BLOCK, "south"), OCCUPIED),
        (At(Point(16500, 18000)), "dropzone.movement.no-overlap-at-the-end"),
        (At(Point(19000, 18000)), "dropzone.units.coherency"),
    ):
        refused = battle.check({**RED_SURVIVORS, "I2": Spot(spot)}, RED)
        assert isinstance(refused, Refusal)
        assert refused.rule == rule
    events = _say(battle, RED_SURVIVORS, RED)
    assert [(e.model, e.manner) for e in events if isinstance(e, Moved)] == [("I1", "forced"), ("I2", "forced")]
    assert _asked(battle, BLUE, PlaceThings, "put down").things == ("J1", "J3")
    on_red = {**BLUE_SURVIVORS, "J1": RED_SURVIVORS["I1"]}
    assert isinstance(battle.check(on_red, BLUE), Refusal)
    _say(battle, BLUE_SURVIVORS, BLUE)
    units_apart(battle.table)


def test_the_test_waits_for_the_end_of_the_activation_and_finds_nothing_to_abandon() -> None:
    battle = _battle(11)
    _asked(battle, RED, ChooseOne, "action")
    _say(battle, "done", RED)
    confirm = _asked(battle, BLUE, Confirm, "fortitude")
    assert confirm.rules == ("dropzone.fortitude.voluntary-failure",)
    events = _say(battle, False, BLUE)
    assert _rolls(events) == [("fortitude", "J", "d6", (2,), 4, 2)]
    assert events[1] == Placed("papers", At(Point(16000, 16000)), rule=RuleId("dropzone.objectives.dropping"))
    assert not any(isinstance(e, Moved) for e in events)
    assert battle.state.due == []
    assert battle.table.acting[0] == "blue"


def test_causes_lead_from_the_fallen_masonry_back_to_the_gun() -> None:
    events = _battle().logs[BLUE].events
    n = next(e for e in events if isinstance(e, ModelLost)).n
    chain = []
    while n:
        chain.append(type(events[n - 1]).__name__)
        n = events[n - 1].because
    assert chain == [
        *("ModelLost", "HarmApplied", "Rolled", "Rolled", "TerrainChanged", "HarmNoted", "HarmNoted"),
        *("Rolled", "Rolled"),
    ]


def test_each_weapon_of_the_volley_is_a_step_and_so_is_all_that_is_settled() -> None:
    """Between two boundaries happens one step, and no more."""
    stages: list[list[str]] = [[]]
    for line in _battle().journal.lines:
        if isinstance(line, Digested):
            stages.append([])
        elif isinstance(line, Happened):
            stages[-1].append(line.event.step)
    steps = [list(dict.fromkeys(stage)) for stage in stages if stage]
    assert all(len(stage) == 1 for stage in steps)
    assert [stage[0] for stage in steps][3:] == [
        *("NextSquad", "SquadActs", "SquadActs", "CloseQuarters", "Settle"),
        *("NextSquad", "SquadActs", "FireWeapon", "FireWeapon", "Settle"),
        *("Settle", "Settle", "Settle", "Battlegroup"),  # the damage, the collapse it causes, somebody's nerve
    ]


def test_undo_stops_at_every_die() -> None:
    script = INITIATIVE + CLOSE_QUARTERS + GUNS + COLLAPSE + MASONRY + FORTITUDE
    battle = Battle(FallingMasonry(), BATTERED, dice=ScriptedDice(script))
    for n, (side, draft) in enumerate(ANSWERS):
        before = msgspec.json.encode(battle.state)
        _say(battle, draft, Side(side))
        if n in (4, 8, 12):
            assert isinstance(battle.undo(Side(side)), Refusal), f"answer {n} made dice fall"
            continue
        assert battle.undo(Side(side)) is None, f"answer {n} may be taken back"
        assert msgspec.json.encode(battle.state) == before
        _say(battle, draft, Side(side))
    blues = _battle(6)
    _say(blues, "K", RED)
    assert isinstance(blues.undo(BLUE), Refusal), "red has answered since"


def test_damage_waits_in_the_state_so_that_odds_merge_between_the_weapons() -> None:
    battle = Battle(FallingMasonry(), Setup(scenario={"battered": 0}), dice=ScriptedDice(INITIATIVE))
    state = battle.state.copy()
    depth = len(state.agenda)
    state.agenda += [Settle(AFTER_SHOOTING), FireWeapon("K2", BLOCK), FireWeapon("K1", BLOCK)]
    found = distribution(
        battle.ruleset,
        state,
        read=lambda end: end.table[BLOCK].harm,
        until=lambda later: len(later.agenda) <= depth,
    )
    one = Fraction(5, 6) * Fraction(1, 3)  # hit on 2+, damage on 5+
    expected = {k: comb(6, k) * one**k * (1 - one) ** (6 - k) for k in range(7)}
    assert found.exact
    assert {outcome.what: outcome.chance for outcome in found.outcomes} == expected


@pytest.mark.parametrize("seed", range(8))
def test_random_battles_keep_their_promises(seed: int) -> None:
    keep_promises(FallingMasonry, BATTERED if seed % 2 else Setup(), seed, invariants=(units_apart,))
