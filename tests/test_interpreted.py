"""The same battle leaves the same journal, byte for byte, whether the kernel of the exact table is compiled or not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable.field import _kernel
from sandtable.lab.rulebooks import rulebooks
from tests.conftest import EVERYTHING

RUN = """
import sys
from sandtable.cli import main
from sandtable.field import _kernel
print("compiled" if _kernel.compiled() else "interpreted", file=sys.stderr)
raise SystemExit(main(sys.argv[1:]))
"""


def journal(file: Path, kernel: str, *args: str) -> bytes:
    """The journal of a battle that a process of its own plays with one of the two kernels."""
    env = {name: value for name, value in os.environ.items() if name != "SANDTABLE_INTERPRETED"}
    if kernel == "interpreted":
        env["SANDTABLE_INTERPRETED"] = "1"
    done = subprocess.run(
        [sys.executable, "-c", RUN, "battle", *args, "--json", "--save", str(file)],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [kernel]
    return file.read_bytes()


@pytest.mark.parametrize("ruleset", [book.name for book in rulebooks()])
@pytest.mark.parametrize("seed", ["1", "2"])
def test_both_kernels_play_the_same_battle(ruleset: str, seed: str, tmp_path: Path) -> None:
    if not _kernel.compiled():
        missing = "the kernel is NOT compiled here, so journals are NOT compared; a compiler and `make venv` would do"
        if EVERYTHING:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    args = (ruleset, "--size", "1", "--seed", seed)
    compiled, interpreted = (
        journal(tmp_path / f"{kernel}.journal", kernel, *args) for kernel in ("compiled", "interpreted")
    )
    assert len(compiled) > 10_000
    assert compiled == interpreted
