"""Verify means verified: whatever differs from what this program would have written is found and named."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.records.journal import Journal, JournalDiverged, JournalError
from sandtable.engine.records.replay import resumed, verified
from tests.engine.duel import Duel
from tests.engine.parley import Parley


def battle(answers: int, seed: int = 3) -> Battle:
    it, bot = Battle(Parley(), seed=seed), RandomBot(Parley(), seed)
    for _ in range(answers):
        if it.ended:
            break
        question = next(one for one in it.questions if it.question_for(one.side) is one)
        assert it.answer(bot.answer(it.view(question.side), question), question.side) is None
    return it


@pytest.mark.parametrize("answers", range(12))
def test_what_is_saved_is_verified_with_its_snapshot_and_without(answers: int) -> None:
    it = battle(answers)
    for journal in (it.journal, it.saved()):
        assert verified(journal.encode(), Parley()).digest() == it.digest()
    again = resumed(Journal.decode(it.saved().encode()), Parley())
    assert verified(again.saved().encode(), Parley()).digest() == it.digest()


def rows(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def forged_key(data: bytes, chance: random.Random) -> bytes:
    """A key that no line has, somewhere in a line."""
    lines = rows(data)
    at = chance.randrange(len(lines))
    inside = [n for n, letter in enumerate(lines[at]) if letter == ord("{")]
    place = chance.choice(inside) + 1
    rest = lines[at][place:]
    lines[at] = lines[at][:place] + b'"extra":1' + (b"" if rest.startswith(b"}") else b",") + rest
    return b"".join(lines)


def forged_snapshot(data: bytes, chance: random.Random) -> bytes:
    """One value in a snapshot changed, wherever it is: in the state, or in a view of it."""
    lines = rows(data)
    at = next(n for n, line in enumerate(lines) if b'"line":"snapshot"' in line)
    found = json.loads(lines[at])
    _change(found["state"], chance)
    lines[at] = json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    return b"".join(lines)


def _change(value: Any, chance: random.Random) -> None:
    places = [(value, key) for key in (value if isinstance(value, dict) else range(len(value)))]
    holder, key = chance.choice(places)
    below = holder[key]
    if isinstance(below, dict | list) and below and chance.random() < 0.8:
        _change(below, chance)
    elif isinstance(below, bool) or below is None:
        holder[key] = 1
    elif isinstance(below, int):
        holder[key] = below + 1
    elif isinstance(below, str):
        holder[key] = below + "x"
    else:
        holder[key] = {"extra": 1} if isinstance(below, dict) else ["extra"]


def forged_header(data: bytes, chance: random.Random) -> bytes:
    """A field of the header changed or added."""
    lines = rows(data)
    found = json.loads(lines[0])
    what = chance.choice(["commitment", "digests", "digest_every", "seed", "setup", "version"])
    found |= {
        "commitment": {"commitment": "abc"},
        "digests": {"digests": {"ledger": "abc"}},
        "digest_every": {"digest_every": 2},
        "seed": {"seed": 99},
        "setup": {"setup": {**found["setup"], "extra": 7}},
        "version": {"version": "0"},
    }[what]
    lines[0] = json.dumps(found, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def turned_about(data: bytes, chance: random.Random) -> bytes:
    """Two neighbouring lines that differ, in the other order."""
    lines = rows(data)
    pairs = [n for n in range(1, len(lines) - 1) if lines[n] != lines[n + 1]]
    at = chance.choice(pairs)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return b"".join(lines)


def other_ends(data: bytes, chance: random.Random) -> bytes:
    """A line that ends otherwise, or an empty one."""
    lines = rows(data)
    at = chance.randrange(len(lines))
    lines[at] = lines[at][:-1] + chance.choice([b"\r\n", b" \n", b"\n\n", b"\t\n"])
    return b"".join(lines)


def spelt_otherwise(data: bytes, chance: random.Random) -> bytes:
    """The same line with its keys in another order, or with blanks."""
    lines = rows(data)
    at = chance.randrange(len(lines))
    found = json.loads(lines[at])
    if chance.random() < 0.5:
        found = dict(reversed(list(found.items())))
        lines[at] = json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    else:
        lines[at] = json.dumps(found, ensure_ascii=False).encode() + b"\n"
    return b"".join(lines)


def cut(data: bytes, chance: random.Random) -> bytes:
    """The first part only."""
    return data[: chance.randrange(1, len(data))]


FORGERIES = (forged_key, forged_snapshot, forged_header, turned_about, other_ends, spelt_otherwise, cut)


@pytest.mark.parametrize("forge", FORGERIES)
def test_every_forgery_is_found_and_named(forge: Callable[[bytes, random.Random], bytes]) -> None:
    it = battle(9)
    journals = [it.saved().encode()] + ([] if forge is forged_snapshot else [it.journal.encode()])
    boundaries = {battle(n).journal.encode() for n in range(10)}
    found = 0
    for seed in range(60):
        chance = random.Random(seed)
        data = chance.choice(journals)
        forged = forge(data, chance)
        if forged == data or forged in boundaries:
            continue  # a journal cut between answers is the journal of an earlier moment
        with pytest.raises((JournalDiverged, JournalError)) as caught:
            verified(forged, Parley())
        assert "line" in str(caught.value) or "journal" in str(caught.value)
        found += 1
    assert found > 20


def test_a_journal_of_other_rules_is_not_verified() -> None:
    with pytest.raises(JournalDiverged):
        verified(battle(3).journal.encode(), Duel())
