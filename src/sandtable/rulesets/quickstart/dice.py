"""Dice: target-point rolls, 10+ rolls, fumbles on a natural 2, an extra die on a natural 12."""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.quickstart.concepts import citing

KINDS = rule("quickstart.dice.kinds-of-dice")
SITUATION = rule("quickstart.dice.situation-modifier")
TARGET_POINT = rule("quickstart.dice.target-point-roll")
MARGIN = rule("quickstart.dice.margin-of-success")
TEN_PLUS = rule("quickstart.dice.ten-plus-roll")
OPPOSED = rule("quickstart.dice.opposed-roll")
OPEN_ROLLS = rule("quickstart.dice.open-rolls")
FUMBLE = rule("quickstart.dice.critical-failure")
CRITICAL = rule("quickstart.dice.critical-success")
ONLY_ON_CHECKS = rule("quickstart.dice.criticals-only-on-checks")
ROUNDING = rule("quickstart.dice.rounding")

STANDARD = KINDS.text_at("standard_roll")
EXTRA_DIE = KINDS.text_at("critical_bonus_die")
NATURAL_FUMBLE = 2  # the lowest that two dice show
NATURAL_CRITICAL = 12  # and the highest


class Check(NamedTuple):
    """A roll that was made and judged; `n` is its event."""

    n: int
    natural: int
    total: int
    margin: int
    succeeds: bool

    @property
    def fumbled(self) -> bool:
        """Whether the two dice showed a natural 2."""
        return self.natural == NATURAL_FUMBLE


def half_rounded_up(value: int) -> int:
    """Half a number; a half that is left rounds up (quickstart.dice.rounding).

    >>> half_rounded_up(5), half_rounded_up(4)
    (3, 2)
    """
    return (value + 1) // 2


def signed_part(label: str, value: int, source: Rule) -> ExplainedPart:
    """One situation modifier: a change to the roll, never to the target (quickstart.dice.situation-modifier)."""
    return ExplainedPart(label, value, source.id)


def target(value: int, label: str, source: Rule) -> Explanation:
    """A target point that one rule sets."""
    return explain("target point", ExplainedPart(label, value, source.id))


def check_roll(
    battle: Battle,
    what: str,
    by: str,
    needs: Explanation,
    modifiers: Sequence[ExplainedPart],
    why: Rule,
    *,
    because: int = 0,
    critical_from: int = NATURAL_CRITICAL,
    critical_die: bool = True,
    critical: Rule = CRITICAL,
    widened: Rule = CRITICAL,
    fumble: Rule = FUMBLE,
    detail: Detail | None = None,
    natural_success: tuple[int, ...] = (),
    succeeded: str = "succeeds",
    failed: str = "fails",
    alike: Callable[[int], Hashable] = lambda margin: margin,
) -> Check:
    """Make a target-point roll in the open and say whether it succeeds.

    quickstart.dice.target-point-roll    2d6 and all modifiers, equal or higher succeeds
    quickstart.dice.critical-failure     a natural 2 fails whatever the modifiers
    quickstart.dice.critical-success     a natural 12 adds a die, unless plus modifiers are denied
    quickstart.dice.ten-plus-roll        some naturals succeed whatever the modifiers

    `critical` and `fumble` are the rules that say so of this kind of roll, `widened` the one that makes lower naturals
    than 12 critical. `alike` says what a margin of success comes
    to: exact odds walk once what comes to the same thing. Nothing ever hangs on how far a roll fails.
    """
    added = sum([part.value for part in modifiers])

    def comes_to(natural: int, extra: int = 0) -> Hashable:
        margin = natural + added + extra - needs.total
        passes = natural != NATURAL_FUMBLE and (margin >= 0 or natural in natural_success)
        return (natural == NATURAL_FUMBLE, alike(margin) if passes else None, passes)

    def sorts(natural: int) -> Hashable:
        return natural if critical_die and natural >= critical_from else comes_to(natural)

    roll = battle.dice.total(STANDARD, sorts)
    parts, faces = list(modifiers), roll.faces
    if critical_die and roll.natural >= critical_from:
        extra = battle.dice.total(EXTRA_DIE, lambda face: comes_to(roll.natural, face))
        why_critical = critical if roll.natural >= NATURAL_CRITICAL else widened
        parts.append(signed_part("critical success", extra.natural, why_critical))
        faces = (*faces, *extra.faces)
    total = roll.natural + sum([part.value for part in parts])
    succeeds = roll.natural != NATURAL_FUMBLE and (total >= needs.total or roll.natural in natural_success)
    told: Detail = dict(detail or {})
    named = told.get("rules", ())
    told["rules"] = (
        *(named if isinstance(named, tuple) else ()),
        *(TEN_PLUS.id if natural_success else TARGET_POINT.id, OPEN_ROLLS.id),
        *([SITUATION.id] if modifiers else []),
        *([MARGIN.id] if succeeds else []),
        *([fumble.id] if roll.natural == NATURAL_FUMBLE else []),
    )
    n = battle.happens(
        Rolled(
            what,
            by,
            STANDARD,
            faces,
            roll.natural,
            tuple(parts),
            total,
            needs.total,
            needs.parts,
            total - needs.total,
            succeeded if succeeds else f"{failed} (fumble)" if roll.natural == NATURAL_FUMBLE else failed,
            rule=why.id,
            because=because,
            detail=told,
        )
    )
    return Check(n, roll.natural, total, total - needs.total, succeeds)


def ten_plus_roll(
    battle: Battle, what: str, by: str, modifiers: Sequence[ExplainedPart], why: Rule, *, because: int = 0
) -> Check:
    """Make a 10+ roll: natural 10, 11 and 12 succeed whatever the modifiers."""
    needs = target(TEN_PLUS.number("target_point"), "10+ roll", TEN_PLUS)
    return check_roll(
        battle,
        what,
        by,
        needs,
        modifiers,
        why,
        because=because,
        natural_success=TEN_PLUS.numbers("natural_success_on"),
    )


def plain_roll(
    battle: Battle,
    what: str,
    by: str,
    dice: str,
    why: Rule,
    *,
    because: int = 0,
    into: Callable[[int], Hashable] | None = None,
) -> int:
    """Roll dice that are read off a table or compared: no criticals (quickstart.dice.criticals-only-on-checks)."""
    roll = battle.dice.total(dice, into)
    battle.happens(
        Rolled(
            what,
            by,
            dice,
            roll.faces,
            roll.natural,
            total=roll.natural,
            rule=why.id,
            because=because,
            detail=citing(KINDS, ONLY_ON_CHECKS),
        )
    )
    return roll.natural
