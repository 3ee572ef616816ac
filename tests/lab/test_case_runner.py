"""What a case says is what is played, and whatever differs is found and told."""

from pathlib import Path
from typing import Any

import pytest

from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import find_cases
from sandtable.lab.cases.runner import Outcome
from tests.lab.skirmish import HERE, Skirmish, skirmish
from tests.lab.writing import HEAD, played, told

SHOT = "  - do: {A: shoot, target: B}\n    dice: [4]\n"


def test_the_ready_cases_pass() -> None:
    book = skirmish()
    found = find_cases([str(HERE / "cases")])
    assert not found.wrong
    outcomes = play_all(found.cases, find=lambda name: book)
    assert len(outcomes) == 7
    assert [outcome.name for outcome in outcomes if not outcome.passed] == []


def test_two_processes_give_the_same_outcomes_in_the_same_order() -> None:
    book = skirmish()
    cases = find_cases([str(HERE / "cases")]).cases * 10
    assert play_all(cases, jobs=2, find=lambda name: book) == play_all(cases, jobs=1, find=lambda name: book)


@pytest.mark.parametrize(
    ("steps", "line", "says"),
    [
        pytest.param(
            SHOT + "    expect:\n      - {check: shot, total: 5}\n",
            12,
            ["event 1 of `expect`", "other total: 5 | 4", "same what: shot | shot", "rolled shot by A: 1d6 [4] = 4"],
            id="another total",
        ),
        pytest.param(
            SHOT + "    expect: [{model-lost: B}]\n", 11, ["{model-lost: B} | no such event"], id="no such event"
        ),
        pytest.param(
            SHOT + "    expect: [{harm-applied: B}, {declared: A}]\n", 11, ["comes too early"], id="another order"
        ),
        pytest.param(
            SHOT + "    expect_not: [{harm-applied: B}]\n", 11, ["must not", "harm-applied B"], id="forbidden"
        ),
        pytest.param(
            SHOT + "    then: {B: {harm: 2, at: [10, 10], states: [aiming]}}\n",
            11,
            ["other B harm: 2 | 1", "same B at: [10, 10] | [10, 10]", "other B states: [aiming] | none"],
            id="things stand otherwise",
        ),
        pytest.param(SHOT + "    then: {battle: {ended: true}}\n", 11, ["battle ended: true | false"], id="not ended"),
        pytest.param(
            SHOT + "    asked: {topic: brace}\n  - do: {brace: true}\n    dice: [6, 1]\n",
            12,
            ["does not use up the faces [1]", "same die 1: 6 | d6, for brace by B", "other die 2: 1 | does not fall"],
            id="dice left",
        ),
        pytest.param(
            "  - do: {A: shoot, target: B}\n",
            9,
            ["no face is left for 1d6", "other die 1: none is written | d6, for shot by A"],
            id="dice missing",
        ),
        pytest.param("  - do: {A: shoot, target: B}\n    dice: [7]\n", 9, ["cannot show 7"], id="no such face"),
        pytest.param("  - do: {A: [aim, aim]}\n", 9, ["refused: Each may be chosen only once"], id="refused"),
        pytest.param("  - do: {A: aim, walk: 3}\n", 9, ["nothing asks for `walk`", "B: what?"], id="not asked"),
        pytest.param(
            "  - do: {A: walk}\n  - do: {brace: true}\n", 10, ["Where to?", "does not say"], id="not answered"
        ),
        pytest.param("  - do: {B: aim}\n", 9, ["A: what?", "does not say what it answers"], id="another plan"),
        pytest.param("  - do: {A: aim}\n    by: blue\n", 9, ["blue is not asked anything"], id="another side"),
        pytest.param(
            "  - refuse: {A: aim}\n    rule: skirmish.turn.actions\n",
            9,
            ["should be refused", "accepted"],
            id="accepted",
        ),
        pytest.param(
            "  - refuse: {A: [aim, aim]}\n    rule: skirmish.turn.actions\n",
            9,
            ["another reason", "skirmish.turn.actions | skirmish.turn.no-repeats"],
            id="another rule",
        ),
        pytest.param(
            "  - refuse: {A: [aim, aim]}\n    rule: skirmish.turn.no-repeats\n    says: tired\n",
            9,
            ["same refused by", "other says: tired | Each may be chosen only once."],
            id="another sentence",
        ),
        pytest.param(
            "  - preview: {A: shoot, target: B}\n    shows: {distances: {B: 6.001}, explanations: [{total: 5}]}\n",
            9,
            ["other distance B: 6.001 | 6", "other explanation: {total: 5} | what to hit, total 4"],
            id="another preview",
        ),
        pytest.param(
            "  - ask: {band: {from: A, to: B}}\n    is: long\n", 9, ["band: long | short"], id="another value"
        ),
        pytest.param("  - asked: {topic: brace, side: red}\n", 9, ["topic: brace | plan", "same side"], id="asked"),
        pytest.param("  - asked: nobody\n", 9, ["nobody is asked | red is asked “A: what?”"], id="somebody is asked"),
        pytest.param("  - undo: red\n", 9, ["refused: Nothing can be taken back"], id="nothing to undo"),
        pytest.param(SHOT + "    asked: {topic: brace}\n  - undo: red\n", 12, ["refused"], id="a die stops undo"),
    ],
)
def test_what_differs_is_told_with_its_line(tmp_path: Path, steps: str, line: int, says: list[str]) -> None:
    outcome = played(tmp_path, steps)
    text = told(outcome)
    assert outcome.differences[0].line == line, text
    for words in says:
        assert words in text


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        pytest.param("  - do: {A: shoot, tarket: B}\n", "case.yaml:9: `tarket` is no model here", id="key"),
        pytest.param("  - do: {A: shoot, tarket: B}\n", "did you mean `target`?", id="nearest key"),
        pytest.param("  - do: {A: shot}\n", "case.yaml:9: `shot` is no action; did you mean `shoot`?", id="action"),
        pytest.param(SHOT + "    expect: [{chek: shot}]\n", "case.yaml:11: it is not said which event", id="event"),
        pytest.param(SHOT + "    expect: [{check: shot, sum: 4}]\n", "the event `check` has no `sum`", id="field"),
        pytest.param(
            "  - {refuse: {A: [shot]}, rule: skirmish.turn.actions}\n", "`shot` is no action", id="refused action"
        ),
        pytest.param(SHOT + "    then: {B: {lacks: [amining]}}\n", "case.yaml:11: `amining` is no state", id="lacks"),
        pytest.param(SHOT + "    then: {B: {states: {amining: 1}}}\n", "did you mean `aiming`?", id="state"),
        pytest.param(
            SHOT + "    expect_not: [{state-changed: B, state: amining}]\n", "is no state", id="state of event"
        ),
        pytest.param(SHOT + "    then: {C: {harm: 1}}\n", "case.yaml:11: there is no `C`", id="thing"),
        pytest.param(SHOT + "    then: {B: {wounds: 1}}\n", "things have no `wounds`", id="key of a thing"),
        pytest.param(SHOT + "    then: {battle: {tern: 1}}\n", "did you mean `turn`?", id="key of the battle"),
        pytest.param("  - ask: {bend: {}}\n    is: 1\n", "`bend` is no value; did you mean `band`?", id="value"),
        pytest.param("  - concede: green\n", "there is no side `green`", id="side"),
        pytest.param("  - do: {A: walk, walk: {go: 1, bakc: 2}}\n", "did you mean `back`?", id="leg"),
        pytest.param("  - asked: {topik: plan}\n", "did you mean `topic`?", id="key of a question"),
        pytest.param(
            "  - preview: {A: aim}\n    shows: {note: x}\n",
            "a preview has no `note`; did you mean `notes`?",
            id="preview",
        ),
    ],
)
def test_a_wrong_word_is_told_with_the_right_one(tmp_path: Path, steps: str, says: str) -> None:
    outcome = played(tmp_path, steps)
    assert says in outcome.wrong
    assert not outcome.differences


