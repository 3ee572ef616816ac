"""Transcript 11, move by move: counters and dummies under observation."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.enumerator import distribution
from sandtable.engine.events import AnyEvent, Declared, Forfeited, Left, Passed, Revealed, Rolled, Scored, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import (
    UNTIL_REVEALED,
    Allocate,
    AnyQuestion,
    Chance,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    PlaceThings,
    React,
    Reaction,
    Refusal,
)
from sandtable.engine.ruleset import Setup, View
from sandtable.engine.shapes import At, In, Off, Point, Via, Walk
from sandtable.engine.table import Thing
from tests.miniatures.counters_and_dummies import Activate, CountersAndDummies
from tests.miniatures.figures import bases_apart, fit, spot
from tests.promises import keep_promises

OBSERVE = "stargrunt.observation.observe"
IN_POSITION = "stargrunt.observation.in-position-harder"
MINOR = "stargrunt.observation.minor-success"
MAJOR = "stargrunt.observation.major-success"
COUNTERS = "stargrunt.observation.hidden-counters"
SPOOF = "stargrunt.electronic-warfare.spoof"
PASSING = "stargrunt.turn.passing"
SCORED = Scored("red", 1, "a counter identified", rule="stargrunt.scenario.patrol-clash")

TRUTH = {"K": "Alpha", "L": "dummy", "M": "Bravo"}


def _battle(*faces: int, truth: dict[str, str] | None = None, dug_in: tuple[str, ...] = ("K",)) -> Battle:
    """Blue has one dummy (the first die) and has laid K, L and M; red's patrol, 20 inches off, is activated."""
    battle = Battle(CountersAndDummies(), dice=ScriptedDice([1, *faces]))
    _say(battle, truth or TRUTH, "blue")
    _say(battle, dug_in, "blue")
    _say(battle, None, "blue")
    _say(battle, "red", "red")
    return battle


def _say(battle: Battle, draft: Any, side: str) -> list[AnyEvent]:
    """Answer, and give what red then sees, without the fields that number it."""
    seen = len(battle.logs["red"].events)
    refusal = battle.answer(draft, side)
    assert refusal is None, refusal
    return _bare(battle.logs["red"].events[seen:])


def _bare(events: list[AnyEvent]) -> list[AnyEvent]:
    return [msgspec.structs.replace(event, n=0, step="", because=0) for event in events]


def _asked(battle: Battle, side: str, kind: type, topic: str) -> Any:
    (question,) = battle.questions
    assert (question.side, type(question), question.topic) == (side, kind, topic)
    return question


def _counter(battle: Battle, side: str, name: str) -> Thing:
    return battle.view(side).table[name]


def _alike(thing: Thing) -> Thing:
    """A counter without its name and place."""
    return msgspec.structs.replace(thing, id="", label="", place=Off())


def test_blue_lays_its_counters_and_red_learns_only_where() -> None:
    battle = Battle(CountersAndDummies(), dice=ScriptedDice([1]))
    what = _asked(battle, "blue", Allocate, "counters")
    assert what.sealed == UNTIL_REVEALED
    assert [item.id for item in what.items] == ["K", "L", "M"]
    assert [bin_.id for bin_ in what.bins] == ["Alpha", "Bravo", "dummy"]
    refused = battle.check({"K": "Alpha", "L": "Alpha", "M": "Bravo"}, "blue")
    assert isinstance(refused, Refusal)
    assert refused.rule == COUNTERS
    seen = _say(battle, TRUTH, "blue")
    assert [(type(e).__name__, getattr(e, "value", 0)) for e in seen] == [("Sealed", None)]
    dug_in = _asked(battle, "blue", ChooseSeveral, "in position")
    assert [option.id for option in dug_in.options] == ["K", "L", "M"], "a dummy may be In Position too"
    _say(battle, ("K",), "blue")
    assert battle.view("red").table.secrets == {"blue: counters": "chosen", "blue: in position": "chosen"}
    lay = _asked(battle, "blue", PlaceThings, "lay")
    assert lay.things == ("K", "L", "M")
    spots = dict(lay.default)
    spots["K"] = msgspec.structs.replace(spots["K"], where=At(Point(18000, 14000)))
    refused = battle.check(spots, "blue")
    assert isinstance(refused, Refusal)
    assert refused.rule == COUNTERS
    assert [type(e).__name__ for e in _say(battle, None, "blue")] == ["Placed"] * 3 + ["PhaseBegan"]


