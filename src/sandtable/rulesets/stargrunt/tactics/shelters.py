"""How tactics put the figures of a squad into cover: in a piece of terrain, or in rows along a wall."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt

from sandtable.engine.shapes import UNIT, Disc, Point, Polygon
from sandtable.engine.table import Piece
from sandtable.field.measure import center_gap, nearest_free
from sandtable.rulesets.stargrunt.cover.protection import LINEAR
from sandtable.rulesets.stargrunt.tactics.fire import middle
from sandtable.rulesets.stargrunt.units.record import BASE, block

#: How far apart figures in a row stand.
STEP = BASE.size + UNIT // 5
#: How far bases lean over a wall they stand at, so that rounding never parts them from it.
NUDGE = UNIT // 50


def shelters(piece: Piece, figures: int, centre: Point, reach: int) -> Iterator[list[Point]]:
    """Ways for some figures to stand in or behind a piece of terrain that is near enough."""
    far = (reach + 2 * UNIT) ** 2
    if piece.kind in LINEAR:
        for row in _rows(piece, figures, centre):
            if center_gap(middle(row), centre) <= far:
                yield row
        return
    outline = piece.outline
    if isinstance(outline, Disc):
        around = [outline.center]
    else:
        core = middle(outline.points)
        around = [core, *(Point((core.x + one.x) // 2, (core.y + one.y) // 2) for one in outline.points)]
    for at in around:
        if center_gap(at, centre) <= far:
            yield block(figures, at)


def _rows(piece: Piece, figures: int, centre: Point) -> Iterator[list[Point]]:
    """Rows of figures that touch a wall on either side, the rest in a second row behind them."""
    if not isinstance(piece.outline, Polygon):
        return
    corners = piece.outline.points
    sides = sorted(pairwise((*corners, corners[0])), key=lambda one: -center_gap(*one))[:2]
    inner = middle(corners)
    for a, b in sides:
        length = isqrt(center_gap(a, b))
        if not length:
            continue
        along = ((b.x - a.x) * 1000 // length, (b.y - a.y) * 1000 // length)
        out = (-along[1], along[0])
        foot = middle((a, b))
        if (foot.x - inner.x) * out[0] + (foot.y - inner.y) * out[1] < 0:
            out = (-out[0], -out[1])
        front = min(figures, max(1, length // STEP), figures // 2 + 2)
        room = max(0, (length - front * STEP) // 2)
        wanted = ((centre.x - foot.x) * along[0] + (centre.y - foot.y) * along[1]) // 1000
        for shift in dict.fromkeys((max(-room, min(room, wanted)), 0)):
            yield [_in_row(foot, along, out, n, front, figures, shift) for n in range(figures)]


def _in_row(
    foot: Point, along: tuple[int, int], out: tuple[int, int], n: int, front: int, figures: int, shift: int
) -> Point:
    row, place = divmod(n, front)
    width = min(front, figures - row * front)
    sideways = shift + (2 * place - width + 1) * STEP // 2
    away = BASE.size // 2 - NUDGE + row * STEP
    x = foot.x + (along[0] * sideways + out[0] * away) // 1000
    return Point(x, foot.y + (along[1] * sideways + out[1] * away) // 1000)


def assigned(here: Sequence[Point], spots: Sequence[Point]) -> tuple[Point, ...]:
    """Each figure the place that is left nearest to it, those with the longest way first."""
    return tuple([spots[n] for n in nearest_free(here, spots, middle(spots))])
