"""Moves as actions of a unit, their judges and previews, and the words cases have for them."""

from collections.abc import Callable

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost
from sandtable.engine.questions import MoveModels, PathNote, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Shape, Spot, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import gap_to_edge, inside_of
from sandtable.forces.data import Data
from sandtable.forces.files import nearest
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt.chapter import FAILED, Action, Activate, AfterMove, Outcome, on_foot
from sandtable.rulesets.stargrunt.confidence.levels import leaving_position
from sandtable.rulesets.stargrunt.cover.lines import from_enemies
from sandtable.rulesets.stargrunt.cover.protection import BLOCKERS, GIVES
from sandtable.rulesets.stargrunt.dice.foretold import combat_preview, trial_preview
from sandtable.rulesets.stargrunt.moments import ACTIVATES
from sandtable.rulesets.stargrunt.movement.carrying import not_carried, put_down, take_along
from sandtable.rulesets.stargrunt.movement.moves import (
    after_walks,
    combat_move,
    enter,
    leaves_position,
    may_enter,
    normal_move,
    refused_entry,
    refused_move,
    trials_of,
)
from sandtable.rulesets.stargrunt.movement.reaching import figures_reach
from sandtable.rulesets.stargrunt.movement.terrain_costs import GRADED, MOBILITY, NORMAL, WALLS, grade
from sandtable.rulesets.stargrunt.movement.walking import (
    COMBAT,
    EDGES,
    base_mobility,
    leave,
    mobility_die,
    note_left_behind,
    way_out,
    ways,
)
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING
from sandtable.rulesets.stargrunt.units.record import STATUS, carrier_of, spot, standing, waiting
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.case_words import is_path
from sandtable.tabletop.case_words import walk as walk_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together
from sandtable.tabletop.states import give, take

#: That a unit has left the table, and over which edge.
LEFT = "left the table"

#: A move of a unit; whether a test for it failed.
Move = Callable[[Battle, Thing], Procedure[bool]]


def _stood(table: Table, unit: Thing) -> dict[str, tuple[int, int]]:
    return {one.id: (spot(one).x, spot(one).y) for one in standing(table, unit.id)}


