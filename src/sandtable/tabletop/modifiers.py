"""Modifiers as rows of a table: what changes a check, by which rule, on which checks, when, and by how much.

Most of a rulebook's attributes, weapons and upgrades are such rows. A chapter writes those of its rules and joins them
with those of others in the order in which they are told; whatever decides whether they count is gathered once in a
*situation*, an object of the ruleset's own. Play, preview, odds and opponents read the same parts.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side
from sandtable.forces.ledger import Rule

S = TypeVar("S", contravariant=True)


def always(situation: object) -> bool:
    """Whether a modifier counts: it does, and is told even where it changes nothing."""
    return True


class Modifier(msgspec.Struct, Generic[S], frozen=True):
    """One row. Without `when` it counts wherever it changes something."""

    rule: Rule
    label: str | Callable[[S], str]
    value: int | Callable[[S], int]
    checks: tuple[str, ...] = ()  # of which checks it speaks; none named: of all
    when: Callable[[S], bool] | None = None
    known_to: Callable[[S], tuple[Side, ...]] | None = None  # who may know of it; none named: everybody

    def part(self, situation: S) -> ExplainedPart | None:
        """What it comes to; nothing where it does not count."""
        if self.when is not None and not self.when(situation):
            return None
        value = self.value if isinstance(self.value, int) else self.value(situation)
        if not value and self.when is None:
            return None
        label = self.label if isinstance(self.label, str) else self.label(situation)
        return ExplainedPart(label, value, self.rule.id, () if self.known_to is None else self.known_to(situation))


def parts(rows: Iterable[Modifier[S]], check: str, situation: S) -> tuple[ExplainedPart, ...]:
    """What changes a check in a situation, in the order of the rows.

    >>> from sandtable.forces.ledger import ledger, systems
    >>> source = next(iter(ledger(systems()[0]).rules.values()))
    >>> far = Modifier[int](rule=source, label="long range", checks=("shot",), value=-2, when=lambda away: away > 8)
    >>> skill = Modifier[int](rule=source, label="skill", checks=("shot", "climb"), value=1)
    >>> [part.words() for part in parts((skill, far), "shot", 9)], [part.label for part in parts((far,), "climb", 9)]
    (['skill +1', 'long range −2'], [])
    """
    found = [row.part(situation) for row in rows if not row.checks or check in row.checks]
    return tuple([part for part in found if part is not None])
