"""Cases written in tests: a skirmish between A and B, and what comes of its steps."""

from pathlib import Path

from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import read_cases
from sandtable.lab.cases.runner import Outcome
from sandtable.lab.rulebooks import Rulebook
from tests.lab.skirmish import skirmish

HEAD = """
ruleset: skirmish
title: A meets B
proves: [skirmish.shooting.to-hit]
red: [{model: soldier, as: A, at: [4, 10]}]
blue: [{model: soldier, as: B, at: [10, 10]}]
turn: A
"""


def played(path: Path, play: str, *, head: str = HEAD, book: Rulebook | None = None) -> Outcome:
    """What comes of a case whose steps are given; line 9 of the file is the first step."""
    file = path / "case.yaml"
    file.write_text(f"{head}play:\n{play}", encoding="utf-8")
    used = book or skirmish()
    (outcome,) = play_all(read_cases(file), find=lambda name: used)
    return outcome


def told(outcome: Outcome) -> str:
    """Everything a failed case says, in one text."""
    assert not outcome.passed
    lines = [outcome.wrong]
    for difference in outcome.differences:
        lines += [f"line {difference.line}: {difference.headline}", *difference.happened, difference.trace]
        lines += [
            f"{'same' if row.same else 'other'} {row.what}: {row.expected} | {row.came}" for row in difference.rows
        ]
    return "\n".join(lines)
