"""What stands on the table, moment by moment, as data: the looks of things once, where they are whenever it changes.

The page's script only puts these pieces together; what they look like is drawn here, in the classes of the picture.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import At, Base, Disc, In, Point
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.drawing import glyphs, model_words
from sandtable.field.drawing.ink import element, line, num, safe
from sandtable.field.drawing.models import Size, flag_words
from sandtable.field.drawing.sketch import LEVEL_SHADOW, Sketch
from sandtable.field.drawing.texture import roomiest
from sandtable.field.measure import outline_of
from sandtable.lab.replay_page.story import Moment

#: The classes that the script draws with; the picture's stylesheet is asked for them.
CLASSES = (
    "acts", "acts-under", "badge", "badge-icon", "badge-word", "base", "call", "cloth", "finial", "finial-lit", "glyph",
    "helps", "helps-icon", "height", "stands", "initials", "inner", "left", "lost", "lowered", "model", "model-shadow",
    "pole", "pole-under", "steady", "text", "tired", "track", "wedge", "drift", "landed", "sight",
)  # fmt: skip

_SHOWN = ("model", "marker", "holder")
_SHADES = 2  # levels of shadow that the lowest model throws

T = TypeVar("T")


class Pool(Generic[T]):
    """Values that are written once and named by their number."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self._found: dict[Any, int] = {}

    def number(self, value: T, key: Any = None) -> int:
        """The number of a value; of values with the same key the first is kept."""
        name = value if key is None else key
        if name not in self._found:
            self._found[name] = len(self.values)
            self.values.append(value)
        return self._found[name]


class Figures:
    """Everything that stood on the table in a story."""

    def __init__(self, moments: Sequence[Moment], sketch: Sketch, say: Callable[[str], str]) -> None:
        self.sketch, self.say = sketch, say
        self.looks: Pool[dict[str, Any]] = Pool()
        self.badges: Pool[str] = Pool()
        self.words: Pool[str] = Pool()
        self.things: dict[str, tuple[list[int], list[Any]]] = {}
        before: dict[str, Thing] = {}
        acting: tuple[str, ...] = ()
        for at, moment in enumerate(moments):
            table = moment.table
            stirred = acting != table.acting
            for name in dict.fromkeys([*before, *table.things]):
                thing = table.things.get(name)
                if stirred or thing is not before.get(name):
                    self._note(at, name, table, thing)
            before, acting = table.things, table.acting

    def data(self) -> dict[str, Any]:
        """The figures as the script reads them."""
        return {
            "looks": self.looks.values,
            "badges": self.badges.values,
            "words": self.words.values,
            "things": [{"at": at, "was": was} for at, was in self.things.values()],
        }

    def _note(self, at: int, name: str, table: Table, thing: Thing | None) -> None:
        if thing is not None and thing.kind not in _SHOWN:
            return
        if name not in self.things and (thing is None or (thing.kind != "model" and _spot(table, thing) is None)):
            return
        moments, records = self.things.setdefault(name, ([], []))
        record = None if thing is None else self._record(table, thing)
        if not records or records[-1] != record:
            moments.append(at)
            records.append(record)

    def _record(self, table: Table, thing: Thing) -> list[Any]:
        """Look, x, y, facing, harm, level, badges, how its flag flies, words; where it is nowhere, x is none."""
        spot = _spot(table, thing)
        acts = bool({thing.id, thing.unit} & set(table.acting[1:]) - {""})
        signs = {state: self.sketch.word(state) for state in thing.states}
        shown = [state for state in signs if signs[state] != glyphs.ACTED]
        lost = f"lost: {self.say(thing.gone)}"
        words = lost if thing.gone else model_words(table, thing, brief=True, say=self.say)
        return [
            self._look(thing),
            None if spot is None else spot.x,
            0 if spot is None else spot.y,
            thing.facing,
            thing.harm,
            thing.place.level if isinstance(thing.place, At) else 0,
            [self.badges.number(_badge(state, signs[state])) for state in shown[:4]],
            acts
            + 2 * (len(shown) < len(signs))
            + 4 * isinstance(thing.place, In)
            + 8 * (glyphs.DOWN in signs.values()),
            self.words.number(words),
        ]

    def _look(self, thing: Thing) -> int:
        key = (thing.kind, thing.side, thing.label, thing.glyph, thing.base, thing.height, thing.track, thing.id)
        return self.looks.number(_look(self.sketch, thing), key)


def _spot(table: Table, thing: Thing) -> Point | None:
    """Where a thing is drawn: where it stands, or beside whatever holds it."""
    if thing.gone:
        return None
    if isinstance(thing.place, At):
        return thing.place.point
    if isinstance(thing.place, In):
        holder = table.things.get(thing.place.holder)
        if holder is not None and isinstance(holder.place, At):
            return holder.place.point
        return next((roomiest(p.outline) for p in table.ground.pieces if p.id == thing.place.holder), None)
    return None


