"""Set-up and victory: the board, starting edges, deployment, and the end of a battle."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, PhaseBegan, Placed, StepBegan
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Off, Region, Spot, Zone
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import pieces_under
from sandtable.field.measure import CONTACT, covers, gap, outline_of
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.cav.setup import StartingEdges, undeployed
from sandtable.rulesets.quickstart.attributes import AMMO_BIN
from sandtable.rulesets.quickstart.concepts import BASE, FACING, MODEL, SCOPE, SQUAD
from sandtable.rulesets.quickstart.damage import BATTLE, HARM_THIS_TURN, destroy
from sandtable.rulesets.quickstart.datacard import CARD, THREAT_VALUE, card, movement, rating, stats
from sandtable.rulesets.quickstart.dice import PLAIN, STANDARD
from sandtable.rulesets.quickstart.movement.moves import forbids
from sandtable.rulesets.quickstart.setup.retreat import RETREAT, note_mission_kills
from sandtable.rulesets.quickstart.sight import settled
from sandtable.rulesets.quickstart.state_names import CountName, StateName, Until
from sandtable.rulesets.quickstart.states import receive
from sandtable.rulesets.quickstart.turn.phases import DRAW_DECK, END, END_PHASE, StartPhase, refill
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end, see_who_stands
from sandtable.tabletop.opening import lay_board

COMPONENTS = rule("quickstart.setup.components")
SIDES = rule("quickstart.setup.players-and-sides")
BOARD_SIZE = rule("quickstart.setup.board")
FEATURES = rule("quickstart.setup.terrain-features")
SCENARIO = rule("quickstart.setup.scenario-stand-and-fight")
FORCE_SIZE = rule("quickstart.setup.force-size")
ZONE = rule("quickstart.setup.deployment-zone")
EDGE = rule("quickstart.setup.choose-starting-edge")
DEPLOY = rule("quickstart.setup.deploy-by-draw-deck")
READY = rule("quickstart.setup.ready-checklist")
VICTORY = rule("quickstart.setup.victory")
STALEMATE = rule("quickstart.setup.stalemate")
COUNTS_AS_DESTROYED = rule("quickstart.setup.counts-as-destroyed")

#: Turns in a row in which nothing was harmed, counted on the battle.
QUIET = "quiet turns"

same_number(
    "the printed cards", COMPONENTS.number("printed_cards"), 2 * FORCE_SIZE.number("models_per_side_with_printed_cards")
)


class ChooseEdges(Step, frozen=True):
    """Roll for the starting edge."""


class Deploy(Step, frozen=True):
    """Place models by the draw deck until all stand on the board."""


class EndPhase(Step, frozen=True):
    """See whether somebody has won; if not, go on."""


# The board -------------------------------------------------------------------------------------------------------


def lay_ground(battle: Battle, ground: Ground) -> None:
    """Put the board and the terrain it comes with on the table."""

    def placed(piece: Piece) -> Placed:
        return Placed(piece.id, Off(), piece=piece, rule=FEATURES.id, detail=settled(piece.kind))

    lay_board(battle, ground, BOARD_SIZE, COMPONENTS, SIDES, placed=placed)


def bring(battle: Battle, model: Thing) -> None:
    """Bring a model with its data card, on the table or still to be deployed."""
    numbers = stats(model)
    made = replace(
        model,
        track=len(numbers.damage_track.column),
        counts={
            CountName.AMMO_BIN: rating(model, "ammo_bin") * AMMO_BIN.number("cancelled_results_per_level"),
            **model.counts,
        },
        glyph=model.glyph or card(model).glyph,
    )
    brought = citing(MODEL, BASE, SQUAD, CARD, THREAT_VALUE, SCOPE)
    battle.happens(Placed(model.id, model.place, model.facing, made=made, rule=FORCE_SIZE.id, detail=brought))


# Edges and deployment --------------------------------------------------------------------------------------------


#: The higher roller picks one of the board's two starting edges; zones are 6 inches deep.
EDGES = StartingEdges(
    rule=EDGE,
    zone_rule=ZONE,
    dice=STANDARD,
    citing=PLAIN,
    depth=ZONE.inches("depth_in"),
    state=StateName.EDGE,
    until=Until.GAME,
)
#: A deployment zone (quickstart.setup.deployment-zone), and the starting edge of a side.
zone, home_edge = EDGES.zone, EDGES.home


#: A switch of cases: of models that are alike the owner picks one by name (quickstart.setup.deploy-by-draw-deck).
BY_NAME = "placed by name"


def choose_edges(battle: Battle) -> Procedure[None]:
    """Roll for the starting edge, unless a case gives it, then deploy."""
    if not any(EDGES.given(battle.table, side) for side in battle.table.sides):
        yield from EDGES.choose(battle)
    battle.push(Deploy())


def zones(table: Table) -> tuple[Zone, ...]:
    """The deployment zones, as long as somebody is to be placed in them (quickstart.setup.deployment-zone)."""
    if not any(undeployed(table, side) for side in table.sides) or not table.ground.width:
        return ()
    return tuple(
        Zone(f"{side}-deployment", f"{side} deploys here", zone(table.ground, home_edge(table, side)), side, ZONE.id)
        for side in table.sides
    )


def deploy(battle: Battle) -> Procedure[None]:
    """Draw a card, place a model of that side, until all are on the board (quickstart.setup.deploy-by-draw-deck)."""
    battle.happens(PhaseBegan(0, "deployment", rule=DEPLOY.id))
    DRAW_DECK.shuffle(battle)
    while any(undeployed(battle.table, side) for side in battle.table.sides):
        side = DRAW_DECK.draw_side(battle)
        assert side is not None, "one card a model"
        waiting = undeployed(battle.table, side)
        if waiting:
            yield from _deploy_one(battle, side, waiting)
    battle.happens(StepBegan("ready", rule=READY.id))
    DRAW_DECK.restore(battle)
    battle.push(StartPhase())


def _deploy_one(battle: Battle, side: Side, waiting: list[Thing]) -> Procedure[None]:
    model = waiting[0]
    alike = len({one.card for one in waiting}) == 1
    if not alike or (len(waiting) > 1 and battle.table.options.get(BY_NAME)):
        chosen = yield ChooseOne(
            side,
            "Which model do you place?",
            topic="deploy-which",
            rules=(DEPLOY.id,),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in waiting),
            default=model.id if alike else None,
        )
        model = battle.table[chosen]
    area = zone(battle.table.ground, home_edge(battle.table, side))
    answer: dict[str, Spot] = yield PlaceThings(
        side,
        f"Place {model.label} in your deployment zone",
        topic="deploy",
        about=(model.id,),
        rules=(DEPLOY.id, ZONE.id, FACING.id),
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
        words = f"The whole base must lie within {ZONE.number('depth_in')}″ of your edge."
        return Refusal(ZONE.id, words, (DEPLOY.id,))
    for piece in pieces_under(table.ground, shape):
        if forbids(piece, on_road=False):
            return Refusal(DEPLOY.id, f"{model.label} may not stand in {piece.label or piece.kind}.")
    for other in table.models():
        if gap(shape, outline(other)) <= CONTACT:
            return Refusal(DEPLOY.id, f"That touches {other.label}.")
    return None


# The end ---------------------------------------------------------------------------------------------------------


def end_phase(battle: Battle) -> Procedure[None]:
    """See who has won, take the cards of lost models away, and begin the next turn.

    quickstart.setup.counts-as-destroyed           one without a column left is gone
    quickstart.setup.mission-kill-must-retreat     so is one that was abandoned before this End Phase
    quickstart.setup.victory                       the last side with a model in play; none is a draw
    quickstart.setup.stalemate                     too many quiet turns are a draw
    """
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn, END, rule=END_PHASE.id))
    for model in battle.table.models():
        if model.harm >= model.track:
            destroy(battle, model.id, why=COUNTS_AS_DESTROYED)
        elif model.has(StateName.ABANDONED):
            destroy(battle, model.id, why=RETREAT, how="abandoned")
    note_mission_kills(battle)
    if see_who_stands(battle, VICTORY):
        return
    if quiet_for_too_long(battle):
        end(battle, NO_SIDE, STALEMATE, "nothing has happened for too long")
        return
    DRAW_DECK.restore(battle)
    battle.push(StartPhase())


def quiet_for_too_long(battle: Battle) -> bool:
    """Count the turns in which nothing was harmed; the limit is a setting of the battle, 0 switches it off."""
    kept = battle.table.things.get(BATTLE)
    harmed, quiet = (kept.count(HARM_THIS_TURN), kept.count(QUIET)) if kept is not None else (0, 0)
    now = 0 if harmed else quiet + 1
    if harmed:
        battle.happens(Counted(BATTLE, HARM_THIS_TURN, harmed, 0, rule=STALEMATE.id))
    if now != quiet:
        battle.happens(Counted(BATTLE, QUIET, quiet, now, rule=STALEMATE.id))
    limit = quiet_turns_to_draw(battle.table)
    return bool(limit) and now >= limit


def quiet_turns_to_draw(table: Table) -> int:
    """After how many quiet turns a battle is a draw (quickstart.setup.stalemate)."""
    return int(table.options.get("quiet-turns", STALEMATE.number("quiet_turns_to_draw")))


def begin_as_laid_out(battle: Battle) -> None:
    """Give models what they have in a turn that begins with them on the table, as they are: a puzzle or a case."""
    for model in battle.table.models():
        refill(battle, model, keep=model.counts)
        if movement(model) == 0 or model.has(StateName.DISABLED):
            receive(battle, model.id, StateName.IMMOBILE)


def _judge_deployment(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    spot = answer[question.things[0]]
    if not isinstance(spot.where, At):
        return Refusal(question.rules[0], "Choose a point on the board.")
    return refused_deployment(view.table, view.table[question.things[0]], spot)


CHAPTER = Chapter(
    zones=zones,
    steps={
        ChooseEdges: lambda battle, step: choose_edges(battle),
        Deploy: lambda battle, step: deploy(battle),
        EndPhase: lambda battle, step: end_phase(battle),
    },
    judges={"deploy": _judge_deployment},
    answers={
        "edge": "the starting edge",
        "deploy": "where a model is placed",
        "deploy-which": "which model is placed",
    },
)
