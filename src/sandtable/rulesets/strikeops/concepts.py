"""Concepts: contact of bases, what is within an area, how fractions are rounded, and marks that all can see."""

from fractions import Fraction

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.field.measure import CONTACT, gap
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import outline
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import Until
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give
from sandtable.tabletop.turns import roll_off

SCALE = rule("strikeops.concepts.scale")
BASE_CONTACT = rule("strikeops.concepts.base-contact")
WITHIN = rule("strikeops.concepts.completely-or-partially-within")
TOUCHING = rule("strikeops.movement.base-to-base")
ROUNDING = rule("strikeops.concepts.rounding")
TOKENS = rule("strikeops.concepts.tokens")
QUESTIONS = rule("strikeops.concepts.rules-questions")
#: The option of a battle that names the readings of a rule, the question for one, and where it is kept.
QUESTION, READING = "rules-question", "reading"

same_number("when bases touch", BASE_CONTACT.inches("contact_gap_inches"), CONTACT)
same_number("where a half goes", ROUNDING.text_at("half"), "up")


def in_contact(a: Thing, b: Thing) -> bool:
    """Whether the bases of two models touch.

    strikeops.concepts.base-contact    the gap is none
    strikeops.movement.base-to-base    by their exact outlines, so that nobody needs to declare it
    """
    return not a.gone and not b.gone and gap(outline(a), outline(b)) <= CONTACT


def rounded(value: Fraction) -> int:
    """A fraction as a whole number, a half rounded up (strikeops.concepts.rounding).

    >>> rounded(Fraction(1, 2)), rounded(Fraction(49, 100)), rounded(Fraction(7, 2))
    (1, 0, 4)
    """
    return int(value + Fraction(1, 2))


class SettleQuestion(Step, frozen=True):
    """The players do not agree on how a rule is read."""


def settle_question(battle: Battle) -> Procedure[None]:
    """The higher roller chooses the reading, which holds for the game (strikeops.concepts.rules-questions)."""
    readings = [one.strip() for one in str(battle.table.options[QUESTION]).split("|") if one.strip()]
    winner = roll_off(battle, "rules question", QUESTIONS.text_at("dice"), QUESTIONS, DICE.plain)
    options = tuple(Option(str(n), one) for n, one in enumerate(readings, 1))
    chosen = yield ChooseOne(winner, "Which reading holds?", topic=READING, rules=(QUESTIONS.id,), options=options)
    give(battle, winner, READING, QUESTIONS, readings[int(chosen) - 1], until=Until.GAME)


CHAPTER = Chapter(
    steps={SettleQuestion: lambda battle, step: settle_question(battle)},
    states={READING: "of a side: how the rule is read that the players did not agree on"},
    answers={READING: "which reading of a rule holds, by its number"},
)
