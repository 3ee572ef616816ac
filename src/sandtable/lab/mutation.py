"""How much cases prove: change each number of a ledger by one and see whether a case of its rule fails.

Every change is tried in a child process of its own, forked before the rules are imported, so that each number the
rules keep anywhere is the changed one. A number that no case notices is alive: a case is missing or hollow, or the
number is typed twice, or it decides nothing. The last kind is listed, with reasons, in `undeciding.yaml`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from importlib import import_module

import msgspec

from sandtable.forces.data import Data, Path, nudged
from sandtable.forces.files import FileError, LedgerError, read_file, shown
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import convert
from sandtable.forces.references import path_of
from sandtable.lab.cases.batch import Stage
from sandtable.lab.cases.form import Case
from sandtable.lab.cases.runner import Outcome
from sandtable.lab.rulebooks import Rulebook
from sandtable.lab.workers import Died, Done, in_children

UNDECIDING = "undeciding.yaml"

#: A changed number may make a battle go on for ever; so long the cases of one rule may take.
SECONDS = 60

#: The layers below the rulesets: they read no ledger when they are imported.
_BELOW = ("sandtable.engine.", "sandtable.field.", "sandtable.forces.")


class Number(msgspec.Struct, frozen=True):
    """A number of a ledger, or a formula with one: its rule, where it stands in the rule's data, and its value."""

    rule: str
    path: Path
    value: int | Decimal | str

    @property
    def words(self) -> str:
        """How the report calls it.

        >>> Number("r.turn.points", ("table", 3), 2).words
        'r.turn.points: table / 3 is 2'
        """
        return f"{self.rule}: {' / '.join(map(str, self.path))} is {self.value}"


class Fate(msgspec.Struct, frozen=True):
    """What became of a number when it was changed: the case that noticed, or why none did."""

    number: Number
    caught_by: str = ""
    why_alive: str = ""
    listed: str = ""  # the reason that stands in the list of numbers that decide nothing

    @property
    def alive(self) -> bool:
        """Whether no case noticed."""
        return not self.caught_by


class Report(msgspec.Struct, frozen=True):
    """What mutation found in a ruleset."""

    ruleset: str
    fates: tuple[Fate, ...]
    stale: tuple[str, ...] = ()  # entries of the list whose numbers are all noticed
    failing: tuple[Outcome, ...] = ()  # cases that fail unchanged; then nothing was tried

    @property
    def alive(self) -> list[Fate]:
        """The numbers nobody noticed and nobody listed."""
        return [fate for fate in self.fates if fate.alive and not fate.listed]

    @property
    def good(self) -> bool:
        """Whether every number is noticed or listed, and the list is true."""
        return not (self.alive or self.stale or self.failing)


#: Stands in place of the name of a rule: all rules of the chapter.
EVERY = "*"


class Undeciding(msgspec.Struct, frozen=True):
    """An entry of the list: numbers of a rule that decide nothing, and why; or one key of all rules of a chapter."""

    rule: str
    reason: str
    at: tuple[str, ...] = ()

    def covers(self, number: Number) -> bool:
        """Whether a number stands at the entry's path or below it.

        >>> Undeciding("r", "unused", ("table",)).covers(Number("r", ("table", 3), 2))
        True
        >>> Undeciding("game.arms.*", "unused", ("price",)).covers(Number("game.arms.gun", ("levels", 1, "price"), 2))
        True
        """
        if self.rule.endswith(EVERY):
            return number.rule.startswith(self.rule.removesuffix(EVERY)) and str(number.path[-1]) == self.at[-1]
        return number.rule == self.rule and tuple(map(str, number.path))[: len(self.at)] == self.at


class _Entry(msgspec.Struct, frozen=True):
    rule: str
    reason: str
    at: Data | None = None


class _File(msgspec.Struct, frozen=True):
    ruleset: str
    undeciding: list[_Entry] = []


def undeciding(book: Rulebook, ledger: Ledger) -> list[Undeciding]:
    """The list of numbers that decide nothing; empty where there is no such file."""
    file = book.file(UNDECIDING)
    if not file.is_file():
        return []
    node = read_file(file, LedgerError)
    read = convert(node, _File, shown(file), LedgerError)
    numbers = [Number(*one) for one in ledger.numbers()]
    found: list[Undeciding] = []
    for n, entry in enumerate(read.undeciding):
        line = node.line_of("undeciding", n)
        if entry.rule not in ledger.rules and not (entry.rule.endswith(f".{EVERY}") and entry.at is not None):
            raise LedgerError(shown(file), line, f"there is no rule `{entry.rule}`", ledger.nearest(entry.rule))
        at = path_of(entry.at.node, shown(file), LedgerError) if entry.at is not None else ()
        one = Undeciding(entry.rule, entry.reason, tuple(map(str, at)))
        if not any(one.covers(number) for number in numbers):
            where = " / ".join(one.at) or "its data"
            remedy = "give the path of one under `at`, or remove the entry"
            raise LedgerError(shown(file), line, f"`{entry.rule}` has no number at {where}", remedy)
        found.append(one)
    return found


