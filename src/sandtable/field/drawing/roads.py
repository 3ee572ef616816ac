"""Roads at their true width, joined where they meet, with planks where they carry over water."""

from itertools import pairwise

from sandtable.engine.shapes import Band, Point, Polygon
from sandtable.engine.table import Piece
from sandtable.field.drawing.ink import element, line, spot
from sandtable.field.drawing.looks import look_of
from sandtable.field.drawing.naming import name_piece
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import along_line, apart, between, depth


def roads(sketch: Sketch, ways: list[Piece]) -> list[str]:
    """All roads at once, so that they join where they meet."""
    edges, fills = [], []
    for piece in ways:
        shape = piece.outline
        if isinstance(shape, Band):
            edges.append(sketch.band(shape, "road-edge b-edge"))
            fills.append(sketch.band(shape, "road", inset=sketch.of(90)))
        else:
            edges.append(sketch.use(shape, "road-edge"))
            fills.append(sketch.use(shape, "road"))
    spans = [part for piece in ways for part in _spans(sketch, piece)]
    ruts = [sketch.use(piece.outline, "rut") for piece in ways if isinstance(piece.outline, Band)]
    return [*edges, *fills, *ruts, *spans]


def _spans(sketch: Sketch, piece: Piece) -> list[str]:
    """Planks and rails where a road carries over water: a bridge needs no piece of its own."""
    if not isinstance(piece.outline, Band):
        return []
    waters = [other.outline for other in sketch.table.ground.pieces if look_of(other) == "water"]
    step, bank, half = max(1, sketch.of(260)), sketch.of(500), piece.outline.width // 2
    drawn: list[str] = []
    deck: list[tuple[Point, Point]] = []
    for at, out_x, out_y in [*along_line(piece.outline.points, step), (None, 0, 0)]:
        if at is not None and any(depth(water, at) > -bank for water in waters):
            dx, dy = out_x * half // 1000, out_y * half // 1000
            deck.append((Point(at.x + dx, at.y + dy), Point(at.x - dx, at.y - dy)))
            continue
        if len(deck) > 2:
            planks = "".join(line(plank) for plank in deck[1:-1])
            rails = line([plank[0] for plank in deck]) + line([plank[1] for plank in deck])
            drawn += [element("path", "plank", d=planks), element("path", "rail", d=rails)]
        deck = []
    return drawn


def road_words(sketch: Sketch, piece: Piece) -> list[str]:
    """Name a road; the road itself is drawn with all the others."""
    name_piece(sketch, piece, "name small")
    return []


def bridge(sketch: Sketch, piece: Piece) -> list[str]:
    """A deck of planks between two rails; its ends are open."""
    shape, far = piece.outline, sketch.of(LEVEL_SHADOW)
    name_piece(sketch, piece, "name small")
    if isinstance(shape, Band):
        deck = [sketch.band(shape, "shadow-line", dx=far, dy=far), sketch.band(shape, "rail b-edge")]
        deck.append(sketch.band(shape, "bridge", inset=sketch.of(180)))
        return [*deck, *(_planks(sketch, a, b, shape.width // 2) for a, b in pairwise(shape.points))]
    drawn = [sketch.use(shape, "shadow-deep", far, far), sketch.use(shape, "bridge")]
    if not isinstance(shape, Polygon) or len(shape.points) != 4:
        return [*drawn, sketch.use(shape, "rail")]
    p, q, r, s = shape.points
    if apart(p, q) < apart(q, r):
        p, q, r, s = q, r, s, p
    drawn.append(_planks(sketch, between(p, s, 1, 2), between(q, r, 1, 2), apart(q, r) // 2))
    return [*drawn, element("path", "rail", d=line([p, q]) + line([r, s]))]


def _planks(sketch: Sketch, a: Point, b: Point, half: int) -> str:
    far, d, half = max(1, apart(a, b)), "", half - sketch.of(170)
    ax, ay = -(b.y - a.y) * half // far, (b.x - a.x) * half // far
    for walked in range(sketch.of(150), far, max(1, sketch.of(300))):
        at = between(a, b, walked, far)
        d += f"M{spot(Point(at.x - ax, at.y - ay))}L{spot(Point(at.x + ax, at.y + ay))}"
    return element("path", "plank", d=d)
