"""Random battles without end: every ruleset and every miniature, held to every promise; `make soak` calls it.

    python -m tests.soak --shard 0 --of 2 --battles 10000 --out .soak/totals.json

A battle has a number, which is its seed and says which rules, scenario, size and optional rules it is played by. A
shard plays every so manieth number. The totals are kept in a file and add up over runs and shards; what is done there
is not done again. A battle that breaks a promise leaves its journal, and the command that plays it again is printed.
`--ruleset` takes the name of a ruleset, of a miniature, or the beginning of the names of fields, such as
`quickstart/stand-and-fight`.
"""

import argparse
import fcntl
import hashlib
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from sandtable.bots.charging_bot import ChargingBot
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, Setup, View
from sandtable.engine.shapes import At, Base, Point
from sandtable.engine.table import Ground, Table
from sandtable.field.measure import outline_of, overlap
from sandtable.forces.files import FileError, nearest
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import collect_seldom
from sandtable.lab.rulebooks import Rulebook, rulebook, rulebooks
from sandtable.tabletop.book import Book
from tests.field.verdicts import run as compare_verdicts
from tests.miniatures import ALL
from tests.promises import Played, keep_promises, refold_in_fresh_process

ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T", bound=msgspec.Struct)

#: How often a size is drawn, of a hundred battles of a scenario: one of six takes five times as long as one of one.
SIZES = {1: 50, 2: 25, 3: 10, 4: 7, 5: 4, 6: 4}
#: The same where time is short.
LEAN = {1: 80, 2: 12, 3: 3, 4: 2, 5: 2, 6: 1}
#: How often a field is drawn that has no sizes: every scenario of a ruleset is played as often as any other.
WHOLE = 100
#: Of a hundred battles so many are played by the optional rules that their scenario names, the rest by drawn ones.
AS_WRITTEN = 25
#: What an optional rule may be switched to, where it is not just on.
SWITCHED_TO: dict[str, tuple[int | str, ...]] = {"random-quality": ("all", "regular")}
#: Of a hundred battles so many are of rulesets, the rest of miniatures.
RULESETS = 15
#: Of a hundred answers in a large battle so many are charges.
CHARGES = 30
#: In a battle of a ruleset every so manieth preview of a draft is looked at, for its exact odds take their time.
LOOKS = 80
#: In a battle of a ruleset every so manieth boundary has a digest of the state, which takes as long as all it keeps.
DIGESTS = 4
#: How many battles are played before their journals are folded again in a fresh process and the totals are written.
BATCH = 20
#: How many verdicts of the exact table are compared with the oracle for each battle.
VERDICTS = 100
#: No battle of any ruleset comes near so many answers.
MOST_ANSWERS = 100_000
#: After so many failures something is so wrong that more of them tell nothing.
MOST_FAILURES = 10


class Field(NamedTuple):
    """What a battle is played by."""

    name: str
    rules: Callable[[], Ruleset]
    setup: Setup
    weight: float = 1
    switches: tuple[str, ...] = ()  # the optional rules of its ruleset
    look_one_in: int = 1  # every so manieth preview of a draft is looked at

    def switched(self, number: int) -> "Field":
        """The same with the optional rules of a battle, each of them on or off by its number."""
        dice = random.Random(f"switches/{number}")
        if not self.switches or dice.randrange(100) < AS_WRITTEN:
            return self
        options = {name: value for name, value in self.setup.options.items() if name not in self.switches}
        for name in self.switches:
            if dice.randrange(2):
                options[name] = dice.choice(SWITCHED_TO.get(name, (1,)))
        return self._replace(setup=replace(self.setup, options=options))

    def on(self) -> list[str]:
        """The optional rules that it is played by."""
        return [name for name in self.switches if self.setup.options.get(name)]


class Failure(msgspec.Struct):
    """A battle that broke a promise."""

    number: int
    field: str
    what: str
    journal: str = ""


