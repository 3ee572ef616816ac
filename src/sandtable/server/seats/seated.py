"""The socket: one page, one seat (or a spectator's place), one battle.

What goes out is never queued without bound: a page that cannot keep up is told the latest situation and all log lines
it has missed, not every situation in between.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from sandtable.engine.battle import Battle
from sandtable.engine.ids import NO_RULE, NO_SIDE, RuleId, Side
from sandtable.engine.questions import Refusal
from sandtable.engine.state import StandingOrder
from sandtable.engine.table import Ground
from sandtable.server.api.guard import Bucket
from sandtable.server.database.kept import LinkKept, NotKept, NotKnown, Taken
from sandtable.server.hall import Hall
from sandtable.server.live import Acknowledge, LiveBattle, Trouble
from sandtable.server.processes.workers import NotDone
from sandtable.server.seats import messages as m
from sandtable.server.seats.views import Stale
from sandtable.server.unlawful import Unlawful

log = logging.getLogger("sandtable.server")

_said = msgspec.json.Decoder(m.FromPage)
_encode = msgspec.json.Encoder().encode
#: How many replies may wait for a page that does not listen.
MOST_WAITING = 256
NOBODY_ABSENT = "Nobody has been absent for the agreed time."
#: How many lines of chat a page is told when it sits down.
CHAT_TOLD = 200
#: How often in a row a page may be told that it says too much before it is hung up on.
PATIENCE = 20


class HangUp(Exception):
    """The page is hung up on: the code that WebSocket has for it, and why."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


