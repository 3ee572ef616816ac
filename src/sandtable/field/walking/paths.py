"""A walk resolved into a track: straight stretches with grid ends, turns on the spot, and every whole distance along.

Each leg's end is rounded once (`directions.along`) and the next leg starts from the rounded point. The pose a whole
distance along is rounded once too, from the start of its stretch: a path has one point for each thousandth of its
length, the same for everybody. A stretch towards a point that is no whole number of thousandths away counts as the
next whole one: nobody gets a part of a thousandth for nothing.

Turns take no distance. What a track costs stands in `sandtable.field.walking.cost`, whom it meets in
`sandtable.field.walking.encounters`.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

import msgspec

from sandtable.engine.shapes import BOUND, UNIT, Base, Leg, Point, Shape, Slide, Via, Walk
from sandtable.field._kernel import Core
from sandtable.field.directions import along, rounded
from sandtable.field.measure import outline_of, swept
from sandtable.field.outlines import base_offsets, base_radius, swept_core

#: A walk may lead this far, but nothing is looked for beyond it.
FAR_OFF = BOUND - (BOUND >> 4)


class Pose(NamedTuple):
    """How a base stands: its centre, its facing, its level."""

    point: Point
    facing: int = 0
    level: int = 0


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """A straight part of a track. `along` is where it begins, and `degrees` its direction if it is a whole one."""

    start: Point
    end: Point
    along: int
    length: int
    facing: int
    level: int = 0
    backwards: bool = False
    degrees: int | None = None
    ahead: int | None = None  # of one that slides to the side: how far it leads ahead

    def point_at(self, distance: int) -> Point:
        """The point a distance along the whole track, which must lie on this stretch; rounded once."""
        gone = distance - self.along
        if gone == 0 or gone == self.length:
            return self.start if gone == 0 else self.end
        if self.degrees is not None:
            return along(self.start, self.degrees, gone)
        (x, y), (to_x, to_y) = self.start, self.end
        return Point(x + rounded((to_x - x) * gone, self.length), y + rounded((to_y - y) * gone, self.length))

    def swept(self, base: Base, start: int, end: int) -> Shape:
        """What a base passes over on this stretch between two distances along the whole track.

        What lies beyond `FAR_OFF` is left out: no board reaches there, and the exact table computes no farther.
        """
        return swept(base, *self._ends(start, end), self.facing)

    def swept_core(self, base: Base, start: int, end: int) -> Core:
        """The same as the kernel sees it, without a shape in between."""
        return swept_core(base, *self._ends(start, end), self.facing)

    def _ends(self, start: int, end: int) -> tuple[Point, Point]:
        a, b = self.point_at(start), self.point_at(end)
        if max(abs(b[0]), abs(b[1]), abs(a[0]), abs(a[1])) > FAR_OFF:
            a = Point(max(-FAR_OFF, min(FAR_OFF, a[0])), max(-FAR_OFF, min(FAR_OFF, a[1])))
            while end > start and max(abs(b[0]), abs(b[1])) > FAR_OFF:
                end -= max(1, max(abs(b[0]), abs(b[1])) - FAR_OFF)
                b = a if end <= start else self.point_at(end)
            b = a if end <= start else b
        return a, b

    def box(self, base: Base, start: int, end: int) -> tuple[int, int, int, int]:
        """The upright rectangle (west, north, east, south) around what a base passes over between two distances."""
        (x, y), (to_x, to_y) = self.point_at(start), self.point_at(end)
        wide, high = _half_extents(base, self.facing)
        return min(x, to_x) - wide, min(y, to_y) - high, max(x, to_x) + wide, max(y, to_y) + high

    @property
    def until(self) -> int:
        """Where along the whole track it ends."""
        return self.along + self.length


@lru_cache(maxsize=4096)
def _half_extents(base: Base, facing: int) -> tuple[int, int]:
    """How far a base reaches from its centre in x and in y; the same to both sides."""
    offsets = base_offsets(base, facing)
    if not offsets:
        return base_radius(base), base_radius(base)
    return max(x for x, _ in offsets), max(y for _, y in offsets)


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A change on the spot: of facing by so many degrees, or of level (`degrees` is then 0)."""

    along: int
    point: Point
    degrees: int
    facing: int
    level: int
    before_level: int


