"""Thinking ahead: whole activations are played forward on imagined states, the same dice for each, and compared.

An opponent imagines how the battle may stand (`Tactics.imagined`: what it knows, the rest drawn), lets a side do one
thing or another, plays on with the quick policy for everybody up to a horizon, and judges the position it comes to.
Each way of acting meets the same draws and the same dice, so that luck cancels; the less promising half is dropped
after each round. How many playouts there are is stated and no clock is looked at: a level plays alike on every machine.
"""

from itertools import chain, islice
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.bots.policy import Policy, Weighed
from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, fingerprint
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Skill, Tactics, position_worth

#: What a battle that is won is worth beside any position, and what all values are out of.
WON = 1000
#: What the policy holds in its head in playouts: little, for it answers for everybody, thousands of times.
LEAN = Skill(poses=3, plans=False)
#: So many playouts each way of acting is to have at least, over all rounds: where there are fewer, fewer are compared.
FOR_EACH, FEWEST = 6, 3
#: A playout that is asked more goes round in circles, and counts as it stands.
MOST_ANSWERS = 400


class Effort(msgspec.Struct, frozen=True):
    """How much an opponent thinks about one choice: numbers, never seconds."""

    firsts: int = 4  # how many answers to the question itself are looked into
    lines: int = 8  # how many ways of acting, in all
    playouts: int = 48  # how often the battle is played forward, in all
    ahead: int = 1  # how many turns after this one are played to their end
    activations: int = 10  # and how many activations at most


class Step(NamedTuple):
    """One answer of a line: to which question, and what is meant by it."""

    asked: str
    draft: Any
    intention: object
    label: str
    foretold: int = 0  # what it may be expected to do, by the dice that follow


class Line(NamedTuple):
    """A way of acting: the answers to the next questions of a side, one after another."""

    steps: tuple[Step, ...]
    worth: int  # as the policy sees it


class Judged(NamedTuple):
    """A line, and what it came to over the dice: thousandths of a certain victory."""

    line: Line
    mean: int
    playouts: int


