"""Combat moves in, and falling back."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import MoveModels
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc, Point, Region, Via, Walk
from sandtable.engine.table import Thing
from tests.miniatures.assault_ground import FARTHEST, REACH, TOUCHING, at_baseline, homewards, straight_in
from tests.miniatures.figures import CHAIN, fit, spot, walk_on
from tests.miniatures.nerve import level

WITHDRAWAL = "stargrunt.close-assault.withdrawal-path"
MOBILITY_DIE = "stargrunt.movement.combat"


def combat_move(
    battle: Battle, unit: Thing, prompt: str, rule: str, goal: tuple[Point, ...], target: str = ""
) -> MoveModels:
    """The question for a combat move: paths first, the distance is rolled afterwards."""
    models = tuple(one.id for one in fit(battle.table, unit.id))
    default = straight_in(battle.table, unit.id, target) if target else {}
    return MoveModels(
        unit.side,
        prompt,
        topic="charge" if target else "advance",
        about=(unit.id, target) if target else (unit.id,),
        models=models,
        allowance=dict.fromkeys(models, FARTHEST if target else 2 * REACH),
        manner="combat",
        together=CHAIN,
        ends=Region(inside=tuple(Disc(p, TOUCHING) for p in goal), whole=False, rule=rule),
        rules=(rule, MOBILITY_DIE),
        shows=("distance",),
        default=default,
    )


def mobility(battle: Battle, unit: Thing) -> tuple[int, int]:
    """Roll a combat move: twice a D6 in inches; gives the distance and the event."""
    roll = battle.dice.total("d6")
    n = battle.happens(
        Rolled(
            "combat move",
            unit.id,
            roll.dice,
            roll.faces,
            roll.natural,
            parts=(ExplainedPart("twice the die", roll.natural, MOBILITY_DIE),),
            total=2 * roll.natural,
            rule=MOBILITY_DIE,
        )
    )
    return 2 * roll.natural * UNIT, n


def fall_back(battle: Battle, unit: Thing, rule: str) -> Procedure[None]:
    """Six inches towards the own baseline; a routed unit that reaches it is gone, one that cannot move surrenders.

    stargrunt.close-assault.withdrawal-path
    """
    models = tuple(one.id for one in fit(battle.table, unit.id))
    if not models:
        return
    at_edge = all(at_baseline(battle.table, spot(battle.table[one]), unit.side) for one in models)
    if not at_edge:
        walks = yield MoveModels(
            unit.side,
            f"{unit.label} falls back",
            topic="fall back",
            about=(unit.id,),
            models=models,
            allowance=dict.fromkeys(models, REACH),
            manner="forced",
            rules=(WITHDRAWAL, rule),
            default={one: homewards(battle.table, battle.table[one]) for one in models},
        )
        before = [spot(battle.table[one]) for one in models]
        walk_on(battle, models, walks, WITHDRAWAL, manner="forced")
        if [spot(battle.table[one]) for one in models] == before:
            for one in models:
                battle.happens(ModelLost(one, "captured", rule=WITHDRAWAL))
    elif level(battle.table[unit.id]) == "RO":
        for one in models:
            battle.happens(ModelLost(one, "left the table", rule="stargrunt.movement.table-edges"))


def go_back(battle: Battle, unit: str, begun: dict[str, Point], rule: str) -> None:
    """The attackers go back to where they started."""
    models = [one.id for one in fit(battle.table, unit)]
    walks = {one: Walk((Via(begun[one]),)) for one in models if begun[one] != spot(battle.table[one])}
    walk_on(battle, models, walks, rule, manner="forced")
