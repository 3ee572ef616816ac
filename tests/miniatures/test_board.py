"""The board comes by an event like everything else, so that a battle refolds without its ruleset."""

from sandtable.engine.changes import apply
from sandtable.engine.events import BOARD, Placed
from sandtable.engine.ids import BLUE, RED, PieceId
from sandtable.engine.shapes import Disc, Off, Point, rectangle
from sandtable.engine.table import Ground, Piece, Table


def test_placing_the_board_gives_the_table_its_size_and_keeps_its_pieces() -> None:
    wood = Piece(PieceId("wood"), "woods", Disc(Point(5000, 5000), 2000))
    table = Table(Ground(0, 0, (wood,)), (RED, BLUE))
    apply(table, Placed("board", Off(), piece=Piece(PieceId("board"), BOARD, rectangle(0, 0, 48000, 36000))))
    assert (table.ground.width, table.ground.height, table.ground.pieces) == (48000, 36000, (wood,))