class Thinker:
    """Looks ahead for one side of one battle."""

    def __init__(self, ruleset: Book, skill: Skill, effort: Effort) -> None:
        self.ruleset, self.skill, self.effort = ruleset, skill, effort

    def think(self, view: View, question: AnyQuestion, seed: str, intention: object) -> list[Judged]:
        """The ways of acting from a question on, the best first; none where it cannot be imagined how it goes on."""
        tactics = self.ruleset.tactics()
        if tactics is None:
            return []
        world = _Worlds(self.ruleset, tactics, view, question, seed)
        if not imagines(self.ruleset, tactics, view, question, seed):
            return []
        lines = self._lines(world, intention)
        if len(lines) < 2:
            return [Judged(line, 0, 0) for line in lines]
        return self._compared(world, lines, intention)

    def _lines(self, world: "_Worlds", intention: object) -> list[Line]:
        """What might be done: the best answers to the question, and to what the side is asked next about the same."""
        battle, most = world.battle(0), self._most_lines(world)
        firsts = self._thought_of(world, battle, world.question, intention, min(most, self.effort.firsts))
        each = max(1, most // max(1, len(firsts)))
        lines: list[Line] = []
        for worth, choice, draft in firsts:
            foretold = world.tactics.foretold(world.question, choice)
            step = Step(fingerprint(world.question), draft, choice.intention, choice.label, foretold)
            twin = world.battle(0)
            if twin.answer(draft, world.side) is not None:
                continue
            following = twin.question_for(world.side)
            goes_on = following is not None and twin.dice.draws == battle.dice.draws and world.acts(twin)
            seconds: list[Weighed] = []
            if following is not None and goes_on:
                seconds = self._thought_of(world, twin, following, choice.intention, each)
            if following is None or not seconds:
                lines.append(Line((step,), worth))
                continue
            for more in seconds:
                foretold = world.tactics.foretold(following, more.choice)
                asked = fingerprint(following)
                then = Step(asked, more.draft, more.choice.intention, more.choice.label, foretold)
                lines.append(Line((step, then), worth + more.worth))
        own, others = lines[:1], lines[1:]  # what the policy would do comes first
        others.sort(key=lambda line: -line.worth)
        return [*own, *others][:most]

    def _most_lines(self, world: "_Worlds") -> int:
        """How many ways of acting are compared: no more than the playouts suffice for."""
        return min(self.effort.lines, max(FEWEST, self._playouts(world) // FOR_EACH))

    def _playouts(self, world: "_Worlds") -> int:
        """How often the battle is played forward, in all, by these rules."""
        return self.effort.playouts * world.tactics.playouts // 100

    def _thought_of(
        self, world: "_Worlds", battle: Battle, question: AnyQuestion, intention: object, most: int
    ) -> list[Weighed]:
        """The first few answers, each once: the policy's own, then what a restless mind thinks of besides."""
        view, kept = battle.view(world.side), list[Weighed]()
        own = self._policy(world, intention, self.skill)
        restless = self._policy(world, intention, replace(self.skill, restless=True))
        for one in chain(islice(own.taught(view, question), 1), restless.taught(view, question)):
            if len(kept) >= most:
                break
            if all(one.draft != other.draft for other in kept):
                kept.append(one)
        return kept or list(islice(own.weighed(view, question), 1))

    def _compared(self, world: "_Worlds", lines: list[Line], intention: object) -> list[Judged]:
        """Play the lines forward in rounds; the worse half drops out after each, but never the policy's own line.

        Another line is taken only where it comes out better than luck explains: a thinker is not fooled by its dice.
        """
        results: list[list[int]] = [[] for _ in lines]
        left = list(range(len(lines)))
        rounds = max(1, (len(lines) - 1).bit_length())
        while True:
            each = max(2, self._playouts(world) // (rounds * len(left)))
            for _ in range(each):
                for one in left:
                    results[one].append(self._playout(world, lines[one], len(results[one]), intention))
            left.sort(key=lambda one: (-_mean(results[one]), one))
            if len(left) <= 2:
                break
            rivals = [one for one in left if one != 0]
            left = [0, *rivals[: (len(left) - 1) // 2]]
        best = left[0] if surely_better(results[left[0]], results[0]) else 0
        rest = sorted((one for one in range(len(lines)) if one != best), key=lambda one: -_mean(results[one]))
        return [Judged(lines[one], _mean(results[one]), len(results[one])) for one in (best, *rest)]

    def _playout(self, world: "_Worlds", line: Line, number: int, intention: object) -> int:
        """What a line comes to with one fall of the dice, in thousandths of a certain victory."""
        battle, policy = world.battle(number), self._policy(world, intention)
        luck = position_worth(world.tactics, battle.table, world.side, without=world.certain)
        for step in line.steps:
            question = battle.question_for(world.side)
            if question is None or fingerprint(question) != step.asked or battle.answer(step.draft, world.side):
                break
            policy.intentions[world.side] = step.intention
            luck += step.foretold
        luck += play_forward(battle, policy, self.effort, world.side)
        return standing(world.tactics, battle, world.side, luck)

    def _policy(self, world: "_Worlds", intention: object, skill: Skill | None = None) -> Policy:
        policy = Policy(self.ruleset, world.tactics, skill or LEAN, "playout")
        policy.intentions[world.side] = intention
        return policy


class _Worlds:
    """The states that a side may be in, by number: the same number is the same draw of what it does not know."""

    def __init__(self, ruleset: Ruleset, tactics: Tactics, view: View, question: AnyQuestion, seed: str) -> None:
        self.ruleset, self.tactics, self.view, self.question, self.seed = ruleset, tactics, view, question, seed
        self.side = question.side
        self.certain = frozenset(tactics.weights.features) - tactics.luck

    def battle(self, number: int) -> Battle:
        """A battle on one of the states, up to the question."""
        state = self.tactics.imagined(self.view, self.question, SeededDice(f"{self.seed}/{number}/hidden"))
        assert state is not None
        return Battle.on(self.ruleset, state, SeededDice(f"{self.seed}/{number}"))

    def acts(self, battle: Battle) -> bool:
        """Whether the side that was asked still acts."""
        return bool(battle.table.acting) and battle.table.acting[0] == self.side


def imagines(ruleset: Ruleset, tactics: Tactics, view: View, question: AnyQuestion, seed: str) -> bool:
    """Whether a question is asked in what is imagined just as it was asked: else nothing there is worth a look."""
    state = tactics.imagined(view, question, SeededDice(f"{seed}/0/hidden"))
    if state is None:
        return False
    asked = Battle.on(ruleset, state, SeededDice(f"{seed}/0")).question_for(question.side)
    return asked is not None and fingerprint(asked) == fingerprint(question)


def play_forward(battle: Battle, policy: Policy, effort: Effort, side: Side) -> int:
    """Let the policy answer for everybody, up to the horizon; gives what is foretold for a side, less the others'."""
    tactics, foretold = policy.tactics, 0
    turn, acting, activations = battle.table.turn + effort.ahead, battle.table.acting, 0
    for _ in range(MOST_ANSWERS):
        if battle.ended or not battle.questions or battle.table.turn > turn:
            break
        if battle.table.acting != acting:
            acting, activations = battle.table.acting, activations + 1
            if activations > effort.activations:
                break
        for question in battle.questions:
            if battle.question_for(question.side) is question:
                draft, choice = policy.choose(battle.view(question.side), question)
                if tactics is not None and choice is not None:
                    harm = tactics.foretold(question, choice)
                    foretold += harm if question.side == side else -harm
                refusal = battle.answer(draft, question.side)
                assert refusal is None, refusal
                break
    return foretold


def standing(tactics: Tactics, battle: Battle, side: Side, luck: int) -> int:
    """What a battle has come to for a side, from −1000 for lost to 1000 for won.

    `luck` is what it has of the features that dice change, as it was foretold on the way: with what the dice really
    brought, good luck would pass for good play, and it would take many times as many playouts to tell. A lead counts as
    in chess programs: the first points of it most, so that who is far ahead takes no risks.
    """
    ending = battle.table.ending
    if ending is not None:
        return 0 if not ending.winner else WON if ending.winner == side else -WON
    lead = position_worth(tactics, battle.table, side, tactics.luck) + (luck if tactics.luck else 0)
    scale = tactics.weights.scale
    return WON * lead // (scale + abs(lead))


def surely_better(one: list[int], other: list[int]) -> bool:
    """Whether results beat others with the same dice by more than their spread explains (two standard errors).

    >>> surely_better([30, 40, 35], [10, 25, 10]), surely_better([90, -80, 10], [0, 0, 0])
    (True, False)
    """
    gains = [a - b for a, b in zip(one, other, strict=False)]
    count, total = len(gains), sum(gains)
    spread = count * sum(gain * gain for gain in gains) - total * total
    return total > 0 and total * total * (count - 1) >= 4 * spread


def _mean(results: list[int]) -> int:
    return sum(results) // len(results)
