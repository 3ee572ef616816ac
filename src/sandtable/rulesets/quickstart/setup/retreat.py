"""Mission kills and their retreat: who has lost its task, which edge is nearest, the quickest way off the board."""

from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Base, Disc, Shape, Walk
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.edges import Edge, gap_to_edge, strip
from sandtable.field.ground import box_of, bridges
from sandtable.field.measure import outline_of
from sandtable.field.random_terrain import reach_of, way_through
from sandtable.field.walking.paths import Pose
from sandtable.field.walking.planner import Gait, PriceWalk
from sandtable.field.walking.routes import Flood, OverEdge, Route, quickest
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.cav.movement import Rates, pose_after
from sandtable.rulesets.quickstart.concepts import touching
from sandtable.rulesets.quickstart.damage import most_action_points
from sandtable.rulesets.quickstart.datacard import is_cav, movement
from sandtable.rulesets.quickstart.movement.moves import (
    EXTRA_TURN,
    FREE_TURN,
    ROAD_KIND,
    WALKING,
    going,
    refused_walk,
    terrain_cost,
)
from sandtable.rulesets.quickstart.shooting.direct_fire import working_weapons
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName, Until
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

MISSION_KILL = rule("quickstart.setup.mission-kill")
RETREAT = rule("quickstart.setup.mission-kill-must-retreat")

_CAUSES = MISSION_KILL.texts("causes")
EDGES = tuple(Edge)


# Who is one ------------------------------------------------------------------------------------------------------


def mission_kill_cause(table: Table, model: Thing) -> str:
    """Why a model has permanently lost the means of its task, or nothing (quickstart.setup.mission-kill)."""
    causes = _CAUSES
    if StateName.DISABLED in model.states:
        return causes[0]
    if most_action_points(model) == 0:
        return causes[1]
    if model.count(CountName.WEAPONS_CRIPPLED):
        return causes[2]
    if working_weapons(model) or movement(model):
        return ""
    foes = [other for other in touching(table, model) if other.side != model.side]
    return "" if foes else causes[3]


def edges_by_nearness(ground: Ground, shape: Shape) -> dict[Edge, int]:
    """The edges of the board with how far a base is from each, nearest first."""
    away = {edge: gap_to_edge(ground, edge, box_of(shape)) for edge in EDGES}
    return {edge: away[edge] for edge in sorted(EDGES, key=lambda edge: (away[edge], EDGES.index(edge)))}


def note_mission_kill(battle: Battle, model: str) -> None:
    """See whether a model has become a mission kill, and whether one is to be abandoned.

    The nearest edge is measured now; equally near ones are all noted, and its owner chooses.
    """
    thing = battle.table[model]
    if not thing.on_table:
        return
    cause = mission_kill_cause(battle.table, thing)
    if not cause and not thing.has(StateName.MISSION_KILL):
        return
    if cause and not thing.has(StateName.MISSION_KILL):
        away = edges_by_nearness(battle.table.ground, outline(thing))
        nearest = tuple(edge for edge in away if away[edge] == min(away.values()))
        give(battle, model, StateName.MISSION_KILL, MISSION_KILL, nearest, until=Until.GAME, detail={"cause": cause})
    thing = battle.table[model]
    if thing.has(StateName.MISSION_KILL) and not thing.has(StateName.ABANDONED) and can_never_move(battle.table, thing):
        give(battle, model, StateName.ABANDONED, RETREAT, until=Until.NEXT_END_PHASE)


def note_mission_kills(battle: Battle) -> None:
    """Test every model in play, but for those found fit before that have not changed since."""
    table = battle.table
    fit: dict[str, Thing] = table.posture.setdefault("fit", {})
    for model in table.standing():
        if fit.get(model.id) is model:
            continue
        if model.has(StateName.MISSION_KILL) or mission_kill_cause(table, model):
            note_mission_kill(battle, model.id)
        elif working_weapons(model) or movement(model):  # the rest hangs on who touches it
            fit[model.id] = model


def can_never_move(table: Table, model: Thing) -> bool:
    """Whether a mission kill is abandoned: disabled, without action points, without movement or without a way."""
    if model.has(StateName.DISABLED) or most_action_points(model) == 0 or movement(model) == 0:
        return True
    return not _has_a_way(table.ground, _stood(model), movement(model))


