"""Tables of cases of the ready rulesets: turns, who is next, baselines, single figures, and what is wrong with them."""

from pathlib import Path

import pytest

from sandtable.engine.ids import Side
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import read_cases
from sandtable.lab.cases.runner import Outcome
from tests.lab.writing import told

STARGRUNT = """
ruleset: stargrunt
title: A and B
proves: [stargrunt.units.bases]
board: {width: 48, height: 36}
red: [{model: harrow-rifle-squad, as: A, at: [8, 18]}]
blue: [{model: harrow-rifle-squad, as: B, at: [18, 18]}]
turn: A
"""
QUICKSTART = """
ruleset: quickstart
title: A, C and B
proves: [quickstart.turn.draw-deck]
board: {width: 48, height: 48}
red: [{model: dictator-b, as: A, at: [6, 24]}, {model: dictator-b, as: C, at: [6, 30]}]
blue: [{model: dictator-b, as: B, at: [34, 24], facing: 180}]
turn: A
"""


def played(path: Path, text: str) -> Outcome:
    file = path / "case.yaml"
    file.write_text(text, encoding="utf-8")
    (outcome,) = play_all(read_cases(file))
    return outcome


def test_an_answer_that_should_be_refused_and_makes_dice_fall_was_accepted(tmp_path: Path) -> None:
    text = f"{STARGRUNT}play:\n  - refuse: {{A: combat-move, combat-move: {{all: {{turn: 90, go: 13}}}}}}\n"
    outcome = played(tmp_path, f"{text}    rule: stargrunt.movement.combat\n")
    assert "the answer should be refused" in told(outcome)


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ("{burst-radius: vast}", "case.yaml:10: there is no `vast`"),
        ("{grade: {kind: swamp, who: foot}}", "case.yaml:10: there is no `foot`"),
        ("{grade: {kind: swmp, who: infantry}}", "case.yaml:10: `swmp` is no kind of terrain; did you mean `swamp`?"),
        ("{against-mines: anvil}", "case.yaml:10: `against-mines` knows no `anvil`; it may be `A`"),
        ("{threat: {of: B, causes: [fatigue]}}", "case.yaml:10: `fatigue` is no cause of a Confidence Test"),
    ],
)
def test_a_word_no_rule_knows_is_told_where_the_case_asks(tmp_path: Path, asked: str, wrong: str) -> None:
    outcome = played(tmp_path, f"{STARGRUNT}play:\n  - ask: {asked}\n    is: 1\n")
    assert wrong in outcome.wrong


@pytest.mark.parametrize(
    "ask",
    [
        "ask: {burst-radius: Very Large}, is: 10000",
        "ask: {mobility: fast power-armour}, is: [12000, 12]",
        "ask: {grade: {kind: dense_wood, who: power armour}}, is: poor",
        "ask: {squad: {of: A, value: armour die}}, is: 6",
    ],
)
def test_words_of_what_is_asked_may_be_spelt_as_all_others(tmp_path: Path, ask: str) -> None:
    assert played(tmp_path, f"{STARGRUNT}play: [{{{ask}}}]\n").passed


def test_an_action_may_be_called_as_players_call_it(tmp_path: Path) -> None:
    steps = "play:\n  - do: {A: Close assault, assault: B}\n    dice: [{assaulting: 1}]\n  - do: {A: nothing more}\n"
    assert played(tmp_path, STARGRUNT + steps).passed


def test_values_of_the_ledger_and_a_squad_that_moves_may_be_written_as_players_would(tmp_path: Path) -> None:
    table = STARGRUNT.replace("at: [8, 18]", "at: [8, 18], states: {confidence: st, Quality: Elite}")
    steps = "sides: {red: {motivation: High}}\nplay:\n  - do: {A: move, move: {A: {turn: 90, go: 2}, A1: 1}}\n"
    now = "{A: {states: {quality: elite, motivation: high}}, A2: {at: [7.4, 19.4]}, A1: {at: [7.2, 17.4]}}"
    assert played(tmp_path, f"{table}{steps}    then: {now}\n").passed


def test_what_is_refused_is_not_on_offer(tmp_path: Path) -> None:
    table = STARGRUNT.replace("at: [8, 18]", "at: [8, 18], counts: {suppression: 1}")
    shut = "{side: red, topic: action, lacks: [fire], offers: [remove suppression]}"
    assert played(tmp_path, f"{table}play: [{{asked: {shut}}}]\n").passed
    outcome = played(tmp_path, f"{table}play: [{{asked: {{topic: action, offers: [fire]}}}}]\n")
    assert "fire (refused)" in told(outcome)


