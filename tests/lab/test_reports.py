"""Mutation finds numbers that no case notices; coverage joins the ledger with what is cited, proved and fired."""

import os
import random
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.cli.reports import coverage_page, mutation_page
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED, Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Confirm, MoveModels, Plan, React, Reaction
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import Leg, Walk
from sandtable.forces.files import LedgerError
from sandtable.forces.ledger import Ledger
from sandtable.lab.battles import BattleStuck, play_battle
from sandtable.lab.cases.form import Case, find_cases
from sandtable.lab.coverage import Coverage, Witness, coverage
from sandtable.lab.mutation import Report, mutate
from sandtable.lab.workers import Died, Done, in_children
from tests.lab.skirmish import HERE, Skirmish, skirmish


class Wild:
    """Plays the skirmish: any answer, from a seed."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def answer(self, view: View, question: AnyQuestion) -> Any:
        match question:
            case ChooseOne():
                return self.random.choice(question.options).id
            case Confirm():
                return self.random.random() < 0.5
            case React():
                return Reaction(question.options[0].id) if self.random.random() < 0.5 else None
            case MoveModels():
                return {question.models[0]: Walk((Leg(go=self.random.randrange(-5000, 5001)),))}
            case Plan():
                target = self.random.choice(view.enemies()).id
                return {"actions": [self.random.choice(["walk", "aim"]), "shoot"], "shot-at": target}
        raise AssertionError(question)


def wild(ruleset: Ruleset, side: Side, seed: str) -> Wild:
    return Wild(seed)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of the skirmish, to be changed."""
    folder = tmp_path / "skirmish"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def cases(folder: Path) -> list[Case]:
    found = find_cases([str(folder / "cases")])
    assert not found.wrong
    return found.cases


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def mutated(folder: Path) -> Report:
    return mutate(skirmish(folder), cases(folder))


def alive(report: Report) -> list[str]:
    return [fate.number.words for fate in report.alive]


# Mutation --------------------------------------------------------------------------------------------------------


def test_every_number_is_noticed_or_listed(own: Path) -> None:
    report = mutated(own)
    assert report.good
    assert len(report.fates) == 10
    (excused,) = [fate for fate in report.fates if fate.alive]
    assert (excused.number.rule, excused.listed) == ("skirmish.turn.fanfare", "nobody counts the notes")
    assert "10 numbers, 9 noticed by a case, 1 listed as deciding nothing, 0 alive" in mutation_page(report)


def test_a_hollow_case_leaves_its_number_alive(own: Path) -> None:
    """Four inches may be walked and 6.001 may not: an allowance of 4 or of 6 would do as well as 5."""
    file = own / "cases/skirmish/turn.yaml"
    changed(file, "walk: 5.001", "walk: 6.001")
    changed(file, "{turn: 30, go: 3}, 2]}", "{turn: 30, go: 2}, 2]}")
    changed(file, "to: [9, 10]", "to: [8, 10]")
    report = mutated(own)
    assert not report.good
    assert alive(report) == ["skirmish.turn.walk: inches is 5.0"]
    assert "none of its 1 cases notices" in mutation_page(report)


def test_a_rule_without_cases_leaves_its_numbers_alive(own: Path) -> None:
    (own / "cases/skirmish/turn.yaml").unlink()
    report = mutated(own)
    assert alive(report) == ["skirmish.turn.actions: actions is 2", "skirmish.turn.walk: inches is 5.0"]
    assert "no case proves its rule" in mutation_page(report)


def test_a_choice_of_cases_tries_the_numbers_of_their_rules_only(own: Path) -> None:
    chosen = [case for case in cases(own) if "skirmish.turn.walk" in case.proves]
    report = mutate(skirmish(own), chosen, proved_only=True)
    assert [fate.number.rule for fate in report.fates] == ["skirmish.turn.walk"]
    assert report.good


def test_a_chapter_alone_is_tried(own: Path) -> None:
    report = mutate(skirmish(own), cases(own), within="skirmish.turn")
    assert {fate.number.rule.split(".")[1] for fate in report.fates} == {"turn"}
    assert report.good
    assert mutate(skirmish(own), cases(own), within="skirmish.tur").fates == ()


