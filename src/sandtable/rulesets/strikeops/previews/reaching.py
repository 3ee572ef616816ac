"""How far a model may get with its Move Actions."""

from sandtable.engine.shapes import Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.reach import reach
from sandtable.rulesets.cav.movement import Rates
from sandtable.rulesets.cav.previews import walker
from sandtable.rulesets.strikeops.movement import going
from sandtable.rulesets.strikeops.state_names import StateName


def walk_reach(table: Table, model: Thing, rates: Rates) -> tuple[Shape, ...]:
    """Where the middle of a model may get with its Move Actions; found once, as long as nobody moves.

    Of a suppressed one as long as nothing changes: it minds which enemies are out of action.
    """
    cache = table.things_cache if model.has(StateName.SUPPRESSED) else table.posture
    key = ("walk reach", model.id, rates)
    found: tuple[Shape, ...] | None = cache.get(key)
    if found is None:
        there = walker(table, model, rates, lambda walk: going(table, model, walk, rates).reach)
        found = cache[key] = reach([there])
    return found
