"""The exact odds of a case: everything its last step could have come to, had the dice not been written down.

The case is played as written to learn what is answered; then the same answers are given again from the boundary before
that step, with dice that branch. A question the case never met takes its default, and that is said.
"""

from typing import Any

import msgspec

from sandtable.engine.answers.judging import proper_answer
from sandtable.engine.enumerator import Answerer, CannotAnswer, Distribution, distribution
from sandtable.engine.questions import AnyQuestion, Refusal, fingerprint
from sandtable.engine.ruleset import View
from sandtable.forces.files import CaseError
from sandtable.forces.ledger import Ledger
from sandtable.lab.cases.form import Case
from sandtable.lab.cases.runner import Played, play_watched
from sandtable.lab.outcomes import fates, merged, models_of, noticeable
from sandtable.tabletop.case_words import CaseWords


class CaseOdds(msgspec.Struct, frozen=True):
    """The odds of one step of a case."""

    title: str
    line: int
    found: Distribution


def case_odds(case: Case, words: CaseWords, book: Ledger, *, budget: int = 400_000) -> CaseOdds:
    """The exact distribution of what the last step of a case that rolls dice can come to."""
    played = [one for one in play_watched(case, words, book) if one.rolled]
    if not played:
        raise CaseError(case.name, case.line, "no step of this case rolls dice", "give a case with an attack")
    last = played[-1]
    try:
        found = step_odds(last, words, budget=budget)
    except CannotAnswer as problem:
        raise CaseError(case.name, last.line, f"no odds: {problem}", "give a case that ends with an attack") from None
    return CaseOdds(case.title, last.line, merged(found, noticeable(found)))


def step_odds(played: Played, words: CaseWords, *, budget: int = 400_000, samples: int = 2_000) -> Distribution:
    """The distribution of what becomes of every model, were a step of a case that was played to be played again."""
    state = played.before
    who = models_of(state)
    depth = len(state.agenda)
    return distribution(
        words.ruleset,
        state,
        read=lambda later: fates(state.table, later.table, who),
        until=lambda later: len(later.agenda) < depth,
        answers=as_played(words, played),
        budget=budget,
        samples=samples,
    )


def as_played(words: CaseWords, played: Played) -> Answerer:
    """Answers every question as a step of a case did, where that is lawful; one that the step never met by default."""
    given = dict(played.answers)

    def answer(view: View, question: AnyQuestion) -> Any:
        raw = given.get(fingerprint(question))
        if raw is None or isinstance(proper_answer(words.ruleset, view, question, raw), Refusal):
            return None
        return raw

    return answer
