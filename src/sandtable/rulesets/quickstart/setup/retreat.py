"""Mission kills and their retreat: who has lost its task, which edge is nearest, the quickest way off the board."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import StateChanged
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Base, Disc, Leg, Point, Polygon, Shape, Walk, rectangle
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.cost import price
from sandtable.field.encounters import keeps_clear, leaves_board, meetings, over_edge
from sandtable.field.ground import box_of, bridges
from sandtable.field.measure import CONTACT, gap, outline_of, overlap
from sandtable.field.paths import Pose, Track, Turn, length_between, resolve
from sandtable.field.planner import Gait, Planner
from sandtable.field.random_terrain import reach_of, way_through
from sandtable.field.surroundings import Lie
from sandtable.forces.ledger import rule
from sandtable.rulesets.quickstart.concepts import CLEAR, base_of, outline, pose, touching
from sandtable.rulesets.quickstart.damage import most_action_points
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.movement.moves import (
    EXTRA_TURN,
    FREE_TURN,
    ROAD_KIND,
    WalkerRates,
    going,
    pose_after,
    refused_walk,
    terrain_cost,
    too_steep,
)
from sandtable.rulesets.quickstart.shooting.direct_fire import working_weapons

MISSION_KILL = rule("quickstart.setup.mission-kill")
RETREAT = rule("quickstart.setup.mission-kill-must-retreat")

_CAUSES = MISSION_KILL.texts("causes")
EDGES = ("north", "east", "south", "west")

#: How far to the sides of the nearest point of an edge a way to it is looked for, in the order it is.
_ASIDE = (0, 2, -2, 4, -4, 7, -7, 11, -11, 16, -16, 22, -22, 30, -30)
#: No way is looked for that is so much longer than the straight one.
_DETOUR = 24 * UNIT
_WITHOUT_LIMIT = 10**6


# Who is one ------------------------------------------------------------------------------------------------------


def mission_kill_cause(table: Table, model: Thing) -> str:
    """Why a model has permanently lost the means of its task, or nothing (quickstart.setup.mission-kill)."""
    causes = _CAUSES
    if "disabled" in model.states:
        return causes[0]
    if most_action_points(model) == 0:
        return causes[1]
    if model.count("weapons crippled"):
        return causes[2]
    if working_weapons(model) or movement(model):
        return ""
    foes = [other for other in touching(table, model) if other.side != model.side]
    return "" if foes else causes[3]


def edges_by_nearness(ground: Ground, shape: Shape) -> dict[str, int]:
    """The edges of the board with how far a base is from each, nearest first."""
    west, north, east, south = box_of(shape)
    away = {"north": north, "east": ground.width - east, "south": ground.height - south, "west": west}
    return {edge: away[edge] for edge in sorted(EDGES, key=lambda edge: (away[edge], EDGES.index(edge)))}


def note_mission_kill(battle: Battle, model: str) -> None:
    """See whether a model has become a mission kill, and whether one is to be abandoned.

    The nearest edge is measured now; equally near ones are all noted, and its owner chooses.
    """
    thing = battle.table[model]
    if not thing.on_table:
        return
    cause = mission_kill_cause(battle.table, thing)
    if not cause and not thing.has("mission-kill"):
        return
    if cause and not thing.has("mission-kill"):
        away = edges_by_nearness(battle.table.ground, outline(thing))
        nearest = tuple(edge for edge in away if away[edge] == min(away.values()))
        battle.happens(
            StateChanged(model, "mission-kill", None, nearest, "game", rule=MISSION_KILL.id, detail={"cause": cause})
        )
    thing = battle.table[model]
    if thing.has("mission-kill") and not thing.has("abandoned") and can_never_move(battle.table, thing):
        battle.happens(StateChanged(model, "abandoned", None, 1, "the next End Phase", rule=RETREAT.id))


def note_mission_kills(battle: Battle) -> None:
    """Test every model in play, but for those found fit before that have not changed since."""
    table = battle.table
    fit: dict[str, Thing] = table.posture.setdefault("fit", {})
    for model in table.standing():
        if fit.get(model.id) is model:
            continue
        if model.has("mission-kill") or mission_kill_cause(table, model):
            note_mission_kill(battle, model.id)
        elif working_weapons(model) or movement(model):  # the rest hangs on who touches it
            fit[model.id] = model


def can_never_move(table: Table, model: Thing) -> bool:
    """Whether a mission kill is abandoned: disabled, without action points, without movement or without a way."""
    if model.has("disabled") or most_action_points(model) == 0 or movement(model) == 0:
        return True
    return not _has_a_way(table.ground, base_of(model), pose(model))


@lru_cache(maxsize=256)
def _has_a_way(ground: Ground, base: Base, start: Pose) -> bool:
    """Whether some edge can be reached over the terrain, whoever may stand in the way now."""
    shape = outline_of(base, start.point, start.facing)
    here = Disc(start.point, reach_of(base) + 2 * UNIT)
    for edge in edges_by_nearness(ground, shape):
        if _quickest(ground, base, (), start, (UNIT, 0, 0), edge) is not None:
            return True
        if way_through(ground, base, here, _along(ground, edge), lambda piece: terrain_cost(piece) is not None):
            return True
    return False


def _along(ground: Ground, edge: str) -> Polygon:
    deep = 3 * UNIT
    west, north = ground.width - deep if edge == "east" else 0, ground.height - deep if edge == "south" else 0
    upright = edge in ("west", "east")
    return rectangle(west, north, deep if upright else ground.width, ground.height if upright else deep)


# The way -----------------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way over an edge: over which, with how many Move Actions, by which walk."""

    edge: str
    actions: int
    walk: Walk


