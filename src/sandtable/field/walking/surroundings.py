"""What a moving base has around it, as a guide: what it cannot enter, what slows it, and the corners to go round.

Nothing is decided here. Ways are judged as a base of its own facing sweeps over them; how slow ground is, is looked at
every half unit.
"""

from collections.abc import Callable
from heapq import heappop, heappush

import msgspec

from sandtable.engine.shapes import UNIT, Base, Disc, Point, Shape
from sandtable.engine.table import Ground, Piece
from sandtable.field.ground import Box, box_of, boxes_meet
from sandtable.field.measure import gap_to_point, on_or_inside, overlap, swept
from sandtable.field.random_terrain import reach_of
from sandtable.field.walking.courses import corners_around, nearest_degree
from sandtable.field.walking.paths import Track, length_between

#: A step that waits: the cost of the way with it, whether that is sure or the least, whither, after how many, whence.
_Waiting = tuple[int, bool, Point, int, Point]


class Lie(msgspec.Struct, frozen=True):
    """The lie of the land as a guide: how many times slower each piece is, and who stands in the way.

    A piece that `weigh` gives no weight is not to be entered; one that it gives 0 may make slow ground fast
    to a centre on it, as a road does.
    """

    ground: Ground
    base: Base
    weigh: Callable[[Piece], int | None] = lambda piece: 1
    others: tuple[Shape, ...] = ()
    may_leave: bool = False


