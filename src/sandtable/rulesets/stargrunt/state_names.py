"""The names of states and counts that several chapters ask for; what only one chapter knows of is named there."""

from enum import StrEnum


class StateName(StrEnum):
    """A state of a unit, a figure, a side or a marker."""

    ABANDONED_WOUNDED = "abandoned wounded"
    ACTIVATED = "activated"
    BASELINE = "baseline"
    CONFIDENCE = "confidence"
    DESTROYED = "destroyed"
    DOWN = "down"
    FACES = "faces"
    FATIGUE = "fatigue"
    FIRST_SUPPRESSION_DONE = "first suppression done"
    HELD_BY = "held by"
    IN_POSITION = "in position"
    LEADER = "leader"
    LEAVES_OVER = "leaves over"
    LEFT_BEHIND = "left behind"
    LEVEL = "level"
    LOST_NERVE = "lost nerve"
    MOTIVATION = "motivation"
    PANIC_DONE = "panic done"
    PANICKED = "panicked"
    QUALITY = "quality"
    STABILISED = "stabilised"


class CountName(StrEnum):
    """What is counted on a unit."""

    LEADERSHIP = "leadership"
    STRENGTH = "strength"
    SUPPRESSION = "suppression"
