"""How long exact odds take, straight from the rules: over every step of every case in which dice fall.

A case is played as written; then all that each of its steps could have come to is walked from the boundary before
it, to the last consequence (`whole`). Of attacks with two weapons it is also told how long the dice of the attack
itself take, up to the harm it notes (`volley`): from the first step of the rules in which dice fall to the last of its
kind. For that 20 ms are promised. Times are those of the processor. The peer is a loop of a million additions in the
same interpreter, which tells this program's speed from this machine's. What takes more than the budget is sampled,
and what asks something that has no default cannot be walked: both are left out of the times.

    python benchmarks/odds.py [RULESET] [--cases PATH] [--budget LEAVES] [--seconds S] [--slowest N] [--json]
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any, NamedTuple

from sandtable.engine.enumerator import CannotAnswer, distribution
from sandtable.engine.state import State
from sandtable.engine.table import Things
from sandtable.forces.files import CaseError
from sandtable.lab.battles import collect_seldom
from sandtable.lab.case_odds import as_played, step_odds
from sandtable.lab.cases.form import Case, catalogues_for, find_cases
from sandtable.lab.cases.runner import Played, play_watched
from sandtable.lab.rulebooks import rulebook, rulebooks
from sandtable.tabletop.case_words import CaseWords

BUDGET = 5_000
#: The seconds of processor time after which no more steps of a ruleset are begun.
SECONDS = 30.0
ADDITIONS = 1_000_000
#: The milliseconds promised for the odds of an attack with two weapons.
PROMISED = 20


class Row(NamedTuple):
    """The odds of one step of a case."""

    case: str
    line: int
    weapons: int
    exact: bool
    leaves: int
    outcomes: int
    ms: float
    volley_ms: float = 0
    volley_leaves: int = 0


def weapons_in(played: Played) -> int:
    """How many weapons the answers of a step name together."""
    named = [raw.get("weapons") for _, raw in played.answers if isinstance(raw, dict)]
    return max((len(some) for some in named if isinstance(some, list | tuple)), default=0)


def steps_of(cases: Sequence[Case]) -> list[tuple[Case, CaseWords, Played]]:
    """Every step of some cases in which dice fall, those that name two weapons first."""
    found = []
    for case in cases:
        words = rulebook(case.ruleset).ruleset().with_cards(catalogues_for(case)).case_words()
        try:
            found += [(case, words, played) for played in play_watched(case, words) if played.rolled]
        except CaseError as problem:
            print(f"left out: {problem}")
    return sorted(found, key=lambda one: weapons_in(one[2]) != 2)


def rows_of(steps: Sequence[tuple[Case, CaseWords, Played]], budget: int, seconds: float) -> Iterator[Row]:
    """The odds of steps; none is begun after so many seconds."""
    end = process_time() + seconds
    for case, words, played in steps:
        begun = process_time()
        if begun > end:
            break
        try:
            found = step_odds(played, words, budget=budget, samples=50)
        except CannotAnswer:
            yield Row(case.name, played.line, weapons_in(played), exact=False, leaves=0, outcomes=0, ms=0)
            continue
        ms = 1000 * (process_time() - begun)
        row = Row(case.name, played.line, weapons_in(played), found.exact, found.leaves, len(found.outcomes), ms)
        yield row._replace(**volley(played, words, budget)) if row.weapons == 2 else row


def volley(played: Played, words: CaseWords, budget: int) -> dict[str, Any]:
    """How long the odds of an attack take up to what it notes, and how many leaves are walked."""
    given = as_played(words, played)
    state, ends = played.before, list[State]()

    def read(later: State) -> int:
        ends.append(later)
        return len(ends)

    while state.agenda:
        ends.clear()
        found = distribution(words.ruleset, state, read=read, until=lambda later: True, answers=given)
        if found.leaves > 1:
            break
        state = ends[0]
    kind = type(state.agenda[-1])
    state = state.copy()
    for table in (state.table, *state.views.values()):
        table.things = Things(table.things)  # what was found out about how they stand is found out anew
    begun = process_time()
    found = distribution(
        words.ruleset,
        state,
        read=lambda later: tuple((due.target, due.harm.what, due.harm.amount) for due in later.due),
        until=lambda later: type(later.agenda[-1]) is not kind,
        answers=given,
        budget=budget,
    )
    return {"volley_ms": 1000 * (process_time() - begun), "volley_leaves": found.leaves}


def loop_ms() -> float:
    """Milliseconds of a plain loop of additions: the best of five."""
    return min(_loop() for _ in range(5))


def _loop() -> float:
    begun, total = process_time(), 0
    for n in range(ADDITIONS):
        total += n
    return 1000 * (process_time() - begun)


def summary(what: str, steps: int, found: list[tuple[float, int]]) -> dict[str, Any]:
    """What is told of some steps: the milliseconds and leaves of those with exact odds."""
    told: dict[str, Any] = {"what": what, "steps": steps, "exact": len(found)}
    if found:
        times = [ms for ms, _ in found]
        told["median ms"] = round(median(times), 1)
        told["nine in ten ms"] = (
            round(quantiles(times, n=10, method="inclusive")[-1], 1) if len(times) > 1 else round(times[0], 1)
        )
        told["slowest ms"] = round(max(times), 1)
        told["leaves"] = int(median(leaves for _, leaves in found))
    return told


def summaries(rows: list[Row]) -> list[dict[str, Any]]:
    """What is told of a ruleset."""
    exact = [row for row in rows if row.exact]
    two = [row for row in exact if row.weapons == 2]
    return [
        summary("every step with dice, whole", len(rows), [(row.ms, row.leaves) for row in exact]),
        summary("two weapons, whole", sum(row.weapons == 2 for row in rows), [(row.ms, row.leaves) for row in two]),
        summary("two weapons, volley", len(two), [(row.volley_ms, row.volley_leaves) for row in two]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="", help="only this ruleset")
    parser.add_argument("--cases", type=Path, default=Path("cases"), metavar="PATH", help="a case, or a folder of them")
    parser.add_argument("--budget", type=int, default=BUDGET, metavar="LEAVES", help=f"of a walk ({BUDGET})")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help=f"of a ruleset ({SECONDS:.0f})")
    parser.add_argument("--slowest", type=int, default=5, metavar="N", help="how many of the slowest are named (5)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    cases = find_cases([str(args.cases)]).cases
    loop = loop_ms()
    collect_seldom()
    every = {}
    for name in [args.ruleset] if args.ruleset else [book.name for book in rulebooks()]:
        steps = steps_of([case for case in cases if case.ruleset == name])
        rows = list(rows_of(steps, args.budget, args.seconds))
        every[name] = summaries(rows)
        if not args.json:
            show(name, every[name], rows, args.slowest, loop)
    if args.json:
        print(json.dumps({"loop ms": loop, **every}))


def show(name: str, told: list[dict[str, Any]], rows: list[Row], slowest: int, loop: float) -> None:
    """Print what was found of a ruleset."""
    print(f"{name} (a million additions: {loop:.1f} ms)")
    for one in told:
        print(f"  {one['what']:28}" + ", ".join(f"{key} {value}" for key, value in one.items() if key != "what"))
    volleys = [row for row in rows if row.exact and row.weapons == 2]
    over = [row for row in volleys if row.volley_ms >= PROMISED]
    if volleys:
        print(f"  a volley of two weapons in under {PROMISED} ms: {len(volleys) - len(over)} of {len(volleys)}")
    for row in over:
        print(f"    {row.volley_ms:8.1f} ms  {row.case}:{row.line} (volley, {row.volley_leaves} leaves)")
    for row in sorted(rows, key=lambda row: -row.ms)[:slowest]:
        how = "exact" if row.exact else "sampled"
        print(f"    {row.ms:8.1f} ms  {row.case}:{row.line} ({how}, {row.leaves} leaves)")


if __name__ == "__main__":
    main()
