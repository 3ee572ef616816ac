"""What reaches a seat over the wire: its own view, byte for byte, and nothing that is not its to know."""

import asyncio
import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.state import StandingOrder
from sandtable.server import live
from sandtable.server.live import TICK
from sandtable.server.processes.tasks import context_bytes
from sandtable.server.seats.messages import FromPage, socket_schema
from sandtable.server.seats.moments import Moments
from sandtable.server.seats.telling import Telling
from sandtable.server.seats.views import seat_view
from sandtable.telling.vocabulary import Vocabulary
from tests import secrecy
from tests.engine.duel import Duel
from tests.engine.secrets import Compared, byte_equal
from tests.miniatures.sealed_numbers import SealedNumbers, setup
from tests.miniatures.test_secrets import shuffled
from tests.rulesets.stargrunt.secrets import unit_or_dummy
from tests.server.shelf import GAMES
from tests.server.tables import Server


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


def on_the_wire(battle: Battle, side: Side) -> bytes:
    """All that a page of a side is sent when it sits down."""
    telling = Telling(battle.table.sides, battle.journal.header.setup.options, Vocabulary())
    moments = Moments(battle.journal.lines)
    telling.catch_up(battle.logs[side], moments)
    told = seat_view(battle, side, lambda _: telling, n=moments.said + 1)
    return msgspec.json.encode(told)


def sealed(red: str, blue: str, seed: int) -> Callable[[], Battle]:
    def made() -> Battle:
        battle = Battle(SealedNumbers(), setup("time"), seed=seed)
        assert battle.answer(red, RED) is None
        assert battle.answer(blue, BLUE) is None
        return battle

    return made


@pytest.mark.parametrize("seed", range(5))
def test_battles_that_differ_in_a_secret_are_the_same_bytes_to_whoever_may_not_know_it(seed: int) -> None:
    one, other = sealed("1", "1", seed), sealed("3", "1", seed)
    found: Compared = byte_equal(one, other, BLUE, seed)
    a, b = one(), other()
    bot = RandomBot(SealedNumbers(), seed)
    for _ in range(found.answers):
        for side in (BLUE, NO_SIDE):
            assert on_the_wire(a, side) == on_the_wire(b, side)
        assert on_the_wire(a, RED) != on_the_wire(b, RED)
        question = next(q for q in a.questions if a.question_for(q.side))
        draft = bot.answer(a.view(question.side), question)
        if b.check(draft, question.side).__class__.__name__ == "Refusal":
            break
        before = len(a.logs[BLUE].events)
        assert a.answer(draft, question.side) is None
        assert b.answer(draft, question.side) is None
        if [msgspec.json.encode(e) for e in a.logs[BLUE].events[before:]] != [
            msgspec.json.encode(e) for e in b.logs[BLUE].events[before:]
        ]:
            break  # a lawful difference: `byte_equal` has seen to that


@pytest.mark.parametrize("seed", range(6))
def test_a_deck_that_lies_otherwise_is_the_same_bytes_to_everybody(seed: int) -> None:
    """Until a card is drawn that is another one."""
    one, other = shuffled(seed, 1), shuffled(seed, seed + 2)
    for side in (RED, BLUE, NO_SIDE):
        found = byte_equal(one, other, side, seed)
        assert found.moments >= 1
        a, b = one(), other()
        assert on_the_wire(a, side) == on_the_wire(b, side)
        question = a.question_for(side) if side else None
        if question is not None:
            # A judge is told no more than this, so it cannot tell more either.
            assert context_bytes("x", a.view(side), question) == context_bytes("x", b.view(side), question)


def test_counters_that_hide_something_else_are_the_same_bytes_to_the_other_side() -> None:
    secrets, compared = secrecy.Secrecy(kinds={"real unit or dummy": unit_or_dummy}), 0
    for pair in (pair for number in range(9) for pair in secrets.pairs(number)):
        both = (pair.state, pair.twin.state)
        a, b = (Battle.at_boundary(secrets.rules(), pair.header, (), state.copy(), 0) for state in both)
        (owner,) = pair.twin.known_to
        if a.journal.events() or b.journal.events():
            continue  # somebody shows himself next, and the secret is none any more
        compared += 1
        for side in (*a.table.sides, NO_SIDE):
            assert (on_the_wire(a, side) == on_the_wire(b, side)) == (side != owner)
    assert compared > 8


def test_a_standing_order_is_no_byte_of_anybody_else_s() -> None:
    plain, ordered = Battle(Duel(), seed=3), Battle(Duel(), seed=3)
    for battle in (plain, ordered):
        assert battle.answer("2", RED) is None
    assert ordered.order(StandingOrder(RED, RuleId("no.rule.of.this"), "1")) is None
    for battle in (plain, ordered):
        assert battle.answer("1", BLUE) is None
    for side in (BLUE, NO_SIDE):
        assert on_the_wire(plain, side) == on_the_wire(ordered, side)
    assert on_the_wire(plain, RED) != on_the_wire(ordered, RED)


