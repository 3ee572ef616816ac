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

    def now(self) -> int:
        """How many seconds this table has been served."""
        return int(self._ran + self._since())

    def _since(self) -> float:
        # A process that did not run for a while (a machine asleep, a debugger) has served nobody in that time.
        return min(time.monotonic() - self._at, 2 * TICK)

    async def tick(self, storage: "Storage") -> None:
        """Write it down, and take over what another worker has counted."""
        self._ran, self._at = self._ran + self._since(), time.monotonic()
        try:
            self._ran = max(self._ran, float(await storage.tick(int(self._ran))))
        except Exception:
            log.warning("the time that was served is not written down", exc_info=True)
