"""Transcript 11: counters and dummies under observation.

A red patrol looks for a blue ambush. Blue's units lie under face-down counters, some of which are dummies; red observes
them, fires at them, walks past them. Red must never learn from an option, a refusal, a preview, a roll or from blue's
being asked what a counter is. Confidence and leaders are left out; all counters lie in scrub, in sight of everybody.
"""

from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Forfeited,
    Placed,
    Rolled,
    StateChanged,
    StepBegan,
)
from sandtable.engine.questions import (
    UNTIL_REVEALED,
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    PlaceThings,
    Preview,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import on_or_inside
from tests.miniatures.alternating import Alternating, NextActivation, TurnBegins, TurnEnds
from tests.miniatures.counter_fire import fire_action, located, mark_activated, reaction_fire, targets, waiting
from tests.miniatures.figures import CHAIN, figure, fit, lay_board, move_refused, row, walk_on
from tests.miniatures.hidden_counters import (
    COUNTERS,
    DUMMY,
    IN_POSITION,
    OBSERVE,
    PATROL,
    REVEALS,
    counters,
    figures_refused,
    lies_under,
    place_figures,
)
from tests.miniatures.nerve import remove_suppression
from tests.miniatures.observing import observation_preview, observe
from tests.miniatures.small_arms import DICE

TWO_ACTIONS = "stargrunt.actions.two-actions"
REMOVING = "stargrunt.actions.removing-suppression"
SUPPRESSION = "stargrunt.actions.suppression-of-infantry"
SYSTEM = "stargrunt.electronic-warfare.system-die"
MARKERS = "stargrunt.electronic-warfare.markers"
REACTION_FIRE = "stargrunt.turn.reaction-fire"
NORMAL_MOVE = "stargrunt.movement.normal"
VICTORY = "stargrunt.scenario.victory"

BOARD = 36
REACH = 6 * UNIT
NAMES = "KLMNOPQRST"
RED = (("patrol", Point(18 * UNIT, 30 * UNIT)), ("rear", Point(8 * UNIT, 33 * UNIT)))
ROSTER = (("Alpha", 8, 3), ("Bravo", 6, 3))
SCRUB = tuple(
    Point(x * UNIT, y * UNIT)
    for x, y in ((18, 10), (6, 14), (30, 14), (12, 6), (24, 6), (4, 6), (32, 6), (18, 4), (12, 18), (24, 18))
)
PATCH = 2 * UNIT


class Deploy(Step, frozen=True):
    """Blue lays its counters; how many dummies, if the scenario says so."""

    dummies: int = 0


class Activate(Step, frozen=True):
    unit: str
    actions: int = 2
    moved: bool = False  # whether its first action was a move


class Unmask(Step, frozen=True):
    """A hidden unit is activated: its figures are placed first."""

    counter: str


class CountersAndDummies(Alternating):
    """Red scores for every counter it identifies, blue for every red figure it hurts."""

    name = "counters-and-dummies"
    steps = (Deploy, TurnBegins, NextActivation, TurnEnds, Activate, Unmask)
    concession_rule = VICTORY
    draw_rule = VICTORY

    def open(self, battle: Battle, setup: Setup) -> None:
        lay_board(battle, BOARD)
        for n, at in enumerate(SCRUB, 1):
            patch = Piece(f"scrub {n}", "scrub", Disc(at, PATCH))
            battle.happens(Placed(patch.id, Off(), piece=patch, rule="stargrunt.cover.what-gives-cover"))
        for name, at in RED:
            counts = {"quality": 8, "leadership": 2, "sensors": 6}
            made = Thing(name, kind="unit", side="red", label=name, counts=counts)
            battle.happens(Placed(name, Off("its figures stand for it"), made=made, rule=PATROL))
            for n, place in enumerate(row(at, 4), 1):
                one = figure(f"{name}{n}", "red", name)
                battle.happens(Placed(one.id, At(place), made=one, rule=PATROL))
        for name, quality, figures in setup.scenario.get("roster", ROSTER):
            counts = {"quality": quality, "leadership": 2, "figures": figures}
            made = Thing(name, kind="unit", side="blue", label=name, counts=counts)
            battle.happens(Placed(name, Off("under its counter"), made=made, known_to=("blue",), rule=COUNTERS))
        battle.happens(Counted("blue", "EW die", 0, 6, rule=SYSTEM))
        battle.happens(Counted("blue", "EW markers", 0, 3, rule=MARKERS))
        battle.push(Deploy(setup.scenario.get("dummies", 0)))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Deploy():
                return self.deploy(battle, step)
            case Activate():
                return self.activate(battle, step)
            case Unmask(counter):
                return self.unmask(battle, counter)
            case _:
                return self.turn_procedure(battle, step)

    def roll_dummies(self, battle: Battle) -> int:
        """A D6 that only its owner sees: the counters on the table are units and dummies together."""
        fell = battle.dice.total("d6")
        n, secret = fell.natural, ("blue",)
        battle.happens(Rolled("dummies", "blue", fell.dice, fell.faces, n, total=n, known_to=secret, rule=COUNTERS))
        return n

    def deploy(self, battle: Battle, step: Deploy) -> Procedure[None]:
        """Blue says in secret what each counter is and which are In Position, and lays them openly.

        stargrunt.observation.hidden-counters       a counter for each unit, and D6 dummies for up to four units
        stargrunt.observation.in-position-harder    a dummy may be declared In Position like a unit
        """
        hidden = [unit for unit in battle.table.of_kind("unit") if unit.side == "blue"]
        dummies = step.dummies or self.roll_dummies(battle)
        names = tuple(NAMES[: len(hidden) + dummies])
        options = tuple(Option(name, f"counter {name}") for name in names)
        lying: dict[str, str] = yield Allocate(
            "blue",
            "What is each counter?",
            topic="counters",
            items=options,
            bins=(*(Option(unit.id) for unit in hidden), Option(DUMMY)),
            bin_least={unit.id: 1 for unit in hidden},
            bin_most={unit.id: 1 for unit in hidden},
            sealed=UNTIL_REVEALED,
            rules=(COUNTERS,),
        )
        dug_in: tuple[str, ...] = yield ChooseSeveral(
            "blue",
            "Which counters are In Position?",
            topic="in position",
            options=options,
            sealed=UNTIL_REVEALED,
            rules=(IN_POSITION,),
            default=(),
        )
        patches = tuple(Disc(at, PATCH) for at in SCRUB)
        spots: dict[str, Spot] = yield PlaceThings(
            "blue",
            "Lay the counters",
            topic="lay",
            things=names,
            where={"": Region(inside=patches, whole=False, rule=COUNTERS, label="in scrub")},
            faces=False,
            rules=(COUNTERS,),
            default={name: Spot(At(at)) for name, at in zip(names, SCRUB, strict=False)},
        )
        for name in names:
            made = Thing(name, kind="marker", side="blue", label=f"counter {name}", glyph="counter")
            battle.happens(Placed(name, spots[name].where, made=made, rule=COUNTERS))
        for name in names:
            secret = ("blue",)
            battle.happens(StateChanged(name, "is", after=lying[name], known_to=secret, rule=COUNTERS))
            if name in dug_in:
                battle.happens(StateChanged(name, "in position", after=1, known_to=secret, rule=IN_POSITION))
        battle.push(TurnBegins())

    # Turns -------------------------------------------------------------------------------------------------------

    def may_activate(self, table: Table, side: str) -> list[Option]:
        found = [Option(unit.id, rules=(TWO_ACTIONS,)) for unit in waiting(table, side)]
        if side == "blue":
            real = [counter for counter in counters(table) if lies_under(counter) != DUMMY]
            found += [Option(c.id, f"the unit under {c.id}", rules=(TWO_ACTIONS, REVEALS)) for c in real]
        return found

    def unactivated(self, table: Table, side: str) -> int:
        return len(waiting(table, side)) + (len(counters(table)) if side == "blue" else 0)

    def units_of(self, table: Table, side: str) -> int:
        return len(located(table, side)) + (len(counters(table)) if side == "blue" else 0)

    def activation(self, battle: Battle, chosen: str) -> Step:
        return Unmask(chosen) if battle.table[chosen].kind == "marker" else Activate(chosen)

    def decided(self, battle: Battle) -> bool:
        if located(battle.table, "red"):
            return False
        self.end(battle, "the patrol is lost")
        return True

    def turn_over(self, battle: Battle) -> None:
        if battle.table.turn >= self.last_turn:
            self.end(battle, "the last turn is over")

    def end(self, battle: Battle, reason: str) -> None:
        """Whoever has more points has won."""
        points = {side: battle.table.scores.get(side, 0) for side in battle.table.sides}
        red, blue = battle.table.sides
        winner = "" if points[red] == points[blue] else max(points, key=lambda side: points[side])
        battle.happens(BattleEnded(winner, points, reason, rule=VICTORY))

    # An activation -----------------------------------------------------------------------------------------------

    def unmask(self, battle: Battle, counter: str) -> Procedure[None]:
        """A unit that is activated shows itself."""
        n = battle.happens(StepBegan("activation", "blue", (counter,), rule=REVEALS))
        unit = yield from place_figures(battle, battle.table[counter], REVEALS, n)
        battle.push(Activate(unit))

    def activate(self, battle: Battle, step: Activate) -> Procedure[None]:
        """One action of a unit, and the rest of its activation put back on the agenda."""
        unit = battle.table[step.unit]
        if not fit(battle.table, unit.id):
            return
        n = battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=TWO_ACTIONS))
        if step.actions == 2:
            mark_activated(battle, unit.id, n)
        action = yield ChooseOne(
            unit.side,
            f"{unit.label}: {'first' if step.actions == 2 else 'second'} action?",
            topic="action",
            about=(unit.id,),
            options=tuple(self.actions(battle.table, unit)),
            rules=(TWO_ACTIONS,),
            default="done",
        )
        if action == "done":
            return
        if step.actions > 1:
            battle.push(Activate(unit.id, step.actions - 1, action == "move"))
        if action == "observe":
            yield from observe(battle, unit)
        elif action == "move":
            yield from self.move(battle, unit, step.moved)
        elif action == "fire":
            yield from fire_action(battle, unit, self.targets(battle.table, unit))
        else:
            remove_suppression(battle, unit)

    def actions(self, table: Table, unit: Thing) -> list[Option]:
        """What a unit may do with an action, by what everybody knows."""
        done = Option("done", "Nothing more", rules=(TWO_ACTIONS,))
        found = []
        if unit.side == "red" and counters(table):
            found.append(Option("observe", rules=(OBSERVE,)))
        if unit.count("suppression"):
            return [*found, Option("remove suppression", rules=(REMOVING, SUPPRESSION)), done]
        if unit.side == "red":
            found.append(Option("move", rules=(NORMAL_MOVE,)))
        if not unit.has("fired") and any(not option.refused for option in self.targets(table, unit)):
            found.append(Option("fire", rules=(DICE,)))
        return [*found, done]

    def targets(self, table: Table, unit: Thing) -> list[Option]:
        """What a unit may fire at, by what everybody knows."""
        return targets(table, unit)

    def move(self, battle: Battle, unit: Thing, dashes: bool) -> Procedure[None]:
        """A normal move; between the first and the second an enemy may fire, and is asked whoever lies there."""
        n = battle.happens(Declared(unit.id, "move", rule=NORMAL_MOVE))
        if dashes and not self.finished(battle.table, "blue"):
            yield from reaction_fire(battle, unit, n)
            if battle.table[unit.id].count("suppression") or not fit(battle.table, unit.id):
                battle.happens(Forfeited(unit.id, "second move", rule=REACTION_FIRE, because=n))
                return
        models = tuple(one.id for one in fit(battle.table, unit.id))
        walks = yield MoveModels(
            unit.side,
            f"Move {unit.label}",
            topic="move",
            about=(unit.id,),
            models=models,
            allowance=dict.fromkeys(models, REACH),
            together=CHAIN,
            rules=(NORMAL_MOVE,),
            shows=("distance",),
            default={},
        )
        walk_on(battle, models, walks, NORMAL_MOVE, because=n)

    # What sides are told -----------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels):
            enemy = next(side for side in view.table.sides if side != view.side)
            return move_refused(view.table, question, answer, NORMAL_MOVE, avoid=enemy)
        if question.topic == "lay":
            for name, put in answer.items():
                at = put.where.point if isinstance(put.where, At) and put.where.level == 0 else None
                if at is None or not any(on_or_inside(Disc(patch, PATCH), at) for patch in SCRUB):
                    return Refusal(COUNTERS, f"{name} must lie in scrub.")
        if isinstance(question, PlaceThings) and question.topic == "figures":
            return figures_refused(view, question, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if question.topic != "observe":
            return Preview()
        return observation_preview(view.table, view.table[question.about[0]], view.table[answer])
