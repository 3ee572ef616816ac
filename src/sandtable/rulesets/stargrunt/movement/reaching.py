"""How far figures and vehicles get in one move, by the code that judges their walks."""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import Disc, Leg, Point, Shape, Via, Walk
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import pieces_at
from sandtable.field.measure import center_gap
from sandtable.field.walking.encounters import first_true, over_edge
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker, reach
from sandtable.field.walking.spans import spans
from sandtable.field.walking.surroundings import Lie
from sandtable.rulesets.stargrunt.cover.building_sides import refused_leaving
from sandtable.rulesets.stargrunt.cover.protection import LINEAR
from sandtable.rulesets.stargrunt.movement.terrain_costs import COSTS, Rates, grade, mover, rates
from sandtable.rulesets.stargrunt.movement.walking import FIGURES, crowded, others, refused_by_enemies
from sandtable.rulesets.stargrunt.units.record import BASE, is_hull, on_ground, spot
from sandtable.rulesets.stargrunt.vehicles.hulls import footprint

#: How near to an enemy no figure comes.
APART = FIGURES.inches("min_distance_to_enemy_in")


def figures_reach(table: Table, figures: Sequence[Thing], allowance: int, carried: Sequence[str]) -> tuple[Shape, ...]:
    """Where some of the figures of a unit may get with a move, each by itself; nobody of the unit is in their way.

    That they stay together, and whither a Broken unit may not go, is judged of the move of all.
    """
    key = (figures_reach, tuple(one.id for one in figures), allowance, tuple(carried))
    found: tuple[Shape, ...] | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = _reach(table, figures, allowance, carried)
    return found


