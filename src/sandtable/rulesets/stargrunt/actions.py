"""Actions: an activation of two actions, and what a unit may do with each."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Forfeited,
    Grouped,
    Harm,
    HarmApplied,
    ModelLost,
    Rolled,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, ChooseSeveral, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt import close_assault, communications, fire
from sandtable.rulesets.stargrunt._moves import close_up, combat_move, ends, enter, forced_move, may_enter, normal_move
from sandtable.rulesets.stargrunt.confidence import (
    CONFIDENT_AND_STEADY,
    PANIC,
    REMOVING,
    remove_panic,
    remove_suppression,
)
from sandtable.rulesets.stargrunt.cover import (
    DISORGANISED,
    GOING_IN,
    LEAVING,
    WHILE_IN_POSITION,
    in_cover,
    in_integrity,
    unit_in_integrity,
)
from sandtable.rulesets.stargrunt.dice import agree, also, exceed
from sandtable.rulesets.stargrunt.forces import kit
from sandtable.rulesets.stargrunt.movement import (
    COMBAT,
    NORMAL,
    TOGETHER,
    base_mobility,
    note_left_behind,
    refused_walks,
    walk,
)
from sandtable.rulesets.stargrunt.turn import ACTIVATED, ALTERNATING, END_OF_TURN, MARKER, by_default
from sandtable.rulesets.stargrunt.units import (
    BROKEN,
    DEAD,
    NOBODY_FIT,
    ROUTED,
    SHAKEN,
    STATUS,
    at_worst,
    confidence,
    enemies,
    fit,
    gap_between,
    leadership_part,
    points,
    quality_die,
    spot,
    standing,
    suppressed,
    untreated,
    waiting,
)
from sandtable.rulesets.stargrunt.weapons import named

TWO_ACTIONS = rule("stargrunt.actions.two-actions")
LIST = rule("stargrunt.actions.list")
WHOLE_UNIT = rule("stargrunt.actions.action-is-the-units")
FAILED = rule("stargrunt.actions.failed-test-loses-the-action")
REORGANISE = rule("stargrunt.actions.reorganise")
REORGANISE_LIMITS = rule("stargrunt.actions.reorganise-limits")
TREATING = rule("stargrunt.actions.treating-wounded")
MEDICS = rule("stargrunt.actions.medics")
SUPPRESSED = rule("stargrunt.actions.suppression-of-infantry")

#: What players say, the entry of the list it is, and its rule.
ACTIONS: dict[str, tuple[str, str, Rule]] = {
    "move": ("move", "Move", NORMAL),
    "combat-move": ("move", "Combat move", COMBAT),
    "enter": ("move", "Enter the table", ALTERNATING),
    "fire": ("fire_small_arms", "Fire", fire.SMALL_ARMS_DICE),
    "fire-support": ("fire_support_or_heavy_weapon", "Fire a support weapon alone", fire.SUPPORT_DICE),
    "assault": ("close_assault", "Close assault", close_assault.ATTACKER_TEST),
    "reorganise": ("reorganise", "Reorganise", REORGANISE),
    "go-in-position": ("go_in_position", "Go In Position", GOING_IN),
    "leave-position": ("leave_position", "Give up the position", LEAVING),
    "transfer": ("transfer_action", "Transfer the action", communications.TRANSFER),
    "rally": ("rally", "Rally a unit", communications.RALLY),
    "remove-suppression": ("remove_suppression", "Remove suppression", REMOVING),
    "remove-panic": ("remove_panic", "Get over the panic", PANIC),
}
DONE = "done"
#: What a suppressed unit may do (stargrunt.actions.suppression-of-infantry).
WHILE_SUPPRESSED = SUPPRESSED.texts("allowed")


class Activate(Step, frozen=True):
    """A unit has actions left; what it has tried once and may not try again in this activation."""

    unit: str
    actions: int = TWO_ACTIONS.number("actions_per_activation")
    transferred: bool = False
    tried: tuple[str, ...] = ()


def cost(action: str) -> int:
    """How many actions an action takes: one, unless the list says more (stargrunt.actions.list).

    >>> cost("fire"), cost("remove-panic")
    (1, 2)
    """
    entry = ACTIONS[action][0]
    return LIST.number(entry, "cost") if LIST.has(entry, "cost") else 1


agree("what removing panic costs", cost("remove-panic"), PANIC.number("cost"))
agree("what removing suppression costs", cost("remove-suppression"), REMOVING.number("cost"))
agree("what giving up a position costs", cost("leave-position"), LEAVING.number("action_cost"))
agree("what a transfer costs", cost("transfer"), communications.TRANSFER.number("cost"))


def may_repeat(action: str) -> bool:
    """Whether an action may be attempted twice in one activation."""
    entry = ACTIONS[action][0]
    return LIST.has(entry, "twice") and LIST.flag(entry, "twice")


# What a unit may do ------------------------------------------------------------------------------------------------


def options(table: Table, unit: Thing, step: Activate) -> list[Option]:
    """What a unit may do with an action; what it may not do now stays on the list with the reason."""
    found = []
    for action in _thinkable(table, unit):
        refusal = refused_action(table, unit, step, action)
        _, label, why = ACTIONS[action]
        forbids = (refusal.rule, why.id) if refusal else (why.id, LIST.id)
        found.append(Option(action, label, (unit.id,), forbids, refusal.sentence if refusal else ""))
    return [*found, Option(DONE, "Nothing more", (unit.id,), (TWO_ACTIONS.id,))]


def _thinkable(table: Table, unit: Thing) -> Iterator[str]:
    """The actions that are worth showing: those that mean something to this unit."""
    if waiting(unit):
        yield "enter"
        return
    yield from ("move", "combat-move", "fire")
    if fire.supports(table, unit):
        yield "fire-support"
    yield "assault"
    yield "reorganise"
    yield "leave-position" if unit.has("in position") else "go-in-position"
    if communications.receivers(table, unit):
        yield "transfer"
    if communications.command_level(unit) > 0:
        yield "rally"
    if suppressed(unit):
        yield "remove-suppression"
    if unit.has("panicked"):
        yield "remove-panic"


def refused_action(table: Table, unit: Thing, step: Activate, action: str) -> Refusal | None:
    """Why a unit may not take an action now."""
    entry, label, why = ACTIONS[action]
    if unit.has("panicked") and action != "remove-panic":
        return Refusal(PANIC.id, f"{unit.label} is panicked and may take no action.")
    if cost(action) > step.actions:
        return Refusal(LIST.id, f"{label} takes {cost(action)} actions; {step.actions} is left.")
    if action in step.tried:
        return Refusal(LIST.id, f"{label} may not be tried again in this activation.")
    held = _held(table, unit, action, entry, label)
    if held is not None:
        return held
    match action:
        case "enter":
            return None if may_enter(table, unit) else Refusal(why.id, f"There is no room for {unit.label} to enter.")
        case "move" | "combat-move":
            return None
        case "fire":
            return _no_target(table, unit)
        case "fire-support":
            return _no_support(table, unit)
        case "assault":
            if at_worst(unit, BROKEN):
                return Refusal(close_assault.ATTACKER_TEST.id, f"{unit.label} is in no state to assault anybody.")
            if not close_assault.targets(table, unit):
                return Refusal(close_assault.TARGET.id, "There is no enemy in sight to assault.")
        case "transfer":
            open_ = any(not option.refused for option in communications.receivers(table, unit))
            return None if open_ else Refusal(communications.LIMIT.id, "There is nobody left to transfer to.")
        case "rally":
            if not communications.rallied(table, unit):
                return Refusal(communications.WHO_RALLIES.id, "No unit under its command needs to be rallied.")
    return None


def _held(table: Table, unit: Thing, action: str, entry: str, label: str) -> Refusal | None:
    """What suppression and disorder keep a unit from."""
    covered = action == "reorganise" and in_cover(table, unit)
    if suppressed(unit) and not (entry in WHILE_SUPPRESSED or covered):
        return Refusal(SUPPRESSED.id, f"{unit.label} is suppressed: {label} has to wait.")
    disorder = not waiting(unit) and not unit_in_integrity(table, unit.id)
    if disorder and action not in ("reorganise", "remove-suppression", "remove-panic"):
        return Refusal(DISORGANISED.id, f"{unit.label} is out of integrity and must reorganise first.")
    return None


def targets(table: Table, unit: Thing) -> list[Option]:
    """The enemy units, and why each may not be fired at by the small arms."""
    found = []
    for foe in enemies(table, unit.side):
        refusal = fire.refused_small(table, unit, foe)
        forbids = (refusal.rule,) if refusal else (fire.DECLARING.id,)
        found.append(Option(foe.id, foe.label, (foe.id,), forbids, refusal.sentence if refusal else ""))
    return found


def support_targets(table: Table, unit: Thing) -> list[Option]:
    """The enemy units, and why a support weapon may not be fired at each."""
    found = []
    for foe in enemies(table, unit.side):
        refusal = fire.refused_target(table, unit, foe)
        forbids = (refusal.rule,) if refusal else (fire.DECLARING.id,)
        found.append(Option(foe.id, foe.label, (foe.id,), forbids, refusal.sentence if refusal else ""))
    return found


def support_options(table: Table, unit: Thing) -> list[Option]:
    """The support weapons of a unit, and why each may not fire."""
    found = []
    for one in fire.supports(table, unit):
        refusal = fire.support_refused(unit, one)
        name = f"{one.label}'s {named(kit(one).support_weapon)}"
        forbids = (refusal.rule,) if refusal else (fire.SUPPORT_DICE.id,)
        found.append(Option(one.id, name, (one.id,), forbids, refusal.sentence if refusal else ""))
    return found


def _no_target(table: Table, unit: Thing) -> Refusal | None:
    seen = targets(table, unit)
    if not seen:
        return Refusal(fire.DECLARING.id, "No enemy is on the table.")
    if all(option.refused for option in seen):
        return Refusal(seen[0].rules[0], seen[0].refused)
    return None


def _no_support(table: Table, unit: Thing) -> Refusal | None:
    weapons = support_options(table, unit)
    if all(option.refused for option in weapons):
        return Refusal(weapons[0].rules[0], weapons[0].refused)
    seen = support_targets(table, unit)
    if not seen:
        return Refusal(fire.DECLARING.id, "No enemy is on the table.")
    if all(option.refused for option in seen):
        return Refusal(seen[0].rules[0], seen[0].refused)
    return None


# An activation -----------------------------------------------------------------------------------------------------


def activate(battle: Battle, step: Activate) -> Procedure[None]:
    """One action of a unit, and the rest of its activation put back on the agenda.

    stargrunt.actions.two-actions                two, in any order, not necessarily both
    stargrunt.turn.activation-marker             then it is finished for the turn
    stargrunt.communications.transfer-details    a transferred activation leaves its own as it is
    """
    table, unit = battle.table, battle.table[step.unit]
    if not fit(table, unit.id):
        return
    why = communications.DETAILS if step.transferred else TWO_ACTIONS
    battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=why.id, detail=also(WHOLE_UNIT)))
    if not step.transferred and not unit.has(ACTIVATED):
        battle.happens(StateChanged(unit.id, ACTIVATED, None, 1, END_OF_TURN, rule=MARKER.id))
    if _is_driven(table, unit):
        yield from _driven(battle, step)
        return
    action = yield ChooseOne(
        unit.side,
        f"{unit.label}: which action? {step.actions} left",
        topic="action",
        about=(unit.id,),
        options=tuple(options(table, unit, step)),
        rules=(TWO_ACTIONS.id, LIST.id) if at_worst(unit, SHAKEN) else (TWO_ACTIONS.id, CONFIDENT_AND_STEADY.id),
        default=by_default(table, DONE),
    )
    if action == DONE:
        return
    left = step.actions - cost(action)
    stays = unit.has("in position")
    failed = yield from _carry_out(battle, battle.table[unit.id], action, left, step)
    if failed:
        battle.happens(Forfeited(unit.id, action, rule=FAILED.id))
        if stays and action in ("move", "combat-move"):
            return


def _rest(step: Activate, left: int, action: str, *, again: bool) -> list[Step]:
    """What is left of an activation after an action."""
    if left <= 0:
        return []
    tried = step.tried if again else (*step.tried, action)
    return [Activate(step.unit, left, step.transferred, tried)]


def _carry_out(battle: Battle, unit: Thing, action: str, left: int, step: Activate) -> Procedure[bool]:
    """Do an action and put what follows on the agenda; whether its test failed."""
    first: list[Step] = []
    failed = False
    match action:
        case "enter":
            yield from enter(battle, unit)
        case "move":
            failed = yield from normal_move(battle, unit)
        case "combat-move":
            failed = yield from combat_move(battle, unit)
        case "fire":
            first = [(yield from _declare_fire(battle, unit))]
        case "fire-support":
            first = [(yield from _declare_support(battle, unit))]
        case "assault":
            goes_on = yield from close_assault.declare(battle, unit)
            if not goes_on:
                close_assault.lost_first_action(battle, unit.id)
                battle.push(*_rest(step, step.actions - 1, action, again=False))
            return False
        case "reorganise":
            yield from reorganise(battle, unit)
        case "go-in-position":
            failed = not in_position_test(battle, unit)
        case "leave-position":
            battle.happens(StateChanged(unit.id, "in position", 1, None, rule=LEAVING.id))
        case "transfer":
            receiver = yield from communications.transfer(battle, unit)
            actions = communications.TRANSFER.number("gives_actions")
            first = [Activate(receiver, actions, transferred=True)] if receiver else []
        case "rally":
            yield from communications.rally(battle, unit)
        case "remove-suppression":
            remove_suppression(battle, unit)
        case "remove-panic":
            remove_panic(battle, unit.id)
    again = may_repeat(action) and not failed
    if action == "reorganise":
        again = not unit_in_integrity(battle.table, unit.id)
    battle.push(*first, *_rest(step, left, action, again=again))
    return failed


def _is_driven(table: Table, unit: Thing) -> bool:
    """Whether a unit has no choice: Routed, or Broken in the open, and on the table (not panicked)."""
    if waiting(unit) or unit.has("panicked"):
        return False
    return at_worst(unit, ROUTED) or (confidence(unit) == BROKEN and not in_cover(table, unit))


def _driven(battle: Battle, step: Activate) -> Procedure[None]:
    """A Routed unit, or a Broken one in the open, goes back; removing suppression comes first where it holds it."""
    yield from ()
    unit = battle.table[step.unit]
    if suppressed(unit):
        remove_suppression(battle, unit)
    else:
        forced_move(battle, unit)
    battle.push(*_rest(step, step.actions - 1, "move", again=True))


# Fire --------------------------------------------------------------------------------------------------------------


def _declare_fire(battle: Battle, unit: Thing) -> Procedure[fire.FireAction]:
    """The squad's small arms at one target, and the support weapons that join."""
    target = yield ChooseOne(
        unit.side,
        f"{unit.label} fires at whom?",
        topic="target",
        about=(unit.id,),
        options=tuple(targets(battle.table, unit)),
        rules=(fire.DECLARING.id, fire.SMALL_ARMS_DICE.id),
        shows=("distance", "sight", "odds"),
    )
    weapons = tuple(support_options(battle.table, unit))
    joining: Sequence[str] = ()
    if any(not option.refused for option in weapons):
        joining = yield ChooseSeveral(
            unit.side,
            "Which support weapons join?",
            topic="weapons",
            about=(unit.id, target),
            options=weapons,
            rules=(fire.ADDING.id,),
            shows=("odds",),
            default=(),
        )
    return fire.FireAction(unit.id, target, True, tuple(joining))


