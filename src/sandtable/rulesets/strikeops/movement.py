"""Movement: one continuous move for all Move Actions in a row, lying down, standing up, Double-Time and Stationary."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine.answers.checking import SLIDES
from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Moved
from sandtable.engine.explain import inches
from sandtable.engine.ids import PieceId, RuleId, ThingId
from sandtable.engine.questions import Confirm, MarkAsked, MoveModels, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Base, Leg, Point, Shape, Slide, Via, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.chords import covers_all
from sandtable.field.directions import along as along_the_way
from sandtable.field.ground import on_way, pieces_under
from sandtable.field.measure import CONTACT, center_gap, outline_of, overlap, swept
from sandtable.field.walking.cost import price, road_parts
from sandtable.field.walking.encounters import meetings, over_edge, surely_passed
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import base_of, center, outline, pose, surely_apart
from sandtable.rulesets.cav.movement import (
    Going,
    InTheWay,
    Rates,
    called,
    cut_short,
    facing_asked,
    halts_at,
    held_up,
    on_its_level,
    over_ground,
    paid,
    turn_up,
    with_last_turns,
)
from sandtable.rulesets.cav.states import COUNTING, RENEWED
from sandtable.rulesets.strikeops.datacard import MOVE_VALUE, gait, has, is_cav, is_infantry, movement, stats
from sandtable.rulesets.strikeops.equipment import note_trail
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.states import receive
from sandtable.rulesets.strikeops.terrain import (
    CLASSES,
    COSTS,
    EXTRA_TURN,
    GROUND,
    HEIGHTS,
    MOVE,
    PAYING,
    ROAD_KIND,
    STACKING,
    swims,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

SHORT = rule("strikeops.movement.move-may-be-short")
MEASURING = rule("strikeops.movement.measuring-a-move")
FACING = rule("strikeops.movement.facing")
POOLED = rule("strikeops.movement.two-move-actions-are-one-move")
DOUBLE_TIME = rule("strikeops.movement.double-time")
NOT_MOVING = rule("strikeops.movement.not-moving-is-stationary")
GO_PRONE = rule("strikeops.movement.going-prone")
STOMP = rule("strikeops.movement.stomp")
STAND_UP = rule("strikeops.movement.standing-up")
MOVE_AND_SHOOT = rule("strikeops.shooting.move-and-shoot")
WITHDRAWN = rule("strikeops.victory.withdrawn")
RUN_N_GUN = rule("strikeops.shooting.run-n-gun")
UNDER_WATER = rule("strikeops.attributes.amphibious-underwater-weapons")
HULL_DOWN = rule("strikeops.attributes.turret-hull-down")
SAME_POINT = rule("strikeops.indirect.consecutive-attempts")
SLOW = rule("strikeops.shooting.run-n-gun-slow-models")
REDUCED_TURN = rule("strikeops.attributes.reduced-turn")
HANDLING_DRIFT = rule("strikeops.attributes.improved-handling-drift")
HANDLING_SHIFT = rule("strikeops.attributes.improved-handling-shift")

same_number("how high a CAV lies", GO_PRONE.number("elevation"), HEIGHTS.number("prone_cav"))
same_number("what a turn costs", REDUCED_TURN.number("mv_per_facing_change"), EXTRA_TURN.number("mv"))
same_number("how wide a reduced turn is", REDUCED_TURN.number("max_degrees"), EXTRA_TURN.number("max_degrees"))
for _sideways in (HANDLING_DRIFT, HANDLING_SHIFT):
    same_number("what an inch to the side costs", _sideways.number("mv_cost"), MOVE.number("mv_per_inch_open"))

#: The mark on a path where an attack is made that goes with the move.
FIRES_HERE = "fires here"
#: The fact of a walk that its attack was declared before it.
FIRES_FIRST = "fires first"
WALK, STANDING, DIVE = "walk", "stand-up", "dive"


def running_mv(model: Thing) -> int:
    """The MV of each Move Action of a Run 'N Gun: lowered, of slow models by less.

    strikeops.shooting.run-n-gun, strikeops.shooting.run-n-gun-slow-models
    """
    mv = movement(model)
    slow = mv <= SLOW.number("mv_at_most")
    return max(0, mv + (SLOW if slow else RUN_N_GUN).number("mv_change"))


def limits(model: Thing, actions: int, running: bool) -> tuple[RuleId, ...]:
    """The rules, beside that of the Move Action, by which a model has so much MV for a walk."""
    slow = (SLOW.id,) if movement(model) <= SLOW.number("mv_at_most") else ()
    run = (RUN_N_GUN.id, *slow) if running else ()
    return (*run, *((POOLED.id,) if actions > 1 else ()))


def rates_for(model: Thing, actions: int, running: bool = False) -> Rates:
    """The rates of so many Move Actions in a row (strikeops.movement.two-move-actions-are-one-move)."""
    mv = running_mv(model) if running else movement(model)
    foot, turns = is_infantry(model), not has(model, "reduced_turn")
    return Rates(GROUND, mv * actions, model.label, 0, 0, mv == 0, foot, gait(model), actions, turns)


def going(table: Table, model: Thing, walk: Walk, rates: Rates) -> Going:
    """How far a model can go along a walk.

    strikeops.movement.no-stacking            bases never overlap, not even in passing; contact is no matter
    strikeops.states.suppressed-movement      no inch nearer to any enemy, centre to centre
    strikeops.victory.withdrawn               over an edge it is gone
    strikeops.terrain.forbidden-terrain       out of what it may not enter, yet stands in, an inch a Move Action
    """
    inside = _stands_in(table.ground, base_of(model), pose(model), gait(model))
    if inside:
        rates = replace(rates, leaving=inside)
    gone = _over_ground(table.ground, base_of(model), pose(model), walk.legs, tuple(walk.marks.items()), rates)
    in_the_way = _in_the_way(table, model, gone.track, inside)
    return held_up(gone, model, rates, _nearer(table, model, gone.track), in_the_way)


@lru_cache(maxsize=512)
def _stands_in(ground: Ground, base: Base, start: Pose, goes: str) -> tuple[PieceId, ...]:
    """The pieces that a base overlaps although it may not enter them."""
    barred = _barred(ground, goes)
    if not barred or _on_road_at(ground, start.point):
        return ()
    shape = outline_of(base, start.point, start.facing)
    return tuple(piece.id for piece in barred if overlap(shape, piece.outline))


def _clear_from(inside: Sequence[Shape], base: Base, at: Callable[[int], Pose], most: int) -> int | None:
    """The first distance along a way at which a base stands in none of some pieces, to the thousandth."""

    def clear(along: int) -> bool:
        shape = outline_of(base, at(along).point, at(along).facing)
        return not any(overlap(shape, one) for one in inside)

    far = next((one for one in (*range(0, most, UNIT // 4), most) if clear(one)), None)
    if not far:
        return far
    return bisect_left(range(far + 1), True, lo=max(0, far - UNIT // 4), key=clear)


@lru_cache(maxsize=64)
def _way_out(ground: Ground, base: Base, here: Point, inside: tuple[Shape, ...], others: tuple[Shape, ...]) -> int:
    """How far it is out of what a base stands in by the shortest way that is free, straight ahead."""
    best = ground.width + ground.height
    for degrees in range(360):

        def at(far: int, degrees: int = degrees) -> Pose:
            return Pose(along_the_way(here, degrees, far), degrees)

        far = _clear_from(inside, base, at, best)
        way = swept(base, here, at(far or 0).point, degrees)
        if far is not None and not over_edge(way, ground) and not any(overlap(way, one) for one in others):
            best = min(best, far)
    return best


def refused_way_out(table: Table, model: Thing, gone: Going) -> Refusal | None:
    """Why a model does not go so out of what it may not enter, yet stands in: another way is shorter.

    strikeops.terrain.forbidden-terrain    by the shortest way
    """
    base, goes = base_of(model), gait(model)
    held = _stands_in(table.ground, base, pose(model), goes)
    if not held or not gone.reach:
        return None
    barred = {piece.id: piece.outline for piece in _barred(table.ground, goes)}
    inside, bases = tuple(barred.pop(one) for one in held), [outline(one) for one in on_its_level(table, model)]
    others = (*barred.values(), *bases)
    left = _clear_from(inside, base, gone.track.pose_at, gone.reach)
    if left is None:
        end = gone.track.pose_at(gone.reach).point
        left = gone.reach + _way_out(table.ground, base, end, inside, others)
    shortest = _way_out(table.ground, base, center(model), inside, others)
    if left <= shortest + CONTACT:
        return None
    words = f"{model.label} leaves by the shortest way, {inches(shortest)}; this one is {inches(left)} long."
    return Refusal(GROUND.barring(table.ground.piece(held[0])).id, words)


@lru_cache(maxsize=64)
def _barred(ground: Ground, goes: str) -> tuple[Piece, ...]:
    """The pieces of a board that a move class may not enter, but along a road."""
    return tuple(piece for piece in ground.pieces if GROUND.forbids(goes, piece, on_road=False))


@lru_cache(maxsize=512)
def _over_ground(
    ground: Ground,
    base: Base,
    start: Pose,
    legs: tuple[Leg | Via, ...],
    marks: tuple[tuple[str, int], ...],
    rates: Rates,
) -> Going:
    """How far, for all that the board says; kept, for a walk is tried, judged, and gone inch by inch."""
    track = resolve(start, Walk(legs, dict(marks)))
    if rates.actions > 1:
        rates = replace(rates, by_road=_by_road(ground, base, track, rates))
    return over_ground(ground, base, track, rates)


def _by_road(ground: Ground, base: Base, track: Track, rates: Rates) -> tuple[tuple[int, int], ...]:
    """Of Move Actions that are pooled, the parts of the way on which one goes by road from its beginning to its end.

    strikeops.movement.two-move-actions-are-one-move    the first is the part that its own MV pays for
    strikeops.terrain.road                              each is judged for itself
    """
    if not any(rates.road(piece) for piece in ground.pieces):
        return ()
    found, begun, each = list[tuple[int, int]](), 0, rates.mv // rates.actions
    roads = road_parts(track, base, ground, rates)
    for n in range(rates.actions):
        if all(end <= begun for _, end in roads):
            break  # no road lies ahead
        last, reach = n + 1 == rates.actions, track.length
        begins = covers_all(roads, begun, begun + 1)
        if begins and not last:
            by_road = ((begun, track.length),)
            reach = _paid_for(ground, base, track, replace(rates, mv=each, actions=1, by_road=by_road))
        if begins and begun < reach and covers_all(roads, begun, reach):
            found.append((begun, reach))
        elif not last:
            reach = _paid_for(ground, base, track, replace(rates, mv=each, actions=1, by_road=()))
        begun = reach
    return tuple(found)


def _paid_for(ground: Ground, base: Base, track: Track, rates: Rates) -> int:
    """How far the MV of one Move Action leads along a track."""
    trace = price(track, base, ground, rates)
    return trace.length if trace.stop is None else trace.stop.along


def _in_the_way(table: Table, model: Thing, track: Track, inside: tuple[str, ...]) -> list[InTheWay]:
    """The bases and the forbidden terrain that a path would run into, and where it stops before each.

    strikeops.terrain.paying-for-terrain    no part of a base touches what its class may not enter, but along a road
    """
    base, goes = base_of(model), gait(model)
    passed = surely_passed(track, base, 0)
    found: list[InTheWay] = []
    for piece in _barred(table.ground, goes):
        if piece.id in inside:
            continue
        for one in meetings(track, base, [piece.outline]):
            if one.last is not None and not GROUND.forbids(goes, piece, _on_road(table.ground, track, one.last)):
                continue
            if one.last is not None:
                sentence = f"{model.label} may not enter {called(piece)}."
                found.append((piece.id, one.last, GROUND.refuses(GROUND.barring(piece), sentence)))
    for other in on_its_level(table, model):
        if passed(center(other), base_of(other)):
            continue
        words = Refusal(STACKING.id, f"{other.label}'s base is in the way.")
        found += [
            (other.id, one.last, words) for one in meetings(track, base, [outline(other)]) if one.last is not None
        ]
    return found


def _on_road(ground: Ground, track: Track, along: int) -> bool:
    """Whether the centre of a base is on a road at a distance along its way."""
    return _on_road_at(ground, track.pose_at(along).point)


def _on_road_at(ground: Ground, point: Point) -> bool:
    return any(one.kind == ROAD_KIND and on_way(one, point) for one in ground.pieces)


def _nearer(table: Table, model: Thing, track: Track) -> int | None:
    """The last distance along before a suppressed model would come closer to an enemy; none where it never does."""
    if model.value(StateName.SUPPRESSED) not in (COUNTING, RENEWED):
        return None  # suppressed in its own activation, it keeps to this in the next
    foes = [one for one in table.models() if one.side != model.side and not one.has(StateName.OUT_OF_ACTION)]
    last = 0
    for along in [*range(UNIT, track.length, UNIT), track.length]:
        before, after = track.pose_at(last).point, track.pose_at(along).point
        if any(center_gap(after, center(foe)) < center_gap(before, center(foe)) for foe in foes):
            return last
        last = along
    return None


def refused_walk(table: Table, model: Thing, walk: Walk, rates: Rates) -> Refusal | None:
    """Why a walk may not be walked as drawn, or none. One that runs off the board may."""
    if any(isinstance(leg, Via) for leg in walk.legs):
        return Refusal(MOVE.id, f"{model.label} moves forward, the way its front faces, or straight backward.")
    for leg in walk.legs:
        refusal = refused_slide(model, leg) if isinstance(leg, Slide) else None
        if refusal is not None:
            return refusal
    gone = going(table, model, walk, rates)
    refusal = cut_short(gone, model, rates)
    if refusal is not None:
        return refusal
    if gone.trace.stop is not None and not gone.leaves:
        return gone.trace.stop.why
    refusal = refused_way_out(table, model, gone)
    if refusal is not None:
        return refusal
    for turn in gone.track.turns:
        if turn.along <= gone.reach:
            refusal = refused_turn(table, model, Pose(turn.point, turn.facing))
            if refusal is not None:
                return refusal
    return None


def slides(model: Thing) -> bool:
    """Whether a model may go to the side at all."""
    return has(model, "improved_handling")


def refused_slide(model: Thing, leg: Slide) -> Refusal | None:
    """Why a model may not go so to the side and keep its facing.

    strikeops.attributes.improved-handling-drift    an inch forward and up to one to the side for the price of one
    strikeops.attributes.improved-handling-shift    straight to the side
    """
    sort = f"{stats(model).move_class}_{'cav' if is_cav(model) else stats(model).model_type}"
    if not slides(model):
        return Refusal(MOVE.id, f"{model.label} moves forward, the way its front faces, or straight backward.")
    if leg.go == 0:
        if sort not in HANDLING_SHIFT.texts("lateral_shift"):
            return Refusal(HANDLING_SHIFT.id, f"{model.label} does not shift straight to the side.")
        return None
    if sort not in HANDLING_DRIFT.texts("drift"):
        return Refusal(HANDLING_DRIFT.id, f"{model.label} does not drift.")
    most = HANDLING_DRIFT.number("sideways_max") * leg.go // HANDLING_DRIFT.number("forward")
    if leg.go < 0 or abs(leg.side) > most:
        return Refusal(HANDLING_DRIFT.id, "A drift goes forward, and no farther to the side than forward.")
    return None


def refused_turn(table: Table, model: Thing, turned: Pose) -> Refusal | None:
    """Why a base may not be turned so: a turn needs room where it ends (strikeops.movement.no-stacking)."""
    base = base_of(model)
    shape = outline_of(base, turned.point, turned.facing)
    if over_edge(shape, table.ground):
        return Refusal(WITHDRAWN.id, "That turn would put a corner over the edge of the board.")
    for other in on_its_level(table, model):
        if surely_apart(base, turned.point, base_of(other), center(other)):
            continue
        if overlap(shape, outline(other)):
            return Refusal(STACKING.id, f"There is no room to turn: {other.label}'s base is in the way.")
    return None


def refused_stride(walk: Walk) -> Refusal | None:
    """Why a Run 'N Gun is not run so, wherever it leads: forward only, and one turn (strikeops.shooting.run-n-gun)."""
    legs = [leg for leg in walk.legs if isinstance(leg, Leg)]
    if any(leg.go < 0 or (isinstance(leg, Slide) and not leg.go) for leg in legs):
        return Refusal(RUN_N_GUN.id, "A Run 'N Gun goes forward only.")
    if sum(leg.turn != 0 for leg in legs) > RUN_N_GUN.number("facing_changes"):
        return Refusal(RUN_N_GUN.id, "A Run 'N Gun makes one facing change at most.")
    return None


