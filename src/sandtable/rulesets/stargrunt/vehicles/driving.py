"""How vehicles move: they turn as they go, reverse at the same cost, and go through nobody."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Halted, Moved
from sandtable.engine.questions import MoveModels, PathNote, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Disc, Shape, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import outline_of, overlap
from sandtable.field.walking.encounters import Obstacles, leaves_board, meetings, over_edge
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker, reach
from sandtable.field.walking.spans import price_by_length
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome
from sandtable.rulesets.stargrunt.confidence.levels import BROKEN_RULE, is_shaken, leaving_cover, sights
from sandtable.rulesets.stargrunt.cover.lines import from_enemies
from sandtable.rulesets.stargrunt.cover.protection import LINEAR, OPEN, hull_cover, threatened_from
from sandtable.rulesets.stargrunt.dice.foretold import combat_preview, trial_preview
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.movement.actions import moved, read_walks
from sandtable.rulesets.stargrunt.movement.moves import passes, unnerved
from sandtable.rulesets.stargrunt.movement.reaching import leg_by_leg, weighed
from sandtable.rulesets.stargrunt.movement.terrain_costs import (
    BARS,
    CLASSES,
    COSTS,
    MOBILITY,
    NORMAL,
    WALLS,
    grade,
    mover,
    over_walls,
    rates,
    stopped,
    too_far,
)
from sandtable.rulesets.stargrunt.movement.walking import COMBAT, EDGES, combat_distance, nearer_to_somebody
from sandtable.rulesets.stargrunt.obstacles.treading import tread
from sandtable.rulesets.stargrunt.units.record import BROKEN, at_worst, hull_of, on_ground, spot
from sandtable.rulesets.stargrunt.vehicles.getting_out import DRIVEN_BY_SQUAD
from sandtable.rulesets.stargrunt.vehicles.hulls import IMMOBILISED, flies, footprint
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.previews import together

VEHICLES = rule("stargrunt.movement.vehicles")
SUSPENSION = rule("stargrunt.vehicles.suspension-hit")

#: How far a vehicle goes in a normal move, and the die of its combat move.
BASE_MOVE = MOBILITY.inches("vehicle", "base_in")
DIE = MOBILITY.number("vehicle", "die")


# Pure questions ----------------------------------------------------------------------------------------------------


def track_of(hull: Thing, walk: Walk) -> Track:
    """The way of a vehicle from where it stands."""
    return resolve(Pose(spot(hull), hull.facing), walk)


class Barrier(NamedTuple):
    """Something that a vehicle cannot go through."""

    shape: Shape
    label: str
    rule: Rule


def in_the_way(table: Table, hull: Thing) -> list[Barrier]:
    """What a vehicle cannot go through: everybody else, and ground that is impassable to it, if it is not in it.

    stargrunt.movement.walls-and-buildings    nor walls and hedges, if it goes on wheels
    """
    found = [Barrier(footprint(one), one.label, VEHICLES) for one in on_ground(table) if one.id != hull.id]
    own, who = footprint(hull) if isinstance(hull.place, At) else None, mover(hull)
    for piece in table.ground.pieces:
        barred = grade(piece.kind, who, vehicle(hull).amphibious) == "impassable"
        if piece.kind in LINEAR:
            barred = not WALLS.has("obstacle_cost_in", over_walls(who))
        if barred and (own is None or not overlap(own, piece.outline)):
            why = WALLS if piece.kind in LINEAR else BARS.get(piece.kind, CLASSES)
            found.append(Barrier(piece.outline, piece.label or piece.kind, why))
    return found


def refused_drive(table: Table, unit: Thing, hull: Thing, walk: Walk, allowance: int | None) -> Refusal | None:
    """Why a vehicle may not drive so.

    stargrunt.movement.vehicles    turning freely, reversing at the same cost, through nobody
    """
    if any(isinstance(leg, Via) for leg in walk.legs):
        return Refusal(VEHICLES.id, "A vehicle turns, and goes straight ahead or back.")
    track = track_of(hull, walk)
    assert hull.base is not None
    trace = price_by_length(track, table.ground, rates(table.ground, hull, allowance))
    stop = stopped(trace)
    if stop is not None:
        return stop
    ends = outline_of(hull.base, track.end.point, track.end.facing)
    if leaves_board(track, hull.base, table.ground) is not None or over_edge(ends, table.ground):
        return Refusal(EDGES.id, f"{hull.label} would leave the table.")
    barred = in_the_way(table, hull)
    for met in meetings(track, hull.base, [one.shape for one in barred]):
        if met.last is not None:
            there = barred[met.other]
            return Refusal(there.rule.id, f"{hull.label} cannot go through {there.label}.")
    if at_worst(unit, BROKEN) and nearer_to_somebody(table, unit.side, [spot(hull)], [track.end.point]):
        return Refusal(BROKEN_RULE.id, f"{unit.label} is Broken and moves only to retreat.")
    return unnerved(unit, trials_of(table, unit, hull, walk))


def drive_reach(table: Table, hull: Thing, allowance: int) -> tuple[Shape, ...]:
    """Where the middle of a vehicle may get with a drive."""
    key = (drive_reach, hull.id, allowance)
    found: tuple[Shape, ...] | None = table.things_cache.get(key)
    if found is None:
        found = table.things_cache[key] = reach([driver(table, hull, allowance)])
    return found


def driver(table: Table, hull: Thing, allowance: int) -> Walker:
    """A vehicle as it may drive with an allowance: what it can pay for, on the table, and through nobody."""
    base, start = hull.base, Pose(spot(hull), hull.facing)
    assert base is not None
    paid, around = rates(table.ground, hull, allowance), Disc(start.point, allowance + base.size + base.depth)
    barred = [one.shape for one in in_the_way(table, hull) if boxes_meet(box_of(one.shape), box_of(around))]
    obstacles = Obstacles(barred)

    def until(track: Track) -> int:
        edge = leaves_board(track, base, table.ground)
        over = [
            turn.along for turn in track.turns if over_edge(outline_of(base, turn.point, turn.facing), table.ground)
        ]
        return min([obstacles.free_until(track, base), *over, *([edge - 1] if edge is not None else [])])

    lie = Lie(table.ground, base, weighed(hull), tuple(barred))
    return Walker(start, leg_by_leg(start, table.ground, paid, until), Gait(allowance), lie)


def needs_nerve(table: Table, unit: Thing, hull: Thing, track: Track) -> bool:
    """Whether a drive leads out of cover into the open, or nearer to a located enemy (stargrunt.confidence.shaken)."""
    source = threatened_from(table, unit)
    before, after = hull_cover(table.ground, hull, source), hull_cover(table.ground, at_end(hull, track), source)
    leaves = before > OPEN and after == OPEN
    return leaves or nearer_to_somebody(table, unit.side, [spot(hull)], [track.end.point])


def at_end(hull: Thing, track: Track) -> Thing:
    """A vehicle as it would stand at the end of a way."""
    return replace(hull, place=At(track.end.point), facing=track.end.facing)


# Moves of choice ---------------------------------------------------------------------------------------------------


def named(
    battle: Battle, unit: Thing, topic: str, prompt: str, allowance: int, why: Rule
) -> Procedure[tuple[Thing, Walk] | None]:
    """A vehicle and the way it is to go, as its player names it; none where the crew lacks the nerve."""
    hull = driven_hull(battle.table, unit)
    walks: dict[str, Walk] = yield MoveModels(
        unit.side,
        prompt,
        topic=topic,
        about=(unit.id,),
        models=(hull.id,),
        allowance={hull.id: allowance},
        rules=(why.id, VEHICLES.id, MOBILITY.id),
        shows=_shows(unit, topic),
        default={},
    )
    walk = walks.get(hull.id, Walk())
    return (hull, walk) if has_nerve(battle, unit, hull, walk) else None


def _shows(unit: Thing, topic: str) -> tuple[str, ...]:
    """What a preview of a way can hold: on a road a vehicle gets as far as the road leads, and only a test has odds."""
    if topic == "road":
        return ("distance", "odds") if is_shaken(unit) else ("distance",)
    return "distance", "reach", "odds"


def drive(battle: Battle, unit: Thing) -> Procedure[bool]:
    """A vehicle moves its base mobility; whether a test for it failed (stargrunt.movement.vehicles)."""
    way = yield from named(battle, unit, "drive", f"Drive {unit.label}", BASE_MOVE, NORMAL)
    if way is not None:
        go(battle, unit, *way, BASE_MOVE, NORMAL)
    return way is None


def combat_drive(battle: Battle, unit: Thing) -> Procedure[bool]:
    """The way is named first, then the die says how far along it the vehicle comes (stargrunt.movement.combat)."""
    prompt = f"Where does {unit.label} want to get?"
    way = yield from named(battle, unit, "combat-drive", prompt, combat_distance(DIE), COMBAT)
    if way is not None:
        score, n = plain_roll(battle, "combat move", unit.id, f"d{DIE}", COMBAT)
        go(battle, unit, *way, combat_distance(score), COMBAT, because=n)
    return way is None


def driven_hull(table: Table, unit: Thing) -> Thing:
    hull = hull_of(table, unit.id)
    assert hull is not None, f"{unit.id} drives nothing"
    return hull


def trials_of(table: Table, unit: Thing, hull: Thing, walk: Walk) -> list[Check]:
    """The test a drive needs first, if it needs one."""
    track = track_of(hull, walk)
    tries = is_shaken(unit) and track.length and needs_nerve(table, unit, hull, track)
    return [leaving_cover(unit)] if tries else []


def has_nerve(battle: Battle, unit: Thing, hull: Thing, walk: Walk) -> bool:
    return all(passes(battle, unit, trial) for trial in trials_of(battle.table, unit, hull, walk))


def go(
    battle: Battle,
    unit: Thing,
    hull: Thing,
    walk: Walk,
    allowance: int,
    why: Rule,
    *,
    manner: str = "own",
    because: int = 0,
) -> None:
    """Let a vehicle go its way, as far as its allowance takes it."""
    track = track_of(hull, walk)
    trace = price_by_length(track, battle.table.ground, rates(battle.table.ground, hull, allowance))
    gone = trace.length if trace.stop is None else trace.stop.along
    whole = gone == track.length
    pose = track.end if whole else track.pose_at(gone)
    if (pose.point, pose.facing) != (spot(hull), hull.facing):
        told = citing(VEHICLES, COSTS, CLASSES, *([] if vehicle(hull).own_crew else [DRIVEN_BY_SQUAD]))
        done = track.walk if whole else track.cut(gone)[0]
        to = At(pose.point)
        tread(battle, hull, done, because)
        because = battle.happens(
            Moved(
                *(hull.id, hull.place, to, pose.facing % 360, done, manner),
                rule=why.id,
                because=because,
                detail=told,
            )
        )
        if not whole:
            battle.happens(Halted(hull.id, gone, to, rule=why.id, because=because))
    sights(battle, because)


def moving(
    move: Callable[[Battle, Thing], Procedure[bool]],
) -> Callable[[Battle, Thing, Activate], Procedure[Outcome]]:
    def carry_out(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
        hull = driven_hull(battle.table, unit)
        begun = {str(hull.id): (spot(hull).x, spot(hull).y)}
        failed = yield from move(battle, unit)
        return moved(battle.table[unit.id], begun, failed=failed)

    return carry_out


def stuck(table: Table, unit: Thing) -> Refusal | None:
    hull = driven_hull(table, unit)
    if hull.has(IMMOBILISED):
        return Refusal(SUSPENSION.id, f"{hull.label} is immobilised.")
    return None


def judge_drive(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Whether a vehicle may go the way that is named."""
    unit = view.table[question.about[0]]
    (name,) = question.models
    allowance = None if question.topic == "combat-drive" else question.allowance[name]
    return too_far(question, refused_drive(view.table, unit, view.table[name], answer.get(name, Walk()), allowance))


def preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    (name,) = question.models
    hull, walk = view.table[name], answer.get(name, Walk())
    allowance = question.allowance[name]
    track = track_of(hull, walk)
    trace = price_by_length(track, view.table.ground, rates(view.table.ground, hull, allowance))
    spots = (track.start.point, *(stretch.end for stretch in track.stretches))
    costs = tuple(step.cost for step in trace.steps)
    unit = view.table[question.about[0]]
    there = view.table.copy()
    there.things[name] = at_end(hull, track)
    paths = (PathNote(name, spots, costs, trace.total, allowance),) if track.length else ()
    reached = drive_reach(view.table, hull, allowance) if "reach" in question.shows else ()
    shown = Preview(distances=from_enemies(there, unit), reach=reached, paths=paths)
    if not track.length:
        return shown
    trials = trials_of(view.table, unit, hull, walk)
    nerve = trial_preview("it goes", *trials)
    if question.topic != "combat-drive":
        return together(shown, nerve)
    return together(shown, nerve, combat_preview(DIE, trace.total, trials))


def _manned(table: Table, unit: Thing) -> bool:
    hull = hull_of(table, unit.id)
    return hull is not None and isinstance(hull.place, At) and not flies(hull)


CHAPTER = Chapter(
    actions=(
        Action(
            id="drive",
            entry="move",
            label="Drive",
            rule=VEHICLES,
            carry_out=moving(drive),
            shown=_manned,
            refused=stuck,
        ),
        Action(
            id="combat-drive",
            entry="move",
            label="Combat move",
            rule=COMBAT,
            carry_out=moving(combat_drive),
            shown=_manned,
            refused=stuck,
        ),
    ),
    judges={"drive": judge_drive, "combat-drive": judge_drive},
    answers={
        "drive": "the way of a vehicle, {V-hull: [{turn: 30, go: 6}]}",
        "combat-drive": "the way of a vehicle's combat move",
    },
    readers=dict.fromkeys(("drive", "combat-drive"), read_walks),
)
