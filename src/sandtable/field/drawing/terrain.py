"""Terrain by its look, never by its rules: each look has one drawing, and the outline seen is the outline judged.

A piece's look is its trait `look`, or its kind where that is a plain word for ground. Everything else is drawn as a
neutral outline with its name. One light comes from the north-west; shadows are offset copies.
"""

from collections.abc import Callable

from sandtable.engine.shapes import Band, Shape
from sandtable.engine.table import Piece
from sandtable.field.drawing.buildings import stones, structure
from sandtable.field.drawing.growth import heavy_woods, light_woods, marsh
from sandtable.field.drawing.ink import element, num, safe
from sandtable.field.drawing.looks import ORDER, look_of
from sandtable.field.drawing.naming import grains_of, name_piece, off_bases
from sandtable.field.drawing.relief import hill
from sandtable.field.drawing.roads import bridge, road_words, roads
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import Grains, roomiest, scattered
from sandtable.field.drawing.waters import water
from sandtable.field.ground import box_of


def landscape(sketch: Sketch) -> None:
    """Draw every piece: its ground into the land, its words into the words."""
    pieces = sorted(sketch.table.ground.pieces, key=lambda piece: ORDER.index(look_of(piece)))
    for piece in pieces:
        if not isinstance(piece.outline, Band):
            sketch.seats.take(box_of(piece.outline), weight=12)
    ways = [piece for piece in pieces if look_of(piece) == "road"]
    for piece in pieces:
        look, written = look_of(piece), len(sketch.words)
        if look == "road":
            if piece is ways[0]:
                sketch.land.append(element("g", "", *roads(sketch, ways), data_with=piece.id))
            drawn = road_words(sketch, piece)
        else:
            drawn = _DRAWINGS[look](sketch, piece)
        title = element("title", "", safe(_title(sketch, piece)))
        sketch.land.append(element("g", look, title, *drawn, data_piece=piece.id))
        if len(sketch.words) > written:
            sketch.words[written:] = [element("g", "", *sketch.words[written:], data_with=piece.id)]


def _title(sketch: Sketch, piece: Piece) -> str:
    words = [piece.label or piece.kind, *([piece.kind] if piece.label else [])]
    return ", ".join(words) + (f" ▲{num(sketch.levels(piece.height))}" if piece.height else "")


def _rough(sketch: Sketch, piece: Piece) -> list[str]:
    scree, name = "", grains_of(piece)
    grains = Grains(f"sizes {name}")
    for x, y in off_bases(sketch, scattered(piece.outline, sketch.of(660), sketch.of(350), name)):
        s = sketch.of(grains.between(120, 290))
        scree += f"M{num(x - s)} {num(y + s // 2)}l{num(s)} {num(-s * 11 // 10)} {num(s * 9 // 10)} {num(s * 9 // 10)}"
    name_piece(sketch, piece, "name small")
    return [*sketch.area(piece.outline, "rough", "rough-edge", 90), element("path", "scree", d=scree)]


def _rubble(sketch: Sketch, piece: Piece) -> list[str]:
    name_piece(sketch, piece, "name small")
    ground = sketch.area(piece.outline, "rough", "rough-edge", 90)
    return [*ground, stones(sketch, piece.outline, grains_of(piece))]


def _wreck(sketch: Sketch, piece: Piece) -> list[str]:
    name_piece(sketch, piece, "name small")
    rubble = stones(sketch, piece.outline, grains_of(piece), small=340)
    return [*sketch.area(piece.outline, "rough", "rough-edge", 90), rubble]


# ---------------------------------------------------------------- what was built, and what has no look


def _structure(sketch: Sketch, piece: Piece) -> list[str]:
    name_piece(sketch, piece, "made")
    return structure(sketch, piece, grains_of(piece))


def _obstruction(sketch: Sketch, piece: Piece) -> list[str]:
    shape, far = piece.outline, LEVEL_SHADOW * max(1000, sketch.levels(piece.height)) // 1000
    drawn = [sketch.shadow(shape, "shadow-deep", far), *sketch.area(shape, "block", "walls", 140)]
    if piece.height:
        sketch.write(roomiest(shape, sketch.clear), f"▲{num(sketch.levels(piece.height))}", "height on-block", 12)
    name_piece(sketch, piece, "made")
    return drawn


def _plain(sketch: Sketch, piece: Piece) -> list[str]:
    named = piece if piece.label else Piece(piece.id, piece.kind, piece.outline, label=piece.kind.replace("-", " "))
    name_piece(sketch, named, "name small", inside=True)
    return _outline_only(sketch, piece.outline)


def _open(sketch: Sketch, piece: Piece) -> list[str]:
    name_piece(sketch, piece, "name small", inside=True)
    return _outline_only(sketch, piece.outline)


def _outline_only(sketch: Sketch, shape: Shape) -> list[str]:
    if isinstance(shape, Band):
        return [sketch.band(shape, "rough")]
    return [sketch.use(shape, "plain"), sketch.use(shape, "plain-edge")]


_DRAWINGS: dict[str, Callable[[Sketch, Piece], list[str]]] = {
    "open": _open,
    "plain": _plain,
    "hill": hill,
    "water": water,
    "marsh": marsh,
    "rough": _rough,
    "rubble": _rubble,
    "bridge": bridge,
    "light-woods": light_woods,
    "heavy-woods": heavy_woods,
    "wreck": _wreck,
    "obstruction": _obstruction,
    "structure": _structure,
}
