"""The fire actions of a squad: at whom, with which weapons, and what the shot would be."""

from collections.abc import Sequence
from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.cover.protection import cover_from
from sandtable.rulesets.stargrunt.fire.hits import AfterFire, Hit
from sandtable.rulesets.stargrunt.fire.resolution import after_fire, fire, hit
from sandtable.rulesets.stargrunt.fire.shots import (
    ADDING,
    DECLARING,
    FIRE_LIMIT,
    FIRED,
    MISSILE_DICE,
    MIXED,
    ONCE_PER_ACTIVATION,
    PER_ACTIVATION,
    SMALL_ARMS_DICE,
    SUPPORT_DICE,
    FireAction,
    die_of,
    range_steps,
    refused_small,
    refused_target,
    shooters,
    shot,
    support_refused,
    supports,
)
from sandtable.rulesets.stargrunt.forces.cards import kit
from sandtable.rulesets.stargrunt.moments import ACTIVATES
from sandtable.rulesets.stargrunt.observation.recon import as_target, at_counter, at_counters
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED
from sandtable.rulesets.stargrunt.units.record import enemies, range_between
from sandtable.rulesets.stargrunt.weapons import HEAVY, MISSILES, SMALL, SNIPER, SUPPORT, named
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit, none_open
from sandtable.tabletop.states import take

WHOLE_UNIT = rule("stargrunt.actions.action-is-the-units")
TARGET_PRIORITY = rule("stargrunt.cover.target-priority")
#: The switch of a battle in which players are warned about their choice of target.
WARNS = "target-priority"


def targets(table: Table, unit: Thing) -> list[Option]:
    """The enemy units and counters that a unit may think of firing at."""
    foes = [Option(foe.id, foe.label, (foe.id,), (DECLARING.id,)) for foe in enemies(table, unit.side)]
    return foes + at_counters(table, unit)


def small_refused(table: Table, unit: Thing, target: str) -> Refusal | None:
    """Why the small arms of a unit may not be fired at a target."""
    shown, foe = as_target(table, target)
    return refused_small(shown, unit, foe)


def support_target_refused(table: Table, unit: Thing, target: str) -> Refusal | None:
    """Why a support weapon of a unit may not be fired at a target."""
    shown, foe = as_target(table, target)
    return refused_target(shown, unit, foe)


def support_options(table: Table, unit: Thing, *, alone: bool = False) -> list[Option]:
    """The support weapons of a unit; a sniper who fires alone fires in his own way."""
    found = []
    for one in supports(table, unit):
        if alone and kit(one).support_weapon in SNIPER:
            continue
        name = f"{one.label}'s {named(kit(one).support_weapon)}"
        found.append(Option(one.id, name, (one.id,), (SUPPORT_DICE.id,)))
    return found


def weapon_refused(table: Table, unit: Thing, figure: str) -> Refusal | None:
    """Why the support weapon of a figure may not fire."""
    return support_refused(unit, table[figure])


def _no_target(table: Table, unit: Thing) -> Refusal | None:
    seen = targets(table, unit)
    if not seen:
        return Refusal(DECLARING.id, "No enemy is on the table.")
    return none_open(seen, partial(small_refused, table, unit))


def _no_support(table: Table, unit: Thing) -> Refusal | None:
    refusal = none_open(support_options(table, unit, alone=True), partial(weapon_refused, table, unit))
    if refusal is not None:
        return refusal
    seen = targets(table, unit)
    if not seen:
        return Refusal(DECLARING.id, "No enemy is on the table.")
    return none_open(seen, partial(support_target_refused, table, unit))


def _declare_fire(battle: Battle, unit: Thing) -> Procedure[FireAction]:
    """The squad's small arms at one target, and the support weapons that join."""
    target = yield ChooseOne(
        unit.side,
        f"{unit.label} fires at whom?",
        topic="target",
        about=(unit.id,),
        options=tuple(targets(battle.table, unit)),
        rules=(DECLARING.id, SMALL_ARMS_DICE.id, *priority_rules(battle.table)),
        shows=("distance", "sight", "odds"),
    )
    joining = yield from joining_weapons(battle, unit, target)
    idle = yield from left_out(battle, unit, target, joining)
    return FireAction(unit.id, target, True, joining, idle=idle)


