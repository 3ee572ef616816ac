"""Verdicts and drafts in pencil: violet, which no map prints, so it is never taken for terrain or a side.

Sight is plain where it is clear, dotted over what does not count, thick through what does, and ends at a bar where it
is blocked. Labels try the seats round their anchor, with a lead to it.
"""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from sandtable.engine.shapes import At, Band, Point, Region, Shape
from sandtable.field.directions import along
from sandtable.field.drawing.ink import element, line, num, safe, spot
from sandtable.field.drawing.models import Size, figure, fly
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.texture import apart, between
from sandtable.field.drawing.verdicts import (
    ArcFan,
    Bead,
    DriftArrow,
    Held,
    PathLine,
    Pick,
    ReachArea,
    Ruler,
    SightLine,
    Template,
    Verdict,
)
from sandtable.field.ground import Box, box_of

#: How many places along a leg of a line are kept free of words at the most, however long it is.
LINE_SEATS = 200


def draw_marks(sketch: Sketch, marks: Sequence[Verdict], facings: bool) -> None:
    """Draw every verdict, areas under the models and lines over them, then the labels where there is room."""
    for mark in marks:
        _keep_lines_free(sketch, mark)
    for mark in marks:
        match mark:
            case SightLine():
                _sight(sketch, mark)
            case PathLine():
                _path(sketch, mark)
            case ArcFan():
                _arc(sketch, mark)
            case ReachArea():
                sketch.low += [sketch.use(polygon, "reach") for polygon in mark.polygons]
                if mark.label and mark.polygons:
                    _tag(sketch, _middle(mark.polygons[0]), mark.label)
            case Template():
                _template(sketch, mark)
            case DriftArrow():
                _drift(sketch, mark)
            case Ruler():
                _ruler(sketch, mark)
            case Pick():
                _pick(sketch, mark)
            case Held():
                _held(sketch, mark, facings)
            case Region():
                _region(sketch, mark)


