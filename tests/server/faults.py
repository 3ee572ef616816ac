"""Faults of a database, each at a place of its own: before a transaction, at a statement of it, or after its end.

After its end is the worst: what was written is there, and whoever wrote it is told that something went wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.records.journal import Answered, Journal
from sandtable.engine.records.replay import replayed
from sandtable.engine.ruleset import Ruleset
from sandtable.server.database.storage import Storage
from tests.server.tables import Page, Server

Kind = Literal["before", "statement", "reply"]
KINDS: tuple[Kind, ...] = ("before", "statement", "reply")


class Faults:
    """Counts transactions and statements, and lets one of them fail."""

    def __init__(self, storage: Storage) -> None:
        self.engine = storage.engine
        self.kind: Kind | None = None
        self.always = False  # every transaction fails
        self.left = self.happened = self.counted = 0
        self._begin = self.engine.begin
        self.engine.begin = self._shaken  # type: ignore[method-assign]
        sa.event.listen(self.engine, "before_cursor_execute", self._statement)

    def at(self, kind: Kind | None, number: int = 0) -> None:
        """Let the so-manieth from now on fail in a way; none: nothing fails, and things are counted."""
        self.kind, self.left, self.happened, self.counted = kind, number, 0, 0

    def remove(self) -> None:
        """Nothing fails any more."""
        self.engine.begin = self._begin  # type: ignore[method-assign]
        sa.event.remove(self.engine, "before_cursor_execute", self._statement)

    def _strikes(self, kind: Kind) -> bool:
        if self.kind != kind:
            return False
        self.counted += 1
        self.left -= 1
        if self.left != 0:
            return False
        self.happened += 1
        return True

    @contextmanager
    def _shaken(self) -> Iterator[sa.Connection]:
        if self._strikes("before") or self.always:
            raise OperationalError("", {}, Exception("the line to db.internal:5432 is down"))
        with self._begin() as connection:
            yield connection
        if self._strikes("reply"):
            raise OperationalError("", {}, Exception("the reply of db.internal:5432 is lost"))

    def _statement(self, *_: Any) -> None:
        if self._strikes("statement"):
            raise OperationalError("", {}, Exception("the disk of db.internal is away"))


class Played:
    """What a person was told in a battle."""

    def __init__(self) -> None:
        self.kept = self.places = self.happened = 0
        self.wrong: list[str] = []  # why answers were not taken
        self.words: list[str] = []


def seated(server: Server, page: Page, token: str, played: Played) -> None:
    """Sit down, however often it takes."""
    for _ in range(5):
        page.welcome = page.ask("sit", token=token)
        if page.welcome["tell"] == "welcome":
            page.until(lambda: bool(page.situation))
            return
        played.words.append(page.welcome["words"])
    raise AssertionError("nobody can sit down")


def _told(told: dict[str, Any], played: Played) -> None:
    assert told["tell"] == "wrong", told
    played.wrong.append(told["why"])
    played.words.append(told["words"])


def battle_under(server: Server, faults: Faults, rules: Ruleset, kind: Kind | None, number: int) -> Played:
    """Play a battle against a bot with one fault in it, and see that everybody was told the truth."""
    faults.at(None)
    made = server.begin(rules.name, seats=[{"side": "blue", "kind": "bot"}])
    red_token, watching = (link["token"] for link in made["links"])
    played, bot = Played(), RandomBot(rules, number)
    faults.at(kind, number)
    with server.line() as red, server.line() as spectator:
        seated(server, red, red_token, played)
        seated(server, spectator, watching, played)
        while True:
            red.asked()
            if red.ended:
                break
            before, draft = red.situation["n"], msgspec.to_builtins(bot.answer(red.view(), red.question()))
            asked = red.say("answer", question=red.situation["asks"], answer=draft)
            told = red.hear()
            while told["id"] != asked:
                told = red.hear()
            if told["tell"] == "kept":
                played.kept += 1
                red.until(lambda n=told["n"]: bool(red.situation["n"] >= n))  # type: ignore[misc]
            elif told["why"] == "unknown":
                red.until(lambda: not red.situation["trouble"])
                played.kept += red.situation["n"] > before
                _told(told, played)
            elif told["why"] != "stale":
                _told(told, played)
        played.places, played.happened = faults.counted, faults.happened
        faults.at(None)
        spectator.until(lambda: spectator.ended)
        assert spectator.situation["n"] == red.situation["n"]
    answer = server.get(f"/api/battles/{made['battle']}/journal", token=red_token)
    assert answer.status_code == 200, answer.text
    journal = Journal.decode(answer.content)
    assert replayed(journal, rules).ended
    mine = [line for line in journal.said() if isinstance(line, Answered) and line.side == "red"]
    assert len(mine) == played.kept, f"{kind} {number}: {played.kept} were acknowledged, {len(mine)} are stored"
    assert not any("db.internal" in words or "5432" in words for words in played.words)
    return played
