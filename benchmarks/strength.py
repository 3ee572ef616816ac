"""How strong the tactical bot is: mirrored battles against whoever does not think, kept in a file.

Sides and tables are swapped, a draw counts a half. The file has a line for each pair of battles, so that the run can be
left off and gone on with, and several can share it: `--shard 0/2` and `--shard 1/2` play every other pair. It runs at
low priority. What has been played is only worth something for the code that played it: begin a new file for new code.

With `--equal` both sides field the same force: that of the first side in one pair, that of the second in the next.

    python benchmarks/strength.py FILE [RULESET] [--scenario NAME] [--sizes 1,4,10] [--against random,charging]
        [--equal] [--battles N] [--shard N/M] [--report]
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sandtable.engine.ids import Side
from sandtable.lab.battles import collect_seldom
from sandtable.lab.matches import Pair, kept_in, play_on_in, scored
from sandtable.lab.rulebooks import rulebook, rulebooks

SIZES = (1, 4, 10)
BATTLES = 400
#: Whom the bot is held against, and the score that is promised.
PROMISED = {"charging": 0.65, "random": 0.95}
#: Far from the seeds that anything was tuned on.
SEED = 1_000_000
NICE = 10


class Run(NamedTuple):
    """What is played: which bot at what, against whom, at which sizes."""

    ruleset: str
    scenario: str
    bot: str
    against: tuple[str, ...]
    sizes: tuple[int, ...]
    equal: bool


def pairs(run: Run, battles: int) -> Iterator[Pair]:
    """All pairs of a run, opponents and sizes by turns, so that a run that is left off has some of each."""
    sides = rulebook(run.ruleset).ruleset().setup(run.scenario, run.sizes[0]).sides if run.equal else ("",)
    for n in range((battles + 1) // 2):
        for size in run.sizes:
            for other in run.against:
                yield Pair(run.ruleset, run.bot, other, size, SEED + n, run.scenario, Side(sides[n % len(sides)]))


def report(path: Path, run: Run) -> bool:
    """Tell the scores so far; says whether all of them are as promised."""
    have = kept_in(path)
    kept = True
    for other in run.against:
        for size in run.sizes:
            wanted = run.ruleset, run.bot, other, size, run.scenario, run.equal
            mine = [
                results
                for pair, results in have.items()
                if (*pair[:4], pair.scenario, bool(pair.forces)) == wanted and pair.seed >= SEED
            ]
            where = f"{run.bot} against {other}, {run.scenario or run.ruleset}, size {size}"
            if not mine:
                print(f"{where}: not played")
                continue
            score = scored(mine)
            kept = kept and score.score >= PROMISED[other]
            print(f"{where}: {score.words()}; {PROMISED[other]} is promised")
    return kept


def main() -> int:
    """Play what is missing, then tell the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path)
    parser.add_argument("ruleset", nargs="?", default=next(iter(rulebooks())).name)
    parser.add_argument("--bot", default="tactical")
    parser.add_argument("--scenario", default="", help="the ruleset's own if left out")
    parser.add_argument("--against", default=",".join(PROMISED))
    parser.add_argument("--equal", action="store_true", help="both sides field the same force")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--battles", type=int, default=BATTLES)
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--report", action="store_true", help="only tell the scores so far")
    args = parser.parse_args()
    sizes = tuple(int(size) for size in args.sizes.split(","))
    against = tuple(args.against.split(","))
    run = Run(args.ruleset, args.scenario, args.bot, against, sizes, args.equal)
    if not args.report:
        os.nice(NICE)
        collect_seldom()
        number, of = map(int, args.shard.split("/"))
        mine = [one for n, one in enumerate(pairs(run, args.battles)) if n % of == number]
        play_on_in(args.file, mine)
    return 0 if report(args.file, run) else 1


if __name__ == "__main__":
    sys.exit(main())
