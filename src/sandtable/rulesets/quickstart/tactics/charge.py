"""How one plays who walks to the nearest enemy and always fires: the sparring partner of bots."""

from collections.abc import Iterator
from typing import Any

from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center, enemies
from sandtable.rulesets.quickstart.concepts import in_contact
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, rates_of
from sandtable.rulesets.quickstart.shooting.direct_fire import DIRECT, is_indirect, is_missile, working_weapons
from sandtable.rulesets.quickstart.sight import line_of_sight
from sandtable.rulesets.quickstart.tactics.deploy import in_a_row
from sandtable.rulesets.quickstart.tactics.walks import walked
from sandtable.tabletop.scouting.strolls import Chartroom, bearing_to, stroll


def charge(room: Chartroom, view: View, question: AnyQuestion) -> Iterator[Any]:
    """Drafts, best first."""
    match question:
        case Plan():
            yield from _plans(view.table, view.table[question.actors[0]])
        case MoveModels(topic="walk"):
            yield from _walks(room, view.table, view.table[question.models[0]], question)
        case MoveModels(topic="stand-up" | "break-away"):
            yield None
        case React():
            yield Reaction(question.options[0].id)
        case ChooseSeveral(topic="defensive-weapons" | "over-watch-weapons"):
            yield tuple(option.id for option in question.options)
        case PlaceThings(topic="deploy"):
            yield from in_a_row(view.table, view.table[question.things[0]])
        case PlaceThings(topic="place-terrain" | "shape-terrain") | ChooseOne(topic="terrain-shape"):
            yield None
        case Confirm():
            yield True


def guns(model: Thing) -> tuple[str, ...]:
    """The weapons that fire straight and need no lock."""
    return tuple(
        name for name, weapon in working_weapons(model).items() if not is_indirect(weapon) and not is_missile(weapon)
    )


def nearest(table: Table, model: Thing) -> Thing | None:
    """The nearest enemy."""
    at = center(model)
    return min(enemies(table, model), key=lambda foe: length_between(at, center(foe)), default=None)


def _plans(table: Table, model: Thing) -> Iterator[dict[str, Any]]:
    foe = nearest(table, model)
    if foe is None:
        return
    if in_contact(model, foe):
        yield {"1": "close-combat", "target": foe.id}
    seen = [one for one in enemies(table, model) if not line_of_sight(table, model, one).blocked]
    target = min(seen, key=lambda one: length_between(center(model), center(one)), default=foe)
    fire = {"assault": DIRECT, "target": target.id, "weapons": guns(model)}
    if guns(model):
        yield {"1": "stand-up", "2": "shoot", **fire}
        yield {"1": "move", "2": "shoot", **fire}
        yield {"1": "shoot", **fire}
    for first, then in (("move", "move"), ("stand-up", "move"), ("break", "break")):
        yield {"1": first, "2": then}
        yield {"1": first}
    yield {"1": "nothing"}


def _walks(room: Chartroom, table: Table, model: Thing, question: MoveModels) -> Iterator[dict[str, Walk] | None]:
    """Straight at the nearest enemy, or as near to it as the ground lets it; it fires at the end."""
    foe = nearest(table, model)
    marked = bool(question.marks)
    if foe is not None:
        here, there = center(model), center(foe)
        most = max(0, min(question.facts["mv"] * UNIT, length_between(here, there) - 3 * UNIT))
        bearing = bearing_to(here, there)
        found = []
        others = [center(other) for other in table.models() if other.id != model.id]
        for off in (0, 25, -25, 50, -50, 75, -75, 100, -100):
            one = stroll(room, others, model, bearing + off, question.facts["mv"] - question.facts["spent"], most)
            if one is not None:
                found.append((room.way_left(one.at, there), one))
        found.sort(key=lambda one: one[0])
        for _, one in found[:3]:
            walk = walked(table, model, one.walk, rates_of(model, question))
            if walk is not None:
                length = sum(leg.go for leg in walk.legs if isinstance(leg, Leg))
                yield {model.id: Walk(walk.legs, {FIRES_HERE: length} if marked else {})}
    yield {model.id: Walk((), {FIRES_HERE: 0} if marked else {})}
    yield None
