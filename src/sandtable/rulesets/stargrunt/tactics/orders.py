"""What tactics think of each action of a unit: fire, move, dig in, recover, rally, pass the initiative on, assault."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.close_assault.fights import targets
from sandtable.rulesets.stargrunt.communications import comrades, rally_refused, receivers, transfer_refused
from sandtable.rulesets.stargrunt.cover.protection import GOING_IN, in_cover, unit_in_integrity
from sandtable.rulesets.stargrunt.fire.wounds import to_treat
from sandtable.rulesets.stargrunt.movement.walking import TRAVELLING, combat_distance, mobility_die
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.tactics.assault import assault_worth
from sandtable.rulesets.stargrunt.tactics.command import message, rally_worth
from sandtable.rulesets.stargrunt.tactics.drive import best_drive
from sandtable.rulesets.stargrunt.tactics.errands import (
    call,
    fire_piece,
    get_away,
    get_out,
    lay_smoke,
    observe,
    pack,
    set_up,
)
from sandtable.rulesets.stargrunt.tactics.fire import (
    POINT,
    Fire,
    best_fire,
    chance,
    close_by,
    heavy_fires,
    nearest_few,
    small_fires,
    support_fires,
)
from sandtable.rulesets.stargrunt.tactics.outlook import gets_away
from sandtable.rulesets.stargrunt.tactics.places import best_dash
from sandtable.rulesets.stargrunt.tactics.thoughts import AT_ONCE, HARDLY, Order, Thought
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    at_worst,
    hull_of,
    is_element,
    leadership,
    points,
    quality_die,
    standing,
    suppressed,
    waiting,
)
from sandtable.tabletop.opponent import Reasons, scaled, total

#: What getting a man on his feet again, or out of danger, is worth.
TREATED = 250
#: How long a position is kept, in hundredths of a turn's fire.
KEPT = 150
#: By how much a combat move must be better than a move on average: a unit that falls short stands in the open.
SHORT = 300
#: How much of a move is left to who first spends an action on giving up its position, in thousandths: the second one.
GIVEN_UP = 500
#: How much sooner than others a unit acts that has to get its head up, and one that stands in the open.
HEADS_UP, IN_THE_OPEN = POINT // 2, POINT // 4
#: What an activation more is worth, in hundredths of its best action.
ONCE_MORE = 130
#: The same where everybody is there to get away, the commander too.
LEFT_BEHIND = 60


def _fire_with(kind: Callable[[Table, Thing], list[Fire]]) -> Callable[[Thought], Order | None]:
    def weighed(thought: Thought) -> Order | None:
        table, unit, fires = thought.table, thought.unit, kind(thought.table, thought.unit)
        near = [one.id for one in nearest_few(table, unit, [table[fire.target] for fire in fires], thought.skill.foes)]
        best = best_fire([fire for fire in fires if fire.target in near])
        held = thought.skill.holds_fire
        if best is not None and held and not close_by(table, unit, table[best.target], held):
            return None
        return None if best is None else Order(f"fire at {thought.table[best.target].label}", best.parts)

    return weighed


def _move(thought: Thought) -> Order | None:
    best = thought.going
    if best is None:
        return None
    return Order(f"move to {best.place.label}", scaled(best.parts, thought.leaves()))


def _dash(thought: Thought) -> Order | None:
    """A combat move, where it brings a unit into cover or to its goal; nobody hurries whom no enemy sees."""
    outlook, die = thought.outlook, mobility_die(thought.unit)
    if length_between(outlook.here, outlook.goal) > combat_distance(die) and not outlook.seen(outlook.here):
        return None
    walking = 0 if thought.going is None else thought.going.worth
    best = best_dash(outlook, die, thought.skill.poses, walking)
    if best is None:
        return None
    return Order(f"dash to {best.place.label}", (*scaled(best.parts, thought.leaves()), ("may fall short", -SHORT)))


def _drive(thought: Thought) -> Order | None:
    best = best_drive(thought.outlook, thought.skill.poses)
    return None if best is None else Order(best.label, scaled(best.parts, thought.leaves()))


def _dig_in(thought: Thought) -> Order | None:
    """Go In Position where fire is to be feared and it is not better to go on."""
    unit, outlook = thought.unit, thought.outlook
    here = points(thought.table, unit.id)
    word = "in_cover" if in_cover(thought.table, unit) else "in_open"
    works = chance(quality_die(unit), leadership(unit) + GOING_IN.number("threat", word))
    saved = outlook.danger(here) - outlook.danger(here, dug_in=True)
    going_on = 0 if thought.going is None else thought.going.worth
    worth = saved * KEPT // 100 * works // 1000
    return Order("go In Position", (("danger", worth), ("going on", -going_on // 2))) if worth >= HARDLY else None


def _give_up(thought: Thought) -> Order | None:
    """Give a position up by an action of its own, where it is time to go and the test to go at once is a poor one."""
    if thought.going is None:
        return None
    return Order("give up the position", scaled(thought.going.parts, GIVEN_UP))


def _reorganise(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    if not unit_in_integrity(table, unit.id) or unit.has(TRAVELLING):
        return Order("reorganise", (("out of integrity", AT_ONCE),))
    wounded = len(to_treat(table, unit))
    return Order("treat the wounded", (("wounded", TREATED * wounded),)) if wounded else None


def _first_of_all(label: str, why: str) -> Callable[[Thought], Order | None]:
    return lambda thought: Order(label, ((why, AT_ONCE),))


def _sometimes(label: str, why: str, worth: int) -> Callable[[Thought], Order | None]:
    return lambda thought: Order(label, ((why, worth),))


def instead(table: Table, unit: Thing, skill: Any) -> int:
    """What a squad's next action would be worth if it did not fire again."""
    thought = Thought(table, unit, skill)
    return max((order.worth for order in (_move(thought), _dig_in(thought)) if order is not None), default=0)


