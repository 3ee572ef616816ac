"""Battles over HTTP: begin one, look back on one, take its journal, fork it, send one."""

from typing import Annotated, Any, cast

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Response

from sandtable.engine.ids import Side
from sandtable.field.drawing import draw
from sandtable.server.api.bodies import (
    BattleMade,
    BattleShown,
    BattleWanted,
    ForkWanted,
    LinkMade,
    LogShown,
    MomentShown,
    ReasonShown,
    SeatWanted,
    TokensKnown,
)
from sandtable.server.api.guard import Addresses, address_of
from sandtable.server.api.problems import PROBLEMS
from sandtable.server.database.kept import BattleKept, LinkKept, new_token
from sandtable.server.hall import Hall, kept_of, seats_for
from sandtable.server.processes.readings import ForkBattle, Opened, VerifyJournal
from sandtable.server.seats.messages import SeatShown
from sandtable.server.seats.past import journal_of, log_shown, may_see_all, moment_shown, said_by_entry, view_for
from sandtable.server.unlawful import Unlawful

BattleId = Annotated[str, PathParameter(max_length=32)]
ViewName = Annotated[str, QueryParameter(max_length=40, description="a side, `everything`, or empty for a spectator's")]
Anyone = Request[Any, Any, Any]
MOST_LINES = 2000


async def opened(request: Anyone, battle: str) -> tuple[Hall, BattleKept, LinkKept]:
    """The battle that a request's token opens; nobody learns whether one without a right to it exists."""
    hall: Hall = request.app.state.hall
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    link = await hall.storage.link(token.strip()) if scheme.lower() == "bearer" and token else None
    kept = await hall.storage.battle(battle) if link is not None and link.battle == battle else None
    if link is None or kept is None:
        raise Unlawful("gone", "There is no such battle for you. Send its token as `Authorization: Bearer …`.", 404)
    return hall, kept, link


def caller(request: Anyone) -> str:
    """Who calls, as limits count."""
    return address_of(cast(dict[str, Any], request.scope))


def _may_begin(request: Anyone) -> None:
    addresses: Addresses = request.app.state.addresses
    if not addresses.may_begin(caller(request)):
        raise Unlawful("limit", "Too many battles have been begun from here; wait a while.", 429)


@post("/api/battles", tags=["battles"], responses=PROBLEMS)
async def begin_battle(request: Anyone, state: State, data: JSONBody[BattleWanted]) -> BattleMade:
    """Begin a battle. The links are told here and nowhere else."""
    _may_begin(request)
    hall: Hall = state.hall
    return await hall.begin(data, caller(request))


@post("/api/battles/known", tags=["battles"], status_code=200, responses=PROBLEMS)
async def known_battles(state: State, data: JSONBody[TokensKnown]) -> list[BattleShown]:
    """The battles that some tokens open; tokens that open nothing are left out."""
    hall: Hall = state.hall
    found = await hall.storage.opened_by(data.tokens)
    return [battle_shown(one[1], one[0], at) for at, one in enumerate(found) if one is not None]


def battle_shown(kept: BattleKept, link: LinkKept, token: int = 0) -> BattleShown:
    """A battle in a list."""
    return BattleShown(
        battle=kept.id,
        ruleset=kept.ruleset,
        title=kept.title,
        role=link.role,
        sides=link.sides,
        seats=tuple(SeatShown(seat.side, seat.kind, seat.name, seat.bot) for seat in kept.seats),
        n=kept.said,
        ended=kept.ended,
        winner=kept.winner,
        begun=kept.begun,
        last=kept.last,
        your_turn=not kept.ended and any(side in kept.waiting for side in link.sides),
        scenario=kept.scenario,
        waiting=kept.waiting,
        turn=kept.turn,
        token=token,
    )


@get("/api/battles/{battle:str}", tags=["battles"], responses=PROBLEMS)
async def one_battle(request: Anyone, battle: BattleId) -> BattleShown:
    """A battle, for whoever holds one of its links."""
    _, kept, link = await opened(request, battle)
    return battle_shown(kept, link)


@get("/api/battles/{battle:str}/log", tags=["past"], responses=PROBLEMS)
async def read_log(
    request: Anyone,
    battle: BattleId,
    view: ViewName = "",
    first: Annotated[int, QueryParameter(ge=0)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=MOST_LINES)] = MOST_LINES,
) -> LogShown:
    """A stretch of a log, in words."""
    hall, kept, link = await opened(request, battle)
    eyes = view_for(link, kept, Side(view))
    journal = await journal_of(hall, kept)
    words = hall.library.vocabulary(kept.ruleset)
    return await hall.look_back(caller(request), lambda: log_shown(journal, eyes, words, first, count))


@get("/api/battles/{battle:str}/moments/{n:int}", tags=["past"], responses=PROBLEMS)
async def read_moment(
    request: Anyone, battle: BattleId, n: Annotated[int, PathParameter(ge=0)], view: ViewName = ""
) -> MomentShown:
    """The table after so many events of a log."""
    hall, kept, link = await opened(request, battle)
    eyes = view_for(link, kept, Side(view))
    journal = await journal_of(hall, kept)
    words = hall.library.vocabulary(kept.ruleset)
    return await hall.look_back(caller(request), lambda: moment_shown(journal, eyes, words, n))