def test_a_wrong_word_in_the_set_up_is_told_with_its_line(tmp_path: Path) -> None:
    outcome = played(tmp_path, SHOT, head=HEAD.replace("soldier, as: A", "solder, as: A"))
    assert "case.yaml:5: there is no model `solder`; did you mean `soldier`?" in outcome.wrong


def test_a_misspelt_state_of_the_set_up_is_told_with_its_line(tmp_path: Path) -> None:
    outcome = played(tmp_path, SHOT, head=HEAD.replace("at: [4, 10]", "at: [4, 10], states: [aming]"))
    assert "case.yaml:5: `aming` is no state; did you mean `aiming`?" in outcome.wrong


def test_words_of_the_set_up_may_be_spelt_as_others_are(tmp_path: Path) -> None:
    head = HEAD.replace("soldier, as: A, at: [4, 10]", "soldier, as: A, at: [4, 10], states: [Aiming]")
    steps = "  - do: {A: shoot, target: B}\n    dice: [4]\n    expect: [{state-changed: A, state: aiming}]\n"
    assert played(tmp_path, steps, head=head).passed


def test_a_model_cannot_be_called_as_a_key_of_a_step_is(tmp_path: Path) -> None:
    head = HEAD.replace("as: A", "as: target").replace("turn: A", "turn: target")
    assert "`target` is a key of a step" in played(tmp_path, SHOT, head=head).wrong


