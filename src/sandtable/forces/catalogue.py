"""A catalogue: the cards of a ruleset, with numbers from the ledger wherever the ledger has them.

A card in a file either takes its numbers from a rule (`from_rule`, with `at` where the rule's data holds several
cards), or is like another card with changes (`like` and `change`), or brings them itself (`stats`). The file adds what
rules do not hold: the base, a glyph for drawing, call signs. The numbers arrive in a struct of the ruleset's own.
"""

from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from sandtable.engine.shapes import Base
from sandtable.forces.data import Data, Step
from sandtable.forces.files import CatalogueError, FileError, Node, nearest, read_file, shown
from sandtable.forces.ledger import Ledger, canonical, fingerprint, ruleset_folder
from sandtable.forces.reading import Length, convert, fields_of
from sandtable.forces.references import path_of, resolved

S = TypeVar("S", bound=msgspec.Struct)


class BaseForm(msgspec.Struct, frozen=True):
    """A base as a file writes it: exactly one of the forms, in table units.

    A hexagon is measured across its flats, a circle by its diameter or its radius, a rectangle by width and depth.
    """

    hexagon: Length | None = None
    circle: Length | None = None
    radius: Length | None = None
    rectangle: tuple[Length, Length] | None = None

    def base(self) -> Base | None:
        """The base, or none where not exactly one form is given, or one without any size.

        >>> BaseForm(radius=600).base()
        Base(form='circle', size=1200, depth=0)
        """
        forms = [
            Base("hexagon", self.hexagon) if self.hexagon is not None else None,
            Base("circle", self.circle) if self.circle is not None else None,
            Base("circle", 2 * self.radius) if self.radius is not None else None,
            Base("rectangle", *self.rectangle) if self.rectangle is not None else None,
        ]
        given = [form for form in forms if form is not None]
        if len(given) != 1 or given[0].size <= 0 or (given[0].form == "rectangle" and given[0].depth <= 0):
            return None
        return given[0]


class _FieldNames(msgspec.Struct, frozen=True):
    """Under which keys of a card's numbers its name, kind and points stand."""

    name: str = "name"
    kind: str = "kind"
    points: str = "points"


class _Entry(msgspec.Struct, frozen=True):
    """A card as a file writes it, references already followed."""

    id: str
    from_rule: str = ""
    at: Data | None = None
    like: str = ""
    change: Data | None = None
    stats: Data | None = None
    name: str = ""
    kind: str = ""
    points: int | None = None
    base: BaseForm | None = None
    height: int = 0
    glyph: str = ""
    call_signs: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True):
    ruleset: str
    cards: list[Data]
    fields: _FieldNames = _FieldNames()


class Card(msgspec.Struct, Generic[S], frozen=True):
    """One card: what every ruleset shows of a model, and the numbers in the ruleset's own struct."""

    id: str
    name: str
    kind: str
    points: int
    base: Base
    height: int
    glyph: str
    call_signs: tuple[str, ...]
    stats: S
    rule: str  # the rule its numbers come from, empty where the file brings them
    file: str
    line: int


class Catalogue(Generic[S]):
    """The cards of a ruleset by id, in the order of the files."""

    def __init__(self, book: Ledger, stats: type[S]) -> None:
        self.book = book
        self.stats = stats
        self.cards: dict[str, Card[S]] = {}
        self.beside: tuple[str, ...] = ()  # what rosters may buy that has no card: upgrades, assets
        self._numbers: dict[str, Node] = {}
        self._digest = ""

    def __iter__(self) -> Iterator[Card[S]]:
        return iter(self.cards.values())

    def __contains__(self, card_id: object) -> bool:
        return card_id in self.cards

    def __getitem__(self, card_id: str) -> Card[S]:
        return self.cards[card_id]

    def sells(self, name: str) -> bool:
        """Whether a roster may name it: a card, or what is bought beside them."""
        return name in self.cards or name in self.beside

    def nearest(self, card_id: str) -> str:
        """The sentence that helps who wrote an unknown id."""
        return nearest(card_id, self.cards)

    def plus(self, *paths: Path | Traversable) -> "Catalogue[S]":
        """A catalogue with the cards of more files, such as the made-up models of the cases."""
        more = Catalogue(self.book, self.stats)
        more.cards.update(self.cards)
        more.beside = self.beside
        more._numbers.update(self._numbers)
        for path in paths:
            more._read(path)
        return more

    def digest(self) -> str:
        """A fingerprint of all that can decide: numbers, points and bases. Names and glyphs leave it as it is."""
        if not self._digest:
            content = [
                [card.id, card.kind, card.points, card.base, card.height, canonical(self._numbers[card.id])]
                for _, card in sorted(self.cards.items())
            ]
            self._digest = fingerprint(content)
        return self._digest

    def _read(self, path: Path | Traversable) -> None:
        name = shown(path)
        file = convert(read_file(path, CatalogueError), _File, name, CatalogueError)
        if file.ruleset != self.book.system:
            found = f"this catalogue is for the ruleset `{file.ruleset}`"
            raise CatalogueError(name, 1, found, f"one for `{self.book.system}` would do")
        for entry in file.cards:
            card, numbers = _CardReader(self, name, file.fields, entry).card()
            self.cards[card.id] = card
            self._numbers[card.id] = numbers
        self._digest = ""


def read_catalogue(book: Ledger, stats: type[S], *paths: Path | Traversable) -> Catalogue[S]:
    """Read catalogue files into cards with the ruleset's own struct of numbers."""
    return Catalogue(book, stats).plus(*paths)


