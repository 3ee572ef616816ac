"""Where battles are kept: SQLite in a file, or PostgreSQL. What `append` has returned from is on the disk.

The calls are blocking SQLAlchemy, run in threads of their own: one for SQLite, which has one writer anyway, a few for
PostgreSQL. What waits for SQLite's thread is written together, so that a slow disk is waited for once and not once for
each of a hundred battles; PostgreSQL does that by itself.

Between the workers of a PostgreSQL table `NOTIFY` says which battle has grown, in the transaction that grows it: the
message and the line become true together, and nothing beside the database has to be run or can fail. A notice holds a
battle's id and a number, never anything that somebody said.
"""

import asyncio
import json
import logging
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import StaticPool

from sandtable.engine.ids import Side
from sandtable.server.database import schema as s
from sandtable.server.database.durable import see_durable
from sandtable.server.database.kept import (
    BattleKept,
    ChatKept,
    LinkKept,
    SeatKept,
    SnapshotKept,
    Taken,
    now,
    token_hash,
)
from sandtable.server.database.listening import CHANNEL, Listener
from sandtable.server.migrations import migrate

#: How long it is believed that storage answers, in seconds, and how many bytes must be free on its disk.
LOOK_EVERY = 2.0
LEAST_ROOM = 16 * 1024 * 1024

# What is written at every answer, put together once: putting a statement together takes longer than writing it.
_ENTRY = s.entries.insert()
_REASON = s.reasons.insert()
_OF_BATTLE = s.battles.update().where(s.battles.c.id == sa.bindparam("of"))
_GROWN = _OF_BATTLE.values(
    n=sa.bindparam("entries"),
    ended=sa.bindparam("is_ended"),
    winner=sa.bindparam("won"),
    waiting=sa.bindparam("asks"),
    turn=sa.bindparam("in_turn"),
    clocks=sa.bindparam("times"),
    last=sa.func.coalesce(sa.bindparam("heard", type_=sa.BigInteger), s.battles.c.last),
    said=s.battles.c.said + sa.bindparam("more"),
    asked=sa.func.coalesce(sa.bindparam("asked_at", type_=sa.BigInteger), s.battles.c.asked),
    visited=sa.func.coalesce(sa.bindparam("asked_at", type_=sa.BigInteger), s.battles.c.visited),
)
_VISITED = _OF_BATTLE.values(visited=sa.bindparam("served"))
_SEEN = (
    s.seats.update()
    .where(s.seats.c.battle == sa.bindparam("of"), s.seats.c.side.in_(sa.bindparam("at_sides", expanding=True)))
    .values(seen=sa.bindparam("at"), left=sa.bindparam("served"))
)

T = TypeVar("T")
log = logging.getLogger("sandtable.server")