def joining_weapons(
    battle: Battle, unit: Thing, target: str, topic: str = "weapons", why: Rule = ADDING
) -> Procedure[tuple[str, ...]]:
    """Ask which support weapons join the small arms of a squad (stargrunt.fire.adding-support)."""
    weapons = tuple(support_options(battle.table, unit))
    if all(weapon_refused(battle.table, unit, option.id) for option in weapons):
        return ()
    joining: Sequence[str] = yield ChooseSeveral(
        unit.side,
        "Which support weapons join?",
        deed="Join {}",
        topic=topic,
        about=(unit.id, target),
        options=weapons,
        rules=tuple(dict.fromkeys((why.id, ADDING.id))),
        shows=("odds",),
        default=(),
    )
    return tuple(joining)


def _judge_joining(view: View, question: ChooseSeveral, answer: Sequence[str]) -> Refusal | None:
    """Support weapons join small arms: somebody has to fire one of those."""
    unit, (shown, there) = view.table[question.about[0]], as_target(view.table, question.about[1])
    close = range_steps(shown, unit, there).parts[0].value == 1
    if shooters(view.table, unit, answer, close):
        return None
    return Refusal(ADDING.id, f"Nobody of {unit.label} would fire a small arm that these could join.")


def may_be_left_out(table: Table, unit: Thing, target: Thing, joining: Sequence[str]) -> list[Thing]:
    """The figures a player may leave out of small arms fire; none where their arms are all alike.

    stargrunt.actions.action-is-the-units    figures left out do nothing; among equal arms that could only do harm
    """
    shown, there = as_target(table, target.id)
    close = range_steps(shown, unit, there).parts[0].value == 1
    firing = shooters(table, unit, joining, close)
    return firing if len({kit(one).small_arm for one in firing}) > 1 else []


def left_out(battle: Battle, unit: Thing, target: str, joining: Sequence[str]) -> Procedure[tuple[str, ...]]:
    """Ask who is left out of small arms fire, where different arms would fire together; somebody fires."""
    firing = may_be_left_out(battle.table, unit, battle.table[target], joining)
    if not firing:
        return ()
    idle: Sequence[str] = yield ChooseSeveral(
        unit.side,
        "Who is left out of the fire?",
        deed="Leave out {}",
        topic="left-out",
        about=(unit.id, target, *joining),
        options=tuple(Option(one.id, f"{one.label}'s {named(kit(one).small_arm)}", (one.id,)) for one in firing),
        at_most=len(firing) - 1,
        rules=(WHOLE_UNIT.id, MIXED.id),
        shows=("odds",),
        default=(),
    )
    return tuple(idle)


def most_dangerous(table: Table, unit: Thing) -> str:
    """The enemy that threatens a unit most, of those it may fire at; empty where there is none.

    stargrunt.cover.target-priority    those that have acted this turn, then the nearer, then those in the open
    """
    seen = [table[option.id] for option in targets(table, unit)]
    open_ = [foe for foe in seen if small_refused(table, unit, foe.id) is None]
    ranked = sorted(
        open_,
        key=lambda foe: (
            not foe.has(ACTIVATED),
            range_between(table, unit.id, foe.id),
            cover_from(table, foe.id, unit.id),
            foe.id,
        ),
    )
    return ranked[0].id if ranked else ""


def _declare_support(battle: Battle, unit: Thing) -> Procedure[FireAction]:
    """One support weapon alone."""
    weapon = yield ChooseOne(
        unit.side,
        "Which support weapon fires?",
        topic="weapon",
        about=(unit.id,),
        options=tuple(support_options(battle.table, unit, alone=True)),
        rules=(SUPPORT_DICE.id,),
    )
    target = yield ChooseOne(
        unit.side,
        "At whom?",
        topic="support-target",
        about=(unit.id, weapon),
        options=tuple(targets(battle.table, unit)),
        rules=(DECLARING.id, SUPPORT_DICE.id),
        shows=("distance", "sight", "odds"),
    )
    return FireAction(unit.id, target, False, (weapon,))


