"""Matches between bots: mirrored battles, each table played twice with the sides exchanged, and the score.

A win counts one, a draw a half. The interval holds the true score in 19 of 20 matches: it is taken over pairs of
battles, for the two battles of a pair share their dice. A long match may be kept in a file, a line for each pair as it
is played, so that it can be left off, gone on with, and played by several processes at once.
"""

from collections.abc import Callable, Iterable
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandtable.bots.by_name import make_bot
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.ruleset import Ruleset
from sandtable.lab.battles import Player, collect_seldom, play_battle
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.workers import Died, in_children

#: How many standard errors to either side an interval reaches.
_WIDE = 1.96


class Pair(NamedTuple):
    """A table, to be played twice."""

    ruleset: str
    one: str
    other: str
    size: int
    seed: int
    scenario: str = ""
    forces: Side = NO_SIDE  # the side whose force all sides field; empty where each has its own


class Score(msgspec.Struct, frozen=True):
    """How a match went for the bot named first."""

    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    turns: float = 0.0

    @property
    def battles(self) -> int:
        """How many battles were played."""
        return self.wins + self.draws + self.losses

    def words(self) -> str:
        """The score in a line."""
        return (
            f"{self.score:.3f} [{self.low:.3f}, {self.high:.3f}] in {self.battles} battles: "
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost, {self.turns:.1f} turns"
        )


class MatchFailed(Exception):
    """A battle of a match could not be played to its end: we are wrong."""


def play_pair(pair: Pair, make: Callable[[str, Ruleset, int, Side], Player] = make_bot) -> list[tuple[float, int]]:
    """Play a table twice: for each battle the points of the bot named first, and the turns it took."""
    ruleset = rulebook(pair.ruleset).ruleset()
    results = []
    for own in ("red", "blue"):
        setup = ruleset.setup(pair.scenario, pair.size, pair.forces)
        names = {side: pair.one if side == own else pair.other for side in setup.sides}
        players = {side: make(name, ruleset, pair.seed, side) for side, name in names.items()}
        battle = play_battle(ruleset, setup, players, seed=pair.seed, digest_every=0, watched=False)
        ending = battle.table.ending
        assert ending is not None
        points = 0.5 if not ending.winner else float(ending.winner == own)
        results.append((points, battle.table.turn))
    return results


def _play_pairs(pairs: list[Pair]) -> list[list[tuple[float, int]]]:
    collect_seldom()
    return [play_pair(pair) for pair in pairs]


def match(
    ruleset: str,
    one: str,
    other: str,
    *,
    size: int = 0,
    battles: int = 400,
    seed: int = 0,
    scenario: str = "",
    jobs: int = 2,
    told: Callable[[int], None] = lambda done: None,
) -> Score:
    """Play a match of so many battles, rounded up to pairs; `told` hears how many are done."""
    pairs = [Pair(ruleset, one, other, size, seed + n, scenario) for n in range((battles + 1) // 2)]
    chunk = max(1, min(10, len(pairs) // (2 * jobs)))
    tasks = [pairs[n : n + chunk] for n in range(0, len(pairs), chunk)]
    played: list[list[tuple[float, int]]] = []
    for _, result in in_children(tasks, _play_pairs, jobs=jobs, seconds=3600):
        if isinstance(result, Died):
            raise MatchFailed(result.why)
        played += result.value
        told(2 * len(played))
    return scored(played)


class Played(msgspec.Struct, frozen=True):
    """A pair that has been played, as a file keeps it."""

    pair: Pair
    results: list[tuple[float, int]]


def kept_in(path: Path) -> dict[Pair, list[tuple[float, int]]]:
    """The pairs a file has, with their results; a line that was broken off is not one."""
    found: dict[Pair, list[tuple[float, int]]] = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            played = msgspec.json.decode(line, type=Played)
        except msgspec.DecodeError:
            continue
        found[played.pair] = played.results
    return found


def play_on_in(path: Path, pairs: Iterable[Pair], told: Callable[[Pair], None] = lambda pair: None) -> None:
    """Play the pairs that a file does not have yet, here, and add each to it as it is played."""
    have = kept_in(path)
    broken = path.exists() and not path.read_bytes().endswith(b"\n")
    for pair in pairs:
        if pair in have:
            continue
        line = msgspec.json.encode(Played(pair, play_pair(pair))) + b"\n"
        with path.open("ab") as file:
            file.write(b"\n" + line if broken else line)
        broken = False
        told(pair)


def scored(played: list[list[tuple[float, int]]]) -> Score:
    """The score of some pairs.

    >>> scored([[(1.0, 5), (1.0, 6)], [(0.5, 9), (0.0, 4)]]).score
    0.625
    """
    results = [result for pair in played for result in pair]
    means = [sum(points for points, _ in pair) / len(pair) for pair in played]
    mean = sum(means) / len(means)
    spread = sum((one - mean) ** 2 for one in means) / max(1, len(means) - 1)
    off = _WIDE * sqrt(spread / len(means))
    points = [point for point, _ in results]
    return Score(
        points.count(1.0),
        points.count(0.5),
        points.count(0.0),
        mean,
        max(0.0, mean - off),
        min(1.0, mean + off),
        sum(turns for _, turns in results) / len(results),
    )
