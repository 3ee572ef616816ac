"""What happens: the events, and how each of them changes a table.

Every event names the rule that caused it and the event that came before it in the chain of causes. `known_to` says
who learns of it at all (none named: everybody), `veils` which single fields only some may know. A side's own log is
numbered by itself, so that what it may not see leaves no gap.

`detail` is the ruleset's own, in plain words and numbers; nothing that is drawn needs it.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import In, Off, Place, Point, Polygon, Shape, Spot, Walk
from sandtable.engine.table import Deck, Ending, Ground, Mark, Piece, Table, Thing, Value

#: Nobody: the value of a veil that hides a field from every side.
NOBODY = ("",)

#: The kind of the piece that is the board itself: placing it gives the table its size.
BOARD = "board"

Detail = dict[str, int | str | tuple[str, ...]]


class Harm(msgspec.Struct, frozen=True):
    """Something that is done or due to a target: points of damage, a test, a state, a collapse."""

    what: str
    amount: int = 0
    detail: Detail = {}


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="event", omit_defaults=True):
    """What every event carries."""

    n: int = 0
    step: str = ""
    rule: str = ""
    because: int = 0  # the number of the event that caused it; 0: nothing did
    known_to: tuple[str, ...] = ()
    veils: dict[str, tuple[str, ...]] = {}
    detail: Detail = {}

    #: Whether undo stops here.
    barrier: ClassVar[bool] = False


class PhaseBegan(Event, frozen=True):
    turn: int
    phase: str


class StepBegan(Event, frozen=True):
    name: str
    side: str = ""
    units: tuple[str, ...] = ()


class DeckChanged(Event, frozen=True):
    """Cards were shuffled, drawn from the top, added at the bottom or removed. A drawn card was hidden until now."""

    deck: str
    change: str  # shuffled, drawn, added, removed
    cards: tuple[str, ...] = ()


class Declared(Event, frozen=True):
    actor: str
    action: str
    targets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


class Spent(Event, frozen=True):
    who: str
    what: str
    amount: int
    left: int


class Passed(Event, frozen=True):
    side: str
    window: str


class Rolled(Event, frozen=True):
    """Dice fell. `natural` is what they show, `total` with all parts, `margin` total less needs.

    `dice_parts` explain which dice they are, where rules shift their kind or number. Where one part of any of the
    numbers is not a side's to know, that side sees a veiled roll: who rolled for what, and the outcome.
    """

    barrier: ClassVar[bool] = True

    what: str
    by: str = ""
    dice: str = ""
    faces: tuple[int, ...] = ()
    natural: int = 0
    parts: tuple[ExplainedPart, ...] = ()
    total: int = 0
    needs: int | None = None
    needs_parts: tuple[ExplainedPart, ...] = ()
    margin: int | None = None
    outcome: str = ""
    replaces: int = 0
    dice_parts: tuple[ExplainedPart, ...] = ()


class Moved(Event, frozen=True):
    model: str
    start: Place
    to: Place
    facing: int = 0
    walk: Walk | None = None
    manner: str = "own"  # own, forced, pushed, fallen, carried


class Halted(Event, frozen=True):
    model: str
    along: int
    at: Place
    by: str = ""


class Placed(Event, frozen=True):
    """A thing is put somewhere; `made` describes one that is new to the table, `piece` a new terrain piece.

    A piece of the kind `BOARD` is the board: the table is as large as its outline, which begins at the origin.
    """

    thing: str
    where: Place
    facing: int = 0
    made: Thing | None = None
    piece: Piece | None = None


class Left(Event, frozen=True):
    thing: str
    to: str


class Landed(Event, frozen=True):
    what: str
    aimed: Point
    at: Point
    area: Shape | None = None
    caught: tuple[str, ...] = ()


class HarmNoted(Event, frozen=True):
    target: str
    harm: Harm
    moment: str


class HarmCancelled(Event, frozen=True):
    target: str
    harm: Harm
    by: str = ""


class HarmApplied(Event, frozen=True):
    target: str
    harm: Harm
    before: int
    after: int


class StateChanged(Event, frozen=True):
    """A state came (`before` none), changed or went (`after` none)."""

    who: str
    state: str
    before: Value | None = None
    after: Value | None = None
    until: str = ""


class ModelLost(Event, frozen=True):
    """A model is out of play; `leaves` is the terrain piece it leaves behind, a wreck perhaps."""

    model: str
    how: str
    leaves: Piece | None = None


class TerrainChanged(Event, frozen=True):
    """A piece, or a part of it, became something else; `after` empty takes the piece away."""

    piece: str
    part: str = ""
    before: str = ""
    after: str = ""


class Counted(Event, frozen=True):
    thing: str
    what: str
    before: int
    after: int


class Forfeited(Event, frozen=True):
    actor: str
    action: str


class Sealed(Event, frozen=True):
    """A side has chosen in secret; `value` is veiled to it until `Revealed`."""

    side: str
    topic: str
    value: Value | None = None


class Revealed(Event, frozen=True):
    """Something hidden is shown, to some (`to`) or to all."""

    barrier: ClassVar[bool] = True

    what: str
    shown: str = ""
    to: tuple[str, ...] = ()
    value: Value | None = None
    made: Thing | None = None


class Grouped(Event, frozen=True):
    models: tuple[str, ...]
    unit: str
    until: str = ""


class Scored(Event, frozen=True):
    side: str
    points: int
    reason: str


class TakenBack(Event, frozen=True):
    """A side took answers back: every event after number `to` has not happened."""

    side: str
    to: int


class BattleEnded(Event, frozen=True):
    barrier: ClassVar[bool] = True

    winner: str
    points: dict[str, int] = {}
    reason: str = ""


AnyEvent = (
    PhaseBegan
    | StepBegan
    | DeckChanged
    | Declared
    | Spent
    | Passed
    | Rolled
    | Moved
    | Halted
    | Placed
    | Left
    | Landed
    | HarmNoted
    | HarmCancelled
    | HarmApplied
    | StateChanged
    | ModelLost
    | TerrainChanged
    | Counted
    | Forfeited
    | Sealed
    | Revealed
    | Grouped
    | Scored
    | TakenBack
    | BattleEnded
)


# How events change a table ---------------------------------------------------------------------------------------


def _changed(table: Table, thing_id: str, **fields: Any) -> None:
    table.things[thing_id] = replace(table.things[thing_id], **fields)


def _count(table: Table, thing_id: str, what: str, value: int) -> None:
    thing = table.things.get(thing_id)
    if thing is None:
        # A side or the battle is counted before anything introduced it: it is a thing from now on.
        kind = "side" if thing_id in table.sides else "marker"
        thing = Thing(thing_id, kind=kind, side=thing_id if kind == "side" else "")
    table.things[thing_id] = replace(thing, counts={**thing.counts, what: value})


def _with_pieces(table: Table, pieces: tuple[Piece, ...]) -> None:
    table.ground = Ground(table.ground.width, table.ground.height, pieces)


def _phase(table: Table, event: PhaseBegan) -> None:
    table.turn, table.phase, table.acting = event.turn, event.phase, ()


def _step(table: Table, event: StepBegan) -> None:
    table.acting = (event.side, *event.units)


def _deck(table: Table, event: DeckChanged) -> None:
    deck = table.decks.get(event.deck, Deck())
    contents, order = dict(deck.contents), deck.order
    if event.change == "shuffled":
        order = event.cards
    elif event.change == "added":
        known = len(order) == sum(contents.values())
        for card in event.cards:
            contents[card] = contents.get(card, 0) + 1
        order = (*order, *event.cards) if known else ()
    else:
        for card in event.cards:
            contents[card] = contents.get(card, 0) - 1
            if contents[card] <= 0:
                del contents[card]
            if card in order:
                at = order.index(card)
                order = order[:at] + order[at + 1 :]
    table.decks[event.deck] = Deck(contents, order)


def _spent(table: Table, event: Spent) -> None:
    _count(table, event.who, event.what, event.left)


def _counted(table: Table, event: Counted) -> None:
    _count(table, event.thing, event.what, event.after)


def _moved(table: Table, event: Moved) -> None:
    _changed(table, event.model, place=event.to, facing=event.facing)


def _placed(table: Table, event: Placed) -> None:
    if event.piece is not None and event.piece.kind == BOARD:
        assert isinstance(event.piece.outline, Polygon), "a board is a rectangle"
        corner = event.piece.outline.points[2]
        table.ground = Ground(corner.x, corner.y, table.ground.pieces)
    elif event.piece is not None:
        _with_pieces(table, (*table.ground.pieces, event.piece))
    elif event.made is not None:
        table.things[event.thing] = replace(event.made, place=event.where, facing=event.facing)
    else:
        _changed(table, event.thing, place=event.where, facing=event.facing)


def _left(table: Table, event: Left) -> None:
    _changed(table, event.thing, place=Off(event.to))


def _harmed(table: Table, event: HarmApplied) -> None:
    _changed(table, event.target, harm=event.after)


def _state(table: Table, event: StateChanged) -> None:
    thing = table.things.get(event.who)
    if thing is None:
        kind = "side" if event.who in table.sides else "marker"
        thing = Thing(event.who, kind=kind, side=event.who if kind == "side" else "")
    states = dict(thing.states)
    if event.after is None:
        states.pop(event.state, None)
    else:
        states[event.state] = Mark(event.after, event.until)
    table.things[event.who] = replace(thing, states=states)


def _lost(table: Table, event: ModelLost) -> None:
    _changed(table, event.model, gone=event.how, place=Off(event.how))
    if event.leaves is not None:
        _with_pieces(table, (*table.ground.pieces, event.leaves))


def _terrain(table: Table, event: TerrainChanged) -> None:
    pieces = []
    for piece in table.ground.pieces:
        if piece.id != event.piece:
            pieces.append(piece)
        elif event.part:
            parts = tuple(replace(p, state=event.after) if p.id == event.part else p for p in piece.parts)
            pieces.append(replace(piece, parts=parts))
        elif event.after:
            pieces.append(replace(piece, kind=event.after))
    _with_pieces(table, tuple(pieces))


def _sealed(table: Table, event: Sealed) -> None:
    table.secrets[f"{event.side}: {event.topic}"] = "chosen" if event.value is None else event.value


def _revealed(table: Table, event: Revealed) -> None:
    if event.value is not None:
        table.secrets[event.what] = event.value
    if event.made is not None:
        table.things[event.made.id] = event.made


def _grouped(table: Table, event: Grouped) -> None:
    for model in event.models:
        _changed(table, model, unit=event.unit)


def _scored(table: Table, event: Scored) -> None:
    table.scores[event.side] = table.scores.get(event.side, 0) + event.points


def _ended(table: Table, event: BattleEnded) -> None:
    table.ending = Ending(event.winner, event.points, event.reason)


_CHANGES: dict[type[Event], Callable[[Table, Any], None]] = {
    PhaseBegan: _phase,
    StepBegan: _step,
    DeckChanged: _deck,
    Spent: _spent,
    Counted: _counted,
    Moved: _moved,
    Placed: _placed,
    Left: _left,
    HarmApplied: _harmed,
    StateChanged: _state,
    ModelLost: _lost,
    TerrainChanged: _terrain,
    Sealed: _sealed,
    Revealed: _revealed,
    Grouped: _grouped,
    Scored: _scored,
    BattleEnded: _ended,
}


def stops_undo(event: Event) -> bool:
    """Whether nothing before an event may be taken back: it shows a die, or something that was hidden.

    >>> stops_undo(DeckChanged("deck", "drawn", ("red",))), stops_undo(DeckChanged("deck", "added", ("red",)))
    (True, False)
    """
    return type(event).barrier or (isinstance(event, DeckChanged) and event.change == "drawn")


def apply(table: Table, event: Event) -> None:
    """Change a table by what happened. Events that only tell (a roll, a pass) change nothing."""
    change = _CHANGES.get(type(event))
    if change is not None:
        change(table, event)


#: The events that change one thing, and perhaps the ground: which of their fields names it.
_THING_OF: dict[type[Event], Callable[[Any], str]] = {
    Spent: lambda event: event.who,
    Counted: lambda event: event.thing,
    Moved: lambda event: event.model,
    Placed: lambda event: event.thing,
    Left: lambda event: event.thing,
    HarmApplied: lambda event: event.target,
    StateChanged: lambda event: event.who,
    ModelLost: lambda event: event.model,
}


def apply_to_all(table: Table, views: Mapping[str, Table], event: AnyEvent) -> None:
    """Change the true table and every view by what happened, each view by as much of it as its side may see.

    A view that held the very same values as the truth holds the same again: they are made once, and what is computed
    from a ground is found out once for all.
    """
    change = _CHANGES.get(type(event))
    if change is None:
        return
    named = _THING_OF.get(type(event))
    if named is None or event.known_to or event.veils:
        change(table, event)
        for side, view in views.items():
            seen = seen_by(event, side)
            if seen is not None:
                change(view, seen)
        return
    name, ground = named(event), table.ground
    thing = table.things.get(name)
    change(table, event)
    now = table.things.get(name)
    for view in views.values():
        if view.ground is not ground or view.things.get(name) is not thing:
            change(view, event)
            continue
        view.ground = table.ground
        if now is not None:
            view.things[name] = now


# Who sees what ---------------------------------------------------------------------------------------------------


def seen_by(event: AnyEvent, side: str) -> AnyEvent | None:
    """The event as one side may know it, or none. The empty side is a spectator, who knows what all know.

    >>> secret = Sealed(side="red", topic="turns", value=2, veils={"value": ("red",)})
    >>> seen_by(secret, "red").value, seen_by(secret, "blue").value
    (2, None)
    """
    if event.known_to and not _knows(side, event.known_to):
        return None
    secret_parts = type(event) is Rolled and _holds_a_secret(event, side)
    if not event.veils and not event.known_to and not secret_parts:
        return event
    bare = _BARE[type(event)]
    hidden = {name: bare[name] for name, who in event.veils.items() if not _knows(side, who)}
    if secret_parts:
        hidden.update((name, bare[name]) for name in _OF_A_VEILED_ROLL)
    return replace(event, known_to=(), veils={}, **hidden)


def _knows(side: str, who: tuple[str, ...]) -> bool:
    """Whether a side is among those who may know; a spectator never is."""
    return side != "" and side in who


#: What a veiled roll does not show: everything but who rolled, for what, and the outcome.
_OF_A_VEILED_ROLL = (
    "dice",
    "dice_parts",
    "faces",
    "natural",
    "parts",
    "total",
    "needs",
    "needs_parts",
    "margin",
    "detail",
)


def _holds_a_secret(roll: Rolled, side: str) -> bool:
    """Whether some part of a roll is not a side's to know; any of its numbers could tell that part."""
    for parts in (roll.parts, roll.needs_parts, roll.dice_parts):
        for part in parts:
            if part.known_to and not _knows(side, part.known_to):
                return True
    return False


def _bare(kind: type[Event]) -> dict[str, Any]:
    """The values that stand in for veiled fields: their defaults, or nothing of their kind."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            values[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            values[field.name] = field.default_factory()
        else:
            values[field.name] = _NOTHING[field.type]
    return values


_NOTHING: dict[Any, Any] = {
    int: 0,
    str: "",
    tuple[str, ...]: (),
    Harm: Harm("unknown"),
    Point: Point(0, 0),
    Place: Off("unknown"),
}
_BARE: dict[type[Event], dict[str, Any]] = {kind: _bare(kind) for kind in AnyEvent.__args__}

__all__ = [
    "BOARD",
    "NOBODY",
    "AnyEvent",
    "Event",
    "Harm",
    "In",
    "Spot",
    "apply",
    "seen_by",
    "stops_undo",
    *(kind.__name__ for kind in AnyEvent.__args__),
]
