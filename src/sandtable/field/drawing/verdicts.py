"""What can be drawn on a table in pencil: any verdict, any draft. Plain values, made by whoever judged.

Every point is a point of the table. Labels are in table language and are shown as they are.
"""

import msgspec

from sandtable.engine.shapes import Point, Polygon, Region, Shape


class Bead(msgspec.Struct, frozen=True):
    """Something a sight line meets: where it begins, where it ends, and what it does.

    What neither counts nor blocks is seen over. A bead without an end is a single point.
    """

    at: Point
    until: Point | None = None
    label: str = ""
    counts: bool = False
    blocks: bool = False


class SightLine(msgspec.Struct, frozen=True, tag="sight"):
    """A line of sight and everything it meets, in order from its start."""

    start: Point
    end: Point
    beads: tuple[Bead, ...] = ()
    label: str = ""


class Note(msgspec.Struct, frozen=True):
    """A word at a point: the cost of a stretch, a mark on a path."""

    at: Point
    label: str = ""


class PathLine(msgspec.Struct, frozen=True, tag="path"):
    """A way walked or planned: as wide as the base, a tick where each unit ends with its cost, and marks."""

    points: tuple[Point, ...]
    width: int = 0
    ticks: tuple[Note, ...] = ()
    marks: tuple[Note, ...] = ()


class RangeBand(msgspec.Struct, frozen=True):
    """One band of ranges: how far it reaches, and what is written on its line."""

    reach: int
    label: str = ""


class ArcFan(msgspec.Struct, frozen=True, tag="arc"):
    """An arc of fire: from `start` to `end` degrees clockwise of the facing, with its bands, nearest first."""

    at: Point
    facing: int
    start: int
    end: int
    bands: tuple[RangeBand, ...] = ()


class ReachArea(msgspec.Struct, frozen=True, tag="reach"):
    """Where something can get to."""

    polygons: tuple[Polygon, ...]
    label: str = ""


class Template(msgspec.Struct, frozen=True, tag="template"):
    """A template laid on the table, dashed until it has landed, and the ids of whom it catches."""

    shape: Shape
    caught: tuple[str, ...] = ()
    landed: bool = False
    label: str = ""


class DriftArrow(msgspec.Struct, frozen=True, tag="drift"):
    """Where something was aimed and where it came down."""

    aimed: Point
    landed: Point
    label: str = ""


class Ruler(msgspec.Struct, frozen=True, tag="ruler"):
    """A distance measured between two points."""

    start: Point
    end: Point
    label: str = ""


class Pick(msgspec.Struct, frozen=True, tag="pick"):
    """A sign round a thing: it `may` be chosen, it is `chosen`, or it is being `looked` at."""

    thing: str
    how: str = "chosen"


class Held(msgspec.Struct, frozen=True, tag="held"):
    """A model in somebody's hand: drawn lifted where it would stand, with its footprint where it stands."""

    thing: str
    at: Point
    facing: int


Verdict = SightLine | PathLine | ArcFan | ReachArea | Template | DriftArrow | Ruler | Pick | Held | Region
