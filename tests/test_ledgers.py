"""The ledgers are kept: every rule that has come is cited and proved by a passing case, and fires in battles."""

import pytest

from sandtable.lab.cases.form import find_cases
from sandtable.lab.coverage import Witness, unfired, witnessed
from sandtable.lab.rulebooks import Rulebook, rulebooks
from tests.firing import random_player

BOOKS = list(rulebooks())

#: Battles of random bots in which, taken together, every rule fires that is not excused: scenario, size, seed. When the
#: rules or the random bot change what is asked or answered, `python -m tests.firing` finds others.
FIRING: dict[str, list[tuple[str, int, int]]] = {
    "dropzone": [
        ("attrition", 0, 7),
        ("gatebreakers", 0, 2),
        ("gatebreakers", 0, 7),
        ("gatebreakers", 0, 5),
        ("gatebreakers", 0, 27),
        ("gatebreakers", 0, 10),
        ("gatebreakers", 0, 59),
        ("hold-the-bunkers", 0, 4),
        ("hold-the-bunkers", 0, 6),
        ("house-to-house", 0, 2),
        ("house-to-house", 0, 5),
        ("house-to-house", 0, 18),
        ("seize-and-extract", 0, 1),
        ("sweep-the-blocks", 0, 3),
    ],
    "quickstart": [
        *(("stand-and-fight", 2, seed) for seed in (1, 4, 17, 30)),
        *(("breakdown", 0, seed) for seed in (7, 19)),
    ],
    "stargrunt": [
        ("armour", 0, 2),
        ("attack-defence", 1, 5),
        ("bombardment", 0, 2),
        ("bombardment", 0, 8),
        ("breach", 0, 3),
        ("breach", 0, 29),
        ("close-quarters", 0, 11),
        ("convoy", 0, 1),
        ("gunships", 0, 9),
        ("gunships", 0, 16),
        ("mined-crossing", 0, 7),
        ("night-patrol", 0, 1),
        ("night-patrol", 0, 2),
        ("night-patrol", 0, 4),
        ("patrol-clash", 1, 5),
        ("patrol-clash", 1, 17),
        ("rearguard", 1, 10),
        ("remnants", 0, 1),
        ("remnants", 0, 10),
    ],
    "strikeops": [
        ("border-muster", 0, 9),
        ("breakers-yard", 0, 6),
        ("breakers-yard", 0, 71),
        ("broken-ground", 0, 11),
        ("broken-ground", 0, 13),
        ("depot", 0, 4),
        ("depot", 0, 7),
        ("last-road", 0, 19),
        ("late-arrivals", 0, 10),
        ("league-and-charter", 0, 15),
        ("meeting", 0, 1),
        ("meeting", 0, 7),
        ("millrace-stand", 0, 10),
        ("three-crowns", 0, 20),
        ("until-the-whistle", 0, 16),
    ],
}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_every_rule_that_has_come_is_cited_and_proved(book: Rulebook) -> None:
    """By a case; that all cases pass is what `make cases` sees to, of which `make test` is made too."""
    later, ledger = book.ruleset().later, book.ledger()
    come = [rule for rule in ledger.rules if rule not in later]
    assert [rule for rule in come if rule not in ledger.cited] == []
    found = find_cases([f"cases/{book.name}"])
    assert found.wrong == []
    proved = {rule for case in found.cases for rule in case.proves}
    assert [rule for rule in come if rule not in proved] == []


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_every_rule_that_has_come_fires_in_whole_battles(book: Rulebook) -> None:
    rules = book.ruleset()
    witness = Witness(rules)
    for scenario, size, seed in FIRING[book.name]:
        witnessed(rules, witness, random_player, scenario, size, seed)
    excused = unfired(book, book.ledger())
    come = [rule for rule in book.ledger().rules if rule not in rules.later]
    assert [rule for rule in come if rule not in witness.fired and rule not in excused] == []
    assert [rule for rule in excused if rule in witness.fired] == []


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_at_most_one_rule_in_ten_is_excused_from_firing(book: Rulebook) -> None:
    excused = unfired(book, book.ledger())
    assert len(excused) * 10 <= len(book.ledger().rules)
    assert all(reason.strip() for reason in excused.values())


def test_some_ruleset_is_complete() -> None:
    assert any(book.ruleset().complete for book in BOOKS)
