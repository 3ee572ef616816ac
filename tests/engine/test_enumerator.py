"""Exact odds: they are every face counted, equal states are one, and what is sampled or assumed is said."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.engine import enumerator
from sandtable.engine.battle import Battle
from sandtable.engine.dice import Dice, Result, ScriptedDice, Throw
from sandtable.engine.enumerator import (
    MOST_STEPS,
    CannotAnswer,
    Distribution,
    distribution,
    distributions,
    play_step,
    wilson,
)
from sandtable.engine.events import Counted, Harm, HarmApplied, HarmNoted, Placed, Sealed
from sandtable.engine.ids import BLUE, RED, RuleId, ThingId
from sandtable.engine.questions import UNTIL_ALL_ANSWER, UNTIL_REVEALED, ChooseOne, Confirm, Option
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Point
from sandtable.engine.state import Due, Settle, StandingOrder, State, Step
from sandtable.engine.table import Thing


class Volley(Step, frozen=True):
    """So many weapons at T, each a step of its own."""

    weapons: int
    kind: str


class After(Step, frozen=True):
    """Something that comes later and is not asked about."""


class Shooting(Ruleset):
    """Weapons of every kind of throw; T may brace against harm."""

    name = "shooting"
    steps = (Volley, After)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.happens(
            Placed("T", At(Point(0, 0)), made=Thing(ThingId("T"), side=BLUE, track=99), rule=RuleId("s.open"))
        )
        battle.push(After())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        if isinstance(step, Volley):
            return self.fire(battle, step.weapons, step.kind)
        return self.after(battle)

    def after(self, battle: Battle) -> Procedure[None]:
        yield ChooseOne(RED, "And now?", options=(Option("a"),), rules=(RuleId("s.after"),))

    def fire(self, battle: Battle, weapons: int, kind: str) -> Procedure[None]:
        harm = getattr(self, kind)(battle.dice)
        if harm:
            battle.note(HarmNoted("T", Harm("wound", harm), "now", rule=RuleId("s.hit")))
        battle.push(*([Settle("now")] if harm else []), *([Volley(weapons - 1, kind)] if weapons > 1 else []))
        yield from ()

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        braced = yield Confirm(BLUE, "Brace?", topic="brace", rules=(RuleId("s.brace"),))
        harm = max(0, due.harm.amount - (battle.dice.total("d3").natural if braced else 0))
        before = battle.table["T"].harm
        battle.happens(HarmApplied("T", due.harm, before, before + harm, rule=RuleId("s.hit"), because=due.because))

    def total(self, dice: Dice) -> int:
        return max(0, dice.total("2d6").natural - 7)

    def pool(self, dice: Dice) -> int:
        return dice.successes(3, needs=4).natural

    def duel(self, dice: Dice) -> int:
        ours, theirs = dice.opposed("d4", "d6")
        return max(0, ours.natural - theirs.natural)

    def best(self, dice: Dice) -> int:
        return dice.highest(2, of="3d4").natural // 3

    def drift(self, dice: Dice) -> int:
        landed = dice.scatter("d4", into=lambda length, degrees: 2 if degrees < 90 * length and length < 3 else 0)
        assert isinstance(landed.kind, int)
        return landed.kind

    def rolled_again(self, dice: Dice) -> int:
        first = dice.total("d6").natural
        return dice.total("d6").natural if first == 1 else first // 3


KINDS = ("total", "pool", "duel", "best", "drift", "rolled_again")


def start(kind: str = "total", weapons: int = 1, *orders: StandingOrder) -> State:
    """The state at the boundary before the volley."""
    state = Battle(Shooting()).state.copy()
    state.agenda = [After(), Volley(weapons, kind)]
    state.orders = orders
    return state


def harm(state: State) -> int:
    return state.table["T"].harm


class EveryFace(Dice):
    """Dice that follow a path of faces and note how they could have gone on: the slow, obvious way."""

    def __init__(self, path: list[int]) -> None:
        super().__init__()
        self.path, self.at, self.chance = path, 0, Fraction(1)
        self.open: list[list[int]] = []

    def fall(self, throw: Throw) -> Result:
        self.draws += 1
        faces = []
        for sides in throw.sides:
            if self.at == len(self.path):
                self.open += [[*self.path, face] for face in range(2, sides + 1)]
                self.path.append(1)
            faces.append(self.path[self.at])
            self.at += 1
            self.chance /= sides
        return throw.result(tuple(faces))


def by_faces(
    ruleset: Ruleset, state: State, read: Callable[[State], Hashable], answers: Any = None
) -> dict[Hashable, Fraction]:
    """What can come of all but the last step of the agenda, by playing every face of every die."""
    if len(state.agenda) < 2:
        return {read(state): Fraction(1)}
    found: dict[Hashable, Fraction] = {}
    paths: list[list[int]] = [[]]
    while paths:
        dice = EveryFace(paths.pop())
        later = play_step(ruleset, state, dice, answers)
        paths += dice.open
        for what, chance in by_faces(ruleset, later, read, answers).items():
            found[what] = found.get(what, Fraction(0)) + dice.chance * chance
    return found


def chances(found: Distribution) -> dict[Hashable, Fraction]:
    return {outcome.what: outcome.chance for outcome in found.outcomes}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("brace", [False, True])
def test_odds_are_every_face_counted(kind: str, brace: bool) -> None:
    def answers(view: View, question: Any) -> bool:
        return brace

    found = distribution(Shooting(), start(kind), read=harm, answers=answers)
    assert found.exact
    assert chances(found) == by_faces(Shooting(), start(kind), harm, answers=answers)
    assert sum(chances(found).values()) == 1
    assert all(outcome.low == outcome.chance == outcome.high for outcome in found.outcomes)


@pytest.mark.parametrize("kind", ["duel", "pool"])
def test_two_weapons_are_every_face_of_both_counted(kind: str) -> None:
    found = distribution(Shooting(), start(kind, 2), read=harm)
    assert chances(found) == by_faces(Shooting(), start(kind, 2), harm)


def test_equal_states_are_one() -> None:
    one = distribution(Shooting(), start("pool", 1), read=harm)
    eight = distribution(Shooting(), start("pool", 8), read=harm)
    assert one.leaves == 4 + 3  # the throw, and three wounds to settle
    # Seven more weapons, each from at most 22 different amounts of harm with 4 results: not 4 to the 8th.
    assert eight.leaves < 8 * 22 * (4 + 3)
    assert len(eight.outcomes) == 25
    assert sum(chances(eight).values()) == 1
    assert chances(eight)[24] == Fraction(1, 2**24)


class Burst(Step, frozen=True):
    """So many pellets at T: each scratches it, tears it or misses, as a die says."""

    pellets: int


class Pellets(Ruleset):
    """All pellets take effect together: tears first, then scratches, which only spoil the paint."""

    name = "pellets"
    steps = (Burst, After)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.happens(
            Placed("T", At(Point(0, 0)), made=Thing(ThingId("T"), side=BLUE, track=99), rule=RuleId("p.open"))
        )
        battle.push(After())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        if not isinstance(step, Burst):
            yield ChooseOne(RED, "And now?", options=(Option("a"),), rules=(RuleId("p.after"),))
            return
        kind = ("scratch", "tear", "")[battle.dice.total("d3").natural - 1]
        if kind:
            battle.note(HarmNoted("T", Harm(kind, 1), "now", rule=RuleId("p.hit")))
        battle.push(Burst(step.pellets - 1) if step.pellets > 1 else Settle("now"))

    def next_due(self, battle: Battle, entries: Sequence[Due]) -> Due:
        return min(entries, key=lambda due: (due.harm.what != "tear", due.id))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        thing = battle.table["T"]
        if due.harm.what == "tear":
            harm = battle.dice.total("d2").natural
            battle.happens(HarmApplied("T", due.harm, thing.harm, thing.harm + harm, rule=RuleId("p.hit")))
        else:
            paint = thing.count("paint")
            battle.happens(Counted("T", "paint", paint, paint + battle.dice.total("d3").natural, rule=RuleId("p.hit")))
        yield from ()


class LoosePellets(Pellets):
    """The same, and it is said that it does not matter which was noted first."""

    due_in_any_order = True


def burst(pellets: int, harm: int = 0) -> State:
    state = Battle(Pellets()).state.copy()
    state.table.things["T"] = replace(state.table["T"], harm=harm)
    state.agenda = [After(), Burst(pellets)]
    return state


def test_what_is_due_in_any_order_is_one_and_the_odds_are_the_same() -> None:
    strict = distribution(Pellets(), burst(3), read=harm)
    loose = distribution(LoosePellets(), burst(3), read=harm)
    assert chances(loose) == chances(strict) == by_faces(Pellets(), burst(3), harm)
    assert loose.leaves < strict.leaves


def torn(state: State) -> tuple[int, int]:
    """All that decides the harm: what it has, and the tears that are due."""
    return harm(state), sum(entry.harm.what == "tear" for entry in state.due)


def test_states_merge_on_what_matters_and_the_odds_are_the_same() -> None:
    whole = distribution(LoosePellets(), burst(3), read=harm)
    found = distribution(LoosePellets(), burst(3), read=harm, matters=torn)
    assert chances(found) == chances(whole) == by_faces(Pellets(), burst(3), harm)
    assert found.leaves < whole.leaves, "nobody asked about the paint"


def test_a_reader_that_leaves_out_what_decides_gets_other_odds() -> None:
    """So the tests above can fail: how many pellets have torn it is not in its harm yet."""
    found = distribution(LoosePellets(), burst(3), read=harm, matters=harm)
    assert chances(found) != by_faces(Pellets(), burst(3), harm)


def test_the_odds_of_several_states_are_those_of_each() -> None:
    starts = [burst(3), burst(3, harm=2), burst(3)]

    def harmed(state: State) -> bool:
        return state.table["T"].harm > 3

    together = distributions(LoosePellets(), starts, read=harmed, matters=torn)
    alone = [distribution(LoosePellets(), start, read=harmed, matters=torn) for start in starts]
    assert [chances(found) for found in together] == [chances(found) for found in alone]
    assert chances(together[0]) != chances(together[1])
    assert together[0].leaves < sum(found.leaves for found in alone)
    assert distributions(LoosePellets(), [], read=harm) == []


def test_what_is_over_the_budget_is_given_up_as_soon_as_that_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wide(Shooting):
        def total(self, dice: Dice) -> int:
            return dice.total("d100000").natural

    walked: list[State] = []

    def counted(ruleset: Ruleset, state: State, *more: Any) -> State:
        walked.append(state)
        return play_step(ruleset, state, *more)

    monkeypatch.setattr(enumerator, "play_step", counted)
    found = distribution(Wide(), start(), read=harm, budget=1000, samples=10)
    assert not found.exact
    assert len(walked) == 1 + 10 * 2, "one look, then ten samples of two steps"


def test_dice_that_are_thrown_until_they_differ_are_sampled() -> None:
    class Tied(Shooting):
        def total(self, dice: Dice) -> int:
            ours, theirs = dice.opposed("d6", "d6")
            return self.total(dice) if ours.natural == theirs.natural else 1 + (ours.natural > theirs.natural)

    found = distribution(Tied(), start(), read=harm, budget=500, samples=100)
    assert not found.exact
    assert sum(chances(found).values()) == 1
    assert chances(found).keys() == {1, 2}


def test_the_given_state_is_not_changed() -> None:
    state = start("duel", 3)
    before = msgspec.json.encode(state)
    distribution(Shooting(), state, read=harm)
    assert msgspec.json.encode(state) == before


def test_it_goes_on_until_it_is_told_to_stop() -> None:
    def hurt_or_over(later: State) -> bool:
        return harm(later) >= 3 or len(later.agenda) == 1

    whole = distribution(Shooting(), start("pool", 3), read=harm)
    found = distribution(Shooting(), start("pool", 3), read=harm, until=hurt_or_over)
    assert found.leaves < whole.leaves
    assert max(outcome.what for outcome in found.outcomes) == 5  # type: ignore[type-var]
    assert found.chance(lambda wounds: wounds >= 3) == whole.chance(lambda wounds: wounds >= 3)


# Past the budget ----------------------------------------------------------------------------------------------------


def test_past_the_budget_sampled_intervals_hold_the_exact_chances_and_say_so() -> None:
    held = missed = 0
    for kind in KINDS:
        exact = distribution(Shooting(), start(kind, 2), read=harm)
        sampled = distribution(Shooting(), start(kind, 2), read=harm, budget=3, samples=1000)
        assert exact.exact
        assert not sampled.exact
        assert sampled.leaves == 1000
        assert sum(chances(sampled).values()) == 1
        for outcome in sampled.outcomes:
            assert 0 <= outcome.low <= outcome.chance <= outcome.high <= 1
            assert outcome.low < outcome.high
            inside = outcome.low <= chances(exact)[outcome.what] <= outcome.high
            held, missed = held + inside, missed + (not inside)
    assert missed * 10 <= held, f"{missed} of {held + missed} intervals of 95 % miss"


def test_what_does_not_come_to_an_end_is_given_up() -> None:
    with pytest.raises(CannotAnswer, match=f"not over after {MOST_STEPS} steps"):
        distribution(Shooting(), start("pool", MOST_STEPS + 1), read=harm, budget=3, samples=1)


def test_the_chance_of_something_never_sampled_is_not_told_as_none() -> None:
    exact = distribution(Shooting(), start("pool", 4), read=harm)
    sampled = distribution(Shooting(), start("pool", 4), read=harm, budget=3, samples=100)
    for holds in (lambda wounds: wounds == 12, lambda wounds: wounds > 5, lambda wounds: True):
        low, high = sampled.interval(holds)
        assert low <= exact.chance(holds) <= high
        assert exact.interval(holds) == (exact.chance(holds), exact.chance(holds))


def test_sampling_is_the_same_every_time() -> None:
    one, other = (distribution(Shooting(), start(), read=harm, budget=1, samples=100) for _ in range(2))
    assert one == other


@given(st.integers(1, 3000), st.data())
def test_an_interval_holds_its_share_and_narrows(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    low, high = wilson(hits, of)
    assert 0 <= low <= Fraction(hits, of) <= high <= 1
    more_low, more_high = wilson(hits * 4, of * 4)
    assert more_high - more_low < high - low


# What is assumed ----------------------------------------------------------------------------------------------------


def test_questions_are_answered_by_standing_order_else_by_default_and_it_says_so() -> None:
    by_default = distribution(Shooting(), start("pool"), read=harm)
    assert by_default.assumed == ("blue: Brace? — default: None",)
    order = StandingOrder(BLUE, RuleId("s.brace"), True)
    ordered = distribution(Shooting(), start("pool", 1, order), read=harm)
    assert ordered.assumed == ("blue: Brace? — standing order: True",)
    given_ = distribution(Shooting(), start("pool"), read=harm, answers=lambda view, question: True)
    assert given_.assumed == ("blue: Brace? — given: True",)
    assert chances(ordered) == chances(given_) != chances(by_default)


def test_what_nobody_can_answer_is_told() -> None:
    state = start()
    state.agenda.pop()
    with pytest.raises(CannotAnswer, match="red: And now"):
        distribution(Shooting(), state, read=harm)


class Secret(Step, frozen=True):
    pass


class Secretive(Ruleset):
    """Asks two sides at once and one in secret; the rules look the answers up on the table."""

    name = "secretive"
    steps = (Secret,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Secret())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        yield Confirm(RED, "Traitor?", topic="traitor", sealed=UNTIL_REVEALED, rules=(RuleId("s.traitor"),))
        yield tuple(
            Confirm(side, "Fight?", topic="fight", sealed=UNTIL_ALL_ANSWER, rules=(RuleId("s.fight"),))
            for side in (RED, BLUE)
        )
        secrets = battle.table.secrets
        battle.happens(
            Counted("battle", "secrets", 0, len(secrets) + int(str(secrets["red: traitor"])), rule=RuleId("s.end"))
        )


def test_the_odds_keep_secrets_as_the_battle_does() -> None:
    state = State(Battle(Secretive()).table.copy(), agenda=[Secret()])
    found = distribution(
        Secretive(),
        state,
        read=lambda later: later.table["battle"].count("secrets"),
        answers=lambda view, question: True,
    )
    assert chances(found) == {4: Fraction(1)}
    battle = Battle(Secretive())
    assert battle.answer(True, RED) is None
    assert battle.answer(True, RED) is None
    assert battle.answer(True, BLUE) is None
    assert battle.table["battle"].count("secrets") == 4
    assert any(isinstance(event, Sealed) for event in battle.journal.events())


def test_scripted_dice_play_the_same_step() -> None:
    dice = ScriptedDice([6, 5])
    later = play_step(Shooting(), start("total"), dice)
    assert (harm(later), later.agenda) == (0, [After(), Settle("now")])
    later = play_step(Shooting(), later, dice)
    assert (harm(later), later.agenda) == (4, [After()])