def test_counters_are_described_alike_to_all_but_their_owner() -> None:
    battle = _battle()
    for side in ("red", ""):
        k, *others = [_alike(_counter(battle, side, name)) for name in "KLM"]
        assert all(other == k for other in others)
        assert "Alpha" not in battle.view(side).table.things
    assert {name: _counter(battle, "blue", name).value("is") for name in "KLM"} == TRUTH
    assert [name for name in "KLM" if _counter(battle, "blue", name).has("in position")] == ["K"]


def test_the_preview_gives_both_dice_the_owner_may_have_and_the_range_of_the_odds() -> None:
    battle = _battle()
    _say(battle, "patrol", "red")
    _say(battle, "observe", "red")
    which = _asked(battle, "red", ChooseOne, "observe")
    assert [(o.id, o.label, o.rules) for o in which.options] == [(n, f"counter {n}", (OBSERVE,)) for n in "KLM"]
    previews = []
    for name in "KLM":
        accepted = battle.check(name, "red")
        assert not isinstance(accepted, Refusal)
        previews.append(accepted.preview())
    assert previews[0] == previews[1] == previews[2]
    plain, dug_in = previews[0].explanations
    assert plain.what == "owner's die D8, in steps above D4"
    assert plain.words() == "D4 0 · soft cover +1 · 1 times twelve inches +1"
    assert dug_in.what == "owner's die D10, in steps above D4"
    assert dug_in.parts[-1] == ExplainedPart("In Position", 1, IN_POSITION)
    assert previews[0].odds == (Chance("identified", 0, 1, range=(422, 529)),)


@pytest.mark.parametrize(("name", "chance"), [("K", Fraction(203, 480)), ("L", Fraction(203, 384))])
def test_the_range_is_what_the_rules_themselves_come_to(name: str, chance: Fraction) -> None:
    battle = _battle()
    state = battle.state.copy()
    state.agenda.append(Activate("patrol", 1))
    answers: dict[str, Any] = {"action": "observe", "observe": name}

    def given(view: View, question: AnyQuestion) -> Any:
        return answers.get(question.topic)

    found = distribution(
        battle.ruleset,
        state,
        read=lambda end: end.table[name].has("face up") or not end.table[name].on_table,
        answers=given,
    )
    assert found.exact
    assert found.chance(bool) == chance


def test_a_minor_success_flips_a_unit_and_its_roll_is_veiled() -> None:
    battle = _battle(7, 3, 5)
    _say(battle, "patrol", "red")
    _say(battle, "observe", "red")
    declared = _say(battle, "K", "red")
    assert declared == [Declared("patrol", "observe", ("K",), rule=OBSERVE)]
    spoof = _asked(battle, "blue", React, "observation")
    assert (spoof.about, spoof.blind) == (("patrol", "K"), False)
    (option,) = spoof.options
    assert (option.id, option.amount_least, option.amount_most, option.rules) == ("spoof", 1, 3, (SPOOF,))
    seen = _say(battle, None, "blue")
    dice = (ExplainedPart("Quality", 8, OBSERVE), ExplainedPart("sensors", 6, "stargrunt.observation.sensors"))
    assert seen[:-1] == [
        Passed("blue", "observation", rule=SPOOF),
        Rolled("observe", "patrol", "d8+d6", (7, 3), 10, total=10, dice_parts=dice, rule=OBSERVE),
        Rolled("hide", "K", outcome="minor success", rule=OBSERVE),
        Revealed("K", "unit", value="unit", rule=MINOR, detail={"in position": "yes"}),
        StateChanged("K", "face up", after=1, rule=MINOR),
        StateChanged("K", "in position", 1, 1, rule=IN_POSITION),
        SCORED,
    ]
    (hide,) = [e for e in battle.logs["blue"].events if isinstance(e, Rolled) and e.what == "hide"]
    assert (hide.dice, hide.faces, hide.natural) == ("d10", (5,), 5)
    assert [(p.label, p.value, p.known_to) for p in hide.dice_parts] == [
        ("D4", 0, ()),
        ("soft cover", 1, ()),
        ("1 times twelve inches", 1, ()),
        ("In Position", 1, ("blue",)),
    ]
    assert battle.logs[""].events[-7:] == battle.logs["red"].events[-7:], "a spectator knows what red knows"
    # Red's second grade of knowledge: a unit, In Position; which one it does not know, nor see its figures.
    k = _counter(battle, "red", "K")
    assert (k.has("face up"), k.has("in position"), k.value("is")) == (True, True, None)
    assert "Alpha" not in battle.view("red").table.things
    assert _alike(_counter(battle, "red", "L")) == _alike(_counter(battle, "red", "M"))


