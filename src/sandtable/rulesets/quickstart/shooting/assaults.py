"""A ranged assault, step by step: each weapon that fires is a step of the agenda, and Step 8 comes last."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Forfeited, StepBegan
from sandtable.engine.questions import ChooseSeveral, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Settle, Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.indirect import model_at
from sandtable.rulesets.quickstart.combat import DECLARE, LOST, SIMULTANEOUS, STEP_3, STEP_4, STEP_7, STEPS
from sandtable.rulesets.quickstart.damage import APPLYING, STEP_8
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.indirect import Barrage, Caught, bombard, strike_caught
from sandtable.rulesets.quickstart.setup.retreat import note_mission_kills
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    RANGED_ASSAULT,
    SALVO_FIRE,
    Shot,
    end_of_assault,
    fire,
    is_indirect,
)
from sandtable.rulesets.quickstart.shooting.reactions import (
    DEFENSIVE_TIMING,
    DEFENSIVE_VALUES,
    defending_costs,
    not_with,
    offer_defensive_fire,
)
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.turn.declaration import Declaration
from sandtable.tabletop.chapters import Chapter


class Fire(Step, frozen=True):
    """One weapon, or one salvo, fires; perhaps a numbered step of the Combat Action begins with it."""

    shot: Shot
    because: int = 0
    begins: str = ""


class Bombard(Step, frozen=True):
    """Indirect-fire weapons fire at their strike-point, and missiles with them; `order` is that of all of them."""

    barrage: Barrage
    shots: tuple[Shot, ...] = ()
    order: tuple[str, ...] = ()
    because: int = 0


class Secondary(Step, frozen=True):
    """A secondary combat roll against a model that was caught."""

    caught: Caught


class StepEight(Step, frozen=True):
    """All combat of the activation is done: damage takes effect."""

    attacker: str


class Aftermath(Step, frozen=True):
    """Damage has taken effect: who is a mission kill now?"""


def assault(battle: Battle, model: str, plan: Declaration) -> Procedure[tuple[Step, ...]]:
    """A ranged assault from where the model stands: defenders answer, then the steps of all that is fired.

    quickstart.combat.step-2-defensive-declaration    before any die or distance
    quickstart.combat.step-4-order                    the attacker's weapons in the order declared
    quickstart.combat.step-7-defensive-fire           then the defender's
    """
    victim = plan.target
    if not victim and plan.strike_point is not None:
        under = model_at(battle.table, plan.strike_point)
        victim = under.id if under is not None and under.side != battle.table[model].side else ""
    begin_combat_step(battle, model, "combat", STEPS)
    answers: tuple[Shot, ...] = ()
    if victim and not battle.table[victim].gone:
        answers = yield from offer_defensive_fire(battle, model, victim)
    begin_combat_step(battle, model, "step 3", STEP_3)
    replies = [Fire(shot, begins=STEP_7.id if n == 0 else "") for n, shot in enumerate(answers)]
    return (*own_shots(battle.table[model], plan), *replies, StepEight(model))


def begin_combat_step(battle: Battle, attacker: str, name: str, why: Rule, citing: Sequence[Rule] = ()) -> None:
    """Say which of the numbered steps of a Combat Action begins (quickstart.combat.attacker-and-defender)."""
    detail: Detail = {"rules": tuple(one.id for one in citing)} if citing else {}
    battle.happens(StepBegan(name, battle.table[attacker].side, (attacker,), rule=why.id, detail=detail))


def aimed_shots(model: Thing, plan: Declaration) -> tuple[Shot, ...]:
    """The shots of a declaration that are aimed at its target, one for each weapon or salvo."""
    systems = weapons(model)
    aimed = tuple(name for name in plan.weapons if not is_indirect(systems[name]))
    volleys = [aimed] if plan.sub_type == SALVO_FIRE and aimed else [(name,) for name in aimed]
    fired = len(plan.weapons)
    return tuple(Shot(model.id, plan.target, volley, plan.assault, plan.sub_type, fired) for volley in volleys)


def own_shots(model: Thing, plan: Declaration) -> tuple[Step, ...]:
    """The steps of the attacker's own fire; indirect fire first finds out where it lands, as part of Step 3."""
    systems = weapons(model)
    shots = aimed_shots(model, plan)
    lobbed = tuple(name for name in plan.weapons if is_indirect(systems[name]))
    if lobbed and plan.strike_point is not None:
        barrage = Barrage(model.id, lobbed, plan.strike_point, plan.sub_type, len(plan.weapons), plan.smart)
        return (Bombard(barrage, shots, plan.weapons),)
    return tuple(Fire(shot, begins=STEP_4.id if n == 0 else "") for n, shot in enumerate(shots))