def test_a_key_fills_the_part_whose_topic_it_is(tmp_path: Path) -> None:
    """The part is called `shot-at`; its topic is `target`."""
    assert played(tmp_path, SHOT + "    expect: [{declared: A, targets: B}]\n").passed


def test_the_name_of_a_model_first_chooses_it_then_plans_for_it(tmp_path: Path) -> None:
    two = HEAD.replace("blue: [", "blue: [{model: soldier, as: C, at: [10, 14]}, ")
    assert played(tmp_path, "  - do: {A: aim}\n  - do: {B: aim}\n    then: {B: {states: [aiming]}}\n", head=two).passed


def test_questions_nobody_names_are_declined(tmp_path: Path) -> None:
    steps = (
        SHOT + "    expect: [{passed: blue, window: dodge}, {harm-applied: B}]\n    asked: {side: blue, topic: plan}\n"
    )
    assert played(tmp_path, steps).passed


def test_a_step_stops_where_the_next_one_begins(tmp_path: Path) -> None:
    steps = """
  - do: {A: shoot, target: B}
  - do: {dodge: jump}
    dice: [4]
    expect: [{check: shot, outcome: miss}]
"""
    assert played(tmp_path, steps).passed


def test_a_list_of_keys_answers_the_same_question_twice(tmp_path: Path) -> None:
    steps = """
  - do: [{A: aim}, {B: walk, walk: 1}, {A: walk, walk: {back: 2}}]
    then: {A: {at: [2, 10]}, B: {at: [11, 10]}}
"""
    assert played(tmp_path, steps).passed


def test_keys_of_a_later_entry_wait_for_those_before(tmp_path: Path) -> None:
    text = told(played(tmp_path, "  - do: [{A: walk, brace: true}, {walk: 3}]\n"))
    assert "does not say what it answers" in text


def test_undo_takes_back_and_the_battle_goes_on(tmp_path: Path) -> None:
    steps = (
        "  - do: {A: walk}\n  - undo: red\n    asked: {topic: plan}\n  - do: {A: aim}\n    then: {A: {at: [4, 10]}}\n"
    )
    assert played(tmp_path, steps).passed


