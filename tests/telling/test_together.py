"""What several do alike is one line, and what they do otherwise is not."""

from itertools import pairwise

import pytest

from sandtable.engine import events as e
from sandtable.engine.ids import BLUE, RED, PieceId, ThingId
from sandtable.engine.shapes import At, Disc, In, Leg, Off, Point, Walk
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.telling.together import Runs, Shared, alike, together
from sandtable.telling.vocabulary import Vocabulary

WOOD = Piece(PieceId("wood-1"), "light-woods", Disc(Point(5000, 5000), 2000), label="West Wood")
HERE, THERE = At(Point(1000, 2000)), At(Point(4000, 6000), 1)


def squad() -> Table:
    names = (ThingId("a1"), ThingId("a2"), ThingId("a3"), ThingId("b1"), ThingId("b2"))
    models = [Thing(name, side=RED, unit=ThingId(name[0]), label=name.upper(), place=HERE) for name in names]
    units = [
        Thing(ThingId("a"), "unit", RED, "First Squad"),
        Thing(ThingId("b"), "unit", RED, "Second Squad", unit=ThingId("a")),
    ]
    markers = [Thing(ThingId(f"c{n}"), "marker", RED, f"Counter c{n}") for n in (1, 2, 3)]
    things = {str(thing.id): thing for thing in (*units, *models, *markers, Thing(ThingId("c")))}
    return Table(Ground(48000, 36000), (RED, BLUE), things)


def test_what_models_of_one_unit_do_alike_is_told_together() -> None:
    far, near = Walk((Leg(0, 4000),)), Walk((Leg(0, 2500),))
    moves = [
        e.Moved(ThingId("a1"), HERE, THERE, 0, far),
        e.Moved(ThingId("a2"), HERE, At(Point(5000, 6000), 1), 0, near),
    ]
    assert together(moves, squad()) == "2 of First Squad move up to 4, now at (4, 6), level 1 and (5, 6), level 1."
    places = [e.Placed("a1", HERE), e.Placed("a2", HERE)]
    assert together(places, squad()) == "2 of First Squad are placed at (1, 2)."
    there = [
        e.Placed(name, Off("waiting"), made=Thing(name, unit=ThingId("a"))) for name in (ThingId("a1"), ThingId("a2"))
    ]
    assert together(there, squad()) == "2 of First Squad are waiting."
    halts = [e.Halted(ThingId("a1"), 1500, HERE, "b1"), e.Halted(ThingId("a2"), 2000, HERE, "b1")]
    assert together(halts, squad()) == "2 of First Squad are halted by B1 after up to 2."
    lost = [e.ModelLost(name, "routed") for name in (ThingId("a1"), ThingId("a2"))]
    assert together(lost, squad()) == "2 of First Squad are lost: routed."


def test_a_whole_unit_goes_by_its_name() -> None:
    """The units under it and those it lost are not of its own."""
    table = squad()
    moves = [
        e.Moved(name, HERE, THERE, 0, Walk((Leg(0, 2999),))) for name in (ThingId("a1"), ThingId("a2"), ThingId("a3"))
    ]
    assert together(moves, table) == "First Squad moves up to 3, now at (4, 6), level 1."
    assert together(moves[:2], table).startswith("2 of First Squad move ")
    table.things["a3"] = Thing(ThingId("a3"), unit=ThingId("a"), gone="killed")
    assert together(moves[:2], table).startswith("First Squad moves ")
    lost = [e.ModelLost(name, "routed") for name in (ThingId("b1"), ThingId("b2"))]
    assert together(lost, table) == "Both of Second Squad are lost: routed."
    assert together(
        [e.Moved(name, HERE, THERE, manner="forced") for name in (ThingId("b1"), ThingId("b2"))], table
    ) == ("Second Squad is forced to move, now at (4, 6), level 1.")


