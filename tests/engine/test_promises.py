"""Whole random battles keep every promise, and the harness that says so can tell when one is broken."""

from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Rolled, TakenBack
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.records.journal import Journal, JournalDiverged
from sandtable.engine.records.replay import folded
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.table import Table
from tests.engine.duel import Duel
from tests.promises import keep_promises, last_table, refold_in_fresh_process


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
            battle.happens(Counted("battle", "odd", self.turns - 1, self.turns + 1, rule=RuleId("duel.turn")))
        yield from super().end_turn(battle)


class Meddling(Duel):
    """Its judge changes the table it looks at."""

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        view.table.turn += 1
        return super().judge(view, question, answer)


class Miscounting(Duel):
    """Tells a total that its parts do not add up to."""

    def end_turn(self, battle: Battle) -> Procedure[None]:
        parts = (ExplainedPart("luck", 2, RuleId("duel.turn")),)
        battle.happens(Rolled("luck", natural=3, total=4, parts=parts, rule=RuleId("duel.turn")))
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


def test_the_last_table_is_the_last_that_folding_gives() -> None:
    taken_back = 0
    for seed in range(6):
        journal = Journal.decode(keep_promises(Duel, Setup(), seed, undo_one_in=2).journal)
        events, sides = journal.events(), journal.header.setup.sides
        *_, expected = folded(events, sides)
        assert msgspec.json.encode(last_table(events, sides, {})) == msgspec.json.encode(expected)
        taken_back += sum(isinstance(event, TakenBack) for event in events)
    assert taken_back > 6


def test_what_sides_know_is_compared_in_the_fresh_process() -> None:
    played = keep_promises(Duel, Setup(), 1)
    with pytest.raises(AssertionError, match="sides know something else"):
        refold_in_fresh_process([played._replace(whole="0" * 32)])


def test_another_digest_in_the_fresh_process_is_noticed() -> None:
    played = keep_promises(Duel, Setup(), 1)
    other = played._replace(digest="0" * 32)
    with pytest.raises(AssertionError, match="expected 0000"):
        refold_in_fresh_process([other])
