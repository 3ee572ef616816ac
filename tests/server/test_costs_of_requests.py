"""What each request and each message may cost at most: statements of the database and bytes that are sent.

They are counted, not timed, at the most that the route takes, in a battle in which much has been said; `make attack`
holds the processor time of each route against the usual one. A route or a message that is not listed here fails.
What is read in a process of its own is bounded there, in time and memory (`test_costs.py`).
"""

import asyncio
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from sandtable.server import hall
from sandtable.server.api.bodies import MOST_KNOWN
from sandtable.server.app import make_app
from sandtable.server.seats.messages import FromPage
from sandtable.server.settings import Settings
from tests.server.tables import SECONDS, Page, Server, serving

#: So much has been said in the battle.
SAID = 120


class Cost(NamedTuple):
    """At most so many statements and so many bytes, whatever is asked; and, of a body, what is sent."""

    statements: int
    kilobytes: int
    sends: Any = None


SEATS = [{"side": side, "kind": "hot seat"} for side in ("red", "blue")]
REQUESTS = {
    "GET /health": Cost(4, 1),
    "GET /api/socket-schema": Cost(0, 200),
    "GET /api/rulesets": Cost(0, 20),
    "GET /api/rulesets/{name:str}": Cost(0, 20),
    "GET /api/bots": Cost(0, 2),
    "GET /api/rulesets/{name:str}/rules": Cost(0, 10),
    "GET /api/rulesets/{name:str}/rules/{rule:str}": Cost(0, 10),
    "GET /api/rulesets/{name:str}/cards": Cost(0, 10),
    "GET /api/rulesets/{name:str}/scenarios/{scenario:str}": Cost(0, 10),
    "POST /api/rulesets/{name:str}/scenarios/check": Cost(0, 10, {"text": "x" * 60_000}),
    "POST /api/rulesets/{name:str}/scenarios/write": Cost(0, 10, {"form": {"x": ["y"] * 9000}}),
    "POST /api/rulesets/{name:str}/terrain": Cost(0, 10, {"width": 24_000, "height": 24_000, "seed": 1}),
    "GET /api/rulesets/{name:str}/roster": Cost(0, 10),
    "POST /api/rulesets/{name:str}/rosters/check": Cost(0, 70, {"text": "x" * 60_000}),
    "POST /api/rulesets/{name:str}/rosters/write": Cost(0, 10, {"form": {"x": ["y"] * 9000}}),
    "POST /api/battles": Cost(20, 2, {"ruleset": "duel", "title": "x" * 80}),
    "POST /api/battles/known": Cost(6, 100, {"tokens": ["{token}"] * MOST_KNOWN}),
    "GET /api/battles/{battle:str}": Cost(5, 2),
    "GET /api/battles/{battle:str}/log": Cost(10, 200),
    "GET /api/battles/{battle:str}/moments/{n:int}": Cost(10, 20),
    "GET /api/battles/{battle:str}/picture": Cost(10, 50),
    "GET /api/battles/{battle:str}/reasons": Cost(10, 20),
    "POST /api/battles/{battle:str}/watch": Cost(10, 2, {}),
    "GET /api/battles/{battle:str}/journal": Cost(10, 300),
    "POST /api/battles/{battle:str}/fork": Cost(30, 2, {"at": 3, "seats": SEATS}),
    "POST /api/journals": Cost(30, 2, {"line": "header"}),
    "GET /schema/openapi.json": Cost(0, 500),
    "GET /schema": Cost(0, 500),
    "GET /schema/plain": Cost(0, 500),
    "GET /schema/plain/openapi.json": Cost(0, 500),
    "GET /schema/plain/{path:str}": Cost(0, 500),
}
MESSAGES = {
    "sit": Cost(20, 200),
    "draft": Cost(0, 10, {"answer": ["x"] * 5000}),
    "answer": Cost(10, 50, {"answer": "1"}),
    "undo": Cost(10, 50),
    "ask undo": Cost(20, 100),
    "answer undo": Cost(10, 50, {"agrees": False}),
    "name": Cost(10, 20, {"name": "x" * 20}),
    "order": Cost(10, 50, {"rule": "duel.bid", "answer": "1"}),
    "draw": Cost(10, 50, {"offers": False}),
    "claim": Cost(5, 10),
    "chat": Cost(10, 5, {"text": "x" * 500}),
    "ping": Cost(0, 1),
    "concede": Cost(15, 50),
}


