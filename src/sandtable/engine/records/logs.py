"""What each side has seen happen, in its own numbers: what it may not see leaves no gap."""

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.engine.events import AnyEvent, TakenBack, seen_by
from sandtable.engine.ids import Side


class SideLog:
    """The events one side has seen, numbered by itself.

    What it is told is looked at when somebody reads the log: most battles between programs are never read.
    """

    def __init__(self, side: Side, told: list[AnyEvent]) -> None:
        self._side = side
        self._told = told  # what all sides are told
        self._looked_at = 0  # so much of it
        self._events: list[AnyEvent] = []
        self._numbers: dict[int, int] = {}

    @property
    def events(self) -> list[AnyEvent]:
        """What this side may see, as it may see it."""
        self._catch_up()
        return self._events

    @property
    def numbers(self) -> dict[int, int]:
        """The battle's number of each event it may see → its own."""
        self._catch_up()
        return self._numbers

    def _catch_up(self) -> None:
        while self._looked_at < len(self._told):
            self._looked_at += 1
            self._look_at(self._told[self._looked_at - 1])

    def _look_at(self, event: AnyEvent) -> None:
        if isinstance(event, TakenBack):
            self._take(replace(event, to=self._up_to(event.to)))
            return
        seen = seen_by(event, self._side)
        if seen is not None:
            self._take(seen)

    def add(self, event: AnyEvent) -> None:
        """Take an event that this side may see, as it may see it."""
        self._catch_up()
        self._take(event)

    def _take(self, event: AnyEvent) -> None:
        n = len(self._events) + 1
        self._numbers[event.n] = n
        because = self._numbers.get(event.because, 0)
        if n != event.n or because != event.because:
            event = replace(event, n=n, because=because)
        self._events.append(event)

    def _up_to(self, n: int) -> int:
        """This side's number of the last event it saw up to the battle's number."""
        while n > 0 and n not in self._numbers:
            n -= 1
        return self._numbers.get(n, 0)


class Logs(dict[Side, SideLog]):
    """The logs of some sides. An event is told to all of them at once: it is done thousands of times a second.

    >>> from sandtable.engine.events import Passed
    >>> logs = Logs(("red", "blue"))
    >>> logs.tell(Passed("red", "shots", n=1, known_to=("red",)))
    >>> len(logs["red"].events), len(logs["blue"].events)
    (1, 0)
    """

    def __init__(self, sides: Iterable[Side] = ()) -> None:
        told: list[AnyEvent] = []
        super().__init__((side, SideLog(side, told)) for side in sides)
        self.tell = told.append  #: Write an event into the log of every side that may see it, as it may see it.
