"""Undo: it gives the state before an answer byte for byte, and stops at every kind of barrier."""

import random

import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.events import Counted, Passed, Rolled, Sealed, TakenBack
from sandtable.engine.ids import BLUE, NO_RULE, RED, RuleId, Side
from sandtable.engine.questions import UNTIL_REVEALED, Confirm, Refusal
from sandtable.engine.records.history import REACH, NotUndoable
from sandtable.engine.records.journal import Answered
from sandtable.engine.records.replay import replayed, resumed
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.state import StandingOrder, Step
from tests.engine.parley import Parley, actor, opened, others, say
from tests.promises import state_bytes


def undone(battle: Battle, side: Side) -> None:
    assert battle.may_undo(side) is None
    refusal = battle.undo(side)
    assert refusal is None, refusal


def stands(battle: Battle, side: Side) -> None:
    lines = len(battle.journal.lines)
    before = state_bytes(battle)
    told = battle.may_undo(side)
    assert isinstance(told, Refusal)
    assert battle.undo(side) == told
    assert len(battle.journal.lines) == lines
    assert state_bytes(battle) == before


def test_whether_a_side_may_undo_is_said_without_changing_anything() -> None:
    battle = opened()
    say(battle, "wait")
    before, lines = state_bytes(battle), len(battle.journal.lines)
    asked = {side: battle.may_undo(side) for side in (*battle.table.sides, SPECTATOR)}
    assert [side for side, refusal in asked.items() if refusal is None] == [actor(battle)]
    assert (state_bytes(battle), len(battle.journal.lines)) == (before, lines)
    battle.concede(actor(battle))
    assert battle.may_undo(actor(battle)) == Refusal(NO_RULE, "The battle is over; nothing is taken back.")


def test_a_battle_goes_on_from_its_last_boundary() -> None:
    battle = opened()
    say(battle, "wait", True)
    boundary = battle.last_boundary()
    boundary.state.table.turn += 7
    assert battle.last_boundary().state.table.turn == boundary.state.table.turn - 7, "the state is the caller's own"
    boundary = battle.last_boundary()
    past = battle.journal.lines[: boundary.lines]
    twin = Battle.at_boundary(battle.ruleset, battle.journal.header, past, boundary.state, boundary.events)
    for line in battle.journal.lines[boundary.lines :]:
        if isinstance(line, Answered):
            assert twin.answer(line.answer, line.side) is None
    assert state_bytes(twin) == state_bytes(battle)
    assert twin.questions == battle.questions


# How far it goes ----------------------------------------------------------------------------------------------------


def test_undo_gives_the_state_before_byte_for_byte_across_boundaries_and_again_and_again() -> None:
    battle = opened()
    side = actor(battle)
    states = []
    for answer in ("wait", True, "wait"):
        states.append((state_bytes(battle), battle.questions))
        say(battle, answer)
    for _ in range(2):
        for before, questions in reversed(states):
            undone(battle, side)
            assert state_bytes(battle) == before
            assert battle.questions == questions
        stands(battle, side)
        say(battle, "wait", True, "wait")


def test_only_the_side_that_answered_takes_back() -> None:
    battle = opened()
    say(battle, "wait")
    for other in others(battle):
        stands(battle, other)
    undone(battle, actor(battle))


@pytest.mark.parametrize("barrier", ["roll", "reveal", "measure"])
def test_nothing_before_a_die_a_reveal_or_measuring_is_taken_back(barrier: str) -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "wait", True, barrier)
    stands(battle, side)
    say(battle, False)  # what comes after the barrier may be


def test_what_comes_after_a_barrier_may_be_taken_back_up_to_it() -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "roll", False)
    before = state_bytes(battle)
    say(battle, "wait")
    undone(battle, side)
    assert state_bytes(battle) == before
    undone(battle, side)  # "go on?" was asked after the die
    stands(battle, side)


def test_a_drawn_card_stops_undo() -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "end")  # the next card is drawn at once
    stands(battle, side)


def test_another_sides_answer_stops_undo_and_a_pass_is_one() -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "window")
    undone(battle, side)  # the others are asked, and have said nothing yet
    say(battle, "window")
    asked = battle.questions[0].side
    assert asked in others(battle)
    assert battle.answer(None, asked) is None
    stands(battle, side)
    passed = [event for event in battle.journal.events() if isinstance(event, Passed)]
    assert [event.side for event in passed] == [asked]
    undone(battle, asked)  # its own pass it may still take back
    stands(battle, side)  # but that it had passed was seen
    stands(battle.clone(), side)


