"""History: what was said since each boundary, how far undo may go, and how a battle is brought back or copied.

A boundary is a copy of the state between two steps. To be again as after some answer, a battle takes the last boundary
before it and is told again what was said since; nothing of that is logged twice.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from sandtable.engine.events import TakenBack
from sandtable.engine.ids import NO_RULE, NO_SIDE, Side
from sandtable.engine.questions import Refusal
from sandtable.engine.records.journal import (
    Answered,
    DrawOffered,
    Happened,
    Journal,
    Ordered,
    Snapshot,
    UndoAnswered,
    UndoAsked,
    Undone,
    frozen_state,
)
from sandtable.engine.state import State

if TYPE_CHECKING:
    from sandtable.engine.battle import Battle


class Said(msgspec.Struct, frozen=True, gc=False):
    """One thing that was said and counts (what was undone does not), and how many events there were before it.

    `at` is the place of the answered question among those open at once, `value` what the answer came to: given again to
    the same moment it is lawful again, and is not judged.
    """

    line: Answered | Ordered | DrawOffered
    at: int
    events: int
    value: Any = None


class Boundary(NamedTuple):
    """The state between two steps, and how much had been said, had happened and was written by then."""

    state: State
    said: int
    events: int
    lines: int


class NotUndoable(Exception):
    """A battle that keeps no boundaries is asked for one: it was begun with `undoable=False`."""


#: How many answers may have been given since the one that a side asks to take back.
REACH = 60


class History:
    """What was said, the boundaries on the way, and the barrier that undo stops at.

    Behind the barrier a boundary is kept for the last answer of each side: that one it may take back if all the others
    agree.

    Battles between programs, which take nothing back, do without boundaries: that spares a copy of the state a step.
    A battle and its history are one thing in two modules: the battle hands itself over to be brought back or copied,
    and is not held here, so that a clone nobody needs is gone at once.
    """

    def __init__(self, *, undoable: bool = True) -> None:
        self.said: list[Said] = []
        self.boundaries: list[Boundary] = []
        self.undoable = undoable
        self.barrier = 0  # what was said before this stands
        self.met_barrier = False  # since the last answer something has come that undo stops at
        self.replaying = False  # what was said before is said again: nothing is logged
        self._replaying_from = 0  # the journal's line at the boundary it is said again from
        self.asking = NO_SIDE  # the side that asks to take its last answer back
        self._agreed: tuple[str, ...] = ()  # the sides that have agreed to it

    # What a battle tells it --------------------------------------------------------------------------------------

    def mark(self, battle: "Battle") -> None:
        """Keep a boundary; of several with nothing said between them only the last is needed."""
        if not self.undoable:
            return
        if self.boundaries and self.boundaries[-1].said == len(self.said):
            self.boundaries.pop()
        lines = self._replaying_from if self.replaying else len(battle.journal.lines)
        self.boundaries.append(Boundary(battle.state.copy(), len(self.said), battle._events, lines))

    def keep(self, line: Answered | Ordered | DrawOffered, events: int, at: int = 0, value: Any = None) -> None:
        """Keep something that was said, as long as it could be taken back."""
        if self.undoable:
            self.said.append(Said(line, at, events, value))

    def bar(self) -> None:
        """Everything said so far stands; boundaries that undo can no longer reach are forgotten."""
        self.barrier = max(self.barrier, len(self.said))
        keep = self._boundary_before(self.barrier)
        behind = {self._boundary_before(at) for at in self._last_answers().values()}
        self.boundaries[:keep] = [one for at, one in enumerate(self.boundaries[:keep]) if at in behind]

    def _boundary_before(self, said: int) -> int:
        """Which boundary a battle goes back to in order to be as when so much had been said; -1: it is forgotten."""
        at = len(self.boundaries) - 1
        while at >= 0 and self.boundaries[at].said > said:
            at -= 1
        return at

    def _last_answers(self) -> dict[str, int]:
        """The last answer of each side, among the last `REACH` of all."""
        found: dict[str, int] = {}
        answers = 0
        for at in range(len(self.said) - 1, -1, -1):
            line = self.said[at].line
            if not isinstance(line, Answered):
                continue
            found.setdefault(line.side, at)
            answers += 1
            if answers == REACH:
                break
        return found

    def last_side(self) -> Side:
        """The side that answered last, as far as undo can see."""
        for said in reversed(self.said):
            if isinstance(said.line, Answered):
                return said.line.side
        return NO_SIDE

    # Undo --------------------------------------------------------------------------------------------------------

    def undo(self, battle: "Battle", side: Side) -> Refusal | None:
        """Take back the last answer of a side, or say why not.

        What others said to the same moment stands: their sealed answers, orders, offers. It is only said again.
        """
        at = self.to_undo(battle, side)
        if isinstance(at, Refusal):
            return at
        battle.journal.lines.append(Undone(side))
        self._take_back(battle, side, at, self.said[at + 1 :])
        return None

    def _take_back(self, battle: "Battle", side: Side, at: int, later: Sequence[Said]) -> None:
        """Go back to before something that was said, tell everybody, and say again what stands of what came later."""
        self.asking = NO_SIDE
        kept = self.said[at].events
        self.go_back(battle, at)
        battle._events = _last_number(battle) + 1
        event = TakenBack(side, kept, n=battle._events)
        battle.journal.lines.append(Happened(event))
        battle.logs.tell(event)
        for said in later:
            battle._say_again(said)

    def to_ask(self, battle: "Battle", side: Side) -> int | Refusal:
        """Which answer a side would take back if all the others agree: its last, whatever has come since."""
        if battle.ended:
            return Refusal(NO_RULE, "The battle is over; nothing is taken back.")
        at = self._last_answers().get(side, -1)
        if not self.undoable or self._boundary_before(at) < 0:
            return Refusal(NO_RULE, f"{side} has said nothing lately that could be taken back.")
        return at

    def ask(self, battle: "Battle", side: Side, *, asks: bool = True) -> Refusal | None:
        """Ask all other sides to let one take its last answer back, or ask no more."""
        found = self.to_ask(battle, side) if asks else 0
        if isinstance(found, Refusal):
            return found
        if asks and self.asking:
            return Refusal(NO_RULE, f"{self.asking} is asking already.")
        if not asks and self.asking != side:
            return Refusal(NO_RULE, f"{side} does not ask to take anything back.")
        battle.journal.lines.append(UndoAsked(side, asks))
        self.asking, self._agreed = side if asks else NO_SIDE, ()
        return None

    def answer_asked(self, battle: "Battle", side: Side, *, agrees: bool) -> Refusal | None:
        """Agree to what another side asks to take back, or refuse; when all have agreed, it is taken back.

        Dice that fell since fall again as they fell. Standing orders stand.
        """
        if not self.asking or self.asking == side:
            return Refusal(NO_RULE, "No other side asks to take anything back.")
        battle.journal.lines.append(UndoAnswered(side, agrees))
        if not agrees:
            self.asking = NO_SIDE
            return None
        self._agreed = (*self._agreed, side)
        at = self.to_ask(battle, self.asking)
        assert isinstance(at, int), "what could be asked for can be taken back until somebody answers"
        if all(one in (self.asking, *self._agreed) for one in battle.table.sides):
            orders = [said for said in self.said[at + 1 :] if isinstance(said.line, Ordered)]
            self._take_back(battle, self.asking, at, orders)
            self.barrier = len(self.said)
        return None

    def to_undo(self, battle: "Battle", side: Side) -> int | Refusal:
        """Which answer a side would take back: its last, if nothing but answers that still wait for others followed.

        Orders and draw offers are not in the way, nor are they taken back.
        """
        if battle.ended:
            return Refusal(NO_RULE, "The battle is over; nothing is taken back.")
        waiting = battle._waiting
        for at in range(len(self.said) - 1, self.barrier - 1, -1) if self.undoable else ():
            line = self.said[at].line
            if not isinstance(line, Answered):
                continue
            if line.side == side:
                return at
            if waiting == 0:
                break
            waiting -= 1
        return Refusal(NO_RULE, "Nothing can be taken back: a die, a reveal or another side's answer has come since.")

    def go_back(self, battle: "Battle", upto: int) -> None:
        """Bring the battle back to where only the first so many things had been said."""
        while self.boundaries[-1].said > upto:
            self.boundaries.pop()
        boundary = self.boundaries.pop()
        again = self.said[boundary.said : upto]
        del self.said[boundary.said :]
        self._replaying_from = boundary.lines
        self._replay(battle, boundary, again)

    def _replay(self, battle: "Battle", boundary: Boundary, again: Sequence[Said]) -> None:
        """Let the battle start from a boundary, and be told again what was said since."""
        battle.hold(boundary.state.copy())
        battle.dice.draws = boundary.state.draws
        battle._events = boundary.events
        self.replaying = True
        battle._start()
        for said in again:
            battle._events = said.events
            battle._say_again(said)
        self.replaying = False
        self.met_barrier = False

    # Copies ------------------------------------------------------------------------------------------------------

    def last(self) -> Boundary:
        """The last boundary."""
        if not self.undoable:
            raise NotUndoable("this battle keeps no boundaries; begin it with undoable=True to save, clone or undo")
        return self.boundaries[-1]

    def saved(self, journal: Journal) -> Journal:
        """The journal with a snapshot in its place: the earliest boundary that undo may still need."""
        self.last()  # or there is none
        boundary, lines = self.boundaries[0], journal.lines
        snapshot = Snapshot(boundary.events, frozen_state(boundary.state))
        return Journal(journal.header, [*lines[: boundary.lines], snapshot, *lines[boundary.lines :]])

    def copy_to(self, twin: "Battle", battle: "Battle") -> None:
        """Bring a new battle to where this one is, its past cut off at the last boundary."""
        boundary = self.last()
        twin.journal = Journal(battle.journal.header, battle.journal.lines[boundary.lines :])
        twin._history._replay(twin, boundary, self.said[boundary.said :])
        twin._history.barrier = max(0, self.barrier - boundary.said)
        twin._events = battle._events


def _last_number(battle: "Battle") -> int:
    """The number of the last event that is written down."""
    for line in reversed(battle.journal.lines):
        if isinstance(line, Happened):
            return line.event.n
    return battle._events