def refused_run(table: Table, model: Thing, walk: Walk, rates: Rates) -> Refusal | None:
    """Why a Run 'N Gun is not run so: it uses the full MV as far as anything allows (strikeops.shooting.run-n-gun)."""
    more = _run_on(table, model, walk.legs, rates)
    return Refusal(RUN_N_GUN.id, f"{model.label} must use its full MV; it can go {inches(more)} on.") if more else None


def _run_on(table: Table, model: Thing, legs: tuple[Leg | Via, ...], rates: Rates) -> int:
    """How far a run can still go on straight ahead."""
    gone = going(table, model, Walk(legs), rates)
    on = going(table, model, Walk(_longer(legs, UNIT)), rates)
    paid_out = on.trace.stop is not None and on.trace.stop.along == on.reach  # the MV ends it, not somebody in the way
    more = on.reach - gone.reach
    if more <= (0 if paid_out else CONTACT) or gone.leaves or refused_way_out(table, model, on) is not None:
        return 0  # where bases meet, ways are rounded
    # The end of a way is rounded too: what only leads on while it leads farther still is no way on.
    return more if going(table, model, Walk(_longer(legs, more)), rates).reach > gone.reach else 0


def _longer(legs: tuple[Leg | Via, ...], by: int) -> tuple[Leg | Via, ...]:
    """A way with its last leg so much longer, if that goes ahead: a leg of its own might round another way."""
    *before, last = legs or (Leg(0, 0),)
    if isinstance(last, Leg) and not isinstance(last, Slide):
        return (*before, replace(last, go=last.go + by))
    return (*legs, Leg(0, by))


