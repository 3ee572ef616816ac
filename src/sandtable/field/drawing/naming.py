"""What every drawing of a piece needs: its name in a good seat, its own grains, and room for bases."""

from collections.abc import Iterable

from sandtable.engine.shapes import Disc, Point
from sandtable.engine.table import Piece
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.texture import apart, roomiest
from sandtable.field.ground import box_of


def grains_of(piece: Piece) -> str:
    """The name that decides where a piece's trees and stones lie: its id and its outline, nothing else."""
    shape = piece.outline
    numbers = [shape.center, Point(shape.radius, 0)] if isinstance(shape, Disc) else shape.points
    return f"{piece.id} " + " ".join(f"{x},{y}" for x, y in numbers)


def name_piece(sketch: Sketch, piece: Piece, looks: str = "name", inside: bool = False) -> None:
    """Write a piece's name in the best seat around it, or within it."""
    if not piece.label:
        return
    left, top, right, bottom = box_of(piece.outline)
    middle, center, gap = (left + right) // 2, (top + bottom) // 2, sketch.px(11)
    wide = sketch.px(len(piece.label) * 7 + 8) // 2
    around = [
        Point(middle, bottom + gap), Point(middle, top - gap), Point(right + wide, center), Point(left - wide, center),
        Point(left + wide, bottom + gap), Point(right - wide, bottom + gap), Point(left + wide, top - gap),
        Point(right - wide, top - gap),
    ]  # fmt: skip
    if inside:
        around.insert(0, roomiest(piece.outline, sketch.clear))
    sketch.write_near(around, piece.label, looks, 14)


def off_bases(sketch: Sketch, points: Iterable[Point]) -> list[Point]:
    """The points that leave room for every base."""
    return [point for point in points if all(apart(point, at) >= far for at, far in sketch.clear)]
