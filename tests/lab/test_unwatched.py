"""Battles that nobody watches are those that would have been watched: the same views, the same end, one journal."""

from typing import Any

import msgspec
import pytest

from sandtable.bots import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED, RuleId, Side
from sandtable.engine.records.history import NotUndoable
from sandtable.engine.records.journal import Answered, JournalDiverged
from sandtable.engine.records.replay import verified, watched_again
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.state import StandingOrder
from sandtable.lab.battles import play_battle
from sandtable.rulesets import ruleset
from tests.engine.parley import Parley

#: Ruleset, scenario, size: with secrets of every kind, and with none but the order of a deck.
BATTLES = (
    ("quickstart", "", 1),
    ("quickstart", "breakdown", 0),
    ("stargrunt", "duel", 0),
    ("stargrunt", "watchers", 0),
    ("stargrunt", "night-patrol", 0),
)


def _opened(name: str, scenario: str, size: int) -> tuple[Ruleset, Setup]:
    rules = ruleset(name)
    return rules, rules.setup(scenario, size)


def _players(rules: Ruleset, setup: Setup, seed: int, bot: str = "random") -> dict[Side, Any]:
    return {side: make_bot(bot, rules, seed, side) for side in setup.sides}


def _known(battle: Battle, side: Side) -> bytes:
    return msgspec.json.encode((battle.view(side).table, battle.question_for(side)))


def _hold_beside(rules: Ruleset, setup: Setup, seed: int) -> Battle:
    """Play a battle watched and unwatched, answer by answer: each side always knows the same, and is asked the same."""
    watched, unwatched = (Battle(rules, setup, seed=seed, watched=seen) for seen in (True, False))
    players = _players(rules, setup, seed)
    while not watched.ended:
        answers = len(unwatched.journal.lines)
        for side in setup.sides if answers < 40 or answers % 7 == 0 else ():
            assert _known(watched, side) == _known(unwatched, side)
        question = next(q for q in map(watched.question_for, setup.sides) if q is not None)
        draft = players[question.side].answer(unwatched.view(question.side), question)
        assert watched.answer(draft, question.side) is None
        assert unwatched.answer(draft, question.side) is None
    assert unwatched.digest() == watched.digest()
    assert watched_again(unwatched).journal.encode() == watched.journal.encode()
    return unwatched


@pytest.mark.parametrize(("name", "scenario", "size"), BATTLES)
def test_sides_know_the_same_all_along_and_the_journal_comes_out_byte_for_byte(
    name: str, scenario: str, size: int
) -> None:
    _hold_beside(*_opened(name, scenario, size), 1)


def test_as_many_views_are_kept_as_sides_know_different_things() -> None:
    def kept(name: str, scenario: str) -> list[str]:
        rules, setup = _opened(name, scenario, 0)
        battle = play_battle(rules, setup, _players(rules, setup, 5, "tactical"), seed=5, watched=False)
        return list(battle.state.views)

    assert kept("stargrunt", "duel") == [], "nothing is hidden from anybody"
    assert kept("quickstart", "duel") == [""], "the order of the deck is hidden from all alike"
    assert kept("stargrunt", "watchers") == ["red", "blue"], "counters are known to their side"


@pytest.mark.parametrize("sides", [("red", "blue"), ("red", "blue", "green")])
def test_sealed_answers_votes_and_reveals_stay_apart(sides: tuple[Side, ...]) -> None:
    for seed in range(6):
        _hold_beside(Parley(), Setup(sides=sides), seed)


@pytest.mark.parametrize("bot", ["random", "tactical"])
@pytest.mark.parametrize(("name", "scenario"), [("quickstart", "duel"), ("stargrunt", "duel")])
def test_many_battles_are_the_ones_that_are_watched(name: str, scenario: str, bot: str) -> None:
    for seed in range(8):
        rules, setup = _opened(name, scenario, 0)
        seen, unseen = (
            play_battle(rules, setup, _players(rules, setup, seed, bot), seed=seed, watched=watched)
            for watched in (True, False)
        )
        assert all(isinstance(line, Answered) and not line.question for line in unseen.journal.lines)
        again = watched_again(unseen)
        assert again.journal.encode() == seen.journal.encode()
        assert [again.logs[side].events for side in setup.sides] == [seen.logs[side].events for side in setup.sides]
        verified(again.journal.encode(), rules)


def test_orders_offers_and_concessions_are_said_again_too() -> None:
    rules, setup = _opened("quickstart", "duel", 0)
    seen, unseen = (Battle(rules, setup, seed=3, watched=watched) for watched in (True, False))
    for battle in (seen, unseen):
        battle.order(StandingOrder(RED, RuleId("quickstart.shooting.defensive-fire"), None))
        battle.offer_draw(RED)
        battle.offer_draw(RED, offers=False)
        battle.concede(BLUE)
    assert watched_again(unseen).journal.encode() == seen.journal.encode()


def test_it_keeps_no_logs_and_no_way_back() -> None:
    rules, setup = _opened("quickstart", "duel", 0)
    battle = Battle(rules, setup, seed=1, watched=False)
    assert not battle.logs
    assert battle.may_undo(RED) is not None
    with pytest.raises(NotUndoable):
        battle.clone()
    with pytest.raises(NotUndoable):
        battle.saved()


def test_answers_that_give_another_battle_are_found_out() -> None:
    rules, setup = _opened("quickstart", "duel", 0)
    battle = play_battle(rules, setup, _players(rules, setup, 2), seed=2, watched=False)
    del battle.journal.lines[-1]
    with pytest.raises(JournalDiverged):
        watched_again(battle)
