"""Looking back: logs, moments, journals, forks, reasons; and what is not to be had while a battle is going on."""

from typing import Any

import pytest
from msgspec import to_builtins

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.records.journal import Journal, JournalDiverged, Snapshot
from sandtable.engine.records.replay import replayed, resumed
from tests.engine.duel import Duel
from tests.server.shelf import GAMES
from tests.server.tables import Server

BOTS = [{"side": "red", "kind": "bot"}, {"side": "blue", "kind": "bot"}]


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


@pytest.fixture(scope="module")
def over(server: Server) -> tuple[str, str]:
    """A battle that bots have played to its end, and a spectator's token."""
    made = server.begin(seats=BOTS)
    (token,) = tokens(made)
    with server.page(token) as page:
        page.until(lambda: page.ended)
    return made["battle"], token


def test_a_log_is_told_stretch_by_stretch(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    whole = server.get(f"/api/battles/{battle}/log", token).json()
    assert whole["total"] == len(whole["lines"])
    part = server.get(f"/api/battles/{battle}/log", token, first=3, count=2).json()
    assert part["lines"] == whole["lines"][3:5]
    assert [line["event"]["n"] for line in whole["lines"]] == list(range(1, whole["total"] + 1))


def test_any_moment_can_be_seen_again(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    total = server.get(f"/api/battles/{battle}/log", token).json()["total"]
    first = server.get(f"/api/battles/{battle}/moments/0", token).json()
    last = server.get(f"/api/battles/{battle}/moments/{total}", token, view="everything").json()
    assert first["table"]["things"] == {}
    assert first["line"] is None
    assert last["table"]["ending"] is not None
    assert server.get(f"/api/battles/{battle}/moments/{total + 1}", token).status_code == 404
    assert server.get(f"/api/battles/{battle}/moments/1", token, view="green").status_code == 404


def test_the_journal_of_a_finished_battle_plays_again(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    answer = server.get(f"/api/battles/{battle}/journal", token)
    assert answer.status_code == 200
    assert replayed(Journal.decode(answer.content), Duel()).ended


def test_while_people_play_nobody_gets_the_journal_or_another_s_log(server: Server) -> None:
    made = server.begin()
    red, blue, spectator = tokens(made)
    battle = made["battle"]
    for token in (red, blue, spectator):
        for what in ("journal", "reasons"):
            assert server.get(f"/api/battles/{battle}/{what}", token).status_code == 403
        assert server.post(f"/api/battles/{battle}/fork", token, at=0).status_code == 403
        for what in ("log", "moments/1", "picture"):
            assert server.get(f"/api/battles/{battle}/{what}", token, view="everything").status_code == 403
            assert server.get(f"/api/battles/{battle}/{what}", token).status_code == 200
    for what in ("log", "moments/1", "picture"):
        assert server.get(f"/api/battles/{battle}/{what}", red, view="red").status_code == 200
        assert server.get(f"/api/battles/{battle}/{what}", red, view="blue").status_code == 403
        assert server.get(f"/api/battles/{battle}/{what}", spectator, view="red").status_code == 403


def test_a_token_opens_its_own_battle_only(server: Server) -> None:
    one, other = server.begin(), server.begin()
    for what in ("", "/log", "/moments/0", "/journal", "/reasons", "/picture"):
        assert server.get(f"/api/battles/{one['battle']}{what}", tokens(other)[0]).status_code == 404
        assert server.get(f"/api/battles/{one['battle']}{what}").status_code == 404


def test_a_fork_goes_on_from_its_moment_with_fresh_dice(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    header = Journal.decode(server.get(f"/api/battles/{battle}/journal", token).content).header
    made = server.post(
        f"/api/battles/{battle}/fork", token, at=4, seats=[{"side": s, "kind": "hot seat"} for s in ("red", "blue")]
    ).json()
    hot, _ = tokens(made)
    with server.page(hot) as page:
        assert page.welcome["sides"] == ["red", "blue"]
        assert page.welcome["seed"] is None
        assert page.situation["n"] >= 3
        asked = page.situation["waiting"][0]
        page.sit(hot, asked)
        page.do("concede")
        assert page.ended
    forked = Journal.decode(server.get(f"/api/battles/{made['battle']}/journal", hot).content)
    assert forked.header.seed != header.seed
    again = server.post(f"/api/battles/{made['battle']}/fork", hot, at=len(forked.said()) - 1)
    assert again.status_code == 201, again.text
    assert server.post(f"/api/battles/{battle}/fork", token, at=10_000).status_code == 404


def test_the_journal_of_a_fork_is_gone_on_with_and_not_verified_from_the_start(
    server: Server, over: tuple[str, str]
) -> None:
    battle, token = over
    said = len(Journal.decode(server.get(f"/api/battles/{battle}/journal", token).content).said())
    made = server.post(
        f"/api/battles/{battle}/fork",
        token,
        at=said - 2,
        seats=[{"side": s, "kind": "hot seat"} for s in ("red", "blue")],
    ).json()
    journal = Journal.decode(server.get(f"/api/battles/{made['battle']}/journal", tokens(made)[0]).content)
    assert any(isinstance(line, Snapshot) for line in journal.lines)
    assert resumed(journal, Duel()).questions
    with pytest.raises(JournalDiverged):
        replayed(journal, Duel())


@pytest.mark.parametrize("name", ["stargrunt", "sealed-numbers", "duel"])
def test_every_line_says_how_much_had_been_said_whatever_its_log_hides(server: Server, name: str) -> None:
    """Each page counts alike, hidden events, standing orders and undo notwithstanding."""
    sides = ("red", "blue")
    made = server.begin(name, seats=[{"side": side, "kind": "hot seat"} for side in sides])
    hot, spectator = tokens(made)
    bot = RandomBot(type(GAMES[name].ruleset)(), 3)
    with server.page(hot) as page, server.page(spectator) as third:
        page.do("order", rule="no.such.rule", answer="1")
        seen: dict[int, int] = {}  # how long the spectator's log was when so much had been said
        for _ in range(12):
            if page.ended:
                break
            page.sit(hot, page.situation["waiting"][0])
            told = page.answer(to_builtins(bot.answer(page.view(), page.question())))
            if page.situation["may_undo"]:
                told = page.do("undo")
                page.sit(hot, page.situation["waiting"][0])
                told = page.answer(to_builtins(bot.answer(page.view(), page.question())))
            third.until(lambda n=told["n"]: third.situation["n"] >= n)  # type: ignore[misc]
            seen[told["n"] - 1] = len(third.log)
        assert len(seen) > 2
        for view, log in {**{side: [] for side in sides}, "": third.log, "everything": []}.items():
            lines = server.get(f"/api/battles/{made['battle']}/log", hot, view=view).json()["lines"]
            assert not log or lines == log
            counted = [line["said"] for line in lines]
            assert counted == sorted(counted)
            assert counted[0] == 0
        for said, length in seen.items():
            assert all(line["said"] <= said for line in third.log[:length])
            assert all(line["said"] > said for line in third.log[length:])


def test_a_fork_at_a_line_stands_where_the_line_stood(server: Server, over: tuple[str, str]) -> None:
    """The spectator's log is shorter than the truth; its lines fork where they should all the same."""
    battle, token = over
    lines = server.get(f"/api/battles/{battle}/log", token).json()["lines"]
    middle = lines[len(lines) // 2]
    made = server.post(f"/api/battles/{battle}/fork", token, at=middle["said"]).json()
    link = made["links"][-1]["token"]
    log = server.get(f"/api/battles/{made['battle']}/log", link).json()["lines"]
    past = [line for line in lines if line["said"] < middle["said"]]
    assert log[: len(past)] == past


def test_a_moment_is_shared_by_a_fresh_link_that_only_watches(server: Server) -> None:
    made = server.begin()
    red, _, _ = tokens(made)
    link = server.post(f"/api/battles/{made['battle']}/watch", red).json()
    assert link["role"] == "spectator"
    assert link["token"] not in tokens(made)
    with server.page(link["token"]) as page:
        assert page.welcome["role"] == "spectator"
        assert page.ask("concede")["why"] == "seat"
    assert server.post(f"/api/battles/{made['battle']}/watch", "nothing").status_code == 404


def test_a_journal_that_is_sent_must_come_out_the_same(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    data = server.get(f"/api/battles/{battle}/journal", token).content
    made = server.http.post("/api/journals", content=data)
    assert made.status_code == 201, made.text
    (hot, _) = tokens(made.json())
    with server.page(hot) as page:
        assert page.ended
    edited = data.replace(b'"answer":"1"', b'"answer":"3"', 1).replace(b'"answer":"2"', b'"answer":"3"', 1)
    rows = data.splitlines(keepends=True)
    event = next(at for at, row in enumerate(rows) if b'"event":"Rolled"' in row)
    digest = next(at for at, row in enumerate(rows) if b'"line":"digest"' in row)
    by_hand = (
        edited,
        data[: len(data) // 2],
        b"",
        b"nonsense",
        data.replace(b'"duel"', b'"nowhere"', 1),
        data.replace(b'"seed":', b'"seed":1', 1),
        b"".join(rows[:event] + rows[event + 1 :]),
        b"".join([*rows[:event], rows[event].replace(b'"total":', b'"total":9', 1), *rows[event + 1 :]]),
        b"".join([*rows[:digest], rows[digest].replace(b'"digest":"', b'"digest":"0', 1), *rows[digest + 1 :]]),
        b"".join([rows[0], *rows]),
    )
    for wrong in by_hand:
        answer = server.http.post("/api/journals", content=wrong)
        assert answer.status_code == 422, answer.text
        assert "journal" in answer.json()["words"]


def test_a_journal_that_is_cut_after_an_answer_is_gone_on_with(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    rows = server.get(f"/api/battles/{battle}/journal", token).content.splitlines(keepends=True)
    second = [at for at, row in enumerate(rows) if b'"line":"answer"' in row][2]
    made = server.http.post("/api/journals", content=b"".join(rows[:second]))
    assert made.status_code == 201, made.text
    hot, _ = tokens(made.json())
    with server.page(hot) as page:
        side = page.situation["waiting"][0]
        page.sit(hot, side)
        assert page.situation["question"]["side"] == side


def test_bots_reasons_are_read_after_the_battle(server: Server, over: tuple[str, str]) -> None:
    battle, token = over
    assert server.get(f"/api/battles/{battle}/reasons", token).status_code == 200


def test_my_battles_are_those_my_tokens_open(server: Server, over: tuple[str, str]) -> None:
    made = server.begin(title="Mine")
    known = server.http.post("/api/battles/known", json={"tokens": ["nothing", tokens(made)[1], over[1]]}).json()
    assert [(one["battle"], one["token"], one["ended"]) for one in known] == [
        (made["battle"], 1, False),
        (over[0], 2, True),
    ]
    assert known[0]["sides"] == ["blue"]
    assert known[0]["your_turn"]
