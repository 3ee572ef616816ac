"""Positions of infantry in which one thing is clearly right, each beside one in which it is not; and a short match."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.bots import make_bot, reason_of
from sandtable.bots.tactical_bot import TacticalBot
from sandtable.engine.battle import Battle
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.lab.battles import play_battle
from sandtable.lab.matches import match
from sandtable.rulesets.stargrunt._heavy_fire import hit_chances
from sandtable.rulesets.stargrunt.cases import StargruntWords
from sandtable.rulesets.stargrunt.fire import Shot, range_steps
from sandtable.rulesets.stargrunt.tactics_fire import volley

OURS = "{model: harrow-rifle-squad, as: A, at: [20, 26]%s}"
THEIRS = "{model: dust-militia-squad, as: B, at: [20, 14]%s}"
MARKER = "markers: [{kind: objective, as: m, label: M, at: [20, 8]}]"


@cache
def case_words() -> StargruntWords:
    """The words of cases, read once."""
    return stargrunt.case_words()


def position(red: str, blue: str, terrain: str = "", more: str = "") -> Battle:
    """A battle in the middle: red's first unit is activated."""
    text = f"""
board: {{width: 40, height: 40, terrain: [{terrain}]}}
red: [{red}]
blue: [{blue}]
{more}
turn: A
"""
    words = case_words()
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


def bot_of(battle: Battle) -> TacticalBot:
    """A bot that plays red."""
    bot = make_bot("tactical", battle.ruleset, 1, "red")
    assert isinstance(bot, TacticalBot)
    return bot


def answers(battle: Battle, topic: str = "action") -> tuple[Any, str]:
    """What red's bot answers to the first question about a topic, and why."""
    bot = bot_of(battle)
    while battle.questions[0].topic != topic:
        battle.answer(bot.answer(battle.view("red"), battle.questions[0]), "red")
    return bot.answer(battle.view("red"), battle.questions[0]), reason_of(bot)


def test_a_suppressed_squad_recovers_and_another_fires() -> None:
    draft, reason = answers(position(OURS % ", counts: {suppression: 1}", THEIRS % ""))
    assert draft == "remove-suppression", reason
    assert "suppressed +" in reason
    draft, reason = answers(position(OURS % "", THEIRS % ""))
    assert draft == "fire", reason
    assert "casualties +" in reason
    assert "suppression +" in reason


@pytest.mark.parametrize("dice", [(8, 8), (4, 12), (8, 8, 10), (6, 12, 8, 10)])
def test_the_quick_count_of_a_volley_is_that_of_the_rules(dice: tuple[int, ...]) -> None:
    battle = position(OURS % "", THEIRS % "")
    steps = range_steps(battle.table, battle.table["A"], battle.table["B"])
    for against in (4, 8, 12):
        quick = volley(dice, against)
        chances = hit_chances(Shot(dice, (), steps, against, 10, ()))
        assert (quick.strikes, quick.suppresses) == (chances["major"], 1 - chances["fail"])
        falls = product(range(1, against + 1), *(range(1, die + 1) for die in dice))
        totals = [sum(mine) for guard, *mine in falls if sum(one > guard for one in mine) >= 2]
        assert quick.hits == Fraction(sum(totals), against * against * prod(dice))


def test_the_same_seed_plays_the_same_battle() -> None:
    def digest() -> str:
        rules = stargrunt.ruleset()
        players = {side: make_bot("tactical", rules, 5, side) for side in ("red", "blue")}
        return play_battle(rules, stargrunt.setup("duel"), players, seed=5, digest_every=0).digest()

    assert digest() == digest()


def test_it_beats_whoever_does_not_think() -> None:
    score = match("stargrunt", "tactical", "random", scenario="duel", size=2, battles=8, seed=100)
    assert score.score >= 0.65, score.words()
