"""Whom a moving base meets, where it leaves the board, whether it comes closer, and where something changes on its way.

All of it is asked of what the base sweeps over. The swept area of a straight move only grows with the distance, so
the first distance at which it touches, overlaps or comes near something is found by bisection, to the thousandth. A
move into contact ends at the last whole distance before overlap. Of a turn only the pose it ends in counts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from sandtable.engine.shapes import Base, Point, Shape
from sandtable.engine.table import Ground
from sandtable.field import _kernel
from sandtable.field._kernel import Core
from sandtable.field.chords import Interval
from sandtable.field.ground import Box, box_of, boxes_meet
from sandtable.field.measure import CONTACT, gap, outline_of
from sandtable.field.outlines import base_core, core_of
from sandtable.field.walking.paths import Pose, Stretch, Track


class Meeting(NamedTuple):
    """How a track meets another base.

    `contact` is the first distance along at which the bases are in contact; `last` the last one before they would
    overlap, none where they never do; `turning` says that it is a turn made there which makes them overlap.
    `already` says that they were in contact before the first step.
    """

    other: int
    contact: int
    last: int | None
    turning: bool
    already: bool


def first_true(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The first whole number from `low` to `high` for which something holds that, once it holds, goes on holding.

    >>> first_true(0, 100, lambda n: n * n > 50), first_true(0, 5, lambda n: n > 5)
    (8, None)
    """
    if not holds(high):
        return None
    if holds(low):
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _standing(track: Track, base: Base) -> Iterator[tuple[int, Shape]]:
    """The outline of the base after each turn."""
    for turn in track.turns:
        yield turn.along, outline_of(base, turn.point, turn.facing)


def _first(
    track: Track, base: Base, other: Shape, near: Callable[[Core, Core], bool], within: int
) -> tuple[int, bool] | None:
    """The first distance at which the base, moving or having turned, is near another; and whether by a turn.

    Only what comes `within` a distance is looked at: the boxes say so first, and far off the table nothing else can.
    """
    around, core = box_of(other), core_of(other)
    found: list[tuple[int, bool]] = [
        (at, True)
        for at, turned in _standing(track, base)
        if boxes_meet(box_of(turned), around, within) and near(core_of(turned), core)
    ]
    if near(core_of(outline_of(base, track.start.point, track.start.facing)), core):
        found.append((0, False))
    for stretch in track.stretches:
        if found and min(found)[0] <= stretch.along:
            break
        if not boxes_meet(stretch.box(base, stretch.along, stretch.until), around, within):
            continue
        at = first_true(
            stretch.along,
            stretch.until,
            lambda distance, part=stretch: near(part.swept_core(base, part.along, distance), core),  # type: ignore[misc]
        )
        if at is not None:
            found.append((at, False))
            break
    return min(found) if found else None


def meetings(track: Track, base: Base, others: Sequence[Shape], within: int = CONTACT) -> tuple[Meeting, ...]:
    """The bases that a track comes into contact with, each with where, in the order given.

    >>> from sandtable.engine.shapes import Disc, Leg, Walk
    >>> from sandtable.field.walking.paths import resolve
    >>> track = resolve(Pose(Point(0, 0)), Walk((Leg(0, 9000),)))
    >>> meetings(track, Base("circle", 1000), [Disc(Point(5000, 0), 500), Disc(Point(0, 5000), 500)])
    (Meeting(other=0, contact=3995, last=4000, turning=False, already=False),)
    """
    start = outline_of(base, track.start.point, track.start.facing)
    boxes = [box_of(start), *(s.box(base, s.along, s.until) for s in track.stretches)]
    boxes += [box_of(shape) for _, shape in _standing(track, base)]
    found: list[Meeting] = []
    for index, other in enumerate(others):
        around = box_of(other)
        if not any(boxes_meet(box, around, within) for box in boxes):
            continue
        touched = _first(track, base, other, lambda a, b: _kernel.within(a, b, within), within)
        if touched is None:
            continue
        over = _first(track, base, other, _kernel.overlap, 0)
        last, turning = None, False
        if over is not None:
            last, turning = (over[0] if over[1] or over[0] == 0 else over[0] - 1), over[1]
        found.append(Meeting(index, touched[0], last, turning, gap(start, other) <= within))
    return tuple(found)


def first_near(low: int, high: int, holds: Callable[[int], bool], guess: int) -> int:
    """As `first_true`, where it is known to hold at `high` and about where it begins to: a good guess asks little.

    >>> first_near(0, 100, lambda n: n * n > 50, guess=9), first_near(0, 100, lambda n: True, guess=3)
    (8, 0)
    """
    at, step = max(low, min(high - 1, guess)), 1
    while at > low and holds(at):
        high, at, step = at, max(low, at - step), 4 * step
    if at == low and holds(low):
        return low
    low, step = at, 1
    while low + step < high:
        if holds(low + step):
            high = low + step
            break
        low, step = low + step, 4 * step
    return high if high - low <= 1 else first_true(low, high, holds) or high