def _look(sketch: Sketch, thing: Thing) -> dict[str, Any]:
    """What a thing looks like, around the origin and facing east."""
    size = Size(sketch, thing.base)
    side = sketch.side(thing.side)
    wide = max(28, 12 + 8 * len(flag_words(thing)))
    middle = {"red": wide - 4, "grey": wide - 6}.get(side, wide - 2) * 500
    tip = [Point(size.front - size.of(50), -size.of(420)), Point(size.tip, 0)]
    return {
        "name": thing.label or thing.id,
        "side": thing.side,
        "look": side,
        "model": thing.kind == "model",
        "track": thing.track,
        "scale": size.scale,
        "ring": size.ring,
        "outer": size.outer,
        "foot": min(size.of(520), size.outer * 6 // 10),
        "base": _outline(sketch, thing.base, 0),
        "inner": _outline(sketch, thing.base, size.of(170)) if thing.base is not None else "",
        "wedge": line([*tip, Point(tip[0].x, size.of(420))], closed=True),
        "type": _type(thing, size),
        "shadow": sketch.of(LEVEL_SHADOW * max(_SHADES, thing.height)),
        "cloth": element("path", "cloth", d=glyphs.cloth(side, wide))
        + element("text", "call", safe(flag_words(thing)), x=middle, y="8.25", dy=".36em"),
    }


def _outline(sketch: Sketch, base: Base | None, cut: int) -> str:
    """The outline of a base, so much smaller, as the attributes of a path."""
    if base is None:
        shape: Any = Disc(Point(0, 0), sketch.of(350))
    else:
        depth = max(2, base.depth - cut) if base.depth else 0
        shape = outline_of(Base(base.form, max(2, base.size - cut), depth), Point(0, 0), 0)
    if isinstance(shape, Disc):
        r = num(shape.radius)
        return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z"
    return line(shape.points, closed=True)


def _type(thing: Thing, size: Size) -> str:
    if thing.glyph in glyphs.TYPES:
        transform = f"scale({num(size.scale)}) translate(-.564 -.6) scale(.047)"
        return element("path", "glyph", d=glyphs.TYPES[thing.glyph], fill_rule="evenodd", transform=transform)
    text = glyphs.letters(thing.glyph or thing.label or thing.id)
    transform = f"scale({num(max(1, size.scale * 48 // 1000))})"
    return element("text", "initials", safe(text), dy=".36em", transform=transform, font_size="16px")


def _badge(state: str, word: str) -> str:
    """The sign of a state: dark where it hinders, light where it helps, two letters where it has none."""
    helps = " helps" if word in glyphs.HELPFUL else ""
    box = element("rect", f"badge{helps}", x="-8.5", y="-8.5", width="17", height="17", rx="4")
    if word in glyphs.STATES:
        sign = element("path", "badge-icon" + (" helps-icon" if helps else ""), d=glyphs.STATES[word])
    else:
        sign = element("text", "badge-word", safe(glyphs.letters(state)), dy=".36em")
    return element("title", "", safe(state)) + box + sign


class Land:
    """Every terrain piece that ever lay on the table, and when it did."""

    def __init__(self, moments: Sequence[Moment]) -> None:
        self.pieces: list[Piece] = []
        self.spans: list[list[int]] = []  # of each piece: the moments at which it came, went, came again …
        lying: dict[int, None] = {}
        ground: Ground | None = None
        size = (0, 0)
        for at, moment in enumerate(moments):
            if moment.table.ground is ground:
                continue
            ground = moment.table.ground
            size = max(size, (ground.width, ground.height))
            now = dict.fromkeys(self._number(piece) for piece in ground.pieces)
            for number in [*(n for n in now if n not in lying), *(n for n in lying if n not in now)]:
                self.spans[number].append(at)
            lying = now
        self.ground = Ground(*size, tuple(self._as_drawn(number) for number in range(len(self.pieces))))

    def _number(self, piece: Piece) -> int:
        for number, known in enumerate(self.pieces):
            if known == piece:
                return number
        self.pieces.append(piece)
        self.spans.append([])
        return len(self.pieces) - 1

    def _as_drawn(self, number: int) -> Piece:
        """A piece under its number: one that changed is drawn once for each way it was."""
        piece = self.pieces[number]
        return Piece(
            PieceId(str(number)),
            piece.kind,
            piece.outline,
            piece.height,
            piece.contours,
            piece.parts,
            piece.traits,
            piece.label,
        )
