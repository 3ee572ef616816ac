"""Weapons: the printed weapon lines, held against the cards that carry them."""

from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.quickstart.attributes import PIERCING
from sandtable.rulesets.quickstart.datacard import Weapon, catalogue

LIGHT_GM = rule("quickstart.weapons.light-guided-missile")
MEDIUM_MAC = rule("quickstart.weapons.medium-magnetic-accelerator-cannon")
LIGHT_R10 = rule("quickstart.weapons.light-rocket-10")

RULE_OF: dict[str, Rule] = {"light-gm": LIGHT_GM, "medium-mac": MEDIUM_MAC, "light-r10": LIGHT_R10}


def printed(weapon: Weapon) -> tuple[int, int]:
    """The RAV a weapon's own entry prints, before what a card's special abilities add."""
    first, second = RULE_OF[weapon.id].numbers("rav")
    return first, second


def _see_that_cards_agree() -> None:
    """The Dictator-B carries the printed weapons; Piercing is in its MACs already (quickstart.attributes.piercing)."""
    for weapon in catalogue()["dictator-b"].stats.weapons:
        entry = RULE_OF[weapon.id]
        hard, soft = printed(weapon)
        if "piercing_included_in_rav" in weapon.attributes:
            hard += PIERCING.number("hard_rav")
            same_number(f"the RAV of the {weapon.name}", (hard, soft), entry.numbers("rav_on_dictator_b"))
        same_number(f"the RAV of the {weapon.name}", (hard, soft), weapon.rav[0])
        same_number(f"the range of the {weapon.name}", weapon.range, entry.number("range"))
        same_number(f"the type of the {weapon.name}", weapon.type, entry.text_at("type"))
        same_number(f"the class of the {weapon.name}", weapon.weapon_class, entry.text_at("class"))
        bare = tuple(one for one in weapon.attributes if one != "piercing_included_in_rav")
        same_number(f"the attributes of the {weapon.name}", bare, entry.texts("attributes"))
        same_number(f"the minimum range of the {weapon.name}", weapon.minimum_range, weapon.rating("minimum_range"))


_see_that_cards_agree()
