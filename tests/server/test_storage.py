"""Storage: both databases for real, durable by assertion, one of two workers wins."""

import asyncio
import re
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from sandtable.engine.ids import BLUE, NO_SIDE, RED
from sandtable.engine.records.journal import Answered, Journal
from sandtable.engine.records.replay import replayed
from sandtable.server.database import schema
from sandtable.server.database.durable import NotDurable, see_durable
from sandtable.server.database.entries import read_journal
from sandtable.server.database.kept import BattleKept, LinkKept, SeatKept, Taken, token_hash
from sandtable.server.database.listening import CHANNEL
from sandtable.server.database.storage import Storage
from sandtable.server.settings import Settings
from tests.engine.duel import Duel
from tests.server.postgresql import cluster
from tests.server.tables import Page, Server, serving

Use = Callable[[Storage], Coroutine[Any, Any, None]]


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


def using(database: str, use: Use) -> None:
    """Open a storage, do something with it, close it."""

    async def all_of_it() -> None:
        storage = Storage(Settings(database=database).address())
        await storage.open()
        try:
            await use(storage)
        finally:
            await storage.close()

    asyncio.run(all_of_it())


def a_battle(name: str = "b1") -> BattleKept:
    return BattleKept(
        id=name,
        ruleset="duel",
        version="1",
        title="",
        scenario="",
        header="{}",
        seed_chosen=False,
        open_journal=False,
        claim_after=0,
        pace=0,
        n=1,
        ended=False,
        winner=NO_SIDE,
        waiting=("red",),
        begun=1,
        last=1,
        seats=(SeatKept(RED, "person"), SeatKept(BLUE, "bot", bot="random")),
    )


def test_migrations_make_the_tables_that_the_code_means(database: str) -> None:
    async def use(storage: Storage) -> None:
        with storage.engine.connect() as connection:
            found = compare_metadata(MigrationContext.configure(connection), schema.metadata)
            assert found == []

    using(database, use)
    using(database, use)  # a database that has them already is left as it is


def test_what_is_kept_comes_back(database: str) -> None:
    async def use(storage: Storage) -> None:
        link = LinkKept("b1", "seat", (RED,))
        await storage.begin(a_battle(), [(token_hash("secret"), link)], ["opening"])
        assert await storage.battle("b1") == a_battle()
        assert await storage.battle("b2") is None
        assert await storage.link("secret") == link
        assert await storage.link("secrex") is None
        await storage.append(
            "b1", 1, '{"side":"red"}', waiting=("blue",), ended=False, winner=NO_SIDE, thought=("red", "because", [1])
        )
        assert await storage.lines("b1") == [(0, "opening"), (1, '{"side":"red"}')]
        assert await storage.lines("b1", 0) == [(1, '{"side":"red"}')]
        assert await storage.reasons("b1") == [(1, "red", "because")]
        assert await storage.minds("b1") == {"red": [1]}
        assert await storage.waiting_for_bots() == ["b1"]
        said = await storage.say("b1", RED, "Ann", "hello \u2603 <b>", 2)
        assert said is not None
        assert await storage.chat("b1") == [said]
        await storage.say("b1", RED, "Ann", "again", 2)
        assert await storage.say("b1", RED, "Ann", "too much", 2) is None
        assert await storage.going_on() == 1

    using(database, use)


def test_of_two_entries_with_one_number_exactly_one_is_kept(database: str) -> None:
    async def use(storage: Storage) -> None:
        await storage.begin(a_battle(), [], ["opening"])

        async def write(text: str) -> bool:
            try:
                await storage.append("b1", 1, text, waiting=(), ended=False, winner=NO_SIDE)
            except Taken:
                return False
            return True

        won = await asyncio.gather(*(write(f"{n}") for n in range(8)))
        assert sum(won) == 1
        assert (await storage.lines("b1"))[1][1] == str(won.index(True))

    using(database, use)


def test_what_is_written_together_fails_one_by_one(database: str) -> None:
    """A hundred battles write at once; those whose number is taken are told so, and all others are kept."""

    async def use(storage: Storage) -> None:
        names = [f"b{n}" for n in range(100)]
        for name in names:
            await storage.begin(a_battle(name), [], ["opening"])
        taken = names[::7]
        for name in taken:
            await storage.append(name, 1, "first", waiting=(), ended=False, winner=NO_SIDE)
        results = await asyncio.gather(
            *(storage.append(name, 1, "second", waiting=(), ended=False, winner=NO_SIDE) for name in names),
            return_exceptions=True,
        )
        assert [isinstance(one, Taken) for one in results] == [name in taken for name in names]
        for name in names:
            assert (await storage.lines(name))[1:] == [(1, "first" if name in taken else "second")]

    using(database, use)


