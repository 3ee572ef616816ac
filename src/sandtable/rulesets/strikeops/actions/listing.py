"""The list of actions: what each costs, which may be repeated, and why a model may not declare one."""

from typing import NamedTuple

from sandtable.engine.ids import RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import enemies
from sandtable.rulesets.strikeops.damage import BREEDER, TARGETING, most_action_points
from sandtable.rulesets.strikeops.datacard import has, is_cav, is_infantry, movement, stats, weapons
from sandtable.rulesets.strikeops.equipment import SPECIAL, refused_special
from sandtable.rulesets.strikeops.movement import GO_PRONE, STAND_UP, STOMP
from sandtable.rulesets.strikeops.recovery import LIMITS as REPAIR_LIMITS
from sandtable.rulesets.strikeops.recovery import REGROUP, REPAIR, may_regroup, may_repair
from sandtable.rulesets.strikeops.shooting.aiming import (
    COMBAT_ACTION,
    OPTIONS,
    RUN_N_GUN,
    is_armed,
    may_fire,
    may_fire_at,
)
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.terrain import MOVE

TWO_POINTS = rule("strikeops.actions.two-action-points")
COST = rule("strikeops.actions.action-point-cost")
LOST_POINTS = rule("strikeops.actions.unspent-points-are-lost")
ANY_ORDER = rule("strikeops.actions.any-order")
REPEATABLE = rule("strikeops.actions.repeatable-actions")
NON_REPEATABLE = rule("strikeops.actions.non-repeatable-actions")
FREE = rule("strikeops.actions.free-actions")
TABLE = rule("strikeops.actions.action-types-table")
TARGET_LOCK = rule("strikeops.actions.target-lock")
LOCKED_ON = rule("strikeops.attributes.locked-on")

OVERWATCH = rule("strikeops.shooting.overwatch")
OVERWATCH_LASTS = rule("strikeops.shooting.overwatch-lasts")
#: What is said of Overwatch once its attack of the turn is made.
USED = "used"
DEFENSIVE = rule("strikeops.shooting.defensive-fire")

NOTHING = ActionName.NOTHING


class Listed(NamedTuple):
    """An action: what stands on its button, the entry of the list it is, and what it costs."""

    label: str
    entry: str
    cost: int
    repeats: bool


def _listed(label: str, entry: str) -> Listed:
    repeats = TABLE.has("repeatable", entry)
    return Listed(label, entry, TABLE.number("repeatable" if repeats else "non_repeatable", entry, "ap"), repeats)


#: What a model may declare so far; the other entries and options of the list are still to come.
ACTIONS: dict[str, Listed] = {
    ActionName.MOVE: _listed("Move", "move"),
    ActionName.GO_PRONE: _listed("Go prone", "move"),
    ActionName.STAND_UP: _listed("Stand up", "move"),
    ActionName.STOMP: _listed("Stomp", "move"),
    ActionName.SHOOT: _listed("Attack", "combat"),
    ActionName.TARGET_LOCK: _listed("Target-lock", "target_lock"),
    ActionName.REPAIR: _listed("Repair", "repair"),
    ActionName.REGROUP: _listed("Regroup", "regroup"),
    ActionName.SPECIAL: _listed("Special", "special"),
    ActionName.RUN_N_GUN: Listed("Run 'n gun", "combat", OPTIONS.number("run_n_gun", "ap"), False),
    ActionName.OVERWATCH: Listed("Overwatch", "combat", OPTIONS.number("overwatch", "ap"), False),
}
#: The options of the Combat Action that take a whole activation.
WHOLE = (ActionName.RUN_N_GUN, ActionName.OVERWATCH)
#: What else says of an entry that it is not repeatable.
_ONCE = {"combat": (COMBAT_ACTION.id,), "repair": (REPAIR_LIMITS.id,), "special": (SPECIAL.id,)}
#: What says of each that it takes both points.
_WHOLE_TURN: dict[str, tuple[RuleId, ...]] = {
    ActionName.RUN_N_GUN: (RUN_N_GUN.id,),
    ActionName.OVERWATCH: (OVERWATCH.id,),
}
LABELS = {**{name: one.label for name, one in ACTIONS.items()}, NOTHING: "Nothing more"}
for _said, _entry in (
    (COMBAT_ACTION, "combat"),
    (TARGET_LOCK, "target_lock"),
    (REPAIR, "repair"),
    (SPECIAL, "special"),
):
    same_number(f"what {_entry} costs", _said.number("ap"), TABLE.number("non_repeatable", _entry, "ap"))
same_number("what a Regroup costs", REGROUP.number("ap"), TABLE.number("repeatable", "regroup", "ap"))
for _said in (MOVE, GO_PRONE, STAND_UP, STOMP):
    same_number("what a Move Action costs", _said.number("ap"), TABLE.number("repeatable", "move", "ap"))
same_number(
    "what an action costs", COST.number("default_ap"), *(one.cost for name, one in ACTIONS.items() if name not in WHOLE)
)
same_number("what a Run 'N Gun costs", RUN_N_GUN.number("ap"), OPTIONS.number("run_n_gun", "ap"))


def action_points(model: Thing) -> int:
    """The action points of a turn (strikeops.actions.two-action-points)."""
    return most_action_points(model, TWO_POINTS.number("action_points_per_turn"))


def cost_of(model: Thing, action: str) -> int:
    """The action points that an action costs a model (strikeops.attributes.locked-on)."""
    if action == ActionName.TARGET_LOCK and has(model, "locked_on"):
        return LOCKED_ON.number("ap")
    return ACTIONS[action].cost


