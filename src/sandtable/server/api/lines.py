"""Connections before they ask for anything: so many from one address, and no long silence.

A request is limited by `guard`; this is about those that never make one, and would hold a place for ever.
"""

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sandtable.server.api.guard import one_caller
from sandtable.server.settings import Settings


class Lines:
    """How many connections each address holds, as long as they speak HTTP."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.limits.lines_per_address
        # Everybody behind a proxy comes from its address: there the proxy has to count.
        self.uncounted = one_caller(settings.proxy)
        self.seconds = settings.limits.seconds_to_ask
        self._held: Counter[str] = Counter()

    def comes(self, address: str) -> bool:
        """Whether an address may hold another connection; counts it if so."""
        if self._held[address] >= self.most and address != self.uncounted:
            return False
        self._held[address] += 1
        return True

    def goes(self, address: str) -> None:
        """A connection is closed, or has become a socket, which is counted elsewhere."""
        self._held[address] -= 1
        if self._held[address] <= 0:
            del self._held[address]


def protocol_with(lines: Lines) -> type[asyncio.Protocol]:
    """HTTP as uvicorn speaks it, with these limits."""

    class Line(H11Protocol):
        """One connection."""

        _address = ""
        _silence: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = one_caller(self.client[0]) if self.client else "?"
            if not lines.comes(address):
                transport.abort()
                return
            self._address = address
            self._silence = self.loop.call_later(lines.seconds, transport.abort)

        def handle_events(self) -> None:
            super().handle_events()
            if self.conn.their_state is not h11.IDLE:  # a whole head has been read
                self._has_asked()

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_go()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._let_go()
            super().handle_websocket_upgrade(event)

        def _has_asked(self) -> None:
            if self._silence is not None:
                self._silence.cancel()
                self._silence = None

        def _let_go(self) -> None:
            self._has_asked()
            if self._address:
                lines.goes(self._address)
                self._address = ""

    return Line


class Socket(WebSocketsSansIOProtocol):
    """One socket, as uvicorn serves it. Once it is over it lets go of its parser, which otherwise holds it in a circle.

    With the parser goes what zips its messages, some seventy kilobytes; circles are seldom looked for (`memory`).
    """

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is down."""
        super().connection_lost(exc)
        self.conn.parser.close()
