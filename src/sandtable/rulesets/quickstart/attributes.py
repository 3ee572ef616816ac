"""Special abilities and attributes: what is printed behind a weapon or at the bottom of a card."""

from sandtable.forces.ledger import Rule, rule

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

#: The rules of each special ability, by its name on a card; a rating behind the name is left out.
RULES_OF: dict[str, tuple[Rule, ...]] = {
    "advanced_targeting_computer": (TARGETING_COMPUTER,),
    "aoe": (AREA_OF_EFFECT,),
    "ammo": (AMMO,),
    "ammo_bin": (AMMO_BIN,),
    "blaster": (BLASTER,),
    "hard": (HARD,),
    "improved_armor": (IMPROVED_ARMOR,),
    "improved_range": (IMPROVED_RANGE,),
    "indirect_fire": (INDIRECT_FIRE,),
    "limited_ammo": (LIMITED_AMMO,),
    "minimum_range": (MINIMUM_RANGE,),
    "piercing_included_in_rav": (PIERCING,),
    "ravage": (RAVAGE,),
    "reinforced": (REINFORCED,),
    "shock": (SHOCK,),
    "smart": (SMART_WIDER, SMART_STRONGER),
    "strike": (STRIKE,),
    "wizzo": (WIZZO,),
}

#: How a SMART weapon is fired.
AS_PRINTED, WIDER, STRONGER = "as-printed", "wider", "stronger"
SMART: dict[str, Rule] = {WIDER: SMART_WIDER, STRONGER: SMART_STRONGER}
_LEAST_RAV, _LEAST_AREA = SMART_WIDER.number("minimum_rav"), SMART_STRONGER.number("minimum_aoe")


def smart_rav(option: str, rav: int) -> int:
    """The RAV of a SMART weapon as it is fired; never brought below 0 by it.

    >>> smart_rav(WIDER, 3), smart_rav(STRONGER, 3), smart_rav(AS_PRINTED, 3), smart_rav(WIDER, 0)
    (2, 4, 3, 0)
    """
    if option not in SMART:
        return rav
    return max(min(rav, _LEAST_RAV), rav + SMART[option].number("rav"))


def smart_area(option: str, level: int) -> int:
    """The area of effect of a SMART weapon as it is fired, in inches; never brought below 0 by it.

    >>> smart_area(WIDER, 1), smart_area(STRONGER, 1), smart_area(AS_PRINTED, 1), smart_area(STRONGER, 0)
    (2, 0, 1, 0)
    """
    if option not in SMART:
        return level
    return max(min(level, _LEAST_AREA), level + SMART[option].number("aoe"))