def short_of_points(model: Thing) -> tuple[RuleId, ...]:
    """The rules, beside that of the turn's two points, by which a model has fewer of them."""
    spent = {
        BREEDER: model.count(CountName.BREEDER_DESTROYED) or model.count(CountName.BREEDER_DAMAGED),
        DEFENSIVE: model.has(StateName.DEFENDED),
        OVERWATCH_LASTS: model.value(StateName.OVERWATCH) == USED,
    }
    return tuple(why.id for why, is_so in spent.items() if is_so)


def is_move(action: str) -> bool:
    """Whether an action is a Move Action, whatever it is for."""
    return action == ActionName.RUN_N_GUN or (action in ACTIONS and ACTIONS[action].entry == "move")


def goes_far(action: str) -> bool:
    """Whether an action takes a model somewhere."""
    return action in (ActionName.MOVE, ActionName.RUN_N_GUN)


def attacks(action: str) -> bool:
    """Whether an action attacks somebody when it is resolved."""
    return action in (ActionName.SHOOT, ActionName.RUN_N_GUN)


def refused_action(table: Table, model: Thing, before: tuple[str, ...], action: str) -> Refusal | None:
    """Why a model may not declare an action after some others, by what cards, tokens and the declaration show.

    strikeops.actions.resolve-what-is-possible    what takes measuring to know is settled later
    """
    listed = ACTIONS[action]
    same = next((one for one in before if ACTIONS[one].entry == listed.entry), "")
    if not listed.repeats and same:
        words = f"{listed.label} may be declared once in an activation."
        words = words if same == action else f"{ACTIONS[same].label} is its Combat Action."
        watches = (OVERWATCH.id,) if ActionName.OVERWATCH in (*before, action) else ()
        return Refusal(NON_REPEATABLE.id, words, (*_ONCE.get(listed.entry, ()), *watches))
    left, cost = model.count(CountName.AP) - sum(cost_of(model, one) for one in before), cost_of(model, action)
    if ActionName.OVERWATCH in (*before, action) and before:
        words = "Who goes into Overwatch gives up every other action of the activation."
        return Refusal(OVERWATCH.id, words, (TWO_POINTS.id,) if cost > left else ())
    if cost > left:
        words = f"{model.label} has {left} action points left; {listed.label} costs {cost}."
        return Refusal(TWO_POINTS.id, words, (COST.id, *_WHOLE_TURN.get(action, ()), *short_of_points(model)))
    if action == ActionName.REGROUP and before:
        return Refusal(REGROUP.id, "Squads regroup at the beginning of an activation.")
    down = ActionName.GO_PRONE in before or (is_down(model) and ActionName.STAND_UP not in before)
    if down and action != ActionName.STAND_UP:
        also = (OVERWATCH.id,) if action == ActionName.OVERWATCH else ()
        return Refusal(GO_PRONE.id, f"{model.label} is prone: it may do nothing but stand up.", also)
    return _refused(table, model, down, action)


def _refused(table: Table, model: Thing, down: bool, action: str) -> Refusal | None:
    match action:
        case ActionName.STAND_UP if not down:
            return Refusal(STAND_UP.id, f"{model.label} is not prone.")
        case ActionName.GO_PRONE if not is_cav(model):
            return Refusal(GO_PRONE.id, f"{model.label} is no CAV, and only CAVs go prone.")
        case ActionName.MOVE | ActionName.RUN_N_GUN if not movement(model):
            return Refusal(MOVE.id, f"{model.label} has MV 0 and cannot move.")
        case ActionName.STOMP:
            return _refused_stomp(table, model)
        case ActionName.REPAIR:
            return may_repair(model)
        case ActionName.REGROUP:
            return may_regroup(table, model)
        case ActionName.SPECIAL:
            return refused_special(model)
        case ActionName.TARGET_LOCK if is_infantry(model):
            return Refusal(TARGET_LOCK.id, f"{model.label} is infantry and makes no target-lock.")
        case ActionName.SHOOT | ActionName.RUN_N_GUN | ActionName.OVERWATCH:
            return _refused_attack(table, model)
    return None


def may_be_stomped(foe: Thing) -> Refusal | None:
    """Why a model is not stomped: it is on its last damage column, and a CAV lies (strikeops.movement.stomp)."""
    if foe.harm != stats(foe).damage_tracks:
        return Refusal(STOMP.id, f"{foe.label} is not on its last damage column.")
    if is_infantry(foe) or (is_cav(foe) and not is_down(foe)):
        return Refusal(STOMP.id, f"{foe.label} is neither a vehicle nor a CAV that lies.")
    return None


def _refused_stomp(table: Table, model: Thing) -> Refusal | None:
    if not is_cav(model):
        return Refusal(STOMP.id, f"{model.label} is no CAV, and only CAVs stomp.")
    judged = [may_be_stomped(foe) for foe in enemies(table, model)]
    return None if None in judged or not judged else judged[0]


def _refused_attack(table: Table, model: Thing) -> Refusal | None:
    if model.has(StateName.DEFENDED):
        return Refusal(DEFENSIVE.id, f"Defensive Fire was {model.label}'s Combat Action of this turn.")
    if model.value(StateName.OVERWATCH) == USED:
        return Refusal(OVERWATCH_LASTS.id, f"{model.label} has fired from Overwatch this turn.")
    if model.count(CountName.TARGETING_DESTROYED):
        return Refusal(TARGETING.id, f"The targeting systems of {model.label} are destroyed.")
    foes, carried = enemies(table, model), [system.weapon for system in weapons(model).values()]
    if is_armed(model, foes):
        return None
    why = next((one for weapon in carried if (one := may_fire(model, weapon))), None)
    why = why or next(
        (one for foe in foes for weapon in carried if (one := may_fire_at(model, weapon, foe, foe.id))), None
    )
    return why or Refusal(COMBAT_ACTION.id, f"{model.label} has nothing to attack with.")
