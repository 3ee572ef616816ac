"""`python -m tests.attack [--share 1.0] [--out FILE] [--only PART…] [--seconds N]`: the whole attack, or a share."""

import argparse
import contextlib
import json
import logging
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sandtable.server.settings import Limits
from tests.attack import files, forging
from tests.attack.limits import bound
from tests.attack.requests import Attacker
from tests.engine.duel import Duel
from tests.server.faults import KINDS, Faults, battle_under
from tests.server.killing import kill_at_random
from tests.server.postgresql import cluster
from tests.server.shelf import WHERE
from tests.server.small_shelf import WHERE as SMALL
from tests.server.tables import FREE, serving

#: How many of each there are in the whole attack; requests, kills and faults are half on each database.
WHOLE = {"files": 100_000, "forged": 100_000, "requests": 40_000, "kills": 1_000, "faults": 1_000}
#: After how many the totals are written.
STRETCH = {"files": 200, "forged": 500, "requests": 400, "kills": 10, "faults": 10}


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
        self.path.write_text(json.dumps(self.done, indent=1) + "\n")


@contextlib.contextmanager
def databases() -> Iterator[Callable[[int], str]]:
    """Fresh databases: SQLite for even numbers, PostgreSQL for odd ones."""
    with tempfile.TemporaryDirectory() as folder, cluster() as postgresql:
        yield lambda n: postgresql.fresh() if n % 2 else f"sqlite:///{Path(folder) / f'{n}.sqlite'}"


def one_by_one(attack: Callable[[int], str]) -> Callable[[int, int], tuple[Counter[str], dict[str, float]]]:
    """A part that needs nothing but a number."""
    return lambda first, count: (Counter(attack(number) for number in range(first, first + count)), {})


def requests(first: int, count: int) -> tuple[Counter[str], dict[str, float]]:
    """A stretch of requests to a fresh server, on one database and then on the other."""
    with databases() as fresh, serving(fresh(first // count), FREE_BUT_TIMELY, library=WHERE) as server:
        attacker = Attacker(server)
        came = Counter(attacker.attack(number) for number in range(first, first + count))
        usual = statistics.median(attacker.times)
        return came, {"slowest_ms": attacker.slowest * 1000, "times_the_median": attacker.slowest / usual}


def kills(first: int, count: int) -> tuple[Counter[str], dict[str, float]]:
    """A stretch of kills."""
    with databases() as fresh:
        told = kill_at_random(fresh(first // count), count, seed=first)
    return Counter({"acknowledged and there": told.acknowledged, "entries": told.entries}), {}


def faults(first: int, count: int) -> tuple[Counter[str], dict[str, float]]:
    """A stretch of faults: the next places of battles, in all three ways."""
    came: Counter[str] = Counter()
    with databases() as fresh, serving(fresh(first // count), FREE, library=SMALL) as server:
        shaken = Faults(server.hall().storage)
        for number in range(first // 2, first // 2 + count):
            kind = KINDS[number % len(KINDS)]
            played = battle_under(server, shaken, Duel(), kind, 1 + number // len(KINDS) % 120)
            came[f"{kind}: told the truth"] += 1
            assert kind != "reply" or "storage" not in played.wrong
        shaken.remove()
    return came, {}


FREE_BUT_TIMELY = msgspec.structs.replace(FREE, seconds_to_read=Limits().seconds_to_read)
PARTS = {
    "files": one_by_one(files.attack),
    "forged": one_by_one(forging.attack),
    "requests": requests,
    "kills": kills,
    "faults": faults,
}


def main() -> int:
    """Attack, part by part, until everything is done or time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="how much of it (1.0)")
    parser.add_argument("--out", type=Path, default=Path(".soak/attack.json"), help="where the totals are kept")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), help="which parts")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds; go on another time")
    args = parser.parse_args()
    bound()
    logging.disable(logging.CRITICAL)  # what the server writes down is for its host
    totals, end = Totals(args.out), time.monotonic() + args.seconds
    for part in args.only:
        wanted, stretch = round(WHOLE[part] * args.share), STRETCH[part]
        while (done := totals.count(part)) < wanted and time.monotonic() < end:
            count, began = min(stretch, wanted - done), time.monotonic()
            try:
                came, more = PARTS[part](done, count)
            except BaseException:
                print(f"{part}: in the {count} from {done} on; the totals are in {args.out}", file=sys.stderr)
                raise
            totals.add(part, count, came, time.monotonic() - began, **more)
        print(f"{part}: {totals.count(part)} of {wanted}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
