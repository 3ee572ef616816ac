"""Models: a base at its true size, a wedge at the facing, a type, a ring of harm, a flag, and badges for states.

A side is told by its colour, the cut of its flag and the line inside its bases. What lies down throws a short shadow
and its figure lies; what has acted lowers its flag; the lamp stands over who acts.
"""

from sandtable.engine.shapes import At, Base, Disc, In, Point, Polygon, Shape
from sandtable.engine.table import Thing
from sandtable.field.directions import along
from sandtable.field.drawing import glyphs
from sandtable.field.drawing.ink import element, line, num, safe, spot
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import apart, hull, roomiest
from sandtable.field.drawing.words import model_words
from sandtable.field.ground import Box, box_of
from sandtable.field.measure import outline_of

#: A ring with more segments than this is drawn as one stretch.
_SEGMENTS = 24


class Size:
    """How large the signs on a base are: they follow the base, whatever the ruleset's unit."""

    def __init__(self, sketch: Sketch, base: Base | None) -> None:
        if base is None:
            inner = outer = front = sketch.of(350)
        elif base.form == "rectangle":
            inner, front = min(base.size, base.depth) // 2, base.depth // 2
            outer = apart(Point(0, 0), Point(base.size // 2, base.depth // 2))
        else:
            inner = front = base.size // 2
            outer = base.size * 1000 // 1732 if base.form == "hexagon" else inner
        #: Thousandths: 1000 for a hexagon of an inch and a half.
        self.scale = max(1, inner * 1000 // 750)
        self.inner, self.outer, self.front = inner, outer, front
        self.ring = outer + 274 * self.scale // 1000
        self.tip = self.ring + 340 * self.scale // 1000

    def of(self, thousandths: int) -> int:
        """A length that grows with the base."""
        return thousandths * self.scale // 1000


def acts(sketch: Sketch, thing: Thing) -> bool:
    """Whether a thing is among those whose step it is."""
    acting = sketch.table.acting[1:]
    return thing.id in acting or (thing.unit != "" and thing.unit in acting)


def draw_models(sketch: Sketch, facings: bool, lifted: frozenset[str]) -> None:
    """Draw everything that stands on the table, the northernmost first, then flags and badges above them all."""
    ordered = sorted(sketch.standing, key=lambda thing: (sketch.center(thing).y, sketch.center(thing).x))
    for thing in ordered:
        left, top, right, bottom = box_of(sketch.outline(thing))
        sketch.seats.take((left, top, right, bottom), 160)
    for thing in ordered:
        if thing.id in lifted:
            sketch.figures.append(footprint(sketch, thing, facings))
        else:
            sketch.figures.append(figure(sketch, thing, facings))
            fly(sketch, thing, sketch.center(thing), sketch.flags)
            sketch.flags += _badges(sketch, thing)
    _inside(sketch)


def figure(sketch: Sketch, thing: Thing, facings: bool, held: bool = False) -> str:
    """One model without its flag."""
    size, shape, at = Size(sketch, thing.base), sketch.outline(thing), sketch.center(thing)
    words = {sketch.word(state) for state in thing.states}
    lies, acted = glyphs.DOWN in words, glyphs.ACTED in words
    parts = [element("title", "", safe(model_words(sketch.table, thing, facings=facings)))]
    if acts(sketch, thing) or held:
        parts.append(_glow(sketch, at, size))
    parts.append(_shadow(sketch, shape, 4 if held else 1 if lies else max(2, thing.height), held))
    if not held:
        parts += _ring(thing, at, size, facings)
    if acts(sketch, thing) or held:
        ring = size.ring if held else size.ring + size.of(440)
        parts += [
            _scaled("circle", look, size, at, r=num(ring * 1000 // size.scale)) for look in ("acts-under", "acts")
        ]
    if facings:
        parts.append(_wedge(thing.facing, at, size, "wedge"))
    parts.append(sketch.use(shape, "base tired" if acted else "base"))
    parts.append(_inner_line(thing, at, size))
    parts.append(_type(sketch, thing, at, size, lies))
    look = sketch.side(thing.side)
    return element("g", f"model {look}", *parts, data_thing=thing.id)


def footprint(sketch: Sketch, thing: Thing, facings: bool) -> str:
    """Where a model stood that is in somebody's hand."""
    size, at = Size(sketch, thing.base), sketch.center(thing)
    parts = [sketch.use(sketch.outline(thing), "print")]
    if facings:
        parts.append(_wedge(thing.facing, at, size, "print-wedge"))
    return element("g", f"model {sketch.side(thing.side)}", *parts, data_thing=thing.id)


def _scaled(tag: str, looks: str, size: Size, at: Point, **attributes: str) -> str:
    """A sign drawn in the base's own measure around its centre."""
    transform = f"translate({spot(at)}) scale({num(size.scale)})"
    return element(tag, looks, transform=transform, **attributes)


def _glow(sketch: Sketch, at: Point, size: Size) -> str:
    name = f"{sketch.ids}-glow"
    if sketch.first(name):
        stops = element("stop", "lamp-glow-in", offset=".35") + element("stop", "lamp-glow-out", offset="1")
        sketch.defs.append(element("radialGradient", "", stops, id=name))
    return element("circle", "", cx=at.x, cy=at.y, r=size.ring * 2 + size.of(220), fill=f"url(#{name})")


def _shadow(sketch: Sketch, shape: Shape, levels: int, held: bool) -> str:
    far = sketch.of(LEVEL_SHADOW * levels)
    if isinstance(shape, Disc):
        x, y = shape.center
        d = f"M{spot(Point(x + far // 2, y + far // 2) if held else shape.center)}L{spot(Point(x + far, y + far))}"
        return element("path", "model-shadow-line", d=d, style=f"stroke-width:{num(2 * shape.radius)}")
    thrown = [Point(p.x + far, p.y + far) for p in shape.points]
    return element("path", "model-shadow", d=line(thrown if held else hull([*shape.points, *thrown]), closed=True))


def _arc(far: int, start: int, end: int) -> str:
    a, b = along(Point(0, 0), start, far), along(Point(0, 0), end, far)
    return f"M{spot(a)}A{num(far)} {num(far)} 0 {1 if end - start > 180 else 0} 1 {spot(b)}"


def _ring(thing: Thing, at: Point, size: Size, facings: bool) -> list[str]:
    """Harm read clockwise from the facing: what is left is thick, what is gone is a hair line."""
    if thing.track <= 0:
        return []
    far, opening, start = size.ring * 1000 // size.scale, 36, thing.facing if facings else 270
    track, lost = thing.track, min(max(thing.harm, 0), thing.track)
    pieces = min(track, _SEGMENTS)
    left = (track - lost) * pieces // track if lost < track else 0
    left = max(left, 1) if lost < track else 0
    span = 360 - 2 * opening
    whole, gone = "", ""
    for k in range(pieces):
        a = start + opening + (k * span + 2 * pieces) // pieces
        b = start + opening + ((k + 1) * span - 2 * pieces) // pieces
        if k < left:
            whole += _arc(far, a, b)
        else:
            gone += _arc(far, a, b)
    ring = [_scaled("path", "track", size, at, d=_arc(far, start + opening, start + 360 - opening))]
    ring += [_scaled("path", "left", size, at, d=whole)] if whole else []
    ring += [_scaled("path", "lost", size, at, d=gone)] if gone else []
    return ring


def _wedge(facing: int, at: Point, size: Size, looks: str) -> str:
    foot, tip, half = (n * 1000 // size.scale for n in (size.front - size.of(50), size.tip, size.of(420)))
    middle = along(Point(0, 0), facing, foot)
    points = [along(middle, facing - 90, half), along(Point(0, 0), facing, tip), along(middle, facing + 90, half)]
    return _scaled("path", looks, size, at, d=line(points, closed=True))


def _inner_line(thing: Thing, at: Point, size: Size) -> str:
    """The line inside a base by which a side is told without its colour: the base's own outline, smaller."""
    if thing.base is None:
        return ""
    base = thing.base
    cut = size.of(170)
    small = Base(base.form, max(1, base.size - cut), max(1, base.depth - cut) if base.depth else 0)
    shape = outline_of(small, Point(0, 0), thing.facing)
    back = 1000 * 1000 // size.scale
    if isinstance(shape, Disc):
        return _scaled("circle", "inner", size, at, r=num(shape.radius * back // 1000))
    assert isinstance(shape, Polygon)
    points = [Point(p.x * back // 1000, p.y * back // 1000) for p in shape.points]
    return _scaled("path", "inner", size, at, d=line(points, closed=True))


def _type(sketch: Sketch, thing: Thing, at: Point, size: Size, lies: bool) -> str:
    turn = " rotate(90)" if lies else ""
    if thing.glyph in glyphs.TYPES:
        transform = f"translate({spot(at)}) scale({num(size.scale)}){turn} translate(-.564 -.6) scale(.047)"
        return element("path", "glyph", d=glyphs.TYPES[thing.glyph], fill_rule="evenodd", transform=transform)
    text = glyphs.letters(thing.glyph or thing.label or thing.id)
    transform = f"translate({spot(at)}) scale({num(max(1, size.scale * 48 // 1000))}){turn}"
    return element("text", "initials", safe(text), dy=".36em", transform=transform, font_size="16px")


# ---------------------------------------------------------------- flags and badges, in pixels


def flag_words(thing: Thing) -> str:
    """What a flag says: the call sign, cut where it is too long for a flag.

    >>> flag_words(Thing("m1", label="Company headquarters"))
    'Company head…'
    """
    words = thing.label or thing.id
    return words if len(words) <= 13 else words[:12] + "…"


def fly(sketch: Sketch, thing: Thing, at: Point, layer: list[str], held: bool = False) -> None:
    """Fly a model's flag: to the right if there is room, higher or to the left if not; a small base has a small one."""
    size, text, side = Size(sketch, thing.base), flag_words(thing), sketch.side(thing.side)
    wide = max(28, 12 + 8 * len(text))
    acted = glyphs.ACTED in {sketch.word(state) for state in thing.states}
    foot = min(size.of(520), size.outer * 6 // 10)
    share = _share(sketch, thing, size)
    seats: list[tuple[Box, int, bool]] = []
    for tall in (29, 46, 63) if share < 100 else (29, 46):
        for left in (False, True):
            x = at.x - foot if left else at.x + foot
            w, h = sketch.px((wide + 2) * share // 100), sketch.px(20 * share // 100)
            top = at.y - foot - sketch.px((tall + 4 - (13 if acted else 0)) * share // 100)
            edge = x - w if left else x
            seats.append(((edge, top, edge + w, top + h), tall, left))
    chosen = sketch.seats.best([box for box, _, _ in seats])
    _, tall, left = next(seat for seat in seats if seat[0] == chosen)
    pole = Point(at.x - foot if left else at.x + foot, at.y - foot)
    lit = acts(sketch, thing) or held
    parts = _flag(side, text, wide, tall, left, acted, lit)
    if share < 100:
        parts = [element("g", "", *parts, transform=f"scale({num(share * 10)})")]
    layer.append(sketch.steady(pole, *parts, looks=side + (" lowered" if acted else "")))


def _share(sketch: Sketch, thing: Thing, size: Size) -> int:
    """How large flags and badges are, in hundredths: smaller ones for small bases, which stand in crowds."""
    return 72 if thing.base is not None and size.outer < sketch.px(12) else 100


def _flag(side: str, text: str, wide: int, tall: int, left: bool, acted: bool, lit: bool) -> list[str]:
    cloth = element("path", "cloth", d=glyphs.cloth(side, wide), transform="scale(-1 1)" if left else None)
    middle = {"red": wide - 4, "grey": wide - 6}.get(side, wide - 2) * 500
    call = element("text", "call", safe(text), x=-middle if left else middle, y="8.25", dy=".36em")
    drop = 1500 - tall * 1000 + (13000 if acted else 0)
    return [
        element("line", "pole-under", x1="0", y1="0", x2="0", y2=str(-tall)),
        element("line", "pole", x1="0", y1="0", x2="0", y2=str(-tall)),
        element("circle", "finial-lit" if lit else "finial", cx="0", cy=str(-tall - 1), r="4" if lit else "2.2"),
        element("g", "", cloth, call, transform=f"translate({'-.8' if left else '.8'} {num(drop)})"),
    ]


def _badges(sketch: Sketch, thing: Thing) -> list[str]:
    """States at the lower left, dark where they hinder and light where they help; the level at the lower right."""
    size, at = Size(sketch, thing.base), sketch.center(thing)
    shown = [(state, sketch.word(state)) for state in thing.states if sketch.word(state) != glyphs.ACTED]
    drawn, share = [], _share(sketch, thing, size)
    corner = Point(at.x - size.outer * 92 // 100, at.y + size.outer * 92 // 100)
    for place, (state, word) in enumerate(shown[:4]):
        if place == 3 and len(shown) > 4:
            state, word = f"+{len(shown) - 3}", ""
        helps = " helps" if word in glyphs.HELPFUL else ""
        box = element("rect", f"badge{helps}", x="-8.5", y="-8.5", width="17", height="17", rx="4")
        if word in glyphs.STATES:
            sign = element("path", "badge-icon" + (" helps-icon" if helps else ""), d=glyphs.STATES[word])
        else:
            short = state if state.startswith("+") else glyphs.letters(state)
            sign = element("text", "badge-word", safe(short), dy=".36em")
        title = element("title", "", safe(state))
        badge = element("g", "", title, box, sign, transform=f"scale({num(share * 10)}) translate({-9 - place * 20} 7)")
        drawn.append(sketch.steady(corner, badge))
    if shown:
        wide = sketch.px(20 * min(len(shown), 4) * share // 100)
        sketch.seats.take((corner.x - wide, corner.y - sketch.px(2), corner.x, corner.y + sketch.px(16)))
    if isinstance(thing.place, At) and thing.place.level:
        low = Point(at.x + size.outer + sketch.px(10), at.y + size.outer)
        drawn.append(sketch.text(low, f"▲{thing.place.level}", "height stands"))
    return drawn


def _inside(sketch: Sketch) -> None:
    """Plant the flags of those inside a building or a transport beside it, so that nobody is out of sight."""
    table, seen = sketch.table, dict[str, int]()
    for thing in table.things.values():
        if thing.gone or thing.kind not in ("model", "marker") or not isinstance(thing.place, In):
            continue
        at = _holder(sketch, thing.place.holder)
        if at is None:
            continue
        row = seen.get(thing.place.holder, 0)
        seen[thing.place.holder] = row + 1
        foot = Point(at.x + sketch.px(34 * (row % 4)) - sketch.px(30), at.y + sketch.px(22 * (row // 4)))
        small = Thing(thing.id, side=thing.side, label=thing.label, states=thing.states, base=None, unit=thing.unit)
        parts: list[str] = [element("title", "", safe(model_words(table, thing)))]
        fly(sketch, small, foot, parts)
        sketch.flags.append(element("g", "model", *parts, data_thing=thing.id))


def _holder(sketch: Sketch, holder: str) -> Point | None:
    for piece in sketch.table.ground.pieces:
        if piece.id == holder:
            return roomiest(piece.outline)
    thing = sketch.table.things.get(holder)
    return sketch.center(thing) if thing is not None and thing.on_table else None
