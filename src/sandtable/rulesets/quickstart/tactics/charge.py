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
from sandtable.engine.shapes import UNIT, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.quickstart.concepts import in_contact
from sandtable.rulesets.quickstart.movement.walking import rates_of
from sandtable.rulesets.quickstart.shooting.direct_fire import DIRECT
from sandtable.rulesets.quickstart.sight import line_of_sight
from sandtable.rulesets.quickstart.tactics.choices import firing
from sandtable.rulesets.quickstart.tactics.deploy import in_a_row
from sandtable.rulesets.quickstart.tactics.guns import gunner_of
from sandtable.rulesets.quickstart.tactics.memory import nearest_first
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


def _plans(table: Table, model: Thing) -> Iterator[dict[str, Any]]:
    foes, guns = nearest_first(table, model), tuple(gunner_of(model).straight)
    if not foes:
        return
    if in_contact(model, foes[0]):
        yield {"1": "close-combat", "target": foes[0].id}
    target = next((one for one in foes if not line_of_sight(table, model, one).blocked), foes[0])
    fire = {"assault": DIRECT, "target": target.id, "weapons": guns}
    if guns:
        yield {"1": "stand-up", "2": "shoot", **fire}
        yield {"1": "move", "2": "shoot", **fire}
        yield {"1": "shoot", **fire}
    for first, then in (("move", "move"), ("stand-up", "move"), ("break", "break")):
        yield {"1": first, "2": then}
        yield {"1": first}
    yield {"1": "nothing"}


def _walks(room: Chartroom, table: Table, model: Thing, question: MoveModels) -> Iterator[dict[str, Walk] | None]:
    """Straight at the nearest enemy, or as near to it as the ground lets it; it fires at the end."""
    foes, found = nearest_first(table, model), []
    if foes:
        here, there = center(model), center(foes[0])
        mv = question.facts["mv"]
        most = max(0, min(mv * UNIT, length_between(here, there) - 3 * UNIT))
        others = [center(other) for other in table.models() if other.id != model.id]
        for off in (0, 25, -25, 50, -50, 75, -75, 100, -100):
            one = stroll(room, others, model, bearing_to(here, there) + off, mv - question.facts["spent"], most)
            if one is not None:
                found.append((room.way_left(one.at, there), one.walk))
        found.sort(key=lambda one: one[0])
    ways = (walked(table, model, walk, rates_of(model, question)) for _, walk in found[:3])
    for walk in (*(one for one in ways if one is not None), Walk()):
        yield {model.id: firing(walk, first=False) if question.marks else Walk(walk.legs)}
    yield None
