"""A learning environment: any ruleset through PettingZoo's AEC interface. Needs the extra `sandtable[gym]`.

    from sandtable.lab.environment import env
    learning = env(NAME, size=2)

An agent is a side. Whenever a side is asked something it gets a list of lawful answers (`lab.choices`) and chooses one
by its number; `infos[agent]["action_mask"]` says which numbers stand for an answer now, `infos[agent]["choices"]` what
each is in words. What it observes comes from its own view alone, so that nobody learns from what he may not know. The
reward is 1 for a battle won and -1 for one lost, at the end; a battle of more answers than `most` is cut off. The same
seed and the same actions are the same battle, and `Environment.battle` can be watched again like any other.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, PlaceThings
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Leg, Point, Spot, Walk
from sandtable.engine.table import Thing
from sandtable.field.walking.paths import Pose, resolve
from sandtable.lab.battles import BattleStuck
from sandtable.lab.choices import Chosen, lawful_choices
from sandtable.lab.rulebooks import rulebook
from sandtable.tabletop.opponent import Skill

try:
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError("the learning environment needs PettingZoo: pip install 'sandtable[gym]'") from missing

__all__ = ["Environment", "env"]

#: How many answers are offered at most, how many things are seen, and how many answers a battle may take.
CHOICES = 16
THINGS = 48
MOST_ANSWERS = 5000
#: What is told of the question, of every thing and of every choice.
OF_QUESTION = ("own score", "turn", *(f"asked: {kind.__struct_config__.tag}" for kind in AnyQuestion.__args__))
OF_THING = ("whose", "east", "south", "facing east", "facing south", "harm", "states", "asked about")
OF_CHOICE = ("offered", "declines", "worth", "east", "south")
#: What counts as much of something, so that every number lies between -1 and 1.
_MANY_TURNS, _MANY_STATES, _MUCH = 30, 8, 20_000


class Environment(AECEnv):
    """A battle between learners. One environment plays many battles, one after the other."""

    metadata = {"render_modes": ["ansi"], "name": "sandtable_v0", "is_parallelizable": False}

    def __init__(
        self,
        ruleset: str,
        scenario: str = "",
        size: int = 0,
        *,
        choices: int = CHOICES,
        things: int = THINGS,
        most: int = MOST_ANSWERS,
        skill: Skill | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.ruleset = rulebook(ruleset).ruleset()
        self.setup = self.ruleset.setup(scenario, size)
        self.tactics = self.ruleset.tactics()
        self.skill = skill or Skill(poses=4)
        self.most = most
        self.render_mode = render_mode
        self.possible_agents = list(self.setup.sides)
        self.agents: list[Side] = []
        self._choices, self._things = choices, things
        shape = (len(OF_QUESTION) + things * len(OF_THING) + choices * len(OF_CHOICE),)
        self.observation_spaces = {side: Box(-1.0, 1.0, shape, np.float32) for side in self.possible_agents}
        self.action_spaces = {side: Discrete(choices) for side in self.possible_agents}
        self._battles = 0
        self._question: AnyQuestion | None = None

    # What a learner asks -------------------------------------------------------------------------------------------

    def observation_space(self, agent: Side) -> Any:
        """What a side may observe: numbers from -1 to 1."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Side) -> Any:
        """What a side may do: choose one of so many answers, of which the mask says which there are."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a battle, of a seed or of the next one."""
        self._battles = self._battles + 1 if seed is None else seed
        self.battle = Battle(self.ruleset, self.setup, seed=self._battles, watched=False)
        self.answers = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._meant: dict[str, object] = dict.fromkeys(self.agents)
        self._ask()

    def step(self, action: int | None) -> None:
        """Give the answer of that number for the side that is asked."""
        side = self.agent_selection
        if self.terminations[side] or self.truncations[side]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self._offered):
            raise ValueError(f"{action} is none of the {len(self._offered)} answers that are offered; see the mask")
        chosen = self._offered[int(action)]
        refusal = self.battle.answer(chosen.draft, side)
        if refusal is not None:
            raise BattleStuck(f"{self.ruleset.name}, seed {self._battles}: {chosen.draft!r}: {refusal.sentence}")
        self._meant[side] = chosen.intention
        self.answers += 1
        self._cumulative_rewards[side] = 0.0
        self._clear_rewards()
        ending = self.battle.table.ending
        if ending is not None:
            won = {one: float((one == ending.winner) - (one != ending.winner)) for one in self.agents}
            self.rewards = won if ending.winner else dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.answers >= self.most:
            self.truncations = dict.fromkeys(self.agents, True)
        self._ask()
        self._accumulate_rewards()

    def observe(self, agent: Side) -> Any:
        """What a side knows, in numbers: the question, the things of its own view, the answers it may give."""
        told = np.zeros(self.observation_spaces[agent].shape, np.float32)
        numbers = list(self._numbers(agent))
        told[: len(numbers)] = np.clip(numbers, -1.0, 1.0)
        return told

    def render(self) -> str | None:
        """The battle in a line, as the side that is asked knows it: who is where."""
        if self.render_mode is None:
            return None
        table = self.battle.view(self.agent_selection).table
        where = [f"{one.label or one.id} ({one.place.point.x}, {one.place.point.y})" for one in _placed(table.models())]
        return f"turn {table.turn}, {table.phase or 'before the first phase'}: " + "; ".join(where)

    def close(self) -> None:
        """Nothing is left open."""

    # How it is worked out ------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Turn to the next question: whom it asks, and what may be answered."""
        self._offered: list[Chosen] = []
        self.infos: dict[str, dict[str, Any]] = {side: self._info([]) for side in self.agents}
        over = self.battle.ended or self.answers >= self.most
        open_ones = () if over else map(self.battle.question_for, self.setup.sides)
        question = self._question = next((one for one in open_ones if one is not None), None)
        if question is None:
            if not over:
                raise BattleStuck(f"{self.ruleset.name}, seed {self._battles}: nobody is asked anything")
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = side = question.side
        self._offered = lawful_choices(
            self.ruleset,
            self.tactics,
            self.battle.view(side),
            question,
            most=self._choices,
            seed=f"{self._battles}/{self.answers}",
            intention=self._meant[side],
            skill=self.skill,
        )
        self.infos[side] = self._info(self._offered)

    def _info(self, offered: list[Chosen]) -> dict[str, Any]:
        mask = np.zeros(self._choices, np.int8)
        mask[: len(offered)] = 1
        return {"action_mask": mask, "choices": [one.label for one in offered]}

    def _numbers(self, agent: Side) -> Iterator[float]:
        view = self.battle.view(agent)
        question = self._question if self._question is not None and self._question.side == agent else None
        table = view.table
        yield float(table.scores.get(agent, 0)) / _MUCH
        yield table.turn / _MANY_TURNS
        yield from (float(isinstance(question, kind)) for kind in AnyQuestion.__args__)
        about = () if question is None else question.about
        seen = sorted(_placed(table.standing()), key=lambda one: one.side != agent)[: self._things]
        for thing in seen:
            yield from self._thing(view, thing, thing.id in about)
        yield from (0.0 for _ in range((self._things - len(seen)) * len(OF_THING)))
        for one in self._offered if question is not None else ():
            assert question is not None
            at = pointed_at(view, question, one.draft)
            yield from (1.0, float(one.draft is None), one.worth / _MUCH)
            yield from (0.0, 0.0) if at is None else self._scaled(at)

    def _thing(self, view: View, thing: Thing, asked_about: bool) -> Iterator[float]:
        assert isinstance(thing.place, At)
        east, south = np.cos(np.radians(thing.facing)), np.sin(np.radians(thing.facing))
        yield (1.0 if thing.side == view.side else -1.0) if thing.side else 0.0
        yield from self._scaled(thing.place.point)
        yield from (float(east), float(south), thing.harm / thing.track if thing.track else float(thing.harm))
        yield from (len(thing.states) / _MANY_STATES, float(asked_about))

    def _scaled(self, at: Point) -> tuple[float, float]:
        ground = self.battle.table.ground
        return 2 * at.x / max(1, ground.width) - 1, 2 * at.y / max(1, ground.height) - 1


