"""Fire: the firer's dice against one Range Die, potential hits, impact against armour, and what follows."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Harm, HarmApplied, ModelLost, Rolled, Spent, StateChanged
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.confidence import (
    BROKEN_RULE,
    ROUTED_RULE,
    confidence_test,
    panic_test,
    suppress,
    terrifies,
    threat,
)
from sandtable.rulesets.stargrunt.cover import (
    IN_POSITION,
    MAJORITY,
    SIGHT,
    WOODS,
    armour_shift,
    cover_from,
    range_shift,
    sees,
    within_wood,
)
from sandtable.rulesets.stargrunt.dice import (
    EXCEED,
    LADDER,
    MULTIPLE,
    NEAREST,
    OPEN,
    OPPOSED,
    SHIFTING,
    agree,
    also,
    major,
    nearest,
    open_shifted,
    told,
)
from sandtable.rulesets.stargrunt.forces import kit
from sandtable.rulesets.stargrunt.units import (
    ARMOUR,
    BROKEN,
    DEAD,
    LOSS_OF_LEADER,
    NOBODY_FIT,
    QUALITY,
    ROUTED,
    STATUS,
    TARGET_KINDS,
    WOUNDED,
    armour_die,
    at_worst,
    fit,
    leader,
    leadership,
    quality,
    quality_die,
    range_between,
    replace_leader,
    standing,
    with_unit,
)
from sandtable.rulesets.stargrunt.weapons import AMMUNITION, COUNTED, SMALL, SUPPORT, named

SMALL_ARMS_DICE = rule("stargrunt.fire.small-arms-dice")
SUPPORT_DICE = rule("stargrunt.fire.support-weapon-dice")
BANDS = rule("stargrunt.fire.range-bands")
RANGE_DIE = rule("stargrunt.fire.range-die")
RANGE_LIMIT = rule("stargrunt.fire.range-die-limit")
FIREPOWER = rule("stargrunt.fire.small-arms-firepower")
CLOSE_ONLY = rule("stargrunt.fire.close-only-weapons")
MIXED = rule("stargrunt.fire.mixed-small-arms")
ADDING = rule("stargrunt.fire.adding-support")
DECLARING = rule("stargrunt.fire.declaring")
NO_FACING = rule("stargrunt.fire.no-infantry-facing")
EFFECT = rule("stargrunt.fire.step-one")
POTENTIAL = rule("stargrunt.fire.step-two")
IMPACT = rule("stargrunt.fire.step-three")
WHO_IS_HIT = rule("stargrunt.fire.step-four")
REPEATED = rule("stargrunt.fire.repeated-wounds")
AFTERWARDS = rule("stargrunt.fire.after-the-fire")
FIRE_LIMIT = rule("stargrunt.actions.fire-limit")
FINAL_FIRE_EFFECT = rule("stargrunt.close-assault.final-defensive-fire-effect")

#: What the squad's small arms together are called: they count as one weapon.
SMALL_ARMS = "small-arms"
FIRED, FIRED_UPON = "fired", "fired upon by"
#: What an assault has cost a unit so far.
ASSAULT_CASUALTIES = "assault casualties"
_HIGHEST = max(int(band) for band in RANGE_DIE.names("bands"))

agree("the largest firepower die", FIREPOWER.number("thresholds", "more"), NEAREST.number("more"))
for _limit in FIREPOWER.names("thresholds"):
    agree("the firepower die", FIREPOWER.number("thresholds", _limit), NEAREST.number(_limit))
for _shown in FIREPOWER.items("illustrations"):
    _halves = 2 * _shown.number("figures") * _shown.number("firepower_each")
    agree("the firepower of the examples", nearest(_halves), _shown.number("die"))
for _kind in BANDS.names():
    agree(f"the range band of {_kind} troops", BANDS.number(_kind), QUALITY.number(_kind))


class Shot(msgspec.Struct, frozen=True):
    """A fire action as the rules see it: whose dice, which Range Die, which impact."""

    dice: tuple[int, ...]
    dice_parts: tuple[ExplainedPart, ...]
    range: Explanation  # how many steps the Range Die is up the table, band and shifts
    range_die: int | None  # none where the shot is impossible
    impact: int
    armour: tuple[ExplainedPart, ...]  # what shifts the Armour Die


class FireAction(Step, frozen=True):
    """A unit fires at another."""

    firer: str
    target: str
    small: bool
    supports: tuple[str, ...] = ()
    assault: bool = False  # final defensive fire: it hurts, and does nothing else by itself


class Hit(Step, frozen=True):
    """One potential hit of so many, and whom the ones before have hurt."""

    firer: str
    target: str
    left: int
    impact: int
    armour: tuple[ExplainedPart, ...]
    hurt: tuple[str, ...] = ()
    assault: bool = False


class AfterFire(Step, frozen=True):
    """What fire does to a unit's nerve."""

    firer: str
    target: str
    suppresses: bool
    hurt: tuple[str, ...] = ()
    assault: bool = False


