"""How fast the tactical bot plays itself, beside Wesnoth's computer players in the same run, on one core.

A table of twenty pieces of terrain, 1, 4, 10, 20 and 40 a side. Everything is timed by the processor's time it uses,
for the machine may be shared; and at the size that is held against the peer, battles and its games are played in turns,
so that a noisy neighbour disturbs both. Of both the spread is told: battles and games differ in length. Of a size no
new battle is begun after so many seconds, so that large ones take bounded time too.

The peer is Debian's Wesnoth, computer against computer on The Freelands without a window. A game is a run of the
program less its start-up. Games differ by a factor of four and no seed makes two of them alike, so each is timed alone.
Start-up is what is left of a game of one turn when the turn is taken off; the first run, which fills the program's own
cache, is not counted. Without Wesnoth the peer is left out, loudly.

    python benchmarks/tactics.py [RULESET] [--sizes 1,4,10] [--battles N] [--seconds S] [--games N] [--json]
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from math import sqrt
from random import Random
from statistics import fmean, median, stdev
from time import process_time
from types import TracebackType
from typing import NamedTuple

from sandtable.bots import make_bot
from sandtable.engine.records.journal import Answered
from sandtable.lab.battles import collect_seldom, play_battle
from sandtable.lab.rulebooks import rulebook, rulebooks

SIZES = (1, 4, 10, 20, 40)
PIECES = 20
BATTLES = 12
GAMES = 12
#: The seconds of processor time after which no more battles of a size are begun.
SECONDS = 20.0
#: The size that is held against the peer, how many of its battles are played for each game of the peer, and how many
#: times as many battles a second are promised.
HELD_AGAINST_PEER = 10
FOR_A_GAME = 4
#: So many games are played in a row: a program that has just been waiting runs slowly for a while.
IN_A_ROW = 4
PROMISED = 10
WESNOTH = ("wesnoth", "wesnoth-1.16")
SCENARIO = "multiplayer_The_Freelands"
#: So many games of one turn tell what a turn takes, and so often start-up is looked at.
SHORT_GAMES = 6
START_UPS = 5


class Played(NamedTuple):
    """One battle: the processor's time it took, its turns and its answers."""

    seconds: float
    turns: int
    answers: int


class Row(NamedTuple):
    """Battles of one size."""

    size: int
    battles: int
    battles_a_second: float
    seconds: tuple[float, float]  # the shortest and the longest
    turns: float
    answers: float
    ms_an_answer: float


def crowded_table(seed: int, pieces: int) -> list[dict[str, object]]:
    """Some terrain as a scenario file has it: woods, rubble, buildings and low hills, none in a deployment zone."""
    random = Random(seed)
    found: list[dict[str, object]] = []
    kinds = ("light-woods", "heavy-woods", "rubble", "structure", "rough-broken")
    spots = [(x, y) for x in range(4, 46, 8) for y in range(10, 40, 7)]
    random.shuffle(spots)
    for n, (x, y) in enumerate(spots[:pieces]):
        kind = kinds[n % len(kinds)]
        if kind == "structure":
            found.append({"kind": kind, "id": f"piece-{n}", "rectangle": [x - 2, y - 1, 4, 3], "height": 1 + n % 3})
        else:
            found.append({"kind": kind, "id": f"piece-{n}", "circle": [x, y, 2 + random.randrange(2)]})
    return found


def battles(name: str, size: int, folder: str) -> Iterator[Played]:
    """Battles of one size, as many as are asked for, each on a table of its own."""
    rules = rulebook(name).ruleset()
    seed = 0
    while True:
        seed += 1
        path = os.path.join(folder, f"{name}-{size}-{seed}.yaml")
        _write_scenario(name, path, seed)
        ruleset, setup = rules, rules.setup(path, size)
        players = {side: make_bot("tactical", ruleset, seed, side) for side in setup.sides}
        begun = process_time()
        battle = play_battle(ruleset, setup, players, seed=seed, digest_every=0, watched=False)
        seconds = process_time() - begun
        answers = sum(isinstance(line, Answered) for line in battle.journal.lines)
        yield Played(seconds, battle.table.turn, answers)


def _write_scenario(name: str, path: str, seed: int) -> None:
    """The ruleset's own scenario on a table that is already laid out."""
    form = dict(rulebook(name).ruleset().setup().scenario["form"])
    form["board"] = {"width": 48, "height": 48, "terrain": crowded_table(seed, PIECES)}
    form["name"] = f"benchmark-{seed}"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(form, file)


def some(played: Iterator[Played], most: int, limit: float) -> list[Played]:
    """So many battles, one at least, and no more than fit into the time."""
    found = [next(played)]
    while len(found) < most and sum(one.seconds for one in found) < limit:
        found.append(next(played))
    return found