class Obstacles:
    """Shapes that a base may not overlap, made ready to be asked for many ways.

    >>> from sandtable.engine.shapes import Disc, Leg, Walk
    >>> from sandtable.field.walking.paths import resolve
    >>> track = resolve(Pose(Point(0, 0)), Walk((Leg(0, 9000),)))
    >>> barred = Obstacles([Disc(Point(5000, 0), 500), Disc(Point(0, 5000), 500)])
    >>> barred.free_until(track, Base("circle", 1000))
    3997
    """

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.cores = [(box_of(shape), core_of(shape)) for shape in shapes]
        self.rooms: dict[tuple[Point, int], bool] = {}

    def free_until(self, track: Track, base: Base) -> int:
        """How far along a track the base comes before it would overlap any of them: the least `last` of `meetings`.

        What the eye can measure is measured and then proved: it may be a few thousandths less.
        """
        poses = [(0, track.start.point, track.start.facing), *((t.along, t.point, t.facing) for t in track.turns)]
        far = min([at for at, point, facing in poses if not self._room(base, point, facing)], default=track.length)
        for stretch in track.stretches:
            if stretch.along >= far:
                break
            until = min(stretch.until, far)
            free = self._free_on(stretch, base, until)
            if free < until:
                far = free
        return far

    def _room(self, base: Base, at: Point, facing: int) -> bool:
        """Whether a base can stand so."""
        key = at, facing % 360
        if key not in self.rooms:
            self.rooms[key] = not self._meet(base_core(base, at, facing), self.cores)
        return self.rooms[key]

    def _meet(self, core: Core, others: Sequence[tuple[Box, Core]]) -> bool:
        west, north, east, south = core.box  # in halves
        for around, other in others:
            if 2 * around[0] <= east and 2 * around[2] >= west and 2 * around[1] <= south and 2 * around[3] >= north:
                if _kernel.overlap(core, other):
                    return True
        return False

    def _free_on(self, stretch: Stretch, base: Base, until: int) -> int:
        """How far a base comes on a stretch, at most until a distance along the whole track."""
        west, north, east, south = stretch.box(base, stretch.along, until)
        near = [
            (around, other)
            for around, other in self.cores
            if around[0] <= east and around[2] >= west and around[1] <= south and around[3] >= north
        ]
        if not near:
            return until
        about = stretch.along + min([_about(stretch, base, other) for _, other in near])

        def meets(at: int) -> bool:
            return self._meet(stretch.swept_core(base, stretch.along, at), near)

        if about > until and not meets(until):
            return until
        low, high = max(stretch.along, min(until, about) - _SPARE), min(until, about + _SPARE)
        if meets(low):
            low = stretch.along
        elif meets(high):
            return low
        else:
            low = high
        return until if not meets(until) else max(stretch.along, (first_true(low, until, meets) or 0) - 1)


#: What is measured by eye is proved so far to either side.
_SPARE = 4


