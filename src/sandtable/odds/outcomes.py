"""What can come of something, in a few words: outcomes of exact odds as a table and a small plot.

The distribution itself comes from `sandtable.engine.enumerator`, that is from the rules that play; here it is only read
and shown. Chances are fractions until they are printed.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from sandtable.engine.enumerator import Distribution, Outcome
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing

BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


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
    sets = [frozenset(fate.states) for outcome in found.outcomes for fate in _of(outcome, who) if not fate.gone]
    return frozenset.intersection(*sets) if sets else frozenset()


def percent(chance: Fraction) -> str:
    """A chance as it is read: two digits that count, never 0 for something that can happen.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 1000)), percent(Fraction(1)), percent(Fraction(999999, 1000000))
    ('33.3 %', '0.1 %', '100 %', '>99.9 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    tenths = round(chance * 1000)
    if tenths == 0:
        return "<0.1 %"
    return ">99.9 %" if tenths == 1000 else f"{tenths // 10}.{tenths % 10} %"


def bar(chance: Fraction, width: int = BAR) -> str:
    """A bar as long as a chance.

    >>> bar(Fraction(1, 2), 4)
    '██'
    """
    eighths = round(chance * width * 8)
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def table_of(found: Distribution) -> list[str]:
    """The outcomes as lines, likeliest first: chance, interval where it was sampled, bar, words."""
    lines = []
    for outcome in sorted(found.outcomes, key=lambda one: (-one.chance, str(one.what))):
        words = (
            " · ".join(fate.words() for fate in outcome.what) if isinstance(outcome.what, tuple) else str(outcome.what)
        )
        range_ = "" if found.exact else f" ({percent(outcome.low)} to {percent(outcome.high)})"
        lines.append(
            f"{percent(outcome.chance):>8}{range_}  {bar(outcome.chance):<{BAR}}  {words or 'nothing happens'}"
        )
    return lines


def at_least(found: Distribution) -> list[str]:
    """For each thing the chance of at least so much harm, and of being lost."""
    lines = []
    for who in noticeable(found):
        worst = max(fate.harm for outcome in found.outcomes for fate in _of(outcome, who))
        for harm in range(1, worst + 1):
            chance = found.chance(lambda what, h=harm, w=who: any(f.who == w and f.harm >= h for f in what))  # type: ignore[misc]
            lines.append(f"{percent(chance):>8}  {bar(chance):<{BAR}}  {who}: at least {harm} harm")
        lost = found.chance(lambda what, w=who: any(f.who == w and f.gone for f in what))  # type: ignore[misc]
        if lost:
            lines.append(f"{percent(lost):>8}  {bar(lost):<{BAR}}  {who}: out of play")
    return lines


def _of(outcome: Outcome, who: str) -> list[Fate]:
    return [fate for fate in outcome.what if fate.who == who] if isinstance(outcome.what, tuple) else []