def _after_k() -> Battle:
    battle = _battle(7, 3, 5, 2, 5, 4)
    for draft, side in (("patrol", "red"), ("observe", "red"), ("K", "red"), (None, "blue")):
        _say(battle, draft, side)
    return battle


def test_a_minor_success_removes_a_dummy() -> None:
    battle = _after_k()
    assert _asked(battle, "red", ChooseOne, "action").prompt == "patrol: second action?"
    _say(battle, "observe", "red")
    _say(battle, "L", "red")
    seen = _say(battle, None, "blue")
    assert seen[2:] == [
        Rolled("hide", "L", outcome="minor success", rule=OBSERVE),
        Revealed("L", "dummy", value="dummy", rule=MINOR, detail={"in position": "no"}),
        Left("L", "it was a dummy", rule=MINOR),
        SCORED,
    ]
    (hide,) = [e for e in battle.logs["blue"].events if isinstance(e, Rolled) and e.by == "L"]
    assert hide.dice == "d8"
    assert hide.dice_parts[-1] == ExplainedPart("In Position", 0, IN_POSITION, known_to=("blue",))
    assert not _counter(battle, "red", "L").on_table


def test_once_it_is_flipped_the_die_is_known_and_a_major_success_places_the_figures() -> None:
    battle = _battle(7, 3, 5, 8, 6, 5)
    for draft, side in (("patrol", "red"), ("observe", "red"), ("K", "red"), (None, "blue"), ("observe", "red")):
        _say(battle, draft, side)
    accepted = battle.check("K", "red")
    assert not isinstance(accepted, Refusal)
    assert accepted.preview().odds == (Chance("identified", 203, 480),)
    _say(battle, "K", "red")
    seen = _say(battle, None, "blue")
    hide = seen[2]
    assert isinstance(hide, Rolled)
    assert (hide.dice, hide.faces, hide.outcome) == ("d10", (5,), "major success")
    figures = _asked(battle, "blue", PlaceThings, "figures")
    assert figures.things == ("Alpha1", "Alpha2", "Alpha3")
    for where in (At(Point(18000, 14000)), At(Point(18000, 10000), 1), In("K"), Off("nowhere")):
        spots = {**figures.default, "Alpha1": msgspec.structs.replace(figures.default["Alpha1"], where=where)}
        refused = battle.check(spots, "blue")
        assert isinstance(refused, Refusal)
        assert refused.rule == MAJOR
    seen = _say(battle, None, "blue")
    assert [type(e).__name__ for e in seen] == ["Placed"] * 3 + ["StateChanged", "Left"]
    alpha = battle.view("red").table["Alpha"]
    assert (alpha.count("quality"), alpha.has("in position")) == (8, True)
    assert len(fit(battle.view("red").table, "Alpha")) == 3
    assert not _counter(battle, "red", "K").on_table


def test_a_spoofed_observation_fails_whatever_the_dice_show() -> None:
    battle = _battle(8, 2, 1, 3)
    for draft, side in (("patrol", "red"), ("observe", "red"), ("M", "red")):
        _say(battle, draft, side)
    seen = _say(battle, Reaction("spoof", amount=3), "blue")
    assert seen[0] == Declared("blue", "spoof", ("patrol", "M"), rule=SPOOF, detail={"amount": 3})
    rolled = seen[3]
    assert isinstance(rolled, Rolled)
    assert (rolled.dice, rolled.faces, rolled.needs, rolled.outcome) == ("d10", (3,), 3, "passed")
    assert seen[5] == Forfeited("patrol", "observe", rule=SPOOF)
    assert battle.view("red").table["blue"].count("EW markers") == 0
    assert not _counter(battle, "red", "M").has("face up")


