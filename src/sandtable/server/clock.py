"""The clock that claims and expiry go by: how long this table has been served, in seconds, kept in storage.

It stands still while no server runs and while the machine sleeps, and what happens to the clock on the wall is nothing
to it: nobody loses a battle because a server was down or its clock was set. Several workers keep one clock: the one
that is ahead is right.
"""

import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.server.database.storage import Storage

log = logging.getLogger("sandtable.server")
#: How often it is written down, in seconds; as much is lost when a server is killed.
TICK = 30.0


class ServedTime:
    """Counts on from what storage says."""

    def __init__(self) -> None:
        self._ran, self._at = 0.0, time.monotonic()
        self.taken_over = 0.0  # how many of them another worker has served and this one has not

    def now(self) -> int:
        """How many seconds this table has been served."""
        return self.milliseconds() // 1000

    def milliseconds(self) -> int:
        """The same, for clocks that players agreed on."""
        return int(1000 * (self._ran + self._since()))

    def _since(self) -> float:
        # A process that did not run for a while (a machine asleep, a debugger) has served nobody in that time.
        return min(time.monotonic() - self._at, 2 * TICK)

    async def tick(self, storage: "Storage") -> None:
        """Write it down, and take over what another worker has counted."""
        self._ran, self._at = self._ran + self._since(), time.monotonic()
        try:
            ahead = max(0.0, float(await storage.tick(int(self._ran))) - self._ran)
            self._ran, self.taken_over = self._ran + ahead, self.taken_over + ahead
        except Exception:
            log.warning("the time that was served is not written down", exc_info=True)
