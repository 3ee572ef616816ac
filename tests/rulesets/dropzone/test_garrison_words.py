"""What players call the places in a Garrison: edges by where they look."""

from sandtable.engine.ids import RED, PieceId, ThingId
from sandtable.engine.shapes import Disc, In, Point, Polygon, rectangle
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.lab.vocabularies import vocabulary
from sandtable.rulesets import ruleset
from sandtable.server.seats.views import slots_shown
from sandtable.telling.vocabulary import Speaker

BOOK = ruleset("dropzone")
HOUSE = rectangle(10_000, 10_000, 5000, 5000)
#: Its first edge looks to the south-east, and two look to the west.
ODD = Polygon((Point(10_000, 5000), Point(5000, 10_000), Point(0, 8000), Point(200, 4000), Point(0, 0)))


def called(piece: Piece, *slots: str) -> list[str]:
    return [BOOK.slot_words(Ground(48_000, 48_000, (piece,)), In(piece.id, slot)) for slot in slots]


def test_an_edge_is_called_by_where_it_looks() -> None:
    edges = ("edge 1", "edge 2", "edge 3", "edge 4")
    for outline in (HOUSE, Polygon(HOUSE.points), Disc(Point(10_000, 10_000), 2000)):
        names = called(Piece(PieceId("house"), "small-building", outline), *edges, "centre")
        assert names == ["northern edge", "eastern edge", "southern edge", "western edge", "centre"]
    backwards = Polygon(tuple(reversed(HOUSE.points)))
    names = called(Piece(PieceId("house"), "small-building", backwards), *edges)
    assert names == ["southern edge", "eastern edge", "northern edge", "western edge"]


def test_edges_that_look_the_same_way_have_numbers() -> None:
    names = called(Piece(PieceId("odd"), "small-forest", ODD), *(f"edge {n}" for n in range(1, 6)))
    assert names == ["south-eastern edge", "southern edge", "western edge 1", "western edge 2", "north-eastern edge"]


def test_the_story_and_the_page_call_it_so() -> None:
    table = Table(
        Ground(48_000, 48_000, (Piece(PieceId("house"), "small-building", HOUSE, label="The House"),)), (RED,)
    )
    table.things["A"] = Thing(ThingId("A"), side=RED, place=In("house", "edge 2"))
    assert Speaker(table, vocabulary(BOOK)).where(table["A"].place) == "in The House, eastern edge"
    assert slots_shown(BOOK, table) == {"house": {"edge 2": "eastern edge"}}
