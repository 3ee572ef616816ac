"""How far a model gets in the move it is asked for: by `going`, which judges and walks it."""

from sandtable.engine.questions import MoveModels
from sandtable.engine.shapes import Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.reach import Walker, reach
from sandtable.rulesets.cav.previews import walker as walker_with
from sandtable.rulesets.quickstart.movement.moves import going
from sandtable.rulesets.quickstart.movement.walking import contacts_of, rates_of


def walk_reach(table: Table, model: Thing, question: MoveModels) -> tuple[Shape, ...]:
    """Where the middle of a model may get with the walk it is asked for; nothing where nobody looks."""
    if "reach" not in question.shows:
        return ()
    facts = tuple(sorted(question.facts.items()))
    key = (walk_reach, model.id, question.topic, question.allowance[model.id], facts, question.about)
    found: tuple[Shape, ...] | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = reach([walker(table, model, question)])
    return found


def walker(table: Table, model: Thing, question: MoveModels) -> Walker:
    """A model as it may walk: turns, inches and bases in its way as `going` has them."""
    rates, contacts = rates_of(model, question), contacts_of(question)
    return walker_with(table, model, rates, lambda walk: going(table, model, walk, rates, contacts).reach)
