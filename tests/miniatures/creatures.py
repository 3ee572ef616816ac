"""Shooting at living creatures and hurting them, as combataction has it: one d6 to hit, one to defend, one table."""

from typing import NamedTuple

from sandtable.engine.dice import Result
from sandtable.engine.events import Harm, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import RuleId
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Thing

TO_HIT = RuleId("combataction.shooting.roll-to-hit")
RANGES = RuleId("combataction.shooting.weapon-range-table")
SIZES = RuleId("combataction.shooting.size-modifier")
DEFENCE = RuleId("combataction.damage.defence-roll")
CREATURES = RuleId("combataction.damage.creature-table")
WOUNDED = RuleId("combataction.damage.wounded")

#: The severity of a damaging hit by the unmodified die of the Defence Roll.
SEVERITY = {6: "wounded", 5: "wounded", 4: "out of action", 3: "out of action", 2: "killed", 1: "killed"}


class Card(NamedTuple):
    """The values of a creature. A knife is the Pen of its close combat weapon; none means it has none."""

    mv: int
    fa: int
    pf: int
    ss: int
    pen: int
    reach: int  # of its weapon, in cm
    knife: int | None = None
    save: int = 0
    heavy: bool = False


def needs_to_hit(card: Card) -> Explanation:
    """What the shooter's roll must reach."""
    return explain("to hit", ExplainedPart("shooting skill", card.ss, TO_HIT))


def hit_modifiers(shooter: Thing, card: Card, distance: int, building: bool = False) -> Explanation | None:
    """What is added to the roll to hit; none where the weapon does not reach."""
    if distance > card.reach * UNIT:
        return None
    parts = []
    if distance <= 10 * UNIT:
        parts.append(ExplainedPart("point-blank", 1, RANGES))
    if building:
        parts.append(ExplainedPart("building", 2, SIZES))
    if shooter.has("wounded"):
        parts.append(ExplainedPart("wounded", -1, WOUNDED))
    return explain("modifiers", *parts)


def hits(natural: int, total: int, needed: int) -> bool:
    """A 1 always misses, a 6 always hits, otherwise the total decides."""
    return natural != 1 and (natural == 6 or total >= needed)


def defence_needs(pf: int) -> Explanation:
    """What die and Pen must come to: more than the protection."""
    return explain("defence", ExplainedPart("protection", pf, DEFENCE), ExplainedPart("more than it", 1, DEFENCE))


def pen_part(pen: int) -> Explanation:
    """The Pen of a weapon, as it is added to the Defence Roll."""
    return explain("Pen", *([ExplainedPart("Pen", pen, DEFENCE)] if pen else []))


def severity(die: int, target: Thing) -> Harm:
    """What a damaging hit does: a second wound is out of action."""
    what = SEVERITY[die]
    if what == "wounded" and target.has("wounded"):
        return Harm("out of action", target.track - target.harm)
    return Harm(what, 1 if what == "wounded" else target.track - target.harm)


def thrown(
    what: str, by: str, roll: Result, added: Explanation, needed: Explanation, outcome: str, rule: RuleId, because: int
) -> Rolled:
    """How a roll with parts on both sides is told."""
    total = roll.natural + added.total
    return Rolled(
        what,
        by,
        roll.dice,
        roll.faces,
        roll.natural,
        added.parts,
        total,
        needed.total,
        needed.parts,
        total - needed.total,
        outcome,
        rule=rule,
        because=because,
    )
