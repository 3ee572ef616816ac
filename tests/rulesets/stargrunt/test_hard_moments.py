"""The hardest moments of the rules, each as a case plays it: undo, clones, causes and views hold at every answer.

Transfers that both sides' electronic warfare breaks into, counters and dummies under observation, close assaults from
the declaration to the prisoners. What they come to is proved by the cases themselves; here they are played again, and
everything is tried that a table may ask of a battle in the middle of them.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled, StateChanged, TakenBack, stops_undo
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.questions import React, Reaction, Refusal
from sandtable.engine.records.journal import Answered, Digested, Happened, Line
from sandtable.engine.records.replay import folded
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.shapes import Off
from sandtable.engine.state import StandingOrder
from sandtable.lab.cases.form import Case, catalogues_for, find_cases
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.steps import Playing
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.stargrunt import RULESET
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.close_assault.fights import PairOff
from sandtable.rulesets.stargrunt.observation.counters import DUMMY
from sandtable.rulesets.stargrunt.units.record import counters
from sandtable.tabletop.face_down import lies_under
from tests.promises import state_bytes

BOOK = rulebook("stargrunt")
HERE = Path(__file__).parents[3] / "cases" / "stargrunt"
CHAPTERS = ("close-assault", "communications", "electronic-warfare", "observation", "turn")
CASES = {
    f"{Path(case.name).stem}:{case.line}": case
    for case in find_cases([str(HERE / chapter) for chapter in CHAPTERS]).cases
}


class Script(NamedTuple):
    """A case as a battle that can be played again: its set-up, how the dice fell, and who answered what."""

    ruleset: Ruleset
    setup: Setup
    fallen: list[tuple[int, ...]]
    answers: list[Answered]

    def battle(self, upto: int = 0) -> Battle:
        """The battle, with so many of the answers given."""
        dice = ScriptedDice()
        dice.fallen = list(self.fallen)
        battle = Battle(self.ruleset, self.setup, dice=dice)
        for line in self.answers[:upto]:
            assert battle.answer(line.answer, line.side) is None
        return battle

    def up_to(self, topic: str, nth: int = 1) -> int:
        """How many answers come before a topic is asked for the nth time."""
        battle = self.battle()
        for n, line in enumerate(self.answers):
            question = battle.question_for(line.side)
            assert question is not None
            nth -= question.topic == topic
            if not nth:
                return n
            assert battle.answer(line.answer, line.side) is None
        raise AssertionError(f"{topic} is not asked so often")


def script_of(case: Case) -> Script:
    """A case that is played, and what was said in it."""
    words = RULESET.with_cards(catalogues_for(case)).case_words()
    playing = Playing(case, words, KnownWords(words, BOOK.ledger()))
    assert playing.all_steps() == []
    lines = playing.fight.journal.lines
    answers = [line for line in lines if isinstance(line, Answered)]
    return Script(words.ruleset, playing.fight.journal.header.setup, playing.dice.fallen, answers)


def titled(begins: str) -> Script:
    """The case whose title begins so."""
    (case,) = (case for case in CASES.values() if case.title.startswith(begins))
    return script_of(case)


def moments(script: Script) -> Iterator[tuple[Battle, Answered]]:
    """The battle before each of its answers."""
    battle = script.battle()
    for line in script.answers:
        yield battle, line
        assert battle.answer(line.answer, line.side) is None


@pytest.mark.parametrize("name", CASES)
def test_at_every_answer_undo_clones_and_views_hold(name: str) -> None:
    script = script_of(CASES[name])
    battle = script.battle()
    for line in script.answers:
        before, draws, events = state_bytes(battle), battle.dice.draws, len(battle.journal.events())
        twin = battle.clone()
        assert twin.answer(line.answer, line.side) is None
        assert battle.answer(line.answer, line.side) is None
        assert twin.questions == battle.questions, "a clone is asked the same"
        assert twin.digest() == battle.digest(), "a clone goes on alike"
        told = battle.journal.events()[events:]
        stands = battle.dice.draws != draws or battle.ended or any(stops_undo(event) for event in told)
        refused = twin.undo(line.side)
        assert (refused is not None) == stands, f"undo stops at dice and reveals, and at nothing else: {refused}"
        if refused is None:
            assert state_bytes(twin) == before, "undo gives the state before the answer"
    for side in (*battle.table.sides, SPECTATOR):
        log = battle.logs[side].events
        *_, table = folded(log, battle.table.sides, battle.journal.header.setup.options)
        assert msgspec.json.encode(table) == msgspec.json.encode(battle.view(side).table), "the log gives the view"
        assert [event.n for event in log] == list(range(1, len(log) + 1)), "what a side may not see leaves no gap"
        assert all(event.because < event.n for event in log), "a cause comes first"


def test_there_are_cases_of_every_kind() -> None:
    assert len(CASES) > 100
    asked = {type(question).__name__ for case in CASES.values() for question in questions(script_of(case))}
    assert asked >= {"Allocate", "ChooseOne", "ChooseSeveral", "MoveModels", "PlaceThings", "React"}


def questions(script: Script) -> Iterator[Any]:
    for battle, line in moments(script):
        yield battle.question_for(line.side)


# A transfer under jamming -------------------------------------------------------------------------------------------


COUNTERED = "P counters the jamming with a higher roll"


def test_each_side_is_asked_in_turn_and_the_dice_fall_when_all_is_said() -> None:
    script = titled("J counters the counter")
    first = script.up_to("communication")
    sides = []
    for n, (battle, line) in enumerate(moments(script)):
        if n < first:
            continue
        question = battle.question_for(line.side)
        assert isinstance(question, React)
        assert question.about == ("P",)
        assert not [event for event in battle.journal.events() if isinstance(event, Rolled)], "nothing falls before"
        (option,) = question.options
        markers = sum(thing.count("EW markers") for thing in battle.table.things.values() if thing.side == line.side)
        assert 1 <= option.amount_most <= markers
        assert isinstance(battle.check(Reaction(option.id, amount=markers + 1), line.side), Refusal)
        sides.append(line.side)
    assert sides == ["blue", "red", "blue", "red"]
    rolls = [event.what for event in script.battle(len(script.answers)).journal.events() if isinstance(event, Rolled)]
    assert rolls == ["communication", "jamming", "jamming EW", "jamming EW"]


def test_undo_stops_at_each_answer_of_the_other_side() -> None:
    script = titled(COUNTERED)
    at = script.up_to("communication")
    battle = script.battle(at)
    assert battle.undo(RED) is None, "nobody has broken in yet"
    assert isinstance(battle.logs[BLUE].events[-1], TakenBack)
    battle = script.battle(at + 1)
    assert isinstance(battle.undo(RED), Refusal)
    assert battle.undo(BLUE) is None
    battle = script.battle(at + 2)
    assert isinstance(battle.undo(BLUE), Refusal)
    assert battle.undo(RED) is None
    battle = script.battle(at + 3)
    assert [isinstance(battle.undo(side), Refusal) for side in (RED, BLUE)] == [True, True], "the dice have fallen"


def test_a_standing_order_answers_the_window_and_undo_stops_at_it() -> None:
    script = titled(COUNTERED)
    at = script.up_to("communication")
    battle = script.battle(at - 1)
    rules = script.battle(at).questions[0].rules
    assert battle.order(StandingOrder(BLUE, rules[0], None)) is None
    line = script.answers[at - 1]
    assert battle.answer(line.answer, line.side) is None
    assert battle.question_for(BLUE) is None
    assert isinstance(battle.undo(RED), Refusal), "an answer by order is an answer"


def test_a_transferred_activation_is_a_step_in_front_of_the_rest_of_the_commanders() -> None:
    script = titled(COUNTERED)
    battle = script.battle(len(script.answers))
    question = battle.questions[0]
    assert (question.topic, question.about) == ("action", ("A",))
    begun = [step for step in battle.boundary().agenda if isinstance(step, Activate)]
    assert [step.unit for step in begun] == ["P", "A"], "a boundary lies between them, and what is left of P's waits"
    assert [step.unit for step in battle.state.agenda if isinstance(step, Activate)] == ["P"]


# A close assault ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "stages"),
    [
        ("Short of B, A stops", ["Stand", "Charge", "FinalFire", "FireAction", "Charge"]),
        (
            "The higher score wins",
            ["Stand", "Charge", "PairOff", "Fight", "RoundEnd", "PairOff", "Fight", "Aftermath"],
        ),
    ],
)
def test_every_stage_of_an_assault_is_a_step(case: str, stages: list[str]) -> None:
    script = titled(case)
    steps = [event.step for event in script.battle(len(script.answers)).journal.events() if event.step]
    assert [step for step, _ in groupby(steps)] == ["Activate", *stages]


def test_pairs_are_state_between_the_steps_of_a_round() -> None:
    """No generator remembers who faces whom: pairing off ends at a boundary, and the fight reads the state."""
    script = titled("The other side says whom A's surplus figures face")
    at = script.up_to("surplus")
    asking = script.battle(at)
    assert isinstance(asking.boundary().agenda[-1], PairOff)
    assert not any(thing.has("faces") for thing in asking.boundary().table.things.values())
    battle = script.battle(at + 1)
    faces = [e for e in battle.journal.events() if isinstance(e, StateChanged) and e.state == "faces"]
    paired = {e.who: e.after for e in faces if e.step == "PairOff"}
    assert paired == {"A1": "B1", "A2": "B2", "A3": "B1", "A4": "B1"}
    assert {e.who for e in faces if e.step == "Fight" and e.after is None} == set(paired), "and forgets it again"
    begun = next(n for n, line in enumerate(battle.journal.lines) if _step_of(line) == "Fight")
    assert isinstance(battle.journal.lines[begun - 1], Digested), "a boundary lies between them"


def _step_of(line: Line) -> str:
    return line.event.step if isinstance(line, Happened) else ""


def test_paths_are_drawn_before_the_distance_is_rolled() -> None:
    script = titled("A draws its way round a pool up to B")
    battle = script.battle(script.up_to("charge"))
    assert not [e for e in battle.journal.events() if isinstance(e, Rolled) and e.what == "combat move"]
    line = script.answers[script.up_to("charge")]
    assert battle.answer(line.answer, line.side) is None
    assert [e.faces for e in battle.journal.events() if isinstance(e, Rolled) and e.what == "combat move"]


# Counters and dummies -----------------------------------------------------------------------------------------------


def test_counters_are_described_alike_to_all_but_their_owner() -> None:
    script = titled("Blue lays a counter for its unit")
    battle = script.battle(len(script.answers))
    assert battle.view(RED).table.secrets, "that something was chosen is known"
    for side in (RED, SPECTATOR):
        table = battle.view(side).table
        first, *others = [replace(one, id="", label="", place=Off()) for one in counters(table, BLUE)]
        assert others
        assert all(other == first for other in others)
        assert "B" not in [thing.id for thing in table.things.values() if thing.on_table]
    own = {one.id: lies_under(one) for one in counters(battle.view(BLUE).table, BLUE)}
    assert own == {"blue-c1": DUMMY, "blue-c2": "B", "blue-c3": DUMMY}


def test_a_veiled_roll_shows_its_owner_the_dice_and_the_others_what_came_of_it() -> None:
    script = titled("Red sees the outcome of the roll and no die")
    battle = script.battle(len(script.answers))
    rolls = {
        side: [event for event in battle.logs[side].events if isinstance(event, Rolled) and event.by == "K"]
        for side in (RED, BLUE, SPECTATOR)
    }
    for side in (RED, SPECTATOR):
        (seen,) = rolls[side]
        assert (seen.dice, seen.faces, seen.dice_parts) == ("", (), ())
        assert seen.outcome
    (own,) = rolls[BLUE]
    assert own.faces
    assert any(part.known_to == ("blue",) for part in own.dice_parts), "whether it is In Position is blue's alone"
    assert [isinstance(battle.undo(side), Refusal) for side in (RED, BLUE)] == [True, True]


def test_reaction_fire_is_asked_blind_even_where_nobody_can_fire() -> None:
    offered = [
        [option.id for option in question.options]
        for case in CASES.values()
        for question in questions(script_of(case))
        if isinstance(question, React) and question.topic == "reaction-fire" and question.blind
    ]
    assert [] in offered, "being asked tells nobody that there is somebody"
    assert ["B"] in offered
