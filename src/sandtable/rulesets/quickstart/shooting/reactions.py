"""Shooting out of turn: defensive fire and over-watch."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Halted, Passed, Spent
from sandtable.engine.ids import RuleId, ThingId
from sandtable.engine.questions import ChooseSeveral, Option, React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.quickstart.combat import STEP_2
from sandtable.rulesets.quickstart.concepts import in_contact
from sandtable.rulesets.quickstart.damage import STEP_8
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.setup.retreat import note_mission_kills
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    DEFENSIVE,
    DEFENSIVE_LIMITS,
    DIRECT,
    GUIDED_MISSILES,
    Shot,
    end_of_assault,
    fire,
    is_empty,
    is_indirect,
    is_missile,
    may_fire_at,
    out_of_ammo,
    working_weapons,
)
from sandtable.rulesets.quickstart.shooting.direct_fire import OVER_WATCH as OVER_WATCH_FIRE
from sandtable.rulesets.quickstart.sight import line_of_sight
from sandtable.rulesets.quickstart.state_names import CountName, StateName, Until
from sandtable.rulesets.quickstart.states import may_use_combat_action
from sandtable.rulesets.quickstart.turn.phases import ACTIONS
from sandtable.tabletop.states import give, take

DEFENSIVE_FIRE = rule("quickstart.shooting.defensive-fire")
DEFENSIVE_DECLARATION = rule("quickstart.shooting.defensive-fire-declaration")
DEFENSIVE_VALUES = rule("quickstart.shooting.defensive-fire-values")
DEFENSIVE_TIMING = rule("quickstart.shooting.defensive-fire-timing")
DEFENSIVE_ENDS_COMBAT = rule("quickstart.shooting.defensive-fire-ends-combat")
OVER_WATCH = rule("quickstart.shooting.over-watch")
INTERRUPT = rule("quickstart.shooting.over-watch-interrupt")
STAYING = rule("quickstart.shooting.over-watch-later-turns")

same_number(
    "what defensive fire costs", DEFENSIVE_FIRE.number("ap"), ACTIONS.number("outside_own_activation", "defensive_fire")
)
same_number("what over-watch costs", OVER_WATCH.number("ap"), ACTIONS.number("combined", "over_watch"))
_LATER = STAYING.number("ap_per_later_assault")
same_number(
    "a later over-watch assault", _LATER, ACTIONS.number("outside_own_activation", "over_watch_assault_in_a_later_turn")
)

#: What over-watch may look at: the activation it breaks into has been declared.
MEASURED = ("distance", "sight", "odds")
#: The values of the state over-watch: the assault paid for is still there, or has been used.
HELD, USED = "held", "used"


def may_defend(table: Table, victim: Thing, attacker: Thing) -> bool:
    """Whether a targeted model may answer with defensive fire, by what is known without measuring.

    quickstart.shooting.defensive-fire                 has not activated, can use a Combat Action, has a weapon
    quickstart.shooting.defensive-fire-ends-combat     once a turn
    quickstart.shooting.ranged-assault                 not at an attacker that touches it
    """
    if victim.has(StateName.ACTIVATED) or victim.has(StateName.DEFENDED) or victim.has(StateName.FIRED_FROM_OVER_WATCH):
        return False
    if in_contact(victim, attacker):
        return False
    return may_use_combat_action(victim) and bool(defensive_weapons(victim, attacker))


def defending_costs(view: View, question: React, answer: Reaction | None) -> list[str]:
    """What a model gives away by defensive fire.

    quickstart.shooting.defensive-fire-ends-combat    its Combat Action of this turn
    quickstart.shooting.over-watch-later-turns        and its over-watch
    """
    if answer is None:
        return []
    defender = view.table[answer.option]
    held = [f"the over-watch of {defender.label}"] if defender.has(StateName.OVER_WATCH) else []
    return [f"the Combat Action of {defender.label} this turn", *held]


def defensive_weapons(victim: Thing, attacker: Thing) -> list[str]:
    """The weapons that may take part in defensive fire at an attacker."""
    return [
        name
        for name, weapon in working_weapons(victim).items()
        if not is_indirect(weapon) and may_fire_at(victim, weapon, attacker, DIRECT) is None
    ]


def offer_defensive_fire(battle: Battle, attacker: str, victim: str) -> Procedure[tuple[Shot, ...]]:
    """Step 2: ask the target of a ranged assault whether it shoots back, and with what; its shots come in Step 7."""
    one, other = battle.table[attacker], battle.table[victim]
    if not may_defend(battle.table, other, one):
        return ()
    reaction = yield React(
        other.side,
        f"{one.label} fires at {other.label}. Defensive fire?",
        topic="defensive-fire",
        about=(victim, attacker),
        rules=(DEFENSIVE_FIRE.id, STEP_2.id, DEFENSIVE_DECLARATION.id),
        shows=("odds",),
        moment="step 2",
        options=(ReactOption(victim, f"{other.label} shoots back", victim, {"AP": 0}, (DEFENSIVE_FIRE.id,)),),
    )
    if reaction is None:
        battle.happens(Passed(other.side, "defensive fire", rule=DEFENSIVE_FIRE.id))
        return ()
    names = defensive_weapons(other, one)
    chosen = yield from _which_weapons(other, one, names, "defensive-weapons", DEFENSIVE_LIMITS.id, ("odds",))
    n = battle.happens(Declared(victim, "defensive-fire", (attacker,), chosen, rule=DEFENSIVE_DECLARATION.id))
    give(battle, victim, StateName.DEFENDED, DEFENSIVE_ENDS_COMBAT, until=Until.END_OF_TURN, because=n)
    take(battle, victim, StateName.OVER_WATCH, STAYING)
    return tuple(Shot(victim, attacker, (name,), DIRECT, DEFENSIVE, len(chosen)) for name in chosen)


def _which_weapons(
    shooter: Thing, victim: Thing, names: list[str], topic: str, why: RuleId, shows: tuple[str, ...] = ()
) -> Procedure[tuple[str, ...]]:
    chosen: tuple[str, ...] = yield ChooseSeveral(
        shooter.side,
        f"With which weapons does {shooter.label} fire at {victim.label}, in which order?",
        deed=f"Fire {{}} at {victim.label}",
        topic=topic,
        about=(shooter.id, victim.id),
        rules=(why,),
        shows=shows,
        options=tuple(Option(name, working_weapons(shooter)[name].name) for name in names),
        at_least=1,
        default=tuple(names),
    )
    return chosen


def not_with(view: View, question: ChooseSeveral, name: str) -> Refusal | None:
    """Why a weapon that a model carries takes no part in defensive fire or an over-watch assault."""
    if len(question.about) != 2:
        return None
    shooter, victim = (view.table[one] for one in question.about)
    weapon = weapons(shooter).get(name)
    if weapon is None:
        return None
    if name in out_of_ammo(shooter):
        return is_empty(weapon)
    watches = question.topic == "over-watch-weapons"
    if watches and is_missile(weapon):
        return Refusal(OVER_WATCH.id, f"No lock for the {weapon.name} can be in force.", (GUIDED_MISSILES.id,))
    refusal = may_fire_at(shooter, weapon, victim, DIRECT)
    direct_only = OVER_WATCH if watches else DEFENSIVE_FIRE
    return None if refusal is None else replace(refusal, also=(*refusal.also, direct_only.id))


def go_into_over_watch(battle: Battle, model: str, because: int = 0) -> None:
    """Hold back one direct-fire assault (quickstart.shooting.over-watch)."""
    give(battle, model, StateName.OVER_WATCH, OVER_WATCH, HELD, until=Until.IT_ACTS_OTHERWISE, because=because)


def watchers(table: Table, mover: Thing) -> list[Thing]:
    """The enemies in over-watch that could fire at a mover now, whether they see it or not.

    quickstart.shooting.over-watch-later-turns    one assault a turn; a new one costs a point
    """
    return [
        model
        for model in table.models()
        if model.side != mover.side
        and model.has(StateName.OVER_WATCH)
        and not model.has(StateName.FIRED_FROM_OVER_WATCH)
        and (model.value(StateName.OVER_WATCH) == HELD or model.count(CountName.AP) >= _LATER)
        and over_watch_weapons(model, mover)
    ]


def over_watch_weapons(model: Thing, mover: Thing) -> list[str]:
    """The weapons of an over-watch assault: direct fire, and no missile, for no lock can be in force."""
    return [
        name
        for name, weapon in working_weapons(model).items()
        if not is_indirect(weapon) and not is_missile(weapon) and may_fire_at(model, weapon, mover, DIRECT) is None
    ]


def seeing_watchers(table: Table, mover: Thing) -> list[Thing]:
    """The enemies in over-watch that see a mover where it is."""
    return [model for model in watchers(table, mover) if not line_of_sight(table, model, mover).blocked]


def offer_over_watch(battle: Battle, mover: ThingId, at: int) -> Procedure[bool]:
    """Ask whoever watches whether it halts the mover here; each fires with its damage applied at once.

    quickstart.shooting.ranged-assault    none is declared at a model in contact, which is known without measuring

    Gives whether the mover was halted.
    """
    halted = False
    passed: list[str] = []
    while True:
        thing = battle.table[mover]
        if not thing.on_table:
            return True
        seeing = [
            watcher
            for watcher in seeing_watchers(battle.table, thing)
            if watcher.id not in passed and not in_contact(watcher, thing)
        ]
        if not seeing:
            return halted
        sides = [
            side for side in battle.ruleset.asking_order(battle, thing.side) if any(w.side == side for w in seeing)
        ]
        side = sides[0]
        able = [watcher for watcher in seeing if watcher.side == side]
        reaction = yield React(
            side,
            f"{thing.label} is in sight. Halt it here and fire?",
            topic="over-watch",
            about=(mover, *(watcher.id for watcher in able)),
            rules=(INTERRUPT.id, OVER_WATCH.id),
            shows=MEASURED,
            moment="over-watch",
            options=tuple(
                ReactOption(
                    w.id,
                    f"{w.label} fires",
                    w.id,
                    {"AP": 0 if w.value(StateName.OVER_WATCH) == HELD else _LATER},
                    (INTERRUPT.id,),
                )
                for w in able
            ),
            decline="Hold fire",
        )
        if reaction is None:
            battle.happens(Passed(side, "over-watch", rule=INTERRUPT.id))
            passed += [watcher.id for watcher in able]
            continue
        halted = True
        yield from _fire_from_over_watch(battle, reaction.option, mover, at)


def _fire_from_over_watch(battle: Battle, watcher: str, mover: ThingId, at: int) -> Procedure[None]:
    shooter, thing = battle.table[watcher], battle.table[mover]
    chosen = yield from _which_weapons(
        shooter, thing, over_watch_weapons(shooter, thing), "over-watch-weapons", INTERRUPT.id, MEASURED
    )
    halt = battle.happens(Halted(mover, at, thing.place, watcher, rule=INTERRUPT.id))
    battle.happens(Declared(watcher, "over-watch fire", (mover,), chosen, rule=INTERRUPT.id, because=halt))
    if shooter.value(StateName.OVER_WATCH) == USED:
        battle.happens(
            Spent(watcher, CountName.AP, _LATER, shooter.count(CountName.AP) - _LATER, rule=STAYING.id, because=halt)
        )
    else:
        give(battle, watcher, StateName.OVER_WATCH, INTERRUPT, USED, until=Until.IT_ACTS_OTHERWISE, because=halt)
    give(battle, watcher, StateName.FIRED_FROM_OVER_WATCH, STAYING, until=Until.END_OF_TURN, because=halt)
    for name in chosen:
        yield from fire(battle, Shot(watcher, mover, (name,), DIRECT, OVER_WATCH_FIRE, len(chosen)), halt)
    end_of_assault(battle)
    yield from battle.settle(STEP_8)
    note_mission_kills(battle)