def test_minus_one_is_tried_where_plus_one_is_not_noticed(own: Path) -> None:
    """A hit with a 5 notices neither a need of 5 nor one of 3; a miss with a 3 notices the latter."""
    file = own / "cases/skirmish/shooting.yaml"
    changed(file, "needs: 4, total: 4, margin: 0, outcome: hit", "outcome: hit")
    changed(file, "explanations: [{what: to hit, total: 4, parts: {short range: 4}}], ", "")
    changed(
        file, "dice: [4]\n      expect:\n        - {declared: A", "dice: [5]\n      expect:\n        - {declared: A"
    )
    changed(file, "{check: shot, margin: -1, outcome: miss}", "{check: shot, outcome: miss}")
    report = mutated(own)
    (fate,) = [one for one in report.fates if one.number.path == ("needs", "short")]
    assert not fate.alive
    changed(
        file, "    - do: {B: shoot, target: A}\n      dice: [3]", "    - do: {B: shoot, target: A}\n      dice: [2]"
    )
    assert alive(mutated(own)) == ["skirmish.shooting.to-hit: needs / short is 4"]


class Fussy(Skirmish):
    """Loads with the walk it knows only."""

    def __init__(self, book: Ledger, models: Sequence[str] = ("soldier",)) -> None:
        super().__init__(book, models)
        if self.inches != 5000:
            raise ValueError("that is no walk")


def test_rules_that_do_not_load_with_a_changed_number_depend_on_it(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.lab.skirmish.Skirmish", Fussy)
    (fate,) = [one for one in mutated(own).fates if one.number.rule == "skirmish.turn.walk"]
    assert fate.caught_by == "ValueError: that is no walk"


def test_a_number_that_nobody_reads_is_alive(own: Path) -> None:
    changed(own / "rules/turn.yaml", "{inches: 5.0}", "{inches: 5.0, paces: 6}")
    assert alive(mutated(own)) == ["skirmish.turn.walk: paces is 6"]


def test_a_key_of_every_rule_of_a_chapter_may_be_listed(own: Path) -> None:
    changed(own / "rules/turn.yaml", "{inches: 5.0}", "{inches: 5.0, paces: 6}")
    with (own / "undeciding.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {rule: skirmish.turn.*, at: paces, reason: nobody counts them}\n")
    report = mutated(own)
    assert report.good
    assert alive(report) == []


def test_a_listed_number_that_decides_is_stale(own: Path) -> None:
    entry = "  - {rule: skirmish.turn.walk, reason: nobody walks}\n"
    with (own / "undeciding.yaml").open("a", encoding="utf-8") as file:
        file.write(entry)
    report = mutated(own)
    assert report.stale == ("skirmish.turn.walk",)
    assert not report.good
    assert "skirmish.turn.walk stands in undeciding.yaml, yet a case notices" in mutation_page(report)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (
            "{rule: skirmish.turn.wlak, reason: x}",
            "undeciding.yaml:4: there is no rule `skirmish.turn.wlak`; did you mean",
        ),
        ("{rule: skirmish.turn.walk, at: [inch], reason: x}", "`skirmish.turn.walk` has no number at inch"),
        ("{rule: skirmish.turn.walk}", "the key `reason` is missing"),
    ],
)
def test_a_wrong_list_is_told(own: Path, entry: str, says: str) -> None:
    with (own / "undeciding.yaml").open("a", encoding="utf-8") as file:
        file.write(f"  - {entry}\n")
    with pytest.raises(LedgerError) as caught:
        mutated(own)
    assert says in str(caught.value)


def test_nothing_is_mutated_while_a_case_fails(own: Path) -> None:
    changed(own / "cases/skirmish/turn.yaml", "at: [5, 10]", "at: [6, 10]")
    report = mutated(own)
    assert not report.good
    assert not report.fates
    assert "mend them first" in mutation_page(report)


# Coverage --------------------------------------------------------------------------------------------------------


def covered(folder: Path, seeds: int = 3) -> Coverage:
    return coverage(skirmish(folder), cases(folder), wild, seeds=range(1, seeds + 1))


def test_coverage_joins_the_three_facts(own: Path) -> None:
    report = covered(own)
    assert len(report.rules) == 12
    assert report.missing("cited") == ("skirmish.turn.fanfare",)
    assert report.missing("proved") == ("skirmish.turn.fanfare",)
    assert report.missing("fired") == ("skirmish.turn.fanfare",)
    assert "skirmish.end.concede" not in report.fired
    assert not report.too_many_unfired
    plain = report.plain()
    assert [plain[key] for key in ("rules", "cited", "proved", "fired")] == [12, 11, 11, 10]
    assert [battle["seed"] for battle in plain["battles"]] == [1, 2, 3]
    assert plain["missing"]["fired"] == ["skirmish.turn.fanfare"]
    page = coverage_page(report)
    assert "cited     11 (91 %)" in page
    assert "battles    3 (seeds 1 to 3" in page


def test_of_what_is_still_to_come_nothing_is_missing(own: Path) -> None:
    report = covered(own)
    waits = next(rule for rule in report.missing("proved"))
    more = msgspec.structs.replace(report, later={waits: "delivery 2: the rest"})
    for fact in ("cited", "proved", "fired"):
        assert waits not in more.missing(fact)
    assert "1 wait for delivery 2: the rest" in coverage_page(more)
    assert more.plain()["later"] == {waits: "delivery 2: the rest"}