def test_a_side_s_secret_stands_in_no_message_to_another(server: Server) -> None:
    """Red's sealed choice is told to red alone, in everything that any other page has been sent."""
    secret = GAMES["sealed-numbers"]
    made = server.begin("sealed-numbers", scenario="1")
    red_token, blue_token, spectator = tokens(made)
    with server.page(red_token) as red, server.page(blue_token) as blue, server.page(spectator) as third:
        options = [option["id"] for option in red.situation["question"]["options"]]
        red.answer(options[1])
        for page in (blue, third):
            page.until(lambda page=page: page.situation["n"] == 2)  # type: ignore[misc]
            assert options[1] not in json.dumps(page.situation["table"]["secrets"])
            assert all(option not in json.dumps(page.log[-1]) for option in options)
            assert page.situation["question"] is None or page.situation["question"]["side"] == "blue"
        assert options[1] in json.dumps(red.situation["table"]["secrets"])
    assert secret.ruleset.name == "sealed-numbers"


def test_no_message_holds_the_seed_the_journal_or_another_s_orders(server: Server) -> None:
    made = server.begin("duel", seats=[{"side": "blue", "kind": "bot"}])
    red_token, spectator = tokens(made)
    with server.page(red_token) as red, server.page(spectator) as third:
        red.play(type(GAMES["duel"].ruleset)(), 5)
        third.until(lambda: third.ended)
        hall = server.hall()
        seed = hall._live[made["battle"]].battle.journal.header.seed
        said = json.dumps([red.heard, third.heard])
        assert str(seed) not in said
        assert "fingerprint" not in said


def test_every_message_of_a_battle_fits_the_published_schema(server: Server) -> None:
    schema = socket_schema()
    told = jsonschema_rs.validator_for({**schema["told"], "components": schema["components"]})
    for name in ("duel", "squad-declares", "stargrunt"):
        made = server.begin(name, seats=[{"side": "blue", "kind": "bot"}])
        with server.page(tokens(made)[0]) as red:
            for _ in range(6):
                red.asked()
                if red.ended:
                    break
                bot = RandomBot(type(GAMES[name].ruleset)(), 2)
                draft = msgspec.to_builtins(bot.answer(red.view(), red.question()))
                red.ask("draft", question=red.situation["asks"], answer=draft)
                red.answer(draft)
        for message in red.heard:
            told.validate(message)
    said = jsonschema_rs.validator_for({**schema["said"], "components": schema["components"]})
    for words in ('{"say":"sit","id":1,"token":"t"}', '{"say":"order","rule":"r","answer":[1],"when":[]}'):
        msgspec.json.decode(words, type=FromPage)
        said.validate(json.loads(words))
    with pytest.raises(jsonschema_rs.ValidationError):
        said.validate({"say": "sit", "id": "x"})


def test_counters_hide_what_they_hold(server: Server) -> None:
    """What a bot of the other side knows and I do not is in none of my messages."""
    made = server.begin("stargrunt", seats=[{"side": "blue", "kind": "bot"}])
    with server.page(tokens(made)[0]) as red:
        bot = RandomBot(type(GAMES["stargrunt"].ruleset)(), 1)
        for _ in range(8):
            red.asked()
            if red.ended:
                break
            live = server.hall()._live[made["battle"]].battle
            assert json.loads(msgspec.json.encode(live.view(RED).table.things)) == red.situation["table"]["things"]
            red.answer(msgspec.to_builtins(bot.answer(red.view(), red.question())))


def test_blind_reacts_leave_on_the_tick(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an answer to a blind react was on its way says nothing about it: it is told at the next tick, no sooner.

    The clock is set, and what is slept is counted: nobody looks at a watch.
    """
    clock, order = iter(1000 + TICK * n / 8 for n in range(1, 1000)), []
    now, battle, tell = [0.0], [""], live.LiveBattle.tell

    def set_clock() -> float:
        now[0] = next(clock)
        return now[0]

    async def counted(seconds: float) -> None:
        order.append(f"slept to {(now[0] + seconds) % TICK:.3f}")

    def telling(self: live.LiveBattle, *args: Any) -> None:
        if self.id == battle[0]:  # others that are served here are told things too
            order.append(f"told {len(self.battle.journal.lines)}")
        tell(self, *args)

    monkeypatch.setattr(live, "time", SimpleNamespace(time=set_clock, monotonic=time.monotonic))
    monkeypatch.setattr(live, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": counted}))
    monkeypatch.setattr(live.LiveBattle, "tell", telling)
    made = server.begin("parley", seats=[{"side": s, "kind": "hot seat"} for s in ("red", "blue")])
    token, battle[0] = tokens(made)[0], made["battle"]
    blind = 0
    with server.page(token) as page:
        while blind < 4:
            if not page.situation["question"]:
                page.sit(token, page.situation["waiting"][0])
            question = page.situation["question"]
            if question["kind"] == "react":
                assert question["blind"]
                known = len(server.hall()._live[made["battle"]].battle.journal.lines)
                order.clear()
                page.answer(None)
                # What was said before may be told a little later.
                slept, told = [one for one in order if one.startswith("slept") or int(one.split()[1]) > known][:2]
                assert slept == "slept to 0.000"
                assert told.startswith("told ")
                blind += 1
            else:
                page.answer("1" if question["topic"] == "lucky" else "window")
                assert "slept to 0.000" not in order[-2:], "what is not blind does not wait"
