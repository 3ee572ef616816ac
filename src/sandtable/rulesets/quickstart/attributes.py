"""Special abilities and attributes: what is printed behind a weapon or at the bottom of a card."""

from sandtable.forces.ledger import rule

OVERRIDE = rule("quickstart.attributes.override")
TARGETING_COMPUTER = rule("quickstart.attributes.advanced-targeting-computer")
AMMO_BIN = rule("quickstart.attributes.ammo-bin")
PIERCING = rule("quickstart.attributes.piercing")
IMPROVED_ARMOR = rule("quickstart.attributes.improved-armor")
REINFORCED = rule("quickstart.attributes.reinforced")
WIZZO = rule("quickstart.attributes.wizzo")
AMMO = rule("quickstart.attributes.ammo")
LIMITED_AMMO = rule("quickstart.attributes.limited-ammo")
AREA_OF_EFFECT = rule("quickstart.attributes.area-of-effect")
BLASTER = rule("quickstart.attributes.blaster")
HARD = rule("quickstart.attributes.hard")
IMPROVED_RANGE = rule("quickstart.attributes.improved-range")
INDIRECT_FIRE = rule("quickstart.attributes.indirect-fire")
MINIMUM_RANGE = rule("quickstart.attributes.minimum-range")
RAVAGE = rule("quickstart.attributes.ravage")
SHOCK = rule("quickstart.attributes.shock")
SMART_WIDER = rule("quickstart.attributes.smart-wider-area")
SMART_STRONGER = rule("quickstart.attributes.smart-stronger-hit")
STRIKE = rule("quickstart.attributes.strike")
