"""Transcript 12: a close assault, from the declaration to the prisoners.

Every stage of an assault is a step: the tests, the moves, the defensive fire, each pairing off and each round. Who
faces whom, who is down and how many casualties an assault has cost so far are state; the paths that are still to be
walked travel with the step. Leaders, panic, terror and rallying are left out.
"""

from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded, Declared, Forfeited, Placed, Scored, StateChanged, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.shapes import UNIT, At, Off, Point, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from tests.miniatures.alternating import Alternating, NextActivation, TurnBegins, TurnEnds
from tests.miniatures.assault_ground import (
    REACH,
    charge_refused,
    fall_back_refused,
    other,
    range_parts,
    straight_in,
    units,
    willing,
)
from tests.miniatures.assault_moves import Charge, FinalFire, Stand, charge, final_fire, shoot, stand
from tests.miniatures.assault_rounds import (
    Aftermath,
    Fight,
    PairOff,
    RoundEnd,
    aftermath,
    fight,
    pair_off,
    round_end,
)
from tests.miniatures.assault_ways import fall_back
from tests.miniatures.die_types import exceed
from tests.miniatures.figures import CHAIN, MOVING, figure, fit, lay_board, move_refused, row, tracks, walk_on
from tests.miniatures.nerve import confidence_test, leadership, level, remove_suppression, suppress
from tests.miniatures.small_arms import DICE, range_die

SEQUENCE = "stargrunt.close-assault.sequence"
ATTACKER_TEST = "stargrunt.close-assault.attacker-test"
TARGET = "stargrunt.close-assault.target"
VOLUNTARY = "stargrunt.close-assault.voluntary-withdrawal"
TWO_ACTIONS = "stargrunt.actions.two-actions"
LOST_ACTION = "stargrunt.actions.failed-test-loses-the-action"
SUPPRESSION = "stargrunt.actions.suppression-of-infantry"
REMOVING = "stargrunt.actions.removing-suppression"
FIRE_LIMIT = "stargrunt.actions.fire-limit"
CONFIDENCE = "stargrunt.confidence.confidence-test"
THREATS = "stargrunt.confidence.threat-table"
BROKEN = "stargrunt.confidence.broken"
ROUTED = "stargrunt.confidence.routed"
NORMAL_MOVE = "stargrunt.movement.normal"
VICTORY = "stargrunt.scenario.victory"

ASSAULT_THREAT = {"CO": 0, "ST": 1, "SH": 3}
BOARD = 36
SCRUB = Piece("scrub", "scrub", rectangle(12 * UNIT, 8 * UNIT, 12 * UNIT, 4 * UNIT), label="scrub")


class Force(NamedTuple):
    """A unit as the set-up has it."""

    id: str
    side: str
    quality: int
    leadership: int
    confidence: str
    at: Point
    figures: int


A = Force("A", "red", 8, 2, "ST", Point(18 * UNIT, 18 * UNIT), 6)
D = Force("D", "blue", 6, 2, "ST", Point(18 * UNIT, 10 * UNIT), 4)
SKIRMISH = (A, D)
BATTLE = (
    A,
    Force("B", "red", 6, 2, "CO", Point(8 * UNIT, 20 * UNIT), 4),
    D,
    Force("E", "blue", 10, 1, "CO", Point(28 * UNIT, 9 * UNIT), 3),
)


class Activate(Step, frozen=True):
    """A unit has actions left; `tried` is what it may not try again this activation."""

    unit: str
    actions: int = 2
    tried: tuple[str, ...] = ()


