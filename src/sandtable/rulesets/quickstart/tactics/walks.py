"""Ways for tactics: how a Walker strolls, and walks cut to what the rules allow."""

from collections.abc import Sequence

from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.movement import Rates
from sandtable.rulesets.quickstart.movement.moves import FREE_TURN, going, terrain_cost
from sandtable.tabletop.scouting.strolls import Strides

WALKERS = Strides(terrain_cost, frozenset(("wreck",)), 750, 1200, 1800, FREE_TURN.number("max_degrees"))
#: By how much a walk is cut shorter than it must be, for the shorter one is judged anew.
_SPARED = 10


def walked(table: Table, model: Thing, walk: Walk, rates: Rates, contacts: Sequence[str] = ()) -> Walk | None:
    """A walk cut to what the rules allow, or none where that is nothing."""
    for _ in range(3):
        gone = going(table, model, walk, rates, contacts)
        if gone.leaves:
            return None
        if gone.reach >= gone.track.length and gone.trace.stop is None:
            return walk
        if gone.reach <= _SPARED:
            return None
        walk = gone.track.cut(gone.reach - _SPARED)[0]
    return None
