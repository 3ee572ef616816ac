"""`python -m tests.attack [--share 1.0] [--out FILE] [--only PART…] [--seconds N]`: the whole attack, or a share."""

import argparse
import contextlib
import itertools
import json
import logging
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sandtable.server.settings import INSTALLED, Limits
from tests.attack import files, forging, learn
from tests.attack.limits import bound
from tests.attack.requests import Attacker
from tests.engine.duel import Duel
from tests.server.faults import KINDS, Faults, battle_under
from tests.server.killing import kill_at_random
from tests.server.postgresql import Cluster, cluster
from tests.server.shelf import WHERE
from tests.server.small_shelf import WHERE as SMALL
from tests.server.tables import FREE, serving

#: How many of each there are in the whole attack; requests, kills and faults are half on each database.
WHOLE = {
    "files": 100_000,
    "forged": 100_000,
    "learnt": 10_000,
    "requests": 40_000,
    "kills": 1_000,
    "faults": 1_000,
}
#: After how many the totals are written.
STRETCH = {"files": 200, "forged": 500, "learnt": 100, "requests": 400, "kills": 25, "faults": 25}
Came = tuple[Counter[str], dict[str, float]]


class Totals:
    """What was done, kept in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def count(self, part: str) -> int:
        """How many of a part were done."""
        found: int = self.done.get(part, {}).get("done", 0)
        return found

    def add(self, part: str, number: int, came: Counter[str], seconds: float, **more: Any) -> None:
        """Add a stretch, and write it down."""
        known = self.done.setdefault(part, {"done": 0, "seconds": 0.0, "came": {}})
        known["done"] += number
        known["seconds"] = round(known["seconds"] + seconds, 1)
        known["came"] = dict(sorted((Counter(known["came"]) + came).items()))
        for name, value in more.items():
            known[name] = max(known.get(name, 0.0), value)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(self.path.name + ".part")
        beside.write_text(json.dumps(self.done, indent=1) + "\n")
        beside.replace(self.path)


class Means:
    """What a run has at hand: fresh databases, PostgreSQL started when it is first needed; where it keeps things."""

    def __init__(self, ends: contextlib.ExitStack, folder: Path) -> None:
        self.folder = folder
        self._ends = ends
        self._folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        self._postgresql: Cluster | None = None
        self._numbers = itertools.count()

    def fresh(self, turn: int) -> tuple[str, str]:
        """The name of a kind, and the address of an empty database: SQLite for even turns, PostgreSQL for odd ones."""
        if turn % 2 == 0:
            return "SQLite", f"sqlite:///{self._folder / f'{next(self._numbers)}.sqlite'}"
        if self._postgresql is None:
            self._postgresql = self._ends.enter_context(cluster())
        return "PostgreSQL", self._postgresql.fresh()


Part = Callable[[int, int, Means], Came]


def one_by_one(attack: Callable[[int], str]) -> Part:
    """A part that needs nothing but a number."""
    return lambda first, count, _: (Counter(attack(number) for number in range(first, first + count)), {})


def learnt(first: int, count: int, means: Means) -> Came:
    """A stretch of inputs that are damaged further where they took a new way; those are kept beside the totals."""
    kind = list(learn.READERS)[first // STRETCH["learnt"] % len(learn.READERS)]
    return learn.learn(kind, range(first, first + count), means.folder / "learnt"), {}


def requests(first: int, count: int, means: Means) -> Came:
    """A stretch of requests to a fresh server: on either database, with small rulesets and with those installed."""
    turn = first // STRETCH["requests"]
    kind, address = means.fresh(turn)
    with serving(address, FREE_BUT_TIMELY, library=(WHERE, INSTALLED)[turn // 2 % 2]) as server:
        attacker = Attacker(server)
        came = Counter(f"{kind}: {attacker.attack(number)}" for number in range(first, first + count))
        more = {"slowest_ms": attacker.slowest * 1000, "dearest_route_times_the_median": attacker.times_the_median}
        return came, more


def kills(first: int, count: int, means: Means) -> Came:
    """A stretch of kills."""
    kind, address = means.fresh(first // STRETCH["kills"])
    told = kill_at_random(address, count, seed=first)
    assert told.kills == count
    return Counter(
        {
            f"{kind}: killed": told.kills,
            f"{kind}: acknowledged and there": told.acknowledged,
            f"{kind}: entries": told.entries,
        }
    ), {}


def faults(first: int, count: int, means: Means) -> Came:
    """A stretch of faults: the next places of battles, in all three ways. Only one that happened is counted."""
    came: Counter[str] = Counter()
    stretch = STRETCH["faults"]
    kind_of, address = means.fresh(first // stretch)
    with serving(address, FREE, library=SMALL) as server:
        shaken = Faults(server.hall().storage)
        for number in range(first, first + count):
            turn = number // (2 * stretch) * stretch + number % stretch  # the so-manieth on this database
            kind, place = KINDS[turn % len(KINDS)], turn // len(KINDS)
            happened = 0
            while not happened:
                played = battle_under(server, shaken, Duel(), kind, 1 + place)
                assert kind != "reply" or "storage" not in played.wrong
                happened, place = played.happened, place % played.places  # a battle that is too short: from its start
            came[f"{kind_of}: {kind}: told the truth"] += 1
        shaken.remove()
    return came, {}


FREE_BUT_TIMELY = msgspec.structs.replace(FREE, seconds_to_read=Limits().seconds_to_read)
PARTS: dict[str, Part] = {
    "files": one_by_one(files.attack),
    "forged": one_by_one(forging.attack),
    "learnt": learnt,
    "requests": requests,
    "kills": kills,
    "faults": faults,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Attack, part by part, until everything is done or time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="how much of it (1.0)")
    parser.add_argument("--out", type=Path, default=Path(".soak/attack.json"), help="where the totals are kept")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), help="which parts")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds; go on another time")
    args = parser.parse_args(argv)
    bound()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends it leaves no database running
    logging.disable(logging.CRITICAL)  # what the server writes down is for its host
    totals, end = Totals(args.out), time.monotonic() + args.seconds
    with contextlib.ExitStack() as ends:
        means = Means(ends, args.out.parent)
        for part in args.only:
            wanted, stretch = round(WHOLE[part] * args.share), STRETCH[part]
            while (done := totals.count(part)) < wanted and time.monotonic() < end:
                count, began = min(stretch - done % stretch, wanted - done), time.monotonic()
                try:
                    came, more = PARTS[part](done, count, means)
                except BaseException:
                    print(f"{part}: in the {count} from {done} on; the totals are in {args.out}", file=sys.stderr)
                    raise
                totals.add(part, count, came, time.monotonic() - began, **more)
            print(f"{part}: {totals.count(part)} of {wanted}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
