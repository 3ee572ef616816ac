"""How long exact odds take, straight from the rules: over every case.

A case is played as written. Every lawful answer that it gives, or has checked, is judged and its preview made
(`previews`), and apart from the others those of declarations, which tell what a whole activation would do, with odds or
without; of these 1 s is promised at the 95th percentile. Then all that each of its steps with dice could have come to
is walked from the boundary before it, to the last consequence (`whole`). Of attacks with two weapons it is also told
how long the dice of the attack itself take, up to the harm it notes (`volley`): from the first step of the rules in
which dice fall to the last of its kind. For that 20 ms are promised, and for the preview of a declaration that is one
volley of a squad. Times are those of the processor. The peer is a loop of a million additions in the same interpreter,
which tells this program's speed from this machine's. What takes more than the budget is sampled, and what asks
something that has no default cannot be walked: both are left out of the times.

    python benchmarks/odds.py [RULESET] [--cases PATH] [--budget LEAVES] [--slowest N] [--json]
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any, NamedTuple

from sandtable.engine.answers.judging import check
from sandtable.engine.enumerator import CannotAnswer, distribution
from sandtable.engine.questions import AnyQuestion, Plan, Preview, Refusal
from sandtable.engine.ruleset import Ruleset, View
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
ADDITIONS = 1_000_000
#: The milliseconds promised for the odds of an attack with two weapons, and for the preview of a declaration.
PROMISED, PROMISED_DECLARATION = 20, 1000


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


class Tried(NamedTuple):
    """An answer that was found lawful, with what its side knew then."""

    case: Case
    ruleset: Ruleset
    view: View
    question: AnyQuestion
    answer: Any


class Shown(NamedTuple):
    """How long the preview of an answer took."""

    case: str
    declaration: bool
    ms: float


def played_cases(cases: Sequence[Case]) -> tuple[list[tuple[Case, CaseWords, Played]], list[Tried]]:
    """Every step of some cases in which dice fall, those that name two weapons first; and every answer they try."""
    steps, tried = [], list[Tried]()
    for case in cases:
        book = rulebook(case.ruleset)
        words = book.ruleset().with_cards(catalogues_for(case)).case_words()
        seen: dict[str, Tried] = {}
        judge = words.ruleset.judge

        def noting(
            view: View,
            question: AnyQuestion,
            answer: Any,
            case: Case = case,
            words: CaseWords = words,
            judge: Callable[[View, AnyQuestion, Any], Refusal | None] = judge,
            seen: dict[str, Tried] = seen,
        ) -> Refusal | None:
            refusal = judge(view, question, answer)
            if refusal is None:
                known = View(view.side, view.table.copy())
                seen.setdefault(f"{question} {answer}", Tried(case, words.ruleset, known, question, answer))
            return refusal

        words.ruleset.judge = noting  # type: ignore[method-assign]
        try:
            steps += [(case, words, played) for played in play_watched(case, words, book.ledger()) if played.rolled]
        except CaseError as problem:
            print(f"left out: {problem}")
        words.ruleset.judge = judge  # type: ignore[method-assign]
        tried += seen.values()
    return sorted(steps, key=lambda one: weapons_in(one[2]) != 2), tried


def shown_of(tried: Sequence[Tried]) -> Iterator[Shown]:
    """The previews of answers that show odds, and of all declarations, each with the judging that comes before it."""
    for one in tried:
        one.view.table.things = Things(one.view.table.things)  # what was found out when it was played is found anew
        begun = process_time()
        verdict = check(one.ruleset, one.view, one.question, one.answer)
        preview = Preview() if isinstance(verdict, Refusal) else verdict.preview()
        ms = 1000 * (process_time() - begun)
        declares = isinstance(one.question, Plan)
        if preview.odds or declares:
            yield Shown(one.case.name, declares, ms)


def rows_of(steps: Sequence[tuple[Case, CaseWords, Played]], budget: int) -> Iterator[Row]:
    """The odds of steps."""
    for case, words, played in steps:
        begun = process_time()
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


def summary(what: str, times: list[float], **more: int) -> dict[str, Any]:
    """What is told of some steps or previews: how many there are, and their milliseconds."""
    told: dict[str, Any] = {"what": what, **more}
    if times:
        told["median ms"] = round(median(times), 1)
        told["95th percentile ms"] = (
            round(quantiles(times, n=20, method="inclusive")[-1], 1) if len(times) > 1 else round(times[0], 1)
        )
        told["slowest ms"] = round(max(times), 1)
    return told


def of_steps(what: str, steps: int, found: list[tuple[float, int]]) -> dict[str, Any]:
    """What is told of some steps: how many have exact odds, how long these take, how many leaves they have."""
    leaves = {"leaves": int(median(leaves for _, leaves in found))} if found else {}
    return summary(what, [ms for ms, _ in found], steps=steps, exact=len(found), **leaves)


def summaries(rows: list[Row], shown: list[Shown]) -> list[dict[str, Any]]:
    """What is told of a ruleset."""
    exact = [row for row in rows if row.exact]
    two = [row for row in exact if row.weapons == 2]
    declared = [one for one in shown if one.declaration]
    return [
        summary("previews with odds", [one.ms for one in shown], previews=len(shown)),
        summary("previews of declarations", [one.ms for one in declared], previews=len(declared)),
        of_steps("every step with dice, whole", len(rows), [(row.ms, row.leaves) for row in exact]),
        of_steps("two weapons, whole", sum(row.weapons == 2 for row in rows), [(row.ms, row.leaves) for row in two]),
        of_steps("two weapons, volley", len(two), [(row.volley_ms, row.volley_leaves) for row in two]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="", help="only this ruleset")
    parser.add_argument("--cases", type=Path, default=Path("cases"), metavar="PATH", help="a case, or a folder of them")
    parser.add_argument("--budget", type=int, default=BUDGET, metavar="LEAVES", help=f"of a walk ({BUDGET})")
    parser.add_argument("--slowest", type=int, default=5, metavar="N", help="how many of the slowest are named (5)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    cases = find_cases([str(args.cases)]).cases
    loop = loop_ms()
    collect_seldom()
    every = {}
    for name in [args.ruleset] if args.ruleset else [book.name for book in rulebooks()]:
        steps, tried = played_cases([case for case in cases if case.ruleset == name])
        shown = list(shown_of(tried))
        rows = list(rows_of(steps, args.budget))
        every[name] = summaries(rows, shown)
        if not args.json:
            show(name, every[name], rows, shown, args.slowest, loop)
    if args.json:
        print(json.dumps({"loop ms": loop, **every}))


def show(name: str, told: list[dict[str, Any]], rows: list[Row], shown: list[Shown], slowest: int, loop: float) -> None:
    """Print what was found of a ruleset."""
    print(f"{name} (a million additions: {loop:.1f} ms)")
    for one in told:
        print(f"  {one['what']:28}" + ", ".join(f"{key} {value}" for key, value in one.items() if key != "what"))
    declared = [one for one in shown if one.declaration]
    if declared:
        for limit in (PROMISED, PROMISED_DECLARATION):
            quick = sum(one.ms < limit for one in declared)
            print(f"  the preview of a declaration in under {limit} ms: {quick} of {len(declared)}")
    volleys = [row for row in rows if row.exact and row.weapons == 2]
    over = [row for row in volleys if row.volley_ms >= PROMISED]
    if volleys:
        print(f"  a volley of two weapons in under {PROMISED} ms: {len(volleys) - len(over)} of {len(volleys)}")
    for row in over:
        print(f"    {row.volley_ms:8.1f} ms  {row.case}:{row.line} (volley, {row.volley_leaves} leaves)")
    for preview in sorted(shown, key=lambda one: -one.ms)[:slowest]:
        print(f"    {preview.ms:8.1f} ms  {preview.case} (preview)")
    for row in sorted(rows, key=lambda row: -row.ms)[:slowest]:
        how = "exact" if row.exact else "sampled"
        print(f"    {row.ms:8.1f} ms  {row.case}:{row.line} ({how}, {row.leaves} leaves)")


if __name__ == "__main__":
    main()
