"""Growth: light woods with trees apart, heavy woods whose crowns touch, marsh in tufts."""

from sandtable.engine.shapes import Point
from sandtable.engine.table import Piece
from sandtable.field.directions import along
from sandtable.field.drawing.ink import element, num, spot
from sandtable.field.drawing.naming import grains_of, name_piece, off_bases
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.texture import Grains, apart, depth, roomiest, scattered, step_aside


def light_woods(sketch: Sketch, piece: Piece) -> list[str]:
    """A broken edge, trees apart."""
    drawn = sketch.area(piece.outline, "woods", "woods-edge", 100)
    drawn += _trees(sketch, piece, heavy=False)
    name_piece(sketch, piece)
    return drawn


def heavy_woods(sketch: Sketch, piece: Piece) -> list[str]:
    """A solid edge, crowns touching."""
    drawn = sketch.area(piece.outline, "heavy", "heavy-edge", 120)
    drawn += _trees(sketch, piece, heavy=True)
    name_piece(sketch, piece)
    return drawn


def _trees(sketch: Sketch, piece: Piece, heavy: bool) -> list[str]:
    of, outline = sketch.of, piece.outline
    name, clear = grains_of(piece), list(sketch.clear)
    if piece.height:
        at = roomiest(outline, clear)
        sketch.write(at, f"▲{num(sketch.levels(piece.height))}", "height " + ("on-heavy" if heavy else "on-woods"), 12)
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


def marsh(sketch: Sketch, piece: Piece) -> list[str]:
    """Tufts within a wet edge."""
    tufts = ""
    high, half, lean = num(-sketch.of(300)), sketch.of(300), sketch.of(140)
    short, up = sketch.of(100), num(-sketch.of(200))
    for x, y in off_bases(sketch, scattered(piece.outline, sketch.of(850), sketch.of(450), grains_of(piece))):
        tufts += (
            f"M{num(x - half)} {num(y)}h{num(2 * half)}M{num(x)} {num(y)}v{high}"
            f"M{num(x - lean)} {num(y)}l{num(-short)} {up}"
            f"M{num(x + lean)} {num(y)}l{num(short)} {up}"
        )
    name_piece(sketch, piece, "name small")
    return [*sketch.area(piece.outline, "marsh", "marsh-edge", 90), element("path", "tuft", d=tufts)]
