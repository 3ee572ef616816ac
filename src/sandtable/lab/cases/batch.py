"""Many cases at once, of any rulesets, in one process or a few."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from sandtable.forces.files import FileError
from sandtable.lab.cases.form import Case, catalogues_for
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.runner import Outcome, play
from sandtable.lab.cases.telling import Difference
from sandtable.lab.rulebooks import Rulebook, rulebook
from sandtable.lab.workers import Done, in_children
from sandtable.tabletop.case_words import CaseWords

#: Fewer cases than this are not worth a second process.
FEW = 60


class Stage:
    """Where cases are played: each ruleset with its words, opened once for each set of made-up models.

    Whether their words are right need not be seen again where cases are played over and over.
    """

    def __init__(self, find: Callable[[str], Rulebook] = rulebook, *, spelling: bool = True) -> None:
        self.find = find
        self.spelling = spelling
        self._words: dict[tuple[str, tuple[Path, ...]], tuple[CaseWords, KnownWords]] = {}

    def play(self, case: Case) -> Outcome:
        """Play one case; what is wrong with its ruleset or its made-up models is an outcome too."""
        try:
            book = self.find(case.ruleset)
            key = (case.ruleset, catalogues_for(case))
            if key not in self._words:
                words = book.ruleset().with_cards(key[1]).case_words()
                self._words[key] = words, KnownWords(words, book.ledger())
            return play(case, self._words[key][0], book.ledger(), self._words[key][1], spelling=self.spelling)
        except FileError as problem:
            wrong = str(problem)
            if not problem.line and problem.file == case.ruleset:
                wrong = str(case.head.fail(f"there is no ruleset `{case.ruleset}`", problem.remedy, "ruleset"))
            return Outcome(case.name, case.line, case.title, case.ruleset, case.proves, wrong=wrong)


def play_all(
    cases: Sequence[Case], *, jobs: int = 2, find: Callable[[str], Rulebook] = rulebook, seconds: float = 600
) -> list[Outcome]:
    """Play cases and give their outcomes in order; many of them are shared out over some processes."""
    if jobs < 2 or len(cases) < FEW:
        return _played(cases, find)
    # Whichever process is free takes the next share, so a share is small beside the whole.
    size = max(1, len(cases) // (jobs * 4))
    shares = [cases[start : start + size] for start in range(0, len(cases), size)]
    outcomes: dict[int, list[Outcome]] = {}
    for n, result in in_children(shares, lambda share: _played(share, find), jobs=jobs, seconds=seconds):
        if isinstance(result, Done):
            outcomes[n] = result.value
        else:
            outcomes[n] = [_lost(case, result.why) for case in shares[n]]
    return [outcome for n in range(len(shares)) for outcome in outcomes[n]]


def _played(cases: Iterable[Case], find: Callable[[str], Rulebook]) -> list[Outcome]:
    stage = Stage(find)
    return [stage.play(case) for case in cases]


def _lost(case: Case, why: str) -> Outcome:
    difference = Difference(case.line, f"the process that played this case gave up: {why}")
    return Outcome(case.name, case.line, case.title, case.ruleset, case.proves, (difference,))
