"""The odds of a case as a page of the terminal, with a table and a small plot, or as JSON.

Chances are fractions until they are printed.
"""

import json
from fractions import Fraction

from sandtable.engine.enumerator import Distribution
from sandtable.forces.files import CaseError
from sandtable.lab.case_odds import CaseOdds, case_odds
from sandtable.lab.cases.form import catalogues_for, find_cases
from sandtable.lab.outcomes import fates_of, noticeable
from sandtable.lab.rulebooks import rulebook

BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def show_odds(ruleset: str, case: str, *, as_json: bool = False) -> int:
    """Print the odds of one case."""
    book = rulebook(ruleset)
    found = find_cases([case])
    if found.wrong:
        raise found.wrong[0]
    fitting = [one for one in found.cases if one.ruleset == ruleset]
    if not fitting:
        raise CaseError(case, 0, f"no case of `{ruleset}` is here", "name a case file of that ruleset")
    if len(fitting) > 1:
        lines = ", ".join(f"{one.name}:{one.line}" for one in fitting[:4])
        raise CaseError(case, 0, f"{len(fitting)} cases are here", f"name one of them: {lines}")
    odds = case_odds(fitting[0], book.ruleset().with_cards(catalogues_for(fitting[0])).case_words(), book.ledger())
    print(_json(odds) if as_json else "\n".join(_page(odds)))
    return 0


def _page(odds: CaseOdds) -> list[str]:
    found = odds.found
    how = (
        f"exact, {found.leaves} ways walked"
        if found.exact
        else f"sampled {found.leaves} times; intervals hold 19 in 20"
    )
    lines = [odds.title, f"({how})", "", *table_of(found), ""]
    summary = at_least(found)
    lines += [*summary, ""] if summary else []
    lines += [f"taken for granted: {one}" for one in found.assumed if "default" in one]
    return lines


def _json(odds: CaseOdds) -> str:
    found = odds.found
    outcomes = [
        {
            "chance": f"{one.chance.numerator}/{one.chance.denominator}",
            "percent": round(float(one.chance) * 100, 6),
            "low": round(float(one.low) * 100, 6),
            "high": round(float(one.high) * 100, 6),
            "fates": [
                {"who": fate.who, "harm": fate.harm, "gone": fate.gone, "states": list(fate.states)}
                for fate in one.what
            ],
        }
        for one in sorted(found.outcomes, key=lambda one: -one.chance)
        if isinstance(one.what, tuple)
    ]
    whole = {
        "title": odds.title,
        "line": odds.line,
        "exact": found.exact,
        "leaves": found.leaves,
        "assumed": list(found.assumed),
        "outcomes": outcomes,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)


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
        worst = max(fate.harm for outcome in found.outcomes for fate in fates_of(outcome, who))
        for harm in range(1, worst + 1):
            chance = found.chance(lambda what, h=harm, w=who: any(f.who == w and f.harm >= h for f in what))  # type: ignore[misc]
            lines.append(f"{percent(chance):>8}  {bar(chance):<{BAR}}  {who}: at least {harm} harm")
        lost = found.chance(lambda what, w=who: any(f.who == w and f.gone for f in what))  # type: ignore[misc]
        if lost:
            lines.append(f"{percent(lost):>8}  {bar(lost):<{BAR}}  {who}: out of play")
    return lines
