"""The pure functions of the rules that a case may ask for a value, by name."""

from collections.abc import Mapping

from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap
from sandtable.forces.data import Data
from sandtable.rulesets.quickstart import datacard
from sandtable.rulesets.quickstart._terrain import KINDS
from sandtable.rulesets.quickstart.concepts import outline
from sandtable.rulesets.quickstart.damage import most_action_points
from sandtable.rulesets.quickstart.dice import half_rounded_up
from sandtable.rulesets.quickstart.shooting import range_band, target_point
from sandtable.rulesets.quickstart.sight import line_of_sight, total_elevation


def _weapon(asked: Data) -> datacard.Weapon:
    model = asked.text_at("model") if asked.has("model") else "dictator-b"
    return datacard.weapons(Thing("", card=model))[asked.text_at("weapon")]


def _band(table: Table, asked: Data) -> object:
    return range_band(_weapon(asked), asked.length("distance")) or "out of range"


def _target_point(table: Table, asked: Data) -> object:
    weapon = _weapon(asked)
    band = range_band(weapon, asked.length("distance"))
    return target_point(weapon, band).total if band else "out of range"


def _half(table: Table, asked: Data) -> object:
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
        "column": datacard.column(model),
        "elevation": total_elevation(table, model),
        "threat": datacard.stats(model).threat_value,
        "hard": datacard.is_hard(model),
    }
    if asked.has("weapon"):
        return datacard.ranged_assault_value(model, datacard.weapons(model)[asked.text_at("weapon")], against)
    return values[asked.text_at("value")]


def _distance(table: Table, asked: Data) -> object:
    a, b = asked.texts("between")
    return gap(outline(table[a]), outline(table[b]))


def _sight(table: Table, asked: Data) -> object:
    a, b = asked.texts("from_to")
    line = line_of_sight(table, table[a], table[b])
    return "blocked" if line.blocked else sum(part.value for part in line.cover)


def _height_of(table: Table, asked: Data) -> object:
    """How high a kind of terrain is by itself."""
    return KINDS[asked.text_at()].height


VALUES = {
    "height-of": _height_of,
    "band": _band,
    "target-point": _target_point,
    "half": _half,
    "card": _card,
    "distance": _distance,
    "sight": _sight,
}

__all__ = ["VALUES"]