def _about(stretch: Stretch, base: Base, other: Core) -> int:
    """About how far along a stretch a base begins to overlap something: as if the base were a box on its way.

    It is more than the stretch where nothing is in the way.
    """
    (x, y), (to_x, to_y), length = stretch.start, stretch.end, stretch.length
    dx, dy, radius = to_x - x, to_y - y, other.twice_radius // 2
    wide, front = base.size // 2, (base.depth or base.size) // 2
    seen = [
        (((px - x) * dx + (py - y) * dy) // length, ((px - x) * dy - (py - y) * dx) // length)
        for px, py in other.points
    ]
    nearest = length + front + 1
    for n, (ahead, across) in enumerate(seen):
        if abs(across) < wide + radius:
            beyond = max(0, abs(across) - wide)
            nearest = min(nearest, ahead - isqrt(radius * radius - beyond * beyond))
        if not n and not other.is_filled:
            continue
        before, beside = seen[n - 1]
        for border in (-wide, wide):
            if (across < border) != (beside < border):
                crosses = ahead + (before - ahead) * (border - across) // (beside - across)
                nearest = min(nearest, crosses - radius)
    # What is behind it already is not met.
    return nearest - front + 1 if nearest > -front else length + 2


def surely_passed(track: Track, base: Base, within: int) -> Callable[[Point, Base], bool]:
    """A quick test of bases by their centres: whether a track surely never comes within a distance of one.

    No base reaches farther from its centre than its size and its depth together, however it stands.

    >>> from sandtable.engine.shapes import Leg, Walk
    >>> from sandtable.field.walking.paths import resolve
    >>> circle, track = Base("circle", 1000), resolve(Pose(Point(0, 0)), Walk((Leg(0, 9000),)))
    >>> [surely_passed(track, circle, 10)(Point(x, 0), circle) for x in (9000, 12000)]
    [False, True]
    """
    points = [track.start.point, *(stretch.end for stretch in track.stretches)]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    apart = base.size + base.depth + within
    west, north, east, south = min(xs) - apart, min(ys) - apart, max(xs) + apart, max(ys) + apart

    def passed(at: Point, other: Base) -> bool:
        x, y = at
        reach = other.size + other.depth
        return x + reach < west or x - reach > east or y + reach < north or y - reach > south

    return passed


def keeps_clear(track: Track, base: Base, other: Shape, apart: int) -> int | None:
    """The last distance along up to which the base keeps at least `apart` from another; none if it does all along.

    -1 where it is nearer from the start. A turn that brings it nearer counts at the distance it is made at, and the
    answer is then the thousandth before.
    """
    touched = _first(track, base, other, lambda a, b: _kernel.gap_floor(a, b) < apart, apart)
    return None if touched is None else touched[0] - 1


def over_edge(shape: Shape, ground: Ground) -> bool:
    """Whether any part of a shape lies over an edge of the board.

    >>> from sandtable.engine.shapes import Disc
    >>> over_edge(Disc(Point(500, 500), 500), Ground(9000, 9000)), over_edge(Disc(Point(499, 500), 500), Ground(9, 9))
    (False, True)
    """
    return _over(box_of(shape), ground)


def _over(box: Box, ground: Ground) -> bool:
    return box[0] < 0 or box[1] < 0 or box[2] > ground.width or box[3] > ground.height


def leaves_board(track: Track, base: Base, ground: Ground) -> int | None:
    """The first distance along at which any part of the base is over an edge; none if it stays on the board.

    Turns are not asked: whether a pivot may put a corner over an edge is for the rules, and `over_edge` says it.
    """
    for stretch in track.stretches:
        if not _over(stretch.box(base, stretch.along, stretch.until), ground):
            continue
        west, north, east, south = stretch.box(base, stretch.along, stretch.along)
        dx, dy = stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1]
        room = (ground.width - east if dx > 0 else -west, dx), (ground.height - south if dy > 0 else -north, dy)
        return first_near(
            stretch.along,
            stretch.until,
            lambda distance, part=stretch: _over(part.box(base, part.along, distance), ground),  # type: ignore[misc]
            stretch.along + min(left * stretch.length // gone for left, gone in room if gone),
        )
    return None


def never_closer(track: Track, base: Base, others: Iterable[Shape]) -> bool:
    """Whether the base, going along a track, never comes closer to any of some bases.

    The gap to a convex outline along a straight move falls and then rises, or does only one of the two. So it never
    falls on a stretch exactly if nothing the base sweeps over there is nearer than where the stretch begins. Judged
    in whole thousandths, stretch by stretch; what a turn on the spot does to the gap counts neither way.
    """
    for other in others:
        core = core_of(other)
        for stretch in track.stretches:
            before = _kernel.gap(stretch.swept_core(base, stretch.along, stretch.along), core)
            if _kernel.gap(stretch.swept_core(base, stretch.along, stretch.until), core) < before:
                return False
    return True


def comes_closer(stretch: Stretch, base: Base, other: Shape, since: int) -> int | None:
    """The first distance along a stretch at which the base is nearer to another than at `since`; none if it never is.

    >>> from sandtable.engine.shapes import Disc, Leg, Walk
    >>> from sandtable.field.walking.paths import resolve
    >>> stretch = resolve(Pose(Point(0, 0)), Walk((Leg(0, 9000),))).stretches[0]
    >>> [comes_closer(stretch, Base("circle", 1000), Disc(Point(x, 0), 500), 2000) for x in (-5000, 5000)]
    [None, 2001]
    """
    core = core_of(other)
    before = _kernel.gap(stretch.swept_core(base, since, since), core)
    return first_true(since, stretch.until, lambda at: _kernel.gap(stretch.swept_core(base, since, at), core) < before)


def stretches(track: Track, predicate: Callable[[Pose], bool], step: int) -> tuple[Interval, ...]:
    """Where along a track a predicate over poses holds, as closed intervals.

    It is asked at every `step`, at the ends of each straight stretch and, where two neighbouring answers differ, by
    bisection down to the thousandth; what opens and closes again between two steps is not seen. Each end of an
    interval is a distance at which it was asked and holds. Poses are taken as the base arrives, before it turns.

    >>> from sandtable.engine.shapes import Leg, Walk
    >>> from sandtable.field.walking.paths import resolve
    >>> track = resolve(Pose(Point(0, 0)), Walk((Leg(0, 9000),)))
    >>> stretches(track, lambda pose: 1700 <= pose.point.x <= 5000, 500)
    ((1700, 5000),)
    """
    asked = sorted({*range(0, track.length, step), track.length, *(stretch.along for stretch in track.stretches)})
    found: list[Interval] = []
    start: int | None = None
    before = 0
    for at in asked:
        if predicate(track.pose_at(at)):
            if start is None:
                start = _change(track, predicate, before, at) if at else 0
        elif start is not None:
            found.append((start, _change(track, predicate, at, before)))
            start = None
        before = at
    if start is not None:
        found.append((start, track.length))
    return tuple(found)


def _change(track: Track, predicate: Callable[[Pose], bool], fails: int, holds: int) -> int:
    """The distance next to where a predicate changes, on the side where it holds."""
    while abs(holds - fails) > 1:
        middle = (holds + fails) // 2
        if predicate(track.pose_at(middle)):
            holds = middle
        else:
            fails = middle
    return holds
