"""A worker process: a task a line comes in, what came of it a line goes out.

`python -m sandtable.server.processes.worker MODULE:FUNCTION [BYTES]`, the function giving the library of rulesets, the
number how much memory it may have. It ends when nobody speaks to it any more, so a server that dies leaves none behind.
"""

import contextlib
import os
import signal
import sys
from collections import OrderedDict
from functools import cache
from types import FrameType
from typing import BinaryIO, TypeVar

import msgspec

try:
    import resource
except ImportError:  # pragma: no cover - Windows has no such limits; time is limited all the same
    resource = None  # type: ignore[assignment]

from sandtable.bots import make_bot, reason_of
from sandtable.bots.protocol import Bot
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.table import Ground
from sandtable.forces.files import FileError
from sandtable.server.library import library
from sandtable.server.processes.readings import Reading
from sandtable.server.processes.tasks import (
    READY,
    REMEMBERED,
    Context,
    Done,
    Failed,
    Found,
    Judge,
    Judged,
    NotServed,
    Task,
    Think,
    Thought,
    view_of,
)
from sandtable.server.seats.views import Late, judged_draft
from sandtable.server.unlawful import Unlawful

K = TypeVar("K")
V = TypeVar("V")

#: How many boards stay warm; a server has more battles, but not at one moment.
GROUNDS = 64


class Interrupted(BaseException):
    """Nobody wants the answer any more. No rule may catch it."""


class Worker:
    """Works on one task after another, and keeps warm what the next may need."""

    def __init__(self, where: str) -> None:
        self._shelf = library(where)
        self._busy = self._hurried = False
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._rules = cache(self._shelf.ruleset)
        self._known: OrderedDict[str, tuple[View, Context]] = OrderedDict()
        self._grounds: OrderedDict[bytes, Ground] = OrderedDict()

    def do(self, task: Task) -> Done:
        """Do a task, unless it is interrupted."""
        try:
            self._busy = True
            done = Done(self._done(task))
            self._busy = False
        except (Interrupted, Late):
            self._busy = False
            return self.failed("nobody wants it any more")
        except MemoryError:
            self._busy = False
            return msgspec.structs.replace(self.failed("It takes too much memory."), ends=True)
        except Exception as problem:
            self._busy = False
            return self.failed(f"{type(problem).__name__}: {problem}")
        if isinstance(done.result, Judged) and done.result.verdict.late:
            self.forget()
            done = msgspec.structs.replace(done, forgot=True)
        return done

    def failed(self, words: str) -> Done:
        """Nothing came of it: forget everything, for it may be half done."""
        self.forget()
        return Done(Failed(words), forgot=True)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """A signal has come, at any moment: drop the task under way."""
        if self._busy:
            raise Interrupted

    def hurry(self, number: int, frame: FrameType | None) -> None:
        """A clock has run out, at any moment: the preview takes too long."""
        if self._busy and self._hurried:
            raise Late

    def _done(self, task: Task) -> Thought | Judged | Found | NotServed:
        if isinstance(task.job, Reading):
            return self._read(task.job)
        if task.context is not None:
            view = view_of(task.context, self._ground(bytes(task.context.ground)))
            self._known[task.question] = view, task.context
        view, context = self._known[task.question]
        _remember(self._known, task.question, (view, context), REMEMBERED)
        rules = self._rules(context.ruleset)
        if isinstance(task.job, Judge):
            return self._judged(task.job, rules, view, context)
        bot = self._bot(task.job, rules, context.side)
        answer = bot.answer(view, context.question)
        keeps = getattr(bot, "keeps", None)
        return Thought(answer, reason_of(bot), keeps() if keeps is not None else None)

    def _read(self, job: Reading) -> Found | NotServed:
        """Read something that a stranger sent; whatever is wrong with it is one sentence."""
        try:
            return Found(msgspec.Raw(msgspec.json.encode(job.done(self._shelf))))
        except Unlawful as problem:
            return NotServed(problem.why, problem.words, problem.status)
        except (FileError, JournalError, JournalDiverged) as problem:
            return NotServed("file" if isinstance(problem, FileError) else "journal", str(problem)[:1000], 422)

    def _judged(self, job: Judge, rules: Ruleset, view: View, context: Context) -> Judged:
        self._hurried = True
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, job.seconds)
        try:
            tried = (job.asks, job.draft, job.part, job.value, job.wants)
            return Judged(judged_draft(rules, view, context.question, *tried))
        finally:
            self._hurried = False
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _ground(self, data: bytes) -> Ground:
        """The board; the same one as before where it is the same, with all that was found out about it."""
        ground = self._grounds.get(data)
        if ground is None:
            ground = msgspec.json.decode(data, type=Ground)
        _remember(self._grounds, data, ground, GROUNDS)
        return ground

    def _bot(self, job: Think, rules: Ruleset, side: Side) -> Bot:
        """A fresh bot of that seed, told what it had in mind.

        The rules and the board it looks at are warm; the bot itself is not kept, for what it remembers may lead it to
        another answer than whoever picks the battle up elsewhere would get.
        """
        bot = make_bot(job.bot, rules, job.seed, side)
        if hasattr(bot, "take_up"):
            bot.take_up(job.seed, job.mind)
        return bot


def _remember(kept: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Keep the latest so many."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)


def serve(where: str, tasks: BinaryIO, answers: BinaryIO) -> None:
    """Work until there are no more tasks."""
    worker = Worker(where)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, worker.interrupt)
        signal.signal(signal.SIGALRM, worker.hurry)
    decoder, encode = msgspec.json.Decoder(Task), msgspec.json.Encoder().encode
    answers.write(READY)
    answers.flush()
    for line in tasks:
        try:
            done = worker.do(decoder.decode(line))
            answer = encode(done)
        except Exception as problem:
            done = worker.failed(f"{type(problem).__name__}: {problem}")
            answer = encode(done)
        answers.write(answer + b"\n")
        answers.flush()
        if done.ends:
            return


def limit_memory(most: int) -> None:
    """Let this process have no more memory than so many bytes, and leave no core behind."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        limit_memory(int(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then hangs up
    # What bots print must not be taken for an answer.
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):  # the server died while a bot thought
        serve(sys.argv[1], sys.stdin.buffer, said)
