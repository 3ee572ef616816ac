"""Events: every one of the list is there, changes the table as it says, survives the journal, and keeps its secrets."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from sandtable.engine import events as e
from sandtable.engine.changes import apply
from sandtable.engine.events import NOBODY, AnyEvent, Harm, seen_by
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import BLUE, NO_SIDE, RED, PieceId, RuleId, ThingId
from sandtable.engine.records.journal import Happened
from sandtable.engine.shapes import At, Base, Disc, In, Leg, Off, Point, Walk, rectangle
from sandtable.engine.table import Deck, Ground, Mark, Part, Piece, Table, Thing

HERE, THERE = At(Point(1000, 2000)), At(Point(4000, 2000), 1)
HOUSE = Piece(
    PieceId("house"), "building", rectangle(0, 0, 3000, 3000), parts=(Part("floor"), Part("roof", state="whole"))
)
WRECK = Piece(PieceId("wreck"), "wreck", Disc(Point(0, 0), 500))
PART = ExplainedPart("cover", 2, RuleId("r.cover"))


def table() -> Table:
    """A table with two models, a house and a deck on it."""
    laid = Table(Ground(48000, 48000, (HOUSE,)), (RED, BLUE))
    for id_, side in ((ThingId("A"), RED), (ThingId("B"), BLUE)):
        laid.things[id_] = Thing(id_, side=side, base=Base("circle", 1000), place=HERE, track=3, counts={"AP": 2})
    laid.decks["deck"] = Deck({"red": 1, "blue": 2}, ("blue", "red", "blue"))
    return laid


#: The design's list: each event and its fields, in its words.
LISTED = """
PhaseBegan(turn, phase)
StepBegan(name, side, units)
DeckChanged(deck, change, cards)
Declared(actor, action, targets, tools)
Spent(who, what, amount, left)
Passed(side, window)
Rolled(what, by, dice, parts, total, needs, margin, outcome, replaces)
Moved(model, walk, start, to, facing, manner)
Halted(model, along, at, by)
Placed(thing, where, facing)
Left(thing, to)
Landed(what, aimed, at, area, caught)
HarmNoted(target, harm, moment)
HarmCancelled(target, harm, by)
HarmApplied(target, harm, before, after)
StateChanged(who, state, before, after, until)
ModelLost(model, how, leaves)
TerrainChanged(piece, part, before, after)
Counted(thing, what, before, after)
Forfeited(actor, action)
Sealed(side, topic)
Revealed(what, shown, to)
Grouped(models, unit, until)
Scored(side, points, reason)
TakenBack(side, to)
BattleEnded(winner, points, reason)
"""

#: One of each, and what it changes on the table; none where it only tells.
EVERY: list[tuple[AnyEvent, Callable[[Table], object] | None, object]] = [
    (e.PhaseBegan(2, "move"), lambda t: (t.turn, t.phase, t.acting), (2, "move", ())),
    (e.StepBegan("activate", RED, ("A",)), lambda t: t.acting, ("red", "A")),
    (e.DeckChanged("deck", "drawn", ("blue",)), lambda t: t.decks["deck"].order, ("red", "blue")),
    (e.DeckChanged("deck", "removed", ("red",)), lambda t: t.decks["deck"], Deck({"blue": 2}, ("blue", "blue"))),
    (e.DeckChanged("deck", "added", ("red",)), lambda t: t.decks["deck"].contents, {"red": 2, "blue": 2}),
    (
        e.DeckChanged("deck", "shuffled", ("red", "blue", "blue")),
        lambda t: t.decks["deck"].order,
        ("red", "blue", "blue"),
    ),
    (e.Declared("A", "shoot", ("B",), ("gun",)), None, None),
    (e.Spent("A", "AP", 1, 1), lambda t: t["A"].count("AP"), 1),
    (e.Passed(RED, "window"), None, None),
    (
        e.Rolled("combat", "A", "2d6", (3, 4), 7, (PART,), 9, 8, (PART, PART), 1, "hit", 3, dice_parts=(PART,)),
        None,
        None,
    ),
    (
        e.Moved(ThingId("A"), HERE, THERE, 90, Walk((Leg(90, 3000),), {"fire": 1}), "forced"),
        lambda t: (t["A"].place, t["A"].facing),
        (THERE, 90),
    ),
    (e.Halted(ThingId("A"), 2000, HERE, "B"), None, None),
    (e.Placed("A", In("house", "roof"), 45), lambda t: (t["A"].place, t["A"].facing), (In("house", "roof"), 45)),
    (
        e.Placed("C", HERE, made=Thing(ThingId("C"), side=BLUE)),
        lambda t: t["C"],
        Thing(ThingId("C"), side=BLUE, place=HERE),
    ),
    (e.Placed("wreck", HERE, piece=WRECK), lambda t: t.ground.pieces, (HOUSE, WRECK)),
    (e.Left(ThingId("A"), "over the edge"), lambda t: t["A"].place, Off("over the edge")),
    (e.Landed("shell", Point(0, 0), Point(5, 5), Disc(Point(5, 5), 3000), ("A",)), None, None),
    (e.HarmNoted("A", Harm("wound", 1, {"by": "B"}), "end"), None, None),
    (e.HarmCancelled("A", Harm("wound", 1), "hero"), None, None),
    (e.HarmApplied("A", Harm("wound", 1), 0, 1), lambda t: t["A"].harm, 1),
    (e.StateChanged("A", "prone", None, 1, "end of turn"), lambda t: t["A"].states, {"prone": Mark(1, "end of turn")}),
    (e.StateChanged("red", "mood", None, "grim"), lambda t: (t["red"].kind, t["red"].value("mood")), ("side", "grim")),
    (
        e.ModelLost(ThingId("A"), "destroyed", WRECK),
        lambda t: (t["A"].gone, t["A"].on_table, len(t.ground.pieces)),
        ("destroyed", False, 2),
    ),
    (
        e.TerrainChanged(PieceId("house"), "roof", "whole", "gone"),
        lambda t: t.ground.piece("house").parts[1].state,
        "gone",
    ),
    (e.TerrainChanged(PieceId("house"), "", "building", "rubble"), lambda t: t.ground.piece("house").kind, "rubble"),
    (e.TerrainChanged(PieceId("house"), "", "building", ""), lambda t: t.ground.pieces, ()),
    (
        e.Counted("minefield", "mines", 0, 5),
        lambda t: (t["minefield"].kind, t["minefield"].counts),
        ("marker", {"mines": 5}),
    ),
    (e.Forfeited("A", "combat"), None, None),
    (e.Sealed(RED, "turns", 3), lambda t: t.secrets, {"red: turns": 3}),
    (e.Revealed("red: turns", "three", (BLUE,), 3), lambda t: t.secrets, {"red: turns": 3}),
    (e.Revealed("K", "unit", made=Thing(ThingId("K"), side=BLUE, place=HERE)), lambda t: t["K"].place, HERE),
    (
        e.Grouped((ThingId("A"), ThingId("B")), ThingId("both"), "end"),
        lambda t: (t["A"].unit, t["B"].unit),
        ("both", "both"),
    ),
    (e.Scored(RED, 2, "hill"), lambda t: t.scores, {"red": 2}),
    (e.TakenBack(RED, 0), None, None),
    (e.BattleEnded(RED, {RED: 2}, "hill"), lambda t: t.ending is not None and t.ending.winner, "red"),
]
ONE_OF_EACH = [event for event, _, _ in EVERY]


def test_every_event_of_the_list_is_there_with_its_fields() -> None:
    shown = {type(event).__name__ for event in ONE_OF_EACH}
    kinds = {kind.__name__: kind for kind in AnyEvent.__args__}
    for line in LISTED.split("\n")[1:-1]:
        name, _, rest = line.rstrip(")").partition("(")
        found = {field.name for field in fields(kinds[name])}
        assert set(rest.split(", ")) <= found, name
        assert {"n", "step", "rule", "because", "known_to", "veils", "detail"} <= found
        assert name in shown
    assert len(kinds) == len(LISTED.split("\n")[1:-1]), "an event that is not on the list"


@pytest.mark.parametrize(("event", "look", "after"), EVERY)
def test_an_event_changes_the_table_as_it_says_and_nothing_else(event: AnyEvent, look: Any, after: object) -> None:
    changed, copy, before = table(), table(), msgspec.json.encode(table())
    apply(changed, event)
    if look is None:
        assert msgspec.json.encode(changed) == before, "it only tells"
        return
    assert look(changed) == after
    assert msgspec.json.encode(changed) != before
    assert msgspec.json.encode(copy) == before, "tables share nothing that changes"


def test_a_table_and_its_copy_go_different_ways() -> None:
    for event in ONE_OF_EACH:
        one = table()
        other = one.copy()
        apply(one, event)
        assert msgspec.json.encode(other) == msgspec.json.encode(table())


@pytest.mark.parametrize("event", ONE_OF_EACH)
def test_an_event_survives_the_journal(event: AnyEvent) -> None:
    told = replace(event, n=7, step="act", rule="r.a", because=3, known_to=("red",), detail={"a": 1, "b": ("x", "y")})
    again = msgspec.json.decode(msgspec.json.encode(Happened(told)), type=Happened)
    assert again.event == told
    assert type(again.event) is type(told)


@pytest.mark.parametrize("event", ONE_OF_EACH)
def test_only_those_who_may_know_of_an_event_see_it(event: AnyEvent) -> None:
    assert seen_by(event, BLUE) == event
    secret = replace(event, known_to=("red",))
    assert seen_by(secret, RED) == event, "and it does not say who else knows"
    assert seen_by(secret, BLUE) is None
    assert seen_by(secret, NO_SIDE) is None
    assert seen_by(replace(event, known_to=NOBODY), NO_SIDE) is None


@pytest.mark.parametrize("event", ONE_OF_EACH)
def test_every_single_field_can_be_veiled(event: AnyEvent) -> None:
    for field in fields(event):
        if field.name in ("n", "step", "because", "known_to", "veils"):
            continue
        veiled = replace(event, veils={field.name: ("red",)})
        assert seen_by(veiled, RED) == event
        for other in (BLUE, NO_SIDE):
            seen = seen_by(veiled, other)
            assert seen is not None
            assert seen.veils == {}
            again = msgspec.json.decode(msgspec.json.encode(Happened(seen)), type=Happened).event
            assert again == seen, f"what stands in for {field.name} does not survive the journal"
            for left in fields(event):
                if left.name not in (field.name, "veils"):
                    assert getattr(seen, left.name) == getattr(event, left.name)


@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from(["d8", "d10"]), st.integers(-2, 2))
def test_a_veiled_roll_shows_its_outcome_alone_byte_for_byte(face: int, other: int, die: str, secret: int) -> None:
    def roll(natural: int, dice: str, part: int) -> e.Rolled:
        parts = (ExplainedPart("in position", part, RuleId("r.position"), known_to=(BLUE,)),)
        total = natural + part
        return e.Rolled(
            "observe", "K", dice, (natural,), natural, parts, total, 4, (), total - 4, "seen", rule=RuleId("r.observe")
        )

    one, two = seen_by(roll(face, die, secret), RED), seen_by(roll(other, "d12", 1), RED)
    assert msgspec.json.encode(one) == msgspec.json.encode(two)
    assert isinstance(one, e.Rolled)
    assert (one.outcome, one.what, one.by, one.rule) == ("seen", "observe", "K", "r.observe")
    assert (one.dice, one.faces, one.natural, one.total, one.needs, one.margin) == ("", (), 0, 0, None, None)
    assert seen_by(roll(face, die, secret), BLUE) == roll(face, die, secret)


def test_what_stops_undo() -> None:
    stopping = {type(event).__name__ for event in ONE_OF_EACH if e.stops_undo(event)}
    assert stopping == {"Rolled", "Revealed", "BattleEnded", "DeckChanged"}
    assert not e.stops_undo(e.DeckChanged("deck", "shuffled", ()))


def test_a_hidden_order_stays_hidden_when_cards_come_and_go() -> None:
    known, hidden = table(), table()
    hidden.decks["deck"] = Deck({"red": 1, "blue": 2})
    for event in (
        e.DeckChanged("deck", "shuffled", ("blue", "blue", "red"), veils={"cards": NOBODY}),
        e.DeckChanged("deck", "drawn", ("blue",)),
        e.DeckChanged("deck", "added", ("red",)),
    ):
        apply(known, event)
        seen = seen_by(event, RED)
        assert seen is not None
        apply(hidden, seen)
    assert known.decks["deck"] == Deck({"red": 2, "blue": 1}, ("blue", "red", "red"))
    assert hidden.decks["deck"] == Deck({"red": 2, "blue": 1}, ())