@lru_cache(maxsize=256)
def _has_a_way(ground: Ground, mover: "Stood", mv: int) -> bool:
    """Whether some edge can be reached over the terrain, whoever may stand in the way now."""
    base, place, facing = mover
    here = Disc(place.point, reach_of(base) + 2 * UNIT)
    for edge in edges_by_nearness(ground, outline_of(base, place.point, facing)):
        if _route(ground, mover, (), (mv, 0, 0), edge, beam=1) is not None:
            return True
        if way_through(
            ground, base, here, strip(ground, edge, 3 * UNIT), lambda piece: terrain_cost(piece) is not None
        ):
            return True
    return False


# The way -----------------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way over an edge: over which, and the walk of each Move Action."""

    edge: str
    walks: tuple[Walk, ...]

    @property
    def actions(self) -> int:
        """How many Move Actions it takes."""
        return len(self.walks)


#: How many times longer than along two edges of the board a way may wind, in Move Actions.
_MOST_WINDING = 4
#: A base where it stands.
Stood = tuple[Base, At, int]
#: MV of a Move Action, and of the first one what is spent and how many turns are made already.
_Left = tuple[int, int, int]


def _stood(model: Thing) -> Stood:
    assert isinstance(model.place, At)
    return base_of(model), model.place, model.facing


def quickest_way(table: Table, model: Thing, rates: Rates) -> Way | None:
    """The quickest way off the board: by the edge it retreats to, or the next nearest that can be reached; or none.

    quickstart.setup.mission-kill-must-retreat    the fewest Move Actions
    """
    chosen, backs = str(model.value(StateName.RETREATING)), is_cav(model)
    edges = edges_by_nearness(table.ground, outline(model))
    left = (rates.mv, rates.spent, rates.turns_made)
    for edge in (chosen, *(edge for edge in edges if edge != chosen)):
        route = _route(table.ground, _stood(model), _others(table, model), left, edge, backs=backs)
        if route is not None:
            return Way(edge, route.walks)
    return None


def _others(table: Table, model: Thing) -> tuple[Stood, ...]:
    return tuple(_stood(other) for other in table.models() if other.id != model.id)


@lru_cache(maxsize=1024)
def _route(
    ground: Ground,
    mover: Stood,
    others: tuple[Stood, ...],
    left: _Left,
    edge: str,
    most_actions: int = 0,
    beam: int = 4,
    *,
    backs: bool = True,
) -> Route | None:
    """The route of fewest Move Actions over an edge, each judged as the walk of a model is; or none."""
    mv, spent, turns = left
    base, place, facing = mover
    if mv <= 0:
        return None
    table = Table(ground, (), {str(n): _bare(ThingId(str(n)), stood) for n, stood in enumerate(others)})
    start = Pose(place.point, facing, place.level)
    models: dict[Pose, Thing] = {}

    def model_at(at: Pose) -> Thing:
        return models.setdefault(at, _bare(ThingId("leaving"), (base, At(at.point, at.level), at.facing)))

    def rates_at(at: Pose) -> Rates:
        return Rates(WALKING, mv, spent=spent, turns_made=turns) if at == start else Rates(WALKING, mv)

    def price_from(at: Pose) -> PriceWalk:
        model, rates = model_at(at), rates_at(at)

        def price(walk: Walk) -> int | Refusal:
            refusal = refused_walk(table, model, walk, rates)
            if refusal is not None:
                return refusal
            gone = going(table, model, walk, rates)
            if gone.leaves and edge not in _edges_under(ground, base, pose_after(gone)):
                return Refusal(RETREAT.id, f"That is not the {edge} edge.")
            return gone.trace.total

        return price

    def as_far_as_lawful(at: Pose, walk: Walk) -> Walk:
        gone = going(table, model_at(at), walk, rates_at(at))
        return walk if gone.leaves else gone.track.cut(gone.reach)[0]

    lie, flood = _flood(ground, base, tuple(outline_of(one, at.point, turned) for one, at, turned in others), edge)
    gait = Gait(
        mv * UNIT,
        most_turn=FREE_TURN.number("max_degrees"),
        free_turns=FREE_TURN.number("free_per_move_action"),
        turn_length=EXTRA_TURN.number("mv_cost") * UNIT,
        backwards=backs,
        backward_length=2 * UNIT,
    )
    most = most_actions or (ground.width + ground.height) // UNIT
    careful = most_actions or _MOST_WINDING * most
    return quickest(
        start, price_from, gait, lie, flood.goal, most, beam, cut=as_far_as_lawful, flood=flood, careful=careful
    )


