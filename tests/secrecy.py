"""Pairs of states that differ only in one side's secrets look the same to the other, byte for byte; in any number.

    python -m tests.secrecy --pairs 100000 --shard 0 --of 2 --ruleset dropzone --out .soak/secrecy.json

A random battle has a number, which is its seed. On its way it gives pairs: its state, and a twin in which one secret is
another. Both are played on for a few answers, with every option, draft, refusal and preview compared, until a die or a
reveal that the secret lawfully decides comes out differently. Totals are kept and add up over runs and shards.
"""

import argparse
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.answers.judging import open_options
from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.events import AnyEvent
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne
from sandtable.engine.records.journal import Header
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.state import State
from sandtable.lab.rulebooks import rulebook
from tests.engine.answers import Randomly
from tests.engine.secrets import Compared, byte_equal
from tests.rulesets.dropzone import secrets as dropzone
from tests.rulesets.stargrunt import secrets as stargrunt
from tests.rulesets.strikeops import secrets as strikeops
from tests.soak import code_digest, kept, read_kept, stretches

#: How many answers a pair is played on for, and how many pairs one battle gives at most, in all and of one kind.
ANSWERS = 3
PAIRS = 150
ALIKE = 40
#: Of a hundred pairs so many are looked at by a spectator; the rest by the other side.
SPECTATORS = 10
#: Of a hundred choices of an action so many are moves.
MOVES = 40
MOST_ANSWERS = 3000
MOST_FAILURES = 10

Rules = Callable[[], Ruleset]


class Walker(Randomly):
    """Answers at random, but likes to move: a path is where a leak is hardest to see."""

    def __call__(self, ruleset: Ruleset, view: View, question: AnyQuestion) -> Any:
        """A draft that the judge accepts."""
        if isinstance(question, ChooseOne) and question.topic == "action" and self.random.randrange(100) < MOVES:
            if "move" in [option.id for option in open_options(ruleset, view, question, question.options)]:
                return "move"
        return super().__call__(ruleset, view, question)


class Twin(Protocol):
    """A state in which one secret is another, and who knows it."""

    @property
    def state(self) -> State: ...
    @property
    def known_to(self) -> tuple[str, ...]: ...
    def decides(self, first: AnyEvent | None, second: AnyEvent | None) -> bool:
        """Whether the secret lawfully decides two events that differ."""


Kind = Callable[[State, Side, random.Random], Twin | None]


class Game(NamedTuple):
    """A ruleset in which somebody hides something: the kinds of secrets, and scenarios in which they are met."""

    name: str
    kinds: Mapping[str, Kind]
    scenarios: Sequence[tuple[str, int]]
    bot: Callable[[int], Randomly]  # who plays a pair on
    seldom: int = 2  # of so many pairs there could be one is taken


STARGRUNT = Game("stargrunt", stargrunt.KINDS, stargrunt.SCENARIOS, Walker)
DROPZONE = Game("dropzone", dropzone.KINDS, dropzone.SCENARIOS, Randomly, seldom=6)
STRIKEOPS = Game("strikeops", strikeops.KINDS, strikeops.SCENARIOS, Randomly, seldom=4)
GAMES = {game.name: game for game in (STARGRUNT, DROPZONE, STRIKEOPS)}


class Pair(NamedTuple):
    """Two states that one side may not tell apart."""

    battle: int
    number: int
    kind: str
    watcher: str
    header: Header
    state: State
    twin: Twin


class Failed(msgspec.Struct):
    """A pair that a side could tell apart."""

    battle: int
    number: int
    kind: str
    what: str


class Totals(msgspec.Struct):
    """What was compared so far, over all runs and shards."""

    done: list[tuple[int, int]] = []  # the battles, first and last number of each stretch
    pairs: int = 0
    moments: int = 0
    answers: int = 0
    parted: int = 0  # pairs that a secret lawfully parted
    seconds: float = 0
    kinds: dict[str, int] = {}
    code: dict[str, int] = {}
    failures: list[Failed] = []

    def numbers(self) -> set[int]:
        """The battles that are done."""
        return {number for first, last in self.done for number in range(first, last + 1)}


