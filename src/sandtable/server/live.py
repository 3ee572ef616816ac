"""A battle that is being played here: in memory, behind a lock, never ahead of its storage.

Whatever is said goes the same way: the rules take it or refuse it, its lines are written, and only when they are
durable does anybody hear of it. If writing fails, or another worker was quicker, the battle in memory is thrown away
and read again.
"""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import TakenBack
from sandtable.engine.ids import NO_RULE, NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, React, Refusal, fingerprint
from sandtable.engine.records import journal as j
from sandtable.engine.table import Ground
from sandtable.server.clock import TICK as TICK_OF_CLOCK
from sandtable.server.clocks import Clocks, written
from sandtable.server.clocks import read as read_clocks
from sandtable.server.database.entries import Loaded, follow, lines_of, load, snapshot_of
from sandtable.server.database.kept import NotKept, NotKnown, Taken
from sandtable.server.processes.bots import LONGEST, REST, bot_turn
from sandtable.server.processes.tasks import Judge, Judged, context_bytes
from sandtable.server.processes.workers import GRACE
from sandtable.server.seats import messages as m
from sandtable.server.seats.messages import ClaimShown, ClockShown, Draft, SeatShown, Situation, Verdict
from sandtable.server.seats.moments import Moments, counts
from sandtable.server.seats.telling import Telling
from sandtable.server.seats.views import asked, open_question, seat_view
from sandtable.server.unlawful import Unlawful

if TYPE_CHECKING:
    from sandtable.server.hall import Hall

log = logging.getLogger("sandtable.server")

#: After how many entries a snapshot is taken.
SNAPSHOT_EVERY = 25
#: How often storage is asked whether it has an entry after all.
ASK_AGAIN = 3
#: Answers to blind reacts leave on this tick, in seconds: how long somebody thought tells nothing.
TICK = 0.25


#: Why a battle does not go on, as everybody is told.
NOT_READ = "Storage does not give the battle back; it goes on once it does."
OTHER_RULES = "It was begun under other rules than are here now, and can only be watched."


class Trouble(Exception):
    """The battle cannot go on: we are wrong, or it was begun under rules that are not here any more."""


class Because(NamedTuple):
    """Why a bot answers as it does, and what it wants to be told with its next question."""

    reason: str = ""
    mind: Any = None


NO_REASON = Because()


#: Whoever said something is told that it is kept, and how much has been said then.
Acknowledge = Callable[[int], None]


def _to_nobody(said: int) -> None:
    """Nobody wants to know."""


class Watcher(Protocol):
    """Whoever is to be told that something changed."""

    side: Side

    def changed(self) -> None:
        """Something changed; look again."""