def env(ruleset: str, scenario: str = "", size: int = 0, **more: Any) -> Environment:
    """A learning environment of a ruleset, as PettingZoo's own modules make theirs."""
    return Environment(ruleset, scenario, size, **more)


def pointed_at(view: View, question: AnyQuestion, draft: Any) -> Point | None:
    """Where an answer points: where something is put or goes, or where the thing stands that it names."""
    things = view.table.things
    named: list[str] = []
    if isinstance(question, PlaceThings | MoveModels) and isinstance(draft, dict):
        for name, said in draft.items():
            if isinstance(said, Spot):
                return said.where.point if isinstance(said.where, At) else None
            place = things[name].place if name in things else None
            if isinstance(said, Walk) and isinstance(place, At):
                start = things[name].facing if any(isinstance(leg, Leg) for leg in said.legs) else 0
                return resolve(Pose(place.point, start), said).end.point
    elif isinstance(question, ChooseOne):
        named = [one for option in question.options if option.id == draft for one in (*option.about, option.id)]
    elif isinstance(draft, dict):
        named = [said for said in draft.values() if isinstance(said, str)]
    for name in named:
        place = things[name].place if name in things else None
        if isinstance(place, At):
            return place.point
    return None


def _placed(things: Any) -> Iterator[Any]:
    return (one for one in things if isinstance(one.place, At))