def test_the_last_sealed_answer_stops_undo() -> None:
    battle = opened()
    say(battle, "vote")
    for side in battle.table.sides:
        assert battle.answer("red", side) is None
    for side in battle.table.sides:
        stands(battle, side)


def test_a_sealed_answer_is_taken_back_while_others_are_open_and_theirs_stand() -> None:
    battle = opened()
    say(battle, "vote")
    for side, vote in ((RED, "red"), (BLUE, "blue")):
        assert battle.answer(vote, side) is None
    undone(battle, RED)
    assert battle.question_for(RED) is not None
    assert battle.question_for(BLUE) is None
    assert battle.table.secrets["blue: vote"] == "blue"
    assert "red: vote" not in battle.table.secrets
    stands(battle, Side("green"))
    assert battle.answer("green", RED) is None
    assert battle.answer("green", Side("green")) is None
    assert battle.table.scores == {"green": 2}
    assert replayed(battle.journal, Parley()).digest() == battle.digest()


def test_each_of_three_sides_takes_back_its_own_sealed_answer_in_any_order() -> None:
    battle = opened()
    say(battle, "vote")
    before = state_bytes(battle)
    for side in (RED, BLUE):
        assert battle.answer(side, side) is None
    for side in (RED, BLUE):
        undone(battle, side)
        assert battle.question_for(side) is not None
    assert state_bytes(battle) == before
    for side in (BLUE, RED):
        assert battle.answer(side, side) is None
    for side in (BLUE, RED):
        undone(battle, side)
    assert state_bytes(battle) == before
    later = others(battle)[0]
    stands(battle, later)


def test_an_answer_before_the_sealed_ones_is_not_taken_back_over_them() -> None:
    battle = opened()
    side, (other, *_) = actor(battle), others(battle)
    say(battle, "vote")
    assert battle.answer("red", other) is None
    stands(battle, side)


def test_a_sealed_answer_by_standing_order_does_not_open_the_way_behind_the_vote() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    battle.order(StandingOrder(side, RuleId("parley.vote"), "red"))
    say(battle, "vote")  # the acting side votes by its order
    assert battle.question_for(side) is None
    assert battle.answer("red", other) is None
    stands(battle, side)


class Chorus(Step, frozen=True):
    sealed: str


class Singing(Ruleset):
    """Asks both sides at once, in the open or in secret for good."""

    name = "singing"
    steps = (Chorus,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Chorus(str(setup.options["sealed"])))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Chorus)
        yield tuple(
            Confirm(side, "Sing?", topic="song", sealed=step.sealed, rules=(RuleId("s"),)) for side in (RED, BLUE)
        )
        yield Confirm(RED, "Again?", rules=(RuleId("s"),))


@pytest.mark.parametrize("sealed", ["", UNTIL_REVEALED])
def test_the_last_of_several_answers_stops_undo_though_nothing_is_revealed(sealed: str) -> None:
    battle = Battle(Singing(), Setup(options={"sealed": sealed}))
    assert battle.answer(True, RED) is None
    undone(battle, RED)
    for side in (RED, BLUE):
        assert battle.answer(True, side) is None
    for side in (RED, BLUE):
        stands(battle, side)


def test_nothing_is_taken_back_when_the_battle_is_over() -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "wait")
    battle.concede(side)
    stands(battle, side)


# What is not in the way ---------------------------------------------------------------------------------------------


def test_orders_and_offers_of_others_are_not_in_the_way_and_stay() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    say(battle, "wait")
    order = StandingOrder(other, RuleId("parley.cheer"), True)
    battle.order(order)
    battle.offer_draw(other)
    undone(battle, side)
    assert battle.state.orders == (order,)
    assert battle.state.offers == (other,)
    assert replayed(battle.journal, Parley()).digest() == battle.digest()
    assert resumed(battle.saved(), Parley()).digest() == battle.digest()


class Nod(Step, frozen=True):
    pass


