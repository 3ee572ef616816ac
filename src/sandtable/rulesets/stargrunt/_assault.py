"""How a close assault comes to blows: the nerve of both sides, the charge, and final defensive fire."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Declared,
    Forfeited,
    StateChanged,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import (
    ChooseOne,
    Option,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.engine.windows import reaction_window
from sandtable.forces.data import Data
from sandtable.rulesets.stargrunt import _assault_moves as moves
from sandtable.rulesets.stargrunt import fire
from sandtable.rulesets.stargrunt._assault_rounds import aftermath, clear_up, fight, pair_off, round_end
from sandtable.rulesets.stargrunt._chapter import Action, Activate, Chapter, Outcome
from sandtable.rulesets.stargrunt._fire_actions import joining_weapons
from sandtable.rulesets.stargrunt.close_assault import (
    ATTACKER_TEST,
    BROKEN_DEFENDERS,
    CASUALTIES,
    DEFENDER_TEST,
    FINAL_FIRE,
    FINAL_FIRE_EFFECT,
    LOST_ACTION,
    SEQUENCE,
    SHORT_TWICE,
    TARGET,
    TERROR,
    VOLUNTARY,
    Aftermath,
    Charge,
    Fight,
    FinalFire,
    PairOff,
    RoundEnd,
    Stand,
    UnderFire,
    combat_dice,
    odds,
    targets,
    weight,
)
from sandtable.rulesets.stargrunt.confidence import (
    REACTION_THREATS,
    confidence_test,
    drop,
    panic_test,
    reaction_test,
    suppress,
    terrifies,
)
from sandtable.rulesets.stargrunt.cover import LEAVING
from sandtable.rulesets.stargrunt.dice import also, plain_roll
from sandtable.rulesets.stargrunt.movement import COMBAT, mobility_die, note_left_behind
from sandtable.rulesets.stargrunt.units import (
    BROKEN,
    ROUTED,
    at_worst,
    confidence,
    fit,
    points,
    spot,
    standing,
)

# The attackers' and the defenders' nerve ----------------------------------------------------------------------------


def declare(battle: Battle, unit: Thing) -> Procedure[bool]:
    """Name the target and test the attackers' nerve; whether the assault goes on.

    stargrunt.close-assault.sequence         attackers In Position must first get out of it
    stargrunt.close-assault.attacker-test    a failed test loses the first action only
    """
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} assaults whom?",
        topic="assault",
        about=(unit.id,),
        options=tuple(targets(battle.table, unit)),
        rules=(TARGET.id, SEQUENCE.id),
    )
    n = battle.happens(Declared(unit.id, "close assault", (chosen,), rule=TARGET.id, detail=also(SEQUENCE)))
    if unit.has("in position"):
        part = ExplainedPart("out of position", REACTION_THREATS.number("move_from_position"), LEAVING.id)
        roll = reaction_test(battle, unit.id, "moving out of position", (part,), n)
        if not roll.passed:
            return False
        battle.happens(StateChanged(unit.id, "in position", 1, None, rule=LEAVING.id, because=roll.n))
    level = confidence(unit)
    part = ExplainedPart(f"assaulting while {level}", ATTACKER_TEST.number(level), ATTACKER_TEST.id)
    roll = reaction_test(battle, unit.id, "assaulting", (part,), n)
    if roll.passed:
        battle.push(Stand(unit.id, chosen))
    return roll.passed


def stand(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders test their Confidence, and if they pass may still choose to go.

    stargrunt.close-assault.terror                  panic first, and double the Threat Level
    stargrunt.close-assault.broken-defenders        no test: they rout and withdraw
    stargrunt.close-assault.voluntary-withdrawal    the same distance, without losing Confidence
    """
    table, defender = battle.table, battle.table[step.defender]
    if terrifies(table[step.attacker]):
        panic_test(battle, defender.id, "first_attacked_by_terror")
    if at_worst(defender, BROKEN):
        n = battle.happens(Declared(defender.id, "withdraw", rule=BROKEN_DEFENDERS.id))
        if not at_worst(defender, ROUTED):
            drop(battle, defender.id, 1, BROKEN_DEFENDERS, n)
        yield from give_way(battle, step)
        return
    level = odds(weight(standing(table, step.attacker)), weight(standing(table, defender.id)))
    parts = [ExplainedPart(f"odds {level}:1", level, DEFENDER_TEST.id)]
    if terrifies(table[step.attacker]):
        parts.append(ExplainedPart("terror", level * (DEFENDER_TEST.number("terror_multiplier") - 1), TERROR.id))
    if not confidence_test(battle, defender.id, tuple(parts), 0):
        yield from give_way(battle, step)
        return
    if not table[defender.id].has("panicked"):
        stands = yield ChooseOne(
            defender.side,
            f"{defender.label}: stand or withdraw?",
            topic="stand",
            about=(defender.id, step.attacker),
            options=(
                Option("stand", "Stand", rules=(SEQUENCE.id,)),
                Option("withdraw", "Withdraw", rules=(VOLUNTARY.id,)),
            ),
            rules=(VOLUNTARY.id,),
            default="stand",
        )
        if stands == "withdraw":
            yield from give_way(battle, step)
            return
    battle.push(Charge(step.attacker, step.defender))


