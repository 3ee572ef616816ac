"""Shooting and damage of the miniature squads: pure numbers, each part naming its rule."""

from collections.abc import Iterable

from sandtable.engine.dice import Result
from sandtable.engine.events import Harm, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import RuleId
from sandtable.engine.shapes import UNIT
from sandtable.engine.state import Due
from sandtable.engine.table import Thing
from sandtable.field.measure import center_gap, in_arc
from tests.miniatures.standing import point_of

COMBAT_ROLL = RuleId("strikeops.shooting.combat-roll")
BANDS = RuleId("strikeops.shooting.band-target-points")
BACK_ARC = RuleId("strikeops.shooting.back-arc")
POINT_BLANK = RuleId("strikeops.shooting.point-blank")
DEFENSIVE_PLUS = RuleId("strikeops.shooting.defensive-fire-weapons")
STILL_SHOOTER = RuleId("strikeops.states.stationary-attacker")
STILL_TARGET = RuleId("strikeops.states.stationary-defender")
PRONE = RuleId("strikeops.states.knockdown")
DAMAGE = RuleId("strikeops.damage.combat-damage-table")
PILOT_CHECK = RuleId("strikeops.damage.pilot-check")

AV, EXP, RAV, RNG = 8, 6, 6, 6
MACS = ("MAC 1", "MAC 2")
BAND_NEEDS = {"short": 6, "medium": 7, "long": 8, "extreme": 9}

#: The rows of the damage table: up to which index, how many points, and the modifier of a pilot check if there is one.
ROWS: list[tuple[int, int, int | None]] = [(2, 1, None), (4, 1, -1), (6, 2, 0), (8, 2, 1), (9, 2, 2), (99, 3, None)]


def range_band(shooter: Thing, target: Thing) -> str | None:
    """The range band between two models, centre to centre; none beyond extreme."""
    squared = center_gap(point_of(shooter), point_of(target))
    for number, band in enumerate(BAND_NEEDS, 1):
        if squared <= (number * RNG * UNIT) ** 2:
            return band
    return None


def in_front(shooter: Thing, target: Thing) -> bool:
    """Whether a target lies in the front arc at some torso twist."""
    return in_arc(point_of(shooter), shooter.facing, point_of(target), -135, 135)


def needs(shooter: Thing, target: Thing, defensive: bool = False) -> Explanation | None:
    """What a combat roll needs, part by part; none where the target is out of range or arc."""
    band = range_band(shooter, target)
    if band is None or not in_front(shooter, target):
        return None
    parts = [ExplainedPart(f"{band} range", BAND_NEEDS[band], BANDS)]
    if defensive:
        parts.append(ExplainedPart("defensive fire", 2, DEFENSIVE_PLUS))
    if center_gap(point_of(shooter), point_of(target)) <= (3 * UNIT) ** 2:
        parts.append(ExplainedPart("point-blank", -1, POINT_BLANK))
    if not in_front(target, shooter):
        parts.append(ExplainedPart("back arc", -1, BACK_ARC))
    if shooter.has("stationary"):
        parts.append(ExplainedPart("stationary", -1, STILL_SHOOTER))
    if target.has("stationary"):
        parts.append(ExplainedPart("target stationary", -2, STILL_TARGET))
    if target.has("knockdown"):
        parts.append(ExplainedPart("target knocked down", -2, PRONE))
    return explain("combat roll", *parts)


def damage(margin: int) -> Harm | None:
    """What a hit does to a model, or none where its armour deflects it."""
    row = margin + RAV - AV
    if row < 0:
        return None
    points, check = next((points, check) for upto, points, check in ROWS if row <= upto)
    return Harm("damage", points, {} if check is None else {"pilot check": check})


def pilot_check_needs(modifier: int) -> Explanation:
    """What a pilot check needs, with the modifier of the hit that called for it."""
    parts = [ExplainedPart("experience", EXP, PILOT_CHECK)]
    return explain("pilot check", *parts, *([ExplainedPart("hit", modifier, DAMAGE)] if modifier else []))


def beaten(model: Thing, due: Iterable[Due]) -> bool:
    """Whether a model has taken all it can, harm that is only noted included."""
    return model.harm + sum(entry.harm.amount for entry in due if entry.target == model.id) >= model.track


def rolled(
    what: str,
    by: str,
    roll: Result,
    needed: Explanation,
    outcome: str,
    rule: RuleId,
    because: int = 0,
    target: str = "",
) -> Rolled:
    """How a roll against a target number is told."""
    return Rolled(
        what,
        by,
        roll.dice,
        roll.faces,
        roll.natural,
        total=roll.natural,
        needs=needed.total,
        needs_parts=needed.parts,
        margin=roll.natural - needed.total,
        outcome=outcome,
        rule=rule,
        because=because,
        detail={"target": target} if target else {},
    )
