"""Whose turn it is where there are few places: everybody's in a circle, however much one of them asks for."""

import asyncio
from collections import Counter, OrderedDict, deque


class Full(Exception):
    """So many are waiting that nobody else is let in, or one has waited long enough."""


class Turns:
    """Places that are taken for a while. Who waits gets the next one in a circle of callers, not of calls.

    `each` is how many calls of one caller may wait, `at_once` how many places one caller may hold; there is a place
    for somebody else then, whatever the one does.
    """

    def __init__(self, places: int, *, each: int = 8, waiting: int = 200, at_once: int = 0) -> None:
        self.places = max(1, places)
        self._each, self._most, self._at_once = each, waiting, at_once or self.places
        self._free = self.places
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(len(queue) for queue in self._waiting.values())

    async def take(self, who: str, seconds: float | None = None) -> None:
        """Take a place, or wait for one so long; `Full` where that is no use."""
        if self._free and self._held[who] < self._at_once:
            self._hold(who)
            return
        if len(self._waiting.get(who, ())) >= self._each or self.waiting >= self._most:
            raise Full
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(mine)
        try:
            await asyncio.wait_for(asyncio.shield(mine), seconds)
        except BaseException as problem:
            if mine.done():
                self.give_back(who)  # it came at the very moment at which nobody wanted it any more
            else:
                self._forget(who, mine)
            if isinstance(problem, TimeoutError):
                raise Full from None
            raise

    def give_back(self, who: str) -> None:
        """Somebody does not need a place any more."""
        self._held[who] -= 1
        if not self._held[who]:
            del self._held[who]
        self._free += 1
        for caller in list(self._waiting):
            if not self._free:
                break
            if self._held[caller] < self._at_once:
                self._next_of(caller)

    def _next_of(self, who: str) -> None:
        queue = self._waiting[who]
        mine = queue.popleft()
        self._waiting.move_to_end(who)
        if not queue:
            del self._waiting[who]
        self._hold(who)
        mine.set_result(None)

    def _hold(self, who: str) -> None:
        self._free -= 1
        self._held[who] += 1

    def _forget(self, who: str, mine: "asyncio.Future[None]") -> None:
        queue = self._waiting.get(who)
        if queue is not None and mine in queue:
            queue.remove(mine)
            if not queue:
                del self._waiting[who]
        mine.cancel()