@get("/api/battles/{battle:str}/picture", tags=["past"], media_type="image/svg+xml", responses=PROBLEMS)
async def read_picture(request: Anyone, battle: BattleId, view: ViewName = "") -> Response[str]:
    """The table as a picture, as a side knows it now."""
    hall, kept, link = await opened(request, battle)
    eyes = view_for(link, kept, Side(view))
    live = await hall.live(kept.id)
    if live is None or eyes not in live.battle.state.views:
        raise Unlawful("moment", "There is no such view of this table.", 404)
    async with live.lock:
        live.see_it_goes_on()
        table, level = live.battle.view(eyes).table.copy(), live.battle.ruleset.level
    picture = await hall.look_back(caller(request), lambda: draw(table, level=level))
    return Response(picture, media_type="image/svg+xml")


@get("/api/battles/{battle:str}/reasons", tags=["past"], responses=PROBLEMS)
async def read_reasons(request: Anyone, battle: BattleId) -> list[ReasonShown]:
    """Why the bots answered as they did; readable when it can spoil nothing."""
    hall, kept, _ = await opened(request, battle)
    _see_open(kept)
    said = said_by_entry(await hall.storage.lines(kept.id))
    return [ReasonShown(said[n], side, words) for n, side, words in await hall.storage.reasons(kept.id)]


@post("/api/battles/{battle:str}/watch", tags=["battles"], responses=PROBLEMS)
async def watch_battle(request: Anyone, battle: BattleId) -> LinkMade:
    """Another link for spectators, so that a moment may be shown to somebody without giving a seat away."""
    hall, kept, _ = await opened(request, battle)
    _may_begin(request)
    token, link = new_token(), LinkKept(kept.id, "spectator", ())
    await hall.storage.add_link(token, link)
    return LinkMade(token, link.role, link.sides)


@get("/api/battles/{battle:str}/journal", tags=["past"], media_type="application/x-ndjson", responses=PROBLEMS)
async def read_journal_file(request: Anyone, battle: BattleId) -> Response[bytes]:
    """The journal: seed, answers, everything. Of battles that are over, or that one person plays."""
    hall, kept, _ = await opened(request, battle)
    _see_open(kept)
    journal = await journal_of(hall, kept)
    data = await hall.look_back(caller(request), journal.encode)
    name = f'attachment; filename="{kept.ruleset}-{kept.id}.journal"'
    return Response(data, media_type="application/x-ndjson", headers={"content-disposition": name})


@post("/api/battles/{battle:str}/fork", tags=["past"], responses=PROBLEMS)
async def fork_battle(request: Anyone, battle: BattleId, data: JSONBody[ForkWanted]) -> BattleMade:
    """Go on from a moment of a battle with fresh dice, as a battle of its own."""
    hall, kept, _ = await opened(request, battle)
    _see_open(kept)
    _may_begin(request)
    entries = await hall.storage.lines(kept.id)
    job = ForkBattle(kept.id, kept.ruleset, kept.header, tuple(text for _, text in entries), data.at)
    fork = await hall.play_again(job, Opened, caller(request))
    seats = seats_for(fork.sides, data.seats or tuple(_same_seat(kept, seat.side) for seat in kept.seats))
    made = kept_of(fork, seats, title=kept.title, scenario=kept.scenario, seed_chosen=False)
    return await hall.keep(made, fork)


def _same_seat(kept: BattleKept, side: Side) -> SeatWanted:
    seat = next(one for one in kept.seats if one.side == side)
    return msgspec.convert({"side": side, "kind": seat.kind, "name": seat.name, "bot": seat.bot}, SeatWanted)


def _see_open(kept: BattleKept) -> None:
    if not may_see_all(kept):
        raise Unlawful("seat", "That can be had when the battle is over.", 403)


@post("/api/journals", tags=["past"], request_max_body_size=8 * 1024 * 1024, responses=PROBLEMS)
async def send_journal(request: Anyone, state: State) -> BattleMade:
    """Send a journal to watch it, or to go on with it at one device. It is played again and must come out the same."""
    _may_begin(request)
    hall: Hall = state.hall
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        raise Unlawful("journal", "A journal is UTF-8 text, and this is not. Use a copy that is whole.", 422) from None
    again = await hall.play_again(VerifyJournal(text), Opened, caller(request))
    seats = seats_for(again.sides, [SeatWanted(side, "hot seat") for side in again.sides])
    kept = kept_of(again, seats, title="A journal", scenario="", seed_chosen=True)
    return await hall.keep(kept, again)


HANDLERS = [
    begin_battle,
    known_battles,
    one_battle,
    read_log,
    read_moment,
    read_picture,
    read_reasons,
    watch_battle,
    read_journal_file,
    fork_battle,
    send_journal,
]