def test_pieces_of_a_kind_are_counted_and_names_that_say_the_kind_are_told_once() -> None:
    labels = [
        ("hedge", "Hedge 1"),
        ("hedge", "Hedge 2"),
        ("hill", "Hill 1"),
        ("road", "The Road"),
        ("rocks", "The Tor"),
    ]
    pieces = [Piece(PieceId(label), kind, WOOD.outline, label=label) for kind, label in labels]
    run = [
        e.Placed(piece.id, Off(), piece=piece) for piece in (*pieces, Piece(PieceId("x"), "light-woods", WOOD.outline))
    ]
    assert together(run, squad()) == "On the table: hedge ×2, hill, The Road, The Tor (rocks) and light woods."


def test_a_force_is_mustered_in_one_line() -> None:
    """Units by name with how many stand outside, where they are; who waits alike is told alike."""
    table = squad()
    crew, hull = Thing(ThingId("k1"), unit=ThingId("k"), side=RED), Thing(ThingId("k2"), unit=ThingId("k"), side=RED)
    tank = Thing(ThingId("k"), "unit", RED, "Anvil")
    table.things |= {one.id: one for one in (crew, hull, tank)}
    made = [(table["a"], Off("waiting")), *((table[name], Off("waiting")) for name in ("a1", "a2", "a3"))]
    made += [(table["b"], Off("waiting")), *((table[name], Off("waiting")) for name in ("b1", "b2"))]
    run: list[Shared] = [e.Placed(one.id, where, made=one) for one, where in made]
    aboard: list[Shared] = [
        e.Placed("k", Off("its models stand for it"), made=tank),
        e.Placed("k1", In("k2", "crew"), made=crew),
        e.Placed("k2", HERE, made=hull),
    ]
    assert all(alike(one, other, table) for one, other in pairwise(run))
    assert alike(run[-1], aboard[0], table)
    assert together([*run, *aboard], table) == (
        "Red has First Squad (3) and Second Squad (2) waiting; Anvil at (1, 2)."
    )


def test_states_that_come_or_go_alike_are_told_together() -> None:
    vocabulary = Vocabulary(phrases={"is": "{who} [is|are] {value}", "not prone": "{who} [stands|stand] up"})
    came: list[Shared] = [e.StateChanged(name, "prone", None, 1) for name in ("a1", "a2")]
    assert together(came, squad()) == "A1 and A2 now: prone."
    went: list[Shared] = [e.StateChanged(name, "prone", 1, None) for name in ("a1", "a2")]
    assert together(went, squad()) == "A1 and A2 no longer: prone."
    assert together(went, squad(), vocabulary) == "A1 and A2 stand up."
    kinds: list[Shared] = [
        e.StateChanged(name, "is", None, what) for name, what in (("c1", "dummy"), ("c2", "b"), ("c3", "dummy"))
    ]
    assert together(kinds, squad(), vocabulary) == "Counter c1 and c3 are dummy; c2 is Second Squad."


def test_markers_that_come_and_go_alike_are_told_together() -> None:
    table = squad()
    laid: list[Shared] = [e.Placed(name, HERE, made=table[name]) for name in ("c1", "c2")]
    assert together(laid, table) == "Counter c1 and c2 are placed at (1, 2)."
    left: list[Shared] = [e.Left(name, "they were dummies") for name in (ThingId("c1"), ThingId("c2"))]
    assert together(left, table) == "Counter c1 and c2 leave the table: they were dummies."


