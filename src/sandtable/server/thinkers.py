"""Processes in which bots think. They speak msgspec over their standard streams; nothing is ever unpickled.

A thinker gets a view and a question, gives an answer and a reason, and keeps nothing between two questions that it
could not do without: any thinker may be asked, and one that dies is replaced.
"""

import asyncio
import logging
import os
import sys
from typing import Any

import msgspec

from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View

log = logging.getLogger("sandtable.server")
SECONDS = 120.0
#: No answer of a bot is longer.
MOST_BYTES = 4 * 1024 * 1024


class Wanted(msgspec.Struct, frozen=True):
    """A question for a bot."""

    ruleset: str
    bot: str
    seed: str
    view: View
    question: AnyQuestion


class Thought(msgspec.Struct, frozen=True):
    """What a bot answers and why; or what went wrong."""

    answer: Any = None
    reason: str = ""
    failed: str = ""


class BotFailed(Exception):
    """A bot gave no answer."""


def wanted_bytes(wanted: Wanted) -> bytes:
    """A question as a thinker reads it: one line."""
    return msgspec.json.encode(wanted) + b"\n"


class Thinkers:
    """A few thinking processes, started when the first bot is asked."""

    def __init__(self, library: str, count: int = 1) -> None:
        self._library = library
        self._free: asyncio.Queue[_Thinker | None] = asyncio.Queue()
        self._all: list[_Thinker] = []
        self._closed = False
        for _ in range(max(1, count)):
            self._free.put_nowait(None)

    async def think(self, wanted: bytes) -> Thought:
        """Let the next free process think; `BotFailed` where it finds nothing, dies or takes too long."""
        thinker = await self._free.get()
        try:
            if self._closed:
                raise BotFailed("The server is closing.")
            if thinker is None:
                thinker = await _Thinker.start(self._library)
                self._all.append(thinker)
            thought = await asyncio.wait_for(thinker.ask(wanted), SECONDS)
        except BaseException as problem:
            if thinker is not None:
                await asyncio.shield(self._drop(thinker))
                thinker = None
            if isinstance(problem, OSError | EOFError | ValueError | asyncio.TimeoutError | msgspec.DecodeError):
                raise BotFailed(f"The thinking process failed ({type(problem).__name__}).") from None
            raise
        finally:
            self._free.put_nowait(thinker)
        if thought.failed:
            raise BotFailed(thought.failed)
        return thought

    async def close(self) -> None:
        """End all of them; nobody thinks from here on."""
        self._closed = True
        for thinker in list(self._all):
            await self._drop(thinker)

    async def _drop(self, thinker: "_Thinker") -> None:
        if thinker in self._all:
            self._all.remove(thinker)
        await thinker.stop()


class _Thinker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @staticmethod
    async def start(library: str) -> "_Thinker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sandtable.server.thinker",
            library,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        return _Thinker(process)

    async def ask(self, wanted: bytes) -> Thought:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(wanted)
        await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError("the thinking process has ended")
        return msgspec.json.decode(line, type=Thought)

    async def stop(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
