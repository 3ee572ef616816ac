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
from sandtable.engine.ids import Side
from sandtable.engine.records import journal as j
from sandtable.forces.files import nearest
from sandtable.server.api.bodies import BattleMade, BattleWanted, LinkMade, ScenarioChecked, SeatWanted
from sandtable.server.clock import TICK, ServedTime
from sandtable.server.clocks import wound, written
from sandtable.server.database.entries import load
from sandtable.server.database.kept import BattleKept, LinkKept, SeatKept, new_seed, new_token, now, token_hash
from sandtable.server.database.storage import Storage
from sandtable.server.database.unusable import Held
from sandtable.server.library import known_bots, library
from sandtable.server.live import OTHER_RULES, LiveBattle
from sandtable.server.memory import forget_worked_out, give_memory_back, look_through_all, put_back, set_apart
from sandtable.server.processes.readings import OpenBattle, Opened, Reading
from sandtable.server.processes.turns import Full, Turns
from sandtable.server.processes.workers import Workers
from sandtable.server.settings import Limits, Settings
from sandtable.server.unlawful import Unlawful

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
log = logging.getLogger("sandtable.server")
#: How often clocks are looked at, and how much later than that is still on time, in seconds.
LOOK_AT_CLOCKS, STALLED = 0.5, 1.0
#: After how many ticks all memory is looked through for what nobody can reach: every ten minutes.
LOOK_THROUGH_EVERY = 20