#: MV of a Move Action, and of the first one what is spent and how many turns are made already.
_Left = tuple[int, int, int]


def quickest_way(table: Table, model: Thing, rates: WalkerRates) -> Way | None:
    """The quickest way off the board: by the edge it retreats to, or the next nearest that can be reached; or none.

    quickstart.setup.mission-kill-must-retreat    the fewest Move Actions

    Looked for among the walks that the planner knows (`sandtable.field.planner`) to points of the edge.
    """
    others = tuple(outline(other) for other in table.models() if other.id != model.id)
    chosen = str(model.value("retreating"))
    edges = edges_by_nearness(table.ground, outline(model))
    left = (rates.mv, rates.spent, rates.turns_made)
    for edge in (chosen, *(edge for edge in edges if edge != chosen)):
        way = _quickest(table.ground, base_of(model), others, pose(model), left, edge)
        if way is not None:
            return way
    return None


@lru_cache(maxsize=1024)
def _quickest(
    ground: Ground, base: Base, others: tuple[Shape, ...], start: Pose, left: _Left, edge: str, enough: int = 0
) -> Way | None:
    """The quickest way over an edge, or with `enough` the first that needs no more Move Actions than that."""
    least = _at_least(ground, base, start, left, edge) if left[0] > 0 else _WITHOUT_LIMIT
    if least > (enough or _WITHOUT_LIMIT - 1):
        return None
    least = max(least, enough)
    bridged = {piece.id for _, piece in bridges(ground, lambda p: p.kind == ROAD_KIND, lambda p: p.kind == "water")}

    def weigh(piece: Piece) -> int | None:
        cost = terrain_cost(piece)
        return 1 if cost is None and piece.id in bridged else cost

    def priced(walk: Walk) -> int | Refusal:
        return _actions(ground, base, others, resolve(start, walk), left, edge) or Refusal(RETREAT.id, "")

    farthest = _from_edge(ground, start.point, edge) + _DETOUR
    gait = Gait(farthest, most_turn=FREE_TURN.number("max_degrees"), backwards=True, backward_length=2 * UNIT)
    planner = Planner(start, priced, gait, Lie(ground, base, weigh, others, may_leave=True))
    best: Way | None = None
    better = enough or _WITHOUT_LIMIT
    for point in _points_of(ground, start.point, edge):
        if _moves(length_between(start.point, point) - reach_of(base), left) > better:
            continue
        for walk in planner.proposals(point):
            length = sum(abs(leg.go) for leg in walk.legs if isinstance(leg, Leg)) - reach_of(base)
            if _moves(length, left) > better:
                continue
            actions = priced(walk)
            if isinstance(actions, int) and actions <= better:
                best, better = Way(edge, actions, walk), actions - 1
                if actions <= least:
                    return best
    return best


def _from_edge(ground: Ground, point: Point, edge: str) -> int:
    away = {"north": point.y, "east": ground.width - point.x, "south": ground.height - point.y, "west": point.x}
    return away[edge]


def _points_of(ground: Ground, point: Point, edge: str) -> Iterator[Point]:
    """Points of an edge, the nearest first."""
    for aside in _ASIDE:
        if edge in ("north", "south"):
            x, y = point.x + aside * UNIT, 0 if edge == "north" else ground.height
        else:
            x, y = 0 if edge == "west" else ground.width, point.y + aside * UNIT
        if 0 <= x <= ground.width and 0 <= y <= ground.height:
            yield Point(x, y)


def _at_least(ground: Ground, base: Base, start: Pose, left: _Left, edge: str) -> int:
    """The Move Actions it takes at the least, straight over open ground."""
    return _moves(max(1, _from_edge(ground, start.point, edge) - reach_of(base)), left)