class Surroundings:
    """The obstacles and slow ground within reach of a point, and the ways between their corners."""

    def __init__(self, lie: Lie, start: Point, farthest: int, most_corners: int) -> None:
        self.lie, self.start, self.farthest, self.most_corners = lie, start, farthest, most_corners
        self.radius = reach_of(lie.base)
        x, y = start
        far = farthest + 2 * self.radius
        around: Box = (x - far, y - far, x + far, y + far)
        near = [(box_of(piece.outline), piece) for piece in lie.ground.pieces]
        weighed = [(box, piece.outline, lie.weigh(piece)) for box, piece in near if boxes_meet(box, around)]
        standing = [(box_of(other), other) for other in lie.others]
        self.obstacles = [(box, shape) for box, shape, weight in weighed if weight is None]
        self.obstacles += [(box, shape) for box, shape in standing if boxes_meet(box, around)]
        self.slow = [(box, shape, weight) for box, shape, weight in weighed if weight is not None and weight > 1]
        self.shortcuts = [shape for _, shape, weight in weighed if weight == 0]
        self.inner = min(lie.base.size, lie.base.depth or lie.base.size) // 2
        self._corners: list[tuple[int, int, Point, tuple[Point, ...]]] | None = None

    @property
    def plain(self) -> bool:
        """Whether there is nothing around to go round."""
        return not self.obstacles and not self.slow

    def on_board(self, box: Box) -> bool:
        """Whether a box lies on the board, or need not."""
        ground = self.lie.ground
        return self.lie.may_leave or (
            box[0] >= 0 and box[1] >= 0 and box[2] <= ground.width and box[3] <= ground.height
        )

    def lets_pass(self, track: Track) -> bool:
        """Whether nothing known stands in the way of a track."""
        base = self.lie.base
        for stretch in track.stretches:
            box = stretch.box(base, stretch.along, stretch.until)
            if not self.on_board(box):
                return False
            near = [shape for around, shape in self.obstacles if boxes_meet(around, box)]
            if near:
                passed = stretch.swept(base, stretch.along, stretch.until)
                if any(overlap(passed, shape) for shape in near):
                    return False
        return True

    def burden(self, track: Track) -> int:
        """What slow ground adds to a track at the least, as length: looked at once in each unit of it."""
        if not self.slow:
            return 0
        middles = range(UNIT // 2, track.length, UNIT)
        return sum(self.weight_at(track.pose_at(along).point) - 1 for along in middles) * UNIT

    def corners(self) -> list[tuple[int, int, Point, tuple[Point, ...]]]:
        """Each corner that can be come by, nearest first: its weighted distance, its distance, the chain to it."""
        if self._corners is None:
            self._corners = self._reached()
        return self._corners

    def chains(self, point: Point, most: int = 4) -> list[tuple[Point, ...]]:
        """The chains of corners by which a point is nearest, at most so many."""
        ways = []
        for weighted, size, corner, chain in self.corners():
            rest = length_between(corner, point)
            if size + rest <= self.farthest + UNIT // 10:
                ways.append((weighted + rest, corner, chain))
        ways.sort(key=lambda way: way[0])
        found = []
        for _, corner, chain in ways:
            if self.free(corner, point):
                found.append(chain)
                if len(found) == most:
                    break
        return found

    def _reached(self) -> list[tuple[int, int, Point, tuple[Point, ...]]]:
        far, start = self.farthest, self.start
        corners = sorted(
            {
                corner
                for _, shape in [*self.obstacles, *((box, shape) for box, shape, _ in self.slow)]
                for corner in corners_around(shape, self.radius + 30)
                if length_between(start, corner) <= far and self.stands(corner)
            }
        )
        # A step waits by the least it can cost, and is looked at only when nothing cheaper is left.
        waiting: list[_Waiting] = [(0, True, start, 0, start)]
        came: dict[Point, tuple[int, tuple[Point, ...]]] = {}
        done: list[tuple[int, int, Point, tuple[Point, ...]]] = []
        while waiting:
            cost, sure, here, before, last = heappop(waiting)
            if here in came:
                continue
            if not sure:
                if self.free(last, here):
                    more = self._slowed(last, here, length_between(last, here))
                    heappush(waiting, (cost + more, True, here, before, last))
                continue
            size, chain = came.get(last, (0, ()))
            if here != start:
                size, chain = size + length_between(last, here), (*chain, here)
                done.append((cost, size, here, chain))
            came[here] = (size, chain)
            if chain and len(chain) + 1 >= self.most_corners:
                continue
            for corner in corners:
                if corner not in came and size + (step := length_between(here, corner)) <= far:
                    heappush(waiting, (cost + step, False, corner, len(came), here))
        return done

    def stands(self, point: Point) -> bool:
        """Whether a base has room at a point however it faces."""
        ground = self.lie.ground
        if not (0 <= point[0] <= ground.width and 0 <= point[1] <= ground.height):
            return False
        here = Disc(point, self.radius)
        around = box_of(here)
        return not any(boxes_meet(around, box) and overlap(here, shape) for box, shape in self.obstacles)

    def free(self, a: Point, b: Point) -> bool:
        """Whether nothing known stands in the way straight from one point to another."""
        if a == b:
            return True
        near = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        close = [shape for box, shape in self.obstacles if boxes_meet(box, near, self.radius)]
        if not close:
            return True
        passed = swept(self.lie.base, a, b, nearest_degree(b[0] - a[0], b[1] - a[1]))
        return not any(overlap(passed, shape) for shape in close)

    def slowed(self, a: Point, b: Point) -> int:
        """What slow ground adds to a straight way, as length."""
        return self._slowed(a, b, length_between(a, b))

    def _slowed(self, a: Point, b: Point, length: int) -> int:
        """What slow ground adds to a way, as length; looked at every half unit."""
        near = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        slow = [one for one in self.slow if boxes_meet(one[0], near, self.inner)]
        if not slow:
            return 0
        steps, r = max(1, 2 * length // UNIT), self.inner
        weights: dict[int, int] = {}
        for (west, north, east, south), shape, weight in slow:
            across, down = (
                _looks(a[0], b[0], west - r, east + r, steps),
                _looks(a[1], b[1], north - r, south + r, steps),
            )
            for k in range(max(across[0], down[0]), min(across[1], down[1])):
                if weights.get(k, 1) < weight and gap_to_point(shape, _middle(a, b, k, steps)) < r:
                    weights[k] = weight
        if self.shortcuts:
            fast = [k for k in weights if any(on_or_inside(one, _middle(a, b, k, steps)) for one in self.shortcuts)]
            weights |= dict.fromkeys(fast, 1)
        return (sum(weights.values()) - len(weights)) * length // steps

    def weight_at(self, point: Point) -> int:
        """How many times slower the ground is where a base stands: its slowest piece, or 1 on what makes it fast."""
        x, y = point
        r = self.inner
        slowest = 1
        for box, shape, weight in self.slow:
            if weight > slowest and box[0] - r < x < box[2] + r and box[1] - r < y < box[3] + r:
                if gap_to_point(shape, point) < r:
                    slowest = weight
        if slowest > 1 and any(on_or_inside(shape, point) for shape in self.shortcuts):
            return 1
        return slowest


def _middle(a: Point, b: Point, k: int, steps: int) -> Point:
    """The middle of a step of a way."""
    n = 2 * k + 1
    return Point(a[0] + (b[0] - a[0]) * n // (2 * steps), a[1] + (b[1] - a[1]) * n // (2 * steps))


def _looks(start: int, end: int, low: int, high: int, steps: int) -> tuple[int, int]:
    """From which step of a way to which, the last left out, a middle may lie between two bounds; never too few.

    >>> _looks(0, 10, 4, 6, 10), _looks(10, 0, 4, 6, 10), _looks(0, 0, 4, 6, 10)
    ((3, 8), (3, 8), (0, 0))
    """
    if start == end:
        return (0, steps) if low <= start <= high else (0, 0)
    gone = sorted(2 * steps * (bound - start) // (end - start) for bound in (low, high))
    return max(0, gone[0] // 2 - 1), min(steps, gone[1] // 2 + 2)
