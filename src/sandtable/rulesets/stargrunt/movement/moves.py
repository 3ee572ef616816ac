"""The move actions of a unit: entering, normal and combat moves, and moves nobody chooses."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import MoveModels, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point, Region, Spot, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import Edge, inside_of, strip
from sandtable.field.ground import box_of
from sandtable.field.measure import center_gap, gap_floor
from sandtable.field.walking.encounters import over_edge
from sandtable.field.walking.paths import Pose, resolve
from sandtable.field.walking.spans import price_by_length
from sandtable.forces.ledger import Rule, citing
from sandtable.rulesets.stargrunt.chapter import FAILED
from sandtable.rulesets.stargrunt.close_assault.prisoners import capture
from sandtable.rulesets.stargrunt.confidence.levels import (
    BROKEN_RULE,
    SHAKEN_RULE,
    is_shaken,
    leaving_cover,
    leaving_position,
    note_abandoned,
    sights,
)
from sandtable.rulesets.stargrunt.cover.protection import LEAVING, OPEN, cover_at, sees, threatened_from
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.movement.carrying import bearers_of, carry_along, put_down, take_along
from sandtable.rulesets.stargrunt.movement.terrain_costs import MOBILITY, NORMAL, Rates, mover, stopped
from sandtable.rulesets.stargrunt.movement.walking import (
    BURDENED,
    COMBAT,
    EDGES,
    ENCUMBERED,
    FIGURES,
    TOGETHER,
    TRAVEL,
    base_mobility,
    baseline,
    combat_distance,
    crowded,
    mobility_die,
    nearer_to_somebody,
    note_left_behind,
    others,
    refused_walks,
    walk,
)
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    BROKEN,
    NOBODY_FIT,
    STANDS_FOR_IT,
    at_worst,
    block,
    enemies,
    fit,
    gap_between,
    on_ground,
    points,
    spot,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import footprint
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.states import END_OF_TURN, give, take

# Entering ----------------------------------------------------------------------------------------------------------


def entry_region(table: Table, unit: Thing) -> Region:
    """Where the middle of a unit may come to stand that enters with a move from its baseline."""
    offsets = block(len(fit(table, unit.id)), Point(0, 0))
    wide = max(abs(p.x) for p in offsets) + BASE.size // 2
    deep = max(abs(p.y) for p in offsets)
    far, rim = base_mobility(unit) - deep, deep + BASE.size // 2
    edge = baseline(table, unit.side)
    if edge.upright:
        wide, rim, far = deep + BASE.size // 2, wide, base_mobility(unit) - wide + BASE.size // 2
    shape = strip(table.ground, edge, max(far, rim + 1), rim, wide)
    return Region((shape,), whole=False, rule=ALTERNATING.id, label="one move from your baseline")


def refused_entry(table: Table, unit: Thing, middle: Point) -> Refusal | None:
    """Why a unit may not enter so: each figure goes straight in from the baseline, within its move."""
    figures = fit(table, unit.id)
    spots = block(len(figures), middle)
    edge = baseline(table, unit.side)
    foes = [footprint(one) for one in on_ground(table) if one.side != unit.side]
    apart = FIGURES.inches("min_distance_to_enemy_in")
    for one, at in zip(figures, spots, strict=True):
        base = Disc(at, BASE.size // 2)
        if over_edge(base, table.ground):
            return Refusal(EDGES.id, f"{one.label} would not be wholly on the table.")
        track = resolve(Pose(inside_of(table.ground, edge, at)), Walk((Via(at),)))
        trace = price_by_length(track, table.ground, Rates(mover(unit), base_mobility(unit), one.label))
        stop = stopped(trace)
        if stop is not None:
            slowed = (ENCUMBERED.id,) if unit.has(BURDENED) else ()
            return Refusal(ALTERNATING.id, stop.sentence, (*stop.rules, *slowed))
        if any(gap_floor(base, foe) < apart for foe in foes):
            return Refusal(FIGURES.id, f"{one.label} would come within {inches(apart)} of an enemy.")
    if crowded(spots, others(table, ())):
        return Refusal(FIGURES.id, "Two bases would overlap.")
    return None


def may_enter(table: Table, unit: Thing) -> bool:
    """Whether there is any place where a unit can enter, looked for every inch along its baseline."""
    spots = along_strip(entry_region(table, unit), baseline(table, unit.side))
    return any(refused_entry(table, unit, at) is None for at in spots)


def along_strip(region: Region, edge: Edge) -> Iterator[Point]:
    """Points of the strip on which somebody enters, every inch along both of its long sides."""
    west, north, east, south = box_of(region.inside[0])
    if edge.upright:
        yield from (Point(x, y) for y in range(north, south + 1, UNIT) for x in (west, east))
    else:
        yield from (Point(x, y) for x in range(west, east + 1, UNIT) for y in (north, south))


def enter(battle: Battle, unit: Thing) -> Procedure[None]:
    """A unit that waits comes over its baseline, in rows (stargrunt.turn.alternating-activation)."""
    figures = fit(battle.table, unit.id)
    shapes = tuple(Disc(at, BASE.size // 2) for at in block(len(figures), Point(0, 0)))
    answer: dict[str, Spot] = yield PlaceThings(
        unit.side,
        f"Where does {unit.label} enter?",
        topic="enter",
        about=(unit.id,),
        things=(unit.id,),
        where={"": entry_region(battle.table, unit)},
        faces=False,
        outlines={unit.id: shapes},
        rules=(ALTERNATING.id, EDGES.id),
    )
    where = answer[unit.id].where
    assert isinstance(where, At)
    n = battle.happens(Placed(unit.id, Off(STANDS_FOR_IT), rule=ALTERNATING.id, detail=citing(EDGES, NORMAL)))
    for one, at in zip(figures, block(len(figures), where.point), strict=True):
        battle.happens(Placed(one.id, At(at), rule=ALTERNATING.id, because=n))
    sights(battle)


# Moves of choice ---------------------------------------------------------------------------------------------------


def _question(
    unit: Thing,
    figures: Sequence[str],
    carried: Sequence[str],
    topic: str,
    prompt: str,
    allowance: int,
    rules: Sequence[RuleId],
) -> MoveModels:
    """Who moves, and whom they carry: the question is about these too, for they are in nobody's way."""
    return MoveModels(
        unit.side,
        prompt,
        topic=topic,
        about=(unit.id, *carried),
        models=tuple(figures),
        allowance=dict.fromkeys(figures, allowance),
        together=TOGETHER,
        faces=False,
        rules=tuple(rules),
        shows=("distance", "reach", *(("odds",) if topic in ("move", "combat-move") or may_test(unit) else ())),
        default={},
    )


