"""Where models want to be: near enough to hurt the enemy, on the hill, or over the edge, by the scenario."""

from sandtable.engine.ids import Side
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import inside_of
from sandtable.field.ground import box_of
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center, outline
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.missions import (
    BREAKTHROUGH,
    HOLD,
    THE_HILL,
    attacker,
    defender,
    great_hill,
    last_turn,
    scenario_of,
    touches_hill,
)
from sandtable.rulesets.strikeops.setup import EDGES
from sandtable.rulesets.strikeops.shooting.aiming import is_indirect, may_fire
from sandtable.rulesets.strikeops.tactics.fire import fighters
from sandtable.tabletop.opponent import Goal

#: What a move of an inch towards what a model wants is worth, in thousandths of a point of harm.
INCH = 40
#: What it is worth to be where the battle is decided, and to be out of it in safety: so many inches of it.
HELD, ESCAPED = 60, 40
#: By how much more whoever holds the hill is worth to those who storm it, in hundredths.
STORMED = 60
#: A run to the edge begins so many turns before it would have to, at the latest.
SPARE = 3


def reach(model: Thing) -> int:
    """How near a model wants to be to an enemy: the mean short range of its weapons, the stronger count more."""
    total, strength = 0, 0
    for system in weapons(model).values():
        weapon = system.weapon
        if weapon.rav is None or weapon.range is None or may_fire(model, weapon) is not None:
            continue
        strong = max(one or 0 for one in weapon.rav[0]) + 1
        near = weapon.range * (2 if is_indirect(weapon) or weapon.has("improved_range") else 1)
        total += strong * max(near, (weapon.minimum_range or 0) + 2) * UNIT
        strength += strong
    return total // strength if strength else 0


def runs(table: Table, side: Side) -> bool:
    """Whether a side has to get over the enemy's edge (strikeops.scenarios.breakthrough-escape)."""
    return scenario_of(table) == BREAKTHROUGH and side == defender(table)


def exit_of(table: Table, at: Point) -> Point:
    """The nearest point of the edge over which the trapped side escapes."""
    return inside_of(table.ground, EDGES.home(table, attacker(table)), at)


def hill_middle(table: Table) -> Point | None:
    """The middle of the hill that is fought for; none where no hill is."""
    hill = great_hill(table.ground) if scenario_of(table) == THE_HILL else None
    if hill is None:
        return None
    left, top, right, bottom = box_of(hill.outline)
    return Point((left + right) // 2, (top + bottom) // 2)


def goals(table: Table, model: Thing) -> list[Goal]:
    """What a model wants, the best first."""
    found: list[Goal] = []
    if not isinstance(model.place, At):
        return found
    here = center(model)
    middle = hill_middle(table)
    if runs(table, model.side):
        found.append(Goal(exit_of(table, here), "the way out", ESCAPED * INCH))
    if middle is not None and model.side == defender(table):
        found.append(Goal(middle, "the hill", HELD * INCH))
    foes = sorted(fighters(table, model.side), key=lambda foe: (length_between(here, center(foe)), foe.id))
    found += [Goal(center(foe), f"within range of {foe.label}", INCH, foe.id) for foe in foes]
    return found


def bounty(table: Table, foe: Thing) -> int:
    """What the battle makes of an enemy beyond his price: of one who holds what is to be taken, in hundredths."""
    if scenario_of(table) == THE_HILL and foe.side == defender(table) and touches_hill(table, outline(foe)):
        return STORMED
    return 0


def nearness(table: Table, model: Thing, at: Point, objectives: bool = True) -> tuple[int, str]:
    """What a place is worth for where it lies, and for which reason."""
    middle = hill_middle(table)
    away = [(length_between(at, center(foe)), foe.label) for foe in fighters(table, model.side)]
    far, label = min(away, default=(0, ""))
    lacking = max(0, far - reach(model)) * INCH // UNIT
    if objectives and runs(table, model.side):
        left = max(1, last_turn(table) - table.turn)
        return -length_between(at, exit_of(table, at)) * INCH // UNIT * (2 if left <= SPARE else 1), "the way out"
    if objectives and middle is not None and model.side == defender(table):
        return -max(0, length_between(at, middle) - 4 * UNIT) * INCH // UNIT, "the hill"
    if objectives and middle is not None and length_between(at, middle) > 2 * reach(model):
        return -length_between(at, middle) * INCH // UNIT, "towards the hill"
    patient = objectives and scenario_of(table) == HOLD and model.side == attacker(table)
    return -lacking // (2 if patient else 1), f"within range of {label}" if label else "nobody left"
