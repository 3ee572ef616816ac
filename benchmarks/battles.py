"""How fast battles are played: at 1, 4 and 10 of whatever a ruleset counts, and of all at 20 and 40 models a side.

Random plays at every size; at 20 and 40 models a side, or as few more as a ruleset's own scenario can have, else the
first of its scenarios that can, tactical plays too, so that rulesets which count models, squads, groups or points stand
beside each other. Times are those of the processor.
The peer is a loop of a million additions in the same interpreter: `loops` says how many of them an answer takes, which
tells this program's speed from this machine's. Half of a random answer or so is the bot's search for a lawful one.

    python benchmarks/battles.py [RULESET] [--scenario NAME] [--seconds S] [--models N …] [--json]

With `--points` a ruleset whose cards cost points is played at the sizes nearest to so many a side, beside another with
as many models (`--beside`), which says what the larger rulebook costs.

    python benchmarks/battles.py strikeops --points 1000,2000 --beside quickstart
"""

import argparse
import json
from time import process_time
from typing import Any, NamedTuple

from sandtable.bots import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.records.journal import Answered
from sandtable.engine.ruleset import View
from sandtable.forces.files import FileError
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import Player, collect_seldom, play_battle
from sandtable.lab.rulebooks import Rulebook, rulebook, rulebooks

SIZES = (1, 4, 10)
MODELS = (20, 40)
BOTS = ("random", "tactical")
ADDITIONS = 1_000_000


class Row(NamedTuple):
    """Battles of one size of one ruleset, a bot against itself."""

    ruleset: str
    scenario: str  # empty for the ruleset's own
    bot: str
    size: int
    models: float  # a side, at the start
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


def models_a_side(book: Rulebook, scenario: str, size: int) -> float | None:
    """How many models a side has at the start, on average; none where the scenario is not made for the size."""
    rules = book.ruleset()
    try:
        setup = rules.setup(scenario, size)
    except FileError:
        return None
    battle = Battle(rules, setup, seed=1)
    return sum(1 for thing in battle.table.of_kind("model") if not thing.gone) / len(setup.sides)


def points_a_side(book: Rulebook, scenario: str, size: int) -> float | None:
    """What the cards of a side cost, on average; none where the scenario is not made for the size."""
    rules = book.ruleset()
    try:
        setup = rules.setup(scenario, size)
    except FileError:
        return None
    assert rules.cards is not None, f"nothing of {book.name} costs points"
    models = Battle(rules, setup, seed=1).table.of_kind("model")
    return sum(rules.cards[one.card].points for one in models) / len(setup.sides)


def size_worth(book: Rulebook, scenario: str, points: int) -> int:
    """The size of a scenario at which what sides field comes nearest to so many points."""
    worth = {size: points_a_side(book, scenario, size) for size in range(1, max(SIZES) + 1)}
    return min(
        (size for size, have in worth.items() if have is not None), key=lambda one: abs((worth[one] or 0) - points)
    )


def by_points(
    book: Rulebook, beside: Rulebook, scenario: str, points: list[int]
) -> list[tuple[Rulebook, str, int, str]]:
    """What is played for a comparison by points: the ruleset, its scenario, the size, and the bot."""
    wanted: list[tuple[Rulebook, str, int, str]] = []
    for one in points:
        size = size_worth(book, scenario, one)
        models = models_a_side(book, scenario, size)
        assert models is not None
        for bot in BOTS:
            wanted += [(book, scenario, size, bot), (beside, "", size_with(beside, "", round(models)), bot)]
    return wanted


def size_with(book: Rulebook, scenario: str, models: int) -> int:
    """The least size of a scenario at which sides have so many models, or the largest there is."""
    for size in range(1, models + 1):
        have = models_a_side(book, scenario, size)
        if have is None:
            return size - 1
        if have >= models:
            return size
    return models


def scenario_with(book: Rulebook, scenario: str, models: int) -> str:
    """A scenario in which sides can have so many models: the one that is wanted if it can, else the first that can."""
    for name in (scenario, *package_scenarios(book.name)):
        if (models_a_side(book, name, size_with(book, name, models)) or 0) >= models:
            return name
    return scenario


def measured(book: Rulebook, scenario: str, size: int, bot: str, seconds: float) -> Row | None:
    """Play battles for some seconds, one at least; none where the ruleset's scenario is not made for the size.

    Digests are taken at the end only, as mass simulation does.
    """
    rules, models = book.ruleset(), models_a_side(book, scenario, size)
    if models is None:
        return None
    battles = answers = 0
    took, spent = 0.0, [0.0]
    while took < seconds:
        ruleset, setup = rules, rules.setup(scenario, size)
        players = {side: _Timed(make_bot(bot, ruleset, battles, side), spent) for side in setup.sides}
        begun = process_time()
        battle = play_battle(ruleset, setup, players, seed=battles, digest_every=0, watched=False)
        took += process_time() - begun
        battles += 1
        answers += sum(isinstance(line, Answered) for line in battle.journal.lines)
    loop = min(plain_loop() for _ in range(5))
    an_answer = took / answers
    share = round(spent[0] / took, 2)
    loops = round(an_answer / loop, 3)
    rate, mean = round(battles / took, 2), round(answers / battles)
    held = (book.name, scenario, bot, size, round(models, 1), battles)
    return Row(*held, rate, mean, round(1000 * an_answer, 2), share, loops)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="", help="all of them if left out")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each size is played at least (10)")
    parser.add_argument("--scenario", default="", help="each ruleset's own if left out")
    parser.add_argument("--models", type=int, nargs="+", default=MODELS, help="models a side all are held at (20 40)")
    parser.add_argument("--points", default="", metavar="N,N", help="sizes nearest to so many points a side instead")
    parser.add_argument("--beside", default="", metavar="RULESET", help="with --points: who plays with as many models")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    collect_seldom()  # as matches do
    books = [rulebook(args.ruleset)] if args.ruleset else list(rulebooks())
    wanted = [(book, args.scenario, size, "random") for book in books for size in SIZES]
    for models in args.models:
        for book in books:
            scenario = args.scenario or scenario_with(book, "", models)
            wanted += [(book, scenario, size_with(book, scenario, models), bot) for bot in BOTS]
    if args.points:
        points = [int(one) for one in args.points.split(",")]
        wanted = by_points(books[0], rulebook(args.beside or books[0].name), args.scenario, points)
    found = [measured(book, scenario, size, bot, args.seconds) for book, scenario, size, bot in wanted]
    rows = [row for row in found if row is not None]
    if args.json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    print("battles of a bot against itself, on one core")
    for row in rows:
        unit = rulebook(row.ruleset).ruleset().size_counts
        print(
            f"  {row.ruleset}{f' {row.scenario}' if row.scenario else ''}, {row.bot}, {row.size:2} {unit}, "
            f"{row.models:4.1f} models: "
            f"{row.battles_a_second:6.2f} battles a second, {row.answers_a_battle:5.0f} answers each at "
            f"{row.ms_an_answer:.2f} ms ({row.bots_share:.0%} the bots'), {row.loops:.2f} plain loops"
        )


if __name__ == "__main__":
    main()
