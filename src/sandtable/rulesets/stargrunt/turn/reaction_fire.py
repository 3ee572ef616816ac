"""Reaction fire, an option of the chapter turn: one unit fires at another that dashes through the open."""

from collections.abc import Sequence

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import ReactOption
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.chapter import Action, Activate, on_foot
from sandtable.rulesets.stargrunt.cover.protection import unit_in_integrity
from sandtable.rulesets.stargrunt.fire.out_of_turn import one_fire_action, ways_to_fire
from sandtable.rulesets.stargrunt.moments import BREAKS_IN
from sandtable.rulesets.stargrunt.movement.walking import TRAVELLING
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import (
    ACTIVATED,
    REACTION_FIRE,
    left_to_activate,
    owes_activations,
    unactivated,
)
from sandtable.rulesets.stargrunt.units.record import airborne, hidden, standing, suppressed
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import END_OF_TURN, give

#: The switch of a battle in which units may react.
SWITCH = "reaction-fire"


class BetweenMoves(Step, frozen=True):
    """A unit is between two moves of one activation: an enemy may fire at it."""

    unit: str


def may_react(table: Table, unit: Thing, mover: Thing) -> bool:
    """Whether a unit could fire at another between its two moves, had its player the mind to."""
    if hidden(unit) or not standing(table, unit.id) or airborne(table, unit.id) or unit.has(StateName.PANICKED):
        return False
    held = suppressed(unit) or not unit_in_integrity(table, unit.id) if on_foot(table, unit) else False
    return not held and not unit.has(TRAVELLING) and bool(ways_to_fire(table, unit, mover))


def breaks_in(table: Table, unit: Thing, step: Activate, action: Action) -> Sequence[Step]:
    """A second move in one activation may be broken into by a side that has units left to activate.

    The side is asked whether or not any of them can fire, so that being asked tells nothing.
    """
    other = next(side for side in table.sides if side != unit.side)
    dashes = step.moved and action.entry == "move" and bool(standing(table, unit.id))
    if not table.options.get(SWITCH) or not dashes or not left_to_activate(table, other):
        return ()
    return (BetweenMoves(unit.id),)


def between_moves(battle: Battle, step: BetweenMoves) -> Procedure[None]:
    """One enemy unit that has not been activated may fire; that is its activation, and its side's next.

    stargrunt.turn.reaction-fire    the result applies at once, and may cost the mover its second move
    """
    table, mover = battle.table, battle.table[step.unit]
    other = next(side for side in table.sides if side != mover.side)

    def options(side: Side, declared: Sequence[Reacted]) -> list[ReactOption]:
        able = [unit for unit in unactivated(table, side) if may_react(table, unit, mover)]
        return [ReactOption(unit.id, f"{unit.label} fires", unit.id, rules=(REACTION_FIRE.id,)) for unit in able]

    reacted = yield from reaction_window(
        battle,
        moment="reaction-fire",
        prompt=f"{mover.label} dashes on: fire at it?",
        options=options,
        rules=(REACTION_FIRE.id,),
        about=(mover.id,),
        sides=(other,),
        once=True,
        blind=True,
        shows=("odds",),
    )
    for one in reacted:
        firer = battle.table[one.reaction.option]
        n = give(battle, firer.id, ACTIVATED, REACTION_FIRE, until=END_OF_TURN)
        owes_activations(battle, other, 1, n)
        battle.push((yield from one_fire_action(battle, battle.table[firer.id], mover, REACTION_FIRE)))


CHAPTER = Chapter(
    steps={BetweenMoves: between_moves},
    answers={"reaction-fire": "the unit that fires at another between its two moves"},
    switches={SWITCH: "a unit may fire at an enemy between its two moves (stargrunt.turn.reaction-fire)"},
    at=(BREAKS_IN(breaks_in),),
)
