"""Memory: how seldom it is looked through, and what is given back of it.

Python looks for what holds itself in circles, and everybody waits while it does: half a second with two hundred battles
in memory, several times a minute. Battles and sockets that are let go of are freed by themselves; so what has stayed
for a while is set apart and not looked through again, but for once in ten minutes and when all have left.
"""

import ctypes
import gc
from functools import lru_cache

try:
    _C: ctypes.CDLL | None = ctypes.CDLL(None)
except (OSError, TypeError):  # pragma: no cover - there is none by that name on Windows
    _C = None

#: What `lru_cache` makes of a function.
_CACHED = type(lru_cache(len))


def set_apart() -> None:
    """Set apart whatever is there: it is not looked through for circles any more."""
    gc.freeze()


def put_back() -> None:
    """What was set apart is looked through like anything else again."""
    gc.unfreeze()


def look_through_all() -> None:
    """Look through everything for what nobody can reach, also what was set apart. Everybody waits for it."""
    put_back()
    gc.collect()


def forget_worked_out() -> None:
    """Empty what keeps results of battles for the next time they are asked for: outlines, lines of sight, reaches.

    Only what is bounded: nobody may count on such a result being there. What is kept for good, as a ledger is, stays.
    """
    put_back()
    for one in gc.get_objects():
        if isinstance(one, _CACHED) and one.__module__.startswith("sandtable.") and one.cache_parameters()["maxsize"]:
            one.cache_clear()


def give_memory_back() -> None:
    """Give memory that is not used any more back to the machine, where the C library would keep it."""
    trim = getattr(_C, "malloc_trim", None)
    if trim is not None:
        trim(0)
