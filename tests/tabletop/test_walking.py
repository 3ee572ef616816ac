"""Walking on foot: as far as the rule says, over no edge and over nobody; and what is drawn as reach is just that."""

import pytest

from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Base, Point, Via, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.walking.reach import in_reach
from sandtable.forces.ledger import ledger
from sandtable.tabletop.walking import OnFoot

RULE = next(iter(ledger("quickstart").rules.values()))
ON_FOOT = OnFoot("walk", RULE, 6 * UNIT)


def inch(x: float, y: float) -> Point:
    return Point(round(x * UNIT), round(y * UNIT))


def thing(name: ThingId, x: float, y: float) -> Thing:
    return Thing(name, side=RED, label=name, base=Base("circle", UNIT), place=At(inch(x, y)))


@pytest.fixture
def table() -> Table:
    both = (thing(ThingId("A"), 5, 4), thing(ThingId("B"), 9, 4))
    return Table(Ground(24 * UNIT, 24 * UNIT), (RED, BLUE), {one.id: one for one in both})


def refused(table: Table, *via: Point) -> Refusal | None:
    view, question = View(RED, table), ON_FOOT.question(table["A"], "Where to?")
    return ON_FOOT.refused(view, question, {"A": Walk(tuple(Via(point) for point in via))})


def test_what_stops_a_walk_is_said(table: Table) -> None:
    for via, why in (
        ((inch(5, 10),), ""),
        ((inch(5, 10.001),), "6″ would do"),
        ((inch(5, 0.5),), ""),
        ((inch(5, 0.499),), "leaves the board"),
        ((inch(8, 4),), ""),
        ((inch(8.001, 4),), "B is in the way"),
        ((inch(5, 5.5), inch(8.5, 5.5)), ""),
    ):
        found = refused(table, *via)
        assert (found.sentence if found else "").endswith(f"{why}." if why else ""), via
        assert bool(found) == bool(why), via
        assert found is None or found.rule == RULE.id


def test_what_is_drawn_is_what_can_be_reached(table: Table) -> None:
    view, question = View(RED, table), ON_FOOT.question(table["A"], "Where to?")
    shown = ON_FOOT.preview(view, question, {"A": Walk((Via(inch(5, 7)),))})
    assert shown.notes == ("3″ of 6″",)
    area = ON_FOOT.reach(table, table["A"])
    assert shown.reach == area
    for point, reached in (
        (inch(5, 9.8), True),
        (inch(5, 10.2), False),
        (inch(7.8, 4), True),
        (inch(9, 4), False),  # B stands there
        (inch(10, 5.2), True),  # round B
        (inch(10.9, 4), False),  # the way round is longer than the straight one
        (inch(2, 0.6), True),
        (inch(2, 0.3), False),  # over the edge
    ):
        assert in_reach(area, point) == reached, point  # type: ignore[arg-type]
