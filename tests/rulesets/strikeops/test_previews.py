"""What a player is told before he declares: the odds of an attack at each range, and what is lost with it."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.engine.answers.judging import wanting
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.questions import MoveModels, Preview, React
from sandtable.rulesets.strikeops.shooting.aiming import Attack
from tests.rulesets.strikeops.test_odds import battle_of, told

GUNS = ("medium-magnetic-accelerator-cannon", "medium-magnetic-accelerator-cannon-2")


def shown(battle: Battle, draft: Any) -> Preview:
    checked = battle.check(draft)
    assert isinstance(checked, Accepted), checked
    return checked.preview()


def attack(away: int) -> Preview:
    return shown(battle_of(["plain"], away), {"A1 1": "shoot", "A1 target": "B", "A1 weapons": list(GUNS)})


def test_a_declaration_tells_the_odds_at_each_range_and_measures_nothing() -> None:
    near, far = attack(6), attack(30)
    assert near.odds == far.odds
    assert len(near.odds) > 3
    assert "nothing is measured" in near.odds_note


@pytest.mark.parametrize("away", [3, 14, 28, 40])
def test_those_odds_are_what_the_attack_comes_to_at_that_range(away: int) -> None:
    battle = battle_of(["plain"], away)
    still = battle.clone()
    assert still.answer({"A1 1": "shoot", "A1 target": "B", "A1 weapons": list(GUNS)}) is None
    assert still.table["A1"].has("stationary")
    exact = told(still, Attack("A1", "B", GUNS))
    harm = sum((chance for points, chance in exact.items() if points), Fraction(0))
    rows = [(float(one.label.split("″")[0].split(" ")[-1]), one) for one in attack(away).odds if "harm" in one.label]
    row = next(one for limit, one in rows if limit >= away)
    assert Fraction(row.numerator, row.denominator) == harm


def test_points_that_a_declaration_leaves_are_told_before_they_are_lost() -> None:
    battle = battle_of(["plain"], 12)
    assert shown(battle, {"A1 1": "move"}).loses == ("1 AP of A1",)
    assert shown(battle, {"A1 1": "move", "A1 2": "move"}).loses == ()


def test_around_a_walk_are_its_ranges_and_who_threatens_it() -> None:
    battle = battle_of(["plain"], 12)
    assert battle.answer({"A1 1": "move", "A1 2": "move"}) is None
    question = battle.questions[0]
    assert isinstance(question, MoveModels)
    asked = wanting(question, ("costs", "ranges", "threats"))
    around = battle.ruleset.preview(battle.view(question.side), asked, None).allowed(asked.shows)
    assert {ring.what for ring in around.rings} == {"cost", "range", "arc"}
    assert around.targets["B"].startswith("12″: ")
    assert [threat.by for threat in around.threats] == ["B"]


@pytest.mark.parametrize("topic", ["overwatch", "overwatch-weapons", "defensive-fire", "defensive-weapons"])
def test_who_lets_a_chance_to_fire_pass_is_told_nothing(topic: str) -> None:
    battle = battle_of(["plain"], 12)
    asked = React("blue", "Who fires?", topic=topic, about=("A1",))
    assert battle.ruleset.preview(battle.view("blue"), asked, None) == Preview()
