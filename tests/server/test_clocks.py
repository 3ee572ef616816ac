"""Clocks that were agreed on, and what is taken back by agreement: kept by the server, no matter of rules."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.engine.ids import BLUE, RED, Side
from sandtable.server.clocks import wound
from tests.server.tables import Page, Server, serving
from tests.server.test_playing import seats, serves


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(f"sqlite:///{tmp_path_factory.mktemp('clocks') / 'battles.sqlite'}") as it:
        yield it


def left(page: Page, side: Side) -> dict[str, Any]:
    """The clock of a side as a page was told it last, in seconds."""
    clock = next(one for one in page.situation["clocks"] if one["side"] == side)
    return {"left": clock["left"] / 1000, "runs": clock["runs"]}


# Clocks ---------------------------------------------------------------------------------------------------------------


def test_nobody_is_on_a_clock_that_was_not_agreed_on(server: Server) -> None:
    with server.page(seats(server.begin())[0]) as red:
        assert (red.welcome["minutes"], red.situation["clocks"]) == (0, [])


def test_clocks_run_once_everybody_has_sat_down_and_only_for_who_is_asked(server: Server) -> None:
    red_token, blue_token, watching = seats(server.begin(clock={"minutes": 10, "increment": 30}))
    with server.page(red_token) as red:
        assert (red.welcome["minutes"], red.welcome["increment"]) == (10, 30)
        serves(server, 100)
        assert [one["runs"] for one in red.situation["clocks"]] == [False, False]
        with server.page(blue_token) as blue, server.page(watching) as watcher:
            red.until(lambda: left(red, RED)["runs"])
            assert left(red, RED)["left"] > 599, "what went by before the other came counts for nobody"
            serves(server, 60)
            red.answer("1")
            blue.until(lambda: blue.situation["n"] == red.situation["n"])
            assert left(blue, RED) == left(red, RED)
            assert 569 < left(red, RED)["left"] <= 570, "a minute less, and the increment"
            assert not left(red, RED)["runs"]
            assert left(blue, BLUE)["runs"]
            assert left(watcher, RED)["left"] > 560


def test_who_runs_out_of_time_has_lost_and_everybody_is_told_so(server: Server) -> None:
    red_token, blue_token, _ = seats(server.begin(clock={"minutes": 1}))
    with server.page(red_token) as red, server.page(blue_token) as blue:
        red.until(lambda: left(red, RED)["runs"])
        serves(server, 59)
        red.answer("1")
        blue.asked()
        serves(server, 61)
        blue.until(lambda: blue.ended)
        red.until(lambda: red.ended)
        ending = red.situation["table"]["ending"]
        assert (ending["winner"], ending["reason"]) == ("red", "blue has run out of time")
        assert [one["runs"] for one in red.situation["clocks"]] == [False, False]


def test_a_bot_has_no_clock(server: Server) -> None:
    made = server.begin(seats=[{"side": "blue", "kind": "bot", "bot": "random"}], clock={"minutes": 5})
    with server.page(made["links"][0]["token"]) as red:
        assert [one["side"] for one in red.situation["clocks"]] == ["red"]
        red.until(lambda: left(red, RED)["runs"])


def test_downtime_a_jumping_clock_and_a_server_that_stood_still_cost_nobody_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{tmp_path / 'b.sqlite'}"
    with serving(database) as it:
        red_token, blue_token, _ = seats(it.begin(clock={"minutes": 5}))
        with it.page(red_token) as red, it.page(blue_token) as blue:
            red.until(lambda: left(red, RED)["runs"])
            serves(it, 100)
            red.answer("1")
            blue.asked()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 86_400)
    with serving(database) as it, it.page(blue_token) as blue:
        assert 195 < left(blue, RED)["left"] <= 200
        assert left(blue, BLUE)["left"] > 195, "both were asked at once"
        live = next(iter(it.hall()._live.values()))
        before = live.clocks
        assert before is not None
        assert before.given_back(1000).left_of(BLUE, 10**9) == before.left_of(BLUE, 10**9) + 1000
        # Another worker is far ahead: what it has served nobody here could play in.
        it.hall().clock._ran += 1000
        it.hall().clock.taken_over += 1000
        while live.clocks is before:
            time.sleep(0.01)
        assert live.clocks is not None
        assert live.clocks.left_of(BLUE, it.hall().clock.milliseconds()) > 180_000
        assert not blue.ended


def test_time_in_which_the_battle_could_not_go_on_is_given_back(server: Server) -> None:
    red_token, blue_token, _ = seats(server.begin(clock={"minutes": 5}))
    with server.page(red_token) as red, server.page(blue_token):
        red.until(lambda: left(red, RED)["runs"])
        live = server.hall()._live[red.welcome["battle"]]
        live._broken, live._stopped = True, server.hall().clock.milliseconds()
        serves(server, 3000)
        assert [one.runs for one in live.clocks_shown()] == [False, False]
        assert not live.battle.ended
        loop = next(iter(server.hall()._tasks)).get_loop()
        asyncio.run_coroutine_threadsafe(live._mend(), loop).result(30)
        red.until(lambda: left(red, RED)["runs"])
        assert left(red, RED)["left"] > 290


def test_an_answer_that_came_in_time_counts_however_long_it_took_to_keep() -> None:
    clocks = wound([RED, BLUE], 1, 0).run(["red"], 0)
    assert clocks.run(["blue"], 90_000, heard=59_000).left == {"red": 1000, "blue": 60_000}
    assert clocks.fallen(59_999) == ""
    assert clocks.fallen(60_000) == "red"


# Taking back by agreement ---------------------------------------------------------------------------------------------


def bid(red: Page, blue: Page) -> None:
    """Both bid, and what they bid is shown: nobody takes that back by himself."""
    red.answer("1")
    blue.asked()
    blue.answer("2")
    red.until(lambda: red.situation["n"] >= blue.situation["n"])


def test_who_asks_takes_back_what_the_other_agrees_to(server: Server) -> None:
    red_token, blue_token, watching = seats(server.begin())
    with server.page(red_token) as red, server.page(blue_token) as blue, server.page(watching) as watcher:
        assert red.ask("ask undo")["tell"] == "refused", "nothing has been said yet"
        bid(red, blue)
        assert (blue.situation["may_undo"], blue.situation["may_ask_undo"]) == (False, True)
        assert blue.ask("undo")["tell"] == "refused"
        assert blue.do("ask undo")["tell"] == "kept"
        red.until(lambda: red.situation["asks_undo"] == "blue")
        watcher.until(lambda: watcher.situation["asks_undo"] == "blue")
        assert watcher.situation["may_ask_undo"] is False
        assert red.do("answer undo", agrees=True)["tell"] == "kept"
        blue.until(lambda: blue.situation["question"] is not None and blue.situation["question"]["topic"] == "bid")
        assert red.log[-1]["event"]["event"] == "TakenBack"
        assert blue.situation["asks_undo"] == ""


def test_what_was_refused_is_not_asked_for_again_before_one_has_played_on(server: Server) -> None:
    red_token, blue_token, _ = seats(server.begin())
    with server.page(red_token) as red, server.page(blue_token) as blue:
        bid(red, blue)
        lines = len(red.log)
        blue.do("ask undo")
        red.until(lambda: red.situation["asks_undo"] == "blue")
        assert blue.ask("answer undo", agrees=True)["tell"] == "refused", "nobody agrees with himself"
        red.do("answer undo", agrees=False)
        blue.until(lambda: blue.situation["asks_undo"] == "")
        told = blue.ask("ask undo")
        assert (told["tell"], told["why"]) == ("wrong", "undo")
        assert red.ask("answer undo", agrees=True)["tell"] == "refused"
        assert len(red.log) == lines, "nothing has happened"


def test_who_asked_may_ask_no_more(server: Server) -> None:
    red_token, blue_token, _ = seats(server.begin())
    with server.page(red_token) as red, server.page(blue_token) as blue:
        bid(red, blue)
        blue.do("ask undo")
        blue.do("ask undo", asks=False)
        assert red.ask("answer undo", agrees=True)["tell"] == "refused"


def test_the_computer_agrees(server: Server) -> None:
    made = server.begin(seats=[{"side": "blue", "kind": "bot", "bot": "random"}], seed=3)
    with server.page(made["links"][0]["token"]) as red:
        red.answer("2")
        red.until(lambda: len(red.situation["waiting"]) > 0 and not red.situation["may_undo"])
        red.do("ask undo")
        red.until(lambda: any(line["event"]["event"] == "TakenBack" for line in red.log))
        red.until(lambda: red.situation["question"] is not None and red.situation["question"]["topic"] == "bid")


def test_what_was_taken_back_by_agreement_is_found_again_by_a_server_that_starts_anew(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'b.sqlite'}"
    with serving(database) as it:
        red_token, blue_token, _ = seats(it.begin())
        with it.page(red_token) as red, it.page(blue_token) as blue:
            bid(red, blue)
            blue.do("ask undo")
    with serving(database) as it, it.page(red_token) as red, it.page(blue_token) as blue:
        assert red.situation["asks_undo"] == "blue"
        red.do("answer undo", agrees=True)
        digest = red.situation["digest"]
    with serving(database) as it, it.page(red_token) as red:
        assert red.situation["digest"] == digest
        assert "".join(red.situation["waiting"]) == "blue"


# Names ----------------------------------------------------------------------------------------------------------------


def test_guests_say_what_they_are_called(server: Server) -> None:
    red_token, blue_token, watching = seats(server.begin())
    with server.page(red_token) as red, server.page(blue_token) as blue, server.page(watching) as watcher:
        assert blue.ask("name", name="Bea")["tell"] == "kept"
        assert watcher.ask("name", name="Wim")["tell"] == "kept"
        assert blue.ask("name", name="x" * 41)["why"] == "form"
        watcher.ask("chat", text="hello")
        blue.ask("chat", text="hi")
        red.until(lambda: len(red.chat) == 2)
        assert {(line["side"], line["name"]) for line in red.chat} == {("", "Wim"), ("blue", "Bea")}
        assert [told["seats"][1]["name"] for told in red.heard if told["tell"] == "presence"][-1] == "Bea"
    with server.page(red_token) as red:
        assert red.welcome["seats"][1]["name"] == "Bea"
