"""Hills as cut layers: warmer with height, lit from the north-west, numbered, with teeth where they are cliffs."""

from sandtable.engine.shapes import Band, Point
from sandtable.engine.table import Contour, Piece
from sandtable.field.drawing.ink import element, line, num, spot
from sandtable.field.drawing.naming import name_piece
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import along_outline, between, clockwise, line_points, roomiest


def hill(sketch: Sketch, piece: Piece) -> list[str]:
    """A cut layer a level; a hill without contours is one layer as high as the piece."""
    contours = piece.contours or (Contour(max(sketch.level, piece.height), piece.outline),)
    if sketch.first(f"{sketch.ids}-edge"):
        sketch.defs.append(_edge_light(f"{sketch.ids}-edge"))
    drawn: list[str] = []
    below = 0
    for contour in contours:
        drawn += _layer(sketch, contour, max(1000, sketch.levels(contour.level - below)))
        below = contour.level
    top = contours[-1]
    _hill_words(sketch, piece, contours, top)
    return drawn


def _layer(sketch: Sketch, contour: Contour, rise: int) -> list[str]:
    """One cut layer: warmer with height, lit from the north-west, strokes downhill, teeth where it is a cliff.

    How far it rises is counted in thousandths of a level.
    """
    shape, far = contour.outline, LEVEL_SHADOW * min(rise, 4000) // 1000
    fill = f"level-{_tint(sketch, contour)}"
    drawn = [sketch.shadow(shape, "shadow-soft", far + 270), sketch.shadow(shape, "shadow", far)]
    if isinstance(shape, Band):
        return [*drawn, *sketch.area(shape, fill, "contour", 85)]
    drawn += [sketch.use(shape, fill), sketch.use(shape, "edge-lit", paint=f"url(#{sketch.ids}-edge)")]
    round_it = clockwise(line_points(shape))
    if contour.cliff:
        drawn += [_teeth(sketch, round_it), sketch.use(shape, "cliff")]
    else:
        drawn += [_hachures(sketch, round_it), sketch.use(shape, "contour")]
    return drawn


def _tint(sketch: Sketch, contour: Contour) -> int:
    """How warm a layer is drawn, by the levels up to its top."""
    return min(max(sketch.levels(contour.level) // 1000, 1), 4)


def _hachures(sketch: Sketch, points: list[Point]) -> str:
    """Short strokes downhill, longer away from the light."""
    d = ""
    for at, out_x, out_y in along_outline(points, max(1, sketch.of(300))):
        dark = max(0, (out_x + out_y) * 707 // 1000)
        long = sketch.of(130 + 300 * dark // 1000)
        start = Point(at.x + out_x * sketch.of(60) // 1000, at.y + out_y * sketch.of(60) // 1000)
        d += f"M{spot(start)}l{num(out_x * long // 1000)} {num(out_y * long // 1000)}"
    return element("path", "hachure", d=d)


def _teeth(sketch: Sketch, points: list[Point]) -> str:
    """Teeth along a cliff, pointing down."""
    d, half, long = "", sketch.of(130), sketch.of(380)
    for at, out_x, out_y in along_outline(points, max(1, sketch.of(420))):
        a = Point(at.x + out_y * half // 1000, at.y - out_x * half // 1000)
        b = Point(at.x - out_y * half // 1000, at.y + out_x * half // 1000)
        d += line([a, Point(at.x + out_x * long // 1000, at.y + out_y * long // 1000), b], closed=True)
    return element("path", "teeth", d=d)


def _edge_light(name: str) -> str:
    stops = "".join(
        element("stop", looks, offset=at, stop_opacity=strong)
        for at, looks, strong in (
            (".05", "lit-stop", ".9"), (".45", "lit-stop", "0"), (".55", "shade-stop", "0"), ("1", "shade-stop", ".4"),
        )
    )  # fmt: skip
    return element("linearGradient", "", stops, id=name, x1="0", y1="0", x2="1", y2="1")


def _hill_words(sketch: Sketch, piece: Piece, contours: tuple[Contour, ...], top: Contour) -> None:
    looks = f"height on-{_tint(sketch, top)}"
    at = roomiest(top.outline, sketch.clear)
    sketch.write(at, f"▲{num(sketch.levels(top.level))}", looks, 12)
    for contour in contours:
        # The number stands on its line, lower left where it can.
        points = line_points(contour.outline)
        ranked = sorted(points, key=lambda point: (point.x - 2 * point.y, point.x))
        inward = [between(point, at, 1, 12) for point in ranked[: max(8, len(ranked) // 2) : 3]]
        if len(contours) > 1 or contour.cliff:
            words = num(sketch.levels(contour.level))
            sketch.write_near(inward, words, f"height on-{_tint(sketch, contour)}", 12)
    name_piece(sketch, piece)
