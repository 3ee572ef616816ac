"""Victory: mission kills and their way home, crews that bail out, and what is left of a force."""

from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import Edge, gap_to_edge
from sandtable.field.ground import box_of
from sandtable.field.measure import outline_of
from sandtable.field.walking.courses import legs_of, signed
from sandtable.field.walking.paths import Pose
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, pose
from sandtable.rulesets.cav.movement import Rates, pose_after, spent
from sandtable.rulesets.strikeops.concepts import ROUNDING, rounded
from sandtable.rulesets.strikeops.damage import in_play, leave_play, lies_there
from sandtable.rulesets.strikeops.datacard import movement, stats, weapons
from sandtable.rulesets.strikeops.movement import (
    FIRES_HERE,
    WITHDRAWN,
    going,
    question_rates,
    rates_for,
    refused_move,
    refused_walk,
    straight_run,
)
from sandtable.rulesets.strikeops.setup import EDGES
from sandtable.rulesets.strikeops.shooting.aiming import RUN_MOVES, types_in
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
COUNTED_BY = (SURVIVING, DESTROYED, DAMAGED, BONUS, BY_POINTS, ROUNDING)

#: Where each edge of the board lies, in degrees.
_TOWARDS = {Edge.EAST: 0, Edge.SOUTH: 90, Edge.WEST: 180, Edge.NORTH: 270}
#: Who faces so far off its edge, or farther, faces away from it: straight ahead it comes no nearer.
_ABREAST = 90


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
            lies_there(battle, model.id, StateName.ABANDONED, BAILING_OUT)


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


def _gap(table: Table, model: Thing, at: Pose, edge: Edge) -> int:
    return gap_to_edge(table.ground, edge, box_of(outline_of(base_of(model), at.point, at.facing)))


def way_home(table: Table, model: Thing, rates: Rates, running: bool = False) -> Walk | None:
    """A walk that brings a model nearer to its starting edge, or at least turns it there; none where nothing does.

    It goes straight there as far as it can; where that way is barred, past what bars it, or backwards. Who runs, goes
    forward only, after one turn.
    """
    home = _TOWARDS[EDGES.home(table, model.side)]
    if running:
        return _run_home(table, model, home, rates)
    straight = _as_far(table, model, home, 1, rates)
    if straight is not None and straight[1] > UNIT:
        return straight[0]
    ways = [straight, *(_as_far(table, model, home + off, 1, rates) for off in _PAST)]
    found = [way for way in (*ways, _as_far(table, model, model.facing, -1, rates)) if way is not None]
    if found:
        walk = max(found, key=lambda way: way[1])[0]
        while (leg := _goes_on(table, model, walk, rates)) is not None:
            walk = Walk((*walk.legs, leg))
        return walk
    if model.has(StateName.SUPPRESSED):
        return None  # a state forbids it
    turned = Walk(legs_of(model.facing, ((home, 0),), GROUND.turning.most)[:1])
    return turned if turned.legs and refused_walk(table, model, turned, rates) is None else None


#: By how much a way home may lead past what bars the straight one, in degrees.
_PAST = (30, -30, 60, -60)
#: The turns that are looked at for a run home are so far apart, in degrees.
_BY = 15


