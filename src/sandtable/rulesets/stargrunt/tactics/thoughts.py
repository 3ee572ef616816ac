"""What a unit thinks about: its orders, and what it may do now, each thing thought through once."""

from typing import Any, NamedTuple

from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.confidence.levels import REACTION_THREATS, SHAKEN_RULE, is_shaken
from sandtable.rulesets.stargrunt.movement.walking import base_mobility
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.tactics.fire import POINT, chance
from sandtable.rulesets.stargrunt.tactics.outlook import Outlook, outlook_of
from sandtable.rulesets.stargrunt.tactics.places import Going, best_going
from sandtable.rulesets.stargrunt.units.record import leadership, quality_die
from sandtable.tabletop.opponent import Reasons, total

#: What must be done before anything else can be.
AT_ONCE = 4 * POINT
#: What is hardly worth an action.
HARDLY = 120


class Order(NamedTuple):
    """An action and what it is worth; nothing where it is not worth thinking of."""

    label: str
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return total(self.parts)


class Thought:
    """What a unit may do now, each thing thought through when it is asked for, and once."""

    def __init__(self, table: Table, unit: Thing, skill: Any) -> None:
        self.table, self.unit, self.skill = table, unit, skill
        self._outlook: Outlook | None = None
        self._going: tuple[Going | None] | None = None

    @property
    def outlook(self) -> Outlook:
        """What it sees around it."""
        if self._outlook is None:
            self._outlook = outlook_of(self.table, self.unit, self.skill.fears, self.skill.objectives)
        return self._outlook

    @property
    def going(self) -> Going | None:
        """The best place a move can take it to; none where it had better stay."""
        if self._going is None:
            self._going = (best_going(self.outlook, base_mobility(self.unit), self.skill.poses),)
        return self._going[0]

    def leaves(self) -> int:
        """How likely a move is to be made at all, in thousandths: out of a position, or of a Shaken unit."""
        die, lv, share = quality_die(self.unit), leadership(self.unit), 1000
        if self.unit.has(StateName.IN_POSITION):
            share = chance(die, lv + REACTION_THREATS.number("move_from_position"))
        if is_shaken(self.unit):
            share = share * chance(die, lv + SHAKEN_RULE.number("threat")) // 1000
        return share