def test_of_dice_that_show_the_same_each_is_told_for_what_its_kind_fell_for(tmp_path: Path) -> None:
    dice = "[{fire: [7, 9]}, {range: 4}, {who is hit: 1}, {armour: 6}, {impact: 6}, {who is hit: 2}, {armour: 6}]"
    text = told(played(tmp_path, f"{STARGRUNT}play:\n  - do: {{A: fire, target: B}}\n    dice: {dice}\n"))
    assert "other die 5: armour 6 | d8, for who is hit by B" in text
    assert "other die 6: impact 6 | d6, for armour by B6" in text


def test_single_figures_stand_where_they_are_put_and_are_what_they_are_said_to_be(tmp_path: Path) -> None:
    figures = (
        "figures: {2: {at: [9, 20.5]}, 3: wounded, 4: {at: [10, 21], stabilised: true, states: [left behind]}, 5: dead}"
    )
    text = STARGRUNT.replace("at: [8, 18]}", f"at: [8, 18], states: [in position], {figures}}}")
    then = """
play:
  - then:
      A: {states: [in position]}
      A1: {harm: 0}
      A2: {at: [9, 20.5], harm: 0}
      A3: {harm: 1}
      A4: {at: [10, 21], harm: 1, states: [stabilised, left behind]}
"""
    assert played(tmp_path, text + then).passed
    assert "there is no `A5`" in played(tmp_path, text + then + "      A5: {harm: 2}\n").wrong


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ("{9: wounded}", "`A` has no figure 9; its figures are 1 to 8"),
        ("{2: hurt}", "`hurt` is nothing that becomes of a figure"),
        ("{2: {wonded: true}}", "a figure has no `wonded`; did you mean `wounded`?"),
        ("{2: {states: [left behnd]}}", "`left behnd` is no state; did you mean `left behind`?"),
    ],
)
def test_wrong_figures_are_told(tmp_path: Path, figures: str, says: str) -> None:
    text = STARGRUNT.replace("at: [8, 18]}", f"at: [8, 18], figures: {figures}}}") + "play: [{do: {A: done}}]\n"
    assert says in played(tmp_path, text).wrong


def test_a_level_that_there_is_not_is_told(tmp_path: Path) -> None:
    text = STARGRUNT.replace("at: [8, 18]}", "at: [8, 18], states: {confidence: shaken}}") + "play: [{do: {A: done}}]\n"
    assert "`confidence` is `shaken`; it may be `CO`, `ST`, `SH`, `BR` or `RO`" in played(tmp_path, text).wrong


@pytest.mark.parametrize("side", ["red", "blue"])
def test_the_side_that_is_next_is_asked_next(tmp_path: Path, side: Side) -> None:
    more = "red: [{model: harrow-rifle-squad, as: D, at: [8, 28]}, "
    text = STARGRUNT.replace("red: [", more) + f"turn_number: 4\nnext: {side}\n"
    steps = (
        f"play:\n  - do: {{A: done}}\n    asked: {{side: {side}, topic: activate}}\n    then: {{battle: {{turn: 4}}}}\n"
    )
    outcome = played(tmp_path, text + steps)
    assert outcome.passed, told(outcome)


def test_units_run_for_the_baseline_that_a_case_gives_them(tmp_path: Path) -> None:
    for edge, degrees in (("south", 270), ("north", 90)):
        text = (
            STARGRUNT
            + f"baselines: {{red: {edge}}}\nplay: [{{ask: {{clock: {{score: 12, side: red}}}}, is: {degrees}}}]\n"
        )
        outcome = played(tmp_path, text)
        assert outcome.passed, told(outcome)


def test_what_a_unit_does_may_be_said_by_its_name_or_by_action(tmp_path: Path) -> None:
    for key in ("A", "action"):
        steps = f"play:\n  - do: {{{key}: go in position}}\n    dice: [8]\n    then: {{A: {{states: [in position]}}}}\n"
        outcome = played(tmp_path, STARGRUNT + steps)
        assert outcome.passed, told(outcome)
    wrong = played(tmp_path, STARGRUNT + "play: [{do: {A: [move, fire]}}]\n").wrong
    assert "A does several things at once" in wrong


def test_cards_come_up_as_a_case_lays_them(tmp_path: Path) -> None:
    for first, then in (("blue", "red"), ("red", "blue")):
        steps = f"""
turn_number: 3
next: [{first}, {then}]
play:
  - do: {{A: pass}}
    asked: {{side: {first}, topic: declare}}
  - do: {{{"B" if first == "blue" else "C"}: pass}}
    asked: {{side: {then}, topic: declare}}
  - do: {{{"C" if first == "blue" else "B"}: pass}}
    then: {{battle: {{turn: 4}}}}
"""
        outcome = played(tmp_path, QUICKSTART + steps)
        assert outcome.passed, told(outcome)