def straight_run(table: Table, model: Thing, rates: Rates, turn: int = 0) -> Walk:
    """The way of a Run 'N Gun straight ahead after a turn, fired at its beginning; as long as it can go on, it does.

    Where that leads the long way out of what it may not enter, yet stands in, it stays.
    """

    def gone(far: int) -> Going:
        return going(table, model, Walk((Leg(turn, far),)), rates)

    reach, asked = 0, rates.mv * UNIT
    while (on := gone(asked).reach) > reach + CONTACT:
        reach, asked = on, on + UNIT
    while (on := gone(reach).reach) < reach:  # ways are rounded, a longer one perhaps otherwise
        reach = on
    if refused_way_out(table, model, gone(reach)) is not None:
        reach = 0
    legs: tuple[Leg | Via, ...] = (Leg(turn, reach),) if reach or turn else ()
    while more := _run_on(table, model, legs, rates):  # ways are rounded, a longer one perhaps otherwise
        legs = _longer(legs, more)
    return Walk(legs, {FIRES_HERE: 0})


def walk_question(
    thing: Thing, actions: int, fires: tuple[str, ...] = (), running: bool = False, first: bool = False
) -> MoveModels:
    """The question for the Move Actions of a model in a row. Measuring is open now.

    Where it fires on the way, it is about its target and its weapons too.
    """
    marks = (MarkAsked(FIRES_HERE, "where it fires", required=False),) if fires else ()
    rules = (MOVE, *(() if running else (SHORT,)), MEASURING, FACING, MOVE_VALUE, CLASSES)
    return MoveModels(
        thing.side,
        f"Walk {thing.label}" + (", and mark where it fires" if marks else ""),
        topic=WALK,
        about=(thing.id, *(one for one in fires if one != FIRES_HERE)),
        rules=(*(one.id for one in rules), *limits(thing, actions, running), *((MOVE_AND_SHOOT.id,) if marks else ())),
        shows=("distance", "reach", *(("sight", "odds") if fires else ())),
        facts={
            "actions": actions,
            "running": int(running),
            **({SLIDES: 1} if slides(thing) else {}),
            **({FIRES_FIRST: 1} if first else {}),
        },
        models=(thing.id,),
        allowance={thing.id: (running_mv(thing) if running else movement(thing)) * actions},
        marks=marks,
        decline="" if marks else "Stay",
    )


