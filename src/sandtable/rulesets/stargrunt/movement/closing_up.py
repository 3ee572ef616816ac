"""Figures that have strayed close up with the rest of their unit."""

from collections.abc import Sequence

from sandtable.engine.shapes import UNIT, Point, Polygon, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.cover.integrity import INTEGRITY
from sandtable.rulesets.stargrunt.movement.walking import base_mobility, crowded, others, refused_walks
from sandtable.rulesets.stargrunt.units.record import spot, standing


def close_up(table: Table, unit: Thing) -> dict[str, Walk]:
    """Walks that bring stray figures back to the largest part of a unit that hangs together, or nearer to it."""
    figures = standing(table, unit.id)
    spots = [spot(one) for one in figures]
    link = INTEGRITY.inches("chain_in")
    core = max((_linked(at, spots, link) for at in spots), key=len)
    taken = [*others(table, [one.id for one in figures]), *core]
    walks: dict[str, Walk] = {}
    for one in figures:
        at = spot(one)
        if at in core:
            continue
        goal = min(core, key=lambda p: (center_gap(p, at), p))
        found = _free_beside(table, unit, one, goal, taken)
        if found is not None:
            walks[one.id] = Walk((Via(found),))
            taken.append(found)
            core = [*core, found]
        else:
            taken.append(at)
    return walks if refused_walks(table, unit.side, walks, base_mobility(unit), together=False) is None else {}


def _linked(start: Point, spots: Sequence[Point], link: int) -> list[Point]:
    found, left = [start], [p for p in spots if p != start]
    for at in found:
        near = [p for p in left if center_gap(at, p) <= link * link]
        left = [p for p in left if p not in near]
        found += near
    return found


def _free_beside(table: Table, unit: Thing, one: Thing, goal: Point, taken: Sequence[Point | Polygon]) -> Point | None:
    """The point nearest to a figure that is within a link of a goal, free, and within its move; on a half-inch grid."""
    link, step = INTEGRITY.inches("chain_in"), UNIT // 2
    at = spot(one)
    around = [
        Point(goal.x + x, goal.y + y)
        for x in range(-link, link + 1, step)
        for y in range(-link, link + 1, step)
        if x * x + y * y <= link * link
    ]
    for point in sorted(around, key=lambda p: (center_gap(p, at), p)):
        walks = {one.id: Walk((Via(point),))}
        if crowded([point], taken) or refused_walks(table, unit.side, walks, base_mobility(unit), together=False):
            continue
        return point
    return None