def test_undo_stops_at_blues_answer_the_dice_and_the_reveal() -> None:
    battle = _battle(7, 3, 5)
    for draft in ("patrol", "observe", "K"):
        _say(battle, draft, "red")
    assert battle.undo("red") is None
    _say(battle, "K", "red")
    _say(battle, None, "blue")
    for side in ("red", "blue"):
        assert isinstance(battle.undo(side), Refusal)
    assert _asked(battle, "red", ChooseOne, "action").prompt == "patrol: second action?"
    _say(battle, "observe", "red")
    assert battle.undo("red") is None
    assert isinstance(battle.undo("red"), Refusal)


def test_a_boundary_follows_each_action() -> None:
    battle = _after_k()
    _say(battle, "observe", "red")
    assert battle.state.agenda[-1:] != [Activate("patrol", 1)], "the second action has begun"
    first = _battle()
    _say(first, "patrol", "red")
    _say(first, "observe", "red")
    assert first.state.agenda[-1] == Activate("patrol", 1, False)


# What a secret must not change -------------------------------------------------------------------------------------

Check = Callable[[Battle], object]
TRUTHS = (TRUTH, {"K": "dummy", "L": "Alpha", "M": "Bravo"}, {"K": "Bravo", "L": "Alpha", "M": "dummy"})


def _same_for_red(look: Check, *faces: int) -> list[object]:
    """What red gets to see whichever counter is the dummy and whichever are In Position."""
    found = [
        look(_battle(*faces, truth=truth, dug_in=dug_in)) for truth in TRUTHS for dug_in in ((), ("L",), ("K", "M"))
    ]
    assert all(other == found[0] for other in found)
    return found


def test_dummies_count_as_unactivated_units() -> None:
    def passing(battle: Battle) -> object:
        options = {option.id: option for option in _asked(battle, "red", ChooseOne, "activate").options}
        return options["pass"]

    (may_pass, *_) = _same_for_red(passing)
    assert getattr(may_pass, "refused", None) == ""  # two units of red's against three counters
    battle = _battle()
    _say(battle, "pass", "red")
    refused = battle.check("pass", "blue")
    assert isinstance(refused, Refusal)
    assert refused.rule == PASSING


def test_a_path_past_a_counter_is_judged_alike_whatever_it_is() -> None:
    def walk_over_l(battle: Battle) -> object:
        for draft in ("patrol", "move"):
            _say(battle, draft, "red")
        question = _asked(battle, "red", MoveModels, "move")
        ways = {one: _shift(battle, one, -2000, -5500) for one in question.models}
        far = {one: _shift(battle, one, -3000, -5500) for one in question.models}
        refused = battle.check(far, "red")
        assert isinstance(refused, Refusal)
        assert refused.rule == "stargrunt.movement.normal"
        return refused, _say(battle, ways, "red")

    _same_for_red(walk_over_l)


def test_a_path_over_a_face_down_unit_is_free_and_past_its_figures_is_not() -> None:
    battle = _battle()
    _say(battle, "finish", "red")
    _say(battle, "M", "blue")  # Bravo shows itself and does nothing
    _say(battle, None, "blue")
    red = battle.view("red")
    figures = fit(red.table, "Bravo")
    here = spot(figures[0])
    question = MoveModels("red", "Move", topic="move", models=("patrol1",), allowance={"patrol1": 40000})
    past = {"patrol1": Walk((Via(Point(here.x, here.y + 3000)), Via(Point(here.x + 1500, here.y))))}
    refused = battle.ruleset.judge(red, question, past)
    assert refused is not None
    assert refused.rule == "stargrunt.movement.moving-figures"
    over_k = {"patrol1": Walk((Via(spot(battle.table["K"])),))}
    assert battle.ruleset.judge(red, question, over_k) is None


def _shift(battle: Battle, one: str, x: int, y: int) -> Walk:
    at = spot(battle.table[one])
    return Walk((Via(Point(at.x + x, at.y + y)),))


