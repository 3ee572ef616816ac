"""Every ruleset that lies in the package publishes what the reports and the command need."""

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.ledger import systems
from sandtable.lab.rulebooks import rulebook

#: mypy holds the packages to the protocol here.


@pytest.mark.parametrize("name", systems())
def test_a_ruleset_publishes_all_there_must_be(name: str) -> None:
    book = rulebook(name)
    published = book.ruleset()
    assert published.size_counts
    first, second = published, published.fresh()
    assert isinstance(first, Ruleset)
    assert first is not second, "reports listen in on one object; others must not notice"
    assert first.name == name
    words = published.case_words()
    assert words.ruleset.name == name
    vocabulary = words.vocabulary()
    assert vocabulary["answers"]
    assert vocabulary["actions"]
    assert all(isinstance(meaning, str) for section in vocabulary.values() for meaning in section.values())


@pytest.mark.parametrize("name", systems())
def test_what_is_in_play_and_what_refuses_stands_in_the_ledger(name: str) -> None:
    book = rulebook(name)
    published = book.ruleset()
    battle = Battle(published, published.setup(), seed=1)
    named = [rule for thing in battle.table.things.values() for rule in published.in_play(thing)]
    named += [rule for question in battle.questions for rule in question.rules]
    named += [event.rule for event in battle.journal.events() if event.rule]
    assert named
    assert [rule for rule in named if rule not in book.ledger().rules] == []
