"""Deployment: squads placed by the draw deck, or entering from their edge, some of them later; recon moves."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, PhaseBegan, Placed, Spent, StepBegan
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseOne, MoveModels, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Leg, Point, Region, Spot, Walk, Zone, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.edges import inside_of, strip
from sandtable.field.ground import box_of
from sandtable.field.measure import outline_of
from sandtable.field.walking.cost import price
from sandtable.field.walking.paths import Pose, resolve
from sandtable.forces.ledger import rule
from sandtable.forces.models import UNDEPLOYED
from sandtable.rulesets.cav.concepts import base_of
from sandtable.rulesets.cav.movement import pose_after
from sandtable.rulesets.cav.setup import undeployed
from sandtable.rulesets.strikeops.actions.listing import COST, TWO_POINTS, action_points
from sandtable.rulesets.strikeops.concepts import WITHIN, in_contact
from sandtable.rulesets.strikeops.datacard import stats
from sandtable.rulesets.strikeops.initiative import DELAYED, DRAW_DECK, StartPhase, held_back
from sandtable.rulesets.strikeops.laying import LAYING, laying_steps
from sandtable.rulesets.strikeops.missions import (
    HILL_DEPLOYMENT,
    hill_region,
    on_hill_when_placed,
    region,
    to_the_hill,
    whole_sides,
)
from sandtable.rulesets.strikeops.movement import (
    DOUBLE_TIME,
    advance,
    going,
    has_moved,
    question_rates,
    rates_for,
    refused_move,
    walk_question,
)
from sandtable.rulesets.strikeops.setup import EDGES, FACING, STANDARD, ZONES, proposed, refused_spot
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import take

DEPLOYMENT_ORDER = rule("strikeops.initiative.deployment-order")
ROLLING = rule("strikeops.initiative.deployment-rolling")
SPECIAL = rule("strikeops.initiative.deployment-special")
RECON_MOVE = rule("strikeops.initiative.recon-move")
RECON_ORDER = rule("strikeops.initiative.recon-move-order")

DEPLOY, DEPLOY_WHICH = "deploy", "deploy-which"
ENTER, ENTERING = "enter", "enter-walk"
RECON_WHICH, RECON_WALK, NO_MORE = "recon-which", "recon-walk", "no more"
#: The option of a battle that has squads enter from their edges.
DEPLOYMENT, ROLLING_OPTION = "deployment", "rolling"


class ChooseEdges(Step, frozen=True):
    """Roll for the starting edge."""


class Deploy(Step, frozen=True):
    """Place squads by the draw deck until all stand on the board."""


class ReconMoves(Step, frozen=True):
    """All squads have been placed: recon models may move."""


def to_place(table: Table, side: Side) -> list[Thing]:
    """The models of a side that are still to be placed before the first turn."""
    return [one for one in undeployed(table, side) if one.place == UNDEPLOYED]


def opening_steps(table: Table) -> tuple[Step, ...]:
    """What a battle begins with: the edges are chosen and squads placed, unless they stand there already."""
    deployed = not any(to_place(table, side) for side in table.sides)
    return (ReconMoves(),) if deployed else (ChooseEdges(),)


# Deployment -------------------------------------------------------------------------------------------------------


def zones(table: Table) -> tuple[Zone, ...]:
    """The deployment zones, as long as somebody is to be placed in them."""
    if not any(to_place(table, side) for side in table.sides):
        return ()
    return tuple(
        Zone(
            f"{side}-deployment",
            f"{side} deploys here",
            region(table, side).inside[0],
            side,
            region(table, side).rule,
        )
        for side in table.sides
    )


def choose_edges(battle: Battle) -> Procedure[None]:
    """Roll for the starting edge, lay the terrain that the board did not bring, then deploy.

    strikeops.setup.choosing-edges    no roll where the edges are designated
    """
    table = battle.table
    if LAYING not in table.options and any(EDGES.given(table, side) for side in table.sides):
        battle.push(Deploy())
        return
    winner = yield from EDGES.choose(battle)
    loser = next(side for side in table.sides if side != winner)
    battle.push(*laying_steps(table, loser), Deploy())


def deploy(battle: Battle) -> Procedure[None]:
    """Flip a card, place a squad of that side, until all are on the board (strikeops.initiative.deployment-order)."""
    battle.happens(PhaseBegan(0, "deployment", rule=DEPLOYMENT_ORDER.id))
    DRAW_DECK.shuffle(battle)
    table = battle.table
    for side in whole_sides(table):
        while waiting := to_place(table, side):
            yield from _deploy_squad(battle, side, list(dict.fromkeys(one.unit for one in waiting)))
    while any(to_place(table, side) for side in table.sides):
        drawn = DRAW_DECK.draw_side(battle)
        assert drawn is not None, "more cards than squads"
        if waiting := to_place(table, drawn):
            yield from _deploy_squad(battle, drawn, list(dict.fromkeys(one.unit for one in waiting)))
    battle.happens(StepBegan("ready", rule=DEPLOYMENT_ORDER.id))
    DRAW_DECK.restore(battle, assigned=False)
    battle.push(ReconMoves())


def _deploy_squad(battle: Battle, side: Side, waiting: Sequence[str]) -> Procedure[None]:
    table, squad = battle.table, waiting[0]
    if len(waiting) > 1:
        options = tuple(Option(one, table[one].label, (one,)) for one in waiting)
        squad = yield ChooseOne(
            side, "Which squad do you place?", topic=DEPLOY_WHICH, rules=(STANDARD.id,), options=options
        )
    models = [one for one in to_place(table, side) if one.unit == squad]
    if table.options.get(DEPLOYMENT) == ROLLING_OPTION:
        for model in models:
            yield from enter(battle, model.id, quiet=True)
        return
    area = region(table, side)
    uphill = yield from to_the_hill(table, models)
    answer: dict[str, Spot] = yield PlaceThings(
        side,
        f"Place {table[squad].label}: {area.label}",
        topic=DEPLOY,
        about=(squad,),
        rules=(STANDARD.id, area.rule, FACING.id, WITHIN.id, *((SPECIAL.id,) if area.rule != ZONES.id else ())),
        things=tuple(one.id for one in models),
        where={"": area, **{name: hill_region(table, table[name]) for name in uphill}},
        default=None if uphill else proposed(table, models, area),
    )
    for model in models:
        spot = answer[model.id]
        battle.happens(Placed(model.id, spot.where, spot.facing, rule=STANDARD.id))


def _judge_deployment(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    for name in question.things:
        refusal = refused_spot(view.table, view.table[name], answer[name], answer, question.where[""])
        if refusal is not None:
            return refusal
    for name in question.where:
        if name and not on_hill_when_placed(view.table, view.table[name], answer[name]):
            return Refusal(HILL_DEPLOYMENT.id, f"{view.table[name].label} is to stand on the hill.")
    return None


# Entering from the edge -------------------------------------------------------------------------------------------


def _strip(table: Table, model: Thing) -> tuple[Region, int]:
    """Where a model stands that has just entered: its base touches its edge; and how deep that is."""
    edge = EDGES.home(table, model.side)
    west, north, east, south = box_of(outline_of(base_of(model), Point(0, 0), edge.inwards))
    depth = (east - west) if edge.upright else (south - north)
    return Region((strip(table.ground, edge, depth),), whole=False, rule=ROLLING.id, label=f"your edge, {edge}"), depth


def _touching(table: Table, model: Thing, point: Point) -> Spot:
    """A model beside a point of its edge, just inside the board and facing it."""
    edge = EDGES.home(table, model.side)
    _, depth = _strip(table, model)
    return Spot(At(inside_of(table.ground, edge, point, depth // 2)), edge.inwards)


def refused_entry(table: Table, model: Thing, point: Point) -> Refusal | None:
    """Why a model may not enter beside a point of its edge."""
    ground = table.ground
    board = Region((rectangle(-1, -1, ground.width + 2, ground.height + 2),), rule=ROLLING.id, label="the board")
    return refused_spot(table, model, _touching(table, model, point), {}, board)


def _doors(table: Table, model: Thing) -> list[Point]:
    """Points along its edge beside which a model could enter, those near the middle first."""
    ground, upright = table.ground, EDGES.home(table, model.side).upright
    length = ground.height if upright else ground.width
    along = sorted(range(UNIT, length, UNIT), key=lambda one: abs(2 * one - length))
    points = (Point(0, one) if upright else Point(one, 0) for one in along)
    return [one for one in points if refused_entry(table, model, one) is None]


def price_of_entering(ground: Ground, model: Thing, spot: Spot, depth: int) -> int | None:
    """What it costs a model to come over its edge with its whole base; none where one Move Action does not do."""
    assert isinstance(spot.where, At)
    inside = Pose(spot.where.point, spot.facing)
    outside = resolve(inside, Walk((Leg(0, -depth),))).pose_at(depth).point
    track = resolve(Pose(outside, spot.facing), Walk((Leg(0, depth),)))
    trace = price(track, base_of(model), ground, rates_for(model, 1))
    return None if trace.stop is not None else trace.total


def enter(battle: Battle, name: str, *, quiet: bool) -> Procedure[None]:
    """A model enters with a single Move Action from its edge (strikeops.initiative.deployment-rolling).

    One that cannot enter completely is placed touching the edge. Before the first turn it is a quiet move, and uses up
    nothing of that turn.
    """
    table, model = battle.table, battle.table[name]
    area, depth = _strip(table, model)
    doors = _doors(table, model)
    answer: dict[str, Spot] = yield PlaceThings(
        model.side,
        f"Where does {model.label} enter?",
        topic=ENTER,
        about=(name,),
        rules=(ROLLING.id,),
        things=(name,),
        where={"": area},
        faces=False,
        default={name: Spot(At(doors[0]))} if doors else None,
    )
    where = answer[name].where
    assert isinstance(where, At)
    spot = _touching(table, model, where.point)
    battle.happens(Placed(name, spot.where, spot.facing, rule=ROLLING.id))
    model = battle.table[name]
    if price_of_entering(table.ground, model, spot, depth) is not None:
        if not quiet:
            battle.happens(Counted(name, CountName.INCHES, 0, depth, rule=DOUBLE_TIME.id))
        question = replace(walk_question(model, 1), topic=ENTERING)
        left = {name: max(0, question.allowance[name] - depth // UNIT)}  # what is left of an inch begun goes on
        # On its edge it can hardly turn, so that what is reached in one line alone is no area to be shown.
        question = replace(question, shows=("distance",), allowance=left, facts={**question.facts, "entered": depth})
        yield from _walk(battle, question, quiet=quiet)


def _walk(battle: Battle, question: MoveModels, *, quiet: bool) -> Procedure[None]:
    """A Move Action outside an activation, or of one that has just come over its edge."""
    name = question.models[0]
    answer = yield question
    walk: Walk = answer.get(name, Walk()) if answer else Walk()
    if walk.legs:
        model = battle.table[name]
        gone = going(battle.table, model, walk, question_rates(model, question))
        advance(battle, model.id, gone, 0, gone.reach, quiet=quiet)


def arrive(battle: Battle, squad: Thing) -> Procedure[None]:
    """A squad that was held back enters from its edge; that Move Action is one of its actions.

    strikeops.initiative.deployment-delayed
    """
    if not squad.has(StateName.ARRIVING):
        return
    take(battle, squad.id, StateName.ARRIVING, DELAYED)
    for model in [one for one in battle.table.of_kind("model") if one.unit == squad.id and held_back(one)]:
        battle.happens(Counted(model.id, CountName.AP, 0, action_points(model), rule=TWO_POINTS.id))
        left = action_points(model) - COST.number("default_ap")
        battle.happens(Spent(model.id, CountName.AP, COST.number("default_ap"), left, rule=DELAYED.id))
        yield from enter(battle, model.id, quiet=False)
        has_moved(battle, model.id)


# Recon moves ------------------------------------------------------------------------------------------------------


def recon_models(table: Table, side: Side) -> list[Thing]:
    """The models of a side that may move before the first turn, in whatever squad (strikeops.initiative.recon-move)."""
    return [one for one in table.models(side) if stats(one).task == "recon"]


def recon_moves(battle: Battle) -> Procedure[None]:
    """Each flipped card lets its side move all recon models of one squad, or pass for good.

    strikeops.initiative.recon-move-order    where only one side has any, no cards are flipped
    """
    table = battle.table
    left = {side: list(dict.fromkeys(one.unit for one in recon_models(table, side))) for side in table.sides}
    if any(left.values()):
        battle.happens(PhaseBegan(0, "recon moves", rule=RECON_MOVE.id))
    if all(left.values()):
        DRAW_DECK.shuffle(battle)
    while any(left.values()):
        able = [side for side in table.sides if left[side]]
        side = DRAW_DECK.draw_side(battle) if DRAW_DECK.left(table) and len(able) > 1 else able[0]
        if side is None or not left.get(side):
            continue
        squad = yield from _which_squad(battle, side, left[side])
        if squad == NO_MORE:
            left[side] = []
            continue
        left[side].remove(ThingId(squad))
        for model in [one for one in recon_models(table, side) if one.unit == squad]:
            question = walk_question(model, 1)
            rules = (RECON_MOVE.id, RECON_ORDER.id, *question.rules)
            prompt = f"{model.label} makes a recon move"
            yield from _walk(battle, replace(question, topic=RECON_WALK, prompt=prompt, rules=rules), quiet=True)
    DRAW_DECK.restore(battle)
    battle.push(StartPhase())


def _which_squad(battle: Battle, side: Side, left: Sequence[str]) -> Procedure[str]:
    options = tuple(Option(one, battle.table[one].label, (one,)) for one in left)
    chosen: str = yield ChooseOne(
        side,
        "Recon moves of which squad?",
        topic=RECON_WHICH,
        rules=(RECON_ORDER.id, RECON_MOVE.id),
        options=(*options, Option(NO_MORE, "No more")),
        default=NO_MORE,
    )
    return chosen


def _judge_quiet(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """A recon move, or one over the edge, goes by the rules of movement, not off the board and into no contact."""
    model = view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    rates = question_rates(model, question)
    refusal = refused_move(view.table, model, walk, rates)
    if refusal is not None:
        return refusal
    gone, why = going(view.table, model, walk, rates), RECON_MOVE if question.topic == RECON_WALK else ROLLING
    if gone.leaves:
        return Refusal(why.id, f"{model.label} may not leave the board with this move.")
    end = pose_after(gone)
    turned = replace(model, place=At(end.point), facing=end.facing)
    near = [one for one in view.table.enemies_of(model.side) if in_contact(turned, one)]
    if near and question.topic == RECON_WALK:
        return Refusal(why.id, f"A recon move may not bring {model.label} into contact with {near[0].label}.")
    return None


def _judge_entry(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    name = question.things[0]
    where = answer[name].where
    if not isinstance(where, At):
        return Refusal(ROLLING.id, "It enters from its edge.")
    return refused_entry(view.table, view.table[name], where.point)


CHAPTER = Chapter(
    zones=zones,
    steps={
        ChooseEdges: lambda battle, step: choose_edges(battle),
        Deploy: lambda battle, step: deploy(battle),
        ReconMoves: lambda battle, step: recon_moves(battle),
    },
    judges={DEPLOY: _judge_deployment, ENTER: _judge_entry, ENTERING: _judge_quiet, RECON_WALK: _judge_quiet},
    answers={
        "edge": "the starting edge",
        DEPLOY: "where the models of a squad are placed",
        DEPLOY_WHICH: "which squad is placed",
        ENTER: "where a model enters from its edge, [x, y]: its base touches the edge beside that point",
        ENTERING: "the path of a model that has come over its edge, with what is left of its Move Action",
        RECON_WHICH: f"which squad makes its recon moves, or `{NO_MORE}`",
        RECON_WALK: "the path of a recon move",
    },
)
