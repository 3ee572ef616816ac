"""Nerve: Confidence Levels and their test, suppression and its removal."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.table import Thing
from tests.miniatures.die_types import exceed

REMOVING = "stargrunt.actions.removing-suppression"
MOST_MARKERS = "stargrunt.actions.multiple-suppression"
CONFIDENCE = "stargrunt.confidence.confidence-test"
LEADERSHIP = "stargrunt.units.leadership-value"

LEVELS = ("CO", "ST", "SH", "BR", "RO")


def level(unit: Thing) -> str:
    """A unit's Confidence Level."""
    return str(unit.value("confidence"))


def remove_suppression(battle: Battle, unit: Thing) -> None:
    """Roll above the LV to remove one marker."""
    if exceed(battle, "removing suppression", unit.id, unit.count("quality"), leadership(unit), REMOVING).passed:
        before = unit.count("suppression")
        battle.happens(Counted(unit.id, "suppression", before, before - 1, rule=REMOVING))


def suppress(battle: Battle, unit: Thing, because: int) -> None:
    """One more suppression marker, three at most."""
    markers = unit.count("suppression")
    if markers < 3:
        battle.happens(Counted(unit.id, "suppression", markers, markers + 1, rule=MOST_MARKERS, because=because))


def confidence_test(battle: Battle, unit: Thing, threat: ExplainedPart, rule: str, because: int) -> bool:
    """Test Confidence; a failure drops it one level, a roll of half the target or less two.

    stargrunt.confidence.confidence-test
    """
    target = (*leadership(unit), threat)
    roll = exceed(battle, "confidence", unit.id, unit.count("quality"), target, rule, because=because)
    if not roll.passed:
        levels = 2 if 2 * roll.score <= sum(part.value for part in target) else 1
        drop(battle, unit, levels, roll.n)
    return roll.passed


def drop(battle: Battle, unit: Thing, levels: int, because: int) -> None:
    """Lower a unit's Confidence, not below Routed."""
    before = level(unit)
    after = LEVELS[min(len(LEVELS) - 1, LEVELS.index(before) + levels)]
    if after != before:
        battle.happens(StateChanged(unit.id, "confidence", before, after, rule=CONFIDENCE, because=because))


def leadership(unit: Thing) -> tuple[ExplainedPart, ...]:
    return (ExplainedPart("LV", unit.count("leadership"), LEADERSHIP),)
