"""A ruleset made of `tabletop/` alone is whole: cases, promises, secrets, terminal, server and opponent."""

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.bots import make_bot
from sandtable.cli import main
from sandtable.cli.play_pages import play_at
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.ruleset import Setup
from sandtable.forces.ledger import systems
from sandtable.lab.battles import play_battle
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import find_cases
from sandtable.lab.tuning import Bout, learn, played
from sandtable.rulesets import ruleset
from sandtable.tabletop.book import Book
from tests.cli.typing import Typist
from tests.conftest import EVERYTHING
from tests.engine.secrets import byte_equal
from tests.page.in_browser import play_in_browser
from tests.promises import keep_promises
from tests.server.tables import serving
from tests.sixth import HERE
from tests.sixth.shelf import WHERE

#: Layers that a ruleset stands on.
BELOW = ("engine", "field", "telling", "forces", "tabletop")


@pytest.fixture
def ambush() -> Book:
    return ruleset("ambush")


def test_it_imports_nothing_but_what_a_ruleset_stands_on() -> None:
    for file in (HERE / "ambush").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("sandtable"):
                assert str(node.module).split(".")[1] in BELOW, f"{file.name}: {node.module}"


def test_every_case_holds_and_every_rule_has_one(capsys: pytest.CaptureFixture[str], ambush: Book) -> None:
    assert main(("case", str(HERE / "cases"))) == 0, capsys.readouterr().out
    proved = {rule for case in find_cases([str(HERE / "cases")]).cases for rule in case.proves}
    assert set(ambush.ledger.rules) == proved


def test_a_wrong_word_of_a_case_is_found(tmp_path: Path) -> None:
    text = (HERE / "cases" / "ambush" / "shooting.yaml").read_text(encoding="utf-8")
    file = tmp_path / "ambush" / "wrong.yaml"
    file.parent.mkdir()
    file.write_text(text.replace("states: {watching: 1}", "states: {watchin: 1}"), encoding="utf-8")
    outcomes = play_all(find_cases([str(file)]).cases)
    assert [one for one in outcomes if "did you mean `watching`" in str(one)]


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_random_battles_keep_every_promise(ambush: Book, first: int) -> None:
    played = [keep_promises(type(ambush), ambush.setup(), seed) for seed in range(first, first + 5)]
    assert sum(one.refused for one in played)
    assert sum(one.undone for one in played)


def swapped(setup: Setup, one: int, other: int) -> Setup:
    """The same set-up, with what two counters of blue are exchanged."""
    form: Any = msgspec.json.decode(msgspec.json.encode(setup.scenario))
    force = form["form"]["sides"]["blue"]["force"]
    force[one]["model"], force[other]["model"] = force[other]["model"], force[one]["model"]
    return msgspec.structs.replace(setup, scenario=form)


@pytest.mark.parametrize("seed", range(6))
def test_red_cannot_tell_what_lies_under_blues_counters(ambush: Book, seed: int) -> None:
    setup = ambush.setup()
    twin = swapped(setup, 0, 1)
    assert twin != setup
    found = byte_equal(lambda: Battle(ambush, setup, seed=seed), lambda: Battle(ambush, twin, seed=seed), RED, seed)
    assert found.answers > 2


def test_a_battle_is_played_by_typed_lines_alone(ambush: Book) -> None:
    typist = Typist(ambush, ambush.setup(), 4)
    play_at(typist.battle, typist.terminal, {})
    assert typist.battle.ended
    bots = {side: make_bot("random", ambush, 4, side) for side in (RED, BLUE)}
    assert typist.battle.digest() == play_battle(ambush, ambush.setup(), bots, seed=4).digest()
    assert not [line for line in typist.shown if "Not so" in line]


def test_the_command_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ambush" in systems()
    assert main(("battle", "ambush", "--seed", "3")) == 0
    told = capsys.readouterr().out
    assert "fires at" in told


def test_a_server_plays_it(tmp_path: Path, ambush: Book) -> None:
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", library=WHERE) as server:
        made = server.begin(
            "ambush", seats=[{"side": "red", "name": "Ann"}, {"side": "blue", "kind": "bot", "bot": "tactical"}]
        )
        with server.page(made["links"][0]["token"]) as page:
            page.asked()
            assert page.question().topic in ("activate", "action", "watch-fire")
            counters = [one for one in page.situation["table"]["things"].values() if one.get("side") == "blue"]
            assert counters
            assert all("is" not in one.get("states", {}) for one in counters if one.get("card") == "counter")
            assert page.play(ambush) > 5
            assert page.ended


@pytest.mark.filterwarnings("ignore:We recommend agents to be named:UserWarning")
def test_a_learner_plays_it() -> None:
    if not EVERYTHING:
        pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from sandtable.lab.environment import env

    api_test(env("ambush", choices=6), num_cycles=40)
    seed_test(lambda: env("ambush", choices=6), num_cycles=40)


def test_battles_teach_that_fighters_win_and_dummies_do_not(ambush: Book) -> None:
    """What is true of this game: a dummy hurts nobody, whatever somebody's judgement says."""
    tactics = ambush.tactics()
    assert tactics is not None
    assert tactics.weights.features == {"fighters": 1000, "dummies": 500}
    bouts = [Bout("ambush", "tactical", 0, seed, positions=4) for seed in range(30)]
    found = learn(played(bouts, jobs=2), tactics.weights, 0)
    fighters, dummies = found.weights.features["fighters"], found.weights.features["dummies"]
    assert fighters == 1000
    assert found.off["fighters"] < fighters
    assert dummies - found.off["dummies"] < 0 < fighters - found.off["fighters"]
    assert dummies + found.off["dummies"] < fighters
    assert found.fit.error < found.fit.blind


def test_it_is_played_by_clicking(tmp_path: Path) -> None:
    """At a desk and on a phone, with previews, by the page as it is: no line of it knows this ruleset."""
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", library=WHERE) as server:
        play_in_browser(server.base, "rulesets", "ambush crossing shoot,walk,watch")


def test_the_tactical_bot_beats_the_random_one(ambush: Book) -> None:
    won = 0
    for seed in range(6):
        for side, other in ((RED, BLUE), (BLUE, RED)):
            bots = {side: make_bot("tactical", ambush, seed, side), other: make_bot("random", ambush, seed, other)}
            ending = play_battle(ambush, ambush.setup(), bots, seed=seed).table.ending
            assert ending is not None
            won += ending.winner == side
    assert won >= 10, f"{won} of 12"
