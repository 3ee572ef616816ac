"""Scouting: what tactics of any game find out about a table, and when they look again."""

from collections.abc import Sequence
from math import dist

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.engine.ids import PieceId, Side, ThingId
from sandtable.engine.shapes import UNIT, At, Base, Point, rectangle
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.edges import Edge
from sandtable.tabletop.scouting.sightings import Sightings
from sandtable.tabletop.scouting.spots import Front, in_line, sheltered
from sandtable.tabletop.scouting.strolls import Chartroom, Strides, stroll

WIDE = 24 * UNIT
WALK = Strides(lambda piece: None if piece.kind == "wall" else 2, frozenset(), 750, 1200, 1800, 90)


class Crossed(Sightings[int]):
    """How many others stand near the line between two."""

    near_a_line = 1000

    def __init__(self) -> None:
        super().__init__()
        self.looked = 0

    def look(self, table: Table, model: Thing, foes: Sequence[Thing]) -> list[int]:
        self.looked += 1
        return [sum(_near(other, model, foe) for other in table.models()) for foe in foes]


def _point(thing: Thing) -> Point:
    assert isinstance(thing.place, At)
    return thing.place.point


def _near(other: Thing, one: Thing, foe: Thing) -> bool:
    """Whether a model stands within an inch of the line between two others."""
    if other.id in (one.id, foe.id):
        return False
    (ax, ay), (bx, by), (x, y) = _point(one), _point(foe), _point(other)
    dx, dy = bx - ax, by - ay
    along, length = (x - ax) * dx + (y - ay) * dy, dx * dx + dy * dy
    return 0 < along < length and ((x - ax) * dy - (y - ay) * dx) ** 2 <= UNIT * UNIT * length


def _table(points: Sequence[tuple[int, int]]) -> Table:
    sides = (Side("red"), Side("blue"))
    things = {
        str(n): Thing(ThingId(str(n)), side=sides[n % 2], base=Base("circle", UNIT), place=At(Point(*at)))
        for n, at in enumerate(points)
    }
    return Table(Ground(WIDE, WIDE), sides, things)


POINTS = st.tuples(st.integers(0, 24), st.integers(0, 24)).map(lambda at: (at[0] * UNIT, at[1] * UNIT))


@given(
    st.lists(POINTS, min_size=4, max_size=5, unique=True), st.lists(st.tuples(st.integers(0, 3), POINTS), max_size=6)
)
def test_what_is_kept_of_sight_is_what_a_new_look_finds(
    points: list[tuple[int, int]], moves: list[tuple[int, tuple[int, int]]]
) -> None:
    table, kept = _table(points), Crossed()
    for who, to in moves:
        moved = replace(table.things[str(who)], place=At(Point(*to)))
        table = replace(table, things={**table.things, moved.id: moved})
        kept.watch(table)
        new = Crossed()
        new.watch(table)
        one, foes = table.things["0"], [table.things["1"], table.things["3"]]
        assert kept.sightings(table, one, foes) == new.sightings(table, one, foes)


def test_nobody_looks_again_while_nothing_stirs_near_the_line() -> None:
    table, kept = _table([(0, 0), (20 * UNIT, 0), (4 * UNIT, 20 * UNIT), (9 * UNIT, 20 * UNIT)]), Crossed()
    kept.watch(table)
    one, foe = table.things["0"], table.things["1"]
    assert kept.sightings(table, one, [foe]) == kept.sightings(table, one, [foe]) == [0]
    assert kept.looked == 1
    far = replace(table.things["2"], place=At(Point(8 * UNIT, 18 * UNIT)))
    table = replace(table, things={**table.things, "2": far})
    kept.watch(table)
    kept.sightings(table, one, [foe])
    assert kept.looked == 1
    near = replace(far, place=At(Point(8 * UNIT, 0)))
    table = replace(table, things={**table.things, "2": near})
    kept.watch(table)
    assert kept.sightings(table, one, [foe]) == [1]
    assert kept.looked == 2


def test_a_way_leads_around_a_wall_and_costs_what_lies_under_it() -> None:
    wall = Piece(PieceId("wall"), "wall", rectangle(0, 11 * UNIT, 16 * UNIT, 2 * UNIT))
    mud = Piece(PieceId("mud"), "mud", rectangle(18 * UNIT, 0, 6 * UNIT, 24 * UNIT))
    room, here, there = Chartroom(WALK), Point(4 * UNIT, 4 * UNIT), Point(4 * UNIT, 20 * UNIT)
    room.open(Ground(WIDE, WIDE))
    assert room.way_left(here, there) == 16 * UNIT
    room.open(Ground(WIDE, WIDE, (wall,)))
    around = room.way_left(here, there)
    assert around > 2 * dist(here, (16 * UNIT, 12 * UNIT)) - 8 * UNIT
    room.open(Ground(WIDE, WIDE, (wall, mud)))
    assert room.way_left(here, there) > around


def test_a_stroll_ends_at_a_wall_before_others_and_where_the_mv_is_spent() -> None:
    wall = Piece(PieceId("wall"), "wall", rectangle(0, 11 * UNIT, 24 * UNIT, 2 * UNIT))
    model = Thing(ThingId("A"), base=Base("circle", 1500), place=At(Point(8 * UNIT, 4 * UNIT)), facing=90)
    room = Chartroom(WALK)
    room.open(Ground(WIDE, WIDE, (wall,)))

    def length(degrees: int, mv: int, others: Sequence[Point] = ()) -> int:
        found = stroll(room, others, model, degrees, mv, mv * UNIT)
        return 0 if found is None else found.length

    assert length(90, 5) == 5 * UNIT
    assert length(90, 12) == 5 * UNIT  # a base does not fit into the square inch before the wall
    assert length(90, 5, [Point(8 * UNIT, 8 * UNIT)]) == 4 * UNIT - 1800
    assert not length(270, 5)


def test_spots_are_free_and_behind_what_one_may_not_enter() -> None:
    front = Front(0, 0, 24 * UNIT, 6 * UNIT, Edge.NORTH)
    first = next(in_line(front, []))
    assert next(in_line(front, [first])) != first
    rock = (9 * UNIT, 2 * UNIT, 11 * UNIT, 4 * UNIT)
    assert next(sheltered(front, [(rock, True)], [])) == Point(10 * UNIT, 3 * UNIT)
    assert next(sheltered(front, [(rock, False)], [Point(10 * UNIT, 3 * UNIT)])) == Point(10 * UNIT, 1 * UNIT)
    assert not list(sheltered(front, [((0, 12 * UNIT, UNIT, 14 * UNIT), True)], []))
