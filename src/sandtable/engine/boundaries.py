"""History: what was said since each boundary, and how far undo may go.

A boundary is a copy of the state between two steps. To be again as after some answer, a battle takes the last boundary
before it and is told again what was said since.
"""

from typing import Any, NamedTuple

import msgspec

from sandtable.engine.journal import Answered, DrawOffered, Ordered
from sandtable.engine.state import State


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


class History:
    """What was said, the boundaries on the way, and the barrier that undo stops at.

    Battles between programs, which take nothing back, do without boundaries: that spares a copy of the state a step.
    """

    def __init__(self, *, undoable: bool = True) -> None:
        self.said: list[Said] = []
        self.boundaries: list[Boundary] = []
        self.barrier = 0  # what was said before this stands
        self.undoable = undoable

    def last(self) -> Boundary:
        """The last boundary."""
        if not self.undoable:
            raise NotUndoable("this battle keeps no boundaries; begin it with undoable=True to save, clone or undo")
        return self.boundaries[-1]

    def mark(self, state: State, events: int, lines: int) -> None:
        """Keep a boundary; of several with nothing said between them only the last is needed."""
        if self.boundaries and self.boundaries[-1].said == len(self.said):
            self.boundaries.pop()
        self.boundaries.append(Boundary(state.copy(), len(self.said), events, lines))

    def bar(self) -> None:
        """Everything said so far stands; boundaries that undo can no longer reach are forgotten."""
        self.barrier = max(self.barrier, len(self.said))
        keep = len(self.boundaries) - 1
        while keep > 0 and self.boundaries[keep].said > self.barrier:
            keep -= 1
        del self.boundaries[:keep]

    def last_side(self) -> str:
        """The side that answered last, as far as undo can see."""
        for said in reversed(self.said):
            if isinstance(said.line, Answered):
                return said.line.side
        return ""

    def to_undo(self, side: str, waiting: int) -> int | None:
        """Which answer a side would take back: its last, if nothing but answers that still wait for others followed.

        `waiting` counts the answers given to the questions that are open at once. Orders and draw offers are not in
        the way, nor are they taken back.
        """
        if not self.undoable:
            return None
        for at in range(len(self.said) - 1, self.barrier - 1, -1):
            line = self.said[at].line
            if not isinstance(line, Answered):
                continue
            if line.side == side:
                return at
            if waiting == 0:
                return None
            waiting -= 1
        return None

    def go_back(self, upto: int) -> tuple[Boundary, list[Said]]:
        """The last boundary at which no more than this was said, and what has to be said again to get there."""
        while self.boundaries[-1].said > upto:
            self.boundaries.pop()
        boundary = self.boundaries.pop()
        again = self.said[boundary.said : upto]
        del self.said[boundary.said :]
        return boundary, again
