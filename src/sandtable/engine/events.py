"""What happens: the events, and who sees what of them. How they change a table stands in `sandtable.engine.changes`.

Every event names the rule that caused it and the event that came before it in the chain of causes. `known_to` says
who learns of it at all (none named: everybody), `veils` which single fields only some may know. A side's own log is
numbered by itself, so that what it may not see leaves no gap.

`detail` is the ruleset's own, in plain words and numbers; nothing that is drawn needs it.
"""

from typing import Any, ClassVar, get_origin

import msgspec
from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import NO_RULE, NO_SIDE, PieceId, RuleId, Side, ThingId
from sandtable.engine.shapes import In, Off, Place, Point, Shape, Spot, Walk
from sandtable.engine.table import Piece, Thing, Value

#: Nobody: the value of a veil that hides a field from every side.
NOBODY = (NO_SIDE,)

#: The kind of the piece that is the board itself: placing it gives the table its size.
BOARD = "board"

Detail = dict[str, int | str | tuple[str, ...]]


class Harm(msgspec.Struct, frozen=True, gc=False):
    """Something that is done or due to a target: points of damage, a test, a state, a collapse."""

    what: str
    amount: int = 0
    detail: Detail = {}


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag=True, tag_field="event", omit_defaults=True):
    """What every event carries."""

    n: int = 0
    step: str = ""
    rule: RuleId = NO_RULE
    because: int = 0  # the number of the event that caused it; 0: nothing did
    known_to: tuple[Side, ...] = ()
    veils: dict[str, tuple[Side, ...]] = {}
    detail: Detail = {}

    #: Whether undo stops here.
    barrier: ClassVar[bool] = False


class PhaseBegan(Event, frozen=True):
    turn: int
    phase: str


class StepBegan(Event, frozen=True):
    name: str
    side: Side = NO_SIDE
    units: tuple[str, ...] = ()


class DeckChanged(Event, frozen=True):
    """Cards were shuffled, drawn from the top, added at the bottom or removed. A drawn card was hidden until now.

    One that is drawn into a hand is veiled to all others; it is `shown` when they learn which it was.
    """

    deck: str
    change: str  # shuffled, drawn, added, removed, shown
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
    side: Side
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
    model: ThingId
    start: Place
    to: Place
    facing: int = 0
    walk: Walk | None = None
    manner: str = "own"  # own, forced, pushed, fallen, carried


class Halted(Event, frozen=True):
    model: ThingId
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
    thing: ThingId
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

    model: ThingId
    how: str
    leaves: Piece | None = None


class TerrainChanged(Event, frozen=True):
    """A piece, or a part of it, became something else; `after` empty takes the piece away."""

    piece: PieceId
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

    side: Side
    topic: str
    value: Value | None = None


class Revealed(Event, frozen=True):
    """Something hidden is shown, to some (`to`) or to all."""

    barrier: ClassVar[bool] = True

    what: str
    shown: str = ""
    to: tuple[Side, ...] = ()
    value: Value | None = None
    made: Thing | None = None


class Grouped(Event, frozen=True):
    models: tuple[ThingId, ...]
    unit: ThingId
    until: str = ""


class Scored(Event, frozen=True):
    side: Side
    points: int
    reason: str


class TakenBack(Event, frozen=True):
    """A side took answers back: every event after number `to` has not happened."""

    side: Side
    to: int


class BattleEnded(Event, frozen=True):
    barrier: ClassVar[bool] = True

    winner: Side
    points: dict[Side, int] = {}
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


def stops_undo(event: Event) -> bool:
    """Whether nothing before an event may be taken back: it shows a die, or something that was hidden.

    >>> stops_undo(DeckChanged("deck", "drawn", ("red",))), stops_undo(DeckChanged("deck", "added", ("red",)))
    (True, False)
    """
    return type(event).barrier or (isinstance(event, DeckChanged) and event.change == "drawn")


# Who sees what ---------------------------------------------------------------------------------------------------


def seen_by(event: AnyEvent, side: Side) -> AnyEvent | None:
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


def _knows(side: Side, who: tuple[Side, ...]) -> bool:
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


def _holds_a_secret(roll: Rolled, side: Side) -> bool:
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
            values[field.name] = _nothing(field.type)
    return values


def _nothing(kind: Any) -> Any:
    """Nothing of a kind; an id is a word like any other."""
    return () if get_origin(kind) is tuple else _NOTHING[getattr(kind, "__supertype__", kind)]


_NOTHING: dict[Any, Any] = {
    int: 0,
    str: "",
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
    "seen_by",
    "stops_undo",
    *(kind.__name__ for kind in AnyEvent.__args__),
]
