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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import replayed
from sandtable.server import live
from sandtable.server.hall import Hall
from sandtable.server.processes import bots
from tests.engine.duel import Duel
from tests.server.small_shelf import WHERE
from tests.server.tables import SECONDS, Page, Server, serving

#: How often each thing strikes at least, how many battles are played at once, and how many altogether at most.
STRIKES, AT_ONCE, MOST_BATTLES = 3, {"bots": 12, "random people": 6}, 200
#: How often a page that was thrown out comes back, and how many messages a battle may take to its end.
TRIES, MOST_MESSAGES = 50, 2_000


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
    """Kill a process in which a bot has thought, as often as something else goes wrong."""
    gone: list[int] = []
    while weather.storm:
        at_work = [one._process.pid for one in list(hall.thinkers._all) if one.known and one._process.pid not in gone]
        if at_work and weather.killed <= min(weather.failed, weather.wrong):
            with suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(at_work[0], signal.SIGKILL)
                weather.killed += 1
            gone.append(at_work[0])
        time.sleep(0.05)


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


def ends(server: Server, token: str) -> str:
    """Watch a battle to its end; what it was waiting for where nothing more comes."""
    shown = "nothing was shown"
    for _ in range(TRIES):
        try:
            with server.page(token) as page:
                return _watched(page)
        except Exception as problem:
            shown = repr(problem)
            time.sleep(0.1)
    return shown


def _watched(page: Page) -> str:
    for _ in range(MOST_MESSAGES):
        if page.ended:
            return ""
        try:
            page.hear()
        except TimeoutError:
            break
    return f"waits for {page.situation['waiting']} at {page.situation['n']}: {page.situation['trouble']}"


@pytest.mark.parametrize("kind", ["bots", "random people"])
def test_every_battle_ends_whatever_the_weather(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAUSE", 0.5)
    monkeypatch.setattr(bots, "REST", 0.1)
    monkeypatch.setattr(live, "REST", 0.1)
    seats = [{"side": "red", "kind": "bot"}, {"side": "blue", "kind": "bot" if kind == "bots" else "person"}]
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", library=WHERE, thinkers=2) as server:
        hall = server.hall()
        battles: list[dict[str, Any]] = []
        people: list[threading.Thread] = []
        with storm(hall) as weather:
            while weather.least() <= STRIKES:
                # It storms as long as it takes: somebody is always playing, and how fast is all the same.
                if sum(_goes_on(hall, made) for made in battles) < AT_ONCE[kind]:
                    assert len(battles) < MOST_BATTLES, f"no storm in {len(battles)} battles: {vars(weather)}"
                    battles.append(begun(server, seats=seats))
                    people += [] if kind == "bots" else [_person(server, battles[-1])]
                time.sleep(0.01)
        stuck = ((made["battle"], ends(server, made["links"][-1]["token"])) for made in battles)
        assert next((one for one in stuck if one[1]), None) is None
        for person in people:
            person.join(SECONDS)
        for made in battles:
            data = server.get(f"/api/battles/{made['battle']}/journal", made["links"][-1]["token"]).content
            assert replayed(Journal.decode(data), Duel()).ended


def _goes_on(hall: Hall, made: dict[str, Any]) -> bool:
    """Whether a battle is known to be played still."""
    here = hall._live.get(made["battle"])
    return here is not None and not here.battle.ended


def _person(server: Server, made: dict[str, Any]) -> threading.Thread:
    """Somebody who plays at random, and comes back whenever the line breaks."""

    def plays() -> None:
        for seed in range(MOST_MESSAGES):
            try:
                with server.page(made["links"][0]["token"]) as page:
                    page.play(Duel(), seed)
                return
            except Exception:
                time.sleep(0.1)

    thread = threading.Thread(target=plays, daemon=True)
    thread.start()
    return thread
