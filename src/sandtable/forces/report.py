"""Validation reports: what a ruleset finds in a roster, each finding with its rule, its sentence and its line.

The checks come from the ruleset; here they are gathered, joined with the lines of the file and told.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Protocol, TypeVar

import msgspec

from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import Loaded

T = TypeVar("T")
C = TypeVar("C", contravariant=True)


class Severity(Enum):
    """How much a finding matters.

    An error breaks a rule; what is missing a rule asks for, and more can mend it; what comes later no rule forbids, but
    it is not played yet; a warning goes against advice; a note only tells.
    """

    ERROR = "error"
    MISSING = "missing"
    LATER = "later"
    WARNING = "warning"
    NOTE = "note"


#: What keeps a roster from being played.
UNLAWFUL = (Severity.ERROR, Severity.MISSING, Severity.LATER)


class Finding(msgspec.Struct, frozen=True):
    """One thing a ruleset has to say: a sentence in table language, and the rule that makes it say so."""

    severity: Severity
    rule: str
    sentence: str
    at: tuple[str | int, ...] = ()  # the path of what it is about
    line: int = 0  # filled in by the report


class Checker(Protocol[C]):
    """A check of a ruleset. `validate` takes any number of them."""

    def __call__(self, subject: C, /) -> Iterable[Finding]: ...


class Report(msgspec.Struct, frozen=True):
    """All findings about a file, errors first, then by line."""

    file: str
    findings: tuple[Finding, ...] = ()

    @property
    def lawful(self) -> bool:
        """Whether no rule is broken, and nothing is missing that one asks for."""
        return not any(finding.severity in UNLAWFUL for finding in self.findings)

    def __str__(self) -> str:
        """One line for each finding.

        >>> print(Report("force.yaml", (Finding(Severity.ERROR, "a.b.c", "Two models are too many.", (), 3),)))
        force.yaml:3: error: Two models are too many. (a.b.c)
        """
        return "\n".join(self._told(finding) for finding in self.findings)

    def _told(self, finding: Finding) -> str:
        place = f"{self.file}:{finding.line}" if finding.line else self.file
        return f"{place}: {finding.severity.value}: {finding.sentence} ({finding.rule})"


def validate(loaded: Loaded[T], book: Ledger, *checkers: Checker[T]) -> Report:
    """Ask every checker what it finds; a finding that names no rule of the ledger is our mistake and fails."""
    order = list(Severity)
    found = []
    for checker in checkers:
        for finding in checker(loaded.value):
            book.find(finding.rule)
            found.append(msgspec.structs.replace(finding, line=loaded.line_of(*finding.at)))
    found.sort(key=lambda finding: (order.index(finding.severity), finding.line))
    return Report(loaded.file, tuple(found))
