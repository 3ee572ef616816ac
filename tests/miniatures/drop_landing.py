"""A squad comes down from orbit: its zone, its drift, and what it falls on."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Landed, Placed, Rolled, StateChanged
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import Confirm, PlaceThings
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Disc, Leg, Point, Region, Spot, Walk
from sandtable.engine.table import Thing
from sandtable.field.measure import outline_of, overlap
from sandtable.field.walking.encounters import leaves_board
from sandtable.field.walking.paths import Pose, resolve
from tests.miniatures.drop_ground import (
    AFTER_LANDING,
    FOOT,
    LANDING,
    PUT_OFF,
    Activate,
    Drop,
    free_spot,
    landing_zone,
    zone_exists,
)
from tests.miniatures.standing import base_of, others, outline, point_of


def land(battle: Battle, squad: str) -> Procedure[None]:
    """Land now or put it off; the zone's distance to the enemy is tested although measuring is closed.

    strikeops.upgrades.odst-delay      declining, or having no lawful zone, puts it off to a later turn
    strikeops.upgrades.odst-landing    one zone for all, then each model drifts by itself
    """
    table = battle.table
    side = table[squad].side
    lands = False
    if zone_exists(table, side):
        lands = yield Confirm(side, f"Land {squad} now?", topic="land", about=(squad,), rules=(PUT_OFF,))
    if not lands:
        battle.happens(StateChanged(squad, "put off", None, 1, "end of turn", rule=PUT_OFF))
        return
    zone = yield PlaceThings(
        side,
        "Landing zone",
        topic="zone",
        about=(squad,),
        rules=(LANDING,),
        things=("landing zone",),
        where={"": landing_zone(table, side)},
    )
    spot: Spot = zone["landing zone"]
    assert isinstance(spot.where, At)
    x, y = spot.where.point
    battle.happens(StateChanged(squad, "in orbit", 1, None, rule=AFTER_LANDING))
    drops = [Drop(model.id, x, y, spot.facing) for model in table.members(squad)]
    battle.push(*drops, Activate(squad))


def drop(battle: Battle, step: Drop) -> Procedure[None]:
    """One model drifts from the zone; where it falls on another of its squad its side sets it beside that one."""
    table = battle.table
    zone = Point(step.x, step.y)
    roll = battle.dice.scatter("d10")
    n = battle.happens(
        Rolled("drift", step.model, roll.dice, roll.faces, roll.natural, total=roll.natural, rule=LANDING)
    )
    track = resolve(Pose(zone, roll.faces[-1]), Walk((Leg(go=roll.natural * UNIT),)))
    edge = leaves_board(track, FOOT, table.ground)
    at = track.end.point if edge is None else track.pose_at(edge - 1).point
    shape = outline_of(FOOT, at, step.facing)
    under = [model for model in others(table) if overlap(shape, outline(model))]
    caught = tuple(model.id for model in under)
    n = battle.happens(Landed(step.model, zone, at, shape, caught, rule=LANDING, because=n))
    spot = Spot(At(at), step.facing)
    if under and under[0].unit == table[step.model].unit:
        spot = yield from beside(battle, step.model, under[0])
    elif under:
        spot = Spot(At(free_spot(table, at, FOOT)), step.facing)
    battle.happens(Placed(step.model, spot.where, spot.facing, rule=LANDING, because=n))


def beside(battle: Battle, model: str, other: Thing) -> Procedure[Spot]:
    """Ask where a model goes that fell on another: adjacent to it, which is within an inch."""
    reach = FOOT.size // 2 + base_of(other).size // 2
    ring = Region(
        inside=(Disc(point_of(other), reach + UNIT),),
        outside=(Disc(point_of(other), reach),),
        whole=False,
        rule=LANDING,
        label=f"adjacent to {other.id}",
    )
    spots = yield PlaceThings(
        battle.table[model].side,
        f"{model} falls on {other.id}: place it adjacent",
        topic="beside",
        about=(model, other.id),
        rules=(LANDING, RuleId("strikeops.concepts.adjacent")),
        things=(model,),
        where={"": ring},
    )
    spot: Spot = spots[model]
    return spot
