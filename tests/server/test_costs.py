"""No input costs more than it should: of time, of memory, of what others wait for."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from sandtable.server.bodies import ScenarioChecked
from sandtable.server.readings import CheckScenario
from sandtable.server.settings import INSTALLED
from sandtable.server.turns import Full, Turns
from sandtable.server.unlawful import Unlawful
from sandtable.server.workers import Workers
from tests.server.greedy import WHERE as GREEDY
from tests.server.tables import FREE, Server, serving


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
                await workers.read(CheckScenario("duel", ""), ScenarioChecked, 20.0, "me")
            assert (found.value.why, found.value.words) == ("rule", "This ruleset has no ledger.")
        finally:
            await workers.close()

    asyncio.run(all_of_it())


def test_many_requests_from_one_address_hold_nobody_else_up(tmp_path: Path) -> None:
    """Eighty at once from one address are read one by one or told to wait; another address goes before them."""
    limits = msgspec.structs.replace(FREE, seconds_to_read=20.0, readings_per_address=4)
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
        header = {
            "line": "header",
            "format": 1,
            "ruleset": "duel",
            "version": "1",
            "setup": {"sides": sides},
            "seed": 1,
        }
        answer = server.http.post("/api/journals", content=msgspec.json.encode(header) + b"\n")
        assert answer.status_code == 422
        found: dict[str, Any] = answer.json()
        return found

    assert "sides" in sent(["x" * 100, "blue"])["words"]
    assert "sides" in sent(["a\0b", "blue"])["words"]
    assert "sides" in sent(["", "blue"])["words"]