class Nodding(Ruleset):
    """Asks red, then red again, without end; dice fall if red likes."""

    name = "nodding"
    steps = (Nod,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.happens(Rolled("weather", natural=6, total=6, rule=RuleId("nod")))
        battle.push(Nod())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        nods = battle.table.things["red"].count("nods") if "red" in battle.table.things else 0
        battle.happens(Counted("red", "nods", nods, nods + 1, rule=RuleId("nod")))
        yield Confirm(RED, "Nod?", rules=(RuleId("nod.by-order"),))
        rolls = yield Confirm(RED, "Roll?", rules=(RuleId("nod.by-hand"),))
        if rolls:
            battle.dice.total("d6")
        battle.push(Nod())


def test_a_roll_while_the_table_is_laid_does_not_bar_the_first_answers() -> None:
    battle = Battle(Nodding())
    before = state_bytes(battle)
    say(battle, True, False)
    undone(battle, RED)
    undone(battle, RED)
    assert state_bytes(battle) == before


def test_answers_by_ones_own_standing_order_are_undone_with_what_led_to_them() -> None:
    battle = Battle(Nodding())
    battle.order(StandingOrder(RED, RuleId("nod.by-order"), True))
    say(battle, True)
    states = []
    for _ in range(3):
        states.append(state_bytes(battle))
        say(battle, False)
    for before in reversed(states):
        undone(battle, RED)
        assert state_bytes(battle) == before


@pytest.mark.parametrize("answers", [(True, False), (True, False, False), (True, True), (True, True, False)])
def test_a_resumed_battle_undoes_what_the_saved_one_would(answers: tuple[bool, ...]) -> None:
    battle = Battle(Nodding())
    battle.order(StandingOrder(RED, RuleId("nod.by-order"), True))
    say(battle, *answers)
    twin = resumed(battle.saved(), Nodding())
    for _ in range(3):
        say(battle, False)
        say(twin, False)
    for _ in range(6):
        assert battle.undo(RED) == twin.undo(RED)
        assert state_bytes(battle) == state_bytes(twin)


# What the logs say --------------------------------------------------------------------------------------------------


def test_every_log_tells_what_was_taken_back_in_its_own_numbers() -> None:
    battle = opened()
    side = actor(battle)
    before = {who: len(log.events) for who, log in battle.logs.items()}
    say(battle, "wait")
    undone(battle, side)
    for who, log in battle.logs.items():
        last = log.events[-1]
        assert last == TakenBack(side, before[who], n=len(log.events))
    assert SPECTATOR in battle.logs


def test_a_sealed_answer_that_stands_is_told_again_after_what_was_taken_back() -> None:
    battle = opened()
    say(battle, "vote")
    for side in (RED, BLUE):
        assert battle.answer(side, side) is None
    undone(battle, RED)
    log = battle.logs[Side("green")].events
    assert [type(event) for event in log[-4:]] == [Sealed, Sealed, TakenBack, Sealed]
    last = log[-1]
    assert isinstance(last, Sealed)
    assert (last.side, last.value) == ("blue", None)


def test_boundaries_that_undo_cannot_reach_are_forgotten() -> None:
    battle = opened(seed=1)
    while not battle.ended:
        say(battle, "wait", False)
        if not battle.ended:
            say(battle, "wait", True)
    assert len(battle._history.boundaries) <= 2 + len(battle.table.sides), "one more for the last answer of each side"


def test_a_battle_that_is_not_undoable_plays_alike_and_says_so_when_asked_for_one() -> None:
    battles = [Battle(Parley(), Setup((RED, BLUE)), seed=1, undoable=undoable) for undoable in (True, False)]
    for battle in battles:
        for side in battle.table.sides:
            assert battle.answer("1", side) is None
        while not battle.ended:
            say(battle, "wait", False)
            if not battle.ended:
                assert battle._history.undoable or isinstance(battle.undo(actor(battle)), Refusal)
                say(battle, "wait", True)
    kept, quick = battles
    assert quick.journal.encode() == kept.journal.encode()
    assert state_bytes(quick) == state_bytes(kept)
    for ask in (quick.clone, quick.saved, quick.boundary):
        with pytest.raises(NotUndoable):
            ask()


def test_of_boundaries_with_nothing_said_between_them_one_is_kept() -> None:
    battle = opened()
    say(battle, "wait", True)
    said = [boundary.said for boundary in battle._history.boundaries]
    assert said == list(dict.fromkeys(said))
    assert [boundary.state.steps for boundary in battle._history.boundaries][-2:] == [4, 5], (
        "after the draw, and after the act"
    )


# What the others agree to ---------------------------------------------------------------------------------------------


def agreed(battle: Battle, side: Side) -> None:
    """A side asks, and all others agree."""
    assert battle.ask_undo(side) is None
    assert battle.asks_undo == side
    for other in battle.table.sides:
        if other != side:
            assert battle.answer_undo(other, agrees=True) is None
    assert battle.asks_undo == ""


@pytest.mark.parametrize("barrier", ["roll", "reveal", "measure", "end"])
def test_whatever_stops_undo_is_passed_if_all_others_agree(barrier: str) -> None:
    battle = opened()
    side = actor(battle)
    say(battle, "wait", True)
    before, questions = state_bytes(battle), battle.questions
    say(battle, barrier)
    after = state_bytes(battle)
    stands(battle, side)
    agreed(battle, side)
    assert (state_bytes(battle), battle.questions) == (before, questions)
    stands(battle, side)  # what was before is not opened by it
    say(battle, barrier)
    assert state_bytes(battle) == after, "dice fall again as they fell"
    assert replayed(battle.journal, Parley()).digest() == battle.digest()


def test_answers_of_others_that_came_since_are_taken_back_too_and_orders_stand() -> None:
    battle = opened()
    side, (other, third) = actor(battle), others(battle)
    before = state_bytes(battle)
    say(battle, "window")
    assert battle.answer(None, battle.questions[0].side) is None
    order = StandingOrder(third, RuleId("parley.cheer"), True)
    battle.order(order)
    battle.offer_draw(other)
    stands(battle, side)
    agreed(battle, side)
    assert battle.question_for(side) is not None
    assert (battle.state.orders, battle.state.offers) == ((order,), ())
    battle.order(order, withdraw=True)
    assert state_bytes(battle) == before
    for twin in (replayed(battle.journal, Parley()), resumed(battle.saved(), Parley())):
        assert state_bytes(twin) == state_bytes(battle)


def test_nothing_is_taken_back_before_all_have_agreed_and_one_refusal_ends_it() -> None:
    battle = opened()
    side, (other, third) = actor(battle), others(battle)
    say(battle, "roll")
    before = state_bytes(battle)
    assert battle.ask_undo(side) is None
    assert battle.ask_undo(other) is not None, "one at a time"
    assert battle.answer_undo(side, agrees=True) is not None, "nobody agrees with himself"
    assert battle.answer_undo(other, agrees=True) is None
    assert battle.asks_undo == side
    assert battle.answer_undo(third, agrees=False) is None
    assert battle.asks_undo == ""
    assert battle.answer_undo(other, agrees=True) == Refusal(NO_RULE, "No other side asks to take anything back.")
    assert state_bytes(battle) == before
    assert battle.ask_undo(side) is None
    assert battle.ask_undo(side, asks=False) is None
    assert battle.asks_undo == ""
    assert battle.ask_undo(side, asks=False) is not None
    assert resumed(battle.saved(), Parley()).digest() == battle.digest()


def test_an_answer_ends_the_asking() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    say(battle, "roll")
    assert battle.ask_undo(side) is None
    say(battle, False)
    assert battle.asks_undo == ""
    assert battle.answer_undo(other, agrees=True) is not None


def test_who_has_said_nothing_or_nothing_lately_has_nothing_to_ask_for() -> None:
    battle = Battle(Nodding())
    assert battle.may_ask_undo(RED) == battle.ask_undo(RED)
    assert battle.may_ask_undo(RED) is not None
    say(battle, True)
    assert battle.may_ask_undo(RED) is None
    assert battle.may_ask_undo(BLUE) == Refusal(NO_RULE, "blue has said nothing lately that could be taken back.")
    assert battle.ask_undo(Side("green")) == Refusal(NO_RULE, "green has no side in this battle.")
    battle.concede(BLUE)
    assert battle.may_ask_undo(RED) == Refusal(NO_RULE, "The battle is over; nothing is taken back.")
    assert Battle(Nodding(), undoable=False).may_ask_undo(RED) is not None


def test_behind_the_barrier_only_what_could_be_asked_for_is_kept() -> None:
    battle = Battle(Nodding())
    for _ in range(3 * REACH):
        say(battle, True, True)  # a die each time
        kept = len(battle._history.boundaries)
        assert kept <= 1 + len(battle.table.sides)
    assert battle.may_ask_undo(RED) is None


@pytest.mark.parametrize("seed", range(6))
def test_a_resumed_battle_lets_agree_to_what_the_saved_one_would(seed: int) -> None:
    rng = random.Random(seed)
    battle, twin = opened(seed=seed), opened(seed=seed)
    times = 0
    for _ in range(60):
        if battle.ended:
            break
        if rng.random() < 0.3:
            twin = resumed(battle.saved(), Parley())
        side = rng.choice(battle.table.sides)
        if rng.random() < 0.3 and battle.may_ask_undo(side) is None:
            agreed(battle, side)
            agreed(twin, side)
            times += 1
        else:
            asked = rng.choice([one for at, one in enumerate(battle.questions) if battle.question_for(one.side) == one])
            answer = RandomBot(Parley(), rng.getrandbits(32)).answer(battle.view(asked.side), asked)
            for one in (battle, twin):
                assert one.answer(answer, asked.side) is None
        assert [battle.may_ask_undo(one) for one in battle.table.sides] == [
            twin.may_ask_undo(one) for one in battle.table.sides
        ]
        assert state_bytes(battle) == state_bytes(twin)
    assert times > 2
    assert replayed(battle.journal, Parley()).digest() == battle.digest()
