"""Views that share what they hold with the truth hold, byte for byte, what each would hold by itself."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from sandtable.engine.changes import apply, apply_to_all, share
from sandtable.engine.events import NOBODY, AnyEvent, Moved, Placed, StateChanged, seen_by
from sandtable.engine.ids import BLUE, NO_SIDE, RED, Side, ThingId
from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from tests.engine.test_events import ONE_OF_EACH, table

SIDES = (RED, BLUE, NO_SIDE)
WHO = st.sampled_from([(), ("red",), ("blue",), NOBODY])


@st.composite
def happenings(draw: st.DrawFn) -> list[AnyEvent]:
    found: list[AnyEvent] = []
    for event in draw(st.lists(st.sampled_from(ONE_OF_EACH), max_size=25)):
        secret = replace(event, known_to=draw(WHO))
        if draw(st.booleans()):
            names = [f.name for f in fields(event) if f.name not in ("n", "step", "because", "known_to", "veils")]
            secret = replace(secret, veils={draw(st.sampled_from(names)): draw(WHO)})
        found.append(secret if draw(st.integers(0, 3)) == 0 else event)
    return found


def _apart(laid: Table, views: dict[Side, Table], event: AnyEvent) -> bool:
    """The slow, obvious way: each table by itself. Whether it makes sense to all of them."""
    try:
        apply(laid, event)
        for side, view in views.items():
            seen = seen_by(event, side)
            if seen is not None:
                apply(view, seen)
    except (KeyError, AssertionError):
        return False
    return True


@given(happenings())
def test_shared_views_hold_what_each_would_hold_by_itself(events: list[AnyEvent]) -> None:
    truth, alone = table(), table()
    views = {side: truth.copy(truth.things) for side in SIDES}
    lonely = {side: alone.copy() for side in SIDES}
    for event in events:
        trial = alone.copy(), {side: view.copy() for side, view in lonely.items()}
        if not _apart(*trial, event):
            continue
        _apart(alone, lonely, event)
        apply_to_all(truth, views, event)
        assert msgspec.json.encode((truth, views)) == msgspec.json.encode((alone, lonely))
        assert [view.models() for view in views.values()] == [view.models() for view in lonely.values()]


def test_views_have_the_index_of_the_truth_until_something_is_hidden() -> None:
    truth = table()
    views = {side: truth.copy(truth.things) for side in SIDES}
    apply_to_all(truth, views, StateChanged("A", "prone", None, 1))
    assert all(view.things is truth.things for view in views.values())
    apply_to_all(truth, views, StateChanged("A", "mines", None, 1, known_to=(RED,)))
    assert all(view.things is not truth.things for view in views.values())
    assert [view["A"].has("mines") for view in views.values()] == [True, False, False]
    apply_to_all(truth, views, Moved(ThingId("B"), truth["B"].place, At(Point(7, 7))))
    assert all(view["B"] is truth["B"] for view in views.values()), "what all know is made once"


def test_only_views_that_know_all_things_in_their_order_share_them_again() -> None:
    truth = table()
    same, other, turned = truth.copy(), truth.copy(), truth.copy()
    other.things["A"] = replace(other["A"], harm=1)
    turned.things["A"] = turned.things.pop("A")
    share(truth, {Side("same"): same, Side("other"): other, Side("turned"): turned})
    assert [view.things is truth.things for view in (same, other, turned)] == [True, False, False]


def test_a_view_that_learned_the_same_in_another_order_keeps_its_own() -> None:
    """Else a battle that is read from a file would show its sides in which order secrets came about."""
    truth = table()
    views = {side: truth.copy(truth.things) for side in SIDES}
    hidden, known = StateChanged("A", "mines", None, 1, known_to=(RED,)), StateChanged("A", "prone", None, 1)
    for event in (hidden, known, StateChanged("A", "mines", None, 1, known_to=(BLUE,))):
        apply_to_all(truth, views, event)
    blue = views[BLUE]
    assert (list(truth["A"].states), list(blue["A"].states)) == (["mines", "prone"], ["prone", "mines"])
    share(truth, views)
    assert list(blue["A"].states) == ["prone", "mines"]


def test_nothing_is_placed_under_the_name_of_something_else() -> None:
    laid = table()
    there = At(Point(1000, 1000))
    with pytest.raises(AssertionError, match="what is placed as gun is crew"):
        apply(laid, Placed("gun", there, made=Thing(ThingId("crew"), place=there)))
    assert "gun" not in laid.things