# What may fire -----------------------------------------------------------------------------------------------------


def fired(unit: Thing) -> tuple[str, ...]:
    """The weapons of a unit that have fired this turn."""
    value = unit.value(FIRED)
    return value if isinstance(value, tuple) else ()


def supports(table: Table, unit: Thing) -> list[Thing]:
    """The OK figures of a unit whose support weapon is of a kind that fires by itself or with the squad."""
    return [one for one in standing(table, unit.id) if kit(one).support_weapon in SUPPORT]


def support_refused(unit: Thing, figure: Thing) -> Refusal | None:
    """Why a figure's support weapon may not fire now, whatever the target."""
    weapon = kit(figure).support_weapon
    if figure.id in fired(unit):
        return Refusal(FIRE_LIMIT.id, f"{figure.label}'s {named(weapon)} has fired this turn.")
    if weapon in COUNTED and not figure.count(COUNTED[weapon]):
        return Refusal(AMMUNITION.id, f"{figure.label} has no {COUNTED[weapon]} left.")
    return None


def shooters(table: Table, unit: Thing, using_support: Sequence[str], close: bool) -> list[Thing]:
    """The figures whose small arms count: OK, no support weapon in hand, and near enough for what they carry."""
    return [
        one
        for one in standing(table, unit.id)
        if one.id not in using_support and (close or not SMALL[kit(one).small_arm].close_only)
    ]


def small_arms(figures: Sequence[Thing]) -> tuple[int, int]:
    """The firepower of figures in halves, and the Impact Die of the arm that contributes most (the better on a tie).

    stargrunt.fire.small-arms-firepower    added up over the figures
    stargrunt.fire.mixed-small-arms        one impact for all
    """
    halves: dict[str, int] = {}
    for one in figures:
        arm = SMALL[kit(one).small_arm]
        halves[arm.id] = halves.get(arm.id, 0) + arm.halves
    if not halves:
        return 0, LADDER[0]
    best = max(halves, key=lambda name: (halves[name], SMALL[name].impact))
    return sum(halves.values()), SMALL[best].impact


# The shot ----------------------------------------------------------------------------------------------------------


def band(square: Fraction, width: int) -> int:
    """In which range band of so many inches a squared distance lies; the first is 1.

    >>> band(Fraction(8000**2), 8), band(Fraction(8000**2) + 1, 8)
    (1, 2)
    """
    found = 1
    while square > (found * width * UNIT) ** 2:
        found += 1
    return found


def range_steps(table: Table, firer: Thing, target: Thing) -> Explanation:
    """Where the Range Die stands: the range band and every shift, added up before the limits apply."""
    number = band(range_between(table, firer.id, target.id), BANDS.number(quality(firer)))
    parts = [ExplainedPart(f"range band {number}", number, RANGE_DIE.id)]
    parts += range_shift(cover_from(table, target.id, firer.id))
    if target.has("in position"):
        parts.append(ExplainedPart("In Position", IN_POSITION.number("range_die"), IN_POSITION.id))
    return explain("range die", *parts)


