"""Nobody learns what lies under a counter before the rules show it; and a leak in any channel is found."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Confirm, Option, Preview, Refusal, Settled
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.book import Stargrunt
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.observation.counters import DUMMY
from sandtable.rulesets.stargrunt.units.record import counters, spot
from sandtable.tabletop.face_down import lies_under
from tests import secrecy
from tests.engine.secrets import Leak
from tests.rulesets.stargrunt.secrets import unit_or_dummy

# Leaks in every channel ----------------------------------------------------------------------------------------------


class Cheat(Stargrunt):
    """Rules that know the truth where they must not: they keep the battle they are playing."""

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        self.truth = battle.table
        return self.leaking(battle, step, super().procedure(battle, step))

    def leaking(self, battle: Battle, step: Step, honest: Procedure[None]) -> Procedure[None]:
        """The honest procedure, with every question spoilt on its way."""
        answer: Any = None
        while True:
            try:
                asked = honest.send(answer)
            except StopIteration:
                return
            self.truth = battle.table
            if isinstance(asked, Settled):
                answer = yield asked
                continue
            questions = asked if isinstance(asked, tuple) else (asked,)
            spoilt = tuple(self.spoilt(battle.table, one) for one in questions)
            answer = yield (spoilt if isinstance(asked, tuple) else spoilt[0])

    def spoilt(self, table: Table, question: AnyQuestion) -> AnyQuestion:
        return question


def dummies(table: Table, side: Side) -> list[Thing]:
    """The dummies of the enemies of a side."""
    return [one for one in counters(table) if one.side != side and lies_under(one) == DUMMY]


class TellsByOption(Cheat):
    """Does not offer to fire at a dummy, or to observe one."""

    def spoilt(self, table: Table, question: AnyQuestion) -> AnyQuestion:
        if not isinstance(question, ChooseOne) or question.topic not in ("observe", "target", "drone-spot"):
            return question
        fakes = [one.id for one in dummies(table, question.side)]
        return replace(question, options=tuple(one for one in question.options if one.id not in fakes))


class TellsByRefusal(Cheat):
    """Says of a dummy that there is nobody to fire at."""

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic in ("observe", "target") and answer in [one.id for one in dummies(self.truth, view.side)]:
            return Refusal(question.rules[0], "Nobody is there.")
        return super().judge(view, question, answer)


class TellsByClosedOption(Cheat):
    """Shows a dummy as one that nobody need fire at."""

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        if question.topic in ("observe", "target") and option.id in [one.id for one in dummies(self.truth, view.side)]:
            return Refusal(question.rules[0], "Nobody is there.")
        return super().refused(view, question, option)


class TellsByPreview(Cheat):
    """Shows what a counter is before it is observed or fired at."""

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        shown = super().preview(view, question, answer)
        if question.topic in ("observe", "target", "drone-spot") and answer in self.truth.things:
            return replace(shown, notes=(*shown.notes, lies_under(self.truth[answer])))
        return shown


class TellsByPath(Cheat):
    """Makes a path dearer the farther the first hidden unit lies to the east."""

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        shown = super().preview(view, question, answer)
        real = [one for one in counters(self.truth) if one.side != view.side and lies_under(one) != DUMMY]
        more = spot(real[0]).x if real else 0
        return replace(shown, paths=tuple(replace(path, total=path.total + more) for path in shown.paths))


class TellsByLog(Cheat):
    """Notes in the log which counters are dummies when a unit is activated."""

    def leaking(self, battle: Battle, step: Step, honest: Procedure[None]) -> Procedure[None]:
        if isinstance(step, Activate):
            side = battle.table[step.unit].side
            fakes = tuple(one.id for one in dummies(battle.table, side))
            battle.happens(Declared(step.unit, "looks about", fakes, rule=RuleId("stargrunt.actions.two-actions")))
        yield from super().leaking(battle, step, honest)


class TellsByAsking(Cheat):
    """Asks one thing more where the first counter is a dummy: who is asked when tells it."""

    def leaking(self, battle: Battle, step: Step, honest: Procedure[None]) -> Procedure[None]:
        first = next(iter(counters(battle.table)), None)
        if isinstance(step, Activate) and first is not None and lies_under(first) == DUMMY:
            yield Confirm(first.side, "All quiet?", topic="quiet", rules=(RuleId("stargrunt.actions.two-actions"),))
        yield from super().leaking(battle, step, honest)


class TellsByView(Cheat):
    """Gives the dummies of a side a number of their own for everybody to see."""

    def leaking(self, battle: Battle, step: Step, honest: Procedure[None]) -> Procedure[None]:
        if isinstance(step, Activate):
            for view in battle.state.views.values():
                for one in [*counters(view)]:
                    if one.id in battle.table.things and lies_under(battle.table[one.id]) == DUMMY:
                        view.things[one.id] = replace(one, counts={**one.counts, "weight": 0})
        yield from super().leaking(battle, step, honest)


CHEATS = (
    TellsByOption,
    TellsByRefusal,
    TellsByClosedOption,
    TellsByPreview,
    TellsByPath,
    TellsByLog,
    TellsByAsking,
    TellsByView,
)


@cache
def pairs_of(number: int) -> list[secrecy.Pair]:
    """The pairs of a battle by honest rules, in which a unit lies where a dummy does in the other."""
    return list(secrecy.Secrecy(kinds={"real unit or dummy": unit_or_dummy}).pairs(number))


def leaks(cheat: type[Cheat], battles: int) -> Iterator[Leak]:
    """The leaks that are found among the pairs of some battles."""
    cheating = secrecy.Secrecy(cheat)
    for number in range(battles):
        for pair in pairs_of(number):
            try:
                cheating.compare(pair)
            except Leak as leak:
                yield leak


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_planted_leak_is_found(cheat: type[Cheat]) -> None:
    assert next(leaks(cheat, battles=30), None) is not None, f"{cheat.__name__} is not found"


def test_honest_rules_have_no_such_leak() -> None:
    assert next(leaks(Cheat, battles=3), None) is None