def row_of(size: int, played: list[Played]) -> Row:
    """What battles of one size come to."""
    times = [one.seconds for one in played]
    answers = fmean(one.answers for one in played)
    turns = fmean(one.turns for one in played)
    mean = fmean(times)
    return Row(size, len(times), 1 / mean, (min(times), max(times)), turns, answers, 1000 * mean / answers)


class Wesnoth:
    """The program in a home of its own, its start-up known. Made by `installed`, used in a `with`."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._home = tempfile.TemporaryDirectory()
        self.start_up = 0.0

    def __enter__(self) -> "Wesnoth":
        self._run(1, turns=1)
        found = [(self._run(1, turns=1), self._run(1 + SHORT_GAMES, turns=1)) for _ in range(START_UPS)]
        self.start_up = median(one - (several - one) / SHORT_GAMES for one, several in found)
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self._home.cleanup()

    def game(self) -> float:
        """Play one game; the seconds of processor time it took."""
        return self._run(1) - self.start_up

    def _run(self, games: int, turns: int = 0) -> float:
        command = [self._program, "--nogui", "--nosound", "--multiplayer", f"--scenario={SCENARIO}"]
        command += ["--era=era_default", "--controller", "1:ai", "--controller", "2:ai"]
        command += [f"--multiplayer-repeat={games}", *([f"--turns={turns}"] if turns else [])]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "HOME": self._home.name}
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=1800)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def installed() -> Wesnoth | None:
    """Wesnoth, if it is installed."""
    for name in WESNOTH:
        found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))
        if found is not None:
            return Wesnoth(found)
    return None


class Held(NamedTuple):
    """Battles held against games of the peer that were played between them."""

    games: int
    games_a_second: float
    seconds: tuple[float, float]  # the shortest and the longest game
    start_up: float
    ratio: float  # how many times as many battles a second
    give_or_take: float  # one standard error of the ratio


def in_turns(played: Iterator[Played], peer: Wesnoth, games: int) -> tuple[list[Played], Held]:
    """Battles and games of the peer one after the other, and what they come to."""
    ours: list[Played] = []
    theirs: list[float] = []
    while len(theirs) < games:
        row = min(IN_A_ROW, games - len(theirs))
        ours += [next(played) for _ in range(FOR_A_GAME * row)]
        theirs += [peer.game() for _ in range(row)]
    times = [one.seconds for one in ours]
    ratio = fmean(theirs) / fmean(times)
    off = sqrt(sum((stdev(some) / fmean(some)) ** 2 / len(some) for some in (times, theirs))) if games > 1 else 0.0
    return ours, Held(games, 1 / fmean(theirs), (min(theirs), max(theirs)), peer.start_up, ratio, ratio * off)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset", nargs="?", default=next(iter(rulebooks())).name)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--battles", type=int, default=BATTLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--games", type=int, default=GAMES, help="games of Wesnoth; 0 leaves it out")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    collect_seldom()  # as matches do
    sizes = [int(size) for size in args.sizes.split(",")]
    peer = installed() if args.games and HELD_AGAINST_PEER in sizes else None
    rows, held = [], None
    with tempfile.TemporaryDirectory() as folder, peer or nullcontext():
        next(battles(args.ruleset, min(sizes), folder))  # fills what is kept from battle to battle
        for size in sizes:
            played = battles(args.ruleset, size, folder)
            if size == HELD_AGAINST_PEER and peer is not None:
                found, held = in_turns(played, peer, args.games)
            else:
                found = some(played, args.battles, args.seconds)
            rows.append(row_of(size, found))
    if args.json:
        print(json.dumps({"rows": [row._asdict() for row in rows], "wesnoth": held and held._asdict()}))
        return 0
    _tell(rows, held)
    if held is None and args.games and HELD_AGAINST_PEER in sizes:
        print("WESNOTH IS NOT HERE: nothing to compare with (apt-get install wesnoth)", file=sys.stderr)
    return 0


def _tell(rows: list[Row], held: Held | None) -> None:
    for row in rows:
        print(
            f"{row.size:3} a side: {row.battles_a_second:7.2f} battles a second in {row.battles} "
            f"({row.seconds[0]:.3f} to {row.seconds[1]:.3f} s each), "
            f"{row.turns:.1f} turns, {row.answers:.0f} answers of {row.ms_an_answer:.2f} ms"
        )
    if held is not None:
        print(
            f"Wesnoth: {held.games_a_second:.2f} games a second in {held.games} "
            f"({held.seconds[0]:.2f} to {held.seconds[1]:.2f} s each, {held.start_up:.2f} s of start-up taken off); "
            f"{held.ratio:.1f} ± {held.give_or_take:.1f} times as many battles, {PROMISED} are promised"
        )


if __name__ == "__main__":
    sys.exit(main())
