"""How far a model gets in the move it is asked for: by `going`, which judges and walks it."""

from sandtable.engine.questions import MoveModels
from sandtable.engine.shapes import UNIT, Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker, reach
from sandtable.field.walking.surroundings import Lie
from sandtable.rulesets.cav.concepts import base_of, outline, pose
from sandtable.rulesets.quickstart.movement.moves import (
    EXTRA_TURN,
    FREE_TURN,
    going,
    terrain_cost,
)
from sandtable.rulesets.quickstart.movement.walking import contacts_of, rates_of


def walk_reach(table: Table, model: Thing, question: MoveModels) -> tuple[Shape, ...]:
    """Where the middle of a model may get with the walk it is asked for."""
    facts = tuple(sorted(question.facts.items()))
    key = (walk_reach, table.ground, model.id, question.topic, question.allowance[model.id], facts, question.about)
    found: tuple[Shape, ...] | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = reach([walker(table, model, question)])
    return found


def walker(table: Table, model: Thing, question: MoveModels) -> Walker:
    """A model as it may walk: turns, inches and bases in its way as `going` has them."""
    rates, contacts = rates_of(model, question), contacts_of(question)
    taken = max(0, FREE_TURN.number("free_per_move_action") - question.facts["turns"])
    gait = Gait(
        question.allowance[model.id] * UNIT,
        most_turn=FREE_TURN.number("max_degrees"),
        free_turns=taken,
        turn_length=EXTRA_TURN.number("mv_cost") * UNIT,
        backwards=True,
        backward_length=2 * UNIT,
    )
    others = tuple(outline(one) for one in table.models() if one.id != model.id)
    lie = Lie(table.ground, base_of(model), terrain_cost, others, may_leave=True)
    return Walker(pose(model), lambda walk: going(table, model, walk, rates, contacts).reach, gait, lie)
