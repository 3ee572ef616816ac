"""Where tactics let a vehicle drive: ways straight ahead after a turn, and what each is worth."""

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, At, Leg, Walk
from sandtable.field.walking.paths import Pose, resolve
from sandtable.rulesets.stargrunt.tactics.outlook import Outlook, gain
from sandtable.rulesets.stargrunt.tactics.places import ranked
from sandtable.rulesets.stargrunt.units.record import hull_of, spot
from sandtable.rulesets.stargrunt.vehicles.driving import BASE_MOVE, refused_drive
from sandtable.rulesets.stargrunt.vehicles.hulls import flies
from sandtable.tabletop.opponent import Reasons, total

#: By how many degrees a vehicle thinks of turning, one way or the other.
TURN = 30
#: How much of its move it thinks of going, in quarters.
QUARTERS = (4, 3, 2, 1)
#: How far it stays short of its move, so that rounding is no matter.
SPARE = UNIT // 10


class Driving(NamedTuple):
    """A way of a vehicle, and what its end is worth more than where it stands."""

    hull: str
    walk: Walk
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return total(self.parts)

    @property
    def label(self) -> str:
        """The way in words."""
        (leg,) = self.walk.legs
        return f"drive {leg.go // UNIT}″" if isinstance(leg, Leg) else "drive"


def drives(outlook: Outlook, most: int) -> Iterator[Driving]:
    """The ways a vehicle may think of, the best first; whether each may be gone is seen when it is answered."""
    hull = hull_of(outlook.table, outlook.unit.id)
    if hull is None or flies(hull) or not isinstance(hull.place, At):
        return
    staying = outlook.worth([spot(hull)])
    walks, ends = [], []
    for degrees in range(0, 360, TURN):
        for quarters in QUARTERS:
            walk = Walk((Leg(degrees, (BASE_MOVE - SPARE) * quarters // 4),))
            end = resolve(Pose(spot(hull), hull.facing), walk).end.point
            if 0 < end.x < outlook.table.ground.width and 0 < end.y < outlook.table.ground.height:
                walks.append(walk)
                ends.append([end])
    for n, parts in ranked(outlook, ends, most * most):
        yield Driving(hull.id, walks[n], gain(parts, staying))


def best_drive(outlook: Outlook, most: int) -> Driving | None:
    """The best way that a vehicle can really drive; none where it had better stay."""
    return outlook.once(_best_drive, most)


def _best_drive(outlook: Outlook, most: int) -> Driving | None:
    hull = hull_of(outlook.table, outlook.unit.id)
    for one in drives(outlook, most):
        if one.worth <= 0 or hull is None:
            return None
        if refused_drive(outlook.table, outlook.unit, hull, one.walk, BASE_MOVE) is None:
            return one
    return None
