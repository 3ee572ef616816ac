"""What is said of a battle: a ruleset's `words.yaml`, beside its book.

    names: {CO: Confident}                  # ids as players say them; others are read as they stand, with spaces
    looks:                                  # states that a page shows: in which words and shape, and whether they help
      in position: {words: in position, shape: held, helps: true}
    phrases:                                # what a log says of actions, states and losses
      fire: "{who} fire[s|] at {at}"
    notes: [activated]                      # states, and dice (`roll damage`), that the lines around them tell

Every part may be left out. How a phrase is written says `sandtable.telling.vocabulary.Vocabulary`. Names that are made
of other data (actions by their labels, weapons by their cards) are not typed there: `labelled` and `counted` make them.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from sandtable.forces.files import FileError, nearest
from sandtable.forces.reading import Loaded, load, load_text
from sandtable.telling.vocabulary import by_number


class WordsError(FileError):
    """A ruleset's `words.yaml` is wrong."""


class BadgeShape(StrEnum):
    """What a badge shows: one of the drawn shapes, the letters of the value, or the first letters of the words."""

    LETTERS = ""
    VALUE = "value"
    SHAKEN = "shaken"
    WATCHING = "watching"
    LOCKED = "locked"
    DOWN = "down"
    HELD = "held"
    BROKEN = "broken"
    HIDDEN = "hidden"


class Look(msgspec.Struct, frozen=True):
    """How a page shows a state: the words for it, the shape of its badge, and whether it helps who has it."""

    words: str
    shape: BadgeShape = BadgeShape.LETTERS
    helps: bool = False
    hinders: tuple[str, ...] = ()  # values of a state that helps else, which do not


class Words(msgspec.Struct, frozen=True):
    """Everything a ruleset's `words.yaml` says."""

    names: dict[str, str] = {}
    looks: dict[str, Look] = {}
    phrases: dict[str, str] = {}
    notes: tuple[str, ...] = ()


#: What a phrase may name.
FIELDS = ("who", "at", "tools", "value", "was")


def read_words(path: Path | Traversable) -> Words:
    """The words of a file."""
    return _seen(load(path, Words, WordsError))


def words_of_text(text: str, name: str = "words.yaml") -> Words:
    """The words of a text; errors call it by its name.

    >>> words_of_text("looks: {knockdown: {words: knocked down, shape: down}}").looks["knockdown"].shape.value
    'down'
    >>> words_of_text('phrases: {fire: "{who} fires at {att}"}')
    Traceback (most recent call last):
    ...
    sandtable.tabletop.words.WordsError: words.yaml:1: `fire` names {att}; did you mean `at`?
    """
    return _seen(load_text(text, Words, name, WordsError))


def _seen(loaded: Loaded[Words]) -> Words:
    """The words, once it is seen that every phrase can be said and that nothing is noted twice."""
    words = loaded.value
    for key, phrase in words.phrases.items():
        for named in re.findall(r"\{([^}]*)\}", phrase):
            if named not in FIELDS:
                raise loaded.fail(f"`{key}` names {{{named}}}", nearest(named, FIELDS), "phrases", key)
        if re.search(r"[][{}|]", re.sub(r"\{\w+\}", "", by_number(phrase, True))):
            found = f"`{key}` has a bracket or a bar too many"
            raise loaded.fail(found, "write {who} for a name, and [is|are] for one and several", "phrases", key)
    for n, note in enumerate(words.notes):
        if note in words.notes[:n]:
            raise loaded.fail(f"the note `{note}` stands twice", "keep one of them", "notes", n)
    return words


def labelled(labels: Mapping[str, str]) -> dict[str, str]:
    """Names made of labels: what stands on a button, said in the middle of a sentence.

    >>> labelled({"shoot": "Ranged assault"})
    {'shoot': 'ranged assault'}
    """
    return {one: label.lower() for one, label in labels.items()}


def counted(one: str, name: str, count: int) -> dict[str, str]:
    """What several alike are called: by the id of the first, behind which the others have their number.

    >>> counted("medium-mac", "medium MAC", 2)
    {'medium-mac': 'medium MAC', 'medium-mac-2': 'second medium MAC'}
    """
    return {one: name, **{f"{one}-{n}": f"{_ORDINALS.get(n, f'{n}th')} {name}" for n in range(2, count + 1)}}


_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