def fires_before(question: MoveModels, walk: Walk) -> bool:
    """Whether an attack is made before anything of a walk: it was declared first, and no place on the way is marked.

    strikeops.shooting.move-and-shoot    Combat then Move; in Move then Combat it is made at the end if nothing is said
    """
    return bool(question.facts.get(FIRES_FIRST)) and not walk.marks.get(FIRES_HERE)


def advance(battle: Battle, model: ThingId, gone: Going, start: int, end: int, *, quiet: bool = False) -> int:
    """Go along a track from one distance to another; gives how far it comes. A quiet move leaves no state behind."""
    thing = battle.table[model]
    end = halts_at(battle.table, thing, gone, end, start)
    track, last = gone.track, end == gone.reach
    at = track.pose_at(end, turned=last or (start == end and end == 0))
    if at.point != center(thing) or at.facing != thing.facing:
        before, _ = track.cut(end)
        _, walked = resolve(track.start, before).cut(start) if start else (None, before)
        if last:
            walked = with_last_turns(track, end, walked)
        detail = paid(gone, start, end, (PAYING, COSTS))
        n = battle.happens(Moved(model, thing.place, At(at.point), at.facing, walked, rule=MOVE.id, detail=detail))
        if not quiet:
            has_moved(battle, model, n)
            parts = list(track.parts(start, end))
            note_trail(battle, model, [Pose(one.point_at(at), one.facing) for one, *ends in parts for at in ends])
            _hurry(battle, model, track, start, end)
    return end