def test_coverage_is_the_same_each_time(own: Path) -> None:
    assert covered(own) == covered(own)


def test_the_size_of_the_battles_is_handed_on(own: Path) -> None:
    def events(size: int) -> int:
        (battle,) = coverage(skirmish(own), [], wild, seeds=[1], size=size).battles
        return battle.events

    assert events(1) < events(3) < events(6)


def test_without_battles_nothing_fires(own: Path) -> None:
    report = covered(own, 0)
    assert report.fired == ()
    assert len(report.missing("fired")) == 11


def test_refusals_previews_and_parts_fire_their_rules() -> None:
    package = skirmish().ruleset()
    witness = Witness(package)
    ruleset = witness.listening(package.fresh())
    view = Battle(ruleset, package.setup(), seed=1).view(RED)
    far = {"red-0": Walk((Leg(go=6000),))}
    assert ruleset.judge(view, MoveModels(RED, "Where?", topic="walk"), far) is not None
    assert list(witness.fired) == ["skirmish.turn.walk"]
    plan = Plan(RED, "What?", topic="plan")
    assert ruleset.parts(view, plan, {})
    assert "skirmish.turn.no-repeats" in witness.fired
    assert ruleset.preview(view, plan, {"actions": ("shoot",), "shot-at": "blue-0"}).explanations
    assert "skirmish.shooting.to-hit" in witness.fired


def test_a_failing_case_proves_nothing(own: Path) -> None:
    changed(own / "cases/skirmish/turn.yaml", "at: [5, 10]", "at: [6, 10]")
    report = covered(own, 0)
    assert len(report.failing) == 1
    assert "skirmish.turn.no-repeats" in report.missing("proved")
    assert "a case fails and proves nothing" in coverage_page(report)


def test_at_most_one_rule_in_ten_is_excused_and_stale_excuses_are_told(own: Path) -> None:
    with (own / "unfired.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {rule: skirmish.turn.walk, reason: nobody walks}\n")
    report = covered(own)
    assert report.too_many_unfired
    assert report.fired_after_all == ("skirmish.turn.walk",)
    page = coverage_page(report)
    assert "at most 1 may stand there" in page
    assert "stale: skirmish.turn.walk" in page


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (
            "{rule: skirmish.turn.wlak, reason: x}",
            "unfired.yaml:4: there is no rule `skirmish.turn.wlak`; did you mean",
        ),
        ("{rule: skirmish.end.concede, reason: x}", "stands here twice"),
        ('{rule: skirmish.turn.walk, reason: ""}', "has no reason"),
    ],
)
def test_a_wrong_list_of_unfired_rules_is_told(own: Path, entry: str, says: str) -> None:
    with (own / "unfired.yaml").open("a", encoding="utf-8") as file:
        file.write(f"  - {entry}\n")
    with pytest.raises(LedgerError) as caught:
        covered(own, 0)
    assert says in str(caught.value)


# Battles and workers ---------------------------------------------------------------------------------------------


class Stubborn(Wild):
    """Always plans three actions, which is refused."""

    def answer(self, view: View, question: AnyQuestion) -> Any:
        if isinstance(question, Plan):
            return {"actions": ["walk", "aim", "shoot"], "shot-at": view.enemies()[0].id}
        return super().answer(view, question)


def test_a_refused_player_stops_the_battle_with_rule_and_seed() -> None:
    package = skirmish().ruleset()
    players = {side: Stubborn(side) for side in (RED, BLUE)}
    with pytest.raises(BattleStuck, match=r"seed 5: .*skirmish\.turn\.actions refuses"):
        play_battle(package, package.setup(), players, seed=5)


def test_a_battle_without_end_is_stopped() -> None:
    package = skirmish().ruleset()
    players = {side: Wild(side) for side in (RED, BLUE)}
    with pytest.raises(BattleStuck, match="no end after 3 answers"):
        play_battle(package, package.setup(), players, seed=5, most=3)


def test_what_children_do_is_given_and_what_they_cannot_do_is_told() -> None:
    def work(task: str) -> int:
        if task == "raise":
            raise ValueError("no")
        if task == "die":
            os._exit(3)
        if task == "sleep":
            time.sleep(30)
        return len(task)

    found = dict(in_children(["raise", "die", "count"], work, jobs=3, seconds=120))
    assert found[0] == Died("ValueError: no")
    assert found[1] == Died("the process ended without a word")
    assert found[2] == Done(5)
    assert dict(in_children(["sleep"], work, jobs=1, seconds=0.1)) == {0: Died("it took more than 0.1 seconds")}
