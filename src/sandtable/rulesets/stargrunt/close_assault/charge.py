"""The charge of a close assault: combat moves into contact, final defensive fire, and who goes on under it."""

from collections.abc import Sequence

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, MoveModels, Option, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.close_assault.fights import (
    CASUALTIES,
    FINAL_FIRE,
    FINAL_FIRE_EFFECT,
    MOVES,
    SHORT_TWICE,
    Charge,
    FinalFire,
    PairOff,
    UnderFire,
)
from sandtable.rulesets.stargrunt.close_assault.rounds import clear_up
from sandtable.rulesets.stargrunt.confidence.levels import reaction, suppress
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.fire.out_of_turn import one_fire_action, ways_to_fire
from sandtable.rulesets.stargrunt.movement.terrain_costs import too_far
from sandtable.rulesets.stargrunt.movement.walking import COMBAT, combat_distance, mobility_die, note_left_behind
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import fit, spot, standing, suppressed
from sandtable.tabletop.checks import Check, throw


def charge(battle: Battle, step: Charge) -> Procedure[None]:
    """Roll the combat move; contact with one figure is enough, and the second time short they stay or go back.

    stargrunt.close-assault.combat-move             all within reach move into contact, or as near as they can
    stargrunt.close-assault.falling-short-twice     then they stay or withdraw
    stargrunt.close-assault.combined                while one of several is in contact the others try again at once
    """
    attackers = tuple(name for name in step.attackers if standing(battle.table, name))
    if not attackers or not standing(battle.table, step.defender):  # a minefield has stopped them
        clear_up(battle, *step.attackers, step.defender)
        return
    begun = step.begun or {one.id: spot(one) for n in attackers for one in standing(battle.table, n)}
    second = bool(step.begun) or step.last
    for name in _short(battle.table, attackers, step.defender):
        attacker = battle.table[name]
        walks = yield from _drawn(battle, attacker, step.defender, second)
        score, n = plain_roll(battle, "combat move", name, f"d{mobility_die(attacker)}", COMBAT)
        moves.close_in(battle, attacker, step.defender, combat_distance(score), n, walks)
        note_left_behind(battle, name)
    short = _short(battle.table, attackers, step.defender)
    touching = tuple(name for name in attackers if name not in short)
    if not short:
        battle.push(PairOff(touching, step.defender, 1, step.fled, step.follows))
    elif not second and not touching:
        battle.push(FinalFire(attackers, step.defender, begun))
    elif not second:
        battle.push(Charge(attackers, step.defender, begun, step.fled))
    else:
        for name in short:
            yield from _short_again(battle, name, begun, step.defender)
        if touching:
            battle.push(PairOff(touching, step.defender, 1, step.fled, step.follows))
        else:
            clear_up(battle, *step.attackers, step.defender)


def _short(table: Table, attackers: Sequence[str], defender: str) -> list[str]:
    return [name for name in attackers if not moves.in_contact(table, name, defender)]


def _drawn(battle: Battle, attacker: Thing, defender: str, last: bool) -> Procedure[dict[str, Walk]]:
    """The ways of a charge are named before the roll, as those of any combat move; whoever has none goes straight."""
    figures = tuple(one.id for one in standing(battle.table, attacker.id))
    far = (1 if last else MOVES) * combat_distance(mobility_die(attacker))
    walks: dict[str, Walk] = yield MoveModels(
        attacker.side,
        f"Which way does {attacker.label} charge?",
        topic="charge",
        about=(attacker.id, defender),
        models=figures,
        allowance=dict.fromkeys(figures, far),
        faces=False,
        rules=(moves.MOVE_IN.id, COMBAT.id),
        shows=("distance", "odds"),
        default={},
    )
    return walks


