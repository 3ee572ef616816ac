"""What tactics think of each action of a unit: fire, move, dig in, recover, rally, pass the initiative on, assault."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.paths import length_between
from sandtable.rulesets.stargrunt._assets import request_chance
from sandtable.rulesets.stargrunt._gunnery import may_request
from sandtable.rulesets.stargrunt._wounds import to_treat
from sandtable.rulesets.stargrunt.close_assault import combat_dice, targets, weight
from sandtable.rulesets.stargrunt.communications import (
    communication_die,
    in_contact,
    may_be_rallied,
    receivers,
    to_exceed,
)
from sandtable.rulesets.stargrunt.confidence import REACTION_THREATS, SHAKEN_RULE, is_shaken
from sandtable.rulesets.stargrunt.cover import GOING_IN, centre_point, in_cover, unit_in_integrity
from sandtable.rulesets.stargrunt.movement import TRAVELLING, base_mobility, mobility_die
from sandtable.rulesets.stargrunt.tactics_drive import best_drive
from sandtable.rulesets.stargrunt.tactics_fire import (
    LEVEL,
    POINT,
    Fire,
    Reasons,
    best_fire,
    chance,
    heavy_fires,
    small_fires,
    support_fires,
)
from sandtable.rulesets.stargrunt.tactics_outlook import Outlook, outlook_of
from sandtable.rulesets.stargrunt.tactics_places import Going, best_going
from sandtable.rulesets.stargrunt.units import (
    BROKEN,
    at_worst,
    carrier_of,
    fit,
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
#: What is hardly worth an action.
HARDLY = 120
#: How long a position is kept, in hundredths of a turn's fire.
KEPT = 150
#: What a mission of support is worth that is granted where an enemy is seen.
SUPPORT = 1200
#: What an activation more is worth, in hundredths of its best action.
ONCE_MORE = 130


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


def message(table: Table, sender: Thing, receiver: Thing) -> int:
    """How likely a message is to get through, in thousandths."""
    if in_contact(table, sender.id, receiver.id):
        return 1000
    die, _ = communication_die(table, sender, receiver)
    return chance(die, to_exceed(sender, receiver).value)


def rally_worth(table: Table, commander: Thing, unit: Thing) -> Reasons:
    """What it is worth to try to rally a unit: one that cannot fight counts most."""
    works = chance(quality_die(unit), leadership(unit) + leadership(commander))
    level = LEVEL * len(fit(table, unit.id)) * (3 if at_worst(unit, BROKEN) else 1)
    return (("confidence", level * works // 1000 * message(table, commander, unit) // 1000),)


def transfer_worth(table: Table, commander: Thing, unit: Thing, mind: Any) -> Reasons:
    """What an activation more is worth to a subordinate: its best action now, if the message gets through."""
    if at_worst(unit, BROKEN) or not unit_in_integrity(table, unit.id):
        return (("an activation more", 0),)
    best = max((order.worth for order in _own_actions(Thought(table, unit, mind))), default=0)
    return (("an activation more", best * ONCE_MORE // 100 * message(table, commander, unit) // 1000),)


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


def _call(thought: Thought) -> Order | None:
    """Call for support where an enemy is seen."""
    table, unit = thought.table, thought.unit
    if not thought.outlook.foes or not thought.mind.plans:
        return None
    able = [table[option.id] for option in may_request(table, unit) if not option.refused]
    granted = [request_chance(table, unit, one, 0) for one in able]
    best = max((one.numerator * SUPPORT // one.denominator for one in granted), default=0)
    return Order("call for support", (("support", best),))


# Assault ---------------------------------------------------------------------------------------------------------


def assault_worth(table: Table, unit: Thing, foe: Thing, mind: Any) -> Reasons:
    """What a close assault is worth: who would win man against man, if it gets there, less what it costs.

    Fire comes first: an enemy that is not suppressed fires at whoever comes, and stands better.
    """
    mine, theirs = standing(table, unit.id), standing(table, foe.id)
    if not mine or not theirs:
        return ()
    own, _ = combat_dice(table, mine[0], theirs[:1], covered=False)
    other, _ = combat_dice(table, theirs[0], mine[:1], covered=in_cover(table, foe))
    higher = sum(a > b for a, b in product(range(1, own + 1), range(1, other + 1)))
    lower = sum(a < b for a, b in product(range(1, own + 1), range(1, other + 1)))
    ours, yours = weight(mine) ** 2 * higher, weight(theirs) ** 2 * lower
    wins = 1000 * ours // max(1, ours + yours)
    gap = length_between(centre_point(table, unit.id), centre_point(table, foe.id))
    reaches = _reach(mobility_die(unit), gap - 2 * UNIT)
    pinned = suppressed(foe) or foe.has("panicked")
    stands = 40 if pinned else 100
    outlook = outlook_of(table, unit, mind.fears)
    final = outlook.danger(points(table, unit.id)) * stands // 50
    return (
        ("assault", len(theirs) * POINT * wins // 1000 * reaches // 1000),
        ("what it costs", -len(mine) * POINT * (1000 - wins) // 1000 * reaches // 1000),
        ("their fire", -final),
        ("they are ready", 0 if pinned else -len(mine) * POINT // 4),
        ("left short", -POINT * (1000 - reaches) // 1000),
    )


def _reach(die: int, gap: int) -> int:
    """How likely two combat moves are to cover a distance, in thousandths."""
    falls = [2 * UNIT * (a + b) >= gap for a, b in product(range(1, die + 1), repeat=2)]
    return 1000 * sum(falls) // len(falls)


def _assault(thought: Thought) -> Order | None:
    table, unit = thought.table, thought.unit
    found = [assault_worth(table, unit, table[option.id], thought.mind) for option in targets(table, unit)]
    best = max(found, key=_sum, default=None)
    return Order("assault", best) if best is not None and _sum(best) > 0 else None


# The list --------------------------------------------------------------------------------------------------------


def _get_out(thought: Thought) -> Order | None:
    """Passengers get out where they want to be."""
    carrier = carrier_of(thought.table, thought.unit.id)
    near = carrier is not None and length_between(thought.outlook.here, thought.outlook.goal) < 12 * UNIT
    return Order("get out", (("ground", POINT if near else POINT // 4),))


def _set_up(thought: Thought) -> Order | None:
    """A gun crew sets up where it has somebody to fire at."""
    here = points(thought.table, thought.unit.id)
    return Order("set the gun up", (("fire", POINT),)) if thought.outlook.fire(here) else None


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
    "drive": _drive,
    "go-in-position": _dig_in,
    "leave-position": _give_up,
    "rally": _rally,
    "transfer": _transfer,
    "request-support": _call,
    "assault": _assault,
    "disembark": _get_out,
    "set-up-weapon": _set_up,
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