def die_of(steps: int) -> int | None:
    """The Range Die of a number of steps; none where the shot is impossible (stargrunt.fire.range-die-limit).

    >>> die_of(0), die_of(3), die_of(5), die_of(6)
    (4, 8, 12, None)
    """
    if steps < 1:
        return RANGE_DIE.number("below_1")
    return RANGE_DIE.number("bands", steps) if steps <= _HIGHEST else None


for _shown in RANGE_LIMIT.items("illustrations"):
    _far = BANDS.number(_shown.text_at("quality"))
    for _shifts, _name in enumerate(("open_in", "soft_in", "hard_in")):
        _at = band(Fraction((_shown.number(_name) * UNIT) ** 2), _far) + _shifts
        agree("how far a unit reaches", (die_of(_at) is None, die_of(_at + 1) is None), (False, True))


def shot(table: Table, firer: Thing, target: Thing, small: bool, using: Sequence[str]) -> Shot:
    """The dice of a fire action: small arms with the support weapons that join, or one support weapon alone.

    stargrunt.fire.small-arms-dice        Quality, firepower, and one die for each support weapon
    stargrunt.fire.support-weapon-dice    Quality and the weapon's die, and its own impact
    stargrunt.fire.adding-support         joined fire has the impact of the small arms
    """
    steps = range_steps(table, firer, target)
    die = quality_die(firer)
    dice, parts = [die], [ExplainedPart(f"Quality D{die}", die, QUALITY.id)]
    impact = LADDER[0]
    if small:
        close = steps.parts[0].value == 1
        counting = shooters(table, firer, using, close)
        halves, impact = small_arms(counting)
        power = nearest(halves)
        dice.append(power)
        parts.append(ExplainedPart(f"firepower of {len(counting)}", power, FIREPOWER.id))
    for name in using:
        weapon = SUPPORT[kit(table[name]).support_weapon]
        dice.append(weapon.firepower)
        why = ADDING if small else SUPPORT_DICE
        parts.append(ExplainedPart(named(weapon.id), weapon.firepower, why.id))
        if not small:
            impact = weapon.impact
    shifts = armour_shift(cover_from(table, target.id, firer.id))
    return Shot(tuple(dice), tuple(parts), steps, die_of(steps.total), impact, shifts)


def refused_target(table: Table, firer: Thing, target: Thing) -> Refusal | None:
    """Why a unit may not fire at another at all: nerve, woods, sight or range.

    stargrunt.fire.declaring           in line of fire and range
    stargrunt.fire.range-die-limit     not where the Range Die would go beyond D12
    """
    if at_worst(firer, ROUTED):
        return Refusal(ROUTED_RULE.id, f"{firer.label} is Routed and may not fire.")
    if at_worst(firer, BROKEN) and target.id not in fired_upon_by(table, firer):
        return Refusal(BROKEN_RULE.id, f"{firer.label} is Broken; {target.label} has not fired on it.")
    for one in (firer, target):
        if within_wood(table, one.id):
            return Refusal(WOODS.id, f"{one.label} is within a wood: no direct fire out of it or into it.")
    if not sees(table, firer.id, target.id):
        return Refusal(SIGHT.id, f"{firer.label} has no line of fire to {target.label}.")
    steps = range_steps(table, firer, target)
    if die_of(steps.total) is None:
        return Refusal(RANGE_LIMIT.id, f"{target.label} is out of range: {steps.words()} is more than {_HIGHEST}.")
    return None


