"""Terrain by its look, never by its rules: each look has one drawing, and the outline seen is the outline judged.

A piece's look is its trait `look`, or its kind where that is a plain word for ground. Everything else is drawn as a
neutral outline with its name. One light comes from the north-west; shadows are offset copies.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise

from sandtable.engine.directions import along
from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.engine.table import Contour, Part, Piece
from sandtable.field.drawing.buildings import stones, structure
from sandtable.field.drawing.ink import element, line, num, safe, spot
from sandtable.field.drawing.looks import ORDER, look_of
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import (
    Clear,
    Grains,
    along_line,
    along_outline,
    apart,
    between,
    clockwise,
    depth,
    line_points,
    roomiest,
    scattered,
    step_aside,
)
from sandtable.field.ground import box_of


def landscape(sketch: Sketch) -> None:
    """Draw every piece: its ground into the land, its words into the words."""
    pieces = sorted(sketch.table.ground.pieces, key=lambda piece: ORDER.index(look_of(piece)))
    for piece in pieces:
        if not isinstance(piece.outline, Band):
            sketch.seats.take(box_of(piece.outline), weight=12)
    roads = [piece for piece in pieces if look_of(piece) == "road"]
    for piece in pieces:
        look = look_of(piece)
        if look == "road":
            if piece is roads[0]:
                sketch.land += _roads(sketch, roads)
            drawn = _road_words(sketch, piece)
        else:
            drawn = _DRAWINGS[look](sketch, piece)
        title = element("title", "", safe(_title(piece)))
        sketch.land.append(element("g", look, title, *drawn, data_piece=piece.id))


def _title(piece: Piece) -> str:
    words = [piece.label or piece.kind, *([piece.kind] if piece.label else [])]
    return ", ".join(words) + (f" ▲{piece.height}" if piece.height else "")


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


# ---------------------------------------------------------------- growth


def _light_woods(sketch: Sketch, piece: Piece) -> list[str]:
    drawn = sketch.area(piece.outline, "woods", "woods-edge", 100)
    drawn += _trees(sketch, piece, heavy=False)
    name_piece(sketch, piece)
    return drawn


def _heavy_woods(sketch: Sketch, piece: Piece) -> list[str]:
    drawn = sketch.area(piece.outline, "heavy", "heavy-edge", 120)
    drawn += _trees(sketch, piece, heavy=True)
    name_piece(sketch, piece)
    return drawn


def _trees(sketch: Sketch, piece: Piece, heavy: bool) -> list[str]:
    of, outline = sketch.of, piece.outline
    name, clear = grains_of(piece), list(sketch.clear)
    if piece.height:
        at = roomiest(outline, clear)
        sketch.write(at, f"▲{piece.height}", "height " + ("on-heavy" if heavy else "on-woods"), 12)
        clear.append((at, of(950)))
    spacing, margin = (of(900), of(470)) if heavy else (of(1450), of(560))
    shade, crowns, grains = "", "", Grains(f"sizes {name}")
    for tree in scattered(outline, spacing, margin, name):
        size, cut = grains.below(3), grains.below(3)
        at = step_aside(tree, clear)
        if at != tree and (depth(outline, at) < margin // 2 or any(apart(at, c) < far - 1 for c, far in clear)):
            continue
        radius = of((480 if heavy else 430) + 65 * size)
        half = f"a{num(radius)} {num(radius)} 0 1 0"
        start = spot(Point(at.x + of(320) - radius, at.y + of(320)))
        shade += f"M{start}{half} {num(2 * radius)} 0{half} {num(-2 * radius)} 0"
        ref = _crown(sketch, heavy, size, cut)
        crowns += f'<use href="#{ref}" x="{num(at.x)}" y="{num(at.y)}"/>'
    return [element("path", "shadow", d=shade), crowns] if shade else []


def _crown(sketch: Sketch, heavy: bool, size: int, cut: int) -> str:
    """A tree seen from above: nine crowns serve a whole forest."""
    ref = f"{sketch.ids}-{'dark' if heavy else 'tree'}{size}{cut}"
    if sketch.first(ref):
        of, grains = sketch.of, Grains(ref.removeprefix(sketch.ids))
        radius, turn, middle = of((480 if heavy else 430) + 65 * size), grains.below(50), Point(0, 0)
        rim = [along(middle, turn + k * 360 // 7, radius * grains.between(90, 110) // 100) for k in range(7)]
        lobe = num(radius // 2)
        edge = f"M{spot(rim[0])}" + "".join(f"A{lobe} {lobe} 0 0 1 {spot(rim[(k + 1) % 7])}" for k in range(7)) + "Z"
        crown_look, light_look = ("dark-tree", "dark-lit") if heavy else ("tree", "tree-lit")
        x, y, r = -radius * 26 // 100, -radius * 28 // 100, radius * 46 // 100
        crown = element("path", f"{sketch.ids}-{crown_look}", d=edge)
        light = element("circle", f"{sketch.ids}-{light_look}", cx=x, cy=y, r=r)
        sketch.defs.append(element("g", "", crown, light, id=ref))
    return ref


# ---------------------------------------------------------------- height


def _hill(sketch: Sketch, piece: Piece) -> list[str]:
    contours = piece.contours or (Contour(max(1, piece.height), piece.outline),)
    if sketch.first(f"{sketch.ids}-edge"):
        sketch.defs.append(_edge_light(f"{sketch.ids}-edge"))
    drawn: list[str] = []
    below = 0
    for contour in contours:
        drawn += _layer(sketch, contour, max(1, contour.level - below))
        below = contour.level
    top = contours[-1]
    _hill_words(sketch, piece, contours, top)
    return drawn


def _layer(sketch: Sketch, contour: Contour, rise: int) -> list[str]:
    """One cut layer: warmer with height, lit from the north-west, strokes downhill, teeth where it is a cliff."""
    shape, far = contour.outline, LEVEL_SHADOW * min(rise, 4)
    fill = f"level-{min(max(contour.level, 1), 4)}"
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
    looks = f"height on-{min(max(top.level, 1), 4)}"
    at = roomiest(top.outline, sketch.clear)
    sketch.write(at, f"▲{top.level}", looks, 12)
    for contour in contours:
        # The number stands on its line, lower left where it can.
        points = line_points(contour.outline)
        ranked = sorted(points, key=lambda point: (point.x - 2 * point.y, point.x))
        inward = [between(point, at, 1, 12) for point in ranked[: max(8, len(ranked) // 2) : 3]]
        if len(contours) > 1 or contour.cliff:
            sketch.write_near(inward, str(contour.level), f"height on-{min(max(contour.level, 1), 4)}", 12)
    name_piece(sketch, piece)


# ---------------------------------------------------------------- water


def _water(sketch: Sketch, piece: Piece) -> list[str]:
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
        words = f"depth {abs(part.level)}" if part.level else part.state or part.id
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


def _marsh(sketch: Sketch, piece: Piece) -> list[str]:
    tufts = ""
    high, half, lean = num(-sketch.of(300)), sketch.of(300), sketch.of(140)
    short, up = sketch.of(100), num(-sketch.of(200))
    for x, y in _off_bases(sketch, scattered(piece.outline, sketch.of(850), sketch.of(450), grains_of(piece))):
        tufts += (
            f"M{num(x - half)} {num(y)}h{num(2 * half)}M{num(x)} {num(y)}v{high}"
            f"M{num(x - lean)} {num(y)}l{num(-short)} {up}"
            f"M{num(x + lean)} {num(y)}l{num(short)} {up}"
        )
    name_piece(sketch, piece, "name small")
    return [*sketch.area(piece.outline, "marsh", "marsh-edge", 90), element("path", "tuft", d=tufts)]


def _off_bases(sketch: Sketch, points: Iterable[Point]) -> list[Point]:
    return [point for point in points if all(apart(point, at) >= far for at, far in sketch.clear)]


# ---------------------------------------------------------------- roads and broken ground


def _roads(sketch: Sketch, roads: list[Piece]) -> list[str]:
    """All roads at once, so that they join where they meet."""
    edges, fills = [], []
    for piece in roads:
        shape = piece.outline
        if isinstance(shape, Band):
            edges.append(sketch.band(shape, "road-edge b-edge"))
            fills.append(sketch.band(shape, "road", inset=sketch.of(90)))
        else:
            edges.append(sketch.use(shape, "road-edge"))
            fills.append(sketch.use(shape, "road"))
    spans = [part for piece in roads for part in _spans(sketch, piece)]
    ruts = [sketch.use(piece.outline, "rut") for piece in roads if isinstance(piece.outline, Band)]
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


def _road_words(sketch: Sketch, piece: Piece) -> list[str]:
    name_piece(sketch, piece, "name small")
    return []


def _bridge(sketch: Sketch, piece: Piece) -> list[str]:
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


def _rough(sketch: Sketch, piece: Piece) -> list[str]:
    scree, name = "", grains_of(piece)
    grains = Grains(f"sizes {name}")
    for x, y in _off_bases(sketch, scattered(piece.outline, sketch.of(660), sketch.of(350), name)):
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
    shape, far = piece.outline, LEVEL_SHADOW * max(1, piece.height)
    drawn = [sketch.shadow(shape, "shadow-deep", far), *sketch.area(shape, "block", "walls", 140)]
    if piece.height:
        sketch.write(roomiest(shape, sketch.clear), f"▲{piece.height}", "height on-block", 12)
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
    "hill": _hill,
    "water": _water,
    "marsh": _marsh,
    "rough": _rough,
    "rubble": _rubble,
    "bridge": _bridge,
    "light-woods": _light_woods,
    "heavy-woods": _heavy_woods,
    "wreck": _wreck,
    "obstruction": _obstruction,
    "structure": _structure,
}
