"""Why an option may not be chosen is worked out when somebody looks, by what the side knows, and not before."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.engine.answers.judging import check, offered, open_options
from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted
from sandtable.engine.ids import RED, RuleId
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    Option,
    React,
    ReactOption,
    Refusal,
)
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import resumed
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.state import Step

TREES = tuple(Option(name, name.capitalize(), rules=(RuleId("r.trees"),)) for name in ("ash", "elm", "oak", "yew"))
ILL = Refusal(RuleId("r.ill"), "The elm is ill.")


class Asks(Step, frozen=True):
    """Ask which tree is felled."""

    kind: str


class Trees(Ruleset):
    """The elm may not be touched, and the yew says so itself. It keeps what it was asked about."""

    name, version, steps = "trees", "1", (Asks,)

    def __init__(self) -> None:
        self.looked_at: list[str] = []

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Asks("one"), Asks("several"), Asks("allot"), Asks("one"))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Asks)
        yield asked(step.kind)
        battle.happens(Counted("red", "felled", 0, 1, rule=RuleId("r.trees")))

    def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
        self.looked_at.append(option.id)
        return ILL if option.id == "elm" else None


def asked(kind: str) -> AnyQuestion:
    options = (*TREES[:3], Option("yew", rules=(RuleId("r.sacred"), RuleId("r.trees")), refused="The yew is sacred."))
    if kind == "one":
        return ChooseOne(RED, "Which?", options=options, rules=(RuleId("r.trees"),))
    if kind == "several":
        return ChooseSeveral(RED, "Which?", options=options, rules=(RuleId("r.trees"),), at_least=1)
    if kind == "react":
        ways = tuple(ReactOption(one.id, rules=one.rules, refused=one.refused) for one in options)
        return React(RED, "Which?", options=ways, rules=(RuleId("r.trees"),))
    return Allocate(RED, "Who?", items=(Option("axe"), Option("saw")), bins=options, rules=(RuleId("r.trees"),))


def looks(ruleset: Ruleset) -> list[str]:
    """What was looked at since the last time."""
    assert isinstance(ruleset, Trees)
    found, ruleset.looked_at = ruleset.looked_at, []
    return found


def test_nobody_looks_at_an_option_that_is_not_chosen() -> None:
    battle = Battle(Trees(), seed=1)
    ruleset = battle.ruleset
    assert looks(ruleset) == [], "asking works nothing out"
    battle.clone()
    battle.saved().encode()
    assert looks(ruleset) == [], "nor does a clone, or saving"
    assert not isinstance(battle.check("oak"), Refusal)
    assert looks(ruleset) == ["oak"]
    assert battle.answer("ash") is None
    assert looks(ruleset) == ["ash"]
    assert battle.answer(["oak", "ash"]) is None
    assert sorted(looks(ruleset)) == ["ash", "oak"]
    assert battle.answer({"axe": "ash", "saw": "ash"}) is None
    assert sorted(looks(ruleset)) == ["ash", "axe", "saw"]


@pytest.mark.parametrize(
    ("kind", "draft", "why"),
    [
        ("one", "elm", ILL),
        ("one", "yew", Refusal(RuleId("r.sacred"), "The yew is sacred.")),
        ("several", ["oak", "elm"], ILL),
        ("several", ["yew"], Refusal(RuleId("r.sacred"), "The yew is sacred.")),
        ("allot", {"axe": "oak", "saw": "elm"}, ILL),
        ("allot", {"axe": "yew", "saw": "oak"}, Refusal(RuleId("r.sacred"), "The yew is sacred.")),
        ("react", {"option": "elm"}, ILL),
        ("react", {"option": "yew"}, Refusal(RuleId("r.sacred"), "The yew is sacred.")),
    ],
)
def test_a_closed_option_is_refused_by_the_rule_that_closes_it(kind: str, draft: Any, why: Refusal) -> None:
    battle = Battle(Trees(), seed=1)
    assert check(battle.ruleset, battle.view(RED), asked(kind), draft) == why


def test_a_refused_choice_changes_nothing() -> None:
    battle = Battle(Trees(), seed=1)
    before = battle.digest()
    assert battle.answer("elm") == ILL
    assert battle.digest() == before
    assert battle.journal.said() == []


@pytest.mark.parametrize("kind", ["one", "several", "allot", "react"])
def test_what_is_shown_has_the_reason_in_every_closed_option(kind: str) -> None:
    battle = Battle(Trees(), seed=1)
    question = asked(kind)
    shown = offered(battle.ruleset, battle.view(RED), question)
    assert isinstance(shown, Allocate | ChooseOne | ChooseSeveral | React)
    options: Sequence[Option | ReactOption] = shown.bins if isinstance(shown, Allocate) else shown.options
    assert [(one.id, one.refused, one.rules) for one in options] == [
        ("ash", "", ("r.trees",)),
        ("elm", "The elm is ill.", ("r.ill", "r.trees")),
        ("oak", "", ("r.trees",)),
        ("yew", "The yew is sacred.", ("r.sacred", "r.trees")),
    ]
    assert offered(battle.ruleset, battle.view(RED), shown) == shown, "showing it again changes nothing"


def test_a_question_without_options_is_shown_as_it_is() -> None:
    question = Confirm(RED, "Fell them all?")
    battle = Battle(Trees(), seed=1)
    assert offered(battle.ruleset, battle.view(RED), question) is question


def test_who_takes_the_first_open_option_pays_for_no_other() -> None:
    battle = Battle(Trees(), seed=1)
    question = asked("one")
    assert isinstance(question, ChooseOne)
    found = open_options(battle.ruleset, battle.view(RED), question, question.options[1:])
    assert (next(found).id, looks(battle.ruleset)) == ("oak", ["elm", "oak"])


def test_a_saved_battle_goes_on_though_an_option_opens_or_closes() -> None:
    """Fingerprints hold what is on offer: that some other option is closed now tells no question from another."""

    class Healed(Trees):
        def refused(self, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
            return None

    battle = Battle(Trees(), seed=1)
    battle.answer("ash")
    assert resumed(Journal.decode(battle.journal.encode()), Healed()).digest() == battle.digest()
