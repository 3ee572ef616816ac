"""The opponent: lawful, ignorant of what its side cannot know, and the same wherever it is taken up."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from sandtable.bots import bot_names, make_bot, reason_of, thinking
from sandtable.bots.by_name import FORMER_NAMES, LEVEL_NAMES, BotError
from sandtable.bots.level_bot import LevelBot
from sandtable.bots.levels import LEVELS
from sandtable.bots.policy import Policy
from sandtable.bots.thinking import Effort, Line, Thinker, imagines
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View
from sandtable.engine.state import State
from sandtable.engine.table import Deck
from sandtable.lab.matches import match
from sandtable.rulesets import ruleset
from sandtable.tabletop.opponent import Skill, position_worth
from tests.secrecy import Secrecy

#: Little enough for a test, and every part of thinking is met.
LITTLE = Effort(firsts=2, lines=3, playouts=4, ahead=0, activations=2)
#: Which ways of acting there are; each is played to the end of its activation only.
WIDE = Effort(firsts=3, lines=6, playouts=1, ahead=0, activations=0)
DECK = "draw deck"


def asked(name: str, size: int, seed: int, topics: tuple[str, ...], scenario: str = "") -> Iterator[Battle]:
    """A battle between quick bots, whenever somebody is asked one of some things."""
    rules = ruleset(name)
    battle = Battle(rules, rules.setup(scenario, size), seed=seed, digest_every=0)
    bots = {side: make_bot("5", rules, seed, side) for side in battle.table.sides}
    while not battle.ended:
        question = battle.questions[0]
        if question.topic in topics:
            yield battle
        assert battle.answer(bots[question.side].answer(battle.view(question.side), question), question.side) is None


def test_the_levels_are_the_names_and_each_says_what_it_sees() -> None:
    assert tuple(map(str, LEVELS)) == LEVEL_NAMES == bot_names()[-8:]
    assert [LEVELS[1].name, LEVELS[8].name] == ["Recruit", "Colonel"]
    assert all(level.about for level in LEVELS.values())


def test_a_name_that_is_no_level_is_refused() -> None:
    for name in ("9", "0", "tactical-6"):
        with pytest.raises(BotError, match="there is no bot of this name"):
            make_bot(name, ruleset("quickstart"), 1)


def test_a_battle_begun_under_the_former_name_of_a_level_goes_on() -> None:
    bot = make_bot("tactical-3", ruleset("quickstart"), 1)
    assert isinstance(bot, LevelBot)
    assert bot.level is LEVELS[3]
    assert not set(FORMER_NAMES) & set(bot_names()), "nobody is offered it"


@pytest.mark.parametrize("level", [number for number, level in LEVELS.items() if level.effort is None])
def test_every_level_plays_a_battle_to_its_end_with_no_answer_for_want_of_a_thought(level: int) -> None:
    for name in ("quickstart", "stargrunt"):
        rules = ruleset(name)
        battle = Battle(rules, rules.setup("", 1), seed=20 + level, digest_every=0)
        bots = {side: make_bot(str(level), rules, 20 + level, side) for side in battle.table.sides}
        while not battle.ended:
            question = battle.questions[0]
            bot = bots[question.side]
            assert battle.answer(bot.answer(battle.view(question.side), question), question.side) is None
            assert "only thing" not in reason_of(bot), question.prompt


@pytest.mark.parametrize(("higher", "lower"), [("3", "1"), ("5", "3")])
def test_a_level_beats_the_second_one_below(higher: str, lower: str) -> None:
    score = match("quickstart", higher, lower, size=1, battles=10, seed=300, jobs=1)
    assert score.score >= 0.7, score.words()


@pytest.mark.parametrize(
    ("name", "size", "topics"),
    [("quickstart", 2, ("activate", "declare")), ("stargrunt", 2, ("activate", "action"))],
)
def test_what_it_imagines_asks_the_very_question(name: str, size: int, topics: tuple[str, ...]) -> None:
    tactics = ruleset(name).tactics()
    assert tactics is not None
    for n, battle in enumerate(asked(name, size, 3, topics)):
        question = battle.questions[0]
        assert imagines(battle.ruleset, tactics, battle.view(question.side), question, "s"), (n, question.topic)
        if n == 12:
            return


def _views(battle: Battle) -> tuple[View, AnyQuestion]:
    question = battle.questions[0]
    return battle.view(question.side), question


def _thought(battle: Battle, seed: str = "s") -> bytes:
    """Everything that comes of thinking about the open question, and what the bot answers and says."""
    view, question = _views(battle)
    rules = ruleset(battle.ruleset.name)
    found = Thinker(rules, Skill(poses=4), LITTLE).think(view, question, seed, None)
    told = [([(step.draft, step.label) for step in one.line.steps], one.mean, one.playouts) for one in found]
    bot = LevelBot(rules, seed, 5)
    return msgspec.json.encode((told, bot.answer(view, question), reason_of(bot), bot.keeps()))


def test_the_order_of_the_deck_changes_no_thought() -> None:
    compared = 0
    for battle in asked("quickstart", 2, 11, ("activate", "declare")):
        state = battle.boundary()
        deck = state.table.decks[DECK]
        if len(set(deck.order)) < 2:
            continue
        twin = state.copy()
        turned = Deck(deck.contents, tuple(reversed(deck.order)))
        twin.table.decks = {**twin.table.decks, DECK: turned}
        if battle.questions[0].topic == "activate":
            continue  # the order decides who is asked
        one, other = (_at(battle, each) for each in (state, twin))
        assert _thought(one) == _thought(other)
        compared += 1
        if compared == 3:
            return
    raise AssertionError("nothing was compared")


def _at(battle: Battle, state: State) -> Battle:
    return Battle.at_boundary(battle.ruleset, battle.journal.header, (), state.copy(), 0)


def test_what_lies_under_enemy_counters_changes_no_thought() -> None:
    compared = 0
    for number in range(4):
        for pair in Secrecy().pairs(number, most=60):
            battles = [
                Battle.at_boundary(ruleset("stargrunt"), pair.header, (), state.copy(), 0)
                for state in (pair.state, pair.twin.state)
            ]
            if [one.questions[0].side for one in battles] != [pair.watcher, pair.watcher]:
                continue
            assert _thought(battles[0]) == _thought(battles[1]), (number, pair.number, pair.kind)
            compared += 1
            if compared == 8:
                return
    raise AssertionError(f"only {compared} pairs were compared")


def test_a_thought_hangs_on_its_seed_alone_and_not_on_what_was_thought_before() -> None:
    (battle, *_) = (one.clone() for one in asked("quickstart", 2, 5, ("activate",)))
    first = _thought(battle)
    assert _thought(battle, "another") != b""
    assert _thought(battle) == first


@pytest.mark.parametrize("worths", [(0, 10, 20), (0, 20, 10, 30, 5, 7, 9)])
def test_a_look_ahead_ends_also_where_the_policys_own_way_is_the_worst(
    worths: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    def playout(self: Thinker, world: object, line: Line, number: int, intention: object) -> int:
        played.append(line.worth)
        assert len(played) < 1000, "it goes on and on"
        return line.worth

    monkeypatch.setattr(Thinker, "_playout", playout)
    rules = ruleset("quickstart")
    world: Any = SimpleNamespace(tactics=rules.tactics())
    found = Thinker(rules, LEVELS[6].skill, WIDE)._compared(world, [Line((), worth) for worth in worths], None)
    assert found[0].line.worth == max(worths)
    assert {one.line.worth for one in found} == {*worths}


def test_where_nothing_comes_out_better_it_does_what_the_lieutenant_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "surely_better", lambda one, other: False)
    rules = ruleset("quickstart")
    thinker, policy = Thinker(rules, LEVELS[6].skill, WIDE), Policy(rules, rules.tactics(), LEVELS[5].skill)
    for n, battle in enumerate(asked("quickstart", 4, 8, ("activate", "declare"), "crowded")):
        view, question = _views(battle)
        (best, *_) = thinker.think(view, question, "s", None)
        assert best.line.steps[0].draft == policy.answer(view, question), battle.table.turn
        if n == 11:
            return


@pytest.mark.parametrize(("name", "size", "most"), [("quickstart", 2, 60), ("stargrunt", 1, 24)])
def test_taken_up_in_another_process_it_goes_on_as_it_meant_to(
    name: str, size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = msgspec.structs.replace(LEVELS[6], effort=LITTLE)
    monkeypatch.setitem(LEVELS, 6, level)
    rules = ruleset(name)
    battle = Battle(rules, rules.setup("", size), seed=8, digest_every=0)
    kept: dict[str, bytes] = {}
    followed = 0
    for n in range(most):
        if battle.ended:
            break
        view, question = _views(battle)
        bots = [LevelBot(rules, "x", 6) for _ in range(2)]
        answers = []
        for bot in bots:
            bot.take_up(f"x/{n}", msgspec.json.decode(kept.get(question.side, b"null")))
            answers.append(msgspec.json.encode((bot.answer(view, question), bot.reason(), bot.keeps())))
        assert answers[0] == answers[1]
        followed += "as it meant to" in bots[0].reason()
        kept[question.side] = msgspec.json.encode(bots[0].keeps())
        draft = msgspec.json.decode(answers[0])[0]
        assert battle.answer(draft, question.side) is None
    assert followed


def test_a_side_that_has_more_left_stands_better() -> None:
    for name in ("quickstart", "stargrunt"):
        tactics = ruleset(name).tactics()
        assert tactics is not None
        battle = next(asked(name, 2, 3, ("activate",)))
        table = battle.table.copy()
        lost = next(one for one in table.of_kind("model") if one.side == "blue")
        even = position_worth(tactics, table, RED)
        assert even == -position_worth(tactics, table, BLUE)
        table.things[lost.id] = msgspec.structs.replace(lost, gone="destroyed")
        assert position_worth(tactics, table, RED) > even
