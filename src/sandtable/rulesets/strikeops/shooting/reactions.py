"""Reactions: defensive fire, declared by targets before anything resolves, and Overwatch, which breaks in."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited, Halted, Spent, StepBegan
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import (
    ALONG,
    AnyQuestion,
    ChooseSeveral,
    Option,
    React,
    Reaction,
    ReactOption,
    Refusal,
    Settled,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.strikeops.command import ask_inspiration
from sandtable.rulesets.strikeops.damage import OUT_OF_ACTION, TARGETING, in_play, settling_at_once
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.movement import GO_PRONE
from sandtable.rulesets.strikeops.shooting.aiming import (
    DEFENSIVE_WEAPONS,
    MISSILE,
    NOT_COMBINED,
    OPTIONS,
    Aim,
    Attack,
    aim,
    is_indirect,
    may_fire_at,
)
from sandtable.rulesets.strikeops.shooting.firing import attack_steps, overdrive_question
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.states import STUNNED, is_down
from sandtable.rulesets.strikeops.victory import note_mission_kills
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take
from sandtable.telling.vocabulary import listed

DEFENSIVE = rule("strikeops.shooting.defensive-fire")
DEFENSIVE_TIMING = rule("strikeops.shooting.defensive-fire-timing")
OVERWATCH = rule("strikeops.shooting.overwatch")
OVERWATCH_ATTACK = rule("strikeops.shooting.overwatch-attack")
OVERWATCH_LASTS = rule("strikeops.shooting.overwatch-lasts")

#: An attack that was paid for and is held back; one that has been made; one that the next two points would pay for.
HELD, USED, UNPAID = "held", "used", "unpaid"
DEFENSIVE_FIRE, DEFENSIVE_FIRE_WEAPONS = "defensive-fire", "defensive-weapons"
WATCH, WATCH_WEAPONS = "overwatch", "overwatch-weapons"
same_number("what defensive fire costs", DEFENSIVE.number("ap"), OPTIONS.number("defensive_fire", "ap"))
same_number("what Overwatch costs", OVERWATCH.number("ap"), OPTIONS.number("overwatch", "ap"))
same_number("what a further Overwatch attack costs", OVERWATCH_LASTS.number("ap_per_attack"), OVERWATCH.number("ap"))


class Watched(Step, frozen=True):
    """A model of the active squad does something: whoever watches may break in."""

    model: str
    hurt: bool = False  # somebody has fired at it: perhaps it is a mission kill by now
    along: int = 0  # how far it has come on its way
    moves: bool = False  # it is on a move, and nobody has halted it yet


class Effect(Step, frozen=True):
    """An Overwatch attack is over: what it did takes effect at once."""

    model: ThingId


# Defensive fire -----------------------------------------------------------------------------------------------------


def defensive_weapons(table: Table, defender: Thing, attacker: Thing) -> list[str]:
    """The weapons that a model may use in defensive fire: direct fire but no missiles."""
    barred = DEFENSIVE_WEAPONS.texts("excluded_weapons")
    return [
        name
        for name, system in weapons(defender).items()
        if system.weapon.family not in barred
        and not is_indirect(system.weapon)
        and may_fire_at(defender, system.weapon, attacker) is None
    ]


def barred_from_defending(table: Table, defender: Thing, attackers: Sequence[Thing]) -> Refusal | None:
    """Why a model that is attacked may not shoot back.

    strikeops.shooting.defensive-fire    not activated, two action points, neither prone nor stunned nor out of action
    """
    why = _unable(defender, DEFENSIVE)
    acted = table[defender.unit].has(StateName.ACTIVATED) or defender.has(StateName.ACTIVATED)
    if why is None and acted:
        why = Refusal(DEFENSIVE.id, f"{defender.label} has activated this turn already.")
    if why is None and defender.count(CountName.AP) < DEFENSIVE.number("ap"):
        why = Refusal(DEFENSIVE.id, f"{defender.label} has too few action points for defensive fire.")
    if why is None and not any(defensive_weapons(table, defender, one) for one in attackers):
        why = Refusal(DEFENSIVE_WEAPONS.id, f"{defender.label} has no weapon for defensive fire.")
    return why


def _unable(model: Thing, source: Rule) -> Refusal | None:
    """Why the state of a model keeps it from a Combat Action that is a reaction."""
    if not in_play(model):
        return Refusal(source.id, f"{model.label} is not in play.", (OUT_OF_ACTION.id,))
    if model.has(StateName.STUNNED):
        return Refusal(STUNNED.id, f"{model.label} is stunned.", (source.id,))
    if is_down(model):
        return Refusal(GO_PRONE.id, f"{model.label} is prone.", (source.id,))
    if model.count(CountName.TARGETING_DESTROYED):
        return Refusal(TARGETING.id, f"{model.label} has no targeting systems left.")
    return None


def refused_defense(view: View, question: AnyQuestion, answer: str) -> Refusal | None:
    """Why a model is not offered defensive fire at another, `B at A`."""
    things, (name, _, foe) = view.table.things, answer.partition(" at ")
    if name not in things or foe not in things:
        return None
    missing = Refusal(DEFENSIVE.id, f"{things[name].label} is no target of {things[foe].label}.")
    return barred_from_defending(view.table, things[name], (things[foe],)) or missing


def _labels(table: Table, names: Sequence[str]) -> str:
    return listed([table[name].label for name in names])


def offer_defensive_fire(battle: Battle, attacks: Sequence[Attack]) -> Procedure[tuple[Attack, ...]]:
    """Every model that is attacked directly may shoot back at one of its attackers: asked once, before anything else.

    strikeops.shooting.defensive-fire-timing    its player answers for all his models at once
    """
    table, found = battle.table, []
    against: dict[str, list[str]] = {}
    for attack in attacks:
        targets = [one.target for one in attack.aims] or [attack.target]
        for target in targets if attack.target and not attack.pop_up else ():
            against.setdefault(target, []).append(attack.shooter)
    able = {
        one: by
        for one, by in against.items()
        if barred_from_defending(table, table[one], [table[name] for name in by]) is None
    }
    while able:
        side = table[next(iter(able))].side
        pairs = {
            f"{one} at {foe}": (one, foe)
            for one, by in able.items()
            for foe in by
            if table[one].side == side and defensive_weapons(table, table[one], table[foe])
        }
        attacked, foes = (list(dict.fromkeys(pair[n] for pair in pairs.values())) for n in (0, 1))
        fire = "fires" if len(foes) == 1 else "fire"
        answer: Reaction | None = yield React(
            side,
            f"{_labels(table, foes)} {fire} at {_labels(table, attacked)}. Defensive fire?",
            topic=DEFENSIVE_FIRE,
            about=(*attacked, *foes),
            rules=(DEFENSIVE.id, DEFENSIVE_TIMING.id, DEFENSIVE_WEAPONS.id),
            shows=("odds",),
            moment="before anything is resolved",
            options=tuple(
                ReactOption(pair, f"{table[one].label} fires back at {table[foe].label}", one, rules=(DEFENSIVE.id,))
                for pair, (one, foe) in pairs.items()
            ),
        )
        if answer is None:
            able = {one: by for one, by in able.items() if table[one].side != side}
            continue
        one, foe = pairs[answer.option]
        names = defensive_weapons(table, table[one], table[foe])
        fired = tuple((yield _which(side, table[one], foe, names, DEFENSIVE_FIRE_WEAPONS, DEFENSIVE_WEAPONS)))
        found.append((yield from _declare(battle, one, foe, fired)))
        del able[one]
    return tuple(found)


def _declare(battle: Battle, defender: str, attacker: str, fired: tuple[str, ...]) -> Procedure[Attack]:
    n = battle.happens(Declared(defender, DEFENSIVE_FIRE, (attacker,), fired, rule=DEFENSIVE.id))
    left = battle.table[defender].count(CountName.AP) - DEFENSIVE.number("ap")
    battle.happens(Spent(defender, CountName.AP, DEFENSIVE.number("ap"), left, rule=DEFENSIVE.id, because=n))
    take(battle, defender, StateName.OVERWATCH, OVERWATCH_LASTS, n)
    give(battle, defender, StateName.DEFENDED, DEFENSIVE, until=Until.END_OF_TURN, because=n)
    overdrive = yield from _overdrive(battle.table[defender], fired)
    inspired = yield from ask_inspiration(battle, defender, _rolls(battle.table[defender], fired))
    return Attack(defender, attacker, fired, overdrive, defensive=True, inspired=inspired)


def _overdrive(model: Thing, fired: Sequence[str]) -> Procedure[bool]:
    """Whether a reaction is fired with Overdrive, said as its weapons are named; it is never a salvo."""
    yield Settled("salvo", "false", (NOT_COMBINED.id,))
    if not any(weapons(model)[name].weapon.has("overdrive") for name in fired):
        return False
    driven: bool = yield overdrive_question(model)
    return driven


def _rolls(model: Thing, fired: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, weapons(model)[name].weapon.name) for name in fired]


def _which(side: Side, model: Thing, foe: str, names: Sequence[str], topic: str, why: Rule) -> ChooseSeveral | Settled:
    if len(names) == 1:
        return Settled(topic, tuple(names))
    options = tuple(Option(name, weapons(model)[name].weapon.name) for name in names)
    prompt = f"{model.label}: with which weapons, in which order?"
    shows = ("odds", *(("sight",) if topic == WATCH_WEAPONS else ()))
    asked = {"topic": topic, "about": (model.id, foe), "rules": (why.id,), "shows": shows, "deed": "Fire {}"}
    return ChooseSeveral(side, prompt, options=options, at_least=1, **asked)  # type: ignore[arg-type]


# Overwatch ----------------------------------------------------------------------------------------------------------


def go_into_overwatch(battle: Battle, model: str) -> None:
    """Hold back an attack (strikeops.shooting.overwatch); it is Stationary, for it declared no Move Action."""
    give(battle, model, StateName.OVERWATCH, OVERWATCH, HELD, until=Until.ACTS_OTHERWISE)


def laid_watch(mark: Mark, left: int | None) -> Mark:
    """Overwatch of a model that is laid out in it: if no more is said, an attack is held whose points are spent."""
    held = left is not None and left < OVERWATCH_LASTS.number("ap_per_attack")
    value = mark.value if mark.value in (HELD, USED, UNPAID) else HELD if held else UNPAID
    return Mark(value, Until.ACTS_OTHERWISE)


def refill_overwatch(battle: Battle, model: Thing) -> None:
    """A new turn: an attack that was not made is lost, and the next is still to be paid for.

    strikeops.shooting.overwatch-lasts    it stays in Overwatch from turn to turn
    """
    if model.has(StateName.OVERWATCH) and model.value(StateName.OVERWATCH) != UNPAID:
        give(battle, model.id, StateName.OVERWATCH, OVERWATCH_LASTS, UNPAID, until=Until.ACTS_OTHERWISE)


def watch_weapons(table: Table, watcher: Thing, foe: Thing) -> list[str]:
    """The weapons with which a model in Overwatch could attack another where it is now."""
    return [
        name
        for name, system in weapons(watcher).items()
        if not is_indirect(system.weapon)
        and system.weapon.family != MISSILE
        and isinstance(aim(table, Attack(watcher.id, foe.id, (name,)), name), Aim)
    ]


def watchers(table: Table, foe: Thing) -> list[Thing]:
    """The models in Overwatch that could break in on a model now, as far as points and states go."""
    watching = [one for one in table.enemies_of(foe.side) if one.has(StateName.OVERWATCH)]
    return [one for one in watching if barred_from_watching(one) is None]


def barred_from_watching(watcher: Thing) -> Refusal | None:
    """Why a model may not attack from Overwatch now, whatever it sees."""
    value, left = watcher.value(StateName.OVERWATCH), watcher.count(CountName.AP)
    if not watcher.has(StateName.OVERWATCH):
        return Refusal(OVERWATCH.id, f"{watcher.label} is not in Overwatch.")
    if value == USED:
        return Refusal(OVERWATCH_LASTS.id, f"{watcher.label} has made its attack of this turn.")
    if value == UNPAID and left < OVERWATCH_LASTS.number("ap_per_attack"):
        return Refusal(OVERWATCH_LASTS.id, f"{watcher.label} has too few action points for a further attack.")
    return _unable(watcher, OVERWATCH_LASTS)


def refused_watch(view: View, question: AnyQuestion, answer: str) -> Refusal | None:
    """Why a model is not offered an attack from Overwatch."""
    watcher = view.table.things.get(answer)
    if watcher is None:
        return None
    unseen = Refusal(OVERWATCH_ATTACK.id, f"No weapon of {watcher.label} can attack it as it stands.")
    return barred_from_watching(watcher) or unseen


def watched(battle: Battle, step: Watched) -> Procedure[None]:
    """Whoever watches may stop a model and attack it; the window opens again until all pass.

    strikeops.shooting.overwatch-attack    offered only where a weapon could attack the model as it stands
    """
    if step.hurt:
        note_mission_kills(battle)
    table, foe = battle.table, battle.table[step.model]
    if not in_play(foe):
        return
    for side in [one for one in table.sides if one != foe.side]:
        able = [one for one in watchers(table, foe) if one.side == side and watch_weapons(table, one, foe)]
        if not able:
            continue
        answer: Reaction | None = yield React(
            side,
            f"{foe.label} is in sight. Fire from Overwatch?",
            topic=WATCH,
            about=(foe.id,),
            rules=(OVERWATCH_ATTACK.id,),
            shows=("odds", "sight"),
            moment=f"{foe.label} acts",
            facts={ALONG: step.along},
            options=tuple(
                ReactOption(one.id, f"{one.label} fires from Overwatch", one.id, rules=(OVERWATCH_ATTACK.id,))
                for one in able
            ),
        )
        if answer is None:
            continue
        watcher = table[answer.option]
        names = watch_weapons(table, watcher, foe)
        fired = tuple((yield _which(side, watcher, foe.id, names, WATCH_WEAPONS, OVERWATCH_ATTACK)))
        if step.moves:
            battle.happens(Halted(foe.id, step.along, foe.place, watcher.id, rule=OVERWATCH_ATTACK.id))
        _pay(battle, watcher)
        battle.happens(Declared(watcher.id, "overwatch fire", (foe.id,), fired, rule=OVERWATCH_ATTACK.id))
        overdrive = yield from _overdrive(watcher, fired)
        inspired = yield from ask_inspiration(battle, watcher.id, _rolls(watcher, fired))
        attack = Attack(watcher.id, foe.id, fired, overdrive, at_once=True, inspired=inspired)
        battle.push(*attack_steps(battle, attack), Effect(foe.id), Watched(foe.id, hurt=True, along=step.along))
        return


def _pay(battle: Battle, watcher: Thing) -> None:
    if watcher.value(StateName.OVERWATCH) == UNPAID:
        cost = OVERWATCH_LASTS.number("ap_per_attack")
        left = watcher.count(CountName.AP) - cost
        battle.happens(Spent(watcher.id, CountName.AP, cost, left, rule=OVERWATCH_LASTS.id))
    give(battle, watcher.id, StateName.OVERWATCH, OVERWATCH_ATTACK, USED, until=Until.ACTS_OTHERWISE)


def effect(battle: Battle, step: Effect) -> Procedure[None]:
    """What an Overwatch attack did takes effect at once, before its target goes on.

    strikeops.damage.end-of-activation-order    the same order is gone through for that one attack, states included

    What was noted against others stays noted until the end of the activation.
    """
    yield from ()
    if any(due.target == step.model for due in battle.state.due):
        side = battle.table[step.model].side
        battle.happens(StepBegan("damage", side, (step.model,), rule=OVERWATCH_ATTACK.id))
    battle.push(*settling_at_once(battle, step.model))


def lost_reply(battle: Battle, attack: Attack) -> None:
    """Defensive fire at an attacker that never fired any more is forfeit; its points are spent."""
    battle.happens(Forfeited(attack.shooter, DEFENSIVE_FIRE, rule=DEFENSIVE_TIMING.id))


def defending_costs(view: View, question: React, answer: Reaction | None) -> list[str]:
    """What a model gives away by firing in defense: points, its Combat Action, and Overwatch (…defensive-fire)."""
    if answer is None:
        return []
    defender = view.table[answer.option.split(" at ")[0]]
    held = [f"the Overwatch of {defender.label}"] if defender.has(StateName.OVERWATCH) else []
    return [f"{DEFENSIVE.number('ap')} AP and the Combat Action of {defender.label} this turn", *held]


CHAPTER = Chapter(
    losses={DEFENSIVE_FIRE: defending_costs},
    steps={Watched: watched, Effect: effect},
    unoffered={DEFENSIVE_FIRE: refused_defense, WATCH: refused_watch},
    answers={
        DEFENSIVE_FIRE: "`B at A`: B shoots back at its attacker A; or pass",
        DEFENSIVE_FIRE_WEAPONS: "the weapons of defensive fire, in order",
        WATCH: "the id of the model that fires from Overwatch, or pass",
        WATCH_WEAPONS: "its weapons, in order",
    },
    states={
        StateName.DEFENDED: "it has fired in defense this turn, which was its Combat Action",
        StateName.OVERWATCH: "held, used, or unpaid (as if nothing is said) where the next attack costs two points",
    },
)