def _named_move(
    battle: Battle, unit: Thing, topic: str, prompt: str, why: Rule, far: Callable[[Thing], int], *, rolls: bool = False
) -> Procedure[bool]:
    """The ways of a unit are named, tests for them taken, and it goes; whether a test failed.

    Where it `rolls`, the mobility die says how far along its ways it comes, and `far` only how far that can be.
    """
    carried = yield from take_along(battle, unit)
    burdened = battle.table[unit.id]
    allowance, n = far(burdened), 0
    figures = [one.id for one in standing(battle.table, unit.id)]
    walks = yield _question(unit, figures, carried, topic, prompt, allowance, (why.id, MOBILITY.id, FIGURES.id))
    if not may_go(battle, unit, walks):
        put_down(battle, unit.id)
        return True
    if rolls:
        score, n = plain_roll(battle, "combat move", unit.id, f"d{mobility_die(burdened)}", why)
        allowance = combat_distance(score)
    go(battle, unit, walks, allowance, why, carried, n)
    return False


def normal_move(battle: Battle, unit: Thing) -> Procedure[bool]:
    """Every figure up to its base mobility; whether a test for it failed (stargrunt.movement.normal)."""
    return (yield from _named_move(battle, unit, "move", f"Move {unit.label}", NORMAL, base_mobility))


def combat_move(battle: Battle, unit: Thing) -> Procedure[bool]:
    """The way is named first, then the die says how far along it the unit comes (stargrunt.movement.combat)."""
    prompt = f"Where does {unit.label} want to get?"
    return (yield from _named_move(battle, unit, "combat-move", prompt, COMBAT, farthest, rolls=True))


def farthest(unit: Thing) -> int:
    """How far the mobility die of a unit can take it."""
    return combat_distance(mobility_die(unit))


def travel_move(battle: Battle, unit: Thing) -> Procedure[bool]:
    """A column goes twice its base mobility, and stays a column (stargrunt.movement.travel)."""
    far = TRAVEL.number("multiplier")
    prompt = f"{unit.label} marches"
    return (yield from _named_move(battle, unit, "travel", prompt, TRAVEL, lambda one: far * base_mobility(one)))


def refused_move(
    table: Table, unit: Thing, walks: dict[str, Walk], allowance: int | None, carried: Sequence[str] = ()
) -> Refusal | None:
    """Why a unit may not move so, of its own will."""
    refusal = refused_walks(table, unit.side, walks, allowance, carried=carried)
    if refusal is not None:
        slowed = refusal.rule == NORMAL.id and unit.has(BURDENED)
        return replace(refusal, also=(*refusal.also, ENCUMBERED.id)) if slowed else refusal
    if at_worst(unit, BROKEN) and nearer_to_somebody(
        table, unit.side, points(table, unit.id), ends(table, unit, walks)
    ):
        return Refusal(BROKEN_RULE.id, f"{unit.label} is Broken and moves only to retreat.")
    return unnerved(unit, trials_of(table, unit, walks))


def unnerved(unit: Thing, trials: Sequence[Check]) -> Refusal | None:
    """Why a Shaken unit may not try a way: it has failed to advance in this activation, and may only go elsewhere."""
    if unit.has(StateName.LOST_NERVE) and leaving_cover(unit) in trials:
        told = f"{unit.label} has failed its test to advance and may not try it again in this activation."
        return Refusal(FAILED.id, told, (SHAKEN_RULE.id,))
    return None


