"""What tactics think of each action of a unit: fire, move, dig in, recover, rally, pass the initiative on, assault."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.paths import length_between
from sandtable.rulesets.stargrunt._gunnery import may_request
from sandtable.rulesets.stargrunt._hulls import IMMOBILISED
from sandtable.rulesets.stargrunt._observing import counters_die, success
from sandtable.rulesets.stargrunt._pieces import piece_of
from sandtable.rulesets.stargrunt._wounds import to_treat
from sandtable.rulesets.stargrunt.close_assault import targets
from sandtable.rulesets.stargrunt.communications import (
    may_be_rallied,
    receivers,
)
from sandtable.rulesets.stargrunt.confidence import REACTION_THREATS, SHAKEN_RULE, is_shaken
from sandtable.rulesets.stargrunt.cover import GOING_IN, in_cover, unit_in_integrity
from sandtable.rulesets.stargrunt.movement import TRAVELLING, base_mobility, mobility_die
from sandtable.rulesets.stargrunt.observation import observed_by, seen_parts, sensor_die
from sandtable.rulesets.stargrunt.scenario import turn_limit
from sandtable.rulesets.stargrunt.tactics_assault import assault_worth
from sandtable.rulesets.stargrunt.tactics_command import message, rally_worth
from sandtable.rulesets.stargrunt.tactics_drive import best_drive
from sandtable.rulesets.stargrunt.tactics_fire import (
    POINT,
    Fire,
    Reasons,
    best_fire,
    chance,
    heavy_fires,
    small_fires,
    support_fires,
)
from sandtable.rulesets.stargrunt.tactics_outlook import Outlook, gets_away, outlook_of
from sandtable.rulesets.stargrunt.tactics_places import Going, best_dash, best_going
from sandtable.rulesets.stargrunt.tactics_smoke import screens
from sandtable.rulesets.stargrunt.tactics_support import aims, request_worth
from sandtable.rulesets.stargrunt.units import (
    BROKEN,
    at_worst,
    carrier_of,
    hull_of,
    is_element,
    leadership,
    points,
    quality_die,
    standing,
    suppressed,
    waiting,
)

#: What must be done before anything else can be.
AT_ONCE = 4 * POINT
#: What getting a man on his feet again, or out of danger, is worth.
TREATED = 250
#: How near to where they want to be, or to an enemy, passengers get out.
GETS_OUT = 12 * UNIT
#: What is hardly worth an action.
HARDLY = 120
#: How long a position is kept, in hundredths of a turn's fire.
KEPT = 150
#: By how much a combat move must be better than a move on average: a unit that falls short stands in the open.
SHORT = 300
#: What it is worth to make a counter out.
MADE_OUT = 900
#: What an activation more is worth, in hundredths of its best action.
ONCE_MORE = 130
#: The same where everybody is there to get away, the commander too.
LEFT_BEHIND = 60


class Order(NamedTuple):
    """An action and what it is worth; nothing where it is not worth thinking of."""

    label: str
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return sum(value for _, value in self.parts)


class Thought:
    """What a unit may do now, each thing thought through when it is asked for, and once."""

    def __init__(self, table: Table, unit: Thing, mind: Any) -> None:
        self.table, self.unit, self.mind = table, unit, mind
        self._outlook: Outlook | None = None
        self._going: tuple[Going | None] | None = None

    @property
    def outlook(self) -> Outlook:
        """What it sees around it."""
        if self._outlook is None:
            self._outlook = outlook_of(self.table, self.unit, self.mind.fears)
        return self._outlook

    @property
    def going(self) -> Going | None:
        """The best place a move can take it to; none where it had better stay."""
        if self._going is None:
            self._going = (best_going(self.outlook, base_mobility(self.unit), self.mind.poses),)
        return self._going[0]

    def leaves(self) -> int:
        """How likely a move is to be made at all, in thousandths: out of a position, or of a Shaken unit."""
        die, lv, share = quality_die(self.unit), leadership(self.unit), 1000
        if self.unit.has("in position"):
            share = chance(die, lv + REACTION_THREATS.number("move_from_position"))
        if is_shaken(self.unit):
            share = share * chance(die, lv + SHAKEN_RULE.number("threat")) // 1000
        return share


def _scaled(parts: Reasons, thousandths: int) -> Reasons:
    return tuple((why, value * thousandths // 1000) for why, value in parts)


def _fire_with(kind: Callable[[Table, Thing], list[Fire]]) -> Callable[[Thought], Order | None]:
    def weighed(thought: Thought) -> Order | None:
        best = best_fire(kind(thought.table, thought.unit))
        return None if best is None else Order(f"fire at {thought.table[best.target].label}", best.parts)

    return weighed


def _move(thought: Thought) -> Order | None:
    best = thought.going
    if best is None:
        return None
    return Order(f"move to {best.place.label}", _scaled(best.parts, thought.leaves()))


def _dash(thought: Thought) -> Order | None:
    """A combat move, where it brings a unit into cover or to its goal; nobody hurries whom no enemy sees."""
    outlook, die = thought.outlook, mobility_die(thought.unit)
    if length_between(outlook.here, outlook.goal) > 2 * die * UNIT and not outlook.seen(outlook.here):
        return None
    walking = 0 if thought.going is None else thought.going.worth
    best = best_dash(outlook, die, thought.mind.poses, walking)
    if best is None:
        return None
    return Order(f"dash to {best.place.label}", (*_scaled(best.parts, thought.leaves()), ("may fall short", -SHORT)))


def _drive(thought: Thought) -> Order | None:
    best = best_drive(thought.outlook, thought.mind.poses)
    return None if best is None else Order(best.label, _scaled(best.parts, thought.leaves()))


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
    return Order("give up the position", _scaled(thought.going.parts, 500))


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


def instead(table: Table, unit: Thing, mind: Any) -> int:
    """What a squad's next action would be worth if it did not fire again."""
    thought = Thought(table, unit, mind)
    return max((order.worth for order in (_move(thought), _dig_in(thought)) if order is not None), default=0)