class CloseAssault(Alternating):
    """Move, fire, assault; a side whose units are all broken, routed or gone has lost."""

    name = "close-assault"
    steps = (
        *(TurnBegins, NextActivation, TurnEnds, Activate),
        *(Stand, Charge, FinalFire, PairOff, Fight, RoundEnd, Aftermath),
    )
    concession_rule = VICTORY
    draw_rule = VICTORY
    last_turn = 4

    def open(self, battle: Battle, setup: Setup) -> None:
        lay_board(battle, BOARD)
        battle.happens(Placed("scrub", Off(), piece=SCRUB, rule="stargrunt.cover.what-gives-cover"))
        for force in SKIRMISH if setup.scenario.get("skirmish") else BATTLE:
            counts = {"quality": force.quality, "leadership": force.leadership}
            made = Thing(force.id, kind="unit", side=force.side, label=force.id, counts=counts)
            battle.happens(Placed(force.id, Off("its figures stand for it"), made=made, rule=MOVING))
            battle.happens(StateChanged(force.id, "confidence", after=force.confidence, rule=CONFIDENCE))
            for n, at in enumerate(row(force.at, force.figures), 1):
                one = figure(f"{force.id}{n}", force.side, force.id)
                battle.happens(Placed(one.id, At(at), made=one, rule=MOVING))
        battle.push(TurnBegins())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Activate():
                return self.activate(battle, step)
            case Stand(attacker, defender):
                return stand(battle, attacker, defender)
            case Charge():
                return charge(battle, step)
            case FinalFire():
                return final_fire(battle, step)
            case PairOff():
                return pair_off(battle, step)
            case Fight():
                return fight(battle, step)
            case RoundEnd():
                return round_end(battle, step)
            case Aftermath(winner, loser):
                return aftermath(battle, winner, loser)
            case _:
                return self.turn_procedure(battle, step)

    # Turns -------------------------------------------------------------------------------------------------------

    def may_activate(self, table: Table, side: str) -> list[Option]:
        return [Option(u.id, rules=(TWO_ACTIONS,)) for u in units(table, side) if not u.has("activated")]

    def unactivated(self, table: Table, side: str) -> int:
        return len(self.may_activate(table, side))

    def units_of(self, table: Table, side: str) -> int:
        return len(units(table, side))

    def activation(self, battle: Battle, chosen: str) -> Step:
        return Activate(chosen)

    def decided(self, battle: Battle) -> bool:
        beaten = [side for side in battle.table.sides if not willing(battle.table, side)]
        if beaten:
            self.end(battle, "no unit is left that would fight on")
        return bool(beaten)

    def turn_over(self, battle: Battle) -> None:
        if battle.table.turn >= self.last_turn:
            self.end(battle, "the last turn is over")

    def end(self, battle: Battle, reason: str) -> None:
        """A point for each enemy unit destroyed, captured, routed or gone; who cannot fight on has lost at once."""
        red, blue = battle.table.sides
        for side, enemy in ((red, blue), (blue, red)):
            lost = [
                u for u in battle.table.of_kind("unit") if u.side == enemy and u not in willing(battle.table, enemy)
            ]
            if lost:
                battle.happens(Scored(side, len(lost), "enemy units broken, routed or gone", rule=VICTORY))
        points = {side: battle.table.scores.get(side, 0) for side in battle.table.sides}
        winner = "" if points[red] == points[blue] else max(points, key=lambda side: points[side])
        alone = [side for side in (red, blue) if willing(battle.table, side)]
        if len(alone) == 1:
            winner = alone[0]
        battle.happens(BattleEnded(winner, points, reason, rule=VICTORY))

    # An activation -----------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, step: Activate) -> Procedure[None]:
        """One action of a unit, and the rest of its activation put back on the agenda."""
        unit = battle.table[step.unit]
        if not fit(battle.table, unit.id):
            return
        n = battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=TWO_ACTIONS))
        if step.actions == 2:
            until = "end of turn"
            battle.happens(StateChanged(unit.id, "activated", after=1, until=until, rule=TWO_ACTIONS, because=n))
        action = yield ChooseOne(
            unit.side,
            f"{unit.label}: {'first' if step.actions == 2 else 'second'} action?",
            topic="action",
            about=(unit.id,),
            options=tuple(self.actions(battle.table, unit, step)),
            rules=(TWO_ACTIONS, SUPPRESSION, BROKEN, ROUTED),
        )
        if action == "done":
            return
        rest = Activate(unit.id, step.actions - 1, (*step.tried, action))
        if action == "assault":
            yield from self.declare_assault(battle, unit, rest)
            return
        if rest.actions:
            battle.push(rest)
        if action == "move":
            yield from self.move(battle, unit)
        elif action == "fire":
            yield from self.fire_action(battle, unit)
        elif action == "withdraw":
            yield from fall_back(battle, unit, ROUTED if level(unit) == "RO" else BROKEN)
        else:
            remove_suppression(battle, unit)

    def actions(self, table: Table, unit: Thing, step: Activate) -> list[Option]:
        """What a unit may do with an action, by its Confidence and suppression."""
        done = Option("done", "Nothing more", rules=(TWO_ACTIONS,))
        if unit.count("suppression"):
            return [Option("remove suppression", rules=(REMOVING, SUPPRESSION)), done]
        if level(unit) == "RO":
            return [Option("withdraw", rules=(ROUTED,))]
        if level(unit) == "BR":
            return [Option("withdraw", rules=(BROKEN,)), done]
        found = [Option("move", rules=(NORMAL_MOVE,))]
        if not unit.has("fired") and any(not o.refused for o in self.targets(table, unit)):
            found.append(Option("fire", rules=(DICE,)))
        first = step.actions == 2
        if not first or self.assaultable(table, unit):
            later = "" if first else "A close assault must be the first thing done."
            found.append(Option("assault", "Close assault", rules=(ATTACKER_TEST, SEQUENCE), refused=later))
        return [*found, done]

    def move(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """A normal move of six inches."""
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
        walk_on(battle, models, walks, NORMAL_MOVE)

    # Fire ----------------------------------------------------------------------------------------------------------

    def targets(self, table: Table, unit: Thing) -> list[Option]:
        """Enemy units that may be fired at; too far is said, not left out."""
        found = []
        for enemy in units(table, other(table, unit.side)):
            far = range_die(range_parts(table, unit, enemy)) is None
            found.append(Option(enemy.id, rules=(DICE,), refused="The Range Die would be beyond D12." if far else ""))
        return found

    def fire_action(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """Fire at a unit: suppression, casualties, and the Confidence Test they cause."""
        chosen = yield ChooseOne(
            unit.side,
            "Fire at whom?",
            topic="fire at",
            about=(unit.id,),
            options=tuple(self.targets(battle.table, unit)),
            rules=(DICE,),
        )
        enemy = battle.table[chosen]
        cause = battle.happens(Declared(unit.id, "fire", (enemy.id,), rule=DICE))
        until = "end of turn"
        battle.happens(StateChanged(unit.id, "fired", after=1, until=until, rule=FIRE_LIMIT, because=cause))
        shooters = fit(battle.table, unit.id)
        fired = shoot(battle, unit, shooters, enemy, cause)
        if fired.exceeded:
            suppress(battle, enemy, fired.n)
        alive = fit(battle.table, enemy.id)
        if alive and (fired.hurt or (fired.exceeded and not enemy.has("was suppressed"))):
            threat = 3 if len(fired.hurt) > len(alive) else 1
            confidence_test(battle, enemy, ExplainedPart("under fire", threat, THREATS), THREATS, fired.n)
        if fired.exceeded and not enemy.has("was suppressed"):
            battle.happens(StateChanged(enemy.id, "was suppressed", after=1, rule=THREATS, because=fired.n))

    # The assault -------------------------------------------------------------------------------------------------

    def assaultable(self, table: Table, unit: Thing) -> list[Option]:
        """The enemy units a unit could reach in a close assault."""
        if level(unit) not in ASSAULT_THREAT:
            return []
        enemies = units(table, other(table, unit.side))
        return [Option(e.id, rules=(TARGET,)) for e in enemies if straight_in(table, unit.id, e.id) is not None]

    def declare_assault(self, battle: Battle, unit: Thing, rest: Activate) -> Procedure[None]:
        """Name the target, and test the attackers' nerve; a failed test loses the first action only.

        stargrunt.close-assault.attacker-test
        """
        chosen = yield ChooseOne(
            unit.side,
            "Assault whom?",
            topic="assault",
            about=(unit.id,),
            options=tuple(self.assaultable(battle.table, unit)),
            rules=(TARGET,),
        )
        cause = battle.happens(Declared(unit.id, "close assault", (chosen,), rule=TARGET))
        threat = ExplainedPart(f"assaulting while {level(unit)}", ASSAULT_THREAT[level(unit)], ATTACKER_TEST)
        target, die = (*leadership(unit), threat), unit.count("quality")
        roll = exceed(battle, "reaction", unit.id, die, target, ATTACKER_TEST, because=cause)
        if roll.passed:
            battle.push(Stand(unit.id, chosen))
        else:
            battle.happens(Forfeited(unit.id, "first action", rule=LOST_ACTION, because=roll.n))
            battle.push(rest)

    # What sides are told -----------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if not isinstance(question, MoveModels):
            return None
        enemy = other(view.table, view.side)
        if question.topic == "fall back":
            return fall_back_refused(view, question, answer)
        if question.topic == "charge":
            return charge_refused(view.table, question, answer, question.about[1])
        rule = NORMAL_MOVE if question.topic == "move" else VOLUNTARY
        return move_refused(view.table, question, answer, rule, avoid=enemy)

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if not isinstance(question, MoveModels):
            return Preview()
        ways = tracks(view.table, question.models, answer)
        return Preview(distances={way.figure.id: way.track.length for way in ways})
