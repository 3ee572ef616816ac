"""Transcript 14: close quarters in a building, then the building comes down on both sides.

Each side has one battlegroup: a squad of infantry and a squad of tanks. Places in the building are slots without
coordinates. The guns here cannot score Criticals on the building, so Collateral Damage is left out, and so are cards,
aircraft and transports.
"""

from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BOARD,
    BattleEnded,
    Counted,
    Harm,
    HarmApplied,
    Moved,
    PhaseBegan,
    Placed,
    Rolled,
    StateChanged,
    StepBegan,
)
from sandtable.engine.ids import BLUE, NO_SIDE, RED, PieceId, RuleId, Side, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, Option, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, In, Off, Place, Point, Spot, rectangle
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.walking.paths import Pose, resolve
from tests.miniatures.masonry_fire import (
    CloseQuarters,
    FireWeapon,
    close_quarters,
    declare_close_quarters,
    declare_shots,
    fire_weapon,
    targets,
)
from tests.miniatures.masonry_ground import (
    BLOCK,
    CENTRE,
    CHOOSING,
    EXITING,
    INFANTRY,
    MOVE,
    NEAR,
    TANK,
    around,
    building,
    default_spots,
    enter_refused,
    in_coherency,
    inside,
    near_the_building,
    other,
    place_refused,
    places_inside,
    slot,
    stands,
    walk_refused,
)
from tests.miniatures.masonry_harm import END_OF_ACTIVATION, KILL_POINTS, by_initiative, carry_out, put_down

PHASES = RuleId("dropzone.round.phases")
INITIATIVE = RuleId("dropzone.round.initiative")
ACTIVATION = RuleId("dropzone.round.battlegroup-activation")
ROUND_UP = RuleId("dropzone.round.round-up-phase")
TWO_ACTIONS = RuleId("dropzone.actions.two-actions")
ENTERING = RuleId("dropzone.garrisons.entering")
MOVING_INSIDE = RuleId("dropzone.garrisons.moving-inside")
CQ_ONLY = RuleId("dropzone.garrisons.close-quarters-only")
STORMING = RuleId("dropzone.garrisons.storming-penalty")
DECLARE = RuleId("dropzone.shooting.declare-before-rolling")
GAME_END = RuleId("dropzone.scenario.game-end")

LAST_ROUND = 3
MOVES = {"infantry": 3 * UNIT, "tanks": 5 * UNIT}


class Squad(NamedTuple):
    """A squad as the set-up has it."""

    id: str
    side: Side
    kind: str
    places: tuple[Place, ...]


def _row(x: int, y: int, count: int, step: int) -> tuple[Place, ...]:
    return tuple(At(Point(x + step * n, y)) for n in range(count))


SQUADS = (
    Squad("I", RED, "infantry", _row(16250, 21500, 3, 1300)),
    Squad("K", RED, "tanks", (At(Point(17500, 27000)), At(Point(21500, 17500)))),
    Squad("J", BLUE, "infantry", (In(BLOCK, "north"), In(BLOCK, "north"), In(BLOCK, CENTRE))),
    Squad("N", BLUE, "tanks", _row(12000, 8000, 2, 3000)),
)


class RoundBegins(Step, frozen=True):
    pass


class Battlegroup(Step, frozen=True):
    side: Side


class NextSquad(Step, frozen=True):
    side: Side


class SquadActs(Step, frozen=True):
    """A squad has actions left; `done` are the kinds it has used."""

    squad: str
    done: tuple[str, ...] = ()


class RoundUp(Step, frozen=True):
    pass


