"""Models on their bases: where they stand, and a cheap look before an exact one."""

from sandtable.engine.shapes import At, Base, Disc, Point, Polygon
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, outline_of
from sandtable.field.walking.paths import Pose


def outline(model: Thing) -> Disc | Polygon:
    """The outline of a model's base where it stands."""
    assert isinstance(model.place, At)
    assert model.base is not None
    return outline_of(model.base, model.place.point, model.facing)


def base_of(model: Thing) -> Base:
    """A model's base; every model has one."""
    assert model.base is not None
    return model.base


def center(model: Thing) -> Point:
    """The centre of a model's base."""
    assert isinstance(model.place, At)
    return model.place.point


def pose(model: Thing) -> Pose:
    """How a model stands."""
    return Pose(center(model), model.facing)


def surely_apart(one: Base, here: Point, other: Base, there: Point) -> bool:
    """A cheap look before the exact one: whether two bases so far apart cannot touch, however they stand.

    No base reaches farther from its centre than three fifths of its size and its depth together: the corner of a
    hexagon is its size divided by the root of three away, that of a rectangle less than half of both.
    """
    reach = (one.size + one.depth + other.size + other.depth) * 3 // 5 + 1 + CONTACT
    return not (-reach <= here[0] - there[0] <= reach and -reach <= here[1] - there[1] <= reach)


def may_reach(a: Thing, point: Point, reach: int) -> bool:
    """A cheap look before an exact one: whether a base could be so near to a point at all."""
    here, base = a.place, base_of(a)
    farthest = base.size + base.depth + reach  # no base reaches farther from its centre than its size and depth
    return type(here) is At and abs(here.point.x - point.x) <= farthest and abs(here.point.y - point.y) <= farthest


def enemies(table: Table, model: Thing) -> list[Thing]:
    """The enemy models on the table."""
    return table.enemies_of(model.side)
