"""Transcript 6: secret numbers that are shown turns later, and a commander who is shown when lost, or never.

Two scenarios of strikeops on one small firefight: `Time Stands Still` (the option `scenario` is "time") and
`Headhunter` ("headhunter"). Models stand in two lines and fire by turns; what is tried here are the secrets.
"""

from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Harm,
    HarmApplied,
    HarmNoted,
    ModelLost,
    PhaseBegan,
    Placed,
    Revealed,
    Rolled,
    Scored,
    StateChanged,
)
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import NO_SIDE, RuleId, Side, ThingId
from sandtable.engine.questions import UNTIL_REVEALED, AnyQuestion, ChooseOne, Option
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.shapes import UNIT, At, Base, Point
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Table, Thing
from tests.miniatures.squad_shooting import rolled
from tests.miniatures.standing import board

SETUP = RuleId("strikeops.setup.order")
TURNS = RuleId("strikeops.scenarios.time-stands-still-turn-limit")
BY_POINTS = RuleId("strikeops.scenarios.time-stands-still-victory")
COMMANDER = RuleId("strikeops.scenarios.headhunter-commander")
HEADHUNTER = RuleId("strikeops.scenarios.headhunter-victory")
PHASES = RuleId("strikeops.initiative.sequence-of-play")
ACTIVATION = RuleId("strikeops.initiative.one-activation-a-turn")
DECLARE = RuleId("strikeops.actions.declare-the-whole-squad-first")
COMBAT_ROLL = RuleId("strikeops.shooting.combat-roll")
BANDS = RuleId("strikeops.shooting.band-target-points")
DAMAGE = RuleId("strikeops.damage.applied-at-end-of-activation")
LOST = RuleId("strikeops.damage.infantry-removed")

END = "end of activation"
#: A battle that nobody can win ends here.
LAST_TURN = 12


class Choose(Step, frozen=True):
    """Both sides choose in secret, at once."""


class BaseTurns(Step, frozen=True):
    pass


class Turn(Step, frozen=True):
    pass


class Next(Step, frozen=True):
    """The next model of a side acts, then one of the other side."""

    side: Side


class Shoot(Step, frozen=True):
    model: str
    target: str


class EndPhase(Step, frozen=True):
    pass


def headhunter(table: Table) -> bool:
    """Whether commanders are hunted; otherwise time runs out."""
    return table.options.get("scenario") == "headhunter"


def fresh(table: Table, side: Side) -> list[Thing]:
    """The models of a side that have not acted this turn."""
    return [model for model in table.models(side) if not model.has("acted")]