def test_dice_of_the_set_up(tmp_path: Path) -> None:
    head = HEAD + "fanfare: true\n"
    assert played(tmp_path, SHOT, head=head + "dice: [1, 6]\n").passed
    assert "no face is left for 2d6" in told(played(tmp_path, SHOT, head=head))
    assert "the set-up does not use up the faces [1]" in told(played(tmp_path, SHOT, head=head + "dice: [1, 6, 1]\n"))


def test_a_step_may_be_judged_by_what_a_side_sees(tmp_path: Path) -> None:
    here = "  - {do: {A: aim}, seen_by: blue, expect: [{state-changed: A}], then: {A: {states: [aiming]}}}\n"
    assert played(tmp_path, here).passed
    secret = "  - {do: {A: hide}, expect: [{sealed: red, value: 3}]}\n"
    assert played(tmp_path, secret).passed
    text = told(played(tmp_path, secret.replace("expect", "seen_by: blue, expect")))
    assert "other value: 3 | nothing" in text
    assert "no side `green`" in played(tmp_path, secret.replace("expect", "seen_by: green, expect")).wrong


def test_cards_lie_as_the_step_says_or_as_they_were(tmp_path: Path) -> None:
    def dealt(more: str) -> Outcome:
        return played(tmp_path, f"  - {{do: {{A: deal}}, {more}}}\n")

    assert dealt("expect: [{deck-changed: deck, cards: [red, blue, green]}]").passed
    assert dealt("cards: [green, red, blue], expect: [{deck-changed: deck, cards: [green, red, blue]}]").passed
    assert "cannot lie as [red, blue, blue]" in told(dealt("cards: [red, blue, blue]"))
    assert "does not use up the cards [red]" in told(dealt("cards: [red, blue, green, red]"))
    assert "does not use up the faces [1]" in told(dealt("dice: [1]"))


def test_two_offers_are_a_draw(tmp_path: Path) -> None:
    steps = """
  - draw: red
    then: {battle: {ended: false}}
  - draw: blue
    expect: [{battle-ended: none}]
    asked: nobody
"""
    assert played(tmp_path, steps).passed


def test_made_up_models_come_from_the_catalogue_beside_the_cases(tmp_path: Path) -> None:
    head = HEAD.replace("soldier, as: A", "dragon, as: A")
    assert "there is no model `dragon`" in played(tmp_path, SHOT, head=head).wrong
    (tmp_path / "catalogue.yaml").write_text("[dragon]", encoding="utf-8")
    assert played(tmp_path, SHOT, head=head).passed
    (tmp_path / "catalogue.yaml").write_text("dragon", encoding="utf-8")
    assert "catalogue.yaml:1:" in played(tmp_path, SHOT, head=head).wrong


class Broken(Skirmish):
    """Breaks when anybody aims."""

    def aim(self, battle: Any, model: str, target: str) -> Any:
        raise ZeroDivisionError("aimed too long")


class Tampering(Skirmish):
    """Its judge turns the model it looks at."""

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        refusal = super().judge(view, question, answer)
        if refusal is not None:
            view.table.turn += 1
        return refusal


def _with(rules: type[Skirmish], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.lab.skirmish.Skirmish", rules)
    assert isinstance(skirmish().ruleset(), Ruleset)


def test_a_program_that_breaks_is_a_difference_with_its_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _with(Broken, monkeypatch)
    text = told(played(tmp_path, "  - do: {A: aim}\n"))
    assert "the program broke while playing `do`: ZeroDivisionError: aimed too long" in text
    assert "in aim" in text


def test_a_refusal_that_changes_something_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = "  - refuse: {A: [aim, walk, shoot], target: B}\n    rule: skirmish.turn.actions\n"
    assert played(tmp_path, refuse).passed
    _with(Tampering, monkeypatch)
    assert "the refused answer changed the battle" in told(played(tmp_path, refuse))