def _keep_lines_free(sketch: Sketch, mark: Verdict) -> None:
    points: tuple[Point, ...] = ()
    if isinstance(mark, Held):
        far = sketch.of(1500)
        sketch.seats.take((mark.at.x - far, mark.at.y - far, mark.at.x + far, mark.at.y + far))
    if isinstance(mark, SightLine | Ruler):
        points = (mark.start, mark.end)
    elif isinstance(mark, PathLine):
        points = mark.points
    near = sketch.of(350)
    for a, b in pairwise(points):
        steps = min(max(1, apart(a, b) // max(1, sketch.of(600))), LINE_SEATS)
        for k in range(steps + 1):
            x, y = between(a, b, k, steps)
            sketch.seats.take((x - near, y - near, x + near, y + near), 60)


def _tag(sketch: Sketch, at: Point, words: str, full: bool = False) -> None:
    """A label on a slip of paper, in the best of sixteen seats round its anchor, with a lead to it."""
    wide, high = len(words) * 67 // 10 + 16, 22
    w, h = sketch.px(wide), sketch.px(high)
    boxes = []
    for far in (34, 58):
        reach = sketch.px(far)
        for dx, dy in ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)):
            x, y = at.x + dx * (reach + w // 2) * (7 if dy else 10) // 10, at.y + dy * reach
            boxes.append((x - w // 2, y - h // 2, x + w // 2, y + h // 2))
    left, top, right, bottom = sketch.seats.best(boxes)
    middle = Point((left + right) // 2, (top + bottom) // 2)
    edge = Point(min(max(at.x, left), right), min(max(at.y, top), bottom))
    back = element(
        "rect", "tag-full" if full else "tag-back", x=num(-wide * 500), y="-11", width=str(wide), height="22", rx="3"
    )
    text = element("text", "tag-on" if full else "tag", safe(words), dy=".36em")
    if not full or apart(at, edge) > sketch.px(30):
        sketch.high.append(element("path", "lead", d=line([at, edge])))
    sketch.words_high.append(sketch.steady(middle, back, text))


def _seat_text(sketch: Sketch, at: Point, words: str, looks: str, sideways: Point) -> None:
    """Words beside a line, on whichever side there is room."""
    other = Point(2 * at.x - sideways.x, 2 * at.y - sideways.y)
    box = sketch.seats.best([sketch.text_box(seat, words) for seat in (sideways, other)])
    sketch.words_high.append(sketch.text(_center(box), words, looks))


def _aside(a: Point, b: Point, at: Point, far: int) -> Point:
    """The point so far to the left of a line at a point of it."""
    length = max(1, apart(a, b))
    return Point(at.x + (b.y - a.y) * far // length, at.y - (b.x - a.x) * far // length)


def _center(box: Box) -> Point:
    return Point((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)


def _middle(shape: Shape) -> Point:
    return _center(box_of(shape))


# ---------------------------------------------------------------- lines


def _sight(sketch: Sketch, mark: SightLine) -> None:
    blocked = next((bead for bead in mark.beads if bead.blocks), None)
    seen_to = blocked.at if blocked else mark.end
    sketch.high.append(element("path", "sight-under", d=line([mark.start, seen_to])))
    here = mark.start
    beads: list[str] = []
    for bead in mark.beads:
        sketch.high.append(element("path", "sight", d=line([here, bead.at])))
        if bead.blocks:
            beads.append(_bar(sketch, mark, bead))
            sketch.high.append(element("path", "beyond", d=line([bead.at, mark.end])))
            here = mark.end
            break
        until = bead.until or bead.at
        if until != bead.at:
            sketch.high.append(element("path", "counts" if bead.counts else "over", d=line([bead.at, until])))
        ends = [bead.at] if bead.counts or until == bead.at else [bead.at, until]
        look = "bead-full" if bead.counts else "bead"
        beads += [element("circle", look, cx=p.x, cy=p.y, r=sketch.of(200)) for p in ends]
        here = until
    if here != mark.end:
        sketch.high.append(element("path", "sight", d=line([here, mark.end])))
    sketch.high += beads
    for bead in mark.beads:
        if bead.label:
            _tag(sketch, between(bead.at, bead.until or bead.at, 1, 2) if not bead.blocks else bead.at, bead.label)
    if mark.label:
        _tag(sketch, between(mark.start, seen_to, 1, 2), mark.label)


def _bar(sketch: Sketch, mark: SightLine, bead: Bead) -> str:
    half = sketch.of(690)
    d = line([_aside(mark.start, mark.end, bead.at, half), _aside(mark.start, mark.end, bead.at, -half)])
    return element("path", "stop-under", d=d) + element("path", "stop", d=d)


def _path(sketch: Sketch, mark: PathLine) -> None:
    if len(mark.points) < 2:
        return
    d = line(mark.points)
    if mark.width:
        sketch.low.append(element("path", "corridor", d=d, style=f"stroke-width:{num(mark.width)}"))
    sketch.high += [element("path", "path-under", d=d), element("path", "path", d=d)]
    for tick in mark.ticks:
        a, b = _leg_of(mark.points, tick.at)
        if tick.at != mark.points[-1]:
            half = sketch.of(420)
            across = line([_aside(a, b, tick.at, half), _aside(a, b, tick.at, -half)])
            sketch.high += [element("path", "tick-under", d=across), element("path", "tick", d=across)]
    _costs(sketch, mark)
    for note in mark.marks:
        sketch.high.append(element("circle", "bead-full", cx=note.at.x, cy=note.at.y, r=sketch.of(230)))
        if note.label:
            _tag(sketch, note.at, note.label, full=True)


def _costs(sketch: Sketch, mark: PathLine) -> None:
    """The cost of each stretch beside its middle, all on the side with more room."""
    beside, previous = max(mark.width * 6 // 10, sketch.of(600)) + sketch.px(6), mark.points[0]
    sides: tuple[list[Box], list[Box]] = ([], [])
    for tick in mark.ticks:
        a, b = _leg_of(mark.points, tick.at)
        stretch, previous = between(previous, tick.at, 1, 2), tick.at
        for side, far in zip(sides, (-beside, beside), strict=True):
            side.append(sketch.text_box(_aside(a, b, stretch, far), tick.label))
    for box, tick in zip(sketch.seats.best_row(sides), mark.ticks, strict=True):
        if tick.label:
            sketch.words_high.append(sketch.text(_center(box), tick.label, "cost"))


def _leg_of(points: tuple[Point, ...], at: Point) -> tuple[Point, Point]:
    """The leg of a path that a point lies on, or nearly."""
    legs = [(a, b) for a, b in pairwise(points) if a != b] or [(points[0], points[-1])]
    return min(legs, key=lambda leg: apart(leg[0], at) + apart(at, leg[1]) - apart(*leg))


def _ruler(sketch: Sketch, mark: Ruler) -> None:
    ends = []
    for at in (mark.start, mark.end):
        half = sketch.of(350)
        ends.append(line([_aside(mark.start, mark.end, at, half), _aside(mark.start, mark.end, at, -half)]))
    d = line([mark.start, mark.end]) + "".join(ends)
    sketch.high += [element("path", "sight-under", d=d), element("path", "ruler", d=d)]
    if mark.label:
        middle = between(mark.start, mark.end, 1, 2)
        _seat_text(sketch, middle, mark.label, "cost", _aside(mark.start, mark.end, middle, sketch.px(13)))


# ---------------------------------------------------------------- areas


def _arc(sketch: Sketch, mark: ArcFan) -> None:
    if not mark.bands:
        return
    far, name = max(band.reach for band in mark.bands), sketch.name("g")
    stops = element("stop", "arc-in", offset="0") + element("stop", "arc-out", offset="1")
    sketch.defs.append(
        element("radialGradient", "", stops, id=name, gradientUnits="userSpaceOnUse", cx=mark.at.x, cy=mark.at.y, r=far)
    )
    first, last = mark.facing + mark.start, mark.facing + mark.end
    whole = last - first >= 360
    if whole:
        sketch.low.append(element("circle", "", cx=mark.at.x, cy=mark.at.y, r=far, fill=f"url(#{name})"))
    else:
        fan = f"{_sweep(mark.at, far, first, last)}L{spot(mark.at)}Z"
        sketch.low.append(element("path", "", d=fan, fill=f"url(#{name})"))
        sides = "".join(line([along(mark.at, way, sketch.of(1300)), along(mark.at, way, far)]) for way in (first, last))
        sketch.low.append(element("path", "arc-side", d=sides))
    for band in mark.bands:
        if whole:
            sketch.low.append(element("circle", "band", cx=mark.at.x, cy=mark.at.y, r=band.reach))
        else:
            sketch.low.append(element("path", "band", d=_sweep(mark.at, band.reach, first, last)))
        if band.label:
            span = min(360, last - first)
            seats = [along(mark.at, first + span * k // 12, band.reach) for k in (2, 10, 4, 8, 6, 3, 9)]
            box = sketch.seats.best([sketch.text_box(seat, band.label) for seat in seats])
            at = _center(box)
            sketch.words_high.append(sketch.text(at, band.label, "band-name"))


def _sweep(at: Point, far: int, first: int, last: int) -> str:
    a, b = along(at, first, far), along(at, last, far)
    return f"M{spot(a)}A{num(far)} {num(far)} 0 {1 if last - first > 180 else 0} 1 {spot(b)}"


def _template(sketch: Sketch, mark: Template) -> None:
    look = "landed" if mark.landed else "template"
    if isinstance(mark.shape, Band):
        width = f"stroke-width:{num(mark.shape.width)}"
        sketch.low.append(element("use", "corridor b", href=f"#{sketch.shape(mark.shape)}", style=width))
    else:
        sketch.low.append(sketch.use(mark.shape, look))
    sketch.high.append(_cross(sketch, _middle(mark.shape)))
    for thing_id in mark.caught:
        thing = sketch.table.things.get(thing_id)
        if thing is not None and thing.on_table:
            at, size = sketch.center(thing), Size(sketch, thing.base)
            sketch.signs.append(element("circle", "caught", cx=at.x, cy=at.y, r=size.outer + size.of(180)))
    if mark.label:
        _tag(sketch, _middle(mark.shape), mark.label)


def _cross(sketch: Sketch, at: Point) -> str:
    near, far = sketch.of(150), sketch.of(550)
    d = "".join(line([along(at, way, near), along(at, way, far)]) for way in (0, 90, 180, 270))
    return element("path", "aim", d=d)


def _drift(sketch: Sketch, mark: DriftArrow) -> None:
    sketch.high.append(_cross(sketch, mark.aimed))
    far = apart(mark.aimed, mark.landed)
    if far > sketch.of(900):
        neck = between(mark.landed, mark.aimed, sketch.of(700), far)
        head = [mark.landed, _aside(mark.aimed, mark.landed, neck, sketch.of(280)),
                _aside(mark.aimed, mark.landed, neck, -sketch.of(280))]  # fmt: skip
        start = between(mark.aimed, mark.landed, sketch.of(450), far)
        sketch.high += [
            element("path", "drift", d=line([start, neck])),
            element("path", "drift-head", d=line(head, True)),
        ]
    if mark.label:
        middle = between(mark.aimed, mark.landed, 1, 2)
        _seat_text(sketch, middle, mark.label, "cost", _aside(mark.aimed, mark.landed, middle, sketch.px(13)))


def _region(sketch: Sketch, mark: Region) -> None:
    for shapes, look in ((mark.inside, "region"), (mark.outside, "barred")):
        for shape in shapes:
            if isinstance(shape, Band):
                width = f"stroke-width:{num(shape.width)}"
                sketch.low.append(element("use", "corridor b", href=f"#{sketch.shape(shape)}", style=width))
            else:
                sketch.low.append(sketch.use(shape, look))
    if mark.label and mark.inside:
        at = _middle(mark.inside[0])
        box = sketch.seats.best(
            [sketch.text_box(Point(at.x, at.y + sketch.px(dy)), mark.label) for dy in (0, 24, -24, 48)]
        )
        middle = _center(box)
        sketch.words_high.append(sketch.text(middle, mark.label, "band-name"))


# ---------------------------------------------------------------- signs round models


def _pick(sketch: Sketch, mark: Pick) -> None:
    thing = sketch.table.things.get(mark.thing)
    if thing is None or not thing.on_table:
        return
    at, size = sketch.center(thing), Size(sketch, thing.base)
    far = size.ring + size.of(520)
    if mark.how == "looked":
        d, arm = "", size.of(600)
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            x, y = at.x + sx * far, at.y + sy * far
            d += line([Point(x, y - sy * arm), Point(x, y), Point(x - sx * arm, y)])
    else:
        d = "".join(_sweep(at, far, way - 26, way + 26) for way in (45, 135, 225, 315))
        if mark.how == "chosen":
            near, out = far - size.of(240), far + size.of(390)
            d += "".join(line([along(at, way, near), along(at, way, out)]) for way in (0, 90, 180, 270))
    sketch.signs += [
        element("path", "pick-under", d=d),
        element("path", mark.how if mark.how in _PICKS else "chosen", d=d),
    ]


_PICKS = ("may", "chosen", "looked")


def _held(sketch: Sketch, mark: Held, facings: bool) -> None:
    thing = sketch.table.things.get(mark.thing)
    if thing is None:
        return
    moved = msgspec.structs.replace(thing, place=At(mark.at), facing=mark.facing)
    sketch.hand.append(figure(sketch, moved, facings, held=True))
    fly(sketch, moved, mark.at, sketch.hand, held=True)
