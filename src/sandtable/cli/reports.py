"""The two reports on rules and cases: mutation and coverage."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from sandtable.cli.problems import UsageError
from sandtable.lab.cases.form import Case, find_cases
from sandtable.lab.coverage import Coverage
from sandtable.lab.mutation import Report
from sandtable.lab.rulebooks import Rulebook, rulebook, rulebooks

#: How many ids of a list are printed before the rest is only counted.
MOST_IDS = 40


def mutation(args: argparse.Namespace) -> int:
    """Change each number of the ledgers, or of a chapter, and say which ones no case notices."""
    from sandtable.lab.mutation import mutate

    name = args.mutate.partition(".")[0]
    books = [rulebook(name)] if name else list(rulebooks())
    well = True
    for book in books:
        cases = _cases_of(book, args.cases, args.words)
        if not cases:
            where = args.cases or f"cases/{book.name}"
            raise UsageError(f"there are no cases of {book.name} in {where}; give their folder by --cases")
        progress = _progress("numbers changed")
        report = mutate(book, cases, proved_only=bool(args.words), within=args.mutate, jobs=args.jobs, told=progress)
        if not (report.fates or report.failing):
            raise UsageError(f"no rule of {args.mutate or book.name} has a number; give a ruleset, a chapter or a rule")
        print(mutation_page(report))
        well = well and report.good
    return 0 if well else 1


def mutation_page(report: Report) -> str:
    """The report of mutation, readable."""
    if report.failing:
        names = "\n".join(f"  {outcome.name}" for outcome in report.failing)
        return f"{report.ruleset}: these cases fail with nothing changed; mend them first.\n{names}"
    noticed = sum(not fate.alive for fate in report.fates)
    listed = sum(fate.alive and bool(fate.listed) for fate in report.fates)
    alive = report.alive
    counts = f"{noticed} noticed by a case, {listed} listed as deciding nothing, {len(alive)} alive"
    lines = [f"{report.ruleset}: {len(report.fates)} numbers, {counts}"]
    lines += [f"  alive  {fate.number.words}  ({fate.why_alive})" for fate in alive]
    lines += [f"  stale  {entry} stands in undeciding.yaml, yet a case notices; remove it" for entry in report.stale]
    if alive:
        lines.append("Write a case that notices each of them, or list it in undeciding.yaml with the reason.")
    return "\n".join(lines)


def coverage(args: argparse.Namespace) -> int:
    """Report which rules are cited, proved and fired; 1 if a case fails or too many rules are excused."""
    from sandtable.bots import make_bot
    from sandtable.lab.coverage import coverage as covered

    if args.query:
        raise UsageError("--coverage reports on a whole ruleset; leave the words out")
    if args.battles < 0:
        raise UsageError("--battles counts battles; give 0 or more")
    books = [rulebook(args.ruleset)] if args.ruleset else list(rulebooks())
    seeds = range(args.seed, args.seed + args.battles)
    progress = _progress("battles played")
    reports = [
        covered(
            book,
            _cases_of(book, args.cases, ""),
            lambda ruleset, side, seed: make_bot("random", ruleset, seed),
            seeds=seeds,
            size=args.size,
            told=lambda done: progress(done, args.battles),
        )
        for book in books
    ]
    if args.json:
        print(json.dumps({report.ruleset: report.plain() for report in reports}, indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(coverage_page(report) for report in reports))
    return 1 if any(report.failing or report.too_many_unfired for report in reports) else 0


def coverage_page(report: Coverage) -> str:
    """The report of coverage, readable."""
    total, come = len(report.rules), {rule for rule in report.rules if rule not in report.waiting}
    lines = [f"{report.ruleset}: {total} rules" + (f", {len(come)} of them have come" if len(come) < total else "")]
    for fact in ("cited", "proved", "fired"):
        count = len(come & {*getattr(report, fact)})
        lines.append(f"  {fact.ljust(7)} {count:4} ({100 * count // max(1, len(come))} %)")
    seeds = [battle.seed for battle in report.battles]
    events = sum(battle.events for battle in report.battles)
    if seeds:
        lines.append(f"  battles {len(seeds):4} (seeds {seeds[0]} to {seeds[-1]}, {events} events)")
    lines.append(f"  excused {len(report.unfired):4} in unfired.yaml")
    if report.too_many_unfired:
        lines.append(f"  that is more than one in ten; at most {total // 10} may stand there")
    lines += [f"  stale: {one} stands in unfired.yaml, yet it fired; remove it" for one in report.fired_after_all]
    for delivery, count in Counter(report.waiting.values()).items():
        lines.append(f"  later   {count:4} wait for {delivery}")
    lines += [f"  a case fails and proves nothing: sandtable case {one.name}" for one in report.failing]
    for fact in ("cited", "proved", "fired"):
        lines += _missing(f"not {fact}", report.missing(fact))
    return "\n".join(lines)


def _missing(title: str, ids: Sequence[str]) -> list[str]:
    if not ids:
        return []
    more = [f"    and {len(ids) - MOST_IDS} more; --json lists them all"] if len(ids) > MOST_IDS else []
    return [f"  {title}:", *(f"    {rule_id}" for rule_id in ids[:MOST_IDS]), *more]


def _cases_of(book: Rulebook, folder: str | None, words: str) -> list[Case]:
    """The cases of a ruleset; a file that is wrong stops the report."""
    where = Path(folder) if folder else Path("cases") / book.name
    if folder is None and not where.is_dir():
        print(f"sandtable: there is no {where} here, so no case of {book.name} is played", file=sys.stderr)
        return []
    found = find_cases([str(where)], words)
    if found.wrong:
        raise found.wrong[0]
    return [case for case in found.cases if case.ruleset == book.name]


def _progress(what: str) -> Callable[[int, int], None]:
    """Tells on the terminal how far a long report is; silent where nobody watches."""

    def told(done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {of} {what}", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return told