class Hall:
    """Everything that one worker keeps in memory."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.library = library(settings.library)
        self.storage = Storage(settings.address())
        limits = settings.limits
        memory = limits.worker_bytes
        self.thinkers = Workers(
            settings.library, turns=Turns(settings.thinkers, each=limits.live, waiting=2 * limits.live)
        )
        self.judges = Workers(settings.library, settings.judges, memory=memory)
        # One address never has them all, so that somebody else is read within the time of one reading.
        self.readers = Workers(settings.library, memory=memory, turns=_for_strangers(settings.readers, limits))
        self.verifiers = Workers(settings.library, memory=memory, turns=_for_strangers(limits.uploads_at_once, limits))
        self._looks = _for_strangers(2, limits)
        self.clock = ServedTime()
        self._held: Held | None = None
        self.closing = False
        self._closed = asyncio.Event()
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="rules")
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="readers")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._live: dict[str, LiveBattle] = {}
        #: The scenarios that come with rulesets, as they are shown; those that were asked for.
        self.scenarios: dict[tuple[str, str], ScenarioChecked] = {}
        self._loading: dict[str, asyncio.Task[LiveBattle | None]] = {}
        self.on_chat: Callable[[str], None] = lambda battle: None

    async def open(self) -> None:
        """Open storage, listen to other workers, and go on with battles in which a bot is asked."""
        if self.storage.file is not None:
            self._held = Held(self.storage.file)
        await self.storage.open()
        await self.clock.tick(self.storage)
        self.storage.listen(self._heard)
        self.spawn(self._wake_sleepers())
        self.spawn(self._keep_house())
        self.spawn(self._keep_clocks())

    async def close(self) -> None:
        """Let what is being kept be kept, then stop."""
        self.closing = True
        self._closed.set()
        for workers in (self.thinkers, self.judges, self.readers, self.verifiers):
            await workers.close()
        saying = [task for task in self._tasks if not task.done()]
        if saying:
            _, late = await asyncio.wait(saying, timeout=5)
            for task in late:
                task.cancel()
        await self.storage.close()
        put_back()
        if self._held is not None:
            self._held.let_go()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)

    def in_thread(self, work: Callable[[], T], /) -> "asyncio.Future[T]":
        """Run work of a battle that is being played in a thread, so that the loop goes on. It must be short."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def aside(self, work: Callable[[], T], /) -> "asyncio.Future[T]":
        """Run work that may take a while in a thread. No battle waits for it."""
        return asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def look_back(self, who: str, work: Callable[[], T], /) -> T:
        """Run work about a stored battle in a thread, in turn with what others want to look back on."""
        try:
            await self._looks.take(who, self.limits.seconds_to_read)
        except Full:
            raise Unlawful("limit", "Too many are waiting; try again.", 503) from None
        try:
            return await self.aside(work)
        finally:
            self._looks.give_back(who)

    async def read(self, job: Reading, gives: type[S], who: str) -> S:
        """Have something read that a stranger sent, in a process of its own; `Unlawful` says what is wrong with it.

        What comes with a ruleset may take its time on a busy machine: nobody has made it worse than it is.
        """
        seconds = self.limits.seconds_to_read if job.is_strange else self.limits.seconds_to_verify
        return await self.readers.read(job, gives, seconds, who)

    async def play_again(self, job: Reading, gives: type[S], who: str) -> S:
        """The same for what takes longer: a whole battle played again."""
        return await self.verifiers.read(job, gives, self.limits.seconds_to_verify, who)

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
                log.warning("battle %s is of other rules: %s", battle, problem)
                raise Unlawful("trouble", OTHER_RULES, 409) from None
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
            self._live.pop(one.id).let_go()

    async def _keep_house(self) -> None:
        """Every now and then: note who is here, give memory back, and forget battles that nobody visits."""
        ticks = 0
        set_apart()
        while not self.closing:
            await self.rest(TICK)
            ticks += 1
            try:
                await self.clock.tick(self.storage)
                await self._note_visits()
                forgotten = self.forget_idle(self.limits.seconds_idle)
                if forgotten and not self._live:
                    await self.storage.let_go()
                    forget_worked_out()
                if (forgotten and not self._live) or ticks % LOOK_THROUGH_EVERY == 0:
                    look_through_all()
                if forgotten:
                    give_memory_back()
                set_apart()
                # Whoever plays may think for a while, and shall not wait for a process to come up afterwards.
                for workers in () if self._live else (self.thinkers, self.judges, self.readers, self.verifiers):
                    await workers.let_go(self.limits.seconds_idle)
                before = self.clock.now() - self.limits.days_unvisited * 86_400
                for battle in await self.storage.expire(before):
                    if (expired := self._live.pop(battle, None)) is not None:
                        expired.let_go()
            except Exception:
                log.warning("the house is not kept", exc_info=True)

    async def _keep_clocks(self) -> None:
        """Look whose time is up; what went by while nothing here was done counts for nobody."""
        looked, taken = time.monotonic(), self.clock.taken_over
        while not self.closing:
            await self.rest(LOOK_AT_CLOCKS)
            stalled = time.monotonic() - looked - LOOK_AT_CLOCKS
            back = max(0.0, stalled - STALLED) + self.clock.taken_over - taken
            looked, taken = time.monotonic(), self.clock.taken_over
            for live in [one for one in self._live.values() if one.clocks is not None]:
                live.give_time_back(int(1000 * back))
                try:
                    await live.look_at_flags()
                except Exception:
                    log.warning("battle %s: nobody knows whose time is up", live.id, exc_info=True)

    async def _note_visits(self) -> None:
        """Note who is at which table. No name in here outlives it: a battle that is held by one stays in memory."""
        for live in [one for one in self._live.values() if one.watchers]:
            await live.visited()

    def forget_idle(self, seconds: float) -> int:
        """Forget battles that nobody has looked at for so long; gives how many.

        Storage has them. Only ids are named here: one battle that is still held, its parts spread over everything that
        was in use, keeps most of it from being given back.
        """
        before = time.monotonic() - seconds
        idle = [one.id for one in self._live.values() if not one.busy and one.used < before]
        for battle in idle:
            self._live.pop(battle).let_go()
        return len(idle)

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

    async def begin(self, wanted: BattleWanted, who: str) -> BattleMade:
        """Begin a battle and give its links."""
        self.see_ruleset(wanted.ruleset)
        chosen = wanted.seed is not None and wanted.seed != ""
        seed = wanted.seed if wanted.seed is not None and chosen else new_seed()
        job = OpenBattle(wanted.ruleset, wanted.scenario, wanted.text, wanted.size, wanted.rosters, seed)
        opened = await self.read(job, Opened, who)
        seats = seats_for(opened.sides, wanted.seats)
        title = wanted.title or wanted.scenario or opened.title
        kept = kept_of(opened, seats, title=title, scenario=wanted.scenario, seed_chosen=chosen)
        clocks = None
        if wanted.clock is not None:
            people = [seat.side for seat in seats if seat.kind != "bot"]
            clocks = wound(people, wanted.clock.minutes, wanted.clock.increment)
        kept = msgspec.structs.replace(kept, claim_after=wanted.claim_after, pace=wanted.pace, clocks=written(clocks))
        return await self.keep(kept, opened)

    def see_ruleset(self, name: str) -> None:
        """`Unlawful` where there is no such ruleset."""
        if name not in self.library.names():
            raise Unlawful("ruleset", f"There is no such ruleset; {nearest(name[:64], self.library.names())}.", 404)

    async def keep(self, kept: BattleKept, opened: Opened) -> BattleMade:
        """Keep a new battle with all that was said in it so far, and make its links."""
        if await self.storage.going_on() >= self.limits.battles:
            raise Unlawful("limit", "This server has no room for another battle.", 503)
        kept = msgspec.structs.replace(kept, asked=self.clock.now(), visited=self.clock.now())
        links = links_for(kept)
        await self.storage.begin(kept, [(token_hash(token), link) for token, link in links], opened.entries)
        if opened.snapshot is not None:
            await self.storage.keep_snapshot(kept.id, opened.snapshot)
        await self.live(kept.id)
        return BattleMade(kept.id, tuple(LinkMade(token, link.role, link.sides) for token, link in links))


def _last_used(live: LiveBattle) -> float:
    return live.used


def _for_strangers(places: int, limits: Limits) -> Turns:
    most = limits.readings_waiting
    return Turns(places, each=limits.readings_per_address, waiting=most, at_once=max(1, places - 1))


def kept_of(opened: Opened, seats: tuple[SeatKept, ...], **fields: Any) -> BattleKept:
    """What is stored of a battle that begins here."""
    people = [seat for seat in seats if seat.kind == "person"]
    shared = [seat for seat in seats if seat.kind == "hot seat"]
    return BattleKept(
        id=secrets.token_hex(8),
        ruleset=opened.ruleset,
        version=opened.version,
        header=opened.header,
        open_journal=len(people) + bool(shared) <= 1,
        claim_after=0,
        pace=0,
        n=len(opened.entries),
        said=opened.said,
        ended=opened.ended,
        winner=opened.winner,
        waiting=opened.waiting,
        turn=opened.turn,
        begun=now(),
        last=now(),
        seats=seats,
        **fields,
    )


def seats_for(sides: Sequence[Side], wanted: Sequence[SeatWanted]) -> tuple[SeatKept, ...]:
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
