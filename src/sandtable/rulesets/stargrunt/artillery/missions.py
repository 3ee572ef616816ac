"""A fire mission arrives: which marker was real, how accurate the fire is, and where it falls."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Revealed, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.stargrunt.artillery.assets import (
    AIM,
    ASSETS,
    BOX,
    CALLER,
    INBOUND,
    MARKERS,
    RADIUS,
    REAL,
    ROUNDS,
    WARHEAD,
    asset,
    specialists,
)
from sandtable.rulesets.stargrunt.artillery.bursts import DEVIATION, Bombardment, impact_of, scattered
from sandtable.rulesets.stargrunt.cover.protection import figure_seen
from sandtable.rulesets.stargrunt.dice.rolls import trial
from sandtable.rulesets.stargrunt.turn.order import FIRE_MISSION
from sandtable.rulesets.stargrunt.units.record import leadership, quality_die, spot
from sandtable.tabletop.checks import Check, Thrown, throw
from sandtable.tabletop.states import take

ACCURACY = rule("stargrunt.artillery.accuracy")


class FireMission(Step, frozen=True):
    """A mission in box 1 is resolved."""

    asset: str


def observed(table: Table, caller: Thing, kind: str, at: Point) -> bool:
    """Whether a specialist of the calling unit is there and sees the target."""
    return any(figure_seen(table.ground, spot(one), at) for one in specialists(table, caller, kind))


def accuracy_target(table: Table, caller: Thing, kind: str, at: Point) -> tuple[ExplainedPart, ...]:
    """What the accuracy roll has to exceed: LV where a specialist observes, else twice as much."""
    lv = leadership(caller)
    own = ExplainedPart("LV", lv, ACCURACY.id)
    if observed(table, caller, kind, at):
        return (own,)
    more = (ACCURACY.formula("exceed_otherwise") - 1) * lv
    return own, ExplainedPart("not observed by a specialist", more, ACCURACY.id)


def accuracy(table: Table, caller: Thing, kind: str, at: Point) -> Check:
    """What it takes that fire on a point is accurate: the Quality of the unit that called."""
    return trial("accuracy", caller.id, quality_die(caller), accuracy_target(table, caller, kind, at), ACCURACY)


def fire_mission(battle: Battle, step: FireMission) -> Procedure[None]:
    """The real marker is shown, the accuracy rolled, and the first round falls there or somewhere else.

    stargrunt.turn.fire-mission-as-activation    it takes the place of an activation
    stargrunt.artillery.accuracy                 the Quality of the unit that called
    """
    yield from ()
    table, thing = battle.table, battle.table[step.asset]
    told = citing(INBOUND)
    battle.happens(StepBegan("fire mission", thing.side, (thing.id,), rule=FIRE_MISSION.id, detail=told))
    caller = table[str(thing.value(CALLER))]
    aimed = _reveal(battle, thing)
    trial = accuracy(table, caller, asset(thing).kind, aimed)
    rounds, warhead = thing.value(ROUNDS), str(thing.value(WARHEAD))
    assert isinstance(rounds, int)
    for state in [one for one in (BOX, CALLER, WARHEAD, ROUNDS, MARKERS) if thing.has(one)]:
        take(battle, thing.id, state, ASSETS)
    roll = throw(battle, trial)
    falls = aimed if roll.succeeds else deviated(battle, thing.id, aimed, roll, roll.score)
    battle.push(salvo(thing, aimed, falls, warhead, rounds))


def salvo(thing: Thing, aimed: Point, falls: Point, warhead: str, rounds: int) -> Bombardment:
    """The rounds of a battery, the first of which falls on a point."""
    delivery = asset(thing).delivery
    return Bombardment(
        *(thing.id, aimed, falls, RADIUS.inches(delivery), impact_of(warhead, delivery), warhead, rounds)
    )


def _reveal(battle: Battle, thing: Thing) -> Point:
    """Turn the real marker up and take all of them away; gives where it lay (stargrunt.artillery.aim-point)."""
    names = thing.value(MARKERS)
    assert isinstance(names, tuple)
    markers = [battle.table[name] for name in names]
    real = next(one for one in markers if one.has(REAL))
    n = battle.happens(Revealed(f"{thing.side}: real-point", real.id, value=real.id, rule=AIM.id))
    for one in markers:
        why = "it was the target" if one is real else "it was a dummy"
        battle.happens(Left(one.id, why, rule=AIM.id, because=n))
    return spot(real)


def deviated(battle: Battle, by: str, aimed: Point, roll: Thrown, times: int) -> Point:
    """Where inaccurate fire goes: a D12 for the direction, a D8 times so much for the distance.

    stargrunt.artillery.deviation    multiplied by the score of the failed roll, not by what was missing
    """
    die, _, multiplier = DEVIATION.text_at("distance").partition(" * ")
    same_number("what the distance is multiplied by", multiplier, "accuracy_roll")
    return scattered(battle, by, aimed, DEVIATION, die, times, roll.n)
