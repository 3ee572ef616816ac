"""What a track costs where ground is paid by the length of path that the centre travels on it.

A track is cut into spans over which the centre is in the same pieces; a ruleset's rates price each span, and what
comes out is the same trace as for paths paid inch by inch.
"""

from itertools import pairwise
from typing import Protocol

import msgspec

from sandtable.engine.explain import Explanation
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Ground, Piece
from sandtable.field.chords import chords
from sandtable.field.ground import Box, Crossing, crossings, pieces_near
from sandtable.field.walking.cost import Step, Stop, Trace
from sandtable.field.walking.paths import Track


class Span(msgspec.Struct, frozen=True, gc=False):
    """A part of a path over which the centre is in the same pieces, and those it has just entered."""

    start: int
    end: int
    pieces: tuple[Piece, ...]
    entered: tuple[Piece, ...]
    climbs: tuple[Crossing, ...]
    spent: int = 0


class LengthRates(Protocol):
    """What a ruleset says where ground is paid by the length of path on it."""

    @property
    def allowance(self) -> int | None:
        """How much may be spent, in thousandths; none where there is no limit."""

    def span(self, span: Span) -> Explanation | Refusal:
        """The cost in thousandths of a part of the path, or why it is forbidden."""

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        """What is said when there is not enough left to pay a cost."""


def spans(track: Track, ground: Ground) -> tuple[Span, ...]:
    """A track cut wherever its centre enters or leaves a piece or crosses a contour.

    >>> from sandtable.engine.shapes import Point, Via, Walk, rectangle
    >>> from sandtable.field.walking.paths import Pose, resolve
    >>> woods = Ground(9000, 9000, (Piece("w", "woods", rectangle(4500, 0, 3000, 9000)),))
    >>> track = resolve(Pose(Point(2000, 4000)), Walk((Via(Point(6000, 4000)),)))
    >>> [(span.start, span.end, len(span.pieces)) for span in spans(track, woods)]
    [(0, 2500, 0), (2500, 4000, 1)]
    """
    inside: list[tuple[int, int, Piece]] = []
    climbs: list[Crossing] = []
    for stretch in track.stretches:
        ends = stretch.start, stretch.end, stretch.length
        (x, y), (to_x, to_y) = stretch.start, stretch.end
        path: Box = (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))
        for piece in pieces_near(ground, path):
            found = chords(piece.outline, *ends)
            inside += [(low + stretch.along, high + stretch.along, piece) for low, high in found]
        climbs += [c._replace(along=c.along + stretch.along) for c in crossings(ground, *ends)]
    if not inside and not climbs:
        return (Span(0, track.length, (), (), ()),) if track.length else ()
    cuts = sorted({0, track.length, *(at for low, high, _ in inside for at in (low, high)), *(c.along for c in climbs)})
    out: list[Span] = []
    before: tuple[Piece, ...] = ()
    for low, high in pairwise(cuts):
        ids = {piece.id for start, end, piece in inside if start <= low and high <= end}
        here = tuple(piece for piece in ground.pieces if piece.id in ids)
        entered = tuple(piece for piece in here if piece not in before)
        crossed = tuple(c for c in climbs if (c.along == low if c.up else c.along == high))
        out.append(Span(low, high, here, entered, crossed))
        before = here
    return tuple(out)


def price_by_length(track: Track, ground: Ground, rates: LengthRates) -> Trace:
    """The trace of a track whose ground is paid by the length of path the centre travels on it."""
    steps: list[Step] = []
    spent = 0
    for span in spans(track, ground):
        reached, refused = span.start, span.end + 1
        middle = span.end  # the whole span first; only where that is refused is it bisected
        why: Refusal | None = None
        last: Step | None = None
        while refused - reached > 1:
            cut = Span(span.start, middle, span.pieces, span.entered, span.climbs, spent)
            cost = rates.span(cut)
            if isinstance(cost, Explanation) and rates.allowance is not None and spent + cost.total > rates.allowance:
                cost = rates.too_dear(cost, rates.allowance - spent)
            if isinstance(cost, Refusal):
                refused, why = middle, cost
            else:
                reached, last = middle, Step(span.start, middle, cost, tuple(piece.id for piece in span.pieces))
            middle = (reached + refused) // 2
        if last is not None:
            steps.append(last)
            spent += last.cost.total
        if why is not None:
            return Trace(tuple(steps), spent, reached, Stop(reached, why))
    return Trace(tuple(steps), spent, track.length)
