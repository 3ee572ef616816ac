"""The pure functions of the rules that a case may ask for a value, by name."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from sandtable.engine.ids import NO_THING
from sandtable.engine.questions import ChooseOne
from sandtable.engine.ruleset import View
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.cost import leading_edge
from sandtable.forces.data import Data
from sandtable.rulesets.cav.concepts import base_of, center
from sandtable.rulesets.cav.datacard import column
from sandtable.rulesets.quickstart import datacard
from sandtable.rulesets.quickstart.cases.setup_values import SETUP_VALUES
from sandtable.rulesets.quickstart.concepts import distance, distance_to, in_contact
from sandtable.rulesets.quickstart.damage import most_action_points
from sandtable.rulesets.quickstart.dice import half_rounded_up
from sandtable.rulesets.quickstart.shooting.direct_fire import range_band, target_point, twist_needed
from sandtable.rulesets.quickstart.sight import line_of_sight, total_elevation
from sandtable.rulesets.quickstart.turn.declaration import plan_question
from sandtable.rulesets.quickstart.turn.phases import action_cost
from sandtable.rulesets.quickstart.turn.plan_parts import plan_parts


def _weapon(table: Table, asked: Data) -> datacard.Weapon:
    """A weapon of a model on the table or of a card; with no model said, of the one card of this edition."""
    model = asked.text_at("model") if asked.has("model") else "dictator-b"
    return datacard.weapons(table.things.get(model) or Thing(NO_THING, card=model))[asked.text_at("weapon")]


def _band(table: Table, asked: Data) -> object:
    """The range band of a weapon at a distance: short, medium, long, extreme or out of range."""
    return range_band(_weapon(table, asked), asked.length("distance")) or "out of range"


def _target_point(table: Table, asked: Data) -> object:
    """What a weapon needs at a distance, or out of range."""
    weapon = _weapon(table, asked)
    band = range_band(weapon, asked.length("distance"))
    return target_point(weapon, band).total if band else "out of range"


def _half(table: Table, asked: Data) -> object:
    """Half a number; a half that is left rounds up."""
    return half_rounded_up(asked.number("of"))


def _card(table: Table, asked: Data) -> object:
    """A value of a model's card as it is now."""
    model = table[asked.text_at("model")]
    against = table[asked.text_at("against")] if asked.has("against") else model
    values: Mapping[str, object] = {
        "mv": datacard.movement(model),
        "armor": datacard.armor(model),
        "ccv": datacard.close_combat_value(model, against),
        "damage-control": datacard.damage_control(model),
        "action-points": most_action_points(model),
        "column": column(model),
        "elevation": total_elevation(table, model),
        "threat": datacard.stats(model).threat_value,
        "hard": datacard.is_hard(model),
        "movement-class": datacard.stats(model).movement_class,
        "quad": datacard.stats(model).quad,
        "task": datacard.stats(model).task,
        "attributes": datacard.stats(model).attributes,
    }
    if asked.has("weapon"):
        return datacard.ranged_assault_value(model, datacard.weapons(model)[asked.text_at("weapon")], against)
    return values[asked.text_at("value")]


def _track(table: Table, asked: Data) -> object:
    """A row of a model's card, or the RAV of a weapon, in every column of its damage track."""
    model = table[asked.text_at("of")]
    against = table[asked.text_at("against")] if asked.has("against") else model
    columns = [replace(model, harm=n) for n in range(model.track)]
    if asked.has("weapon"):
        weapon = datacard.weapons(model)[asked.text_at("weapon")]
        return tuple(datacard.ranged_assault_value(one, weapon, against) for one in columns)
    read: Mapping[str, Callable[[Thing], object]] = {
        "column": lambda one: datacard.stats(one).damage_track.column[column(one)],
        "mv": datacard.movement,
        "armor": datacard.armor,
        "ccv": lambda one: datacard.close_combat_value(one, against),
        "damage-control": datacard.damage_control,
    }
    return tuple(read[asked.text_at("row")](one) for one in columns)