def give_way(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders go; the attackers may take their place, up to the combat move they roll."""
    place = points(battle.table, step.defender)
    moves.withdraw(battle, step.defender, step.attacker, farther=True)
    attacker = battle.table[step.attacker]
    follows = yield ChooseOne(
        attacker.side,
        "Take the place that was left?",
        topic="follow",
        about=(attacker.id,),
        options=(Option("stay", "Stay"), Option("follow", "Take their place")),
        rules=(VOLUNTARY.id,),
        default="stay",
    )
    if follows == "follow":
        score, n = plain_roll(battle, "combat move", attacker.id, f"d{mobility_die(attacker)}", COMBAT)
        moves.advance(battle, attacker, place, 2 * score * UNIT, n)


# The charge --------------------------------------------------------------------------------------------------------


def charge(battle: Battle, step: Charge) -> Procedure[None]:
    """Roll the combat move; contact with one figure is enough, and the second time short they stay or go back.

    stargrunt.close-assault.combat-move             all within reach move into contact, or as near as they can
    stargrunt.close-assault.falling-short-twice     then they stay or withdraw
    """
    attacker = battle.table[step.attacker]
    begun = step.begun or {one.id: spot(one) for one in standing(battle.table, attacker.id)}
    score, n = plain_roll(battle, "combat move", attacker.id, f"d{mobility_die(attacker)}", COMBAT)
    moves.close_in(battle, attacker, step.defender, 2 * score * UNIT, n)
    note_left_behind(battle, attacker.id)
    if moves.in_contact(battle.table, attacker.id, step.defender):
        battle.push(PairOff(attacker.id, step.defender, 1))
    elif not step.begun:
        battle.push(FinalFire(attacker.id, step.defender, begun))
    else:
        stays = yield ChooseOne(
            attacker.side,
            "Short again: stay, or go back?",
            topic="short",
            about=(attacker.id,),
            options=(Option("stay", "Stay"), Option("go-back", "Go back")),
            rules=(SHORT_TWICE.id,),
            default="stay",
        )
        if stays == "go-back":
            moves.go_back(battle, attacker.id, begun, SHORT_TWICE)
        clear_up(battle, attacker.id, step.defender)


def final_fire(battle: Battle, step: FinalFire) -> Procedure[None]:
    """The defenders may make one fire action; suppressed ones must pass a reaction test first.

    stargrunt.close-assault.final-defensive-fire    also if they have been activated; the weapons count as fired
    """
    table, defender, attacker = battle.table, battle.table[step.defender], battle.table[step.attacker]
    able = not defender.has("panicked") and fire.refused_small(table, defender, attacker) is None
    way = ReactOption("fire", "Fire", defender.id, rules=(FINAL_FIRE.id,))
    reacted = yield from reaction_window(
        battle,
        moment="final-fire",
        prompt=f"{defender.label}: final defensive fire?",
        options=lambda side, declared: [way] if able else [],
        rules=(FINAL_FIRE.id,),
        about=(defender.id, attacker.id),
        opened_by=attacker.side,
        sides=(defender.side,),
        once=True,
    )
    able = bool(reacted)
    markers = defender.count("suppression")
    if able and markers:
        part = ExplainedPart("suppression markers", markers, FINAL_FIRE.id)
        able = reaction_test(battle, defender.id, "final defensive fire", (part,)).passed
    if not able:
        battle.push(Charge(attacker.id, defender.id, step.begun))
        return
    joining = yield from joining_weapons(battle, defender, attacker.id, "final-weapons", FINAL_FIRE)
    battle.push(
        fire.FireAction(defender.id, attacker.id, True, joining, assault=True),
        UnderFire(attacker.id, defender.id, step.begun),
    )


def under_fire(battle: Battle, step: UnderFire) -> Procedure[None]:
    """Casualties make the attackers test before their second move; failed, they go back suppressed.

    stargrunt.close-assault.final-defensive-fire-effect    +1 for each casualty; no suppression by itself
    """
    attacker = battle.table[step.attacker]
    if not fit(battle.table, attacker.id):
        clear_up(battle, step.attacker, step.defender)
        return
    hurt = attacker.count(CASUALTIES)
    if hurt:
        each = FINAL_FIRE_EFFECT.number("threat_per_casualty")
        part = ExplainedPart("casualties", hurt * each, FINAL_FIRE_EFFECT.id)
        roll = reaction_test(battle, attacker.id, "going on", (part,))
        if not roll.passed:
            where = yield ChooseOne(
                attacker.side,
                "Back to where they started, or to the nearest cover?",
                topic="back",
                about=(attacker.id,),
                options=(Option("start", "Where they started"), Option("cover", "The nearest cover")),
                rules=(FINAL_FIRE_EFFECT.id,),
                default="start",
            )
            if where == "cover":
                moves.to_cover(battle, attacker.id, FINAL_FIRE_EFFECT)
            else:
                moves.go_back(battle, attacker.id, step.begun, FINAL_FIRE_EFFECT)
            suppress(battle, attacker.id, FINAL_FIRE_EFFECT, roll.n)
            clear_up(battle, attacker.id, step.defender)
            return
    battle.push(Charge(attacker.id, step.defender, step.begun))


# What the chapter brings -------------------------------------------------------------------------------------------


def _assaults(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """An assault takes the whole activation; a failed test loses the first action only."""
    goes_on = yield from declare(battle, unit)
    if goes_on:
        return Outcome()
    battle.happens(Forfeited(unit.id, "close assault", rule=LOST_ACTION.id))
    return Outcome(spent=1, again=False)


def _nobody_to_assault(table: Table, unit: Thing) -> Refusal | None:
    if at_worst(unit, BROKEN):
        return Refusal(ATTACKER_TEST.id, f"{unit.label} is in no state to assault anybody.")
    if not targets(table, unit):
        return Refusal(TARGET.id, "There is no enemy in sight to assault.")
    return None


def _combat_die(table: Table, asked: Data) -> object:
    figure, foe = table[asked.text_at("of")], table[asked.text_at("against")]
    return combat_dice(table, figure, [foe], covered=False)[0]


CHAPTER = Chapter(
    actions=(
        Action(
            id="assault",
            entry="close_assault",
            label="Close assault",
            rule=ATTACKER_TEST,
            carry_out=_assaults,
            refused=_nobody_to_assault,
        ),
    ),
    steps={
        Stand: stand,
        Charge: charge,
        FinalFire: final_fire,
        UnderFire: under_fire,
        PairOff: pair_off,
        Fight: fight,
        RoundEnd: round_end,
        Aftermath: aftermath,
    },
    answers={
        "assault": "whom a unit assaults",
        "stand": "stand or withdraw",
        "follow": "follow, to take the place the defenders left, or stay",
        "final-fire": "fire, or pass",
        "final-weapons": "the figures whose support weapons join final defensive fire",
        "back": "start or cover: where attackers go back to",
        "short": "stay or go-back, when the attackers fall short again",
        "pair-off": "who faces whom, {A1: B1}",
        "surplus": "whom the surplus figures face",
    },
    values={"combat-die": _combat_die},
)