def judge_charge(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Whether attackers may charge so."""
    attacker, defender = question.about
    far = max(question.allowance.values(), default=0)
    return too_far(question, moves.refused_charge(view.table, view.table[attacker], defender, answer, far))


def _short_again(battle: Battle, name: str, begun: dict[str, Point], enemy: str) -> Procedure[None]:
    attacker = battle.table[name]
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
        moves.go_back(battle, attacker.id, begun, SHORT_TWICE, enemy)


def firing_suppressed(defender: Thing) -> Check:
    """The reaction test of suppressed defenders who want to fire (stargrunt.close-assault.final-defensive-fire)."""
    part = ExplainedPart("suppression markers", defender.count(CountName.SUPPRESSION), FINAL_FIRE.id)
    return reaction(defender, "final defensive fire", part)


def final_fire(battle: Battle, step: FinalFire) -> Procedure[None]:
    """The defenders may make one fire action; suppressed ones must pass a reaction test first.

    stargrunt.close-assault.final-defensive-fire    also if they have been activated; the weapons count as fired
    """
    table, defender = battle.table, battle.table[step.defender]
    calm = not defender.has(StateName.PANICKED)
    there = [name for name in step.attackers if standing(table, name)]
    able = [n for n in there if calm and ways_to_fire(table, defender, table[n])]
    lone = len(step.attackers) == 1
    ways = [
        ReactOption("fire" if lone else name, f"Fire at {table[name].label}", defender.id, rules=(FINAL_FIRE.id,))
        for name in able
    ]
    reacted = yield from reaction_window(
        battle,
        moment="final-fire",
        prompt=f"{defender.label}: final defensive fire?",
        options=lambda side, declared: ways,
        rules=(FINAL_FIRE.id, FINAL_FIRE_EFFECT.id),
        about=(defender.id, *step.attackers),
        opened_by=table[step.attackers[0]].side,
        sides=(defender.side,),
        once=True,
        shows=("odds",),
    )
    fires = bool(reacted)
    if fires and suppressed(defender):
        fires = throw(battle, firing_suppressed(defender)).succeeds
    if not fires:
        battle.push(Charge(step.attackers, defender.id, step.begun))
        return
    target = step.attackers[0] if lone else reacted[0].reaction.option
    fire = yield from one_fire_action(battle, defender, table[target], FINAL_FIRE, "final-weapons", assault=True)
    battle.push(
        fire,
        UnderFire(step.attackers, defender.id, step.begun, target),
    )


def under_fire(battle: Battle, step: UnderFire) -> Procedure[None]:
    """Casualties make the attackers test before their second move; failed, they go back suppressed.

    stargrunt.close-assault.final-defensive-fire-effect    +1 for each casualty; no suppression by itself
    """
    attacker = battle.table[step.target]
    others = tuple(name for name in step.attackers if name != attacker.id)
    stops = not fit(battle.table, attacker.id)
    hurt = attacker.count(CASUALTIES)
    if hurt and not stops:
        each = FINAL_FIRE_EFFECT.number("threat_per_casualty")
        part = ExplainedPart("casualties", hurt * each, FINAL_FIRE_EFFECT.id)
        roll = throw(battle, reaction(attacker, "going on", part))
        stops = not roll.succeeds
        if stops:
            yield from _gives_up(battle, attacker, step.begun, step.defender, roll.n)
    if not stops:
        battle.push(Charge(step.attackers, step.defender, step.begun))
    elif others:
        clear_up(battle, attacker.id)
        battle.push(Charge(others, step.defender, step.begun, (attacker.id,)))
    else:
        clear_up(battle, attacker.id, step.defender)


def _gives_up(battle: Battle, attacker: Thing, begun: dict[str, Point], enemy: str, because: int) -> Procedure[None]:
    """The attackers go back to where they started or to cover, as their player chooses, and are suppressed."""
    where = yield ChooseOne(
        attacker.side,
        "Back to where they started, or to the nearest cover?",
        topic="back",
        about=(attacker.id,),
        options=(Option("start", "Where they started"), Option("cover", "The nearest cover")),
        rules=(FINAL_FIRE_EFFECT.id,),
        default="start",
    )
    if where != "cover" or not moves.to_cover(battle, attacker.id, FINAL_FIRE_EFFECT, enemy):
        moves.go_back(battle, attacker.id, begun, FINAL_FIRE_EFFECT, enemy)
    suppress(battle, attacker.id, FINAL_FIRE_EFFECT, because)