def refused_small(table: Table, firer: Thing, target: Thing) -> Refusal | None:
    """Why a unit's small arms may not be fired at a target."""
    if SMALL_ARMS in fired(firer):
        return Refusal(FIRE_LIMIT.id, f"The small arms of {firer.label} have fired this turn.")
    refusal = refused_target(table, firer, target)
    if refusal is None:
        close = range_steps(table, firer, target).parts[0].value == 1
        if not shooters(table, firer, (), close):
            sentence = f"{target.label} is beyond one range band, and {firer.label} has close-range weapons only."
            return Refusal(CLOSE_ONLY.id, sentence)
    return refusal


def fired_upon_by(table: Table, unit: Thing) -> tuple[str, ...]:
    """The enemy units that fired on a unit in this game turn or the last (stargrunt.confidence.broken)."""
    value = unit.value(FIRED_UPON)
    entries = value if isinstance(value, tuple) else ()
    return tuple(entry.partition("@")[0] for entry in entries if int(entry.partition("@")[2]) >= table.turn - 1)


# Carrying it out ---------------------------------------------------------------------------------------------------


def fire(battle: Battle, step: FireAction) -> Procedure[None]:
    """The multiple opposed roll, and the potential hits it gives.

    stargrunt.fire.step-one    none of the firer's dice exceeds: nothing; one: suppression; two: hits as well
    stargrunt.fire.step-two    all the firer's dice added up, divided by the size of the Range Die
    """
    yield from ()
    table = battle.table
    firer, target = table[step.firer], table[step.target]
    aimed = shot(table, firer, target, step.small, step.supports)
    assert aimed.range_die is not None, "an impossible shot was declared"
    why = SMALL_ARMS_DICE if step.small else SUPPORT_DICE
    n = _declare(battle, step, why.id)
    fell = [battle.dice.total(f"d{die}") for die in aimed.dice]
    theirs = battle.dice.total(f"d{aimed.range_die}")
    faces = tuple(face for one in fell for face in one.faces)
    total = sum(faces)
    exceeding = sum(face > theirs.natural for face in faces)
    result = major(exceeding)
    dice = "+".join(one.dice for one in fell)
    n = battle.happens(
        Rolled(
            *("fire", firer.id, dice, faces, total),
            total=total,
            dice_parts=aimed.dice_parts,
            rule=why.id,
            because=n,
            detail=also(BANDS, DECLARING, NO_FACING, *([MIXED] if step.small else [])),
        )
    )
    outcome = {"fail": "no effect", "minor": "suppressed", "major": "suppressed, and hit"}[result]
    n = battle.happens(
        Rolled(
            *("range", target.id, theirs.dice, theirs.faces, theirs.natural),
            total=theirs.natural,
            outcome=outcome,
            dice_parts=aimed.range.parts,
            rule=EFFECT.id,
            because=n,
            detail=also(RANGE_DIE, MULTIPLE, SHIFTING, EXCEED, MAJORITY, TARGET_KINDS),
        )
    )
    after = AfterFire(firer.id, target.id, result != "fail", assault=step.assault)
    if result != "major":
        battle.push(after)
        return
    hits = potential_hits(battle, target.id, total, aimed.range_die, n)
    battle.push(Hit(firer.id, target.id, hits, aimed.impact, aimed.armour, assault=step.assault))


def _declare(battle: Battle, step: FireAction, why: str) -> int:
    """Tell the fire, and note what has fired and at whom."""
    firer, target = battle.table[step.firer], battle.table[step.target]
    tools = ((SMALL_ARMS,) if step.small else ()) + step.supports
    n = battle.happens(Declared(firer.id, "fire", (target.id,), tools, rule=why))
    before, until = firer.value(FIRED), "end of turn"
    battle.happens(StateChanged(firer.id, FIRED, before, (*fired(firer), *tools), until, rule=FIRE_LIMIT.id, because=n))
    known = target.value(FIRED_UPON)
    entry = f"{firer.id}@{battle.table.turn}"
    kept = known if isinstance(known, tuple) else ()
    if entry not in kept:
        recent = tuple(one for one in kept if int(one.partition("@")[2]) >= battle.table.turn - 1)
        told = (*recent, entry)
        battle.happens(StateChanged(target.id, FIRED_UPON, known, told, rule=BROKEN_RULE.id, because=n))
    for name in step.supports:
        counted = COUNTED.get(kit(battle.table[name]).support_weapon)
        if counted is not None:
            left = battle.table[name].count(counted) - 1
            battle.happens(Spent(name, counted, 1, left, rule=AMMUNITION.id, because=n))
    return n


