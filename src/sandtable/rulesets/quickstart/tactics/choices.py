"""Answers as tactics think of them: the draft, what it is worth and why, and what is to be remembered."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE
from sandtable.rulesets.quickstart.tactics.guns import Attack
from sandtable.tabletop.scouting.strolls import Stroll, length_of
from sandtable.telling.vocabulary import listed_alike


class Intention(NamedTuple):
    """What a model declared, for when its moves are asked for: the walks, marked where it fires."""

    model: str
    walks: tuple[Walk, ...] = ()


def firing(walk: Walk, *, first: bool) -> Walk:
    """A walk with the mark where it fires: at its beginning or at its end."""
    return Walk(walk.legs, {FIRES_HERE: 0 if first else length_of(walk)})


def fire_draft(attack: Attack, at: str) -> dict[str, Any]:
    """The parts of a declaration that say what is fired at whom; direct fire, where nothing is said."""
    said: dict[str, Any] = {"target": at, "weapons": attack.weapons}
    return {**said, "salvo": True} if attack.salvo else said


def fire_words(table: Table, model: Thing, attack: Attack, at: str) -> str:
    """An assault of a model in words."""
    with_what = "a salvo" if attack.salvo else arms_words(model, attack.weapons)
    return f"fire {with_what} at {table[at].label}"


def arms_words(model: Thing, ids: Sequence[str]) -> str:
    """Weapons of a model by their names."""
    return listed_alike([weapons(model)[one].name for one in ids])


def going_words(one: Stroll) -> str:
    """A stroll in words."""
    return f"go {one.length // UNIT}″ to ({one.at.x // UNIT}, {one.at.y // UNIT})"
