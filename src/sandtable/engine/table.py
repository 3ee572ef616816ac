"""The table: what stands where, in which state. Plain immutable values in a mutable index.

Values hold no cycles, so the garbage collector need not look at them (`gc=False`): a battle keeps thousands.

Nothing here knows a ruleset. A table changes only by events (`sandtable.engine.changes.apply`); the battle keeps the
true one, and one for each side folded from the events that side may see, by the very same code.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

from sandtable.engine.ids import NO_SIDE, NO_THING, PieceId, Side, ThingId
from sandtable.engine.shapes import At, Base, Off, Place, Shape

Found = TypeVar("Found")
Names = ParamSpec("Names")

#: What a state or a secret may hold.
Value = int | str | tuple[str, ...]


class Mark(msgspec.Struct, frozen=True, gc=False):
    """One state of a thing: its value, and when it ends, in the ruleset's words."""

    value: Value = 1
    until: str = ""


class Thing(msgspec.Struct, frozen=True, gc=False):
    """Anything that acts or is counted: a model, a unit, a marker, a side, the battle itself."""

    id: ThingId
    kind: str = "model"  # model, unit, marker, card, holder, side, battle
    side: Side = NO_SIDE
    label: str = ""
    card: str = ""  # its entry in the catalogue
    glyph: str = ""  # a shape word for drawing
    base: Base | None = None
    height: int = 0  # in levels, as drawn; rules have their own say
    place: Place = Off()
    facing: int = 0
    unit: ThingId = NO_THING
    harm: int = 0
    track: int = 0  # how much harm it can take; 0 where the word means nothing
    states: dict[str, Mark] = {}
    counts: dict[str, int] = {}
    gone: str = ""  # how it was lost, empty while it is in play

    @property
    def on_table(self) -> bool:
        """Whether it stands on the table now."""
        return not self.gone and isinstance(self.place, At)

    def has(self, state: str) -> bool:
        """Whether it has a state.

        >>> Thing("A", states={"prone": Mark()}).has("prone")
        True
        """
        return state in self.states

    def value(self, state: str) -> Value | None:
        """The value of a state, or none."""
        mark = self.states.get(state)
        return None if mark is None else mark.value

    def words(self, state: str) -> tuple[str, ...]:
        """The words that a state holds, one or several; none where it is a number, or not there."""
        mark = self.states.get(state)
        if mark is None or isinstance(mark.value, int):
            return ()
        return mark.value if isinstance(mark.value, tuple) else (mark.value,)

    def count(self, what: str) -> int:
        """How many of something it has left; what was never counted is 0."""
        return self.counts.get(what, 0)


class Contour(msgspec.Struct, frozen=True, gc=False):
    """One level of a hill: its outline, and whether its edge is a cliff."""

    level: int
    outline: Shape
    cliff: bool = False