class FallingMasonry(Ruleset):
    """Three rounds of one battlegroup a side; most Kill Points win."""

    name = "falling-masonry"
    steps = (RoundBegins, Battlegroup, NextSquad, SquadActs, CloseQuarters, FireWeapon, RoundUp)
    concession_rule = GAME_END
    draw_rule = GAME_END

    def open(self, battle: Battle, setup: Setup) -> None:
        board = Piece(PieceId("board"), BOARD, rectangle(0, 0, 36 * UNIT, 36 * UNIT))
        battle.happens(Placed("board", Off(), piece=board, rule=RuleId("dropzone.scenario.table")))
        battle.happens(Placed(BLOCK, Off(), piece=building(), rule=RuleId("dropzone.scenery.table")))
        held = Thing(ThingId(BLOCK), kind="holder", label="the building", track=10, counts={"armour": 10})
        battle.happens(
            Placed(BLOCK, Off("it is a piece of the ground"), made=held, rule=RuleId("dropzone.scenery.table"))
        )
        battered = setup.scenario.get("battered", 5)
        battle.happens(
            HarmApplied(BLOCK, Harm("damage points", battered), 0, battered, rule=RuleId("dropzone.scenery.table"))
        )
        for squad in SQUADS:
            self.muster(battle, squad)
        papers = Thing(ThingId("papers"), kind="marker", label="papers", glyph="objective")
        battle.happens(Placed("papers", In("J"), made=papers, rule=RuleId("dropzone.objectives.mobile-objectives")))
        battle.push(RoundBegins())

    def muster(self, battle: Battle, squad: Squad) -> None:
        """Put a squad and its units on the table."""
        rule = RuleId("dropzone.units.unit-squad-battlegroup")
        foot = squad.kind == "infantry"
        track, armour, points, base = (5, 7, 5, INFANTRY) if foot else (2, 12, 20, TANK)
        counts = {"damage points": track * len(squad.places), "fortitude": 4} if foot else {}
        made = Thing(ThingId(squad.id), kind="unit", side=squad.side, label=squad.id, card=squad.kind, counts=counts)
        battle.happens(Placed(squad.id, Off("its units stand for it"), made=made, rule=rule))
        for n, place in enumerate(squad.places, 1):
            name = ThingId(f"{squad.id}{n}")
            stats = {"armour": armour, "points": points}
            one = Thing(
                name,
                "model",
                squad.side,
                name,
                squad.kind,
                base=base,
                unit=ThingId(squad.id),
                track=track,
                counts=stats,
            )
            battle.happens(Placed(name, place, made=one, rule=rule))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case RoundBegins():
                return self.round_begins(battle)
            case Battlegroup(side):
                return self.battlegroup(battle, side)
            case NextSquad(side):
                return self.next_squad(battle, side)
            case SquadActs():
                return self.squad_acts(battle, step)
            case CloseQuarters():
                return close_quarters(battle, step)
            case FireWeapon(model, target):
                return fire_weapon(battle, model, target)
            case _:
                return self.round_up(battle)

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        return carry_out(battle, due)

    # Rounds ------------------------------------------------------------------------------------------------------

    def round_begins(self, battle: Battle) -> Procedure[None]:
        """Roll for initiative until somebody has it; each side then activates its battlegroup."""
        n = battle.happens(PhaseBegan(battle.table.turn + 1, "initiation", rule=PHASES))
        red, blue = battle.table.sides
        scores = {red: 0, blue: 0}
        while scores[red] == scores[blue]:
            for side in (Side(red), Side(blue)):
                fell = battle.dice.total("d6")
                scores[side] = fell.natural
                battle.happens(
                    Rolled(
                        "initiative",
                        side,
                        fell.dice,
                        fell.faces,
                        fell.natural,
                        total=fell.natural,
                        rule=INITIATIVE,
                        because=n,
                    )
                )
        for place, side in enumerate(sorted(scores, key=lambda s: -scores[s]), 1):
            known = battle.table.things.get(side)
            before = known.count("place in the order") if known else 0
            battle.happens(Counted(side, "place in the order", before, place, rule=INITIATIVE, because=n))
        battle.push(*(Battlegroup(side) for side in by_initiative(battle.table)), RoundUp())
        yield from ()

    def battlegroup(self, battle: Battle, side: Side) -> Procedure[None]:
        """Squads act one at a time; what waits for the end of the activation is settled then."""
        squads = tuple(squad.id for squad in _squads(battle.table, side))
        if squads:
            battle.happens(StepBegan("battlegroup", side, squads, rule=ACTIVATION))
            battle.push(NextSquad(side), Settle(END_OF_ACTIVATION))
        yield from ()

    def next_squad(self, battle: Battle, side: Side) -> Procedure[None]:
        """Ask which squad acts next; the activation ends when the side says so or all have acted."""
        waiting = [squad for squad in _squads(battle.table, side) if not squad.has("acted")]
        if not waiting:
            return
        acted = any(squad.has("acted") for squad in _squads(battle.table, side))
        refused = "" if acted else "At least one unit of the battlegroup must perform an action."
        chosen = yield ChooseOne(
            side,
            "Which squad acts?",
            topic="squad",
            options=(
                *(Option(squad.id, rules=(ACTIVATION,)) for squad in waiting),
                Option("end", "End the activation", rules=(ACTIVATION,), refused=refused),
            ),
            rules=(ACTIVATION,),
        )
        if chosen != "end":
            until = "end of round"
            battle.happens(StateChanged(chosen, "acted", after=1, until=until, rule=ACTIVATION))
            battle.push(SquadActs(chosen), NextSquad(side))

    def round_up(self, battle: Battle) -> Procedure[None]:
        """What lasts until the end of the round ends; the last round ends the battle."""
        battle.happens(PhaseBegan(battle.table.turn, "round up", rule=ROUND_UP))
        for thing in list(battle.table.things.values()):
            for state, mark in thing.states.items():
                if mark.until == "end of round":
                    battle.happens(StateChanged(thing.id, state, mark.value, rule=ROUND_UP))
        beaten = any(not _squads(battle.table, side) for side in battle.table.sides)
        if beaten or battle.table.turn >= LAST_ROUND:
            points = {side: battle.table.scores.get(side, 0) for side in battle.table.sides}
            red, blue = battle.table.sides
            winner = NO_SIDE if points[red] == points[blue] else max(points, key=lambda side: points[side])
            reason = "a side has nobody left" if beaten else "the last round is over"
            battle.happens(BattleEnded(winner, points, reason, rule=KILL_POINTS))
        else:
            battle.push(RoundBegins())
        yield from ()

    # A squad's actions -------------------------------------------------------------------------------------------

    def squad_acts(self, battle: Battle, step: SquadActs) -> Procedure[None]:
        """One action of a squad, no kind twice, and the rest put back on the agenda."""
        squad = battle.table[step.squad]
        options = self.actions(battle.table, squad, step.done)
        if len(options) == 1:
            return
        chosen = yield ChooseOne(
            squad.side,
            f"{squad.label}: which action?",
            topic="action",
            about=(squad.id,),
            options=tuple(options),
            rules=(TWO_ACTIONS,),
            default="done",
        )
        if chosen == "done":
            return
        kind = "shooting" if chosen in ("shoot", "close quarters") else "moving"
        battle.push(SquadActs(squad.id, (*step.done, kind)))
        models = battle.table.members(squad.id)
        match chosen:
            case "move":
                yield from self.walk(battle, squad, models)
            case "leave":
                yield from put_down(battle, models, around(), EXITING, 0)
            case "shoot":
                yield from declare_shots(battle, squad, models)
            case "close quarters":
                yield from declare_close_quarters(battle, squad, models)
            case _:
                yield from self.take_places(battle, squad, models, chosen)

    def actions(self, table: Table, squad: Thing, done: tuple[str, ...]) -> list[Option]:
        """What a squad may do now."""
        models = table.members(squad.id)
        found: list[Option] = []
        within = any(slot(model) for model in models)
        if models and "moving" not in done:
            if within:
                found.append(Option("change places", rules=(MOVING_INSIDE,)))
                if len(default_spots(table, models, around())) == len(models):
                    found.append(Option("leave", rules=(EXITING,)))
            else:
                found.append(Option("move", rules=(MOVE,)))
                if squad.card == "infantry" and self.may_enter(table, models):
                    found.append(Option("enter", rules=(ENTERING, CHOOSING)))
        if models and "shooting" not in done:
            if within and inside(table, other(table, squad.side)):
                found.append(Option("close quarters", rules=(CQ_ONLY,)))
            if any(targets(table, model) for model in models):
                found.append(Option("shoot", rules=(DECLARE,)))
        return [*found, Option("done", "Nothing more", rules=(TWO_ACTIONS,))]

    def may_enter(self, table: Table, models: list[Thing]) -> bool:
        """Whether a squad in coherency has a unit within two inches of the building, which may be entered anywhere."""
        points = [model.place.point for model in models if isinstance(model.place, At)]
        near = any(near_the_building(model, NEAR) for model in models)
        return stands(table) and near and in_coherency(points)

    def take_places(self, battle: Battle, squad: Thing, models: list[Thing], chosen: str) -> Procedure[None]:
        """Enter the building, or change places in it: to any edge no enemy holds, or the centre.

        dropzone.garrisons.choosing-a-place
        dropzone.garrisons.storming-penalty    only where enemies were already inside
        """
        enters, things = chosen == "enter", tuple(model.id for model in models)
        rule = CHOOSING if enters else MOVING_INSIDE
        spots: dict[str, Spot] = yield PlaceThings(
            squad.side,
            f"{squad.label}: to which edges, or the centre?",
            topic="places",
            about=(squad.id, BLOCK),
            things=things,
            where={"": places_inside()},
            faces=False,
            rules=(rule,),
            default={thing: Spot(In(BLOCK, CENTRE)) for thing in things},
        )
        held = bool(inside(battle.table, other(battle.table, squad.side)))
        for model in models:
            battle.happens(Moved(model.id, model.place, spots[model.id].where, rule=rule))
        if enters and held:
            battle.happens(StateChanged(squad.id, "stormed", after=1, until="end of round", rule=STORMING))

    def walk(self, battle: Battle, squad: Thing, models: list[Thing]) -> Procedure[None]:
        """Each unit moves up to its MV."""
        things = tuple(model.id for model in models)
        walks = yield MoveModels(
            squad.side,
            f"Move {squad.label}",
            topic="move",
            about=(squad.id,),
            models=things,
            allowance=dict.fromkeys(things, MOVES[squad.card]),
            rules=(MOVE,),
            shows=("distance", "reach", "sight", "odds"),
            default={},
        )
        for name, way in walks.items():
            start = battle.table[name].place
            assert isinstance(start, At)
            track = resolve(Pose(start.point), way)
            if track.length:
                battle.happens(Moved(name, start, At(track.end.point), walk=way, rule=MOVE))

    # What sides are told -----------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels):
            return walk_refused(view.table, question, answer)
        if isinstance(question, PlaceThings):
            if question.topic == "places":
                return enter_refused(view.table, question, answer)
            models = [view.table[thing] for thing in question.things]
            return place_refused(view.table, question.where[""], models, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if question.topic != "shots":
            return Preview()
        notes = [f"{model} at {target}" for model, target in answer.items()]
        return Preview(notes=tuple(notes))


def _squads(table: Table, side: Side) -> list[Thing]:
    return [squad for squad in table.of_kind("unit") if squad.side == side and table.members(squad.id)]