def _hurry(battle: Battle, model: str, track: Track, start: int, end: int) -> None:
    """Ten inches forward in one activation are Double-Time (strikeops.movement.double-time)."""
    forward = sum(
        max(0, min(stretch.until, end) - max(stretch.along, start))
        for stretch in track.stretches
        if not stretch.backwards and stretch.ahead != 0
    )
    before = battle.table[model].count(CountName.INCHES)
    if forward:
        battle.happens(Counted(model, CountName.INCHES, before, before + forward, rule=DOUBLE_TIME.id))
    if before < DOUBLE_TIME.inches("inches") <= before + forward:
        receive(battle, model, StateName.DOUBLE_TIME, why=DOUBLE_TIME)


class Dive(Step, frozen=True):
    """An amphibious model has ended a move: is it under water?"""

    model: str


def dive(battle: Battle, step: Dive) -> Procedure[None]:
    """In water at least as deep as it is high a model floats, or is under water, as its player says.

    strikeops.attributes.amphibious-underwater-weapons
    """
    thing = battle.table[step.model]
    under = False
    if not thing.gone and thing.on_table and swims(battle.table.ground, thing, center(thing)):
        under = yield Confirm(
            thing.side,
            f"{thing.label} is in deep water. Does it dive?",
            topic=DIVE,
            about=(step.model,),
            rules=(UNDER_WATER.id,),
            yes="It is under water: nobody sees or hits it, and it does not fire",
            no="It floats",
        )
    if under:
        give(battle, step.model, StateName.UNDER_WATER, UNDER_WATER, until=Until.MOVES)
    else:
        take(battle, step.model, StateName.UNDER_WATER, UNDER_WATER)


