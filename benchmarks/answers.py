"""How long a battle takes to be cloned, to check a draft and to take an answer, and how long bots take to decide.

The tactical bot plays a battle of each scenario that keeps its way back, as served ones do.
Every fifth question on the way is timed: a clone while it is open, a draft checked by somebody who has not looked at
anything yet, the answer given to the clone, which pays for everything up to the next question, and what the bots take
to decide. Each scenario stands beside the first in the same run, so that the machine matters little. Times are of the
processor.

    python benchmarks/answers.py [RULESET[:SCENARIO[:SIZE]] ...] [--battles N] [--every N] [--json]
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, NamedTuple

from sandtable.bots import make_bot
from sandtable.engine.answers.judging import check
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import View
from sandtable.engine.table import Things
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import collect_seldom
from sandtable.lab.rulebooks import Rulebook, rulebook, rulebooks

#: What is timed, in the order it is shown.
CLONE, CHECK, ANSWER, RANDOM, TACTICAL = "clone", "check", "answer", "random decides", "tactical decides"
BOTS = ("random", "tactical")
#: Whatever can be done twice alike is timed so often, and the quickest counts.
TIMES = 3
TIMED = (CLONE, CHECK, ANSWER, RANDOM, TACTICAL)


class Times(NamedTuple):
    """The mean times of one ruleset."""

    ruleset: str
    scenario: str
    size: int
    questions: int
    ms: dict[str, float]


class Clock:
    """Adds up what calls take."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(TIMED, 0.0)

    def __call__(self, what: str, *calls: Callable[[], Any]) -> list[Any]:
        """Make some calls that are alike, and note how long the quickest of them took; gives what each came to."""
        found, took = [], []
        for call in calls:
            begun = process_time()
            found.append(call())
            took.append(process_time() - begun)
        self.spent[what] += min(took)
        return found


def measured(book: Rulebook, scenario: str, size: int, battles: int, every: int) -> Times:
    """Play some battles to their ends, and time every so many of their questions."""
    rules, clock, asked, timed = book.ruleset(), Clock(), 0, 0
    for seed in range(battles):
        ruleset, setup = rules, rules.setup(scenario, size)
        bots = {side: [make_bot(bot, ruleset, seed, side) for bot in BOTS] for side in setup.sides}
        battle = Battle(ruleset, setup, seed=seed, digest_every=0)
        while not battle.ended:
            question = next(one for side in setup.sides if (one := battle.question_for(side)))
            random, tactical = bots[question.side]
            asked += 1
            if asked % every:
                battle.answer(tactical.answer(battle.view(question.side), question), question.side)
                continue
            timed += 1
            twins = clock(CLONE, *[battle.clone] * TIMES)
            clock(RANDOM, partial(random.answer, _unseen(battle, question.side), question))
            (draft,) = clock(TACTICAL, partial(tactical.answer, _unseen(battle, question.side), question))
            views = [_unseen(battle, question.side) for _ in range(TIMES)]
            clock(CHECK, *(partial(check, ruleset, view, question, draft) for view in views))
            clock(ANSWER, *(partial(twin.answer, draft, question.side) for twin in twins))
            battle.answer(draft, question.side)
    return Times(book.name, scenario, size, timed, {what: 1000 * clock.spent[what] / timed for what in TIMED})


def _unseen(battle: Battle, side: Side) -> View:
    """The view of a side, without anything that was found out about it."""
    table = battle.view(side).table
    return View(side, table.copy(Things(table.things)))


def wanted(words: list[str]) -> list[tuple[Rulebook, str, int]]:
    """The rulesets, scenarios and sizes that were named; every scenario of every ruleset where none was."""
    every = [f"{book.name}:{scenario}" for book in rulebooks() for scenario in package_scenarios(book.name)]
    split = [(*word.split(":"), "", "")[:3] for word in words or every]
    return [(rulebook(name), scenario, int(size or 0)) for name, scenario, size in split]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", help="RULESET[:SCENARIO[:SIZE]]; every scenario of all rulesets if left out")
    parser.add_argument("--battles", type=int, default=1, help="of each (1)")
    parser.add_argument("--every", type=int, default=5, help="time every so many of the questions (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    collect_seldom()
    rows = [measured(*what, args.battles, args.every) for what in wanted(args.what)]
    if args.json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    first = rows[0].ms
    print(f"milliseconds each, and how many times those of the first line; {', '.join(TIMED)}")
    for row in rows:
        told = "  ".join(f"{row.ms[what]:7.3f} {row.ms[what] / first[what]:5.1f}×" for what in TIMED)
        print(f"  {row.ruleset:10} {row.scenario:16} {row.questions:4} questions  {told}")


if __name__ == "__main__":
    main()