class Storage:
    """Battles in a database."""

    def __init__(self, address: str) -> None:
        self.url = sa.make_url(address)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        named = self.sqlite and self.url.database not in (None, "", ":memory:")
        #: The file of a SQLite database.
        self.file = Path(str(self.url.database)).absolute() if named else None
        threads = 1 if self.sqlite else 8
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="storage")
        if self.sqlite:
            if self.file is not None:
                _owners_alone(self.file)
            self.engine = sa.create_engine(
                self.url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 30}
            )
            sa.event.listen(self.engine, "connect", _prepare)
            sa.event.listen(self.engine, "begin", _begin)
        else:
            self.engine = sa.create_engine(self.url, pool_size=threads, max_overflow=2, pool_pre_ping=True)
        self._listener: Listener | None = None
        self._answered, self._looked = True, 0.0
        self._to_write: deque[tuple[Callable[[sa.Connection], Any], asyncio.Future[None]]] = deque()

    async def _run(self, work: Callable[[sa.Connection], T]) -> T:
        def in_transaction() -> T:
            with self.engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, in_transaction)

    async def _write(self, work: Callable[[sa.Connection], Any]) -> None:
        """Write something, together with what else is waiting. When this returns it is on the disk."""
        if not self.sqlite:
            await self._run(work)
            return
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._to_write.append((work, written))
        # Each has the thread look; whichever look finds it, it is written, and nobody has to be woken.
        self._threads.submit(self._write_waiting, loop)
        await written

    def _write_waiting(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting = []
        while self._to_write:
            waiting.append(self._to_write.popleft())
        if not waiting:
            return
        problems: list[Exception | None] = [None] * len(waiting)
        try:
            with self.engine.begin() as connection:
                for work, _ in waiting:
                    work(connection)
        except Exception:
            # One of them cannot be written; nothing was, so each tries by itself.
            problems = [self._problem_with(work) for work, _ in waiting]
        loop.call_soon_threadsafe(_tell, [written for _, written in waiting], problems)

    def _problem_with(self, work: Callable[[sa.Connection], Any]) -> Exception | None:
        try:
            with self.engine.begin() as connection:
                work(connection)
        except Exception as problem:
            return problem
        return None

    # Starting, stopping ------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Make or mend the tables, and see that what is acknowledged is durable."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, self._open)

    def _open(self) -> None:
        with self.engine.begin() as connection:
            migrate(connection)
        with self.engine.connect() as connection:
            see_durable(connection)
            connection.rollback()

    def listen(self, heard: Callable[[str, int], None]) -> None:
        """Call `heard(battle, n)`, in the loop's thread, when another worker has grown a battle. PostgreSQL only."""
        if not self.sqlite:
            self._listener = Listener(self.url, asyncio.get_running_loop(), heard)

    async def let_go(self) -> None:
        """Close the connections that nobody uses and forget how statements are written; the next call begins anew.

        It is little, but it was made while battles were played: scattered among them, it would hold on to their memory.
        """
        if not self.sqlite or self.file is not None:  # one without a file is kept in its connection
            await asyncio.get_running_loop().run_in_executor(self._threads, self._let_go)

    def _let_go(self) -> None:
        self.engine.dispose()
        self.engine.clear_compiled_cache()

    async def close(self) -> None:
        """Let everything under way end, then let go of the database."""
        if self._listener is not None:
            await asyncio.to_thread(self._listener.stop)
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()

    async def answers(self) -> bool:
        """Whether the database answers and takes what is written, as of at most a second or two ago."""
        if time.monotonic() > self._looked + LOOK_EVERY:
            self._answered, self._looked = await self._takes(), time.monotonic()
        return self._answered

    async def _takes(self) -> bool:
        same = s.clock.update().where(s.clock.c.id == 1).values(served=s.clock.c.served)
        try:
            await asyncio.wait_for(self._run(lambda c: c.execute(same)), 5)
            return await asyncio.to_thread(self._has_room)
        except Exception:
            log.exception("storage does not answer")
            return False

    def _has_room(self) -> bool:
        """Whether the disk under a SQLite file has room for more; PostgreSQL says so itself."""
        if not self.file or not hasattr(os, "statvfs"):
            return True
        disk = os.statvfs(self.file.parent)
        return disk.f_bavail * disk.f_frsize >= LEAST_ROOM

    # Battles -----------------------------------------------------------------------------------------------------

    async def begin(self, battle: BattleKept, links: Iterable[tuple[str, LinkKept]], lines: Sequence[str]) -> None:
        """Keep a new battle, its links (by the hash of their tokens) and its entries, all or nothing."""
        row = {name: getattr(battle, name) for name in _COLUMNS}
        row["waiting"] = json.dumps(battle.waiting)
        seats = [
            {"battle": battle.id, "place": place, **msgspec.to_builtins(seat)}
            for place, seat in enumerate(battle.seats)
        ]
        tokens = [
            {"token_hash": key, "battle": link.battle, "role": link.role, "sides": json.dumps(link.sides)}
            for key, link in links
        ]
        rows = [{"battle": battle.id, "n": n, "lines": text, "at": battle.begun} for n, text in enumerate(lines)]

        def work(connection: sa.Connection) -> None:
            connection.execute(s.battles.insert(), row)
            for table, values in ((s.seats, seats), (s.links, tokens), (s.entries, rows)):
                if values:
                    connection.execute(table.insert(), values)

        await self._run(work)

    async def battle(self, battle: str) -> BattleKept | None:
        """What is stored of a battle, or none."""

        def work(connection: sa.Connection) -> BattleKept | None:
            return _battles_of(connection, [battle]).get(battle)

        return await self._run(work)

    async def link(self, token: str) -> LinkKept | None:
        """What a token opens, or none."""
        key = token_hash(token)

        def work(connection: sa.Connection) -> LinkKept | None:
            return _links_of(connection, [key]).get(key)

        return await self._run(work)

    async def opened_by(self, tokens: Sequence[str]) -> list[tuple[LinkKept, BattleKept] | None]:
        """What each of some tokens opens, or none; with three statements, however many they are."""
        keys = [token_hash(token) for token in tokens]

        def work(connection: sa.Connection) -> list[tuple[LinkKept, BattleKept] | None]:
            links = _links_of(connection, keys)
            battles = _battles_of(connection, {link.battle for link in links.values()})
            found = {key: (link, battles[link.battle]) for key, link in links.items() if link.battle in battles}
            return [found.get(key) for key in keys]

        return await self._run(work)

    async def add_link(self, token: str, link: LinkKept) -> None:
        """Keep another link of a battle."""
        row = {"token_hash": token_hash(token), "battle": link.battle, "role": link.role}
        sides = json.dumps(link.sides)
        await self._run(lambda c: c.execute(s.links.insert(), {**row, "sides": sides}))

    async def mark_of(self, battle: str, n: int) -> str | None:
        """The mark of an entry; none where there is no such entry."""
        found = sa.select(s.entries.c.mark).where(s.entries.c.battle == battle, s.entries.c.n == n)
        return await self._run(lambda c: c.execute(found).scalar_one_or_none())

    async def lines(self, battle: str, after: int = -1) -> list[tuple[int, str]]:
        """The entries after one of a number, in order: number and lines."""

        def work(connection: sa.Connection) -> list[tuple[int, str]]:
            found = sa.select(s.entries.c.n, s.entries.c.lines).where(s.entries.c.battle == battle)
            rows = connection.execute(found.where(s.entries.c.n > after).order_by(s.entries.c.n))
            return [(row.n, row.lines) for row in rows]

        return await self._run(work)

    async def append(
        self,
        battle: str,
        n: int,
        lines: str,
        *,
        waiting: Sequence[str],
        ended: bool,
        winner: Side,
        quiet: bool = False,
        asked: int | None = None,
        mark: str = "",
        turn: int = 0,
        clocks: str = "",
        thought: tuple[str, str, Any] | None = None,
    ) -> None:
        """Keep an entry. When this returns it is durable; `Taken` if there is one of that number.

        With `quiet` it is nobody else's business, and does not count as something said lately. `asked` is the time
        served where something else is asked from here on. `mark` is how whoever writes it knows it again (`mark_of`).
        `thought` is the side of a bot, why it answered so and what it keeps in mind.
        """
        at = now()
        entry = {"battle": battle, "n": n, "lines": lines, "at": at, "mark": mark}
        changed = {"of": battle, "entries": n + 1, "is_ended": ended, "won": winner, "asks": json.dumps(waiting)}
        changed |= {"in_turn": turn, "times": clocks, "heard": None if quiet else at, "more": 0 if quiet else 1}
        changed |= {"asked_at": asked}

        def work(connection: sa.Connection) -> None:
            connection.execute(_ENTRY, entry)
            connection.execute(_GROWN, changed)
            if thought is not None:
                side, words, mind = thought
                row = {"battle": battle, "n": n, "side": side, "words": words}
                connection.execute(_REASON, {**row, "mind": json.dumps(mind)})
            self._notify(connection, battle, n)

        try:
            await self._write(work)
        except IntegrityError:
            raise Taken from None

    async def snapshot(self, battle: str) -> SnapshotKept | None:
        """The latest snapshot of a battle."""

        def work(connection: sa.Connection) -> SnapshotKept | None:
            row = connection.execute(s.snapshots.select().where(s.snapshots.c.battle == battle)).one_or_none()
            return None if row is None else SnapshotKept(row.n, row.place, row.events, row.state)

        return await self._run(work)

    async def keep_snapshot(self, battle: str, taken: SnapshotKept) -> None:
        """Put a snapshot in place of the one before."""

        def work(connection: sa.Connection) -> None:
            connection.execute(s.snapshots.delete().where(s.snapshots.c.battle == battle))
            connection.execute(s.snapshots.insert(), {"battle": battle, **msgspec.to_builtins(taken)})

        await self._write(work)

    async def going_on(self) -> int:
        """How many battles have not ended."""
        count = sa.select(sa.func.count()).select_from(s.battles).where(s.battles.c.ended.is_(False))
        return await self._run(lambda c: c.execute(count).scalar_one())

    async def waiting_for_bots(self) -> list[str]:
        """The battles in which a bot is asked something, the latest first: a server that starts goes on with them."""
        found = (
            sa.select(s.battles.c.id, s.battles.c.waiting, s.seats.c.side)
            .join(s.seats, s.seats.c.battle == s.battles.c.id)
            .where(s.battles.c.ended.is_(False), s.seats.c.kind == "bot")
            .order_by(s.battles.c.last.desc())
        )

        def work(connection: sa.Connection) -> list[str]:
            rows = connection.execute(found).all()
            return list(dict.fromkeys(row.id for row in rows if row.side in json.loads(row.waiting)))

        return await self._run(work)

    # Beside the journal ------------------------------------------------------------------------------------------

    async def seen(self, battle: str, sides: Sequence[Side], served: int) -> None:
        """Somebody sits at these sides now, or did until now; without sides somebody watches."""
        at = now()

        def work(connection: sa.Connection) -> None:
            connection.execute(_SEEN, {"of": battle, "at_sides": list(sides), "at": at, "served": served})
            connection.execute(_VISITED, {"of": battle, "served": served})

        await self._write(work)

    async def rename(self, battle: str, side: Side, name: str) -> None:
        """Whoever sits at a side is called so from now on."""
        chosen = (s.seats.c.battle == battle) & (s.seats.c.side == side)
        await self._write(lambda c: c.execute(s.seats.update().where(chosen).values(name=name)))

    async def left(self, battle: str) -> dict[Side, int]:
        """Until when somebody sat at each side, on whichever worker, by the time served."""
        found = sa.select(s.seats.c.side, s.seats.c.left).where(s.seats.c.battle == battle)
        return await self._run(lambda c: {row.side: row.left for row in c.execute(found)})

    async def tick(self, served: int) -> int:
        """Write down how long the table has been served, unless another worker knows more; gives what is right."""

        def work(connection: sa.Connection) -> int:
            behind = (s.clock.c.id == 1) & (s.clock.c.served < served)
            connection.execute(s.clock.update().where(behind).values(served=served))
            found: int = connection.execute(sa.select(s.clock.c.served).where(s.clock.c.id == 1)).scalar_one()
            return found

        return await self._run(work)

    async def expire(self, before: int, most: int = 100) -> list[str]:
        """Forget battles that have not ended and that nobody visited since a time served; gives which."""
        old = s.battles.c.ended.is_(False) & (s.battles.c.visited < before)

        def work(connection: sa.Connection) -> list[str]:
            gone = list(connection.execute(sa.select(s.battles.c.id).where(old).limit(most)).scalars())
            for table in (s.entries, s.seats, s.links, s.snapshots, s.chat, s.reasons):
                connection.execute(table.delete().where(table.c.battle.in_(gone)))
            connection.execute(s.battles.delete().where(s.battles.c.id.in_(gone)))
            return gone

        return await self._run(work)

    async def say(self, battle: str, side: Side, name: str, text: str, most: int) -> ChatKept | None:
        """Keep a line of chat; none where the battle has too many."""
        last = sa.select(sa.func.max(s.chat.c.n)).where(s.chat.c.battle == battle)
        at = now()

        def work(connection: sa.Connection) -> ChatKept | None:
            n = (connection.execute(last).scalar() or 0) + 1
            if n > most:
                return None
            line = ChatKept(n, side, name, now(), text)
            connection.execute(s.chat.insert(), {"battle": battle, **msgspec.to_builtins(line)})
            self._notify(connection, battle, -n)
            return line

        for _ in range(20):
            try:
                return await self._run(work)
            except IntegrityError:
                continue  # somebody else spoke at the same time; one line comes after the other
            except Exception:
                # It may be there all the same, and would be said twice if it were said again.
                there = await self.chat(battle, most=5)
                mine = [line for line in there if (line.side, line.text) == (side, text) and line.at >= at]
                if not mine:
                    raise
                return mine[-1]
        return None

    async def chat(self, battle: str, after: int = 0, most: int = 1000) -> list[ChatKept]:
        """The chat of a battle after a line; the latest so many of it."""
        mine = s.chat.select().where(s.chat.c.battle == battle, s.chat.c.n > after)
        found = mine.order_by(s.chat.c.n.desc()).limit(most)

        def work(connection: sa.Connection) -> list[ChatKept]:
            return [ChatKept(r.n, r.side, r.name, r.at, r.text) for r in connection.execute(found)][::-1]

        return await self._run(work)

    async def reasons(self, battle: str) -> list[tuple[int, Side, str]]:
        """Why bots answered as they did: entry, side, words."""
        found = s.reasons.select().where(s.reasons.c.battle == battle).order_by(s.reasons.c.n)
        return await self._run(lambda c: [(r.n, r.side, r.words) for r in c.execute(found) if r.words])

    async def minds(self, battle: str) -> dict[str, Any]:
        """What the bots of a battle kept in mind with their last answers, by side."""
        mine = s.reasons.c.battle == battle
        last = sa.select(sa.func.max(s.reasons.c.n)).where(mine).group_by(s.reasons.c.side)
        found = sa.select(s.reasons.c.side, s.reasons.c.mind).where(mine, s.reasons.c.n.in_(last))
        return await self._run(lambda c: {r.side: json.loads(r.mind) for r in c.execute(found)})

    def _notify(self, connection: sa.Connection, battle: str, n: int) -> None:
        if not self.sqlite:
            connection.execute(sa.text("SELECT pg_notify(:c, :m)"), {"c": CHANNEL, "m": f"{battle} {n}"})


def _prepare(connection: Any, _: Any) -> None:
    """A connection to SQLite that keeps what it acknowledges.

    Python's driver begins transactions by itself, but not before it makes a table: a server that dies while tables are
    made would leave half of them. So `_begin` does it.
    """
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _owners_alone(file: Path) -> None:
    """See that a database is its owner's alone before anything is in it: it holds every secret of every battle."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        file.chmod(0o600)


def _tell(written: list["asyncio.Future[None]"], problems: list[Exception | None]) -> None:
    """Tell those who wait what came of it."""
    for future, problem in zip(written, problems, strict=True):
        if future.done():
            continue
        if problem is None:
            future.set_result(None)
        else:
            future.set_exception(problem)


_COLUMNS = [column.name for column in s.battles.columns]


def _battle_of(row: Any, seats: tuple[SeatKept, ...]) -> BattleKept:
    found = {name: row[name] for name in _COLUMNS}
    found["waiting"] = tuple(json.loads(row["waiting"]))
    return BattleKept(**found, seats=seats)


def _battles_of(connection: sa.Connection, ids: Iterable[str]) -> dict[str, BattleKept]:
    """What is stored of some battles, by their ids."""
    wanted = sorted(set(ids))
    rows = connection.execute(s.battles.select().where(s.battles.c.id.in_(wanted))).mappings().all()
    seats: dict[str, list[SeatKept]] = {row["id"]: [] for row in rows}
    for r in connection.execute(s.seats.select().where(s.seats.c.battle.in_(list(seats))).order_by(s.seats.c.place)):
        seats[r.battle].append(SeatKept(r.side, r.kind, r.name, r.bot, r.seen, r.left))
    return {row["id"]: _battle_of(row, tuple(seats[row["id"]])) for row in rows}


def _links_of(connection: sa.Connection, keys: Sequence[str]) -> dict[str, LinkKept]:
    """What some tokens open, by their hashes."""
    rows = connection.execute(s.links.select().where(s.links.c.token_hash.in_(sorted(set(keys)))))
    return {r.token_hash: LinkKept(r.battle, r.role, tuple(json.loads(r.sides))) for r in rows}
