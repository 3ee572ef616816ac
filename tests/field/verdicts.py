"""Random verdicts of the exact table beside those of the slow oracle.

`run(count, seed)` draws that many verdicts (gap, contact, overlap, nearest points, inside, cover, arc, sight, sight
through space past what stands upright) on tables of all sizes up to the bound, degenerate ones on purpose: touching,
sharing edges, in line, on borders, in the same place; heights that a line just clears, or just does not.
`python -m tests.field.verdicts COUNT SEED` does so by itself; with `--digest` it prints a digest of the kernel's
answers instead, for comparing the compiled kernel with the interpreted one.
"""

import hashlib
import random
import sys
from collections.abc import Callable, Iterator
from math import ceil, floor
from typing import NamedTuple

from sandtable.engine.shapes import BOUND, Band, Base, Disc, Point, Polygon, Shape, rectangle
from sandtable.field import _kernel, _kernel_spans, measure, oracle
from sandtable.field.outlines import BadOutline, TableTooLarge, core_of, outline_of
from sandtable.field.volumes import Place, Volume, blocks

#: Half the width of the tables drawn: a handful of grid points, a base, a game, and the largest there is.
SIZES = (2, 4, 9, 40, 1000, 24_000, 120_000, BOUND)


class Verdict(NamedTuple):
    """One question with the kernel's answer and, still to be asked, the oracle's."""

    words: str
    asked: tuple[object, ...]
    answer: object
    oracle: Callable[[], object]


