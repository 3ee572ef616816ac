"""A battle that is being played here: in memory, behind a lock, never ahead of its storage.

Whatever is said goes the same way: the rules take it or refuse it, its lines are written, and only when they are
durable does anybody hear of it. If writing fails, or another worker was quicker, the battle in memory is thrown away
and read again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from sandtable.engine import journal as j
from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, React, Refusal
from sandtable.engine.replay import resumed
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.table import Ground
from sandtable.server.bots import bot_turn
from sandtable.server.messages import ClaimShown, SeatShown, Situation, Verdict
from sandtable.server.moments import Moments, counts
from sandtable.server.storage import BattleKept, SnapshotKept, Storage, Taken, now
from sandtable.server.telling import Telling
from sandtable.server.views import asked, open_question, seat_verdict, seat_view

if TYPE_CHECKING:
    from sandtable.server.hall import Hall

T = TypeVar("T")
log = logging.getLogger("sandtable.server")

#: After how many entries a snapshot is taken.
SNAPSHOT_EVERY = 25
#: Answers to blind reacts leave on this tick, in seconds: how long somebody thought tells nothing.
TICK = 0.25

_line = msgspec.json.Decoder(j.Line)
_header = msgspec.json.Decoder(j.Header)


class Trouble(Exception):
    """The battle cannot go on: we are wrong, or it was begun under rules that are not here any more."""


class NotKept(Exception):
    """Storage did not take it; nothing has changed, and it may be said again."""


class Watcher(Protocol):
    """Whoever is to be told that something changed."""

    side: str

    def changed(self) -> None:
        """Something changed; look again."""


def read_journal(header: str, entries: list[tuple[int, str]], snapshot: SnapshotKept | None, name: str) -> j.Journal:
    """The journal of a stored battle, its snapshot in its place; a fork has one in its lines as well."""
    lines: list[j.Line] = [_line.decode(row) for _, text in entries for row in text.split("\n") if row]
    if snapshot is not None:
        lines = [line for line in lines if not isinstance(line, j.Snapshot)]
        lines.insert(snapshot.place, j.Snapshot(snapshot.events, msgspec.json.decode(snapshot.state)))
    return j.Journal(_header.decode(header), lines, name)


def first_line(text: str) -> j.Line:
    """What was said in an entry."""
    line: j.Line = _line.decode(text.split("\n", 1)[0])
    return line


def lines_of(lines: list[j.Line]) -> str:
    """Lines of a journal as an entry keeps them."""
    return b"\n".join(msgspec.json.encode(line) for line in lines).decode()


def snapshot_of(battle: Battle, n: int) -> SnapshotKept:
    """A snapshot of a battle, to be stored."""
    saved = battle.saved().lines
    place = next(at for at in range(len(saved) - 1, -1, -1) if isinstance(saved[at], j.Snapshot))
    snapshot = saved[place]
    assert isinstance(snapshot, j.Snapshot)
    return SnapshotKept(n, place, snapshot.events, msgspec.json.encode(snapshot.state).decode())


async def load(
    storage: Storage, battle: str, ruleset: Ruleset, in_thread: "InThread"
) -> tuple[BattleKept, Battle, int] | None:
    """A battle from storage, as it stood, and how many entries it has. `JournalDiverged` where the rules are others."""
    kept = await storage.battle(battle)
    if kept is None:
        return None
    # The snapshot is read first: it is never ahead of the entries.
    snapshot = await storage.snapshot(battle)
    entries = await storage.lines(battle)
    journal = await in_thread(lambda: read_journal(kept.header, entries, snapshot, battle))
    return kept, await in_thread(lambda: resumed(journal, ruleset)), len(entries)


class InThread(Protocol):
    """Runs work of the rules in a thread, so that the loop goes on."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class LiveBattle:
    """One battle in memory, and whoever looks at it."""

    def __init__(self, hall: "Hall", kept: BattleKept, battle: Battle, n: int) -> None:
        self.hall = hall
        self.kept = kept
        self.battle = battle
        self.n = n
        self.lock = asyncio.Lock()
        self.watchers: dict[Watcher, None] = {}
        self.trouble = ""
        self.last = kept.last
        self.used = time.monotonic()
        self._moments = Moments()
        self._tellings: dict[str, Telling] = {}
        self._thinking: dict[str, asyncio.Task[None]] = {}

    @property
    def id(self) -> str:
        """The battle's id."""
        return self.kept.id

    @property
    def said(self) -> int:
        """How much everybody has heard said, the opening too."""
        self._moments.catch_up(self.battle.journal.lines)
        return self._moments.said + 1

    @property
    def busy(self) -> bool:
        """Whether it must stay in memory."""
        return bool(self.watchers or self._thinking or self.lock.locked())

    # What is said ------------------------------------------------------------------------------------------------

    async def answer(self, side: str, question: str, draft: Any, *, reason: str = "") -> Refusal | int:
        """Answer an open question; `Stale` if it is not open any more."""
        return await self.say(lambda battle: battle.answer(draft, side), side, question, reason=reason)

    async def say(
        self, act: Callable[[Battle], Refusal | None], side: str, question: str = "", *, reason: str = ""
    ) -> Refusal | int:
        """Say something to the battle; gives how much has been said then, once it is durable.

        It goes on even if whoever said it hangs up: what the battle in memory has heard is kept.
        """
        return await asyncio.shield(self.hall.spawn(self._say(act, side, question, reason)))

    async def _say(
        self, act: Callable[[Battle], Refusal | None], side: str, question: str, reason: str
    ) -> Refusal | int:
        async with self.lock:
            self._see_it_goes_on()
            asked_now = open_question(self.battle, side, question) if question else None
            before = len(self.battle.journal.lines)
            battle = self.battle
            try:
                refusal = await self.hall.in_thread(lambda: act(battle))
            except Exception:
                log.exception("battle %s: the rules went wrong", self.id)
                await self._read_again()
                raise Trouble("The program went wrong over this answer. Nothing has changed; try another.") from None
            if refusal is not None:
                return refusal
            lines = self.battle.journal.lines[before:]
            await self._keep(lines, reason)
            if _is_blind(asked_now):
                await asyncio.sleep(TICK - time.time() % TICK)
            said = self.said
        self.tell(side if not counts(lines[0]) else None)
        return said

    async def _keep(self, lines: list[j.Line], reason: str) -> None:
        """Write what came of it; the battle in memory is as good as nothing until that is done."""
        ending = self.battle.table.ending
        winner = ending.winner if ending is not None else ""
        waiting = asked(self.battle)
        try:
            await self.hall.storage.append(
                *(self.id, self.n, lines_of(lines)),
                waiting=waiting,
                ended=self.battle.ended,
                winner=winner,
                reason=reason,
                quiet=not counts(lines[0]),
            )
        except Taken:
            await self._read_again()
            self.tell()
            raise
        except Exception:
            log.exception("battle %s: storage did not take an entry", self.id)
            await self._read_again()
            raise NotKept from None
        self.n += 1
        if counts(lines[0]):
            self.last = now()
        if self.n % SNAPSHOT_EVERY == 0 or self.battle.ended:
            await self._keep_snapshot()

    async def _keep_snapshot(self) -> None:
        """Keep a snapshot; nothing is lost where that fails, for the entries are there."""
        try:
            taken = await self.hall.in_thread(lambda: snapshot_of(self.battle, self.n))
            await self.hall.storage.keep_snapshot(self.id, taken)
        except Exception:
            log.exception("battle %s: no snapshot was kept", self.id)

    async def heard(self, n: int) -> None:
        """Another worker has kept an entry: follow it."""
        async with self.lock:
            if n < self.n:
                return
            entries = await self.hall.storage.lines(self.id, self.n - 1)
            said: list[j.Said] = []
            try:
                for _, text in entries:
                    said.append(await self.hall.in_thread(lambda text=text: follow(self.battle, text)))  # type: ignore[misc]
                    self.n += 1
            except Exception:
                log.warning("battle %s: could not follow another worker; reading it again", self.id)
                await self._read_again()
                said = []
            orders = [line.order.side for line in said if isinstance(line, j.Ordered)]
            if len(orders) < len(said):
                self.last = now()
        if entries and len(orders) == len(said) > 0:
            for side in dict.fromkeys(orders):
                self.tell(side)
        elif entries:
            self.tell()

    async def _read_again(self) -> None:
        """Throw the battle in memory away and take it from storage."""
        self._tellings.clear()
        self._moments = Moments()
        try:
            found = await load(self.hall.storage, self.id, self.battle.ruleset, self.hall.in_thread)
        except Exception as problem:
            log.exception("battle %s cannot be read again", self.id)
            self.trouble = f"The battle cannot be read from storage: {problem}"
            return
        assert found is not None
        self.kept, self.battle, self.n = found
        self.trouble = ""

    def _see_it_goes_on(self) -> None:
        self.used = time.monotonic()
        if self.trouble:
            raise Trouble(self.trouble)

    # What is shown -----------------------------------------------------------------------------------------------

    async def situation(self, side: str, since: int, ground: Ground | None) -> Situation:
        """How things stand for one side."""
        async with self.lock:
            claim = self.claim_for(side)
            return await self.hall.in_thread(
                lambda: seat_view(
                    self.battle,
                    side,
                    self.told,
                    n=self.said,
                    since=since,
                    ground=ground,
                    claim=claim,
                    trouble=self.trouble,
                )
            )

    async def verdict(self, side: str, question: str, draft: Any, part: str, value: Any, reply_to: int) -> Verdict:
        """What a draft comes to."""
        async with self.lock:
            self._see_it_goes_on()
            return await self.hall.in_thread(
                lambda: seat_verdict(self.battle, side, question, draft, part, value, reply_to=reply_to)
            )

    def told(self, side: str) -> list[Any]:
        """A side's log in words."""
        telling = self._tellings.get(side)
        if telling is None:
            setup = self.battle.journal.header.setup
            vocabulary = self.hall.library.vocabulary(self.kept.ruleset)
            telling = self._tellings[side] = Telling(setup.sides, setup.options, vocabulary)
        self._moments.catch_up(self.battle.journal.lines)
        return telling.catch_up(self.battle.logs[side], self._moments)

    def claim_for(self, side: str) -> ClaimShown | None:
        """Whose battle a side may claim, and when: of a person who has let the agreed time pass."""
        if not side or not self.kept.claim_after or self.battle.ended or self.battle.question_for(side) is not None:
            return None
        people = [seat.side for seat in self.kept.seats if seat.kind != "bot"]
        absent = next((other for other in asked(self.battle) if other != side and other in people), None)
        if absent is None:
            return None
        return ClaimShown(absent, max(0, self.last + self.kept.claim_after - now()))

    def seats_shown(self) -> tuple[SeatShown, ...]:
        """The seats as everybody sees them."""
        here = {watcher.side for watcher in self.watchers}
        return tuple(
            SeatShown(seat.side, seat.kind, seat.name, seat.bot, seat.kind == "bot" or seat.side in here)
            for seat in self.kept.seats
        )

    def tell(self, side: str | None = None) -> None:
        """Tell everybody who looks, or one side, that something changed, and let bots think."""
        for watcher in list(self.watchers):
            if side is None or watcher.side == side:
                watcher.changed()
        self.wake_bots()

    # Bots --------------------------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """Let every bot that is asked something think, unless it does already."""
        if self.trouble or self.battle.ended or self.hall.closing:
            return
        for seat in self.kept.seats:
            if seat.kind == "bot" and seat.side not in self._thinking and self.battle.question_for(seat.side):
                task = self.hall.spawn(bot_turn(self, seat))
                self._thinking[seat.side] = task
                task.add_done_callback(lambda _, side=seat.side: self._thought(side))  # type: ignore[misc]

    def _thought(self, side: str) -> None:
        self._thinking.pop(side, None)
        self.wake_bots()


def _is_blind(question: AnyQuestion | None) -> bool:
    return isinstance(question, React) and question.blind


def follow(battle: Battle, text: str) -> j.Said:
    """Say to a battle what an entry says, and see that the same comes of it; gives what was said."""
    expected: list[j.Line] = [_line.decode(row) for row in text.split("\n")]
    before = len(battle.journal.lines)
    said = expected[0]
    match said:
        case j.Answered():
            refusal = battle.answer(said.answer, said.side)
        case j.Undone():
            refusal = battle.undo(said.side)
        case j.Ordered():
            refusal = battle.order(said.order, withdraw=said.withdrawn)
        case j.Conceded():
            refusal = battle.concede(said.side)
        case j.DrawOffered():
            refusal = battle.offer_draw(said.side, offers=said.offers)
        case _:
            raise j.JournalDiverged(before, "something said", type(said).__name__)
    if refusal is not None or battle.journal.lines[before:] != expected:
        raise j.JournalDiverged(before, text[:200], "another battle" if refusal is None else refusal.sentence)
    return said
