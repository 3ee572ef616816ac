"""Fire carried out: the opposed roll, potential hits one by one, and what fire does to a unit's nerve."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Forfeited, Spent
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing, ledger, same_number
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.confidence.levels import ARTILLERY, BROKEN_RULE, panic_test, terrifies
from sandtable.rulesets.stargrunt.confidence.nerve import BOMBARDED, from_above, unnerve
from sandtable.rulesets.stargrunt.cover.building_sides import mark_side
from sandtable.rulesets.stargrunt.dice.rolls import major, table_roll
from sandtable.rulesets.stargrunt.fire.armament import (
    CREW_SERVED,
    GUIDED,
    GUN_STATE,
    PACKED,
    READY,
    WRECKED,
    arm_of,
    rounds,
)
from sandtable.rulesets.stargrunt.fire.hits import AfterFire, Hit, LightHit, PointHit
from sandtable.rulesets.stargrunt.fire.shots import (
    ASSAULT_CASUALTIES,
    EFFECT,
    FINAL_FIRE_EFFECT,
    FIRE_LIMIT,
    FIRED,
    FIRED_UPON,
    POTENTIAL,
    SMALL_ARMS,
    WHO_IS_HIT,
    FireAction,
    Shot,
    fired,
    recent,
    shot,
)
from sandtable.rulesets.stargrunt.fire.wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.forces.cards import kit
from sandtable.rulesets.stargrunt.movement.walking import TRAVELLING, UNDER_FIRE
from sandtable.rulesets.stargrunt.obstacles.decoys import drawn_away, guided_arm
from sandtable.rulesets.stargrunt.units.independents import companions
from sandtable.rulesets.stargrunt.units.leaders import leader, replace_leader
from sandtable.rulesets.stargrunt.units.record import fit, hull_of, with_unit
from sandtable.rulesets.stargrunt.weapons import AMMUNITION, GUIDED_MISSILES
from sandtable.tabletop.checks import throw_each
from sandtable.tabletop.states import END_OF_TURN, give

# Carrying it out ---------------------------------------------------------------------------------------------------


def fire(battle: Battle, step: FireAction) -> Procedure[None]:
    """The multiple opposed roll, and the potential hits it gives.

    stargrunt.fire.step-one    none of the firer's dice exceeds: nothing; one: suppression; two: hits as well
    stargrunt.fire.step-two    all the firer's dice added up, divided by the size of the Range Die
    """
    table = battle.table
    firer, target = table[step.firer], table[step.target]
    aimed = shot(table, firer, target, step.small, step.supports, step.idle)
    assert aimed.range_die is not None, "an impossible shot was declared"
    n = _declare(battle, step, aimed.roll.rule)
    missile = guided_arm(table, firer, step.supports)
    if (yield from drawn_away(battle, firer, target, missile, n)):
        battle.push(AfterFire(firer.id, target.id, False))
        return
    spoofs: electronic_warfare.Attempts = ()
    if missile is not None:
        prompt = f"A missile is fired at {target.label}: spoof it?"
        spoofs = yield from electronic_warfare.spoofing(battle, firer.side, prompt, (firer.id, target.id), n)
    n, faces, tally = throw_each(battle, aimed.roll, n)
    if spoofs and electronic_warfare.prevail(battle, spoofs, faces, n):
        battle.happens(Forfeited(firer.id, "fire", rule=electronic_warfare.SPOOF.id, because=n))
        battle.push(AfterFire(firer.id, target.id, False))
        return
    result = major(tally.higher)
    if hull_of(table, target.id) is not None:
        battle.push(*_at_vehicle(step, aimed, result))
        return
    after = AfterFire(firer.id, target.id, result != "fail", assault=step.assault)
    if result != "major":
        battle.push(after)
        return
    hits = potential_hits(battle, target.id, tally.total, aimed.range_die, n)
    battle.push(Hit(firer.id, target.id, hits, aimed.impact, aimed.armour, assault=step.assault))


def _at_vehicle(step: FireAction, aimed: Shot, result: str) -> list[Step]:
    """What comes of fire at a vehicle: small arms suppress and may find a way in, other weapons hit it or miss."""
    if aimed.light and result == "major":
        return [LightHit(step.firer, step.target, aimed.impact, aimed.armour)]
    if aimed.light or result == "fail":
        return [AfterFire(step.firer, step.target, aimed.light and result != "fail")]
    strong = result == "major"
    weapon = (aimed.impact, aimed.multiplier, aimed.size)
    return [PointHit(step.firer, step.target, strong, *weapon, aimed.armour)]


def _declare(battle: Battle, step: FireAction, why: Rule) -> int:
    """Tell the fire, and note what has fired and at whom."""
    firer, target = battle.table[step.firer], battle.table[step.target]
    things = battle.table.things
    carried = [kit(things[one]).support_weapon if one in things else one for one in step.supports]
    tools = (*((SMALL_ARMS,) if step.small else ()), *carried)
    n = battle.happens(Declared(firer.id, "fire", (target.id,), tools, rule=why.id))
    note_fired(battle, firer, step.small, step.supports, n)
    note_fired_upon(battle, firer, target, n)
    return n


def note_fired_upon(battle: Battle, firer: Thing, target: Thing, n: int) -> None:
    """Note who has fired on a unit: a Broken one fires at nobody else."""
    kept = target.words(FIRED_UPON)
    entry = f"{firer.id}@{battle.table.turn}"
    if entry not in kept:
        told = (*(one for one in kept if recent(battle.table, one)), entry)
        give(battle, target.id, FIRED_UPON, BROKEN_RULE, told, because=n)


def note_fired(battle: Battle, firer: Thing, small: bool, supports: Sequence[str], n: int) -> None:
    """Note which weapons of a unit have fired, and count what they spend."""
    tools = ((SMALL_ARMS,) if small else ()) + tuple(supports)
    give(battle, firer.id, FIRED, FIRE_LIMIT, (*fired(firer), *tools), until=END_OF_TURN, because=n)
    for arm in [arm_of(battle.table, firer, name) for name in supports]:
        counted = rounds(arm)
        if counted:
            left = battle.table[arm.bearer].count(counted) - 1
            rule = GUIDED_MISSILES if arm.kind == GUIDED else AMMUNITION
            battle.happens(Spent(arm.bearer, counted, 1, left, rule=rule.id, because=n, detail=citing(AMMUNITION)))


def one_more(score: int, remainder: int) -> bool:
    """Whether the roll for a remainder gives one more potential hit (stargrunt.fire.step-two)."""
    return score <= remainder


def exposed_to(table: Table, target: str) -> list[Thing]:
    """Who may be hit by fire at a unit: all with it that are not dead, and the weapon of a gun crew.

    stargrunt.fire.step-four               each as likely
    stargrunt.units.crew-served-weapons    the weapon counts as one more member
    """
    exposed = [*with_unit(table, target), *companions(table, target)]
    if exposed and table[target].value(GUN_STATE) in (READY, PACKED):
        exposed.append(table[target])
    return exposed


#: What is said where the roll for the remainder gives another potential hit.
ONE_MORE = "one more hit"


def potential_hits(battle: Battle, target: str, total: int, die: int, because: int) -> int:
    """How many potential hits a total gives against a Range Die; the target rolls for the remainder."""
    hits, remainder = divmod(total, die)
    if remainder:

        def read(score: int) -> str:
            return ONE_MORE if one_more(score, remainder) else "no more hits"

        hits += table_roll(battle, "the remainder", target, f"d{die}", POTENTIAL, read, because).word == ONE_MORE
    return hits


def who_is_hit(battle: Battle, target: str, exposed: Sequence[Thing], because: int = 0) -> tuple[Thing, int]:
    """Anybody of those exposed, each as likely; and the event that says so (stargrunt.fire.step-four)."""
    if len(exposed) == 1:
        return exposed[0], because
    named = [one.id for one in exposed]
    rolled = table_roll(
        battle, "who is hit", target, f"d{len(exposed)}", WHO_IS_HIT, lambda score: named[score - 1], because
    )
    return exposed[rolled.score - 1], rolled.n


for _shown in POTENTIAL.items("illustrations"):
    same_number(
        "the potential hits of the example",
        divmod(_shown.number("total"), _shown.number("range_die")),
        (_shown.number("hits"), _shown.number("remainder")),
    )
    same_number("the extra hit", tuple(range(1, _shown.number("remainder") + 1)), _shown.numbers("extra_hit_on"))


def hit(battle: Battle, step: Hit) -> Procedure[None]:
    """One potential hit: who it is, impact against armour, and what that does.

    stargrunt.fire.step-three    higher: a wound; more than twice the armour: a kill
    """
    yield from ()
    exposed = exposed_to(battle.table, step.target)
    if not step.left or not exposed:
        battle.push(AfterFire(step.firer, step.target, True, step.hurt, step.assault))
        return
    victim, n = who_is_hit(battle, step.target, exposed)
    result, n = impact_roll(battle, step.firer, victim, step.impact, step.armour, n)
    hurt = step.hurt
    if victim.id == step.target:
        # The weapon of a gun crew is one more member; nothing less than a kill harms it.
        if result == "killed":
            give(battle, victim.id, GUN_STATE, CREW_SERVED, WRECKED, because=n)
        result = "no effect"
    if result != "no effect" and wound(battle, victim.id, result == "killed", victim.id in step.hurt, n):
        hurt = (*step.hurt, *([] if victim.id in step.hurt else [victim.id]))
    battle.push(Hit(step.firer, step.target, step.left - 1, step.impact, step.armour, hurt, step.assault))


def after_final_fire(battle: Battle, step: AfterFire) -> Procedure[None]:
    """Final defensive fire suppresses nobody by itself; its casualties count in the assault, and a leader is replaced.

    stargrunt.close-assault.final-defensive-fire-effect    no Confidence Test, and no marker for the leader
    stargrunt.confidence.panic-trigger                     nobody tests for panic
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
    stargrunt.movement.travel-under-fire   a column is suppressed by any fire, once
    stargrunt.units.loss-of-leader         a further marker; the test is taken with the old leader's LV
    stargrunt.confidence.counting-casualties    what the rows of the table count
    """
    if not step.target:  # a vehicle that nobody mans has no nerve
        return
    if step.assault and fit(battle.table, step.target):
        yield from after_final_fire(battle, step)
        return
    firer = battle.table[step.firer]
    why = ledger("stargrunt").find(step.rule) if step.rule else EFFECT if firer.kind == "unit" else BOMBARDED
    adds = (ARTILLERY,) if from_above(battle.table, firer.id) else ()
    fired_on = firer.kind == "unit" or bool(adds)  # a mine is no fire
    pinned = UNDER_FIRE if fired_on and battle.table[step.target].has(TRAVELLING) else None
    stands = yield from unnerve(battle, step.target, step.hurt, why if step.suppresses else pinned, adds)
    if not stands:
        return
    if step.suppresses and firer.kind == "unit":
        mark_side(battle, step.target, step.firer)
    if fired_on:
        panic_test(battle, step.target, "first_fired_on")
    if firer.kind == "unit" and terrifies(firer):
        panic_test(battle, step.target, "first_attacked_by_terror")
