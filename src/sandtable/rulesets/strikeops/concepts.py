"""Concepts: contact of bases, what is within an area, how fractions are rounded, and marks that all can see."""

from fractions import Fraction

from sandtable.engine.table import Thing
from sandtable.field.measure import CONTACT, gap
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import outline

SCALE = rule("strikeops.concepts.scale")
BASE_CONTACT = rule("strikeops.concepts.base-contact")
WITHIN = rule("strikeops.concepts.completely-or-partially-within")
ROUNDING = rule("strikeops.concepts.rounding")
TOKENS = rule("strikeops.concepts.tokens")

same_number("when bases touch", BASE_CONTACT.inches("contact_gap_inches"), CONTACT)
same_number("where a half goes", ROUNDING.text_at("half"), "up")


def in_contact(a: Thing, b: Thing) -> bool:
    """Whether the bases of two models touch (strikeops.concepts.base-contact)."""
    return not a.gone and not b.gone and gap(outline(a), outline(b)) <= CONTACT


def rounded(value: Fraction) -> int:
    """A fraction as a whole number, a half rounded up (strikeops.concepts.rounding).

    >>> rounded(Fraction(1, 2)), rounded(Fraction(49, 100)), rounded(Fraction(7, 2))
    (1, 0, 4)
    """
    return int(value + Fraction(1, 2))
