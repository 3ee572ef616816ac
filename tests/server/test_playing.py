"""Playing at a table: what a seat may say, and what comes of it."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.ids import BLUE
from tests.engine.duel import Duel
from tests.server.shelf import GAMES
from tests.server.tables import Page, Server, serving


def seats(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


def test_a_seat_is_welcomed_and_told_how_things_stand(server: Server) -> None:
    made = server.begin(seats=[{"side": "red", "name": "Ann"}], title="Sunday")
    with server.page(seats(made)[0]) as red:
        assert (red.welcome["role"], red.welcome["side"], red.welcome["title"]) == ("seat", "red", "Sunday")
        assert [seat["name"] for seat in red.welcome["seats"]] == ["Ann", ""]
        assert red.welcome["seed"] is None
        assert red.situation["question"]["side"] == "red"
        assert red.situation["waiting"] == ["red", "blue"]
        assert red.log
        assert all(line["words"] for line in red.log)


def test_an_answer_is_kept_and_everybody_hears_what_comes_of_it(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, spectator = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue, server.page(spectator) as third:
        assert red.answer("2")["tell"] == "kept"
        assert blue.answer("1")["tell"] == "kept"
        for page in (red, blue, third):
            page.until(partial(_has_come_to, page, 3))
            assert page.situation["scenes"], "the log is told as scenes too"
        assert third.situation["question"] is None
        assert third.welcome["role"] == "spectator"


def test_a_draft_is_judged_and_changes_nothing(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red:
        asks = red.situation["asks"]
        refused = red.ask("draft", question=asks, answer="99")
        assert refused["tell"] == "verdict"
        assert refused["refusal"]["sentence"]
        assert red.ask("draft", question=asks, answer="2")["preview"] is not None
        assert red.situation["n"] == 1


def test_a_refused_answer_names_the_reason(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red:
        told = red.ask("answer", question=red.situation["asks"], answer="99")
        assert told["tell"] == "refused"
        assert told["refusal"]["sentence"]


def test_a_stale_or_repeated_answer_is_not_taken_twice(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red:
        asks = red.situation["asks"]
        assert red.answer("1")["tell"] == "kept"
        again = red.ask("answer", question=asks, answer="1")
        assert (again["tell"], again["why"]) == ("wrong", "stale")


def test_one_seat_cannot_answer_for_another(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, spectator = seats(made)
    with server.page(red_token) as red, server.page(spectator) as third:
        assert red.ask("sit", token=red_token, side="blue")["why"] == "seat"
        with server.page(blue_token) as blue:
            told = red.ask("answer", question=blue.situation["asks"], answer="1")
            assert told["why"] == "stale"
        assert third.ask("answer", question=red.situation["asks"], answer="1")["why"] == "seat"
        assert third.ask("concede")["why"] == "seat"


def test_an_unknown_link_opens_nothing(server: Server) -> None:
    with server.page("no-such-token") as page:
        assert page.welcome["why"] == "gone"
        assert page.ask("chat", text="hello?")["why"] == "seat"


def test_a_seat_closed_and_opened_again_goes_on_where_it_was(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red:
        red.answer("2")
        before, log = red.situation, red.log
    with server.page(seats(made)[0]) as again:
        assert again.log == log
        assert {**again.situation, "ground": None} == {**before, "ground": None, "log_from": 0, "log": log}
    with server.page(seats(made)[0]) as part:
        part.ask("sit", token=seats(made)[0], since=len(log))
        part.log = list(log)
        part.until(lambda: part.situation.get("log_from") == len(log))


def test_undo_goes_back_to_the_barrier_and_no_further(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue:
        assert red.ask("undo")["tell"] == "refused"
        asks = red.situation["asks"]
        red.answer("2")
        assert red.situation["may_undo"]
        assert red.do("undo")["tell"] == "kept"
        assert red.situation["asks"] == asks
        assert red.log[-1]["event"]["event"] == "TakenBack"
        red.answer("1")
        blue.answer("1")
        red.until(lambda: red.situation["n"] == 5)
        assert red.ask("undo")["tell"] == "refused"


def test_a_side_concedes(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue:
        assert red.do("concede")["tell"] == "kept"
        blue.until(lambda: blue.ended)
        assert blue.situation["table"]["ending"]["winner"] == "blue"
        assert blue.ask("concede")["tell"] == "refused"


def test_a_draw_needs_everybody(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue:
        red.do("draw")
        blue.until(lambda: blue.situation["offers"] == ["red"])
        red.do("draw", offers=False)
        blue.do("draw")
        assert not blue.ended
        red.do("draw")
        assert red.ended
        assert red.situation["table"]["ending"]["winner"] == ""


def test_an_absent_player_s_battle_is_claimed_after_the_agreed_time(server: Server) -> None:
    made = server.begin(claim_after=100)
    red_token, *_ = seats(made)
    with server.page(red_token) as red:
        assert red.ask("claim")["why"] == "claim"
        red.answer("1")
        assert red.situation["claim"]["side"] == "blue"
        serves(server, 50)
        assert red.ask("claim")["why"] == "claim"
        serves(server, 60)
        assert red.do("claim")["tell"] == "kept"
        assert red.situation["table"]["ending"]["winner"] == "red"


def serves(server: Server, seconds: int) -> None:
    """So much time is served, as the server's own clock counts."""
    server.hall().clock._ran += seconds