def potential_hits(battle: Battle, target: str, total: int, die: int, because: int) -> int:
    """How many potential hits a total gives against a Range Die; the target rolls for the remainder."""
    hits, remainder = divmod(total, die)
    if remainder:
        roll = battle.dice.total(f"d{die}")
        more = roll.natural <= remainder
        outcome = "one more hit" if more else "no more hits"
        told(battle, "the remainder", target, roll.dice, roll.faces, POTENTIAL, outcome, because)
        hits += more
    return hits


for _shown in POTENTIAL.items("illustrations"):
    agree(
        "the potential hits of the example",
        divmod(_shown.number("total"), _shown.number("range_die")),
        (_shown.number("hits"), _shown.number("remainder")),
    )
    agree("the extra hit", tuple(range(1, _shown.number("remainder") + 1)), _shown.numbers("extra_hit_on"))


def hit(battle: Battle, step: Hit) -> Procedure[None]:
    """One potential hit: who it is, impact against armour, and what that does.

    stargrunt.fire.step-four     any figure with the unit that is not dead, each as likely
    stargrunt.fire.step-three    higher: a wound; more than twice the armour: a kill
    """
    yield from ()
    exposed = with_unit(battle.table, step.target)
    if not step.left or not exposed:
        battle.push(AfterFire(step.firer, step.target, True, step.hurt, step.assault))
        return
    n, victim = 0, exposed[0]
    if len(exposed) > 1:
        who = battle.dice.total(f"d{len(exposed)}")
        victim = exposed[who.natural - 1]
        n = told(battle, "who is hit", step.target, who.dice, who.faces, WHO_IS_HIT, victim.id)
    result, n = impact_roll(battle, step.firer, victim, step.impact, step.armour, n)
    hurt = step.hurt
    if result != "no effect" and wound(battle, victim.id, result == "killed", victim.id in step.hurt, n):
        hurt = (*step.hurt, *([] if victim.id in step.hurt else [victim.id]))
    battle.push(Hit(step.firer, step.target, step.left - 1, step.impact, step.armour, hurt, step.assault))


def impact_roll(
    battle: Battle, by: str, victim: Thing, impact: int, shifts: Sequence[ExplainedPart], because: int
) -> tuple[str, int]:
    """Impact against armour: no effect, wounded or killed; and the event that says so."""
    base = armour_die(victim)
    guard, blow = open_shifted(base, sum(part.value for part in shifts), impact)
    armour = battle.dice.total(f"d{guard}")
    parts = (ExplainedPart(f"armour D{base}", base, ARMOUR.id), *shifts)
    n = battle.happens(
        Rolled(
            *("armour", victim.id, armour.dice, armour.faces, armour.natural),
            total=armour.natural,
            dice_parts=parts,
            rule=IMPACT.id,
            because=because,
            detail=also(ARMOUR, OPEN) if shifts else also(ARMOUR),
        )
    )
    struck = battle.dice.total(f"d{blow}")
    killed, wounded = struck.natural > 2 * armour.natural, struck.natural > armour.natural
    outcome = "killed" if killed else "wounded" if wounded else "no effect"
    needs = (
        ExplainedPart("armour", armour.natural, IMPACT.id),
        ExplainedPart("to exceed it", 1, EXCEED.id),
    )
    n = battle.happens(
        Rolled(
            *("impact", by, struck.dice, struck.faces, struck.natural),
            total=struck.natural,
            needs=armour.natural + 1,
            needs_parts=needs,
            margin=struck.natural - armour.natural - 1,
            outcome=outcome,
            rule=IMPACT.id,
            because=n,
            detail=also(OPPOSED, EXCEED),
        )
    )
    return outcome, n


