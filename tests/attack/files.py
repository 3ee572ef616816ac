"""Damaged files: scenarios, rosters, cases and journals, each read as its reader reads it."""

import atexit
import contextlib
import gzip
import io
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sandtable.cli import main
from sandtable.engine.battle import Battle
from sandtable.engine.records.journal import Journal, JournalDiverged, JournalError
from sandtable.engine.records.replay import resumed, verified
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import FileError
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.cases.form import read_cases
from sandtable.lab.rulebooks import rulebooks
from sandtable.server.library import Library
from sandtable.server.processes.readings import CheckRoster, OpenBattle
from sandtable.server.unlawful import Unlawful
from tests.attack.damage import damaged
from tests.attack.forging import SMALL, journals
from tests.attack.limits import in_time

ROOT = Path(__file__).resolve().parents[2]
SHELF = Library()
KINDS = ("scenario", "roster", "case", "journal")


@cache
def texts(kind: str) -> tuple[tuple[str, str], ...]:
    """Whole files of a kind, each with the ruleset it is for; those of the corpus too."""
    found: list[tuple[str, str]] = []
    for book in rulebooks():
        if kind == "scenario":
            found += [(book.name, one.read_text(encoding="utf-8")) for one in package_scenarios(book.name).values()]
        if kind == "case":
            files = sorted((ROOT / "cases" / book.name).rglob("*.yaml"))[::25]
            found += [(book.name, one.read_text(encoding="utf-8")) for one in files]
        if kind == "journal":
            files = sorted((ROOT / "tests" / "old_journals").glob(f"{book.name}-*.gz"))
            found += [(book.name, gzip.decompress(one.read_bytes()).decode()) for one in files]
    if kind == "journal":
        for which, name in enumerate(SMALL):
            found += [(name, text.decode()) for answers in (3, 9) for text in journals(which, answers)]
    for file in sorted((ROOT / "tests" / "attack" / "corpus" / kind).glob("*")):
        found.append((file.name.rpartition("-")[0], file.read_bytes().decode("utf-8", "surrogateescape")))
    return tuple(found)


@cache
def _folder() -> Path:
    """A folder for what has to be a file; one for all of them, for disks are slow."""
    made = tempfile.mkdtemp(prefix="sandtable-attack-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def read_scenario(ruleset: str, text: str) -> None:
    """Begin a battle of a scenario's text, as a server does."""
    OpenBattle(ruleset, "", text or " ", 0, {}, 1).done(SHELF)


def read_roster(ruleset: str, text: str) -> None:
    """Check a roster, as a server does."""
    CheckRoster(ruleset, text).done(SHELF)


def read_case(ruleset: str, text: str) -> None:
    """Read a case file."""
    path = _folder() / "case.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    read_cases(path)


def read_journal(ruleset: str, text: str) -> None:
    """Watch a journal, and look at a moment of it, as a player does: a code and one sentence, whatever it is.

    One of a small ruleset is verified, and gone on with whatever came of that.
    """
    if ruleset in SMALL:
        _read_small(SMALL[ruleset](), text.encode("utf-8", "surrogateescape"))
        return
    path = _folder() / "battle.journal"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    for how in ([], ["--at", "9"], ["--html", str(path.with_suffix(".html"))]):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["replay", str(path), *how])
        assert code in (0, 1, 2), code
        assert err.getvalue().count("\n") == (1 if code == 2 else 0), err.getvalue()
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", out.getvalue() + err.getvalue())


def _read_small(rules: Ruleset, data: bytes) -> None:
    journal = Journal.decode(data)
    problem: JournalError | JournalDiverged | None = None
    reads: tuple[Callable[[], Battle], ...] = (lambda: verified(data, rules), lambda: resumed(journal, rules))
    for read in reads:
        try:
            read()
        except (JournalError, JournalDiverged) as found:
            problem = found
    if problem is not None:
        raise problem


READERS: dict[str, Callable[[str, str], None]] = {
    "scenario": read_scenario,
    "roster": read_roster,
    "case": read_case,
    "journal": read_journal,
}


def attack(number: int) -> str:
    """Read a damaged file, by its number; gives what came of it. Anything but a sentence is an error."""
    chance = random.Random(f"file {number}")
    kind = KINDS[number % len(KINDS)]
    known = texts(kind)
    ruleset, text = chance.choice(known)
    text = damaged(text, chance, [other for _, other in chance.sample(known, min(3, len(known)))])
    with in_time(f"{kind} {number}"):
        try:
            READERS[kind](ruleset, text)
        except (FileError, JournalError, JournalDiverged, Unlawful) as problem:
            words = str(problem)
            assert words, "no words"
            assert "\n" not in words, words
            return f"{kind} refused"
    return f"{kind} read"


def text_of(number: int) -> tuple[str, str, str]:
    """The file of a number, to be looked at: its kind, its ruleset, its text."""
    chance = random.Random(f"file {number}")
    kind = KINDS[number % len(KINDS)]
    known = texts(kind)
    ruleset, text = chance.choice(known)
    return kind, ruleset, damaged(text, chance, [other for _, other in chance.sample(known, min(3, len(known)))])
