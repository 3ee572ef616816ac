"""What is kept of a battle beside its lines, tokens, and what may go wrong in keeping it."""

import hashlib
import secrets
import time

import msgspec

from sandtable.engine.ids import Side


class Taken(Exception):
    """Somebody else said something first: the entry of that number is there already."""


class NotKept(Exception):
    """Storage did not take it; nothing has changed, and it may be said again."""


class NotKnown(Exception):
    """Storage does not answer, so nobody knows whether it was taken; what it holds will be seen."""


class SeatKept(msgspec.Struct, frozen=True):
    """A seat as it is stored."""

    side: Side
    kind: str
    name: str = ""
    bot: str = ""
    seen: int = 0
    left: int = 0  # until when somebody was there, by the time served (`clock`)


class BattleKept(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored of a battle beside its lines."""

    id: str
    ruleset: str
    version: str
    title: str
    scenario: str
    header: str
    seed_chosen: bool
    open_journal: bool
    claim_after: int
    pace: int
    n: int
    said: int = 1  # of the entries, those that everybody hears of
    ended: bool
    winner: Side
    waiting: tuple[str, ...]
    begun: int
    last: int
    asked: int = 0  # when what is asked now was asked, by the time served (`clock`)
    clocks: str = ""  # those that were agreed on, as JSON (`clocks`)
    turn: int = 0
    visited: int = 0  # when somebody was last there, by the time served
    seats: tuple[SeatKept, ...] = ()


class LinkKept(msgspec.Struct, frozen=True):
    """What a token opens."""

    battle: str
    role: str
    sides: tuple[Side, ...]


class SnapshotKept(msgspec.Struct, frozen=True):
    """A state to go on from: after how many entries, before which line, after how many events."""

    n: int
    place: int
    events: int
    state: str


class ChatKept(msgspec.Struct, frozen=True):
    """A line of chat."""

    n: int
    side: Side
    name: str
    at: int
    text: str


def token_hash(token: str) -> str:
    """What is stored of a token. It has 160 random bits, so nothing needs to be stretched.

    >>> len(token_hash("x"))
    64
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_token() -> str:
    """A token nobody can guess."""
    return secrets.token_urlsafe(20)


def new_seed() -> str:
    """A seed that nobody finds by trying: 128 random bits, written out, for the numbers of a page have 53."""
    return secrets.token_hex(16)


def now() -> int:
    """Seconds since 1970. Clocks are the server's business; no rule sees one."""
    return int(time.time())