def has_moved(battle: Battle, model: str, because: int = 0) -> None:
    """A model has used a Move Action, were it only to turn (strikeops.movement.not-moving-is-stationary)."""
    take(battle, model, StateName.HULL_DOWN, HULL_DOWN, because)
    take(battle, model, StateName.STRIKE_POINT, SAME_POINT, because)
    if not battle.table[model].count(CountName.MOVED):
        battle.happens(Counted(model, CountName.MOVED, 0, 1, rule=NOT_MOVING.id, because=because))


def go_prone(battle: Battle, model: str) -> None:
    """A whole Move Action to lie down (strikeops.movement.going-prone)."""
    receive(battle, model, GO_PRONE.text_at("state"), why=GO_PRONE)
    has_moved(battle, model)


def stand_up(battle: Battle, model: ThingId) -> Procedure[None]:
    """A whole Move Action to stand up, facing any way (strikeops.movement.standing-up)."""
    thing = battle.table[model]
    answer = yield facing_asked(thing, STANDING, STAND_UP)
    take(battle, model, StateName.KNOCKDOWN, STAND_UP)
    has_moved(battle, model)
    turn_up(battle, model, answer, STAND_UP)


def question_rates(model: Thing, question: MoveModels) -> Rates:
    """The rates that a walk is judged by."""
    rates = rates_for(model, question.facts["actions"], bool(question.facts["running"]))
    return replace(rates, entered=question.facts.get("entered", 0))


