"""Tallies: how many there are of something in a roster, and how many a rule lets there be or asks for.

Most rules of army building are of this form. A tally shows its arithmetic, whether it is kept or not; where it is not,
a finding follows from it.
"""

from collections.abc import Iterable

import msgspec

from sandtable.forces.report import Finding, Severity


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """A number that a rule bounds: what is counted, how many there are, and from how many to how many may be."""

    what: str
    found: int
    least: int = 0
    most: int | None = None
    rule: str
    at: tuple[str | int, ...] = ()
    sum: str = ""  # how the number comes about: "3 × 20 + 35"

    @property
    def bounds(self) -> str:
        """From how many to how many there may be.

        >>> [Tally(what="", found=0, least=a, most=b, rule="").bounds for a, b in ((0, 2), (1, 1), (1, None), (0, 0))]
        ['at most 2', 'just 1', 'at least 1', 'none']
        """
        if self.most is None:
            return f"at least {self.least}"
        if self.most == 0:
            return "none"
        if self.least == self.most:
            return f"just {self.most}"
        return f"{self.least} to {self.most}" if self.least else f"at most {self.most}"

    @property
    def finding(self) -> Finding | None:
        """What is to be said of it; none where it is kept.

        >>> Tally(what="Frontline Battlegroups", found=0, least=1, most=2, rule="a.b").finding.sentence
        'Frontline Battlegroups: 0 of 1 to 2.'
        """
        if self.found < self.least:
            severity = Severity.MISSING
        elif self.most is not None and self.found > self.most:
            severity = Severity.ERROR
        else:
            return None
        shown = f"{self.sum} = {self.found}" if self.sum else str(self.found)
        may = f"{shown} of {self.bounds}" if self.most != 0 else f"{shown}, and there may be none"
        return Finding(severity, self.rule, f"{self.what}: {may}.", self.at)


def findings_of(tallies: Iterable[Tally]) -> list[Finding]:
    """What is to be said of some tallies."""
    return [found for one in tallies if (found := one.finding) is not None]