class Totals(msgspec.Struct):
    """What was done so far, over all runs and shards."""

    done: list[tuple[int, int]] = []  # first and last number of each stretch
    battles: int = 0
    answers: int = 0
    events: int = 0
    undone: int = 0
    refused: int = 0
    refolded: int = 0
    verdicts: int = 0
    seconds: float = 0
    fields: dict[str, int] = {}
    switches: dict[str, int] = {}  # an optional rule → how many battles were played by it
    code: dict[str, int] = {}  # a digest of the program → how many battles it played
    failures: list[Failure] = []

    def numbers(self) -> set[int]:
        """The numbers of the battles that are done."""
        return {number for first, last in self.done for number in range(first, last + 1)}

    def add(self, results: Sequence[tuple[int, Field, Played]], verdicts: int, seconds: float, code: str) -> None:
        """Add battles that kept their promises; one that failed before and holds now is no failure any more."""
        known = self.numbers()
        fresh = [one for one in results if one[0] not in known]
        for number, field, played in fresh:
            self.answers += played.answers
            self.events += played.events
            self.undone += played.undone
            self.refused += played.refused
            self.fields[field.name] = self.fields.get(field.name, 0) + 1
            for name in field.on():
                self.switches[name] = self.switches.get(name, 0) + 1
            known.add(number)
        self.battles += len(fresh)
        self.refolded += len(fresh)
        self.verdicts += verdicts
        self.seconds = round(self.seconds + seconds, 1)
        self.code[code] = self.code.get(code, 0) + len(fresh)
        self.done = stretches(known)
        self.failures = [failure for failure in self.failures if failure.number not in known]

    def fail(self, failure: Failure) -> None:
        """Note a battle that failed, once."""
        self.failures = [*(other for other in self.failures if other.number != failure.number), failure]


