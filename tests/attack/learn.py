"""Fuzzing that learns: damaged inputs that take a way no other took are kept in the corpus, and damaged further.

    python -m tests.attack.learn [--seconds 600] [--kind scenario roster case journal message] [--from 0] [--least]

Every kind of input that comes from outside has its folder under `tests/attack/corpus`; `make attack` starts its damage
from what is there, learns too and keeps what it learnt beside its totals, and the tests read all of it again
(`test_corpus.py`). A way is a step from one line to another. `--least` throws out what takes no way of its own.
"""

import argparse
import hashlib
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.forces.files import FileError
from sandtable.server.unlawful import Unlawful
from tests.attack import files, messages
from tests.attack.damage import damaged
from tests.attack.limits import bound, in_time

CORPUS = Path(__file__).parent / "corpus"
READERS = {**files.READERS, "message": messages.read}
#: Where ways count: what reads, not what reading sets going.
WATCHED = tuple(
    str(files.ROOT / "src" / "sandtable" / part)
    for part in ("forces", "engine/records", "engine/answers", "engine/changes.py", "lab/cases", "server")
)
#: No input in the corpus is longer.
MOST = 20_000

#: From one line of a module to another.
Way = tuple[str, int, int]


class Coverage:
    """Which ways through what reads have been taken."""

    def __init__(self) -> None:
        self.known: set[Way] = set()
        self.taken: set[Way] = set()

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(WATCHED):
            return None
        last, taken = frame.f_lineno, self.taken

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            taken.add((file, last, frame.f_lineno))
            last = frame.f_lineno
            return line

        return line

    def of(self, kind: str, ruleset: str, text: str) -> int:
        """Read an input; gives how many ways it took that none had taken before."""
        self.taken = set()
        sys.settrace(self._call)
        try:
            with in_time(f"{kind} of {len(text)} letters"):
                READERS[kind](ruleset, text)
        except (FileError, JournalError, JournalDiverged, Unlawful):
            pass
        finally:
            sys.settrace(None)
        fresh = len(self.taken - self.known)
        self.known |= self.taken
        return fresh


def inputs(kind: str) -> list[tuple[str, str]]:
    """What there is of a kind: shipped files, and the corpus."""
    return list(messages.texts() if kind == "message" else files.texts(kind))


def _short(text: str) -> str:
    """As many whole lines of a text as the corpus takes."""
    return text if len(text) <= MOST else text[: text.rfind("\n", 0, MOST) + 1]


def _file_of(folder: Path, kind: str, ruleset: str, text: str) -> Path:
    name = hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    return folder / kind / f"{ruleset}-{name}"


def known(kind: str) -> tuple[Coverage, list[tuple[str, str]]]:
    """What there is of a kind, and the ways it takes."""
    coverage, pool = Coverage(), [(ruleset, _short(text)) for ruleset, text in inputs(kind)]
    for ruleset, text in pool:
        coverage.of(kind, ruleset, text)
    return coverage, pool


def learn(kind: str, numbers: Iterable[int], folder: Path = CORPUS) -> Counter[str]:
    """Damage what there is, once for each number, and keep in a folder what takes a new way; gives what came of it."""
    coverage, pool = known(kind)
    came: Counter[str] = Counter()
    for number in numbers:
        chance = random.Random(f"learn {kind} {number}")
        ruleset, text = chance.choice(pool)
        text = damaged(text, chance, [chance.choice(pool)[1]])[:MOST]
        if not coverage.of(kind, ruleset, text):
            came[f"{kind}: nothing new"] += 1
            continue
        file = _file_of(folder, kind, ruleset, text)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        pool.append((ruleset, text))
        came[f"{kind}: a new way"] += 1
    return came


def least(kind: str) -> int:
    """Throw out what takes no way that shipped files and shorter inputs do not take; gives how many."""
    coverage, thrown = Coverage(), 0
    kept = sorted((CORPUS / kind).glob("*"), key=lambda file: (file.stat().st_size, file.name))
    texts = {file: file.read_bytes().decode("utf-8", "surrogateescape") for file in kept}
    for ruleset, text in inputs(kind):
        if text not in texts.values():
            coverage.of(kind, ruleset, _short(text))
    for file, text in texts.items():
        if not coverage.of(kind, file.name.rpartition("-")[0], text) and not file.suffix:
            file.unlink()
            thrown += 1
    return thrown


def _until(end: float, first: int) -> Iterator[int]:
    """Numbers from one on, until time is up."""
    for number in itertools.count(first):
        if time.monotonic() >= end:
            return
        yield number


def main() -> int:
    """Learn of each kind for its share of the time."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.learn", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--kind", nargs="*", choices=READERS, default=list(READERS))
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number to begin with; go on from there")
    parser.add_argument("--least", action="store_true", help="learn nothing; throw out what takes no way of its own")
    args = parser.parse_args()
    bound()
    for kind in args.kind:
        if args.least:
            print(f"{kind}: {least(kind)} thrown out", flush=True)
        else:
            end = time.monotonic() + args.seconds / len(args.kind)
            print(dict(learn(kind, _until(end, args.first))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
