"""Kill a server at random moments while bots and scripted people play, and see that nothing acknowledged is lost.

`python -m tests.server.killing --times N` is the soak, in a SQLite file and in a PostgreSQL of its own. It stops at the
first thing lost; stopped otherwise it goes on where it was. The tests call `kill_at_random`.
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
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.records.replay import replayed
from sandtable.server.database.entries import read_journal
from sandtable.server.database.storage import Storage
from sandtable.server.serving import listening_socket
from tests.engine.duel import Duel
from tests.server.postgresql import cluster
from tests.server.tables import Page

#: After how many kills the soak keeps its totals and takes a fresh database.
STRETCH = 50


class Told(NamedTuple):
    """What came of it: how often it was killed, how many answers people were told are kept, how many bots gave."""

    kills: int
    acknowledged: int
    entries: int
    ended: int


class Battle(NamedTuple):
    """A battle, who plays it, the token of its first link and what was acknowledged."""

    id: str
    kinds: tuple[str, str]
    token: str
    kept: dict[int, tuple[str, Any]]  # how much had been said with it → the side and its draft


@contextmanager
def nursery(database: str, port: int) -> Iterator["subprocess.Popen[str]"]:
    """The process that forks servers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.nursery", database, str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


def kill_at_random(database: str, times: int, seed: int = 1, longest: float = 1.2) -> Told:
    """Play and kill; raises where something acknowledged is not there, or a battle does not play again."""
    random_ = random.Random(seed)
    with listening_socket("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
    battles: list[Battle] = []
    found = (0, 0)
    with nursery(database, port) as process:
        for kill in range(times):
            pid = _start(process, port)
            _fill(battles, port, kill)
            _play_until(battles, port, random_.uniform(0.02, longest), pid, random_)
            found = asyncio.run(_stored(database, battles, whole=kill % 10 == 9 or kill == times - 1))
    return Told(times, sum(len(one.kept) for one in battles), *found)


def _start(process: "subprocess.Popen[str]", port: int) -> int:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("start\n")
    process.stdin.flush()
    pid = int(process.stdout.readline())
    for _ in range(600):
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200:
                return pid
        time.sleep(0.02)
    raise AssertionError("the server does not come up again")


def _fill(battles: list[Battle], port: int, kill: int) -> None:
    """See that some battles are going on: a scripted person against a bot, one who plays both sides, and bots alone."""
    for kinds in (("person", "bot"), ("hot seat", "hot seat"), ("bot", "bot")):
        if kill % 3 and any(one.kinds == kinds for one in battles):
            continue
        seats = [{"side": side, "kind": kind} for side, kind in zip(("red", "blue"), kinds, strict=True)]
        made = httpx.post(
            f"http://127.0.0.1:{port}/api/battles", json={"ruleset": "duel", "seats": seats}, timeout=20
        ).json()
        battles.append(Battle(made["battle"], kinds, made["links"][0]["token"], {}))


def _play_until(battles: list[Battle], port: int, seconds: float, pid: int, random_: random.Random) -> None:
    """Answer as a scripted person of one of the latest battles, until the server is killed, whatever it does then.

    One time in four it may be dead before the person has sat down.
    """
    battle = random_.choice([one for one in battles if one.kinds[0] != "bot"][-2:])
    bot = RandomBot(Duel(), f"{random_.random()}")
    killer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
    if early := random_.randrange(4) == 0:
        killer.start()
    try:
        with connect(f"ws://127.0.0.1:{port}/api/table", max_size=None, close_timeout=0.1) as socket:
            page = Page(socket)
            page.sit(battle.token)
            if not early:
                killer.start()
            _play(battle, page, bot)
    except (WebSocketException, OSError, EOFError, TimeoutError):
        if killer.ident is None:
            os.kill(pid, signal.SIGKILL)  # it never came so far
        else:
            killer.join()


def _play(battle: Battle, page: Page, bot: RandomBot) -> None:
    """Answer whatever is asked, until the line is dead."""
    while True:
        if battle.kinds[0] == "hot seat" and not page.ended:
            page.sit(battle.token, page.situation["waiting"][0])
        page.until(lambda: bool(page.situation["question"]) or page.ended)
        if page.ended:
            page.until(lambda: False)
        draft = json.loads(msgspec.json.encode(bot.answer(page.view(), page.question())))
        side = page.situation["side"]
        told = page.ask("answer", question=page.situation["asks"], answer=draft)
        if told["tell"] == "kept":
            battle.kept[told["n"]] = side, draft
            page.until(lambda n=told["n"]: page.situation["n"] >= n)  # type: ignore[misc]


async def _stored(database: str, battles: list[Battle], whole: bool) -> tuple[int, int]:
    """See that all that was acknowledged is stored; and, now and then, that every battle plays again to its digests."""
    storage = Storage(database.replace("postgresql://", "postgresql+psycopg://"))
    entries = ended = 0
    try:
        for battle in battles if whole else battles[-3:]:
            kept = await storage.battle(battle.id)
            assert kept is not None
            rows = await storage.lines(battle.id)
            assert [n for n, _ in rows] == list(range(len(rows)))
            for n, (side, draft) in battle.kept.items():
                assert n <= len(rows), f"answer {n} was acknowledged and is lost: there are {len(rows)} entries"
                said = json.loads(rows[n - 1][1].split("\n", 1)[0])
                assert (said["side"], said["answer"]) == (side, draft), f"{n}: {said}, not {draft} of {side}"
            again = replayed(read_journal(kept.header, rows, None, battle.id), Duel())
            assert again.ended == kept.ended
            entries, ended = entries + len(rows), ended + kept.ended
    finally:
        await storage.close()
    return entries, ended


class Totals(msgspec.Struct):
    """What a soak has come to so far, for one kind of database."""

    kills: int = 0
    acknowledged: int = 0
    entries: int = 0
    ended: int = 0


def soak(kind: str, times: int, out: Path) -> Totals:
    """Kill until there were so many kills in all; the totals are kept after every stretch, and gone on with."""
    kept = msgspec.json.decode(out.read_bytes(), type=dict[str, Totals]) if out.exists() else {}
    totals = kept.setdefault(kind, Totals())
    while totals.kills < times:
        with _database(kind) as address:
            told = kill_at_random(address, min(STRETCH, times - totals.kills), seed=totals.kills + 1)
        totals.kills += told.kills
        totals.acknowledged += told.acknowledged
        totals.entries += told.entries
        totals.ended += told.ended
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = out.with_name(out.name + ".part")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
        beside.replace(out)
    return totals


@contextmanager
def _database(kind: str) -> Iterator[str]:
    if kind == "postgresql":
        with cluster() as it:
            yield it.fresh()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/battles.sqlite"


def main() -> None:
    """The soak."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=1000, help="how often, in each database (1000)")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    parser.add_argument("--out", type=Path, default=Path(".soak/killing.json"), help="keeps the totals")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends it leaves no database running
    for kind in args.databases:
        print(kind, soak(kind, args.times, args.out))


if __name__ == "__main__":
    main()