NEW = {name: Thing(name, "model", RED, unit=ThingId(name[0])) for name in (ThingId("a8"), ThingId("a9"), ThingId("b8"))}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (e.Moved(ThingId("a1"), HERE, THERE), e.Moved(ThingId("a2"), HERE, THERE), True),
        (e.Moved(ThingId("a1"), HERE, THERE), e.Moved(ThingId("b1"), HERE, THERE), False),
        (e.Moved(ThingId("a1"), HERE, THERE), e.Moved(ThingId("a2"), HERE, THERE, manner="pushed"), False),
        (e.Moved(ThingId("a1"), HERE, THERE), e.Placed("a2", THERE), False),
        (e.Moved(ThingId("c"), HERE, THERE), e.Moved(ThingId("c"), HERE, THERE), False),
        (e.Placed("a1", THERE), e.Placed("a2", Off("dead")), False),
        (e.Placed("a1", THERE), e.Placed("a2", HERE), True),
        (e.Placed("wood-1", Off(), piece=WOOD), e.Placed("wood-2", Off(), piece=WOOD), True),
        (
            e.Placed("wood-1", Off(), piece=WOOD),
            e.Placed("b", Off(), piece=Piece(PieceId("b"), e.BOARD, WOOD.outline)),
            False,
        ),
        (e.Placed("wood-1", Off(), piece=WOOD), e.Placed("a1", HERE), False),
        (e.Placed("a8", Off(), made=NEW[ThingId("a8")]), e.Placed("b8", HERE, made=NEW[ThingId("b8")]), True),
        (
            e.Placed("a8", Off(), made=NEW[ThingId("a8")]),
            e.Placed("x", Off(), made=Thing(ThingId("x"), side=BLUE)),
            False,
        ),
        (
            e.Placed("a8", Off(), made=NEW[ThingId("a8")]),
            e.Placed("c1", Off(), made=Thing(ThingId("c1"), "marker", RED)),
            False,
        ),
        (e.Placed("a8", Off(), made=NEW[ThingId("a8")]), e.Placed("a1", Off()), False),
        (e.ModelLost(ThingId("a1"), "routed"), e.ModelLost(ThingId("a2"), "routed"), True),
        (e.ModelLost(ThingId("a1"), "routed"), e.ModelLost(ThingId("a2"), "killed"), False),
        (e.Left(ThingId("c1"), "x"), e.Left(ThingId("c2"), "x"), True),
        (e.Halted(ThingId("a1"), 1, HERE, "b1"), e.Halted(ThingId("a2"), 2, HERE, "b1"), True),
        (e.Halted(ThingId("a1"), 1, HERE, "b1"), e.Halted(ThingId("a2"), 2, HERE, "b2"), False),
        (e.Left(ThingId("c1"), "x"), e.Left(ThingId("c2"), "y"), False),
        (e.StateChanged("a1", "prone", None, 1), e.StateChanged("a2", "prone", None, 1), True),
        (e.StateChanged("a1", "prone", None, 1), e.StateChanged("a2", "prone", 1, None), False),
        (e.StateChanged("a1", "prone", 1, 2), e.StateChanged("a2", "prone", 1, 2), False),
        (e.StateChanged("a1", "prone", None, 1), e.StateChanged("b1", "prone", None, 1), False),
        (e.Spent("a1", "AP", 1, 1), e.Spent("a2", "AP", 1, 1), False),
    ],
)
def test_only_those_who_do_the_same_are_told_together(one: e.AnyEvent, other: e.AnyEvent, same: bool) -> None:
    assert alike(one, other, squad()) is same


def runs_of(*events: Shared) -> list[int]:
    """How long the runs are into which events fall."""
    runs, table = Runs(), squad()
    lengths: list[int] = []
    for event in events:
        if not runs.takes(event, table):
            lengths += [len(run) for run in runs.give()]
            assert runs.takes(event, table)
    return [*lengths, *(len(run) for run in runs.give())]


def test_what_befalls_each_of_a_run_in_turn_is_a_run_of_its_own() -> None:
    table = squad()
    counters = [
        event
        for name in ("c1", "c2", "c3")
        for event in (e.Placed(name, HERE, made=table[name]), e.StateChanged(name, "is", None, "dummy"))
    ]
    assert runs_of(*counters) == [3, 3]
    walks = [
        event
        for name in (ThingId("a1"), ThingId("a2"))
        for event in (e.Moved(name, HERE, THERE), e.Halted(name, 1000, THERE))
    ]
    assert runs_of(*walks) == [2, 2]
    # What is about another thing begins anew, and nobody is told twice in one line.
    assert runs_of(e.Moved(ThingId("a1"), HERE, THERE), e.StateChanged("b1", "prone", None, 1)) == [1, 1]
    assert runs_of(
        e.Moved(ThingId("a1"), HERE, THERE), e.Moved(ThingId("a2"), HERE, THERE), e.Moved(ThingId("a1"), THERE, HERE)
    ) == [2, 1]
