"""What stands before every request and every socket: who may call, how often, how much; and what every answer says.

Pages of other sites may not speak for a player's browser: a socket or a change that names another origin is refused,
and so is a host name this server does not go by.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec

from sandtable.server.settings import LOOPBACK, Limits, Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_SAFE = ("GET", "HEAD", "OPTIONS")
#: How many seconds whoever asks too much is told to wait.
RETRY_AFTER = "5"
_MOST_ADDRESSES = 20_000
#: What a file of the page counts as, in requests: a page asks for dozens, and one that is refused leaves it blank.
FILE = 0.05


class Bucket:
    """Lets so many through at once, and so many a second after that.

    Litestar's rate limits count whole requests of a path in a store of their own, a window at a time; here shares of
    requests, battles, drafts, messages of a socket and bytes are counted alike, before anything is routed. That is why
    there are these few lines instead.

    >>> bucket = Bucket(rate=0.0, most=2)
    >>> [bucket.takes() for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, most: float) -> None:
        self.rate, self.most = rate, most
        self._left, self._at = most, time.monotonic()

    def takes(self, amount: float = 1.0) -> bool:
        """Whether there is room for this much more; takes it if so."""
        if self._now() < amount:
            return False
        self._left -= amount
        return True

    def spends(self, amount: float) -> float:
        """Take this much, whether there is room or not; gives how many seconds pass until there is again."""
        self._left = self._now() - amount
        return 0.0 if self._left >= 0 else min(-self._left / self.rate, 3600.0) if self.rate else 3600.0

    @property
    def overdrawn(self) -> bool:
        """Whether more was spent than there is."""
        return self._now() < 0

    def _now(self) -> float:
        at = time.monotonic()
        self._left = min(self.most, self._left + (at - self._at) * self.rate)
        self._at = at
        return self._left


class Addresses:
    """What each address has done lately."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets: Counter[str] = Counter()
        self._requests: dict[str, Bucket] = {}
        self._battles: dict[str, Bucket] = {}
        self._bytes: dict[str, Bucket] = {}

    def outgoing(self, address: str) -> Bucket:
        """What may be sent to an address: so many bytes at once, so many a second after that."""
        return self._bucket(self._bytes, address, self.limits.bytes_per_second, self.limits.bytes_at_once)

    def may_request(self, address: str, share: float = 1.0) -> bool:
        """Whether an address may send another request; one that costs less counts as a share of one."""
        limits = self.limits
        return self._bucket(self._requests, address, limits.requests_per_second, limits.requests_at_once).takes(share)

    def may_begin(self, address: str) -> bool:
        """Whether an address may begin another battle, or send a journal."""
        limits = self.limits
        return self._bucket(self._battles, address, limits.battles_per_hour / 3600, limits.battles_at_once).takes()

    def sits_down(self, address: str) -> bool:
        """Whether an address may open another socket; counts it if so."""
        full = self.sockets.total() >= self.limits.connections
        if full or self.sockets[address] >= self.limits.connections_per_address:
            return False
        self.sockets[address] += 1
        return True

    def gets_up(self, address: str) -> None:
        """A socket is closed."""
        self.sockets[address] -= 1
        if self.sockets[address] <= 0:
            del self.sockets[address]

    def _bucket(self, buckets: dict[str, Bucket], address: str, rate: float, most: float) -> Bucket:
        if len(buckets) > _MOST_ADDRESSES:
            # The oldest go, rather than the table growing without end; whoever floods it keeps his own.
            for old in list(buckets)[: _MOST_ADDRESSES // 10]:
                del buckets[old]
        return buckets.setdefault(address, Bucket(rate, most))


def address_of(scope: Mapping[str, Any]) -> str:
    """Who calls, as limits count: an address, or all of an IPv6 network of the kind that is given to one home.

    >>> address_of({"client": ("2001:db8:1:2:3::4", 5)}), address_of({"client": ("::ffff:192.0.2.1", 5)})
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    client = scope.get("client")
    return one_caller(str(client[0])) if client else "?"


@lru_cache(maxsize=4096)
def one_caller(address: str) -> str:
    """An address, or its /64: whoever has one address of it has them all."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found) >> 64 << 64, 64)))


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("localhost:8040"), host_name("[::1]:8040"), host_name("table.example")
    ('localhost', '::1', 'table.example')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Guard:
    """ASGI around the whole application, so that nothing gets past it, not even a page that is not there."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        addresses: Addresses,
        is_file: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.app = app
        self.is_file = is_file
        self.settings = settings
        self.addresses = addresses
        self.names = {*LOOPBACK, *(name.lower() for name in (settings.host, *settings.names))} - {"0.0.0.0", "::"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if scope["type"] == "websocket":
            if refused is not None or not self.addresses.sits_down(address_of(scope)):
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
                return
            try:
                await self.app(scope, receive, send)
            finally:
                self.addresses.gets_up(address_of(scope))
            return
        if refused is not None:
            await _answer(send, *refused)
            return
        outgoing = self.addresses.outgoing(address_of(scope))
        seconds = self.settings.limits.body_seconds
        await self.app(scope, _in_time(receive, seconds), _with_headers(_counted(send, outgoing, seconds)))

    def _refused(self, scope: Scope) -> tuple[int, str, str] | None:
        """Why a call is not let in: status, word, sentence."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if host_name(host).lower().rstrip(".") not in self.names:
            return 421, "host", "This server does not go by that name."
        share = FILE if scope["type"] == "http" and self.is_file(scope["path"]) else 1.0
        if scope["type"] == "http" and not self.addresses.may_request(address_of(scope), share):
            return 429, "limit", "Too many requests; wait a little."
        if scope["type"] == "http" and self.addresses.outgoing(address_of(scope)).overdrawn:
            return 429, "limit", "Too much has been sent to you lately; wait a little."
        if scope["type"] == "websocket" or scope["method"] not in _SAFE:
            origin = headers.get(b"origin")
            if origin is not None and urlsplit_host(origin) != host.lower():
                return 403, "origin", "Another site may not speak for you here."
            if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "origin", "Another site may not speak for you here."
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length[:12]) > self.settings.limits.journal_bytes:
            return 413, "limit", "That is too much to send."
        return None


def urlsplit_host(origin: str) -> str:
    """The host and port of an origin.

    >>> urlsplit_host("http://localhost:8040"), urlsplit_host("null")
    ('localhost:8040', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


class TooSlow(Exception):
    """A request was not sent whole, or its answer not taken, in the time there is for it."""


def _in_time(receive: Receive, seconds: float) -> Receive:
    """What hears a request, so long as it comes whole within so many seconds. Who waits for its answer may wait."""
    end = time.monotonic() + seconds
    whole = False

    async def receiving() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, end - time.monotonic()))
        except TimeoutError:
            raise TooSlow("The request did not come whole in time.") from None
        whole = not message.get("more_body", False)
        return message

    return receiving


def _counted(send: Send, outgoing: Bucket, seconds: float) -> Send:
    """What sends an answer and counts its bytes; one that nobody takes is given up."""

    async def sending(message: Message) -> None:
        outgoing.spends(len(message.get("body", b"")))
        try:
            await asyncio.wait_for(send(message), seconds)
        except TimeoutError:
            raise TooSlow("The answer was not taken in time.") from None

    return sending


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            more = [(name, value) for name, value in _HEADERS if name not in given]
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return sending


async def _answer(send: Send, status: int, why: str, words: str) -> None:
    body = msgspec.json.encode({"why": why, "words": words})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    if status == 429:
        headers.append((b"retry-after", RETRY_AFTER.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