def test_downtime_and_a_jumping_clock_forfeit_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asynchronous play: servers come and go, the seat finds its question, and a claim counts the time served."""
    database = f"sqlite:///{tmp_path / 'b.sqlite'}"
    day = 86_400
    with serving(database) as it:
        made = it.begin(claim_after=3 * day)
        red_token, blue_token, _ = seats(made)
        with it.page(red_token) as red:
            red.answer("2")
            assert red.situation["claim"]["seconds"] > 3 * day - 60
            before = red.situation
    # The server was down for a year, and its clock says so: nothing of it was served.
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 365 * day)
    with serving(database) as it, it.page(red_token) as red:
        assert red.situation["digest"] == before["digest"]
        assert red.situation["claim"]["seconds"] > 3 * day - 120
        assert red.ask("claim")["why"] == "claim"
        serves(it, 2 * day)
    # A clock that is set back takes nothing away.
    monkeypatch.setattr(time, "time", lambda: real() - 365 * day)
    with serving(database) as it:
        with it.page(blue_token) as blue:
            assert blue.situation["question"]["side"] == "blue"
            assert blue.situation["claim"] is None, "whoever is asked claims nothing"
        while it.hall()._live[made["battle"]].watchers:
            time.sleep(0.01)
        serves(it, 4 * day)
        with it.page(red_token) as red:
            assert red.situation["claim"] == {"side": "blue", "seconds": 0}
            assert red.do("claim")["tell"] == "kept"
            assert red.situation["table"]["ending"]["winner"] == "red"


def test_who_sits_at_the_table_is_on_no_clock_that_nobody_agreed_on(server: Server) -> None:
    made = server.begin(claim_after=500)
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red:
        with server.page(blue_token) as blue:
            red.answer("1")
            assert not red.situation["claim"]
            serves(server, 1000)
            assert red.ask("claim")["why"] == "claim"
            assert blue.situation["question"]
        red.until(lambda: red.situation["claim"] is not None)
        assert red.situation["claim"]["seconds"] > 400, "the time begins when he leaves"
        serves(server, 1000)
        with server.page(blue_token) as blue:
            assert red.ask("claim")["why"] == "claim", "he is back"
            assert blue.answer("1")["tell"] == "kept"
            assert red.ask("claim")["why"] == "claim"


def test_toggling_draw_offers_does_not_hold_a_claim_off(server: Server) -> None:
    made = server.begin(claim_after=50)
    with server.page(seats(made)[0]) as red:
        red.answer("1")
        for _ in range(6):
            serves(server, 10)
            red.do("draw", offers=True)
            red.do("draw", offers=False)
        assert red.do("claim")["tell"] == "kept"
        assert red.situation["table"]["ending"]["winner"] == "red"


def test_ids_that_nobody_knows_are_told_so(server: Server) -> None:
    made = server.begin("squad-declares")
    with server.page(seats(made)[0]) as red:
        asks = red.situation["asks"]
        red.say("draft", question=asks, answer={}, part="no such part", value=1)
        assert red.ask("draft", question="0123", answer="1")["why"] == "stale"
        assert red.ask("answer", question="0123", answer="1")["why"] == "stale"
        assert red.ask("draft", question=asks, answer={"no": "such"})["refusal"]["sentence"]
        assert red.ask("order", rule="no.such.rule", answer="x")["tell"] == "kept", "an order for nothing does nothing"
        assert red.ask("sit", token=seats(made)[0], side="green")["why"] == "seat"
        assert red.situation["n"] == 1


def test_without_an_agreed_time_nothing_is_claimed(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red:
        red.answer("1")
        assert red.situation["claim"] is None
        assert red.ask("claim")["why"] == "claim"


def test_a_hot_seat_shows_one_side_at_a_time(server: Server) -> None:
    made = server.begin(seats=[{"side": "red", "kind": "hot seat"}, {"side": "blue", "kind": "hot seat"}])
    assert [link["sides"] for link in made["links"]] == [["red", "blue"], []]
    token = seats(made)[0]
    with server.page(token) as page:
        assert page.situation["question"]["side"] == "red"
        page.answer("3")
        page.sit(token, BLUE)
        assert page.situation["side"] == "blue"
        assert page.situation["question"]["side"] == "blue"
        assert page.situation["table"]["secrets"]["red: bid"] == "chosen"
        page.answer("1")
        assert page.welcome["open_journal"]


def test_markup_in_names_and_chat_is_data(server: Server) -> None:
    made = server.begin(seats=[{"side": "red", "name": "<b>Ann</b>"}])
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue:
        assert red.ask("chat", text="<script>alert(1)</script>")["tell"] == "kept"
        blue.until(lambda: bool(blue.chat))
        assert blue.chat[0]["text"] == "<script>alert(1)</script>"
        assert blue.chat[0]["name"] == "<b>Ann</b>"
        assert red.ask("chat", text="x" * 501)["why"] == "form"
    with server.page(blue_token) as blue:
        assert [line["n"] for line in blue.welcome["chat"]] == [1]


def test_presence_tells_who_sits_there(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, spectator = seats(made)
    with server.page(red_token) as red:
        with server.page(blue_token), server.page(spectator):
            red.until(lambda: red.heard[-1]["tell"] == "presence" and red.heard[-1]["spectators"] == 1)
            assert [seat["here"] for seat in red.heard[-1]["seats"]] == [True, True]
        red.until(lambda: red.heard[-1]["tell"] == "presence" and red.heard[-1]["spectators"] == 0)


def test_a_chosen_seed_is_shown_to_all_seats_and_a_drawn_one_to_nobody(server: Server) -> None:
    for chosen in (7, "lucky"):
        for token in seats(server.begin(seed=chosen)):
            with server.page(token) as page:
                assert page.welcome["seed"] == chosen
    made = server.begin()
    for token in seats(made):
        with server.page(token) as page:
            assert page.welcome["seed"] is None


def test_standing_orders_answer_for_a_side_and_are_nobody_else_s_business(server: Server) -> None:
    made = server.begin()
    red_token, blue_token, _ = seats(made)
    with server.page(red_token) as red, server.page(blue_token) as blue:
        rule = red.situation["question"]["rules"][0] if red.situation["question"]["rules"] else "duel.bid"
        condition = {"fact": "chance", "compare": "below", "value": 10}
        heard = len(blue.heard)
        assert red.do("order", rule=rule, answer="2", when=[condition])["tell"] == "kept"
        red.until(lambda: [order["rule"] for order in red.situation["orders"]] == [rule])
        red.do("order", rule=rule, answer="2", when=[condition], withdraw=True)
        red.until(lambda: red.situation["orders"] == [])
        # Not even that one was given reaches anybody else: no message comes of it, and nothing is counted.
        assert blue.ask("ping")["tell"] == "pong"
        assert [one["tell"] for one in blue.heard[heard:]] == ["pong"]
        red.answer("2")
        blue.until(lambda: blue.situation["n"] == 2)
        assert (red.situation["n"], blue.situation["orders"]) == (2, [])


@pytest.mark.parametrize("ruleset", ["duel", "squad-declares", "sealed-numbers"])
def test_a_whole_battle_against_the_bot(server: Server, ruleset: str) -> None:
    name = GAMES[ruleset].ruleset.name if ruleset in GAMES else ruleset
    made = server.begin(name, seats=[{"side": "blue", "kind": "bot", "bot": "random"}])
    with server.page(seats(made)[0]) as red:
        red.play(type(GAMES[name].ruleset)(), 3)
        assert red.ended
        assert red.situation["question"] is None


def test_two_people_play_to_the_end(server: Server) -> None:
    made = server.begin()
    with server.page(seats(made)[0]) as red, server.page(seats(made)[1]) as blue:
        bots = {page: RandomBot(Duel(), seed) for seed, page in enumerate((red, blue))}
        n = 1
        while not (red.ended or blue.ended):
            for page, bot in bots.items():
                page.until(partial(_has_come_to, page, n))
                if page.situation["question"]:
                    told = page.answer(to_builtins(bot.answer(page.view(), page.question())))
                    n = told.get("n", n)
        for page in (red, blue):
            page.until(partial(_has_come_to, page, n))
        assert red.situation["table"] == blue.situation["table"]
        assert red.ended


def _has_come_to(page: Page, n: int) -> bool:
    return bool(page.situation["n"] >= n)
