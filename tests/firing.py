"""Find few battles of random bots in which every rule of a ruleset fires, for the list in `tests/test_ledgers.py`.

    python -m tests.firing stargrunt --seeds 1 40 encounter:1 gunships remnants

Scenarios are named with their size; without any, all of the ruleset are played in their own. The battles that are kept
are few and quick: chosen greedily, many times with some luck, and each that the others make needless is left out.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from sandtable.bots import Bot, make_bot
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.coverage import Witness, unfired, witnessed
from sandtable.lab.rulebooks import Rulebook, rulebook

#: How often a choice is made, and what a battle costs besides its time, in seconds.
TRIES = 200
EACH = 0.3


class Fired(NamedTuple):
    """A battle, how long it took, and what fired in it."""

    scenario: str
    size: int
    seed: int
    seconds: float
    rules: frozenset[str]


def random_player(ruleset: Ruleset, side: Side, seed: str) -> Bot:
    """The random bot, as the player of a side."""
    return make_bot("random", ruleset, seed, side)


def played(book: Rulebook, scenario: str, size: int, seed: int) -> Fired:
    """Play one battle and see what fires."""
    rules = book.ruleset()
    witness, begun = Witness(rules), time.process_time()
    witnessed(rules, witness, random_player, scenario, size, seed)
    return Fired(scenario, size, seed, time.process_time() - begun, frozenset(witness.fired))


def few(battles: Sequence[Fired], needed: frozenset[str]) -> list[Fired]:
    """Few quick battles in which all that is needed fires."""
    luck, best = random.Random(1), list(battles)
    for _ in range(TRIES):
        left, chosen = set(needed), []
        while left:
            weighed = [len(left & one.rules) / (one.seconds + EACH) * luck.uniform(0.7, 1.3) for one in battles]
            chosen.append(battles[weighed.index(max(weighed))])
            left -= chosen[-1].rules
        for one in sorted(chosen, key=lambda one: -one.seconds):
            if needed <= frozenset[str]().union(*(other.rules for other in chosen if other is not one)):
                chosen.remove(one)
        best = min(best, chosen, key=lambda some: sum(one.seconds + EACH for one in some))
    return sorted(best)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, say what never fired, and print the list."""
    parser = argparse.ArgumentParser(prog="python -m tests.firing", description=__doc__.splitlines()[0])
    parser.add_argument("ruleset")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO[:SIZE]")
    parser.add_argument("--seeds", nargs=2, type=int, default=(1, 10), metavar=("FIRST", "LAST"))
    args = parser.parse_intermixed_args(argv)
    book = rulebook(args.ruleset)
    ledger = book.ledger()
    battles: list[Fired] = []
    for seed in range(args.seeds[0], args.seeds[1] + 1):
        for name, _, size in (one.partition(":") for one in args.scenarios or package_scenarios(book.name)):
            battles.append(played(book, name, int(size or 0), seed))
    fired = frozenset[str]().union(*(one.rules for one in battles))
    excused = {**unfired(book, ledger), **book.ruleset().later}
    missing = [rule for rule in ledger.rules if rule not in fired and rule not in excused]
    for rule in missing:
        print(f"never fired: {rule}", file=sys.stderr)
    chosen = few(battles, frozenset(rule for rule in ledger.rules if rule in fired and rule not in excused))
    for one in chosen:
        print(f'        ("{one.scenario}", {one.size}, {one.seed}),')
    print(f"{len(chosen)} of {len(battles)} battles, {sum(one.seconds for one in chosen):.1f} seconds", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