def _systems_of(table: Table, asked: Data) -> object:
    """The weapon systems of a model."""
    return tuple(datacard.weapons(table[asked.text_at()]))


def _weapon_line(table: Table, asked: Data) -> object:
    """The line of a weapon on the card of a model."""
    return datacard.weapons(table[asked.text_at("of")])[asked.text_at("weapon")]


def _rating(table: Table, asked: Data) -> object:
    """The rating of a special ability, of a model or of one of its weapons."""
    model, ability = table[asked.text_at("of")], asked.text_at("ability")
    if asked.has("weapon"):
        return datacard.weapons(model)[asked.text_at("weapon")].rating(ability)
    return datacard.rating(model, ability)


def _distance(table: Table, asked: Data) -> object:
    """Between models, `{between: [A, B]}` or `{from: A, to: B}`, or from one to a point, `{from: A, to: [x, y]}`."""
    if asked.has("from") and isinstance(asked.at("to").node.value, list):
        return distance_to(table[asked.text_at("from")], asked.point("to"))
    a, b = asked.texts("between") if asked.has("between") else (asked.text_at("from"), asked.text_at("to"))
    return distance(table[a], table[b])


def _contact(table: Table, asked: Data) -> object:
    """Whether two models, `[A, B]`, are in base contact."""
    a, b = asked.texts()
    return in_contact(table[a], table[b])


def _front(table: Table, asked: Data) -> object:
    """The middle of the flat side that is the front of a model's base."""
    model = table[asked.text_at()]
    edge = leading_edge(base_of(model), model.facing, False, model.facing)
    x, y = center(model)
    return x + sum(point.x for point in edge) // len(edge), y + sum(point.y for point in edge) // len(edge)


def _in_arc(table: Table, asked: Data) -> object:
    """Whether a point lies in the firing arc of a model, without a twist."""
    return twist_needed(table[asked.text_at("of")], asked.point("at")) == 0


def _playable(table: Table, asked: Data) -> object:
    """The models of the ready catalogue."""
    return tuple(card.id for card in datacard.catalogue())


def _sight(table: Table, asked: Data) -> object:
    """`{from_to: [A, B]}`: blocked, or what the cover of the second adds to the first's roll."""
    a, b = asked.texts("from_to")
    line = line_of_sight(table, table[a], table[b])
    return "blocked" if line.blocked else sum(part.value for part in line.cover)


def _base_of(table: Table, asked: Data) -> object:
    """The base of a model."""
    return base_of(table[asked.text_at()])


def _cost(table: Table, asked: Data) -> object:
    """How many action points an action costs."""
    return action_cost(asked.text_at())


def _actions(table: Table, asked: Data) -> object:
    """What a model is offered as its first action, refused or not."""
    question = plan_parts(_view(table, asked.text_at()), plan_question(table[asked.text_at()]), {})[0].question
    assert isinstance(question, ChooseOne)
    return tuple(option.id for option in question.options)


def _declaration(table: Table, asked: Data) -> object:
    """The parts of a model's declaration, given what it has said so far."""
    model = asked.text_at("of")
    draft: dict[str, object] = {}
    for part, said in asked.table("so far").items():
        draft[part] = said.texts() if isinstance(said.node.value, list) else said.text_at()
    return tuple(part.id for part in plan_parts(_view(table, model), plan_question(table[model]), draft))


def _view(table: Table, model: str) -> View:
    return View(table[model].side, table)


VALUES = {
    **SETUP_VALUES,
    "cost": _cost,
    "actions": _actions,
    "declaration": _declaration,
    "track": _track,
    "systems-of": _systems_of,
    "weapon": _weapon_line,
    "rating": _rating,
    "contact": _contact,
    "front": _front,
    "in-arc": _in_arc,
    "playable-models": _playable,
    "base-of": _base_of,
    "band": _band,
    "target-point": _target_point,
    "half": _half,
    "card": _card,
    "distance": _distance,
    "sight": _sight,
}

__all__ = ["VALUES"]