def _moves(length: int, left: _Left) -> int:
    mv, spent, _ = left
    rest = length - max(0, mv - spent) * UNIT
    return 1 if rest <= 0 else 1 - (-rest // (mv * UNIT))


def _actions(ground: Ground, base: Base, others: tuple[Shape, ...], track: Track, left: _Left, edge: str) -> int | None:
    """With how many Move Actions a track leads over an edge, whole inches in each; none where it does not."""
    over = leaves_board(track, base, ground)
    if over is None or edge not in _edges_under(ground, base, track.pose_at(over)):
        return None
    steep = too_steep(ground, track)
    if (steep is not None and steep.along < over) or _in_the_way(base, others, track, over):
        return None
    if any(turn.along < over and _too_wide(ground, base, others, turn) for turn in track.turns):
        return None
    trace = price(track, base, ground, WalkerRates(_WITHOUT_LIMIT))
    if trace.stop is not None and trace.stop.along < over:
        return None
    mv, spent, turns = left
    actions, points = 1, max(0, mv - spent)
    for step in trace.steps:
        if step.start >= over:
            break
        turning = step.start == step.end
        cost = step.cost.total
        if turning:
            cost = EXTRA_TURN.number("mv_cost") if turns >= FREE_TURN.number("free_per_move_action") else 0
        if (cost > points and points < mv) or (turning and cost > points):
            actions, points, turns = actions + 1, mv, 0
            cost = 0 if turning else cost
        turns += turning
        if cost > points and step.backwards:
            return None
        points = max(0, points - cost)  # one inch forward may always be made
    return actions


def _too_wide(ground: Ground, base: Base, others: tuple[Shape, ...], turn: Turn) -> bool:
    """Whether a base has no room to be turned so."""
    shape = outline_of(base, turn.point, turn.facing)
    return over_edge(shape, ground) or any(overlap(shape, other) for other in others)


def _edges_under(ground: Ground, base: Base, at: Pose) -> list[str]:
    away = edges_by_nearness(ground, outline_of(base, at.point, at.facing))
    return [edge for edge in away if away[edge] < 0]


def _in_the_way(base: Base, others: tuple[Shape, ...], track: Track, over: int) -> bool:
    start = outline_of(base, track.start.point, track.start.facing)
    for shape in others:
        apart = gap(start, shape)
        if apart <= CONTACT:
            stops = [meeting.last for meeting in meetings(track, base, [shape])]
            last = stops[0] if stops else None
        else:
            last = keeps_clear(track, base, shape, CLEAR if apart >= CLEAR else CONTACT + 1)
        if last is not None and last < over:
            return True
    return False


# Retreating --------------------------------------------------------------------------------------------------------


def begin_retreat(battle: Battle, model: str) -> Procedure[None]:
    """From its next activation on a mission kill must leave; of equally near edges its owner chooses one."""
    thing = battle.table[model]
    if not thing.has("mission-kill") or thing.has("retreating"):
        return
    nearest = thing.value("mission-kill")
    assert isinstance(nearest, tuple)
    edge = str(nearest[0])
    if len(nearest) > 1:
        edge = yield ChooseOne(
            thing.side,
            f"{thing.label} must leave the board. By which edge?",
            topic="retreat-edge",
            about=(model,),
            rules=(RETREAT.id,),
            options=tuple(Option(str(one), str(one).capitalize()) for one in nearest),
        )
    battle.happens(StateChanged(model, "retreating", None, edge, "game", rule=RETREAT.id))


def required_walk(table: Table, model: Thing, rates: WalkerRates) -> tuple[Way, Walk] | None:
    """The quickest way of a mission kill and what one Move Action does of it; none where nothing is asked of it.

    One that is suppressed goes as it may, for it may not come closer to an enemy on its way.
    """
    way = None if model.has("suppressed") else quickest_way(table, model, rates)
    if way is None:
        return None
    gone = going(table, model, way.walk, rates)
    first, _ = gone.track.cut(gone.reach)
    if not first.legs or refused_walk(table, model, first, rates) is not None:
        return None
    return way, first


def refused_retreat(table: Table, model: Thing, walk: Walk, rates: WalkerRates) -> Refusal | None:
    """Why a mission kill may not go so: only what leaves with the fewest Move Actions will do."""
    required = required_walk(table, model, rates)
    if required is None or walk == required[1]:
        return None
    way = required[0]
    gone = going(table, model, walk, rates)
    after = pose_after(gone)
    if gone.leaves:
        if way.edge in _edges_under(table.ground, base_of(model), after):
            return None
        return Refusal(RETREAT.id, f"{model.label} must leave by the {way.edge} edge.")
    others = tuple(outline(other) for other in table.models() if other.id != model.id)
    sentence = f"{model.label} is a mission kill and must take the quickest way off the {way.edge} edge: "
    refusal = Refusal(RETREAT.id, sentence + f"{way.actions} Move Actions.")
    if way.actions == 1:
        return refusal
    left = (rates.mv, 0, 0)
    rest = _quickest(table.ground, base_of(model), others, after, left, way.edge, way.actions - 1)
    return refusal if rest is None else None


def retreat_plan(model: Thing) -> tuple[str, ...]:
    """What a mission kill declares: to stand up and to break where it must in order to move, and to move."""
    down, locked = model.has("knockdown"), model.has("locked")
    first = (("stand-up",) if down else ()) + (("break",) if locked else ())
    return (*first, "move", "move")[: model.count("AP")]