def _bare(name: ThingId, stood: Stood) -> Thing:
    """A model of which only counts where it stands."""
    base, place, facing = stood
    return Thing(name, base=base, place=place, facing=facing)


@lru_cache(maxsize=64)
def _flood(ground: Ground, base: Base, others: tuple[Shape, ...], edge: str) -> tuple[Lie, Flood]:
    """The lie of the land to one that leaves, and how far it is from everywhere."""
    bridged = {piece.id for _, piece in bridges(ground, lambda p: p.kind == ROAD_KIND, lambda p: p.kind == "water")}

    def weigh(piece: Piece) -> int | None:
        cost = terrain_cost(piece)
        return 1 if cost is None and piece.id in bridged else cost

    lie = Lie(ground, base, weigh, others, may_leave=True)
    return lie, Flood(lie, OverEdge(ground, base, edge))


def _edges_under(ground: Ground, base: Base, at: Pose) -> list[str]:
    away = edges_by_nearness(ground, outline_of(base, at.point, at.facing))
    return [edge for edge in away if away[edge] < 0]


# Retreating --------------------------------------------------------------------------------------------------------


def begin_retreat(battle: Battle, model: str) -> Procedure[None]:
    """From its next activation on a mission kill must leave; of equally near edges its owner chooses one."""
    thing = battle.table[model]
    if not thing.has(StateName.MISSION_KILL) or thing.has(StateName.RETREATING):
        return
    nearest = thing.value(StateName.MISSION_KILL)
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
    give(battle, model, StateName.RETREATING, RETREAT, edge, until=Until.GAME)


def required_way(table: Table, model: Thing, rates: Rates) -> Way | None:
    """The quickest way of a mission kill; none where nothing is asked of it.

    One that is suppressed goes as it may, for it may not come closer to an enemy on its way.
    """
    way = None if model.has(StateName.SUPPRESSED) else quickest_way(table, model, rates)
    if way is None or refused_walk(table, model, way.walks[0], rates) is not None:
        return None
    return way


def refused_retreat(table: Table, model: Thing, walk: Walk, rates: Rates) -> Refusal | None:
    """Why a mission kill may not go so: only what leaves with the fewest Move Actions will do."""
    way = required_way(table, model, rates)
    if way is None or walk == way.walks[0]:
        return None
    gone = going(table, model, walk, rates)
    after = pose_after(gone)
    if gone.leaves:
        if way.edge in _edges_under(table.ground, base_of(model), after):
            return None
        return Refusal(RETREAT.id, f"{model.label} must leave by the {way.edge} edge.")
    if way.actions > 1:
        there = (base_of(model), At(after.point, after.level), after.facing)
        left = (rates.mv, 0, 0)
        most, backs = way.actions - 1, is_cav(model)
        if _route(table.ground, there, _others(table, model), left, way.edge, most, backs=backs) is not None:
            return None
    sentence = f"{model.label} is a mission kill and must take the quickest way off the {way.edge} edge: "
    return Refusal(RETREAT.id, sentence + f"{way.actions} Move Actions.")


def retreat_plan(model: Thing) -> tuple[str, ...]:
    """What a mission kill declares: to stand up and to break where it must in order to move, and to move."""
    down, locked = model.has(StateName.KNOCKDOWN), model.has(StateName.LOCKED)
    first = ((ActionName.STAND_UP,) if down else ()) + ((ActionName.BREAK,) if locked else ())
    return (*first, ActionName.MOVE, ActionName.MOVE)[: model.count(CountName.AP)]


CHAPTER = Chapter(
    states={
        StateName.MISSION_KILL: "the nearest edges when it became one, {value: [north]}",
        StateName.RETREATING: "the edge it leaves by, from its next activation on",
        StateName.ABANDONED: "it can never move and is lost in the next End Phase",
    },
)
