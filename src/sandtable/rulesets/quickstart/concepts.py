"""Concepts: models, bases, contact, facing, and how distances are measured."""

from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, gap, gap_to_point
from sandtable.field.survey import crowd
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, center, outline, surely_apart
from sandtable.rulesets.quickstart.state_names import StateName

SCOPE = rule("quickstart.concepts.quick-start-scope")
DISPUTE = rule("quickstart.concepts.rules-dispute-roll")
MODEL = rule("quickstart.concepts.model")
SQUAD = rule("quickstart.concepts.squad-and-force-group")
BASE = rule("quickstart.concepts.base")
CONTACT_RULE = rule("quickstart.concepts.base-to-base-contact")
DECLARE_CONTACT = rule("quickstart.concepts.declare-base-contact")
CONTACT_ENDS_MOVE = rule("quickstart.concepts.base-contact-ends-move")
ACTING_IN_CONTACT = rule("quickstart.concepts.acting-in-base-contact")
AIRCRAFT = rule("quickstart.concepts.aircraft-never-in-contact")
FACING = rule("quickstart.concepts.model-facing")
SCALE = rule("quickstart.concepts.scale")
MEASURING = rule("quickstart.concepts.measuring")
TURN_STRUCTURE = rule("quickstart.concepts.turn-structure")

#: An undeclared move stops where this gap is left (quickstart.concepts.declare-base-contact).
CLEAR = 2 * CONTACT


def distance(a: Thing, b: Thing) -> int:
    """From base edge to base edge on the sides that face each other; rounded up, so that "within" is exact."""
    return gap(outline(a), outline(b))


def distance_to(a: Thing, point: Point) -> int:
    """From the nearest edge of a base to a point of the board."""
    return max(0, gap_to_point(outline(a), point))


def in_contact(a: Thing, b: Thing) -> bool:
    """Whether two models are in base-to-base contact; aircraft in flight, and models on two floors, never are."""
    here, there = a.place, b.place
    if type(here) is not At or type(there) is not At or here.level != there.level or a.gone or b.gone:
        return False
    if surely_apart(base_of(a), here.point, base_of(b), there.point):
        return False
    return not (a.has(StateName.IN_FLIGHT) or b.has(StateName.IN_FLIGHT)) and distance(a, b) <= CONTACT


def touching(table: Table, model: Thing) -> tuple[Thing, ...]:
    """The models in contact with one."""
    key = ("near", model.id, model.place, model.base)
    near: list[str] | None = table.posture.get(key)
    if near is None:
        here, base = center(model), base_of(model)
        near = table.posture[key] = [
            one.id
            for one in crowd(table).values()
            if one.id != model.id and one.base is not None and not surely_apart(base, here, one.base, one.at)
        ]
    return tuple([table[other] for other in near if in_contact(model, table[other])])