def mutate(
    book: Rulebook,
    cases: Sequence[Case],
    *,
    proved_only: bool = False,
    within: str = "",
    jobs: int = 2,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Change every number of a ruleset's ledger, by +1 and, where nobody notices, by −1, and say who noticed.

    `proved_only` leaves out rules that none of the cases proves, where the cases are a choice; `within` a chapter, or a
    rule, all others. Rules that are still to come are left out unless a case proves of them what has come already.
    `told` hears how many of how many changes are tried. The rules must not be imported yet in this process.
    """
    ledger = book.fresh_ledger()
    chosen = {rule for rule in ledger.rules if f"{rule}.".startswith(within and f"{within}.")}
    entries = undeciding(book, ledger)
    cases = [case for case in cases if not chosen.isdisjoint(case.proves)]
    failing, later = _unchanged(book, cases)
    if failing:
        return Report(book.name, (), failing=tuple(failing))
    chosen -= later - {rule for case in cases for rule in case.proves}
    numbers = [number for one in ledger.numbers() if (number := Number(*one)).rule in chosen]
    proving = {number.rule: [case for case in cases if number.rule in case.proves] for number in numbers}
    if proved_only:
        numbers = [number for number in numbers if proving[number.rule]]
    listed = [one for one in entries if any(one.covers(number) for number in numbers)]
    tried = [number for number in numbers if proving[number.rule]]
    caught: dict[tuple[str, Path], str] = {}
    for by in (1, -1):
        left = [number for number in tried if (number.rule, number.path) not in caught]
        for done, (number, noticed) in enumerate(_noticed(book, left, by, proving, jobs), 1):
            told(done, len(left))
            if noticed:
                caught[number.rule, number.path] = noticed
    fates = []
    for number in numbers:
        by_case = caught.get((number.rule, number.path), "")
        count = len(proving[number.rule])
        why = "" if by_case else f"none of its {count} cases notices" if count else "no case proves its rule"
        reason = next((one.reason for one in listed if one.covers(number)), "")
        fates.append(Fate(number, by_case, why, reason))
    stale = [one for one in listed if not any(fate.alive and one.covers(fate.number) for fate in fates)]
    return Report(book.name, tuple(fates), tuple(f"{one.rule} {' / '.join(one.at)}".strip() for one in stale))


def _unchanged(book: Rulebook, cases: Sequence[Case]) -> tuple[list[Outcome], frozenset[str]]:
    """The cases that fail with nothing changed, and the rules that are still to come.

    They are played in a child, for here the rules must stay unimported. What they import from below is imported here
    afterwards, so that no other child spends its time on it.
    """

    def work(share: Sequence[Case]) -> tuple[list[Outcome], frozenset[str], list[str]]:
        outcomes, later = _outcomes(book, share, stop=False), frozenset(book.ruleset().later)
        return outcomes, later, [name for name in sys.modules if name.startswith(_BELOW)]

    ((_, result),) = in_children([cases], work, jobs=1, seconds=3600)
    if isinstance(result, Died):
        raise FileError(book.name, 0, f"the cases cannot be played: {result.why}", "run `sandtable case` to see more")
    outcomes, later, modules = result.value
    for name in modules:
        import_module(name)
    return [outcome for outcome in outcomes if not outcome.passed], later


def _noticed(
    book: Rulebook, numbers: Sequence[Number], by: int, proving: dict[str, list[Case]], jobs: int
) -> Iterator[tuple[Number, str]]:
    def work(number: Number) -> str:
        changed = nudged(number.value, by)
        assert changed is not None
        book.change({(number.rule, number.path): changed})
        for outcome in _outcomes(book, proving[number.rule], stop=True):
            if not outcome.passed:
                return outcome.name
        return ""

    for n, result in in_children(numbers, work, jobs=jobs, seconds=SECONDS):
        # Rules that do not even load, or never come to an end, with the changed number depend on it too.
        yield numbers[n], result.value if isinstance(result, Done) else result.why


def _outcomes(book: Rulebook, cases: Sequence[Case], *, stop: bool) -> list[Outcome]:
    stage = Stage(lambda name: book, spelling=False)
    outcomes: list[Outcome] = []
    for case in cases:
        outcomes.append(stage.play(case))
        if stop and not outcomes[-1].passed:
            break
    return outcomes
