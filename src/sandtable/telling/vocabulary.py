"""Whose words a log is told in, and the small words made of them: names of things, places, lengths, phrases.

Nothing here knows a ruleset. What is said comes from a table, so whoever is told from a side's own table is told no
more than that side knows.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sandtable.engine.explain import inches
from sandtable.engine.shapes import At, In, Place, Point
from sandtable.engine.table import Ground, Table, Thing


def _point(ground: Ground, point: Point) -> str:
    return f"({inches(point.x, '')}, {inches(point.y, '')})"


def _slot(ground: Ground, place: In) -> str:
    return place.slot


def _degrees(facing: int) -> str:
    return f"{facing}°"


class Vocabulary(NamedTuple):
    """Whose words are used: the mark of the unit, a ruleset's words for its ids, names of places and directions.

    A phrase is what is said of an action, of a state that comes (behind `now ` where an action has its name; behind
    `not `: that goes; behind `another `: that gets another value), of harm, of a way to be lost or to leave the table:
    `{who} fire[s|] at {at}`. It may name `{who}`, `{at}` (at whom), `{tools}`, `{value}` and `{was}`; of two words in
    brackets the second is for several. A state with an empty phrase is told in a log and not in a story, where the
    lines around it tell as much. Behind `roll ` stands what dice are thrown for; with an outcome behind it (`roll
    shock stands`), what came of it, or nothing where the lines that follow tell it. Behind `throws ` stands what
    somebody does who throws dice that decide nothing by themselves, behind `does ` how a deed that was declared is
    carried out, behind `declares ` what is declared (`an attack`; behind ` at` with `{at}`), behind `forfeits ` what
    cannot be done any more (`{value}`: how often; `forfeits tools`: what cannot be fired at whom), behind `revealed `
    what is said of a secret choice that is opened. Behind a state may stand its value, and ` by ` the last word of the
    rule by which it comes: `knockdown by going-prone`.
    """

    unit: str = ""  # behind a distance, such as ″ or  cm
    words: Mapping[str, str] = {}  # a state, an action, a phase, as the ruleset calls it → as players say it
    place: Callable[[Ground, Point], str] = _point
    direction: Callable[[int], str] | None = _degrees  # none: its models face nowhere
    notes: frozenset[str] = frozenset()  # states, and dice behind `roll `, that are told by what they lead to
    phrases: Mapping[str, str] = {}
    level: int = 1  # how much of a piece's height is told as one
    slot: Callable[[Ground, In], str] = _slot  # a place in a holder, as players call it

    def said(self, word: str) -> str:
        """A ruleset's id as players say it."""
        return spoken(word, self.words)


PLAIN = Vocabulary()

#: The marks of units that rulesets measure in.
UNITS = {"inch": "″", "centimetre": " cm", "cm": " cm"}

#: The kinds of things that others are named after.
_NAMESAKES = ("model", "unit", "marker", "holder")


def figure(number: int) -> str:
    """A number with the one kind of minus.

    >>> figure(-2), figure(3)
    ('−2', '3')
    """
    return str(number).replace("-", "−")


def spoken(word: str, words: Mapping[str, str] = {}) -> str:
    """A ruleset's id as players say it; one that it has no words for is read with spaces.

    >>> spoken("stand_up"), spoken("light-woods", {"light-woods": "light woods (1)"}), spoken("R-2")
    ('stand up', 'light woods (1)', 'R-2')
    """
    said = words.get(word)
    if said is not None:
        return said
    return word if word != word.lower() else word.replace("_", " ").replace("-", " ")


