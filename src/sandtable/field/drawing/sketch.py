"""The sheet a table is drawn on: what is defined once, what lies on which layer, and seats for words.

True things are drawn in the table's unit. Spoken things (words, flags, badges) are written in pixels in `steady`
groups, which the page may rescale; their size here suits a picture of the given width.
"""

from collections.abc import Iterable, Mapping, Sequence

from sandtable.engine.ids import Side
from sandtable.engine.shapes import At, Band, Disc, Point, Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.drawing import style
from sandtable.field.drawing.ink import element, line, moved, num, safe
from sandtable.field.drawing.texture import Clear
from sandtable.field.ground import Box
from sandtable.field.measure import outline_of

#: How far a level throws its shadow to the south-east, in thousandths of a grain along x and y: 0.3 in all.
LEVEL_SHADOW = 210

#: The rim around the board, in thousandths of a grain.
RIM = 1900


class Seats:
    """Where words already are, so that the next finds a place of its own."""

    def __init__(self, board: Box) -> None:
        self._board = board
        self._taken: list[tuple[Box, int]] = []

    def take(self, box: Box, weight: int = 100) -> None:
        """Keep a box free of words; a lighter one may be written over when nothing better is there."""
        self._taken.append((box, weight))

    def _cost(self, box: Box) -> int:
        left, top, right, bottom = box
        cost = 0
        for (x0, y0, x1, y1), weight in self._taken:
            wide, high = min(right, x1) - max(left, x0), min(bottom, y1) - max(top, y0)
            if wide > 0 and high > 0:
                cost += wide * high * weight
        x0, y0, x1, y1 = self._board
        out = max(0, x0 - left) + max(0, y0 - top) + max(0, right - x1) + max(0, bottom - y1)
        return cost + out * (right - left + bottom - top) * 300

    def best(self, boxes: Iterable[Box]) -> Box:
        """Take the box that covers least; of equal ones the first."""
        ranked = [(self._cost(box), rank, box) for rank, box in enumerate(boxes)]
        chosen = min(ranked)[2]
        self.take(chosen)
        return chosen

    def best_row(self, rows: Sequence[Sequence[Box]]) -> Sequence[Box]:
        """Take the row of boxes that covers least in all; of equal ones the first."""
        costs = [sum(self._cost(box) for box in row) for row in rows]
        chosen = rows[costs.index(min(costs))]
        for box in chosen:
            self.take(box)
        return chosen