class Seated:
    """One connection."""

    def __init__(
        self, hall: Hall, send: Callable[[str], Awaitable[None]], address: str = "", outgoing: Bucket | None = None
    ) -> None:
        self.hall = hall
        self.address = address
        self._outgoing = outgoing or Bucket(hall.limits.bytes_per_second, hall.limits.bytes_at_once)
        self.side = NO_SIDE
        self.name = ""  # what a spectator is called
        self.live: LiveBattle | None = None
        self._line = send
        self._sat = 0  # how often it has sat down
        self._since = 0
        self._ground: Ground | None = None
        self._orders: tuple[StandingOrder, ...] | None = None
        self._chat = 0
        self._replies: deque[m.ToPage] = deque()
        self._wake = asyncio.Event()
        self._dirty = False
        self._company = False  # whether who sits here has changed
        self._too_much = 0
        self._overrun = False  # whether more waits to be read than may
        self._trying: tuple[int, asyncio.Task[None]] | None = None  # the draft that is being judged, by its id
        limits = hall.limits
        self._messages = Bucket(limits.messages_per_second, limits.messages_at_once)
        self._drafts = Bucket(limits.drafts_per_second, limits.drafts_at_once)
        self._sits = Bucket(limits.sits_per_second, limits.sits_at_once)
        self._chats = Bucket(limits.chats_per_second, limits.chats_at_once)

    # Going out ---------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """The battle has changed."""
        self._dirty = True
        self._wake.set()

    def company_changed(self) -> None:
        """Somebody sat down or got up."""
        self._company = True
        self._wake.set()

    def reply(self, message: m.ToPage) -> None:
        """Send something when its turn comes; a page that does not read is hung up on."""
        if len(self._replies) >= MOST_WAITING:
            self._overrun = True
        else:
            self._replies.append(message)
        self._wake.set()

    def _see_it_reads(self) -> None:
        if self._overrun:
            raise HangUp(1008, "too much is waiting to be read")

    async def _send(self, message: m.ToPage) -> None:
        """Send something; an address that has drawn more than it may waits for the next."""
        data = _encode(message)
        await self._line(data.decode())
        seconds = self._outgoing.spends(len(data))
        if seconds:
            await asyncio.sleep(seconds)

    async def sending(self) -> None:
        """Send what there is, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._see_it_reads()
            while self._replies:
                await self._send(self._replies.popleft())
            if self._company and self.live is not None:
                self._company = False
                watching = sum(1 for watcher in self.live.watchers if not watcher.side)
                seats = self.live.seats_shown()
                await self._send(m.Presence(seats=seats, spectators=watching))
            if self._dirty and self.live is not None:
                self._dirty = False
                await self._tell_situation(self.live)

    async def _tell_situation(self, live: LiveBattle) -> None:
        times = self._sat
        try:
            told = await live.situation(self.side, self._since, self._ground)
        except Trouble as problem:
            await self._send(m.Wrong(why="trouble", words=str(problem)))
            return
        if times != self._sat:
            return  # it sat down anew meanwhile; that has its own situation coming
        self._since = told.log_from + len(told.log)
        if told.ground is not None:
            self._ground = told.ground
        if told.orders == self._orders:
            told = msgspec.structs.replace(told, orders=None)
        else:
            self._orders = told.orders
        await self._send(told)

    # Coming in ---------------------------------------------------------------------------------------------------

    async def hear(self, data: str | bytes) -> None:
        """Take a message; whatever is wrong with it is told, and nothing else happens."""
        self._see_it_reads()
        if not self._messages.takes():
            self._too_much += 1
            if self._too_much > PATIENCE:
                raise HangUp(1008, "too many messages")
            self.reply(m.Wrong(_id_of(data), why="limit", words="Too many messages; wait a little."))
            return
        self._too_much = 0
        try:
            said = _said.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as problem:
            words = f"That is no message of this table: {str(problem)[:200]}"
            self.reply(m.Wrong(_id_of(data), why="form", words=words))
            return
        await self._told_what_is_wrong(said.id, partial(self._heard, said))

    async def _told_what_is_wrong(self, said: int, work: Callable[[], Awaitable[None]]) -> None:
        """Do something that a page said; if it cannot be done, tell the page why."""
        try:
            await work()
        except Unlawful as problem:
            self.reply(m.Wrong(said, why=problem.why, words=problem.words))
        except Stale:
            self.reply(m.Wrong(said, why="stale", words="That question is not open any more."))
            self.changed()
        except Taken:
            self.reply(m.Wrong(said, why="taken", words="Somebody was quicker; this is how things stand now."))
        except NotKept:
            self.reply(m.Wrong(said, why="storage", words="It could not be stored, so it does not count. Try again."))
        except NotKnown:
            words = "Storage does not answer, so nobody knows yet whether it counts; the table shows it once it does."
            self.reply(m.Wrong(said, why="unknown", words=words))
        except SQLAlchemyError:
            log.exception("storage does not answer")
            self.reply(m.Wrong(said, why="storage", words="Storage does not answer. Try again."))
        except Trouble as problem:
            self.reply(m.Wrong(said, why="trouble", words=str(problem)))
        except NotDone as problem:
            log.warning("a draft was not judged: %s", problem)
            self.reply(m.Wrong(said, why="limit", words="That could not be tried; it may be answered all the same."))

    async def _heard(self, said: m.FromPage) -> None:
        if isinstance(said, m.Sit):
            if not self._sits.takes():
                raise Unlawful("limit", "You have just sat down; wait a little.")
            await self._sit(said)
            return
        if isinstance(said, m.Ping):
            self.reply(m.Pong(said.id))
            return
        live = self.live
        if live is None:
            raise Unlawful("seat", "Sit down first.")
        if isinstance(said, m.Named):
            if not self._chats.takes():
                raise Unlawful("limit", "You change your name a lot; wait a little.")
            await self._rename(live, said)
            return
        if isinstance(said, m.Chat):
            if not self._chats.takes():
                raise Unlawful("limit", "You say a lot; wait a little.")
            await self._say_aloud(live, said)
            return
        if not self.side:
            raise Unlawful("seat", "Spectators watch; only seats play.")
        if isinstance(said, m.Draft):
            if not self._drafts.takes():
                raise Unlawful("limit", "Too many drafts; wait a little.")
            self._try(live, said)
            return
        result = await self._act(live, said, lambda n: self.reply(m.Kept(said.id, n=n)))
        if isinstance(result, Refusal):
            self.reply(m.Refused(said.id, refusal=result))

    def _try(self, live: LiveBattle, said: m.Draft) -> None:
        """Have a draft judged, in place of one that is still being judged. Nothing else waits for it."""
        self._stop_trying()
        task = asyncio.create_task(self._told_what_is_wrong(said.id, partial(self._judge, live, said)))
        self._trying = said.id, task

    def _stop_trying(self) -> None:
        if self._trying is not None and not self._trying[1].done():
            self._trying[1].cancel()
            self.reply(m.Wrong(self._trying[0], why="newer", words="A newer draft has come."))
        self._trying = None

    async def _judge(self, live: LiveBattle, said: m.Draft) -> None:
        verdict = await live.verdict(self.side, said, self.address)
        self.reply(msgspec.structs.replace(verdict, id=said.id))

    async def _act(self, live: LiveBattle, said: m.FromPage, kept: Acknowledge) -> Refusal | int:
        side = self.side
        act: Callable[[Battle], Refusal | None]
        live.see_room_for(side, said)
        match said:
            case m.Answer():
                return await live.answer(side, said.question, said.answer, kept=kept)
            case m.Undo():
                act = _undoing(side)
            case m.AskUndo():
                live.see_not_refused(side, said.asks)
                asked = await live.say(_asking_undo(side, said.asks), side, kept=kept)
                if said.asks and not isinstance(asked, Refusal):
                    await live.agree_for_bots(side)
                return asked
            case m.AnswerUndo():
                act = _answering_undo(side, said.agrees)
                live.note_refusal(said.agrees)
            case m.Order():
                order = StandingOrder(side, RuleId(said.rule), said.answer, said.when)
                act = _ordering(order, said.withdraw)
            case m.Concede():
                act = _conceding(side)
            case m.OfferDraw():
                act = _offering(side, said.offers)
            case m.Claim():
                await live.look_who_left()
                claim = live.claim_for(side)
                if claim is None or claim.seconds > 0:
                    raise Unlawful("claim", NOBODY_ABSENT)
                act = _claiming(live, side)
            case _:
                raise Unlawful("form", "That is no message of this table.")
        return await live.say(act, side, kept=kept)

    async def _sit(self, said: m.Sit) -> None:
        link = await self.hall.storage.link(said.token)
        if link is None:
            raise Unlawful("gone", "There is no such seat. Was the link copied whole?")
        side = Side(said.side) or next(iter(link.sides), NO_SIDE)
        if side and side not in link.sides:
            raise Unlawful("seat", "This link does not sit at that side.")
        live = await self.hall.live(link.battle)
        if live is None:
            raise Unlawful("gone", "There is no such battle.")
        live.see_it_goes_on()
        self.get_up()
        self.side = side
        live.watchers[self] = None
        try:
            await live.visited()
            self.reply(await self._welcome(said.id, live, link))
        except BaseException:
            live.watchers.pop(self, None)
            raise
        # Only now: a situation must never overtake the welcome, with which a page begins its log anew.
        self.live = live
        self._sat += 1
        self._since, self._ground, self._orders = said.since, None, None
        tell_company(live)
        self.changed()

    async def _welcome(self, reply_to: int, live: LiveBattle, link: LinkKept) -> m.Welcome:
        kept, rules = live.kept, live.battle.ruleset
        chat = await self.hall.storage.chat(live.id, most=CHAT_TOLD)
        self._chat = chat[-1].n if chat else 0
        return m.Welcome(
            reply_to,
            battle=live.id,
            ruleset=kept.ruleset,
            version=kept.version,
            title=kept.title,
            unit=rules.unit,
            scenario=kept.scenario,
            role=link.role,
            side=self.side,
            sides=link.sides,
            seats=live.seats_shown(),
            seed=live.battle.journal.header.seed if kept.seed_chosen else None,
            options=dict(live.battle.view(self.side).table.options),
            minutes=live.clocks.minutes if live.clocks else 0,
            increment=live.clocks.increment if live.clocks else 0,
            claim_after=kept.claim_after,
            open_journal=kept.open_journal or live.battle.ended,
            chat=tuple(m.ChatLine(line.n, line.side, line.name, line.at, line.text) for line in chat),
        )

    def get_up(self) -> None:
        """Leave the seat."""
        self._stop_trying()
        live, self.live = self.live, None
        if live is not None:
            if self.side:
                live.left[self.side] = self.hall.clock.now()
                self.hall.spawn(live.leaves(self.side))
            live.watchers.pop(self, None)
            tell_company(live)

    # Chat --------------------------------------------------------------------------------------------------------

    async def _say_aloud(self, live: LiveBattle, said: m.Chat) -> None:
        name = next((seat.name for seat in live.kept.seats if seat.side == self.side), self.name)
        most = self.hall.limits.chat_lines // (1 if self.side else 2)
        try:
            kept = await self.hall.storage.say(live.id, self.side, name, said.text, most)
        except Exception:
            log.exception("chat was not kept")
            raise NotKept from None
        if kept is None:
            raise Unlawful("limit", "Enough has been said in this battle.")
        self.reply(m.Kept(said.id, n=kept.n))
        if self.hall.storage.sqlite:
            self.hall.on_chat(live.id)

    async def _rename(self, live: LiveBattle, said: m.Named) -> None:
        self.name = said.name.strip()
        if self.side:
            await live.rename(self.side, self.name)
        self.reply(m.Kept(said.id, n=live.said))
        tell_company(live)

    async def tell_chat(self, live: LiveBattle) -> None:
        """Tell what was said since the last time."""
        for line in await self.hall.storage.chat(live.id, self._chat):
            if line.n > self._chat:
                self._chat = line.n
                self.reply(m.ChatSaid(line=m.ChatLine(line.n, line.side, line.name, line.at, line.text)))


class _Numbered(msgspec.Struct):
    """As much of a message as it takes to say which one was wrong."""

    id: m.Id = 0


def _id_of(data: str | bytes) -> int:
    try:
        return msgspec.json.decode(data, type=_Numbered).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return 0


def tell_company(live: LiveBattle) -> None:
    """Tell everybody at a table who sits there."""
    for watcher in list(live.watchers):
        if isinstance(watcher, Seated):
            watcher.company_changed()
            if live.kept.claim_after:
                watcher.changed()  # who is here decides who may be waited for in vain


def _undoing(side: Side) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.undo(side)


def _asking_undo(side: Side, asks: bool) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.ask_undo(side, asks=asks)


def _answering_undo(side: Side, agrees: bool) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.answer_undo(side, agrees=agrees)


def _ordering(order: StandingOrder, withdraw: bool) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.order(order, withdraw=withdraw)


def _conceding(side: Side) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.concede(side)


def _claiming(live: LiveBattle, side: Side) -> Callable[[Battle], Refusal | None]:
    """Concede for whoever is absent, if somebody still is when it is said: he may have answered meanwhile."""

    def act(battle: Battle) -> Refusal | None:
        claim = live.claim_for(side)
        if claim is None or claim.seconds:
            return Refusal(NO_RULE, NOBODY_ABSENT)
        return battle.concede(claim.side, why="away")

    return act


def _offering(side: Side, offers: bool) -> Callable[[Battle], Refusal | None]:
    return lambda battle: battle.offer_draw(side, offers=offers)