def wound(battle: Battle, figure: str, kills: bool, again: bool, because: int) -> bool:
    """Wound or kill a figure; whether that changed anything about it.

    stargrunt.fire.repeated-wounds    twice in one fire kills; a stabilised one is wounded again
    """
    thing = battle.table[figure]
    after = DEAD if kills or again else max(WOUNDED, thing.harm)
    changed = after != thing.harm
    if changed:
        why = REPEATED if again and not kills else IMPACT
        harm = Harm("killed" if after == DEAD else "wounded", after - thing.harm)
        because = battle.happens(
            HarmApplied(figure, harm, thing.harm, after, rule=why.id, because=because, detail=also(STATUS))
        )
    if thing.has("stabilised") and after == WOUNDED:
        battle.happens(StateChanged(figure, "stabilised", 1, None, rule=REPEATED.id, because=because))
        changed = True
    if after == DEAD:
        battle.happens(ModelLost(figure, "killed", rule=IMPACT.id, because=because))
    return changed


def after_final_fire(battle: Battle, step: AfterFire) -> Procedure[None]:
    """Final defensive fire suppresses nobody by itself; its casualties count in the assault, and a leader is replaced.

    stargrunt.close-assault.final-defensive-fire-effect    no Confidence Test, and no marker for the leader
    """
    if not step.hurt:
        return
    before = battle.table[step.target].count(ASSAULT_CASUALTIES)
    after = before + len(step.hurt)
    battle.happens(Counted(step.target, ASSAULT_CASUALTIES, before, after, rule=FINAL_FIRE_EFFECT.id))
    led_by = leader(battle.table, step.target)
    if led_by is not None and led_by.id in step.hurt:
        yield from replace_leader(battle, step.target, 0)


def after_fire(battle: Battle, step: AfterFire) -> Procedure[None]:
    """Suppression, a new leader, one Confidence Test for all causes, and panic, in that order.

    stargrunt.fire.after-the-fire          the order
    stargrunt.units.loss-of-leader         a further marker; the test is taken with the old leader's LV
    stargrunt.confidence.counting-casualties    what the rows of the table count
    """
    table, unit = battle.table, battle.table[step.target]
    if not fit(table, unit.id):
        if step.hurt:
            battle.happens(StateChanged(unit.id, "destroyed", None, 1, rule=NOBODY_FIT.id))
        return
    if step.assault:
        yield from after_final_fire(battle, step)
        return
    causes: list[str] = []
    if step.suppresses:
        suppress(battle, unit.id, EFFECT, 0)
        if not unit.has("first suppression done"):
            n = battle.happens(StateChanged(unit.id, "first suppression done", None, 1, rule=AFTERWARDS.id))
            causes.append("first_suppression")
    lv, n = leadership(unit), 0
    led_by = leader(table, unit.id)
    if led_by is not None and led_by.id in step.hurt:
        causes.append("leader_casualty")
        suppress(battle, unit.id, LOSS_OF_LEADER, 0)
        yield from replace_leader(battle, unit.id, 0)
    if step.hurt:
        causes.append("casualties_from_fire")
        if len(step.hurt) > len(fit(table, unit.id)):
            causes.append("more_casualties_than_survivors")
    parts = threat(table, table[unit.id], tuple(causes))
    if parts is not None:
        confidence_test(battle, unit.id, parts, n, lv)
    panic_test(battle, unit.id, "first_fired_on")
    if terrifies(table[step.firer]):
        panic_test(battle, unit.id, "first_attacked_by_terror")
