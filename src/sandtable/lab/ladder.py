"""A ladder: bots against each other in mirrored battles, what each scores, and one scale for all of them.

Every pair of battles that is played is a line of a file, so that a ladder can be stopped at any moment and gone on
with. What it comes to hangs on the battles alone, not on how many processes played them or in which order they came;
only the times are those of the machine.

The scale is Elo's: 400 points more are ten to one. Each meeting counts one drawn battle that nobody played, so that a
bot which never lost stands a finite way above the others, and the weakest by name stands at 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import exp, log, log2, sqrt
from os import SEEK_END
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import msgspec

from sandtable.bots.by_name import make_bot
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, View
from sandtable.lab.battles import Player, collect_seldom
from sandtable.lab.matches import MatchFailed, Pair, Score, play_pair, scored
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.workers import Died, in_children

#: Ten to one in points of Elo, and how many standard errors an interval reaches to either side.
ELO = 400 / log(10)
WIDE = 1.96
#: Times are kept by the eighth of a doubling, in microseconds: 9 % is near enough.
STEPS = 8
#: No pair of battles takes longer, in seconds.
PATIENCE = 6 * 3600.0


class Rung(msgspec.Struct, frozen=True):
    """A pair of battles that was played, as a line of the file: under which version of the rules, and how long it took.

    `times` says of each bot how many of its decisions took about so long: eighths of a doubling of a microsecond.
    """

    pair: Pair
    version: str
    results: list[tuple[float, int]]
    times: dict[str, dict[int, int]] = {}


class Timed:
    """A bot whose decisions are timed, by the processor."""

    def __init__(self, bot: Player, times: dict[int, int]) -> None:
        self._bot, self._times = bot, times

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """What the bot answers."""
        begun = process_time()
        draft = self._bot.answer(view, question)
        step = round(STEPS * log2(max(1.0, 1e6 * (process_time() - begun))))
        self._times[step] = self._times.get(step, 0) + 1
        return draft


def meetings(names: Sequence[str], *, everybody: bool = False) -> list[tuple[str, str]]:
    """Who meets whom: each the one before it, or everybody everybody; the stronger, as far as the list says, first.

    >>> meetings(["1", "2", "3"]), meetings(["1", "2", "3"], everybody=True)
    ([('2', '1'), ('3', '2')], [('2', '1'), ('3', '1'), ('3', '2')])
    """
    return [(other, one) for one, other in (combinations(names, 2) if everybody else pairwise(names))]


def pairs_of(
    ruleset: str,
    met: Sequence[tuple[str, str]],
    battles: int,
    *,
    seed: int = 0,
    size: int = 0,
    scenario: str = "",
    forces: Sequence[Side] = (NO_SIDE,),
) -> list[Pair]:
    """The tables of a ladder: of every meeting as many, so that each goes on as evenly as the others.

    `forces` are sides: by turns, all field the force of one of them. Empty: each its own.
    """
    return [
        Pair(ruleset, one, other, size, seed + n, scenario, forces[n % len(forces)])
        for n in range((battles + 1) // 2)
        for one, other in met
    ]


def play_rung(pair: Pair) -> Rung:
    """Play a pair of battles, both bots timed."""
    times: dict[str, dict[int, int]] = {pair.one: {}, pair.other: {}}

    def timed(name: str, ruleset: Ruleset, seed: int, side: Side) -> Player:
        return Timed(make_bot(name, ruleset, seed, side), times[name])

    results = play_pair(pair, timed)
    return Rung(pair, rulebook(pair.ruleset).ruleset().version, results, times)


def rungs_in(path: Path) -> dict[Pair, Rung]:
    """The pairs that a file has; a line that was broken off, or is of another version of the rules, is none."""
    found: dict[Pair, Rung] = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            rung = msgspec.json.decode(line, type=Rung, strict=False)
        except msgspec.DecodeError:
            continue
        if rung.version == rulebook(rung.pair.ruleset).ruleset().version:
            found[rung.pair] = rung
    return found


def climb(
    pairs: Sequence[Pair],
    path: Path | None = None,
    *,
    jobs: int = 2,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> dict[Pair, Rung]:
    """Play those of the pairs that a file does not have yet, and add each to it; gives all of them.

    `told` hears how many of how many are done.
    """
    have = {} if path is None else rungs_in(path)
    found = {pair: have[pair] for pair in pairs if pair in have}
    told(len(found), len(pairs))
    for rung in _played([pair for pair in pairs if pair not in found], jobs):
        found[rung.pair] = rung
        if path is not None:
            _add(path, rung)
        told(len(found), len(pairs))
    return {pair: found[pair] for pair in pairs}


def _played(pairs: Sequence[Pair], jobs: int) -> Iterator[Rung]:
    """The pairs as they are played, in children of this process where there are several."""
    chunk = max(1, min(4, len(pairs) // (4 * jobs)))
    tasks = [pairs[n : n + chunk] for n in range(0, len(pairs), chunk)]
    for _, result in in_children(tasks, _play_some, jobs=jobs, seconds=PATIENCE):
        if isinstance(result, Died):
            raise MatchFailed(result.why)
        yield from result.value


def _play_some(pairs: Sequence[Pair]) -> list[Rung]:
    collect_seldom()
    return [play_rung(pair) for pair in pairs]


def _add(path: Path, rung: Rung) -> None:
    with path.open("ab+") as file:
        torn = False
        if file.tell():  # somebody may have been stopped in the middle of a line
            file.seek(-1, SEEK_END)
            torn = file.read(1) != b"\n"
        file.write((b"\n" if torn else b"") + msgspec.json.encode(rung) + b"\n")


# What it comes to ----------------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """Two bots that met: the score of the one named first."""

    one: str
    other: str
    score: Score


class Standing(NamedTuple):
    """A bot on the scale: where, give or take how much, and how long a decision takes it, in milliseconds."""

    name: str
    elo: float
    off: float
    battles: int
    median: float
    slowest: float  # 99 of 100 decisions take less


def scores(rungs: Mapping[Pair, Rung]) -> list[Met]:
    """The score of every meeting, in the order of the pairs."""
    met: dict[tuple[str, str], list[list[tuple[float, int]]]] = {}
    for pair, rung in rungs.items():
        met.setdefault((pair.one, pair.other), []).append(rung.results)
    return [Met(one, other, scored(played)) for (one, other), played in met.items()]


def standings(met: Sequence[Met], rungs: Mapping[Pair, Rung], names: Sequence[str]) -> list[Standing]:
    """Every bot on one scale, in the order of the names."""
    battles = {name: sum(one.score.battles for one in met if name in (one.one, one.other)) for name in names}
    scale = elo([(one.one, one.other, one.score.score, one.score.battles) for one in met], names)
    times = {name: _times(rungs.values(), name) for name in names}
    return [Standing(name, *scale[name], battles[name], *_spread(times[name])) for name in names]


def _times(rungs: Iterable[Rung], name: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for rung in rungs:
        for step, count in rung.times.get(name, {}).items():
            found[step] = found.get(step, 0) + count
    return found


def _spread(times: Mapping[int, int]) -> tuple[float, float]:
    """The median of some times and what 99 of 100 stay below, in milliseconds.

    >>> _spread({0: 1}), _spread({STEPS * 10: 99, STEPS * 20: 1})
    ((0.001, 0.001), (1.024, 1.024))
    """
    every, seen, median = sum(times.values()), 0, 0.0
    for step in sorted(times):
        seen += times[step]
        took = 2 ** (step / STEPS) / 1000
        if not median and 2 * seen >= every:
            median = took
        if 100 * seen >= 99 * every:
            return median, took
    return 0.0, 0.0


def elo(met: Sequence[tuple[str, str, float, int]], names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Where each stands on Elo's scale, the first at 0, and half its interval: of who met whom, with which score.

    The likelihood of all scores is climbed by Newton's steps (Bradley and Terry), and the intervals are what its
    curvature leaves open.

    >>> scale = elo([("2", "1", 10 / 11, 10_000)], ["1", "2"])
    >>> scale["1"][0], round(scale["2"][0])
    (0.0, 400)
    """
    at = {name: n - 1 for n, name in enumerate(names)}  # the first has no number: it stays at 0
    size = len(names) - 1
    strength = [0.0] * size
    curved: list[list[float]] = []
    for _ in range(100):
        slope = [0.0] * size
        curved = [[0.0] * size for _ in range(size)]
        for one, other, score, battles in met:
            i, j = at[one], at[other]
            ahead = (strength[i] if i >= 0 else 0.0) - (strength[j] if j >= 0 else 0.0)
            expected = 1 / (1 + exp(-ahead))
            # One drawn battle more than was played.
            missed = battles * (score - expected) + 0.5 - expected
            weight = (battles + 1) * expected * (1 - expected)
            for k, sign in ((i, 1.0), (j, -1.0)):
                if k >= 0:
                    slope[k] += sign * missed
                    curved[k][k] += weight
            if i >= 0 and j >= 0:
                curved[i][j] -= weight
                curved[j][i] -= weight
        step = solved(curved, slope)
        largest = max(map(abs, step), default=0.0)
        share = min(1.0, 2.0 / largest) if largest else 1.0  # a step of more than that overshoots
        strength = [old + share * new for old, new in zip(strength, step, strict=True)]
        if largest < 1e-9:
            break
    spread = [solved(curved, [float(n == k) for n in range(size)])[k] for k in range(size)]
    found = {names[0]: (0.0, 0.0)}
    for k, name in enumerate(names[1:]):
        found[name] = (ELO * strength[k], WIDE * ELO * sqrt(max(0.0, spread[k])))
    return found


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of some linear equations, by elimination.

    >>> solved([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0])
    [0.8, 1.4]
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        best = max(range(k, size), key=lambda n: abs(rows[n][k]))
        rows[k], rows[best] = rows[best], rows[k]
        if abs(rows[k][k]) < 1e-12:
            rows[k][k] = 1e-12
        for n in range(k + 1, size):
            factor = rows[n][k] / rows[k][k]
            for m in range(k, size + 1):
                rows[n][m] -= factor * rows[k][m]
    found = [0.0] * size
    for k in range(size - 1, -1, -1):
        found[k] = (rows[k][size] - sum(rows[k][m] * found[m] for m in range(k + 1, size))) / rows[k][k]
    return found
