"""Buildings from above: roofs that take the light, sections with their letters, cracks and broken stones."""

from itertools import pairwise

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.engine.table import Part, Piece
from sandtable.field.directions import along
from sandtable.field.drawing.glyphs import DESTROYED, HARMED, letters
from sandtable.field.drawing.ink import element, line, num, spot
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import (
    Grains,
    apart,
    between,
    clockwise,
    depth,
    hull,
    line_points,
    roomiest,
    scattered,
)
from sandtable.field.ground import box_of


def structure(sketch: Sketch, piece: Piece, name: str) -> list[str]:
    """A building: as tall a shadow as it has levels, a hipped roof on four corners, else a flat one with its parts."""
    shape = piece.outline
    drawn = [_shadow(sketch, shape, LEVEL_SHADOW * max(1000, sketch.levels(piece.height)) // 1000)]
    parts = [part for part in piece.parts if part.outline is not None]
    quarter = isinstance(shape, Polygon) and len(shape.points) == 4 and _convex(shape.points)
    if isinstance(shape, Band):
        drawn += sketch.area(shape, "roof-lit", "walls", 140)
    elif isinstance(shape, Polygon) and quarter and not parts:
        drawn += _hipped(sketch, clockwise(shape.points))
    else:
        drawn += _flat(sketch, shape)
    for part in parts:
        drawn += _part(sketch, part, name)
    if not isinstance(shape, Band):
        drawn.append(sketch.use(shape, "walls"))
    if piece.height:
        _height(sketch, piece, parts)
    return drawn


def _shadow(sketch: Sketch, shape: Shape, length: int) -> str:
    far = sketch.of(length)
    if isinstance(shape, Polygon):
        # What stands upright throws the whole way from its foot to its top.
        thrown = [*shape.points, *(Point(p.x + far, p.y + far) for p in shape.points)]
        if _convex(shape.points):
            return element("path", "shadow-deep", d=line(hull(thrown), closed=True))
        sides = zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True)
        swept = "".join(
            line(hull([a, b, Point(a.x + far, a.y + far), Point(b.x + far, b.y + far)]), closed=True)
            for a, b in sides
            if a != b
        )
        return element("path", "shadow-deep", d=swept)
    return sketch.shadow(shape, "shadow-deep", length)


def _convex(points: tuple[Point, ...]) -> bool:
    return len(hull(points)) == len(points)


def _light(a: Point, b: Point) -> str:
    """How a roof looks that falls towards one side of a clockwise outline."""
    far = max(1, apart(a, b))
    bright = -((b.y - a.y) - (b.x - a.x)) * 707 // far
    return "roof-lit" if bright > 400 else "roof" if bright > -100 else "roof-dim" if bright > -650 else "roof-dark"


def _hipped(sketch: Sketch, corners: list[Point]) -> list[str]:
    p0, p1, p2, p3 = corners
    if apart(p0, p1) < apart(p1, p2):
        p0, p1, p2, p3 = p1, p2, p3, p0
    west, east = between(p3, p0, 1, 2), between(p1, p2, 1, 2)
    long, inset = max(1, apart(west, east)), apart(p1, p2) // 2
    inset = min(inset, long // 2)
    p, q = between(west, east, inset, long), between(east, west, inset, long)
    faces = (
        (_light(p0, p1), [p0, p1, q, p]), (_light(p1, p2), [p1, p2, q]), (_light(p2, p3), [p2, p3, p, q]),
        (_light(p3, p0), [p3, p0, p]),
    )  # fmt: skip
    drawn = [element("path", looks, d=line(points, closed=True)) for looks, points in faces]
    courses = ""
    for share in (28, 52, 76):
        for a, b in ((p0, p1), (p3, p2)):
            courses += line([between(a, p, share, 100), between(b, q, share, 100)])
    return [*drawn, element("path", "course", d=courses)]


def _flat(sketch: Sketch, shape: Shape) -> list[str]:
    """A flat roof: the parapet is light where it faces the lamp and dark where it does not."""
    assert not isinstance(shape, Band)
    lit, dim = "", ""
    points = clockwise(line_points(shape))
    for a, b in zip(points, [*points[1:], points[0]], strict=True):
        if a != b and _light(a, b) in ("roof-lit", "roof"):
            lit += line([a, b])
        else:
            dim += line([a, b])
    inner = [sketch.use(shape, "roof-lit"), sketch.use(shape, "eave")]
    inner += [element("path", "parapet", d=lit)] if lit else []
    drawn = [sketch.clip(shape, *inner)]
    vent = _vent(sketch, shape)
    return [*drawn, vent] if vent else drawn


def _vent(sketch: Sketch, shape: Polygon | Disc) -> str:
    left, top, right, bottom = box_of(shape)
    at, size = Point(left + (right - left) * 53 // 100, top + (bottom - top) * 36 // 100), sketch.of(290)
    if depth(shape, at) < 2 * size:
        return ""
    points = line_points(shape)
    a, b = max(pairwise(points), key=lambda pair: apart(*pair))
    far = max(1, apart(a, b))
    ux, uy = (b.x - a.x) * size // far, (b.y - a.y) * size // far
    corners = [(ux - uy, uy + ux), (-ux - uy, -uy + ux), (-ux + uy, -uy - ux), (ux + uy, uy - ux)]
    return element("path", "vent", d=line([Point(at.x + x, at.y + y) for x, y in corners], closed=True))


def _part(sketch: Sketch, part: Part, name: str) -> list[str]:
    """One section: cracked where it is harmed, rubble where it is destroyed."""
    assert part.outline is not None
    shape, state = part.outline, sketch.word(part.state)
    if isinstance(shape, Band):
        return sketch.area(shape, "roof-lit", "section", 90)
    drawn = []
    if state == DESTROYED:
        drawn += [sketch.use(shape, "rough"), stones(sketch, shape, f"{part.id} {name}")]
    elif state == HARMED:
        drawn.append(_crack(sketch, shape, Grains(f"{part.id} {name}")))
    drawn.append(sketch.use(shape, "section"))
    points = line_points(shape)
    corner = min(points, key=lambda point: (point.x - 2 * point.y, point.x))
    letter = part.id if len(part.id) <= 2 else letters(part.id)
    sketch.words.append(sketch.text(between(corner, _middle(shape), 38, 100), letter, "letter"))
    return drawn


def _crack(sketch: Sketch, shape: Polygon | Disc, grains: Grains) -> str:
    left, top, right, bottom = box_of(shape)
    wide, high = right - left, bottom - top
    path = [
        Point(left + wide * 45 // 100 + wide * grains.between(-14, 14) // 100, top + high * k // 6) for k in range(7)
    ]
    gap = [*path[:4], Point(right, top + high // 2), Point(right, top)]
    broken = element("path", "roof-dark", d=line(gap, closed=True))
    return sketch.clip(shape, broken, element("path", "crack", d="M" + "L".join(spot(p) for p in path)))


def _middle(shape: Shape) -> Point:
    left, top, right, bottom = box_of(shape)
    return Point((left + right) // 2, (top + bottom) // 2)


def _height(sketch: Sketch, piece: Piece, parts: list[Part]) -> None:
    first = next((part.outline for part in parts if part.outline is not None), None)
    at = roomiest(first if first is not None else piece.outline, sketch.clear)
    sketch.write(at, f"▲{num(sketch.levels(piece.height))}", "height on-roof", 12)


def stones(sketch: Sketch, shape: Shape, name: str, small: int = 420) -> str:
    """Broken stones strewn over a shape."""
    d, grains = "", Grains(f"sizes {name}")
    for at in scattered(shape, sketch.of(small), sketch.of(small // 2), name, most=160):
        turn, s = grains.below(360), sketch.of(grains.between(small // 3, small * 3 // 4))
        d += line([along(at, turn + a, s * grains.between(70, 120) // 100) for a in (0, 95, 170, 260)], closed=True)
    return element("path", "stone", d=d)
