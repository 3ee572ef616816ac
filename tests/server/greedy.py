"""A library that takes too much of everything when it is asked for a ledger."""

import os
import time

from sandtable.forces.ledger import Ledger
from sandtable.server.library import Library
from tests.server.small_shelf import SmallShelf

WHERE = "tests.server.greedy:shelf"


class Greedy(SmallShelf):
    """Sleeps, eats or dies, as the name of the ruleset says."""

    def ledger(self, name: str) -> Ledger | None:
        if name == "sleep":
            time.sleep(60)
        if name == "memory":
            assert [bytearray(64 << 20) for _ in range(64)]
        if name == "die":
            os._exit(3)
        return None


def shelf() -> Library:
    """The library, for `Settings.library`."""
    return Greedy()