def _declare_support(battle: Battle, unit: Thing) -> Procedure[fire.FireAction]:
    """One support weapon alone."""
    weapon = yield ChooseOne(
        unit.side,
        "Which support weapon fires?",
        topic="weapon",
        about=(unit.id,),
        options=tuple(support_options(battle.table, unit)),
        rules=(fire.SUPPORT_DICE.id,),
    )
    target = yield ChooseOne(
        unit.side,
        "At whom?",
        topic="support-target",
        about=(unit.id, weapon),
        options=tuple(support_targets(battle.table, unit)),
        rules=(fire.DECLARING.id, fire.SUPPORT_DICE.id),
        shows=("distance", "sight", "odds"),
    )
    return fire.FireAction(unit.id, target, False, (weapon,))


# Position and reorganising -----------------------------------------------------------------------------------------


def in_position_test(battle: Battle, unit: Thing) -> bool:
    """Try to go In Position, or to stay so: Quality above LV in cover, LV + 2 in the open."""
    covered = in_cover(battle.table, unit)
    word = "in_cover" if covered else "in_open"
    part = ExplainedPart("in cover" if covered else "in the open", GOING_IN.number("threat", word), GOING_IN.id)
    target = (leadership_part(unit), part)
    roll = exceed(battle, "going In Position", unit.id, quality_die(unit), target, GOING_IN)
    if roll.passed and not unit.has("in position"):
        battle.happens(StateChanged(unit.id, "in position", None, 1, rule=GOING_IN.id, because=roll.n))
    elif not roll.passed and unit.has("in position"):
        battle.happens(StateChanged(unit.id, "in position", 1, None, rule=WHILE_IN_POSITION.id, because=roll.n))
    return roll.passed


