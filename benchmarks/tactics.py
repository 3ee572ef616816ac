"""How fast the tactical bot plays itself, beside Wesnoth's computer players in the same run, on one core.

A table of twenty pieces of terrain, 1, 4, 10, 20 and 40 a side. The peer is Debian's Wesnoth, computer against computer
on The Freelands without a window; its start-up is measured and taken off. Both are timed by the processor's time they
use, for the machine may be shared. Without Wesnoth the peer is left out, loudly. Of a size no new battle is begun
after so many seconds, so that large ones take bounded time too.

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
from random import Random
from time import process_time
from typing import NamedTuple

from sandtable.bots import make_bot
from sandtable.engine.journal import Answered
from sandtable.lab.battles import collect_seldom, play_battle
from sandtable.lab.rulebooks import rulebook, rulebooks

SIZES = (1, 4, 10, 20, 40)
PIECES = 20
BATTLES = 6
GAMES = 6
#: The seconds of processor time after which no more battles of a size are begun.
SECONDS = 20.0
#: The size that is held against the peer, and how many times as many battles a second are promised.
HELD_AGAINST_PEER = 10
PROMISED = 10
WESNOTH = ("wesnoth", "wesnoth-1.16")
SCENARIO = "multiplayer_The_Freelands"


class Row(NamedTuple):
    """Battles of one size."""

    size: int
    battles: int
    battles_a_second: float
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


def battles(name: str, size: int, most: int, folder: str, limit: float = SECONDS) -> Row:
    """Play some battles of one size and time them: one at least, and no more than fit into the time."""
    published = rulebook(name).publish()
    seconds = 0.0
    count = turns = answers = 0
    for seed in range(1, most + 1):
        path = os.path.join(folder, f"{name}-{size}-{seed}.yaml")
        _write_scenario(name, path, seed)
        ruleset, setup = published.ruleset(), published.setup(path, size)
        players = {side: make_bot("tactical", ruleset, seed, side) for side in setup.sides}
        begun = process_time()
        battle = play_battle(ruleset, setup, players, seed=seed, digest_every=0, way_back=False)
        seconds += process_time() - begun
        count += 1
        turns += battle.table.turn
        answers += sum(isinstance(line, Answered) for line in battle.journal.lines)
        if seconds >= limit:
            break
    return Row(size, count, count / seconds, turns / count, answers / count, 1000 * seconds / answers)


def _write_scenario(name: str, path: str, seed: int) -> None:
    """The ruleset's own scenario on a table that is already laid out."""
    form = dict(rulebook(name).publish().setup().scenario["form"])
    form["board"] = {"width": 48, "height": 48, "terrain": crowded_table(seed, PIECES)}
    form["name"] = f"benchmark-{seed}"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(form, file)


def wesnoth_games(games: int) -> float | None:
    """Wesnoth's games a second of processor time, start-up taken off; none where it is not installed."""
    found = next((path for path in map(shutil.which, WESNOTH) if path), None)
    found = found or next((f"/usr/games/{name}" for name in WESNOTH if os.path.exists(f"/usr/games/{name}")), None)
    if found is None:
        return None
    with tempfile.TemporaryDirectory() as home:
        one, several = (_wesnoth(found, count, home) for count in (1, 1 + games))
    return games / (several - one)


def _wesnoth(program: str, games: int, home: str) -> float:
    command = [program, "--nogui", "--nosound", "--multiplayer", f"--scenario={SCENARIO}", "--era=era_default"]
    command += ["--controller", "1:ai", "--controller", "2:ai", f"--multiplayer-repeat={games}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, "HOME": home}, check=True, capture_output=True, timeout=1800)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset", nargs="?", default=next(iter(rulebooks())).name)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--battles", type=int, default=BATTLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    collect_seldom()  # as matches do
    with tempfile.TemporaryDirectory() as folder:
        sizes = [int(size) for size in args.sizes.split(",")]
        battles(args.ruleset, min(sizes), 1, folder)  # fills what is kept from battle to battle
        rows = [battles(args.ruleset, size, args.battles, folder, args.seconds) for size in sizes]
    peer = wesnoth_games(args.games) if args.games else None
    held = next((row for row in rows if row.size == HELD_AGAINST_PEER), None)
    ratio = held.battles_a_second / peer if held is not None and peer else None
    if args.json:
        print(json.dumps({"rows": [row._asdict() for row in rows], "wesnoth": peer, "ratio": ratio}))
        return 0
    for row in rows:
        print(
            f"{row.size:3} a side: {row.battles_a_second:7.2f} battles a second in {row.battles}, "
            f"{row.turns:.1f} turns, {row.answers:.0f} answers of {row.ms_an_answer:.2f} ms"
        )
    if peer is None and args.games:
        print("WESNOTH IS NOT HERE: nothing to compare with (apt-get install wesnoth)", file=sys.stderr)
    elif peer is not None:
        told = f"; {ratio:.1f} times as many battles, {PROMISED} are promised" if ratio is not None else ""
        print(f"Wesnoth: {peer:.2f} games a second{told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
