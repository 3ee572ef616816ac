"""Where somebody has set foot: near which counters figures and vehicles have passed, whatever lies under them.

What everybody can see is noted here, for every counter alike; what a counter does then is for its own rules to say.
"""

from itertools import pairwise

from sandtable.engine.battle import Battle
from sandtable.engine.shapes import Disc, Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import on_or_inside
from sandtable.field.walking.paths import Pose, resolve
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.units.record import counters, spot
from sandtable.tabletop.states import give

MINEFIELDS = rule("stargrunt.obstacles.minefields")
BOOBY_TRAPS = rule("stargrunt.obstacles.booby-traps")
#: How far from its counter a minefield or a trap reaches.
REACH = MINEFIELDS.inches("radius_in")
same_number("how far a trap reaches", BOOBY_TRAPS.inches("range_in"), REACH)
#: Which counters a figure or vehicle has passed in the move that is being made.
TROD = "passed"


def passes(way: list[Point], at: Point, reach: int) -> bool:
    """Whether a way of straight lines comes within reach of a point.

    >>> passes([Point(0, 0), Point(9000, 0)], Point(4000, 3000), 3000)
    True
    >>> passes([Point(0, 0), Point(9000, 0)], Point(4000, 3001), 3000)
    False
    """
    disc = Disc(at, reach)
    if any(on_or_inside(disc, one) for one in way):
        return True
    return any(_touches(disc, a, b) for a, b in pairwise(way))


def _touches(disc: Disc, a: Point, b: Point) -> bool:
    """Whether a straight line touches a disc, exactly: by the foot of the perpendicular from its centre."""
    ux, uy = b.x - a.x, b.y - a.y
    vx, vy = disc.center.x - a.x, disc.center.y - a.y
    along, square = ux * vx + uy * vy, ux * ux + uy * uy
    if not 0 <= along <= square:
        return False
    across = ux * vy - uy * vx
    return across * across <= disc.radius * disc.radius * square


def tread(battle: Battle, mover: Thing, walk: Walk, because: int = 0) -> None:
    """Note the counters that somebody passes within three inches, before it is moved along a walk."""
    near = counters(battle.table)
    if not near:
        return
    track = resolve(Pose(spot(mover), mover.facing), walk)
    way = [track.start.point, *(stretch.end for stretch in track.stretches)]
    if len(way) < 2:
        return
    passed = tuple(one.id for one in near if passes(way, spot(one), REACH))
    if passed:
        give(battle, mover.id, TROD, MINEFIELDS, passed, because=because)


def trodden(table: Table) -> list[Thing]:
    """The figures and vehicles that have passed counters in the move just made."""
    return [one for one in table.models() if one.has(TROD)]
