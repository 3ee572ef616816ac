"""Where tactics let a unit stand: the places within reach, the best first."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush, nlargest
from itertools import islice
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, Point, Via, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.ground import pieces_near
from sandtable.field.measure import center_gap
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.cover.protection import GIVES, OPEN, centre_point
from sandtable.rulesets.stargrunt.movement.moves import refused_move
from sandtable.rulesets.stargrunt.movement.walking import combat_distance, ways
from sandtable.rulesets.stargrunt.tactics.fire import middle
from sandtable.rulesets.stargrunt.tactics.outlook import Outlook, friends_of, gain, goal_of
from sandtable.rulesets.stargrunt.tactics.shelters import assigned, shelters
from sandtable.rulesets.stargrunt.units.record import on_table, points, spot, standing
from sandtable.tabletop.opponent import Reasons, scaled, summed, total

#: Sixteen ways to go, as parts of a thousand: whole numbers, so that places are the same everywhere.
DIRECTIONS = (
    *((1000, 0), (924, 383), (707, 707), (383, 924), (0, 1000), (-383, 924), (-707, 707), (-924, 383)),
    *((-1000, 0), (-924, -383), (-707, -707), (-383, -924), (0, -1000), (383, -924), (707, -707), (924, -383)),
)


#: From how much farther than its reach a piece of terrain may still be one a squad can stand at: rows reach out of it.
BESIDE = 8 * UNIT
#: Within what distance friends crowd an entry, and how much farther each of them makes it seem.
CROWDED, DETOUR = 5 * UNIT, 3 * UNIT
#: How far apart entries are that are thought of, and how far a step stays short of the reach, for rounding's sake.
APART, SPARE = 2 * UNIT, UNIT // 100
#: How many ways of a combat move are thought through, score by score.
TRIED = 3


class Place(NamedTuple):
    """Where the figures of a unit would stand, in their order."""

    spots: tuple[Point, ...]
    label: str


def ranked(outlook: Outlook, places: Sequence[Sequence[Point]], most: int) -> Iterator[tuple[int, Reasons]]:
    """The numbers of places in the order of what they are worth, and what that is; as late as it can be found out.

    A place is weighed when nothing that has been weighed beats what it is worth at best.
    """
    promising = ((outlook.at_best(spots), -n) for n, spots in enumerate(places))
    heap: list[tuple[int, int, Reasons | None]] = [(-best, -n, None) for best, n in nlargest(most, promising)]
    heapify(heap)
    while heap:
        _, n, parts = heappop(heap)
        if parts is not None:
            yield n, parts
            continue
        parts = outlook.worth(places[n])
        heappush(heap, (-sum(value for _, value in parts), n, parts))


def places(table: Table, unit: Thing, goal: Point, reach: int, *, steps: bool = True) -> Iterator[Place]:
    """The places a squad may think of: cover within reach, straight on, and then steps in every direction."""
    return _places(table.ground, points(table, unit.id), goal, reach, steps)


@lru_cache(maxsize=1024)
def _near(ground: Ground, here: tuple[Point, ...], goal: Point, reach: int, steps: bool) -> tuple[Place, ...]:
    """Those of the places that no figure has too far to: a squad that stays where it is thinks of the same again."""
    return tuple([one for one in _places(ground, here, goal, reach, steps) if within(here, one, reach)])


def _places(ground: Ground, here: Sequence[Point], goal: Point, reach: int, steps: bool) -> Iterator[Place]:
    centre = middle(here)
    box = centre.x, centre.y, centre.x, centre.y
    for piece in pieces_near(ground, box, reach + BESIDE):
        if GIVES.get(piece.kind, OPEN) > OPEN:
            for spots in shelters(piece, len(here), centre, reach):
                if all(0 < at.x < ground.width and 0 < at.y < ground.height for at in spots):
                    yield Place(assigned(here, spots), piece.label or piece.kind)
    far = length_between(centre, goal)
    if far > 0:
        share = min(reach, far)
        yield _in_step(here, (goal.x - centre.x) * share // far, (goal.y - centre.y) * share // far)
    for x, y in DIRECTIONS if steps else ():
        for length in (reach - SPARE, reach // 2):
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
        return total(self.parts)


def goings(outlook: Outlook, reach: int, most: int, *, steps: bool = True) -> Iterator[Going]:
    """The places a squad can walk to with a move, the best first; those that two of its figures cannot reach left out.

    Whoever holds little in his head looks at few: those that promise most.
    """
    table, unit = outlook.table, outlook.unit
    here = points(table, unit.id)
    staying = outlook.worth(here, dug_in=outlook.dug_in)
    near = _near(table.ground, tuple(here), outlook.goal, reach, steps)
    figures = standing(table, unit.id)
    for n, parts in ranked(outlook, [one.spots for one in near], most * most):
        place = near[n]
        if all(_may_reach(table, figures[end], place.spots[end], reach) for end in (0, -1)):
            yield Going(place, gain(parts, staying))


def _may_reach(table: Table, figure: Thing, to: Point, reach: int) -> bool:
    """Whether a figure can get somewhere over the ground between; clear ground is not priced, it is near enough."""
    at = spot(figure)
    box = min(at.x, to.x), min(at.y, to.y), max(at.x, to.x), max(at.y, to.y)
    if not pieces_near(table.ground, box):
        return True
    return all(way.trace.stop is None for way in ways(table, {figure.id: Walk((Via(to),))}, reach))


def best_going(outlook: Outlook, reach: int, most: int) -> Going | None:
    """The best place that a squad can really walk to, of those it tries; none where it had better stay."""
    return outlook.once(_best_going, reach, most)


def _best_going(outlook: Outlook, reach: int, most: int) -> Going | None:
    table, unit = outlook.table, outlook.unit
    for one in goings(outlook, reach, most):
        if one.worth <= 0:
            return None
        if refused_move(table, unit, walks_to(table, unit, one.place), reach) is None:
            return one
    return None


# Combat moves ----------------------------------------------------------------------------------------------------


def best_dash(outlook: Outlook, die: int, most: int, least: int = 0) -> Going | None:
    """The best place to try for with a combat move of a die, worth what each score would bring on average.

    Where even the whole way would bring no more than `least`, none is.

    stargrunt.movement.combat    the way is named first, then the die says how far along it the unit comes
    """
    return outlook.once(_best_dash, die, most, least)


def _best_dash(outlook: Outlook, die: int, most: int, least: int) -> Going | None:
    table, unit, reach = outlook.table, outlook.unit, combat_distance(die)
    staying = outlook.worth(points(table, unit.id), dug_in=outlook.dug_in)
    tried: list[Going] = []
    for one in islice(goings(outlook, reach, most, steps=False), TRIED):
        if one.worth <= max((dash.worth for dash in tried), default=least):
            break
        if refused_move(table, unit, walks_to(table, unit, one.place), reach) is None:
            tried.append(Going(one.place, gain(_on_average(outlook, one.place, die), staying)))
    best = max(tried, key=lambda dash: dash.worth, default=None)
    return best if best is not None and best.worth > least else None


def _on_average(outlook: Outlook, place: Place, die: int) -> Reasons:
    """What the places are worth on average that each score of the die takes a unit to, its costs spread evenly."""
    here = points(outlook.table, outlook.unit.id)
    costs = [way.trace.total for way in ways(outlook.table, walks_to(outlook.table, outlook.unit, place), None)]
    found: list[Reasons] = []
    for score in range(1, die + 1):
        far = combat_distance(score)
        ends = tuple(_as_far(*each, far) for each in zip(here, place.spots, costs, strict=True))
        again = 1
        if ends == place.spots:
            again = die + 1 - score  # higher scores come no farther
        found.append(scaled(outlook.worth(ends), again, 1))
        if again > 1:
            break
    return scaled(tuple(summed(found).items()), 1, die)


def _as_far(a: Point, b: Point, cost: int, left: int) -> Point:
    """Where one comes on a way of some cost to a point."""
    return b if cost <= left else Point(a.x + (b.x - a.x) * left // cost, a.y + (b.y - a.y) * left // cost)


def entries(table: Table, unit: Thing, strip: Sequence[Point]) -> Iterator[tuple[Point, int]]:
    """Points of the strip in which a unit may enter, and how much farther each is from where it wants to be."""
    west, north = min(at.x for at in strip), min(at.y for at in strip)
    east, south = max(at.x for at in strip), max(at.y for at in strip)
    fighting, there = friends_of(table, unit), [centre_point(table, one.id) for one in on_table(table, unit.side)]
    for x in range(west, east + 1, APART):
        for y in dict.fromkeys((north, (north + south) // 2, south)):
            at = Point(x, y)
            goal, _ = goal_of(table, unit, at, fighting)
            crowd = sum(center_gap(at, one) < CROWDED**2 for one in there)
            yield at, length_between(at, goal) + crowd * DETOUR
