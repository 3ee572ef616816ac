"""How a server bears a hall full of battles: two hundred going on, an answer every two seconds in each of them.

Battles recorded between bots are stored up to their middle; a server of its own process picks them up, two pages sit
at each, and the rest of what was recorded is answered. Measured: from saying an answer to hearing that it is kept, and
to the other side's page being told what came of it; and how long a battle of 500 answers takes to be picked up.

The pages are one process on the same machine. How late its own clock runs (`lag_p95_ms`), how much of a processor was
to be had (`share`, 1.0 on an idle machine) and the load of the machine are told with the result: what the machine did
not give to the benchmark is in the numbers too.

    python benchmarks/server.py [--battles 200] [--seconds 30] [--database URL] [--json]
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from sandtable.bots import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.records import journal as j
from sandtable.engine.records.replay import replayed
from sandtable.lab.battles import play_battle
from sandtable.lab.rulebooks import rulebook, rulebooks
from sandtable.server.database.entries import load, snapshot_of
from sandtable.server.database.kept import LinkKept, SeatKept, new_token, token_hash
from sandtable.server.database.storage import Storage
from sandtable.server.hall import kept_of
from sandtable.server.processes.readings import opened_of
from sandtable.server.serving import listening_socket
from sandtable.server.settings import Settings

EVERY = 2.0
LONG = 500
#: Nothing is waited for longer, in seconds.
PATIENCE = 60


class Heard(msgspec.Struct):
    """As much of a message as the generator needs."""

    tell: str
    id: int = 0
    n: int = 0
    asks: str = ""
    why: str = ""


_decode = msgspec.json.Decoder(Heard).decode


class Seat:
    """One page: it knows the last situation it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.n, self.asks = 0, ""
        self.at: dict[int, float] = {}  # when a situation with so much said was told
        self._told = asyncio.Event()
        self._replies: dict[int, asyncio.Future[tuple[float, Heard]]] = {}
        self._sent = 0
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with contextlib.suppress(OSError):
            async for data in self.socket:
                heard, at = _decode(data), time.perf_counter()
                if heard.tell == "situation":
                    self.n, self.asks = heard.n, heard.asks
                    self.at[heard.n] = at
                    self._told.set()
                waiting = self._replies.pop(heard.id, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result((at, heard))

    async def ask(self, **message: Any) -> tuple[float, Heard]:
        """Say something and hear what comes of it, and when."""
        self._sent += 1
        waiting: asyncio.Future[tuple[float, Heard]] = asyncio.get_running_loop().create_future()
        self._replies[self._sent] = waiting
        async with asyncio.timeout(PATIENCE):
            await self.socket.send(json.dumps({**message, "id": self._sent}))
            return await waiting

    async def told(self, n: int) -> float:
        """Wait for a situation with so much said; gives when it was told."""
        async with asyncio.timeout(PATIENCE):
            while self.n < n:
                self._told.clear()
                await self._told.wait()
        return min(at for said, at in self.at.items() if said >= n)


def recorded(count: int) -> list[j.Journal]:
    """Battles between bots, to be played again."""
    rules = rulebook(next(one.name for one in rulebooks())).ruleset()
    found = []
    for seed in range(count):
        players = {side: make_bot("random", rules, seed, side) for side in (RED, BLUE)}
        found.append(play_battle(rules, rules.setup("", 2), players, seed=seed).journal)
    return found


def cut(journal: j.Journal, said: int) -> j.Journal:
    """A journal up to so many answers."""
    lines: list[j.Line] = []
    count = 0
    for line in journal.lines:
        if isinstance(line, j.Answered):
            count += 1
            if count > said:
                break
        lines.append(line)
    return j.Journal(journal.header, lines)


async def store(storage: Storage, battle: Battle) -> tuple[str, str]:
    """Store a battle as it stands; gives its id and the token of both its seats."""
    sides = battle.journal.header.setup.sides
    seats = tuple(SeatKept(side, "hot seat") for side in sides)
    opened = opened_of(battle)
    entries = opened.entries
    kept = kept_of(opened, seats, title="", scenario="", seed_chosen=False)
    token = new_token()
    await storage.begin(kept, [(token_hash(token), LinkKept(kept.id, "seat", sides))], entries)
    await storage.keep_snapshot(kept.id, snapshot_of(battle, len(entries)))
    return kept.id, token


class Measured:
    """What was measured, in seconds."""

    def __init__(self) -> None:
        self.kept: list[float] = []
        self.told: list[float] = []
        self.lag: list[float] = []
        self.wrong: list[str] = []

    async def watch_the_clock(self) -> None:
        """How late this process itself runs, until cancelled."""
        while True:
            due = time.perf_counter() + 0.01
            await asyncio.sleep(0.01)
            self.lag.append(max(0.0, time.perf_counter() - due))


class Table:
    """A battle with a page at either side."""

    def __init__(self, seats: dict[str, Seat], answers: list[j.Answered]) -> None:
        self.seats, self.answers = seats, answers

    async def play(self, start: float, end: float, told: Measured) -> None:
        """Play on, an answer every two seconds."""
        at = start
        for line in self.answers:
            if at > end:
                break
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            mine, yours = self.seats[line.side], self.seats["blue" if line.side == "red" else "red"]
            begun = time.perf_counter()
            try:
                kept, heard = await mine.ask(say="answer", question=mine.asks, answer=line.answer)
                if heard.tell != "kept":
                    told.wrong.append(f"{heard.tell} {heard.why}")
                    break
                told.kept.append(kept - begun)
                told.told.append(await yours.told(heard.n) - begun)
                await mine.told(heard.n)
            except TimeoutError:
                told.wrong.append(f"nothing was heard for {PATIENCE} seconds")
                break
            at += EVERY

    async def close(self) -> None:
        """Get up."""
        for seat in self.seats.values():
            await seat.socket.close()
            await seat.listening


async def sit_down(port: int, token: str, answers: list[j.Answered]) -> Table:
    """Two pages sit down at a battle and are told how it stands."""
    where = f"ws://127.0.0.1:{port}/api/table"
    sockets = {side: await connect(where, max_size=None, open_timeout=PATIENCE) for side in ("red", "blue")}
    table = Table({side: Seat(socket) for side, socket in sockets.items()}, answers)
    for side, seat in table.seats.items():
        await seat.ask(say="sit", token=token, side=side)
        await seat.told(1)
    return table


async def picked_up(storage: Storage, journals: list[j.Journal]) -> tuple[int, float]:
    """How many answers the stored battle has and how long it takes to be picked up."""
    longest = max(journals, key=lambda one: len(one.said()))
    rules = rulebook(longest.header.ruleset).ruleset()
    count = min(LONG, len(longest.said()) - 1)
    battle, _ = await store(storage, replayed(cut(longest, count), rules))

    async def at_once(work: Any) -> Any:
        return work()

    begun = time.perf_counter()
    assert await load(storage, battle, rules, at_once) is not None
    return count, time.perf_counter() - begun


def percentile(values: list[float], percent: int) -> float:
    """In milliseconds."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 1) if ordered else 0.0


def share() -> float:
    """How much of a processor this machine gives now: processor time for wall time, over a short stretch of work."""
    wall, used = time.perf_counter(), time.process_time()
    while time.process_time() - used < 0.2:
        pass
    return round((time.process_time() - used) / (time.perf_counter() - wall), 2)


async def laid_in(storage: Storage, journals: list[j.Journal], count: int, seconds: float) -> list[tuple[str, Any]]:
    """Battles in storage, each in the middle of a recorded one: the token of its seats and what is answered next."""
    random_ = random.Random(1)
    begun = []
    for n in range(min(count, 4 * len(journals))):
        journal = journals[n % len(journals)]
        said = [line for line in journal.said() if isinstance(line, j.Answered)]
        at = random_.randrange(1, max(2, len(said) - int(seconds / EVERY) - 2))
        rules = rulebook(journal.header.ruleset).ruleset()
        begun.append((replayed(cut(journal, at), rules), said[at:]))
    return [((await store(storage, begun[n % len(begun)][0]))[1], begun[n % len(begun)][1]) for n in range(count)]


async def measure(args: argparse.Namespace, database: str) -> dict[str, Any]:
    """Store, serve, play, measure."""
    journals = recorded(args.journals)
    storage = Storage(Settings(database=database).address())
    await storage.open()
    answers, seconds = await picked_up(storage, journals)
    made = await laid_in(storage, journals, args.battles, args.seconds)
    await storage.close()
    told, load_before, share_before = Measured(), os.getloadavg()[0], share()
    with serving(database) as port:
        await _up(port)
        tables = [await sit_down(port, token, rest) for token, rest in made]
        clock = asyncio.create_task(told.watch_the_clock())
        start = time.perf_counter() + 1
        turns = (
            table.play(start + EVERY * n / args.battles, start + args.seconds, told) for n, table in enumerate(tables)
        )
        await asyncio.gather(*turns)
        clock.cancel()
        await asyncio.gather(*(table.close() for table in tables))
    return {
        "battles": args.battles,
        "answers": len(told.kept),
        "wrong": told.wrong[:5],
        "kept_p50_ms": percentile(told.kept, 50),
        "kept_p95_ms": percentile(told.kept, 95),
        "told_p50_ms": percentile(told.told, 50),
        "told_p95_ms": percentile(told.told, 95),
        "resume_answers": answers,
        "resume_seconds": round(seconds, 3),
        "lag_p95_ms": percentile(told.lag, 95),
        "share": [share_before, share()],
        "load": [round(load_before, 1), round(os.getloadavg()[0], 1)],
    }


@contextlib.contextmanager
def serving(database: str) -> Iterator[int]:
    """A server in a process of its own; gives its port."""
    with listening_socket("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-c", _SERVE, database, str(port)], stdout=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            print("the server did not stop when asked to", file=sys.stderr)
            server.kill()
            server.wait()


_SERVE = """
import sys
from sandtable.server.serving import serve
from sandtable.server.settings import Limits, Settings
limits = Limits(connections_per_address=10_000, requests_at_once=1e6, messages_at_once=1e6)
serve(Settings(database=sys.argv[1], port=int(sys.argv[2]), limits=limits))
"""


async def _up(port: int) -> None:
    for _ in range(10 * PATIENCE):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("the server does not come up")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--journals", type=int, default=3)
    parser.add_argument("--database", default="")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(args, args.database or str(Path(folder) / "battles.sqlite")))
    found["cores"] = os.cpu_count()
    print(json.dumps(found) if args.json else "\n".join(f"{name:16} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
