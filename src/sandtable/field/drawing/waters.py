"""Water: lines along the shore, deeper parts darker, depth in italics."""

from sandtable.engine.shapes import Band, Point
from sandtable.engine.table import Part, Piece
from sandtable.field.drawing.ink import element, num
from sandtable.field.drawing.naming import name_piece
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.texture import Clear, roomiest
from sandtable.field.ground import box_of


def water(sketch: Sketch, piece: Piece) -> list[str]:
    """A lake with lines along its shore, or a river as wide as it is; parts with an outline are deeper."""
    shape = piece.outline
    if isinstance(shape, Band):
        drawn = [sketch.band(shape, "water-line b-edge"), sketch.band(shape, "water", inset=sketch.of(120))]
        name_piece(sketch, piece, "name small")
        return drawn
    lines = [sketch.use(shape, "water")]
    for far, wide, strong in ((1750, 45, ".4"), (1100, 55, ".55"), (520, 70, ".75")):
        for looks, width in (("water-line", 2 * far + wide), ("water-wash", 2 * far - wide)):
            lines.append(
                element("use", looks, href=f"#{sketch.shape(shape)}", style=f"stroke-width:{num(sketch.of(width))}",
                        opacity=strong if looks == "water-line" else None)
            )  # fmt: skip
    deeps = [part for part in piece.parts if part.outline is not None]
    for part in deeps:
        assert part.outline is not None
        lines += sketch.area(part.outline, "deep", "deep-line", 70)
    lines.append(sketch.use(shape, "bank", sketch.of(100), sketch.of(100)))
    _water_words(sketch, piece, deeps)
    return [sketch.clip(shape, *lines), sketch.use(shape, "shore")]


def _water_words(sketch: Sketch, piece: Piece, deeps: list[Part]) -> None:
    clear: list[Clear] = list(sketch.clear)
    for part in deeps:
        assert part.outline is not None
        at = roomiest(part.outline, sketch.clear)
        words = f"depth {num(sketch.levels(abs(part.level)))}" if part.level else part.state or part.id
        sketch.write(at, words, "name small wet deep-name", 12)
        left, top, right, bottom = box_of(part.outline)
        clear.append((Point((left + right) // 2, (top + bottom) // 2), min(right - left, bottom - top) // 2))
    lines = piece.label.split(" ") if piece.label else []
    shallow = piece.traits.get("depth")
    if shallow is not None:
        lines.append(f"depth {shallow}")
    at = roomiest(piece.outline, clear)
    step = sketch.px(15)
    for row, words in enumerate(lines):
        seat = Point(at.x, at.y + (2 * row - len(lines) + 1) * step // 2)
        sketch.write(
            seat, words, "name wet" if piece.label and row < len(piece.label.split(" ")) else "name small wet", 14
        )
