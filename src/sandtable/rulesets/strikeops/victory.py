"""Victory: mission kills and their way home, crews that bail out, and what is left of a force."""

from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import outline_of
from sandtable.field.walking.courses import signed
from sandtable.field.walking.paths import Pose
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, pose
from sandtable.rulesets.cav.movement import Rates, pose_after
from sandtable.rulesets.cav.setup import edge_pair
from sandtable.rulesets.strikeops.concepts import rounded
from sandtable.rulesets.strikeops.damage import in_play, leave_play
from sandtable.rulesets.strikeops.datacard import movement, stats, weapons
from sandtable.rulesets.strikeops.movement import FIRES_HERE, WITHDRAWN, going, question_rates, rates_for, refused_walk
from sandtable.rulesets.strikeops.setup import EDGES
from sandtable.rulesets.strikeops.shooting.aiming import types_in
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.terrain import GROUND
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

OBJECTIVES = rule("strikeops.victory.scenario-objectives")
SURVIVING = rule("strikeops.victory.surviving-pool")
DESTROYED = rule("strikeops.victory.destroyed")
DAMAGED = rule("strikeops.victory.damaged")
MISSION_KILL = rule("strikeops.victory.mission-kill")
WITHDRAWAL = rule("strikeops.victory.mission-kill-withdrawal")
BAILING_OUT = rule("strikeops.victory.bailing-out")
BY_POINTS = rule("strikeops.victory.winner-by-points")
BONUS = rule("strikeops.victory.force-group-bonus")
#: What is left of a pool is counted by these.
COUNTED_BY = (SURVIVING, DESTROYED, DAMAGED, BONUS, BY_POINTS)

#: Where each edge of the board lies, in degrees.
_TOWARDS = {"east": 0, "south": 90, "west": 180, "north": 270}


def note_mission_kills(battle: Battle) -> None:
    """See who stands on its last damage track, and whose crew bails out.

    strikeops.victory.mission-kill    declared when damage is applied, and for good
    strikeops.victory.bailing-out     MV 0 and no Combat Action, both for good
    """
    for model in battle.table.models():
        if not in_play(model):
            continue
        if model.harm == stats(model).damage_tracks and not model.has(StateName.MISSION_KILL):
            give(battle, model.id, StateName.MISSION_KILL, MISSION_KILL, until=Until.GAME)
        if gives_up(model):
            give(battle, model.id, StateName.ABANDONED, BAILING_OUT, until=Until.GAME)


def gives_up(model: Thing) -> bool:
    """Whether the crew of a model bails out: it can neither move nor attack for good."""
    if model.count(CountName.BREEDER_DESTROYED):
        return True
    lost = (*types_in(model, StateName.JAMMED), *types_in(model, StateName.OVERLOADED))
    spent = not model.count(CountName.AMMO_BIN)
    disarmed = spent and all(system.weapon.family in lost for system in weapons(model).values())
    lasting = replace(model, states={})
    stuck = movement(lasting) == BAILING_OUT.number("mv")
    return stuck and (disarmed or bool(model.count(CountName.TARGETING_DESTROYED)))


# The way home -----------------------------------------------------------------------------------------------------


def to_edge(table: Table, model: Thing, at: Pose) -> int:
    """How far the nearest point of a model's base would be from its starting edge."""
    return _gap(table, model, at, EDGES.home(table, model.side))


def _gap(table: Table, model: Thing, at: Pose, edge: str) -> int:
    west, north, east, south = box_of(outline_of(base_of(model), at.point, at.facing))
    ground = table.ground
    return {"west": west, "north": north, "east": ground.width - east, "south": ground.height - south}[edge]


