"""docs/the-house.md tells the truth: the packages it draws are there, and a shot passes the modules it names."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "the-house.md").read_text(encoding="utf-8")
#: Where each shot of the page is fired, and the rooms of which the page names every module that it passes.
SHOTS = {
    "quickstart": ("cases/quickstart/shooting/range-bands.yaml", ("shooting.assaults", "shooting.direct_fire", "dice")),
    "dropzone": ("cases/dropzone/shooting/rolling.yaml", ("rounds", "shooting.firing", "shooting.aiming", "damage")),
    "strikeops": ("cases/strikeops/shooting/rolls.yaml", ("actions.declaring", "shooting.aiming", "damage")),
    "stargrunt": ("cases/stargrunt/fire/steps.yaml", ("fire.actions", "fire.shots", "fire.resolution", "dice.rolls")),
}


def named(ruleset: str) -> list[str]:
    """The modules that the page names on the way of a shot, in its order, by their whole names."""
    part = PAGE.split(f"## The way of one shot: {ruleset}\n")[1].split("\n## ")[0]
    steps = part[part.index("1. ") :]
    words = re.findall(r"`([a-z_.]+)`", steps)
    homes = {"tabletop": "sandtable.", "cav": "sandtable.rulesets."}
    return [homes.get(word.split(".")[0], f"sandtable.rulesets.{ruleset}.") + word for word in words]


@pytest.mark.parametrize("ruleset", SHOTS)
def test_a_shot_passes_what_the_page_names(ruleset: str) -> None:
    case, sure = SHOTS[ruleset]
    traced = subprocess.run(
        [sys.executable, "-m", "tests.walk_of_a_shot", case], cwd=ROOT, capture_output=True, text=True, check=True
    )
    passed = traced.stdout.split()
    assert len(passed) > 10
    told = named(ruleset)
    assert len(told) > 6
    assert [module for module in told if module not in passed] == []
    assert {f"sandtable.rulesets.{ruleset}.{one}" for one in sure} <= set(told)


def test_the_packages_that_are_drawn_are_there() -> None:
    drawn = PAGE.split("```")[1]
    there = {one.name for one in (ROOT / "src" / "sandtable").iterdir() if (one / "__init__.py").exists()}
    assert there == {name for name in there if re.search(rf"\b{name}\b", drawn)}