def _in_order(order: Sequence[str], caught: Sequence[Caught], shots: Sequence[Shot]) -> list[Step]:
    """The rolls of an indirect assault: all against one model before any against another, and those as declared.

    quickstart.combat.step-4-order    the attacker picks the order of the weapons
    """
    targets = list(dict.fromkeys([*(shot.target for shot in shots), *(one.victim for one in caught)]))
    rolls: list[tuple[str, str, Step]] = [(one.victim, one.weapons[0], Secondary(one)) for one in caught]
    rolls += [(shot.target, shot.weapons[0], Fire(shot)) for shot in shots]
    rolls.sort(key=lambda roll: (targets.index(roll[0]), order.index(roll[1])))
    return [step for _, _, step in rolls]


def fire_step(battle: Battle, step: Fire) -> Procedure[None]:
    """One weapon fires; its target may have left play since."""
    if step.begins == STEP_7.id:
        begin_combat_step(battle, step.shot.target, "step 7", STEP_7, (DEFENSIVE_TIMING, DEFENSIVE_VALUES))
    elif step.begins:
        begin_combat_step(battle, step.shot.shooter, "step 4", STEP_4)
    if battle.table[step.shot.target].gone:
        battle.happens(Forfeited(step.shot.shooter, " and ".join(step.shot.weapons), rule=LOST.id))
        return
    yield from fire(battle, step.shot, step.because)


def bombard_step(battle: Battle, step: Bombard) -> Procedure[None]:
    """Where an indirect attack lands; each model caught gets a roll, as a step of its own."""
    caught = yield from bombard(battle, step.barrage, step.because)
    rolls = _in_order(step.order, caught, step.shots)
    if rolls:
        begin_combat_step(battle, step.barrage.shooter, "step 4", STEP_4)
    battle.push(*rolls)


def secondary_step(battle: Battle, step: Secondary) -> Procedure[None]:
    """A secondary combat roll."""
    yield from ()
    strike_caught(battle, step.caught)


def step_eight(battle: Battle, step: StepEight) -> Procedure[None]:
    """Damage is applied, destroyed models go, criticals, pilot checks, states; then who is a mission kill.

    quickstart.combat.simultaneous    all combat of the activation takes effect here
    """
    yield from ()
    end_of_assault(battle)
    if battle.state.due:
        begin_combat_step(battle, step.attacker, "step 8", SIMULTANEOUS, (APPLYING,))
    battle.push(Settle(STEP_8), Aftermath())


def aftermath(battle: Battle) -> Procedure[None]:
    """Whoever lost the means of its task is a mission kill (quickstart.setup.mission-kill)."""
    yield from ()
    note_mission_kills(battle)


def without_weapons(question: ChooseSeveral) -> Refusal:
    """A ranged assault without a weapon is none.

    quickstart.shooting.ranged-assault       it is made with one or more
    quickstart.combat.declare-targets        which they are belongs to its declaration
    """
    return Refusal(RANGED_ASSAULT.id, "A ranged assault is made with one or more weapons.", (DECLARE.id,))


CHAPTER = Chapter(
    losses={"defensive-fire": defending_costs},
    unoffered=dict.fromkeys(("defensive-weapons", "over-watch-weapons"), not_with),
    too_few=dict.fromkeys(("weapons", "defensive-weapons", "over-watch-weapons"), without_weapons),
    steps={
        Fire: fire_step,
        Bombard: bombard_step,
        Secondary: secondary_step,
        StepEight: step_eight,
        Aftermath: lambda battle, step: aftermath(battle),
    },
    answers={
        "defensive-fire": "the defender's id to shoot back, or pass",
        "defensive-weapons": "the weapons of defensive fire, in order",
        "over-watch": "the id of the model that fires from over-watch, or pass",
        "over-watch-weapons": "its weapons, in order",
        "ammo-bin": "true: use the ammo bin",
    },
    states={
        StateName.OVER_WATCH: "held, or used where the assault paid for has been made",
        StateName.FIRED_FROM_OVER_WATCH: "it has, this turn",
        StateName.DEFENDED: "it has used defensive fire this turn",
        StateName.TARGET_LOCK: "the id of the enemy it is locked on to",
        StateName.TWISTED: "by how many degrees its torso is, for one assault",
        StateName.OUT_OF_AMMO: "the ids of its empty weapon systems, {value: [medium-mac]}",
    },
    counts={CountName.AMMO_BIN: "ammo bins left"},
)
