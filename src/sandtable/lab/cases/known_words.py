"""Every word that a case of a ruleset may say, by section: what `--words` lists and what spelling is held against.

Some words the ruleset lists itself (`CaseWords.vocabulary`): topics, actions, states, models. The others its rules say
while they play: names of checks, outcomes, labels of parts, windows, reasons. They are read off its source, see
`source_words`. A word with a hole (`… range`, `Quality D…`) is right where the hole is filled with a number or with a
name that stands in the ledger, in the vocabulary or on the table.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from sandtable.engine.questions import AnyQuestion
from sandtable.engine.table import Table
from sandtable.forces.files import nearest
from sandtable.forces.ledger import Ledger
from sandtable.lab.cases.matching import loose
from sandtable.lab.cases.source_words import HOLE, Source, source_of
from sandtable.tabletop.case_words import CaseWords

#: What rules say, by section: the fields of events and other objects that hold such words.
SAID: dict[str, tuple[str, ...]] = {
    "checks": ("Rolled.what",),
    "outcomes": ("Rolled.outcome",),
    "parts": ("ExplainedPart.label", "Modifier.label"),
    "windows": ("Passed.window",),
    "declared": ("Declared.action", "Forfeited.action"),
    "phases": ("PhaseBegan.phase",),
    "steps": ("StepBegan.name",),
    "harm": ("Harm.what",),
    "moments": ("HarmNoted.moment",),
    "states": ("StateChanged.state",),
    "until": ("StateChanged.until", "Grouped.until"),
    "counts": ("Counted.what", "Spent.what"),
    "how lost": ("ModelLost.how",),
    "left to": ("Left.to",),
    "manner": ("Moved.manner",),
    "decks": ("DeckChanged.deck",),
    "deck changes": ("DeckChanged.change",),
    "lands": ("Landed.what",),
    "sealed": ("Sealed.topic",),
    "revealed": ("Revealed.what", "Revealed.shown"),
    "reasons": ("Scored.reason", "BattleEnded.reason"),
    "explanations": ("Explanation.what",),
    "odds": ("Chance.label",),
    "topics": tuple(f"{kind.__name__}.topic" for kind in AnyQuestion.__args__),
}

#: What each section is for, as `--words` says it.
MEANINGS: dict[str, str] = {
    "checks": "what is rolled for: {check: …}, and the name of a die in `dice`",
    "outcomes": "how a check ends: `outcome`",
    "parts": "labels of what adds to a number: `parts`, `needs_parts`, `dice_parts`, `explanations`",
    "windows": "what a side lets pass: {passed: SIDE, window: …}",
    "declared": "what is told of somebody: {declared: A, action: …}, {forfeited: A, action: …}",
    "phases": "{phase-began: TURN, phase: …}, {battle: {phase: …}}",
    "steps": "{step-began: …}",
    "harm": "what is done to somebody: `harm`",
    "moments": "when noted harm is settled: `moment`",
    "until": "when a state ends: `until`",
    "counts": "what is counted on a model or a side: `counts`, {spent: A, what: …}, {counted: A, what: …}",
    "how lost": "{model-lost: A, how: …}, `gone`",
    "left to": "{left: A, to: …}",
    "manner": "how something moved: `manner`",
    "decks": "{deck-changed: …}",
    "deck changes": "`change` of a deck",
    "lands": "{landed: …}",
    "sealed": "what is chosen in secret: `topic`",
    "revealed": "what is shown: `what`, `shown`",
    "reasons": "why points are scored and battles end: `reason`",
    "explanations": "what a preview explains: `what`",
    "odds": "what a preview knows the chance of: `odds`",
    "topics": "what questions are about: `topic` of `asked` and `not_asked`",
}

#: The section of the words of a field, by event (or other object) and field.
SECTION_OF: dict[tuple[str, str], str] = {
    (field.partition(".")[0], field.partition(".")[2]): section for section, fields in SAID.items() for field in fields
}

#: Sections of a vocabulary whose words are right in a section of what rules say.
_ALSO = {"topics": ("answers",), "declared": ("actions",)}


#: Sections of whose words not all can be followed; there a text is right where the rules write just that somewhere.
_OPEN = ("lands", "sealed", "revealed", "reasons", "explanations", "odds")


#: Sections whose words the rules write out: what cannot be followed there is one of those that can.
_ALL = ("checks", "windows", "phases", "steps", "topics", "states")


class KnownWords:
    """The words of a ruleset's cases. What the source tells is read when somebody asks for it."""

    def __init__(self, words: CaseWords, book: Ledger) -> None:
        self.listed: Mapping[str, Mapping[str, str]] = words.vocabulary()
        modules = (type(words.ruleset).__module__, type(words).__module__)
        self._package = _package_of(next((one for one in modules if "rulesets" in one), modules[0]))
        self._book = book
        self._said: dict[str, frozenset[str]] = {}
        self._folded: dict[str, frozenset[str]] = {}

    @cached_property
    def source(self) -> Source:
        """The source of the ruleset."""
        return source_of(self._package, self._book)

    def said(self, section: str) -> frozenset[str]:
        """The words of a section that the rules say, with holes."""
        if section not in self._said:
            texts: set[str] = set()
            for field in SAID.get(section, ()):
                kind, _, name = field.partition(".")
                texts |= self.source.field(kind, name)
            self._said[section] = frozenset(texts)
        return self._said[section]

    def words(self, section: str) -> list[str]:
        """All words of a section, in order; those with nothing but holes left out."""
        listed = [word for name in (section, *_ALSO.get(section, ())) for word in self.listed.get(name, ())]
        return list(dict.fromkeys([*listed, *sorted(one for one in self.said(section) if _tells(one))]))

    def has(self, section: str, word: str, table: Table | None = None) -> bool:
        """Whether a word may stand where the words of a section do; capitals do not matter."""
        plain, listed = loose(word), self._plain_listed(section)
        texts = self._plain_said(section) | {one for one in listed if HOLE in one}
        if plain in listed or plain in texts:
            return True
        if any(self._fills(plain, one, table) for one in texts if HOLE in one and (one != HOLE or section not in _ALL)):
            return True
        return section in _OPEN and self.is_name(word, table)

    def _plain_listed(self, section: str) -> frozenset[str]:
        names = (section, *_ALSO.get(section, ()))
        return frozenset(loose(word) for name in names for word in self.listed.get(name, ()))

    def _plain_said(self, section: str) -> frozenset[str]:
        if section not in self._folded:
            self._folded[section] = frozenset(loose(one) for one in self.said(section))
        return self._folded[section]

    def remedy(self, section: str, word: str) -> str:
        """The sentence that helps who wrote a wrong word."""
        return nearest(word, self.words(section))

    def is_name(self, word: str, table: Table | None = None) -> bool:
        """Whether a word is a number or a name: of the ledger, the vocabulary, or something on the table.

        Of several things of one name the later ones are numbered: `guided-missile-light-2`.
        """
        for plain in (loose(word), re.sub(r"\W\d+$", "", loose(word))):
            if self._is_listed(plain, table) or plain in self._literals:
                return True
        named = re.split(r" (?:at|on) ", word)  # who does what to whom: `B1 at A1`
        return len(named) > 1 and all(self.is_name(one, table) for one in named)

    def _is_listed(self, plain: str, table: Table | None) -> bool:
        """Whether a whole text is a number or a name, of the ledger, the vocabulary, or something on the table."""
        if re.fullmatch(r"[-+−]?[0-9][0-9.,″°:/]*", plain) or plain in self._names:
            return True
        return table is not None and plain in {loose(one) for one in _on(table)}

    def is_familiar(self, word: str, table: Table | None) -> bool:
        """Whether each single word of a text stands somewhere in the rules: none of them is misspelt."""
        near = {part for one in _on(table) for part in _parts(one)} if table is not None else set()
        return all(part in self._single or part in near or part.isdigit() for part in _parts(word))

    def _fills(self, word: str, text: str, table: Table | None) -> bool:
        if text == HOLE:
            return self._is_listed(word, table)
        pattern = "(.+?)".join(re.escape(part) for part in text.split(HOLE))
        found = re.fullmatch(pattern, word)
        return found is not None and all(self.is_name(one, table) for one in found.groups())

    @cached_property
    def _literals(self) -> frozenset[str]:
        return frozenset(loose(one) for one in self.source.literals if len(one) > 1)  # a letter is the name of a model

    @cached_property
    def _single(self) -> frozenset[str]:
        return frozenset(part for one in (*self._literals, *self._names) for part in _parts(one))

    @cached_property
    def _names(self) -> frozenset[str]:
        names: set[str] = set()
        for section in self.listed.values():
            for word, meaning in section.items():
                names |= {loose(word), loose(meaning)}
        for rule in self._book.rules.values():
            for path, node in rule.leaves():
                names |= {loose(str(step)) for step in path}
                if isinstance(node.value, str):
                    names.add(loose(node.value))
        return frozenset(names)


def _package_of(module: str) -> str:
    """The package of a ruleset by the module of its class: the folder under `rulesets`, else the module itself."""
    parts = module.split(".")
    at = parts.index("rulesets") + 2 if "rulesets" in parts else len(parts)
    return ".".join(parts[:at])


def _on(table: Table) -> Iterator[str]:
    """Every name of something on the table."""
    yield from table.sides
    for thing in table.things.values():
        yield from (thing.id, thing.label, thing.card)
    for piece in table.ground.pieces:
        yield from (piece.id, piece.label, piece.kind)
    yield from table.decks


def _parts(text: str) -> list[str]:
    """The single words of a text."""
    return re.findall(r"[^\W_]+", text.casefold())


def _tells(text: str) -> bool:
    return bool(re.search(r"\w", text.replace(HOLE, ""))) and not text.endswith(":")
