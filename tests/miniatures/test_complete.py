"""Over all miniatures and rulesets: every question kind is asked, every event is made, refolded, undone and seen."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    Halted,
    Harm,
    HarmCancelled,
    Landed,
    Left,
    Placed,
    Revealed,
    Rolled,
    Scored,
    TakenBack,
    seen_by,
    stops_undo,
)
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
from sandtable.engine.questions import AnyQuestion, Confirm, Refusal
from sandtable.engine.records.replay import folded
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.shapes import At, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import outline_of, overlap
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.rulebooks import rulebooks
from tests.miniatures import ALL
from tests.miniatures.test_falling_house import tower
from tests.promises import keep_promises, refold_in_fresh_process, state_bytes

KINDS: tuple[type[Any], ...] = AnyQuestion.__args__
EVENTS: tuple[type[Any], ...] = AnyEvent.__args__

#: Events that a battle never takes back, for a die or a reveal always comes with them, and the one that takes back.
BEHIND_A_BARRIER = (Rolled, Revealed, BattleEnded, Landed, TakenBack)

TAKEN_BACK = tuple(kind for kind in EVENTS if kind not in BEHIND_A_BARRIER)

#: How many battles of each miniature are played at most until everything has been seen.
MOST_BATTLES = 60
PAIRS = [(name, number) for name, miniature in ALL.items() for number in range(len(miniature.setups))]


def no_bases_overlap(table: Table) -> None:
    """Models on the same level stand beside each other, never on each other."""
    standing = [m for m in table.models() if m.base is not None]
    shapes = [(m.id, m.place.level, outline_of(m.base, m.place.point, m.facing)) for m in standing]  # type: ignore[union-attr]
    for (one, level, shape), (other, storey, there) in combinations(shapes, 2):
        assert level != storey or not overlap(shape, there), f"{one} stands on {other}"


@pytest.mark.parametrize(("name", "number"), PAIRS)
def test_random_battles_keep_every_promise(name: str, number: int) -> None:
    miniature = ALL[name]
    played = [
        keep_promises(type(miniature.ruleset), miniature.setups[number], seed, invariants=(no_bases_overlap,))
        for seed in range(4)
    ]
    refold_in_fresh_process(played[:1])


class Rare(Step, frozen=True):
    """Something happens that no die and no reveal comes with: in random battles that is rare."""

    number: int


class Rarities(Ruleset):
    """Lets the rare things happen one after the other, each when red says so."""

    name = "rarities"
    steps = (Rare,)
    happen: tuple[AnyEvent, ...] = (
        Halted(ThingId("A"), 500, At(Point(500, 0)), rule=RuleId("rare")),
        HarmCancelled("A", Harm("burning"), rule=RuleId("rare")),
        Scored(RED, 1, "patience", rule=RuleId("rare")),
        Left(ThingId("A"), "home", rule=RuleId("rare")),
    )

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.happens(Placed("A", At(Point(0, 0)), made=Thing(ThingId("A"), side=RED), rule=RuleId("rare")))
        battle.push(*(Rare(n) for n in range(len(self.happen))))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        assert isinstance(step, Rare)
        yield Confirm(RED, "Now?", topic="now", rules=(RuleId("rare"),))
        battle.happens(self.happen[step.number])


class Witness:
    """Plays random battles and notes what was asked, what happened, what was taken back and who saw it."""

    def __init__(self) -> None:
        self.asked: set[type[Any]] = set()
        self.produced: set[type[Any]] = set()
        self.undone: set[type[Any]] = set()
        self.viewed: dict[str, set[type[Any]]] = {}

    def has_seen_all(self) -> bool:
        """Whether more battles would show nothing new."""
        seen = (self.asked, self.produced, self.undone, *self.viewed.values())
        wanted = (KINDS, EVENTS, TAKEN_BACK, *(EVENTS for _ in self.viewed))
        return all(names(one) == names(other) for one, other in zip(seen, wanted, strict=True))

    def play(self, ruleset: Ruleset, setup: Setup, seed: int) -> None:
        battle = Battle(ruleset, setup, seed=seed)
        bots = {side: RandomBot(ruleset, seed + n) for n, side in enumerate(setup.sides)}
        while not battle.ended:
            question = next(q for q in battle.questions if battle.question_for(q.side) is not None)
            self.asked.add(type(question))
            draft = bots[question.side].answer(battle.view(question.side), question)
            before, events = state_bytes(battle), len(battle.journal.events())
            assert battle.answer(draft, question.side) is None
            told = battle.journal.events()[events:]
            if self.takes_back(battle, question.side, told, before):
                assert battle.answer(draft, question.side) is None
        self.look(battle)

    def takes_back(self, battle: Battle, side: Side, told: list[AnyEvent], before: bytes) -> bool:
        """Take an answer back, which gives the state before it, or cannot be done because of a barrier."""
        if isinstance(battle.undo(side), Refusal):
            return False
        assert not any(stops_undo(event) for event in told), "a die or a reveal was taken back"
        assert state_bytes(battle) == before
        self.undone.update(type(event) for event in told)
        return True

    def look(self, battle: Battle) -> None:
        events = battle.journal.events()
        self.produced.update(type(event) for event in events)
        for side, log in battle.logs.items():
            self.viewed.setdefault(side, set()).update(type(event) for event in log.events)
            for event in events:
                if not isinstance(event, TakenBack) and not event.known_to:
                    assert seen_by(event, side) is not None


@pytest.fixture(scope="module")
def witness() -> Witness:
    found = Witness()
    # A fall that no die decides is rare in random battles.
    battle, clear = tower()
    before, events = state_bytes(battle), len(battle.journal.events())
    assert battle.answer(clear, BLUE) is None
    assert found.takes_back(battle, BLUE, battle.journal.events()[events:], before)
    battle = Battle(Rarities())
    for _ in Rarities.happen:
        before, events = state_bytes(battle), len(battle.journal.events())
        assert battle.answer(True) is None
        assert found.takes_back(battle, RED, battle.journal.events()[events:], before)
        assert battle.answer(True) is None
    for seed in range(MOST_BATTLES):
        for miniature in ALL.values():
            found.play(type(miniature.ruleset)(), miniature.setups[seed % len(miniature.setups)], seed)
        for book in [book for book in rulebooks() if book.ruleset().complete]:
            scenario = "duel" if "duel" in package_scenarios(book.name) else ""
            found.play(book.ruleset(), book.ruleset().setup(scenario), seed)
        if found.has_seen_all():
            break
    return found


def names(kinds: Any) -> list[str]:
    return sorted(kind.__name__ for kind in kinds)


def test_every_kind_of_question_is_asked(witness: Witness) -> None:
    assert names(witness.asked) == names(KINDS)


def test_every_event_is_produced(witness: Witness) -> None:
    assert names(witness.produced) == names(EVENTS)


def test_every_event_is_seen_by_both_sides_and_a_spectator(witness: Witness) -> None:
    for side in ("red", "blue", SPECTATOR):
        assert names(witness.viewed[side]) == names(EVENTS), side


def test_every_event_that_no_barrier_comes_with_is_taken_back(witness: Witness) -> None:
    assert names(witness.undone) == names(TAKEN_BACK)


def tables(events: list[AnyEvent], battle: Battle) -> Iterator[Table]:
    return folded(events, battle.table.sides, battle.journal.header.setup.options)


@pytest.mark.parametrize("name", ALL)
def test_every_event_refolds_and_taken_back_leaves_the_table_as_it_was(name: str) -> None:
    """Also those that no side may take back: the log of a battle is folded up to each of them and back again."""
    miniature = ALL[name]
    battle = Battle(type(miniature.ruleset)(), miniature.setups[0], seed=1)
    bots = {side: RandomBot(battle.ruleset, n) for n, side in enumerate(battle.table.sides)}
    while not battle.ended:
        question = next(q for q in battle.questions if battle.question_for(q.side) is not None)
        draft = bots[question.side].answer(battle.view(question.side), question)
        assert battle.answer(draft, question.side) is None
    for side in (*battle.table.sides, SPECTATOR):
        log = battle.logs[side].events
        known = [msgspec.json.encode(table) for table in tables(log, battle)]
        assert known[-1] == msgspec.json.encode(battle.view(side).table)
        for n in range(1, len(log), 7):
            back = TakenBack(RED, log[n].n - 1, n=log[n].n + 1)
            *_, table = tables([*log[: n + 1], back], battle)
            assert msgspec.json.encode(table) == known[n - 1], f"{log[n]} is not undone"
