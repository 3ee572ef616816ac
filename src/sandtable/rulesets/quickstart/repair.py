"""Repair: a 10+ roll with the damage control value, never back to an unharmed column."""

from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.repair import Repairs
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.quickstart.damage import take_damage
from sandtable.rulesets.quickstart.datacard import DAMAGE_CONTROL, DAMAGE_TRACK, damage_control
from sandtable.rulesets.quickstart.dice import ten_plus_roll
from sandtable.rulesets.quickstart.state_names import ActionName
from sandtable.rulesets.quickstart.states import UNSTEADY, note_immobility
from sandtable.rulesets.quickstart.turn.phases import action_cost
from sandtable.tabletop.modifiers import Modifier, always, parts

REPAIR = rule("quickstart.repair.repair-action")
SUCCESS = rule("quickstart.repair.success")
LIMITS = rule("quickstart.repair.limits")
LINGERING = rule("quickstart.repair.lingering-damage")
CRITICAL_SUCCESS = rule("quickstart.repair.critical-success")
CRITICAL_FAILURE = rule("quickstart.repair.critical-failure")

same_number("what a repair costs", REPAIR.number("ap"), action_cost(ActionName.REPAIR))


def may_repair(model: Thing) -> Refusal | None:
    """Why a model may not try to repair itself, or none (quickstart.repair.limits)."""
    if damage_control(model) is None:
        words = f"{model.label} has no repair value in its damage track column."
        return Refusal(LIMITS.id, words, (DAMAGE_CONTROL.id,))
    return None


#: What changes the 10+ roll of a repair.
MODIFIERS: tuple[Modifier[Rolling], ...] = (
    Modifier(DAMAGE_CONTROL, "damage control", lambda s: damage_control(s.model) or 0, when=always),
    *UNSTEADY,
)


def repair_roll(model: Thing) -> tuple[ExplainedPart, ...]:
    """What changes the 10+ roll of a repair."""
    return parts(MODIFIERS, "repair", Rolling(model))


#: quickstart.repair.success             one point, at once
#: quickstart.repair.critical-success    two on a natural 12
#: quickstart.repair.lingering-damage    never below one
#: quickstart.repair.critical-failure    a natural 2 does a point instead
REPAIRS = Repairs(
    success=SUCCESS,
    critical_success=CRITICAL_SUCCESS,
    lingering=LINGERING,
    track=DAMAGE_TRACK,
    points=1,
    critical_points=CRITICAL_SUCCESS.number("natural_12_repairs"),
    best=LINGERING.number("best_column_after_damage"),
    breaks=lambda battle, model, n: take_damage(
        battle, model, CRITICAL_FAILURE.number("natural_2_damage"), because=n, why=CRITICAL_FAILURE
    ),
    mended=lambda battle, model, points, n: note_immobility(battle, model, n),
)


def repair(battle: Battle, model: ThingId, because: int = 0) -> None:
    """Try to repair a point of damage."""
    thing = battle.table[model]
    check = ten_plus_roll(battle, "repair", model, repair_roll(thing), REPAIR, because=because)
    REPAIRS.mend(battle, model, check)
