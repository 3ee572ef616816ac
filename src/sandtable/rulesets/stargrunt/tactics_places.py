"""Where tactics let a unit stand: places within reach, and what each is worth in ground, cover, fire and danger."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, Point, Via, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.measure import center_gap, inside
from sandtable.field.paths import length_between
from sandtable.rulesets.stargrunt._moves import refused_move
from sandtable.rulesets.stargrunt.cover import (
    EDGE,
    GIVES,
    OPEN,
    WOOD,
    centre_point,
    cover_at,
    figure_seen,
    near_border,
    unit_cover,
)
from sandtable.rulesets.stargrunt.movement import baseline, ways
from sandtable.rulesets.stargrunt.scenario import HOLDING, VICTORY, objectives, turn_limit, victory_points
from sandtable.rulesets.stargrunt.tactics_fire import POINT, Guns, Reasons, from_there, guns_of, middle
from sandtable.rulesets.stargrunt.tactics_shelters import assigned, shelters
from sandtable.rulesets.stargrunt.units import (
    BROKEN,
    at_worst,
    enemies,
    located,
    mean,
    on_table,
    points,
    spot,
    standing,
    suppressed,
)

#: What an inch nearer to where a unit wants to be is worth, and how much more each turn that is gone.
INCH, HURRY = 90, 20
#: What standing at a marker is worth that the side does not hold, and at one that it holds and an enemy is near.
TAKES, GUARDS = 1500, 400
#: How much of the enemy's fire a unit expects to draw, and of its own to give, in hundredths.
DRAWN, GIVEN = 50, 35
#: By how much less it minds each turn while its side does not win, and the least it minds.
BOLDER, BOLDEST = 5, 15
#: How much of that a suppressed enemy, and one that cannot fight, still counts.
PINNED = 35
#: How much farther a goal seems for each friend that is nearer to it.
FRIEND = 8 * UNIT
#: Sixteen ways to go, as parts of a thousand: whole numbers, so that places are the same everywhere.
DIRECTIONS = (
    *((1000, 0), (924, 383), (707, 707), (383, 924), (0, 1000), (-383, 924), (-707, 707), (-924, 383)),
    *((-1000, 0), (-924, -383), (-707, -707), (-383, -924), (0, -1000), (383, -924), (707, -707), (924, -383)),
)


class Foe(NamedTuple):
    """An enemy unit, as tactics see it."""

    unit: Thing
    at: Point
    guns: Guns | None
    ready: int  # how much of its fire is to be feared, in hundredths


def foes_of(table: Table, side: str) -> list[Foe]:
    """The enemy units on the table."""
    found = []
    for unit in enemies(table, side):
        ready = PINNED if suppressed(unit) or at_worst(unit, BROKEN) or unit.has("panicked") else 100
        found.append(Foe(unit, centre_point(table, unit.id), guns_of(table, unit), ready))
    return found


class Place(NamedTuple):
    """Where the figures of a unit would stand, in their order."""

    spots: tuple[Point, ...]
    label: str


# Where to --------------------------------------------------------------------------------------------------------


def goal_of(table: Table, unit: Thing, here: Point) -> tuple[Point, bool]:
    """Where a unit wants to be, and whether there is something to be taken: markers first, else the nearest enemy."""
    markers = objectives(table)
    wanted = [one for one in markers if one.value("held by") != unit.side]
    if wanted or markers:
        friends = [
            centre_point(table, one.id) for one in on_table(table, unit.side) if one.id != unit.id and _fights(one)
        ]

        def seems(marker: Thing) -> tuple[int, str]:
            at = spot(marker)
            own = length_between(here, at)
            return own + FRIEND * sum(length_between(one, at) < own for one in friends), marker.id

        return spot(min(wanted or markers, key=seems)), bool(wanted)
    seen = [Point(*(int(value) for value in mean(there))) for there in located(table, unit.side)]
    if seen:
        return min(seen, key=lambda at: center_gap(here, at)), False
    return Point(table.ground.width // 2, table.ground.height // 2), False


def ahead(table: Table, side: str) -> bool:
    """Whether a side would win if the battle ended now, by more than a draw (stargrunt.scenario.victory)."""
    most = max((victory_points(table, other) for other in table.sides if other != side), default=0)
    return victory_points(table, side) - most > VICTORY.number("draw_margin")


def _fights(unit: Thing) -> bool:
    return not at_worst(unit, BROKEN)


def beside_home(table: Table, unit: Thing) -> Point:
    """The middle of the baseline of a unit that has yet to enter."""
    south = baseline(table, unit.side) == "south"
    return Point(table.ground.width // 2, table.ground.height if south else 0)


def position(table: Table, unit: Thing) -> Point:
    """Where a unit is: its centre, or the middle of its baseline."""
    return centre_point(table, unit.id) if standing(table, unit.id) else beside_home(table, unit)


# What a place is worth -------------------------------------------------------------------------------------------


class Outlook:
    """What one unit sees in the places around it."""

    def __init__(self, table: Table, unit: Thing, fears: bool) -> None:
        self.table, self.unit, self.fears = table, unit, fears
        self.here = position(table, unit)
        self.goal, self.takes = goal_of(table, unit, self.here)
        self.foes = foes_of(table, unit.side)
        self.guns = guns_of(table, unit)
        self.dug_in = unit.has("in position")
        limit = turn_limit(table) or table.turn
        bold = self.takes and not ahead(table, unit.side)
        self.inch = INCH + HURRY * min(table.turn, limit) if bold else INCH if self.takes else INCH // 2
        self.drawn = max(BOLDEST, DRAWN - BOLDER * table.turn) if bold else DRAWN

    def danger(self, spots: Sequence[Point], *, dug_in: bool = False) -> int:
        """What the enemy's next volleys at the unit would be worth to him, as far as they are to be feared."""
        centre, ground, total = middle(spots), self.table.ground, 0
        if deep(ground, centre):
            return 0
        for foe in self.foes:
            if foe.guns is None or not figure_seen(ground, centre, foe.at):
                continue
            cover = cover_at(ground, spots, foe.at)
            gap = length_between(centre, foe.at)
            worth = from_there(self.table, foe.guns, self.unit, gap, cover, dug_in=dug_in)
            total += worth * foe.ready // 100
        return total * self.drawn // 100

    def fire(self, spots: Sequence[Point]) -> int:
        """What the unit's best volley from there would be worth."""
        centre, ground = middle(spots), self.table.ground
        if self.guns is None or deep(ground, centre):
            return 0
        best = 0
        for foe in self.foes:
            if figure_seen(ground, centre, foe.at):
                cover = unit_cover(self.table, foe.unit.id, centre)
                gap = length_between(centre, foe.at)
                worth = from_there(self.table, self.guns, foe.unit, gap, cover, dug_in=foe.unit.has("in position"))
                best = max(best, worth)
        return best

    def worth(self, spots: Sequence[Point], *, dug_in: bool = False) -> Reasons:
        """What standing there is worth."""
        away = max(0, length_between(middle(spots), self.goal) - HOLDING.inches("distance_in") // 2)
        parts = [("ground", -away * self.inch // UNIT), ("marker", self._held(spots))]
        if self.fears:
            parts.append(("danger", -self.danger(spots, dug_in=dug_in)))
        parts.append(("fire", self.fire(spots) * GIVEN // 100))
        return tuple(parts)

    def _held(self, spots: Sequence[Point]) -> int:
        """What being at a marker is worth: one to take, or one to keep from an enemy who is near."""
        reach, total = HOLDING.inches("distance_in"), 0
        for marker in objectives(self.table):
            at = spot(marker)
            if 2 * sum(center_gap(one, at) <= reach * reach for one in spots) <= len(spots):
                continue
            if marker.value("held by") != self.unit.side:
                total += TAKES
            elif any(center_gap(foe.at, at) <= (4 * reach) ** 2 for foe in self.foes):
                total += GUARDS
        return total


def gain(better: Reasons, worse: Reasons) -> Reasons:
    """What one place is worth more than another, reason by reason.

    >>> gain((("ground", 5),), (("ground", 3),))
    (('ground', 2),)
    """
    before = dict(worse)
    return tuple((why, value - before.get(why, 0)) for why, value in better)


def deep(ground: Ground, at: Point) -> bool:
    """Whether a point lies so deep in a wood that nobody fires out of it or into it (stargrunt.cover.woods)."""
    return any(
        piece.kind in WOOD and inside(piece.outline, at) and not near_border(piece.outline, at, EDGE)
        for piece in ground.pieces
    )


# Places on foot --------------------------------------------------------------------------------------------------


def places(table: Table, unit: Thing, goal: Point, reach: int) -> Iterator[Place]:
    """The places a squad may think of: cover within reach, then steps in every direction."""
    here = points(table, unit.id)
    centre = middle(here)
    for piece in table.ground.pieces:
        if GIVES.get(piece.kind, OPEN) > OPEN:
            for spots in shelters(piece, len(here), centre, reach):
                if all(0 < at.x < table.ground.width and 0 < at.y < table.ground.height for at in spots):
                    yield Place(assigned(here, spots), piece.label or piece.kind)
    far = length_between(centre, goal)
    if far > 0:
        share = min(reach, far)
        yield _in_step(here, (goal.x - centre.x) * share // far, (goal.y - centre.y) * share // far)
    for x, y in DIRECTIONS:
        for length in (reach - 10, reach * 3 // 4, reach // 2, reach // 4):
            yield _in_step(here, x * length // 1000, y * length // 1000)


def _in_step(here: Sequence[Point], dx: int, dy: int) -> Place:
    return Place(tuple(Point(at.x + dx, at.y + dy) for at in here), f"({dx // UNIT}, {dy // UNIT})″ on")


def walks_to(table: Table, unit: Thing, place: Place) -> dict[str, Walk]:
    """The straight ways of the figures of a unit to a place."""
    return {one.id: Walk((Via(at),)) for one, at in zip(standing(table, unit.id), place.spots, strict=True)}


def within(here: Sequence[Point], place: Place, reach: int) -> bool:
    """Whether no figure has farther to go than it can over clear ground."""
    return all(center_gap(a, b) <= reach * reach for a, b in zip(here, place.spots, strict=True))


class Going(NamedTuple):
    """A place within reach, and what it is worth more than staying."""

    place: Place
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return sum(value for _, value in self.parts)


def goings(outlook: Outlook, reach: int, most: int) -> list[Going]:
    """The best places a squad can walk to with a move, the best first; a quick look decides which are weighed."""
    table, unit = outlook.table, outlook.unit
    here = points(table, unit.id)
    staying = outlook.worth(here, dug_in=outlook.dug_in)
    near = [one for one in places(table, unit, outlook.goal, reach) if within(here, one, reach)]

    def promise(place: Place) -> tuple[int, tuple[Point, ...]]:
        away = length_between(middle(place.spots), outlook.goal) * outlook.inch // UNIT
        foe = min((foe.at for foe in outlook.foes), key=lambda at: center_gap(at, outlook.here), default=None)
        return away - POINT // 2 * cover_at(table.ground, place.spots, foe), place.spots

    figures = standing(table, unit.id)
    first, last = figures[0].id, figures[-1].id

    def open_to(place: Place) -> bool:
        """Whether two of the figures can get there over the ground between: a quick look, not the whole judgement."""
        some = {first: Walk((Via(place.spots[0]),)), last: Walk((Via(place.spots[-1]),))}
        return all(way.trace.stop is None for way in ways(table, some, reach))

    looked_at = list(islice(filter(open_to, sorted(near, key=promise)), 3 * most))
    weighed = [Going(one, gain(outlook.worth(one.spots), staying)) for one in looked_at]
    return sorted(weighed, key=lambda one: -one.worth)


def best_going(outlook: Outlook, reach: int, most: int) -> Going | None:
    """The best place that a squad can really walk to, of those it tries; none where it had better stay."""
    table, unit = outlook.table, outlook.unit
    for one in goings(outlook, reach, most):
        if one.worth <= 0:
            return None
        if refused_move(table, unit, walks_to(table, unit, one.place), reach) is None:
            return one
    return None


def entries(table: Table, unit: Thing, strip: Sequence[Point]) -> Iterator[tuple[Point, int]]:
    """Points of the strip in which a unit may enter, and how much farther each is from where it wants to be."""
    west, north = min(at.x for at in strip), min(at.y for at in strip)
    east, south = max(at.x for at in strip), max(at.y for at in strip)
    for x in range(west, east + 1, 2 * UNIT):
        for y in dict.fromkeys((north, (north + south) // 2, south)):
            at = Point(x, y)
            goal, _ = goal_of(table, unit, at)
            crowd = sum(
                center_gap(at, centre_point(table, one.id)) < (5 * UNIT) ** 2 for one in on_table(table, unit.side)
            )
            yield at, length_between(at, goal) + crowd * 3 * UNIT
