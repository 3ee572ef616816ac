"""Decks: what is put underneath stays underneath, what is hidden stays hidden, a drawn card cannot be put back."""

from sandtable.engine.changes import apply
from sandtable.engine.events import NOBODY, DeckChanged, seen_by, stops_undo
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.table import Ground, Table

SHUFFLED = DeckChanged("deck", "shuffled", ("b", "a", "c"), veils={"cards": NOBODY})


def deck_of(*cards: str) -> Table:
    table = Table(Ground(0, 0), (RED, BLUE))
    apply(table, DeckChanged("deck", "added", cards))
    return table


def test_a_card_put_underneath_comes_last_and_leaves_the_order_above_it() -> None:
    table = deck_of("a", "b", "c")
    for event in (SHUFFLED, DeckChanged("deck", "drawn", ("b",)), DeckChanged("deck", "added", ("b",))):
        apply(table, event)
    assert table.decks["deck"].order == ("a", "c", "b")
    assert table.decks["deck"].contents == {"a": 1, "c": 1, "b": 1}


def test_a_side_that_does_not_know_the_order_does_not_learn_it_from_a_card_put_underneath() -> None:
    table = deck_of("a", "b", "c")
    seen = seen_by(SHUFFLED, RED)
    assert seen is not None
    for event in (seen, DeckChanged("deck", "drawn", ("b",)), DeckChanged("deck", "added", ("b",))):
        apply(table, event)
    assert table.decks["deck"].order == ()
    assert table.decks["deck"].contents == {"a": 1, "c": 1, "b": 1}


def test_drawing_stops_undo_and_adding_does_not() -> None:
    assert stops_undo(DeckChanged("deck", "drawn", ("a",)))
    assert not stops_undo(DeckChanged("deck", "added", ("a",)))
