"""How a table is hosted: where it listens, where it keeps battles, and what it lets one address do."""

import os
import sys
from pathlib import Path

import msgspec

LOOPBACK = ("localhost", "127.0.0.1", "::1")
INSTALLED = "sandtable.server.library:installed"


class Limits(msgspec.Struct, frozen=True):
    """What one address, one socket and one server may do. Whoever needs more hosts a table of his own."""

    connections_per_address: int = 40
    connections: int = 2000
    lines_per_address: int = 100  # that speak HTTP, or say nothing yet
    seconds_to_ask: float = 20.0
    message_bytes: int = 64 * 1024
    messages_per_second: float = 30.0
    messages_at_once: float = 60.0
    drafts_per_second: float = 15.0
    drafts_at_once: float = 30.0
    requests_per_second: float = 20.0
    requests_at_once: float = 120.0
    body_bytes: int = 256 * 1024
    journal_bytes: int = 8 * 1024 * 1024
    battles_per_hour: float = 120.0  # of one address
    battles_at_once: float = 60.0
    battles: int = 20_000  # in storage, unfinished
    live: int = 400  # in memory; those nobody looks at make room
    seconds_to_sit: float = 10.0
    seconds_to_draft: float = 5.0  # to judge a draft and preview it; what takes longer is not shown
    chat_lines: int = 2000  # of one battle; spectators have half of them
    uploads_at_once: int = 2
    seconds_to_verify: float = 60.0
    seconds_to_read: float = 4.5  # from asking to answering, for whatever somebody sends to be read, laid or begun
    readings_per_address: int = 4  # that wait
    readings_waiting: int = 40  # of everybody
    seconds_idle: float = 60.0  # after which a battle that nobody looks at, or a process without work, leaves memory
    days_unvisited: int = 90  # of being served, after which an unfinished battle that nobody visits is forgotten
    body_seconds: float = 30.0  # for a request to be sent whole, and for its answer to be taken
    bytes_per_second: float = 2 * 1024 * 1024  # to one address
    bytes_at_once: float = 64 * 1024 * 1024
    sits_per_second: float = 1.0  # of one socket
    sits_at_once: float = 20.0
    chats_per_second: float = 1.0
    chats_at_once: float = 20.0
    orders: int = 40  # that stand, of one side
    order_bytes: int = 1024
    aside: int = 1000  # orders, undos and offers of a draw that one side may say in one battle
    entries: int = 20_000  # of one battle
    worker_bytes: int = 1024 * 1024 * 1024  # of memory, each


class Settings(msgspec.Struct, frozen=True):
    """Everything that is set when a server starts."""

    database: str = ""  # a SQLAlchemy address; empty: a SQLite file under the user's data folder
    host: str = "127.0.0.1"
    port: int = 8040
    names: tuple[str, ...] = ()  # the names a browser may call it by, beside loopback's
    proxy: str = ""  # the address of a proxy, whose X-Forwarded-For says who calls; empty: there is none
    thinkers: int = 1  # processes in which bots think
    judges: int = 2  # processes in which drafts are judged and previewed
    readers: int = 2  # processes in which what strangers send is read
    library: str = INSTALLED  # `module:function` that gives the rulesets; tests bring their own
    page: str = ""  # the folder of the page; empty: the one that is installed
    limits: Limits = Limits()

    def address(self) -> str:
        """The database as SQLAlchemy wants it named, with the drivers this project uses.

        >>> Settings(database="postgresql://host/table").address()
        'postgresql+psycopg://host/table'
        """
        if not self.database:
            return f"sqlite:///{data_folder() / 'battles.sqlite'}"
        scheme, found, rest = self.database.partition("://")
        if not found:
            return f"sqlite:///{self.database}"
        return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else self.database


def data_folder() -> Path:
    """Where this user's battles lie: by the custom of the system, or as `SANDTABLE_DATA` says."""
    if given := os.environ.get("SANDTABLE_DATA"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Sandtable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sandtable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sandtable"
