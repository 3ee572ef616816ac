"""Combat: the order of a Combat Action, its modifiers in one place, and assaults that come to nothing."""

from functools import lru_cache

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.quickstart.attributes import TARGETING_COMPUTER, WIZZO
from sandtable.rulesets.quickstart.datacard import CRITICAL_TABLE, has, rating
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.states import DISABLED, IMMOBILE, KNOCKDOWN, STUNNED, own_rolls

COMBAT_ACTION = rule("quickstart.combat.combat-action")
DECLARE = rule("quickstart.combat.declare-targets")
DECLARE_FIRST = rule("quickstart.combat.declare-before-measuring")
IMPOSSIBLE = rule("quickstart.combat.impossible-assault-misses")
COMBAT_ROLL = rule("quickstart.combat.combat-roll")
PRIMARY_AND_SECONDARY = rule("quickstart.combat.primary-and-secondary-rolls")
STEPS = rule("quickstart.combat.attacker-and-defender")
SIMULTANEOUS = rule("quickstart.combat.simultaneous")
STEP_2 = rule("quickstart.combat.step-2-defensive-declaration")
STEP_3 = rule("quickstart.combat.step-3-checks")
STEP_4 = rule("quickstart.combat.step-4-order")
RANGED_ROLL = rule("quickstart.combat.ranged-roll")
NATURAL_TWO = rule("quickstart.combat.natural-two")
NATURAL_TWELVE = rule("quickstart.combat.natural-twelve")
LOST = rule("quickstart.combat.lost-assaults")
STEP_7 = rule("quickstart.combat.step-7-defensive-fire")
SUMMARY = rule("quickstart.combat.modifier-summary")
IMMOBILE_TARGETS = rule("quickstart.shooting.immobile-targets")

_NUMBERS = [int(str(one.scalar("step")).rstrip("AB")) for one in STEPS.items("steps")]
for _before, _after in zip([0, *_NUMBERS], _NUMBERS, strict=False):
    same_number("the order of the steps of a Combat Action", _after in (_before, _before + 1), True)

#: The kinds of roll the summary names.
RANGED_PRIMARY, DIRECT_PRIMARY, SECONDARY = "ranged_primary", "direct_fire_primary", "secondary"
CLOSE_COMBAT, CLOSE_COMBAT_ATTACKER, STRIKE_POINT = "close_combat", "close_combat_attacker", "strike_point"

_SUMMARY = {one.text_at("id"): one for one in SUMMARY.items("modifiers")}


def summed_up(modifier: str, value: int, rolls: tuple[str, ...] | None = None) -> int:
    """The value of a modifier that a rule of its own gives, held against the summary of all modifiers."""
    same_number(f"the modifier {modifier}", value, _SUMMARY[modifier].number("sm"))
    if rolls is not None:
        listed = tuple(one for one in rolls if one != STRIKE_POINT)
        same_number(f"the rolls of {modifier}", listed, _SUMMARY[modifier].texts("rolls"))
    return value


@lru_cache(maxsize=64)
def counts_on(modifier: str, roll: str) -> bool:
    """Whether a modifier of the summary counts on a kind of roll."""
    rolls = _SUMMARY[modifier].texts("rolls")
    return roll in rolls or (roll == DIRECT_PRIMARY and RANGED_PRIMARY in rolls)


_WIZZO = summed_up("wizzo", WIZZO.number("sm"), WIZZO.texts("rolls"))
_COMPUTER = summed_up(
    "targeting_computer", TARGETING_COMPUTER.number("sm_per_rating"), TARGETING_COMPUTER.texts("rolls")
)
_HELPLESS = summed_up("immobile_or_disabled", IMMOBILE.number("attacker_sm"), IMMOBILE.texts("rolls"))
same_number("attacking the disabled", DISABLED.number("attacker_sm"), _HELPLESS)
same_number("attacking the disabled", DISABLED.texts("rolls"), IMMOBILE.texts("rolls"))
same_number("immobile targets", IMMOBILE_TARGETS.number("sm"), _HELPLESS)
_KNOCKDOWN = summed_up("knockdown", KNOCKDOWN.number("attacker_sm"), KNOCKDOWN.texts("rolls"))
summed_up("suppressed_or_stunned", STUNNED.number("own_rolls_sm"))
_WEAPONS_DAMAGED = summed_up("weapons_damaged", CRITICAL_TABLE.number("results", 9, "any_combat_roll_sm"))
_TARGETING_DAMAGED = summed_up("targeting_damaged", CRITICAL_TABLE.number("results", 10, "any_combat_roll_sm"))


def own_modifiers(model: Thing, roll: str) -> list[ExplainedPart]:
    """What a model brings to its own combat roll whoever the opponent is.

    quickstart.attributes.wizzo                  +1 on primary rolls
    quickstart.states.suppressed                 −2, once with stunned
    quickstart.damage.critical-damage-table      −1 and −2 for each result of 9 and 10
    """
    parts: list[ExplainedPart] = []
    if has(model, "wizzo") and (counts_on("wizzo", roll) or roll == STRIKE_POINT):
        parts.append(ExplainedPart("wizzo", _WIZZO, WIZZO.id))
    parts += own_rolls(model)
    if roll != STRIKE_POINT:
        for count, value, name in (
            (model.count(CountName.WEAPONS_DAMAGED), _WEAPONS_DAMAGED, "weapons damaged"),
            (model.count(CountName.TARGETING_DAMAGED), _TARGETING_DAMAGED, "targeting damaged"),
        ):
            if count:
                parts.append(ExplainedPart(name, count * value, CRITICAL_TABLE.id))
    return parts


def lock_modifier(model: Thing, target: Thing) -> list[ExplainedPart]:
    """SA Advanced Targeting Computer, on a model that the roller has locked."""
    level = rating(model, "advanced_targeting_computer")
    if level and model.value(StateName.TARGET_LOCK) == target.id:
        return [ExplainedPart("targeting computer", level * _COMPUTER, TARGETING_COMPUTER.id)]
    return []


def target_modifiers(target: Thing, roll: str) -> list[ExplainedPart]:
    """What the states of a target bring to a combat roll against it.

    quickstart.shooting.immobile-targets    +4, once; a disabled model is also immobile (quickstart.states.disabled)
    quickstart.states.knockdown             +2
    """
    parts: list[ExplainedPart] = []
    helpless: tuple[str, Rule] | None = None
    if target.has(StateName.DISABLED):
        helpless = ("disabled", DISABLED if roll == STRIKE_POINT else IMMOBILE_TARGETS)
    elif target.has(StateName.IMMOBILE):
        helpless = ("immobile", IMMOBILE if roll == STRIKE_POINT else IMMOBILE_TARGETS)
    if helpless and (counts_on("immobile_or_disabled", roll) or roll == STRIKE_POINT):
        parts.append(ExplainedPart(helpless[0], _HELPLESS, helpless[1].id))
    if target.has(StateName.KNOCKDOWN) and roll != STRIKE_POINT and counts_on("knockdown", roll):
        parts.append(ExplainedPart("knockdown", _KNOCKDOWN, KNOCKDOWN.id))
    return parts