def test_next_beside_several_who_act_is_told(tmp_path: Path) -> None:
    text = QUICKSTART.replace("turn: A", "turn: [A, C]") + "next: blue\nplay: [{do: {A: pass}}]\n"
    assert "name one in `turn`; the others come by their cards" in played(tmp_path, text).wrong


def test_an_unknown_option_is_told(tmp_path: Path) -> None:
    text = QUICKSTART + "options: {quiet-turn: 3}\nplay: [{do: {A: pass}}]\n"
    assert "there is no option `quiet-turn`; did you mean `quiet-turns`?" in played(tmp_path, text).wrong


def test_legs_damaged_to_a_standstill_are_immobile(tmp_path: Path) -> None:
    text = QUICKSTART.replace("at: [6, 24]}", "at: [6, 24], counts: {legs damaged: 9}}")
    steps = "play:\n  - {ask: {card: {model: A, value: mv}}, is: 0}\n  - then: {A: {states: [immobile]}}\n"
    outcome = played(tmp_path, text + steps)
    assert outcome.passed, told(outcome)


def test_words_may_be_written_with_or_without_hyphens_and_capitals(tmp_path: Path) -> None:
    steps = """
play:
  - do: {A: shoot, target: b, weapons: [Medium MAC]}
    dice: [{Combat: [2, 2]}]
    expect: {passed: blue, window: defensive-fire}
"""
    text = QUICKSTART.replace("34, 24", "20, 24")
    outcome = played(tmp_path, text + steps)
    assert outcome.passed, told(outcome)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("{do: {A: shoot, target: B}}", "Add `weapons`."),
        ("{do: {B: shoot, target: A, weapons: [medium-mac]}}", "B does not act now"),
        ("{do: {A: [shoot, go-prone, move]}}", "That costs 1 AP; A has 0 left."),
        ("{do: {A: pass}, expect: [combat]}", "such as {check: combat}"),
        ("{do: {A: pass}, then: {B: {gone: no}}}", "it may be `true`, `false`"),
        ("{ask: {range-band: {weapon: medium-mac, distance: 3}}, is: short}", "did you mean `band`?"),
        ("{ask: {card: {model: Z, value: mv}}, is: 3}", "`card` knows no `Z`"),
    ],
)
def test_what_strangers_write_wrongly_is_told_with_what_to_do(tmp_path: Path, step: str, says: str) -> None:
    assert says in told(played(tmp_path, QUICKSTART + f"play: [{step}]\n"))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("sides: {green: {chits: 2}}", "`green` in `sides` is no side of this case"),
        ("sides: {red: {chit: 2}}", "nothing is known of a side by `chit`; did you mean `chits`?"),
        ("sides: {red: {motivation: lo}}", "`motivation` is `lo`"),
        ("sides: {red: {support: [company mortars]}}", "there is no support such as `company mortars`"),
        ("markers: [{kind: minefield, at: [20, 20]}]", "there is no marker of the kind `minefield`"),
    ],
)
def test_what_is_wrong_with_a_side_or_a_marker_is_told_with_its_line(tmp_path: Path, more: str, says: str) -> None:
    wrong = played(tmp_path, f"{STARGRUNT}{more}\nplay: [{{asked: action}}]\n").wrong
    assert says in wrong
    assert "case.yaml" in wrong


def test_a_trait_that_terrain_does_not_have_is_told(tmp_path: Path) -> None:
    pond = "board: {width: 48, height: 48, terrain: [{kind: water, circle: [9, 9, 3], traits: {deep: 1}}]}"
    text = QUICKSTART.replace("board: {width: 48, height: 48}", pond) + "play: [{asked: declare}]\n"
    assert "terrain has no trait `deep`; did you mean `depth`?" in played(tmp_path, text).wrong


def test_starting_edges_that_do_not_lie_opposite_each_other_are_told(tmp_path: Path) -> None:
    wrong = played(tmp_path, QUICKSTART + "baselines: {red: north, blue: east}\nplay: [{asked: declare}]\n").wrong
    assert "the starting edges are north and east; opposite north lies south" in wrong


def test_what_is_accepted_before_dice_fall_should_have_been_refused(tmp_path: Path) -> None:
    step = "refuse: {A: [move, shoot], target: B, weapons: [medium-mac], walk: {legs: [2], marks: {fires here: 2}}}"
    outcome = played(tmp_path, f"{QUICKSTART}play:\n  - {step}\n    rule: quickstart.turn.draw-deck\n")
    assert [one.headline for one in outcome.differences] == ["the answer should be refused"]
