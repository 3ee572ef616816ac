"""Nothing a machine does to a battle stops it: storage that is slow or fails, bots that die, rules that go wrong.

While it storms, writing and reading fail at random, the processes in which bots think are killed, and the rules throw.
Then it is calm, and every battle comes to its end, with a journal that plays again to the same state.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from sandtable.engine.journal import Journal
from sandtable.engine.replay import replayed
from sandtable.server import bots, live
from sandtable.server.hall import Hall
from tests.engine.duel import Duel
from tests.server.small_shelf import WHERE
from tests.server.tables import Page, Server, serving

BATTLES, STORM_SECONDS, CALM_SECONDS = 24, 60.0, 90.0


class Weather:
    """How bad it is, and what has happened."""

    def __init__(self, seed: int) -> None:
        self.storm = True
        self.failed = self.killed = self.wrong = 0
        self._chance = random.Random(seed)

    def least(self) -> int:
        """How often each thing has happened at least."""
        return min(self.failed, self.killed, self.wrong)

    def strikes(self, share: float) -> bool:
        """Whether it strikes now."""
        return self.storm and self._chance.random() < share


def shake_storage(hall: Hall, weather: Weather) -> None:
    """Let the thread that reads and writes be slow, and fail at times."""
    begin = hall.storage.engine.begin

    def shaken() -> Any:
        if weather.strikes(0.3):
            time.sleep(0.02)
        if weather.strikes(0.12):
            weather.failed += 1
            raise OperationalError("", {}, Exception("the disk is away"))
        return begin()

    hall.storage.engine.begin = shaken  # type: ignore[method-assign]


def shake_rules(hall: Hall, weather: Weather) -> None:
    """Let the rules throw at times."""
    in_thread: Callable[[Callable[[], Any]], Any] = hall.in_thread

    def work_of(work: Callable[[], Any]) -> Any:
        if weather.strikes(0.08):
            weather.wrong += 1
            raise RuntimeError("the rules went wrong")
        return work()

    hall.in_thread = lambda work, /: in_thread(lambda: work_of(work))  # type: ignore[method-assign]


def kill_bots(hall: Hall, weather: Weather) -> None:
    """Kill a process in which a bot thinks, now and then."""
    while weather.storm:
        time.sleep(1.5)  # a process has to come up before it can die
        for one in list(hall.thinkers._all)[:1]:
            if one._process.returncode is None:
                os.kill(one._process.pid, signal.SIGKILL)
                weather.killed += 1


@contextmanager
def storm(hall: Hall) -> Iterator[Weather]:
    """Bad weather; calm when it is left."""
    weather = Weather(7)
    shake_storage(hall, weather)
    shake_rules(hall, weather)
    killer = threading.Thread(target=kill_bots, args=(hall, weather))
    killer.start()
    try:
        yield weather
    finally:
        weather.storm = False
        killer.join()


def begun(server: Server, **wanted: Any) -> dict[str, Any]:
    """A battle, however often it has to be begun."""
    for _ in range(50):
        answer = server.http.post("/api/battles", json={"ruleset": "duel", **wanted})
        if answer.status_code == 201:
            made: dict[str, Any] = answer.json()
            return made
    raise AssertionError("no battle can be begun")


def ends(server: Server, token: str, seconds: float) -> str:
    """Watch a battle to its end; what it was waiting for where it has none."""
    end, shown = time.monotonic() + seconds, "nothing was shown"
    while time.monotonic() < end:
        try:
            with server.page(token) as page:
                shown = _watched(page, end)
            if not shown:
                return ""
        except Exception as problem:
            shown = repr(problem)
            time.sleep(0.1)
    return shown


def _watched(page: Page, end: float) -> str:
    while not page.ended:
        if time.monotonic() > end:
            return f"waits for {page.situation['waiting']} at {page.situation['n']}: {page.situation['trouble']}"
        page.hear(max(0.01, end - time.monotonic()))
    return ""


@pytest.mark.parametrize("kind", ["bots", "random people"])
def test_every_battle_ends_whatever_the_weather(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAUSE", 0.5)
    monkeypatch.setattr(bots, "REST", 0.1)
    monkeypatch.setattr(live, "REST", 0.1)
    seats = [{"side": "red", "kind": "bot"}, {"side": "blue", "kind": "bot" if kind == "bots" else "person"}]
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", library=WHERE, thinkers=2) as server:
        with storm(server.hall()) as weather:
            until = time.monotonic() + STORM_SECONDS
            battles = [begun(server, seats=seats) for _ in range(BATTLES if kind == "bots" else BATTLES // 4)]
            people = [] if kind == "bots" else [_person(server, made) for made in battles]
            while weather.least() <= 3 and time.monotonic() < until:
                time.sleep(0.1)
        assert weather.least() > 3, "there was no storm"
        end = time.monotonic() + CALM_SECONDS
        stuck = {
            made["battle"]: ends(server, made["links"][-1]["token"], max(2.0, end - time.monotonic()))
            for made in battles
        }
        assert {battle: why for battle, why in stuck.items() if why} == {}
        for person in people:
            person.join(10)
        for made in battles:
            data = server.get(f"/api/battles/{made['battle']}/journal", made["links"][-1]["token"]).content
            assert replayed(Journal.decode(data), Duel()).ended


def _person(server: Server, made: dict[str, Any]) -> threading.Thread:
    """Somebody who plays at random, and comes back whenever the line breaks."""

    def plays() -> None:
        end = time.monotonic() + STORM_SECONDS + CALM_SECONDS
        while time.monotonic() < end:
            try:
                with server.page(made["links"][0]["token"]) as page:
                    page.play(Duel(), seed=int(time.monotonic() * 1000))
                return
            except Exception:
                time.sleep(0.1)

    thread = threading.Thread(target=plays, daemon=True)
    thread.start()
    return thread
