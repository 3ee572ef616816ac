"""Dice: target-point rolls, fumbles on a natural 2, an extra die on a natural 12.

The editions agree on the dice, and differ in what a situation modifier changes: one adds it to the roll, so that plus
helps; the other to the number that is needed, so that plus hurts. Only `Sign` knows.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Result, notation
from sandtable.engine.events import Detail, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.forces.ledger import Rule, citing
from sandtable.tabletop.checks import Check, ExtraDie, Fall, Reading, Thrown, throw

NATURAL_FUMBLE = 2  # the lowest that two dice show
NATURAL_CRITICAL = 12  # and the highest


class Sign(Enum):
    """What a situation modifier is added to, and so whether plus helps who rolls."""

    ROLL = 1
    NUMBER = -1

    def helps(self, value: int) -> bool:
        """Whether a modifier makes a roll easier.

        >>> Sign.ROLL.helps(1), Sign.NUMBER.helps(1)
        (True, False)
        """
        return value * self.value > 0

    def worst(self, values: Iterable[int]) -> int:
        """The modifier that makes a roll hardest.

        >>> Sign.ROLL.worst([-1, 0]), Sign.NUMBER.worst([-1, 0])
        (-1, 0)
        """
        return min(values, key=lambda value: value * self.value)

    def placed(
        self, needs: Explanation, modifiers: Sequence[ExplainedPart]
    ) -> tuple[Explanation, tuple[ExplainedPart, ...]]:
        """What a roll needs and what is added to it, once its modifiers are where they belong."""
        if self is Sign.ROLL:
            return needs, tuple(modifiers)
        return explain(needs.what, *needs.parts, *modifiers), ()


def fumbled(roll: Thrown) -> bool:
    """Whether the two dice showed a natural 2."""
    return roll.natural == NATURAL_FUMBLE


def target(value: int, label: str, source: Rule) -> Explanation:
    """A target point that one rule sets."""
    return explain("target point", ExplainedPart(label, value, source.id))


class DiceRules(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The dice of an edition: which, where modifiers go, and the rules that say so."""

    sign: Sign
    standard: str
    extra_die: str
    target_point: Rule
    situation: Rule
    open_rolls: Rule
    fumble: Rule
    critical: Rule
    margin: Rule | None = None  # the rule of the margin of success, where it is one of the dice
    plain: tuple[Rule, ...] = ()  # what a roll goes by that is read off a table or compared

    def check(
        self,
        what: str,
        by: str,
        needs: Explanation,
        modifiers: Sequence[ExplainedPart],
        why: Rule,
        *,
        critical_from: int = NATURAL_CRITICAL,
        critical_die: bool = True,
        critical: Rule | None = None,
        widened: Rule | None = None,
        natural_success: tuple[int, ...] = (),
        succeeded: str = "succeeds",
        failed: str = "fails",
        alike: Callable[[int], Hashable] | None = None,
        dice: str = "",
        keep: int = 0,
    ) -> Check:
        """A target-point roll before it falls.

        A natural 2 fails whatever the modifiers; a natural 12 adds a die, unless that is denied. `critical` is the rule
        that says so of this kind of roll, `widened` the one that makes lower naturals critical. `alike` says what a
        margin of success comes to: exact odds walk once what comes to the same thing. Nothing hangs on how far a roll
        fails. `dice` are others than usual, of which the highest few may be kept: a single die has no criticals.
        """
        highest, lower = critical or self.critical, widened or self.critical
        naturals = {n: lower if n < NATURAL_CRITICAL else highest for n in range(critical_from, NATURAL_CRITICAL + 1)}
        rolled = dice or self.standard
        paired = len(notation(rolled)) > 1
        reading = Reading(
            always_fails=(NATURAL_FUMBLE,) if paired else (),
            always_succeeds=natural_success,
            extra=ExtraDie(self.extra_die, naturals) if critical_die and paired else None,
            succeeded=succeeded,
            failed=failed,
            always_failed=f"{failed} (fumble)",
            same=alike or _itself,
        )
        number, added = self.sign.placed(needs, modifiers)
        return Check(what=what, by=by, dice=rolled, keep=keep, rule=why, needs=number, modifiers=added, reading=reading)

    def throw(
        self,
        battle: Battle,
        check: Check,
        *,
        because: int = 0,
        modified: bool = False,
        how: Rule | None = None,
        fumble: Rule | None = None,
        detail: Detail | None = None,
        fallen: Result | None = None,
    ) -> Thrown:
        """Make a target-point roll in the open, and tell by which rules it is read.

        `how` is the rule of this kind of roll where it is a special one, `fumble` that of its natural 2.
        """

        def told(fall: Fall) -> Detail:
            told: Detail = dict(detail or {})
            named = told.get("rules", ())
            told["rules"] = (
                *(named if isinstance(named, tuple) else ()),
                *((how or self.target_point).id, self.open_rolls.id),
                *([self.situation.id] if modified else []),
                *([self.margin.id] if fall.succeeds and self.margin is not None else []),
                *([(fumble or self.fumble).id] if fall.natural in check.reading.always_fails else []),
            )
            return told

        return throw(battle, check, because, detail=told, fallen=fallen)

    def plain_roll(
        self,
        battle: Battle,
        what: str,
        by: str,
        dice: str,
        why: Rule,
        *,
        because: int = 0,
        into: Callable[[int], Hashable] | None = None,
        how: Rule | None = None,
        halved: Rule | None = None,
        ends: Callable[[int], str] | None = None,
    ) -> int:
        """Roll dice that are read off a table or compared: they have no criticals. `how` is the rule of such rolls.

        By a rule only half of them counts, rounded up: so a d3 is rolled. `ends` says what the table calls the result.
        """
        roll = battle.dice.total(dice, into)
        less = () if halved is None else (ExplainedPart("halved", -(roll.natural // 2), halved.id),)
        total = roll.natural + sum(part.value for part in less)
        battle.tells(
            lambda: Rolled(
                *(what, by, dice, roll.faces, roll.natural, less),
                total=total,
                outcome="" if ends is None else ends(total),
                rule=why.id,
                because=because,
                detail=citing(*self.plain, *((how,) if how is not None else ())),
            )
        )
        return total


def _itself(margin: int) -> Hashable:
    return margin