def ends(table: Table, unit: Thing, walks: dict[str, Walk]) -> list[Point]:
    """Where the OK figures of a unit would stand after some walks."""
    return [resolve(Pose(spot(one)), walks.get(one.id, Walk())).end.point for one in standing(table, unit.id)]


def after_walks(table: Table, unit: Thing, walks: dict[str, Walk]) -> Table:
    """The table as it would be after some walks of a unit."""
    shown = table.copy()
    for one, at in zip(standing(table, unit.id), ends(table, unit, walks), strict=True):
        shown.things[one.id] = replace(one, place=At(at))
    return shown


def may_test(unit: Thing) -> bool:
    """Whether a unit may have to test before it moves of its own will (`trials_of`)."""
    return unit.has(StateName.IN_POSITION) or is_shaken(unit)


def trials_of(table: Table, unit: Thing, walks: dict[str, Walk]) -> list[Check]:
    """The tests a move needs first: out of position, and for a Shaken unit out of cover or nearer to an enemy."""
    if not any(one.legs for one in walks.values()):
        return []
    shaken = is_shaken(unit) and needs_nerve(table, unit, walks)
    return [
        *([leaving_position(unit)] if unit.has(StateName.IN_POSITION) else []),
        *([leaving_cover(unit)] if shaken else []),
    ]


def leaves_position(battle: Battle, unit: Thing) -> bool:
    """The test of a unit that moves without having given up its position first, if it has one; whether it is out."""
    if not unit.has(StateName.IN_POSITION):
        return True
    return passes(battle, unit, leaving_position(unit))


def may_go(battle: Battle, unit: Thing, walks: dict[str, Walk]) -> bool:
    """The tests a move may need first; whether all are passed. Who gets out of a position has left it."""
    return all(passes(battle, unit, trial) for trial in trials_of(battle.table, unit, walks))


def passes(battle: Battle, unit: Thing, trial: Check) -> bool:
    """One of the tests a move may need first, and what comes of it; whether it is passed."""
    roll = throw(battle, trial)
    if roll.succeeds and trial == leaving_position(unit):
        take(battle, unit.id, StateName.IN_POSITION, LEAVING, roll.n)
    elif not roll.succeeds and trial == leaving_cover(unit):
        give(battle, unit.id, StateName.LOST_NERVE, FAILED, until=END_OF_TURN, because=roll.n)
    return roll.succeeds


def needs_nerve(table: Table, unit: Thing, walks: dict[str, Walk]) -> bool:
    """Whether a move leads out of cover into the open, or nearer to a located enemy (stargrunt.confidence.shaken)."""
    before, after, source = points(table, unit.id), ends(table, unit, walks), threatened_from(table, unit)
    leaves = cover_at(table.ground, before, source) > OPEN and cover_at(table.ground, after, source) == OPEN
    return leaves or nearer_to_somebody(table, unit.side, before, after)


def go(
    battle: Battle,
    unit: Thing,
    walks: dict[str, Walk],
    allowance: int,
    why: Rule,
    carried: Sequence[str] = (),
    because: int = 0,
) -> None:
    """Walk, and note what a move brings: wounded carried or left behind, prisoners, sights, disorder."""
    table = battle.table
    before = points(table, unit.id)
    seen = [foe.id for foe in enemies(table, unit.side) if sees(table, unit.id, foe.id)]
    bearers = bearers_of(table, unit.id, carried)
    walk(battle, walks, allowance, why, carried=carried, because=because)
    carry_along(battle, bearers)
    put_down(battle, unit.id)
    note_left_behind(battle, unit.id)
    note_abandoned(battle, unit.id, before, seen)
    take_prisoners(battle, unit)
    sights(battle)


def captured_by(table: Table, unit: Thing) -> list[Thing]:
    """The enemy casualties a unit takes prisoner where it ends a move (stargrunt.units.unit-without-fit-figures)."""
    near, help_ = NOBODY_FIT.inches("capture_within_in") ** 2, NOBODY_FIT.inches("treat_within_in") ** 2
    found = []
    here = points(table, unit.id)
    for other in table.of_kind("unit"):
        if other.side == unit.side or fit(table, other.id):
            continue
        for one in table.members(other.id):
            if not isinstance(one.place, At) or not any(center_gap(spot(one), at) <= near for at in here):
                continue
            friends = [u for u in table.of_kind("unit") if u.side == other.side and standing(table, u.id)]
            if not any(gap_between(points(table, u.id), [spot(one)]) <= help_ for u in friends):
                found.append(one)
    return found


def take_prisoners(battle: Battle, unit: Thing) -> None:
    """Whoever lies about with nobody to help it falls into the hands of a unit that ends its move there."""
    capture(battle, [one.id for one in captured_by(battle.table, unit)], unit.id, NOBODY_FIT, 0)
