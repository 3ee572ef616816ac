"""The worker processes of a server: bots think in some, drafts are judged in others. None of them blocks a battle.

A process is taken, asked, and given back. Whoever stops waiting for it interrupts it; one that does not stop, dies or
takes too long is killed and replaced, and its place is kept for it meanwhile, so that there are never more of them.
"""

import asyncio
import logging
import os
import signal
import sys
from collections import deque

import msgspec

from sandtable.server.tasks import REMEMBERED, Done, Failed, Judge, Judged, Think, Thought

log = logging.getLogger("sandtable.server")
#: No answer of a worker is longer.
MOST_BYTES = 4 * 1024 * 1024
#: How long a worker that was interrupted may take to say so, in seconds.
GRACE = 2.0
#: How many may wait for a worker.
MOST_WAITING = 200
_STOP = getattr(signal, "SIGUSR1", None)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Done).decode


class NotDone(Exception):
    """No worker did it; the message says why."""


class Workers:
    """A few processes, each started when it is first needed."""

    def __init__(self, library: str, count: int = 1) -> None:
        self._library = library
        self._room = asyncio.Semaphore(max(1, count))
        self._free: list[_Worker | None] = [None] * max(1, count)
        self._all: list[_Worker] = []
        self._recovering: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._closed = False

    async def ask(
        self, battle: str, question: str, context: bytes, job: Think | Judge, seconds: float
    ) -> Thought | Judged:
        """Let a process do something about a question of a battle; `NotDone` where nothing comes of it.

        Cancelled, it stops the process's work on it.
        """
        if self._waiting >= MOST_WAITING:
            raise NotDone("Too many are waiting; try again.")
        self._waiting += 1
        try:
            await self._room.acquire()
        finally:
            self._waiting -= 1
        worker = self._take(battle, question)
        asking: asyncio.Task[Done] | None = None
        try:
            if self._closed:
                raise NotDone("The server is closing.")
            if worker is None:
                worker = await _Worker.start(self._library)
                self._all.append(worker)
            asking = asyncio.create_task(worker.ask(battle, question, context, job))
            done = await asyncio.wait_for(asyncio.shield(asking), seconds)
        except BaseException as problem:
            self._recover(worker, asking)
            if isinstance(problem, OSError | EOFError | ValueError | asyncio.TimeoutError | msgspec.DecodeError):
                raise NotDone(f"The process that works on it failed ({type(problem).__name__}).") from None
            raise
        self._give_back(worker)
        if isinstance(done.result, Failed):
            raise NotDone(done.result.words)
        return done.result

    async def close(self) -> None:
        """End all of them; nobody works from here on."""
        self._closed = True
        for worker in list(self._all):
            await self._drop(worker)
        if self._recovering:
            await asyncio.wait(self._recovering, timeout=GRACE)

    def _take(self, battle: str, question: str) -> "_Worker | None":
        """A free process: rather one that knows the question, else one that knows the battle, else one that is up."""
        place = max(range(len(self._free)), key=lambda at: _rank(self._free[at], battle, question))
        return self._free.pop(place)

    def _give_back(self, worker: "_Worker | None") -> None:
        self._free.append(worker)
        self._room.release()

    def _recover(self, worker: "_Worker | None", asking: "asyncio.Task[Done] | None") -> None:
        """Give a process back once it has stopped, or its place once it is gone."""
        task = asyncio.create_task(self._stop(worker, asking))
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def _stop(self, worker: "_Worker | None", asking: "asyncio.Task[Done] | None") -> None:
        try:
            if worker is not None and asking is not None:
                if not asking.done():
                    worker.interrupt()
                await asyncio.wait_for(asking, GRACE)
        except BaseException as problem:
            log.debug("a worker is replaced: %r", problem)
            # Whatever comes of stopping it, it is not given back.
            lost, worker = worker, None
            if lost is not None:
                await self._drop(lost)
        finally:
            self._give_back(worker)

    async def _drop(self, worker: "_Worker") -> None:
        if worker in self._all:
            self._all.remove(worker)
        await worker.stop()


def _rank(worker: "_Worker | None", battle: str, question: str) -> int:
    if worker is None:
        return 0
    return 3 if question in worker.known else 2 if battle in worker.battles else 1


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.known: deque[str] = deque(maxlen=REMEMBERED)
        self.battles: deque[str] = deque(maxlen=64)

    @staticmethod
    async def start(library: str) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sandtable.server.worker", library),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        return _Worker(process)

    async def ask(self, battle: str, question: str, context: bytes, job: Think | Judge) -> Done:
        """Tell it a task and wait for what comes of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        told = b"" if question in self.known else b',"context":' + context
        line = b'{"question":' + _encode(question) + told + b',"job":' + _encode(job) + b"}\n"
        if question in self.known:
            self.known.remove(question)
        self.known.append(question)
        if battle not in self.battles:
            self.battles.append(battle)
        self._process.stdin.write(line)
        await self._process.stdin.drain()
        answer = await self._process.stdout.readline()
        if not answer:
            raise EOFError("the worker has ended")
        done = _decode(answer)
        if done.forgot:
            self.known.clear()
        return done

    def interrupt(self) -> None:
        """Have it stop what it does; where there is no such signal, end it."""
        if self._process.returncode is None:
            if _STOP is None:
                self._process.kill()
            else:
                self._process.send_signal(_STOP)

    async def stop(self) -> None:
        """End it."""
        if self._process.returncode is None:
            self._process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
