"""A window on a path: where along it a side breaks in."""

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RuleId
from sandtable.engine.questions import React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.state import Step


class Pass(Step, frozen=True):
    pass


class Gate(Ruleset):
    """Somebody walks from 2 to 9, and blue may stop them once on the way."""

    name = "gate"
    steps = (Pass,)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Pass())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        self.reacted = yield from reaction_window(
            battle,
            moment="walks by",
            prompt="Stop them?",
            options=lambda side, declared: [ReactOption("stop", actor="guard")],
            rules=(RuleId("gate.stop"),),
            sides=(BLUE,),
            once=True,
            stretch=(2000, 9000),
        )


def test_a_break_in_says_where_along_the_stretch() -> None:
    rules = Gate()
    battle = Battle(rules)
    question = battle.questions[0]
    assert isinstance(question, React)
    assert question.stretch == (2000, 9000)
    for along in (None, 1999, 9001):
        assert isinstance(battle.check(Reaction("stop", along)), Refusal)
    assert battle.answer(Reaction("stop", 9000)) is None
    assert [one.reaction.along for one in rules.reacted] == [9000]
    assert battle.journal.events()[-1].detail == {"along": 9000}
