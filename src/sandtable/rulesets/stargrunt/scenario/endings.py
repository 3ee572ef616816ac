"""How the scenarios end that do not fight for markers: the clash of patrols, and the rearguard."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Scored
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.movement.actions import LEFT
from sandtable.rulesets.stargrunt.observation.counters import face_up
from sandtable.rulesets.stargrunt.scenario.objectives import BATTLES, ENDING, Ending, lost, out_of_it
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import BROKEN, CAPTIVE, at_worst, counters, fit, is_element, units
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end
from sandtable.tabletop.states import give

PATROL, REARGUARD = BATTLES["patrol-clash"], BATTLES["rearguard"]
#: What has been told of a unit of the attacker: that it broke, that it was lost, that it got through.
BROKE, GONE, THROUGH = "counted as broken", "counted as lost", "got through"

#: What a clash of patrols counts for its winner; the ledger ranks the two wins and gives them no points.
DECISIVE, LESSER = 2, 1


def other_side(table: Table, side: Side) -> Side:
    """The opponent of a side."""
    return next(one for one in table.sides if one != side)


# A clash of patrols ------------------------------------------------------------------------------------------------


def identified(table: Table, side: Side) -> bool:
    """Whether a side has identified every counter of its enemy."""
    return all(face_up(one) for one in counters(table, other_side(table, side)))


def casualties(table: Table, side: Side) -> int:
    """How many figures of a side are hurt, dead or taken."""
    figures = [one for one in table.things.values() if one.kind == "model" and one.side == side]
    return sum(
        bool(one.harm) or one.has(CAPTIVE) or one.gone not in ("", "left the table", "not there") for one in figures
    )


def withdrawn(table: Table, side: Side) -> bool:
    """Whether every unit of a side that could has left the table."""
    mine = [unit for unit in table.of_kind("unit") if unit.side == side]
    return not counters(table, side) and not units(table, side) and any(unit.has(LEFT) for unit in mine)


def patrol_ends(battle: Battle, *, last: bool) -> None:
    """End a clash of patrols where somebody has won it, or where it is over.

    stargrunt.scenario.patrol-clash    decisive: all identified and the enemy driven off; lesser: withdrawn with fewer
                                       casualties and all identified; else a draw
    """
    table = battle.table
    for side in table.sides:
        enemy = other_side(table, side)
        if identified(table, side) and out_of_it(table, enemy) and not withdrawn(table, enemy):
            _end(battle, side, DECISIVE, "a decisive win")
            return
    for side in table.sides:
        fewer = casualties(table, side) < casualties(table, other_side(table, side))
        if withdrawn(table, side) and identified(table, side) and fewer:
            _end(battle, side, LESSER, "a lesser win")
            return
    if last or any(out_of_it(table, side) for side in table.sides):
        _end(battle, NO_SIDE, 0, "nobody has done what it came for")


def _end(battle: Battle, winner: Side, points: int, reason: str) -> None:
    told = {side: points if side == winner else 0 for side in battle.table.sides}
    end(battle, winner, PATROL, reason, told)


# The rearguard -----------------------------------------------------------------------------------------------------


def attacker(table: Table) -> Side:
    """The side that has to get through."""
    return next(side for side in table.sides if side in table.things and table[side].has(StateName.LEAVES_OVER))


def _score(battle: Battle, unit: Thing | None, points: int, reason: str, state: str = "") -> None:
    n = battle.happens(Scored(attacker(battle.table), points, reason, rule=REARGUARD.id))
    if unit is not None:
        give(battle, unit.id, state, REARGUARD, because=n)


def rearguard_counts(battle: Battle) -> None:
    """Take points from the attacker for units that broke or were lost since it was last asked.

    stargrunt.scenario.rearguard    1 for each that becomes Broken, 2 for each destroyed or routed off
    """
    side = attacker(battle.table)
    for unit in [one for one in battle.table.of_kind("unit") if one.side == side and not is_element(one)]:
        if fit(battle.table, unit.id) and at_worst(unit, BROKEN) and not unit.has(BROKE):
            _score(battle, unit, -REARGUARD.number("loss_per_broken_unit"), f"{unit.label} is Broken", BROKE)
        gone = not fit(battle.table, unit.id) and lost(battle.table, unit) and not unit.has(LEFT)
        if gone and not unit.has(GONE):
            _score(battle, unit, -REARGUARD.number("loss_per_lost_unit"), f"{unit.label} is lost", GONE)


def rearguard_turn(battle: Battle) -> None:
    """A turn in which none of its units got through costs the attacker a point."""
    side = attacker(battle.table)
    mine = [unit for unit in battle.table.of_kind("unit") if unit.side == side]
    fresh = [unit for unit in mine if unit.has(LEFT) and not unit.has(THROUGH)]
    for unit in fresh:
        give(battle, unit.id, THROUGH, REARGUARD)
    if not fresh:
        _score(battle, None, -REARGUARD.number("loss_per_turn"), "nobody got through this turn")


def rearguard_ends(battle: Battle, *, last: bool) -> None:
    """The defender wins when no points are left, the attacker if it clears the defence or all survivors get through.

    stargrunt.scenario.rearguard    otherwise the defender does: after the last turn too, where a file sets one
    """
    table = battle.table
    side = attacker(table)
    points = table.scores.get(side, 0)
    told = {one: points if one == side else 0 for one in table.sides}
    if points <= 0:
        end(battle, other_side(table, side), REARGUARD, "time has run out", told)
    elif out_of_it(table, other_side(table, side)):
        end(battle, side, REARGUARD, "the defence is cleared", told)
    elif not units(table, side):
        through = any(unit.has(LEFT) for unit in table.of_kind("unit") if unit.side == side)
        winner = side if through else other_side(table, side)
        reason = "all survivors got through" if through else "nobody is left"
        end(battle, winner, REARGUARD, reason, told)
    elif last:
        end(battle, other_side(table, side), REARGUARD, "the last turn is over", told)


_ENDINGS = {
    "patrol-clash": Ending(
        lambda battle: None, lambda battle: None, lambda battle, last: patrol_ends(battle, last=last)
    ),
    "rearguard": Ending(rearguard_counts, rearguard_turn, lambda battle, last: rearguard_ends(battle, last=last)),
}

CHAPTER = Chapter(at=(ENDING(_ENDINGS.get),))
