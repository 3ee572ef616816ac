"""Set-up and victory: the board and its terrain, starting edges, deployment; mission kills, retreat and the end."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import BOARD, BattleEnded, Counted, PhaseBegan, Placed, StateChanged
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Leg, Off, Point, Polygon, Region, Spot, Walk, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import box_of, pieces_under
from sandtable.field.measure import CONTACT, covers, gap, outline_of
from sandtable.forces.ledger import rule
from sandtable.rulesets.quickstart.concepts import base_of, outline, touching
from sandtable.rulesets.quickstart.damage import destroy, most_action_points
from sandtable.rulesets.quickstart.datacard import card, movement, rating, stats
from sandtable.rulesets.quickstart.dice import plain_roll
from sandtable.rulesets.quickstart.movement import WalkerRates, forbids, going, refused_walk
from sandtable.rulesets.quickstart.shooting import working_weapons
from sandtable.rulesets.quickstart.turn import (
    END,
    END_PHASE,
    StartPhase,
    assemble_deck,
    draw,
    refill,
    restore_deck,
    shuffle,
)

COMPONENTS = rule("quickstart.setup.components")
SIDES = rule("quickstart.setup.players-and-sides")
BOARD_SIZE = rule("quickstart.setup.board")
SCENARIO = rule("quickstart.setup.scenario-stand-and-fight")
FORCE_SIZE = rule("quickstart.setup.force-size")
ZONE = rule("quickstart.setup.deployment-zone")
EDGE = rule("quickstart.setup.choose-starting-edge")
DEPLOY = rule("quickstart.setup.deploy-by-draw-deck")
READY = rule("quickstart.setup.ready-checklist")
VICTORY = rule("quickstart.setup.victory")
STALEMATE = rule("quickstart.setup.stalemate")
COUNTS_AS_DESTROYED = rule("quickstart.setup.counts-as-destroyed")
MISSION_KILL = rule("quickstart.setup.mission-kill")
RETREAT = rule("quickstart.setup.mission-kill-must-retreat")

EDGES = ("north", "east", "south", "west")


class ChooseEdges(Step, frozen=True):
    """Roll for the starting edge."""


class Deploy(Step, frozen=True):
    """Place models by the draw deck until all stand on the board."""


class EndPhase(Step, frozen=True):
    """See whether somebody has won; if not, go on."""


# The board -------------------------------------------------------------------------------------------------------


def edge_pair(ground: Ground) -> tuple[str, str]:
    """The two opposite edges that belong to the board: its short ones, north and south on a square board."""
    return ("west", "east") if ground.width > ground.height else ("north", "south")


def zone(ground: Ground, edge: str) -> Polygon:
    """A deployment zone: the whole length of an edge, 6 inches deep (quickstart.setup.deployment-zone)."""
    depth = ZONE.inches("depth_in")
    west, north = (ground.width - depth if edge == "east" else 0), (ground.height - depth if edge == "south" else 0)
    upright = edge in ("west", "east")
    return rectangle(west, north, depth if upright else ground.width, ground.height if upright else depth)


def lay_board(battle: Battle, ground: Ground) -> None:
    """Put the board and the terrain it comes with on the table."""
    board = Piece("board", BOARD, rectangle(0, 0, ground.width, ground.height))
    battle.happens(Placed("board", Off(), piece=board, rule=BOARD_SIZE.id))
    for piece in ground.pieces:
        battle.happens(Placed(piece.id, Off(), piece=piece, rule="quickstart.setup.terrain-features"))


def bring(battle: Battle, model: Thing) -> None:
    """Bring a model with its data card, on the table or still to be deployed."""
    numbers = stats(model)
    made = replace(
        model,
        track=len(numbers.damage_track.column),
        counts={"ammo bin": rating(model, "ammo_bin"), **model.counts},
        glyph=model.glyph or card(model).glyph,
    )
    battle.happens(Placed(model.id, model.place, model.facing, made=made, rule=FORCE_SIZE.id))


# Edges and deployment --------------------------------------------------------------------------------------------


def roll_off(battle: Battle, what: str, why: str) -> str:
    """Each side rolls 2d6, ties again; the higher side."""
    source = rule(why)
    while True:
        totals = {side: plain_roll(battle, what, side, "2d6", source) for side in battle.table.sides}
        best = max(totals.values())
        winners = [side for side, total in totals.items() if total == best]
        if len(winners) == 1:
            return winners[0]


def choose_edges(battle: Battle) -> Procedure[None]:
    """The higher roller picks one of the board's two starting edges, the other side gets the opposite one."""
    winner = roll_off(battle, "starting edge", EDGE.id)
    pair = edge_pair(battle.table.ground)
    edge = yield ChooseOne(
        winner,
        "Which edge is yours?",
        topic="edge",
        rules=(EDGE.id, ZONE.id),
        options=tuple(Option(one, one.capitalize()) for one in pair),
    )
    for side in battle.table.sides:
        own = edge if side == winner else next(one for one in pair if one != edge)
        battle.happens(StateChanged(side, "edge", None, own, "game", rule=EDGE.id))
    battle.push(Deploy())


