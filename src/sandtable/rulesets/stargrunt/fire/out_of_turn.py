"""One fire action out of turn, at a target that is given: of whatever a unit has to fire with."""

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.stargrunt.chapter import on_foot
from sandtable.rulesets.stargrunt.fire.actions import joining_weapons, left_out, support_options
from sandtable.rulesets.stargrunt.fire.armament import arms
from sandtable.rulesets.stargrunt.fire.heavy import arm_refused, target_refused
from sandtable.rulesets.stargrunt.fire.shots import (
    DECLARING,
    SMALL_ARMS,
    SMALL_ARMS_DICE,
    FireAction,
    refused_small,
    refused_target,
    support_refused,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone


def ways_to_fire(table: Table, unit: Thing, target: Thing) -> list[Option]:
    """The fire actions a unit could make at a target: its small arms, a support weapon alone, or a heavy weapon."""
    found = []
    if on_foot(table, unit):
        if refused_small(table, unit, target) is None:
            found.append(Option(SMALL_ARMS, "The small arms", (unit.id,), (SMALL_ARMS_DICE.id,)))
        if refused_target(table, unit, target) is None:
            alone = support_options(table, unit, alone=True)
            found += [one for one in alone if support_refused(unit, table[one.id]) is None]
    for arm in arms(table, unit):
        if arm_refused(table, unit, arm) is None and target_refused(table, unit, target, arm) is None:
            found.append(Option(arm.id, arm.label, (unit.id,), (arm.rule.id,)))
    return found


def one_fire_action(
    battle: Battle, unit: Thing, target: Thing, why: Rule, topic: str = "weapons", *, assault: bool = False
) -> Procedure[FireAction]:
    """Ask with what a unit fires, where it has a choice, and give the fire action."""
    ways = ways_to_fire(battle.table, unit, target)
    question = ChooseOne(
        unit.side,
        f"{unit.label} fires at {target.label} with what?",
        topic="fire-with",
        about=(unit.id, target.id),
        options=tuple(ways),
        rules=(why.id, DECLARING.id),
        shows=("odds",),
        default=ways[0].id,
    )
    chosen = yield from unless_alone(question)
    if chosen != SMALL_ARMS:
        return FireAction(unit.id, target.id, False, (chosen,), assault=assault)
    joining = yield from joining_weapons(battle, unit, target.id, topic, why)
    idle = yield from left_out(battle, unit, target.id, joining)
    return FireAction(unit.id, target.id, True, joining, assault=assault, idle=idle)


def first_shot(table: Table, unit: Thing, target: Thing) -> tuple[bool, tuple[str, ...]]:
    """What a unit that fires out of turn fires with if nothing else is said: small arms or not, and which weapon."""
    ways = ways_to_fire(table, unit, target)
    small = not ways or ways[0].id == SMALL_ARMS
    return small, () if small else (ways[0].id,)


CHAPTER = Chapter(
    answers={"fire-with": "small-arms, or the figure or weapon that fires out of turn instead"},
)
