"""Fuzzing that learns: damaged inputs that reach lines no other reached are kept in the corpus, and damaged further.

    python -m tests.attack.learn [--seconds 600] [--kind scenario roster case journal message] [--from 0]

Every kind of input that comes from outside has its folder under `tests/attack/corpus`; `make attack` starts its damage
from what is there, and the tests read all of it again (`test_corpus.py`).
"""

import argparse
import hashlib
import random
import sys
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.forces.files import FileError
from sandtable.server.unlawful import Unlawful
from tests.attack import files, messages
from tests.attack.damage import damaged
from tests.attack.limits import bound, in_time

CORPUS = Path(__file__).parent / "corpus"
READERS = {**files.READERS, "message": messages.read}
#: Where lines count: what reads, not what reading sets going.
WATCHED = tuple(
    str(files.ROOT / "src" / "sandtable" / part)
    for part in (
        "forces",
        "engine/records/journal.py",
        "engine/answers/checking.py",
        "engine/changes.py",
        "lab/cases",
        "server",
    )
)
#: No input in the corpus is longer.
MOST = 20_000

Line = tuple[CodeType, int]


class Coverage:
    """Which lines of what reads have been reached."""

    def __init__(self) -> None:
        self.known: set[Line] = set()
        self.reached: set[Line] = set()

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(WATCHED) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.reached.add((frame.f_code, frame.f_lineno))
        return self._line

    def of(self, kind: str, ruleset: str, text: str) -> int:
        """Read an input; gives how many lines it reached that none had reached before."""
        self.reached = set()
        sys.settrace(self._call)
        try:
            with in_time(f"{kind} of {len(text)} letters"):
                READERS[kind](ruleset, text)
        except (FileError, JournalError, JournalDiverged, Unlawful):
            pass
        finally:
            sys.settrace(None)
        fresh = len(self.reached - self.known)
        self.known |= self.reached
        return fresh


def inputs(kind: str) -> list[tuple[str, str]]:
    """What there is of a kind: shipped files, and the corpus."""
    return list(messages.texts() if kind == "message" else files.texts(kind))


def _short(text: str) -> str:
    """As many whole lines of a text as the corpus takes."""
    return text if len(text) <= MOST else text[: text.rfind("\n", 0, MOST) + 1]


def learn(kind: str, seconds: float, first: int) -> int:
    """Damage what there is for so long; gives how many inputs were kept."""
    coverage, pool = Coverage(), [(ruleset, _short(text)) for ruleset, text in inputs(kind)]
    for ruleset, text in pool:
        coverage.of(kind, ruleset, text)
    kept, number, end = 0, first, time.monotonic() + seconds
    while time.monotonic() < end and pool:
        chance = random.Random(f"learn {kind} {number}")
        number += 1
        ruleset, text = chance.choice(pool)
        text = damaged(text, chance, [chance.choice(pool)[1]])[:MOST]
        if coverage.of(kind, ruleset, text):
            name = hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
            folder = CORPUS / kind
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{ruleset}-{name}").write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
            pool.append((ruleset, text))
            kept += 1
    print(f"{kind}: {number - first} tried, {kept} kept, {len(coverage.known)} lines reached", flush=True)
    return kept


def main() -> int:
    """Learn of each kind for its share of the time."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.learn", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--kind", nargs="*", choices=READERS, default=list(READERS))
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number to begin with; go on from there")
    args = parser.parse_args()
    bound()
    for kind in args.kind:
        learn(kind, args.seconds / len(args.kind), args.first)
    return 0


if __name__ == "__main__":
    sys.exit(main())
