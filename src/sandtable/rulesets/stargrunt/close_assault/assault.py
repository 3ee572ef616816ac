"""How a close assault comes to blows: the nerve of both sides, the charge, and final defensive fire."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.rulesets.stargrunt.chapter import FAILED, Action, Activate, Outcome, of_ones_own, passengers_do_not
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.close_assault.charge import charge, final_fire, judge_charge, under_fire
from sandtable.rulesets.stargrunt.close_assault.fights import (
    ATTACKER_TEST,
    BROKEN_DEFENDERS,
    COMBINED,
    GO_ON,
    SEQUENCE,
    TARGET,
    TOGETHER,
    VOLUNTARY,
    Aftermath,
    Charge,
    Fight,
    FinalFire,
    FollowThrough,
    PairOff,
    RoundEnd,
    Stand,
    UnderFire,
    attackers_trials,
    combat_dice,
    may_join,
    standing_threat,
)
from sandtable.rulesets.stargrunt.close_assault.rounds import (
    aftermath,
    fall_back,
    fight,
    follow_through,
    going_on,
    pair_off,
    round_end,
)
from sandtable.rulesets.stargrunt.close_assault.targets import all_targets, assault_refused, named, named_targets
from sandtable.rulesets.stargrunt.confidence.levels import (
    BROKEN_RULE,
    assaults_with_terror,
    confidence_test,
    drop,
    leaving_position,
    panic_test,
)
from sandtable.rulesets.stargrunt.cover.protection import LEAVING
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.movement.actions import move_preview, read_walks
from sandtable.rulesets.stargrunt.movement.terrain_costs import too_far
from sandtable.rulesets.stargrunt.movement.walking import (
    COMBAT,
    combat_distance,
    mobility_die,
    note_left_behind,
    refused_walks,
    walk,
)
from sandtable.rulesets.stargrunt.movement.walking import TOGETHER as IN_INTEGRITY
from sandtable.rulesets.stargrunt.observation.counters import LOCATED
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED
from sandtable.rulesets.stargrunt.units.record import BROKEN, ROUTED, at_worst, hull_of, points, standing, units
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import throw
from sandtable.tabletop.states import END_OF_TURN, give, take

#: What players say for an assault, and its entry in the list of actions.
ASSAULT, CLOSE_ASSAULT = "assault", "close_assault"

# The attackers' and the defenders' nerve ----------------------------------------------------------------------------


def declare(battle: Battle, unit: Thing) -> Procedure[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Name the target and who joins, and test everybody's nerve; gives the target, who goes on and who does not.

    stargrunt.close-assault.combined         units that can reach the same enemy join; each tests separately
    """
    chosen: str = yield ChooseOne(
        unit.side,
        f"{unit.label} assaults whom?",
        topic="assault",
        about=(unit.id,),
        options=tuple(all_targets(battle.table, unit)),
        rules=(TARGET.id, SEQUENCE.id),
        shows=("odds",),
    )
    chosen, n = yield from named(battle, unit, chosen)
    if not chosen:
        return "", (), (unit.id,)
    joined = yield from _joining(battle, unit, chosen)
    for name in joined:
        give(battle, name, ACTIVATED, COMBINED, until=END_OF_TURN, because=n)
    passed = tuple(name for name in (unit.id, *joined) if dares(battle, battle.table[name], n))
    failed = tuple(name for name in (unit.id, *joined) if name not in passed)
    if passed and failed:
        goes_on = yield Confirm(
            unit.side,
            "Go on with the rest?",
            topic="with-the-rest",
            about=passed,
            rules=(COMBINED.id,),
            default=True,
        )
        if not goes_on:
            return chosen, (), (unit.id, *joined)
    return chosen, passed, failed


def _joining(battle: Battle, unit: Thing, defender: str) -> Procedure[tuple[str, ...]]:
    able = [
        one for one in units(battle.table, unit.side) if one.id != unit.id and may_join(battle.table, one, defender)
    ]
    if not battle.table.options.get(TOGETHER) or not able:
        return ()
    joined: tuple[str, ...] = yield ChooseSeveral(
        unit.side,
        "Who joins the assault?",
        deed="Assault with {}",
        topic="with",
        about=(unit.id, defender),
        options=tuple(Option(one.id, one.label, (one.id,), (COMBINED.id,)) for one in able),
        rules=(COMBINED.id,),
        shows=("odds",),
        default=(),
    )
    return joined


def dares(battle: Battle, unit: Thing, because: int) -> bool:
    """The tests of a unit that wants to assault; whether it passes them.

    stargrunt.close-assault.sequence         attackers In Position must first get out of it
    """
    for trial in attackers_trials(unit):
        roll = throw(battle, trial, because)
        if not roll.succeeds:
            return False
        if trial == leaving_position(unit):
            take(battle, unit.id, StateName.IN_POSITION, LEAVING, roll.n)
    return True