class LiveBattle:
    """One battle in memory, and whoever looks at it."""

    def __init__(self, hall: "Hall", loaded: Loaded) -> None:
        self.hall = hall
        self.kept, self.battle, self.n, self.minds = loaded
        self.lock = asyncio.Lock()
        self.watchers: dict[Watcher, None] = {}
        self.trouble = ""
        self.asked = self.kept.asked
        self.left = {seat.side: seat.left for seat in self.kept.seats}
        self.clocks = read_clocks(self.kept.clocks)
        self._stopped: int | None = None  # since when nobody can play, and no clock counts
        self._refused: dict[Side, int] = {}  # side → how much it had answered when its asking was refused
        self.used = time.monotonic()
        self._broken = False
        self._mending = False
        self._snapping = False
        self._contexts: dict[str, tuple[str, bytes]] = {}
        self._moments = Moments()
        self._asides: Counter[str] = Counter()
        self._counted = 0
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
        return bool(self.watchers or self._thinking or self._snapping or self._mending or self.lock.locked())

    def let_go(self) -> None:
        """Nobody looks at it any more: what is held of it is let go of, so that it is freed at once."""
        self.battle.close()
        self._tellings.clear()
        self.trouble, self._broken = NOT_READ, True

    # What is said ------------------------------------------------------------------------------------------------

    async def answer(
        self, side: Side, question: str, draft: Any, because: Because = NO_REASON, kept: Acknowledge = _to_nobody
    ) -> Refusal | int:
        """Answer an open question; `Stale` if it is not open any more."""
        return await self.say(lambda battle: battle.answer(draft, side), side, question, because, kept)

    async def say(
        self,
        act: Callable[[Battle], Refusal | None],
        side: Side,
        question: str = "",
        because: Because = NO_REASON,
        kept: Acknowledge = _to_nobody,
    ) -> Refusal | int:
        """Say something to the battle; gives how much has been said then, once it is durable.

        `kept` is told so too, before anybody hears what came of it. It goes on even if whoever said it hangs up: what
        the battle in memory has heard is kept.
        """
        heard = self.hall.clock.milliseconds()
        return await asyncio.shield(self.hall.spawn(self._say(act, side, question, because, kept, heard)))

    async def _say(
        self,
        act: Callable[[Battle], Refusal | None],
        side: Side,
        question: str,
        because: Because,
        kept: Acknowledge,
        heard: int,
    ) -> Refusal | int:
        async with self.lock:
            self.see_it_goes_on()
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
            await self._keep(lines, side, because, heard)
            if _is_blind(asked_now):
                await asyncio.sleep(TICK - time.time() % TICK)
            said = self.said
        kept(said)
        self.tell(side if not counts(lines[0]) else None)
        if (self.n % SNAPSHOT_EVERY == 0 or self.battle.ended) and not self._snapping:
            self._snapping = True
            self.hall.spawn(self._keep_snapshot())
        return said

    async def _keep(self, lines: list[j.Line], side: Side, because: Because, heard: int) -> None:
        """Write what came of it; the battle in memory is as good as nothing until that is done."""
        ending = self.battle.table.ending
        winner = ending.winner if ending is not None else NO_SIDE
        waiting, mark = asked(self.battle), secrets.token_hex(8)
        clocks = self._clocks_after(waiting, heard)
        try:
            await self.hall.storage.append(
                *(self.id, self.n, lines_of(lines)),
                waiting=waiting,
                ended=self.battle.ended,
                winner=winner,
                quiet=not counts(lines[0]),
                mark=mark,
                asked=self.hall.clock.now() if _moves_on(lines) else None,
                turn=self.battle.table.turn,
                clocks=written(clocks),
                thought=(side, *because) if self.kept_bot(side) else None,
            )
        except Exception as problem:
            # A database may write an entry and never say so: what it holds decides, not what it answered.
            if not isinstance(problem, Taken):
                log.exception("battle %s: storage did not say that it took an entry", self.id)
            if not await self._was_kept(self.n, mark):
                await self._read_again()
                self.tell()
                if isinstance(problem, Taken):
                    raise
                raise (NotKnown if self._broken else NotKept) from None
        self.n += 1
        self.trouble = ""
        self.clocks = clocks
        if _moves_on(lines):
            self.asked = self.hall.clock.now()
        if self.kept_bot(side):
            self.minds[side] = because.mind

    async def _was_kept(self, n: int, mark: str) -> bool:
        """Whether the entry of that number is the one with this mark; asked again while storage does not answer."""
        for attempt in range(ASK_AGAIN):
            try:
                return await self.hall.storage.mark_of(self.id, n) == mark
            except Exception:
                log.warning("battle %s: storage does not say whether it has entry %d", self.id, n)
                if attempt + 1 < ASK_AGAIN:
                    await self.hall.rest(REST / 2)
        return False

    async def _keep_snapshot(self) -> None:
        """Keep a snapshot; nothing is lost where that fails, for the entries are there, and nobody waits for it."""
        try:
            async with self.lock:
                taken = await self.hall.in_thread(lambda: snapshot_of(self.battle, self.n))
            await self.hall.storage.keep_snapshot(self.id, taken)
        except Exception:
            log.exception("battle %s: no snapshot was kept", self.id)
        finally:
            self._snapping = False

    async def heard(self, n: int) -> None:
        """Another worker has kept an entry: follow it, however often storage has to be asked for it."""
        while not self.hall.closing:
            try:
                await self._follow(n)
            except Exception as problem:
                log.warning("battle %s: storage does not tell what another worker has kept: %r", self.id, problem)
                await self.hall.rest(REST)
            else:
                return

    async def _follow(self, n: int) -> None:
        async with self.lock:
            if n < self.n:
                return
            entries = await self.hall.storage.lines(self.id, self.n - 1)
            said: list[j.Entry] = []
            before = len(self.battle.journal.lines)
            try:
                for _, text in entries:
                    said.append(await self.hall.in_thread(lambda text=text: follow(self.battle, text)))  # type: ignore[misc]
                    self.n += 1
            except Exception:
                log.warning("battle %s: could not follow another worker; reading it again", self.id)
                await self._read_again()
                said = []
            if entries and any(seat.kind == "bot" for seat in self.kept.seats):
                self.minds = await self.hall.storage.minds(self.id)
            orders = [line.order.side for line in said if isinstance(line, j.Ordered)]
            if said and _moves_on(self.battle.journal.lines[before:]):
                self.asked = self.hall.clock.now()
            if entries and self.clocks is not None:
                await self._read_clocks()
        if entries and len(orders) == len(said) > 0:
            for side in dict.fromkeys(orders):
                self.tell(side)
        elif entries:
            self.tell()

    async def _read_again(self) -> None:
        """Throw the battle in memory away and take it from storage."""
        self._tellings.clear()
        self._contexts.clear()
        self._moments = Moments()
        try:
            found = await load(self.hall.storage, self.id, self.battle.ruleset, self.hall.in_thread)
        except Exception as problem:
            # What went wrong may hold secrets of the battle, or of the machine: it is for the log alone.
            log.warning("battle %s cannot be read again: %r", self.id, problem)
            lost = isinstance(problem, j.JournalDiverged | j.JournalError)
            self.trouble, self._broken = OTHER_RULES if lost else NOT_READ, True
            if self._stopped is None:
                self._stopped = self.hall.clock.milliseconds()
            if not self._mending and not lost:
                self._mending = True
                self.hall.spawn(self._mend())
            return
        assert found is not None
        self.kept, self.battle, self.n, self.minds = found
        self.trouble, self._broken = "", False
        if self._stopped is not None and self.clocks is not None:
            self.clocks = self.clocks.given_back(self.hall.clock.milliseconds() - self._stopped)
        self._stopped = None

    async def _mend(self) -> None:
        """Read the battle until storage gives it again; then let everybody go on."""
        rest = REST
        while self._broken and not self.hall.closing:
            await self.hall.rest(rest)
            rest = min(2 * rest, LONGEST)
            async with self.lock:
                if self._broken:
                    await self._read_again()
        self._mending = False
        self.tell()

    def see_room_for(self, side: Side, said: m.FromPage) -> None:
        """`Unlawful` where a seat says more than a battle has room for: again and again, or too much at once."""
        limits = self.hall.limits
        if self.n >= limits.entries and not isinstance(said, m.Concede | m.Claim):
            raise Unlawful("limit", "So much has been said in this battle that only conceding is left.")
        if not isinstance(said, m.Order | m.Undo | m.AskUndo | m.AnswerUndo | m.OfferDraw):
            return
        self._count_asides()
        if self._asides[side] >= limits.aside:
            raise Unlawful("limit", "You have ordered, offered or taken back too often in this battle.")
        if isinstance(said, m.Order) and not said.withdraw:
            if len(msgspec.json.encode(said)) > limits.order_bytes:
                raise Unlawful("limit", "That order is too long.")
            if sum(order.side == side for order in self.battle.state.orders) >= limits.orders:
                raise Unlawful("limit", "You have given enough standing orders; withdraw some first.")

    def _count_asides(self) -> None:
        """How often each side has ordered, undone or spoken of a draw, as the journal grows."""
        lines = self.battle.journal.lines
        if self._counted > len(lines):
            self._counted, self._asides = 0, Counter()
        for line in lines[self._counted :]:
            if isinstance(line, j.Ordered):
                self._asides[line.order.side] += 1
            elif isinstance(line, j.Undone | j.UndoAsked | j.UndoAnswered | j.DrawOffered):
                self._asides[line.side] += 1
        self._counted = len(lines)

    # What is asked to be taken back ------------------------------------------------------------------------------

    def see_not_refused(self, side: Side, asks: bool) -> None:
        """`Unlawful` where a side asks again for what it was refused: not before it has answered something."""
        if asks and self._refused.get(side) == self._answers_of(side):
            raise Unlawful("undo", "That was refused; play on.")

    def note_refusal(self, agrees: bool) -> None:
        """Note that what is asked for is being refused, so that it is not asked for again and again."""
        if not agrees and (side := self.battle.asks_undo):
            self._refused[side] = self._answers_of(side)

    def _answers_of(self, side: Side) -> int:
        return sum(isinstance(line, j.Answered) and line.side == side for line in self.battle.journal.lines)

    async def agree_for_bots(self, side: Side) -> None:
        """Bots let anybody take back what he likes, and who shares a seat with who asks need not be asked.

        A bot that answered in the same moment has ended the asking: then it is asked for again.
        """
        shared = any(seat.side == side and seat.kind == "hot seat" for seat in self.kept.seats)
        others = [one.side for one in self.kept.seats if one.kind == "bot" or (shared and one.kind == "hot seat")]
        for other in [one for one in others if one != side]:
            for _ in range(ASK_AGAIN):
                agreed = await self.say(_agreeing(other), other)
                if not isinstance(agreed, Refusal) or self.battle.asks_undo:
                    break
                if isinstance(await self.say(_asking(side), side), Refusal):
                    return

    # Clocks ------------------------------------------------------------------------------------------------------

    def start_clocks(self) -> None:
        """Let the clocks run once everybody has sat down."""
        if self.clocks is None or self.clocks.begun or self.battle.ended:
            return
        here = self.here()
        if all(seat.kind == "bot" or seat.side in here or self.left.get(seat.side) for seat in self.kept.seats):
            self.clocks = self.clocks.run(asked(self.battle), self.hall.clock.milliseconds())
            self.tell()

    def _clocks_after(self, waiting: tuple[str, ...], heard: int) -> Clocks | None:
        """The clocks once these sides are asked; before everybody has sat down, and at the end, none runs."""
        if self.clocks is None or not self.clocks.begun:
            return self.clocks
        return self.clocks.run(() if self.battle.ended else waiting, self.hall.clock.milliseconds(), heard)

    async def _read_clocks(self) -> None:
        """The clocks as another worker has stopped and started them."""
        kept = await self.hall.storage.battle(self.id)
        if kept is not None and (stored := read_clocks(kept.clocks)) is not None and stored.begun:
            self.clocks = stored

    def clocks_shown(self) -> tuple[ClockShown, ...]:
        """How much time each side has left."""
        if self.clocks is None:
            return ()
        now = self._stopped if self._stopped is not None else self.hall.clock.milliseconds()
        clocks, still = self.clocks, self._stopped is not None
        return tuple(
            ClockShown(side, max(0, clocks.left_of(side, now)), side in clocks.since and not still)
            for side in clocks.left
        )

    def give_time_back(self, milliseconds: int) -> None:
        """The server did not run for so long; nobody could play."""
        if self.clocks is not None:
            self.clocks = self.clocks.given_back(milliseconds)

    async def look_at_flags(self) -> None:
        """End the battle of a side whose time is up; whoever answered just in time plays on."""
        if self.clocks is None or self._broken or self.battle.ended:
            return
        side = self.clocks.fallen(self.hall.clock.milliseconds())
        if side:
            await self.say(self._losing_on_time, side)

    def _losing_on_time(self, battle: Battle) -> Refusal | None:
        side = self.clocks.fallen(self.hall.clock.milliseconds()) if self.clocks is not None else NO_SIDE
        return battle.concede(side, why="time") if side else Refusal(NO_RULE, "Nobody's time is up.")

    def see_it_goes_on(self) -> None:
        """`Trouble` where the battle in memory may be ahead of what is stored: nobody may see or use it then."""
        self.used = time.monotonic()
        if self._broken:
            raise Trouble(self.trouble)

    # What is shown -----------------------------------------------------------------------------------------------

    async def situation(self, side: Side, since: int, ground: Ground | None) -> Situation:
        """How things stand for one side; `Trouble` while nobody knows."""
        async with self.lock:
            self.see_it_goes_on()
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
                    clocks=self.clocks_shown(),
                    trouble=self.trouble,
                )
            )

    async def verdict(self, side: Side, draft: Draft, who: str = "") -> Verdict:
        """What a draft comes to. It is judged in a process of its own, and nobody else waits for it."""
        async with self.lock:
            self.see_it_goes_on()
            name, context = self.context(side, open_question(self.battle, side, draft.question))
        seconds = self.hall.limits.seconds_to_draft
        job = Judge(draft.question, draft.answer, draft.part, draft.value, seconds, draft.wants)
        judged = await self.hall.judges.ask(self.id, name, context, job, seconds + GRACE, who)
        assert isinstance(judged, Judged)
        return judged.verdict

    def context(self, side: Side, question: AnyQuestion) -> tuple[str, bytes]:
        """An open question of a side as worker processes are told it, under a name that no other has."""
        name = f"{self.id}/{self.n}/{side}/{fingerprint(question)}"
        known = self._contexts.get(side)
        if known is None or known[0] != name:
            view = self.battle.view(side)
            known = self._contexts[side] = name, context_bytes(self.kept.ruleset, view, question)
        return known

    def told(self, side: Side) -> Telling:
        """A side's log in words."""
        telling = self._tellings.get(side)
        if telling is None:
            setup = self.battle.journal.header.setup
            vocabulary = self.hall.library.vocabulary(self.kept.ruleset)
            telling = self._tellings[side] = Telling(setup.sides, setup.options, vocabulary)
        self._moments.catch_up(self.battle.journal.lines)
        telling.catch_up(self.battle.logs[side], self._moments)
        return telling

    def claim_for(self, side: Side) -> ClaimShown | None:
        """Whose battle a side may claim, and when: of a person who is asked and has been away for the agreed time.

        Whoever sits at the table thinks as long as he likes. Time goes by the time served (`clock`).
        """
        if not side or not self.kept.claim_after or self.battle.ended or self.battle.question_for(side) is not None:
            return None
        here = self.here()
        absent = next(
            (one for one in self.kept.seats if one.kind != "bot" and one.side not in here and self._is_asked(one.side)),
            None,
        )
        if absent is None:
            return None
        away = max(self.asked, self.left.get(absent.side, 0))
        # Who sits at another worker is known to the last tick only.
        slack = 0 if self.hall.storage.sqlite else int(2 * TICK_OF_CLOCK)
        return ClaimShown(absent.side, max(0, away + self.kept.claim_after + slack - self.hall.clock.now()))

    def _is_asked(self, side: Side) -> bool:
        return self.battle.question_for(side) is not None

    def here(self) -> set[Side]:
        """The sides at which somebody sits, as far as this worker knows; a hot seat's are all one."""
        found = {watcher.side for watcher in self.watchers if watcher.side}
        shared = {seat.side for seat in self.kept.seats if seat.kind == "hot seat"}
        return found | shared if found & shared else found

    async def look_who_left(self) -> None:
        """Ask storage until when somebody sat at each side: another worker may know."""
        self.left = {**self.left, **await self.hall.storage.left(self.id)}

    async def leaves(self, side: Side) -> None:
        """Note that somebody got up; where that fails, he is taken for having left a little earlier."""
        try:
            await self.hall.storage.seen(self.id, (side,), self.hall.clock.now())
        except Exception:
            log.warning("battle %s: it is not noted who left", self.id)

    async def visited(self) -> None:
        """Note who is here now, for claims and for expiry."""
        sides = sorted(self.here())
        self.left |= dict.fromkeys(sides, self.hall.clock.now())
        await self.hall.storage.seen(self.id, sides, self.hall.clock.now())
        if self.clocks is not None and not self.clocks.begun:
            await self.look_who_left()
            self.start_clocks()

    async def rename(self, side: Side, name: str) -> None:
        """Whoever sits at a side is called so from now on."""
        if any(seat.side == side and seat.name != name for seat in self.kept.seats):
            await self.hall.storage.rename(self.id, side, name)
            seats = tuple(replace(seat, name=name) if seat.side == side else seat for seat in self.kept.seats)
            self.kept = replace(self.kept, seats=seats)

    def kept_bot(self, side: Side) -> bool:
        """Whether a bot sits at a side."""
        return any(seat.side == side and seat.kind == "bot" for seat in self.kept.seats)

    def seats_shown(self) -> tuple[SeatShown, ...]:
        """The seats as everybody sees them."""
        here = self.here()
        return tuple(
            SeatShown(seat.side, seat.kind, seat.name, seat.bot, seat.kind == "bot" or seat.side in here)
            for seat in self.kept.seats
        )

    def tell(self, side: Side | None = None) -> None:
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

    def _thought(self, side: Side) -> None:
        self._thinking.pop(side, None)
        self.wake_bots()


def _moves_on(lines: Sequence[j.Line]) -> bool:
    """Whether something else is asked after what was said; an offer of a draw changes nothing, however often."""
    return any(
        isinstance(line, j.Answered) or (isinstance(line, j.Happened) and isinstance(line.event, TakenBack))
        for line in lines
    )


def _asking(side: Side) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.ask_undo(side)


def _agreeing(side: Side) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.answer_undo(side, agrees=True)


def _is_blind(question: AnyQuestion | None) -> bool:
    return isinstance(question, React) and question.blind
