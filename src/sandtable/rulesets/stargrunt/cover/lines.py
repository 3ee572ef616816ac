"""What a player may measure and look along: how far things are from each other, and lines of sight for drawing."""

from math import isqrt

from sandtable.engine.ids import NO_RULE
from sandtable.engine.questions import SightNote
from sandtable.engine.shapes import At, Disc, Point
from sandtable.engine.table import Contour, Ground, Piece, Table, Thing
from sandtable.field.measure import center_gap, nearest_points
from sandtable.field.sight import Crossing, line_between
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.cover.protection import (
    GIVES,
    OPEN,
    RULES,
    SIGHT,
    aimed_at,
    blocking,
    centre_point,
    gives_cover,
    seen_from,
    touched_by,
)
from sandtable.rulesets.stargrunt.units.record import AIRBORNE, enemies, gap_between, spot, standing, whereabouts
from sandtable.tabletop.previews import Crossed, nearest_first, sight_note


def distance(table: Table, here: str, there: str | Point) -> int | None:
    """How far something is from something else, from centre to centre; from a building it is to its nearest side.

    stargrunt.cover.measuring    units are measured from the mean of their figures
    """
    ours = _where(table, here)
    if not ours:
        return None
    if isinstance(there, str) and there not in table.things:
        pieces = [piece for piece in table.ground.pieces if piece.id == there]
        at = _centre(ours)
        return length_between(at, nearest_points(Disc(at, 0), pieces[0].outline)[1]) if pieces else None
    theirs = [there] if isinstance(there, Point) else _where(table, there)
    if not theirs:
        return None
    square = gap_between(ours, theirs)
    return isqrt(square.numerator // square.denominator)


def _where(table: Table, name: str) -> list[Point]:
    """Where a unit is, or a figure, vehicle or marker."""
    thing = table[name]
    if type(thing.place) is At:
        return [spot(thing)]
    return whereabouts(table, name) if thing.kind == "unit" else []


def _centre(points: list[Point]) -> Point:
    return Point(sum(at.x for at in points) // len(points), sum(at.y for at in points) // len(points))


def from_enemies(table: Table, unit: Thing) -> dict[str, int]:
    """How far a unit is from each enemy that is on the table, the nearest first."""
    return nearest_first({foe.id: distance(table, unit.id, foe.id) for foe in enemies(table, unit.side)})


# Lines of sight ----------------------------------------------------------------------------------------------------


def sight_notes(table: Table, observer: str, target: str) -> tuple[SightNote, ...]:
    """The line to each figure of a unit, from whoever sees it and is nearest; where nobody does, from the nearest.

    stargrunt.cover.line-of-sight    a unit is seen where half of its figures are
    """
    eyes, source = standing(table, observer), centre_point(table, observer) if standing(table, observer) else None
    notes = []
    for one in standing(table, target):
        near = sorted(eyes, key=lambda eye: (center_gap(spot(eye), spot(one)), eye.id))
        if near:
            eye = next((eye for eye in near if seen_from(table.ground, eye, one)), near[0])
            notes.append(_note(table.ground, eye, one, source))
    return tuple(notes)


def point_note(table: Table, observer: str, at: Point) -> tuple[SightNote, ...]:
    """The line to a point, from the figure that sees it and is nearest, or from the nearest."""
    near = sorted(points_of(table, observer), key=lambda eye: (center_gap(eye, at), eye))
    if not near:
        return ()
    ground = table.ground
    eye = next((eye for eye in near if not _stops(ground, eye, at)), near[0])
    return (_drawn(ground, eye, at, None, None),)


def points_of(table: Table, unit: str) -> list[Point]:
    """From where a unit looks."""
    return [spot(one) for one in standing(table, unit)]


def _note(ground: Ground, eye: Thing, one: Thing, source: Point | None) -> SightNote:
    own = touched_by(ground, eye, one)
    clear = (end for end in aimed_at(one) if not _stops(ground, spot(eye), end, own))
    aloft = eye.has(AIRBORNE) or one.has(AIRBORNE)
    return _drawn(ground, spot(eye), next(clear, spot(one)), own, source, aloft=aloft)


def _drawn(
    ground: Ground, start: Point, end: Point, own: tuple[str, ...] | None, source: Point | None, *, aloft: bool = False
) -> SightNote:
    """A line with all it crosses: what blocks it, and what covers who stands at its end against fire from a source."""
    line = line_between(ground, start, end)
    stops = [] if aloft else _stops(ground, start, end, own)

    def judged(crossing: Crossing) -> Crossed:
        piece = ground.piece(crossing.piece)
        what: Piece | Contour = piece if crossing.contour < 0 else piece.contours[crossing.contour]
        kind = GIVES.get(piece.kind, OPEN)
        covers = source is not None and kind > OPEN and gives_cover(piece, end, source)
        blocks = what in stops
        rule = SIGHT.id if blocks else RULES[kind].id if covers else NO_RULE
        return Crossed(piece.label or piece.kind, covers, blocks, rule)

    return sight_note(line, [judged(one) for one in line.crossings], bool(stops))


def _stops(ground: Ground, one: Point, other: Point, own: tuple[str, ...] | None = None) -> list[Piece | Contour]:
    """What blocks a line, whichever of its ends is looked from."""
    a, b = sorted((one, other))
    return list(blocking(ground, a, b, own))