def _reach(table: Table, figures: Sequence[Thing], allowance: int, carried: Sequence[str]) -> tuple[Shape, ...]:
    far = (allowance + 2 * BASE.size) ** 2
    moving = [*(one.id for one in figures), *carried]
    still = [
        other
        for other in others(table, moving)
        if not isinstance(other, Point) or any(center_gap(other, spot(one)) <= far for one in figures)
    ]

    def may_end(at: Point) -> bool:
        return not over_edge(Disc(at, BASE.size // 2), table.ground) and not crowded([at], still)

    return reach([walker(table, one, allowance) for one in figures], may_end)


def walker(table: Table, figure: Thing, allowance: int) -> Walker:
    """A figure as it may walk with an allowance."""
    foes = [one for one in on_ground(table) if one.side != figure.side]
    near = tuple(_kept_off(foe) for foe in foes)
    lie = Lie(table.ground, BASE, weighed(figure), near)
    return Walker(Pose(spot(figure)), _as_far(table, figure, allowance, foes), Gait(allowance, facing=False), lie)


def weighed(mover_: Thing) -> Callable[[Piece], int | None]:
    """How many times slower ground is for a figure or vehicle, as a guide; walls and hedges cost something too."""
    who = mover(mover_)

    def weigh(piece: Piece) -> int | None:
        if piece.kind in LINEAR:
            return COSTS.number("poor")
        word = grade(piece.kind, who)
        return None if word == "impassable" else COSTS.number(word)

    return weigh


def _kept_off(foe: Thing) -> Shape:
    """The ground around an enemy that the base of a figure does not come over."""
    return footprint(foe) if is_hull(foe) else Disc(spot(foe), BASE.size // 2 + APART)


def _as_far(table: Table, figure: Thing, allowance: int, foes: Sequence[Thing]) -> Callable[[Walk], int]:
    """How far along a walk a figure comes: what it can pay for, out of a building by an open side, past its enemies.

    It is asked for hundreds of walks, so what is plain is reckoned, and the judges of walking are asked for the rest.
    """
    start, paid = Pose(spot(figure)), rates(table.ground, figure, allowance)
    near = [(spot(foe), foe) for foe in foes if _may_meet(spot(foe), start.point, allowance, foe)]
    figures = [at for at, foe in near if not is_hull(foe) and center_gap(at, start.point) >= KEPT * KEPT]
    doubtful = [foe for at, foe in near if is_hull(foe) or center_gap(at, start.point) < KEPT * KEPT]
    sheltered = any(piece.kind == "building" for piece in pieces_at(table.ground, start.point))

    def refused(track: Track) -> bool:
        return bool(refused_leaving(table, figure, track) or refused_by_enemies(figure, track, doubtful))

    def as_far(walk: Walk) -> int:
        track = resolve(start, walk)
        far, _ = affordable(track, table.ground, paid)
        for stretch in track.stretches:
            if stretch.along >= far:
                break
            for at in figures:
                far = min(far, stretch.along + _clear_of(stretch.start, stretch.end, stretch.length, at))
        if (doubtful or sheltered) and refused(beginning(track, far)):
            first = first_true(0, far, lambda gone: refused(beginning(track, gone)))
            far = max(0, (first or 0) - 1)
        return far

    return as_far


#: How far apart the centres of a figure and an enemy stay.
KEPT = BASE.size + APART


def _may_meet(at: Point, start: Point, allowance: int, foe: Thing) -> bool:
    size = KEPT + (foe.base.size + foe.base.depth if foe.base is not None else 0)
    return center_gap(at, start) <= (allowance + size) ** 2


def _clear_of(a: Point, b: Point, length: int, foe: Point) -> int:
    """How far from one point to another the centre of a figure comes before it is too near to an enemy figure.

    >>> _clear_of(Point(0, 0), Point(9000, 0), 9000, Point(5000, 0)), KEPT
    (2998, 2000)
    """
    dx, dy, u, v = b[0] - a[0], b[1] - a[1], foe[0] - a[0], foe[1] - a[1]
    ahead, aside = u * dx + v * dy, u * dy - v * dx
    if not length or ahead <= 0 or aside * aside >= KEPT * KEPT * length * length:
        return length
    meets = ahead // length - isqrt(KEPT * KEPT - aside * aside // (length * length)) - 2
    return min(length, max(0, meets))


def affordable(track: Track, ground: Ground, paid: Rates) -> tuple[int, int]:
    """How far along a track somebody can pay its way, and what that costs: as `price_by_length` finds by trial."""
    spent = 0
    assert paid.allowance is not None
    for span in spans(track, ground):
        cost = paid.span(span)
        if isinstance(cost, Refusal):
            return span.start, spent
        if spent + cost.total > paid.allowance:
            by_length, *over = [part.value for part in cost.parts]
            each = by_length // (span.end - span.start)
            more = max(0, (paid.allowance - spent - sum(over)) // each)
            return span.start + more, spent + more * each
        spent += cost.total
    return track.length, spent


class Come(NamedTuple):
    """Where somebody has come by some legs of a walk: how far, what is left to spend, and whether to their end."""

    pose: Pose
    gone: int
    left: int
    whole: bool = True


def leg_by_leg(start: Pose, ground: Ground, paid: Rates, until: Callable[[Track], int]) -> Callable[[Walk], int]:
    """How far along a walk somebody comes: as far as it can pay and as `until` lets it, one leg after the other.

    Walks that are looked at begin alike; what a beginning comes to is found once.
    """
    assert paid.allowance is not None
    known: dict[tuple[Leg | Via, ...], Come] = {(): Come(start, 0, paid.allowance)}

    def after(legs: tuple[Leg | Via, ...]) -> Come:
        found = known.get(legs)
        if found is None:
            found = known[legs] = one_more(after(legs[:-1]), legs[-1])
        return found

    def one_more(come: Come, leg: Leg | Via) -> Come:
        if not come.whole:
            return come
        track = resolve(come.pose, Walk((leg,)))
        began = tuple(piece.id for piece in pieces_at(ground, come.pose.point)) if come.gone else paid.began_in
        far, spent = affordable(track, ground, replace(paid, allowance=come.left, began_in=began))
        far = min(far, until(track))
        return Come(track.end, come.gone + far, come.left - spent, far == track.length)

    def as_far(walk: Walk) -> int:
        come = after(walk.legs[:-1])
        return (one_more(come, walk.legs[-1]) if walk.legs else come).gone

    return as_far


def beginning(track: Track, far: int) -> Track:
    """A track as far as a distance."""
    return track if far >= track.length else resolve(track.start, track.cut(far)[0])
