"""What a player is told before he declares: the odds of an attack at each range, and what is lost with it."""

import math
from fractions import Fraction
from typing import Any

import icepool
import msgspec
import pytest

from sandtable.engine.answers.judging import wanting
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.ids import BLUE
from sandtable.engine.questions import MoveModels, Preview, React
from sandtable.engine.shapes import UNIT, At, Point, Spot
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


def at(x: int, y: int) -> Any:
    return {"strike-point": msgspec.to_builtins(Spot(At(Point(x * UNIT, y * UNIT))))}


def barrage(away: int, **more: Any) -> Preview:
    battle = battle_of(["anvil"], away, target="palisade")
    said = {
        "A1 1": "shoot",
        "A1 fire": "indirect-fire",
        "A1 strike-point": at(60, 24),
        "A1 weapons": ["heavy-10-rockets"],
    }
    return shown(battle, {**said, **more})


def test_indirect_fire_at_somebody_tells_the_odds_of_harm_and_measures_nothing() -> None:
    near, far = barrage(13), barrage(30)
    assert near.odds == far.odds
    assert [one.label for one in near.odds] == [f"up to {14 * n}″: B, harm" for n in range(1, 5)]
    assert "nothing is measured" in near.odds_note


@pytest.mark.parametrize("band", [1, 2, 3, 4])
def test_those_odds_are_a_calculation_of_their_own_of_roll_drift_and_hit(band: int) -> None:
    """9 at short range and one more a band, less 2: it stands still and sees the point. A drift is looked at direction
    by direction: where a hexagon of an inch and a half is within an inch of where it lands."""
    two = 2 @ icepool.d6
    lands = Fraction(sum(count for score, count in two.items() if score >= 6 + band), 36)
    # A palisade has AV 8, rockets RAV 5; reinforced or not, a hit of margin 3 harms. The target stands still: 4.
    harms = Fraction(sum(count for score, count in two.items() if score - 4 + 5 >= 8), 36)
    near, far = 12, 14 * 4
    caught = 0
    for face in range(1, 11):
        for degrees in range(360):
            length, angle = face + max(0, band - 2), math.radians(degrees)
            x, y = 14 * band + length * math.cos(angle), length * math.sin(angle)
            caught += near < math.hypot(x, y) <= far + 1e-9 and _from_hexagon(x - 14 * band, y) <= 1.0005
    # Of the misses a fumble may jam its weapon; then nothing comes down.
    missed = 1 - lands - Fraction(1, 36) * Fraction(2, 6)
    odds = {one.label: Fraction(one.numerator, one.denominator) for one in barrage(14).odds}
    assert odds[f"up to {14 * band}″: B, harm"] == harms * (lands + missed * Fraction(caught, 3600))


def _from_hexagon(x: float, y: float) -> float:
    """How far a point is from a hexagon of an inch and a half from flat to flat, a flat side to the east."""
    turned = [(abs(x * math.cos(a) + y * math.sin(a)), -x * math.sin(a) + y * math.cos(a)) for a in TURNS]
    outside = [math.hypot(max(0.0, ahead - 0.75), max(0.0, abs(aside) - HALF_SIDE)) for ahead, aside in turned]
    return 0.0 if all(ahead <= 0.75 for ahead, _ in turned) else min(outside)


HALF_SIDE = 0.75 / math.sqrt(3)
TURNS = [math.radians(60 * n) for n in range(3)]


def test_a_point_where_nobody_is_tells_how_likely_it_is_hit() -> None:
    odds = barrage(14, **{"A1 strike-point": at(50, 50)}).odds
    assert [Fraction(one.numerator, one.denominator) for one in odds] == [Fraction(n, 36) for n in (21, 15, 10, 6)]
    assert odds[0].label == "up to 14″: the strike-point, on target"


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
    asked = React(BLUE, "Who fires?", topic=topic, about=("A1",))
    assert battle.ruleset.preview(battle.view(BLUE), asked, None) == Preview()
