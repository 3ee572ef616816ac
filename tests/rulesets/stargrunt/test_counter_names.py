"""What counters are called tells nothing of what they are: a sniper's look to the enemy like a squad's with dummies."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.ids import BLUE, RED, Side
from sandtable.engine.questions import PlaceThings
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.stargrunt.observation.counters import DECOY_OF, counter_of
from sandtable.rulesets.stargrunt.units.record import COUNTER, spot
from sandtable.tabletop.face_down import IS

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
        question = battle.question_for(BLUE)
        assert isinstance(question, PlaceThings)
        if len(question.things) == len(SPOTS):
            return battle, question
    raise AssertionError("nobody ever has three counters")


def laid(model: str, folder: Path) -> Battle:
    """A battle in which blue has laid three counters at the same places."""
    battle, question = three_to_lay(begun(SCENARIO.replace("MODEL", model), folder))
    answer: Any = {name: Spot(At(at)) for name, at in zip(question.things, SPOTS, strict=True)}
    while not _lies(battle.table):
        asked = battle.question_for(BLUE)
        assert asked is not None
        assert battle.answer(answer if asked is question else None, BLUE) is None
    return battle


def _lies(table: Table) -> list[Thing]:
    return [one for one in table.things.values() if one.card == COUNTER]


def shown(battle: Battle) -> bytes:
    """The counters of blue, as red's table has them."""
    things = battle.view(RED).table.things
    return msgspec.json.encode([one for one in things.values() if one.side == "blue" and one.kind == "marker"])


def told(battle: Battle, who: Side) -> bytes:
    """All that somebody has been told of, and their table."""
    return msgspec.json.encode((battle.logs[who].events, battle.view(who).table))


@pytest.mark.parametrize("who", ["red", SPECTATOR])
def test_a_snipers_counters_look_to_others_like_those_of_a_squad_with_dummies(who: Side, tmp_path: Path) -> None:
    squad, sniper = laid("harrow-rifle-squad", tmp_path), laid("harrow-sniper", tmp_path)
    assert shown(squad) == shown(sniper)
    assert told(squad, who) == told(sniper, who)
    assert told(squad, BLUE) != told(sniper, BLUE)
    assert b"Counter B3" in shown(sniper)
    assert [one.label for one in _lies(squad.table)] == ["Counter B1", "Counter B2", "Counter B3"]


BOTH = SCENARIO.replace(
    "force: [{model: MODEL", "force: [{model: harrow-sniper, as: blue-hawk}, {model: harrow-rifle-squad"
)
#: A D6 for one dummy, and how two shuffles of five names fall.
ONE_DUMMY, AS_THEY_ARE, FROM_THE_END = [1], [1, 1, 1, 1], [5, 4, 3, 2]


def among_others(folder: Path, shuffled: list[int]) -> Battle:
    """A battle in which five counters of blue lie at the same places under the same names; which three of them are a
    sniper's, the shuffle says."""
    dice = ScriptedDice([*ONE_DUMMY, *shuffled, *AS_THEY_ARE])
    battle = Battle(rulebook("stargrunt").ruleset(), begun(BOTH, folder), dice=dice)
    question = battle.question_for(BLUE)
    assert isinstance(question, PlaceThings)
    at = {f"blue-c{n}": Spot(At(Point(5000 + 1200 * n, 4500))) for n in range(1, 6)}
    assert sorted(question.things) == sorted(at)
    for draft in (at, None, ("blue-c1", "blue-c4")):
        answer: Any = draft
        assert battle.answer(answer, BLUE) is None
    return battle


def his(battle: Battle) -> list[str]:
    """The counters of the sniper and his dummies."""
    return [one.id for one in _lies(battle.table) if one.value(IS) == "blue-hawk" or one.has(DECOY_OF)]


def test_nobody_else_can_tell_which_counters_are_the_snipers(tmp_path: Path) -> None:
    one, other = among_others(tmp_path, AS_THEY_ARE), among_others(tmp_path, FROM_THE_END)
    assert his(one) == ["blue-c3", "blue-c4", "blue-c5"]
    assert his(other) == ["blue-c1", "blue-c2", "blue-c3"]
    for who in (RED, SPECTATOR):
        assert told(one, who) == told(other, who)
        assert b"sniper" not in told(one, who)
    assert told(one, BLUE) != told(other, BLUE)


def test_who_lets_it_come_as_it_comes_tells_nothing_by_names_or_places(tmp_path: Path) -> None:
    setup, names, places = begun(BOTH, tmp_path), set(), set()
    for seed in range(12):
        battle = Battle(rulebook("stargrunt").ruleset(), setup, seed=seed)
        while not _lies(battle.table):
            assert battle.answer(None, BLUE) is None
        real = counter_of(battle.table, "blue-one")
        assert real is not None
        names.add(real.id)
        places.add(
            sorted((spot(one).y, spot(one).x) for one in _lies(battle.table)).index((spot(real).y, spot(real).x))
        )
    assert len(names) > 3
    assert len(places) > 3


def test_names_go_on_where_they_left_off(tmp_path: Path) -> None:
    battle = Battle(rulebook("stargrunt").ruleset(), begun(BOTH, tmp_path), seed=2)
    while (asked := battle.question_for(BLUE)) is not None and isinstance(asked.default, dict | tuple | str):
        assert battle.answer(None, BLUE) is None
    names = [one.id for one in _lies(battle.table)]
    assert names == [f"blue-c{number}" for number in range(1, len(names) + 1)]
    assert len(names) > len(SPOTS)
