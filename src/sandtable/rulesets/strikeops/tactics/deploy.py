"""Where squads are placed: side by side, in front, across from the enemy, or on the hill that they hold."""

from collections.abc import Iterator

from sandtable.engine.ids import Side
from sandtable.engine.questions import PlaceThings
from sandtable.engine.shapes import UNIT, At, Point, Region, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import inside_of
from sandtable.field.ground import box_of
from sandtable.field.measure import bearing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.strikeops.missions import on_hill_when_placed
from sandtable.rulesets.strikeops.setup import EDGES, refused_spot
from sandtable.rulesets.strikeops.tactics.errands import hill_middle
from sandtable.tabletop.opponent import Idea

#: How far apart places are that are looked at, and models of a squad at least.
STEP, APART = 2 * UNIT, 3 * UNIT


def deployments(table: Table, question: PlaceThings) -> Iterator[Idea]:
    """In front and together: near the middle, beside those who stand there already, or opposite the enemy."""
    side, area = question.side, question.where[""]
    own, foes = [center(one) for one in table.models(side)], [center(one) for one in table.enemies_of(side)]
    hill = hill_middle(table)
    marks = [("beside the others", _mean(own)), ("opposite the enemy", _mean(foes)), ("in the middle", _across(table))]
    for n, (words, mark) in enumerate([("on the hill", hill), *marks]):
        if mark is None:
            continue
        found = _side_by_side(table, question, area, mark)
        if found is not None:
            yield Idea(found, words, (("near to each other and to the enemy", len(marks) + 1 - n),))


def _mean(points: list[Point]) -> Point | None:
    if not points:
        return None
    return Point(sum(one.x for one in points) // len(points), sum(one.y for one in points) // len(points))


def _across(table: Table) -> Point:
    return Point(table.ground.width // 2, table.ground.height // 2)


def _side_by_side(table: Table, question: PlaceThings, area: Region, mark: Point) -> dict[str, Spot] | None:
    """The lawful places nearest to a point, apart from each other, facing it from afar."""
    found: dict[str, Spot] = {}
    for name in question.things:
        model = table[name]
        own = question.where.get(name, area)
        spot = next(
            (
                one
                for one in _spots(table, model, own, mark)
                if all(_apart(one, other) for other in found.values())
                and refused_spot(table, model, one, found, area) is None
                and (name not in question.where or on_hill_when_placed(table, model, one))
            ),
            None,
        )
        if spot is None:
            return None
        found[name] = spot
    return found


def _spots(table: Table, model: Thing, area: Region, mark: Point) -> list[Spot]:
    west, north, east, south = box_of(area.inside[0])
    facing = _inward(table, model.side)
    points = [Point(x, y) for x in range(west + UNIT, east, STEP) for y in range(north + UNIT, south, UNIT)]
    points.sort(key=lambda at: (length_between(at, mark), at))
    return [Spot(At(at), facing) for at in points]


def _inward(table: Table, side: Side) -> int:
    middle = _across(table)
    return bearing(inside_of(table.ground, EDGES.home(table, side), middle), middle)


def _apart(one: Spot, other: Spot) -> bool:
    assert isinstance(one.where, At)
    assert isinstance(other.where, At)
    return length_between(one.where.point, other.where.point) >= APART
