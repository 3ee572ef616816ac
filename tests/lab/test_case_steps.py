"""Dice with names, questions that are not asked, refusals by one of several rules, and steps after one that differs."""

from pathlib import Path

import pytest

from tests.lab.writing import HEAD, played, told

SHOT = "  - do: {A: shoot, target: B}\n"


# Dice ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", ["[4]", "[{shot: 4}]", "[{Shot: [4]}]", "4"])
def test_a_die_may_be_written_plainly_or_with_its_name(tmp_path: Path, dice: str) -> None:
    assert played(tmp_path, SHOT + f"    dice: {dice}\n    expect: [{{check: shot, faces: [4]}}]\n").passed


def test_named_and_plain_dice_mix(tmp_path: Path) -> None:
    steps = "  - do: {A: shoot, target: B, brace: true}\n    dice: [4, {brace: 6}]\n    expect: [{check: brace}]\n"
    assert played(tmp_path, steps).passed


def test_a_die_that_falls_for_something_else_is_told(tmp_path: Path) -> None:
    steps = "  - do: {A: shoot, target: B, brace: true}\n    dice: [{brace: 4}, {brace: 6}]\n"
    text = told(played(tmp_path, steps))
    assert "a die of the step falls for something else than its name says" in text
    assert "other die 1: brace 4 | d6, for shot by A" in text
    assert "same die 2: brace 6 | d6, for brace by B" in text


def test_of_equal_faces_each_name_finds_its_own(tmp_path: Path) -> None:
    steps = "  - do: {A: shoot, target: B, brace: true}\n    dice: [{shot: 6}, {brace: 6}]\n"
    assert played(tmp_path, steps).passed


def test_too_few_dice_are_told_with_what_each_fell_for(tmp_path: Path) -> None:
    steps = "  - do: {A: shoot, target: B, brace: true}\n    dice: [4]\n"
    text = told(played(tmp_path, steps))
    assert "no face is left for 1d6" in text
    assert "same die 1: 4 | d6, for shot by A" in text
    assert "other die 2: none is written | d6, for brace by B" in text


def test_too_many_dice_are_told_with_what_each_fell_for(tmp_path: Path) -> None:
    text = told(played(tmp_path, SHOT + "    dice: [4, 2]\n"))
    assert "does not use up the faces [2]" in text
    assert "same die 1: 4 | d6, for shot by A" in text
    assert "other die 2: 2 | does not fall" in text


def test_a_face_that_a_die_has_not_is_told_with_what_it_is_for(tmp_path: Path) -> None:
    text = told(played(tmp_path, SHOT + "    dice: [7]\n"))
    assert "1d6 cannot show 7" in text
    assert "other die 1: 7 | d6, for shot by A" in text


def test_two_names_on_one_die_are_a_wrong_file(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="a die has one name"):
        played(tmp_path, SHOT + "    dice: [{shot: 4, brace: 1}]\n")


def test_whoever_does_nothing_may_say_so_when_the_battle_is_over(tmp_path: Path) -> None:
    assert played(tmp_path, "  - concede: blue\n  - do: {A: pass}\n").passed
    assert "nothing asks for `A`" in told(played(tmp_path, "  - concede: blue\n  - do: {A: aim}\n"))


# Refusals ------------------------------------------------------------------------------------------------------------


def test_any_of_several_rules_may_refuse(tmp_path: Path) -> None:
    step = "  - refuse: {A: [aim, aim]}\n    rule: [skirmish.turn.actions, skirmish.turn.no-repeats]\n"
    assert played(tmp_path, step).passed
    other = step.replace("no-repeats", "walk")
    assert "skirmish.turn.actions or skirmish.turn.walk | skirmish.turn.no-repeats" in told(played(tmp_path, other))
    assert "there is no rule" in played(tmp_path, step.replace("no-repeats", "no-repeat")).wrong


def test_an_event_may_happen_by_any_of_several_rules(tmp_path: Path) -> None:
    step = SHOT + "    dice: [3]\n    expect: [{check: shot, rule: [skirmish.turn.walk, skirmish.shooting.to-hit]}]\n"
    assert played(tmp_path, step).passed
    text = told(played(tmp_path, step.replace("shooting.to-hit", "turn.actions")))
    assert "[skirmish.turn.walk, skirmish.turn.actions] | skirmish.shooting.to-hit" in text
    assert "there is no rule `skirmish.turn.wall`;" in played(tmp_path, step.replace("turn.walk", "turn.wall")).wrong


def test_a_refusal_of_a_question_that_nobody_asks_says_so(tmp_path: Path) -> None:
    text = told(played(tmp_path, "  - refuse: {walk: 9}\n    rule: skirmish.turn.walk\n"))
    assert "nobody is asked for `walk`" in text
    assert "A: what?" in text


def test_a_declinable_question_is_not_taken_for_the_one_that_is_refused(tmp_path: Path) -> None:
    steps = SHOT + "    asked: {topic: dodge}\n  - refuse: {walk: 9}\n    rule: skirmish.turn.walk\n"
    assert "nobody is asked for `walk`" in told(played(tmp_path, steps))