def _as_far(table: Table, model: Thing, heading: int, sign: int, rates: Rates) -> tuple[Walk, int] | None:
    """The way in a direction as far as it leads, in whole inches if it can, and how much nearer to the edge that is."""

    def walk(far: int) -> Walk:
        return Walk(legs_of(model.facing, ((heading, sign * far),), GROUND.turning.most))

    far = walk(rates.mv * UNIT)
    gone = going(table, model, far, rates)
    if not gone.leaves:
        far = walk(gone.reach // UNIT * UNIT or gone.reach)
        gone = going(table, model, far, rates)
    stays = not gone.reach and not gone.leaves
    if stays or refused_walk(table, model, far, rates) is not None:
        return None
    end = gone.track.pose_at(gone.track.length) if gone.leaves else pose_after(gone)
    nearer = to_edge(table, model, pose(model)) - to_edge(table, model, end)
    return (far, nearer) if nearer > 0 else None


def _run_home(table: Table, model: Thing, home: int, rates: Rates) -> Walk | None:
    """The Run 'N Gun that brings a model nearest to its starting edge; none where no run brings it nearer."""
    most = GROUND.turning.most
    straight = max(-most, min(most, signed(home - model.facing)))
    found: list[tuple[int, Walk]] = []
    for turn in dict.fromkeys((straight, 0, *range(-most, most + 1, _BY))):
        run = straight_run(table, model, rates, turn)
        if refused_move(table, model, run, rates, running=True) is None:
            found.append((to_edge(table, model, pose_after(going(table, model, run, rates))), run))
    gap, best = min(found, key=lambda one: one[0], default=(0, None))
    return best if gap < to_edge(table, model, pose(model)) else None


def must_withdraw(table: Table, model: Thing) -> bool:
    """Whether a model owes a Move Action towards its starting edge, or one to stand up.

    strikeops.victory.mission-kill-withdrawal    standing up counts when that is all it can do
    """
    if not model.has(StateName.MISSION_KILL) or not model.count(CountName.AP):
        return False
    if is_down(model):
        return True  # it can stand up
    return bool(movement(model)) and way_home(table, model, rates_for(model, 1)) is not None


def runs_home(table: Table, model: Thing) -> bool:
    """Whether a Run 'N Gun would bring a model nearer to its starting edge: it is two Move Actions as well.

    strikeops.shooting.run-n-gun
    """
    rates = rates_for(model, RUN_MOVES, running=True)
    return bool(rates.mv) and way_home(table, model, rates, running=True) is not None


def refused_staying(model: Thing) -> Refusal:
    """What is said to a mission kill that declares no Move Action."""
    return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill: one Move Action takes it towards its own edge.")


def homeward(table: Table, model: Thing, question: MoveModels) -> MoveModels:
    """The question for the move of a mission kill: its way home is the default, and it may not stay."""
    if not model.has(StateName.MISSION_KILL):
        return question
    way = way_home(table, model, question_rates(model, question), bool(question.facts["running"]))
    rules = (WITHDRAWAL.id, *question.rules)
    if way is None:
        return replace(question, rules=rules)
    marks = {FIRES_HERE: 0} if question.marks else {}
    return replace(question, rules=rules, default={model.id: replace(way, marks=marks)}, decline="")


def _goes_on(table: Table, model: Thing, walk: Walk, rates: Rates) -> Leg | None:
    """What else the MV of one Move Action would pay for: an inch that leads nearer to the edge, or a turn to it."""
    gone = going(table, model, walk, rates)
    if gone.leaves:
        return None  # it is home
    end, owed = pose_after(gone), rates.mv // rates.actions - rates.spent
    turn = signed(_TOWARDS[EDGES.home(table, model.side)] - end.facing)
    away = abs(turn) >= _ABREAST
    leg = Leg(max(-_ABREAST, min(_ABREAST, turn))) if away else Leg(0, UNIT)
    on = Walk((*walk.legs, leg))
    further = going(table, model, on, rates)
    if refused_walk(table, model, on, rates) is not None or spent(further, further.reach) > owed:
        return None
    if away:
        return leg if spent(gone, gone.reach) < owed else None
    return leg if to_edge(table, model, pose_after(further)) < to_edge(table, model, end) else None


def refused_withdrawal(table: Table, model: Thing, walk: Walk, rates: Rates, running: bool = False) -> Refusal | None:
    """Why the move of a mission kill will not do.

    strikeops.victory.mission-kill-withdrawal    it ends nearer to its edge, or turned there where that is all it can
                                                 do; no MV of one Move Action is left that would take it on, or turn it
    strikeops.shooting.run-n-gun                 whoever became one after it declared a run owes no other way than a run
    """
    way = way_home(table, model, rates, running) if model.has(StateName.MISSION_KILL) else None
    gone = going(table, model, walk, rates)
    if way is None or gone.leaves or walk.legs == way.legs:
        return None
    end, home = pose_after(gone), _TOWARDS[EDGES.home(table, model.side)]
    if all(isinstance(leg, Leg) and not leg.go for leg in way.legs):
        turns = abs(signed(home - end.facing)) < abs(signed(home - model.facing))
        return None if turns else Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill and must turn to its edge.")
    if to_edge(table, model, end) >= to_edge(table, model, pose(model)):
        return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill and must come nearer to its own edge.")
    more = None if running else _goes_on(table, model, walk, rates)  # a run uses its MV anyway
    if more is None:
        return None
    can = "go on" if more.go else "turn to its edge"
    return Refusal(WITHDRAWAL.id, f"{model.label} is a mission kill and must use its MV: it can {can}.")


def withdraw(battle: Battle, model: ThingId) -> None:
    """A model leaves the board over an edge, for good (strikeops.victory.withdrawn)."""
    thing = battle.table[model]
    starts = [EDGES.home(battle.table, side) for side in battle.table.sides]
    edges = sorted(_TOWARDS, key=lambda edge: edge not in starts)
    over = min(edges, key=lambda edge: _gap(battle.table, thing, pose(thing), edge))
    give(battle, model, StateName.LEFT, WITHDRAWN, str(over), until=Until.GAME)
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


def surviving_pool(table: Table, side: Side, pool: int) -> int:
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
