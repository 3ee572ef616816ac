"""Nothing is told wrongly, and nothing is told that is not for those who hear it."""

import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.server import live as live_module
from sandtable.server.database import storage as storage_module
from sandtable.server.live import OTHER_RULES
from tests.server.faults import Faults
from tests.server.tables import Server, serving


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


def test_the_words_of_a_diverged_journal_reach_nobody(tmp_path: Path) -> None:
    database = tmp_path / "b.sqlite"
    with serving(f"sqlite:///{database}") as it:
        made = it.begin()
        red, blue, watching = tokens(made)
        with it.page(red) as page:
            page.answer("2")
    with sqlite3.connect(database) as connection:
        secret = '{"line":"answer","side":"red","question":"hidden counter 7 is a sniper","answer":"2"}'
        connection.execute("UPDATE entries SET lines = ? WHERE n = 1", (secret,))
        connection.execute("DELETE FROM snapshots")
    connection.close()
    with serving(f"sqlite:///{database}") as it:
        for token in (red, blue, watching):
            with it.line() as page:
                told = page.ask("sit", token=token)
                assert (told["tell"], told["why"], told["words"]) == ("wrong", "trouble", OTHER_RULES)
            answer = it.get(f"/api/battles/{made['battle']}/picture", token=token)
            assert (answer.status_code, answer.json()["words"]) == (409, OTHER_RULES)


def test_addresses_of_the_database_reach_no_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage fails while an answer is kept and goes on failing: what is told names neither host nor port."""
    monkeypatch.setattr(live_module, "REST", 0.01)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}") as it:
        red_token, blue_token, watching = tokens(it.begin())
        with it.page(red_token) as red, it.page(blue_token) as blue, it.page(watching) as spectator:
            faults = Faults(it.hall().storage)
            faults.always = True
            told = red.ask("answer", question=red.situation["asks"], answer="1")
            assert (told["tell"], told["why"]) == ("wrong", "unknown")
            pages = (red, blue, spectator)
            for page in pages:
                page.until(lambda page=page: any(one.get("why") == "trouble" for one in page.heard))  # type: ignore[misc]
            faults.always = False
            for page in pages:
                page.until(lambda page=page: page.heard[-1]["tell"] == "situation")  # type: ignore[misc]
                assert not any("db.internal" in str(one) for one in page.heard)
                assert page.situation["n"] == 1, "what was never kept was never shown"
            faults.remove()
            assert red.answer("1")["tell"] == "kept"


def test_how_many_standing_orders_there_are_is_no_number_that_others_see(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, _ = tokens(made)

    def shown(token: str) -> dict[str, Any]:
        answer = server.get(f"/api/battles/{made['battle']}", token=token).json()
        return {name: value for name, value in answer.items() if name not in ("role", "sides", "your_turn", "last")}

    with server.page(red_token) as red:
        before = shown(blue_token)
        for n in range(5):
            assert red.ask("order", rule=f"r{n}", answer=1)["tell"] == "kept"
        assert shown(blue_token) == before == shown(red_token)
        red.answer("1")
        assert shown(blue_token)["n"] == before["n"] + 1 == red.situation["n"]
        known = server.post("/api/battles/known", tokens=[blue_token]).json()
        assert known[0]["n"] == red.situation["n"]


def test_health_is_bad_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_module, "LOOK_EVERY", 0.0)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}") as it:
        assert it.get("/health").status_code == 200
        monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=10, f_frsize=4096))
        assert it.get("/health").status_code == 503, "the disk is full"
        monkeypatch.undo()
        monkeypatch.setattr(storage_module, "LOOK_EVERY", 0.0)
        assert it.get("/health").status_code == 200
        faults = Faults(it.hall().storage)
        faults.at("statement", 1)
        assert it.get("/health").status_code == 503, "what is written is not taken"
        faults.remove()


def test_a_request_while_storage_is_away_is_told_so(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}") as it:
        faults = Faults(it.hall().storage)
        for kind, number in (("before", 1), ("statement", 1)):
            faults.at(kind, number)  # type: ignore[arg-type]
            answer = it.http.post("/api/battles", json={"ruleset": "duel"})
            assert (answer.status_code, answer.json()["why"]) == (503, "storage")
            assert "db.internal" not in answer.text
        faults.remove()
        assert it.begin()["battle"]


def test_a_line_of_chat_whose_reply_is_lost_is_said_once(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}") as it, it.page(tokens(it.begin())[0]) as red:
        faults = Faults(it.hall().storage)
        faults.at("reply", 1)
        assert red.ask("chat", text="once")["tell"] == "kept"
        faults.remove()
        red.until(lambda: bool(red.chat))
        assert red.ask("chat", text="twice")["n"] == 2
