"""Deployment for tactics: in line at the front, or better, in or behind something that gives cover."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.engine.shapes import UNIT, At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import chart
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.sight import NONE
from sandtable.rulesets.quickstart.movement.moves import terrain_cost
from sandtable.rulesets.quickstart.setup.board import home_edge, zone
from sandtable.rulesets.quickstart.sight import kind_of_cover
from sandtable.rulesets.quickstart.tactics.charge import spread_out
from sandtable.rulesets.quickstart.tactics.memory import Memory
from sandtable.rulesets.quickstart.tactics.places import MOST_FOES, NEXT, weighed
from sandtable.tabletop.opponent import Idea

#: The spots in line that are thought of besides, and how near to the zone something must be to stand behind it.
_IN_LINE = 3
_NEAR = 2 * UNIT
#: In hundredths, what the enemies' fire counts: more than on the way, for a place to start from is kept for long.
_FEAR = 40
#: How far from the edges of the zone a base is placed, and from the next one.
_INSET = UNIT
_APART = 2 * UNIT


def deployments(memory: Memory, table: Table, model: Thing, skill: Any) -> Iterator[Idea]:
    """Spots for a model, weighed by the fire they give and draw; where there is no cover to be had, in line."""
    line = [spot for _, spot in zip(range(_IN_LINE), spread_out(table, model), strict=False)]
    spots = list(_sheltered(table, model, line[0][model.id].facing)) if line and skill.fears else []
    if not spots:
        yield from (Idea(spot, "in line", (("", -n),)) for n, spot in enumerate(line))
        return
    spots += [spot[model.id] for spot in line]
    foes = _expected(table, model)
    poses = [(spot.where.point, spot.facing) for spot in spots if isinstance(spot.where, At)]
    here = replace(model, place=At(poses[0][0]), facing=poses[0][1])
    lookout = memory.lookout(table, here, poses, foes)
    gunner, gunners = memory.gunner(model), [memory.gunner(foe) for foe in foes]
    for n, spot in enumerate(spots):
        seen = [lookout.sighting(n, foe) for foe in range(len(foes))]
        pose = weighed(gunner, foes, gunners, seen, fears=True, twists=True)
        words = "in line" if n >= len(spots) - len(line) else "under cover"
        fire, fear = pose.locked.worth * NEXT // 100, -pose.exposure * _FEAR // 100
        yield Idea({model.id: spot}, words, (("fire", fire), ("enemy fire", fear)))


def _sheltered(table: Table, model: Thing, facing: int) -> Iterator[Spot]:
    """Spots in and behind the pieces that give cover, as far as the zone has room there."""
    corners = zone(table.ground, home_edge(table, model.side)).points
    west, north, east, south = corners[0].x, corners[0].y, corners[2].x, corners[2].y
    taken = [center(other) for other in table.models()]
    for box, piece in chart(table.ground).pieces:
        if kind_of_cover(piece.kind) == NONE:
            continue
        if not (box[0] < east + _NEAR and box[2] > west - _NEAR and box[1] < south + _NEAR and box[3] > north - _NEAR):
            continue
        aside = 0 if terrain_cost(piece) is not None else _INSET
        middle = Point((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
        for x, y in (middle, (middle.x, box[1] - aside), (middle.x, box[3] + aside)):
            at = Point(
                min(max(x, west + _INSET), east - _INSET),
                min(max(y, north + _INSET), south - _INSET),
            )
            if all(max(abs(at.x - other.x), abs(at.y - other.y)) >= _APART for other in taken):
                yield Spot(At(at), facing)
                break


def _expected(table: Table, model: Thing) -> list[Thing]:
    """The enemies that stand already; where none does, some that might, along the front of their zone."""
    found = [other for other in table.models() if other.side != model.side][:MOST_FOES]
    if found:
        return found
    other = next(side for side in table.sides if side != model.side)
    edge = home_edge(table, other)
    corners = zone(table.ground, edge).points
    west, north, east, south = corners[0].x, corners[0].y, corners[2].x, corners[2].y
    middle = Point((west + east) // 2, (north + south) // 2)
    aside = 8 * UNIT
    steps = [(n * aside, 0) if edge in ("north", "south") else (0, n * aside) for n in (-1, 0, 1)]
    return [
        replace(model, id=f"{other}?{n}", side=other, place=At(Point(middle.x + dx, middle.y + dy)), harm=0)
        for n, (dx, dy) in enumerate(steps)
    ]
