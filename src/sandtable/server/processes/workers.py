"""The worker processes of a server: bots think in some, drafts are judged in others, in others what strangers send is
read. None of them blocks a battle.

A process is taken, asked, and given back. Whoever stops waiting for it interrupts it; one that does not stop, dies or
takes too long is killed and replaced, and its place is kept for it meanwhile, so that there are never more of them.
Places go round in a circle of callers (`turns`): however much one of them asks, the others wait for one task of his.
"""

import asyncio
import logging
import os
import signal
import sys
import time
from collections import deque
from typing import NamedTuple, TypeVar

import msgspec

from sandtable.server.processes.readings import Reading
from sandtable.server.processes.tasks import (
    READY,
    REMEMBERED,
    Done,
    Failed,
    Found,
    Judge,
    Judged,
    NotServed,
    Think,
    Thought,
)
from sandtable.server.processes.turns import Full, Turns
from sandtable.server.unlawful import Unlawful

T = TypeVar("T", bound=msgspec.Struct)
log = logging.getLogger("sandtable.server")
#: No answer of a worker is longer.
MOST_BYTES = 32 * 1024 * 1024
#: How long a worker that was interrupted may take to say so, in seconds.
GRACE = 2.0
#: How many may wait for a worker.
MOST_WAITING = 200
#: How long a worker may take to come up, in seconds.
SECONDS_TO_START = 60.0
_STOP = getattr(signal, "SIGUSR1", None)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Done).decode


class NotDone(Exception):
    """No worker did it; the message says why. It may be that it took too long."""

    def __init__(self, words: str, late: bool = False) -> None:
        self.late = late
        super().__init__(words)


class Asked(NamedTuple):
    """A question of a battle, under a name that a worker may remember, and all that its side knows."""

    battle: str = ""
    question: str = ""
    context: bytes = b""


NOTHING_ASKED = Asked()