def package_catalogue(book: Ledger, stats: type[S]) -> Catalogue[S]:
    """The catalogue that comes with a ruleset."""
    folder = ruleset_folder(book.system) / "catalogue"
    paths = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)
    return read_catalogue(book, stats, *paths)


class _CardReader(Generic[S]):
    """Reads one card of a file."""

    def __init__(self, catalogue: Catalogue[S], file: str, names: _FieldNames, entry: Data) -> None:
        self.catalogue = catalogue
        self.file = file
        self.names = names
        self.entry = entry

    def fail(self, found: str, remedy: str, *path: Step) -> FileError:
        return CatalogueError(self.file, self.entry.node.line_of(*path), found, remedy)

    def card(self) -> tuple[Card[S], Node]:
        numbers = self.numbers()
        own = Data(numbers, self.file, CatalogueError)
        form = convert(self.without_numbers(own), _Entry, self.file, CatalogueError)
        like = self.catalogue.cards.get(form.like)
        if form.id in self.catalogue.cards:
            raise self.fail(f"the card `{form.id}` is in the catalogue already", "choose another id", "id")
        base = form.base.base() if form.base is not None else like.base if like is not None else None
        if base is None:
            raise self.fail(f"`{form.id}` has no clear base", "give it one, such as {circle: 1}", "base")
        name = form.name or (own.text_at(self.names.name) if own.has(self.names.name) else form.id)
        kind = form.kind or (own.text_at(self.names.kind) if own.has(self.names.kind) else "")
        points = form.points
        if points is None:
            points = own.number(self.names.points) if own.has(self.names.points) else 0
        card: Card[S] = Card(
            id=form.id,
            name=name,
            kind=kind or (like.kind if like else ""),
            points=points,
            base=base,
            height=form.height or (like.height if like else 0),
            glyph=form.glyph or (like.glyph if like else ""),
            call_signs=form.call_signs or (like.call_signs if like else ()),
            stats=convert(numbers, self.catalogue.stats, self.file, CatalogueError),
            rule=form.from_rule or (like.rule if like else ""),
            file=self.file,
            line=self.entry.line,
        )
        return card, numbers

    def without_numbers(self, own: Data) -> Node:
        """The entry with its references followed, and without the parts that `numbers` has read."""
        node = self.entry.node
        if not isinstance(node.value, dict):
            return node
        kept = {key: one for key, one in node.value.items() if key not in ("stats", "change", "at")}
        return resolved(Node(kept, node.line), self.catalogue.book, self.file, CatalogueError, own)

    def numbers(self) -> Node:
        """The card's numbers: of its rule or of the card it is like, with what the file adds or changes."""
        for key in self.entry.names():
            if key not in fields_of(_Entry):
                raise self.fail(f"unknown key `{key}`", nearest(key, fields_of(_Entry)), key)
        from_rule, like = self.word("from_rule"), self.word("like")
        own, change = self.part("stats"), self.part("change")
        if self.entry.has("change") and not like:
            raise self.fail("`change` without `like`", "name the card that is changed", "change")
        if bool(from_rule) + bool(like) > 1 or not (from_rule or like or self.entry.has("stats")):
            raise self.fail("it is not clear where the numbers come from", "give one of `from_rule`, `like` or `stats`")
        if from_rule:
            return self.added(self.of_rule(from_rule), own)
        return self.added(merged(self.of_card(like), change), own) if like else own

    def word(self, key: str) -> str:
        return self.entry.text_at(key) if self.entry.has(key) else ""

    def part(self, key: str) -> Node:
        return self.entry.node.child(key) or Node({}, self.entry.line)

    def of_rule(self, rule_id: str) -> Node:
        book = self.catalogue.book
        if rule_id not in book.rules:
            raise self.fail(f"there is no rule `{rule_id}`", book.nearest(rule_id), "from_rule")
        at = self.entry.node.child("at")
        path = path_of(at, self.file, CatalogueError) if at is not None else ()
        found = book.rule(rule_id, self.file)
        try:
            part = found.at(*path)
        except FileError as problem:
            raise self.fail(problem.found, problem.remedy, "at") from None
        for below, _ in part.leaves():
            part.scalar(*below)
        return part.node

    def of_card(self, card_id: str) -> Node:
        if card_id not in self.catalogue.cards:
            raise self.fail(f"there is no card `{card_id}` before this one", self.catalogue.nearest(card_id), "like")
        return self.catalogue._numbers[card_id]

    def added(self, numbers: Node, more: Node) -> Node:
        """The numbers and what the file adds to them; a number that stands elsewhere is not typed again."""
        if not (isinstance(numbers.value, dict) and isinstance(more.value, dict)):
            raise self.fail("the numbers of a card are no mapping", "name each of them")
        for key in more.value:
            if key in numbers.value:
                raise self.fail(f"`{key}` stands in the source of this card already", "leave it out here", "stats", key)
        return Node({**numbers.value, **more.value}, numbers.line)


def merged(node: Node, change: Node) -> Node:
    """A node with changes laid over it: mappings key by key, everything else as a whole.

    >>> from sandtable.forces.files import read_text
    >>> both = merged(read_text("{a: {b: 1, c: 2}}", "it"), read_text("{a: {b: 5}}", "it"))
    >>> [one.value for _, one in both.leaves()]
    [5, 2]
    """
    if not (isinstance(node.value, dict) and isinstance(change.value, dict)):
        return change
    over = {key: merged(node.value[key], one) if key in node.value else one for key, one in change.value.items()}
    return Node({**node.value, **over}, change.line)