def stand(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders test their Confidence, and if they pass may still choose to go.

    stargrunt.close-assault.terror                  panic first, and double the Threat Level
    stargrunt.close-assault.broken-defenders        no test: they rout and withdraw
    stargrunt.close-assault.voluntary-withdrawal    the same distance, without losing Confidence
    """
    table, defender = battle.table, battle.table[step.defender]
    terror = any(assaults_with_terror(table[name]) for name in step.attackers)
    if terror:
        panic_test(battle, defender.id, "first_attacked_by_terror")
    if at_worst(defender, BROKEN):
        n = battle.happens(Declared(defender.id, "withdraw", rule=BROKEN_DEFENDERS.id))
        if not at_worst(defender, ROUTED):
            drop(battle, defender.id, 1, BROKEN_DEFENDERS, n)
        yield from give_way(battle, step)
        return
    if not confidence_test(battle, defender.id, standing_threat(table, step.attackers, defender.id), 0):
        yield from give_way(battle, step)
        return
    if not table[defender.id].has(StateName.PANICKED):
        stands = yield ChooseOne(
            defender.side,
            f"{defender.label}: stand or withdraw?",
            topic="stand",
            about=(defender.id, *step.attackers),
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
    battle.push(Charge(step.attackers, step.defender, last=step.follows, follows=step.follows))


def give_way(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders go; the attackers may take their place, up to the combat move they roll."""
    place = points(battle.table, step.defender)
    yield from fall_back(battle, step.defender, step.attackers, farther=True)
    for name in step.attackers:
        attacker = battle.table[name]
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
            yield from take_the_place(battle, attacker, place, combat_distance(score), n)
    battle.push(*going_on(battle.table, step.attackers, step.defender, step.follows))


def take_the_place(
    battle: Battle, attacker: Thing, place: Sequence[Point], allowance: int, because: int
) -> Procedure[None]:
    """The attackers go to the place that was left, by ways of their own or, undrawn, straight and in step."""
    figures = tuple(one.id for one in standing(battle.table, attacker.id))
    walks: dict[str, Walk] = yield MoveModels(
        attacker.side,
        "How do they take the place?",
        topic="take-place",
        about=(attacker.id,),
        models=figures,
        allowance=dict.fromkeys(figures, allowance),
        together=IN_INTEGRITY,
        faces=False,
        rules=(VOLUNTARY.id, COMBAT.id),
        shows=("distance", "reach"),
        default={},
    )
    if any(one.legs for one in walks.values()):
        walk(battle, walks, allowance, VOLUNTARY, because=because)
        note_left_behind(battle, attacker.id)
    else:
        moves.advance(battle, attacker, place, allowance, because)


# What the chapter brings -------------------------------------------------------------------------------------------


def _assaults(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """An assault takes the whole activation; a failed test loses the first action only."""
    defender, passed, failed = yield from declare(battle, unit)
    first: list[Step] = [Stand(passed, defender)] if passed else []
    for name in failed:
        battle.happens(Forfeited(name, "close assault", rule=FAILED.id if defender else LOCATED.id))
        if name != unit.id:
            left = step.actions - 1
            first.append(Activate(name, left, True, (ASSAULT,), (CLOSE_ASSAULT,), begun=True, ready=True))
    if unit.id in failed:
        return Outcome(failed=bool(defender), then=tuple(first), spent=1, again=False, told=True)
    return Outcome(then=tuple(first))


def _judge_place(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    unit = view.table[question.about[0]]
    refusal = refused_walks(view.table, unit.side, answer, max(question.allowance.values(), default=0))
    return too_far(question, refusal)


def _nobody_to_assault(table: Table, unit: Thing) -> Refusal | None:
    if at_worst(unit, BROKEN):
        return Refusal(ATTACKER_TEST.id, f"{unit.label} is in no state to assault anybody.", (BROKEN_RULE.id,))
    if all_targets(table, unit):
        return None
    there = named_targets(table, unit)
    return assault_refused(table, unit, there[0].id) if there else Refusal(TARGET.id, "There is no enemy to assault.")


def _vehicles_do_not(table: Table, unit: Thing) -> Refusal | None:
    if hull_of(table, unit.id) is None:
        return passengers_do_not(table, unit)
    return Refusal(TARGET.id, f"{unit.label} is a vehicle and assaults nobody.")


def _combat_die(table: Table, asked: Data) -> object:
    figure, foe = table[asked.text_at("of")], table[asked.text_at("against")]
    return combat_dice(table, figure, [foe], covered=False)[0]


CHAPTER = Chapter(
    actions=(
        Action(
            id=ASSAULT,
            entry=CLOSE_ASSAULT,
            label="Close assault",
            rule=ATTACKER_TEST,
            whole=ATTACKER_TEST,
            carry_out=_assaults,
            refused=_nobody_to_assault,
            barred=_vehicles_do_not,
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
        FollowThrough: follow_through,
    },
    unoffered={"assault": of_ones_own(named_targets, assault_refused)},
    judges={"take-place": _judge_place, "charge": judge_charge},
    previews={"take-place": move_preview},
    readers=dict.fromkeys(("take-place", "charge"), read_walks),
    switches={
        TOGETHER: "several units may assault together (stargrunt.close-assault.combined)",
        GO_ON: "attackers who have won may go on (stargrunt.close-assault.follow-through)",
    },
    answers={
        "assault": "whom a unit assaults",
        "with": "the units that join an assault",
        "with-the-rest": "whether the others go on when some have not dared",
        "charge": "the paths of attackers up to the defenders; who has none goes straight",
        "take-place": "the paths of attackers into the place that was left",
        "follow-through": "whether attackers who have won go on",
        "onwards": "move, or the unit they assault next",
        "stand": "stand or withdraw",
        "follow": "follow, to take the place the defenders left, or stay",
        "final-fire": "fire (of several attackers, the one that is fired at), or pass",
        "final-weapons": "the figures whose support weapons join final defensive fire",
        "back": "start or cover: where attackers go back to",
        "short": "stay or go-back, when the attackers fall short again",
        "pair-off": "who faces whom, {A1: B1}",
        "surplus": "whom the surplus figures face",
    },
    values={"combat-die": _combat_die},
)
