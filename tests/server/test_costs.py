"""No input costs more than it should: of time, of memory, of what others wait for."""

import asyncio
import gc
import socket
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import WebSocket
from websockets.server import ServerProtocol

from sandtable.engine.ids import RED
from sandtable.engine.records.journal import FORMAT
from sandtable.engine.shapes import Disc, Point
from sandtable.field.outlines import core_of
from sandtable.server import hall, memory
from sandtable.server.api.bodies import ScenarioChecked
from sandtable.server.api.page_files import PageFiles
from sandtable.server.clock import ServedTime
from sandtable.server.database.kept import LinkKept, token_hash
from sandtable.server.database.storage import Storage
from sandtable.server.library import library
from sandtable.server.processes.readings import CheckScenario
from sandtable.server.processes.turns import Full, Turns
from sandtable.server.processes.workers import Workers
from sandtable.server.seats.seated import CHAT_TOLD
from sandtable.server.settings import INSTALLED
from sandtable.server.unlawful import Unlawful
from tests.server.greedy import WHERE as GREEDY
from tests.server.tables import FREE, SECONDS, Server, serving
from tests.server.test_storage import a_battle, using


def test_turns_go_round_in_a_circle_of_callers() -> None:
    async def all_of_it() -> list[str]:
        turns, order = Turns(1, each=50), list[str]()

        async def call(who: str) -> None:
            await turns.take(who)
            order.append(who)
            await asyncio.sleep(0)
            turns.give_back(who)

        await asyncio.gather(*(call("greedy") for _ in range(40)), call("one"), call("two"))
        return order

    order = asyncio.run(all_of_it())
    assert max(order.index("one"), order.index("two")) < 5
    assert len(order) == 42


