"""Dice: target-point rolls, 10+ rolls, fumbles on a natural 2, an extra die on a natural 12."""

from collections.abc import Callable, Hashable, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import Preview
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.tabletop.checks import Check, ExtraDie, Fall, Reading, Thrown, throw

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

#: What a roll goes by that is read off a table or compared.
PLAIN = (KINDS, ONLY_ON_CHECKS)
STANDARD = KINDS.text_at("standard_roll")
EXTRA_DIE = KINDS.text_at("critical_bonus_die")
NATURAL_FUMBLE = 2  # the lowest that two dice show
NATURAL_CRITICAL = 12  # and the highest


def fumbled(roll: Thrown) -> bool:
    """Whether the two dice showed a natural 2."""
    return roll.natural == NATURAL_FUMBLE


def half_rounded_up(value: int) -> int:
    """Half a number; a half that is left rounds up (quickstart.dice.rounding).

    >>> half_rounded_up(5), half_rounded_up(4)
    (3, 2)
    """
    return (value + 1) // 2


def target(value: int, label: str, source: Rule) -> Explanation:
    """A target point that one rule sets."""
    return explain("target point", ExplainedPart(label, value, source.id))


#: What a 10+ roll needs, and the naturals that succeed whatever the modifiers.
TEN_PLUS_NEEDS = target(TEN_PLUS.number("target_point"), "10+ roll", TEN_PLUS)
TEN_PLUS_NATURALS = TEN_PLUS.numbers("natural_success_on")


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
) -> Thrown:
    """Make a target-point roll in the open and say whether it succeeds.

    quickstart.dice.target-point-roll    2d6 and all modifiers, equal or higher succeeds
    quickstart.dice.critical-failure     a natural 2 fails whatever the modifiers
    quickstart.dice.critical-success     a natural 12 adds a die, unless plus modifiers are denied
    quickstart.dice.ten-plus-roll        some naturals succeed whatever the modifiers

    `critical` and `fumble` are the rules that say so of this kind of roll, `widened` the one that makes lower naturals
    than 12 critical. `alike` says what a margin of success comes to: exact odds walk once what comes to the same thing.
    Nothing ever hangs on how far a roll fails.
    """
    naturals = {n: widened if n < NATURAL_CRITICAL else critical for n in range(critical_from, NATURAL_CRITICAL + 1)}
    reading = Reading(
        always_fails=(NATURAL_FUMBLE,),
        always_succeeds=natural_success,
        extra=ExtraDie(EXTRA_DIE, naturals) if critical_die else None,
        succeeded=succeeded,
        failed=failed,
        always_failed=f"{failed} (fumble)",
        same=alike,
    )
    check = Check(what=what, by=by, dice=STANDARD, rule=why, needs=needs, modifiers=tuple(modifiers), reading=reading)

    def told(fall: Fall) -> Detail:
        told: Detail = dict(detail or {})
        named = told.get("rules", ())
        told["rules"] = (
            *(named if isinstance(named, tuple) else ()),
            *(TEN_PLUS.id if natural_success else TARGET_POINT.id, OPEN_ROLLS.id),
            *([SITUATION.id] if modifiers else []),
            *([MARGIN.id] if fall.succeeds else []),
            *([fumble.id] if fall.natural == NATURAL_FUMBLE else []),
        )
        return told

    return throw(battle, check, because, detail=told)


def ten_plus_roll(
    battle: Battle, what: str, by: str, modifiers: Sequence[ExplainedPart], why: Rule, *, because: int = 0
) -> Thrown:
    """Make a 10+ roll: natural 10, 11 and 12 succeed whatever the modifiers."""
    return check_roll(
        *(battle, what, by, TEN_PLUS_NEEDS, modifiers, why), because=because, natural_success=TEN_PLUS_NATURALS
    )


def ten_plus_preview(what: str, by: str, modifiers: Sequence[ExplainedPart], why: Rule) -> Preview:
    """A 10+ roll told before it is made: the extra die of a natural 12 decides nothing, for that succeeds."""
    reading, added = Reading(always_fails=(NATURAL_FUMBLE,), always_succeeds=TEN_PLUS_NATURALS), tuple(modifiers)
    check = Check(what=what, by=by, dice=STANDARD, rule=why, needs=TEN_PLUS_NEEDS, modifiers=added, reading=reading)
    return check.preview()


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
    battle.tells(
        lambda: Rolled(
            what,
            by,
            dice,
            roll.faces,
            roll.natural,
            total=roll.natural,
            rule=why.id,
            because=because,
            detail=citing(*PLAIN),
        )
    )
    return roll.natural