def refused_move(table: Table, model: Thing, walk: Walk, rates: Rates, running: bool = False) -> Refusal | None:
    """Why a move may not be made as drawn; the place where it fires lies on the path, and a run is run as one."""
    refusal = (refused_stride(walk) if running else None) or refused_walk(table, model, walk, rates)
    if refusal is None and FIRES_HERE in walk.marks:
        length = sum(leg.length for leg in walk.legs if isinstance(leg, Leg))
        if not 0 <= walk.marks[FIRES_HERE] <= length:
            return Refusal(MOVE_AND_SHOOT.id, "The place where it fires must lie on the path.")
    return refusal or (refused_run(table, model, walk, rates) if running else None)


def _judge_standing(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    model = view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    if any(getattr(leg, "go", 1) for leg in walk.legs):
        return Refusal(STAND_UP.id, "Standing up gives a facing, and no distance.")
    turn = sum(leg.turn for leg in walk.legs if isinstance(leg, Leg))
    turned = Pose(center(model), (model.facing + turn) % 360)
    for piece in pieces_under(view.table.ground, outline_of(base_of(model), *turned[:2])):
        on_road = any(one.kind == ROAD_KIND and on_way(one, turned.point) for one in view.table.ground.pieces)
        if GROUND.forbids(gait(model), piece, on_road):
            return Refusal(STACKING.id, f"{model.label} has no room to turn here: {called(piece)} is in the way.")
    return refused_turn(view.table, model, turned)


CHAPTER = Chapter(
    steps={Dive: dive},
    judges={STANDING: _judge_standing},
    states={StateName.UNDER_WATER: "an amphibious model that has dived"},
    counts={
        CountName.MOVED: "1 once it has used a Move Action in this activation",
        CountName.INCHES: "how far it has gone forward in this activation, in thousandths",
    },
    answers={
        WALK: "the path of one or more Move Actions; the mark `fires here` where an attack goes with them",
        STANDING: "how a model that stands up turns",
        DIVE: "true: an amphibious model that ended its move in deep water is under water",
    },
)
