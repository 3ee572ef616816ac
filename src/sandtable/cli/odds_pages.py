"""The odds of a case as a page of the terminal, or as JSON."""

import json

from sandtable.forces.files import CaseError
from sandtable.lab.case_odds import CaseOdds, case_odds
from sandtable.lab.cases.form import catalogues_for, find_cases
from sandtable.lab.rulebooks import rulebook
from sandtable.odds.outcomes import at_least, table_of


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
    odds = case_odds(fitting[0], book.ruleset().with_cards(catalogues_for(fitting[0])).case_words())
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
