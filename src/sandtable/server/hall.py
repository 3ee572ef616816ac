"""The hall: all battles that are being played here, and how new ones begin."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from sandtable.bots import bot_names
from sandtable.engine import journal as j
from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.files import nearest
from sandtable.server.bodies import BattleMade, BattleWanted, LinkMade, SeatWanted
from sandtable.server.entries import entries_of, load
from sandtable.server.kept import BattleKept, LinkKept, SeatKept, SnapshotKept, new_token, now, token_hash
from sandtable.server.library import known_bots, library
from sandtable.server.live import LiveBattle
from sandtable.server.rosters import scenario_with
from sandtable.server.settings import Settings
from sandtable.server.storage import Storage
from sandtable.server.views import asked
from sandtable.server.workers import Workers

T = TypeVar("T")
log = logging.getLogger("sandtable.server")


class Unlawful(Exception):
    """A request that cannot be served: why, for a program, and one sentence."""

    def __init__(self, why: str, words: str, status: int = 400) -> None:
        self.why, self.words, self.status = why, words, status
        super().__init__(words)


class Hall:
    """Everything that one worker keeps in memory."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.library = library(settings.library)
        self.storage = Storage(settings.address())
        self.thinkers = Workers(settings.library, settings.thinkers)
        self.judges = Workers(settings.library, settings.judges)
        self.closing = False
        self._closed = asyncio.Event()
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="rules")
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="readers")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._live: dict[str, LiveBattle] = {}
        self._loading: dict[str, asyncio.Task[LiveBattle | None]] = {}
        self.on_chat: Callable[[str], None] = lambda battle: None

    async def open(self) -> None:
        """Open storage, listen to other workers, and go on with battles in which a bot is asked."""
        await self.storage.open()
        self.storage.listen(self._heard)
        self.spawn(self._wake_sleepers())

    async def close(self) -> None:
        """Let what is being kept be kept, then stop."""
        self.closing = True
        self._closed.set()
        await self.thinkers.close()
        await self.judges.close()
        saying = [task for task in self._tasks if not task.done()]
        if saying:
            _, late = await asyncio.wait(saying, timeout=5)
            for task in late:
                task.cancel()
        await self.storage.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)

    def in_thread(self, work: Callable[[], T], /) -> "asyncio.Future[T]":
        """Run work of a battle that is being played in a thread, so that the loop goes on. It must be short."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def aside(self, work: Callable[[], T], /) -> "asyncio.Future[T]":
        """Run work that may take a while in a thread: looking back, laying terrain. No battle waits for it."""
        return asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def rest(self, seconds: float) -> None:
        """Wait, but not for a server that closes."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closed.wait(), seconds)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that nobody may be waiting for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.debug("a task ended with %r", problem)

    # Battles -----------------------------------------------------------------------------------------------------

    async def live(self, battle: str) -> LiveBattle | None:
        """A battle in memory, read from storage if need be; none where there is no such battle."""
        found = self._live.get(battle)
        if found is not None:
            found.used = time.monotonic()
            return found
        if battle not in self._loading:
            self._loading[battle] = self.spawn(self._load(battle))
        return await asyncio.shield(self._loading[battle])

    async def _load(self, battle: str) -> LiveBattle | None:
        try:
            kept = await self.storage.battle(battle)
            if kept is None:
                return None
            try:
                rules = self.library.ruleset(kept.ruleset)
                found = await load(self.storage, battle, rules, self.aside)
            except (j.JournalDiverged, j.JournalError) as problem:
                words = f"It was begun under other rules than are here now, and can only be watched ({problem})."
                raise Unlawful("trouble", words, 409) from None
            assert found is not None
            live = LiveBattle(self, found)
            self._make_room()
            self._live[battle] = live
            live.wake_bots()
            return live
        finally:
            self._loading.pop(battle, None)

    def _make_room(self) -> None:
        """Forget battles that nobody looks at, the longest unused first; storage has them.

        One that was just asked for is left alone: whoever asked is about to sit down, and there must be only one of it.
        """
        lately = time.monotonic() - 10
        idle = sorted((one for one in self._live.values() if not one.busy and one.used < lately), key=_last_used)
        for one in idle[: max(0, len(self._live) + 1 - self.limits.live)]:
            del self._live[one.id]

    async def _wake_sleepers(self) -> None:
        """Go on with battles that wait for a bot: a server may have died over them."""
        for battle in (await self.storage.waiting_for_bots())[: self.limits.live // 2]:
            try:
                await self.live(battle)
            except Exception as problem:
                log.warning("battle %s does not go on: %s", battle, problem)

    def _heard(self, battle: str, n: int) -> None:
        """Another worker, or this one, has kept something: an entry, or chat where the number is negative."""
        for live in list(self._live.values()) if not battle else [self._live[battle]] if battle in self._live else []:
            if n >= 0:
                self.spawn(live.heard(n if battle else live.n))
            if n < 0 or not battle:
                self.on_chat(live.id)

    # New battles -------------------------------------------------------------------------------------------------

    async def begin(self, wanted: BattleWanted) -> BattleMade:
        """Begin a battle and give its links."""
        rules, setup = await self.aside(lambda: self._setup(wanted))
        chosen = wanted.seed is not None and wanted.seed != ""
        seed = wanted.seed if wanted.seed is not None and chosen else secrets.randbits(53)
        battle = await self.aside(lambda: Battle(rules, setup, seed=seed))
        seats = seats_for(setup.sides, wanted.seats)
        title = wanted.title or wanted.scenario or rules.title or rules.name
        kept = kept_of(battle, seats, title=title, scenario=wanted.scenario, seed_chosen=chosen)
        kept = msgspec.structs.replace(kept, claim_after=wanted.claim_after, pace=wanted.pace)
        return await self.keep(kept, entries_of(battle.journal.lines))

    def _setup(self, wanted: BattleWanted) -> tuple[Ruleset, Setup]:
        if wanted.ruleset not in self.library.names():
            raise Unlawful(
                "ruleset", f"There is no such ruleset; {nearest(wanted.ruleset, self.library.names())}.", 404
            )
        rules = self.library.ruleset(wanted.ruleset)
        scenario, text = wanted.scenario, wanted.text
        if wanted.rosters:
            text, scenario = scenario_with(self.library, wanted.ruleset, scenario, text, wanted.rosters), ""
        return rules, self.library.setup(wanted.ruleset, scenario, wanted.size, text)

    async def keep(self, kept: BattleKept, entries: Sequence[str], snapshot: SnapshotKept | None = None) -> BattleMade:
        """Keep a new battle with all that was said in it so far, and make its links."""
        if await self.storage.going_on() >= self.limits.battles:
            raise Unlawful("limit", "This server has no room for another battle.", 503)
        kept = msgspec.structs.replace(kept, n=len(entries))
        links = links_for(kept)
        await self.storage.begin(kept, [(token_hash(token), link) for token, link in links], entries)
        if snapshot is not None:
            await self.storage.keep_snapshot(kept.id, snapshot)
        await self.live(kept.id)
        return BattleMade(kept.id, tuple(LinkMade(token, link.role, link.sides) for token, link in links))


def _last_used(live: LiveBattle) -> float:
    return live.used


def kept_of(battle: Battle, seats: tuple[SeatKept, ...], **fields: Any) -> BattleKept:
    """What is stored of a battle that begins here."""
    header, ending = battle.journal.header, battle.table.ending
    people = [seat for seat in seats if seat.kind == "person"]
    shared = [seat for seat in seats if seat.kind == "hot seat"]
    return BattleKept(
        id=secrets.token_hex(8),
        ruleset=header.ruleset,
        version=header.version,
        header=msgspec.json.encode(header).decode(),
        open_journal=len(people) + bool(shared) <= 1,
        claim_after=0,
        pace=0,
        n=1,
        ended=battle.ended,
        winner=ending.winner if ending is not None else "",
        waiting=asked(battle),
        begun=now(),
        last=now(),
        seats=seats,
        **fields,
    )


def seats_for(sides: Sequence[str], wanted: Sequence[SeatWanted]) -> tuple[SeatKept, ...]:
    """The seats of a battle: as wanted, and people where nobody was named.

    >>> [seat.kind for seat in seats_for(("red", "blue"), [SeatWanted("blue", "hot seat")])]
    ['person', 'hot seat']
    """
    by_side = {seat.side: seat for seat in wanted}
    for seat in wanted:
        if seat.side not in sides:
            raise Unlawful("seat", f"There is no side {seat.side!r} in this battle; {nearest(seat.side, sides)}.")
        if seat.kind == "bot" and (seat.bot or "random") not in (*bot_names(), *known_bots()):
            raise Unlawful("bot", f"There is no such bot; {nearest(seat.bot, known_bots())}.")
    seats = []
    for side in sides:
        seat = by_side.get(side, SeatWanted(side))
        bot = (seat.bot or "random") if seat.kind == "bot" else ""
        seats.append(SeatKept(side, seat.kind, seat.name, bot))
    return tuple(seats)


def links_for(kept: BattleKept) -> list[tuple[str, LinkKept]]:
    """Fresh tokens: one for each person, one for the hot seat, one for spectators."""
    shared = tuple(seat.side for seat in kept.seats if seat.kind == "hot seat")
    links = [(new_token(), LinkKept(kept.id, "seat", (seat.side,))) for seat in kept.seats if seat.kind == "person"]
    if shared:
        links.append((new_token(), LinkKept(kept.id, "seat", shared)))
    links.append((new_token(), LinkKept(kept.id, "spectator", ())))
    return links