def to_treat(table: Table, unit: Thing) -> list[Thing]:
    """The wounded a unit may treat: its own, and those of a friendly unit with nobody fit within 6 inches."""
    own = untreated(table, unit.id)
    reach = NOBODY_FIT.inches("treat_within_in") ** 2
    here = points(table, unit.id)
    for other in table.of_kind("unit"):
        if other.side == unit.side and other.id != unit.id and not fit(table, other.id):
            own += [one for one in untreated(table, other.id) if gap_between(here, [spot(one)]) <= reach]
    return own


def reorganise(battle: Battle, unit: Thing) -> Procedure[None]:
    """Treat the wounded, move single figures, restore integrity, all in one action.

    stargrunt.actions.reorganise-limits    each within its base mobility, the centre of the unit at most 1 inch
    stargrunt.cover.while-in-position      a unit In Position takes the test again
    """
    wounded = to_treat(battle.table, unit)
    if wounded:
        chosen = yield ChooseSeveral(
            unit.side,
            "Treat which of the wounded?",
            topic="treat",
            about=(unit.id,),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in wounded),
            rules=(TREATING.id, MEDICS.id, NOBODY_FIT.id),
            default=tuple(one.id for one in wounded),
        )
        for one in chosen:
            treat(battle, unit, battle.table[one])
    figures = tuple(one.id for one in standing(battle.table, unit.id))
    walks = yield MoveModels(
        unit.side,
        f"Move single figures of {unit.label}",
        topic="reposition",
        about=(unit.id,),
        models=figures,
        allowance=dict.fromkeys(figures, base_mobility(unit)),
        together=TOGETHER,
        rules=(REORGANISE.id, REORGANISE_LIMITS.id),
        default={},
    )
    if not any(one.legs for one in walks.values()):
        walks = closing_up(battle.table, unit)
    walk(battle, walks, base_mobility(unit), REORGANISE)
    note_left_behind(battle, unit.id)
    if unit.has("in position"):
        in_position_test(battle, battle.table[unit.id])


