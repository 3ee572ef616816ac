"""What each side has seen happen, in its own numbers: what it may not see leaves no gap."""

from collections.abc import Mapping

from msgspec.structs import replace

from sandtable.engine.events import AnyEvent, TakenBack, seen_by


class SideLog:
    """The events one side has seen, numbered by itself."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.numbers: dict[int, int] = {}  # the battle's number of an event → this side's

    def add(self, event: AnyEvent) -> None:
        """Take an event that this side may see, as it may see it."""
        n = len(self.events) + 1
        self.numbers[event.n] = n
        because = self.numbers.get(event.because, 0)
        if n != event.n or because != event.because:
            event = replace(event, n=n, because=because)
        self.events.append(event)

    def up_to(self, n: int) -> int:
        """This side's number of the last event it saw up to the battle's number."""
        while n > 0 and n not in self.numbers:
            n -= 1
        return self.numbers.get(n, 0)


def tell(logs: Mapping[str, SideLog], event: AnyEvent) -> None:
    """Write an event into the log of every side that may see it, as that side may see it."""
    if isinstance(event, TakenBack):
        for log in logs.values():
            log.add(replace(event, to=log.up_to(event.to)))
        return
    for side, log in logs.items():
        seen = seen_by(event, side)
        if seen is not None:
            log.add(seen)
