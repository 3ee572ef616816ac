"""Running the server: uvicorn with the settings it must have, and the browser opened once it is up."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
import threading
import webbrowser

import uvicorn

from sandtable.server.api.lines import Lines, Socket, protocol_with
from sandtable.server.app import guarded
from sandtable.server.database.storage import Storage
from sandtable.server.database.unusable import Held, told_in_a_sentence
from sandtable.server.settings import LOOPBACK, Settings

log = logging.getLogger("sandtable.server")


#: Which allocator Python takes, and the one of the C library.
ALLOCATOR, OF_THE_C_LIBRARY = "PYTHONMALLOC", "malloc"


class PortTaken(Exception):
    """Something else listens there; the message says what to do."""


def server_for(settings: Settings) -> uvicorn.Server:
    """A server that is ready to run. It writes no access log: nobody's link may end up in one."""
    config = uvicorn.Config(
        guarded(settings),
        host=settings.host,
        port=settings.port,
        http=protocol_with(Lines(settings)),
        ws=Socket,
        ws_max_size=settings.limits.message_bytes,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        access_log=False,
        log_level="warning",
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        server_header=False,
        date_header=True,
        lifespan="on",
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=64 * 1024,
    )
    return uvicorn.Server(config)


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to an address; `PortTaken` where another program has it.

    It says that it speaks TCP: asyncio sends at once only on sockets that do. Otherwise the body of an answer waits
    for the browser to acknowledge its head, which takes browsers 40 ms, and a page of fifty files two seconds.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as problem:
        sock.close()
        words = f"cannot listen on {host}:{port} ({problem.strerror}); choose another with --port"
        raise PortTaken(words) from None
    return sock


def start_with_the_allocator_of_the_c_library() -> None:
    """Start this program again with the C library's allocator, once, in the same process; call it first.

    Python's own keeps memory by the megabyte, and a single object that stays keeps the whole of it. The C library's
    gives back every page that is free, so that a server is small again when all have left. Python takes its allocator
    from the environment as it starts. Processes that this one starts have Python's own again, which is quicker.
    """
    if os.name != "posix":
        return
    if ALLOCATOR not in os.environ:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, ALLOCATOR: OF_THE_C_LIBRARY})
    if os.environ[ALLOCATOR] == OF_THE_C_LIBRARY:
        del os.environ[ALLOCATOR]


def see_usable(settings: Settings) -> None:
    """Open the database once before anything listens; `Unusable` says what is wrong with it."""

    async def look() -> None:
        storage = Storage(settings.address())
        held = Held(storage.file) if storage.file is not None else None
        try:
            await storage.open()
        finally:
            await storage.close()
            if held is not None:
                held.let_go()

    with told_in_a_sentence(settings.address()):
        asyncio.run(look())


#: How long a thread goes on before another has its turn, in seconds. An answer goes through several threads, and each
#: time it may have to wait so long for one that reckons; Python's own five thousandths make twenty of an answer.
SWITCH = 0.0005


def serve(settings: Settings, *, browser: bool = False) -> int:
    """Serve until stopped; gives an exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(SWITCH)
    see_usable(settings)
    sock = listening_socket(settings.host, settings.port)
    sock.listen(256)  # whoever calls from here on waits until the server is up, and is not refused
    port = sock.getsockname()[1]
    name = "localhost" if settings.host in LOOPBACK else settings.host
    address = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
    server = server_for(settings)
    print(f"Sandtable is at {address}", flush=True)
    if settings.host not in LOOPBACK and not settings.names:
        print("Browsers elsewhere call it by a name, which has to be given: --name table.example.org", flush=True)
    if browser:
        threading.Thread(target=_open_browser, args=(server, address), daemon=True).start()
    with sock, contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[sock]))
    return 0 if server.started else 1


def _open_browser(server: uvicorn.Server, address: str) -> None:
    waited = threading.Event()
    while not server.started:
        if server.should_exit or waited.wait(0.05):
            return
    webbrowser.open(address)
