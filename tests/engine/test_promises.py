"""Whole random battles keep every promise, and the harness that says so can tell when one is broken."""

from typing import Any

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.journal import JournalDiverged
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.table import Table
from tests.engine.duel import Duel
from tests.promises import Played, keep_promises, refold_in_fresh_process


def test_random_duels_keep_every_promise_and_refold_in_a_fresh_process() -> None:
    played = [keep_promises(Duel, Setup(), seed) for seed in range(20)]
    assert sum(one.undone for one in played) > 20
    assert sum(one.refused for one in played) > 20
    refold_in_fresh_process(played)


def several(ruleset: type[Duel], **more: Any) -> None:
    for seed in range(10):
        keep_promises(ruleset, Setup(), seed, **more)


class Forgetful(Duel):
    """Keeps something that must survive a boundary outside the state."""

    def __init__(self) -> None:
        self.turns = 0

    def end_turn(self, battle: Battle) -> Procedure[None]:
        self.turns += 1
        if self.turns % 2:
            battle.happens(Counted("battle", "odd", self.turns - 1, self.turns + 1, rule="duel.turn"))
        yield from super().end_turn(battle)


class Meddling(Duel):
    """Its judge changes the table it looks at."""

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        view.table.turn += 1
        return super().judge(view, question, answer)


class Miscounting(Duel):
    """Tells a total that its parts do not add up to."""

    def end_turn(self, battle: Battle) -> Procedure[None]:
        parts = (ExplainedPart("luck", 2, "duel.turn"),)
        battle.happens(Rolled("luck", natural=3, total=4, parts=parts, rule="duel.turn"))
        yield from super().end_turn(battle)


class Nameless(Duel):
    """Lets something happen under no rule."""

    def end_turn(self, battle: Battle) -> Procedure[None]:
        battle.happens(Counted("battle", "things", battle.table.turn - 1, battle.table.turn))
        yield from super().end_turn(battle)


class Endless(Duel):
    """Nobody is ever hurt."""

    def shoot(self, battle: Battle, model: str, target: str, shots: int) -> Procedure[None]:
        yield from ()


@pytest.mark.parametrize(
    ("ruleset", "says"),
    [
        (Forgetful, "journal line"),
        (Meddling, "changed something|another state"),
        (Miscounting, "parts and total differ"),
        (Nameless, "no rule is named"),
        (Endless, "has not ended after"),
    ],
)
def test_a_broken_promise_is_noticed(ruleset: type[Duel], says: str) -> None:
    with pytest.raises((AssertionError, JournalDiverged), match=says):
        several(ruleset, most_answers=300)


def test_invariants_are_held_at_every_boundary() -> None:
    def nobody_is_hurt(table: Table) -> None:
        assert not any(thing.harm for thing in table.things.values()), "somebody is hurt"

    with pytest.raises(AssertionError, match="somebody is hurt"):
        several(Duel, invariants=[nobody_is_hurt])


def test_another_digest_in_the_fresh_process_is_noticed() -> None:
    played = keep_promises(Duel, Setup(), 1)
    other = Played(played.ruleset, played.journal, "0" * 32, 0, 0, 0, 0)
    with pytest.raises(AssertionError, match="expected 0000"):
        refold_in_fresh_process([other])
