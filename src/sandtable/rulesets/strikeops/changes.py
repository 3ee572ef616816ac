"""What special attributes change of a check, made of the rows of `special.yaml`: a designer adds a row, and no code."""

from collections.abc import Callable, Mapping

from sandtable.engine.shapes import Point
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.datacard import is_infantry, rating, reach, stats
from sandtable.rulesets.strikeops.rows import LEVEL, Change, special
from sandtable.rulesets.strikeops.sight import distance
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.tabletop.modifiers import Modifier

#: The checks of which rows may speak.
COMBAT, AREA, STRIKE_POINT, PILOT = "combat", "area", "strike-point", "pilot"


class AtPoint(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a roll against a point of the board."""

    point: Point


def spelled(point: Point | None) -> tuple[str, ...]:
    """A point as a state holds it."""
    return () if point is None else (str(point.x), str(point.y))


def locked_point(model: Thing, point: Point | None) -> bool:
    """Whether a model is locked on to a point (strikeops.actions.target-lock)."""
    return point is not None and model.value(StateName.TARGET_LOCK) == spelled(point)


def _locked(s: Rolling) -> bool:
    if isinstance(s, AtPoint):
        return locked_point(s.model, s.point)
    return s.target is not None and s.model.value(StateName.TARGET_LOCK) == s.target.id


def _not_infantry(s: Rolling) -> bool:
    return s.target is None or not is_infantry(s.target)


def _aircraft(s: Rolling) -> bool:
    return s.target is not None and stats(s.target).model_type == "aircraft"


#: The conditions that a row may name.
CONDITIONS: Mapping[str, Callable[[Rolling], bool]] = {
    "locked": _locked,
    "not infantry": _not_infantry,
    "aircraft": _aircraft,
}


def changes(check: str) -> tuple[Modifier[Rolling], ...]:
    """The modifiers that the attributes in play have for a check, in the order of the file."""
    return tuple(
        _modifier(name, row.entries[0], change)
        for name, row in special().attributes.items()
        if row.how == "plays"
        for change in row.changes
        if change.check == check
    )


def _modifier(name: str, source: Rule, change: Change) -> Modifier[Rolling]:
    whens = [CONDITIONS[one] for one in change.when]

    def value(s: Rolling) -> int:
        bearer = s.model if change.of == "model" else s.target
        level = 0 if bearer is None else rating(bearer, name)
        if not level or not all(when(s) for when in whens) or not _in_reach(source, change, s.model, s.target):
            return 0
        number = source.number(*(str(level) if step == LEVEL else step for step in change.by))
        return number * level if change.each else number

    return Modifier(source, change.say or name.replace("_", " "), value)


def _in_reach(source: Rule, change: Change, model: Thing, target: Thing | None) -> bool:
    """Whether the two are as far apart as a row asks for."""
    if not (change.nearest or change.farthest or change.above):
        return True
    if target is None:
        return False
    away = distance(model, target)
    if change.nearest and away < reach(model, source.inches(*change.nearest)):
        return False
    if change.farthest and away > reach(model, source.inches(*change.farthest)):
        return False
    return not change.above or away > reach(model, source.inches(*change.above))