def _dash(battle: Battle) -> list[AnyEvent]:
    """The patrol moves twice; gives what red sees when it sets off the second time."""
    for draft in ("patrol", "move"):
        _say(battle, draft, "red")
    _say(battle, None, "red")
    return _say(battle, "move", "red")


def test_reaction_fire_is_asked_blind_as_long_as_anything_lies_there() -> None:
    roster = Setup(scenario={"roster": [["Alpha", 8, 3]]})
    for hidden, option in ({"K": "Alpha", "L": "dummy"}, ["K"]), ({"K": "dummy", "L": "Alpha"}, ["L"]):
        battle = Battle(CountersAndDummies(), roster, dice=ScriptedDice([1, 1, 6]))
        for draft in (hidden, (), None):
            _say(battle, draft, "blue")
        _say(battle, "red", "blue")
        assert _dash(battle) == [Declared("patrol", "move", rule="stargrunt.movement.normal")]
        react = _asked(battle, "blue", React, "dash")
        assert react.blind
        assert [o.id for o in react.options] == option


def test_a_side_with_nothing_but_a_dummy_is_asked_all_the_same() -> None:
    roster = Setup(scenario={"roster": [["Alpha", 8, 3]]})
    battle = Battle(CountersAndDummies(), roster, dice=ScriptedDice([1, 1, 6]))
    for draft in ({"K": "Alpha", "L": "dummy"}, (), None, "blue", "K", None, "done"):
        _say(battle, draft, "blue")
    _dash(battle)
    react = _asked(battle, "blue", React, "dash")
    assert (react.blind, react.options) == (True, ())
    assert isinstance(battle.check(Reaction("L"), "blue"), Refusal)
    assert _say(battle, None, "blue") == [Passed("blue", "dash", rule="stargrunt.turn.reaction-fire")]


def test_a_hidden_unit_that_fires_shows_itself_and_costs_its_side_the_next_activation() -> None:
    battle = _battle(5, 2, 3)
    _dash(battle)
    _say(battle, Reaction("M"), "blue")
    seen = _say(battle, None, "blue")
    assert [type(e).__name__ for e in seen[:4]] == ["Placed", "Placed", "Placed", "Left"]
    fired = next(e for e in seen if isinstance(e, Rolled) and e.what == "range")
    assert (fired.by, fired.dice, fired.outcome) == ("patrol", "d10", "minor success")
    assert seen[-2] == Forfeited("patrol", "second move", rule="stargrunt.turn.reaction-fire")
    assert battle.view("red").table["patrol"].count("suppression") == 1
    # Bravo is activated and blue has gone ahead: it is red's turn again.
    assert _asked(battle, "red", ChooseOne, "activate").options[0].id == "rear"


def test_fire_at_a_counter_shows_only_what_stirs() -> None:
    """stargrunt.observation.recon-by-fire: even a major success leaves a dummy as it was."""

    def fire_at(name: str, *faces: int) -> tuple[Battle, list[AnyEvent]]:
        battle = _battle(*faces)
        for draft in ("patrol", "fire"):
            _say(battle, draft, "red")
        return battle, _say(battle, name, "red")

    recon = "stargrunt.observation.recon-by-fire"
    battle, dummy = fire_at("L", 8, 8, 1)
    assert dummy[3] == Rolled("range", "L", outcome="nothing stirs", rule="stargrunt.fire.step-one")
    assert _alike(_counter(battle, "red", "L")) == _alike(_counter(battle, "red", "M"))
    _, missed = fire_at("M", 8, 8, 8)
    for n, event in enumerate(missed[:4]):
        other = msgspec.json.encode(dummy[n]).replace(b'"L"', b'"M"')
        assert msgspec.json.encode(event) == other
    battle, unit = fire_at("M", 8, 8, 1)
    assert unit[3] == Rolled("range", "M", outcome="it is a unit", rule="stargrunt.fire.step-one")
    assert unit[4] == Revealed("M", "unit", value="unit", rule=recon, detail={"in position": "no"})
    assert _counter(battle, "red", "M").count("suppression") == 1


@pytest.mark.parametrize("seed", range(8))
def test_random_battles_keep_their_promises(seed: int) -> None:
    keep_promises(CountersAndDummies, Setup(), seed, invariants=(bases_apart,))
