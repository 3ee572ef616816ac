"""Two workers at one battle, in every order that a script can give them; and files that a disk has torn."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.server.database.entries import load
from sandtable.server.database.storage import Storage
from sandtable.server.settings import Settings
from tests.engine.duel import Duel
from tests.server.small_shelf import WHERE
from tests.server.tables import Page, Server, serving

#: What two workers are told at the same moment, by the same seat or by another: (side, what, fields).
Say = tuple[str, str, dict[str, Any]]
PAIRS: tuple[tuple[Say, Say], ...] = (
    (("red", "answer", {"answer": "1"}), ("red", "answer", {"answer": "2"})),
    (("red", "answer", {"answer": "1"}), ("blue", "answer", {"answer": "3"})),
    (("red", "answer", {"answer": "1"}), ("blue", "concede", {})),
    (("red", "draw", {"offers": True}), ("blue", "draw", {"offers": True})),
    (("red", "order", {"rule": "r", "answer": 1}), ("blue", "answer", {"answer": "2"})),
    (("red", "concede", {}), ("blue", "concede", {})),
    (("red", "answer", {"answer": "1"}), ("red", "undo", {})),
)


class Gate:
    """Holds what a worker writes back until the script lets it through."""

    def __init__(self, server: Server) -> None:
        self.storage = server.hall().storage
        self.waits, self.opens = threading.Event(), threading.Event()
        self._append: Callable[..., Any] = self.storage.append

    async def append(self, *args: Any, **more: Any) -> None:
        """Wait, then write."""
        self.waits.set()
        await asyncio.to_thread(self.opens.wait, 20)
        await self._append(*args, **more)


@contextmanager
def gated(server: Server) -> Iterator[Gate]:
    """A worker whose writes wait."""
    gate = Gate(server)
    gate.storage.append = gate.append  # type: ignore[method-assign]
    try:
        yield gate
    finally:
        gate.opens.set()
        gate.storage.append = gate._append  # type: ignore[method-assign]


@pytest.fixture(scope="module")
def workers(postgresql: Any) -> Iterator[tuple[Server, Server]]:
    """Two workers at one database."""
    database = postgresql.fresh()
    with serving(database, library=WHERE) as one, serving(database, library=WHERE) as other:
        yield one, other


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " and ".join(f"{side} {what}" for side, what, _ in pair))
def test_two_workers_in_every_order_show_one_battle(workers: tuple[Server, Server], pair: Any, first: int) -> None:
    made = workers[0].begin()
    tokens = {link["sides"][0]: link["token"] for link in made["links"] if link["sides"]}
    with ExitStack() as stack:
        pages = [stack.enter_context(at.page(tokens[say[0]])) for at, say in zip(workers, pair, strict=True)]
        gates = [stack.enter_context(gated(at)) for at in workers]
        asked = [_say(page, say) for page, say in zip(pages, pair, strict=True)]
        told: dict[int, dict[str, Any]] = {}
        for which in (first, 1 - first):
            # Each has made up its mind, or has nothing to write; the script says who writes first.
            gates[which].waits.wait(2)
            gates[which].opens.set()
            told[which] = _reply(pages[which], asked[which])
        kept = [one for one in told.values() if one["tell"] == "kept"]
        assert kept, told
        for one in told.values():
            assert one["tell"] in ("kept", "refused") or one["why"] in ("taken", "stale"), one
        entries = asyncio.run(_entries(workers[0], made["battle"]))
        assert [n for n, _ in entries] == list(range(len(entries)))
        assert len(entries) == 1 + len(kept), "as many are stored as were acknowledged"
        said = max(page.situation["n"] for page in pages)
        for page in pages:
            page.until(lambda page=page: page.situation["n"] >= said)  # type: ignore[misc]
    with workers[0].page(tokens["red"]) as here, workers[1].page(tokens["red"]) as there:
        assert here.situation["digest"] == there.situation["digest"]
        assert here.situation["n"] == there.situation["n"]


def _say(page: Page, say: Say) -> int:
    fields = dict(say[2])
    if say[1] == "answer":
        fields["question"] = page.situation["asks"]
    return page.say(say[1], **fields)


def _reply(page: Page, asked: int) -> dict[str, Any]:
    while (told := page.hear())["id"] != asked:
        continue
    return told


async def _entries(server: Server, battle: str) -> list[tuple[int, str]]:
    storage = Storage(str(server.hall().storage.url.render_as_string(hide_password=False)))
    try:
        return await storage.lines(battle)
    finally:
        await storage.close()


def test_of_a_torn_file_a_whole_beginning_is_left(tmp_path: Path) -> None:
    """The log of a SQLite file is cut or spoilt at many places: what opens is a beginning of the battle, and plays."""
    database = tmp_path / "b.sqlite"
    with serving(f"sqlite:///{database}", library=WHERE) as it:
        made = it.begin(seats=[{"side": "red", "kind": "hot seat"}, {"side": "blue", "kind": "hot seat"}])
        token = made["links"][0]["token"]
        for side in (RED, BLUE):
            with it.page(token, side) as page:
                assert page.answer("2")["tell"] == "kept"
        whole = asyncio.run(it.hall().storage.lines(made["battle"]))
        # As the disk holds it while the server runs: the file, and the log beside it.
        taken = {suffix: Path(f"{database}{suffix}").read_bytes() for suffix in ("", "-wal")}
    log, lengths = taken["-wal"], set()
    assert len(log) > 10_000
    for number in range(24):
        folder = tmp_path / str(number)
        folder.mkdir()
        torn = bytearray(log[: len(log) * (number + 1) // 24])
        if number % 2 and number < 23 and len(torn) > 600:
            torn[-300:-200] = b"\xff" * 100  # a page that was half written
        (folder / "b.sqlite").write_bytes(taken[""])
        (folder / "b.sqlite-wal").write_bytes(bytes(torn))
        lengths.add(asyncio.run(_beginning(folder / "b.sqlite", made["battle"], whole)))
        shutil.rmtree(folder)
    assert {0, len(whole)} <= lengths, "some lost it all, some nothing"


async def _beginning(file: Path, battle: str, whole: list[tuple[int, str]]) -> int:
    storage = Storage(Settings(database=str(file)).address())
    try:
        await storage.open()
        found = await storage.lines(battle)
        assert found == whole[: len(found)]
        loaded = await load(storage, battle, Duel(), _at_once) if found else None
        assert loaded is None or isinstance(loaded.battle, Battle)
        with storage.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        return len(found)
    finally:
        await storage.close()


def _at_once(work: Callable[[], Any], /) -> "asyncio.Future[Any]":
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    done.set_result(work())
    return done
