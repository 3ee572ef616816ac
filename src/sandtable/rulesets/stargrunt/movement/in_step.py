"""Ways that a whole unit goes in step: round what is in its way, and never nearer to an enemy.

The planner proposes ways of the middle of the unit, and the rules of walking judge what every figure of it would do.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, At, Disc, Point, Via, Walk
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.edges import inside_of
from sandtable.field.ground import chart
from sandtable.field.measure import nearest_points, on_or_inside
from sandtable.field.walking.courses import nearest_degree
from sandtable.field.walking.encounters import over_edge
from sandtable.field.walking.paths import Pose, length_between, resolve
from sandtable.field.walking.planner import Gait, Planner
from sandtable.field.walking.routes import quickest
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.cover.protection import GIVES, LINEAR, OPEN, cover_at, figure_cover
from sandtable.rulesets.stargrunt.movement.terrain_costs import COSTS, grade, mover
from sandtable.rulesets.stargrunt.movement.walking import (
    baseline,
    crowded,
    from_baseline,
    nearer_to_somebody,
    others,
    refused_walks,
    towards_home,
    ways,
)
from sandtable.rulesets.stargrunt.units.record import BASE, gap_between, located, mean, on_ground, spot, standing
from sandtable.rulesets.stargrunt.vehicles.hulls import footprint

LOCATED = rule("stargrunt.observation.located-enemy")
#: How many degrees off the straight way home a unit looks for one that is open: first a few, then whatever directions
#: there are; and the shortest step it takes.
_EVERY_TURN = tuple(sorted(range(-89, 90), key=lambda turn: (abs(turn), -turn)))
_TURNS = tuple(turn for turn in _EVERY_TURN if turn % 5 == 0)
_STEP = UNIT // 2
#: How many moves a unit looks ahead, and how many ways it keeps in mind, where something bars the straight ones.
_AHEAD, _IN_MIND = 12, 2
#: In how many pieces of terrain a unit looks for cover to which there is a way.
_TRIES = 8


class InStep:
    """A unit whose figures all go the same way, which is told as the way of its middle."""

    def __init__(self, table: Table, unit: Thing, allowance: int | None, figures: Sequence[Thing] = ()) -> None:
        self.table, self.unit, self.allowance = table, unit, allowance
        self.figures = list(figures) or standing(table, unit.id)
        here = [spot(one) for one in self.figures]
        self.at = Point(sum(p.x for p in here) // len(here), sum(p.y for p in here) // len(here))
        self.here = here

    def walks(self, way: Walk) -> dict[str, Walk]:
        """The walk of every figure that a way of the middle stands for."""
        corners = [leg.point for leg in way.legs if isinstance(leg, Via)]
        return {
            one.id: Walk(
                tuple(Via(Point(spot(one).x + c.x - self.at.x, spot(one).y + c.y - self.at.y)) for c in corners)
            )
            for one in self.figures
        }

    def moved(self, to: Point) -> list[Point]:
        """Where the figures stand when the middle of the unit has come to a point."""
        return [Point(p.x + to.x - self.at.x, p.y + to.y - self.at.y) for p in self.here]

    def refused(self, way: Walk, allowance: int | None) -> Refusal | None:
        """Why a unit may not go back so: figures may not walk so, or it would come nearer to a located enemy."""
        if self.nears(way):
            return Refusal(LOCATED.id, f"{self.unit.label} would come nearer to an enemy.")
        return refused_walks(self.table, self.unit.side, self.walks(way), allowance, together=False)

    def nears(self, way: Walk) -> bool:
        """Whether a way brings the centre of the unit nearer to a located enemy, be it on the way."""
        x, y = mean(self.here)
        corners = [self.at, *(leg.point for leg in way.legs if isinstance(leg, Via))]
        course = [(x + corner.x - self.at.x, y + corner.y - self.at.y) for corner in corners]
        return any(comes_nearer(course, mean(there)) for there in located(self.table, self.unit.side))

    def price(self, way: Walk) -> int | Refusal:
        """The length of a way that the unit may go; the judge of planners."""
        return self.refused(way, self.allowance) or resolve(Pose(self.at), way).length

    def affordable(self, way: Walk, allowance: int | None) -> int:
        """How far along a way all figures come with an allowance."""
        far = [
            w.trace.length if w.trace.stop is None else w.trace.stop.along
            for w in ways(self.table, self.walks(way), allowance)
        ]
        return min(far, default=0)

    def as_far_as_it_goes(self, way: Walk, allowance: int | None) -> Walk | None:
        """The longest part of a way that the unit may go with an allowance; none where it may not even set out."""
        track = resolve(Pose(self.at), way)
        far = min(track.length, self.affordable(way, allowance))
        while far >= min(_STEP, track.length) and far:
            part = track.walk if far == track.length else track.cut(far)[0]
            if self.refused(part, allowance) is None:
                return part
            far -= _STEP
        return None

    def planner(self, farthest: int) -> Planner:
        """A planner of the ways of the middle of the unit."""
        return Planner(Pose(self.at), self.price, Gait(farthest, facing=False), self.lie())

    def lie(self) -> Lie:
        """The lie of the land for this unit: what it cannot enter, what slows it, and the enemies in its way."""
        who = mover(self.figures[0])

        def weigh(piece: Piece) -> int | None:
            if piece.kind in LINEAR:
                return 1
            word = grade(piece.kind, who)
            return None if word == "impassable" else COSTS.number(word)

        foes = tuple(footprint(one) for one in on_ground(self.table) if one.side != self.unit.side)
        return Lie(self.table.ground, BASE, weigh, foes)

    def at_pose(self, pose: Pose) -> "InStep":
        """The same unit, with its middle at another place."""
        shown = self.table.copy()
        for one, at in zip(self.figures, self.moved(pose.point), strict=True):
            shown.things[one.id] = replace(one, place=At(at))
        return InStep(shown, self.unit, self.allowance, [shown[one.id] for one in self.figures])


def comes_nearer(course: Sequence[tuple[Fraction, Fraction]], to: tuple[Fraction, Fraction]) -> bool:
    """Whether a way from point to point comes nearer to a point anywhere than it is at its start.

    >>> from fractions import Fraction as F
    >>> way = [(F(0), F(0)), (F(8), F(0))]
    >>> comes_nearer(way, (F(-3), F(0))), comes_nearer(way, (F(0), F(5))), comes_nearer(way, (F(1), F(5)))
    (False, False, True)
    """
    u, v = to
    first = (course[0][0] - u) ** 2 + (course[0][1] - v) ** 2
    for (ax, ay), (bx, by) in pairwise(course):
        dx, dy = bx - ax, by - ay
        size = dx * dx + dy * dy
        along = Fraction((u - ax) * dx + (v - ay) * dy, size) if size else Fraction(0)
        share = min(max(along, Fraction(0)), Fraction(1))
        if (ax + share * dx - u) ** 2 + (ay + share * dy - v) ** 2 < first:
            return True
    return False


class _Home:
    """The baseline of a side, for the middle of a unit whose foremost figure may not leave the table."""

    def __init__(self, body: InStep) -> None:
        self.body = body
        table, side = body.table, body.unit.side
        self.rim = from_baseline(table, side, body.at) - room_behind(body)

    def reached(self, pose: Pose) -> bool:
        """Whether the unit has reached its baseline."""
        return from_baseline(self.body.table, self.body.unit.side, pose.point) <= self.rim + UNIT // 10

    def aim(self, point: Point) -> Point:
        """Straight home."""
        table, side = self.body.table, self.body.unit.side
        return inside_of(table.ground, baseline(table, side), point, self.rim)

    def left(self, point: Point) -> int:
        """Straight home."""
        return max(0, from_baseline(self.body.table, self.body.unit.side, point) - self.rim)


def room_behind(body: InStep) -> int:
    """How far a unit can go straight home before one of its bases reaches the baseline."""
    return min(from_baseline(body.table, body.unit.side, at) for at in body.here) - BASE.size // 2


def way_home(table: Table, unit: Thing, allowance: int) -> dict[str, Walk]:
    """The walks of one move by which a unit gets nearest to its baseline, nearing no enemy; none where none is open.

    The straight ways are looked at first, the straightest that is open; where something bars them, the quickest way.
    A unit with an enemy behind it, so that whatever leads nearer to its baseline leads nearer to him, is cut off: in
    every direction there is, for a gap between two enemies may be narrow.
    """
    body = InStep(table, unit, allowance)
    room, home = room_behind(body), towards_home(table, unit.side)
    safe = [turn for turn in _EVERY_TURN if not body.nears(Walk((Via(_ahead(body, home + turn, _STEP)),)))]
    if not safe:
        return {}
    few = [turn for turn in safe if turn in _TURNS]
    best = next(_straight_home(body, allowance, room, few or safe), None)
    if best is None or 2 * best[0] < min(allowance, room):
        found = quickest(
            Pose(body.at),
            lambda pose: body.at_pose(pose).price,
            Gait(allowance, facing=False),
            body.lie(),
            _Home(body),
            most_actions=_AHEAD,
            beam=_IN_MIND,
        )
        if found is not None and found.walks:
            return body.walks(found.walks[0])
    best = best or next(_straight_home(body, allowance, room, safe), None)
    return body.walks(best[1]) if best is not None else {}


def _straight_home(body: InStep, allowance: int, room: int, turns: Sequence[int]) -> Iterator[tuple[int, Walk]]:
    """Straight ways home that are open, with how much nearer they bring the unit, the best first."""
    home, found = towards_home(body.table, body.unit.side), []
    for turn in turns:
        far = _within(body, home + turn, allowance, room)
        if not far:
            continue
        track = resolve(Pose(body.at), Walk((Via(_ahead(body, home + turn, far)),)))
        reach = min(track.length, body.affordable(track.walk, allowance))
        while reach >= min(_STEP, track.length) and reach:
            end = track.pose_at(reach).point
            gain = _gain(body, end)
            if gain > 0:
                found.append((-gain, abs(turn), -turn, reach, Walk((Via(end),))))
            reach -= _STEP
    for lost, *_, way in sorted(found, key=lambda one: one[:4]):
        if body.refused(way, allowance) is None:
            yield -lost, way


def _within(body: InStep, degrees: int, far: int, room: int) -> int:
    """How far a unit may go in a direction without leaving the table over its baseline."""
    gain = _gain(body, _ahead(body, degrees, far))
    if gain > room:
        far = max(0, far * room // gain)
    while far and _gain(body, _ahead(body, degrees, far)) > room:
        far -= 1
    return far


def _gain(body: InStep, to: Point) -> int:
    """How much nearer to its baseline a unit is with its middle at another point."""
    return from_baseline(body.table, body.unit.side, body.at) - from_baseline(body.table, body.unit.side, to)


def _ahead(body: InStep, degrees: int, far: int) -> Point:
    return along(body.at, degrees % 360, far)


# Into cover --------------------------------------------------------------------------------------------------------


class Refuge(NamedTuple):
    """A place where a unit is in cover: where its middle is then, whether all of it is, and in which piece."""

    to: Point
    whole: bool
    piece: str


def refuges(body: InStep) -> Iterator[Refuge]:
    """The places where a unit would be in cover and no nearer to a located enemy than it is, the nearest first.

    stargrunt.cover.majority    most of its figures are in cover, against the located enemy that is nearest there
    """
    table, foes = body.table, located(body.table, body.unit.side)
    moving = [one.id for one in body.figures]
    still = others(table, moving)
    seen: set[Point] = set()
    for _, to, piece in sorted(_looked_at(body)):
        if to in seen or to == body.at:
            continue
        seen.add(to)
        after = body.moved(to)
        source = _nearest(after, foes)
        kinds = [figure_cover(table.ground, at, source) for at in after]
        if cover_at(table.ground, after, source) == OPEN:
            continue
        if nearer_to_somebody(table, body.unit.side, body.here, after):
            continue
        if crowded(after, still) or any(over_edge(Disc(at, BASE.size // 2), table.ground) for at in after):
            continue
        yield Refuge(to, min(kinds) > OPEN, piece)


def _nearest(spots: Sequence[Point], foes: Sequence[Sequence[Point]]) -> Point | None:
    """The centre of the located enemy that is nearest to some figures."""
    if not foes:
        return None
    x, y = mean(min(foes, key=lambda there: gap_between(spots, there)))
    return Point(int(x), int(y))


def _looked_at(body: InStep) -> Iterator[tuple[int, Point, str]]:
    """Points for the middle of a unit at which it may be in cover: over every piece that gives some, and just beyond.

    The nearest way in, step by step as deep as the unit is wide, and points of a lattice over the piece.
    """
    wide = max(length_between(at, body.at) for at in body.here) + BASE.size
    for box, piece in chart(body.table.ground).pieces:
        if GIVES.get(piece.kind, OPEN) == OPEN:
            continue
        west, north, east, south = box
        near = nearest_points(Disc(body.at, 0), piece.outline)[1]
        aim = near if near != body.at else Point((west + east) // 2, (north + south) // 2)
        inwards = nearest_degree(aim.x - body.at.x, aim.y - body.at.y)
        deeper = [along(near, inwards, deep) for deep in range(0, 2 * wide + 1, UNIT // 4)]
        rows = range(north, south + 1, UNIT)
        lattice = [Point(x, y) for x in range(west, east + 1, UNIT) for y in rows]
        within = [at for at in lattice if on_or_inside(piece.outline, at)]
        for to in (near, *deeper, *within):
            yield length_between(body.at, to), to, piece.id


def way_to_cover(table: Table, unit: Thing, allowance: int | None) -> dict[str, Walk]:
    """The walks by which a unit gets into the nearest cover, or with an allowance on its way there; or none.

    It goes in as a whole where the cover that is nearest can hold all of it.
    """
    body = InStep(table, unit, None)
    tried: list[str] = []
    for first in refuges(body):
        if first.piece in tried or len(tried) == _TRIES:
            continue
        tried.append(first.piece)
        whole = next((one for one in refuges(body) if one.whole and one.piece == first.piece), first)
        for goal in dict.fromkeys((whole, first)):
            far = 2 * length_between(body.at, goal.to) + UNIT
            plan = body.planner(far).to(goal.to)
            part = body.as_far_as_it_goes(plan.walk, allowance) if plan is not None else None
            if part is not None:
                return body.walks(part)
    return {}
