"""What players saw earlier bots do wrong, each as a position in which the opponent does better."""

import msgspec
import pytest

from sandtable.bots import make_bot, reason_of
from sandtable.engine.battle import Battle
from sandtable.engine.questions import PlaceThings
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.rulesets import ruleset
from sandtable.rulesets.stargrunt.observation.counters import is_sniper
from sandtable.rulesets.stargrunt.tactics.outlook import goal_of


def played_to(name: str, scenario: str, size: int, topic: str, bot: str = "5") -> Battle:
    """A battle between two bots, up to the first question about something."""
    rules = ruleset(name)
    battle = Battle(rules, rules.setup(scenario, size), seed=4, digest_every=0, undoable=False)
    bots = {side: make_bot(bot, rules, 4, side) for side in battle.table.sides}
    while not battle.ended and battle.questions[0].topic != topic:
        question = battle.questions[0]
        assert battle.answer(bots[question.side].answer(battle.view(question.side), question), question.side) is None
    return battle


def test_counters_lie_apart_over_the_ground_and_not_in_a_touching_row_in_one_corner() -> None:
    battle = played_to("stargrunt", "watchers", 2, "counters")
    question = battle.questions[0]
    assert isinstance(question, PlaceThings)
    assert question.default is not None
    gaps = []
    for draft in (question.default, make_bot("5", battle.ruleset, 1).answer(battle.view(question.side), question)):
        points = [spot.where.point for spot in draft.values() if isinstance(spot.where, At)]
        gaps.append(min(abs(a.x - b.x) + abs(a.y - b.y) for n, a in enumerate(points) for b in points[:n]))
    row, apart = gaps
    assert row <= 2 * UNIT, "declining lays them in a row: the position that was seen"
    assert apart >= 4 * UNIT


def test_a_sniper_keeps_with_his_friends_and_does_not_cross_the_table_alone() -> None:
    table = played_to("stargrunt", "night-patrol", 0, "activate").table
    here, friend = Point(9 * UNIT, 9 * UNIT), Point(12 * UNIT, 6 * UNIT)
    found = {is_sniper(one): goal_of(table, one, here, [friend])[0] for one in table.of_kind("unit")}
    assert found[True] == friend
    assert found[False] != friend


@pytest.mark.parametrize(
    ("name", "scenario", "size"),
    [("quickstart", "", 3), ("stargrunt", "watchers", 1), ("stargrunt", "encounter", 1)],
)
def test_nothing_is_ever_answered_for_want_of_a_thought(name: str, scenario: str, size: int) -> None:
    rules = ruleset(name)
    battle = Battle(rules, rules.setup(scenario, size), seed=6, digest_every=0, undoable=False)
    bots = {side: make_bot("5", rules, 6, side) for side in battle.table.sides}
    answers = 0
    while not battle.ended:
        question = battle.questions[0]
        draft = bots[question.side].answer(battle.view(question.side), question)
        assert "only thing that could be done" not in reason_of(bots[question.side]), msgspec.to_builtins(question)
        assert battle.answer(draft, question.side) is None
        answers += 1
    assert answers > 50
