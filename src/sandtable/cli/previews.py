"""What a draft would bring, in lines: costs, numbers with their parts, distances, sight, odds."""

from collections import Counter
from collections.abc import Callable

from sandtable.engine.explain import Explanation, inches, signed
from sandtable.engine.questions import Chance, Preview, SightNote


def preview_lines(preview: Preview, named: Callable[[str], str] = str) -> list[str]:
    """A preview as a player reads it; `named` gives the names of things.

    >>> preview_lines(Preview(odds=(Chance("B1: 1 harm", 5, 36),)))
    ['odds:', '  13.9 %  B1: 1 harm']
    """
    lines = [*preview.notes]
    lines += [
        f"{named(path.model)} spends {path.total} of {path.allowance}{_spent(path.costs)}" for path in preview.paths
    ]
    costs = [cost for path in preview.paths for cost in path.costs]
    lines += [_number(number) for number in preview.explanations if number.parts and number not in costs]
    lines += [f"{named(thing)} is {inches(away, '')} away" for thing, away in preview.distances.items()]
    for words, many in Counter(map(_sight, preview.sight)).items():
        lines.append(words if many == 1 else f"{many} lines {words}")
    if preview.odds:
        lines += ["odds:", *(f"  {_chance(chance)}" for chance in preview.odds)]
    if preview.odds_note:
        lines.append(preview.odds_note)
    return lines


def _spent(costs: tuple[Explanation, ...]) -> str:
    """What a way costs, like parts added up: `ground +3, light woods +2`."""
    sums: dict[str, int] = {}
    for cost in costs:
        for part in cost.parts:
            sums[part.label] = sums.get(part.label, 0) + part.value
    return ": " + ", ".join(f"{label} {signed(value)}" for label, value in sums.items()) if sums else ""


def _number(number: Explanation) -> str:
    return f"{number.what} {number.total}: {', '.join(part.words() for part in number.parts)}"


def _sight(sight: SightNote) -> str:
    crossed = ", ".join(
        f"{bead.label} ({'blocks' if bead.blocks else 'counts' if bead.counts else 'does not count'})"
        for bead in sight.beads
    )
    return ("out of sight" if sight.blocked else "in sight") + (f", across {crossed}" if crossed else "")


def _chance(chance: Chance) -> str:
    thousandths = round(1000 * chance.numerator / chance.denominator)
    said = f"{thousandths // 10}.{thousandths % 10} %"
    if chance.range is not None:
        low, high = chance.range
        said += f" ({low / 10:g} to {high / 10:g})"
    elif thousandths == 0 and chance.numerator:
        said = "under 0.1 %"
    return f"{said}  {chance.label}"
