"""The ledgers are kept: every rule of a complete ruleset is cited, proved by a passing case, and fires in battles."""

import pytest

from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import find_cases
from sandtable.lab.coverage import unfired
from sandtable.lab.rulebooks import Rulebook, rulebooks

BOOKS = list(rulebooks())
COMPLETE = [book for book in BOOKS if getattr(book.publish(), "COMPLETE", True)]


@pytest.mark.parametrize("book", COMPLETE, ids=lambda book: book.name)
def test_every_rule_is_cited_and_proved(book: Rulebook) -> None:
    book.publish()
    ledger = book.ledger()
    assert [rule for rule in ledger.rules if rule not in ledger.cited] == []
    found = find_cases([f"cases/{book.name}"])
    assert found.wrong == []
    outcomes = play_all(found.cases)
    assert [outcome.title for outcome in outcomes if not outcome.passed] == []
    proved = {rule for outcome in outcomes for rule in outcome.proves}
    assert [rule for rule in ledger.rules if rule not in proved] == []


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_at_most_one_rule_in_ten_is_excused_from_firing(book: Rulebook) -> None:
    excused = unfired(book, book.ledger())
    assert len(excused) * 10 <= len(book.ledger().rules)
    assert all(reason.strip() for reason in excused.values())


def test_some_ruleset_is_complete() -> None:
    assert COMPLETE