def no_support_weapon(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a figure's missile is not among the support weapons: it has dice of its own (…fire.guided-missile-dice)."""
    figure = view.table.things.get(answer)
    if figure is None or figure.unit != question.about[0] or kit(figure).support_weapon not in MISSILES:
        return None
    return Refusal(MISSILE_DICE.id, f"{figure.label} fires a missile: an action of its own.", (SUPPORT_DICE.id,))


def priority_rules(table: Table) -> tuple[RuleId, ...]:
    return (TARGET_PRIORITY.id,) if table.options.get(WARNS) else ()


def _fires(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    declared = yield from _declare_fire(battle, unit)
    return Outcome(then=(at_counter(battle.table, declared),))


def _fires_support(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    declared = yield from _declare_support(battle, unit)
    return Outcome(then=(at_counter(battle.table, declared),))


def _has_supports(table: Table, unit: Thing) -> bool:
    return on_foot(table, unit) and bool(support_options(table, unit, alone=True))


# What a case may ask -----------------------------------------------------------------------------------------------


def _shot(table: Table, asked: Data) -> object:
    """The dice of a fire action, its Range Die and its impact."""
    small = not asked.has("alone")
    using = (asked.text_at("alone"),) if not small else asked.texts("joining") if asked.has("joining") else ()
    aimed = shot(table, table[asked.text_at("of")], table[asked.text_at("at")], small, using)
    values: dict[str, object] = {
        "dice": aimed.dice,
        "range-die": aimed.range_die or "none",
        "steps": aimed.range.total,
        "impact": aimed.impact,
        "armour-shift": sum(part.value for part in aimed.armour),
    }
    return values[asked.text_at("value")]


def _arm(table: Table, asked: Data) -> object:
    name = asked.text_at()
    if name in SMALL:
        arm = SMALL[name]
        return (arm.halves, arm.impact, arm.close_only)
    if name in HEAVY:
        return (HEAVY[name].impact, HEAVY[name].per_size, HEAVY[name].sizes)
    if name in MISSILES:
        missile = MISSILES[name]
        return (missile.impact, missile.multiplier, missile.size, missile.rounds)
    weapon = SUPPORT[name]
    return (weapon.firepower, weapon.impact, weapon.point_double, weapon.saw)


def _weapons_ready(battle: Battle, unit: Thing) -> None:
    """With the option a new activation readies all weapons (stargrunt.actions.fire-limit-per-activation)."""
    if battle.table.options.get(ONCE_PER_ACTIVATION) and unit.has(FIRED):
        take(battle, unit.id, FIRED, PER_ACTIVATION)


CHAPTER = Chapter(
    switches={
        WARNS: "a unit is warned when it does not fire at whoever threatens it most (stargrunt.cover.target-priority)",
        ONCE_PER_ACTIVATION: "a weapon may fire once in each activation instead of once a turn",
    },
    actions=(
        Action(
            id="fire",
            entry="fire_small_arms",
            label="Fire",
            rule=SMALL_ARMS_DICE,
            once=FIRE_LIMIT,
            carry_out=_fires,
            refused=_no_target,
        ),
        Action(
            id="fire-support",
            entry="fire_support_or_heavy_weapon",
            label="Fire a support weapon alone",
            rule=SUPPORT_DICE,
            carry_out=_fires_support,
            shown=_has_supports,
            refused=_no_support,
        ),
    ),
    steps={FireAction: fire, Hit: hit, AfterFire: after_fire},
    refusals={
        "target": by_unit(small_refused),
        "support-target": by_unit(support_target_refused),
        **dict.fromkeys(("weapon", "weapons", "final-weapons"), by_unit(weapon_refused)),
    },
    unoffered={"weapon": no_support_weapon},
    judges=dict.fromkeys(("weapons", "final-weapons"), _judge_joining),
    states={
        StateName.FIRST_SUPPRESSION_DONE: "it has been suppressed by fire before",
        "fired": "the weapons that have fired this turn, {value: [small-arms]}",
        "fired upon by": "who fired on it in which turn, {value: [B@1]}",
    },
    answers={
        "target": "at whom the small arms fire",
        "weapons": "the figures whose support weapons join the fire",
        "left-out": "the figures that are left out of fire with different small arms",
        "weapon": "the figure whose support weapon fires alone",
        "support-target": "at whom it fires",
    },
    values={
        "shot": _shot,
        "weapon": _arm,
        "range-die": lambda table, asked: die_of(asked.number()) or "none",
    },
    at=(ACTIVATES(_weapons_ready),),
)