class Secrecy:
    """The battles by number, the pairs they give, and how a pair is compared."""

    def __init__(
        self, rules: Rules | None = None, kinds: Mapping[str, Kind] | None = None, game: Game = STARGRUNT
    ) -> None:
        self.game = game
        self.book = rulebook(game.name).ruleset()
        self.rules: Rules = self.book.fresh if rules is None else rules
        self.kinds = game.kinds if kinds is None else kinds

    def pairs(self, number: int, most: int = PAIRS) -> Iterator[Pair]:
        """The pairs of a battle: now and then on its way, of every kind that there is something of."""
        any_ = random.Random(f"secrecy/{number}")
        scenario, size = self.game.scenarios[any_.randrange(len(self.game.scenarios))]
        battle = Battle(self.rules(), self.book.setup(scenario, size), seed=number, digest_every=0)
        bots = {side: RandomBot(battle.ruleset, f"{number}/{side}") for side in battle.table.sides}
        given, said, alike = 0, 0, dict.fromkeys(self.kinds, 0)
        while not battle.ended and given < most and said < MOST_ANSWERS:
            question = any_.choice([one for one in battle.questions if battle.question_for(one.side) is one])
            refusal = battle.answer(bots[question.side].answer(battle.view(question.side), question), question.side)
            assert refusal is None, refusal
            said += 1
            state = battle.boundary()
            for kind, make in self.kinds.items():
                twins = [(owner, make(state, owner, any_)) for owner in battle.table.sides]
                _, twin = any_.choice([one for one in twins if one[1] is not None] or twins)
                if twin is not None and given < most and alike[kind] < ALIKE and not any_.randrange(self.game.seldom):
                    others = [side for side in battle.table.sides if side not in twin.known_to]
                    watcher = SPECTATOR if any_.randrange(100) < SPECTATORS else any_.choice(others)
                    yield Pair(number, given, kind, watcher, battle.journal.header, state, twin)
                    given += 1
                    alike[kind] += 1

    def compare(self, pair: Pair) -> Compared:
        """Play both states on alike; a `Leak` where the watcher can tell them apart."""

        def begun(state: State) -> Callable[[], Battle]:
            return lambda: Battle.at_boundary(self.rules(), pair.header, (), state.copy(), 0)

        return byte_equal(
            begun(pair.state),
            begun(pair.twin.state),
            Side(pair.watcher),
            pair.battle * PAIRS + pair.number,
            most=ANSWERS,
            bot=self.game.bot(pair.battle * PAIRS + pair.number),
            decides=pair.twin.decides,
            whole=False,
        )


# The run -----------------------------------------------------------------------------------------------------------