def moving(
    move: Callable[[Battle, Thing], Procedure[bool]],
) -> Callable[[Battle, Thing, Activate], Procedure[Outcome]]:
    """A move as an action: chapters that care learn of it when it is over."""

    def carry_out(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
        begun = _stood(battle.table, unit)
        failed = yield from move(battle, unit)
        return moved(battle.table[unit.id], begun, failed=failed)

    return carry_out


def moved(unit: Thing, begun: dict[str, tuple[int, int]], *, failed: bool) -> Outcome:
    """What comes of a move; a Shaken unit that has failed to advance may still try another way."""
    return Outcome(failed, () if failed else (AfterMove(unit.id, begun),), again=unit.has(StateName.LOST_NERVE) or None)


def _takes_heart(battle: Battle, unit: Thing) -> None:
    """What a unit has failed to do it may try again in another activation."""
    if unit.has(StateName.LOST_NERVE):
        take(battle, unit.id, StateName.LOST_NERVE, FAILED)


def _enters(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from enter(battle, unit)
    return Outcome(then=(AfterMove(unit.id),))


def _no_room(table: Table, unit: Thing) -> Refusal | None:
    return None if may_enter(table, unit) else Refusal(ALTERNATING.id, f"There is no room for {unit.label} to enter.")


def _walks_out(table: Table, unit: Thing) -> dict[str, Walk]:
    """The straight way of every figure over the edge by which its side leaves."""
    edge, ground = way_out(table, unit.side), table.ground
    return {one.id: Walk((Via(inside_of(ground, edge, spot(one))),)) for one in standing(table, unit.id)}


def _near_the_edge(table: Table, unit: Thing) -> bool:
    if not on_foot(table, unit):
        return False
    edge, ground = way_out(table, unit.side), table.ground
    spots = [spot(one) for one in standing(table, unit.id)]
    return all(abs(gap_to_edge(ground, edge, (*at, *at))) <= base_mobility(unit) for at in spots)


def _cannot_leave(table: Table, unit: Thing) -> Refusal | None:
    for way in ways(table, _walks_out(table, unit), base_mobility(unit)):
        if way.trace.stop is not None:
            return Refusal(EDGES.id, way.trace.stop.why.sentence)
    return None


def _leaves(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A unit that leaves is out of the game (stargrunt.movement.table-edges); the casualties it carries go with it."""
    carried = yield from take_along(battle, unit)
    if _cannot_leave(battle.table, battle.table[unit.id]) is not None:
        put_down(battle, unit.id)
        return Outcome(failed=True)
    if not leaves_position(battle, unit):
        put_down(battle, unit.id)
        return Outcome(failed=True)
    n = give(battle, unit.id, LEFT, EDGES, str(way_out(battle.table, unit.side)))
    leave(battle, unit.id, "left the table", EDGES, n)
    for name in carried:
        battle.happens(ModelLost(name, "left the table", rule=EDGES.id, because=n))
    put_down(battle, unit.id)
    note_left_behind(battle, unit.id)
    return Outcome(spent=step.actions)


def position_preview(table: Table, unit: Thing) -> Preview:
    """The test of a unit that has to get out of its position first (stargrunt.cover.leaving-position)."""
    if not unit.has(StateName.IN_POSITION):
        return Preview()
    return trial_preview("it gets out of its position", leaving_position(unit))


def _judge_move(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    unit = view.table[question.about[0]]
    # A combat move may be named as long as one likes: the die says how far along it the unit comes.
    far = None if question.topic == "combat-move" else max(question.allowance.values(), default=0)
    return refused_move(view.table, unit, answer, far, question.about[1:])


def _judge_entry(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    where = answer[question.things[0]].where
    if not isinstance(where, At) or where.level:
        return Refusal(question.rules[0], "Choose a point on the table.")
    return refused_entry(view.table, view.table[question.things[0]], where.point)


def move_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The ways of figures with what they cost, how far they get, and how far from the enemy they would end."""
    allowance = max(question.allowance.values(), default=0)
    figures, unit = [view.table[name] for name in question.models], view.table[question.about[0]]
    reached: tuple[Shape, ...] = ()
    if "reach" in question.shows:
        reached = figures_reach(view.table, figures, allowance, question.about[1:])
    far = from_enemies(after_walks(view.table, unit, answer), unit)
    notes = []
    for way in ways(view.table, answer, allowance):
        if way.track.length:
            spots = (way.track.start.point, *(stretch.end for stretch in way.track.stretches))
            costs = tuple(step.cost for step in way.trace.steps)
            notes.append(PathNote(way.figure.id, spots, costs, way.trace.total, allowance))
    return Preview(distances=far, reach=reached, paths=tuple(notes))


def going_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The ways of a move of choice, the tests it needs first, and how far a combat move is likely to come."""
    unit = view.table[question.about[0]]
    shown, trials = move_preview(view, question, answer), trials_of(view.table, unit, answer)
    nerve = trial_preview("it goes", *trials)
    if question.topic != "combat-move" or not shown.paths:
        return together(shown, nerve)
    dearest = max(path.total for path in shown.paths)
    return together(shown, nerve, combat_preview(mobility_die(unit), dearest, trials))


def read_walks(question: MoveModels, value: Data) -> dict[str, Walk] | None:
    """The walks of figures by name, as cases write them; `all`, their unit or a walk alone is for who has none."""
    if value.node.value is None or value.node.value == "pass":
        return None
    if is_path(value):
        return dict.fromkeys(question.models, walk_of(value))
    said = {name: walk_of(one) for name, one in value.table().items()}
    shared = said.pop("all", None) or said.pop(question.about[0], Walk())
    return {name: said.pop(name, shared) for name in question.models} | said


def _waits(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """A unit that waits to enter does nothing else before (stargrunt.turn.alternating-activation)."""
    if waiting(unit) and not action.shown(table, unit):
        return Refusal(ALTERNATING.id, f"{unit.label} has yet to enter the table.")
    return None


def _does_not_move(view: View, question: MoveModels, answer: str) -> Refusal | None:
    """Why a figure of a unit is not asked to move: only OK figures do (stargrunt.units.figure-status)."""
    figure = view.table.things.get(answer)
    if figure is None or figure.unit != question.about[0] or not figure.harm:
        return None
    return Refusal(STATUS.id, f"{figure.label} is hurt and does not move on its own.")


#: The kinds of terrain of a table.
KINDS = tuple(dict.fromkeys((*GRADED, *GIVES)))


def _grade(table: Table, asked: Data) -> str:
    """How hard a kind of ground is for a kind of mover."""
    kind = asked.text_at("kind")
    if kind not in KINDS:
        raise asked.fail(f"`{kind}` is no kind of terrain", nearest(kind, KINDS), "kind")
    return grade(kind, asked.text_at("who"))


CHAPTER = Chapter(
    actions=(
        Action(
            id="enter",
            entry="move",
            label="Enter the table",
            rule=ALTERNATING,
            carry_out=_enters,
            shown=lambda table, unit: waiting(unit) and carrier_of(table, unit.id) is None,
            refused=_no_room,
        ),
        Action(
            id="leave",
            entry="move",
            label="Leave the table",
            rule=EDGES,
            carry_out=_leaves,
            shown=_near_the_edge,
            refused=_cannot_leave,
            foretold=position_preview,
        ),
        Action(id="move", entry="move", label="Move", rule=NORMAL, carry_out=moving(normal_move)),
        Action(id="combat-move", entry="move", label="Combat move", rule=COMBAT, carry_out=moving(combat_move)),
    ),
    unoffered={
        **dict.fromkeys(("move", "combat-move", "travel", "reposition", "charge"), _does_not_move),
        "carry": not_carried,
    },
    judges={"enter": _judge_entry, "move": _judge_move, "combat-move": _judge_move},
    states={
        "encumbered": "it carries too much, {value: casualties}",
        LEFT: "the edge over which it has left the table",
        StateName.LOST_NERVE: "Shaken, it has failed its test to advance in this activation",
        StateName.ABANDONED_WOUNDED: "it has abandoned wounded this turn",
        "mobility": "it moves otherwise than its data say: foot, very_light, …",
    },
    answers={
        "move": "the paths of a normal move, {A1: {to: [x, y]}} or {all: {turn: 270, go: 6}}",
        "combat-move": "the paths of a combat move",
        "carry": "which casualties are taken along",
        "enter": "where the middle of a unit enters",
    },
    readers=dict.fromkeys(("move", "combat-move", "reposition"), read_walks),
    values={
        "wall": lambda table, asked: WALLS.inches("obstacle_cost_in", asked.text_at()),
        "mobility": lambda table, asked: (
            MOBILITY.inches(asked.text_at(), "base_in"),
            MOBILITY.number(asked.text_at(), "die"),
        ),
        "grade": _grade,
    },
    terrain={kind: TerrainKind(height=1 if kind in BLOCKERS else 0, contoured=kind == "hill") for kind in KINDS},
    at=(ACTIVATES(_takes_heart), RESTRAINS(_waits)),
)
