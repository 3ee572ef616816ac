"""The words in which the battles of a ruleset are told, made of what the ruleset publishes.

A ruleset may publish `WORDS` (its ids → as players say them), `PHRASES` (what is said of its actions and states, see
`sandtable.telling.vocabulary.Vocabulary`), `FACES` (whether its models face somewhere; they do where it says nothing)
and `NOTES` (states that its rules keep for themselves, which a log need not tell).
"""

from functools import cache

from sandtable.field.drawing.words import compass, square_of
from sandtable.forces.ledger import systems
from sandtable.lab.rulebooks import Published, rulebook
from sandtable.telling.vocabulary import UNITS, Vocabulary


def vocabulary(published: Published) -> Vocabulary:
    """The words for the battles of a ruleset."""
    words = getattr(published, "WORDS", {})
    direction = compass if getattr(published, "FACES", True) else None
    notes = frozenset(getattr(published, "NOTES", ()))
    phrases = getattr(published, "PHRASES", {})
    return Vocabulary(UNITS.get(published.ruleset().unit, ""), words, square_of, direction, notes, phrases)


@cache
def vocabulary_of(ruleset: str) -> Vocabulary:
    """The words for the battles of a ruleset of this name; plain ones where the ruleset is not there any more.

    >>> vocabulary_of("nonesuch").unit
    ''
    """
    if ruleset not in systems():
        return Vocabulary(place=square_of, direction=compass)
    return vocabulary(rulebook(ruleset).publish())