def home_edge(table: Table, side: str) -> str:
    """The starting edge of a side; by the order of sides where no roll was made."""
    thing = table.things.get(side)
    value = thing.value("edge") if thing is not None else None
    return str(value) if value else edge_pair(table.ground)[table.sides.index(side) % 2]


def undeployed(table: Table, side: str) -> list[Thing]:
    """The models of a side that are still to be placed."""
    return [m for m in table.of_kind("model") if m.side == side and not m.gone and isinstance(m.place, Off)]


def deploy(battle: Battle) -> Procedure[None]:
    """Draw a card, place a model of that side, until all are on the board (quickstart.setup.deploy-by-draw-deck)."""
    battle.happens(PhaseBegan(0, "deployment", rule=DEPLOY.id))
    shuffle(battle)
    while any(undeployed(battle.table, side) for side in battle.table.sides):
        side = draw(battle)
        assert side is not None, "one card a model"
        waiting = undeployed(battle.table, side)
        if waiting:
            yield from _deploy_one(battle, side, waiting)
    restore_deck(battle)
    battle.push(StartPhase())


def _deploy_one(battle: Battle, side: str, waiting: list[Thing]) -> Procedure[None]:
    model = waiting[0]
    kinds = list(dict.fromkeys(one.card for one in waiting))
    if len(kinds) > 1:
        chosen = yield ChooseOne(
            side,
            "Which model do you place?",
            topic="deploy-which",
            rules=(DEPLOY.id,),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in waiting),
        )
        model = battle.table[chosen]
    area = zone(battle.table.ground, home_edge(battle.table, side))
    answer: dict[str, Spot] = yield PlaceThings(
        side,
        f"Place {model.label} in your deployment zone",
        topic="deploy",
        about=(model.id,),
        rules=(DEPLOY.id, ZONE.id),
        things=(model.id,),
        where={"": Region((area,), rule=ZONE.id, label="deployment zone")},
    )
    spot = answer[model.id]
    battle.happens(Placed(model.id, spot.where, spot.facing, rule=DEPLOY.id))


def refused_deployment(table: Table, model: Thing, spot: Spot) -> Refusal | None:
    """Why a model may not be placed there: its whole base in the zone, on terrain it may enter, touching nobody."""
    if not isinstance(spot.where, At) or spot.where.level:
        return Refusal(DEPLOY.id, "Place it on the board.")
    shape = outline_of(base_of(model), spot.where.point, spot.facing)
    if not covers(zone(table.ground, home_edge(table, model.side)), shape):
        return Refusal(ZONE.id, f"The whole base must lie within {ZONE.number('depth_in')}″ of your edge.")
    for piece in pieces_under(table.ground, shape):
        if forbids(piece, on_road=False):
            return Refusal(DEPLOY.id, f"{model.label} may not stand in {piece.label or piece.kind}.")
    for other in table.models():
        if gap(shape, outline(other)) <= CONTACT:
            return Refusal(DEPLOY.id, f"That touches {other.label}.")
    return None


# Mission kills and retreat ---------------------------------------------------------------------------------------


def mission_kill_cause(table: Table, model: Thing) -> str:
    """Why a model has permanently lost the means of its task, or nothing (quickstart.setup.mission-kill)."""
    causes = MISSION_KILL.texts("causes")
    if model.has("disabled"):
        return causes[0]
    if most_action_points(model) == 0:
        return causes[1]
    if model.count("weapons crippled"):
        return causes[2]
    foes = [other for other in touching(table, model) if other.side != model.side]
    if not working_weapons(model) and movement(model) == 0 and not foes:
        return causes[3]
    return ""


def nearest_edges(table: Table, model: Thing) -> list[str]:
    """The edges of the board, nearest first, measured from the base."""
    west, north, east, south = box_of(outline(model))
    ground = table.ground
    away = {"north": north, "east": ground.width - east, "south": ground.height - south, "west": west}
    return sorted(EDGES, key=lambda edge: (away[edge], EDGES.index(edge)))


def note_mission_kill(battle: Battle, model: str) -> None:
    """A model that has become a mission kill must leave by the nearest edge from its next activation on."""
    thing = battle.table[model]
    if not thing.on_table or thing.has("mission-kill"):
        return
    cause = mission_kill_cause(battle.table, thing)
    if cause:
        edge = nearest_edges(battle.table, thing)[0]
        battle.happens(
            StateChanged(model, "mission-kill", None, edge, "game", rule=MISSION_KILL.id, detail={"cause": cause})
        )


