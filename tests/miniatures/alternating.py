"""A game turn in which the sides take turns activating one unit, written once for the miniatures that play so."""

from typing import ClassVar

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, Rolled, StateChanged
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure, Ruleset
from sandtable.engine.state import Step
from sandtable.engine.table import Table

ALTERNATING = "stargrunt.turn.alternating-activation"
FIRST = "stargrunt.turn.who-goes-first"
PASSING = "stargrunt.turn.passing"
FINISHING = "stargrunt.turn.finishing"
TURN_END = "stargrunt.turn.turn-end-phase"


class TurnBegins(Step, frozen=True):
    pass


class NextActivation(Step, frozen=True):
    """It is a side's turn to activate."""

    side: str


class TurnEnds(Step, frozen=True):
    pass


class Alternating(Ruleset):
    """Turns of alternating activations. Passing and finishing count what everybody may count, dummies included."""

    last_turn: ClassVar[int] = 3

    def may_activate(self, table: Table, side: str) -> list[Option]:
        """The units a side may activate now."""
        raise NotImplementedError

    def unactivated(self, table: Table, side: str) -> int:
        """How many units of a side count as not yet activated, by what every side knows."""
        raise NotImplementedError

    def units_of(self, table: Table, side: str) -> int:
        """How many units a side has, by what every side knows."""
        raise NotImplementedError

    def activation(self, battle: Battle, chosen: str) -> Step:
        """The step that activates what a side has chosen."""
        raise NotImplementedError

    def decided(self, battle: Battle) -> bool:
        """End the battle if it is decided before its last turn, and say whether it is."""
        return False

    def turn_over(self, battle: Battle) -> None:
        """Score, and end the battle after its last turn."""
        raise NotImplementedError

    def turn_procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedures of the steps above."""
        match step:
            case TurnBegins():
                return self.turn_begins(battle)
            case NextActivation(side):
                return self.next_activation(battle, side)
            case _:
                return self.turn_ends(battle)

    def turn_begins(self, battle: Battle) -> Procedure[None]:
        """Let the side with fewer units, or the higher die, say who activates first."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "activations", rule=ALTERNATING))
        red, blue = table.sides
        difference = self.units_of(table, red) - self.units_of(table, blue)
        while difference == 0:
            mine, yours = battle.dice.opposed("d6", "d6")
            for side, fell in ((red, mine), (blue, yours)):
                n = fell.natural
                battle.happens(Rolled("who goes first", side, fell.dice, fell.faces, n, total=n, rule=FIRST))
            difference = yours.natural - mine.natural
        chooser = red if difference < 0 else blue
        first = yield ChooseOne(
            chooser,
            "Who activates first?",
            topic="first",
            options=tuple(Option(side) for side in table.sides),
            rules=(FIRST,),
        )
        battle.push(NextActivation(first))

    def next_activation(self, battle: Battle, side: str) -> Procedure[None]:
        """Ask a side what it activates, unless it has nothing left or has finished."""
        table = battle.table
        other = next(s for s in table.sides if s != side)
        if self.decided(battle):
            return
        if self.finished(table, side):
            battle.push(TurnEnds() if self.finished(table, other) else NextActivation(other))
            return
        if _has(table, side, "activated ahead"):
            battle.happens(StateChanged(side, "activated ahead", 1, rule=ALTERNATING))
            battle.push(NextActivation(other))
            return
        options = self.may_activate(table, side)
        fewer = self.unactivated(table, side) < self.unactivated(table, other)
        may_pass = fewer and not self.finished(table, other)
        refused = "" if may_pass else "Only a side with fewer units left to activate may pass."
        options.append(Option("pass", "Pass", rules=(PASSING,), refused=refused))
        options.append(Option("finish", "No more this turn", rules=(FINISHING,)))
        chosen = yield ChooseOne(
            side,
            "Activate which unit?",
            topic="activate",
            options=tuple(options),
            rules=(ALTERNATING, PASSING, FINISHING),
            default="finish",
        )
        if chosen == "finish":
            battle.happens(StateChanged(side, "finished", after=1, until="end of turn", rule=FINISHING))
        elif chosen != "pass":
            battle.push(self.activation(battle, chosen), NextActivation(other))
            return
        battle.push(NextActivation(other))

    def finished(self, table: Table, side: str) -> bool:
        """Whether a side activates nothing more this turn, as everybody can tell."""
        return _has(table, side, "finished") or self.unactivated(table, side) == 0

    def turn_ends(self, battle: Battle) -> Procedure[None]:
        """All units become unactivated; the turn is scored; the next one begins."""
        for thing in list(battle.table.things.values()):
            for state, mark in thing.states.items():
                if mark.until == "end of turn":
                    battle.happens(StateChanged(thing.id, state, mark.value, rule=TURN_END))
        self.turn_over(battle)
        if not battle.ended:
            battle.push(TurnBegins())
        yield from ()


def _has(table: Table, side: str, state: str) -> bool:
    return side in table.things and table[side].has(state)
