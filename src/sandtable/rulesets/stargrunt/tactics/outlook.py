"""What a unit sees around it: enemies, where it wants to be, and what a place is worth in ground, fire and danger."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar, cast

from sandtable.engine.ids import Side
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import inside_of
from sandtable.field.identity import Same
from sandtable.field.measure import center_gap
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.cover.protection import OPEN, Covered, centre_point, covered, deep, figure_seen
from sandtable.rulesets.stargrunt.movement.walking import baseline, way_out
from sandtable.rulesets.stargrunt.observation.counters import is_sniper
from sandtable.rulesets.stargrunt.scenario.objectives import HOLDING, VICTORY, objectives, turn_limit, victory_points
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.tactics.fire import Guns, guns_of, middle, range_die, volley_worth
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    at_worst,
    counters,
    enemies,
    located,
    mean,
    on_table,
    points,
    spot,
    suppressed,
    whereabouts,
)
from sandtable.tabletop.opponent import Reasons

Found = TypeVar("Found")

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
#: How near to a marker it is held from.
HELD_FROM = HOLDING.inches("distance_in")
#: How near to a marker whoever is there matters to it.
ABOUT_MARKER = 4 * HELD_FROM
#: How much farther a goal seems for each friend that is nearer to it.
FRIEND = 8 * UNIT


class Foe(NamedTuple):
    """An enemy unit, as tactics see it."""

    unit: Thing
    at: Point
    guns: Guns | None
    ready: int  # how much of its fire is to be feared, in hundredths
    cover: Covered
    dug_in: bool


def foes_of(table: Table, side: Side) -> list[Foe]:
    """The enemy units on the table."""
    found = []
    for unit in enemies(table, side):
        ready = PINNED if suppressed(unit) or at_worst(unit, BROKEN) or unit.has(StateName.PANICKED) else 100
        cover = covered(table.ground, tuple(points(table, unit.id)))
        guns = guns_of(table, unit)
        found.append(Foe(unit, centre_point(table, unit.id), guns, ready, cover, unit.has(StateName.IN_POSITION)))
    return found


# Where to --------------------------------------------------------------------------------------------------------


def gets_away(table: Table, side: Side) -> bool:
    """Whether a side is there to get through, and off the table over another edge than its own."""
    thing = table.things.get(side)
    return thing is not None and way_out(table, side) != baseline(table, side)


def friends_of(table: Table, unit: Thing) -> list[Point]:
    """Where the other units of a side are that can still fight."""
    return [centre_point(table, one.id) for one in on_table(table, unit.side) if one.id != unit.id and _fights(one)]


def goal_of(
    table: Table, unit: Thing, here: Point, friends: Sequence[Point], remembers: bool = True
) -> tuple[Point, bool]:
    """Where a unit wants to be, and whether there is something to be taken: markers, else enemies, else counters.

    Who does not remember what the battle is about goes for enemies. A sniper keeps with his friends.
    """
    if friends and not unit.gone and is_sniper(unit):  # alone he is lost: he fires from among his friends
        return min(friends, key=lambda at: center_gap(here, at)), False
    if gets_away(table, unit.side):
        return inside_of(table.ground, way_out(table, unit.side), here), True
    markers = objectives(table) if remembers else []
    wanted = [one for one in markers if one.value(StateName.HELD_BY) != unit.side]
    if wanted or markers:

        def seems(marker: Thing) -> tuple[int, str]:
            at = spot(marker)
            own = length_between(here, at)
            return own + FRIEND * sum(length_between(one, at) < own for one in friends), marker.id

        return spot(min(wanted or markers, key=seems)), bool(wanted)
    seen = [Point(*(int(value) for value in mean(there))) for there in located(table, unit.side)]
    seen = seen or [spot(one) for one in counters(table) if one.side != unit.side]
    if seen:
        return min(seen, key=lambda at: center_gap(here, at)), False
    return Point(table.ground.width // 2, table.ground.height // 2), False


def ahead(table: Table, side: Side) -> bool:
    """Whether a side would win if the battle ended now, by more than a draw (stargrunt.scenario.victory)."""
    most = max((victory_points(table, other) for other in table.sides if other != side), default=0)
    return victory_points(table, side) - most > VICTORY.number("draw_margin")


def _fights(unit: Thing) -> bool:
    return not at_worst(unit, BROKEN)


def beside_home(table: Table, unit: Thing) -> Point:
    """The middle of the baseline of a unit that has yet to enter."""
    middle = Point(table.ground.width // 2, table.ground.height // 2)
    return inside_of(table.ground, baseline(table, unit.side), middle)


def position(table: Table, unit: Thing) -> Point:
    """Where a unit is: its centre, that of the vehicle it rides in, or the middle of its baseline."""
    there = whereabouts(table, unit.id)
    return Point(*(int(value) for value in mean(there))) if there else beside_home(table, unit)


# What a place is worth -------------------------------------------------------------------------------------------


class Situation:
    """A table as far as the outlook of a unit depends on it: the same as another one where nothing of that differs.

    Of its friends' units it matters whether they still fight; their figures are things of their own.
    """

    __slots__ = ("_key", "fears", "objectives", "table", "unit")

    def __init__(self, table: Table, unit: Thing, fears: bool, objectives: bool) -> None:
        self.table, self.unit, self.fears, self.objectives = table, unit, fears, objectives
        friends = [one for one in table.of_kind("unit") if one.side == unit.side and one.id != unit.id]
        aside = {one.id for one in friends}
        things = [one for one in table.things.values() if one.id not in aside]
        broken = tuple(one.id for one in friends if at_worst(one, BROKEN))
        self._key = Same(table.ground, *things), broken, ahead(table, unit.side), unit.id, table.turn, fears, objectives

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Situation) and self._key == other._key


def outlook_of(table: Table, unit: Thing, fears: bool, objectives: bool = True) -> "Outlook":
    """What a unit sees around it; the very same as long as nothing of it changes."""
    return _outlook(Situation(table, unit, fears, objectives))


@lru_cache(maxsize=64)
def _outlook(situation: Situation) -> "Outlook":
    # The table goes on after this question; what is kept stays with the table it was found on.
    return Outlook(situation.table.copy(), situation.unit, situation.fears, situation.objectives)


class Outlook:
    """What one unit sees in the places around it."""

    def __init__(self, table: Table, unit: Thing, fears: bool, remembers: bool = True) -> None:
        self.table, self.unit, self.fears = table, unit, fears
        self.here = position(table, unit)
        self.goal, self.takes = goal_of(table, unit, self.here, friends_of(table, unit), remembers)
        self.foes = foes_of(table, unit.side)
        self.guns = guns_of(table, unit)
        self.dug_in = unit.has(StateName.IN_POSITION)
        limit = turn_limit(table) or table.turn
        bold = self.takes and not ahead(table, unit.side)
        self.inch = INCH + HURRY * min(table.turn, limit) if bold else INCH if self.takes else INCH // 2
        self.drawn = max(BOLDEST, DRAWN - BOLDER * table.turn) if bold else DRAWN
        self._markers = [(spot(one), self._at_marker(one)) for one in (objectives(table) if remembers else ())]
        self._volleys: dict[tuple[int, bool, int, int], int] = {}
        self._found: dict[object, object] = {}

    def once(self, think: Callable[..., Found], *about: int) -> Found:
        """What is thought through from here, once: a thought about the outlook and some numbers."""
        key = think, about
        if key not in self._found:
            self._found[key] = think(self, *about)
        return cast(Found, self._found[key])

    def _at_marker(self, marker: Thing) -> int:
        """What standing at a marker is worth: one to take, or one to keep from an enemy who is near."""
        if marker.value(StateName.HELD_BY) != self.unit.side:
            return TAKES
        near = ABOUT_MARKER**2
        return GUARDS if any(center_gap(foe.at, spot(marker)) <= near for foe in self.foes) else 0

    def _volley(self, n: int, given: bool, centre: Point, cover: int, dug_in: bool) -> int:
        """What a volley given to an enemy, or drawn from it, would be worth: worked out once for each Range Die."""
        foe = self.foes[n]
        guns, target = (self.guns, foe.unit) if given else (foe.guns, self.unit)
        against = None if guns is None else range_die(guns.width, length_between(centre, foe.at), cover, dug_in)
        if guns is None or against is None:
            return 0
        key = n, given, against, cover
        found = self._volleys.get(key)
        if found is None:
            found = self._volleys[key] = volley_worth(self.table, guns, target, against, cover)
        return found

    def seen(self, centre: Point) -> list[int]:
        """The numbers of the enemies that are seen from a place, and see it."""
        ground = self.table.ground
        if not self.foes or deep(ground, centre):
            return []
        return [n for n, foe in enumerate(self.foes) if figure_seen(ground, centre, foe.at)]

    def danger(self, spots: Sequence[Point], *, dug_in: bool = False, seen: Sequence[int] | None = None) -> int:
        """What the enemy's next volleys at the unit would be worth to him, as far as they are to be feared."""
        centre, total = middle(spots), 0
        seen = self.seen(centre) if seen is None else seen
        if not seen:
            return 0
        cover = covered(self.table.ground, tuple(spots))
        for n in seen:
            foe = self.foes[n]
            total += self._volley(n, False, centre, cover.against(foe.at), dug_in) * foe.ready // 100
        return total * self.drawn // 100

    def fire(self, spots: Sequence[Point], seen: Sequence[int] | None = None) -> int:
        """What the unit's best volley from there would be worth."""
        centre, best = middle(spots), 0
        for n in self.seen(centre) if seen is None else seen:
            foe = self.foes[n]
            if self._volley(n, True, centre, OPEN, foe.dug_in) > best:
                best = max(best, self._volley(n, True, centre, foe.cover.against(centre), foe.dug_in))
        return best

    def worth(self, spots: Sequence[Point], *, dug_in: bool = False) -> Reasons:
        """What standing there is worth."""
        centre = middle(spots)
        seen = self.seen(centre)
        parts = [("ground", self._ground(centre)), ("marker", self._held(spots, centre))]
        if self.fears:
            parts.append(("danger", -self.danger(spots, dug_in=dug_in, seen=seen)))
        parts.append(("fire", self.fire(spots, seen) * GIVEN // 100))
        return tuple(parts)

    def at_best(self, spots: Sequence[Point]) -> int:
        """What standing there is worth at best: every enemy in sight and in the open, and nobody fires back."""
        centre = middle(spots)
        fire = max((self._volley(n, True, centre, OPEN, foe.dug_in) for n, foe in enumerate(self.foes)), default=0)
        return self._ground(centre) + self._held(spots, centre) + fire * GIVEN // 100

    def _ground(self, centre: Point) -> int:
        return -max(0, length_between(centre, self.goal) - HELD_FROM // 2) * self.inch // UNIT

    def _held(self, spots: Sequence[Point], centre: Point) -> int:
        """What being at markers is worth, with most of the figures."""
        total = 0
        for at, worth in self._markers:
            if worth and center_gap(centre, at) <= ABOUT_MARKER**2:
                if 2 * sum(center_gap(one, at) <= HELD_FROM * HELD_FROM for one in spots) > len(spots):
                    total += worth
        return total


def gain(better: Reasons, worse: Reasons) -> Reasons:
    """What one place is worth more than another, reason by reason.

    >>> gain((("ground", 5),), (("ground", 3),))
    (('ground', 2),)
    """
    before = dict(worse)
    return tuple((why, value - before.get(why, 0)) for why, value in better)
