"""Exact odds: walk every outcome of a procedure with its probability, by the very code that plays.

Dice branch on results, not faces. Generators cannot be forked, so a branch is walked by playing a step again from its
boundary with the results before it given; states that are equal at a boundary are merged, with their chances added.
Questions on the way are answered by standing order, else by default, and each such answer is said. Past a budget of
leaves the rest is sampled and comes with an interval that says so.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import isqrt
from typing import Any

import msgspec

from sandtable.engine.answers.orders import order_for
from sandtable.engine.battle import Battle, proper_answer
from sandtable.engine.dice import BranchingDice, Dice, SeededDice, TooManyWays, Ways
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.state import Due, State
from sandtable.engine.table import Table

_encode = msgspec.json.Encoder(order="deterministic").encode

#: How an open question is answered inside the odds; gives the answer.
Answerer = Callable[[View, AnyQuestion], Any]


#: What is sampled may take so many steps; no attack comes near it, a battle in which nobody acts goes on for ever.
MOST_STEPS = 2_000


class CannotAnswer(Exception):
    """A question has neither default nor standing order, or there is no end of it: odds cannot be had by themselves."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """One thing that can come of it, and how likely: exactly, or within a sampled interval."""

    what: Hashable
    chance: Fraction
    low: Fraction
    high: Fraction


class Distribution(msgspec.Struct, frozen=True, gc=False):
    """Everything that can come of it. `assumed` lists the answers that were taken for granted."""

    outcomes: tuple[Outcome, ...]
    exact: bool
    leaves: int
    assumed: tuple[str, ...] = ()

    def chance(self, holds: Callable[[Any], bool]) -> Fraction:
        """The chance that something holds.

        >>> coin = Distribution((Outcome("heads", Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)),), True, 2)
        >>> coin.chance(lambda what: what == "heads")
        Fraction(1, 2)
        """
        return sum((o.chance for o in self.outcomes if holds(o.what)), Fraction(0))

    def interval(self, holds: Callable[[Any], bool]) -> tuple[Fraction, Fraction]:
        """The chance that something holds, as far as it is known: what was never sampled may still happen.

        >>> rare = Distribution((Outcome("miss", Fraction(1), Fraction(9, 10), Fraction(1)),), False, 100)
        >>> low, high = rare.interval(lambda what: what == "hit")
        >>> low == 0, Fraction(3, 100) < high < Fraction(4, 100)
        (True, True)
        """
        chance = self.chance(holds)
        if self.exact:
            return chance, chance
        return wilson(int(chance * self.leaves), self.leaves)


def distribution(
    ruleset: Ruleset,
    state: State,
    *,
    read: Callable[[State], Hashable],
    until: Callable[[State], bool] | None = None,
    matters: Callable[[State], Any] | None = None,
    answers: Answerer | None = None,
    budget: int = 200_000,
    samples: int = 2_000,
) -> Distribution:
    """What can come of a state at a boundary, played on until `until` holds at a boundary (or the agenda is shorter).

    `read` says what of an end state is asked about. Without `until`, the top step and all it puts in front are played.

    States that are equal are one. With `matters` those are that have the same agenda and the same `matters`: plain
    data, all of the table and of what is due that can still decide what is read. What it leaves out must not decide it.
    """
    (found,) = distributions(
        ruleset,
        [state],
        read=read,
        until=until,
        matters=matters,
        answers=answers,
        budget=budget,
        samples=samples,
    )
    return found


def distributions(
    ruleset: Ruleset,
    states: Sequence[State],
    *,
    read: Callable[[State], Hashable],
    until: Callable[[State], bool] | None = None,
    matters: Callable[[State], Any] | None = None,
    answers: Answerer | None = None,
    budget: int = 200_000,
    samples: int = 2_000,
) -> list[Distribution]:
    """The same for each of several states with agendas of one length: what they have in common is walked once.

    The budget, and what is told of leaves and of answers taken for granted, is that of all of them together.
    """
    depth = len(states[0].agenda) if states else 0
    stop = until or (lambda later: len(later.agenda) < depth)
    walk = _Walk(ruleset, answers, matters, budget)
    try:
        ends = walk.all_ends(states, stop, read)
    except TooManyWays:
        return [_sampled(ruleset, state, stop, read, answers, samples) for state in states]
    assumed = tuple(walk.assumed)
    return [
        Distribution(tuple(Outcome(what, *3 * (chance,)) for what, chance in end.items()), True, walk.leaves, assumed)
        for end in ends
    ]


def chances_of(play: Callable[[Dice], Hashable]) -> dict[Hashable, Fraction]:
    """How likely each thing is that a function of the dice can come to: it is played once for every way they can fall.

    >>> chances_of(lambda dice: dice.total("d6").natural > 4)
    {False: Fraction(2, 3), True: Fraction(1, 3)}
    """
    found: dict[Hashable, Fraction] = {}
    known: dict[tuple[int, ...], Ways] = {}
    paths: list[list[int]] = [[]]
    while paths:
        dice = BranchingDice(paths.pop(), known)
        what = play(dice)
        found[what] = found.get(what, Fraction(0)) + dice.chance
        paths.extend([*path, branch] for path, branches in dice.open for branch in range(branches - 1, 0, -1))
    return found


#: From which of the starting states a state is reached, and how likely.
_Chances = dict[int, Fraction]


class _Walk:
    def __init__(
        self,
        ruleset: Ruleset,
        answers: Answerer | None,
        matters: Callable[[State], Any] | None,
        budget: int,
    ) -> None:
        self.ruleset, self.answers, self.matters, self.budget = ruleset, answers, matters, budget
        self.leaves = 0
        self.waiting: dict[bytes, tuple[State, _Chances]] = {}  # the states still to be walked, by name
        self.order: list[tuple[int, int, int, bytes]] = []  # a heap of their names
        self.reached = 0
        self.assumed: dict[str, None] = {}
        self.known: dict[int, tuple[object, bytes]] = {}

    def all_ends(
        self, starts: Sequence[State], stop: Callable[[State], bool], read: Callable[[State], Hashable]
    ) -> list[dict[Hashable, Fraction]]:
        """What is read of every state at which it stops, with its chance, for each start."""
        ends: list[dict[Hashable, Fraction]] = [{} for _ in starts]
        for n, start in enumerate(starts):
            self.reach(self.name(start), start)[n] = Fraction(1)
        while self.order:
            state, chances = self.waiting.pop(heappop(self.order)[-1])
            read_here: dict[Hashable, Fraction] = {}
            reached_here: dict[bytes, tuple[State, Fraction]] = {}
            for later, share in self.one_step(state):
                if later.table.ending is not None or not later.agenda or stop(later):
                    what = read(later)
                    read_here[what] = read_here.get(what, 0) + share
                else:
                    name = self.name(later)
                    known = reached_here.get(name)
                    reached_here[name] = (later, share) if known is None else (known[0], known[1] + share)
            for n, chance in chances.items():
                for what, share in read_here.items():
                    ends[n][what] = ends[n].get(what, 0) + chance * share
            for name, (later, share) in reached_here.items():
                reached = self.reach(name, later)
                for n, chance in chances.items():
                    reached[n] = reached.get(n, 0) + chance * share
        return ends

    def reach(self, name: bytes, state: State) -> _Chances:
        """A state that is to be walked, unless one like it waits already: its chances so far.

        The longest agenda comes first, then who has most due: next to all that leads to a state has been walked before
        the state is, so that it is walked once.
        """
        known = self.waiting.get(name)
        if known is not None:
            return known[1]
        chances: _Chances = {}
        self.waiting[name] = (state, chances)
        self.reached += 1
        heappush(self.order, (-len(state.agenda), -len(state.due), self.reached, name))
        return chances

    def one_step(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """Every state one step can lead to, by playing it once for each path of results."""
        paths: list[Iterator[list[int]]] = [iter([[]])]
        known_ways: dict[tuple[int, ...], Ways] = {}
        left = 1
        while paths:
            path = next(paths[-1], None)
            if path is None:
                paths.pop()
                continue
            dice = BranchingDice(path, known_ways, self.budget)
            later = play_step(self.ruleset, state, dice, self.answers, self.assumed)
            self.leaves += 1
            left -= 1
            for before, ways in dice.open:
                paths.append(_other_ways(before, ways))
                left += ways - 1
            # What is left comes to one leaf each at least: what cannot end within the budget is given up at once.
            if self.leaves + left + len(self.waiting) > self.budget:
                raise TooManyWays
            yield later, dice.chance

    def name(self, state: State) -> bytes:
        """What tells states apart for the odds: not how many dice fell, steps were taken or events told on the way."""
        parts = [*map(self.encoded, state.agenda), _encode(state.under_way)]
        if self.matters is not None:
            parts.append(_encode(self.matters(state)))
        else:
            parts += self.due_parts(state.due)
            parts += self.table_parts(state.table)
        return hashlib.blake2b(b"\n".join(parts), digest_size=16).digest()

    def due_parts(self, due: Sequence[Due]) -> list[bytes]:
        """What tells apart what is due: not what caused it, and its order where that decides something."""
        parts = [self.encoded(one, one.target, one.moment, one.harm, one.rule, one.once) for one in due]
        return sorted(parts) if self.ruleset.due_in_any_order else parts

    def table_parts(self, table: Table) -> list[bytes]:
        """What tells tables apart: most of them share most of what is on them."""
        rest = (table.decks, table.secrets, table.scores, table.turn, table.phase, table.acting)
        return [*map(self.encoded, table.things.values()), self.encoded(table.ground), _encode(rest)]

    def encoded(self, value: object, *instead: object) -> bytes:
        """A value that does not change, encoded once (or what is named instead of it)."""
        known = self.known.get(id(value))
        if known is None:
            known = self.known[id(value)] = (value, _encode(instead or value))
        return known[1]


def _other_ways(before: list[int], ways: int) -> Iterator[list[int]]:
    return ([*before, way] for way in range(1, ways))


def play_step(
    ruleset: Ruleset,
    state: State,
    dice: Any,
    answers: Answerer | None = None,
    assumed: dict[str, None] | None = None,
) -> State:
    """The state after the top step of an agenda, played without being watched. The given state is not changed."""
    battle = Battle.unwatched(ruleset, state, dice)
    procedure = battle._next_step()
    value: Any = None
    while True:
        try:
            asked = battle._ask(procedure, value)
        except StopIteration:
            break
        if battle.ended:
            procedure.close()
            break
        battle._open(asked)
        for at, question in enumerate(battle.questions):
            battle._receive(at, _answer(battle, question, answers, assumed))
        value = battle._collected()
    return battle.state


def _answer(battle: Battle, question: AnyQuestion, answers: Answerer | None, assumed: dict[str, None] | None) -> Any:
    view = battle.view(question.side)
    order = order_for(battle.ruleset, view, battle.state.orders, question)
    if order is not None:
        draft, how = order.answer, "standing order"
    elif answers is not None:
        draft, how = answers(view, question), "given"
    else:
        draft, how = None, "default"
    value = proper_answer(battle.ruleset, view, question, draft)
    if isinstance(value, Refusal):
        raise CannotAnswer(f"{question.side}: {question.prompt} ({value.sentence})")
    if assumed is not None:
        assumed[f"{question.side}: {question.prompt} — {how}: {draft!r}"] = None
    return value


def _sampled(
    ruleset: Ruleset,
    state: State,
    stop: Callable[[State], bool],
    read: Callable[[State], Hashable],
    answers: Answerer | None,
    samples: int,
) -> Distribution:
    """Play it many times with dice of a fixed seed; each chance comes with a 95 % Wilson interval."""
    counted: dict[Hashable, int] = {}
    assumed: dict[str, None] = {}
    dice = SeededDice("odds")
    for _ in range(samples):
        later = state
        for _ in range(MOST_STEPS):
            later = play_step(ruleset, later, dice, answers, assumed)
            if later.table.ending is not None or not later.agenda or stop(later):
                break
        else:
            raise CannotAnswer(f"it is not over after {MOST_STEPS} steps; ask for the odds of a part of it")
        what = read(later)
        counted[what] = counted.get(what, 0) + 1
    outcomes = []
    for what, hits in counted.items():
        low, high = wilson(hits, samples)
        outcomes.append(Outcome(what, Fraction(hits, samples), low, high))
    return Distribution(tuple(outcomes), False, samples, tuple(assumed))


def wilson(hits: int, of: int) -> tuple[Fraction, Fraction]:
    """The 95 % interval of a share that was sampled, a little on the wide side.

    >>> low, high = wilson(50, 100)
    >>> 0.40 < low < 0.41, 0.59 < high < 0.61
    (True, True)
    """
    z2 = Fraction(38416, 10000)  # 1.96 squared
    centre = (hits + z2 / 2) / (of + z2)
    inner = Fraction(hits * (of - hits), of) + z2 / 4
    scale = 10**6
    root = Fraction(isqrt((z2 * inner * scale * scale).__ceil__()) + 1, scale)
    spread = root / (of + z2)
    return max(Fraction(0), centre - spread), min(Fraction(1), centre + spread)