def test_one_caller_never_holds_every_place_and_never_fills_the_queue() -> None:
    async def all_of_it() -> None:
        turns = Turns(2, each=3, at_once=1)
        await turns.take("greedy")
        waiting = [asyncio.create_task(turns.take("greedy")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await turns.take("greedy")
        await turns.take("another", 0.0)
        turns.give_back("another")
        assert not any(one.done() for one in waiting)
        waiting[1].cancel()
        turns.give_back("greedy")
        await waiting[0]
        turns.give_back("greedy")
        await waiting[2]
        turns.give_back("greedy")
        assert turns.waiting == 0
        await asyncio.gather(turns.take("a"), turns.take("b"))
        with pytest.raises(Full):
            await turns.take("c", 0.0)

    asyncio.run(all_of_it())


@pytest.mark.parametrize("what", ["sleep", "memory", "die"])
def test_what_takes_too_much_time_or_memory_is_ended_and_the_next_is_read(what: str) -> None:
    async def all_of_it() -> None:
        workers = Workers(GREEDY, 1, memory=512 << 20)
        try:
            with pytest.raises(Unlawful) as found:
                await workers.read(CheckScenario(what, ""), ScenarioChecked, 2.0, "me")
            assert found.value.status in (422, 503)
            assert "\n" not in found.value.words
            with pytest.raises(Unlawful) as found:
                await workers.read(CheckScenario("duel", ""), ScenarioChecked, 60.0, "me")
            assert (found.value.why, found.value.words) == ("rule", "This ruleset has no ledger.")
        finally:
            await workers.close()

    asyncio.run(all_of_it())


def test_many_requests_from_one_address_hold_nobody_else_up(tmp_path: Path) -> None:
    """Eighty at once from one address are read one by one or told to wait; another address goes before them."""
    limits = msgspec.structs.replace(FREE, seconds_to_read=60.0, readings_per_address=4)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits, library=INSTALLED) as it:
        ground = {"width": 24000, "height": 24000, "seed": 1}
        with ThreadPoolExecutor(80) as pool:
            asked = [pool.submit(it.http.post, "/api/rulesets/stargrunt/terrain", json=ground) for _ in range(80)]
            elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
            with httpx.Client(base_url=it.base, transport=elsewhere, timeout=60) as other:
                assert other.post("/api/rulesets/stargrunt/terrain", json=ground).status_code == 200
            answers = [one.result() for one in asked]
        counted = [answer.status_code for answer in answers]
        assert set(counted) <= {200, 503}
        assert counted.count(503) >= 40
        assert all(answer.json()["why"] == "limit" for answer in answers if answer.status_code == 503)


def test_a_journal_that_is_no_text_is_told_so(server: Server) -> None:
    answer = server.http.post("/api/journals", content=b"\xff\xfe\x00")
    assert (answer.status_code, answer.json()["why"]) == (422, "journal")


def test_sides_of_a_journal_have_short_plain_names(server: Server) -> None:
    def sent(sides: list[str]) -> dict[str, Any]:
        header = {"line": "header", "format": FORMAT, "ruleset": "duel", "version": "1", "setup": {"sides": sides}}
        answer = server.http.post("/api/journals", content=msgspec.json.encode(header) + b"\n")
        assert answer.status_code == 422
        found: dict[str, Any] = answer.json()
        return found

    assert "sides" in sent(["x" * 100, "blue"])["words"]
    assert "sides" in sent(["a\0b", "blue"])["words"]
    assert "sides" in sent(["", "blue"])["words"]


def test_a_path_spelt_otherwise_keeps_nothing_in_memory(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "board.js").write_bytes(b"export {};")

    async def nothing(*_: Any) -> None:
        """No application behind it."""

    page = PageFiles(nothing, tmp_path)
    assert page.has("/js/board.js")
    assert not any(page.has(f"/js/{'./' * n}board.js") or page.has(f"/js/{'/' * n}board.js") for n in range(1, 50))
    assert len(page._read) == 1


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits half a second for a body, and sends an address little."""
    limits = msgspec.structs.replace(FREE, body_seconds=0.5)
    with serving(f"sqlite:///{tmp_path_factory.mktemp('slow') / 'b.sqlite'}", limits) as it:
        yield it


def test_a_body_that_does_not_come_is_not_waited_for(slow: Server) -> None:
    with socket.create_connection(("127.0.0.1", slow.port), timeout=20) as line:
        head = "POST /api/journals HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n"
        line.sendall(head.encode() + b"a little")
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"did not come whole" in answer


def test_an_address_is_sent_so_much_and_then_less(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FREE, bytes_per_second=1.0, bytes_at_once=20_000)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it:
        answers = [it.http.get("/api/socket-schema") for _ in range(5)]
        assert answers[0].status_code == 200
        assert (answers[-1].status_code, answers[-1].json()["why"]) == (429, "limit")


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that lets a seat say little of everything."""
    limits = msgspec.structs.replace(
        *(FREE,),
        orders=3,
        order_bytes=200,
        aside=12,
        sits_at_once=3,
        sits_per_second=0,
        chats_at_once=2,
        chats_per_second=0,
    )
    with serving(f"sqlite:///{tmp_path_factory.mktemp('narrow') / 'b.sqlite'}", limits) as it:
        yield it


def test_standing_orders_are_few_short_and_sent_when_they_change(narrow: Server) -> None:
    with narrow.page(tokens(narrow.begin())[0]) as red:
        assert red.ask("order", rule="r", answer="x" * 200)["why"] == "limit"
        for n in range(3):
            assert red.ask("order", rule=f"r{n}", answer=1)["tell"] == "kept"
        assert "withdraw" in red.ask("order", rule="r3", answer=1)["words"]
        red.until(lambda: len(red.situation["orders"]) == 3)
        told = len(red.heard)
        red.do("draw")
        sent = [one for one in red.raw if b'"orders":null' in one]
        assert len(sent) == 1, "what did not change is not sent again"
        assert red.heard[told:]
        assert red.ask("order", rule="r0", answer=1, withdraw=True)["tell"] == "kept"
        kinds = [red.ask("draw", offers=bool(n % 2))["tell"] for n in range(20)]
        assert kinds == ["kept"] * 7 + ["wrong"] * 13, "again and again has an end"
        assert red.ask("concede")["tell"] == "kept", "but giving up has none"


def test_a_battle_has_so_many_entries_and_then_only_an_end(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FREE, entries=4)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it, it.page(tokens(it.begin())[0]) as red:
        told = [red.ask("draw", offers=bool(n % 2)) for n in range(6)]
        assert [one["tell"] for one in told] == ["kept"] * 3 + ["wrong"] * 3
        assert told[-1]["why"] == "limit"
        assert red.ask("concede")["tell"] == "kept"


def test_sitting_down_and_talking_again_and_again_has_an_end(narrow: Server) -> None:
    token = tokens(narrow.begin())[0]
    with narrow.page(token) as red:
        assert [red.ask("sit", token=token)["tell"] for _ in range(4)] == ["welcome", "welcome", "wrong", "wrong"]
        assert [red.ask("chat", text="hello")["tell"] for _ in range(4)] == ["kept", "kept", "wrong", "wrong"]


def test_who_sits_down_is_told_the_latest_of_a_long_talk(server: Server) -> None:
    token = tokens(server.begin())[0]
    with server.page(token) as red:
        for n in range(CHAT_TOLD + 5):
            red.ask("chat", text=f"line {n}")
    with server.page(token) as red:
        lines = red.welcome["chat"]
        assert (len(lines), lines[-1]["text"]) == (CHAT_TOLD, f"line {CHAT_TOLD + 4}")


def test_spectators_cannot_talk_the_players_down(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FREE, chat_lines=6)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it:
        red_token, _, watching = tokens(it.begin())
        with it.page(watching) as spectator, it.page(red_token) as red:
            assert [spectator.ask("chat", text="la")["tell"] for _ in range(5)] == ["kept"] * 3 + ["wrong"] * 2
            assert [red.ask("chat", text="stop it")["tell"] for _ in range(4)] == ["kept"] * 3 + ["wrong"]


def test_an_answer_to_too_many_messages_carries_their_id(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FREE, messages_at_once=3, messages_per_second=0.0)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it, it.page(tokens(it.begin())[0]) as red:
        red.say("ping")
        red.say("ping")
        asked = red.say("ping")
        told = red.hear()
        while told["tell"] != "wrong":
            told = red.hear()
        assert (told["id"], told["why"]) == (asked, "limit")


def test_battles_that_nobody_looks_at_leave_memory_and_come_back(server: Server) -> None:
    made = server.begin()
    with server.page(tokens(made)[0]) as red:
        red.answer("2")
        digest = red.situation["digest"]
        server.hall().forget_idle(0)
        assert made["battle"] in server.hall()._live, "somebody looks at it"
    while server.hall()._live.get(made["battle"]) is not None:
        server.hall().forget_idle(0)
    with server.page(tokens(made)[0]) as red:
        assert red.situation["digest"] == digest


def test_a_battle_that_everybody_has_left_is_held_by_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is still held by whatever looked at it last keeps most of what others used in memory.

    Nor by itself: nobody waits while memory is looked through for it.
    """
    monkeypatch.setattr(hall, "look_through_all", lambda: None)
    monkeypatch.setattr(hall, "set_apart", lambda: None)
    ticks = Counter[str]()

    async def tick(clock: ServedTime, storage: Storage) -> None:
        ticks["all"] += 1

    monkeypatch.setattr(hall, "TICK", 0.01)
    monkeypatch.setattr(ServedTime, "tick", tick)
    limits = msgspec.structs.replace(FREE, seconds_idle=0.0)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it:
        made = it.begin()
        with it.page(tokens(made)[0]):
            live = it.hall()._live[made["battle"]]
            battle, played = weakref.ref(live), weakref.ref(live.battle)
            assert live.battle.questions, "it is in the middle of a step"
            del live
            gc.disable()
            _see(lambda n=ticks["all"]: ticks["all"] > n + 2)  # type: ignore[misc]
        _see(lambda: not it.hall()._live)
        _see(lambda n=ticks["all"]: ticks["all"] > n + 2)  # type: ignore[misc]
        try:
            assert (battle(), played()) == (None, None)
        finally:
            gc.enable()


def test_sockets_that_are_over_are_freed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to look for circles: what packs the messages of a socket is large, and sockets come and go."""

    def held() -> int:
        return sum(issubclass(type(one), ServerProtocol | WebSocket) for one in gc.get_objects())

    monkeypatch.setattr(hall, "set_apart", lambda: None)  # what is set apart is not among those objects
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", FREE) as it:
        token = tokens(it.begin())[0]
        gc.collect()
        before = held()
        gc.disable()
        try:
            for _ in range(3):
                with it.page(token):
                    assert held() > before
            _see(lambda: held() == before)
        finally:
            gc.enable()


def test_what_stays_is_looked_through_seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody waits while Python looks through what it holds: with many battles half a second each time."""
    done: list[str] = []
    others = {thread.ident for thread in threading.enumerate()}  # servers of other tests keep house too

    def doing(what: str) -> Callable[[], None]:
        return lambda: None if threading.get_ident() in others else done.append(what)

    monkeypatch.setattr(hall, "TICK", 0.01)
    monkeypatch.setattr(hall, "LOOK_THROUGH_EVERY", 5)
    monkeypatch.setattr(hall, "set_apart", doing("apart"))
    monkeypatch.setattr(hall, "look_through_all", doing("all"))
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", FREE) as it:
        it.begin()
        _see(lambda: done.count("all") > 1)
    assert done[:12] == ["apart"] * 5 + ["all"] + ["apart"] * 5 + ["all"]


def test_what_is_set_apart_is_found_when_everything_is_looked_through() -> None:
    class Circle:
        itself: object = None

    circle = Circle()
    circle.itself, seen = circle, weakref.ref(circle)
    memory.set_apart()
    del circle
    gc.collect()
    assert seen() is not None
    memory.look_through_all()
    assert seen() is None


def test_what_battles_worked_out_is_forgotten_when_all_have_left() -> None:
    core_of(Disc(Point(1, 2), 500))
    rules = library(INSTALLED).ruleset("quickstart")
    assert core_of.cache_info().currsize
    memory.forget_worked_out()
    assert not core_of.cache_info().currsize
    assert library(INSTALLED).ruleset("quickstart") is rules, "what is kept for good stays"


def _see(holds: Callable[[], bool]) -> None:
    """Wait until something holds that comes at once on an idle machine."""
    for _ in range(int(SECONDS * 100)):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it does not come")


def test_storage_that_was_let_go_of_answers_as_before(database: str) -> None:
    async def use(storage: Storage) -> None:
        await storage.begin(a_battle(), [(token_hash("t"), LinkKept("b1", "seat", (RED,)))], ["opening"])
        before = storage.engine.pool
        await storage.let_go()
        assert storage.engine.pool is not before, "its connections are closed"
        assert await storage.link("t") is not None
        assert [text for _, text in await storage.lines("b1")] == ["opening"]

    using(database, use)


def test_unfinished_battles_that_nobody_visits_expire_by_the_time_served(database: str) -> None:
    day = 86_400

    async def use(storage: Storage) -> None:
        links = [(token_hash("t"), LinkKept("b1", "seat", (RED,)))]
        await storage.begin(a_battle(), links, ["opening"])
        other = msgspec.structs.replace(a_battle(), id="b2", ended=True)
        await storage.begin(other, [], ["opening"])
        await storage.say("b1", RED, "", "hello", 10)
        await storage.seen("b1", (RED,), 10 * day)
        assert await storage.expire(10 * day) == []
        assert await storage.tick(5) == 5
        assert await storage.tick(3) == 5, "a worker that is behind catches up"
        assert await storage.expire(10 * day + 1) == ["b1"]
        assert await storage.battle("b1") is None
        assert await storage.link("t") is None
        assert await storage.lines("b1") == []
        assert await storage.battle("b2") is not None, "what is over is kept"

    using(database, use)
