"""Vehicles that wait come over their baseline."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Leg, Off, Point, Region, Spot, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import inside_of, strip
from sandtable.field.measure import outline_of
from sandtable.field.walking.encounters import meetings, over_edge
from sandtable.field.walking.paths import Pose, resolve
from sandtable.field.walking.spans import price_by_length
from sandtable.forces.ledger import citing
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove, Outcome
from sandtable.rulesets.stargrunt.confidence.levels import sights
from sandtable.rulesets.stargrunt.movement.moves import along_strip
from sandtable.rulesets.stargrunt.movement.terrain_costs import NORMAL, rates, stopped
from sandtable.rulesets.stargrunt.movement.walking import EDGES, away_from_home, baseline
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING
from sandtable.rulesets.stargrunt.units.record import STANDS_FOR_IT, hull_of, waiting
from sandtable.rulesets.stargrunt.vehicles.driving import BASE_MOVE, VEHICLES, driven_hull, in_the_way
from sandtable.tabletop.chapters import Chapter


def refused_entry(table: Table, unit: Thing, hull: Thing, at: Point, facing: int) -> Refusal | None:
    """Why a vehicle may not come in to a point: straight from its baseline, within its move, through nobody.

    It may turn where it stops, for vehicles turn as they go.
    """
    assert hull.base is not None
    begins = inside_of(table.ground, baseline(table, unit.side), at)
    ahead = away_from_home(table, unit.side)
    if over_edge(outline_of(hull.base, at, facing), table.ground):
        return Refusal(EDGES.id, f"{hull.label} would not be wholly on the table.")
    track = resolve(Pose(begins, ahead), Walk((Via(at), Leg(facing - ahead))))
    placed = replace(hull, place=At(begins), facing=ahead)
    trace = price_by_length(track, table.ground, rates(table.ground, placed, BASE_MOVE))
    stop = stopped(trace)
    if stop is not None:
        return Refusal(ALTERNATING.id, stop.sentence, stop.rules)
    barred = in_the_way(table, hull)
    for met in meetings(track, hull.base, [one.shape for one in barred]):
        if met.last is not None:
            there = barred[met.other]
            return Refusal(there.rule.id, f"{hull.label} cannot go through {there.label}.")
    return None


def entry_region(table: Table, unit: Thing, hull: Thing) -> Region:
    """Where the middle of a vehicle may come to stand that enters with a move from its baseline."""
    assert hull.base is not None
    half, rim = hull.base.size // 2, hull.base.depth // 2
    shape = strip(table.ground, baseline(table, unit.side), max(BASE_MOVE, rim + 1), rim, half)
    return Region((shape,), whole=False, rule=ALTERNATING.id, label="one move from your baseline")


def _no_room(table: Table, unit: Thing) -> Refusal | None:
    hull = driven_hull(table, unit)
    for at in along_strip(entry_region(table, unit, hull), baseline(table, unit.side)):
        if refused_entry(table, unit, hull, at, away_from_home(table, unit.side)) is None:
            return None
    return Refusal(ALTERNATING.id, f"There is no room for {unit.label} to enter.")


def _enters(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A vehicle that waits comes over its baseline (stargrunt.turn.alternating-activation)."""
    hull = driven_hull(battle.table, unit)
    answer: dict[str, Spot] = yield PlaceThings(
        unit.side,
        f"Where does {unit.label} enter?",
        topic="drive-on",
        about=(unit.id,),
        things=(hull.id,),
        where={"": entry_region(battle.table, unit, hull)},
        rules=(ALTERNATING.id, EDGES.id),
    )
    where = answer[hull.id].where
    assert isinstance(where, At)
    n = battle.happens(Placed(unit.id, Off(STANDS_FOR_IT), rule=ALTERNATING.id, detail=citing(EDGES, NORMAL)))
    battle.happens(Placed(hull.id, where, answer[hull.id].facing, rule=VEHICLES.id, because=n))
    sights(battle, n)
    return Outcome(then=(AfterMove(unit.id),))


def _judge_entry(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    where = answer[question.things[0]].where
    if not isinstance(where, At) or where.level:
        return Refusal(question.rules[0], "Choose a point on the table.")
    unit = view.table[question.about[0]]
    name = question.things[0]
    return refused_entry(view.table, unit, view.table[name], where.point, answer[name].facing)


CHAPTER = Chapter(
    actions=(
        Action(
            id="drive-on",
            entry="move",
            label="Enter the table",
            rule=ALTERNATING,
            carry_out=_enters,
            shown=lambda table, unit: waiting(unit) and hull_of(table, unit.id) is not None,
            refused=_no_room,
        ),
    ),
    judges={"drive-on": _judge_entry},
    answers={"drive-on": "where a vehicle enters"},
)
