"""Dice: situation modifiers change the number that is needed, never the roll."""

from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, NATURAL_FUMBLE, DiceRules, Sign

TYPES = rule("strikeops.dice.types")
TARGET_POINT = rule("strikeops.dice.target-point-roll")
EXPERIENCE = rule("strikeops.dice.experience-roll")
SITUATION = rule("strikeops.dice.situation-modifiers")
OPEN_ROLLS = rule("strikeops.dice.open-rolls")
FUMBLE = rule("strikeops.dice.critical-failure")
CRITICAL = rule("strikeops.dice.critical-success")
NO_LOWER_LIMIT = rule("strikeops.dice.target-point-below-two")
OTHER_DICE = rule("strikeops.dice.criticals-with-other-dice")

same_number("a natural that always fails", FUMBLE.number("natural"), NATURAL_FUMBLE)
same_number("a natural that adds a die", CRITICAL.number("natural"), NATURAL_CRITICAL)

#: The dice of this edition: modifiers are added to the number (strikeops.dice.situation-modifiers).
DICE = DiceRules(
    sign=Sign.NUMBER,
    standard=TARGET_POINT.text_at("dice"),
    extra_die=CRITICAL.text_at("extra_dice"),
    target_point=TARGET_POINT,
    situation=SITUATION,
    open_rolls=OPEN_ROLLS,
    fumble=FUMBLE,
    critical=CRITICAL,
    plain=(TYPES, OTHER_DICE),
)