def way_home(table: Table, model: Thing, rates: Rates) -> Walk | None:
    """A walk that brings a model nearer to its starting edge: it turns there and goes as far as it can."""
    turn = signed(_TOWARDS[EDGES.home(table, model.side)] - model.facing)
    most = GROUND.turning.most
    turns = [turn] if abs(turn) <= most else [most if turn > 0 else -most, turn - (most if turn > 0 else -most)]
    straight = Walk((*(Leg(one) for one in turns[:-1]), Leg(turns[-1], rates.mv * UNIT)))
    far = going(table, model, straight, rates)
    if far.leaves:
        return straight
    reach = far.reach // UNIT * UNIT
    if reach:
        walk = Walk((*(Leg(one) for one in turns[:-1]), Leg(turns[-1], reach)))
        if refused_walk(table, model, walk, rates) is None:
            return walk
    return None


def must_withdraw(table: Table, model: Thing) -> bool:
    """Whether a model owes a Move Action towards its starting edge, or one to stand up.

    strikeops.victory.mission-kill-withdrawal    standing up counts when that is all it can do
    """
    if not model.has(StateName.MISSION_KILL) or not model.count(CountName.AP):
        return False
    if is_down(model):
        return True  # it can stand up
    return bool(movement(model)) and way_home(table, model, rates_for(model, 1)) is not None


def refused_staying(model: Thing) -> Refusal:
    """What is said to a mission kill that declares no Move Action."""
    return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill: one Move Action takes it towards its own edge.")


def homeward(table: Table, model: Thing, question: MoveModels) -> MoveModels:
    """The question for the move of a mission kill: its way home is the default, and it may not stay."""
    if not model.has(StateName.MISSION_KILL):
        return question
    way = way_home(table, model, question_rates(model, question))
    rules = (WITHDRAWAL.id, *question.rules)
    if way is None:
        return replace(question, rules=rules)
    marks = {FIRES_HERE: 0} if question.marks else {}
    return replace(question, rules=rules, default={model.id: replace(way, marks=marks)}, decline="")


def refused_withdrawal(table: Table, model: Thing, walk: Walk, rates: Rates) -> Refusal | None:
    """Why the move of a mission kill will not do: it ends nearer to its edge, and goes as far as it can."""
    if not model.has(StateName.MISSION_KILL) or way_home(table, model, rates) is None:
        return None
    gone = going(table, model, walk, rates)
    if gone.leaves:
        return None
    end = pose_after(gone)
    here = to_edge(table, model, end)
    if here >= to_edge(table, model, pose(model)):
        return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill and must come nearer to its own edge.")
    on = Walk((*walk.legs, Leg(0, UNIT)))
    if (
        refused_walk(table, model, on, rates) is None
        and to_edge(table, model, pose_after(going(table, model, on, rates))) < here
    ):
        return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill and must use its MV: it can go on.")
    return None


def withdraw(battle: Battle, model: str) -> None:
    """A model leaves the board over an edge, for good (strikeops.victory.withdrawn)."""
    thing = battle.table[model]
    edges = sorted(_TOWARDS, key=lambda edge: edge not in edge_pair(battle.table.ground))
    over = min(edges, key=lambda edge: _gap(battle.table, thing, pose(thing), edge))
    give(battle, model, StateName.LEFT, WITHDRAWN, over, until=Until.GAME)
    leave_play(battle, model, "left the board", WITHDRAWN)


# What is left -----------------------------------------------------------------------------------------------------


def surviving(model: Thing) -> int:
    """What a model is worth at the end: all of its TV, part of it where it is damaged, nothing where it is lost.

    strikeops.victory.damaged    TV times remaining tracks by all columns, rounded
    """
    if not in_play(model):
        return 0
    worth, columns = stats(model).threat_value, model.track
    return rounded(Fraction(worth * (columns - model.harm), columns))


def surviving_pool(table: Table, side: str, pool: int) -> int:
    """What is left of a side's pool, with the points it never spent (strikeops.victory.force-group-bonus)."""
    models = [one for one in table.of_kind("model") if one.side == side]
    spent = sum(stats(one).threat_value for one in models)
    return sum(surviving(one) for one in models) + max(0, pool - spent)


CHAPTER = Chapter(
    states={
        StateName.MISSION_KILL: "it must withdraw to its own edge",
        StateName.ABANDONED: "its crew has bailed out",
    },
)
