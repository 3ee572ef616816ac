"""What each side has seen happen, in its own numbers: what it may not see leaves no gap."""

from collections.abc import Mapping

from msgspec.structs import replace

from sandtable.engine.events import AnyEvent, TakenBack, seen_by


class SideLog:
    """The events one side has seen, numbered by itself.

    What it is told is looked at when somebody reads the log: most battles between programs are never read.
    """

    def __init__(self, side: str = "") -> None:
        self._side = side
        self._told: list[AnyEvent] = []  # and not looked at yet
        self._events: list[AnyEvent] = []
        self._numbers: dict[int, int] = {}
        #: Be told of an event. It only goes on the list, for it is told thousands of times a second.
        self.hear = self._told.append

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
        if self._told:
            told = self._told.copy()
            self._told.clear()
            for event in told:
                self._look_at(event)

    def _look_at(self, event: AnyEvent) -> None:
        if isinstance(event, TakenBack):
            self.add(replace(event, to=self._up_to(event.to)))
            return
        seen = seen_by(event, self._side)
        if seen is not None:
            self.add(seen)

    def add(self, event: AnyEvent) -> None:
        """Take an event that this side may see, as it may see it."""
        self._catch_up()
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


def tell(logs: Mapping[str, SideLog], event: AnyEvent) -> None:
    """Write an event into the log of every side that may see it, as that side may see it."""
    for log in logs.values():
        log.hear(event)
