"""Independent figures: alone or with a squad, and what shakes them."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.confidence.levels import REMOVING
from sandtable.rulesets.stargrunt.cover.integrity import in_integrity
from sandtable.rulesets.stargrunt.dice.foretold import risky_preview
from sandtable.rulesets.stargrunt.dice.rolls import blundered, trial
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    INDEPENDENT,
    is_independent,
    leadership_part,
    on_table,
    points,
    quality_die,
    standing,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.states import take


def squad_with(table: Table, unit: Thing) -> str:
    """The squad that an independent figure is with: one it stands within the integrity of; empty where it is alone."""
    here = points(table, unit.id)
    if not is_independent(unit) or not here:
        return ""
    for other in on_table(table, unit.side):
        if not is_independent(other) and in_integrity([*points(table, other.id), *here]):
            return other.id
    return ""


def companions(table: Table, squad: str) -> list[Thing]:
    """The independent figures that are with a squad, and are hit like any of its members."""
    side = table[squad].side
    alone = [unit for unit in on_table(table, side) if is_independent(unit)]
    return [one for unit in alone if squad_with(table, unit) == squad for one in standing(table, unit.id)]


def alone_part(table: Table, target: Thing) -> tuple[ExplainedPart, ...]:
    """How much harder an independent figure is to hit that is on its own."""
    if not is_independent(target) or squad_with(table, target):
        return ()
    return (ExplainedPart("a figure alone", INDEPENDENT.number("range_die_shift_alone"), INDEPENDENT.id),)


def steadying(unit: Thing) -> Check:
    """What it takes an independent figure to get over its panic: Quality above its LV, as for suppression."""
    target = (leadership_part(unit),)
    return trial("steadying", unit.id, quality_die(unit), target, INDEPENDENT, more=(REMOVING,))


def _steadies(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A panic marker is removed like suppression, but a 1 removes the figure (stargrunt.units.independent-figures)."""
    yield from ()
    trial = steadying(unit)
    roll = throw(battle, trial)
    if roll.succeeds:
        take(battle, unit.id, StateName.PANICKED, INDEPENDENT, roll.n)
    elif blundered(trial, roll.score):
        for one in standing(battle.table, unit.id):
            battle.happens(ModelLost(one.id, "ran away", rule=INDEPENDENT.id, because=roll.n))
    return Outcome()


CHAPTER = Chapter(
    actions=(
        Action(
            id="steady",
            entry="remove_suppression",
            label="Get over the panic",
            rule=INDEPENDENT,
            carry_out=_steadies,
            foretold=lambda table, unit: risky_preview("it is steady again", "it runs away", steadying(unit)),
            shown=lambda table, unit: on_foot(table, unit) and is_independent(unit) and unit.has(StateName.PANICKED),
        ),
    ),
    values={"with": lambda table, asked: squad_with(table, table[asked.text_at()]) or "nobody"},
)
