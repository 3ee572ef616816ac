"""No answer takes longer than five seconds, and none takes all memory."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sandtable.server.processes.worker import limit_memory

SECONDS = 5.0
MEMORY = 2 * 1024 * 1024 * 1024


class TooLate(BaseException):
    """It took longer than it may; no reader may catch it."""


def _late(number: int, frame: FrameType | None) -> None:
    raise TooLate


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Fail where something takes longer than five seconds of a processor: a busy machine is nobody's fault."""
    before = signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    except TooLate:
        raise AssertionError(f"{what} took longer than {SECONDS:g} s") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def bound() -> None:
    """Let this process have so much memory and no more."""
    limit_memory(MEMORY)
