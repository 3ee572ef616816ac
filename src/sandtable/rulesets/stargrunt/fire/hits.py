"""What a fire action leaves to be done: hits, one after the other, and what comes after them."""

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.state import Step


class PointHit(Step, frozen=True):
    """A vehicle is hit by a weapon that can break it: a minor or a major hit."""

    firer: str
    target: str
    major: bool
    impact: int
    multiplier: int
    size: int
    armour: tuple[ExplainedPart, ...]


class LightHit(Step, frozen=True):
    """Small arms that rattle a vehicle look for a way through."""

    firer: str
    target: str
    impact: int
    armour: tuple[ExplainedPart, ...]


class Hit(Step, frozen=True):
    """One potential hit of so many, and whom the ones before have hurt."""

    firer: str
    target: str
    left: int
    impact: int
    armour: tuple[ExplainedPart, ...]
    hurt: tuple[str, ...] = ()
    assault: bool = False


class AfterFire(Step, frozen=True):
    """What fire does to a unit's nerve."""

    firer: str
    target: str
    suppresses: bool
    hurt: tuple[str, ...] = ()
    assault: bool = False
    rule: str = ""  # what suppresses, where it is not the roll of step one
