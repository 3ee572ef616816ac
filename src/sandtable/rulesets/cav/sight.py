"""Sight: firing arcs, torso twists, and the cover that a hill, a structure or an obstruction gives by its height."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.ids import RuleId
from sandtable.engine.questions import Bead, SightNote
from sandtable.engine.shapes import Point
from sandtable.engine.table import Ground, Piece
from sandtable.field.ground import features
from sandtable.field.measure import in_arc
from sandtable.field.sight import SightLine

NONE, LIGHT, HEAVY, BLOCKING = "none", "light", "heavy", "blocking"
STRENGTH = (NONE, LIGHT, HEAVY, BLOCKING)
RANK = {name: n for n, name in enumerate(STRENGTH)}

#: An arc: from so many degrees to so many, the facing being 0.
Arc = tuple[int, int]


class End(NamedTuple):
    """One end of a line: total elevation and ground."""

    total: int
    ground: int


def noted(line: SightLine, met: Sequence[tuple[str, str, RuleId]], blocked: bool) -> SightNote:
    """A line for drawing, with all it crosses: of each thing its name, the cover it gives, and the rule."""
    beads = [
        Bead(enters, leaves, name, strength != NONE, strength == BLOCKING, why)
        for crossing, (name, strength, why) in zip(line.crossings, met, strict=True)
        for enters, leaves in line.where(crossing)
    ]
    return SightNote(line.start, line.end, tuple(beads), blocked)


def bears(here: Point, facing: int, at: Point, arcs: tuple[Arc, ...]) -> bool:
    """Whether a point lies in one of some arcs; a border counts for who fires."""
    return any(in_arc(here, facing, at, start, end) for start, end in arcs)


@lru_cache(maxsize=2048)
def twist_into(here: Point, facing: int, at: Point, arcs: tuple[Arc, ...], most: int) -> int | None:
    """The smallest twist that brings a point into one of some arcs, to the right first; none where no twist does."""
    for degrees in range(1, most + 1):
        for twist in (degrees, -degrees):
            if bears(here, facing + twist, at, arcs):
                return twist
    return None


@lru_cache(maxsize=256)
def joined(ground: Ground) -> dict[str, tuple[Piece, ...]]:
    """Of each piece, the feature it belongs to: joined pieces of one kind are one feature, also for cover."""
    return {piece.id: group for group in features(ground.pieces) for piece in group}


def levels_stood_on(line: SightLine) -> dict[str, int]:
    """Of each hill, the highest level that one of the two stands on: it and those below are left out."""
    found: dict[str, int] = {}
    for crossing in line.crossings:
        if crossing.contour >= 0 and (crossing.holds_start or crossing.holds_end):
            found[crossing.piece] = max(found.get(crossing.piece, 0), crossing.ground)
    return found


class CoverByHeight(NamedTuple):
    """What an object gives by its height: one as high as both ends, one as high as a model beside it, and lower ones.

    `lower` says what an object gives a model beside it by how many levels it rises over that model's ground.
    """

    as_high_as_both: str
    as_high_as_the_model: str
    lower: Mapping[int, str]

    def strength(self, high: int, ends: tuple[End, End], beside: Iterable[End]) -> str:
        """What an object so high gives on a line between two ends, to those of them that it stands beside."""
        if high >= max(end.total for end in ends):
            return self.as_high_as_both
        strongest = NONE
        for end in beside:
            if high <= end.ground:
                continue
            if high >= end.total:
                given = self.as_high_as_the_model
            else:
                given = self.lower[min(high - end.ground, max(self.lower))]
            strongest = max(strongest, given, key=RANK.__getitem__)
        return strongest