# Command ---------------------------------------------------------------------------------------------------------


def transfer_worth(table: Table, commander: Thing, unit: Thing, mind: Any) -> Reasons:
    """What an activation more is worth to a subordinate: its best action now, if the message gets through."""
    if at_worst(unit, BROKEN) or not unit_in_integrity(table, unit.id):
        return (("an activation more", 0),)
    best = max((order.worth for order in _own_actions(Thought(table, unit, mind))), default=0)
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
    able = [one for one in table.of_kind("unit") if may_be_rallied(table, unit, one)]
    best = max((rally_worth(table, unit, one) for one in able), key=_sum, default=None)
    return None if best is None else Order("rally", best)


def _transfer(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    able = [table[option.id] for option in receivers(table, unit) if not option.refused]
    best = max((transfer_worth(table, unit, one, thought.mind) for one in able), key=_sum, default=None)
    return None if best is None or not thought.mind.plans else Order("transfer the action", best)


def _sum(parts: Reasons) -> int:
    return sum(value for _, value in parts)


def observe_worth(table: Table, unit: Thing, counter: Thing) -> Reasons:
    """What it is worth to look at a counter: as likely as it is made out, if it is not In Position."""
    dice = quality_die(unit), sensor_die(unit)
    seen, of = success(dice, counters_die(seen_parts(table, unit, counter)))
    return (("made out", MADE_OUT * seen // of),)


def _call(thought: Thought) -> Order | None:
    """Call for support where it would hurt an enemy that is seen."""
    table, unit = thought.table, thought.unit
    if not thought.mind.plans:
        return None
    able = [table[option.id] for option in may_request(table, unit) if not option.refused]
    best = max((request_worth(table, unit, one) for one in able), key=_sum, default=())
    return Order("call for support", best) if _sum(best) > 0 else None


def _fire_piece(thought: Thought) -> Order | None:
    """The crew of a piece fires at what it sees."""
    piece = piece_of(thought.table, thought.unit.id)
    best = next(iter(aims(thought.table, thought.unit, piece)), None) if piece is not None else None
    return Order("fire the piece", best.parts) if best is not None and best.worth > 0 else None


def _smoke(thought: Thought) -> Order | None:
    """Lay smoke between oneself and whoever fires, where one cannot fire well oneself."""
    if not thought.mind.fears or not thought.outlook.foes:
        return None
    best = screens(thought.outlook)[0]
    return Order("lay smoke", best.parts) if best.worth >= HARDLY else None


def _observe(thought: Thought) -> Order | None:
    """Look at the counter that is easiest to make out; whoever is there to get away has no time for it."""
    table, unit = thought.table, thought.unit
    if gets_away(table, unit.side):
        return None
    able = [table[option.id] for option in observed_by(table, unit) if not option.refused]
    best = max((observe_worth(table, unit, one) for one in able), key=_sum, default=())
    return Order("observe", best) if best else None


def _assault(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    found = [assault_worth(table, unit, table[option.id], thought.mind.fears) for option in targets(table, unit)]
    best = max(found, key=_sum, default=None)
    return Order("assault", best) if best is not None and _sum(best) > 0 else None


# The list --------------------------------------------------------------------------------------------------------


def _leave(thought: Thought) -> Order | None:
    """Off the table, where that is what the side is there for."""
    return Order("get away", (("through", AT_ONCE),)) if gets_away(thought.table, thought.unit.side) else None


def _get_out(thought: Thought) -> Order | None:
    """Passengers get out near their goal or an enemy, from what drives no more, or when time is short."""
    table, outlook = thought.table, thought.outlook
    carrier, limit = carrier_of(table, thought.unit.id), turn_limit(table)
    places = (outlook.goal, *(foe.at for foe in outlook.foes))
    if any(length_between(outlook.here, at) < GETS_OUT for at in places):
        return Order("get out", (("ground", POINT),))
    stuck = carrier is None or carrier.has(IMMOBILISED)
    return Order("get out", (("on foot", POINT // 4),)) if stuck or (limit and 2 * table.turn > limit) else None


def _set_up(thought: Thought) -> Order | None:
    """A gun crew sets up where it has somebody to fire at; not one that is there to get away."""
    here = points(thought.table, thought.unit.id)
    ready = not gets_away(thought.table, thought.unit.side) and thought.outlook.fire(here)
    return Order("set the gun up", (("fire", POINT),)) if ready else None


def _pack(thought: Thought) -> Order | None:
    return Order("pack the gun", (("on the way", POINT),)) if gets_away(thought.table, thought.unit.side) else None


ORDERS: Mapping[str, Callable[[Thought], Order | None]] = {
    "enter": _first_of_all("enter", "on the table"),
    "drive-on": _first_of_all("drive on", "on the table"),
    "remove-suppression": _first_of_all("remove suppression", "suppressed"),
    "remove-panic": _first_of_all("get over the panic", "panicked"),
    "steady": _first_of_all("steady", "panicked"),
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
    "request-support": _call,
    "fire-piece": _fire_piece,
    "observe": _observe,
    "lay-smoke": _smoke,
    "assault": _assault,
    "disembark": _get_out,
    "leave": _leave,
    "set-up-weapon": _set_up,
    "pack-weapon": _pack,
    "repair": _sometimes("repair", "repair", POINT),
    "done": lambda thought: Order("nothing more", ()),
}


def quick_worth(table: Table, unit: Thing) -> Reasons:
    """How much a unit is in a hurry to act, without looking at all it could do."""
    if is_element(unit):
        return ()
    if waiting(unit):
        return (("on the table", POINT),)
    if suppressed(unit):
        return (("suppressed", POINT // 2),)
    kinds = (heavy_fires,) if hull_of(table, unit.id) is not None else (small_fires, heavy_fires)
    best = best_fire([one for kind in kinds for one in kind(table, unit)])
    exposed = 0 if in_cover(table, unit) else POINT // 4
    return (("fire", best.worth if best else 0), ("in the open", exposed))
