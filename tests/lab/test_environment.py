"""The learning environment keeps PettingZoo's promises, for every ruleset, and shows a side what it may know."""

from typing import Any

import pytest

from sandtable.engine.ids import RED
from sandtable.engine.questions import Refusal
from sandtable.engine.records.replay import watched_again
from sandtable.lab.rulebooks import rulebooks
from tests.conftest import EVERYTHING

try:
    import numpy as np
    from pettingzoo.test import api_test, seed_test

    from sandtable.lab.environment import Environment, env, pointed_at
except ImportError as missing:
    if EVERYTHING:
        raise
    pytest.skip(f"{missing}", allow_module_level=True)

#: PettingZoo would have agents numbered; ours are the sides of the battle.
pytestmark = pytest.mark.filterwarnings("ignore:We recommend agents to be named:UserWarning")

#: A small battle of the rulesets that have one.
SMALL = {"quickstart": "duel", "stargrunt": "duel"}


def _small(name: str, **more: Any) -> Environment:
    return env(name, SMALL.get(name, ""), **more)


@pytest.mark.parametrize("name", [book.name for book in rulebooks()])
class TestEveryRuleset:
    def test_pettingzoo_finds_nothing_wrong(self, name: str) -> None:
        api_test(_small(name, choices=6), num_cycles=30)

    def test_a_seed_is_one_battle(self, name: str) -> None:
        seed_test(lambda: _small(name, choices=6), num_cycles=20)


@pytest.mark.parametrize("name", SMALL)
def test_a_battle_ends_with_a_winner_and_can_be_watched(name: str) -> None:
    learning = _small(name, choices=5)
    _play(learning, 3)
    ending = learning.battle.table.ending
    assert ending is not None
    assert sum(learning.rewards.values()) == 0
    if ending.winner:
        assert learning.rewards[ending.winner] == 1.0
    assert watched_again(learning.battle).digest() == learning.battle.digest()


def _play(learning: Environment, seed: int, most: int = 4000) -> list[str]:
    """Play by the first answer or the last, in turns, until the battle is over; gives what was chosen."""
    learning.reset(seed=seed)
    said = []
    for n in range(most):
        side = learning.agent_selection
        if learning.terminations[side] or learning.truncations[side]:
            break
        offered = int(learning.infos[side]["action_mask"].sum())
        action = 0 if n % 3 else offered - 1
        said.append(learning.infos[side]["choices"][action])
        learning.step(action)
    return said


def test_an_action_that_is_not_offered_is_refused() -> None:
    learning = _small("quickstart")
    learning.reset(seed=1)
    offered = int(learning.infos[learning.agent_selection]["action_mask"].sum())
    for wrong in (offered, -1, None):
        with pytest.raises(ValueError, match="see the mask"):
            learning.step(wrong)


def test_a_battle_without_end_is_cut_off() -> None:
    learning = _small("quickstart", most=4)
    assert len(_play(learning, 1)) == 4
    assert all(learning.truncations.values())
    assert not any(learning.terminations.values())


def test_all_choices_are_different_and_lawful() -> None:
    learning = _small("stargrunt", choices=8)
    learning.reset(seed=2)
    for _ in range(40):
        drafts = [repr(one.draft) for one in learning._offered]
        assert len(set(drafts)) == len(drafts)
        lawful = [learning.battle.check(one.draft, learning.agent_selection) for one in learning._offered]
        assert not [one for one in lawful if isinstance(one, Refusal)]
        learning.step(0)
        if any(learning.terminations.values()):
            break


def test_what_only_the_other_side_knows_is_not_observed() -> None:
    """Blue's counters look alike to red, whatever lies under them: what it observes of them is the same."""
    learning = env("stargrunt", "watchers")
    learning.reset(seed=1)
    whole = learning.battle.table
    known = learning.battle.view(RED).table
    assert any(one.id not in known.things or one != known.things[one.id] for one in whole.things.values())
    seen = learning.observe(RED)
    secret = next(one for one in whole.things.values() if known.things.get(one.id) != one)
    learning.battle.table.things.pop(secret.id)
    assert np.array_equal(learning.observe(RED), seen)


def test_numbers_lie_in_their_space_and_tell_the_question() -> None:
    learning = _small("quickstart")
    learning.reset(seed=4)
    for _ in range(12):
        side = learning.agent_selection
        seen = learning.observe(side)
        assert learning.observation_space(side).contains(seen)
        other = next(one for one in learning.agents if one != side)
        assert not np.array_equal(seen, learning.observe(other))
        assert seen[2:10].sum() == 1
        assert learning.observe(other)[2:10].sum() == 0
        learning.step(0)


def test_a_choice_points_somewhere() -> None:
    learning = _small("quickstart")
    learning.reset(seed=4)
    pointed = 0
    for _ in range(20):
        side = learning.agent_selection
        question = learning.battle.question_for(side)
        assert question is not None
        points = [pointed_at(learning.battle.view(side), question, one.draft) for one in learning._offered]
        pointed += sum(point is not None for point in points)
        learning.step(0)
    assert pointed