class Sketch:
    """One drawing in the making."""

    def __init__(self, table: Table, ids: str, pixels: int, states: Mapping[str, str], level: int = 1) -> None:
        self.table = table
        self.ids = ids
        self.states = states
        self.level = level
        ground = table.ground
        #: A forty-eighth of the board's longer side: an inch of a usual table. Lines and trees are sized by it.
        self.grain = max(1, max(ground.width, ground.height) // 48)
        self.rim = self.of(RIM)
        #: Millionths of a unit that a pixel covers.
        self.pixel = max(1, (max(ground.width, ground.height) + 2 * self.rim) * 1000 // pixels)
        self.defs: list[str] = []
        self.land: list[str] = []
        self.low: list[str] = []
        self.figures: list[str] = []
        self.signs: list[str] = []
        self.flags: list[str] = []
        self.words: list[str] = []
        self.high: list[str] = []
        self.hand: list[str] = []
        self.words_high: list[str] = []
        self.seats = Seats((0, 0, ground.width, ground.height))
        self.sides = dict(zip(table.sides, side_looks(table.sides), strict=True))
        self.standing = [thing for thing in table.things.values() if thing.on_table and thing.kind in _SHOWN]
        self.clear = [self._clear(thing) for thing in self.standing]
        self._outlines: dict[Shape, str] = {}
        self._made: set[str] = set()
        self._count = 0

    def of(self, thousandths: int) -> int:
        """A length given in thousandths of a grain."""
        return thousandths * self.grain // 1000

    def levels(self, height: int) -> int:
        """How many levels a height is, in thousandths."""
        return height * 1000 // self.level

    def px(self, pixels: int) -> int:
        """How much of the table so many pixels cover."""
        return pixels * self.pixel // 1000

    def name(self, what: str) -> str:
        """A fresh id."""
        self._count += 1
        return f"{self.ids}-{what}{self._count}"

    def first(self, ref: str) -> bool:
        """Whether a shared definition is asked for for the first time, so that it must be made."""
        new = ref not in self._made
        self._made.add(ref)
        return new

    def side(self, side: Side) -> str:
        """The look of a side; what belongs to nobody is grey."""
        return self.sides.get(side, "grey")

    def word(self, state: str) -> str:
        """The shape word for a state: the one given for it, or its own name."""
        return self.states.get(state, state)

    def center(self, thing: Thing) -> Point:
        """Where a thing on the table stands."""
        assert isinstance(thing.place, At)
        return thing.place.point

    def outline(self, thing: Thing) -> Shape:
        """The very outline verdicts are made with; a thing without a base gets a small disc."""
        if thing.base is None:
            return Disc(self.center(thing), self.of(350))
        return outline_of(thing.base, self.center(thing), thing.facing)

    def _clear(self, thing: Thing) -> Clear:
        base = thing.base
        far = self.of(350) if base is None else max(base.size, base.depth) * 3 // 5
        return self.center(thing), far + self.of(900)

    def shape(self, shape: Shape) -> str:
        """The id of an outline, defined once however often it is used."""
        if shape not in self._outlines:
            ref = self.name("o")
            if isinstance(shape, Disc):
                drawn = element("circle", id=ref, cx=shape.center.x, cy=shape.center.y, r=shape.radius)
            else:
                drawn = element("path", id=ref, d=line(shape.points, closed=not isinstance(shape, Band)))
            self._outlines[shape] = ref
            self.defs.append(drawn)
        return self._outlines[shape]

    def use(self, shape: Shape, looks: str, dx: int = 0, dy: int = 0, paint: str | None = None) -> str:
        """An outline in a look: the shape itself, never an approximation of it."""
        shift = moved(dx, dy) if dx or dy else None
        return element("use", looks, href=f"#{self.shape(shape)}", transform=shift, stroke=paint)

    def band(self, band: Band, looks: str, inset: int = 0, dx: int = 0, dy: int = 0) -> str:
        """A band as the round stroke of its middle line: exactly the points within half its width."""
        shift = moved(dx, dy) if dx or dy else None
        width = f"stroke-width:{num(max(0, band.width - 2 * inset))}"
        return element("use", f"{looks} b", href=f"#{self.shape(band)}", transform=shift, style=width)

    def area(self, shape: Shape, fill: str, edge: str, edge_width: int) -> list[str]:
        """A filled outline with its edge."""
        if isinstance(shape, Band):
            return [self.band(shape, f"{edge} b-edge"), self.band(shape, fill, inset=self.of(edge_width))]
        return [self.use(shape, fill), self.use(shape, edge)]

    def shadow(self, shape: Shape, looks: str, levels_shadow: int) -> str:
        """An offset copy, which is all the shadow there is."""
        far = self.of(levels_shadow)
        if isinstance(shape, Band):
            return self.band(shape, "shadow-line", dx=far, dy=far)
        return self.use(shape, looks, far, far)

    def clip(self, shape: Shape, *inner: str) -> str:
        """What is drawn only within an outline."""
        ref = self.name("c")
        self.defs.append(element("clipPath", "", self.use(shape, ""), id=ref))
        return element("g", "", *inner, clip_path=f"url(#{ref})")

    def steady(self, at: Point, *children: str, looks: str = "") -> str:
        """A group whose inside is measured in pixels from a point of the table."""
        whole, rest = divmod(self.pixel, 1_000_000)
        transform = f"translate({num(at.x)} {num(at.y)}) scale({whole}.{rest:06d})"
        name = f"steady {looks}" if looks else "steady"
        return element("g", name, *children, transform=transform)

    def text(self, at: Point, words: str, looks: str) -> str:
        """Words centred on a point."""
        return self.steady(at, element("text", looks, safe(words), dy=".35em"))

    def text_box(self, at: Point, words: str, size: int = 13) -> Box:
        """The room that words of a size in pixels need around a point."""
        wide, high = self.px(len(words) * size * 52 // 100 + 6) // 2, self.px(size + 3) // 2
        return at.x - wide, at.y - high, at.x + wide, at.y + high

    def write(self, at: Point, words: str, looks: str, size: int = 13) -> None:
        """Write words at a point and keep others off them."""
        self.seats.take(self.text_box(at, words, size))
        self.words.append(self.text(at, words, looks))

    def write_near(self, spots: Sequence[Point], words: str, looks: str, size: int = 13) -> Point:
        """Write words at the best of some points, the first unless others were there before."""
        boxes = [self.text_box(spot, words, size) for spot in spots]
        left, top, right, bottom = self.seats.best(boxes)
        at = Point((left + right) // 2, (top + bottom) // 2)
        self.words.append(self.text(at, words, looks))
        return at


_SHOWN = ("model", "marker", "holder")


def side_looks(sides: Sequence[Side]) -> list[str]:
    """A look for each side: its own where it is named after one, else the next that is free.

    >>> side_looks(["raiders", "red"])
    ['blue', 'red']
    """
    free = [look for look in style.SIDES if look not in sides]
    found: list[str] = []
    for index, side in enumerate(sides):
        if side in style.SIDES:
            found.append(side)
        else:
            found.append(free.pop(0) if free else style.SIDES[index % len(style.SIDES)])
    return found
