"""A soak: many battles against bots for a long time, watched for memory, descriptors and how long things take.

    python -m tests.attack.soak [--minutes 60] [--battles 200] [--every 4] [--ruleset duel] [--out .soak/soak.json]

People play against bots, each answering every few seconds; a battle that is over is begun anew. The server is a process
of its own. At the end everybody leaves, and its memory is looked at again once battles have left it.

Answers that must not tell by their time what they are, those to questions that are asked blindly, are held back by the
server to the next quarter of a second (`live.TICK`); they are counted apart.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.table import Table
from sandtable.server.library import library
from sandtable.server.serving import listening_socket
from tests.server.shelf import WHERE

#: How long after everybody has left the memory is looked at, in seconds: battles leave it after one minute.
AFTER = 150.0
_SERVER = """
import sys
import msgspec
from sandtable.server.serving import serve, start_with_the_allocator_of_the_c_library
from sandtable.server.settings import Settings
from tests.server.tables import FREE
start_with_the_allocator_of_the_c_library()
limits = msgspec.structs.replace(FREE, lines_per_address=10_000)
serve(Settings(database=sys.argv[1], port=int(sys.argv[2]), library=sys.argv[3], limits=limits))
"""


@contextlib.contextmanager
def served(where: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its process and its port."""
    with listening_socket("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([sys.executable, "-c", _SERVER, f"{folder}/b.sqlite", str(port), where])
        try:
            for _ in range(600):
                with contextlib.suppress(httpx.HTTPError):
                    if httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200:
                        break
                time.sleep(0.05)
            yield process.pid, port
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def memory(pid: int) -> float:
    """How many MB a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_seconds(pid: int) -> float:
    """How long a process has worked since it started."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(pid: int) -> int:
    """How many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


class Watch:
    """What was measured: a line a minute."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.took: list[float] = []
        self.all_took: list[float] = []
        self.held_back: list[float] = []
        self.answers = self.battles = 0
        self.lines: list[dict[str, float]] = []

    def note(self, minute: float) -> None:
        """Note how things stand."""
        self.all_took += self.took
        took, self.took = sorted(self.took) or [0.0], []
        line = {
            "minute": round(minute, 1),
            "mb": round(memory(self.pid), 1),
            "descriptors": descriptors(self.pid),
            "answers": self.answers,
            "battles": self.battles,
            "p50_ms": round(statistics.median(took) * 1000, 1),
            "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
            "processor_ms": round(processor_seconds(self.pid) * 1000 / max(1, self.answers), 2),
            "load": round(os.getloadavg()[0], 1),
        }
        self.lines.append(line)
        print(json.dumps(line), flush=True)

    def whole(self) -> dict[str, float]:
        """All of it in a few numbers; what is flat is looked at from the tenth minute on, while people play."""
        took = sorted(self.all_took) or [0.0]
        played = [line for line in self.lines[1:-1] if line["minute"] >= 10] or self.lines
        return {
            "p50_ms": round(statistics.median(took) * 1000, 1),
            "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
            "held_back": len(self.held_back),
            "held_back_most_ms": round(max(self.held_back, default=0.0) * 1000, 1),
            "mb_at_start": self.lines[0]["mb"],
            "mb_least": min(line["mb"] for line in played),
            "mb_most": max(line["mb"] for line in played),
            "mb_at_end": self.lines[-1]["mb"],
            "descriptors_least": min(line["descriptors"] for line in played),
            "descriptors_most": max(line["descriptors"] for line in played),
            "load_least": min(line["load"] for line in played),
            "load_most": max(line["load"] for line in played),
        }


async def person(port: int, rules: Ruleset, every: float, end: float, watch: Watch, seed: int) -> None:
    """Play one battle after another against a bot, until time is up; people do not all come at the same moment."""
    await asyncio.sleep(every * seed / 50)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        while time.monotonic() < end:
            wanted = {"ruleset": rules.name, "seats": [{"side": "blue", "kind": "bot"}]}
            made = (await http.post("/api/battles", json=wanted)).json()
            watch.battles += 1
            async with connect(f"ws://127.0.0.1:{port}/api/table", max_size=None) as socket:
                await _play(socket, made["links"][0]["token"], RandomBot(rules, seed), every, end, watch)


async def _play(socket: ClientConnection, token: str, bot: RandomBot, every: float, end: float, watch: Watch) -> None:
    await socket.send(json.dumps({"say": "sit", "token": token}))
    ground: Any = None
    while time.monotonic() < end:
        try:
            told = json.loads(await asyncio.wait_for(socket.recv(), max(0.1, end - time.monotonic())))
        except TimeoutError:
            return
        if told["tell"] != "situation":
            continue
        ground = told["ground"] or ground
        if told["table"]["ending"] is not None:
            return
        if told["question"] is None:
            continue
        await asyncio.sleep(every)
        if time.monotonic() >= end:
            return
        view = View(told["side"], msgspec.convert({**told["table"], "ground": ground}, Table))
        answer = msgspec.to_builtins(bot.answer(view, msgspec.convert(told["question"], AnyQuestion)))
        began = time.monotonic()
        await socket.send(json.dumps({"say": "answer", "id": 1, "question": told["asks"], "answer": answer}))
        while (reply := json.loads(await socket.recv()))["id"] != 1:
            if reply["tell"] == "situation":
                ground = reply["ground"] or ground
        (watch.held_back if told["question"].get("blind") else watch.took).append(time.monotonic() - began)
        watch.answers += reply["tell"] == "kept"


async def soak(pid: int, port: int, rules: Ruleset, args: argparse.Namespace) -> Watch:
    """Play for so many minutes, then leave."""
    watch, began = Watch(pid), time.monotonic()
    end = began + args.minutes * 60
    watch.note(0.0)
    people = [asyncio.create_task(person(port, rules, args.every, end, watch, n)) for n in range(args.battles)]
    while time.monotonic() < end:
        await asyncio.sleep(min(60.0, max(0.1, end - time.monotonic())))
        watch.note((time.monotonic() - began) / 60)
    results = await asyncio.gather(*people, return_exceptions=True)
    wrong = [one for one in results if isinstance(one, BaseException)]
    if wrong:
        print(f"{len(wrong)} people failed: {wrong[0]!r}", file=sys.stderr)
    await asyncio.sleep(AFTER)
    watch.note((time.monotonic() - began) / 60)
    return watch


def main() -> int:
    """Soak, and keep what was measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two answers of a person")
    parser.add_argument("--ruleset", default="duel")
    parser.add_argument("--library", default=WHERE, help="module:function that gives the rulesets")
    parser.add_argument("--out", type=Path, default=Path(".soak/soak.json"))
    args = parser.parse_args()
    rules = library(args.library).ruleset(args.ruleset)
    with served(args.library) as (pid, port):
        watch = asyncio.run(soak(pid, port, rules, args))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps({"whole": watch.whole(), "lines": watch.lines}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
