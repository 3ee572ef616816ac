"""Battles that differ only in what lies under the counters look the same to red, byte for byte.

Two battles are played side by side with the same dice and the same public choices, until a roll or a reveal that the
secret lawfully decides comes out differently. Until then red's view, log, questions, refusals and previews are equal,
and blue is asked the same things at the same moments.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import AnyEvent, Revealed, Rolled
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, React, Reaction, Refusal
from sandtable.engine.ruleset import Setup
from sandtable.engine.table import Table, Thing
from tests.engine.answers import Randomly
from tests.engine.secrets import Compared, byte_equal
from tests.miniatures.counters_and_dummies import NAMES, ROSTER, CountersAndDummies

OTHER_ROSTER = [["Charlie", 10, 4], ["Delta", 4, 2]]
MORE = ["Echo", 8, 3]
PAIRS = 200


class Truth(NamedTuple):
    """What one of the two battles hides."""

    setup: Setup
    lying: dict[str, str]
    dug_in: tuple[str, ...]

    def of(self, counter: str) -> tuple[str, bool]:
        """Everything that is secret about a counter."""
        return self.lying[counter], counter in self.dug_in


def _truth(any_: random.Random, names: list[str]) -> Truth:
    """Any secret: what lies where, and what is In Position."""
    under = [str(row[0]) for row in ROSTER] + ["dummy"] * (len(names) - len(ROSTER))
    any_.shuffle(under)
    dug_in = tuple(name for name in names if any_.random() < 0.4)
    return Truth(_setup([list(row) for row in ROSTER], len(names)), dict(zip(names, under, strict=True)), dug_in)


def _setup(roster: list[list[Any]], counters: int) -> Setup:
    return Setup(scenario={"roster": roster, "dummies": counters - len(roster)})


def _another(any_: random.Random, truth: Truth) -> Truth:
    """A secret that differs in one thing: what a counter is, whether it is In Position, which or how many units."""
    names, lying = list(truth.lying), dict(truth.lying)
    match any_.choice(("what", "position", "who", "how many")):
        case "what":
            first = any_.choice([name for name in names if lying[name] != "dummy"])
            second = any_.choice([name for name in names if lying[name] != lying[first]])
            lying[first], lying[second] = lying[second], lying[first]
            return truth._replace(lying=lying)
        case "position":
            turned = any_.choice(names)
            return truth._replace(dug_in=tuple(n for n in names if (n in truth.dug_in) != (n == turned)))
        case "how many":
            lying[any_.choice([name for name in names if lying[name] == "dummy"])] = str(MORE[0])
            return truth._replace(setup=_setup([*(list(row) for row in ROSTER), MORE], len(names)), lying=lying)
        case _:
            others = dict(zip((str(row[0]) for row in ROSTER), (str(row[0]) for row in OTHER_ROSTER), strict=True))
            lying = {name: others.get(what, what) for name, what in lying.items()}
            return truth._replace(setup=_setup(OTHER_ROSTER, len(names)), lying=lying)


class _Twins:
    """Two battles whose red may not tell them apart, and what is said in both."""

    def __init__(self, seed: int, rules: type[CountersAndDummies] = CountersAndDummies) -> None:
        self.seed, self.rules, self.any = seed, rules, random.Random(seed)
        truth = _truth(self.any, list(NAMES[: self.any.randint(4, 8)]))
        self.truths = [truth, _another(self.any, truth)]
        self.differ = [name for name in truth.lying if self.truths[0].of(name) != self.truths[1].of(name)]
        self.battles: list[Battle] = []

    def made(self, truth: Truth) -> Battle:
        """A battle with its counters laid."""
        battle = Battle(self.rules(), truth.setup, seed=self.seed)
        assert battle.answer(truth.lying, "blue") is None
        assert battle.answer(truth.dug_in, "blue") is None
        spots = Randomly(self.seed)(battle.ruleset, battle.view("blue"), battle.questions[0])
        assert battle.answer(spots, "blue") is None
        self.battles.append(battle)
        return battle

    def compare(self, side: str) -> Compared:
        """Play both battles alike, as far as `side` sees no difference, and see that the first one is lawful."""
        self.battles = []
        first, second = self.truths
        found = byte_equal(lambda: self.made(first), lambda: self.made(second), side, self.said())
        for one, other in zip(*(battle.logs[side].events for battle in self.battles), strict=False):
            if msgspec.json.encode(one) != msgspec.json.encode(other):
                assert self.lawful(one, other), f"{side!r} is told apart by\n{one}\n{other}"
                break
        return found

    def lawful(self, first: AnyEvent, second: AnyEvent) -> bool:
        """A veiled roll, shown by its outcome alone, or a reveal of a counter that hides something else than there."""
        if isinstance(first, Revealed) and isinstance(second, Revealed):
            return first.what == second.what and first.what in self.differ
        if not (isinstance(first, Rolled) and isinstance(second, Rolled)):
            return False
        outcomes = [msgspec.structs.replace(event, outcome="") for event in (first, second)]
        return outcomes[0] == outcomes[1] and first.by in self.differ and not first.faces and not first.dice

    def said(self) -> Iterator[tuple[str, Any]]:
        """What red likes, by what it sees; and what blue can do in both battles without showing what differs."""
        while True:
            one, two = self.battles
            question = one.question_for("red")
            if question is not None:
                self.try_all(question)
                bot = Randomly(self.any.randrange(1 << 30))
                yield "red", bot(one.ruleset, one.view("red"), question)
                continue
            mine, yours = one.question_for("blue"), two.question_for("blue")
            assert mine is not None
            assert yours is not None
            assert (type(mine), mine.topic, mine.prompt) == (type(yours), yours.topic, yours.prompt)
            yield "blue", self.blue_says(mine, yours)

    def try_all(self, question: AnyQuestion) -> None:
        """Every option is refused or previewed alike, and so is a counter that is not offered."""
        options = [option.id for option in question.options] if isinstance(question, ChooseOne) else []
        for draft in [*options, *self.differ]:
            told = [_told(battle, draft) for battle in self.battles]
            assert told[0] == told[1], f"{draft} tells the battles apart"

    def blue_says(self, mine: AnyQuestion, yours: AnyQuestion) -> Any:
        if isinstance(mine, ChooseOne) and isinstance(yours, ChooseOne):
            common = [o for o in mine.options if o.id not in self.differ and o in yours.options and not o.refused]
            return self.any.choice(common).id
        if isinstance(mine, React) and isinstance(yours, React):
            both = [o for o in mine.options if o.id not in self.differ and o in yours.options]
            option = self.any.choice([None, *both])
            if option is not None:
                return Reaction(option.id, amount=self.any.randint(option.amount_least, option.amount_most))
        return None


def _told(battle: Battle, draft: Any) -> bytes:
    checked = battle.check(draft, "red")
    return msgspec.json.encode(checked if isinstance(checked, Refusal) else checked.preview())


@pytest.mark.parametrize("tens", range(PAIRS // 10))
def test_red_cannot_tell_what_lies_under_the_counters(tens: int) -> None:
    for seed in range(tens * 10, tens * 10 + 10):
        _Twins(seed).compare("" if seed % 5 == 0 else "red")


def test_the_pairs_go_far_enough_to_mean_something() -> None:
    found = [_Twins(seed).compare("red") for seed in range(40)]
    assert sum(one.answers >= 15 for one in found) >= 20, "most pairs part before anything was tried"
    ended = sum(one.stopped == "the battles are over" for one in found)
    assert 0 < ended < len(found), "some pairs part by what their secret decides, and some never do"


class TellsByPassing(CountersAndDummies):
    """Cheats: dummies do not count as units."""

    def unactivated(self, table: Table, side: str) -> int:
        lying = [thing for thing in table.of_kind("marker") if thing.on_table and thing.value("is") == "dummy"]
        return super().unactivated(table, side) - (len(lying) if side == "blue" else 0)


class TellsByAsking(CountersAndDummies):
    """Cheats: a side with nothing but dummies is not asked."""

    def finished(self, table: Table, side: str) -> bool:
        return super().finished(table, side) or not self.may_activate(table, side)


class TellsByOffering(CountersAndDummies):
    """Cheats: fire at a dummy is not offered."""

    def targets(self, table: Table, unit: Thing) -> list[Option]:
        return [option for option in super().targets(table, unit) if table[option.id].value("is") != "dummy"]


@pytest.mark.parametrize("cheat", [TellsByPassing, TellsByAsking, TellsByOffering])
def test_a_leak_is_found(cheat: type[CountersAndDummies]) -> None:
    with pytest.raises(AssertionError):
        _play_pairs(cheat)


def _play_pairs(rules: type[CountersAndDummies]) -> None:
    for seed in range(PAIRS):
        _Twins(seed, rules).compare("red")
