"""Work in forked child processes: each task in a child of its own, a few at a time.

A child starts from what the parent has imported and nothing else, so a task may change what the parent must not see
changed. What a child cannot finish (it dies, or takes too long) is a result too.
"""

import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Done(NamedTuple, Generic[R]):
    """What a task gave."""

    value: R


class Died(NamedTuple):
    """Why a task gave nothing."""

    why: str


class _Child(NamedTuple):
    task: int
    process: BaseProcess
    deadline: float


def in_children(
    tasks: Sequence[T], work: Callable[[T], R], *, jobs: int = 2, seconds: float = 60
) -> Iterator[tuple[int, Done[R] | Died]]:
    """Do every task in a forked child; gives the number of each task with what came of it, as they are done.

    >>> sorted(in_children([1, 2, 3], lambda n: n * n))
    [(0, Done(value=1)), (1, Done(value=4)), (2, Done(value=9))]
    """
    sys.stdout.flush()
    sys.stderr.flush()
    waiting = list(range(len(tasks)))[::-1]
    running: dict[Connection, _Child] = {}
    try:
        while waiting or running:
            while waiting and len(running) < max(1, jobs):
                _start(waiting.pop(), tasks, work, seconds, running)
            left = min(child.deadline for child in running.values()) - time.monotonic()
            for one in wait(list(running), timeout=max(0.0, left)):
                assert isinstance(one, Connection)
                yield running[one].task, _received(one, running.pop(one))
            for late in [one for one, child in running.items() if child.deadline <= time.monotonic()]:
                child = running.pop(late)
                _end(late, child)
                yield child.task, Died(f"it took more than {seconds:g} seconds")
    finally:
        for connection, child in running.items():
            _end(connection, child)


def _start(
    task: int, tasks: Sequence[T], work: Callable[[T], R], seconds: float, running: dict[Connection, _Child]
) -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, work, tasks[task]), daemon=True)
    process.start()
    theirs.close()
    running[ours] = _Child(task, process, time.monotonic() + seconds)


def _run(connection: Connection, work: Callable[[T], R], task: T) -> None:
    try:
        result: Done[R] | Died = Done(work(task))
    except Exception as problem:
        result = Died("".join(traceback.format_exception_only(problem)).strip())
    connection.send(result)
    connection.close()


def _received(connection: Connection, child: _Child) -> Done[R] | Died:
    try:
        result: Done[R] | Died = connection.recv()
    except EOFError:
        result = Died("the process ended without a word")
    child.process.join()
    connection.close()
    return result


def _end(connection: Connection, child: _Child) -> None:
    child.process.kill()
    child.process.join()
    connection.close()
