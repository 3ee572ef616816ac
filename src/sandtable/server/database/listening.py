"""Hearing what other workers have kept, over PostgreSQL's NOTIFY."""

import asyncio
import logging
import threading
from collections.abc import Callable

import sqlalchemy as sa

CHANNEL = "sandtable"
log = logging.getLogger("sandtable.server")


class Listener:
    """A thread that hears what other workers have kept."""

    def __init__(self, url: sa.URL, loop: asyncio.AbstractEventLoop, heard: Callable[[str, int], None]) -> None:
        self._url, self._loop, self._heard = url, loop, heard
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, within a second."""
        self._stopped.set()
        self._thread.join()

    def _listen(self) -> None:
        import psycopg

        address = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._stopped.is_set():
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    # Something may have been missed while nobody listened: an empty name means every battle.
                    self._tell("", 0)
                    while not self._stopped.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            battle, _, n = notice.payload.partition(" ")
                            self._tell(battle, int(n))
            except psycopg.Error:
                log.warning("the line to the database is down; trying again")
                self._stopped.wait(1)

    def _tell(self, battle: str, n: int) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._heard, battle, n)
