"""Scenario: the table, objectives, and how a battle is decided."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, Placed
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.cover import protection
from sandtable.rulesets.stargrunt.moments import ACTION_OVER, AHEAD, BETWEEN, STARTS, TURN_ENDS
from sandtable.rulesets.stargrunt.movement import terrain_costs
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import (
    REACTED,
    TURN_END,
    NextActivation,
    TurnBegins,
    TurnEnds,
    choose_unit,
    clear_turn,
    finished,
    goes_on,
    owes_activations,
)
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    REGROUPED,
    ROUTED,
    at_worst,
    fit,
    is_element,
    of_units,
    points,
    spot,
    waiting,
)
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter, Moment
from sandtable.tabletop.endings import end
from sandtable.tabletop.opening import lay_board
from sandtable.tabletop.states import give

TABLE = rule("stargrunt.scenario.table-and-baselines")
STATES = rule("stargrunt.scenario.what-a-scenario-states")
ENCOUNTER = rule("stargrunt.scenario.encounter")
HOLDING = rule("stargrunt.scenario.holding-objectives")
VICTORY = rule("stargrunt.scenario.victory")
NO_POINTS = rule("stargrunt.scenario.no-points")

OBJECTIVE = "objective"
#: The scenarios of the ledger, as the option `battle` names them.
BATTLES: dict[str, Rule] = {
    "encounter": ENCOUNTER,
    "attack-defence": rule("stargrunt.scenario.attack-defence"),
    "patrol-clash": rule("stargrunt.scenario.patrol-clash"),
    "rearguard": rule("stargrunt.scenario.rearguard"),
}


class Ending(NamedTuple):
    """How a kind of scenario ends: what is counted at once, at the end of a turn, and when it is over."""

    counts: Callable[[Battle], None]
    turn: Callable[[Battle], None]
    ends: Callable[[Battle, bool], None]


#: How a scenario of a name ends, where it does not fight for markers.
ENDING: Moment[[str], Ending | None] = Moment("a scenario may end")


class Ask(Step, frozen=True):
    """What chapters do between activations is done: a side activates."""

    side: Side


class TurnIsOver(Step, frozen=True):
    """What chapters do at the end of a turn is done: the turn is over."""


#: Which rule a kind of terrain is laid out under.
TERRAIN_RULE: dict[str, Rule] = {
    **dict.fromkeys(protection.WOOD, protection.WOODS),
    **dict.fromkeys(("trench", "foxhole", "barricade", "berm"), protection.FIELD_DEFENCES),
    **dict.fromkeys(("wall", "hedge", "building"), terrain_costs.WALLS),
}


#: How kinds of terrain are drawn that have no look of their own.
LOOKS = {
    "light-wood": "light-woods",
    "dense-wood": "heavy-woods",
    "light-scrub": "rough",
    "cultivated": "rough",
    "hedge": "obstruction",
    "barricade": "obstruction",
    "berm": "obstruction",
    "trench": "rough",
    "foxhole": "rough",
    "open-water": "water",
}


def dressed(piece: Piece) -> Piece:
    """A piece with the look it is drawn in."""
    if piece.kind not in LOOKS or "look" in piece.traits:
        return piece
    return replace(piece, traits={**piece.traits, "look": LOOKS[piece.kind]})


def lay_ground(battle: Battle, ground: Ground) -> None:
    """Put the board and its terrain on the table."""

    def placed(piece: Piece) -> Placed:
        why = TERRAIN_RULE.get(piece.kind, terrain_costs.CLASSES)
        return Placed(piece.id, Off(), piece=dressed(piece), rule=why.id)

    lay_board(battle, ground, TABLE, STATES, NO_POINTS, placed=placed)


def objectives(table: Table) -> list[Thing]:
    """The objective markers."""
    return [thing for thing in table.of_kind("marker") if thing.card == OBJECTIVE]


def near(table: Table, marker: Thing, side: Side) -> bool:
    """Whether a side has a unit, not Broken or Routed, with most of its OK figures near an objective."""
    reach = HOLDING.inches("distance_in")
    at = spot(marker)
    for unit in table.of_kind("unit"):
        if unit.side != side or at_worst(unit, BROKEN):
            continue
        figures = points(table, unit.id)
        close = sum(center_gap(one, at) <= reach * reach for one in figures)
        if 2 * close > len(figures):
            return True
    return False


def hold_objectives(battle: Battle) -> None:
    """An objective is held by the side that last stood there alone (stargrunt.scenario.holding-objectives)."""
    for marker in objectives(battle.table):
        there = [side for side in battle.table.sides if near(battle.table, marker, side)]
        if len(there) == 1 and marker.value(StateName.HELD_BY) != there[0]:
            give(battle, marker.id, StateName.HELD_BY, HOLDING, there[0])


def lost(table: Table, unit: Thing) -> bool:
    """Whether a unit counts as lost for victory: destroyed, captured, gone, or Routed; one that was joined is not."""
    if is_element(unit) or getattr(unit.place, "why", "") == REGROUPED:
        return False
    return not fit(table, unit.id) or at_worst(unit, ROUTED)


def out_of_it(table: Table, side: Side) -> bool:
    """Whether all units of a side are Broken, Routed, destroyed or gone; units still to enter are not.

    Nor is whatever may lie under a counter: the end of a battle does not tell what is a dummy.
    """
    return not of_units(table, side) and all(
        not fit(table, unit.id) or (not waiting(unit) and at_worst(unit, BROKEN))
        for unit in table.of_kind("unit")
        if unit.side == side
    )


def victory_points(table: Table, side: Side) -> int:
    """The values of objectives held, and one for each enemy unit lost (stargrunt.scenario.victory)."""
    held = sum(m.count("value") for m in objectives(table) if m.value(StateName.HELD_BY) == side)
    taken = sum(lost(table, unit) for unit in table.of_kind("unit") if unit.side != side)
    return held + taken * VICTORY.number("per_enemy_unit_lost")


def own_ending(battle: Battle) -> Ending | None:
    """How the scenario ends, where it does not fight for markers."""
    name = str(battle.table.options.get("battle", ""))
    return next((found for of in book_of(battle).at(ENDING) if (found := of(name)) is not None), None)


def decided(battle: Battle) -> bool:
    """End the battle at once where its scenario is decided, and say whether it is over."""
    own = own_ending(battle)
    if own is not None:
        own.counts(battle)
        own.ends(battle, False)
        return battle.ended
    out = [side for side in battle.table.sides if out_of_it(battle.table, side)]
    if len(out) == len(battle.table.sides):
        by_points(battle, "both sides are broken")
    elif out:
        winner = next(side for side in battle.table.sides if side not in out)
        end(battle, winner, VICTORY, f"{out[0]} is broken", _points(battle.table))
    return battle.ended


def by_points(battle: Battle, reason: str) -> None:
    """The higher total wins; a difference of 1 or less is a draw."""
    points = _points(battle.table)
    (first, mine), (second, yours) = points.items()
    drawn = abs(mine - yours) <= VICTORY.number("draw_margin")
    winner = NO_SIDE if drawn else first if mine > yours else second
    end(battle, winner, VICTORY, reason, points)


def _points(table: Table) -> dict[Side, int]:
    return {side: victory_points(table, side) for side in table.sides}


def turn_ends(battle: Battle, step: TurnEnds) -> Procedure[None]:
    """The turn end phase begins with whatever chapters do then."""
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn, "turn end", rule=TURN_END.id))
    battle.push(*steps_at(battle, TURN_ENDS, battle.table), TurnIsOver())


def turn_limit(table: Table) -> int | None:
    """After which turn a battle ends: what its scenario says, else what the ledger says of its kind; or never."""
    if "turn-limit" in table.options:
        return int(table.options["turn-limit"])
    kind = BATTLES.get(str(table.options.get("battle", "")), ENCOUNTER)
    return kind.number("turns") if kind.has("turns") else None


def turn_is_over(battle: Battle, step: TurnIsOver) -> Procedure[None]:
    """All units become unactivated; the last turn decides by points (stargrunt.turn.turn-end-phase)."""
    yield from ()
    table = battle.table
    own = own_ending(battle)
    clear_turn(battle)
    hold_objectives(battle)
    if own is not None:
        own.turn(battle)
    limit = turn_limit(table)
    if decided(battle):
        return
    if limit is not None and table.turn >= limit:
        if own is not None:
            own.ends(battle, True)
        else:
            by_points(battle, "the last turn is over")
        return
    battle.push(TurnBegins())


def next_activation(battle: Battle, step: NextActivation) -> Procedure[None]:
    """Before a side activates, chapters do what they do between activations."""
    more = steps_at(battle, BETWEEN, battle.table)
    if more:
        battle.push(*more, Ask(step.side))
    else:
        yield from ask(battle, Ask(step.side))


def ask(battle: Battle, step: Ask) -> Procedure[None]:
    """Ask a side what it activates, unless it has finished; when both have, the turn ends.

    stargrunt.turn.alternating-activation    one unit, then the other side
    stargrunt.turn.finishing                 when both are finished the turn ends
    stargrunt.turn.reaction-fire             a side that has reacted has had its activation
    """
    side = step.side
    pressing = steps_at(battle, AHEAD, battle.table)
    if pressing:
        battle.push(*pressing, step)
        return
    hold_objectives(battle)
    if decided(battle):
        return
    other = next(one for one in battle.table.sides if one != side)
    if finished(battle.table, side):
        battle.push(TurnEnds() if finished(battle.table, other) else NextActivation(other))
        return
    acting = battle.table.things.get(side)
    if acting is not None and acting.has(REACTED):
        owes_activations(battle, side, -1)
        battle.push(NextActivation(other))
        return
    chosen = yield from choose_unit(battle, side)
    following = side if goes_on(battle.table, side, chosen) else other
    first: Sequence[Step] = (Activate(chosen),) if chosen else ()
    for starts in book_of(battle).at(STARTS) if chosen else ():
        started = starts(battle.table, chosen)
        first = first if started is None else started
    battle.push(*first, NextActivation(following))


def _cards(table: Table, side: Side) -> tuple[str, ...]:
    """The cards of a side's units, in their order."""
    return tuple(unit.card for unit in table.of_kind("unit") if unit.side == side)


CHAPTER = Chapter(
    at=(ACTION_OVER(hold_objectives),),
    steps={NextActivation: next_activation, Ask: ask, TurnEnds: turn_ends, TurnIsOver: turn_is_over},
    values={
        "points": lambda table, asked: victory_points(table, Side(asked.text_at())),
        "turn-limit": lambda table, asked: turn_limit(table) or "none",
        "cards": lambda table, asked: _cards(table, Side(asked.text_at())),
    },
)