class Counting:
    """Counts the statements of a server's database."""

    def __init__(self, server: Server) -> None:
        self.engine = server.hall().storage.engine
        self.statements = 0
        sa.event.listen(self.engine, "before_cursor_execute", self._count)

    def _count(self, *_: Any) -> None:
        self.statements += 1

    def since(self) -> int:
        """How many there were since the last time."""
        found, self.statements = self.statements, 0
        return found


class Full(NamedTuple):
    """A server, a battle in which much was said, the tokens of its hot seat, a count, and what a server always does."""

    server: Server
    battle: str
    token: str
    counting: Counting
    always: set[asyncio.Task[Any]]

    def rest(self) -> None:
        """Wait until the server does nothing any more of what it was asked, also behind its answers."""
        end = time.monotonic() + SECONDS
        while doing := _tasks(self.server) - self.always:
            assert time.monotonic() < end, doing
            time.sleep(0.001)
        self.server.hall().storage._threads.submit(lambda: None).result(SECONDS)


def _tasks(server: Server) -> set[asyncio.Task[Any]]:
    """What the server is at now."""
    return asyncio.all_tasks(next(iter(server.hall()._tasks)).get_loop())


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    """A battle that one person plays, with much said in it and much chat.

    Nobody keeps house or looks at clocks meanwhile: that would count too.
    """
    where = f"sqlite:///{tmp_path_factory.mktemp('full') / 'b.sqlite'}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hall, "TICK", 3600.0)
        patch.setattr(hall, "LOOK_AT_CLOCKS", 3600.0)
        yield from _full(where)


def _full(where: str) -> Iterator[Full]:
    with serving(where) as it:
        always = _tasks(it)
        made = it.begin(seats=SEATS)
        token = made["links"][0]["token"]
        with it.page(token) as page:
            page.answer("2")
            for n in range(SAID):
                assert page.ask("draw", offers=bool(n % 2))["tell"] == "kept"
                assert page.ask("chat", text=f"{n}" * 100)["tell"] == "kept"
        yield Full(it, made["battle"], token, Counting(it), always)


def test_every_route_and_every_message_has_its_bound() -> None:
    app = make_app(Settings(database=":memory:"))
    routes = [(route.path, method) for route in app.routes for method in getattr(route, "methods", ())]
    there = {f"{method} {path}" for path, method in routes if method not in ("OPTIONS", "HEAD")}
    assert there == set(REQUESTS)
    assert {one.__struct_config__.tag for one in FromPage.__args__} == set(MESSAGES)


@pytest.mark.parametrize("route", REQUESTS)
def test_a_request_costs_no_more_than_its_bound(full: Full, route: str) -> None:
    method, _, path = route.partition(" ")
    for part, value in (("name", "duel"), ("battle", full.battle), ("scenario", "0"), ("rule", "duel.bid"), ("n", "3")):
        path = path.replace(f"{{{part}:str}}", value).replace(f"{{{part}:int}}", value)
    cost = REQUESTS[route]
    body = {**cost.sends} if isinstance(cost.sends, dict) else None
    if body is not None and "tokens" in body:
        body["tokens"] = [full.token] * MOST_KNOWN
    full.rest()
    full.counting.since()
    answer = full.server.http.request(
        method, path.replace("{path:str}", "x"), json=body, headers={"authorization": f"Bearer {full.token}"}
    )
    full.rest()
    statements, kilobytes = full.counting.since(), len(answer.content) / 1024
    assert answer.status_code < 500, answer.text
    assert statements <= cost.statements, statements
    assert kilobytes <= cost.kilobytes, kilobytes


@pytest.mark.parametrize("say", MESSAGES)
def test_a_message_costs_no_more_than_its_bound(full: Full, say: str) -> None:
    cost = MESSAGES[say]
    full.rest()
    with full.server.page(full.token) as page:
        _settled(page)
        heard = len(page.sizes)
        full.counting.since()
        fields = (
            {"token": full.token} if say == "sit" else {"question": page.situation["asks"]} if say in _ASKED else {}
        )
        page.ask(say, **(cost.sends or {}), **fields)
        _settled(page)
        statements, kilobytes = full.counting.since(), sum(page.sizes[heard:]) / 1024
    assert statements <= cost.statements, statements
    assert kilobytes <= cost.kilobytes, kilobytes


_ASKED = ("draft", "answer")


def _settled(page: Page) -> None:
    """Hear all that comes of what was said: what is sent after a ping was said before it is answered."""
    for _ in range(3):
        page.ask("ping")
