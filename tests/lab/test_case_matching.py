"""Expected against found: every kind of value agrees with itself and with nothing else."""

from typing import Any

import pytest

from sandtable.engine.events import Declared, Halted, Harm, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import RuleId, ThingId
from sandtable.engine.questions import Chance, Preview
from sandtable.engine.shapes import At, In, Off, Point
from sandtable.engine.table import Mark
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, read_text
from sandtable.lab.cases.matching import agrees, first_missing, fits, wanted_event
from sandtable.lab.cases.standing import compared_preview

PARTS = (
    ExplainedPart("Wizzo", 1, RuleId("r")),
    ExplainedPart("cover", -1, RuleId("r")),
    ExplainedPart("cover", -1, RuleId("r")),
)


def value(text: str) -> Data:
    return Data(read_text(text, "it", CaseError), "it", CaseError)


@pytest.mark.parametrize(
    ("text", "actual", "same"),
    [
        ("8", 8, True),
        ("8", 9, False),
        ("2.5", 2500, True),
        ("1", True, False),
        ("true", True, True),
        ("true", 1, False),
        ("hit", "hit", True),
        ("2", "2", True),
        ("none", None, True),
        ("none", "", True),
        ("none", 0, False),
        ("[B]", ("B",), True),
        ("B", ("B",), True),
        ("B", ("B", "C"), False),
        ("[B]", ("B", "C"), False),
        ("none", (), True),
        ("[6, 24.5]", At(Point(6000, 24500)), True),
        ("[6, 24.501]", At(Point(6000, 24500)), False),
        ("{at: [6, 24.5], level: 1}", At(Point(6000, 24500), 1), True),
        ("{at: [6, 24.5], level: 1}", At(Point(6000, 24500)), False),
        ("off", Off("destroyed"), True),
        ("destroyed", Off("destroyed"), True),
        ("reserve", Off("destroyed"), False),
        ("off", At(Point(0, 0)), False),
        ("{in: bunker}", In("bunker", "roof"), True),
        ("{in: bunker, slot: cellar}", In("bunker", "roof"), False),
        ("{at: [0, 0]}", In("bunker"), False),
        ("2", Harm("damage", 2), True),
        ("damage", Harm("damage", 2), True),
        ("{what: damage, amount: 3}", Harm("damage", 2), False),
        ("1", Mark(), True),
        ("{value: 1, until: end of turn}", Mark(1, "end of turn"), True),
        ("{wizzo: 1}", PARTS, True),
        ("{wizzo: 1, cover: -2}", PARTS, True),
        ("{cover: -1}", PARTS, False),
        ("{cover: none}", PARTS, False),
        ("{range: none}", PARTS, True),
        ("{range: 0}", PARTS, False),
        ("{wizzo: 1}", (), False),
        ("{wizzo: none}", (), True),
        ("{AP: 2}", {"AP": 2, "MV": 1}, True),
        ("{AP: 0}", {}, True),
        ("{AP: 1}", {}, False),
        # What is right but for capitals and hyphens is compared, so that it cannot hold unseen.
        ("{Wizzo: none}", PARTS, False),
        ("{Close-combat value: none}", (ExplainedPart("close combat value", 5, RuleId("r")),), False),
        ("{ap: 0}", {"AP": 2}, False),
    ],
)
def test_values_agree_or_not(text: str, actual: Any, same: bool) -> None:
    assert agrees(value(text), actual) is same


def test_a_length_by_its_name_is_in_the_tables_unit() -> None:
    halted = Halted(ThingId("A"), 2000, At(Point(0, 0)))
    assert fits(wanted_event(value("{halted: A, along: 2}")), halted)
    assert not fits(wanted_event(value("{halted: A, along: 2000}")), halted)


