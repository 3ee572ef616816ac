"""What counters are called tells nothing of what they are: a sniper's look to the enemy like a squad's with dummies."""

from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.questions import PlaceThings
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.stargrunt.units.record import COUNTER

SPOTS = [Point(6000, 4000), Point(8000, 5000), Point(10000, 4500)]
SCENARIO = """\
ruleset: stargrunt
name: twins
board:
  width: 40
  height: 34
  terrain: [{kind: light-scrub, id: gorse, label: Gorse, rectangle: [4, 3, 8, 4]}]
sides:
  red: {force: [{model: harrow-command, as: red-six, at: [18, 31]}]}
  blue:
    options: {hidden: all, hidden-depth: 18}
    force: [{model: MODEL, as: blue-one}]
markers: [{kind: objective, as: tor, label: The tor, at: [19, 11.5]}]
turn_limit: 4
victory: objectives
"""


def begun(text: str, folder: Path) -> Setup:
    """The set-up of a scenario that is written here."""
    file = folder / "twins.yaml"
    file.write_text(text, encoding="utf-8")
    return rulebook("stargrunt").ruleset().setup(str(file))


def three_to_lay(setup: Setup) -> tuple[Battle, PlaceThings]:
    """A battle in which blue has three counters to lay: so many dummies are rolled sooner or later."""
    rules = rulebook("stargrunt").ruleset()
    for seed in range(60):
        battle = Battle(rules, setup, seed=seed)
        question = battle.question_for("blue")
        assert isinstance(question, PlaceThings)
        if len(question.things) == len(SPOTS):
            return battle, question
    raise AssertionError("nobody ever has three counters")


def laid(model: str, folder: Path) -> Battle:
    """A battle in which blue has laid three counters at the same places."""
    battle, question = three_to_lay(begun(SCENARIO.replace("MODEL", model), folder))
    answer: Any = {name: Spot(At(at)) for name, at in zip(question.things, SPOTS, strict=True)}
    while not _lies(battle.table):
        asked = battle.question_for("blue")
        assert asked is not None
        assert battle.answer(answer if asked is question else None, "blue") is None
    return battle


def _lies(table: Table) -> list[Thing]:
    return [one for one in table.things.values() if one.card == COUNTER]


def shown(battle: Battle) -> bytes:
    """The counters of blue, as red's table has them."""
    things = battle.view("red").table.things
    return msgspec.json.encode([one for one in things.values() if one.side == "blue" and one.kind == "marker"])


def test_a_snipers_counters_look_to_the_enemy_like_those_of_a_squad_with_dummies(tmp_path: Path) -> None:
    squad, sniper = laid("harrow-rifle-squad", tmp_path), laid("harrow-sniper", tmp_path)
    assert shown(squad) == shown(sniper)
    assert b"Counter B3" in shown(sniper)
    assert [one.label for one in _lies(squad.table)] == ["Counter B1", "Counter B2", "Counter B3"]


def test_names_go_on_where_they_left_off(tmp_path: Path) -> None:
    rules = rulebook("stargrunt").ruleset()
    text = SCENARIO.replace("force: [{model: MODEL", "force: [{model: harrow-sniper, as: blue-hawk}, {model: MODEL")
    battle = Battle(rules, begun(text.replace("MODEL", "harrow-rifle-squad"), tmp_path), seed=2)
    while (asked := battle.question_for("blue")) is not None and isinstance(asked.default, dict | tuple | str):
        assert battle.answer(None, "blue") is None
    names = [one.id for one in _lies(battle.table)]
    assert names == [f"blue-c{number}" for number in range(1, len(names) + 1)]
    assert len(names) > len(SPOTS)
