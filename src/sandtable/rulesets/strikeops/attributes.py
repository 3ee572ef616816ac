"""Special attributes, of models and of weapons, as rows of tables: what each changes, and how far it is played.

What each is stands in `special.yaml`: `plays` are those whose rows or triggers stand in the chapters, `built in` those
whose numbers the cards hold already, `answers` those that only ever answer something that nobody can do yet. Whatever
is `later` is still to come, and a card that has it is refused by name.
"""

from typing import NamedTuple

from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, ledger, rule, same_number
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, NATURAL_FUMBLE
from sandtable.rulesets.strikeops.datacard import CARDS, Stats, Weapon, stats
from sandtable.rulesets.strikeops.rows import How, special
from sandtable.tabletop.chapters import Chapter

PRECEDENCE = rule("strikeops.attributes.precedence")
LEVELS = rule("strikeops.attributes.rating-levels")
CONCEPT = rule("strikeops.concepts.special-attributes")
FAMILIES = rule("strikeops.weapons.families")
STAT_LINE = rule("strikeops.weapons.stat-line")
LIMITED_USES = rule("strikeops.attributes.limited-uses")
RANGES = rule("strikeops.attributes.range-measurement")
REMINDERS = rule("strikeops.datacard.attribute-reminders")
TARGETING_COMPUTER = rule("strikeops.attributes.adv-targeting-computer")
AMMO_BIN = rule("strikeops.attributes.ammo-bin")
C3 = rule("strikeops.attributes.c3")
ASSAULT = rule("strikeops.attributes.assault")
CHAMELEON = rule("strikeops.attributes.chameleon")
COUNTER_MEASURES = rule("strikeops.attributes.counter-measures")
HARD = rule("strikeops.attributes.hard")
LARGE_PROFILE = rule("strikeops.attributes.large-sensor-profile")
REINFORCED = rule("strikeops.attributes.reinforced")
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

# What two entries of the ledger say of the same thing is the same number.
for _kind, _jams in (("ammo", AMMO), ("limited_ammo", LIMITED_AMMO)):
    _more = FURTHER_FUMBLES.number("target_modifier_per_further_fumble")
    _each = tuple(_jams.number("target_point") + n * _more for n in range(3))
    same_number(f"the jam checks of {_kind}", FURTHER_FUMBLES.numbers(_kind), _each)
_TERM = rule("strikeops.attributes.critical-fumble-term")
same_number("a Critical Success", _TERM.number("success"), NATURAL_CRITICAL)
for _entry, _key in (
    ("critical-fumble-term", "fumble"),
    ("counter-measures-fumble", "natural"),
    ("point-defense-fumble", "natural"),
):
    same_number("a Critical Fumble", rule(f"strikeops.attributes.{_entry}").number(_key), NATURAL_FUMBLE)
_SPECIAL = rule("strikeops.actions.special-action").number("ap")
for _entry in ("activated-duration", "fire-proof-extinguish", "re-supply", "smoke-generate"):
    same_number("what a Special Action costs", rule(f"strikeops.attributes.{_entry}").number("ap"), _SPECIAL)
same_number("what is adjacent", RANGES.number("adjacent_inches"), rule("strikeops.concepts.adjacent").number("inches"))
_OUT, _FIRE = rule("strikeops.attributes.fire-proof-extinguish"), rule("strikeops.attributes.fire-proof")
for _key in ("range", "extinguish_radius"):
    same_number("how far fires are put out", _FIRE.number("levels", "2", _key), _OUT.number("radius"))
same_number("what putting out fires costs", _FIRE.number("levels", "2", "extinguish_ap"), _OUT.number("ap"))
_TURRET, _ROTATION = rule("strikeops.attributes.turret"), rule("strikeops.shooting.turret-rotation")
same_number("the arc of a turret", _TURRET.number("arc"), _ROTATION.number("arc_degrees"))

LATER, PLAYS = "later", "plays"


class Attribute(NamedTuple):
    """A row: the rules of an attribute, and how it works."""

    how: How
    rules: tuple[Rule, ...]


#: Every attribute of models and weapons that a card may have so far: the rows of `special.yaml` that are not to come.
ATTRIBUTES: dict[str, Attribute] = {
    name: Attribute(row.how, row.entries if row.how == PLAYS else ())
    for name, row in special().attributes.items()
    if row.how != LATER
}
#: The rules of every family of weapons that is played.
FAMILY_RULES = {name: row.entries for name, row in special().weapons.items() if row.how == PLAYS}
#: The kinds of fire and of model that are played so far.
FIRES, MODEL_TYPES = ("direct", "indirect"), ("cav", "vehicle")
#: Weapon families with a procedure of their own that is still to come.
LATER_FAMILIES = tuple(name for name, row in special().weapons.items() if row.how == LATER)


def still_to_come(card: Stats) -> str:
    """What of a card is not played yet, in words; empty where all of it is."""
    if card.model_type not in MODEL_TYPES:
        return f"{card.model_type} models"
    for weapon in card.weapons:
        if weapon.family in LATER_FAMILIES or weapon.fire not in FIRES:
            return f"the {weapon.name}"
        for name in weapon.attributes:
            if name not in ATTRIBUTES:
                return f"{name.replace('_', ' ')} of the {weapon.name}"
    unknown = [name for name in card.attributes if name not in ATTRIBUTES]
    return unknown[0].replace("_", " ") if unknown else ""


def delivery_of(card: Stats) -> int:
    """The delivery that a card waits for; 0 where it can be fielded."""
    if not still_to_come(card):
        return 0
    late = [row for weapon in card.weapons if (row := special().weapons[weapon.family]).how == LATER]
    return max((row.delivery for row in late), default=2)


def rules_of(weapon: Weapon) -> list[Rule]:
    """The rules of a weapon's attributes."""
    return [one for name in weapon.attributes if name in ATTRIBUTES for one in ATTRIBUTES[name].rules]


def in_play(thing: Thing) -> list[str]:
    """The rules of the attributes that a model brings into play."""
    if thing.kind != "model" or not thing.card:
        return []
    own = [one for name in stats(thing).attributes if name in ATTRIBUTES for one in ATTRIBUTES[name].rules]
    carried = [one for weapon in stats(thing).weapons for one in rules_of(weapon)]
    families = [one for weapon in stats(thing).weapons for one in FAMILY_RULES.get(weapon.family, ())]
    near = [MINIMUM_RANGE for weapon in stats(thing).weapons if weapon.minimum_range]
    armed = [FAMILIES, STAT_LINE] if stats(thing).weapons else []
    own += [LIMITED_USES] if "ammo_bin" in stats(thing).attributes else []
    own += [RANGES] if {"fcs", "chain_fire_pod", "point_defense"} & {*stats(thing).attributes} else []
    near += armed
    return [CONCEPT.id, PRECEDENCE.id, LEVELS.id, *dict.fromkeys(one.id for one in (*own, *carried, *families, *near))]


def reminders(card: Stats) -> dict[str, str]:
    """The back of a card: every special attribute of the model and its weapons, and what it does in a line.

    strikeops.datacard.attribute-reminders
    """
    names = dict.fromkeys([*card.attributes, *(name for weapon in card.weapons for name in weapon.attributes)])
    rows, book = special().attributes, ledger("strikeops")
    return {name: book.find(f"strikeops.{rows[name].rules[0]}").title for name in names if name in rows}


CHAPTER = Chapter(
    in_play=in_play, values={"reminders": lambda table, asked: reminders(CARDS.held[asked.text_at()].stats)}
)
