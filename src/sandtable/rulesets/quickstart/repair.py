"""Repair: a 10+ roll with the damage control value, never back to an unharmed column."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.quickstart.damage import take_damage
from sandtable.rulesets.quickstart.datacard import DAMAGE_CONTROL, DAMAGE_TRACK, damage_control
from sandtable.rulesets.quickstart.dice import NATURAL_CRITICAL, fumbled, ten_plus_roll
from sandtable.rulesets.quickstart.state_names import ActionName
from sandtable.rulesets.quickstart.states import UNSTEADY, Rolling, note_immobility
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
        return Refusal(LIMITS.id, f"{model.label} has no repair value in its damage track column.")
    return None


#: What changes the 10+ roll of a repair.
MODIFIERS: tuple[Modifier[Rolling], ...] = (
    Modifier(DAMAGE_CONTROL, "damage control", lambda s: damage_control(s.model) or 0, when=always),
    *UNSTEADY,
)


def repair_roll(model: Thing) -> tuple[ExplainedPart, ...]:
    """What changes the 10+ roll of a repair."""
    return parts(MODIFIERS, "repair", Rolling(model))


def repair(battle: Battle, model: str, because: int = 0) -> None:
    """Try to repair a point of damage.

    quickstart.repair.success             one point, at once
    quickstart.repair.critical-success    two on a natural 12
    quickstart.repair.lingering-damage    never below one
    quickstart.repair.critical-failure    a natural 2 does a point instead
    """
    thing = battle.table[model]
    check = ten_plus_roll(battle, "repair", model, repair_roll(thing), REPAIR, because=because)
    if fumbled(check):
        take_damage(battle, model, CRITICAL_FAILURE.number("natural_2_damage"), because=check.n, why=CRITICAL_FAILURE)
        return
    if not check.succeeds:
        return
    critical = check.natural == NATURAL_CRITICAL
    points = CRITICAL_SUCCESS.number("natural_12_repairs") if critical else 1
    best = LINGERING.number("best_column_after_damage")
    after = max(best, thing.harm - points)
    if after < thing.harm:
        why = CRITICAL_SUCCESS if critical else SUCCESS
        harm = Harm("repair", thing.harm - after)
        detail = citing(DAMAGE_TRACK, LINGERING) if after == best else citing(DAMAGE_TRACK)
        n = battle.happens(HarmApplied(model, harm, thing.harm, after, rule=why.id, because=check.n, detail=detail))
        note_immobility(battle, model, n)
    else:
        battle.happens(
            HarmApplied(model, Harm("repair", 0), thing.harm, thing.harm, rule=LINGERING.id, because=check.n)
        )
