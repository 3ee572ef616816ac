"""The engine's front door: every name it lists is there, and nothing is loaded before it is asked for."""

import subprocess
import sys

import pytest

from sandtable import engine


@pytest.mark.parametrize("name", engine.__all__)
def test_every_listed_name_is_there(name: str) -> None:
    assert getattr(engine, name) is not None
    assert name in dir(engine)


def test_the_two_lists_agree() -> None:
    assert sorted(engine.__all__) == sorted(engine._MODULE_OF)


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Battel'"):
        engine.Battel  # noqa: B018


def test_shapes_do_not_load_a_battle() -> None:
    code = (
        "import sys, sandtable.engine.shapes\n"
        "print([m for m in sys.modules if m.startswith('sandtable.engine.')])\n"
        "from sandtable.engine import Battle, events\n"
        "print(Battle.__name__, events.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ["sandtable.engine.ids", "sandtable.engine.shapes"]
    assert done.stdout.splitlines() == [str(loaded), "Battle sandtable.engine.events"]
