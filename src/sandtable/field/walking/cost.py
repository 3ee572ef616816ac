"""What a track costs, inch by inch, with a trace that is preview, log line and drawing at once.

The field finds out what an inch touches; a ruleset's rates, pure functions, say what that costs and why. No rate
stands here.

An inch touches every piece whose interior the base (or its leading edge, or its centre: `Rates.part`) passes through
in it; it is paid when it is begun, whole or not, and a turn when it is made. A trace goes as far as it lawfully can:
where an inch is forbidden or too dear, it is shortened to the last whole distance at which it is neither, found by
bisection (touching more never makes an inch lawful or cheaper again). Where ground is paid by the length of path on
it, see `sandtable.field.walking.spans`.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import NO_RULE, RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Base, Disc, Point, Polygon, Shape
from sandtable.engine.table import Ground, Piece
from sandtable.field import _kernel
from sandtable.field._kernel import Core
from sandtable.field.chords import Interval, chords, covers_all, merged
from sandtable.field.directions import along
from sandtable.field.ground import Box, Crossing, boxes_meet, chart, crossings, on_way, pieces_under, within
from sandtable.field.measure import outline_of
from sandtable.field.outlines import base_offsets, base_radius, core_of
from sandtable.field.walking.courses import nearest_degree
from sandtable.field.walking.paths import Inch, Stretch, Track, Turn, resolve

WHOLE_BASE = "base"
LEADING_EDGE = "front"
CENTRE = "centre"


class Touch(msgspec.Struct, frozen=True, gc=False):
    """An inch and what it touches.

    `pieces` stand in the order of the ground; `on_road` says whether the centre is on a road all through the inch,
    `whole_way` all along the path; `climbs` are the contours the centre crosses in it, up and down. `spent` is what
    the inches and turns before it cost.
    """

    number: int
    start: int
    end: int
    backwards: bool
    pieces: tuple[Piece, ...]
    on_road: bool
    whole_way: bool
    climbs: tuple[Crossing, ...]
    spent: int = 0
    sideways: bool = False

    @property
    def up(self) -> int:
        """How many contours are crossed upwards."""
        return sum(crossing.up for crossing in self.climbs)

    @property
    def down(self) -> int:
        """How many contours are crossed downwards."""
        return sum(not crossing.up for crossing in self.climbs)


class TurnTouch(msgspec.Struct, frozen=True, gc=False):
    """A turn (or change of level), the how-manieth it is, and the pieces the base stands in once it is made."""

    number: int
    turn: Turn
    pieces: tuple[Piece, ...]
    spent: int = 0


class Rates(Protocol):
    """What a ruleset says of the cost of an inch, and of a turn."""

    @property
    def allowance(self) -> int | None:
        """How much may be spent; none where there is no limit."""

    @property
    def part(self) -> str:
        """What touches terrain: the whole base, its leading edge or its centre."""

    def road(self, piece: Piece) -> bool:
        """Whether a piece is a road to this mover."""

    def inch(self, touch: Touch) -> Explanation | Refusal:
        """The cost of an inch, or why it is forbidden."""

    def turn(self, turn: TurnTouch) -> Explanation | Refusal:
        """The cost of a turn, or why it is forbidden."""

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        """What is said when there is not enough left to pay a cost."""


class EvenRates(msgspec.Struct, frozen=True, gc=False):
    """The plainest rates there are: each inch costs one, whatever it touches, and turns nothing."""

    allowance: int | None = None
    part: str = WHOLE_BASE
    rule: RuleId = NO_RULE

    def road(self, piece: Piece) -> bool:
        """No piece is a road."""
        return False

    def inch(self, touch: Touch) -> Explanation | Refusal:
        """One."""
        return explain("inch", ExplainedPart("inch", 1, self.rule))

    def turn(self, turn: TurnTouch) -> Explanation | Refusal:
        """Nothing."""
        return explain("turn")

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        """What it costs, and what is left."""
        return Refusal(self.rule, f"That costs {cost.total}, and {left} are left.")


class Step(msgspec.Struct, frozen=True, gc=False):
    """A paid inch (from `start` to `end` along), turn (both the same) or span, the pieces touched and the cost."""

    start: int
    end: int
    cost: Explanation
    pieces: tuple[str, ...] = ()
    turn: int = 0
    backwards: bool = False


class Stop(msgspec.Struct, frozen=True, gc=False):
    """Where a path first becomes impossible or too dear, and why: the last distance along that is lawful."""

    along: int
    why: Refusal


class Trace(msgspec.Struct, frozen=True, gc=False):
    """The steps of a path up to its end or to where it must stop, and what they cost together."""

    steps: tuple[Step, ...]
    total: int
    length: int
    stop: Stop | None = None

    @property
    def lawful(self) -> bool:
        """Whether the whole path can be gone."""
        return self.stop is None


def leading_edge(base: Base, facing: int, backwards: bool, degrees: int) -> tuple[Point, ...]:
    """The edge of a base that goes first, seen from its centre: one flat side, or half of a circle by its points.

    `degrees` is where it goes, which matters to a circle only. Its leading half is taken as the line through its
    points every 15 degrees, each rounded once.

    >>> leading_edge(Base("rectangle", 1000, 2000), 0, False, 0)
    (Point(x=1000, y=-500), Point(x=1000, y=500))
    """
    offsets = base_offsets(base, facing % 360)
    if not offsets:
        return tuple(along(Point(0, 0), degrees + side, base_radius(base)) for side in range(-90, 91, 15))
    if base.form == "rectangle":
        return (offsets[2], offsets[3]) if backwards else (offsets[0], offsets[1])
    return (offsets[2], offsets[3]) if backwards else (offsets[5], offsets[0])


def _leading_half(base: Base, stretch: Stretch) -> tuple[Point, ...]:
    """The corners of the edges that go first where a base slides to the side, seen from its centre."""
    offsets = base_offsets(base, stretch.facing % 360)
    dx, dy = stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1]
    pairs = list(zip(offsets, (*offsets[1:], offsets[0]), strict=True))
    first = [(b[1] - a[1]) * dx - (b[0] - a[0]) * dy > 0 for a, b in pairs]
    begin = next(n for n, leads in enumerate(first) if leads and not first[n - 1])
    found = [pairs[begin][0]]
    for n in range(len(pairs)):
        if not first[(begin + n) % len(pairs)]:
            break
        found.append(pairs[(begin + n) % len(pairs)][1])
    return tuple(found)


def _passed_over(part: str, base: Base, stretch: Stretch, low: int, high: int) -> Core:
    if part == LEADING_EDGE and low < high:
        start, end = stretch.point_at(low), stretch.point_at(high)
        ahead_degrees = stretch.degrees
        if ahead_degrees is None:
            ahead_degrees = nearest_degree(stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1])
        if stretch.ahead is not None and base_offsets(base, stretch.facing % 360):
            edge = _leading_half(base, stretch)
        else:
            edge = leading_edge(base, stretch.facing, stretch.backwards, ahead_degrees)
        ahead = [Point(end[0] + x, end[1] + y) for x, y in edge]
        behind = [Point(start[0] + x, start[1] + y) for x, y in reversed(edge)]
        if start != end:
            return core_of(Polygon((*ahead, *behind)))
    return stretch.swept_core(base, low, high)


class _Way:
    """A track on a ground, with what does not depend on how it is cut into inches found once."""

    def __init__(self, track: Track, base: Base, ground: Ground, rates: Rates) -> None:
        self.track, self.base, self.ground, self.part = track, base, ground, rates.part
        self.near: dict[int, list[tuple[Box, Piece]]] = {}
        self.climbs: list[Crossing] = []
        self.roads: list[Interval] = []
        for stretch in track.stretches:
            around = stretch.box(base, stretch.along, stretch.until)
            near = [entry for entry in chart(ground).pieces if boxes_meet(entry[0], around)]
            self.near[stretch.along] = self._met(stretch, near)
            ends = stretch.start, stretch.end, stretch.length
            self.climbs += [c._replace(along=c.along + stretch.along) for c in crossings(ground, *ends)]
            met = [piece.outline for _, piece in near if rates.road(piece)]
            self.roads += [(low + stretch.along, high + stretch.along) for low, high in within(met, *ends)]
        self.on_road = merged(self.roads)
        if track.length:
            self.whole_way = covers_all(self.on_road, 0, track.length)
        else:
            self.whole_way = any(rates.road(piece) and on_way(piece, track.start.point) for piece in ground.pieces)

    def _met(self, stretch: Stretch, near: list[tuple[Box, Piece]]) -> list[tuple[Box, Piece]]:
        """Of the pieces near a stretch those it touches at all: one exact look instead of one for each inch."""
        if not near or stretch.length <= 2 * UNIT:
            return near
        # The ends of inches are rounded points of their own, up to a thousandth beside the straight line.
        whole = stretch.swept_core(self.base, stretch.along, stretch.until)
        return [entry for entry in near if _kernel.within(whole, core_of(entry[1].outline), 2)]

    def touched(self, parts: Sequence[tuple[Stretch, int, int]]) -> tuple[Piece, ...]:
        found: list[Piece] = []
        for stretch, low, high in parts:
            near = self.near[stretch.along]
            if not near:
                continue
            if self.part == CENTRE:
                ends = stretch.point_at(low), stretch.point_at(high), high - low
                found += [piece for _, piece in near if piece not in found and chords(piece.outline, *ends)]
            else:
                around = stretch.box(self.base, low, high)
                close = [piece for box, piece in near if boxes_meet(around, box) and piece not in found]
                if close:
                    core = _passed_over(self.part, self.base, stretch, low, high)
                    found += [piece for piece in close if _kernel.overlap(core, core_of(piece.outline))]
        if len(found) < 2:
            return tuple(found)
        return tuple(piece for piece in self.ground.pieces if piece in found)

    def touch(self, inch: Inch, end: int, spent: int) -> Touch:
        parts = inch.parts
        if end < inch.end:
            parts = tuple((stretch, low, min(high, end)) for stretch, low, high in parts if low < end)
        climbs = tuple(c for c in self.climbs if (inch.start <= c.along < end if c.up else inch.start < c.along <= end))
        return Touch(
            inch.number,
            inch.start,
            end,
            inch.backwards,
            self.touched(parts),
            covers_all(self.on_road, inch.start, end),
            self.whole_way,
            climbs,
            spent,
            parts[0][0].ahead is not None,
        )

    def charges(self, rates: Rates) -> Iterator[tuple[Turn | Inch, tuple[Piece, ...], Explanation | Refusal]]:
        """Each turn and inch in the order they are paid, up to the first that is refused."""
        todo: list[tuple[int, int, Turn | Inch]] = [(turn.along, 0, turn) for turn in self.track.turns]
        todo += [(inch.start, 1, inch) for inch in self.track.inches()]
        todo.sort(key=lambda entry: entry[:2])
        spent = turns = 0
        for _, _, item in todo:
            if isinstance(item, Turn):
                turned = self.turned(turns, item, spent)
                pieces, cost = turned.pieces, _affordable(rates.turn(turned), rates, spent)
                turns += 1
            else:
                touch = self.touch(item, item.end, spent)
                pieces, cost = touch.pieces, _affordable(rates.inch(touch), rates, spent)
            yield item, pieces, cost
            if isinstance(cost, Refusal):
                return
            spent += cost.total

    def turned(self, number: int, turn: Turn, spent: int) -> TurnTouch:
        if self.part == CENTRE:
            shape: Shape = Disc(turn.point, 1)
        else:
            shape = outline_of(self.base, turn.point, turn.facing)
        return TurnTouch(number, turn, pieces_under(self.ground, shape), spent)


def road_parts(track: Track, base: Base, ground: Ground, rates: Rates) -> Sequence[Interval]:
    """The parts of a track, by distances along, on which its centre is on a road."""
    return _Way(track, base, ground, rates).on_road


def touches(track: Track, base: Base, ground: Ground, rates: Rates) -> tuple[Touch, ...]:
    """What each inch of a track touches, without asking what it costs.

    >>> from sandtable.engine.shapes import Leg, Walk, rectangle
    >>> from sandtable.field.walking.paths import Pose
    >>> woods = Ground(9000, 9000, (Piece("w", "woods", rectangle(4500, 0, 3000, 9000)),))
    >>> track = resolve(Pose(Point(2000, 4000)), Walk((Leg(0, 3000),)))
    >>> [[piece.id for piece in touch.pieces] for touch in touches(track, Base("circle", 1000), woods, EvenRates())]
    [[], [], ['w']]
    """
    way = _Way(track, base, ground, rates)
    return tuple(way.touch(inch, inch.end, 0) for inch in track.inches())


def price(track: Track, base: Base, ground: Ground, rates: Rates) -> Trace:
    """The trace of a track under a ruleset's rates, as far as it can go.

    >>> from sandtable.engine.shapes import Leg, Walk
    >>> from sandtable.field.walking.paths import Pose
    >>> track = resolve(Pose(Point(2000, 4000)), Walk((Leg(0, 3500),)))
    >>> trace = price(track, Base("circle", 1000), Ground(9000, 9000), EvenRates(allowance=3))
    >>> trace.total, trace.stop.along, trace.stop.why.sentence
    (3, 3000, 'That costs 1, and 0 are left.')
    """
    way = _Way(track, base, ground, rates)
    steps: list[Step] = []
    spent = 0
    for item, pieces, cost in way.charges(rates):
        if isinstance(item, Turn):
            if isinstance(cost, Refusal):
                return _until(Stop(item.along, cost), way, rates)
            steps.append(Step(item.along, item.along, cost, _ids(pieces), item.degrees))
        else:
            if isinstance(cost, Refusal):
                stop = _shortened(way, rates, item, spent, cost)
                return _up_to(stop, way, rates, steps, item) or _until(stop, way, rates)
            steps.append(Step(item.start, item.end, cost, _ids(pieces), 0, item.backwards))
        spent += cost.total
    return Trace(tuple(steps), spent, track.length)


def total_cost(track: Track, base: Base, ground: Ground, rates: Rates) -> int | Refusal:
    """What a track costs in all, or why it cannot be gone: `price` without the trace, for those who ask often.

    >>> from sandtable.engine.shapes import Leg, Walk
    >>> from sandtable.field.walking.paths import Pose
    >>> track = resolve(Pose(Point(2000, 4000)), Walk((Leg(0, 3500),)))
    >>> total_cost(track, Base("circle", 1000), Ground(9000, 9000), EvenRates())
    4
    """
    spent = 0
    for _, _, cost in _Way(track, base, ground, rates).charges(rates):
        if isinstance(cost, Refusal):
            return cost
        spent += cost.total
    return spent


def _affordable(cost: Explanation | Refusal, rates: Rates, spent: int) -> Explanation | Refusal:
    if isinstance(cost, Explanation) and rates.allowance is not None and cost.total > rates.allowance - spent:
        return rates.too_dear(cost, rates.allowance - spent)
    return cost


def _shortened(way: _Way, rates: Rates, inch: Inch, spent: int, why: Refusal) -> Stop:
    """The longest part of an inch that is lawful and can be paid for, and why no more of it is."""
    reached, refused = inch.start, inch.end
    while refused - reached > 1:
        # The first step tells most: where nothing is in the way, the whole inch is too dear or none of it.
        middle = inch.start + 1 if reached == inch.start else (reached + refused) // 2
        cost = _affordable(rates.inch(way.touch(inch, middle, spent)), rates, spent)
        if isinstance(cost, Refusal):
            refused, why = middle, cost
        else:
            reached = middle
    return Stop(reached, why)


def _up_to(stop: Stop, way: _Way, rates: Rates, steps: list[Step], inch: Inch) -> Trace | None:
    """The trace of what can be gone, from the steps that are priced already and the part of an inch; or none.

    None where the shorter path could be priced otherwise: roads and climbs are found along whole stretches, and a turn
    within the inch is paid after it.
    """
    if way.roads or way.whole_way or way.climbs or any(stretch.degrees is None for stretch in way.track.stretches):
        return None
    if any(inch.start < turn.along < stop.along for turn in way.track.turns):
        return None
    kept = [step for step in steps if step.start < step.end or step.end < stop.along]
    total = sum(step.cost.total for step in kept)
    if stop.along > inch.start:
        touch = way.touch(inch, stop.along, total)
        cost = _affordable(rates.inch(touch), rates, total)
        if isinstance(cost, Refusal):
            return None
        kept.append(Step(inch.start, stop.along, cost, _ids(touch.pieces), 0, inch.backwards))
        total += cost.total
    return Trace(tuple(kept), total, stop.along, stop)


def _until(stop: Stop, way: _Way, rates: Rates) -> Trace:
    """The trace of what can be gone. The shorter path is priced anew: an inch cut short may touch less."""
    walk, _ = way.track.cut(stop.along)
    shorter = price(resolve(way.track.start, walk), way.base, way.ground, rates)
    if not shorter.lawful:
        return shorter
    return Trace(shorter.steps, shorter.total, shorter.length, stop)


def _ids(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    return tuple(piece.id for piece in pieces)
