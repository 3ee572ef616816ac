"""Plays cases and says what came of each."""

import msgspec

from sandtable.forces.files import CaseError, FileError
from sandtable.forces.ledger import Ledger
from sandtable.lab.cases import same
from sandtable.lab.cases.form import Case, check_rules
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.spelling import Speller
from sandtable.lab.cases.steps import Played, Playing
from sandtable.lab.cases.telling import Difference
from sandtable.tabletop.case_words import CaseWords


class Outcome(msgspec.Struct, frozen=True):
    """What came of a case: nothing that differs, or differences; or the file is wrong."""

    name: str
    line: int
    title: str
    ruleset: str
    proves: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    wrong: str = ""

    @property
    def passed(self) -> bool:
        """Whether all came as expected."""
        return not self.differences and not self.wrong


def play(
    case: Case, words: CaseWords, book: Ledger, known: KnownWords | None = None, *, spelling: bool = True
) -> Outcome:
    """Play a case and say what differs. A wrong file and a broken program are outcomes too."""
    known = known or KnownWords(words, book)
    differences: list[Difference] = []
    wrong: list[FileError] = []
    playing = Playing(case, words, known, watchers=case.same_for)
    try:
        check_rules(case, book)
        differences = playing.all_steps()
        if not differences and case.same_as is not None:
            differences = _told_apart(case, case.same_as, playing, words, known)
    except FileError as problem:
        wrong.append(problem)
    if playing.battle is not None and spelling:
        speller = Speller(known, playing.battle.table, playing.battle.journal.events(), playing.shown)
        found = speller.look_at(case, len(playing.played))
        wrong += [problem for problem in found if str(problem) not in map(str, wrong)]
    messages = "\n".join(str(problem) for problem in sorted(wrong, key=lambda one: one.line))
    told = () if messages else tuple(differences)
    return Outcome(case.name, case.line, case.title, case.ruleset, case.proves, told, messages)


def _told_apart(case: Case, first: Case, playing: Playing, words: CaseWords, known: KnownWords) -> list[Difference]:
    """How some side can tell a variant from the first, though it must not."""
    other = Playing(first, words, known, watchers=case.same_for)
    if other.all_steps():
        return []  # the first variant tells what is wrong with it
    return [
        difference
        for side in case.same_for
        for difference in same.differences(side, other.watchers[side].seen, playing.watchers[side].seen, first.title)
    ]


def play_watched(case: Case, words: CaseWords, book: Ledger) -> list[Played]:
    """Play a case and tell of each step; one that differs ends it with an error that says how to see why."""
    playing = Playing(case, words, KnownWords(words, book))
    differences = playing.all_steps()
    if differences:
        found = f"the case does not pass: {differences[0].headline}"
        raise CaseError(case.name, differences[0].line, found, "`sandtable case` says more")
    return playing.played


__all__ = ["CaseError", "Outcome", "Played", "play", "play_watched"]
