"""Points, shapes, bases, places and paths: plain values that questions, events and the field share.

All lengths are integers, thousandths of the ruleset's unit. The table's origin is its north-west corner, x grows to
the east and y to the south; facings are whole degrees, clockwise from east.
"""

from typing import NamedTuple

import msgspec

from sandtable.engine.ids import NO_RULE, NO_SIDE, RuleId, Side

#: One inch (or centimetre) in grid units.
UNIT = 1000

#: No coordinate may lie farther from the origin than this (about 87 feet in thousandths of an inch): every product
#: the exact table forms then fits the width it is computed in.
BOUND = 1 << 20


class Point(NamedTuple):
    """A point of the grid."""

    x: int
    y: int


class Disc(msgspec.Struct, frozen=True, gc=False, tag="disc", tag_field="shape"):
    """Every point at most `radius` from the centre."""

    center: Point
    radius: int


class Polygon(msgspec.Struct, frozen=True, gc=False, tag="polygon", tag_field="shape"):
    """A simple closed outline; either direction, the last point joins the first."""

    points: tuple[Point, ...]


class Band(msgspec.Struct, frozen=True, gc=False, tag="band", tag_field="shape"):
    """Every point at most half `width` from a line of points: a road, a river, a corridor."""

    points: tuple[Point, ...]
    width: int


Shape = Disc | Polygon | Band


def rectangle(x: int, y: int, width: int, height: int) -> Polygon:
    """An upright rectangle from its north-west corner.

    >>> rectangle(0, 0, 2000, 1000).points[2]
    Point(x=2000, y=1000)
    """
    return Polygon((Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)))


class Base(msgspec.Struct, frozen=True, gc=False):
    """What a thing stands on: a hexagon (`size` across the flats), a circle (diameter) or a rectangle.

    The front of a hexagon is the middle of a flat side; a rectangle is `size` wide (across the facing) and `depth`
    long (along it).
    """

    form: str  # "hexagon", "circle" or "rectangle"
    size: int
    depth: int = 0


class At(msgspec.Struct, frozen=True, gc=False, tag="at", tag_field="place"):
    """On the table: the centre of the base, and the level it stands on (0 is the ground, whatever its height)."""

    point: Point
    level: int = 0


class In(msgspec.Struct, frozen=True, gc=False, tag="in", tag_field="place"):
    """In a slot of a holder: a floor of a building, a seat of a transport, a counter's contents."""

    holder: str
    slot: str = ""


class Off(msgspec.Struct, frozen=True, gc=False, tag="off", tag_field="place"):
    """Off the table, and why: in reserve, destroyed, gone over the edge."""

    why: str = ""


Place = At | In | Off


class Leg(msgspec.Struct, frozen=True, gc=False, tag="leg", tag_field="by"):
    """One leg of a path for things with a facing: turn on the spot, then go straight (backwards if negative)."""

    turn: int = 0
    go: int = 0

    @property
    def length(self) -> int:
        """How much of a path it is."""
        return abs(self.go)


class Slide(Leg, frozen=True, gc=False, tag="slide", tag_field="by"):
    """A leg that keeps its facing and goes to the side, to the left if negative, and perhaps ahead at the same time.

    What it leads ahead is its length; where it leads nowhere ahead, what it leads to the side.

    >>> Slide(0, 2000, -500).length, Slide(side=-500).length
    (2000, 500)
    """

    side: int = 0

    @property
    def length(self) -> int:
        """How much of a path it is."""
        return abs(self.go or self.side)


class Via(msgspec.Struct, frozen=True, gc=False, tag="via", tag_field="by"):
    """One leg of a path for things without a facing: straight to a point, or up or down to a level there."""

    point: Point
    level: int = 0


class Walk(msgspec.Struct, frozen=True, gc=False):
    """How one thing moves: its legs in order, and marks on the way (`fires here` → distance along)."""

    legs: tuple[Leg | Via | Slide, ...] = ()
    marks: dict[str, int] = {}


class Spot(msgspec.Struct, frozen=True, gc=False):
    """Where a thing is put: a place, and the way it faces."""

    where: At | In | Off
    facing: int = 0


class Zone(msgspec.Struct, frozen=True, gc=False):
    """A part of the table that a rule gives a meaning: where a side comes from, from where something is held.

    It is drawn and read; rules judge by what makes it. `side` is whose it is, empty for everybody's.
    """

    id: str
    label: str
    shape: Shape
    side: Side = NO_SIDE
    rule: RuleId = NO_RULE


class Region(msgspec.Struct, frozen=True, gc=False):
    """Where a thing may be put: inside one of the shapes (or slots), outside the forbidden ones.

    `whole` says whether the whole base must lie inside, or only its centre. `rule` names the rule that sets the region.
    """

    inside: tuple[Shape, ...] = ()
    outside: tuple[Shape, ...] = ()
    levels: tuple[int, ...] = (0,)
    slots: tuple[In, ...] = ()
    whole: bool = True
    rule: RuleId = NO_RULE
    label: str = ""
