"""The audit catches every ruleset that cheats, and no honest one; the rulesets of this project are honest."""

import importlib
from pathlib import Path
from pkgutil import iter_modules

import pytest

from sandtable import rulesets
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.ledger import systems
from sandtable.lab.audit import audit_play, audit_source
from tests.cheats.battle_dice import BattleDice
from tests.cheats.calendar_date import CalendarDate
from tests.cheats.clock import Clock
from tests.cheats.float_decides import FloatDecides
from tests.cheats.float_in_state import FloatInState
from tests.cheats.global_counter import GlobalCounter
from tests.cheats.kept_attribute import KeptAttribute
from tests.cheats.kept_in_state import KeptInState
from tests.cheats.kept_list import KeptList
from tests.cheats.own_dice import OwnDice
from tests.cheats.set_order import SetOrder
from tests.cheats.sorted_set import SortedSet
from tests.cheats.whole_numbers import WholeNumbers
from tests.engine.duel import Duel
from tests.engine.parley import Parley

READ_OFF: dict[type[Ruleset], str] = {
    Clock: "a clock",
    CalendarDate: "a clock",
    OwnDice: "dice that are not the battle's",
    GlobalCounter: "it writes what is global: shots_fired",
    KeptList: "it changes FIRED, which outlives the battle",
    KeptAttribute: "KeptAttribute keeps something of its own",
    SetOrder: "the order of a set",
    FloatDecides: "float",
    FloatInState: "/ gives a float",
}
SEEN_IN_PLAY: dict[type[Ruleset], str] = {
    CalendarDate: "played in a fresh process, it is another battle",
    OwnDice: "played again in the same process, it is another battle",
    GlobalCounter: "played again in the same process, it is another battle",
    KeptList: "played again in the same process, it is another battle",
    KeptAttribute: "played again in the same process, it is another battle",
    SetOrder: "played in a fresh process, it is another battle",
    FloatInState: "holds a float: 0.5",
}
HONEST = (BattleDice, KeptInState, SortedSet, WholeNumbers, Duel, Parley)


@pytest.mark.parametrize("cheat", list(READ_OFF))
def test_a_cheat_is_read_off_the_line_that_cheats(cheat: type[Ruleset]) -> None:
    found = audit_source(cheat.__module__)
    assert any(READ_OFF[cheat] in finding.why for finding in found), found
    text = Path(found[0].file).read_text(encoding="utf-8").splitlines()
    cheating = [number for number, line in enumerate(text, 1) if line.endswith("# cheats")]
    cheating += [number for number, line in enumerate(text, 1) if "time.time()" in line or "random." in line]
    assert {finding.line for finding in found} <= set(cheating)
    assert {number for number, line in enumerate(text, 1) if line.endswith("# cheats")} <= {f.line for f in found}
    assert str(found[0]).startswith(f"{found[0].file}:{found[0].line}: ")


@pytest.mark.parametrize("cheat", list(SEEN_IN_PLAY))
def test_a_cheat_is_seen_when_it_plays(cheat: type[Ruleset]) -> None:
    # Orders of a set agree by luck now and then; over a dozen battles none hides that.
    found = audit_play(cheat, Setup(), range(12), players=RandomBot)
    assert any(SEEN_IN_PLAY[cheat] in finding.why for finding in found), found
    assert all(finding.line > 1 for finding in found)


def test_a_clock_is_seen_when_it_plays() -> None:
    """In its fresh process another second comes with every reading; over twenty battles no luck hides that."""
    found = audit_play(Clock, Setup(), range(20), players=RandomBot)
    assert found


@pytest.mark.parametrize("honest", HONEST)
def test_an_honest_ruleset_passes_both(honest: type[Ruleset]) -> None:
    assert audit_source(honest.__module__) == []
    assert audit_play(honest, Setup(), range(3), players=RandomBot) == []


class Breaking(Duel):
    def end_turn(self, battle: object) -> object:  # type: ignore[override]
        raise LookupError("the end of the turn")


def test_rules_that_break_are_found_and_not_fatal() -> None:
    found = audit_play(Breaking, Setup(), range(4), players=RandomBot)
    assert any("the rules broke: LookupError: the end of the turn" in finding.why for finding in found)


# What can be read off a line ----------------------------------------------------------------------------------------


