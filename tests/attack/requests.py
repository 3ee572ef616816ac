"""Hostile requests and messages to a server on loopback: each is answered in time, in the true form of an error.

Half of them go to a server with small rulesets, where a battle is begun and played in no time, half to one with those
that are installed, where damaged scenarios, rosters and journals are read by the real rules.
"""

import json
import random
import statistics
import time
from typing import Any

import h11
import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from sandtable.server.seats.messages import FromPage
from tests.attack.damage import ODD, damaged
from tests.attack.files import text_of
from tests.attack.limits import SECONDS
from tests.server.tables import Server

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
FIELDS = ("token", "side", "question", "answer", "part", "value", "rule", "when", "offers", "text", "since", "withdraw")
SAYS = (*sorted(one.__struct_config__.tag for one in FromPage.__args__), "nothing")
#: How much more processor time the usual request of a route may take than the usual request of all.
TIMES = 100.0
#: The battles there are, as far as a server has their rulesets.
BATTLES = ("duel", "parley", "quickstart", "stargrunt")


class Attacker:
    """Knows a few battles, and what may be asked for."""

    def __init__(self, server: Server) -> None:
        self.server = server
        described = server.http.get("/schema/openapi.json").json()["paths"]
        self.paths = [(path, method.upper()) for path, methods in described.items() for method in methods]
        self.rulesets = [one["name"] for one in server.http.get("/api/rulesets").json()]
        made = [server.begin(name) for name in BATTLES if name in self.rulesets]
        self.battles = [one["battle"] for one in made]
        self.tokens = [link["token"] for one in made for link in one["links"]]
        #: How long each took, by route or by what was said; and how much of this process's processor time.
        self.times: dict[str, list[float]] = {}
        self.costs: dict[str, list[float]] = {}

    @property
    def slowest(self) -> float:
        """How long the slowest took, in seconds."""
        return max(max(times) for times in self.times.values())

    @property
    def times_the_median(self) -> float:
        """How much more the usual request of the dearest route costs than the usual request of all.

        That is processor time of the server and of whoever asks; what is read in processes of their own has its limit
        there.
        """
        usual = statistics.median(one for costs in self.costs.values() for one in costs)
        route, dearest = max(
            ((route, statistics.median(costs)) for route, costs in self.costs.items()), key=lambda it: it[1]
        )
        assert dearest <= TIMES * usual, f"{route} costs {dearest / usual:.0f} times the usual request"
        return dearest / usual

    def attack(self, number: int) -> str:
        """Send something hostile, by its number; gives what came of it."""
        chance = random.Random(f"request {number}")
        return self._message(number, chance) if number % 4 == 3 else self._request(number, chance)

    def _request(self, number: int, chance: random.Random) -> str:
        path, method = chance.choice(self.paths)
        route = f"{method} {path}"
        if chance.random() < 0.1:
            method = chance.choice(METHODS)
        path = path.replace("{name}", chance.choice([*self.rulesets, self._word(chance)]))
        path = path.replace("{battle}", chance.choice([*self.battles, self._word(chance)]))
        for part in ("{scenario}", "{rule}", "{n}"):
            path = path.replace(part, self._word(chance))
        body, kind = self._body(chance), chance.choice(["application/json", "application/json", "text/plain", "x/y"])
        headers = {"content-type": kind, "authorization": f"Bearer {chance.choice([*self.tokens, *ODD])}"}
        if chance.random() < 0.2:
            headers |= {chance.choice(["host", "origin", "content-length", "sec-fetch-site"]): self._word(chance)}
        began = time.monotonic(), time.process_time()
        try:
            request = self.server.http.build_request(
                *(method, path),
                content=body,
                headers=[(name.encode(), value.encode("utf-8", "replace")[:2000]) for name, value in headers.items()],
                params={chance.choice(["view", "first", "count", "search"]): self._word(chance)},
            )
            answer = self.server.http.send(request)
        except httpx.TimeoutException:
            raise AssertionError(f"request {number} is not answered") from None
        except (httpx.HTTPError, httpx.InvalidURL, h11.ProtocolError, ValueError) as problem:
            return f"not sent: {type(problem).__name__}"
        self._in_time(number, route, began)
        assert answer.status_code < 500 or answer.status_code == 503, f"request {number}: {answer.text}"
        assert "Traceback" not in answer.text
        if answer.status_code >= 400 and answer.content and answer.headers["content-type"] == "application/json":
            told = answer.json()
            assert set(told) == {"why", "words"}, f"request {number}: {answer.text}"
            assert told["words"], f"request {number} is answered without words"
        return str(answer.status_code)

    def _message(self, number: int, chance: random.Random) -> str:
        message: dict[str, Any] = {"say": chance.choice(SAYS), "id": chance.choice([number, -1, 1 << 60, "x", None])}
        for field in FIELDS:
            if chance.random() < 0.4:
                message[field] = self._value(chance)
        data: str | bytes = json.dumps(message)
        if chance.random() < 0.3:
            data = damaged(json.dumps(message), chance)[:70_000]
        if chance.random() < 0.1:
            data = str(data).encode("utf-8", "surrogatepass")
        began = time.monotonic(), time.process_time()
        try:
            with connect(f"ws://127.0.0.1:{self.server.port}/api/table", max_size=None) as socket:
                socket.send(json.dumps({"say": "sit", "token": chance.choice(self.tokens)}))
                assert json.loads(socket.recv(timeout=SECONDS))["tell"] == "welcome"
                socket.send(data)
                socket.send(json.dumps({"say": "ping", "id": 4711}))
                while (told := json.loads(socket.recv(timeout=SECONDS)))["tell"] != "pong":
                    assert told["tell"] != "wrong" or told["words"]
        except WebSocketException as problem:
            return f"hung up: {type(problem).__name__}"
        except TimeoutError:
            raise AssertionError(f"message {number} is not answered") from None
        self._in_time(number, message["say"], began)
        return "heard"

    def _in_time(self, number: int, what: str, began: tuple[float, float]) -> None:
        took = time.monotonic() - began[0]
        self.times.setdefault(what, []).append(took)
        self.costs.setdefault(what, []).append(time.process_time() - began[1])
        assert took < SECONDS + 0.5, f"request {number} took {took:.1f} s"

    def _word(self, chance: random.Random) -> str:
        words = (*ODD, *self.battles, *self.rulesets, "0", "red", "everything", "../../etc/passwd", "%00", "a" * 300)
        return str(chance.choice(words)).replace("\x00", "")

    def _value(self, chance: random.Random) -> Any:
        deep: Any = "x"
        for _ in range(chance.choice([1, 5, 100])):
            deep = [deep] if chance.random() < 0.5 else {"a": deep}
        known = (*ODD, *self.tokens, "1", "2", 0, -1, 1 << 62, 1.5, None, True, [], {}, deep, {"side": "red"})
        return chance.choice(known)

    def _body(self, chance: random.Random) -> bytes:
        kind = chance.choice(["bot", "person", "hot seat", "x"])
        seats = [{"side": chance.choice(["red", "blue", "", "\0"]), "kind": kind}]
        ruleset = chance.choice(self.rulesets)
        kind, _, file = text_of(chance.randrange(1 << 30))
        if kind == "journal" and chance.random() < 0.5:
            return file.encode("utf-8", "surrogateescape")[:300_000]
        whole = (
            {"ruleset": ruleset, "seats": seats, "title": self._value(chance)},
            {"ruleset": ruleset, "text": file, "size": self._value(chance)},
            {"ruleset": ruleset, "rosters": {"red": file}},
            {"text": file},
            {"text": self._word(chance)},
            {"form": self._value(chance)},
            {"tokens": [self._value(chance)] * chance.choice([1, 200])},
            {"width": self._value(chance), "height": 24000, "seed": self._value(chance)},
            {"at": self._value(chance), "seats": seats},
            self._value(chance),
        )
        text = json.dumps(chance.choice(whole))
        if chance.random() < 0.3:
            text = damaged(text, chance)
        return text.encode("utf-8", "surrogatepass")[:300_000]