class Part(msgspec.Struct, frozen=True, gc=False):
    """A named part of a terrain piece, such as a section of a building, and the state it is in."""

    id: str
    outline: Shape | None = None
    level: int = 0
    state: str = ""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A terrain piece: what it is, its outline, how high it rises above the ground under it."""

    id: PieceId
    kind: str
    outline: Shape
    height: int = 0
    contours: tuple[Contour, ...] = ()  # hills: nested, lowest first; empty for everything else
    parts: tuple[Part, ...] = ()
    traits: dict[str, int | str] = {}  # depth of water, an enterable house
    label: str = ""


class Ground(msgspec.Struct, frozen=True, dict=True, eq=False):
    """The board and its terrain. Immutable, so that what is computed from it may be kept with it."""

    width: int
    height: int
    pieces: tuple[Piece, ...] = ()

    def piece(self, piece_id: str) -> Piece:
        """The piece of that id."""
        by_id: dict[str, Piece] | None = self.__dict__.get("_by_id")
        if by_id is None:
            by_id = self.__dict__["_by_id"] = {piece.id: piece for piece in reversed(self.pieces)}
        return by_id[piece_id]


#: The kind of a card that was drawn, and where it may be off the table: in a hand, laid open, discarded.
CARD, IN_HAND, LAID_OPEN, DISCARDED = "card", "in hand", "laid open", "discarded"
#: In the contents of a deck: less than nothing of it stands for cards that were drawn unseen.
UNSEEN = ""


class Deck(msgspec.Struct, frozen=True, gc=False):
    """A deck of cards: what it holds, and in which order as far as the owner of this table knows.

    A card that somebody drew without showing it is still among the contents of those who did not see it, and one less
    is counted under the name `UNSEEN`: what is held adds up to the number of cards in every view.
    """

    contents: dict[str, int] = {}
    order: tuple[str, ...] = ()  # next card first; empty where the order is not known


class Ending(msgspec.Struct, frozen=True, gc=False):
    """How a battle ended. No winner is a draw."""

    winner: Side
    points: dict[Side, int]
    reason: str


#: Under which word the models of units are kept.
_OF = "models of"


class Things(dict[str, Thing]):
    """The things of a table by id, in the order they came; keeps who stands on the table, which is asked all the time.

    >>> from sandtable.engine.shapes import Point
    >>> things = Things(A=Thing("A", side="red", place=At(Point(0, 0))))
    >>> [model.id for model in things.standing("red")]
    ['A']
    """

    __slots__ = ("_formation", "_posture", "_standing")
    _standing: dict[object, Any]
    _posture: dict[object, Any]
    _formation: dict[object, Any]

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._standing = {}
        self._posture = {}
        self._formation = {}

    def standing(self, side: Side = NO_SIDE) -> tuple[Thing, ...]:
        """The models in play on the table, of one side or of all."""
        found: tuple[Thing, ...] | None = self._standing.get(side)
        if found is None:
            found = self._standing[side] = tuple(map(self.__getitem__, self._who_stands(side)))
        return found

    def against(self, side: Side) -> tuple[Thing, ...]:
        """The models in play on the table that are not of a side."""
        found: tuple[Thing, ...] | None = self._standing.get(("against", side))
        if found is None:
            found = self._standing["against", side] = tuple(map(self.__getitem__, self._who_stands(side, False)))
        return found

    def _who_stands(self, side: Side, of_it: bool = True) -> list[str]:
        """The ids of the models on the table, of a side or of all others: the same until one comes or goes or moves."""
        key = ("standing", side, of_it)
        found: list[str] | None = self._posture.get(key)
        if found is None:
            found = self._posture[key] = [
                name
                for name, thing in self.items()
                if thing.kind == "model"
                and not thing.gone
                and type(thing.place) is At
                and (not side or (thing.side == side) is of_it)
            ]
        return found

    def of_unit(self, unit: str) -> tuple[Thing, ...]:
        """The models of a unit that are still in play, wherever they are."""
        key = (_OF, unit)
        found: tuple[Thing, ...] | None = self._standing.get(key)
        if found is None:
            found = self._standing[key] = tuple(map(self.__getitem__, self._in_units().get(unit, ())))
        return found

    def _in_units(self) -> dict[str, list[str]]:
        """The ids of the models of each unit: the same until one comes or goes, moves or changes its unit."""
        found: dict[str, list[str]] | None = self._posture.get(_OF)
        if found is None:
            found = self._posture[_OF] = {}
            for name, thing in self.items():
                if thing.kind == "model" and not thing.gone:
                    found.setdefault(thing.unit, []).append(name)
        return found

    def of_kind(self, kind: str) -> list[Thing]:
        """All things of a kind, in the order they came, gone or not."""
        key = ("kind", kind)
        found: list[str] | None = self._posture.get(key)
        if found is None:
            found = self._posture[key] = [name for name, thing in self.items() if thing.kind == kind]
        return list(map(self.__getitem__, found))

    def copy(self) -> "Things":
        """An independent index of the same things."""
        twin = Things.__new__(Things)
        dict.update(twin, self)
        twin._standing = self._standing  # one that changes takes a new one
        twin._posture = self._posture
        twin._formation = self._formation
        return twin

    def __setitem__(self, name: str, thing: Thing) -> None:
        self._standing = {}
        before = self.get(name)
        if before is None or not _stands_alike(before, thing):
            self._posture, self._formation = {}, {}
        elif before.harm != thing.harm:
            self._formation = {}
        dict.__setitem__(self, name, thing)


def _of_ground(kept: dict[object, Any], ground: Ground) -> dict[object, Any]:
    """What is kept of some things as they stand on a ground: tables may share the things and differ in the terrain."""
    found: dict[object, Any] | None = kept.get(ground)
    if found is None:
        found = kept[ground] = {}
    return found


def _stands_alike(one: Thing, other: Thing) -> bool:
    """Whether a thing has stayed what and where it was, as far as a look tells: a cautious one, by identity."""
    return (
        one.place is other.place
        and one.facing == other.facing
        and one.gone == other.gone
        and one.base is other.base
        and one.card == other.card
        and one.side == other.side
        and one.label == other.label
        and one.kind == other.kind
        and one.unit == other.unit
    )


def _forgetting(change: Callable[..., Any]) -> Callable[..., Any]:
    """A rarer way of changing a dict: what was found out about the things is forgotten."""

    @wraps(change)
    def changed(self: Things, /, *args: Any, **named: Any) -> Any:
        self._standing, self._posture, self._formation = {}, {}, {}
        return change(self, *args, **named)

    return changed


for _way in ("__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(Things, _way, _forgetting(getattr(dict, _way)))


class Table(msgspec.Struct):
    """Everything on and around the table that events change."""

    ground: Ground
    sides: tuple[Side, ...]
    things: dict[str, Thing] = {}
    # Copies share these three: what changes one of them puts a new one in its place.
    decks: dict[str, Deck] = {}
    secrets: dict[str, Value] = {}  # "side: topic" → what is sealed, as far as this table's owner knows
    scores: dict[Side, int] = {}
    turn: int = 0
    phase: str = ""
    acting: tuple[str, ...] = ()  # the side whose step it is, then its units
    ending: Ending | None = None
    options: dict[str, int | str] = {}  # the switches of this battle, fixed when it opens

    if TYPE_CHECKING:  # every struct has it, though its stubs do not say so

        def __copy__(self) -> "Table": ...

    def __post_init__(self) -> None:
        self._index()

    def _index(self) -> Things:
        """The things; whatever dict they were given as, they are `Things` from now on."""
        things = self.things
        if isinstance(things, Things):
            return things
        made = self.things = Things(things)
        return made

    def copy(self, things: dict[str, Thing] | None = None) -> "Table":
        """An independent table. The values are immutable, so only the index is copied; `things` may be ready."""
        twin = self.__copy__()
        twin.things = self.things.copy() if things is None else things
        return twin

    @property
    def acting_side(self) -> Side:
        """The side whose step it is; nobody between steps."""
        return Side(self.acting[0]) if self.acting else NO_SIDE

    def __getitem__(self, thing_id: str) -> Thing:
        return self.things[thing_id]

    def of_kind(self, kind: str) -> Iterator[Thing]:
        """All things of a kind, in the order they came."""
        return iter(self._index().of_kind(kind))

    def models(self, side: Side = NO_SIDE) -> list[Thing]:
        """The models in play on the table, of one side or of all, in the order they came."""
        things = self.things
        return list(things.standing(side) if type(things) is Things else self._index().standing(side))

    def enemies_of(self, side: Side) -> list[Thing]:
        """The models in play on the table that are not of a side, in the order they came."""
        return list(self._index().against(side))

    def standing(self) -> tuple[Thing, ...]:
        """The same models, and the very same tuple as long as no thing changes: a key for what follows from them."""
        things = self.things
        return things.standing() if type(things) is Things else self._index().standing()

    @property
    def things_cache(self) -> dict[object, Any]:
        """The very same object as long as neither a thing nor the terrain changes: a key for what follows from them.

        What follows from them may also be kept in it.
        """
        things = self.things
        return _of_ground(things._standing if type(things) is Things else self._index()._standing, self.ground)

    @property
    def posture(self) -> dict[object, Any]:
        """Where to keep what follows from how things stand until one comes, goes, moves or turns, or terrain changes.

        Their harm, states and counts may change meanwhile; who keeps something that hangs on them says so in the key.
        """
        things = self.things
        return _of_ground(things._posture if type(things) is Things else self._index()._posture, self.ground)

    @property
    def formation(self) -> dict[object, Any]:
        """Where to keep what follows from how the things stand, as `posture`, and from the harm they have taken."""
        things = self.things
        return _of_ground(things._formation if type(things) is Things else self._index()._formation, self.ground)

    def members(self, unit: str) -> list[Thing]:
        """The models of a unit that are still in play, wherever they are."""
        return list(self._index().of_unit(unit))


def _kept(
    find: Callable[Concatenate[Table, Names], Found], where: Callable[[Table], dict[object, Any]]
) -> Callable[Concatenate[Table, Names], Found]:
    """Keep what is found under the names it is found by, in a cache of the table."""

    @wraps(find)
    def found(table: Table, /, *names: Names.args, **no: Names.kwargs) -> Found:
        cache = where(table)
        key = (find, *names)
        if key in cache:
            kept: Found = cache[key]
            return kept
        made = cache[key] = find(table, *names, **no)
        return made

    return found


def following_from_things(
    find: Callable[Concatenate[Table, Names], Found],
) -> Callable[Concatenate[Table, Names], Found]:
    """Work something out once for as long as nothing about any thing changes, nor the ground, in clones too.

    For what hangs on that and on some names alone: not on the turn, a deck or a secret. Nobody changes what it gives.

    >>> @following_from_things
    ... def ready(table, side):
    ...     print("looks")
    ...     return all(model.has("ready") for model in table.models(side))
    >>> table = Table(Ground(0, 0), ("red", "blue"))
    >>> ready(table, "red"), ready(table, "red")
    looks
    (True, True)
    """
    return _kept(find, lambda table: table.things_cache)


def following_from_formation(
    find: Callable[Concatenate[Table, Names], Found],
) -> Callable[Concatenate[Table, Names], Found]:
    """Work something out once for as long as nobody comes, goes, moves, is hurt or changes his unit, in clones too.

    For what hangs on that and on some names alone, and holds no thing: things have states and counts that change.

    >>> @following_from_formation
    ... def hurt(table, side):
    ...     print("counts")
    ...     return sum(model.harm for model in table.models(side))
    >>> table = Table(Ground(0, 0), ("red", "blue"))
    >>> hurt(table, "red"), hurt(table, "red")
    counts
    (0, 0)
    """
    return _kept(find, lambda table: table.formation)
