"""Deployment for tactics: in line at the front, or better, in or behind something that gives cover."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.engine.ids import Side
from sandtable.engine.shapes import UNIT, At, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import chart
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.sight import NONE
from sandtable.rulesets.quickstart.movement.moves import terrain_cost
from sandtable.rulesets.quickstart.setup.board import home_edge, zone
from sandtable.rulesets.quickstart.sight import kind_of_cover
from sandtable.rulesets.quickstart.tactics.memory import Memory
from sandtable.rulesets.quickstart.tactics.places import MOST_FOES, NEXT, weighed
from sandtable.tabletop.opponent import Idea
from sandtable.tabletop.scouting.spots import Front, front_of, in_line, sheltered

#: The spots in line that are thought of besides, and how far apart enemies are expected that do not stand yet.
_IN_LINE = 3
_EXPECTED_APART = 8 * UNIT
#: In hundredths, what the enemies' fire counts: more than on the way, for a place to start from is kept for long.
_FEAR = 40


def _front(table: Table, side: Side) -> Front:
    edge = home_edge(table, side)
    return front_of(zone(table.ground, edge), edge)


def in_a_row(table: Table, model: Thing) -> Iterator[dict[str, Spot]]:
    """At the front of the zone, facing the enemy, side by side from the middle."""
    front = _front(table, model.side)
    taken = [center(other) for other in table.models(model.side)]
    return ({model.id: Spot(At(at), front.facing)} for at in in_line(front, taken))


def deployments(memory: Memory, table: Table, model: Thing, skill: Any) -> Iterator[Idea]:
    """Spots for a model, weighed by the fire they give and draw; where there is no cover to be had, in line."""
    front = _front(table, model.side)
    line = [spot for _, spot in zip(range(_IN_LINE), in_a_row(table, model), strict=False)]
    covers = [
        (box, terrain_cost(piece) is not None)
        for box, piece in chart(table.ground).pieces
        if kind_of_cover(piece.kind) != NONE
    ]
    taken = [center(other) for other in table.models()]
    found = sheltered(front, covers, taken) if line and skill.fears else ()
    spots = [Spot(At(at), front.facing) for at in found]
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


def _expected(table: Table, model: Thing) -> list[Thing]:
    """The enemies that stand already; where none does, some that might, along the front of their zone."""
    found = [other for other in table.models() if other.side != model.side][:MOST_FOES]
    if found:
        return found
    other = next(side for side in table.sides if side != model.side)
    front = _front(table, other)
    return [
        replace(
            model, id=f"{other}?{n}", side=other, place=At(front.aside(front.middle, aside * _EXPECTED_APART)), harm=0
        )
        for n, aside in enumerate((-1, 0, 1))
    ]
