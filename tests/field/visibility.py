"""The shortest way of a round base among upright rectangles, found the slow and obvious way: from any point around a
corner to any other that can be seen from there. It shares nothing with the planner but the table."""

import math
import random
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

#: A point, and a rectangle by its west, north, east and south.
Place = tuple[float, float]
Block = tuple[int, int, int, int]
#: How many degrees lie between two points around a corner.
STEP = 15


class Yard(NamedTuple):
    """A small board with blocks on it, and where somebody stands who is to leave it by the east."""

    width: int
    height: int
    blocks: tuple[Block, ...]
    start: tuple[int, int]


def yard(seed: int) -> Yard:
    """A yard of walls and houses between the west, where somebody stands, and the east."""
    rng, blocks = random.Random(seed), []
    for _ in range(rng.randint(2, 6)):
        wall = (rng.randint(500, 1500), rng.randint(3000, 8000))
        house = (rng.randint(2000, 5000), rng.randint(2000, 5000))
        width, height = rng.choice((wall, house))
        x, y = rng.randint(3000, 12000), rng.randint(-1000, 14000)
        blocks.append((x, y, x + width, y + height))
    return Yard(16000, 16000, tuple(blocks), (1000, rng.randint(1000, 15000)))


def free(a: Place, b: Place, blocks: Sequence[Block], radius: float) -> bool:
    """Whether a round base may go straight from a point to another."""
    return all(_apart(a, b, block) >= radius for block in blocks)


def shortest(place: Yard, radius: float, east: int) -> float:
    """How long the shortest way is until the centre of a base is so far in the east; infinite where there is none."""
    blocks = place.blocks
    points = [place.start, *(point for block in blocks for point in _around(block, radius))]
    points = [
        (x, y) for x, y in points if x >= radius <= y <= place.height - radius and free((x, y), (x, y), blocks, radius)
    ]
    gone, waiting, done, best = {0: 0.0}, [(0.0, 0)], set(), math.inf
    while waiting:
        so_far, here = heappop(waiting)
        if so_far >= best:
            break
        if here in done:
            continue
        done.add(here)
        x, y = points[here]
        if free((x, y), (east, y), blocks, radius):
            best = min(best, so_far + max(0, east - x))
        for there, point in enumerate(points):
            far = so_far + math.dist((x, y), point)
            if there not in done and far < min(best, gone.get(there, math.inf)) and free((x, y), point, blocks, radius):
                gone[there] = far
                heappush(waiting, (far, there))
    return best


def _around(block: Block, radius: float) -> Iterator[Place]:
    west, north, east, south = block
    out = radius / math.cos(math.radians(STEP / 2)) + 2
    for x, y, first in ((east, south, 0), (west, south, 90), (west, north, 180), (east, north, 270)):
        for degrees in range(first, first + 91, STEP):
            yield x + out * math.cos(math.radians(degrees)), y + out * math.sin(math.radians(degrees))


def _apart(a: Place, b: Place, block: Block) -> float:
    """How far a stretch is from a rectangle: 0 where they meet."""
    west, north, east, south = block
    if max(a[0], b[0]) < west - 2000 or min(a[0], b[0]) > east + 2000:
        return math.inf
    corners = ((west, north), (east, north), (east, south), (west, south))
    edges = [(corners[n], corners[(n + 1) % 4]) for n in range(4)]
    if any(west <= x <= east and north <= y <= south for x, y in (a, b)) or any(_cross(a, b, *edge) for edge in edges):
        return 0
    ends = [_to_stretch(end, *edge) for end in (a, b) for edge in edges]
    return min(*ends, *(_to_stretch(corner, a, b) for corner in corners))


def _cross(a: Place, b: Place, c: Place, d: Place) -> bool:
    return _turn(c, d, a) * _turn(c, d, b) < 0 and _turn(a, b, c) * _turn(a, b, d) < 0


def _turn(a: Place, b: Place, c: Place) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _to_stretch(point: Place, a: Place, b: Place) -> float:
    along, across = (b[0] - a[0], b[1] - a[1]), (point[0] - a[0], point[1] - a[1])
    size = along[0] ** 2 + along[1] ** 2
    share = 0 if not size else max(0, min(1, (across[0] * along[0] + across[1] * along[1]) / size))
    return math.dist(point, (a[0] + share * along[0], a[1] + share * along[1]))
