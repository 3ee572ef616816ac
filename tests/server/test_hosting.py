"""Hosting: names, proxies, words, and databases that cannot be used."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandtable.server.api.guard import Addresses, Guard, one_caller
from sandtable.server.api.lines import Lines
from sandtable.server.database.kept import new_seed
from sandtable.server.database.unusable import Unusable
from sandtable.server.serving import see_usable
from sandtable.server.settings import Limits, Settings
from tests.server.tables import Server, serving


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def either(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on either database."""
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path_factory.mktemp('either') / 'b.sqlite'}"
    else:
        database = request.getfixturevalue("postgresql").fresh()
    with serving(database) as it:
        yield it


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", "192.0.2.7"])
def test_a_name_that_was_not_given_is_refused_on_every_address(host: str) -> None:
    async def app(*_: Any) -> None:
        """Nothing behind it."""

    settings = Settings(host=host, names=("Table.example",))
    guard = Guard(app, settings, Addresses(settings.limits))

    def refused(name: str) -> bool:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", name.encode())]}
        found = guard._refused(scope)
        return found is not None and found[0] == 421

    assert refused("evil.example")
    assert refused("198.51.100.1:8040")
    assert refused("0.0.0.0")
    assert not refused("localhost:8040")
    assert not refused("table.example.:443")
    assert refused("192.0.2.7") == (host != "192.0.2.7")


def test_a_proxy_is_believed_at_its_own_address_only(tmp_path: Path) -> None:
    limits = Limits(requests_at_once=4, requests_per_second=0.0)
    for proxy, believed in (("127.0.0.1", True), ("192.0.2.1", False)):
        with serving(f"sqlite:///{tmp_path / f'{believed}.sqlite'}", limits, proxy=proxy) as it:
            codes = [
                httpx.get(f"{it.base}/api/bots", headers={"x-forwarded-for": f"198.51.100.{n}"}).status_code
                for n in range(8)
            ]
        assert (429 in codes) != believed


def test_only_the_proxy_s_own_connections_are_not_counted() -> None:
    lines = Lines(Settings(proxy="192.0.2.1", limits=Limits(lines_per_address=2)))
    assert all(lines.comes("192.0.2.1") for _ in range(10))
    assert [lines.comes("192.0.2.2") for _ in range(3)] == [True, True, False]


def test_an_ipv6_network_counts_as_one() -> None:
    assert one_caller("2001:db8::1") == one_caller("2001:db8::ffff:1") != one_caller("2001:db8:0:1::1")


def test_seeds_that_nobody_chose_have_128_bits() -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", new_seed())
    assert new_seed() != new_seed()


@pytest.mark.parametrize("odd", ["a\0b", "a\x1b[2J", "two\nlines", "\x85", "\u202eturned"])
def test_control_characters_are_refused_alike_on_both_databases(either: Server, odd: str) -> None:
    for wanted in ({"title": odd}, {"seats": [{"side": "red", "name": odd}]}, {"seats": [{"side": odd}]}):
        answer = either.http.post("/api/battles", json={"ruleset": "duel", **wanted})
        assert (answer.status_code, answer.json()["why"]) == (400, "request"), answer.text
    made = either.begin(title="plain – ¡sí!")
    with either.page(made["links"][0]["token"]) as page:
        assert page.ask("chat", text=odd)["why"] == "form"
        assert page.ask("sit", token=made["links"][0]["token"], side=odd)["why"] == "form"
        assert page.ask("chat", text="¿qué?")["tell"] == "kept"


def test_half_a_character_is_no_text(either: Server) -> None:
    body = b'{"ruleset":"duel","title":"\\ud800"}'
    answer = either.http.post("/api/battles", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_a_second_server_on_one_sqlite_file_is_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'b.sqlite'}"
    with serving(database), pytest.raises(Unusable, match="another server has this file open"):
        see_usable(Settings(database=database))
    see_usable(Settings(database=database))


def started(database: str, data: Path) -> "subprocess.CompletedProcess[str]":
    """What `sandtable serve` says of a database."""
    command = [sys.executable, "-c", "import sys; from sandtable.cli import main; sys.exit(main())", "serve"]
    return subprocess.run(
        [*command, "--no-browser", "--port", "0", "--database", database],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=data,
    )


def test_a_database_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("this is no database at all, but a text of some length" * 20)
    (tmp_path / "folder.sqlite").mkdir()
    see_usable(Settings(database=str(tmp_path / "newer.sqlite")))
    with sqlite3.connect(tmp_path / "newer.sqlite") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    for database, words in {
        "text.sqlite": "it cannot be used",
        "folder.sqlite": "it cannot be used",
        "newer.sqlite": "newer version",
        "postgresql://nobody@127.0.0.1:1/none": "it cannot be used",
        "mysql://host/name": "give",
        "http://": "give",
    }.items():
        told = started(database, tmp_path)
        assert told.returncode == 2, (database, told.stderr)
        assert words in told.stderr, (database, told.stderr)
        assert told.stderr.count("\n") == 1, (database, told.stderr)


def test_the_database_is_its_owner_s_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "b.sqlite"
    with serving(f"sqlite:///{file}") as it:
        it.begin()
        assert {one.name: one.stat().st_mode & 0o077 for one in file.parent.iterdir()} == {
            one.name: 0 for one in file.parent.iterdir()
        }
        assert file.parent.stat().st_mode & 0o077 == 0