class Inch(msgspec.Struct, frozen=True, gc=False):
    """One unit of a path, or what is left of one at its end, with the parts of the stretches it lies on."""

    number: int
    start: int
    end: int
    backwards: bool
    parts: tuple[tuple[Stretch, int, int], ...]


class Track(msgspec.Struct, frozen=True, gc=False):
    """A walk with all its points: what `resolve` makes of it."""

    start: Pose
    end: Pose
    length: int
    stretches: tuple[Stretch, ...]
    turns: tuple[Turn, ...]
    walk: Walk

    def stretch_at(self, distance: int) -> Stretch | None:
        """The stretch on which a distance is reached; where two meet, the earlier one."""
        if not self.stretches:
            return None
        return self.stretches[bisect_left(self.stretches, distance, hi=len(self.stretches) - 1, key=lambda s: s.until)]

    def pose_at(self, distance: int, turned: bool = False) -> Pose:
        """The pose a whole distance along: as it arrives there, or with `turned` after all turns made there.

        >>> track = resolve(Pose(Point(0, 0), 0), Walk((Leg(0, 3000), Leg(90, 2000))))
        >>> track.pose_at(3000), track.pose_at(3000, turned=True).facing, track.pose_at(4000).point
        (Pose(point=Point(x=3000, y=0), facing=0, level=0), 90, Point(x=3000, y=1000))
        """
        if not 0 <= distance <= self.length:
            raise ValueError(f"{distance} is not on a track {self.length} long")
        pose = self.start
        if distance:
            stretch = self.stretch_at(distance)
            assert stretch is not None
            pose = Pose(stretch.point_at(distance), stretch.facing, stretch.level)
        if turned:
            for turn in self.turns:
                if turn.along == distance:
                    pose = Pose(turn.point, turn.facing, turn.level)
        return pose

    def parts(self, start: int, end: int) -> Iterator[tuple[Stretch, int, int]]:
        """The parts of the stretches between two distances along."""
        for stretch in self.stretches:
            low, high = max(start, stretch.along), min(end, stretch.until)
            if low < high:
                yield stretch, low, high

    def swept(self, base: Base, start: int, end: int) -> tuple[Shape, ...]:
        """What a base passes over between two distances along: a shape for each straight part.

        Where they are the same it is the outline of the base there, as it arrives.
        """
        if start == end:
            pose = self.pose_at(start)
            return (outline_of(base, pose.point, pose.facing),)
        return tuple(stretch.swept(base, low, high) for stretch, low, high in self.parts(start, end))

    def inches(self) -> tuple[Inch, ...]:
        """The path cut unit by unit. A turn breaks no inch; changing between forwards, backwards and sideways does.

        >>> track = resolve(Pose(Point(0, 0)), Walk((Leg(0, 1500), Leg(90, 1000), Leg(0, -200))))
        >>> [(inch.start, inch.end, inch.backwards) for inch in track.inches()]
        [(0, 1000, False), (1000, 2000, False), (2000, 2500, False), (2500, 2700, True)]
        """
        found: list[Inch] = []
        start = 0
        while start < self.length:
            parts: list[tuple[Stretch, int, int]] = []
            end = start
            for stretch, low, high in self.parts(start, min(start + UNIT, self.length)):
                if parts and _manner(stretch) != _manner(parts[0][0]):
                    break
                parts.append((stretch, low, high))
                end = high
            found.append(Inch(len(found), start, end, parts[0][0].backwards, tuple(parts)))
            start = end
        return tuple(found)

    def cut(self, distance: int) -> tuple[Walk, Walk]:
        """The walk in two: up to a distance along, without the turns made there, and what is left after it.

        The rest, resolved anew from the rounded pose of the cut, may end a thousandth off where the whole walk would.

        >>> first, rest = resolve(Pose(Point(0, 0)), Walk((Leg(30, 2000), Leg(90, 1000)))).cut(2500)
        >>> first.legs, rest.legs
        ((Leg(turn=30, go=2000), Leg(turn=90, go=500)), (Leg(turn=0, go=500),))
        """
        gone = 0
        before: list[Leg | Via] = []
        after: list[Leg | Via] = []
        at, level = self.start.point, self.start.level
        for leg in self.walk.legs:
            size = leg.length if isinstance(leg, Leg) else length_between(at, leg.point)
            if isinstance(leg, Via) and gone < distance == gone + size and leg.level != level:
                before.append(Via(leg.point, level))
                after.append(leg)
            elif gone + size <= distance and (gone < distance or not _changes(leg, level)):
                before.append(leg)
            elif gone >= distance:
                after.append(leg)
            elif isinstance(leg, Slide):
                ahead, side = (rounded(one * (distance - gone), size) for one in (leg.go, leg.side))
                before.append(Slide(0, ahead, side))
                after.append(Slide(0, leg.go - ahead, leg.side - side))
            elif isinstance(leg, Leg):
                part = distance - gone if leg.go > 0 else gone - distance
                before.append(Leg(leg.turn, part))
                after.append(Leg(0, leg.go - part))
            else:
                before.append(Via(self.pose_at(distance).point, level))
                after.append(leg)
            gone += size
            if isinstance(leg, Via):
                at, level = leg.point, leg.level
        marks = self.walk.marks
        return (
            Walk(tuple(before), {name: at_ for name, at_ in marks.items() if at_ <= distance}),
            Walk(tuple(after), {name: at_ - distance for name, at_ in marks.items() if at_ > distance}),
        )