def listed(names: Sequence[str]) -> str:
    """Names as they are read out.

    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def listed_alike(names: Sequence[str]) -> str:
    """Names as they are read out, those of one kind together.

    >>> listed_alike(["medium MAC", "medium MAC", "light GM"])
    'both medium MACs and light GM'
    """
    return listed([_several(name, count) for name, count in Counter(names).items()])


def _several(name: str, count: int) -> str:
    many = name if name.endswith("s") else f"{name}s"
    return name if count == 1 else f"both {many}" if count == 2 else f"{count} {many}"


def by_number(phrase: str, many: bool) -> str:
    """A phrase for one or for several.

    >>> by_number("{who} fire[s|] and [is|are] seen", False), by_number("{who} fire[s|] and [is|are] seen", True)
    ('{who} fires and is seen', '{who} fire and are seen')
    """
    return re.sub(r"\[([^|\]]*)\|([^\]]*)\]", r"\2" if many else r"\1", phrase)


class Speaker:
    """One table and one vocabulary, and the small words made of them."""

    def __init__(self, table: Table, vocabulary: Vocabulary) -> None:
        self.table, self.vocabulary = table, vocabulary

    def word(self, word: str) -> str:
        """A ruleset's id as players say it."""
        return self.vocabulary.said(word)

    def phrase(self, key: str, who: str, *, many: bool = False, **fields: str) -> str | None:
        """What a ruleset says of something, or none where it has no phrase for it."""
        phrase = self.vocabulary.phrases.get(key)
        if phrase is None:
            return None
        return by_number(phrase, many).format(who=who, **{"at": "", "tools": "", "value": "", "was": "", **fields})

    def name(self, thing_id: str) -> str:
        """What a thing, a piece or a word is called. What is named after a thing is told by that thing's label."""
        label = self._label(thing_id)
        if label or thing_id in self.vocabulary.words:
            return label or self.word(thing_id)
        for cut in reversed([n for n, letter in enumerate(thing_id) if letter in "- "]):
            thing = self.table.things.get(thing_id[:cut])
            if thing is not None and thing.kind in _NAMESAKES and thing.label:
                rest = thing_id[cut + 1 :]
                return f"{thing.label} {' '.join(map(self.name, rest.split(' '))) if ' ' in rest else self.word(rest)}"
        return self.word(thing_id) or "somebody"

    def _label(self, thing_id: str) -> str:
        thing = self.table.things.get(thing_id)
        if thing is not None and (thing.label or thing.unit):
            return self._unit_of_one(thing) or thing.label
        for piece in self.table.ground.pieces:
            if piece.id == thing_id:
                return piece.label or self.word(piece.kind)
        return ""

    def _unit_of_one(self, thing: Thing) -> str:
        """The name of a unit whose only model a thing is: both are called alike."""
        unit = self.table.things.get(thing.unit) if thing.kind == "model" and thing.unit else None
        if unit is None or unit.kind != "unit" or not unit.label:
            return ""
        others = (one for one in self.table.things.values() if one.unit == unit.id and one.kind == "model")
        return unit.label if all(one.id == thing.id for one in others) else ""

    def is_plural(self, unit: str) -> bool:
        """Whether a unit is called by a word for several: `Red Tanks` fire, `First Squad` fires."""
        thing = self.table.things.get(unit)
        if thing is None or thing.kind != "unit" or not re.search(r"[^isu]s$", thing.label):
            return False
        return sum(one.unit == unit and one.kind == "model" for one in self.table.things.values()) > 1

    def names(self, ids: Sequence[str]) -> str:
        """Names, read out."""
        return listed(list(self.called(ids).values()))

    def called(self, ids: Sequence[str]) -> dict[str, str]:
        """What things are called one after another; the words that markers share are told once."""
        names = {one: self.name(one) for one in ids}
        lead = next(iter(names.values()), "").rpartition(" ")[0] + " "
        things = [self.table.things.get(one) for one in ids]
        if lead == " " or not all(name.startswith(lead) for name in names.values()):
            return names
        if not all(thing is not None and thing.kind == "marker" for thing in things):
            return names
        return {one: name if n == 0 else name.removeprefix(lead) for n, (one, name) in enumerate(names.items())}

    def words(self, words: Sequence[str]) -> str:
        """Several ids as players say them."""
        return listed([self.word(one) for one in words])

    def length(self, thousandths: int) -> str:
        """A distance with the mark of its unit."""
        return inches(thousandths, self.vocabulary.unit)

    def far(self, thousandths: int) -> str:
        """How far something went, to the nearest tenth: a way that fits the grid may be a hair shorter than allowed.

        What is less than a tenth is told to the hundredth: nobody moves 0″.
        """
        step = 100 if thousandths >= 100 else 10
        return self.length(max(step, (thousandths + step // 2) // step * step) if thousandths else 0)

    def where(self, place: Place) -> str:
        """Where something is."""
        if isinstance(place, At):
            level = f", level {place.level}" if place.level else ""
            return f"at {self.point(place.point)}{level}"
        if isinstance(place, In):
            slot = self.vocabulary.slot(self.table.ground, place)
            return f"in {self.name(place.holder)}" + (f", {slot}" if slot else "")
        return self.word(place.why) if place.why else "off the table"

    def wheres(self, places: Sequence[Place]) -> str:
        """Several places, each told once."""
        told = list(dict.fromkeys(self.where(place) for place in places))
        return listed([told[0], *(place.removeprefix("at ") for place in told[1:])])

    def point(self, point: Point) -> str:
        """What a point of the table is called."""
        return self.vocabulary.place(self.table.ground, point)

    def facing(self, degrees: int, lead: str = "") -> str:
        """Which way something faces, where models face somewhere."""
        direction = self.vocabulary.direction
        return "" if direction is None else f"{lead}facing {direction(degrees % 360)}"
