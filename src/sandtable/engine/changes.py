"""How events change a table: the true one, and what each side knows, by the very same code."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from sandtable.engine.events import (
    BOARD,
    NOBODY,
    AnyEvent,
    BattleEnded,
    Counted,
    DeckChanged,
    Event,
    Grouped,
    HarmApplied,
    Left,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Revealed,
    Scored,
    Sealed,
    Spent,
    StateChanged,
    StepBegan,
    TerrainChanged,
    seen_by,
)
from sandtable.engine.ids import NO_SIDE, Side, ThingId
from sandtable.engine.shapes import Off, Polygon
from sandtable.engine.table import UNSEEN, Deck, Ending, Ground, Mark, Piece, Table, Thing


def _changed(table: Table, thing_id: str, **fields: Any) -> None:
    table.things[thing_id] = replace(table.things[thing_id], **fields)


def _made_of(table: Table, name: str) -> Thing:
    """A side, or the battle, that is counted or marked before anything introduced it: it is a thing from now on."""
    if name in table.sides:
        return Thing(ThingId(name), kind="side", side=Side(name))
    return Thing(ThingId(name), kind="marker")


def _count(table: Table, thing_id: str, what: str, value: int) -> None:
    thing = table.things.get(thing_id) or _made_of(table, thing_id)
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
        unseen = contents.pop(UNSEEN, 0)
        if event.change == "drawn" and not event.cards:
            unseen -= 1
        for card in event.cards:
            if event.change == "shown":
                if not unseen:
                    continue  # whoever saw it drawn knows already
                unseen += 1
            contents[card] = contents.get(card, 0) - 1
            if contents[card] <= 0:
                del contents[card]
            if card in order:
                at = order.index(card)
                order = order[:at] + order[at + 1 :]
        if unseen:
            contents[UNSEEN] = unseen
    table.decks = {**table.decks, event.deck: Deck(contents, order)}


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
        assert event.made.id == event.thing, f"what is placed as {event.thing} is {event.made.id}"
        table.things[event.thing] = replace(event.made, place=event.where, facing=event.facing)
    else:
        _changed(table, event.thing, place=event.where, facing=event.facing)


def _left(table: Table, event: Left) -> None:
    _changed(table, event.thing, place=Off(event.to))


def _harmed(table: Table, event: HarmApplied) -> None:
    _changed(table, event.target, harm=event.after)


def _state(table: Table, event: StateChanged) -> None:
    thing = table.things.get(event.who) or _made_of(table, event.who)
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
    value = "chosen" if event.value is None else event.value
    table.secrets = {**table.secrets, f"{event.side}: {event.topic}": value}


def _revealed(table: Table, event: Revealed) -> None:
    if event.value is not None:
        table.secrets = {**table.secrets, event.what: event.value}
    if event.made is not None:
        table.things[event.made.id] = event.made


def _grouped(table: Table, event: Grouped) -> None:
    for model in event.models:
        _changed(table, model, unit=event.unit)


def _scored(table: Table, event: Scored) -> None:
    table.scores = {**table.scores, event.side: table.scores.get(event.side, 0) + event.points}


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


def apply(table: Table, event: Event) -> None:
    """Change a table by what happened. Events that only tell (a roll, a pass) change nothing."""
    change = _CHANGES.get(type(event))
    if change is not None:
        change(table, event)


#: The events that change one thing, and perhaps the ground: which of their fields names it.
_THING_OF: dict[type[Event], Callable[[Any], str]] = {
    Spent: attrgetter("who"),
    Counted: attrgetter("thing"),
    Moved: attrgetter("model"),
    Placed: attrgetter("thing"),
    Left: attrgetter("thing"),
    HarmApplied: attrgetter("target"),
    StateChanged: attrgetter("who"),
    ModelLost: attrgetter("model"),
}
#: The events that change things at all.
_OF_THINGS = frozenset([*_THING_OF, Grouped, Revealed])


def apply_to_all(table: Table, views: Mapping[Side, Table], event: AnyEvent) -> None:
    """Change the true table and every view by what happened, each view by as much of it as its side may see.

    As long as nothing about things was hidden from a side, its view has the very index of the truth (`share`), and
    both are changed at once. After that a view which holds the same value of a thing as the truth holds the same
    again: it is made once, and what is computed from things and grounds is found out once for all.
    """
    kind = type(event)
    change = _CHANGES.get(kind)
    if change is None:
        return
    if event.known_to or event.veils:
        if kind in _OF_THINGS:
            _part(table, views)
        change(table, event)
        for side, view in views.items():
            seen = seen_by(event, side)
            if seen is not None:
                change(view, seen)
        return
    named = _THING_OF.get(kind)
    if named is None:
        change(table, event)
        if kind is StepBegan:
            for view in views.values():
                view.acting = table.acting
            return
        for view in views.values():
            change(view, event)
        return
    name, ground, things = named(event), table.ground, table.things
    thing = things.get(name)
    change(table, event)
    now = table.ground
    for view in views.values():
        if view.ground is not ground:
            change(view, event)  # on an index that is shared it comes to the same again
            continue
        if view.things is not things:
            if view.things.get(name) is not thing:
                change(view, event)
                continue
            if name in things:
                view.things[name] = things[name]
        if now is not ground:
            view.ground = now


def told_apart(table: Table, views: dict[Side, Table], sides: tuple[Side, ...], event: AnyEvent) -> dict[Side, Table]:
    """The views that a battle nobody watches needs from a secret on: as few as tell apart what sides know.

    None while nothing is hidden; then one for all, under the spectator's name, while all know the same; then each side
    has its own. None of them is copied before it differs.
    """
    if len(views) > 1 or type(event) not in _CHANGES:
        return views
    common = views.get(NO_SIDE, table)
    if event.known_to in ((), NOBODY) and all(who == NOBODY for who in event.veils.values()):
        return views or {NO_SIDE: common.copy(table.things)}
    return {side: common.copy(table.things if common.things is table.things else None) for side in sides}


def share(table: Table, views: Mapping[Side, Table]) -> None:
    """Let every view that knows the things as they are have the index of the true table, and so with the ground.

    Byte for byte: a view that came to know the same in another order keeps its own, for the order of the true table
    tells when what was hidden came about.
    """
    things, ground = encode(table.things), encode(table.ground)
    for view in views.values():
        if encode(view.ground) == ground:
            view.ground = table.ground
        if encode(view.things) == things:
            view.things = table.things


def _part(table: Table, views: Mapping[Side, Table]) -> None:
    """Give every view an index of its own: what they hold will no longer be the same."""
    for view in views.values():
        if view.things is table.things:
            view.things = view.things.copy()
