"""The words in which the battles of a ruleset are told, made of what the ruleset says of itself."""

from functools import cache

from sandtable.field.drawing.words import compass, square_of
from sandtable.forces.ledger import systems
from sandtable.rulesets import ruleset
from sandtable.tabletop.book import Book
from sandtable.telling.vocabulary import UNITS, Vocabulary


def vocabulary(book: Book) -> Vocabulary:
    """The words for the battles of a ruleset."""
    direction = compass if book.faces else None
    notes = frozenset(book.notes)
    unit = UNITS.get(book.unit, "")
    return Vocabulary(unit, book.words, square_of, direction, notes, book.phrases, book.level, book.slot_words)


@cache
def vocabulary_of(name: str) -> Vocabulary:
    """The words for the battles of a ruleset of this name; plain ones where the ruleset is not there any more.

    >>> vocabulary_of("nonesuch").unit
    ''
    """
    if name not in systems():
        return Vocabulary(place=square_of, direction=compass)
    return vocabulary(ruleset(name))