class Run:
    """One run of one shard."""

    def __init__(self, secrecy: Secrecy, out: Path) -> None:
        self.secrecy, self.out, self.label = secrecy, out, secrecy.game.name
        self.code = code_digest()
        self.failed = 0

    def go(self, numbers: Iterator[int], pairs: int, minutes: float) -> None:
        """Compare the pairs of battle after battle until there are enough, or the time is over."""
        end = time.monotonic() + 60 * minutes
        for number in numbers:
            if time.monotonic() > end or self.failed >= MOST_FAILURES or self.battle(number, pairs) >= pairs:
                return

    def battle(self, number: int, pairs: int) -> int:
        """The pairs of one battle; how many there are now in all."""
        begun, found, failures = time.monotonic(), Totals(), []
        for pair in self.secrecy.pairs(number):
            try:
                compared = self.secrecy.compare(pair)
            except Exception as problem:
                self.failed += 1
                what = "".join(traceback.format_exception_only(problem)).strip()
                failures.append(Failed(number, pair.number, pair.kind, what[:2000]))
                print(f"pair {number}.{pair.number} ({pair.kind}): {what[:500]}", file=sys.stderr)
                again = f"--ruleset {self.label} --only {number}.{pair.number}"
                print(f"  see it again: python -m tests.secrecy {again}", file=sys.stderr)
                continue
            if not compared.moments:
                continue  # parted before anything could be compared: it counts for nothing
            found.pairs += 1
            found.moments += compared.moments
            found.answers += compared.answers
            found.parted += compared.stopped.startswith("a lawful difference")
            found.kinds[pair.kind] = found.kinds.get(pair.kind, 0) + 1
        with kept(self.out, self.label, Totals) as totals:
            self.add(totals, number, found, failures, time.monotonic() - begun)
            print(f"{totals.pairs} of {pairs} pairs in {totals.seconds:.0f} seconds, {self.failed} failed", flush=True)
            return totals.pairs

    def add(self, totals: Totals, number: int, found: Totals, failures: list[Failed], seconds: float) -> None:
        """Add what one battle gave; one that failed before and holds now is no failure any more."""
        for name in ("pairs", "moments", "answers", "parted"):
            setattr(totals, name, getattr(totals, name) + getattr(found, name))
        for kind, pairs in found.kinds.items():
            totals.kinds[kind] = totals.kinds.get(kind, 0) + pairs
        totals.code[self.code] = totals.code.get(self.code, 0) + found.pairs
        totals.seconds = round(totals.seconds + seconds, 1)
        totals.failures = [one for one in totals.failures if one.battle != number] + failures
        if not failures:
            totals.done = stretches(totals.numbers() | {number})


def summary(totals: Totals) -> str:
    """The totals in a few lines."""
    lines = [
        f"{totals.pairs} pairs of states were the same to whoever may not tell them apart: {totals.moments} moments,",
        f"{totals.answers} answers, {totals.parted} parted by what their secret decides; {totals.seconds} seconds",
    ]
    lines += [f"  {pairs} {kind}" for kind, pairs in sorted(totals.kinds.items())]
    lines += [f"LEAK: {one.battle}.{one.number} ({one.kind}): {one.what[:300]}" for one in totals.failures]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, and give 0 where nothing leaks."""
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy", description=__doc__.splitlines()[0])
    parser.add_argument("--shard", type=int, default=0, metavar="I", help="which share of the battles, from 0 (0)")
    parser.add_argument("--of", type=int, default=1, metavar="N", help="how many shares there are (1)")
    parser.add_argument("--ruleset", choices=sorted(GAMES), action="append", help="whose secrets; all, if left out")
    parser.add_argument(
        "--pairs", type=int, default=100_000, metavar="P", help="pairs of each ruleset, all shards together"
    )
    parser.add_argument("--out", type=Path, default=Path(".soak/secrecy.json"), metavar="FILE", help="keeps the totals")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="M", help="stop after so many minutes")
    parser.add_argument("--only", default="", metavar="BATTLE.PAIR", help="compare one pair again and let it fail")
    args = parser.parse_args(argv)
    games = [GAMES[name] for name in args.ruleset or GAMES]
    if args.only:
        secrecy = Secrecy(game=games[0])
        battle, _, number = args.only.partition(".")
        pair = next(one for one in secrecy.pairs(int(battle)) if one.number == int(number))
        print(f"{pair.kind}, seen by {pair.watcher or 'a spectator'}: {secrecy.compare(pair)}")
        return 0
    args.out.parent.mkdir(parents=True, exist_ok=True)
    leaks = 0
    for game in games:
        before = read_kept(args.out, Totals).get(game.name, Totals())
        if before.pairs < args.pairs:
            numbers = (number for number in count(args.shard, args.of) if number not in before.numbers())
            Run(Secrecy(game=game), args.out).go(numbers, args.pairs, args.minutes)
        totals = read_kept(args.out, Totals).get(game.name, Totals())
        print(f"{game.name}: {summary(totals)}")
        leaks += len(totals.failures)
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