class Table:
    """Draws points and shapes of one table size; what it drew before is used again, to make things coincide."""

    def __init__(self, dice: random.Random, size: int) -> None:
        self.dice = dice
        self.size = size
        self.known: list[Point] = [Point(0, 0)]

    def point(self) -> Point:
        """Somewhere new, on a coarse lattice, where something was before, or in line with two such points."""
        dice, size = self.dice, self.size
        way = dice.random()
        if way < 0.4:
            found = Point(dice.randint(-size, size), dice.randint(-size, size))
        elif way < 0.45:
            found = Point(dice.choice((-size, size)), dice.choice((-size, 0, size)))
        elif way < 0.6:
            step = max(1, size // 4)
            found = Point(step * dice.randint(-3, 3), step * dice.randint(-3, 3))
        elif way < 0.8:
            found = dice.choice(self.known)
        else:
            a, b, share = dice.choice(self.known), dice.choice(self.known), dice.choice((-1, 2, 3))
            found = Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
            if dice.random() < 0.5:
                found = Point((a.x + b.x) // 2, (a.y + b.y) // 2)
        if max(abs(found.x), abs(found.y)) > size:
            found = Point(dice.randint(-size, size), dice.randint(-size, size))
        self.known.append(found)
        return found

    def length(self) -> int:
        """A length that fits the table, often the distance of two known points."""
        dice = self.dice
        a, b = dice.choice(self.known), dice.choice(self.known)
        apart = abs(a.x - b.x) or abs(a.y - b.y)
        return min(apart if dice.random() < 0.3 else dice.randint(0, self.size), self.size)

    def base(self) -> tuple[Base, Point, int]:
        """A base somewhere, often facing a corner or a quarter."""
        dice = self.dice
        largest = max(3, self.size // dice.choice((1, 4, 20)))
        form = dice.choice(("hexagon", "circle", "rectangle"))
        facing = dice.choice((0, 30, 45, 60, 90, 180, 270, dice.randrange(360)))
        return Base(form, dice.randint(2, largest), dice.randint(2, largest)), self.point(), facing

    def base_outline(self) -> Shape:
        """The outline of a base, or a bare point."""
        return Disc(self.point(), 0) if self.dice.random() < 0.1 else outline_of(*self.base())

    def shape(self) -> Shape:
        """Any outline."""
        dice = self.dice
        way = dice.randrange(5)
        if way == 0:
            return Disc(self.point(), self.length())
        if way == 1:
            return Band(tuple(self.point() for _ in range(dice.randint(1, 4))), self.length())
        if way == 2:
            return self.base_outline()
        if way == 3:
            at = self.point()
            return rectangle(at.x, at.y, max(1, self.length()), max(1, self.length()))
        return Polygon(tuple(self.point() for _ in range(dice.randint(3, 8))))

    def lawful(self, draw: Callable[[], Shape]) -> Shape:
        """Draw until it is an outline, and within the bound."""
        while True:
            shape = draw()
            try:
                core_of(shape)
            except (BadOutline, TableTooLarge):
                continue
            self.known.extend((shape.center,) if isinstance(shape, Disc) else shape.points)
            return shape


def verdicts(seed: int) -> Iterator[Verdict]:
    """Verdicts without end, always the same for a seed."""
    dice = random.Random(seed)
    while True:
        table = Table(dice, dice.choice(SIZES))
        a, b = table.lawful(table.shape), table.lawful(table.shape)
        yield from _of_two_shapes(a, b)
        yield from _of_two_shapes(table.lawful(table.base_outline), table.lawful(table.base_outline))
        yield from _of_points(table, a)
        for _ in range(2):
            yield from _of_a_line(table, a, b)
            yield _of_a_volume(table, a, b)


def _of_two_shapes(a: Shape, b: Shape) -> Iterator[Verdict]:
    gaps = (measure.gap_floor(a, b), measure.gap(a, b))
    assert gaps == (measure.gap_floor(b, a), measure.gap(b, a)), ("a gap is the same both ways", a, b)
    yield Verdict("gap", (a, b), gaps, lambda: oracle.gaps(a, b))
    yield Verdict("contact", (a, b), measure.contact(a, b), lambda: 0 <= oracle.gaps(a, b)[1] <= 5)
    yield Verdict("overlap", (a, b), measure.overlap(a, b), lambda: oracle.overlap(a, b))
    yield Verdict("covers", (a, b), measure.covers(a, b), lambda: oracle.covers(a, b))
    first, second = measure.nearest_points(a, b)
    assert (second, first) == measure.nearest_points(b, a), ("nearest points are the same both ways", a, b)
    yield Verdict("nearest points", (a, b), (first, second), lambda: oracle.nearest_points(a, b))


def _of_points(table: Table, a: Shape) -> Iterator[Verdict]:
    dice = table.dice
    at, point, facing = table.point(), table.point(), dice.randrange(360)
    held = measure.inside(a, point) - (not measure.on_or_inside(a, point))
    yield Verdict("inside", (a, point), held, lambda: oracle.core_side(a, point))
    start = dice.choice((-45, 45, 135, 225, 0, dice.randint(-360, 360)))
    end = start + dice.choice((90, 180, 0, 270, 360, dice.randint(0, 400)))
    asked = (at, facing, point, start, end)
    yield Verdict("arc", asked, measure.in_arc(*asked), lambda: oracle.in_arc(*asked))


def _of_a_line(table: Table, a: Shape, b: Shape) -> Iterator[Verdict]:
    p, q = table.point(), table.point()
    if table.dice.random() < 0.5:
        p, q = _history(table, a, b)
    core = core_of(a)
    line = (*p, *q)
    crossed = _kernel.crosses(core, *line)
    assert crossed == _kernel.crosses(core, *q, *p), ("a line crosses the same both ways", a, p, q)
    yield Verdict("crosses", (a, p, q), crossed, lambda: oracle.crosses(a, p, q))
    spans = _kernel_spans.spans(core.points, core.is_filled, core.twice_radius, *line)
    assert bool(spans) == crossed, ("a line has a part inside just what it crosses", a, p, q)
    if crossed and _kernel.crosses(core_of(b), *line):
        yield Verdict("shares", (a, b, p, q), _kernel.shares(core, core_of(b), *line), lambda: oracle.share(a, b, p, q))


def _of_a_volume(table: Table, a: Shape, b: Shape) -> Verdict:
    """A line from waist to waist past a wall: half of them meet its top where they meet its border, or nearly so."""
    dice, most = table.dice, 20 * table.size
    p, q = _history(table, a, b) if dice.random() < 0.7 else (table.point(), table.point())
    up, down = dice.randint(0, most), dice.randint(0, most)
    low, high = sorted((dice.choice((0, up, dice.randint(0, most))), dice.choice((up, down, dice.randint(0, most)))))
    cuts = [cut for cut in oracle.cut_places(a, p, q) if 0 <= cut <= 1] if p != q else []
    if cuts and dice.random() < 0.5:
        met = up + dice.choice(cuts) * (down - up)
        high = dice.choice((floor(met), ceil(met), floor(met) + 1, ceil(met) - 1))
        low = min(low, high)
    asked = (a, low, high, Place(*p, up), Place(*q, down))
    wall = Volume(a, low, high)
    found = blocks(wall, *asked[3:])
    assert found == blocks(wall, *asked[:2:-1]), ("a line is blocked the same both ways", *asked)
    return Verdict("blocks", asked, found, lambda: oracle.blocked(*asked))


def _history(table: Table, a: Shape, b: Shape) -> tuple[Point, Point]:
    """A line that is likely to cross both of two shapes: through a point of each, and on beyond them."""
    first, second = (table.dice.choice(core_of(shape).points) for shape in (a, b))
    step = Point(second[0] - first[0], second[1] - first[1])
    longest = max(abs(step.x), abs(step.y), 1)
    far = max(1, table.size // longest)
    p, q = (
        Point(first[0] - far * step.x, first[1] - far * step.y),
        Point(second[0] + far * step.x, second[1] + far * step.y),
    )
    return _held(p), _held(q)


def _held(point: Point) -> Point:
    return Point(max(-BOUND, min(BOUND, point.x)), max(-BOUND, min(BOUND, point.y)))


def run(count: int, seed: int) -> int:
    """Compare that many verdicts with the oracle; fail at the first that differs, showing how to see it again."""
    done = 0
    for verdict in verdicts(seed):
        if done == count:
            break
        told = verdict.oracle()
        if told != verdict.answer:
            raise AssertionError(
                f"verdict {done} of seed {seed}: {verdict.words} of {verdict.asked}: "
                f"the kernel says {verdict.answer}, the oracle {told}"
            )
        done += 1
    return done


def digest(count: int, seed: int) -> str:
    """A digest of the kernel's answers alone."""
    total = hashlib.sha256()
    for done, verdict in enumerate(verdicts(seed)):
        if done == count:
            break
        total.update(repr((verdict.words, verdict.answer)).encode())
    return total.hexdigest()


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if "--digest" in sys.argv:
        print("compiled" if _kernel.compiled() else "interpreted", digest(*numbers))
    else:
        print(f"{run(*numbers)} verdicts agree with the oracle")
