"""What shows when a ruleset is played: battles that are not the same twice, and states that are not plain.

Each battle is played twice in this process and once in a fresh one, in which hashes have another order and every clock
is ahead by some weeks and goes on by a second whenever it is read; all three journals must be the same, byte for byte.
On the way no state, event or question may hold a float or a set.
"""

import datetime
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, Protocol

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.ids import NO_SIDE
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.records.journal import Happened
from sandtable.engine.ruleset import Ruleset, Setup, View
from sandtable.lab.audit.finding import Finding

#: How far the clocks of the fresh process are ahead, in seconds.
AHEAD = 7_654_321
MOST_ANSWERS = 5_000


class Player(Protocol):
    """Whatever answers the questions of one side."""

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The draft it gives."""


def audit_play(
    ruleset: Callable[[], Ruleset],
    setup: Setup,
    seeds: Sequence[int],
    *,
    players: Callable[[Ruleset, int], Player],
    most_answers: int = MOST_ANSWERS,
) -> list[Finding]:
    """Everything that is not the same when battles are played again, here and in a fresh process.

    `ruleset` and `players` must be importable by name, for the fresh process imports them. A battle that has not ended
    after `most_answers` is compared as far as it went. A finding's file is the battle, its line that of the journal.
    """
    findings: list[Finding] = []
    fresh = _in_a_fresh_process(ruleset, setup, seeds, players, most_answers)
    for seed, elsewhere in zip(seeds, fresh, strict=True):
        battle = f"{ruleset.__qualname__}, seed {seed}"
        first, wrong = _played(ruleset, setup, seed, players, most_answers)
        again, _ = _played(ruleset, setup, seed, players, most_answers)
        findings += [Finding(battle, len(first), why) for why in wrong]
        for other, where in ((again, "played again in the same process"), (elsewhere, "played in a fresh process")):
            line = _first_difference(first, other)
            if line:
                findings.append(Finding(battle, line, f"{where}, it is another battle"))
    return findings


def _played(
    ruleset: Callable[[], Ruleset],
    setup: Setup,
    seed: int,
    players: Callable[[Ruleset, int], Player],
    most_answers: int,
) -> tuple[list[str], list[str]]:
    """The journal of a battle, up to the first thing that is wrong with it; and what that is."""
    wrong: list[str] = []
    battle: Battle | None = None
    looked = 0
    try:
        battle = Battle(ruleset(), setup, seed=seed)
        bots = {side: players(battle.ruleset, seed * 100 + n) for n, side in enumerate(setup.sides)}
        for _ in range(most_answers):
            wrong += _not_plain(battle, looked)
            looked = len(battle.journal.lines)
            side = next((side for side in setup.sides if battle.question_for(side) is not None), NO_SIDE)
            question = battle.question_for(side)
            if question is None or wrong:
                break
            refusal = battle.answer(bots[side].answer(battle.view(side), question), side)
            assert refusal is None, f"a player's answer was refused: {refusal}"
    except Exception as error:
        wrong.append(f"the rules broke: {type(error).__name__}: {error}")
    lines = [] if battle is None else battle.journal.encode().decode().splitlines()
    return lines, wrong


def _first_difference(one: list[str], other: list[str]) -> int:
    """The number of the first line that differs; 0 where none does."""
    for number in range(max(len(one), len(other))):
        if one[number : number + 1] != other[number : number + 1]:
            return number + 1
    return 0


# What is plain ------------------------------------------------------------------------------------------------------


def _not_plain(battle: Battle, since: int) -> Iterator[str]:
    """What in the state, the latest events and the questions is no whole number, nor a word, list or dict of them."""
    yield from _kinds("state", battle.state)
    for line in battle.journal.lines[since:]:
        if isinstance(line, Happened):
            yield from _kinds(type(line.event).__name__, line.event)
    for question in battle.questions:
        yield from _kinds(f"question {question.prompt!r}", question)


def _kinds(where: str, value: object) -> Iterator[str]:
    if value is None or isinstance(value, int | str):
        return
    if isinstance(value, float):
        yield f"{where} holds a float: {value!r}"
    elif isinstance(value, set | frozenset):
        yield f"{where} holds a set"
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _kinds(f"{where}.{field}", getattr(value, field))
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _kinds(where, entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _kinds(f"{where}[{name!r}]", entry)
    else:
        yield f"{where} holds something that is not plain: {type(value).__name__}"


# The fresh process --------------------------------------------------------------------------------------------------


def _in_a_fresh_process(
    ruleset: Callable[[], Ruleset],
    setup: Setup,
    seeds: Sequence[int],
    players: Callable[[Ruleset, int], Player],
    most_answers: int,
) -> list[list[str]]:
    order = {
        "ruleset": f"{ruleset.__module__}:{ruleset.__qualname__}",
        "players": f"{players.__module__}:{players.__qualname__}",
        "setup": msgspec.to_builtins(setup),
        "seeds": list(seeds),
        "most_answers": most_answers,
    }
    hashes = "1234" if os.environ.get("PYTHONHASHSEED") != "1234" else "4321"
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the fresh process failed: {done.stderr[-2000:]}")
    journals: list[list[str]] = json.loads(done.stdout)
    return journals


def _shift_clocks() -> None:
    """Put every clock ahead, before any rule is imported."""
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        for clock, second in ((name, 1), (f"{name}_ns", 10**9)):
            setattr(time, clock, _ahead(getattr(time, clock), AHEAD * second, second))
    for name in ("localtime", "gmtime"):
        setattr(time, name, _later(getattr(time, name)))
    datetime.datetime = _LaterDatetime  # type: ignore[misc]
    datetime.date = _LaterDate  # type: ignore[misc]


def _ahead(clock: Callable[[], Any], ahead: int, second: int) -> Callable[[], Any]:
    read = count()
    return lambda: clock() + ahead + next(read) * second


def _later(clock: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *seconds: clock(*seconds or (time.time(),))


class _LaterDatetime(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> "_LaterDatetime":
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def today(cls) -> "_LaterDatetime":
        return cls.fromtimestamp(time.time())

    @classmethod
    def utcnow(cls) -> "_LaterDatetime":
        return cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)


class _LaterDate(datetime.date):
    @classmethod
    def today(cls) -> "_LaterDate":
        return cls.fromtimestamp(time.time())


def _imported(name: str) -> Any:
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _main() -> None:
    order = json.loads(sys.stdin.read())
    _shift_clocks()
    ruleset, players = _imported(order["ruleset"]), _imported(order["players"])
    setup = msgspec.convert(order["setup"], Setup)
    journals = [_played(ruleset, setup, seed, players, order["most_answers"])[0] for seed in order["seeds"]]
    print(json.dumps(journals))


if __name__ == "__main__":
    _main()
