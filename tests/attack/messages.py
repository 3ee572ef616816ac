"""Messages of a page as texts: what a socket reads, and what a battle makes of it."""

import json
from functools import cache
from pathlib import Path

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.ids import RED, RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.state import StandingOrder
from sandtable.server.seats import messages as m
from tests.engine.duel import Duel

CORPUS = Path(__file__).parent / "corpus" / "message"
_decode = msgspec.json.Decoder(m.FromPage).decode

WHOLE = (
    {"say": "sit", "id": 1, "token": "abc", "side": "red", "since": 0},
    {"say": "draft", "id": 2, "question": "0", "answer": "1", "part": "p", "value": {"a": [1]}},
    {"say": "answer", "id": 3, "question": "0", "answer": "2"},
    {"say": "answer", "id": 3, "question": "0", "answer": {"R": {"legs": [{"turn": 0, "go": 1000}], "marks": {}}}},
    {"say": "order", "id": 4, "rule": "duel.bid", "answer": "1", "when": [{"fact": "f", "compare": "is", "value": 1}]},
    {"say": "draw", "id": 5, "offers": False},
    {"say": "chat", "id": 6, "text": "hello"},
    {"say": "ping"},
)


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Messages to begin with, and those of the corpus."""
    kept = [one.read_bytes().decode("utf-8", "surrogateescape") for one in sorted(CORPUS.glob("*"))]
    return tuple(("duel", text) for text in (*(json.dumps(one) for one in WHOLE), *kept))


def read(ruleset: str, text: str) -> None:
    """Hear a message as a seat's socket does, and say it to a battle; whatever is wrong with it is a refusal."""
    try:
        said = _decode(text.encode("utf-8", "surrogateescape"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return
    battle = Battle(Duel(), seed=1)
    came: Refusal | None = None
    match said:
        case m.Answer():
            came = battle.answer(said.answer, RED)
        case m.Order():
            came = battle.order(StandingOrder(RED, RuleId(said.rule), said.answer, said.when), withdraw=said.withdraw)
        case m.OfferDraw():
            came = battle.offer_draw(RED, offers=said.offers)
        case m.Undo():
            came = battle.undo(RED)
    assert came is None or came.sentence
