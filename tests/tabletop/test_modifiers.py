"""Modifiers as rows: which of them count on a check, in which order, and when nothing is told of them."""

from sandtable.engine.ids import RED
from sandtable.forces.ledger import ledger
from sandtable.tabletop.modifiers import Modifier, always, parts

FIRST, SECOND = list(ledger("quickstart").rules.values())[:2]


def row(label: str, value: int = 1, checks: tuple[str, ...] = ("shot",), **more: object) -> Modifier[int]:
    return Modifier[int](rule=FIRST, label=label, checks=checks, value=value, **more)  # type: ignore[arg-type]


def told(*rows: Modifier[int], check: str = "shot", situation: int = 0) -> list[tuple[str, int]]:
    return [(part.label, part.value) for part in parts(rows, check, situation)]


def test_rows_of_other_checks_do_not_count() -> None:
    assert told(row("a"), row("b", checks=("climb",)), row("c", checks=("climb", "shot"))) == [("a", 1), ("c", 1)]


def test_they_are_told_in_the_order_of_the_rows() -> None:
    assert told(row("b"), row("a", -2)) == [("b", 1), ("a", -2)]


def test_a_row_counts_when_it_says_so() -> None:
    far = row("far", -2, when=lambda away: away > 8)
    assert told(far, situation=8) == []
    assert told(far, situation=9) == [("far", -2)]


def test_what_changes_nothing_is_told_only_where_a_row_says_when_it_counts() -> None:
    assert told(row("skill", 0)) == []
    assert told(row("skill", 0, when=always)) == [("skill", 0)]


def test_value_label_and_who_may_know_are_found_in_the_situation() -> None:
    each = Modifier[int](
        rule=SECOND,
        label=lambda n: f"{n} friends",
        checks=("shot",),
        value=lambda n: 2 * n,
        known_to=lambda n: (RED,) if n > 1 else (),
    )
    (alone,) = parts((each,), "shot", 1)
    (both,) = parts((each,), "shot", 2)
    assert (alone.label, alone.value, alone.rule, alone.known_to) == ("1 friends", 2, SECOND.id, ())
    assert (both.label, both.value, both.known_to) == ("2 friends", 4, ("red",))
    assert parts((each,), "shot", 0) == ()
