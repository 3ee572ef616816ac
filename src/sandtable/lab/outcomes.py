"""What can come of something: the outcomes of exact odds, told of those to whom it makes a difference.

The distribution itself comes from `sandtable.engine.enumerator`, that is from the rules that play; here it is read.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from sandtable.engine.enumerator import Distribution, Outcome
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing


class Fate(msgspec.Struct, frozen=True, order=True):
    """What became of one thing: harm taken since, states it got, what was counted down, how it was lost."""

    who: str
    harm: int = 0
    gone: str = ""
    states: tuple[str, ...] = ()

    def words(self) -> str:
        """The fate as a player says it.

        >>> Fate("B", 2, "", ("knockdown",)).words()
        'B: 2 harm, knockdown'
        """
        parts = [self.gone] if self.gone else [f"{self.harm} harm"] if self.harm else []
        parts += self.states if not self.gone else ()
        return f"{self.who}: {', '.join(parts) or 'unharmed'}"


def fates(before: Table, after: Table, who: Iterable[str]) -> tuple[Fate, ...]:
    """What became of some things between two tables."""
    return tuple(_fate(before.things[one], after.things[one]) for one in who)


def _fate(before: Thing, after: Thing) -> Fate:
    new = tuple(sorted(state for state in after.states if state not in before.states and not state.startswith("has ")))
    return Fate(after.label or after.id, after.harm - before.harm, after.gone, () if after.gone else new)


def models_of(state: State) -> tuple[str, ...]:
    """The models that something can become of."""
    return tuple(thing.id for thing in state.table.of_kind("model") if not thing.gone)


def noticeable(found: Distribution) -> tuple[str, ...]:
    """The fates that differ between outcomes at all: whoever always ends alike is not worth a line."""
    seen: dict[str, list[Fate]] = {}
    for outcome in found.outcomes:
        if isinstance(outcome.what, tuple):
            for fate in outcome.what:
                known = seen.setdefault(fate.who, [])
                if fate not in known:
                    known.append(fate)
    return tuple(who for who, known in seen.items() if len(known) > 1)


def merged(found: Distribution, who: tuple[str, ...]) -> Distribution:
    """The same distribution, told only of some of the things, and without the states they get whatever happens."""
    always = {one: _always(found, one) for one in who}
    chances: dict[tuple[Fate, ...], list[Fraction]] = {}
    for outcome in found.outcomes:
        assert isinstance(outcome.what, tuple)
        kept = tuple(
            msgspec.structs.replace(fate, states=tuple(one for one in fate.states if one not in always[fate.who]))
            for fate in outcome.what
            if fate.who in who
        )
        row = chances.setdefault(kept, [Fraction(0), Fraction(0), Fraction(0)])
        for n, part in enumerate((outcome.chance, outcome.low, outcome.high)):
            row[n] += part
    outcomes = tuple(Outcome(what, *row) for what, row in chances.items())
    return Distribution(outcomes, found.exact, found.leaves, found.assumed)


def _always(found: Distribution, who: str) -> frozenset[str]:
    """The states that a thing has in every outcome in which it is still in play."""
    sets = [frozenset(fate.states) for outcome in found.outcomes for fate in fates_of(outcome, who) if not fate.gone]
    return frozenset.intersection(*sets) if sets else frozenset()


def fates_of(outcome: Outcome, who: str) -> list[Fate]:
    """What an outcome says of one thing."""
    return [fate for fate in outcome.what if fate.who == who] if isinstance(outcome.what, tuple) else []
