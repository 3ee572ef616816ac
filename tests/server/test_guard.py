"""Bad input and bad people: what is not let in, and what every answer says."""

import asyncio
import json
import random
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from sandtable.forces.ledger import ledger, systems
from sandtable.lab.rulebooks import rulebook
from sandtable.server.settings import Limits
from tests.server.tables import FREE, SECONDS, Server, serving


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with small limits."""
    limits = Limits(
        connections_per_address=5,
        messages_per_second=1,
        messages_at_once=5,
        drafts_per_second=0,
        drafts_at_once=2,
        battles_per_hour=0,
        battles_at_once=3,
        requests_at_once=60,
        requests_per_second=1000,
        seconds_to_sit=120.0,
    )
    with serving(f"sqlite:///{tmp_path_factory.mktemp('strict') / 'b.sqlite'}", limits) as it:
        yield it


def test_every_answer_has_the_headers_of_a_strict_policy(server: Server) -> None:
    for path in ("/", "/health", "/api/rulesets", "/no/such/file", "/api/battles/nothing"):
        headers = server.http.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_another_site_may_not_speak_for_a_browser(server: Server) -> None:
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = server.http.post("/api/battles", json={"ruleset": "duel"}, headers=headers)
        assert (answer.status_code, answer.json()["why"]) == (403, "origin")
    own = server.http.post("/api/battles", json={"ruleset": "duel"}, headers={"origin": server.base})
    assert own.status_code == 201
    where = f"ws://127.0.0.1:{server.port}/api/table"
    for origin in ("https://evil.example", "http://127.0.0.1:1", "null"):
        with pytest.raises(InvalidStatus), connect(where, origin=Origin(origin)):
            pass
    with connect(where, origin=Origin(server.base)) as socket:
        assert socket.response is not None


def test_a_name_that_is_not_its_own_is_refused(server: Server) -> None:
    assert server.http.get("/health", headers={"host": "evil.example"}).status_code == 421
    assert server.http.get("/health", headers={"host": f"localhost:{server.port}"}).status_code == 200


def test_no_file_outside_the_page_is_served(server: Server) -> None:
    raw = httpx.Client(base_url=server.base)
    for path in ("/../pyproject.toml", "/..%2f..%2fapp.py", "/%2e%2e/server/app.py", "/__init__.py", "//etc/passwd"):
        assert raw.get(path).status_code in (400, 404), path
    raw.close()


def test_a_body_that_is_too_long_is_not_read(server: Server) -> None:
    answer = server.http.post("/api/battles", json={"ruleset": "duel", "text": "x" * 300_000})
    assert answer.status_code in (400, 413)
    assert server.http.post("/api/journals", content=b"x" * (9 * 1024 * 1024)).status_code == 413


def test_a_message_that_is_too_long_ends_the_line(server: Server) -> None:
    (token, *_) = tokens(server.begin())
    with server.page(token) as page:
        page.say("chat", text="x" * 100_000)
        with pytest.raises(ConnectionClosed):
            page.until(lambda: False)
    with server.page(token) as page:
        assert page.situation["n"] == 1


def test_too_many_connections_from_one_place_are_dropped(strict: Server) -> None:
    where = f"ws://127.0.0.1:{strict.port}/api/table"
    with ExitStack() as held:
        for _ in range(5):
            held.enter_context(connect(where))
        with pytest.raises(InvalidStatus), connect(where):
            pass
    for _ in range(200):
        try:
            with connect(where):
                break
        except InvalidStatus:
            time.sleep(0.01)
    else:
        pytest.fail("a place that is free again is not given away")


def test_a_thousand_connections_from_one_place_are_dropped_and_play_goes_on(tmp_path: Path) -> None:
    """Some say nothing, some ask for sockets; whoever sits at a table does not notice."""
    limits = Limits(lines_per_address=60, connections_per_address=10, seconds_to_ask=3.0)

    async def crowd(port: int) -> tuple[int, int]:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(500)]
        asking = (open_socket(f"ws://127.0.0.1:{port}/api/table", open_timeout=SECONDS) for _ in range(500))
        found = await asyncio.gather(*asking, return_exceptions=True)
        sockets = [one for one in found if not isinstance(one, BaseException)]
        ended = await asyncio.gather(
            *(asyncio.wait_for(reader.read(1), SECONDS) for reader, _ in silent), return_exceptions=True
        )
        for _, writer in silent:
            writer.close()
        for socket in sockets:
            await socket.close()
        return len(sockets), sum(one == b"" or isinstance(one, OSError) for one in ended)

    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it:
        (token, *_) = tokens(it.begin())
        with it.page(token) as page:
            let_in, dropped = asyncio.run(crowd(it.port))
            assert let_in <= 9, "one of ten sits at the table"
            assert dropped == 500
            assert page.answer("1")["tell"] == "kept"
        assert it.http.get("/health").json()["storage"] is True


def test_whoever_does_not_sit_down_is_sent_away(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FREE, seconds_to_sit=0.1)
    with (
        serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it,
        connect(f"ws://127.0.0.1:{it.port}/api/table") as socket,
        pytest.raises(ConnectionClosed),
    ):
        socket.recv(timeout=SECONDS)


def test_too_many_messages_are_refused_and_then_end_the_line(strict: Server) -> None:
    (token, *_) = tokens(strict.begin())
    with strict.page(token) as page:
        whys = [page.ask("draft", question=page.situation["asks"], answer="1").get("why", "") for _ in range(3)]
        assert whys == ["", "", "limit"]
        for _ in range(40):
            page.say("ping")
        with pytest.raises(ConnectionClosed):
            page.until(lambda: False)


def test_too_many_battles_from_one_place_are_refused(strict: Server) -> None:
    found = [strict.http.post("/api/battles", json={"ruleset": "duel"}).status_code for _ in range(5)]
    assert found[-1] == 429


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    limits = Limits(requests_per_second=0, requests_at_once=10)
    with serving(f"sqlite:///{tmp_path / 'b.sqlite'}", limits) as it:
        last = [it.http.get("/health") for _ in range(11)][-1]
        assert (last.status_code, last.json()["why"]) == (429, "limit")
        assert int(last.headers["retry-after"]) > 0


def test_wrong_battles_are_told_what_is_wrong(server: Server) -> None:
    for wanted, why in (
        ({"ruleset": "nowhere"}, "ruleset"),
        ({"ruleset": "duel", "seats": [{"side": "green"}]}, "seat"),
        ({"ruleset": "duel", "seats": [{"side": "red", "kind": "bot", "bot": "nobody"}]}, "bot"),
        ({"ruleset": "duel", "scenario": "nowhere"}, "file"),
        ({"ruleset": "duel", "scenario": "../../etc/passwd"}, "request"),
        ({"ruleset": "duel", "more": 1}, "request"),
        ({}, "request"),
    ):
        answer = server.http.post("/api/battles", json=wanted)
        assert 400 <= answer.status_code < 500
        assert answer.json()["why"] == why
        assert answer.json()["words"]


def test_tokens_are_stored_hashed_and_stand_in_no_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", FREE) as it:
        made = it.begin(seats=[{"side": "blue", "kind": "bot"}])
        for token in tokens(made):
            with it.page(token) as page:
                page.ask("answer", question="x", answer=1)
            it.get(f"/api/battles/{made['battle']}/journal", token)
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    said = capfd.readouterr()
    for token in tokens(made):
        assert len(token) >= 27
        assert token.encode() not in stored
        assert token not in said.out + said.err
        # The test's own client logs what it sends; what the server logs must not hold a token.
        ours = [record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")]
        assert token not in "\n".join(ours)


WORDS: list[Any] = [
    None,
    True,
    -1,
    0,
    1 << 80,
    1.5,
    "",
    "x",
    "red",
    "\ud800",
    [],
    {},
    [[[]]],
    {"a": {"b": 1}},
    "é" * 300,
]
KINDS = ["sit", "draft", "answer", "undo", "order", "concede?", "draw?", "claim", "chat", "ping", "nonsense", None]


def malformed(random_: random.Random, asks: str, good: bytes) -> bytes:
    """Something that is almost a message, or nothing like one."""
    shape = random_.randrange(6)
    if shape == 0:
        return random_.randbytes(random_.randrange(60))
    if shape == 1:
        cut = bytearray(good)
        for _ in range(random_.randrange(1, 4)):
            cut[random_.randrange(len(cut))] = random_.randrange(256)
        return bytes(cut)
    if shape == 2:
        return b"[" * random_.randrange(1, 3000)
    fields = ("id", "question", "answer", "part", "value", "rule", "when", "withdraw", "text", "token", "side", "since")
    message: dict[str, Any] = {"say": random_.choice(KINDS)}
    for name in random_.sample(fields, random_.randrange(6)):
        message[name] = random_.choice(WORDS)
    if shape > 3:
        message["question"] = asks
    return json.dumps(message).encode("utf-8", "surrogatepass")


def is_text(data: bytes) -> bool:
    """Whether it may go as text: WebSocket itself ends the line over text that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_malformed_messages_find_no_error_of_the_server(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    made = server.begin()
    token, other, _ = tokens(made)
    random_ = random.Random(4)
    sent = 20_000
    with server.page(token) as page:
        page.last = 1000  # no garbled id is taken for one of ours
        good = json.dumps({"say": "draft", "id": 3, "question": page.situation["asks"], "answer": "1"}).encode()
        for batch in range(sent // 100):
            for _ in range(100):
                data = malformed(random_, page.situation["asks"], good)
                page.socket.send(data, text=batch % 2 == 0 and is_text(data))
            told = page.ask("ping")
            assert told["tell"] == "pong"
            if batch % 20 == 0:
                page.sit(token)
        page.sit(token)
        assert not page.ended
    whys = [one["why"] for one in page.heard if one["tell"] == "wrong"]
    assert len(whys) > sent // 2
    assert set(whys) <= {"form", "stale", "newer", "seat", "gone", "claim", "limit"}
    assert [one for one in caplog.records if one.levelname in ("ERROR", "CRITICAL")] == []
    with server.page(other) as blue:
        assert blue.situation["question"] is not None


#: Words of rulesets that are plain English too, and stand here for what they say.
PLAIN = {
    "apart",
    "break",
    "claimed",
    "done",
    "high",
    "is",
    "leave",
    "level",
    "loaded",
    "locked",
    "may wait",
    "nothing",
    "path",
    "raised",
    "reading",
    "show",
    "signal",
    "stay",
    "waiting",
}


def test_the_server_knows_no_ruleset() -> None:
    """No ruleset's name, no rule id and no word of the rulesets' states, actions and weapons stands in the server."""
    source = Path(__file__).parents[2] / "src" / "sandtable" / "server"
    texts = {path: path.read_text(encoding="utf-8").lower() for path in source.rglob("*.py")}
    words = set(systems())
    for name in systems():
        words |= set(ledger(name).rules)
        vocabulary = rulebook(name).ruleset().case_words().vocabulary()
        words |= {word.lower() for part in ("states", "actions", "weapons") for word in vocabulary.get(part, ())}
    assert len(words) > 100
    found = [
        (path.name, word)
        for path, text in texts.items()
        for word in words - PLAIN
        if word in text and re.search(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", text)
    ]
    assert found == []
