"""Sight lines: the line between two bases, what it crosses, and what a ruleset needs to know of each thing crossed.

The line joins the two nearest points of the bases, on the grid, and crosses an object if it has a point strictly
inside it: running along a border or through a corner is not crossing. Whether that gives cover or blocks is for the
ruleset to say; nothing here knows. Seen from the other end a line is the same, start and end exchanged.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from sandtable.engine.shapes import UNIT, Disc, Point, Shape
from sandtable.engine.table import Ground, Table
from sandtable.field import _kernel_spans
from sandtable.field.measure import inside
from sandtable.field.outlines import core_of, outline_of
from sandtable.field.survey import Footing, Standing, Survey, Terrain, crowd, footings, survey, terrain_of


class Crossing(msgspec.Struct, frozen=True, gc=False):
    """One object on a sight line: a piece of terrain, a contour of a hill, or the base of a model.

    `ground` is the highest ground under the crossed part of a piece, the ground under the centre of a base, and of a
    contour its own level. Near is a gap of at most the distance asked about, between the object and the base at that
    end; an object holds an end if that base's centre is strictly inside it.
    """

    outline: Shape
    piece: str = ""
    contour: int = -1  # its place among the contours of the piece; -1 for the piece itself
    thing: str = ""
    ground: int = 0
    near_start: bool = False
    near_end: bool = False
    holds_start: bool = False
    holds_end: bool = False


class SightLine(msgspec.Struct, frozen=True, gc=False):
    """The line between two bases: its ends, the ground under both centres, the gap, and all it crosses.

    Pieces come first, in the order of the ground, then contours, then bases.
    """

    start: Point
    end: Point
    start_ground: int
    end_ground: int
    gap: int
    crossings: tuple[Crossing, ...] = ()

    def where(self, crossing: Crossing) -> tuple[tuple[Point, Point], ...]:
        """From where to where the line runs inside an object, for drawing: each point rounded once."""
        return runs_inside(crossing.outline, self.start, self.end)


def runs_inside(outline: Shape, start: Point, end: Point) -> tuple[tuple[Point, Point], ...]:
    """From where to where a line runs inside an outline, for drawing: each point rounded once.

    >>> runs_inside(Disc(Point(5000, 0), 1000), Point(0, 0), Point(9000, 0))
    ((Point(x=4000, y=0), Point(x=6000, y=0)),)
    """
    core, line = core_of(outline), (*start, *end)
    parts = _kernel_spans.spans(core.points, core.is_filled, core.twice_radius, *line)
    return tuple(
        (Point(*_kernel_spans.place(low, *line)), Point(*_kernel_spans.place(high, *line))) for low, high in parts
    )


def sight_line(
    ground: Ground, a: Standing, b: Standing, others: Iterable[Standing] = (), near: int = UNIT
) -> SightLine:
    """The sight line between two models, or a model and a point, past all terrain and other models.

    The two may be among the others: a model never stands in its own way. Where the bases overlap the line has no
    length and crosses nothing.

    >>> from sandtable.engine.shapes import Base, rectangle
    >>> from sandtable.engine.table import Piece
    >>> ground = Ground(48000, 48000, (Piece("wood", "woods", rectangle(9000, 9000, 4000, 4000)),))
    >>> base = Base("hexagon", 1500)
    >>> line = sight_line(ground, Standing("A", base, Point(8000, 11000)), Standing("B", base, Point(20000, 11000)))
    >>> line.start, line.end, [(c.piece, c.near_start, c.near_end) for c in line.crossings]
    (Point(x=8750, y=11000), Point(x=19250, y=11000), [('wood', True, False)])
    >>> line.where(line.crossings[0])
    ((Point(x=9000, y=11000), Point(x=13000, y=11000)),)
    """
    ends = [end.id for end in (a, b) if end.id]
    between = [other for other in others if other.id not in ends]
    found = survey(ground, a.base, [(a.at, a.facing)], [b, *between], near=near, targets=1)
    start, end = found.line(0, 0)
    return SightLine(
        start,
        end,
        found.footings[0].level,
        found.other_footings[0].level,
        found.gap(0, 0),
        tuple(_crossings(terrain_of(ground), found, between)),
    )


def line_among(table: Table, a: str, b: str, near: int = UNIT) -> SightLine:
    """The sight line between two models of a table, past all terrain and all the others: what `sight_line` gives.

    How the models stand on the ground is found once until one of them stirs.
    """
    ground, stand = table.ground, crowd(table)
    terrain = terrain_of(ground)
    key = ("footings", near)
    kept: dict[str, Footing] | None = table.posture.get(key)
    if kept is None:
        kept = table.posture[key] = dict(zip(stand, footings(terrain, near, stand.values()), strict=True))
    # The two are among the others here; a model never stands in its own way.
    ids = list(stand)
    own = (1 << ids.index(a) | 1 << ids.index(b)) << len(terrain.features) + 1
    found = Survey(terrain, [kept[a]], [kept[b], *kept.values()], 1, near)
    found.look(terrain, [stand[a].facing], [stand[b].facing, *[one.facing for one in stand.values()]], ())
    start, end = found.line(0, 0)
    return SightLine(
        start,
        end,
        kept[a].level,
        kept[b].level,
        found.gap(0, 0),
        tuple(_crossings(terrain, found, tuple(stand.values()), own)),
    )


def line_between(
    ground: Ground, start: Point, end: Point, others: Sequence[Standing] = (), near: int = UNIT
) -> SightLine:
    """The line between two points, as between two bases without extent.

    >>> line_between(Ground(9000, 9000), Point(0, 0), Point(8000, 0)).gap
    8000
    """
    return sight_line(ground, Standing("", None, start), Standing("", None, end), others, near)


def _crossings(terrain: Terrain, found: Survey, between: Sequence[Standing], but: int = 0) -> Iterator[Crossing]:
    crossed = found.crossed(0, 0) & ~but
    if not crossed:
        return
    near_start, near_end = found.near(0), found.other_near(0)
    first, second = found.footings[0], found.other_footings[0]
    while crossed:
        bit = crossed & -crossed
        crossed ^= bit
        n = bit.bit_length() - 1
        if n < len(terrain.features):
            feature = terrain.features[n]
            yield Crossing(
                outline=feature.outline,
                piece=feature.piece.id,
                contour=feature.index,
                ground=found.height(0, 0, n) if feature.contour is None else feature.contour.level,
                near_start=near_start & bit != 0,
                near_end=near_end & bit != 0,
                holds_start=first.inside & bit != 0,
                holds_end=second.inside & bit != 0,
            )
            continue
        k = n - len(terrain.features)  # the first of them is the other end, which is never crossed
        other = between[k - 1]
        outline = Disc(other.at, 0) if other.base is None else outline_of(other.base, other.at, other.facing)
        yield Crossing(
            outline=outline,
            thing=other.id,
            ground=found.other_footings[k].level,
            near_start=near_start & bit != 0,
            near_end=near_end & bit != 0,
            holds_start=_holds(outline, first.core.center),
            holds_end=_holds(outline, second.core.center),
        )


def _holds(outline: Shape, center: tuple[int, int]) -> bool:
    return inside(outline, Point(*center))