def test_a_database_that_may_forget_is_refused(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'b.sqlite'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA synchronous=FULL")
        see_durable(connection)
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        with pytest.raises(NotDurable, match="FULL"):
            see_durable(connection)
    engine.dispose()


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit"])
def test_a_postgresql_that_may_forget_is_refused(setting: str) -> None:
    with cluster(f"{setting}=off") as forgetful:
        storage = Storage(Settings(database=forgetful.fresh()).address())

        async def use() -> None:
            try:
                with pytest.raises(NotDurable, match=setting):
                    await storage.open()
            finally:
                await storage.close()

        asyncio.run(use())


def answer_at_once(pages: list[Page], draft: Any) -> list[dict[str, Any]]:
    """Let several pages answer the same question at the same moment."""
    told: list[dict[str, Any]] = [{}] * len(pages)
    ready = threading.Barrier(len(pages))

    def answer(at: int) -> None:
        ready.wait()
        told[at] = pages[at].ask("answer", question=pages[at].situation["asks"], answer=draft)

    threads = [threading.Thread(target=answer, args=(at,)) for at in range(len(pages))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_two_workers_answer_one_question_and_exactly_one_succeeds(postgresql: Any) -> None:
    """Both then show the same battle, and the journal holds one answer for each question."""
    database = postgresql.fresh()
    with serving(database) as one, serving(database) as other:
        for _ in range(5):
            made = one.begin()
            red, blue, _ = tokens(made)
            with one.page(red) as here, other.page(red) as there:
                told = answer_at_once([here, there], "2")
                assert sorted(each["tell"] for each in told) == ["kept", "wrong"], told
                assert next(each for each in told if each["tell"] == "wrong")["why"] in ("taken", "stale")
                for page in (here, there):
                    page.until(lambda page=page: page.situation["n"] == 2)  # type: ignore[misc]
                    assert page.situation["question"] is None
            with other.page(blue) as page:
                assert page.answer("1")["tell"] == "kept"
            rows = other.hall()._live[made["battle"]].battle.journal
            assert [line.side for line in rows.said() if isinstance(line, Answered)] == ["red", "blue"]


def test_what_one_worker_keeps_the_others_tell(postgresql: Any) -> None:
    """Over PostgreSQL's notices: a page at one worker hears of answers and chat at another."""
    database = postgresql.fresh()
    with serving(database) as one, serving(database) as other:
        made = one.begin()
        red_token, blue_token, _ = tokens(made)
        with one.page(red_token) as red, other.page(blue_token) as blue:
            red.answer("2")
            blue.until(lambda: blue.situation["n"] == 2)
            blue.answer("1")
            red.until(lambda: red.situation["n"] == 3)
            red.ask("chat", text="well played")
            blue.until(lambda: bool(blue.chat))
            blue.do("concede")
            red.until(lambda: red.ended)
            live = [it.hall()._live[made["battle"]].battle for it in (one, other)]
            assert live[0].digest() == live[1].digest()


def test_a_notice_holds_an_id_and_a_number_and_nothing_that_was_said(postgresql: Any) -> None:
    database = postgresql.fresh()
    with serving(database) as it, psycopg.connect(database, autocommit=True) as ear:
        ear.execute(f"LISTEN {CHANNEL}")
        made = it.begin()
        with it.page(tokens(made)[0]) as red:
            red.answer("2")
            red.ask("chat", text="secret")
        heard = [notice.payload for notice in ear.notifies(timeout=10, stop_after=2)]
    assert len(heard) == 2
    assert all(re.fullmatch(f"{made['battle']} -?[0-9]+", payload) for payload in heard), heard


def test_a_copy_that_was_made_while_the_server_runs_is_whole(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}") as it:
        made = it.begin()
        with it.page(tokens(made)[0]) as red:
            red.answer("2")
            with sqlite3.connect(tmp_path / "battles.sqlite") as one, sqlite3.connect(tmp_path / "copy.sqlite") as copy:
                one.backup(copy)
            digest = red.situation["digest"]
    with serving(f"sqlite:///{tmp_path / 'copy.sqlite'}") as it, it.page(tokens(made)[0]) as red:
        assert red.situation["digest"] == digest


def test_a_battle_is_picked_up_by_any_worker_as_it_stood(database: str) -> None:
    with serving(database) as one:
        made = one.begin(seats=[{"side": "blue", "kind": "bot"}])
        (red, _) = tokens(made)
        with one.page(red) as page:
            page.answer("2")
            page.asked()
            before = page.situation
    with serving(database) as other, other.page(red) as page:
        assert page.situation["digest"] == before["digest"]
        assert page.situation["question"] == before["question"]
        played = play_on(page)
        assert played
        assert journal_in(other, made["battle"])


def play_on(page: Page) -> int:
    """Play to the end."""
    return page.play(Duel(), 2) + 1


def journal_in(server: Server, battle: str) -> bool:
    """See that the stored journal plays again from its header."""

    async def read() -> Journal:
        storage = Storage(server.hall().settings.address())
        kept = await storage.battle(battle)
        assert kept is not None
        rows = await storage.lines(battle)
        await storage.close()
        return read_journal(kept.header, rows, None, battle)

    return replayed(asyncio.run(read()), Duel()).ended