def treat(battle: Battle, unit: Thing, figure: Thing) -> None:
    """Roll for a wounded figure (stargrunt.actions.treating-wounded)."""
    roll = battle.dice.total(f"d{TREATING.number('die')}")
    medic = any(kit(one).role == "medic" for one in standing(battle.table, unit.id))
    parts = (ExplainedPart("medic", MEDICS.number("medic"), MEDICS.id),) if medic else ()
    total = roll.natural + sum(part.value for part in parts)
    counted = min(total, TREATING.number("die"))
    outcome = next(word for word in ("dead", "stabilised", "ok") if counted in TREATING.numbers(word))
    n = battle.happens(
        Rolled(
            *("treatment", figure.id, roll.dice, roll.faces, roll.natural, parts, total),
            outcome=outcome,
            rule=TREATING.id,
            detail=also(MEDICS, STATUS),
        )
    )
    if outcome == "stabilised":
        battle.happens(StateChanged(figure.id, "stabilised", None, 1, rule=TREATING.id, because=n))
        return
    after = DEAD if outcome == "dead" else 0
    harm = Harm("died of its wounds" if after else "fights on", after - figure.harm)
    battle.happens(HarmApplied(figure.id, harm, figure.harm, after, rule=TREATING.id, because=n))
    if after:
        battle.happens(ModelLost(figure.id, "died of its wounds", rule=TREATING.id, because=n))
    elif figure.unit != unit.id:
        battle.happens(Grouped((figure.id,), unit.id, rule=NOBODY_FIT.id, because=n))


def closing_up(table: Table, unit: Thing) -> dict[str, Walk]:
    """A lawful way to close up where a player moves nobody: none where the unit is in integrity or none is found."""
    return {} if unit_in_integrity(table, unit.id) else close_up(table, unit)


def refused_reposition(table: Table, unit: Thing, walks: dict[str, Walk]) -> Refusal | None:
    """Why figures may not be moved so in a reorganise action."""
    refusal = refused_walks(table, unit.side, walks, base_mobility(unit))
    if refusal is not None:
        return refusal
    before, after = points(table, unit.id), ends(table, unit, walks)
    limit = REORGANISE_LIMITS.number("centre_shift_in") * UNIT
    restores = not in_integrity(before) and in_integrity(after)
    if gap_between(before, after) > limit * limit and not restores:
        return Refusal(REORGANISE_LIMITS.id, "The centre of the unit would shift by more than an inch.")
    return None
