"""Dice: target-point rolls, 10+ rolls, fumbles on a natural 2, an extra die on a natural 12."""

from collections.abc import Callable, Hashable, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail
from sandtable.engine.explain import ExplainedPart, Explanation
from sandtable.engine.questions import Preview
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, DiceRules, Sign, target
from sandtable.tabletop.checks import Thrown

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

#: The dice of this edition: modifiers are added to the roll (quickstart.dice.situation-modifier).
DICE = DiceRules(
    sign=Sign.ROLL,
    standard=KINDS.text_at("standard_roll"),
    extra_die=KINDS.text_at("critical_bonus_die"),
    target_point=TARGET_POINT,
    situation=SITUATION,
    open_rolls=OPEN_ROLLS,
    fumble=FUMBLE,
    critical=CRITICAL,
    margin=MARGIN,
    plain=(KINDS, ONLY_ON_CHECKS),
)
PLAIN, STANDARD, EXTRA_DIE = DICE.plain, DICE.standard, DICE.extra_die
#: Roll dice that are read off a table or compared (quickstart.dice.criticals-only-on-checks).
plain_roll = DICE.plain_roll

#: What a 10+ roll needs, and the naturals that succeed whatever the modifiers.
TEN_PLUS_NEEDS = target(TEN_PLUS.number("target_point"), "10+ roll", TEN_PLUS)
TEN_PLUS_NATURALS = TEN_PLUS.numbers("natural_success_on")


def half_rounded_up(value: int) -> int:
    """Half a number; a half that is left rounds up (quickstart.dice.rounding).

    >>> half_rounded_up(5), half_rounded_up(4)
    (3, 2)
    """
    return (value + 1) // 2


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
    alike: Callable[[int], Hashable] | None = None,
) -> Thrown:
    """Make a target-point roll in the open and say whether it succeeds.

    quickstart.dice.target-point-roll    2d6 and all modifiers, equal or higher succeeds
    quickstart.dice.critical-failure     a natural 2 fails whatever the modifiers
    quickstart.dice.critical-success     a natural 12 adds a die, unless plus modifiers are denied
    quickstart.dice.ten-plus-roll        some naturals succeed whatever the modifiers
    """
    check = DICE.check(
        *(what, by, needs, modifiers, why),
        critical_from=critical_from,
        critical_die=critical_die,
        critical=critical,
        widened=widened,
        natural_success=natural_success,
        succeeded=succeeded,
        failed=failed,
        alike=alike,
    )
    how = TEN_PLUS if natural_success else TARGET_POINT
    return DICE.throw(battle, check, because=because, modified=bool(modifiers), how=how, fumble=fumble, detail=detail)


def ten_plus_roll(
    battle: Battle, what: str, by: str, modifiers: Sequence[ExplainedPart], why: Rule, *, because: int = 0
) -> Thrown:
    """Make a 10+ roll: natural 10, 11 and 12 succeed whatever the modifiers."""
    return check_roll(
        *(battle, what, by, TEN_PLUS_NEEDS, modifiers, why), because=because, natural_success=TEN_PLUS_NATURALS
    )


def ten_plus_preview(what: str, by: str, modifiers: Sequence[ExplainedPart], why: Rule) -> Preview:
    """A 10+ roll told before it is made: the extra die of a natural 12 decides nothing, for that succeeds."""
    roll = (what, by, TEN_PLUS_NEEDS, modifiers, why)
    return DICE.check(*roll, critical_die=False, natural_success=TEN_PLUS_NATURALS).preview()