def note_mission_kills(battle: Battle) -> None:
    """Test every model in play."""
    for model in battle.table.models():
        note_mission_kill(battle, model.id)


def can_never_move(model: Thing) -> bool:
    """Whether a mission kill is abandoned: disabled, without action points or without movement."""
    return model.has("disabled") or most_action_points(model) == 0 or movement(model) == 0


def retreat_walk(table: Table, model: Thing, rates: WalkerRates) -> Walk | None:
    """The walk that brings a mission kill farthest towards its edge in one Move Action; none where it cannot go."""
    edge = str(model.value("mission-kill"))
    towards = {"north": 270, "east": 0, "south": 90, "west": 180}[edge]
    best: tuple[int, int, Walk] | None = None
    for turn in range(-90, 91, 15):
        aim = (towards - model.facing + 180) % 360 - 180
        for first in dict.fromkeys((max(-90, min(90, aim)), turn)):
            walk = Walk((Leg(first, 20_000),))
            gone = going(table, model, walk, rates)
            legs, _ = gone.track.cut(gone.reach)
            if not legs.legs or refused_walk(table, model, legs, rates) is not None:
                continue
            score = _progress(table, model, gone.track.pose_at(gone.reach).point, edge)
            if best is None or (score, -abs(first)) > best[:2]:
                best = (score, -abs(first), legs)
    return best[2] if best is not None and best[0] > -(10**6) else None


def _progress(table: Table, model: Thing, point: Point, edge: str) -> int:
    ground = table.ground
    return {
        "north": -point.y,
        "south": point.y - ground.height,
        "west": -point.x,
        "east": point.x - ground.width,
    }[edge]


# The end ---------------------------------------------------------------------------------------------------------


def sides_in_play(table: Table) -> list[str]:
    """The sides that have a model in play."""
    return [side for side in table.sides if table.models(side)]


def end_phase(battle: Battle) -> Procedure[None]:
    """See who has won, take the cards of lost models away, and begin the next turn.

    quickstart.setup.victory      the last side with a model in play; none is a draw
    quickstart.setup.stalemate    too many quiet turns are a draw
    """
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn, END, rule=END_PHASE.id))
    note_mission_kills(battle)
    for model in battle.table.models():
        if model.has("mission-kill") and can_never_move(model) and model.value("abandoned") != battle.table.turn:
            if model.has("abandoned"):
                destroy(battle, model.id, why=RETREAT, how="abandoned")
            else:
                turn = battle.table.turn
                battle.happens(StateChanged(model.id, "abandoned", None, turn, "the next End Phase", rule=RETREAT.id))
    left = sides_in_play(battle.table)
    if len(left) <= 1:
        battle.happens(BattleEnded(left[0] if left else "", reason=_reason(left), rule=VICTORY.id))
        return
    if quiet_for_too_long(battle):
        battle.happens(BattleEnded("", reason="nothing has happened for too long", rule=STALEMATE.id))
        return
    restore_deck(battle)
    battle.push(StartPhase())


def _reason(left: list[str]) -> str:
    return f"{left[0]} is the last side in play" if left else "no side has a model in play"


def quiet_for_too_long(battle: Battle) -> bool:
    """Count the turns without harm or loss; the limit is a setting of the battle, 0 switches it off."""
    table = battle.table
    limit = int(table.options.get("quiet-turns", STALEMATE.number("quiet_turns_to_draw")))
    harm = sum(
        model.harm + sum(n for what, n in model.counts.items() if what not in _NOT_HARM)
        for model in table.of_kind("model")
    )
    gone = sum(bool(model.gone) for model in table.of_kind("model"))
    sign = harm + 1000 * gone
    kept = table.things.get("battle")
    before, quiet = (kept.count("harm seen"), kept.count("quiet turns")) if kept is not None else (0, 0)
    now = quiet + 1 if sign == before else 0
    if sign != before:
        battle.happens(Counted("battle", "harm seen", before, sign, rule=STALEMATE.id))
    if now != quiet:
        battle.happens(Counted("battle", "quiet turns", quiet, now, rule=STALEMATE.id))
    return bool(limit) and now >= limit


_NOT_HARM = ("AP", "torso twist", "ammo bin")


def begin_as_laid_out(battle: Battle) -> None:
    """The first turn of a battle whose models stand on the table already, as they are: a puzzle or a case."""
    assemble_deck(battle)
    for model in battle.table.models():
        refill(battle, model, keep=model.counts)
