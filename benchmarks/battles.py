"""How fast random battles are played, at 1, 4 and 10 of whatever a ruleset counts, beside a plain loop in the same run.

Times are those of the processor. The peer is a loop of a million additions in the same interpreter: `loops` says how
many of them an answer takes, which tells this program's speed from this machine's. Half of an answer or so is the
bot's search for a lawful one.

    python benchmarks/battles.py [RULESET] [--seconds S] [--json]
"""

import argparse
import json
from time import process_time
from typing import Any, NamedTuple

from sandtable.bots import make_bot
from sandtable.engine.journal import Answered
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View
from sandtable.forces.files import FileError
from sandtable.lab.battles import Player, collect_seldom, play_battle
from sandtable.lab.rulebooks import Rulebook, rulebook, rulebooks

SIZES = (1, 4, 10)
ADDITIONS = 1_000_000


class Row(NamedTuple):
    """Battles of one size of one ruleset."""

    ruleset: str
    size: int
    battles: int
    battles_a_second: float
    answers_a_battle: float
    ms_an_answer: float
    bots_share: float  # of the time, what the bots think
    loops: float  # plain loops an answer takes


class _Timed:
    """A bot whose thinking is timed."""

    def __init__(self, bot: Player, spent: list[float]) -> None:
        self.bot, self.spent = bot, spent

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """What the bot answers."""
        begun = process_time()
        draft = self.bot.answer(view, question)
        self.spent[0] += process_time() - begun
        return draft


def plain_loop() -> float:
    """The seconds that a million additions take."""
    begun = process_time()
    total = 0
    for number in range(ADDITIONS):
        total += number
    return process_time() - begun


def measured(book: Rulebook, size: int, seconds: float) -> Row | None:
    """Play battles for some seconds, one at least; none where the ruleset's scenario is not made for the size.

    Digests are taken at the end only, as mass simulation does.
    """
    published = book.publish()
    try:
        published.setup(size=size)
    except FileError:
        return None
    battles = answers = 0
    took, spent = 0.0, [0.0]
    while took < seconds:
        ruleset, setup = published.ruleset(), published.setup(size=size)
        players = {side: _Timed(make_bot("random", ruleset, battles, side), spent) for side in setup.sides}
        begun = process_time()
        battle = play_battle(ruleset, setup, players, seed=battles, digest_every=0, way_back=False)
        took += process_time() - begun
        battles += 1
        answers += sum(isinstance(line, Answered) for line in battle.journal.lines)
    loop = min(plain_loop() for _ in range(5))
    an_answer = took / answers
    share = round(spent[0] / took, 2)
    loops = round(an_answer / loop, 3)
    rate, mean = round(battles / took, 2), round(answers / battles)
    return Row(book.name, size, battles, rate, mean, round(1000 * an_answer, 2), share, loops)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="", help="all of them if left out")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each size is played at least (10)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    collect_seldom()  # as matches do
    books = [rulebook(args.ruleset)] if args.ruleset else list(rulebooks())
    found = (measured(book, size, args.seconds) for book in books for size in SIZES)
    rows = [row for row in found if row is not None]
    if args.json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    print("random battles on one core")
    for row in rows:
        unit = rulebook(row.ruleset).publish().SIZE
        print(
            f"  {row.ruleset} {row.size:3} {unit}: {row.battles_a_second:6.2f} battles a second, "
            f"{row.answers_a_battle:5.0f} answers each at {row.ms_an_answer:.2f} ms ({row.bots_share:.0%} the bots'), "
            f"{row.loops:.2f} plain loops"
        )


if __name__ == "__main__":
    main()
