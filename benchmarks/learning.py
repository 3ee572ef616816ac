"""How fast a learner plays: answers and battles a second through the learning environment, beside the bare battle.

The learner chooses at random among what it is offered. The peer is the random bot in the same process, on the same
battles: what it costs to offer a list of lawful answers and to tell what is seen. Times are those of the processor.

    python benchmarks/learning.py [RULESET] [--scenario NAME] [--size N] [--choices N] [--seconds S] [--json]
"""

import argparse
import json
import sys
from random import Random
from time import process_time
from typing import NamedTuple

from sandtable.bots import make_bot
from sandtable.lab.battles import collect_seldom, play_battle
from sandtable.lab.rulebooks import rulebook, rulebooks

#: What is played of a ruleset that has it.
SMALL = "duel"


class Row(NamedTuple):
    """Battles of one ruleset."""

    ruleset: str
    steps_a_second: float
    battles_a_second: float
    offered: float  # answers to choose among, on average
    random_bot_a_second: float  # answers of the random bot


def measured(name: str, scenario: str, size: int, choices: int, seconds: float) -> Row:
    """Play for some seconds of processor time, one battle at least, and the random bot on as many battles."""
    from sandtable.lab.environment import env

    if not scenario and (rulebook(name).file("scenarios") / f"{SMALL}.yaml").is_file():
        scenario = SMALL
    learning, random = env(name, scenario, size, choices=choices), Random(1)
    steps = battles = offered = 0
    took = bare = 0.0
    answered = 0
    while took < seconds:
        begun = process_time()
        learning.reset(seed=battles)
        while not any(learning.terminations.values()) and not any(learning.truncations.values()):
            learning.observe(learning.agent_selection)
            there = int(learning.infos[learning.agent_selection]["action_mask"].sum())
            learning.step(random.randrange(there))
            steps, offered = steps + 1, offered + there
        took += process_time() - begun
        players = {side: make_bot("random", learning.ruleset, battles, side) for side in learning.setup.sides}
        begun = process_time()
        battle = play_battle(learning.ruleset, learning.setup, players, seed=battles, watched=False)
        bare += process_time() - begun
        answered += len(battle.journal.lines)
        battles += 1
    return Row(name, steps / took, battles / took, offered / steps, answered / bare)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="", help="all of them if left out")
    parser.add_argument("--scenario", default="", help=f"{SMALL} if left out, or the ruleset's own")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--choices", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    try:
        import sandtable.lab.environment  # noqa: F401
    except ImportError as missing:
        print(f"NOTHING IS MEASURED: {missing}", file=sys.stderr)
        return 0
    collect_seldom()
    names = [rulebook(args.ruleset).name] if args.ruleset else [book.name for book in rulebooks()]
    rows = [measured(name, args.scenario, args.size, args.choices, args.seconds) for name in names]
    if args.json:
        print(json.dumps([row._asdict() for row in rows]))
        return 0
    for row in rows:
        print(
            f"{row.ruleset}: {row.steps_a_second:.0f} steps a second, {row.battles_a_second:.2f} battles, "
            f"{row.offered:.1f} answers offered; the random bot {row.random_bot_a_second:.0f} answers a second"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
