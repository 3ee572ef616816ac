"""What `sandtable case` prints: cases that differ, and the words cases may use."""

import argparse
import sys
import textwrap
from collections.abc import Mapping

from sandtable.cli.problems import UsageError
from sandtable.cli.rule_pages import wrapped
from sandtable.forces.ledger import Ledger
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import find_cases
from sandtable.lab.cases.listing import every_word
from sandtable.lab.cases.runner import Outcome
from sandtable.lab.cases.telling import difference_lines
from sandtable.lab.rulebooks import rulebook

WIDTH = 100


def play_cases(args: argparse.Namespace) -> int:
    """Play the cases and tell each that differs; 0 if all passed, 1 if one differs, 2 if a file is wrong."""
    if not args.path:
        raise UsageError("no case is named; give case files or folders, such as cases/")
    found = find_cases(args.path, args.words)
    if not found.cases and not found.wrong:
        raise UsageError(f"no case fits `{args.words}`; leave -k out to play them all")
    outcomes = play_all(found.cases, jobs=args.jobs)
    wrong = [str(problem) for problem in found.wrong] + [outcome.wrong for outcome in outcomes if outcome.wrong]
    failed = [outcome for outcome in outcomes if outcome.differences]
    for outcome in failed:
        print(failure(outcome, rulebook(outcome.ruleset).ledger(), rules=args.rules), end="\n\n")
    for message in wrong:
        for line in message.splitlines():
            print(f"sandtable: {line}", file=sys.stderr)
    passed = sum(outcome.passed for outcome in outcomes)
    print(_counted(passed, len(failed), len(wrong)))
    return 2 if wrong else 1 if failed else 0


def _counted(passed: int, failed: int, wrong: int) -> str:
    """The last line: how many cases came out how.

    >>> _counted(3, 0, 0), _counted(1, 2, 1)
    ('3 cases passed', '1 case passed, 2 failed, 1 cannot be played')
    """
    parts = [f"{passed} case{'' if passed == 1 else 's'} passed"]
    if failed:
        parts.append(f"{failed} failed")
    if wrong:
        parts.append(f"{wrong} cannot be played")
    return ", ".join(parts)


def failure(outcome: Outcome, ledger: Ledger, *, rules: bool = False) -> str:
    """A case that failed: what differs, how to run it again and, if wanted, what its rules say."""
    name = outcome.name.removesuffix(f":{outcome.line}")
    first = outcome.differences[0].line
    lines = [f"FAILED {name}:{first}: {outcome.title}"]
    for difference in outcome.differences:
        lines += ["", *("  " + line if line else "" for line in difference_lines(difference, WIDTH))]
    for rule_id in outcome.proves if rules else ():
        rule = ledger.find(rule_id)
        lines += ["", f"  {rule.id}: {rule.title}", wrapped(rule.text, WIDTH, "    ")]
        if rule.ruling:
            lines.append(wrapped(f"Ruling: {rule.ruling}", WIDTH, "    "))
    lines += [
        "",
        f"  Run it again: sandtable case {outcome.name}" + ("" if rules else " (--rules: with what its rules say)"),
    ]
    return "\n".join(lines)


def vocabulary(name: str) -> int:
    """List every word that the cases of a ruleset may use."""
    book = rulebook(name)
    print(f"The words of {name} cases; docs/write-a-case.md says how a case is built. … stands for a number or a name.")
    for section, entries in every_word(book.ruleset().case_words(), book.ledger()).items():
        print(f"\n{section}")
        print(_glossary(entries))
    return 0


def _glossary(entries: Mapping[str, str]) -> str:
    if not any(entries.values()):
        several = "; ".join(entries)
        return textwrap.fill(several, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    wide = min(max((len(word) for word in entries), default=0), 32)
    lines = []
    for word, meaning in entries.items():
        head = f"  {word.ljust(wide)}  "
        lines.append(
            textwrap.fill(meaning or "…", WIDTH, initial_indent=head, subsequent_indent=" " * (wide + 4))
            if len(word) <= wide
            else f"  {word}\n" + wrapped(meaning, WIDTH, " " * (wide + 4))
        )
    return "\n".join(lines)
