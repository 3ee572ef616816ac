"""Previews: a model where a walk would take it, the walk with its costs, and how far it could get."""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine.questions import PathNote
from sandtable.engine.shapes import UNIT, At, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import Pose
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker
from sandtable.field.walking.surroundings import Lie
from sandtable.rulesets.cav.concepts import base_of, outline, pose
from sandtable.rulesets.cav.movement import Going, Rates


def moved_to(table: Table, model: Thing, pose: Pose) -> Table:
    """The table with a model where a walk would take it."""
    there = table.copy()
    there.things[model.id] = replace(model, place=At(pose.point), facing=pose.facing)
    return there


def path_note(gone: Going, model: Thing, allowance: int) -> PathNote:
    """A way for drawing, with what each inch and turn costs."""
    points = tuple(dict.fromkeys([gone.track.start.point, *(one.end for one in gone.track.stretches)]))
    return PathNote(model.id, points, tuple(step.cost for step in gone.trace.steps), gone.trace.total, allowance)


def walker(table: Table, model: Thing, rates: Rates, as_far: Callable[[Walk], int]) -> Walker:
    """A model as it may walk: turns, inches and bases in its way as the edition has them."""
    turning = rates.rules.turning
    gait = Gait(
        rates.allowance * UNIT,
        most_turn=turning.most,
        free_turns=max(0, turning.free_each * rates.actions - rates.turns_made),
        turn_length=turning.cost * UNIT,
        backwards=True,
        backward_length=2 * UNIT,
    )
    others = tuple(outline(one) for one in table.models() if one.id != model.id)
    lie = Lie(
        table.ground, base_of(model), lambda piece: rates.rules.cost(rates.move_class, piece), others, may_leave=True
    )
    return Walker(pose(model), as_far, gait, lie)
