"""A battle: what is refused changes nothing, what is due is settled, clones stand alone, and it can end by word."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sandtable.engine.battle import Battle, check
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Harm,
    HarmApplied,
    HarmNoted,
    Revealed,
    Sealed,
    StateChanged,
    TakenBack,
)
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.questions import (
    UNTIL_ALL_ANSWER,
    UNTIL_REVEALED,
    AnyQuestion,
    ChooseSeveral,
    Confirm,
    Option,
    Refusal,
)
from sandtable.engine.records.journal import Answered, Digested, Happened, Journal
from sandtable.engine.records.replay import folded, replayed, resumed
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.state import Due, Settle, Step
from tests.engine.answers import Randomly
from tests.engine.duel import Duel
from tests.engine.parley import THREE, Parley, actor, opened, others, say
from tests.promises import keep_promises, refold_in_fresh_process, state_bytes


def told(battle: Battle) -> tuple[Any, ...]:
    logs = {side: list(log.events) for side, log in battle.logs.items()}
    return state_bytes(battle), battle.questions, list(battle.journal.lines), logs


@pytest.mark.parametrize("sides", [("red", "blue"), ("red", "blue", "green"), ("north", "east", "south", "west")])
def test_random_parleys_keep_every_promise(sides: tuple[Side, ...]) -> None:
    played = [keep_promises(Parley, Setup(sides=sides), seed, save_one_in=8) for seed in range(12)]
    refold_in_fresh_process(played)


# Answers ------------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 30))
def test_a_refused_answer_changes_nothing(seed: int, answers: int) -> None:
    battle, bot = Battle(Parley(), THREE, seed=seed), Randomly(seed)
    for _ in range(answers):
        if battle.ended:
            break
        side = battle.questions[-1].side if battle.question_for(battle.questions[-1].side) else battle.questions[0].side
        question = battle.question_for(side)
        if question is None:
            return
        before = told(battle)
        for draft in (bot.nonsense(question), bot.spoilt("x")):
            if isinstance(battle.check(draft, side), Refusal):
                assert isinstance(battle.answer(draft, side), Refusal)
        assert told(battle) == before
        assert battle.answer(bot(battle.ruleset, battle.view(side), question), side) is None


def test_a_side_that_is_not_asked_is_told_so() -> None:
    battle = opened()
    before = told(battle)
    for stranger in (*others(battle), Side("nobody at all")):
        refusal = battle.answer("wait", stranger)
        assert isinstance(refusal, Refusal)
        assert stranger in refusal.sentence
    assert told(battle) == before


def test_one_of_several_must_say_who_it_is() -> None:
    battle = opened()
    say(battle, "vote")
    assert isinstance(battle.answer("red"), Refusal)
    assert battle.answer("red", BLUE) is None
    assert isinstance(battle.answer("red", BLUE), Refusal), "it has answered"


def test_nothing_is_answered_when_the_battle_is_over() -> None:
    battle = opened()
    battle.concede(RED)
    assert battle.ended
    assert battle.questions == ()
    before = told(battle)
    assert isinstance(battle.answer("wait"), Refusal)
    assert isinstance(battle.check("wait", RED), Refusal)
    battle.concede(BLUE)
    battle.offer_draw(BLUE)
    assert told(battle) == before


def test_a_preview_is_made_only_when_somebody_looks() -> None:
    class Curious(Parley):
        looked = 0

        def preview(self, view: Any, question: Any, answer: Any) -> Any:
            self.looked += 1
            return super().preview(view, question, answer)

    ruleset = Curious()
    battle = Battle(ruleset, THREE)
    accepted = battle.check("1")
    assert not isinstance(accepted, Refusal)
    assert ruleset.looked == 0
    accepted.preview()
    assert ruleset.looked == 1


def test_a_draft_that_was_just_checked_is_not_judged_again_until_something_happens() -> None:
    class Strict(Parley):
        judged = 0

        def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
            self.judged += 1
            return super().judge(view, question, answer)

    def asked(*drafts: Any, between: Callable[[Battle], object] = lambda battle: None) -> int:
        ruleset = Strict()
        battle = Battle(ruleset, THREE)
        for draft in drafts[:-1]:
            battle.check(draft)
        between(battle)
        before = ruleset.judged
        assert battle.answer(drafts[-1]) is None
        return ruleset.judged - before

    again = asked("1")
    assert again > 0
    assert asked("1", "1") == 0
    assert asked("2", "1") == asked("1", "2", "1") == again, "another draft was checked last"
    elsewhere = Parley()
    assert (
        asked("1", "1", between=lambda b: check(elsewhere, b.view(b.questions[0].side), b.questions[0], "1")) == again
    )
    told = Counted("mark", "n", 0, 1)
    assert asked("1", "1", between=lambda battle: battle.happens(told)) == again
    assert asked("1", "1", between=lambda battle: battle._history.go_back(battle, 0)) == again, "the state is another"


def test_whatever_is_done_to_a_draft_after_its_check_that_which_was_checked_counts() -> None:
    class Listing(Parley):
        def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
            options = tuple(Option(name) for name in "ab")
            chosen = yield ChooseSeveral(RED, "Which?", options=options, rules=(RuleId("parley.pick"),))
            battle.happens(Counted("mark", "chosen", 0, len(chosen)))

    battle = Battle(Listing(), THREE)
    draft = ["a"]
    assert not isinstance(battle.check(draft), Refusal)
    draft += ["b", "nobody offers this"]
    assert battle.answer(draft) is None
    (line,) = [line for line in battle.journal.lines if isinstance(line, Answered)]
    assert line.answer == ["a"]
    assert [event.after for event in battle.journal.events() if isinstance(event, Counted)][-1] == 1


# Sealed answers -----------------------------------------------------------------------------------------------------


def test_a_sealed_answer_is_told_as_chosen_and_its_value_to_its_side_alone() -> None:
    battle = opened()
    say(battle, "vote")
    assert battle.answer("green", RED) is None
    assert battle.view(RED).table.secrets["red: vote"] == "green"
    for other in (BLUE, Side("green"), NO_SIDE):
        assert battle.view(other).table.secrets["red: vote"] == "chosen"
    for side in (BLUE, Side("green")):
        assert battle.answer("green", side) is None
    for side in (RED, BLUE, Side("green"), NO_SIDE):
        assert battle.view(side).table.secrets["blue: vote"] == "green"


def test_what_is_sealed_until_revealed_outlives_its_question() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    what = f"{side}: lucky"
    assert battle.view(other).table.secrets[what] == "chosen"
    say(battle, "reveal")
    assert battle.view(other).table.secrets[what] == battle.table.secrets[what] != "chosen"


class Ask(Step, frozen=True):
    sealed: str


class Sealing(Ruleset):
    """One sealed yes or no."""

    name = "sealing"
    steps = (Ask,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Ask(str(setup.options["sealed"])))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Ask)
        sealed = step.sealed
        question = Confirm(
            RED, "Traitor?", topic="traitor", sealed=sealed, rules=(RuleId("s.ask"),), decline="Say nothing"
        )
        told = yield (question,) if sealed == UNTIL_ALL_ANSWER else question
        answer = told[0] if isinstance(told, tuple) else told
        battle.happens(Counted("red", "answers", 0, 1 + bool(answer), rule=RuleId("s.ask")))
        yield Confirm(RED, "Sure?", rules=(RuleId("s.sure"),))


@pytest.mark.parametrize("sealed", [UNTIL_ALL_ANSWER, UNTIL_REVEALED])
@pytest.mark.parametrize(("answer", "kept"), [(True, 1), (False, 0), (None, 0)])
def test_a_sealed_yes_or_no_survives_its_journal(sealed: str, answer: bool | None, kept: int) -> None:
    battle = Battle(Sealing(), Setup(options={"sealed": sealed}))
    say(battle, answer)
    assert battle.table.secrets == {"red: traitor": kept}
    assert resumed(type(battle.journal).decode(battle.saved().encode()), Sealing()).digest() == battle.digest()
    kinds = [type(event) for event in battle.journal.events()]
    assert kinds == [Sealed, Revealed, Counted] if sealed == UNTIL_ALL_ANSWER else [Sealed, Counted]


# What is due --------------------------------------------------------------------------------------------------------


def test_what_is_due_comes_first_caused_first_and_brings_what_follows_from_it() -> None:
    battle = opened()
    say(battle, "topple", None, None, None)
    fallen = [e for e in battle.journal.events() if isinstance(e, HarmApplied | StateChanged)]
    assert [(type(e), e.target if isinstance(e, HarmApplied) else e.who) for e in fallen][:3] == [
        (HarmApplied, "t1"),
        (StateChanged, "t1"),  # noted with the first fall, so before what that fall caused
        (HarmApplied, "t2"),
    ]


def test_a_cascade_ends_and_every_link_names_its_cause() -> None:
    battle = opened()
    say(battle, "topple", *[None] * 9)
    events = battle.journal.events()
    falls = [e for e in events if isinstance(e, HarmApplied)]
    assert [fall.target for fall in falls] == ["t1", "t2", "t3"] * 3
    notes = {e.n: e for e in events if isinstance(e, HarmNoted)}
    by_number = {e.n: e for e in events}
    for fall in falls:
        note = notes[fall.because]
        assert note.target == fall.target
        assert note.because == 0 or isinstance(by_number[note.because], HarmApplied)
    assert battle.state.due == []
    assert battle.state.under_way == ()


def test_everything_that_is_settled_is_a_step_and_may_be_saved_between() -> None:
    battle = opened()
    say(battle, "topple")
    for fall in range(9):
        assert battle.state.agenda[-1] == Settle("fall"), "its rest waits while the fall is under way"
        assert battle.boundary().under_way == ()
        again = resumed(Journal.decode(battle.saved().encode()), Parley())
        assert (again.digest(), again.questions) == (battle.digest(), battle.questions), fall
        say(battle, None)
    assert Settle("fall") not in battle.state.agenda
    kinds = (HarmApplied, StateChanged)
    settled = [e for e in battle.journal.events() if isinstance(e, kinds)]
    assert {event.step for event in settled} == {"Settle"}
    steps = [list[str]()]
    for line in battle.journal.lines:
        if isinstance(line, Digested):
            steps.append([])
        elif isinstance(line, Happened) and isinstance(line.event, kinds):
            steps[-1].append(type(line.event).__name__)
    assert max(map(len, steps)) == 1, "a boundary lies between any two of them"


class Echo(Step, frozen=True):
    of: str


class Echoing(Ruleset):
    """Whatever falls puts a step in front."""

    name = "echoing"
    steps = (Echo,)

    def open(self, battle: Battle, setup: Setup) -> None:
        for target in ("A", "B"):
            battle.note(HarmNoted(target, Harm("fall"), "now", rule=RuleId("e.fall")))
        battle.push(Settle("now"), Echo("all"))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Echo)
        battle.happens(Counted("echo", step.of, 0, 1, rule=RuleId("e.echo")))
        if step.of == "A":
            battle.note(HarmNoted("C", Harm("fall"), "now", rule=RuleId("e.fall")))
        yield from ()

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        battle.happens(Counted("fall", due.target, 0, 1, rule=due.rule, because=due.because))
        battle.push(Echo(due.target))
        yield from ()


def test_what_a_settled_thing_puts_in_front_comes_before_the_rest() -> None:
    told = [(e.thing, e.what) for e in Battle(Echoing()).journal.events() if isinstance(e, Counted)]
    falls = [("fall", "A"), ("echo", "A"), ("fall", "B"), ("echo", "B"), ("fall", "C"), ("echo", "C")]
    assert told == [*falls, ("echo", "all")]


class Crash(Step, frozen=True):
    pass


class Crashed(Step, frozen=True):
    smoke: int


class Crashing(Ruleset):
    """A crash that would crash again, at once or by way of a fire."""

    name = "crashing"
    steps = (Crash, Crashed)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Crash())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        return self.crashed(battle, step.smoke) if isinstance(step, Crashed) else self.crash(battle)

    def crash(self, battle: Battle) -> Procedure[None]:
        first = battle.note(HarmNoted("V", Harm("crash"), "now", rule=RuleId("c.crash")), once=True)
        assert first
        assert battle.note(HarmNoted("V", Harm("crash"), "now", rule=RuleId("c.crash")), once=True) == 0, (
            "it is due already"
        )
        assert battle.note(HarmNoted("W", Harm("crash"), "now", rule=RuleId("c.crash")), once=True), "W is another"
        later = battle.note(HarmNoted("V", Harm("smoke"), "later", rule=RuleId("c.smoke")))
        battle.push(Settle("now"), Crashed(later))
        yield from ()

    def crashed(self, battle: Battle, later: int) -> Procedure[None]:
        assert [entry.id for entry in battle.state.due] == [later]
        cancelled = battle.cancel(later)
        assert cancelled.harm.what == "smoke"
        with pytest.raises(KeyError):
            battle.cancel(later)
        yield Confirm(RED, "Done?", rules=(RuleId("c.done"),))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        before = battle.table.things[due.target].count(due.harm.what) if due.target in battle.table.things else 0
        battle.happens(Counted(due.target, due.harm.what, before, before + 1, rule=due.rule, because=due.because))
        if due.harm.what == "crash":
            assert battle.note(HarmNoted(due.target, Harm("crash"), "now", rule=RuleId("c.crash")), once=True) == 0
            battle.note(HarmNoted(due.target, Harm("fire"), "fire", rule=RuleId("c.fire")))
            yield from battle.settle("fire")
        else:
            assert f"crash: {due.target}" in battle.state.under_way
            assert battle.note(HarmNoted(due.target, Harm("crash"), "now", rule=RuleId("c.crash")), once=True) == 0


def test_what_happens_once_does_not_start_itself_again_however_deep() -> None:
    battle = Battle(Crashing())
    assert battle.table.things["V"].counts == {"crash": 1, "fire": 1}
    assert battle.table.things["W"].counts == {"crash": 1, "fire": 1}


def test_a_ruleset_may_say_what_comes_first() -> None:
    class LastFirst(Parley):
        def next_due(self, battle: Battle, entries: Any) -> Due:
            last: Due = entries[-1]
            return last

    battle = Battle(LastFirst(), THREE)
    say(battle, "1", "2", "3", "topple")
    first = [e for e in battle.journal.events() if isinstance(e, HarmApplied | StateChanged)]
    assert isinstance(first[0], StateChanged), "the dust was noted last"


# How it ends --------------------------------------------------------------------------------------------------------


def test_of_two_the_one_that_does_not_concede_wins() -> None:
    battle = Battle(Duel())
    battle.concede(RED)
    assert battle.table.ending is not None
    assert battle.table.ending.winner == "blue"
    ended = battle.journal.events()[-1]
    assert isinstance(ended, BattleEnded)
    assert ended.rule == "duel.end.concede"
    assert replayed(battle.journal, Duel()).digest() == battle.digest()


def test_a_draw_is_agreed_when_every_side_offers_it() -> None:
    battle = opened()
    for side in (RED, BLUE):
        battle.offer_draw(side)
        assert not battle.ended
    battle.offer_draw(BLUE, offers=False)
    battle.offer_draw(Side("green"))
    assert not battle.ended
    battle.offer_draw(BLUE)
    assert battle.table.ending is not None
    assert battle.table.ending.winner == ""
    assert replayed(battle.journal, Parley()).digest() == battle.digest()


def test_an_offer_is_withdrawn_by_the_next_answer_of_its_side() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    battle.offer_draw(side)
    battle.offer_draw(other)
    say(battle, "wait")
    assert battle.state.offers == (other,)


def test_an_offer_taken_back_by_an_answer_is_there_again_when_the_answer_is_undone() -> None:
    battle = opened()
    side = actor(battle)
    battle.offer_draw(side)
    before = state_bytes(battle)
    say(battle, "wait")
    assert battle.undo(side) is None
    assert state_bytes(battle) == before
    assert battle.state.offers == (side,)


@pytest.mark.parametrize("stranger", ["", "nobody", "purple"])
def test_who_has_no_side_neither_concedes_nor_offers_nor_orders(stranger: Side) -> None:
    battle = opened()
    before = told(battle)
    assert isinstance(battle.concede(stranger), Refusal)
    assert isinstance(battle.offer_draw(stranger), Refusal)
    assert isinstance(battle.undo(stranger), Refusal)
    assert told(battle) == before


class Last(Step, frozen=True):
    pass


class StillThere(Step, frozen=True):
    pass


class Ending(Ruleset):
    """The first thing that is due ends the battle; a second is due, and a question would follow."""

    name = "ending"
    steps = (Last, StillThere)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Last(), Last())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        if isinstance(step, Last):
            for target in ("A", "B"):
                battle.note(HarmNoted(target, Harm("end"), "now", rule=RuleId("e.end")))
            battle.push(Settle("now"), StillThere())
            return
        yield Confirm(RED, "Still there?", rules=(RuleId("e.ask"),))
        battle.happens(Counted("red", "questions", 0, 1, rule=RuleId("e.ask")))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        battle.happens(BattleEnded(Side(due.target), rule=RuleId("e.end")))
        yield from ()


def test_when_the_battle_has_ended_nothing_more_is_settled_asked_or_begun() -> None:
    battle = Battle(Ending())
    assert battle.table.ending is not None
    assert battle.table.ending.winner == "A"
    assert battle.questions == ()
    assert [type(event) for event in battle.journal.events()] == [HarmNoted, HarmNoted, BattleEnded]
    assert battle.state.agenda == [Last(), StillThere()]
    assert resumed(battle.saved(), Ending()).digest() == battle.digest()


# Clones -------------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 40))
def test_a_clone_is_equal_and_independent_and_has_the_same_future(seed: int, answers: int) -> None:
    battle, bot = Battle(Parley(), THREE, seed=seed), Randomly(seed)
    for _ in range(answers):
        _any_answer(battle, bot)
    twin = battle.clone()
    assert state_bytes(twin) == state_bytes(battle)
    assert twin.questions == battle.questions
    assert [twin.question_for(s) for s in battle.table.sides] == [battle.question_for(s) for s in battle.table.sides]
    before = told(battle)
    one, other = Randomly(seed + 1), Randomly(seed + 1)
    for _ in range(6):
        _any_answer(twin, one)
    assert told(battle) == before
    for _ in range(6):
        _any_answer(battle, other)
    assert battle.digest() == twin.digest()
    assert battle.questions == twin.questions


def _any_answer(battle: Battle, bot: Randomly) -> None:
    asked = [side for side in battle.table.sides if battle.question_for(side) is not None]
    if not asked:
        return
    side = bot.random.choice(asked)
    question = battle.question_for(side)
    assert question is not None
    assert battle.answer(bot(battle.ruleset, battle.view(side), question), side) is None


def test_a_clone_keeps_offers_orders_and_barrier_of_the_action_it_is_in() -> None:
    battle = opened()
    side, (other, _) = actor(battle), others(battle)
    say(battle, "wait")
    battle.offer_draw(other)
    twin = battle.clone()
    assert twin.state.offers == (other,)
    assert twin.undo(side) is None
    say(battle, True, "roll")
    assert isinstance(battle.clone().undo(side), Refusal)


def test_events_of_a_clone_are_numbered_as_the_battles_would_be() -> None:
    battle = opened()
    say(battle, "wait")
    assert battle.undo(actor(battle)) is None
    twin = battle.clone()
    say(battle, "wait")
    say(twin, "wait")
    assert twin.journal.events()[-1] == battle.journal.events()[-1]


def test_a_clone_can_be_saved_and_resumed() -> None:
    battle = opened()
    say(battle, "wait")
    twin = battle.clone()
    say(twin, True)
    again = resumed(twin.saved(), Parley())
    assert again.digest() == twin.digest()
    assert again.questions == twin.questions


def test_a_clone_of_scripted_dice_has_its_own_script() -> None:
    dice = ScriptedDice([1] * 12 + [3, 4, 6, 6])
    battle = Battle(Parley(), THREE, dice=dice)
    say(battle, "1", "2", "3")
    twin = battle.clone()
    say(twin, "roll")
    say(battle, "roll")
    assert twin.digest() == battle.digest()


# Views --------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_what_a_side_was_told_makes_up_what_it_knows_even_when_things_were_taken_back(seed: int) -> None:
    battle, bot = Battle(Parley(), THREE, seed=seed), Randomly(seed)
    for _ in range(25):
        _any_answer(battle, bot)
        if bot.chance(3):
            for side in battle.table.sides:
                battle.undo(side)
    assume(any(isinstance(event, TakenBack) for event in battle.journal.events()))  # seldom nothing was
    from msgspec.json import encode

    for side, log in battle.logs.items():
        *_, table = folded(log.events, battle.table.sides)
        assert encode(table) == encode(battle.view(side).table)
    *_, truth = folded(battle.journal.events(), battle.table.sides)
    assert encode(truth) == encode(battle.table)


def test_the_deck_is_hidden_from_everybody() -> None:
    battle = opened()
    assert battle.table.decks["deck"].order
    for side in (*battle.table.sides, NO_SIDE):
        deck = battle.view(side).table.decks["deck"]
        assert deck.order == ()
        assert deck.contents == battle.table.decks["deck"].contents
