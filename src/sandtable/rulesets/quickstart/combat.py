"""Combat: the order of a Combat Action, its modifiers in one place, and assaults that come to nothing."""

from collections.abc import Callable

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.quickstart.attributes import TARGETING_COMPUTER, WIZZO
from sandtable.rulesets.quickstart.datacard import CRITICAL_TABLE, has, rating
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.states import DISABLED, IMMOBILE, KNOCKDOWN, STUNNED, UNSTEADY
from sandtable.tabletop.modifiers import Modifier, parts

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

#: Rolls that are also others: what counts on the first counts on the second.
_AMONG: dict[str, tuple[str, ...]] = {RANGED_PRIMARY: (DIRECT_PRIMARY,), CLOSE_COMBAT: (CLOSE_COMBAT_ATTACKER,)}
_SUMMARY = {one.text_at("id"): one for one in SUMMARY.items("modifiers")}


def summed_up(modifier: str, value: int, rolls: tuple[str, ...] | None = None) -> int:
    """The value of a modifier that a rule of its own gives, held against the summary of all modifiers."""
    same_number(f"the modifier {modifier}", value, _SUMMARY[modifier].number("sm"))
    if rolls is not None:
        listed = tuple(one for one in rolls if one != STRIKE_POINT)
        same_number(f"the rolls of {modifier}", listed, _SUMMARY[modifier].texts("rolls"))
    return value


def rolls_of(modifier: str, *more: str) -> tuple[str, ...]:
    """The kinds of roll on which a modifier of the summary counts, and more that its own rule names.

    >>> rolls_of("point_blank"), rolls_of("wizzo", STRIKE_POINT)[:2]
    (('direct_fire_primary',), ('ranged_primary', 'direct_fire_primary'))
    """
    counted = [(roll, *_AMONG.get(roll, ())) for roll in _SUMMARY[modifier].texts("rolls")]
    return (*(one for several in counted for one in several), *more)


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


#: What a model brings to its own combat roll whoever the opponent is.
OWN: tuple[Modifier[Rolling], ...] = (
    Modifier(WIZZO, "wizzo", _WIZZO, rolls_of("wizzo", STRIKE_POINT), lambda s: has(s.model, "wizzo")),
    *UNSTEADY,
    Modifier(
        CRITICAL_TABLE,
        "weapons damaged",
        lambda s: s.model.count(CountName.WEAPONS_DAMAGED) * _WEAPONS_DAMAGED,
        rolls_of("weapons_damaged"),
    ),
    Modifier(
        CRITICAL_TABLE,
        "targeting damaged",
        lambda s: s.model.count(CountName.TARGETING_DAMAGED) * _TARGETING_DAMAGED,
        rolls_of("targeting_damaged"),
    ),
)


def locked_computer(s: Rolling) -> int:
    """SA Advanced Targeting Computer, on a model that the roller has locked."""
    locked = s.target is not None and s.model.value(StateName.TARGET_LOCK) == s.target.id
    return rating(s.model, "advanced_targeting_computer") * _COMPUTER if locked else 0


#: What a lock brings to a roll against the model that is locked.
LOCKED_ON: tuple[Modifier[Rolling], ...] = (
    Modifier(TARGETING_COMPUTER, "targeting computer", locked_computer, rolls_of("targeting_computer")),
)


def is_target(state: StateName, unless: StateName | None = None) -> Callable[[Rolling], bool]:
    """Whether a roll is made against a model in a state, and not in another that counts already."""
    return lambda s: s.target is not None and s.target.has(state) and (unless is None or not s.target.has(unless))


_AIMED = rolls_of("immobile_or_disabled")
#: What the states of a target bring to a combat roll against it.
#: quickstart.shooting.immobile-targets    +4, once; a disabled model is also immobile (quickstart.states.disabled)
AGAINST: tuple[Modifier[Rolling], ...] = (
    *(
        Modifier[Rolling](source, state, _HELPLESS, checks, is_target(state, unless))
        for state, unless, own in (
            (StateName.DISABLED, None, DISABLED),
            (StateName.IMMOBILE, StateName.DISABLED, IMMOBILE),
        )
        for source, checks in ((IMMOBILE_TARGETS, _AIMED), (own, (STRIKE_POINT,)))
    ),
    Modifier(KNOCKDOWN, StateName.KNOCKDOWN, _KNOCKDOWN, rolls_of("knockdown"), is_target(StateName.KNOCKDOWN)),
)


def target_modifiers(target: Thing, roll: str) -> tuple[ExplainedPart, ...]:
    """What the states of a target bring to a combat roll against it, whoever makes it."""
    return parts(AGAINST, roll, Rolling(target, target))
