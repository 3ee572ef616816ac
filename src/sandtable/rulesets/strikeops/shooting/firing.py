"""Firing: weapon after weapon makes its Combat Roll; jams, overheating, shock; harm is noted until the end."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Detail, Forfeited, Spent, StepBegan
from sandtable.engine.explain import ExplainedPart, Explanation
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import Confirm, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.damage import noted_damage
from sandtable.rulesets.cav.dice import NATURAL_FUMBLE, target
from sandtable.rulesets.cav.indirect import caught_by
from sandtable.rulesets.cav.shooting import tell_of_hit
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.attributes import (
    AMMO,
    AMMO_BIN,
    FURTHER_FUMBLES,
    LIMITED_AMMO,
    OVERDRIVE,
    OVERHEAT,
    OVERLOAD,
    SHOCK,
)
from sandtable.rulesets.strikeops.command import before_imposed, inspire, is_inspired
from sandtable.rulesets.strikeops.damage import (
    OUT_OF_ACTION,
    PENETRATION,
    STOMPED,
    SURPLUS,
    TABLE,
    note_hit,
    note_state,
    penetrates,
    row,
    row_index,
)
from sandtable.rulesets.strikeops.datacard import Weapon, is_infantry, weapons
from sandtable.rulesets.strikeops.dice import DICE, NO_LOWER_LIMIT
from sandtable.rulesets.strikeops.shooting.aiming import Aim, Attack, aim, also_by, salvo, smallest, types_in
from sandtable.rulesets.strikeops.shooting.point_defense import getting_through, guards
from sandtable.rulesets.strikeops.shooting.rolling import (
    FULL_AUTO_ASKED,
    FUMBLE_TERM,
    combat_check,
    full_auto_odds,
    fumbles,
    throw_combat,
)
from sandtable.rulesets.strikeops.sight import (
    ADJACENT,
    COVERED_BY,
    DRAWN_BY,
    LEVEL_OF,
    POP_UP,
    WITHIN_AN_INCH,
    WOODS,
    WOODS_SIZE,
    adjacent,
)
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName, Until
from sandtable.rulesets.strikeops.states import UNSTEADY
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Thrown
from sandtable.tabletop.modifiers import parts
from sandtable.tabletop.states import give, take

ONE_ROLL = rule("strikeops.shooting.one-roll-per-weapon")
ONE_DIE = rule("strikeops.attributes.one-die-checks")
DICE_ORDER = rule("strikeops.shooting.dice-order")
MARGIN = rule("strikeops.shooting.margin-of-success")
AS_FAR_AS_POSSIBLE = rule("strikeops.actions.resolve-what-is-possible")
FORFEIT = rule("strikeops.actions.impossible-action-is-forfeit")
LOST = rule("strikeops.actions.lost-when-a-model-is-removed")

AMMO_BIN_ASKED = "ammo-bin"
#: What a fumble with such a weapon is checked against: a die that must reach so much.
_JAMS = (("limited_ammo", LIMITED_AMMO), ("ammo", AMMO))


class FireWeapon(Step, frozen=True):
    """One weapon of an attack fires, or a salvo of several."""

    attack: Attack
    weapons: tuple[str, ...]


class AttackEnds(Step, frozen=True):
    """All weapons of an attack are done."""

    attack: Attack


def attack_steps(battle: Battle, attack: Attack) -> tuple[Step, ...]:
    """The steps of an attack: each weapon makes a roll of its own, in the order declared.

    strikeops.shooting.one-roll-per-weapon, strikeops.shooting.dice-order
    """
    side = battle.table[attack.shooter].side
    told = (attack.shooter, attack.target) if attack.target else (attack.shooter,)
    battle.happens(StepBegan("attack", side, told, rule=DICE_ORDER.id))
    return fire_steps(attack)


def fire_steps(attack: Attack) -> tuple[Step, ...]:
    """The steps of a direct-fire attack, target by target; a salvo is one."""
    if attack.aims:
        each = [replace(attack, target=one.target, weapons=one.weapons) for one in attack.aims]
        return (*(FireWeapon(one, (name,)) for one in each for name in one.weapons), AttackEnds(attack))
    volleys = [attack.weapons] if attack.salvo else [(name,) for name in attack.weapons]
    return (*(FireWeapon(attack, volley) for volley in volleys), AttackEnds(attack))


def beaten(battle: Battle, victim: str) -> bool:
    """Whether further attacks on a model are lost: what it has taken and what is noted is more than it bears.

    strikeops.damage.surplus-attacks-are-lost    noted damage counts
    strikeops.damage.out-of-action-models        of one that is out of action a single point more
    """
    thing = battle.table[victim]
    if any(due.target == victim and due.harm.what == STOMPED for due in battle.state.due):
        return True  # a stomp that is noted makes it as good as gone
    noted = noted_damage(battle.state.due, victim)
    return bool(thing.gone) or (
        noted >= OUT_OF_ACTION.number("points_to_destroy")
        if thing.has(StateName.OUT_OF_ACTION)
        else thing.harm + noted >= thing.track
    )


def fire_weapon(battle: Battle, step: FireWeapon) -> Procedure[None]:
    """Fire one weapon: Point Defense, the Combat Roll, the jam check, penetration, shock; harm is noted.

    strikeops.damage.surplus-attacks-are-lost     a model already beaten is not fired at again; its area still counts
    strikeops.actions.resolve-what-is-possible    a weapon that cannot fire as declared is left out
    strikeops.actions.impossible-action-is-forfeit    if none of them can, the action is
    """
    attack, table = step.attack, battle.table
    shooter, foe = table[attack.shooter], table[attack.target]
    what = f"{' and '.join(step.weapons)} at {foe.label}"
    if foe.gone:
        battle.happens(Forfeited(shooter.id, what, rule=LOST.id))
        return
    volley = salvo(table, attack) if attack.salvo else step.weapons
    leader = smallest(shooter, volley or step.weapons)
    weapon = weapons(shooter)[leader].weapon
    aimed = aim(table, attack, leader)
    if isinstance(aimed, Refusal) and not beaten(battle, attack.target):
        if step.weapons[0] == attack.fired[0] and (reasons := _forfeit_by(table, attack)):
            battle.happens(Forfeited(shooter.id, ActionName.SHOOT, rule=FORFEIT.id, detail={"rules": reasons}))
        battle.happens(Forfeited(shooter.id, what, rule=AS_FAR_AS_POSSIBLE.id, detail=why_not(aimed)))
        return
    if not isinstance(aimed, Refusal) and not attack.caught:
        battle.push(*[FireWeapon(one, step.weapons) for one in caught(table, attack, weapon)])
    if isinstance(aimed, Refusal) or beaten(battle, attack.target):
        battle.happens(Forfeited(shooter.id, what, rule=SURPLUS.id))
        return
    if not attack.caught and guards(table, center(foe)):
        left = yield from getting_through(battle, shooter, volley, center(foe))
        if not left:
            return
        if left != volley:
            volley, attack, leader = left, replace(attack, weapons=left), smallest(shooter, left)
            weapon, aimed = weapons(shooter)[leader].weapon, aim(table, attack, leader)
            assert isinstance(aimed, Aim)
    inspired = is_inspired(attack.inspired, step.weapons, foe.id, caught=bool(attack.caught))
    check = inspire(combat_check(shooter, foe, weapon, aimed), inspired)
    also = [*_seen_by(shooter, foe, aimed.modifiers), *also_by(shooter, foe, attack, leader, aimed.modifiers), MARGIN]
    also += [ONE_ROLL, *([NO_LOWER_LIMIT] if check.target < NATURAL_FUMBLE else [])]
    rules = (*aimed.rules, *(one.id for one in also))
    told: Detail = {"distance": aimed.distance, "band": aimed.band, "rules": rules}
    fell = yield from throw_combat(battle, shooter, weapon, check, told, bool(aimed.modifiers))
    overdriven = attack.overdrive and weapon.has("overdrive")
    if overdriven:
        _count(battle, shooter.id, f"{CountName.OVERDRIVEN} of {weapon.family}", len(volley), OVERHEAT, fell.n)
    if fumbles(check, fell):
        if overdriven:
            silence(battle, shooter.id, weapon.family, StateName.OVERLOADED, OVERLOAD, fell.n)
        yield from check_jam(battle, shooter.id, weapon, fell.n)
    if fell.succeeds:
        factor = OVERDRIVE.number("damage_multiplier") if overdriven else 1
        yield from strike(battle, shooter, foe, weapon, fell, factor, now=attack.at_once)


def _seen_by(shooter: Thing, foe: Thing, found: Sequence[ExplainedPart]) -> Iterator[Rule]:
    """The rules that the line of a shot was drawn by, and its cover counted."""
    yield from DRAWN_BY
    if any(part.rule.startswith(WOODS.id.rpartition(".")[0]) for part in found):
        yield from (*COVERED_BY, *(LEVEL_OF[part.label] for part in found if part.label in LEVEL_OF))
    if any(part.rule == WOODS.id for part in found):
        yield WOODS_SIZE
    if adjacent(shooter, foe):
        yield from (WITHIN_AN_INCH, ADJACENT)


def _forfeit_by(table: Table, attack: Attack) -> tuple[RuleId, ...]:
    """The rules by which no weapon of a Combat Action can fire as declared; none where one can.

    A reaction is no Combat Action, and a run goes its way.
    """
    if attack.defensive or attack.at_once or attack.running or attack.caught:
        return ()
    each = [replace(attack, target=one.target, weapons=one.weapons) for one in attack.aims] or [attack]
    found = [aim(table, one, name) for one in each for name in one.weapons]
    reasons = [one.rules for one in found if isinstance(one, Refusal)]
    return tuple(dict.fromkeys(one for rules in reasons for one in rules)) if len(reasons) == len(found) else ()


def why_not(refusal: Refusal) -> Detail:
    """Why something declared is not carried out, as the detail of an event."""
    return {"why": refusal.sentence, "rule": refusal.rule, **({"rules": refusal.also} if refusal.also else {})}


def caught(table: Table, attack: Attack, weapon: Weapon) -> list[Attack]:
    """The attacks on those whom the area of a direct-fire weapon touches around its target, the nearest first.

    strikeops.weapons.rotary-autocannon-area    friend or foe, each with a Combat Roll of its own, never the firer
    """
    if not weapon.has("aoe"):
        return []
    at = center(table[attack.target])
    touched = caught_by(table, at, weapon.rating("aoe") * UNIT)
    others = [name for name in touched if name not in (attack.target, attack.shooter)]
    nearest = sorted(others, key=lambda name: length_between(center(table[name]), at))
    return [replace(attack, target=name, caught=attack.target) for name in nearest]


def strike(
    battle: Battle,
    shooter: Thing,
    foe: Thing,
    weapon: Weapon,
    fell: Thrown,
    factor: int,
    stronger: int = 0,
    now: bool = False,
) -> Procedure[None]:
    """A hit: penetration and the damage table, then Shock.

    strikeops.attributes-weapon.overdrive-declare    doubles the points, after Reinforced
    strikeops.attributes-weapon.shock                even by a hit that armor deflects
    """
    excess = penetrates(fell.margin, shooter, weapon, foe, stronger)
    names = (shooter.id, foe.id, weapon.id)
    if excess is not None and excess.total < 0:
        tell_of_hit(battle, *names, "deflected", PENETRATION, excess, fell.n)
    elif excess is not None:
        index = row_index(excess, foe)
        n = tell_of_hit(battle, *names, "penetrated", TABLE, index, fell.n)
        note_hit(battle, foe.id, row(index.total), factor, n, now)
    if weapon.has("shock") and not is_infantry(foe):
        inspired = yield from before_imposed(battle, foe.id, lambda: shock_check(foe, weapon))
        foe = battle.table[foe.id]
        modified = bool(parts(UNSTEADY, "shock", Rolling(foe)))
        shaken = DICE.throw(battle, inspire(shock_check(foe, weapon), inspired), because=fell.n, modified=modified)
        if not shaken.succeeds:
            note_state(battle, foe.id, SHOCK.text_at("failure"), SHOCK, shaken.n, now)


def shock_check(foe: Thing, weapon: Weapon) -> Check:
    """The roll against Shock before it falls."""
    needs = target(weapon.rating("shock"), f"shock {weapon.rating('shock')}", SHOCK)
    return DICE.check("shock", foe.id, needs, parts(UNSTEADY, "shock", Rolling(foe)), SHOCK, alike=lambda margin: True)


def silence(battle: Battle, model: str, family: str, state: StateName, why: Rule, because: int) -> None:
    """All weapons of a type on a model cannot fire any more, or not for now."""
    held = types_in(battle.table[model], state)
    if family not in held:
        until = Until.END_OF_NEXT_ACTIVATION if state == StateName.OVERHEATED else Until.GAME
        give(battle, model, state, why, (*held, family), until=until, because=because)


def check_jam(battle: Battle, model: str, weapon: Weapon, because: int) -> Procedure[None]:
    """A fumble with an Ammo weapon: 1d6, and all weapons of the type may be jammed; an Ammo Bin clears that.

    strikeops.attributes-weapon.ammo-further-fumbles    each further fumble of the type in one attack makes it likelier
    """
    why = next((source for name, source in _JAMS if weapon.has(name)), None)
    if why is None:
        return
    before = _count(battle, model, f"{CountName.FUMBLES} of {weapon.family}", 1, FURTHER_FUMBLES, because)
    more = before * FURTHER_FUMBLES.number("target_modifier_per_further_fumble")
    needs = target(why.number("target_point"), "jam", why)
    likelier = (ExplainedPart("further fumbles", more, FURTHER_FUMBLES.id),) if more else ()
    if _one_die(battle, "jam check", model, needs, likelier, why, because):
        return
    silence(battle, model, weapon.family, StateName.JAMMED, why, because)
    yield from offer_bin(battle, model, weapon.family)


def _one_die(
    battle: Battle,
    what: str,
    model: str,
    needs: Explanation,
    more: Sequence[ExplainedPart],
    why: Rule,
    because: int = 0,
) -> bool:
    """Whether a check with a single die succeeds (strikeops.attributes.one-die-checks)."""
    check = DICE.check(what, model, needs, more, why, dice=why.text_at("roll"), alike=lambda margin: True)
    return DICE.throw(battle, check, because=because, modified=bool(more), how=ONE_DIE).succeeds


def _count(battle: Battle, model: str, what: str, more: int, why: Rule, because: int) -> int:
    """Count something of the attack that is being made; gives how much of it there was before."""
    before = battle.table[model].count(what)
    detail = citing(FUMBLE_TERM) if why is FURTHER_FUMBLES else {}
    battle.happens(Counted(model, what, before, before + more, rule=why.id, because=because, detail=detail))
    return before


def offer_bin(battle: Battle, model: str, family: str) -> Procedure[None]:
    """The owner may spend an Ammo Bin to clear a jam (strikeops.attributes.ammo-bin)."""
    thing = battle.table[model]
    bins = thing.count(CountName.AMMO_BIN)
    if not bins:
        return
    use = yield Confirm(
        thing.side,
        f"Every {family.replace('_', ' ')} of {thing.label} is jammed. Use the ammo bin?",
        topic=AMMO_BIN_ASKED,
        about=(model,),
        rules=(AMMO_BIN.id,),
        yes="They work again; a use of the bin is spent",
        no="They cannot fire",
    )
    if use:
        n = battle.happens(Spent(model, CountName.AMMO_BIN, 1, bins - 1, rule=AMMO_BIN.id))
        left = tuple(one for one in types_in(thing, StateName.JAMMED) if one != family)
        give(battle, model, StateName.JAMMED, AMMO_BIN, left or None, until=Until.GAME, because=n)


def overdrive_question(model: Thing) -> Confirm:
    """Whether weapons are fired with Overdrive, said as they are named.

    strikeops.attributes-weapon.overdrive-declare
    """
    return Confirm(
        model.side,
        f"{model.label}: fire with Overdrive?",
        topic="overdrive",
        about=(model.id,),
        rules=(OVERDRIVE.id,),
        yes="Its points are doubled; the weapons may overheat",
        no="As usual",
        default=False,
    )


def attack_ends(battle: Battle, step: AttackEnds) -> Procedure[None]:
    """When all weapons are done the overheat check is made, and what was counted is forgotten.

    strikeops.attributes-weapon.overdrive-overheat    1d6 against the Overdrive weapons shot and one more
    """
    yield from ()
    shooter = battle.table[step.attack.shooter]
    shots: dict[str, int] = {}
    for counted in [one for one in shooter.counts if shooter.count(one)]:
        what, _, family = counted.partition(" of ")
        if what in (CountName.FUMBLES, CountName.OVERDRIVEN):
            why = FURTHER_FUMBLES if what == CountName.FUMBLES else OVERHEAT
            battle.happens(Counted(shooter.id, counted, shooter.count(counted), 0, rule=why.id))
        if what == CountName.OVERDRIVEN and family not in types_in(shooter, StateName.OVERLOADED):
            shots[family] = shooter.count(counted)
    take(battle, shooter.id, StateName.RAISED, POP_UP)
    for family, shot in shots.items():
        needs = target(shot + 1, "overdriven weapons and one", OVERHEAT)
        if not _one_die(battle, "overheat check", shooter.id, needs, (), OVERHEAT):
            silence(battle, shooter.id, family, StateName.OVERHEATED, OVERHEAT, 0)


CHAPTER = Chapter(
    previews={FULL_AUTO_ASKED: full_auto_odds},
    steps={FireWeapon: fire_weapon, AttackEnds: attack_ends},
    answers={
        AMMO_BIN_ASKED: "true: use the ammo bin",
        FULL_AUTO_ASKED: "first or second: which die a Full-Auto weapon rolls again; or keep",
    },
    states={
        StateName.JAMMED: "the types of weapon that are jammed, {value: [machine_gun]}",
        StateName.OVERHEATED: "the types of weapon that cannot fire in its next activation",
        StateName.OVERLOADED: "the types of weapon that are lost for the game",
    },
    counts={CountName.AMMO_BIN: "ammo bins left"},
)