WRONG = {
    "import os": "the machine",
    "import socket": "a socket",
    "from urllib import request": "a socket",
    "import pickle": "files",
    "from math import sqrt": "math.sqrt works with floats",
    "import math\nx = math.pi": "math.pi works with floats",
    "def f():\n    return open('x')": "it opens a file",
    "def f(path):\n    return path.read_text()": "it touches a file",
    "def f(x):\n    return hash(x)": "hashes differ",
    "def f(x):\n    return sorted(x, key=id)": "memory",
    "def f(x):\n    return x / 2": "/ gives a float",
    "def f(x):\n    x /= 2\n    return x": "/ gives a float",
    "x = 1.5": "1.5 is a float",
    "def f(x: float): ...": "a float decides",
    "def f(x):\n    return round(x)": "round() is for floats",
    "def f(x=[]):\n    return x": "shared between calls",
    "KEPT = {}\ndef f():\n    KEPT['a'] = 1": "it changes KEPT",
    "KEPT = {}\ndef f():\n    del KEPT['a']": "it changes KEPT",
    "KEPT = {}\ndef f():\n    KEPT.setdefault('a', []).append(1)": "it changes KEPT",
    "class Kept:\n    n = 0\ndef f():\n    Kept.n += 1": "it changes Kept",
    "import rules\ndef f():\n    rules.n = 1": "it changes rules",
    "def f():\n    setattr(f, 'n', 1)": "it changes f",
    "def f(x):\n    for y in set(x): print(y)": "it goes through the order of a set",
    "def f(x):\n    s = {1, *x}\n    return list(s)": "list() keeps the order of a set",
    "def f(x: set[int]):\n    return tuple(x)": "tuple() keeps the order of a set",
    "def f(x, y):\n    return [z for z in x.keys() & y.keys()]": "it goes through the order of a set",
    "def f(x: frozenset[str]):\n    return ', '.join(x)": "join() keeps the order of a set",
    "def f(x: set[int]):\n    return x.pop()": "pop() takes by the order of a set",
    "def f(x: set[int]):\n    return max(x, key=abs)": "where two are alike, max() keeps the order of a set",
    "def f(x: set[int]):\n    return {y: 1 for y in x - {3}}": "it goes through the order of a set",
    "def f(x: set[int]):\n    return next(iter(x | {1}))": "iter() keeps the order of a set",
    "def f(x: set[int]):\n    a, b = x": "it unpacks the order of a set",
}
RIGHT = (
    "from math import isqrt, gcd\nx = isqrt(9)",
    "def f(x):\n    return x // 2",
    "def f(x):\n    return f'{x / 1000:g} inches'",
    "def f(folder):\n    return folder / 'rules'",
    "KEPT = {'a': 1}\ndef f():\n    return KEPT['a']",
    "KEPT = []\ndef f():\n    KEPT = []\n    KEPT.append(1)",
    "KEPT = []\ndef f(KEPT):\n    KEPT.append(1)",
    "def f(x):\n    return len({*x}), 3 in {*x}, sorted({*x}), max({*x}), sum(y for y in {*x})",
    "def f(x: set[int]):\n    return {y + 1 for y in x}",
    "def f(x: dict[str, int]):\n    return [y for y in x]",
    "def f(x):\n    return x / 2  # audit: a ratio for the eye, nothing is decided by it",
)


@pytest.mark.parametrize("source", WRONG)
def test_what_is_wrong_is_named(source: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(source, encoding="utf-8")
    found = audit_source(path)
    assert any(WRONG[source] in finding.why for finding in found), found
    assert {finding.file for finding in found} == {str(path)}


@pytest.mark.parametrize("source", RIGHT)
def test_what_is_right_is_left_alone(source: str, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(source, encoding="utf-8")
    assert audit_source(tmp_path) == []


def test_a_package_is_read_whole_and_what_is_no_module_is_told() -> None:
    found = audit_source(importlib.import_module("tests.cheats"))
    assert len({finding.file for finding in found}) == len(READ_OFF)
    with pytest.raises(ModuleNotFoundError, match="there is no module tests"):
        audit_source("tests.nothing")


# The project's own --------------------------------------------------------------------------------------------------

#: What joins the chapters knows the tactics too.
JOINS = ("__init__.py", "book.py")
PACKAGES = [found.name for found in iter_modules(rulesets.__path__) if found.ispkg]


@pytest.mark.parametrize("name", PACKAGES)
def test_the_rulesets_of_this_project_read_honestly(name: str) -> None:
    found = audit_source(f"sandtable.rulesets.{name}")
    # What teaches bots weighs and guesses; it is no part of the rules, and no rule may lean on it.
    assert [str(finding) for finding in found if "tactics" not in Path(finding.file).parts] == []
    folder = Path(importlib.import_module(f"sandtable.rulesets.{name}").__path__[0])
    for module in folder.rglob("*.py"):
        joins = module.parent == folder and module.name in JOINS
        if "tactics" not in module.parts and not joins:
            assert "tactics" not in module.read_text(), module


@pytest.mark.parametrize("name", systems())
def test_the_rulesets_of_this_project_play_honestly(name: str) -> None:
    book = rulesets.ruleset(name)
    found = audit_play(type(book), book.setup("", 1), [1], players=RandomBot, most_answers=150)
    # What teaches bots weighs and guesses; it is no part of the rules, and no rule may lean on it.
    assert [str(finding) for finding in found if "tactics" not in Path(finding.file).parts] == []
    folder = Path(importlib.import_module(f"sandtable.rulesets.{name}").__path__[0])
    for module in folder.rglob("*.py"):
        joins = module.parent == folder and module.name in JOINS
        if "tactics" not in module.parts and not joins:
            assert "tactics" not in module.read_text(), module