class Workers:
    """A few processes, each started when it is first needed. `memory` is how many bytes each may have; 0: any."""

    def __init__(self, library: str, count: int = 1, *, memory: int = 0, turns: Turns | None = None) -> None:
        self._start = library, memory
        self._turns = turns or Turns(count, each=MOST_WAITING)
        self._free: list[_Worker | None] = [None] * self._turns.places
        self._all: list[_Worker] = []
        self._started: set[asyncio.Task[_Worker]] = set()
        self._recovering: set[asyncio.Task[None]] = set()
        self._closed = False

    async def ask(
        self, battle: str, question: str, context: bytes, job: Think | Judge, seconds: float, who: str = ""
    ) -> Thought | Judged:
        """Let a process do something about a question of a battle; `NotDone` where nothing comes of it.

        Cancelled, it stops the process's work on it.
        """
        found = await self._ask(Asked(battle, question, context), job, seconds, who or battle)
        assert isinstance(found, Thought | Judged)
        return found

    async def read(self, job: Reading, gives: type[T], seconds: float, who: str) -> T:
        """Have something read that a stranger sent, within so many seconds from now; `Unlawful` says why not."""
        end = time.monotonic() + seconds
        try:
            found = await self._ask(NOTHING_ASKED, job, seconds, who, end)
        except NotDone as problem:
            if problem.late:
                raise Unlawful("limit", "That takes longer than it may here; send something smaller.", 422) from None
            raise Unlawful("limit", str(problem), 503) from None
        if isinstance(found, NotServed):
            raise Unlawful(found.why, found.words, found.status)
        assert isinstance(found, Found)
        return msgspec.json.decode(found.content, type=gives)

    async def _ask(
        self, asked: Asked, job: Think | Judge | Reading, seconds: float, who: str, end: float | None = None
    ) -> Thought | Judged | Found | NotServed:
        try:
            await self._turns.take(who, None if end is None else max(0.0, end - time.monotonic()))
        except Full:
            raise NotDone("Too many are waiting; try again.") from None
        worker = self._take(asked)
        starting: asyncio.Task[_Worker] | None = None
        asking: asyncio.Task[Done] | None = None
        try:
            if self._closed:
                raise NotDone("The server is closing.")
            if worker is None:
                # Cancelled in the middle of it, asyncio waits for a process that nobody ends: so it is finished first.
                starting = self._starting()
                worker = await asyncio.shield(starting)
                await worker.comes_up()
            elif end is not None:
                seconds = max(0.5, end - time.monotonic())
            asking = asyncio.create_task(worker.ask(asked, job))
            done = await asyncio.wait_for(asyncio.shield(asking), seconds)
        except BaseException as problem:
            self._recover(worker or starting, asking, who)
            if isinstance(problem, OSError | EOFError | ValueError | asyncio.TimeoutError | msgspec.DecodeError):
                words = f"The process that works on it failed ({type(problem).__name__})."
                raise NotDone(words, late=isinstance(problem, asyncio.TimeoutError)) from None
            raise
        if done.ends:
            await self._drop(worker)
            worker = None
        self._give_back(worker, who)
        if isinstance(done.result, Failed):
            raise NotDone(done.result.words, late=done.ends)
        return done.result

    async def close(self) -> None:
        """End all of them; nobody works from here on."""
        self._closed = True
        if self._started:
            await asyncio.wait(self._started, timeout=GRACE)
        for worker in list(self._all):
            await self._drop(worker)
        if self._recovering:
            await asyncio.wait(self._recovering, timeout=GRACE)

    async def let_go(self, idle: float) -> None:
        """End those that have had nothing to do for so many seconds; their memory is for others."""
        before = time.monotonic() - idle
        for worker in [one for one in self._free if one is not None and one.used < before]:
            if worker in self._free:
                self._free[self._free.index(worker)] = None
                await self._drop(worker)

    def _starting(self) -> "asyncio.Task[_Worker]":
        task = asyncio.create_task(_Worker.start(*self._start))
        self._started.add(task)
        task.add_done_callback(self._has_started)
        return task

    def _has_started(self, task: "asyncio.Task[_Worker]") -> None:
        self._started.discard(task)
        if not task.cancelled() and task.exception() is None:
            self._all.append(task.result())

    def _take(self, asked: Asked) -> "_Worker | None":
        """A free process: rather one that knows the question, else one that knows the battle, else one that is up."""
        place = max(range(len(self._free)), key=lambda at: _rank(self._free[at], asked))
        return self._free.pop(place)

    def _give_back(self, worker: "_Worker | None", who: str) -> None:
        self._free.append(worker)
        self._turns.give_back(who)

    def _recover(
        self, worker: "_Worker | asyncio.Task[_Worker] | None", asking: "asyncio.Task[Done] | None", who: str
    ) -> None:
        """Give a process back once it has stopped, or its place once it is gone."""
        task = asyncio.create_task(self._stop(worker, asking, who))
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def _stop(
        self, found: "_Worker | asyncio.Task[_Worker] | None", asking: "asyncio.Task[Done] | None", who: str
    ) -> None:
        worker = None
        try:
            worker = await found if isinstance(found, asyncio.Task) else found
            if worker is not None:
                if asking is None:
                    raise EOFError("it did not come up")
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
            self._give_back(worker, who)

    async def _drop(self, worker: "_Worker") -> None:
        if worker in self._all:
            self._all.remove(worker)
        await worker.stop()


def _rank(worker: "_Worker | None", asked: Asked) -> int:
    if worker is None:
        return 0
    return 3 if asked.question in worker.known else 2 if asked.battle in worker.battles else 1


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.known: deque[str] = deque(maxlen=REMEMBERED)
        self.battles: deque[str] = deque(maxlen=64)
        self.used = time.monotonic()

    @staticmethod
    async def start(library: str, memory: int) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sandtable.server.processes.worker", library, *([str(memory)] if memory else [])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        return _Worker(process)

    async def comes_up(self) -> None:
        """Wait until it is ready; that is nobody's fault and counts as nobody's time."""
        assert self._process.stdout is not None
        if await asyncio.wait_for(self._process.stdout.readline(), SECONDS_TO_START) != READY:
            raise EOFError("the worker did not come up")

    async def ask(self, asked: Asked, job: Think | Judge | Reading) -> Done:
        """Tell it a task and wait for what comes of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.used = time.monotonic()
        told = b"" if asked.question in self.known or not asked.context else b',"context":' + asked.context
        line = b'{"question":' + _encode(asked.question) + told + b',"job":' + _encode(job) + b"}\n"
        if asked.question:
            self._remember(asked)
        self._process.stdin.write(line)
        await self._process.stdin.drain()
        answer = await self._process.stdout.readline()
        if not answer:
            raise EOFError("the worker has ended")
        done = _decode(answer)
        if done.forgot:
            self.known.clear()
        return done

    def _remember(self, asked: Asked) -> None:
        if asked.question in self.known:
            self.known.remove(asked.question)
        self.known.append(asked.question)
        if asked.battle not in self.battles:
            self.battles.append(asked.battle)

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