def _manner(stretch: Stretch) -> tuple[bool, bool]:
    return stretch.backwards, stretch.ahead is not None


def _changes(leg: Leg | Via, level: int) -> bool:
    return leg.turn % 360 != 0 if isinstance(leg, Leg) else leg.level != level


def length_between(a: Point, b: Point) -> int:
    """The whole distance between two points, rounded up.

    >>> length_between(Point(0, 0), Point(3, 4)), length_between(Point(0, 0), Point(1, 1))
    (5, 2)
    """
    square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    return isqrt(square - 1) + 1 if square else 0


def resolve(start: Pose, walk: Walk) -> Track:
    """The track of a walk from a pose.

    A leg turns on the spot and then goes straight, backwards if negative, keeping its facing; a slide keeps its facing
    and goes to the side. A via goes straight to
    its point on the level it comes from and changes level there; the facing stays.

    >>> resolve(Pose(Point(0, 0), 0), Walk((Leg(90, 3000), Leg(0, -1000)))).end
    Pose(point=Point(x=0, y=2000), facing=90, level=0)
    """
    point, facing, level = start
    gone = 0
    stretches: list[Stretch] = []
    turns: list[Turn] = []
    for leg in walk.legs:
        if isinstance(leg, Slide):
            size, end = leg.length, along(along(point, facing, leg.go), facing + 90, leg.side)
            if size:
                stretches.append(Stretch(point, end, gone, size, facing, level, ahead=leg.go))
        elif isinstance(leg, Leg):
            if leg.turn % 360:
                facing = (facing + leg.turn) % 360
                turns.append(Turn(gone, point, leg.turn, facing, level, level))
            size, backwards = abs(leg.go), leg.go < 0
            degrees = (facing + 180) % 360 if backwards else facing
            end = along(point, degrees, size)
            if size:
                stretches.append(Stretch(point, end, gone, size, facing, level, backwards, degrees))
        else:
            end, size = leg.point, length_between(point, leg.point)
            if size:
                stretches.append(Stretch(point, end, gone, size, facing, level))
        gone += size
        point = end
        if isinstance(leg, Via) and leg.level != level:
            turns.append(Turn(gone, point, 0, facing, leg.level, level))
            level = leg.level
    return Track(start, Pose(point, facing, level), gone, tuple(stretches), tuple(turns), walk)
