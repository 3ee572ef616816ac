"""How fast a battle is copied, saved, loaded, named and changed, beside copy, json and pickle in the same run.

The table has twenty models with a card's worth of states and counts each; the battle stands in the middle of an
activation, with a past of some two hundred events.

    python benchmarks/engine.py [--json]
"""

import copy
import hashlib
import json
import pickle
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded, Counted, Moved, Placed, Spent, StateChanged
from sandtable.engine.ids import RED, PieceId, RuleId, ThingId
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import resumed
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.shapes import At, Base, Leg, Point, Walk, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Piece, Thing

MODELS = 20
TURNS = 30


class Activate(Step, frozen=True):
    """One model acts."""

    model: str
    turn: int


class Marching(Ruleset):
    """Twenty models walk round a table, one after the other, as they are told."""

    name = "marching"
    steps = (Activate,)

    def open(self, battle: Battle, setup: Setup) -> None:
        for n in range(12):
            piece = Piece(PieceId(f"wood-{n}"), "woods", rectangle(n * 3000, n * 2000, 2500, 2500), 2)
            battle.happens(Placed(piece.id, At(Point(0, 0)), piece=piece, rule=RuleId("m.open")))
        for n in range(MODELS):
            states = {"locked": Mark(1), "hull-down": Mark("north", "end of turn")}
            made = Thing(
                ThingId(f"model-{n}"),
                side=setup.sides[n % 2],
                label=f"Model {n}",
                card="walker",
                base=Base("hexagon", 1500),
                track=5,
                states=states,
                counts={"AP": 2, "ammunition": 6, "smoke": 1},
                unit=ThingId(f"unit-{n // 5}"),
            )
            battle.happens(Placed(made.id, At(Point(2000 * n, 3000)), made=made, rule=RuleId("m.open")))
        battle.push(*(Activate(f"model-{n}", turn) for turn in range(TURNS) for n in range(MODELS)))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Activate)
        model = battle.table[step.model]
        battle.happens(Counted(model.id, "AP", model.count("AP"), 2, rule=RuleId("m.act")))
        options = tuple(Option(str(n), f"{n} inches") for n in range(6))
        answer = yield ChooseOne(
            model.side, "How far?", topic="march", about=(model.id,), options=options, rules=(RuleId("m.act"),)
        )
        here = battle.table[model.id].place
        assert isinstance(here, At)
        there = At(Point(here.point.x + 1000 * int(answer), here.point.y))
        battle.happens(Spent(model.id, "AP", 1, 1, rule=RuleId("m.act")))
        battle.happens(Moved(model.id, here, there, 0, Walk((Leg(0, 1000 * int(answer)),)), rule=RuleId("m.act")))
        again = yield ChooseOne(model.side, "And then?", topic="then", options=options, rules=(RuleId("m.act"),))
        battle.happens(StateChanged(model.id, "gait", model.value("gait"), int(again), rule=RuleId("m.act")))
        if step.turn == TURNS - 1:
            battle.happens(BattleEnded(RED, rule=RuleId("m.end")))


def marched(answers: int = 75) -> Battle:
    """A battle in the middle of an activation."""
    battle = Battle(Marching(), seed=1)
    for n in range(answers):
        refusal = battle.answer(str(n % 6))
        assert refusal is None, refusal
    return battle


class Timed(NamedTuple):
    """Something that was timed beside a peer, both in seconds a call."""

    what: str
    seconds: float
    peer: str
    peer_seconds: float

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes."""
        return self.peer_seconds / self.seconds


def seconds(call: Callable[[], object], *, rounds: int = 5, least: float = 0.05) -> float:
    """Seconds a call takes: the best of several rounds of at least so long each."""
    calls = 1
    while True:
        took = _round(call, calls)
        if took >= least:
            break
        calls = calls * 2 if took < least / 4 else int(calls * 1.3 * least / took) + 1
    return min(took, *(_round(call, calls) for _ in range(rounds - 1))) / calls


def _round(call: Callable[[], object], calls: int) -> float:
    started = perf_counter()
    for _ in range(calls):
        call()
    return perf_counter() - started


def beside(what: str, call: Callable[[], object], peer: str, peer_call: Callable[[], object]) -> Timed:
    """Time a call and its peer, one after the other."""
    return Timed(what, seconds(call), peer, seconds(peer_call))


def show(title: str, rows: list[Timed]) -> None:
    """Print a table of what was timed; as JSON with `--json`."""
    if "--json" in sys.argv[1:]:
        print(json.dumps([{**row._asdict(), "ratio": round(row.ratio, 2)} for row in rows]))
        return
    print(title)
    print(f"  {'':34} {'µs':>9}   {'peer':30} {'µs':>9}   peer/ours")
    for row in rows:
        ours, theirs = row.seconds * 1e6, row.peer_seconds * 1e6
        print(f"  {row.what:34} {ours:9.1f}   {row.peer:30} {theirs:9.1f}   {row.ratio:8.1f}×")


def main() -> None:
    battle = marched()
    state, ruleset = battle.state, Marching()
    plain: dict[str, Any] = msgspec.to_builtins(state)
    data = battle.saved().encode()
    as_json, as_pickle = json.dumps(plain), pickle.dumps(state)
    things = dict(state.table.things)
    here = state.table["model-3"].place
    walk = Walk((Leg(0, 1000),))

    def event() -> None:
        battle.happens(Moved(ThingId("model-3"), here, here, 0, walk, rule=RuleId("m.act")))
        battle.journal.lines.pop()
        for log in battle.logs.values():
            log.events.pop()

    def digest_by_pickle() -> str:
        return hashlib.blake2b(pickle.dumps(state)).hexdigest()

    rows: list[Timed] = [
        beside("copy a state", state.copy, "copy.deepcopy", lambda: copy.deepcopy(state)),
        beside(
            "clone a battle inside an action", battle.clone, "copy.deepcopy of its state", lambda: copy.deepcopy(state)
        ),
        beside(
            "save: journal with snapshot",
            lambda: battle.saved().encode(),
            "json.dumps of the state",
            lambda: json.dumps(plain),
        ),
        beside(
            "load: read and go on",
            lambda: resumed(Journal.decode(data), ruleset),
            "json.loads of the state",
            lambda: json.loads(as_json),
        ),
        beside(
            "load: read and go on",
            lambda: resumed(Journal.decode(data), ruleset),
            "pickle.loads of the state",
            lambda: pickle.loads(as_pickle),
        ),
        beside("digest of a state", battle.digest, "blake2b of its pickle", digest_by_pickle),
        beside("an event, seen and logged", event, "copy.deepcopy of the models", lambda: copy.deepcopy(things)),
    ]
    show(f"engine: {MODELS} models, {len(battle.journal.lines)} lines, {len(data)} bytes saved", rows)


if __name__ == "__main__":
    main()