class SealedNumbers(Ruleset):
    """Choose in secret, fight, and learn what the other side chose when a rule says so."""

    name = "sealed-numbers"
    title = "Sealed numbers and a secret commander"
    steps = (Choose, BaseTurns, Turn, Next, Shoot, EndPhase)
    concession_rule = BY_POINTS
    draw_rule = BY_POINTS

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.happens(board(24 * UNIT, 24 * UNIT, SETUP))
        for side, y in zip(setup.sides, (6, 16), strict=True):
            for number in (1, 2, 3):
                made = Thing(ThingId(f"{side[0].upper()}{number}"), side=side, base=Base("circle", UNIT), track=2)
                where = At(Point(6 * number * UNIT, y * UNIT))
                battle.happens(Placed(made.id, where, 90 if y < 12 else 270, made=made, rule=SETUP))
        battle.push(Choose())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Choose():
                return self.choose(battle)
            case BaseTurns():
                return self.base_turns(battle)
            case Turn():
                return self.turn(battle)
            case Next(side):
                return self.next(battle, side)
            case Shoot(model, target):
                return self.shoot(battle, model, target)
            case EndPhase():
                return self.end_phase(battle)
        raise AssertionError(step)

    # Secrets ----------------------------------------------------------------------------------------------------

    def choose(self, battle: Battle) -> Procedure[None]:
        """A number from 1 to 3, or the model that carries the commander; sealed until a rule reveals it."""
        table = battle.table
        yield tuple(self.secret(table, side) for side in table.sides)
        battle.push(*(() if headhunter(table) else (BaseTurns(),)), Turn())

    def secret(self, table: Table, side: Side) -> AnyQuestion:
        if headhunter(table):
            return ChooseOne(
                side,
                "Which model carries your commander?",
                topic="commander",
                options=tuple(Option(model.id, model.id, (model.id,)) for model in table.models(side)),
                sealed=UNTIL_REVEALED,
                rules=(COMMANDER,),
            )
        return ChooseOne(
            side,
            "How many turns do you add?",
            topic="turns",
            options=tuple(Option(str(number), str(number)) for number in (1, 2, 3)),
            sealed=UNTIL_REVEALED,
            rules=(TURNS,),
        )

    def base_turns(self, battle: Battle) -> Procedure[None]:
        """1d3 openly: how many turns are played before the numbers are shown."""
        roll = battle.dice.total("d3")
        n = battle.happens(
            Rolled("base turns", "", roll.dice, roll.faces, roll.natural, total=roll.natural, rule=TURNS)
        )
        battle.happens(Counted("battle", "last turn", 0, roll.natural, rule=TURNS, because=n))
        yield from ()

    def show_numbers(self, battle: Battle) -> None:
        """The last base turn is over: both numbers are shown, and so many turns more are played."""
        table = battle.table
        extra, n = 0, 0
        for side in table.sides:
            number = table.secrets[f"{side}: turns"]
            extra += int(str(number))
            n = battle.happens(Revealed(f"{side}: turns", str(number), value=number, rule=TURNS))
        before = table["battle"].count("last turn")
        battle.happens(Counted("battle", "last turn", before, before + extra, rule=TURNS, because=n))
        battle.happens(StateChanged("battle", "numbers shown", None, 1, rule=TURNS, because=n))

    def show_commander(self, battle: Battle, side: Side, because: int = 0) -> None:
        """Show who carried a commander, once."""
        if battle.table.things.get(side, Thing(ThingId(side))).has("commander shown"):
            return
        model = battle.table.secrets[f"{side}: commander"]
        n = battle.happens(Revealed(f"{side}: commander", str(model), value=model, rule=COMMANDER, because=because))
        battle.happens(StateChanged(side, "commander shown", None, 1, rule=COMMANDER, because=n))

    # The fight ----------------------------------------------------------------------------------------------------

    def turn(self, battle: Battle) -> Procedure[None]:
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "activation", rule=PHASES))
        for model in table.models():
            if model.has("acted"):
                battle.happens(StateChanged(model.id, "acted", 1, None, rule=ACTIVATION))
        battle.push(Next(table.sides[0]))
        yield from ()

    def next(self, battle: Battle, side: Side) -> Procedure[None]:
        """The side says which model fires at whom; a side with nobody left to act is passed over."""
        table = battle.table
        other = next(name for name in table.sides if name != side)
        able = fresh(table, side)
        targets = table.models(other)
        if not targets or not (able or fresh(table, other)):
            battle.push(EndPhase())
            return
        battle.push(Next(other))
        if not able:
            return
        whom = tuple(Option(model.id, model.id, (model.id,)) for model in targets)
        actor = able[0].id
        target = yield ChooseOne(
            side,
            f"{actor} fires at?",
            topic="fire",
            about=(actor,),
            options=whom,
            rules=(DECLARE,),
            decline="Hold fire",
        )
        battle.happens(StateChanged(actor, "acted", None, 1, "end of turn", rule=ACTIVATION))
        if target is not None:
            battle.push(Shoot(actor, target))

    def shoot(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        n = battle.happens(Declared(model, "fire", (target,), rule=DECLARE))
        roll = battle.dice.total("2d6")
        needed = explain("combat roll", ExplainedPart("medium range", 7, BANDS))
        outcome = "hit" if roll.natural >= needed.total else "miss"
        n = battle.happens(rolled("combat roll", model, roll, needed, outcome, COMBAT_ROLL, n, target))
        if outcome == "hit":
            battle.note(HarmNoted(target, Harm("damage", 1), END, rule=DAMAGE, because=n))
            battle.push(Settle(END))
        yield from ()

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """Damage; a lost model that carried its commander shows it, any other shows nothing."""
        model = battle.table[due.target]
        after = model.harm + 1
        n = battle.happens(HarmApplied(model.id, due.harm, model.harm, after, rule=DAMAGE, because=due.because))
        if after >= model.track:
            n = battle.happens(ModelLost(model.id, "destroyed", rule=LOST, because=n))
            if battle.table.secrets.get(f"{model.side}: commander") == model.id:
                self.show_commander(battle, model.side, n)
        yield from ()

    def end_phase(self, battle: Battle) -> Procedure[None]:
        table = battle.table
        battle.happens(PhaseBegan(table.turn, "end", rule=PHASES))
        if headhunter(table):
            self.end_of_the_hunt(battle)
        else:
            if not table["battle"].has("numbers shown") and table.turn >= table["battle"].count("last turn"):
                self.show_numbers(battle)
            out_of_time = table["battle"].has("numbers shown") and table.turn >= table["battle"].count("last turn")
            if out_of_time or not all(table.models(side) for side in table.sides):
                self.end_by_points(battle)
        if not table.ending:
            battle.push(Turn())
        yield from ()

    def end_of_the_hunt(self, battle: Battle) -> None:
        """A commander that is lost has lost; both in one turn is a draw. At the end both are shown."""
        table = battle.table
        lost = [side for side in table.sides if side in table.things and table[side].has("commander shown")]
        if not lost and table.turn < LAST_TURN:
            return
        for side in table.sides:
            self.show_commander(battle, side)
        kept = [side for side in table.sides if side not in lost]
        battle.happens(BattleEnded(kept[0] if len(kept) == 1 else NO_SIDE, reason="commander lost", rule=HEADHUNTER))

    def end_by_points(self, battle: Battle) -> None:
        """Surviving points decide."""
        table = battle.table
        for side in table.sides:
            points = sum(model.track - model.harm for model in table.models(side))
            battle.happens(Scored(side, points, "surviving points", rule=BY_POINTS))
        scores = dict(table.scores)
        best = [side for side in scores if scores[side] == max(scores.values())]
        winner = best[0] if len(best) == 1 else NO_SIDE
        battle.happens(BattleEnded(winner, scores, "surviving points", rule=BY_POINTS))


#: The secrets of this game: the option to choose, the topic, and who must not know.
SECRETS: tuple[tuple[str, str], ...] = (("time", "turns"), ("headhunter", "commander"))


def setup(scenario: str, **more: Any) -> Setup:
    """A set-up for one of the two scenarios."""
    return Setup(options={"scenario": scenario, **more})