def stretches(numbers: set[int]) -> list[tuple[int, int]]:
    """Numbers as stretches of them.

    >>> stretches({1, 2, 3, 7})
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


# What is played ----------------------------------------------------------------------------------------------------


def fields(only: str = "", sizes: Mapping[int, int] = SIZES) -> tuple[list[Field], list[Field]]:
    """What battles are played by: rulesets with all their scenarios and sizes, and miniatures."""
    name = only.split("/")[0]
    books = [] if name in ALL else [rulebook(name)] if name else list(rulebooks())
    rulesets = [field for book in books for field in _of_ruleset(book, sizes)]
    miniatures = [
        Field(f"{name}/{n}", type(miniature.ruleset), setup)
        for name, miniature in ALL.items()
        for n, setup in enumerate(miniature.setups)
    ]
    chosen = [
        [field for field in some if f"{field.name}/".startswith(f"{only}/" if only else "")]
        for some in (rulesets, miniatures)
    ]
    if not any(chosen):
        sys.exit(f"there is no field `{only}`; {nearest(only, [field.name for field in (*rulesets, *miniatures)])}")
    return chosen[0], chosen[1]


def _of_ruleset(book: Rulebook, sizes: Mapping[int, int]) -> Iterator[Field]:
    rules = book.ruleset()
    switches = tuple(rules.case_words().vocabulary().get("switches", ()))
    for scenario in package_scenarios(book.name):
        fit = [size for size in SIZES if _fits(rules, scenario, size)]
        if not fit:
            yield Field(f"{book.name}/{scenario}", type(rules), rules.setup(scenario), WHOLE, switches, LOOKS)
        drawn = [size for size in fit if size in sizes] or fit[:1]
        share = WHOLE / sum(sizes.get(size, 1) for size in drawn) if drawn else 0
        for size in drawn:
            setup, weight = rules.setup(scenario, size), sizes.get(size, 1) * share
            yield Field(f"{book.name}/{scenario}/{size}", type(rules), setup, weight, switches, LOOKS)


def _fits(rules: Book, scenario: str, size: int) -> bool:
    """Whether a scenario can be had in a size; one that is laid out to the last model has none."""
    try:
        rules.setup(scenario, size)
    except FileError:
        return False
    return True


class Pressing:
    """Answers at random, but charges now and then: large battles end in a third of the time."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.random = random.Random(f"pressing/{seed}")
        self.players = (ChargingBot(ruleset, seed), RandomBot(ruleset, seed))

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The answer of one of the two."""
        return self.players[self.random.randrange(100) >= CHARGES].answer(view, question)


#: The state of being above others and those of not having come to stand yet, by the rulesets that have them.
ALOFT = {"dropzone": ("airborne", "path", "held for a drop")}


def on_edge(point: Point, ground: Ground) -> bool:
    """Whether a point lies on an edge of the board."""
    return point.x in (0, ground.width) or point.y in (0, ground.height)


class BasesApart:
    """Models on the same level stand beside each other, never on each other; of two that stay put it is known.

    What has a state of being aloft is above those that have not. What is underway, and shot at there, or coming down,
    has not come to where it will stand; it is looked at when it has. Nor has who comes in over an edge of the board and
    has its centre on it still, where some states say who is underway.
    """

    def __init__(self, aloft: str = "", *underway: str) -> None:
        self.aloft, self.underway = aloft, underway
        self.known: dict[str, tuple[At, int, Base, bool]] = {}

    def __call__(self, table: Table) -> None:
        standing = {
            str(one.id): (one.place, one.facing, one.base, one.has(self.aloft))
            for one in table.models()
            if one.base is not None and isinstance(one.place, At) and not any(map(one.has, self.underway))
            if not (self.underway and on_edge(one.place.point, table.ground))
        }
        moved = [name for name, stands in standing.items() if self.known.get(name) != stands]
        if moved:
            shapes = {name: outline_of(base, at.point, facing) for name, (at, facing, base, _) in standing.items()}
            for name in moved:
                at, _, _, aloft = standing[name]
                for other, there in shapes.items():
                    beside = standing[other][0].level == at.level and standing[other][3] == aloft
                    apart = other == name or not beside or not overlap(shapes[name], there)
                    assert apart, f"{name} stands on {other}"
        self.known = standing


class Soak:
    """The battles by number, and how one of them is played."""

    def __init__(self, only: str = "", sizes: Mapping[int, int] = SIZES, share: int = RULESETS) -> None:
        self.share = share
        self.rulesets, self.miniatures = fields(only, sizes)

    def field(self, number: int) -> Field:
        """What the battle of a number is played by."""
        dice = random.Random(f"soak/{number}")
        large = dice.randrange(100) < self.share
        choices = (self.rulesets if large else self.miniatures) or self.rulesets or self.miniatures
        return dice.choices(choices, [field.weight for field in choices])[0].switched(number)

    def named(self, name: str) -> Field:
        """The field of a name, as failures tell it; a number gives it its switches."""
        every = {field.name: field for field in (*self.rulesets, *self.miniatures)}
        if name not in every:
            sys.exit(f"there is no field `{name}`; {nearest(name, every)}")
        return every[name]

    def play(self, number: int, field: Field) -> Played:
        """Play a battle and hold every promise to it."""
        # A long battle has chances enough to be undone, spoilt and saved; all else is held at every boundary.
        small, size = field in self.miniatures, field.setup.size
        rarely = 4 if small else 12 if size > 1 else 8
        # Two of three small ones are pressed too: dozens in a row, lest a shard have all of one kind.
        pressed = size > 1 or (size == 1 and number // 12 % 3 > 0)
        return keep_promises(
            field.rules,
            field.setup,
            number,
            Pressing if pressed else RandomBot,
            invariants=(BasesApart(*ALOFT.get(field.name.split("/")[0], ())),),
            most_answers=MOST_ANSWERS,
            undo_one_in=rarely,
            wrong_one_in=rarely,
            save_one_in=rarely * (10 if small else 40),
            look_one_in=field.look_one_in,
            digest_every=1 if small else DIGESTS,
            elsewhere=True,
        )


# The run -----------------------------------------------------------------------------------------------------------


class Run:
    """One run of one shard."""

    def __init__(self, soak: Soak, out: Path, label: str) -> None:
        self.soak, self.out, self.label = soak, out, label
        self.failed = 0
        self.begun = time.monotonic()
        self.code = code_digest()

    def go(self, numbers: Sequence[int], minutes: float) -> bool:
        """Play battles batch by batch until all are done or the time is over; says whether none failed."""
        end, done = self.begun + 60 * minutes, 0
        for at in range(0, len(numbers), BATCH):
            if time.monotonic() > end or self.failed >= MOST_FAILURES:
                break
            done += self.batch(numbers[at : at + BATCH], end)
            rate = done / max(0.001, time.monotonic() - self.begun)
            print(f"{done} of {len(numbers)} battles, {rate:.2f} a second, {self.failed} failed", flush=True)
        return self.failed == 0

    def batch(self, numbers: Sequence[int], end: float) -> int:
        """Some battles, each folded again elsewhere, and verdicts of the table between them; says how many."""
        begun = time.monotonic()
        results: list[tuple[int, Field, Played]] = []
        for number in numbers:
            if time.monotonic() > end:
                break
            field = self.soak.field(number)
            try:
                results.append((number, field, self.soak.play(number, field)))
            except Exception as problem:
                self.fail(number, problem)
        results = self.refolded(results)
        verdicts = 0
        if results:
            try:
                verdicts = compare_verdicts(VERDICTS * len(results), results[0][0])
            except AssertionError as problem:
                self.fail(results[0][0], problem)
        with kept_totals(self.out, self.label) as totals:
            totals.add(results, verdicts, time.monotonic() - begun, self.code)
        return len(results)

    def refolded(self, results: list[tuple[int, Field, Played]]) -> list[tuple[int, Field, Played]]:
        """Those whose journals give the same digest in a fresh process under another hash seed."""
        try:
            if results:
                refold_in_fresh_process([played for _, _, played in results], hash_seed=1 + results[0][0])
        except AssertionError:
            good = []
            for one in results:
                try:
                    refold_in_fresh_process([one[2]], hash_seed=1 + results[0][0])
                    good.append(one)
                except AssertionError as problem:
                    self.fail(one[0], problem, one[2].journal)
            return good
        return results

    def fail(self, number: int, problem: Exception, journal: bytes | None = None) -> None:
        """Write down what a failure needs to be seen again, and say so."""
        self.failed += 1
        field = self.soak.field(number)
        what = "".join(traceback.format_exception_only(problem)).strip()
        stem = self.out.with_name(f"failed-{self.label.replace('/', '-')}-{number}")
        stem.with_suffix(".txt").write_text("".join(traceback.format_exception(problem)))
        data = journal if journal is not None else journal_of(problem)
        file = stem.with_suffix(".journal")
        if data is not None:
            file.write_bytes(data)
        with kept_totals(self.out, self.label) as totals:
            totals.fail(Failure(number, field.name, what[:500], str(file) if data is not None else ""))
        print(f"battle {number} ({field.name}) failed: {what[:500]}", file=sys.stderr)
        print(f"  see it again: python -m tests.soak --only {number} --field {field.name}", file=sys.stderr)
        if data is not None:
            print(f"  what happened: sandtable replay {file}", file=sys.stderr)


def journal_of(problem: BaseException) -> bytes | None:
    """The journal of the battle that a problem came from: the promises keep it to themselves, its traceback has it."""
    found: bytes | None = None
    step = problem.__traceback__
    while step is not None:
        for value in (step.tb_frame.f_locals.get("kept"), step.tb_frame.f_locals.get("self")):
            battle = getattr(value, "battle", None)
            if isinstance(battle, Battle) and hasattr(battle, "journal"):
                found = battle.journal.encode()
        step = step.tb_next
    return found


def code_digest() -> str:
    """A short name of the program as it is: everything under `src/sandtable` that decides something."""
    name = hashlib.blake2b(digest_size=6)
    for path in sorted((ROOT / "src" / "sandtable").rglob("*")):
        if path.suffix in (".py", ".yaml", ".pxd"):
            name.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return name.hexdigest()


@contextmanager
def kept_totals(out: Path, label: str) -> Iterator[Totals]:
    """The totals of a label, to be changed."""
    with kept(out, label, Totals) as totals:
        yield totals


@contextmanager
def kept(out: Path, label: str, kind: type[T]) -> Iterator[T]:
    """Totals of a kind, to be changed: read and written under a lock, so that shards may run at once."""
    with out.with_name(out.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        every = read_kept(out, kind)
        totals = every.setdefault(label, kind())
        yield totals
        part = out.with_name(out.name + ".part")
        part.write_text(json.dumps(msgspec.to_builtins(every), indent=1) + "\n")
        part.replace(out)


def read_totals(out: Path) -> dict[str, Totals]:
    """The totals by label; none where nothing was played yet."""
    return read_kept(out, Totals)


def read_kept(out: Path, kind: type[T]) -> dict[str, T]:
    """Totals of a kind by label."""
    if not out.exists():
        return {}
    return msgspec.json.decode(out.read_bytes(), type=dict[str, kind])  # type: ignore[valid-type]


def summary(totals: Totals) -> str:
    """The totals in a few lines."""
    counts = ("answers", "events", "undone", "refused", "refolded", "verdicts")
    played = ", ".join(f"{getattr(totals, count)} {count}" for count in counts)
    lines = [f"{totals.battles} battles kept every promise in {totals.seconds:.0f} seconds: {played}"]
    lines += [f"FAILED: battle {one.number} ({one.field}): {one.what}" for one in totals.failures]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, and give 0 where every battle of the totals kept its promises."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--shard", type=int, default=0, metavar="I", help="which share of the battles, from 0 (0)")
    parser.add_argument("--of", type=int, default=1, metavar="N", help="how many shares there are (1)")
    parser.add_argument("--battles", type=int, default=10_000, metavar="B", help="battles of all shares together")
    parser.add_argument("--out", type=Path, default=Path(".soak/totals.json"), metavar="FILE", help="keeps the totals")
    parser.add_argument("--ruleset", default="", metavar="NAME", help="only this ruleset, miniature or field")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="M", help="stop after so many minutes")
    parser.add_argument("--most-size", type=int, default=max(SIZES), metavar="N", help=f"({max(SIZES)})")
    parser.add_argument("--lean", action="store_true", help="mostly small battles, but some of every size")
    parser.add_argument("--share", type=int, default=RULESETS, metavar="P", help=f"percent of rulesets ({RULESETS})")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="play one battle again and let it fail")
    parser.add_argument("--field", default="", metavar="NAME", help="with --only: what it is played by")
    args = parser.parse_args(argv)
    sizes = {size: often for size, often in (LEAN if args.lean else SIZES).items() if size <= args.most_size}
    soak = Soak(args.ruleset, sizes, args.share)
    if args.only is not None:
        field = soak.named(args.field).switched(args.only) if args.field else soak.field(args.only)
        played = soak.play(args.only, field)
        refold_in_fresh_process([played])
        print(f"{field.name} {field.on()}: {played._replace(journal=b'')}")
        return 0
    collect_seldom()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    label = args.ruleset or "all"
    done = read_totals(args.out).get(label, Totals()).numbers()
    numbers = [number for number in range(args.shard, args.battles, args.of) if number not in done]
    well = Run(soak, args.out, label).go(numbers, args.minutes)
    totals = read_totals(args.out).get(label, Totals())
    print(summary(totals))
    return 0 if well and not totals.failures else 1


if __name__ == "__main__":
    sys.exit(main())
