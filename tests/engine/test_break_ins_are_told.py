"""Whoever is asked next in a window knows what was declared in it so far."""

from collections.abc import Sequence

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, PhaseBegan
from sandtable.engine.ids import BLUE, RED, RuleId, Side
from sandtable.engine.questions import React, Reaction, ReactOption
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.state import Step


class Window(Step, frozen=True):
    pass


class Bidding(Ruleset):
    name = "bidding"
    steps = (Window,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Window())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        def options(side: Side, declared: Sequence[Reacted]) -> list[ReactOption]:
            return [ReactOption("bid", actor=f"{side} purse", rules=(RuleId("r.bid"),), amount_least=1, amount_most=3)]

        n = battle.happens(PhaseBegan(1, "bids"))
        yield from reaction_window(
            battle,
            moment="bids",
            prompt="Bid?",
            options=options,
            rules=(RuleId("r.window"),),
            about=("lot",),
            because=n,
        )
        battle.happens(PhaseBegan(1, "over"))


def test_a_break_in_is_told_before_the_next_side_is_asked() -> None:
    battle = Battle(Bidding())
    assert battle.answer(Reaction("bid", amount=2), RED) is None
    told = battle.logs[BLUE].events[-1]
    assert told == Declared(
        "red purse", "bid", ("lot",), n=2, step="Window", rule=RuleId("r.bid"), because=1, detail={"amount": 2}
    )
    asked = battle.question_for(BLUE)
    assert isinstance(asked, React)
    assert battle.answer(Reaction("bid", amount=4), BLUE) is not None
