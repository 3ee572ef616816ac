"""The socket: what a page says is heard and what it is told is sent, until it hangs up or is hung up on."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from sandtable.server.api.guard import address_of
from sandtable.server.hall import Hall
from sandtable.server.seats import messages as m
from sandtable.server.seats.seated import HangUp, Seated

log = logging.getLogger("sandtable.server")


def chat_teller(hall: Hall) -> Callable[[str], None]:
    """What to do when somebody has said something in a battle."""

    def tell(battle: str) -> None:
        live = hall._live.get(battle)
        for watcher in list(live.watchers) if live is not None else []:
            if isinstance(watcher, Seated) and live is not None:
                hall.spawn(watcher.tell_chat(live))

    return tell


@websocket("/api/table")
async def socket_handler(socket: WebSocket[Any, Any, Any]) -> None:
    """Serve one page until it hangs up."""
    hall: Hall = socket.app.state.hall
    await socket.accept()

    async def send(text: str) -> None:
        await socket.send_data(text, mode="text")

    address = address_of(cast(dict[str, Any], socket.scope))
    seated = Seated(hall, send, address, socket.app.state.addresses.outgoing(address))
    sending = asyncio.create_task(seated.sending())
    listening = asyncio.create_task(_listen(hall, socket, seated))
    try:
        done, _ = await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
        problem = next((found for task in done if (found := task.exception()) is not None), None)
        if isinstance(problem, HangUp):
            await socket.close(problem.code, problem.reason)
        elif problem is not None and not isinstance(problem, WebSocketDisconnect | OSError):
            log.error("a socket failed", exc_info=problem)
            await socket.close(1011)
    finally:
        seated.get_up()
        for task in (sending, listening):
            task.cancel()
        await asyncio.gather(sending, listening, return_exceptions=True)
        del socket.receive, socket.send  # they and the socket hold each other, and all that hangs on it


async def _listen(hall: Hall, socket: WebSocket[Any, Any, Any], seated: Seated) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + hall.limits.seconds_to_sit
    while True:
        patience = None if seated.live is not None else max(0.0, deadline - loop.time())
        try:
            event = await asyncio.wait_for(socket.receive(), patience)
        except TimeoutError:
            raise HangUp(1008, "nobody sat down") from None
        if event["type"] == "websocket.disconnect":
            return
        text, raw = event.get("text"), event.get("bytes")
        data = text if isinstance(text, str) else raw
        if not isinstance(data, str | bytes) or len(data) > hall.limits.message_bytes:
            seated.reply(m.Wrong(why="limit", words="That message is too long."))
            continue
        await seated.hear(data)