def test_what_leads_to_a_refusal_is_played_on_a_copy(tmp_path: Path) -> None:
    step = "  - refuse: {A: walk, walk: 9}\n    rule: skirmish.turn.walk\n"
    assert played(tmp_path, step + "  - do: {A: walk, walk: 4}\n").passed
    text = told(played(tmp_path, step.replace("walk: 9", "walk: 4")))
    assert "the answer should be refused" in text


def test_an_answer_after_which_dice_fall_was_not_refused(tmp_path: Path) -> None:
    text = told(played(tmp_path, "  - refuse: {A: shoot, target: B, dodge: jump}\n    rule: skirmish.turn.walk\n"))
    assert "the answer should be refused" in text


def test_no_die_falls_on_the_way_to_a_refusal(tmp_path: Path) -> None:
    text = told(played(tmp_path, "  - refuse: {A: shoot, target: B, brace: 9}\n    rule: skirmish.turn.walk\n"))
    assert "dice fall before `brace`" in text


def test_an_answer_that_lets_dice_fall_is_none_that_is_refused(tmp_path: Path) -> None:
    text = told(played(tmp_path, "  - refuse: {A: shoot, target: B}\n    rule: skirmish.turn.walk\n"))
    assert "the answer should be refused" in text
    assert "accepted" in text


def test_a_step_does_not_go_on_to_dice_that_it_does_not_tell(tmp_path: Path) -> None:
    twice = "  - do: {A: shoot, target: B}\n    dice: [4]\n    expect: [{check: shot}]\n    asked: {topic: brace}\n"
    assert played(tmp_path, twice).passed


# Who is asked --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["brace", "{topic: brace}", "[brace, walk]", "{side: blue, kind: confirm}"])
def test_what_is_not_asked(tmp_path: Path, said: str) -> None:
    missed = SHOT + f"    dice: [3]\n    not_asked: {said}\n"
    assert played(tmp_path, missed).passed
    text = told(played(tmp_path, missed.replace("[3]", "[4]")))
    assert "somebody is asked who must not be" in text
    assert "“Brace?”" in text


def test_an_open_question_counts_as_asked(tmp_path: Path) -> None:
    assert played(tmp_path, "  - not_asked: blue\n").passed
    assert "A: what?" in told(played(tmp_path, "  - not_asked: red\n"))


def test_nothing_else_can_be_said_of_what_is_not_asked(tmp_path: Path) -> None:
    step = SHOT + "    dice: [4]\n    not_asked: {topc: brace}\n"
    assert "`not_asked` has no `topc`; did you mean `topic`?" in played(tmp_path, step).wrong


def test_an_ask_declines_no_question(tmp_path: Path) -> None:
    steps = (
        "  - do: {A: shoot, target: B}\n    dice: [4]\n    expect: [{check: shot}]\n"
        "  - {ask: {band: {from: A, to: B}}, is: short}\n"
        "  - asked: {topic: brace}\n    then: {B: {harm: 0}}\n"
        "  - do: {brace: true}\n    dice: [6]\n    then: {B: {harm: 0}}\n"
    )
    assert played(tmp_path, steps).passed


def test_before_an_ask_everything_that_the_step_expects_happens(tmp_path: Path) -> None:
    steps = (
        "  - do: {A: shoot, target: B}\n    dice: [4]\n    expect: [{harm-applied: B}]\n"
        "  - {ask: {band: {from: A, to: B}}, is: short}\n"
    )
    assert played(tmp_path, steps).passed


# Going on ------------------------------------------------------------------------------------------------------------


def test_the_steps_after_one_that_differs_are_played_too(tmp_path: Path) -> None:
    steps = "  - {ask: {band: {from: A, to: B}}, is: long}\n  - refuse: {A: aim}\n    rule: skirmish.turn.actions\n"
    refuse_first = played(tmp_path, steps)
    assert [one.line for one in refuse_first.differences] == [9, 10]
    steps = (
        "  - do: {A: aim}\n    then: {A: {at: [5, 10]}}\n"
        "  - do: {B: aim}\n    then: {B: {lacks: [aiming]}}\n"
        "  - asked: {topic: brace}\n"
    )
    assert [one.line for one in played(tmp_path, steps).differences] == [10, 12, 13]


def test_a_step_that_cannot_be_played_says_how_many_are_left(tmp_path: Path) -> None:
    outcome = played(tmp_path, "  - do: {A: [aim, aim]}\n  - do: {B: aim}\n  - asked: nobody\n")
    assert len(outcome.differences) == 1
    assert "2 steps after this were not played" in told(outcome)


def test_a_set_up_that_lacks_its_dice_says_what_they_are_for(tmp_path: Path) -> None:
    text = told(played(tmp_path, SHOT, head=HEAD + "fanfare: true\ndice: [1]\n"))
    assert "no face is left for 2d6" in text
    assert "d6, for fanfare" in text
