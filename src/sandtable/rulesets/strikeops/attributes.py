"""Special attributes, of models and of weapons, as rows of tables: what each changes, and how far it is played.

A row of `ATTRIBUTES` names the rules of an attribute and how it works: `plays` are those whose rows or triggers stand
in the chapters, `built in` those whose numbers the cards hold already, `answers` those that only ever answer something
that nobody can do yet. Whatever is not in the table is still to come, and a card that has it is refused by name.
"""

from typing import Literal, NamedTuple

from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.strikeops.datacard import Stats, Weapon, stats
from sandtable.tabletop.chapters import Chapter

PRECEDENCE = rule("strikeops.attributes.precedence")
LEVELS = rule("strikeops.attributes.rating-levels")
CONCEPT = rule("strikeops.concepts.special-attributes")
TARGETING_COMPUTER = rule("strikeops.attributes.adv-targeting-computer")
AMMO_BIN = rule("strikeops.attributes.ammo-bin")
ASSAULT = rule("strikeops.attributes.assault")
CHAMELEON = rule("strikeops.attributes.chameleon")
COUNTER_MEASURES = rule("strikeops.attributes.counter-measures")
HARD = rule("strikeops.attributes.hard")
IMPROVED_ARMOR = rule("strikeops.attributes.improved-armor")
IMPROVED_BREEDER = rule("strikeops.attributes.improved-breeder")
LARGE_PROFILE = rule("strikeops.attributes.large-sensor-profile")
REINFORCED = rule("strikeops.attributes.reinforced")
SHIELDED = rule("strikeops.attributes.shielded")
SOFT = rule("strikeops.attributes.soft")
WIZZO = rule("strikeops.attributes.wizzo")
AMMO = rule("strikeops.attributes-weapon.ammo")
LIMITED_AMMO = rule("strikeops.attributes-weapon.limited-ammo")
FURTHER_FUMBLES = rule("strikeops.attributes-weapon.ammo-further-fumbles")
WEAPON_TYPE = rule("strikeops.attributes-weapon.weapon-type")
BLASTER = rule("strikeops.attributes-weapon.blaster")
IMPROVED_RANGE = rule("strikeops.attributes-weapon.improved-range")
MINIMUM_RANGE = rule("strikeops.attributes-weapon.minimum-range")
OVERDRIVE = rule("strikeops.attributes-weapon.overdrive-declare")
OVERHEAT = rule("strikeops.attributes-weapon.overdrive-overheat")
OVERLOAD = rule("strikeops.attributes-weapon.overdrive-overload")
SHOCK = rule("strikeops.attributes-weapon.shock")
SMART = rule("strikeops.attributes-weapon.smart")
AREA = rule("strikeops.attributes-weapon.aoe")
PIERCING = rule("strikeops.attributes-weapon.piercing")
SHREDDER = rule("strikeops.attributes-weapon.shredder")
ULTRA = rule("strikeops.attributes-weapon.ultra")

How = Literal["plays", "built in", "answers"]


class Attribute(NamedTuple):
    """A row: the rules of an attribute, and how it works."""

    how: How
    rules: tuple[Rule, ...]


#: Every attribute of models and weapons that a card may have so far.
ATTRIBUTES: dict[str, Attribute] = {
    "adv_targeting_computer": Attribute("plays", (TARGETING_COMPUTER,)),
    "ammo": Attribute("plays", (AMMO, FURTHER_FUMBLES, WEAPON_TYPE)),
    "aoe": Attribute("plays", (AREA,)),
    "ammo_bin": Attribute("plays", (AMMO_BIN,)),
    "assault": Attribute("answers", (ASSAULT,)),
    "blaster": Attribute("plays", (BLASTER,)),
    "chameleon": Attribute("plays", (CHAMELEON,)),
    "counter_measures": Attribute("plays", (COUNTER_MEASURES,)),
    "hard": Attribute("plays", (HARD,)),
    "improved_armor": Attribute("built in", (IMPROVED_ARMOR,)),
    "improved_breeder": Attribute("built in", (IMPROVED_BREEDER,)),
    "improved_range": Attribute("plays", (IMPROVED_RANGE,)),
    "large_sensor_profile": Attribute("plays", (LARGE_PROFILE,)),
    "limited_ammo": Attribute("plays", (LIMITED_AMMO, FURTHER_FUMBLES, WEAPON_TYPE)),
    "overdrive": Attribute("plays", (OVERDRIVE, OVERHEAT, OVERLOAD)),
    "piercing": Attribute("built in", (PIERCING,)),
    "reinforced": Attribute("plays", (REINFORCED,)),
    "shielded": Attribute("answers", (SHIELDED,)),
    "shock": Attribute("plays", (SHOCK,)),
    "shredder": Attribute("built in", (SHREDDER,)),
    "smart": Attribute("plays", (SMART,)),
    "soft": Attribute("plays", (SOFT,)),
    "ultra": Attribute("built in", (ULTRA,)),
    "wizzo": Attribute("plays", (WIZZO,)),
}
#: The kinds of fire and of model that are played so far.
FIRES, MODEL_TYPES = ("direct", "indirect"), ("cav",)
#: Weapon families with a procedure of their own that is still to come.
LATER_FAMILIES = (
    "flamethrower",
    "grenade_launcher",
    "howitzer",
    "ion_disruptor_cannon",
    "mortar",
    "rocket_artillery_launcher",
)


def still_to_come(card: Stats) -> str:
    """What of a card is not played yet, in words; empty where all of it is."""
    if card.model_type not in MODEL_TYPES:
        return f"{card.model_type} models"
    for weapon in card.weapons:
        if weapon.family in LATER_FAMILIES or weapon.fire not in FIRES:
            return f"the {weapon.name}"
        for name in weapon.attributes:
            if name == "aoe" and weapon.fire == "direct":
                return f"the area of the {weapon.name}"
            if name not in ATTRIBUTES:
                return f"{name.replace('_', ' ')} of the {weapon.name}"
    unknown = [name for name in card.attributes if name not in ATTRIBUTES]
    return unknown[0].replace("_", " ") if unknown else ""


def rules_of(weapon: Weapon) -> list[Rule]:
    """The rules of a weapon's attributes."""
    return [one for name in weapon.attributes if name in ATTRIBUTES for one in ATTRIBUTES[name].rules]


def in_play(thing: Thing) -> list[str]:
    """The rules of the attributes that a model brings into play."""
    if thing.kind != "model" or not thing.card:
        return []
    own = [one for name in stats(thing).attributes if name in ATTRIBUTES for one in ATTRIBUTES[name].rules]
    carried = [one for weapon in stats(thing).weapons for one in rules_of(weapon)]
    near = [MINIMUM_RANGE for weapon in stats(thing).weapons if weapon.minimum_range]
    return [CONCEPT.id, PRECEDENCE.id, LEVELS.id, *dict.fromkeys(one.id for one in (*own, *carried, *near))]


CHAPTER = Chapter(in_play=in_play)
