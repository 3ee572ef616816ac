"""A server to test against, and pages that sit at it: real sockets on loopback."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.table import Table
from sandtable.server.hall import Hall
from sandtable.server.serving import listening_socket, server_for
from sandtable.server.settings import Limits, Settings
from tests.server.shelf import WHERE

FREE = Limits(
    messages_per_second=1e9,
    messages_at_once=1e9,
    drafts_per_second=1e9,
    drafts_at_once=1e9,
    requests_per_second=1e9,
    requests_at_once=1e9,
    battles_at_once=1e9,
    connections_per_address=1000,
    seconds_to_read=60.0,
    seconds_to_draft=60.0,  # a busy machine judges slowly, and what is late is not shown
    bytes_per_second=1e12,
    sits_per_second=1e9,
    sits_at_once=1e9,
    chats_per_second=1e9,
    chats_at_once=1e9,
    aside=1_000_000,
    readings_per_address=1000,
    readings_waiting=1000,
)
#: How long anybody waits for something that comes at once on an idle machine: no measure, only an end of waiting.
SECONDS = 120.0


class Server:
    """A server that runs in a thread."""

    def __init__(self, port: int, hall: Callable[[], Hall]) -> None:
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.base, timeout=60)
        self.hall = hall

    def begin(self, ruleset: str = "duel", **wanted: Any) -> dict[str, Any]:
        """Begin a battle; gives its id and its links."""
        answer = self.http.post("/api/battles", json={"ruleset": ruleset, **wanted})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def get(self, path: str, token: str = "", **query: Any) -> httpx.Response:
        """Ask for something, as the holder of a token."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.http.get(path, headers=headers, params=query)

    def post(self, path: str, token: str = "", **body: Any) -> httpx.Response:
        """Send something, as the holder of a token."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.http.post(path, headers=headers, json=body)

    @contextmanager
    def line(self) -> Iterator["Page"]:
        """A page that does not sit yet."""
        with connect(f"ws://127.0.0.1:{self.port}/api/table", max_size=None) as socket:
            yield Page(socket)

    @contextmanager
    def page(self, token: str, side: Side = NO_SIDE, **more: Any) -> Iterator["Page"]:
        """Sit down."""
        with self.line() as page:
            page.sit(token, side, **more)
            yield page


class Page:
    """What a page does: it says, it hears, and it believes the last situation it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last = 0
        self.welcome: dict[str, Any] = {}
        self.situation: dict[str, Any] = {}
        self.ground: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.sizes: list[int] = []

    def sit(self, token: str, side: Side = NO_SIDE, **more: Any) -> None:
        """Take a seat and wait for its first situation."""
        self.welcome = self.ask("sit", token=token, side=side, **more)
        if self.welcome["tell"] == "welcome":
            self.until(lambda: bool(self.situation))

    def hear(self, seconds: float = SECONDS) -> dict[str, Any]:
        """The next message."""
        data = self.socket.recv(timeout=seconds)
        raw = data if isinstance(data, bytes) else data.encode()
        told: dict[str, Any] = json.loads(raw)
        self.sizes.append(len(raw))
        self.heard.append(told)
        if told["tell"] == "situation":
            self.raw.append(raw)
            assert told["log_from"] == len(self.log), "the log has a gap"
            self.log += told["log"]
            self.ground = told["ground"] or self.ground
            if told["orders"] is None:
                told["orders"] = self.situation["orders"]
            self.situation = told
        elif told["tell"] == "welcome":
            # What is told from here on is told to the new seat, from the beginning of its log.
            self.log, self.situation = [], {}
        elif told["tell"] == "chat":
            self.chat.append(told["line"])
        return told

    def until(self, holds: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Listen until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            self.hear(max(0.01, end - time.monotonic()))

    def say(self, what: str, **fields: Any) -> int:
        """Say something; gives its id."""
        self.last += 1
        self.socket.send(json.dumps({"say": what, "id": self.last, **fields}))
        return self.last

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        """Say something and hear what comes of it."""
        asked = self.say(what, **fields)
        while True:
            told = self.hear()
            if told["id"] == asked:
                return told

    def answer(self, draft: Any) -> dict[str, Any]:
        """Answer the open question; when it is kept, wait for what comes of it."""
        asked = self.say("answer", question=self.situation["asks"], answer=draft)
        return self._kept(asked)

    def do(self, what: str, **fields: Any) -> dict[str, Any]:
        """Say something that is kept, and wait for its situation."""
        return self._kept(self.say(what, **fields))

    def _kept(self, asked: int) -> dict[str, Any]:
        while True:
            told = self.hear()
            if told["id"] == asked:
                break
        if told["tell"] == "kept":
            self.until(lambda: self.situation["n"] >= told["n"])
        return told

    def asked(self, n: int = 0) -> None:
        """Wait until this side is asked something, or the battle is over."""
        self.until(lambda: bool(self.situation["n"] >= n and (self.situation["question"] or self.ended)))

    @property
    def ended(self) -> bool:
        return self.situation["table"]["ending"] is not None

    def view(self) -> View:
        """What this page may know, as a bot reads it."""
        shown = {**self.situation["table"], "ground": self.ground}
        return View(self.situation["side"], msgspec.convert(shown, Table))

    def question(self) -> AnyQuestion:
        """The open question."""
        question: AnyQuestion = msgspec.convert(self.situation["question"], AnyQuestion)
        return question

    def play(self, rules: Ruleset, seed: int = 1) -> int:
        """Play to the end with lawful answers at random; gives how many."""
        bot, answers = RandomBot(rules, seed), 0
        while True:
            self.asked()
            if self.ended:
                return answers
            told = self.answer(msgspec.to_builtins(bot.answer(self.view(), self.question())))
            assert told["tell"] in ("kept", "wrong"), told
            answers += told["tell"] == "kept"


@contextmanager
def serving(database: str, limits: Limits = FREE, library: str = WHERE, **more: Any) -> Iterator[Server]:
    """A server in a thread, on a free port."""
    settings = Settings(database=database, port=0, limits=limits, library=library, **more)
    server = server_for(settings)
    sock = listening_socket("127.0.0.1", 0)
    app = server.config.app.app.app  # type: ignore[union-attr]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    end = time.monotonic() + SECONDS
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.01)
    it = Server(sock.getsockname()[1], lambda: app.state.hall)
    try:
        yield it
    finally:
        it.http.close()
        server.should_exit = True
        thread.join(SECONDS)
        sock.close()
        assert not thread.is_alive(), "the server does not stop"