# Command ---------------------------------------------------------------------------------------------------------


def transfer_worth(table: Table, commander: Thing, unit: Thing, skill: Any) -> Reasons:
    """What an activation more is worth to a subordinate: its best action now, if the message gets through."""
    if at_worst(unit, BROKEN) or not unit_in_integrity(table, unit.id):
        return (("an activation more", 0),)
    best = max((order.worth for order in _own_actions(Thought(table, unit, skill))), default=0)
    share = LEFT_BEHIND if gets_away(table, commander.side) else ONCE_MORE
    return (("an activation more", best * share // 100 * message(table, commander, unit) // 1000),)


def _own_actions(thought: Thought) -> Iterator[Order]:
    """What a unit could do with an activation, roughly: recover, enter, fire or move."""
    table, unit = thought.table, thought.unit
    if waiting(unit):
        yield Order("enter", (("", POINT),))
    elif suppressed(unit):
        works = chance(quality_die(unit), leadership(unit))
        yield Order("recover", (("", POINT * works // 1000),))
    elif standing(table, unit.id):
        kinds = (_move, _fire_with(small_fires)) if hull_of(table, unit.id) is None else (_drive,)
        for kind in (*kinds, _fire_with(heavy_fires)):
            order = kind(thought)
            if order is not None:
                yield order


def _rally(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    able = [one for one in comrades(table, unit) if rally_refused(table, unit, one.id) is None]
    best = max((rally_worth(table, unit, one) for one in able), key=total, default=None)
    return None if best is None else Order("rally", best)


def _transfer(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    known = receivers(table, unit)
    able = [table[option.id] for option in known if transfer_refused(table, unit, option.id) is None]
    best = max((transfer_worth(table, unit, one, thought.skill) for one in able), key=total, default=None)
    return None if best is None or not thought.skill.plans else Order("transfer the action", best)


def _assault(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    found = [assault_worth(table, unit, table[option.id], thought.skill.fears) for option in targets(table, unit)]
    best = max(found, key=total, default=None)
    return Order("assault", best) if best is not None and total(best) > 0 else None


# The list --------------------------------------------------------------------------------------------------------


ORDERS: Mapping[str, Callable[[Thought], Order | None]] = {
    "enter": _first_of_all("enter", "on the table"),
    "drive-on": _first_of_all("drive on", "on the table"),
    "remove-suppression": _first_of_all("remove suppression", "suppressed"),
    "remove-panic": _first_of_all("get over the panic", StateName.PANICKED),
    "steady": _first_of_all("steady", StateName.PANICKED),
    "reorganise": _reorganise,
    "fire": _fire_with(small_fires),
    "fire-support": _fire_with(support_fires),
    "fire-heavy": _fire_with(heavy_fires),
    "move": _move,
    "combat-move": _dash,
    "drive": _drive,
    "go-in-position": _dig_in,
    "leave-position": _give_up,
    "rally": _rally,
    "transfer": _transfer,
    "request-support": call,
    "fire-piece": fire_piece,
    "observe": observe,
    "lay-smoke": lay_smoke,
    "assault": _assault,
    "disembark": get_out,
    "leave": get_away,
    "set-up-weapon": set_up,
    "pack-weapon": pack,
    "repair": _sometimes("repair", "repair", POINT),
    "done": lambda thought: Order("nothing more", ()),
}


#: What a beginner thinks of: to enter, to get its heads up, to fire and to go.
BASIC = (
    *("enter", "drive-on", "remove-suppression", "remove-panic", "steady", "reorganise", "fire", "fire-support"),
    *("fire-heavy", "move", "drive", "leave-position", "disembark", "leave", "done"),
)

#: How a unit gets its heads up again.
RECOVERY = ("remove-suppression", "rally", "reorganise")


def quick_worth(table: Table, unit: Thing) -> Reasons:
    """How much a unit is in a hurry to act, without looking at all it could do."""
    if is_element(unit):
        return ()
    if waiting(unit):
        return (("on the table", POINT),)
    if suppressed(unit):
        return (("suppressed", HEADS_UP),)
    kinds = (heavy_fires,) if hull_of(table, unit.id) is not None else (small_fires, heavy_fires)
    best = best_fire([one for kind in kinds for one in kind(table, unit)])
    exposed = 0 if in_cover(table, unit) else IN_THE_OPEN
    return (("fire", best.worth if best else 0), ("in the open", exposed))