def test_an_event_may_be_called_either_way_and_its_first_field_left_open() -> None:
    roll = Rolled("shot", "A", total=8)
    for text in ("{check: shot}", "{rolled: shot}", "{Rolled: shot}", "{check: , by: A}", "{check: shot, total: 8}"):
        assert fits(wanted_event(value(text)), roll)
    for text in ("{check: brace}", "{declared: shot}", "{check: shot, total: 7}"):
        assert not fits(wanted_event(value(text)), roll)


def test_what_an_outcome_counts_may_stand_in_one_number_or_the_other() -> None:
    pool = Rolled("damage", "A", outcome="2 damage · 1 critical")
    for text in ("2 damage · 1 critical", "2 damages · 1 critical", "2 damages · 1 criticals"):
        assert fits(wanted_event(value(f"{{check: damage, outcome: {text}}}")), pool)
    for text in ("2 damage", "1 damage · 1 critical", "2 damages · 2 criticals"):
        assert not fits(wanted_event(value(f"{{check: damage, outcome: {text}}}")), pool)


def test_a_check_that_only_has_to_be_passed_is_judged_by_how_much() -> None:
    runs = Rolled("fortitude", "A", total=3, margin=-1, outcome="runs")
    for text in ("{check: fortitude, outcome: runs}", "{check: fortitude, outcome: fails}"):
        assert fits(wanted_event(value(text)), runs)
    for text in ("{check: fortitude, outcome: passed}", "{check: fortitude, outcome: stands}"):
        assert not fits(wanted_event(value(text)), runs)


def test_a_squad_may_be_called_by_its_unit() -> None:
    def called(name: str) -> tuple[str, ...]:
        return ("A squad",) if name == "A" else ()

    roll = Rolled("fortitude", "A squad")
    assert fits(wanted_event(value("{check: fortitude, by: A}"), called), roll)
    assert not fits(wanted_event(value("{check: fortitude, by: B}"), called), roll)
    assert not fits(wanted_event(value("{check: fortitude, by: A}")), roll)


def test_events_must_come_in_their_order_with_others_between() -> None:
    events = [Declared("A", "aim"), Rolled("shot"), Declared("B", "aim"), Rolled("shot")]

    def missing(text: str) -> tuple[int, int] | None:
        return first_missing([wanted_event(one) for one in value(text).items()], events)

    assert missing("[]") is None
    assert missing("[{declared: A}, {check: shot}, {check: shot}]") is None
    assert missing("[{declared: B}, {declared: A}]") == (1, 3)
    assert missing("[{check: shot}, {check: shot}, {check: shot}]") == (2, 4)


def test_a_chance_that_is_not_known_is_compared_by_its_range() -> None:
    preview = Preview(odds=(Chance("Hit", 0, 1, range=(422, 529)),))

    def same(text: str) -> bool:
        return all(row.same for row in compared_preview(value(f"{{odds: {{{text}}}}}"), preview))

    assert same("hit: [422, 529]")
    assert not same("hit: [422, 530]")
    assert not same("hit: 0")


def test_odds_are_compared_exactly() -> None:
    preview = Preview(odds=(Chance("Hit", 15, 36),))

    def same(text: str) -> bool:
        return all(row.same for row in compared_preview(value(f"{{odds: {{{text}}}}}"), preview))

    assert same("hit: 5/12")
    assert same("miss: none")
    assert not same("hit: 0.4167")
    assert not same("miss: 7/12")
    with pytest.raises(CaseError, match="a fraction such as 5/12 would do"):
        same("hit: often")


@pytest.mark.parametrize(
    ("said", "came", "same"),
    [
        ("fails", "failed", True),
        ("succeeds", "passed", True),
        ("Miss", "a miss", True),
        ("failed", "passed", False),
        ("failed", "fails (fumble)", True),
        ("fails (fumble)", "fails", False),
        ("missed", "a miss that keeps their heads down", False),
    ],
)
def test_of_outcomes_words_for_the_same_end_agree(said: str, came: str, same: bool) -> None:
    assert agrees(value(said), came, "outcome") is same
    assert agrees(value(said), came, "state") is False
