"""Battles that differ only in what lies under the counters look the same to red, byte for byte.

Two battles are played side by side with the same dice and the same public choices, until a roll or a reveal that the
secret lawfully decides comes out differently. Until then red's view, log, questions, refusals and previews are equal,
and blue is asked the same things at the same moments.
"""

import random
from typing import Any, NamedTuple

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import AnyEvent, Revealed, Rolled
from sandtable.engine.journal import table_digest
from sandtable.engine.questions import ChooseOne, Option, React, Reaction, Refusal
from sandtable.engine.ruleset import Setup
from sandtable.engine.table import Table, Thing
from tests.engine.answers import Randomly
from tests.miniatures.counters_and_dummies import NAMES, ROSTER, CountersAndDummies

OTHER_ROSTER = [["Charlie", 10, 4], ["Delta", 4, 2]]
MORE = ["Echo", 8, 3]
PAIRS = 250


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
    """Two battles whose red may not tell them apart."""

    def __init__(self, seed: int, rules: type[CountersAndDummies] = CountersAndDummies) -> None:
        self.any = random.Random(seed)
        truth = _truth(self.any, list(NAMES[: self.any.randint(4, 8)]))
        self.truths = [truth, _another(self.any, truth)]
        self.differ = [name for name in truth.lying if self.truths[0].of(name) != self.truths[1].of(name)]
        self.battles = [Battle(rules(), truth.setup, seed=seed) for truth in self.truths]
        self.alike()
        for battle, truth in zip(self.battles, self.truths, strict=True):
            assert battle.answer(truth.lying, "blue") is None
            assert battle.answer(truth.dug_in, "blue") is None
        self.alike()
        spots = Randomly(seed)(rules(), self.battles[0].view("blue"), self.battles[0].questions[0])
        self.say(spots, "blue")

    def say(self, draft: Any, side: str) -> None:
        results = [battle.answer(draft, side) for battle in self.battles]
        assert results == [None, None]

    def parted(self) -> bool:
        """Whether something that the secret lawfully decides has come out differently; anything else fails."""
        for side in ("red", ""):
            logs = [battle.logs[side].events for battle in self.battles]
            for first, second in zip(*logs, strict=False):
                if msgspec.json.encode(first) != msgspec.json.encode(second):
                    assert self.lawful(first, second), f"{side!r} is told apart by\n{first}\n{second}"
                    return True
            assert len(logs[0]) == len(logs[1]), f"{side!r} sees more in one battle: {logs[0][-1]} {logs[1][-1]}"
        return False

    def lawful(self, first: AnyEvent, second: AnyEvent) -> bool:
        """A veiled roll, shown by its outcome alone, or a reveal of a counter that hides something else than there."""
        if isinstance(first, Revealed) and isinstance(second, Revealed):
            return first.what == second.what and first.what in self.differ
        if not (isinstance(first, Rolled) and isinstance(second, Rolled)):
            return False
        outcomes = [msgspec.structs.replace(event, outcome="") for event in (first, second)]
        return outcomes[0] == outcomes[1] and first.by in self.differ and not first.faces and not first.dice

    def alike(self) -> None:
        """Whatever red or a spectator can look at is equal, and blue is asked the same."""
        one, two = self.battles
        for side in ("red", ""):
            assert table_digest(one.view(side).table) == table_digest(two.view(side).table)
            assert msgspec.json.encode(one.view(side).table) == msgspec.json.encode(two.view(side).table)
        asked = [[(q.side, type(q), q.topic, q.prompt, q.about) for q in battle.questions] for battle in self.battles]
        assert asked[0] == asked[1], "being asked tells something"
        assert msgspec.json.encode(one.question_for("red")) == msgspec.json.encode(two.question_for("red"))
        assert one.ended == two.ended

    def red_answers(self) -> None:
        """Red tries what it likes, is told the same, and answers."""
        one, two = self.battles
        question = one.question_for("red")
        assert question is not None
        bot = Randomly(self.any.randrange(1 << 30))
        drafts = [bot.draft(one.ruleset, one.view("red"), question, n) for n in (0, 1, 9, 20)]
        if isinstance(question, ChooseOne):
            drafts += [option.id for option in question.options]
        for draft in [*drafts, None, "nonsense", *self.differ]:
            told = [_told(battle, draft) for battle in (one, two)]
            assert told[0] == told[1], f"{draft} tells the battles apart"
        assert _undone(one) == _undone(two)
        self.say(bot(one.ruleset, one.view("red"), question), "red")

    def blue_answers(self) -> None:
        """Blue does in both battles what it can do in both, and shows nothing that differs."""
        one, two = self.battles
        mine, yours = one.question_for("blue"), two.question_for("blue")
        assert mine is not None
        if isinstance(mine, ChooseOne) and isinstance(yours, ChooseOne):
            common = [o for o in mine.options if o.id not in self.differ and o in yours.options and not o.refused]
            self.say(self.any.choice(common).id, "blue")
        elif isinstance(mine, React) and isinstance(yours, React):
            both = [o for o in mine.options if o.id not in self.differ and o in yours.options]
            option = self.any.choice([None, *both])
            amount = 0 if option is None else self.any.randint(option.amount_least, option.amount_most)
            self.say(None if option is None else Reaction(option.id, amount=amount), "blue")
        else:
            self.say(None, "blue")

    def play(self) -> int:
        """Play until the battles part or end; how many answers that took."""
        answers = 0
        while not self.parted():
            self.alike()
            if self.battles[0].ended:
                break
            if self.battles[0].question_for("red") is not None:
                self.red_answers()
            else:
                self.blue_answers()
            answers += 1
        return answers


def _told(battle: Battle, draft: Any) -> bytes:
    checked = battle.check(draft, "red")
    return msgspec.json.encode(checked if isinstance(checked, Refusal) else checked.preview())


def _undone(battle: Battle) -> object:
    """What red is told when it asks to take back, on a copy."""
    return battle.clone().undo("red")


@pytest.mark.parametrize("tens", range(PAIRS // 10))
def test_red_cannot_tell_what_lies_under_the_counters(tens: int) -> None:
    for seed in range(tens * 10, tens * 10 + 10):
        _Twins(seed).play()


def test_the_pairs_go_far_enough_to_mean_something() -> None:
    lengths, ended = [], 0
    for seed in range(60):
        twins = _Twins(seed)
        lengths.append(twins.play())
        ended += twins.battles[0].ended
    assert sum(length >= 20 for length in lengths) >= 20, "most pairs part before anything was tried"
    assert 0 < ended < 60, "some pairs part by what their secret decides, and some never do"


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
        _Twins(seed, rules).play()
